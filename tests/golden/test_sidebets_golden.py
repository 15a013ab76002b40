"""Published figures of side bets, one row each, from `golden/sidebets.json`; the row says from where.

A count is met exactly, any other figure to half a unit of its last printed digit; where a source rounds twice, as the
note of the row says, to a whole one.
"""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import odds
from odds.results.side_bets import sidebet
from odds.sidebets import SideBetResult

GOLDEN = Path(__file__).parent / "sidebets.json"

FIGURES = {
    "ev": lambda table: table.exact_ev,
    "house_edge": lambda table: -table.exact_ev,
    "house_edge_percent": lambda table: -100 * table.exact_ev,
    "rtp_percent": lambda table: 100 * table.exact_rtp,
    "hit_frequency_percent": lambda table: 100 * table.hit_frequency,
    "standard_deviation": lambda table: table.standard_deviation,
}
# In money, with a wager of so many units of it.
OF_METERS = {
    "break_even": lambda found, wager: wager * found.break_even,
    "percent_per_1000": lambda found, wager: 100 * 1000 * found.ev_per_unit / wager,
}


def rows() -> list[Any]:
    found = json.loads(GOLDEN.read_text(encoding="utf-8"))
    return [pytest.param(row, id=f"{row['id']}@{urlsplit(row['source']).netloc or row['source']}") for row in found]


def check(printed: str, computed: Any, note: str = "") -> None:
    unit = Decimal(1).scaleb(int(Decimal(printed).as_tuple().exponent))
    most = unit if "whole unit" in note else unit / 2
    assert abs(float(computed) - float(printed)) <= float(most) * (1 + 1e-9), f"printed {printed}, computed {computed}"


@pytest.mark.parametrize("row", rows())
def test_published(row: dict[str, Any]) -> None:
    rules = odds.Rules(**row["rules"]) if "rules" in row else None
    table = sidebet(row["bet"], decks=row["decks"], paytable=row["paytable"], rules=rules)
    kind, value = row["quantity"], row["value"]
    if kind == "combinations":
        counted = {line.name: line.combinations for line in table.lines} | {"total": table.total_combinations}
        assert {name: counted[name] for name in value} == value
    elif kind in ("probabilities", "returns", "one_in"):
        for name, printed in value.items():
            line = _line(table, name)
            figures = {"probabilities": line.probability, "returns": line.contribution, "one_in": line.one_in}
            check(printed, figures[kind], row.get("note", ""))
    elif kind in OF_METERS:
        check(value, OF_METERS[kind](table.meter_return, row.get("wager", 1)), row.get("note", ""))
    else:
        check(value, FIGURES[kind](table), row.get("note", ""))


def _line(table: SideBetResult, name: str) -> Any:
    return next(line for line in table.lines if line.name == name)
