"""What all reports share: the game they are about, how numbers are written, and how text gets out."""

from __future__ import annotations

import hashlib
import importlib
import io
import json
import os
import sys
from dataclasses import dataclass
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from odds.errors import OddsError
from odds.game.fields import FIELDS, show_value
from odds.game.shoe import Shoe

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import RenderableType
    from rich.table import Table

    from odds.game.catalog import Game
    from odds.game.rules import Rules

FILE_WIDTH = 80
_MIN_WIDTH = 40
PLAYS = {
    "composition": "the best for the exact cards of each hand",
    "total": "the best chart found that looks at totals only, also after a split",
}
RUN_OUT_WARNING = (
    "the shoe can run out within a round: values of splits are not exact, a dealer who cannot draw counts as "
    "bust and a player who cannot draw stands"
)
DEALER_RUN_OUT_WARNING = "the dealer's draws can use up the shoe: he then counts as bust"


@dataclass(frozen=True, slots=True)
class Subject:
    """What a command was asked about.

    Attributes:
        game: the game.
        rules: its rules, as the user changed them.
        removed: known cards taken out of the shoe, as text.
    """

    game: Game
    rules: Rules
    removed: str = ""

    @property
    def changed(self) -> tuple[str, ...]:
        """The fields in which the rules are not the game's own, in the usual order."""
        return tuple(name for name in FIELDS if getattr(self.rules, name) != getattr(self.game.rules, name))

    @property
    def as_published(self) -> bool:
        """Whether published figures of the game are about this: no rule changed and no card removed."""
        return not self.changed and not self.removed

    def shoe(self) -> Shoe:
        """Return the shoe before the deal, without the removed cards.

        Raises:
            ShoeError: it does not hold the cards to remove.
            HandError: they cannot be read.
        """
        return self.rules.shoe().without(self.removed)

    def head(self) -> dict[str, Any]:
        """Return what every JSON object of a game starts with."""
        from odds import __version__

        return {"game": self.game.name, "rules": self.rules.to_dict(), "version": __version__}


def rules_hash(rules: Rules) -> str:
    """Return twelve hexadecimal digits that stand for the rules.

    They are of the SHA-256 of the fields as compact sorted JSON, those left out whose default goes without saying.

    >>> from odds.game.rules import Rules
    >>> rules_hash(Rules()) == rules_hash(Rules(decks=1))
    False
    """
    fields = {name: value for name, value in rules.to_dict().items() if not rules.is_tacit(name)}
    text = json.dumps(fields, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def provenance(rules: Rules) -> str:
    """Return what made a document, and from which rules, without a date."""
    from odds import __version__

    return f"odds {__version__}, rules {rules_hash(rules)}"


def optional_module(name: str, what: str, extra: str) -> Any:
    """Return a module of a library that only an extra brings.

    Args:
        name: of the module.
        what: needs it, in the plural, such as `figures`.
        extra: brings the library.

    Raises:
        OddsError: the library is not installed.
    """
    try:
        return importlib.import_module(name)
    except ImportError:
        raise OddsError(
            f"{what} need {name.partition('.')[0]}, which is not installed; it comes with the extra: "
            f"pip install 'odds[{extra}]'"
        ) from None


def agreement(published: str, computed: float) -> str | None:
    """Return how a figure agrees with a published percentage at the digits that are printed.

    >>> agreement("99.15%", 0.99146), agreement("99.15%", 0.99159)
    ('rounded', 'truncated')

    Args:
        published: a percentage such as `99.15%`.
        computed: a fraction of 1.

    Returns:
        `rounded`, `truncated`, `both`, or None where it does not agree.
    """
    printed = Decimal(published.rstrip("%"))
    exact = Decimal(computed) * 100
    rounded = exact.quantize(printed, ROUND_HALF_UP) == printed
    truncated = exact.quantize(printed, ROUND_DOWN) == printed
    if rounded and truncated:
        return "both"
    return "rounded" if rounded else "truncated" if truncated else None


def signed(value: float, digits: int) -> str:
    """Return a number with its sign and so many decimals; what rounds to zero has a plus."""
    return f"{round(value, digits) + 0.0:+.{digits}f}"


def percent(value: float, digits: int = 4, sign: str = "%") -> str:
    """Return a fraction of 1 as a percentage with so many decimals."""
    return f"{round(100 * value, digits) + 0.0:.{digits}f}{sign}"


def to_json(data: dict[str, Any]) -> str:
    """Return an object as JSON text, ending in a line feed."""
    return json.dumps(data, indent=2, allow_nan=False) + "\n"


class _Buffer(io.StringIO):
    """Text in memory that says which encoding it is for, so that lines are drawn with what that has."""

    encoding = "utf-8"


def render(parts: Iterable[RenderableType], *, for_file: bool = False) -> str:
    """Return parts such as tables as text, as standard output shows it or plain for a file."""
    from rich.console import Console

    terminal = not for_file and sys.stdout is not None and sys.stdout.isatty()
    buffer = _Buffer()
    if not for_file:
        buffer.encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    width = FILE_WIDTH if for_file else text_width()
    console = Console(file=buffer, width=width, force_terminal=terminal, highlight=False, markup=False, emoji=False)
    for part in parts:
        console.print(part)
    return "".join(line.rstrip(" ") + "\n" for line in buffer.getvalue().splitlines())


def text_width(*, for_file: bool = False) -> int:
    """Return how many characters a line may have."""
    from rich.console import Console

    return FILE_WIDTH if for_file else max(Console().width, _MIN_WIDTH)


def header(subject: Subject, facts: Iterable[tuple[str, str]]) -> Table:
    """Return what stands over tables: the game, its rules, what was changed, and facts such as the method."""
    from rich.table import Table
    from rich.text import Text

    game, rules = subject.game, subject.rules
    lines = [("Game", Text(f"{game.title} ({game.name})", style="bold")), ("Rules", Text(str(rules)))]
    if subject.changed:
        lines.append(("Set here", Text("; ".join(rules.words(name) for name in subject.changed))))
    if subject.removed:
        lines.append(("Removed", Text(f"{subject.removed} from the shoe")))
    lines.extend((label, Text(text)) for label, text in facts)
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True, style="dim")
    grid.add_column(overflow="fold")
    for label, text in lines:
        grid.add_row(label, text)
    return grid


def method(rules: Rules, play: str, split_class: str) -> list[tuple[str, str]]:
    """Return the facts about how hands are played."""
    from odds.engine.decisions import GIVEN, SPLIT_CLASSES

    facts = [("Play", f"{play}: {PLAYS.get(play, 'as the strategy file says, also after a split')}")]
    if rules.max_hands > 1 and split_class != GIVEN:
        facts.append(("Splits", f"{split_class}: {SPLIT_CLASSES[split_class]}"))
    return facts


def new_table(*columns: str) -> Table:
    """Return an empty table whose first column is text and whose others are numbers."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, header_style="", pad_edge=False, show_edge=False)
    for place, column in enumerate(columns):
        table.add_column(column, justify="left" if place == 0 else "right", no_wrap=True)
    return table


def titled(title: str, body: RenderableType, note: str = "") -> list[RenderableType]:
    """Return a table with a title over it and a note under it, after an empty line."""
    from rich.text import Text

    parts: list[RenderableType] = ["", Text(title, style="bold"), body]
    return [*parts, Text(note, style="dim")] if note else parts


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file as a whole, text in UTF-8: what was there stays until everything is written.

    Raises:
        OddsError: its folder does not exist, or it cannot be written.
    """
    shown = show_value(str(path))
    try:
        data = content.encode() if isinstance(content, str) else content
        target = path.resolve()
        if target.is_dir():
            raise OddsError(f"cannot write {shown}: it is a folder")
        if not target.parent.is_dir():
            raise OddsError(f"cannot write {shown}: there is no folder {show_value(str(path.parent))}")
        if target.exists() and not target.is_file():
            target.write_bytes(data)  # a device or a pipe cannot be replaced
            return
        draft = target.with_name(f".{target.name[:100]}.{os.getpid()}.tmp")
        file = draft.open("xb")
        try:
            with file:
                file.write(data)
            draft.replace(target)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
    except (OSError, ValueError, RuntimeError) as error:
        # ValueError: a null character in the path; RuntimeError: links that lead in a circle.
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise OddsError(f"cannot write {shown}: {reason}") from None
