"""The deals of bets on the dealer's whole hand, and on the free bets of a round, as sums of products.

All hands that the dealer can end with are listed by what their cards count, with the orders in which those can come.
The player's cards do not change what the dealer's are: the next card is a random one of those not seen, whatever the
player did with what he saw.

Suits and ranks are asked of the whole hand by sets of kinds that all its cards are in: one suit, say. How many hands
are within a set is as easily counted as how many there are, and so is by inclusion and exclusion how many are within it
and within no smaller one. Tests for exact cards hold for none of these; the few hands for which they do are listed
kind by kind, added where they belong, and taken out where they were.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from itertools import permutations, product
from math import factorial, prod
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from odds._kernel import DealerTrie
from odds.errors import PaytableError
from odds.game.cards import RANKS, SUITS, TEN
from odds.game.deck import KINDS
from odds.sidebets.conditions import BETS, HAND, VALUES, Array, Deals, Test, holds, kind_sets, tests_of
from odds.sidebets.free_bets import FreeRules, rounds
from odds.sidebets.tally import (
    EMPTY,
    Dealt,
    Places,
    Product,
    Tally,
    add_product,
    choices,
    factors_of,
    line_of,
    places_of,
)

if TYPE_CHECKING:
    from odds.sidebets.paytable import Paytable

Cards: TypeAlias = tuple[tuple[int, int], ...]  # as tests for exact cards have them
Hand: TypeAlias = tuple[int, ...]  # kinds in ascending order

_EVERY = (1 << KINDS) - 1
_BY_VALUE = kind_sets(VALUES)
_FIRST = ("upcard", "hole")  # the dealer's
_MOST_SETS = 256
_MOST_AT_ONCE = 1 << 20
_MOST_DEALS = 1 << 24


@dataclass(frozen=True, slots=True)
class HandPlan:
    """What a bet tells apart, of the player's and the dealer's cards by themselves and of the dealer's whole hand.

    Attributes:
        places: those that tests look at by themselves.
        within: the sets of kinds that hold the whole hand or not, as bits, largest first; every intersection of two is
            among them.
        exactly: of each test for exact cards the hands that it holds for.
        cells: the sets of kinds whose numbers of cards count.
        memory: what `inside` has returned.
    """

    places: tuple[Places, ...] = ()
    within: tuple[int, ...] = (_EVERY,)
    exactly: Mapping[Cards, frozenset[Hand]] = field(default_factory=dict)
    cells: tuple[int, ...] = _BY_VALUE
    memory: dict[tuple[int, ...], Array] = field(default_factory=dict, repr=False)

    @property
    def hands(self) -> list[Hand]:
        """The hands that tests for exact cards ask for."""
        return sorted(set[Hand]().union(*self.exactly.values()))

    def inside(self, sets: tuple[int, ...]) -> Array:
        """Return of each set of `within` whether all of it is in one of some others."""
        if sets not in self.memory:
            self.memory[sets] = np.array([any(kinds & other == kinds for other in sets) for kinds in self.within])
        return self.memory[sets]


class _Asked(Deals):
    """No deals: it notes what is asked of the dealer's whole hand."""

    def __init__(self) -> None:
        self.sets: dict[int, None] = {}
        self.cards: dict[Cards, None] = {}

    def rank(self, place: str) -> Array:
        return np.zeros(1, dtype=np.int64)

    def suit(self, place: str) -> Array:
        return np.zeros(1, dtype=np.int64)

    def hand(self, what: str) -> Array:
        return np.zeros(1, dtype=np.int64)

    def within(self, sets: tuple[int, ...]) -> Array:
        self.sets |= dict.fromkeys(sets)
        return np.zeros(1, dtype=bool)

    def exactly(self, cards: Cards) -> Array:
        self.cards[cards] = None
        return np.zeros(1, dtype=bool)


def plan_of_hands(paytable: Paytable) -> HandPlan:
    """Return what a bet on the dealer's whole hand tells apart.

    Raises:
        PaytableError: too much.
    """
    asked = _Asked()
    for condition in paytable.conditions:
        holds(condition, asked)
    within = {_EVERY}
    for kinds in asked.sets:
        within |= {kinds & other for other in within}
        if len(within) > _MOST_SETS:
            raise PaytableError(
                f"paytable {paytable.name} cannot be counted: its tests of the dealer's whole hand tell more than "
                f"{_MOST_SETS} sets of cards apart"
            )
    exactly = {cards: frozenset(_hands_of(cards)) for cards in asked.cards}
    alone = {kind for hands in exactly.values() for hand in hands for kind in hand}
    cells = dict.fromkeys(element & of_value for element in within for of_value in _BY_VALUE if element & of_value)
    cells |= dict.fromkeys(1 << kind for kind in sorted(alone))
    numbers = {cell: number for number, cell in enumerate(cells)}
    beyond = [np.array([kinds >> kind & 1 for kind in range(KINDS)]) for kinds in asked.sets]
    beyond += [VALUES, np.array([kind + 1 if kind in alone else 0 for kind in range(KINDS)])]
    places = places_of(paytable, numbers, beyond, _FIRST)
    return HandPlan(places, tuple(sorted(within - {0}, key=int.bit_count, reverse=True)), exactly, tuple(numbers))


def _hands_of(cards: Cards) -> Iterator[Hand]:
    """Yield the hands that are these cards."""
    for suits in product(*[range(len(SUITS)) if suit < 0 else [suit] for _, suit in cards]):
        yield tuple(sorted(rank * len(SUITS) + suit for (rank, _), suit in zip(cards, suits, strict=True)))


# ------------------------------------------------------------------------------------------------------ hands in blocks


@dataclass(frozen=True, slots=True)
class _Case:
    """How often hands are counted, and as what: how they stand to the sets of a plan, and to exact cards if they do."""

    times: int
    within: Array
    hands: Sequence[Hand] | None = None


@dataclass(frozen=True, slots=True)
class _Block:
    """Hands that are counted by the same cells.

    Attributes:
        cells: sets of kinds, no two with a kind in common.
        drawn: of each hand, how many cards of each cell lie in it beside those at places of their own.
        start: what those of the dealer's at places of their own are.
        starts: of each kind what it is there, -1 if no hand of the block can have it.
        orders: in how many orders the rest of the hand can come.
        hand: what `Deals.hand` returns.
        cases: what the hands are counted as.
    """

    cells: Sequence[int]
    drawn: Array
    start: Array
    starts: Array
    orders: Array
    hand: Mapping[str, Array]
    cases: Sequence[_Case]


def _facts(counts: Array) -> dict[str, Array]:
    """Return what `Deals.hand` does of hands, from how many cards of each value they have."""
    low = counts @ np.arange(1, len(RANKS) + 1)
    soft = (counts[:, 0] > 0) & (low <= 11)
    cards, below = counts.sum(axis=1), counts[:, :TEN]
    places = np.arange(TEN)
    spread = np.where(below > 0, places, 0).max(axis=1) - np.where(below > 0, places, TEN).min(axis=1)
    return {
        "low": low,
        "soft": soft,
        "total": low + 10 * soft,
        "cards": cards,
        "aces": counts[:, 0],
        "tens": counts[:, TEN],
        "alike": below.max(axis=1),
        "pairs": (below // 2).sum(axis=1),
        "run": (counts.max(axis=1) == 1) & (counts[:, TEN] == 0) & (spread == cards - 1),
    }


@lru_cache(maxsize=8)
def _final_hands(hits_soft_17: bool, known: int) -> list[tuple[tuple[int, ...], tuple[int, ...], int]]:
    """Return each hand that the dealer can end with: its first cards, so many, the rest, the orders of the rest."""
    blackjack = (0, TEN)
    rows: Counter[tuple[tuple[int, ...], tuple[int, ...]]] = Counter()
    for start in product(range(len(RANKS)), repeat=max(known, 1)):
        if sorted(start) == sorted(blackjack):
            rows[start, (0,) * len(RANKS)] += 1
            continue
        for drawn, orders, _ in DealerTrie(start, hits_soft_17, busts=True).multisets():
            rows[start[:known], _with(drawn, start[known:])] += orders
        if len(start) == 1 and start[0] in blackjack:
            rows[start[:known], _with((0,) * len(RANKS), (TEN - start[0], *start[known:]))] += 1
    return [(start, drawn, orders) for (start, drawn), orders in rows.items()]


def _with(counts: Sequence[int], values: Iterable[int]) -> tuple[int, ...]:
    more = Counter(values)
    return tuple(number + more[value] for value, number in enumerate(counts))


def _counts(kinds: Iterable[int]) -> tuple[int, ...]:
    """Return how many cards of each value there are."""
    return _with((0,) * len(RANKS), (int(VALUES[kind]) for kind in kinds))


def _blocks(plan: HandPlan, hits_soft_17: bool) -> Iterator[_Block]:
    """Yield all hands of a dealer."""
    known = sum(place in _FIRST for places in plan.places for place in places.names)
    rows = _final_hands(hits_soft_17, known)
    start = np.array([row[0] for row in rows], dtype=np.int64).reshape(len(rows), known)
    drawn = np.array([row[1] for row in rows], dtype=np.int64)
    orders = np.array([row[2] for row in rows], dtype=np.int64)
    counts = drawn + (start[:, :, None] == np.arange(len(RANKS))).sum(axis=1)
    facts = _facts(counts)
    weights = _inversion(plan.within)
    for number, kinds in enumerate(plan.within):
        there = [bool(kinds & of_value) for of_value in _BY_VALUE]
        of_set = np.flatnonzero((counts[:, np.logical_not(there)] == 0).all(axis=1))
        starts = np.array([VALUES[kind] if kinds >> kind & 1 else -1 for kind in range(KINDS)])
        cases = [_Case(times, np.full(len(of_set), upper)) for upper, times in weights[number].items()]
        yield _Block(
            [kinds & of_value for of_value in _BY_VALUE if kinds & of_value],
            drawn[of_set][:, there],
            start[of_set],
            starts,
            orders[of_set],
            {name: fact[of_set] for name, fact in facts.items()},
            cases,
        )
    if plan.exactly:
        ways = {(first, rest): number for first, rest, number in rows}
        yield from _exact_block(plan, known, ways)


def _exact_block(
    plan: HandPlan, known: int, ways: Mapping[tuple[tuple[int, ...], tuple[int, ...]], int]
) -> Iterator[_Block]:
    """Yield the hands of tests for exact cards, kind by kind, as what they are and once less as what they are not."""
    hands, start, drawn, orders = [], [], [], []
    kinds = sorted({kind for hand in plan.hands for kind in hand})
    for hand in plan.hands:
        for first in sorted(set(permutations(hand, known))):
            rest = Counter(hand) - Counter(first)
            of_value = _counts(rest.elements())
            if number := ways.get((tuple(VALUES[list(first)].tolist()), of_value), 0):
                hands.append(hand)
                start.append(first)
                drawn.append([rest[kind] for kind in kinds])
                orders.append(number * prod(map(factorial, of_value)) // prod(map(factorial, rest.values())))
    if hands:
        counts = np.array([_counts(hand) for hand in hands])
        smallest = [
            max(number for number, kinds in enumerate(plan.within) if all(kinds >> kind & 1 for kind in hand))
            for hand in hands
        ]
        yield _Block(
            [1 << kind for kind in kinds],
            np.array(drawn),
            np.array(start, dtype=np.int64).reshape(len(hands), known),
            np.arange(KINDS),
            np.array(orders, dtype=np.int64),
            _facts(counts),
            [_Case(1, np.array(smallest), hands), _Case(-1, np.array(smallest))],
        )


def _inversion(sets: Sequence[int]) -> list[dict[int, int]]:
    """Return of each set, for those that hold it, how often what is within it counts as within no smaller one.

    The sets are given largest first, every intersection of two among them.
    """
    result: list[dict[int, int]] = [{} for _ in sets]
    for upper, kinds in enumerate(sets):
        found: dict[int, int] = {}
        for number in (number for number, other in enumerate(sets) if other & kinds == other):
            between = (times for other, times in found.items() if sets[other] & sets[number] == sets[number])
            found[number] = 1 if number == upper else -sum(between)
        for number, times in found.items():
            if times:
                result[number][upper] = times
    return result


class _Played(Deals):
    """The hands of a block, as one of its cases has them."""

    def __init__(self, plan: HandPlan, block: _Block, case: _Case) -> None:
        self._plan, self._block, self._case = plan, block, case

    def hand(self, what: str) -> Array:
        return self._block.hand[what]

    def within(self, sets: tuple[int, ...]) -> Array:
        result: Array = self._plan.inside(sets)[self._case.within]
        return result

    def exactly(self, cards: Cards) -> Array:
        if self._case.hands is None:
            return np.zeros(len(self._case.within), dtype=bool)
        return np.array([hand in self._plan.exactly[cards] for hand in self._case.hands])


class _Beside(Deals):
    """Hands beside cards at places of their own."""

    def __init__(self, outcomes: Mapping[Test, Array], chosen: Array, played: _Played, hands: Array) -> None:
        self._outcomes, self._chosen, self._played, self._hands = outcomes, chosen, played, hands

    def holds(self, test: Test) -> Array:
        if test in self._outcomes:
            return self._outcomes[test][self._chosen]
        return self._played.holds(test)[self._hands]


# -------------------------------------------------------------------------------------------------------------- tallies


def tally_hands(paytable: Paytable, plan: HandPlan, hits_soft_17: bool, groups: tuple[int, ...]) -> Tally:
    """Return the tally of a bet on the dealer's hand.

    Args:
        paytable: what is paid.
        plan: what it tells apart.
        hits_soft_17: the dealer's rule.
        groups: of each cell the group of equally large ones that it is in, `EMPTY` if there is no card of it.

    Raises:
        PaytableError: too much has to be told apart.
    """
    return _tally(paytable, plan, _blocks(plan, hits_soft_17), groups)


def tally_free_bets(paytable: Paytable, free: FreeRules, groups: tuple[int, ...]) -> Tally:
    """Return the tally of a bet on the free bets of a round; the groups are those of `HandPlan` by default."""
    cards, orders, bets = zip(*rounds(free), strict=True)
    nothing = np.zeros(len(cards), dtype=np.int64)
    block = _Block(
        _BY_VALUE,
        np.array(cards, dtype=np.int64),
        nothing.reshape(-1, 1)[:, 1:],
        np.arange(KINDS),
        np.array(orders, dtype=np.int64),
        {"bets": np.array(bets, dtype=np.int64)},
        [_Case(1, nothing)],
    )
    return _tally(paytable, HandPlan(), [block], groups)


def _tally(paytable: Paytable, plan: HandPlan, blocks: Iterable[_Block], groups: tuple[int, ...]) -> Tally:
    front = _Front(paytable, plan, groups)
    lines: list[dict[Product, int]] = [{} for _ in range(len(paytable.lines) + 2)]
    most = 0
    for block in blocks:
        if len(block.drawn):
            most = max(most, int(block.drawn.sum(axis=1).max()))
            front.add(block, lines)
    return Tally(len(front.kinds) + most, False, tuple(lines[1:]), lines[0])


class _Front:
    """The cards at places of their own, before hands are dealt beside them.

    Attributes:
        kinds: of each place, of each choice of classes a kind of that which lies there.
    """

    def __init__(self, paytable: Paytable, plan: HandPlan, groups: tuple[int, ...]) -> None:
        self._paytable, self._plan, self._groups = paytable, plan, groups
        deals = Dealt(plan.places, choices(plan.places, groups))

        def flat(array: Array) -> Array:
            return np.broadcast_to(array, deals.shape).ravel()

        if prod(deals.shape) > _MOST_AT_ONCE:
            raise _too_much(paytable, deals.kinds)
        self.kinds = {place: flat(kinds) for place, kinds in deals.kinds.items()}
        self._dealers = [place for place in _FIRST if place in self.kinds]
        self._base = max(groups) + 1
        self._codes, self._times = flat(deals.codes(groups, self._base)), flat(deals.times())
        tests = {test for condition in paytable.conditions for test in tests_of(condition)}
        self._outcomes = {test: flat(deals.holds(test)) for test in tests if not {HAND, BETS} & {*test.places}}

    def add(self, block: _Block, lines: Sequence[dict[Product, int]]) -> None:
        """Add what a block of hands comes to beside every choice of cards."""
        cells = [self._plan.cells.index(kinds) for kinds in block.cells]
        there = [number for number, cell in enumerate(cells) if self._groups[cell] != EMPTY]
        able = (np.delete(block.drawn, there, axis=1) == 0).all(axis=1)
        groups = np.array([self._groups[cells[number]] for number in there], dtype=np.int64)
        start_of = sum((block.starts[self.kinds[place]] * KINDS**at for at, place in enumerate(self._dealers)), 0)
        able_front = [block.starts[self.kinds[place]] >= 0 for place in self._dealers]
        front = np.flatnonzero(reduce(np.logical_and, able_front, np.ones(len(self._codes), dtype=bool)))
        if not len(front):
            return
        starts = np.broadcast_to(start_of, len(self._codes))[front]
        of_cell = np.array([[block.cells[number] >> kind & 1 for number in there] for kind in range(KINDS)])
        before = sum((of_cell[at[front]] for at in self.kinds.values()), np.zeros((len(front), len(there)), int))
        # What differs in none of these is one.
        apart = [self._codes[front], *(outcome[front] for outcome in self._outcomes.values()), starts]
        _, one, number_of = np.unique(_packed([*apart, *before.T]), return_index=True, return_inverse=True)
        times = np.bincount(number_of.reshape(-1), weights=self._times[front]).astype(np.int64)
        front, before, starts = front[one], before[one].astype(np.uint8), starts[one]
        # Each beside all hands that start as it does.
        begun = block.start @ KINDS ** np.arange(len(self._dealers))
        hands = np.flatnonzero(able)[np.argsort(begun[able], kind="stable")]
        first = np.searchsorted(begun[hands], starts)
        numbers = np.searchsorted(begun[hands], starts, side="right") - first
        if numbers.sum() > _MOST_DEALS:
            raise _too_much(self._paytable, self.kinds)
        chosen = np.repeat(np.arange(len(front)), numbers)
        hands = hands[np.arange(len(chosen)) + np.repeat(first - np.cumsum(numbers) + numbers, numbers)]
        drawn = block.drawn[:, there].astype(np.uint8)
        for at in range(0, len(chosen), _MOST_AT_ONCE):
            some, beside = chosen[at : at + _MOST_AT_ONCE], hands[at : at + _MOST_AT_ONCE]
            self._add(block, lines, groups, drawn[beside], beside, before[some], front[some], times[some])

    def _add(
        self,
        block: _Block,
        lines: Sequence[dict[Product, int]],
        groups: Array,
        drawn: Array,
        hands: Array,
        before: Array,
        chosen: Array,
        times: Array,
    ) -> None:
        """Add pairs of a hand and of a choice of cards before it."""
        pattern = before << 4 | drawn  # hands of 15 cards at most
        columns = [self._codes[chosen]]
        for group in np.unique(groups):
            # Within a group only the pattern of numbers matters.
            columns += list(np.sort(pattern[:, groups == group], axis=1).T)
        _, examples, code = np.unique(_packed(columns), return_index=True, return_inverse=True)
        size = len(examples)
        found = np.zeros((len(lines), size))
        weights = times * block.orders[hands]
        for case in block.cases:
            deals = _Beside(self._outcomes, chosen, _Played(self._plan, block, case), hands)
            line = np.broadcast_to(line_of(self._paytable, deals), len(hands)).astype(np.int64)
            # Sums of whole numbers far below 2^53, so that doubles hold them exactly.
            sums = np.bincount(line * size + code.reshape(-1), weights=weights, minlength=found.size)
            found += case.times * sums.reshape(found.shape)
        for index, example in enumerate(examples.tolist()):
            if found[:, index].any():
                factors = list(factors_of(int(self._codes[chosen[example]]), len(self.kinds), self._base))
                for group, already, more in zip(
                    groups.tolist(), before[example].tolist(), drawn[example].tolist(), strict=True
                ):
                    factors += [(group, already + n) for n in range(more)]
                for number, result in zip(found[:, index].tolist(), lines, strict=True):
                    if number:
                        add_product(result, factors, int(number))


def _packed(columns: Sequence[Array]) -> Array:
    """Return numbers that are equal where all of some arrays of the same shape are, none of which is negative."""
    code = np.zeros(columns[0].shape, dtype=np.int64)
    most = 1
    for column in columns:
        size = int(column.max()) + 1
        if most * size >= 1 << 62:
            labels, code = np.unique(code, return_inverse=True)
            code, most = code.reshape(column.shape), len(labels)
        code = code * size + column
        most *= size
    return code


def _too_much(paytable: Paytable, places: Iterable[str]) -> PaytableError:
    return PaytableError(
        f"paytable {paytable.name} cannot be counted: its tests tell too many cards apart at {', '.join(places)} "
        "beside the dealer's whole hand"
    )
