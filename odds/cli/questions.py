"""What each command may be asked: its arguments and options, in the order of its help.

It imports only what reads a command line.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, NamedTuple

from typer import Argument, Option

from odds.cli import completion

DEFAULT_WORKERS = 2
DEFAULT_SPLIT_CLASS = "cdp1"  # that of `odds.engine.split_classes`, which --help does not import
CHART_FORMATS = ("text", "md", "csv", "json", "html", "svg", "png", "pdf")


def _number(name: str, low: int | None = None, high: int | None = None) -> Callable[[object], int]:
    """Return a reader of an option that is a whole number, and in range if the library does not check that."""

    def read(value: object) -> int:
        from odds.cli.numbers import whole

        return whole(name, value, low, high)

    return read


def _share(value: object) -> float:
    """Return a precision as a fraction of 1."""
    from odds.cli.numbers import share

    return share("--precision", value)


# What several commands are asked.
GameName = Annotated[
    str,
    Argument(
        metavar="GAME",
        help="A game of the catalogue (see odds games), a .toml game file, or - (standard input).",
        autocompletion=completion.games,
    ),
]
Settings = Annotated[
    list[str] | None,
    Option(
        "--set",
        metavar="FIELD=VALUE",
        help="Change a rule (see odds rules), such as decks=6. Repeatable.",
        autocompletion=completion.settings,
    ),
]
Removed = Annotated[
    list[str] | None,
    Option("--remove", metavar="CARDS", help="Take known cards, such as T,4 or 4x4,5, out of the shoe. Repeatable."),
]
Left = Annotated[
    list[str] | None,
    Option("--left", metavar="CARDS", help="The cards left in the shoe, such as 4xA,3x2,...,16xT. Repeatable."),
]
SplitClass = Annotated[
    str, Option("--split-class", metavar="CLASS", help="How hands of a split are played: cdz, cdp1 or full.")
]
Play = Annotated[
    str,
    Option(
        "--play",
        metavar="PLAY",
        help="How hands are played: composition, the best for their cards; total, the best chart that sees totals "
        "only; or a strategy file (.csv, .json or -).",
    ),
]
Exact = Annotated[bool, Option("--exact", help="Give fractions too, certified.")]
Digits = Annotated[
    int | None,
    Option("--digits", metavar="N", help="With --exact: so many digits of the decimals.", parser=_number("--digits")),
]
Json = Annotated[bool, Option("--json", help="Print one JSON object instead of tables.")]
Jobs = Annotated[int, Option("--jobs", metavar="N", help="Compute in N processes.", parser=_number("--jobs", 1, 256))]
NewFile = Annotated[Path, Argument(metavar="FILE", help="The file to write, which must not be there yet; - prints it.")]
Out = Annotated[Path | None, Option("--out", metavar="FILE", help="Write to a file, or to - (standard output).")]
Only = Annotated[
    list[str] | None,
    Option(
        "--only",
        metavar="NAME",
        help="A game, rules or side-bets only; everything by default. Repeatable.",
        autocompletion=completion.games,
    ),
]
Folder = Annotated[Path, Option("--dir", metavar="DIR", help="Where the tables are.")]


class Games(NamedTuple):
    json: Json = False


class Show(NamedTuple):
    game: GameName
    settings: Settings = None
    close: Annotated[
        int,
        Option("--close", metavar="N", help="List the N closest decisions too.", parser=_number("--close", 0, 100_000)),
    ] = 0
    split_class: SplitClass = DEFAULT_SPLIT_CLASS
    json: Json = False


class Rtp(NamedTuple):
    game: GameName
    settings: Settings = None
    removed: Removed = None
    left: Left = None
    play: Play = "composition"
    split_class: SplitClass = DEFAULT_SPLIT_CLASS
    by: Annotated[
        str | None, Option("--by", metavar="WHAT", help="Give the EV by the player's first card too: first-card.")
    ] = None
    exact: Exact = False
    digits: Digits = None
    json: Json = False


class Hand(NamedTuple):
    game: GameName
    player: Annotated[str, Argument(metavar="PLAYER", help="The hand, such as 8,8 or T,4,2.")]
    dealer: Annotated[str, Argument(metavar="DEALER", help="The upcard, such as T; in exposed games both cards: T,6.")]
    settings: Settings = None
    removed: Removed = None
    left: Left = None
    after_split: Annotated[
        str | None,
        Option(
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
        Argument(
            metavar="[UPCARD]",
            help="The upcard, or more cards of his, such as 9,4,3, or a total, such as 16 or soft 17. "
            "All upcards if left out.",
        ),
    ] = None
    settings: Settings = None
    removed: Removed = None
    left: Left = None
    exact: Exact = False
    digits: Digits = None
    json: Json = False


class Chart(NamedTuple):
    game: GameName
    settings: Settings = None
    removed: Removed = None
    left: Left = None
    kind: Annotated[
        str,
        Option(
            "--kind",
            metavar="KIND",
            help="total: a chart by totals; composition: two-card hands to be played otherwise than it says.",
        ),
    ] = "total"
    play: Annotated[
        str,
        Option(
            "--play",
            metavar="PLAY",
            help="total, the best chart; or a strategy file (.csv or .json): its chart, with the cells marked that are "
            "wrong, and what each costs.",
        ),
    ] = "total"
    against: Annotated[
        str | None,
        Option(
            "--against",
            metavar="OTHER",
            help="Mark and list the cells that are not as in another chart: a strategy file, total (the best chart), "
            "FIELD=VALUE[,FIELD=VALUE] (the best with other rules), or another game.",
        ),
    ] = None
    form: Annotated[
        str | None,
        Option("--format", metavar="FORMAT", help=f"{', '.join(CHART_FORMATS)}; by default as --out ends, or text."),
    ] = None
    out: Out = None
    evs: Annotated[bool, Option("--evs", help="Show the value of each cell too.")] = False
    compact: Annotated[
        bool, Option("--compact", help="Fold neighbouring rows that say the same, such as hard 4 to 8.")
    ] = False
    title: Annotated[
        str | None, Option("--title", metavar="TEXT", help="What stands over it instead of the game's title.")
    ] = None
    width: Annotated[
        str | None,
        Option("--width", metavar="WIDTH", help="Of a picture: points, or with a unit: 180mm, 18cm, 7in, 1200px."),
    ] = None
    dpi: Annotated[
        int | None,
        Option("--dpi", metavar="N", help="Of a png: dots per inch, 144 by default.", parser=_number("--dpi")),
    ] = None
    paper: Annotated[
        str | None,
        Option("--paper", metavar="PAPER", help="Of a pdf: A3, A4, A5, letter or legal, which the chart fills."),
    ] = None
    split_class: SplitClass = DEFAULT_SPLIT_CLASS
    json: Json = False


class Deviations(NamedTuple):
    game: GameName
    settings: Settings = None
    removed: Removed = None
    left: Left = None
    cells: Annotated[
        int,
        Option(
            "--cells",
            metavar="N",
            help="Show the N closest cells; --json has all.",
            parser=_number("--cells", 0, 100_000),
        ),
    ] = 20
    json: Json = False


class Outcomes(NamedTuple):
    game: GameName
    settings: Settings = None
    removed: Removed = None
    left: Left = None
    play: Play = "composition"
    split_class: SplitClass = DEFAULT_SPLIT_CLASS
    boxes: Annotated[bool, Option("--boxes", help="Say too how several boxes against one dealer move together.")] = (
        False
    )
    exact: Exact = False
    digits: Digits = None
    out: Annotated[
        Path | None, Option("--out", metavar="FILE", help="Draw a histogram: .png, .svg or .pdf; needs matplotlib.")
    ] = None
    json: Json = False


class Confidence(NamedTuple):
    game: GameName
    rounds: Annotated[
        int | None,
        Option(
            "--rounds",
            metavar="N",
            help="Of how many rounds, such as 1e6, the RTP is observed.",
            parser=_number("--rounds"),
        ),
    ] = None
    precision: Annotated[
        float | None,
        Option(
            "--precision",
            metavar="X",
            help="Say how many rounds it takes to come this close, such as 0.1%.",
            parser=_share,
        ),
    ] = None
    settings: Settings = None
    removed: Removed = None
    left: Left = None
    play: Play = "composition"
    split_class: SplitClass = DEFAULT_SPLIT_CLASS
    json: Json = False


class Sidebet(NamedTuple):
    bet: Annotated[
        str | None,
        Argument(
            metavar="[BET]",
            help="A side bet of the catalogue, a .toml file, or -. Lists all if left out.",
            autocompletion=completion.bets,
        ),
    ] = None
    decks: Annotated[list[str] | None, Option("--decks", metavar="N", help="How many decks. Repeatable.")] = None
    paytables: Annotated[
        list[str] | None, Option("--paytable", metavar="NAME", help="Which of the bet's paytables, or all. Repeatable.")
    ] = None
    game: Annotated[
        str | None,
        Option(
            "--game",
            metavar="GAME",
            help="Take decks and the dealer's rule from a game.",
            autocompletion=completion.games,
        ),
    ] = None
    settings: Annotated[
        list[str] | None,
        Option(
            "--set",
            metavar="FIELD=VALUE",
            help="Change a rule, such as dealer_hits_soft_17=true.",
            autocompletion=completion.settings,
        ),
    ] = None
    removed: Removed = None
    left: Left = None
    exact: Annotated[bool, Option("--exact", help="Show fractions too.")] = False
    symbolic: Annotated[bool, Option("--symbolic", help="Show formulas in the number of decks; needs sympy.")] = False
    latex: Annotated[bool, Option("--latex", help="Show the formulas of --symbolic in LaTeX.")] = False
    target_rtp: Annotated[
        str | None,
        Option("--target-rtp", metavar="X", help="The RTP, such as 96.5%, that the line of --solve is to give."),
    ] = None
    solve: Annotated[str | None, Option("--solve", metavar="LINE", help="The line whose pay is to be found.")] = None
    json: Json = False


class Simulate(NamedTuple):
    game: GameName
    settings: Settings = None
    removed: Removed = None
    left: Left = None
    rounds: Annotated[
        int, Option("--rounds", metavar="N", help="How many rounds to play, such as 1e6.", parser=_number("--rounds"))
    ] = 10_000_000
    seed: Annotated[
        int | None,
        Option("--seed", metavar="S", help="Of the random numbers; a new one if left out.", parser=_number("--seed")),
    ] = None
    play: Play = "composition"
    split_class: SplitClass = DEFAULT_SPLIT_CLASS
    side_bets: Annotated[
        list[str] | None,
        Option(
            "--side-bet",
            metavar="BET[:PAYTABLE]",
            help="Play this side bet instead of those of the game; none for none at all. Repeatable.",
            autocompletion=completion.bets,
        ),
    ] = None
    threads: Annotated[
        int | None,
        Option(
            "--threads",
            metavar="N",
            help="Play in N threads; as many as there are if left out.",
            parser=_number("--threads"),
        ),
    ] = None
    json: Json = False


class Reconcile(NamedTuple):
    game: GameName
    published: Annotated[
        str | None,
        Option("--published", metavar="X", help="The RTP to explain, such as 99.15%; by default the one of the game."),
    ] = None
    published_edge: Annotated[
        str | None, Option("--published-edge", metavar="X", help="The same as a house edge, such as 0.85%.")
    ] = None
    wide: Annotated[bool, Option("--wide", help="Look at every reading with one rule more changed, too.")] = False
    settings: Settings = None
    removed: Removed = None
    left: Left = None
    jobs: Jobs = DEFAULT_WORKERS
    json: Json = False


class Verify(NamedTuple):
    file: Annotated[
        Path, Argument(metavar="FILE", help="A CSV of games, overrides and published figures, or - (standard input).")
    ]
    out: Annotated[
        Path | None, Option("--out", metavar="FILE", help="Write the verdicts as CSV, to - (standard output) too.")
    ] = None
    jobs: Jobs = DEFAULT_WORKERS
    json: Json = False


class Fill(NamedTuple):
    template: Annotated[
        Path, Argument(metavar="TEMPLATE", help="A text with placeholders, in UTF-8, or - (standard input).")
    ]
    game: GameName
    out: Out = None
    play: Annotated[
        str, Option("--play", metavar="PLAY", help="Of the main game: composition, total, or a strategy file.")
    ] = "composition"
    settings: Settings = None
    json: Json = False


class Rules(NamedTuple):
    field: Annotated[
        str | None,
        Argument(
            metavar="[FIELD]",
            help="A field, or the shorthand of a value such as H17; lists all if left out.",
            autocompletion=completion.fields,
        ),
    ] = None
    json: Json = False


class Game(NamedTuple):
    file: NewFile
    json: Json = False


class Bet(NamedTuple):
    file: NewFile
    json: Json = False


class Strategy(NamedTuple):
    file: NewFile
    game: Annotated[
        str, Option("--game", metavar="GAME", help="Whose best chart it is.", autocompletion=completion.games)
    ] = "classic-blackjack"
    settings: Settings = None
    json: Json = False


class Build(NamedTuple):
    only: Only = None
    folder: Folder = Path("tables")
    par: Annotated[
        str | None,
        Option(
            "--par",
            metavar="GAME",
            help="Make the PAR sheet of a game instead; needs --out.",
            autocompletion=completion.games,
        ),
    ] = None
    out: Annotated[Path | None, Option("--out", metavar="DIR", help="Where the PAR sheet goes.")] = None
    jobs: Jobs = DEFAULT_WORKERS
    json: Json = False


class Check(NamedTuple):
    only: Only = None
    folder: Folder = Path("tables")
    jobs: Jobs = DEFAULT_WORKERS
    json: Json = False
