"""The coefficients with which the hands of a split add up to its value.

For up to M hands, a pair being split again whenever that is allowed, the value is a combination, with whole
coefficients, of

    G(k) = sum over x other than the pair card p of P(k more p's, then x) * V(hand p,x; k + 1 further p's gone)
    F(k) = P(k more p's) * V(hand p,p not split again; k further p's gone)

where V is the value of one hand and P a probability in the shoe without the dealer's start and the first pair. "The
other hands' second card is not p" is opened by inclusion and exclusion, which is where the signs come from.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import comb
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def split_leaves(max_hands: int) -> Iterator[tuple[int, int, int]]:
    """Yield every way in which the second cards of a split may come: (p's drawn, hands settled, hands left free).

    A settled hand has a second card that is not the pair card p. A free one may have any: the most hands are reached.

    >>> list(split_leaves(2))
    [(0, 0, 2)]
    """

    def walk(hands: int, waiting: int, drawn: int, settled: int) -> Iterator[tuple[int, int, int]]:
        if hands == max_hands or waiting == 0:
            yield drawn, settled, waiting
            return
        yield from walk(hands + 1, waiting + 1, drawn + 1, settled)
        yield from walk(hands, waiting - 1, drawn, settled + 1)

    yield from walk(2, 2, 0, 0)


@dataclass(frozen=True, slots=True)
class SplitCoefficients:
    """The whole coefficients of G(k) and F(k) for a split into up to so many hands.

    Attributes:
        other: coefficient of G(k), by k.
        pair: coefficient of F(k), by k.
    """

    other: dict[int, int]
    pair: dict[int, int]

    @property
    def most_extra(self) -> int:
        """The most pair cards gone beside those in one hand."""
        return max([k + 1 for k in self.other] + list(self.pair))


@cache
def split_coefficients(max_hands: int) -> SplitCoefficients:
    """Return the coefficients for a split into up to `max_hands` hands (2 or more), always split again.

    >>> split_coefficients(2)
    SplitCoefficients(other={0: 2}, pair={1: 2})
    """
    other: dict[int, int] = {}
    pair: dict[int, int] = {}
    for drawn, settled, free in split_leaves(max_hands):
        for j in range(settled):
            sign = (-1) ** j * comb(settled - 1, j)
            other[drawn + j] = other.get(drawn + j, 0) + settled * sign
        for j in range(settled + 1 if free else 0):
            sign = (-1) ** j * comb(settled, j)
            other[drawn + j] = other.get(drawn + j, 0) + free * sign
            pair[drawn + j + 1] = pair.get(drawn + j + 1, 0) + free * sign
    return SplitCoefficients(
        {k: v for k, v in sorted(other.items()) if v}, {k: v for k, v in sorted(pair.items()) if v}
    )


def first_coefficients(max_hands: int) -> SplitCoefficients:
    """Return the coefficients of the hand that is played first, for as many k as those of all hands have.

    It is split again until its second card is none of the pair cards, or there are the most hands.

    >>> first_coefficients(2)
    SplitCoefficients(other={0: 1}, pair={1: 1})
    """
    of_all = range(split_coefficients(max_hands).most_extra)
    return SplitCoefficients({k: int(k < max_hands - 1) for k in of_all}, {max_hands - 1: 1})
