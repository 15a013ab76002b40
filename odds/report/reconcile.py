"""The tables and JSON of `odds reconcile`: the readings of a game beside its published RTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from odds.engine.split_classes import play_words
from odds.engine.terms import hand_terms
from odds.game.subject import PLAYS, Subject
from odds.numbers.decimals import fixed, percentage
from odds.published.conclusions import conclusions, published_words, reading_words
from odds.report.common import header, labelled, new_table, titled

if TYPE_CHECKING:
    from rich.console import RenderableType

    from odds.published.reconcile import Reconciliation

# More answers than these are in --json only.
MOST_SHOWN = 30
_PLAYED = {"composition": "best", "total": "chart"}
_PRINTS = {"both": "same", "rounded": "if rounded", "truncated": "if cut off", None: ""}


def reconcile_json(subject: Subject, found: Reconciliation, warnings: list[str]) -> dict[str, Any]:
    """Return the answers as JSON takes them, with what would have to be true in words."""
    return {**subject.head(), **found.to_dict(), "conclusions": conclusions(found), "warnings": warnings}


def reconcile_tables(subject: Subject, found: Reconciliation) -> list[RenderableType]:
    """Return the answers as a table, and what would have to be true."""
    from rich.text import Text

    published = found.published
    facts = [
        ("Published", published_words(published)),
        ("Best play", f"{PLAYS['composition']}, splits as in cdp1"),
        ("Chart", play_words("total", hand_terms(subject.rules).looks)),
        ("RTP", "per initial wager or per total wager, without insurance and side bets"),
    ]
    columns = ("RTP", "Off by", "Prints", "Per") if published else ("RTP", "Per total wager")
    table = new_table(*columns, "Play", "Reading", left=(2, 3, 4, 5), fold=(len(columns) + 1,))
    for answer in found.ranked[:MOST_SHOWN]:
        figures = [percentage(answer.rtp, 4), percentage(answer.rtp_per_total_wager, 4)]
        if published:
            off = fixed(100 * (answer.nearest - published.rtp), 4, sign=True)
            figures = [percentage(answer.nearest, 4), off, _PRINTS[answer.prints], answer.per.partition(" ")[0]]
        row = [*figures, _PLAYED[answer.play], reading_words(answer)]
        table.add_row(*map(Text, row), style="bold" if answer.prints else "")
    note = "Off by: RTP less the published one, in percentage points." if published else "Listed without an order."
    if published:
        note += " Per: the initial or the total wager, whichever prints the same or comes nearer; --json has both."
    if len(found.ranked) > MOST_SHOWN:
        note += f" {len(found.ranked) - MOST_SHOWN} more are in --json."
    if found.no_effect:
        note += f"\nNo effect by itself: {'; '.join(found.no_effect)}."
    title = "Readings, the nearest first" if published else "Readings"
    parts: list[RenderableType] = [header(subject, facts), *titled(title, table, note)]
    if published is not None:
        parts += titled("What would have to be true", labelled([("-", said) for said in conclusions(found)], space=1))
    return parts
