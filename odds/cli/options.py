"""What the commands share: their common arguments and options, and what the program gives them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import RenderableType

    from odds.report.common import Subject
    from odds.results.round import RoundResult

CHECK_FAILED = 1  # the exit code of a check that fails

DEFAULT_WORKERS = 2
DEFAULT_SPLIT_CLASS = "cdp1"  # that of `odds.engine.decisions`, which --help does not import

GameName = Annotated[
    str,
    typer.Argument(metavar="GAME", help="A game of the catalogue (see odds games), or a .toml game file."),
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="FIELD=VALUE", help="Change a rule, such as decks=6. Repeatable."),
]
Removed = Annotated[
    list[str] | None,
    typer.Option("--remove", metavar="CARDS", help="Take known cards, such as T,4, out of the shoe. Repeatable."),
]
SplitClass = Annotated[
    str, typer.Option("--split-class", metavar="CLASS", help="How hands of a split are played: cdz, cdp1 or full.")
]
Play = Annotated[
    str,
    typer.Option(
        "--play",
        metavar="PLAY",
        help="How hands are played: composition, the best for their cards; total, the best chart that sees totals "
        "only; or a strategy file (.csv or .json).",
    ),
]
Exact = Annotated[bool, typer.Option("--exact", help="Give fractions too, certified.")]
Digits = Annotated[
    int | None, typer.Option("--digits", metavar="N", help="With --exact: so many digits of the decimals.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")]
Jobs = Annotated[int, typer.Option("--jobs", metavar="N", help="Compute in N processes.", min=1, max=256)]


@dataclass(frozen=True, slots=True)
class Shared:
    """What commands need of the program.

    Attributes:
        report: prints one JSON object if asked to, else tables.
        subject: returns a game under the rules that are set, with cards removed.
        play_round: returns a round of a game, with settings, cards removed, a split class and a play.
        warn: says on standard error that the shoe can run out, if so; returns what was said.
        say: writes a line to standard error.
        emit: writes text or bytes to standard output.
        progress: shows a progress bar where one can be seen.
    """

    report: Callable[[bool, Callable[[], dict[str, Any]], Callable[[], list[RenderableType]]], None]
    subject: Callable[[str, list[str] | None], Subject]
    play_round: Callable[[str, list[str] | None, list[str] | None, str, str], tuple[Subject, RoundResult, object]]
    warn: Callable[[bool], list[str]]
    say: Callable[[str, str], None]
    emit: Callable[[str | bytes], None]
    progress: Callable[[str], AbstractContextManager[Callable[[float], None] | None]]
