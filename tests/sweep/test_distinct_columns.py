"""What is asked for beside the EV of a round decides too which combinations come to the same."""

from __future__ import annotations

import dataclasses

import pytest

from odds import analyze, load_game, sweep

BASE = load_game("classic-blackjack").rules.replace(max_hands=1, decks=1)


def test_insurance_is_of_the_set_where_its_ev_is_asked_for() -> None:
    vary = {"insurance": ["ace", "none"], "insurance_pays": [2, 3]}
    assert sweep(BASE, vary).distinct == 1
    for row in sweep(BASE, vary, columns=["insurance_ev"]):
        found = analyze(BASE.replace(insurance=row["insurance"], insurance_pays=row["insurance_pays"])).insurance
        assert row["insurance_ev"] == (None if found is None else float(found.ev))


@pytest.mark.parametrize("column", ["standard_deviation", "skewness", "hit_frequency", "p_double"])
def test_columns_are_those_of_each_pay(column: str) -> None:
    for row in sweep(BASE, {"blackjack_pays": ["1", "3/2", "2"]}, columns=[column]):
        expected = analyze(BASE.replace(blackjack_pays=row["blackjack_pays"])).outcomes()
        assert row[column] == pytest.approx(getattr(expected, column), abs=1e-12)


def test_a_side_bet_that_does_not_fit_some_rules_is_empty_there() -> None:
    game = dataclasses.replace(load_game("free-bet"), rules=BASE, side_bets=("pot-of-gold", "21+3"))
    found = sweep(game, {"free_double_on": ["none", "9-11"]}, side_bets=True)
    bets = [row["sidebet:pot-of-gold"] for row in found]
    assert bets[0] is None
    assert bets[1] is not None
    assert len({row["sidebet:21+3"] for row in found}) == 1
