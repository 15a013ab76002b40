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
from functools import cache, lru_cache
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from odds._kernel import DOUBLE, HIT, STAND, TIE
from odds.engine.hands import ACE, N_VALUES, TEN, player_hands
from odds.engine.player import HIT_ROW, STAND_ROW, VALUE_ROW, doubles, sweep_hands
from odds.errors import ShoeError
from odds.game.cards import RANKS
from odds.numbers.arithmetic import DOUBLES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from odds.engine.dealer import DealerStart
    from odds.engine.player import StartValues
    from odds.game.rules import Rules
    from odds.game.shoe import Shoe
    from odds.numbers.arithmetic import Arithmetic


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


@lru_cache(maxsize=64)
def extras(rules: Rules) -> tuple[int, ...]:
    """Return for each pair value the most pair cards gone beside those in a hand of its split."""
    hands = (hands_of_split(rules, pair) for pair in range(N_VALUES))
    return tuple(split_coefficients(n).most_extra if n > 1 else 0 for n in hands)


def split_weights(
    shoes: Sequence[Shoe],
    rules: Rules,
    pairs: Sequence[int],
    rank: int | None = None,
    arithmetic: Arithmetic = DOUBLES,
) -> NDArray[Any]:
    """Return the weights with which the values of its hands add up to the value of a split, for pairs that are alike.

    Args:
        shoes: shoes of equally many cards, each without the dealer's start, the player's pair still in it.
        rules: the rules.
        pairs: value indexes of pairs that are split into equally many hands, of which each shoe holds two; tens by
            themselves where only like tens split.
        rank: which of the four ten ranks the pair has, where only that one is meant.
        arithmetic: the number system of the weights.

    Returns:
        Scalars by pair, number of pair cards gone beside those in the hand (0 has no weight), value of the second card,
        and shoe.
    """
    if rules.split_by == "rank" and TEN in pairs:
        return np.concatenate([_weights_of_like_tens(shoe, rules, rank, arithmetic) for shoe in shoes], axis=-1)
    counts = np.array([shoe.counts for shoe in shoes], dtype=np.int64).T
    others = np.repeat(counts[None], len(pairs), axis=0)
    others[np.arange(len(pairs)), pairs] = 0
    total = counts.sum(axis=0) - 2
    return _weights(hands_of_split(rules, pairs[0]), pairs, counts[pairs] - 2, others, total, arithmetic)


def _weights(
    hands: int,
    pairs: Sequence[int],
    pair_cards: NDArray[np.int64],
    others: NDArray[np.int64],
    total: NDArray[np.int64],
    arithmetic: Arithmetic,
) -> NDArray[Any]:
    """Return weights by pair, number of pair cards gone, second card and shoe.

    Args:
        hands: into how many hands the pairs are split.
        pairs: their values.
        pair_cards: pair cards left, by pair and shoe.
        others: other cards left, by pair, value and shoe.
        total: all cards left, by shoe.
        arithmetic: the number system.
    """
    coefficients = split_coefficients(hands)
    run = arithmetic.ratios(np.ones_like(pair_cards), np.ones_like(pair_cards))
    runs = [run]
    for k in range(coefficients.most_extra):
        run = run * arithmetic.ratios(np.maximum(pair_cards - k, 0), total - k)
        runs.append(run)
    weights = np.zeros((len(pairs), coefficients.most_extra + 1, N_VALUES, len(total)), dtype=run.dtype)
    for k, coefficient in coefficients.other.items():
        share = arithmetic.ratios(np.maximum(others, 0), total - k)
        weights[:, k + 1] = weights[:, k + 1] + coefficient * runs[k][:, None] * share
    number = np.arange(len(pairs))
    for k, coefficient in coefficients.pair.items():
        weights[number, k, pairs] = weights[number, k, pairs] + coefficient * runs[k]
    return weights


def _weights_of_like_tens(shoe: Shoe, rules: Rules, rank: int | None, arithmetic: Arithmetic) -> NDArray[Any]:
    """Return the weights of a split of like tens in one shoe: an average over their ranks."""
    counts = list(shoe.counts)
    counts[TEN] -= 2
    mixture = ten_rank_mixture(shoe, counts, rank)
    ways = sum(weight for weight, _, _ in mixture)
    total, hands = np.array([sum(counts)]), hands_of_split(rules, TEN)
    result = np.zeros((1, extras(rules)[TEN] + 1, N_VALUES, 1), dtype=arithmetic.ratios(total, total).dtype)
    for weight, left, others in mixture:
        part = _weights(hands, [TEN], np.array([[left]]), np.array(others)[None, :, None], total, arithmetic)
        result = result + part * arithmetic.ratio(weight, ways)
    return result


def ten_rank_mixture(shoe: Shoe, counts: Sequence[int], rank: int | None) -> list[tuple[int, int, list[int]]]:
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
                others[TEN] = max(tens - n - (unknown - j), 0)
                mixture.append((weight, n - 2 - j, others))
    return mixture


def rank_ways(shoe: Shoe, rules: Rules, pair: int, rank: int | None = None) -> int:
    """Return the part of the denominators of `split_weights` that comes from the ranks of tens, 1 if there is none."""
    if rules.split_by != "rank" or pair != TEN:
        return 1
    counts = list(shoe.counts)
    return sum(weight for weight, _, _ in ten_rank_mixture(shoe, counts, rank)) or 1


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


def deals_pair(shoe: Shoe, rules: Rules, pair: int) -> bool:
    """Return whether a shoe can deal a pair of this value that the rules let the player split."""
    if shoe.counts[pair] < 2:
        return False
    return rules.split_by != "rank" or pair != TEN or like_tens(shoe) > 0


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


class SplitValue(NamedTuple):
    """A split of one pair.

    Attributes:
        value: on the joint scale of `StartValues`, all hands of the split together.
        wager: expected units wagered on all its hands, jointly with "no hidden blackjack" where the dealer peeks.
        play: of its hands, by hand 0 stand, 1 hit, 2 double; empty for class `full`, which looks at the other hand too.
    """

    value: Any
    wager: Any
    play: NDArray[np.uint8]


def may_double_split(rules: Rules, pair: int) -> NDArray[np.uint8]:
    """Return by hand whether a hand of a split of this pair may be doubled."""
    allowed = rules.double_after_split and (pair != ACE or rules.double_split_aces)
    return doubles(rules) if allowed else np.zeros_like(doubles(rules))


def draws_after_split(rules: Rules, pair: int) -> bool:
    """Return whether a hand of a split of this pair may draw a third card without doubling."""
    return pair != ACE or rules.hit_split_aces


def split_hands(at: StartValues, pair: int, split_class: str, play: NDArray[np.uint8] | None = None) -> SplitHands:
    """Return the values of the hands of a split of a pair, under the play of a split class.

    Args:
        at: the dealer start and the values before a split; its removals must cover `extras(rules)`.
        pair: value index of the pair.
        split_class: `cdz` or `cdp1`.
        play: the play of the class if it is known already; it is found if left out.
    """
    may_double, draws = may_double_split(at.rules, pair), draws_after_split(at.rules, pair)
    optimise = play is None and split_class == "cdp1"
    if play is None:
        play = at.play.copy()
        if not optimise:
            play = play_again(play, at.values[HIT_ROW], at.values[STAND_ROW], may_double, draws)
    values: list[NDArray[Any] | None] = [None]
    for extra in range(1, extras(at.rules)[pair] + 1):
        values.append(
            sweep_hands(at, play, may_double=may_double, optimise=optimise, pair=pair, extra=extra, draws=draws)
        )
        optimise = False
    return SplitHands(play, values)


def play_again(
    play: NDArray[np.uint8],
    hit: NDArray[Any],
    stand: NDArray[Any],
    may_double: NDArray[np.uint8],
    draws: bool,
) -> NDArray[np.uint8]:
    """Return the play before a split as it is used after one.

    Where that play doubles and doubling is not allowed after the split, the better of standing and hitting before the
    split is played. Two cards on split aces that may not draw stand, unless they are doubled.

    Args:
        play: by hand, and in a further axis by dealer start if there are several.
        hit: what hitting is worth before the split, likewise.
        stand: what standing is worth before the split, likewise.
        may_double: by hand, after the split.
        draws: a hand of two cards may be hit after the split.
    """
    again = play.copy()
    two_cards = np.flatnonzero(player_hands().graph.cards == 2)
    of_two = again[two_cards]
    allowed = may_double[two_cards].reshape(-1, *[1] * (play.ndim - 1)) != 0
    better = np.where(hit[two_cards] > stand[two_cards] + TIE, HIT, STAND)
    of_two = np.where((of_two == DOUBLE) & ~allowed, better, of_two)
    again[two_cards] = of_two if draws else np.where(of_two == HIT, STAND, of_two)
    return again


def split_value(
    at: StartValues,
    pair: int,
    split_class: str,
    rank: int | None = None,
    play: NDArray[np.uint8] | None = None,
) -> SplitValue:
    """Return what a split of a pair is worth against one dealer start.

    Args:
        at: the dealer start and the values before a split; its removals must cover `extras(rules)`.
        pair: value index of the pair, of which the shoe holds two.
        split_class: `cdz` or `cdp1`.
        rank: which of the four ten ranks the pair has, where only that one is meant.
        play: the play of the class if it is known already; it is found if left out.
    """
    arithmetic = at.numbers.arithmetic
    hands = split_hands(at, pair, split_class, play)
    weights = split_weights([at.shoe], at.rules, [pair], rank, arithmetic)[0]
    values, wagers, ones = (np.zeros_like(weights) for _ in range(3))
    for (extra, second, shoe), weight in np.ndenumerate(weights):
        if weight:
            values[extra, second, shoe] = hand_of_split(at, hands, pair, second, extra)
            wagers[extra, second, shoe] = _wager(at, hands, pair, second, extra)
            ones[extra, second, shoe] = arithmetic.ratio(1, 1)
    value, wager, number = (weigh(weights, of)[0] for of in (values, wagers, ones))
    if arithmetic is DOUBLES:
        value, wager = float(value), float(wager)
        check_split(at.start, at.shoe, at.rules, pair, value, float(number))
    return SplitValue(value, wager, hands.play)


def weigh(weights: NDArray[Any], values: NDArray[Any]) -> NDArray[Any]:
    """Return the sums over the number of pair cards gone and the second card, the two axes before that of shoes.

    The order is always the same, so that the value of a split does not depend on what is worked out beside it.
    """
    terms = weights * values
    total: NDArray[Any] = terms[..., 0, 0, :]
    for extra, second in list(np.ndindex(*terms.shape[-3:-1]))[1:]:
        total = total + terms[..., extra, second, :]
    return total


def check_split(start: DealerStart, shoe: Shoe, rules: Rules, pair: int, value: float, number: float) -> None:
    """Refuse the value of a split that cannot be: hands of a split add up only in a shoe that does not run out.

    Args:
        start: the dealer's start.
        shoe: the shoe without it, the pair still in it.
        rules: the rules.
        pair: value index of the pair.
        value: of the split.
        number: the expected number of its hands.

    Raises:
        ShoeError: the shoe has too few cards to give every hand a second one, or the expected number of hands, or
            their value, is out of range. None of it can be in a shoe that cannot run out; in one that might, a value
            within range is shown, and flagged.
    """
    most = hands_of_split(rules, pair)
    most_won = most * max(2.0, float(rules.blackjack_pays))
    rounding = 1e-9
    possible = 2 - rounding <= number <= most + rounding and abs(value) <= most_won + rounding
    # Into m hands go m - 2 further pair cards and m second cards, and a hole card lies on the table.
    total = shoe.total
    drawable = total - 2 - (1 if start.hole_card_dealt else 0)
    if not possible or drawable < 2 * min(most, shoe.counts[pair]) - 2:
        raise ShoeError(
            f"the shoe is too small to split {RANKS[pair]},{RANKS[pair]} into up to {most} hands: it runs out within "
            f"the round, and the hands of a split do not add up then; {total} cards are left beside the "
            f"dealer's"
        )


def hand_of_split(at: StartValues, hands: SplitHands, pair: int, second: int, extra: int) -> Any:
    """Return the value of the hand of a pair card and a second card, with so many more pair cards gone."""
    hand = player_hands().pairs[pair, second]
    if is_split_blackjack(int(hand), at.rules):
        return at.blackjack_value(at.p_blackjack(hand, extra, pair), once=at.start.blackjack_costs_once)
    values = hands.values[extra]
    if values is None:
        raise ValueError("a hand of a split lacks at least one pair card")
    return at.numbers.arithmetic.read(values[VALUE_ROW, hand])


def is_split_blackjack(hand: int, rules: Rules) -> bool:
    """Return whether a hand counts as a blackjack after a split."""
    return rules.split_blackjack and hand == player_hands().pairs[ACE, TEN]


def _wager(at: StartValues, hands: SplitHands, pair: int, second: int, extra: int) -> Any:
    """Return the expected units wagered on such a hand, jointly with "no hidden blackjack" where the dealer peeks."""
    hand = player_hands().pairs[pair, second]
    units = 2 if hands.play[hand] == DOUBLE else 1
    if at.start.peeks:
        return units * (1 - at.p_blackjack(hand, extra, pair))
    return at.numbers.arithmetic.ratio(units, 1)


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
