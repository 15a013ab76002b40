"""The wager raised once the upcard is seen: all of the round's money, where the EV against the upcard is over 0."""

from fractions import Fraction
from math import sqrt

import pytest

import odds
from odds.errors import RulesError
from odds.game.rules import Rules
from odds.referee.rounds import play_round
from odds.results.boxes import boxes
from odds.results.round import analyze
from odds.strategy.search import cell_costs

SHARES = [Fraction(1), Fraction(1, 2), Fraction(5, 2)]
VARIED = [
    {"decks": 1, "max_hands": 2},
    {"decks": 6, "max_hands": 1, "surrender": "late", "blackjack_pays": 1},
    {"decks": 1, "max_hands": 2, "hole_card": "exposed", "dealer_wins_ties": True},
    {"decks": 2, "max_hands": 2, "hole_card": "none", "dealer_blackjack_takes": "original"},
]


@pytest.mark.parametrize("changes", VARIED)
@pytest.mark.parametrize("share", SHARES)
def test_best_play_raises_where_the_round_is_worth_more_than_nothing(changes, share) -> None:
    plain = analyze(Rules(**changes))
    result = analyze(Rules(**changes, raise_after_upcard=share))
    times = [float(1 + share) if start.ev > 0 else 1.0 for start in plain.by_start]
    assert 1.0 in times
    assert float(1 + share) in times
    assert [float(start.times) for start in result.by_start] == times
    assert result.raised == tuple(start.start for start in plain.by_start if start.ev > 0)
    for name in ("ev", "average_wager"):
        of_starts = [getattr(start, name) for start in plain.by_start]
        assert [getattr(start, name) for start in result.by_start] == pytest.approx(
            [n * value for n, value in zip(times, of_starts, strict=True)], rel=1e-14
        )
        total = sum(n * s.probability * getattr(s, name) for n, s in zip(times, plain.by_start, strict=True))
        assert getattr(result, name) == pytest.approx(total, abs=1e-14)
    assert sum(row.probability * row.ev for row in result.by_first_card()) == pytest.approx(result.ev, abs=1e-14)
    assert [d.joint for s in result.by_start for d in s.decisions] == [
        d.joint for s in plain.by_start for d in s.decisions
    ]


@pytest.mark.parametrize("changes", VARIED)
def test_outcomes_and_fractions(changes) -> None:
    rules = Rules(**changes, raise_after_upcard="1/2")
    result = analyze(rules)
    exact, outcomes = result.exact(), result.outcomes()
    assert float(exact.ev) == pytest.approx(result.ev, abs=1e-13)
    assert outcomes.mean == pytest.approx(result.ev, abs=1e-13)
    assert outcomes.average_wager == pytest.approx(result.average_wager, abs=1e-13)
    assert outcomes.distribution is not None
    assert sum(outcomes.distribution.values()) == pytest.approx(1, abs=1e-13)
    assert Fraction(3, 2) in outcomes.distribution
    in_fractions = outcomes.exact()
    assert (in_fractions.mean, in_fractions.average_wager) == (exact.ev, exact.average_wager)
    assert float(in_fractions.variance) == pytest.approx(outcomes.variance, abs=1e-12)


def test_boxes_raise_together() -> None:
    rules = Rules(decks=6, max_hands=1, raise_after_upcard=1)
    found, single = boxes(rules), analyze(rules).outcomes()
    assert (found.mean, found.variance) == (single.mean, single.variance)
    assert 0 < found.correlation < 1
    assert found.standard_deviation(2) > sqrt(2) * found.standard_deviation(1)


def test_a_strategy_raises_by_its_own_worth() -> None:
    rules = Rules(decks=6, max_hands=1, raise_after_upcard=1)
    chart = odds.basic_strategy(rules)
    assert odds.evaluate(rules, chart).raised == analyze(rules).raised == tuple("2345678")
    codes = {place: ("S",) * len(chart.columns) for place in chart.codes}
    never_hits = odds.evaluate(rules, type(chart)(chart.columns, codes))
    assert never_hits.raised is not None
    assert set(never_hits.raised) < set("2345678")


def test_cells_of_a_chart_cost_what_the_round_loses() -> None:
    rules = Rules(decks=1, max_hands=1, raise_after_upcard=1)
    chart = odds.basic_strategy(rules)
    for cost in cell_costs(rules, chart)[:300:60]:
        changed = chart.with_code(cost.section, cost.row, cost.column, cost.other)
        gain = odds.evaluate(rules, changed).ev - odds.evaluate(rules, chart).ev
        assert gain == pytest.approx(cost.gain, abs=1e-13)


def test_results_and_charts_say_when() -> None:
    rules = Rules(decks=1, max_hands=1, raise_after_upcard=1)
    result = analyze(rules)
    assert ("Raise", "against 2 3 4 5 6 7 8") in result.facts()
    assert [row["raised"] for row in result.to_dict()["by_upcard"]] == [False, *[True] * 7, False, False]
    chart = odds.chart(rules)
    assert ("Raise", "against 2 3 4 5 6 7 8") in chart.facts()
    assert chart.to_dict()["raised"] == list("2345678")
    plain = analyze(Rules(decks=1, max_hands=1))
    assert plain.raised is None
    assert "raised" not in plain.to_dict()["by_upcard"][0]


def test_double_attack() -> None:
    """Of an independent program, to four digits: the house edge with infinitely many Spanish decks."""
    rules = Rules(
        decks="infinite",
        removed_ranks="10",
        blackjack_pays=1,
        double_cards="any",
        surrender="late",
        surrender_cards="any",
        raise_after_upcard=1,
    )
    result = analyze(rules)
    assert 100 * result.house_edge == pytest.approx(0.6681, abs=5e-5)
    assert 100 * analyze(rules.replace(blackjack_tie="win")).house_edge == pytest.approx(0.4945, abs=5e-5)
    assert sum(start.probability for start in result.by_start if start.times > 1) == pytest.approx(7 / 12, abs=1e-15)


def test_a_round_of_the_referee() -> None:
    rules = Rules(raise_after_upcard="1/2")
    plain, raised = (play_round(rules, "8 6 3 T T 8", ["double"], raised=raised) for raised in (False, True))
    assert (plain.net, plain.wager) == (2, 2)
    assert (raised.net, raised.wager) == (3, 3)
    with pytest.raises(RulesError, match="raised: expected rules with a raise_after_upcard"):
        play_round(Rules(), "8 6 3 T T 5", raised=True)
