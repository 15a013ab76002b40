"""The dealer's starts as tables show them: ten upcards, or the totals of two cards that are face up."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING

from odds.engine.dealer import dealer_starts, distribution, remove_start, start_probability
from odds.errors import ShoeError
from odds.game.cards import hand_total

if TYPE_CHECKING:
    from collections.abc import Mapping

    from odds.engine.dealer import DealerDistribution, DealerStart
    from odds.game.rules import Rules
    from odds.game.shoe import Shoe
    from odds.results.round import RoundResult

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
class GroupOutcomes:
    """How the dealer's hand ends where he starts from one of a group.

    Attributes:
        group: the starts.
        probability: of any of them.
        outcomes: probability of each outcome given that, as `DealerDistribution.unconditional`.
    """

    group: StartGroup
    probability: float
    outcomes: Mapping[str, float]


def start_groups(rules: Rules) -> tuple[StartGroup, ...]:
    """Return all groups of starts in the order of tables.

    >>> from odds.game.rules import Rules
    >>> [group.short for group in start_groups(Rules())]
    ['2', '3', '4', '5', '6', '7', '8', '9', 'T', 'A']
    >>> start_groups(Rules(hole_card="exposed"))[2]
    StartGroup(kind='hard', short='6', starts=('2,4', '3,3'))
    """
    found: dict[tuple[str, str], list[str]] = {}
    for start in dealer_starts(rules):
        found.setdefault(_group_of(start), []).append(start.label)
    groups = [StartGroup(kind, short, tuple(starts)) for (kind, short), starts in found.items()]
    return tuple(sorted(groups, key=_order))


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


def round_by_group(result: RoundResult) -> tuple[GroupEv, ...]:
    """Return the groups that a shoe can deal, and what a round against each is worth.

    EVs are weighted by the probabilities of the starts.
    """
    by_start = {start.start: start for start in result.by_start}
    rows = []
    for group in start_groups(result.rules):
        starts = [by_start[label] for label in group.starts if label in by_start]
        probability = fsum(start.probability for start in starts)
        if probability:
            ev = fsum(start.probability * start.ev for start in starts) / probability
            rows.append(GroupEv(group, probability, ev))
    return tuple(rows)


def dealer_distributions(rules: Rules, shoe: Shoe) -> tuple[DealerDistribution, ...]:
    """Return how the dealer's hand ends from every start that a full shoe can deal him.

    Args:
        rules: for the drawing rule, and whether both cards are seen.
        shoe: the shoe with the dealer's cards still in it.

    Raises:
        ShoeError: it has too few cards for him to start.
    """
    needed = 2 if rules.hole_card == "exposed" else 1
    if shoe.total < needed:
        raise ShoeError(f"expected a shoe of at least {needed} cards for the dealer to start, got {shoe.total}")
    return tuple(
        distribution(start, remove_start(shoe, start), rules)
        for start in dealer_starts(rules)
        if start_probability(start, shoe)
    )


def dealer_by_group(rules: Rules, shoe: Shoe) -> tuple[GroupOutcomes, ...]:
    """Return the groups that a full shoe can deal, and how the dealer's hand ends from each.

    Outcomes are weighted by the probabilities of the starts. Arguments as for `dealer_distributions`.
    """
    by_start = {item.start: item for item in dealer_distributions(rules, shoe)}
    weights = {start.label: float(start_probability(start, shoe)) for start in dealer_starts(rules)}
    rows = []
    for group in start_groups(rules):
        starts = [label for label in group.starts if label in by_start]
        probability = fsum(weights[label] for label in starts)
        if not probability:
            continue
        outcomes = {
            outcome: fsum(weights[label] * by_start[label].unconditional[outcome] for label in starts) / probability
            for outcome in by_start[starts[0]].unconditional
        }
        rows.append(GroupOutcomes(group, probability, outcomes))
    return tuple(rows)
