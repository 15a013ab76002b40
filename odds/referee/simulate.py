"""Playing many rounds by the written rules, and comparing what they pay with the computed odds.

Rounds are played in blocks of a fixed size, each with a random stream of its own, so that a seed gives the same result
with any number of threads. What is counted are whole numbers; no rounding enters before the comparison.
"""

from __future__ import annotations

import math
import secrets
import threading
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

import numpy as np
from numpy.random import PCG64DXSM, SeedSequence

from odds.engine.split_classes import play_facts
from odds.engine.terms import hand_terms
from odds.errors import PaytableError, ShoeError
from odds.game.cards import TEN
from odds.game.deck import by_rank
from odds.game.fields import whole_between
from odds.game.subject import rules_facts
from odds.parallel import cores
from odds.referee.rounds import (
    WAGERED,
    SwitchPlay,
    check_hands,
    count_odds,
    free_bets,
    has_free_money,
    net_result,
    raise_fault,
    referee,
    shoe_ranks,
    suited_cards,
    takes_free_bets,
    times_of,
)
from odds.results.round import SwitchResult, round_of
from odds.results.switch import PAIRS
from odds.shown import Shown, with_exact
from odds.sidebets.matcher import compiled, matcher

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from odds._simulator import Fault, SideBets
    from odds.engine.play import StartTable
    from odds.game.catalog import AnyGame
    from odds.game.rules import Rules
    from odds.game.shoe import Shoe
    from odds.parallel import Door
    from odds.results.deals import InsuranceResult
    from odds.results.round import RoundResult
    from odds.sidebets.matcher import Matcher
    from odds.sidebets.results import SideBetResult

BLOCK = 1 << 16
MOST_ROUNDS = 10**12
MOST_SEED = 2**64 - 1
MOST_THREADS = 256
# |z| beyond this is called a disagreement; right odds are called wrong once in 1.7 million comparisons.
Z_LIMIT = 5.0
P_LIMIT = math.erfc(Z_LIMIT / math.sqrt(2.0))
# Means of fewer rounds need not be near enough to normal for that.
_SAME = 1e-9  # far above rounding, far below any difference between results
FEWEST_JUDGED = 10_000
# Nor of fewer side bets: much of what they pay, they pay once in 100,000 rounds.
FEWEST_SIDE_BETS_JUDGED = 1_000_000
# A cell of the chi-square test is expected to hold as many rounds at least.
_FEWEST_IN_CELL = 5
_TICK = 0.1
_BLOCKS_AT_ONCE = 256  # that others take: some seconds of work, beside which sending it is nothing


@dataclass(frozen=True, slots=True)
class Comparison:
    """The mean of what was played beside the computed value.

    Attributes:
        trials: of how many rounds it is the mean.
        mean: observed.
        standard_deviation: of one trial; observed, or that of a side bet, which is known exactly.
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
        if self.trials < FEWEST_JUDGED:
            return True
        if self.z is None:
            # Every trial gave the same: then so must the computed odds.
            return abs(self.mean - self.exact) < _SAME
        return abs(self.z) <= Z_LIMIT

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON takes it."""
        error = None if self.z is None else self.standard_error
        return {"mean": self.mean, "standard_error": error, "exact": self.exact, "z": self.z}


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
            "statistic": self.statistic if self.degrees_of_freedom else None,
            "degrees_of_freedom": self.degrees_of_freedom,
            "p_value": self.p_value if self.degrees_of_freedom else None,
            "impossible": [str(net) for net in self.impossible],
        }


@dataclass(frozen=True, slots=True)
class PlayedSideBet:
    """A side bet that was played in every round in which it could be made, beside what was counted.

    Attributes:
        table: what was counted.
        observed: how often each line came about, the losing one last.
        net: net result per unit bet; None where it could never be made.
    """

    table: SideBetResult
    observed: tuple[int, ...]
    net: Comparison | None

    @property
    def trials(self) -> int:
        """In how many rounds it could be made."""
        return sum(self.observed)

    @property
    def expected(self) -> tuple[float, ...]:
        """How often each line was to be expected in as many trials."""
        return tuple(float(line.probability * self.trials) for line in self.table.lines)

    @property
    def judged(self) -> bool:
        """Whether there are enough trials for z to be judged."""
        return self.trials >= FEWEST_SIDE_BETS_JUDGED

    @property
    def agrees(self) -> bool:
        """Whether no line came about that cannot, and z is within `Z_LIMIT` if it is judged."""
        if any(times and not line.probability for times, line in zip(self.observed, self.table.lines, strict=True)):
            return False
        return self.net is None or not self.judged or self.net.agrees

    def to_dict(self) -> dict[str, Any]:
        """Return the bet as JSON takes it."""
        net = self.net
        return {
            "name": self.table.bet,
            "paytable": self.table.paytable.name,
            "trials": self.trials,
            "mean": None if net is None else net.mean,
            "standard_error": None if net is None else net.standard_error,
            "exact_ev": self.table.ev,
            "z": None if net is None else net.z,
            "lines": [
                {"name": line.name, "observed": times, "expected": expected}
                for line, times, expected in zip(self.table.lines, self.observed, self.expected, strict=True)
            ],
        }


@dataclass(frozen=True, slots=True, repr=False)
class SimulationResult(Shown):
    """Rounds that were played, beside the computed odds.

    Attributes:
        rules: the rules.
        shoe: the shoe before each deal.
        play: how the hands were played, as `RoundResult.play`.
        split_class: how hands of a split were played.
        rounds: how many were played, each from a freshly shuffled shoe.
        seed: of the random numbers.
        net: net result of a round in initial wagers.
        square: the square of the net result, where the variance is known exactly; a check of that.
        wager: units wagered in a round.
        insurance: net result per unit insured, of all rounds in which it was offered against an ace; None where it was
            not.
        observed: how often each net result came about, in ascending order.
        expected: probability of each net result, where it is known.
        chi_square: of `observed` against `expected`.
        side_bets: those that were played.
        insurance_against_ten: as `insurance`, of the rounds in which it was offered against a ten.
        free_bets: in how many rounds so many doubles and splits were free; empty where none may be.
    """

    rules: Rules
    shoe: Shoe
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
    side_bets: tuple[PlayedSideBet, ...] = ()
    insurance_against_ten: Comparison | None = None
    free_bets: Mapping[int, int] = field(default_factory=dict)

    @property
    def agrees(self) -> bool:
        """Whether nothing observed contradicts the computed odds."""
        insurance = (self.insurance, self.insurance_against_ten)
        checks = (self.net, self.square, self.wager, *insurance, self.chi_square, *self.side_bets)
        return all(check is None or check.agrees for check in checks)

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON takes it."""
        return {
            **({"per": "one of the two initial wagers"} if self.rules.switch else {}),
            "play": self.play,
            "split_class": self.split_class,
            "rounds": self.rounds,
            "seed": self.seed,
            "mean": self.net.mean,
            "standard_error": self.net.to_dict()["standard_error"],
            "standard_deviation": None if self.net.z is None else self.net.standard_deviation,
            "exact_ev": self.net.exact,
            "z": self.net.z,
            "square": None if self.square is None else self.square.to_dict(),
            "average_wager": self.wager.to_dict(),
            "insurance": None if self.insurance is None else _insured(self.insurance),
            **(
                {"insurance_against_ten": _insured(self.insurance_against_ten)}
                if self.insurance_against_ten is not None
                else {}
            ),
            "side_bets": [bet.to_dict() for bet in self.side_bets],
            **(
                {"free_bets": [{"number": number, "rounds": times} for number, times in self.free_bets.items()]}
                if self.free_bets
                else {}
            ),
            "distribution": [{**row, "net": str(net)} for row, net in zip(self._net_rows(), self.nets(), strict=True)],
            "chi_square": None if self.chi_square is None else self.chi_square.to_dict(),
            "agrees": self.agrees,
        }

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row for each net result, ascending, for pandas or polars.

        Columns: `net` in initial wagers and `net_exact` as text, `rounds`, `frequency`, and `probability` where it is
        known.
        """
        return [{**with_exact("net", net), **row} for net, row in zip(self.nets(), self._net_rows(), strict=True)]

    def _net_rows(self) -> list[dict[str, Any]]:
        return [
            {
                "rounds": self.observed.get(net, 0),
                "frequency": self.observed.get(net, 0) / self.rounds,
                "probability": None if self.expected is None else float(self.expected.get(net, 0)),
            }
            for net in self.nets()
        ]

    def facts(self) -> list[tuple[str, ...]]:
        """Return what came out and what was computed, how hands were played, and under which rules."""
        z = "" if self.net.z is None else f", z {self.net.z:+.2f}"
        looks = hand_terms(self.rules).looks
        return [
            ("Mean", f"{self.net.mean:+.8f} {self.rules.round_units}, standard error {self.net.standard_error:.8f}"),
            ("Computed", f"{self.net.exact:+.10f}{z}"),
            ("Agrees", "yes" if self.agrees else "no"),
            ("Rounds", f"{self.rounds:,} with seed {self.seed}", "each from a freshly shuffled shoe"),
            *play_facts(self.play, self.split_class, splits=self.rules.max_hands > 1, looks=looks),
            *rules_facts(self.rules, self.shoe),
        ]

    def nets(self) -> list[Fraction]:
        """Return the net results that were observed or can be, in ascending order."""
        return sorted({*self.observed, *(self.expected or {})})


def simulate(
    result: RoundResult | AnyGame,
    *,
    rounds: int,
    seed: int,
    threads: int = 1,
    distribution: Mapping[Fraction, Fraction | float] | None = None,
    errors: Mapping[Any, float] | None = None,
    variance: float | None = None,
    side_bets: Sequence[SideBetResult] = (),
    progress: Callable[[int], None] | None = None,
    door: Door | None = None,
) -> SimulationResult:
    """Play rounds under the rules, shoe and play of a computed result, and compare.

    >>> from odds.results.round import analyze
    >>> from odds.game.rules import Rules
    >>> played = simulate(analyze(Rules()), rounds=100_000, seed=1)
    >>> played.agrees, sum(played.observed.values())
    (True, 100000)

    Args:
        result: the computed odds, whose play is followed; or a game, also by its name or file, under the best play.
        rounds: how many, 1 to `MOST_ROUNDS`, each from the whole shoe freshly shuffled.
        seed: 0 to `MOST_SEED`.
        threads: how many work at once; the result does not depend on it.
        distribution: probabilities of net results in initial wagers, for a chi-square test.
        errors: standard errors of those that are not exact.
        variance: of the net result, to be checked.
        side_bets: side bets to play too, counted for the same shoe and rules; the rounds are the same with them.
        progress: called now and then with the number of rounds played so far.
        door: other processes or a cluster that play instead of threads; the result does not depend on it either.

    Raises:
        OddsError: a number is out of range.
        ShoeError: the shoe does not tell tens apart where the rules need it; or is not the one of a side bet.
        PaytableError: a side bet cannot be played.
        RulesError: the play asks for what the rules do not allow.
    """
    planned = plan(rounds, seed, threads)
    rounds, seed, threads = planned["rounds"], planned["seed"], planned["threads"]
    result = round_of(result)
    rules = result.rules
    matchers = [check_side_bet(result, table) for table in side_bets]
    if any(table.shoe != side_bets[0].shoe for table in side_bets):
        raise ShoeError("expected side bets of one shoe, got several")
    shoe = suited_cards(side_bets[0].shoe) if side_bets else shoe_ranks(result.shoe, rules)
    asked = _Rounds(rules, _play_of(result), result.raised or (), shoe, result.shoe.endless, rounds, seed, matchers)
    play = _Play(asked, range(0 if door is not None else asked.blocks))
    if door is None:
        play.run(threads, progress)
    else:
        play.take(door, progress)
    odds, insured = count_odds(rules), play.insurance
    nets: Counter[Fraction] = Counter()
    squares: Counter[Fraction] = Counter()
    wagers: Counter[Fraction] = Counter()
    free: Counter[int] = Counter()
    for counts, times in play.settled.items():
        money = times_of(rules, counts)
        net = money * net_result(odds, counts)
        nets[net] += times
        squares[net * net] += times
        wagers[Fraction(money * counts[WAGERED])] += times
        free[free_bets(rules, counts)] += times
    observed = dict(sorted(nets.items()))
    return SimulationResult(
        rules,
        result.shoe,
        result.play,
        result.split_class,
        rounds,
        seed,
        _compare(observed, result.ev),
        None if variance is None else _compare(squares, variance + result.ev**2),
        _compare(wagers, result.average_wager),
        _insurance(result, result.insurance, *insured[0].tolist()),
        observed,
        None if distribution is None else dict(sorted(distribution.items())),
        None if distribution is None else chi_square(observed, distribution, errors),
        tuple(_side_bet(table, row.tolist()) for table, row in zip(side_bets, play.lines, strict=True)),
        _insurance(result, result.insurance_against_ten, *insured[1].tolist()),
        dict(sorted(free.items())) if has_free_money(rules) else {},
    )


def _play_of(result: RoundResult) -> Mapping[tuple[int, ...], StartTable] | SwitchPlay:
    """Return the play of a computed result, as the referee takes it."""
    if not isinstance(result, SwitchResult):
        return result.tables()
    found, counts = result.exchanges, result.shoe.counts
    exchanged = dict(zip((start.cards for start, _ in found.starts), found.exchanges, strict=True))
    if result.shoe.endless:  # the other hand's cards tell nothing
        return SwitchPlay(exchanged, dict.fromkeys(PAIRS, found.tables(())))
    dealt = [pair for pair in PAIRS if all(counts[value] >= pair.count(value) for value in pair)]
    return SwitchPlay(exchanged, {pair: found.tables(pair) for pair in dealt})


def check_side_bet(result: RoundResult, table: SideBetResult) -> Matcher:
    """Return what decides a side bet in the rounds of a computed result.

    Raises:
        ShoeError: it was counted for other cards or another dealer, or the cards that it looks at may not be there.
        PaytableError: its conditions tie too many cards together.
    """
    rules = result.rules
    where = f"{table.bet}: paytable {table.paytable.name} cannot be played"
    tens = result.shoe.ten_ranks if not result.shoe.unspecified_tens_gone else None
    same = table.shoe.by_value == result.shoe.counts and table.shoe.endless == result.shoe.endless
    if not same or tens not in (None, by_rank(table.shoe.counts)[TEN:]):
        raise ShoeError(f"{where}: it was counted for another shoe")
    if table.dealer_hits_soft_17 not in (None, rules.dealer_hits_soft_17):
        raise ShoeError(f"{where}: it was counted for a dealer who plays otherwise")
    if table.law is not None:
        same = (table.law.play, table.law.split_class) == (result.play, result.split_class)
        if table.rules != rules or not same:
            raise PaytableError(f"{where}: it was counted for other rules, or another play")
    found = matcher(table.bet, check_hands(table.bet, table.paytable, rules))
    if table.paytable.counts_free_bets:
        peeks = rules.hole_card == "exposed" or all(map(rules.peeks_under, "AT"))
        if rules.switch or not peeks or not takes_free_bets(rules, result.tables()):
            raise PaytableError(
                f"{where}: it is counted for one hand and a dealer who looks for a blackjack first, and for every free "
                "bet, doubles before splits, and no split for money of one's own; the rounds are played otherwise"
            )
    dealt = ("first", "second", "upcard", *(("hole",) if rules.hole_card != "none" else ()))
    if result.shoe_can_run_out and found.asks_beyond(dealt):
        raise ShoeError(f"{where}: it looks at cards that come after the deal, and the shoe can run out before")
    return found


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
    rounds = whole_between("rounds", rounds, 1, MOST_ROUNDS)
    seed = secrets.randbits(32) if seed is None else whole_between("seed", seed, 0, MOST_SEED)
    threads = min(cores(), MOST_THREADS) if threads is None else whole_between("threads", threads, 1, MOST_THREADS)
    return {"rounds": rounds, "seed": seed, "threads": threads}


def chi_square(
    observed: Mapping[Fraction, int],
    expected: Mapping[Fraction, Fraction | float],
    errors: Mapping[Any, float] | None = None,
) -> ChiSquare:
    """Return Pearson's test of counts against probabilities.

    Cells in which fewer than five are expected are put together.

    >>> test = chi_square({Fraction(-1): 60, Fraction(1): 40}, {Fraction(-1): 0.5, Fraction(1): 0.5})
    >>> test.statistic, test.degrees_of_freedom, round(test.p_value, 6)
    (4.0, 1, 0.0455)

    Args:
        observed: how often each net result came about.
        expected: its probability.
        errors: standard errors of probabilities that are not exact; results not listed are possible then.
    """
    import mpmath

    trials, unlisted = (
        sum(observed.values()),
        [net for net, times in observed.items() if times and not expected.get(net)],
    )
    # In ascending order, so that what is put together comes first: what was expected, what was seen, errors squared.
    errors = errors or {}
    cells = [(0.0, observed[net], 0.0) for net in unlisted if errors]
    cells += sorted(
        (float(p) * trials, observed.get(net, 0), (trials * errors.get(net, 0.0)) ** 2)
        for net, p in expected.items()
        if p
    )
    pooled, rest = [], (0.0, 0, 0.0)
    for cell in cells:
        rest = (rest[0] + cell[0], rest[1] + cell[1], rest[2] + cell[2])
        if rest[0] >= _FEWEST_IN_CELL:
            pooled.append(rest)
            rest = (0.0, 0, 0.0)
    if rest[0] and pooled:
        last = pooled[-1]
        pooled[-1] = (last[0] + rest[0], last[1] + rest[1], last[2] + rest[2])
    statistic = math.fsum((times - expectation) ** 2 / (expectation + error) for expectation, times, error in pooled)
    impossible = () if errors else tuple(sorted(unlisted))
    freedom = max(len(pooled) - 1, 0)
    p_value = float(mpmath.gammainc(freedom / 2, statistic / 2, regularized=True)) if freedom else 1.0
    return ChiSquare(statistic, freedom, p_value, impossible)


def _compare(counts: Mapping[Fraction, int], exact: float) -> Comparison:
    """Compare the mean of some values, each observed so many times; exact until the last step."""
    trials = sum(counts.values())
    total = sum((value * times for value, times in counts.items()), Fraction(0))
    squares = sum((value * value * times for value, times in counts.items()), Fraction(0))
    mean = total / trials
    return Comparison(trials, float(mean), math.sqrt(squares / trials - mean * mean), exact)


def _insurance(result: RoundResult, insurance: InsuranceResult | None, offered: int, won: int) -> Comparison | None:
    if insurance is None or not offered:
        return None
    nets = {result.rules.insurance_pays: won, Fraction(-1): offered - won}
    return _compare(nets, float(insurance.ev))


def _insured(insurance: Comparison) -> dict[str, Any]:
    return {**insurance.to_dict(), "offered": insurance.trials, "per": "unit insured"}


def _side_bet(table: SideBetResult, counts: Sequence[int]) -> PlayedSideBet:
    observed = tuple(counts[: len(table.lines)])
    trials = sum(observed)
    if not trials:
        return PlayedSideBet(table, observed, None)
    won = sum((line.pays * times for line, times in zip(table.lines, observed, strict=True)), Fraction(0))
    return PlayedSideBet(table, observed, Comparison(trials, float(won / trials), table.standard_deviation, table.ev))


class _Rounds(NamedTuple):
    """Rounds to be played, as other processes take them: all that `_Play` needs."""

    rules: Rules
    tables: Mapping[tuple[int, ...], StartTable] | SwitchPlay
    raised: Sequence[str]
    shoe: NDArray[np.uint8]
    endless: bool
    rounds: int
    seed: int
    side_bets: Sequence[Matcher]

    @property
    def blocks(self) -> int:
        """How many blocks they are."""
        return -(-self.rounds // BLOCK)


def _play_blocks(item: tuple[_Rounds, range]) -> tuple[Counter[tuple[int, ...]], NDArray[np.int64], NDArray[np.int64]]:
    """Return what some of the blocks come to."""
    play = _Play(*item)
    play.run(1, None)
    return play.settled, play.insurance, play.lines


class _Play:
    """Rounds in blocks; any thread takes the next block, and the sums are the same.

    Attributes:
        settled: how often rounds had these counts.
        insurance: against an ace and against a ten, how often it was offered, and how often it would have won.
        lines: of each side bet how often each line came about.
    """

    def __init__(self, asked: _Rounds, blocks: range) -> None:
        """Take the rounds, and which of their blocks are to be played here."""
        self._asked, side_bets = asked, asked.side_bets
        self._shoe, self._endless, self._rounds, self._seed = asked.shoe, asked.endless, asked.rounds, asked.seed
        self._judge = referee(asked.rules, asked.tables, asked.raised)
        self._side_bets: SideBets | None = compiled(side_bets) if side_bets else None
        self._blocks = iter(blocks)
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._played = 0
        self.settled: Counter[tuple[int, ...]] = Counter()
        self.insurance = np.zeros((2, 2), dtype=np.int64)
        n_lines = max((len(bet.names) + 1 for bet in side_bets), default=0)
        self.lines = np.zeros((len(side_bets), n_lines), dtype=np.int64)

    def run(self, threads: int, progress: Callable[[int], None] | None) -> None:
        """Play all blocks."""
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

    def take(self, door: Door, progress: Callable[[int], None] | None) -> None:
        """Let others play all blocks."""
        blocks, size = self._asked.blocks, _BLOCKS_AT_ONCE
        items = [(self._asked, range(first, min(first + size, blocks))) for first in range(0, blocks, size)]
        for (_, part), (settled, insurance, lines) in zip(items, door.stream(_play_blocks, items), strict=True):
            self.settled.update(settled)
            self.insurance += insurance
            self.lines += lines
            if progress is not None:
                progress(min(part.stop * BLOCK, self._rounds))

    def _work(self) -> Fault | None:
        settled, insurance, lines = self._judge.tally(), np.zeros_like(self.insurance), np.zeros_like(self.lines)
        for block in self._next_blocks():
            stream, more = (PCG64DXSM(SeedSequence(self._seed, spawn_key=key)) for key in ((block,), (block, 1)))
            rounds = min(BLOCK, self._rounds - block * BLOCK)
            fault = self._judge.play(
                stream.capsule,
                self._shoe,
                rounds,
                settled,
                insurance,
                self._side_bets,
                more.capsule,
                lines,
                self._endless,
            )
            if fault is not None:
                return fault
            with self._lock:
                self._played += rounds
        with self._lock:
            self.settled.update(dict(settled.items()))
            self.insurance += insurance
            self.lines += lines
        return None

    def _next_blocks(self) -> Iterator[int]:
        while not self._stopped.is_set():
            with self._lock:
                block = next(self._blocks, None)
            if block is None:
                return
            yield block
