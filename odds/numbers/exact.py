"""Fractions from residues.

A rational number n/d whose denominator is known to divide D, and which lies between -B and B, is found from its
residues modulo enough primes: n' = (n/d) D is a whole number between -B D and B D, so that its residues modulo primes
whose product exceeds 2 B D determine it. No step rounds, and the result does not depend on which primes are taken.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import perm, prod
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

# The kernel's residues must stay below 2^62; the larger the primes, the fewer are needed.
LARGEST_PRIME_BELOW = 1 << 61

# With these bases the Miller-Rabin test is a proof for every number below 3.3e24.
_WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)


def is_prime(n: int) -> bool:
    """Return whether a number below 3.3e24 is prime.

    >>> [n for n in range(30) if is_prime(n)]
    [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]
    """
    if n < 2:
        return False
    for p in _WITNESSES:
        if n % p == 0:
            return n == p
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in _WITNESSES:
        x = pow(base, odd, n)
        if x in (1, n - 1):
            continue
        for _ in range(twos - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


@cache
def nth_prime_below(limit: int, n: int) -> int:
    """Return the n-th prime below a limit, counted from 0.

    >>> nth_prime_below(100, 1)
    89
    """
    candidate = (limit if n == 0 else nth_prime_below(limit, n - 1)) - 1
    while not is_prime(candidate):
        candidate -= 1
    return candidate


def falling(n: int, k: int, step: int = 1) -> int:
    """Return n (n-1) ... (n-k+1), the ways to draw k of n cards in order; k at most n is used.

    With a step of 0 cards are replaced, and it is n to the power of k.

    >>> falling(52, 2), falling(52, 2, 0)
    (2652, 2704)
    """
    if not step:
        return int(n**k)
    return perm(n, min(n, k))


def falling_or_zero(n: int, k: int, step: int = 1) -> int:
    """Return n (n-1) ... (n-k+1), which is 0 where k exceeds n; the step is that of `falling`.

    >>> falling_or_zero(4, 2), falling_or_zero(1, 2)
    (12, 0)
    """
    return falling(n, k, step) if k <= n or not step else 0


def draw_denominators(counts: Sequence[int], most: int) -> list[int]:
    """Return by number of cards, to `most`, a multiple of the denominators of drawing so many or fewer in one order.

    Of N cards, n of each value, k may be drawn with a probability of (n) (n-1) ... for each value, over
    N (N-1) ... (N-k+1). By prime, the least power of it that the numerators of all sets of k cards have is taken from
    the denominator.

    >>> draw_denominators([4, 2], 3)
    [1, 3, 15, 15]
    """
    total = sum(counts)
    most = min(most, total)
    primes = [q for q in range(2, total + 1) if is_prime(q)]
    powers = np.zeros((len(primes), total + 1), dtype=np.int64)
    for row, q in zip(powers, primes, strict=True):
        power = q
        while power <= total:
            row[power::power] += 1
            power *= q

    def of_falling(n: int) -> NDArray[np.int64]:
        """Return the powers of the primes in n (n-1) ..., by the number of factors, to `most`."""
        factors = powers[:, n : max(n - most, 0) : -1]
        return np.concatenate([np.zeros((len(primes), 1), dtype=np.int64), np.cumsum(factors, axis=1)], axis=1)

    least = np.full((len(primes), most + 1), 1 << 40, dtype=np.int64)
    least[:, 0] = 0
    for n in counts:
        of_value, fewer = of_falling(n), least.copy()
        for m in range(1, of_value.shape[1]):
            least[:, m:] = np.minimum(least[:, m:], fewer[:, : most + 1 - m] + of_value[:, m : m + 1])
    left = np.maximum.accumulate(of_falling(total) - least, axis=1)
    return [prod(q**n for q, n in zip(primes, row, strict=True)) for row in left.T.tolist()]


def enough_primes(denominator: int, bound: int, limit: int = LARGEST_PRIME_BELOW) -> list[int]:
    """Return primes whose product exceeds 2 x bound x denominator: enough for `lift`."""
    primes: list[int] = []
    product = 1
    while product <= 2 * bound * denominator:
        primes.append(nth_prime_below(limit, len(primes)))
        product *= primes[-1]
    return primes


def lift(residues: Sequence[int], primes: Sequence[int], denominator: int) -> Fraction:
    """Return the fraction with these residues whose denominator divides the one given.

    >>> primes = enough_primes(denominator=12, bound=1)
    >>> lift([-7 * pow(12, -1, p) % p for p in primes], primes, 12)
    Fraction(-7, 12)

    Args:
        residues: of the fraction, modulo each prime.
        primes: enough of them, see `enough_primes`.
        denominator: a multiple of the fraction's denominator that no prime divides.
    """
    numerator, modulus = 0, 1
    for residue, prime in zip(residues, primes, strict=True):
        wanted = residue * denominator % prime
        numerator += modulus * ((wanted - numerator) * pow(modulus, -1, prime) % prime)
        modulus *= prime
    if numerator > modulus // 2:
        numerator -= modulus
    return Fraction(numerator, denominator)
