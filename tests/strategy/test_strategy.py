"""Strategies: their files, what their codes do, their exact EV, and the best chart."""

import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import brute_force as bf
import brute_force_switch
import pytest
from test_brute_force import CASES
from typer.testing import CliRunner

import odds
from odds import Rules, Shoe, Strategy, StrategyError, analyze, basic_strategy, evaluate, load_game
from odds.cli.main import app
from odds.engine.hands import player_hands
from odds.engine.terms import terms_of
from odds.results.groups import played_groups
from odds.strategy.chart import GAIN, chart_of
from odds.strategy.codes import CODES, ONLY_PAIRS, PAIR_ROWS, SECTIONS, doublings, is_code, rows_of, sections_of
from odds.strategy.deviations import deviations
from odds.strategy.exceptions import longer_differences, reach_probabilities
from odds.strategy.search import cell_costs, search
from odds.strategy.table import read_strategy, uniform

CLASSIC = load_game("classic-blackjack").rules
FACE_UP = load_game("face-up-21").rules
FREE = Rules(decks=1, dealer_22="push", free_double_on="hard 9-11", free_split="A-9", max_hands=3)
RUNNER = CliRunner()
DOUBLED = ("S", "D", "R")


def columns_of(rules: Rules) -> tuple[str, ...]:
    return tuple(group.label for group in played_groups(terms_of(rules).dealer))


def random_strategy(rules: Rules, seed: int, exceptions: int = 0) -> Strategy:
    rng = random.Random(seed)
    columns = columns_of(rules)
    plain = [code for code in CODES if code not in ONLY_PAIRS]
    of_totals = [*plain, "S3", "H2", "D2", "D3s", "Ds4", "D2h3d", "S2h4d", "H3ds", "R2d4h", "R3ds", "R2h3", "S2r"]
    of_totals = [code for code in of_totals if is_code(code)]

    def code_of(section: str) -> str:
        return rng.choice(list(CODES) if section == "pairs" else DOUBLED if doublings(section) else of_totals)

    sections = dict.fromkeys((*SECTIONS, *sections_of(terms_of(rules).legal)))
    codes = {(part, row): tuple(code_of(part) for _ in columns) for part in sections for row in rows_of(part)}
    hands = ["2,T", "5,6,7", "A,7", "6,9", "5,8", "A,9", "7,9"]
    return Strategy(
        columns, codes, {(rng.choice(hands), rng.choice(columns)): rng.choice(plain) for _ in range(exceptions)}
    )


class Reader:
    """Plays a strategy by reading its codes as a player would: written apart from the engine's reading."""

    def __init__(self, strategy: Strategy, rules: Rules) -> None:
        self.strategy, self.rules = strategy, rules

    def column(self, dealer):
        if len(dealer) == 1:
            return "A23456789T"[dealer[0]]
        points = sum(card + 1 for card in dealer)
        return f"soft {points + 10}" if 0 in dealer and points <= 11 else f"hard {points}"

    def total(self, hand):
        points = sum(card + 1 for card in hand)
        return ("soft", str(points + 10)) if 0 in hand and points <= 11 else ("hard", str(points))

    def exception(self, hand, dealer):
        return self.strategy.exceptions.get((",".join("A23456789T"[card] for card in hand), self.column(dealer)))

    def total_code(self, hand, dealer):
        section, row = self.total(hand)
        return "S" if row == "21" else self.strategy.code(section, row, self.column(dealer))

    def read(self, code, total_code, hand, legal, splits_double):
        """The first thing the code asks for that is legal."""
        split = ["split"] if splits_double else []
        wishes = {
            "P": ["split", "total"],
            "Ph": [*split, "hit"],
            "Pd": [*split, "double", "hit"],
            "Rp": ["surrender", "split", "total"],
        }.get(code, [])
        if not wishes:
            letters = [(code[at].lower(), code[at + 1 : at + 2]) for at in range(len(code)) if code[at].isalpha()]
            names = {"s": "stand", "h": "hit", "d": "double", "r": "surrender"}
            for letter, most in letters:
                if not most.isdigit() or len(hand) <= int(most):
                    wishes.append(names[letter])
            wishes.append("stand" if letters[-1][0] == "h" else "hit")
        for wish in wishes:
            if wish == "total":
                rest = [action for action in legal if action != "split"]
                return self.read(total_code, "S", hand, rest, splits_double)
            if wish in legal:
                return wish
        return "stand"

    def first(self, hand, dealer, is_pair):
        legal = bf.legal_first(self.rules, hand, is_pair, dealer[0])
        code = self.exception(hand, dealer)
        total_code = self.total_code(hand, dealer)
        if code is None:
            pair = hand[0] == hand[1] and (is_pair or self.rules.split_by == "value") and self.rules.max_hands > 1
            code = self.strategy.code("pairs", PAIR_ROWS[hand[0]], self.column(dealer)) if pair else total_code
        return self.read(code, total_code, hand, legal, self.rules.double_after_split)

    def later(self, hand, dealer):
        code = self.exception(hand, dealer) or self.total_code(hand, dealer)
        return self.read(code, code, hand, bf.legal_first(self.rules, hand, False, dealer[0]), False)

    def doubled(self, hand, dealer, doublings, pair_value):
        section = f"doubled {doublings}" if doublings > 1 else "doubled"
        code = self.strategy.code(section, " ".join(self.total(hand)), self.column(dealer))
        wish = {"S": "stand", "D": "double", "R": "surrender"}[code]
        return wish if wish in bf.legal_doubled(self.rules, hand, doublings, dealer[0]) else "stand"

    def after_split(self, hand, dealer, pair_value):
        legal = bf.legal_after_split(self.rules, hand, pair_value, dealer[0])
        total_code = self.total_code(hand, dealer)
        code = self.exception(hand, dealer) or total_code
        if len(hand) == 2 and hand[0] == hand[1] and self.exception(hand, dealer) is None:
            code = self.strategy.code("pairs", PAIR_ROWS[hand[0]], self.column(dealer))
        return self.read(code, total_code, hand, legal, self.rules.double_after_split)

    def free(self, hand, dealer, pair_value):
        """Exceptions are for one's own hands, and a pair is a total like any other."""
        section, row = self.total(hand)
        code = "S" if row == "21" else self.strategy.code(f"free {section}", row, self.column(dealer))
        return self.read(code, "S", hand, bf.legal_after_split(self.rules, hand, pair_value, dealer[0]), False)


# --- exact EV of any strategy ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in CASES])
def test_a_strategy_is_played_as_it_is_read(case, seed: int) -> None:
    """Plays no sane person makes, against whole rounds enumerated card by card: equal fractions."""
    strategy = random_strategy(case.rules, seed, exceptions=4)
    result = evaluate(case.rules, strategy, shoe=case.cards)
    exact = result.exact()
    reader = Reader(strategy, case.rules)
    assert bf.round_ev(case.shoe, case.rules, reader) == exact.ev
    assert bf.average_wager(case.shoe, case.rules, reader) == exact.average_wager
    assert float(exact.ev) == pytest.approx(result.ev, abs=1e-13)
    assert not exact.certified


@pytest.mark.parametrize("changes", [
    {"switched_blackjack": "blackjack"}, {"hole_card": "none", "dealer_blackjack_takes": "original"},
    {"surrender": "late", "free_double_on": "9-16", "free_split": "8", "dealer_22": "push"},
])  # fmt: skip
def test_a_strategy_is_followed_after_the_best_exchange(changes: dict[str, Any]) -> None:
    rules = Rules(max_hands=2, switch=True, **changes)
    shoe = {"A": 4, "8": 4, "T": 12}
    strategy = random_strategy(rules.replace(switch=False), seed=3)
    result = evaluate(rules, strategy, shoe=Shoe.of_counts(shoe))
    followed = brute_force_switch.Followed(shoe, rules, Reader(strategy, rules))
    exact = result.exact()
    assert brute_force_switch.round_worth(shoe, rules, followed) == (exact.ev, exact.average_wager)
    assert (result.ev, result.average_wager) == pytest.approx((exact.ev, exact.average_wager), abs=1e-13)
    assert not exact.certified


def test_plays_with_published_edges() -> None:
    """Published for rules not fully stated: 5.5 % for playing as the dealer, 3.9 % for never busting."""
    rules = Rules(decks=8)
    mimic = uniform(rules, "mimic the dealer", {"hard": 17, "soft": 17})
    assert evaluate(rules, mimic).house_edge == pytest.approx(0.055, abs=0.003)
    best = basic_strategy(rules)
    never_bust = {
        place: tuple(
            {"H": "S", "D": "Ds", "Rh": "Rs"}.get(code, code) if place[0] == "hard" and int(place[1]) >= 12 else code
            for code in codes
        )
        for place, codes in best.codes.items()
    }
    assert evaluate(rules, Strategy(best.columns, never_bust)).house_edge == pytest.approx(0.039, abs=0.003)


def test_always_hit_and_always_stand() -> None:
    rules = Rules(decks=8, max_hands=1)
    stand = evaluate(rules, uniform(rules, "always stand", {"hard": 4, "soft": 12}))
    hit = evaluate(rules, uniform(rules, "always hit", {"hard": 21, "soft": 21}))
    assert stand.average_wager == hit.average_wager == pytest.approx(1, abs=1e-14)  # a sum of probabilities
    # Standing on anything wins where the dealer busts and now and then more; hitting until 21 or bust loses nearly all.
    assert -0.20 < stand.ev < -0.10
    assert hit.ev < -0.6


# --- the best chart -------------------------------------------------------------------------------------------------


def test_six_decks_reference() -> None:
    """Six decks, S17, double any two, after a split too, four hands: -0.004059224 by another program."""
    rules = Rules(decks=6, max_hands=4)
    assert evaluate(rules, basic_strategy(rules)).ev == pytest.approx(-0.004059224, abs=1e-9)


def test_classic_is_at_least_as_good_as_the_reference() -> None:
    """About -0.0041174 by a program that truncates its figures; its chart surrenders every 16 against a ten."""
    ev = evaluate(CLASSIC, basic_strategy(CLASSIC)).ev
    assert -0.0041174 < ev < analyze(CLASSIC).ev
    chart = basic_strategy(CLASSIC)
    assert chart.code("hard", "16", "T") == "Rs"
    assert evaluate(CLASSIC, chart.with_code("hard", "16", "T", "Rh")).ev < ev


@pytest.mark.parametrize(
    "rules",
    [CLASSIC, pytest.param(FACE_UP, marks=pytest.mark.slow), Rules(decks=1, max_hands=2), FREE],
    ids=["classic", "face-up", "one-deck", "free-bet"],
)
def test_no_single_change_improves_the_best_chart(rules: Rules) -> None:
    best = search(rules)
    assert max(cost.gain for cost in best.costs.values()) <= GAIN
    # Every other code of every total row, each tried by itself.
    rows = [cost for cost in cell_costs(rules, best.strategy) if cost.section != "pairs"]
    totals = 52 if rules is FREE else 26
    assert (totals - 4) * len(best.strategy.columns) < len(rows) <= totals * len(best.strategy.columns)
    # In the search a total row carries its pair along; a change that leaves the pair alone gains nothing either.
    assert max(cost.gain for cost in rows) <= GAIN


@pytest.mark.parametrize(
    "rules", [CLASSIC, pytest.param(FACE_UP, marks=pytest.mark.slow), FREE], ids=["classic", "face-up", "free-bet"]
)
def test_costs_are_those_of_whole_rounds(rules: Rules) -> None:
    """What the search says of a changed cell is what evaluating the changed strategy says."""
    best = search(rules)
    ev = evaluate(rules, best.strategy).ev
    rng = random.Random(7)
    for cost in rng.sample(cell_costs(rules, best.strategy), 15):
        changed = best.strategy.with_code(cost.section, cost.row, cost.column, cost.other)
        # 1e-14: rounding of sums of some thousand terms.
        assert evaluate(rules, changed).ev - ev == pytest.approx(cost.gain, abs=1e-14)


def test_wrong_cells_come_worst_first() -> None:
    best = basic_strategy(CLASSIC)
    wrong = best.with_code("hard", "20", "6", "H").with_code("hard", "12", "4", "H")
    costs = [cost for cost in cell_costs(CLASSIC, wrong) if cost.gain > GAIN]
    assert [(cost.section, cost.row, cost.column, cost.other) for cost in costs][:1] == [("hard", "20", "6", "S")]
    assert {(cost.row, cost.column) for cost in costs} >= {("20", "6"), ("12", "4")}
    assert costs == sorted(costs, key=lambda cost: -cost.gain)
    worst = evaluate(CLASSIC, wrong.with_code("hard", "20", "6", "S")).ev - evaluate(CLASSIC, wrong).ev
    assert costs[0].gain == pytest.approx(worst, abs=1e-14)


def test_soft_twelve_is_there_where_aces_are_not_split() -> None:
    rules = Rules(decks=8, max_hands=1)
    chart = basic_strategy(rules)
    assert chart.code("soft", "12", "A") == "H"
    assert evaluate(rules, chart).exact().ev < analyze(rules).exact().ev


def test_the_best_chart_of_a_shoe_without_some_card() -> None:
    shoe = Shoe.of_decks(1).without("5,5,5,5")
    rules = Rules(decks=1)
    ev = evaluate(rules, basic_strategy(rules, shoe=shoe), shoe=shoe).ev
    assert 0.03 < ev <= analyze(rules, shoe=shoe).ev


# --- files ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [CLASSIC, FACE_UP, FREE], ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_written_and_read_back_equal(rules: Rules, seed: int, tmp_path: Path) -> None:
    strategy = random_strategy(rules, seed, exceptions=5)
    assert Strategy.from_csv(strategy.to_csv()) == strategy
    assert Strategy.from_json(strategy.to_json()) == strategy
    for name, text in (("s.csv", strategy.to_csv()), ("s.json", strategy.to_json())):
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert read_strategy(tmp_path / name) == strategy


def test_free_hands_without_rows_are_played_as_own_ones(tmp_path: Path) -> None:
    """All rows may be missing, or some; files of others name them in other ways."""
    best = basic_strategy(FREE)
    lines = best.to_csv().splitlines()
    own = Strategy.from_csv("\n".join(line for line in lines if not line.startswith("free")))
    as_own = {(f"free {section}", row): codes for (section, row), codes in own.codes.items() if section != "pairs"}
    assert own.check(FREE).codes == {**own.codes, **as_own}
    assert own.check(FREE).notes == ("26 rows of free hands are not there and taken as those of own hands",)
    assert evaluate(FREE, own).ev == evaluate(FREE, own.check(FREE)).ev < evaluate(FREE, best).ev
    assert own.check(CLASSIC) == own
    wrong = {(cost.section, cost.row) for cost in cell_costs(FREE, own) if cost.gain > GAIN}
    assert wrong
    assert {section for section, _ in wrong} <= {"free hard", "free soft"}
    # One row in other words, the others left out.
    path = tmp_path / "mine.csv"
    row = next(line for line in lines if line.startswith("free hard,17")).removeprefix("free hard,17")
    path.write_text("\n".join([*(line for line in lines if not line.startswith("free")), f"Free Hands,17{row}"]))
    read = read_strategy(path).check(FREE)
    assert read.codes["free hard", "17"] == best.codes["free hard", "17"] != read.codes["hard", "17"]
    assert read.codes["free hard", "16"] == read.codes["hard", "16"]


def test_the_best_chart_with_infinite_decks_plays_as_well_as_can_be() -> None:
    """By two independent programs: no card tells more than totals do, and whose money the hand carries."""
    rules = Rules(
        decks="infinite", dealer_hits_soft_17=True, dealer_22="push", free_double_on="hard 9-11", free_split="A-9",
        resplit_aces=True,
    )  # fmt: skip
    best = basic_strategy(rules)
    assert evaluate(rules, best).ev == pytest.approx(-0.0099369892329843, abs=1e-12)
    assert (best.code("hard", "17", "7"), best.code("free hard", "17", "7")) == ("S", "H")
    shown = chart_of(best, evaluate(rules, best), analyze(rules))
    cell = shown.cell("free hard", "12", "4")
    assert cell is not None
    assert cell.values["hit"] == pytest.approx(0.303907, abs=5e-7)
    assert cell.values["stand"] == pytest.approx(0.301764, abs=5e-7)
    # No two cards are a free 20; given no blackjack, of which longer hands tell nothing here.
    longer = shown.cell("free hard", "20", "A")
    assert longer is not None
    assert longer.values["stand"] == pytest.approx(
        odds.hand_values("8,2,T", "A", rules, free=True).actions["stand"], abs=1e-13
    )


def test_a_blackjack_that_takes_one_unit_a_round_takes_none_of_a_free_hand() -> None:
    rules = Rules(decks=1, max_hands=2, hole_card="none", dealer_blackjack_takes="original", free_split="A-9")
    best = basic_strategy(rules)
    shown = chart_of(best, evaluate(rules, best), analyze(rules))
    for column in ("A", "T"):
        cell, own = shown.cell("free hard", "16", column), shown.cell("hard", "16", column)
        assert cell is not None
        assert own is not None
        assert own.values["stand"] < 0 < cell.values["stand"]


def csv_of(rules: Rules = CLASSIC) -> list[str]:
    return uniform(rules, "x", {"hard": 17, "soft": 18}).to_csv().splitlines()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines: [line for line in lines if not line.startswith("hard,16")], "missing row: hard 16"),
        (lambda lines: [line.replace("pairs,\"8,8\",H", "pairs,\"8,8\",X") for line in lines], "pairs 8,8 against 2"),
        (lambda lines: [line.replace("hard,16,H", "hard,16,P") for line in lines], "P splits, which only a pair can"),
        (lambda lines: [*lines, lines[5]], "is there twice"),
        (lambda lines: [line + ",H" if line.startswith("soft,13") else line for line in lines], "expected 10 codes"),
        (lambda lines: [",".join(line.split(",")[:-1]) for line in lines], "expected"),
        (lambda lines: lines[1:], "expected a first line"),
        (lambda lines: [lines[0].replace("T", "2"), *lines[1:]], "expected different columns"),
        (lambda lines: [*lines, "hard,25" + ",H" * 10], "got hard 25"),
        (lambda lines: [*lines, 'exceptions,"9,9,9"' + ",H" * 10], "at most 21"),
        (lambda lines: [*lines, 'exceptions,"2,X"' + ",H" * 10], "cannot read"),
        (lambda lines: [], "expected a first line"),
    ],
)  # fmt: skip
def test_bad_files_are_refused_with_their_place(change, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text("\n".join(change(csv_of())), encoding="utf-8")
    with pytest.raises(StrategyError, match=message.replace("(", r"\(")):
        read_strategy(path).check(CLASSIC)


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "{}",
        '{"columns": ["2"], "cells": [1]}',
        '{"columns": ["2"], "cells": [{"section": "hard", "row": "16", "codes": [1]}]}',
        '{"columns": ["2", "3"], "cells": [{"section": "hard", "row": "16", "column": "2", "code": "H"}]}',
        '{"columns": ["2"], "cells": [], "exceptions": [{"hand": "T,T"}]}',
    ],
)
def test_bad_json_is_refused(text: str) -> None:
    with pytest.raises(StrategyError):
        Strategy.from_json(text)


def test_a_strategy_for_another_game_is_refused() -> None:
    with pytest.raises(StrategyError, match="column"):
        uniform(CLASSIC, "x", {"hard": 17, "soft": 18}).check(FACE_UP)


def test_a_strategy_that_does_not_fit_is_named() -> None:
    strategy = uniform(Rules(), "mine.csv", {"hard": 17, "soft": 17})
    with pytest.raises(StrategyError, match=r"^mine\.csv: expected a column"):
        strategy.check(FACE_UP)
    codes = {place: cells for place, cells in strategy.codes.items() if place != ("hard", "8")}
    with pytest.raises(StrategyError, match=r"^mine\.csv: missing row: hard 8"):
        Strategy(strategy.columns, codes, name="mine.csv").check(Rules())


# --- commands -------------------------------------------------------------------------------------------------------


def test_a_written_chart_can_be_played(tmp_path: Path) -> None:
    expected = evaluate(CLASSIC, basic_strategy(CLASSIC)).ev
    for name in ("chart.csv", "chart.json"):
        path = tmp_path / name
        assert RUNNER.invoke(app, ["chart", "classic-blackjack", "--out", str(path)]).exit_code == 0
        result = RUNNER.invoke(app, ["rtp", "classic-blackjack", "--play", str(path), "--exact", "--json"])
        assert result.exit_code == 0, result.stderr
        data = json.loads(result.stdout)
        assert data["ev"] == expected
        assert data["play"] == name
        assert data["wrong_cells"] == []
        assert float(Fraction(data["exact"]["ev"])) == pytest.approx(expected, abs=1e-15)
        assert data["exact"]["certified"] is False
    total = json.loads(RUNNER.invoke(app, ["rtp", "classic-blackjack", "--play", "total", "--json"]).stdout)
    assert total["ev"] == expected
    assert total["play"] == "total"


def test_wrong_cells_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(basic_strategy(CLASSIC).with_code("pairs", "T,T", "6", "P").to_csv(), encoding="utf-8")
    text = RUNNER.invoke(app, ["rtp", "classic-blackjack", "--play", str(path)], env={"COLUMNS": "80"}).stdout
    assert "T,T against 6" in text
    assert "worst first" in text
    assert "%" not in next(line for line in text.splitlines() if "T,T against 6" in line)
    assert "Costs: of the RTP in percentage points" in " ".join(text.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--play", "no.csv"], "No such file"),
        (["--play", "chart.txt"], "ends in .csv or .json"),
        (["--play", "."], "ends in .csv or .json"),
    ],
)
def test_bad_plays_are_refused(arguments: list[str], message: str) -> None:
    result = RUNNER.invoke(app, ["rtp", "classic-blackjack", *arguments])
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


# --- effects of removal ---------------------------------------------------------------------------------------------


def test_deviations() -> None:
    rules = Rules(decks=6, max_hands=2, surrender="late")
    found = deviations(rules)
    assert found.effects["5"] == pytest.approx(0.00141, abs=0.00003)  # published: 0.141 %, the class of splits unknown
    assert found.effects["5"] == analyze(rules, shoe=Shoe.of_decks(6).without("5")).ev - found.ev
    cell = next(c for c in found.cells if (c.section, c.row, c.column) == ("hard", "16", "9"))
    assert cell.action == "surrender"
    assert [c.gap for c in found.cells] == sorted((c.gap for c in found.cells), key=abs)
    assert any(item.player == "7,8" and item.dealer == "T" for c in found.cells for item in c.exceptions)


def test_a_card_burned_unseen_changes_nothing() -> None:
    """The mean of a fixed play's EV over the shoes that lack one random card is its EV from the full shoe."""
    rules = Rules(decks=2, max_hands=3, dealer_hits_soft_17=True)
    chart = basic_strategy(rules)
    full = Shoe.of_decks(2)
    evs = [evaluate(rules, chart, shoe=full.without([value])).ev for value in range(10)]
    mean = sum(n * ev for n, ev in zip(full.counts, evs, strict=True)) / full.total
    assert mean == pytest.approx(evaluate(rules, chart).ev, abs=1e-14)
    # A player who re-optimises for the shoe that he is told of only gains by it.
    best = [analyze(rules, shoe=full.without([value])).ev for value in range(10)]
    assert sum(n * ev for n, ev in zip(full.counts, best, strict=True)) / full.total > analyze(rules).ev


def test_deviations_command() -> None:
    two_hands = ["single-deck", "--set", "max_hands=2"]
    result = RUNNER.invoke(app, ["deviations", *two_hands, "--cells", "3"], env={"COLUMNS": "80"})
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines())) <= 80
    data = json.loads(RUNNER.invoke(app, ["deviations", *two_hands, "--json"]).stdout)
    assert len(data["cells"]) == 360
    assert set(data["effects"]) == set("A23456789T")


@pytest.mark.parametrize("game", ["classic-blackjack", pytest.param("face-up-21", marks=pytest.mark.slow)])
def test_effects_of_removal_fit_a_terminal(game: str) -> None:
    text = RUNNER.invoke(app, ["deviations", game, "--cells", "3"], env={"COLUMNS": "80"}).stdout
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text


def test_the_documented_example_is_the_best_chart_with_one_exception() -> None:
    text = Path(__file__).parents[2].joinpath("docs", "formats.md").read_text(encoding="utf-8")
    example = text.split("## Strategy files")[1].split("```csv\n")[1].split("```")[0]
    strategy = Strategy.from_csv(example)
    assert strategy.exceptions == {("2,T", "4"): "H"}
    assert Strategy(strategy.columns, strategy.codes) == basic_strategy(CLASSIC)
    # Ten and two against a four is better hit, by 0.00006 a hand: a known near tie.
    assert evaluate(CLASSIC, strategy).ev < analyze(CLASSIC).ev
    for code, words in CODES.items():
        assert f"| `{code}` | {words} |" in text


def test_longer_hands_that_are_played_otherwise() -> None:
    """One deck: a sixteen of three small cards stands against a ten, 5,5,5 too: published for 5,5,5 against T."""
    rules = Rules(decks=1, max_hands=2)
    best, chart = analyze(rules), basic_strategy(rules)
    found = longer_differences(best, chart)
    by_hand = {(item.player, item.dealer): item for item in found}
    # Published for one deck: stand -0.551583138, hit -0.564111065, given no blackjack.
    item = by_hand["5,5,5", "T"]
    assert (item.chart, item.best) == ("hit", "stand")
    hand = best.hand("5,5,5", "T").actions
    assert hand["stand"] - hand["hit"] == pytest.approx(0.564111065 - 0.551583138, abs=2e-9)
    assert 0 < item.gain < hand["stand"] - hand["hit"]
    assert [item.gain * item.probability for item in found] == sorted(
        (item.gain * item.probability for item in found), reverse=True
    )
    # What all exceptions are worth together bounds what a chart by totals costs beside the best play, splits apart.
    total = sum(item.gain * item.probability for item in found)
    assert 0 < total < 3 * (best.ev - evaluate(rules, chart).ev)


def test_how_often_a_hand_is_reached() -> None:
    """A chart that always hits comes to 2,3 and a third card exactly as often as they are dealt."""
    rules = Rules(decks=1, max_hands=1)
    strategy = uniform(rules, "always hit", {"hard": 21, "soft": 21})
    best = analyze(rules)
    analysis = best.analysis("6")
    reached = reach_probabilities(analysis, strategy.tables(rules)[(5,)])
    hand = player_hands().find((1, 2, 6))  # 2, 3 and 7 in any order: six orders of 4 x 4 x 4 cards out of 51
    assert reached.reshape(-1)[hand] == pytest.approx(6 * 4 * 4 * 4 / (51 * 50 * 49), rel=1e-12)


def test_a_chart_of_an_own_strategy_says_which_cells_are_wrong_and_what_they_cost() -> None:
    own = basic_strategy(CLASSIC).with_code("hard", "20", "6", "H").with_code("hard", "12", "4", "H")
    played, best = evaluate(CLASSIC, own), analyze(CLASSIC)
    chart = chart_of(own, played, best, cell_costs(CLASSIC, own))
    (section, row, column, worst), *others = chart.marked()
    assert (section, row, column, worst.code, worst.other) == ("hard", "20", "6", "H", "S")
    mended = evaluate(CLASSIC, own.with_code("hard", "20", "6", "S"))
    assert worst.cost == pytest.approx(played.ev - mended.ev, abs=1e-14)
    assert ("12", "4", "S") in [(row, column, cell.other) for _, row, column, cell in others]
    assert len(others) + 1 == sum(cell.wrong for *_, cell in chart.cells()) < 10
    assert chart.cell("hard", "16", "6").cost > 0  # a right cell says what the nearest code would cost


def test_a_chart_held_against_another_one_marks_what_differs() -> None:
    own, other = basic_strategy(CLASSIC), basic_strategy(CLASSIC.replace(dealer_hits_soft_17=True))
    played = evaluate(CLASSIC, own)
    against = evaluate(CLASSIC, other)
    chart = chart_of(
        own, played, analyze(CLASSIC), cell_costs(CLASSIC, own, against=other), against=(other, against.ev)
    )
    marked = {(section, row, column): cell for section, row, column, cell in chart.marked()}
    assert marked["hard", "11", "A"].against == "D"
    for *place, _ in chart.cells():
        says = other.code(*place)
        assert says == (marked[*place].against if tuple(place) in marked else own.code(*place))
    # Columns do not touch each other, but cells of one may.
    assert sum(cell.cost for cell in marked.values()) == pytest.approx(played.ev - against.ev, abs=1e-5)


# --- other people's spellings ---------------------------------------------------------------------------------------

OTHERS = {
    "uppercase.csv": """Section,Row,2,3,4,5,6,7,8,9,10,A
Hard,4-8,H,H,H,H,H,H,H,H,H,H
Hard,9,H,DH,DH,DH,DH,H,H,H,H,H
Hard,10,DH,DH,DH,DH,DH,DH,DH,DH,H,H
Hard,11,DH,DH,DH,DH,DH,DH,DH,DH,DH,H
Hard,12,H,H,S,S,S,H,H,H,H,H
Hard,13,S,S,S,S,S,H,H,H,H,H
Hard,14,S,S,S,S,S,H,H,H,H,H
Hard,15,S,S,S,S,S,H,H,H,RH,H
Hard,16,S,S,S,S,S,H,H,RH,RH,RH
Hard,17+,S,S,S,S,S,S,S,S,S,S
Soft,"A,2",H,H,H,DH,DH,H,H,H,H,H
Soft,"A,3",H,H,H,DH,DH,H,H,H,H,H
Soft,"A,4",H,H,DH,DH,DH,H,H,H,H,H
Soft,"A,5",H,H,DH,DH,DH,H,H,H,H,H
Soft,"A,6",H,DH,DH,DH,DH,H,H,H,H,H
Soft,"A,7",S,DS,DS,DS,DS,S,S,H,H,H
Soft,"A,8",S,S,S,S,S,S,S,S,S,S
Soft,"A,9",S,S,S,S,S,S,S,S,S,S
Pair,"A,A",SP,SP,SP,SP,SP,SP,SP,SP,SP,SP
Pair,"2,2",PH,PH,SP,SP,SP,SP,H,H,H,H
Pair,"3,3",PH,PH,SP,SP,SP,SP,H,H,H,H
Pair,"4,4",H,H,H,PH,PH,H,H,H,H,H
Pair,"5,5",DH,DH,DH,DH,DH,DH,DH,DH,H,H
Pair,"6,6",PH,SP,SP,SP,SP,H,H,H,H,H
Pair,"7,7",SP,SP,SP,SP,SP,SP,H,H,H,H
Pair,"8,8",SP,SP,SP,SP,SP,SP,SP,SP,SP,SP
Pair,"9,9",SP,SP,SP,SP,SP,S,SP,SP,S,S
Pair,"10,10",S,S,S,S,S,S,S,S,S,S
""",
    "labels.csv": """# No sections, rows as printed charts have them.
,2,3,4,5,6,7,8,9,10,ace
8,h,h,h,h,h,h,h,h,h,h
9,h,d,d,d,d,h,h,h,h,h
10,d,d,d,d,d,d,d,d,h,h
11,d,d,d,d,d,d,d,d,d,h
12,h,h,s,s,s,h,h,h,h,h
13,s,s,s,s,s,h,h,h,h,h
14,s,s,s,s,s,h,h,h,h,h
15,s,s,s,s,s,h,h,h,su,h
16,s,s,s,s,s,h,h,su,su,su
17,s,s,s,s,s,s,s,s,s,s
A2,h,h,h,d,d,h,h,h,h,h
A3,h,h,h,d,d,h,h,h,h,h
A4,h,h,d,d,d,h,h,h,h,h
A5,h,h,d,d,d,h,h,h,h,h
A6,h,d,d,d,d,h,h,h,h,h
A7,s,d/s,d/s,d/s,d/s,s,s,h,h,h
A8,s,s,s,s,s,s,s,s,s,s
AA,y,y,y,y,y,y,y,y,y,y
22,y/n,y/n,y,y,y,y,n,n,n,n
33,y/n,y/n,y,y,y,y,n,n,n,n
44,n,n,n,y/n,y/n,n,n,n,n,n
55,n,n,n,n,n,n,n,n,n,n
66,y/n,y,y,y,y,n,n,n,n,n
77,y,y,y,y,y,y,n,n,n,n
88,y,y,y,y,y,y,y,y,y,y
99,y,y,y,y,y,n,y,y,n,n
TT,n,n,n,n,n,n,n,n,n,n
""",
}


OTHERS["semicolons.csv"] = OTHERS["labels.csv"].replace(",", ";")


def test_files_of_others_are_the_same_strategy(tmp_path: Path) -> None:
    """Three spellings of one chart, with rows left out that can only be one thing, and the same as JSON."""
    found = {}
    for name, text in OTHERS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        found[name] = read_strategy(tmp_path / name)
    first = found["uppercase.csv"]
    assert first == found["labels.csv"] == found["semicolons.csv"]
    assert Strategy.from_csv(first.to_csv()) == first  # written as we write it
    assert first.check(CLASSIC).code("hard", "16", "T") == "Rh"
    assert (first.code("pairs", "2,2", "3"), first.code("pairs", "5,5", "9")) == ("Ph", "D")
    assert first.code("pairs", "T,T", "T") == "S"
    assert set(first.codes["soft", "12"]) == {"H"}
    assert first.notes == ("soft 12 is not there and taken as H, hit",)
    notes = found["labels.csv"].notes
    assert "hard 16: su is taken as Rh, surrender, else hit" in notes
    assert "hard 5 is not there and taken as H, hit" in notes
    assert "soft 20 is not there and taken as S, stand" in notes
    data = json.loads(first.to_json())
    data["columns"] = [column.replace("T", "10").lower() for column in data["columns"]]
    for cell in data["cells"]:
        if cell["section"] == "soft" and cell["row"] != "12":
            cell["row"] = f"A-{int(cell['row']) - 11}"
        cell["section"] = {"pairs": "Splits"}.get(cell["section"], cell["section"].upper())
        cell["codes"] = [{"P": "SP", "D": "Dh"}.get(code, code.lower()) for code in cell["codes"]]
    assert Strategy.from_json(json.dumps(data)) == first


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("88,SU,y,y,y,y,y,y,y,y,y", "pairs 8,8 against 2: SU does not say what else: write Rh, Rs, Rp or Rd"),
        ("66,y,y,y,y/n,y,n,n,n,n,n", "pairs 6,6 against 5: y/n, split if it may be doubled after, else stand, has no"),
        ("88,QQ,y,y,y,y,y,y,y,y,y", "pairs 8,8 against 2: expected a code, one of S H D Ds .*, got 'QQ'"),
        ("16,y,h,h,h,h,h,h,h,h,h", "hard 16 against 2: P splits"),
        ("A8,n,h,h,h,h,h,h,h,h,h", "soft 19 against 2: expected a code"),
        ("21,h,s,s,s,s,s,s,s,s,s", "expected a row such as hard 16, soft 18 or pairs 8,8, got hard 21"),
        ("A,8,s,s,s,s,s,s,s,s,s,s", "line 19: expected 10 codes"),
        ("15-16,s,s,s,s,s,h,h,h,h,h", "row hard 15 is there twice"),
        ("X8,s,s,s,s,s,s,s,s,s,s", "expected a row such as"),
    ],
)
def test_spellings_that_cannot_be_meant_exactly(row: str, message: str) -> None:
    label = row.split(",")[0]
    lines = [line for line in OTHERS["labels.csv"].splitlines() if line.split(",")[0] != label]
    lines.insert(18, row)
    with pytest.raises(StrategyError, match=r"^mine\.csv: .*" + message):
        Strategy.from_csv("\n".join(lines), "mine.csv").check(CLASSIC)


@pytest.mark.parametrize(
    ("text", "row", "code"),
    [
        ("d4/s", "9", "D4s"), ("D4/H", "9", "D4"), ("D/H3", "9", "Dh3"), ("S4/H", "14", "S4"), ("H3S", "14", "H3"),
        ("SU2/D", "16", "R2d"), ("sur/s4", "16", "Rs4"), ("R3", "16", "R3h"), ("su3", "17", "R3s"),
        ("S2H3D", "19", "S2h3d"),
    ],
)  # fmt: skip
def test_numbers_of_cards_as_others_write_them(text: str, row: str, code: str) -> None:
    lines = [line if not line.startswith(f"hard,{row},") else f"hard,{row}" + f",{text}" * 10 for line in csv_of()]
    assert Strategy.from_csv("\n".join(lines)).code("hard", row, "5") == code


@pytest.mark.parametrize("code", ["D1", "S44", "SH", "DD", "S10", "D4*", "P3", "Sd", "DhD4"])
def test_codes_that_are_none(code: str) -> None:
    lines = [line if not line.startswith("hard,14,") else "hard,14" + f",{code}" * 10 for line in csv_of()]
    with pytest.raises(StrategyError, match="hard 14 against 2: expected a code, one of S H D"):
        Strategy.from_csv("\n".join(lines))


def test_rows_of_doubled_hands() -> None:
    """Left out they stand; an unknown code, or a row without the others, is refused with its place."""
    rules = Rules(decks=1, max_hands=1, double_rescue=True, redoubles=1)
    best = basic_strategy(rules)
    assert (best.code("doubled", "hard 12", "T"), best.code("doubled", "hard 10", "6")) == ("R", "D")
    assert "D" not in {code for (section, _), row in best.codes.items() if section == "doubled 2" for code in row}
    plain = Strategy(best.columns, {place: row for place, row in best.codes.items() if "doubled" not in place[0]})
    assert evaluate(rules, plain).ev < evaluate(rules, best).ev - 0.001
    assert evaluate(rules, plain).ev == pytest.approx(
        evaluate(rules.replace(double_rescue=False, redoubles=0), plain).ev
    )
    lines = best.to_csv().splitlines()
    written = "\n".join(lines).replace("doubled 2,soft 14,S", "doubled 2,soft 14,rs")
    assert Strategy.from_csv(written).code("doubled 2", "soft 14", "2") == "R"
    with pytest.raises(StrategyError, match="doubled hard 12 against 2: expected one of S D R"):
        Strategy.from_csv("\n".join(lines).replace("doubled,hard 12,S", "doubled,hard 12,H"))
    with pytest.raises(StrategyError, match="missing row: doubled hard 12"):
        Strategy.from_csv("\n".join(line for line in lines if "doubled,hard 12" not in line)).check(rules)


def test_rows_that_could_be_anything_are_still_missed() -> None:
    text = OTHERS["labels.csv"]
    with pytest.raises(StrategyError, match="pairs 2,2 against 2: y/n asks for hard 4, a row that is missing"):
        Strategy.from_csv(text.replace("\n8,", "\n#"))
    for label, missing in (("13", "hard 13"), ("A2", "soft 12"), ("A8", "soft 19"), ("88", "pairs 8,8")):
        lines = [line for line in text.splitlines() if line.split(",")[0] != label]
        with pytest.raises(StrategyError, match=f"missing row: {missing}"):
            Strategy.from_csv("\n".join(lines)).check(CLASSIC)


def test_notes_on_a_strategy_are_said(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(OTHERS["uppercase.csv"], encoding="utf-8")
    for command in ("rtp", "chart"):
        result = RUNNER.invoke(app, [command, "single-deck", "--play", str(path)])
        assert result.exit_code == 0
        assert "note: mine.csv: soft 12 is not there and taken as H, hit\n" in result.stderr


def test_a_published_figure_is_not_held_against_an_own_play(tmp_path: Path) -> None:
    """What is published is for best play, or the best chart, but not for whatever somebody plays."""
    path = tmp_path / "mine.csv"
    path.write_text(uniform(Rules(decks=6, hole_card="none"), "x", {"hard": 17, "soft": 18}).to_csv(), encoding="utf-8")
    command = ["rtp", "european-6d", "--play"]
    text = " ".join(RUNNER.invoke(app, [*command, str(path)], env={"COLUMNS": "80"}).stdout.split())
    assert "(from a house edge of 0.664%), which is not for the play of mine.csv" in text
    assert "differs" not in text
    assert json.loads(RUNNER.invoke(app, [*command, str(path), "--json"]).stdout)["published"] is None
    published = json.loads(RUNNER.invoke(app, [*command, "total", "--json"]).stdout)["published"]
    assert published.keys() == {"rtp", "matches", "matches_per_total_wager"}
    template = tmp_path / "text.txt"
    template.write_text("RTP {rtp}, published {published_rtp}", encoding="utf-8")
    filled = RUNNER.invoke(app, ["fill", str(template), "european-6d", "--play", str(path)])
    assert (filled.exit_code, filled.stdout) == (2, "")
    assert "nothing is published on european-6d as" in filled.stderr


@pytest.mark.parametrize(
    "fields",
    [
        {"removed_ranks": "9,10", "max_hands": 2},
        {"removed_ranks": "9,10", "double_rescue": True, "max_hands": 1},
        {"removed_ranks": "5,9", "hole_card": "exposed", "max_hands": 1},
    ],
)
def test_charts_of_decks_without_some_ranks_are_read_back(fields: dict[str, Any]) -> None:
    """Columns that are not dealt, and rows that no two cards make, such as hard 19 without nines."""
    rules = Rules(decks=1, **fields)
    chart = odds.chart(rules)
    strategy = Strategy.from_json(json.dumps(chart.to_dict()))
    assert evaluate(rules, strategy).ev == pytest.approx(chart.ev, abs=1e-13)
    assert not odds.chart(rules, strategy).marked()
    assert Strategy.from_csv(strategy.check(rules).to_csv()) == strategy.check(rules)
    with pytest.raises(StrategyError, match="expected a column for the dealer's"):
        strategy.check(rules.replace(removed_ranks="none"))
