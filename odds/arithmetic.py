"""The number systems in which the kernel computes, and a shoe's numbers tabulated in one of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

# More than the cards that one hand, the other pair cards of its split and the dealer's draws can take together.
MOST_GONE = 64


class Arithmetic(Protocol):
    """A number system: how whole numbers and their inverses are written in it."""

    @property
    def field(self) -> NDArray[np.uint64]:
        """Modulus, minus its inverse modulo 2^64, and one, as the kernel takes them."""

    def integers(self, values: NDArray[np.int64]) -> NDArray[Any]:
        """Return whole numbers in this system."""

    def inverses(self, values: NDArray[np.int64]) -> NDArray[Any]:
        """Return 1/n for each whole number n, and 0 for each n below 1."""

    def zeros(self, shape: tuple[int, ...]) -> NDArray[Any]:
        """Return an array of zeros."""


class Doubles:
    """IEEE double precision."""

    field = np.zeros(3, dtype=np.uint64)

    def integers(self, values: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return whole numbers as doubles."""
        return values.astype(np.float64)

    def inverses(self, values: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return 1/n as doubles, 0 for n below 1."""
        return np.where(values > 0, 1.0 / np.maximum(values, 1), 0.0)

    def zeros(self, shape: tuple[int, ...]) -> NDArray[np.float64]:
        """Return zeros as doubles."""
        return np.zeros(shape)


DOUBLES = Doubles()


@dataclass(frozen=True, slots=True)
class ShoeNumbers:
    """A shoe's counts as the kernel takes them.

    Attributes:
        arithmetic: the number system.
        total: cards in the shoe.
        cards: `cards[r, k]` is the number of cards of value r left when k of them are gone, never below 0.
        inverse: `inverse[k]` is 1 / (cards left when k are gone), 0 where none is left.
        small: the numbers 0 to 31.
    """

    arithmetic: Arithmetic
    total: int
    cards: NDArray[Any]
    inverse: NDArray[Any]
    small: NDArray[Any]


def tabulate(counts: Sequence[int], arithmetic: Arithmetic = DOUBLES) -> ShoeNumbers:
    """Return the numbers of a shoe with these counts of values A, 2, ..., T."""
    gone = np.arange(MOST_GONE, dtype=np.int64)
    left = np.maximum(np.array(counts, dtype=np.int64)[:, None] - gone[None, :], 0)
    total = sum(counts)
    return ShoeNumbers(
        arithmetic,
        total,
        np.ascontiguousarray(arithmetic.integers(left)),
        arithmetic.inverses(total - gone),
        arithmetic.integers(np.arange(32, dtype=np.int64)),
    )
