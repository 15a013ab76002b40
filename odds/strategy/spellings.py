"""How other people's strategy files write columns, rows and codes, and what each of these is here."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from odds.errors import HandError, StrategyError
from odds.game.cards import RANKS, hand_total, parse_cards, plain_ranks
from odds.strategy.codes import CODES, HARD_ROWS, ROWS, TOTAL_OF, Place, chain, doublings, is_code, plain, words_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_COLUMNS: Final = {"J": "T", "Q": "T", "K": "T", "ACE": "A", "1": "A", "11": "A"}
_SECTIONS: Final = {
    "pair": "pairs",
    "split": "pairs",
    "splits": "pairs",
    "exception": "exceptions",
    "free hand": "free",
    "free hands": "free",
}
_TOTAL: Final = re.compile(r"(?:(h|s)[a-z]*)?\s*([0-9]{1,2})(?:\s*-\s*([0-9]{1,2})|(\+))?")
# Slashes are left out: `D/S` is `DS`.
_CODES: Final = {**{code.upper(): code for code in CODES}, "SP": "P", "Y": "P", "SUP": "Rp"}
_SURRENDER: Final = re.compile(r"(?:SUR?|R)([2-9]?)")  # without what else
_STANDS_FROM: Final = 17
# Split if it may be doubled after, else as the total says.
_SPLIT_IF_DOUBLED: Final = {"H": "Ph", "D": "Pd"}


def column_of(text: str) -> str:
    """Return a column as it is called here, or the text where it is none.

    >>> column_of("10"), column_of("ace"), column_of("Hard  9"), column_of("x")
    ('T', 'A', 'hard 9', 'x')
    """
    label = plain_ranks(" ".join(text.split()))
    label = _COLUMNS.get(label, label)
    total = " ".join(text.lower().split())
    return label if len(label) == 1 and label in RANKS else total if total.startswith(("hard ", "soft ")) else text


def is_column(text: str) -> bool:
    """Return whether a text is a dealer's start, an upcard or a total."""
    return re.fullmatch(rf"[{RANKS}]|(hard|soft) [0-9]+", column_of(text)) is not None


def section_of(text: str) -> str:
    """Return a section as it is called here."""
    name = " ".join(text.lower().split())
    return _SECTIONS.get(name, name)


def places_of(section: str, label: str) -> list[Place]:
    """Return the rows that a label stands for; of a label that is none, what is written.

    >>> places_of("soft", "A2"), places_of("", "22"), places_of("", "10-10"), places_of("hard", "17+")[-1]
    ([('soft', '13')], [('pairs', '2,2')], [('pairs', 'T,T')], ('hard', '20'))
    >>> places_of("free", "A2"), places_of("free soft", "13"), places_of("", "Free 16")
    ([('free soft', '13')], [('free soft', '13')], [('free hard', '16')])

    Args:
        section: as it is called here; empty where labels say it themselves.
        label: of a row.
    """
    named, _, row = (section or label.strip().lower()).partition(" ")
    if named == "free":
        return [(f"free {kind}", own) for kind, own in (places_of(row, label) if section else places_of("", row))]
    total = _TOTAL.fullmatch(label.strip().lower())
    pair = total is not None and not total[1] and (int(total[2]) > 21 or total[2] == total[3])
    if total and section != "pairs" and (section or not pair):
        doubled = doublings(section)
        named = {"h": "hard", "s": "soft"}[total[1]] if total[1] else "hard" if doubled or not section else section
        last = HARD_ROWS[-1] if total[4] else total[3] or total[2]
        numbers = range(int(total[2]), int(last) + 1)
        return [(section, f"{named} {number}") if doubled else (section or named, str(number)) for number in numbers]
    try:
        first, *rest = sorted(card.value for card in parse_cards(re.sub(r"[-/]", ",", label)))
    except (HandError, ValueError):
        return [(section, label)]
    if rest == [first] and section in ("", "pairs"):
        return [("pairs", f"{RANKS[first]},{RANKS[first]}")]
    if len(rest) == 1 and not first and section in ("", "soft"):
        return [("soft", str(hand_total((first, *rest))[0]))]
    return [(section, label)]


def code_of(text: str, place: Place, total: str, where: str) -> str:
    """Return a code as it is written here, or the text where it is none.

    >>> [code_of(text, ("hard", "17"), "", "") for text in ("D/s", "su", "D4/h")]
    ['Ds', 'Rs', 'D4']
    >>> code_of("y/n", ("pairs", "2,2"), "H", ""), code_of("N", ("pairs", "5,5"), "D", "")
    ('Ph', 'D')

    Args:
        text: as it is written.
        place: its section and row.
        total: of a pair, the code of its total.
        where: it stands, for the error.

    Raises:
        StrategyError: it cannot be meant exactly.
    """
    key = re.sub("[/ ]", "", text).upper()
    if key in _CODES and not doublings(place[0]):
        return _CODES[key]
    if doublings(place[0]):
        return {"DS": "D", "RS": "R", "SUR": "R", "SU": "R"}.get(key, key)
    if only := _SURRENDER.fullmatch(key):
        if place[0] not in ("hard", "soft"):
            raise StrategyError(f"{where}: {text} does not say what else: write Rh, Rs, Rp or Rd")
        return f"R{only[1]}{'s' if int(place[1]) >= _STANDS_FROM else 'h'}"
    if code := chain(re.sub("SUR?", "R", key)):
        return code
    if place[0] == "pairs" and key in ("N", "YN") and not total:
        raise StrategyError(f"{where}: {text} asks for {' '.join(TOTAL_OF.get(place, place))}, a row that is missing")
    if place[0] == "pairs" and key == "N":
        return total
    if place[0] == "pairs" and key == "YN":
        if plain(total) not in _SPLIT_IF_DOUBLED:
            other = words_of(total) if is_code(total) else total
            raise StrategyError(f"{where}: {text}, split if it may be doubled after, else {other}, has no code here")
        return _SPLIT_IF_DOUBLED[plain(total)]
    return text


def read_rows(
    rows: Mapping[Place, Sequence[str]], columns: Sequence[str]
) -> tuple[dict[Place, tuple[str, ...]], tuple[str, ...]]:
    """Return the codes by row as they are written here, and in words what was read into them.

    Args:
        rows: codes as they are written, one for each column.
        columns: of the strategy.

    Raises:
        StrategyError: a code cannot be meant exactly; the message names it and its place.
    """
    notes: list[str] = []

    def read(place: Place, totals: Sequence[str]) -> tuple[str, ...]:
        words = " ".join(place)
        codes = []
        for text, column, total in zip(rows[place], columns, totals, strict=True):
            codes.append(code_of(text, place, total, f"{words} against {column}"))
            if _SURRENDER.fullmatch(text.upper()) and not doublings(place[0]):
                notes.append(f"{words}: {text} is taken as {codes[-1]}, {words_of(codes[-1])}")
        return tuple(codes)

    nothing = ("",) * len(columns)
    totals = {place: read(place, nothing) for place in rows if place[0] != "pairs"}
    notes += _imply(totals)
    pairs = {
        place: read(place, totals.get(TOTAL_OF.get(place, place), nothing)) for place in rows if place[0] == "pairs"
    }
    return {**totals, **pairs}, tuple(dict.fromkeys(notes))


def _imply(codes: dict[Place, tuple[str, ...]]) -> list[str]:
    """Add the rows of totals that are missing where only one thing makes sense, and return in words which.

    Soft 12, which cannot bust, hits; so do hard totals under the lowest row if that hits against everything, and totals
    over the highest stand if that does. A row of 21, which stands by itself, is not kept if it says so.
    """
    notes = []
    for section in ("hard", "soft"):
        if set(codes.get((section, "21"), ())) == {"S"}:
            del codes[section, "21"]
        given = [int(row) for row in ROWS[section] if (section, row) in codes]
        for total in map(int, ROWS[section]):
            if not given or min(given) < total < max(given) or total in given:
                continue
            end = max(given) if total > max(given) else min(given)
            code = "S" if total > end else "H"
            if set(codes[section, str(end)]) == {code} or (section, total, end) == ("soft", 12, 13):
                codes[section, str(total)] = (code,) * len(codes[section, str(end)])
                notes.append(f"{section} {total} is not there and taken as {code}, {CODES[code]}")
    return notes
