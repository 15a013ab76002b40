"""Side bets as the referee plays them: fixed shoes card by card, its tables against the count, and many rounds."""

import json
import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

import odds
from odds.cli.main import app
from odds.errors import HandError, PaytableError, ShoeError
from odds.game.rules import Rules
from odds.game.shoe import Shoe
from odds.referee import simulate as playing
from odds.referee.rounds import play_round, suited_cards
from odds.referee.simulate import BLOCK, FEWEST_SIDE_BETS_JUDGED, simulate
from odds.results.round import analyze
from odds.results.side_bets import sidebet
from odds.sidebets import SideBet, SuitedShoe, load_side_bet, side_bets
from odds.sidebets.conditions import LAYOUTS
from odds.sidebets.count import count
from odds.sidebets.matcher import Hand, Matcher, matcher
from odds.sidebets.paytable import CATALOGUE

HIDDEN = Rules(hole_card="none")
FREE = Rules(decks=6, free_double_on="hard 9-11", free_split="A-9", resplit_aces=True, dealer_22="push")
TWO = Rules(decks=1, switch=True, dealer_22="push", max_hands=2)


def paid(cards: str, bet: str, *actions: str, paytable: str | None = None, rules: Rules | None = None) -> str | None:
    """Return the line that a round is paid on."""
    asked = [load_side_bet(bet).paytable(paytable)]
    (line,) = play_round(rules or Rules(), cards, actions, side_bets=asked).side_bets
    return line


def bet_of(cards: str, **lines: str) -> SideBet:
    """Return a bet whose lines pay the more the sooner they come."""
    rows = [
        f"[[lines]]\nname = '{name}'\npays = {9 - n}\nwhen = {when}\n" for n, (name, when) in enumerate(lines.items())
    ]
    return CATALOGUE.parse(f'name = "mine"\ntitle = "Mine"\ncards = "{cards}"\n{"".join(rows)}', "mine.toml")


SPREAD = (
    '{{ all = [{{ of = "upcard", between = "player", ace = "{ace}" }}], of = "player", gap = "{gap}", ace = "{ace}" }}'
)
IN_ORDER = {
    "inside": bet_of(
        "player+upcard",
        three='{ same = "rank" }',
        one=SPREAD.format(ace="high", gap=1),
        two=SPREAD.format(ace="high", gap="2-3"),
        other=SPREAD.format(ace="high", gap="4+"),
        low=SPREAD.format(ace="low", gap="1+"),
    ),
    "war": bet_of(
        "player-three",
        suited='{ of = ["first", "second"], gap = 0, ace = "either", same = "suit" }',
        over='{ of = ["third"], above = ["first", "second"], ace = "low" }',
        run='{ straight = true, ace = "high" }',
    ),
    "four": bet_of(
        "player+dealer",
        between='{ of = "dealer", between = "player", ace = "high" }',
        above='{ of = "player", above = ["upcard", "hole"], ace = "low" }',
        near='{ of = "player", gap = 0, ace = "either" }',
    ),
}


class TestDealtCards:
    @pytest.mark.parametrize(
        ("cards", "bet", "line"),
        [
            ("2h 3d 4c Td", "inside", "one"),
            ("4c 3d 2h Td", "inside", "one"),
            ("Kh As Qc Td", "inside", None),
            ("Qh Ks Ac Td", "inside", "one"),
            ("Ah 2s 3c 2d", "inside", "low"),
            ("Ah Js Tc 9d", "inside", "two"),
            ("Ah 9s 2c Td", "inside", "other"),
            ("7h 7s 7c Td", "inside", "three"),
            ("7h 7s 9c Td", "inside", None),
            ("Ah 9s Kh Td", "war", "suited"),
            ("2h 9s Ah Td", "war", "suited"),
            ("2h 9s 4h Td 5c", "war", "over"),
            ("Qh 9s Tc 9d", "war", None),
            ("Th 9s Jc 9d", "war", "run"),
            ("3h 4s Kc Ad", "four", None),
            ("3h 4s Kc Jd", "four", "between"),
            ("9h 4s Kc Ad", "four", "above"),
            ("3h 3s 4c 4d", "four", "near"),
        ],
    )
    def test_the_order_of_ranks(self, cards: str, bet: str, line: str | None) -> None:
        (found,) = play_round(Rules(), f"{cards} 9c 9h 9d", (), side_bets=[IN_ORDER[bet].paytable()]).side_bets
        assert found == (line or "All others")

    @pytest.mark.parametrize(
        ("cards", "line"),
        [
            ("Qh As Qh Kd", "Queen of hearts pair and dealer blackjack"),
            ("Qh Kd Qh As", "Queen of hearts pair and dealer blackjack"),
            ("Qh As Qh 9d", "Queen of hearts pair"),
            ("Qh As Qd Kd", "Any 20"),
            ("Qd As Qd Kd", "Matched 20"),
            ("Kc 5s Kc Td 9d", "Matched 20"),
            ("Kc 5s Qc Td 9d", "Suited 20"),
            ("Ac 5s 9c Td 9d", "Suited 20"),
            ("9c 5s Ad Td 9d", "Any 20"),
            ("9c 5s 9c Td 9d", "Not 20"),
            ("Ac 5s Kc Td 9d", "Not 20"),
            ("Ac 5s Ac Td 9d", "Not 20"),
        ],
    )
    def test_lucky_ladies(self, cards: str, line: str) -> None:
        assert paid(cards, "lucky-ladies") == line

    @pytest.mark.parametrize(
        ("cards", "line"),
        [
            ("7h 7h 7h Td 9s", "Suited trips"),
            ("7h 7d 7h Td 9s", "Three of a kind"),
            ("2h Ah 3h Td", "Straight flush"),
            ("Ad 3h 2h Td 9d", "Straight"),
            ("Qd Kh Ah Td", "Straight"),
            ("Kd Qd Ad Td", "Straight flush"),
            ("Kh 2c Ad Td 9s", "All others"),
            ("Kd 2d Ad Td 9s", "Flush"),
            ("Td 9c Jd 8d", "Straight"),
            ("9d 9c 8d 8d", "All others"),
        ],
    )
    def test_21_plus_3(self, cards: str, line: str) -> None:
        assert paid(cards, "21+3", rules=Rules(even_money=False)) == line

    def test_two_cards(self) -> None:
        assert paid("9d 9c 9d 8d", "perfect-pairs") == "Perfect pair"
        assert paid("9d 9c 9h 8d", "perfect-pairs") == "Coloured pair"
        assert paid("9d 9c 9s 8d", "perfect-pairs") == "Mixed pair"
        assert paid("Td 9c Jd 8d", "perfect-pairs") == "No pair"
        assert paid("Kd 9c Qd 8d", "royal-match") == "Royal match"
        assert paid("Ad 9c Qd 8d", "royal-match", paytable="25-5-5-2") == "Suited blackjack"

    def test_several_at_once(self) -> None:
        asked = [load_side_bet(name).paytable() for name in ("lucky-ladies", "21+3", "under-13", "insurance")]
        played = play_round(Rules(), "Qh Kh Qh Ah", side_bets=asked)
        assert played.side_bets == ("Queen of hearts pair and dealer blackjack", "Flush", "All others", None)
        assert played.net == -1
        assert play_round(Rules(), "Qh Kh Qh Ah").side_bets == ()

    def test_a_bet_that_is_not_always_offered(self) -> None:
        assert paid("Td Ac 9d Kd", "insurance") == "Dealer blackjack"
        assert paid("Td Ac 9d 9d", "insurance") == "No blackjack"
        assert paid("Td Kc 9d Ad", "insurance") is None

    def test_cards_without_suits(self) -> None:
        with pytest.raises(HandError, match="expected a suit with each card where side bets or bonuses ask"):
            paid("Qh A Qh K", "lucky-ladies")


class TestFreeBetsAndTwoHands:
    @pytest.mark.parametrize(
        ("cards", "actions", "line"),
        [
            ("8h 6c 8d Tc 3h 8s Td 2c 4d Th 7c 5d", "split double split double double", "4 free bets"),
            ("8h 6c 8d Tc 3h 4s 5h 5c 6d", "split hit", "1 free bet"),
            ("5h 6c 6d Tc 3h 6d", "double", "1 free bet"),
            ("5h 6c 7d Tc 3h 6d", "double", "No free bet"),
            ("Th 6c Td Tc 3h 4s 6d", "split", "No free bet"),
            ("8h Ac 8d Tc", "", "No free bet"),
        ],
    )
    def test_free_bets(self, cards: str, actions: str, line: str) -> None:
        assert paid(cards, "pot-of-gold", *actions.split(), rules=FREE) == line

    @pytest.mark.parametrize(
        ("cards", "line"),
        [
            ("Kh Kd 2s Kc Ks 3s 5s 6d Kd Kd", "Four of a kind"),
            ("Kh 9d Ks 9c Ks Kc 5s 6d", "Two pairs"),
            ("Kh Td 2s Kc Ks 3s 5s 6d Kd Kd", "Three of a kind"),
            ("Kh Td 2s Jc Ks 3s 5s 6d Kd Kd", "Pair"),
            ("Kh Td 2s Jc Qs 3s Qs Qd", "No match"),
            ("Kh Td 2s 3c Qs 2s 3d 6d Kd Kd", "No match"),
        ],
    )
    def test_both_hands(self, cards: str, line: str) -> None:
        """The dealer's first card is the third, his hole card the sixth."""
        assert paid(cards, "super-match", rules=TWO) == line
        assert paid(cards, "super-match", "switch", rules=TWO) == line, "as it was dealt"

    def test_other_bets_beside_two_hands(self) -> None:
        assert paid("7h 2c 7c Kd 7d Ts 9d 9c", "super-sevens", rules=TWO) == "7"
        assert paid("Qh 2c Ah Qh 7d Kd 9d 9c", "lucky-ladies", rules=TWO) == "Queen of hearts pair and dealer blackjack"
        assert paid("Th 2c 6c 6d Td Th Kd 9c", "bust-it", rules=TWO) == "Bust with 3 cards"
        unseen = TWO.replace(hole_card="none")
        assert paid("Qh 2c Ah Qh 7d Kd 9d 9c", "lucky-ladies", rules=unseen) == (
            "Queen of hearts pair and dealer blackjack"
        )

    @pytest.mark.parametrize("bet", ["super-match", IN_ORDER["four"]], ids=["super-match", "four in order"])
    def test_tables_and_count_of_ranks(self, bet: str | SideBet) -> None:
        table = sidebet(bet, decks=2)
        found = matcher(table.bet, table.paytable)
        (part,) = found.parts
        held = np.indices((13,) * 4, sparse=True)
        numbers = np.ones((13,) * 4, dtype=np.int64)
        for place in range(4):
            already = sum((held[other] == held[place] for other in range(place)), np.zeros(1, dtype=np.int64))
            numbers *= 8 - already
        times = [int(numbers[found.lines[part.table] == line].sum()) for line in range(len(table.lines))]
        assert [Fraction(n, sum(times)) for n in times] == [counted.probability for counted in table.lines]

    def test_four_cards_by_rank(self) -> None:
        found = matcher("super-match", load_side_bet("super-match").paytable())
        kinds = [4 * rank + rank % 4 for rank in (12, 9, 12, 9)]
        deal = dict(zip(("first", "second", "third", "fourth"), kinds, strict=True))
        assert found.names[found.line(deal)] == "Two pairs"

    @pytest.mark.parametrize(
        ("rules", "bets"), [(FREE, ("pot-of-gold", "push-22")), (TWO, ("super-match", "21+3", "bust-it"))]
    )
    def test_many_rounds(self, rules: Rules, bets: tuple[str, ...]) -> None:
        tables = [sidebet(name, rules=rules) for name in bets]
        played = simulate(analyze(rules), rounds=FEWEST_SIDE_BETS_JUDGED, seed=6, threads=2, side_bets=tables)
        for bet in played.side_bets:
            lines = {Fraction(line): counted.probability for line, counted in enumerate(bet.table.lines)}
            assert (bet.judged, bet.agrees) == (True, True), bet
            assert playing.chi_square(dict(zip(lines, bet.observed, strict=True)), lines).agrees, bet

    @pytest.mark.parametrize(
        "changes",
        [{"free_double_on": "any"}, {"surrender": "late", "surrender_returns": 1}, {"hole_card": "none"}],
        ids=["not worth it", "given up instead", "before a blackjack"],
    )
    def test_free_bets_that_are_not_taken(self, changes: dict[str, Any]) -> None:
        rules = FREE.replace(**changes)
        table = sidebet("pot-of-gold", rules=rules)
        with pytest.raises(PaytableError, match=r"pot-of-gold: .* the rounds are played otherwise"):
            simulate(analyze(rules), rounds=10, seed=1, side_bets=[table])

    def test_two_hands_where_there_is_one(self) -> None:
        table = sidebet("super-match", rules=Rules())
        with pytest.raises(PaytableError, match="it looks at the cards of two hands, and there is one"):
            simulate(analyze(Rules()), rounds=10, seed=1, side_bets=[table])
        with pytest.raises(PaytableError, match="it looks at the cards of two hands, and there is one"):
            paid("Kh Kd 2s Kc Ks 3s", "super-match")


class TestCardsAfterTheDeal:
    def test_the_third_card(self) -> None:
        assert paid("7h 6c 7h Td 7h 9d", "super-sevens", "hit") == "7-7-7 suited"
        assert paid("7h 6c 7h Td 7d 9d", "super-sevens", "stand") == "7-7-7", "which the dealer takes"
        assert paid("7h 9c 7h Td 7h", "super-sevens", "stand") == "7-7-7 suited", "which nobody takes"
        assert paid("7h 9c 7h Td 7h 8d", "super-sevens", "split") == "7-7-7 suited"
        assert paid("7h Ac 7h Kd 7h", "super-sevens") == "7-7-7 suited", "against a blackjack"
        assert paid("7h 9c 7d Td 8h", "super-sevens") == "7-7"
        assert paid("8h 9c 7d Td 7h", "super-sevens") == "First card is not a seven"
        assert paid("7h 9c 7h 7h Td", "super-sevens", "hit", rules=HIDDEN) == "7-7-7 suited"
        cut = "5000-500-100-50-3-cut"
        assert paid("7h Ac 7h Kd 7h", "super-sevens", paytable=cut) == "7-7 suited", "no third card is dealt"
        assert paid("7h 9c 7h Td 7h", "super-sevens", "stand", paytable=cut) == "7-7-7 suited"
        with pytest.raises(HandError, match="they end before it does"):
            paid("7h 9c 7h Td", "super-sevens")

    def test_the_dealer_plays_on(self) -> None:
        played = play_round(Rules(), "Th 6c 6d Th Kd 9c", ["hit"], side_bets=[load_side_bet("bust-it").paytable()])
        assert (played.dealer, played.drawn) == ("6T", 5)
        assert played.net == -1
        assert played.side_bets == ("Bust with 3 cards",)
        assert paid("Th 6c 6d Th Kd 2c 2d 2h", "bust-it", "hit") == "Dealer does not bust"
        assert paid("Th 6c 6d Ah Kd Kc Kd 2h", "bust-it", "hit") == "Dealer does not bust", "a soft 17"
        hits = Rules(dealer_hits_soft_17=True)
        assert paid("Th 6c 6d Ah Kd 9c Kd 2h", "bust-it", "hit", rules=hits) == "Bust with 4 cards"
        assert paid("Ah 6c Kd 6h 9d", "bust-it") == "Dealer does not bust"
        assert paid("Ah 6c Kd 6h Kd", "bust-it") == "Bust with 3 cards"
        assert paid("Ah 6c Kd Th 9d", "buster-blackjack", rules=HIDDEN) == "Bust with 3 or 4 cards"
        with pytest.raises(HandError, match="they end before it does"):
            paid("Th 6c 6d Th Kd", "bust-it", "hit")

    def test_suits_and_ranks_of_the_dealers_hand(self) -> None:
        def line(cards: str) -> str | None:
            return play_round(Rules(), cards, ["stand"], side_bets=[bet_on("dealer-hand").paytable()]).side_bets[0]

        assert line("Th 8d 9d 8d 8d") == "0", "suited eights"
        assert line("Th 8d 9d 8h 8c") == "1", "one of clubs"
        assert line("Th 6d 9d 6d Kd") == "2", "a 22 in one suit"
        assert line("Th 6d 9d 6h Kd") == "3", "in one colour"
        assert line("Th 2c 9d 6s 7c 3s") == "4", "all black, a club up and a six below"
        assert line("Th 5c 9d 5h 5d 9s") == "5", "three fives"
        assert line("Th 9d 9d Ts") == "7", "nine and ten"
        assert line("Th Td 9d 8s") == "All others"

    def test_with_a_blackjack(self) -> None:
        seven = "Ah 2c Kd 2h 3c 3d 3h 3s 9d"
        table = "2000-800-250-50-18-4-2"
        assert paid(seven, "buster", paytable=table) == "Bust with 7 cards and player blackjack"
        assert paid(seven.replace("Ah", "9h"), "buster", "stand", paytable=table) == "Bust with 7 cards"

    def test_the_dealers_third_card(self) -> None:
        table = "200-50-15-9-7-5-3"
        assert paid("Th 8c 9d 8c 8c", "bust-it", paytable=table) == "Bust with suited 8-8-8"
        assert paid("Th 8c 9d 8s 8c", "bust-it", paytable=table) == "Bust with coloured 8-8-8"
        assert paid("Th 8c 9d 8h 8c", "bust-it", paytable=table) == "Bust with an eight"
        assert paid("Th 8c 6d 8h Kc 9c", "bust-it", "hit", paytable=table) == "Bust with a nine", "no hand is left"
        assert paid("Th 8c 9d Th 9c", "bust-it", paytable=table) == "All others", "he stands on 18"
        assert paid("Th 8c 6d Kc Th 9c", "bust-it", "hit", paytable=table, rules=HIDDEN) == "All others"
        assert paid("Th 8c 6d Kc 6h 9c", "bust-it", "hit", paytable=table, rules=HIDDEN) == "Bust with a nine"

    def test_a_hole_card_that_comes_last(self) -> None:
        top = "Queen of hearts pair and dealer blackjack"
        assert paid("Qh As Qh Kd", "lucky-ladies", rules=HIDDEN) == top
        assert paid("Qh As Qh 2d 9c Kd", "lucky-ladies", "split", rules=HIDDEN) == top
        assert paid("Qh As Qh 2d 9c Kd", "lucky-ladies", "hit", rules=HIDDEN) == "Queen of hearts pair"


def ways(places: int, decks: int) -> Any:
    """In how many ways cards of these kinds can be dealt in this order: one array axis for each."""
    result = np.ones((52,) * places, dtype=np.int32)
    kinds = np.indices(result.shape, sparse=True)
    for place in range(places):
        already = sum((kinds[other] == kinds[place] for other in range(place)), np.zeros(1, dtype=np.int32))
        result *= np.maximum(decks - already, 0).astype(np.int32)
    return result


# Not those of two hands and of free bets, which most rules do not have.
PLAYED = [name for name in side_bets() if name not in ("pot-of-gold", "super-match")]
EVERY = [(name, paytable.name) for name in PLAYED for paytable in load_side_bet(name).paytables]


def on_hands(name: str, paytable: str) -> bool:
    return load_side_bet(name).paytable(paytable).plays_dealer


def of_few_cards(name: str, paytable: str) -> bool:
    """Whether a bet is dealt kind by kind: it looks at the suits of the dealer's whole hand, or at five cards."""
    return name in ("push-22", "bust-bonus") or load_side_bet(name).paytable(paytable).cards == "player-three+dealer"


@pytest.mark.parametrize(
    ("bet", "paytable"),
    [
        *(bet for bet in EVERY if not on_hands(*bet) and not of_few_cards(*bet)),
        (IN_ORDER["inside"], None),
        (IN_ORDER["war"], None),
    ],
    ids=str,
)
def test_tables_and_count(bet: str | SideBet, paytable: str | None) -> None:
    """All deals of two decks through the referee's tables; equality with the count, no tolerance."""
    table = sidebet(bet, decks=2, paytable=paytable)
    found = matcher(table.bet, table.paytable)
    classes: list[Any] = []
    axis, places = 0, sum(len(part.places) for part in found.parts)
    for part in found.parts:
        after = places - axis - len(part.places)
        classes.append(part.table.reshape((1,) * axis + part.table.shape + (1,) * after))
        axis += len(part.places)
    line = found.lines[tuple(classes)]
    numbers = ways(places, 2)
    times = [int(numbers[line == index].sum()) for index in range(len(table.lines))]
    assert [Fraction(n, sum(times)) for n in times] == [counted.probability for counted in table.lines]


SMALL, OTHER = (
    SuitedShoe.of_decks(1).without(" ".join(f"{rank}{suit}" for rank in gone for suit in "cdhs"))
    for gone in ("34578TJQ", "A269TJQK")
)


def dealer_hands(
    counts: tuple[int, ...], cards: tuple[int, ...], hits: bool, probability: Fraction
) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Yield all hands of the dealer, drawing from these counts by value, with their probabilities."""
    total = sum(value + 1 for value in cards)
    soft = 0 in cards and total <= 11
    best = total + 10 if soft else total
    if len(cards) > 1 and (best > 17 or (best == 17 and not (soft and hits))):
        yield cards, probability
        return
    for value, n in enumerate(counts):
        if n:
            left = tuple(m - (other == value) for other, m in enumerate(counts))
            yield from dealer_hands(left, (*cards, value), hits, probability * Fraction(n, sum(counts)))


@pytest.mark.parametrize("hits", [False, True])
@pytest.mark.parametrize(("name", "paytable"), [bet for bet in EVERY if on_hands(*bet) and not of_few_cards(*bet)])
def test_tables_and_count_of_hands(name: str, paytable: str, hits: bool) -> None:
    """All rounds of a shoe of A, 2, 6, 9 and K, or of 3, 4, 5, 7 and 8; equality, no tolerance."""
    shoe = OTHER if paytable in ("3-up", "4-up", "5-up", "7-up", "8-up") else SMALL
    table = sidebet(name, shoe=shoe, paytable=paytable, rules=Rules(dealer_hits_soft_17=hits))
    found = matcher(name, table.paytable)
    kind_of = {value: 4 * (12 if value == 9 else value) for value, n in enumerate(shoe.by_value) if n}
    probabilities = [Fraction(0)] * (len(table.lines) + 1)  # and last, that it is not offered
    for first in kind_of:
        for second in kind_of:
            counts = list(shoe.by_value)
            probability = Fraction(counts[first], sum(counts))
            counts[first] -= 1
            probability *= Fraction(counts[second], sum(counts))
            counts[second] -= 1
            for cards, p in dealer_hands(tuple(counts), (), hits, probability):
                hand = Hand(len(cards), sum(value + 1 for value in cards), 0 in cards)
                deal: dict[str, int | Hand] = {"hand": hand, "upcard": kind_of[cards[0]]}
                probabilities[found.line({**deal, "first": kind_of[first], "second": kind_of[second]})] += p
    offered = 1 - probabilities.pop()
    assert [p / offered for p in probabilities] == [line.probability for line in table.lines]


# Lines on suits and ranks of the dealer's whole hand, alone and beside his first cards and the player's.
OF_HANDS = {
    "dealer-hand": (
        "{ busts = true, each = '8', same = 'suit' }",
        "{ cards = ['8c', '8', '8'] }",
        "{ total = 22, same = 'suit' }",
        "{ total = 22, same = 'colour' }",
        "{ all = [{ of = 'upcard', suits = 'c' }, { of = 'hole', each = '6' }, { same = 'colour' }] }",
        "{ of_a_kind = 3 }",
        "{ pairs = 2 }",
        "{ straight = true }",
        "{ some = ['Ac', 'J'], cards_in_hand = '3+' }",
        "{ not = { suits = ['c', 'd', 'h'] }, busts = true }",
        "{ of_a_kind = 2, soft = false }",
    ),
    "player+dealer-hand": (
        "{ all = [{ of = 'player', same = 'suit' }, { of = 'dealer', same = 'suit' }] }",
        "{ all = [{ of = 'first', each = '6c' }, { of = 'dealer', cards = ['6c', 'J', '6'] }] }",
        "{ of = ['first', 'upcard'], same = ['rank', 'suit'] }",
        "{ of = 'dealer', same = ['rank', 'colour'] }",
    ),
    "player-three+dealer": (
        "{ all = [{ of = 'player', same = ['rank', 'suit'] }, { not = { of = 'dealer', blackjack = true } }] }",
        "{ all = [{ of = ['first', 'second'], same = 'suit' }, { of = 'dealer', blackjack = true }] }",
        "{ of = 'player', total = 21 }",
        "{ of = 'dealer', same = 'suit', total = '17+' }",
    ),
}


FEW_CARDS = {
    "dealer-hand": "2xAc 2x6c 6d 3x8c Jc Kc",
    "player+dealer-hand": "Ac 2x6c 6d 8c 8s Jd Kc",
    "player-three+dealer": "3x6c 2xAc 2xJc 8d",
}


def bet_on(cards: str) -> SideBet:
    lines = enumerate(OF_HANDS[cards])
    text = "".join(f"[[lines]]\nname = '{number}'\npays = {99 - number}\nwhen = {when}\n" for number, when in lines)
    return CATALOGUE.parse(f'name = "mine"\ntitle = "Mine"\ncards = "{cards}"\n{text}', "mine.toml")


def dealt_out(found: Matcher, shoe: SuitedShoe, hits: bool) -> list[Fraction]:
    """Return the probability of each line, the losing one and no offer, following every card kind by kind."""
    cards = found.paytable.cards
    player = [place for place in ("first", "second", "third") if place in LAYOUTS[cards]]
    probabilities = [Fraction(0)] * (len(found.names) + 1)

    def deal(counts: tuple[int, ...], dealt: tuple[int, ...], probability: Fraction) -> None:
        hand = dealt[len(player) :]
        hard = sum(min(kind // 4, 9) + 1 for kind in hand)
        ace = any(kind < 4 for kind in hand)
        if len(hand) > 1 and (not cards.endswith("hand") or hard >= 17 or (ace and 7 + hits <= hard <= 11)):
            held = dict(zip([*player, "upcard", "hole"], dealt, strict=False))
            probabilities[found.line({**held, "hand": Hand(len(hand), hard, ace, hand)})] += probability
            return
        for kind, number in enumerate(counts):
            if number:
                left = (*counts[:kind], number - 1, *counts[kind + 1 :])
                deal(left, (*dealt, kind), probability * Fraction(number, sum(counts)))

    deal(shoe.counts, (), Fraction(1))
    return probabilities


@pytest.mark.parametrize("cards", OF_HANDS)
def test_tables_and_count_of_suited_hands(cards: str) -> None:
    """All rounds of a shoe of few cards, kind by kind; equality, no tolerance."""
    shoe = SuitedShoe.of_cards(FEW_CARDS[cards])
    table = sidebet(bet_on(cards), shoe=shoe, rules=Rules())
    expected = [line.probability for line in table.lines]
    assert dealt_out(matcher("mine", table.paytable), shoe, False) == [*expected, 0]


@pytest.mark.parametrize("hits", [False, True])
@pytest.mark.parametrize(("name", "paytable"), [bet for bet in EVERY if of_few_cards(*bet)])
def test_tables_and_count_of_few_cards(name: str, paytable: str, hits: bool) -> None:
    shoe = SuitedShoe.of_cards(
        "2xAc 2c 3c 4c 5c 6c 7c 2x8c 8s 9c Kd" if on_hands(name, paytable) else "Ac 3x7d 7h 7s Jd"
    )
    table = sidebet(name, shoe=shoe, paytable=paytable, rules=Rules(dealer_hits_soft_17=hits))
    *probabilities, never = dealt_out(matcher(name, table.paytable), shoe, hits)
    assert [p / (1 - never) for p in probabilities] == [line.probability for line in table.lines]


def some_test(draw: random.Random, places: int) -> str:
    """Return a test that can be made of so many cards; 0 is the dealer's whole hand."""
    cards = [f"{rank}{suit}" for rank in "A68J" for suit in ("", "c", "d")]
    several = [
        f"same = {draw.sample(['rank', 'suit', 'colour', 'value'], draw.choice([1, 2]))}",
        f"of_a_kind = {draw.choice([2, 3]) if not places else 2}",
        "pairs = 1",
        f"straight = true, ace = '{draw.choice(['low', 'high', 'either'])}'",
    ]
    any_number = [
        f"total = '{draw.choice(['17+', '22', '18-20', '12-16', '21'])}'",
        f"soft = {draw.choice(['true', 'false'])}",
        f"cards = {draw.sample(cards, places or draw.choice([2, 3]))}",
        f"each = {draw.sample(cards, 4)}",
        f"some = {draw.sample(cards, 2)}",
        f"suits = {draw.sample('cdhs', 2)}",
    ]
    return draw.choice(any_number + several * (places != 1))


def some_condition(draw: random.Random, layout: str, depth: int = 0) -> str:
    if depth < 2 and draw.random() < 0.4:
        parts = [some_condition(draw, layout, depth + 1) for _ in range(2)]
        return draw.choice([f"{{ all = [{', '.join(parts)}] }}", f"{{ not = {parts[0]} }}"])
    if layout.endswith("hand") and draw.random() < 0.6:
        return f"{{ of = 'dealer', {some_test(draw, 0)} }}"
    places = draw.sample([place for place in LAYOUTS[layout] if place != "hand"], draw.choice([1, 2]))
    return f"{{ of = {places}, {some_test(draw, len(places))} }}"


@settings(max_examples=40)
@given(st.sampled_from(sorted(FEW_CARDS)), st.randoms(use_true_random=False))
def test_tables_and_count_of_any_conditions(cards: str, draw: random.Random) -> None:
    lines = [some_condition(draw, cards) for _ in range(3)]
    text = "".join(f"[[lines]]\nname = '{n}'\npays = {9 - n}\nwhen = {when}\n" for n, when in enumerate(lines))
    bet = CATALOGUE.parse(f'name = "mine"\ntitle = "Mine"\ncards = "{cards}"\n{text}', "mine.toml")
    shoe = SuitedShoe.of_cards("2xAc 6c 3x6d 2x8c Jc Jd" if cards == "dealer-hand" else "2xAc 6c 3x6d 2x8c Jd")
    try:
        found = matcher("mine", bet.paytable())
    except PaytableError:  # more is looked at together than the referee plays
        return
    total = sum(times := count(bet.paytable(), shoe, Rules()).lines)
    assert dealt_out(found, shoe, False) == [*(Fraction(number, total) for number in times), 0]


class TestManyRounds:
    def test_the_bets_of_a_game(self) -> None:
        """2 x 10^6 rounds; right odds fail once in 1.7 million comparisons (|z| > 5)."""
        game = odds.load_game("classic-blackjack")
        result = analyze(game.rules)
        tables = [sidebet(name, rules=game.rules) for name in game.side_bets]
        played = simulate(result, rounds=2_000_000, seed=4, threads=2, side_bets=tables)
        assert [bet.table.bet for bet in played.side_bets] == ["lucky-ladies", "21+3"]
        for bet in played.side_bets:
            assert (bet.trials, bet.judged, bet.agrees) == (2_000_000, True, True)
            chi_square = playing.chi_square(
                {Fraction(line): times for line, times in enumerate(bet.observed)},
                {Fraction(line): counted.probability for line, counted in enumerate(bet.table.lines)},
            )
            assert chi_square.agrees, bet
        assert played.agrees
        # The rounds are the same without them.
        alone = simulate(result, rounds=2_000_000, seed=4, threads=2)
        assert (alone.observed, alone.insurance) == (played.observed, played.insurance)

    @pytest.mark.parametrize(
        "hole_card", ["peek", *(pytest.param(kind, marks=pytest.mark.slow) for kind in ("none", "exposed"))]
    )
    def test_every_bet(self, hole_card: str) -> None:
        """10^6 rounds with all bets at once, most of which need more cards than the round.

        Right odds fail once in 1.7 million comparisons, of which there are some 50.
        """
        rules = Rules(decks=6, hole_card=hole_card, dealer_hits_soft_17=True, max_hands=2)
        result = analyze(rules)
        tables = [sidebet(name, rules=rules) for name in PLAYED]
        tables += [sidebet("bust-it", rules=rules, paytable="200-50-15-9-7-5-3")]
        tables += [sidebet("buster", rules=rules, paytable="2000-800-250-50-18-4-2")]
        played = simulate(result, rounds=FEWEST_SIDE_BETS_JUDGED, seed=5, threads=2, side_bets=tables)
        for bet in played.side_bets:
            lines = {Fraction(line): counted.probability for line, counted in enumerate(bet.table.lines)}
            assert bet.agrees, bet
            assert bet.judged == (bet.table.paytable.offered is None)
            assert playing.chi_square(dict(zip(lines, bet.observed, strict=True)), lines).agrees, bet
        assert played.observed == simulate(result, rounds=FEWEST_SIDE_BETS_JUDGED, seed=5, threads=2).observed

    @pytest.mark.parametrize("hole_card", ["peek", "none"])
    def test_suited_hands(self, hole_card: str) -> None:
        rules = Rules(decks=2, hole_card=hole_card, max_hands=1)
        tables = [sidebet(bet_on(cards), rules=rules) for cards in OF_HANDS]
        played = simulate(analyze(rules), rounds=FEWEST_SIDE_BETS_JUDGED, seed=7, threads=2, side_bets=tables)
        for bet in played.side_bets:
            lines = {Fraction(line): counted.probability for line, counted in enumerate(bet.table.lines)}
            assert (bet.judged, bet.agrees) == (True, True), bet
            assert playing.chi_square(dict(zip(lines, bet.observed, strict=True)), lines).agrees, bet

    def test_threads_do_not_matter(self) -> None:
        rules = Rules(decks=2)
        tables = [sidebet(name, rules=rules) for name in ("lucky-ladies", "buster", "super-sevens")]
        one, two, five = (
            simulate(analyze(rules), rounds=2 * BLOCK + 5, seed=5, threads=n, side_bets=tables) for n in (1, 2, 5)
        )
        assert one.side_bets == two.side_bets == five.side_bets
        assert one == two == five

    def test_cards_removed(self) -> None:
        rules = Rules(decks=1, split_by="rank", max_hands=2)
        gone = "Kh Kd Kc 5s"
        result = analyze(rules, shoe=Shoe.of_decks(1).without(gone))
        table = sidebet("21+3", shoe=SuitedShoe.of_decks(1).without(gone), rules=rules)
        played = simulate(result, rounds=1_000_000, seed=1, threads=2, side_bets=[table])
        assert played.agrees
        assert played.observed == simulate(result, rounds=1_000_000, seed=1, threads=2).observed

    def test_a_wrong_count_is_found_out(self) -> None:
        result = analyze(Rules())
        wrong = sidebet("21+3", rules=Rules(), paytable="30-20-10-5")
        right = sidebet("21+3", rules=Rules())
        played = simulate(result, rounds=1_000_000, seed=1, threads=2, side_bets=[right])
        assert played.agrees
        swapped = playing.PlayedSideBet(right, played.side_bets[0].observed, playing.Comparison(10**6, wrong.ev, 3, 0))
        assert not swapped.agrees, "|z| > 5"
        assert playing.PlayedSideBet(right, (1, 0, 0, 0, 0, 9), playing.Comparison(10, 9, 1, 0)).agrees, "too few"
        one_deck = sidebet("21+3", decks=1)
        assert not playing.PlayedSideBet(one_deck, (1, 0, 0, 0, 0, 9), None).agrees, "three alike cannot be"


class TestRefused:
    def test_another_shoe(self) -> None:
        result = analyze(Rules(max_hands=1))
        for table, words in [
            (sidebet("21+3", decks=6), "counted for another shoe"),
            (sidebet("buster", rules=Rules(dealer_hits_soft_17=True)), "a dealer who plays otherwise"),
        ]:
            with pytest.raises(
                ShoeError, match=f"{table.bet.replace('+', '.')}: paytable .* cannot be played: .*{words}"
            ):
                simulate(result, rounds=10, seed=1, side_bets=[table])
        known = Shoe.of_decks(1).without("Kh")
        table = sidebet("21+3", shoe=SuitedShoe.of_decks(1).without("Qh"))
        with pytest.raises(ShoeError, match="counted for another shoe"):
            simulate(analyze(Rules(decks=1, max_hands=1), shoe=known), rounds=10, seed=1, side_bets=[table])
        several = [sidebet("21+3", shoe=SuitedShoe.of_decks(1).without(card)) for card in ("2h", "2d")]
        result = analyze(Rules(decks=1, max_hands=1), shoe=Shoe.of_decks(1).without("2"))
        with pytest.raises(ShoeError, match="expected side bets of one shoe"):
            simulate(result, rounds=10, seed=1, side_bets=several)

    def test_a_shoe_that_can_run_out(self) -> None:
        result = analyze(Rules(decks=1), shoe=Shoe.of_counts(dict(zip("A269K", [4] * 5, strict=True))))
        assert result.shoe_can_run_out
        fine, _ = tables = [sidebet(name, shoe=SMALL) for name in ("21+3", "buster")]
        assert simulate(result, rounds=10, seed=1, side_bets=[fine]).rounds == 10
        with pytest.raises(ShoeError, match=r"buster-blackjack: .* the shoe can run out"):
            simulate(result, rounds=10, seed=1, side_bets=tables)

    def test_four_cards_together(self) -> None:
        data = (
            """name = "x"\ntitle = "X"\ncards = "player+dealer"\nlines = [{ name = "a", pays = 2, when = { WHEN } }]"""
        )

        def found(when: str) -> Matcher:
            return matcher("x", CATALOGUE.parse(data.replace("WHEN", when), "x").paytable())

        assert len(found('of = "player", same = "suit"').parts) == 1
        with pytest.raises(PaytableError, match=r"x: paytable standard cannot be played: .* 3 cards at most"):
            found('same = "suit"')
        every = ", ".join(f'{{ of = "{place}", each = "{rank}" }}' for place in ("first", "upcard") for rank in "A23")
        assert len(found(f"any = [{every}]").parts) == 2
        places = ("first", "second", "upcard", "hole")
        ranks = "A23456789TJQKA"
        every = ", ".join(
            f'{{ of = "{place}", each = "{rank}{suit}" }}' for place in places for rank in ranks for suit in "cdhs"
        )
        with pytest.raises(PaytableError, match="too many kinds of hands"):
            found(f"any = [{every}]")

    def test_suited_cards(self) -> None:
        cards = suited_cards(SuitedShoe.of_decks(2))
        assert (len(cards), cards[:3].tolist()) == (104, [0, 0, 16])
        assert (cards & 15).tolist() == sorted(cards & 15)


def run(*args: str) -> Result:
    return CliRunner().invoke(app, ["simulate", *args], env={"COLUMNS": "80"})


SMALL_RUN = ("classic-blackjack", "--rounds", "20000", "--seed", "1")


class TestCommand:
    def test_json(self) -> None:
        data = json.loads(run(*SMALL_RUN, "--json").stdout)
        ladies, poker = data["side_bets"]
        assert list(ladies) == ["name", "paytable", "trials", "mean", "standard_error", "exact_ev", "z", "lines"]
        assert (ladies["name"], ladies["paytable"]) == ("lucky-ladies", "1000-200-25-10-4")
        assert ladies["z"] == pytest.approx((ladies["mean"] - ladies["exact_ev"]) / ladies["standard_error"])
        assert poker["exact_ev"] == sidebet("21+3", decks=8).ev
        for bet in data["side_bets"]:
            assert sum(line["observed"] for line in bet["lines"]) == 20_000
            assert sum(line["expected"] for line in bet["lines"]) == pytest.approx(20_000)
        alone = json.loads(run(*SMALL_RUN, "--json", "--side-bet", "none").stdout)
        assert alone == {**data, "side_bets": []}

    def test_tables(self) -> None:
        result = run(*SMALL_RUN)
        assert (result.exit_code, result.stderr) == (0, "")
        words = " ".join(result.stdout.split())
        for expected in (
            "Lucky Ladies, paytable 1000-200-25-10-4",
            "Queen of hearts pair and dealer blackjack 1000",
            "Too few to judge: a side bet needs 1,000,000.",
        ):
            assert expected in words
        assert max(map(len, result.stdout.splitlines())) <= 80

    def test_other_bets(self, tmp_path: Path) -> None:
        path = tmp_path / "mine.toml"
        path.write_text(
            'name = "mine"\ntitle = "Mine"\ncards = "player"\n'
            '[[paytables]]\nname = "one"\nlines = [{ name = "Red", pays = 3, when = { suits = ["d", "h"] } }]\n'
            '[[paytables]]\nname = "two"\nlines = [{ name = "Black", pays = 3, when = { suits = ["c", "s"] } }]\n'
        )
        asked = ["21+3:9", "buster", f"{path}:two", str(path), "insurance"]
        options = [word for bet in asked for word in ("--side-bet", bet)]
        data = json.loads(run(*SMALL_RUN, "--json", *options).stdout)
        assert [(bet["name"], bet["paytable"]) for bet in data["side_bets"]] == [
            ("21+3", "9"),
            ("buster-blackjack", "250-50-12-4-2"),
            ("mine", "two"),
            ("mine", "one"),
            ("insurance", "standard"),
        ]
        words = " ".join(run(*SMALL_RUN, "--side-bet", "21+3:9", "--side-bet", "21+3").stdout.split())
        assert "21+3, 9 " in words
        assert "21+3, 100-30-20-10-5 " in words
        insurance = data["side_bets"][-1]
        assert insurance["trials"] == data["insurance"]["offered"] < 20_000
        assert insurance["mean"] == data["insurance"]["mean"]
        assert "rounds in which it could be made" in run(*SMALL_RUN, "--side-bet", "insurance").stdout

    def test_never_offered(self) -> None:
        data = json.loads(run("classic", "--rounds", "1", "--seed", "3", "--json", "--side-bet", "insurance").stdout)
        (bet,) = data["side_bets"]
        assert (bet["trials"], bet["mean"], bet["z"]) == (0, None, None)
        assert run("classic", "--rounds", "1", "--seed", "3", "--side-bet", "insurance").exit_code == 0

    def test_a_disagreement(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(playing, "Z_LIMIT", 0.0)
        monkeypatch.setattr(playing, "FEWEST_JUDGED", 100_000_000)
        monkeypatch.setattr(playing, "P_LIMIT", 0.0)
        assert run(*SMALL_RUN).exit_code == 0
        monkeypatch.setattr(playing, "FEWEST_JUDGED", 0)
        monkeypatch.setattr(playing, "FEWEST_SIDE_BETS_JUDGED", 0)
        assert run(*SMALL_RUN).exit_code == 1

    def test_left_out(self) -> None:
        result = run(*SMALL_RUN, "--remove", "K", "--json")
        assert result.exit_code == 0
        data = json.loads(result.stdout)
        assert data["side_bets"] == []
        assert len(data["warnings"]) == len(result.stderr.splitlines()) == 2
        for bet in ("lucky-ladies", "21+3"):
            assert f"warning: left out: {bet}: expected a suit with each card" in result.stderr
        assert len(json.loads(run(*SMALL_RUN, "--remove", "Kh", "--json").stdout)["side_bets"]) == 2

    @pytest.mark.parametrize(
        ("bad", "words"),
        [
            (["--side-bet", "21+4"], "unknown side bet '21+4'"),
            (["--side-bet", "21+3:5"], "21+3 has no paytable '5'"),
            (["--side-bet", "none", "--side-bet", "21+3"], "expected none alone"),
            (["--side-bet", ""], "--side-bet: expected a value, got an empty text"),
            (["--side-bet", ":"], "unknown side bet"),
            (["--side-bet", "21+3", "--remove", "K"], "expected a suit with each card"),
        ],
    )
    def test_bad_input(self, bad: list[str], words: str) -> None:
        result = run(*SMALL_RUN, *bad)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith("error: ")
        assert words in result.stderr
        assert len(result.stderr.splitlines()) == 1
