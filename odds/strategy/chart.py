"""Charts with the values of their cells, and which exact cards ask for something else.

The values of a cell are averages over its two-card hands, each weighted by its probability. `chart_of` shows a
strategy; `derive_chart` makes one from those averages alone, in which hands of more cards have no say: a place to
start from.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import groupby
from math import fsum
from typing import TYPE_CHECKING, Any

import numpy as np

from odds._kernel import TIE
from odds.engine.actions import ACTIONS, NUMBER, best_action
from odds.engine.hands import player_hands
from odds.engine.split_classes import play_facts
from odds.engine.terms import hand_terms
from odds.game.cards import parse_cards
from odds.game.subject import rules_facts
from odds.numbers.decimals import fixed
from odds.results.deals import insured_ten, raise_facts
from odds.results.groups import played_groups
from odds.shown import Shown, grid_html, table_html
from odds.strategy.codes import (
    FREE_SECTIONS,
    FREE_TOTALS,
    HARD_ROWS,
    PAIR_ROWS,
    PAIRS,
    SECTIONS,
    TOTAL_OF,
    coloured,
    doublings,
    legend,
    place_of,
    resolve,
    row_name,
    rows_of,
    sections_of,
    total_row,
    total_rows,
)
from odds.strategy.doubled import CHOICES, FREE_CHOICES, averages, free_actions, free_averages

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from fractions import Fraction

    from odds.engine.legal import Legal
    from odds.engine.play import StartTable
    from odds.engine.start import StartAnalysis
    from odds.game.bonuses import Bonus
    from odds.game.rules import Rules
    from odds.game.shoe import Shoe
    from odds.results.deals import FirstDecision, FirstHand, InsuranceResult, Round, StartResult
    from odds.results.groups import StartGroup
    from odds.strategy.codes import Place
    from odds.strategy.table import Strategy

# A change of a cell must gain more than this, in initial wagers a round, to count; rounding stays far below.
GAIN = 1e-13
DERIVED_FROM = "two-card hands"
WHOLE_ROUND = "whole round"
_PLAIN_CODES = {"stand": "S", "hit": "H", "split": "P"}


@dataclass(frozen=True, slots=True)
class Cell:
    """What a chart says for one row and column.

    Attributes:
        code: the action and what to do where it is not allowed, as in `CODES`.
        action: what the code says to do with these two cards.
        values: expected net result of each action in initial wagers, the average over the hands of the cell;
            where the dealer peeks, given that he has no blackjack, also for an early surrender.
        gap: how much more that action is worth than the best other one, negative where another is better; None where
            there is one only.
        probability: of the hands and dealer starts of the cell.
        other: the code that comes nearest, or in a wrong cell the better one, where the whole round was looked at;
            else None.
        cost: what that code would cost, in initial wagers a round: EV with this cell as it is less EV with it changed.
            Negative where the cell is wrong, which costs so much.
        against: the code of the chart that this one is held against, where it says otherwise; else None.
    """

    code: str
    action: str
    values: Mapping[str, float]
    gap: float | None
    probability: float
    other: str | None = None
    cost: float | None = None
    against: str | None = None

    @property
    def wrong(self) -> bool:
        """Whether another code is better, everything else being as it is: `other`, which gains `-cost` a round."""
        return self.cost is not None and self.cost < -GAIN

    def to_dict(self) -> dict[str, Any]:
        """Return the cell as JSON takes it."""
        return {name: getattr(self, name) for name in self.__slots__} | {"values": dict(self.values)}


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a chart.

    Attributes:
        label: the total, or the pair such as `8,8`; of folded rows from which to which, such as `4–8` or `17+`.
        cells: by column; None where the shoe cannot deal such a hand.
        folded: the labels of the rows that were folded into this one.
    """

    label: str
    cells: tuple[Cell | None, ...]
    folded: tuple[str, ...] = ()

    @property
    def rows(self) -> tuple[str, ...]:
        """The labels of the rows that this one stands for."""
        return self.folded or (self.label,)


@dataclass(frozen=True, slots=True)
class Section:
    """The rows of one kind.

    Attributes:
        name: `hard`, `soft`, `pairs`, `free hard`, `free soft`, or of doubled hands `doubled`, `doubled 2` ...
        rows: from the lowest total, or from aces to tens.
    """

    name: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Chart(Shown):
    """A strategy chart for a game.

    Attributes:
        rules: the rules.
        split_class: how the hands of a split are played.
        derived_from: what decides the cells: `two-card hands` of each, or the EV of the `whole round`.
        columns: the dealer's starts across.
        sections: hard totals, soft totals, pairs where there are splits, doubled hands where these have a choice, and
            free hands of a split.
        shoe_can_run_out: the shoe might run out within a round, so that the values of splits are not exact.
        ev: of a round played by the chart, where it was worked out; else None.
        best_ev: of a round under the best play for the exact cards (of the split class cdp1), likewise.
        insurance: against an ace where it is offered, see `RoundResult`.
        insurance_against_ten: against a ten, likewise.
        raised: the starts against which the wager is raised, None where no rule lets it.
        declined_even_money: what a blackjack against an ace is worth where even money is offered for it; else None.
        shoe: the cards before the deal.
        bonus_plays: two cards that a bonus on one more card lets be played otherwise than the best chart says.
        strategy: what the chart shows, for every hand; None where averages over two-card hands decide the cells.
        play: `total` for the best chart, else what the strategy is called, such as `mine.csv`.
        chart_ev: of a round played by the best chart, where this is another one; else None.
        against: what the chart is called that this one is held against; else None.
        against_ev: of a round of this game played by that chart, likewise.
    """

    rules: Rules
    split_class: str
    derived_from: str
    columns: tuple[StartGroup, ...]
    sections: tuple[Section, ...]
    shoe_can_run_out: bool
    shoe: Shoe
    ev: float | None = None
    best_ev: float | None = None
    insurance: InsuranceResult | None = None
    insurance_against_ten: InsuranceResult | None = None
    raised: tuple[str, ...] | None = None
    declined_even_money: Fraction | None = None
    bonus_plays: tuple[Difference, ...] = ()
    strategy: Strategy | None = field(default=None, compare=False)
    play: str = "total"
    chart_ev: float | None = None
    against: str | None = None
    against_ev: float | None = None

    def cells(self) -> Iterator[tuple[str, str, str, Cell]]:
        """Yield section, row, column and cell of each that there is."""
        for section in self.sections:
            for row in section.rows:
                for column, cell in zip(self.columns, row.cells, strict=True):
                    if cell is not None:
                        yield section.name, row.label, column.label, cell

    def marked(self) -> list[tuple[str, str, str, Cell]]:
        """Return the cells to be marked with section, row and column, those first where most depends on the code."""
        found = (place for place in self.cells() if self.marks(place[3]))
        return sorted(found, key=lambda place: -abs(place[3].cost or 0.0))

    def marks(self, cell: Cell | None) -> bool:
        """Return whether a cell is to be marked: it is wrong, or unlike the chart that this one is held against."""
        return cell is not None and (cell.wrong if self.against is None else cell.against is not None)

    def cell(self, section: str, row: str, column: str) -> Cell | None:
        """Return the cell of a section, row and column by their names, None where there is none."""
        for *place, cell in self.cells():
            if place == [section, row, column]:
                return cell
        return None

    def compact(self) -> Chart:
        """Return the chart with neighbouring rows that say the same folded into one, as printed charts have it.

        Aces stay by themselves. Folded rows have the cells of the first of them: values and costs are not the others'.
        """
        return replace(self, sections=tuple(replace(part, rows=tuple(_folded(part))) for part in self.sections))

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row for each cell, for pandas or polars.

        Columns: `section`, `row`, `column`, `code`, `action`, `gap`, `probability`, `other`, `cost`,
        `against`, and the values of `stand`, `hit`, `double`, `split`, `surrender`, None where an action is not legal.
        """
        plain = ("code", "action", "gap", "probability", "other", "cost", "against")
        return [
            {
                **{"section": section, "row": row, "column": column},
                **{name: getattr(cell, name) for name in plain},
                **{action: cell.values.get(action) for action in ACTIONS},
            }
            for section, row, column, cell in self.cells()
        ]

    def facts(self) -> list[tuple[str, ...]]:
        """Return what the chart is worth beside the best play, how it was made, and under which rules."""
        worth = {
            f"RTP by this chart ({self.play})": self.ev,
            "RTP by the best chart": self.chart_ev,
            f"RTP by {self.against}": self.against_ev,
            "RTP by the best play for the exact cards": self.best_ev,
        }
        marked, what, costs = len(self.marked()), "better", "of the cell as it is"
        if self.against is not None:
            what, costs = f"that of {self.against}", "of that code instead"
        said = f"in brackets the code that is {what}; costs: {costs}, in initial wagers a round"
        return [
            *((label, f"{1 + ev:.5%}") for label, ev in worth.items() if ev is not None),
            *([("Marked", f"{marked} cell{'s' * (marked > 1)}", said)] if marked else []),
            *raise_facts(self.raised),
            *bonus_facts(self),
            ("Insurance", insurance_words(self)),
            ("Cells", f"by {self.derived_from}", "values in initial wagers, given no dealer blackjack where he peeks"),
            *play_facts("", self.split_class)[1:],
            *rules_facts(self.rules, self.shoe),
        ]

    def _html_body(self) -> str:
        def shown(cell: Cell | None) -> tuple[str, str, str, str]:
            if cell is None:
                return coloured("")
            values = "; ".join(f"{action} {value:+.6f}" for action, value in cell.values.items())
            does = "gains" if cell.wrong else "costs"
            cost = "" if cell.cost is None else f"\n{cell.other} instead {does} {abs(cell.cost):.8f} a round"
            other = cell.against if self.against is not None else cell.other if cell.wrong else None
            return coloured(cell.code, f"\n{values}{cost}", "" if other is None else f" ({other})")

        rows = [
            (row_name(section.name, row.label), [shown(cell) for cell in row.cells])
            for section in self.sections
            for row in section.rows
        ]
        codes = {cell.code for *_, cell in self.cells()}
        other, sign = ("better", -1) if self.against is None else ("other", 1)
        marked = [
            {
                "cell": f"{row_name(section, row)} against {column}",
                "says": cell.code,
                other: cell.other,
                "costs": None if cell.cost is None else sign * cell.cost,
            }
            for section, row, column, cell in self.marked()
        ]
        grid = grid_html([column.label for column in self.columns], rows, legend(codes))
        return grid + table_html(marked)

    def to_dict(self) -> dict[str, Any]:
        """Return the chart as JSON takes it."""
        first = ("derived_from", "split_class", "shoe_can_run_out", "ev", "best_ev")
        return {
            "rules": self.rules.to_dict(),
            **{name: getattr(self, name) for name in first},
            "insurance": None if self.insurance is None else self.insurance.to_dict(),
            **insured_ten(self.insurance_against_ten),
            **({} if self.raised is None else {"raised": list(self.raised)}),
            **({"bonus_plays": [item.to_dict() for item in self.bonus_plays]} if self.bonus_plays else {}),
            "declined_even_money": None if self.declined_even_money is None else float(self.declined_even_money),
            "insurance_words": insurance_words(self),
            **{name: getattr(self, name) for name in ("play", "chart_ev", "against", "against_ev")},
            "columns": [column.label for column in self.columns],
            "column_starts": {column.label: list(column.starts) for column in self.columns},
            "cells": [
                {"section": section, "row": row, "column": column, **cell.to_dict()}
                for section, row, column, cell in self.cells()
            ],
            **({"cells_without_hands": without} if (without := self._cells_without_hands()) else {}),
        }

    def _cells_without_hands(self) -> list[dict[str, str]]:
        """Return what the strategy says where no two cards are played, so that it can be read from the JSON."""
        if self.strategy is None:
            return []
        return [
            {"section": part.name, "row": row.label, "column": column.label, "code": code}
            for part in self.sections
            for row in part.rows
            for column, cell in zip(self.columns, row.cells, strict=True)
            if cell is None and (code := self.strategy.code(part.name, row.label, column.label))
        ]


def _folded(section: Section) -> Iterator[Row]:
    """Yield the rows of a section, those that are alike and neighbours as one."""

    def says(row: Row) -> tuple[Any, ...]:
        cells = [cell and (cell.code, cell.against, cell.wrong and cell.other) for cell in row.cells]
        return row.label == PAIR_ROWS[0], row.label.split()[:-1], *cells

    for _, alike in groupby(section.rows, says):
        first, *others = alike
        if not others:
            yield first
            continue
        last = others[-1]
        # 21 has no row, and stands.
        *_, last_label = last.label.split()
        stands = last_label == HARD_ROWS[-1] and all(cell is None or cell.code == "S" for cell in first.cells)
        label = f"{first.label}+" if stands else f"{first.label}–{last_label}"
        yield Row(label, first.cells, (first.label, *(row.label for row in others)))


@dataclass(frozen=True, slots=True)
class Difference:
    """Two cards whose best play is not what the chart says for them.

    Attributes:
        player: the hand.
        dealer: the dealer's start.
        section: of the cell that holds the hand.
        row: of that cell.
        column: of that cell.
        chart: the action of that cell.
        best: the best action for these cards.
        gain: what the best action is worth more, in initial wagers given the deal, dealer blackjacks included.
        probability: of the deal.
    """

    player: str
    dealer: str
    section: str
    row: str
    column: str
    chart: str
    best: str
    gain: float
    probability: float

    def to_dict(self) -> dict[str, Any]:
        """Return the difference as JSON takes it."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class CellCost:
    """What changing one cell of a strategy does to the EV of a round.

    Attributes:
        section: of the cell.
        row: of the cell.
        column: of the cell.
        code: what the strategy says.
        other: the best other code.
        gain: EV of a round with the other code less EV with the strategy's, in initial wagers; everything else as it
            is. Positive where the cell is wrong.
    """

    section: str
    row: str
    column: str
    code: str
    other: str
    gain: float

    def to_dict(self) -> dict[str, Any]:
        """Return the cost as JSON takes it."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class _Pooled:
    """A two-card hand in a cell: its decision, and the probability of the deal."""

    weight: float
    decision: FirstDecision


def derive_chart(result: Round) -> Chart:
    """Return the chart whose cells are the best average over the two-card hands of each.

    Hard and soft totals are those of hands that are not a pair; where only a pair makes the total (hard 4 and
    20, soft 12) it is that pair, not split. Without splitting a pair counts with the other hands of its total.
    Ties go to the first of stand, hit, double, split, surrender.

    >>> from odds.results.round import analyze
    >>> from odds.game.rules import Rules
    >>> chart = derive_chart(analyze(Rules(decks=8, max_hands=2, surrender="late")))
    >>> [chart.cell("hard", "16", dealer).code for dealer in "69T"]
    ['S', 'Rh', 'Rh']
    """
    return _chart(result, DERIVED_FROM, lambda place, cell: cell)


def chart_of(
    strategy: Strategy,
    result: Round,
    best: Round,
    costs: Iterable[CellCost] = (),
    *,
    chart_ev: float | None = None,
    against: tuple[Strategy, float] | None = None,
) -> Chart:
    """Return the chart of a strategy, with the values of its cells under its own play.

    Args:
        strategy: the strategy.
        result: a round played by it, see `evaluate`.
        best: the round under the best play for the exact cards.
        costs: what the nearest other code of cells would do, see `cell_costs`.
        chart_ev: EV of a round played by the best chart, where this is another one.
        against: another strategy whose codes are to be compared, and the EV of a round played by it.
    """
    nearest = {(cost.section, cost.row, cost.column): cost for cost in costs}

    def decided(place: tuple[str, str, str], cell: Cell) -> Cell:
        code = strategy.code(*place)
        total = TOTAL_OF.get(place[:2], place[:2])
        may = sum(1 << NUMBER[action] for action in cell.values)
        of_total = code if doublings(place[0]) else strategy.code(*total, place[2])
        action = ACTIONS[resolve(code, of_total, may, result.terms.legal.doubles_split)]
        others = [value for other, value in cell.values.items() if other != action]
        gap = cell.values[action] - max(others) if others else None
        other, cost = (nearest[place].other, -nearest[place].gain) if place in nearest else (None, None)
        says = against[0].code(*place) if against else code
        differs = None if says == code else says
        return Cell(code, action, cell.values, gap, cell.probability, other, cost, differs)

    return replace(
        _chart(result, WHOLE_ROUND, decided, {section for section, _ in strategy.codes}),
        ev=result.ev,
        best_ev=best.ev,
        play=strategy.name,
        chart_ev=chart_ev,
        against=against[0].name if against else None,
        against_ev=against[1] if against else None,
        strategy=strategy,
    )


def _chart(
    result: Round,
    derived_from: str,
    decide: Callable[[tuple[str, str, str], Cell], Cell],
    shown: Collection[str] = SECTIONS,
) -> Chart:
    """Return a chart of those sections that are to be shown, as `decide` makes cells of places and averages."""
    by_start = {start.start: start for start in result.by_start}
    columns = tuple(
        group for group in played_groups(result.terms.dealer) if any(label in by_start for label in group.starts)
    )
    cells = []
    sections = [section for section in sections_of(result.terms.legal) if section in shown]
    for column in columns:
        starts = [by_start[label] for label in column.starts if label in by_start]
        found = _column_cells(result, starts)
        for section in filter(doublings, sections):
            found |= _doubled_cells(result, starts, section)
        if set(FREE_SECTIONS) & set(sections):
            found |= _free_cells(result, starts)
        cells.append({place: decide((*place, column.label), cell) for place, cell in found.items()})
    return Chart(
        result.rules,
        result.split_class,
        derived_from,
        columns,
        tuple(
            Section(name, tuple(Row(row, tuple(column.get((name, row)) for column in cells)) for row in rows))
            for name, rows in ((section, rows_of(section)) for section in sections)
        ),
        result.shoe_can_run_out,
        result.shoe,
        insurance=result.insurance,
        insurance_against_ten=result.insurance_against_ten,
        raised=result.raised,
        declined_even_money=result.declined_even_money,
    )


def row_of(hand: FirstHand, legal: Legal) -> Place:
    """Return the section and the row of a chart in which a two-card hand is looked up."""
    return PAIRS[hand.pair] if hand.pair is not None and legal.splits else place_of(hand.values)


def _column_cells(result: Round, starts: list[StartResult]) -> dict[Place, Cell]:
    """Return the cells of one column, by section and row."""
    pools: dict[Place, list[_Pooled]] = {}
    unsplit: dict[Place, list[_Pooled]] = {}
    for start in starts:
        for decision in start.decisions:
            if not decision.joint:
                continue
            pooled = _Pooled(start.probability * decision.probability, decision)
            place = row_of(decision.hand, result.terms.legal)
            pools.setdefault(place, []).append(pooled)
            if place[0] == "pairs":
                unsplit.setdefault(place_of(decision.hand.values), []).append(pooled)
    shown = _scale(result, starts[0].start)
    cells = {place: _cell(pool, ACTIONS, shown) for place, pool in pools.items()}
    for place, pool in unsplit.items():
        if place not in cells:
            cells[place] = _cell(pool, [action for action in ACTIONS if action != "split"], shown)
    return {place: cell for place, cell in cells.items() if cell is not None}


def _played(result: Round, starts: list[StartResult]) -> list[tuple[StartAnalysis, StartTable, float]]:
    """Return analyses under the play of a result, its tables, and probabilities."""
    tables = result.tables()
    return [
        (analysis, tables[analysis.start.cards], start.probability)
        for start in starts
        if (analysis := result.analysis(start.start)).start.cards in tables
    ]


def _free_cells(result: Round, starts: list[StartResult]) -> dict[Place, Cell]:
    """Return the cells of free hands of one column, by section and row, under the play of the result."""
    if not (played := _played(result, starts)):
        return {}
    shown, cells = _scale(result, starts[0].start), {}
    may = free_actions(result.terms.legal)
    values, blackjacks, number = free_averages(played)
    blackjacks = blackjacks * played[0][0].start.peeks  # without a peek they take nothing from a free hand
    for row, place in enumerate(FREE_TOTALS):
        legal = np.bitwise_or.reduce(may[total_rows() == row])
        found = {
            action: value
            for action, joint in zip(FREE_CHOICES, values[:, row].tolist(), strict=True)
            if legal >> NUMBER[action] & 1 and (value := shown(joint, float(blackjacks[row]))) is not None
        }
        if found:
            cells[place] = Cell("S", "stand", found, None, float(number[row]))
    return cells


def _doubled_cells(result: Round, starts: list[StartResult], section: str) -> dict[Place, Cell]:
    """Return the cells of doubled hands of one column, by section and row, under the play of the result."""
    if not (played := _played(result, starts)):
        return {}
    times, offered = doublings(section), played[0][0].values.offered
    size = player_hands().graph.size
    may = result.terms.legal.doubled[times - 1]
    legal = [bool((may >> NUMBER[action] & 1).any()) for action in CHOICES]
    legal[2] &= bool(offered[times * size])
    values, blackjacks, reached = averages(played, times)
    shown, cells = _scale(result, starts[0].start), {}
    for row in rows_of(section):
        at = total_row(row)
        of_row = zip(CHOICES, values[:, at].tolist(), strict=True)
        worth = {action: shown(value, float(blackjacks[at])) for action, value in of_row}
        found = {
            action: value for (action, value), ok in zip(worth.items(), legal, strict=True) if ok and value is not None
        }
        if found:
            cells[section, row] = Cell("S", "stand", found, None, float(reached[at]))
    return cells


def _scale(result: Round, dealer: str) -> Callable[[float, float], float | None]:
    """Return what makes the value shown, against a dealer's start, of a joint value and a probability of blackjack.

    It returns None where the blackjack is certain and no hand is played.
    """
    start = result.terms.dealer.parse(dealer)
    settlement = result.terms.settlement(start)

    def shown(joint: float, p_blackjack: float) -> float | None:
        if start.peeks and p_blackjack >= 1.0:
            return None
        return float(settlement.shown(joint, p_blackjack, peeks=start.peeks))

    return shown


def _cell(pool: list[_Pooled], actions: Iterable[str], shown: Callable[[float, float], float | None]) -> Cell | None:
    weight = fsum(item.weight for item in pool)

    def average(values: list[float]) -> float:
        return fsum(item.weight * value for item, value in zip(pool, values, strict=True)) / weight

    legal = [action for action in actions if all(action in item.decision.joint for item in pool)]
    joint = {action: average([item.decision.joint[action] for item in pool]) for action in legal}
    p_blackjack = average([item.decision.p_blackjack for item in pool])
    values = {}
    for action, value in joint.items():
        scaled = shown(value, p_blackjack)
        if scaled is None:
            return None
        values[action] = scaled
    action = best_action(joint)
    others = [value for other, value in values.items() if other != action]
    gap = max(values[action] - max(others), 0.0) if others else None
    return Cell(_code(action, joint), action, values, gap, weight)


def _code(action: str, values: Mapping[str, float]) -> str:
    """Return the code of an action, with the best of the others where it might not be allowed."""
    if action == "double":
        rest = {other: values[other] for other in ("stand", "hit") if other in values}
        return "D" if best_action(rest) == "hit" else "Ds"
    if action == "surrender":
        rest = {other: value for other, value in values.items() if other != "surrender"}
        return "R" + {"stand": "s", "hit": "h", "double": "d", "split": "p"}[best_action(rest)]
    return _PLAIN_CODES[action]


def differences(result: Round, chart: Chart) -> tuple[Difference, ...]:
    """Return the two-card hands whose best play differs from their cell of a chart, in its order.

    Args:
        result: the best play for the exact cards.
        chart: a chart of the same game.
    """
    by_start = {start.start: start for start in result.by_start}
    places = {(section, row, column): cell for section, row, column, cell in chart.cells()}
    order = {place: number for number, place in enumerate(places)}
    found = []
    for column in chart.columns:
        for label in column.starts:
            for decision in by_start[label].decisions if label in by_start else ():
                if not decision.joint:
                    continue
                place = (*row_of(decision.hand, result.terms.legal), column.label)
                chart_action = places[place].action if place in places else decision.action
                gain = decision.joint[decision.action] - decision.joint[chart_action]
                gain *= float(by_start[label].times)
                if gain > TIE:
                    deal = by_start[label].probability * decision.probability
                    found.append(
                        Difference(decision.hand.label, label, *place, chart_action, decision.action, gain, deal)
                    )
    return tuple(sorted(found, key=lambda item: order[item.section, item.row, item.column]))


def bonus_plays(found: Iterable[Difference], bonuses: Iterable[Bonus]) -> tuple[Difference, ...]:
    """Return those differences of two cards that are the cards of a bonus but for those still to come."""
    lines = [Counter(line.values) for line in bonuses if line.ranks]

    def possible(item: Difference) -> bool:
        cards = Counter(card.value for card in parse_cards(item.player))
        return item.best == "hit" and any(cards < line for line in lines)

    return tuple(filter(possible, found))


def bonus_facts(chart: Chart) -> list[tuple[str, str]]:
    """Return in words what a possible bonus changes about a chart, as a fact; none if nothing."""
    dealers: dict[str, list[str]] = {}
    for item in chart.bonus_plays:
        dealers.setdefault(item.player, []).append(item.dealer)
    plays = [f"{player} against {' and '.join(starts)}" for player, starts in dealers.items()]
    return [("For a bonus", f"hit {', '.join(plays)}, whatever the chart says")] if plays else []


def insurance_words(chart: Chart | Round) -> str:
    """Return when to take insurance and even money, in words, for a chart or a round of its game."""
    if chart.insurance is None:
        insured = "there is no ace for the dealer" if hand_terms(chart.rules).legal.insurance else "not offered"
    else:
        insured = _insured_words(chart.insurance, "tens")
    if chart.insurance_against_ten is not None:
        insured = f"against an ace {insured}; against a ten {_insured_words(chart.insurance_against_ten, 'aces')}"
    worth = chart.declined_even_money
    if worth is None:
        return f"{insured}; even money: not offered"
    taken = "never" if worth > 1 else "always" if worth < 1 else "makes no difference"
    return f"{insured}; even money: {taken} (declined, a blackjack is worth {fixed(worth, 4, sign=True)})"


def _insured_words(insurance: InsuranceResult, needed: str) -> str:
    by_number = insurance.by_needed
    take = [number for number, ev in by_number.items() if ev > 0]
    insured, cards = "never" if not take else "always", "two" if len(by_number) <= 3 else "four"
    if 0 < len(take) < len(by_number):
        insured = f"with {' or '.join(map(str, take))} {needed} among your {cards} cards, else never"
    return f"{insured} ({fixed(insurance.ev, 4, sign=True)} per unit insured, your cards not looked at)"


def by_cell(found: Iterable[Difference]) -> dict[tuple[str, str, str], list[Difference]]:
    """Return differences by section, row and column."""
    cells: dict[tuple[str, str, str], list[Difference]] = {}
    for item in found:
        cells.setdefault((item.section, item.row, item.column), []).append(item)
    return cells


def total_gain(found: Iterable[Difference]) -> float:
    """Return what all differences together are worth in a round, in initial wagers."""
    return fsum(item.gain * item.probability for item in found)
