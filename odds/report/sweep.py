"""A finished grid in a terminal: its rows if they are few, extremes, effects of rules, a heat map, lines over decks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from odds.game.fields import FIELDS, written
from odds.report.common import labelled, listed, new_table, percent, signed, titled
from odds.sweep.effects import DECKS, check_varied, effects, extremes, means, rank, words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import RenderableType
    from rich.text import Text

    from odds.sweep.run import Sweep

# More rows are not listed.
_FEW: Final = 40
_EXTREMES: Final = 3
# From the house's side to the player's, apart for the colour-blind too, and light enough for black figures.
_COLOURS: Final = ((244, 165, 130), (247, 247, 247), (146, 197, 222))
_UNIT: Final = "House edge in percent of the initial wager; a negative one favours the player."


def tables(found: Sweep, *, heat: tuple[str, ...] | None = None, over: str | None = None) -> list[RenderableType]:
    """Return what a grid says, as tables.

    Args:
        found: the grid.
        heat: two fields that vary, for a map of the mean house edge by both.
        over: a field that varies, for the mean house edge by its values and decks.

    Raises:
        OddsError: a field does not vary.
    """
    parts: list[RenderableType] = [labelled((label, words[-1]) for label, *words in found.facts())]
    if len(found.rows) <= _FEW:
        parts += _rows(found)
    else:
        parts += _extremes(found)
    if len(found.rows) > 1:
        parts += _effects(found)
    if heat is not None:
        parts += _heat(found, *heat)
    if over is not None:
        parts += _heat(found, DECKS, over)
    return parts


def report_dict(found: Sweep) -> dict[str, Any]:
    """Return the extremes and the effects of rules as JSON takes them."""
    low, high = extremes(found.rows)
    return {
        "lowest": [{"rules_id": one.row["rules_id"], "ev": one.row["ev"], "alike": one.alike} for one in low],
        "highest": [{"rules_id": one.row["rules_id"], "ev": one.row["ev"], "alike": one.alike} for one in high],
        "effects": [effect.to_dict() for effect in effects(found.rows, found.fields)],
    }


def _rows(found: Sweep) -> list[RenderableType]:
    headings = [*map(heading, found.fields), "House edge", "RTP", "Average wager"]
    lines = (
        [
            *(written(row[name]) for name in found.fields),
            *(percent(row["house_edge"], 5), percent(row["rtp"], 5), f"{row['average_wager']:.6f}"),
        ]
        for row in found.rows
    )
    return listed("Every combination", headings, lines, "Per initial wager.", wrap=range(len(found.fields)))


def _extremes(found: Sweep) -> list[RenderableType]:
    low, high = extremes(found.rows, _EXTREMES)
    parts: list[RenderableType] = []
    for title, ones in (("Lowest house edges", high), ("Highest house edges", low)):
        lines = [(percent(one.row["house_edge"], 5), f"{one.alike:,}", said(one.row, found.fields)) for one in ones]
        parts += listed(title, ("House edge", "Rows", "Rules"), lines, left=(2,), wrap=(2,))
    return parts


def _effects(found: Sweep) -> list[RenderableType]:
    table = new_table("Rule", "Change", "Mean", "Least", "Most", "Pairs", "Idle", left=(0, 1), wrap=(0, 1))
    for effect in effects(found.rows, found.fields):
        change = f"{written(effect.before)} to {written(effect.after)}"
        values = (effect.mean, effect.least, effect.most)
        table.add_row(
            heading(effect.field),
            change,
            *("-" if value is None else signed(100 * value, 4) for value in values),
            f"{effect.pairs:,}",
            f"{effect.without:,}",
        )
    note = (
        "What the change adds to the player's return, in percentage points of the initial wager, over all pairs of "
        "rows that differ in nothing else; idle are pairs to which it can make no difference, which do not count."
    )
    return titled("Effect of each rule", table, note)


def _heat(found: Sweep, rows: str, columns: str) -> list[RenderableType]:
    """Return the mean house edge by two fields, coloured where there are colours."""
    from rich.text import Text

    for name in (rows, columns):
        check_varied("--heat" if rows != DECKS else "--heat or --lines", name, found.fields)
    values, down, across = grid_means(found.rows, rows, columns)
    low, high = min(values.values()), max(values.values())
    table = new_table(f"{heading(rows)} \\ {heading(columns)}", *(short(columns, value) for value in across))
    for value in down:
        cells = [_cell(values.get((value, other)), low, high, Text) for other in across]
        table.add_row(short(rows, value), *cells)
    return titled(f"Mean house edge by {heading(rows)} and {heading(columns)}", table, _UNIT)


def grid_means(
    rows: Sequence[Mapping[str, Any]], down: str, across: str
) -> tuple[dict[tuple[Any, Any], float], list[Any], list[Any]]:
    """Return the mean house edge by two fields in percent, and the values of both, decks in their order."""
    found = {key: -100 * ev for key, ev in means(rows, down, across).items()}
    values = [list(dict.fromkeys(key[place] for key in found)) for place in (0, 1)]
    ordered = [sorted(of, key=rank) if name == DECKS else of for name, of in zip((down, across), values, strict=True)]
    return found, ordered[0], ordered[1]


def colour(share: float) -> tuple[int, int, int]:
    """Return the colour of a share from the highest house edge, 0, to the lowest, 1, as red, green and blue."""
    place = max(0.0, min(share, 1.0)) * (len(_COLOURS) - 1)
    first = min(int(place), len(_COLOURS) - 2)
    rest = place - first
    red, green, blue = (round(a + (b - a) * rest) for a, b in zip(_COLOURS[first], _COLOURS[first + 1], strict=True))
    return red, green, blue


def said(row: Mapping[str, Any], fields: Sequence[str]) -> str:
    """Return the varied rules of a row, in shorthand where there is one."""
    return ", ".join(words(name, row[name]) for name in fields)


def _cell(value: float | None, low: float, high: float, text: type[Text]) -> Text:
    if value is None:
        return text("-")
    red, green, blue = colour((high - value) / (high - low) if high > low else 0.5)
    return text(f"{value:.4f}", style=f"#000000 on #{red:02x}{green:02x}{blue:02x}")


def short(field: str, value: Any) -> str:
    """Return the value of a field in shorthand, else as it is written."""
    short = "" if field not in FIELDS else FIELDS[field].short(FIELDS[field].read(value))
    return short or written(value)


def heading(field: str) -> str:
    """Return a field as headings have it."""
    return field.replace("_", " ")
