"""How many deals each line of a paytable takes, exactly, for any shoe or as a polynomial in the number of decks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import factorial, gcd
from typing import TYPE_CHECKING

import numpy as np

from odds.errors import ShoeError
from odds.game.cards import RANK_SYMBOLS, SUITS, TEN
from odds.numbers.exact import falling_or_zero
from odds.sidebets.conditions import LAYOUTS, TESTS, Array, Deals, tests_of
from odds.sidebets.free_bets import FreeRules
from odds.sidebets.hands import HandPlan, plan_of_hands, tally_free_bets, tally_hands
from odds.sidebets.shoe import RANKS_SEEN, SUITS_SEEN, VALUES_SEEN, SuitedShoe
from odds.sidebets.tally import EMPTY, Places, Sum, Tally, joined, line_of, places_of, tally_dealt

if TYPE_CHECKING:
    from odds.game.deck import Deck
    from odds.game.rules import Rules
    from odds.sidebets.paytable import Paytable


@dataclass(frozen=True, slots=True)
class Counts:
    """How many deals each line takes.

    Attributes:
        lines: of each line, and last of the deals that no line takes.
        total: their sum.
        unit: `combinations` if deals are counted without regard to the order of their cards, else `permutations`, as
            always where cards are replaced: then those from one deck, or a part of it.
    """

    lines: tuple[int, ...]
    total: int
    unit: str


@dataclass(frozen=True, slots=True)
class _Plan:
    """What the tally of a bet is counted by: of dealt cards, or of hands where there are such."""

    places: tuple[Places, ...]
    cells: tuple[int, ...]
    hands: HandPlan | None = None


@lru_cache(maxsize=64)
def _plan_of(paytable: Paytable) -> _Plan:
    if paytable.plays_on:
        hands = plan_of_hands(paytable) if paytable.plays_dealer else HandPlan()
        return _Plan(hands.places, hands.cells, hands)
    cells: dict[int, int] = {}
    places = places_of(paytable, cells)
    return _Plan(places, tuple(cells))


@lru_cache(maxsize=64)
def seen_by(paytable: Paytable) -> str:
    """Return what a bet can tell apart: `suits`, `ranks` and no suits, or `values`, of which all tens have the same."""
    if paytable.plays_on or paytable.plays_round:
        tests = (test for condition in paytable.conditions for test in tests_of(condition))
        told = joined([TESTS[test.name].tells(test.value) for test in tests if not TESTS[test.name].of_round])
        by_rank = told.reshape(len(RANK_SYMBOLS), len(SUITS))
        if (by_rank != by_rank[:, :1]).any():
            return SUITS_SEEN
        return RANKS_SEEN if (by_rank[TEN:] != by_rank[TEN]).any() else VALUES_SEEN
    deals = _Ranks(LAYOUTS[paytable.cards])
    try:
        line = np.broadcast_to(line_of(paytable, deals), deals.shape)
    except _SuitSeenError:
        return SUITS_SEEN
    as_tens = np.minimum(np.arange(len(RANK_SYMBOLS)), TEN)
    return VALUES_SEEN if np.array_equal(line, line[np.ix_(*[as_tens] * line.ndim)]) else RANKS_SEEN


class _SuitSeenError(Exception):
    pass


class _Ranks(Deals):
    """Every choice of ranks, an axis for each place, of cards without suits."""

    def __init__(self, places: Sequence[str]) -> None:
        self.shape = (len(RANK_SYMBOLS),) * len(places)
        self._ranks: dict[str, Array] = dict(zip(places, np.indices(self.shape, sparse=True), strict=True))

    def rank(self, place: str) -> Array:
        return self._ranks[place]

    def suit(self, place: str) -> Array:
        raise _SuitSeenError


def tally_of(paytable: Paytable, rules: Rules, deck: Deck | None = None) -> Tally:
    """Return the tally for full decks.

    Args:
        paytable: what is paid.
        rules: for bets on the dealer's whole hand his rule, for those on free bets what is free.
        deck: what is in each of the decks; by default that of the rules.

    Raises:
        PaytableError: free bets that are not counted, see `FreeRules`.
    """
    return _tally(paytable, rules, _groups(paytable, (deck or rules.deck).counts)[0])


def lines_that_can_be(paytable: Paytable, rules: Rules, deck: Deck) -> tuple[bool, ...]:
    """Return of each line, and last of the losing one, whether there are hands that it is for with enough decks."""
    tally = tally_of(paytable, rules, deck)
    counts = [number * tally.cards for number in deck.counts]
    _, sizes = _groups(paytable, counts)
    return tuple(bool(_number(line, sizes, sum(counts), tally.cards, 1)) for line in tally.lines)


def count(paytable: Paytable, shoe: SuitedShoe, rules: Rules) -> Counts:
    """Return how many deals from a shoe each line takes, under rules as in `tally_of`.

    Raises:
        ShoeError: the shoe has too few cards for the deal, or the bet is never offered with it.
        PaytableError: as for `tally_of`.
    """
    if not shoe.total:
        raise ShoeError("the shoe is empty")
    step, counts = (0, [n // gcd(*shoe.counts) for n in shoe.counts]) if shoe.endless else (1, shoe.counts)
    groups, sizes = _groups(paytable, counts)
    tally = _tally(paytable, rules, groups)
    held = sum(counts)
    cards = min(tally.cards, held) if paytable.plays_on and step else tally.cards
    lines = [_number(line, sizes, held, cards, step) for line in tally.lines]
    total = sum(lines)
    everything = total + _number(tally.not_offered, sizes, held, cards, step)
    if not everything or everything != falling_or_zero(held, cards, step):
        raise ShoeError(f"the shoe has too few cards for this bet: {shoe}")
    if not total:
        raise ShoeError(f"the bet is never offered with this shoe: {shoe}")
    in_any_order = tally.in_any_order and not shoe.endless
    orders, unit = (factorial(tally.cards), "combinations") if in_any_order else (1, "permutations")
    return Counts(tuple(line // orders for line in lines), total // orders, unit)


def _groups(paytable: Paytable, counts: Sequence[int]) -> tuple[tuple[int, ...], list[int]]:
    """Return what a tally depends on, and what a number of deals needs besides.

    Args:
        paytable: what is paid.
        counts: how many cards there are of each kind.

    Returns:
        Of each set of kinds that the bet counts by the group of equally large ones that it is in; and how many cards
        each of a group has, fewest first.
    """
    numbers = [sum(count for kind, count in enumerate(counts) if cell >> kind & 1) for cell in _plan_of(paytable).cells]
    sizes = sorted(set(numbers) - {0})
    return tuple(sizes.index(number) if number else EMPTY for number in numbers), sizes


def _tally(paytable: Paytable, rules: Rules, groups: tuple[int, ...]) -> Tally:
    played = rules.dealer_hits_soft_17 if paytable.plays_dealer else None
    return _tallied(paytable, FreeRules.of(rules) if paytable.counts_free_bets else played, groups)


@lru_cache(maxsize=64)
def _tallied(paytable: Paytable, played: FreeRules | bool | None, groups: tuple[int, ...]) -> Tally:
    """Return the tally under what matters of the rules: what is free, or whether the dealer hits soft 17."""
    plan = _plan_of(paytable)
    if isinstance(played, FreeRules):
        return tally_free_bets(paytable, played, groups)
    if plan.hands is None:
        return tally_dealt(paytable, plan.places, groups)
    return tally_hands(paytable, plan.hands, bool(played), groups)


def _number(deals: Sum, sizes: Sequence[int], total: int, cards: int, step: int) -> int:
    """Return how many ordered deals of so many cards there are; a shorter one goes on with any cards.

    A step of 0 is for cards that are replaced.
    """
    result = 0
    for product, times in deals.items():
        ways = times
        dealt = 0
        for group, already, power in product:
            ways *= (sizes[group] - step * already) ** power
            dealt += power
            if not ways:
                break
        else:
            result += ways * falling_or_zero(total - step * dealt, cards - dealt, step)
    return result


def polynomial(deals: Sum, cards: int, paytable: Paytable, deck: Deck) -> list[int]:
    """Return the number of ordered deals of so many cards as a polynomial in the number of decks.

    Returns:
        The coefficients, that of the highest power first.
    """
    _, sizes = _groups(paytable, deck.counts)
    result = [0] * (cards + 1)
    for product, times in deals.items():
        factors = [(sizes[group], already) for group, already, power in product for _ in range(power)]
        factors += [(deck.total, already) for already in range(len(factors), cards)]
        result = [have + times * more for have, more in zip(result, _multiplied(factors), strict=True)]
    return result


def _multiplied(factors: Iterable[tuple[int, int]]) -> list[int]:
    """Return the product of all (a d - b), the coefficient of the highest power first."""
    result = [1]
    for a, b in factors:
        result = [a * high - b * low for high, low in zip([*result, 0], [0, *result], strict=True)]
    return result
