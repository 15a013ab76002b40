"""A sheet of shapes and texts in points, and what makes a picture of it: SVG, or matplotlib for PNG and PDF.

The fonts of whoever opens an SVG picture are not known: a text is given the room that it takes in the widest of those
which are asked for, so that nothing overlaps in another one. PNG and PDF bring matplotlib's own copy of DejaVu Sans.
No picture holds a date or a random name: the same sheet gives the same bytes.
"""

from __future__ import annotations

import io
import re
import warnings
from collections import Counter
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple

from odds.errors import OddsError
from odds.extras import optional_module
from odds.game.fields import show_value
from odds.report.common import fill_template

if TYPE_CHECKING:
    from collections.abc import Sequence

    _Corners = tuple[tuple[float, float], ...]

FORMATS = ("svg", "png", "pdf")
PAPERS = {"A3": (297, 420), "A4": (210, 297), "A5": (148, 210), "letter": (215.9, 279.4), "legal": (215.9, 355.6)}
BLACK, WHITE = "#000000", "#ffffff"
MARGIN = 18.0
_INCH = 72.0
_UNITS = {"": 1.0, "pt": 1.0, "in": _INCH, "mm": _INCH / 25.4, "cm": _INCH / 2.54, "px": _INCH / 96}
_DOTS, _LEAST_DOTS, _MOST_DOTS = 144, 36, 600
_LEAST_WIDTH, _MOST_PIXELS = 50, 10_000
_FONTS = "DejaVu Sans, Verdana, Arial, Helvetica, sans-serif"
# The widest of DejaVu Sans and Verdana for some characters, in sizes of the font; bold ones are wider.
_WIDTHS = ((" '.,:;|ijl", 0.37), ("-/\\I()[]ftrJ!", 0.46), ("mMW%@—…", 1.0), ("w+<>=~#&^", 0.85))
_BOLD = 1.13


class Size(NamedTuple):
    """How large a picture becomes: as its sheet is, where nothing else is said.

    Attributes:
        width: of the picture in points.
        dots: per inch, in PNG.
        paper: of the pages of a PDF, one of `PAPERS`: the sheet fills it as far as it can, across where that is wider.
    """

    width: float | None = None
    dots: int = _DOTS
    paper: str | None = None


AS_IT_IS = Size()


def read_size(form: str, width: str | None, dots: int | None, paper: str | None) -> Size:
    """Return how large a picture of one of `FORMATS` is asked to be.

    Raises:
        OddsError: that is no size, or more than can be drawn.
    """
    dots = _DOTS if dots is None else dots
    if not _LEAST_DOTS <= dots <= _MOST_DOTS:
        raise OddsError(f"--dpi: expected {_LEAST_DOTS} to {_MOST_DOTS}, got {dots}")
    if paper is not None and width is not None:
        raise OddsError("expected --width or --paper, got both: a sheet fills its paper")
    if paper is not None:
        paper = {name.lower(): name for name in PAPERS}.get(paper.lower(), paper)
        if paper not in PAPERS:
            raise OddsError(f"--paper: expected {', '.join(PAPERS)}, got {show_value(paper)}")
    if width is None:
        return Size(None, dots, paper)
    found = re.fullmatch(r"([0-9]{1,6}(?:\.[0-9]{1,6})?) ?(pt|px|mm|cm|in|)", width.strip())
    if found is None:
        raise OddsError(f"--width: expected points, or a number of mm, cm, in or px as 180mm, got {show_value(width)}")
    pixel = _INCH / dots if form == "png" else _UNITS["px"]
    points = float(found[1]) * (_UNITS | {"px": pixel})[found[2]]
    if not _LEAST_WIDTH <= points <= _MOST_PIXELS * pixel:
        limits = f"{_LEAST_WIDTH} to {_MOST_PIXELS * pixel:.0f} points"
        raise OddsError(f"--width: expected {limits}, got {show_value(width)}")
    return Size(points, dots, paper)


def check(form: str) -> None:
    """Refuse to make a picture of one of `FORMATS` where that is not possible.

    Raises:
        OddsError: it needs matplotlib, which is not installed.
    """
    if form != "svg":
        optional_module("matplotlib", f"pictures as {form}")


class Paint(NamedTuple):
    """How shapes are drawn: those of a lower layer first; one without a colour to fill is a line or a frame."""

    layer: int
    fill: str
    line: str = ""
    width: float = 0.0


class Style(NamedTuple):
    """How a text is written, and whether its place is its `start`, `middle` or `end`."""

    size: float
    bold: bool = False
    align: str = "start"


class Text(NamedTuple):
    """A text, and its place on its base line."""

    x: float
    y: float
    words: str
    color: str
    style: Style


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """Return how wide a text is at most."""

    def ems(letter: str) -> float:
        if known := [width for letters, width in _WIDTHS if letter in letters]:
            return known[0]
        if not letter.isascii():
            return 1.05 if letter > "\u2e7f" else 0.85
        return 0.8 if letter.isupper() else 0.65

    return sum(map(ems, text)) * size * (_BOLD if bold else 1)


def wrap(text: str, size: float, width: float, *, bold: bool = False) -> list[str]:
    """Return a text in lines of at most this width; only longer words are broken."""
    lines = [""]
    for word in text.split():
        if lines[-1]:
            longer = f"{lines[-1]} {word}"
            if width_of(longer, size, bold=bold) <= width:
                lines[-1] = longer
                continue
            lines.append("")
        for letter in word:
            if width_of(lines[-1] + letter, size, bold=bold) > width:
                lines.append("")
            lines[-1] += letter
    return lines


@dataclass(slots=True)
class Sheet:
    """What is to be drawn, in points from the top left corner.

    Attributes:
        shapes: corners of polygons and lines, by how they are drawn.
        texts: in the order in which they are read.
        width: of the sheet.
        height: of the sheet.
    """

    shapes: dict[Paint, list[_Corners]] = field(default_factory=dict)
    texts: list[Text] = field(default_factory=list)
    width: float = 0.0
    height: float = 0.0

    def write(self, x: float, y: float, words: str, style: Style, color: str = BLACK) -> None:
        """Write a text with its middle line at `y`; capitals and digits are centred on it."""
        # Capitals and digits of DejaVu Sans are 0.73 of its size high.
        self.texts.append(Text(x, y + 0.365 * style.size, _printable(words), color, style))

    def draw(self, paint: Paint, *corners: tuple[float, float]) -> None:
        """Draw a polygon, or a line where there are two corners."""
        self.shapes.setdefault(paint, []).append(corners)

    def box(self, paint: Paint, x: float, y: float, width: float, height: float) -> None:
        """Draw a rectangle."""
        self.draw(paint, (x, y), (x + width, y), (x + width, y + height), (x, y + height))

    def svg(self, size: Size, name: str, title: str, description: str) -> bytes:
        """Return the sheet as SVG of real text.

        Args:
            size: how large it becomes.
            name: starts the ids of its elements.
            title: what it is called.
            description: says what it shows, for who cannot see it.
        """
        width = size.width or self.width
        text = fill_template(
            "sheet.svg.j2",
            width=_short(width),
            height=_short(self.height * width / self.width),
            view=f"{_short(self.width)} {_short(self.height)}",
            name=name,
            title=title,
            description=description,
            shapes=[(paint, "".join(map(_path, shapes))) for paint, shapes in sorted(self.shapes.items())],
            fonts=_FONTS,
            usual=Counter(text.style for text in self.texts).most_common(1)[0][0],
            runs=[_run(style, list(texts)) for style, texts in groupby(self.texts, lambda text: text.style)],
        )
        return _printable(text).encode()

    def plot(self, form: str, size: Size) -> bytes:
        """Return the sheet as `png` or `pdf`, whatever the settings of the machine.

        Raises:
            OddsError: matplotlib is not installed.
        """
        matplotlib, figures, fonts, patches, paths = (
            optional_module(f"matplotlib{name}", f"pictures as {form}")
            for name in ("", ".figure", ".font_manager", ".patches", ".path")
        )
        page, scale = self._page(size)
        inches = [length / _INCH for length in page]
        if form == "png":
            # A little more than whole dots: what is less by a rounding error would be cut off.
            inches = [(round(length * size.dots) + 1e-3) / size.dots for length in inches]
        with warnings.catch_warnings(), matplotlib.rc_context():
            # A title may have characters that DejaVu Sans lacks; they are drawn as boxes.
            warnings.filterwarnings("ignore", message="Glyph .* missing from font")
            matplotlib.rcdefaults()
            matplotlib.rcParams.update({"pdf.fonttype": 3, "text.hinting": "none"})
            figure = figures.Figure(figsize=inches, facecolor=WHITE)
            axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
            left, top = ((page[0] / scale - self.width) / 2, (page[1] / scale - self.height) / 2)
            axes.set_xlim(-left, self.width + left)
            axes.set_ylim(self.height + top, -top)
            axes.set_axis_off()
            for paint, shapes in sorted(self.shapes.items()):
                # One shape for all: one for each would make a far larger file.
                made = [paths.Path([*corners, corners[0]], closed=True) for corners in shapes]
                style = {"fc": paint.fill or "none", "ec": paint.line or "none", "lw": paint.width * scale}
                axes.add_patch(patches.PathPatch(paths.Path.make_compound_path(*made), clip_on=False, **style))
            for x, y, words, color, (points, bold, align) in self.texts:
                path = f"{matplotlib.get_data_path()}/fonts/ttf/DejaVuSans{'-Bold' if bold else ''}.ttf"
                font = fonts.FontProperties(fname=path, size=points * scale)
                side = {"start": "left", "middle": "center", "end": "right"}[align]
                axes.text(x, y, words, fontproperties=font, ha=side, va="baseline", color=color, parse_math=False)
            made_by = ("Software",) if form == "png" else ("CreationDate", "Creator", "Producer")
            buffer = io.BytesIO()
            figure.savefig(buffer, format=form, metadata=dict.fromkeys(made_by), dpi=size.dots)
        return buffer.getvalue()

    def _page(self, size: Size) -> tuple[tuple[float, float], float]:
        """Return width and height of the page, and how many times as large the sheet is drawn on it."""
        if size.paper is None:
            scale = (size.width or self.width) / self.width
            return (self.width * scale, self.height * scale), scale
        short, long = (length * _UNITS["mm"] for length in PAPERS[size.paper])
        page = (long, short) if self.width > self.height else (short, long)
        return page, min((page[0] - 2 * MARGIN) / self.width, (page[1] - 2 * MARGIN) / self.height)


def _run(style: Style, texts: Sequence[Text]) -> tuple[Style, str, list[tuple[str, str, str, str]]]:
    """Return texts of one style: their usual colour, and of each its place, colour where it is another one, and words.

    A height is there only where it is not that of the text before.
    """
    usual = Counter(text.color for text in texts).most_common(1)[0][0]
    heights = ["", *(_short(text.y) for text in texts)]
    spans = [
        (_short(text.x), "" if y == before else y, "" if text.color == usual else text.color, text.words)
        for text, (before, y) in zip(texts, pairwise(heights), strict=True)
    ]
    return style, usual, spans


def _path(corners: _Corners) -> str:
    """Return a polygon or a line as SVG has it."""
    path = f"M{_short(corners[0][0])} {_short(corners[0][1])}"
    for (x, y), (to_x, to_y) in pairwise(corners):
        right, down = _short(to_x - x), _short(to_y - y)
        path += f"h{right}" if down == "0" else f"v{down}" if right == "0" else f"l{right} {down}"
    return path + ("z" if len(corners) > 2 else "")


def _short(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")


def _printable(text: str) -> str:
    """Return a text with a mark for what cannot be printed, which XML does not allow either."""
    return "".join(letter if letter.isprintable() or letter == "\n" else "\ufffd" for letter in text)
