"""Grids: what varies, through which values, in which order; and what of rules makes no difference."""

from itertools import islice
from pathlib import Path

import pytest

import odds
from odds.engine.terms import hand_terms
from odds.game.catalog import games
from odds.game.rules import Rules
from odds.results.round import analyze
from odds.sweep.distinct import canonical, distinct_of, is_linear, rules_id, sharing
from odds.sweep.grid import Combination, Grid, grid_of, parse_vary


def combination(rules: Rules) -> Combination:
    return Combination(0, rules, None, None)


class TestGrid:
    def test_the_last_axis_varies_fastest(self) -> None:
        grid = grid_of(Rules(), {"decks": "1,4..5", "max_hands": [1, 2]})
        found = [(each.number, each.rules.decks, each.rules.max_hands) for each in grid.combinations()]
        assert found == [(0, 1, 1), (1, 1, 2), (2, 4, 1), (3, 4, 2), (4, 5, 1), (5, 5, 2)]
        assert grid.words(next(grid.combinations())) == "decks=1, max_hands=1"

    def test_numbers_stay_where_conditions_leave_out(self) -> None:
        grid = grid_of(Rules(), {"decks": range(1, 6)}, where=["decks > 1", "decks != 4"])
        assert [each.number for each in grid.combinations()] == [1, 2, 4]
        assert grid.size == 5

    def test_nothing_is_made_before_it_is_asked_for(self) -> None:
        pays = ["0", "1/2", "1"]
        vary = {"decks": range(1, 100_001), "max_hands": "1..4", "insurance_pays": pays, "surrender_returns": pays}
        grid = grid_of(Rules(), vary)
        assert grid.size == 3_600_000
        assert len(list(islice(grid.combinations(), 3))) == 3

    def test_refused_combinations(self) -> None:
        vary = {"double_on": ["any", "none"], "redoubles": [0, 1]}
        with pytest.raises(odds.RulesError, match=r"double_on=none, redoubles=1: .*contradicts.*can leave it out"):
            list(grid_of(Rules(), vary).combinations())
        grid = grid_of(Rules(), vary, where="double_on != 'none' or redoubles == 0")
        assert len(list(grid.combinations())) == 3

    def test_a_game_has_its_name(self) -> None:
        assert grid_of("single-deck", {"max_hands": [1]}).game == "single-deck"
        assert grid_of(Rules(), {"max_hands": [1]}).game == ""

    def test_shoes(self, tmp_path: Path) -> None:
        (tmp_path / "shoes.txt").write_text("# some\nsmall: 4xA,16xT,4x2,4x3\n\nof tens : 20xT,4xA\n")
        grid = grid_of(Rules(), {"shoe": tmp_path / "shoes.txt", "max_hands": [1, 2]})
        found = [(each.shoe_name, each.shoe and each.shoe.total, each.rules.max_hands) for each in grid.combinations()]
        assert found == [("small", 28, 1), ("small", 28, 2), ("of tens", 24, 1), ("of tens", 24, 2)]

    @pytest.mark.parametrize(
        ("vary", "message"),
        [
            ({}, "vary: expected a field at least"),
            ({"deks": [1]}, "unknown rule 'deks'"),
            ({"decks": []}, "decks: expected a value at least, got none"),
            ({"decks": [1, None]}, "decks: expected a whole number"),
            ({"decks": [1, "1"]}, "decks: 1 is given twice"),
            ({"decks": "9..1"}, "decks: expected a range"),
            (
                {"decks": range(1, 100_001), "insurance_pays": range(101)},
                "at most 10,000,000 combinations, got 10,100,000",
            ),
            ({"shoe": {}}, "shoe: expected a shoe at least"),
            ({"shoe": {"a": "4xQ,nope"}}, "shoe: "),
            ({"shoe": {"a": "4xA"}, "decks": [1]}, "expected decks or shoe, got both"),
            ({"shoe": 3}, "shoe: expected a mapping from name to shoe"),
        ],
    )
    def test_bad_input(self, vary: dict[str, object], message: str) -> None:
        with pytest.raises(odds.OddsError, match=message):
            grid_of(Rules(), vary)

    def test_force(self) -> None:
        vary = {"decks": range(1, 100_001), "insurance_pays": range(101)}
        assert isinstance(grid_of(Rules(), vary, force=True), Grid)

    def test_texts(self) -> None:
        assert parse_vary("double_on=any; 9,10; 11") == ("double_on", ["any", "9,10", "11"])
        assert parse_vary("decks= 6") == ("decks", ["6"])
        with pytest.raises(odds.RulesError, match="expected FIELD=VALUE,VALUE"):
            parse_vary("decks")


class TestDistinct:
    @pytest.mark.parametrize("name", games())
    def test_the_set_of_a_game_is_worth_the_same(self, name: str) -> None:
        rules = odds.load_game(name).rules.replace(decks=1, max_hands=1)
        one = distinct_of(combination(rules))
        assert distinct_of(combination(one.rules)) == one
        if not rules.switch:
            ev = analyze(rules.replace(blackjack_pays=one.rules.blackjack_pays)).ev
            assert analyze(one.rules).ev == ev

    @pytest.mark.parametrize(
        ("changes", "same"),
        [
            ({"resplit_aces": True}, True),
            ({"insurance": "ace"}, True),
            ({"even_money": True}, True),
            ({"blackjack_pays": "6/5"}, True),
            ({"split_deal": "in-turn"}, True),
            ({"hit_split_aces": True}, False),
            ({"split_blackjack": True, "blackjack_pays": "6/5"}, False),
            ({"dealer_hits_soft_17": True}, False),
        ],
    )
    def test_what_comes_to_the_same(self, changes: dict[str, object], same: bool) -> None:
        rules = Rules(max_hands=2)
        assert (distinct_of(combination(rules.replace(**changes))) == distinct_of(combination(rules))) == same

    def test_full_sees_when_hands_are_dealt(self) -> None:
        rules = Rules(max_hands=2)
        other = rules.replace(split_deal="in-turn")
        assert distinct_of(combination(rules), "full") != distinct_of(combination(other), "full")

    @pytest.mark.parametrize(
        "changes",
        [
            {},
            {"blackjack_tie": "win"},
            {"split_blackjack": True, "max_hands": 2},
            {"split_blackjack": True, "max_hands": 1},
            {"raise_after_upcard": 1},
            {"switch": True},
            {"bonuses": "cards=5 pays=2"},
            {"blackjack_pays": 0},
        ],
    )
    def test_linear_is_what_the_engine_says(self, changes: dict[str, object]) -> None:
        rules = Rules(decks=1).replace(**changes)
        one = canonical(combination(rules))  # which has no field that is moot
        assert not is_linear(rules) or hand_terms(one).of_blackjack_pays is not None

    def test_ids(self) -> None:
        """They stand in files: they must not change."""
        assert rules_id(Rules()) == "30a7d0335a319e8b"
        assert rules_id(Rules(decks=1)) != rules_id(Rules())
        assert rules_id(Rules(), odds.Shoe.of_decks(8)) != rules_id(Rules(), odds.Shoe.of_decks(4))

    def test_cards_are_all_there_is_of_decks(self) -> None:
        shoe = odds.Shoe.of_decks(1)
        few, many = (distinct_of(Combination(0, Rules(decks=decks), shoe, "a")) for decks in (1, 8))
        assert few == many

    def test_dealer_passes_are_shared_by_how_he_draws(self) -> None:
        def key(**changes: object) -> object:
            return sharing(distinct_of(combination(Rules(**changes))))

        assert key(max_hands=1) == key(max_hands=4, surrender="late", hole_card="none", blackjack_pays=1)
        assert len({key(), key(decks=1), key(dealer_hits_soft_17=True), key(removed_ranks="10")}) == 4

    def test_the_public_grid(self) -> None:
        """27,648 rows of which 10,512 differ, and 3,504 but for what a blackjack pays."""
        vary = {
            "decks": [1, 2], "double_after_split": [True, False], "blackjack_pays": ["3/2", "6/5", "1"],
            "double_on": ["any", "9-11", "10-11"], "max_hands": [1, 2, 3, 4], "resplit_aces": [True, False],
            "hit_split_aces": [True, False], "double_split_aces": [True, False],
        }  # fmt: skip
        rules = {canonical(each) for each in grid_of(Rules(), vary).combinations()}
        assert len(rules) * 24 == 3_504
