"""Splits played on everything seen: the split class `full`, for one split (two hands).

The first hand is played knowing the pair card, what the dealer shows and, where both hands get their second card at
once, the second card of the other hand. The second hand is then played knowing every card of the first. So the first
hand, ended with the cards h, is worth what it wins itself, given all that is known then, and the best value of the
second hand with h gone. What is still in the shoe is exchangeable, so that the first hand's own value does not depend
on what the second hand draws later. Where the shoe can run out that does not hold, and the result says so.

Two things keep this fast. Dealer probabilities are needed for each set of cards gone only once, however the two hands
share it; which sets there are does not depend on the dealer's start, so several starts are valued side by side. And
nobody stands on a hard hand of at most 11, or needs the dealer's probabilities there: one card more cannot bust it,
makes its total higher whatever the card, and only adds to what is known when the second hand is played; a payoff never
falls as the total rises, and drawing does not change how the dealer's hand ends on average.
"""

from __future__ import annotations

from functools import lru_cache
from math import fsum
from typing import TYPE_CHECKING

import numpy as np

from odds._kernel import FULL_FLAGS, FULL_KINDS, FULL_STARTS, FullSplit
from odds.engine.dealer import dealer_trie
from odds.engine.decisions import stands_by_itself
from odds.engine.hands import N_VALUES, player_hands
from odds.engine.player import kernel_settings, tied_blackjack
from odds.engine.splitting import (
    SplitValue,
    draws_after_split,
    hands_of_split,
    is_split_blackjack,
    may_double_split,
    shoe_can_run_out,
)
from odds.errors import ShoeError
from odds.game.cards import RANKS
from odds.numbers.arithmetic import tabulate
from odds.parallel import run_threads

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from odds.engine.decisions import StartAnalysis
    from odds.game.rules import Rules

    Progress = Callable[[float], None]

_LOW = 11  # no card busts a hard hand of so much
_MOST = 63  # the kernel's largest count of a card
_NO_PLAY = np.empty(0, dtype=np.uint8)


@lru_cache(maxsize=1)
def _hands_of_split(rules: Rules, pair: int, counts: tuple[int, ...]) -> FullSplit:
    """Return the hands of a split of a pair, and the shoes that two of them leave.

    Args:
        rules: the rules.
        pair: value index of the pair card.
        counts: the cards of each value in the shoe before the deal.
    """
    graph, flag = player_hands().graph, FULL_FLAGS
    hard = _hard_totals()
    fits: NDArray[np.bool_] = np.all(graph.counts <= np.array(counts), axis=1)
    draws, may_double = draws_after_split(rules, pair), may_double_split(rules, pair)
    stands_low = shoe_can_run_out(counts, rules)
    flags = np.zeros(graph.size, dtype=np.uint8)
    kind = np.maximum(graph.total.astype(np.int64) - 16, 0)
    reached = np.zeros(graph.size, dtype=bool)
    reached[player_hands().pairs[pair]] = True
    reached &= fits
    # By hard total, ascending: a hand is looked at after all that lead to it.
    for hand in range(graph.size - 1, -1, -1):
        if not reached[hand]:
            continue
        finished, two_cards = stands_by_itself(hand, rules), graph.cards[hand] == 2
        if is_split_blackjack(hand, rules):
            finished, kind[hand] = True, FULL_KINDS["blackjack"]
        elif rules.charlie is not None and graph.cards[hand] >= rules.charlie:
            kind[hand] = FULL_KINDS["charlie"]
        if finished or graph.soft[hand] or hard[hand] > _LOW or stands_low:
            flags[hand] |= flag["stands"] | flag["numbered"]
        if two_cards:
            flags[hand] |= flag["numbered"]
        if finished:
            continue
        following = [int(n) for n in graph.next_hand[hand] if n >= 0 and fits[n]]
        if draws:
            flags[hand] |= flag["draws"]
            reached[following] = True
        if two_cards and may_double[hand]:
            flags[hand] |= flag["doubles"]
            reached[following] = True
            flags[following] |= flag["doubled"] | flag["numbered"]
    hands = np.flatnonzero(reached)
    limits = np.minimum(np.array(counts), _MOST).astype(np.uint8)
    return _numbered(pair, hands, flags[hands], kind[hands].astype(np.uint8), limits)


def _hard_totals() -> NDArray[np.int64]:
    """Return by hand its total, aces counted as 1."""
    totals: NDArray[np.int64] = player_hands().graph.counts.astype(np.int64) @ np.arange(1, N_VALUES + 1)
    return totals


def _numbered(
    pair: int, hands: NDArray[np.int64], flags: NDArray[np.uint8], kind: NDArray[np.uint8], limits: NDArray[np.uint8]
) -> FullSplit:
    """Return the hands as the kernel takes them, numbered among themselves, and the ways in which hand 1 can end."""
    graph = player_hands().graph
    here = np.full(graph.size + 1, -1, dtype=np.int32)
    here[hands] = np.arange(len(hands))
    counts = np.ascontiguousarray(graph.counts[hands])
    fitting = np.minimum(N_VALUES, 21 - _hard_totals()[hands]).astype(np.uint8)
    ends_here = (flags & (FULL_FLAGS["stands"] | FULL_FLAGS["doubled"])) > 0
    terminal = np.where(ends_here, np.cumsum(ends_here) - 1, -1).astype(np.int32)
    n_standing = int(ends_here.sum())
    busts = np.full((len(hands), N_VALUES), -1, dtype=np.int32)
    busted: dict[bytes, int] = {}
    for hand in np.flatnonzero(flags & (FULL_FLAGS["draws"] | FULL_FLAGS["doubles"])).tolist():
        for value in range(fitting[hand], N_VALUES):
            if counts[hand, value] < limits[value]:
                cards = counts[hand].copy()
                cards[value] += 1
                busts[hand, value] = busted.setdefault(cards.tobytes(), n_standing + len(busted))
    second = np.full(len(hands), -1, dtype=np.int8)
    for value, hand in enumerate(here[player_hands().pairs[pair]].tolist()):
        if hand >= 0:
            second[hand] = value
    return FullSplit(
        pair,
        counts,
        np.ascontiguousarray(here[graph.next_hand[hands]]),  # -1 finds the last place, which holds -1
        fitting,
        kind,
        flags,
        second,
        terminal,
        busts,
        np.concatenate([counts[ends_here], np.frombuffer(b"".join(busted), dtype=np.uint8).reshape(-1, N_VALUES)]),
        np.concatenate([kind[ends_here], np.full(len(busted), FULL_KINDS["bust"], dtype=np.uint8)]),
        limits,
    )


def full_splits(analyses: Sequence[StartAnalysis], pair: int) -> list[SplitValue]:
    """Return what a split of a pair is worth against some dealer starts of one game, every card seen being used.

    Args:
        analyses: the starts, all under the same rules and from the same shoe.
        pair: value index of the pair, of which each shoe holds two.

    Raises:
        ShoeError: a shoe is too small.
    """
    splits: list[SplitValue] = []
    for block in _blocks(analyses):
        splits.extend(_block(block, pair))
    return splits


def _blocks(analyses: Sequence[StartAnalysis]) -> Iterator[Sequence[StartAnalysis]]:
    for first in range(0, len(analyses), FULL_STARTS):
        yield analyses[first : first + FULL_STARTS]


def _block(analyses: Sequence[StartAnalysis], pair: int) -> list[SplitValue]:
    rules = analyses[0].rules
    shoe, start = analyses[0].shoe, analyses[0].start
    counts = tuple(n + start.cards.count(value) for value, n in enumerate(shoe.counts))
    hands = _hands_of_split(rules, pair, counts)
    in_turn = rules.split_deal == "in-turn"
    blackjack = [
        (
            float(rules.blackjack_pays),
            0.0 if analysis.start.blackjack_costs_once else float(tied_blackjack(rules)),
            float(analysis.start.peeks),
        )
        for analysis in analyses
    ]
    numbers = [tabulate(analysis.shoe.counts) for analysis in analyses]
    values, wagers = hands.values(
        [dealer_trie(analysis.start.cards, rules.dealer_hits_soft_17) for analysis in analyses],
        [(item.cards, item.inverse, item.small) for item in numbers],
        np.array([kernel_settings(rules, analysis.start, analysis.shoe.total) for analysis in analyses]),
        np.array(blackjack),
        in_turn,
    )
    splits = []
    for i, analysis in enumerate(analyses):
        weights = list(_second_cards(analysis.shoe.counts, pair, in_turn))
        value = fsum(weight * values[i, x, y] for x, y, weight in weights)
        wager = fsum(weight * wagers[i, x, y] for x, y, weight in weights)
        _check(analysis, pair, value)
        splits.append(SplitValue(value, wager, _NO_PLAY))
    return splits


def _check(analysis: StartAnalysis, pair: int, value: float) -> None:
    """Refuse the value of a split that cannot be, as in a shoe that runs out.

    Raises:
        ShoeError: there are too few cards for both hands, or their value is out of range. Neither happens in a shoe
            that cannot run out; in one that might, a value within range is shown, and flagged.
    """
    most_won = 2 * max(2.0, float(analysis.rules.blackjack_pays))
    second_cards = analysis.shoe.total - 2 - analysis.start.hole_card_dealt
    if second_cards < 2 or not abs(value) <= most_won + 1e-9:
        raise ShoeError(
            f"the shoe is too small to split {RANKS[pair]},{RANKS[pair]}: it runs out within the round, and the hands "
            f"of a split do not add up then; {analysis.shoe.total} cards are left beside the dealer's"
        )


def _second_cards(counts: Sequence[int], pair: int, in_turn: bool) -> Iterator[tuple[int, int, float]]:
    """Yield the second cards of both hands (of hand 1, and 0, if they are dealt in turn) and their probability."""
    left = list(counts)
    left[pair] -= 2
    total = sum(left)
    for x in range(N_VALUES):
        if left[x] <= 0:
            continue
        if in_turn:
            yield x, 0, left[x] / total
            continue
        for y in range(N_VALUES):
            ways = left[x] * (left[y] - (x == y))
            if ways > 0:
                yield x, y, ways / (total * (total - 1))


def full_pairs(analyses: Iterable[StartAnalysis]) -> Iterator[tuple[int, list[StartAnalysis]]]:
    """Yield each pair value that may be split, and the starts against which the player may hold it."""
    analyses = [analysis for analysis in analyses if not analysis.start.is_blackjack]
    for pair in range(N_VALUES):
        against = [
            analysis
            for analysis in analyses
            if analysis.shoe.counts[pair] >= 2 and hands_of_split(analysis.rules, pair) > 1
        ]
        if against:
            yield pair, against


def solve(
    analyses: Iterable[StartAnalysis], progress: Progress | None = None, threads: int = 1
) -> Iterator[tuple[StartAnalysis, int, SplitValue]]:
    """Yield the value of every split of a game against every dealer start.

    Args:
        analyses: the starts.
        progress: called with the share that is done, from 0 to 1.
        threads: how many threads work on it; the values do not depend on it.
    """
    work = [(pair, block) for pair, against in full_pairs(analyses) for block in _blocks(against)]
    solved = run_threads(lambda item: _block(item[1], item[0]), work, threads, progress)
    for (pair, block), splits in zip(work, solved, strict=True):
        for analysis, split in zip(block, splits, strict=True):
            yield analysis, pair, split
