"""What each rule is worth: its effect on the RTP around one game, beside what is published, and grids of rules."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from odds.engine.dealer import start_probability
from odds.engine.terms import terms_of
from odds.errors import ShoeError
from odds.game.deck import INFINITE
from odds.game.rules import Rules
from odds.numbers.decimals import fixed, percentage
from odds.published.reconcile import Published
from odds.results.round import analyze
from odds.strategy.search import search
from odds.strategy.table import evaluate
from odds.tables.document import NO_VALUE, Document, Facts, Table, csv_text, made_by, markdown, rule_facts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

BASE: Final = Rules(decks=8, max_hands=4)
_SOURCE: Final = "Wizard of Odds, as copied at http://realonlinegambling.com/blackjack/odds/"


@dataclass(frozen=True, slots=True)
class Effect:
    """A rule, and what is published about it.

    Attributes:
        words: the change.
        change: fields and values that differ from the base.
        published: the published effect on the player's return in percentage points, as printed; empty where none is.
        note: where the two differ, why.
        base: fields in which the base is another than `BASE`.
        upcards: the upcards on which the effect is counted; all if empty.
    """

    words: str
    change: Mapping[str, Any]
    published: str = ""
    note: str = ""
    base: Mapping[str, Any] | None = None
    upcards: str = ""


def _effects() -> Iterator[Effect]:
    data = tomllib.loads(Path(__file__).with_name("effects.toml").read_text(encoding="utf-8"))
    for effect in data["effects"]:
        yield Effect(**{**effect, "note": data["notes"].get(effect.get("note"), effect.get("note", ""))})


EFFECTS: Final = tuple(_effects())


def effects_files(command: str) -> dict[str, str]:
    """Return what each rule is worth: `effects.md` and `effects.csv`."""
    title = "Effects of rules"
    facts: Facts = (
        *rule_facts(BASE),
        ("RTP of this base", percentage(_exact(BASE)[0] + 1, 8)),
        ("Method", "best play for the exact cards, splits as in cdp1, exact; RTP with the change less RTP without"),
        ("Unit", "percentage points of the initial wager"),
        ("Published", _SOURCE),
        *made_by(BASE, command),
    )
    rows, records = [], []
    for effect in EFFECTS:
        value = effect_of(effect)
        off, says = NO_VALUE, ""
        if effect.published:
            published = Published("rtp", f"{effect.published}%")
            off = fixed(100 * value - Fraction(effect.published), 4, sign=True)
            says = effect.note if published.matches(value) is None or effect.note else ""
        base = "" if effect.base is None else "; ".join(f"{key}={item}" for key, item in effect.base.items())
        rows.append(
            (
                effect.words + (" (infinite decks)" if (effect.base or {}).get("decks") == INFINITE else ""),
                fixed(100 * value, 4, sign=True),
                effect.published or NO_VALUE,
                off,
                says,
            )
        )
        change = "; ".join(f"{key}={str(item).lower()}" for key, item in effect.change.items())
        records.append((effect.words, base, change, effect.upcards, fixed(100 * value, 10), effect.published, says))
    columns = ("Rule", "Effect", "Published", "Off by", "Why")
    note = "Effects do not add up exactly: each is that of one change alone."
    document = Document(title, facts, (Table("One rule changed", columns, tuple(rows), note),))
    names = ("rule", "base", "change", "upcards", "effect_points", "published_points", "why")
    return {"effects.md": markdown(document), "effects.csv": csv_text(title, facts, names, records)}


def effect_of(effect: Effect) -> Fraction:
    """Return what a rule adds to the RTP, as a fraction of 1."""
    base = BASE.replace(**dict(effect.base or {}))
    changed = base.replace(**dict(effect.change))
    before, after = _exact(base), _exact(changed)
    if not effect.upcards:
        return after[0] - before[0]
    shoe = base.shoe()
    return sum(
        (
            start_probability(start, shoe) * (after[1][start.label] - before[1][start.label])
            for start in terms_of(base).dealer.starts
            if start.label in effect.upcards
        ),
        Fraction(0),
    )


@cache
def _exact(rules: Rules) -> tuple[Fraction, dict[str, Fraction]]:
    """Return EV and EV by upcard under best play."""
    exact = analyze(rules).exact()
    return exact.ev, exact.by_start


GRID_DECKS: Final = (1, 2, 4, 5, 6, 8)


@dataclass(frozen=True, slots=True)
class GridCell:
    """The house edge of one game of a grid.

    Attributes:
        rules: its rules.
        best: under best play, exact; None where the shoe may run out.
        chart: of the best chart, in double precision.
    """

    rules: Rules
    best: Fraction | None
    chart: float | None


def grid_cells(decks: int) -> list[GridCell]:
    """Return the games with so many decks, of both grids."""
    cells = []
    for rules in _grid_rules(decks):
        try:
            best = -_exact(rules)[0]
        except ShoeError:
            best = None
        chart = None
        if rules.double_on == "any":
            chart = -evaluate(rules, search(rules).strategy).ev
        cells.append(GridCell(rules, best, chart))
    return cells


def _grid_rules(decks: int) -> list[Rules]:
    return [
        BASE.replace(decks=decks, dealer_hits_soft_17=soft, surrender=surrender, double_after_split=after)
        for after, soft, surrender in product((True, False), (False, True), ("none", "late"))
    ] + [
        BASE.replace(decks=decks, dealer_hits_soft_17=soft, double_on=doubles, double_after_split=after)
        for after, doubles, soft in product((True, False), ("9-11", "10-11"), (False, True))
    ]


def grid_files(cells_by_decks: Mapping[int, list[GridCell]], command: str) -> dict[str, str]:
    """Return the grids of decks and rules: `grid.md` and `grid.csv`.

    Args:
        cells_by_decks: the games, by number of decks.
        command: what makes the tables.
    """
    title = "House edge by decks and rules"
    facts: Facts = (
        *rule_facts(BASE),
        ("But", "what a line says of decks, soft 17, doubling and surrender"),
        ("Method", "best play for the exact cards, splits as in cdp1, exact; charts in double precision"),
        ("Unit", "house edge in percent of the initial wager; a negative one favours the player"),
        *made_by(BASE, command),
    )
    games = [[cells[place] for cells in cells_by_decks.values()] for place in range(len(_grid_rules(8)))]
    columns = ("Rules", *(f"{decks}D" for decks in cells_by_decks))
    best = tuple((_short(row[0].rules), *(_edge(cell.best) for cell in row)) for row in games)
    charted = [row for row in games if row[0].chart is not None]
    chart = tuple((_short(row[0].rules), *(_edge(cell.chart) for cell in row)) for row in charted)
    legend = (
        "S17, H17: dealer stands on or hits soft 17. DAS, NDAS: with and without doubling after a split. LS: late "
        "surrender. D9, D10: double 9 to 11, or 10 and 11, only. Splits to four hands, aces once, one card to each."
    )
    parts = (
        Table("Best play", columns, best, legend),
        Table("The best chart of each game", columns, chart, "The best chart found that looks at totals only."),
    )
    records = [
        (
            str(cell.rules.decks),
            str(cell.rules.dealer_hits_soft_17).lower(),
            str(cell.rules.double_after_split).lower(),
            cell.rules.double_on,
            cell.rules.surrender,
            "" if cell.best is None else fixed(cell.best, 12),
            "" if cell.chart is None else fixed(cell.chart, 9),
        )
        for row in games
        for cell in row
    ]
    names = (
        "decks",
        "dealer_hits_soft_17",
        "double_after_split",
        "double_on",
        "surrender",
        "house_edge_best_play",
        "house_edge_chart",
    )
    return {"grid.md": markdown(Document(title, facts, parts)), "grid.csv": csv_text(title, facts, names, records)}


def _short(rules: Rules) -> str:
    words = [rules.shorthand("dealer_hits_soft_17"), rules.shorthand("double_after_split")]
    words += [rules.shorthand("double_on")] if rules.double_on != "any" else []
    words += ["LS"] if rules.surrender == "late" else []
    return " ".join(words)


def _edge(value: Fraction | float | None) -> str:
    return NO_VALUE if value is None else percentage(value, 4)
