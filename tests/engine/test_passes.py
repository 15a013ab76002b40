"""The dealer's probabilities kept between analyses, and how the EV goes with what a blackjack pays."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import rules as any_rules

from odds import Rules, RulesError, Shoe, analyze, evaluate
from odds.engine.passes import Passes
from odds.engine.pays import linear_in_blackjack
from odds.results.round import RoundResult
from odds.strategy.search import search

SHOES = {"decks": 2, "removed_ranks": "none"}, {"decks": 1, "removed_ranks": "10"}, {"decks": "infinite"}
one_shoe = st.sampled_from(SHOES).flatmap(lambda shoe: st.lists(any_rules(**shoe), min_size=3, max_size=3))


def everything(result: RoundResult) -> list[object]:
    """All numbers of a round, to compare to the last digit."""
    return [result.ev, result.average_wager, result.by_start, [start.decisions for start in result.by_start]]


@settings(max_examples=8)
@given(one_shoe, st.sampled_from(["cdz", "cdp1"]), st.sampled_from([1, 2, 16]))
def test_what_is_kept_changes_nothing(sets: list[Rules], split_class: str, most: int) -> None:
    """Whatever the rules have in common, in any order, and however little is kept."""
    passes = Passes(most)
    for rules in (*sets, *sets[::-1]):
        kept = analyze(rules, split_class=split_class, passes=passes)
        assert everything(kept) == everything(analyze(rules, split_class=split_class))


FAMILY = [
    Rules(decks=2, max_hands=hands, hole_card=hole, surrender=surrender, resplit_aces=aces)
    for hands, hole, surrender, aces in [
        (2, "peek", "none", False),
        (4, "none", "late", False),
        (1, "peek", "late", False),
        (4, "peek", "none", True),
        (3, "none", "early", False),
        (2, "exposed", "none", False),
        (4, "exposed", "none", False),
    ]
]


def test_shoes_and_drawing_rules_are_kept_apart() -> None:
    passes = Passes()
    for rules in FAMILY:
        for changed in (rules, rules.replace(dealer_hits_soft_17=True), rules.replace(dealer_22="push")):
            for shoe in (None, rules.shoe().without("5,5,T")):
                kept = analyze(changed, shoe=shoe, threads=2, passes=passes)
                assert everything(kept) == everything(analyze(changed, shoe=shoe))


@pytest.mark.parametrize("rules", FAMILY[:4], ids=str)
def test_a_chart_is_found_and_followed_with_what_is_kept(rules: Rules) -> None:
    passes = Passes()
    analyze(FAMILY[3], passes=passes)
    found, alone = search(rules, passes=passes), search(rules)
    assert (found.strategy, found.costs) == (alone.strategy, alone.costs)
    kept = evaluate(rules, found.strategy, passes=passes)
    assert everything(kept) == everything(evaluate(rules, alone.strategy))


def test_passes_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second rule set of the same shoe asks the kernel for the sets of cards that the first had no use for alone."""
    passes, asked = Passes(), []
    from odds.engine import together

    def counted(*arguments: object) -> None:
        asked.append(int((arguments[-1] != 0).sum()))  # type: ignore[attr-defined]
        passed(*arguments)

    passed = together.dealer_probabilities
    monkeypatch.setattr(together, "dealer_probabilities", counted)
    analyze(FAMILY[3], passes=passes)
    first, asked[:] = sum(asked), []
    analyze(FAMILY[3].replace(hole_card="none"), passes=passes)
    analyze(FAMILY[0], passes=passes)
    assert sum(asked) < first / 20


def test_the_probability_of_an_unbeaten_blackjack() -> None:
    """Six decks, a dealer who looks: golden, from the analysts' published probability of it."""
    assert analyze(Rules(decks=6)).p_paid_blackjack == pytest.approx(0.04532298771606421, abs=1e-17)


PAYS = ("0", "1", "6/5", "3/2", "2", "5")


@pytest.mark.parametrize("tie", ["push", "win", "lose"])
@pytest.mark.parametrize("hole", ["peek", "none", "exposed"])
@pytest.mark.parametrize("decks", [1, 8, "infinite"])
def test_the_ev_is_linear_in_what_a_blackjack_pays(decks: int | str, hole: str, tie: str) -> None:
    rules = Rules(decks=decks, hole_card=hole, blackjack_tie=tie, dealer_22="push" if tie == "win" else "bust")
    assert linear_in_blackjack(rules)
    one = analyze(rules.replace(blackjack_pays="1"))
    for pays in PAYS:
        other = analyze(rules.replace(blackjack_pays=pays))
        assert other.p_paid_blackjack == one.p_paid_blackjack
        assert other.ev == pytest.approx(one.ev + float(Fraction(pays) - 1) * one.p_paid_blackjack, abs=1e-15)


def test_it_is_linear_in_fractions() -> None:
    shoe = Shoe.of_decks(1).without("A,2,7")
    for tie, hole in (("push", "peek"), ("win", "none")):
        rules = Rules(decks=1, max_hands=2, blackjack_tie=tie, hole_card=hole)
        ace, more = (analyze(rules.replace(blackjack_pays=pays), shoe=shoe).exact() for pays in ("1", "13/7"))
        assert more.ev - ace.ev == Fraction(6, 7) * ace.p_paid_blackjack == Fraction(6, 7) * more.p_paid_blackjack


@settings(max_examples=12)
@given(any_rules(decks=st.sampled_from([2, "infinite"]), bonuses=st.just(())), st.sampled_from(PAYS))
def test_any_rules_that_are_said_to_be_linear_are(rules: Rules, pays: str) -> None:
    if linear_in_blackjack(rules):
        one, other = (analyze(rules.replace(blackjack_pays=of)) for of in ("1", pays))
        assert other.ev == pytest.approx(one.ev + float(Fraction(pays) - 1) * one.p_paid_blackjack, abs=2e-15)


@pytest.mark.parametrize(
    "other",
    [
        {"split_blackjack": True},
        {"raise_after_upcard": 1},
        {"bonuses": "ranks=A,T suits=same pays=2"},
        {"bonuses": "total=21 pays=2"},
    ],
    ids=str,
)
def test_where_it_is_not_linear(other: dict[str, object]) -> None:
    """The mean of 1 and 3 is more than what 2 gives, as the play, or the bonus, makes the best of each."""
    rules = Rules(decks=2, max_hands=2, hit_split_aces=True, **other)  # type: ignore[arg-type]
    assert not linear_in_blackjack(rules)
    low, middle, high = (analyze(rules.replace(blackjack_pays=pays)).ev for pays in ("0", "2", "50"))
    assert (24 * low + high) / 25 > middle + 1e-6


def test_bonuses_of_other_hands_leave_it_linear() -> None:
    rules = Rules(decks=2, bonuses="cards=3+ total=21 pays=2; ranks=6,7,8 suits=same pays=3")
    assert linear_in_blackjack(rules)
    one, other = (analyze(rules.replace(blackjack_pays=pays)) for pays in ("1", "2"))
    assert other.ev == pytest.approx(one.ev + one.p_paid_blackjack, abs=1e-15)


def test_a_blackjack_that_an_exchange_may_undo_has_no_probability() -> None:
    rules = Rules(switch=True, max_hands=1, decks=1, blackjack_pays=1)
    assert not linear_in_blackjack(rules)
    with pytest.raises(RulesError, match="switch=true: the probability of a blackjack that is paid is not computed"):
        _ = analyze(rules).p_paid_blackjack
