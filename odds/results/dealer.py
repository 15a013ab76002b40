"""How the dealer's hand ends from each start, if he always plays it out: in doubles and as fractions."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import fsum
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

from odds._kernel import one_dealer_distribution
from odds.engine.dealer import remove_start, start_probability
from odds.engine.hands import ACE, TEN
from odds.engine.pays import TOTALS
from odds.engine.splitting import most_cards
from odds.engine.terms import hand_terms
from odds.errors import HandError, ShoeError
from odds.game.cards import RANKS, hand_total, parse_cards
from odds.game.catalog import rules_of
from odds.game.fields import check_kind
from odds.game.shoe import Shoe
from odds.game.subject import shoe_fact
from odds.numbers.exact import falling, falling_or_zero
from odds.results.groups import start_groups
from odds.shown import Shown, with_exact

if TYPE_CHECKING:
    from collections.abc import Mapping

    from odds.engine.dealer import DealerStart
    from odds.engine.terms import Terms
    from odds.game.catalog import AnyGame
    from odds.game.rules import Rules
    from odds.results.groups import StartGroup

# So many bits more, and none of the cards that he draws is missed; see `Shoe.endless`.
_ENDLESS: Final = 40
_Number = TypeVar("_Number", float, Fraction)

HARD_TOTALS: Final = range(4, 22)
SOFT_TOTALS: Final = range(12, 22)
_TOTAL: Final = re.compile(r"(?:(hard|soft)\s*)?([0-9]{1,3})")
_BARE: Final = range(11, 22)  # numbers that are totals without a word: less is a card


class _FromOneStart(Shown):
    """What `DealerDistribution` and `ExactDealer` show."""

    __slots__ = ()

    start: str
    unconditional: Mapping[str, Any]
    given_no_blackjack: Mapping[str, Any] | None
    rules: Rules
    shoe: Shoe
    _exact: ClassVar[bool]

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row for each outcome, for pandas or polars.

        Columns: `dealer`, `outcome`, `unconditional`, `given_no_blackjack` (None where that is the same or cannot be);
        where fractions are known, also as text in `unconditional_exact`, `given_no_blackjack_exact`.
        """
        given, exact = self.given_no_blackjack or {}, self._exact
        return [
            {
                "dealer": self.start,
                "outcome": outcome,
                **with_exact("unconditional", p, exact=exact),
                **with_exact("given_no_blackjack", given.get(outcome), exact=exact),
            }
            for outcome, p in self.unconditional.items()
        ]

    def facts(self) -> list[tuple[str, ...]]:
        """Return whose hand it is, what is drawn from, and under which rules."""
        return [
            ("Dealer", self.start, "probability of how his hand ends if he always plays it out"),
            ("Bust", f"{float(self.unconditional['bust']):.10f} unconditional"),
            ("Numbers", "fractions" if self._exact else "doubles"),
            shoe_fact("Draws from", self.shoe),
            *self.rules.facts(),
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the distribution as JSON takes it, fractions as text."""
        given, number = self.given_no_blackjack, str if self._exact else float
        return {
            "unconditional": {name: number(p) for name, p in self.unconditional.items()},
            "given_no_blackjack": None if given is None else {name: number(p) for name, p in given.items()},
        }


@dataclass(frozen=True, slots=True, repr=False)
class DealerDistribution(_FromOneStart):
    """How the dealer's hand ends from one start, if he always plays it out.

    Attributes:
        start: `T`; cards, such as `A,T` or `9,4,3`; or a total of which no card is known, such as `hard 16`.
        unconditional: probability of `17`, `18`, `19`, `20`, `21` (without blackjack), `blackjack` and `bust`; where
            the rules tell it from other busts, of `22` too.
        given_no_blackjack: the same without `blackjack`, given that he has none; None where the start cannot hide a
            blackjack, or always is one.
        shoe_can_run_out: the dealer might draw every card; he counts as bust then.
        rules: the rules.
        shoe: the cards that he draws from.
    """

    start: str
    unconditional: Mapping[str, float]
    given_no_blackjack: Mapping[str, float] | None
    shoe_can_run_out: bool
    rules: Rules = field(compare=False)
    shoe: Shoe = field(compare=False)
    _exact = False

    def to_dict(self) -> dict[str, Any]:
        """Return the distribution as JSON takes it."""
        return {"upcard": self.start, **_FromOneStart.to_dict(self)}


@dataclass(frozen=True, slots=True, repr=False)
class ExactDealer(_FromOneStart):
    """How the dealer's hand ends from one start, as fractions; attributes as those of `DealerDistribution`."""

    start: str
    unconditional: dict[str, Fraction]
    given_no_blackjack: dict[str, Fraction] | None
    rules: Rules = field(compare=False)
    shoe: Shoe = field(compare=False)
    _exact = True


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


def parse_distribution_start(text: str, rules: Rules) -> DealerStart:
    """Return the start that a text names, for the dealer's outcomes.

    It is an upcard, in an exposed game too, such as `9`; cards in the order dealt, such as `9,4,3`; or a total of which
    no card is known, such as `16`, `hard 9` or `soft 17`: a number from 11 on is a hard total.

    Raises:
        HandError: it is none of these, or he would not have drawn the last cards.
    """
    dealer = hand_terms(rules).dealer
    match = _TOTAL.fullmatch(text.strip().lower())
    if match is not None and (match[1] or int(match[2]) in _BARE):
        kind, total = match[1] or "hard", int(match[2])
        if total not in (HARD_TOTALS if kind == "hard" else SOFT_TOTALS):
            raise HandError(f"dealer: expected hard 4 to 21 or soft 12 to 21, or cards such as 9,4,3, got {text!r}")
        return replace(dealer, exposed=True).start(_of_total(total, kind == "soft"), f"{kind} {total}")
    cards = tuple(card.value for card in parse_cards(text))
    if len(cards) < 2:
        return replace(dealer, exposed=False).parse(text)
    for number in range(2, len(cards)):
        total, soft = hand_total(cards[:number])
        if total > 17 or (total == 17 and not (soft and dealer.hits_soft_17)):
            held = ",".join(RANKS[card] for card in cards[:number])
            raise HandError(f"dealer: he draws no more to {held}, got {text!r}")
    return replace(dealer, exposed=True).start(cards)


def _of_total(total: int, soft: bool) -> tuple[int, ...]:
    """Return cards that make a total and are no blackjack."""
    if soft:
        return (ACE, 1, 7) if total == 21 else (ACE, total - 12)
    return (1, total - 3) if total < 12 else (1, 8, TEN) if total == 21 else (total - 11, TEN)


def dealer_distribution(shoe: Shoe, upcard: str | DealerStart, rules: AnyGame) -> DealerDistribution:
    """Return how the dealer's hand ends, drawing from a shoe that no longer holds his start.

    >>> from odds.game.rules import Rules
    >>> from odds.game.shoe import Shoe
    >>> shoe = Shoe.of_decks(8).without("T")
    >>> round(dealer_distribution(shoe, "T", Rules(decks=8)).unconditional["blackjack"], 7)
    0.0771084

    Args:
        shoe: the cards to draw from.
        upcard: one card that he shows, or more that he has, or a total; see `parse_distribution_start`.
        rules: for the drawing rule; or a game, also by its name or file.

    Raises:
        HandError: the upcard cannot be read.
    """
    rules = rules_of(rules)
    check_kind(shoe, Shoe, "a Shoe", ShoeError)
    start = parse_distribution_start(upcard, rules) if isinstance(upcard, str) else upcard
    return _distribution(start, shoe, hand_terms(rules))


def dealer_distributions(rules: Rules, shoe: Shoe) -> tuple[DealerDistribution, ...]:
    """Return how the dealer's hand ends from every start that a full shoe can deal him.

    Args:
        rules: for the drawing rule, and whether both cards are seen.
        shoe: the shoe with the dealer's cards still in it.

    Raises:
        ShoeError: it has too few cards for him to start.
    """
    terms = hand_terms(rules)
    needed = 2 if terms.dealer.exposed else 1
    if shoe.total < needed:
        raise ShoeError(f"expected a shoe of at least {needed} cards for the dealer to start, got {shoe.total}")
    return tuple(
        _distribution(start, remove_start(shoe, start), terms)
        for start in terms.dealer.starts
        if start_probability(start, shoe)
    )


def dealer_by_group(rules: Rules, shoe: Shoe) -> tuple[GroupOutcomes, ...]:
    """Return the groups that a full shoe can deal, and how the dealer's hand ends from each.

    Outcomes are weighted by the probabilities of the starts. Arguments as for `dealer_distributions`.
    """
    dealer = hand_terms(rules).dealer
    by_start = {item.start: item for item in dealer_distributions(rules, shoe)}
    weights = {start.label: float(start_probability(start, shoe)) for start in dealer.starts}
    rows = []
    for group in start_groups(dealer):
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


def exact_distribution(shoe: Shoe, upcard: str | DealerStart, rules: AnyGame) -> ExactDealer:
    """Return how the dealer's hand ends from a start, as fractions.

    A dealer who cannot draw because the shoe is empty counts as bust.

    Args:
        shoe: the shoe that still holds the start.
        upcard: the upcard, more cards or a total, as for `dealer_distribution`, or the start itself.
        rules: for the drawing rule.

    Raises:
        HandError: the upcard cannot be read.
        ShoeError: the shoe does not hold it.
    """
    rules = rules_of(rules)
    start = parse_distribution_start(upcard, rules) if isinstance(upcard, str) else upcard
    left = remove_start(shoe, start)
    outcomes = exact_dealer(start, left, hand_terms(rules))
    return ExactDealer(start.label, outcomes, _given_no_blackjack(start, outcomes), rules, left)


def exact_dealer(start: DealerStart, shoe: Shoe, terms: Terms) -> dict[str, Fraction]:
    """Return the probabilities of the dealer's outcomes, unconditional, as fractions; see `DealerDistribution`.

    Every final hand is added up one by one, in whole numbers.

    Args:
        start: the dealer's start.
        shoe: the shoe without it.
        terms: for the drawing rule, and the totals that are told apart.
    """
    hidden, trie = start.hidden_blackjack, terms.trie(start)
    outcomes = dict.fromkeys(_names(terms), Fraction(0))
    if start.is_blackjack:
        outcomes["blackjack"] = Fraction(1)
        return outcomes
    ways: dict[tuple[str, int], int] = {}
    for drawn, orders, total in trie.multisets():
        number = orders
        for n, gone in zip(shoe.counts, drawn, strict=True):
            number *= falling_or_zero(n, gone, shoe.step)
        key = (str(total), sum(drawn))
        ways[key] = ways.get(key, 0) + number
    for (total_name, draws), number in ways.items():
        if number:
            outcomes[total_name] += Fraction(number, falling(shoe.total, draws, shoe.step))
    if hidden >= 0 and shoe.total:
        outcomes["blackjack"] = Fraction(shoe.counts[hidden], shoe.total)
    outcomes["bust"] = 1 - sum(outcomes.values(), Fraction(0))
    return outcomes


def _distribution(start: DealerStart, shoe: Shoe, terms: Terms) -> DealerDistribution:
    """Return how the dealer's hand ends from a start, drawing from a shoe that no longer holds it."""
    outcomes, hidden = dict.fromkeys(_names(terms), 0.0), start.hidden_blackjack
    if start.is_blackjack:
        outcomes["blackjack"] = 1.0
    else:
        totals = one_dealer_distribution(terms.trie(start), tuple(n << _ENDLESS * shoe.endless for n in shoe.counts))
        outcomes.update(zip(outcomes, totals, strict=False))  # the totals come first
        if hidden >= 0 and shoe.total:
            outcomes["blackjack"] = shoe.counts[hidden] / shoe.total
        outcomes["bust"] = max(0.0, 1.0 - outcomes["blackjack"] - sum(totals))
    given = _given_no_blackjack(start, outcomes)
    return DealerDistribution(start.label, outcomes, given, _dealer_can_run_out(start, shoe), terms.rules, shoe)


def _names(terms: Terms) -> tuple[str, ...]:
    """Return what the dealer's outcomes are called: the totals that are told apart, and the rest."""
    return (*TOTALS[: terms.pays.n_totals], "blackjack", "bust")


def _given_no_blackjack(start: DealerStart, outcomes: Mapping[str, _Number]) -> dict[str, _Number] | None:
    """Return the outcomes given no hidden blackjack, None where none can be hidden or one always is."""
    blackjack = outcomes["blackjack"]
    if start.hidden_blackjack < 0 or blackjack >= 1:
        return None
    return {name: p / (1 - blackjack) for name, p in outcomes.items() if name != "blackjack"}


def _dealer_can_run_out(start: DealerStart, shoe: Shoe) -> bool:
    """Return whether the dealer's draws might use up the shoe: at most 16 points before the last card."""
    return most_cards(shoe.counts, 16 - sum(card + 1 for card in start.cards)) + 1 > shoe.total
