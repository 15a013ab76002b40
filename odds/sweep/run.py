"""A grid from its combinations to its rows: distinct sets, solved in chunks by some door, and put into their places."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from odds.engine.split_classes import DEFAULT_SPLIT_CLASS, GIVEN, check_split_class
from odds.errors import OddsError
from odds.game.catalog import game_of
from odds.game.fields import FIELDS, written
from odds.game.rules import Rules
from odds.game.subject import PLAYS
from odds.parallel import part, processes, tell
from odds.shown import Shown
from odds.strategy.table import Strategy, read_strategy
from odds.sweep.audit import Audit, check_share, chosen, compared, exact_evs
from odds.sweep.charts import ChartCell, check_columns
from odds.sweep.distinct import distinct_of, rules_id, sharing
from odds.sweep.effects import effects, extremes
from odds.sweep.files import read_table
from odds.sweep.grid import grid_of
from odds.sweep.journal import Journal
from odds.sweep.rows import ROUND, Rows, chart_rows, columns_of, kind_of
from odds.sweep.solve import Asked, solve

if TYPE_CHECKING:
    import os
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from odds.game.catalog import AnyGame
    from odds.parallel import Door, Progress
    from odds.sweep.distinct import Distinct
    from odds.sweep.effects import Effect, Extreme
    from odds.sweep.grid import Combination, Grid

# So many sets are handed over at once: work of about half a second, to which sending it is nothing, and which makes a
# share of the whole that is small enough for the last of them to be no long wait.
_SETS: Final = 32
_SETS_WITH_CHARTS: Final = 8
_TOLD: Final = 256  # combinations after which progress is told


@dataclass(frozen=True)
class Plan:
    """A grid, and the distinct sets that its combinations come to.

    Attributes:
        grid: the grid.
        asked: what is asked of each set.
        sets: the distinct sets, in the order of the first combination of each.
        places: of each combination, in their order, the place of its set.
    """

    grid: Grid
    asked: Asked
    sets: tuple[Distinct, ...]
    places: array[int] = field(repr=False)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of its rows."""
        return columns_of(self.asked, with_shoe=bool(self.grid.shoes))

    def combinations(self) -> Iterator[tuple[Combination, int]]:
        """Yield the combinations in their order, each with the place of its set."""
        return zip(self.grid.combinations(), self.places, strict=True)

    def rows(
        self, journal: Journal, known: Mapping[str, dict[str, Any]] | None = None, only: Collection[int] | None = None
    ) -> Iterator[dict[str, Any]]:
        """Yield the row of every combination.

        Args:
            journal: has every set, but those that only known rows come to.
            known: rows of before, by their `rules_id`.
            only: the places of sets whose rows are wanted, all by default.
        """
        rows, sets = Rows(self.grid, self.asked), self.sets
        for combination, place in self.combinations():
            if only is not None and place not in only:
                continue
            if known and (old := known.get(rules_id(combination.rules, combination.shoe))):
                yield old
                continue
            one = sets[place]
            yield rows.row(combination, one, journal.figures[one.id], journal.codes.get(one.id))

    def charts(self, journal: Journal) -> dict[str, tuple[ChartCell, ...]]:
        """Return the chart of each set that the journal has one of, by `chart_id`."""
        return {one.id: journal.chart(one.id) for one in self.sets if one.id in journal.codes}

    def chart_rows(
        self, journal: Journal, known: Mapping[str, list[dict[str, Any]]] | None = None
    ) -> Iterator[dict[str, Any]]:
        """Yield the rows of the second table, the cells of the chart of each set in the order of the sets.

        Args:
            journal: has the charts, but those that are known.
            known: cells of charts of before, by their `chart_id`.
        """
        for one in self.sets:
            yield from chart_rows(one.id, journal.chart(one.id)) if one.id in journal.codes else (known or {})[one.id]


def plan(grid: Grid, asked: Asked, progress: Progress | None = None) -> Plan:
    """Return a grid with its distinct sets.

    Args:
        grid: the grid.
        asked: what is asked of every set.
        progress: called with the share done, from 0 to 1.

    Raises:
        OddsError: a combination is refused, or there is none.
    """
    places, found = array("L"), dict[str, int]()
    sets: list[Distinct] = []
    keeps = asked.keeps
    for combination in grid.combinations():
        one = distinct_of(combination, asked.split_class, keeps=keeps)
        if (place := found.setdefault(one.id, len(sets))) == len(sets):
            sets.append(one)
        places.append(place)
        if not len(places) % _TOLD:
            tell(progress, combination.number / grid.size)
    if not sets:
        raise OddsError(f"where: no combination of {grid.size:,} is left")
    tell(progress, 1.0)
    return Plan(grid, asked, tuple(sets), places)


def chunks(asked: Asked, sets: Iterable[Distinct], size: int | None = None) -> list[tuple[Asked, tuple[Distinct, ...]]]:
    """Return sets in parts as workers take them, about the longest first; those of a part share what can be shared.

    Args:
        asked: what is asked of every set.
        sets: the sets.
        size: of a part, at most.
    """
    size = size or (_SETS_WITH_CHARTS if asked.charts or asked.play == "total" else _SETS)
    groups: dict[object, list[Distinct]] = {}
    for one in sorted(sets, key=lambda one: -one.rules.max_hands):  # whose passes serve those of fewer hands too
        groups.setdefault(sharing(one), []).append(one)
    parts = [
        (asked, tuple(group[start : start + size])) for group in groups.values() for start in range(0, len(group), size)
    ]
    return sorted(parts, key=lambda item: -sum(one.rules.max_hands for one in item[1]))


def solve_all(
    planned: Plan,
    journal: Journal,
    door: Door,
    *,
    known: Mapping[str, dict[str, Any]] | None = None,
    size: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Solve the sets that are not in the journal, and keep them there.

    Args:
        planned: the grid.
        journal: takes what is solved.
        door: who works.
        known: rows that are there already, by their `rules_id`; sets that only these come to are not needed.
        size: of a chunk, at most.
        progress: called with the share done, from 0 to 1.

    Raises:
        OddsError: a set cannot be solved; the message names the first combination that comes to it.
    """
    needed = planned.sets
    if known:
        places = {
            place
            for combination, place in planned.combinations()
            if rules_id(combination.rules, combination.shoe) not in known
        }
        needed = tuple(one for place, one in enumerate(planned.sets) if place in places)
    items = chunks(planned.asked, (one for one in needed if one.id not in journal.figures), size)
    total = len(needed)
    done = total - sum(len(sets) for _, sets in items)
    tell(progress, done / max(total, 1))
    try:
        for solved in door.stream(solve, items):
            journal.add(solved)
            done += len(solved)
            tell(progress, done / total)
    except OddsError as error:
        raise _named(planned, error) from None
    tell(progress, 1.0)


def known_tables(
    planned: Plan, out: Path, charts: Path | None = None
) -> tuple[dict[str, dict[str, Any]], dict[str, list[dict[str, Any]]]]:
    """Return what finished files of before have of a grid: rows by `rules_id`, and cells of charts by `chart_id`.

    Rows are taken as they are if they would be computed so now: by this version, with the same columns and play. What a
    strategy file said then is not in them, so that its rows are computed again.

    Args:
        planned: the grid.
        out: the file of rows.
        charts: the file of charts; without it no row with a chart is taken.

    Raises:
        OddsError: a file is there and cannot be read.
    """
    if not out.is_file() or planned.asked.strategy is not None:
        return {}, {}
    cells: dict[str, list[dict[str, Any]]] = {}
    if charts is not None and charts.is_file():
        for cell in read_table(charts, charts=True):
            cells.setdefault(cell["chart_id"], []).append(cell)
    same = Rows(planned.grid, planned.asked).same
    rows = {row["rules_id"]: row for row in read_table(out) if tuple(row) == planned.columns and same(row)}
    if planned.asked.charts:
        rows = {name: row for name, row in rows.items() if row["chart_id"] in cells}
    return rows, cells


def _named(planned: Plan, error: OddsError) -> OddsError:
    """Return an error of a set as one of the first combination that comes to it."""
    found, _, words = str(error).partition(": ")
    for place, one in enumerate(planned.sets):
        if one.id == found:
            first = next(combination for combination, other in planned.combinations() if other == place)
            return type(error)(f"{planned.grid.words(first)}: {words}")
    return error


def audited(
    planned: Plan,
    journal: Journal,
    door: Door,
    share: float,
    *,
    known: Mapping[str, dict[str, Any]] | None = None,
    progress: Progress | None = None,
) -> Audit | None:
    """Compute a share of the sets as fractions, and compare their rows with them; None for no share.

    Args:
        planned: the grid.
        journal: has the sets.
        door: who works.
        share: of the sets, from 0 to 1.
        known: rows of before, by their `rules_id`.
        progress: called with the share done, from 0 to 1.

    Raises:
        OddsError: it is no share.
        AuditError: rows differ; the message names them.
    """
    if not (sets := chosen(share, planned.sets)):
        return None
    ids = {one.id for one in sets}
    only = {place for place, one in enumerate(planned.sets) if one.id in ids}
    rows = list(planned.rows(journal, known, only))
    pays: dict[str, dict[str, None]] = {}
    for row in rows:
        pays.setdefault(row["distinct_id"], {})[row["blackjack_pays"]] = None
    items = [(planned.asked, one, tuple(map(Fraction, pays[one.id]))) for one in sets]
    exact: dict[tuple[str, str], Fraction] = {}
    without: dict[str, str] = {}
    for done, (one, found) in enumerate(zip(sets, door.stream(exact_evs, items), strict=True), 1):
        if isinstance(found, str):
            without[one.id] = found
        else:
            exact |= {(one.id, pay): ev for pay, ev in zip(pays[one.id], found, strict=True)}
        tell(progress, done / len(sets))
    return compared(rows, exact, without)


@dataclass(frozen=True, repr=False)
class Sweep(Shown):
    """A grid of rules, every combination solved.

    Attributes:
        rows: of each combination, in their order, as `odds sweep --json` has them.
        charts: the best charts where they were asked for, by `chart_id`.
        distinct: how many of the sets of rules are different ones.
        fields: what varies.
        audit: what came of the audit, if there was one.
    """

    rows: list[dict[str, Any]]
    charts: Mapping[str, tuple[ChartCell, ...]]
    distinct: int
    fields: tuple[str, ...]
    audit: Audit | None = None

    @classmethod
    def of(
        cls,
        rows: list[dict[str, Any]],
        charts: Mapping[str, tuple[ChartCell, ...]] | None = None,
        audit: Audit | None = None,
    ) -> Sweep:
        """Return a grid of its rows, computed or read from a file, and its charts."""
        varied = [name for name in rows[0] if name in FIELDS or name == "shoe"]
        fields = tuple(name for name in varied if any(row[name] != rows[0][name] for row in rows))
        return cls(rows, charts or {}, len({row["distinct_id"] for row in rows}), fields, audit)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def effects(self) -> list[Effect]:
        """Return what each change of a rule is worth, over all pairs of rows that differ in nothing else."""
        return effects(self.rows, self.fields)

    def extremes(self, number: int = 5) -> tuple[list[Extreme], list[Extreme]]:
        """Return the rows of the lowest EV, lowest first, and those of the highest, highest first."""
        return extremes(self.rows, number)

    def to_rows(self) -> list[dict[str, Any]]:
        """Return the row of each combination, for pandas or polars; see `docs/formats.md` for the columns.

        Values of rules that are lists are texts.
        """
        return [
            {name: written(value) if isinstance(value, list) else value for name, value in row.items()}
            for row in self.rows
        ]

    def facts(self) -> list[tuple[str, ...]]:
        """Return how large the grid is, what varies, and how hands are played."""
        first = self.rows[0]
        return [
            ("Grid", f"{len(self.rows):,} combinations, {self.distinct:,} distinct sets of rules"),
            ("Varied", ", ".join(self.fields)),
            ("Play", f"{first['play']}, split class {first['split_class']}"),
            ("Unit", "initial wagers"),
            ("Rules", *self._common()),
        ]

    def _common(self) -> tuple[str, str]:
        """Return what does not vary of the rules, in shorthand and in words."""
        first, rules = (
            Rules.from_dict({name: row[name] for name in FIELDS if name in row})
            for row in (self.rows[0], self.rows[-1])
        )
        # What the first makes moot need not be so in the last.
        said = {*first.said(), *rules.said()} - {*self.fields}
        names = [name for name in FIELDS if name in said]
        words = [rules.words(name) for name in names]
        short = [rules.shorthand(name) or text for name, text in zip(names, words, strict=True)]
        return ", ".join(short), "; ".join(words)

    def _shown_rows(self) -> list[dict[str, Any]]:
        return [
            {name: row[name] for name in (*self.fields, *ROUND, *further)}
            for row in self.rows
            for further in [[name for name in row if kind_of(name) is float and name not in ROUND]]
        ]


def sweep(
    game: AnyGame,
    vary: Mapping[str, object],
    *,
    where: str | Sequence[str] = (),
    play: str | os.PathLike[str] | Strategy = "composition",
    split_class: str = DEFAULT_SPLIT_CLASS,
    columns: Iterable[str] = (),
    side_bets: bool = False,
    charts: bool = False,
    workers: int = 1,
    client: Any = None,
    progress: Progress | None = None,
    audit: float = 0.0,
    force: bool = False,
) -> Sweep:
    """Return every combination of rules of a grid, solved, none of them twice.

    >>> found = sweep("classic-blackjack", {"decks": [1, 2], "max_hands": [1], "blackjack_pays": ["3/2", "6/5"]})
    >>> [f"{row['decks']} {row['blackjack_pays']} {row['ev']:+.4f}" for row in found], found.distinct
    ([...], 2)

    Args:
        game: the rules that do not vary, or the game that has them, also by its name or file.
        vary: of each field that varies its values; the last varies fastest. `shoe` takes shoes by their names.
        where: conditions that combinations have to meet, such as `not resplit_aces or max_hands > 2`.
        play: `composition`, `total`, or a strategy or its file.
        split_class: how hands of a split are played under the best play for the exact cards.
        columns: further columns, such as `standard_deviation`.
        side_bets: whether rows have the RTP of the game's side bets.
        charts: whether to make the best chart of each set too.
        workers: how many processes of this machine work.
        client: of a dask cluster that works instead.
        progress: called with the share done, from 0 to 1.
        audit: the share of the sets that is computed once more, as fractions.
        force: take more than 10,000,000 combinations.

    Raises:
        OddsError: a field, a value or a condition is wrong, or a combination is refused.
        AuditError: rows differ from their fractions.
    """
    grid = grid_of(game, vary, where=where, force=force)
    asked = asked_of(game, play, split_class, columns=columns, side_bets=side_bets, charts=charts)
    check_share(audit)
    journal = Journal(asked)
    planned = plan(grid, asked, part(progress, 0.0, 0.1))
    with door_of(workers, client) as door:
        solve_all(planned, journal, door, progress=part(progress, 0.1, 0.9 if audit else 1.0))
        found = audited(planned, journal, door, audit, progress=part(progress, 0.9, 1.0))
    return Sweep.of(list(planned.rows(journal)), planned.charts(journal), found)


def asked_of(
    game: AnyGame,
    play: str | os.PathLike[str] | Strategy = "composition",
    split_class: str = DEFAULT_SPLIT_CLASS,
    *,
    columns: Iterable[str] = (),
    side_bets: bool = False,
    charts: bool = False,
) -> Asked:
    """Return what is asked of every set of a grid; arguments as for `sweep`.

    Raises:
        OddsError: something of it is not known, or cannot be read.
    """
    strategy = None
    check_split_class(split_class)
    if isinstance(play, Strategy) or play not in PLAYS:
        strategy = play if isinstance(play, Strategy) else read_strategy(play)
        play = strategy.name
    if play != "composition":
        split_class = GIVEN
    bets = game_of(game, "a game that has side bets").side_bets if side_bets and not isinstance(game, Rules) else ()
    return Asked(str(play), split_class, strategy, check_columns(columns), charts, bets)


def door_of(workers: int = 1, client: Any = None) -> AbstractContextManager[Door]:
    """Return who works: processes of this machine, or a client of a dask cluster."""
    if client is None:
        return processes(workers)
    from odds.cluster import of

    return of(client)
