"""A document of tables as one HTML page, and as a PDF."""

from __future__ import annotations

import io
import textwrap
from html import escape
from typing import TYPE_CHECKING, Any, Final

from odds.extras import optional_module
from odds.tables.document import Lines, is_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from odds.tables.document import Document, Table

_STYLE: Final = """\
body { font: 15px/1.45 system-ui, sans-serif; color: #111; background: #fff; max-width: 62rem; margin: 2rem auto;
  padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; break-after: avoid; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; } dt { color: #444; } dd { margin: 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .55rem; border-bottom: 1px solid #ccc; text-align: right; vertical-align: top; }
td.text, th.text { text-align: left; }
th { border-bottom: 2px solid #111; }
li, dd, .note { overflow-wrap: anywhere; } .note { color: #444; }
@media print { body { margin: 0; max-width: none; font-size: 10px; } tr { break-inside: avoid; } }
"""
_WIDTH: Final = 100
_LINES_PER_PAGE: Final = 84
_WITH_TITLE: Final = 5


def html(document: Document) -> str:
    """Return a document as one HTML page that needs nothing else."""
    title = escape(document.title)
    facts = "".join(f"<dt>{escape(label)}</dt><dd>{_plain(text)}</dd>\n" for label, text in document.facts)
    parts = "".join(f"<h2>{escape(part.title)}</h2>\n{_part(part)}" for part in document.parts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{_STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<dl>\n{facts}</dl>\n"
        f"{parts}</body>\n</html>\n"
    )


def _plain(text: str) -> str:
    return escape(text.replace("`", ""))


def _part(part: Table | Lines) -> str:
    if isinstance(part, Lines):
        return "<ul>\n" + "".join(f"<li>{_plain(line)}</li>\n" for line in part.lines) + "</ul>\n"
    words = [is_text(part, place) for place in range(len(part.columns))]

    def row(cells: Sequence[str], tag: str) -> str:
        marks = [f"<{tag}{' class=text' if text else ''}>" for text in words]
        return f"<tr>{''.join(f'{m}{_plain(c)}</{tag}>' for m, c in zip(marks, cells, strict=True))}</tr>\n"

    note = f'<p class="note">{_plain(part.note)}</p>\n' if part.note else ""
    body = "".join(row(cells, "td") for cells in part.rows)
    return (
        f'<div class="wide"><table>\n<thead>{row(part.columns, "th")}</thead>\n'
        f"<tbody>\n{body}</tbody>\n</table></div>\n{note}"
    )


def check_pdf() -> None:
    """Refuse PDF files where they cannot be made.

    Raises:
        OddsError: matplotlib is not installed.
    """
    optional_module("matplotlib", "PDF files")


def pdf(document: Document) -> bytes:
    """Return a document as a PDF of plain text pages, the same bytes for the same document.

    Raises:
        OddsError: matplotlib is not installed.
    """
    matplotlib: Any = optional_module("matplotlib", "PDF files")
    figures: Any = optional_module("matplotlib.figure", "PDF files")
    backend: Any = optional_module("matplotlib.backends.backend_pdf", "PDF files")
    pages = _pages(list(text_lines(document)))
    buffer = io.BytesIO()
    metadata = {"CreationDate": None, "Creator": None, "Producer": None, "Title": document.title}
    settings = {"pdf.fonttype": 42, "text.usetex": False, "text.parse_math": False}
    with matplotlib.rc_context(settings), backend.PdfPages(buffer, metadata=metadata) as file:
        for number, page in enumerate(pages, 1):
            figure = figures.Figure(figsize=(8.27, 11.69))
            figure.text(0.06, 0.965, "\n".join(page), va="top", family="DejaVu Sans Mono", size=7.6, linespacing=1.2)
            figure.text(0.94, 0.025, f"{number} / {len(pages)}", ha="right", family="DejaVu Sans Mono", size=7.6)
            file.savefig(figure)
    return buffer.getvalue()


def _pages(lines: list[str]) -> list[list[str]]:
    """Return the lines page by page; a title is never among the last lines of a page."""
    pages = []
    while lines:
        end = min(_LINES_PER_PAGE, len(lines))
        if end < len(lines):
            titles = [at - 1 for at in range(end - _WITH_TITLE, end + 1) if at > 1 and set(lines[at]) == {"-"}]
            end = titles[0] if titles else end
        pages.append(lines[:end])
        lines = lines[end:]
        while lines and not lines[0]:
            lines.pop(0)
    return pages


def text_lines(document: Document) -> Iterator[str]:
    """Yield a document as lines of plain text, none of them wider than a page."""
    yield from (document.title.upper(), "")
    for label, text in document.facts:
        yield from _wrapped(f"{label}: {text}".replace("`", ""), "  ")
    for part in document.parts:
        yield from ("", "", part.title, "-" * min(len(part.title), _WIDTH))
        if isinstance(part, Lines):
            for line in part.lines:
                yield from _wrapped(f"- {line}".replace("`", ""), "  ")
            continue
        yield from _table_lines(part)
        if part.note:
            yield from ("", *_wrapped(part.note.replace("`", ""), ""))


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, subsequent_indent=indent, break_on_hyphens=False) or [""]


def _table_lines(table: Table) -> Iterator[str]:
    rows = [table.columns, *table.rows]
    widths = [max(len(row[place]) for row in rows) for place in range(len(table.columns))]
    spare = _WIDTH - 2 * (len(widths) - 1)
    while sum(widths) > spare:  # the widest column is folded until all fit
        widest = widths.index(max(widths))
        others = sum(widths) - widths[widest]
        widths[widest] = max(spare - others, widths[widest] // 2, 4)
        if others + widths[widest] > spare and max(widths) <= 4:
            break
    for number, row in enumerate(rows):
        cells = [textwrap.wrap(cell, width) or [""] for cell, width in zip(row, widths, strict=True)]
        for at in range(max(map(len, cells))):
            parts = []
            for place, (lines, width) in enumerate(zip(cells, widths, strict=True)):
                text = lines[at] if at < len(lines) else ""
                parts.append(text.ljust(width) if is_text(table, place) else text.rjust(width))
            yield "  ".join(parts).rstrip()
        if number == 0:
            yield "  ".join("-" * width for width in widths)
