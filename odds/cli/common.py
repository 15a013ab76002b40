"""What the commands share: the game that is asked about, a round of it, and how an answer is printed."""

from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from odds.cli.checks import is_strategy_file
from odds.cli.commands import load
from odds.cli.interrupts import finish
from odds.cli.questions import DEFAULT_SPLIT_CLASS, Confidence, Outcomes, Rtp, Simulate
from odds.cli.streams import emit, progress, say
from odds.engine.split_classes import FULL, check_split_class
from odds.errors import OddsError, RulesError
from odds.files import is_standard, to_json, write_file
from odds.game.cards import count_cards, write_cards
from odds.game.catalog import load_game
from odds.game.fields import show_value
from odds.game.subject import PLAYS, Subject
from odds.parallel import cores, processes
from odds.report.common import RUN_OUT_WARNING, render
from odds.results import round as rounds
from odds.results.round import RoundResult

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from rich.console import RenderableType

    from odds.parallel import Door
    from odds.strategy.table import Strategy

_MANY_ROWS = 5_000  # of tables, whose layout takes seconds
CHECK_FAILED = 1  # the exit code of a check that fails


def subject(asked: Any) -> Subject:
    """Return the game of a question under the rules that are set, and the cards that are taken out or left."""
    found = load_game(asked.game)
    rules = found.rules.replace_text(asked.settings or ())
    for note in rules.without_effect(asked.settings or ()):
        say("note", note)
    if rules.max_hands == 1 and getattr(asked, "split_class", DEFAULT_SPLIT_CLASS) != DEFAULT_SPLIT_CLASS:
        say("note", "--split-class has no effect with max_hands=1")
    return Subject(found, rules, *cards_asked(getattr(asked, "removed", None), getattr(asked, "left", None)))


def cards_asked(removed: list[str] | None, left: list[str] | None) -> tuple[str, str]:
    """Return the cards that are taken out of a shoe and those that are left in it, as texts.

    Raises:
        OddsError: an option names no card.
        HandError: cards cannot be read.
    """
    texts = []
    for option, given in (("--remove", removed), ("--left", left)):
        texts.append(write_cards(count_cards(",".join(given or ()))))
        if given and not texts[-1]:
            raise OddsError(f"{option}: expected cards, such as T,4 or 4x4,5, got none")
    return texts[0], texts[1]


def played_round(
    asked: Rtp | Outcomes | Confidence | Simulate, about: Subject | None = None
) -> "tuple[Subject, RoundResult, Strategy | None]":
    """Return a round played as asked for, and the strategy: none for the exact cards, the best chart, or a file's.

    The subject is that of the question, unless it is known.
    """
    check_split_class(asked.split_class)
    check_play(asked.play)
    about = about or subject(asked)
    if asked.play != "composition":
        return about, *load("strategies").play(about, asked.play)
    shoe = about.shoe()
    if asked.split_class != FULL and not about.rules.switch:
        return about, rounds.analyze(about.rules, shoe=shoe, split_class=asked.split_class), None
    how, threads = asked.split_class, cores()
    with progress("Computing") as bar:
        return about, rounds.analyze(about.rules, shoe=shoe, split_class=how, progress=bar, threads=threads), None


def door_of(scheduler: str | None, workers: int | None = None) -> "AbstractContextManager[Door]":
    """Return who works: a cluster, or so many processes of this machine, as many as it has cores if left out."""
    if scheduler is None:
        return processes(workers or cores())
    from odds.cluster import connect

    return connect(scheduler)


def check_play(play: str) -> None:
    """Refuse a play that is none.

    Raises:
        RulesError: it is none.
    """
    if play not in PLAYS and not is_strategy_file(play):
        expected = f"{', '.join(PLAYS)}, or a strategy file that ends in .csv or .json"
        raise RulesError(f"--play: expected {expected}, got {show_value(play)}")


def choose(option: str, value: str, allowed: Collection[str]) -> str:
    """Return a value that an option allows.

    Raises:
        RulesError: it does not.
    """
    if value not in allowed:
        raise RulesError(f"{option}: expected {' or '.join(allowed)}, got {show_value(value)}")
    return value


def report(json: bool, data: Callable[[], dict[str, Any]], tables: "Callable[[], list[RenderableType]]") -> None:
    """Print one JSON object if asked to, else tables."""
    if json:
        emit(to_json(data()))
        return
    parts = tables()
    if sum(getattr(part, "row_count", 0) for part in parts) < _MANY_ROWS:
        emit(render(parts))
        return
    with progress("Laying out") as bar:
        text = render(parts, progress=bar)
    emit(text)


def write(path: Path, content: str | bytes) -> None:
    """Write a file, and say so, and whether it replaced one; `-` is standard output."""
    if is_standard(path):
        emit(content)
    else:
        finish()
        say("replaced" if write_file(path, content) else "wrote", str(path))


def warn(needed: bool, warning: str = RUN_OUT_WARNING) -> list[str]:
    """Say a warning on standard error if it is needed, by default that the shoe can run out; return those said."""
    if not needed:
        return []
    say("warning", warning)
    return [warning]


def say_notes(strategy: "Strategy") -> None:
    """Say on standard error what was read into a strategy's file."""
    for note in strategy.notes:
        say("note", f"{strategy.name}: {note}")
