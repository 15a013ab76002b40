"""The deck as data: every full shoe is made from one, also from a deck that lacks ranks."""

import pytest

from odds.game.deck import KINDS, STANDARD, Deck, by_rank, by_value, kind_name
from odds.game.rules import Rules
from odds.game.shoe import MAX_CARDS, Shoe
from odds.sidebets import SuitedShoe, sidebet

WITHOUT_TEN_SPOTS = Deck(tuple(int(kind_name(kind)[0] != "T") for kind in range(KINDS)))


def test_the_standard_deck() -> None:
    assert STANDARD.total == len(STANDARD.counts) == 52
    assert by_rank(STANDARD.counts) == (4,) * 13
    assert by_value(STANDARD.counts) == (4,) * 9 + (16,)
    assert MAX_CARDS == 5_200_000


def test_a_deck_may_lack_a_rank() -> None:
    assert WITHOUT_TEN_SPOTS.total == 48
    shoe = Shoe.of_decks(6, WITHOUT_TEN_SPOTS)
    assert shoe == Shoe.of_counts([24] * 9 + [0, 24, 24, 24])
    assert str(shoe).startswith("288 cards: A:24 ")
    suited = SuitedShoe.of_decks(6, WITHOUT_TEN_SPOTS)
    assert suited == SuitedShoe.of_shoe(shoe, WITHOUT_TEN_SPOTS)
    assert suited == SuitedShoe.of_decks(6).without(f"{'Tc' * 6}{'Td' * 6}{'Th' * 6}{'Ts' * 6}")
    assert suited.by_value == shoe.counts
    # Two cards of one rank and suit: 5 of the 287 others; of one rank, 18 more.
    pairs = sidebet("perfect-pairs", shoe=suited)
    assert [round(float(line.probability) * 287) for line in pairs.lines[:3]] == [5, 6, 12]


def test_how_many_decks_some_cards_are() -> None:
    assert STANDARD.number_in((3,) * KINDS) == 3
    assert STANDARD.number_in((3,) * (KINDS - 1) + (4,)) is None
    assert STANDARD.number_in((0,) * KINDS) is None
    assert WITHOUT_TEN_SPOTS.number_in((1,) * KINDS) is None
    assert SuitedShoe.of_decks(6, WITHOUT_TEN_SPOTS).decks is None


@pytest.mark.parametrize("decks", [1, 6, 8])
def test_rules_have_a_full_shoe_of_their_deck(decks: int) -> None:
    rules = Rules(decks=decks)
    assert rules.deck is STANDARD
    assert rules.shoe() == Shoe.of_decks(decks)
