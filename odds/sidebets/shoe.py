"""The cards of a shoe with their suits: how many there are of each kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from odds.errors import ShoeError
from odds.game.cards import RANK_SYMBOLS, SUITS, Card, parse_cards
from odds.game.deck import KINDS, STANDARD, Deck, by_value, kind_name
from odds.game.shoe import MAX_CARDS, MAX_DECKS, Shoe


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
        if self.total > MAX_CARDS:
            raise ShoeError(f"expected at most {MAX_DECKS:,} decks, got {self.total:,} cards")

    @classmethod
    def of_decks(cls, decks: int, deck: Deck = STANDARD) -> SuitedShoe:
        """Return the full shoe of 1 to 100,000 decks.

        Args:
            decks: how many.
            deck: what is in each; 52 cards if left out.

        Raises:
            ShoeError: `decks` is not a whole number in that range.
        """
        number = Shoe.of_decks(decks, deck).total // deck.total
        return cls(tuple(number * count for count in deck.counts))

    @classmethod
    def of_shoe(cls, shoe: Shoe | SuitedShoe, deck: Deck = STANDARD) -> SuitedShoe:
        """Return a shoe with its suits.

        Args:
            shoe: the shoe.
            deck: what is in each of its decks; 52 cards if left out.

        Raises:
            ShoeError: it is not a full shoe, so that the suits of what is gone are not known.
        """
        if isinstance(shoe, SuitedShoe):
            return shoe
        decks = shoe.total // deck.total
        if not decks or shoe != Shoe.of_decks(decks, deck):
            raise ShoeError(
                "expected a shoe of full decks, or one that knows its suits, such as "
                f"SuitedShoe.of_decks(8).without('Qh'); got {shoe}"
            )
        return cls.of_decks(decks, deck)

    @property
    def total(self) -> int:
        """How many cards there are."""
        return sum(self.counts)

    @property
    def decks(self) -> int | None:
        """How many full decks of 52 cards it is; None where it is something else."""
        return STANDARD.number_in(self.counts)

    @property
    def by_value(self) -> tuple[int, ...]:
        """How many cards there are of each value: ace, 2 to 9, and all ten-valued cards."""
        return by_value(self.counts)

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
