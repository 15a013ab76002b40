"""What a player may do with a hand: each action has one name and one number.

The compiled modules number actions alike (`ext/actions.h`). A set of actions is a sum of `1 << number`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from odds._kernel import GIVEN_ROW, TIE

if TYPE_CHECKING:
    from collections.abc import Mapping

# Ties go to the first of these.
ACTIONS: Final = ("stand", "hit", "double", "split", "surrender")
STAND, HIT, DOUBLE, SPLIT, SURRENDER = range(len(ACTIONS))
# What is offered beside them, with the numbers that follow.
OFFERS: Final = ("insurance", "even_money")
# The row of a table of values of each action of a hand.
ROW: Final = {"stand": STAND, "hit": HIT, "double": DOUBLE, "surrender": GIVEN_ROW}
NUMBER: Final = {name: number for number, name in enumerate((*ACTIONS, *OFFERS))}


def best_action(values: Mapping[str, Any]) -> str:
    """Return the best of some actions by value; ties go to the first of `ACTIONS`."""
    best = "stand"
    for action in ACTIONS[1:]:
        if action in values and values[action] > values[best] + TIE:
            best = action
    return best


def names(actions: int) -> list[str]:
    """Return the names of a set of actions, in the order of `ACTIONS`.

    >>> names(1 << STAND | 1 << DOUBLE)
    ['stand', 'double']
    """
    return [name for number, name in enumerate(ACTIONS) if actions >> number & 1]
