"""The graph of player hands, and the shoes that they and their splits leave.

Nothing here depends on rules or on a shoe. A hand is a multiset of card values whose hard total is at most 21; there
are 3,072 of two or more cards, and ten single cards from which a split starts. Hands are ordered by hard total,
descending, so that every hit leads to an earlier hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from odds._kernel import SET_BITS, HandGraph
from odds.errors import HandError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

N_VALUES = 10
ACE, TEN = 0, 9
# One card of each value as a set of cards in one integer, as the kernel has them.
_UNIT = tuple(1 << (SET_BITS * value) for value in range(N_VALUES))


def times_doubled(times: int) -> str:
    """Return what follows the name of a hand that was doubled so often; nothing if it was not.

    >>> times_doubled(2)
    ' doubled twice'
    """
    return {0: "", 1: " doubled", 2: " doubled twice"}.get(times, f" doubled {times} times")


def hand_key(values: Iterable[int]) -> int:
    """Return the integer that stands for a multiset of value indexes."""
    return sum(_UNIT[value] for value in values)


@dataclass(frozen=True, slots=True)
class Hands:
    """The hands, as the kernel takes them and as Python looks them up.

    Attributes:
        graph: counts, edges, totals and numbers of cards, by index.
        keys: the integer of each hand, by index.
        index: from the integer to the index.
        two_cards: `two_cards[a, b]` is the index of the two-card hand of values a and b.
        counts: cards of each value, by index, as Python looks them up.
    """

    graph: HandGraph
    keys: NDArray[np.int64]
    index: dict[int, int]
    two_cards: NDArray[np.int32]
    counts: tuple[bytes, ...]

    def find(self, values: Iterable[int]) -> int:
        """Return the index of a hand of value indexes.

        Raises:
            HandError: its hard total is over 21, or it has no card.
        """
        values = tuple(values)
        if not values or sum(value + 1 for value in values) > 21:
            raise HandError(f"expected a hand of 1 to 21 points, got {len(values)} cards over 21 or none")
        return self.index[hand_key(values)]

    def numbers(self, cards: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Return the indexes of hands given as counts of each value."""
        keys = (cards.astype(np.int64) @ np.array(_UNIT, dtype=np.int64)).tolist()
        return np.array([self.index[key] for key in keys], dtype=np.int64)

    def values(self, hand: int) -> tuple[int, ...]:
        """Return the value indexes of a hand, in ascending order."""
        counts = self.graph.counts[hand]
        return tuple(value for value in range(N_VALUES) for _ in range(counts[value]))


@cache
def player_hands() -> Hands:
    """Return all hands of one or more cards with a hard total of at most 21."""
    counts, hard = np.zeros((1, N_VALUES), dtype=np.uint8), np.zeros(1, dtype=np.int64)
    for value in range(N_VALUES):
        most = np.arange(21 // (value + 1) + 1)
        totals = hard[:, None] + (value + 1) * most
        hands, number = np.nonzero(totals <= 21)
        counts, hard = counts[hands], totals[hands, number]
        counts[:, value] = number
    order = np.argsort(-hard, kind="stable")[:-1]  # without the hand of no card
    counts, hard = np.ascontiguousarray(counts[order]), hard[order]
    unit = np.array(_UNIT, dtype=np.int64)
    keys = counts.astype(np.int64) @ unit
    soft = (counts[:, ACE] > 0) & (hard <= 11)
    index = {key: i for i, key in enumerate(keys.tolist())}
    by_key = np.argsort(keys)
    wanted = keys[:, None] + unit[None, :]
    place = np.minimum(np.searchsorted(keys, wanted, sorter=by_key), len(keys) - 1)
    found = by_key[place]
    next_hand = np.where(keys[found] == wanted, found, -1).astype(np.int32)
    graph = HandGraph(
        counts,
        np.ascontiguousarray(next_hand),
        (hard + 10 * soft).astype(np.uint8),
        soft.astype(np.uint8),
        counts.sum(axis=1).astype(np.uint8),
    )
    two_cards = np.empty((N_VALUES, N_VALUES), dtype=np.int32)
    for a in range(N_VALUES):
        for b in range(N_VALUES):
            two_cards[a, b] = index[_UNIT[a] + _UNIT[b]]
    flat = counts.tobytes()
    by_hand = tuple(flat[first : first + N_VALUES] for first in range(0, len(flat), N_VALUES))
    return Hands(graph, keys, index, two_cards, by_hand)


@dataclass(frozen=True, slots=True)
class Removals:
    """The sets of cards that the hands of a game take out of the shoe.

    Attributes:
        removed: sets x 10, counts of each value; the first rows are the hands themselves, in their order.
        up_to: by number of extra pair cards, how many of the first rows are those of so many or fewer.
        rows: `rows[pair, extra]` gives for each hand the row of that hand and `extra` more pair cards; -1 where the
            hand does not hold the pair card.
    """

    removed: NDArray[np.uint8]
    up_to: tuple[int, ...]
    rows: NDArray[np.int32]


@lru_cache(maxsize=32)
def removals(extras: tuple[int, ...]) -> Removals:
    """Return the sets of cards gone, for hands and for hands of splits.

    Args:
        extras: for each value, the most pair cards that are gone beside those in a hand of a split of that value.
    """
    hands = player_hands()
    counts = hands.graph.counts
    n_hands = len(counts)
    most = max(extras)
    rows = np.full((N_VALUES, most + 1, n_hands), -1, dtype=np.int32)
    rows[:, 0, :] = np.arange(n_hands)
    places, keys = [], []
    for pair in range(N_VALUES):
        holding = np.flatnonzero(counts[:, pair])
        for extra in range(1, extras[pair] + 1):
            places.append((pair, extra, holding))
            keys.append(hands.keys[holding] + extra * _UNIT[pair])
    if not keys:
        return Removals(counts, (n_hands,), rows)
    unique, inverse = np.unique(np.concatenate(keys), return_inverse=True)
    fewest = np.full(len(unique), most)
    np.minimum.at(fewest, inverse, np.concatenate([np.full(len(at), extra) for _, extra, at in places]))
    # Those of equally many cards follow each other, which the dealer's passes are quickest with.
    n_cards = (unique[:, None] >> (SET_BITS * np.arange(N_VALUES)) & ((1 << SET_BITS) - 1)).sum(axis=1)
    order = np.lexsort((n_cards, fewest))
    unique, inverse, fewest = unique[order], np.argsort(order)[inverse], fewest[order]
    by_key = np.argsort(hands.keys)
    place = np.minimum(np.searchsorted(hands.keys, unique, sorter=by_key), n_hands - 1)
    is_hand = hands.keys[by_key[place]] == unique
    row_of = np.where(is_hand, by_key[place], n_hands + np.cumsum(~is_hand) - 1).astype(np.int32)
    new = unique[~is_hand]
    new_counts = (new[:, None] >> (SET_BITS * np.arange(N_VALUES))[None, :]) & ((1 << SET_BITS) - 1)
    start = 0
    for pair, extra, holding in places:
        rows[pair, extra, holding] = row_of[inverse[start : start + len(holding)]]
        start += len(holding)
    removed = np.ascontiguousarray(np.concatenate([counts, new_counts.astype(np.uint8)]))
    added = np.bincount(fewest[~is_hand], minlength=most + 1)
    return Removals(removed, tuple((n_hands + np.cumsum(added)).tolist()), rows)
