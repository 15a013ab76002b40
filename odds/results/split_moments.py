"""Mean and square of what a split nets, for splits into up to any number of hands.

Hands of a split are alike and their cards exchangeable (see `splitting`). The expected square of what they net
together is a sum over single hands, which opens as their value does, and over pairs of hands. For a pair, with k more
pair cards p drawn as first or second cards of other hands, let

    Q(k) = E[x y; both second cards other than p]
    R(k) = E[x y; the second card of y is p, that of x is not]
    S(k) = E[x y; both second cards are p]

each jointly with those k cards being p. A way in which the second cards may come ends with a drawn p's, b hands whose
second card is another, and f hands whose second card may be any. "The second cards of the other hands are not p" is
opened by inclusion and exclusion: with i of n such hands having it, a sign (-1)^i and a factor C(n, i), and k = a + i.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from odds.engine.actions import DOUBLE
from odds.engine.coefficients import split_coefficients, split_leaves
from odds.engine.hands import TEN, player_hands
from odds.engine.pays import DEALER_BLACKJACK
from odds.engine.tens import ten_rank_mixture, ten_ranks
from odds.numbers.exact import falling_or_zero
from odds.results.finished import OTHER_TEN, OTHER_VALUE, PAIR_CARD, finished_split

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from odds.engine.legal import Legal
    from odds.game.shoe import Shoe
    from odds.results.finished import FinishedHands, Settler


@cache
def pair_coefficients(max_hands: int) -> dict[int, tuple[int, int, int]]:
    """Return the coefficients of Q(k), R(k) and S(k) by k; R stands for either of two hands having the p.

    >>> pair_coefficients(2)
    {0: (2, 2, 2)}
    """
    found: dict[int, list[int]] = {}

    def add(k: int, sign: int, ways: tuple[int, int, int]) -> None:
        of_k = found.setdefault(k, [0, 0, 0])
        for place, n in enumerate(ways):
            of_k[place] += sign * n

    for drawn, settled, free in split_leaves(max_hands):
        both, mixed, neither = settled * (settled - 1), settled * free, free * (free - 1)
        for others, ways in (
            (settled - 2, (both, 0, 0)),
            (settled - 1, (2 * mixed, mixed, 0)),
            (settled, (neither,) * 3),
        ):
            if any(ways):
                for i in range(others + 1):
                    add(drawn + i, (-1) ** i * comb(others, i), ways)
    return {k: (q, r, s) for k, (q, r, s) in sorted(found.items()) if q or r or s}


@dataclass(frozen=True, slots=True)
class SplitMoments:
    """Rounds in which one pair is split against one dealer start, as parts of all rounds of that start.

    Attributes:
        wager: expected units wagered, times "the pair is dealt"; a round that a peek ends has one.
        mean: expected net result, times "the pair is dealt", dealer blackjacks included.
        square: its expected square, likewise.
    """

    wager: Any
    mean: Any
    square: Any


def split_moments(settler: Settler, pair: int, play: NDArray[np.uint8], p_blackjack: Fraction) -> SplitMoments:
    """Return the moments of a split.

    Args:
        settler: the dealer's start and the shoe without it, the pair still in it.
        pair: value index of the pair.
        play: of the hands of the split, by hand the number of its action.
        p_blackjack: probability of the pair and a hidden blackjack.
    """
    terms, shoe, number = settler.terms, settler.shoe, settler.number
    most = terms.legal.split_into[pair]
    wager = mean = square = kept = number(0)
    hands = finished_split(terms, settler.start, shoe, pair, play, apart=True, list_busts=True)
    nets, units = settler.nets(hands), settler.units(hands)
    coefficients = split_coefficients(most)
    for extra in range(1, coefficients.most_extra + 1):
        times = {second: coefficients.other.get(extra - 1, 0) for second in (OTHER_VALUE, OTHER_TEN)}
        times[PAIR_CARD] = coefficients.pair.get(extra, 0)
        weights = [times[second] * _rank_factor(shoe, terms.legal, pair, extra - 1, [second]) for second in range(3)]
        weighted = settler.hands(hands, pair, extra) * np.array(
            [[number(weights[finish.second])] for finish in hands.finishes]
        )
        mean += (weighted * nets).sum()
        kept += (weighted * nets)[:, DEALER_BLACKJACK].sum()
        square += (weighted * nets * nets).sum()
        wager += (weighted * units).sum()
    hands = finished_split(terms, settler.start, shoe, pair, play, apart=True)
    for drawn, of_drawn in pair_coefficients(most).items():
        square += _products(settler, hands, pair, drawn, of_drawn)
    unit = number(Fraction(1, terms.pays.unit))
    mean, square = mean * unit, square * unit * unit
    # What a blackjack takes once is one unit less than what its hands that won at once keep.
    takes = number(settler.blackjack_takes * p_blackjack)
    square += takes - 2 * settler.blackjack_takes * kept * unit
    return SplitMoments(wager + number(settler.start.peeks * p_blackjack), mean - takes, square)


def _products(settler: Settler, hands: FinishedHands, pair: int, drawn: int, coefficients: tuple[int, int, int]) -> Any:
    """Return the sum of the terms of `pair_coefficients` for so many drawn pair cards, in parts of the unit squared."""
    nets, number = settler.nets(hands), settler.number
    tensor = settler.pairs(hands, pair, drawn) * nets[:, None, :] * nets[None, :, :]
    second = np.array([finish.second for finish in hands.finishes])
    total = number(0)
    for a, b in product(sorted(set(second.tolist())), repeat=2):
        times = coefficients[(a == PAIR_CARD) + (b == PAIR_CARD)]
        factor = times * _rank_factor(settler.shoe, settler.terms.legal, pair, drawn, [a, b])
        total += number(factor) * tensor[np.ix_(second == a, second == b)].sum()
    return total


def p_split_doubled(shoe: Shoe, legal: Legal, pair: int, play: NDArray[np.uint8]) -> Fraction:
    """Return the probability of being dealt a pair and doubling the first two cards of at least one hand of its split.

    Args:
        shoe: the shoe without the dealer's start, and without anything else that is known to be gone.
        legal: into how many hands the pair is split, and which tens are one.
        pair: value index of the pair, which is split.
        play: by hand the number of its action.
    """
    doubled = np.flatnonzero(play[player_hands().two_cards[pair]] == DOUBLE).tolist()
    if not doubled or shoe.counts[pair] < 2:
        return Fraction(0)
    result, step = Fraction(0), shoe.step
    for p, left, others in _rank_mixture(shoe, legal, pair):
        single = sum(n for value, n in enumerate(others) if value not in doubled)
        none = Fraction(0)
        for drawn, settled, free in split_leaves(legal.split_into[pair]):
            # Of the free hands, i have the pair card, unless such a hand is doubled.
            for i in range((free if pair not in doubled else 0) + 1):
                ways = comb(free, i) * falling_or_zero(left, drawn + i, step)
                ways *= falling_or_zero(single, settled + free - i, step)
                none += Fraction(ways, falling_or_zero(shoe.total - 2 * step, drawn + settled + free, step))
        result += p * (1 - none)
    return result * Fraction(falling_or_zero(shoe.counts[pair], 2, step), falling_or_zero(shoe.total, 2, step))


def _rank_mixture(shoe: Shoe, legal: Legal, pair: int) -> list[tuple[Fraction, int, list[int]]]:
    """Return (probability, pair cards left, other cards left by value) over the ranks of a pair that may be split.

    Given that two cards of its value are dealt; what is missing to 1 are unlike tens.
    """
    counts = list(shoe.counts)
    counts[pair] -= 2 * shoe.step
    if not legal.like_tens or pair != TEN:
        return [(Fraction(1), counts[pair], [0 if value == pair else n for value, n in enumerate(counts)])]
    tens, unknown = sum(ten_ranks(shoe)), shoe.unspecified_tens_gone
    every = tens * (tens - shoe.step) * comb(tens - 2, unknown)
    return [(Fraction(ways, every), left, others) for ways, left, others in ten_rank_mixture(shoe, counts, None)]


def _rank_factor(shoe: Shoe, legal: Legal, pair: int, drawn: int, seconds: list[int]) -> Fraction:
    """Return the probability that tens have the ranks they should, given which cards of a split are tens.

    The first two cards, and so many more, have one rank; so have second cards that are the pair card, and second cards
    that are other tens have not. 1 where ranks do not matter.
    """
    like, unlike, step = drawn + seconds.count(PAIR_CARD), seconds.count(OTHER_TEN), shoe.step
    every = falling_or_zero(shoe.counts[pair] - 2 * step, like + unlike, step)
    ways = sum(
        p * falling_or_zero(left, like, step) * falling_or_zero(others[TEN], unlike, step)
        for p, left, others in _rank_mixture(shoe, legal, pair)
    )
    return Fraction(ways, every) if every else Fraction(0)
