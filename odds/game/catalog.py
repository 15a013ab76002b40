"""Named games: their rules, where those come from, and how sure each of them is.

A game is a TOML file, described in `docs/formats.md`; those the package brings are in `odds/games/`.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, cast

from odds.errors import CatalogError, RulesError, ShoeError
from odds.files import is_standard
from odds.game import toml
from odds.game.fields import FIELDS, check_kind, expected, show_value
from odds.game.quantities import published
from odds.game.rules import Rules, check_field
from odds.game.shoe import Shoe
from odds.game.toml import Catalogue, TomlError
from odds.shown import Shown

Status: TypeAlias = Literal["states", "open", "varies", "assumed"]

_PLAIN_TABLES: Final[tuple[Status, ...]] = ("states", "assumed")
_READING_TABLES: Final[tuple[Status, ...]] = ("open", "varies")
_READING_KEYS: Final = ("value", "other_readings", "note", "together")
_REQUIRED: Final = ("name", "title", "source")
_LISTS: Final = ("aliases", "urls", "side_bets")
_KEYS: Final = (*_REQUIRED, "summary", *_LISTS, "published", *_PLAIN_TABLES, *_READING_TABLES)
_PERCENTAGES: Final = ("rtp", "house_edge")


@dataclass(frozen=True, slots=True)
class Provenance:
    """How one rule of a game is known.

    Attributes:
        status: `states`, the source says it; `open`, it can be read in several ways; `varies`, it says it and
            other descriptions of the same game say something else; `assumed`, it does not mention it.
        readings: the values to consider, as `Rules` stores them; the first is the one the game has.
        note: why, or where the other readings come from; may be empty.
        together: other rules whose readings go with these, the first with the first and so on: one wording says both.
    """

    status: Status
    readings: tuple[Any, ...]
    note: str = ""
    together: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Game(Shown):
    """A game of the catalogue or of a file.

    Attributes:
        name: what commands call it.
        title: its name in print.
        rules: its rules, with the first reading of each.
        source: who says so.
        summary: one line about it.
        aliases: other names for it.
        urls: where the source can be read.
        side_bets: the side bets it offers: names of the catalogue, and paths of files.
        published: printed figures, `rtp` and `house_edge` as percentages with the digits they were printed
            with, and a `note` about them.
        provenance: of every field of the rules, how it is known.
    """

    name: str
    title: str
    rules: Rules
    source: str
    summary: str = ""
    aliases: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()
    side_bets: tuple[str, ...] = ()
    published: Mapping[str, str] = field(default_factory=dict, hash=False)
    provenance: Mapping[str, Provenance] = field(default_factory=dict, hash=False)

    @property
    def published_rtp(self) -> str | None:
        """The published RTP as a percentage such as `99.15%`, from the house edge where only that is printed.

        None where nothing is published.
        """
        if "house_edge" in self.published and "rtp" not in self.published:
            return f"{100 - Decimal(self.published['house_edge'].rstrip('%'))}%"
        return self.published.get("rtp")

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row for each rule, for pandas or polars.

        Columns: those of `Rules.to_rows`, and `status`, `other_readings` in words and `note` of `Provenance`.
        """
        rows = self.rules.to_rows()
        for row in rows:
            name, known = row["field"], self.provenance.get(row["field"], Provenance("assumed", ()))
            others = "; ".join(FIELDS[name].words(reading) for reading in known.readings[1:])
            row |= {"status": known.status, "other_readings": others, "note": known.note}
        return rows

    def facts(self) -> list[tuple[str, ...]]:
        """Return what the game is called, its rules, what is published of it, and the source."""
        said = {"Published RTP": self.published_rtp, "Side bets": ", ".join(self.side_bets), "Source": self.source}
        head = [("Game", f"{self.title} ({self.name})"), *self.rules.facts()]
        return [*head, *((label, text) for label, text in said.items() if text)]


# Whatever names rules: `rules_of` reads it.
AnyGame: TypeAlias = "Game | Rules | str | os.PathLike[str]"


def rules_of(game: AnyGame) -> Rules:
    """Return rules as they are, or those of a game: a `Game`, a name of the catalogue, or the path of a game file.

    >>> rules_of("eight-deck-s17") == rules_of(load_game("eight-deck-s17")) == load_game("eight-deck-s17").rules
    True

    Raises:
        RulesError: it is nothing of that.
        CatalogError: the game is unknown, or its file cannot be read.
    """
    return game if isinstance(game, Rules) else game_of(game, "a game, rules, or the name or file of a game").rules


def game_of(game: Game | str | os.PathLike[str], allowed: str = "a game, or its name or file") -> Game:
    """Return a game as it is, or that of a name of the catalogue, or of the path of a game file.

    Raises:
        RulesError: it is nothing of that.
        CatalogError: the game is unknown, or its file cannot be read.
    """
    found: object = load_game(game) if isinstance(game, str | os.PathLike) else game
    check_kind(found, Game, allowed, RulesError)
    return cast("Game", found)


def shoe_or_full(shoe: Shoe | None, rules: Rules) -> Shoe:
    """Return a shoe, or the full one of the rules where none is given.

    Raises:
        ShoeError: it is no shoe.
    """
    found = rules.shoe() if shoe is None else shoe
    check_kind(found, Shoe, "a Shoe", ShoeError)
    return found


@dataclass(frozen=True, slots=True)
class _Bet:
    """A side bet, as far as the game that offers it has to know."""

    name: str
    aliases: tuple[str, ...]


def games() -> tuple[str, ...]:
    """Return the names of the games that the package brings, in alphabetical order."""
    return CATALOGUE.names()


def load_game(name_or_path: str | os.PathLike[str]) -> Game:
    """Return a game.

    >>> load_game("face-up-21").rules.hole_card
    'exposed'

    Args:
        name_or_path: a name or an alias from the catalogue, or the path of a game file: a text is taken for a
            path if it ends in `.toml` or has a slash in it.

    Raises:
        CatalogError: the name is unknown, or the file cannot be read or is not a game file.
    """
    return CATALOGUE.load(name_or_path)


def _game(data: dict[str, Any], where: str) -> Game:
    toml.check_keys("", data, _KEYS, _REQUIRED)
    texts = {key: toml.filled_text(key, data[key]) for key in _REQUIRED}
    lists = {key: toml.text_list(key, data.get(key, [])) for key in _LISTS}
    rules, provenance = _rules(data)
    return Game(
        name=toml.name("name", texts["name"]),
        title=texts["title"],
        rules=rules,
        source=texts["source"],
        summary=toml.text("summary", data.get("summary", "")),
        aliases=lists["aliases"],
        urls=lists["urls"],
        side_bets=_side_bets(lists["side_bets"], Path(where).parent),
        published=_published(data),
        provenance=provenance,
    )


def _side_bets(names: Iterable[str], folder: Path) -> tuple[str, ...]:
    """Return the side bets of a game file as they are found from here: names of the catalogue, and paths.

    What a bet pays is read by `odds.sidebets`, when it is asked for; that it is there is checked when the game is read.
    """
    known, found = _BETS.names(), list[str]()
    for name in names:
        if name in known:
            bet = name
        elif is_standard(name):
            raise TomlError(f"side_bets: expected names of side bets and paths of their files, got {show_value(name)}")
        else:
            path = str(folder / name) if toml.is_path(name) else ""
            try:
                there = _BETS.load(path or name)
            except CatalogError as error:
                raise TomlError(f"side_bets: {error}") from None
            bet = path or there.name
        if bet in found:
            raise TomlError(f"side_bets: {show_value(name)} is there already")
        found.append(bet)
    return tuple(found)


def _published(data: Mapping[str, Any]) -> dict[str, str]:
    given = toml.table("published", data.get("published", {}))
    toml.check_keys("published.", given, (*_PERCENTAGES, "note"))
    figures = {key: toml.text(f"published.{key}", value) for key, value in given.items()}
    for key in (key for key in _PERCENTAGES if key in figures):
        try:
            figures[key] = published(figures[key], key)
        except ValueError as error:
            allowed = "a percentage such as '99.15%'"
            raise TomlError(f"published.{key}: {expected(allowed, figures[key], error)}") from None
    return figures


def _rules(data: Mapping[str, Any]) -> tuple[Rules, dict[str, Provenance]]:
    values: dict[str, Any] = {}
    found: dict[str, tuple[Status, list[Any], str, tuple[str, ...]]] = {}
    for status, name, value, others, note, together in _rule_entries(data):
        if name in found:
            raise TomlError(f"{status}.{name}: the rule is already under {found[name][0]}")
        values[name] = value
        found[name] = (status, others, note, together)
    rules = Rules.from_dict(values)
    rules.check_bonuses()
    provenance = {}
    for name in FIELDS:
        status, others, note, together = found.get(name, ("assumed", [], "", ()))
        provenance[name] = Provenance(status, _readings(rules, name, others, status), note, together)
    _check_together(provenance)
    return rules, provenance


def _check_together(provenance: Mapping[str, Provenance]) -> None:
    """Refuse rules that are said to vary together, but have not as many readings, or do not say so of each other."""
    for name, known in provenance.items():
        for other in known.together:
            here = f"{known.status}.{name}.together"
            if other == name or other not in provenance or len(provenance[other].readings) != len(known.readings):
                raise TomlError(f"{here}: expected rules with as many readings as {name} has, got {show_value(other)}")
            if name not in provenance[other].together:
                raise TomlError(f"{here}: {other} must name {name} too")


def _rule_entries(data: Mapping[str, Any]) -> Iterator[tuple[Status, str, Any, list[Any], str, tuple[str, ...]]]:
    """Yield of each rule in the file: status, field, value, other readings, note, and the rules it varies with."""
    for status in _PLAIN_TABLES:
        for name, value in toml.table(status, data.get(status, {})).items():
            _check_rule(status, name)
            if isinstance(value, dict):
                raise TomlError(f"{status}.{name}: expected a value, got a table")
            yield status, name, value, [], "", ()
    for status in _READING_TABLES:
        for name, entry in toml.table(status, data.get(status, {})).items():
            _check_rule(status, name)
            here = f"{status}.{name}"
            if not isinstance(entry, dict):
                raise TomlError(f"{here}: expected a table with value and other_readings, got {show_value(entry)}")
            toml.check_keys(f"{here}.", entry, _READING_KEYS, ("value", "other_readings"))
            others = entry["other_readings"]
            if not isinstance(others, list) or not others:
                raise TomlError(f"{here}.other_readings: expected a list of values, got {show_value(others)}")
            together = toml.text_list(f"{here}.together", entry.get("together", []))
            yield status, name, entry["value"], others, toml.text(f"{here}.note", entry.get("note", "")), together


def _check_rule(status: str, name: str) -> None:
    try:
        check_field(name)
    except RulesError as error:
        raise TomlError(f"{status}: {error}") from None


def _readings(rules: Rules, name: str, others: Iterable[Any], status: Status) -> tuple[Any, ...]:
    readings = [getattr(rules, name)]
    for other in others:
        try:
            reading = FIELDS[name].read(other)
        except RulesError as error:
            raise TomlError(f"{status}.{name}.other_readings: {error}") from None
        if reading in readings:
            there = str(reading) if isinstance(reading, Fraction) else reading
            raise TomlError(
                f"{status}.{name}.other_readings: {show_value(other)} is the same value as {show_value(there)}, which "
                "is there already"
            )
        readings.append(reading)
    return tuple(readings)


def _bet(data: dict[str, Any], _: str) -> _Bet:
    return _Bet(toml.name("name", data.get("name")), toml.text_list("aliases", data.get("aliases", [])))


_BETS: Final = Catalogue("side bet", "side bet", Path(__file__).parents[1] / "sidebets", _bet, CatalogError)
CATALOGUE: Final = Catalogue("game", "game file", Path(__file__).parents[1] / "games", _game, CatalogError)
