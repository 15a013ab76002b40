"""What each action of one hand against one dealer start is worth, and which is best."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from odds.engine.actions import ACTIONS, DOUBLE, best_action, names
from odds.engine.dealer import remove_start
from odds.engine.hands import ACE, TEN, player_hands, times_doubled
from odds.engine.pays import DEALER_BUST, EARLY_SURRENDER
from odds.engine.split_classes import DEFAULT_SPLIT_CLASS, check_split_class, play_facts, refuse_full
from odds.engine.splitting import shoe_can_run_out, split_hands
from odds.engine.start import StartAnalysis
from odds.engine.terms import hand_terms, terms_of
from odds.errors import HandError, ShoeError
from odds.game.cards import RANKS, Card, format_values, parse_cards
from odds.game.catalog import rules_of, shoe_or_full
from odds.game.fields import whole_between
from odds.game.subject import shoe_fact
from odds.results.deals import insurance_ev
from odds.shown import Shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from odds.engine.legal import Legal
    from odds.game.catalog import AnyGame
    from odds.game.rules import Rules
    from odds.game.shoe import Shoe

_TEN_RANKS = "TJQK"


@dataclass(frozen=True, slots=True, repr=False)
class HandResult(Shown):
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
        rules: the rules.
        unseen: the cards that are not seen: the shoe without those of the hand, of the dealer and of other hands.
        after_split: into how many hands of which card the hand's split goes; None before a split.
        doubled: how often the hand was doubled.
        free: the hand is one of a free split that carries free money only, so that nothing of it is lost.
        surrender_after_peek_scale: early surrender on the scale of the other actions, (EV + p) / (1 - p), where p is
            the probability of a blackjack; None elsewhere.
        even_money: what even money pays, for a blackjack against an ace where it is offered; None elsewhere.
        stand_before_peek: what the same blackjack is worth before the peek, to compare with even money; None elsewhere.
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
    rules: Rules
    unseen: Shoe = field(compare=False)
    after_split: str | None = None
    doubled: int = 0
    surrender_after_peek_scale: float | None = None
    even_money: float | None = None
    stand_before_peek: float | None = None
    insurance: Fraction | None = None
    free: bool = False

    @property
    def doubled_words(self) -> str:
        """That the hand was doubled, and how often, in words; empty if it was not."""
        return times_doubled(self.doubled)

    @property
    def value(self) -> float:
        """The value of the action that is played, on the scale of `actions`."""
        return self.actions[self.best]

    @property
    def free_actions(self) -> list[str]:
        """The legal actions of two cards that cost nothing (rules `free_double_on` and `free_split`)."""
        legal, cards = hand_terms(self.rules).legal, [card.value for card in parse_cards(self.player)]
        if len(cards) != 2:
            return []
        double = legal.free_doubles[player_hands().two_cards[tuple(cards)]]
        free = {"double": bool(double), "split": cards[0] in legal.free_pairs}
        return [action for action in self.actions if free.get(action)]

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

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row for each legal action, the one that is played first, for pandas or polars.

        Columns: `player`, `dealer`, `action`, `ev` as in `actions`, `comparable` (on one scale, see `comparable`),
        `best` (whether it is played), `given_no_dealer_blackjack`.
        """
        comparable = self.comparable()
        return [
            {
                "player": self.player,
                "dealer": self.dealer,
                "action": action,
                "ev": value,
                "comparable": comparable[action],
                "best": action == self.best,
                "given_no_dealer_blackjack": self.given_no_dealer_blackjack,
            }
            for action, value in self.ranked()
        ]

    def facts(self) -> list[tuple[str, ...]]:
        """Return what is best and what that is given, how hands of a split are played, and under which rules."""
        after = f", after a split of {self.after_split.replace(':', ' into ')} hands" if self.after_split else ""
        after += ", with free money" if self.free else ""
        facts: list[tuple[str, ...]] = [
            ("Hand", f"{self.player}{self.doubled_words} against {self.dealer}{after}"),
            ("Best", f"{self.best}, EV {self.value:+.10f} {self.rules.hand_unit}s"),
            ("Given", "no dealer blackjack" if self.given_no_dealer_blackjack else "both hands"),
        ]
        if self.even_money is not None:
            facts.append(("Even money", f"{self.even_money:+.0f}; {self.stand_before_peek:+.10f} without it"))
        if self.insurance is not None:
            facts.append(("Insurance", f"{float(self.insurance):+.10f} per unit insured"))
        return [
            *facts,
            *play_facts("composition", self.split_class)[1:],
            ("Numbers", "doubles" + (", splits not exact as the shoe can run out" if self.shoe_can_run_out else "")),
            shoe_fact("Unseen", self.unseen),
            *self.rules.facts(),
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON takes it."""
        first = ("player", "dealer", "given_no_dealer_blackjack", "actions", "best", "split_class", "shoe_can_run_out")
        result: dict[str, Any] = {name: getattr(self, name) for name in first} | {"actions": dict(self.actions)}
        if self.even_money is not None:
            result["actions"]["even_money"] = self.even_money
        for name in ("after_split", "surrender_after_peek_scale", "stand_before_peek"):
            if (value := getattr(self, name)) is not None:
                result[name] = value
        if self.doubled:
            result["doubled"] = self.doubled
        if self.free:
            result["free"] = True
        if free := self.free_actions:
            result["free_actions"] = free
        if self.insurance is not None:
            result["insurance"] = {"ev": float(self.insurance), "per": "unit insured"}
        return result


def _pair_of(cards: tuple[Card, ...], legal: Legal) -> tuple[int | None, int | None]:
    """Return the value of two cards if they are a pair, and the ten rank if they name one."""
    first, second = cards
    if first.value != second.value or (legal.like_tens and first.symbol != second.symbol):
        return None, None
    named = legal.like_tens and first.symbol in _TEN_RANKS[1:]
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
        doubled: how often it was doubled.
        two_cards: the hand has two cards.
        switched: it is an ace and a ten that an exchange of cards has made, which stand.
        left: the shoe without all these cards.
        p_blackjack: probability of a hidden dealer blackjack.
        shoe_can_run_out: the shoe might run out within the round.
        free: it is one of a free split that carries free money only.
    """

    analysis: StartAnalysis
    hand: int
    label: str
    is_blackjack: bool
    pair: int | None
    rank: int | None
    split_card: int | None
    split_into: int
    doubled: int
    two_cards: bool
    switched: bool
    left: Shoe
    p_blackjack: Fraction
    shoe_can_run_out: bool
    free: bool

    @property
    def place(self) -> int:
        """The hand's place on its level, see `Legal.levels`."""
        level = self.analysis.terms.legal.free_level if self.free else self.doubled
        return (level or 0) * player_hands().graph.size + self.hand

    @property
    def given_no_blackjack(self) -> bool:
        """Whether values are shown given that the dealer has no blackjack."""
        return self.analysis.start.peeks and self.analysis.start.hidden_blackjack >= 0

    @property
    def value_if_over(self) -> Fraction | None:
        """What the hand is worth where the deal has ended the round (after a peek, if there is one), else None."""
        pays = self.analysis.terms.pays
        if self.analysis.start.is_blackjack:
            return pays.tied_blackjack if self.is_blackjack else Fraction(-1)
        if not self.is_blackjack:
            return None
        return pays.blackjack if self.given_no_blackjack else self.blackjack_before_peek

    @property
    def blackjack_before_peek(self) -> Fraction:
        """What a player's blackjack is worth before it is known whether the dealer has one too."""
        pays, p = self.analysis.terms.pays, self.p_blackjack
        return pays.blackjack * (1 - p) + pays.tied_blackjack * p

    @property
    def _against_ace(self) -> bool:
        return self.analysis.start.cards == (ACE,)

    @property
    def insurance(self) -> Fraction | None:
        """Expected net result per unit insured, where insurance is offered."""
        start, terms = self.analysis.start, self.analysis.terms
        if self.split_card is not None or not self.two_cards or start.cards[0] not in terms.legal.insurance:
            return None
        return insurance_ev(self.left.counts[start.hidden_blackjack], self.left.total, terms)

    @property
    def even_money_offered(self) -> bool:
        """Whether even money is offered."""
        return self.is_blackjack and self._against_ace and self.analysis.terms.legal.even_money

    def joint(self) -> tuple[dict[str, float], str]:
        """Return the value of each legal action on the joint scale, and the action that is played."""
        if self.switched:
            return {"stand": self.analysis.values.if_switched()}, "stand"
        if self.split_card is not None:
            return _actions_after_split(self, self.split_card)
        actions = self.analysis.joint_actions(self.place, self.pair, self.rank)
        return actions, best_action(actions)

    def shown(self, joint: Mapping[str, Any], number: Callable[[Fraction], Any]) -> tuple[dict[str, Any], Any]:
        """Return joint values as they are shown, and early surrender on the scale of the others (or None).

        Args:
            joint: by action, floats or fractions.
            number: makes such a number from a fraction.
        """
        start, terms = self.analysis.start, self.analysis.terms
        # The unit that a round loses to a blackjack not looked for is none of a free hand's.
        p, settlement = number(self.p_blackjack * (start.peeks or not self.free)), terms.settlement(start)
        actions = {action: settlement.shown(value, p, peeks=start.peeks) for action, value in joint.items()}
        after_peek = None
        first = self.two_cards and self.split_card is None
        if "surrender" in joint and first and self.analysis.surrender == "early":
            if self.given_no_blackjack:
                after_peek = actions["surrender"]
            actions["surrender"] = number(terms.pays.table[EARLY_SURRENDER][DEALER_BUST])
        return actions, after_peek


def situation(
    analysis: StartAnalysis,
    cards: tuple[Card, ...],
    split: tuple[Card, int] | None = None,
    doubled: int = 0,
    *,
    free: bool = False,
    switched: bool = False,
) -> Situation:
    """Return the situation of a hand against a dealer start.

    Args:
        analysis: the dealer start, in the shoe that still holds the player's cards.
        cards: the player's hand, at least two cards.
        split: the card that was split, and into how many hands, if the hand is one of a split.
        doubled: how often the hand was doubled.
        free: the hand is one of a free split that carries free money only.
        switched: an exchange of cards has made the hand.

    Raises:
        ShoeError: the shoe does not hold the cards.
        HandError: the hand is over before it is played.
    """
    start, shoe, legal = analysis.start, analysis.shoe, analysis.terms.legal
    two_cards = len(cards) == 2
    pair, rank = _pair_of(cards, legal) if two_cards and split is None else (None, None)
    label = format_values(card.value for card in cards)
    if legal.like_tens and two_cards and pair is None and cards[0].value == cards[1].value:
        label = ",".join(card.symbol for card in cards)
    try:
        left = shoe.without([*cards, *([split[0]] * (split[1] - 1) if split else [])])
    except ShoeError as error:
        raise ShoeError(f"player {label}: {error}") from None
    p = Fraction(0)
    if start.hidden_blackjack >= 0 and left.total:
        p = Fraction(left.counts[start.hidden_blackjack], left.total)
    if start.peeks and p == 1:
        raise HandError(f"dealer {start.label}: every card left makes him a blackjack, so no hand is played")
    if start.hole_card_dealt and not left.total:
        raise HandError("expected a shoe that still holds the dealer's hole card, got one without a card left")
    all_counts = [n + start.cards.count(value) for value, n in enumerate(shoe.counts)]
    splits = pair is not None or split is not None
    ace_ten = two_cards and split is None and {card.value for card in cards} == {ACE, TEN}
    return Situation(
        analysis,
        player_hands().find(card.value for card in cards),
        label,
        ace_ten and not switched,
        pair,
        rank,
        split[0].value if split else None,
        split[1] if split else 0,
        doubled,
        two_cards,
        ace_ten and switched,
        left,
        p,
        shoe_can_run_out(all_counts, legal.most_hands if splits else 1),
        free,
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
        at.analysis.terms.rules,
        at.left,
        f"{RANKS[at.split_card]}:{at.split_into}" if at.split_card is not None else None,
        at.doubled,
        after_peek,
        1.0 if at.even_money_offered else None,
        float(at.blackjack_before_peek) if at.even_money_offered else None,
        at.insurance,
        at.free,
    )


def _actions_after_split(at: Situation, pair: int) -> tuple[dict[str, float], str]:
    """Return the joint values of a hand of a split, and the action that its play takes."""
    split = split_hands(at.analysis.values, pair, at.analysis.split_class)
    actions = names(int(at.analysis.terms.legal.states(pair)[at.place]))
    if not at.analysis.offers_later(at.place):
        actions = [action for action in actions if action != "surrender"]
    extra = at.split_into - 1
    values = {action: split.value(at.analysis.values, at.place, extra, action) for action in actions}
    return values, ACTIONS[split.play[at.place]]


def parse_after_split(text: str, legal: Legal) -> tuple[Card, int]:
    """Return the card and the number of hands that a text such as `8` or `8:3` names.

    Raises:
        HandError: it cannot be read, or the rules do not allow that split.
    """
    card_text, colon, number_text = text.partition(":")
    cards = parse_cards(card_text)
    number = int(number_text) if colon and number_text.strip() in {"2", "3", "4"} else 0 if colon else 2
    if len(cards) != 1 or not number:
        raise HandError(f"after split: expected CARD or CARD:HANDS, such as 8 or 8:3, got {text!r}")
    allowed = legal.split_into[cards[0].value]
    if number > allowed:
        raise HandError(
            f"after split: the rules allow "
            f"{f'{allowed} hands' if allowed > 1 else 'no split'} of {cards[0].symbol}, got {text!r}"
        )
    return cards[0], number


def situation_of(
    player: str,
    dealer: str,
    rules: AnyGame,
    *,
    shoe: Shoe | None = None,
    split_class: str = DEFAULT_SPLIT_CLASS,
    after_split: str | None = None,
    doubled: int = 0,
    free: bool = False,
) -> Situation:
    """Return the situation that some texts name; see `hand_values`."""
    rules = rules_of(rules)
    terms = terms_of(rules)
    check_split_class(split_class, terms.legal)
    if after_split is not None:
        refuse_full(split_class, "a hand after a split without the other hand's cards")
    start = terms.dealer.parse(dealer)
    if "/" in str(player):
        raise HandError(f"player: expected one hand, as no cards are exchanged under these rules, got {player!r}")
    cards = parse_player(player)
    full = shoe_or_full(shoe, rules)
    analysis = StartAnalysis(start, remove_start(full, start), terms, split_class)
    if free:
        after_split = _free_split(cards, terms.legal, after_split)
    if after_split is None:
        _check_doubled(doubled, cards, terms.legal, None)
        return situation(analysis, cards, doubled=doubled)
    split_card, number = parse_after_split(after_split, terms.legal)
    pair = split_card.value
    if pair not in [card.value for card in cards]:
        raise HandError(f"player: expected a hand that holds {split_card.symbol}, which was split, got {player!r}")
    if len(cards) > 2 and not terms.legal.hits_split(pair):
        raise HandError(f"player: expected two cards, as split aces take one card each, got {player!r}")
    _check_doubled(doubled, cards, terms.legal, pair)
    return situation(analysis, cards, (split_card, number), doubled, free=free)


def _free_split(cards: tuple[Card, ...], legal: Legal, after_split: str | None) -> str:
    """Return the split that a hand with free money is of, as a text; if none is given, of its first card that may be.

    Raises:
        HandError: no such split is free.
    """
    free = ", ".join(RANKS[pair] for pair in legal.free_pairs)
    if not free:
        raise HandError("free: expected rules under which splits are free, as free_split says")
    if after_split is None:
        after_split = next((card.symbol for card in cards if card.value in legal.free_pairs), None)
        if after_split is None:
            raise HandError(f"free: expected a hand with a card whose split is free ({free})")
    elif (card := parse_after_split(after_split, legal)[0]).value not in legal.free_pairs:
        raise HandError(f"free: expected a split that is free ({free}), got one of {card.symbol}")
    return after_split


def _check_doubled(doubled: int, cards: tuple[Card, ...], legal: Legal, pair: int | None) -> None:
    """Refuse to call a hand doubled so often that cannot have been, or of which nothing is left to decide."""
    # Under rules with free money a doubled hand stands.
    most = 0 if legal.free_doubles.any() or legal.free_pairs else max(legal.levels - 1, 0)
    number = whole_between("doubled", doubled, 0, None)
    if number and not most:
        raise HandError(
            "doubled: expected rules that leave a doubled hand something to decide, as redoubles, double_rescue and "
            "surrender_cards=any do"
        )
    if number > most or (number and len(cards) < number + 2):
        raise HandError(
            f"doubled: expected at most {min(most, max(len(cards) - 2, 0))} for {len(cards)} cards under these rules, "
            f"got {number}"
        )
    states = legal.states(pair).reshape(-1, player_hands().graph.size)
    for level, had in enumerate(range(len(cards) - number, len(cards))):
        values = [card.value for card in cards[:had]]
        if not states[level, player_hands().find(values)] >> DOUBLE & 1:
            raise HandError(
                f"doubled: expected a hand of which the last {number} of the cards came with doubles, got one of which "
                f"{format_values(values)} cannot have been doubled"
            )


def hand_values(
    player: str,
    dealer: str,
    rules: AnyGame,
    *,
    shoe: Shoe | None = None,
    split_class: str = DEFAULT_SPLIT_CLASS,
    after_split: str | None = None,
    doubled: int = 0,
    free: bool = False,
) -> HandResult:
    """Return what each action is worth for one hand.

    >>> from odds.game.rules import Rules
    >>> result = hand_values("8,8", "T", Rules(decks=8, max_hands=2))
    >>> result.best, round(result.actions["split"], 6)
    ('split', -0.484778)

    Args:
        player: the hand, such as `8,8` or `T,4,2`.
        dealer: the upcard, such as `T`, or both cards of an exposed dealer, such as `T,6`.
        rules: the rules, or the game that has them, also by its name or file.
        shoe: all cards of the round, those of the hand and of the dealer among them; `rules.decks` decks if left out.
        split_class: how the hands of a split are played, `cdz`, `cdp1` or `full`.
        after_split: the hand is one of a split: the card that was split, and after `:` the number of hands if not 2.
        doubled: how often the hand was doubled, with its last cards; its values then count all that is wagered on it.
        free: the hand is one of a free split that carries free money only; without `after_split` of its first card
            whose split is free.

    Returns:
        Values in initial wagers; where the dealer peeks, given that he has no blackjack.

    Raises:
        HandError: a hand cannot be read, is over 21, or cannot come about.
        ShoeError: the shoe does not hold the cards.
        RulesError: the split class is not known, or not for these rules.
    """
    at = situation_of(
        player, dealer, rules, shoe=shoe, split_class=split_class, after_split=after_split, doubled=doubled, free=free
    )
    return hand_result(at)
