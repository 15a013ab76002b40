"""What each command may be asked: its arguments and options, in the order of its help."""

from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from odds.cli.options import (
    DEFAULT_SPLIT_CLASS,
    DEFAULT_WORKERS,
    Digits,
    Exact,
    GameName,
    Jobs,
    Json,
    Out,
    Play,
    Removed,
    Settings,
    SplitClass,
)

CHART_FORMATS = ("text", "md", "csv", "json", "html", "svg", "png", "pdf")

Only = Annotated[
    list[str] | None,
    typer.Option("--only", metavar="NAME", help="A game, rules or side-bets only; everything by default. Repeatable."),
]
Folder = Annotated[Path, typer.Option("--dir", metavar="DIR", help="Where the tables are.")]


class Games(NamedTuple):
    json: Json = False


class Show(NamedTuple):
    game: GameName
    settings: Settings = None
    close: Annotated[
        int, typer.Option("--close", metavar="N", help="List the N closest decisions too.", min=0, max=100_000)
    ] = 0
    split_class: SplitClass = DEFAULT_SPLIT_CLASS
    json: Json = False


class Rtp(NamedTuple):
    game: GameName
    settings: Settings = None
    removed: Removed = None
    play: Play = "composition"
    split_class: SplitClass = DEFAULT_SPLIT_CLASS
    exact: Exact = False
    digits: Digits = None
    json: Json = False


class Hand(NamedTuple):
    game: GameName
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="The hand, such as 8,8 or T,4,2.")]
    dealer: Annotated[
        str, typer.Argument(metavar="DEALER", help="The upcard, such as T; in exposed games both cards: T,6.")
    ]
    settings: Settings = None
    removed: Removed = None
    after_split: Annotated[
        str | None,
        typer.Option(
            "--after-split",
            metavar="CARD[:HANDS]",
            help="The hand is one of a split of this card, into so many hands (2 if left out).",
        ),
    ] = None
    split_class: SplitClass = DEFAULT_SPLIT_CLASS
    exact: Exact = False
    digits: Digits = None
    json: Json = False


class Dealer(NamedTuple):
    game: GameName
    upcard: Annotated[
        str | None,
        typer.Argument(
            metavar="[UPCARD]", help="The upcard, in exposed games both cards, such as T,6. All if left out."
        ),
    ] = None
    settings: Settings = None
    removed: Removed = None
    exact: Exact = False
    digits: Digits = None
    json: Json = False


class Chart(NamedTuple):
    game: GameName
    settings: Settings = None
    removed: Removed = None
    kind: Annotated[
        str,
        typer.Option(
            "--kind",
            metavar="KIND",
            help="total: a chart by totals; composition: two-card hands to be played otherwise than it says.",
        ),
    ] = "total"
    form: Annotated[
        str | None,
        typer.Option(
            "--format", metavar="FORMAT", help=f"{', '.join(CHART_FORMATS)}; by default as --out ends, or text."
        ),
    ] = None
    out: Out = None
    evs: Annotated[bool, typer.Option("--evs", help="Show the value of each cell too.")] = False
    split_class: SplitClass = DEFAULT_SPLIT_CLASS
    json: Json = False


class Deviations(NamedTuple):
    game: GameName
    settings: Settings = None
    removed: Removed = None
    cells: Annotated[
        int, typer.Option("--cells", metavar="N", help="Show the N closest cells; --json has all.", min=0, max=100_000)
    ] = 20
    json: Json = False


class Outcomes(NamedTuple):
    game: GameName
    settings: Settings = None
    removed: Removed = None
    play: Play = "composition"
    split_class: SplitClass = DEFAULT_SPLIT_CLASS
    boxes: Annotated[
        bool, typer.Option("--boxes", help="Say too how several boxes against one dealer move together.")
    ] = False
    exact: Exact = False
    digits: Digits = None
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Draw a histogram: .png, .svg or .pdf; needs matplotlib."),
    ] = None
    json: Json = False


class Confidence(NamedTuple):
    game: GameName
    rounds: Annotated[
        int | None, typer.Option("--rounds", metavar="N", help="Of how many rounds the RTP is observed.")
    ] = None
    precision: Annotated[
        float | None,
        typer.Option(
            "--precision", metavar="X", help="Say how many rounds it takes to come this close, such as 0.001."
        ),
    ] = None
    settings: Settings = None
    removed: Removed = None
    play: Play = "composition"
    split_class: SplitClass = DEFAULT_SPLIT_CLASS
    json: Json = False


class Sidebet(NamedTuple):
    bet: Annotated[
        str | None,
        typer.Argument(metavar="[BET]", help="A side bet of the catalogue, or a .toml file. Lists all if left out."),
    ] = None
    decks: Annotated[list[str] | None, typer.Option("--decks", metavar="N", help="How many decks. Repeatable.")] = None
    paytables: Annotated[
        list[str] | None,
        typer.Option("--paytable", metavar="NAME", help="Which of the bet's paytables, or all. Repeatable."),
    ] = None
    game: Annotated[
        str | None, typer.Option("--game", metavar="GAME", help="Take decks and the dealer's rule from a game.")
    ] = None
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="FIELD=VALUE", help="Change a rule, such as dealer_hits_soft_17=true."),
    ] = None
    removed: Annotated[
        list[str] | None,
        typer.Option("--remove", metavar="CARDS", help="Take known cards, such as Qh,5d, out of the shoe."),
    ] = None
    exact: Annotated[bool, typer.Option("--exact", help="Show fractions too.")] = False
    symbolic: Annotated[bool, typer.Option("--symbolic", help="Show formulas in the number of decks; needs sympy.")] = (
        False
    )
    target_rtp: Annotated[
        str | None,
        typer.Option("--target-rtp", metavar="X", help="The RTP, such as 0.965, that the line of --solve is to give."),
    ] = None
    solve: Annotated[str | None, typer.Option("--solve", metavar="LINE", help="The line whose pay is to be found.")] = (
        None
    )
    json: Json = False


class Simulate(NamedTuple):
    game: GameName
    settings: Settings = None
    removed: Removed = None
    rounds: Annotated[int, typer.Option("--rounds", metavar="N", help="How many rounds to play.")] = 10_000_000
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="S", help="Of the random numbers; a new one if left out.")
    ] = None
    play: Play = "composition"
    split_class: SplitClass = DEFAULT_SPLIT_CLASS
    side_bets: Annotated[
        list[str] | None,
        typer.Option(
            "--side-bet",
            metavar="BET[:PAYTABLE]",
            help="Play this side bet instead of those of the game; none for none at all. Repeatable.",
        ),
    ] = None
    threads: Annotated[
        int | None, typer.Option("--threads", metavar="N", help="Play in N threads; as many as there are if left out.")
    ] = None
    json: Json = False


class Reconcile(NamedTuple):
    game: GameName
    published: Annotated[
        str | None,
        typer.Option(
            "--published", metavar="X", help="The RTP to explain, such as 99.15%; by default the one of the game."
        ),
    ] = None
    wide: Annotated[bool, typer.Option("--wide", help="Look at every reading with one rule more changed, too.")] = False
    settings: Settings = None
    jobs: Jobs = DEFAULT_WORKERS
    json: Json = False


class Verify(NamedTuple):
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A CSV of games, overrides and published figures.")]
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write the verdicts as CSV.")] = None
    jobs: Jobs = DEFAULT_WORKERS
    json: Json = False


class Fill(NamedTuple):
    template: Annotated[Path, typer.Argument(metavar="TEMPLATE", help="A text with placeholders, in UTF-8.")]
    game: GameName
    out: Out = None
    play: Annotated[
        str, typer.Option("--play", metavar="PLAY", help="Of the main game: composition, total, or a strategy file.")
    ] = "composition"
    settings: Settings = None
    json: Json = False


class Build(NamedTuple):
    only: Only = None
    folder: Folder = Path("tables")
    par: Annotated[
        str | None, typer.Option("--par", metavar="GAME", help="Make the PAR sheet of a game instead; needs --out.")
    ] = None
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Where the PAR sheet goes.")] = None
    jobs: Jobs = DEFAULT_WORKERS
    json: Json = False


class Check(NamedTuple):
    only: Only = None
    folder: Folder = Path("tables")
    jobs: Jobs = DEFAULT_WORKERS
    json: Json = False
