"""How the hands of a split are played: the classes of play, of which every value names its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from odds.errors import OddsError, RulesError
from odds.game.subject import PLAYS

if TYPE_CHECKING:
    from odds.engine.legal import Legal

SPLIT_CLASSES = {
    "cdz": "composition-dependent play of unsplit hands, used again after a split",
    "cdp1": "re-optimised after a split, knowing that one more pair card is gone",
    "full": "the best use of every card seen in the round, in the order of play, for one split",
}
DEFAULT_SPLIT_CLASS = "cdp1"
FULL = "full"
# Of a play that is given, not found: its hands after a split do what it says.
GIVEN = "given"


def play_words(play: str, looks: str = "totals") -> str:
    """Return how hands are played, of a chart with what it looks at, see `Terms.looks`."""
    return PLAYS.get(play, "as the strategy file says, also after a split").replace("totals", looks)


def play_facts(play: str, split_class: str, *, splits: bool = True, looks: str = "totals") -> list[tuple[str, ...]]:
    """Return how hands are played, and those of a split where there are any: label, name and words of each."""
    facts: list[tuple[str, ...]] = [("Play", play, play_words(play, looks))]
    if splits and split_class != GIVEN:
        facts.append(("Splits", split_class, SPLIT_CLASSES[split_class]))
    return facts


def check_split_class(split_class: str, legal: Legal | None = None) -> str:
    """Return a split class by its name.

    Args:
        split_class: the name.
        legal: what may be done under the rules that it is to be used with, if they are known already.

    Raises:
        RulesError: it is unknown, or is not for these rules.
    """
    if split_class not in SPLIT_CLASSES:
        *others, last = SPLIT_CLASSES
        raise RulesError(f"split class: expected {', '.join(others)} or {last}, got {split_class!r}")
    if split_class == FULL and legal is not None and legal.most_hands > 2:
        raise RulesError(f"split class full: expected max_hands 1 or 2, got {legal.most_hands}")
    return split_class


def refuse_full(split_class: str, what: str) -> None:
    """Refuse what the split class `full` does not have, as its play after a split looks at all hands.

    Raises:
        OddsError: the class is `full`.
    """
    if split_class == FULL:
        raise OddsError(f"{what}: not available for split class full; expected cdz or cdp1")
