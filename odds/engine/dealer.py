"""The dealer: what he can start from, whether he has looked for a blackjack, and how his hands end."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from odds._kernel import DealerTrie, dealer_probabilities
from odds.engine.hands import ACE, N_VALUES, TEN
from odds.errors import HandError, ShoeError
from odds.game.cards import RANKS, parse_cards

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from odds.game.rules import Rules
    from odds.game.shoe import Shoe
    from odds.numbers.arithmetic import ShoeNumbers

_MOST_OVER = 6  # more than 22, see `pays.DEALER_BUST`


@dataclass(frozen=True, slots=True)
class DealerStart:
    """What the player sees of the dealer's hand, and what is known of the rest.

    Attributes:
        cards: value indexes: the upcard, two cards in ascending order, or all that he has so far in the order dealt.
        exposed: both cards are seen.
        peeks: the dealer looks for a blackjack before the player acts.
        hole_card_dealt: a hole card lies on the table while the player draws.
        hidden_blackjack: the value of the second card that makes a blackjack, -1 where none does or it would be seen.
        total: what is known instead of cards, such as `hard 16`: then `cards` make that total and are in the shoe.
    """

    cards: tuple[int, ...]
    exposed: bool
    peeks: bool
    hole_card_dealt: bool
    hidden_blackjack: int
    total: str = ""

    @property
    def label(self) -> str:
        """The start as it is written: `T`, or `A,T` for an exposed dealer."""
        return self.total or ",".join(RANKS[card] for card in self.cards)

    @property
    def is_blackjack(self) -> bool:
        """An exposed blackjack."""
        return self.cards == (ACE, TEN)

    @property
    def out_of_reach(self) -> int:
        """How many cards of the shoe without the start the player cannot draw: a hole card on the table."""
        return 1 if self.hole_card_dealt else 0


@dataclass(frozen=True)
class Dealer:
    """How the dealer plays: the one reading of the rules about that.

    Attributes:
        hits_soft_17: he draws on it.
        exposed: both of his cards are seen.
        hole_card_dealt: he takes a second card, face down, before the player acts.
        peeks: by the value of the upcard, whether he looks under it for a blackjack.
    """

    hits_soft_17: bool
    exposed: bool
    hole_card_dealt: bool
    peeks: tuple[bool, ...]

    def start(self, cards: tuple[int, ...], total: str = "") -> DealerStart:
        """Return the start that shows these value indexes, or a total that they make."""
        return DealerStart(
            tuple(sorted(cards)) if len(cards) <= 2 else cards,
            self.exposed,
            self.peeks[cards[0]],
            self.hole_card_dealt,
            -1 if self.exposed else {ACE: TEN, TEN: ACE}.get(cards[0], -1),
            total,
        )

    @cached_property
    def starts(self) -> tuple[DealerStart, ...]:
        """Every start: ten upcards, or 55 pairs of cards in an exposed game."""
        if self.exposed:
            return tuple(self.start((a, b)) for a in range(N_VALUES) for b in range(a, N_VALUES))
        return tuple(self.start((a,)) for a in range(N_VALUES))

    def parse(self, text: str) -> DealerStart:
        """Return the start that a text such as `T` or, in exposed games, `T,6` names.

        Raises:
            HandError: it is not one card (two in an exposed game).
        """
        cards = parse_cards(text)
        wanted = 2 if self.exposed else 1
        if len(cards) != wanted:
            expected = "both of his cards, such as T,6," if wanted == 2 else "one upcard, such as T,"
            raise HandError(f"dealer: expected {expected} got {text!r}")
        return self.start(tuple(card.value for card in cards))


def dealer_of(rules: Rules) -> Dealer:
    """Return how the dealer plays under some rules."""
    exposed = rules.hole_card == "exposed"
    hole_card_dealt = rules.hole_card == "peek"
    # Under other cards there is no blackjack.
    peeks = (hole_card_dealt and value in (ACE, TEN) and rules.peeks_under(rank) for value, rank in enumerate(RANKS))
    return Dealer(rules.dealer_hits_soft_17, exposed, hole_card_dealt, tuple(peeks))


def dealer_moves(dealer: Dealer, start: DealerStart) -> tuple[NDArray[np.int8], int]:
    """Return by state of the dealer's hand the next states, by card drawn, and the state of a start.

    In place of a state stands -1 less his end (see `pays`) where he is done. A state is his total with every ace as
    one, times two, and one more with an ace. A blackjack is not told from another 21.
    """

    def state(hard: int, ace: bool) -> int:
        total = hard + 10 if ace and hard <= 11 else hard
        if total < 17 or (total == 17 and total > hard and dealer.hits_soft_17):
            return 2 * hard + ace
        return -1 - min(total - 17, _MOST_OVER)

    moves = [
        [state(hard + value + 1, bool(ace) or value == ACE) for value in range(N_VALUES)]
        for hard in range(17)
        for ace in range(2)
    ]
    return np.array(moves, dtype=np.int8), state(sum(start.cards) + len(start.cards), ACE in start.cards)


def start_probability(start: DealerStart, shoe: Shoe) -> Fraction:
    """Return the probability that the dealer starts so from a shoe; an exposed pair in either order."""
    counts, total = shoe.counts, shoe.total
    if len(start.cards) == 1:
        return Fraction(counts[start.cards[0]], total)
    a, b = start.cards
    ways = counts[a] * (counts[a] - shoe.step) if a == b else 2 * counts[a] * counts[b]
    return Fraction(ways, total * (total - shoe.step))


def remove_start(shoe: Shoe, start: DealerStart) -> Shoe:
    """Return the shoe without the dealer's cards.

    Raises:
        ShoeError: it does not hold them.
    """
    try:
        return shoe if start.total else shoe.without(start.cards)
    except ShoeError as error:
        raise ShoeError(f"dealer {start.label}: {error}") from None


@lru_cache(maxsize=256)
def dealer_trie(cards: tuple[int, ...], hits_soft_17: bool, tells_22: bool = False) -> DealerTrie:
    """Return the dealer's possible hands from a start; they do not depend on the shoe."""
    return DealerTrie(cards, hits_soft_17, False, tells_22)


def final_probabilities(trie: DealerTrie, numbers: ShoeNumbers, removed: NDArray[np.uint8]) -> NDArray[Any]:
    """Return the probabilities of the dealer's totals without blackjack, for each set of cards removed from a shoe.

    Args:
        trie: his hands from a start.
        numbers: the shoe without the start.
        removed: sets x 10.

    Returns:
        Sets x 5 (17 to 21), or 6 where 22 is told apart, joint with "no hidden blackjack", in the number system of
        `numbers`. What is missing to 1 is a bust (a dealer who cannot draw because the shoe is empty counts as bust)
        or a blackjack.
    """
    out = numbers.arithmetic.zeros((len(removed), trie.n_outcomes))
    dealer_probabilities([trie], removed, [numbers.cards], numbers.inverse, numbers.arithmetic.field, out[:, :, None])
    return out
