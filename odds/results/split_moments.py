"""Mean and square of what a split nets, for splits into up to any number of hands.

Hands of a split are alike and their cards exchangeable (see `splitting`). The expected square of what they net
together is a sum over single hands, which opens as their value does, and over pairs of hands. For a pair, with k more
pair cards p drawn as first or second cards of other hands, let

    Q(k) = E[x y; both second cards other than p]
    R(k) = E[x y; the second card of y is p, that of x is not], or the other way round
    S(k) = E[x y; both second cards are p]

each jointly with those k cards being p. A way in which the second cards may come ends with a drawn p's, b hands whose
second card is another, and f hands whose second card may be any. "The second cards of the other hands are not p" is
opened by inclusion and exclusion: with i of n such hands having it, a sign (-1)^i and a factor C(n, i), and k = a + i.

In a free split the hand that is played first is another than the others, and alike are those: its moments, and those of
its pairs with each of them, open by themselves and are taken out of the sums over all hands. It is the first one to be
settled, or one of those that may have any second card where none is.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from odds.engine.actions import DOUBLE
from odds.engine.coefficients import first_coefficients, split_coefficients, split_leaves
from odds.engine.hands import TEN, player_hands
from odds.engine.pays import DEALER_BLACKJACK
from odds.engine.tens import ten_rank_mixture, ten_ranks
from odds.numbers.exact import falling_or_zero
from odds.results.finished import OTHER_TEN, OTHER_VALUE, PAIR_CARD, finished_split

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from odds.engine.legal import Legal
    from odds.game.shoe import Shoe
    from odds.results.finished import Role, Settler


# Of Q(k), of R(k) with the pair card in the second hand and in the first, and of S(k).
_OfPairs: TypeAlias = tuple[int, int, int, int]
_NO_PAIRS: Final = (0, 0, 0, 0)


@cache
def pair_coefficients(max_hands: int, *, first: bool = False) -> dict[int, _OfPairs]:
    """Return by k the coefficients of Q(k), of R(k) with the p in the second hand and in the first, and of S(k).

    >>> pair_coefficients(2)
    {0: (2, 2, 2, 2)}

    Args:
        max_hands: the most hands of the split.
        first: of the pairs of the hand that is played first and another, instead of all, in either order.
    """
    found: dict[int, list[int]] = {}
    for drawn, settled, free in split_leaves(max_hands):
        if first:
            both, mixed, swapped, neither = (settled - 1, free, 0, 0) if settled else (0, 0, 0, free - 1)
        else:
            both, mixed, swapped, neither = settled * (settled - 1), settled * free, settled * free, free * (free - 1)
        for others, ways in (
            (settled - 2, (both, 0, 0, 0)),
            (settled - 1, (mixed + swapped, mixed, swapped, 0)),
            (settled, (neither,) * 4),
        ):
            for i in range(others + 1 if any(ways) else 0):
                of_k = found.setdefault(drawn + i, [0] * 4)
                for place, n in enumerate(ways):
                    of_k[place] += (-1) ** i * comb(others, i) * n
    return {k: (q, r, r_first, s) for k, (q, r, r_first, s) in sorted(found.items()) if q or r or r_first or s}


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
        play: of the hands of the split, by hand, and level, the number of its action.
        p_blackjack: probability of the pair and a hidden blackjack.
    """
    terms, shoe, number = settler.terms, settler.shoe, settler.number
    wager = mean = square = kept = number(0)
    hands = finished_split(terms, settler.start, shoe, pair, play, apart=True, list_busts=True)
    nets, units = settler.nets(hands), settler.units(hands)

    def weight(second: int, free: bool, extra: int) -> Any:
        times = times_of_hand(terms.legal, pair, (free, second), extra)
        return number(times * rank_factor(shoe, terms.legal, pair, extra - 1, [second]))

    for extra in range(1, split_coefficients(terms.legal.split_into[pair]).most_extra + 1):
        weights = {key: weight(*key, extra) for key in product((OTHER_VALUE, PAIR_CARD, OTHER_TEN), (False, True))}
        weighted = settler.hands(hands, pair, extra) * np.array(
            [[weights[finish.second, finish.free]] for finish in hands.finishes]
        )
        mean += (weighted * nets).sum()
        kept += (weighted * nets)[:, DEALER_BLACKJACK].sum()
        square += (weighted * nets * nets).sum()
        wager += (weighted * units).sum()
    hands = finished_split(terms, settler.start, shoe, pair, play, apart=True)
    roles = sorted({(finish.free, finish.second) for finish in hands.groups})
    square += settler.products(
        hands,
        pair,
        {(one, other): _times(shoe, terms.legal, pair, one, other) for one, other in product(roles, repeat=2)},
    )
    unit = number(Fraction(1, terms.pays.unit))
    mean, square = mean * unit, square * unit * unit
    # What a blackjack takes once is one unit less than what its hands that won at once keep.
    takes = number(settler.blackjack_takes * p_blackjack)
    square += takes - 2 * settler.blackjack_takes * kept * unit
    return SplitMoments(wager + number(settler.start.peeks * p_blackjack), mean - takes, square)


def times_of_hand(legal: Legal, pair: int, role: Role, extra: int) -> int:
    """Return how often one hand of a split counts in the sum of all, with so many pair cards drawn for others."""
    (free, second), most = role, legal.split_into[pair]
    every, first = (
        of.pair.get(extra, 0) if second == PAIR_CARD else of.other.get(extra - 1, 0)
        for of in (split_coefficients(most), first_coefficients(most))
    )
    return (every - first if free else first) if pair in legal.free_pairs else every


def _times(shoe: Shoe, legal: Legal, pair: int, one: Role, other: Role) -> tuple[Fraction, ...]:
    """Return how often the product of two hands counts, by the number of further pair cards drawn."""
    most, (free, second), (other_free, other_second) = legal.split_into[pair], one, other
    of_all = pair_coefficients(most)
    times = []
    for k in range(max(of_all) + 1):
        place = 2 * (second == PAIR_CARD) + (other_second == PAIR_CARD)
        first = pair_coefficients(most, first=True).get(k, _NO_PAIRS)
        # With the hand that is played first in one place or the other.
        with_first, swapped = first[place], first[(0, 2, 1, 3)[place]]
        n = of_all.get(k, _NO_PAIRS)[place]
        if pair in legal.free_pairs:
            n = n - with_first - swapped if free and other_free else swapped if free else with_first
            n *= free or other_free
        times.append(n * rank_factor(shoe, legal, pair, k, [second, other_second]) if n else Fraction(0))
    return tuple(times)


def p_split_doubled(shoe: Shoe, legal: Legal, pair: int, play: NDArray[np.uint8]) -> Fraction:
    """Return the probability of being dealt a pair and doubling the first two cards of at least one hand of its split.

    Args:
        shoe: the shoe without the dealer's start, and without anything else that is known to be gone.
        legal: into how many hands the pair is split, and which tens are one.
        pair: value index of the pair, which is split.
        play: by hand, and level, the number of its action.
    """
    levels = play.reshape(-1, player_hands().graph.size)[:, player_hands().two_cards[pair]] == DOUBLE
    # By second card, of the hand that is played first and of the others.
    first, doubled = levels[0], levels[(legal.free_level or 0) * (pair in legal.free_pairs)]
    if not (first | doubled).any() or shoe.counts[pair] < 2:
        return Fraction(0)
    result, step = Fraction(0), shoe.step
    for p, left, others in rank_mixture(shoe, legal, pair):
        cards = np.array(others, dtype=object)
        single, both, only_first = (cards[which].sum() for which in (~doubled, ~doubled & ~first, doubled & ~first))
        none = Fraction(0)
        for drawn, settled, free in split_leaves(legal.split_into[pair]):
            # The others of the hands that may have any card, of which i have the pair card unless it is doubled.
            any_card = free - (not settled)
            total = falling_or_zero(shoe.total - 2 * step, drawn + settled + free, step)
            for i in range((any_card if not doubled[pair] else 0) + 1):
                n = settled + free - 1 - i
                ways = falling_or_zero(left, drawn + i, step) * (
                    both * falling_or_zero(single - step, n, step) + only_first * falling_or_zero(single, n, step)
                )
                if not settled and not first[pair]:
                    ways += falling_or_zero(left, drawn + i + 1, step) * falling_or_zero(single, n, step)
                none += Fraction(comb(any_card, i) * ways, total)
        result += p * (1 - none)
    return result * Fraction(falling_or_zero(shoe.counts[pair], 2, step), falling_or_zero(shoe.total, 2, step))


def rank_mixture(shoe: Shoe, legal: Legal, pair: int) -> list[tuple[Fraction, int, list[int]]]:
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


def rank_factor(shoe: Shoe, legal: Legal, pair: int, drawn: int, seconds: list[int]) -> Fraction:
    """Return the probability that tens have the ranks they should, given which cards of a split are tens.

    The first two cards, and so many more, have one rank; so have second cards that are the pair card, and second cards
    that are other tens have not. 1 where ranks do not matter.
    """
    like, unlike, step = drawn + seconds.count(PAIR_CARD), seconds.count(OTHER_TEN), shoe.step
    every = falling_or_zero(shoe.counts[pair] - 2 * step, like + unlike, step)
    ways = sum(
        p * falling_or_zero(left, like, step) * falling_or_zero(others[TEN], unlike, step)
        for p, left, others in rank_mixture(shoe, legal, pair)
    )
    return Fraction(ways, every) if every else Fraction(0)
