"""The commands `odds tables build` and `odds tables check`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from odds.cli.options import CHECK_FAILED, DEFAULT_WORKERS, Jobs, Json
from odds.errors import OddsError

if TYPE_CHECKING:
    from odds.cli.options import Shared

# More differing files than these are only counted.
_MOST_SAID = 20

Only = Annotated[
    list[str] | None,
    typer.Option("--only", metavar="NAME", help="A game, rules or side-bets only; everything by default. Repeatable."),
]
Folder = Annotated[Path, typer.Option("--dir", metavar="DIR", help="Where the tables are.")]


def add_to(app: typer.Typer, shared: Shared) -> None:
    """Add the commands to a program."""
    tables = typer.Typer(
        no_args_is_help=False,
        rich_markup_mode=None,
        help="Write the tables of games, side bets and rules, or check that they are as computed.",
    )
    app.add_typer(tables, name="tables")

    @tables.command()
    def build(
        only: Only = None,
        folder: Folder = Path("tables"),
        par: Annotated[
            str | None,
            typer.Option("--par", metavar="GAME", help="Make the PAR sheet of a game instead; needs --out."),
        ] = None,
        out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Where the PAR sheet goes.")] = None,
        jobs: Jobs = DEFAULT_WORKERS,
        json: Json = False,
    ) -> None:
        """Compute the tables and write them, or the PAR sheet of one game."""
        from odds import __version__
        from odds import tables as making

        if (par is None) != (out is None):
            raise OddsError("expected --par GAME and --out DIR together: the game, and where its PAR sheet goes")
        if par is not None and out is not None:
            if only:
                raise OddsError("expected --par or --only, got both")
            with shared.progress(f"Computing {par}") as progress:
                files = making.par_files(par, progress)
            written = making.write(files, out)
        else:
            making.check_only(only or ())
            with shared.progress("Computing tables") as progress:
                made = making.make(only or (), workers=jobs, progress=progress)
            written = making.write(made, folder)
            for item in making.compare(made, folder, whole=not only):
                shared.say("left over", item.words)
        names = [str(path) for path in written]
        shared.report(json, lambda: {"version": __version__, "written": names}, lambda: list(names))

    @tables.command()
    def check(
        only: Only = None, folder: Folder = Path("tables"), jobs: Jobs = DEFAULT_WORKERS, json: Json = False
    ) -> None:
        """Compute the tables and compare them with those that are there; exit code 1 if one differs."""
        from odds import __version__
        from odds import tables as making

        making.check_only(only or ())
        if not folder.is_dir():
            raise OddsError(f"--dir: there is no folder {str(folder)!r}")
        with shared.progress("Computing tables") as progress:
            made = making.make(only or (), workers=jobs, progress=progress)
        found = making.compare(made, folder, whole=not only)
        for item in found[:_MOST_SAID]:
            shared.say("differs", item.words)
        if len(found) > _MOST_SAID:
            shared.say("differs", f"{len(found) - _MOST_SAID} files more")
        same = f"{len(made)} files, all as computed" if not found else f"{len(found)} of {len(made)} files differ"
        shared.report(
            json,
            lambda: {
                "version": __version__,
                "files": len(made),
                "differing": [item.to_dict() for item in found],
            },
            lambda: [same],
        )
        if found:
            raise typer.Exit(CHECK_FAILED)
