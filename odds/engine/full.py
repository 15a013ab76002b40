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
from itertools import groupby
from math import fsum
from typing import TYPE_CHECKING

import numpy as np

from odds._kernel import FULL_FLAGS, FULL_STARTS, FullSplit
from odds.engine.actions import DOUBLE, HIT
from odds.engine.hands import N_VALUES, player_hands
from odds.engine.splitting import SplitValue, check_split, shoe_can_run_out
from odds.errors import RulesError
from odds.numbers.arithmetic import DOUBLES, tabulate
from odds.parallel import run_threads

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from odds.engine.dealer import DealerStart
    from odds.engine.terms import Terms
    from odds.game.shoe import Shoe
    from odds.parallel import Progress

    # A dealer start, and the shoe without it.
    Start = tuple[DealerStart, Shoe]

_LOW = 11  # no card busts a hard hand of so much
_MOST = 63  # the kernel's largest count of a card
_NO_PLAY = np.empty(0, dtype=np.uint8)


@lru_cache(maxsize=1)
def _hands_of_split(terms: Terms, pair: int, counts: tuple[int, ...]) -> FullSplit:
    """Return the hands of a split of a pair, and the shoes that two of them leave.

    Args:
        terms: the rules, read.
        pair: value index of the pair card.
        counts: the cards of each value in the shoe before the deal.
    """
    graph, flag = player_hands().graph, FULL_FLAGS
    legal, kinds = terms.legal.after_split[pair], terms.pays.kind_after_split
    hard = _hard_totals()
    fits: NDArray[np.bool_] = np.all(graph.counts <= np.array(counts), axis=1)
    stands_low = shoe_can_run_out(counts, terms.legal.most_hands)
    flags = np.zeros(graph.size, dtype=np.uint8)
    reached = np.zeros(graph.size, dtype=bool)
    reached[player_hands().two_cards[pair]] = True
    reached &= fits
    # By hard total, ascending: a hand is looked at after all that lead to it.
    for hand in range(graph.size - 1, -1, -1):
        if not reached[hand]:
            continue
        draws, doubles = legal[hand] >> HIT & 1, legal[hand] >> DOUBLE & 1
        if not (draws or doubles) or graph.soft[hand] or hard[hand] > _LOW or stands_low:
            flags[hand] |= flag["stands"] | flag["numbered"]
        if graph.cards[hand] == 2:
            flags[hand] |= flag["numbered"]
        following = [int(n) for n in graph.next_hand[hand] if n >= 0 and fits[n]]
        if draws:
            flags[hand] |= flag["draws"]
            reached[following] = True
        if doubles:
            flags[hand] |= flag["doubles"]
            reached[following] = True
            flags[following] |= flag["doubled"] | flag["numbered"]
    hands = np.flatnonzero(reached)
    limits = np.minimum(np.array(counts), _MOST).astype(np.uint8)
    return _numbered(pair, hands, flags[hands], kinds[hands], terms.pays.bust, limits)


def _hard_totals() -> NDArray[np.int64]:
    """Return by hand its total, aces counted as 1."""
    totals: NDArray[np.int64] = player_hands().graph.counts.astype(np.int64) @ np.arange(1, N_VALUES + 1)
    return totals


def _numbered(
    pair: int,
    hands: NDArray[np.int64],
    flags: NDArray[np.uint8],
    kind: NDArray[np.uint8],
    bust: int,
    limits: NDArray[np.uint8],
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
    for value, hand in enumerate(here[player_hands().two_cards[pair]].tolist()):
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
        np.concatenate([kind[ends_here], np.full(len(busted), bust, dtype=np.uint8)]),
        limits,
    )


def full_splits(starts: Sequence[Start], terms: Terms, pair: int) -> list[SplitValue]:
    """Return what a split of a pair is worth against some dealer starts of one game, every card seen being used.

    Args:
        starts: the starts, all from the same shoe.
        terms: the rules, read.
        pair: value index of the pair, of which each shoe holds two.

    Raises:
        ShoeError: a shoe is too small.
    """
    refuse_levels(terms)
    return [split for block in _blocks(starts, terms) for split in _block(block, terms, pair)]


def not_computed_with(terms: Terms) -> str:
    """Return what among the rules the class is not computed with, in words; empty if nothing.

    It is not where a doubled hand has something left to decide or hands are given up late (`Legal.levels`).
    """
    if not terms.legal.levels:
        return ""
    names = ("double_multiples", "redoubles", "double_rescue", "surrender_cards", "free_double_on", "free_split")
    given = [name for name in names if not terms.rules.is_tacit(name) and not terms.rules.is_moot(name)]
    return " and ".join(given) or "bonuses that doubled hands do not get"


def refuse_levels(terms: Terms) -> None:
    """Refuse rules that the class is not computed with.

    Raises:
        RulesError: they are such rules.
    """
    if words := not_computed_with(terms):
        raise RulesError(f"split class full is not computed with {words}; cdz and cdp1 are")


def _blocks(starts: Sequence[Start], terms: Terms) -> Iterator[Sequence[Start]]:
    """Yield starts that are valued side by side, of one upcard where hands net otherwise against another."""
    for _, alike in groupby(starts, lambda start: start[0].cards[0] if terms.by_upcard else 0):
        together = list(alike)
        for first in range(0, len(together), FULL_STARTS):
            yield together[first : first + FULL_STARTS]


def _block(starts: Sequence[Start], terms: Terms, pair: int) -> list[SplitValue]:
    first, shoe = starts[0]
    terms = terms.at(first)
    counts = tuple(n + first.cards.count(value) for value, n in enumerate(shoe.counts))
    in_turn = not terms.legal.sees_other
    numbers = [tabulate(shoe) for _, shoe in starts]
    values, wagers = _hands_of_split(terms, pair, counts).values(
        [terms.trie(start) for start, _ in starts],
        [(item.cards, item.inverse) for item in numbers],
        terms.pays.for_kernel(DOUBLES),
        [terms.settlement(start).for_kernel(DOUBLES) for start, _ in starts],
        np.array([start.hidden_blackjack for start, _ in starts], dtype=np.int32),
        np.array([start.peeks for start, _ in starts], dtype=np.uint8),
        shoe.total,
        first.out_of_reach,
        in_turn,
    )
    splits = []
    for i, (start, shoe) in enumerate(starts):
        weights = list(_second_cards(shoe.counts, pair, in_turn))
        value = fsum(weight * values[i, x, y] for x, y, weight in weights)
        wager = fsum(weight * wagers[i, x, y] for x, y, weight in weights)
        check_split(start, shoe, terms, pair, value, 2.0)
        splits.append(SplitValue(value, wager, _NO_PLAY))
    return splits


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


def full_pairs(starts: Sequence[Start], terms: Terms) -> Iterator[tuple[int, list[Start]]]:
    """Yield each pair value that may be split, and the starts against which the player may hold it."""
    for pair in terms.legal.split_pairs:
        against = [(start, shoe) for start, shoe in starts if not start.is_blackjack and shoe.counts[pair] >= 2]
        if against:
            yield pair, against


def solve(
    starts: Sequence[Start], terms: Terms, progress: Progress | None = None, threads: int = 1
) -> Iterator[tuple[DealerStart, int, SplitValue]]:
    """Yield the value of every split of a game against every dealer start.

    Args:
        starts: the starts.
        terms: the rules, read.
        progress: called with the share that is done, from 0 to 1.
        threads: how many threads work on it; the values do not depend on it.
    """
    refuse_levels(terms)
    work = [(pair, block) for pair, against in full_pairs(starts, terms) for block in _blocks(against, terms)]
    solved = run_threads(lambda item: _block(item[1], terms, item[0]), work, threads, progress)
    for (pair, block), splits in zip(work, solved, strict=True):
        for (start, _), split in zip(block, splits, strict=True):
            yield start, pair, split
