"""The commands `odds tables build` and `odds tables check`."""

import typer

from odds import __version__
from odds import tables as making
from odds.cli.common import CHECK_FAILED, report
from odds.cli.questions import Build, Check
from odds.cli.streams import progress, say
from odds.errors import OddsError

# More differing files than these are only counted.
_MOST_SAID = 20


def build(asked: Build) -> None:
    """Compute the tables and write them, or the PAR sheet of one game."""
    if (asked.par is None) != (asked.out is None):
        raise OddsError("expected --par GAME and --out DIR together: the game, and where its PAR sheet goes")
    if asked.par is not None and asked.out is not None:
        if asked.only:
            raise OddsError("expected --par or --only, got both")
        with progress(f"Computing {asked.par}") as bar:
            files = making.par_files(asked.par, bar)
        written = making.write(files, asked.out)
    else:
        making.check_only(asked.only or ())
        made = _make(asked)
        written = making.write(made, asked.folder)
        for item in making.compare(made, asked.folder, whole=not asked.only):
            say("left over", item.words)
    names = [str(path) for path in written]
    report(asked.json, lambda: {"version": __version__, "written": names}, lambda: list(names))


def check(asked: Check) -> None:
    """Compute the tables and compare them with those that are there."""
    making.check_only(asked.only or ())
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
