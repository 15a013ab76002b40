"""Cards as text and as values: what a hand is called and what it is worth.

The kernel knows ten values only: index 0 is the ace, 1 to 8 are two to nine, and 9 is every ten-valued card.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from odds.errors import HandError

RANKS: Final = "A23456789T"
RANK_SYMBOLS: Final = "A23456789TJQK"
SUITS: Final = "cdhs"
TEN: Final = 9

_SUIT_SIGNS: Final = {"♣": "c", "♦": "d", "♥": "h", "♠": "s"}
_VALUE: Final = {symbol: min(index, TEN) for index, symbol in enumerate(RANK_SYMBOLS)}

# \ufe0f is what keyboards add to a suit sign to ask for its coloured picture.
_CARD: Final = re.compile(
    r"(?:([0-9]{1,8})\s*[x×]\s*)?(10|[A2-9TJQK])([cdhs]|[♣♦♥♠]\ufe0f?)?", re.IGNORECASE | re.ASCII
)
_SEPARATOR: Final = re.compile(r"\s*[,;]?\s*")
_ALLOWED: Final = "A, 2 to 9, T or 10, J, Q, K, each with c, d, h or s after it where the suit matters"
_MOST_CARDS: Final = 10_000_000  # more than any shoe has


@dataclass(frozen=True, slots=True)
class Card:
    """One card; `T` is the ten and, where the rank of a ten does not matter, any ten-valued card.

    Attributes:
        symbol: one of `RANK_SYMBOLS`.
        suit: one of `SUITS`, or None where it is not known.
    """

    symbol: str
    suit: str | None = None

    def __post_init__(self) -> None:
        if self.symbol not in _VALUE:
            raise HandError(f"expected a rank, one of {' '.join(RANK_SYMBOLS)}, got {self.symbol!r}")
        if self.suit is not None and (len(self.suit) != 1 or self.suit not in SUITS):
            raise HandError(f"expected a suit, one of {' '.join(SUITS)}, got {self.suit!r}")

    @property
    def value(self) -> int:
        """The index of the card's value in `RANKS`: 0 for an ace, 9 for any ten-valued card."""
        return _VALUE[self.symbol]

    def __str__(self) -> str:
        return self.symbol + (self.suit or "")


def plain_ranks(text: str) -> str:
    """Return a text in which ranks are written as in `RANK_SYMBOLS`: capitals do not matter, and `10` is `T`.

    >>> plain_ranks("a,10")
    'A,T'
    """
    return text.upper().replace("10", "T")


def parse_cards(text: str) -> tuple[Card, ...]:
    """Return the cards of a text such as `8,8`, `A7`, `Qh Qh` or `10,4`, in the order written.

    Capitals do not matter. Cards are separated by a comma, a semicolon, spaces or nothing; a number and `x` before a
    card say how many of it there are.

    >>> [str(card) for card in parse_cards("A♠ 10,2xq")]
    ['As', 'T', 'Q', 'Q']

    Args:
        text: the cards; an empty text has none.

    Raises:
        HandError: some part is not a card, a separator has no card on one side, or there are over 10,000,000.
    """
    return tuple(card for card, number in _counted(text) for _ in range(number))


def count_cards(text: str) -> dict[Card, int]:
    """Return how many there are of each card of a text, in the order in which they come first; see `parse_cards`.

    >>> {str(card): number for card, number in count_cards("4x4,5,4").items()}
    {'4': 5, '5': 1}
    """
    counts: dict[Card, int] = {}
    for card, number in _counted(text):
        counts[card] = counts.get(card, 0) + number
    return counts


def write_cards(counts: Mapping[Card, int]) -> str:
    """Return counted cards as a text that `count_cards` reads.

    >>> write_cards({Card("4"): 4, Card("5"): 1})
    '4x4,5'
    """
    return ",".join(f"{number}x{card}" if number > 1 else str(card) for card, number in counts.items() if number)


def _counted(text: str) -> list[tuple[Card, int]]:
    if not isinstance(text, str):
        raise HandError(f"expected cards as a text, such as 'T,6', got {text!r}")
    end = len(text.rstrip())
    at = len(text) - len(text.lstrip())
    cards: list[tuple[Card, int]] = []
    while at < end:
        match = _CARD.match(text, at, end)
        if match is None:
            rest = re.split(r"[\s,;]", text[at:end], maxsplit=1)[0] or text[at]
            where = f"at position {at + 1} of {_shorten(text)!r}"
            raise HandError(f"cannot read {_shorten(rest)!r} {where}; a card is {_ALLOWED}")
        number, rank, suit = match.groups()
        card = Card(plain_ranks(rank), _SUIT_SIGNS.get(suit[0], suit.lower()) if suit else None)
        cards.append((card, int(number or 1)))
        at = match.end()
        if at < end:
            separator = _SEPARATOR.match(text, at, end)
            at = separator.end() if separator else at
            if at == end:
                raise HandError(f"expected a card after the last separator of {_shorten(text)!r}")
    if sum(number for _, number in cards) > _MOST_CARDS:
        raise HandError(f"expected at most {_MOST_CARDS:,} cards, got {_shorten(text)!r}")
    return cards


def hand_total(values: Iterable[int]) -> tuple[int, bool]:
    """Return the best total of a hand and whether it is soft, which is to say counts an ace as 11.

    >>> hand_total([0, 6])
    (18, True)
    >>> hand_total([0, 6, 8])
    (17, False)

    Args:
        values: indexes into `RANKS`.
    """
    total = 0
    ace = False
    for value in values:
        total += value + 1
        ace = ace or value == 0
    return (total + 10, True) if ace and total <= 11 else (total, False)


def format_values(values: Iterable[int]) -> str:
    """Return a hand, given as indexes into `RANKS` in any order, as text in the order ace to ten.

    >>> format_values([6, 0])
    'A,7'
    """
    return ",".join(RANKS[value] for value in sorted(values))


def format_counts(counts: Sequence[int]) -> str:
    """Return a hand, given as how many cards it has of each of the ten values, as `format_values` does.

    >>> format_counts([1, 0, 0, 0, 0, 0, 1, 0, 0, 0])
    'A,7'
    """
    return format_values(value for value, count in enumerate(counts) for _ in range(count))


def _shorten(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."
