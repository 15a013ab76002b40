"""Which cards to exchange, and the chart for hands after the exchange."""

import json
from fractions import Fraction
from math import fsum
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from odds.cli.main import app
from odds.game.rules import Rules
from odds.results.after_exchange import after_exchange
from odds.results.round import SwitchResult, analyze
from odds.results.switch import PAIRS, exchanges
from odds.strategy.exchange_table import exchange_table
from odds.strategy.search import BestChart, cell_costs, search
from odds.strategy.table import evaluate

CLOSE = 1e-12
RULES = Rules(decks=1, switch=True, blackjack_pays=Fraction(1), dealer_22="push", dealer_hits_soft_17=True, max_hands=1)
SPLITTING = RULES.replace(decks=6, max_hands=4)


def switched(rules: Rules) -> SwitchResult:
    result = analyze(rules, threads=2)
    assert isinstance(result, SwitchResult)
    return result


@pytest.fixture(scope="module")
def result() -> SwitchResult:
    return switched(RULES)


@pytest.fixture(scope="module")
def best() -> BestChart:
    return search(RULES)


def kind(cards: str, made: bool) -> str:
    """Return what a hand of two cards is called in the table of points, without splitting."""
    values = sorted({"A": 1, "T": 10}.get(card) or int(card) for card in cards.split(","))
    if values == [1, 10]:
        return "A,T made" if made else "A,T dealt"
    return f"soft {sum(values) + 10}" if 1 in values else f"hard {sum(values)}"


def says_exchange(points: dict[str, int], player: str) -> bool:
    one, two = player.split(" / ")
    (a, b), (c, d) = one.split(","), two.split(",")
    dealt = points[kind(one, made=False)] + points[kind(two, made=False)]
    return points[kind(f"{a},{d}", made=True)] + points[kind(f"{c},{b}", made=True)] > dealt


@pytest.mark.parametrize(("columns", "per_wager"), [(10, 100), (5, 20), (1, 5)])
def test_what_the_points_cost(result: SwitchResult, columns: int, per_wager: int) -> None:
    """They are played with every four cards, one deal after the other."""
    table = exchange_table(result, columns, per_wager)
    names = ["2", "3", "4", "5", "6", "7", "8", "9", "T", "A"]
    of_column: dict[str, dict[str, int]] = {}
    for at, label in enumerate(table.points.columns):
        first, _, last = label.partition("–")
        for upcard in names[names.index(first) : names.index(last or first) + 1]:
            of_column[upcard] = {hand: points[at] for hand, points in table.points.rows}
    assert list(of_column) == names
    assert len(table.points.columns) == columns
    wrong = [
        (row["probability"] * row["gain"], row["dealer"], row["player"])
        for row in result.to_rows()
        if row["gain"] > CLOSE and says_exchange(of_column[row["dealer"]], row["player"]) != (row["best"] == "exchange")
    ]
    assert table.points.cost == pytest.approx(fsum(cost for cost, _, _ in wrong), abs=CLOSE)
    assert {(item.dealer, item.player) for item in table.mistakes} == {(dealer, player) for _, dealer, player in wrong}
    assert all(min(points) == 0 for points in zip(*(points for _, points in table.points.rows), strict=True))


def test_exchanges_add_up(result: SwitchResult) -> None:
    table = exchange_table(result)
    assert table.ev == result.ev
    assert fsum(swap.per_round for swap in table.swaps) == pytest.approx(table.ev - table.kept_ev, abs=CLOSE)
    assert fsum(swap.probability for swap in table.swaps) == pytest.approx(table.exchanged, abs=CLOSE)
    for name in ("ev", "kept_ev", "exchanged"):
        mean = fsum(row.probability * getattr(row, name) for row in table.by_dealer)
        assert mean == pytest.approx(getattr(table, name), abs=CLOSE)
    assert fsum(row.probability * row.cost for row in table.by_dealer) == pytest.approx(table.points.cost, abs=CLOSE)
    assert table.points.cost < 1e-3
    assert 0.3 < table.exchanged < 0.4


def test_a_notebook_shows_the_points(result: SwitchResult) -> None:
    shown = exchange_table(result, 3)._repr_html_()
    assert shown.count("<tr>") == len(exchange_table(result, 3).points.compact()) + 1
    assert "A,T dealt" in shown


def test_more_columns_and_points_cost_less(result: SwitchResult) -> None:
    costs = [exchange_table(result, columns, points).points.cost for columns, points in ((1, 5), (3, 20), (10, 100))]
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] < 2e-4


def test_exposed_dealer_has_columns_of_totals() -> None:
    rules = Rules(decks=2, switch=True, hole_card="exposed", max_hands=1)
    table = exchange_table(switched(rules), 6)
    assert len(table.points.columns) == 6
    assert all(label.startswith(("hard ", "soft ")) for label in table.points.columns)
    assert fsum(swap.per_round for swap in table.swaps) == pytest.approx(table.ev - table.kept_ev, abs=CLOSE)


def test_chart_after_the_exchange(result: SwitchResult, best: BestChart) -> None:
    """What the nearest other code of a cell costs is what it does to the EV, the exchange being as it is."""
    played = evaluate(RULES, best.strategy)
    assert isinstance(played, SwitchResult)
    assert result.ev - 2e-3 < played.ev < result.ev
    found = played.exchanges
    chances = np.array([p for _, p in found.starts])[:, None, None, None, None] * found.probability
    for place in (("hard", "12", "4"), ("hard", "16", "T"), ("soft", "18", "9"), ("hard", "11", "A")):
        cost = best.costs[place]
        assert cost.gain < 0
        changed = best.strategy.with_code(*place, cost.other)
        other = exchanges(found.terms, found.shoe, "given", tables=changed.tables(RULES))
        kept = float((chances * np.where(found.exchanges, other.ev[1], other.ev[0])).sum())
        assert kept - played.ev == pytest.approx(cost.gain, abs=CLOSE)
        assert kept <= evaluate(RULES, changed).ev <= played.ev
    assert max(item.gain for item in cell_costs(RULES, best.strategy)) <= 1e-13


def test_hands_after_the_exchange(result: SwitchResult, best: BestChart) -> None:
    for of_play in (result, evaluate(RULES, best.strategy)):
        assert isinstance(of_play, SwitchResult)
        found, weights = after_exchange(of_play), of_play.exchanges.played()
        for number, start in enumerate(found.by_start):
            by_hand = {decision.hand.values: decision.probability for decision in start.decisions}
            assert by_hand == pytest.approx(
                {pair: share for pair, share in zip(PAIRS, weights[number].sum(axis=0), strict=True) if share}
            )
            made = 1 - sum(by_hand.values())
            assert 0 < made < 0.05  # an ace and a ten by an exchange
            natural = next(decision for decision in start.decisions if decision.hand.values == (0, 9))
            assert natural.joint == {}


def told(*words: str) -> Any:
    settings = [f"--set={name}={value}" for name, value in RULES.to_dict().items() if name in SET]
    answer = CliRunner().invoke(app, [*words[:1], "vegas-strip-6d-h17", *settings, *words[1:]])
    assert answer.exit_code == 0, answer.stderr
    return answer.stdout


SET = ("decks", "switch", "blackjack_pays", "dealer_22", "max_hands", "dealer_hits_soft_17", "surrender")


def test_commands(result: SwitchResult, best: BestChart) -> None:
    found = json.loads(told("exchanges", "--json", "--columns", "4"))
    assert found["ev"] == pytest.approx(result.ev, abs=CLOSE)
    assert len(found["points"]["columns"]) == 4
    assert found["ev_by_points"] == pytest.approx(found["ev"] - found["points"]["cost"])
    text = told("exchanges", "--rows", "3")
    for words in ("the best exchange of every four cards", "Points", "A,T made", "more add less"):
        assert words in text
    chart = json.loads(told("chart", "--json"))
    assert chart["ev"] == pytest.approx(evaluate(RULES, best.strategy).ev, abs=CLOSE)
    assert chart["best_ev"] == pytest.approx(result.ev, abs=CLOSE)


def test_only_where_cards_are_exchanged() -> None:
    answer = CliRunner().invoke(app, ["exchanges", "single-deck"])
    assert answer.exit_code == 2
    assert "switch=true" in answer.stderr


def test_six_decks() -> None:
    """Published: an edge of 0.58 % of one wager by a chart; the best exchange by the exact cards has 0.5408261065 %."""
    found = exchange_table(switched(SPLITTING))
    assert found.ev == pytest.approx(-0.005408261065, abs=1e-11)
    assert found.points.columns == ("2–6", "7", "8", "9", "T–A")
    assert found.points.cost == pytest.approx(0.000208, abs=1e-6)
