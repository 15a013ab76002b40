"""How two boxes move together, splits among it: against whole rounds of two boxes enumerated, and published."""

import json
from fractions import Fraction
from functools import cache
from typing import Any

import brute_force as bf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import rules as any_rules
from test_brute_force import CASES, FREE, FREE_CASES, Case, EnginePlay, engine_shoe, params, rules
from typer.testing import CliRunner

import odds
from odds.cli.main import app
from odds.engine.splitting import shoe_can_run_out
from odds.game.rules import Rules
from odds.results.boxes import Boxes, boxes, expected_product
from odds.results.round import RoundResult, analyze

# Of six decks unless said, four hands: decks, soft 17, double after a split, late surrender, aces split again; the
# covariance of a source that simulates 10^10 rounds up to a cut card, played by a chart of totals.
# https://wizardofodds.com/games/blackjack/appendix/4/
PUBLISHED = [
    (6, "S", "DAS LS RSA", 0.479),
    (6, "S", "", 0.478),
    (6, "H", "DAS LS RSA", 0.487),
    (6, "H", "", 0.488),
    (6, "H", "DAS", 0.499),
    (6, "H", "LS", 0.475),
    (6, "H", "RSA", 0.488),
    (8, "H", "", 0.489),
    (2, "H", "DAS", 0.495),
]

# Shoes of few ranks that three hands of each box cannot use up.
MORE = [
    Case("three-hands-each", {"8": 6, "7": 4, "T": 10}, rules(max_hands=3)),
    Case("four-hands-each", {"8": 8, "T": 16}, rules(max_hands=4)),
    Case("like-tens-three-hands-each", {"7": 6, "T": 7, "K": 7}, rules(max_hands=3, split_by="rank", dealer_22="push")),
    Case("like-tens", {"7": 4, "T": 5, "K": 7}, rules(split_by="rank", dealer_22="push", hole_card="none")),
    Case("free-splits-three-hands-each", {"8": 7, "T": 14}, rules(max_hands=3, **FREE)),
]
# Of those for one box, cases that do not take long.
QUICK = {
    *("peek", "h17", "late-surrender", "early-surrender", "late-2-to-9", "no-peek-all", "no-peek-original"),
    *("no-peek-per-hand", "no-peek-original-late", "exposed", "split-blackjack-original", "split-blackjack-per-hand"),
    *("any-hand-surrendered-early-per-hand", "rescued-original", "charlie-beats-blackjack", "21-wins-no-peek"),
    "free-splits",
}
# And some of each other kind.
SLOW = {
    *("infinite-three", "infinite-by-rank", "split-blackjack-no-peek", "aces-drawn-doubled", "21-wins-exposed"),
    *("rescued-per-hand", "any-hand-surrendered-no-peek", "three-cards-doubled", "bonus-of-doubled-suits"),
    *("free-infinite-by-rank", "free-splits-blackjacks"),
}


def together(case: Case) -> RoundResult:
    return analyze(case.rules, shoe=case.cards)


def lasts(case: Case) -> bool:
    """Whether two boxes cannot use up the shoe, whatever they do."""
    result = together(case)
    return not shoe_can_run_out(result.shoe.counts, 2 * result.terms.legal.most_hands)


def brute_product(case: Case, play: EnginePlay) -> Fraction:
    """The expected product of what two boxes net, dealt one after the other and played one after the other."""
    game, values = bf._Game(case.rules, play), case.rules

    def over_at_once(cards: bf.Cards, dealer: bf.Cards) -> Fraction | None:
        if not bf.is_ace_and_ten(dealer) or not (values.hole_card == "exposed" or bf.peeks(values, dealer[0])):
            return None
        if bf.is_ace_and_ten(cards):
            return bf.tied_blackjack_net(values)
        early = values.hole_card != "exposed" and bf.surrenders_early(values, dealer[0])
        if early and game.first_action(cards, game.seen(dealer)) == "surrender":
            return bf.surrender_net(values)
        return Fraction(-1)

    @cache
    def rest_of(rest: bf.Counts, dealer: bf.Cards, first: bf.Player, second: bf.Player) -> Fraction:
        seen, size = game.seen(dealer), sum(rest)
        total = Fraction(0)
        if first.hands or second.hands:
            for card, n, after in bf._next_cards(rest):
                if first.hands:
                    value = rest_of(after, dealer, game.receive(first, card, seen, True), second)
                else:
                    value = rest_of(after, dealer, first, game.receive(second, card, seen, True))
                total += Fraction(n, size) * value
            return total
        for end, ways in bf.dealer_ways(values, rest, dealer).items():
            n, known = len(first.over), bf.by_suits(values, first.over + second.over)
            net = sum(
                p * bf._round_net(values, hands[:n], end) * bf._round_net(values, hands[n:], end) for p, hands in known
            )
            total += Fraction(ways, bf.orderings_of(rest)) * net
        return total

    def begun(cards: bf.Cards, dealer: bf.Cards, rest: bf.Counts) -> bf.Player:
        if bf.is_ace_and_ten(cards):
            return bf.Player((bf.BLACKJACK,), ())
        return game.begin(cards, game.first_action(cards, game.seen(dealer)), dealer, rest).player

    def deal(rest: bf.Counts, cards: bf.Cards, n: int) -> Fraction:
        if len(cards) == n:
            one, two, dealer = tuple(sorted(cards[:2])), tuple(sorted(cards[2:4])), cards[4:]
            at_once = over_at_once(one, dealer), over_at_once(two, dealer)
            if at_once[0] is not None and at_once[1] is not None:
                return at_once[0] * at_once[1]
            return rest_of(rest, dealer, begun(one, dealer, rest), begun(two, dealer, rest))
        size = sum(rest)
        return sum(
            (Fraction(k, size) * deal(after, (*cards, card), n) for card, k, after in bf._next_cards(rest)), Fraction(0)
        )

    return deal(bf.counted(case.shoe, case.rules), (), 5 if values.hole_card == "none" else 6)


@pytest.mark.parametrize("case", params([*MORE, *(case for case in CASES + FREE_CASES if case.name in QUICK)]))
def test_two_boxes_exactly(case: Case) -> None:
    result = together(case)
    product = brute_product(case, EnginePlay(result))
    assert expected_product(result, primes_below=1 << 61) == product
    assert expected_product(result) == pytest.approx(float(product), abs=1e-13)


@pytest.mark.slow
@pytest.mark.parametrize("case", params([case for case in CASES + FREE_CASES if case.name in SLOW]))
def test_two_boxes_of_more_rules_exactly(case: Case) -> None:
    assert lasts(case)
    result = together(case)
    assert expected_product(result, primes_below=1 << 61) == brute_product(case, EnginePlay(result))


@settings(max_examples=6)
@given(
    any_rules(
        decks=st.just(1), max_hands=st.integers(2, 3), split_by="value", bonuses=(), raise_after_upcard=0, switch=False
    ),
    st.sampled_from([{"8": 9, "T": 16}, {"9": 12, "T": 12}, {"A": 8, "9": 8, "T": 12}]),
)
def test_two_boxes_of_any_rules(setting: Rules, shoe: dict[str, int]) -> None:
    case = Case("", shoe, setting)
    result = together(case)
    assert expected_product(result, primes_below=1 << 61) == brute_product(case, EnginePlay(result))


@pytest.mark.slow
@pytest.mark.parametrize(("decks", "soft_17", "others", "covariance"), PUBLISHED)
def test_published_covariance(decks: int, soft_17: str, others: str, covariance: float) -> None:
    found = boxes(
        Rules(
            decks=decks,
            dealer_hits_soft_17=soft_17 == "H",
            double_after_split="DAS" in others,
            surrender="late" if "LS" in others else "none",
            resplit_aces="RSA" in others,
            max_hands=4,
        )
    )
    assert found.covariance == pytest.approx(covariance, rel=0.01 if decks > 2 else 0.016)


def test_more_splits_more_covariance() -> None:
    one, two = (boxes(Rules(decks=6, max_hands=hands)) for hands in (1, 2))
    assert 0.44 < one.covariance < 0.46
    assert one.covariance + 0.02 < two.covariance < 0.49
    assert (one.to_dict()["splitting"], one.to_dict()["max_hands"]) == (False, 1)
    assert (two.to_dict()["splitting"], two.to_dict()["max_hands"]) == (True, 2)
    assert two.variance == pytest.approx(analyze(Rules(decks=6, max_hands=2)).outcomes().variance, abs=1e-13)


def test_boxes() -> None:
    found = boxes(odds.Rules(decks=6, max_hands=2))
    assert found.standard_deviation(1) ** 2 == pytest.approx(found.variance)
    assert found.standard_deviation(2) ** 2 == pytest.approx(2 * found.variance + 2 * found.covariance)
    with pytest.raises(odds.ShoeError, match="boxes: expected 1 to 4"):
        found.standard_deviation(5)
    with pytest.raises(odds.ShoeError, match="expected 1 to"):
        found.standard_deviation(1.5)  # type: ignore[arg-type]
    assert Boxes(0.0, 0.0, 0.0).correlation == 0
    with pytest.raises(odds.ShoeError, match="two boxes"):
        boxes(rules(max_hands=1), shoe=engine_shoe({"A": 4, "2": 4, "T": 6}))


def test_boxes_of_payouts_without_a_small_common_denominator() -> None:
    """Their nets, as whole numbers, have products beyond 64 bits."""
    coarse = odds.Rules(decks=6, surrender="late", max_hands=2)
    fine = coarse.replace(surrender_returns="499999969/999999937", blackjack_pays="149999998/99999999")
    assert boxes(fine).covariance == pytest.approx(boxes(coarse).covariance, abs=1e-6)


def test_command() -> None:
    def run(*args: str) -> Any:
        return CliRunner().invoke(app, ["outcomes", "classic-blackjack", "--boxes", *args], env={"COLUMNS": "80"})

    data = json.loads(run("--json").stdout)["boxes"]
    assert (data["splitting"], data["max_hands"]) == (True, 2)
    assert set(data["standard_deviation"]) == {"1", "2", "3"}
    head, _ = run().stdout.split("Net result", 1)
    words = " ".join(head.split())
    assert f"Boxes covariance of two {data['covariance']:.8f} (correlation" in words
    assert "splits into at most 2 hands in it" in words
    assert f"of three {data['standard_deviation']['3']:.8f}" in words
    assert "no hand is split" in " ".join(run("--set", "max_hands=1").stdout.split())
    assert run("--play", "total").exit_code == 0
