"""The tables of `odds sidebet`."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from odds import __version__
from odds.game.deck import decks_words
from odds.game.subject import shoe_words
from odds.numbers.decimals import counted, one_in
from odds.report.common import labelled, new_table, percent, signed, text_width, titled
from odds.sidebets.meter import units
from odds.sidebets.results import free_words
from odds.sidebets.symbolic import latex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rich.console import RenderableType
    from rich.table import Table

    from odds.game.catalog import Game
    from odds.game.rules import Rules
    from odds.sidebets.paytable import Paytable, SideBet
    from odds.sidebets.results import SideBetResult
    from odds.sidebets.solve import Solution
    from odds.sidebets.symbolic import SideBetFormula

_LOOKS_AT = {
    "player": "the player's first two cards",
    "player+upcard": "the player's first two cards and the dealer's upcard",
    "player+dealer": "the player's first two cards and the dealer's two",
    "player-three": "the player's first three cards",
    "player-three+dealer": "the player's first three cards and the dealer's two",
    "player-four": "the first two cards of the player's two hands",
    "dealer": "the dealer's two cards",
    "dealer-three": "the dealer's first three cards",
    "dealer-hand": "the dealer's whole hand",
    "player+dealer-hand": "the player's first two cards and the dealer's whole hand",
    "free-bets": "the free bets of a round in which all are made",
    "round": "how the player's main hand ends (after a split the one played first), and the first cards; the "
    "dealer plays his hand out",
}
_UNITS = {
    "combinations": "sets of cards, whatever their order",
    "permutations": "orders in which the cards can fall, as the bet tells them apart",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What `odds sidebet` was asked for, and found.

    Attributes:
        bet: the side bet.
        rules: where the dealer's rule is from.
        game: the game that was named; None if none was.
        removed: known cards taken out of each shoe, as text.
        left: the cards that are in the shoe, as text, where that is asked for instead of decks.
        tables: one for each paytable and number of decks.
        decks: of each table the number of decks, before cards were taken out.
        formulas: one for each paytable, if asked for.
        solutions: one for each table, if asked for.
        exact: fractions are asked for.
        latex: formulas are to be printed in LaTeX.
        meters: what the meter may show, if asked for; the tables are for the first.
        target_rtp: the return that the meter is to give, if asked for.
    """

    bet: SideBet
    rules: Rules
    game: Game | None
    removed: str
    left: str
    tables: tuple[SideBetResult, ...]
    decks: tuple[int | str, ...]
    formulas: tuple[SideBetFormula, ...] = ()
    solutions: tuple[Solution, ...] = ()
    exact: bool = False
    latex: bool = False
    meters: tuple[Fraction, ...] = ()
    target_rtp: Fraction | None = None

    @property
    def paytables(self) -> list[Paytable]:
        """The paytables asked for, in order."""
        return list(dict.fromkeys(table.paytable for table in self.tables))


def sidebet_json(asked: Asked) -> dict[str, Any]:
    """Return the tables of a side bet as JSON takes them."""
    head: dict[str, Any] = {}
    if asked.game is not None:
        head = {"game": asked.game.name}
    if asked.game is not None or any(table.law for table in asked.tables):
        head["rules"] = asked.rules.to_dict()
    tables = [
        {**table.to_dict(exact=asked.exact), "decks": None if asked.left else decks}
        for table, decks in zip(asked.tables, asked.decks, strict=True)
    ]
    for table, counted_table in zip(tables, asked.tables, strict=True):
        if (meter := counted_table.meter_return) is not None:
            table["meter"] = meter.to_dict(asked.meters, asked.target_rtp)
    for table, solution in zip(tables, asked.solutions, strict=False):
        table["solve"] = solution.to_dict()
    result = {
        **head,
        "version": __version__,
        "bet": asked.bet.name,
        "title": asked.bet.title,
        **({"removed_ranks": asked.rules.removed_ranks} if asked.rules.deck.lacks and not asked.left else {}),
        "removed": asked.removed,
        **({"left": asked.left} if asked.left else {}),
        "tables": tables,
    }
    if asked.formulas:
        result["symbolic"] = [formula.to_dict() for formula in asked.formulas]
    return result


def sidebet_tables(asked: Asked) -> list[RenderableType]:
    """Return the tables of a side bet."""
    parts: list[RenderableType] = [_header(asked)]
    for number, table in enumerate(asked.tables):
        note = (
            f"House edge {percent(table.house_edge)}, RTP {percent(table.rtp)}; wins {percent(table.hit_frequency)} of "
        )
        note += f"the time; standard deviation {table.standard_deviation:.4f}."
        parts += titled(_title(asked, number), _lines(table), note)
        parts += _meter(asked, table)
        if asked.exact:
            parts += titled("Exactly", _fractions(table))
        if asked.solutions:
            parts += _solution(asked.solutions[number])
    if len(asked.tables) > 1:
        parts += titled("House edge", _summary(asked, lambda table: (table.paytable.label, percent(table.house_edge))))
        if any(table.meter_return is not None for table in asked.tables):
            parts += titled("Meter that makes it even", _summary(asked, _even))
    for formula in asked.formulas:
        parts += _formula(asked, formula)
    return parts


def catalogue_json(bets: Iterable[SideBet]) -> dict[str, Any]:
    """Return the side bets of the catalogue as JSON takes them."""
    return {
        "version": __version__,
        "side_bets": [
            {
                "name": bet.name,
                "title": bet.title,
                "summary": bet.summary,
                "aliases": list(bet.aliases),
                "paytables": [
                    {
                        "name": paytable.name,
                        "cards": paytable.cards,
                        "source": paytable.source,
                        "urls": list(paytable.urls),
                        "note": paytable.note,
                        **({} if paytable.meter is None else {"meter": paytable.meter.to_dict()}),
                    }
                    for paytable in bet.paytables
                ],
            }
            for bet in bets
        ],
    }


def catalogue_tables(bets: Iterable[SideBet]) -> list[RenderableType]:
    """Return the side bets of the catalogue as a table."""
    from rich.text import Text

    table = new_table("Side bet", "Paytables", left=(0, 1), wrap=(0, 1))
    for bet in bets:
        names = [paytable.name for paytable in bet.paytables]
        shown = "" if names == ["standard"] else "\n".join(names)
        table.add_row(Text.assemble((bet.name, "bold"), f"\n{bet.summary or bet.title}\n"), shown)
    return titled("Side bets", table, "Of several paytables the first is the default; --paytable takes another.")[1:]


def _header(asked: Asked) -> Table:
    from rich.text import Text

    paytables = asked.paytables
    lines = [("Side bet", Text(f"{asked.bet.title} ({asked.bet.name})", style="bold"))]
    if asked.game is not None:
        lines.append(("Game", Text(f"{asked.game.title} ({asked.game.name})")))
    for paytable in paytables:
        words = f"{paytable.name}: {paytable.source}" if paytable.source else paytable.name
        lines.append(("Paytable", Text(words)))
    lines.append(("Looks at", Text("; ".join(dict.fromkeys(_LOOKS_AT[p.cards] for p in paytables)))))
    if any(paytable.plays_dealer for paytable in paytables):
        lines.append(("Dealer", Text(asked.rules.words("dealer_hits_soft_17"))))
    lines += [
        ("Free bets", Text(words)) for words in dict.fromkeys(free_words(p, asked.rules) for p in paytables) if words
    ]
    for law in [table.law for table in asked.tables if table.law][:1]:
        lines += [(fact[0], Text(f"{fact[1]}: {fact[2]}")) for fact in law.facts()]
        lines += [(fact[0], Text(": ".join(fact[1:]))) for fact in asked.tables[0].rules.facts()]
    for paytable in paytables:
        if paytable.meter is not None:
            named = f"{paytable.name}: " if len(paytables) > 1 else ""
            asks = "" if asked.meters or paytable.meter.seed is not None else ": --meter X does"
            lines.append(("Meter", Text(f"{named}{paytable.meter.words}{asks}")))
    if asked.rules.deck.lacks and not asked.left:
        lines.append(("Deck", Text(asked.rules.words("removed_ranks"))))
    lines.extend((label, Text(words)) for label, words in shoe_words(asked.removed, asked.left))
    lines.extend(("See", Text(url)) for url in dict.fromkeys(url for p in paytables for url in p.urls))
    for unit in dict.fromkeys(table.unit for table in asked.tables):
        if unit in _UNITS:
            lines.append((unit.capitalize(), Text(_UNITS[unit])))
    paid = "only the line that pays most is paid"
    if any(paytable.meter is not None for paytable in paytables):
        paid += ", those with a share of the meter first; the meter is in units of the bet"
    lines.append(("Unit", Text(f"the side bet; pays are to one, 5:1 being 6 for one; {paid}")))
    lines.extend(("Note", Text(note)) for note in dict.fromkeys(p.note for p in paytables) if note)
    return labelled(lines, style="dim")


def _title(asked: Asked, number: int) -> str:
    title = f"{asked.tables[number].shoe}" if asked.left else decks_words(asked.decks[number])
    if asked.removed:
        title += f" without {asked.removed}"
    return title if len(asked.paytables) == 1 else f"{title}, {asked.tables[number].paytable.name}"


def _lines(table: SideBetResult) -> Table:
    counts = table.total_combinations is not None
    unit = [table.unit.capitalize()] * counts
    result = new_table("Hand", "Pays", "For one", *unit, "Probability", "One in", "Return", wrap=(0,))
    for line in table.lines:
        pays, p = (line.pay_words, line.for_one_words), line.probability
        numbers = (f"{float(p):.8f}", one_in(p), signed(float(line.contribution), 8))
        result.add_row(line.name, *pays, *_counted(line.combinations), *numbers)
    result.add_section()
    total = sum((line.probability for line in table.lines), Fraction(0))
    sums = (*_counted(table.total_combinations), f"{float(total):.8f}", "", signed(table.ev, 8))
    result.add_row("Total", "", "", *sums)
    return result


def _counted(combinations: int | None) -> list[str]:
    return [] if combinations is None else [counted(combinations)]


def _fractions(table: SideBetResult) -> Table:
    result = new_table("Hand", "Probability", "Return", fold=range(3))
    for line in table.lines:
        result.add_row(line.name, str(line.probability), str(line.contribution))
    result.add_section()
    result.add_row("EV", "", str(table.exact_ev))
    if (meter := table.meter_return) is not None:
        result.add_row("EV with the meter at 0", "", str(meter.ev_without))
        result.add_row("EV of each unit of it", "", str(meter.ev_per_unit))
        if meter.break_even is not None:
            result.add_row("Meter with an EV of 0", "", str(meter.break_even))
    return result


def _meter(asked: Asked, table: SideBetResult) -> list[RenderableType]:
    """Return what the bet is worth by what its meter shows."""
    found = table.meter_return
    if found is None:
        return []
    shown = asked.meters or ((found.meter.value,) if found.meter.seed is None else ())
    rows: list[tuple[str, Fraction | None]] = [("At", meter) for meter in shown]
    rows += [("Starts from", found.meter.seed), ("Even at", found.break_even), ("In the long run", found.long_run)]
    if asked.target_rtp is not None:
        rows.append((f"For an RTP of {percent(float(asked.target_rtp))}", found.target(asked.target_rtp)))
    result = new_table("Meter", "Units", "RTP", "House edge", wrap=(0,))
    for words, meter in rows:
        if meter is not None:
            ev = float(found.ev_at(meter))
            result.add_row(words, units(meter), percent(1 + ev), percent(-ev))
    note = f"RTP {percent(float(1 + found.ev_without))} with the meter at 0, and {float(100 * found.ev_per_unit):.6g}% "
    note += "more for each unit of it."
    if found.break_even is None:
        note += " No meter makes it even."
    if found.long_run is not None:
        note += " In the long run: its mean, where what is paid is taken off it, and once paid in full it starts again."
    return titled("By the meter", result, note)


def _even(table: SideBetResult) -> tuple[str, str]:
    found = table.meter_return
    even = "" if found is None else "never" if found.break_even is None else units(found.break_even)
    return table.paytable.name, even


def _summary(asked: Asked, cells: Callable[[SideBetResult], tuple[str, str]]) -> Table:
    """Return a table of paytables and decks, from what each table is called and has there."""
    decks = list(dict.fromkeys(asked.decks))
    result = new_table("Paytable", *map(decks_words, decks), fold=(0,))
    rows: dict[str, list[str]] = {}
    for table in asked.tables:
        name, cell = cells(table)
        rows.setdefault(name, []).append(cell)
    for name, row in rows.items():
        result.add_row(name, *row)
    return result


def _solution(solution: Solution) -> list[RenderableType]:
    title = f"For an RTP of {percent(float(solution.target_rtp), 4)}"
    if len(solution.lines) > 1:
        return titled(title, _solutions(solution))
    result = new_table(f"{solution.line} pays", "For one", "RTP", wrap=(0,))
    whole = solution.pays.denominator == 1
    decimal = "" if whole else f" = {float(solution.pays):.8g}"
    rows = [(f"{solution.pays}{decimal}", f"{float(solution.pays + 1):.8g}", solution.target_rtp)]
    if not whole:
        below, above = (
            (str(whole.pays), str(whole.pays + 1), whole.exact_rtp) for whole in (solution.below, solution.above)
        )
        rows = [below, *rows, above]
    for pays, for_one, rtp in rows:
        result.add_row(pays, for_one, percent(float(rtp), 6))
    return titled(title, result)


def _solutions(solution: Solution) -> Table:
    """Return what several lines pay together, and in whole numbers of the same ratio."""
    result = new_table("Hand", "Ratio", "Whole", "Pays", "Whole", wrap=(0,))
    for line in solution.lines:
        ratio = f"{line.weight:,}{' for one' * line.for_one}"
        result.add_row(line.name, ratio, f"{line.below:,}", f"{float(line.pays):,.8g}", f"{line.above:,}")
    result.add_section()
    rtps = (solution.below.exact_rtp, solution.target_rtp, solution.above.exact_rtp)
    result.add_row("RTP", "", *(percent(float(rtp), 6) for rtp in rtps))
    return result


def _formula(asked: Asked, formula: SideBetFormula) -> list[RenderableType]:
    title = "As a formula in the number of decks d"
    if len(asked.paytables) > 1:
        title += f", {formula.paytable.name}"
    table = new_table("Hand, and its probability", "Many decks")
    rows = [(line.name, line.probability, f"{float(line.limit):.8f}") for line in formula.lines]
    width = text_width() - len("  ") - len("   -0.12345678")
    rows.append(("EV", formula.ev, signed(float(formula.limit), 8)))
    if (meter := formula.meter) is not None:
        even = "" if meter.break_even_limit is None else units(meter.break_even_limit)
        rows.append(("EV of each unit of the meter", meter.per_unit, signed(float(meter.limit), 8)))
        rows.append(("Meter with an EV of 0", meter.break_even, even))
    for name, expression, limit in rows:
        if name == "EV":
            table.add_section()
        if asked.latex:
            lines = textwrap.wrap(latex(expression), width, break_long_words=False, break_on_hyphens=False)
        else:
            lines = formula_lines(str(expression), width)
        table.add_row("\n  ".join([name, *lines]), limit)
    first, last = formula.checked[0], formula.checked[-1]
    note = (
        f"With ever more decks the RTP tends to {percent(float(1 + formula.limit))}, the EV to {formula.limit}. "
        f"Equal to the counts for {first} to {last} decks."
    )
    return titled(title, table, note)


def formula_lines(text: str, width: int) -> list[str]:
    """Return a formula in lines of a width, which end between factors, and between the terms of longer factors only.

    >>> formula_lines("-4*(370*d**2 + 897*d - 325)/(13*(26*d - 1)*(52*d - 1))", 36)
    ['-4*(370*d**2 + 897*d - 325)', '/(13*(26*d - 1)*(52*d - 1))']
    >>> formula_lines("-4*(370*d**2 + 897*d - 325)/(13*(26*d - 1)*(52*d - 1))", 20)
    ['-4*(370*d**2 + 897*d', '- 325)', '/(13*(26*d - 1)', '*(52*d - 1))']
    """
    lines = [""]
    for factor in re.split(r"(?<=\))(?=[*/](?!\*))|(?=/\()", text):
        terms = [factor] if len(factor) <= width else re.split(r" (?=[+-] )", factor)
        for number, term in enumerate(terms):
            space = " " if number else ""
            if lines[-1] and len(lines[-1] + space + term) > width:
                lines.append(term)
            else:
                lines[-1] += space + term
    return lines
