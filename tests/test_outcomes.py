"""The distribution of a round's result: against brute force in fractions, and published figures."""

from fractions import Fraction

import brute_force as bf
import pytest
from test_brute_force import CASES, Case, EnginePlay, engine_shoe, params

from odds.exact_results import exact_round
from odds.outcomes import exact_outcomes, outcomes
from odds.round import analyze


@pytest.mark.parametrize("split_class", ["cdz", "cdp1"])
@pytest.mark.parametrize("case", params(CASES))
def test_tiny_shoes_exactly(case: Case, split_class: str) -> None:
    result = analyze(case.rules, shoe=engine_shoe(case.shoe), split_class=split_class)
    found = exact_outcomes(result)
    brute = bf.round_results(case.shoe, case.rules, EnginePlay(result))
    exact = exact_round(result)
    mean = sum((net * p for (net, _), p in brute.items()), Fraction(0))
    square = sum((net * net * p for (net, _), p in brute.items()), Fraction(0))
    assert found.mean == mean == exact.ev
    assert found.variance == square - mean * mean
    assert found.average_wager == exact.average_wager
    if found.distribution is not None:
        distribution: dict[Fraction, Fraction] = {}
        for (net, _), p in brute.items():
            distribution[net] = distribution.get(net, Fraction(0)) + p
        assert found.distribution == distribution
        assert sum(found.distribution.values()) == 1
        assert found.hit_frequency == sum(p for net, p in distribution.items() if net > 0)
        assert found.push_frequency == distribution.get(Fraction(0), 0)
    else:
        assert case.rules.max_hands > 2
        assert "more than two hands" in found.reason
    _agrees(outcomes(result), found)


def _agrees(double, exact) -> None:
    # 1e-13: some hundred roundings of numbers below 10.
    assert (double.distribution is None) == (exact.distribution is None)
    if exact.distribution is not None:
        assert double.distribution.keys() == exact.distribution.keys()
        for net, p in exact.distribution.items():
            assert double.distribution[net] == pytest.approx(float(p), abs=1e-14)
    for name in ("mean", "variance", "hit_frequency", "push_frequency", "p_split", "p_double", "p_surrender"):
        value = getattr(exact, name)
        assert getattr(double, name) == (None if value is None else pytest.approx(float(value), abs=1e-13)), name
    assert double.average_wager == pytest.approx(float(exact.average_wager), abs=1e-13)
