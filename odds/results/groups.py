"""The dealer's starts as tables show them: ten upcards, or the totals of two cards that are face up."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import fsum
from typing import TYPE_CHECKING, Any

from odds.engine.dealer import start_probability
from odds.game.cards import RANKS, hand_total

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from odds.engine.dealer import Dealer, DealerStart
    from odds.game.shoe import Shoe
    from odds.results.deals import Round

KINDS = ("upcard", "hard", "soft", "blackjack")


@dataclass(frozen=True, slots=True)
class StartGroup:
    """Dealer starts that a table shows in one column or row.

    Attributes:
        kind: `upcard`, or in an exposed game `hard`, `soft` or `blackjack`.
        short: the upcard, or the total of both cards; `BJ` for a blackjack.
        starts: the starts, as `T` or `A,6`.
    """

    kind: str
    short: str
    starts: tuple[str, ...]

    @property
    def label(self) -> str:
        """What the group is called: `T`, `hard 16`, `soft 17`, `blackjack`."""
        if self.kind in ("hard", "soft"):
            return f"{self.kind} {self.short}"
        return self.short if self.kind == "upcard" else self.kind


@dataclass(frozen=True, slots=True)
class GroupEv:
    """What a round is worth where the dealer starts from one of a group.

    Attributes:
        group: the starts.
        probability: of any of them.
        ev: expected net result in initial wagers, given that; dealer blackjacks included.
    """

    group: StartGroup
    probability: float
    ev: float


@dataclass(frozen=True, slots=True)
class FirstCardEv:
    """What a round is worth where the player's first card is known, and nothing else.

    Attributes:
        card: its value, such as `T` for any ten-valued card.
        probability: of it.
        ev: expected net result in initial wagers, given it; dealer blackjacks included.
    """

    card: str
    probability: float
    ev: float

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON takes it."""
        return {"card": self.card, "probability": self.probability, "ev": self.ev}


def start_groups(dealer: Dealer) -> tuple[StartGroup, ...]:
    """Return all groups of starts in the order of tables.

    >>> from odds.engine.terms import terms_of
    >>> from odds.game.rules import Rules
    >>> [group.short for group in start_groups(terms_of(Rules()).dealer)]
    ['2', '3', '4', '5', '6', '7', '8', '9', 'T', 'A']
    >>> start_groups(terms_of(Rules(hole_card="exposed")).dealer)[2]
    StartGroup(kind='hard', short='6', starts=('2,4', '3,3'))
    """
    found: dict[tuple[str, str], list[str]] = {}
    for start in dealer.starts:
        found.setdefault(_group_of(start), []).append(start.label)
    groups = [StartGroup(kind, short, tuple(starts)) for (kind, short), starts in found.items()]
    return tuple(sorted(groups, key=_order))


def played_groups(dealer: Dealer) -> tuple[StartGroup, ...]:
    """Return the groups of starts against which hands are played, the columns of a chart: all but a blackjack shown."""
    return tuple(group for group in start_groups(dealer) if group.kind != "blackjack")


def _group_of(start: DealerStart) -> tuple[str, str]:
    if not start.exposed:
        return "upcard", start.label
    if start.is_blackjack:
        return "blackjack", "BJ"
    total, soft = hand_total(start.cards)
    return ("soft" if soft else "hard"), str(total)


def _order(group: StartGroup) -> tuple[int, int]:
    if group.kind == "upcard":
        return 0, "23456789TA".index(group.short)
    return KINDS.index(group.kind), int(group.short) if group.short.isdigit() else 0


def weighted_groups(dealer: Dealer, shoe: Shoe) -> Iterator[tuple[StartGroup, dict[str, Fraction], Fraction]]:
    """Yield the groups that a shoe can deal, with the probabilities of their starts and the sum of these."""
    weights = {start.label: start_probability(start, shoe) for start in dealer.starts}
    for group in start_groups(dealer):
        starts = {label: weights[label] for label in group.starts if weights[label]}
        if starts:
            yield group, starts, sum(starts.values(), Fraction(0))


def averaged(starts: Mapping[str, Fraction], values: Mapping[str, Fraction]) -> Fraction:
    """Return the average of values by start, weighted by the probabilities of the starts."""
    return sum((p * values[label] for label, p in starts.items()), Fraction(0)) / sum(starts.values(), Fraction(0))


def round_by_group(result: Round) -> tuple[GroupEv, ...]:
    """Return the groups that a shoe can deal, and what a round against each is worth.

    EVs are weighted by the probabilities of the starts.
    """
    return grouped(result.terms.dealer, {start.start: (start.probability, start.ev) for start in result.by_start})


def grouped(dealer: Dealer, starts: Mapping[str, tuple[float, float]]) -> tuple[GroupEv, ...]:
    """Return the groups of some starts, given the probability of each and what a round against it is worth."""
    rows = []
    for group in start_groups(dealer):
        dealt = [starts[label] for label in group.starts if label in starts]
        probability = fsum(p for p, _ in dealt)
        if probability:
            rows.append(GroupEv(group, probability, fsum(p * ev for p, ev in dealt) / probability))
    return tuple(rows)


def round_by_first_card(result: Round) -> tuple[FirstCardEv, ...]:
    """Return what a round is worth by the player's first card, 2 to ace; see `FirstCardEv`.

    Of two cards each is the first as often as the other. The EVs weighted by the probabilities add up to that of the
    round.
    """
    terms: list[list[tuple[float, float]]] = [[] for _ in RANKS]
    for start in result.by_start:
        for decision in start.decisions:
            share = start.probability * decision.probability / 2
            for value in decision.hand.values:
                terms[value].append((share, share * decision.ev * float(start.times)))
    found = []
    for value in (*range(1, len(RANKS)), 0):
        probability = fsum(share for share, _ in terms[value])
        if probability:
            found.append(FirstCardEv(RANKS[value], probability, fsum(ev for _, ev in terms[value]) / probability))
    return tuple(found)
