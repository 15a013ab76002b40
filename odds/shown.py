"""How a result shows itself: as rows for a data frame, as one line, and as a table in a notebook."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from html import escape
from textwrap import shorten
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

# A notebook shows so many rows of a result, and so much of a fraction; `to_rows` has all of it.
MOST_ROWS = 60
MOST_CHARACTERS = 40
_SHORT = 120  # characters of a text in one line that stands for the result
_SMALL = 1e-6  # below it ten decimals would hide digits
_LEFT = ' style="text-align:left"'
_CENTRE = ' style="text-align:center"'
_CELL = "padding:2px 4px;min-width:20px;text-align:center"
_ONE_LINE = ' style="white-space:nowrap"'


class Shown(ABC):
    """A result as rows, and what must be known to read them."""

    __slots__ = ()

    @abstractmethod
    def to_rows(self) -> list[dict[str, Any]]:
        """Return plain rows with named columns, for pandas or polars."""

    @abstractmethod
    def facts(self) -> list[tuple[str, ...]]:
        """Return what must be known to read the numbers, what matters most first: label, short text, and more words.

        Rules are short in casino shorthand, which their words say again.
        """

    def _shown_rows(self) -> list[dict[str, Any]]:
        """Return the rows that a notebook shows."""
        return self.to_rows()

    def _html_body(self) -> str:
        """Return what stands under the facts in a notebook."""
        return table_html(self._shown_rows())

    def __repr__(self) -> str:
        said = " | ".join(f"{label}: {shorten(text, _SHORT, placeholder=' …')}" for label, text, *_ in self.facts())
        return f"<{type(self).__name__} {said}>"

    def _repr_html_(self) -> str:
        lines = (
            f"<b>{escape(label)}</b> {escape(words[-1] if label == 'Rules' else ': '.join(words))}"
            for label, *words in self.facts()
        )
        return f"<div><p>{'<br>'.join(lines)}</p>{self._html_body()}</div>"


def table_html(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return rows as an HTML table, the first `MOST_ROWS` of them; columns in which there is nothing are left out."""
    if not rows:
        return ""
    columns = [name for name in rows[0] if any(row[name] not in (None, "") for row in rows)]
    sides = {name: _LEFT if any(isinstance(row[name], str | bool) for row in rows) else "" for name in columns}
    head = "".join(f"<th{sides[name]}>{escape(name)}</th>" for name in columns)
    lines = (
        f"<tr>{''.join(f'<td{sides[name]}>{_text(row[name])}</td>' for name in columns)}</tr>"
        for row in rows[:MOST_ROWS]
    )
    more = len(rows) - MOST_ROWS
    note = f"<p>and {more:,} more rows: to_rows() has them all</p>" if more > 0 else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>{note}"


def _text(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "", True: "yes", False: "no"}[value]
    text = str(value)
    if isinstance(value, int):
        text = f"{value:,}"
    elif isinstance(value, float):
        text = f"{value:.10f}" if value % 1 and abs(value) >= _SMALL else f"{value:.10g}"
    # A text without a space is a fraction where it is long.
    return escape(text if len(text) <= MOST_CHARACTERS or " " in text else f"{text[: MOST_CHARACTERS - 1]}…")


def grid_html(
    columns: Sequence[str], rows: Iterable[tuple[str, Sequence[tuple[str, str, str, str]]]], note: str
) -> str:
    """Return a chart as an HTML table.

    Args:
        columns: the headings.
        rows: of each its label, and of each cell the text, its background, its colour and what is said of it.
        note: stands under it.
    """
    head = "".join(f"<th{_CENTRE}>{escape(name)}</th>" for name in ("", *columns))
    lines: list[str] = []
    for label, cells in rows:
        texts = "".join(
            f'<td title="{escape(words)}" style="background:{back};color:{colour};{_CELL}">{escape(text)}</td>'
            for text, back, colour, words in cells
        )
        lines.append(f"<tr><th{_ONE_LINE}>{escape(label)}</th>{texts}</tr>")
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table><p>{escape(note)}</p>"


def with_exact(name: str, value: Fraction | float | None, *, exact: bool = True) -> dict[str, Any]:
    """Return a column of a row as a float, and where it is exact beside it a column `..._exact` with its text.

    >>> with_exact("net", Fraction(-1, 2)), with_exact("net", None, exact=False)
    ({'net': -0.5, 'net_exact': '-1/2'}, {'net': None})
    """
    column: dict[str, Any] = {name: None if value is None else float(value)}
    return {**column, f"{name}_exact": None if value is None else str(value)} if exact else column


def long_fraction(value: Fraction, unit: str) -> str:
    """Return a fraction as a short text: its value, and how many digits its terms have where they are many.

    >>> long_fraction(Fraction(-1, 3), "a unit"), long_fraction(Fraction(1, 10**50), "a unit")
    ('-0.3333333333 (-1/3) a unit', '+0.0000000000 (52 digits) a unit')
    """
    text = str(value)
    words = text if len(text) <= MOST_CHARACTERS else f"{sum(map(str.isdigit, text))} digits"
    return f"{float(value):+.10f} ({words}) {unit}"
