"""The command `odds simulate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from odds.cli.options import (
    CHECK_FAILED,
    DEFAULT_SPLIT_CLASS,
    GameName,
    Json,
    Play,
    Removed,
    Settings,
    Shared,
    SplitClass,
)
from odds.errors import OddsError, PaytableError

if TYPE_CHECKING:
    from odds.report.common import Subject
    from odds.results.round import RoundResult
    from odds.sidebets.results import SideBetResult

NO_SIDE_BETS = "none"


def add_to(app: typer.Typer, shared: Shared) -> None:
    """Add the commands to a program."""

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
        side_bets: Annotated[
            list[str] | None,
            typer.Option(
                "--side-bet",
                metavar="BET[:PAYTABLE]",
                help="Play this side bet instead of those of the game; none for none at all. Repeatable.",
            ),
        ] = None,
        threads: Annotated[
            int | None,
            typer.Option("--threads", metavar="N", help="Play in N threads; as many as there are if left out."),
        ] = None,
        json: Json = False,
    ) -> None:
        """Play rounds by the written rules, card by card, and compare them with what is computed."""
        from odds.engine.decisions import refuse_full
        from odds.referee import simulate as playing
        from odds.report import simulation

        plan = playing.plan(rounds, seed, threads)
        refuse_full(split_class, "simulation")
        subject, result, _ = shared.play_round(game, settings, removed, split_class, play)
        tables, left_out = _side_bets(subject, result, side_bets)
        warnings = shared.warn(result.shoe_can_run_out)
        exact = None if result.shoe_can_run_out else result.outcomes()
        with simulation.progress_bar(rounds) as progress:
            played = playing.simulate(
                result,
                **plan,
                distribution=None if exact is None else exact.distribution,
                variance=None if exact is None else exact.variance,
                side_bets=tables,
                progress=progress,
            )
        for reason in left_out:
            warnings.append(f"a side bet is left out: {reason}")
            shared.say("warning", warnings[-1])
        shared.report(
            json,
            lambda: simulation.simulation_json(subject, played, warnings),
            lambda: simulation.simulation_tables(subject, played),
        )
        if not played.agrees:
            shared.say("disagreement", simulation.DISAGREES)
            raise typer.Exit(CHECK_FAILED)


def _side_bets(subject: Subject, result: RoundResult, asked: list[str] | None) -> tuple[list[SideBetResult], list[str]]:
    """Return the side bets to play, those asked for or those of the game, and why others of the game are not.

    Args:
        subject: the game.
        result: its computed odds.
        asked: names, each with a paytable after a colon if it is not the usual one; none for no side bet.

    Raises:
        OddsError: one that was asked for cannot be played.
    """
    if asked is None:
        tables: list[SideBetResult] = []
        left_out: list[str] = []
        for name in subject.game.side_bets:
            try:
                tables.append(_side_bet(subject, result, name))
            except OddsError as error:
                left_out.append(str(error))
        return tables, left_out
    if NO_SIDE_BETS in asked:
        if len(asked) > 1:
            raise PaytableError(f"--side-bet: expected {NO_SIDE_BETS} alone, or side bets, got both")
        return [], []
    return [_side_bet(subject, result, text) for text in dict.fromkeys(asked)], []


def _side_bet(subject: Subject, result: RoundResult, text: str) -> SideBetResult:
    from odds.game.cards import parse_cards
    from odds.referee.simulate import check_side_bet
    from odds.sidebets.results import sidebet
    from odds.sidebets.shoe import SuitedShoe

    name, colon, paytable = text.rpartition(":")
    if not colon or paytable.lower().endswith(".toml"):
        name, paytable = text, ""
    rules = subject.rules
    shoe = SuitedShoe.of_decks(rules.decks, rules.deck).without(parse_cards(subject.removed))
    table = sidebet(name, paytable=paytable or None, rules=rules, shoe=shoe)
    check_side_bet(result, table)
    return table
