"""Strategies: tables that say what to do with a hard total, a soft total or a pair against each dealer start.

A strategy is text in a grid. It can be written to CSV or JSON, read back, and turned into the play of every hand. It
looks at the total only, except for exceptions that name exact cards.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from odds.engine.terms import hand_terms
from odds.errors import StrategyError
from odds.files import csv_records, input_name, is_standard, read_text, to_csv
from odds.game.cards import format_values, parse_cards
from odds.game.catalog import rules_of
from odds.game.fields import check_kind
from odds.results.groups import played_groups, weighted_groups
from odds.results.round import follow
from odds.shown import Shown, grid_html
from odds.strategy.codes import (
    CODES,
    DOUBLED_CODES,
    FREE_TOTALS,
    ONLY_PAIRS,
    ROWS,
    SECTIONS,
    TOTALS,
    Place,
    coloured,
    doublings,
    is_code,
    legend,
    place_of,
    row_name,
    rows_of,
    sections_of,
)
from odds.strategy.play import ColumnPlay, hand_of
from odds.strategy.spellings import code_of, column_of, is_column, places_of, read_rows, section_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from odds.engine.passes import Passes
    from odds.engine.play import StartTable
    from odds.game.catalog import AnyGame
    from odds.game.shoe import Shoe
    from odds.results.round import RoundResult

_EXCEPTIONS = "exceptions"
A_STRATEGY = "a Strategy, such as read_strategy returns"


@dataclass(frozen=True, slots=True, repr=False)
class Strategy(Shown):
    """A total-dependent strategy, with exceptions for exact cards.

    Where it has no section of doubled hands they stand; where it has no row of a free hand, that is played as one's own
    hand of its total.

    Attributes:
        columns: the dealer's starts across: `2` to `9`, `T`, `A`, or for an exposed dealer `hard 4` to `soft 20`.
        codes: by section and row, a code of `CODES` for each column.
        exceptions: by hand (such as `2,T`) and column, a code that stands in for that of its row.
        name: what the play is called.
        notes: in words, what was read into a file: rows that it leaves out, codes that do not say all.
    """

    columns: tuple[str, ...]
    codes: Mapping[Place, tuple[str, ...]]
    exceptions: Mapping[tuple[str, str], str] = field(default_factory=dict)
    name: str = field(default="strategy", compare=False)
    notes: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        for (section, row), codes in self.codes.items():
            if row not in rows_of(section):
                raise StrategyError(f"expected a row such as hard 16, soft 18 or pairs 8,8, got {section} {row}")
            if len(codes) != len(self.columns):
                raise StrategyError(f"{section} {row}: expected {len(self.columns)} codes, got {len(codes)}")
            for column, code in zip(self.columns, codes, strict=True):
                _check_code(code, section, f"{section} {row} against {column}")
        for (hand, column), code in self.exceptions.items():
            place = f"exception {hand} against {column}"
            values = hand_of(hand, place)
            if column not in self.columns:
                raise StrategyError(f"{place}: expected a column, one of {', '.join(self.columns)}")
            _check_code(code, "pairs" if values == (values[0],) * 2 else place_of(values)[0], place)

    def code(self, section: str, row: str, column: str) -> str:
        """Return the code of a cell."""
        if doublings(section) and (section, row) not in self.codes:
            return "S"
        return self.codes[section, row][self.columns.index(column)]

    def with_code(self, section: str, row: str, column: str, code: str) -> Strategy:
        """Return the strategy with one cell changed."""
        codes = list(self.codes[section, row])
        codes[self.columns.index(column)] = code
        return Strategy(self.columns, {**self.codes, (section, row): tuple(codes)}, self.exceptions, self.name)

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row for each cell and exception, for pandas or polars.

        Columns: `section` (`exceptions` for exact cards), `row`, `column`, `code`.
        """
        columns = range(len(self.columns))
        cells = [(*place, self.columns[at], row[at]) for place, row in self.codes.items() for at in columns]
        cells += [(_EXCEPTIONS, *place, code) for place, code in self.exceptions.items()]
        return [dict(zip(("section", "row", "column", "code"), cell, strict=True)) for cell in cells]

    def facts(self) -> list[tuple[str, ...]]:
        """Return what the strategy is called, and what it looks at."""
        exceptions = f", {len(self.exceptions)} exceptions for exact cards" if self.exceptions else ""
        return [("Strategy", self.name), ("Looks at", f"hard and soft totals and pairs{exceptions}")]

    def _html_body(self) -> str:
        rows = [(row_name(*place), [coloured(code) for code in codes]) for place, codes in self.codes.items()]
        for hand in dict.fromkeys(hand for hand, _ in self.exceptions):
            rows.append((hand, [coloured(self.exceptions.get((hand, column), "")) for column in self.columns]))
        codes = {code for row in self.codes.values() for code in row} | set(self.exceptions.values())
        return grid_html(self.columns, rows, legend(codes))

    def column(self, column: str) -> dict[Place, str]:
        """Return the codes of one column by section and row."""
        at = self.columns.index(column)
        return {place: codes[at] for place, codes in self.codes.items()}

    def check(self, rules: AnyGame) -> Strategy:
        """Return the strategy if it says what to do with every hand under the rules, or those of a game.

        A column may be missing of which the decks have no card; it is added.

        Raises:
            StrategyError: a column or a row is missing, or a column is not one of the game's.
        """
        rules = rules_of(rules)
        terms = hand_terms(rules)
        if terms.legal.free_level is not None and any(place not in self.codes for place in FREE_TOTALS):
            return self._with_free_hands().check(rules)
        wanted = tuple(group.label for group in played_groups(terms.dealer))
        missing = tuple(label for label in wanted if label not in self.columns)
        if missing:
            dealt = {group.label for group, *_ in weighted_groups(terms.dealer, rules.shoe())}
            if needed := [label for label in missing if label in dealt]:
                raise StrategyError(
                    f"{self.name}: expected a column for the dealer's {needed[0]}; has {', '.join(self.columns)}"
                )
            codes = {place: codes + ("S",) * len(missing) for place, codes in self.codes.items()}
            return replace(self, columns=self.columns + missing, codes=codes).check(rules)
        strange = [label for label in self.columns if label not in wanted]
        if strange:
            raise StrategyError(
                f"{self.name}: column {strange[0]} is none of this game's, which are {', '.join(wanted)}"
            )
        named = {section for section, _ in self.codes}
        for section in sections_of(terms.legal):
            if doublings(section) and section not in named:
                continue
            for row in rows_of(section):
                if (section, row) not in self.codes:
                    raise StrategyError(f"{self.name}: missing row: {section} {row}")
        return self

    def _with_free_hands(self) -> Strategy:
        """Return the strategy with rows for all free hands, those that it lacks as of own hands."""
        for own in TOTALS:
            if own not in self.codes:
                raise StrategyError(f"{self.name}: missing row: {' '.join(own)}")
        rows = {free: self.codes[own] for free, own in zip(FREE_TOTALS, TOTALS, strict=True)}
        missing = len(rows.keys() - self.codes.keys())
        note = f"{missing} rows of free hands are not there and taken as those of own hands"
        return replace(self, codes={**self.codes, **rows, **self.codes}, notes=(*self.notes, note))

    def tables(self, rules: AnyGame) -> dict[tuple[int, ...], StartTable]:
        """Return the play of every hand, by the dealer's cards.

        Raises:
            StrategyError: see `check`.
        """
        checked = self.check(rules)
        terms = hand_terms(rules_of(rules))
        result: dict[tuple[int, ...], StartTable] = {}
        for group in played_groups(terms.dealer):
            codes = checked.column(group.label)
            exceptions = {hand: code for (hand, column), code in self.exceptions.items() if column == group.label}
            starts = [terms.dealer.parse(label) for label in group.starts]
            surrenders = any(terms.surrender(start) != "none" for start in starts)
            play = ColumnPlay(codes, exceptions, terms.at(starts[0]).legal, surrenders=surrenders)
            result.update((start.cards, play.table(start.cards)) for start in starts)
        return result

    def to_csv(self) -> str:
        """Return the strategy as CSV: section, row, a code for each column; exceptions last, with blanks."""
        rows = [("section", "row", *self.columns), *((*place, *codes) for place, codes in self.codes.items())]
        for hand in dict.fromkeys(hand for hand, _ in self.exceptions):
            rows.append((_EXCEPTIONS, hand, *(self.exceptions.get((hand, column), "") for column in self.columns)))
        return to_csv(rows)

    def to_json(self) -> str:
        """Return the strategy as JSON."""
        data = {
            "columns": list(self.columns),
            "cells": [
                {"section": section, "row": row, "codes": list(codes)} for (section, row), codes in self.codes.items()
            ],
            "exceptions": [
                {"hand": hand, "column": column, "code": code} for (hand, column), code in self.exceptions.items()
            ],
        }
        return json.dumps(data, indent=1) + "\n"

    @classmethod
    def from_csv(cls, text: str, name: str = "strategy") -> Strategy:
        """Return the strategy of a CSV text, as `to_csv` or other people write it (see `docs/formats.md`).

        Lines that start with # are passed over.

        Raises:
            StrategyError: naming the line.
        """
        numbered = list(csv_records(text, name, strict=False))
        head = numbered[0][1] if numbered else []
        labels = 2 if [cell.lower() for cell in head[:2]] == ["section", "row"] else 0
        if not labels and len(head) > 1 and all(map(is_column, head[1:])):
            labels = 1
        if not labels:
            raise StrategyError(f"{name}: expected a first line that starts with section,row and names the columns")
        columns = tuple(map(column_of, head[labels:]))
        if not columns or "" in columns or len(set(columns)) != len(columns):
            raise StrategyError(f"{name}: line {numbered[0][0]}: expected different columns, got {','.join(columns)!r}")
        codes: dict[Place, tuple[str, ...]] = {}
        exceptions: dict[tuple[str, str], str] = {}
        for number, line in numbered[1:]:
            where = f"{name}: line {number}"
            section, row, *given = ["", *line] if labels == 1 else [*line, ""] if len(line) < labels else line
            section = section_of(section)
            if len(given) != len(columns):
                raise StrategyError(f"{where}: expected {len(columns)} codes after section and row, got {len(given)}")
            if section == _EXCEPTIONS:
                for column, code in zip(columns, given, strict=True):
                    if code:
                        exceptions[_hand_name(row, where), column] = code
                continue
            for place in places_of(section, row):
                if place in codes:
                    raise StrategyError(f"{where}: row {' '.join(place)} is there twice")
                codes[place] = tuple(given)
        return cls._read(columns, codes, exceptions, name)

    @classmethod
    def from_json(cls, text: str, name: str = "strategy") -> Strategy:
        """Return the strategy of a JSON text, as `to_json` or a chart's JSON has it.

        Raises:
            StrategyError: saying what is wrong where.
        """
        try:
            data = json.loads(text)
        except ValueError as error:
            raise StrategyError(f"{name}: not JSON: {error}") from None
        if not isinstance(data, dict) or not _texts(data.get("columns")) or not isinstance(data.get("cells"), list):
            raise StrategyError(f"{name}: expected an object with columns (texts) and cells (a list)")
        columns = tuple(map(column_of, data["columns"]))
        found: dict[Place, dict[str, str]] = {}
        for at, cell in enumerate([*data["cells"], *(data.get("cells_without_hands") or [])]):
            where = f"{name}: cells[{at}]"
            if not isinstance(cell, dict):
                raise StrategyError(f"{where}: expected an object with section, row and codes, or column and code")
            places = places_of(section_of(str(cell.get("section"))), str(cell.get("row")))
            if "codes" in cell:
                if not _texts(cell["codes"]) or len(cell["codes"]) != len(columns):
                    raise StrategyError(f"{where}: codes: expected {len(columns)} texts")
                new = dict(zip(columns, cell["codes"], strict=True))
            elif _texts([cell.get("column"), cell.get("code")]):
                new = {column_of(cell["column"]): cell["code"]}
            else:
                raise StrategyError(f"{where}: expected section, row and codes (texts), or column and code")
            for place in places:
                row = found.setdefault(place, {})
                if twice := row.keys() & new.keys():
                    raise StrategyError(f"{where}: {' '.join(place)} against {min(twice)} is there twice")
                row.update(new)
        codes = {}
        for place, row in found.items():
            missing = [column for column in columns if column not in row]
            if missing:
                raise StrategyError(f"{name}: {' '.join(place)}: no code against {missing[0]}")
            codes[place] = tuple(row[column] for column in columns)
        exceptions = {}
        for at, item in enumerate(data.get("exceptions") or []):
            if not isinstance(item, dict) or not _texts([item.get(key) for key in ("hand", "column", "code")]):
                raise StrategyError(f"{name}: exceptions[{at}]: expected hand, column and code")
            hand = _hand_name(item["hand"], f"{name}: exceptions[{at}]")
            exceptions[hand, column_of(item["column"])] = item["code"]
        return cls._read(columns, codes, exceptions, name)

    @classmethod
    def _read(
        cls,
        columns: tuple[str, ...],
        codes: dict[Place, tuple[str, ...]],
        exceptions: dict[tuple[str, str], str],
        name: str,
    ) -> Strategy:
        try:
            read, notes = read_rows(codes, columns)
            special = {
                (hand, column): code_of(code, ("exceptions", hand), "", f"exception {hand} against {column}")
                for (hand, column), code in exceptions.items()
            }
            return cls(columns, read, special, name, notes)
        except StrategyError as error:
            raise StrategyError(f"{name}: {error}") from None


def read_strategy(path: str | os.PathLike[str]) -> Strategy:
    """Return the strategy of a file: JSON if its name ends in `.json`, else CSV; standard input (`-`) is either.

    Raises:
        StrategyError: it cannot be read, or is no strategy.
    """
    check_kind(path, (str, os.PathLike), "the path of a strategy", StrategyError)
    path = Path(path)
    text = read_text(path, "the strategy", StrategyError)
    is_json = path.suffix.lower() == ".json" or (is_standard(path) and text.lstrip().startswith(("{", "[")))
    return (Strategy.from_json if is_json else Strategy.from_csv)(text, input_name(path))


def _texts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, str) for item in value)


def _check_code(code: str, section: str, place: str) -> None:
    if not doublings(section) and not is_code(code):
        expected = f"one of {' '.join(CODES)}, or with numbers of cards such as S4 and D3s"
        raise StrategyError(f"{place}: expected a code, {expected}, got {code!r}")
    if doublings(section) and code not in DOUBLED_CODES:
        raise StrategyError(f"{place}: expected one of {' '.join(DOUBLED_CODES)} for doubled hands, got {code!r}")
    if section != "pairs" and code in ONLY_PAIRS:
        raise StrategyError(f"{place}: {code} splits, which only a pair can")


def _hand_name(hand: str, place: str) -> str:
    return format_values(hand_of(hand, place))


def evaluate(
    rules: AnyGame, strategy: Strategy, *, shoe: Shoe | None = None, passes: Passes | None = None
) -> RoundResult:
    """Return the odds of a whole round played by a strategy, exactly as it says.

    >>> from odds.game.rules import Rules
    >>> rules = Rules(decks=8)
    >>> mimic = uniform(rules, "mimic the dealer", {"hard": 17, "soft": 17})
    >>> round(evaluate(rules, mimic).house_edge, 4)
    0.0568

    Args:
        rules: the rules, or the game that has them, also by its name or file.
        strategy: what to do with every hand.
        shoe: the cards before the deal; `rules.decks` full decks if left out.
        passes: as in `analyze`.

    Raises:
        StrategyError: the strategy does not fit the rules.
        ShoeError: the shoe is too small for a deal.
    """
    rules = rules_of(rules)
    check_kind(strategy, Strategy, A_STRATEGY, StrategyError)
    return follow(rules, strategy.tables(rules), play=strategy.name, shoe=shoe, passes=passes)


def uniform(rules: AnyGame, name: str, hits: Mapping[str, int]) -> Strategy:
    """Return the strategy that hits below a hard and a soft total, and never doubles, splits or surrenders.

    >>> from odds.game.rules import Rules
    >>> mimic = uniform(Rules(), "mimic the dealer", {"hard": 17, "soft": 17})
    >>> mimic.code("hard", "16", "T"), mimic.code("pairs", "8,8", "6")
    ('H', 'H')

    Args:
        rules: for the columns.
        name: what the play is called.
        hits: the lowest `hard` and `soft` total that stands.
    """
    columns = tuple(group.label for group in played_groups(hand_terms(rules_of(rules)).dealer))
    codes = {}
    for section in SECTIONS:
        for row in ROWS[section]:
            kind, total = (section, row) if section != "pairs" else place_of(card.value for card in parse_cards(row))
            codes[section, row] = ("S" if int(total) >= hits[kind] else "H",) * len(columns)
    return Strategy(columns, codes, {}, name)
