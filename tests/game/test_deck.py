"""The deck as data: every full shoe is made from one, also from a deck that lacks ranks."""

import pytest

from odds.errors import ShoeError
from odds.game.cards import count_cards
from odds.game.deck import KINDS, STANDARD, Deck, by_rank, by_value, kind_name, whole_decks
from odds.game.rules import Rules
from odds.game.shoe import MAX_CARDS, Shoe
from odds.results.side_bets import sidebet
from odds.sidebets import SuitedShoe

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
    assert str(shoe) == "6 decks without 10 (288 cards)"
    assert str(shoe.without("10")).startswith("287 cards: A:24 ")
    assert STANDARD.without("T") == WITHOUT_TEN_SPOTS
    assert (WITHOUT_TEN_SPOTS.lacks, STANDARD.lacks) == ("T", "")
    suited = SuitedShoe.of_decks(6, WITHOUT_TEN_SPOTS)
    assert suited == SuitedShoe.of_shoe(shoe, WITHOUT_TEN_SPOTS)
    assert suited == SuitedShoe.of_decks(6).without(f"{'Tc' * 6}{'Td' * 6}{'Th' * 6}{'Ts' * 6}")
    assert suited.by_value == shoe.counts
    # Two cards of one rank and suit: 5 of the 287 others; of one rank, 18 more.
    pairs = sidebet("perfect-pairs", shoe=suited)
    assert [round(float(line.probability) * 287) for line in pairs.lines[:3]] == [5, 6, 12]


def test_how_many_decks_some_cards_are() -> None:
    assert whole_decks((12,) * 13) == (3, STANDARD)
    assert whole_decks((24,) * 9 + (0, 24, 24, 24)) == (6, WITHOUT_TEN_SPOTS)
    for other in ((12,) * 12 + (16,), (13,) * 13, (0,) * 13, (4,) + (0,) * 12, (2,) * 13):
        assert whole_decks(other) is None
    suited = SuitedShoe.of_decks(6, WITHOUT_TEN_SPOTS)
    assert (suited.decks, str(suited)) == (6, "6 decks without 10 (288 cards)")
    assert eval(repr(suited)) == suited
    assert eval(repr(SuitedShoe.of_decks(6))) == SuitedShoe.of_decks(6)
    assert suited.without("Ah").decks is None
    # As many aces as in six decks, but not as many of each suit.
    assert SuitedShoe((23, 25, *suited.counts[2:])).decks is None


@pytest.mark.parametrize(
    ("ranks", "cards", "found"),
    [
        ("T", "2xT,A", ""),
        ("T", "T,K", "no ten-spots in the deck, got T"),
        ("T", "Th", "no ten-spots, got Th"),
        ("TJQK", "A,T", "no kings, got T"),
        ("9T", "A,9", "no nines and no ten-spots, got 9"),
        ("TJ", "A,T", ""),
        ("TJ", "A,J", "no jacks, got J"),
    ],
)
def test_cards_that_a_deck_lacks(ranks: str, cards: str, found: str) -> None:
    deck = STANDARD.without(ranks)
    if not found:
        deck.check(count_cards(cards))
        return
    with pytest.raises(ShoeError, match=found.replace(" in the deck", "")):
        deck.check(count_cards(cards))


@pytest.mark.parametrize("decks", [1, 6, 8])
def test_rules_have_a_full_shoe_of_their_deck(decks: int) -> None:
    rules = Rules(decks=decks)
    assert rules.deck is STANDARD
    assert rules.shoe() == Shoe.of_decks(decks)
    spanish = rules.replace(removed_ranks="10")
    assert spanish.deck == WITHOUT_TEN_SPOTS
    assert spanish.shoe().ten_ranks == (0, 4 * decks, 4 * decks, 4 * decks)
