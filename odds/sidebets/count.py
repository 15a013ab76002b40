"""How many deals each line of a paytable takes, exactly, for any shoe or as a polynomial in the number of decks.

Cards of one kind are interchangeable, so deals are listed by the kinds of their cards and never one by one. A deal of
kinds can be dealt in a product of ways, (n - j) for every card of a kind with n cards of which j lie already. Deals
with the same product are added up, and what is left is a `Tally`: of each line a few dozen such products, each with how
often it occurs. It does not depend on how many cards there are, only on which kinds are equally frequent, so that the
one tally of a bet serves every number of decks.

Bets that read the dealer's hand as he plays it out go by the values of cards instead of their kinds, over the list of
all hands that he can end with. The player's cards do not change what the dealer's are: the next card is a random one of
those not seen, whatever the player did with what he saw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial, reduce
from itertools import chain, combinations_with_replacement
from math import factorial, gcd
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from odds._kernel import DealerTrie
from odds.errors import ShoeError
from odds.game.cards import RANK_SYMBOLS, RANKS, SUITS, TEN
from odds.game.deck import by_value
from odds.numbers.exact import falling_or_zero
from odds.sidebets.conditions import HAND, LAYOUTS, ROUND, Array, Deals, holds, tests_of
from odds.sidebets.free_bets import FreeRules, rounds
from odds.sidebets.shoe import RANKS_SEEN, SUITS_SEEN, VALUES_SEEN, SuitedShoe

if TYPE_CHECKING:
    from odds.game.deck import Deck
    from odds.game.rules import Rules
    from odds.sidebets.paytable import Paytable

# Factors (n - j) ** e, as (which group of equally frequent kinds, j, e).
Product: TypeAlias = tuple[tuple[int, int, int], ...]
Sum: TypeAlias = Mapping[Product, int]

_NONE = -1  # the group of kinds of which there are no cards
_DENSE = 1 << 20


@dataclass(frozen=True, slots=True)
class Tally:
    """The deals of a bet, counted as sums of products.

    Attributes:
        cards: how many cards a deal has; where the dealer plays his hand out, as many as his longest hand needs.
        in_any_order: the bet does not tell its cards apart, so that deals are counted without regard to order.
        lines: of each line, and last of the deals that no line takes, the ordered deals.
        not_offered: the ordered deals on which the bet cannot be made.
    """

    cards: int
    in_any_order: bool
    lines: tuple[Sum, ...]
    not_offered: Sum


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


@lru_cache(maxsize=64)
def seen_by(paytable: Paytable) -> str:
    """Return what a bet can tell apart: `suits`, `ranks` and no suits, or `values`, of which all tens have the same."""
    if paytable.by_value:
        return VALUES_SEEN
    if paytable.plays_round:
        tests = [test for condition in paytable.conditions for test in tests_of(condition)]
        seen = {_seen(test.places, partial(holds, test)) for test in tests if test.places[0] not in ROUND}
        return next((what for what in (SUITS_SEEN, RANKS_SEEN) if what in seen), VALUES_SEEN)
    return _seen(LAYOUTS[paytable.cards], partial(line_of, paytable))


def _seen(places: Sequence[str], look: Callable[[Deals], Array]) -> str:
    """Return what somebody who looks at cards in some places can tell apart."""
    deals = _Ranks(places)
    try:
        line = np.broadcast_to(look(deals), deals.shape)
    except _SuitSeenError:
        return SUITS_SEEN
    as_tens = np.minimum(np.arange(len(RANK_SYMBOLS)), TEN)
    return VALUES_SEEN if np.array_equal(line, line[np.ix_(*[as_tens] * line.ndim)]) else RANKS_SEEN


class _SuitSeenError(Exception):
    pass


class _Ranks:
    """Every choice of ranks, an axis for each place, of cards without suits."""

    def __init__(self, places: Sequence[str]) -> None:
        self.shape = (len(RANK_SYMBOLS),) * len(places)
        self._ranks: dict[str, Array] = dict(zip(places, np.indices(self.shape, sparse=True), strict=True))

    def rank(self, place: str) -> Array:
        return self._ranks[place]

    def suit(self, place: str) -> Array:
        raise _SuitSeenError

    def hand(self, what: str) -> Array:
        raise NotImplementedError("the dealer's hand is not played out here")


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
    cards = min(tally.cards, held) if paytable.by_value and step else tally.cards
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
        Of each kind, or of each value where the bet goes by values, the group of equally frequent ones that it is in;
        and how many cards each of a group has, fewest first.
    """
    numbers = by_value(counts) if paytable.by_value else tuple(counts)
    sizes = sorted(set(numbers) - (set() if paytable.by_value else {0}))
    return tuple(sizes.index(number) if number in sizes else _NONE for number in numbers), sizes


def _tally(paytable: Paytable, rules: Rules, groups: tuple[int, ...]) -> Tally:
    if not paytable.by_value:
        return _tally_kinds(paytable, groups)
    return _tally_hands(paytable, rules.dealer_hits_soft_17 if paytable.plays_dealer else FreeRules.of(rules), groups)


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


# --------------------------------------------------------------------------------------------- bets on dealt cards


class _Kinds:
    """Deals listed by the kinds of their cards, one array axis for each set of places that no test tells apart.

    Attributes:
        kinds: of each place the kinds that lie there, along the axis of its set.
        shape: how many choices of cards each set has.
    """

    def __init__(self, sets: Sequence[tuple[str, ...]], chosen: Sequence[Array]) -> None:
        self.kinds: dict[str, Array] = {}
        self.shape = tuple(map(len, chosen))
        self._orders: list[Array] = []
        for axis, (places, rows) in enumerate(zip(sets, chosen, strict=True)):
            shape = [1] * len(sets)
            shape[axis] = len(rows)
            for column, place in enumerate(places):
                self.kinds[place] = rows[:, column].reshape(shape)
            self._orders.append(_orders(rows).reshape(shape))

    def times(self) -> Array:
        """Return in how many orders each deal can be dealt."""
        return reduce(np.multiply, self._orders)

    def codes(self, groups: tuple[int, ...], base: int) -> Array:
        """Return of each deal a number whose digits are its cards: the group of each, and how many lie already."""
        places = list(self.kinds)
        group_of = np.array(groups, dtype=np.int64)
        code: Array = np.zeros(self.shape, dtype=np.int64)
        for number, place in enumerate(places):
            here = self.kinds[place]
            already = sum((self.kinds[other] == here for other in places[:number]), np.zeros(1, dtype=np.int64))
            code = code * (base * len(places)) + group_of[here] * len(places) + already
        return code

    def rank(self, place: str) -> Array:
        return self.kinds[place] // len(SUITS)

    def suit(self, place: str) -> Array:
        return self.kinds[place] % len(SUITS)

    def hand(self, what: str) -> Array:
        raise NotImplementedError("the dealer's hand is not played out here")


def _choices(kinds: Sequence[int], cards: int) -> Array:
    """Return the ways to choose so many cards without regard to order, a row of ascending kinds each."""
    rows = chain.from_iterable(combinations_with_replacement(kinds, cards))
    return np.fromiter(rows, dtype=np.int16).reshape(-1, cards)


def _orders(chosen: Array) -> Array:
    """Return in how many orders each row of equal or ascending kinds can lie."""
    run = np.ones(len(chosen), dtype=np.int64)
    orders = np.full(len(chosen), factorial(chosen.shape[1]), dtype=np.int64)
    for column in range(1, chosen.shape[1]):
        run = np.where(chosen[:, column] == chosen[:, column - 1], run + 1, 1)
        orders //= run
    return orders


def _indistinct(paytable: Paytable) -> list[tuple[str, ...]]:
    """Return the places that the bet looks at, in sets of those that none of its tests tells apart."""
    tests = {role for condition in paytable.conditions for test in tests_of(condition) for role in test.roles}
    sets: dict[frozenset[tuple[str, ...]], list[str]] = {}
    for place in LAYOUTS[paytable.cards]:
        seen_by = frozenset(places for places in tests if place in places)
        if seen_by:
            sets.setdefault(seen_by, []).append(place)
    return [tuple(places) for places in sets.values()]


@lru_cache(maxsize=64)
def _tally_kinds(paytable: Paytable, groups: tuple[int, ...]) -> Tally:
    """Return the tally of a bet on dealt cards.

    Args:
        paytable: what is paid.
        groups: of each kind the group of equally frequent kinds that it is in, -1 if there is no card of it.
    """
    sets = _indistinct(paytable)
    kinds = [kind for kind, group in enumerate(groups) if group != _NONE]
    first, *others = (_choices(kinds, len(places)) for places in sets)
    deals = _Kinds(sets, [first, *others])
    line = np.broadcast_to(line_of(paytable, deals), deals.shape).reshape(len(first), -1)
    # Where the cards of the first set settle the line, the others can be any.
    settled = (line == line[:, :1]).all(axis=1)
    parts = (
        (line[settled, 0], _Kinds(sets[:1], [first[settled]])),
        (line[~settled], _Kinds(sets, [first[~settled], *others])),
    )
    lines: list[dict[Product, int]] = [{} for _ in range(len(paytable.lines) + 2)]
    base = max(groups) + 1
    for paid, part in parts:
        if paid.size:
            sums = _sum_up(paid, part.codes(groups, base), part.times(), len(lines))
            for result, found in zip(lines, sums, strict=True):
                _add_products(result, found, len(part.kinds), base)
    return Tally(sum(map(len, sets)), len(sets) == 1, tuple(lines[1:]), lines[0])


def line_of(paytable: Paytable, deals: Deals) -> Array:
    """Return of each deal 0 where the bet is not offered, 1 + the line that is paid, or after those the losing one.

    Of the lines that hold that of the highest rank is paid, of equal ones the first.
    """
    lines = paytable.lines
    result: Array = np.array(len(lines) + 1, dtype=np.int16)
    for index in sorted(range(len(lines)), key=lambda index: (lines[index].rank, -index)):
        result = np.where(holds(lines[index].when, deals), np.int16(index + 1), result)
    if paytable.offered is not None:
        result = np.where(holds(paytable.offered, deals), result, np.int16(0))
    return result


def _sum_up(line: Array, code: Array, times: Array, lines: int) -> list[dict[int, int]]:
    """Return of each line how often each code occurs, every deal counted so many times."""
    flat = np.ascontiguousarray(code).ravel()
    size = int(flat.max()) + 1
    labels = None
    if size * lines > _DENSE:
        labels, flat = np.unique(flat, return_inverse=True)
        size = len(labels)
    keys = line.ravel().astype(np.int64) * size + flat
    # Sums of whole numbers far below 2^53, so that doubles hold them exactly.
    found = np.bincount(keys, weights=times.ravel(), minlength=size * lines).reshape(lines, size)
    result = []
    for row in found:
        places = np.flatnonzero(row)
        names = places if labels is None else labels[places]
        result.append({int(name): int(number) for name, number in zip(names, row[places], strict=True)})
    return result


def _add_products(result: dict[Product, int], found: Mapping[int, int], cards: int, base: int) -> None:
    """Add sums of products to others, from the codes of `_Kinds`."""
    for code, times in found.items():
        factors: dict[tuple[int, int], int] = {}
        for _ in range(cards):
            code, digit = divmod(code, base * cards)
            factor = divmod(digit, cards)
            factors[factor] = factors.get(factor, 0) + 1
        product = _product(factors)
        result[product] = result.get(product, 0) + times


def _product(factors: Mapping[tuple[int, int], int]) -> Product:
    return tuple((group, already, power) for (group, already), power in sorted(factors.items()))


# ------------------------------------------------------------------------- bets on the dealer's hand as he plays it


class _Hands:
    """Every hand that the dealer can end with, along the last axis; the player's two cards, if any, along the first.

    Attributes:
        drawn: how many cards of each value lie in both hands: pairs x hands x 10.
        times: in how many orders the values can have been dealt.
        cards: how many cards lie in both hands.
    """

    def __init__(self, hits_soft_17: bool, with_player: bool) -> None:
        rows = _final_hands(hits_soft_17)
        self.upcard = np.array([upcard for upcard, _, _ in rows], dtype=np.int16)
        hand = np.array([counts for _, counts, _ in rows], dtype=np.uint8)
        orders = np.array([orders for _, _, orders in rows], dtype=np.int64)
        pairs = list(combinations_with_replacement(range(len(RANKS)), 2)) if with_player else []
        self.pair = np.array(pairs or [(0, 0)], dtype=np.int16)
        player = np.zeros((len(self.pair), len(RANKS)), dtype=np.uint8)
        for place in range(2 if with_player else 0):
            player[np.arange(len(self.pair)), self.pair[:, place]] += 1
        self.drawn = player[:, None, :] + hand[None, :, :]
        twice = 1 + (self.pair[:, 0] != self.pair[:, 1])
        self.times = twice[:, None] * orders[None, :]
        low = hand @ np.arange(1, len(RANKS) + 1, dtype=np.int64)
        soft = (hand[:, 0] > 0) & (low <= 11)
        self._hand = {"low": low, "soft": soft, "total": low + 10 * soft, "cards": hand.sum(axis=1, dtype=np.int64)}

    def rank(self, place: str) -> Array:
        if place == "upcard":
            return self.upcard[None, :]
        return self.pair[:, ("first", "second").index(place)][:, None]

    def suit(self, place: str) -> Array:
        raise NotImplementedError("hands that are played out have no suits here")

    def hand(self, what: str) -> Array:
        result: Array = self._hand[what][None, :]
        return result


class _FreeBets:
    """Every round as far as its free bets go, with the attributes of `_Hands`."""

    def __init__(self, free: FreeRules) -> None:
        cards, orders, bets = zip(*rounds(free), strict=True)
        self.drawn = np.array([cards], dtype=np.uint8)
        self.times = np.array([orders], dtype=np.int64)
        self._bets = np.array([bets], dtype=np.int64)

    def rank(self, place: str) -> Array:
        raise NotImplementedError("free bets are no cards")

    def suit(self, place: str) -> Array:
        raise NotImplementedError("free bets are no cards")

    def hand(self, what: str) -> Array:
        return self._bets


@lru_cache(maxsize=2)
def _final_hands(hits_soft_17: bool) -> list[tuple[int, tuple[int, ...], int]]:
    """Return of each hand that the dealer can end with the upcard, the counts by value, and the orders of the rest."""
    rows = []
    for upcard in range(len(RANKS)):
        for drawn, orders, _ in DealerTrie((upcard,), hits_soft_17, busts=True).multisets():
            counts = list(drawn)
            counts[upcard] += 1
            rows.append((upcard, tuple(counts), orders))
    blackjack = tuple(int(value in (0, TEN)) for value in range(len(RANKS)))
    return [*rows, (0, blackjack, 1), (TEN, blackjack, 1)]


@lru_cache(maxsize=64)
def _tally_hands(paytable: Paytable, played: bool | FreeRules, groups: tuple[int, ...]) -> Tally:
    """Return the tally of a bet on free bets, or on the hand of a dealer who hits soft 17; the values are in groups."""
    places = {place for condition in paytable.conditions for test in tests_of(condition) for place in test.places}
    hands = _Hands(played, bool(places - {HAND, "upcard"})) if isinstance(played, bool) else _FreeBets(played)
    code = np.zeros(hands.drawn.shape[:2], dtype=np.int64)
    members = [[value for value, group in enumerate(groups) if group == wanted] for wanted in range(max(groups) + 1)]
    for values in members:
        # Within a group only the pattern of numbers matters; four bits hold each, 15 being the most.
        for column in np.moveaxis(np.sort(hands.drawn[:, :, values], axis=2), 2, 0):
            code = code << 4 | column
    line = np.broadcast_to(line_of(paytable, hands), code.shape)
    sums = _sum_up(line, code, hands.times, len(paytable.lines) + 2)
    lines = [_products_of_hands(found, members) for found in sums]
    cards = int(hands.drawn.sum(axis=2, dtype=np.int64).max())
    return Tally(cards, False, tuple(lines[1:]), lines[0])


def _products_of_hands(found: Mapping[int, int], members: Sequence[Sequence[int]]) -> Sum:
    """Return sums of products from the codes of `_tally_hands`."""
    result: dict[Product, int] = {}
    for code, times in found.items():
        factors: dict[tuple[int, int], int] = {}
        for group in reversed(range(len(members))):
            for _ in members[group]:
                code, number = divmod(code, 16)
                for already in range(number):
                    factors[group, already] = factors.get((group, already), 0) + 1
        product = _product(factors)
        result[product] = result.get(product, 0) + times
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
