"""The tables and JSON of `odds reconcile`: the readings of a game beside its published RTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from odds.game.subject import PLAYS, Subject
from odds.numbers.decimals import fixed, percentage
from odds.published.conclusions import conclusions, published_words, reading_words
from odds.report.common import header, titled

if TYPE_CHECKING:
    from rich.console import RenderableType

    from odds.published.reconcile import Reconciliation

# More answers than these are in --json only.
MOST_SHOWN = 30
_PLAYED = {"composition": "best play", "total": "best chart"}
_PRINTS = {"both": "same", "rounded": "if rounded", "truncated": "if cut off", None: ""}


def reconcile_json(subject: Subject, found: Reconciliation, warnings: list[str]) -> dict[str, Any]:
    """Return the answers as JSON takes them, with what would have to be true in words."""
    return {**subject.head(), **found.to_dict(), "conclusions": conclusions(found), "warnings": warnings}


def reconcile_tables(subject: Subject, found: Reconciliation) -> list[RenderableType]:
    """Return the answers as a table, and what would have to be true."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    published = found.published
    facts = [
        ("Published", published_words(published)),
        ("Best play", f"{PLAYS['composition']}, splits as in cdp1"),
        ("Best chart", PLAYS["total"]),
        ("Unit", "the initial wager, without insurance and side bets"),
    ]
    table = Table(box=box.SIMPLE_HEAD, header_style="", pad_edge=False, show_edge=False)
    for name in ("RTP", "Off by", "Prints"):
        table.add_column(name, justify="left" if name == "Prints" else "right", no_wrap=True)
    table.add_column("Played", no_wrap=True)
    table.add_column("Reading", overflow="fold")
    for answer in found.answers[:MOST_SHOWN]:
        off = "" if published is None else fixed(100 * (answer.rtp - published.rtp), 4, sign=True)
        row = [percentage(answer.rtp, 4), off, _PRINTS[answer.matches], _PLAYED[answer.play], reading_words(answer)]
        table.add_row(*(Text(cell) for cell in row), style="bold" if answer.matches else "")
    note = "Off by: RTP less the published one, in percentage points." if published else "Listed without an order."
    if len(found.answers) > MOST_SHOWN:
        note += f" {len(found.answers) - MOST_SHOWN} more are in --json."
    title = "Readings, the nearest first" if published else "Readings"
    parts: list[RenderableType] = [header(subject, facts), *titled(title, table, note)]
    if published is not None:
        grid = Table.grid(padding=(0, 1, 0, 0))
        grid.add_column()
        grid.add_column(overflow="fold")
        for sentence in conclusions(found):
            grid.add_row("-", Text(sentence))
        parts += titled("What would have to be true", grid)
    return parts
