"""Where the observed return of many rounds must lie, and how many rounds a given precision takes.

Rounds are taken for independent and alike, each the first of a freshly shuffled shoe. The observed RTP of N rounds is
1 plus the average net result in initial wagers. Two methods: the normal approximation, from mean and variance, and for
not too many rounds the distribution of the sum itself, by repeated convolution of that of one round.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from fractions import Fraction
from math import ceil, lcm, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from odds.errors import OddsError
from odds.game.fields import whole_between
from odds.results.outcomes import Outcomes
from odds.results.round import round_of
from odds.shown import Shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from odds.game.catalog import AnyGame
    from odds.results.round import RoundResult

LEVELS = (0.95, 0.99)
MOST_ROUNDS = 10**15
MOST_EXACT_ROUNDS = 10_000
FEWEST_NORMAL = 30  # the sum of fewer rounds is nothing like a normal one
# Tails of a convolution with less than this probability are cut off; twenty or so cuts stay below any figure shown.
_TAIL = 1e-20


@dataclass(frozen=True, slots=True)
class Interval:
    """A central interval of the observed RTP.

    Attributes:
        level: the probability with which the observed RTP is to lie in it, at least.
        low: lower end, normal approximation.
        high: upper end, normal approximation.
        exact_low: lower end by the distribution of the sum: less than this has a probability of at most
            (1 - level) / 2; None for too many rounds. As exact as that of a round, see `Outcomes.exact_share`.
        exact_high: upper end, likewise.
        exact_level: the probability of the exact interval, its ends included.
        normal_holds: there are rounds enough for the normal one, `FEWEST_NORMAL`.
    """

    level: float
    low: float
    high: float
    exact_low: float | None = None
    exact_high: float | None = None
    exact_level: float | None = None
    normal_holds: bool = True

    def to_dict(self) -> dict[str, Any]:
        """Return the interval as JSON takes it."""
        exact = None
        if self.exact_low is not None:
            exact = {"low": self.exact_low, "high": self.exact_high, "probability": self.exact_level}
        plain = {"level": self.level, "low": self.low, "high": self.high}
        return {**plain, "exact": exact, "normal_holds": self.normal_holds}


@dataclass(frozen=True, slots=True, repr=False)
class Confidence(Shown):
    """What to expect of the observed RTP of so many rounds.

    Attributes:
        rounds: how many.
        rtp: the RTP of the game.
        standard_error: standard deviation of the observed RTP.
        intervals: for each of `LEVELS`.
        outcomes: of one round.
    """

    rounds: int
    rtp: float
    standard_error: float
    intervals: tuple[Interval, ...]
    outcomes: Outcomes = field(compare=False)

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row for each level, for pandas or polars: the attributes of `Interval`."""
        return [asdict(interval) for interval in self.intervals]

    def facts(self) -> list[tuple[str, ...]]:
        """Return how many rounds there are, what is expected of them, how they are played, and under which rules."""
        return [
            ("Rounds", f"{self.rounds:,}", "independent, each the first of a shuffled shoe"),
            ("RTP", f"{self.rtp:.5%}, standard error {self.standard_error:.5%}"),
            ("Intervals", "of the observed RTP, as fractions of 1"),
            *self.outcomes.limits(),
            *self.outcomes.setting(),
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the intervals as JSON takes them."""
        return {
            "rounds": self.rounds,
            "rtp": self.rtp,
            "standard_error": self.standard_error,
            "exact_share": self.outcomes.exact_share,
            "intervals": [interval.to_dict() for interval in self.intervals],
        }


def normal_quantile(level: float) -> float:
    """Return by how many standard deviations a central interval of this probability reaches to each side.

    >>> round(normal_quantile(0.95), 6)
    1.959964
    """
    return NormalDist().inv_cdf((1 + level) / 2)


def check_rounds(rounds: object) -> int:
    """Return a number of rounds.

    Raises:
        OddsError: it is none, or out of range.
    """
    return whole_between("rounds", rounds, 1, MOST_ROUNDS)


_FINEST = 1e-12


def check_precision(precision: float) -> None:
    """Refuse a precision out of range.

    Raises:
        OddsError: it is not between 0 and 1.
    """
    if not _FINEST <= precision < 1:
        raise OddsError(f"precision: expected {_FINEST} to 1, such as 0.001 for 0.1 %, got {precision}")


def confidence(outcomes: Outcomes | RoundResult | AnyGame, rounds: int) -> Confidence:
    """Return the intervals of the observed RTP of so many rounds.

    Args:
        outcomes: of one round; or the round, or a game under its best play, also by its name or file.
        rounds: how many, 1 to `MOST_ROUNDS`.

    Raises:
        OddsError: the number is out of range.
    """
    rounds = check_rounds(rounds)
    if not isinstance(outcomes, Outcomes):
        outcomes = round_of(outcomes).outcomes()
    rtp, error = 1.0 + outcomes.mean, outcomes.standard_deviation / sqrt(rounds)
    sums = None
    if rounds <= MOST_EXACT_ROUNDS:
        sums = distribution_of_sum(outcomes.distribution, rounds)
    intervals = []
    for level in LEVELS:
        reach = normal_quantile(level) * error
        exact: tuple[float | None, float | None, float | None] = (None, None, None)
        if sums is not None:
            low, high, probability = sums.central(level)
            exact = (float(1 + low / rounds), float(1 + high / rounds), probability)
        intervals.append(Interval(level, rtp - reach, rtp + reach, *exact, rounds >= FEWEST_NORMAL))
    return Confidence(rounds, rtp, error, tuple(intervals), outcomes)


def rounds_needed(outcomes: Outcomes, precision: float, level: float) -> int:
    """Return how many rounds it takes until the normal interval of this level reaches no farther than `precision`.

    Args:
        outcomes: of one round.
        precision: half the width of the interval of the observed RTP, as a fraction of 1.
        level: its probability.

    Raises:
        OddsError: the precision is not between 0 and 1, or takes more than `MOST_ROUNDS`.
    """
    check_precision(precision)
    needed = (normal_quantile(level) * outcomes.standard_deviation / precision) ** 2
    if needed > MOST_ROUNDS:
        raise OddsError(f"precision: {precision} takes more than {MOST_ROUNDS:,} rounds")
    return max(ceil(needed), 1)


@dataclass(frozen=True, slots=True)
class SumDistribution:
    """The distribution of the net result of some rounds together.

    Attributes:
        unit: every net result is a whole number of 1 / unit.
        first: the least result that is listed, in that unit.
        probabilities: of `first`, `first` + 1, ...
    """

    unit: int
    first: int
    probabilities: NDArray[np.float64]

    def central(self, level: float) -> tuple[Fraction, Fraction, float]:
        """Return the ends of the central interval of at least this probability, and its probability.

        Less than the lower end has a probability of at most (1 - level) / 2, and so has more than the upper end.
        """
        tail = (1 - level) / 2
        low = int(np.searchsorted(np.cumsum(self.probabilities), tail, side="right"))
        high = (
            len(self.probabilities) - 1 - int(np.searchsorted(np.cumsum(self.probabilities[::-1]), tail, side="right"))
        )
        probability = float(self.probabilities[low : high + 1].sum())
        return Fraction(self.first + low, self.unit), Fraction(self.first + high, self.unit), min(probability, 1.0)


def distribution_of_sum(distribution: Mapping[Fraction, float], rounds: int) -> SumDistribution:
    """Return the distribution of the sum of so many independent results.

    Every term is positive, so that the relative error of each probability stays near the number of additions times
    that of a double; tails of a probability below 1e-20 are cut off.

    >>> sums = distribution_of_sum({Fraction(-1): 0.5, Fraction(1): 0.5}, 4)
    >>> sums.first, sums.probabilities.tolist()
    (-4, [0.0625, 0.0, 0.25, 0.0, 0.375, 0.0, 0.25, 0.0, 0.0625])
    """
    unit = lcm(*(net.denominator for net in distribution))
    places = {int(net * unit): p for net, p in distribution.items()}
    first = min(places)
    power = np.zeros(max(places) - first + 1)
    for place, p in places.items():
        power[place - first] = p
    result, at = np.ones(1), 0
    left = rounds
    while left:
        if left & 1:
            at, result = _trimmed(at + first, np.convolve(result, power))
        left >>= 1
        if left:
            first, power = _trimmed(2 * first, np.convolve(power, power))
    return SumDistribution(unit, at, result)


def _trimmed(first: int, probabilities: NDArray[np.float64]) -> tuple[int, NDArray[np.float64]]:
    """Return a distribution without its outermost tails."""
    low = int(np.searchsorted(np.cumsum(probabilities), _TAIL, side="right"))
    high = int(np.searchsorted(np.cumsum(probabilities[::-1]), _TAIL, side="right"))
    return first + low, probabilities[low : len(probabilities) - high]
