"""Hands of the player, one at a time."""

from typing import Any

import pytest

import odds


@pytest.mark.parametrize("after_split", [None, "5"])
def test_a_doubled_hand_is_valued_with_its_wager(after_split: str | None) -> None:
    """What a double is worth is the average, over the card drawn, of the best that is left to do with it."""
    shoe = odds.Shoe.of_counts({"2": 3, "3": 3, "5": 4, "6": 3, "7": 3, "T": 9, "A": 2})
    rules = odds.Rules(redoubles=1, double_rescue=True, double_cards="any", max_hands=2, hole_card="none")
    before = odds.hand_values("5,3", "6", rules, shoe=shoe, after_split=after_split)
    left = shoe.without("5,3,6" + (",5" if after_split else ""))
    total = 0.0
    for rank, cards in zip("A23456789T", left.counts, strict=True):
        if cards:
            after = odds.hand_values(f"5,3,{rank}", "6", rules, shoe=shoe, after_split=after_split, doubled=1)
            assert after.best == max(after.actions, key=lambda action: after.actions[action])
            assert after.actions["surrender"] == -1
            total += cards / left.total * after.value
    assert before.actions["double"] == pytest.approx(total, abs=1e-13)


@pytest.mark.parametrize(
    ("fields", "player", "doubled", "words"),
    [
        ({}, "5,3,4", 1, "doubled: expected rules that leave a doubled hand something to decide"),
        ({"redoubles": 1}, "5,3", 1, "doubled: expected at most 0 for 2 cards"),
        ({"redoubles": 1}, "5,3,2,2,2", 3, "doubled: expected at most 2 for 5 cards"),
        ({"redoubles": 1, "double_on": "9-11"}, "5,3,4", 1, "cards came with doubles, got one of which 3,5 cannot"),
        ({"redoubles": 1, "double_on": "8"}, "5,4,3", 1, "got one of which 4,5 cannot have been doubled"),
        ({"redoubles": 1}, "5,3,4,2", 1, "got one of which 3,4,5 cannot have been doubled"),
        ({"redoubles": 1}, "5,3,4", -1, "doubled: expected a whole number"),
    ],
)
def test_hands_that_were_not_doubled_so(fields: dict[str, Any], player: str, doubled: int, words: str) -> None:
    with pytest.raises(odds.OddsError, match=words):
        odds.hand_values(player, "6", odds.Rules(**fields), doubled=doubled)


def test_a_doubled_hand_of_a_split_is_looked_at_as_one() -> None:
    fields = {"decks": 1, "redoubles": 1}
    odds.hand_values("8,3,4", "6", odds.Rules(**fields), after_split="8", doubled=1)
    with pytest.raises(odds.OddsError, match="got one of which 3,8 cannot have been doubled"):
        odds.hand_values("8,3,4", "6", odds.Rules(**fields, double_after_split=False), after_split="8", doubled=1)


def test_values_are_of_the_wager_with_which_a_hand_is_played() -> None:
    for raised, words in ((0, "initial wagers"), (1, "raised or initial wagers")):
        best = odds.hand_values("T,T", "6", odds.Rules(decks=1, raise_after_upcard=raised)).facts()[1]
        assert best[1].split(maxsplit=3)[3] == words


FREE = odds.Rules(max_hands=2, dealer_22="push", free_double_on="9-11", free_split="A-9")


def test_a_hand_with_free_money_loses_nothing() -> None:
    """What hitting and doubling are worth is the average, over the card drawn, of what the hand becomes."""
    shoe = odds.Shoe.of_counts({"2": 3, "3": 3, "5": 4, "6": 4, "7": 3, "T": 12, "A": 2})
    left = shoe.without("5,6,6,6")
    before = odds.hand_values("5,6", "6", FREE, shoe=shoe, free=True, after_split="6")
    hit = double = 0.0
    for rank, cards in zip("A23456789T", left.counts, strict=True):
        if cards:
            after = odds.hand_values(f"5,6,{rank}", "6", FREE, shoe=shoe, free=True, after_split="6")
            assert min(after.actions.values()) >= 0
            hit += cards / left.total * after.value
            double += cards / left.total * 2 * after.actions["stand"]
    assert before.actions["hit"] == pytest.approx(hit, abs=1e-13)
    assert before.actions["double"] == pytest.approx(double, abs=1e-13)


def test_twelve_against_a_four_with_free_money() -> None:
    """By an independent program, infinite decks."""
    rules = FREE.replace(decks="infinite", dealer_hits_soft_17=True, max_hands=4)
    free = odds.hand_values("T,2", "4", rules, free=True)
    assert (free.after_split, free.best) == ("2:2", "hit")
    assert free.actions["hit"] == pytest.approx(0.303907, abs=5e-7)
    assert free.actions["stand"] == pytest.approx(0.301764, abs=5e-7)
    own = odds.hand_values("T,2", "4", rules, after_split="2")
    assert own.actions["stand"] == pytest.approx(-0.301160814355, abs=1e-12)


@pytest.mark.parametrize(
    ("rules", "player", "after_split", "words"),
    [
        (odds.Rules(free_double_on="9-11"), "8,3", None, "free: expected rules under which splits are free"),
        (FREE, "T,T", None, "free: expected a hand with a card whose split is free"),
        (FREE, "T,2", "T", "free: expected a split that is free"),
        (FREE, "8,3", "5", "player: expected a hand that holds 5"),
    ],
)
def test_hands_without_free_money(rules: odds.Rules, player: str, after_split: str | None, words: str) -> None:
    with pytest.raises(odds.OddsError, match=words):
        odds.hand_values(player, "4", rules, after_split=after_split, free=True)
