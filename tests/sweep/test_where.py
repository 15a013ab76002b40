"""Conditions on combinations of rules."""

from __future__ import annotations

import pytest

from odds import OddsError, Rules
from odds.game.fields import FIELDS
from odds.sweep.where import read_condition

RULES = Rules(decks="infinite", max_hands=2, resplit_aces=True, blackjack_pays="6:5", double_on="9-11")
VALUES = {name: getattr(RULES, name) for name in FIELDS} | {"shoe": None}


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("not resplit_aces or max_hands > 2", False),
        ("decks >= 6 and surrender == none", True),
        ("decks == infinite", True),
        ("decks == 'infinite' and decks > 100000", True),
        ("charlie is None", True),
        ("charlie == none", True),
        ("blackjack_pays == '6:5'", True),
        ("blackjack_pays in ['3/2', 6/5]", True),
        ("blackjack_pays < 3/2", True),
        ("2 <= max_hands <= 4", True),
        ("2 < max_hands <= 4", False),
        ("hole_card not in ('peek', 'none')", False),
        ("hole_card == exposed or hole_card == peek", True),
        ("double_on == '9,10,11'", True),
        ("dealer_hits_soft_17 == false", True),
        ("dealer_wins_ties", False),
        ("shoe is None", True),
        ("double_multiples == 2", True),
    ],
)
def test_conditions(text: str, holds: bool) -> None:
    condition = read_condition(text)
    assert condition is not None
    assert condition.holds(VALUES) is holds


def test_several_hold_together() -> None:
    assert read_condition([]) is None
    both = read_condition(["max_hands > 1", "decks > 8"])
    assert both is not None
    assert both.fields == {"max_hands", "decks"}
    assert both.holds(VALUES)
    assert not both.holds({**VALUES, "decks": 8})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("max_hand > 2", "unknown field 'max_hand'; did you mean 'max_hands'?"),
        ("foo > 2", "see odds rules"),
        ("surrender == lte", "unknown field 'lte'"),
        ("decks > 'x'", "decks has no value 'x'"),
        ("max_hands >", "invalid syntax"),
        ("", "expected a condition"),
        ("1 < 2", "no field"),
        ("charlie > 5", "charlie=None"),
        ("max_hands + 1 > 2", "cannot read 'max_hands + 1'"),
        ("max_hands.real > 2", "cannot read 'max_hands.real'"),
        ("__import__('os').getcwd() == '/'", "cannot read"),
        ("[decks for x in decks]", "cannot read"),
        ("(lambda: decks)()", "cannot read"),
        ("decks > 1/0", "cannot read '1/0'"),
        ("f'{decks}' == '1'", "cannot read"),
        ("(" * 2000 + "decks" + ")" * 2000, "cannot read"),
    ],
)
def test_what_is_no_condition_is_refused(text: str, says: str) -> None:
    def look() -> None:
        condition = read_condition(text)
        assert condition is not None
        condition.holds(VALUES)

    with pytest.raises(OddsError, match="where: ") as raised:
        look()
    assert says in str(raised.value)
