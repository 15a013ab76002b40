"""Every paytable of the catalogue against deals of real cards, one by one, with the pays written out again in Python.

Nothing of `odds` decides here what a hand is paid; only the names of bets and paytables, and the tables to compare, are
its own. One and two decks are dealt out; bets on the dealer's whole hand follow each of his draws.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations, product
from math import comb, prod
from typing import Any

import pytest

from odds import Rules, analyze
from odds.errors import PaytableError
from odds.game.cards import Card as NamedCard
from odds.game.cards import count_cards
from odds.results.side_bets import sidebet
from odds.sidebets import SideBetResult, SuitedShoe, load_side_bet, side_bets, symbolic
from odds.sidebets.paytable import CATALOGUE

Card = tuple[int, int]  # rank from 1 (ace) to 13 (king); suit 0 to 3, of which 1 and 2 are red
HEARTS = 2
Pay = float
Distribution = dict[Fraction, Fraction]


def deck(decks: int, removed: tuple[int, ...] = ()) -> list[Card]:
    return [(rank, suit) for rank in range(1, 14) if rank not in removed for suit in range(4)] * decks


def ranks(*cards: Card) -> list[int]:
    return sorted(rank for rank, _ in cards)


def suited(*cards: Card) -> bool:
    return len({suit for _, suit in cards}) == 1


def coloured(*cards: Card) -> bool:
    return len({suit in (1, 2) for _, suit in cards}) == 1


def same_rank(*cards: Card) -> bool:
    return len({rank for rank, _ in cards}) == 1


def low_total(*cards: Card) -> int:
    return sum(min(rank, 10) for rank, _ in cards)


def total(*cards: Card) -> int:
    low = low_total(*cards)
    return low + 10 if low <= 11 and any(rank == 1 for rank, _ in cards) else low


def natural(*cards: Card) -> bool:
    return total(*cards) == 21


def is_straight(*cards: Card) -> bool:
    found = ranks(*cards)
    return found == [1, 12, 13] or found[2] - found[1] == found[1] - found[0] == 1


def lucky_ladies(pays: list[Pay]) -> Callable[..., Pay]:
    top, queens, matched, same_suit, any_twenty = pays

    def pay(a: Card, b: Card, dealer: tuple[Card, Card]) -> Pay:
        if a == b == (12, HEARTS):
            return top if natural(*dealer) else queens
        if total(a, b) != 20:
            return -1
        return matched if a == b else same_suit if suited(a, b) else any_twenty

    return pay


def queens_of_any_suit(a: Card, b: Card, dealer: tuple[Card, Card]) -> Pay:
    if a[0] == b[0] == 12:
        return 250 if natural(*dealer) else 25
    if total(a, b) != 20:
        return -1
    return 9 if same_rank(a, b) else 6 if suited(a, b) else 3


def one_queen(a: Card, b: Card) -> Pay:
    if total(a, b) == 20:
        return 100 if a == b == (12, HEARTS) else 30 if a == b else 10 if suited(a, b) else 3
    return 1 if 12 in ranks(a, b) else -1


def queen_of_hearts(a: Card, b: Card) -> Pay:
    if total(a, b) == 20:
        return 100 if a == b == (12, HEARTS) else 25 if a == b else 10 if suited(a, b) else 3
    return 2 if (12, HEARTS) in (a, b) else 1 if 12 in ranks(a, b) else -1


def poker(trips_suited: Pay, straight_flush: Pay, trips: Pay, straight: Pay, flush: Pay, pair: Pay = -1) -> Any:
    def pay(a: Card, b: Card, c: Card) -> Pay:
        if same_rank(a, b, c):
            return trips_suited if suited(a, b, c) else trips
        if is_straight(a, b, c):
            return straight_flush if suited(a, b, c) else straight
        if suited(a, b, c):
            return flush
        return pair if len(set(ranks(a, b, c))) == 2 else -1

    return pay


def pairs(perfect: Pay, one_colour: Pay, mixed: Pay) -> Callable[[Card, Card], Pay]:
    def pay(a: Card, b: Card) -> Pay:
        if not same_rank(a, b):
            return -1
        return perfect if a == b else one_colour if coloured(a, b) else mixed

    return pay


def royal_match(royal: Pay, easy: Pay, blackjack: Pay) -> Callable[[Card, Card], Pay]:
    def pay(a: Card, b: Card) -> Pay:
        if not suited(a, b):
            return -1
        return royal if ranks(a, b) == [12, 13] else blackjack if natural(a, b) else easy

    return pay


def lucky_lucky(pays: list[Pay]) -> Callable[..., Pay]:
    sevens_suited, run_suited, sevens, run, suited_21, other_21, twenty, nineteen = pays

    def pay(a: Card, b: Card, c: Card) -> Pay:
        found = ranks(a, b, c)
        if found == [7, 7, 7]:
            return sevens_suited if suited(a, b, c) else sevens
        if found == [6, 7, 8]:
            return run_suited if suited(a, b, c) else run
        if total(a, b, c) == 21:
            return suited_21 if suited(a, b, c) else other_21
        return {20: twenty, 19: nineteen}.get(total(a, b, c), -1)

    return pay


def hot_3(a: Card, b: Card, c: Card) -> Pay:
    if ranks(a, b, c) == [7, 7, 7]:
        return 100
    if total(a, b, c) == 21:
        return 20 if suited(a, b, c) else 4
    return {20: 2, 19: 1}.get(total(a, b, c), -1)


def sevens(pays: list[Pay]) -> Callable[..., Pay]:
    def pay(a: Card, b: Card, c: Card) -> Pay:
        if a[0] != 7:
            return -1
        if b[0] != 7:
            return pays[4]
        if c[0] != 7:
            return pays[2] if suited(a, b) else pays[3]
        return pays[0] if suited(a, b, c) else pays[1]

    # As the paytable has it, a higher line may not take what a lower one would pay more for.
    assert pays[0] >= pays[1] >= max(pays[2:])
    return pay


def match(unsuited: Pay, suited_match: Pay) -> Callable[..., Pay]:
    def pay(a: Card, b: Card, up: Card) -> Pay:
        won = sum(suited_match if card == up else unsuited if card[0] == up[0] else 0 for card in (a, b))
        return won or -1

    return pay


def bust_it(seven: Pay, eight: Pay, nine: Pay) -> Callable[..., Pay]:
    def pay(a: Card, b: Card, c: Card) -> Pay:
        if total(a, b) > 16 or total(a, b, c) <= 21:
            return -1
        if ranks(a, b, c) == [8, 8, 8] and coloured(a, b, c):
            return 200 if suited(a, b, c) else 50
        return {6: 15, 7: seven, 8: eight, 9: nine}.get(c[0], 3 if c[0] >= 10 else -1)

    return pay


def suit_em_up(aces: Pay) -> Callable[[Card, Card], Pay]:
    def pay(a: Card, b: Card) -> Pay:
        if not suited(a, b):
            return -1
        if a == b:
            return aces if a[0] == 1 else 5
        return 10 if natural(a, b) else 3 if low_total(a, b) == 11 else 2

    return pay


def royal_20s(a: Card, b: Card) -> Pay:
    if a == b and a[0] > 10:
        return 25
    return -1 if total(a, b) != 20 else 10 if suited(a, b) else 5


def bonus_blackjack(a: Card, b: Card) -> Pay:
    return 15 if natural(a, b) else -1


def between(one_apart: Pay) -> Callable[..., Pay]:
    def pay(a: Card, b: Card, up: Card) -> Pay:
        low, middle, high = (rank if rank > 1 else 14 for rank in (a[0], up[0], b[0]))
        if low == middle == high:
            return 30
        if not min(low, high) < middle < max(low, high):
            return -1
        return {1: one_apart, 2: 6, 3: 4}.get(abs(high - low) - 1, 1)

    return pay


# What is paid with a meter of 10,000 units; lines are for one, so that they are one less here.
METER = 10_000


def blazing(best: Callable[..., bool], tenth: Callable[..., bool], coloured_sevens: Pay) -> Callable[..., Pay]:
    def pay(a: Card, b: Card, up: Card) -> Pay:
        if ranks(a, b, up) == [7, 7, 7]:
            if best(a, b, up) or tenth(a, b, up):
                return METER - 1 if best(a, b, up) else METER / 10 - 1
            return coloured_sevens - 1 if coloured(a, b, up) else 199
        return {0: -1, 1: 1, 2: 24}[[a[0], b[0]].count(7)]

    return pay


def jackpot_poker(best: tuple[int, ...], suits: tuple[int, ...], pays: list[Pay]) -> Callable[..., Pay]:
    """Three equal cards of these ranks and suits take the meter, and those of other suits the first pay."""
    others, *usual = pays

    def pay(a: Card, b: Card, c: Card) -> Pay:
        if a == b == c and a[0] in best:
            return (METER if a[1] in suits else others) - 1
        return max(poker(*usual)(a, b, c) - 1, -1)

    return pay


def mega_match(a: Card, b: Card, dealer: tuple[Card, Card]) -> Pay:
    if suited(a, b) and ranks(a, b) == [12, 13]:
        return 5000 if suited(*dealer) and ranks(*dealer) == [12, 13] else 50
    return 2 if suited(a, b) else -1


def two_bonuses(a: Card, b: Card, dealer: tuple[Card, Card]) -> Pay:
    won = 8 * (natural(a, b) + natural(*dealer)) - 1
    return won + METER * (sorted((a, b)) == [(1, 3), (11, 3)])


def super_4(pays: list[Pay], ace_up: Pay) -> Callable[..., Pay]:
    def pay(a: Card, b: Card, dealer: tuple[Card, Card]) -> Pay:
        hand = (a, b, *dealer)
        if not natural(*dealer):
            return (ace_up if dealer[0][0] == 1 else 0) - 1
        run = ranks(*hand) == [1, 11, 12, 13]
        if run and suited(*hand):
            return (METER if a[1] == 1 else METER / 10) - 1
        kinds = sorted(Counter(ranks(*hand)).values())
        holds = [kinds[-1] == 3, run, suited(*hand), kinds == [2, 2], coloured(*hand), kinds[-1] == 2, True]
        return max(pays for held, pays in zip(holds, pays, strict=True) if held) - 1

    return pay


def blackjack_match(pays: list[Pay]) -> Callable[..., Pay]:
    def pay(a: Card, b: Card, dealer: tuple[Card, Card]) -> Pay:
        if natural(a, b) and natural(*dealer):
            if sorted((a, b)) == sorted(dealer) and suited(a, b):
                return (METER if 13 in ranks(a, b) else METER / 10) - 1
            return pays[0 if suited(a, b, *dealer) else 1] - 1
        if natural(a, b):
            return pays[2 if suited(a, b) else 3] - 1
        return (pays[4] if 1 in ranks(a, b) else 0) - 1

    return pay


def over(a: Card, b: Card) -> Pay:
    return 1 if low_total(a, b) > 13 else -1


def under(a: Card, b: Card) -> Pay:
    return 1 if low_total(a, b) < 13 else -1


def exactly(a: Card, b: Card) -> Pay:
    return 10 if low_total(a, b) == 13 else -1


# How a bet is dealt: two cards or three in any order, two or three with the last card apart, and so on.
IN_ANY_ORDER, LAST_APART, IN_ORDER, WITH_DEALER = "any order", "last apart", "in order", "with dealer"

PAYS: dict[tuple[str, str], tuple[str, int, Callable[..., Pay]]] = {
    ("lucky-ladies", "1000-200-25-10-4"): (WITH_DEALER, 2, lucky_ladies([1000, 200, 25, 10, 4])),
    ("lucky-ladies", "1000-125-19-9-4"): (WITH_DEALER, 2, lucky_ladies([1000, 125, 19, 9, 4])),
    ("lucky-ladies", "250-25-9-6-3"): (WITH_DEALER, 2, queens_of_any_suit),
    ("lucky-ladies", "100-30-10-3-1"): (IN_ANY_ORDER, 2, one_queen),
    ("lucky-ladies", "100-25-10-3-2-1"): (IN_ANY_ORDER, 2, queen_of_hearts),
    ("21+3", "100-30-20-10-5"): (IN_ANY_ORDER, 3, poker(100, 30, 20, 10, 5)),
    ("21+3", "100-40-30-10-5"): (IN_ANY_ORDER, 3, poker(100, 40, 30, 10, 5)),
    ("21+3", "100-40-25-10-5"): (IN_ANY_ORDER, 3, poker(100, 40, 25, 10, 5)),
    ("21+3", "100-35-20-10-5"): (IN_ANY_ORDER, 3, poker(100, 35, 20, 10, 5)),
    ("21+3", "100-33-35-10-5"): (IN_ANY_ORDER, 3, poker(100, 35, 33, 10, 5)),
    ("21+3", "30-20-10-5"): (IN_ANY_ORDER, 3, poker(20, 30, 20, 10, 5)),
    ("21+3", "9"): (IN_ANY_ORDER, 3, poker(9, 9, 9, 9, 9)),
    ("21+3", "5-2"): (IN_ANY_ORDER, 3, poker(2.5, 2.5, 2.5, 2.5, 2.5, 2.5)),
    ("top-3", "standard"): (IN_ANY_ORDER, 3, poker(270, 180, 90, -1, -1)),
    ("perfect-pairs", "25-12-6"): (IN_ANY_ORDER, 2, pairs(25, 12, 6)),
    ("perfect-pairs", "30-10-5"): (IN_ANY_ORDER, 2, pairs(30, 10, 5)),
    ("perfect-pairs", "25-12-5"): (IN_ANY_ORDER, 2, pairs(25, 12, 5)),
    ("perfect-pairs", "25-15-5"): (IN_ANY_ORDER, 2, pairs(25, 15, 5)),
    ("royal-match", "25-5-2"): (IN_ANY_ORDER, 2, royal_match(25, 2.5, 2.5)),
    ("royal-match", "10-3"): (IN_ANY_ORDER, 2, royal_match(10, 3, 3)),
    ("royal-match", "25-5-5-2"): (IN_ANY_ORDER, 2, royal_match(25, 2.5, 5)),
    ("lucky-lucky", "200-100-50-30-15-3-2-2"): (IN_ANY_ORDER, 3, lucky_lucky([200, 100, 50, 30, 15, 3, 2, 2])),
    ("lucky-lucky", "100-50-30-10-3-2-2"): (IN_ANY_ORDER, 3, lucky_lucky([50, 100, 50, 30, 10, 3, 2, 2])),
    ("lucky-lucky", "100-50-30-15-3-2-2"): (IN_ANY_ORDER, 3, lucky_lucky([50, 100, 50, 30, 15, 3, 2, 2])),
    ("lucky-lucky", "200-100-50-30-10-3-2-2"): (IN_ANY_ORDER, 3, lucky_lucky([200, 100, 50, 30, 10, 3, 2, 2])),
    ("lucky-lucky", "200-100-50-25-15-3-2-2"): (IN_ANY_ORDER, 3, lucky_lucky([200, 100, 50, 25, 15, 3, 2, 2])),
    ("hot-3", "standard"): (IN_ANY_ORDER, 3, hot_3),
    ("super-sevens", "5000-500-100-50-3"): (IN_ORDER, 3, sevens([5000, 500, 100, 50, 3])),
    ("super-sevens", "2000-500-150-25-5"): (IN_ORDER, 3, sevens([2000, 500, 150, 25, 5])),
    ("over-13", "standard"): (IN_ANY_ORDER, 2, over),
    ("under-13", "standard"): (IN_ANY_ORDER, 2, under),
    ("exactly-13", "standard"): (IN_ANY_ORDER, 2, exactly),
    ("any-pair", "25-8"): (IN_ANY_ORDER, 2, pairs(25, 8, 8)),
    ("any-pair", "25-10"): (IN_ANY_ORDER, 2, pairs(25, 10, 10)),
    ("any-pair", "20-10"): (IN_ANY_ORDER, 2, pairs(20, 10, 10)),
    ("any-pair", "15-10"): (IN_ANY_ORDER, 2, pairs(15, 10, 10)),
    ("any-pair", "12-10"): (IN_ANY_ORDER, 2, pairs(12, 10, 10)),
    ("any-pair", "12-12"): (IN_ANY_ORDER, 2, pairs(12, 12, 12)),
    ("any-pair", "15"): (IN_ANY_ORDER, 2, pairs(15, 15, 15)),
    ("match-the-dealer", "3-14"): (LAST_APART, 3, match(3, 14)),
    ("match-the-dealer", "4-11"): (LAST_APART, 3, match(4, 11)),
    ("match-the-dealer", "3-15"): (LAST_APART, 3, match(3, 15)),
    ("match-the-dealer", "4-12"): (LAST_APART, 3, match(4, 12)),
    ("match-the-dealer", "4-19"): (LAST_APART, 3, match(4, 19)),
    ("match-the-dealer", "4-9"): (LAST_APART, 3, match(4, 9)),
    ("bust-it", "200-50-15-9-7-5-3"): (LAST_APART, 3, bust_it(9, 7, 5)),
    ("bust-it", "200-50-15-10-8-6-3"): (LAST_APART, 3, bust_it(10, 8, 6)),
    ("suit-em-up", "60-10-5-3-2"): (IN_ANY_ORDER, 2, suit_em_up(60)),
    ("suit-em-up", "50-10-5-3-2"): (IN_ANY_ORDER, 2, suit_em_up(50)),
    ("royal-20s", "standard"): (IN_ANY_ORDER, 2, royal_20s),
    ("bonus-blackjack", "player-15"): (IN_ANY_ORDER, 2, bonus_blackjack),
    ("bonus-blackjack", "dealer-15"): (IN_ANY_ORDER, 2, bonus_blackjack),
    ("in-between", "30-10-6-4-1"): (LAST_APART, 3, between(10)),
    ("in-between", "30-12-6-4-1"): (LAST_APART, 3, between(12)),
    ("blazing-7s", "upcard-200-25-2"): (LAST_APART, 3, blazing(suited, coloured, 0)),
    ("blazing-7s", "upcard-500-200-25-2"): (
        LAST_APART,
        3,
        blazing(lambda *cards: suited(*cards) and cards[0][1] == 1, suited, 500),
    ),
    ("bonus-jackpot", "faces-125-25-20-6-2"): (
        IN_ANY_ORDER,
        3,
        jackpot_poker((11, 12, 13), (0, 1, 2, 3), [0, 125, 25, 20, 6, 2]),
    ),
    ("bonus-jackpot", "aces-125-25-20-6-2"): (
        IN_ANY_ORDER,
        3,
        jackpot_poker((1,), (0, 1, 2, 3), [0, 125, 25, 20, 6, 2]),
    ),
    **{
        ("21+3-progressive", name): (IN_ANY_ORDER, 3, jackpot_poker(best, suits, pays))
        for name, best, suits, pays in (
            ("table-7", (1, 13), (3,), [2000, 150, 40, 20, 5, 3]),
            ("table-8", (1, 13, 12), (3,), [2000, 125, 40, 20, 6, 2]),
            ("table-9", (1,), (3,), [2000, 150, 40, 20, 5, 3]),
            ("table-10", (1, 13), (3,), [3000, 200, 30, 20, 10, 0]),
            ("table-11", (1,), (3,), [3000, 200, 30, 20, 10, 0]),
            ("uk-table-15", (1, 12, 13), (0, 1, 2, 3), [0, 400, 80, 40, 0, 0]),
        )
    },
}
THREE_AND_DEALER: dict[tuple[str, str], Callable[..., Pay]] = {  # the player's first three cards
    ("super-sevens", "5000-500-100-50-3-cut"): sevens([5000, 500, 100, 50, 3]),
    ("blazing-7s", "third-card-200-25-2"): blazing(suited, coloured, 0),
    ("blazing-7s", "third-card-500-200-25-2"): blazing(lambda *cards: suited(*cards) and cards[0][1] == 1, suited, 500),
}
FOUR: dict[tuple[str, str], Callable[..., Pay]] = {  # the player's two cards and the dealer's two
    ("mega-match", "standard"): mega_match,
    ("bonus-blackjack", "both-15"): two_bonuses,
    ("super-4", "150-100-80-60-20-15-5"): super_4([150, 100, 80, 60, 20, 15, 5], 0),
    ("super-4", "150-80-60-40-20-10-5-2"): super_4([150, 80, 60, 40, 20, 10, 5], 2),
    ("blackjack-match", "200-30-10-5-3"): blackjack_match([200, 30, 10, 5, 3]),
    ("blackjack-match", "300-50-10-5-2"): blackjack_match([300, 50, 10, 5, 2]),
}
BY_CARDS_IN_BUST = {  # pays for a bust with 3, 4, 5, 6, 7, and 8 or more cards
    ("bust-it", "250-100-50-9-2-1"): [1, 2, 9, 50, 100, 250],
    ("buster-blackjack", "250-50-12-4-2"): [2, 2, 4, 12, 50, 250],
    ("buster-blackjack", "250-50-15-4-2"): [2, 2, 4, 15, 50, 250],
    ("buster-blackjack", "200-100-30-6-3-1"): [1, 3, 6, 30, 100, 200],
    ("buster-blackjack", "250-50-20-8-2-1"): [1, 2, 8, 20, 50, 250],
    ("buster-blackjack", "2000-800-250-50-18-4-2"): [2, 2, 4, 18, 50, 250],
}
BLACKJACK_BONUS = {7: 800, 8: 2000}
BY_UPCARD: dict[tuple[str, str], dict[int, Pay]] = {  # pays for a bust by what the upcard counts, where it is offered
    ("dealer-bust-21", "standard"): {1: 15, **dict.fromkeys(range(2, 7), 1), **dict.fromkeys((7, 8, 9), 2), 10: 4},
    ("ez-bust", "standard"): dict.fromkeys(range(2, 7), 1),
    **{
        ("bet-the-bust", f"{'ace' if card == 1 else 'ten' if card == 10 else card}-up"): {card: pays}
        for card, pays in enumerate((3.5, 1.5, 1.5, 1, 1, 1, 2.5, 3, 3, 3), 1)
    },
}


def distribution(table: SideBetResult) -> Distribution:
    found: Counter[Fraction] = Counter()
    for line in table.lines:
        found[line.pays] += line.probability
    return {pays: probability for pays, probability in found.items() if probability}


def meter_of(bet: str, paytable: str) -> int | None:
    return METER if load_side_bet(bet).paytable(paytable).meter is not None else None


def shares(counted: Counter[Any]) -> Distribution:
    everything = sum(counted.values())
    return {Fraction(pays): Fraction(number, everything) for pays, number in counted.items() if number}


def deals(kind: str, cards: int, shoe: list[Card]) -> Iterator[tuple[Any, int]]:
    """Deals of distinct cards of the shoe, each with how many it stands for."""
    if kind == IN_ANY_ORDER:
        for deal in combinations(shoe, cards):
            yield deal, 1
        return
    for left, right in combinations(range(len(shoe)), 2):
        for last, card in enumerate(shoe):
            if last not in (left, right):
                yield (shoe[left], shoe[right], card), 1
                if kind == IN_ORDER:
                    yield (shoe[right], shoe[left], card), 1


def dealt_out(kind: str, cards: int, pay: Callable[..., Pay], shoe: list[Card]) -> Distribution:
    counted: Counter[Any] = Counter()
    if kind != WITH_DEALER:
        for deal, number in deals(kind, cards, shoe):
            counted[pay(*deal)] += number
        return shares(counted)
    blackjack, nothing = ((1, 0), (13, 0)), ((2, 0), (3, 0))
    each = len(shoe) - 2
    dealers = each * (each - 1) // 2
    for left, right in combinations(range(len(shoe)), 2):
        hand = shoe[left], shoe[right]
        if pay(*hand, blackjack) == pay(*hand, nothing):
            counted[pay(*hand, nothing)] += dealers
            continue
        rest = [card for place, card in enumerate(shoe) if place not in (left, right)]
        for dealer in combinations(rest, 2):
            counted[pay(*hand, dealer)] += 1
    return shares(counted)


@pytest.mark.parametrize("decks", [1, 2])
@pytest.mark.parametrize(("bet", "paytable"), PAYS, ids=lambda name: name)
def test_dealt_cards(bet: str, paytable: str, decks: int) -> None:
    expected = dealt_out(*PAYS[bet, paytable], deck(decks))
    assert distribution(sidebet(bet, paytable=paytable, decks=decks, meter=meter_of(bet, paytable))) == expected


@pytest.mark.parametrize(("bet", "paytable"), PAYS, ids=lambda name: name)
def test_dealt_cards_of_a_deck_without_some_ranks(bet: str, paytable: str) -> None:
    expected = dealt_out(*PAYS[bet, paytable], deck(1, (5, 10)))
    rules, meter = Rules(decks=1, removed_ranks="5,10"), meter_of(bet, paytable)
    assert distribution(sidebet(bet, paytable=paytable, rules=rules, meter=meter)) == expected
    chosen = load_side_bet(bet)
    table = chosen.paytable(paytable)
    formula = symbolic(chosen, table if meter is None else table.with_meter(meter), rules)
    assert formula.at(1) == sum(pays * share for pays, share in expected.items())
    assert formula.at(9) == sidebet(bet, paytable=paytable, rules=rules, decks=9, meter=meter).exact_ev


# Which ranks are gone, so that hands of four cards can be dealt out.
@pytest.mark.parametrize(("decks", "removed"), [(1, (3, 4, 5, 6, 7, 8)), (2, (2, 3, 4, 5, 6, 7, 8, 9))])
@pytest.mark.parametrize(("bet", "paytable"), FOUR, ids=lambda name: name)
def test_two_cards_and_two(bet: str, paytable: str, decks: int, removed: tuple[int, ...]) -> None:
    shoe, pay = deck(decks, removed), FOUR[bet, paytable]
    counted: Counter[Any] = Counter()
    for player in combinations(range(len(shoe)), 2):
        hand = [shoe[card] for card in player]
        rest = [card for place, card in enumerate(shoe) if place not in player]
        for upcard, number in Counter(rest).items():
            for hole, others in (Counter(rest) - Counter([upcard])).items():
                counted[pay(*hand, (upcard, hole))] += number * others
    rules = Rules(decks=decks, removed_ranks=",".join(map(str, removed)))
    assert distribution(sidebet(bet, paytable=paytable, rules=rules, meter=meter_of(bet, paytable))) == shares(counted)


@pytest.mark.parametrize(("decks", "removed"), [(1, (2, 3, 4, 5, 6, 8)), (3, (2, 3, 4, 5, 6, 8, 9, 10))])
@pytest.mark.parametrize(("bet", "paytable"), THREE_AND_DEALER, ids=lambda name: name)
def test_three_cards_and_the_dealers(bet: str, paytable: str, decks: int, removed: tuple[int, ...]) -> None:
    """A dealer's blackjack leaves two cards: the third counts as a king."""
    shoe, pay = deck(decks, removed), THREE_AND_DEALER[bet, paytable]
    counted: Counter[Any] = Counter()
    for (first, n), (second, m), (third, k) in product(Counter(shoe).items(), repeat=3):
        three = [first, second, third]
        ways = n * (m - (second == first)) * (k - (third == first) - (third == second))
        if not ways:
            continue
        left = Counter(shoe) - Counter(three)
        aces = sum(number for (rank, _), number in left.items() if rank == 1)
        tens = sum(number for (rank, _), number in left.items() if rank >= 10)
        counted[pay(first, second, (13, 0))] += ways * aces * tens
        counted[pay(*three)] += ways * (comb(left.total(), 2) - aces * tens)
    rules = Rules(decks=decks, removed_ranks=",".join(map(str, removed)))
    assert distribution(sidebet(bet, paytable=paytable, rules=rules, meter=meter_of(bet, paytable))) == shares(counted)


@cache
def busts(shoe: tuple[int, ...], hits_soft_17: bool, upcard: int = 0) -> dict[int, Fraction]:
    """Of each number of cards the probability that the dealer busts with it, following every draw after his upcard."""
    found: dict[int, Fraction] = {}

    def draw(left: tuple[int, ...], low: int, ace: bool, cards: int, probability: Fraction) -> None:
        soft = ace and low <= 11
        points = low + 10 if soft else low
        if points > 21:
            found[min(cards, 8)] = found.get(min(cards, 8), Fraction(0)) + probability
        elif points < 17 or (points == 17 and soft and hits_soft_17):
            everything = sum(left)
            for value, number in enumerate(left):
                if number:
                    after = (*left[:value], number - 1, *left[value + 1 :])
                    share = probability * Fraction(number, everything)
                    draw(after, low + value + 1, ace or value == 0, cards + 1, share)

    draw(shoe, upcard, upcard == 1, int(upcard > 0), Fraction(1))
    return found


@pytest.mark.parametrize("hits_soft_17", [False, True])
@pytest.mark.parametrize("decks", [1, 2])
@pytest.mark.parametrize(("bet", "paytable"), BY_UPCARD, ids=lambda name: name)
def test_upcard_and_bust(bet: str, paytable: str, decks: int, hits_soft_17: bool) -> None:
    everything: Counter[int] = Counter({**dict.fromkeys(range(1, 10), 4 * decks), 10: 16 * decks})
    expected: Counter[Fraction] = Counter()
    offered = Fraction(0)
    for card, pays in BY_UPCARD[bet, paytable].items():
        left = everything - Counter([card])
        up = Fraction(everything[card], everything.total())
        looked = bet == "bet-the-bust" and card in (1, 10)  # and he has no blackjack
        offered += up * (1 - looked * Fraction(left[11 - card], left.total()))
        shoe = tuple(left[value] for value in range(1, 11))
        expected[Fraction(pays)] += up * sum(busts(shoe, hits_soft_17, card).values())
    expected = Counter({pays: share / offered for pays, share in expected.items()})
    expected[Fraction(-1)] = 1 - expected.total()
    rules = Rules(decks=decks, dealer_hits_soft_17=hits_soft_17)
    assert distribution(sidebet(bet, paytable=paytable, rules=rules)) == expected


@pytest.mark.parametrize("hits_soft_17", [False, True])
@pytest.mark.parametrize(("decks", "ranks"), [(1, "none"), (2, "none"), (1, "4,9,10,J"), (2, "A")])
@pytest.mark.parametrize(("bet", "paytable"), BY_CARDS_IN_BUST, ids=lambda name: name)
def test_dealers_hand(bet: str, paytable: str, decks: int, ranks: str, hits_soft_17: bool) -> None:
    gone = {"4,9,10,J": (0, 0, 0, 1, 0, 0, 0, 0, 1, 2), "A": (1, *[0] * 9)}.get(ranks, (0,) * 10)
    shoe = tuple(4 * decks * (each - less) for each, less in zip((*[1] * 9, 4), gone, strict=True))
    pays = dict(zip(range(3, 9), BY_CARDS_IN_BUST[bet, paytable], strict=True))
    expected: Counter[Fraction] = Counter()
    for cards, probability in busts(shoe, hits_soft_17).items():
        expected[Fraction(pays[cards])] += probability
    if paytable.startswith("2000"):
        # The chance of a blackjack, and what the dealer does when an ace and a ten are gone.
        natural_hand = Fraction(2 * shoe[0] * shoe[9], sum(shoe) * (sum(shoe) - 1))
        without = (shoe[0] - 1, *shoe[1:9], shoe[9] - 1)
        for cards, bonus in BLACKJACK_BONUS.items():
            both = natural_hand * busts(without, hits_soft_17)[cards] if natural_hand else Fraction(0)
            expected[Fraction(pays[cards])] -= both
            expected[Fraction(bonus)] += both
    expected[Fraction(-1)] = 1 - sum(expected.values())
    rules = Rules(decks=decks, dealer_hits_soft_17=hits_soft_17, removed_ranks=ranks)
    found = {pays: share for pays, share in expected.items() if share}
    assert distribution(sidebet(bet, paytable=paytable, rules=rules)) == found
    chosen = load_side_bet(bet)
    formula = symbolic(chosen, chosen.paytable(paytable), rules)
    assert formula.at(decks) == sum(pays * share for pays, share in found.items())


@pytest.mark.parametrize("decks", [1, 2, 8])
def test_insurance(decks: int) -> None:
    for ranks, tens, cards in (("none", 16, 52), ("10", 12, 48), ("2,10,K", 8, 40)):
        won = Fraction(tens * decks, cards * decks - 1)
        rules = Rules(decks=decks, removed_ranks=ranks)
        assert distribution(sidebet("insurance", rules=rules)) == {Fraction(2): won, Fraction(-1): 1 - won}
        insurance = analyze(rules.replace(max_hands=1)).insurance
        assert insurance is not None
        assert insurance.ev == pytest.approx(float(3 * won - 1), abs=1e-15)


@pytest.mark.parametrize(("decks", "removed"), [(1, ()), (2, ()), (6, (7,)), (1, (5, 10))])
def test_four_cards(decks: int, removed: tuple[int, ...]) -> None:
    counted: Counter[Pay] = Counter()
    left = [rank for rank in range(1, 14) if rank not in removed]
    for hand in combinations_with_replacement(left, 4):
        pattern = tuple(sorted(Counter(hand).values()))
        pay = {(4,): 40, (1, 3): 5, (2, 2): 8, (1, 1, 2): 1, (1, 1, 1, 1): -1}[pattern]
        counted[pay] += prod(comb(4 * decks, number) for number in pattern)
    rules = Rules(decks=decks, removed_ranks=",".join(map(str, removed)) or "none")
    assert distribution(sidebet("super-match", rules=rules)) == shares(counted)


@pytest.mark.parametrize("hits_soft_17", [False, True])
@pytest.mark.parametrize("decks", [1, 2])
def test_a_dealers_22(decks: int, hits_soft_17: bool) -> None:
    def comes_to_22(left: tuple[int, ...], low: int, ace: bool, probability: Fraction) -> Fraction:
        soft = ace and low <= 11
        points = low + 10 if soft else low
        if points > 17 or (points == 17 and not (soft and hits_soft_17)):
            return probability if points == 22 else Fraction(0)
        everything = sum(left)
        return sum(
            (
                comes_to_22(
                    (*left[:value], number - 1, *left[value + 1 :]),
                    low + value + 1,
                    ace or value == 0,
                    probability * Fraction(number, everything),
                )
                for value, number in enumerate(left)
                if number
            ),
            Fraction(0),
        )

    won = comes_to_22((*[4 * decks] * 9, 16 * decks), 0, False, Fraction(1))
    table = sidebet("push-22", paytable="11", decks=decks, rules=Rules(dealer_hits_soft_17=hits_soft_17))
    assert distribution(table) == {Fraction(11): won, Fraction(-1): 1 - won}


CUT = "5000-500-100-50-3-cut"


@pytest.mark.parametrize(("decks", "removed"), [(1, (5, 10)), (2, (2, 3, 4, 5, 6, 8, 9, 10, 12))])
def test_a_third_seven_that_is_not_dealt(decks: int, removed: tuple[int, ...]) -> None:
    """After two sevens and a dealer's blackjack; all his hands are dealt for each third card."""
    shoe = deck(decks, removed)
    counted: Counter[Pay] = Counter()
    for places in permutations(range(len(shoe)), 2):
        first, second = (shoe[place] for place in places)
        rest = [card for place, card in enumerate(shoe) if place not in places]
        for third, card in enumerate(rest):
            left = rest[:third] + rest[third + 1 :]
            pairs = comb(len(left), 2)
            if first[0] != 7 or second[0] != 7:
                counted[3 if first[0] == 7 else -1] += pairs
                continue
            blackjacks = sum(natural(*hand) for hand in combinations(left, 2))
            two = 100 if suited(first, second) else 50
            counted[two] += blackjacks
            paid = two if card[0] != 7 else 5000 if suited(first, second, card) else 500
            counted[paid] += pairs - blackjacks
    rules = Rules(decks=decks, removed_ranks=",".join("A23456789TJQK"[rank - 1] for rank in removed))
    assert distribution(sidebet("super-sevens", paytable=CUT, rules=rules)) == shares(counted)


def test_three_sevens_of_six_decks_without_those_that_are_not_dealt() -> None:
    table = sidebet("super-sevens", paytable=CUT, decks=6)
    three = sum((line.probability for line in table.lines[:2]), Fraction(0))
    always = Fraction(24 * 23 * 22, 312 * 311 * 310)
    assert three == always * (1 - Fraction(24 * 96, comb(309, 2)))
    assert (round(float(three), 9), round(float(always), 9)) == (0.000384177, 0.000403724)


# Bets on the dealer's whole hand: lines of a file, and when a player's two cards `p` and a dealer's hand `d` have them.
Lines = list[tuple[str, Callable[[list[Card], list[Card]], bool]]]
RANKS_AND_SUITS: Lines = [
    (
        "{ busts = true, each = '8', same = 'suit' }",
        lambda p, d: total(*d) > 21 and set(ranks(*d)) == {8} and suited(*d),
    ),
    ("{ cards = ['8c', '8', '8'] }", lambda p, d: ranks(*d) == [8, 8, 8] and (8, 0) in d),
    ("{ total = 22, same = 'suit' }", lambda p, d: total(*d) == 22 and suited(*d)),
    ("{ total = 22, same = 'colour' }", lambda p, d: total(*d) == 22 and coloured(*d)),
    ("{ same = ['rank', 'suit'] }", lambda p, d: len(set(d)) == 1),
    ("{ same = 'rank' }", lambda p, d: same_rank(*d)),
    ("{ of_a_kind = 3 }", lambda p, d: max(Counter(ranks(*d)).values()) >= 3),
    ("{ pairs = 2 }", lambda p, d: sum(n // 2 for n in Counter(ranks(*d)).values()) >= 2),
    ("{ busts = true, suits = ['c', 'd'] }", lambda p, d: total(*d) > 21 and {suit for _, suit in d} <= {0, 1}),
    ("{ cards = ['Jd', '6', '6c'] }", lambda p, d: ranks(*d) == [6, 6, 11] and (11, 1) in d and (6, 0) in d),
    ("{ straight = true }", lambda p, d: in_a_row(*d)),
    ("{ some = ['Ac', 'J'], cards_in_hand = '3+' }", lambda p, d: len(d) > 2 and ((1, 0) in d or 11 in ranks(*d))),
    ("{ of_a_kind = 2, soft = false }", lambda p, d: max(Counter(ranks(*d)).values()) >= 2 and not is_soft(*d)),
]
FIRST_CARDS: Lines = [
    (
        "{ all = [{ of = 'upcard', each = '6c' }, { busts = true, same = 'suit' }] }",
        lambda p, d: d[0] == (6, 0) and total(*d) > 21 and suited(*d),
    ),
    (
        "{ all = [{ of = ['upcard', 'hole'], same = 'suit' }, { busts = true }] }",
        lambda p, d: suited(*d[:2]) and total(*d) > 21,
    ),
    (
        "{ all = [{ of = 'hole', each = ['Jd', 'A'] }, { cards = ['8', 'J', '6c'] }] }",
        lambda p, d: d[1] == (11, 1) and ranks(*d) == [6, 8, 11] and (6, 0) in d,
    ),
    ("{ not = { of = 'upcard', some = ['6', '8', 'K'] } }", lambda p, d: d[0][0] not in (6, 8, 13)),
]
WITH_PLAYER: Lines = [
    (
        "{ all = [{ of = 'player', same = 'suit' }, { of = 'dealer', same = 'suit' }] }",
        lambda p, d: suited(*p) and suited(*d),
    ),
    (
        "{ all = [{ of = 'player', blackjack = true }, { of = 'dealer', busts = true }] }",
        lambda p, d: natural(*p) and total(*d) > 21,
    ),
    (
        "{ all = [{ of = 'first', each = '6c' }, { of = 'dealer', cards = ['6c', 'J', '6'] }] }",
        lambda p, d: p[0] == (6, 0) and ranks(*d) == [6, 6, 11] and (6, 0) in d,
    ),
    ("{ of = ['first', 'upcard'], same = ['rank', 'suit'] }", lambda p, d: p[0] == d[0]),
    (
        "{ all = [{ of = 'player', some = '8c' }, { of = 'dealer', each = ['8', '6', 'J'] }] }",
        lambda p, d: (8, 0) in p and set(ranks(*d)) <= {6, 8, 11},
    ),
]
FIRST_AND_UPCARD: Lines = [
    (
        "{ all = [{ of = ['first', 'upcard'], total = 14 }, { of = 'dealer', total = '17-20' }] }",
        lambda p, d: total(p[0], d[0]) == 14 and 17 <= total(*d) <= 20,
    )
]
CLUBS_MOSTLY = "2xAc Ah 2x6c 6d 6h 3x8c 8d 9s Tc Jc Jd 2xKc"
FEW = "Ac 2x6c 6d 8c 8d 2xJc Kc"


def is_soft(*cards: Card) -> bool:
    return total(*cards) != low_total(*cards)


def in_a_row(*cards: Card) -> bool:
    for ace in (1, 14):
        found = sorted(ace if rank == 1 else rank for rank, _ in cards)
        if found == list(range(found[0], found[0] + len(found))):
            return True
    return False


def dealer_hands(shoe: list[Card], hand: list[Card], hits_soft_17: bool) -> Iterator[tuple[list[Card], Fraction]]:
    """Every hand that the dealer can end with, real card by real card, and its probability."""
    points = total(*hand) if hand else 0
    if points > 17 or (points == 17 and not (hits_soft_17 and is_soft(*hand))):
        yield hand, Fraction(1)
        return
    for place, card in enumerate(shoe):
        for ended, probability in dealer_hands(shoe[:place] + shoe[place + 1 :], [*hand, card], hits_soft_17):
            yield ended, probability / len(shoe)


@pytest.mark.parametrize("hits_soft_17", [False, True])
@pytest.mark.parametrize(
    ("cards", "lines", "shoe"),
    [
        ("dealer-hand", RANKS_AND_SUITS, CLUBS_MOSTLY),
        ("dealer-hand", FIRST_CARDS, CLUBS_MOSTLY),
        ("player+dealer-hand", WITH_PLAYER, FEW),
        ("player+dealer-hand", FIRST_AND_UPCARD, FEW),
    ],
    ids=["ranks and suits", "first cards", "with the player", "one card of each"],
)
def test_a_dealers_whole_hand(cards: str, lines: Lines, shoe: str, hits_soft_17: bool) -> None:
    real = [
        ("A23456789TJQK".index(card.symbol) + 1, "cdhs".index(card.suit or ""))
        for card in Counter(count_cards(shoe)).elements()
    ]
    found = [Fraction(0)] * (len(lines) + 1)
    for places in permutations(range(len(real)), 2) if cards.startswith("player") else [()]:
        player = [real[place] for place in places]
        left = [card for place, card in enumerate(real) if place not in places]
        share = Fraction(1, len(real) * (len(real) - 1)) if places else Fraction(1)
        for hand, probability in dealer_hands(left, [], hits_soft_17):
            line = next((number for number, (_, has) in enumerate(lines) if has(player, hand)), len(lines))
            found[line] += share * probability
    text = "".join(
        f"[[lines]]\nname = '{number}'\npays = {99 - number}\nwhen = {when}\n" for number, (when, _) in enumerate(lines)
    )
    bet = CATALOGUE.parse(f'name = "mine"\ntitle = "Mine"\ncards = "{cards}"\n{text}', "mine.toml")
    rules = Rules(dealer_hits_soft_17=hits_soft_17)
    table = sidebet(bet, shoe=SuitedShoe.of_cards(shoe), rules=rules)
    assert [line.probability for line in table.lines] == found
    assert all(found[: len(lines)])


@pytest.mark.parametrize("when", ["each = '8', same = 'suit'", "cards = ['8', '8', '8'], same = 'suit'"])
def test_suited_eights_of_six_decks(when: str) -> None:
    """Of all sets of three cards those of one suit; the dealer draws to two eights and is over with three."""
    text = f"cards = 'dealer-hand'\n[[lines]]\nname = '8-8-8'\npays = 75\nwhen = {{ busts = true, {when} }}"
    bet = CATALOGUE.parse(f"name = 'mine'\ntitle = 'Mine'\n{text}", "mine.toml")
    assert sidebet(bet, decks=6).lines[0].probability == Fraction(4 * comb(6, 3), comb(312, 3))
    formula = symbolic(bet, bet.paytable(), Rules())
    assert formula.lines[0].probability.subs("d", 9) == Fraction(4 * comb(9, 3), comb(468, 3))


SUITED_HANDS: dict[tuple[str, str], tuple[int, list[Pay]]] = {
    # Of 22 in one suit, in one colour and otherwise; of a bust in one suit and otherwise under this upcard.
    ("push-22", "11"): (0, [11, 11, 11]),
    ("push-22", "50-20-8"): (0, [50, 20, 8]),
    ("push-22", "35-17-10"): (0, [35, 17, 10]),
    **{
        ("bust-bonus", f"{'ace' if card == 1 else 'ten' if card == 10 else card}-up"): (card, list(pays))
        for card, pays in enumerate(
            ((50, 3), (25, 1), (15, 1), (10, 1), (5, 1), (3, 1), (15, 2), (10, 2), (20, 2), (20, 2)), 1
        )
    },
}


ALL_UPCARDS = "2xAc 2c 3c 4c 5c 6c 6d 7c 3x8c 9c 9s Jc Kd"


@cache
def hands_of_all_upcards(hits_soft_17: bool) -> dict[tuple[Card, ...], Fraction]:
    """The dealer's hands from a shoe with every upcard and their probabilities, the cards after the upcard sorted."""
    real = [
        ("A23456789TJQK".index(card.symbol) + 1, "cdhs".index(card.suit or ""))
        for card in Counter(count_cards(ALL_UPCARDS)).elements()
    ]
    found: Counter[tuple[Card, ...]] = Counter()
    for (upcard, *others), probability in dealer_hands(real, [], hits_soft_17):
        found[upcard, *sorted(others)] += probability
    return found


@pytest.mark.parametrize("hits_soft_17", [False, True])
@pytest.mark.parametrize(("bet", "paytable"), SUITED_HANDS, ids=lambda name: name)
def test_suits_of_the_dealers_hand(bet: str, paytable: str, hits_soft_17: bool) -> None:
    upcard, pays = SUITED_HANDS[bet, paytable]
    found: Counter[Fraction] = Counter()
    for hand, probability in hands_of_all_upcards(hits_soft_17).items():
        pay: Pay = -1
        if upcard:
            if min(hand[0][0], 10) != upcard or (len(hand) == 2 and natural(*hand)):
                continue
            if total(*hand) > 21:
                pay = ([75, 25] if ranks(*hand) == [8, 8, 8] else pays)[not suited(*hand)]
        elif total(*hand) == 22:
            pay = pays[0 if suited(*hand) else 1 if coloured(*hand) else 2]
        found[Fraction(pay)] += probability
    shoe, rules = SuitedShoe.of_cards(ALL_UPCARDS), Rules(dealer_hits_soft_17=hits_soft_17)
    expected = {pay: share / found.total() for pay, share in found.items()}
    assert distribution(sidebet(bet, paytable=paytable, shoe=shoe, rules=rules)) == expected


# Shoes as counts by value, in which no round of two or three hands can run out of cards; and the rules that differ from
# doubles free on hard 9 to 11, splits free but of tens, and aces that are not split again.
SHOES_OF_FREE_BETS = [
    ((3, 0, 0, 6, 5, 3, 0, 0, 2, 3), {"max_hands": 3}),
    ((3, 0, 0, 6, 5, 3, 0, 0, 2, 3), {"max_hands": 3, "free_double_on": "hard 8-9, soft 16-18"}),
    ((7, 0, 0, 0, 6, 0, 0, 0, 3, 6), {"max_hands": 3, "resplit_aces": True}),
    ((6, 0, 0, 0, 6, 0, 0, 0, 3, 6), {"max_hands": 3, "free_split": "A-T", "free_double_on": "11"}),
    ((6, 0, 0, 5, 5, 5, 0, 0, 0, 2), {"max_hands": 3, "double_after_split": False, "resplit_aces": True}),
    ((6, 0, 0, 6, 5, 0, 0, 0, 0, 2), {"max_hands": 2, "double_split_aces": True, "free_double_on": "9, soft 15-16"}),
    ((4, 0, 0, 6, 5, 6, 0, 0, 0, 2), {"max_hands": 2, "free_split": "4", "double_on": "10"}),
    ((2, 0, 0, 8, 6, 0, 0, 0, 0, 6), {"max_hands": 4, "free_double_on": "9"}),
]
FREE = {"free_double_on": "hard 9-11", "free_split": "A-9"}


def free_bets(shoe: tuple[int, ...], rules: Rules, doubles: set[tuple[int, bool]], splits: set[int]) -> Distribution:
    """How many free bets there are, dealing card by card: hands that may not be doubled or split hit to 12."""

    def draw(left: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...], Fraction]]:
        for value, number in enumerate(left):
            if number:
                after = (*left[:value], number - 1, *left[value + 1 :])
                yield value, after, Fraction(number, sum(left))

    @cache
    def play(left: tuple[int, ...], hands: tuple[tuple[int, ...], ...], number: int) -> Distribution:
        if not hands:
            return {Fraction(0): Fraction(1)}
        (hand, *others), split = hands, number > 1
        low = sum(hand) + len(hand)
        total, soft = (low + 10, True) if 0 in hand and low <= 11 else (low, False)
        aces = split and hand[0] == 0
        made, ways = 0, [(left, tuple(others), number, Fraction(1))]
        may_double = not split or (rules.double_after_split and (not aces or rules.double_split_aces))
        if len(hand) == 2 and may_double and (total, soft) in doubles:
            made, ways = 1, [(after, tuple(others), number, chance) for _, after, chance in draw(left)]
        elif (
            len(hand) == 2
            and hand[0] == hand[1]
            and hand[0] in splits
            and number < rules.max_hands
            and (not aces or rules.resplit_aces)
        ):
            made, ways = 1, [(left, ((hand[0],), (hand[0],), *others), number + 1, Fraction(1))]
        elif len(hand) == 1 or (total < 12 and not aces):
            ways = [(after, ((*hand, value), *others), number, chance) for value, after, chance in draw(left)]
        found: Counter[Fraction] = Counter()
        for after, waiting, now, chance in ways:
            for more, share in play(after, waiting, now).items():
                found[more + made] += chance * share
        return found

    found: Counter[Fraction] = Counter()
    for first, after_first, p in draw(shoe):
        for up, after_up, q in draw(after_first):
            for second, after_second, r in draw(after_up):
                for hole, left, s in draw(after_second):
                    rounds = {Fraction(0): Fraction(1)} if {up, hole} == {0, 9} else play(left, ((first, second),), 1)
                    for number, share in rounds.items():
                        found[number] += p * q * r * s * share
    return dict(found)


@pytest.mark.parametrize(("shoe", "changes"), SHOES_OF_FREE_BETS)
def test_free_bets(shoe: tuple[int, ...], changes: dict[str, Any]) -> None:
    rules = Rules(**{**FREE, **changes})
    free = {
        "hard 9-11": {(9, False), (10, False), (11, False)},
        "hard 8-9, soft 16-18": {(8, False), (9, False), (16, True), (17, True), (18, True)},
        "11": {(11, False)},
        "9": {(9, False)},
        "9, soft 15-16": {(9, False), (15, True), (16, True)},
    }[changes.get("free_double_on", FREE["free_double_on"])]
    splits = {"A-9": set(range(9)), "A-T": set(range(10)), "4": {3}}[rules.free_split]
    if rules.double_on == "10":
        free = free & {(10, False)}
    expected = free_bets(shoe, rules, free, splits)
    cards = SuitedShoe.of_cards(dict(zip(map(NamedCard, "A23456789T"), shoe, strict=True)), "values")
    lines = "".join(f"[[lines]]\nname = '{n}'\npays = {n + 1}\nwhen = {{ free_bets = {n} }}\n" for n in range(8))
    bet = CATALOGUE.parse(f'name = "mine"\ntitle = "Mine"\ncards = "free-bets"\n{lines}', "mine.toml")
    found = {Fraction(line.name): line.probability for line in sidebet(bet, shoe=cards, rules=rules).lines[:-1]}
    assert {number: share for number, share in found.items() if share} == expected
    assert len(expected) > 2


def test_no_free_bet() -> None:
    """Of six decks, by arithmetic: neither a pair up to nines nor hard 9 to 11, or a dealer's blackjack."""
    cards, each = 312, 24
    hands = 9 * comb(each, 2) + (3 + 3 + 4) * each**2  # and the fives are a pair already
    pairs_of_aces, others = comb(each, 2), hands - comb(each, 2)
    for_dealer = comb(cards - 2, 2)
    tens = 4 * each
    won = hands * for_dealer - others * each * tens - pairs_of_aces * (each - 2) * tens
    none = 1 - Fraction(won, comb(cards, 2) * for_dealer)
    assert none == Fraction(54104684, 64546495)
    table = sidebet("pot-of-gold", decks=6)
    assert (table.lines[-1].name, table.lines[-1].probability) == ("No free bet", none)


def test_free_bets_without_any() -> None:
    for rules, why in (
        (Rules(), "none with free_double_on=none and free_split=none"),
        (Rules(free_split="8", max_hands=1), "none with free_double_on=none and free_split=8"),
        (Rules(free_split="T", split_by="rank"), "takes like tens apart"),
    ):
        with pytest.raises(PaytableError, match=why):
            sidebet("pot-of-gold", rules=rules)
    assert sidebet("pot-of-gold", rules=Rules(free_split="8")).lines[0].combinations == 0


def test_every_paytable_is_tested() -> None:
    known = {(bet, paytable.name) for bet in side_bets() for paytable in load_side_bet(bet).paytables}
    others = {(bet, "standard") for bet in ("insurance", "super-match")}
    counted = {("pot-of-gold", paytable.name) for paytable in load_side_bet("pot-of-gold").paytables}
    assert known == {*PAYS, *FOUR, *BY_CARDS_IN_BUST, *BY_UPCARD, ("super-sevens", CUT), *others, *counted}

    dealers = {*BY_CARDS_IN_BUST, *BY_UPCARD, *SUITED_HANDS}
    assert known == {*PAYS, *THREE_AND_DEALER, *FOUR, *dealers, *others, *counted}


def test_the_deals_here_are_all_there_are() -> None:
    small = deck(1)[:6]
    for kind, number in ((IN_ANY_ORDER, 20), (LAST_APART, 60), (IN_ORDER, 120)):
        assert sum(times for _, times in deals(kind, 3, small)) == number
