"""A grid of rules: the fields that vary, their values, and every combination of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from odds.errors import OddsError, RulesError
from odds.files import read_text
from odds.game.cards import count_cards
from odds.game.catalog import game_of
from odds.game.fields import show_value, written
from odds.game.rules import Rules, check_field
from odds.game.shoe import Shoe, by_symbol
from odds.sweep.where import SHOE, read_condition

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from odds.game.catalog import AnyGame
    from odds.sweep.where import Condition

MOST: Final = 10_000_000  # combinations that a grid has without being forced
_RANGE: Final = re.compile(r"\s*(\d+)\s*\.\.\s*(\d+)\s*")


class Axis(NamedTuple):
    """What varies, and through which values.

    Attributes:
        name: a field of the rules, or `shoe`.
        values: as rules store them; the names of shoes.
    """

    name: str
    values: tuple[Any, ...]


class Combination(NamedTuple):
    """One combination of values.

    Attributes:
        number: its place among all, from 0, those counted too that conditions leave out.
        rules: its rules.
        shoe: its shoe, where that is not full decks of the rules.
        shoe_name: what the grid calls that shoe.
    """

    number: int
    rules: Rules
    shoe: Shoe | None
    shoe_name: str | None


@dataclass(frozen=True)
class Grid:
    """Every combination of the values of some axes.

    Attributes:
        game: the name of the game whose rules do not vary; empty where rules were given.
        base: its rules.
        axes: what varies; the last varies fastest.
        where: what combinations have to meet.
        shoes: the shoes by their names, where they vary.
    """

    game: str
    base: Rules
    axes: tuple[Axis, ...]
    where: Condition | None
    shoes: Mapping[str, Shoe] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How many combinations there are, those too that conditions leave out."""
        return prod(len(axis.values) for axis in self.axes)

    def combinations(self) -> Iterator[Combination]:
        """Yield the combinations that meet the conditions, in their order.

        Raises:
            RulesError: the rules refuse one; the message names it.
        """
        names = [axis.name for axis in self.axes]
        for number, values in enumerate(product(*(axis.values for axis in self.axes))):
            changes = dict(zip(names, values, strict=True))
            name = changes.pop(SHOE, None)
            try:
                rules, refused = self.base.replace(**changes), None
            except RulesError as error:
                rules, refused = Rules.of_fields({**self.base.__dict__, **changes}), error
            try:
                holds = self.where is None or self.where.holds({**rules.__dict__, SHOE: name})
            except OddsError as error:
                raise type(error)(f"{_words(names, values)}: {error}") from None
            if holds and refused is not None:
                raise RulesError(f"{_words(names, values)}: {refused}; a condition (where) can leave it out") from None
            if holds:
                yield Combination(number, rules, None if name is None else self.shoes[name], name)

    def words(self, combination: Combination) -> str:
        """Return a combination in words, such as `decks=6, max_hands=2`."""
        names = [axis.name for axis in self.axes]
        rules = combination.rules
        return _words(names, [combination.shoe_name if name == SHOE else getattr(rules, name) for name in names])


def _words(names: Iterable[str], values: Iterable[Any]) -> str:
    return ", ".join(f"{name}={written(value)}" for name, value in zip(names, values, strict=True))


def grid_of(game: AnyGame, vary: Mapping[str, object], *, where: str | Sequence[str] = (), force: bool = False) -> Grid:
    """Return a grid.

    Args:
        game: the rules that do not vary, or the game that has them, also by its name or file.
        vary: of each field its values: a list, a range, or a text as `parse_vary` takes it; of `shoe` a mapping from
            name to shoe or cards, or the path of a file with a line `NAME: CARDS` for each.
        where: conditions, see `read_condition`.
        force: take more than 10,000,000 combinations.

    Raises:
        OddsError: a field is unknown, has no value or one that it does not take, or there are too many combinations.
    """
    base = game if isinstance(game, Rules) else game_of(game, "a game, rules, or the name or file of a game")
    if not isinstance(vary, Mapping) or not vary:
        raise OddsError(f"vary: expected a field at least, with its values, got {show_value(vary)}")
    if {SHOE, "decks"} <= set(vary):
        raise OddsError("vary: expected decks or shoe, got both, which say what the cards are")
    shoes = _shoes(vary[SHOE]) if SHOE in vary else {}
    listed = {name: list(shoes) if name == SHOE else _listed(name, given) for name, given in vary.items()}
    size = prod(map(len, listed.values()))
    if size > MOST and not force:
        raise OddsError(f"vary: expected at most {MOST:,} combinations, got {size:,}; more are only taken with --force")
    axes = tuple(Axis(name, tuple(shoes) if name == SHOE else _read(name, given)) for name, given in listed.items())
    rules, of_game = (base, "") if isinstance(base, Rules) else (base.rules, base.name)
    return Grid(of_game, rules, axes, read_condition(where), shoes)


def parse_vary(text: str) -> tuple[str, object]:
    """Return the field of a text `FIELD=VALUES`, and its values, or the path of a file of shoes.

    >>> parse_vary("decks=1,2,4..6,infinite")
    ('decks', ['1', '2', 4, 5, 6, 'infinite'])
    >>> parse_vary("peek_under=A,T; T")
    ('peek_under', ['A,T', 'T'])

    Args:
        text: commas part the values, or semicolons where there is one, as values may have commas.

    Raises:
        RulesError: the text has another form.
    """
    name, sign, values = (part.strip() for part in text.partition("="))
    if not sign or not name:
        raise RulesError(f"expected FIELD=VALUE,VALUE, such as decks=1,2,4..8, got {show_value(text)}")
    return name, Path(values) if name == SHOE else list(_listed(name, values))


def _listed(name: str, given: object) -> Sequence[object]:
    """Return the values of a field, of a text its parts; a range stays one where it is all."""
    check_field(name)
    if isinstance(given, range):
        found: Sequence[object] = given
    elif isinstance(given, str):
        parts = [part.strip() for part in given.split(";" if ";" in given else ",")]
        ranges = [_range(name, part) for part in parts if part]
        found = ranges[0] if len(ranges) == 1 else [value for values in ranges for value in values]
    else:
        found = list(given) if isinstance(given, Iterable) and not isinstance(given, Mapping) else [given]
    if not found:
        raise RulesError(f"{name}: expected a value at least, got none")
    return found


def _range(name: str, text: str) -> Sequence[object]:
    ends = _RANGE.fullmatch(text)
    if ends is None:
        return [text]
    low, high = map(int, ends.groups())
    if low > high or high - low >= MOST:
        raise RulesError(
            f"{name}: expected a range from a number to a higher one, such as 4..8, got {show_value(text)}"
        )
    return range(low, high + 1)


def _read(name: str, given: Sequence[object]) -> tuple[Any, ...]:
    """Return the values of a field as rules store them, each once."""
    values = tuple(map(check_field(name).read, given))
    if again := next((value for value, number in Counter(values).items() if number > 1), None):
        raise RulesError(f"{name}: {written(again)} is given twice")
    return values


def _shoes(given: object) -> dict[str, Shoe]:
    """Return shoes by their names, of a mapping or of a file."""
    cards: Mapping[str, object]
    if isinstance(given, Mapping):
        cards = given
    elif isinstance(given, str | Path):
        cards = _shoe_lines(Path(given))
    else:
        raise OddsError(f"shoe: expected a mapping from name to shoe, or a file, got {show_value(given)}")
    if not cards:
        raise OddsError("shoe: expected a shoe at least, got none")
    try:
        return {
            str(name): shoe if isinstance(shoe, Shoe) else Shoe.of_counts(by_symbol(count_cards(str(shoe))))
            for name, shoe in cards.items()
        }
    except OddsError as error:
        raise type(error)(f"shoe: {error}") from None


def _shoe_lines(path: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for number, line in enumerate(read_text(path, "file of shoes").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, colon, cards = (part.strip() for part in line.partition(":"))
        if not (colon and name and cards) or name in found:
            expected = "NAME: CARDS, such as rich: 20xA,80xT" if name not in found else f"another name than {name}"
            raise OddsError(f"{path}: line {number}: expected {expected}, got {show_value(line)}")
        found[name] = cards
    return found
