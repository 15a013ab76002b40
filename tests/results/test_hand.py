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
