"""How rounds end, and bets on that, against rounds played card by card on tiny shoes: equality, no tolerance."""

import tomllib
from collections import Counter, defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import brute_force as bf
import pytest
from brute_force_endings import Ending, endings
from test_brute_force import CASES, Case, EnginePlay, rules

from odds.game.rules import Rules
from odds.game.shoe import Shoe
from odds.results.round import analyze
from odds.results.round_bets import round_law
from odds.results.side_bets import sidebet
from odds.sidebets import Line, Paytable, SideBet, SuitedShoe
from odds.sidebets.conditions import ROUND, ConditionReader

RESULTS = ("win", "push", "loss", "surrender")
UNKNOWN = ("bonuses", "charlie", "redoubles", "double_rescue", "raise_after_upcard")
KNOWN = [case for case in CASES if all(getattr(case.rules, name) == getattr(Rules(), name) for name in UNKNOWN)]


QUICK = {
    *("deck", "deck-no-peek", "infinite", "peek", "late-surrender", "early-surrender", "no-peek-original", "exposed"),
    *("no-peek-early-surrender", "three-hands-no-peek", "by-rank-three", "split-blackjack-original", "ties-lose"),
    *("21-wins-per-hand", "free-bet"),
}


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=case.name, marks=[] if case.name in QUICK else pytest.mark.slow) for case in KNOWN]
)
def test_endings(case: Case) -> None:
    result = analyze(case.rules, shoe=case.cards)
    law = round_law(result, {"first", *ROUND})
    expected: dict[object, dict[Ending, Fraction]] = {}
    for (cards, seen), ends in endings(case.shoe, case.rules, EnginePlay(result)).items():
        of_values = expected.setdefault((bf.values(cards), bf.values(seen)), defaultdict(Fraction))
        for ending, p in ends.items():
            of_values[ending] += p
    found: dict[object, dict[Ending, Fraction]] = {}
    for dealt, ends in law.endings.items():
        assert dealt is not None
        of_values = found.setdefault((dealt.player, dealt.dealer), defaultdict(Fraction))
        for (number, *rest), n in ends.items():
            of_values[Ending(RESULTS[number], *rest)] += Fraction(n, law.unit)
    assert found.keys() == expected.keys()
    for dealt, ends in expected.items():
        assert found[dealt] == ends, dealt


def wins_stiff(first: str, second: str, ending: Ending) -> bool:
    low = sum(min("A23456789TJQK".index(card[0]) + 1, 10) for card in (first, second))
    return ending.result == "win" and 12 <= low <= 16 and "A" not in (first[0], second[0])


LINES = {
    "suited stiff wins": (
        "{ result = 'win', of = 'player', total = '12-16', soft = false, same = 'suit' }",
        lambda first, second, upcard, ending: wins_stiff(first, second, ending) and first[1] == second[1],
    ),
    "stiff wins": (
        "{ result = 'win', of = 'player', total = '12-16', soft = false }",
        lambda first, second, upcard, ending: wins_stiff(first, second, ending),
    ),
    "both bust": (
        "{ player_busts = true, dealer_busts = true }",
        lambda first, second, upcard, ending: ending.player_total > 21 and ending.dealer_total > 21,
    ),
    "a king against a heart, doubled or split": (
        "{ any = [{ doubled = true }, { split = true }], all = [{ of = 'first', some = 'K' }, "
        "{ of = 'upcard', suits = 'h' }] }",
        lambda first, second, upcard, ending: (ending.doubled or ending.split) and first[0] == "K" and upcard[1] == "h",
    ),
    "three of one suit": (
        "{ result = ['push', 'surrender'], same = 'suit', of = ['player', 'upcard'] }",
        lambda first, second, upcard, ending: (
            ending.result in ("push", "surrender") and first[1] == second[1] == upcard[1]
        ),
    ),
    "wins by two or three": (
        "{ wins_by = '2-3', of = 'first', suits = ['c', 's'] }",
        lambda first, second, upcard, ending: ending.margin in (2, 3) and first[1] in "cs",
    ),
    "a long 20 or 21 beats it": (
        "{ result = 'loss', dealer_total = '20+', dealer_cards = '3+', player_total = '17-20' }",
        lambda first, second, upcard, ending: (
            ending.result in ("loss", "surrender")
            and ending.dealer_total >= 20
            and ending.dealer_cards >= 3
            and 17 <= ending.player_total <= 20
        ),
    ),
    "a blackjack": (
        "{ any = [{ player_blackjack = true }, { dealer_blackjack = true }] }",
        lambda first, second, upcard, ending: ending.player_blackjack or ending.dealer_blackjack,
    ),
}
CARDS = {
    "high": "Ah,As,Ad,7c,7h,7s,7d,9h,9h,9c,9s,Th,Tc,Jh,Qs,Kh,Kd,Ks",
    "low": "Ah,As,Ad,Ac,4h,4s,4s,4c,6h,6h,6d,6s,Th,Tc,Jh,Jd,Qs,Kh,Kd,Ks",
    "unlike": "Ah,7c,7h,7s,8c,8d,8h,8s,Th,Tc,Jh,Jd,Qs,Qd,Kh,Ks",
}


@pytest.mark.parametrize(
    ("name", "setting"),
    [
        ("high", rules(surrender="late")),
        ("low", rules(dealer_hits_soft_17=True, hole_card="none")),
        ("high", rules(hole_card="exposed")),
        ("unlike", rules(split_by="rank")),
    ],
    ids=["peek", "no-peek", "exposed", "by-rank"],
)
def test_bets_on_physical_cards(name: str, setting: Rules) -> None:
    """Every three cards of a shoe with suits, in every order, and every round that can follow."""
    dealt = CARDS[name].split(",")
    shoe = SuitedShoe.of_cards(CARDS[name])
    reader = ConditionReader("round", {})
    paid = [
        Line(line, Fraction(len(LINES) - n), reader.read("when", tomllib.loads(f"when = {text}")["when"]))
        for n, (line, (text, _)) in enumerate(LINES.items())
    ]
    paytable = Paytable("one", "round", tuple(paid))
    counts = Counter(card[0] for card in dealt)
    result = analyze(setting, shoe=Shoe.of_counts(counts))
    expected: dict[str, Fraction] = defaultdict(Fraction)
    alone: dict[str, Fraction] = defaultdict(Fraction)
    known: dict[object, dict[Ending, Fraction]] = {}
    by_rank = setting.split_by == "rank"
    for (cards, seen), ends in endings(counts, setting, EnginePlay(result)).items():
        known[cards, seen] = ends
    exposed = setting.hole_card == "exposed"
    length = 4 if exposed else 3
    orders = Counter(permutations(dealt, length))
    numbers: Counter[object] = Counter()

    def key(cards: tuple[str, ...]) -> object:
        ranks = [bf.card_of(card[0]) for card in cards]
        values = ranks if by_rank else [min(rank, bf.TEN) for rank in ranks]
        seen = tuple(sorted(min(rank, bf.TEN) for rank in ranks[2:]))
        return tuple(sorted(values[:2])), seen

    for order, n in orders.items():
        numbers[key(order)] += n
    for order, n in orders.items():
        ends = known[key(order)]
        first, second, upcard = order[:3]
        share = Fraction(n, numbers[key(order)])
        for ending, p in ends.items():
            lines = [line for line, (_, wins) in LINES.items() if wins(first, second, upcard, ending)]
            for line in lines:
                alone[line] += p * share
            expected[lines[0] if lines else "none"] += p * share
    table = sidebet(SideBet("mine", "Mine", (paytable,)), result, shoe=shoe)
    assert {line.name: line.probability for line in table.lines[:-1]} == {name: expected[name] for name in LINES}
    assert sum(line.probability for line in table.lines) == 1
    law = round_law(result, {place for places in (ROUND, ("first", "second", "upcard")) for place in places})
    for line in paid:
        assert law.probabilities(replace(paytable, lines=(line,)), shoe)[0] == alone[line.name], line.name
