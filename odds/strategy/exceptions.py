"""Hands of three and more cards whose best play differs from their chart cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from odds._kernel import HIT, TIE
from odds.engine.dealer import start_probability
from odds.engine.decisions import stands_by_itself
from odds.engine.hands import N_VALUES, player_hands
from odds.engine.player import HIT_ROW, STAND_ROW
from odds.game.cards import format_values
from odds.results.round import first_hands
from odds.results.starts import start_groups
from odds.strategy.chart import Difference
from odds.strategy.table import place_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from odds.engine.decisions import StartAnalysis
    from odds.engine.play import StartTable
    from odds.results.round import RoundResult
    from odds.strategy.table import Strategy


def longer_differences(best: RoundResult, strategy: Strategy) -> tuple[Difference, ...]:
    """Return the unsplit hands of three and more cards whose best play differs, what costs most a round first.

    Args:
        best: the best play for the exact cards.
        strategy: the chart; a hand is counted as often as a player of the chart comes to it.
    """
    tables = strategy.tables(best.rules)
    graph = player_hands().graph
    found = []
    for group in start_groups(best.rules):
        for label in group.starts:
            if label not in {start.start for start in best.by_start}:
                continue
            analysis = best.analysis(label)
            if analysis.start.is_blackjack:
                continue
            table = tables[analysis.start.cards]
            frequency = float(start_probability(analysis.start, best.shoe)) * reach_probabilities(analysis, table)
            values = analysis.values.values
            hits = table.unsplit == HIT
            gains = np.where(hits, values[STAND_ROW] - values[HIT_ROW], values[HIT_ROW] - values[STAND_ROW])
            for hand in np.flatnonzero((graph.cards > 2) & (frequency > 0) & (gains > TIE)).tolist():
                if stands_by_itself(hand, best.rules):
                    continue
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
    graph, pairs = player_hands().graph, player_hands().pairs
    counts = np.array(analysis.shoe.counts, dtype=np.float64)
    total = analysis.shoe.total
    probability = np.zeros(graph.size)

    for hand in first_hands(analysis.shoe, analysis.rules):
        if table.first.get((hand.index, hand.pair is not None)) == "hit":
            probability[pairs[hand.values]] += float(hand.ways / (total * (total - 1)))
    hits = table.unsplit == HIT
    left = np.maximum(counts[None, :] - graph.counts, 0.0)
    for cards in range(2, 22):
        drawing = np.flatnonzero((graph.cards == cards) & (probability > 0) & (hits | (cards == 2)))
        for value in range(N_VALUES):
            reached = graph.next_hand[drawing, value]
            there = reached >= 0
            share = left[drawing, value] / max(total - cards, 1)
            np.add.at(probability, reached[there], (probability[drawing] * share)[there])
    probability[graph.cards <= 2] = 0.0
    return probability
