"""Many rounds played by the referee, against the engine's figures; and the command `odds simulate`."""

import dataclasses
import json
import math
from collections import Counter
from fractions import Fraction
from typing import Any

import brute_force as bf
import numpy as np
import pytest
from strategies import ONE_HAND
from test_brute_force import CASES, FREE_CASES
from test_referee import TablePlay
from typer.testing import CliRunner, Result

import odds
from odds._simulator import Tally
from odds.cli.main import app
from odds.errors import OddsError, ShoeError
from odds.game.rules import Rules
from odds.game.shoe import Shoe
from odds.parallel import processes
from odds.referee import simulate as playing
from odds.referee.rounds import referee, shoe_ranks
from odds.referee.simulate import BLOCK, chi_square, simulate
from odds.results.outcomes import outcomes
from odds.results.round import RoundResult, analyze


@pytest.mark.parametrize("name", ["aces-drawn-doubled", "by-rank-no-peek", "early-surrender"])
def test_shuffling(name: str) -> None:
    """10^6 rounds of a tiny shoe. A right shuffle fails once in 1.7 million such tests (three comparisons each)."""
    case = next(case for case in CASES if case.name == name)
    result = analyze(case.rules, shoe=case.cards)
    exact = bf.round_distribution(case.shoe, case.rules, TablePlay(result))
    played = simulate(result, rounds=1_000_000, seed=1, threads=2, distribution=exact)
    assert set(played.observed) == set(exact)
    assert played.chi_square is not None
    assert played.chi_square.degrees_of_freedom >= 4
    assert played.agrees, played


@pytest.mark.parametrize("name", ["four-hands", "free-splits-four-hands", "deck-by-rank"])
def test_many_hands(name: str) -> None:
    """Tiny shoes, of which up to 8 % of the rounds have three hands or more."""
    case = next(case for case in [*CASES, *FREE_CASES] if case.name == name)
    result = analyze(case.rules, shoe=case.cards)
    found = outcomes(result, most_rounds=1 << 20)
    assert 0.01 < 1 - found.exact_share < 0.09
    errors = found.standard_errors
    played = simulate(result, rounds=1_000_000, seed=1, distribution=found.distribution, errors=errors)
    assert played.chi_square is not None
    assert played.chi_square.degrees_of_freedom >= 7
    assert played.agrees, played


# Very different rules, every field away from its default in at least one of them.
MANY_RULES = {
    "classic": odds.load_game("classic-blackjack").rules,
    "six-decks": Rules(
        decks=6,
        dealer_hits_soft_17=True,
        blackjack_pays="6/5",
        double_on="9-11, soft 19-20",
        surrender="early-vs-ten",
        resplit_aces=True,
        hit_split_aces=True,
        double_split_aces=True,
        insurance="ace,ten",
        insurance_pays=3,
    ),
    "infinite": Rules(decks="infinite", max_hands=2, split_by="rank", surrender="late"),
    "raise": Rules(decks=2, max_hands=2, raise_after_upcard="1/2", surrender="late", blackjack_pays=1),
    "one-deck": Rules(decks=1, double_on="10,11", double_after_split=False, max_hands=3, peek_under="T", charlie=6),
    "no-hole-card": Rules(
        decks=4, hole_card="none", split_by="rank", max_hands=4, surrender="early 2-T", insurance="ace,ten"
    ),
    "original-per-hand": Rules(
        decks=2,
        hole_card="none",
        dealer_blackjack_takes="original-per-hand",
        split_blackjack=True,
        blackjack_tie="lose",
        split_deal="in-turn",
    ),
    "exposed": Rules(
        hole_card="exposed",
        dealer_wins_ties="17-20",
        blackjack_tie="win",
        blackjack_pays=1,
        double_on="9-11",
        double_soft_as_hard=True,
        surrender="late",
        surrender_returns="1/3",
        max_hands=2,
    ),
    "dealer-22": Rules(dealer_22="push", dealer_hits_soft_17=True, split_blackjack=True, surrender="late", max_hands=3),
    "spanish": Rules(decks=2, removed_ranks="10", split_by="rank", surrender="late", insurance_pays=2),
    "player-21": Rules(
        decks=6,
        player_21="wins",
        hole_card="none",
        charlie=5,
        charlie_pays=2,
        charlie_beats_blackjack=True,
        max_hands=2,
    ),
    "21-original": Rules(player_21="wins", hole_card="none", dealer_blackjack_takes="original", hit_split_aces=True),
    "doubles": Rules(
        decks=2,
        double_cards="any",
        double_multiples="2,3",
        redoubles=2,
        double_rescue=True,
        hit_split_aces=True,
        double_split_aces=True,
        dealer_hits_soft_17=True,
    ),
    "doubles-original": Rules(
        decks=2, double_cards=3, redoubles=1, double_rescue=True, hole_card="none", dealer_blackjack_takes="original"
    ),
    "surrenders": Rules(decks=1, surrender="late 2-9,T, early A", surrender_cards="any", redoubles=1, player_21="wins"),
    "surrenders-unseen": Rules(
        decks=2,
        surrender="early 2-T",
        surrender_cards="any",
        surrender_returns="3/5",
        hole_card="none",
        redoubles=1,
        double_rescue=True,
        double_multiples="3",
    ),
    "bonuses": Rules(
        decks=3,
        removed_ranks="2,3,10",
        max_hands=2,
        bonuses="ranks=6,7,8 pays=3/2; ranks=6,7,8 suits=same pays=2; ranks=7,7,7 suits=spades pays=5; "
        "cards=4+ total=21 suits=red pays=4 after_double=yes; ranks=A,J suits=red pays=2",
    ),
    "bonuses-original": Rules(
        decks="infinite",
        max_hands=2,
        hole_card="none",
        dealer_blackjack_takes="original",
        blackjack_tie="win",
        bonuses="cards=4+ total=<=20 pays=1; cards=3 total=21 suits=same pays=3 after_double=yes; "
        "ranks=A,T suits=same pays=2 after_split=no; cards=3 total=21 suits=black upcard=T pays=9",
    ),
    "peek-under-ace": Rules(
        peek_under="A", dealer_blackjack_takes="original", insurance="none", even_money=True, charlie=5, max_hands=2
    ),
    "free": Rules(
        decks=6,
        dealer_hits_soft_17=True,
        dealer_22="push",
        free_double_on="hard 9-11",
        free_split="A-9",
        resplit_aces=True,
    ),
    "free-unseen": Rules(
        decks=2,
        hole_card="none",
        dealer_blackjack_takes="original",
        free_double_on="any",
        free_split="2,4-T",
        split_blackjack=True,
        hit_split_aces=True,
        max_hands=3,
        double_on="9-12, soft 17-20",
        surrender="late",
    ),
    "switch": Rules(decks=1, switch=True, dealer_22="push", blackjack_pays=1, surrender="late", max_hands=2),
    "switch-unseen": Rules(
        decks="infinite", switch=True, switched_blackjack="blackjack", hole_card="none", surrender="early 2-T"
    ),
}


def known_of(result: RoundResult) -> dict[str, Any]:
    """What is known beside the means, of rounds of one hand."""
    if result.rules.switch:
        return {}
    found = result.outcomes()
    return {"distribution": found.distribution, "errors": found.standard_errors, "variance": found.variance}


@pytest.mark.parametrize("name", MANY_RULES)
def test_many_rounds_agree_with_the_engine(name: str) -> None:
    """2 x 10^6 rounds. Right odds fail once in 1.7 million comparisons (|z| > 5); there are at most five."""
    result = analyze(MANY_RULES[name])
    known = known_of(result)
    played = simulate(result, rounds=2_000_000, seed=2, threads=2, **known)
    assert played.agrees, played
    assert sum(played.observed.values()) == played.rounds
    assert (played.insurance is None) == (result.insurance is None)
    assert (played.insurance_against_ten is None) == (result.insurance_against_ten is None)
    assert (played.chi_square is None) == (known.get("distribution") is None)
    assert sum(played.free_bets.values()) == (played.rounds if "free" in name else 0)


def test_many_ways_are_counted_as_well_as_few() -> None:
    """A tally that had to grow, and many of a few rounds each, which had not."""
    result = analyze(MANY_RULES["surrenders-unseen"].replace(redoubles=2, charlie=5, charlie_pays=2))
    judge, shoe = referee(result.rules, result.tables()), shoe_ranks(result.shoe, result.rules)

    def ways(tallies: list[Tally]) -> Counter[tuple[int, ...]]:
        stream: Any = np.random.PCG64(3)
        for tally in tallies:
            assert judge.play(stream.capsule, shoe, 2_000, tally, np.zeros((2, 2), dtype=np.int64)) is None
        return sum((Counter(dict(tally.items())) for tally in set(tallies)), Counter())

    many = ways([judge.tally()] * 200)
    assert len(many) > 256
    assert many == ways([judge.tally() for _ in range(200)])
    assert many.total() == 400_000


def test_every_field_is_tried() -> None:
    default = Rules().to_dict()
    tried = {name for rules in MANY_RULES.values() for name, value in rules.to_dict().items() if value != default[name]}
    assert tried == set(default)


@pytest.mark.slow
def test_every_game_of_the_catalogue() -> None:
    """2 x 10^8 rounds over the whole catalogue, both split classes, with the side bets of the games.

    Right odds fail once in 1.7 million comparisons (|z| > 5, or a p-value as small); of them there are about ten for
    each game, which for 19 games makes once in some 8,500 runs.
    """
    names = ONE_HAND
    for name in names:
        for split_class in ("cdz", "cdp1"):
            game = odds.load_game(name)
            result = analyze(game.rules, split_class=split_class)
            bets = [odds.sidebet(bet, rules=game.rules) for bet in game.side_bets]
            plan = playing.plan(200_000_000 // (2 * len(names)), 3, None)
            played = simulate(result, **plan, **known_of(result), side_bets=bets)
            assert played.agrees, (name, played)


class TestResult:
    def test_threads_do_not_matter(self) -> None:
        result = analyze(Rules(decks=6))
        one, two, seven = (simulate(result, rounds=3 * BLOCK + 7, seed=5, threads=n) for n in (1, 2, 7))
        assert one == two == seven
        assert one.observed != simulate(result, rounds=3 * BLOCK + 7, seed=6).observed

    def test_nor_does_who_plays(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(playing, "_BLOCKS_AT_ONCE", 1)
        result, bets = analyze(Rules(decks=1)), [odds.sidebet("lucky-ladies", decks=1)]
        played = simulate(result, rounds=3 * BLOCK, seed=5, side_bets=bets)
        with processes(2) as door:
            assert simulate(result, rounds=3 * BLOCK, seed=5, side_bets=bets, door=door) == played

    def test_more_rounds_begin_with_the_same_ones(self) -> None:
        result = analyze(Rules(decks=1))
        few, more = (simulate(result, rounds=n, seed=0) for n in (BLOCK, BLOCK + 1))
        assert sum(times - few.observed[net] for net, times in more.observed.items()) == 1

    def test_figures(self) -> None:
        result = analyze(Rules())
        played = simulate(result, rounds=50_000, seed=1)
        mean = sum(float(net) * times for net, times in played.observed.items()) / 50_000
        square = sum(float(net) ** 2 * times for net, times in played.observed.items()) / 50_000
        assert played.net.mean == pytest.approx(mean, abs=1e-14)
        assert played.net.standard_deviation == pytest.approx(math.sqrt(square - mean**2), abs=1e-12)
        assert played.net.standard_error == played.net.standard_deviation / math.sqrt(50_000)
        assert played.net.z == (played.net.mean - result.ev) / played.net.standard_error
        assert list(played.observed) == sorted(played.observed)
        assert played.insurance is not None
        assert played.insurance.exact == pytest.approx(-31 / 415)

    def test_wrong_odds_are_found_out(self) -> None:
        result = analyze(Rules())
        assert not simulate(dataclasses.replace(result, ev=result.ev + 0.01), rounds=1_000_000, seed=1).agrees
        assert not simulate(dataclasses.replace(result, average_wager=1.12), rounds=1_000_000, seed=1).agrees
        assert not simulate(result, rounds=1_000_000, seed=1, variance=1.3).agrees
        wrong = Rules(decks=1)  # but the rounds are those of eight decks
        distribution = analyze(wrong.replace(max_hands=2)).outcomes().distribution
        assert distribution is not None
        played = simulate(analyze(Rules(max_hands=2)), rounds=1_000_000, seed=1, distribution=distribution)
        assert played.chi_square is not None
        assert not played.chi_square.agrees

    def test_few_rounds_are_not_judged(self) -> None:
        for seed in range(20):
            played = simulate(analyze(Rules(decks=1, max_hands=1)), rounds=2, seed=seed)
            assert played.agrees
            assert played.net.z is None or math.isfinite(played.net.z)

    def test_chi_square(self) -> None:
        half = Fraction(1, 2)
        even = {Fraction(-1): half, Fraction(1): half}
        assert chi_square({Fraction(-1): 50, Fraction(1): 50}, even).p_value == 1.0
        # Tabulated: 3.841 with one degree of freedom has p 0.05.
        test = chi_square({Fraction(-1): 59_800, Fraction(1): 60_479}, even)
        assert test.statistic == pytest.approx(679**2 / 120_279)
        assert test.p_value == pytest.approx(math.erfc(math.sqrt(test.statistic / 2)), rel=1e-12)
        # A probability that is not exact adds its own variance; with the results that are not listed.
        dealt = chi_square(
            {Fraction(-1): 60, Fraction(1): 39, Fraction(2): 1}, even, {Fraction(-1): 0.05, Fraction(1): 0.1}
        )
        assert dealt.statistic == pytest.approx(100 / 75 + 100 / 150)
        assert (dealt.impossible, dealt.degrees_of_freedom) == ((), 1)
        impossible = chi_square({Fraction(-1): 50, Fraction(1): 50, Fraction(7): 1}, even)
        assert (impossible.impossible, impossible.agrees) == ((7,), False)
        rare = {Fraction(-1): Fraction(999, 1000), Fraction(1): Fraction(1, 2000), Fraction(2): Fraction(1, 2000)}
        assert chi_square({Fraction(-1): 2000}, rare).degrees_of_freedom == 0, "no cell of fewer than five"
        assert chi_square({Fraction(-1): 8000}, rare).degrees_of_freedom == 1

    def test_bad_numbers(self) -> None:
        result = analyze(Rules(decks=1, max_hands=1))
        good: dict[str, Any] = {"rounds": 10, "seed": 1, "threads": 1}
        for name, value in [
            ("rounds", 0),
            ("rounds", -1),
            ("rounds", 1.5),
            ("rounds", True),
            ("rounds", 10**13),
            ("rounds", 10**5000),
            ("seed", -1),
            ("seed", 2**64),
            ("threads", 0),
            ("threads", 1000),
        ]:
            with pytest.raises(OddsError, match=f"{name}: expected a whole number from"):
                simulate(result, **{**good, name: value})

    def test_tens_that_cannot_be_told_apart(self) -> None:
        rules = Rules(split_by="rank", decks=1)
        known = Shoe.of_decks(1).without("K")
        assert simulate(analyze(rules, shoe=known), rounds=10, seed=1).rounds == 10
        with pytest.raises(ShoeError, match="does not tell them apart"):
            simulate(analyze(rules, shoe=Shoe.of_decks(1).without("T")), rounds=10, seed=1)


CLASSIC_NETS = ["-4", "-3", "-2", "-1", "-1/2", "0", "1", "3/2", "2", "3", "4"]


def run(*args: str) -> Result:
    return CliRunner().invoke(app, ["simulate", *args], env={"COLUMNS": "80"})


@pytest.fixture
def small() -> list[str]:
    return ["classic-blackjack", "--rounds", "20000", "--seed", "1"]


class TestCommand:
    def test_json(self, small: list[str]) -> None:
        data = json.loads(run(*small, "--json").stdout)
        assert list(data)[:3] == ["game", "rules", "version"]
        assert (data["rounds"], data["seed"], data["agrees"]) == (20_000, 1, True)
        assert data["z"] == (data["mean"] - data["exact_ev"]) / data["standard_error"]
        assert data["exact_ev"] == analyze(odds.load_game("classic-blackjack").rules).ev
        assert [row["net"] for row in data["distribution"]] == [
            "-4",
            "-3",
            "-2",
            "-1",
            "-1/2",
            "0",
            "1",
            "3/2",
            "2",
            "3",
            "4",
        ]
        assert sum(row["rounds"] for row in data["distribution"]) == 20_000
        assert math.fsum(row["probability"] for row in data["distribution"]) == pytest.approx(1)
        assert data == json.loads(run(*small, "--json", "--threads", "1").stdout)

    def test_one_round_has_no_standard_error_and_no_test(self) -> None:
        one = ["classic-blackjack", "--rounds", "1", "--seed", "1", "--side-bet", "none"]
        data = json.loads(run(*one, "--json").stdout)
        assert (data["standard_error"], data["standard_deviation"], data["z"]) == (None, None, None)
        assert (data["chi_square"]["degrees_of_freedom"], data["chi_square"]["p_value"]) == (0, None)
        text = run(*one).stdout
        assert "One round has no standard error." in text
        assert "0.00000000" not in text.partition("Net results")[0]

    def test_tables(self, small: list[str]) -> None:
        result = run(*small)
        assert result.exit_code == 0
        for words in ("20,000, each the first of a freshly shuffled shoe; seed 1", "Chi-square", "agreement", "+3/2"):
            assert words in " ".join(result.stdout.split())
        assert max(map(len, result.stdout.splitlines())) <= 80
        assert not result.stderr

    def test_more_than_two_hands(self) -> None:
        result = run("8d-s17", "--rounds", "20000", "--seed", "1")
        assert result.exit_code == 0
        assert "Chi-square" in result.stdout

    def test_two_hands(self) -> None:
        two = ["single-deck", "--set", "switch=true", "--set", "max_hands=1", "--rounds", "20000", "--seed", "1"]
        data = json.loads(run(*two, "--json").stdout)
        assert (data["square"], data["chi_square"], data["agrees"]) == (None, None, True)
        assert {row["net"] for row in data["distribution"]} >= {"-1/2", "1/2", "3/2"}
        assert "free_bets" not in data
        assert data["per"] == "one of the two initial wagers"
        text = " ".join(run(*two).stdout.split())
        assert "one of the two initial wagers" in text
        assert "The means alone are compared" in text

    def test_free_bets(self) -> None:
        free = ["--set", "free_split=A-9", "--set", "free_double_on=9-11"]
        asked = ["single-deck", *free, "--rounds", "20000", "--seed", "1"]
        data = json.loads(run(*asked, "--json").stdout)
        rounds = {row["number"]: row["rounds"] for row in data["free_bets"]}
        assert (rounds[0] + rounds[1] > 19_000, sum(rounds.values())) == (True, 20_000)
        assert "cost nothing" in run(*asked).stdout

    def test_a_new_seed_if_none_is_given(self) -> None:
        seeds = {json.loads(run("classic", "--rounds", "1", "--json").stdout)["seed"] for _ in range(3)}
        assert len(seeds) == 3

    def test_a_shoe_of_one_result_is_judged(self) -> None:
        """Where every round nets the same, that is compared with the computed EV, and not with a z of nothing."""
        removed = ",".join(rank for rank in "A23456789" for _ in range(4)) + ",T" * 8
        one_hand = ["--set", "max_hands=1", "--set", "double_on=none"]
        result = run("single-deck", "--remove", removed, "--rounds", "20000", "--seed", "1", "--json", *one_hand)
        assert result.exit_code == 0
        data = json.loads(result.stdout)
        assert (data["mean"], data["exact_ev"], data["agrees"]) == (0, 0, True)

    def test_a_disagreement(self, small: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(playing, "Z_LIMIT", 0.0)
        result = run(*small)
        assert result.exit_code == 1
        assert result.stderr == "disagreement: what was played contradicts what was computed\n"
        assert "a disagreement" in result.stdout

    @pytest.mark.parametrize(
        "bad",
        [
            ["--rounds", "0"],
            ["--rounds", "abc"],
            ["--rounds", "9" * 30],
            ["--rounds", "-1"],
            ["--seed", "-1"],
            ["--seed", "x"],
            ["--threads", "0"],
            ["--play", "nothing"],
            ["--split-class", "full"],
            ["--split-class", "x"],
            ["--set", "max_hands=9"],
            ["--set", "split_by=rank", "--remove", "T"],
        ],
    )
    def test_bad_input(self, bad: list[str]) -> None:
        result = run("classic-blackjack", *bad)
        assert (result.exit_code, result.stdout) == (2, "")
        assert len(result.stderr.splitlines()) == 1
        assert result.stderr.startswith("error: ")
