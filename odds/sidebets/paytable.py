"""Side bets as data: what they look at, what each line of a paytable pays, and the files that say so.

A side bet is a TOML file, described in `docs/formats.md`; those the package brings are beside this module.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from odds.errors import PaytableError, suggestion
from odds.game import quantities, toml
from odds.game.fields import FIELDS, FREE_FIELDS, expected, show_value
from odds.game.toml import Catalogue, TomlError
from odds.shown import Shown, with_exact
from odds.sidebets.conditions import BETS, HAND, LAYOUTS, ROUND, Condition, ConditionReader
from odds.sidebets.meter import MAX_PAY, Meter, read_meter, read_shared_pay, read_value, units

MAX_LINES: Final = 100
LOSING_LINE: Final = "All others"

_SHARED: Final = ("cards", "offered", "losing_line", "meter", "source", "note", "urls")
_KEYS: Final = ("name", "title", "summary", "aliases", *_SHARED, "conditions", "lines", "paytables")
_PAYTABLE_KEYS: Final = ("name", *_SHARED, "lines")
_ONLY: Final = "standard"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a paytable.

    Attributes:
        name: as it is printed.
        pays: units won per unit bet, to one; 0 gives the bet back. A share of the meter is in it as the meter stands.
        when: the hands it is paid on, if no line of a higher rank is.
        share: the share of the meter that is paid.
        for_one: the file says what it pays for one, with the bet, and not to one.
    """

    name: str
    pays: Fraction
    when: Condition = field(repr=False)
    share: Fraction = Fraction(0)
    for_one: bool = False

    @property
    def rank(self) -> tuple[Fraction, Fraction]:
        """What decides which of several lines is paid: the share of the meter, whatever it shows, then the pay."""
        return self.share, self.pays


@dataclass(frozen=True, slots=True)
class Paytable:
    """What a side bet pays.

    Attributes:
        name: what `--paytable` calls it.
        cards: the cards that the bet looks at, one of `LAYOUTS`.
        lines: in the printed order, without the losing one.
        losing_line: what the losing line is called.
        offered: when the bet can be made at all; None where always. Probabilities are given that it can be.
        source: who says so.
        urls: where the source can be read.
        note: what else there is to say.
        meter: what some of its lines pay a share of; None where none does.
    """

    name: str
    cards: str
    lines: tuple[Line, ...]
    losing_line: str = LOSING_LINE
    offered: Condition | None = field(default=None, repr=False)
    source: str = ""
    urls: tuple[str, ...] = ()
    note: str = ""
    meter: Meter | None = None

    @property
    def label(self) -> str:
        """Its name, and what the meter shows where there is one."""
        return self.name if self.meter is None else f"{self.name}, meter at {units(self.meter.value)}"

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """All conditions: of the lines, and of the offer."""
        offered = () if self.offered is None else (self.offered,)
        return (*(line.when for line in self.lines), *offered)

    @property
    def plays_dealer(self) -> bool:
        """Whether the bet depends on how the dealer plays his hand out."""
        return HAND in LAYOUTS[self.cards]

    @property
    def counts_free_bets(self) -> bool:
        """Whether the bet depends on how many bets of a round are free."""
        return BETS in LAYOUTS[self.cards]

    @property
    def plays_round(self) -> bool:
        """Whether the bet depends on how the player's hand ends, and so on how he plays."""
        return ROUND[0] in LAYOUTS[self.cards]

    @property
    def rules(self) -> tuple[str, ...]:
        """The fields of the rules that the bet looks at, beside those on what is in the shoe."""
        if self.plays_round:
            return tuple(FIELDS)
        return ("dealer_hits_soft_17",) * self.plays_dealer + FREE_FIELDS * self.counts_free_bets

    @property
    def plays_on(self) -> bool:
        """Whether the bet looks at more than the cards of a deal: how many it takes differs from round to round."""
        return self.plays_dealer or self.counts_free_bets

    @property
    def pays(self) -> tuple[Fraction, ...]:
        """What each line pays, and last the losing one."""
        return (*(line.pays for line in self.lines), Fraction(-1))

    def line(self, name: str) -> int:
        """Return which line has this name, counted from 0; capitals do not matter.

        Raises:
            PaytableError: none has, with the nearest name.
        """
        names = [line.name.lower() for line in self.lines]
        wanted = " ".join(name.lower().split())
        if wanted in names:
            return names.index(wanted)
        shown = [line.name for line in self.lines]
        hint = suggestion(wanted, shown, f"the lines are {', '.join(shown)}")
        raise PaytableError(f"unknown line {show_value(name)}; {hint}")

    def with_pays(self, pays: Mapping[int, Fraction]) -> Paytable:
        """Return the paytable with other pays on some lines, by their numbers from 0."""
        lines = (replace(line, pays=pays.get(index, line.pays)) for index, line in enumerate(self.lines))
        return replace(self, lines=tuple(lines))

    def with_meter(self, value: object) -> Paytable:
        """Return the paytable with another number of units of the bet on its meter.

        Raises:
            PaytableError: it is no such number, or no line pays a share of a meter.
        """
        if self.meter is None:
            raise PaytableError(f"meter: no line of paytable {self.name} pays a share of a meter")
        meter = replace(self.meter, value=read_value(value))
        change = meter.value - self.meter.value
        lines = tuple(replace(line, pays=line.pays + line.share * change) for line in self.lines)
        return replace(self, lines=lines, meter=meter)


@dataclass(frozen=True, slots=True, repr=False)
class SideBet(Shown):
    """A side bet of the catalogue or of a file.

    Attributes:
        name: what commands call it.
        title: its name in print.
        paytables: what it pays in the versions that are known, the usual one first.
        summary: one line about it.
        aliases: other names for it.
        where: the file that it comes from.
    """

    name: str
    title: str
    paytables: tuple[Paytable, ...]
    summary: str = ""
    aliases: tuple[str, ...] = ()
    where: str = ""

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row for each line of each paytable: `paytable`, `cards`, `line`, `pays`, `pays_exact`.

        Where a paytable has a meter also `meter_share` and `meter_share_exact`, the share of it that is in `pays`.
        """
        progressive = any(table.meter is not None for table in self.paytables)
        return [
            {
                "paytable": table.name,
                "cards": table.cards,
                "line": line.name,
                **with_exact("pays", line.pays),
                **(with_exact("meter_share", line.share) if progressive else {}),
            }
            for table in self.paytables
            for line in table.lines
        ]

    def facts(self) -> list[tuple[str, ...]]:
        """Return what the bet is called and its paytables."""
        summary = [("Summary", self.summary)] if self.summary else []
        tables = ("Paytables", ", ".join(table.name for table in self.paytables))
        return [("Side bet", f"{self.title} ({self.name})"), tables, *summary]

    def paytable(self, name: str | None = None) -> Paytable:
        """Return a paytable by its name, the first if none is asked for.

        Raises:
            PaytableError: none has the name; the message lists those there are.
        """
        if name is None:
            return self.paytables[0]
        for paytable in self.paytables:
            if paytable.name == name.strip().lower().replace("/", "-"):
                return paytable
        known = ", ".join(paytable.name for paytable in self.paytables)
        raise PaytableError(f"{self.name} has no paytable {show_value(name)}; those it has are {known}")


def side_bets() -> tuple[str, ...]:
    """Return the names of the side bets that the package brings, in alphabetical order."""
    return CATALOGUE.names()


def load_side_bet(name_or_path: str | os.PathLike[str]) -> SideBet:
    """Return a side bet.

    >>> load_side_bet("Lucky Ladies").paytable().name
    '1000-200-25-10-4'

    Args:
        name_or_path: a name or an alias from the catalogue, or the path of a file: a text is taken for a path if it
            ends in `.toml` or has a slash in it.

    Raises:
        PaytableError: the name is unknown, or the file cannot be read or is not a side bet.
    """
    return CATALOGUE.load(name_or_path)


def read_pay(value: object) -> Fraction:
    """Return a payout to one, given as a number or as `"3/2"`, `"3:2"`, `"3 to 2"` or `"2.5"`.

    Raises:
        ValueError: it is none, or not within 0 to 1,000,000,000; with a reason or without one.
    """
    if quantities.number(value) < 0:
        raise ValueError("the losing line is added by itself, and no other can lose")
    return quantities.payout(0, MAX_PAY)(value)


def _side_bet(data: dict[str, Any], where: str) -> SideBet:
    toml.check_keys("", data, _KEYS, ("name", "title"))
    name, title = toml.name("name", data["name"]), toml.filled_text("title", data["title"])
    summary = toml.text("summary", data.get("summary", ""))
    aliases = toml.text_list("aliases", data.get("aliases", []))
    for key in ("cards", "losing_line", "source", "note"):
        toml.text(key, data.get(key, ""))
    toml.text_list("urls", data.get("urls", []))
    named = toml.table("conditions", data.get("conditions", {}))
    used: set[str] = set()
    paytables = tuple(_paytables(data, named, used))
    for condition in named:
        if condition not in used:
            raise TomlError(f"conditions.{condition}: nothing uses it")
    if "meter" in data and all(paytable.meter is None for paytable in paytables):
        raise TomlError("meter: no line pays a share of it")
    return SideBet(name, title, paytables, summary, aliases, where)


def _paytables(data: Mapping[str, Any], named: Mapping[str, object], used: set[str]) -> Iterable[Paytable]:
    shared = {key: data[key] for key in _SHARED if key in data}
    if ("lines" in data) == ("paytables" in data):
        raise TomlError("lines: expected either [[lines]], or [[paytables]] that each have lines")
    if "lines" in data:
        yield _paytable("", _ONLY, {**shared, "lines": data["lines"]}, named, used)
        return
    seen: list[str] = []
    for number, entry in enumerate(_tables("paytables", data["paytables"]), 1):
        here = f"paytables[{number}]."
        toml.check_keys(here, entry, _PAYTABLE_KEYS, ("name", "lines"))
        name = toml.name(f"{here}name", entry["name"])
        if name in seen:
            raise TomlError(f"{here}name: there is a paytable {name!r} already")
        seen.append(name)
        paytable = _paytable(here, name, {**shared, **entry}, named, used)
        if "meter" in entry and paytable.meter is None:
            raise TomlError(f"{here}meter: no line pays a share of it")
        yield paytable


def _paytable(where: str, name: str, data: Mapping[str, Any], named: Mapping[str, object], used: set[str]) -> Paytable:
    if "cards" not in data:
        raise TomlError(f"{where}cards: missing; expected one of {', '.join(LAYOUTS)}")
    cards = toml.text(f"{where}cards", data["cards"])
    if cards not in LAYOUTS:
        raise TomlError(f"{where}cards: expected one of {', '.join(LAYOUTS)}, got {show_value(cards)}")
    reader = ConditionReader(cards, named)
    meter = read_meter(f"{where}meter", data["meter"]) if "meter" in data else Meter()
    offered = reader.read(f"{where}offered", data["offered"]) if "offered" in data else None
    losing_line = " ".join(toml.text(f"{where}losing_line", data.get("losing_line", LOSING_LINE)).split())
    lines: list[Line] = []
    for number, entry in enumerate(_tables(f"{where}lines", data["lines"]), 1):
        line = _line(f"{where}lines[{number}].", entry, reader, meter)
        if line.name.lower() in [losing_line.lower(), *(other.name.lower() for other in lines)]:
            raise TomlError(f"{where}lines[{number}].name: there is a line {line.name!r} already")
        lines.append(line)
    if len(lines) > MAX_LINES:
        raise TomlError(f"{where}lines: expected at most {MAX_LINES}, got {len(lines)}")
    used |= reader.used
    return Paytable(
        name,
        cards,
        tuple(lines),
        losing_line,
        offered,
        toml.text(f"{where}source", data.get("source", "")),
        toml.text_list(f"{where}urls", data.get("urls", [])),
        " ".join(toml.text(f"{where}note", data.get("note", "")).split()),
        meter if any(line.share for line in lines) else None,
    )


def _line(where: str, data: Mapping[str, Any], reader: ConditionReader, meter: Meter) -> Line:
    key = "pays_for_one" if "pays_for_one" in data else "pays"
    if key == "pays_for_one" and "pays" in data:
        raise TomlError(f"{where}pays: expected pays or pays_for_one, got both")
    toml.check_keys(where, data, ("name", key, "when"), ("name", key, "when"))
    name = " ".join(toml.text(f"{where}name", data["name"]).split())
    if not name:
        raise TomlError(f"{where}name: expected a text, got an empty one")
    try:
        fixed, share = read_shared_pay(data[key])
        pays = read_pay(fixed) - (key == "pays_for_one")
        if pays < 0 and not share:
            raise ValueError("for one, the bet itself is 1 of it")
    except ValueError as error:
        least, unit = ("0", "to") if key == "pays" else ("1", "for")
        allowed = f"a payout from {least} to {MAX_PAY:,} {unit} one, such as 4, '5/2', '2.5' or '10% of meter'"
        raise TomlError(f"{where}{key}: {expected(allowed, data[key], error)}") from None
    when = reader.read(f"{where}when", data["when"])
    return Line(name, pays + share * meter.value, when, share, key == "pays_for_one")


def _tables(where: str, value: object) -> list[dict[str, Any]]:
    if not isinstance(value, list) or not value:
        raise TomlError(f"{where}: expected a list of tables, got {show_value(value)}")
    for number, entry in enumerate(value, 1):
        if not isinstance(entry, dict):
            raise TomlError(f"{where}[{number}]: expected a table, got {show_value(entry)}")
    return value


CATALOGUE: Final = Catalogue("side bet", "side bet", Path(__file__).parent, _side_bet, PaytableError)
