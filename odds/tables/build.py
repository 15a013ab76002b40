"""Writing everything under `tables/`, and comparing it with what is there."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from odds.errors import OddsError
from odds.game.catalog import games, load_game
from odds.game.fields import show_value
from odds.game.subject import Subject
from odds.parallel import run
from odds.sidebets import load_side_bet, side_bets
from odds.tables import bets, rules
from odds.tables.game import GameTables, dealer_files, outcomes_files, rtp_files, strategy_files

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from odds.game.catalog import Game
    from odds.parallel import Progress
    from odds.tables.rules import GridCell

RULES: Final = "rules"
SIDE_BETS: Final = "side-bets"
SECTIONS: Final = (RULES, SIDE_BETS)
COMMAND: Final = "odds tables build"


@dataclass(frozen=True, slots=True)
class Task:
    """A part of the tables that is computed by itself.

    Attributes:
        kind: `game`, `outcomes`, `effects`, `grid` or `bet`.
        name: of the game or bet, or the number of decks.
        game: the game, where it is one.
    """

    kind: str
    name: str = ""
    game: Game | None = None


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A file that is not as it is computed.

    Attributes:
        file: its path.
        line: the first line that differs, from 1; 0 where the file is missing or does not belong there.
        expected: the line as computed; None where the file has lines too many, or does not belong there.
        found: the line that is there; None where lines are missing.
    """

    file: str
    line: int
    expected: str | None
    found: str | None

    @property
    def words(self) -> str:
        """What differs, in words."""
        if not self.line:
            return f"{self.file}: {'missing' if self.expected is not None else 'not one of the tables'}"
        wanted = "the end of the file" if self.expected is None else show_value(self.expected)
        got = "the end of the file" if self.found is None else show_value(self.found)
        return f"{self.file}: line {self.line}: expected {wanted}, got {got}"

    def to_dict(self) -> dict[str, Any]:
        """Return the difference as JSON takes it."""
        return {name: getattr(self, name) for name in self.__slots__}


def check_only(only: Sequence[str]) -> tuple[tuple[str, Game | None], ...]:
    """Return what is to be made, each once: games by name or file, `rules`, `side-bets`; everything if none is given.

    Raises:
        OddsError: there is no such game.
    """
    found: dict[str, tuple[str, Game | None]] = {}
    for name in only or (*games(), *SECTIONS):
        if name in SECTIONS:
            found[name] = name, None
            continue
        try:
            game = load_game(name)
        except OddsError as error:
            raise OddsError(f"--only: {error}; or one of {', '.join(SECTIONS)}") from None
        known = game.name in games() and load_game(game.name) == game
        found[game.name] = game.name if known else name, game
    return tuple(found.values())


def make(only: Sequence[str] = (), *, workers: int = 1, progress: Progress | None = None) -> dict[str, str]:
    """Return the text of every file, by its path under `tables/`.

    Args:
        only: see `check_only`.
        workers: how many processes to use.
        progress: called with the share done, from 0 to 1.
    """
    tasks = []
    for name, game in check_only(only):
        if name == RULES:
            tasks += [Task("effects"), *(Task("grid", str(decks)) for decks in rules.GRID_DECKS)]
        elif name == SIDE_BETS:
            tasks += [Task("bet", bet) for bet in side_bets()]
        else:
            tasks += [Task("outcomes", name, game), Task("game", name, game)]
    # The longest first, so that no process is left with one at the end.
    order = ("outcomes", "game", "effects", "grid", "bet")
    tasks.sort(key=lambda task: order.index(task.kind))
    made = run(_files, tasks, workers=workers, progress=progress)
    files: dict[str, str] = {}
    grid: dict[int, list[GridCell]] = {}
    for task, result in zip(tasks, made, strict=True):
        if task.kind == "grid":
            grid[int(task.name)] = result
        else:
            files |= result
    if grid:
        command = f"{COMMAND} --only {RULES}"
        files |= {f"{RULES}/{name}": text for name, text in rules.grid_files(grid, command).items()}
    return dict(sorted(files.items()))


def _files(task: Task) -> Any:
    """Return the files of a task by their paths, or the cells of a grid."""
    if task.kind == "grid":
        return rules.grid_cells(int(task.name))
    if task.kind == "effects":
        return _under(RULES, rules.effects_files(f"{COMMAND} --only {RULES}"))
    if task.kind == "bet":
        return _under(SIDE_BETS, bets.bet_files(task.name, f"{COMMAND} --only {SIDE_BETS}"))
    game = task.game or load_game(task.name)
    at = GameTables(Subject(game, game.rules), f"{COMMAND} --only {task.name}")
    if task.kind == "outcomes":
        return _under(game.name, outcomes_files(at))
    files = {**rtp_files(at), **strategy_files(at), **dealer_files(at)}
    for name in game.side_bets:
        files |= bets.game_bet_files(name, game.rules, at.facts(*bets.method(load_side_bet(name))))
    return _under(game.name, files)


def _under(folder: str, files: Mapping[str, str]) -> dict[str, str]:
    return {f"{folder}/{name}": text for name, text in files.items()}


def compare(files: Mapping[str, str], folder: Path, *, whole: bool = False) -> list[Mismatch]:
    """Return how the files under a folder differ from those computed, each by its first line that does.

    Files in the same folders that are not among those computed count too.

    Args:
        files: as computed, by their paths under the folder.
        folder: where they should be.
        whole: nothing else should be under the folder.

    Raises:
        OddsError: a file cannot be read.
    """
    found = []
    for name, text in files.items():
        path = folder / name
        if not path.is_file():
            found.append(Mismatch(str(path), 0, text, None))
            continue
        try:
            there = path.read_bytes().decode("utf-8", errors="backslashreplace")
        except OSError as error:
            raise OddsError(f"cannot read {show_value(str(path))}: {error.strerror}") from None
        if there != text:
            found.append(_first_difference(path, text, there))
    inside = [folder] if whole else [folder / parent for parent in sorted({Path(name).parent for name in files})]
    known = {folder / name for name in files}
    for path in sorted(path for place in inside for path in place.rglob("*") if path.is_file()):
        if path not in known:
            found.append(Mismatch(str(path), 0, None, None))
    return found


def _first_difference(path: Path, text: str, there: str) -> Mismatch:
    pairs = zip_longest(text.splitlines(keepends=True), there.splitlines(keepends=True))
    for number, (expected, got) in enumerate(pairs, 1):
        if expected != got:
            plain = [None if line is None else line.rstrip("\n") for line in (expected, got)]
            if plain[0] == plain[1]:
                plain = [expected, got]
            return Mismatch(str(path), number, *plain)
    raise AssertionError("texts that differ have a line that does")
