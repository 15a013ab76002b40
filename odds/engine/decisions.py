"""What each action of one hand against one dealer start is worth, and which is best."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from odds._kernel import TIE
from odds.engine.dealer import DealerStart, parse_dealer, remove_start
from odds.engine.hands import ACE, TEN, player_hands, removals
from odds.engine.player import DOUBLE_ROW, HIT_ROW, STAND_ROW, doubles, evaluate, tied_blackjack
from odds.engine.splitting import (
    SplitValue,
    draws_after_split,
    extras,
    hand_of_split,
    hands_of_split,
    is_split_blackjack,
    may_double_split,
    shoe_can_run_out,
    split_hands,
    split_value,
)
from odds.errors import HandError, OddsError, RulesError
from odds.game.cards import RANKS, Card, format_values, parse_cards
from odds.game.shoe import Shoe
from odds.numbers.arithmetic import DOUBLES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from odds.engine.player import StartValues
    from odds.game.rules import Rules
    from odds.numbers.arithmetic import Arithmetic

# Ties go to the first of these.
ACTIONS = ("stand", "hit", "double", "split", "surrender")
SPLIT_CLASSES = {
    "cdz": "composition-dependent play of unsplit hands, used again after a split",
    "cdp1": "re-optimised after a split, knowing that one more pair card is gone",
    "full": "the best use of every card seen in the round, in the order of play, for one split",
}
DEFAULT_SPLIT_CLASS = "cdp1"
FULL = "full"
# Of a play that is given, not found: its hands after a split do what it says.
GIVEN = "given"
_PLAYS = ("stand", "hit", "double")
_TEN_RANKS = "TJQK"


def check_split_class(split_class: str, rules: Rules | None = None) -> str:
    """Return a split class by its name.

    Args:
        split_class: the name.
        rules: that it is to be used with, if they are known already.

    Raises:
        RulesError: it is unknown, or is not for these rules.
    """
    if split_class not in SPLIT_CLASSES:
        *others, last = SPLIT_CLASSES
        raise RulesError(f"split class: expected {', '.join(others)} or {last}, got {split_class!r}")
    if split_class == FULL and rules is not None and rules.max_hands > 2:
        raise RulesError(f"split class full: expected max_hands 1 or 2, got {rules.max_hands}")
    return split_class


def refuse_full(split_class: str, what: str) -> None:
    """Refuse what the split class `full` does not have, as its play after a split looks at all hands.

    Raises:
        OddsError: the class is `full`.
    """
    if split_class == FULL:
        raise OddsError(f"{what}: not available for split class full; expected cdz or cdp1")


def best_action(actions: Mapping[str, Any]) -> str:
    """Return the best of some actions by value; ties go to the first of `ACTIONS`."""
    best = "stand"
    for action in ACTIONS[1:]:
        if action in actions and actions[action] > actions[best] + TIE:
            best = action
    return best


def surrender_offered(rules: Rules, start: DealerStart) -> str:
    """Return `none`, `late` or `early`: how the first two cards may be surrendered against a dealer start."""
    if rules.surrender != "early-vs-ten":
        return rules.surrender
    return "early" if start.cards == (TEN,) else "late"


class StartAnalysis:
    """Everything about one dealer start: the values of all hands, and of splits once they are asked for.

    Attributes:
        start: the dealer's start.
        shoe: the shoe without it.
        rules: the rules.
        split_class: how the hands of a split are played.
        arithmetic: the number system.
    """

    def __init__(
        self,
        start: DealerStart,
        shoe: Shoe,
        rules: Rules,
        split_class: str,
        arithmetic: Arithmetic = DOUBLES,
    ) -> None:
        self.start, self.shoe, self.rules, self.split_class = start, shoe, rules, split_class
        self.arithmetic = arithmetic
        self._may_double = doubles(rules)
        self._surrender_offered = surrender_offered(rules, start)
        lost = 1 - rules.surrender_returns
        self._surrendered = -arithmetic.ratio(lost.numerator, lost.denominator)
        self._splits: dict[tuple[int, int | None], SplitValue] = {}

    @cached_property
    def values(self) -> StartValues:
        """The values of every hand before a split."""
        return evaluate(self.start, self.shoe, self.rules, removals(extras(self.rules)), self.arithmetic)

    def split(self, pair: int, rank: int | None = None) -> SplitValue:
        """Return the split of a pair of this value, and of this ten rank where only that one is meant."""
        if self.split_class == FULL:
            return self._full_split(pair)
        key = (pair, rank)
        if key not in self._splits:
            self._splits[key] = split_value(self.values, pair, self.split_class, rank, self._play_after_split(pair))
        return self._splits[key]

    def _full_split(self, pair: int) -> SplitValue:
        """Return the split of a pair played on everything seen: of ten-valued cards the rank does not matter then."""
        from odds.engine.full import full_splits

        if (pair, None) not in self._splits:
            self.know_split(pair, *full_splits([self], pair))
        return self._splits[pair, None]

    def know_split(self, pair: int, split: SplitValue) -> None:
        """Keep a split of a pair, of whatever rank, that was valued together with others."""
        self._splits[pair, None] = split

    def know_values(self, values: StartValues) -> None:
        """Keep the values of every hand before a split, which were found together with those of other starts."""
        self.__dict__["values"] = values

    def _play_after_split(self, pair: int) -> NDArray[np.uint8] | None:
        """Return the play after a split if it is given; None if it is to be found."""
        return None

    def legal_actions(self, hand: int, *, first: bool, pair: int | None = None) -> list[str]:
        """Return the legal actions of a hand, in the order of `ACTIONS`.

        Args:
            hand: index of the hand.
            first: it is the player's first two cards.
            pair: the value of the cards if they may be split as far as their ranks go.
        """
        rules = self.rules
        drawing = [] if stands_by_itself(hand, rules) else ["hit"]
        if first and drawing and self._may_double[hand]:
            drawing.append("double")
        actions = ["stand", *drawing]
        if first and pair is not None and hands_of_split(rules, pair) > 1:
            actions.append("split")
        if first and self._surrender_offered != "none":
            actions.append("surrender")
        return actions

    def joint_value(self, hand: int, action: str, pair: int | None = None, rank: int | None = None) -> Any:
        """Return the value of a legal action on the joint scale of `StartValues`, as a scalar of its arithmetic.

        Args:
            hand: index of the hand.
            action: one of `legal_actions`.
            pair: the value of the cards of a pair.
            rank: which of the ten ranks the pair has, where only that one is meant.
        """
        if action == "split" and pair is not None:
            return self.split(pair, rank).value
        if action == "surrender":
            return self.surrender_value(self.values.p_blackjack(hand))
        row = {"stand": STAND_ROW, "hit": HIT_ROW, "double": DOUBLE_ROW}[action]
        return self.arithmetic.read(self.values.values[row, hand])

    def surrender_value(self, p: Any) -> Any:
        """Return the value of surrendering on the joint scale, given the probability of a hidden blackjack.

        Args:
            p: a scalar, or an array of doubles.
        """
        value = self._surrendered
        if self._surrender_offered == "late":
            # It saves nothing from a blackjack found later.
            return value * (1 - p) - self.start.blackjack_cost(1) * p
        # The round pays for the blackjack, which an early surrender does not.
        return value + p if self.start.blackjack_costs_once else value

    def joint_actions(
        self, hand: int, *, first: bool, pair: int | None = None, rank: int | None = None
    ) -> dict[str, Any]:
        """Return `joint_value` of every legal action, in the order of `ACTIONS`."""
        actions = self.legal_actions(hand, first=first, pair=pair)
        return {action: self.joint_value(hand, action, pair, rank) for action in actions}


def stands_by_itself(hand: int, rules: Rules) -> bool:
    """Return whether a hand is finished: 21 (but a soft one may go for a charlie), or a charlie."""
    graph = player_hands().graph
    if rules.charlie is not None:
        return bool(graph.cards[hand] >= rules.charlie or (graph.total[hand] == 21 and not graph.soft[hand]))
    return bool(graph.total[hand] == 21)


@dataclass(frozen=True, slots=True)
class HandResult:
    """What each action is worth for one hand against one dealer start.

    Attributes:
        player: the hand.
        dealer: the dealer's start.
        actions: expected net result, in initial wagers, of each legal action followed by the best play of the split
            class. Early surrender is what it pays, whether or not the dealer has a blackjack.
        best: the action that is played. An early surrender may be best although another action's value after the
            peek is higher: compare `surrender_after_peek_scale`.
        given_no_dealer_blackjack: the dealer has peeked, and the values are conditional on his having no blackjack
            (early surrender apart).
        split_class: how the hands of a split are played.
        shoe_can_run_out: the shoe might run out, so that the value of a split is not exact.
        after_split: into how many hands of which card the hand's split goes; None before a split.
        surrender_after_peek_scale: early surrender on the scale of the other actions, (EV + p) / (1 - p), where p is
            the probability of a blackjack; None elsewhere.
        even_money: what even money pays, for a blackjack against an ace where it is offered; None elsewhere.
        stand_before_peek: what the same blackjack is worth before the peek, to compare with even money; None
            elsewhere.
        insurance: expected net result of insurance per unit insured where it is offered, all cards of the hand seen;
            None elsewhere.
    """

    player: str
    dealer: str
    actions: Mapping[str, float]
    best: str
    given_no_dealer_blackjack: bool
    split_class: str
    shoe_can_run_out: bool
    after_split: str | None = None
    surrender_after_peek_scale: float | None = None
    even_money: float | None = None
    stand_before_peek: float | None = None
    insurance: Fraction | None = None

    @property
    def value(self) -> float:
        """The value of the action that is played, on the scale of `actions`."""
        return self.actions[self.best]

    def comparable(self) -> dict[str, float]:
        """Return the values on one scale: an early surrender as it compares with values after the peek."""
        values = dict(self.actions)
        if self.surrender_after_peek_scale is not None:
            values["surrender"] = self.surrender_after_peek_scale
        return values

    def ranked(self) -> list[tuple[str, float]]:
        """Return the actions and their values, the one that is played first, then as they compare."""
        comparable = self.comparable()
        order = sorted(self.actions, key=lambda action: (action != self.best, -comparable[action]))
        return [(action, self.actions[action]) for action in order]

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON takes it."""
        result: dict[str, Any] = {
            "player": self.player,
            "dealer": self.dealer,
            "given_no_dealer_blackjack": self.given_no_dealer_blackjack,
            "actions": dict(self.actions),
            "best": self.best,
            "split_class": self.split_class,
            "shoe_can_run_out": self.shoe_can_run_out,
        }
        if self.even_money is not None:
            result["actions"]["even_money"] = self.even_money
        for name in ("after_split", "surrender_after_peek_scale", "stand_before_peek"):
            if (value := getattr(self, name)) is not None:
                result[name] = value
        if self.insurance is not None:
            result["insurance"] = {"ev": float(self.insurance), "per": "unit insured"}
        return result


def insurance_ev(shoe: Shoe, rules: Rules) -> Fraction:
    """Return the expected net result per unit insured, the hole card being any card of this shoe.

    >>> from odds.game.rules import Rules
    >>> insurance_ev(Shoe.of_decks(8).without("A,5,6"), Rules(decks=8))
    Fraction(-29, 413)
    """
    return Fraction(shoe.counts[TEN], shoe.total) * (rules.insurance_pays + 1) - 1


def insurance_offered(rules: Rules, start: DealerStart) -> bool:
    """Return whether the player may insure against this start."""
    return rules.insurance == "ace" and start.cards == (ACE,)


def _pair_of(cards: tuple[Card, ...], rules: Rules) -> tuple[int | None, int | None]:
    """Return the value of two cards if they are a pair, and the ten rank if they name one."""
    first, second = cards
    if first.value != second.value or (rules.split_by == "rank" and first.symbol != second.symbol):
        return None, None
    named = rules.split_by == "rank" and first.symbol in _TEN_RANKS[1:]
    return first.value, _TEN_RANKS.index(first.symbol) if named else None


def parse_player(text: str) -> tuple[Card, ...]:
    """Return the cards of a player's hand of two or more cards.

    Raises:
        HandError: it cannot be read, has fewer cards, or is over 21.
    """
    cards = parse_cards(text)
    if len(cards) < 2:
        raise HandError(f"player: expected at least two cards, got {text!r}")
    hard = sum(card.value + 1 for card in cards)
    if hard > 21:
        raise HandError(f"player: expected a hand of at most 21, got {text!r}, which is {hard}")
    return cards


@dataclass(frozen=True, slots=True)
class Situation:
    """A hand of two or more cards against one dealer start.

    Attributes:
        analysis: the dealer start, in the shoe that still holds the player's cards.
        hand: index of the hand.
        label: the hand.
        is_blackjack: an ace and a ten-valued card as the first two cards.
        pair: its value, if it may be split as far as its ranks go.
        rank: the ten rank of the pair, where only that one is meant.
        split_card: value of the card that was split, if the hand is one of a split.
        split_into: into how many hands it was split, else 0.
        two_cards: the hand has two cards.
        left: the shoe without all these cards.
        p_blackjack: probability of a hidden dealer blackjack.
        shoe_can_run_out: the shoe might run out within the round.
    """

    analysis: StartAnalysis
    hand: int
    label: str
    is_blackjack: bool
    pair: int | None
    rank: int | None
    split_card: int | None
    split_into: int
    two_cards: bool
    left: Shoe
    p_blackjack: Fraction
    shoe_can_run_out: bool

    @property
    def given_no_blackjack(self) -> bool:
        """Whether values are shown given that the dealer has no blackjack."""
        return self.analysis.start.peeks and self.analysis.start.hidden_blackjack >= 0

    @property
    def value_if_over(self) -> Fraction | None:
        """What the hand is worth where the deal has ended the round (after a peek, if there is one), else None."""
        rules = self.analysis.rules
        if self.analysis.start.is_blackjack:
            return tied_blackjack(rules) if self.is_blackjack else Fraction(-1)
        if not self.is_blackjack:
            return None
        return rules.blackjack_pays if self.given_no_blackjack else self.blackjack_before_peek

    @property
    def blackjack_before_peek(self) -> Fraction:
        """What a player's blackjack is worth before it is known whether the dealer has one too."""
        rules, p = self.analysis.rules, self.p_blackjack
        return rules.blackjack_pays * (1 - p) + tied_blackjack(rules) * p

    @property
    def insurance(self) -> Fraction | None:
        """Expected net result per unit insured, where insurance is offered."""
        if self.split_card is None and self.two_cards and insurance_offered(self.analysis.rules, self.analysis.start):
            return insurance_ev(self.left, self.analysis.rules)
        return None

    @property
    def even_money_offered(self) -> bool:
        """Whether even money is offered."""
        return self.is_blackjack and self.analysis.rules.even_money and self.analysis.start.cards == (ACE,)

    def joint(self) -> tuple[dict[str, float], str]:
        """Return the value of each legal action on the joint scale, and the action that is played."""
        if self.split_card is not None:
            return _actions_after_split(self)
        actions = self.analysis.joint_actions(self.hand, first=self.two_cards, pair=self.pair, rank=self.rank)
        return actions, best_action(actions)

    def shown(self, joint: Mapping[str, Any], number: Callable[[Fraction], Any]) -> tuple[dict[str, Any], Any]:
        """Return joint values as they are shown, and early surrender on the scale of the others (or None).

        Args:
            joint: by action, floats or fractions.
            number: makes such a number from a fraction.
        """
        start, rules = self.analysis.start, self.analysis.rules
        p = number(self.p_blackjack)
        actions = {action: start.shown(value, p) for action, value in joint.items()}
        after_peek = None
        if "surrender" in joint and surrender_offered(rules, start) == "early":
            if self.given_no_blackjack:
                after_peek = actions["surrender"]
            actions["surrender"] = number(rules.surrender_returns - 1)
        return actions, after_peek


def situation(analysis: StartAnalysis, cards: tuple[Card, ...], split: tuple[Card, int] | None = None) -> Situation:
    """Return the situation of a hand against a dealer start.

    Args:
        analysis: the dealer start, in the shoe that still holds the player's cards.
        cards: the player's hand, at least two cards.
        split: the card that was split, and into how many hands, if the hand is one of a split.

    Raises:
        ShoeError: the shoe does not hold the cards.
        HandError: the hand is over before it is played.
    """
    start, shoe, rules = analysis.start, analysis.shoe, analysis.rules
    two_cards = len(cards) == 2
    pair, rank = _pair_of(cards, rules) if two_cards and split is None else (None, None)
    label = format_values(card.value for card in cards)
    if rules.split_by == "rank" and two_cards and pair is None and cards[0].value == cards[1].value:
        label = ",".join(card.symbol for card in cards)
    left = shoe.without([*cards, *([split[0]] * (split[1] - 1) if split else [])])
    p = Fraction(0)
    if start.hidden_blackjack >= 0 and left.total:
        p = Fraction(left.counts[start.hidden_blackjack], left.total)
    if start.peeks and p == 1:
        raise HandError(f"dealer {start.label}: every card left makes him a blackjack, so no hand is played")
    if start.hole_card_dealt and not left.total:
        raise HandError("expected a shoe that still holds the dealer's hole card, got one without a card left")
    all_counts = [n + start.cards.count(value) for value, n in enumerate(shoe.counts)]
    splits = pair is not None or split is not None
    return Situation(
        analysis,
        player_hands().find(card.value for card in cards),
        label,
        two_cards and split is None and {card.value for card in cards} == {ACE, TEN},
        pair,
        rank,
        split[0].value if split else None,
        split[1] if split else 0,
        two_cards,
        left,
        p,
        shoe_can_run_out(all_counts, rules if splits else rules.replace(max_hands=1)),
    )


def hand_result(at: Situation) -> HandResult:
    """Return what each action is worth in a situation."""
    over = at.value_if_over
    if over is not None:
        actions, best, after_peek = {"stand": float(over)}, "stand", None
    else:
        joint, best = at.joint()
        actions, after_peek = at.shown(joint, float)
    return HandResult(
        at.label,
        at.analysis.start.label,
        actions,
        best,
        at.given_no_blackjack,
        at.analysis.split_class,
        at.shoe_can_run_out,
        f"{RANKS[at.split_card]}:{at.split_into}" if at.split_card is not None else None,
        after_peek,
        1.0 if at.even_money_offered else None,
        float(at.blackjack_before_peek) if at.even_money_offered else None,
        at.insurance,
    )


def _actions_after_split(at: Situation) -> tuple[dict[str, float], str]:
    """Return the joint values of a hand of a split, and the action that its play takes."""
    rules, hand, pair = at.analysis.rules, at.hand, at.split_card
    if pair is None:
        raise ValueError("not a hand of a split")
    split = split_hands(at.analysis.values, pair, at.analysis.split_class)
    values = split.values[at.split_into - 1]
    if values is None:
        raise HandError("after a split there are at least 2 hands")
    if is_split_blackjack(hand, rules):
        second = TEN if pair == ACE else ACE
        return {"stand": float(hand_of_split(at.analysis.values, split, pair, second, at.split_into - 1))}, "stand"
    rows = {"stand": STAND_ROW, "hit": HIT_ROW, "double": DOUBLE_ROW}
    actions = actions_after_split(hand, pair, rules)
    return {action: float(values[rows[action], hand]) for action in actions}, _PLAYS[split.play[hand]]


def actions_after_split(hand: int, pair: int, rules: Rules) -> list[str]:
    """Return the legal actions of a hand of a split of a pair, in the order of `ACTIONS`."""
    actions = ["stand"]
    if not stands_by_itself(hand, rules):
        if player_hands().graph.cards[hand] > 2 or draws_after_split(rules, pair):
            actions.append("hit")
        if may_double_split(rules, pair)[hand]:
            actions.append("double")
    return actions


def parse_after_split(text: str, rules: Rules) -> tuple[Card, int]:
    """Return the card and the number of hands that a text such as `8` or `8:3` names.

    Raises:
        HandError: it cannot be read, or the rules do not allow that split.
    """
    card_text, colon, number_text = text.partition(":")
    cards = parse_cards(card_text)
    number = int(number_text) if colon and number_text.strip() in {"2", "3", "4"} else 0 if colon else 2
    if len(cards) != 1 or not number:
        raise HandError(f"after split: expected CARD or CARD:HANDS, such as 8 or 8:3, got {text!r}")
    allowed = hands_of_split(rules, cards[0].value)
    if number > allowed:
        raise HandError(
            f"after split: the rules allow "
            f"{f'{allowed} hands' if allowed > 1 else 'no split'} of {cards[0].symbol}, got {text!r}"
        )
    return cards[0], number


def situation_of(
    player: str,
    dealer: str,
    rules: Rules,
    *,
    shoe: Shoe | None = None,
    split_class: str = DEFAULT_SPLIT_CLASS,
    after_split: str | None = None,
) -> Situation:
    """Return the situation that some texts name; see `hand_values`."""
    check_split_class(split_class, rules)
    if after_split is not None:
        refuse_full(split_class, "a hand after a split without the other hand's cards")
    start = parse_dealer(dealer, rules)
    cards = parse_player(player)
    full = rules.shoe() if shoe is None else shoe
    analysis = StartAnalysis(start, remove_start(full, start), rules, split_class)
    if after_split is None:
        return situation(analysis, cards)
    split_card, number = parse_after_split(after_split, rules)
    if split_card.value not in [card.value for card in cards]:
        raise HandError(f"player: expected a hand that holds {split_card.symbol}, which was split, got {player!r}")
    if len(cards) > 2 and not draws_after_split(rules, split_card.value):
        raise HandError(f"player: expected two cards, as split aces take one card each, got {player!r}")
    return situation(analysis, cards, (split_card, number))


def hand_values(
    player: str,
    dealer: str,
    rules: Rules,
    *,
    shoe: Shoe | None = None,
    split_class: str = DEFAULT_SPLIT_CLASS,
    after_split: str | None = None,
) -> HandResult:
    """Return what each action is worth for one hand.

    >>> from odds.game.rules import Rules
    >>> result = hand_values("8,8", "T", Rules(decks=8, max_hands=2))
    >>> result.best, round(result.actions["split"], 6)
    ('split', -0.484778)

    Args:
        player: the hand, such as `8,8` or `T,4,2`.
        dealer: the upcard, such as `T`, or both cards of an exposed dealer, such as `T,6`.
        rules: the rules.
        shoe: all cards of the round, those of the hand and of the dealer among them; `rules.decks` decks if left out.
        split_class: how the hands of a split are played, `cdz`, `cdp1` or `full`.
        after_split: the hand is one of a split: the card that was split, and after `:` the number of hands if not 2.

    Returns:
        Values in initial wagers; where the dealer peeks, given that he has no blackjack.

    Raises:
        HandError: a hand cannot be read, is over 21, or cannot come about.
        ShoeError: the shoe does not hold the cards.
        RulesError: the split class is not known, or not for these rules.
    """
    return hand_result(situation_of(player, dealer, rules, shoe=shoe, split_class=split_class, after_split=after_split))
