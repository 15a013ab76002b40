"""Effects of removal as tables and JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from odds.game.subject import Subject
from odds.report.common import header, listed, new_table, percent, signed, slices, titled
from odds.strategy.codes import row_name

if TYPE_CHECKING:
    from rich.console import RenderableType

    from odds.strategy.deviations import Deviations


def deviations_json(subject: Subject, found: Deviations) -> dict[str, Any]:
    """Return the effects of removal as JSON takes them."""
    return {**subject.head(), **found.to_dict(), "removed": subject.removed}


def deviations_tables(subject: Subject, found: Deviations, number: int, width: int) -> list[RenderableType]:
    """Return the effects of removal as tables, on the game and on the closest cells of its chart, for lines so wide."""
    facts = [
        ("RTP", f"{percent(1 + found.ev, 5)} from the full shoe, by the best play for the exact cards"),
        ("Unit", "percentage points of the initial wager, for one card taken out of the shoe before the deal"),
    ]
    parts: list[RenderableType] = [header(subject, facts)]
    blocks = slices(list(found.effects), (width - len("soft 19 v 6 Ds +1.00")) // len(" +1.00"))
    for cards in blocks:
        game = new_table("", *cards)
        game.padding = (0, 0, 0, 0)
        game.add_row("RTP", *(signed(100 * found.effects[card], 3) for card in cards))
        parts += titled("Effect on the game, the play being the best for the new shoe", game)
    cells = found.cells[:number]
    note = (
        "Gap: by how much the cell's action beats the next, the average over its two-card hands; negative where longer "
        "hands of the cell outweigh them. Under each card: what taking one of it out adds to the gap."
    )
    for cards in blocks:
        table = new_table("Cell", "", "Gap", *cards)
        table.padding = (0, 0, 0, 0)
        for cell in cells:
            effects = (_short(100 * cell.effects[card]) if card in cell.effects else "-" for card in cards)
            table.add_row(
                f"{row_name(cell.section, cell.row)} v {cell.column}", cell.code, _short(100 * cell.gap), *effects
            )
        words = note if cards is blocks[-1] else ""
        parts += titled(f"Effect on the {len(cells)} closest cells of the best chart", table, words)
    exceptions = [item for cell in found.cells for item in cell.exceptions]
    if exceptions:
        headings = ("Hand", "Dealer", "Chart says", "Best", "Gain")
        rows = ((item.player, item.dealer, item.chart, item.best, signed(item.gain, 8)) for item in exceptions)
        note = "Gain: in initial wagers, given the deal."
        parts += listed("Two cards that are better played otherwise", headings, rows, note)
    return parts


def _short(value: float) -> str:
    """Return a number with its sign and two decimals, without a leading zero."""
    return signed(value, 2).replace("0.", ".", 1) if abs(value) < 1 else signed(value, 2)
