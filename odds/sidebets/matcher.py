"""Which line of a paytable a deal of actual cards is paid on: the referee's reading of the written conditions.

It shares nothing with the count but the conditions themselves. Every test is tried on actual cards, one hand after
another, and what comes out is kept in tables for the compiled referee. A table for all places of a bet at once would be
too large where it looks at four cards; so the places that some test looks at together make a part, with a table of its
own that says which of a few classes its cards are of, and the line depends on the classes.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from itertools import combinations_with_replacement, pairwise, permutations, product
from math import prod
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from odds._simulator import SideBets
from odds.errors import PaytableError
from odds.game.cards import RANK_SYMBOLS, SUITS
from odds.game.deck import KINDS, kind_name
from odds.sidebets.conditions import BETS, HAND, LAYOUTS, ROUND, All, Condition, Not, Order, Test, tests_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from odds.sidebets.paytable import Paytable

# In the order of the numbers that the compiled referee has for them.
PLACES: Final = ("first", "second", "upcard", "hole", "drawn", "third", "fourth")
_MOST_TOGETHER: Final = 3
# Where all tests look at ranks alone, one more card is looked at.
_MOST_RANKS: Final = 4
_BY_RANK: Final = ("of_a_kind", "pairs", "straight", "gap", "between", "above")
_FREE_BETS: Final = 10  # 0 to the most that is asked for
_OF_ROUND: Final = 32  # more than any number of `ROUND`
_MOST_CLASSES: Final = 256
_MOST_HANDS: Final = 1 << 16
_ACE, _TEN, _KING, _BUST = 1, 10, 13, 22
# Numbers of cards, hard totals, and whether there is an ace.
_HANDS: Final = (23, 32, 2)
_MANY: Final = 1 << 40


class Hand(NamedTuple):
    """The dealer's finished hand.

    Attributes:
        cards: how many there are.
        hard: the total with every ace as one.
        ace: whether there is an ace.
        kinds: its cards as they came, as in `SuitedShoe.counts`, where they are known.
    """

    cards: int
    hard: int
    ace: bool
    kinds: tuple[int, ...] = ()

    @property
    def soft(self) -> bool:
        """Whether an ace counts as 11."""
        return self.ace and self.hard + 10 < _BUST

    @property
    def total(self) -> int:
        """The total; 22 or more is a bust."""
        return self.hard + 10 if self.soft else self.hard


class PhysicalCard(NamedTuple):
    """A card of a deck.

    Attributes:
        rank: one of `RANK_SYMBOLS`.
        suit: one of `SUITS`.
    """

    rank: str
    suit: str

    @property
    def number(self) -> int:
        """1 for an ace to 13 for a king."""
        return RANK_SYMBOLS.index(self.rank) + 1

    @property
    def counts(self) -> int:
        """What it counts, an ace as one."""
        return min(self.number, _TEN)

    @property
    def colour(self) -> str:
        """`red` or `black`."""
        return "red" if self.suit in "dh" else "black"


DECK: Final = tuple(PhysicalCard(*kind_name(kind)) for kind in range(KINDS))


def _hand(cards: Sequence[PhysicalCard]) -> Hand:
    return Hand(len(cards), sum(card.counts for card in cards), any(card.number == _ACE for card in cards))


# ------------------------------------------------------------------------------------------ the tests, one hand each


def _is(card: PhysicalCard, asked: tuple[int, int]) -> bool:
    rank, suit = asked
    return card.rank == RANK_SYMBOLS[rank] and (suit < 0 or card.suit == SUITS[suit])


def _are(cards: Sequence[PhysicalCard], asked: Sequence[tuple[int, int]]) -> bool:
    if not cards or len(cards) != len(asked):
        return len(cards) == len(asked)
    ways = (number for number, one in enumerate(asked) if _is(cards[0], one))
    return any(_are(cards[1:], [*asked[:number], *asked[number + 1 :]]) for number in ways)


def _with_ace(cards: Sequence[PhysicalCard], ace: str) -> list[list[int]]:
    """Return the numbers of the cards, the ace as the lowest, as the highest, or one list for each of them."""
    values = {"low": (_ACE,), "high": (_KING + 1,), "either": (_ACE, _KING + 1)}[ace]
    return [[value if card.number == _ACE else card.number for card in cards] for value in values]


def _in_a_row(cards: Sequence[PhysicalCard], asked: Order) -> bool:
    return any(
        all(higher - lower == 1 for lower, higher in pairwise(sorted(numbers)))
        for numbers in _with_ace(cards, asked.ace)
    )


def _apart(cards: Sequence[PhysicalCard], asked: Order) -> bool:
    return any(
        len(range(min(two) + 1, max(two))) in asked.value for two in _with_ace(cards, asked.ace) if two[0] != two[1]
    )


def _inside(cards: Sequence[PhysicalCard], asked: Order) -> bool:
    """Whether the first cards, all but two, lie between the two that come last."""
    return any(all(min(a, b) < number < max(a, b) for number in own) for *own, a, b in _with_ace(cards, asked.ace))


def _over(cards: Sequence[PhysicalCard], asked: Order) -> bool:
    """Whether each of the first cards is higher than each of the others, which come last."""
    own = len(cards) - len(asked.others)
    return any(all(a > b for a in numbers[:own] for b in numbers[own:]) for numbers in _with_ace(cards, asked.ace))


_FEATURES: Final[Mapping[str, Callable[[PhysicalCard], object]]] = {
    "rank": lambda card: card.rank,
    "suit": lambda card: card.suit,
    "colour": lambda card: card.colour,
    "value": lambda card: card.counts,
}
_OF_CARDS: Final[Mapping[str, Callable[[Sequence[PhysicalCard], Any], bool]]] = {
    "same": lambda cards, asked: all(len({_FEATURES[feature](card) for card in cards}) == 1 for feature in asked),
    "of_a_kind": lambda cards, asked: max(Counter(card.rank for card in cards).values()) >= asked,
    "pairs": lambda cards, asked: sum(n // 2 for n in Counter(card.rank for card in cards).values()) >= asked,
    "straight": _in_a_row,
    "gap": _apart,
    "between": _inside,
    "above": _over,
    "cards": _are,
    "each": lambda cards, asked: all(any(_is(card, one) for one in asked) for card in cards),
    "some": lambda cards, asked: any(_is(card, one) for one in asked for card in cards),
    "suits": lambda cards, asked: all(SUITS.index(card.suit) in asked for card in cards),
}
_OF_HANDS: Final[Mapping[str, Callable[[Hand, Any], bool]]] = {
    "total": lambda hand, asked: hand.total in asked,
    "low_total": lambda hand, asked: hand.hard in asked,
    "soft": lambda hand, _: hand.soft,
    "busts": lambda hand, _: hand.total >= _BUST,
    "blackjack": lambda hand, _: hand.cards == 2 and hand.total == _BUST - 1,
    "cards_in_hand": lambda hand, asked: hand.cards in asked,
}


def _so_ended(test: Test, number: int) -> bool:
    """Whether a test of a round holds where what it looks at is this number."""
    if test.name.endswith("busts"):
        return number >= _BUST
    return number > 0 if test.value is True else number in test.value


# Of a hand that cards are added to: what a test sees of each, and which tests never hold again once they do not.
_SEES: Final[Mapping[str, Callable[[PhysicalCard, Any], object]]] = {
    "same": lambda card, asked: tuple(_FEATURES[feature](card) for feature in asked),
    **dict.fromkeys(_BY_RANK, lambda card, _: card.rank),
    "cards": lambda card, asked: tuple(_is(card, one) for one in asked),
    **dict.fromkeys(("each", "some"), lambda card, asked: any(_is(card, one) for one in asked)),
    "suits": lambda card, asked: SUITS.index(card.suit) in asked,
}
_FALLS_FOR_GOOD: Final = ("same", "each", "suits")
_DRAWS_TO: Final = 16  # the highest hard total that a dealer may draw to


def _steps(test: Test) -> tuple[NDArray[np.uint16], NDArray[np.bool_]]:
    """Return how a test of the dealer's whole hand goes on with each kind of card, and in which states it holds.

    Cards are dealt until no dealer would draw, and hands of which it sees the same are one state; no card is the first.
    """
    all_seen = [_SEES[test.name](card, test.value) for card in DECK]
    seen = [all_seen.index(what) for what in all_seen]
    counts = [card.counts for card in DECK]
    sees = list(zip(counts, seen, strict=True))
    states: dict[object, int] = {}
    hands: list[tuple[int, ...]] = [()]  # an example of each state
    steps: list[list[int]] = []
    while len(steps) < len(hands):
        hand = hands[len(steps)]
        next_states: dict[object, int] = {}
        for kind, what in enumerate(sees):
            if what not in next_states:
                key = _state(test, (*hand, kind), seen, counts)
                if key not in states:
                    states[key] = len(hands)
                    hands.append((*hand, kind))
                next_states[what] = states[key]
        steps.append([next_states[what] for what in sees])
    held = [len(hand) > 1 and _OF_CARDS[test.name]([DECK[kind] for kind in hand], test.value) for hand in hands]
    return np.array(steps, dtype=np.uint16), np.array(held)


def _state(test: Test, kinds: tuple[int, ...], seen: Sequence[int], counts: Sequence[int]) -> object:
    """Return what is equal for hands that the test need not tell apart, whatever follows."""
    hard = sum(counts[kind] for kind in kinds)
    if hard > _DRAWS_TO or test.name in _FALLS_FOR_GOOD:
        holds = _OF_CARDS[test.name]([DECK[kind] for kind in kinds], test.value)
        if hard > _DRAWS_TO or not holds:
            return holds
    if test.name == "cards" and len(kinds) > len(test.value):
        return False
    return hard, tuple(sorted(seen[kind] for kind in kinds))


def _outcomes(test: Test, deck: Sequence[PhysicalCard]) -> NDArray[np.bool_]:
    """Return when a test holds: by its cards, by the dealer's hand as in `_HANDS`, the free bets, or one of `ROUND`."""
    if test.places == (BETS,):
        return np.isin(np.arange(_FREE_BETS), test.value)
    if test.places[0] in ROUND:
        return np.array([_so_ended(test, number) for number in range(_OF_ROUND)])
    if test.places == (HAND,):
        hands = [_OF_HANDS[test.name](Hand(*what), test.value) for what in np.ndindex(_HANDS)]
        return np.array(hands).reshape(_HANDS)
    outcomes = np.zeros((len(deck),) * len(test.places), dtype=np.bool_)
    axes = [test.places.index(place) for role in test.roles for place in role]
    for choice in product(*(combinations_with_replacement(range(len(deck)), len(role)) for role in test.roles)):
        cards = [deck[kind] for kinds in choice for kind in kinds]
        if test.name in _OF_CARDS:
            holds = _OF_CARDS[test.name](cards, test.value)
        else:
            holds = _OF_HANDS[test.name](_hand(cards), test.value)
        if holds:
            # No test minds the order of cards of one role.
            for orders in product(*map(permutations, choice)):
                outcomes[tuple(kind for kinds in orders for kind in kinds)] = True
    return outcomes.transpose(np.argsort(axes))


def _holds(condition: Condition, held: Mapping[Test, NDArray[np.bool_]]) -> NDArray[np.bool_]:
    if isinstance(condition, Test):
        return held[condition]
    if isinstance(condition, Not):
        return np.logical_not(_holds(condition.part, held))
    join = np.logical_and if isinstance(condition, All) else np.logical_or
    return reduce(join, [_holds(part, held) for part in condition.parts])


# ---------------------------------------------------------------------------------------------------------- the tables


@dataclass(frozen=True, slots=True)
class Part:
    """Places that tests look at together.

    Attributes:
        places: in the order of the layout.
        table: the class of the cards that lie there, by their kinds (of more than three by their ranks), by the
            dealer's hand or the state that it leads to, or by the number that a place of a round is.
        steps: of a test of all cards of the dealer's hand, the next state by the one before and the kind of a card,
            beginning with 0; None of others.
    """

    places: tuple[str, ...]
    table: NDArray[Any]
    steps: NDArray[np.uint16] | None = None


@dataclass(frozen=True, slots=True)
class Matcher:
    """A paytable as tables.

    Attributes:
        paytable: what is paid.
        parts: the places that it looks at.
        lines: the line by the classes of all parts; after those of the paytable the losing one, and one more where
            the bet cannot be made.
    """

    paytable: Paytable
    parts: tuple[Part, ...]
    lines: NDArray[np.uint8]

    def line(self, deal: Mapping[str, int | Hand]) -> int:
        """Return the line of a deal, as an index into `names`.

        Args:
            deal: of each place the kind of its card, as in `SuitedShoe.counts`; of `HAND` the dealer's hand, of `BETS`
                the number of free bets, of `ROUND` the numbers.
        """
        classes = []
        for part in self.parts:
            index: list[int] = []
            if part.steps is not None:
                hand, state = deal[HAND], 0
                for kind in hand.kinds if isinstance(hand, Hand) else ():
                    state = int(part.steps[state, kind])
                classes.append(int(part.table[state]))
                continue
            for place in part.places:
                what = deal[place]
                by_rank = len(part.places) > _MOST_TOGETHER
                index += (
                    [int(n) for n in what[:3]] if isinstance(what, Hand) else [what // len(SUITS) if by_rank else what]
                )
            classes.append(int(part.table[tuple(index)]))
        return int(self.lines[tuple(classes)])

    @property
    def names(self) -> tuple[str, ...]:
        """What the lines are called, the losing one last."""
        return (*(line.name for line in self.paytable.lines), self.paytable.losing_line)

    def asks_beyond(self, dealt: Sequence[str]) -> bool:
        """Return whether it looks at more than these places."""
        return any(place not in dealt for part in self.parts for place in part.places)


@lru_cache(maxsize=16)
def matcher(bet: str, paytable: Paytable) -> Matcher:
    """Return the tables of a paytable.

    Args:
        bet: what error messages call it.
        paytable: what is paid.

    Raises:
        PaytableError: its conditions tie too many cards together.
    """
    tests = list(dict.fromkeys(test for condition in paytable.conditions for test in tests_of(condition)))
    parts: list[Part] = []
    outcomes: list[list[dict[Test, bool]]] = []
    of_hand = [test for test in tests if test.places == (HAND,) and test.name in _OF_CARDS]
    for test in of_hand:
        steps, held_in = _steps(test)
        parts.append(Part(test.places, held_in.astype(np.uint8), steps))
        outcomes.append([{test: False}, {test: True}])
    tests = [test for test in tests if test not in of_hand]
    for places in _together(tests, LAYOUTS[paytable.cards]):
        here = [test for test in tests if test.places[0] in places]
        most = _MOST_RANKS if all(test.name in _BY_RANK for test in here) else _MOST_TOGETHER
        if len(places) > most:
            raise PaytableError(
                f"{bet}: paytable {paytable.name} cannot be played: its conditions look at {', '.join(places)} "
                f"together, and the referee looks at {most} cards at most"
            )
        part, held = _classes(places, here)
        parts.append(part)
        outcomes.append(held)
    if prod(len(held) for held in outcomes) > _MOST_HANDS:
        raise PaytableError(f"{bet}: paytable {paytable.name} cannot be played: it tells too many kinds of hands apart")
    holding: dict[Test, NDArray[np.bool_]] = {}
    for axis, of_part in enumerate(outcomes):
        for test in of_part[0]:
            shape = [len(of_part) if other == axis else 1 for other in range(len(outcomes))]
            holding[test] = np.array([of_class[test] for of_class in of_part]).reshape(shape)
    lines = np.empty([len(of_part) for of_part in outcomes], dtype=np.uint8)
    lines[...] = _line(paytable, holding)
    merged = []
    for axis, part in enumerate(parts):
        # Classes that make no difference to the line become one.
        lines, where = np.unique(lines, axis=axis, return_inverse=True)
        if lines.shape[axis] > _MOST_CLASSES:
            raise PaytableError(
                f"{bet}: paytable {paytable.name} cannot be played: it tells {lines.shape[axis]:,} kinds of "
                f"{', '.join(part.places)} apart, and the referee {_MOST_CLASSES} at most"
            )
        merged.append(replace(part, table=where.reshape(-1).astype(np.uint8)[part.table]))
    return Matcher(paytable, tuple(merged), np.ascontiguousarray(lines))


def _together(tests: Sequence[Test], layout: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the places that the tests look at, in sets that no test reaches out of."""
    sets: list[set[str]] = []
    for test in tests:
        touched = [places for places in sets if places & set(test.places)]
        sets = [places for places in sets if places not in touched] + [set(test.places).union(*touched)]
    return [tuple(place for place in layout if place in places) for places in sets]


def _classes(places: tuple[str, ...], tests: Sequence[Test]) -> tuple[Part, list[dict[Test, bool]]]:
    """Return classes of cards that all tests agree on, and what the tests say of each class."""
    deck = DECK if len(places) <= _MOST_TOGETHER else DECK[:: len(SUITS)]
    apart: dict[tuple[str, ...], tuple[int, ...]] = {
        (HAND,): _HANDS,
        (BETS,): (_FREE_BETS,),
        **{(what,): (_OF_ROUND,) for what in ROUND},
    }
    shape = apart.get(places, (len(deck),) * len(places))
    code = np.zeros(shape, dtype=np.int64)
    found: dict[Test, NDArray[np.bool_]] = {}
    for test in tests:
        outcomes = _outcomes(test, deck)
        if places not in apart:
            outcomes = outcomes.reshape([len(deck) if place in test.places else 1 for place in places])
        found[test] = np.broadcast_to(outcomes, shape)
        if code.max() >= _MANY:
            code = np.unique(code, return_inverse=True)[1].reshape(shape)
        code = 2 * code + found[test]
    _, examples, table = np.unique(code, return_index=True, return_inverse=True)
    held = [{test: bool(found[test].flat[example]) for test in tests} for example in examples]
    return Part(places, table.reshape(shape)), held


def _line(paytable: Paytable, held: Mapping[Test, NDArray[np.bool_]]) -> NDArray[Any]:
    """Return the line that is paid: that with the largest share of a meter, then the one that pays most, the first."""
    best, most = np.array(len(paytable.lines)), np.array(-1)
    ranks = sorted({(line.share, line.pays) for line in paytable.lines})
    for number, line in enumerate(paytable.lines):
        better = _holds(line.when, held) & (ranks.index((line.share, line.pays)) > most)
        best, most = np.where(better, number, best), np.where(better, ranks.index((line.share, line.pays)), most)
    if paytable.offered is not None:
        best = np.where(_holds(paytable.offered, held), best, len(paytable.lines) + 1)
    return best


def compiled(matchers: Sequence[Matcher]) -> SideBets:
    """Return side bets as the compiled referee takes them."""
    bets: list[list[int]] = []
    parts: list[list[int]] = []
    tables: list[NDArray[np.uint8]] = [np.zeros(0, dtype=np.uint8)]
    steps: list[NDArray[np.uint16]] = [np.zeros((0, KINDS + 1), dtype=np.uint16)]
    lines: list[NDArray[np.uint8]] = []
    table_at = line_at = step_at = 0
    for bet in matchers:
        first = len(parts)
        for axis, part in enumerate(bet.parts):
            places = [PLACES.index(place) for place in part.places if place in PLACES]
            # Of a round: -3 and below, in the order of `ROUND`.
            of_round = part.places[0] in ROUND
            looks_at = -3 - ROUND.index(part.places[0]) if of_round else -(part.places == (BETS,)) or len(places)
            stride = prod(bet.lines.shape[axis + 1 :])
            if part.steps is not None:
                parts.append([-2, *[0] * _MOST_RANKS, step_at, stride])
                steps.append(np.column_stack([part.steps + step_at, part.table]).astype(np.uint16))
                step_at += len(part.steps)
                continue
            parts.append([looks_at, *places, *[0] * (_MOST_RANKS - len(places)), table_at, stride])
            tables.append(part.table.ravel())
            table_at += part.table.size
        bets.append([first, len(parts), line_at])
        lines.append(bet.lines.ravel())
        line_at += bet.lines.size
    if step_at >= 1 << 16:
        raise PaytableError("side bets that look at all cards of the dealer's hand: too many to be played at once")
    return SideBets(
        np.array(bets, dtype=np.int32),
        np.array(parts, dtype=np.int32),
        np.concatenate(tables),
        np.concatenate(lines),
        np.concatenate(steps),
    )
