"""Bonuses: hands that win at once, by their number of cards, total, ranks and suits, at odds of their own."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any, Final

from odds.errors import suggestion
from odds.game.cards import RANK_SYMBOLS, RANKS, SUITS, hand_total, plain_ranks
from odds.game.deck import Deck, by_rank
from odds.game.quantities import payout, whole

# By the word for them, in which suits all cards of the hand may be: in one of these sets.
SUIT_SETS: Final[Mapping[str, tuple[str, ...]]] = {
    "any": (SUITS,),
    "same": tuple(SUITS),
    "clubs": ("c",),
    "diamonds": ("d",),
    "hearts": ("h",),
    "spades": ("s",),
    "red": ("dh",),
    "black": ("cs",),
}
_ALL_TENS: Final = "TJQK"
_MOST: Final = 21  # cards and total
_LEAST_CARDS, _LEAST_TOTAL = 2, 4
_SUIT_WORDS: Final = {"any": "", "same": " of one suit", "red": " all red", "black": " all black"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bonus:
    """One line of bonuses.

    Attributes:
        cards: the fewest and the most cards of the hand; None where it does not matter.
        total: its lowest and its highest total, a soft one with its ace as 11; None where it does not matter.
        ranks: the ranks of all its cards, as text: T is any card of ten points, 10 the ten-spot; empty where they do
            not matter.
        suits: a word of `SUIT_SETS`.
        upcard: the dealer's upcard, of `RANKS`; empty where it does not matter.
        pays: what it pays for each unit wagered on the hand.
        after_split: it is paid to hands of a split too.
        after_double: it is paid to doubled hands too.
    """

    cards: tuple[int, int] | None = None
    total: tuple[int, int] | None = None
    ranks: tuple[str, ...] = ()
    suits: str = "any"
    upcard: str = ""
    pays: Fraction
    after_split: bool = True
    after_double: bool = False

    @property
    def values(self) -> tuple[int, ...]:
        """The values of its ranks, ascending."""
        return tuple(sorted(min(_place(rank), 9) for rank in self.ranks))

    @property
    def named_tens(self) -> tuple[str, ...]:
        """The cards of ten points among its ranks, as in `RANK_SYMBOLS`, if it asks which; else none."""
        tens = tuple(RANK_SYMBOLS[_place(rank)] for rank in self.ranks if _place(rank) >= 9)
        return () if "T" in self.ranks else tens

    @property
    def is_certain(self) -> bool:
        """Whether the values of a hand's cards decide, and suits and ranks of tens do not matter."""
        return self.suits == "any" and not self.named_tens

    def may_have(self, cards: int) -> bool:
        """Return whether its hands may have so many cards or more."""
        most = len(self.ranks) or (self.cards or (0, _MOST))[1]
        return cards <= most

    def fits(self, cards: int, total: int) -> bool:
        """Return whether a hand of so many cards and such a total is meant, as far as these say."""
        return _within(cards, self.cards) and _within(total, self.total)

    def to_dict(self) -> dict[str, Any]:
        """Return what is not the default, as a game file has it."""
        said = {
            "cards": _range_text(self.cards, _LEAST_CARDS),
            "total": _range_text(self.total, _LEAST_TOTAL),
            "ranks": ",".join(self.ranks),
            "suits": self.suits,
            "upcard": self.upcard,
            "pays": str(self.pays),
            "after_split": self.after_split,
            "after_double": self.after_double,
        }
        return {name: value for name, value in said.items() if value not in ("", "any", _DEFAULT[name])}

    def __str__(self) -> str:
        said = self.to_dict().items()
        return " ".join(f"{name}={str(value).lower() if isinstance(value, bool) else value}" for name, value in said)

    def words(self) -> str:
        """Return the line in words, such as `3:1 for 6-7-8 of spades`."""
        cards = _range_words(self.cards, _LEAST_CARDS)
        hand = [f"{cards} cards" if cards else "", _range_words(self.total, _LEAST_TOTAL)]
        said = "-".join(self.ranks) or " of ".join(filter(None, hand)) or "all cards"
        said += _SUIT_WORDS.get(self.suits, f" of {self.suits}")
        said += f" against {'an ace' if self.upcard == 'A' else self.upcard}" if self.upcard else ""
        beside = ["not after a split"] * (not self.after_split) + ["doubled too"] * self.after_double
        return f"{self.pays.numerator}:{self.pays.denominator} for {said}" + "".join(f", {part}" for part in beside)


_DEFAULT: Final = {field.name: field.default for field in fields(Bonus)}


def read_bonuses(value: object) -> tuple[Bonus, ...]:
    """Return the bonuses of a text such as `cards=5 total=21 pays=3/2; ranks=6,7,8 suits=spades pays=3`, or of a list.

    >>> [bonus.words() for bonus in read_bonuses("cards=7+ total=21 pays=3; ranks=6,7,8 suits=same pays=2")]
    ['3:1 for 7 or more cards of 21', '2:1 for 6-7-8 of one suit']

    Raises:
        ValueError: it cannot be read, a line says nothing or can never be paid, with the reason.
    """
    if value is None or (isinstance(value, str) and value.strip().lower() == "none"):
        return ()
    lines = [line for line in re.split(r"[;\n]", value) if line.strip()] if isinstance(value, str) else value
    if not isinstance(lines, Iterable) or isinstance(lines, Mapping):
        raise ValueError("it is no list of bonuses")
    bonuses = tuple(_bonus(line) for line in lines)
    if isinstance(value, str) and not bonuses:
        raise ValueError("it is empty")
    for place, bonus in enumerate(bonuses):
        for other in (*bonuses[:place], *bonuses[place + 1 :]):
            if _covers(other, bonus):
                raise ValueError(f"{str(bonus)!r} never counts, as {str(other)!r} never pays less")
    return bonuses


def unpayable(bonuses: Iterable[Bonus], deck: Deck, decks: int | str) -> str:
    """Return of the first line that is never paid for want of cards which it is and why; empty where there is none.

    Args:
        bonuses: the lines.
        deck: what is in a deck.
        decks: how many there are, or `infinite`.
    """
    for bonus in bonuses:
        if reason := _lacking(bonus, deck, decks):
            return f"{str(bonus)!r} can never be paid: {reason}"
    return ""


def _lacking(bonus: Bonus, deck: Deck, decks: int | str) -> str:
    present = dict(zip(RANK_SYMBOLS, by_rank(deck.counts), strict=True))
    tens = sum(1 for symbol in _ALL_TENS if present[symbol])
    if bonus.upcard and not (tens if bonus.upcard == "T" else present[bonus.upcard]):
        return f"there is no {bonus.upcard} in the deck"
    for rank in dict.fromkeys(bonus.ranks):
        there = tens if rank == "T" else int(present[RANK_SYMBOLS[_place(rank)]] > 0)
        if not there:
            return f"there is no {rank} in the deck"
        suits = max(map(len, SUIT_SETS[bonus.suits]))
        asked = bonus.ranks.count(rank)
        if isinstance(decks, int) and asked > (held := decks * suits * there):
            return f"{decks} deck{'s hold' if decks > 1 else ' holds'} {held} of its {asked} cards of rank {rank}"
    values = [value for value in range(9) if present[RANK_SYMBOLS[value]]] + [9] * (tens > 0)
    if not bonus.ranks and not any(bonus.fits(*shape) for shape in _shapes(values)):
        return "no hand of such cards has such a total"
    return ""


def _shapes(values: Iterable[int]) -> set[tuple[int, int]]:
    """Return the numbers of cards and the totals that hands of these values have."""
    hands = reached = {(0, 0, False)}
    while reached:
        reached = {
            (cards + 1, hard + value + 1, ace or value == 0)
            for cards, hard, ace in reached
            for value in values
            if hard + value + 1 <= 21
        }
        hands = hands | reached
    return {(cards, hard + 10 * (ace and hard <= 11)) for cards, hard, ace in hands if cards >= 2}


def _bonus(line: object) -> Bonus:
    if isinstance(line, Bonus):
        values = {field.name: getattr(line, field.name) for field in fields(Bonus)}
        given: Mapping[str, object] = {name: value for name, value in values.items() if value != _DEFAULT[name]}
    elif isinstance(line, str):
        parts = [part.partition("=") for part in re.split(r"\s+(?=\w+\s*=)", line.strip())]
        if not all(sign for _, sign, _ in parts):
            raise ValueError(f"cannot read {line.strip()!r}, parts are such as cards=5")
        names = [name.strip().lower() for name, _, _ in parts]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"{name} comes twice in {line.strip()!r}")
        given = {name: text.strip() for name, (_, _, text) in zip(names, parts, strict=True)}
    elif isinstance(line, Mapping):
        given = line
    else:
        raise ValueError(f"a bonus is a text or a table, not {line!r}")
    for name in given:
        if name not in _READERS:
            key, otherwise = str(name)[:40], f"the keys are {', '.join(_READERS)}"
            raise ValueError(f"unknown key {key!r}; {suggestion(key, _READERS, otherwise)}")
    if given.get("pays") is None:
        raise ValueError("pays is missing")
    read: dict[str, Any] = {}
    for name, value in given.items():
        try:
            read[name] = _READERS[name](value)
        except ValueError as error:
            reason = f" ({error})" if str(error) else ""
            raise ValueError(f"{name}: expected {_ALLOWED[name]}, got {str(value)[:40]!r}{reason}") from None
    return _checked(Bonus(**read))


def _checked(bonus: Bonus) -> Bonus:
    """Return a line without what its ranks say already, if some hand can be meant."""
    if not (bonus.cards or bonus.total or bonus.ranks or bonus.suits != "any"):
        raise ValueError(f"{str(bonus)!r} names no cards, total, ranks or suits")
    if not bonus.ranks:
        if not any(bonus.fits(*shape) for shape in _shapes(range(10))):
            raise ValueError(f"{str(bonus)!r} can never be paid: no hand of so many cards has such a total")
        return bonus
    cards, (total, _) = len(bonus.ranks), hand_total(bonus.values)
    if total > 21:
        raise ValueError(f"{str(bonus)!r} can never be paid: these ranks are over 21")
    if not bonus.fits(cards, total):
        raise ValueError(f"{str(bonus)!r} can never be paid: these ranks are {cards} cards of {total}")
    return replace(bonus, cards=None, total=None)


def _covers(other: Bonus, bonus: Bonus) -> bool:
    """Return whether one line is paid wherever another is, and never pays less."""
    wider = all(any(set(ours) <= set(theirs) for theirs in SUIT_SETS[other.suits]) for ours in SUIT_SETS[bonus.suits])
    if bonus.ranks:
        fits = other.fits(len(bonus.ranks), hand_total(bonus.values)[0])
    else:
        bounds = ((bonus.cards, other.cards), (bonus.total, other.total))
        fits = all(theirs is None or (ours is not None and _inside(ours, theirs)) for ours, theirs in bounds)
    return (
        other.pays >= bonus.pays
        and wider
        and fits
        and (not other.ranks or _same_ranks(other, bonus))
        and other.upcard in ("", bonus.upcard)
        and other.after_split >= bonus.after_split
        and other.after_double >= bonus.after_double
    )


def _same_ranks(other: Bonus, bonus: Bonus) -> bool:
    return other.values == bonus.values if "T" in other.ranks else sorted(other.ranks) == sorted(bonus.ranks)


def _inside(ours: tuple[int, int], theirs: tuple[int, int]) -> bool:
    return theirs[0] <= ours[0] and ours[1] <= theirs[1]


def _within(number: int, bounds: tuple[int, int] | None) -> bool:
    return bounds is None or bounds[0] <= number <= bounds[1]


def _place(rank: str) -> int:
    return RANK_SYMBOLS.index(plain_ranks(rank))


def _range(least: int) -> Callable[[object], tuple[int, int] | None]:
    def read(value: object) -> tuple[int, int] | None:
        if value is None or value == "":
            return None
        if isinstance(value, tuple):
            low, high = map(whole, value)
        else:
            text = value.strip().lower().replace("≤", "<=") if isinstance(value, str) else str(whole(value))
            match = re.fullmatch(r"(<=)?\s*([0-9]{1,2})\s*(\+|-\s*([0-9]{1,2}))?", text)
            if match is None or (match[1] and match[3]):
                raise ValueError
            low = least if match[1] else int(match[2])
            high = int(match[4]) if match[4] else _MOST if match[3] else int(match[2])
        if low > high:
            raise ValueError(f"{low}-{high} runs downwards")
        if not least <= low <= high <= _MOST:
            raise ValueError("no hand has so many" if least == _LEAST_CARDS else "no hand has such a total")
        return low, high

    return read


def _range_text(bounds: tuple[int, int] | None, least: int) -> str:
    if bounds is None:
        return ""
    low, high = bounds
    return str(low) if low == high else f"{low}+" if high == _MOST else f"<={high}" if low == least else f"{low}-{high}"


def _range_words(bounds: tuple[int, int] | None, least: int) -> str:
    text = _range_text(bounds, least).replace("<=", "up to ").replace("+", " or more")
    return text.replace("-", " to ")


def _ranks(value: object) -> tuple[str, ...]:
    if value is None or value == "":
        return ()
    parts = re.split(r"[\s,-]+", value.strip()) if isinstance(value, str) else value
    if isinstance(value, str) and re.fullmatch(r"[A2-9TJQKa2-9tjqk]+", value.strip()):
        parts = list(value.strip())
    if not isinstance(parts, Iterable):
        raise ValueError
    ranks = [str(part).strip().upper() for part in parts]
    for rank in ranks:
        if rank not in (*RANK_SYMBOLS, "10"):
            raise ValueError(f"there is no rank {rank!r}")
    if len(ranks) < 2:
        raise ValueError("a hand has two cards or more")
    if len(ranks) == 2 and isinstance(value, str) and "-" in value:
        raise ValueError(f"that may be two cards or a range: {','.join(ranks)} names two cards")
    if "T" in ranks and set(ranks) & {"10", "J", "Q", "K"}:
        raise ValueError("T, which is any card of ten points, does not go with 10, J, Q or K")
    return tuple(sorted(ranks, key=_place))


def _suits(value: object) -> str:
    text = value.strip().lower() if isinstance(value, str) else ""
    if text not in SUIT_SETS:
        raise ValueError
    return text


def _upcard(value: object) -> str:
    text = plain_ranks(str(value).strip())
    if value is None or text not in ("", *RANKS):
        raise ValueError
    return text


def _pays(value: object) -> Fraction:
    found = payout(0, 100_000)(value)
    if not found:
        raise ValueError("a bonus of nothing is none")
    return found


def _flag(value: object) -> bool:
    text = str(value).strip().lower()
    if text not in ("true", "yes", "on", "1", "false", "no", "off", "0"):
        raise ValueError
    return text in ("true", "yes", "on", "1")


_READERS: Final[Mapping[str, Callable[[object], Any]]] = {
    "cards": _range(_LEAST_CARDS),
    "total": _range(_LEAST_TOTAL),
    "ranks": _ranks,
    "suits": _suits,
    "upcard": _upcard,
    "pays": _pays,
    "after_split": _flag,
    "after_double": _flag,
}
BONUS_KEYS: Final = tuple(_READERS)
_ALLOWED: Final = {
    "cards": "2 to 21 cards, such as 5, 5-6 or 7+",
    "total": "totals from 4 to 21, such as 21, 17-20 or <=20",
    "ranks": "the ranks of all cards, such as 6,7,8",
    "suits": ", ".join(SUIT_SETS),
    "upcard": "one of A, 2 to 9, T",
    "pays": "a payout over 0, such as 3/2, 2:1 or 3",
    "after_split": "true or false",
    "after_double": "true or false",
}
