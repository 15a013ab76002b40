"""The commands `odds reconcile`, `odds verify` and `odds fill`: computed figures beside and in published texts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from odds.cli.options import (
    CHECK_FAILED,
    DEFAULT_SPLIT_CLASS,
    DEFAULT_WORKERS,
    GameName,
    Jobs,
    Json,
    Settings,
    Shared,
)
from odds.errors import OddsError

if TYPE_CHECKING:
    from fractions import Fraction

    from odds.results.round import RoundResult


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
        from odds.published import reconcile as reconciling
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
        from odds.published import verify as verifying
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
        from odds.published.fill import decode
        from odds.published.fill import fill as fill_in
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
    from odds.published.reconcile import parse_published

    try:
        return parse_published(text)
    except OddsError as error:
        raise OddsError(f"--published: {error}") from None


def _check_play(play: str) -> None:
    """Refuse a play that is none, whether or not a text needs it."""
    from odds.game.fields import show_value

    if play not in ("composition", "total") and not play.lower().endswith((".csv", ".json")):
        raise OddsError(
            "--play: expected composition, total, or a strategy file that ends in .csv or .json, got "
            f"{show_value(play)}"
        )


def _read(path: Path) -> bytes:
    from odds.game.fields import show_value

    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise OddsError(f"cannot read {show_value(str(path))}: {reason}") from None
