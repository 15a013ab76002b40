"""Side bets: the vocabulary, the files, shoes with cards gone, formulas, and pays for a return."""

import importlib
import re
import time
from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise, permutations
from math import comb, perm
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from odds import Rules, Shoe, load_game
from odds.errors import OddsError, PaytableError, RulesError, ShoeError
from odds.game.cards import RANK_SYMBOLS, SUITS
from odds.game.deck import kind_name
from odds.results.side_bets import sidebet
from odds.sidebets import SideBet, SuitedShoe, load_side_bet, side_bets, solve, symbolic
from odds.sidebets.conditions import LAYOUTS, TESTS, ConditionReader
from odds.sidebets.paytable import CATALOGUE, Line, Paytable
from odds.sidebets.results import rules_without_game, table_of
from odds.sidebets.solve import read_rtp

FORMATS = Path(__file__).parents[2] / "docs" / "formats.md"
EVERY = [(bet, paytable.name) for bet in side_bets() for paytable in load_side_bet(bet).paytables]
# Those that need no play of a round.
DEALT = [(bet, paytable) for bet, paytable in EVERY if load_side_bet(bet).paytable(paytable).cards != "round"]


def bet_of(lines: str, cards: str = "player+upcard", more: str = "") -> SideBet:
    return CATALOGUE.parse(f'name = "mine"\ntitle = "Mine"\ncards = "{cards}"\n{more}\n{lines}', "mine.toml")


def one_line(when: str, cards: str = "player+upcard", pays: str = "1") -> SideBet:
    return bet_of(f'[[lines]]\nname = "It"\npays = {pays}\nwhen = {when}\n', cards)


def refused(text: str) -> str:
    with pytest.raises(PaytableError) as caught:
        CATALOGUE.parse(text, "mine.toml")
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith("mine.toml: ")
    return message.removeprefix("mine.toml: ")


# ------------------------------------------------------------------------------------------------------ vocabulary


def total(ranks: list[int]) -> tuple[int, int, bool]:
    """The total, that with every ace as one, and whether an ace counts as 11."""
    low = sum(min(rank + 1, 10) for rank in ranks)
    soft = 0 in ranks and low + 10 <= 21
    return low + 10 * soft, low, soft


def holds(data: dict[str, Any], deal: dict[str, str]) -> bool:
    """Whether a condition holds for one deal, read in the plainest way from its TOML."""
    sides = {"player": ("first", "second", "third"), "dealer": ("upcard", "hole", "drawn")}

    def named(asked: str | list[str]) -> list[str]:
        items = [asked] if isinstance(asked, str) else asked
        return [place for item in items for place in sides.get(item, (item,))]

    compared = [place for name in ("between", "above") if name in data for place in named(data[name])]
    wanted = named(data.get("of", [place for place in deal if place not in compared]))
    cards = [card for place, card in deal.items() if place in wanted]
    ranks = [RANK_SYMBOLS.index(card[0]) for card in cards]
    best, low, soft = total(ranks)

    def fits(wish: str) -> list[str]:
        return [card for card in cards if card.startswith(wish)]

    aces = {"low": (0,), "high": (13,), "either": (0, 13)}[data.get("ace", "either")]

    def numbers(ace: int, places: list[str]) -> list[int]:
        found = [RANK_SYMBOLS.index(card[0]) for place, card in deal.items() if place in places]
        return sorted(ace if rank == 0 else rank for rank in found)

    def in_order(ace: int) -> bool:
        return all(b - a == 1 for a, b in pairwise(numbers(ace, wanted)))

    def gap(ace: int) -> int:
        low, high = numbers(ace, wanted)
        return high - low - 1

    features = {
        "rank": [card[0] for card in cards],
        "suit": [card[1] for card in cards],
        "colour": [card[1] in "dh" for card in cards],
        "value": [min(rank, 9) for rank in ranks],
    }
    answers = {
        "same": lambda value: all(len(set(features[feature])) == 1 for feature in value),
        "of_a_kind": lambda value: max(Counter(features["rank"]).values()) >= value,
        "straight": lambda value: any(map(in_order, aces)) == value,
        "gap": lambda value: any(gap(ace) in value for ace in aces),
        "between": lambda value: any(
            set(numbers(ace, wanted)) <= set(range(low + 1, high))
            for ace in aces
            for low, high in [numbers(ace, named(value))]
        ),
        "above": lambda value: any(numbers(ace, wanted)[0] > numbers(ace, named(value))[-1] for ace in aces),
        "total": lambda value: best in value,
        "low_total": lambda value: low in value,
        "soft": lambda value: soft == value,
        "busts": lambda value: (best > 21) == value,
        "blackjack": lambda value: (len(cards) == 2 and best == 21) == value,
        "cards": lambda value: any(
            all(card.startswith(wish) for card, wish in zip(cards, order, strict=True)) for order in permutations(value)
        ),
        "each": lambda value: set(cards) <= {card for wish in value for card in fits(wish)},
        "some": lambda value: any(fits(wish) for wish in value),
        "suits": lambda value: all(card[1] in value for card in cards),
        "all": lambda value: all(holds(part, deal) for part in value),
        "any": lambda value: any(holds(part, deal) for part in value),
        "not": lambda value: not holds(value, deal),
    }
    return all(answers[name](value) for name, value in data.items() if name not in ("of", "ace"))


@st.composite
def one_test(draw: st.DrawFn, cards: str) -> dict[str, Any]:
    """One test, of some of the cards."""
    places = list(LAYOUTS[cards])
    of = draw(st.lists(st.sampled_from(places), min_size=1, unique=True))
    number = len(of)
    some_cards = st.sampled_from([kind_name(kind) for kind in range(52)] + list(RANK_SYMBOLS))
    flags = st.booleans()
    choices: dict[str, st.SearchStrategy[Any]] = {
        "total": st.lists(st.integers(2, 31), min_size=1),
        "low_total": st.lists(st.integers(1, 31), min_size=1),
        "soft": flags,
        "busts": flags,
        "cards": st.lists(some_cards, min_size=number, max_size=number),
        "each": st.lists(some_cards, min_size=1),
        "some": st.lists(some_cards, min_size=1),
        "suits": st.lists(st.sampled_from(SUITS), min_size=1, unique=True),
    }
    if number > 1:
        choices["same"] = st.lists(st.sampled_from(["rank", "suit", "colour", "value"]), min_size=1, unique=True)
        choices["straight"] = flags
        choices["of_a_kind"] = st.integers(2, number)
    if number == 2:
        choices["blackjack"] = flags
        choices["gap"] = st.lists(st.integers(0, 11), min_size=1)
    others = [place for place in places if place not in of]
    if others:
        choices["above"] = st.lists(st.sampled_from(others), min_size=1, unique=True)
    if len(others) > 1:
        choices["between"] = st.permutations(others).map(lambda found: found[:2])
    name = draw(st.sampled_from(sorted(choices)))
    ace = {"ace": draw(st.sampled_from(["low", "high", "either"]))} if TESTS[name].by_order else {}
    return {"of": of, name: draw(choices[name]), **ace}


def conditions(cards: str) -> st.SearchStrategy[dict[str, Any]]:
    def joined(parts: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
        several = st.lists(parts, min_size=1, max_size=3)
        return st.one_of(
            st.builds(lambda value: {"all": value}, several),
            st.builds(lambda value: {"any": value}, several),
            st.builds(lambda value: {"not": value}, parts),
        )

    return st.recursive(one_test(cards), joined, max_leaves=4)


@st.composite
def questions(draw: st.DrawFn) -> tuple[str, list[tuple[int, dict[str, Any]]], list[str]]:
    cards = draw(
        st.sampled_from(["player", "player+upcard", "player-three", "dealer", "dealer-three", "player+dealer"])
    )
    lines = draw(st.lists(st.tuples(st.integers(0, 3), conditions(cards)), min_size=1, max_size=3))
    # Few kinds, so that pairs and repeats are common.
    kinds = draw(st.lists(st.integers(0, 51), min_size=2, max_size=5, unique=True))
    shoe = draw(st.lists(st.sampled_from([kind_name(kind) for kind in kinds]), min_size=4, max_size=7))
    return cards, lines, shoe


@given(questions())
@settings(max_examples=60)
def test_counts_are_those_of_dealing_every_card(
    question: tuple[str, list[tuple[int, dict[str, Any]]], list[str]],
) -> None:
    cards, lines, shoe = question
    reader = ConditionReader(cards, {})
    table = Paytable(
        "one",
        cards,
        tuple(Line(str(n), Fraction(pays), reader.read("when", data)) for n, (pays, data) in enumerate(lines)),
    )
    counted = Counter(dict.fromkeys(range(len(lines) + 1), 0))
    places = LAYOUTS[cards]
    for deal in permutations(shoe, len(places)):
        named = dict(zip(places, deal, strict=True))
        best = [(-pays, n) for n, (pays, data) in enumerate(lines) if holds(data, named)]
        counted[min(best)[1] if best else len(lines)] += 1
    result = table_of(
        SideBet("mine", "Mine", (table,)),
        table,
        SuitedShoe(tuple(shoe.count(kind_name(kind)) for kind in range(52))),
        Rules(),
    )
    everything = perm(len(shoe), len(places))
    assert [line.probability for line in result.lines] == [Fraction(n, everything) for _, n in sorted(counted.items())]


@pytest.mark.parametrize(
    ("when", "cards", "sets"),
    [
        ("{ straight = true }", "player+upcard", 12 * 64),  # twelve runs: A-2-3 up to Q-K-A, not K-A-2
        ("{ straight = true, each = ['A', '2', 'K'] }", "player+upcard", 0),
        ("{ of_a_kind = 2 }", "player+upcard", 13 * (comb(4, 2) * 48 + 4)),
        ("{ same = 'value' }", "player", 9 * 6 + comb(16, 2)),
        ("{ same = ['rank', 'colour'] }", "player", 26),
        ("{ total = 20 }", "player", comb(16, 2) + 16),
        ("{ total = 20, soft = true }", "player", 16),
        ("{ total = 20, soft = false }", "player", comb(16, 2)),
        ("{ total = 12 }", "player", 6 + 4 * 16 + 3 * 16 + 6),  # two aces, 2-T, 3-9 4-8 5-7, 6-6
        ("{ low_total = 2 }", "player", 6),
        ("{ total = '21+' }", "player", 64),
        ("{ total = '5+' }", "player-three+dealer", comb(52, 5)),  # five tens are 50
        ("{ blackjack = true, suits = 'h' }", "player", 4),
        ("{ cards = ['6', '7', '8'] }", "player+upcard", 64),
        ("{ cards = ['Qh', 'Q'] }", "player", 3),
        ("{ some = 'T' }", "player", comb(52, 2) - comb(48, 2)),
        ("{ each = ['K', 'Qh'] }", "player", comb(5, 2)),
        ("{ suits = ['d', 'h'] }", "player", comb(26, 2)),
        ("{ busts = true }", "player+upcard", None),
        ("{ pairs = 1 }", "player-three", 13 * (comb(4, 2) * 48 + 4)),
        ("{ pairs = 2 }", "player-four", comb(13, 2) * 36 + 13),  # four of a kind are two pairs
        ("{ any = [{ cards = ['Qh', 'Qd'] }, { not = { same = 'suit' } }] }", "player", comb(52, 2) - 4 * comb(13, 2)),
        ("{ straight = true, ace = 'low' }", "player", 12 * 16),
        ("{ straight = true, ace = 'high', each = ['A', '2', '3'] }", "player-three", 0),
        ("{ gap = 0, ace = 'either' }", "player", 13 * 16),  # A-2, 2-3, up to Q-K, K-A
        ("{ gap = 0, ace = 'low', same = 'suit' }", "player", 12 * 4),
        ("{ gap = 11, ace = 'either' }", "player", 2 * 16),  # A-K and 2-A
        ("{ gap = '4+', ace = 'high' }", "player", comb(9, 2) * 16),
    ],
)
def test_words_of_the_vocabulary(when: str, cards: str, sets: int | None) -> None:
    bet = one_line(when, cards)
    table = table_of(bet, bet.paytable(), SuitedShoe.of_decks(1), Rules())
    assert table.unit == "combinations"
    if sets is None:
        assert 0 < table.lines[0].combinations < table.total_combinations
    else:
        assert table.lines[0].combinations == sets


@pytest.mark.parametrize(
    ("when", "cards", "orders"),
    [
        # A three alone lies between 2 and 4, two ranks between 2 and 5, up to eleven between 2 and A.
        ("{ between = 'player', ace = 'high' }", "player+upcard", 4**3 * 2 * sum(n * (12 - n) for n in range(12))),
        ("{ of = 'upcard', between = ['first', 'second'], ace = 'low', each = 'A' }", "player+upcard", 0),
        ("{ of = 'second', between = ['first', 'third'], ace = 'either', each = 'A' }", "player-three", 0),
        (
            "{ of = 'dealer', between = 'player', ace = 'low', same = 'rank' }",
            "player+dealer",
            16 * 12 * 2 * comb(13, 3),
        ),
        ("{ of = 'first', above = 'upcard', ace = 'low' }", "player+upcard", comb(13, 2) * 16 * 50),
        ("{ of = 'player', above = 'upcard', ace = 'high', each = 'A' }", "player+upcard", 12 * 48),
    ],
)
def test_the_order_of_ranks(when: str, cards: str, orders: int) -> None:
    bet = one_line(when, cards)
    table = table_of(bet, bet.paytable(), SuitedShoe.of_decks(1), Rules())
    assert table.lines[0].probability == Fraction(orders, perm(52, len(LAYOUTS[cards])))


@pytest.mark.parametrize(
    ("when", "dealt", "played_out"),
    [
        ("{ of = 'upcard', between = 'player', ace = 'high' }", "player+upcard", "player+dealer-hand"),
        ("{ of = 'player', gap = '1+', ace = 'low' }", "player+upcard", "player+dealer-hand"),
        ("{ of = 'first', above = ['second', 'upcard'], ace = 'either' }", "player+upcard", "player+dealer-hand"),
        ("{ of = ['upcard', 'hole'], gap = 0, ace = 'either' }", "dealer", "dealer-hand"),
    ],
)
def test_the_order_of_ranks_beside_a_whole_hand(when: str, dealt: str, played_out: str) -> None:
    """The same cards in a bet that looks at the whole hand besides, which counts in another way."""
    rules = Rules(decks=2)
    both = [sidebet(one_line(when, cards), rules=rules) for cards in (dealt, played_out)]
    assert both[0].lines[0].probability == both[1].lines[0].probability > 0
    bet = one_line(when, played_out)
    assert symbolic(bet, bet.paytable(), rules).at(5) == sidebet(one_line(when, dealt), decks=5).exact_ev


def test_the_highest_paying_line_is_paid_and_of_equals_the_first() -> None:
    lines = """
[[lines]]
name = "Suited"
pays = 2
when = { same = "suit" }
[[lines]]
name = "Pair"
pays = 5
when = { same = "rank" }
[[lines]]
name = "Red"
pays = 2
when = { suits = ["d", "h"] }
"""
    table = sidebet(bet_of(lines, "player"), decks=2)
    assert [line.combinations for line in table.lines[:3]] == [4 * (comb(26, 2) - 13), 13 * comb(8, 2), 26**2 - 13 * 4]
    assert [line.name for line in table.lines] == ["Suited", "Pair", "Red", "All others"]
    assert table.lines[-1].pays == -1


def test_a_push_is_no_hit() -> None:
    table = sidebet(one_line('{ same = "suit" }', "player", pays="0"), decks=1)
    assert table.hit_frequency == 0
    assert table.exact_ev == -Fraction(13, 17)


# ---------------------------------------------------------------------------------------------------- lines never paid


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        ('[[lines]]\nname = "Two"\npays = 3\nwhen = { of = "player", total = 3, same = "rank" }', "Two"),
        (
            '[[lines]]\nname = "Pair"\npays = 9\nwhen = { of = "player", same = "rank" }\n'
            '[[lines]]\nname = "Suited pair"\npays = 8\nwhen = { of = "player", same = ["rank", "suit"] }',
            "Suited pair",
        ),
        (
            '[[lines]]\nname = "Pair"\npays = 9\nwhen = { of = "player", same = "rank" }\n'
            '[[lines]]\nname = "Again"\npays = 9\nwhen = { of = "player", same = ["rank", "suit"] }',
            "Again",
        ),
    ],
)
def test_a_line_that_is_never_paid_is_refused_by_its_name(lines: str, name: str) -> None:
    with pytest.raises(PaytableError, match=f"mine.toml: .*line '{name}' can never be paid"):
        sidebet(bet_of(lines), decks=8)


def test_a_line_that_only_needs_more_decks_is_not_refused() -> None:
    assert sidebet("perfect-pairs", decks=1).line("Perfect pair").combinations == 0
    assert sidebet("21+3", decks=2).line("suited trips").combinations == 0
    assert sidebet("21+3", decks=3).line("suited trips").combinations == 52


# --------------------------------------------------------------------------------------------------------------- tables


def test_the_table_of_a_result() -> None:
    table = sidebet("lucky-ladies", decks=6, paytable="1000-125-19-9-4")
    probability = Fraction(135360, 9294695280)
    assert table.to_rows()[0] == {
        "name": "Queen of hearts pair and dealer blackjack",
        "pays": 1000.0,
        "pays_exact": "1000",
        "combinations": 135360,
        "probability": float(probability),
        "probability_exact": str(probability),
        "return": float(1000 * probability),
        "return_exact": str(1000 * probability),
    }
    data = table.to_dict()
    assert data["exact"] == {"ev": str(table.exact_ev)}
    assert data["lines"][-1]["pays"] == "-1"
    assert sum(line["combinations"] for line in data["lines"]) == data["total_combinations"] == perm(312, 4)
    assert data["rtp"] == pytest.approx(1 - data["house_edge"])
    assert "exact" not in data["lines"][0]
    assert table.to_dict(exact=True)["lines"][0]["exact"]["probability"] == str(probability)


def test_variance_and_hit_frequency() -> None:
    table = sidebet("exactly-13", decks=8)
    won = table.lines[0].probability
    assert table.hit_frequency == float(won)
    assert table.variance == pytest.approx(float(121 * won * (1 - won)))
    assert table.standard_deviation**2 == pytest.approx(table.variance)


def test_payouts_are_read_as_texts_and_numbers() -> None:
    for_one = bet_of('[[lines]]\nname = "It"\npays_for_one = "7:2"\nwhen = { same = "suit" }\n', "player")
    assert for_one.paytable().lines[0].pays == Fraction(5, 2)
    for pays in ("2.5", '"5/2"', '"5:2"', '"2.5"'):
        assert one_line('{ same = "suit" }', pays=pays).paytable().lines[0].pays == Fraction(5, 2)


def test_decks_and_the_dealers_rule_come_from_the_game() -> None:
    game = load_game("face-up-21")
    table = sidebet("buster-blackjack", game="face-up-21")
    assert (table.decks, table.dealer_hits_soft_17) == (game.rules.decks, True)
    assert table == sidebet("buster-blackjack", game=game) == sidebet("buster-blackjack", rules=game.rules)
    assert sidebet("21+3", game=game, decks=2).decks == 2
    assert sidebet("21+3", game=game).dealer_hits_soft_17 is None
    with pytest.raises(RulesError, match="a game or rules"):
        sidebet("21+3", game=game, rules=Rules())


def test_the_side_bets_of_a_game() -> None:
    game = load_game("classic-blackjack")
    found = [sidebet(name, rules=game.rules) for name in game.side_bets]
    assert [table.bet for table in found] == ["lucky-ladies", "21+3"]
    assert [round(100 * table.house_edge, 4) for table in found] == [16.7326, 10.9355]
    with pytest.raises(PaytableError, match="unknown side bet 'house-special'"):
        sidebet("house-special", rules=game.rules)


@pytest.mark.parametrize(("bet", "paytable"), DEALT, ids=lambda name: name)
def test_the_catalogue_is_fast_enough(bet: str, paytable: str) -> None:
    start = time.perf_counter()
    table = sidebet(bet, paytable=paytable, decks=8)
    seconds = time.perf_counter() - start
    assert seconds < (3 if table.paytable.plays_dealer else 1)
    assert sum(line.probability for line in table.lines) == 1
    assert table.paytable.source


# ---------------------------------------------------------------------------------------------------------------- shoes


def test_shoes_with_cards_gone() -> None:
    shoe = SuitedShoe.of_decks(6).without("Qh,Qh")
    table = sidebet("lucky-ladies", shoe=shoe)
    assert table.decks is None
    assert table.line("Queen of hearts pair").probability + table.lines[0].probability == Fraction(4 * 3, 310 * 309)
    assert sidebet("lucky-ladies", shoe=Shoe.of_decks(6)) == sidebet("lucky-ladies", decks=6)
    # A random card less changes nothing on average, whatever is bet on.
    for bet in ("super-sevens", "buster-blackjack", "bust-it"):
        average = sum(sidebet(bet, shoe=SuitedShoe.of_decks(1).without(kind_name(kind))).exact_ev for kind in range(52))
        assert average / 52 == sidebet(bet, decks=1).exact_ev


def test_a_dealers_hand_with_cards_gone_and_the_players_seen() -> None:
    shoe = SuitedShoe.of_decks(1)
    table = sidebet("buster-blackjack", paytable="2000-800-250-50-18-4-2", shoe=shoe)
    average = sum(
        sidebet("buster-blackjack", paytable="2000-800-250-50-18-4-2", shoe=shoe.without(kind_name(kind))).exact_ev
        for kind in range(0, 40, 4)  # suits do not matter; every ten-valued rank is like the ten
        for _ in range(16 if kind == 36 else 4)
    )
    assert average / 52 == table.exact_ev


def test_shoes_that_cannot_be_used() -> None:
    with pytest.raises(ShoeError, match="a suit with each card"):
        SuitedShoe.of_decks(1).without("Q")
    with pytest.raises(ShoeError, match="cannot take 2 Qh out of a shoe with 1"):
        SuitedShoe.of_decks(1).without("Qh Qh")
    with pytest.raises(ShoeError, match="knows the suits of its cards"):
        sidebet("21+3", shoe=Shoe.of_decks(1).without("Q"))
    with pytest.raises(ShoeError, match="52 counts"):
        SuitedShoe((1, 2))
    with pytest.raises(ShoeError, match="Ac: expected a whole number"):
        SuitedShoe((-1,) * 52)
    few = SuitedShoe((1, 1) + (0,) * 50)
    with pytest.raises(ShoeError, match="too few cards"):
        sidebet("21+3", shoe=few)
    with pytest.raises(ShoeError, match="too few cards"):
        sidebet("buster-blackjack", shoe=few)
    with pytest.raises(ShoeError, match="never offered"):
        sidebet("insurance", shoe=SuitedShoe((0,) * 4 + (1,) * 48))
    with pytest.raises(RulesError, match="decks or a shoe"):
        sidebet("21+3", decks=1, shoe=few)
    for decks in (0, -1, 100_001, "abc", "1.5", True):
        with pytest.raises(RulesError, match="decks: expected a whole number from 1 to 100,000"):
            sidebet("21+3", decks=decks)


def test_many_decks() -> None:
    table = sidebet("lucky-ladies", decks=100_000)
    assert table.total_combinations == perm(5_200_000, 4)
    assert table.ev == pytest.approx(float(-Fraction(64073, 456976)), abs=1e-5)


# ------------------------------------------------------------------------------------------------------------- formulas


@pytest.mark.parametrize(("bet", "paytable"), DEALT, ids=lambda name: name)
def test_formulas_are_the_counts(bet: str, paytable: str) -> None:
    chosen = load_side_bet(bet)
    rules = rules_without_game(chosen).replace(dealer_hits_soft_17=True)
    formula = symbolic(chosen, chosen.paytable(paytable), rules)
    assert formula.checked == tuple(range(1, 9))
    for decks in (9, 37):
        assert formula.at(decks) == sidebet(bet, paytable=paytable, decks=decks, rules=rules).exact_ev
    # The EV tends to its limit like 1 / d.
    far = [abs(formula.at(decks) - formula.limit) for decks in (10**6, 2 * 10**6)]
    assert far[0] <= Fraction(1, 10**4)
    assert abs(far[0] - 2 * far[1]) <= Fraction(1, 10**9)
    assert sum(line.limit for line in formula.lines) == 1


def test_formulas_of_known_bets() -> None:
    pairs = load_side_bet("perfect-pairs")
    formula = symbolic(pairs, pairs.paytable(), Rules())
    assert str(formula.ev) == "(d - 25)/(52*d - 1)"
    assert formula.limit == Fraction(1, 52)
    data = formula.to_dict()
    assert data["lines"][0] == {
        "name": "Perfect pair",
        "probability": "(d - 1)/(52*d - 1)",
        "latex": r"\frac{d - 1}{52 d - 1}",
        "limit": "1/52",
    }
    assert data["limit"]["exact"] == {"ev": "1/52"}


def test_formulas_without_sympy(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    bet = load_side_bet("21+3")
    with pytest.raises(PaytableError, match="formulas need sympy, which is not installed: pip install sympy"):
        symbolic(bet, bet.paytable(), Rules())


# ---------------------------------------------------------------------------------------------------- pays for a return


@pytest.mark.parametrize(
    "bet", ["lucky-ladies", "21+3", "buster-blackjack", "insurance", "match-the-dealer", "pot-of-gold"]
)
def test_the_solved_pay_gives_the_return(bet: str) -> None:
    chosen = load_side_bet(bet)
    table = sidebet(bet, decks=6)
    for index, line in enumerate(table.paytable.lines):
        lowest = table_of(chosen, table.paytable.with_pays({index: Fraction(0)}), table.shoe, table.rules).exact_rtp
        target = max(lowest, Fraction(193, 200)) + Fraction(1, 1000)
        found = solve(chosen, table, line.name.upper(), target)
        changed = table.paytable.with_pays({index: found.pays})
        assert table_of(chosen, changed, table.shoe, table.rules).exact_rtp == target
        assert found.below.pays <= found.pays <= found.above.pays <= found.below.pays + 1
        assert found.below.exact_rtp <= target <= found.above.exact_rtp


def test_a_pay_may_change_which_line_is_paid() -> None:
    # Below 5 a suited three of a kind is paid as a flush.
    chosen = load_side_bet("21+3")
    table = sidebet("21+3", decks=8)
    index = table.paytable.line("Suited trips")
    as_flush = table_of(chosen, table.paytable.with_pays({index: Fraction(0)}), table.shoe, table.rules)
    as_trips = table_of(chosen, table.paytable.with_pays({index: Fraction(20)}), table.shoe, table.rules)
    assert as_flush.exact_rtp == as_trips.exact_rtp
    assert solve(chosen, table, "Suited trips", as_trips.exact_rtp).pays in (0, 20)
    more = as_trips.exact_rtp + as_trips.lines[index].probability
    assert solve(chosen, table, "Suited trips", more).pays == 21


def test_no_whole_pay_gives_nothing_back() -> None:
    # Two lines that pay for one, in a ratio of which the part beside a return this low is below 1.
    bet = load_side_bet("blazing-7s")
    found = solve(bet, sidebet(bet, decks=6), ["Two sevens:5", "One seven:3"], Fraction(49, 100))
    assert found.pays < 4
    assert [line.to_dict()["below"] for line in found.lines] == ["4", "2"]
    assert found.below.exact_rtp == found.above.exact_rtp


def test_pays_that_cannot_be_solved() -> None:
    bet = load_side_bet("21+3")
    with pytest.raises(PaytableError, match="unknown line 'flsh'; did you mean 'Flush'"):
        solve(bet, sidebet(bet, decks=8), "flsh", Fraction(1))
    with pytest.raises(PaytableError, match=r"paying 0 gives 0\.596438"):
        solve(bet, sidebet(bet, decks=8), "Flush", Fraction(1, 2))
    with pytest.raises(PaytableError, match="never comes with this shoe"):
        solve(bet, sidebet(bet, decks=1), "Suited trips", Fraction(1))
    with pytest.raises(PaytableError, match="over 1,000,000,000"):
        solve(bet, sidebet(bet, decks=8), "Suited trips", Fraction(10**9))


@pytest.mark.parametrize(
    ("bet", "asked", "ratio"),
    [
        ("21+3", ["Straight", "Flush"], (2, 1)),  # 10 to 1 and 5 to 1
        ("21+3", ["flush:4", "Three of a kind:6"], (2, 3)),
        ("21+3", ["Suited trips:5/2", "Flush:1", "Straight:0.5"], (5, 2, 1)),
        ("perfect-pairs", ["Perfect pair", "Coloured pair", "Mixed pair"], (25, 12, 6)),
        ("buster-blackjack", ["Bust with 5 cards:1", "Bust with 3 or 4 cards:1"], (1, 1)),
    ],
)
def test_lines_that_are_solved_for_together(bet: str, asked: list[str], ratio: tuple[int, ...]) -> None:
    chosen = load_side_bet(bet)
    table = sidebet(bet, decks=6)
    for target in (Fraction(4, 5), Fraction(97, 100), Fraction(21, 20)):
        found = solve(chosen, table, asked, target)
        assert [line.pays / found.lines[0].pays for line in found.lines] == [Fraction(n, ratio[0]) for n in ratio]
        for pays, rtp in (
            ([line.pays for line in found.lines], target),
            ([line.below for line in found.lines], found.below.exact_rtp),
            ([line.above for line in found.lines], found.above.exact_rtp),
        ):
            by_line = {
                table.paytable.line(line.name): Fraction(pay) for line, pay in zip(found.lines, pays, strict=True)
            }
            changed = table_of(chosen, table.paytable.with_pays(by_line), table.shoe, table.rules)
            assert changed.exact_rtp == rtp
        steps = [(line.above - line.below) for line in found.lines]
        assert tuple(steps) in (ratio, (0,) * len(ratio))
        assert found.below.exact_rtp <= target <= found.above.exact_rtp
        assert (found.line, found.pays) == (found.lines[0].name, found.lines[0].pays)
        assert [row["line"] for row in found.to_rows()[::3]] == [line.name for line in found.lines]
    data = found.to_dict()
    assert [line["pays"] for line in data["lines"]] == [str(line.pays) for line in found.lines]
    assert "lines" not in solve(chosen, table, asked[0].split(":")[0], Fraction(97, 100)).to_dict()


def test_a_ratio_for_one() -> None:
    """As the file says it: lines for one keep the ratio of what they hand back, the bet with it."""
    rows = (
        f'[[lines]]\nname = "{total}"\n{key} = {pays}\nwhen = {{ total = {total} }}\n'
        for total, key, pays in ((20, "pays_for_one", 6), (19, "pays_for_one", 3), (18, "pays", 2))
    )
    bet = bet_of("".join(rows), "player")
    table = sidebet(bet, decks=6)
    for target in (Fraction(1), Fraction(3, 2)):
        found = solve(bet, table, ["20", "19"], target)
        assert (found.lines[0].pays + 1) / (found.lines[1].pays + 1) == 2
        assert [line.above - line.below for line in found.lines] == [2, 1]
        both = solve(bet, table, ["20", "18"], target)
        assert (both.lines[0].pays + 1) / both.lines[1].pays == 3
        for solution in (found, both):
            pays = {table.paytable.line(line.name): line.pays for line in solution.lines}
            assert table_of(bet, table.paytable.with_pays(pays), table.shoe, table.rules).exact_rtp == target
    alone = solve(bet, table, "20", Fraction(1)).to_dict()
    assert Fraction(alone["pays_for_one"]) == Fraction(alone["pays"]) + 1
    assert int(alone["below"]["pays_for_one"]) == int(alone["below"]["pays"]) + 1
    with pytest.raises(PaytableError, match="no pay of 0 or more"):
        solve(bet, table, ["20", "19"], Fraction(1, 5))


def test_a_colon_in_the_name_of_a_line() -> None:
    bet = bet_of('[[lines]]\nname = "Pair: 2"\npays = 5\nwhen = { of = "player", same = "rank" }\n')
    table = sidebet(bet, decks=6)
    found = [solve(bet, table, [text], Fraction(1)) for text in ("pair: 2", "Pair: 2:3")]
    assert [solution.line for solution in found] == ["Pair: 2", "Pair: 2"]
    assert found[0].pays == found[1].pays


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (["Flush", "flush"], "line 'Flush' is to be solved for twice"),
        (["Flush:2", "Straight"], "expected a weight behind every line to solve for, as in 'Pair:2', or behind none"),
        (["Flush:x", "Straight:1"], "the weight of line 'Flush': expected a number over 0, such as 4 or 5/2, got 'x'"),
        (["Flush:0", "Straight:1"], "got '0'"),
        (["Flush:1", "Strait:1"], "unknown line 'Strait'; did you mean 'Straight'?"),
        (["Suited trips:1", "Flush:1"], "lines 'Suited trips' and 'Flush': no pay of 0 or more gives an RTP as low"),
    ],
)
def test_lines_that_cannot_be_solved_for_together(asked: list[str], message: str) -> None:
    bet = load_side_bet("21+3")
    with pytest.raises(PaytableError) as caught:
        solve(bet, sidebet(bet, decks=6), asked, Fraction(1, 10))
    assert message in str(caught.value)


def test_a_line_that_pays_nothing_gives_no_ratio() -> None:
    rows = (f'[[lines]]\nname = "{n}"\npays = {n}\nwhen = {{ total = {n + 12} }}\n' for n in (0, 1))
    bet = bet_of("".join(rows), "player")
    with pytest.raises(PaytableError, match="line '0' pays 0, which gives no ratio; put a weight behind every line"):
        solve(bet, sidebet(bet, decks=6), ["0", "1"], Fraction(1))


def test_returns_are_read_as_numbers_and_percentages() -> None:
    assert read_rtp("0.965") == read_rtp("96.5%") == read_rtp(" .965 ") == Fraction(193, 200)
    for text in ("", "abc", "-1", "0", "1e3", "96,5"):
        with pytest.raises(PaytableError, match="target RTP: expected"):
            read_rtp(text)


# ---------------------------------------------------------------------------------------------------------------- files


def test_the_catalogue() -> None:
    assert set(side_bets()) >= {
        "21+3",
        "any-pair",
        "bust-it",
        "buster-blackjack",
        "exactly-13",
        "hot-3",
        "insurance",
        "lucky-ladies",
        "lucky-lucky",
        "match-the-dealer",
        "over-13",
        "perfect-pairs",
        "pot-of-gold",
        "push-22",
        "royal-match",
        "super-match",
        "super-sevens",
        "top-3",
        "under-13",
    }
    names = [name for bet in side_bets() for name in (bet, *load_side_bet(bet).aliases)]
    assert len(set(names)) == len(names)
    assert load_side_bet("lucky-ladies").paytable().name == "1000-200-25-10-4"
    assert load_side_bet("21+3").paytable().name == "100-30-20-10-5"
    assert load_side_bet("Pair_Square").name == "any-pair"
    assert load_side_bet("21+3").paytable("100/40/30/10/5").name == "100-40-30-10-5"


def test_every_bet_is_on_the_page() -> None:
    rows = [row for row in (FORMATS.parent / "side-bets.md").read_text("utf-8").splitlines() if row.startswith("| `")]
    assert sorted(re.findall("`([^`]+)`", " ".join(row.split("|")[1] for row in rows))) == sorted(side_bets())


@pytest.mark.parametrize(("bet", "paytable"), EVERY, ids=lambda name: name)
def test_paytables_are_called_by_their_pays(bet: str, paytable: str) -> None:
    if re.search("[a-z]", paytable):  # standard, or told apart by what they are for
        return
    table = load_side_bet(bet).paytable(paytable)
    # Those with a meter pay for one.
    pays = [line.pays + (table.meter is not None) for line in table.lines if not line.share]
    named = [int(part) for part in paytable.split("-")]
    for pay in pays:  # 5/2 is written 5-2; of lines that add up others, only those are named
        if bet != "match-the-dealer":
            assert {pay.numerator, pay.denominator} <= {*named, 1}


def example() -> SideBet:
    blocks = re.findall(r"```toml\n(.*?)```", FORMATS.read_text(encoding="utf-8"), re.DOTALL)
    return CATALOGUE.parse(next(block for block in blocks if "paytable" in block), "docs/formats.md")


def test_the_example_of_the_documentation() -> None:
    bet = example()
    assert [paytable.name for paytable in bet.paytables] == ["weekdays", "sundays"]
    weekdays = sidebet(bet, decks=2)
    assert weekdays.line("Pair of aces or faces").pays == Fraction(17, 2)
    assert [line.combinations for line in weekdays.lines] == [
        13 * 4 * 3 * 6,
        13 * 4 * 3 * (102 - 6),
        4 * (8 * 7 - 4 * 3) * 102,
        9 * (8 * 7 - 4 * 3) * 102,
        104 * 96 * 102,
    ]
    sundays = sidebet(bet, decks=2, paytable="sundays")
    assert sundays.total_combinations == 96 * 103 * 102


def test_the_documentation_lists_the_vocabulary() -> None:
    text = FORMATS.read_text(encoding="utf-8")
    for name, kind in TESTS.items():
        assert f"| `{name}` | {kind.allowed} | {kind.meaning} | {'yes' if kind.on_hand else 'no'} |" in text
    for name in LAYOUTS:
        assert f"| `{name}` |" in text


HEAD = 'name = "mine"\ntitle = "Mine"\ncards = "player+upcard"\n'
LINE = '[[lines]]\nname = "It"\npays = 1\n'


def with_when(when: str, cards: str = "player+upcard") -> str:
    return HEAD.replace("player+upcard", cards) + LINE + f"when = {when}\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = ", "not valid TOML"),
        ('title = "x"', "name: missing"),
        ('name = "mine"', "title: missing"),
        (HEAD, "lines: expected either"),
        (HEAD + "lines = []", "lines: expected a list of tables, got []"),
        (HEAD + "lines = [1]", "lines[1]: expected a table, got 1"),
        (HEAD + "colour = 1\n" + LINE, "colour: unknown key"),
        (HEAD + "surce = 'x'\n" + LINE, "surce: unknown key; did you mean 'source'?"),
        (HEAD.replace("Mine", " ") + LINE, "title: expected a text, got an empty one"),
        (HEAD.replace('"mine"', '"My Bet"') + LINE, "name: expected lower-case words"),
        (HEAD.replace('"mine"', "3") + LINE, "name: expected a text, got 3"),
        (HEAD.replace("player+upcard", "all") + LINE, "cards: expected one of player, player+upcard"),
        ('name = "mine"\ntitle = "M"\n' + LINE + "when = { same = 'rank' }", "cards: missing; expected one of player"),
        (HEAD + "urls = 'x'\n" + LINE + "when = { soft = true }", "urls: expected a list of texts"),
        (HEAD + LINE, "lines[1].when: missing"),
        (HEAD + LINE.replace("pays = 1", ""), "lines[1].pays: missing"),
        (with_when("{ same = 'rank' }").replace("pays = 1", "pays = -1"), "lines[1].pays: expected a payout from 0"),
        (with_when("{ same = 'rank' }").replace("pays = 1", "pays = 'x'"), "lines[1].pays: expected a payout"),
        (with_when("{ same = 'rank' }").replace("pays = 1", "pays = '1/0'"), "(it divides by zero)"),
        (with_when("{ same = 'rank' }").replace("pays = 1", "pays = true"), "got True"),
        (
            with_when("{ same = 'rank' }").replace("pays = 1", "pays_for_one = '1/2'"),
            "lines[1].pays_for_one: expected a payout from 1 to 1,000,000,000 for one",
        ),
        (with_when("{ same = 'rank' }").replace("pays = 1", "pays = 1e300"), "lines[1].pays: expected a payout"),
        (with_when("{ same = 'rank' }").replace("pays = 1", "pays = nan"), "lines[1].pays: expected a payout"),
        (with_when("{ same = 'rank' }").replace('"It"', '""'), "lines[1].name: expected a text, got an empty one"),
        (with_when("{ same = 'rank' }").replace('"It"', '"all OTHERS"'), "lines[1].name: there is a line 'all OTHERS'"),
        (
            with_when("{ same = 'rank' }") + LINE + "when = { soft = true }",
            "lines[2].name: there is a line 'It' already",
        ),
        (with_when("3"), "lines[1].when: expected a table of tests or the name of a condition, got 3"),
        (with_when("{}"), "lines[1].when: expected at least one test"),
        (with_when("'pair'"), "lines[1].when: there is no condition 'pair'; those of the file are none"),
        (with_when("{ totl = 20 }"), "lines[1].when.totl: unknown test; did you mean 'total'?"),
        (with_when("{ xyz = 1 }"), "lines[1].when.xyz: unknown test; the tests are same, of_a_kind"),
        (with_when("{ same = 'rnk' }"), "lines[1].when.same: expected rank, suit, colour, value"),
        (with_when("{ same = [['rank']] }"), "lines[1].when.same: expected rank, suit"),
        (with_when("{ same = 'rank', of = 'upcard' }"), "(one card alone is looked at)"),
        (with_when("{ total = 20, of = 'hole' }"), "lines[1].when.of: expected one or more of player, dealer, first"),
        (with_when("{ total = 20, of = [] }"), "lines[1].when.of: expected one or more of"),
        (with_when("{ of = 'player' }"), "lines[1].when.of: there is no test beside it"),
        (with_when("{ total = 'x' }"), "lines[1].when.total: expected a whole number, a range"),
        (with_when("{ total = [] }"), "lines[1].when.total: expected a whole number, a range"),
        (with_when("{ total = 99 }"), "(99 is not within 2 to 50)"),
        (with_when("{ total = true }"), "lines[1].when.total: expected a whole number"),
        (with_when("{ soft = 1 }"), "lines[1].when.soft: expected true or false, got 1"),
        (with_when("{ blackjack = true }"), "(3 cards are looked at)"),
        (with_when("{ straight = true, of = 'first' }"), "(one card alone is no straight)"),
        (with_when("{ gap = 1, ace = 'high' }"), "lines[1].when.gap: expected a whole number, a range"),
        (with_when("{ gap = 1, ace = 'high' }"), "(3 cards are looked at)"),
        (with_when("{ gap = 12, of = 'player', ace = 'high' }"), "(12 is not within 0 to 11)"),
        (with_when("{ gap = 1, of = 'player' }"), "lines[1].when.gap: needs ace = 'low', 'high' or 'either' beside it"),
        (
            with_when("{ gap = 1, of = 'player', ace = 1 }"),
            "lines[1].when.ace: expected 'low', 'high' or 'either', got 1",
        ),
        (
            with_when("{ straight = true, ace = 'hi' }"),
            "lines[1].when.ace: expected 'low', 'high' or 'either', got 'hi'",
        ),
        (
            with_when("{ total = 12, ace = 'low' }"),
            "lines[1].when.ace: there is no test of the order of ranks beside it",
        ),
        (with_when("{ of = 'upcard', between = 'first', ace = 'low' }"), "(1 card is named)"),
        (with_when("{ between = ['first', 'x'], ace = 'low' }"), "lines[1].when.between: expected one or more of"),
        (
            with_when("{ of = 'first', between = 'player', ace = 'low' }"),
            "lines[1].when.between: first is compared with",
        ),
        (with_when("{ of = 'upcard', between = 'player' }"), "lines[1].when.between: needs ace = 'low', 'high'"),
        (with_when("{ above = ['player', 'upcard'], ace = 'low' }"), "lines[1].when.above: no card is left to compare"),
        (
            with_when("{ above = 'dealer', of = 'player', ace = 'low' }", "player+dealer-hand"),
            "has no one rank to compare",
        ),
        (with_when("{ between = 'upcard', ace = 'low' }", "dealer-hand"), "cannot look at the dealer's whole hand"),
        (with_when("{ of_a_kind = 4 }"), "(3 cards are looked at)"),
        (with_when("{ of_a_kind = '2' }"), "lines[1].when.of_a_kind: expected a whole number of cards, 2 or more"),
        (with_when("{ cards = ['Q', 'Q'] }"), "(3 cards are looked at, 2 given)"),
        (with_when("{ each = ['Q', 'X'] }"), "('X' is not a card)"),
        (with_when("{ each = ['QK'] }"), "('QK' is not a card)"),
        (with_when("{ each = 7 }"), "(7 is not a card)"),
        (with_when("{ suits = ['red'] }"), "lines[1].when.suits: expected a suit, one of c, d, h, s"),
        (with_when("{ cards_in_hand = 3 }"), "only the dealer's whole hand has a number of cards that varies"),
        (with_when("{ all = [] }"), "lines[1].when.all: expected a list of conditions, got []"),
        (with_when("{ any = [{ soft = true }, { soft = 2 }] }"), "lines[1].when.any[2].soft: expected true or false"),
        (with_when("{ not = { all = [3] } }"), "lines[1].when.not.all[1]: expected a table of tests"),
        (
            with_when("{ gap = 1, ace = 'low' }", "dealer-hand"),
            "gap: cannot look at the dealer's whole hand; what can is same, of_a_kind",
        ),
        (with_when("{ pairs = 2 }"), "(3 cards are looked at)"),
        (with_when("{ pairs = true }"), "lines[1].when.pairs: expected a whole number of pairs"),
        (with_when("{ free_bets = 1 }"), "cards = 'free-bets' goes with the test free_bets, and with no other"),
        (with_when("{ same = 'rank' }", "free-bets"), "cards = 'free-bets' goes with the test free_bets"),
        (with_when("{ of = 'player', free_bets = 1 }", "free-bets"), "a bet on free-bets looks at no card"),
        (with_when("{ free_bets = 'many' }", "free-bets"), "free_bets: expected a whole number, a range"),
        (with_when("{ total = 20 }", "player+dealer-hand"), "total: needs an of beside it"),
        (with_when("{ of = ['first', 'dealer'], same = 'suit' }", "player+dealer-hand"), "same: needs an of beside it"),
        (with_when("{ of = 'drawn', each = 'K' }", "dealer-hand"), "of: expected one or more of dealer, upcard, hole"),
        (
            HEAD + "[conditions]\na = 'b'\nb = { soft = true }\n" + LINE + "when = 'a'",
            "conditions.a: the condition 'b' must be defined further up",
        ),
        (
            HEAD + "[conditions]\na = { soft = true }\n" + LINE + "when = { soft = true }",
            "conditions.a: nothing uses it",
        ),
        (HEAD + "[conditions]\npair = { soft = true }\n" + LINE + "when = 'pairs'", "did you mean 'pair'?"),
        (HEAD + "conditions = 3\n" + LINE + "when = 'a'", "conditions: expected a table"),
        (HEAD + "offered = 3\n" + LINE + "when = { soft = true }", "offered: expected a table of tests"),
        (HEAD + "[[paytables]]\nlines = []", "paytables[1].name: missing"),
        (HEAD + "[[paytables]]\nname = 'a'\nlines = []", "paytables[1].lines: expected a list of tables"),
        (
            HEAD + "[[paytables]]\nname = 'a'\nlines = [{ name = 'x', pays = 1, when = { soft = true } }]\n" * 2,
            "paytables[2].name: there is a paytable 'a' already",
        ),
    ],
)
def test_mistakes_name_the_file_and_the_key(text: str, message: str) -> None:
    assert message in refused(text)


def test_unknown_names_and_files(tmp_path: Path) -> None:
    with pytest.raises(PaytableError, match="unknown side bet 'lucky-lady'; did you mean 'lucky-ladies'"):
        sidebet("lucky-lady")
    with pytest.raises(PaytableError, match="the side bets are 21"):
        sidebet("zzzz")
    with pytest.raises(PaytableError, match="perfect-pairs has no paytable '1-2-3'; those it has are 25-12-6, 30-10-5"):
        sidebet("perfect-pairs", paytable="1-2-3")
    with pytest.raises(PaytableError, match=r"cannot read side bet '.*none.toml'"):
        sidebet(str(tmp_path / "none.toml"))
    with pytest.raises(PaytableError, match="cannot read side bet"):
        sidebet("\0.toml")
    latin = tmp_path / "latin.toml"
    latin.write_bytes(b'name = "\xe9"')
    with pytest.raises(PaytableError, match="not UTF-8"):
        CATALOGUE.read(latin)
    own = tmp_path / "own.toml"
    own.write_text(with_when("{ same = 'rank' }"), encoding="utf-8")
    assert sidebet(own, decks=1).lines[0].combinations == 52


def test_errors_are_errors_of_this_package() -> None:
    assert issubclass(PaytableError, OddsError)
    assert issubclass(PaytableError, ValueError)


def test_combinations_are_sets_where_cards_are_not_told_apart() -> None:
    assert sidebet("21+3", decks=8).total_combinations == comb(416, 3)
    assert sidebet("perfect-pairs", decks=8).total_combinations == comb(416, 2)
    assert sidebet("lucky-ladies", decks=6).total_combinations == perm(312, 4)
    assert sidebet("lucky-ladies", decks=6, paytable="100-30-10-3-1").total_combinations == comb(312, 2)
    assert len(list(combinations(range(52), 2))) == sidebet("royal-match", decks=1).total_combinations
