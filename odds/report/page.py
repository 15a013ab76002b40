"""A strategy chart as one HTML page that needs nothing else, made with jinja2.

The chart can be read and printed without scripts; its cells are links to their values in a table further down. The
script shows the values of a cell where it is pointed at, focused or tapped, and opens the cell that the address names,
as in `#hard-16-T`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from odds.engine.actions import ACTIONS
from odds.report import charts
from odds.report.common import fill_template, percent, signed
from odds.strategy.chart import GAIN, by_cell
from odds.strategy.codes import SECTIONS, row_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from odds.game.subject import Subject
    from odds.strategy.chart import Cell, Chart, Difference, Row

_HEADINGS = ("Row", "Dealer", "Code", "Next", "Cost", "Frequency", "Exact cards")
# Rows of all lists that go to the printer; few beside doubled or free hands or a legend of more characters.
_PRINTED, _FEW_PRINTED, _SHORT_LEGEND = 18, 2, 400


@dataclass(frozen=True, slots=True)
class _Shown:
    """A cell of the chart as the page shows it; without a code where the shoe cannot deal such a hand.

    Attributes:
        slug: names it in an address.
        code: as in `CODES`.
        words: the code in words.
        cost: short, in millionths of the initial wager a round.
        marked: whether it holds cards that are better played otherwise.
        sign: what stands beside the code of a cell that is wrong or unlike the other chart's.
    """

    slug: str
    code: str = ""
    words: str = ""
    cost: str = ""
    marked: bool = False
    sign: str = ""


def chart_page(
    subject: Subject,
    chart: Chart,
    found: Sequence[Difference] | None,
    longer: Sequence[Difference] = (),
    *,
    compact: bool = False,
) -> str:
    """Return a chart as an HTML page.

    Args:
        subject: the game.
        chart: its chart.
        found: two cards that are better played otherwise; None leaves them out.
        longer: longer hands that are, the dearest first.
        compact: fold neighbouring rows that say the same; all values are listed nevertheless.
    """
    exceptions = by_cell(found or ())
    used = {action for *_, cell in chart.cells() for action in cell.values}
    actions = [action for action in ACTIONS if action in used]
    return fill_template(
        "chart.html.j2",
        title=subject.game.title,
        exposed=chart.rules.hole_card == "exposed",
        doubled=_has_more(chart),
        dense=_is_dense(chart),
        colours=charts.COLOURS,
        no_cell=charts.NO_CELL,
        blocks=[_block(chart, block, exceptions) for block in charts.blocks(chart.compact() if compact else chart)],
        codes=charts.used_codes(chart),
        notes=charts.footnotes(subject, chart),
        values_note=_values_note(chart),
        values_headings=[*_HEADINGS[:3], *(action.capitalize() for action in actions), *_HEADINGS[3:]],
        values=[_values(chart, *place, actions, exceptions) for place in chart.cells()],
        any_costs=any(cell.cost is not None for *_, cell in chart.cells()),
        any_exceptions=bool(found),
        mark=charts.MARK,
        any_marks=charts.mark_words(chart) if chart.marked() else "",
        lists=_lists(chart, found, longer),
    )


def _lists(chart: Chart, found: Sequence[Difference] | None, longer: Sequence[Difference]) -> list[dict[str, Any]]:
    """Return the tables under the chart: marked cells, and hands that are better played otherwise."""
    lists = [marked] if (marked := charts.marked(chart)).words else []
    if found is not None:
        lists.append(charts.exceptions(found)._replace(title="Exact cards"))
    if longer:
        lists.append(charts.longer_exceptions(longer))
    shown, left = [], _FEW_PRINTED if _has_more(chart) or _is_dense(chart) else _PRINTED
    for item in lists:
        words = item.words and f"{item.words[0].upper()}{item.words[1:]}."
        shown.append({**item._asdict(), "words": words, "printed": min(left, len(item.rows))})
        left -= shown[-1]["printed"]
    return shown


def _has_more(chart: Chart) -> bool:
    """Return whether there are sections of doubled or free hands."""
    return any(section.name not in SECTIONS for section in chart.sections)


def _is_dense(chart: Chart) -> bool:
    """Return whether the legend is long, so that it is printed small."""
    return sum(len(words) for words in charts.used_codes(chart).values()) > _SHORT_LEGEND


def _slug(section: str, row: str, column: str) -> str:
    return f"{section}-{row}-{column}".replace(",", "").replace(" ", "-")


def _block(
    chart: Chart, block: charts.Block, exceptions: dict[tuple[str, str, str], list[Difference]]
) -> dict[str, Any]:
    """Return the tables that stand under each other in a column of the page."""
    columns = [chart.columns[place] for place in block.places]

    def shown(section: str, row: Row, place: int) -> _Shown:
        cell, column = row.cells[place], chart.columns[place].label
        slug = _slug(section, row.rows[0], column)
        if cell is None:
            return _Shown(slug)
        marked = any((section, name, column) in exceptions for name in row.rows)
        cost, sign = "" if row.folded else _short_cost(cell.cost), charts.MARK if chart.marks(cell) else ""
        words = charts.code_words(chart, section, row.rows[0], cell)
        return _Shown(slug, cell.code, words, cost, marked, sign)

    return {
        "dealer": block.dealer,
        "kind": block.kind,
        "columns": [{"short": column.short, "starts": " or ".join(column.starts)} for column in columns],
        "sections": [
            {
                "name": section.name.capitalize(),
                "rows": [
                    (row.label, [shown(section.name, row, place) for place in block.places]) for row in section.rows
                ],
            }
            for section in block.sections
        ],
    }


def _short_cost(cost: float | None) -> str:
    """Return a cost in millionths, in at most four characters and a minus for a gain.

    >>> [_short_cost(cost) for cost in (0.0, 3e-7, 0.000214, 0.0014, 0.0191, 1.25, -0.0014, -1e-16)]
    ['0', '<1', '214', '1.4k', '19k', '1.2M', '-1.4k', '0']
    """
    if cost is None:
        return ""
    if cost < -GAIN:
        return f"-{_short_cost(-cost)}"
    millionths = 1e6 * cost
    if millionths < 1:
        return "<1" if millionths > 5e-8 else "0"
    for limit, unit, sign in ((1e3, 1.0, ""), (1e6, 1e3, "k")):
        if round(millionths) < limit:
            number = millionths / unit
            return f"{number:.0f}{sign}" if unit == 1 or number >= 9.95 else f"{number:.1f}{sign}"
    return f"{millionths / 1e6:.1f}M"


def _values_note(chart: Chart) -> str:
    words = f"Values are expected net results in {chart.rules.hand_unit}s, averages over the two-card hands of the cell"
    return (
        f"{words}{charts.given_words(chart)}. Next: the code that comes nearest. Cost: what that would cost, in "
        "initial wagers a round; a minus: gain. Frequency: of the hands and dealer's cards of the cell. Exact cards: "
        "which of them are better played otherwise, and the gain."
    )


def _values(
    chart: Chart,
    section: str,
    row: str,
    column: str,
    cell: Cell,
    actions: Sequence[str],
    exceptions: dict[tuple[str, str, str], list[Difference]],
) -> dict[str, Any]:
    """Return a line of the table of all values."""
    place = (section, row, column)
    starts = next(group.starts for group in chart.columns if group.label == column)
    return {
        "slug": _slug(*place),
        "row": row_name(section, row),
        "column": column,
        "starts": " or ".join(starts) if len(starts) > 1 or starts[0] != column else "",
        "code": cell.code,
        "words": charts.code_words(chart, section, row, cell),
        "action": cell.action,
        "values": [(action, signed(cell.values[action], 6) if action in cell.values else "") for action in actions],
        "next": cell.other or "",
        "cost": "" if cell.cost is None else f"{round(cell.cost, 8) + 0.0:.8f}",
        "probability": percent(cell.probability),
        "exceptions": [
            f"{item.player} against {item.dealer}: {item.best} ({signed(item.gain, 6)})"
            for item in exceptions.get(place, ())
        ],
    }
