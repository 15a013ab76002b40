"""The dealer: what he can start from, what a blackjack of his does, and how his hands end."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from odds._kernel import DealerTrie, dealer_probabilities, one_dealer_distribution
from odds.engine.hands import ACE, N_VALUES, TEN
from odds.errors import HandError, ShoeError
from odds.game.cards import RANKS, parse_cards

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from odds.game.rules import Rules
    from odds.game.shoe import Shoe
    from odds.numbers.arithmetic import ShoeNumbers

TOTALS = ("17", "18", "19", "20", "21")


@dataclass(frozen=True, slots=True)
class DealerStart:
    """What the player sees of the dealer's hand, and what the rules do about a blackjack behind it.

    Attributes:
        cards: value indexes: the upcard, or both cards of an exposed dealer in ascending order.
        exposed: both cards are seen.
        peeks: the dealer looks for a blackjack before the player acts.
        takes: what a blackjack found afterwards takes, as `Rules.dealer_blackjack_takes`.
        hole_card_dealt: a hole card lies on the table while the player draws.
        hidden_blackjack: the value of the second card that makes a blackjack, -1 where none does or it would be seen.
    """

    cards: tuple[int, ...]
    exposed: bool
    peeks: bool
    takes: str
    hole_card_dealt: bool
    hidden_blackjack: int

    @property
    def label(self) -> str:
        """The start as it is written: `T`, or `A,T` for an exposed dealer."""
        return ",".join(RANKS[card] for card in self.cards)

    @property
    def is_blackjack(self) -> bool:
        """An exposed blackjack."""
        return self.cards == (ACE, TEN)

    @property
    def blackjack_costs_once(self) -> bool:
        """Whether a hidden blackjack takes one unit from the round, whatever the hands do.

        Then hands are valued jointly with "no dealer blackjack", and the round pays for it once.
        """
        return self.peeks or self.takes == "original"

    def blackjack_cost(self, bet: int) -> int:
        """Return the units that a hand of `bet` units loses to a hidden blackjack, beside what the round pays once."""
        if self.blackjack_costs_once:
            return 0
        return bet if self.takes == "all" else 1

    def shown(self, joint: Any, p_blackjack: Any) -> Any:
        """Return a joint value as it is shown: after a peek given no blackjack, else with what a blackjack costs.

        Args:
            joint: a value jointly with "no hidden blackjack", a float or a fraction.
            p_blackjack: the probability of a hidden blackjack, less than 1 where he peeks.
        """
        if self.peeks:
            return joint / (1 - p_blackjack)
        return joint - p_blackjack if self.blackjack_costs_once else joint


def dealer_start(cards: tuple[int, ...], rules: Rules) -> DealerStart:
    """Return the start that shows these value indexes under the rules."""
    exposed = rules.hole_card == "exposed"
    return DealerStart(
        tuple(sorted(cards)),
        exposed,
        not exposed and rules.peeks_under(RANKS[cards[0]]),
        rules.dealer_blackjack_takes,
        rules.hole_card == "peek",
        -1 if exposed else {ACE: TEN, TEN: ACE}.get(cards[0], -1),
    )


@lru_cache(maxsize=64)
def dealer_starts(rules: Rules) -> tuple[DealerStart, ...]:
    """Return every start: ten upcards, or 55 pairs of cards in an exposed game."""
    if rules.hole_card == "exposed":
        return tuple(dealer_start((a, b), rules) for a in range(N_VALUES) for b in range(a, N_VALUES))
    return tuple(dealer_start((a,), rules) for a in range(N_VALUES))


def parse_dealer(text: str, rules: Rules) -> DealerStart:
    """Return the start that a text such as `T` or, in exposed games, `T,6` names.

    Raises:
        HandError: it is not one card (two in an exposed game).
    """
    cards = parse_cards(text)
    wanted = 2 if rules.hole_card == "exposed" else 1
    if len(cards) != wanted:
        expected = "both of his cards, such as T,6," if wanted == 2 else "one upcard, such as T,"
        raise HandError(f"dealer: expected {expected} got {text!r}")
    return dealer_start(tuple(card.value for card in cards), rules)


def start_probability(start: DealerStart, shoe: Shoe) -> Fraction:
    """Return the probability that the dealer starts so from a shoe; an exposed pair in either order."""
    counts, total = shoe.counts, shoe.total
    if len(start.cards) == 1:
        return Fraction(counts[start.cards[0]], total)
    a, b = start.cards
    ways = counts[a] * (counts[a] - 1) if a == b else 2 * counts[a] * counts[b]
    return Fraction(ways, total * (total - 1))


@lru_cache(maxsize=256)
def dealer_trie(cards: tuple[int, ...], hits_soft_17: bool) -> DealerTrie:
    """Return the dealer's possible hands from a start; they do not depend on the shoe."""
    return DealerTrie(cards, hits_soft_17)


def final_probabilities(
    start: DealerStart, rules: Rules, numbers: ShoeNumbers, removed: NDArray[np.uint8]
) -> NDArray[Any]:
    """Return the probabilities of 17 to 21 without blackjack, for each set of cards removed from a shoe.

    Args:
        start: the dealer's start.
        rules: for his drawing rule.
        numbers: the shoe without the start.
        removed: sets x 10.

    Returns:
        Sets x 5, joint with "no hidden blackjack", in the number system of `numbers`. What is missing to 1 is a bust
        (a dealer who cannot draw because the shoe is empty counts as bust) or a blackjack.
    """
    out = numbers.arithmetic.zeros((len(removed), len(TOTALS)))
    trie = dealer_trie(start.cards, rules.dealer_hits_soft_17)
    dealer_probabilities(trie, removed, numbers.cards, numbers.inverse, numbers.arithmetic.field, out)
    return out


@dataclass(frozen=True, slots=True)
class DealerDistribution:
    """How the dealer's hand ends from one start, if he always plays it out.

    Attributes:
        start: `T`, or `A,T` for an exposed dealer.
        unconditional: probability of `17`, `18`, `19`, `20`, `21` (without blackjack), `blackjack` and `bust`.
        given_no_blackjack: the same without `blackjack`, given that he has none; None where the start cannot hide a
            blackjack, or always is one.
        shoe_can_run_out: the dealer might draw every card; he counts as bust then.
    """

    start: str
    unconditional: Mapping[str, float]
    given_no_blackjack: Mapping[str, float] | None
    shoe_can_run_out: bool

    def to_dict(self) -> dict[str, Any]:
        """Return the distribution as JSON takes it."""
        given = self.given_no_blackjack
        return {
            "upcard": self.start,
            "unconditional": dict(self.unconditional),
            "given_no_blackjack": None if given is None else dict(given),
        }


def dealer_distribution(shoe: Shoe, upcard: str, rules: Rules) -> DealerDistribution:
    """Return how the dealer's hand ends, drawing from a shoe that no longer holds his start.

    >>> from odds.game.rules import Rules
    >>> from odds.game.shoe import Shoe
    >>> shoe = Shoe.of_decks(8).without("T")
    >>> round(dealer_distribution(shoe, "T", Rules(decks=8)).unconditional["blackjack"], 7)
    0.0771084

    Args:
        shoe: the cards to draw from.
        upcard: one card that he shows, or both cards of an exposed dealer.
        rules: for the drawing rule, and whether both cards are seen.

    Raises:
        HandError: the upcard cannot be read.
    """
    return distribution(parse_distribution_start(upcard, rules), shoe, rules)


def parse_distribution_start(text: str, rules: Rules) -> DealerStart:
    """Return the start that a text names, for the dealer's outcomes: in an exposed game one card will do too.

    Raises:
        HandError: it is not a dealer's start.
    """
    if rules.hole_card == "exposed" and len(parse_cards(text)) == 1:
        return parse_dealer(text, rules.replace(hole_card="peek"))
    return parse_dealer(text, rules)


def distribution(start: DealerStart, shoe: Shoe, rules: Rules) -> DealerDistribution:
    """Return how the dealer's hand ends from a start, drawing from a shoe that no longer holds it."""
    hidden = start.hidden_blackjack
    p_blackjack = 0.0
    if start.is_blackjack:
        p_blackjack = 1.0
    elif hidden >= 0 and shoe.total:
        p_blackjack = shoe.counts[hidden] / shoe.total
    if start.is_blackjack:
        totals = [0.0] * len(TOTALS)
    else:
        totals = list(one_dealer_distribution(dealer_trie(start.cards, rules.dealer_hits_soft_17), shoe.counts))
    bust = max(0.0, 1.0 - p_blackjack - sum(totals))
    unconditional = {**dict(zip(TOTALS, totals, strict=True)), "blackjack": p_blackjack, "bust": bust}
    given = None
    if hidden >= 0 and p_blackjack < 1.0:
        given = {key: p / (1.0 - p_blackjack) for key, p in unconditional.items() if key != "blackjack"}
    return DealerDistribution(start.label, unconditional, given, _dealer_can_run_out(start, shoe))


def _dealer_can_run_out(start: DealerStart, shoe: Shoe) -> bool:
    """Return whether the dealer's draws might use up the shoe: at most 16 points before the last card."""
    points = 16 - sum(card + 1 for card in start.cards)
    most = 0
    for value, n in enumerate(shoe.counts):
        fitting = min(n, max(points, 0) // (value + 1))
        most += fitting
        points -= fitting * (value + 1)
    return most + 1 > shoe.total


def remove_start(shoe: Shoe, start: DealerStart) -> Shoe:
    """Return the shoe without the dealer's cards.

    Raises:
        ShoeError: it does not hold them.
    """
    try:
        return shoe.without(start.cards)
    except ShoeError as error:
        raise ShoeError(f"dealer {start.label}: {error}") from None
