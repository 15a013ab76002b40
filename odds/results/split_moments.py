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
from math import comb
from typing import TYPE_CHECKING, Any

from odds.engine.hands import TEN, player_hands
from odds.engine.splitting import hands_of_split as most_hands
from odds.engine.splitting import split_coefficients, ten_rank_mixture, ten_ranks
from odds.numbers.exact import falling_or_zero
from odds.results.finished import DEALER_BLACKJACK, N_ENDS, OTHER_TEN, PAIR_CARD, Finish, hands_of_split

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from odds.game.rules import Rules
    from odds.game.shoe import Shoe
    from odds.results.finished import FinishedHands, Settler


def split_leaves(max_hands: int) -> Iterator[tuple[int, int, int]]:
    """Yield every way in which the second cards of a split may come: (p's drawn, hands settled, hands left free).

    A settled hand has a second card that is not the pair card p. A free one may have any: the most hands are reached.

    >>> list(split_leaves(2))
    [(0, 0, 2)]
    """

    def walk(hands: int, waiting: int, drawn: int, settled: int) -> Iterator[tuple[int, int, int]]:
        if hands == max_hands or waiting == 0:
            yield drawn, settled, waiting
            return
        yield from walk(hands + 1, waiting + 1, drawn + 1, settled)
        yield from walk(hands, waiting - 1, drawn, settled + 1)

    yield from walk(2, 2, 0, 0)


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
        play: of the hands of the split, by hand 0 stand, 1 hit, 2 double.
        p_blackjack: probability of the pair and a hidden blackjack.
    """
    rules, shoe, start = settler.rules, settler.shoe, settler.start
    most, number = most_hands(rules, pair), settler.number
    wager = mean = square = number(0)

    def net(finish: Finish, end: int) -> Any:
        if end == DEALER_BLACKJACK and start.blackjack_costs_once:
            return number(0)
        return number(finish.net(end, rules, start))

    singles = hands_of_split(rules, shoe, pair, play, apart=True, list_busts=True)
    coefficients = split_coefficients(most)
    for extra in range(1, coefficients.most_extra + 1):
        tensor = settler.hands(singles, pair, extra)
        for place, finish in enumerate(singles.finishes):
            if finish.second == PAIR_CARD:
                times, drawn = coefficients.pair.get(extra, 0), extra - 1
            else:
                times, drawn = coefficients.other.get(extra - 1, 0), extra - 1
            weight = number(times * rank_factor(shoe, rules, pair, drawn, [finish]))
            for end in range(N_ENDS):
                p, x = weight * tensor[place, end], net(finish, end)
                mean += p * x
                square += p * x * x
                if not (start.peeks and end == DEALER_BLACKJACK):
                    wager += p * finish.bet
    hands = hands_of_split(rules, shoe, pair, play, apart=True)
    for drawn, of_drawn in pair_coefficients(most).items():
        square += _products(settler, hands, pair, drawn, of_drawn, net)
    if start.blackjack_costs_once:
        mean -= number(p_blackjack)
        square += number(p_blackjack)
    if start.peeks:
        wager += number(p_blackjack)
    return SplitMoments(wager, mean, square)


def _products(
    settler: Settler, hands: FinishedHands, pair: int, drawn: int, coefficients: tuple[int, int, int], net: Any
) -> Any:
    """Return the sum of the terms of `pair_coefficients` for so many drawn pair cards."""
    tensor = settler.pairs(hands, pair, drawn)
    nets = [[net(finish, end) for end in range(N_ENDS)] for finish in hands.finishes]
    total = settler.number(0)
    for a, first in enumerate(hands.finishes):
        for b, other in enumerate(hands.finishes):
            pairs = (first.second == PAIR_CARD) + (other.second == PAIR_CARD)
            if not coefficients[pairs]:
                continue
            factor = coefficients[pairs] * rank_factor(settler.shoe, settler.rules, pair, drawn, [first, other])
            products = (tensor[a, b, end] * nets[a][end] * nets[b][end] for end in range(N_ENDS))
            total += settler.number(factor) * sum(products, settler.number(0))
    return total


def rank_factor(shoe: Shoe, rules: Rules, pair: int, drawn: int, hands: list[Finish]) -> Fraction:
    """Return the probability that tens have the ranks they should, given which cards of a split are tens.

    The first two cards, and so many more, have one rank; so have second cards that are the pair card, and second cards
    that are other tens have not. 1 where ranks do not matter.
    """
    if rules.split_by != "rank" or pair != TEN:
        return Fraction(1)
    like = drawn + sum(hand.second == PAIR_CARD for hand in hands)
    unlike = sum(hand.second == OTHER_TEN for hand in hands)
    return _rank_factor(shoe, like, unlike)


@cache
def _rank_factor(shoe: Shoe, like: int, unlike: int) -> Fraction:
    counts = list(shoe.counts)
    counts[TEN] -= 2
    tens, unknown = sum(ten_ranks(shoe)), shoe.unspecified_tens_gone
    every = tens * (tens - 1) * comb(tens - 2, unknown) * falling_or_zero(counts[TEN], like + unlike)
    ways = sum(
        weight * falling_or_zero(left, like) * falling_or_zero(others[TEN], unlike)
        for weight, left, others in ten_rank_mixture(shoe, counts, None)
    )
    return Fraction(ways, every) if every else Fraction(0)


def p_split_doubled(shoe: Shoe, rules: Rules, pair: int, play: NDArray[np.uint8]) -> Fraction:
    """Return the probability of being dealt a pair and doubling at least one hand of its split.

    Args:
        shoe: the shoe without the dealer's start, and without anything else that is known to be gone.
        rules: the rules.
        pair: value index of the pair, which is split.
        play: by hand; 2 is double.
    """
    pairs = player_hands().pairs[pair]
    doubled = [value for value in range(len(pairs)) if play[pairs[value]] == 2]
    if not doubled or shoe.counts[pair] < 2:
        return Fraction(0)
    by_rank = rules.split_by == "rank" and pair == TEN
    counts = list(shoe.counts)
    counts[pair] -= 2
    if by_rank:
        tens, unknown = sum(ten_ranks(shoe)), shoe.unspecified_tens_gone
        every = tens * (tens - 1) * comb(tens - 2, unknown)
        dealt = Fraction(shoe.counts[TEN] * (shoe.counts[TEN] - 1), shoe.total * (shoe.total - 1))
        ranks = ten_rank_mixture(shoe, counts, None)
        mixture = [(Fraction(weight, every) * dealt, left, others) for weight, left, others in ranks]
    else:
        dealt = Fraction(shoe.counts[pair] * (shoe.counts[pair] - 1), shoe.total * (shoe.total - 1))
        mixture = [(dealt, counts[pair], [0 if v == pair else n for v, n in enumerate(counts)])]
    total = sum(counts)
    result = Fraction(0)
    for weight, left, others in mixture:
        single = sum(n for value, n in enumerate(others) if value not in doubled)
        none = Fraction(0)
        for drawn, settled, free in split_leaves(most_hands(rules, pair)):
            # Of the free hands, i have the pair card, unless such a hand is doubled.
            for i in range((free if pair not in doubled else 0) + 1):
                ways = comb(free, i) * falling_or_zero(left, drawn + i) * falling_or_zero(single, settled + free - i)
                none += Fraction(ways, falling_or_zero(total, drawn + settled + free))
        result += weight * (1 - none)
    return result
