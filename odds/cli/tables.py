"""The commands `odds tables build` and `odds tables check`."""

from collections.abc import Mapping

import typer

from odds import __version__
from odds import tables as making
from odds.cli.common import CHECK_FAILED, report
from odds.cli.interrupts import finish
from odds.cli.questions import Build, Check
from odds.cli.streams import progress, say
from odds.errors import OddsError
from odds.files import check_folder, write_files
from odds.game.catalog import load_game

# More differing files than these are only counted.
_MOST_SAID = 20


def build(asked: Build) -> None:
    """Compute the tables and write them, or the PAR sheet of one game."""
    files: Mapping[str, str | bytes]
    folder = asked.folder if asked.out is None else asked.out
    check_folder(folder)
    if asked.par is None:
        files = made = _make(asked)
    else:
        game = load_game(asked.par)
        check_folder(folder, making.par_names(game))
        try:
            making.check_pdf()
        except OddsError as error:
            say("warning", f"the PAR sheet is written without PDF: {error}")
        with progress(f"Computing {game.name}") as bar:
            files, made = making.par_files(game, asked.par, bar), {}
    finish()
    written = write_files(files, folder)
    for item in making.compare(made, folder, whole=not asked.only) if made else ():
        say("left over", item.words)
    names = {"written": [str(path) for path in written], "replaced": [str(path) for path in written if written[path]]}
    old = len(names["replaced"])
    words = f"{len(written)} files in {folder}: {len(written) - old} written, {old} replaced"
    report(asked.json, lambda: {"version": __version__, **names}, lambda: [words])


def check(asked: Check) -> None:
    """Compute the tables and compare them with those that are there."""
    if not asked.folder.is_dir():
        raise OddsError(f"--dir: there is no folder {str(asked.folder)!r}")
    made = _make(asked)
    found = making.compare(made, asked.folder, whole=not asked.only)
    for item in found[:_MOST_SAID]:
        say("differs", item.words)
    if len(found) > _MOST_SAID:
        say("differs", f"{len(found) - _MOST_SAID} files more")
    same = f"{len(made)} files, all as computed" if not found else f"{len(found)} of {len(made)} files differ"
    report(
        asked.json,
        lambda: {"version": __version__, "files": len(made), "differing": [item.to_dict() for item in found]},
        lambda: [same],
    )
    if found:
        raise typer.Exit(CHECK_FAILED)


def _make(asked: Build | Check) -> dict[str, str]:
    with progress("Computing tables") as bar:
        return making.make(asked.only or (), workers=asked.jobs, progress=bar)
