"""What a chart is made of: its rows, the codes of its cells, and what a code does with a hand."""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from odds.engine.actions import ACTIONS, DOUBLE, HIT, SPLIT, STAND, SURRENDER
from odds.engine.hands import player_hands
from odds.game.cards import RANKS, hand_total

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from numpy.typing import NDArray

    from odds.engine.legal import Legal

# The plain codes. One of a total may have numbers: what stands before is for hands of up to so many cards (`D4s`), what
# follows for others; without a word for these they hit, or stand after hitting.
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
    "Rds": "surrender, else double, else stand",
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
# Of hands that were doubled, which are never hit.
DOUBLED_CODES = {"S": "stand", "D": "double again, else stand", "R": "give a doubled hand up, else stand"}
ONLY_PAIRS = ("P", "Ph", "Pd", "Rp")
MOST_NUMBER = 9
_WISH = re.compile(r"([shdr])([2-9]?)")
_ANY_NUMBER = 21  # of cards in a hand
# Wishes beside actions: a split where its hands may be doubled, and what the row of the total says.
_SPLIT_IF_DOUBLED, _AS_TOTAL = -1, -2
_LETTERS = {"s": STAND, "h": HIT, "d": DOUBLE, "p": SPLIT, "r": SURRENDER}
_SETS = np.arange(1 << len(_LETTERS))

Place = tuple[str, str]  # section and row

SECTIONS = ("hard", "soft", "pairs")
# Of hands of a free split that carry free money, all but the one played first.
FREE_SECTIONS = ("free hard", "free soft")
HARD_ROWS = tuple(str(total) for total in range(4, 21))
SOFT_ROWS = tuple(str(total) for total in range(12, 21))
PAIR_ROWS = tuple(f"{rank},{rank}" for rank in RANKS)
ROWS = {"hard": HARD_ROWS, "soft": SOFT_ROWS, "pairs": PAIR_ROWS, "free hard": HARD_ROWS, "free soft": SOFT_ROWS}
# The rows of totals by number; that of 21, which has no cell and stands, would be the next.
TOTALS: tuple[Place, ...] = (*(("hard", row) for row in HARD_ROWS), *(("soft", row) for row in SOFT_ROWS))
# The same of free hands.
FREE_TOTALS: tuple[Place, ...] = tuple((f"free {section}", row) for section, row in TOTALS)
# The rows of pairs by the value of their cards.
PAIRS: tuple[Place, ...] = tuple(("pairs", row) for row in PAIR_ROWS)


@cache
def doublings(section: str) -> int:
    """Return how often the hands of a section were doubled.

    >>> doublings("hard"), doublings("doubled"), doublings("doubled 2")
    (0, 1, 2)
    """
    found = re.fullmatch("doubled(?: ([2-9]))?", section)
    return 0 if found is None else int(found[1] or 1)


def doubled_section(times: int) -> str:
    """Return the section of hands that were doubled so often."""
    return "doubled" if times == 1 else f"doubled {times}"


@cache
def rows_of(section: str) -> tuple[str, ...]:
    """Return the rows of a section, none if there is none of this name.

    >>> rows_of("doubled 2")[0], rows_of("doubled 2")[-1], rows_of("x")
    ('hard 8', 'soft 20', ())
    """
    cards = 2 + doublings(section)
    lowest = {"hard": 2 * cards, "soft": 10 + cards}
    doubled = (f"{kind} {total}" for kind, total in TOTALS if cards > 2 and int(total) >= lowest[kind])
    return ROWS.get(section) or tuple(doubled)


def choices_doubled(legal: Legal) -> list[int]:
    """Return how often hands may have been doubled that still have a choice."""
    levels = [level for level, may in enumerate(legal.doubled, 1) if (may >> DOUBLE & 1 | may >> SURRENDER & 1).any()]
    return [level for level in levels if level != legal.free_level]


def sections_of(legal: Legal) -> tuple[str, ...]:
    """Return the sections of a chart: pairs and free hands where there are, doubled hands where they have a choice."""
    free = FREE_SECTIONS if legal.free_level is not None else ()
    return (*SECTIONS[: 3 if legal.splits else 2], *map(doubled_section, choices_doubled(legal)), *free)


def costs_nothing(section: str, row: str, legal: Legal) -> set[str]:
    """Return which of `double` and `split` cost nothing with two cards of a row.

    Args:
        section: of the row.
        row: its name.
        legal: what may be done.
    """
    splits = section == "pairs" and PAIR_ROWS.index(row) in legal.free_pairs
    total = TOTAL_OF.get((section, row), (section.removeprefix("free "), row))
    two = player_hands().graph.cards == 2
    doubles = total in TOTALS and bool(legal.free_doubles[two & (total_rows() == TOTALS.index(total))].any())
    return {action for action, free in (("double", doubles), ("split", splits)) if free}


def row_name(section: str, row: str) -> str:
    """Return what a row is called outside of its section: `hard 16`, `8,8`, `doubled soft 18`."""
    return row if section == "pairs" else f"{section} {row}"


def chain(text: str) -> str:
    """Return the code of a total as short as it can be said, or nothing where it is none.

    >>> [chain(text) for text in ("dh", "S4h", "d2H3D", "H3s", "R2h", "Rdh", "Ds", "R3", "Sh", "D1", "dd", "P4")]
    ['D', 'S4', 'D2h3d', 'H3', 'R2h', 'Rd', 'Ds', '', '', '', '', '']
    """
    wishes = _WISH.findall(text.lower())
    if not wishes or "".join(map("".join, wishes)) != text.lower() or wishes[-1][0] == "r":
        return ""
    for at, (letter, most) in enumerate(wishes[:-1]):
        rest = [other for other, _ in wishes[at + 1 :]]
        if rest[0] == letter or (not most and (letter in "sh" or letter in rest)):
            return ""
    if len(wishes) > 1 and wishes[-1] == ("s" if wishes[-2][0] == "h" else "h", "") and wishes[-2][0] != "r":
        wishes.pop()
    return "".join(map("".join, wishes)).capitalize()


def is_code(code: str) -> bool:
    """Return whether a text is a code."""
    return code in ONLY_PAIRS or (code != "" and chain(code) == code)


@cache
def plain(code: str) -> str:
    """Return the code without numbers that says what two cards do.

    >>> plain("S4"), plain("D3h4"), plain("R2d4s6"), plain("H3d")
    ('S', 'D', 'Rds', 'H')
    """
    letters = re.sub("[0-9]", "", code.lower())
    return code if code in (*ONLY_PAIRS, "R") else chain(re.sub("([sh]).+", r"\1", letters))


@cache
def numbered(
    code: str, surrenders: tuple[int, ...], doubles: tuple[int, ...], rest: tuple[int, ...]
) -> tuple[str, ...]:
    """Return a plain code of a total and what it is with numbers of cards, those with the fewest first.

    Hands of more cards than a number may stand where fewer hit, or hit where fewer stand, twice over, and then double.

    >>> numbered("D", (), (2,), (3,))
    ('D', 'D2', 'Dh3', 'D2h3', 'D2h3d', 'D2h3ds')
    >>> numbered("S", (), (), (2, 3))
    ('S', 'S2', 'S3', 'S2h3')

    Args:
        code: the code.
        surrenders: the numbers that its surrender may have.
        doubles: those that doubling may have; where there are any, longer hands may double which shorter ones may not.
        rest: those that standing or hitting may have.
    """
    letters = code.lower() + ("h" if code in ("D", "Rd") else "")
    last, other = ("s", "h") if letters[-1] == "s" else ("h", "s")
    once = [f"{last}{most}" for most in rest]
    twice = [f"{last}{most}{other}{more}" for most in rest for more in rest if more > most]
    later = ("", "d", "ds") if doubles else ("",)
    ends = [last, *("".join(end) for end in product((*once, *twice), later))]
    numbers = {"r": surrenders, "d": doubles}
    options = [(letter, *(f"{letter}{most}" for most in numbers[letter])) for letter in letters[:-1]]
    found = {chain("".join(option)) for option in product(*options, ends)} - {""}
    return tuple(sorted(found, key=lambda text: (sum(map(str.isdigit, text)), len(text), text)))


def stands(code: str) -> bool:
    """Return whether two cards stand by a code where they may do nothing but stand and hit."""
    return plain(code) in ("S", "Ds", "Rs", "Rds")


@cache
def _wishes(code: str) -> tuple[tuple[int, int], ...]:
    """Return what a code asks for in the order in which it is tried, and on how many cards at most."""
    if code in ("Ph", "Pd"):
        return ((_SPLIT_IF_DOUBLED, _ANY_NUMBER), *_wishes({"Ph": "H", "Pd": "D"}[code]))
    found = [(_LETTERS[letter], int(most or _ANY_NUMBER)) for letter, most in re.findall(r"(\D)(\d?)", code.lower())]
    if found[-1] not in ((STAND, _ANY_NUMBER), (HIT, _ANY_NUMBER)):
        found.append(({SPLIT: _AS_TOTAL, HIT: STAND}.get(found[-1][0], HIT), _ANY_NUMBER))
    return tuple(found)


@cache
def words_of(code: str) -> str:
    """Return a code in words.

    >>> words_of("D2s5")
    'double on two cards, else stand on up to 5 cards, else hit'
    """

    def cards(most: int) -> str:
        return "" if most == _ANY_NUMBER else " on two cards" if most == 2 else f" on up to {most} cards"

    return (
        CODES.get(code)
        or DOUBLED_CODES.get(code)
        or ", else ".join(f"{ACTIONS[wish]}{cards(most)}" for wish, most in _wishes(code))
    )


def used(found: Iterable[str]) -> dict[str, str]:
    """Return codes and what they mean, in the order of `CODES`, each plain one before those with numbers."""
    order = [*CODES, "R"]
    return {code: words_of(code) for code in sorted(set(found), key=lambda code: (order.index(plain(code)), code))}


def legend(codes: Collection[str]) -> str:
    """Return what codes mean, as one text."""
    return "; ".join(f"{code} {words}" for code, words in used(codes).items())


def coloured(code: str, words: str = "", beside: str = "") -> tuple[str, str, str, str]:
    """Return a cell of a chart for `grid_html`: its code and what stands beside it, colours, and more words."""
    return (f"{code}{beside}", *COLOURS[code[0]], f"{words_of(code)}{words}") if code else ("–", *NO_CELL, "")


def place_of(values: Iterable[int]) -> Place:
    """Return the section and the row of a hand's total."""
    total, soft = hand_total(values)
    return ("soft" if soft else "hard"), str(total)


# The row of each pair's total, and the other way round.
TOTAL_OF: dict[Place, Place] = {place: place_of((value, value)) for value, place in enumerate(PAIRS)}
PAIR_OF: dict[Place, Place] = {total: pair for pair, total in TOTAL_OF.items()}


def total_row(row: str) -> int:
    """Return the number of a total's row by what a row of doubled hands is called.

    >>> total_row("hard 4"), total_row("soft 20") == len(TOTALS) - 1
    (0, True)
    """
    section, total = row.split()
    return TOTALS.index((section, total))


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
    """Return the number of the action of two cards by a code: the first of those it asks for that is legal, else stand.

    Args:
        code: of the hand's row, or its own as an exception.
        total_code: of the row of its total.
        may: the legal actions, a sum of `1 << number`.
        doubles_split: hands of a split may be doubled.
    """
    for wish, _ in _wishes(code):
        if wish == _AS_TOTAL:
            return resolve(total_code, "S", may & ~(1 << SPLIT), doubles_split)
        action = SPLIT if wish == _SPLIT_IF_DOUBLED else wish
        if may >> action & 1 and (doubles_split or wish != _SPLIT_IF_DOUBLED):
            return action
    return STAND


@cache
def longer_actions(code: str) -> NDArray[np.uint8]:
    """Return what hands that are no pair do by a code: by the number of their cards and the set of legal actions."""
    cards = np.arange(_ANY_NUMBER + 1)[:, None]
    actions = np.zeros((len(cards), len(_SETS)), dtype=np.uint8)
    for wish, most in reversed(_wishes(code)):
        if wish >= 0:
            actions[(cards <= most) & (_SETS >> wish & 1 != 0)] = wish
    return actions
