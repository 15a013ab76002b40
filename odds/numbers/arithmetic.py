"""The number systems in which the kernel computes, and a shoe's numbers tabulated in one of them.

`DOUBLES` is IEEE double precision. `Residues(p)` computes modulo a prime: enough primes together give exact fractions
(see `exact`). Code above the kernel is written once for both: it reads scalars with `Arithmetic.read`, makes them
with `Arithmetic.ratio`, and adds and multiplies them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from odds.game.shoe import Shoe

# More than the cards that one hand, the other pair cards of its split and the dealer's draws can take together.
MOST_GONE = 64
# The kernel takes drawn cards away from the counts that it is given: from so many times as many, none is missed.
_ENDLESS = 2.0**60


class Arithmetic(Protocol):
    """A number system: how the kernel's arrays hold it, and how Python computes in it.

    A scalar is a float, or a `Residue`; both add and multiply with each other's kind and with whole numbers.
    """

    @property
    def field(self) -> NDArray[np.uint64]:
        """Modulus, minus its inverse modulo 2^64, and one, as the kernel takes them."""

    def integers(self, values: NDArray[np.int64]) -> NDArray[Any]:
        """Return whole numbers as the kernel holds them."""

    def inverses(self, values: NDArray[np.int64]) -> NDArray[Any]:
        """Return 1/n for each whole number n, and 0 for each n below 1, as the kernel holds them."""

    def fractions(self, rows: Sequence[Sequence[Fraction]]) -> NDArray[Any]:
        """Return rows of fractions as the kernel holds them."""

    def zeros(self, shape: tuple[int, ...]) -> NDArray[Any]:
        """Return an array of zeros."""

    def read(self, value: Any) -> Any:
        """Return one number of a kernel's array as a scalar."""

    def ratio(self, numerator: int, denominator: int) -> Any:
        """Return a fraction as a scalar."""

    def ratios(self, numerators: NDArray[np.int64], denominators: NDArray[np.int64]) -> NDArray[Any]:
        """Return fractions as an array of scalars, 0 for those of a denominator below 1."""

    def total(self, terms: Iterable[Any]) -> Any:
        """Return the sum of some scalars."""


class Doubles:
    """IEEE double precision."""

    field = np.zeros(3, dtype=np.uint64)

    def integers(self, values: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return whole numbers as doubles."""
        return values.astype(np.float64)

    def inverses(self, values: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return 1/n as doubles, 0 for n below 1."""
        return np.where(values > 0, 1.0 / np.maximum(values, 1), 0.0)

    def fractions(self, rows: Sequence[Sequence[Fraction]]) -> NDArray[np.float64]:
        """Return the doubles nearest to some fractions."""
        return np.array(rows, dtype=np.float64)

    def zeros(self, shape: tuple[int, ...]) -> NDArray[np.float64]:
        """Return zeros as doubles."""
        return np.zeros(shape)

    def read(self, value: Any) -> float:
        """Return a number as a Python float."""
        return float(value)

    def ratio(self, numerator: int, denominator: int) -> float:
        """Return the double nearest to a fraction."""
        return numerator / denominator

    def ratios(self, numerators: NDArray[np.int64], denominators: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the doubles nearest to some fractions, 0 for those of a denominator below 1."""
        return np.where(denominators > 0, numerators / np.maximum(denominators, 1), 0.0)

    def total(self, terms: Iterable[float]) -> float:
        """Return the sum, rounded once."""
        return fsum(terms)


DOUBLES = Doubles()


class Residue:
    """A whole number modulo a prime, to add and multiply like a float."""

    __slots__ = ("modulus", "value")

    def __init__(self, value: int, modulus: int) -> None:
        self.value, self.modulus = value, modulus

    def __add__(self, other: Residue | int) -> Residue:
        term = other.value if isinstance(other, Residue) else other
        return Residue((self.value + term) % self.modulus, self.modulus)

    def __sub__(self, other: Residue | int) -> Residue:
        term = other.value if isinstance(other, Residue) else other
        return Residue((self.value - term) % self.modulus, self.modulus)

    def __rsub__(self, other: int) -> Residue:
        return Residue((other - self.value) % self.modulus, self.modulus)

    def __mul__(self, other: Residue | int) -> Residue:
        factor = other.value if isinstance(other, Residue) else other
        return Residue(self.value * factor % self.modulus, self.modulus)

    def __bool__(self) -> bool:
        return self.value != 0

    __radd__ = __add__
    __rmul__ = __mul__

    def __neg__(self) -> Residue:
        return Residue(-self.value % self.modulus, self.modulus)


class Residues:
    """Whole numbers modulo an odd prime below 2^62; the kernel holds them in Montgomery form, times 2^64."""

    def __init__(self, prime: int) -> None:
        self.prime = prime
        self.field = np.array([prime, -pow(prime, -1, 1 << 64) % (1 << 64), (1 << 64) % prime], dtype=np.uint64)
        self._out_of_montgomery = pow(1 << 64, -1, prime)

    def integers(self, values: NDArray[np.int64]) -> NDArray[np.uint64]:
        """Return whole numbers in Montgomery form."""
        prime = self.prime
        flat = [(n << 64) % prime for n in values.ravel().tolist()]
        return np.array(flat, dtype=np.uint64).reshape(values.shape)

    def inverses(self, values: NDArray[np.int64]) -> NDArray[np.uint64]:
        """Return 1/n in Montgomery form, 0 for n below 1."""
        prime = self.prime
        flat = [(pow(n, -1, prime) << 64) % prime if n > 0 else 0 for n in values.ravel().tolist()]
        return np.array(flat, dtype=np.uint64).reshape(values.shape)

    def fractions(self, rows: Sequence[Sequence[Fraction]]) -> NDArray[np.uint64]:
        """Return fractions, whose denominators the prime does not divide, in Montgomery form."""
        prime = self.prime
        ratios = [[n.as_integer_ratio() for n in row] for row in rows]
        held = {(n, d): (n * pow(d, -1, prime) << 64) % prime for n, d in {ratio for row in ratios for ratio in row}}
        return np.array([[held[ratio] for ratio in row] for row in ratios], dtype=np.uint64)

    def zeros(self, shape: tuple[int, ...]) -> NDArray[np.uint64]:
        """Return zeros."""
        return np.zeros(shape, dtype=np.uint64)

    def read(self, value: Any) -> Residue:
        """Return a number in Montgomery form as a residue."""
        return Residue(int(value) * self._out_of_montgomery % self.prime, self.prime)

    def ratio(self, numerator: int, denominator: int) -> Residue:
        """Return a fraction whose denominator the prime does not divide as a residue."""
        return Residue(numerator * pow(denominator, -1, self.prime) % self.prime, self.prime)

    def ratios(self, numerators: NDArray[np.int64], denominators: NDArray[np.int64]) -> NDArray[Any]:
        """Return fractions whose denominators the prime does not divide as an array of residues."""
        numerators, denominators = np.broadcast_arrays(numerators, denominators)
        inverse = {n: pow(n, -1, self.prime) if n > 0 else 0 for n in set(denominators.ravel().tolist())}
        result = np.empty(numerators.shape, dtype=object)
        for place, (n, d) in enumerate(zip(numerators.ravel().tolist(), denominators.ravel().tolist(), strict=True)):
            result.flat[place] = Residue(n * inverse[d] % self.prime, self.prime)
        return result

    def total(self, terms: Iterable[Residue]) -> Residue:
        """Return the sum."""
        return Residue(sum(term.value for term in terms) % self.prime, self.prime)


@dataclass(frozen=True, slots=True)
class ShoeNumbers:
    """A shoe's counts as the kernel takes them.

    Attributes:
        arithmetic: the number system.
        total: cards in the shoe.
        cards: `cards[r, k]` is the number of cards of value r left when k of them are gone, never below 0.
        inverse: `inverse[k]` is 1 / (cards left when k are gone), 0 where none is left. Of an endless shoe, both are
            the same for every k, and only their products mean anything.
        small: the numbers 0 to 31.
    """

    arithmetic: Arithmetic
    total: int
    cards: NDArray[Any]
    inverse: NDArray[Any]
    small: NDArray[Any]


def tabulate(shoe: Shoe, arithmetic: Arithmetic = DOUBLES) -> ShoeNumbers:
    """Return the numbers of a shoe."""
    return tabulate_all([shoe], arithmetic)[0]


def tabulate_all(shoes: Sequence[Shoe], arithmetic: Arithmetic = DOUBLES) -> list[ShoeNumbers]:
    """Return the numbers of some shoes of equally many cards."""
    gone = shoes[0].step * np.arange(MOST_GONE, dtype=np.int64)
    left = np.maximum(np.array([shoe.counts for shoe in shoes], dtype=np.int64)[:, :, None] - gone, 0)
    total = shoes[0].total
    inverse = arithmetic.inverses(total - gone)
    small = arithmetic.integers(np.arange(32, dtype=np.int64))
    cards_left = arithmetic.integers(left)
    if shoes[0].endless and arithmetic is DOUBLES:
        cards_left, inverse = cards_left * _ENDLESS, inverse / _ENDLESS
    return [ShoeNumbers(arithmetic, total, cards, inverse, small) for cards in cards_left]
