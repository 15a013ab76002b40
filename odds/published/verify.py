"""Checking published figures of many games at once: a CSV in, a verdict for each of its lines out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from odds import __version__
from odds.errors import OddsError
from odds.files import csv_records, input_name, read_text
from odds.game.catalog import load_game
from odds.game.fields import show_value
from odds.game.rules import settings_of
from odds.game.subject import PLAYS
from odds.game.toml import is_path
from odds.parallel import run
from odds.published.reconcile import QUANTITIES, Published, parse_published, played_rtps, rtps_of
from odds.strategy.table import evaluate, read_strategy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from odds.game.catalog import Game
    from odds.game.rules import Rules
    from odds.parallel import Progress
    from odds.strategy.table import Strategy

COLUMNS: Final = ("game", "overrides", "published", "play", "what")
_REQUIRED: Final = ("game", "overrides", "published")
VERDICT_COLUMNS: Final = ("line", *COLUMNS, "computed", "difference", "matches", "verdict", "matches_per_total_wager")


@dataclass(frozen=True, slots=True)
class Claim:
    """A line of the file: what is published of a game.

    Attributes:
        line: its number, from 1.
        game: the game.
        rules: its rules with the overrides.
        overrides: as they are written.
        published: the figure.
        play: `composition`, `total` or the path of a strategy file, as it is written.
        strategy: the strategy of the file; None for the other plays.
        files: that the line names.
    """

    line: int
    game: Game
    rules: Rules
    overrides: str
    published: Published
    play: str
    strategy: Strategy | None
    files: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is computed for a line.

    Attributes:
        claim: the line.
        rtp: computed, per initial wager.
        matches: how it prints the same as the published figure: `rounded`, `truncated`, `both`, or None.
        matches_per_total_wager: likewise the RTP per total wager, which is not what is asked for.
    """

    claim: Claim
    rtp: float
    matches: str | None
    matches_per_total_wager: str | None

    @property
    def passes(self) -> bool:
        """Whether the published figure is right at its digits, rounded or cut off."""
        return self.matches is not None

    @property
    def computed(self) -> float:
        """The computed RTP or house edge, whichever is published, as a fraction of 1."""
        return self.rtp if self.claim.published.quantity == "rtp" else 1.0 - self.rtp

    @property
    def difference(self) -> float:
        """Computed less published, as a fraction of 1."""
        return self.computed - float(self.claim.published.percentage / 100)

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as JSON takes it."""
        claim = self.claim
        return {
            "game": claim.game.name,
            "rules": claim.rules.to_dict(),
            "version": __version__,
            "line": claim.line,
            "overrides": claim.overrides,
            "published": claim.published.text,
            "play": claim.play,
            "what": claim.published.quantity,
            "computed": self.computed,
            "difference": self.difference,
            "matches": self.matches,
            "matches_per_total_wager": self.matches_per_total_wager,
            "verdict": "pass" if self.passes else "fail",
        }


def read_claims(path: Path) -> list[Claim]:
    """Return the lines of a CSV file; games and strategies that are files are looked for beside it.

    Raises:
        OddsError: it cannot be read, or a line cannot be used; the message has its number.
    """
    return parse_claims(read_text(path), input_name(path), path.parent)


def parse_claims(text: str, where: str, folder: Path) -> list[Claim]:
    """Return the lines of a CSV text.

    Args:
        text: the CSV; lines that are blank or start with # are passed over.
        where: what error messages call it.
        folder: where the paths in it start.

    Raises:
        OddsError: a line cannot be used; the message has its number.
    """
    columns: list[str] | None = None
    claims = []
    for number, cells in csv_records(text, where):
        here = f"{where}: line {number}"
        if columns is None:
            columns = _columns(cells, here)
            continue
        if len(cells) != len(columns):
            raise OddsError(f"{here}: expected {len(columns)} cells ({', '.join(columns)}), got {len(cells)}")
        try:
            claims.append(_claim(number, dict(zip(columns, cells, strict=True)), folder))
        except OddsError as error:
            raise OddsError(f"{here}: {error}") from None
    if columns is None:
        raise OddsError(f"{where}: expected a first line with the columns {', '.join(COLUMNS)}, got an empty file")
    if not claims:
        raise OddsError(f"{where}: expected at least one line under the columns")
    return claims


def _columns(cells: list[str], here: str) -> list[str]:
    columns = [cell.lower() for cell in cells]
    for name in _REQUIRED:
        if name not in columns:
            raise OddsError(f"{here}: expected the columns {', '.join(COLUMNS)}; {name} is missing")
    for name in columns:
        if name not in COLUMNS:
            raise OddsError(f"{here}: unknown column {show_value(name)}; expected {', '.join(COLUMNS)}")
        if columns.count(name) > 1:
            raise OddsError(f"{here}: column {name} is there twice")
    return columns


def _claim(number: int, cells: dict[str, str], folder: Path) -> Claim:
    name = cells["game"]
    if not name:
        raise OddsError("game: expected a name or a .toml file, got nothing")
    files = [folder / name] if is_path(name) else []
    game = load_game(files[0] if files else name)
    overrides = cells["overrides"]
    rules = game.rules.replace_text(settings_of(overrides))
    what = cells.get("what", "") or "rtp"
    if what not in QUANTITIES:
        raise OddsError(f"what: expected {' or '.join(QUANTITIES)}, got {show_value(what)}")
    published = parse_published(cells["published"], what)
    play = cells.get("play", "") or "composition"
    strategy = None
    if play not in PLAYS:
        if not play.lower().endswith((".csv", ".json")):
            raise OddsError(f"play: expected {', '.join(PLAYS)} or a .csv or .json file, got {show_value(play)}")
        files.append(folder / play)
        strategy = read_strategy(files[-1]).check(rules)
    return Claim(number, game, rules, overrides, published, play, strategy, tuple(files))


def verify(claims: Sequence[Claim], *, workers: int = 1, progress: Progress | None = None) -> list[Verdict]:
    """Return a verdict on each claim, in their order.

    Args:
        claims: what is published.
        workers: how many processes to use.
        progress: called with the share done, from 0 to 1.

    Raises:
        OddsError: a claim cannot be computed; the message has its line.
    """
    # Lines that ask for the same game and play are computed once.
    work = list({_key(claim): claim for claim in reversed(claims)}.values())
    values = run(_rtps, work, workers=workers, progress=progress)
    known = {_key(claim): rtps for claim, rtps in zip(work, values, strict=True)}
    return [
        Verdict(claim, known[_key(claim)][0], *map(claim.published.matches, known[_key(claim)])) for claim in claims
    ]


def _key(claim: Claim) -> tuple[Rules, str]:
    return claim.rules, claim.play


def _rtps(claim: Claim) -> tuple[float, float]:
    try:
        if claim.strategy is not None:
            return rtps_of(evaluate(claim.rules, claim.strategy))
        return played_rtps(claim.rules, claim.play)
    except OddsError as error:
        raise OddsError(f"line {claim.line}: {error}") from None
