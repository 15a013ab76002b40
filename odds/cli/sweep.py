"""The command `odds sweep`: a grid of rules, computed, or read back from the file of a finished one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import typer

from odds.cli.checks import is_table
from odds.cli.common import CHECK_FAILED, check_play, door_of, say_notes, warn, write
from odds.cli.interrupts import keeps
from odds.cli.questions import DEFAULT_SPLIT_CLASS
from odds.cli.questions import Sweep as Question
from odds.cli.streams import emit, progress, say
from odds.errors import OddsError
from odds.files import is_standard
from odds.game.catalog import load_game
from odds.parallel import Door, Progress, part, tell
from odds.report import sweep as reports
from odds.report.common import render
from odds.report.sweep_page import explorer_page
from odds.report.sweep_pictures import picture, picture_form
from odds.sweep.audit import AuditError, check_share
from odds.sweep.effects import DECKS, check_varied
from odds.sweep.files import form_of, lines, read_charts, read_table, write_table
from odds.sweep.grid import Grid, grid_of, parse_vary
from odds.sweep.grid_file import GridFile, is_grid, read_grid
from odds.sweep.journal import Journal, journal_path
from odds.sweep.rows import CHART_COLUMNS
from odds.sweep.run import Plan, Sweep, asked_of, audited, known_tables, plan, solve_all
from odds.sweep.solve import Asked

_MOST_REPORTED = 200_000  # rows that reports are made of; more take more memory than a report is worth
_COMPOSITION = "composition"
_AT_ONCE = 1_000  # rows that are printed together


def sweep(asked: Question) -> None:
    """Compute a grid, or read a finished one, and write or show it."""
    for option, path in (("--out", asked.out), ("--charts", asked.charts)):
        if path is not None:
            form_of(path, option)
    if asked.picture is not None:
        picture_form(asked.picture)
    if asked.explorer is not None and asked.explorer.suffix.lower() != ".html" and not is_standard(asked.explorer):
        raise OddsError(f"--explorer: expected a file that ends in .html, got {str(asked.explorer)!r}")
    found = _finished(asked) if is_table(asked.game) else _computed(asked)
    if found is None:
        say("note", f"no reports are made of more than {_MOST_REPORTED:,} rows")
        return
    heat = _heat(asked)
    if asked.picture is not None:
        write(asked.picture, picture(found, picture_form(asked.picture), heat=heat, over=asked.lines))
    if asked.explorer is not None:
        write(asked.explorer, explorer_page(found))
    paths = (asked.out, asked.charts, asked.picture, asked.explorer)
    if not asked.json and not any(path is not None and is_standard(path) for path in paths):
        emit(render(reports.tables(found, heat=heat, over=asked.lines)))


def _heat(asked: Question) -> tuple[str, ...] | None:
    """Return the two fields of a heat map, if one is asked for."""
    if asked.heat is None:
        return None
    fields = tuple(name.strip() for name in asked.heat.split(","))
    if len(fields) != 2 or fields[0] == fields[1]:
        raise OddsError(f"--heat: expected two fields that vary, such as decks,max_hands, got {asked.heat!r}")
    return fields


def _check_reports(asked: Question, fields: Sequence[str]) -> None:
    """Refuse reports by fields that do not vary, before the work."""
    for option, names in (("--heat", _heat(asked) or ()), ("--lines", (DECKS, asked.lines) if asked.lines else ())):
        for name in names:
            check_varied(option, name, fields)


def _finished(asked: Question) -> Sweep:
    """Read a finished grid, and write it in another form if asked to."""
    rows = list(read_table(Path(asked.game)))
    found = Sweep.of(rows, {} if asked.charts is None else read_charts(asked.charts))
    _check_reports(asked, found.fields)
    if asked.out is not None:
        _write(asked.out, tuple(rows[0]), rows)
    if asked.json:
        _print(lines("jsonl", (), rows))
    return found


def _computed(asked: Question) -> Sweep | None:
    """Compute a grid and write it; return it, unless it is too large for reports."""
    grid, what = _grid(asked)
    _check_reports(asked, [axis.name for axis in grid.axes])
    share = check_share(asked.audit or 0.0)
    out = None if asked.out is None or is_standard(asked.out) else asked.out
    with progress("Reading the grid") as bar:
        planned = plan(grid, what, bar)
    rows, cells = known_tables(planned, out, asked.charts) if asked.resume and out is not None else ({}, {})
    with Journal(what, out and journal_path(out), resume=asked.resume) as journal:
        keeps(lambda: _kept(planned, journal))
        with (
            door_of(asked.scheduler, asked.workers) as door,
            progress(f"Computing {len(planned.sets):,} sets of rules") as bar,
        ):
            solve_all(planned, journal, door, known=rows, progress=part(bar, 0.0, 0.9 if share else 1.0))
            _audit(planned, journal, door, share, rows, part(bar, 0.9, 1.0))
        number = len(planned.places)
        made = list(planned.rows(journal, rows)) if number <= _MOST_REPORTED else None
        if asked.charts is not None:
            _write(asked.charts, CHART_COLUMNS, planned.chart_rows(journal, cells))
        if asked.out is not None:
            with progress("Writing") as bar:
                _write(asked.out, planned.columns, _told(made or planned.rows(journal, rows), number, bar))
        if asked.json:
            _print(lines("jsonl", (), made or planned.rows(journal, rows)))
        found = None if made is None else Sweep.of(made, planned.charts(journal) if asked.explorer else {})
        journal.remove()
    if made is not None:
        warn(any(row["shoe_can_run_out"] for row in made))
        for column in planned.columns:
            if column.startswith("sidebet:") and (number := sum(row[column] is None for row in made)):
                say("warning", f"{column}: no RTP in {number:,} rows, whose rules or cards the bet does not fit")
    return found


def _grid(asked: Question) -> tuple[Grid, Asked]:
    """Return the grid of options, of a file or of both, and what is asked of each set."""
    file = read_grid(Path(asked.game)) if is_grid(asked.game) else GridFile(asked.game, {}, {})
    play = file.play if asked.play == _COMPOSITION else asked.play
    split_class = file.split_class if asked.split_class == DEFAULT_SPLIT_CLASS else asked.split_class
    check_play(play)
    game = load_game(file.game)
    vary: dict[str, object] = {}
    for name, values in map(parse_vary, asked.vary or ()):
        if name in vary:
            raise OddsError(f"--vary {name}: given twice")
        vary[name] = values
    vary = {**file.vary, **vary}
    if not vary:
        raise OddsError("expected --vary FIELD=VALUES, such as decks=1,2,4..8, a grid file or a finished grid")
    if both := {setting.partition("=")[0].strip() for setting in asked.settings or ()} & {*vary}:
        raise OddsError(f"{min(both)}: expected --vary or --set, got both")
    game = replace(game, rules=game.rules.replace(**file.settings).replace_text(asked.settings or ()))
    what = asked_of(
        game,
        play,
        split_class,
        columns=[*file.columns, *(name.strip() for text in asked.columns or () for name in text.split(","))],
        side_bets=asked.side_bets or file.side_bets,
        charts=asked.charts is not None or file.charts,
    )
    if what.strategy is not None:
        say_notes(what.strategy)
    return grid_of(game, vary, where=[*file.where, *(asked.where or ())], force=asked.force), what


def _kept(planned: Plan, journal: Journal) -> str:
    """Return what is there of a grid that was not finished."""
    if journal.path is None or not journal.figures:
        return "nothing written"
    if not journal.path.exists():
        return "all is written"
    number, total = len(journal.figures), len(planned.sets)
    return f"{number:,} of {total:,} sets are kept in {journal.path}; go on with --resume"


def _audit(
    planned: Plan, journal: Journal, door: Door, share: float, rows: Mapping[str, dict[str, Any]], bar: Progress | None
) -> None:
    """Compare a share of the sets with fractions, and say what came of it."""
    try:
        found = audited(planned, journal, door, share, known=rows, progress=bar)
    except AuditError as error:
        say("error", str(error))
        raise typer.Exit(CHECK_FAILED) from None
    if found is not None:
        say("audit", found.words)
        for set_id, reason in found.without.items():
            say("audit", f"set {set_id} has no fraction: {reason}")


def _told(rows: Iterable[dict[str, Any]], number: int, bar: Progress | None) -> Iterator[dict[str, Any]]:
    for done, row in enumerate(rows):
        if not done % _AT_ONCE:
            tell(bar, done / number)
        yield row


def _write(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    """Write a table, and say so; `-` is standard output."""
    if is_standard(path):
        _print(lines(form_of(path), columns, rows))
    else:
        say("replaced" if write_table(path, columns, rows) else "wrote", str(path))


def _print(texts: Iterator[str]) -> None:
    while text := "".join(islice(texts, _AT_ONCE)):
        emit(text)
