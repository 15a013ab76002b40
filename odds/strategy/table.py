"""Strategies: tables that say what to do with a hard total, a soft total or a pair against each dealer start.

A strategy is text in a grid. It can be written to CSV or JSON, read back, and turned into the play of every hand. It
looks at the total only, except for exceptions that name exact cards.
"""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from odds._kernel import DOUBLE, HIT, STAND
from odds.engine.dealer import dealer_starts
from odds.engine.decisions import stands_by_itself, surrender_offered
from odds.engine.hands import N_VALUES, player_hands
from odds.engine.play import StartTable
from odds.engine.player import doubles
from odds.engine.splitting import draws_after_split, hands_of_split, may_double_split
from odds.errors import HandError, StrategyError
from odds.game.cards import RANKS, format_values, hand_total, parse_cards
from odds.results.round import follow
from odds.results.starts import start_groups

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from odds.game.rules import Rules
    from odds.game.shoe import Shoe
    from odds.results.round import RoundResult

CODES = {
    "S": "stand",
    "H": "hit",
    "D": "double, else hit",
    "Ds": "double, else stand",
    "P": "split, else as the total",
    "Ph": "split if it may be doubled after, else hit",
    "Pd": "split if it may be doubled after, else double, else hit",
    "Rh": "surrender, else hit",
    "Rs": "surrender, else stand",
    "Rp": "surrender, else split, else as the total",
    "Rd": "surrender, else double, else hit",
}
SECTIONS = ("hard", "soft", "pairs")
HARD_ROWS = tuple(str(total) for total in range(4, 21))
SOFT_ROWS = tuple(str(total) for total in range(12, 21))
PAIR_ROWS = tuple(f"{rank},{rank}" for rank in RANKS)
ROWS = {"hard": HARD_ROWS, "soft": SOFT_ROWS, "pairs": PAIR_ROWS}
_EXCEPTIONS = "exceptions"

Place = tuple[str, str]  # section and row


class _Meaning(NamedTuple):
    """What a code asks for, in the order in which it is tried."""

    surrender: bool
    split: bool
    split_if_doubled: bool  # only where a hand may be doubled after a split
    double: bool
    otherwise: str  # "stand", "hit", or "total": as the row of the total says


_MEANINGS = {
    "S": _Meaning(False, False, False, False, "stand"),
    "H": _Meaning(False, False, False, False, "hit"),
    "D": _Meaning(False, False, False, True, "hit"),
    "Ds": _Meaning(False, False, False, True, "stand"),
    "P": _Meaning(False, True, False, False, "total"),
    "Ph": _Meaning(False, False, True, False, "hit"),
    "Pd": _Meaning(False, False, True, True, "hit"),
    "Rh": _Meaning(True, False, False, False, "hit"),
    "Rs": _Meaning(True, False, False, False, "stand"),
    "Rp": _Meaning(True, True, False, False, "total"),
    "Rd": _Meaning(True, False, False, True, "hit"),
}
ONLY_PAIRS = tuple(code for code, m in _MEANINGS.items() if m.split or m.split_if_doubled)
STANDING = tuple(code for code, m in _MEANINGS.items() if m.otherwise == "stand")


@dataclass(frozen=True, slots=True)
class Strategy:
    """A total-dependent strategy, with exceptions for exact cards.

    Attributes:
        columns: the dealer's starts across: `2` to `9`, `T`, `A`, or for an exposed dealer `hard 4` to `soft 20`.
        codes: by section and row, a code of `CODES` for each column.
        exceptions: by hand (such as `2,T`) and column, a code that stands in for that of its row.
        name: what the play is called.
    """

    columns: tuple[str, ...]
    codes: Mapping[Place, tuple[str, ...]]
    exceptions: Mapping[tuple[str, str], str] = field(default_factory=dict)
    name: str = field(default="strategy", compare=False)

    def __post_init__(self) -> None:
        for (section, row), codes in self.codes.items():
            if section not in SECTIONS or row not in ROWS[section]:
                raise StrategyError(f"expected a row such as hard 16, soft 18 or pairs 8,8, got {section} {row}")
            if len(codes) != len(self.columns):
                raise StrategyError(f"{section} {row}: expected {len(self.columns)} codes, got {len(codes)}")
            for column, code in zip(self.columns, codes, strict=True):
                _check_code(code, section, f"{section} {row} against {column}")
        for (hand, column), code in self.exceptions.items():
            place = f"exception {hand} against {column}"
            section, _ = place_of(_values(hand, place))
            if column not in self.columns:
                raise StrategyError(f"{place}: expected a column, one of {', '.join(self.columns)}")
            _check_code(code, "pairs" if _is_pair(_values(hand, place)) else section, place)

    def code(self, section: str, row: str, column: str) -> str:
        """Return the code of a cell."""
        return self.codes[section, row][self.columns.index(column)]

    def with_code(self, section: str, row: str, column: str, code: str) -> Strategy:
        """Return the strategy with one cell changed."""
        codes = list(self.codes[section, row])
        codes[self.columns.index(column)] = code
        return Strategy(self.columns, {**self.codes, (section, row): tuple(codes)}, self.exceptions, self.name)

    def column(self, column: str) -> dict[Place, str]:
        """Return the codes of one column by section and row."""
        at = self.columns.index(column)
        return {place: codes[at] for place, codes in self.codes.items()}

    def check(self, rules: Rules) -> Strategy:
        """Return the strategy if it says what to do with every hand under the rules.

        Raises:
            StrategyError: a column or a row is missing, or a column is not one of the game's.
        """
        wanted = tuple(group.label for group in start_groups(rules) if group.kind != "blackjack")
        missing = [label for label in wanted if label not in self.columns]
        if missing:
            raise StrategyError(
                f"{self.name}: expected a column for the dealer's {missing[0]}; has {', '.join(self.columns)}"
            )
        strange = [label for label in self.columns if label not in wanted]
        if strange:
            raise StrategyError(
                f"{self.name}: column {strange[0]} is none of this game's, which are {', '.join(wanted)}"
            )
        for section in SECTIONS if rules.max_hands > 1 else SECTIONS[:2]:
            for row in ROWS[section]:
                if (section, row) not in self.codes:
                    raise StrategyError(f"{self.name}: missing row: {section} {row}")
        return self

    def tables(self, rules: Rules) -> dict[tuple[int, ...], StartTable]:
        """Return the play of every hand, by the dealer's cards.

        Raises:
            StrategyError: see `check`.
        """
        self.check(rules)
        result = {}
        for group in start_groups(rules):
            if group.kind == "blackjack":
                continue
            codes = self.column(group.label)
            exceptions = {hand: code for (hand, column), code in self.exceptions.items() if column == group.label}
            labels = set(group.starts)
            for start in dealer_starts(rules):
                if start.label in labels:
                    play = ColumnPlay(codes, exceptions, rules, surrender_offered(rules, start))
                    result[start.cards] = play.table(start.cards)
        return result

    def to_csv(self) -> str:
        """Return the strategy as CSV: section, row, a code for each column; exceptions last, with blanks."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["section", "row", *self.columns])
        for (section, row), codes in self.codes.items():
            writer.writerow([section, row, *codes])
        for hand in dict.fromkeys(hand for hand, _ in self.exceptions):
            writer.writerow([_EXCEPTIONS, hand, *(self.exceptions.get((hand, column), "") for column in self.columns)])
        return text.getvalue()

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
        """Return the strategy of a CSV text, as `to_csv` writes it; lines that start with # are passed over.

        Raises:
            StrategyError: naming the line.
        """
        lines = [[cell.strip() for cell in line] for line in csv.reader(io.StringIO(text))]
        numbered = [(number, line) for number, line in enumerate(lines, 1) if any(line) and not line[0].startswith("#")]
        if not numbered or [cell.lower() for cell in numbered[0][1][:2]] != ["section", "row"]:
            raise StrategyError(f"{name}: expected a first line that starts with section,row and names the columns")
        columns = tuple(numbered[0][1][2:])
        if not columns or "" in columns or len(set(columns)) != len(columns):
            raise StrategyError(f"{name}: line {numbered[0][0]}: expected different columns, got {','.join(columns)!r}")
        codes: dict[Place, tuple[str, ...]] = {}
        exceptions: dict[tuple[str, str], str] = {}
        for number, (section, *rest) in numbered[1:]:
            where = f"{name}: line {number}"
            row, given = (rest[0], rest[1:]) if rest else ("", [])
            if len(given) != len(columns):
                raise StrategyError(f"{where}: expected {len(columns)} codes after section and row, got {len(given)}")
            if section == _EXCEPTIONS:
                for column, code in zip(columns, given, strict=True):
                    if code:
                        exceptions[_hand_name(row, where), column] = code
            elif (section, row) in codes:
                raise StrategyError(f"{where}: row {section} {row} is there twice")
            else:
                codes[section, row] = tuple(given)
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
        columns = tuple(data["columns"])
        found: dict[Place, dict[str, str]] = {}
        for at, cell in enumerate(data["cells"]):
            where = f"{name}: cells[{at}]"
            if not isinstance(cell, dict):
                raise StrategyError(f"{where}: expected an object with section, row and codes, or column and code")
            place = (str(cell.get("section")), str(cell.get("row")))
            if "codes" in cell:
                if not _texts(cell["codes"]) or len(cell["codes"]) != len(columns):
                    raise StrategyError(f"{where}: codes: expected {len(columns)} texts")
                new = dict(zip(columns, cell["codes"], strict=True))
            elif _texts([cell.get("column"), cell.get("code")]):
                new = {cell["column"]: cell["code"]}
            else:
                raise StrategyError(f"{where}: expected section, row and codes (texts), or column and code")
            row = found.setdefault(place, {})
            twice = row.keys() & new.keys()
            if twice:
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
            exceptions[_hand_name(item["hand"], f"{name}: exceptions[{at}]"), item["column"]] = item["code"]
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
            return cls(columns, codes, exceptions, name)
        except StrategyError as error:
            raise StrategyError(f"{name}: {error}") from None


def read_strategy(path: Path) -> Strategy:
    """Return the strategy of a file: JSON if its name ends in `.json`, else CSV.

    Raises:
        StrategyError: it cannot be read, or is no strategy.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is not UTF-8 text"
        raise StrategyError(f"cannot read the strategy {str(path)!r}: {reason}") from None
    read = Strategy.from_json if path.suffix.lower() == ".json" else Strategy.from_csv
    return read(text, path.name)


def _texts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, str) for item in value)


def _check_code(code: str, section: str, place: str) -> None:
    if code not in CODES:
        raise StrategyError(f"{place}: expected a code, one of {' '.join(CODES)}, got {code!r}")
    if section != "pairs" and code in ONLY_PAIRS:
        raise StrategyError(f"{place}: {code} splits, which only a pair can")


def _values(hand: str, place: str) -> tuple[int, ...]:
    try:
        values = tuple(sorted(card.value for card in parse_cards(hand)))
    except HandError as error:
        raise StrategyError(f"{place}: {error}") from None
    if len(values) < 2 or sum(value + 1 for value in values) > 21:
        raise StrategyError(f"{place}: expected a hand of two or more cards and at most 21")
    return values


def _hand_name(hand: str, place: str) -> str:
    return format_values(_values(hand, place))


def _is_pair(values: tuple[int, ...]) -> bool:
    return len(values) == 2 and values[0] == values[1]


def by_hand(exceptions: Mapping[str, str]) -> dict[int, str]:
    """Return the codes of exceptions by the index of the hand."""
    return {player_hands().find(_values(hand, hand)): code for hand, code in exceptions.items()}


def place_of(values: Iterable[int]) -> Place:
    """Return the section and the row of a hand's total."""
    total, soft = hand_total(values)
    return ("soft" if soft else "hard"), str(total)


@cache
def total_rows() -> NDArray[np.int64]:
    """Return by hand the number of its total row: hard totals as they are, soft ones from 32."""
    graph = player_hands().graph
    rows: NDArray[np.int64] = graph.total.astype(np.int64) + 32 * (graph.soft != 0)
    return rows


class TwoCards(NamedTuple):
    """What the rules say about two cards, before a split or as a hand of one."""

    hand: int
    values: tuple[int, int]
    total: Place
    finished: bool  # it stands by itself
    double: bool
    split: bool


@lru_cache(maxsize=8)
def two_cards(rules: Rules) -> tuple[tuple[TwoCards, ...], dict[int, tuple[TwoCards, ...]]]:
    """Return all hands of two cards, and by pair card those of a split of it."""
    pairs, may_double = player_hands().pairs, doubles(rules)

    def entry(a: int, b: int, allowed: NDArray[np.uint8], splits: bool) -> TwoCards:
        hand = int(pairs[a, b])
        finished = stands_by_itself(hand, rules)
        return TwoCards(hand, (a, b), place_of((a, b)), finished, bool(allowed[hand]) and not finished, splits)

    first = tuple(
        entry(a, b, may_double, a == b and hands_of_split(rules, a) > 1)
        for a in range(N_VALUES)
        for b in range(a, N_VALUES)
    )
    after = {
        pair: tuple(entry(pair, second, may_double_split(rules, pair), False) for second in range(N_VALUES))
        for pair in range(N_VALUES)
        if hands_of_split(rules, pair) > 1
    }
    return first, after


class ColumnPlay:
    """What a column of a strategy does with every hand; see `StartTable`.

    Attributes:
        first: the action of two cards, by the index of the hand and whether it may be split.
        unsplit: by hand of three cards or more, 0 stand, 1 hit.
    """

    def __init__(self, codes: Mapping[Place, str], exceptions: Mapping[str, str], rules: Rules, surrender: str) -> None:
        """Work out the play.

        Args:
            codes: by section and row.
            exceptions: by hand.
            rules: the rules.
            surrender: `none`, `late` or `early`: how it is offered against the column.
        """
        self._codes, self._rules = codes, rules
        self._special = by_hand(exceptions)
        standing = np.zeros(64, dtype=bool)
        standing[[21, 32 + 21]] = True
        for (section, row), code in codes.items():
            if section != "pairs":
                standing[int(row) + 32 * (section == "soft")] = code in STANDING
        self.unsplit: NDArray[np.uint8] = np.where(standing[total_rows()], STAND, HIT).astype(np.uint8)
        for hand, code in self._special.items():
            self.unsplit[hand] = STAND if code in STANDING else HIT
        offered, again = surrender != "none", rules.double_after_split
        self.first: dict[tuple[int, bool], str] = {}
        for entry in two_cards(rules)[0]:
            total_code = self._total_code(entry)
            code = self._special.get(entry.hand, total_code)
            self.first[entry.hand, False] = resolve(code, total_code, offered, False, entry.double, again)
            if entry.values[0] == entry.values[1]:
                code = self._special.get(entry.hand) or self._pair_code(entry, total_code)
                action = resolve(code, total_code, offered, entry.split, entry.double, again)
                self.first[entry.hand, True] = action
        self._after: dict[int, NDArray[np.uint8]] = {}

    def _total_code(self, entry: TwoCards) -> str:
        return self._codes.get(entry.total, "S")  # there is no row for 21, which stands

    def _pair_code(self, entry: TwoCards, total_code: str) -> str:
        return self._codes["pairs", PAIR_ROWS[entry.values[0]]] if self._rules.max_hands > 1 else total_code

    def after_split(self, pair: int) -> NDArray[np.uint8]:
        """Return the play of the hands of a split of a pair that may be split: by hand 0 stand, 1 hit, 2 double."""
        if pair not in self._after:
            rules = self._rules
            numbers = {"stand": STAND, "hit": HIT if draws_after_split(rules, pair) else STAND, "double": DOUBLE}
            play = self.unsplit.copy()
            for entry in two_cards(rules)[1][pair]:
                total_code = self._total_code(entry)
                code = self._special.get(entry.hand)
                if code is None:
                    code = self._pair_code(entry, total_code) if entry.values[1] == pair else total_code
                action = resolve(code, total_code, False, False, entry.double, rules.double_after_split)
                play[entry.hand] = STAND if entry.finished else numbers[action]
            self._after[pair] = play
        return self._after[pair]

    def table(self, cards: tuple[int, ...]) -> StartTable:
        """Return the play as a table for a dealer start."""
        after = {pair: self.after_split(pair) for pair in two_cards(self._rules)[1]}
        return StartTable(cards, self.first, self.unsplit, after)


def cell_action(code: str, codes: Mapping[Place, str], place: Place, allowed: tuple[str, ...], rules: Rules) -> str:
    """Return what a cell does with the first two cards.

    Args:
        code: of the cell.
        codes: of its column.
        place: its section and row.
        allowed: the legal actions.
        rules: the rules.
    """
    total = place if place[0] != "pairs" else place_of((PAIR_ROWS.index(place[1]),) * 2)
    return resolve(
        code,
        codes.get(total, "S"),
        "surrender" in allowed,
        "split" in allowed,
        "double" in allowed,
        rules.double_after_split,
    )


@cache
def resolve(code: str, total_code: str, surrender: bool, split: bool, double: bool, split_doubles: bool) -> str:
    """Return what a code does where surrendering, splitting and doubling are allowed or not."""
    meaning = _MEANINGS[code]
    if meaning.surrender and surrender:
        return "surrender"
    if split and (meaning.split or (meaning.split_if_doubled and split_doubles)):
        return "split"
    if meaning.double and double:
        return "double"
    if meaning.otherwise == "total":
        return resolve(total_code, "S", surrender, False, double, split_doubles)
    return meaning.otherwise


def evaluate(rules: Rules, strategy: Strategy, *, shoe: Shoe | None = None) -> RoundResult:
    """Return the odds of a whole round played by a strategy, exactly as it says.

    >>> from odds.game.rules import Rules
    >>> rules = Rules(decks=8)
    >>> mimic = uniform(rules, "mimic the dealer", {"hard": 17, "soft": 17})
    >>> round(evaluate(rules, mimic).house_edge, 4)
    0.0568

    Args:
        rules: the rules.
        strategy: what to do with every hand.
        shoe: the cards before the deal; `rules.decks` full decks if left out.

    Raises:
        StrategyError: the strategy does not fit the rules.
        ShoeError: the shoe is too small for a deal.
    """
    return follow(rules, strategy.tables(rules), play=strategy.name, shoe=shoe)


def uniform(rules: Rules, name: str, hits: Mapping[str, int]) -> Strategy:
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
    columns = tuple(group.label for group in start_groups(rules) if group.kind != "blackjack")
    codes = {}
    for section in SECTIONS:
        for row in ROWS[section]:
            kind, total = (section, row) if section != "pairs" else place_of(card.value for card in parse_cards(row))
            codes[section, row] = ("S" if int(total) >= hits[kind] else "H",) * len(columns)
    return Strategy(columns, codes, {}, name)
