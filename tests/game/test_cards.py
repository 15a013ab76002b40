from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import hand_values

from odds.errors import HandError
from odds.game.cards import (
    RANK_SYMBOLS,
    RANKS,
    SUITS,
    Card,
    count_cards,
    format_counts,
    format_values,
    hand_total,
    parse_cards,
    write_cards,
)


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("8,8", ["8", "8"]),
        ("A7", ["A", "7"]),
        ("Qh Qh", ["Qh", "Qh"]),
        ("QhQh", ["Qh", "Qh"]),
        ("T,4,2", ["T", "4", "2"]),
        ("10,4", ["T", "4"]),
        ("104", ["T", "4"]),
        ("4 10", ["4", "T"]),
        ("a,t", ["A", "T"]),
        ("A♠ K♥", ["As", "Kh"]),
        ("10♦;j♣", ["Td", "Jc"]),
        ("9♥️", ["9h"]),
        ("AD", ["Ad"]),
        (" 2 ,  3;4 ", ["2", "3", "4"]),
        ("", []),
        ("  ", []),
    ],
)
def test_readable_texts(text: str, cards: list[str]) -> None:
    assert [str(card) for card in parse_cards(text)] == cards


@pytest.mark.parametrize(
    ("text", "part", "position"),
    [
        ("x", "x", 1),
        ("8,x9", "x9", 3),
        ("A 1 2", "1", 3),
        ("8,,8", ",", 3),
        (",8", ",", 1),
        ("8h,8z", "z", 5),
        ("hh", "hh", 1),
        ("0", "0", 1),
        ("-8", "-8", 1),
        ("８", "８", 1),
    ],
)
def test_unreadable_texts_name_the_part_and_its_place(text: str, part: str, position: int) -> None:
    with pytest.raises(HandError) as caught:
        parse_cards(text)
    assert f"{part!r} at position {position} of {text!r}" in str(caught.value)
    assert "2 to 9, T or 10" in str(caught.value)


def test_a_separator_at_the_end_may_be_a_lost_card() -> None:
    with pytest.raises(HandError, match="after the last separator of '8,'"):
        parse_cards("8,")


@given(st.text(max_size=12))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        cards = parse_cards(text)
    except HandError:
        return
    assert all(card.symbol in RANK_SYMBOLS for card in cards)


@given(st.lists(st.builds(Card, st.sampled_from(RANK_SYMBOLS), st.sampled_from([None, *"cdhs"]))))
def test_cards_read_back(cards: list[Card]) -> None:
    for separator in (",", " ", "; ", ""):
        assert parse_cards(separator.join(map(str, cards))) == tuple(cards)


def test_values_follow_the_order_of_ranks() -> None:
    assert RANKS == "A23456789T"
    assert [Card(symbol).value for symbol in "A29TJQK"] == [0, 1, 8, 9, 9, 9, 9]


@pytest.mark.parametrize(("symbol", "suit"), [("1", None), ("10", None), ("a", None), ("A", "x"), ("A", "")])
def test_impossible_cards(symbol: str, suit: str | None) -> None:
    with pytest.raises(HandError, match="expected a"):
        Card(symbol, suit)


@pytest.mark.parametrize(
    ("hand", "total", "soft"),
    [
        ("", 0, False),
        ("8,8", 16, False),
        ("A,7", 18, True),
        ("A,7,8", 16, False),
        ("A,A", 12, True),
        ("A,A,9", 21, True),
        ("A,A,T", 12, False),
        ("A,K", 21, True),
        ("T,Q,5", 25, False),
        ("A,6,T,4", 21, False),
    ],
)
def test_totals(hand: str, total: int, soft: bool) -> None:
    assert hand_total(card.value for card in parse_cards(hand)) == (total, soft)


@given(hand_values)
def test_a_soft_total_is_at_most_21_and_ten_more_than_the_hard_one(values: list[int]) -> None:
    total, soft = hand_total(values)
    hard = sum(value + 1 for value in values)
    assert total == hard + 10 * soft
    assert not soft or (0 in values and total <= 21)
    assert soft or 0 not in values or hard + 10 > 21


def test_hands_as_text_are_in_rank_order() -> None:
    assert format_values([9, 0, 3]) == "A,4,T"
    assert format_values([]) == ""
    assert format_counts([0, 2, 0, 0, 0, 0, 0, 0, 0, 1]) == "2,2,T"


@given(hand_values)
def test_both_forms_of_a_hand_have_one_text(values: list[int]) -> None:
    counts = [values.count(value) for value in range(10)]
    assert format_counts(counts) == format_values(values)
    assert [card.value for card in parse_cards(format_values(values))] == sorted(values)


def test_counted_cards() -> None:
    assert [str(card) for card in parse_cards("4x4,5 2×qh 8 X t")] == ["4"] * 4 + ["5", "Qh", "Qh"] + ["T"] * 8
    assert parse_cards("10x4") == parse_cards("4,4,4,4,4 5x4")
    assert write_cards(count_cards("5,4,5,4,As,0x6")) == "2x5,2x4,As"
    for text in ("x4", "4x", "4xx4", "-1x4", "1.5x4", "4*5", "123456789x4"):
        with pytest.raises(HandError):
            parse_cards(text)


@given(st.lists(st.tuples(st.sampled_from(RANK_SYMBOLS), st.sampled_from(["", *SUITS])), max_size=12))
def test_counted_cards_are_read_as_they_are_written(cards: list[tuple[str, str]]) -> None:
    given_cards = Counter(Card(rank, suit or None) for rank, suit in cards)
    assert count_cards(write_cards(given_cards)) == given_cards == Counter(parse_cards(write_cards(given_cards)))
