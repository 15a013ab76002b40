import copy
import json
import pickle
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import VALUES, described, rules

from odds.errors import HandError, RulesError
from odds.game.catalog import load_game
from odds.game.fields import FIELDS, written
from odds.game.rules import Rules, settings_of
from odds.game.subject import rules_hash
from odds.tables.document import rule_facts

# Written out by hand: the promise to users, in the order it is made.
DEFAULTS: dict[str, Any] = {
    "decks": 8,
    "removed_ranks": "none",
    "dealer_hits_soft_17": False,
    "hole_card": "peek",
    "peek_under": "A,T",
    "dealer_blackjack_takes": "all",
    "blackjack_pays": Fraction(3, 2),
    "blackjack_tie": "push",
    "dealer_wins_ties": False,
    "dealer_22": "bust",
    "player_21": "compare",
    "double_on": "any",
    "double_soft_as_hard": False,
    "double_after_split": True,
    "double_split_aces": False,
    "double_cards": 2,
    "double_multiples": (2,),
    "redoubles": 0,
    "free_double_on": "none",
    "double_rescue": False,
    "max_hands": 4,
    "free_split": "none",
    "split_by": "value",
    "resplit_aces": False,
    "hit_split_aces": False,
    "split_blackjack": False,
    "split_deal": "both",
    "switch": False,
    "switched_blackjack": "21",
    "surrender": "none",
    "surrender_returns": Fraction(1, 2),
    "surrender_cards": 2,
    "raise_after_upcard": Fraction(0),
    "insurance": "ace",
    "insurance_pays": Fraction(2),
    "even_money": False,
    "charlie": None,
    "charlie_pays": Fraction(1),
    "charlie_beats_blackjack": False,
    "bonuses": (),
}


def refused(settings: list[str]) -> str:
    with pytest.raises(RulesError) as caught:
        Rules().replace_text(settings)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_settings_are_parted_where_a_field_begins() -> None:
    assert settings_of("peek_under=A,T,bonuses=ranks=6,7,8 pays=3,double_multiples=2,3", ",") == [
        "peek_under=A,T",
        "bonuses=ranks=6,7,8 pays=3",
        "double_multiples=2,3",
    ]


def test_every_field_has_its_default() -> None:
    assert {name: getattr(Rules(), name) for name in FIELDS} == DEFAULTS
    assert list(FIELDS) == list(DEFAULTS)


def test_every_field_is_described() -> None:
    for field in FIELDS.values():
        assert field.meaning.endswith("."), field.name
        assert field.allowed, field.name
        assert field.favours in ("player", "dealer", "depends")
        assert field.words(field.default), field.name


@pytest.mark.parametrize(
    ("field", "given_value", "stored"),
    [
        ("decks", "6", 6),
        ("decks", " 100000 ", 100_000),
        ("dealer_hits_soft_17", "true", True),
        ("dealer_hits_soft_17", "Yes", True),
        ("dealer_hits_soft_17", "on", True),
        ("dealer_hits_soft_17", "1", True),
        ("double_after_split", "false", False),
        ("double_after_split", "no", False),
        ("double_after_split", "OFF", False),
        ("double_after_split", "0", False),
        ("hole_card", "None", "none"),
        ("hole_card", "exposed", "exposed"),
        ("peek_under", "T", "T"),
        ("peek_under", "10", "T"),
        ("peek_under", "a", "A"),
        ("peek_under", "T,A", "A,T"),
        ("peek_under", "AT", "A,T"),
        ("dealer_blackjack_takes", "original_per_hand", "original-per-hand"),
        ("blackjack_pays", "6/5", Fraction(6, 5)),
        ("blackjack_pays", "3:2", Fraction(3, 2)),
        ("blackjack_pays", "1.5", Fraction(3, 2)),
        ("blackjack_pays", 1.5, Fraction(3, 2)),
        ("blackjack_pays", 1.2, Fraction(6, 5)),
        ("blackjack_pays", 1, Fraction(1)),
        ("blackjack_pays", "0", Fraction(0)),
        ("blackjack_pays", 1000, Fraction(1000)),
        ("dealer_wins_ties", "true", True),
        ("dealer_wins_ties", "none", False),
        ("dealer_wins_ties", "17", (17,)),
        ("dealer_wins_ties", 17, (17,)),
        ("dealer_wins_ties", "18,17", (17, 18)),
        ("dealer_wins_ties", "17-19", (17, 18, 19)),
        ("dealer_wins_ties", [21, 17, 17], (17, 21)),
        ("dealer_wins_ties", "17-21", True),
        ("dealer_wins_ties", (), False),
        ("dealer_22", "Push", "push"),
        ("free_double_on", None, "none"),
        ("free_double_on", " None", "none"),
        ("free_double_on", "hard 11,9-10", "9-11"),
        ("free_double_on", "hard 9-11, soft 19", "hard 9-11, soft 19"),
        ("free_double_on", "2-21", "any"),
        ("free_split", None, "none"),
        ("free_split", " None", "none"),
        ("free_split", "a", "A"),
        ("free_split", "9;8,2-4, 3-5,A", "A-5,8-9"),
        ("free_split", "7-10", "7-T"),
        ("free_split", "A-T", "A-T"),
        ("switch", "yes", True),
        ("switched_blackjack", "Blackjack", "blackjack"),
        ("switched_blackjack", 21, "21"),
        ("removed_ranks", None, "none"),
        ("removed_ranks", "None", "none"),
        ("removed_ranks", [], "none"),
        ("removed_ranks", "T", "10"),
        ("removed_ranks", 10, "10"),
        ("removed_ranks", "10, 9", "9,10"),
        ("removed_ranks", [10, "9"], "9,10"),
        ("removed_ranks", "k;a q", "A,Q,K"),
        ("removed_ranks", "A,2,3,4,5,6,7,8,9,10,J,Q", "A,2,3,4,5,6,7,8,9,10,J,Q"),
        ("decks", " Infinite", "infinite"),
        ("raise_after_upcard", "0.5", Fraction(1, 2)),
        ("player_21", "Wins", "wins"),
        ("charlie_pays", "2:1", Fraction(2)),
        ("charlie_beats_blackjack", "yes", True),
        ("double_on", "ANY", "any"),
        ("double_on", "9,10,11", "9-11"),
        ("double_on", "hard 9-11", "9-11"),
        ("double_on", "hard 9,10, 11", "9-11"),
        ("double_on", "Hard 9-11, Soft 19-20", "hard 9-11, soft 19-20"),
        ("double_on", "soft 19-20, hard 9-11", "hard 9-11, soft 19-20"),
        ("double_on", "9-11,soft 19,20", "hard 9-11, soft 19-20"),
        ("double_on", "9 - 12", "9-12"),
        ("double_on", "hard 9-12", "hard 9-12"),
        ("double_on", "soft 13-18", "soft 13-18"),
        ("double_on", "9,11", "9,11"),
        ("double_on", "4-21", "any"),
        ("max_hands", "1", 1),
        ("split_deal", "in_turn", "in-turn"),
        ("surrender", "early_vs_ten", "early-vs-ten"),
        ("surrender", "Early 2-10", "early 2-T"),
        ("surrender", "early 2,3,4,5-t", "early 2-T"),
        ("surrender", "early 2-T, none A", "early 2-T"),
        ("surrender", "early T, late 2-9,A", "early-vs-ten"),
        ("surrender", "late a-9; early 10", "early-vs-ten"),
        ("surrender", "late 2-A", "late"),
        ("surrender", "early A-T", "early"),
        ("surrender", "late A,9,8,7", "late 7-9,A"),
        ("surrender", "late 2-9, early A", "early A, late 2-9"),
        ("surrender", "late T-A", "late T,A"),
        ("insurance", "Ace, ten", "ace,ten"),
        ("insurance", "10,A", "ace,ten"),
        ("insurance", "A", "ace"),
        ("surrender_returns", "0.5", Fraction(1, 2)),
        ("surrender_returns", "1/4", Fraction(1, 4)),
        ("charlie", "none", None),
        ("charlie", "5", 5),
        ("charlie", 7, 7),
    ],
)
def test_friendly_values_are_stored_in_one_form(field: str, given_value: Any, stored: Any) -> None:
    value = getattr(Rules(**{field: given_value}), field)
    assert value == stored
    assert type(value) is type(stored)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("decks", 0),
        ("decks", 100_001),
        ("decks", 8.0),
        ("decks", True),
        ("decks", None),
        ("decks", "８"),
        pytest.param("decks", 10**5000, id="decks-an integer too long to print"),
        ("dealer_hits_soft_17", 1),
        ("dealer_hits_soft_17", None),
        ("hole_card", None),
        ("peek_under", "9"),
        ("peek_under", "A,A"),
        ("peek_under", ("A",)),
        ("blackjack_pays", -1),
        ("blackjack_pays", 1001),
        ("blackjack_pays", 1 / 3),
        ("blackjack_pays", float("nan")),
        ("blackjack_pays", float("inf")),
        ("blackjack_pays", True),
        ("blackjack_pays", None),
        ("blackjack_pays", 1 + 2j),
        ("dealer_wins_ties", "16"),
        ("dealer_wins_ties", "22"),
        ("dealer_wins_ties", "19-17"),
        ("dealer_wins_ties", "17-"),
        ("dealer_wins_ties", [17.0]),
        ("dealer_wins_ties", None),
        ("dealer_22", "win"),
        ("free_double_on", ""),
        ("free_double_on", "soft 5"),
        ("free_double_on", "22"),
        ("free_double_on", "A-9"),
        ("free_double_on", True),
        ("free_split", ""),
        ("free_split", "1"),
        ("free_split", "11"),
        ("free_split", "9-A"),
        ("free_split", "A-K"),
        ("free_split", "A--9"),
        ("free_split", "hard 9"),
        ("free_split", True),
        ("free_split", 9),
        ("switch", "once"),
        ("switched_blackjack", True),
        ("switched_blackjack", 22),
        ("removed_ranks", ""),
        ("removed_ranks", "1"),
        ("removed_ranks", 1),
        ("removed_ranks", True),
        ("removed_ranks", 9.5),
        ("removed_ranks", "9-10"),
        ("removed_ranks", "Th"),
        ("removed_ranks", "10,T"),
        ("removed_ranks", [9, 9]),
        ("removed_ranks", "A,2,3,4,5,6,7,8,9,10,J,Q,K"),
        ("dealer_22", True),
        ("player_21", "win"),
        ("charlie_pays", "1/2"),
        ("charlie_pays", "none"),
        ("charlie_beats_blackjack", "maybe"),
        ("decks", "infinitely"),
        ("raise_after_upcard", -1),
        ("raise_after_upcard", 11),
        ("double_on", 9),
        ("double_on", "soft 5"),
        ("double_on", "21"),
        ("double_on", "1-3"),
        ("double_on", "hard"),
        ("double_on", "9--11"),
        ("double_on", "11-9"),
        ("double_on", "9-11;"),
        ("max_hands", 0),
        ("max_hands", 5),
        ("surrender_returns", "3/2"),
        ("surrender", "early 2-11"),
        ("surrender", "early J"),
        ("surrender", "2-T"),
        ("surrender", "early T,T"),
        ("surrender", "early T, late 9-T"),
        ("surrender", "late A-A"),
        ("surrender", "late 9-2"),
        ("surrender", "none A"),
        ("surrender", "early T, late"),
        ("surrender", "early 2-T,"),
        ("surrender", "early 2 3"),
        ("surrender", ["T"]),
        ("insurance", "ten"),
        ("insurance", "ace,ace"),
        ("insurance", "ace,none"),
        ("insurance", "ace,9"),
        ("charlie", 4),
        ("charlie", 8),
        ("charlie", True),
    ],
)
def test_values_that_are_not_allowed(field: str, value: Any) -> None:
    with pytest.raises(RulesError, match=f"^{field}: expected "):
        Rules(**{field: value})


def test_errors_name_the_field_what_came_and_what_is_allowed() -> None:
    assert refused(["decks=abc"]) == "decks: expected a whole number from 1 to 100,000, or infinite, got 'abc'"
    assert refused(["surrender=sometimes"]) == (
        "surrender: expected none, late, early, early-vs-ten, or upcards (A, 2 to 9, T for any ten) such as "
        "'early 2-T' or 'early T, late 2-9', got 'sometimes' (cannot read 'sometimes')"
    )
    assert refused(["blackjack_pays=0/0"]).endswith("got '0/0' (it divides by zero)")
    assert refused(["double_on=9-11, odd"]).endswith("got '9-11, odd' (cannot read 'odd')")
    assert len(refused([f"decks={'9' * 10_000}"])) < 200


@pytest.mark.parametrize("field", DEFAULTS)
@pytest.mark.parametrize(
    "text", ["", " ", "abc", "-1", "1e9", pytest.param("9" * 5000, id="long"), "1/0", "０", "\x00", "=", "None,None"]
)
def test_any_text_is_read_or_refused(field: str, text: str) -> None:
    try:
        changed = Rules().replace_text([f"{field}={text}"])
    except RulesError:
        return
    # What of these does mean something somewhere.
    assert (field, text) in {("surrender_returns", "1"), ("blackjack_pays", "1")} or changed == Rules()


@given(st.text(max_size=20))
def test_any_setting_is_read_or_refused(text: str) -> None:
    with pytest.raises(RulesError):
        Rules().replace_text([text])


@given(st.sampled_from(list(DEFAULTS)), st.text(max_size=12))
def test_any_value_is_read_or_refused(field: str, text: str) -> None:
    try:
        changed = Rules().replace_text([f"{field}={text}"])
    except RulesError:
        return
    assert Rules.from_dict(changed.to_dict()) == changed


@pytest.mark.parametrize("setting", ["=", "decks", "", "=6", " = "])
def test_settings_of_another_form(setting: str) -> None:
    assert refused([setting]).startswith("expected FIELD=VALUE")


def test_a_field_given_twice() -> None:
    assert Rules().replace_text(["decks=6", "decks = 6"]).decks == 6
    assert refused(["decks=6", "decks=8"]) == "decks: given twice, as '6' and as '8'"


LINES = (
    "cards=5 total=21 pays=3/2; cards=7+ total=<=20 pays=3 after_double=true; "
    "ranks=6,7,8 suits=spades pays=3; ranks=7,7,7 suits=same upcard=7 pays=1000 after_split=false; "
    "ranks=A,J suits=red pays=2"
)


def test_bonuses_are_read_from_text_and_from_tables_and_written_back() -> None:
    tables = [
        {"cards": 5, "total": "21", "pays": 1.5},
        {"cards": "7+", "total": "<=20", "pays": "3:1", "after_double": True},
        {"ranks": ["8", 7, "6"], "suits": "Spades", "pays": 3},
        {"ranks": "777", "suits": "same", "upcard": "7", "pays": 1000, "after_split": "no"},
        {"ranks": "j,a", "suits": "red", "pays": 2},
    ]
    given_rules = Rules(bonuses=LINES)
    assert given_rules == Rules(bonuses=tables) == Rules(bonuses=given_rules.bonuses)
    assert hash(given_rules.bonuses) == hash(Rules(bonuses=tables).bonuses)
    assert written(given_rules.bonuses) == written(given_rules.to_dict()["bonuses"]) == LINES
    assert given_rules.to_dict()["bonuses"][3] == {
        "ranks": "7,7,7", "suits": "same", "upcard": "7", "pays": "1000", "after_split": False
    }  # fmt: skip
    assert given_rules.words("bonuses") == (
        "bonuses: 3:2 for 5 cards of 21, 3:1 for 7 or more cards of up to 20, doubled too, 3:1 for 6-7-8 of spades, "
        "1000:1 for 7-7-7 of one suit against 7, not after a split, 2:1 for A-J all red"
    )
    assert Rules(bonuses=" None ").bonuses == Rules(bonuses=[]).bonuses == ()
    assert Rules().replace_text([f"bonuses={LINES}"]) == given_rules


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("", "it is empty"),
        ("pays=2", "names no cards, total, ranks or suits"),
        ("cards=5", "pays is missing"),
        ("cards=5 pays=0", "a bonus of nothing is none"),
        ("cards=5 pays=-1", "expected a payout over 0"),
        ("cards=22 pays=1", "no hand has so many"),
        ("cards=8-5 pays=1", "8-5 runs downwards"),
        ("cards=5 total=22 pays=1", "no hand has such a total"),
        ("cards=5 total=9 pays=1", "no hand of so many cards has such a total"),
        ("ranks=6,7,8 total=20 pays=2", "these ranks are 3 cards of 21"),
        ("ranks=6,7,8 cards=2 pays=2", "these ranks are 3 cards of 21"),
        ("ranks=T,T,2 pays=1", "these ranks are over 21"),
        ("ranks=1,2 pays=1", "there is no rank '1'"),
        ("ranks=6-8 pays=1", "that may be two cards or a range: 6,8 names two cards"),
        ("ranks=T,J pays=1", "does not go with 10, J, Q or K"),
        ("suits=blue pays=1", "expected any, same, clubs"),
        ("cards=5 upcard=J pays=1", "expected one of A, 2 to 9, T"),
        ("cards=5 card=6 pays=1", "did you mean 'cards'"),
        ("cards=5 cards=6 pays=1", "cards comes twice"),
        ("five cards pay 2", "parts are such as cards=5"),
        ("cards=5 total=21 pays=2; cards=5+ total=21 pays=3", "never counts"),
        ("ranks=7,7,7 suits=hearts pays=2; ranks=7,7,7 suits=red pays=2", "never counts"),
        ("cards=3 total=21 pays=2; ranks=6,7,8 pays=2", "never counts"),
        (f"{LINES}; {LINES}", "never counts"),
        ("ranks=7,7,7,A suits=spades pays=2", "these ranks are over 21"),
    ],
)
def test_bonuses_that_say_nothing_or_are_never_paid_are_refused(lines: str, reason: str) -> None:
    message = refused([f"bonuses={lines}"])
    assert message.startswith("bonuses: expected none, or lines such as")
    assert reason in message


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        (["decks=1", "bonuses=ranks=7,7,7 suits=spades pays=2"], "1 deck holds 1 of its 3 cards of rank 7"),
        (["decks=2", "bonuses=ranks=7,7,7 suits=same pays=2"], "2 decks hold 2 of its 3 cards of rank 7"),
        (["removed_ranks=10", "bonuses=ranks=A,10 pays=2"], "there is no 10 in the deck"),
        (["removed_ranks=7", "bonuses=cards=5 upcard=7 pays=2"], "there is no 7 in the deck"),
        (["removed_ranks=A", "bonuses=cards=11+ pays=2"], "no hand of such cards has such a total"),
    ],
)
def test_bonuses_for_which_the_decks_lack_cards_are_refused(settings: list[str], reason: str) -> None:
    assert refused(settings).endswith(f"can never be paid: {reason}")
    known = Rules(bonuses="ranks=7,7,7 suits=spades pays=2").replace(decks=1)  # not where the decks change
    assert Rules.from_dict(known.to_dict()) == known


def test_unknown_fields_suggest_the_nearest() -> None:
    assert refused(["deck=6"]) == "unknown rule 'deck'; did you mean 'decks'?"
    assert "did you mean 'dealer_hits_soft_17'" in refused(["hits-soft-17=1"])
    assert "the rules are decks, removed_ranks, dealer_hits_soft_17" in refused(["zzz=1"])
    with pytest.raises(RulesError, match="did you mean 'max_hands'"):
        Rules(maxhands=2)  # type: ignore[call-arg]
    with pytest.raises(RulesError, match="unknown rule"):
        Rules.from_dict({3: 4})  # type: ignore[dict-item]


@pytest.mark.parametrize("field", ["push_22", "double_after_hit", "double_on_more_cards", "bonus_hands", "bonus_pays"])
def test_rules_that_cannot_be_had_are_unknown(field: str) -> None:
    assert refused([f"{field}=true"]).startswith(f"unknown rule {field!r}; ")


def test_contradictions_in_one_call() -> None:
    assert refused(["hole_card=none", "peek_under=T"]).startswith("hole_card=none contradicts peek_under=T: ")
    assert refused(["peek_under=A", "hole_card=exposed"]).startswith("hole_card=exposed contradicts peek_under=A")
    for surrender in ("early", "early-vs-ten"):
        message = refused(["hole_card=exposed", f"surrender={surrender}"])
        assert message.startswith(f"hole_card=exposed contradicts surrender={surrender}: ")
    with pytest.raises(RulesError, match="contradicts"):
        Rules(hole_card="exposed", surrender="early")
    for exposed in (Rules(), Rules(hole_card="exposed")):
        with pytest.raises(RulesError, match=r"contradicts surrender=late 2-9: .* neither of them is the upcard"):
            exposed.replace_text(["hole_card=exposed", "surrender=late 9,2-8"])
    with pytest.raises(RulesError, match="hole_card=exposed contradicts surrender=early A"):
        Rules(hole_card="exposed").replace(surrender="early A")
    with pytest.raises(RulesError, match="contradicts"):
        Rules.from_dict({"hole_card": "none", "peek_under": "A"})


def test_free_doubles_contradict_what_makes_them_something_else() -> None:
    assert refused(["free_double_on=9", "double_on=none"]).startswith("double_on=none contradicts free_double_on=9: ")
    several = refused(["free_double_on=9", "double_multiples=2,3"])
    assert several.startswith("double_multiples=2,3 contradicts free_double_on=9: ")
    assert Rules(free_double_on="9").replace(double_on="none").free_double_on == "none"


def test_which_doubles_are_free() -> None:
    rules = Rules(double_on="hard 9-11, soft 18", free_double_on="hard 10-11, soft 18-19")
    free = {(total, soft) for total in range(2, 21) for soft in (False, True) if rules.doubles_free(total, soft)}
    assert free == {(10, False), (11, False), (18, True)}
    assert not any(Rules().doubles_free(total, False) for total in range(2, 21))
    assert Rules(free_double_on="any").doubles_free(20, True)


def test_a_new_hole_card_resets_what_it_contradicts() -> None:
    peeks = Rules(peek_under="T", surrender="early")
    assert peeks.replace(hole_card="none").peek_under == "A,T"
    assert peeks.replace(hole_card="none").surrender == "early"
    assert peeks.replace(hole_card="exposed").surrender == "late"
    assert Rules(surrender="early 2-T").replace(hole_card="exposed").surrender == "late"
    assert peeks.replace(hole_card="peek").peek_under == "T"
    assert Rules(hole_card="none").replace(hole_card="peek", peek_under="T").peek_under == "T"


@given(rules(), st.data())
def test_one_change_never_fails(before: Rules, data: st.DataObject) -> None:
    field = data.draw(st.sampled_from(list(VALUES)))
    value = data.draw(VALUES[field])
    assume(field != "surrender" or before.hole_card != "exposed" or " " not in value)
    assume(field != "bonuses" or before.removed_ranks == "none")  # of cards that are not there
    assume(field != "double_multiples" or value == 2 or before.free_double_on == "none")
    assume(field != "free_double_on" or value == "none" or before.double_multiples == (2,))
    after = before.replace(**{field: value})
    others = [name for name in VALUES if name != field and getattr(after, name) != getattr(before, name)]
    moved = {"hole_card": {"peek_under", "surrender"}, "double_on": {"redoubles", "double_rescue", "free_double_on"}}
    assert set(others) <= moved.get(field, set())


@pytest.mark.parametrize(
    ("changes", "moot"),
    [
        ({"max_hands": 2}, {"resplit_aces"}),
        (
            {"max_hands": 1},
            {
                "double_after_split",
                "double_split_aces",
                "split_by",
                "resplit_aces",
                "hit_split_aces",
                "split_blackjack",
                "split_deal",
                "free_split",
            },
        ),
        (
            {"double_on": "none"},
            {
                *("double_after_split", "double_split_aces", "double_cards", "double_multiples", "redoubles"),
                *("double_rescue", "free_double_on"),
            },
        ),
        ({"double_on": "9-11"}, {"double_split_aces"}),
        ({"double_on": "9-11", "double_soft_as_hard": True}, set()),
        ({"double_on": "soft 19"}, set()),
        ({"double_on": "hard 15"}, {"double_split_aces"}),
        ({"double_after_split": False}, {"double_split_aces"}),
        ({"hole_card": "none"}, {"peek_under"}),
        ({"hole_card": "exposed"}, {"peek_under", "insurance", "insurance_pays", "even_money"}),
        ({"peek_under": "T"}, set()),
        ({"insurance": "none"}, {"insurance_pays"}),
        ({"surrender": "late"}, set()),
        ({"removed_ranks": "10"}, set()),
        ({"removed_ranks": "10,J"}, set()),
        ({"removed_ranks": "10,J,K"}, {"split_by"}),
        (
            {"removed_ranks": "10,J,Q,K"},
            {"split_by", "split_blackjack", "blackjack_pays", "blackjack_tie", "peek_under", "even_money"},
        ),
        (
            {"removed_ranks": "A"},
            {
                *("dealer_hits_soft_17", "peek_under", "blackjack_pays", "blackjack_tie", "even_money", "insurance"),
                *("insurance_pays", "double_split_aces", "resplit_aces", "hit_split_aces", "split_blackjack"),
            },
        ),
    ],
)
def test_fields_that_others_make_moot(changes: dict[str, Any], moot: set[str]) -> None:
    given_rules = Rules(**changes)
    expected = set(moot)
    if changes.get("hole_card") != "none" and changes.get("peek_under") != "T":
        expected.add("dealer_blackjack_takes")  # nothing is left unpeeked
    if "surrender" not in changes:
        expected |= {"surrender_returns", "surrender_cards"}
    expected |= {"charlie_pays", "charlie_beats_blackjack", "switched_blackjack"}
    if changes.get("double_on") in (None, "none", "soft 19", "hard 15"):
        expected.add("double_soft_as_hard")  # no hard total from 2 to 10 to reach
    assert {name for name in FIELDS if given_rules.is_moot(name)} == expected


@pytest.mark.parametrize(
    ("changes", "field", "beside"),
    [
        ({"max_hands": 1}, "hit_split_aces", "max_hands=1"),
        ({"max_hands": 2}, "resplit_aces", "max_hands=2"),
        ({"double_after_split": False}, "double_split_aces", "double_after_split=false"),
        ({"double_on": "none"}, "double_after_split", "double_on=none"),
        ({"hole_card": "exposed"}, "insurance_pays", "hole_card=exposed"),
        ({"insurance": "none"}, "insurance_pays", "insurance=none"),
        ({"removed_ranks": "10,J,Q"}, "split_by", "removed_ranks=10,J,Q"),
        ({"max_hands": 1, "free_split": "A-9"}, "free_split", "max_hands=1"),
        ({"free_split": "8-9", "removed_ranks": "8,9"}, "free_split", "removed_ranks=8,9"),
        ({"free_split": "9-T", "removed_ranks": "9,10"}, "free_split", ""),
        (
            {"free_double_on": "hard 9-11", "double_on": "hard 8,12, soft 19-20"},
            "free_double_on",
            "double_on=hard 8,12, soft 19-20",
        ),
        ({"free_double_on": "hard 9-11", "double_on": "11"}, "free_double_on", ""),
        ({"free_double_on": "soft 19", "double_on": "hard 9", "double_soft_as_hard": True}, "free_double_on", ""),
        ({}, "switched_blackjack", "switch=false"),
        ({"switch": True, "removed_ranks": "A"}, "switched_blackjack", "removed_ranks=A"),
        ({}, "dealer_blackjack_takes", "peek_under=A,T"),
        ({}, "decks", ""),
    ],
)
def test_which_field_makes_another_one_moot(changes: dict[str, Any], field: str, beside: str) -> None:
    assert Rules(**changes).moot_beside(field) == beside


def test_why_ranks_are_refused() -> None:
    assert "(9-A runs downwards: an ace is low here)" in refused(["free_split=9-A"])
    assert "(cannot read 'K')" in refused(["free_split=9,K"])
    assert "(10 is named twice)" in refused(["removed_ranks=T,10"])
    assert "(there is no rank '11')" in refused(["removed_ranks=9,11"])
    assert "(no card would be left)" in refused(["removed_ranks=A,2,3,4,5,6,7,8,9,10,J,Q,K"])


def test_moot_fields_are_kept_and_not_described() -> None:
    rules = Rules(max_hands=2, resplit_aces=True, surrender_returns="1/4", dealer_blackjack_takes="original")
    assert rules.resplit_aces
    assert described(rules) == [("max_hands", "split once, to two hands", "SPL1")]
    assert [name for name, _, _ in described(rules.replace(max_hands=3))] == ["max_hands", "resplit_aces"]


def test_a_default_that_goes_without_saying_leaves_heads_and_fingerprints_as_they_were() -> None:
    # From tables that were made before there was such a field.
    assert rules_hash(load_game("classic-blackjack").rules) == "d11ddb61af34"
    told = dict(rule_facts(Rules()))["Other rules"]
    assert "tied totals push" in told
    assert "22" not in told
    push = Rules(dealer_22="push")
    assert (Rules().is_tacit("dealer_22"), push.is_tacit("dealer_22"), Rules().is_tacit("charlie")) == (
        True,
        False,
        False,
    )
    assert rules_hash(push) != rules_hash(Rules())
    assert "a dealer's 22 pushes" in dict(rule_facts(push))["Rules"]
    assert Rules().to_dict()["dealer_22"] == "bust"
    with pytest.raises(RulesError, match="unknown rule"):
        Rules().is_tacit("push_22")


def test_descriptions() -> None:
    assert described(Rules()) == []
    face_up = Rules(hole_card="exposed", dealer_wins_ties="17,18", blackjack_pays=1, surrender="late")
    assert described(face_up) == [
        ("hole_card", "both dealer cards face up", "DE"),
        ("blackjack_pays", "blackjack pays 1:1", "1:1"),
        ("dealer_wins_ties", "dealer wins ties of 17-18", ""),
        ("surrender", "late surrender", "LS"),
    ]
    assert described(Rules(decks=6, hole_card="none", peek_under="A,T")) == [
        ("decks", "6 decks", "6D"),
        ("hole_card", "no hole card", "ENHC"),
    ]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        (
            {},
            "8 decks; dealer stands on soft 17 (S17); dealer peeks under aces and tens; blackjack pays 3:2; double any "
            "two cards (DOA); double after a split (DAS); split to 4 hands (SPL3); aces split once (NRSA); one card to "
            "each split ace; no surrender (NS)",
        ),
        (
            {"decks": 1, "max_hands": 1, "hole_card": "none", "double_on": "none", "dealer_wins_ties": 17},
            "1 deck; dealer stands on soft 17 (S17); no hole card (ENHC); blackjack pays 3:2; dealer wins ties of 17; "
            "no doubling; no splitting; no surrender (NS)",
        ),
        (
            {"decks": 6, "removed_ranks": "10", "max_hands": 1},
            "6 decks; no ten-spots in the deck (Spanish deck); dealer stands on soft 17 (S17); dealer peeks under aces "
            "and tens; blackjack pays 3:2; double any two cards (DOA); no splitting; no surrender (NS)",
        ),
        (
            {"removed_ranks": "A,6,10", "max_hands": 1},
            "8 decks; no aces, no sixes and no ten-spots in the deck; double any two cards (DOA); no splitting; no "
            "surrender (NS)",
        ),
    ],
)
def test_the_line_of_rules_says_the_core_and_what_differs_but_nothing_moot(
    changes: dict[str, object], says: str
) -> None:
    assert str(Rules.from_dict(changes)) == says


def test_a_head_of_tables_says_every_rule_once() -> None:
    rules = Rules(hole_card="exposed", max_hands=2)
    said, others = (text for _, text in rule_facts(rules))
    not_in_ev = {"insurance", "insurance_pays", "even_money", "split_deal"}
    silent = {name for name in FIELDS if rules.is_moot(name) or rules.is_tacit(name)}
    for name in FIELDS.keys() - not_in_ev - silent:
        assert (rules.words(name) in said) + (rules.words(name) in others) == 1, name


@pytest.mark.parametrize(
    ("changes", "field", "shorthand"),
    [
        ({}, "dealer_hits_soft_17", "S17"),
        ({"dealer_hits_soft_17": True}, "dealer_hits_soft_17", "H17"),
        ({}, "double_after_split", "DAS"),
        ({"double_after_split": False}, "double_after_split", "NDAS"),
        ({"surrender": "late"}, "surrender", "LS"),
        ({"surrender": "early"}, "surrender", "ES"),
        ({"surrender": "early-vs-ten"}, "surrender", "ES10"),
        ({"hole_card": "none"}, "hole_card", "ENHC"),
        ({"dealer_blackjack_takes": "original"}, "dealer_blackjack_takes", "OBO"),
        ({"resplit_aces": True}, "resplit_aces", "RSA"),
        ({}, "max_hands", "SPL3"),
        ({"double_on": "10,11"}, "double_on", "D10"),
        ({"blackjack_pays": "6/5"}, "blackjack_pays", "6:5"),
    ],
)
def test_casino_shorthand(changes: dict[str, Any], field: str, shorthand: str) -> None:
    assert Rules(**changes).shorthand(field) == shorthand
    assert shorthand in FIELDS[field].shorthand


@pytest.mark.parametrize(
    ("surrender", "words"),
    [
        ("early 2-T", "early surrender against 2-T, none against A"),
        ("late 2-9", "late surrender against 2-9, none against T,A"),
        ("late 2,9,A, early T", "early surrender against T, late against 2,9,A, none against 3-8"),
    ],
)
def test_surrender_by_upcards(surrender: str, words: str) -> None:
    assert Rules(surrender=surrender).words("surrender") == words
    assert words in Rules(surrender=surrender).brief()


def test_peeking() -> None:
    assert [card for card in "A23456789TJQK" if Rules().peeks_under(card)] == ["A", "T", "J", "Q", "K"]
    assert [card for card in "A5TK" if Rules(peek_under="T").peeks_under(card)] == ["T", "K"]
    assert [card for card in ("A", "10") if Rules(peek_under="A").peeks_under(card)] == ["A"]
    for hole_card in ("none", "exposed"):
        assert not Rules(hole_card=hole_card).peeks_under("A")
    with pytest.raises(HandError):
        Rules().peeks_under("x")
    with pytest.raises(RulesError, match="one upcard"):
        Rules().peeks_under("A,T")


def test_ties() -> None:
    assert not any(Rules().tie_loses(total) for total in range(17, 22))
    assert all(Rules(dealer_wins_ties=True).tie_loses(total) for total in range(17, 22))
    some = Rules(dealer_wins_ties="17-18,21")
    assert [total for total in range(17, 22) if some.tie_loses(total)] == [17, 18, 21]


@pytest.mark.parametrize(
    ("double_on", "as_hard", "hard", "soft"),
    [
        ("any", False, range(4, 21), range(12, 21)),
        ("none", True, [], []),
        ("9-11", False, [9, 10, 11], []),
        ("9-11", True, [9, 10, 11], [19, 20]),
        ("hard 4-11", True, range(4, 12), range(14, 21)),
        ("2-3", True, [], [12, 13]),
        ("10-15", False, range(10, 16), [12, 13, 14, 15]),
        ("hard 10-15", False, range(10, 16), []),
        ("hard 9-11, soft 19-20", False, [9, 10, 11], [19, 20]),
        ("soft 13-18", False, [], range(13, 19)),
    ],
)
def test_which_totals_double(double_on: str, as_hard: bool, hard: Any, soft: Any) -> None:
    given_rules = Rules(double_on=double_on, double_soft_as_hard=as_hard)
    # Two cards make hard 4 to 20 and soft 12 to 21; 21 stands.
    assert [total for total in range(4, 22) if given_rules.may_double(total, soft=False)] == list(hard)
    assert [total for total in range(12, 22) if given_rules.may_double(total, soft=True)] == list(soft)


@given(rules())
def test_rules_read_back(before: Rules) -> None:
    text = json.dumps(before.to_dict())
    assert list(json.loads(text)) == list(DEFAULTS)
    assert Rules.from_dict(json.loads(text)) == before
    assert eval(repr(before)) == before
    assert pickle.loads(pickle.dumps(before)) == copy.deepcopy(before) == before
    assert hash(copy.deepcopy(before)) == hash(before)


@given(rules())
def test_the_description_alone_rebuilds_the_game(before: Rules) -> None:
    found = {name: getattr(before, name) for name, _, _ in described(before)}
    again = Rules(**found)
    differing = [name for name in FIELDS if getattr(again, name) != getattr(before, name)]
    assert all(before.is_moot(name) for name in differing)
    assert all(words for _, words, _ in described(before))


def test_json_form() -> None:
    plain = Rules(dealer_wins_ties="17,18", blackjack_pays="6/5").to_dict()
    assert plain["dealer_wins_ties"] == [17, 18]
    assert plain["blackjack_pays"] == "6/5"
    assert plain["insurance_pays"] == "2"
    assert plain["charlie"] is None


def test_rules_do_not_change() -> None:
    before = Rules()
    assert before.replace(decks=6) == Rules(decks=6)
    assert before == Rules()
    with pytest.raises(AttributeError):
        before.decks = 6
    with pytest.raises(AttributeError):
        del before.decks
    with pytest.raises(AttributeError):
        before.no_such_rule = 6  # type: ignore[attr-defined]
    assert before == Rules() != "rules"
    with pytest.raises(RulesError, match="mapping"):
        Rules.from_dict(None)  # type: ignore[arg-type]
