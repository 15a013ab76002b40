"""The cards of a shoe with their suits: how many there are of each of the 52 kinds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from odds.errors import ShoeError
from odds.game.cards import RANK_SYMBOLS, SUITS, TEN, Card, parse_cards
from odds.game.shoe import MAX_DECKS, Shoe

KINDS: Final = len(RANK_SYMBOLS) * len(SUITS)


@dataclass(frozen=True, slots=True)
class SuitedShoe:
    """The cards of a shoe, by rank and suit.

    Attributes:
        counts: how many cards there are of each kind: the ace of clubs, diamonds, hearts, spades, then the twos, up to
            the kings.
    """

    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.counts) != KINDS:
            raise ShoeError(f"expected {KINDS} counts, one for each rank and suit, got {len(self.counts)}")
        for kind, count in enumerate(self.counts):
            if isinstance(count, bool) or not isinstance(count, int) or count < 0:
                raise ShoeError(f"{kind_name(kind)}: expected a whole number of cards from 0, got {count!r}")
        if self.total > KINDS * MAX_DECKS:
            raise ShoeError(f"expected at most {MAX_DECKS:,} decks, got {self.total:,} cards")

    @classmethod
    def of_decks(cls, decks: int) -> SuitedShoe:
        """Return the full shoe of 1 to 100,000 decks.

        Raises:
            ShoeError: `decks` is not a whole number in that range.
        """
        return cls((Shoe.of_decks(decks).total // KINDS,) * KINDS)

    @classmethod
    def of_shoe(cls, shoe: Shoe | SuitedShoe) -> SuitedShoe:
        """Return a shoe with its suits.

        Raises:
            ShoeError: it is not a full shoe, so that the suits of what is gone are not known.
        """
        if isinstance(shoe, SuitedShoe):
            return shoe
        decks = shoe.total // KINDS
        if not decks or shoe != Shoe.of_decks(decks):
            raise ShoeError(
                "expected a shoe of full decks, or one that knows its suits, such as "
                f"SuitedShoe.of_decks(8).without('Qh'); got {shoe}"
            )
        return cls.of_decks(decks)

    @property
    def total(self) -> int:
        """How many cards there are."""
        return sum(self.counts)

    @property
    def decks(self) -> int | None:
        """How many full decks it is; None where it is something else."""
        return self.counts[0] if self.counts[0] and len(set(self.counts)) == 1 else None

    @property
    def by_value(self) -> tuple[int, ...]:
        """How many cards there are of each value: ace, 2 to 9, and all ten-valued cards."""
        ranks = [sum(self.counts[start : start + len(SUITS)]) for start in range(0, KINDS, len(SUITS))]
        return (*ranks[:TEN], sum(ranks[TEN:]))

    def without(self, cards: str | Iterable[Card]) -> SuitedShoe:
        """Return the shoe with these cards taken out.

        >>> SuitedShoe.of_decks(2).without("Qh Qh").counts[46]
        0

        Args:
            cards: cards with their suits, or a text of them as for `parse_cards`.

        Raises:
            ShoeError: a suit is missing, or there are not as many of a card as asked for.
            HandError: the text cannot be read.
        """
        counts = list(self.counts)
        asked = Counter(parse_cards(cards) if isinstance(cards, str) else cards)
        for card, number in asked.items():
            if card.suit is None:
                raise ShoeError(f"expected a suit with each card that is taken out, such as {card}h, got {card}")
            kind = RANK_SYMBOLS.index(card.symbol) * len(SUITS) + SUITS.index(card.suit)
            counts[kind] -= number
            if counts[kind] < 0:
                raise ShoeError(f"cannot take {number} {card} out of a shoe with {self.counts[kind] or 'none'}")
        return SuitedShoe(tuple(counts))

    def __str__(self) -> str:
        if self.decks:
            return str(Shoe.of_decks(self.decks))
        return f"{self.total:,} card{'' if self.total == 1 else 's'}"


def kind_name(kind: int) -> str:
    """Return the card of an index into `SuitedShoe.counts`.

    >>> kind_name(46)
    'Qh'
    """
    rank, suit = divmod(kind, len(SUITS))
    return RANK_SYMBOLS[rank] + SUITS[suit]
