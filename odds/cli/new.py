"""The commands `odds new game`, `bet`, `grid` and `strategy`: files to start from."""

import re
from pathlib import Path

from odds import __version__
from odds.cli.common import report, subject, write
from odds.cli.questions import Bet, Game, Grid, Strategy
from odds.cli.streams import progress
from odds.errors import OddsError
from odds.files import check_output, is_standard
from odds.game.fields import show_value
from odds.strategy.codes import CODES
from odds.strategy.search import search

_TEMPLATES = Path(__file__).with_name("templates")


def game(asked: Game) -> None:
    """Write a game file."""
    _write(asked, _template(asked, "game"))


def bet(asked: Bet) -> None:
    """Write a side bet file."""
    _write(asked, _template(asked, "bet"))


def grid(asked: Grid) -> None:
    """Write a grid file."""
    _write(asked, _template(asked, "grid"))


def strategy(asked: Strategy) -> None:
    """Write the best chart of a game."""
    _check(asked, ".csv", ".json")
    about = subject(asked)
    with progress("Searching") as bar:
        best = search(about.rules, progress=bar).strategy
    if asked.file.suffix.lower() == ".json":
        _write(asked, best.to_json())
        return
    rest = "".join(f" --set '{setting}'" for setting in asked.settings or ())
    head = (
        f"The best chart by totals of {about.game.name}, to be changed in any cell.",
        f"Rules: {about.rules}.",
        f"odds rtp {asked.game}{rest} --play {asked.file} computes it, and says which cells cost how much.",
        *(f"{code}: {words}" for code, words in CODES.items()),
        "A number after a letter: on up to so many cards, as S4 (else hit), D3s and R2h.",
        "exceptions,HAND are rows for exact cards, such as 2,T in quotes; a blank cell is none.",
    )
    _write(asked, "".join(f"# {line}\n" for line in head) + best.to_csv())


def _template(asked: Game | Bet | Grid, kind: str) -> str:
    """Return a template for a file, whose name it takes."""
    _check(asked, ".toml")
    name = re.sub(r"[^a-z0-9]+", "-", asked.file.stem.lower()).strip("-") or f"my-{kind}"
    text = _TEMPLATES.joinpath(f"{kind}.toml").read_text(encoding="utf-8")
    return text.replace(f"my-{kind}", name).replace(f"My {kind}", name.replace("-", " ").capitalize())


def _check(asked: Game | Bet | Grid | Strategy, *endings: str) -> None:
    """Refuse a file that commands would not take for what is written, and one that is there: it is somebody's work."""
    file = asked.file
    if is_standard(file):
        if asked.json:
            raise OddsError("expected --json or - for standard output, got both")
        return
    if file.suffix.lower() not in endings:
        raise OddsError(f"expected a file that ends in {' or '.join(endings)}, or -, got {show_value(str(file))}")
    check_output(file)
    if file.exists():
        raise OddsError(f"{str(file)!r} is there already: expected the name of a new file")


def _write(asked: Game | Bet | Grid | Strategy, text: str) -> None:
    write(asked.file, text)
    if asked.json:
        report(True, lambda: {"version": __version__, "written": str(asked.file)}, list)
