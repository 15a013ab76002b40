"""What a bet sees of its cards: what it does not see need not be said, and does not change what is counted."""

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from odds.errors import ShoeError
from odds.game.cards import RANK_SYMBOLS, Card
from odds.game.shoe import Shoe
from odds.results.side_bets import sidebet
from odds.sidebets import SuitedShoe, load_side_bet, side_bets
from odds.sidebets.count import count, seen_by
from odds.sidebets.free_bets import USUAL
from odds.sidebets.paytable import CATALOGUE, Paytable


def paytables() -> Iterator[tuple[str, Paytable]]:
    for name in side_bets():
        for paytable in load_side_bet(name).paytables:
            yield f"{name}:{paytable.name}", paytable


def blind() -> list[Paytable]:
    return [table for name, table in paytables() if seen_by(table) != "suits"]


def test_what_is_seen_is_what_changes_the_count() -> None:
    """Taking out one card instead of another that the bet cannot tell from it changes nothing."""
    full = SuitedShoe.of_decks(1)
    for name, paytable in paytables():
        if paytable.plays_on:
            continue
        suits = {count(paytable, full.without(f"5{a},6{b}"), USUAL).lines for a, b in product("cdhs", "cdhs")}
        queens = {count(paytable, full.without(f"Q{a},{t}{b}"), USUAL).lines for t in "QK" for a, b in ("cd", "hs")}
        assert (len(suits) > 1) <= (seen_by(paytable) == "suits"), name
        assert (len(queens) > 1) <= (seen_by(paytable) != "values"), name


@pytest.mark.parametrize(
    ("cards", "when", "seen"),
    [
        ("dealer-hand", "{ busts = true, each = ['8', '9'] }", "values"),
        ("dealer-hand", "{ each = ['T', 'J', 'Q', 'K', '6'], cards_in_hand = 3 }", "values"),
        ("dealer-hand", "{ of_a_kind = 2, cards_in_hand = 2 }", "ranks"),
        ("dealer-hand", "{ of = 'upcard', each = 'Q' }", "ranks"),
        ("dealer-hand", "{ total = 22, same = 'colour' }", "suits"),
        ("player+dealer-hand", "{ all = [{ of = 'player', some = '5d' }, { of = 'dealer', busts = true }] }", "suits"),
        (
            "player-three+dealer",
            "{ all = [{ of = 'player', each = '7' }, { of = 'dealer', blackjack = true }] }",
            "values",
        ),
        (
            "player-three+dealer",
            "{ all = [{ of = 'player', some = 'Q' }, { of = 'dealer', blackjack = true }] }",
            "ranks",
        ),
    ],
)
def test_what_is_seen_of_whole_hands(cards: str, when: str, seen: str) -> None:
    text = f'cards = "{cards}"\n[[lines]]\nname = "It"\npays = 1\nwhen = {when}\n'
    paytable = CATALOGUE.parse(f'name = "mine"\ntitle = "Mine"\n{text}', "mine.toml").paytable()
    assert seen_by(paytable) == seen
    full = SuitedShoe.of_decks(2)
    suits = {count(paytable, full.without(f"5{suit},6{suit}"), USUAL).lines for suit in "cdhs"}
    tens = {count(paytable, full.without(gone), USUAL).lines for gone in ("Tc,Td", "Tc,Qd", "Qc,Qd")}
    assert (len(suits) == 1) or seen == "suits"
    assert (len(tens) > 1) == (seen == "ranks")


@settings(max_examples=50)
@given(st.sampled_from(blind()), st.lists(st.sampled_from(RANK_SYMBOLS), max_size=8), st.integers(0, 10**6))
def test_cards_without_suits(paytable: Paytable, ranks: list[str], choice: int) -> None:
    """For a bet that sees no suits the shoe without some cards is counted as if any suits had been named."""
    seen, suits = seen_by(paytable), ("cdhs"[(choice >> 2 * place) % 4] for place in range(len(ranks)))
    shoe = SuitedShoe.of_decks(2)
    try:
        named = shoe.without([Card(rank, suit) for rank, suit in zip(ranks, suits, strict=True)])
    except ShoeError:  # more than two of one kind
        return
    unnamed = shoe.without([Card(rank) for rank in ranks], seen)
    assert count(paytable, unnamed, USUAL) == count(paytable, named, USUAL)
    left = dict(zip(map(Card, RANK_SYMBOLS), (8 - ranks.count(rank) for rank in RANK_SYMBOLS), strict=True))
    assert count(paytable, SuitedShoe.of_cards(left, seen), USUAL) == count(paytable, named, USUAL)


def test_tens_of_any_rank_where_only_values_are_seen() -> None:
    many = sidebet("over-13", shoe=Shoe.of_decks(1).without("10xT"))
    assert many.exact_ev == sidebet("over-13", shoe=SuitedShoe.of_decks(1).without("10xT", "values")).exact_ev
    left = SuitedShoe.of_cards("4xA,4x2,4x3,4x4,4x5,4x6,4x7,4x8,4x9,6xT", "values")
    assert many.exact_ev == sidebet("over-13", shoe=left).exact_ev
    assert many.exact_ev == sidebet("over-13", shoe=SuitedShoe.of_decks(1).without("4xT,4xJ,2xQ", "ranks")).exact_ev
    pairs = load_side_bet("any-pair").paytable("15")
    with pytest.raises(ShoeError, match="the ranks of its cards"):
        sidebet("any-pair", paytable=pairs, shoe=Shoe.of_decks(1).without("T"))
    assert sidebet("any-pair", paytable=pairs, shoe=Shoe.of_decks(1).without("5,K")).exact_ev
    with pytest.raises(ShoeError, match="the suits of its cards"):
        sidebet("perfect-pairs", shoe=Shoe.of_decks(1).without("5"))


def test_suits_are_still_asked_for_where_they_are_named() -> None:
    shoe = SuitedShoe.of_decks(1)
    assert shoe.without("Ac,A,A,A", "ranks").counts[:4] == (0, 0, 0, 0)
    with pytest.raises(ShoeError, match="cannot take 2 Ac out of a shoe with 1"):
        shoe.without("A,2xAc", "ranks")
    with pytest.raises(ShoeError, match="cannot take 5 A out of a shoe with 4"):
        shoe.without("5xA", "ranks")
