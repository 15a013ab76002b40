"""What a finished grid says of its rules: its extremes, what changes of rules are worth, means by fields."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from odds.errors import OddsError, suggestion
from odds.game.deck import INFINITE
from odds.game.fields import FIELDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Row: TypeAlias = "Mapping[str, Any]"
DECKS = "decks"


class Extreme(NamedTuple):
    """Rows with the lowest or the highest EV.

    Attributes:
        row: the first of them.
        alike: how many rows come to the same set of rules and pay, this one among them.
    """

    row: Row
    alike: int


class Effect(NamedTuple):
    """What one change of a rule is worth over all pairs of rows that differ in nothing else.

    Attributes:
        field: that changes.
        before: its value.
        after: the other one.
        mean: mean of EV after less EV before, per initial wager, over the pairs that it may make a difference to;
            None where there is none.
        least: the least such difference.
        most: the greatest.
        least_at: the row before, where the difference is least; None where there is none.
        most_at: where it is greatest.
        pairs: how many pairs it may make a difference to.
        without: how many pairs come to the same set of rules, so that it makes none.
    """

    field: str
    before: Any
    after: Any
    mean: float | None
    least: float | None
    most: float | None
    least_at: Row | None
    most_at: Row | None
    pairs: int
    without: int

    def to_dict(self) -> dict[str, Any]:
        """Return the effect as JSON takes it, with the `rules_id` of the rows where it is least and greatest."""
        where = {
            name: row and row["rules_id"] for name, row in (("least_at", self.least_at), ("most_at", self.most_at))
        }
        return {**self._asdict(), **where}


def extremes(rows: Iterable[Row], number: int = 5) -> tuple[list[Extreme], list[Extreme]]:
    """Return the rows of the lowest EV, lowest first, and those of the highest, highest first.

    Args:
        rows: of a grid.
        number: how many of each, those that cannot differ counting as one.
    """
    first: dict[tuple[Any, ...], Row] = {}
    alike: Counter[tuple[Any, ...]] = Counter()
    for row in rows:
        alike[_same(row)] += 1
        first.setdefault(_same(row), row)
    ranked = sorted(first, key=lambda key: first[key]["ev"])
    low, high = ranked[:number], ranked[: -number - 1 : -1]
    return tuple([Extreme(first[key], alike[key]) for key in keys] for keys in (low, high))  # type: ignore[return-value]


def effects(rows: Sequence[Row], fields: Sequence[str]) -> list[Effect]:
    """Return what each change of a rule is worth.

    Args:
        rows: of a grid.
        fields: that vary. Of decks each number is compared with the next one, else each value with the first.
    """
    found = []
    for place, field in enumerate(fields):
        others = [name for name in fields if name != field]
        groups: dict[tuple[Any, ...], dict[Any, Row]] = {}
        values: dict[Any, None] = {}
        for row in rows:
            groups.setdefault(tuple(row[name] for name in others), {})[row[field]] = row
            values[row[field]] = None
        order = sorted(values, key=rank) if field == DECKS else list(values)
        changes = pairwise(order) if field == DECKS else ((order[0], value) for value in order[1:])
        found += [_effect(fields[place], before, after, groups.values()) for before, after in changes]
    return found


def _effect(field: str, before: Any, after: Any, groups: Iterable[Mapping[Any, Row]]) -> Effect:
    pairs = [(group[before], group[after]) for group in groups if before in group and after in group]
    told = [(row, other) for row, other in pairs if _same(row) != _same(other)]
    differences = [other["ev"] - row["ev"] for row, other in told]
    if not differences:
        return Effect(field, before, after, None, None, None, None, None, 0, len(pairs))
    least, most = min(differences), max(differences)
    return Effect(
        field,
        before,
        after,
        sum(differences) / len(differences),
        least,
        most,
        told[differences.index(least)][0],
        told[differences.index(most)][0],
        len(told),
        len(pairs) - len(told),
    )


def means(rows: Iterable[Row], *fields: str) -> dict[tuple[Any, ...], float]:
    """Return the mean EV of the rows by their values of some fields, in the order in which these come."""
    sums: dict[tuple[Any, ...], list[float]] = {}
    for row in rows:
        of_values = sums.setdefault(tuple(row[field] for field in fields), [0.0, 0])
        of_values[0] += row["ev"]
        of_values[1] += 1
    return {values: total / number for values, (total, number) in sums.items()}


def check_varied(option: str, name: str, fields: Sequence[str]) -> str:
    """Return a field that varies.

    Raises:
        OddsError: it does not.
    """
    if name not in fields:
        hint = suggestion(name, fields, f"varied are {', '.join(fields) or 'none'}")
        raise OddsError(f"{option}: expected a field that varies in the grid, got {name!r}; {hint}")
    return name


def rank(decks: Any) -> float:
    """Return where a number of decks stands in their order, infinitely many last."""
    return float("inf") if decks == INFINITE else float(decks)


def words(field: str, value: Any) -> str:
    """Return the value of a field as rows have it, in words, in shorthand where there is one."""
    if field not in FIELDS:
        return f"{field} {value}"
    stored = FIELDS[field].read(value)
    return FIELDS[field].short(stored) or FIELDS[field].words(stored)


def _same(row: Row) -> tuple[Any, ...]:
    """Return what rows that cannot differ have in common."""
    return row["distinct_id"], row["blackjack_pays"]
