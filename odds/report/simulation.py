"""The tables of `odds simulate`: what was played beside what was computed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from odds.game.subject import Subject
from odds.numbers.decimals import plus
from odds.referee.simulate import FEWEST_JUDGED, FEWEST_SIDE_BETS_JUDGED, P_LIMIT, Z_LIMIT
from odds.report.common import header, listed, method, new_table, percent, signed, titled

if TYPE_CHECKING:
    from rich.console import RenderableType

    from odds.referee.simulate import Comparison, PlayedSideBet, SimulationResult

DISAGREES = "what was played contradicts what was computed"


def simulation_json(subject: Subject, result: SimulationResult, warnings: list[str]) -> dict[str, Any]:
    """Return the rounds played as JSON takes them."""
    return {**subject.head(), **result.to_dict(), "removed": subject.removed, "warnings": warnings}


def simulation_tables(subject: Subject, result: SimulationResult) -> list[RenderableType]:
    """Return the rounds played as tables."""
    per = "one of the two initial wagers, half of the sum" if subject.rules.switch else "the initial wager"
    facts = [
        *method(subject.rules, result.play, result.split_class),
        ("Unit", f"{per}; insurance and even money are not taken"),
        ("Rounds", f"{result.rounds:,}, each the first of a freshly shuffled shoe; seed {result.seed}"),
    ]
    side_bets = [table for bet in result.side_bets for table in _side_bet(bet)]
    return [header(subject, facts), *_means(result), *_distribution(result), *_free_bets(result), *side_bets]


def _means(result: SimulationResult) -> list[RenderableType]:
    table = new_table("Mean", "Played", "Standard error", "Computed", "z")
    rows: list[tuple[str, Comparison | None]] = [
        ("net result", result.net),
        ("net result squared", result.square),
        ("units wagered", result.wager),
        ("insurance, per unit", result.insurance),
        ("against a ten, per unit", result.insurance_against_ten),
        *zip(_names(result), (bet.net for bet in result.side_bets), strict=True),
    ]
    for words, found in rows:
        if found is not None:
            z = "-" if found.z is None else signed(found.z, 2)
            error = "-" if found.z is None else f"{found.standard_error:.8f}"
            table.add_row(words, signed(found.mean, 8), error, signed(found.exact, 8), z)
    deviation = f"Standard deviation of a round: {result.net.standard_deviation:.6f}. "
    if result.net.z is None:
        deviation = f"{'One round has' if result.rounds == 1 else 'Rounds that are alike have'} no standard error. "
    if result.side_bets:
        deviation += "Standard errors of side bets are from their exact variance. "
    return titled("Played and computed", table, deviation + _verdict(result))


def _names(result: SimulationResult) -> list[str]:
    """Return what the side bets are called, with the paytable where a bet is there several times."""
    tables = [bet.table for bet in result.side_bets]
    titles = [table.title for table in tables]
    return [
        table.title if titles.count(table.title) == 1 else f"{table.title}, {table.paytable.name}" for table in tables
    ]


def _verdict(result: SimulationResult) -> str:
    if result.rounds < FEWEST_JUDGED:
        return f"Too few rounds to judge: that needs {FEWEST_JUDGED:,}."
    limit = f"|z| {'within' if result.agrees else 'beyond'} {Z_LIMIT:g} is called "
    chance = f"right odds are called wrong once in {1 / P_LIMIT:,.0f} comparisons."
    return f"{limit}{'agreement' if result.agrees else 'a disagreement'}; {chance}"


def _distribution(result: SimulationResult) -> list[RenderableType]:
    table = new_table("Net", "Rounds", "Frequency", *(["Probability"] if result.expected is not None else []))
    for net in result.nets():
        times = result.observed.get(net, 0)
        row = [plus(net), f"{times:,}", percent(times / result.rounds, 5)]
        if result.expected is not None:
            row.append(percent(float(result.expected.get(net, 0)), 5))
        table.add_row(*row)
    note = "" if result.expected is not None else "The means alone are compared: no probabilities are computed here."
    if (test := result.chi_square) is not None:
        note = "Too few rounds for a chi-square test."
        if freedom := test.degrees_of_freedom:
            note = f"Chi-square {test.statistic:.3f} with {freedom} degrees of freedom, p {test.p_value:.4g}."
        if test.impossible:
            note += f" Not possible at all: {', '.join(map(str, test.impossible))}."
    return titled("Net results", table, note)


def _free_bets(result: SimulationResult) -> list[RenderableType]:
    rows = ((str(n), f"{times:,}", percent(times / result.rounds, 5)) for n, times in result.free_bets.items())
    note = "Doubles and splits of a round that cost nothing, as they were played."
    return listed("Free bets", ("Number", "Rounds", "Frequency"), rows, note) if result.free_bets else []


def _side_bet(bet: PlayedSideBet) -> list[RenderableType]:
    played = zip(bet.table.lines, bet.observed, bet.expected, strict=True)
    rows = ((line.name, line.pay_words, f"{times:,}", f"{expected:,.1f}") for line, times, expected in played)
    notes = [f"{bet.trials:,} rounds in which it could be made."] if bet.table.paytable.offered is not None else []
    if not bet.judged:
        notes.append(f"Too few to judge: a side bet needs {FEWEST_SIDE_BETS_JUDGED:,}.")
    if any(times and not line.probability for times, line in zip(bet.observed, bet.table.lines, strict=True)):
        notes.append("A line came about that is not possible at all.")
    title = f"{bet.table.title}, paytable {bet.table.paytable.name}"
    return listed(title, ("Hand", "Pays", "Rounds", "Expected"), rows, " ".join(notes))
