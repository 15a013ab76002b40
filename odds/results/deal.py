"""Four cards of a game whose second cards may be exchanged: both ways to play them, and which is better."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from odds._kernel import TIE
from odds.engine.dealer import remove_start
from odds.engine.split_classes import DEFAULT_SPLIT_CLASS, check_split_class, play_facts, refuse_full
from odds.engine.splitting import shoe_can_run_out
from odds.engine.start import StartAnalysis
from odds.engine.terms import hand_terms
from odds.errors import HandError, ShoeError
from odds.game.cards import RANKS, parse_cards
from odds.game.catalog import rules_of, shoe_or_full
from odds.game.fields import check_kind
from odds.game.subject import shoe_fact
from odds.results.hand import hand_result, situation
from odds.results.switch import EXCHANGE, KEEP
from odds.shown import Shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from odds.game.cards import Card
    from odds.game.catalog import AnyGame
    from odds.game.rules import Rules
    from odds.game.shoe import Shoe
    from odds.results.hand import HandResult, Situation


@dataclass(frozen=True, slots=True)
class Way:
    """One of the two ways to play four cards.

    Attributes:
        name: of `WAYS`.
        hands: both hands, each beside the other; an ace and a ten that an exchange has made only stand.
    """

    name: str
    hands: tuple[HandResult, HandResult]

    @property
    def cards(self) -> str:
        """Both hands, such as `9,A / 6,T`."""
        return " / ".join(hand.player for hand in self.hands)

    @property
    def ev(self) -> float:
        """Half of the sum of their values."""
        return (self.hands[0].value + self.hands[1].value) / 2


# What both hands of a deal share, which is said once of it.
_SHARED = ("dealer", "given_no_dealer_blackjack", "split_class", "shoe_can_run_out", "insurance")


@dataclass(frozen=True, slots=True, repr=False)
class DealResult(Shown):
    """What four cards are worth, their second ones exchanged or not, against one dealer start.

    Attributes:
        player: both hands as they were dealt, such as `9,T / 6,A`.
        dealer: the dealer's start.
        ways: both ways, the better one first; one only where the dealer shows a blackjack.
        given_no_dealer_blackjack: the dealer has looked, and the values are conditional on his having no blackjack.
        split_class: how the hands of a split are played.
        shoe_can_run_out: the shoe might run out, so that the value of a split is not exact.
        rules: the rules.
        unseen: the cards that are not seen.
        insurance: expected net result of insurance per unit insured where it is offered, all cards seen; else None.
    """

    player: str
    dealer: str
    ways: tuple[Way, ...]
    given_no_dealer_blackjack: bool
    split_class: str
    shoe_can_run_out: bool
    rules: Rules
    unseen: Shoe = field(compare=False)
    insurance: Fraction | None = None

    @property
    def best(self) -> str:
        """The better way, `keep` or `exchange`; where both are worth the same the cards are kept."""
        return self.ways[0].name

    @property
    def actions(self) -> dict[str, float]:
        """What both ways are worth per unit of one wager, by name."""
        return {way.name: way.ev for way in self.ways}

    @property
    def value(self) -> float:
        """What the better way is worth."""
        return self.ways[0].ev

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row for each hand of each way, the better way first, for pandas or polars.

        Columns: `dealer`, `way`, `way_ev`, `player`, `action` that is best, its `ev`.
        """
        return [
            {
                "dealer": self.dealer,
                "way": way.name,
                "way_ev": way.ev,
                "player": hand.player,
                "action": hand.best,
                "ev": hand.value,
            }
            for way in self.ways
            for hand in way.hands
        ]

    def facts(self) -> list[tuple[str, ...]]:
        """Return which way is better and what that is given, and under which rules."""
        insured = [] if self.insurance is None else [("Insurance", f"{float(self.insurance):+.10f} per unit insured")]
        return [
            ("Hands", f"{self.player} against {self.dealer}"),
            ("Best", f"{self.best}, EV {self.value:+.10f} per unit of one wager"),
            ("Given", "no dealer blackjack" if self.given_no_dealer_blackjack else "the cards that are seen"),
            *insured,
            *play_facts("composition", self.split_class)[1:],
            ("Numbers", "doubles" + (", splits not exact as the shoe can run out" if self.shoe_can_run_out else "")),
            shoe_fact("Unseen", self.unseen),
            *self.rules.facts(),
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON takes it."""
        plain = ("player", "dealer", "given_no_dealer_blackjack", "actions", "best", "split_class", "shoe_can_run_out")
        return {
            **{name: getattr(self, name) for name in plain},
            "per": "one of the two initial wagers",
            "hands": {
                way.name: [
                    {
                        **{name: value for name, value in hand.to_dict().items() if name not in _SHARED},
                        "value": hand.value,
                    }
                    for hand in way.hands
                ]
                for way in self.ways
            },
            **({} if self.insurance is None else {"insurance": {"ev": float(self.insurance), "per": "unit insured"}}),
        }


@dataclass(frozen=True, slots=True)
class Deal:
    """Four cards against one dealer start.

    Attributes:
        texts: by way, both hands with their cards in the order dealt.
        hands: by way both hands, the better of which is not known yet; kept only where the dealer shows a blackjack.
        shoe_can_run_out: the shoe might run out within the round.
    """

    texts: Mapping[str, Sequence[str]]
    hands: Mapping[str, tuple[Situation, Situation]]
    shoe_can_run_out: bool


def deal_of(
    player: str, dealer: str, rules: AnyGame, *, shoe: Shoe | None = None, split_class: str = DEFAULT_SPLIT_CLASS
) -> Deal:
    """Return the deal that some texts name; see `deal_values`."""
    rules = rules_of(rules)
    terms = hand_terms(rules)
    if not terms.legal.switches:
        raise HandError(f"player: expected one hand, as no cards are exchanged under these rules, got {player!r}")
    check_split_class(split_class, terms.legal)
    refuse_full(split_class, "switch=true")
    check_kind(player, str, "cards as a text, such as '9,T / 6,A'", HandError)
    parts = player.split("/")
    dealt = [parse_cards(part) for part in parts]
    if [len(cards) for cards in dealt] != [2, 2]:
        raise HandError(f"player: expected two hands of two cards, such as 9,T / 6,A, got {player!r}")
    start = terms.dealer.parse(dealer)
    full = shoe_or_full(shoe, rules)
    left = remove_start(full, start)
    (a, b), (c, d) = dealt
    ways = {KEEP: ((a, b), (c, d)), EXCHANGE: ((a, d), (c, b))}
    if start.is_blackjack:
        del ways[EXCHANGE]
    texts = {way: [",".join(RANKS[card.value] for card in hand) for hand in both] for way, both in ways.items()}

    def beside(cards: tuple[Card, ...], other: tuple[Card, ...], way: str) -> Situation:
        try:
            analysis = StartAnalysis(start, left.without(other), terms, split_class)
            return situation(analysis, cards, switched=way == EXCHANGE)
        except ShoeError as error:
            raise ShoeError(f"player {' / '.join(texts[KEEP])}: {error}") from None

    hands = {way: (beside(one, two, way), beside(two, one, way)) for way, (one, two) in ways.items()}
    most = max(sum(terms.legal.most_hands if hand.pair is not None else 1 for hand in both) for both in hands.values())
    return Deal(texts, hands, shoe_can_run_out(full.counts, most))


def deal_result(deal: Deal) -> DealResult:
    """Return what both ways to play four cards are worth."""
    ways = []
    for name, both in deal.hands.items():
        one, two = (replace(hand_result(hand), player=text) for hand, text in zip(both, deal.texts[name], strict=True))
        ways.append(Way(name, (one, two)))
    if len(ways) > 1 and ways[1].ev > ways[0].ev + TIE:
        ways.reverse()
    known = deal.hands[KEEP][0]
    start, terms = known.analysis.start, known.analysis.terms
    about = known.given_no_blackjack, known.analysis.split_class, deal.shoe_can_run_out, terms.rules
    return DealResult(" / ".join(deal.texts[KEEP]), start.label, tuple(ways), *about, known.left, known.insurance)


def deal_values(
    player: str, dealer: str, rules: AnyGame, *, shoe: Shoe | None = None, split_class: str = DEFAULT_SPLIT_CLASS
) -> DealResult:
    """Return what four cards are worth in two hands whose second cards may be exchanged.

    Args:
        player: both hands as they are dealt, such as `9,T / 6,A`.
        dealer: the upcard, such as `T`, or both cards of an exposed dealer, such as `T,6`.
        rules: the rules, or the game that has them, also by its name or file.
        shoe: all cards of the round, those of the hands and of the dealer among them; `rules.decks` decks if left out.
        split_class: how the hands of a split are played, `cdz` or `cdp1`.

    Returns:
        Values per unit of one of the two wagers; where the dealer peeks, given that he has no blackjack.

    Raises:
        HandError: a hand cannot be read or has not two cards, or no cards are exchanged under the rules.
        ShoeError: the shoe does not hold the cards.
        RulesError: the split class is not known, or not for these rules.
    """
    return deal_result(deal_of(player, dealer, rules, shoe=shoe, split_class=split_class))
