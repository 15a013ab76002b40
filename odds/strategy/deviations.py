"""What a known card changes: effects of removal on the game and on its chart, and exceptions to the chart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from odds.game.cards import RANKS
from odds.game.catalog import rules_of, shoe_or_full
from odds.game.shoe import Shoe
from odds.game.subject import rules_facts
from odds.parallel import tell
from odds.results.round import analyze
from odds.shown import Shown
from odds.strategy.chart import Chart, Difference, by_cell, chart_of, differences
from odds.strategy.search import search
from odds.strategy.table import evaluate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from odds.game.catalog import AnyGame
    from odds.game.rules import Rules
    from odds.parallel import Progress


@dataclass(frozen=True, slots=True)
class CellDeviation:
    """What known cards change about one cell of a chart.

    Attributes:
        section: of the cell.
        row: of the cell.
        column: of the cell.
        code: what the chart says.
        action: its first action.
        other: the action that comes nearest by the cell's averages.
        gap: average value of `action` less that of `other` over the two-card hands of the cell, in initial wagers;
            given no dealer blackjack where he peeks.
        effects: by card, what taking one of it out of the shoe adds to the gap, the chart being played as it is.
        exceptions: two-card hands of the cell whose best play differs.
    """

    section: str
    row: str
    column: str
    code: str
    action: str
    other: str
    gap: float
    effects: Mapping[str, float]
    exceptions: tuple[Difference, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the deviation as JSON takes it."""
        plain = ("section", "row", "column", "code", "action", "other", "gap")
        return {
            **{name: getattr(self, name) for name in plain},
            "effects": dict(self.effects),
            "exceptions": [item.to_dict() for item in self.exceptions],
        }


@dataclass(frozen=True, slots=True, repr=False)
class Deviations(Shown):
    """Effects of removal.

    Attributes:
        rules: the rules.
        ev: EV of a round from the full shoe under the best play for the exact cards (split class cdp1).
        effects: by card, what taking one of it out of the shoe adds to that EV, the play being the best for the new
            shoe.
        cells: the cells of the best chart, the closest first.
        shoe: the full shoe.
    """

    rules: Rules
    ev: float
    effects: Mapping[str, float]
    cells: tuple[CellDeviation, ...]
    shoe: Shoe

    def to_dict(self) -> dict[str, Any]:
        """Return the effects as JSON takes them."""
        return {"ev": self.ev, "effects": dict(self.effects), "cells": [cell.to_dict() for cell in self.cells]}

    def facts(self) -> list[tuple[str, ...]]:
        """Return what one card less does to the game, the unit, and the rules."""
        effects = " ".join(f"{card} {effect:+.6f}" for card, effect in self.effects.items())
        return [
            ("EV", f"{self.ev:+.10f} initial wagers a round", "by the best play for the exact cards (cdp1)"),
            ("One card less adds", effects),
            ("Unit", "initial wagers", "gap and effects of a cell: averages over its two-card hands"),
            *rules_facts(self.rules, self.shoe),
        ]

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row for each cell, for pandas or polars: its place, code, gap, and an effect for each card."""
        return [
            {
                **{k: v for k, v in cell.to_dict().items() if k not in ("effects", "exceptions")},
                "exceptions": " ".join(item.player for item in cell.exceptions),
                **{f"effect_{card}": effect for card, effect in cell.effects.items()},
            }
            for cell in self.cells
        ]


def deviations(rules: AnyGame, *, shoe: Shoe | None = None, progress: Progress | None = None) -> Deviations:
    """Return effects of removal on the game and on the cells of its best chart.

    Args:
        rules: the rules, or the game that has them, also by its name or file.
        shoe: the cards before the deal; `rules.decks` full decks if left out.
        progress: called with the share done, from 0 to 1.
    """
    rules = rules_of(rules)
    full = shoe_or_full(shoe, rules)
    strategy = search(rules, shoe=full).strategy
    best = analyze(rules, shoe=full)

    def chart(of: Shoe) -> Chart:
        played = evaluate(rules, strategy, shoe=of)
        return chart_of(strategy, played, played)

    base = chart(full)
    effects: dict[str, float] = {}
    gaps: dict[tuple[str, str, str], dict[str, float]] = {}
    pairs = {(s, r, c): _nearest(cell.action, cell.values) for s, r, c, cell in base.cells()}
    for value, card in enumerate(RANKS):
        if full.counts[value]:
            less = full.without([value])
            effects[card] = analyze(rules, shoe=less).ev - best.ev
            for section, row, column, cell in chart(less).cells():
                place = (section, row, column)
                other = pairs.get(place)
                action = base.cell(*place)
                if other is not None and action is not None and {other, action.action} <= cell.values.keys():
                    gaps.setdefault(place, {})[card] = cell.values[action.action] - cell.values[other]
        tell(progress, (value + 1) / len(RANKS))
    exceptions = by_cell(differences(best, base))
    cells = []
    for section, row, column, cell in base.cells():
        place = (section, row, column)
        nearest = pairs[place]
        if nearest is not None:
            gap = cell.values[cell.action] - cell.values[nearest]
            changes = {card: value - gap for card, value in gaps.get(place, {}).items()}
            found = tuple(exceptions.get(place, ()))
            cells.append(CellDeviation(*place, cell.code, cell.action, nearest, gap, changes, found))
    return Deviations(rules, best.ev, effects, tuple(sorted(cells, key=lambda item: abs(item.gap))), full)


def _nearest(action: str, values: Mapping[str, float]) -> str | None:
    others = [other for other in values if other != action]
    return max(others, key=lambda other: values[other]) if others else None
