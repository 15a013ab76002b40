"""Playing many rounds by the written rules, and comparing what they pay with the computed odds.

Rounds are played in blocks of a fixed size, each with a random stream of its own, so that a seed gives the same result
with any number of threads. What is counted are whole numbers; no rounding enters before the comparison.
"""

from __future__ import annotations

import math
import os
import secrets
import threading
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np
from numpy.random import PCG64DXSM, SeedSequence

from odds.errors import OddsError
from odds.referee import net_result, raise_fault, referee, shoe_ranks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from odds._simulator import Fault, Referee
    from odds.round import RoundResult
    from odds.rules import Rules

BLOCK = 1 << 16
MOST_ROUNDS = 10**12
MOST_SEED = 2**64 - 1
MOST_THREADS = 256
# |z| beyond this is called a disagreement; right odds are called wrong once in 1.7 million comparisons.
Z_LIMIT = 5.0
P_LIMIT = math.erfc(Z_LIMIT / math.sqrt(2.0))
# Means of fewer rounds need not be near enough to normal for that.
FEWEST_JUDGED = 10_000
# A cell of the chi-square test is expected to hold as many rounds at least.
_FEWEST_IN_CELL = 5
_UNITS, _BLACKJACKS, _SURRENDERS, _WAGERS = 8, 4, 1, 8
_TICK = 0.1


@dataclass(frozen=True, slots=True)
class Comparison:
    """The mean of what was played beside the computed value.

    Attributes:
        trials: of how many rounds it is the mean.
        mean: observed.
        standard_deviation: of one trial, observed.
        exact: computed.
    """

    trials: int
    mean: float
    standard_deviation: float
    exact: float

    @property
    def standard_error(self) -> float:
        """The standard deviation of the mean."""
        return self.standard_deviation / math.sqrt(self.trials)

    @property
    def z(self) -> float | None:
        """The difference in standard errors; None where all trials were alike."""
        return (self.mean - self.exact) / self.standard_error if self.standard_deviation else None

    @property
    def agrees(self) -> bool:
        """Whether z is within `Z_LIMIT`; True without being judged for fewer than `FEWEST_JUDGED` trials."""
        return self.trials < FEWEST_JUDGED or self.z is None or abs(self.z) <= Z_LIMIT

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON takes it."""
        return {
            "mean": self.mean,
            "standard_error": self.standard_error,
            "exact": self.exact,
            "z": self.z,
        }


@dataclass(frozen=True, slots=True)
class ChiSquare:
    """Pearson's test of observed counts against an exact distribution.

    Attributes:
        statistic: the sum of (observed - expected)^2 / expected over the cells.
        degrees_of_freedom: cells less one.
        p_value: probability of a statistic at least as large where the distribution is right.
        impossible: results that came about although their probability is 0; not in the statistic.
    """

    statistic: float
    degrees_of_freedom: int
    p_value: float
    impossible: tuple[Fraction, ...]

    @property
    def agrees(self) -> bool:
        """Whether nothing impossible happened and the p-value is no smaller than that of `Z_LIMIT`."""
        return not self.impossible and self.p_value >= P_LIMIT

    def to_dict(self) -> dict[str, Any]:
        """Return the test as JSON takes it."""
        return {
            "statistic": self.statistic,
            "degrees_of_freedom": self.degrees_of_freedom,
            "p_value": self.p_value,
            "impossible": [str(net) for net in self.impossible],
        }


@dataclass(frozen=True, slots=True)
class SimulationResult:
    """Rounds that were played, beside the computed odds.

    Attributes:
        rules: the rules.
        play: how the hands were played, as `RoundResult.play`.
        split_class: how hands of a split were played.
        rounds: how many were played, each from a freshly shuffled shoe.
        seed: of the random numbers.
        net: net result of a round in initial wagers.
        square: the square of the net result, where the variance is known exactly; a check of that.
        wager: units wagered in a round.
        insurance: net result per unit insured, of all rounds in which it was offered; None where it was not.
        observed: how often each net result came about, in ascending order.
        expected: exact probability of each net result, where it is known.
        chi_square: of `observed` against `expected`.
    """

    rules: Rules
    play: str
    split_class: str
    rounds: int
    seed: int
    net: Comparison
    square: Comparison | None
    wager: Comparison
    insurance: Comparison | None
    observed: Mapping[Fraction, int]
    expected: Mapping[Fraction, Fraction | float] | None
    chi_square: ChiSquare | None

    @property
    def agrees(self) -> bool:
        """Whether nothing observed contradicts the computed odds."""
        checks = (self.net, self.square, self.wager, self.insurance, self.chi_square)
        return all(check is None or check.agrees for check in checks)

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON takes it."""
        return {
            "play": self.play,
            "split_class": self.split_class,
            "rounds": self.rounds,
            "seed": self.seed,
            "mean": self.net.mean,
            "standard_error": self.net.standard_error,
            "standard_deviation": self.net.standard_deviation,
            "exact_ev": self.net.exact,
            "z": self.net.z,
            "square": None if self.square is None else self.square.to_dict(),
            "average_wager": self.wager.to_dict(),
            "insurance": None
            if self.insurance is None
            else {**self.insurance.to_dict(), "offered": self.insurance.trials, "per": "unit insured"},
            "distribution": [
                {
                    "net": str(net),
                    "rounds": self.observed.get(net, 0),
                    "frequency": self.observed.get(net, 0) / self.rounds,
                    "probability": None if self.expected is None else float(self.expected.get(net, 0)),
                }
                for net in self.nets()
            ],
            "chi_square": None if self.chi_square is None else self.chi_square.to_dict(),
            "agrees": self.agrees,
        }

    def nets(self) -> list[Fraction]:
        """Return the net results that were observed or can be, in ascending order."""
        return sorted({*self.observed, *(self.expected or {})})


def simulate(
    result: RoundResult,
    *,
    rounds: int,
    seed: int,
    threads: int = 1,
    distribution: Mapping[Fraction, Fraction | float] | None = None,
    variance: float | None = None,
    progress: Callable[[int], None] | None = None,
) -> SimulationResult:
    """Play rounds under the rules, shoe and play of a computed result, and compare.

    >>> from odds.round import analyze
    >>> from odds.rules import Rules
    >>> played = simulate(analyze(Rules()), rounds=100_000, seed=1)
    >>> played.agrees, sum(played.observed.values())
    (True, 100000)

    Args:
        result: the computed odds; its play is followed.
        rounds: how many, 1 to `MOST_ROUNDS`, each from the whole shoe freshly shuffled.
        seed: 0 to `MOST_SEED`.
        threads: how many work at once; the result does not depend on it.
        distribution: exact probabilities of net results in initial wagers, for a chi-square test.
        variance: of the net result, to be checked.
        progress: called now and then with the number of rounds played so far.

    Raises:
        OddsError: a number is out of range.
        ShoeError: the shoe does not tell tens apart where the rules need it.
        RulesError: the play asks for what the rules do not allow.
    """
    plan(rounds, seed, threads)
    rules = result.rules
    shoe = shoe_ranks(result.shoe, rules)
    settled, insured = _Play(referee(rules, result.tables()), shoe, rounds, seed).run(threads, progress)
    nets: Counter[Fraction] = Counter()
    squares: Counter[Fraction] = Counter()
    wagers: Counter[Fraction] = Counter()
    for units, blackjacks, surrenders, wager in np.argwhere(settled).tolist():
        times = int(settled[units, blackjacks, surrenders, wager])
        net = net_result(rules, units - _UNITS, blackjacks, surrenders)
        nets[net] += times
        squares[net * net] += times
        wagers[Fraction(wager)] += times
    observed = dict(sorted(nets.items()))
    return SimulationResult(
        rules,
        result.play,
        result.split_class,
        rounds,
        seed,
        _compare(observed, result.ev),
        None if variance is None else _compare(squares, variance + result.ev**2),
        _compare(wagers, result.average_wager),
        _insurance(result, int(insured[0]), int(insured[1])),
        observed,
        None if distribution is None else dict(sorted(distribution.items())),
        None if distribution is None else chi_square(observed, distribution),
    )


class Plan(TypedDict):
    """What `simulate` is to do."""

    rounds: int
    seed: int
    threads: int


def plan(rounds: int, seed: int | None, threads: int | None) -> Plan:
    """Return a plan for `simulate`: where left out, a new seed, and as many threads as can work at once.

    Raises:
        OddsError: a number is out of range.
    """
    _check("rounds", rounds, 1, MOST_ROUNDS)
    seed = secrets.randbits(32) if seed is None else _check("seed", seed, 0, MOST_SEED)
    threads = _available_threads() if threads is None else _check("threads", threads, 1, MOST_THREADS)
    return {"rounds": rounds, "seed": seed, "threads": threads}


def _available_threads() -> int:
    if hasattr(os, "sched_getaffinity"):
        return min(len(os.sched_getaffinity(0)), MOST_THREADS)
    return min(os.cpu_count() or 1, MOST_THREADS)


def chi_square(observed: Mapping[Fraction, int], expected: Mapping[Fraction, Fraction | float]) -> ChiSquare:
    """Return Pearson's test of counts against exact probabilities.

    Cells in which fewer than five are expected are put together.

    >>> test = chi_square({Fraction(-1): 60, Fraction(1): 40}, {Fraction(-1): 0.5, Fraction(1): 0.5})
    >>> test.statistic, test.degrees_of_freedom, round(test.p_value, 6)
    (4.0, 1, 0.0455)
    """
    import mpmath

    trials = sum(observed.values())
    impossible = tuple(sorted(net for net, times in observed.items() if times and not expected.get(net, 0)))
    cells = sorted((float(p) * trials, observed.get(net, 0)) for net, p in expected.items() if p)
    pooled: list[tuple[float, int]] = []
    rest, rest_observed = 0.0, 0
    for expectation, times in cells:  # in ascending order, so that what is put together comes first
        rest, rest_observed = rest + expectation, rest_observed + times
        if rest >= _FEWEST_IN_CELL:
            pooled.append((rest, rest_observed))
            rest, rest_observed = 0.0, 0
    if rest and pooled:
        pooled[-1] = (pooled[-1][0] + rest, pooled[-1][1] + rest_observed)
    statistic = math.fsum((times - expectation) ** 2 / expectation for expectation, times in pooled)
    freedom = max(len(pooled) - 1, 0)
    p_value = float(mpmath.gammainc(freedom / 2, statistic / 2, regularized=True)) if freedom else 1.0
    return ChiSquare(statistic, freedom, p_value, impossible)


def _check(what: str, number: int, low: int, high: int) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or not low <= number <= high:
        shown = repr(number) if not isinstance(number, int) or abs(number) < 10**30 else "a larger number"
        raise OddsError(f"{what}: expected a whole number from {low} to {high:,}, got {shown}")
    return number


def _compare(counts: Mapping[Fraction, int], exact: float) -> Comparison:
    """Compare the mean of some values, each observed so many times; exact until the last step."""
    trials = sum(counts.values())
    total = sum((value * times for value, times in counts.items()), Fraction(0))
    squares = sum((value * value * times for value, times in counts.items()), Fraction(0))
    mean = total / trials
    return Comparison(trials, float(mean), math.sqrt(squares / trials - mean * mean), exact)


def _insurance(result: RoundResult, offered: int, won: int) -> Comparison | None:
    if result.insurance is None or not offered:
        return None
    nets = {result.rules.insurance_pays: won, Fraction(-1): offered - won}
    return _compare(nets, float(result.insurance.ev))


class _Play:
    """Rounds in blocks; any thread takes the next block, and the sums are the same."""

    def __init__(self, judge: Referee, shoe: NDArray[np.uint8], rounds: int, seed: int) -> None:
        self._judge, self._shoe, self._rounds, self._seed = judge, shoe, rounds, seed
        self._blocks = iter(range(-(-rounds // BLOCK)))
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._played = 0
        self._settled = np.zeros((2 * _UNITS + 1, _BLACKJACKS + 1, _SURRENDERS + 1, _WAGERS + 1), dtype=np.int64)
        self._insurance = np.zeros(2, dtype=np.int64)

    def run(self, threads: int, progress: Callable[[int], None] | None) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Play all blocks; return how often each settlement came about, and insurance offered and won."""
        with ThreadPoolExecutor(threads) as pool:
            try:
                pending = {pool.submit(self._work) for _ in range(threads)}
                while pending:
                    done, pending = wait(pending, _TICK, FIRST_COMPLETED)
                    if progress is not None:
                        progress(self._played)
                    for future in done:
                        if (fault := future.result()) is not None:
                            raise_fault(fault)
            finally:
                self._stopped.set()
        return self._settled, self._insurance

    def _work(self) -> Fault | None:
        settled, insurance = np.zeros_like(self._settled), np.zeros_like(self._insurance)
        for block in self._next_blocks():
            stream = PCG64DXSM(SeedSequence(self._seed, spawn_key=(block,)))
            rounds = min(BLOCK, self._rounds - block * BLOCK)
            fault = self._judge.play(stream.capsule, self._shoe, rounds, settled, insurance)
            if fault is not None:
                return fault
            with self._lock:
                self._played += rounds
        with self._lock:
            self._settled += settled
            self._insurance += insurance
        return None

    def _next_blocks(self) -> Iterator[int]:
        while not self._stopped.is_set():
            with self._lock:
                block = next(self._blocks, None)
            if block is None:
                return
            yield block
