"""Strategy charts as pictures: where everything stands on their sheet."""

from __future__ import annotations

from itertools import groupby
from math import ceil
from typing import TYPE_CHECKING

from odds.game.subject import rules_hash
from odds.numbers.decimals import fixed
from odds.report import charts
from odds.report.common import signed
from odds.report.sheet import AS_IT_IS, BLACK, MARGIN, WHITE, Paint, Sheet, Size, Style, width_of, wrap
from odds.strategy.codes import SECTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from odds.game.subject import Subject
    from odds.strategy.chart import Cell, Chart, Difference, Section

_LABEL = 30.0
_HEAD = 15.0
_GAP, _BESIDE = 9.0, 14.0
_LEGEND_LINE = 18.0
_NOTE_LINE = 11.5
_CELL, _CELL_WITH_VALUES = (24.0, 16.5), (36.0, 28.0)
_DIM = "#444444"
_TITLE, _DEALER, _SECTION = Style(14, bold=True), Style(9, bold=True), Style(8, bold=True, align="end")
_COLUMN, _ROW, _LEGEND, _NOTE = Style(8, align="middle"), Style(8, align="end"), Style(8), Style(7.5)
_CODE, _LEGEND_CODE = Style(8.5, bold=True, align="middle"), Style(8, bold=True, align="middle")
_VALUE, _MARKED, _BETTER = Style(6.5, align="middle"), Style(7.5, bold=True, align="middle"), Style(6.5, align="middle")
_MOST_COSTS = 12  # cells whose cost is in the notes
_GRID = Paint(1, "", WHITE, 0.8)


def chart_figure(
    subject: Subject,
    chart: Chart,
    form: str,
    *,
    evs: bool = False,
    found: Sequence[Difference] | None = None,
    compact: bool = False,
    size: Size = AS_IT_IS,
) -> bytes:
    """Return a chart as a picture.

    Args:
        subject: the game.
        chart: its chart.
        form: one of `FORMATS` of `odds.report.sheet`.
        evs: write the value of each cell's action and what the second-best would cost under its code.
        found: two cards that are better played otherwise: their cells are marked, and they are listed.
        compact: fold neighbouring rows that say the same.
        size: how large it becomes.

    Raises:
        OddsError: matplotlib is not installed, which PNG and PDF need.
    """
    notes = charts.footnotes(subject, chart)
    if costs := (marked := charts.marked(chart)).rows:
        listed = "; ".join(f"{cell}: {cost}" for cell, *_, cost in costs[:_MOST_COSTS])
        more = f"; {len(costs) - _MOST_COSTS} more" if len(costs) > _MOST_COSTS else ""
        notes.insert(-1, (marked.headings[-1], f"{listed}{more}. {marked.note}"))
    if evs:
        notes.insert(-1, ("Numbers", charts.evs_words(chart)))
    if found is not None:
        notes.insert(-1, ("Exact cards", "; ".join([charts.exceptions(found).words, *_exceptions(found)])))
    sheet = _sheet(subject.game.title, chart.compact() if compact else chart, notes, evs, found or ())
    if form != "svg":
        return sheet.plot(form, size)
    described = "\n".join([charts.description(chart), *(f"{label}: {text}" for label, text in notes)])
    return sheet.svg(size, f"chart-{rules_hash(subject.rules)}", f"{subject.game.title}: strategy chart", described)


def _sheet(title: str, chart: Chart, notes: Sequence[tuple[str, str]], evs: bool, found: Iterable[Difference]) -> Sheet:
    """Return a sheet with everything on it."""
    sheet, blocks = Sheet(), charts.blocks(chart)
    label = max(_LABEL, *(width_of(row.label, _ROW.size) + 8 for section in chart.sections for row in section.rows))
    names = [section.name for section in chart.sections if section.name not in SECTIONS]
    label = max(label, *(width_of(name.capitalize(), _SECTION.size, bold=True) + 8 for name in names), 0)
    cell_width, cell_height = _CELL_WITH_VALUES if evs else _CELL
    texts = [_words(cell, chart.marks(cell), evs) for *_, cell in chart.cells()]
    needed = max(
        2 * abs(aside) + width_of(text, style.size, bold=style.bold)
        for words in [*texts, [(0.0, _CODE, 0.0, "")]]
        for _, style, aside, text in words
        if len(text) != 2
    )
    cell_width = max(cell_width, ceil(needed) + 4)
    widths = [label + cell_width * len(block.places) for block in blocks]
    inner = sum(widths) + _BESIDE * (len(blocks) - 1)
    y = MARGIN + 8
    for line in wrap(title, _TITLE.size, inner, bold=True):
        sheet.write(MARGIN, y, line, _TITLE)
        y += 20
    y += 4
    exceptions = {(item.section, item.row, item.column) for item in found}
    bottoms, x = [], MARGIN + label
    for block, width in zip(blocks, widths, strict=True):
        sheet.write(x, y, block.dealer, _DEALER)
        bottom = y + 9
        for section in block.sections:
            size = (cell_width, cell_height)
            bottom = _put_section(sheet, chart, section, block.places, (x, bottom), size, evs, exceptions) + _GAP
        for number in range(len(block.places) + 1):
            sheet.draw(_GRID, (x + number * cell_width, y + 9 + _HEAD), (x + number * cell_width, bottom - _GAP))
        bottoms.append(bottom)
        x += width + _BESIDE
    y = _put_legend(sheet, chart, max(bottoms), inner, with_exceptions=bool(exceptions))
    sheet.width = inner + 2 * MARGIN
    sheet.height = _put_notes(sheet, notes, y + 4, inner) + MARGIN - 4
    return sheet


def _put_section(
    sheet: Sheet,
    chart: Chart,
    section: Section,
    places: Sequence[int],
    corner: tuple[float, float],
    size: tuple[float, float],
    evs: bool,
    exceptions: set[tuple[str, str, str]],
) -> float:
    """Put a table to the right of a place and below it, its labels to the left of that; return where it ends.

    Its cells have that size.
    """
    (left, y), (width, height) = corner, size
    middles = [left + width * (number + 0.5) for number in range(len(places))]
    sheet.write(left - 6, y + _HEAD / 2, section.name.capitalize(), _SECTION)
    for x, place in zip(middles, places, strict=True):
        sheet.write(x, y + _HEAD / 2, chart.columns[place].short, _COLUMN, _DIM)
    y += _HEAD
    for number, row in enumerate(section.rows):
        sheet.write(left - 6, y + (number + 0.5) * height, row.label, _ROW, _DIM)
    top = y
    for fills, alike in groupby(section.rows, lambda row: [_colours(row.cells[place])[0] for place in places]):
        high = height * len(list(alike))
        for fill, run in groupby(zip(fills, middles, strict=True), lambda item: item[0]):
            reach = [x for _, x in run]
            sheet.box(Paint(0, fill), reach[0] - width / 2, top, width * len(reach), high)
        top += high
    for row in section.rows:
        sheet.draw(_GRID, (left, y), (left + width * len(places), y))
        cells = [(x, row.cells[place], chart.columns[place].label) for x, place in zip(middles, places, strict=True)]
        # Texts of one line stand together: those of the codes, then those of each number.
        words = [(*item, x, _colours(cell)[1]) for x, cell, _ in cells for item in _words(cell, chart.marks(cell), evs)]
        for down, style, aside, text, x, color in sorted(words, key=lambda item: item[:2]):
            sheet.write(x + aside, y + height / 2 + down, text, style, color)
        for x, cell, column in cells:
            color, right = _colours(cell)[1], x + width / 2 - 0.5
            if chart.marks(cell):
                sheet.box(_frame(color), x - width / 2 + 1, y + 1, width - 2, height - 2)
            if any((section.name, name, column) in exceptions for name in row.rows):
                sheet.draw(Paint(2, color), (right - 6.5, y + 0.5), (right, y + 0.5), (right, y + 7))
        y += height
    return y


def _frame(color: str) -> Paint:
    return Paint(2, "", color, 1.2)


def _colours(cell: Cell | None) -> tuple[str, str]:
    return charts.NO_CELL if cell is None else charts.COLOURS[cell.code[0]]


def _words(cell: Cell | None, marked: bool, evs: bool) -> list[tuple[float, Style, float, str]]:
    """Return what stands in a cell: how far under its middle, how it is written, how far to the right, and the text."""
    if cell is None:
        return [(0.0, _COLUMN, 0.0, "–")]
    down = -7.0 if evs else 0.0
    words = [(down, _CODE, 0.0, cell.code)]
    if marked and cell.other:
        # Codes of two letters have always the same room.
        longer = max(len(cell.code), len(cell.other)) > 2
        needed = width_of(cell.code, _MARKED.size, bold=True) + width_of(cell.other, _BETTER.size)
        apart = max(9.6, needed / 2 + 1.2) if longer else 9.6
        words = [(down, _MARKED, 0.6 - apart / 2, cell.code), (down, _BETTER, 0.6 + apart / 2, cell.other)]
    if evs:
        words.append((1.5, _VALUE, 0.0, signed(cell.values[cell.action], 3)))
        if cell.gap is not None:
            words.append((9.0, _VALUE, 0.0, fixed(cell.gap, 4)))
    return words


def _put_legend(sheet: Sheet, chart: Chart, top: float, width: float, *, with_exceptions: bool) -> float:
    """Put the codes and what they mean in as many lines as it takes, and return where they end."""
    items = charts.used_codes(chart)
    if chart.marked():
        items["frame"] = f"{charts.mark_words(chart)}: the small one"
    if with_exceptions:
        items["corner"] = "holds cards that are better played otherwise"
    x, y = MARGIN, top
    box = max(24, *(ceil(width_of(code, _LEGEND_CODE.size, bold=True)) + 4 for code in charts.used_codes(chart)))
    for code, words in items.items():
        needed = box + 4 + ceil(width_of(words, _LEGEND.size))
        if x > MARGIN and x + needed > MARGIN + width:
            x, y = MARGIN, y + _LEGEND_LINE
        if code == "frame":
            sheet.box(_frame(BLACK), x + 0.6, y + 0.6, box - 1.2, 12.8)
        elif code == "corner":
            sheet.draw(Paint(2, BLACK), (x + 9, y + 3), (x + 17, y + 3), (x + 17, y + 11))
        else:
            fill, color = charts.COLOURS[code[0]]
            sheet.box(Paint(0, fill), x, y, box, 14)
            sheet.write(x + box / 2, y + 7, code, _LEGEND_CODE, color)
        sheet.write(x + box + 4, y + 7, words, _LEGEND)
        x += needed + 14
    return y + _LEGEND_LINE


def _put_notes(sheet: Sheet, notes: Sequence[tuple[str, str]], top: float, width: float) -> float:
    """Put labelled notes under each other, and return where they end."""
    y, indent = top + _NOTE_LINE / 2, max(ceil(width_of(label, _NOTE.size)) for label, _ in notes) + 8
    for label, text in notes:
        sheet.write(MARGIN, y, label, _NOTE, _DIM)
        for line in wrap(text, _NOTE.size, width - indent):
            sheet.write(MARGIN + indent, y, line, _NOTE)
            y += _NOTE_LINE
        y += 2
    return y - _NOTE_LINE / 2


def _exceptions(found: Iterable[Difference]) -> list[str]:
    """Return two cards that are better played otherwise in words, for each action and dealer start."""
    hands: dict[tuple[str, str], list[str]] = {}
    for item in found:
        hands.setdefault((item.dealer, item.best), []).append(item.player)
    return [f"{' and '.join(players)} against {dealer}: {best}" for (dealer, best), players in hands.items()]
