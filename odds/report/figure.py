"""Strategy charts as pictures: SVG, PNG and PDF, drawn with matplotlib.

Everything is placed in points, with matplotlib's own copy of DejaVu Sans, so that a picture does not depend on the
machine's fonts or settings; it holds no date and no random name, so that the same chart gives the same bytes.
"""

from __future__ import annotations

import io
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from odds.extras import optional_module
from odds.report import charts
from odds.report.common import signed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from odds.game.subject import Subject
    from odds.strategy.chart import Cell, Chart, Difference

    _Corners = list[tuple[float, float]]

FORMATS = ("svg", "png", "pdf")
_METADATA: dict[str, dict[str, None]] = {
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
_SETTINGS = {"svg.hashsalt": "odds", "svg.fonttype": "path", "pdf.fonttype": 3, "text.hinting": "none"}
_MARGIN = 18.0
_LABEL = 30.0
_HEAD = 15.0
_GAP = 9.0
_LEGEND_LINE = 18.0
_NOTE_LINE = 11.5
_NOTE_LABEL = 50.0
_PNG_DOTS_PER_INCH = 144
_CELL, _CELL_WITH_VALUES = (24.0, 16.5), (36.0, 28.0)
_BLACK, _DIM, _LINE = "#000000", "#444444", "#ffffff"


def check() -> None:
    """Refuse to draw where that is not possible.

    Raises:
        OddsError: matplotlib is not installed.
    """
    optional_module("matplotlib", "figures", "figures")


def save(figure: Any, form: str) -> bytes:
    """Return a matplotlib figure as a file of one of `FORMATS`, the same bytes for the same figure."""
    matplotlib = optional_module("matplotlib", "figures", "figures")
    buffer = io.BytesIO()
    with matplotlib.rc_context(_SETTINGS):
        figure.savefig(buffer, format=form, metadata=_METADATA[form], dpi=_PNG_DOTS_PER_INCH)
    return buffer.getvalue()


@dataclass(slots=True)
class _Sheet:
    """What will be drawn, in points from the top left corner.

    Attributes:
        plain: a font of text.
        bold: a font of headings and codes.
        measure: returns the width of a text in a font of so many points.
        boxes: left, top, width, height and colour of each rectangle.
        texts: left or middle or right, middle of the line, text, and how to write it.
        marks: corners of filled triangles, and their colour.
    """

    plain: Any
    bold: Any
    measure: Any
    boxes: list[tuple[float, float, float, float, str]] = field(default_factory=list)
    texts: list[tuple[float, float, str, dict[str, Any]]] = field(default_factory=list)
    marks: list[tuple[_Corners, str]] = field(default_factory=list)

    def write(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        *,
        bold: bool = False,
        align: str = "left",
        color: str = _BLACK,
    ) -> None:
        """Write a text with its middle line at `y`; capitals and digits are centred on it."""
        font = (self.bold if bold else self.plain).copy()
        font.set_size(size)
        # Capitals and digits of DejaVu Sans are 0.73 of its size high.
        style = {"fontproperties": font, "ha": align, "va": "baseline", "color": color, "parse_math": False}
        self.texts.append((x, y + 0.365 * size, text, style))

    def width(self, text: str, size: float, *, bold: bool = False) -> float:
        """Return how wide a text is."""
        return float(self.measure(text, self.bold if bold else self.plain, size))

    def wrap(self, text: str, size: float, width: float) -> list[str]:
        """Return a text in lines of at most this width; a longer word has a line of its own."""
        lines = [""]
        for word in text.split():
            longer = f"{lines[-1]} {word}" if lines[-1] else word
            if lines[-1] and self.width(longer, size) > width:
                lines.append(word)
            else:
                lines[-1] = longer
        return lines

    def draw(self, width: float, height: float) -> Any:
        """Return everything as a matplotlib figure of this size."""
        figure = optional_module("matplotlib.figure", "figures", "figures").Figure(figsize=(width / 72, height / 72))
        figure.set_facecolor("white")
        axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        axes.set_xlim(0, width)
        axes.set_ylim(height, 0)
        axes.set_axis_off()
        cells: dict[str, list[_Corners]] = {}
        for x, y, w, h, color in self.boxes:
            cells.setdefault(color, []).append([(x, y), (x + w, y), (x + w, y + h), (x, y + h)])
        triangles: dict[str, list[_Corners]] = {}
        for corners, color in self.marks:
            triangles.setdefault(color, []).append(corners)
        for color, polygons in cells.items():
            axes.add_patch(_patch(polygons, facecolor=color, edgecolor=_LINE, linewidth=0.8))
        for color, polygons in triangles.items():
            axes.add_patch(_patch(polygons, facecolor=color, edgecolor="none"))
        for x, y, text, style in self.texts:
            axes.text(x, y, text, **style)
        return figure


def _patch(polygons: Iterable[_Corners], **style: Any) -> Any:
    """Return polygons as one shape; a shape for each would make a far larger file."""
    patches = optional_module("matplotlib.patches", "figures", "figures")
    paths = optional_module("matplotlib.path", "figures", "figures").Path
    shapes = [paths([*corners, corners[0]], closed=True) for corners in polygons]
    return patches.PathPatch(paths.make_compound_path(*shapes), clip_on=False, **style)


def _new_sheet() -> _Sheet:
    matplotlib = optional_module("matplotlib", "figures", "figures")
    fonts = optional_module("matplotlib.font_manager", "figures", "figures")
    to_path = optional_module("matplotlib.textpath", "figures", "figures").text_to_path
    folder = f"{matplotlib.get_data_path()}/fonts/ttf"

    def measure(text: str, font: Any, size: float) -> float:
        width, _, _ = to_path.get_text_width_height_descent(text, font, ismath=False)
        return float(width) * size / float(font.get_size_in_points())

    plain, bold = (fonts.FontProperties(fname=f"{folder}/{name}.ttf") for name in ("DejaVuSans", "DejaVuSans-Bold"))
    return _Sheet(plain, bold, measure)


def chart_figure(
    subject: Subject, chart: Chart, form: str, *, evs: bool = False, found: Sequence[Difference] | None = None
) -> bytes:
    """Return a chart as a picture.

    Args:
        subject: the game.
        chart: its chart.
        form: one of `FORMATS`.
        evs: write the value of each cell's action and what the second-best would cost under its code.
        found: two cards that are better played otherwise: their cells are marked, and they are listed.

    Raises:
        OddsError: matplotlib is not installed.
    """
    with warnings.catch_warnings():
        # A title may have characters that DejaVu Sans lacks; they are drawn as boxes.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        matplotlib = optional_module("matplotlib", "figures", "figures")
        with matplotlib.rc_context():
            matplotlib.rcdefaults()
            matplotlib.rcParams.update(_SETTINGS)
            sheet = _new_sheet()
            return save(sheet.draw(*_fill(sheet, subject, chart, evs, found)), form)


def _fill(
    sheet: _Sheet, subject: Subject, chart: Chart, evs: bool, found: Sequence[Difference] | None
) -> tuple[float, float]:
    """Put everything on a sheet, and return its width and height."""
    blocks = charts.blocks(chart)
    cell = _CELL_WITH_VALUES if evs else _CELL
    widths = [_LABEL + cell[0] * len(block.places) for block in blocks]
    inner = sum(widths) + _GAP * 1.5 * (len(blocks) - 1)
    y = _MARGIN + 8
    for line in sheet.wrap(subject.game.title, 14, inner / 1.1):
        sheet.write(_MARGIN, y, line, 14, bold=True)
        y += 20
    y += 4
    marked = {(item.section, item.row, item.column) for item in found or ()}
    bottoms, x = [], _MARGIN
    for block, width in zip(blocks, widths, strict=True):
        sheet.write(x + _LABEL, y, block.dealer, 9, bold=True)
        bottoms.append(_put_block(sheet, chart, block, (x, y + 9), cell, evs, marked))
        x += width + _GAP * 1.5
    y = _put_legend(sheet, chart, max(bottoms) + _GAP, inner, with_mark=bool(marked))
    notes = charts.footnotes(subject, chart)
    if evs:
        notes.insert(-1, ("Numbers", charts.evs_words(chart)))
    if found is not None:
        notes.insert(-1, ("Exact cards", "; ".join([charts.differences_words(found), *_exceptions(found)])))
    return inner + 2 * _MARGIN, _put_notes(sheet, notes, y + 4, inner) + _MARGIN - 4


def _put_block(
    sheet: _Sheet,
    chart: Chart,
    block: charts.Block,
    corner: tuple[float, float],
    cell: tuple[float, float],
    evs: bool,
    marked: set[tuple[str, str, str]],
) -> float:
    """Put the tables of a block under each other, and return where they end."""
    left, y = corner
    for section in block.sections:
        sheet.write(left, y + _HEAD / 2, section.name.capitalize(), 8, bold=True)
        for number, place in enumerate(block.places):
            x = left + _LABEL + (number + 0.5) * cell[0]
            sheet.write(x, y + _HEAD / 2, chart.columns[place].short, 8, align="center", color=_DIM)
        y += _HEAD
        for row in section.rows:
            sheet.write(left + _LABEL - 6, y + cell[1] / 2, row.label, 8, align="right", color=_DIM)
            for number, place in enumerate(block.places):
                x = left + _LABEL + number * cell[0]
                mark = (section.name, row.label, chart.columns[place].label) in marked
                _put_cell(sheet, row.cells[place], (x, y), cell, evs, mark)
            y += cell[1]
        y += _GAP
    return y - _GAP


def _put_cell(
    sheet: _Sheet, cell: Cell | None, corner: tuple[float, float], size: tuple[float, float], evs: bool, mark: bool
) -> None:
    (x, y), (width, height) = corner, size
    fill, color = charts.COLOURS[cell.code[0]] if cell is not None else charts.NO_CELL
    sheet.boxes.append((x, y, width, height, fill))
    middle = x + width / 2
    if cell is None:
        sheet.write(middle, y + height / 2, "–", 8, align="center", color=color)
        return
    if mark:
        sheet.marks.append(([(x + width - 7, y + 0.5), (x + width - 0.5, y + 0.5), (x + width - 0.5, y + 7)], color))
    if not evs:
        sheet.write(middle, y + height / 2, cell.code, 8.5, bold=True, align="center", color=color)
        return
    sheet.write(middle, y + 7, cell.code, 8, bold=True, align="center", color=color)
    sheet.write(middle, y + 15.5, signed(cell.values[cell.action], 3), 6.5, align="center", color=color)
    if cell.gap is not None:
        sheet.write(middle, y + 23, f"{abs(cell.gap):.4f}", 6.5, align="center", color=color)


def _put_legend(sheet: _Sheet, chart: Chart, top: float, width: float, *, with_mark: bool) -> float:
    """Put the codes and what they mean in as many lines as it takes, and return where they end."""
    items = [(code, words, charts.COLOURS[code[0]]) for code, words in charts.used_codes(chart).items()]
    if with_mark:
        items.append(("", "holds cards that are better played otherwise", charts.NO_CELL))
    x, y = _MARGIN, top
    for code, words, (fill, color) in items:
        needed = 28 + sheet.width(words, 8) + 14
        if x > _MARGIN and x + needed - 14 > _MARGIN + width:
            x, y = _MARGIN, y + _LEGEND_LINE
        if code:
            sheet.boxes.append((x, y, 24, 14, fill))
            sheet.write(x + 12, y + 7, code, 8, bold=True, align="center", color=color)
        else:
            sheet.marks.append(([(x + 9, y + 3), (x + 17, y + 3), (x + 17, y + 11)], color))
        sheet.write(x + 28, y + 7, words, 8)
        x += needed
    return y + _LEGEND_LINE


def _put_notes(sheet: _Sheet, notes: Iterable[tuple[str, str]], top: float, width: float) -> float:
    """Put labelled notes under each other, and return where they end."""
    y = top + _NOTE_LINE / 2
    for label, text in notes:
        sheet.write(_MARGIN, y, label, 7.5, color=_DIM)
        for line in sheet.wrap(text, 7.5, width - _NOTE_LABEL):
            sheet.write(_MARGIN + _NOTE_LABEL, y, line, 7.5)
            y += _NOTE_LINE
        y += 2
    return y - _NOTE_LINE / 2


def _exceptions(found: Iterable[Difference]) -> list[str]:
    """Return two cards that are better played otherwise in words, for each action and dealer start."""
    hands: dict[tuple[str, str], list[str]] = {}
    for item in found:
        hands.setdefault((item.dealer, item.best), []).append(item.player)
    return [f"{' and '.join(players)} against {dealer}: {best}" for (dealer, best), players in hands.items()]
