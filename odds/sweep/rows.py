"""Rows of a grid: their columns, and what of a solved set stands in the row of each combination that comes to it."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from odds import __version__
from odds.game.fields import FIELDS
from odds.sweep.charts import ChartCell, at_pay
from odds.sweep.distinct import rules_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from odds.sweep.distinct import Distinct
    from odds.sweep.grid import Combination, Grid
    from odds.sweep.solve import Asked

# What every row has of a round, in this order.
ROUND: Final = ("ev", "rtp", "house_edge", "average_wager", "ev_per_total_wager")
_FLAGS: Final = ("shoe_can_run_out",)
_TEXTS: Final = (
    *("game", "shoe", "play", "split_class", "chart_id", "codes_id", "distinct_id", "rules_id", "version"),
    *("row", "upcard", "code", "runner_up"),
)
_WHOLE_FIELDS: Final = ("max_hands", "redoubles")
CHART_COLUMNS: Final = ("chart_id", *ChartCell._fields)


def columns_of(asked: Asked, *, with_shoe: bool) -> tuple[str, ...]:
    """Return the columns of rows.

    Args:
        asked: what is asked of every set.
        with_shoe: whether shoes vary, which have names.
    """
    return (
        *("game", *FIELDS, *(("shoe",) if with_shoe else ()), "play", "split_class", *ROUND, *further_columns(asked)),
        *("shoe_can_run_out", "chart_id", "codes_id", "distinct_id", "rules_id", "version"),
    )


def further_columns(asked: Asked) -> tuple[str, ...]:
    """Return the columns that are asked for, side bets last."""
    return (*sorted(asked.columns), *(f"sidebet:{name}" for name in asked.side_bets))


def kind_of(column: str) -> type:
    """Return what a column holds, beside nothing: `bool`, `int`, `str`, or `float`.

    >>> [kind_of(name).__name__ for name in ("decks", "max_hands", "dealer_hits_soft_17", "ev", "rules_id")]
    ['str', 'int', 'bool', 'float', 'str']
    """
    if column in FIELDS:
        whole = int if column in _WHOLE_FIELDS else str
        return bool if set(FIELDS[column].choices) == {True, False} else whole
    return bool if column in _FLAGS else str if column in _TEXTS else float


class Rows:
    """Makes rows of combinations.

    Args:
        grid: the combinations are of.
        asked: what is asked of every set.
    """

    def __init__(self, grid: Grid, asked: Asked) -> None:
        self.columns = columns_of(asked, with_shoe=bool(grid.shoes))
        self._further = further_columns(asked)
        self._start = {"game": grid.game or None}
        self._with_shoe = bool(grid.shoes)
        self._play = {"play": asked.play, "split_class": asked.split_class}

    def same(self, row: Mapping[str, Any]) -> bool:
        """Return whether a row of before is of the same game, play and version."""
        now = {**self._start, **self._play, "version": __version__}
        return all(row[name] == value for name, value in now.items())

    def row(
        self, combination: Combination, distinct: Distinct, figures: Mapping[str, float | None], codes_id: str | None
    ) -> dict[str, Any]:
        """Return the row of a combination.

        Args:
            combination: the combination.
            distinct: the set that it comes to.
            figures: of that set, see `Solved`.
            codes_id: of the chart of that set, if there is one.
        """
        pay = combination.rules.blackjack_pays
        found = at_pay(figures, distinct.rules.blackjack_pays, pay)
        ev, average_wager = found["ev"], found["average_wager"]
        assert ev is not None
        assert average_wager is not None
        return {
            **self._start,
            **combination.rules.to_dict(),
            **({"shoe": combination.shoe_name} if self._with_shoe else {}),
            **self._play,
            "ev": ev,
            "rtp": 1.0 + ev,
            "house_edge": -ev,
            "average_wager": average_wager,
            "ev_per_total_wager": ev / average_wager,
            **{name: found[name] for name in self._further},
            "shoe_can_run_out": bool(found["shoe_can_run_out"]),
            "chart_id": None if codes_id is None else distinct.id,
            "codes_id": codes_id,
            "distinct_id": distinct.id,
            "rules_id": rules_id(combination.rules, combination.shoe),
            "version": __version__,
        }


def chart_rows(chart_id: str, cells: Iterable[ChartCell]) -> list[dict[str, Any]]:
    """Return the cells of a chart as rows of the second table."""
    return [{"chart_id": chart_id, **cell._asdict()} for cell in cells]


def codes_id(cells: Iterable[ChartCell]) -> str:
    """Return 16 hexadecimal digits that stand for the codes of a chart, whatever its margins."""
    text = "\n".join(f"{cell.row} {cell.upcard} {cell.code}" for cell in cells)
    return sha256(text.encode()).hexdigest()[:16]
