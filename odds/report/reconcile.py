"""The tables and JSON of `odds reconcile`: the readings of a game beside its published RTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from odds.numbers.decimals import fixed, percentage
from odds.report.common import PLAYS, Subject, header, titled

if TYPE_CHECKING:
    from rich.console import RenderableType

    from odds.published.reconcile import Answer, Published, Reconciliation

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
        ("Published", _published_words(published)),
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


def _published_words(published: Published | None) -> str:
    if published is None:
        return "no RTP"
    if published.quantity == "rtp":
        return published.words
    return f"{published.words}, an RTP of {percentage(published.rtp, published.digits)}"


def reading_words(answer: Answer) -> str:
    """Return a reading in words, and what is to be said about it."""
    words = answer.reading.words or "as the game is listed"
    if answer.reading.joined:
        words += " (one wording says both)"
    if answer.reading.parted:
        words += " (takes one wording apart)"
    return words


def conclusions(found: Reconciliation) -> list[str]:
    """Return sentences that say when the published figure would be right; none where nothing is published."""
    published = found.published
    if published is None or not found.answers:
        return []
    sentences = [_literal(found)]
    proper = [answer for answer in found.matching if not answer.reading.neighbour]
    beside = [answer for answer in found.matching if answer.reading.neighbour]
    if proper:
        sentences += [_needs(answer, published.words) for answer in proper]
    else:
        nearest = next(answer for answer in found.answers if not answer.reading.neighbour)
        off = 100 * (nearest.rtp - published.rtp)
        side = "above" if off > 0 else "below"
        sentences.append(
            f"No reading of the rules in question prints {_published_words(published)}. The nearest is "
            f"{percentage(nearest.rtp, 4)}, {fixed(abs(off), 4)} points {side}: {_condition(nearest)}."
        )
    sentences += [_needs(answer, published.words) for answer in beside]
    if found.wide and not beside:
        sentences.append(
            "Nor does any of these with one rule more changed." if not proper else "No other rule changed does."
        )
    return sentences


def _literal(found: Reconciliation) -> str:
    values = {answer.play: answer for answer in found.answers if not answer.reading.changes}
    best, chart = values["composition"], values["total"]
    says = "That prints the same." if best.matches or chart.matches else "That prints otherwise."
    return (
        f"As the game is listed: {percentage(best.rtp, 4)} by best play, {percentage(chart.rtp, 4)} by the best chart. "
        f"{says}"
    )


def _needs(answer: Answer, words: str) -> str:
    how = {"both": "rounded or cut off", "rounded": "rounded", "truncated": "cut off"}[answer.matches or "both"]
    return f"{words}, {how}, is right if: {_condition(answer)}. RTP {percentage(answer.rtp, 6)}."


def _condition(answer: Answer) -> str:
    played = "played by the best chart" if answer.play == "total" else "played best for the exact cards"
    return f"{reading_words(answer)}; {played}"
