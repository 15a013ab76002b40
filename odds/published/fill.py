"""Help texts with figures filled in: which placeholders a text has, what they stand for, and the text with them.

Named placeholders stand in braces: `{rtp}`, `{rtp@21+3}`, `{house_edge:.3f}`. The bare `%t` of some makers' texts is
taken for an RTP only in a line that speaks of one. Every other byte of a text stays as it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from odds.errors import OddsError, suggestion
from odds.game.fields import show_value
from odds.game.subject import PLAYS
from odds.numbers.decimals import fixed, percentage
from odds.published.reconcile import published_figure
from odds.results.side_bets import sidebet
from odds.sidebets import load_side_bet, side_bets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from odds.game.catalog import Game
    from odds.game.rules import Rules
    from odds.sidebets import SideBet

DIGITS: Final = 2
MOST_DIGITS: Final = 12
NAMES: Final = ("rtp", "house_edge", "published_rtp")
_NAMED: Final = re.compile(r"(?<!\{)\{([A-Za-z_][A-Za-z0-9_]*)(?:@([^{}:\r\n]*))?(?::([^{}\r\n]*))?\}(?!\})")
_LOOSE: Final = re.compile(rf"(?<!\{{)\{{\s*(?:{'|'.join(NAMES)})\b[^{{}}\r\n]*\}}(?!\}})")
_INSIDE: Final = rf"\s*(?:{'|'.join(NAMES)})\b[^{{}}\r\n]*"
_DOUBLED: Final = re.compile(rf"\{{\{{+{_INSIDE}\}}+|\{{{_INSIDE}\}}\}}+|%%+t(?![A-Za-z0-9_])")
_DOUBLE: Final = "double marks stay as they are"
_BARE: Final = re.compile(r"(?<!%)%t(?![A-Za-z0-9_])")
_SPEAKS_OF_RTP: Final = re.compile(r"\brtps?\b|\breturn[\s-]+to[\s-]+player\b", re.IGNORECASE)
_SIDE_BET: Final = re.compile(r"\bside[\s-]*(?:bets?|wagers?)\b", re.IGNORECASE)
_LINES: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")
_MARKS: Final = str.maketrans("", "", "™®©℠")
# Named in passing by texts on the main game, which do not mean the bet's own RTP.
_NOT_A_NAME: Final = ("insurance",)


@dataclass(frozen=True, slots=True)
class Placeholder:
    """Where a figure belongs.

    Attributes:
        line: from 1.
        column: from 1, in characters.
        text: as it stands there, such as `{rtp:.1f}` or `%t`.
        name: `rtp`, `house_edge` or `published_rtp`.
        bet: the side bet that it is about; None for the main game.
        digits: decimals asked for; None where none are said.
        start: where it starts in the text.
        signed: whether the figure brings its percent sign; not where one follows already.
    """

    line: int
    column: int
    text: str
    name: str
    bet: str | None
    digits: int | None
    start: int
    signed: bool = True

    @property
    def where(self) -> str:
        """Its place in words."""
        return f"line {self.line}, column {self.column}"


@dataclass(frozen=True, slots=True)
class Left:
    """What looks like a placeholder and stays, and why."""

    line: int
    column: int
    text: str
    why: str = "the line does not speak of an RTP"

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON takes it."""
        return {"line": self.line, "column": self.column, "text": self.text, "why": self.why}


@dataclass(frozen=True, slots=True)
class Filled:
    """A text with its figures.

    Attributes:
        text: the whole text.
        placeholders: what was filled in, with the figure.
        left: what looks like a placeholder and stays.
    """

    text: str
    placeholders: tuple[tuple[Placeholder, str], ...]
    left: tuple[Left, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON takes it."""
        return {
            "text": self.text,
            "filled": [
                {
                    "line": place.line,
                    "column": place.column,
                    "placeholder": place.text,
                    "name": place.name,
                    "side_bet": place.bet,
                    "figure": figure,
                }
                for place, figure in self.placeholders
            ],
            "left": [item.to_dict() for item in self.left],
        }


def decode(data: bytes, where: str) -> str:
    """Return a text, with its byte order mark if it has one.

    Args:
        data: UTF-8.
        where: what an error message calls it.

    Raises:
        OddsError: it is not UTF-8; the message has the line.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = 1 + data.count(b"\n", 0, error.start)
        raise OddsError(f"{where}: line {line}: expected text in UTF-8; save it in that encoding first") from None
    if "\0" in text:
        line = 1 + text.count("\n", 0, text.index("\0"))
        raise OddsError(f"{where}: line {line}: expected text in UTF-8, got a zero byte, as in UTF-16 or a binary file")
    return text


def placeholders(text: str, game: Game) -> tuple[list[Placeholder], list[Left]]:
    """Return the placeholders of a text in their order, and what looks like one and stays.

    Args:
        text: the text.
        game: whose side bets its lines may name.

    Raises:
        OddsError: a placeholder is unknown or ambiguous; the message has line and column.
    """
    found: list[Placeholder] = []
    left: list[Left] = []
    offered = _offered(game)
    for number, match in enumerate(_LINES.finditer(text), 1):
        line, start = match.group(), match.start()
        found += _named(line, number, start, offered)
        left += [Left(number, item.start() + 1, item.group(), _DOUBLE) for item in _DOUBLED.finditer(line)]
        bare = list(_BARE.finditer(line))
        if bare and not _SPEAKS_OF_RTP.search(_NAMED.sub("", line)):
            left += [Left(number, item.start() + 1, item.group()) for item in bare]
        elif bare:
            found.append(_bound(line, number, start, bare, game.name, offered))
    return sorted(found, key=lambda place: place.start), left


def _named(line: str, number: int, start: int, offered: Mapping[str, SideBet]) -> Iterator[Placeholder]:
    taken = set()
    for match in _NAMED.finditer(line):
        taken.add(match.start())
        name, bet, form = match.groups()
        place = _place(match, number, start, name, bet)
        if name not in NAMES:
            known = [f"{{{known}}}" for known in NAMES]
            hint = suggestion(f"{{{name}}}", known, f"expected one of {', '.join(known)}")
            raise OddsError(f"{place.where}: unknown placeholder {show_value(place.text)}; {hint}")
        yield _with_format(place, form, offered)
    for match in _LOOSE.finditer(line):
        if match.start() not in taken:
            where = f"line {number}, column {match.start() + 1}: unknown placeholder {show_value(match.group())}"
            raise OddsError(f"{where}; expected a form such as {{rtp}}, {{rtp@21+3}} or {{rtp:.1f}}, without spaces")


def _with_format(place: Placeholder, form: str | None, offered: Mapping[str, SideBet]) -> Placeholder:
    """Return a named placeholder with its side bet looked up and its digits."""
    bet, digits = place.bet, None
    if form is not None:
        match = re.fullmatch(r"\.([0-9]{1,2})f", form)
        if match is None or int(match[1]) > MOST_DIGITS:
            raise OddsError(
                f"{place.where}: unknown placeholder {show_value(place.text)}; expected digits as .0f to "
                f".{MOST_DIGITS}f"
            )
        digits = int(match[1])
    if bet is not None:
        if place.name == "published_rtp":
            raise OddsError(f"{place.where}: {show_value(place.text)}: published RTPs are of the main game only")
        try:
            bet = bet if bet in offered else load_side_bet(bet).name
        except OddsError as error:
            raise OddsError(f"{place.where}: {error}") from None
    return replace(place, bet=bet, digits=digits)


def _bound(
    line: str, number: int, start: int, bare: list[re.Match[str]], game: str, offered: Mapping[str, SideBet]
) -> Placeholder:
    """Return the bare placeholder of a line that speaks of RTP, bound to what the line names."""
    first, named, why = bare[0], _bets_named(line, offered), ""
    if len(bare) > 1:
        why = f"has {len(bare)} of them"
    elif len(named) > 1:
        why = f"names {' and '.join(bet.title for bet in named)}"
    elif not named and _SIDE_BET.search(line):
        why = "speaks of a side bet and names none of the catalogue"
    elif named and named[0].name not in offered:
        why = f"names {named[0].title}, which {game} does not have"
    if why:
        raise OddsError(f"line {number}, column {first.start() + 1}: ambiguous placeholder %t: the line {why}")
    return _place(first, number, start, "rtp", named[0].name if named else None)


def _place(match: re.Match[str], number: int, start: int, name: str, bet: str | None) -> Placeholder:
    """Return a placeholder found in a line of a number, which starts there in the text."""
    signed = not match.string.startswith("%", match.end())
    return Placeholder(number, match.start() + 1, match.group(), name, bet, None, start + match.start(), signed)


def _offered(game: Game) -> dict[str, SideBet]:
    return {bet.name: bet for bet in map(load_side_bet, game.side_bets)}


def _bets_named(line: str, offered: Mapping[str, SideBet]) -> list[SideBet]:
    """Return the side bets that a line names, longer names first: `Top 3` is not in `21+3 Top 3` twice."""
    text = " ".join(_NAMED.sub(" ", line).translate(_MARKS).lower().split())
    by_name: dict[str, SideBet] = {}
    for bet in {**{name: load_side_bet(name) for name in side_bets()}, **offered}.values():
        if bet.name in _NOT_A_NAME and bet.name not in offered:
            continue
        for name in (bet.title, bet.name, bet.name.replace("-", " "), *bet.aliases):
            if len(name) > 2:
                by_name.setdefault(" ".join(name.lower().split()), bet)
    found: list[SideBet] = []
    for name in sorted(by_name, key=len, reverse=True):
        pattern = re.compile(rf"(?<![\w+]){re.escape(name)}(?![\w+])")
        if pattern.search(text):
            text = pattern.sub(" ", text)
            if by_name[name] not in found:
                found.append(by_name[name])
    return found


def fill(
    text: str, game: Game, rules: Rules, rtp: Callable[[bool], Fraction | float], play: str = "composition"
) -> Filled:
    """Return a text with its figures filled in.

    Args:
        text: the text.
        game: the game, for its side bets and its published RTP.
        rules: its rules, for the decks and the dealer's rule of side bets.
        rtp: returns the RTP of the main game; told whether it has to be exact.
        play: how that is played; nothing is published on a strategy file's.

    Raises:
        OddsError: a placeholder is unknown or ambiguous; the message has line and column.
    """
    found, left = placeholders(text, game)
    figures = _Figures(game, rules, rtp, play)
    filled = []
    parts, at = [], 0
    for place in found:
        figure = figures.of(place)
        parts += [text[at : place.start], figure]
        at = place.start + len(place.text)
        filled.append((place, figure))
    return Filled("".join([*parts, text[at:]]), tuple(filled), tuple(left))


class _Figures:
    """The figures of a game as text."""

    def __init__(self, game: Game, rules: Rules, rtp: Callable[[bool], Fraction | float], play: str) -> None:
        self._game, self._rules, self._rtp, self._play = game, rules, rtp, play
        self._offered = _offered(game)
        self._main: dict[bool, Fraction | float] = {}

    def of(self, place: Placeholder) -> str:
        """Return the figure of a placeholder."""
        if place.name == "published_rtp":
            figure = self._published(place)
        else:
            digits = DIGITS if place.digits is None else place.digits
            value = self._value(place, digits)
            figure = percentage(value if place.name == "rtp" else 1 - value, digits)
        return figure if place.signed else figure.rstrip("%")

    def _value(self, place: Placeholder, digits: int) -> Fraction | float:
        if place.bet is not None:
            table = sidebet(self._offered.get(place.bet, place.bet), rules=self._rules)
            if (meter := table.paytable.meter) is not None and meter.seed is None:
                raise OddsError(
                    f"{place.where}: {show_value(place.text)}: {table.bet} pays a share of a meter, and nothing says "
                    "what it shows"
                )
            return table.exact_rtp
        exact = digits > 8
        if exact not in self._main:
            self._main[exact] = self._rtp(exact)
        return self._main[exact]

    def _published(self, place: Placeholder) -> str:
        published = published_figure(self._game)
        where, nothing = f"{place.where}: {show_value(place.text)}", f"nothing is published on {self._game.name}"
        if published is None:
            raise OddsError(f"{where}: {nothing}")
        other = "set here" if self._rules != self._game.rules else f"{self._play} plays it"
        if self._rules != self._game.rules or self._play not in PLAYS:
            raise OddsError(f"{where}: {nothing} as {other}")
        value = published.percentage if published.quantity == "rtp" else 100 - published.percentage
        digits = published.digits if place.digits is None else place.digits
        if digits > published.digits:
            raise OddsError(f"{where}: the published figure has {published.digits} decimals only")
        return f"{fixed(Fraction(value), digits)}%"
