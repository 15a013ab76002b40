"""Two hands whose second cards may be exchanged: the engine against rounds enumerated card by card, equal as fractions.

The brute force finds the best exchange and the best play of a class by itself; whole rounds are then dealt out with
both hands from one shoe, so that it is tested, too, that the expectations of hands add up.
"""

from fractions import Fraction
from itertools import product
from typing import Any

import brute_force as bf
import brute_force_switch as two
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import rules as any_rules
from test_brute_force import Case, few_ranks, params, rules
from test_brute_force_self import Whim, rules_of

from odds.game.cards import RANKS
from odds.game.rules import Rules
from odds.results.deal import deal_of
from odds.results.exact_switch import exact_deal
from odds.results.round import SwitchResult, analyze

OF_CLASS = {"cdz": bf.optimal_zero_memory, "cdp1": bf.OneMoreGone}
LOW = {"6": 5, "8": 4, "T": 9}
HIGH = {"A": 4, "8": 4, "T": 12}


def switch(**changes: Any) -> Rules:
    return rules(switch=True, **changes)


CASES = [
    Case("peek", LOW, switch()),
    Case("unsplit-h17", {"A": 4, "6": 4, "T": 8}, switch(max_hands=1, dealer_hits_soft_17=True)),
    Case("22-pushes", {"A": 4, "6": 5, "T": 12}, switch(
        dealer_22="push", dealer_hits_soft_17=True, blackjack_pays=1)),
    Case("three-hands", {"6": 6, "T": 18}, switch(max_hands=3, dealer_22="push")),
    Case("aces", {"A": 5, "7": 4, "T": 12}, switch(hit_split_aces=True, double_split_aces=True)),
    Case("switched-blackjack", HIGH, switch(switched_blackjack="blackjack", blackjack_pays="6/5")),
    Case("switched-blackjack-split", HIGH, switch(
        switched_blackjack="blackjack", split_blackjack=True, hit_split_aces=True)),
    Case("no-peek", HIGH, switch(hole_card="none")),
    Case("no-peek-original", HIGH, switch(hole_card="none", dealer_blackjack_takes="original")),
    Case("no-peek-per-hand", HIGH, switch(hole_card="none", dealer_blackjack_takes="original-per-hand")),
    Case("no-peek-switched-blackjack", HIGH, switch(
        hole_card="none", switched_blackjack="blackjack", blackjack_tie="lose")),
    Case("peek-under-ace-only", HIGH, switch(
        peek_under="A", blackjack_tie="win", switched_blackjack="blackjack", dealer_blackjack_takes="original")),
    Case("exposed", LOW, switch(hole_card="exposed", dealer_wins_ties="17,20")),
    Case("late-surrender", LOW, switch(surrender="late", double_on="10,11")),
    Case("21-wins-original", HIGH, switch(
        player_21="wins", hole_card="none", dealer_blackjack_takes="original", hit_split_aces=True)),
    Case("later-doubles", {"3": 5, "5": 4, "T": 12}, switch(
        max_hands=1, double_cards="any", double_rescue=True, redoubles=1)),
    Case("surrendered", LOW, switch(surrender="late", surrender_cards="any", hole_card="none")),
    Case("free-money", LOW, switch(free_double_on="any", free_split="6", dealer_22="push")),
    Case("bonus", {"6": 4, "7": 4, "8": 4, "T": 5}, switch(
        decks=2, max_hands=1, switched_blackjack="blackjack", hole_card="none",
        bonuses="ranks=6,7,8 pays=3/2; ranks=6,7,8 suits=same pays=2")),
]  # fmt: skip
ENDLESS = few_ranks("68QK", switch=True).replace(decks="infinite")
CASES.append(Case("infinite", bf.full_shoe(ENDLESS), ENDLESS))


def analysed(case: Case, split_class: str = "cdp1") -> SwitchResult:
    result = analyze(case.rules, shoe=case.cards, split_class=split_class)
    assert isinstance(result, SwitchResult)
    assert not result.shoe_can_run_out
    return result


@pytest.mark.parametrize("split_class", [pytest.param("cdz", marks=pytest.mark.slow), "cdp1"])
@pytest.mark.parametrize("case", params(CASES))
def test_round(case: Case, split_class: str) -> None:
    result = analysed(case, split_class)
    exact = result.exact()
    best = two.Best(case.shoe, case.rules, OF_CLASS[split_class])
    assert two.round_worth(case.shoe, case.rules, best) == (exact.ev, exact.average_wager)
    assert (result.ev, result.average_wager) == pytest.approx((exact.ev, exact.average_wager), abs=1e-13)
    for start in result.by_start:
        assert (
            two.round_worth(case.shoe, case.rules, best, dealer_start=start.start.split(","))[0]
            == (exact.by_start[start.start])
        )


@pytest.mark.parametrize("name", ["22-pushes", pytest.param("no-peek-original", marks=pytest.mark.slow)])
def test_both_ways_to_play_four_cards(name: str) -> None:
    case = next(case for case in CASES if case.name == name)
    best = two.Best(case.shoe, case.rules, bf.OneMoreGone)
    values = [value for value, n in enumerate(case.cards.counts) if n]
    found = set()
    for a, b, c, d, up in product(values, repeat=5):
        # The order of the hands does not matter.
        if a > c or any((a, b, c, d, up).count(value) > case.cards.counts[value] for value in values):
            continue
        text = "{},{} / {},{}".format(*(RANKS[card] for card in (a, b, c, d)))
        deal = deal_of(text, RANKS[up], case.rules, shoe=case.cards)
        ways = exact_deal(deal)
        keeps, changes = best.both_ways((a, b, c, d), (up,))
        assert (ways.actions["keep"], ways.actions["exchange"]) == (keeps / 2, changes / 2), (text, up)
        assert ways.best == ("exchange" if changes > keeps else "keep")
        found.add(ways.best)
    assert len(found) == 2


@pytest.mark.slow
@settings(max_examples=10)
@given(
    any_rules(
        decks=st.integers(2, 8), max_hands=st.integers(1, 2), split_by="value", switch=True, removed_ranks="none"
    ),
    st.sampled_from(list(OF_CLASS)),
)
def test_any_rules(setting: Rules, split_class: str) -> None:
    # The best play of the brute force takes a bonus for one after a split, too.
    assume(setting.max_hands == 1 or all(bonus.after_split for bonus in setting.bonuses))
    case = Case("any", {"7": 5, "A": 3, "T": 12}, setting)
    exact = analysed(case, split_class).exact()
    best = two.Best(case.shoe, setting, OF_CLASS[split_class])
    assert two.round_worth(case.shoe, setting, best) == (exact.ev, exact.average_wager)


# --- the brute force itself -------------------------------------------------------------------------------------


class Both:
    """A play that never looks at the other hand, and always exchanges the second cards, or never."""

    def __init__(self, play: bf.Play, always: bool) -> None:
        self.play, self.always = play, always

    def exchanges(self, dealt: two.Four, dealer: bf.Cards) -> bool:
        return self.always

    def beside(self, other: bf.Cards) -> bf.Play:
        return self.play


@pytest.mark.parametrize("changes", [
    {}, {"hole_card": "none"}, {"hole_card": "none", "dealer_blackjack_takes": "original"},
    {"hole_card": "exposed", "tie_loses": lambda total: True}, {"surrender": "late", "blackjack_tie": "win"},
])  # fmt: skip
def test_two_hands_are_worth_twice_one_if_neither_looks_at_the_other(changes: dict[str, Any]) -> None:
    shoe = {"A": 4, "6": 4, "T": 14}
    table = rules_of(**changes, switch=True, switched_blackjack="blackjack")
    play = Whim(table, 1)
    expected = bf.round_ev(shoe, table, play), bf.average_wager(shoe, table, play)
    # Exchanged cards are cards like any other where what they make is settled as what is dealt is.
    for always in (False, True):
        assert two.round_worth(shoe, table, Both(play, always)) == expected


def test_an_exchange_by_hand() -> None:
    # 9,A / T,7 against 6,T without further cards: 20 and 17 both win, as the dealer cannot draw. Exchanged, 16 and an
    # ace and a ten win, which are a blackjack or not.
    shoe = {"9": 1, "A": 1, "T": 2, "7": 1, "6": 1}
    for kind, net in (("21", Fraction(2)), ("blackjack", Fraction(5, 2))):
        table = rules_of(max_hands=1, hole_card="exposed", switch=True, switched_blackjack=kind)
        best = two.Best(shoe, table, bf.optimal_unsplit)
        assert best.both_ways((8, 0, 9, 6), (5, 9)) == (2, net)
        assert best.exchanges((8, 0, 9, 6), (5, 9)) == (net > 2)
        # A blackjack that was dealt is lost by an exchange.
        assert best.both_ways((0, 9, 6, 8), (5, 9)) == (Fraction(5, 2), 2)
        assert not best.exchanges((0, 9, 6, 8), (5, 9))


def test_a_dealer_blackjack_settles_the_hands_as_they_were_dealt() -> None:
    # An ace and a ten of the dealer's leave two aces and three tens, of which four cards are dealt.
    shoe = {"A": 3, "T": 4}
    for kind, always in (("21", True), ("blackjack", True), ("21", False)):
        table = rules_of(max_hands=1, hole_card="exposed", switch=True, switched_blackjack=kind)
        results = two.round_results(shoe, table, Both(Whim(table, 1), always), dealer_start=("A", "T"))
        # The fifth card is an ace in 2 of 5 deals: one of the hands is a blackjack. It is a ten in 3 of 5: of the six
        # orders of A, A, T, T four are two blackjacks, and two are none.
        assert results == {
            (Fraction(-1), Fraction(1)): Fraction(1, 5),
            (Fraction(-1, 2), Fraction(1)): Fraction(2, 5),
            (Fraction(0), Fraction(1)): Fraction(2, 5),
        }
