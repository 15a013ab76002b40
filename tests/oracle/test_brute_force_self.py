"""The brute force itself: against single shoes played out one by one, cases worked by hand, and identities."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from types import SimpleNamespace
from typing import Any

import brute_force as bf
import pytest

HALF = Fraction(1, 2)


class PlainRules(SimpleNamespace):
    """Rules that are themselves alone, as what is kept of them may be."""

    __hash__ = object.__hash__  # type: ignore[assignment]
    __eq__ = object.__eq__


def rules_of(**changes: Any) -> SimpleNamespace:
    """Rules as the brute force reads them."""
    rules = {
        "dealer_hits_soft_17": False,
        "hole_card": "peek",
        "peeks_under": lambda upcard: upcard in "AT",
        "dealer_blackjack_takes": "all",
        "blackjack_pays": Fraction(3, 2),
        "blackjack_tie": "push",
        "tie_loses": lambda total: False,
        "dealer_22": "bust",
        "may_double": lambda total, soft: True,
        "double_cards": 2,
        "double_multiples": (2,),
        "redoubles": 0,
        "double_rescue": False,
        "double_after_split": True,
        "double_split_aces": False,
        "max_hands": 2,
        "split_by": "value",
        "resplit_aces": False,
        "hit_split_aces": False,
        "split_blackjack": False,
        "surrender": "none",
        "surrender_cards": 2,
        "surrender_returns": HALF,
        "player_21": "compare",
        "charlie": None,
        "charlie_pays": Fraction(1),
        "charlie_beats_blackjack": False,
        "bonuses": (),
        "decks": 1,
        "raise_after_upcard": 0,
        "free_double_on": "none",
        "free_totals": (),
        "free_split": "none",
        "free_pairs": "",
        "switch": False,
        "switched_blackjack": "21",
    }
    assert set(changes) <= set(rules)
    return PlainRules(**rules | changes)


def numbers(names: str) -> bf.Cards:
    return bf.values(tuple(map(bf.card_of, names)))


class Whim:
    """A play without rhyme or reason, but the same for the same cards. It likes splitting, so as to get there."""

    def __init__(self, rules: Any, seed: int) -> None:
        self.rules, self.seed = rules, seed

    def pick(self, legal: tuple[bf.Action, ...], *question: object) -> bf.Action:
        return random.Random(f"{self.seed} {question}").choice(legal)

    def first(self, hand: bf.Cards, dealer: bf.Cards, is_pair: bool) -> bf.Action:
        legal = bf.legal_first(self.rules, hand, is_pair, dealer[0])
        return self.pick((*legal, "split", "split", "split") if is_pair else legal, hand, dealer, is_pair)

    def later(self, hand: bf.Cards, dealer: bf.Cards) -> bf.Action:
        return self.pick(bf.legal_first(self.rules, hand, False, dealer[0]), hand, dealer)

    def after_split(self, hand: bf.Cards, dealer: bf.Cards, pair_value: int) -> bf.Action:
        return self.pick(bf.legal_after_split(self.rules, hand, pair_value, dealer[0]), hand, dealer, pair_value)

    def doubled(self, hand: bf.Cards, dealer: bf.Cards, doublings: int, pair_value: int | None) -> bf.Action:
        return self.pick(bf.legal_doubled(self.rules, hand, doublings, dealer[0]), hand, dealer, doublings, pair_value)

    def free(self, hand: bf.Cards, dealer: bf.Cards, pair_value: int) -> bf.Action:
        return self.pick(
            bf.legal_after_split(self.rules, hand, pair_value, dealer[0]), hand, dealer, pair_value, "free"
        )


class Always:
    """The same action wherever it can be taken, `stand` elsewhere."""

    def __init__(self, first: bf.Action, then: bf.Action = "stand") -> None:
        self.action, self.then = first, then

    def first(self, hand: bf.Cards, dealer: bf.Cards, is_pair: bool) -> bf.Action:
        return "stand" if self.action == "split" and not is_pair else self.action

    def later(self, hand: bf.Cards, dealer: bf.Cards) -> bf.Action:
        return self.then

    def after_split(self, hand: bf.Cards, dealer: bf.Cards, pair_value: int) -> bf.Action:
        return self.then

    def doubled(self, hand: bf.Cards, dealer: bf.Cards, doublings: int, pair_value: int | None) -> bf.Action:
        return self.then

    def free(self, hand: bf.Cards, dealer: bf.Cards, pair_value: int) -> bf.Action:
        return self.then


class Only(Always):
    """Doubles; then an action with one total, and stands on all others."""

    def __init__(self, total: int, action: bf.Action) -> None:
        super().__init__("double")
        self.total, self.on_total = total, action

    def doubled(self, hand: bf.Cards, dealer: bf.Cards, doublings: int, pair_value: int | None) -> bf.Action:
        return self.on_total if bf.total_of(hand)[0] == self.total else "stand"


STAND = Always("stand")


# --- single shoes, played out ---------------------------------------------------------------------------------


def orderings(shoe: Mapping[str, int]) -> Iterator[str]:
    """Every order the cards of a shoe can be in, equal cards being alike."""
    if not any(shoe.values()):
        yield ""
    for card, n in shoe.items():
        if n:
            for rest in orderings({**shoe, card: n - 1}):
                yield card + rest


PIPS = {**{str(n): n for n in range(2, 10)}, "A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}


def count(cards: list[str]) -> tuple[int, bool]:
    """The best total and whether it is soft."""
    total = sum(PIPS[card] for card in cards)
    if "A" in cards and total < 12:
        return total + 10, True
    return total, False


def is_blackjack(cards: list[str]) -> bool:
    return len(cards) == 2 and count(cards)[0] == 21


def named(surrender: str, kind: str) -> str:
    """The upcards of one kind of surrender in a text such as `early T, late 2-9,A`."""
    found = ""
    for words in surrender.split(", "):
        if words.startswith(kind):
            for cards in words.split()[1].split(","):
                after = "A23456789TA".partition(cards[0])[1:]
                found += "".join(after).partition(cards[-1])[0] + cards[-1]
    return found


def play_out(order: str, rules: Any, play: bf.Play, split_deal: str) -> tuple[Fraction, int]:
    """Net result and total wagered of the round that is dealt from a shoe in this order.

    Written apart from the brute force: one round, from the first card to the last, in the words of the table.
    """
    shoe = list(order)
    hand = [shoe.pop(0), shoe.pop(0)]
    dealer = [shoe.pop(0)]
    if rules.hole_card != "none":
        dealer.append(shoe.pop(0))
    upcard = "T" if PIPS[dealer[0]] == 10 else dealer[0]
    said = {"early-vs-ten": "early T, late A-9", "early": "early A-T", "late": "late A-T"}.get(rules.surrender)
    early = upcard in named(said or rules.surrender, "early")
    peeks = rules.hole_card == "peek" and rules.peeks_under(upcard)
    tie = {"push": Fraction(0), "win": rules.blackjack_pays, "lose": Fraction(-1)}[rules.blackjack_tie]

    def indexes(cards: list[str]) -> tuple[int, ...]:
        return tuple(sorted(PIPS[card] - 1 for card in cards))

    shown = indexes(dealer if rules.hole_card == "exposed" else dealer[:1])

    def turn_over() -> None:
        """The dealer takes or shows his second card."""
        if len(dealer) == 1 and shoe:
            dealer.append(shoe.pop(0))

    # The player's blackjack.
    if is_blackjack(hand):
        turn_over()
        return (tie if is_blackjack(dealer) else rules.blackjack_pays), 1

    # The first decision, and the peek.
    if rules.hole_card == "exposed" and is_blackjack(dealer):
        return Fraction(-1), 1
    alike = hand[0] == hand[1] if rules.split_by == "rank" else PIPS[hand[0]] == PIPS[hand[1]]
    pair = alike and rules.max_hands >= 2
    if peeks and is_blackjack(dealer):
        given_up = early and play.first(indexes(hand), shown, pair) == "surrender"
        return (rules.surrender_returns - 1 if given_up else Fraction(-1)), 1
    choice = play.first(indexes(hand), shown, pair)
    if choice == "surrender":
        if not early:
            turn_over()
            if is_blackjack(dealer):
                return Fraction(-1), 1
        return rules.surrender_returns - 1, 1

    # The player's hands as they end, from left to right; those given up, with what a rescue loses. Of the bets, how
    # many of the house's chips are among them, and which hands were the house's from the start.
    bets: list[int] = []
    chips: list[int] = []
    houses: list[bool] = []
    ended: list[list[str]] = []
    given_up: dict[int, int | None] = {}
    split = choice == "split" and bool(shoe)
    offered = early or upcard in named(said or rules.surrender, "late")
    surrenders_any = offered and rules.surrender_cards == "any"

    def is_over(cards: list[str]) -> bool:
        total, soft = count(cards)
        if rules.charlie and len(cards) >= rules.charlie:
            return True
        if total == 21 and soft and rules.charlie and rules.player_21 == "compare":
            return False
        return total >= 21

    def ask_doubled(cards: list[str], times: int) -> str:
        """What is done with a hand after so many doublings, where anything may be done with it."""
        redoubled = times <= rules.redoubles
        if count(cards)[0] == 21 or not (redoubled or rules.double_rescue or surrenders_any):
            return "stand"
        return play.doubled(indexes(cards), shown, times, PIPS[hand[0]] - 1 if split else None)

    def free_double(cards: list[str]) -> bool:
        total, soft = count(cards)
        return len(cards) == 2 and ("S" if soft else "H") + str(total) in rules.free_totals

    def play_hand(cards: list[str], choice: str, ask: Any, house: bool = False) -> None:
        raised = [1]  # the hand's wagers, from the first to the last
        chips.append(int(house))
        houses.append(house)
        while choice == "surrender" or (choice != "stand" and shoe):
            if choice == "surrender":
                rescued = len(raised) > 1 and rules.double_rescue
                if rescued and surrenders_any:
                    rescued = raised[-2] <= raised[-1] * (1 - rules.surrender_returns)
                given_up[len(ended)] = raised[-2] if rescued else None
                break
            if choice == "double":
                chips[-1] += free_double(cards)
                raised.append(raised[-1] * (2 if len(raised) > 1 else max(rules.double_multiples)))
            cards.append(shoe.pop(0))
            choice = "stand" if is_over(cards) else ask_doubled(cards, len(raised) - 1) if raised[1:] else ask(cards)
        bets.append(raised[-1])
        ended.append(cards)

    if split:
        first_card = hand[0]
        ace = first_card == "A"

        def ask_split(cards: list[str], ask: Any = play.after_split) -> str:
            total, soft = count(cards)
            if rules.split_blackjack and is_blackjack(cards):
                return "stand"
            may_double = rules.double_split_aces if ace else rules.double_after_split
            may_double = may_double and (rules.double_cards == "any" or len(cards) <= rules.double_cards)
            may_double = may_double and total < 21 and rules.may_double(total, soft)
            if ace and not rules.hit_split_aces and not may_double:
                return "stand"
            return str(ask(indexes(cards), shown, PIPS[first_card] - 1))

        def ask_free(cards: list[str]) -> str:
            return ask_split(cards, play.free)

        def is_pair(cards: list[str]) -> bool:
            if rules.split_by == "rank":
                return cards == [first_card, first_card]
            return len(cards) == 2 and PIPS[cards[0]] == PIPS[cards[1]] == PIPS[first_card]

        waiting = [[first_card], [first_card]]

        def second_card(i: int) -> None:
            """Deals the hand its second card, splits it again if that can be, and so on with its left part."""
            while len(waiting[i]) == 1 and shoe:
                waiting[i].append(shoe.pop(0))
                more = len(waiting) + len(ended) < rules.max_hands and (not ace or rules.resplit_aces)
                if is_pair(waiting[i]) and more:
                    waiting[i : i + 1] = [[first_card], [first_card]]

        while waiting:
            i = 0
            while i < (len(waiting) if split_deal == "both" else 1):
                second_card(i)
                i += 1
            cards = waiting.pop(0)
            house = bool(ended) and ("T" if PIPS[first_card] == 10 else first_card) in rules.free_pairs
            ask = ask_free if house else ask_split
            play_hand(cards, "stand" if is_over(cards) or len(cards) == 1 else ask(cards), ask, house)
    else:
        play_hand(hand, choice, lambda cards: play.later(indexes(cards), shown))

    # The dealer.
    turn_over()
    while not is_blackjack(dealer):
        total, soft = count(dealer)
        if total > 17 or (total == 17 and not (soft and rules.dealer_hits_soft_17)):
            break
        if not shoe:
            total = 99
            break
        dealer.append(shoe.pop(0))
    total = 0 if is_blackjack(dealer) else total

    # Who wins.
    wagered = sum(bets) - sum(chips)
    net = Fraction(0)
    original = is_blackjack(dealer) and rules.dealer_blackjack_takes == "original"
    if original:
        net = Fraction(-1)
    for i, (cards, bet) in enumerate(zip(ended, bets, strict=True)):
        own, _ = count(cards)
        lost = bet - chips[i]
        if i in given_up:
            surrendered = given_up[i] is None
            lost = bet * (1 - rules.surrender_returns) if surrendered else Fraction(given_up[i] or 0)
            if surrendered and early:
                net -= lost - (original and len(ended) == 1)
            elif not is_blackjack(dealer):
                net -= lost
            elif not original:
                at_stake = bet if surrendered else lost
                net -= 1 if rules.dealer_blackjack_takes == "original-per-hand" else at_stake
            continue
        natural = is_blackjack(cards) and rules.split_blackjack
        charlie = rules.charlie and len(cards) >= rules.charlie and own <= 21
        wins = own == 21 and rules.player_21 == "wins" and not natural
        if wins or (charlie and rules.charlie_beats_blackjack):
            # Already paid, whatever the dealer has.
            net += bet * (rules.charlie_pays if charlie else 1)
            if original and len(ended) == 1:
                net += 1
        elif original:
            pass
        elif is_blackjack(dealer):
            first = 0 if houses[i] else 1
            if natural:
                net += -first if rules.blackjack_tie == "lose" else tie
            else:
                net -= first if rules.dealer_blackjack_takes == "original-per-hand" else lost
        elif natural:
            net += rules.blackjack_pays
        elif own > 21:
            net -= lost
        elif charlie:
            net += bet * rules.charlie_pays
        elif total == 22 and rules.dealer_22 == "push":
            pass
        elif total > 21 or own > total:
            net += bet
        elif own < total or rules.tie_loses(total):
            net -= lost
    return net, wagered


ACES = {"A": 4, "5": 2, "T": 3}
SMALL = {"A": 3, "2": 4, "3": 3}
MIXED = {"A": 2, "3": 3, "8": 3, "T": 2}
TENS = {"6": 2, "T": 3, "K": 3, "A": 1}

FREE_PAIRS: dict[str, Any] = {"free_split": "A-6,T", "free_pairs": "A23456T"}
FREE: dict[str, Any] = {
    "free_split": "A,2-9",
    "free_pairs": "A23456789",
    "free_double_on": "2-11,14-20",
    "free_totals": [kind + str(total) for kind in "HS" for total in range(2, 21) if total not in (12, 13)],
}

SHOES: dict[str, tuple[dict[str, int], dict[str, Any]]] = {
    "peek": (MIXED, {}),
    "peek, hits soft 17": ({"A": 3, "6": 4, "T": 2}, {"dealer_hits_soft_17": True}),
    "peek under a ten only": (ACES, {"peeks_under": lambda up: up == "T", "surrender": "late"}),
    "peek under an ace only": (
        ACES,
        {"peeks_under": lambda up: up == "A", "surrender": "early-vs-ten", "dealer_blackjack_takes": "original"},
    ),
    "exposed": (ACES, {"hole_card": "exposed", "tie_loses": lambda total: total in (17, 20), "blackjack_tie": "win"}),
    "exposed, surrender": (ACES, {"hole_card": "exposed", "surrender": "early"}),
    "no hole card, all": (ACES, {"hole_card": "none", "resplit_aces": True, "max_hands": 3}),
    "no hole card, original": (
        ACES,
        {"hole_card": "none", "dealer_blackjack_takes": "original", "hit_split_aces": True},
    ),
    "21 wins, original": (
        ACES,
        {"player_21": "wins", "hole_card": "none", "dealer_blackjack_takes": "original", "hit_split_aces": True},
    ),
    "21 wins, a charlie pays": (
        SMALL,
        {"player_21": "wins", "charlie": 5, "charlie_pays": Fraction(2), "hole_card": "none"},
    ),
    "a charlie beats blackjack": (
        {"A": 3, "2": 4, "T": 3},
        {"charlie": 5, "charlie_pays": Fraction(3, 2), "charlie_beats_blackjack": True, "hole_card": "none"},
    ),
    "no hole card, original per hand": (
        ACES,
        {
            "hole_card": "none",
            "dealer_blackjack_takes": "original-per-hand",
            "split_blackjack": True,
            "blackjack_tie": "win",
            "double_split_aces": True,
        },
    ),
    "no hole card, split blackjacks lose ties": (
        {"A": 3, "T": 4, "7": 2},
        {"hole_card": "none", "split_blackjack": True, "blackjack_tie": "lose", "max_hands": 3},
    ),
    "no hole card, late surrender": (ACES, {"hole_card": "none", "surrender": "late"}),
    "no hole card, early surrender": (ACES, {"hole_card": "none", "surrender": "early"}),
    "early surrender": (ACES, {"surrender": "early", "surrender_returns": Fraction(1, 3)}),
    "early surrender against a ten": (ACES, {"surrender": "early-vs-ten"}),
    "early surrender, not against an ace": (ACES, {"surrender": "early 2-T"}),
    "no hole card, surrender by upcards": (ACES, {"hole_card": "none", "surrender": "early A, late 2-9"}),
    "late surrender": (ACES, {"surrender": "late"}),
    "four hands": ({"8": 5, "3": 4, "T": 1}, {"max_hands": 4}),
    "four hands of aces": (
        {"A": 5, "9": 2, "6": 3},
        {"max_hands": 4, "resplit_aces": True, "hit_split_aces": True, "double_split_aces": True},
    ),
    "aces doubled, not hit": (ACES, {"double_split_aces": True, "double_after_split": False}),
    "aces hit, not doubled": (ACES, {"hit_split_aces": True, "may_double": lambda total, soft: not soft}),
    "three hands, no doubling": (
        {"8": 4, "2": 3, "3": 2},
        {"max_hands": 3, "double_after_split": False, "may_double": lambda total, soft: 9 <= total <= 11},
    ),
    "no splitting": (MIXED, {"max_hands": 1}),
    "charlie": (SMALL, {"charlie": 5, "max_hands": 3, "hit_split_aces": True, "resplit_aces": True}),
    "charlie, no hole card": ({"A": 3, "2": 3, "T": 3}, {"charlie": 5, "hole_card": "none", "hit_split_aces": True}),
    "charlie of six": ({"A": 5, "2": 4, "9": 1}, {"charlie": 6, "hit_split_aces": True}),
    "22 pushes": ({"A": 2, "6": 3, "T": 4}, {"dealer_22": "push", "split_blackjack": True, "max_hands": 3}),
    "22 pushes, exposed": (MIXED, {"dealer_22": "push", "hole_card": "exposed", "tie_loses": lambda total: True}),
    "22 pushes, no hole card": (MIXED, {"dealer_22": "push", "hole_card": "none", "surrender": "early"}),
    "22 pushes, charlie": (
        {"A": 2, "2": 3, "6": 2, "T": 3},
        {"dealer_22": "push", "charlie": 5, "dealer_hits_soft_17": True},
    ),
    "three cards doubled": (SMALL, {"double_cards": 3, "max_hands": 3}),
    "any cards doubled, to twice or three times": (
        {"A": 2, "2": 4, "T": 3},
        {"double_cards": "any", "double_multiples": (2, 3), "hit_split_aces": True, "double_split_aces": True},
    ),
    "any cards doubled, charlie": (SMALL, {"double_cards": "any", "charlie": 5, "player_21": "wins"}),
    "redoubled": ({"2": 4, "3": 3, "A": 1, "T": 1}, {"redoubles": 2, "double_multiples": (3,)}),
    "redoubled, charlie, no hole card": (
        {"A": 2, "2": 4, "T": 3},
        {"redoubles": 1, "charlie": 5, "hole_card": "none", "dealer_blackjack_takes": "original-per-hand"},
    ),
    "rescued, no hole card": (ACES, {"double_rescue": True, "hole_card": "none"}),
    "rescued, redoubled, original": (
        {"A": 2, "2": 4, "T": 3},
        {"double_rescue": True, "redoubles": 1, "hole_card": "none", "dealer_blackjack_takes": "original"},
    ),
    "rescued, redoubled, per hand": (
        {"A": 2, "2": 4, "T": 3},
        {"double_rescue": True, "redoubles": 1, "hole_card": "none", "dealer_blackjack_takes": "original-per-hand"},
    ),
    "any hand surrendered": (MIXED, {"surrender": "late", "surrender_cards": "any", "redoubles": 1}),
    "any hand surrendered early, no hole card": (
        ACES,
        {"surrender": "early 5-T", "surrender_cards": "any", "hole_card": "none", "surrender_returns": Fraction(1, 3)},
    ),
    "any hand surrendered late, no hole card": (
        ACES,
        {"surrender": "late", "surrender_cards": "any", "hole_card": "none"},
    ),
    "any hand surrendered late, original": (
        ACES,
        {"surrender": "late", "surrender_cards": "any", "hole_card": "none", "dealer_blackjack_takes": "original"},
    ),
    "any unsplit hand surrendered early, original": (
        ACES,
        {
            "surrender": "early",
            "surrender_cards": "any",
            "hole_card": "none",
            "dealer_blackjack_takes": "original",
            "max_hands": 1,
        },
    ),
    "rescued, or surrendered for more": (
        {"A": 2, "2": 3, "5": 2, "T": 3},
        {
            "double_rescue": True,
            "redoubles": 1,
            "double_multiples": (4,),
            "surrender": "late 2,T",
            "surrender_cards": "any",
            "hole_card": "none",
        },
    ),
    "free doubles": (MIXED, {"free_double_on": "hard 9-11, soft 19", "free_totals": ("H9", "H10", "H11", "S19")}),
    "free doubles, no hole card": (
        {"A": 2, "3": 3, "6": 2, "T": 3},
        {
            "free_double_on": "9,11-14",
            "free_totals": [kind + total for kind in "HS" for total in ["9", "11", "12", "13", "14"]],
            "hole_card": "none",
            "double_cards": "any",
            "dealer_22": "push",
        },
    ),
    "free splits of aces": (ACES, FREE_PAIRS | {"split_blackjack": True, "double_split_aces": True, "max_hands": 3}),
    "free splits of aces again, no hole card, per hand": (
        ACES,
        FREE
        | {
            "resplit_aces": True,
            "hit_split_aces": True,
            "double_split_aces": True,
            "max_hands": 4,
            "hole_card": "none",
            "dealer_blackjack_takes": "original-per-hand",
        },
    ),
    "free splits of aces, no hole card, original": (
        {"A": 4, "T": 3, "6": 2},
        FREE
        | {
            "hit_split_aces": True,
            "double_split_aces": True,
            "hole_card": "none",
            "player_21": "wins",
            "dealer_blackjack_takes": "original",
        },
    ),
    "free splits, blackjacks of splits lose ties": (
        {"A": 3, "T": 4, "5": 2},
        FREE_PAIRS
        | {
            "hole_card": "none",
            "split_blackjack": True,
            "blackjack_tie": "lose",
            "max_hands": 3,
            "dealer_blackjack_takes": "original-per-hand",
        },
    ),
    "free splits, four hands": ({"8": 5, "3": 4, "T": 1}, FREE | {"max_hands": 4, "dealer_22": "push"}),
    "free splits, exposed": (
        {"4": 4, "7": 3, "T": 3},
        FREE | {"max_hands": 3, "hole_card": "exposed", "tie_loses": lambda total: total in (17, 20)},
    ),
    "free splits, charlie pays": (
        {"2": 5, "3": 3, "T": 2},
        FREE | {"max_hands": 3, "charlie": 5, "charlie_pays": Fraction(2), "surrender": "late", "dealer_22": "push"},
    ),
    "free splits of tens by rank": (TENS, FREE_PAIRS | {"split_by": "rank", "max_hands": 3}),
    "free splits of sixes, not of tens": (
        TENS,
        FREE_PAIRS | {"free_split": "2-9", "free_pairs": "23456789", "max_hands": 3},
    ),
    "by rank": (TENS, {"split_by": "rank", "max_hands": 3}),
    "tens by value": (TENS, {"max_hands": 3}),
    "by rank, exposed": ({"T": 3, "K": 2, "6": 2, "5": 1}, {"split_by": "rank", "hole_card": "exposed"}),
}


@pytest.mark.parametrize("split_deal", ["both", "in-turn"])
@pytest.mark.parametrize("name", SHOES)
def test_every_ordering_of_the_shoe_played_out_by_itself(name: str, split_deal: bf.SplitDeal) -> None:
    # Shoes this small run out: that is compared as well.
    shoe, changes = SHOES[name]
    rules = rules_of(**changes)
    play = Whim(rules, seed=len(name))
    counted = Counter(play_out(order, rules, play, split_deal) for order in orderings(shoe))
    n = sum(counted.values())
    results = bf.round_results(shoe, rules, play, split_deal=split_deal)
    assert results == {result: Fraction(k, n) for result, k in counted.items()}
    assert len({wagered for _, wagered in results}) > 1


# --- worked by hand -------------------------------------------------------------------------------------------


def test_two_aces_and_two_tens() -> None:
    # 2/3 of the deals give the player A,T and leave A,T to the dealer. 1/6 give him T,T against A,A, which cannot
    # draw and so is bust: +1. 1/6 give him A,A, which cannot draw either, against T,T: -1.
    shoe = {"A": 2, "T": 2}
    third, sixth = Fraction(1, 3), Fraction(1, 6)
    assert bf.round_distribution(shoe, rules_of(), STAND) == {-1: sixth, 0: 2 * third, 1: sixth}
    assert bf.round_ev(shoe, rules_of(blackjack_tie="win"), STAND) == 2 * third * Fraction(3, 2)
    assert bf.round_ev(shoe, rules_of(blackjack_tie="lose"), STAND) == -2 * third
    # Without a hole card the dealer's T or A draws his second card all the same.
    assert bf.round_ev(shoe, rules_of(hole_card="none", blackjack_tie="lose"), STAND) == -2 * third


def test_blackjacks_of_a_single_deck() -> None:
    # The player's: 2 orders of 4 aces and 16 tens in 52 * 51; then the dealer's: 2 of 3 and 15 in 50 * 49. The other
    # 32 cards are all sevens here.
    shoe = {"A": 4, "7": 32, "T": 16}
    player, both = Fraction(128, 2652), Fraction(128, 2652) * Fraction(90, 2450)
    rules = rules_of(blackjack_pays=Fraction(7), blackjack_tie="push")
    assert bf.round_distribution(shoe, rules, STAND)[Fraction(7)] == player - both
    rules.blackjack_tie = "win"
    assert bf.round_distribution(shoe, rules, STAND)[Fraction(7)] == player


def test_dealer_by_hand() -> None:
    # 6, then T (2/3): 16, then T (1/2) is bust and 5 (1/2) is 21. Or 6, then 5 (1/3): 11, then T is 21.
    outcomes = bf.dealer_outcomes({"5": 1, "6": 1, "T": 2}, rules_of(), ["6"])
    assert outcomes == {17: 0, 18: 0, 19: 0, 20: 0, 21: Fraction(2, 3), "blackjack": 0, "bust": Fraction(1, 3)}
    # An ace with T (1/2) is a blackjack, with 6 (1/2) a soft 17; if that is hit, T makes it a hard 17.
    for hits in (False, True):
        found = bf.dealer_outcomes({"A": 1, "6": 1, "T": 1}, rules_of(dealer_hits_soft_17=hits), ["A"])
        assert (found["blackjack"], found[17]) == (HALF, HALF)
    # With a 4 in place of the T it makes 21, which is no blackjack, and without any card it is a bust.
    hits_17 = rules_of(dealer_hits_soft_17=True)
    assert bf.dealer_outcomes({"A": 1, "6": 1, "4": 1}, hits_17, ["A", "6"])[21] == 1
    assert bf.dealer_outcomes({"A": 1, "6": 1}, hits_17, ["A", "6"])["bust"] == 1
    assert bf.dealer_outcomes({"A": 1, "6": 1}, rules_of(), ["A", "6"])[17] == 1
    assert bf.dealer_outcomes({"A": 1, "T": 1}, rules_of(), ["T", "A"])["blackjack"] == 1


def test_dealer_of_eight_decks() -> None:
    # Two programs that know nothing of each other gave these, for eight decks less the upcard.
    shoe: dict[int | str, int] = {**dict.fromkeys("A23456789", 32), "T": 128}
    printed = {
        "A": (0.130209862232002, 0.0535948640407025, 0.30843373493975906, 0.115425506323305),
        "6": (0.165640083326624, 0.0972472731499421, 0.0, 0.422921619973078),
        "T": (0.111791246862665, 0.0347379360014901, 0.07710843373493977, 0.212380569920768),
    }
    for upcard, expected in printed.items():
        found = bf.dealer_outcomes(shoe, rules_of(), [upcard])
        assert sum(found.values()) == 1
        got = [float(found[outcome]) for outcome in (17, 21, "blackjack", "bust")]
        assert got == pytest.approx(expected, abs=1e-15)


def test_a_dealers_22_by_hand() -> None:
    # 6,T against the player's cards: a 6 (1/2) makes 22, a 7 (1/2) 23.
    push = {"dealer_22": "push", "hole_card": "exposed"}
    found = bf.dealer_outcomes({"6": 2, "7": 1, "T": 1}, rules_of(**push), "6T")
    assert (found[22], found["bust"]) == (HALF, HALF)
    assert 22 not in bf.dealer_outcomes({"6": 2, "7": 1, "T": 1}, rules_of(), "6T")
    left = {"6": 2, "7": 1, "T": 3}
    for tie_loses in (lambda total: False, lambda total: True):
        rules = rules_of(tie_loses=tie_loses, **push)
        assert bf.hand_ev(left, rules, STAND, "TT", "6T", "stand") == HALF
    # A blackjack wins whatever comes, and so does a charlie of two cards; a surrender stays one.
    shoe = {**left, "A": 1}
    assert bf.hand_ev(shoe, rules_of(**push), STAND, "AT", "6T", "stand") == Fraction(3, 2)
    assert bf.hand_ev(left, rules_of(charlie=2, **push), STAND, "TT", "6T", "stand") == 1
    assert bf.hand_ev(left, rules_of(surrender="late", **push), STAND, "TT", "6T", "surrender") == -HALF
    # 5,T doubled: the 7 is a bust; with the 6 he has 21, against 17 or 23; with the ace 16, against 22 or 23.
    doubled = {"5": 1, "6": 2, "7": 1, "T": 2, "A": 1}
    assert bf.hand_ev(doubled, rules_of(**push), STAND, "5T", "6T", "double") == Fraction(-2 + 2 + 1, 3)
    # With no card left to draw 12 is bust and not 22.
    assert bf.hand_ev({"6": 2, "T": 2}, rules_of(**push), STAND, "TT", "66", "stand") == 1


@pytest.mark.parametrize("split_deal", ["both", "in-turn"])
def test_splits_by_hand(split_deal: bf.SplitDeal) -> None:
    # 8,8 against an exposed T,7; an 8 and two tens are left. One split: 8 and T (2/3) make 16 and 18, which lose and
    # win; T and T (1/3) win both.
    shoe = {"7": 1, "8": 3, "T": 3}

    def ev(hands: int) -> Fraction:
        rules = rules_of(hole_card="exposed", max_hands=hands)
        return bf.hand_ev(shoe, rules, STAND, "88", "T7", "split", split_deal=split_deal)

    assert ev(2) == Fraction(2, 3)
    # Three hands: where the 8 is among the first two cards (2/3) it is split again, T and T make two 18s, and the third
    # hand has no second card: 8 loses. Where it is the third, as above.
    assert ev(3) == Fraction(2, 3) * 1 + Fraction(1, 3) * 2
    assert ev(4) == ev(3)


def test_who_loses_what_to_a_blackjack_after_play() -> None:
    def evs(shoe: dict[str, int], play: bf.Play, hand: str, action: bf.Action, **changes: Any) -> list[Fraction]:
        found = []
        for takes in ("all", "original", "original-per-hand"):
            rules = rules_of(hole_card="none", dealer_blackjack_takes=takes, **changes)
            found.append(bf.hand_ev(shoe, rules, play, hand, "T", action))
        return found

    # Only aces are left: the dealer's T becomes a blackjack whatever the player does.
    assert evs({"5": 1, "6": 1, "T": 1, "A": 2}, STAND, "56", "double") == [-2, -1, -1]
    assert evs({"8": 2, "T": 1, "A": 3}, STAND, "88", "split") == [-2, -1, -2]
    # Both hands of the split doubled.
    assert evs({"8": 2, "T": 1, "A": 5}, Always("split", "double"), "88", "split") == [-4, -1, -2]
    # Two tens split: each is a blackjack against a blackjack where that counts after a split.
    shoe = {"T": 3, "A": 3}
    assert evs(shoe, STAND, "TT", "split") == [-2, -1, -2]
    assert evs(shoe, STAND, "TT", "split", split_blackjack=True) == [0, -1, 0]
    assert evs(shoe, STAND, "TT", "split", split_blackjack=True, blackjack_tie="win") == [3, -1, 3]
    # Against the first blackjack no rule of what is taken matters.
    assert evs(shoe, STAND, "TA", "stand", blackjack_tie="win") == [1.5, 1.5, 1.5]


def test_a_bust_is_lost_and_may_be_returned() -> None:
    # T,6 doubled: T (1/2) is bust, and the ace that is left gives the dealer's T a blackjack; A (1/2) makes 17, and the
    # T that is left gives the dealer 20.
    shoe = {"T": 3, "6": 1, "A": 1}
    for takes, ev in (("all", Fraction(-2)), ("original", Fraction(-3, 2)), ("original-per-hand", Fraction(-3, 2))):
        rules = rules_of(hole_card="none", dealer_blackjack_takes=takes)
        assert bf.hand_ev(shoe, rules, STAND, "T6", "T", "double") == ev


def test_surrender_by_hand() -> None:
    # T,6 against T, an ace and a seven left: the dealer has blackjack or 17.
    shoe = {"A": 1, "6": 1, "7": 1, "T": 2}

    def ev(surrender: str, **changes: Any) -> Fraction:
        return bf.hand_ev(shoe, rules_of(surrender=surrender, **changes), STAND, "T6", "T", "surrender")

    assert ev("late") == -HALF  # after the peek
    assert ev("late", hole_card="none") == HALF * -1 + HALF * -HALF
    assert ev("late", peeks_under=lambda upcard: upcard == "A") == Fraction(-3, 4)
    assert ev("early") == ev("early", hole_card="none") == ev("early-vs-ten", hole_card="none") == -HALF
    assert ev("early", surrender_returns=Fraction(1, 4)) == Fraction(-3, 4)
    # Against an ace early-vs-ten is late.
    rules = rules_of(hole_card="none", surrender="early-vs-ten")
    assert bf.hand_ev({"A": 1, "6": 1, "7": 1, "T": 2}, rules, STAND, "T6", "A", "surrender") == Fraction(-3, 4)


def test_surrender_and_the_peek_in_a_round() -> None:
    # An ace up. Half of the deals give the player A,T and the dealer a ten: tied. The other half give him T,T, and
    # then the dealer's hole card is a ten (blackjack) as often as an ace (A,A and T make 12, and the shoe is empty).
    shoe = {"A": 2, "T": 3}
    quarter = Fraction(1, 4)
    expected = {
        "none": {-1: quarter, 0: HALF, 1: quarter},
        "late": {-1: quarter, -HALF: quarter, 0: HALF},
        "early": {-HALF: HALF, 0: HALF},
        "early-vs-ten": {-1: quarter, -HALF: quarter, 0: HALF},
    }
    for surrender, distribution in expected.items():
        play = STAND if surrender == "none" else Always("surrender")
        found = bf.round_distribution(shoe, rules_of(surrender=surrender), play, dealer_start="A")
        assert found == distribution
    # An exposed blackjack ends the round before there is anything to give up: T,T loses, A,T (two deals in three) ties.
    rules = rules_of(surrender="early", hole_card="exposed")
    assert bf.round_distribution(shoe, rules, Always("surrender"), dealer_start="TA")[Fraction(-1)] == Fraction(1, 3)


def test_doubled_hands_by_hand() -> None:
    # 4,5 against an exposed T,7; a 2 and two tens are left. Doubled three times, it is 11 (1/3), which becomes 21 with
    # one more card, or 19.
    shoe = {"2": 1, "4": 1, "5": 1, "7": 1, "T": 3}
    exposed = {"hole_card": "exposed", "double_multiples": (2, 3)}
    evs = {}
    for then in ("stand", "double", "surrender"):
        changes = {"redoubles": 1, "double_rescue": True} if then != "stand" else {}
        play = Only(11, then)
        evs[then] = bf.hand_worth(shoe, rules_of(**exposed, **changes), play, "45", "T7", "double")
    assert evs["stand"] == (Fraction(-3 + 3 + 3, 3), 3)
    assert evs["double"] == (Fraction(6 + 3 + 3, 3), 4)
    assert evs["surrender"] == (Fraction(-1 + 3 + 3, 3), 3)  # the rescue loses one of the three, all of them wagered


def test_what_a_doubled_hand_loses_that_is_given_up() -> None:
    # T,6 doubled becomes 17, and only aces are left: the dealer's T becomes a blackjack, or an exposed 8 a hard 19.
    def evs(**changes: Any) -> list[Fraction]:
        found = []
        for takes in ("all", "original", "original-per-hand"):
            rules = rules_of(hole_card="none", dealer_blackjack_takes=takes, **changes)
            play = Always("double", "surrender")
            found.append(bf.hand_ev({"6": 1, "T": 2, "A": 2}, rules, play, "T6", "T", "double"))
        rules = rules_of(hole_card="exposed", **changes)
        return [*found, bf.hand_ev({"6": 1, "T": 2, "A": 2, "8": 1}, rules, play, "T6", "T8", "double")]

    rescue: dict[str, Any] = {"double_rescue": True}
    late: dict[str, Any] = {"surrender": "late", "surrender_cards": "any"}
    assert evs(**rescue) == [-1, -1, -1, -1]
    assert evs(**rescue, double_multiples=(3,)) == [-1, -1, -1, -1]
    assert evs(**late) == [-2, -1, -1, -1]
    assert evs(**late, surrender_returns=Fraction(3, 4)) == [-2, -1, -1, -HALF]
    assert evs(**late | {"surrender": "early T"})[:3] == [-1, -1, -1]
    # Both: the rescue, unless a surrender loses less.
    assert evs(**late, **rescue) == [-1, -1, -1, -1]
    assert evs(**late, **rescue, double_multiples=(3,)) == [-1, -1, -1, -1]
    assert evs(**late, **rescue, surrender_returns=Fraction(3, 4)) == [-2, -1, -1, -HALF]


def test_any_hand_surrendered_by_hand() -> None:
    # 8,8 split against a T that becomes a blackjack; both hands are given up with two cards, or after a third one.
    shoe = {"8": 2, "T": 1, "A": 5}
    found = []
    for surrender in ("late", "early"):
        for takes in ("all", "original", "original-per-hand") if surrender == "late" else ("all", "original-per-hand"):
            rules = rules_of(hole_card="none", dealer_blackjack_takes=takes, surrender=surrender, surrender_cards="any")
            found.append(bf.hand_ev(shoe, rules, Always("split", "surrender"), "88", "T", "split"))
    assert found == [-2, -1, -2, -1, -1]
    hit = rules_of(hole_card="exposed", surrender="late", surrender_cards="any")
    assert bf.hand_ev({"2": 3, "3": 1, "T": 2}, hit, Always("hit", "surrender"), "23", "TT", "hit") == -HALF


def test_charlie_by_hand() -> None:
    # 2,2,2,2 against a T, a ten and an ace left. Hit: with the ten he has 18 in five cards, with the ace 19; the dealer
    # gets the other one, which makes a blackjack in the first case and 20 in the second.
    shoe = {"2": 4, "T": 2, "A": 1}
    rules = rules_of(hole_card="none")
    assert bf.hand_ev(shoe, rules, STAND, "2222", "T", "hit") == -1
    rules.charlie = 5
    assert bf.hand_ev(shoe, rules, STAND, "2222", "T", "hit") == 0
    rules.charlie = 6
    assert bf.hand_ev(shoe, rules, STAND, "2222", "T", "hit") == -1
    # A soft 21 of four cards may be hit for the fifth, and cannot be bust; otherwise it stands, as a hard 21 does.
    shoe = {"A": 2, "3": 1, "6": 2, "4": 1, "9": 1, "2": 1, "T": 2}
    assert bf.hand_ev(shoe, rules_of(charlie=5), STAND, "AA36", "9", "hit") == 1
    for hand, charlie in (("AA36", None), ("AA36", 4), ("3629A", 6), ("T92", 5)):
        with pytest.raises(ValueError, match="expected one of"):
            bf.hand_ev(shoe, rules_of(charlie=charlie), STAND, hand, "6", "hit")


def test_the_hole_card_cannot_be_drawn() -> None:
    # 5,6 against a 9 and one more card, a ten. As a hole card it makes 19, and the player stands with 11 for want of a
    # card. In the shoe it gives him 21, and the dealer is bust for want of a card.
    shoe = {"5": 1, "6": 1, "9": 1, "T": 1}
    actions: tuple[bf.Action, ...] = ("hit", "double")
    for action in actions:
        assert bf.hand_ev(shoe, rules_of(), STAND, "56", "9", action) == -1
    assert bf.hand_ev(shoe, rules_of(hole_card="none"), STAND, "56", "9", "hit") == 1
    assert bf.hand_ev(shoe, rules_of(hole_card="none"), STAND, "56", "9", "double") == 2
    with pytest.raises(ValueError, match="at least 4 cards"):
        bf.round_ev({"5": 2, "9": 1}, rules_of(), STAND)


def test_split_by_rank() -> None:
    shoe = {"T": 2, "K": 1, "9": 4}
    by_rank = rules_of(split_by="rank")
    assert bf.hand_ev(shoe, by_rank, STAND, "TT", "9", "split") == bf.hand_ev(
        shoe, rules_of(), STAND, "TK", "9", "split"
    )
    with pytest.raises(ValueError, match="expected one of"):
        bf.hand_ev(shoe, by_rank, STAND, "TK", "9", "split")
    # Re-split: one card is left, the dealer has an exposed 9,9. A like ten makes a third hand, and three lone tens lose
    # to 18. An unlike one makes 20 and 10.
    three = rules_of(split_by="rank", hole_card="exposed", max_hands=3)
    assert bf.hand_ev({"T": 3, "9": 2}, three, STAND, "TT", "99", "split") == -3
    assert bf.hand_ev({"T": 2, "K": 1, "9": 2}, three, STAND, "TT", "99", "split") == 0


def test_average_wager_by_hand() -> None:
    # All is doubled if there is a card to draw: of five cards one is left after the deal, of four none.
    assert bf.average_wager({"5": 4, "9": 1}, rules_of(), Always("double")) == 2
    assert bf.average_wager({"5": 3, "9": 1}, rules_of(), Always("double")) == 1
    # A ten up, two aces among the four other cards: half of the rounds end by the peek, before the bet is doubled.
    # Without a peek it is doubled every time, and counts even where it is returned.
    shoe = {"5": 2, "T": 1, "A": 2}
    assert bf.average_wager(shoe, rules_of(), Always("double"), dealer_start="T") == Fraction(3, 2)
    later = rules_of(hole_card="none", dealer_blackjack_takes="original")
    assert bf.average_wager(shoe, later, Always("double"), dealer_start="T") == 2
    # 9,7 exposed, four eights and a nine left: 8,8 (6 deals of 10) is split, and of the 8, 8 and 9 left then the first
    # two always have an eight for a third hand.
    split = rules_of(hole_card="exposed", max_hands=3)
    assert bf.average_wager({"7": 1, "8": 4, "9": 2}, split, Always("split"), dealer_start="79") == Fraction(
        6 * 3 + 4, 10
    )


# --- identities -----------------------------------------------------------------------------------------------

# These cannot run out: a hand of the player's ends with 30 pips at most, the dealer's with 26, an ace being 1.
AMPLE_FOR_TWO = {"A": 4, "8": 5, "T": 5}  # 94 pips of 86
AMPLE_FOR_THREE = {"A": 4, "9": 5, "T": 7}  # 119 of 116


@pytest.mark.parametrize("hole_card", ["peek", "none", "exposed"])
def test_the_order_in_which_hands_of_a_split_get_their_second_card_does_not_matter(hole_card: str) -> None:
    rules = rules_of(hole_card=hole_card, max_hands=3, resplit_aces=True, hit_split_aces=True)
    play = Whim(rules, seed=3)
    both = bf.round_results(AMPLE_FOR_THREE, rules, play, split_deal="both")
    assert both == bf.round_results(AMPLE_FOR_THREE, rules, play, split_deal="in-turn")
    assert max(wagered for _, wagered in both) > 3


def test_no_hole_card_is_as_good_as_a_peek_if_only_the_original_bet_is_taken() -> None:
    peek = rules_of(hit_split_aces=True)
    none = rules_of(hit_split_aces=True, hole_card="none", dealer_blackjack_takes="original")
    for seed in range(3):
        play = Whim(peek, seed)
        assert bf.round_distribution(AMPLE_FOR_TWO, peek, play) == bf.round_distribution(AMPLE_FOR_TWO, none, play)
    # The bets are placed, though, and returned.
    assert bf.average_wager(AMPLE_FOR_TWO, peek, play) < bf.average_wager(AMPLE_FOR_TWO, none, play)


def without(cards: list[str], taken: str) -> list[str]:
    left = list(cards)
    for card in taken:
        left.remove(card)
    return left


@pytest.mark.parametrize("hole_card", ["peek", "none", "exposed"])
def test_a_round_is_the_mean_of_its_dealer_starts_and_these_of_their_hands(hole_card: str) -> None:
    shoe = {"A": 3, "6": 3, "9": 2, "T": 4}
    rules = rules_of(hole_card=hole_card, surrender="late", max_hands=3)
    play = bf.optimal_zero_memory(shoe, rules)
    cards = [card for card, n in shoe.items() for _ in range(n)]

    def pairs(cards: list[str]) -> Counter[str]:
        return Counter("".join(sorted(a + b)) for a, b in combinations(cards, 2))

    starts = pairs(cards) if hole_card == "exposed" else Counter(cards)
    by_start = {start: bf.round_ev(shoe, rules, play, dealer_start=start) for start in starts}
    ev = sum((n * by_start[start] for start, n in starts.items()), Fraction(0)) / sum(starts.values())
    assert bf.round_ev(shoe, rules, play) == ev

    for start, start_ev in by_start.items():
        if start == "AT":  # an exposed blackjack
            continue
        left = without(cards, start)
        deals = pairs(left)
        ev = Fraction(0)
        for hand, n in deals.items():
            action: bf.Action = "stand"
            if hand != "AT":
                action = play.first(numbers(hand), numbers(start), hand[0] == hand[1])
            value = bf.hand_ev(shoe, rules, play, hand, start, action)
            if hole_card == "peek" and start in "AT":  # that is given no blackjack
                unseen = without(left, hand)
                p = Fraction(unseen.count("T" if start == "A" else "A"), len(unseen))
                value = (1 - p) * value + p * (0 if hand == "AT" else -1)
            ev += n * value
        assert start_ev == ev / sum(deals.values())


# --- the best play ----------------------------------------------------------------------------------------------


class Deviation:
    """A play with one answer changed."""

    def __init__(self, play: bf.Play, question: tuple[object, ...], answer: bf.Action) -> None:
        self.play, self.question, self.answer = play, question, answer

    def first(self, hand: bf.Cards, dealer: bf.Cards, is_pair: bool) -> bf.Action:
        return self.answer if self.question == (hand, dealer) else self.play.first(hand, dealer, is_pair)

    def later(self, hand: bf.Cards, dealer: bf.Cards) -> bf.Action:
        return self.answer if self.question == (hand, dealer) else self.play.later(hand, dealer)

    def after_split(self, hand: bf.Cards, dealer: bf.Cards, pair_value: int) -> bf.Action:
        return self.play.after_split(hand, dealer, pair_value)

    def doubled(self, hand: bf.Cards, dealer: bf.Cards, doublings: int, pair_value: int | None) -> bf.Action:
        known = self.question == (hand, dealer, doublings)
        return self.answer if known else self.play.doubled(hand, dealer, doublings, pair_value)


class Recorder:
    """A play that remembers what it was asked."""

    def __init__(self, play: bf.Play) -> None:
        self.play = play
        self.questions: dict[tuple[Any, ...], bf.Action] = {}

    def first(self, hand: bf.Cards, dealer: bf.Cards, is_pair: bool) -> bf.Action:
        return self.questions.setdefault((hand, dealer), self.play.first(hand, dealer, is_pair))

    def later(self, hand: bf.Cards, dealer: bf.Cards) -> bf.Action:
        return self.questions.setdefault((hand, dealer), self.play.later(hand, dealer))

    def after_split(self, hand: bf.Cards, dealer: bf.Cards, pair_value: int) -> bf.Action:
        raise AssertionError("nothing was split")

    def doubled(self, hand: bf.Cards, dealer: bf.Cards, doublings: int, pair_value: int | None) -> bf.Action:
        answer = self.play.doubled(hand, dealer, doublings, pair_value)
        return self.questions.setdefault((hand, dealer, doublings), answer)


BEST: dict[str, dict[str, Any]] = {
    "peek": {},
    "early surrender": {"surrender": "early"},
    "late surrender": {"surrender": "late", "surrender_returns": Fraction(3, 4)},
    "surrender by upcards": {"surrender": "early A, late T", "surrender_returns": Fraction(3, 4)},
    "no hole card": {"hole_card": "none", "dealer_hits_soft_17": True},
    "no hole card, early surrender": {"hole_card": "none", "surrender": "early-vs-ten"},
    "exposed": {"hole_card": "exposed", "tie_loses": lambda total: True},
    "charlie": {"charlie": 5},
    "a charlie that pays": {"charlie": 5, "charlie_pays": 2, "charlie_beats_blackjack": True, "hole_card": "none"},
    "a charlie that beats a blackjack": {"charlie": 5, "charlie_beats_blackjack": True, "hole_card": "none"},
    "21 wins": {"player_21": "wins"},
    "22 pushes": {"dealer_22": "push"},
    "any cards doubled": {"double_cards": "any"},
    "redoubled and rescued": {"redoubles": 1, "double_rescue": True, "hole_card": "none"},
    "any hand surrendered": {"surrender": "early 2-T", "surrender_cards": "any", "redoubles": 1, "hole_card": "none"},
    "peek under tens": {"peeks_under": lambda upcard: upcard == "T", "surrender": "late"},
}


HIGH, LOW = {"A": 2, "3": 2, "7": 2, "T": 3}, {"A": 2, "2": 4, "4": 3}
# With low cards only, every hand is hit to a charlie that pays more than even money, and nothing is decided.
TOLD_APART = [(HIGH, name) for name in BEST] + [(LOW, name) for name in BEST if name != "a charlie that pays"]


@pytest.mark.slow
@pytest.mark.parametrize(("shoe", "name"), TOLD_APART)
def test_no_single_change_improves_the_best_play(shoe: dict[str, int], name: str) -> None:
    rules = rules_of(max_hands=1, **BEST[name])
    best = Recorder(bf.optimal_unsplit(shoe, rules))
    ev = bf.round_ev(shoe, rules, best)
    assert len(set(best.questions.values())) > 1
    for question, answer in list(best.questions.items()):
        hand, dealer, *doublings = question
        legal = bf.legal_first(rules, hand, is_pair=False, upcard=dealer[0])
        if doublings:
            legal = bf.legal_doubled(rules, hand, *doublings, upcard=dealer[0])
        for other in legal:
            if other != answer:
                assert bf.round_ev(shoe, rules, Deviation(best.play, question, other)) <= ev
    for seed in range(5):
        assert bf.round_ev(shoe, rules, Whim(rules, seed)) <= ev


def test_the_expectations_of_the_best_play_are_those_of_the_hands_it_plays() -> None:
    shoe = {"A": 3, "2": 2, "6": 3, "T": 4}
    later: dict[str, Any] = {"double_cards": 3, "redoubles": 1, "double_rescue": True, "double_multiples": (3,)}
    for changes in ({}, {"hole_card": "none"}, {"charlie": 5}, {"surrender": "early"}, later):
        rules = rules_of(max_hands=1, **changes)
        best = bf.optimal_unsplit(shoe, rules)
        for hand in ((1, 5), (5, 9), (0, 5), (9, 9), (0, 1, 1), (1, 5, 5)):
            for dealer in ((0,), (5,), (9,)):
                legal = bf.legal_first(rules, hand, is_pair=False, upcard=dealer[0])
                for action, ev in best.evs(hand, dealer).items():
                    if action in legal:
                        assert bf.hand_ev(shoe, rules, best, hand, dealer, action) == ev


@pytest.mark.parametrize("changes", [
    {}, {"double_rescue": True}, {"double_cards": "any", "redoubles": 1}, {"hole_card": "none", "double_rescue": True},
    {"surrender": "late", "surrender_cards": "any"},
])  # fmt: skip
def test_doubling_to_less_than_the_most_never_gains(changes: dict[str, Any]) -> None:
    shoe = {"A": 3, "3": 3, "6": 3, "T": 5}
    most = bf.optimal_unsplit(shoe, rules_of(max_hands=1, double_multiples=(2, 3, 4), **changes))
    doubled = 0
    for multiple in (2, 3):
        less = bf.optimal_unsplit(shoe, rules_of(max_hands=1, double_multiples=(multiple,), **changes))
        for hand in ((0, 2), (0, 5), (2, 2), (2, 5), (5, 5), (2, 9), (5, 9)):
            for dealer in ((0,), (2,), (5,), (9,)):
                evs = most.evs(hand, dealer)
                assert less.evs(hand, dealer)["double"] <= max(evs["double"], evs["hit"], evs["stand"])
                doubled += evs["double"] == max(evs.values())
    assert doubled


def test_a_published_split() -> None:
    # https://blackjackinfo.com/community/threads/software-update-with-new-split-evs.22710/page-5: a shoe before the
    # deal, 2,2 against a 7, S17, double any two cards and after a split, four hands, the play of unsplit hands used
    # again. Eleven decimals are printed.
    shoe = {"2": 4, "3": 4, "4": 2, "7": 2, "T": 7}
    rules = rules_of(max_hands=4)
    play = bf.optimal_zero_memory(shoe, rules)
    printed: dict[bf.Action, float] = {
        "stand": -0.61639194139,
        "hit": -0.13266733267,
        "double": -1.23278388278,
        "split": -0.76210220335,
    }
    for action, ev in printed.items():
        assert float(bf.hand_ev(shoe, rules, play, "22", "7", action)) == pytest.approx(ev, abs=5.1e-12)


def test_published_values_of_free_hands() -> None:
    # Free Bet, infinite decks, H17, a 22 pushes: T,2 against 4, with one's own money (six digits in the newsletter of
    # the Wizard of Odds of 11 July 2019, here to twelve) and as a free hand of a split.
    rules = rules_of(decks="infinite", dealer_hits_soft_17=True, dealer_22="push", free_split="2-9", max_hands=1)
    shoe = dict.fromkeys(bf.RANKS, 4)
    play = bf.optimal_unsplit(shoe, rules)
    for given, published in ((False, (-0.301160814355, -0.279823223057)), (True, (0.301764, 0.303907))):
        evs = play.evs((1, 9), (3,), given=given)
        assert (float(evs["stand"]), float(evs["hit"])) == pytest.approx(published, abs=5.1e-7 if given else 5.1e-13)
    assert bf.free_hand_ev(shoe, rules, play, "T2", "4", "stand", 1) == evs["stand"]


def test_free_money_by_hand() -> None:
    # 5,6 is doubled against a 9 and the last cards are a 7 and an 8: 18 against 17, or 19 against 16 that cannot draw.
    shoe = {"5": 1, "6": 1, "7": 1, "9": 1, "8": 1}
    play = Always("double")
    for changes, wagered in (({}, 2), ({"free_double_on": "11"}, 1)):
        assert bf.hand_worth(shoe, rules_of(**changes), play, "56", "9", "double") == (2, wagered)
    # With a ten for the eight: 18 against 19, or 21 against 16.
    lost = shoe | {"8": 0, "T": 1}
    for changes, worth in (({}, (Fraction(0), 2)), ({"free_double_on": "hard 5-11"}, (HALF, 1))):
        assert bf.hand_worth(lost, rules_of(**changes), play, "56", "9", "double") == worth
    # Eights split against two tens get a 2 and a 3: both lose, and where the split is free only the first has a wager.
    split = {"8": 2, "2": 1, "3": 1, "T": 2}
    for changes, worth in (({}, (Fraction(-2), 2)), ({"free_split": "8"}, (Fraction(-1), 1))):
        rules = rules_of(hole_card="exposed", **changes)
        assert bf.hand_worth(split, rules, STAND, "88", "TT", "split") == worth


# --- what is allowed --------------------------------------------------------------------------------------------


def test_first_actions() -> None:
    nine_to_eleven = {"may_double": lambda total, soft: 9 <= total <= 11 and not soft}
    for hand, changes, is_pair, legal in (
        ("56", nine_to_eleven, False, "stand hit double"),
        ("A9", nine_to_eleven, False, "stand hit"),
        ("A9", {}, False, "stand hit double"),
        ("88", {}, True, "stand hit double split"),
        ("88", {"surrender": "late", **nine_to_eleven}, True, "stand hit split surrender"),
        ("88", {"surrender": "early 7-T", "max_hands": 1}, False, "stand hit double"),
        ("88", {"surrender": "early T, late 5-6,A", "max_hands": 1}, False, "stand hit double surrender"),
    ):
        assert bf.legal_first(rules_of(**changes), numbers(hand), is_pair, 5) == tuple(legal.split())
    pairs: tuple[tuple[str, dict[str, Any], bool], ...] = (
        ("88", {}, True),
        ("88", {"max_hands": 1}, False),
        ("TT", {"split_by": "rank"}, True),
        ("TK", {"split_by": "rank"}, False),
        ("87", {}, False),
    )
    for hand, other_changes, splits in pairs:
        cards = tuple(bf.card_of(card) for card in hand)
        assert bf.may_split(rules_of(**other_changes), cards) == splits


def test_actions_after_a_split() -> None:
    hit, double = {"hit_split_aces": True}, {"double_split_aces": True}
    eleven = {"may_double": lambda total, soft: total == 11}
    for hand, changes, legal in (
        ("83", {}, "stand hit double"),
        ("83", eleven, "stand hit double"),
        ("82", eleven, "stand hit"),
        ("822", {"double_cards": 3}, "stand hit double"),
        ("8222", {"double_cards": 3}, "stand hit"),
        ("8222", {"double_cards": "any"}, "stand hit double"),
        ("822", {"surrender": "late T", "surrender_cards": "any"}, "stand hit surrender"),
        ("822", {"surrender": "late 9", "surrender_cards": "any"}, "stand hit"),
        ("A8", {"surrender": "early", "surrender_cards": "any"}, "stand"),
        ("A8", {"surrender": "early", "surrender_cards": "any"} | double, "stand double surrender"),
        ("83", {"double_after_split": False} | hit | double, "stand hit"),
        ("822", {}, "stand hit"),
        ("A8", {}, "stand"),
        ("A8", hit, "stand hit"),
        ("A8", double, "stand double"),
        ("A8", hit | double, "stand hit double"),
        ("A8", hit | double | {"double_after_split": False}, "stand hit"),
        ("A8", hit | double | eleven, "stand hit"),
        ("A82", hit | double, "stand hit"),
        # A soft 21 is asked about if a charlie may come of it.
        ("TA", {"charlie": 5}, "stand hit"),
        ("AT", hit | double | {"charlie": 5}, "stand hit"),
    ):
        pair_value = bf.card_of(hand[0])
        assert bf.legal_after_split(rules_of(**changes), numbers(hand), pair_value, 9) == tuple(legal.split())


# --- what is refused ----------------------------------------------------------------------------------------------


def test_refusals() -> None:
    shoe = {"A": 2, "8": 4, "T": 4}
    rules = rules_of()
    for play in (Always("surrender"), Always("split", "split"), Always("split", "double"), Always("hit", "double")):
        bad = rules_of(double_after_split=False)
        with pytest.raises(ValueError, match="expected one of"):
            bf.round_ev(shoe, bad, play)
    with pytest.raises(ValueError, match="expected one of"):
        bf.hand_ev(shoe, rules, STAND, "8T", "8", "split")
    with pytest.raises(ValueError, match="expected one of"):
        bf.hand_ev(shoe, rules, STAND, "AT", "8", "hit")
    with pytest.raises(ValueError, match="too few cards of rank A"):
        bf.hand_ev(shoe, rules, STAND, "AA", "A", "stand")
    with pytest.raises(ValueError, match="two cards or more"):
        bf.hand_ev(shoe, rules, STAND, "8", "A", "stand")
    with pytest.raises(ValueError, match="what the player sees"):
        bf.round_ev(shoe, rules, STAND, dealer_start="AT")
    with pytest.raises(ValueError, match="what the player sees"):
        bf.hand_ev(shoe, rules_of(hole_card="exposed"), STAND, "88", "8", "stand")
    with pytest.raises(ValueError, match="has ended the round"):
        bf.hand_ev(shoe, rules_of(hole_card="exposed"), STAND, "88", "TA", "stand")
    with pytest.raises(ValueError, match="must have blackjack"):
        bf.hand_ev({"A": 3, "8": 2, "T": 1}, rules, STAND, "88", "T", "stand")
    with pytest.raises(ValueError, match="cannot give"):
        bf.round_ev(shoe, rules, STAND, dealer_start="9")
    with pytest.raises(ValueError, match="'both' or 'in-turn'"):
        bf.round_ev(shoe, rules, STAND, split_deal="later")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="count of cards"):
        bf.round_ev({"8": -1, "T": 5}, rules, STAND)
    with pytest.raises(ValueError, match="a card from 0 to 12"):
        bf.round_ev({13: 4, 9: 5}, rules, STAND)
