"""What is asked about: a game with its rules changed and cards removed, and what stands for it in print."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from odds import __version__
from odds.game.cards import count_cards
from odds.game.fields import FIELDS, plain
from odds.game.shoe import Shoe, by_symbol, refuse_cards

if TYPE_CHECKING:
    from odds.game.catalog import Game
    from odds.game.rules import Rules

# How hands are played, where no strategy file says it.
PLAYS: Final = {
    "composition": "the best for the exact cards of each hand",
    "total": "the best chart found that looks at totals only, also after a split",
}
_SORTED: Final = sorted(FIELDS)


@dataclass(frozen=True, slots=True)
class Subject:
    """What a command was asked about.

    Attributes:
        game: the game.
        rules: its rules, as the user changed them.
        removed: known cards taken out of the shoe, as text.
        left: the cards that are in the shoe, as text; empty where they are the decks of the rules less those removed.
    """

    game: Game
    rules: Rules
    removed: str = ""
    left: str = ""

    @property
    def changed(self) -> tuple[str, ...]:
        """The fields in which the rules are not the game's own, in the usual order."""
        return tuple(name for name in FIELDS if getattr(self.rules, name) != getattr(self.game.rules, name))

    @property
    def as_published(self) -> bool:
        """Whether published figures of the game are about this: no rule changed, and a full shoe."""
        return not self.changed and not self.removed and not self.left

    def shoe(self, rules: Rules | None = None) -> Shoe:
        """Return the shoe before the deal, without the removed cards, or what is left of it.

        Args:
            rules: other rules, of whose decks the shoe is.

        Raises:
            ShoeError: it does not hold the cards to remove, nothing is left, or a card that the deck lacks.
            HandError: cards cannot be read.
        """
        refuse_cards((rules or self.rules).decks, self.removed, self.left)
        if self.left:
            cards = count_cards(self.left)
            (rules or self.rules).deck.check(cards)
            return Shoe.of_counts(by_symbol(cards))
        return (rules or self.rules).shoe().without(self.removed)

    @property
    def shoe_words(self) -> tuple[tuple[str, str], ...]:
        """What is said of a shoe that is not full: a label and words, or nothing."""
        return shoe_words(self.removed, self.left)

    def head(self) -> dict[str, Any]:
        """Return what every JSON object of a game starts with."""
        left = {"left": self.left} if self.left else {}
        left |= {"suits": self.rules.suits_words} if self.rules.suits_words else {}
        return {"game": self.game.name, "rules": self.rules.to_dict(), "version": __version__, **left}


def shoe_words(removed: str, left: str) -> tuple[tuple[str, str], ...]:
    """Return what is said of a shoe from which cards are removed, or of which some are left, as a label and words."""
    if left:
        number = sum(count_cards(left).values())
        return (("Shoe", f"{number:,} card{'' if number == 1 else 's'}: {_wrappable(left)}"),)
    return (("Removed", f"{_wrappable(removed)} from the shoe"),) if removed else ()


def _wrappable(cards: str) -> str:
    return cards if len(cards) < 40 else cards.replace(",", ", ")


def rules_facts(rules: Rules, shoe: Shoe | None = None) -> list[tuple[str, ...]]:
    """Return rules in words as a fact of a result, and the shoe where it is not that of the rules."""
    other = [] if shoe is None or shoe == rules.shoe() else [shoe_fact("Shoe", shoe)]
    return [*other, *rules.facts()]


def shoe_fact(label: str, shoe: Shoe) -> tuple[str, ...]:
    """Return cards as a fact of a result: how many, and which where they are no full decks."""
    number, _, counts = str(shoe).partition(": ")
    return (label, number, counts) if counts else (label, number)


def rules_hash(rules: Rules) -> str:
    """Return twelve hexadecimal digits that stand for the rules.

    They are of the SHA-256 of `rules_text`.

    >>> from odds.game.rules import Rules
    >>> rules_hash(Rules()) == rules_hash(Rules(decks=1))
    False
    """
    return hashlib.sha256(rules_text(rules).encode()).hexdigest()[:12]


def rules_text(rules: Rules) -> str:
    """Return the fields as compact sorted JSON, without those whose default goes without saying."""
    fields = rules.__dict__
    return f"{{{','.join(filter(None, [_field_text(name, fields[name]) for name in _SORTED]))}}}"


@lru_cache(maxsize=1024)
def _field_text(name: str, value: Any) -> str:
    described = FIELDS[name]
    if described.tacit and value == described.default:
        return ""
    return json.dumps({name: plain(value)}, sort_keys=True, separators=(",", ":"))[1:-1]


def provenance(rules: Rules) -> str:
    """Return what made a document, and from which rules, without a date."""
    return f"odds {__version__}, rules {rules_hash(rules)}"
