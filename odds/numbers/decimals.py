"""Decimals of fractions and doubles, rounded half away from zero: the same on every machine."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt, trunc
from typing import Final, TypeAlias

Number: TypeAlias = Fraction | float
MOST_DIGITS: Final = 15  # of whole numbers; longer ones are written with an exponent


def fixed(value: Number, digits: int, *, sign: bool = False) -> str:
    """Return a number with so many decimals.

    >>> fixed(Fraction(-2, 3), 4), fixed(Fraction(1, 8), 2, sign=True), fixed(-0.0001, 2)
    ('-0.6667', '+0.13', '0.00')

    Args:
        value: the number.
        digits: decimals, 0 or more.
        sign: whether to put a plus before what is not negative.
    """
    exact = Fraction(value)
    whole = (2 * abs(exact.numerator) * 10**digits + exact.denominator) // (2 * exact.denominator)
    text = str(whole).rjust(digits + 1, "0")
    if digits:
        text = f"{text[:-digits]}.{text[-digits:]}"
    if exact < 0 and whole:
        return f"-{text}"
    return f"+{text}" if sign else text


def plus(value: Fraction) -> str:
    """Return a fraction as text, with a plus before what is over 0.

    >>> plus(Fraction(3, 2)), plus(Fraction(-1))
    ('+3/2', '-1')
    """
    return f"+{value}" if value > 0 else str(value)


def percentage(value: Number, digits: int, *, sign: bool = False) -> str:
    """Return a fraction of 1 as a percentage with so many decimals, and the percent sign.

    >>> percentage(Fraction(1, 3), 2)
    '33.33%'
    """
    return f"{fixed(100 * Fraction(value), digits, sign=sign)}%"


def counted(number: int) -> str:
    """Return a whole number in groups of three digits, or of more than 15 digits with an exponent.

    >>> counted(11912160), counted(22886203449536274432000000000000)
    ('11,912,160', '2.288620e+31')
    """
    return f"{number:,}" if number < 10**MOST_DIGITS else f"{number:.6e}"


def one_in(probability: Number) -> str:
    """Return one in how many a probability is, with four digits, or a dash for never.

    >>> one_in(Fraction(1, 13)), one_in(0.0478), one_in(Fraction(3, 196608)), one_in(0.0)
    ('13.00', '20.92', '65,536', '-')
    """
    if not probability:
        return "-"
    times = 1 / Fraction(probability)
    head, dot, tail = fixed(times, max(4 - len(str(int(times))), 0)).partition(".")
    return f"{counted(int(head))}{dot}{tail}"


def root(value: Fraction, digits: int) -> Fraction:
    """Return the square root of a fraction, at least 0, cut off after so many decimals.

    >>> fixed(root(Fraction(2), 10), 8)
    '1.41421356'
    """
    scale = 10**digits
    return Fraction(isqrt(value.numerator * scale * scale // value.denominator), scale)


def agreement(published: str, value: Number) -> str | None:
    """Return how a fraction of 1 prints as a published percentage at its digits.

    >>> agreement("99.15%", 0.99146), agreement("99.15%", 0.99159)
    ('rounded', 'truncated')

    Returns:
        `rounded`, `truncated` (towards zero), `both`, or None where it prints otherwise.
    """
    printed = published.rstrip("%")
    places, percent = len(printed.partition(".")[2]), 100 * Fraction(value)
    rounded = Fraction(fixed(percent, places)) == Fraction(printed)
    truncated = trunc(percent * 10**places) == Fraction(printed) * 10**places
    if rounded and truncated:
        return "both"
    return "rounded" if rounded else "truncated" if truncated else None
