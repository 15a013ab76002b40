"""What a round nets and how sure that is: against brute force in fractions, and published figures."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import brute_force as bf
import numpy as np
import pytest
from test_brute_force import CASES, FREE_CASES, HIGH, Case, EnginePlay, engine_shoe, params, rules
from typer.testing import CliRunner

import odds
from odds._kernel import HandPairs
from odds.cli.main import app
from odds.engine.actions import DOUBLE, HIT, STAND
from odds.engine.coefficients import split_leaves
from odds.engine.dealer import remove_start
from odds.engine.hands import ACE, player_hands
from odds.engine.pays import BEST_TOTAL, DEALER_BLACKJACK
from odds.engine.terms import terms_of
from odds.results.confidence import confidence, distribution_of_sum, normal_quantile, rounds_needed
from odds.results.deals import first_hands
from odds.results.exact import exact_round
from odds.results.finished import OTHER_VALUE, Finish, FirstAction, Settler, finished_hands
from odds.results.outcomes import ExactOutcomes, Outcomes, exact_outcomes, outcomes
from odds.results.round import RoundResult, analyze
from odds.results.split_moments import pair_coefficients

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "outcomes.json").read_text(encoding="utf-8"))


def analyzed(case: Case, split_class: str = "cdp1") -> RoundResult:
    return analyze(case.rules, shoe=case.cards, split_class=split_class)


# --- brute force ---------------------------------------------------------------------------------------------------


# Of tiny shoes few rounds are dealt, always the same ones, and what came of them lies so close to what is right.
FEW = 1 << 17
CLOSE = 4.5


def of_nets(brute: Any) -> dict[Fraction, Fraction]:
    distribution: dict[Fraction, Fraction] = {}
    for (net, _), p in brute.items():
        distribution[net] = distribution.get(net, Fraction(0)) + p
    return distribution


@pytest.mark.parametrize("split_class", ["cdz", "cdp1"])
@pytest.mark.parametrize("case", params(CASES + FREE_CASES))
def test_tiny_shoes(case: Case, split_class: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is enumerated is exact; the brute force is made to say in which rounds there are three hands or more."""
    result = analyzed(case, split_class)
    found, play = exact_outcomes(result), EnginePlay(result)
    brute = bf.round_results(case.shoe, case.rules, play)
    distribution, exact = of_nets(brute), exact_round(result)
    mean = sum((net * p for net, p in distribution.items()), Fraction(0))
    assert found.mean == mean == exact.ev
    assert found.variance == sum((net * net * p for net, p in distribution.items()), Fraction(0)) - mean * mean
    assert found.average_wager == exact.average_wager
    is_dealt, enumerated = case.rules.max_hands > 2 and case.rules.decks != "infinite", distribution
    round_net, far = bf._round_net, 1000
    if is_dealt and not case.rules.raise_after_upcard:

        def told(rules: Any, hands: Any, end: Any) -> Fraction:
            return round_net(rules, hands, end) + far * (len(hands) > 2)

        monkeypatch.setattr(bf, "_round_net", told)
        enumerated = of_nets(bf.round_results(case.shoe, case.rules, play))
    if not case.rules.raise_after_upcard:
        assert found.enumerated == {net: p for net, p in enumerated.items() if p and net < far / 2}
    assert list(found.enumerated) == sorted(found.enumerated)
    assert found.exact_share == sum(found.enumerated.values())
    assert (found.exact_share < 1) == is_dealt
    assert found.distribution == (None if is_dealt else found.enumerated)
    if not is_dealt:
        assert found.hit_frequency == sum(p for net, p in distribution.items() if net > 0)
        assert found.push_frequency == distribution.get(Fraction(0), 0)
    agrees(outcomes(result, most_rounds=FEW), found, distribution)


def agrees(double: Outcomes, exact: ExactOutcomes, distribution: dict[Fraction, Fraction]) -> None:
    # 1e-13: some hundred roundings of numbers below 10.
    errors = double.standard_errors
    assert bool(errors) == (exact.distribution is None)
    assert sum(double.distribution.values()) == pytest.approx(1, abs=1e-14)
    assert sum(float(net) * p for net, p in double.distribution.items()) == pytest.approx(double.mean, abs=1e-13)
    square = sum((float(net) - double.mean) ** 2 * p for net, p in double.distribution.items())
    assert square == pytest.approx(double.variance, abs=1e-12)
    for net, p in distribution.items():
        if net in double.distribution:
            assert double.distribution[net] > 0
            within = CLOSE * errors[net] if net in errors else 1e-14
            assert double.distribution[net] == pytest.approx(float(p), abs=within)
        else:
            assert p < 20 * (1 - exact.exact_share) / FEW  # too rare to be dealt
    assert double.distribution.keys() <= {net for net, p in distribution.items() if p}
    hit = sum((p for net, p in distribution.items() if net > 0), Fraction(0))
    assert double.hit_frequency == pytest.approx(float(hit), abs=CLOSE * errors.get("hit_frequency", 0) + 1e-13)
    assert double.push_frequency == double.distribution.get(Fraction(0), 0.0)
    for name in ("mean", "variance", "p_split", "p_double", "p_surrender", "average_wager"):
        value = getattr(exact, name)
        assert (value is None) == (name in errors)
        if value is not None:
            assert getattr(double, name) == pytest.approx(float(value), abs=1e-13), name


@pytest.mark.parametrize("case", params(CASES + FREE_CASES))
def test_how_often_hands_are_split_doubled_and_surrendered(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """The brute force is made to say of each round what was done in it, instead of what it nets."""

    def done(_: Any, hands: tuple[bf.Over, ...], __: Any) -> Fraction:
        surrendered = any(hand.kind in ("surrender", "early surrender") for hand in hands)
        doubled = any(hand.bet + hand.back + hand.free > 1 for hand in hands)
        return Fraction(1000 + 100 * surrendered + 10 * doubled + (len(hands) > 1))

    monkeypatch.setattr(bf, "_round_net", done)
    result = analyzed(case)
    brute = bf.round_results(case.shoe, case.rules.replace(raise_after_upcard=0), EnginePlay(result))
    shares = [Fraction(0)] * 3
    for (code, _), p in brute.items():
        if code < 1000:  # a peek ended the round: of an early surrender, or else with the loss of a unit
            shares[2] += p * ("early" in case.rules.surrender and code != -1)
            continue
        for place in range(3):
            shares[place] += p * (int(code) // 10**place % 10)
    exact, double = exact_outcomes(result), outcomes(result, most_rounds=FEW)
    for name, share in zip(("p_split", "p_double", "p_surrender"), shares, strict=True):
        assert getattr(exact, name) == (None if name in double.standard_errors else share)
        within = CLOSE * double.standard_errors.get(name, 0.0) + 1e-13
        assert getattr(double, name) == pytest.approx(float(share), abs=within)


@pytest.mark.parametrize("name", ["split-blackjack", "free-splits-four-hands"])
def test_the_primes_do_not_matter(name: str) -> None:
    case = next(case for case in CASES + FREE_CASES if case.name == name)
    result = analyzed(case)
    assert outcomes(result).exact() == exact_outcomes(result, primes_below=1 << 45)


# --- published figures -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", [pytest.param(row, id=row["id"]) for row in GOLDEN if "distribution" in row])
def test_published_distribution(row: dict[str, Any]) -> None:
    result = analyze(odds.load_game(row["game"]).rules, split_class=row["split_class"])
    found = result.outcomes()
    assert found.distribution is not None
    assert {str(net): round(p, 9) for net, p in found.distribution.items()} == row["distribution"]
    assert round(found.standard_deviation, 11) == row["standard_deviation"]
    assert found.mean == pytest.approx(result.ev, abs=1e-13)
    assert sum(found.distribution.values()) == pytest.approx(1, abs=1e-14)


@pytest.mark.slow
@pytest.mark.parametrize("row", [pytest.param(row, id=row["id"]) for row in GOLDEN if "variance" in row])
def test_published_variance(row: dict[str, Any]) -> None:
    """1 %: the source plays a chart of totals, and deals to a cut card."""
    result = analyze(odds.Rules(**row["rules"]))
    found = result.outcomes()
    assert found.variance == pytest.approx(row["variance"], rel=0.01)
    assert found.mean == pytest.approx(result.ev, abs=1e-13)
    assert found.average_wager == pytest.approx(result.average_wager, abs=1e-13)


@pytest.mark.parametrize("game", ["face-up-21", "european-6d", "single-deck"])
def test_the_mean_is_the_ev(game: str) -> None:
    result = analyze(odds.load_game(game).rules)
    found = result.outcomes()
    assert found.mean == pytest.approx(result.ev, abs=1e-13)
    assert found.average_wager == pytest.approx(result.average_wager, abs=1e-13)


@pytest.mark.parametrize("max_hands", [2, 4])
@pytest.mark.parametrize("split_class", ["cdz", "cdp1"])
def test_the_mean_is_the_ev_with_free_money(split_class: str, max_hands: int) -> None:
    free = {"free_double_on": "hard 9-11", "free_split": "A-9", "dealer_22": "push"}
    result = analyze(odds.Rules(decks=1, max_hands=max_hands, **free), split_class=split_class)
    found = outcomes(result, most_rounds=FEW)
    assert found.mean == pytest.approx(result.ev, abs=1e-13)
    assert found.average_wager == pytest.approx(result.average_wager, abs=1e-13)
    # A round loses no more than a double, for which only the first hand of a split and its double are paid.
    assert set(found.distribution) <= {*range(-8, 9), Fraction(3, 2)}


def test_dealt_rounds_are_the_same_on_every_machine() -> None:
    found = outcomes(analyze(odds.Rules(decks=1, max_hands=4)), most_rounds=1000)
    assert found.distribution[Fraction(-3)] == pytest.approx(0.0017380297726661306, rel=1e-10)
    assert found.standard_errors["hit_frequency"] == pytest.approx(8.439749872601657e-06, rel=1e-8)


def test_payouts_without_a_small_common_denominator() -> None:
    """What rounds net, as whole numbers, goes beyond 32 bits; and lies close together."""
    coarse = analyze(odds.Rules(decks=1, max_hands=4, surrender="late", surrender_cards="any"))
    fine = coarse.rules.replace(surrender_returns="499999969/999999937", blackjack_pays="149999998/99999999")
    found, near = (outcomes(result, most_rounds=1000) for result in (analyze(fine), coarse))
    assert found.exact_share == near.exact_share
    for net, p in near.distribution.items():
        parts = [q for other, q in found.distribution.items() if abs(other - net) < Fraction(1, 1000)]
        assert sum(parts) == pytest.approx(p, abs=1e-7)


# --- parts ---------------------------------------------------------------------------------------------------------


def test_pairs_of_hands() -> None:
    hands = np.zeros((3, 10), dtype=np.uint8)
    hands[0, 0] = hands[1, 9] = 2
    hands[2, [0, 9]] = 1
    pairs = HandPairs(hands)
    sets = [pairs.unions[place].tolist() for place in pairs.of_pair]
    assert sets == [(hands[i] + hands[j]).tolist() for i in range(3) for j in range(i, 3)]
    assert len(pairs.unions) == 5  # two aces and two tens come about in two ways
    kinds, other = np.array([0, 1, 1], dtype=np.int32), 1 - np.eye(2, dtype=np.uint8)
    wanted = pairs.wanted(kinds, other)
    assert pairs.unions[wanted != 0].tolist() == [(hands[0] + hands[j]).tolist() for j in (1, 2)]
    drawn, numbers = pairs.drawn(9, np.stack([wanted, wanted]))
    # Two aces and two tens, three aces and a ten; with a ten more the second is the first again.
    assert [[drawn[i, 9] for i in of_k if i >= 0] for of_k in numbers] == [[2, 1], [3, 2]]
    assert len(drawn) == 4
    with pytest.raises(OverflowError):
        pairs.drawn(0, np.zeros((60, 5), dtype=np.uint8))
    with pytest.raises(OverflowError):
        HandPairs(np.full((1, 10), 32, dtype=np.uint8))


@pytest.mark.parametrize("upcard", ["A", "T", "7"])
def test_pairs_of_hands_add_up_to_hands(upcard: str) -> None:
    """Also where hands are doubled after they were hit, and where busts are what is left of hands however they end."""
    terms, graph = terms_of(rules(max_hands=1, double_cards=3)), player_hands().graph
    three = (graph.cards == 3) & (graph.total < 21)
    play = np.where(graph.total < 15, HIT, STAND).astype(np.uint8)
    play[three & (graph.total > 12) & (graph.total < 17)] = DOUBLE
    start = terms.dealer.parse(upcard)
    shoe = remove_start(engine_shoe(HIGH), start)
    play[player_hands().two_cards[ACE, 8]] = DOUBLE
    begun = [
        FirstAction(hand.index, int(play[hand.index]), 2 - (hand.pair is not None))
        for hand in first_hands(shoe, terms.legal)
    ]
    settler = Settler(start, shoe, terms, {}, 1 << 61)
    one, other = (
        finished_hands(terms, shoe.counts, play, begun, start=start, list_busts=listed) for listed in (True, False)
    )
    assert one.finishes == other.finishes
    assert {Finish(terms.pays.bust, level, OTHER_VALUE) for level in (0, 1)} <= set(one.finishes)
    hands, pairs = settler.hands(one), settler.pairs(other).sum(axis=1)
    assert hands.sum() == 1
    totals = [finish.kind <= BEST_TOTAL for finish in one.finishes]
    assert (pairs[totals] == hands[totals]).all()
    # The dealer's total does not matter to the others.
    assert (pairs[:, DEALER_BLACKJACK] == hands[:, DEALER_BLACKJACK]).all()
    assert (pairs.sum(axis=1) == hands.sum(axis=1)).all()


@pytest.mark.parametrize("max_hands", [2, 3, 4, 5])
def test_coefficients_count_pairs_of_hands(max_hands: int) -> None:
    coefficients, n = pair_coefficients(max_hands), max_hands
    # If every further card is a pair card, the most hands are reached; if none is, there are two.
    assert sum(both for *_, both in coefficients.values()) == n * (n - 1)
    assert coefficients[0][0] == 2
    of_first = pair_coefficients(max_hands, first=True)
    assert sum(both for *_, both in of_first.values()) == n - 1
    assert of_first[0][0] == 1
    assert sum(free * (free - 1) for _, settled, free in split_leaves(n) if not settled) == n * (n - 1)


def test_a_sum_of_coins() -> None:
    coin = {Fraction(-1): 0.5, Fraction(1): 0.5}
    sums = distribution_of_sum(coin, 100)
    assert sums.probabilities.sum() == pytest.approx(1, abs=1e-13)
    low, high, probability = sums.central(0.95)
    # The binomial distribution of 100 coins: 40 to 60 heads with a probability of 0.9648.
    assert (low, high) == (-20, 20)
    assert probability == pytest.approx(0.9647998, abs=1e-7)


def test_confidence() -> None:
    result = analyze(odds.load_game("classic-blackjack").rules)
    found = result.outcomes()
    assert found.distribution is not None
    many = confidence(found, 10_000)
    for interval in many.intervals:
        assert interval.exact_low == pytest.approx(interval.low, abs=2e-4)
        assert interval.exact_high == pytest.approx(interval.high, abs=2e-4)
        assert interval.exact_level is not None
        assert interval.level <= interval.exact_level <= interval.level + 0.001
    sums = distribution_of_sum(found.distribution, 3)
    mean = sum((sums.first + i) * p for i, p in enumerate(sums.probabilities)) / sums.unit
    assert mean == pytest.approx(3 * result.ev, abs=1e-12)
    assert confidence(found, 10**9).intervals[0].exact_low is None
    assert all(interval.normal_holds for interval in many.intervals)
    rounds = rounds_needed(found, 0.001, 0.95)
    assert normal_quantile(0.95) * found.standard_deviation / rounds**0.5 <= 0.001
    assert normal_quantile(0.95) * found.standard_deviation / (rounds - 1) ** 0.5 > 0.001


def test_what_cannot_be_counted_is_refused() -> None:
    with pytest.raises(odds.ShoeError, match="run out"):
        analyze(rules(), shoe=engine_shoe({"A": 2, "7": 2, "9": 2, "T": 4})).outcomes()
    with pytest.raises(odds.OddsError, match="full"):
        replace(analyze(odds.Rules(decks=6, max_hands=2)), split_class="full").outcomes()


# --- commands ------------------------------------------------------------------------------------------------------


def run(*args: str) -> Any:
    return CliRunner().invoke(app, list(args), env={"COLUMNS": "80"})


def run_json(*args: str) -> dict[str, Any]:
    result = run(*args, "--json")
    assert result.exit_code == 0, result.stderr
    data: dict[str, Any] = json.loads(result.stdout)
    return data


def test_command_outcomes() -> None:
    data = run_json("outcomes", "classic-blackjack")
    assert data["exact"] is True
    assert [row["net"] for row in data["distribution"]][:5] == ["-4", "-3", "-2", "-1", "-1/2"]
    assert data["mean"] == pytest.approx(run_json("rtp", "classic-blackjack")["ev"], abs=1e-13)
    shown = run("outcomes", "classic-blackjack")
    assert "0.401675365" in shown.stdout
    assert "1.1334002608" in shown.stdout


def test_command_outcomes_exactly() -> None:
    tiny = ("--set", "decks=1", "--set", "max_hands=1", "--exact")
    data = run_json("outcomes", "single-deck", *tiny)
    fractions = data["fractions"]["distribution"]
    assert sum(Fraction(row["probability"]) for row in fractions) == 1
    assert sum(Fraction(row["net"]) * Fraction(row["probability"]) for row in fractions) == Fraction(
        run_json("rtp", "single-deck", *tiny)["exact"]["ev"]
    )
    assert run_json("outcomes", "single-deck", *tiny, "--digits", "20")["fractions"]["decimals"]["mean"]
    assert "Exactly, to 30 digits" in run("outcomes", "single-deck", *tiny).stdout


def test_command_outcomes_of_more_than_two_hands() -> None:
    data = run_json("outcomes", "single-deck", "--exact")
    assert data["exact"] is False
    assert 0.998 < data["exact_share"] < 1
    assert sum(row["probability"] for row in data["distribution"]) == pytest.approx(1, abs=1e-14)
    # An initial wager that a blackjack wins is not split.
    errors = {row["net"]: row.get("standard_error") for row in data["distribution"]}
    assert {net for net, error in errors.items() if error is None} == {"3/2"}
    assert max(error for error in errors.values() if error is not None) < 1e-6
    assert max(data["standard_errors"][name] for name in ("hit_frequency", "push_frequency")) < 1e-6
    assert data["warnings"] == []
    fractions = data["fractions"]
    assert fractions["distribution"] is None
    assert fractions["hit_frequency"] is None
    parts = [Fraction(row["probability"]) for row in fractions["at_most_two_hands"]]
    assert sum(parts) == Fraction(fractions["exact_share"]) == pytest.approx(data["exact_share"])
    result = run("outcomes", "single-deck", "--exact")
    shown = " ".join(result.stdout.split())
    assert "Results of three hands or more, 0.1063% of rounds, are dealt: standard errors up to 6e-07." in shown
    assert "those of rounds of at most two hands, the exact share" in shown
    assert result.stderr == ""
    assert [row["standard_error"] for row in odds.outcomes("single-deck").to_rows()] == list(errors.values())


@pytest.mark.parametrize("form", ["png", "svg", "pdf"])
def test_figure(tmp_path: Path, form: str) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / f"figure.{form}"
    result = run("outcomes", "classic-blackjack", "--out", str(path))
    assert result.exit_code == 0, result.stderr
    first = path.read_bytes()
    assert first.startswith({"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[form])
    run("outcomes", "classic-blackjack", "--out", str(path))
    assert path.read_bytes() == first
    assert list(tmp_path.iterdir()) == [path]


def test_figure_without_matplotlib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    result = run("outcomes", "classic-blackjack", "--out", str(tmp_path / "figure.png"))
    assert result.exit_code == 2
    assert "figures need matplotlib, which is not installed: pip install matplotlib" in result.stderr
    assert not list(tmp_path.iterdir())


def test_command_confidence() -> None:
    data = run_json("confidence", "classic-blackjack", "--rounds", "1000", "--precision", "0.001")
    assert [interval["level"] for interval in data["intervals"]] == [0.95, 0.99]
    assert data["intervals"][0]["exact"]["probability"] >= 0.95
    assert [row["level"] for row in data["rounds_needed"]] == [0.95, 0.99]
    shown = run("confidence", "single-deck", "--rounds", "1000").stdout
    assert "Sum: the distribution of the sum" in " ".join(shown.split())
    assert "Results of three hands or more, 0.1063% of rounds, are dealt" in " ".join(shown.split())
    assert "The standard error is 3.6201 percentage points" in " ".join(shown.split())
    one = " ".join(run("confidence", "classic-blackjack", "--rounds", "1").stdout.split())
    assert "95% normal - - exact" in one
    assert "The normal approximation takes 30 rounds or more." in one
    needed = run("confidence", "single-deck", "--precision", "0.0015").stdout
    assert "Rounds for a precision of 0.15 percentage points" in needed


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["outcomes", "classic-blackjack", "--out", "figure.txt"], "expected a file that ends in .png"),
        (["outcomes", "classic-blackjack", "--digits", "5"], "expected --exact"),
        (["confidence", "classic-blackjack"], "expected --rounds N, --precision X"),
        (["confidence", "classic-blackjack", "--rounds", "0"], "rounds: expected a whole number from 1 to"),
        (["confidence", "classic-blackjack", "--rounds", "1e16"], "rounds: expected a whole number from 1 to"),
        (["confidence", "classic-blackjack", "--precision", "0"], "precision: expected"),
        (["confidence", "classic-blackjack", "--precision", "nan"], "precision: expected"),
        (["confidence", "classic-blackjack", "--precision", "1e-12"], "takes more than"),
    ],
)
def test_bad_input(args: list[str], message: str) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert not result.stdout


@pytest.mark.parametrize("precision", ["1e-300", "1e-13", "0", "1", "nan"])
def test_precisions_out_of_range(precision: str) -> None:
    result = run("confidence", "single-deck", "--precision", precision)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "precision" in result.stderr
    assert result.stderr.count("\n") == 1
