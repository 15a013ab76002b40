"""A finished grid as one HTML page that needs nothing else: filter, sort, and open a row to see its rules and chart."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from odds.game.fields import FIELDS, written
from odds.report import charts
from odds.report.common import fill_template
from odds.report.sweep import heading
from odds.sweep.effects import words
from odds.sweep.rows import kind_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from odds.sweep.charts import ChartCell
    from odds.sweep.run import Sweep

# Figures of rows that follow from the EV are worked out by the page.
_FIGURES = ("ev", "average_wager")
_DERIVED = ("rtp", "house_edge", "ev_per_total_wager")


def explorer_page(found: Sweep) -> str:
    """Return a grid as an HTML page; what does not vary is said once."""
    first = found.rows[0]
    fields = found.fields or ("decks",)
    further = [name for name in first if kind_of(name) is float and name not in (*_FIGURES, *_DERIVED)]
    values = {name: list(dict.fromkeys(row[name] for row in found.rows)) for name in fields}
    places = {name: {value: place for place, value in enumerate(of_field)} for name, of_field in values.items()}
    data = {
        "fields": [
            {"name": heading(name), "short": [_short(name, v) for v in of], "words": [words(name, v) for v in of]}
            for name, of in values.items()
        ],
        "further": further,
        "rows": [
            [
                *(places[name][row[name]] for name in fields),
                *(row[name] for name in (*_FIGURES, *further)),
                *(row["rules_id"], row["chart_id"]),
            ]
            for row in found.rows
        ],
        "charts": {chart_id: _chart(cells) for chart_id, cells in found.charts.items()},
    }
    same = [words(name, first[name]) for name in FIELDS if name not in fields and _said(name, first)]
    return fill_template(
        "sweep.html.j2",
        title=f"{first['game'] or 'Rules'}: {len(found.rows):,} rule sets",
        same=", ".join(same),
        facts=found.facts(),
        colours=charts.COLOURS,
        # Texts of a script may not end it.
        data=json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"),
    )


def _said(name: str, row: Mapping[str, Any]) -> bool:
    field = FIELDS[name]
    return field.core or field.read(row[name]) != field.default


def _short(name: str, value: Any) -> str:
    short = FIELDS[name].short(FIELDS[name].read(value)) if name in FIELDS else ""
    return short or written(value)


def _chart(cells: Iterable[ChartCell]) -> dict[str, Any]:
    """Return a chart by rows and upcards: code, the next best one and its margin."""
    upcards: dict[str, None] = {}
    rows: dict[str, dict[str, tuple[str, str | None, float | None]]] = {}
    for cell in cells:
        upcards[cell.upcard] = None
        rows.setdefault(cell.row, {})[cell.upcard] = cell.code, cell.runner_up, cell.margin
    return {"upcards": list(upcards), "rows": {row: [of.get(card) for card in upcards] for row, of in rows.items()}}
