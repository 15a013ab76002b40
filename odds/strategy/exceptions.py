"""Hands of three and more cards whose best play differs from their chart cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from odds._kernel import TIE
from odds.engine.actions import HIT, STAND
from odds.engine.dealer import start_probability
from odds.engine.hands import N_VALUES, player_hands
from odds.game.cards import format_values
from odds.results.deals import first_hands
from odds.results.groups import played_groups
from odds.strategy.chart import Difference
from odds.strategy.codes import place_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from odds.engine.play import StartTable
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
    graph = player_hands().graph
    longer = (graph.cards > 2) & ~best.terms.legal.finished
    dealt = {start.start for start in best.by_start}
    found = []
    for group in played_groups(best.terms.dealer):
        for label in group.starts:
            if label not in dealt:
                continue
            analysis = best.analysis(label)
            table = tables[analysis.start.cards]
            frequency = float(start_probability(analysis.start, best.shoe)) * reach_probabilities(analysis, table)
            values = analysis.values.values
            hits = table.unsplit == HIT
            gains = np.where(hits, values[STAND] - values[HIT], values[HIT] - values[STAND])
            for hand in np.flatnonzero(longer & (frequency > 0) & (gains > TIE)).tolist():
                cards = player_hands().values(hand)
                chart, other = ("hit", "stand") if hits[hand] else ("stand", "hit")
                found.append(
                    Difference(
                        format_values(cards),
                        label,
                        *place_of(cards),
                        group.label,
                        chart,
                        other,
                        float(gains[hand]),
                        float(frequency[hand]),
                    )
                )
    return tuple(sorted(found, key=lambda item: -item.gain * item.probability))


def reach_probabilities(analysis: StartAnalysis, table: StartTable) -> NDArray[np.float64]:
    """Return by hand the probability that a player of a table comes to it unsplit, given the dealer's start.

    Dealer blackjacks are not left out: a round that a peek ends counts as if it were played.
    """
    graph, pairs = player_hands().graph, player_hands().two_cards
    counts = np.array(analysis.shoe.counts, dtype=np.float64)
    total, step = analysis.shoe.total, analysis.shoe.step
    probability = np.zeros(graph.size)

    for hand in first_hands(analysis.shoe, analysis.terms.legal):
        if table.first.get((hand.index, hand.pair is not None)) == "hit":
            probability[pairs[hand.values]] += float(hand.ways / (total * (total - step)))
    hits = table.unsplit == HIT
    left = np.maximum(counts[None, :] - step * graph.counts, 0.0)
    for cards in range(2, 22):
        drawing = np.flatnonzero((graph.cards == cards) & (probability > 0) & (hits | (cards == 2)))
        for value in range(N_VALUES):
            reached = graph.next_hand[drawing, value]
            there = reached >= 0
            share = left[drawing, value] / max(total - step * cards, 1)
            np.add.at(probability, reached[there], (probability[drawing] * share)[there])
    probability[graph.cards <= 2] = 0.0
    return probability
