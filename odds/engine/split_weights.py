"""The weights with which the values of its hands add up to the value of a split; see `coefficients`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from odds.engine.coefficients import first_coefficients, split_coefficients
from odds.engine.hands import N_VALUES, TEN
from odds.engine.tens import ten_rank_mixture
from odds.numbers.arithmetic import DOUBLES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from odds.engine.coefficients import SplitCoefficients
    from odds.engine.legal import Legal
    from odds.game.shoe import Shoe
    from odds.numbers.arithmetic import Arithmetic


def split_weights(
    shoes: Sequence[Shoe],
    legal: Legal,
    pairs: Sequence[int],
    rank: int | None = None,
    arithmetic: Arithmetic = DOUBLES,
    *,
    first: bool = False,
) -> NDArray[Any]:
    """Return the weights with which the values of its hands add up to the value of a split, for pairs that are alike.

    Args:
        shoes: shoes of equally many cards, each without the dealer's start, the player's pair still in it.
        legal: into how many hands pairs are split, and which tens are one.
        pairs: value indexes of pairs that are split into equally many hands, of which each shoe holds two; tens by
            themselves where only like tens split.
        rank: which of the four ten ranks the pair has, where only that one is meant.
        arithmetic: the number system of the weights.
        first: of the hand that is played first only, not of all.

    Returns:
        Scalars by pair, number of pair cards gone beside those in the hand (0 has no weight), value of the second card,
        and shoe.
    """
    coefficients = (first_coefficients if first else split_coefficients)(legal.split_into[pairs[0]])
    if legal.like_tens and TEN in pairs:
        return np.concatenate([_weights_of_like_tens(shoe, coefficients, rank, arithmetic) for shoe in shoes], axis=-1)
    counts = np.array([shoe.counts for shoe in shoes], dtype=np.int64).T
    others = np.repeat(counts[None], len(pairs), axis=0)
    others[np.arange(len(pairs)), pairs] = 0
    step = shoes[0].step
    total = counts.sum(axis=0) - 2 * step
    return _weights(coefficients, pairs, counts[pairs] - 2 * step, others, total, step, arithmetic)


def _weights(
    coefficients: SplitCoefficients,
    pairs: Sequence[int],
    pair_cards: NDArray[np.int64],
    others: NDArray[np.int64],
    total: NDArray[np.int64],
    step: int,
    arithmetic: Arithmetic,
) -> NDArray[Any]:
    """Return weights by pair, number of pair cards gone, second card and shoe.

    Args:
        coefficients: with which hands count.
        pairs: their values.
        pair_cards: pair cards left, by pair and shoe.
        others: other cards left, by pair, value and shoe.
        total: all cards left, by shoe.
        step: see `Shoe.step`.
        arithmetic: the number system.
    """
    run = arithmetic.ratios(np.ones_like(pair_cards), np.ones_like(pair_cards))
    runs = [run]
    for k in range(coefficients.most_extra):
        run = run * arithmetic.ratios(np.maximum(pair_cards - k * step, 0), total - k * step)
        runs.append(run)
    weights = np.zeros((len(pairs), coefficients.most_extra + 1, N_VALUES, len(total)), dtype=run.dtype)
    for k, coefficient in coefficients.other.items():
        share = arithmetic.ratios(np.maximum(others, 0), total - k * step)
        weights[:, k + 1] = weights[:, k + 1] + coefficient * runs[k][:, None] * share
    number = np.arange(len(pairs))
    for k, coefficient in coefficients.pair.items():
        weights[number, k, pairs] = weights[number, k, pairs] + coefficient * runs[k]
    return weights


def _weights_of_like_tens(
    shoe: Shoe, coefficients: SplitCoefficients, rank: int | None, arithmetic: Arithmetic
) -> NDArray[Any]:
    """Return the weights of a split of like tens in one shoe: an average over their ranks."""
    counts = list(shoe.counts)
    counts[TEN] -= 2 * shoe.step
    mixture = ten_rank_mixture(shoe, counts, rank)
    ways = sum(weight for weight, _, _ in mixture)
    total, shape = np.array([sum(counts)]), (1, coefficients.most_extra + 1, N_VALUES, 1)
    result = np.zeros(shape, dtype=arithmetic.ratios(total, total).dtype)
    for weight, left, others in mixture:
        of_tens = [TEN], np.array([[left]]), np.array(others)[None, :, None]
        part = _weights(coefficients, *of_tens, total, shoe.step, arithmetic)
        result = result + part * arithmetic.ratio(weight, ways)
    return result


def weigh(weights: NDArray[Any], values: NDArray[Any]) -> NDArray[Any]:
    """Return the sums over the number of pair cards gone and the second card, the two axes before that of shoes.

    The order is always the same, so that the value of a split does not depend on what is worked out beside it.
    """
    terms = weights * values
    total: NDArray[Any] = terms[..., 0, 0, :]
    for extra, second in list(np.ndindex(*terms.shape[-3:-1]))[1:]:
        total = total + terms[..., extra, second, :]
    return total
