"""The readings of a game: every combination of values that its file leaves open or has vary, and rules beside them."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, Any, Final

from odds.errors import OddsError
from odds.game.fields import FIELDS
from odds.sweep.distinct import NOT_TAKEN, effective

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from odds.game.catalog import Game
    from odds.game.rules import Rules

# Values that a published game may well have had instead, by field; of a choice between a few, all of them.
_SENSIBLE: Final[Mapping[str, tuple[Any, ...]]] = {
    "decks": (1, 2, 4, 5, 6, 8, "infinite"),
    "removed_ranks": ("none", "10"),
    "peek_under": ("A,T", "T", "A"),
    "blackjack_pays": ("1", "6/5", "7/5", "3/2", "2"),
    "dealer_wins_ties": (False, True, 17),
    "double_on": ("any", "none", "9-11", "10-11", "11", "hard 9-11", "hard 10-11", "hard 9-11, soft 19-20"),
    "redoubles": (0, 1, 2),
    "free_double_on": ("none", "9-11", "hard 10-11", "any"),
    "max_hands": (1, 2, 3, 4),
    "free_split": ("none", "A-9", "A-T", "A-4,6-9"),
    "switch": (),
    "surrender": (*FIELDS["surrender"].choices, "early 2-T", "early T, late 2-9"),
    "raise_after_upcard": (0, 1),
    "charlie": (None, 5, 6, 7),
    "charlie_pays": ("1", "3/2", "2"),
}
# In no value of the main game under the two plays that are looked at.
_NO_EFFECT: Final = (*NOT_TAKEN, "split_deal")
# Free bets and a second hand make another game of one: what is free is looked at only where something is.
_FREE: Final = ("free_double_on", "free_split")


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read the rules of a game.

    Attributes:
        rules: the rules, read so.
        changes: the fields in which they differ from the first reading, with their values, fields without effect left
            out.
        parted: fields that the source changes together, of which this reading changes only some.
        joined: fields that the source changes together, all changed.
        neighbour: the field that no source leaves open, changed on top of a reading; empty for a reading proper.
    """

    rules: Rules
    changes: Mapping[str, Any] = field(hash=False)
    parted: tuple[str, ...] = ()
    joined: tuple[str, ...] = ()
    neighbour: str = ""

    @property
    def words(self) -> str:
        """What must be so, in words; empty for the first reading. A neighbouring rule comes last."""
        words = [self.rules.words(name) for name in self.changes if name != self.neighbour]
        if self.neighbour:
            words.append(f"and, which no source says, {self.rules.words(self.neighbour)}")
        return "; ".join(words)

    def plain_changes(self) -> dict[str, Any]:
        """Return the changes as JSON takes them."""
        plain = self.rules.to_dict()
        return {name: plain[name] for name in self.changes}


def varying(game: Game, fixed: Collection[str] = ()) -> tuple[str, ...]:
    """Return the fields that a game leaves open or has vary, less those that are fixed, in the usual order."""
    return tuple(name for name, known in game.provenance.items() if len(known.readings) > 1 and name not in fixed)


def readings(
    game: Game, rules: Rules | None = None, *, fixed: Collection[str] = (), wide: bool = False
) -> list[Reading]:
    """Return all readings of a game, the first being that of its file; those that come to the same appear once.

    >>> from odds.game.catalog import load_game
    >>> [reading.words for reading in readings(load_game("eight-deck-s17"))]
    ['', 'late surrender']

    Args:
        game: the game.
        rules: its rules, some of them set otherwise.
        fixed: the fields that are set, and have no other readings.
        wide: add every reading with one rule more changed to each of its sensible values.
    """
    first = game.rules if rules is None else rules
    found: dict[tuple[tuple[str, Any], ...], Reading] = {}
    names = varying(game, fixed)
    combinations = list(product(*(range(len(game.provenance[name].readings)) for name in names)))
    combinations.sort(key=lambda places: (sum(place > 0 for place in places), *(-place for place in places)))
    for places in combinations:
        values = {
            name: game.provenance[name].readings[place] for name, place in zip(names, places, strict=True) if place
        }
        changed = _replace(first, values)
        if changed is not None and (key := effective(changed)) not in found:
            parted, joined = _ties(game, dict(zip(names, places, strict=True)))
            found[key] = Reading(changed, _changes(first, changed), parted, joined)
    if wide:
        for reading in list(found.values()):
            for name, changed in _neighbours(reading.rules):
                if (key := effective(changed)) not in found:
                    changes = {**reading.changes, **_changes(first, changed)}
                    found[key] = Reading(changed, changes, reading.parted, reading.joined, name)
    return list(found.values())


def without_effect(game: Game, rules: Rules, fixed: Collection[str] = ()) -> list[str]:
    """Return in words the other readings of single rules that come to the same as the rules, being moot under them."""
    changes = [(name, value) for name in varying(game, fixed) for value in game.provenance[name].readings[1:]]
    changed = [(name, _replace(rules, {name: value})) for name, value in changes]
    return [other.words(name) for name, other in changed if other and effective(other) == effective(rules)]


def _replace(rules: Rules, values: Mapping[str, Any]) -> Rules | None:
    """Return the rules changed, or None where the values contradict each other."""
    try:
        return rules.replace(**values)
    except OddsError:
        return None


def _changes(first: Rules, rules: Rules) -> dict[str, Any]:
    moot = rules.moot()
    return {name: value for name, value in rules.__dict__.items() if value != getattr(first, name) and name not in moot}


def _ties(game: Game, places: Mapping[str, int]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the fields of which a reading changes a part only, and those that it changes together."""
    parted, joined = [], []
    for name, place in places.items():
        others = [other for other in game.provenance[name].together if other in places]
        if any(places[other] != place for other in others):
            parted.append(name)
        elif others and place:
            joined.append(name)
    return tuple(parted), tuple(joined)


def _neighbours(rules: Rules) -> Iterator[tuple[str, Rules]]:
    """Yield the rules with one field changed, for every field and each of its other sensible values."""
    for name, described in FIELDS.items():
        if name in _NO_EFFECT or (name in _FREE and getattr(rules, name) == described.default):
            continue
        for value in _SENSIBLE.get(name, described.choices):
            if described.read(value) == getattr(rules, name):
                continue
            changed = _replace(rules, {name: value})
            if changed is not None:
                yield name, changed
