"""Numbers as people write them, read exactly: `1,000,000`, `1e6`, `0.1%`, `3/2`, `2.5:1`, `3 to 2`.

Readers raise `ValueError`, with a reason where the caller's words about what is allowed do not say it.
"""

import operator
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import Final, SupportsIndex

WHOLE: Final = "a whole number such as 1000, 1,000,000 or 1e6"
MOST_RTP: Final = 200  # in percent
MOST_SHARE: Final = 2  # a percentage written without its sign is far above it

# Longer texts and larger exponents are refused: Python takes a long time over them, or refuses them in its own words.
_MOST_CHARACTERS: Final = 1000
_MOST_EXPONENT: Final = 400
_MOST_DENOMINATOR: Final = 10**9  # of a payout; what is added up exactly stays within 64 bits
_DECIMAL: Final = re.compile(
    r"[+-]?(?=\.?[0-9])(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+(?:_[0-9]+)*)?(?:\.[0-9]*)?(?:e[+-]?(?P<power>[0-9]+))?"
)
_RATIO: Final = re.compile(r"\s*(?:[/:]|\bto\b)\s*")


def decimal(text: str) -> Decimal:
    """Return a decimal with the digits it is written with.

    >>> decimal("1,250.50"), decimal("1e6")
    (Decimal('1250.50'), Decimal('1E+6'))

    Raises:
        ValueError: it is none.
    """
    plain = text.strip().lower().replace("\N{MINUS SIGN}", "-")
    if len(plain) > _MOST_CHARACTERS:
        raise ValueError(f"it has over {_MOST_CHARACTERS} characters")
    match = _DECIMAL.fullmatch(plain)
    if match is None:
        raise ValueError
    power = (match["power"] or "0").lstrip("0") or "0"
    if len(power) > 3 or int(power) > _MOST_EXPONENT:
        raise ValueError(f"its exponent is over {_MOST_EXPONENT}")
    return Decimal(plain.replace(",", "").replace("_", ""))


def number(value: object) -> Fraction:
    """Return a number given as a text, or as a number of Python's; a float is the decimal that it prints as.

    >>> number("2.5:1"), number("3 to 2"), number("96.5%"), number(1.1)
    (Fraction(5, 2), Fraction(3, 2), Fraction(193, 200), Fraction(11, 10))

    Raises:
        ValueError: it is none.
    """
    if isinstance(value, Rational) and not isinstance(value, bool):
        return Fraction(value)
    text = repr(float(value)) if isinstance(value, float) else value
    if not isinstance(text, str):
        raise ValueError
    if text.rstrip().endswith("%"):
        return Fraction(decimal(text.rstrip()[:-1])) / 100
    top, *bottom = map(decimal, _RATIO.split(text.strip().lower(), maxsplit=1))
    if bottom and not bottom[0]:
        raise ValueError("it divides by zero")
    return Fraction(top) / Fraction(bottom[0]) if bottom else Fraction(top)


def whole(value: object) -> int:
    """Return a whole number given as a text or as an integer of Python's.

    >>> whole("1,000,000"), whole("1e6")
    (1000000, 1000000)

    Raises:
        ValueError: it is none.
    """
    if isinstance(value, SupportsIndex) and not isinstance(value, bool):
        return operator.index(value)
    found = number(value) if isinstance(value, str) else None
    if found is None or found.denominator != 1:
        raise ValueError
    return found.numerator


def percentage(text: str) -> str:
    """Return a printed share as a percentage, with the digits that are printed.

    >>> percentage("99.150 %"), percentage("0.9915")
    ('99.150%', '99.15%')

    Raises:
        ValueError: it is none.
    """
    share, sign, rest = text.strip().partition("%")
    printed = decimal(share)
    if rest:
        raise ValueError
    if not sign and abs(printed) > MOST_SHARE:
        raise ValueError("without a percent sign it is a share of 1")
    negative, digits, exponent = printed.as_tuple()
    assert isinstance(exponent, int)
    return f"{Decimal((negative, digits, exponent + (0 if sign else 2))):f}%"


def published(text: str, quantity: str) -> str:
    """Return a published RTP or house edge as a percentage, with the digits that are printed.

    >>> published("0.9915", "rtp")
    '99.15%'

    Args:
        text: a percentage with its sign, or a share of 1.
        quantity: `rtp` or `house_edge`.

    Raises:
        ValueError: it is none, or no RTP of a game: those are over 0 and at most 200 %.
    """
    found = percentage(text)
    figure = Decimal(found.rstrip("%"))
    if not 0 < (figure if quantity == "rtp" else 100 - figure) <= MOST_RTP:
        raise ValueError(f"the RTP of a game is over 0 and at most {MOST_RTP} %")
    return found


def payout(low: int, high: int) -> Callable[[object], Fraction]:
    """Return a reader of payouts to one within bounds; fractions of very large numbers are refused.

    >>> payout(0, 1000)("6:5")
    Fraction(6, 5)
    """

    def read(value: object) -> Fraction:
        found = number(value)
        if not low <= found <= high:
            raise ValueError
        if found.denominator >= _MOST_DENOMINATOR:
            raise ValueError("it has more digits than a payout can")
        return found

    return read
