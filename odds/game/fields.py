"""What each field of the rules means, which values it takes, and how it is said in words.

`FIELDS` is the one place where a field is described; commands and pages take their words from it.
"""

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import (
    TYPE_CHECKING,
    Any,
    Final,
    Generic,
    Literal,
    Self,
    SupportsIndex,
    TypeAlias,
    TypeVar,
    dataclass_transform,
    overload,
)

from odds.errors import OddsError, RulesError
from odds.game.bonuses import Bonus, read_bonuses
from odds.game.cards import RANK_SYMBOLS, RANKS, plain_ranks
from odds.game.deck import INFINITE, decks_words, rank_words
from odds.game.quantities import WHOLE, payout, whole
from odds.game.shoe import MAX_DECKS

HoleCard: TypeAlias = Literal["peek", "none", "exposed"]
PeekUnder: TypeAlias = Literal["A,T", "T", "A"]
DealerBlackjackTakes: TypeAlias = Literal["all", "original", "original-per-hand"]
BlackjackTie: TypeAlias = Literal["push", "win", "lose"]
Dealer22: TypeAlias = Literal["bust", "push"]
Player21: TypeAlias = Literal["compare", "wins"]
SplitBy: TypeAlias = Literal["value", "rank"]
SplitDeal: TypeAlias = Literal["both", "in-turn"]
Insurance: TypeAlias = Literal["none", "ace", "ace,ten"]
SwitchedBlackjack: TypeAlias = Literal["21", "blackjack"]

# What fields may be given as.
Flag: TypeAlias = bool | str
Whole: TypeAlias = SupportsIndex | str
Payout: TypeAlias = Fraction | int | float | str

Stored = TypeVar("Stored")
Given = TypeVar("Given", contravariant=True)

Favours: TypeAlias = Literal["player", "dealer", "depends"]

# A reader returns the value to store, or raises ValueError: with a reason, or without one where the field's
# description of what is allowed says enough.
_Reader: TypeAlias = Callable[[object], Any]

_TRUE: Final = {"true", "yes", "on", "1"}
_FALSE: Final = {"false", "no", "off", "0"}
_TIE_TOTALS: Final = range(17, 22)
HARD_TOTALS: Final = range(2, 21)  # 2 and 3 are A,A and A,2 with each ace as one
SOFT_TOTALS: Final = range(12, 21)
_DOUBLED: Final = {"any": "double any two cards", "none": "no doubling"}
_SURRENDER: Final = {
    "none": "no surrender",
    "late": "late surrender",
    "early": "early surrender",
    "early-vs-ten": "early surrender against tens, late against the rest",
}
_INSURANCE: Final = {
    "none": "no insurance",
    "ace": "insurance against an ace",
    "ace,ten": "insurance against an ace and against a ten",
}
# By which it is known which bets of a round may be free.
FREE_FIELDS: Final = (
    *("double_on", "double_soft_as_hard", "double_after_split", "double_split_aces", "free_double_on"),
    *("max_hands", "free_split", "split_by", "resplit_aces"),
)
MOST_REDOUBLES: Final = 4
_DOUBLE_CARDS: Final[Mapping[int | str, str]] = {
    2: "hands of two cards may be doubled",
    3: "hands of two or three cards may be doubled",
    "any": "hands of any number of cards may be doubled",
}
_TIMES: Final = {2: "twice", 3: "three", 4: "four", 5: "five", 6: "six"}
_LOW_TO_HIGH: Final = f"{RANKS}A"  # an ace stands at either end of a range of upcards
_SPLIT: Final = {1: "no splitting", 2: "split once, to two hands"}


def _flag(value: object) -> bool:
    if isinstance(value, bool):
        return value
    text = value.strip().lower() if isinstance(value, str) else None
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    raise ValueError


def _whole(low: int, high: int) -> _Reader:
    def read(value: object) -> int:
        number = whole(value)
        if not low <= number <= high:
            raise ValueError
        return number

    return read


def _choice(*allowed: str) -> _Reader:
    def read(value: object) -> str:
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise ValueError
        text = str(value).strip().lower().replace("_", "-")
        if text not in allowed:
            raise ValueError
        return text

    return read


def _peek_under(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError
    upcards = "".join(sorted(re.sub(r"[\s,;]", "", plain_ranks(value))))
    if upcards not in ("A", "T", "AT"):
        raise ValueError
    return ",".join(upcards)


def _ranges(text: str) -> set[int]:
    numbers: set[int] = set()
    for part in text.split(","):
        match = re.fullmatch(r"\s*([0-9]{1,3})\s*(?:-\s*([0-9]{1,3})\s*)?", part)
        if match is None:
            raise ValueError(f"cannot read {part.strip()!r}")
        low, high = int(match[1]), int(match[2] or match[1])
        if low > high:
            raise ValueError(f"{low}-{high} runs downwards")
        numbers.update(range(low, high + 1))
    return numbers


def _dealer_wins_ties(value: object) -> bool | tuple[int, ...]:
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        text = value.strip().lower()
        if text in _TRUE or text in _FALSE or text == "none":
            return text in _TRUE
        totals = _ranges(text)
    elif isinstance(value, SupportsIndex):
        totals = {operator.index(value)}
    elif isinstance(value, Iterable):
        totals = {whole(item) for item in value}
    else:
        raise ValueError
    if not totals <= set(_TIE_TOTALS):
        raise ValueError
    if len(totals) in (0, len(_TIE_TOTALS)):
        return bool(totals)
    return tuple(sorted(totals))


def _double_on(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError
    text = value.strip().lower()
    if text in ("any", "none"):
        return text
    hard, soft = read_totals(text)
    if not hard and not soft:
        raise ValueError("no hand of two cards that can be doubled has such a total")
    return _write_totals(hard, soft)


def read_totals(text: str) -> tuple[set[int], set[int]]:
    """Return the hard and the soft totals of a text such as `9-11, soft 19-20`."""
    hard: set[int] = set()
    soft: set[int] = set()
    kinds = {"hard", "soft"}
    for part in text.split(","):
        match = re.fullmatch(r"\s*(hard|soft)?\s*([0-9 -]+)", part)
        if match is None:
            raise ValueError(f"cannot read {part.strip()!r}")
        if match[1]:
            kinds = {match[1]}  # and so for the parts after it: `hard 9,10` is hard 9 and hard 10
        totals = _ranges(match[2])
        if not totals <= set(range(2, 22)):
            raise ValueError(f"{part.strip()!r} is outside 2 to 21")
        hard |= totals & set(HARD_TOTALS) if "hard" in kinds else set()
        soft |= totals & set(SOFT_TOTALS) if "soft" in kinds else set()
    return hard, soft


def _write_totals(hard: set[int], soft: set[int]) -> str:
    if hard >= set(range(4, 21)) and soft >= set(SOFT_TOTALS):
        return "any"
    if soft == hard & set(SOFT_TOTALS):
        return _write_ranges(hard)
    parts = [f"{kind} {_write_ranges(totals)}" for kind, totals in (("hard", hard), ("soft", soft)) if totals]
    return ", ".join(parts)


def _write_ranges(totals: set[int]) -> str:
    runs: list[list[int]] = []
    for total in sorted(totals):
        if runs and runs[-1][1] == total - 1:
            runs[-1][1] = total
        else:
            runs.append([total, total])
    return ",".join(str(low) if low == high else f"{low}-{high}" for low, high in runs)


def _whole_or(word: str, low: int, high: int) -> _Reader:
    number = _whole(low, high)
    return lambda value: word if isinstance(value, str) and value.strip().lower() == word else number(value)


def _multiples(value: object) -> tuple[int, ...]:
    parts = re.split(r"[\s,;]+", value.strip()) if isinstance(value, str) else value
    multiples = {whole(part) for part in (parts if isinstance(parts, Iterable) else [parts])}
    if not multiples or not multiples <= set(_TIMES):
        raise ValueError
    return tuple(sorted(multiples))


def _multiples_words(value: tuple[int, ...]) -> str:
    *others, last = (_TIMES[multiple] for multiple in value)
    times = f"{', '.join(others)} or {last}" if others else last
    return f"a double raises the wager to {times}{' times' * (last != 'twice')} its size"


def _redoubles_words(value: int) -> str:
    if value == 0:
        return "a doubled hand may not be doubled again"
    times = {1: "once more", 2: "twice more"}.get(value, f"{value} times more")
    return f"a doubled hand may be doubled {times}, one card each"


def _raise_words(value: Fraction) -> str:
    if not value:
        return "no raise after the upcard"
    return f"the wager may be {'doubled' if value == 1 else f'raised by {value} of it'} once the upcard is seen"


def _free_double_on(value: object) -> str:
    if value is None or (isinstance(value, str) and value.strip().lower() == "none"):
        return "none"
    return _double_on(value)


def ranks_of(value: str) -> str:
    """Return the ranks of a text such as `A-4,6-9`, each once and low to high; none for `none`.

    Raises:
        ValueError: it cannot be read, with the reason.
    """
    if value.strip().lower() == "none":
        return ""
    found: set[str] = set()
    for part in re.split(r"[,;]", plain_ranks(value)):
        match = re.fullmatch(r"\s*([A2-9T])\s*(?:-\s*([A2-9T])\s*)?", part)
        if match is None:
            raise ValueError(f"cannot read {part.strip()!r}")
        low, high = RANKS.index(match[1]), RANKS.index(match[2] or match[1])
        if low > high:
            raise ValueError(f"{match[1]}-{match[2]} runs downwards: an ace is low here")
        found.update(RANKS[low : high + 1])
    return "".join(sorted(found, key=RANKS.index))


def _free_split(value: object) -> str:
    if value is None:
        return "none"
    if not isinstance(value, str):
        raise ValueError
    numbers = {RANKS.index(rank) + 1 for rank in ranks_of(value)}
    texts = {"1": "A", "10": "T"}
    return re.sub(r"\d+", lambda found: texts.get(found[0], found[0]), _write_ranges(numbers)) or "none"


def _free_doubles_words(value: str) -> str:
    return "no free doubles" if value == "none" else f"doubles of two cards are free{f' on {value}' * (value != 'any')}"


def _free_splits_words(value: str) -> str:
    return (
        "no free splits" if value == "none" else f"splits of {value.replace('-', ' to ').replace(',', ', ')} are free"
    )


def _removed_ranks(value: object) -> str:
    if value is None or (isinstance(value, str) and value.strip().lower() == "none"):
        return "none"
    parts = re.split(r"[\s,;]+", value.strip()) if isinstance(value, str) else value
    given = [str(part).strip() for part in (parts if isinstance(parts, Iterable) else [parts])]
    ranks = [plain_ranks(part) for part in given]
    for place, rank in enumerate(ranks):
        if len(rank) != 1 or rank not in RANK_SYMBOLS:
            raise ValueError(f"there is no rank {given[place]!r}")
        if rank in ranks[:place]:
            raise ValueError(f"{given[place]} is named twice")
    if len(ranks) == len(RANK_SYMBOLS):
        raise ValueError("no card would be left")
    return ",".join(sorted(ranks, key=RANK_SYMBOLS.index)).replace("T", "10") or "none"


def _removed_words(value: str) -> str:
    if value == "none":
        return "all 52 cards in each deck"
    return f"{rank_words(plain_ranks(value).replace(',', ''))} in the deck{' (Spanish deck)' * (value == '10')}"


def surrender_by_upcard(value: str) -> dict[str, str]:
    """Return how the first two cards may be surrendered: `none`, `late` or `early`, by upcard.

    Args:
        value: as the field `surrender` takes it, such as `late` or `early T, late 2-9,A`.

    Raises:
        ValueError: it cannot be read, with the reason.
    """
    word = value.strip().lower().replace("_", "-")
    if word == "early-vs-ten":
        value = "early T, late A-9"
    elif word in _SURRENDER:
        return dict.fromkeys(RANKS, word)
    kind, found = "", {}
    for part in re.split("[,;]", value):
        match = re.fullmatch(r"\s*(?:(EARLY|LATE|NONE)\s+)?([A2-9T])\s*(?:-\s*([A2-9T])\s*)?", plain_ranks(part))
        if match is None:
            raise ValueError(f"cannot read {part.strip()!r}")
        if not match[1] and not kind:
            raise ValueError(f"early or late is missing before {part.strip()!r}")
        kind = (match[1] or kind).lower()  # and so for the parts after it: `late 2-9,A`
        low, high = _LOW_TO_HIGH.index(match[2]), _LOW_TO_HIGH.rindex(match[3]) if match[3] else -1
        if 0 <= high < low:
            raise ValueError(f"{match[2]}-{match[3]} runs downwards")
        for upcard in _LOW_TO_HIGH[low : max(low, high) + 1]:
            if upcard in found:
                raise ValueError(f"{upcard} comes twice")
            found[upcard] = kind
    if set(found.values()) == {"none"}:
        raise ValueError("no upcard is named that may be surrendered against")
    return dict.fromkeys(RANKS, "none") | found


def _surrender(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError
    by_upcard = surrender_by_upcard(value)
    for word in _SURRENDER:
        if surrender_by_upcard(word) == by_upcard:
            return word
    return ", ".join(f"{kind} {upcards}" for kind, upcards in _surrendered(by_upcard) if kind != "none")


def _surrendered(by_upcard: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the upcards of each kind of surrender as text, those of `none` last."""
    found = []
    for kind in ("early", "late", "none"):
        numbers = {number for number, upcard in enumerate(RANKS[1:], 2) if by_upcard[upcard] == kind}
        ranges = [plain_ranks(_write_ranges(numbers)), "A" if by_upcard["A"] == kind else ""]
        found.append((kind, ",".join(filter(None, ranges))))
    return [(kind, upcards) for kind, upcards in found if upcards]


def _surrender_words(value: str) -> str:
    if value in _SURRENDER:
        return _SURRENDER[value]
    said = ", ".join(f"{kind} against {upcards}" for kind, upcards in _surrendered(surrender_by_upcard(value)))
    return said.replace(" against", " surrender against", 1)


def _insurance(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError
    upcards = sorted(
        {"a": "ace", "t": "ten", "10": "ten"}.get(part, part) for part in re.split(r"[\s,;]+", value.strip().lower())
    )
    if (text := ",".join(upcards)) not in _INSURANCE:
        raise ValueError
    return text


def _bonus_words(value: tuple[Bonus, ...]) -> str:
    return f"bonuses: {', '.join(bonus.words() for bonus in value)}" if value else "no bonuses"


def _charlie(value: object) -> int | None:
    if value is None or (isinstance(value, str) and value.strip().lower() == "none"):
        return None
    number = whole(value)
    if number not in (5, 6, 7):
        raise ValueError
    return number


@dataclass(frozen=True, kw_only=True)
class RuleField(Generic[Stored, Given]):
    """One field of the rules, described; of rules it is the value, of their class the description.

    Attributes:
        name: the name in Python, on the command line and in game files: that of the class attribute.
        default: the value `Rules()` has.
        meaning: what the field says, in a sentence or two.
        allowed: the values it takes, in words.
        shorthand: how casinos and tables of rules abbreviate its values; empty where they do not.
        core: whether a line of rules says it even where it is the default.
        tacit: whether the default goes without saying: then heads of tables do not say it, nor do fingerprints of
            rules count it, so that neither changes for games that have nothing to do with the field.
        choices: its values, where it is a choice between a few; else empty.
        favours: who gains where the field is true, larger, or a choice later in `allowed`.
        words: says a stored value in words, such as `dealer hits soft 17`.
        short: says it in casino shorthand, such as `H17`; empty where there is none.
    """

    name: str = field(init=False)
    default: Stored
    meaning: str
    allowed: str
    shorthand: str = ""
    core: bool = False
    tacit: bool = False
    choices: tuple[Stored, ...] = ()
    favours: Favours
    reader: _Reader
    words: Callable[[Any], str]
    short: Callable[[Any], str] = lambda value: ""

    def __set_name__(self, owner: type, name: str) -> None:
        object.__setattr__(self, "name", name)

    @overload
    def __get__(self, rules: None, owner: type) -> Self: ...
    @overload
    def __get__(self, rules: object, owner: type) -> Stored: ...
    def __get__(self, rules: object, owner: type) -> Any:
        # Rules keep their values in their `__dict__`, where Python finds them before it asks here.
        return self

    if TYPE_CHECKING:  # what the constructor of rules takes

        def __set__(self, rules: object, value: Given) -> None: ...

    def read(self, value: object) -> Any:
        """Return the value as `Rules` stores it.

        Raises:
            RulesError: it is not one of the allowed values.
        """
        try:
            return self.reader(value)
        except ValueError as error:
            raise RulesError(f"{self.name}: {expected(self.allowed, value, error)}") from None


def show_value(value: object) -> str:
    """Return the value as an error message shows it, cut where it is very long."""
    try:
        text = repr(value)
    except ValueError:  # an integer of thousands of digits has no decimal text
        text = f"a very large {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."


def expected(allowed: str, value: object, error: Exception | None = None) -> str:
    """Return the end of an error message: what is expected, what came, and the reason that a reader gave, if any."""
    reason = f" ({error})" if isinstance(error, ValueError) and str(error) else ""
    return f"expected {allowed}, got {show_value(value)}{reason}"


def whole_between(name: str, value: object, low: int | None, high: int | None) -> int:
    """Return a whole number of some name, such as a million as `1e6`, within bounds if there are any.

    Raises:
        OddsError: it is none, or out of bounds.
    """
    allowed = WHOLE if high is None else f"a whole number from {low} to {high:,}"
    try:
        found = int(value) if isinstance(value, float) and value.is_integer() else whole(value)
        if (low is not None and found < low) or (high is not None and found > high):
            raise ValueError
    except ValueError as error:
        raise OddsError(f"{name}: {expected(allowed, value, error)}") from None
    return found


def plain(value: Any) -> Any:
    """Return a stored value as JSON has it: payouts are texts such as `"3/2"`, tied totals and bonuses lists."""
    if isinstance(value, tuple):
        return [item.to_dict() if isinstance(item, Bonus) else item for item in value]
    return str(value) if isinstance(value, Fraction) else value


def written(value: Any) -> str:
    """Return a value as a game file or `--set` takes it."""
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return " ".join(f"{name}={written(part)}" for name, part in value.items())
    if isinstance(value, list | tuple):
        return ("; " if any(isinstance(item, Bonus | Mapping) for item in value) else ",").join(
            map(written, value)
        ) or "none"
    return str(value)


def check_kind(value: object, kind: type | tuple[type, ...], allowed: str, error: type[OddsError]) -> None:
    """Refuse what is no object of a kind.

    Raises:
        OddsError: it is none; of the type asked for.
    """
    if not isinstance(value, kind):
        raise error(f"expected {allowed}, got {type(value).__name__} {show_value(value)}")


def _pick(table: Mapping[Any, str]) -> Callable[[Any], str]:
    return lambda value: table.get(value, "")


def _odds(value: Fraction) -> str:
    return f"{value.numerator}:{value.denominator}"


def _ties_words(value: bool | tuple[int, ...]) -> str:
    if isinstance(value, bool):
        return "dealer wins all tied totals" if value else "tied totals push"
    return f"dealer wins ties of {_write_ranges(set(value))}"


def _one_of(
    *,
    default: Stored,
    meaning: str,
    favours: Favours,
    words: Mapping[Stored, str],
    short: Mapping[Stored, str] | None = None,
    shorthand: str = "",
    core: bool = False,
    tacit: bool = False,
) -> RuleField[Stored, Any]:
    """Return the field of a choice between the values that have words: true and false, or some texts.

    `shorthand` is for what is to be said beside `short`.
    """
    *others, last = (str(value).lower() for value in words)
    return RuleField(
        default=default,
        meaning=meaning,
        allowed=f"{', '.join(others)} or {last}",
        shorthand=shorthand or "; ".join(f"{str(value).lower()}: {text}" for value, text in (short or {}).items()),
        core=core,
        tacit=tacit,
        choices=tuple(words),
        favours=favours,
        reader=_flag if isinstance(default, bool) else _choice(*others, last),
        words=_pick(words),
        short=_pick(short or {}),
    )


@dataclass_transform(kw_only_default=True, field_specifiers=(RuleField, _one_of))
class _TakesFields:
    """Takes its fields by name; type checkers read their names and types off the class that lists them."""

    def __init__(self, **given: Any) -> None:
        self._store(given)

    def _store(self, given: Mapping[str, Any]) -> None:
        self.__dict__.update(given)


class RuleFields(_TakesFields):
    """The fields, in the usual order; the one place where they are listed, for type checkers too."""

    decks: RuleField[int | str, Whole] = RuleField(
        default=8,
        meaning=(
            "Decks in the shoe, shuffled before every round; of 52 cards, less those of removed_ranks. Infinite means "
            "that every card is drawn with replacement."
        ),
        allowed=f"a whole number from 1 to {MAX_DECKS:,}, or infinite",
        shorthand="1D, 2D, 6D, 8D; infinite: ∞D",
        core=True,
        favours="dealer",
        reader=_whole_or(INFINITE, 1, MAX_DECKS),
        words=decks_words,
        short=lambda value: "\N{INFINITY}D" if value == INFINITE else f"{value}D",
    )
    removed_ranks: RuleField[str, str | int | Iterable[str | int] | None] = RuleField(
        default="none",
        meaning=(
            "The ranks of which there is no card in the decks; 10 means the ten-spots, as in Spanish decks, whose "
            "jacks, queens and kings stay."
        ),
        allowed="none, or ranks such as 10 or 9,10",
        tacit=True,
        favours="depends",
        reader=_removed_ranks,
        words=_removed_words,
    )
    dealer_hits_soft_17: RuleField[bool, Flag] = _one_of(
        default=False,
        meaning="Whether the dealer draws on 17 with an ace counted as 11, or stands on every 17.",
        core=True,
        favours="dealer",
        words={True: "dealer hits soft 17", False: "dealer stands on soft 17"},
        short={False: "S17", True: "H17"},
    )
    hole_card: RuleField[HoleCard, str] = _one_of(
        default="peek",
        meaning=(
            "The dealer's second card before the player acts: face down and looked at for a blackjack (under which "
            "upcards is in peek_under), not looked at or not dealt until the player is done, or face up."
        ),
        favours="depends",
        words={"peek": "dealer peeks for blackjack", "none": "no hole card", "exposed": "both dealer cards face up"},
        short={"none": "ENHC", "exposed": "DE"},
        shorthand="none: ENHC; exposed: DE (double exposure)",
    )
    peek_under: RuleField[PeekUnder, str] = RuleField(
        default="A,T",
        meaning=(
            "The upcards under which the dealer looks for a blackjack before the player acts. Matters only where "
            "hole_card is peek; another hole_card puts it back to the default."
        ),
        allowed="'A,T', 'T' or 'A'",
        core=True,
        favours="depends",
        reader=_peek_under,
        words=_pick(
            {
                "A,T": "dealer peeks under aces and tens",
                "T": "dealer peeks under tens only",
                "A": "dealer peeks under aces only",
            }
        ),
    )
    dealer_blackjack_takes: RuleField[DealerBlackjackTakes, str] = _one_of(
        default="all",
        meaning=(
            "What a blackjack found only after the player has acted takes, under every upcard not peeked under: all "
            "wagers, one unit a round, or one unit for each hand of a split."
        ),
        favours="player",
        words={
            "all": "a late dealer blackjack takes all wagers",
            "original": "a late dealer blackjack takes the original wager only",
            "original-per-hand": "a late dealer blackjack takes one unit a hand",
        },
        short={"original": "OBO"},
        shorthand="original: OBO (original bets only)",
    )
    blackjack_pays: RuleField[Fraction, Payout] = RuleField(
        default=Fraction(3, 2),
        meaning="What a player's blackjack pays per unit, where the dealer has none.",
        allowed="a payout from 0 to 1000, such as 3/2, 6:5, 1.5 or 1",
        shorthand="3:2, 6:5, 1:1",
        core=True,
        favours="player",
        reader=payout(0, 1000),
        words=lambda value: f"blackjack pays {_odds(value)}",
        short=_odds,
    )
    blackjack_tie: RuleField[BlackjackTie, str] = _one_of(
        default="push",
        meaning="What a player's blackjack gets against a dealer's: its wager back, blackjack_pays, or nothing.",
        favours="depends",
        words={
            "push": "tied blackjacks push",
            "win": "player wins tied blackjacks",
            "lose": "dealer wins tied blackjacks",
        },
    )
    dealer_wins_ties: RuleField[bool | tuple[int, ...], bool | int | str | Iterable[int]] = RuleField(
        default=False,
        meaning=(
            "Whether equal totals lose instead of pushing: none of them, all, or those named. Two blackjacks are "
            "blackjack_tie's."
        ),
        allowed="true, false, or totals from 17 to 21 such as 17, '17,18' or '17-19'",
        favours="dealer",
        reader=_dealer_wins_ties,
        words=_ties_words,
    )
    dealer_22: RuleField[Dealer22, str] = _one_of(
        default="bust",
        meaning=(
            "What a dealer's total of exactly 22 does: it is a bust like any other, or it pushes every hand that still "
            "stands. A blackjack and a charlie win all the same."
        ),
        tacit=True,
        favours="dealer",
        words={"bust": "a dealer's 22 is a bust", "push": "a dealer's 22 pushes"},
    )
    player_21: RuleField[Player21, str] = _one_of(
        default="compare",
        meaning=(
            "What a player's 21 that is no blackjack does: it is compared with the dealer's total, or it wins even "
            "money at once on all that is wagered on it, whatever its cards, doubled or split too."
        ),
        tacit=True,
        favours="player",
        words={"compare": "a player's 21 waits for the dealer", "wins": "a player's 21 wins at once"},
    )
    double_on: RuleField[str, str] = RuleField(
        default="any",
        meaning=(
            "The totals of two cards that may be doubled. A soft hand counts with its ace as 11; a number without hard "
            "or soft before it means both, and a word holds until the next."
        ),
        allowed="any, none, or totals from 2 to 21 such as '9-11', '9,10,11' or 'hard 9-11, soft 19-20'",
        shorthand="any: DOA; 9-11: D9; 10-11: D10",
        core=True,
        favours="dealer",
        reader=_double_on,
        words=lambda value: _DOUBLED.get(value, f"double {value} only"),
        short=_pick({"any": "DOA", "9-11": "D9", "10-11": "D10"}),
    )
    double_soft_as_hard: RuleField[bool, Flag] = _one_of(
        default=False,
        meaning="Whether a soft hand may also count its ace as one to reach the hard totals of double_on.",
        favours="player",
        words={True: "a soft hand may count its ace as one to double", False: "a soft hand doubles as soft only"},
    )
    double_after_split: RuleField[bool, Flag] = _one_of(
        default=True,
        meaning="Whether a hand of a split may be doubled; hands of split aces also need double_split_aces.",
        core=True,
        favours="player",
        words={True: "double after a split", False: "no doubling after a split"},
        short={True: "DAS", False: "NDAS"},
    )
    double_split_aces: RuleField[bool, Flag] = _one_of(
        default=False,
        meaning="Whether double_after_split holds for split aces too; independent of hit_split_aces.",
        favours="player",
        words={True: "split aces may be doubled", False: "no doubling of split aces"},
        short={True: "DSA"},
    )
    double_cards: RuleField[int | str, Whole] = RuleField(
        default=2,
        meaning=(
            "How many cards a hand may have that is doubled, where double_on allows its total: two, two or three, or "
            "any number of them."
        ),
        allowed="2, 3 (two or three) or any",
        choices=tuple(_DOUBLE_CARDS),
        tacit=True,
        favours="player",
        reader=_whole_or("any", 2, 3),
        words=_pick(_DOUBLE_CARDS),
    )
    double_multiples: RuleField[tuple[int, ...], Whole | Iterable[Whole]] = RuleField(
        default=(2,),
        meaning=(
            "How many times its size a double may make the wager of a hand. Whoever may also hit never gains by less "
            "than the most, so that a double means the most."
        ),
        allowed="numbers from 2 to 6, such as 2 or '2,3,4'",
        tacit=True,
        favours="player",
        reader=_multiples,
        words=_multiples_words,
    )
    redoubles: RuleField[int, Whole] = RuleField(
        default=0,
        meaning=(
            "How many times a doubled hand may be doubled again, to twice what is wagered on it, with one more card "
            "each time, whatever its total."
        ),
        allowed=f"a whole number from 0 to {MOST_REDOUBLES}",
        tacit=True,
        favours="player",
        reader=_whole(0, MOST_REDOUBLES),
        words=_redoubles_words,
    )
    free_double_on: RuleField[str, str] = RuleField(
        default="none",
        meaning=(
            "The totals of two cards, among those of double_on, whose double costs nothing: the raise wins like one's "
            "own money, is taken back on a push and is never lost. After a split too, where doubling is allowed."
        ),
        allowed="none, any, or totals from 2 to 21 such as 'hard 9-11'",
        tacit=True,
        favours="player",
        reader=_free_double_on,
        words=_free_doubles_words,
    )
    double_rescue: RuleField[bool, Flag] = _one_of(
        default=False,
        meaning=(
            "Whether a doubled hand that is not over 21 may take back its last raise and lose what was wagered before."
        ),
        tacit=True,
        favours="player",
        words={True: "a doubled hand may be rescued", False: "a doubled hand may not be rescued"},
    )
    max_hands: RuleField[int, Whole] = RuleField(
        default=4,
        meaning="How many hands splitting may lead to; 1 means no splitting, 2 one split.",
        allowed="a whole number from 1 to 4",
        shorthand="2: SPL1; 3: SPL2; 4: SPL3 (the number of splits)",
        core=True,
        favours="player",
        reader=_whole(1, 4),
        words=lambda value: _SPLIT.get(value, f"split to {value} hands"),
        short=_pick({2: "SPL1", 3: "SPL2", 4: "SPL3"}),
    )
    free_split: RuleField[str, str] = RuleField(
        default="none",
        meaning=(
            "The pairs whose split costs nothing: the hand played first carries the wager, also when it is split "
            "again, and the others carry as much free money, which wins, is taken back on a push and is never lost."
        ),
        allowed="none, or ranks from A (low) to T such as 'A-9' or 'A-4,6-9'",
        tacit=True,
        favours="player",
        reader=_free_split,
        words=_free_splits_words,
    )
    split_by: RuleField[SplitBy, str] = _one_of(
        default="value",
        meaning="Which tens are a pair: any two, or only two of one rank (T,T then means like tens, K,Q unlike ones).",
        favours="dealer",
        words={"value": "any two tens are a pair", "rank": "only like tens are a pair"},
    )
    resplit_aces: RuleField[bool, Flag] = _one_of(
        default=False,
        meaning="Whether an ace drawn to a split ace may be split again.",
        core=True,
        favours="player",
        words={True: "aces may be split again", False: "aces split once"},
        short={True: "RSA", False: "NRSA"},
    )
    hit_split_aces: RuleField[bool, Flag] = _one_of(
        default=False,
        meaning="Whether split aces may draw more than one card each.",
        core=True,
        favours="player",
        words={True: "split aces may be hit", False: "one card to each split ace"},
        short={True: "HSA"},
    )
    split_blackjack: RuleField[bool, Flag] = _one_of(
        default=False,
        meaning="Whether an ace and a ten after a split are a blackjack, or 21 like any other.",
        favours="player",
        words={True: "an ace and a ten after a split are a blackjack", False: "an ace and a ten after a split are 21"},
    )
    split_deal: RuleField[SplitDeal, str] = _one_of(
        default="both",
        meaning=(
            "When the hands of a split get their second cards: both at once, or each when its turn comes. Matters only "
            "to play that looks at the other hand."
        ),
        favours="depends",
        words={
            "both": "split hands get their second cards at once",
            "in-turn": "a split hand gets its second card in its turn",
        },
    )
    switch: RuleField[bool, Flag] = _one_of(
        default=False,
        meaning=(
            "Whether two hands of one wager each are played, whose second cards may be exchanged once, after the "
            "dealer has looked for a blackjack. Values are per unit of one wager, half of the sum."
        ),
        tacit=True,
        favours="player",
        words={True: "two hands whose second cards may be switched", False: "no switch"},
    )
    switched_blackjack: RuleField[SwitchedBlackjack, str] = _one_of(
        default="21",
        meaning="What an ace and a ten are that an exchange has made: 21 like any other, or a blackjack.",
        tacit=True,
        favours="player",
        words={
            "21": "an ace and a ten after a switch are 21",
            "blackjack": "an ace and a ten after a switch are a blackjack",
        },
    )
    surrender: RuleField[str, str] = RuleField(
        default="none",
        meaning=(
            "Whether the first two cards may be given up: after the dealer has looked for a blackjack, before that, or "
            "before that against a ten and after it against the rest; or by upcards, none against those not named. "
            "Where both dealer cards are face up there is nothing to look for, and early is the same as late."
        ),
        allowed=(
            f"{', '.join(_SURRENDER)}, or upcards (A, 2 to 9, T for any ten) such as 'early 2-T' or 'early T, late 2-9'"
        ),
        shorthand="none: NS; late: LS; early: ES; early-vs-ten: ES10",
        core=True,
        choices=tuple(_SURRENDER),
        favours="player",
        reader=_surrender,
        words=_surrender_words,
        short=_pick({"none": "NS", "late": "LS", "early": "ES", "early-vs-ten": "ES10"}),
    )
    surrender_returns: RuleField[Fraction, Payout] = RuleField(
        default=Fraction(1, 2),
        meaning="The part of the wager that a surrender gives back.",
        allowed="a number from 0 to 1, such as 1/2 or 0.5",
        favours="player",
        reader=payout(0, 1),
        words=lambda value: f"a surrender returns {value} of the wager",
    )
    surrender_cards: RuleField[int | str, Whole] = RuleField(
        default=2,
        meaning=(
            "Which hands may be surrendered where surrender allows it: the first two cards only, or any hand, hit, "
            "split or doubled too, for surrender_returns of all that is wagered on it."
        ),
        allowed="2 or any",
        choices=(2, "any"),
        tacit=True,
        favours="player",
        reader=_whole_or("any", 2, 2),
        words=_pick({2: "only the first two cards may be surrendered", "any": "any hand may be surrendered"}),
    )
    raise_after_upcard: RuleField[Fraction, Payout] = RuleField(
        default=Fraction(0),
        meaning=(
            "The share of the wager that may be added once the upcard is seen (both cards where both are face up), "
            "before the player has any card; then all the money of the round is so much more."
        ),
        allowed="a number from 0 to 10, such as 1 or 1/2",
        tacit=True,
        favours="player",
        reader=payout(0, 10),
        words=_raise_words,
    )
    insurance: RuleField[Insurance, str] = RuleField(
        default="ace",
        meaning=(
            "Under which upcards insurance is offered, a bet that the other card makes a blackjack. It is reported by "
            "itself and is in no value of the game."
        ),
        allowed="none, ace or 'ace,ten'",
        choices=("none", "ace", "ace,ten"),
        favours="player",
        reader=_insurance,
        words=_pick(_INSURANCE),
    )
    insurance_pays: RuleField[Fraction, Payout] = RuleField(
        default=Fraction(2),
        meaning="What insurance pays per unit insured when the dealer has a blackjack.",
        allowed="a payout from 0 to 1000, such as 2/1, 2:1 or 2",
        favours="player",
        reader=payout(0, 1000),
        words=lambda value: f"insurance pays {_odds(value)}",
    )
    even_money: RuleField[bool, Flag] = _one_of(
        default=False,
        meaning=(
            "Whether a player's blackjack against an ace may be settled for one unit at once. It is reported by itself "
            "and is in no value of the game."
        ),
        favours="player",
        words={True: "even money offered", False: "no even money"},
    )
    charlie: RuleField[int | None, Whole | None] = RuleField(
        default=None,
        meaning=(
            "How many cards not over 21 win at once, after a split too: even money, and not against a dealer's "
            "blackjack, unless charlie_pays and charlie_beats_blackjack say so."
        ),
        allowed="none, 5, 6 or 7",
        favours="player",
        reader=_charlie,
        words=lambda value: f"{value} cards not over 21 win" if value else "no number of cards wins by itself",
    )
    charlie_pays: RuleField[Fraction, Payout] = RuleField(
        default=Fraction(1),
        meaning="What the hands of charlie pay per unit wagered.",
        allowed="a payout from 1 to 1000, such as 1, 3/2 or 2:1",
        tacit=True,
        favours="player",
        reader=payout(1, 1000),
        words=lambda value: f"a charlie pays {_odds(value)}",
    )
    charlie_beats_blackjack: RuleField[bool, Flag] = _one_of(
        default=False,
        meaning=(
            "Whether the hands of charlie win even if the dealer's blackjack is found later. Matters where he has not "
            "peeked."
        ),
        tacit=True,
        favours="player",
        words={True: "a charlie wins against a dealer's blackjack", False: "a charlie loses to a dealer's blackjack"},
    )
    bonuses: RuleField[tuple[Bonus, ...], str | Iterable[Bonus | Mapping[str, object] | str]] = RuleField(
        default=(),
        meaning=(
            "Hands that win at once at odds of their own, before a dealer's blackjack is found: by number of cards, "
            "total, ranks, suits and upcard; after a split unless after_split=false, doubled only with "
            "after_double=true. The line that pays most counts. A blackjack stays one, paid so. Play looks at no suits."
        ),
        allowed="none, or lines such as 'cards=5 total=21 pays=3/2; ranks=6,7,8 suits=spades pays=3'",
        tacit=True,
        favours="player",
        reader=read_bonuses,
        words=_bonus_words,
    )


FIELDS: Final[Mapping[str, RuleField[Any, Any]]] = {
    name: field for name, field in vars(RuleFields).items() if isinstance(field, RuleField)
}
