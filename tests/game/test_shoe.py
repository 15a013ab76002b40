from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import small_shoes

from odds.errors import HandError, ShoeError
from odds.game.cards import Card
from odds.game.shoe import Shoe

EIGHT_DECKS = Shoe.of_decks(8)


def test_full_decks() -> None:
    assert EIGHT_DECKS.counts == (32, 32, 32, 32, 32, 32, 32, 32, 32, 128)
    assert EIGHT_DECKS.ten_ranks == (32, 32, 32, 32)
    assert EIGHT_DECKS.total == 416
    assert Shoe.of_decks(100_000).total == 5_200_000


@pytest.mark.parametrize("decks", [0, -1, 100_001, 1.0, "abc", None, True])
def test_impossible_numbers_of_decks(decks: Any) -> None:
    with pytest.raises(ShoeError, match="decks"):
        Shoe.of_decks(decks)


def test_ten_counts_leave_the_ranks_of_tens_unknown() -> None:
    shoe = Shoe.of_counts([0, 4, 4, 2, 0, 0, 2, 0, 0, 7])
    assert shoe.total == 19
    assert shoe.ten_ranks is None
    assert shoe.count("T") == 7
    with pytest.raises(ShoeError, match="does not say how many of its 7 ten-valued cards are K"):
        shoe.count("K")
    assert shoe.without("K,T,10").counts[9] == 4


def test_thirteen_counts_know_them() -> None:
    shoe = Shoe.of_counts([1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4])
    assert shoe.counts == (1, 0, 0, 0, 0, 0, 0, 0, 0, 10)
    assert shoe.ten_ranks == (1, 2, 3, 4)
    assert shoe.count("K") == 4


def test_a_mapping_knows_them_if_it_names_one() -> None:
    assert Shoe.of_counts({"A": 4, "10": 16}).ten_ranks is None
    assert Shoe.of_counts({"A": 4, "T": 16}).counts == (4, 0, 0, 0, 0, 0, 0, 0, 0, 16)
    assert Shoe.of_counts({"a": 4, "T": 16, "k": 2}).ten_ranks == (16, 0, 0, 2)


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([0] * 10, "empty"),
        ({}, "empty"),
        ([1] * 9, "got 9"),
        ([], "got 0"),
        ("8", "mapping"),
        (7, "mapping"),
        ([-1, *[4] * 9], "A: .* got -1"),
        ({"T": -3, "K": 5}, "T: .* got -3"),
        ([1.5] * 10, "A: .* got 1.5"),
        ([True] * 10, "A: .* got True"),
        ({"A": "4"}, "A: .* got '4'"),
        ({"X": 4}, "got 'X'"),
        ({1: 4}, "got 1"),
        ({"T": 4, "10": 4}, "T is given twice"),
        ([10**7] * 10, "100,000 decks"),
    ],
)
def test_impossible_counts(counts: Any, message: str) -> None:
    with pytest.raises(ShoeError, match=message):
        Shoe.of_counts(counts)


def test_taking_cards_out() -> None:
    assert EIGHT_DECKS.without("8,8,T").counts == (32, 32, 32, 32, 32, 32, 32, 30, 32, 127)
    assert EIGHT_DECKS.without([0, 9]).counts == (31, 32, 32, 32, 32, 32, 32, 32, 32, 127)
    assert EIGHT_DECKS.without([Card("Q", "h"), Card("2")]).ten_ranks == (32, 32, 31, 32)
    assert EIGHT_DECKS.without("") == EIGHT_DECKS


def test_a_king_is_a_king_and_a_ten_is_any_ten() -> None:
    king = EIGHT_DECKS.without("K")
    assert (king.ten_ranks, king.unspecified_tens_gone) == ((32, 32, 32, 31), 0)
    any_ten = EIGHT_DECKS.without("T")
    assert (any_ten.ten_ranks, any_ten.unspecified_tens_gone) == ((32, 32, 32, 32), 1)
    assert king.counts == any_ten.counts


def test_no_more_of_a_rank_than_there_are_tens_left() -> None:
    last = Shoe.of_counts({"K": 1, "Q": 1}).without("T")
    assert last.count("K") == last.count("Q") == 1
    assert last.without("K").total == 0
    with pytest.raises(ShoeError, match="cannot take 2 ten-valued cards out of a shoe with 1"):
        last.without("K,Q")


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ("A" * 33, "cannot take 33 aces out of a shoe with 32"),
        ([9] * 129, "cannot take 129 ten-valued cards out of a shoe with 128"),
        ("K" * 33, "cannot take 33 kings out of a shoe with 32"),
        ([10], "got 10"),
        ([-1], "got -1"),
        ([1.0], "got 1.0"),
        (["A"], "got 'A'"),
    ],
)
def test_cards_that_are_not_there(cards: Any, message: str) -> None:
    with pytest.raises(ShoeError, match=message):
        EIGHT_DECKS.without(cards)


def test_one_missing_card() -> None:
    with pytest.raises(ShoeError, match="cannot take 1 six out of a shoe with none"):
        Shoe.of_counts({"A": 1}).without("6")


def test_unreadable_cards() -> None:
    with pytest.raises(HandError, match="'x'"):
        EIGHT_DECKS.without("x")


@pytest.mark.parametrize(
    "arguments",
    [
        ((1,) * 9,),
        ((1,) * 9 + (-1,),),
        ((1,) * 9 + (1.0,),),
        ((1,) * 10, (1, 1, 0, 0)),
        ((1,) * 10, (2, 0, -1, 0)),
        ((1,) * 10, (1, 0, 0)),
        ((1,) * 10, (2, 0, 0, 0), 2),
    ],
)
def test_inconsistent_shoes(arguments: tuple[Any, ...]) -> None:
    with pytest.raises(ShoeError):
        Shoe(*arguments)


def test_texts() -> None:
    assert str(EIGHT_DECKS) == "8 decks (416 cards)"
    assert str(Shoe.of_decks(1)) == "1 deck (52 cards)"
    assert str(Shoe.of_counts({"A": 1})) == "1 card: A:1"
    assert str(Shoe.of_counts({"2": 3, "K": 1}).without("T")) == "3 cards: 2:3 (tens T:0 J:0 Q:0 K:1 less any 1)"


@given(small_shoes(ten_ranks=True), st.integers(0, 3))
def test_repr_makes_the_same_shoe(shoe: Shoe, gone: int) -> None:
    shoe = shoe.without([9] * min(gone, shoe.counts[9]))
    assert eval(repr(shoe)) == shoe


@given(small_shoes(), st.data())
def test_the_order_of_taking_does_not_matter(shoe: Shoe, data: st.DataObject) -> None:
    cards = [value for value, count in enumerate(shoe.counts) for _ in range(count)]
    taken = data.draw(st.lists(st.sampled_from(range(len(cards))), unique=True, max_size=6))
    values = [cards[index] for index in taken]
    one_by_one = shoe
    for value in reversed(values):
        one_by_one = one_by_one.without([value])
    assert one_by_one == shoe.without(values)
    assert one_by_one.total == shoe.total - len(values)
