"""What is kept of the dealer for further rules, and how the EV goes with what a blackjack pays: of any rules."""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import NO_FREE_MONEY
from strategies import rules as any_rules

from odds import Rules, analyze, evaluate
from odds.engine.passes import Passes
from odds.engine.pays import _NOT_OF_PAYS, _pays_of, pays_of
from odds.results.round import RoundResult
from odds.strategy.search import search

SHOES: tuple[dict[str, Any], ...] = (
    {"decks": 2, "removed_ranks": "none"},
    {"decks": 1, "removed_ranks": "10"},
    {"decks": "infinite"},
)
one_shoe = st.sampled_from(SHOES).flatmap(lambda shoe: st.lists(any_rules(**shoe), min_size=3, max_size=3))


def everything(result: RoundResult) -> list[object]:
    """All numbers of a round, to compare to the last digit."""
    return [result.ev, result.average_wager, result.by_start, [start.decisions for start in result.by_start]]


@settings(max_examples=8)
@given(one_shoe, st.sampled_from(["cdz", "cdp1"]))
def test_what_is_kept_changes_nothing(sets: list[Rules], split_class: str) -> None:
    """Whatever the rules have in common, in any order."""
    passes = Passes()
    for rules in (*sets, *sets[::-1]):
        kept = analyze(rules, split_class=split_class, passes=passes)
        assert everything(kept) == everything(analyze(rules, split_class=split_class))


def test_charts_are_found_with_what_is_kept() -> None:
    """What hands are worth that stand is shared by rules under which other things may be done with them."""
    passes, base = Passes(), Rules(decks=2, max_hands=2, surrender="late")
    for rules in (
        base,
        base.replace(charlie=5, double_on="9-11"),
        base.replace(max_hands=3, double_after_split=False, resplit_aces=True),
        base.replace(hole_card="none", hit_split_aces=True),
        base.replace(split_blackjack=True, dealer_22="push"),
        base.replace(bonuses="cards=3 total=21 upcard=7 pays=3; cards=5+ total=21 pays=2"),
        base.replace(double_cards="any", split_by="rank"),
        base.replace(max_hands=1, surrender="none"),
    ):
        found, alone = search(rules, passes=passes), search(rules)
        assert (found.strategy, list(found.costs.items())) == (alone.strategy, list(alone.costs.items()))
        kept = evaluate(rules, found.strategy, passes=passes)
        assert everything(kept) == everything(evaluate(rules, found.strategy))


@settings(max_examples=12)
@given(any_rules(decks=st.sampled_from([2, "infinite"])), st.sampled_from(["0", "6/5", "5"]))
def test_any_rules_that_are_said_to_be_linear_in_what_a_blackjack_pays_are(rules: Rules, pays: str) -> None:
    one = analyze(rules.replace(blackjack_pays="1"))
    if (p := one.p_paid_blackjack) is not None:
        other = analyze(rules.replace(blackjack_pays=pays))
        assert other.p_paid_blackjack == p
        assert other.ev == pytest.approx(one.ev + float(Fraction(pays) - 1) * p, abs=2e-15)


@settings(max_examples=20)
@given(any_rules(bonuses=st.just(()), **NO_FREE_MONEY), any_rules())
def test_what_hands_net_is_read_once_for_rules_that_differ_in_other_things(rules: Rules, other: Rules) -> None:
    """The fields that are not looked at for it, against a reading of all of them."""
    changed = Rules.of_fields(
        {**vars(rules), **{name: getattr(other, name) for name in _NOT_OF_PAYS if name not in NO_FREE_MONEY}}
    )
    assert pays_of(rules) is pays_of(changed)
    shared, fresh = pays_of(changed), _pays_of(changed, "")
    for field in fields(fresh):
        assert np.array_equal(getattr(shared, field.name), getattr(fresh, field.name)), field.name
