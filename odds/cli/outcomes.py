"""The commands `odds outcomes` and `odds confidence`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from odds.cli.options import DEFAULT_SPLIT_CLASS, GameName, Json, Play, Removed, Settings, Shared, SplitClass
from odds.errors import OddsError


def add_to(app: typer.Typer, shared: Shared) -> None:
    """Add the commands to a program."""

    @app.command()
    def outcomes(
        game: GameName,
        settings: Settings = None,
        removed: Removed = None,
        play: Play = "composition",
        split_class: SplitClass = DEFAULT_SPLIT_CLASS,
        boxes: Annotated[
            bool, typer.Option("--boxes", help="Say too how several boxes against one dealer move together.")
        ] = False,
        exact: Annotated[bool, typer.Option("--exact", help="Give fractions too, certified.")] = False,
        digits: Annotated[
            int | None, typer.Option("--digits", metavar="N", help="With --exact: so many digits of the decimals.")
        ] = None,
        out: Annotated[
            Path | None,
            typer.Option("--out", metavar="FILE", help="Draw a histogram: .png, .svg or .pdf; needs matplotlib."),
        ] = None,
        json: Json = False,
    ) -> None:
        """Compute the exact distribution of a round's net result, its variance and its frequencies."""
        from odds.report import outcomes as pages
        from odds.report.common import write_file
        from odds.report.exact import check_digits
        from odds.results.boxes import boxes as several_boxes

        shown_digits = check_digits(exact, digits)
        form = None if out is None else pages.check_figure(out)
        subject, result, _ = shared.play_round(game, settings, removed, split_class, play)
        found = result.outcomes()
        fractions = None
        if exact:
            with shared.progress("Computing fractions") as bar:
                fractions = found.exact(bar)
        several = several_boxes(result.rules, shoe=result.shoe) if boxes else None
        if out is not None and form is not None:
            write_file(out, pages.figure(subject, found, form))
            shared.say("wrote", str(out))
        shared.report(
            json,
            lambda: pages.outcomes_json(subject, result, found, fractions, several, digits),
            lambda: pages.outcomes_tables(subject, result, found, fractions, several, shown_digits),
        )

    @app.command()
    def confidence(
        game: GameName,
        rounds: Annotated[
            int | None, typer.Option("--rounds", metavar="N", help="Of how many rounds the RTP is observed.")
        ] = None,
        precision: Annotated[
            float | None,
            typer.Option(
                "--precision", metavar="X", help="Say how many rounds it takes to come this close, such as 0.001."
            ),
        ] = None,
        settings: Settings = None,
        removed: Removed = None,
        play: Play = "composition",
        split_class: SplitClass = DEFAULT_SPLIT_CLASS,
        json: Json = False,
    ) -> None:
        """Compute where the observed RTP of so many rounds must lie, and how many rounds a precision takes."""
        from odds.report import outcomes as pages
        from odds.results.confidence import LEVELS, check_precision, check_rounds, rounds_needed
        from odds.results.confidence import confidence as expected

        if rounds is None and precision is None:
            raise OddsError("expected --rounds N, --precision X, or both")
        if rounds is not None:
            check_rounds(rounds)
        if precision is not None:
            check_precision(precision)
        subject, result, _ = shared.play_round(game, settings, removed, split_class, play)
        found = result.outcomes()
        interval = None if rounds is None else expected(found, rounds)
        needed = None if precision is None else {level: rounds_needed(found, precision, level) for level in LEVELS}
        deviation = found.standard_deviation
        shared.report(
            json,
            lambda: pages.confidence_json(subject, result, interval, needed, precision, deviation),
            lambda: pages.confidence_tables(subject, result, interval, needed, precision, deviation),
        )
