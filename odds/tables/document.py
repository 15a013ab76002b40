"""Documents of tables: what they hold, and their text as Markdown and CSV."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from odds import __version__
from odds.files import markdown_row, to_csv, to_markdown
from odds.game.fields import FIELDS
from odds.game.subject import provenance

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from odds.game.rules import Rules

# What a document is made from, such as ("Rules", "8 decks; ...").
Facts: TypeAlias = "tuple[tuple[str, str], ...]"

NO_VALUE = "-"
_NOT_IN_EV = ("insurance", "insurance_pays", "even_money", "split_deal")
_NUMBER = re.compile(r"[-+]?[0-9][0-9,./:]*(?:e[+-][0-9]+|%)?(?: to [-+]?[0-9.]+%?)?")


@dataclass(frozen=True, slots=True)
class Table:
    """A table.

    Attributes:
        title: over it.
        columns: headings.
        rows: as many cells each.
        note: under it; may be empty.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Lines:
    """Sentences under a title, one to a line."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A document of tables.

    Attributes:
        title: at its top.
        facts: its head.
        parts: what follows.
    """

    title: str
    facts: Facts
    parts: tuple[Table | Lines, ...]


def rule_facts(rules: Rules) -> Facts:
    """Return the rules in words: their line, and the rest of what has an effect."""
    told = {*rules.said(), "hole_card", *_NOT_IN_EV}
    others = [
        rules.words(name)
        for name in FIELDS
        if name not in told and not rules.is_moot(name) and not rules.is_tacit(name)
    ]
    return (("Rules", str(rules)), ("Other rules", "; ".join(others)))


def made_by(rules: Rules | None, command: str) -> Facts:
    """Return the end of a head: the program and its version, the fingerprint of the rules, and the command."""
    program = f"odds {__version__}" if rules is None else provenance(rules)
    return (("Program", program), ("Command", f"`{command}`"))


def markdown(document: Document) -> str:
    """Return a document as Markdown."""
    facts = (f"- {label}: {to_markdown(text, code=True)}" for label, text in document.facts)
    lines = [f"# {to_markdown(document.title)}", "", *facts]
    for part in document.parts:
        lines += ["", f"## {to_markdown(part.title)}", ""]
        if isinstance(part, Lines):
            lines += [f"- {to_markdown(line, code=True)}" for line in part.lines]
            continue
        align = [":---" if is_text(part, place) else "---:" for place in range(len(part.columns))]
        lines += [markdown_row(part.columns), f"|{'|'.join(align)}|", *map(markdown_row, part.rows)]
        if part.note:
            lines += ["", to_markdown(part.note, code=True)]
    return "\n".join(lines) + "\n"


def is_text(table: Table, place: int) -> bool:
    """Return whether a column is read from the left: the first, and those with words in them."""
    return place == 0 or any(len(row[place]) > 2 and not _NUMBER.fullmatch(row[place]) for row in table.rows)


def csv_text(title: str, facts: Facts, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return rows as CSV under comments, which start with #, that hold the head."""
    return csv_head(title, facts) + to_csv([columns, *rows])


def csv_head(title: str, facts: Facts) -> str:
    """Return the head of a CSV file, as comments."""
    return "".join(f"# {line}\n" for line in (title, *(f"{label}: {text.strip('`')}" for label, text in facts)))
