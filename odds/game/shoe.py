"""The cards still to come: how many of each value, and of the tens, of each rank where that is known."""

import operator
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import gcd, perm
from typing import Final, SupportsIndex

from odds.errors import ShoeError
from odds.game.cards import RANK_SYMBOLS, RANKS, TEN, Card, count_cards, plain_ranks
from odds.game.deck import INFINITE, STANDARD, Deck, by_rank, decks_words, whole_decks

MAX_DECKS: Final = 100_000
MAX_CARDS: Final = STANDARD.total * MAX_DECKS

_TEN_RANKS: Final = "TJQK"
_NAMES: Final = dict(
    zip(RANK_SYMBOLS, ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine"], strict=False)
) | {"T": "ten-valued card", "J": "jack", "Q": "queen", "K": "king"}


@dataclass(frozen=True, slots=True, repr=False)
class Shoe:
    """The cards of a shoe.

    Best made by `of_decks`, `of_counts` and `without`. `without` may take the last card; the other two refuse
    to make an empty shoe.

    Attributes:
        counts: how many cards there are of each value, in the order of `RANKS`.
        ten_ranks: how many tens, jacks, queens and kings there were before any ten-valued card of unspecified
            rank was taken; None where only the values are known.
        unspecified_tens_gone: how many such cards were taken. Where `ten_ranks` is known,
            `counts[9] == sum(ten_ranks) - unspecified_tens_gone`.
        endless: the shoe is one of infinitely many decks: cards are drawn with replacement, so that none is ever
            missed. Its counts, those of `MAX_DECKS`, only say what share each value has.
    """

    counts: tuple[int, ...]
    ten_ranks: tuple[int, int, int, int] | None = None
    unspecified_tens_gone: int = 0
    endless: bool = False

    def __post_init__(self) -> None:
        if len(self.counts) != len(RANKS):
            raise ShoeError(f"expected ten counts, for {' '.join(RANKS)}, got {len(self.counts)}")
        if set(map(type, self.counts)) != {int} or min(self.counts) < 0:
            for symbol, count in zip(RANKS, self.counts, strict=True):
                _check_count(symbol, count)
        if self.total > MAX_CARDS:
            raise ShoeError(f"expected at most {MAX_DECKS:,} decks ({MAX_CARDS:,} cards), got {self.total:,} cards")
        _check_count("unspecified tens gone", self.unspecified_tens_gone)
        if self.ten_ranks is None:
            return
        if len(self.ten_ranks) != len(_TEN_RANKS):
            raise ShoeError(f"expected counts of {' '.join(_TEN_RANKS)}, got {self.ten_ranks!r}")
        for symbol, count in zip(_TEN_RANKS, self.ten_ranks, strict=True):
            _check_count(symbol, count)
        if self.counts[TEN] != sum(self.ten_ranks) - self.unspecified_tens_gone:
            raise ShoeError(
                f"{self.counts[TEN]} ten-valued cards do not agree with {self.ten_ranks!r} of T, J, Q, K and "
                f"{self.unspecified_tens_gone} gone"
            )

    @classmethod
    def of_decks(cls, decks: int | str, deck: Deck = STANDARD) -> "Shoe":
        """Return the full shoe of 1 to 100,000 decks, or of infinitely many.

        Args:
            decks: how many, or `infinite`.
            deck: what is in each; 52 cards if left out.

        Raises:
            ShoeError: `decks` is not a whole number in that range.
        """
        if decks == INFINITE:
            return replace(cls.of_decks(MAX_DECKS, deck), endless=True)
        number = _whole("decks", decks)
        if not 1 <= number <= MAX_DECKS:
            raise ShoeError(f"expected 1 to {MAX_DECKS:,} decks, got {number}")
        ranks = [number * count for count in by_rank(deck.counts)]
        tens, jacks, queens, kings = ranks[TEN:]
        return cls((*ranks[:TEN], sum(ranks[TEN:])), (tens, jacks, queens, kings))

    @classmethod
    def of_counts(cls, counts: Sequence[int] | Mapping[str, int]) -> "Shoe":
        """Return the shoe with these counts.

        Args:
            counts: ten counts (A to 9, and all ten-valued cards together, whose ranks then are unknown), or thirteen (A
                to 9, T, J, Q, K), or a mapping from rank to count, where a rank left out has none. In a mapping `T` is
                the rank ten if any of J, Q, K is there, otherwise all ten-valued cards.

        Raises:
            ShoeError: a rank is unknown or there twice, a count is negative or not a whole number, or the
                shoe is empty or larger than 100,000 decks.
        """
        if isinstance(counts, Mapping):
            shoe = cls._of_mapping(counts)
        elif isinstance(counts, str) or not isinstance(counts, Iterable):
            raise ShoeError(f"expected ten counts (A to T), thirteen (A to K) or a mapping, got {counts!r}")
        else:
            given = list(counts)
            symbols = {len(RANKS): RANKS, len(RANK_SYMBOLS): RANK_SYMBOLS}.get(len(given))
            if symbols is None:
                raise ShoeError(f"expected ten counts (A to T) or thirteen (A to K), got {len(given)}")
            shoe = cls._of_mapping(dict(zip(symbols, given, strict=True)))
        if not shoe.total:
            raise ShoeError("the shoe is empty: expected at least one card")
        return shoe

    @classmethod
    def _of_mapping(cls, counts: Mapping[str, int]) -> "Shoe":
        known: dict[str, int] = {}
        for key, count in counts.items():
            symbol = plain_ranks(key) if isinstance(key, str) else key
            if symbol not in _NAMES:
                raise ShoeError(f"expected a rank, one of {' '.join(RANK_SYMBOLS)}, got {key!r}")
            if symbol in known:
                raise ShoeError(f"the count of {symbol} is given twice")
            known[symbol] = _whole(f"the count of {symbol}", count)
        tens = tuple(known.get(symbol, 0) for symbol in _TEN_RANKS)
        values = tuple(known.get(symbol, 0) for symbol in RANKS[:TEN])
        for symbol, count in known.items():
            _check_count(symbol, count)
        return cls((*values, sum(tens)), (tens[0], tens[1], tens[2], tens[3]) if known.keys() & set("JQK") else None)

    @property
    def total(self) -> int:
        """How many cards there are."""
        return sum(self.counts)

    @property
    def step(self) -> int:
        """How many fewer of a card there are once it is drawn: 1, or 0 in an endless shoe."""
        return 0 if self.endless else 1

    def denominator(self, cards: int) -> int:
        """Return a number of which the denominator of the probability of so many cards, in order, is a divisor."""
        if self.endless:
            return int((self.total // gcd(*self.counts)) ** cards)
        return perm(self.total, min(cards, self.total))

    def count(self, symbol: str) -> int:
        """Return how many cards of a rank there are.

        Args:
            symbol: one of `RANK_SYMBOLS`; `T` (or `10`) asks for all ten-valued cards. Of J, Q and K the
                answer is how many there can be at most, as cards taken as unspecified tens may be among them.

        Raises:
            ShoeError: the symbol is unknown, or the shoe does not know the ranks of its tens.
        """
        symbol = plain_ranks(symbol)
        if symbol not in _NAMES:
            raise ShoeError(f"expected a rank, one of {' '.join(RANK_SYMBOLS)}, got {symbol!r}")
        if symbol in RANKS:
            return self.counts[RANKS.index(symbol)]
        if self.ten_ranks is None:
            raise ShoeError(f"this shoe does not say how many of its {self.counts[TEN]} ten-valued cards are {symbol}")
        return min(self.ten_ranks[_TEN_RANKS.index(symbol)], self.counts[TEN])

    def without(self, cards: str | Iterable[Card] | Iterable[int]) -> "Shoe":
        """Return the shoe with these cards taken out; suits are not looked at.

        `K` takes a king, `T` a ten-valued card of unspecified rank. Where the shoe does not know the ranks of
        its tens, any of T, J, Q, K takes one of them.

        >>> Shoe.of_decks(1).without("T,4").counts
        (4, 4, 4, 3, 4, 4, 4, 4, 4, 15)

        Args:
            cards: a text as for `parse_cards`, cards, or indexes into `RANKS`.

        Raises:
            ShoeError: there are not as many of a card as asked for; of an endless shoe, which stays as it is, none.
            HandError: the text cannot be read.
        """
        if self.endless:
            replace(self, endless=False).without(cards)
            return self
        if isinstance(cards, str):
            asked = by_symbol(count_cards(cards))
        else:
            taken: tuple[Card | int, ...] = tuple(cards)
            values = [card for card in taken if type(card) is int and 0 <= card <= TEN]
            if len(values) == len(taken):
                return self._without_values(values)
            asked = Counter(_symbol(card) for card in taken)
        counts = list(self.counts)
        for symbol in RANKS[:TEN]:
            counts[RANKS.index(symbol)] -= asked[symbol]
            if counts[RANKS.index(symbol)] < 0:
                raise _missing(symbol, self.counts[RANKS.index(symbol)], asked[symbol])
        ten_ranks = self.ten_ranks
        if ten_ranks is not None:
            for symbol in "JQK":
                if asked[symbol] > self.count(symbol):
                    raise _missing(symbol, self.count(symbol), asked[symbol])
            tens, jacks, queens, kings = ten_ranks
            ten_ranks = (tens, jacks - asked["J"], queens - asked["Q"], kings - asked["K"])
        asked_tens = sum(asked[symbol] for symbol in _TEN_RANKS)
        counts[TEN] -= asked_tens
        if counts[TEN] < 0:
            raise _missing("T", self.counts[TEN], asked_tens)
        unspecified = asked["T"] if ten_ranks is not None else 0
        return Shoe(tuple(counts), ten_ranks, self.unspecified_tens_gone + unspecified)

    def _without_values(self, values: Sequence[int]) -> "Shoe":
        """Return the shoe without cards of these value indexes."""
        counts = list(self.counts)
        for value in values:
            counts[value] -= 1
        if min(counts) < 0:
            short = next(value for value, count in enumerate(counts) if count < 0)
            raise _missing(RANKS[short], self.counts[short], values.count(short))
        unspecified = values.count(TEN) if self.ten_ranks is not None else 0
        return Shoe(tuple(counts), self.ten_ranks, self.unspecified_tens_gone + unspecified)

    def __str__(self) -> str:
        known = self.ten_ranks is not None and not self.unspecified_tens_gone
        if self.endless:
            ranks = (*self.counts[:TEN], *(self.ten_ranks or ()))
            lacks = "".join(symbol for symbol, n in zip(RANK_SYMBOLS, ranks, strict=False) if not n)
            return decks_words(INFINITE, STANDARD.without(lacks))
        if known and (found := whole_decks((*self.counts[:TEN], *(self.ten_ranks or ())))):
            return f"{decks_words(*found)} ({self.total:,} cards)"
        cards = " ".join(f"{symbol}:{count}" for symbol, count in zip(RANKS, self.counts, strict=True) if count)
        tens = ""
        if self.ten_ranks is not None:
            pairs = zip(_TEN_RANKS, self.ten_ranks, strict=True)
            gone = self.unspecified_tens_gone
            tens = f" (tens {' '.join(f'{s}:{n}' for s, n in pairs)}{f' less any {gone}' if gone else ''})"
        return f"{self.total:,} card{'' if self.total == 1 else 's'}{': ' if cards else ''}{cards}{tens}"

    def __repr__(self) -> str:
        if self == Shoe.of_decks(INFINITE):
            return f"Shoe.of_decks({INFINITE!r})"
        if not self.total or self.endless:
            given = (self.counts, self.ten_ranks, self.unspecified_tens_gone, *[True] * self.endless)
            return f"Shoe{given!r}"
        if self.ten_ranks is None:
            return f"Shoe.of_counts({list(self.counts)!r})"
        gone = self.unspecified_tens_gone
        whole = f"Shoe.of_counts({[*self.counts[:TEN], *self.ten_ranks]!r})"
        return f"{whole}.without({[TEN] * gone!r})" if gone else whole


def by_symbol(cards: Mapping[Card, int]) -> Counter[str]:
    """Return how many cards there are of each rank, whatever their suits."""
    result: Counter[str] = Counter()
    for card, number in cards.items():
        result[card.symbol] += number
    return result


def refuse_cards(decks: int | str, removed: str, left: str) -> None:
    """Refuse cards taken out of infinitely many decks, or left of them.

    Raises:
        ShoeError: there are such.
    """
    if decks == INFINITE and (removed or left):
        what, cards = ("left", left) if left else ("removed", removed)
        raise ShoeError(f"decks={INFINITE}: expected no cards {what}, as no card is ever missed; got {cards}")


def _symbol(card: Card | int) -> str:
    if isinstance(card, Card):
        return card.symbol
    try:
        index = _whole("a card's value", card)
        if 0 <= index < len(RANKS):
            return RANKS[index]
    except ShoeError:
        pass
    raise ShoeError(f"expected cards or values from 0 (ace) to {TEN} (ten), got {card!r}")


def _whole(what: str, number: object) -> int:
    if isinstance(number, bool) or not isinstance(number, SupportsIndex):
        raise ShoeError(f"{what}: expected a whole number, got {number!r}")
    return operator.index(number)


def _check_count(symbol: str, count: int) -> None:
    if isinstance(count, bool) or not isinstance(count, int):
        raise ShoeError(f"{symbol}: expected a whole number of cards, got {count!r}")
    if count < 0:
        raise ShoeError(f"{symbol}: expected no fewer than 0 cards, got {count}")


def _missing(symbol: str, there: int, asked: int) -> ShoeError:
    name = _NAMES[symbol]
    plural = "sixes" if name == "six" else f"{name}s"
    asked_for = f"{asked} {name if asked == 1 else plural}"
    return ShoeError(f"cannot take {asked_for} out of a shoe with {there if there else 'none'}")
