"""The commands `odds reconcile`, `odds verify` and `odds fill`: computed figures beside and in published texts."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from odds.errors import OddsError
from odds.parallel import DEFAULT_WORKERS
from odds.rule_fields import show_value

if TYPE_CHECKING:
    from fractions import Fraction

    from rich.console import RenderableType

    from odds.report.common import Subject
    from odds.round import RoundResult

CHECK_FAILED = 1

Progress: TypeAlias = "Callable[[str], AbstractContextManager[Callable[[float], None] | None]]"
GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="A game of the catalogue (see odds games), or a .toml game file.")
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="FIELD=VALUE", help="Change a rule, such as decks=6. Repeatable."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")]
Jobs = Annotated[int, typer.Option("--jobs", metavar="N", help="Compute in N processes.", min=1, max=256)]


@dataclass(frozen=True, slots=True)
class Shared:
    """What commands need of the program.

    Attributes:
        report: prints one JSON object if asked to, else tables.
        subject: returns a game under the rules that are set, with cards removed.
        play_round: returns a round of a game, with settings, cards removed, a split class and a play.
        warn: says on standard error that the shoe can run out, if so; returns what was said.
        say: writes a line to standard error.
        emit: writes text or bytes to standard output.
        progress: shows a progress bar where one can be seen.
    """

    report: Callable[[bool, Callable[[], dict[str, Any]], Callable[[], list[RenderableType]]], None]
    subject: Callable[[str, list[str] | None], Subject]
    play_round: Callable[[str, list[str] | None, list[str] | None, str, str], tuple[Subject, RoundResult, object]]
    warn: Callable[[bool], list[str]]
    say: Callable[[str, str], None]
    emit: Callable[[str | bytes], None]
    progress: Progress


def add_to(app: typer.Typer, shared: Shared) -> None:
    """Add the commands to a program."""

    @app.command()
    def reconcile(
        game: GameName,
        published: Annotated[
            str | None,
            typer.Option(
                "--published", metavar="X", help="The RTP to explain, such as 99.15%; by default the one of the game."
            ),
        ] = None,
        wide: Annotated[
            bool, typer.Option("--wide", help="Look at every reading with one rule more changed, too.")
        ] = False,
        settings: Settings = None,
        jobs: Jobs = DEFAULT_WORKERS,
        json: Json = False,
    ) -> None:
        """Compute every reading of a game's rules, and say which of them give the published RTP."""
        from odds import reconcile as reconciling
        from odds.report import reconcile as pages

        figure = None if published is None else _published(published)
        subject = shared.subject(game, settings)
        fixed = [setting.partition("=")[0].strip() for setting in settings or ()]
        with shared.progress("Computing readings") as progress:
            found = reconciling.reconcile(
                subject.game,
                figure,
                rules=subject.rules,
                fixed=fixed,
                wide=wide,
                workers=jobs,
                progress=progress,
            )
        warnings = shared.warn(found.shoe_can_run_out)
        shared.report(
            json,
            lambda: pages.reconcile_json(subject, found, warnings),
            lambda: pages.reconcile_tables(subject, found),
        )

    @app.command()
    def verify(
        file: Annotated[Path, typer.Argument(metavar="FILE", help="A CSV of games, overrides and published figures.")],
        out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write the verdicts as CSV.")] = None,
        jobs: Jobs = DEFAULT_WORKERS,
        json: Json = False,
    ) -> None:
        """Check the published figures of many games; exit code 1 if one of them is wrong."""
        from odds import verify as verifying
        from odds.report import verify as pages
        from odds.report.common import write_file

        claims = verifying.read_claims(file)
        with shared.progress("Computing games") as progress:
            verdicts = verifying.verify(claims, workers=jobs, progress=progress)
        if out is not None:
            write_file(out, pages.verify_csv(verdicts))
            shared.say("wrote", str(out))
        shared.report(
            json,
            lambda: pages.verify_json(file.name, verdicts),
            lambda: pages.verify_tables(file.name, verdicts),
        )
        if not all(verdict.passes for verdict in verdicts):
            raise typer.Exit(CHECK_FAILED)

    @app.command()
    def fill(
        template: Annotated[Path, typer.Argument(metavar="TEMPLATE", help="A text with placeholders, in UTF-8.")],
        game: GameName,
        out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write to a file.")] = None,
        play: Annotated[
            str,
            typer.Option("--play", metavar="PLAY", help="Of the main game: composition, total, or a strategy file."),
        ] = "composition",
        settings: Settings = None,
        json: Json = False,
    ) -> None:
        """Fill the RTPs of a game and its side bets into a help text."""
        from odds.decisions import DEFAULT_SPLIT_CLASS
        from odds.fill import decode
        from odds.fill import fill as fill_in
        from odds.report.common import to_json, write_file

        name = template.name
        text = decode(_read(template), name)
        subject = shared.subject(game, settings)
        rounds: list[RoundResult] = []

        def rtp(exact: bool) -> Fraction | float:
            if not rounds:
                rounds.append(shared.play_round(game, settings, None, DEFAULT_SPLIT_CLASS, play)[1])
                shared.warn(rounds[0].shoe_can_run_out)
            return rounds[0].exact().rtp if exact else rounds[0].rtp

        _check_play(play)
        try:
            filled = fill_in(text, subject.game, subject.rules, rtp)
        except OddsError as error:
            if str(error).startswith("line "):  # it is about the text
                raise OddsError(f"{name}: {error}") from None
            raise
        if out is not None:
            write_file(out, filled.text.encode())
            shared.say("wrote", str(out))
        if json:
            shared.emit(to_json({**subject.head(), "play": play, **filled.to_dict()}))
        elif out is None:
            shared.emit(filled.text.encode())
        for item in filled.left:
            shared.say(
                "left",
                f"{name}: line {item.line}, column {item.column}: {item.text}; the line does not speak of an RTP",
            )


def _published(text: str) -> Any:
    from odds.reconcile import parse_published

    try:
        return parse_published(text)
    except OddsError as error:
        raise OddsError(f"--published: {error}") from None


def _check_play(play: str) -> None:
    """Refuse a play that is none, whether or not a text needs it."""
    if play not in ("composition", "total") and not play.lower().endswith((".csv", ".json")):
        raise OddsError(
            "--play: expected composition, total, or a strategy file that ends in .csv or .json, got "
            f"{show_value(play)}"
        )


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise OddsError(f"cannot read {show_value(str(path))}: {reason}") from None
