"""The value of a split, for hands that all follow one fixed play.

The cards still in the shoe are exchangeable and a hand's play looks at its own cards only. So every hand of a split has
the same expectation given the cards known to be gone, and expectations add. For up to M hands, a pair being split again
whenever that is allowed, the value is a combination, with whole coefficients, of

    G(k) = sum over x other than the pair card p of P(k more p's, then x) * V(hand p,x; k + 1 further p's gone)
    F(k) = P(k more p's) * V(hand p,p not split again; k further p's gone)

where V is the value of one hand and P a probability in the shoe without the dealer's start and the first pair. "The
other hands' second card is not p" is opened by inclusion and exclusion, which is where the signs come from.

This needs a shoe that cannot run out; `shoe_can_run_out` says when it might.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from odds._kernel import DOUBLE, HIT, STAND, TIE
from odds.errors import ShoeError
from odds.hands import ACE, N_VALUES, TEN, player_hands
from odds.player import HIT_ROW, STAND_ROW, VALUE_ROW, doubles, sweep_hands

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from odds.player import StartValues

    from odds.rules import Rules
    from odds.shoe import Shoe


@dataclass(frozen=True, slots=True)
class SplitCoefficients:
    """The whole coefficients of G(k) and F(k) for a split into up to so many hands.

    Attributes:
        other: coefficient of G(k), by k.
        pair: coefficient of F(k), by k.
    """

    other: dict[int, int]
    pair: dict[int, int]

    @property
    def most_extra(self) -> int:
        """The most pair cards gone beside those in one hand."""
        return max([k + 1 for k in self.other] + list(self.pair))


@cache
def split_coefficients(max_hands: int) -> SplitCoefficients:
    """Return the coefficients for a split into up to `max_hands` hands (2 or more), always split again.

    >>> split_coefficients(2)
    SplitCoefficients(other={0: 2}, pair={1: 2})
    """
    other: dict[int, int] = {}
    pair: dict[int, int] = {}

    def leaf(drawn: int, settled: int, free: int) -> None:
        # `drawn` pair cards came, `settled` hands have another second card, `free` hands' second card may be any.
        for j in range(settled):
            sign = (-1) ** j * comb(settled - 1, j)
            other[drawn + j] = other.get(drawn + j, 0) + settled * sign
        for j in range(settled + 1 if free else 0):
            sign = (-1) ** j * comb(settled, j)
            other[drawn + j] = other.get(drawn + j, 0) + free * sign
            pair[drawn + j + 1] = pair.get(drawn + j + 1, 0) + free * sign

    def walk(hands: int, waiting: int, drawn: int, settled: int) -> None:
        if hands == max_hands or waiting == 0:
            leaf(drawn, settled, waiting)
            return
        walk(hands + 1, waiting + 1, drawn + 1, settled)
        walk(hands, waiting - 1, drawn, settled + 1)

    walk(2, 2, 0, 0)
    return SplitCoefficients(
        {k: v for k, v in sorted(other.items()) if v}, {k: v for k, v in sorted(pair.items()) if v}
    )


def hands_of_split(rules: Rules, pair: int) -> int:
    """Return into how many hands a pair of this value may be split, 1 if not at all."""
    if pair == ACE and not rules.resplit_aces:
        return min(rules.max_hands, 2)
    return rules.max_hands


def extras(rules: Rules) -> tuple[int, ...]:
    """Return for each pair value the most pair cards gone beside those in a hand of its split."""
    hands = (hands_of_split(rules, pair) for pair in range(N_VALUES))
    return tuple(split_coefficients(n).most_extra if n > 1 else 0 for n in hands)


def _falling(n: int, k: int) -> int:
    result = 1
    for i in range(k):
        result *= max(n - i, 0)
    return result


@dataclass(frozen=True, slots=True)
class PairDraws:
    """How further pair cards come, in the shoe without the dealer's start and the first pair, as whole ratios.

    Attributes:
        pair: `pair[k]` over `ways[k]` is the probability that the next k cards all are pair cards.
        other: `other[k][x]` over `ways[k + 1]` is the probability that the next k cards are pair cards and the one
            after them has value x and is not a pair card.
        ways: cards in order, N (N - 1) ..., times a common factor.
    """

    pair: list[int]
    other: list[list[int]]
    ways: list[int]


def pair_draws(shoe: Shoe, pair: int, by_rank: bool, rank: int | None, most: int) -> PairDraws:
    """Return how further pair cards come after a pair.

    Args:
        shoe: the shoe without the dealer's start, the player's pair still in it.
        pair: value index of the pair.
        by_rank: only like tens are a pair.
        rank: which of the four ten ranks the pair has, if that is known.
        most: the longest run of pair cards asked for.
    """
    counts = list(shoe.counts)
    counts[pair] -= 2
    total = sum(counts)
    if not (by_rank and pair == TEN):
        in_pair = counts[pair]
        others = [0 if x == pair else counts[x] for x in range(N_VALUES)]
        mixture = [(1, in_pair, others)]
    else:
        mixture = _ten_ranks(shoe, counts, rank)
    factor = sum(weight for weight, _, _ in mixture)
    return PairDraws(
        [sum(w * _falling(n, k) for w, n, _ in mixture) for k in range(most + 1)],
        [
            [sum(w * _falling(n, k) * max(others[x], 0) for w, n, others in mixture) for x in range(N_VALUES)]
            for k in range(most + 1)
        ],
        [factor * _falling(total, k) for k in range(most + 2)],
    )


def _ten_ranks(shoe: Shoe, counts: Sequence[int], rank: int | None) -> list[tuple[int, int, list[int]]]:
    """Return (weight, pair cards left, other cards left by value) over the ranks of like tens.

    Tens that are gone without their rank being known, as those that the dealer shows, are a random choice of those left
    by the player's pair.
    """
    ranks = ten_ranks(shoe)
    tens = sum(ranks)
    unknown = shoe.unspecified_tens_gone
    mixture = []
    for i, n in enumerate(ranks):
        if rank is not None and i != rank:
            continue
        # Pairs of this rank times the ways in which j of the unknown tens have it.
        for j in range(unknown + 1):
            weight = n * (n - 1) * comb(max(n - 2, 0), j) * comb(tens - n, unknown - j)
            if weight > 0:
                others = list(counts)
                others[TEN] = tens - n - (unknown - j)
                mixture.append((weight, n - 2 - j, others))
    return mixture


def ten_ranks(shoe: Shoe) -> tuple[int, int, int, int]:
    """Return the counts of T, J, Q, K where they are known.

    Raises:
        ShoeError: they are not, so that like tens cannot be told from unlike ones.
    """
    if shoe.ten_ranks is None:
        raise ShoeError(
            "split_by='rank' needs the numbers of tens, jacks, queens and kings apart, got a shoe that gives all "
            "ten-valued cards together"
        )
    return shoe.ten_ranks


def like_tens(shoe: Shoe) -> Fraction:
    """Return the probability that two ten-valued cards of the shoe have the same rank."""
    ranks = ten_ranks(shoe)
    tens = sum(ranks)
    return Fraction(sum(n * (n - 1) for n in ranks), tens * (tens - 1)) if tens > 1 else Fraction(0)


@dataclass(frozen=True, slots=True)
class SplitHands:
    """The hands of a split of one pair, each under the same play.

    Attributes:
        play: by hand 0 stand, 1 hit, 2 double.
        values: `values[extra]` holds the rows of `StartValues.values` with so many pair cards gone beside those in the
            hand; `extra` counts from 1, row 0 is None.
    """

    play: NDArray[np.uint8]
    values: list[NDArray[Any] | None]


@dataclass(frozen=True, slots=True)
class SplitValue:
    """A split of one pair.

    Attributes:
        value: on the joint scale of `StartValues`, all hands of the split together.
        wager: expected units wagered on all its hands, jointly with "no hidden blackjack" where the dealer peeks.
        hands: its hands.
    """

    value: Any
    wager: Any
    hands: SplitHands


def may_double_split(rules: Rules, pair: int) -> NDArray[np.uint8]:
    """Return by hand whether a hand of a split of this pair may be doubled."""
    allowed = rules.double_split_aces if pair == ACE else rules.double_after_split
    return doubles(rules) if allowed else np.zeros_like(doubles(rules))


def split_hands(at: StartValues, pair: int, split_class: str, most_extra: int) -> SplitHands:
    """Return the values of the hands of a split of a pair, under the play of a split class.

    Args:
        at: the dealer start and the values before a split.
        pair: value index of the pair.
        split_class: `cdz` or `cdp1`.
        most_extra: the most pair cards gone beside those in a hand.
    """
    draws = pair != ACE or at.rules.hit_split_aces
    may_double = may_double_split(at.rules, pair)
    values: list[NDArray[Any] | None] = [None]
    optimise = split_class == "cdp1"
    play = at.play.copy() if optimise else play_again(at, may_double, draws)
    for extra in range(1, most_extra + 1):
        values.append(
            sweep_hands(
                at, play, may_double=may_double, optimise=optimise, pair=pair, extra=extra, draws=draws
            )
        )
        optimise = False
    return SplitHands(play, values)


def play_again(at: StartValues, may_double: NDArray[np.uint8], draws: bool) -> NDArray[np.uint8]:
    """Return the play before a split as it is used after one.

    Where that play doubles and doubling is not allowed after the split, the better of standing and hitting before the
    split is played. Two cards on split aces that may not draw stand, unless they are doubled.
    """
    better = (at.values[HIT_ROW] > at.values[STAND_ROW] + TIE).astype(np.uint8) * HIT
    play = np.where((at.play == DOUBLE) & (may_double == 0), better, at.play).astype(np.uint8)
    if not draws:
        play[(player_hands().graph.cards == 2) & (play == HIT)] = STAND
    return play


def split_value(at: StartValues, pair: int, split_class: str, rank: int | None = None) -> SplitValue:
    """Return what a split of a pair is worth against one dealer start.

    Args:
        at: the dealer start and the values before a split; its removals must cover `extras(rules)`.
        pair: value index of the pair, of which the shoe holds two.
        split_class: `cdz` or `cdp1`.
        rank: which of the four ten ranks the pair has, if that is known.
    """
    rules = at.rules
    coefficients = split_coefficients(hands_of_split(rules, pair))
    hands = split_hands(at, pair, split_class, coefficients.most_extra)
    draws = pair_draws(at.shoe, pair, rules.split_by == "rank", rank, coefficients.most_extra)
    value = wager = 0.0
    for k, coefficient in coefficients.other.items():
        for second in range(N_VALUES):
            ways = coefficient * draws.other[k][second]
            if ways:
                p = ways / draws.ways[k + 1]
                value += p * hand_of_split(at, hands, pair, second, k + 1)
                wager += p * _wager(at, hands, pair, second, k + 1)
    for k, coefficient in coefficients.pair.items():
        ways = coefficient * draws.pair[k]
        if ways:
            p = ways / draws.ways[k]
            value += p * hand_of_split(at, hands, pair, pair, k)
            wager += p * _wager(at, hands, pair, pair, k)
    return SplitValue(value, wager, hands)


def hand_of_split(at: StartValues, hands: SplitHands, pair: int, second: int, extra: int) -> Any:
    """Return the value of the hand of a pair card and a second card, with so many more pair cards gone."""
    hand = player_hands().pairs[pair, second]
    if {pair, second} == {ACE, TEN} and at.rules.split_blackjack:
        p = at.p_blackjack(hand, extra, pair)
        tied = 0 if at.start.blackjack_costs_once else tied_blackjack(at.rules)
        return float(at.rules.blackjack_pays) * (1.0 - p) + float(tied) * p
    values = hands.values[extra]
    if values is None:
        raise ValueError("a hand of a split lacks at least one pair card")
    return values[VALUE_ROW, hand]


def _wager(at: StartValues, hands: SplitHands, pair: int, second: int, extra: int) -> Any:
    hand = player_hands().pairs[pair, second]
    units = 2.0 if hands.play[hand] == DOUBLE else 1.0
    return units * (1.0 - at.p_blackjack(hand, extra, pair)) if at.start.peeks else units


def tied_blackjack(rules: Rules) -> Fraction:
    """Return what a player's blackjack nets against a dealer's."""
    return {"push": Fraction(0), "win": rules.blackjack_pays, "lose": Fraction(-1)}[rules.blackjack_tie]


def shoe_can_run_out(counts: Sequence[int], rules: Rules) -> bool:
    """Return whether a round might use every card of a shoe with these counts.

    A bound, not a count: before his last card a player's hand has at most 20 points (a soft 21 has 11) and the
    dealer's at most 16 (a soft 17 has 7), so that the cards of all hands of a round but the last of each are at most
    as many as the smallest cards of the shoe within that sum. False is certain; True means that it was not excluded.
    """
    points = 20 * rules.max_hands + 16
    most = 0
    for value, n in enumerate(counts):
        fitting = min(n, points // (value + 1))
        most += fitting
        points -= fitting * (value + 1)
        if fitting < n:
            break
    return most + rules.max_hands + 1 > sum(counts)
