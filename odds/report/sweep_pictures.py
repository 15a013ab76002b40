"""Pictures of a finished grid: the mean house edge by two fields as a heat map, or over decks as lines."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, Final

from odds.errors import OddsError
from odds.extras import optional_module
from odds.report.sweep import colour, grid_means, heading, short
from odds.sweep.effects import DECKS, check_varied

if TYPE_CHECKING:
    from pathlib import Path

    from odds.sweep.run import Sweep

FORMS: Final = (".svg", ".png", ".pdf", ".html")
_EDGE: Final = "House edge in % of the initial wager"
# Apart in grey and for the colour-blind (Okabe and Ito), and by their marks.
_LINES: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
_MARKS: Final = "os^Dv*P"


def picture_form(path: Path) -> str:
    """Return the form of a picture, as its file name ends, without the dot.

    Raises:
        OddsError: it is none, or matplotlib is not installed.
    """
    if path.suffix.lower() not in FORMS:
        raise OddsError(f"--picture: expected a file that ends in {', '.join(FORMS)}, got {str(path)!r}")
    optional_module("matplotlib", "pictures")
    return path.suffix.lower().removeprefix(".")


def picture(found: Sweep, form: str, *, heat: tuple[str, ...] | None = None, over: str | None = None) -> bytes:
    """Return the heat map of two fields, or the lines of one over decks, as a file.

    Args:
        found: the grid.
        form: `svg`, `png`, `pdf`, or `html`, a page with the picture in it.
        heat: the two fields.
        over: the one field.

    Raises:
        OddsError: a field does not vary, or matplotlib is not installed.
    """
    down, across = (DECKS, over or "") if heat is None else heat
    for name in (down, across):
        check_varied("--lines" if heat is None else "--heat", name, found.fields)
    title = f"Mean house edge by {heading(down)} and {heading(across)}"
    drawn = _drawn(found, "svg" if form == "html" else form, down, across, title, lines=heat is None)
    if form != "html":
        return drawn
    svg = drawn.decode()
    head = f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
    style = "<style>body{margin:1rem;background:#fff}svg{max-width:100%;height:auto}</style></head>"
    return f"{head}{style}<body>{svg[svg.index('<svg') :]}</body></html>\n".encode()


def _drawn(found: Sweep, form: str, down: str, across: str, title: str, *, lines: bool) -> bytes:
    matplotlib, figures = (optional_module(name, "pictures") for name in ("matplotlib", "matplotlib.figure"))
    # No date and no random names in the file: the same grid gives the same bytes.
    metadata = {"png": {"Software": None}, "svg": {"Date": None, "Title": title}, "pdf": {"CreationDate": None}}[form]
    values, rows, columns = grid_means(found.rows, down, across)
    sizes = (8, 4.5) if lines else (2.5 + 0.9 * len(columns), 1.8 + 0.45 * len(rows))
    with matplotlib.rc_context({"svg.hashsalt": "odds", "svg.fonttype": "none"}):
        drawing = figures.Figure(figsize=sizes, layout="constrained")
        axes = drawing.subplots()
        (_lines if lines else _map)(axes, values, (down, rows), (across, columns))
        axes.set_title(
            f"{title}\n{len(found.rows):,} rule sets of {found.rows[0]['game'] or 'given rules'}", fontsize=11
        )
        buffer = io.BytesIO()
        drawing.savefig(buffer, format=form, metadata=metadata, dpi=150)
    return buffer.getvalue()


def _map(
    axes: Any, values: dict[tuple[Any, Any], float], down: tuple[str, list[Any]], across: tuple[str, list[Any]]
) -> None:
    low, high = min(values.values()), max(values.values())
    for y, row in enumerate(down[1]):
        for x, column in enumerate(across[1]):
            value = values.get((row, column))
            if value is None:
                continue
            share = (high - value) / (high - low) if high > low else 0.5
            fill = tuple(part / 255 for part in colour(share))
            axes.fill([x, x + 1, x + 1, x], [y, y, y + 1, y + 1], color=fill, linewidth=0)
            axes.text(x + 0.5, y + 0.5, f"{value:.3f}", ha="center", va="center", fontsize=9)
    axes.set_xlim(0, len(across[1]))
    axes.set_ylim(len(down[1]), 0)
    axes.set_xticks([x + 0.5 for x in range(len(across[1]))], [short(across[0], value) for value in across[1]])
    axes.set_yticks([y + 0.5 for y in range(len(down[1]))], [short(down[0], value) for value in down[1]])
    axes.set_xlabel(f"{heading(across[0])}; {_EDGE.lower()}")
    axes.set_ylabel(heading(down[0]))
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def _lines(
    axes: Any, values: dict[tuple[Any, Any], float], down: tuple[str, list[Any]], across: tuple[str, list[Any]]
) -> None:
    for number, column in enumerate(across[1]):
        points = [(x, values[decks, column]) for x, decks in enumerate(down[1]) if (decks, column) in values]
        style = {"color": _LINES[number % len(_LINES)], "marker": _MARKS[number % len(_MARKS)]}
        axes.plot(*zip(*points, strict=True), label=short(across[0], column), **style)
    axes.set_xticks(range(len(down[1])), [short(DECKS, decks) for decks in down[1]])
    axes.set_xlabel("decks, not to scale")
    axes.set_ylabel(_EDGE)
    axes.legend(title=heading(across[0]), frameon=False)
    axes.grid(axis="y", color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
