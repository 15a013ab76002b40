"""What each command may be asked: its arguments and options, in the order of its help.

It imports only what reads a command line.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from typer import Argument, Option

from odds.cli import completion

DEFAULT_WORKERS = 2
DEFAULT_SPLIT_CLASS = "cdp1"  # that of `odds.engine.split_classes`, which --help does not import
CHART_FORMATS = ("text", "md", "csv", "json", "html", "svg", "png", "pdf")


def _option(
    names: str,
    words: str,
    complete: Callable[[str], list[str]] | None = None,
    read: Callable[[str, object], Any] | None = None,
) -> Any:
    """Return an option of a name and what its value is called; `read` is told the name too."""
    name, _, value = names.partition(" ")
    parser = None if read is None else lambda text: read(name, text)
    return Option(name, metavar=value or None, help=words, parser=parser, autocompletion=complete)


def _argument(value: str, words: str, complete: Callable[[str], list[str]] | None = None) -> Any:
    return Argument(metavar=value, help=words, autocompletion=complete)


def _whole(low: int | None = None, high: int | None = None) -> Callable[[str, object], int]:
    """Return a reader of an option that is a whole number, and in range if the library does not check that."""

    def read(name: str, value: object) -> int:
        from odds.game.fields import whole_between

        return whole_between(name, value, low, high)

    return read


def _share(name: str, value: object) -> float:
    from odds.cli.numbers import share

    return share(name, value)


# What several commands are asked.
Scheduler = Annotated[
    str | None,
    _option("--scheduler ADDRESS", "Let a dask cluster compute, such as tcp://host:8786; needs dask[distributed]."),
]
GameName = Annotated[
    str,
    _argument(
        "GAME", "A game of the catalogue (see odds games), a .toml game file, or - (standard input).", completion.games
    ),
]
Settings = Annotated[
    list[str] | None,
    _option("--set FIELD=VALUE", "Change a rule (see odds rules), such as decks=6. Repeatable.", completion.settings),
]
Removed = Annotated[
    list[str] | None, _option("--remove CARDS", "Take known cards, such as T,4 or 4x4,5, out of the shoe. Repeatable.")
]
Left = Annotated[
    list[str] | None, _option("--left CARDS", "The cards left in the shoe, such as 4xA,3x2,...,16xT. Repeatable.")
]
SplitClass = Annotated[str, _option("--split-class CLASS", "How hands of a split are played: cdz, cdp1 or full.")]
Play = Annotated[
    str,
    _option(
        "--play PLAY",
        "How hands are played: composition, the best for their cards; total, the best chart that sees totals "
        "only; or a strategy file (.csv, .json or -).",
    ),
]
Exact = Annotated[bool, _option("--exact", "Give fractions too, certified.")]
Digits = Annotated[int | None, _option("--digits N", "With --exact: so many digits of the decimals.", read=_whole())]
Json = Annotated[bool, _option("--json", "Print one JSON object instead of tables.")]
Jobs = Annotated[int, _option("--jobs N", "Compute in N processes.", read=_whole(1, 256))]
NewFile = Annotated[Path, _argument("FILE", "The file to write, which must not be there yet; - prints it.")]
Out = Annotated[Path | None, _option("--out FILE", "Write to a file, or to - (standard output).")]
Only = Annotated[
    list[str] | None,
    _option("--only NAME", "A game, rules or side-bets only; everything by default. Repeatable.", completion.games),
]
Folder = Annotated[Path, _option("--dir DIR", "Where the tables are.")]


class Games(NamedTuple):
    json: Json = False


class Show(NamedTuple):
    game: GameName
    settings: Settings = None
    close: Annotated[int, _option("--close N", "List the N closest decisions too.", read=_whole(0, 100_000))] = 0
    split_class: SplitClass = DEFAULT_SPLIT_CLASS
    json: Json = False


class Rtp(NamedTuple):
    game: GameName
    settings: Settings = None
    removed: Removed = None
    left: Left = None
    play: Play = "composition"
    split_class: SplitClass = DEFAULT_SPLIT_CLASS
    by: Annotated[str | None, _option("--by WHAT", "Give the EV by the player's first card too: first-card.")] = None
    boxes: Annotated[int | None, _option("--boxes N", "How many boxes are played, up to 4.", read=_whole())] = None
    sees_others: Annotated[
        bool,
        _option(
            "--sees-others",
            "With --boxes N: the EV of the last of them, which has seen the first two cards of all others.",
        ),
    ] = False
    exact: Exact = False
    digits: Digits = None
    json: Json = False


class Hand(NamedTuple):
    game: GameName
    player: Annotated[
        str, _argument("PLAYER", "The hand, such as 8,8 or T,4,2; of two that may be switched both: 9,T/6,A.")
    ]
    dealer: Annotated[str, _argument("DEALER", "The upcard, such as T; in exposed games both cards: T,6.")]
    settings: Settings = None
    removed: Removed = None
    left: Left = None
    after_split: Annotated[
        str | None,
        _option(
            "--after-split CARD[:HANDS]", "The hand is one of a split of this card, into so many hands (2 if left out)."
        ),
    ] = None
    doubled: Annotated[
        int, _option("--doubled N", "The hand was doubled N times, its last N cards came with it.", read=_whole(0, 9))
    ] = 0
    free: Annotated[
        bool, _option("--free", "The hand is one of a free split that carries free money: any but the first.")
    ] = False
    split_class: SplitClass = DEFAULT_SPLIT_CLASS
    exact: Exact = False
    digits: Digits = None
    json: Json = False


class Dealer(NamedTuple):
    game: GameName
    upcard: Annotated[
        str | None,
        _argument(
            "[UPCARD]",
            "The upcard, or more cards of his, such as 9,4,3, or a total, such as 16 or soft 17. "
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
        _option(
            "--kind KIND", "total: a chart by totals; composition: two-card hands to be played otherwise than it says."
        ),
    ] = "total"
    play: Annotated[
        str,
        _option(
            "--play PLAY",
            "total, the best chart; or a strategy file (.csv or .json): its chart, with the cells marked that are "
            "wrong, and what each costs.",
        ),
    ] = "total"
    against: Annotated[
        str | None,
        _option(
            "--against OTHER",
            "Mark and list the cells that are not as in another chart: a strategy file, total (the best chart), "
            "FIELD=VALUE[,FIELD=VALUE] (the best with other rules), or another game.",
        ),
    ] = None
    form: Annotated[
        str | None, _option("--format FORMAT", f"{', '.join(CHART_FORMATS)}; by default as --out ends, or text.")
    ] = None
    out: Out = None
    evs: Annotated[bool, _option("--evs", "Show the value of each cell too.")] = False
    compact: Annotated[bool, _option("--compact", "Fold neighbouring rows that say the same, such as hard 4 to 8.")] = (
        False
    )
    title: Annotated[str | None, _option("--title TEXT", "What stands over it instead of the game's title.")] = None
    width: Annotated[
        str | None, _option("--width WIDTH", "Of a picture: points, or with a unit: 180mm, 18cm, 7in, 1200px.")
    ] = None
    dpi: Annotated[int | None, _option("--dpi N", "Of a png: dots per inch, 144 by default.", read=_whole())] = None
    paper: Annotated[
        str | None, _option("--paper PAPER", "Of a pdf: A3, A4, A5, letter or legal, which the chart fills.")
    ] = None
    split_class: SplitClass = DEFAULT_SPLIT_CLASS
    json: Json = False


class Exchanges(NamedTuple):
    game: GameName
    settings: Settings = None
    removed: Removed = None
    left: Left = None
    columns: Annotated[
        int, _option("--columns N", "Of the points: neighbouring upcards that cost least so are one.", read=_whole())
    ] = 5
    points: Annotated[int, _option("--points N", "So many points are worth about one wager.", read=_whole())] = 20
    rows: Annotated[
        int, _option("--rows N", "Show the N exchanges that gain most; --json has all.", read=_whole(0, 100_000))
    ] = 20
    split_class: SplitClass = DEFAULT_SPLIT_CLASS
    json: Json = False


class Deviations(NamedTuple):
    game: GameName
    settings: Settings = None
    removed: Removed = None
    left: Left = None
    cells: Annotated[
        int, _option("--cells N", "Show the N closest cells; --json has all.", read=_whole(0, 100_000))
    ] = 20
    json: Json = False


class Outcomes(NamedTuple):
    game: GameName
    settings: Settings = None
    removed: Removed = None
    left: Left = None
    play: Play = "composition"
    split_class: SplitClass = DEFAULT_SPLIT_CLASS
    boxes: Annotated[bool, _option("--boxes", "Say too how several boxes against one dealer move together.")] = False
    exact: Exact = False
    digits: Digits = None
    out: Annotated[Path | None, _option("--out FILE", "Draw a histogram: .png, .svg or .pdf; needs matplotlib.")] = None
    json: Json = False


class Confidence(NamedTuple):
    game: GameName
    rounds: Annotated[
        int | None, _option("--rounds N", "Of how many rounds, such as 1e6, the RTP is observed.", read=_whole())
    ] = None
    precision: Annotated[
        float | None,
        _option("--precision X", "Say how many rounds it takes to come this close, such as 0.1%.", read=_share),
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
        _argument("[BET]", "A side bet of the catalogue, a .toml file, or -. Lists all if left out.", completion.bets),
    ] = None
    decks: Annotated[list[str] | None, _option("--decks N", "How many decks. Repeatable.")] = None
    paytables: Annotated[
        list[str] | None, _option("--paytable NAME", "Which of the bet's paytables, or all. Repeatable.")
    ] = None
    game: Annotated[
        str | None, _option("--game GAME", "Take decks and the dealer's rule from a game.", completion.games)
    ] = None
    settings: Annotated[
        list[str] | None,
        _option("--set FIELD=VALUE", "Change a rule, such as dealer_hits_soft_17=true.", completion.settings),
    ] = None
    removed: Removed = None
    left: Left = None
    play: Play = "composition"
    exact: Annotated[bool, _option("--exact", "Show fractions too.")] = False
    symbolic: Annotated[bool, _option("--symbolic", "Show formulas in the number of decks; needs sympy.")] = False
    latex: Annotated[bool, _option("--latex", "Show the formulas of --symbolic in LaTeX.")] = False
    target_rtp: Annotated[
        str | None,
        _option("--target-rtp X", "The RTP, such as 96.5%, that the line of --solve, or the meter, is to give."),
    ] = None
    solve: Annotated[
        list[str] | None,
        _option(
            "--solve LINE[:WEIGHT]", "The line whose pay is to be found. Repeatable: several in the ratio they pay."
        ),
    ] = None
    meters: Annotated[
        list[str] | None, _option("--meter X", "Units of the bet on the meter of a progressive bet. Repeatable.")
    ] = None
    json: Json = False


class Simulate(NamedTuple):
    game: GameName
    settings: Settings = None
    removed: Removed = None
    left: Left = None
    rounds: Annotated[int, _option("--rounds N", "How many rounds to play, such as 1e6.", read=_whole())] = 10_000_000
    seed: Annotated[int | None, _option("--seed S", "Of the random numbers; a new one if left out.", read=_whole())] = (
        None
    )
    play: Play = "composition"
    split_class: SplitClass = DEFAULT_SPLIT_CLASS
    side_bets: Annotated[
        list[str] | None,
        _option(
            "--side-bet BET[:PAYTABLE]",
            "Play this side bet instead of those of the game; none for none at all. Repeatable.",
            completion.bets,
        ),
    ] = None
    threads: Annotated[
        int | None, _option("--threads N", "Play in N threads; as many as there are if left out.", read=_whole())
    ] = None
    scheduler: Scheduler = None
    json: Json = False


class Reconcile(NamedTuple):
    game: GameName
    published: Annotated[
        str | None, _option("--published X", "The RTP to explain, such as 99.15%; by default the one of the game.")
    ] = None
    published_edge: Annotated[str | None, _option("--published-edge X", "The same as a house edge, such as 0.85%.")] = (
        None
    )
    wide: Annotated[bool, _option("--wide", "Look at every reading with one rule more changed, too.")] = False
    settings: Settings = None
    removed: Removed = None
    left: Left = None
    jobs: Jobs = DEFAULT_WORKERS
    json: Json = False


class Verify(NamedTuple):
    file: Annotated[Path, _argument("FILE", "A CSV of games, overrides and published figures, or - (standard input).")]
    out: Annotated[Path | None, _option("--out FILE", "Write the verdicts as CSV, to - (standard output) too.")] = None
    jobs: Jobs = DEFAULT_WORKERS
    json: Json = False


class Fill(NamedTuple):
    template: Annotated[Path, _argument("TEMPLATE", "A text with placeholders, in UTF-8, or - (standard input).")]
    game: GameName
    out: Out = None
    play: Annotated[str, _option("--play PLAY", "Of the main game: composition, total, or a strategy file.")] = (
        "composition"
    )
    settings: Settings = None
    json: Json = False


class Rules(NamedTuple):
    field: Annotated[
        str | None,
        _argument(
            "[FIELD]", "A field, or the shorthand of a value such as H17; lists all if left out.", completion.fields
        ),
    ] = None
    json: Json = False


class Game(NamedTuple):
    file: NewFile
    json: Json = False


class Bet(NamedTuple):
    file: NewFile
    json: Json = False


class Grid(NamedTuple):
    file: NewFile
    json: Json = False


class Strategy(NamedTuple):
    file: NewFile
    game: Annotated[str, _option("--game GAME", "Whose best chart it is.", completion.games)] = "classic-blackjack"
    settings: Settings = None
    json: Json = False


class Sweep(NamedTuple):
    game: Annotated[
        str,
        _argument(
            "GAME",
            "A game (see odds games, or a .toml file), a grid (.toml, see odds new grid), or a finished grid "
            "(.jsonl, .csv or .parquet), of which reports are made.",
            completion.games,
        ),
    ]
    vary: Annotated[
        list[str] | None,
        _option(
            "--vary FIELD=VALUES",
            "Values of a rule, such as decks=1,2,4..8,infinite, or shoe=FILE with a line NAME: CARDS for each shoe. "
            "Repeatable; the last varies fastest.",
            completion.settings,
        ),
    ] = None
    where: Annotated[
        list[str] | None,
        _option(
            "--where CONDITION",
            'Only combinations of which this is true, such as "not resplit_aces or max_hands > 2". Repeatable.',
        ),
    ] = None
    settings: Settings = None
    play: Play = "composition"
    split_class: SplitClass = DEFAULT_SPLIT_CLASS
    side_bets: Annotated[bool, _option("--sidebets", "Give the RTP of the game's side bets in each row too.")] = False
    columns: Annotated[
        list[str] | None,
        _option("--columns NAMES", "Further columns, such as standard_deviation,hit_frequency. Repeatable."),
    ] = None
    charts: Annotated[
        Path | None,
        _option(
            "--charts FILE",
            "Make the best charts too, and write them as a second table: chart_id, row, upcard, code, runner-up and "
            "margin. With a finished grid: its charts.",
        ),
    ] = None
    out: Annotated[
        Path | None,
        _option("--out FILE", "Write the rows to a .jsonl, .csv or .parquet file (needs pyarrow), or to - as CSV."),
    ] = None
    resume: Annotated[bool, _option("--resume", "Go on with what an interrupted sweep kept in FILE.part.")] = False
    audit: Annotated[
        float | None,
        _option(
            "--audit SHARE",
            "Compute a share of the sets, such as 1%, as fractions too; exit code 1 if one differs.",
            read=_share,
        ),
    ] = None
    workers: Annotated[
        int | None,
        _option("--workers N", "Compute in N processes; as many as there are cores if left out.", read=_whole(1, 256)),
    ] = None
    scheduler: Scheduler = None
    force: Annotated[bool, _option("--force", "Take more than 10,000,000 combinations.")] = False
    heat: Annotated[
        str | None, _option("--heat FIELD,FIELD", "Show the mean house edge for two fields as a heat map.")
    ] = None
    lines: Annotated[str | None, _option("--lines FIELD", "Show the house edge over decks, a line for each value.")] = (
        None
    )
    picture: Annotated[
        Path | None, _option("--picture FILE", "Draw the heat map or the lines as .svg, .png, .pdf or .html.")
    ] = None
    explorer: Annotated[
        Path | None, _option("--explorer FILE", "Write a page (.html) in which to filter, sort and see charts.")
    ] = None
    json: Annotated[bool, _option("--json", "Print one JSON object a line for each row instead of tables.")] = False


class Build(NamedTuple):
    only: Only = None
    folder: Folder = Path("tables")
    par: Annotated[
        str | None, _option("--par GAME", "Make the PAR sheet of a game instead; needs --out.", completion.games)
    ] = None
    out: Annotated[Path | None, _option("--out DIR", "Where the PAR sheet goes.")] = None
    jobs: Jobs = DEFAULT_WORKERS
    json: Json = False


class Check(NamedTuple):
    only: Only = None
    folder: Folder = Path("tables")
    jobs: Jobs = DEFAULT_WORKERS
    json: Json = False
