"""What all reports share: how numbers and tables are written, and what stands over them."""

from __future__ import annotations

import io
import re
import sys
import textwrap
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

from odds.engine.split_classes import play_facts
from odds.engine.terms import hand_terms
from odds.numbers.decimals import fixed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment
    from rich.table import Table
    from rich.text import Text

    from odds.game.rules import Rules
    from odds.game.subject import Subject

_Item = TypeVar("_Item")
FILE_WIDTH = 80
_MIN_WIDTH = 40
_MIN_FOLDED = 12
RUN_OUT_WARNING = (
    "the shoe can run out within a round: values of splits are not exact, a dealer who cannot draw counts as "
    "bust and a player who cannot draw stands"
)
DEALER_RUN_OUT_WARNING = "the dealer's draws can use up the shoe: he then counts as bust"


def signed(value: float, digits: int) -> str:
    """Return a number with its sign and so many decimals; what rounds to zero has a plus."""
    return fixed(value, digits, sign=True)


# The unit of what two percentages differ by, as the sign of `percent`.
POINTS = " percentage points"


def percent(value: float, digits: int = 4, sign: str = "%") -> str:
    """Return a fraction of 1 as a percentage with so many decimals."""
    return f"{fixed(100 * Fraction(value), digits)}{sign}"


def fill_template(template: str, **values: Any) -> str:
    """Return a template of `templates/` filled in; texts are escaped as HTML and XML need it."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("odds.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template(template).render(**values)


class _Buffer(io.StringIO):
    """Text in memory that says which encoding it is for, so that lines are drawn with what that has."""

    encoding = "utf-8"


def render(
    parts: Iterable[RenderableType], *, for_file: bool = False, progress: Callable[[float], None] | None = None
) -> str:
    """Return parts such as tables as text, as standard output shows it or plain for a file.

    Args:
        parts: in their order.
        for_file: plain, and as wide as files are.
        progress: called with the share done of a table, from 0 to 1.
    """
    from rich.console import Console
    from rich.table import Table

    terminal = not for_file and sys.stdout is not None and sys.stdout.isatty()
    buffer = _Buffer()
    if not for_file:
        buffer.encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    width = FILE_WIDTH if for_file else text_width()
    console = Console(file=buffer, width=width, force_terminal=terminal, highlight=False, markup=False, emoji=False)
    for part in parts:
        console.width = _fit(part, console, width) if isinstance(part, Table) else width
        console.print(_Watched(part, progress) if isinstance(part, Table) and progress is not None else part)
    return "".join(line.rstrip(" ") + "\n" for line in buffer.getvalue().splitlines())


class _Watched:
    """A table that says how much of it is laid out."""

    def __init__(self, table: Table, progress: Callable[[float], None]) -> None:
        self._table, self._progress = table, progress

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        lines = 0
        for segment in console.render(self._table, options):
            if segment.text == "\n":
                lines += 1
                self._progress(min(lines / self._table.row_count, 1.0))
            yield segment


def _fit(table: Table, console: Console, width: int) -> int:
    """Give a table's columns their widths, so that no number and no word is cut, and return how wide it then is.

    The space between columns goes first, then long headings, then texts take several lines, in those columns before
    others that are said to. What is too wide even so goes on to the right.
    """
    from rich.measure import Measurement

    widths, bodies, least = [], [], []
    for column in table.columns:
        floor, texts = column.min_width or 1, [*map(str, column.cells)]
        body = max((len(line) for text in texts for line in text.split("\n")), default=0)
        heads, words = (
            max(map(len, textwrap.wrap("\n".join(part), 1, break_long_words=False)), default=0)
            for part in ([str(column.header)], texts)
        )
        least.append(max(floor, heads, min(words, _MIN_FOLDED) if column.overflow == "fold" else words))
        bodies.append(max(floor, heads, body) if column.justify == "right" else len(str(column.header)) + body)
        widths.append(max(floor, len(str(column.header)), body))
        column.width = widths[-1]

    def excess() -> int:
        return Measurement.get(console, console.options.update(max_width=10**6), table).maximum - width

    much = excess()
    if much > 0 and table.box is not None and any(table.padding):
        table.padding = (0, 1, 0, 0)
        if excess() > sum(widths) - sum(least):
            table.padding = (0, 0)
        much = excess()
    everywhere = range(len(widths))
    folded = [place for place in everywhere if not table.columns[place].no_wrap]
    for places, floors in ((everywhere, bodies), (folded, least), (everywhere, least)):
        while much > 0 and (wider := [place for place in places if widths[place] > floors[place]]):
            widths[max(wider, key=widths.__getitem__)] -= 1
            much -= 1
    for column, column.width in zip(table.columns, widths, strict=True):
        column.no_wrap = False
        if column.overflow != "fold":
            column._cells[:] = [_broken(cell, column.width) for cell in column.cells]
    return width + max(much, 0)


def _broken(cell: RenderableType, width: int) -> RenderableType:
    """Return a cell with line ends after hyphens where a word is longer than a line."""
    from rich.text import Text

    text = cell if isinstance(cell, Text) else Text(str(cell))
    ends = []
    for word in re.finditer(r"\S+", text.plain):
        at = word.start()
        for piece in textwrap.wrap(word.group(), width, break_long_words=False)[:-1]:
            at += len(piece)
            ends.append(at)
    return Text("\n").join(text.divide(ends)) if ends else cell


def text_width(*, for_file: bool = False) -> int:
    """Return how many characters a line may have."""
    from rich.console import Console

    return FILE_WIDTH if for_file else max(Console().width, _MIN_WIDTH)


def header(subject: Subject, facts: Iterable[tuple[str, str]]) -> Table:
    """Return what stands over tables: the game, its rules, what was changed, and facts such as the method."""
    from rich.text import Text

    game, rules = subject.game, subject.rules
    lines = [("Game", Text(f"{game.title} ({game.name})", style="bold")), ("Rules", Text(str(rules)))]
    if subject.changed:
        lines.append(("Set here", Text("; ".join(rules.words(name) for name in subject.changed))))
    lines.extend((label, Text(text)) for label, text in (*subject.shoe_words, *facts))
    return labelled(lines, style="dim")


def labelled(lines: Iterable[tuple[str, str | Text]], *, style: str = "", space: int = 2) -> Table:
    """Return texts with labels of a style before them, so much space between; long texts are folded."""
    from rich.table import Table

    grid = Table.grid(padding=(0, space, 0, 0))
    grid.add_column(no_wrap=True, style=style)
    grid.add_column(overflow="fold")
    for line in lines:
        grid.add_row(*line)
    return grid


def method(rules: Rules, play: str, split_class: str) -> list[tuple[str, str]]:
    """Return the facts about how hands are played."""
    facts = play_facts(play, split_class, splits=rules.max_hands > 1, looks=hand_terms(rules).looks)
    suits = [("Suits", rules.suits_words)] if rules.suits_words else []
    return [*((label, f"{name}: {words}") for label, name, words in facts), *suits]


def new_table(
    *columns: str, left: Collection[int] = (0,), wrap: Collection[int] = (), fold: Collection[int] = ()
) -> Table:
    """Return an empty table.

    Args:
        columns: headings.
        left: the columns of text; in the others are numbers, which end at the right.
        wrap: those whose texts take several lines where the table is too wide, before others do.
        fold: likewise, and their long words may be broken anywhere.
    """
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, header_style="", pad_edge=False, show_edge=False)
    for place, column in enumerate(columns):
        table.add_column(
            column,
            justify="left" if place in left else "right",
            no_wrap=place not in wrap and place not in fold,
            overflow="fold" if place in fold else "ellipsis",
        )
    return table


def slices(columns: Sequence[_Item], most: int) -> list[Sequence[_Item]]:
    """Return columns in as few blocks of at most so many, or one, as it takes, about equally long."""
    number = -(-len(columns) // max(most, 1))
    size = -(-len(columns) // number)
    return [columns[at : at + size] for at in range(0, len(columns), size)]


def listed(
    title: str,
    headings: Sequence[str],
    rows: Iterable[Sequence[RenderableType]],
    note: str = "",
    *,
    most: int | None = None,
    rest: str = "",
    **columns: Collection[int],
) -> list[RenderableType]:
    """Return rows as a table with a title and a note; of more rows than `most` it says how many more there are, `rest`.

    `columns` are as for `new_table`.
    """
    table, lines = new_table(*headings, **columns), list(rows)
    for line in lines[:most]:
        table.add_row(*line)
    if most is not None and len(lines) > most:
        note += f" {len(lines) - most} more {rest}"
    return titled(title, table, note)


def titled(title: str, body: RenderableType, note: str = "") -> list[RenderableType]:
    """Return a table with a title over it and a note under it, after an empty line."""
    from rich.text import Text

    parts: list[RenderableType] = ["", Text(title, style="bold"), body]
    return [*parts, Text(note, style="dim")] if note else parts
