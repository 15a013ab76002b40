"""Charts as the second table of a grid: cells and margins against the EVs of changed strategies."""

from __future__ import annotations

import pytest

from odds import Rules, basic_strategy, evaluate, sweep
from odds.strategy.search import search
from odds.strategy.table import Strategy

RULES = Rules(decks=1, max_hands=2, surrender="late")


def changed(strategy: Strategy, section: str, row: str, column: str, code: str) -> Strategy:
    place = strategy.columns.index(column)
    codes = list(strategy.codes[section, row])
    codes[place] = code
    return Strategy(strategy.columns, {**strategy.codes, (section, row): tuple(codes)}, {}, "changed")


def test_best_charts_and_their_margins() -> None:
    (row,) = sweep(RULES, {"decks": [1]}, charts=True)
    found = sweep(RULES, {"decks": [1]}, charts=True).charts[row["chart_id"]]
    best = search(RULES).strategy
    assert {(cell.row, cell.upcard): cell.code for cell in found} == {
        (f"{section} {name}", column): code
        for (section, name), codes in best.codes.items()
        for column, code in zip(best.columns, codes, strict=True)
    }
    ev = evaluate(RULES, best).ev
    cells = {(cell.row, cell.upcard): cell for cell in found}
    for section, name, column in (("hard", "16", "T"), ("soft", "18", "9"), ("hard", "12", "4")):
        cell = cells[f"{section} {name}", column]
        assert cell.runner_up is not None
        assert cell.margin == pytest.approx(
            ev - evaluate(RULES, changed(best, section, name, column, cell.runner_up)).ev, abs=1e-14
        )
        assert cell.margin > 0


def test_a_strategy_that_is_followed_has_its_own_codes_and_what_is_wrong() -> None:
    best = basic_strategy(RULES)
    mine = changed(best, "hard", "11", "6", "H")
    found = sweep(RULES, {"decks": [1]}, charts=True, play=mine)
    (row,) = found
    assert row["ev"] == pytest.approx(evaluate(RULES, mine).ev, abs=1e-15)
    # What the hands of a split of fours become is worth less then, so that they are better doubled.
    wrong, other = [cell for cell in found.charts[row["chart_id"]] if (cell.margin or 0) < 0]
    assert (wrong.row, wrong.upcard, wrong.code, wrong.runner_up) == ("hard 11", "6", "H", "D")
    assert (other.row, other.upcard, other.runner_up) == ("pairs 4,4", "6", "D")
    assert wrong.margin == pytest.approx(row["ev"] - evaluate(RULES, best).ev, abs=1e-14)
