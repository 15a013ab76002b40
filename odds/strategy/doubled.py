"""Hands that were doubled, in charts: how often they are come to, and what can be done with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from odds.engine.actions import DOUBLE, HIT, ROW
from odds.engine.hands import N_VALUES, player_hands
from odds.results.deals import first_hands
from odds.strategy.codes import TOTALS, total_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from odds.engine.play import StartTable
    from odds.engine.start import StartAnalysis

# What can be done with a doubled hand.
CHOICES = ("stand", "double", "surrender")


def reach_probabilities(analysis: StartAnalysis, table: StartTable) -> NDArray[np.float64]:
    """Return by doublings and hand the probability that a player of a table comes to it unsplit, given the start.

    Of hands of three cards and more. Dealer blackjacks are not left out: a round that a peek ends counts as if it were
    played.
    """
    graph, pairs = player_hands().graph, player_hands().two_cards
    total, step = analysis.shoe.total, analysis.shoe.step
    left = np.maximum(np.array(analysis.shoe.counts, dtype=np.float64) - step * graph.counts, 0.0)
    plays = [table.unsplit, *table.doubled]
    probability = np.zeros((len(plays), graph.size))
    first = {"hit": np.zeros(graph.size), "double": np.zeros(graph.size)}
    for hand in first_hands(analysis.shoe, analysis.terms.legal):
        action = table.first.get((hand.index, hand.pair is not None), "stand")
        if action in first:
            first[action][pairs[hand.values]] += float(hand.ways / (total * (total - step)))

    def draw(weights: NDArray[np.float64], to: NDArray[np.float64]) -> None:
        for value in range(N_VALUES):
            hands = np.flatnonzero((weights > 0) & (graph.next_hand[:, value] >= 0))
            share = left[hands, value] / np.maximum(total - step * graph.cards[hands].astype(np.int64), 1)
            np.add.at(to, graph.next_hand[hands, value], weights[hands] * share)

    draw(first["hit"], probability[0])
    if len(plays) > 1:
        draw(first["double"], probability[1])
    for cards in range(3, 22):
        for level, play in enumerate(plays):
            here = np.where(graph.cards == cards, probability[level], 0.0)
            if level == 0:
                draw(np.where(play == HIT, here, 0.0), probability[0])
            if level + 1 < len(plays):
                draw(np.where(play == DOUBLE, here, 0.0), probability[level + 1])
    return probability


def chances(analysis: StartAnalysis) -> NDArray[np.float64]:
    """Return by hand of three cards or more a weight that falls as its cards are more, and rarer in the shoe."""
    graph = player_hands().graph
    shares = np.array(analysis.shoe.counts) / (10 * analysis.shoe.total)
    return np.where(graph.cards > 2, np.prod(shares**graph.counts, axis=1), 0.0)


def by_total(analysis: StartAnalysis, times: int, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return for hands doubled so often, by what is done and by row of `TOTALS`, the sum of weights times values.

    Values are those of `StartValues`; weights are by hand.
    """
    size = player_hands().graph.size
    values = analysis.values.values[[ROW[action] for action in CHOICES], times * size : (times + 1) * size]
    return np.array([_by_row(weights * of_action) for of_action in values])


def averages(
    starts: Sequence[tuple[StartAnalysis, StartTable, float]], times: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return what `by_total` does as averages, the probabilities of a hidden blackjack, and of the hands, by row.

    Averages are over hands as a player of the tables comes to them unsplit; over all hands where he never does.

    Args:
        starts: of a column: analysis under the play, table and probability.
        times: how often the hands were doubled.
    """
    graph = player_hands().graph
    reached = [probability * reach_probabilities(analysis, table)[times] for analysis, table, probability in starts]
    come_to = _by_row(np.sum(reached, axis=0))
    values, blackjacks, weighed = np.zeros((len(CHOICES), len(come_to))), np.zeros(len(come_to)), np.zeros(len(come_to))
    for (analysis, _, probability), reach in zip(starts, reached, strict=True):
        weights = np.where(come_to[total_rows()] > 0, reach, probability * chances(analysis))
        hands = np.flatnonzero(weights > 0)
        hidden = np.zeros(graph.size)
        hidden[hands] = [analysis.values.p_blackjack(hand) for hand in hands.tolist()]
        values += by_total(analysis, times, weights)
        blackjacks += _by_row(weights * hidden)
        weighed += _by_row(weights)
    weighed[weighed == 0] = 1.0
    return values / weighed, blackjacks / weighed, come_to


def _by_row(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.bincount(total_rows(), weights, len(TOTALS) + 1).astype(np.float64, copy=False)
