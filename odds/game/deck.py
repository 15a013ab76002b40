"""One deck of cards, as data: how many cards of each rank and suit; whatever counts the cards of a deck asks here."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from odds.game.cards import RANK_SYMBOLS, SUITS, TEN

# A kind of card is a rank and a suit: the ace of clubs, diamonds, hearts, spades, then the twos, up to the kings.
KINDS: Final = len(RANK_SYMBOLS) * len(SUITS)


@dataclass(frozen=True, slots=True)
class Deck:
    """The cards of one deck.

    Attributes:
        counts: how many cards there are of each kind.
    """

    counts: tuple[int, ...]

    @property
    def total(self) -> int:
        """How many cards there are."""
        return sum(self.counts)

    def number_in(self, counts: Sequence[int]) -> int | None:
        """Return how many whole decks some cards are, given as counts of each kind; None where they are not."""
        decks = sum(counts) // self.total
        return decks if decks and tuple(counts) == tuple(decks * each for each in self.counts) else None


STANDARD: Final = Deck((1,) * KINDS)


def by_rank(counts: Sequence[int]) -> tuple[int, ...]:
    """Return how many cards there are of each rank, ace to king, from how many there are of each kind.

    >>> sum(by_rank(STANDARD.counts)[9:])
    16
    """
    return tuple(sum(counts[first : first + len(SUITS)]) for first in range(0, KINDS, len(SUITS)))


def by_value(counts: Sequence[int]) -> tuple[int, ...]:
    """Return how many cards there are of each value, ace to ten, from how many there are of each kind."""
    ranks = by_rank(counts)
    return (*ranks[:TEN], sum(ranks[TEN:]))


def kind_name(kind: int) -> str:
    """Return the card of a kind.

    >>> kind_name(46)
    'Qh'
    """
    rank, suit = divmod(kind, len(SUITS))
    return RANK_SYMBOLS[rank] + SUITS[suit]
