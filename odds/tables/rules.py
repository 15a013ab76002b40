"""What each rule is worth: its effect on the RTP around one game, beside what is published, and grids of rules."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import fsum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from odds.engine.passes import Passes
from odds.errors import ShoeError
from odds.game.deck import INFINITE
from odds.game.rules import Rules
from odds.numbers.decimals import fixed, percentage
from odds.published.reconcile import Published
from odds.results.round import analyze
from odds.strategy.search import search
from odds.strategy.table import evaluate
from odds.sweep.distinct import distinct_of
from odds.sweep.grid import Combination
from odds.sweep.run import chunks
from odds.sweep.solve import Asked, round_of_set
from odds.tables.document import NO_VALUE, Document, Facts, Table, csv_text, made_by, markdown, rule_facts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from odds.sweep.distinct import Distinct

BASE: Final = Rules(decks=8, max_hands=4)
MOST_DIGITS: Final = 10  # of what is known in doubles


@dataclass(frozen=True, slots=True)
class Effect:
    """A rule, and what is published about it.

    Attributes:
        words: the change.
        change: fields and values that differ from the base.
        published: the published effect on the player's return in percentage points, as printed; empty where none is.
        by: who published it.
        note: where the two differ, why.
        base: fields in which the base is another than that of its table.
        upcards: the upcards on which the effect is counted; all if empty.
    """

    words: str
    change: Mapping[str, Any]
    published: str = ""
    by: str = ""
    note: str = ""
    base: Mapping[str, Any] | None = None
    upcards: str = ""

    @property
    def digits(self) -> int:
        """How many decimals the published effect has."""
        return len(self.published.partition(".")[2])


@dataclass(frozen=True, slots=True)
class EffectTable:
    """Effects around one base.

    Attributes:
        title: of the table.
        source: who published them.
        effects: the rules.
        base: fields in which the base is another than `BASE`.
        play: `composition`, or `total` for the best chart of each game.
        two_figures: what is published are differences of two printed figures, true to a unit of the last digit.
        note: where a row differs that has no note of its own, why.
    """

    title: str
    source: str
    effects: tuple[Effect, ...]
    base: Mapping[str, Any] | None = None
    play: str = "composition"
    two_figures: bool = False
    note: str = ""

    def rules_of(self, effect: Effect | None = None) -> tuple[Rules, Rules]:
        """Return the rules without a change and with it; the base of the table twice without one."""
        base = BASE.replace(**{**(self.base or {}), **((effect and effect.base) or {})})
        return base, base.replace(**(effect.change if effect else {}))

    def agrees(self, effect: Effect, value: float) -> bool:
        """Return whether an effect, as a fraction of 1, is what is published."""
        if self.two_figures:
            return abs(100 * value - float(effect.published)) <= 10.0**-effect.digits
        return Published("rtp", f"{effect.published}%").matches(value) is not None

    def why(self, effect: Effect, value: float) -> str:
        """Return what is to be said of what is published; empty where nothing is."""
        return effect.note or ("" if not effect.published or self.agrees(effect, value) else self.note)


def _tables() -> Iterator[EffectTable]:
    data = tomllib.loads(Path(__file__).with_name("effects.toml").read_text(encoding="utf-8"))

    def noted(given: dict[str, Any]) -> dict[str, Any]:
        return {**given, "note": data["notes"].get(given.get("note"), given.get("note", ""))}

    for table in data["tables"]:
        yield EffectTable(**{**noted(table), "effects": tuple(Effect(**noted(effect)) for effect in table["effects"])})


EFFECT_TABLES: Final = tuple(_tables())


def effects_files(command: str) -> dict[str, str]:
    """Return what each rule is worth: `effects.md` and `effects.csv`."""
    parts, records, off = [], [], 0
    returns = returns_of(EFFECT_TABLES)
    for table in EFFECT_TABLES:
        rows = []
        for effect in table.effects:
            value, digits = effect_of(table, effect, returns), max(4, min(effect.digits + 2, MOST_DIGITS))
            says, difference, published = table.why(effect, value), NO_VALUE, ""
            if effect.published:
                published = effect.published
                difference = fixed(100 * value - float(published), digits, sign=True)
                off += not table.agrees(effect, value)
            words = effect.words + (" (infinite decks)" if (effect.base or {}).get("decks") == INFINITE else "")
            effect_words = fixed(100 * value, digits, sign=True)
            rows.append((words, effect_words, published or NO_VALUE, effect.by or NO_VALUE, difference, says))
            base, change = (
                "; ".join(f"{n}={_written(v)}" for n, v in given.items()) for given in _fields(table, effect)
            )
            points = fixed(100 * value, MOST_DIGITS), published, effect.by, difference if published else ""
            records.append((table.title, effect.words, base, change, table.play, effect.upcards, *points, says))
        of_base, _ = table.rules_of()
        note = f"Base: {of_base}; RTP {percentage(1 + returns[table.play, of_base]['ev'], 6)}. "
        note += f"{'Best play' if table.play == 'composition' else 'The best chart of each game'}. "
        note += f"Published: {table.source}."
        columns = ("Rule", "Effect", "Published", "By", "Off by", "Why")
        parts.append(Table(table.title, columns, tuple(rows), note))
    title = "Effects of rules"
    told = sum(bool(effect.published) for table in EFFECT_TABLES for effect in table.effects)
    facts: Facts = (
        (
            "Method",
            "RTP with the change less RTP without, of best play for the exact cards (splits as in cdp1) or charts",
        ),
        ("Unit", "percentage points of the initial wager; each effect is that of one change alone"),
        (
            "Published",
            f"{told} effects, of which {told - off} come out as printed; of the others the last column says why",
        ),
        *made_by(BASE, command),
    )
    names = ("table", "rule", "base", "change", "play", "upcards", "effect_points", "published_points", "published_by")
    document = Document(title, facts, tuple(parts))
    return {
        "effects.md": markdown(document),
        "effects.csv": csv_text(title, facts, (*names, "off_by_points", "why"), records),
    }


def _fields(table: EffectTable, effect: Effect) -> tuple[dict[str, Any], Mapping[str, Any]]:
    return {**(table.base or {}), **(effect.base or {})}, effect.change


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


# The EV of a round, and by upcard what it adds to that, under a play of some rules.
_Returns: TypeAlias = "dict[tuple[str, Rules], dict[str, float]]"


def returns_of(tables: Iterable[EffectTable]) -> _Returns:
    """Return the EVs of all games of some tables, each worked out once; those that can share dealer passes do."""
    games: dict[str, dict[Rules, Distinct]] = {}
    for table in tables:
        of_play = games.setdefault(table.play, {})
        for effect in (None, *table.effects):
            for rules in table.rules_of(effect):
                of_play[rules] = distinct_of(Combination(0, rules, None, None))
    found: _Returns = {}
    for play, sets in games.items():
        solved: dict[str, dict[str, float]] = {}
        for asked, some in chunks(Asked(play), {one.id: one for one in sets.values()}.values(), len(sets)):
            passes = Passes()
            for one in some:
                result, _ = round_of_set(asked, one, passes)
                solved[one.id] = {"ev": result.ev, "paid": result.p_paid_blackjack or 0.0}
                solved[one.id] |= {start.start: start.probability * start.ev for start in result.by_start}
        for rules, one in sets.items():
            figures = solved[one.id]
            more = float(rules.blackjack_pays - one.rules.blackjack_pays) * figures["paid"]
            found[play, rules] = {**figures, "ev": figures["ev"] + more}
    return found


def effect_of(table: EffectTable, effect: Effect, returns: _Returns) -> float:
    """Return what a rule adds to the RTP, as a fraction of 1."""
    before, after = (returns[table.play, rules] for rules in table.rules_of(effect))
    return fsum(after[name] - before[name] for name in (effect.upcards or ["ev"]))


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
            best = -analyze(rules).exact().ev
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
