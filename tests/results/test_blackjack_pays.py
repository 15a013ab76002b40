"""The EV of a round is linear in what a blackjack pays, where nothing but naturals is paid it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from odds import Rules, analyze, load_game

CASES = {
    "six decks": Rules(decks=6),
    "no peek": Rules(decks=2, hole_card="none", max_hands=2),
    "takes one unit": Rules(decks=2, hole_card="none", dealer_blackjack_takes="original", surrender="early"),
    "tie wins": Rules(decks=1, blackjack_tie="win", peek_under="T"),
    "tie loses": Rules(decks=1, blackjack_tie="lose"),
    "exposed": Rules(decks=1, hole_card="exposed", blackjack_tie="win", max_hands=1),
    "infinite": Rules(decks="infinite", charlie=5),
    "spanish": load_game("spanish-21").rules.replace(decks=2, max_hands=1),
}
OTHERS = {
    "split blackjack": Rules(decks=2, split_blackjack=True),
    "raise": load_game("double-attack").rules,
    "two hands": load_game("blackjack-switch").rules,
}


@pytest.mark.parametrize("rules", CASES.values(), ids=CASES.keys())
def test_ev_is_linear_in_what_a_blackjack_pays(rules: Rules) -> None:
    one = analyze(rules.replace(blackjack_pays=1))
    p = one.p_paid_blackjack
    assert p is not None
    for pays in (Fraction(6, 5), Fraction(3, 2), Fraction(7, 3), 2, 10):
        other = analyze(rules.replace(blackjack_pays=pays))
        assert other.ev == pytest.approx(one.ev + (float(pays) - 1) * p, abs=4e-15)
        assert other.average_wager == one.average_wager
        assert other.p_paid_blackjack == p


def test_six_decks_with_a_peek() -> None:
    p = analyze(Rules(decks=6)).p_paid_blackjack
    assert p is not None
    assert p == pytest.approx(0.04532298771606421, abs=1e-16)
    # Two of 312 cards an ace and a ten, and the dealer's two not.
    natural, dealer = Fraction(2 * 24 * 96, 312 * 311), Fraction(2 * 23 * 95, 310 * 309)
    assert p == pytest.approx(float(natural * (1 - dealer)), abs=1e-16)


def test_fractions_are_linear_too() -> None:
    evs = [analyze(Rules(decks=1, max_hands=1, blackjack_pays=pays)).exact().ev for pays in (1, Fraction(3, 2), 2)]
    assert evs[2] - evs[1] == evs[1] - evs[0]
    p = analyze(Rules(decks=1, max_hands=1)).p_paid_blackjack
    assert p == pytest.approx(float(evs[2] - evs[0]), abs=1e-16)


@pytest.mark.parametrize("rules", OTHERS.values(), ids=OTHERS.keys())
def test_where_more_depends_on_it_nothing_is_said(rules: Rules) -> None:
    assert analyze(rules).p_paid_blackjack is None
