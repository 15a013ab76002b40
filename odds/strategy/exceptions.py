"""Hands of three and more cards whose best play differs from their chart cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from odds._kernel import TIE
from odds.engine.actions import ACTIONS, DOUBLE, HIT, ROW, STAND, SURRENDER
from odds.engine.dealer import start_probability
from odds.engine.hands import player_hands
from odds.game.cards import format_values
from odds.results.groups import played_groups
from odds.strategy.chart import Difference
from odds.strategy.codes import doubled_section, place_of
from odds.strategy.doubled import reach_probabilities

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from odds.engine.start import StartAnalysis
    from odds.results.deals import Round
    from odds.strategy.table import Strategy


def longer_differences(best: Round, strategy: Strategy) -> tuple[Difference, ...]:
    """Return the unsplit hands of three and more cards whose best play differs, what costs most a round first.

    Args:
        best: the best play for the exact cards.
        strategy: the chart; a hand is counted as often as a player of the chart comes to it.
    """
    tables = strategy.tables(best.rules)
    dealt = {start.start: float(start.times) for start in best.by_start}
    found: list[Difference] = []
    for group in played_groups(best.terms.dealer):
        for label in group.starts:
            if label not in dealt:
                continue
            analysis = best.analysis(label)
            table = tables[analysis.start.cards]
            probability = float(start_probability(analysis.start, best.shoe))
            frequency = probability * reach_probabilities(analysis, table)
            for times, (play, reached) in enumerate(zip((table.unsplit, *table.doubled), frequency, strict=True)):
                found += _differences(analysis, dealt[label], group.label, times, play, reached)
    return tuple(sorted(found, key=lambda item: -item.gain * item.probability))


def _differences(
    analysis: StartAnalysis,
    money: float,
    column: str,
    times: int,
    play: NDArray[np.uint8],
    reached: NDArray[np.float64],
) -> Iterator[Difference]:
    """Yield the hands doubled so often, or never, that are better played otherwise.

    Args:
        analysis: the dealer's start under the best play.
        money: what is wagered against it, in initial wagers.
        column: of the chart.
        times: how often the hands were doubled.
        play: the chart's, by hand.
        reached: how often its player comes to each hand.
    """
    size, graph = len(play), player_hands().graph
    level = slice(times * size, (times + 1) * size)
    may, values = analysis.terms.legal.states()[level], analysis.values.values[:, level]
    best, other = values[STAND].copy(), np.full(size, STAND)
    for action in (HIT, DOUBLE, SURRENDER):
        legal = (may >> action & 1 != 0) & (analysis.values.offered[level] | (action != SURRENDER))
        if legal.any():
            better = legal & (values[ROW[ACTIONS[action]]] > best + TIE)
            best[better], other[better] = values[ROW[ACTIONS[action]], better], action
    rows = np.array([ROW.get(action, STAND) for action in ACTIONS])
    gains = (best - values[rows[play], np.arange(size)]) * money
    for hand in np.flatnonzero((reached > 0) & (graph.cards > 2) & (gains > TIE)).tolist():
        cards = player_hands().values(hand)
        section, row = place_of(cards)
        place = (doubled_section(times), f"{section} {row}") if times else (section, row)
        name = format_values(cards) + (f" doubled{f' {times} times' if times > 1 else ''}" if times else "")
        says, best_is = ACTIONS[play[hand]], ACTIONS[other[hand]]
        yield Difference(
            name, analysis.start.label, *place, column, says, best_is, float(gains[hand]), float(reached[hand])
        )
