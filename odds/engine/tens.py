"""Like tens: where only tens of one rank are a pair, what is known of the ranks of the tens in a shoe.

A ten whose rank is not known, as one that the dealer shows, is a random one of those left.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING

from odds.engine.hands import TEN
from odds.errors import ShoeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from odds.engine.legal import Legal
    from odds.game.shoe import Shoe


def ten_rank_mixture(shoe: Shoe, counts: Sequence[int], rank: int | None) -> list[tuple[int, int, list[int]]]:
    """Return (weight, pair cards left, other cards left by value) over the ranks of like tens.

    Tens that are gone without their rank being known, as those that the dealer shows, are a random choice of those left
    by the player's pair.
    """
    ranks = ten_ranks(shoe)
    tens = sum(ranks)
    unknown, step = shoe.unspecified_tens_gone, shoe.step
    mixture = []
    for i, n in enumerate(ranks):
        if rank is not None and i != rank:
            continue
        # Pairs of this rank times the ways in which j of the unknown tens have it.
        for j in range(unknown + 1):
            weight = n * (n - step) * comb(max(n - 2, 0), j) * comb(tens - n, unknown - j)
            if weight > 0:
                others = list(counts)
                others[TEN] = max(tens - n - (unknown - j), 0)
                mixture.append((weight, n - 2 * step - j, others))
    return mixture


def rank_ways(shoe: Shoe, legal: Legal, pair: int, rank: int | None = None) -> int:
    """Return the part of the denominators of a split's weights that comes from the ranks of tens, 1 if none."""
    if not legal.like_tens or pair != TEN:
        return 1
    counts = list(shoe.counts)
    return sum(weight for weight, _, _ in ten_rank_mixture(shoe, counts, rank)) or 1


def ten_ranks(shoe: Shoe) -> tuple[int, int, int, int]:
    """Return the counts of T, J, Q, K where they are known.

    Raises:
        ShoeError: they are not, so that like tens cannot be told from unlike ones.
    """
    if shoe.ten_ranks is None:
        raise ShoeError(
            "split_by='rank' needs the numbers of tens, jacks, queens and kings apart, got a shoe that gives all "
            "ten-valued cards together"
        )
    return shoe.ten_ranks


def like_tens(shoe: Shoe) -> Fraction:
    """Return the probability that two ten-valued cards of the shoe have the same rank."""
    ranks = ten_ranks(shoe)
    tens = sum(ranks)
    step = shoe.step
    return Fraction(sum(n * (n - step) for n in ranks), tens * (tens - step)) if tens > 1 else Fraction(0)


def deals_pair(shoe: Shoe, legal: Legal, pair: int) -> bool:
    """Return whether a shoe can deal a pair of this value that the rules let the player split."""
    if shoe.counts[pair] < 2:
        return False
    return not legal.like_tens or pair != TEN or like_tens(shoe) > 0
