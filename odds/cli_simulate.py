"""The command `odds simulate`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from odds.cli_outcomes import GameName, Json, Play, PlayRound, Removed, Report, Settings, SplitClass
from odds.decisions import DEFAULT_SPLIT_CLASS, refuse_full

CHECK_FAILED = 1


def add_to(
    app: typer.Typer,
    report: Report,
    play_round: PlayRound,
    warn: Callable[[bool], list[str]],
    say: Callable[[str, str], None],
) -> None:
    """Add the command to a program.

    Args:
        app: the program.
        report: prints one JSON object if asked to, else tables.
        play_round: returns the round that is asked for.
        warn: says that the shoe can run out if that is so, and returns the warnings said.
        say: writes a line to standard error.
    """

    @app.command()
    def simulate(
        game: GameName,
        settings: Settings = None,
        removed: Removed = None,
        rounds: Annotated[int, typer.Option("--rounds", metavar="N", help="How many rounds to play.")] = 10_000_000,
        seed: Annotated[
            int | None, typer.Option("--seed", metavar="S", help="Of the random numbers; a new one if left out.")
        ] = None,
        play: Play = "composition",
        split_class: SplitClass = DEFAULT_SPLIT_CLASS,
        threads: Annotated[
            int | None,
            typer.Option("--threads", metavar="N", help="Play in N threads; as many as there are if left out."),
        ] = None,
        json: Json = False,
    ) -> None:
        """Play rounds by the written rules, card by card, and compare them with what is computed."""
        from odds import simulate as playing
        from odds.report import simulation

        plan = playing.plan(rounds, seed, threads)
        refuse_full(split_class, "simulation")
        subject, result, _ = play_round(game, settings, removed, split_class, play)
        warnings = warn(result.shoe_can_run_out)
        exact = None if result.shoe_can_run_out else result.outcomes()
        with simulation.progress_bar(rounds) as progress:
            played = playing.simulate(
                result,
                **plan,
                distribution=None if exact is None else exact.distribution,
                variance=None if exact is None else exact.variance,
                progress=progress,
            )
        report(
            json,
            lambda: simulation.simulation_json(subject, played, warnings),
            lambda: simulation.simulation_tables(subject, played),
        )
        if not played.agrees:
            say("disagreement", simulation.DISAGREES)
            raise typer.Exit(CHECK_FAILED)
