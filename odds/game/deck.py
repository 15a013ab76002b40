"""One deck of cards, as data: how many cards of each rank and suit; whatever counts the cards of a deck asks here."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from odds.errors import ShoeError
from odds.game.cards import RANK_SYMBOLS, SUITS, TEN, Card

# How many decks there are where cards are drawn with replacement.
INFINITE: Final = "infinite"
# A kind of card is a rank and a suit: the ace of clubs, diamonds, hearts, spades, then the twos, up to the kings.
KINDS: Final = len(RANK_SYMBOLS) * len(SUITS)
_RANK_NAMES: Final = (
    *("aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "ten-spots"),
    *("jacks", "queens", "kings"),
)


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

    @property
    def lacks(self) -> str:
        """The ranks of which there are no cards, as in `RANK_SYMBOLS`."""
        return "".join(symbol for symbol, count in zip(RANK_SYMBOLS, by_rank(self.counts), strict=True) if not count)

    def without(self, ranks: str) -> "Deck":
        """Return the deck without some ranks, given as in `RANK_SYMBOLS`."""
        return Deck(tuple(0 if kind_name(kind)[0] in ranks else count for kind, count in enumerate(self.counts)))

    def check(self, cards: Iterable[Card]) -> None:
        """Refuse cards that are not in the deck; where there is no jack, queen or king, `T` is any ten.

        Raises:
            ShoeError: there is such a card.
        """
        given = list(cards)
        any_ten = not {card.symbol for card in given} & set("JQK") and not set("TJQK") <= set(self.lacks)
        for card in given:
            if card.symbol in self.lacks and not (any_ten and card == Card("T")):
                raise ShoeError(f"expected cards of the deck, in which there are {rank_words(self.lacks)}, got {card}")


STANDARD: Final = Deck((1,) * KINDS)


def whole_decks(counts: Sequence[int]) -> tuple[int, Deck] | None:
    """Return how many whole decks some cards are, and of which deck; None where they are not.

    The deck has 52 cards, or lacks the ranks of which there are none, if those are fewer than the others.

    Args:
        counts: how many cards there are of each rank, ace to king.
    """
    decks = max(counts) // len(SUITS)
    deck = STANDARD.without("".join(symbol for symbol, n in zip(RANK_SYMBOLS, counts, strict=True) if not n))
    whole = tuple(decks * n for n in by_rank(deck.counts)) == tuple(counts)
    return (decks, deck) if decks and whole and 2 * len(deck.lacks) < len(RANK_SYMBOLS) else None


def rank_words(ranks: str) -> str:
    """Return that there are none of some ranks, given as in `RANK_SYMBOLS`, in words.

    >>> rank_words("9T")
    'no nines and no ten-spots'
    """
    *others, last = (f"no {_RANK_NAMES[RANK_SYMBOLS.index(rank)]}" for rank in ranks)
    return f"{', '.join(others)} and {last}" if others else last


def decks_words(decks: int | str, deck: Deck = STANDARD) -> str:
    """Return what so many decks are called, such as `6 decks without 10`."""
    ranks = ",".join(deck.lacks).replace("T", "10")
    number = "infinitely many" if decks == INFINITE else f"{decks:,}"
    return f"{number} deck{'' if decks == 1 else 's'}{' without ' if ranks else ''}{ranks}"


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
