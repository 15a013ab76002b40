"""What bonuses pay finished hands: by hand, the odds and how likely each is.

The engine knows a hand's ten values, which say nothing of suits. Given the ranks of some cards, suits are exchangeable
whatever cards of unknown suits are gone: n cards of one rank are all spades in as many ways as n of the D spades of
that rank can be drawn, out of those for n of its 4 D cards. So the ways in which all suits of a hand lie in a set are a
product over its ranks; those in which they are exactly a set follow by inclusion and exclusion, and with them which
line pays. The ranks of tens are drawn likewise where a line names them. Of two hands the ways are counted together, as
they take their cards from the same decks.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from odds.engine.hands import N_VALUES, TEN, player_hands
from odds.game.bonuses import SUIT_SETS
from odds.game.cards import RANK_SYMBOLS, SUITS
from odds.numbers.exact import falling_or_zero

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from odds.game.bonuses import Bonus
    from odds.game.rules import Rules

_ALL = (1 << len(SUITS)) - 1
_SETS = range(_ALL + 1)
_MASKS = {
    word: tuple(sum(1 << SUITS.index(suit) for suit in suits) for suits in sets) for word, sets in SUIT_SETS.items()
}


ANY_TENS = -1


class Decks(NamedTuple):
    """The decks that suits are drawn from.

    Attributes:
        number: how many; any number where cards are replaced.
        tens: the cards of ten points in each, as in `RANK_SYMBOLS`.
        step: 1, or 0 where cards are replaced.
    """

    number: int
    tens: str
    step: int = 1


def decks_of(rules: Rules) -> Decks:
    """Return the decks of some rules."""
    tens = "".join(symbol for symbol in RANK_SYMBOLS[TEN:] if symbol not in rules.deck.lacks)
    return Decks(1, tens, 0) if isinstance(rules.decks, str) else Decks(rules.decks, tens)


def fitting_lines(rules: Rules, *, after_split: bool, doubled: bool, upcard: str) -> dict[int, tuple[Bonus, ...]]:
    """Return by hand the lines that may be paid to it, those that pay most first and none after one that is certain.

    Args:
        rules: the rules.
        after_split: for hands of a split.
        doubled: for doubled hands.
        upcard: against this upcard, of `RANKS`; any if empty.
    """
    lines = [
        line
        for line in rules.bonuses
        if (line.after_split or not after_split) and (line.after_double or not doubled) and line.upcard in ("", upcard)
    ]
    fitting: dict[int, list[Bonus]] = {}
    for line in sorted(lines, key=lambda line: (-line.pays, not line.is_certain)):
        for hand in np.flatnonzero(_fits(line)).tolist():
            of_hand = fitting.setdefault(hand, [])
            if not any(before.is_certain for before in of_hand):
                of_hand.append(line)
    return {hand: tuple(of_hand) for hand, of_hand in fitting.items()}


def _fits(line: Bonus) -> NDArray[np.bool_]:
    """Return which hands a line is for, as far as their values say."""
    graph = player_hands().graph
    result: NDArray[np.bool_] = graph.cards >= 2
    if line.ranks:
        result = np.zeros(graph.size, dtype=np.bool_)
        result[player_hands().find(line.values)] = True
    for bounds, numbers in ((line.cards, graph.cards), (line.total, graph.total)):
        if bounds is not None:
            result &= (numbers >= bounds[0]) & (numbers <= bounds[1])
    return result


@lru_cache(maxsize=1 << 14)
def line_chances(
    decks: Decks,
    counts: bytes,
    lines: tuple[Bonus, ...],
    other: bytes = bytes(N_VALUES),
    other_lines: tuple[Bonus, ...] = (),
) -> dict[tuple[int, int], Fraction]:
    """Return how likely each line of a hand is paid together with each of another hand, by their places; -1 for none.

    Args:
        decks: the decks.
        counts: the cards of each value of the hand.
        lines: those that are for such values, each before those that pay less.
        other: the cards of the other hand; none without one.
        other_lines: the lines for these.
    """
    if not sum(other) and lines[0].is_certain:
        return {(0, -1): Fraction(1)}
    ways: dict[tuple[int, int], int] = {}
    named = any(line.named_tens for line in (*lines, *other_lines))
    others = _SETS if sum(other) else (0,)
    for ours, theirs in product(_tens(decks, counts[TEN], named), _tens(decks, other[TEN], named)):
        ranks = [(decks.number, counts[value], other[value]) for value in range(TEN)]
        if named:
            ranks += [(decks.number, ours.count(symbol), theirs.count(symbol)) for symbol in decks.tens]
        else:
            ranks.append((decks.number * len(decks.tens), counts[TEN], other[TEN]))
        ranks = [rank for rank in ranks if rank[1] or rank[2]]
        within = {(a, b): _ways(ranks, a, b, decks.step) for a in _SETS for b in others}
        for suit in (1 << place for place in range(len(SUITS))):
            for a, b in within:
                if a & suit:
                    within[a, b] -= within[a ^ suit, b]
            for a, b in within:
                if b & suit:
                    within[a, b] -= within[a, b ^ suit]
        for (a, b), n in within.items():
            if n:
                key = _line(lines, a, ours), _line(other_lines, b, theirs)
                ways[key] = ways.get(key, 0) + n
    every = sum(ways.values())
    return {key: Fraction(n, every) for key, n in ways.items()}


@lru_cache(maxsize=1 << 8)
def fitting_suits(line: Bonus) -> int:
    """Return the sets of suits, each a bit, of which those of a hand must be one for a line to be paid."""
    return sum(1 << suits for suits in _SETS if any(suits & ~mask == 0 for mask in _MASKS[line.suits]))


def tens_code(line: Bonus, decks: Decks) -> int:
    """Return the tens that a line names, four bits for the number of each rank in the decks; `ANY_TENS` if none."""
    return sum(1 << 4 * decks.tens.index(ten) for ten in line.named_tens) if line.named_tens else ANY_TENS


def _tens(decks: Decks, number: int, named: bool) -> Sequence[tuple[str, ...]]:
    """Return the ranks that the tens of a hand may have, one after another; nothing where it does not matter."""
    return list(product(decks.tens, repeat=number)) if named else [()]


def _ways(ranks: Sequence[tuple[int, int, int]], ours: int, theirs: int, step: int) -> int:
    """Return in how many ways cards can be drawn, all of one hand of suits of one set, all of the other's of another.

    Args:
        ranks: of each rank the cards of a suit, and how many one hand has and the other.
        ours: the suits of one hand, a sum of bits.
        theirs: those of the other.
        step: how many fewer of a card there are once it is drawn.
    """
    both, apart, of_other = (ours & theirs).bit_count(), (ours & ~theirs).bit_count(), theirs.bit_count()
    result = 1
    for cards, n, m in ranks:
        result *= sum(
            comb(n, k)
            * falling_or_zero(cards * both, k, step)
            * falling_or_zero(cards * apart, n - k, step)
            * falling_or_zero(cards * of_other - k * step, m, step)
            for k in range(n + 1)
        )
    return result


def _line(lines: Sequence[Bonus], suits: int, tens: Sequence[str]) -> int:
    """Return the first line that is paid to cards of all these suits, with these tens; -1 if none is."""
    for place, line in enumerate(lines):
        if fitting_suits(line) >> suits & 1 and (not line.named_tens or sorted(line.named_tens) == sorted(tens)):
            return place
    return -1
