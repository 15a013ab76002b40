"""Arguments and options that several commands share; it imports only what reads a command line."""

from pathlib import Path
from typing import Annotated

import typer

DEFAULT_WORKERS = 2
DEFAULT_SPLIT_CLASS = "cdp1"  # that of `odds.engine.split_classes`, which --help does not import

GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="A game of the catalogue (see odds games), or a .toml game file.")
]
Settings = Annotated[
    list[str] | None, typer.Option("--set", metavar="FIELD=VALUE", help="Change a rule, such as decks=6. Repeatable.")
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
Out = Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write to a file.")]
