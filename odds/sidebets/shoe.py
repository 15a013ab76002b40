"""The cards of a shoe with their suits: how many there are of each kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from odds.errors import ShoeError
from odds.game.cards import RANK_SYMBOLS, SUITS, TEN, Card, count_cards
from odds.game.deck import INFINITE, KINDS, STANDARD, Deck, by_rank, by_value, kind_name, whole_decks
from odds.game.fields import check_kind
from odds.game.shoe import MAX_CARDS, MAX_DECKS, Shoe, refuse_cards

# What a bet can tell apart: the suits of cards, their ranks only, or their values only: all tens have the same.
SUITS_SEEN: Final = "suits"
RANKS_SEEN: Final = "ranks"
VALUES_SEEN: Final = "values"


@dataclass(frozen=True, slots=True, repr=False)
class SuitedShoe:
    """The cards of a shoe, by rank and suit.

    Attributes:
        counts: how many cards there are of each kind: the ace of clubs, diamonds, hearts, spades, then the twos, up to
            the kings.
        endless: cards are drawn with replacement, as from infinitely many decks; see `Shoe.endless`.
    """

    counts: tuple[int, ...]
    endless: bool = False

    def __post_init__(self) -> None:
        if len(self.counts) != KINDS:
            raise ShoeError(f"expected {KINDS} counts, one for each rank and suit, got {len(self.counts)}")
        for kind, count in enumerate(self.counts):
            if isinstance(count, bool) or not isinstance(count, int) or count < 0:
                raise ShoeError(f"{kind_name(kind)}: expected a whole number of cards from 0, got {count!r}")
        if self.total > MAX_CARDS:
            raise ShoeError(f"expected at most {MAX_DECKS:,} decks, got {self.total:,} cards")

    @classmethod
    def of_decks(cls, decks: int | str, deck: Deck = STANDARD) -> SuitedShoe:
        """Return the full shoe of 1 to 100,000 decks, or of infinitely many.

        Args:
            decks: how many, or `infinite`.
            deck: what is in each; 52 cards if left out.

        Raises:
            ShoeError: `decks` is not a whole number in that range.
        """
        shoe = Shoe.of_decks(decks, deck)
        return cls(tuple(shoe.total // deck.total * count for count in deck.counts), shoe.endless)

    @classmethod
    def of_shoe(cls, shoe: Shoe | SuitedShoe, deck: Deck = STANDARD, seen: str = SUITS_SEEN) -> SuitedShoe:
        """Return a shoe with its suits.

        Args:
            shoe: the shoe.
            deck: what is in each of its decks; 52 cards if left out.
            seen: what the bet can tell apart, `suits`, `ranks` or `values`; what it cannot need not be known.

        Raises:
            ShoeError: it is not a full shoe, so that what the bet looks at is not known.
        """
        if isinstance(shoe, SuitedShoe):
            return shoe
        check_kind(shoe, Shoe, "a Shoe or a SuitedShoe", ShoeError)
        decks = INFINITE if shoe.endless else shoe.total // deck.total
        if decks and shoe == Shoe.of_decks(decks, deck):
            return cls.of_decks(decks, deck)
        tens = shoe.ten_ranks if not shoe.unspecified_tens_gone else None
        if seen == SUITS_SEEN or (seen == RANKS_SEEN and tens is None):
            raise ShoeError(
                f"expected a shoe of full decks, or one that knows the {seen} of its cards, at which the bet looks, "
                f"such as SuitedShoe.of_decks(8).without('Qh'); got {shoe}"
            )
        return cls._of_ranks([*shoe.counts[:TEN], *(tens or (shoe.counts[TEN], 0, 0, 0))])

    @classmethod
    def of_cards(cls, cards: str | Mapping[Card, int], seen: str = SUITS_SEEN) -> SuitedShoe:
        """Return the shoe of these cards.

        Args:
            cards: how many of each card, or a text as for `parse_cards`. Tens are of any rank where there is no jack,
                queen or king.
            seen: what the bet can tell apart; what it cannot need not be said.

        Raises:
            ShoeError: a suit is missing, or the rank of the tens, and the bet looks at it.
            HandError: the text cannot be read.
        """
        given = count_cards(cards) if isinstance(cards, str) else cards
        if seen == RANKS_SEEN and Card("T") in given and not {card.symbol for card in given} & set("JQK"):
            raise ShoeError("expected tens, jacks, queens and kings apart, such as 4xT,4xJ,4xQ,4xK, as the bet does")
        result = cls(tuple(given.get(Card(kind_name(kind)[0], kind_name(kind)[1]), 0) for kind in range(KINDS)))
        return result._changed({card: number for card, number in given.items() if card.suit is None}, seen)

    @classmethod
    def _of_ranks(cls, counts: Sequence[int]) -> SuitedShoe:
        """Return a shoe with so many cards of each rank, spread over the suits."""
        return cls(tuple((number + place) // len(SUITS) for number in counts for place in range(len(SUITS))))

    @property
    def total(self) -> int:
        """How many cards there are."""
        return sum(self.counts)

    @property
    def decks(self) -> int | str | None:
        """How many full decks it is, of 52 cards or without some ranks; None where it is something else."""
        if self.endless:
            return INFINITE
        found = whole_decks(by_rank(self.counts))
        return found[0] if found and set(self.counts) <= {0, found[0]} else None

    @property
    def by_value(self) -> tuple[int, ...]:
        """How many cards there are of each value: ace, 2 to 9, and all ten-valued cards."""
        return by_value(self.counts)

    def without(self, cards: str | Iterable[Card], seen: str = SUITS_SEEN) -> SuitedShoe:
        """Return the shoe with these cards taken out; an endless one stays as it is.

        >>> SuitedShoe.of_decks(2).without("Qh Qh").counts[46]
        0

        Args:
            cards: cards with their suits, or a text of them as for `parse_cards`.
            seen: what the bet can tell apart; where it does not see suits, none need be said.

        Raises:
            ShoeError: a suit is missing, or there are not as many of a card as asked for.
            HandError: the text cannot be read.
        """
        asked = count_cards(cards) if isinstance(cards, str) else Counter(cards)
        return self._changed({card: -number for card, number in asked.items()}, seen)

    def _changed(self, changes: Mapping[Card, int], seen: str) -> SuitedShoe:
        """Return the shoe with so many more or fewer of each card; cards without a suit are spread over the suits."""
        counts = list(self.counts)
        for card, number in sorted(changes.items(), key=lambda change: change[0].suit is None):
            first = RANK_SYMBOLS.index(card.symbol) * len(SUITS)
            if card.suit is None:
                if seen == SUITS_SEEN:
                    raise ShoeError(f"expected a suit with each card, such as {card}h, as the bet sees it; got {card}")
                ranks = list(by_rank(counts))
                ranks[first // len(SUITS)] += number
                if seen == VALUES_SEEN and card.symbol == "T":  # any ten will do
                    for rank in range(TEN, len(RANK_SYMBOLS) - 1):
                        ranks[rank + 1] += min(ranks[rank], 0)
                        ranks[rank] = max(ranks[rank], 0)
                if min(ranks) < 0:
                    raise _missing(card, -number, self)
                counts = list(SuitedShoe._of_ranks(ranks).counts)
            else:
                counts[first + SUITS.index(card.suit)] += number
                if min(counts) < 0:
                    raise _missing(card, -number, self)
        return self if self.endless else SuitedShoe(tuple(counts))

    def __repr__(self) -> str:
        if self.decks and all(self.counts):
            return f"SuitedShoe.of_decks({self.decks!r})"
        return f"SuitedShoe({self.counts}{', True' * self.endless})"

    def __str__(self) -> str:
        if self.decks:
            return str(replace(Shoe.of_counts(by_rank(self.counts)), endless=self.endless))
        return f"{self.total:,} card{'' if self.total == 1 else 's'}"


def _missing(card: Card, number: int, shoe: SuitedShoe) -> ShoeError:
    rank = RANK_SYMBOLS.index(card.symbol) * len(SUITS)
    kinds = range(rank, rank + len(SUITS)) if card.suit is None else [rank + SUITS.index(card.suit)]
    return ShoeError(f"cannot take {number} {card} out of a shoe with {sum(shoe.counts[k] for k in kinds) or 'none'}")


def shoe_for(decks: int | str, deck: Deck, removed: str, left: str, seen: str) -> SuitedShoe:
    """Return the shoe that a bet is made from: so many decks less the cards removed, or those that are left.

    Args:
        decks: how many decks.
        deck: what is in each.
        removed: cards taken out, as a text.
        left: the cards that are in the shoe, as a text; empty where decks and removed cards say it.
        seen: what the bet can tell apart; what it cannot need not be said.

    Raises:
        ShoeError: cards are missing, or left that the deck lacks, or what the bet looks at is not said of them.
        HandError: a text cannot be read.
    """
    refuse_cards(decks, removed, left)
    if left:
        deck.check(cards := count_cards(left))
        return SuitedShoe.of_cards(cards, seen)
    return SuitedShoe.of_decks(decks, deck).without(removed, seen)
