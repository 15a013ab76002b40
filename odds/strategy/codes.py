"""What a chart is made of: its rows, the codes of its cells, and what a code does with a hand."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from odds.engine.actions import DOUBLE, HIT, SPLIT, STAND, SURRENDER
from odds.engine.hands import player_hands
from odds.game.cards import RANKS, hand_total

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from numpy.typing import NDArray

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
# Background and text by the first letter of a code. The hues are tints of Okabe and Ito's, which colour-blind readers
# tell apart; each is lighter or darker than the others, so that they differ in black and white too.
COLOURS = {
    "H": ("#a4dbc3", "#000000"),
    "S": ("#e07b39", "#000000"),
    "D": ("#6fb7e6", "#000000"),
    "P": ("#7d3c74", "#ffffff"),
    "R": ("#fbf0a5", "#000000"),
}
NO_CELL = ("#ffffff", "#444444")
# What a code asks for, in the order in which it is tried: actions, a split where its hands may be doubled, or what the
# row of the total says.
_SPLIT_IF_DOUBLED, _AS_TOTAL = -1, -2
_WISHES = {
    "S": (STAND,),
    "H": (HIT,),
    "D": (DOUBLE, HIT),
    "Ds": (DOUBLE, STAND),
    "P": (SPLIT, _AS_TOTAL),
    "Ph": (_SPLIT_IF_DOUBLED, HIT),
    "Pd": (_SPLIT_IF_DOUBLED, DOUBLE, HIT),
    "Rh": (SURRENDER, HIT),
    "Rs": (SURRENDER, STAND),
    "Rp": (SURRENDER, SPLIT, _AS_TOTAL),
    "Rd": (SURRENDER, DOUBLE, HIT),
}
ONLY_PAIRS = tuple(code for code, wishes in _WISHES.items() if {SPLIT, _SPLIT_IF_DOUBLED} & set(wishes))
STANDING = tuple(code for code, wishes in _WISHES.items() if wishes[-1] == STAND)

Place = tuple[str, str]  # section and row

SECTIONS = ("hard", "soft", "pairs")
HARD_ROWS = tuple(str(total) for total in range(4, 21))
SOFT_ROWS = tuple(str(total) for total in range(12, 21))
PAIR_ROWS = tuple(f"{rank},{rank}" for rank in RANKS)
ROWS = {"hard": HARD_ROWS, "soft": SOFT_ROWS, "pairs": PAIR_ROWS}
# The rows of totals by number; that of 21, which has no cell and stands, would be the next.
TOTALS: tuple[Place, ...] = (*(("hard", row) for row in HARD_ROWS), *(("soft", row) for row in SOFT_ROWS))
# The rows of pairs by the value of their cards.
PAIRS: tuple[Place, ...] = tuple(("pairs", row) for row in PAIR_ROWS)


def row_name(section: str, row: str) -> str:
    """Return what a row is called outside of its section: `hard 16`, `8,8`."""
    return row if section == "pairs" else f"{section} {row}"


def legend(codes: Collection[str]) -> str:
    """Return what codes mean, in the order of `CODES`."""
    return "; ".join(f"{code} {words}" for code, words in CODES.items() if code in codes)


def coloured(code: str, words: str = "", beside: str = "") -> tuple[str, str, str, str]:
    """Return a cell of a chart for `grid_html`: its code and what stands beside it, colours, and more words."""
    return (f"{code}{beside}", *COLOURS[code[0]], f"{CODES[code]}{words}") if code else ("–", *NO_CELL, "")


def place_of(values: Iterable[int]) -> Place:
    """Return the section and the row of a hand's total."""
    total, soft = hand_total(values)
    return ("soft" if soft else "hard"), str(total)


# The row of each pair's total, and the other way round.
TOTAL_OF: dict[Place, Place] = {place: place_of((value, value)) for value, place in enumerate(PAIRS)}
PAIR_OF: dict[Place, Place] = {total: pair for pair, total in TOTAL_OF.items()}


@cache
def total_rows() -> NDArray[np.intp]:
    """Return by hand the number of its total's row; `len(TOTALS)` where there is none."""
    graph = player_hands().graph
    numbers = np.full((2, 22), len(TOTALS), dtype=np.intp)
    for number, (section, row) in enumerate(TOTALS):
        numbers[int(section == "soft"), int(row)] = number
    rows: NDArray[np.intp] = numbers[graph.soft, graph.total]
    return rows


@cache
def resolve(code: str, total_code: str, may: int, doubles_split: bool) -> int:
    """Return the number of the action that a code takes: the first of those it asks for that is legal, else to stand.

    Args:
        code: of the hand's row, or its own as an exception.
        total_code: of the row of its total.
        may: the legal actions, a sum of `1 << number`.
        doubles_split: hands of a split may be doubled.
    """
    for wish in _WISHES[code]:
        if wish == _AS_TOTAL:
            return resolve(total_code, "S", may & ~(1 << SPLIT), doubles_split)
        action = SPLIT if wish == _SPLIT_IF_DOUBLED else wish
        if may >> action & 1 and (doubles_split or wish != _SPLIT_IF_DOUBLED):
            return action
    return STAND
