"""Free money: doubles and splits that cost nothing, against figures of independent programs.

The EVs of whole rounds are of a program in extended precision for finite shoes, and of two others for infinite decks;
the values of 12 against 4 without a split were published by the Wizard of Odds (newsletter, 11 July 2019), as a free
hand they are of an independent program.
"""

import pytest

from odds import Rules, RulesError, analyze
from odds.engine.hands import TEN, player_hands
from odds.engine.pays import Money
from odds.engine.start import StartAnalysis
from odds.engine.terms import terms_of

FREE_BET = Rules(
    decks=6,
    dealer_hits_soft_17=True,
    max_hands=4,
    resplit_aces=True,
    dealer_22="push",
    free_double_on="hard 9-11",
    free_split="A-9",
)


@pytest.mark.parametrize(
    ("rules", "ev", "within"),
    [
        (FREE_BET, -0.010143414376091, 1e-12),
        (Rules(max_hands=2, dealer_22="push", free_double_on="hard 9-11", free_split="A-9"), -0.011248090396415, 1e-12),
        (FREE_BET.replace(decks="infinite"), -0.0099369892329843, 1e-12),
    ],
)
def test_whole_rounds(rules: Rules, ev: float, within: float) -> None:
    assert analyze(rules).ev == pytest.approx(ev, abs=within)


def test_twelve_against_a_four_with_own_and_with_free_money() -> None:
    terms = terms_of(FREE_BET.replace(decks="infinite"))
    (start,) = (start for start in terms.dealer.starts if start.label == "4")
    values = StartAnalysis(start, terms.rules.shoe(), terms, "cdp1").values
    hand = int(player_hands().two_cards[1, TEN])
    as_free = hand + Money.FREE * player_hands().graph.size
    stand, hit = values.values[:2, hand]
    assert (stand, hit) == (pytest.approx(-0.301160814355, abs=1e-12), pytest.approx(-0.279823223057, abs=1e-12))
    stand, hit = values.values[:2, as_free]
    assert (stand, hit) == (pytest.approx(0.301764, abs=5e-7), pytest.approx(0.303907, abs=5e-7))


def test_what_is_free_is_no_wager() -> None:
    """A free double adds nothing to the wager, one's own doubles add as much as ever."""
    paid = Rules(decks=1, max_hands=1, double_on="9-11")
    free = paid.replace(free_double_on="9-11")
    assert analyze(free).average_wager == pytest.approx(1, abs=1e-15)
    assert analyze(paid).average_wager > 1.05
    assert analyze(free).ev > analyze(paid).ev


@pytest.mark.parametrize("split_class", ["cdp1", "cdz"])
def test_fractions_and_one_start_at_a_time_are_the_same(split_class: str) -> None:
    rules = FREE_BET.replace(decks=1, max_hands=3, hit_split_aces=True)
    result = analyze(rules, split_class=split_class)
    exact = result.exact()
    assert float(exact.ev) == pytest.approx(result.ev, abs=1e-14)
    assert float(exact.average_wager) == pytest.approx(result.average_wager, abs=1e-14)
    assert exact.certified


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"free_split": "A-9", "redoubles": 1}, "redoubles=1 with free_split=A-9 is not computed"),
        ({"free_double_on": "9", "double_rescue": True}, "double_rescue=true with free_double_on=9 is not computed"),
        ({"free_split": "A-9", "double_multiples": 3}, "double_multiples=3 with free_split=A-9 is not computed"),
        (
            {"free_split": "A-9", "surrender": "late", "surrender_cards": "any"},
            "surrender_cards=any with free_split=A-9 is not computed",
        ),
        (
            {"free_split": "A-9", "hole_card": "none", "dealer_blackjack_takes": "original-per-hand"},
            "dealer_blackjack_takes=original-per-hand with free_split=A-9 is not computed",
        ),
    ],
)
def test_what_is_not_computed_is_refused_by_name(rules: dict[str, object], message: str) -> None:
    with pytest.raises(RulesError, match=message):
        analyze(Rules.from_dict(rules))


def test_full_is_refused() -> None:
    with pytest.raises(RulesError, match="split class full is not computed with free_double_on and free_split"):
        analyze(FREE_BET.replace(max_hands=2), split_class="full")


@pytest.mark.parametrize(
    ("free", "other"),
    [
        ({"free_double_on": "9-11"}, {"double_on": "8", "redoubles": 1}),
        ({"free_double_on": "9-11"}, {"double_on": "8", "bonuses": "cards=3 total=21 suits=same pays=4"}),
        ({"free_split": "A"}, {"removed_ranks": "A", "double_rescue": True}),
        ({"free_split": "A"}, {"max_hands": 1, "double_multiples": 3}),
    ],
)
def test_free_money_that_there_never_is_changes_nothing(free: dict[str, object], other: dict[str, object]) -> None:
    rules = Rules.from_dict({"decks": 1, "max_hands": 2, **other})
    assert analyze(Rules.from_dict({**rules.to_dict(), **free})).ev == analyze(rules).ev
