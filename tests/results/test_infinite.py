"""Infinitely many decks: cards are drawn with replacement, exactly."""

from fractions import Fraction

import pytest

import odds
from odds.errors import ShoeError
from odds.game.rules import Rules
from odds.game.shoe import Shoe
from odds.results.boxes import boxes
from odds.results.dealer import exact_distribution
from odds.results.exact import closest_decisions
from odds.results.round import analyze
from odds.sidebets.paytable import load_side_bet
from odds.sidebets.symbolic import symbolic

ENDLESS = Shoe.of_decks("infinite")
VARIED = [
    {},
    {"max_hands": 2, "surrender": "late", "dealer_hits_soft_17": True},
    {"max_hands": 2, "hole_card": "none", "dealer_blackjack_takes": "original", "dealer_22": "push"},
    {"max_hands": 2, "split_by": "rank", "hole_card": "exposed", "dealer_wins_ties": "17"},
    {"max_hands": 2, "removed_ranks": "10", "double_cards": "any", "player_21": "wins", "insurance": "ace,ten"},
]


def infinite(**changes) -> Rules:
    return Rules(decks="infinite", **changes)


# Of an independent program, which goes by totals: with the dealer's ace, 2 to 9, and ten up.
BY_UPCARD = {
    "H17": [
        *(-0.36919865437040783, 0.09068178502766472, 0.1235357283461444, 0.15883530455819178, 0.1967242242784798),
        *(0.23692909633742815, 0.14403701648868544, 0.058242694187926436, -0.0405661697307166, -0.17356586887454942),
    ],
    "S17": [
        *(-0.33779631752958994, 0.09099952884788355, 0.12380473168567878, 0.15848929329681385, 0.19652010568136744),
        *(0.23400721978108666, 0.14403701648868544, 0.058242694187926436, -0.0405661697307166, -0.17356586887454942),
    ],
    "22": [
        *(-0.39427257616363265, -0.06293946440134697, 0.019570548903466753, 0.0527635052156866, 0.08714899706127277),
        *(0.12721469305044944, 0.09122938131121094, 0.010141077158105381, -0.08351377639167055, -0.21156288863358774),
    ],
}


@pytest.mark.parametrize(
    ("changes", "name"),
    [({"dealer_hits_soft_17": True}, "H17"), ({}, "S17"), ({"dealer_22": "push", "dealer_hits_soft_17": True}, "22")],
)
def test_an_independent_program_by_upcard(changes, name) -> None:
    found = [start.ev for start in analyze(infinite(**changes)).by_start]
    assert found == pytest.approx(BY_UPCARD[name], rel=0, abs=1e-12)


@pytest.mark.parametrize("changes", VARIED)
def test_many_decks_come_near(changes) -> None:
    here, many = analyze(infinite(**changes)), analyze(Rules(decks=100_000, **changes))
    assert here.ev == pytest.approx(many.ev, rel=0, abs=1e-6)
    ours, theirs = here.outcomes(), many.outcomes()
    for name in ("variance", "p_split", "p_double", "average_wager"):
        assert getattr(ours, name) == pytest.approx(getattr(theirs, name), rel=0, abs=2e-6), name
    for found, other in zip(here.by_start, many.by_start, strict=True):
        assert found.ev == pytest.approx(other.ev, rel=0, abs=1e-5)
        assert found.probability == pytest.approx(other.probability, rel=0, abs=1e-7)


@pytest.mark.parametrize("changes", VARIED[1:])
def test_fractions(changes) -> None:
    result = analyze(infinite(**changes))
    exact = result.exact()
    outcomes = result.outcomes().exact()
    assert outcomes.mean == exact.ev
    assert outcomes.average_wager == exact.average_wager
    assert result.ev == pytest.approx(float(exact.ev), rel=0, abs=1e-13)
    assert result.outcomes().variance == pytest.approx(float(outcomes.variance), rel=0, abs=1e-12)
    cards = 13 if "removed_ranks" not in changes else 12
    assert pow(cards, 200, exact.ev.denominator) == 0 or pow(2 * cards, 200, exact.ev.denominator) == 0


def test_every_split_class_is_the_same() -> None:
    rules = infinite(max_hands=2, double_after_split=False)
    evs = [analyze(rules, split_class=split_class).ev for split_class in ("cdz", "cdp1", "full")]
    assert evs == pytest.approx([evs[0]] * 3, rel=0, abs=1e-15)
    hands = [odds.hand_values("8,8", "T", rules, split_class=name) for name in ("cdz", "full")]
    assert hands[0].actions == pytest.approx(hands[1].actions, rel=0, abs=1e-15)


def test_no_card_is_missed() -> None:
    assert ENDLESS.without("T,T,A") == ENDLESS.without([0] * 9) == ENDLESS
    assert eval(repr(ENDLESS)) == ENDLESS != Shoe.of_decks(100_000)
    assert str(ENDLESS) == "infinitely many decks"
    spanish = infinite(removed_ranks="10").shoe()
    assert str(spanish) == "infinitely many decks without 10"
    assert eval(repr(spanish)) == spanish
    with pytest.raises(ShoeError, match="cannot take 1 ace out of a shoe with none"):
        infinite(removed_ranks="A").shoe().without("A")
    assert exact_distribution(ENDLESS, "A", infinite()).unconditional["blackjack"] == Fraction(4, 13)
    insurance = analyze(infinite()).insurance
    assert insurance is not None
    assert {insurance.ev, *insurance.by_tens.values()} == {Fraction(-1, 13)}
    found = odds.deviations(infinite(max_hands=1))
    assert set(found.effects.values()) == {0.0}


def test_boxes_and_close_decisions() -> None:
    ours, theirs = (boxes(rules) for rules in (infinite(max_hands=2), Rules(decks=100_000, max_hands=2)))
    assert ours.covariance == pytest.approx(theirs.covariance, rel=0, abs=1e-5)
    assert ours.most == 4
    # Hands of one total are equally close.
    found = closest_decisions(analyze(infinite(max_hands=1)), 2)
    assert {sum(map(int, decision.player.split(","))) for decision in found} == {16}
    assert {(decision.dealer, decision.best) for decision in found} == {("T", "hit")}
    assert found[0].gap == pytest.approx(found[1].gap, rel=0, abs=1e-15)


def test_the_best_chart_is_the_best_play() -> None:
    rules = infinite(surrender="late")
    assert odds.evaluate(rules, odds.basic_strategy(rules)).ev == pytest.approx(analyze(rules).ev, rel=0, abs=1e-12)


@pytest.mark.parametrize("name", [name for name in odds.side_bets() if load_side_bet(name).paytable().cards != "round"])
def test_side_bets(name: str) -> None:
    here, many = odds.sidebet(name, decks="infinite"), odds.sidebet(name, decks=100_000)
    assert here.unit == "permutations"
    assert sum(line.probability for line in here.lines) == 1
    assert here.ev == pytest.approx(many.ev, rel=0, abs=1e-4)


@pytest.mark.parametrize("name", ["21+3", "lucky-ladies", "match-the-dealer", "buster-blackjack"])
def test_side_bets_are_the_limits_of_their_formulas(name: str) -> None:
    pytest.importorskip("sympy")
    bet = load_side_bet(name)
    formula = symbolic(bet, bet.paytable(), Rules())
    table = odds.sidebet(name, decks="infinite")
    assert [line.probability for line in table.lines] == [line.limit for line in formula.lines]


def test_side_bets_without_a_rank() -> None:
    rules = infinite(removed_ranks="10")
    table = odds.sidebet("perfect-pairs", rules=rules)
    assert table.lines[0].probability == Fraction(1, 48)
    assert (table.decks, table.to_dict()["decks"], table.to_dict()["cards"]) == ("infinite", "infinite", None)
