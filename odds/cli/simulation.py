"""The command `odds simulate`."""

from contextlib import ExitStack

import typer

from odds.cli.common import CHECK_FAILED, door_of, played_round, report, warn
from odds.cli.questions import Simulate
from odds.cli.streams import progress, say
from odds.engine.split_classes import refuse_full
from odds.errors import OddsError, PaytableError
from odds.game.subject import Subject
from odds.referee import simulate as playing
from odds.report import simulation
from odds.results.round import RoundResult
from odds.results.side_bets import sidebet_of
from odds.sidebets.paytable import SideBet, load_side_bet
from odds.sidebets.results import SideBetResult

NO_SIDE_BETS = "none"


def simulate(asked: Simulate) -> None:
    """Play rounds by the written rules, and compare them with what is computed."""
    plan = playing.plan(asked.rounds, asked.seed, asked.threads)
    refuse_full(asked.split_class, "simulation")
    subject, result, _ = played_round(asked)
    tables, left_out = _side_bets(subject, result, asked.side_bets)
    warnings = warn(result.shoe_can_run_out)
    exact = None if result.shoe_can_run_out or subject.rules.switch else result.outcomes()
    with ExitStack() as stack:
        door = stack.enter_context(door_of(asked.scheduler)) if asked.scheduler else None
        bar = stack.enter_context(progress("Playing"))
        played = playing.simulate(
            result,
            **plan,
            distribution=None if exact is None else exact.distribution,
            errors=None if exact is None else exact.standard_errors,
            variance=None if exact is None else exact.variance,
            side_bets=tables,
            progress=None if bar is None else lambda played: bar(played / asked.rounds),
            door=door,
        )
    for reason in left_out:
        warnings += warn(True, f"left out: {reason}")
    report(
        asked.json,
        lambda: simulation.simulation_json(subject, played, warnings),
        lambda: simulation.simulation_tables(subject, played),
    )
    if not played.agrees:
        say("disagreement", simulation.DISAGREES)
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
            bet = load_side_bet(name)  # one that cannot be read is an error; one that cannot be played is left out
            try:
                tables.append(_side_bet(subject, result, bet))
            except OddsError as error:
                left_out.append(f"{bet.name}: {str(error).removeprefix(f'{bet.name}: ')}")
        return tables, left_out
    if NO_SIDE_BETS in asked:
        if len(asked) > 1:
            raise PaytableError(f"--side-bet: expected {NO_SIDE_BETS} alone, or side bets, got both")
        return [], []
    found = []
    for text in asked:
        name, colon, paytable = text.rpartition(":")
        if not colon or paytable.lower().endswith(".toml"):
            name, paytable = text, ""
        found.append(_side_bet(subject, result, load_side_bet(name), paytable))
    return found, []


def _side_bet(subject: Subject, result: RoundResult, bet: SideBet, paytable: str = "") -> SideBetResult:
    table = sidebet_of(subject, bet, bet.paytable(paytable or None), result)
    playing.check_side_bet(result, table)
    return table
