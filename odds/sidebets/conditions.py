"""What a line of a paytable asks of the cards: a small vocabulary of tests, joined by all, any and not.

`read_condition` turns the plain data of a TOML file into a tree of `Test`, `All`, `Either` and `Not`; `holds` says
for which of many deals at once it holds. Nothing in a file is ever run as code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import combinations, permutations
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from odds.errors import HandError, PaytableError, suggestion
from odds.game.cards import RANK_SYMBOLS, SUITS, TEN, parse_cards
from odds.game.deck import KINDS
from odds.game.fields import expected, show_value

Array: TypeAlias = NDArray[Any]

PLAYER = "player"
DEALER = "dealer"
HAND = "hand"  # the dealer's whole hand, as he plays it out
BETS = "bets"  # the free bets of a round, which are no card
# How the player's main hand ends: the one that was dealt, after a split the one that is played first.
ROUND = (
    "result",
    "player_total",
    "player_cards",
    "player_blackjack",
    "dealer_total",
    "dealer_blackjack",
    "margin",
    "doubled",
    "split",
    "dealer_cards",
)
WIN, PUSH, LOSS, SURRENDER = RESULTS = range(4)
_RESULTS: Mapping[str, tuple[int, ...]] = {
    "win": (WIN,),
    "push": (PUSH,),
    "loss": (LOSS, SURRENDER),
    "surrender": (SURRENDER,),
}
MORE_THAN_22 = 23  # a total of the dealer's that is 23 or more

# The cards that a bet may look at, and the places in the deal where they lie.
LAYOUTS: Mapping[str, tuple[str, ...]] = {
    "player": ("first", "second"),
    "player+upcard": ("first", "second", "upcard"),
    "player+dealer": ("first", "second", "upcard", "hole"),
    "player-three": ("first", "second", "third"),
    "player-three+dealer": ("first", "second", "third", "upcard", "hole"),
    "player-four": ("first", "second", "third", "fourth"),
    "dealer": ("upcard", "hole"),
    "dealer-three": ("upcard", "hole", "drawn"),
    "dealer-hand": ("upcard", "hole", HAND),
    "player+dealer-hand": ("first", "second", "upcard", "hole", HAND),
    "free-bets": (BETS,),
    "round": ("first", "second", "upcard", *ROUND),
}
_SIDES: Mapping[str, tuple[str, ...]] = {
    PLAYER: ("first", "second", "third", "fourth"),
    DEALER: ("upcard", "hole", "drawn", HAND),
}
_WORDS = ("all", "any", "not", "of", "ace")
# The numbers of an ace among ranks that are compared: a two is 1, a king 12. All aces of a test have the same one.
ACES: Mapping[str, tuple[int, ...]] = {"low": (0,), "high": (len(RANK_SYMBOLS),), "either": (0, len(RANK_SYMBOLS))}
_ACE_WORDS = "'low', 'high' or 'either'"


class Order(NamedTuple):
    """What a test of the order of ranks asks for.

    Attributes:
        value: what the test's reader returns.
        ace: one of `ACES`; it holds where it does with one of these numbers for every ace.
        others: the places of the cards that it compares its own with.
    """

    value: Any
    ace: str
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Test:
    """One test of some cards.

    Attributes:
        name: one of `TESTS`.
        value: what it asks for, as the test's reader returns it; an `Order` where it goes by the order of ranks.
        places: where the cards that it looks at lie.
    """

    name: str
    value: Any
    places: tuple[str, ...]

    @property
    def roles(self) -> tuple[tuple[str, ...], ...]:
        """Its places in sets whose cards may be exchanged: one, or two where it compares some with others."""
        others = self.value.others if isinstance(self.value, Order) else ()
        own = tuple(place for place in self.places if place not in others)
        return (own, others) if others else (own,)


@dataclass(frozen=True, slots=True)
class All:
    """Holds where every part does."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """Holds where at least one part does."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """Holds where the part does not."""

    part: Condition


Condition: TypeAlias = Test | All | Either | Not


class Deals:
    """Many deals at once, as arrays that broadcast against each other; each kind of them knows some of this."""

    def holds(self, test: Test) -> Array:
        """Return for which of them a test holds."""
        return TESTS[test.name].holds(self, test.value, test.places)

    def rank(self, place: str) -> Array:
        """Return the rank of the card at a place, as indexes into `RANK_SYMBOLS`."""
        raise NotImplementedError

    def suit(self, place: str) -> Array:
        """Return its suit, as indexes into `SUITS`."""
        raise NotImplementedError

    def hand(self, what: str) -> Array:
        """Return of the dealer's whole hand a number or a flag that goes by what its cards count.

        These are its `total` (22 or more is a bust), `low`, `soft`, `cards`, how many `tens` it has, and without those
        how many are `alike` at most, how many `pairs` they make, and whether it has none and
        they are a `run`, with an ace at its low end if there is one of its `aces`. Of a
        round with free bets it is `bets`, how many there are; of a whole round one of `ROUND`: a number of
        `RESULTS`, totals (`MORE_THAN_22` where the dealer has more), by how many points a hand is better than that of
        a dealer who does not bust, the cards of such a dealer, and 0 or 1.
        """
        raise NotImplementedError

    def within(self, sets: tuple[int, ...]) -> Array:
        """Return whether all cards of the dealer's whole hand are in one of some sets of kinds, which are bits."""
        raise NotImplementedError

    def exactly(self, cards: tuple[tuple[int, int], ...]) -> Array:
        """Return whether the dealer's whole hand is these cards, pairs of a rank and a suit, -1 for every suit."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class TestKind:
    """A word of the vocabulary.

    Attributes:
        meaning: when the test holds, in words.
        allowed: the values that it takes, in words.
        read: returns the value to store, given the value of the file and how many cards are looked at (0 for the
            dealer's whole hand); raises ValueError with a reason, or without one where `allowed` says enough.
        holds: for which deals it holds.
        tells: returns what of a card the value asks for, as a number for each kind, the same for kinds that it does not
            tell apart; by default all kinds are.
        on_hand: whether it can look at the dealer's whole hand.
        of_round: which of `ROUND` it looks at, and at no card.
        by_order: whether it goes by the order of ranks, so that `ace` may stand beside it and its value is an `Order`.
        of_others: whether its value names other cards, to compare its own with.
    """

    meaning: str
    allowed: str
    read: Callable[[object, int], Any]
    holds: Callable[[Deals, Any, tuple[str, ...]], Array]
    tells: Callable[[Any], Array] = lambda value: np.arange(KINDS)
    on_hand: bool = False
    of_round: str = ""
    by_order: bool = False
    of_others: bool = False


def holds(condition: Condition, deals: Deals) -> Array:
    """Return for which of the deals a condition holds, as booleans that broadcast over them."""
    if isinstance(condition, Test):
        return deals.holds(condition)
    if isinstance(condition, Not):
        return np.logical_not(holds(condition.part, deals))
    join = np.logical_and if isinstance(condition, All) else np.logical_or
    return reduce(join, [holds(part, deals) for part in condition.parts])


def tests_of(condition: Condition) -> Iterator[Test]:
    """Yield the tests of a condition."""
    if isinstance(condition, Test):
        yield condition
    else:
        for part in (condition.part,) if isinstance(condition, Not) else condition.parts:
            yield from tests_of(part)


class ConditionReader:
    """Reads the conditions of one paytable.

    Attributes:
        cards: the cards that the bet looks at, one of `LAYOUTS`.
        named: the conditions that the file gives names to, in its order.
        used: the names that were read so far.
    """

    def __init__(self, cards: str, named: Mapping[str, object]) -> None:
        self.cards, self.named, self.used = cards, named, set[str]()

    def read(self, where: str, data: object) -> Condition:
        """Return the condition of plain data: a table of tests, or the name of a condition.

        Raises:
            PaytableError: it is not one; the message starts with `where`.
        """
        return self._read(where, data, list(self.named))

    def _read(self, where: str, data: object, names: Sequence[str]) -> Condition:
        """Return a condition that may use these names only, so that none can go round in a circle."""
        if isinstance(data, str):
            if data not in names:
                raise PaytableError(f"{where}: {_unknown_name(data, names, self.named)}")
            self.used.add(data)
            return self._read(f"conditions.{data}", self.named[data], names[: list(names).index(data)])
        if not isinstance(data, dict):
            raise PaytableError(
                f"{where}: expected a table of tests or the name of a condition, got {show_value(data)}"
            )
        if not data:
            raise PaytableError(f"{where}: expected at least one test, got an empty table")
        for key in data:
            if key not in TESTS and key not in _WORDS:
                known = f"the tests are {', '.join(TESTS)}; and {', '.join(_WORDS)}"
                hint = suggestion(key, (*TESTS, *_WORDS), known)
                raise PaytableError(f"{where}.{key}: unknown test; {hint}")
        parts = list(self._tests(where, data))
        for key in ("all", "any"):
            if key in data:
                joined = tuple(self._list(f"{where}.{key}", data[key], names))
                parts.append(All(joined) if key == "all" else Either(joined))
        if "not" in data:
            parts.append(Not(self._read(f"{where}.not", data["not"], names)))
        return parts[0] if len(parts) == 1 else All(tuple(parts))

    def _list(self, where: str, data: object, names: Sequence[str]) -> Iterator[Condition]:
        if not isinstance(data, list) or not data:
            raise PaytableError(f"{where}: expected a list of conditions, got {show_value(data)}")
        for number, item in enumerate(data, 1):
            yield self._read(f"{where}[{number}]", item, names)

    def _tests(self, where: str, data: Mapping[str, object]) -> Iterator[Condition]:
        tests = [key for key in data if key in TESTS]
        for word, beside in (
            ("of", [name for name in tests if not TESTS[name].of_round]),
            ("ace", [name for name in tests if TESTS[name].by_order]),
        ):
            if word in data and not beside:
                able = " of the order of ranks" if word == "ace" else " of cards" if tests else ""
                raise PaytableError(
                    f"{where}.{word}: there is no test{able} beside it; it does not reach into all, any, not"
                )
        for name in tests:
            kind = TESTS[name]
            here = f"{where}.{name}"
            others = self._others(here, data[name]) if kind.of_others else ()
            own = (kind.of_round,) if kind.of_round else self._places(where, data, but=others)
            self._check_places(here, name, own)
            if both := set(own) & set(others):
                raise PaytableError(f"{here}: {min(both)} is compared with itself")
            if not own:
                raise PaytableError(f"{here}: no card is left to compare with these")
            places = tuple(place for place in LAYOUTS[self.cards] if place in own + others)
            try:
                value = kind.read(data[name], len(others) if kind.of_others else 0 if HAND in own else len(own))
            except ValueError as error:
                raise PaytableError(f"{here}: {expected(kind.allowed, data[name], error)}") from None
            wanted = True if value is False else value
            if kind.by_order:
                wanted = Order(wanted, self._ace(where, name, data), others)
            test = Test(name, wanted, places)
            yield Not(test) if value is False else test

    def _check_places(self, where: str, name: str, places: tuple[str, ...]) -> None:
        if of_round := TESTS[name].of_round:
            if of_round not in LAYOUTS[self.cards]:
                raise PaytableError(f"{where}: goes with cards = 'round', which has a result, and with no other")
            return
        if set(places) & set(ROUND):
            raise PaytableError(f"{where}: needs an of beside it, such as of = 'player' for his first two cards")
        if (BETS in places) != (name == "free_bets"):
            raise PaytableError(f"{where}: cards = 'free-bets' goes with the test free_bets, and with no other")
        if HAND not in places:
            if name == "cards_in_hand":
                raise PaytableError(f"{where}: only the dealer's whole hand has a number of cards that varies")
        elif len(places) > 1:
            raise PaytableError(f"{where}: needs an of beside it, to say whether it looks at the player or the dealer")
        elif not TESTS[name].on_hand:
            able = ", ".join(other for other in TESTS if TESTS[other].on_hand)
            raise PaytableError(f"{where}: cannot look at the dealer's whole hand; what can is {able}")

    def _ace(self, where: str, name: str, data: Mapping[str, object]) -> str:
        """Return how an ace counts beside a test of the order of ranks; only a straight has a usual way."""
        if "ace" not in data and name != "straight":
            raise PaytableError(f"{where}.{name}: needs ace = {_ACE_WORDS} beside it, to say how an ace ranks")
        ace = data.get("ace", "either")
        if not isinstance(ace, str) or ace not in ACES:
            raise PaytableError(f"{where}.ace: expected {_ACE_WORDS}, got {show_value(ace)}")
        return ace

    def _others(self, where: str, value: object) -> tuple[str, ...]:
        """Return the places of the cards that a test compares its own with."""
        others = self._named(where, value)
        if HAND in others:
            raise PaytableError(f"{where}: the dealer's whole hand has no one rank to compare with")
        return others

    def _places(self, where: str, data: Mapping[str, object], but: Sequence[str] = ()) -> tuple[str, ...]:
        """Return the places that tests look at; without `of` all of the bet but some."""
        if "of" in data:
            return self._named(f"{where}.of", data["of"])
        if self.cards == "dealer-hand":
            return (HAND,)
        return tuple(place for place in LAYOUTS[self.cards] if place not in but)

    def _named(self, where: str, value: object) -> tuple[str, ...]:
        """Return the places that a list of places and sides names."""
        here = LAYOUTS[self.cards]
        asked = value if isinstance(value, list) else [value]
        sides = [side for side in _SIDES if set(_SIDES[side]) & set(here)]
        allowed = [*sides, *(place for place in here if place not in (HAND, BETS, *ROUND))]
        if not allowed:
            raise PaytableError(f"{where}: a bet on {self.cards} looks at no card")
        if not asked or any(item not in allowed for item in asked):
            raise PaytableError(
                f"{where}: expected one or more of {', '.join(allowed)} "
                f"(the bet looks at {self.cards}), got {show_value(value)}"
            )
        places = {place for item in asked for place in _SIDES.get(str(item), (str(item),))}
        if DEALER in asked and HAND in here:
            places -= {"upcard", "hole"}
        return tuple(place for place in here if place in places)


def _unknown_name(name: str, allowed: Sequence[str], named: Mapping[str, object]) -> str:
    if name in named:
        return f"the condition {name!r} must be defined further up than where it is used"
    hint = suggestion(name, allowed, f"those of the file are {', '.join(named) or 'none'}")
    return f"there is no condition {show_value(name)}; {hint}"


# ------------------------------------------------------------------------------------------- reading what tests ask


def _flag(value: object, cards: int) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


def _blackjack(value: object, cards: int) -> bool:
    if cards not in (0, 2):
        raise ValueError(f"{cards} card{'s are' if cards > 1 else ' is'} looked at")
    return _flag(value, cards)


def _sequence(value: object, cards: int) -> bool:
    if cards == 1:
        raise ValueError("one card alone is no straight")
    return _flag(value, cards)


def _gap(value: object, cards: int) -> tuple[int, ...]:
    if cards != 2:
        raise ValueError(f"{cards} card{'s are' if cards > 1 else ' is'} looked at")
    return _numbers(0, len(RANK_SYMBOLS) - 2)(value, cards)


def _two(value: object, cards: int) -> bool:
    if cards != 2:
        raise ValueError(f"{cards} card{'s are' if cards > 1 else ' is'} named")
    return True


def _any_number(value: object, cards: int) -> bool:
    return True


def _same(value: object, cards: int) -> frozenset[str]:
    asked = value if isinstance(value, list) else [value]
    if not asked or any(item not in tuple(_FEATURES) for item in asked):
        raise ValueError
    if cards == 1:
        raise ValueError("one card alone is looked at")
    return frozenset(asked)


def _of_a_kind(value: object, cards: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 2:
        raise ValueError
    if value > cards > 0:
        raise ValueError(f"{cards} cards are looked at")
    return value


def _pairs(value: object, cards: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError
    if 2 * value > cards > 0:
        raise ValueError(f"{cards} cards are looked at")
    return value


def _numbers(low: int, high: int) -> Callable[[object, int], tuple[int, ...]]:
    def read(value: object, cards: int) -> tuple[int, ...]:
        parts = value if isinstance(value, list) else [value]
        numbers: set[int] = set()
        for part in parts:
            if isinstance(part, bool) or not isinstance(part, int | str):
                raise ValueError
            match = re.fullmatch(r"([0-9]{1,2})(\+|-([0-9]{1,2}))?", str(part).replace(" ", ""))
            if match is None:
                raise ValueError
            first = int(match[1])
            last = int(match[3]) if match[3] else high if match[2] else first
            if not low <= first <= last <= high:
                raise ValueError(f"{part} is not within {low} to {high}")
            numbers.update(range(first, last + 1))
        if not numbers:
            raise ValueError
        return tuple(sorted(numbers))

    return read


def _card_list(value: object, cards: int) -> tuple[tuple[int, int], ...]:
    """Return cards as pairs of a rank and a suit, -1 where every suit will do."""
    asked = value if isinstance(value, list) else [value]
    found = []
    for item in asked:
        try:
            parsed = parse_cards(item) if isinstance(item, str) else ()
        except HandError:
            parsed = ()
        if len(parsed) != 1:
            raise ValueError(f"{show_value(item)} is not a card")
        suit = parsed[0].suit
        found.append((RANK_SYMBOLS.index(parsed[0].symbol), -1 if suit is None else SUITS.index(suit)))
    if not found:
        raise ValueError
    return tuple(found)


def _exact_cards(value: object, cards: int) -> tuple[tuple[int, int], ...]:
    asked = _card_list(value, cards)
    if cards and len(asked) != cards:
        raise ValueError(f"{cards} card{'s are' if cards > 1 else ' is'} looked at, {len(asked)} given")
    return asked


def _results(value: object, cards: int) -> tuple[int, ...]:
    asked = value if isinstance(value, list) else [value]
    if not asked or any(item not in tuple(_RESULTS) for item in asked):
        raise ValueError
    return tuple(sorted({number for item in asked for number in _RESULTS[str(item)]}))


def _dealer_totals(value: object, cards: int) -> tuple[int, ...]:
    numbers = _numbers(17, 26)(value, cards)
    more = [number for number in numbers if number >= MORE_THAN_22]
    if len(more) not in (0, 4):
        raise ValueError("23 to 26 are not told apart, '23+' are all of them")
    return (*(number for number in numbers if number < MORE_THAN_22), *more[:1])


def _suits(value: object, cards: int) -> frozenset[int]:
    asked = value if isinstance(value, list) else [value]
    if not asked or any(item not in tuple(SUITS) for item in asked):
        raise ValueError
    return frozenset(SUITS.index(str(item)) for item in asked)


# ------------------------------------------------------------------------------------------------- what tests look at

_RED = np.array([suit in "dh" for suit in SUITS])
_RANKS, _SUITS = np.divmod(np.arange(KINDS), len(SUITS))
VALUES = np.minimum(_RANKS, TEN)


def kind_sets(labels: Array) -> tuple[int, ...]:
    """Return the kinds that have a label in common, as bits, for each label."""
    return tuple(_set_of(labels == label) for label in np.unique(labels))


def _set_of(chosen: Array) -> int:
    return sum(1 << int(kind) for kind in np.flatnonzero(chosen))


# The ten-valued cards of a hand, which has two of them at most, are of one rank: each with all cards that are no ten.
_LIKE_TENS = tuple(
    sum(1 << kind for kind in range(KINDS) if _RANKS[kind] in (*range(TEN), rank))
    for rank in range(TEN, len(RANK_SYMBOLS))
)
# Of the straights of a dealer who stands on 17 those with a ten, which are of two cards.
_RUNS_WITH_TENS = [((rank, -1), ((rank + 1) % len(RANK_SYMBOLS), -1)) for rank in range(TEN - 1, len(RANK_SYMBOLS))]

_FEATURES: Mapping[str, Callable[[Deals, str], Array]] = {
    "rank": lambda deals, place: deals.rank(place),
    "suit": lambda deals, place: deals.suit(place),
    "colour": lambda deals, place: _RED[deals.suit(place)],
    "value": lambda deals, place: np.minimum(deals.rank(place), TEN),
}


def _every(parts: Sequence[Array]) -> Array:
    return reduce(np.logical_and, parts)


def _some(parts: Sequence[Array]) -> Array:
    return reduce(np.logical_or, parts)


def _points(deals: Deals, places: tuple[str, ...]) -> tuple[Array, Array]:
    """Return the totals with every ace as one, and whether there is an ace."""
    ranks = [deals.rank(place) for place in places]
    low = reduce(np.add, [np.minimum(rank, TEN) + 1 for rank in ranks])
    return low, _some([rank == 0 for rank in ranks])


def _is_soft(deals: Deals, value: Any, places: tuple[str, ...]) -> Array:
    if HAND in places:
        return deals.hand("soft")
    low, ace = _points(deals, places)
    return ace & (low <= 11)


def _total_is(deals: Deals, value: tuple[int, ...], places: tuple[str, ...]) -> Array:
    if HAND in places:
        return np.isin(deals.hand("total"), value)
    low, ace = _points(deals, places)
    return np.isin(low + 10 * (ace & (low <= 11)), value)


def _low_total_is(deals: Deals, value: tuple[int, ...], places: tuple[str, ...]) -> Array:
    return np.isin(deals.hand("low") if HAND in places else _points(deals, places)[0], value)


def _busts(deals: Deals, value: Any, places: tuple[str, ...]) -> Array:
    return np.greater(deals.hand("low") if HAND in places else _points(deals, places)[0], 21)


def _is_blackjack(deals: Deals, value: Any, places: tuple[str, ...]) -> Array:
    if HAND in places:
        return np.equal(deals.hand("cards"), 2) & np.equal(deals.hand("total"), 21)
    return _total_is(deals, (21,), places)


def _card_count_is(deals: Deals, value: tuple[int, ...], places: tuple[str, ...]) -> Array:
    return np.isin(deals.hand("cards"), value)


def _bets_are(deals: Deals, value: tuple[int, ...], places: tuple[str, ...]) -> Array:
    return np.isin(deals.hand("bets"), value)


def _round_is(deals: Deals, value: tuple[int, ...], places: tuple[str, ...]) -> Array:
    return np.isin(deals.hand(places[0]), value)


def _round_has(deals: Deals, value: Any, places: tuple[str, ...]) -> Array:
    return np.not_equal(deals.hand(places[0]), 0)


def _round_busts(deals: Deals, value: Any, places: tuple[str, ...]) -> Array:
    return np.greater(deals.hand(places[0]), 21)


@lru_cache(maxsize=16)
def _alike(value: frozenset[str]) -> tuple[int, ...]:
    return kind_sets(_features(value))


def _same_features(deals: Deals, value: frozenset[str], places: tuple[str, ...]) -> Array:
    if HAND in places:
        return deals.within(_alike(value))
    equal: list[Array] = []
    for feature in sorted(value):
        first, *rest = (_FEATURES[feature](deals, place) for place in places)
        equal.extend(first == other for other in rest)
    return _every(equal)


def _has_of_a_kind(deals: Deals, value: int, places: tuple[str, ...]) -> Array:
    if HAND in places:
        of_tens = np.greater_equal(deals.hand("tens"), value) & deals.within(_LIKE_TENS)
        return np.logical_or(deals.hand("alike") >= value, of_tens)
    return _some([_same_features(deals, frozenset(("rank",)), chosen) for chosen in combinations(places, value)])


def _has_pairs(deals: Deals, value: int, places: tuple[str, ...]) -> Array:
    if HAND in places:
        of_tens = np.equal(deals.hand("tens"), 2) & deals.within(_LIKE_TENS)
        enough: Array = deals.hand("pairs") + of_tens >= value
        return enough
    found: list[Array] = []
    for pair in combinations(places, 2):
        others = tuple(place for place in places if place not in pair)
        same = _same_features(deals, frozenset(("rank",)), pair)
        found += [same & _has_pairs(deals, value - 1, others)] if len(others) >= 2 * value - 2 > 0 else [same]
    return _some(found)


def _numbered(deals: Deals, places: tuple[str, ...], ace: int) -> list[Array]:
    """Return the ranks at some places as numbers, with that of an ace."""
    return [np.where(rank == 0, ace, rank) for rank in map(deals.rank, places)]


def _extremes(numbers: Sequence[Array]) -> tuple[Array, Array]:
    return reduce(np.minimum, numbers), reduce(np.maximum, numbers)


def _is_straight(deals: Deals, value: Order, places: tuple[str, ...]) -> Array:
    if HAND in places:
        low, high = (ace in ACES[value.ace] for ace in (0, len(RANK_SYMBOLS)))
        below_tens = np.logical_and(deals.hand("run"), low | np.equal(deals.hand("aces"), 0))
        return _some([below_tens, *map(deals.exactly, _RUNS_WITH_TENS if high else _RUNS_WITH_TENS[:-1])])
    different = _every([a != b for a, b in combinations(map(deals.rank, places), 2)])

    def close(ace: int) -> Array:
        lowest, highest = _extremes(_numbered(deals, places, ace))
        spread: Array = highest - lowest
        return np.equal(spread, len(places) - 1)

    return _every([different, _some([close(ace) for ace in ACES[value.ace]])])


def _has_gap(deals: Deals, value: Order, places: tuple[str, ...]) -> Array:
    def fits(ace: int) -> Array:
        lowest, highest = _extremes(_numbered(deals, places, ace))
        return np.isin(highest - lowest - 1, value.value)

    return _some([fits(ace) for ace in ACES[value.ace]])


def _is_between(deals: Deals, value: Order, places: tuple[str, ...]) -> Array:
    own = tuple(place for place in places if place not in value.others)

    def inside(ace: int) -> Array:
        lowest, highest = _extremes(_numbered(deals, value.others, ace))
        return _every([(lowest < card) & (card < highest) for card in _numbered(deals, own, ace)])

    return _some([inside(ace) for ace in ACES[value.ace]])


def _is_above(deals: Deals, value: Order, places: tuple[str, ...]) -> Array:
    own = tuple(place for place in places if place not in value.others)

    def over(ace: int) -> Array:
        lowest, _ = _extremes(_numbered(deals, own, ace))
        return np.greater(lowest, _extremes(_numbered(deals, value.others, ace))[1])

    return _some([over(ace) for ace in ACES[value.ace]])


def _is_card(deals: Deals, card: tuple[int, int], place: str) -> Array:
    rank, suit = card
    same: Array = deals.rank(place) == rank
    return same if suit < 0 else same & (deals.suit(place) == suit)


def _are_cards(deals: Deals, value: tuple[tuple[int, int], ...], places: tuple[str, ...]) -> Array:
    if HAND in places:
        return deals.exactly(value)
    return _some(
        [
            _every([_is_card(deals, card, place) for card, place in zip(order, places, strict=True)])
            for order in sorted(set(permutations(value)))
        ]
    )


def _each_is(deals: Deals, value: tuple[tuple[int, int], ...], places: tuple[str, ...]) -> Array:
    if HAND in places:
        return deals.within((_set_of(_listed(value)),))
    return _every([_some([_is_card(deals, card, place) for card in value]) for place in places])


def _some_is(deals: Deals, value: tuple[tuple[int, int], ...], places: tuple[str, ...]) -> Array:
    if HAND in places:
        return np.logical_not(deals.within((_set_of(~_listed(value)),)))
    return _some([_is_card(deals, card, place) for card in value for place in places])


def _suits_are(deals: Deals, value: frozenset[int], places: tuple[str, ...]) -> Array:
    if HAND in places:
        return deals.within((_set_of(_of_suits(value)),))
    return _every([np.isin(deals.suit(place), sorted(value)) for place in places])


def _features(value: Iterable[str]) -> Array:
    """Return what of a card these features are, as a number for each kind."""
    of = {"rank": _RANKS, "suit": _SUITS, "colour": _RED[_SUITS].astype(int), "value": VALUES}
    return reduce(lambda labels, feature: labels * KINDS + of[feature], sorted(value), np.zeros(KINDS, dtype=np.int64))


def _listed(value: Iterable[tuple[int, int]]) -> Array:
    """Return of each kind whether it is among these cards."""
    found = np.zeros(KINDS, dtype=bool)
    for rank, suit in value:
        found |= np.equal(_RANKS, rank) & (np.equal(_SUITS, suit) if suit >= 0 else True)
    return found


def _of_suits(value: Iterable[int]) -> Array:
    return np.isin(_SUITS, sorted(value))


def _each_listed(value: Iterable[tuple[int, int]]) -> Array:
    return reduce(
        lambda labels, card: 2 * labels + _listed([card]), sorted(set(value)), np.zeros(KINDS, dtype=np.int64)
    )


def _ranks(value: Any) -> Array:
    return _RANKS


def _values(value: Any) -> Array:
    return VALUES


def _aces_and_tens(value: Any) -> Array:
    return np.where(VALUES == 0, 1, np.where(VALUES == TEN, 2, 0))


def _nothing(value: Any) -> Array:
    return np.zeros(KINDS, dtype=np.int64)


_TRUE_FALSE = "true or false"
_NUMBERS = "a whole number, a range such as '14-21' or '8+', or a list of them"
_CARDS = "a card such as 'Q' or 'Qh', or a list of cards"

TESTS: Mapping[str, TestKind] = {
    "same": TestKind(
        "All cards have this in common. `value` is what they count: every ten-valued card has the same.",
        f"{', '.join(_FEATURES)}, or a list of them, and at least two cards",
        _same,
        _same_features,
        _features,
        on_hand=True,
    ),
    "of_a_kind": TestKind(
        "At least so many of the cards have one rank: 2 is a pair or better, 3 three of a kind.",
        "a whole number of cards, 2 or more",
        _of_a_kind,
        _has_of_a_kind,
        _ranks,
        on_hand=True,
    ),
    "pairs": TestKind(
        "So many pairs of cards of one rank can be made of them: four of a kind are 2, three of a kind 1.",
        "a whole number of pairs",
        _pairs,
        _has_pairs,
        _ranks,
        on_hand=True,
    ),
    "straight": TestKind(
        "The ranks follow each other; an ace is low or high, never in the middle, or what `ace` says.",
        f"{_TRUE_FALSE}, and at least two cards",
        _sequence,
        _is_straight,
        _ranks,
        on_hand=True,
        by_order=True,
    ),
    "gap": TestKind(
        "So many ranks lie between those of the two cards: 0 is neighbours. A pair has no gap.",
        f"{_NUMBERS}, and two cards",
        _gap,
        _has_gap,
        _ranks,
        by_order=True,
    ),
    "between": TestKind(
        "Every card ranks over one of two others and under the other one.",
        "two other cards, as in `of`",
        _two,
        _is_between,
        _ranks,
        by_order=True,
        of_others=True,
    ),
    "above": TestKind(
        "Every card ranks over every other one that is named.",
        "other cards, as in `of`",
        _any_number,
        _is_above,
        _ranks,
        by_order=True,
        of_others=True,
    ),
    "total": TestKind(
        "The total, an ace counting as 11 unless that would be over 21; 22 and more is a bust.",
        _NUMBERS,
        _numbers(2, 50),
        _total_is,
        _values,
        on_hand=True,
    ),
    "low_total": TestKind(
        "The total with every ace counting as one.", _NUMBERS, _numbers(1, 50), _low_total_is, _values, on_hand=True
    ),
    "soft": TestKind("An ace counts as 11 in the total.", _TRUE_FALSE, _flag, _is_soft, _values, on_hand=True),
    "busts": TestKind("The total is over 21.", _TRUE_FALSE, _flag, _busts, _values, on_hand=True),
    "blackjack": TestKind(
        "An ace and a ten-valued card.",
        f"{_TRUE_FALSE}, and two cards",
        _blackjack,
        _is_blackjack,
        _aces_and_tens,
        on_hand=True,
    ),
    "cards": TestKind(
        "Exactly these cards, in any order; a rank without a suit is a card of any suit, and T the ten only.",
        f"{_CARDS}, as many as are looked at",
        _exact_cards,
        _are_cards,
        _each_listed,
        on_hand=True,
    ),
    "each": TestKind("Every card is one of these.", _CARDS, _card_list, _each_is, _listed, on_hand=True),
    "some": TestKind("At least one card is one of these.", _CARDS, _card_list, _some_is, _listed, on_hand=True),
    "suits": TestKind(
        "Every card is of one of these suits.",
        f"a suit, one of {', '.join(SUITS)}, or a list of suits",
        _suits,
        _suits_are,
        _of_suits,
        on_hand=True,
    ),
    "free_bets": TestKind(
        "So many free bets are made in the round; `cards` is `free-bets`.",
        _NUMBERS,
        _numbers(0, 9),
        _bets_are,
        _nothing,
    ),
    "cards_in_hand": TestKind(
        "The dealer's hand ends with so many cards.", _NUMBERS, _numbers(2, 24), _card_count_is, _nothing, on_hand=True
    ),
    "result": TestKind(
        "The main hand ends so; a surrender is a loss too. `cards` is `round` for this test and all that follow.",
        f"{', '.join(_RESULTS)}, or a list of them",
        _results,
        _round_is,
        of_round="result",
    ),
    "player_total": TestKind(
        "The main hand ends with this total, 22 and more being a bust.",
        _NUMBERS,
        _numbers(4, 31),
        _round_is,
        of_round="player_total",
    ),
    "player_cards": TestKind(
        "The main hand ends with so many cards.", _NUMBERS, _numbers(2, 22), _round_is, of_round="player_cards"
    ),
    "player_busts": TestKind("The main hand ends over 21.", _TRUE_FALSE, _flag, _round_busts, of_round="player_total"),
    "player_blackjack": TestKind(
        "The first two cards are an ace and a ten-valued card.",
        _TRUE_FALSE,
        _flag,
        _round_has,
        of_round="player_blackjack",
    ),
    "dealer_total": TestKind(
        "The dealer's hand ends with this total; he plays it out whatever the player's hands did.",
        f"{_NUMBERS}, all of '23+' together",
        _dealer_totals,
        _round_is,
        of_round="dealer_total",
    ),
    "dealer_busts": TestKind(
        "The dealer's hand, played out whatever the player's hands did, ends over 21.",
        _TRUE_FALSE,
        _flag,
        _round_busts,
        of_round="dealer_total",
    ),
    "dealer_cards": TestKind(
        "The dealer's hand ends with so many cards and does not bust.",
        _NUMBERS,
        _numbers(2, 22),
        _round_is,
        of_round="dealer_cards",
    ),
    "dealer_blackjack": TestKind(
        "The dealer has a blackjack.", _TRUE_FALSE, _flag, _round_has, of_round="dealer_blackjack"
    ),
    "wins_by": TestKind(
        "The main hand wins with a total that is so much over that of a dealer who does not bust.",
        _NUMBERS,
        _numbers(1, 4),
        _round_is,
        of_round="margin",
    ),
    "doubled": TestKind("The main hand is doubled.", _TRUE_FALSE, _flag, _round_has, of_round="doubled"),
    "split": TestKind("The first two cards are split.", _TRUE_FALSE, _flag, _round_has, of_round="split"),
}
