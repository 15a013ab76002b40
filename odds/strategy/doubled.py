"""Hands that were doubled, and free ones of a split, in charts: how often they are come to, and what they are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from odds._kernel import TIE
from odds.engine.actions import DOUBLE, HIT, ROW
from odds.engine.hands import N_VALUES, player_hands
from odds.engine.split_weights import split_weights
from odds.engine.splitting import split_hands
from odds.results.deals import first_hands
from odds.strategy.codes import TOTALS, total_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from odds.engine.legal import Legal
    from odds.engine.play import StartTable
    from odds.engine.start import StartAnalysis
    from odds.game.shoe import Shoe

# What can be done with a doubled hand.
CHOICES = ("stand", "double", "surrender")
# What can be done with a free one.
FREE_CHOICES = ("stand", "hit", "double")


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


def chances(analysis: StartAnalysis, least: int = 3) -> NDArray[np.float64]:
    """Return by hand of so many cards at least a weight that falls as its cards are more, and rarer in the shoe."""
    graph = player_hands().graph
    shares = np.array(analysis.shoe.counts) / (10 * analysis.shoe.total)
    return np.where(graph.cards >= least, np.prod(shares**graph.counts, axis=1), 0.0)


def by_total(
    analysis: StartAnalysis, level: int, weights: NDArray[np.float64], choices: Sequence[str] = CHOICES
) -> NDArray[np.float64]:
    """Return by what is done with hands of a level (`Legal.levels`), and by row of `TOTALS`, sums of weighted values.

    Values are those of `StartValues`; weights are by hand.
    """
    size = player_hands().graph.size
    values = analysis.values.values[[ROW[action] for action in choices], level * size : (level + 1) * size]
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
    reached = [probability * reach_probabilities(analysis, table)[times] for analysis, table, probability in starts]
    come_to = _by_row(np.sum(reached, axis=0))
    values, blackjacks, weighed = np.zeros((len(CHOICES), len(come_to))), np.zeros(len(come_to)), np.zeros(len(come_to))
    for (analysis, _, probability), reach in zip(starts, reached, strict=True):
        weights = np.where(come_to[total_rows()] > 0, reach, probability * chances(analysis))
        values += by_total(analysis, times, weights)
        blackjacks += _by_row(weights * _hidden(analysis, weights))
        weighed += _by_row(weights)
    weighed[weighed == 0] = 1.0
    return values / weighed, blackjacks / weighed, come_to


def free_actions(legal: Legal) -> NDArray[np.uint8]:
    """Return by hand of two cards and more what may be done with it as a free one of any split."""
    graph = player_hands().graph
    found = np.zeros(graph.size, dtype=np.uint8)
    for pair in legal.free_pairs:
        holds = (graph.counts[:, pair] > 0) & (graph.cards > 1)
        found[holds] |= legal.states(pair).reshape(-1, graph.size)[legal.free_level][holds]
    return found


def split_stages(
    shoe: Shoe, legal: Legal, pair: int
) -> dict[tuple[int, int], tuple[NDArray[np.int32], NDArray[np.float64]]]:
    """Return the two-card hands of a split and their weights, by the number of pair cards gone and level.

    Args:
        shoe: without the dealer's start.
        legal: what may be done.
        pair: the pair card.
    """
    every = split_weights([shoe], legal, [pair])[0, :, :, 0]
    levels = {0: every}
    if pair in legal.free_pairs:
        first = split_weights([shoe], legal, [pair], first=True)[0, :, :, 0]
        own = np.pad(first, ((0, len(every) - len(first)), (0, 0)))
        levels = {0: own, legal.free_level or 0: every - own}
    found = {}
    for extra in range(len(every)):
        for level, weights in levels.items():
            seconds = np.flatnonzero(weights[extra])
            if len(seconds):
                found[extra, level] = player_hands().two_cards[pair, seconds], weights[extra, seconds]
    return found


def free_averages(
    starts: Sequence[tuple[StartAnalysis, StartTable, float]],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return what `averages` does of free hands of a split, by stand, hit and double.

    Averages are over hands of two cards that may be hit, as the splits of the tables deal them; in rows without any,
    over all hands as if they were none of a split. The last array is how many there are in a round.

    Args:
        starts: see `averages`.
    """
    legal, size = starts[0][0].terms.legal, player_hands().graph.size
    values, blackjacks, number = np.zeros((len(FREE_CHOICES), len(TOTALS) + 1)), *np.zeros((2, len(TOTALS) + 1))
    for analysis, table, probability in starts:
        share = probability / (analysis.shoe.total * (analysis.shoe.total - analysis.shoe.step))
        for hand in first_hands(analysis.shoe, legal):
            pair, dealt = hand.pair, share * float(hand.ways)
            if pair is None or pair not in legal.free_pairs or table.first.get((hand.index, True)) != "split":
                continue
            rows = split_hands(analysis.values, pair, analysis.split_class, table.states(legal, pair)).rows
            for (extra, level), (hands, shares) in split_stages(analysis.shoe, legal, pair).items():
                at = level * size + hands
                weights = np.where(legal.states(pair)[at] >> HIT & 1, dealt * shares, 0.0)
                if level and weights.any():
                    hidden = [analysis.values.p_blackjack(hand, extra, pair) for hand in hands.tolist()]
                    for out, of in ((number, 1.0), (blackjacks, np.array(hidden))):
                        np.add.at(out, total_rows()[hands], weights * of)
                    for out, action in zip(values, FREE_CHOICES, strict=True):
                        np.add.at(out, total_rows()[hands], weights * rows[extra][ROW[action], at])
    weighed = number.copy()
    there = number[total_rows()] > TIE
    for analysis, _, probability in starts:
        weights = np.where(there, 0.0, probability * chances(analysis, 2))
        values += by_total(analysis, legal.free_level or 0, weights, FREE_CHOICES)
        blackjacks += _by_row(weights * _hidden(analysis, weights))
        weighed += _by_row(weights)
    weighed[weighed == 0] = 1.0
    return values / weighed, blackjacks / weighed, number


def _hidden(analysis: StartAnalysis, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probability of a hidden blackjack by hand, of those that have a weight."""
    found = np.zeros(len(weights))
    hands = np.flatnonzero(weights > 0)
    found[hands] = [analysis.values.p_blackjack(hand) for hand in hands.tolist()]
    return found


def _by_row(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.bincount(total_rows(), weights, len(TOTALS) + 1).astype(np.float64, copy=False)
