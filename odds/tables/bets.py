"""The tables of side bets, from one to eight decks, all of them exact."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Final

from odds.game.deck import decks_words
from odds.numbers.decimals import counted, fixed, one_in, percentage, root
from odds.results.side_bets import sidebet
from odds.sidebets import load_side_bet
from odds.sidebets.meter import units
from odds.sidebets.results import free_words, rules_without_game
from odds.tables.document import Document, Facts, Lines, Table, csv_text, made_by, markdown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from odds.game.rules import Rules
    from odds.sidebets import Paytable, SideBet, SideBetResult
    from odds.sidebets.meter import MeterReturn

DECKS: Final = tuple(range(1, 9))
_SHOWN_DECKS: Final = 8
# Of a bet on how rounds end, which takes an analysis of each.
_DECKS_OF_ROUNDS: Final = (1, 2, 6, 8)
# Units of the bet on the meter of a progressive bet.
_METERS: Final = (1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000)
# What heads say of how bets are counted.
METHOD: Final = (
    ("Method", "every deal of the cards the bet looks at, counted in whole numbers"),
    ("Unit", "one unit bet on it"),
)
_OF_ROUNDS: Final = (
    ("Method", "every hand that the best play for the exact cards (cdp1) ends with, and every hand of the dealer's"),
    METHOD[1],
)
_COLUMNS: Final = (
    *("paytable", "dealer_hits_soft_17", "decks", "hand", "pays", "combinations", "probability", "return"),
    "meter_share",  # only where there is a meter
)


def bet_files(name: str, command: str) -> dict[str, str]:
    """Return the tables of a bet of the catalogue with all of its paytables: `<name>.md` and `<name>.csv`.

    Args:
        name: of the bet.
        command: what makes the tables.
    """
    bet = load_side_bet(name)
    usual = rules_without_game(bet)
    results = [
        (paytable, hits, tables_by_decks(bet, paytable, usual.replace(dealer_hits_soft_17=hits)))
        for paytable in bet.paytables
        for hits in ((False, True) if _tells_rules(paytable) else (False,))
    ]
    rounds = any(paytable.plays_round for paytable in bet.paytables)
    plays = rounds or any(paytable.plays_dealer for paytable in bet.paytables)
    free = next((words for paytable in bet.paytables if (words := free_words(paytable, usual))), "")
    rule = "dealer stands on soft 17, and hits it" if plays else free or "no rule of the game matters"
    rule += "; else the default rules" * rounds
    decks = "1, 2, 6 and 8" if rounds else "1 to 8"
    first = (("Bet", f"{bet.title} ({bet.name})"), ("Rules", f"{decks} decks; {rule}"))
    facts: Facts = (*first, *method(bet), *made_by(None, command))
    return _files(name, f"{bet.title}: side bet", facts, results, _SHOWN_DECKS)


def game_bet_files(name: str, rules: Rules, head: Facts) -> dict[str, str]:
    """Return the tables of a side bet of a game, with its usual paytable: `sidebet-<name>.md` and `.csv`.

    Args:
        name: of the bet.
        rules: the game's, for its decks, what is in them, and the dealer's rule.
        head: the game's, to be told the method.
    """
    bet = load_side_bet(name)
    paytable, hits = bet.paytable(), rules.dealer_hits_soft_17
    results = [(paytable, hits, tables_by_decks(bet, paytable, rules, own=True))]
    return _files(f"sidebet-{bet.name}", f"{bet.title}: side bet", head, results, rules.decks)


def tables_by_decks(
    bet: SideBet, paytable: Paytable, rules: Rules, *, own: bool = False
) -> dict[int | str, SideBetResult]:
    """Return the bet by number of decks, each with the cards of the rules' decks; the `own` number of the rules too."""
    decks = {*(_DECKS_OF_ROUNDS if paytable.plays_round else DECKS), *([rules.decks] if own else [])}
    numbers = sorted(decks, key=lambda number: inf if isinstance(number, str) else number)
    return {number: sidebet(bet, decks=number, paytable=paytable, rules=rules) for number in numbers}


def _files(
    stem: str,
    title: str,
    facts: Facts,
    results: Sequence[tuple[Paytable, bool, dict[int | str, SideBetResult]]],
    shown_decks: int | str,
) -> dict[str, str]:
    parts: list[Table | Lines] = []
    rows = []
    for paytable, hits, tables in results:
        rule = ("H17" if hits else "S17") if _tells_rules(paytable) else ""
        name = f"Paytable {paytable.name}{f', {rule}' if rule else ''}"
        parts += bet_parts(name, tables, shown_decks)
        rows += [row for decks, table in tables.items() for row in _rows(paytable, rule, decks, table)]
    meters = [f"{paytable.name}: {paytable.meter.words}" for paytable, *_ in results if paytable.meter is not None]
    facts = (*facts, *((("Meter", f"in units of the bet; {'; '.join(meters)}"),) if meters else ()))
    width = len(_COLUMNS) - (not meters)
    return {
        f"{stem}.md": markdown(Document(title, facts, tuple(parts))),
        f"{stem}.csv": csv_text(title, facts, _COLUMNS[:width], [row[:width] for row in rows]),
    }


def bet_parts(name: str, tables: dict[int | str, SideBetResult], shown_decks: int | str) -> list[Table | Lines]:
    """Return the lines of a bet with so many decks, and its return by decks."""
    shown = tables[shown_decks]
    lines = tuple(
        (
            line.name,
            line.pay_words,
            line.for_one_words,
            "" if line.combinations is None else counted(line.combinations),
            fixed(line.probability, 10),
            one_in(line.probability),
            fixed(line.contribution, 10, sign=True),
        )
        for line in shown.lines
    )
    by_decks = tuple(
        (
            str(decks),
            percentage(table.exact_rtp, 8),
            percentage(-table.exact_ev, 8),
            percentage(table.exact_hit_frequency, 8),
            fixed(root(table.exact_variance, 12), 8),
            *(() if (meter := table.meter_return) is None else (_even(meter),)),
        )
        for decks, table in tables.items()
    )
    unit = shown.unit.capitalize()
    note = f"EV as a fraction: `{shown.exact_ev}`."
    if shown.total_combinations is not None:
        note = f"{unit}: {counted(shown.total_combinations)} in all. {note}"
    even: tuple[str, ...] = ()
    standing = ""
    jackpots: list[Table | Lines] = []
    if (meter := shown.meter_return) is not None:
        even = ("Even at a meter of",)
        standing = f", meter at {units(meter.meter.value)}"
        note += f" With the meter at 0: `{meter.ev_without}`, and `{meter.ev_per_unit}` more for each unit of it."
        at = sorted({*map(Fraction, _METERS), *(() if meter.break_even is None else (meter.break_even,))})
        rows = tuple((units(n), percentage(1 + meter.ev_at(n), 8), percentage(-meter.ev_at(n), 8)) for n in at)
        jackpots = [Table(f"{name}: by meter, {decks_words(shown_decks)}", ("Meter", "RTP", "House edge"), rows)]
    return [
        Table(
            f"{name}: {decks_words(shown_decks)}{standing}",
            ("Hand", "Pays", "For one", unit, "Probability", "One in", "Return"),
            lines,
            note,
        ),
        Table(
            f"{name}: by decks{standing}",
            ("Decks", "RTP", "House edge", "Hit frequency", "Standard deviation", *even),
            by_decks,
        ),
        *jackpots,
    ]


def _even(meter: MeterReturn) -> str:
    return "never" if meter.break_even is None else units(meter.break_even)


def _rows(paytable: Paytable, rule: str, decks: int | str, table: SideBetResult) -> Iterable[tuple[str, ...]]:
    first = (paytable.name, {"H17": "true", "S17": "false", "": ""}[rule], str(decks))
    for line in table.lines:
        numbers = (fixed(line.probability, 12), fixed(line.contribution, 12))
        yield (*first, line.name, str(line.pays), _text(line.combinations), *numbers, str(line.share))
    total = _text(table.total_combinations)
    yield (*first, "all", "", total, fixed(Fraction(1), 12), fixed(table.exact_ev, 12), "")


def _text(combinations: int | None) -> str:
    return "" if combinations is None else str(combinations)


def method(bet: SideBet) -> Facts:
    """Return how a bet is counted, and in what unit."""
    return _OF_ROUNDS if any(paytable.plays_round for paytable in bet.paytables) else METHOD


def _tells_rules(paytable: Paytable) -> bool:
    """Return whether the tables of a bet are for a dealer who stands on soft 17, and for one who hits it."""
    return paytable.plays_dealer or paytable.plays_round
