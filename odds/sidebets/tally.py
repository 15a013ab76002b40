"""The deals of a bet on dealt cards as sums of products, whatever is in the shoe.

Cards are listed by classes of kinds that no test tells apart. A deal can be dealt in a product of ways, (n - j) for
every card of a class with n cards of which j lie already. Deals with the same product are added up, and what is left is
a `Tally`: of each line a few dozen such products, each with how often it occurs. It does not depend on how many cards
there are, only on which classes are equally large, so that the one tally of a bet serves every number of decks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain, combinations_with_replacement
from math import factorial, prod
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from odds.errors import PaytableError
from odds.game.cards import SUITS
from odds.game.deck import KINDS
from odds.sidebets.conditions import HAND, LAYOUTS, TESTS, Array, Deals, holds, kind_sets, tests_of

if TYPE_CHECKING:
    from odds.sidebets.paytable import Paytable

# Factors (n - j) ** e, as (which group of equally large classes, j, e).
Product: TypeAlias = tuple[tuple[int, int, int], ...]
Sum: TypeAlias = Mapping[Product, int]

EMPTY = -1  # the group of classes without cards
_DENSE = 1 << 20
_MOST_DEALS, _MOST_AT_ONCE = 1 << 26, 1 << 22


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
class Places:
    """Places that no test tells apart.

    Attributes:
        names: what they are called.
        labels: of each kind the class that it is of there.
        cells: of each kind the number of the set of all kinds of its class, among those of the bet.
    """

    names: tuple[str, ...]
    labels: Array
    cells: Array

    def representatives(self, groups: tuple[int, ...]) -> list[int]:
        """Return one kind of each class of which there are cards."""
        firsts = np.unique(self.labels, return_index=True)[1].tolist()
        return [kind for kind in sorted(firsts) if groups[self.cells[kind]] != EMPTY]


def places_of(
    paytable: Paytable, cells: dict[int, int], beyond: Sequence[Array] = (), hand: tuple[str, ...] = ()
) -> tuple[Places, ...]:
    """Return the places of the cards that a bet looks at, in sets of those that none of its tests tells apart.

    The classes of a set are parts of those of the sets after it, so that it is known of a card of one set whether it is
    of a class of a later one.

    Args:
        paytable: what is paid.
        cells: sets of kinds, numbered; those of the classes are added.
        beyond: what later cards are told apart by, as labels of kinds.
        hand: places of a hand that is looked at as a whole too.
    """
    tests = {test for condition in paytable.conditions for test in tests_of(condition) if HAND not in test.places}
    sets: dict[frozenset[tuple[str, ...]], list[str]] = {}
    for place in LAYOUTS[paytable.cards]:
        seen_by = frozenset(role for test in tests for role in test.roles if place in role)
        if seen_by:
            sets.setdefault(seen_by | ({hand} if place in hand else set()), []).append(place)
    labels = {
        tuple(names): joined([TESTS[test.name].tells(test.value) for test in tests if names[0] in test.places])
        for names in sets.values()
    }
    after = joined(beyond)
    result: list[Places] = []
    for names in sorted(labels, key=lambda names: -labels[names].max())[::-1]:
        after = joined([after, labels[names]])
        numbers = [cells.setdefault(kinds, len(cells)) for kinds in kind_sets(after)]
        result.insert(0, Places(names, after, np.array(numbers)[after]))
    return tuple(result)


def joined(labels: Sequence[Array]) -> Array:
    """Return labels of kinds, from 0 on, that are equal where all of the given ones are."""
    rows = [np.zeros(KINDS, dtype=np.int64), *labels]
    result: Array = np.unique(np.stack(rows), axis=1, return_inverse=True)[1].reshape(-1)
    return result


class Dealt(Deals):
    """Deals listed by the classes of their cards, one array axis for each set of places that no test tells apart.

    Attributes:
        kinds: of each place a kind of the class of the card that lies there, along the axis of its set.
        shape: how many choices of cards each set has.
    """

    def __init__(self, sets: Sequence[Places], chosen: Sequence[Array]) -> None:
        self.kinds: dict[str, Array] = {}
        self.shape = tuple(map(len, chosen))
        self._orders: list[Array] = []
        self._of = {place: places for places in sets for place in places.names}
        for axis, (places, rows) in enumerate(zip(sets, chosen, strict=True)):
            shape = [1] * len(sets)
            shape[axis] = len(rows)
            for column, place in enumerate(places.names):
                self.kinds[place] = rows[:, column].reshape(shape)
            self._orders.append(_orders(rows).reshape(shape))

    def times(self) -> Array:
        """Return in how many orders each deal can be dealt."""
        return reduce(np.multiply, self._orders, np.ones((), dtype=np.int64))

    def codes(self, groups: tuple[int, ...], base: int) -> Array:
        """Return of each deal a number whose digits are its cards: the group of each, and how many lie already."""
        names = list(self.kinds)
        group_of = np.array(groups, dtype=np.int64)
        code: Array = np.zeros(self.shape, dtype=np.int64)
        for number, place in enumerate(names):
            here, of = self.kinds[place], self._of[place]
            label = of.labels[here]
            already = sum((of.labels[self.kinds[other]] == label for other in names[:number]), np.zeros(1, np.int64))
            code = code * (base * len(names)) + group_of[of.cells[here]] * len(names) + already
        return code

    def rank(self, place: str) -> Array:
        """Return the rank of the card at a place."""
        return self.kinds[place] // len(SUITS)

    def suit(self, place: str) -> Array:
        """Return its suit; one of those of its class."""
        return self.kinds[place] % len(SUITS)


def choices(sets: Sequence[Places], groups: tuple[int, ...]) -> list[Array]:
    """Return of each set of places the ways to choose its cards without regard to order, a row of classes each."""
    found = []
    for places in sets:
        rows = chain.from_iterable(combinations_with_replacement(places.representatives(groups), len(places.names)))
        found.append(np.fromiter(rows, dtype=np.int16).reshape(-1, len(places.names)))
    return found


def _orders(chosen: Array) -> Array:
    """Return in how many orders each row of equal or ascending kinds can lie."""
    run = np.ones(len(chosen), dtype=np.int64)
    orders = np.full(len(chosen), factorial(chosen.shape[1]), dtype=np.int64)
    for column in range(1, chosen.shape[1]):
        run = np.where(chosen[:, column] == chosen[:, column - 1], run + 1, 1)
        orders //= run
    return orders


def tally_dealt(paytable: Paytable, sets: Sequence[Places], groups: tuple[int, ...]) -> Tally:
    """Return the tally of a bet on dealt cards.

    Args:
        paytable: what is paid.
        sets: the places that it looks at.
        groups: of each cell the group of equally large ones that it is in, `EMPTY` if there is no card of it.

    Raises:
        PaytableError: too much has to be told apart.
    """
    every, *others = choices(sets, groups)
    beside = prod(map(len, others))
    if len(every) * beside > _MOST_DEALS:
        looked_at = {name for places in sets for name in places.names}
        names = (name for name in LAYOUTS[paytable.cards] if name in looked_at)
        raise PaytableError(
            f"paytable {paytable.name} cannot be counted: its tests tell too many cards apart at "
            f"{', '.join(names)} together; tests that ask for fewer ranks or suits, or that look at more of the cards "
            "alike, need less"
        )
    lines: list[dict[Product, int]] = [{} for _ in range(len(paytable.lines) + 2)]
    base = max(groups) + 1
    step = max(_MOST_AT_ONCE // beside, 1)
    for first in (every[at : at + step] for at in range(0, len(every), step)):
        deals = Dealt(sets, [first, *others])
        line = np.broadcast_to(line_of(paytable, deals), deals.shape).reshape(len(first), -1)
        # Where the cards of the first set settle the line, the others can be any.
        settled = (line == line[:, :1]).all(axis=1)
        parts = (
            (line[settled, 0], Dealt(sets[:1], [first[settled]])),
            (line[~settled], Dealt(sets, [first[~settled], *others])),
        )
        for paid, part in parts:
            if paid.size:
                sums = sum_up(paid, part.codes(groups, base), part.times(), len(lines))
                for result, found in zip(lines, sums, strict=True):
                    for code, times in found.items():
                        add_product(result, factors_of(code, len(part.kinds), base), times)
    return Tally(sum(len(places.names) for places in sets), len(sets) == 1, tuple(lines[1:]), lines[0])


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


def sum_up(line: Array, code: Array, times: Array, lines: int) -> list[dict[int, int]]:
    """Return of each line how often each code occurs, every deal counted so many times."""
    flat = np.ascontiguousarray(code).ravel()
    size = int(flat.max()) + 1
    labels = None
    if size * lines > _DENSE:
        labels, flat = np.unique(flat, return_inverse=True)
        size = len(labels)
    keys = line.ravel().astype(np.int64) * size + flat
    # Sums of whole numbers far below 2^53, so that doubles hold them exactly.
    weights = np.broadcast_to(times, code.shape).ravel()
    found = np.bincount(keys, weights=weights, minlength=size * lines).reshape(lines, size)
    result = []
    for row in found:
        places = np.flatnonzero(row)
        names = places if labels is None else labels[places]
        result.append({int(name): int(number) for name, number in zip(names, row[places], strict=True)})
    return result


def factors_of(code: int, cards: int, base: int) -> Iterable[tuple[int, int]]:
    """Yield the factors (group, already) of a code of `Dealt`."""
    for _ in range(cards):
        code, digit = divmod(code, base * cards)
        yield divmod(digit, cards)


def add_product(result: dict[Product, int], factors: Iterable[tuple[int, int]], times: int) -> None:
    """Add so many times the product of some factors (group, already) to a sum; what comes to 0 is left out."""
    powers: dict[tuple[int, int], int] = {}
    for factor in factors:
        powers[factor] = powers.get(factor, 0) + 1
    product = tuple((group, already, power) for (group, already), power in sorted(powers.items()))
    total = result.pop(product, 0) + times
    if total:
        result[product] = total
