"""Measures what the README promises about speed: `python benchmarks/bench.py [SECTION ...]`.

Times are medians of repeated runs in one process after set-up, of one thread where nothing else is said. On a shared
machine only the ratios mean much: each is taken between neighbouring runs of the same process.
"""

from __future__ import annotations

import itertools
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import odds
import odds._kernel
import odds.engine.dealer
import odds.engine.full
import odds.engine.player
import odds.engine.terms
import odds.engine.together
import odds.results.finished
import odds.strategy.gains
from odds.engine.dealer import dealer_trie, final_probabilities, remove_start
from odds.engine.hands import player_hands, removals
from odds.engine.passes import Passes
from odds.engine.terms import terms_of
from odds.numbers.arithmetic import tabulate
from odds.referee.simulate import simulate
from odds.results.exact import exact_round
from odds.strategy.search import cell_costs, search

REPEATS = 9
GAMES = {
    "classic-blackjack": odds.load_game("classic-blackjack").rules,
    "face-up-21": odds.load_game("face-up-21").rules,
    "spanish-21": odds.load_game("spanish-21").rules,
    "6 decks, H17, four hands": odds.Rules(decks=6, dealer_hits_soft_17=True, max_hands=4),
    "face-up-21, four hands": odds.load_game("face-up-21").rules.replace(max_hands=4),
}


def seconds(job: Callable[[], object]) -> float:
    begin = time.perf_counter()
    job()
    return time.perf_counter() - begin


def median(job: Callable[[], object], repeats: int = REPEATS) -> float:
    """Return the median time of a job, in seconds, after one run that does not count."""
    job()
    return statistics.median(seconds(job) for _ in range(repeats))


def dealer_passes(rules: odds.Rules) -> Callable[[], None]:
    """The dealer's probabilities for every shoe that an analysis of these rules looks at, and nothing else."""
    shoe, terms = rules.shoe(), terms_of(rules)
    removed = terms.removals.removed
    jobs = [(terms.trie(start), tabulate(remove_start(shoe, start))) for start in terms.dealer.starts]

    def job() -> None:
        for trie, numbers in jobs:
            final_probabilities(trie, numbers, removed)

    return job


def set_up() -> None:
    """What does not depend on a shoe, once per process and rule."""
    for rules in (GAMES["classic-blackjack"], GAMES["face-up-21, four hands"]):
        for cache in (player_hands, removals, dealer_trie):
            cache.cache_clear()
        hands = seconds(player_hands)
        terms = terms_of(rules)
        sets = seconds(lambda terms=terms: terms.removals)
        tries = seconds(lambda terms=terms: [terms.trie(start) for start in terms.dealer.starts])
        print(
            f"{len(terms.dealer.starts)} starts, {rules.max_hands} hands: hands {hands * 1e3:.1f} ms, "
            f"sets of cards gone {sets * 1e3:.1f} ms, dealer's tries {tries * 1e3:.1f} ms"
        )


def rounds() -> None:
    """A whole round, in doubles and as a fraction, beside the bare dealer passes over the same shoes."""
    for name, rules in GAMES.items():
        passes, analyze = dealer_passes(rules), (lambda rules=rules: odds.analyze(rules))
        for job in (passes, analyze):
            job()
        rows = [(seconds(passes), seconds(analyze)) for _ in range(3 * REPEATS)]
        bare, double = (statistics.median(column) for column in zip(*rows, strict=True))
        ratio = statistics.median(row[1] / row[0] for row in rows)
        fraction = median(lambda rules=rules: exact_round(odds.analyze(rules)))
        print(
            f"{name:26s} dealer passes {bare * 1e3:6.1f} ms   analyze {double * 1e3:6.1f} ms (x{ratio:.2f})   "
            f"exact {fraction * 1e3:6.1f} ms"
        )


def processors() -> None:
    """A whole round in each version of the hot loops, run by run in turn, and how many times as long as in the best."""
    names = odds._kernel.versions()

    def timed(name: str, job: Callable[[], object]) -> float:
        odds._kernel.use_version(name)
        return seconds(job)

    jobs: dict[str, tuple[Callable[[], object], int]] = {
        name: (lambda rules=rules: odds.analyze(rules), 3 * REPEATS) for name, rules in GAMES.items()
    }
    for game in ("classic-blackjack", "face-up-21"):
        jobs[f"{game}, full"] = (lambda r=GAMES[game]: odds.analyze(r, split_class="full", threads=1), 3)
    for what, (job, repeats) in jobs.items():
        job()
        rows = [[timed(name, job) for name in names] for _ in range(repeats)]
        shown = []
        for name, times in zip(names, zip(*rows, strict=True), strict=True):
            ratio = statistics.median(time / row[0] for time, row in zip(times, rows, strict=True))
            shown.append(f"{name} {statistics.median(times) * 1e3:7.1f} ms (x{ratio:.2f})")
        print(f"{what:26s} {'   '.join(shown)}", flush=True)
    odds._kernel.use_version(names[0])


def strategies() -> None:
    """The best chart, the costs of its cells, the distribution of a round."""
    for name in ("classic-blackjack", "face-up-21"):
        rules = GAMES[name]
        chart = search(rules).strategy
        found = median(lambda rules=rules: search(rules), 5)
        costs = median(lambda rules=rules, chart=chart: cell_costs(rules, chart), 5)
        outcomes = median(lambda rules=rules: odds.analyze(rules).outcomes(), 3)
        print(f"{name:26s} chart {found:.2f} s   cell costs {costs:.2f} s   distribution {outcomes:.2f} s")


def full() -> None:
    """Splits played on everything seen, with one thread and with two."""
    for name in ("classic-blackjack", "face-up-21"):
        rules = GAMES[name]
        one, two = (
            seconds(lambda rules=rules, t=t: odds.analyze(rules, split_class="full", threads=t)) for t in (1, 2)
        )
        print(f"{name:26s} one thread {one:5.1f} s   two {two:5.1f} s", flush=True)


def referee() -> None:
    """Rounds a second of real cards."""
    for name in ("classic-blackjack", "face-up-21"):
        result, number = odds.analyze(GAMES[name]), 20_000_000
        begin = time.perf_counter()
        simulate(result, rounds=number, seed=1, threads=1)
        print(f"{name:26s} {number / (time.perf_counter() - begin) / 1e6:.1f} million rounds a second, one thread")


def single_calls() -> None:
    """One call from Python."""
    rules = odds.Rules(decks=8)
    calls: dict[str, Callable[[], object]] = {}
    for upcard in "2TA":
        shoe = odds.Shoe.of_decks(8).without(upcard)
        calls[f"dealer_distribution, {upcard}"] = lambda shoe=shoe, u=upcard: odds.dealer_distribution(shoe, u, rules)
    for player, dealer in (("T,6", "T"), ("8,8", "T"), ("A,A", "A")):
        calls[f"hand_values, {player} against {dealer}"] = lambda p=player, d=dealer: odds.hand_values(p, d, rules)
    for name, call in calls.items():
        print(f"{name:34s} {median(call, 200) * 1e6:8.1f} us")


def growth() -> None:
    """A whole round as decks, hands and threads grow, in milliseconds; `face-up-21`'s rules where it is exposed."""
    print("rules      hands threads " + " ".join(f"{n:>4d} decks" for n in DECKS))
    for name, base in (("peek", odds.Rules()), ("exposed", GAMES["face-up-21"])):
        for hands in (2, 3, 4):
            for threads in (1, 2):
                sizes = [base.replace(decks=n, max_hands=hands) for n in DECKS]
                times = [median(lambda r=rules, t=threads: odds.analyze(r, threads=t), 7) for rules in sizes]
                print(f"{name:10s} {hands:5d} {threads:7d} " + " ".join(f"{t * 1e3:10.1f}" for t in times), flush=True)


DECKS = (1, 2, 4, 6, 8, 16, 64)

# What the sets of a grid differ in that have the shoe and the dealer's drawing rule in common.
AXES: dict[str, tuple[object, ...]] = {
    "hole_card": ("peek", "none"),
    "surrender": ("none", "late"),
    "double_after_split": (True, False),
    "double_on": ("any", "9-11", "10-11", "11"),
    "resplit_aces": (True, False),
    "hit_split_aces": (True, False),
    "double_split_aces": (True, False),
    "player_21": ("compare", "wins"),
}


def sets() -> None:
    """Milliseconds a set of rules as a grid of one shoe grows, and the share of sets analyzed one by one: 6 decks.

    Of each size the sets are spread over the grid; a chart's time is that of the search. Processor's time, as the
    memory that other programs use up counts enough.
    """
    grid = [dict(zip(AXES, values, strict=True)) for values in itertools.product(*AXES.values())]
    print("hands   what " + " ".join(f"{n:>14d} sets" for n in SIZES))
    for hands in (1, 2, 3, 4):
        every = [odds.Rules(decks=6, max_hands=hands, **fields) for fields in grid]  # type: ignore[arg-type]
        for what, job, sizes in (("play", odds.analyze, SIZES), ("chart", search, SIZES[:3])):
            shown = []
            for size in sizes:
                chosen = [every[(7 * n) % len(every)] for n in range(size)]
                alone, together = [], []
                for _ in range(max(1, 8 // size)):
                    passes = Passes()
                    for some, times, kept in ((chosen[:8], alone, None), (chosen, together, passes)):
                        hand_terms_anew()
                        begin = time.process_time()
                        for rules in some:
                            job(rules, passes=kept)
                        times.append((time.process_time() - begin) / len(some))
                each, one = statistics.median(together), statistics.median(alone)
                shown.append(f"{each * 1e3:10.1f} (x{each / one:.2f})")
            print(f"{hands:5d}  {what:>5s}  {' '.join(shown)}", flush=True)


SIZES = (1, 8, 64, 512)


def hand_terms_anew() -> None:
    """Forget the rules that were read, which no set of a grid finds read already."""
    odds.engine.terms._read.cache_clear()


class _Clock:
    """Adds up the time spent in functions of the kernel, by kind."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}

    def wrap(self, module: Any, name: str, kind: str) -> None:
        """Put a function of a module on the clock."""
        inner = getattr(module, name)

        def timed(*arguments: Any, **options: Any) -> Any:
            begin = time.perf_counter()
            try:
                return inner(*arguments, **options)
            finally:
                self.spent[kind] = self.spent.get(kind, 0.0) + time.perf_counter() - begin

        setattr(module, name, timed)

    def wrap_methods(self, module: Any, name: str, methods: dict[str, str]) -> None:
        """Put methods of a class that a module makes objects of on the clock."""
        inner, clock = getattr(module, name), self

        class Timed:
            def __init__(self, *arguments: Any) -> None:
                self._inner = inner(*arguments)
                for method, kind in methods.items():
                    setattr(self, method, getattr(self._inner, method))
                    clock.wrap(self, method, kind)

        setattr(module, name, Timed)


def where() -> None:
    """Where the time goes: shares of dealer passes, sweeps over hands, other kernel work, and Python."""
    clock = _Clock()
    clock.wrap(odds.engine.together, "dealer_probabilities", "passes")
    clock.wrap(odds.engine.dealer, "dealer_probabilities", "passes")
    clock.wrap_methods(
        odds.engine.together, "BlockSweep", {"unsplit": "sweeps", "follow": "sweeps", "splits": "sweeps"}
    )
    clock.wrap(odds.engine.player, "sweep", "sweeps")
    for name in ("hit_margins", "row_margins"):
        clock.wrap(odds.strategy.gains, name, "other")
    for name in ("HandPairs", "add_hands", "add_pairs", "count_ways", "outcome_probabilities"):
        clock.wrap(odds.results.finished, name, "other")
    rules = GAMES["classic-blackjack"]
    for name in ("classic-blackjack", "face-up-21"):
        rules = GAMES[name]
        jobs: dict[str, Callable[[], object]] = {
            "analysis": lambda r=rules: odds.analyze(r),
            "exact": lambda r=rules: exact_round(odds.analyze(r)),
            "chart": lambda r=rules: search(r),
            "distribution": lambda r=rules: odds.analyze(r).outcomes(),
        }
        for what, job in jobs.items():
            job()
            clock.spent.clear()
            whole = sum(seconds(job) for _ in range(5))
            parts = {kind: clock.spent.get(kind, 0.0) / whole for kind in ("passes", "sweeps", "other")}
            parts["Python"] = 1.0 - sum(parts.values())
            shares = "   ".join(f"{kind} {share:4.0%}" for kind, share in parts.items())
            print(f"{name:20s} {what:14s} {whole / 5 * 1e3:7.1f} ms   {shares}")


def shell() -> None:
    """Whole commands, from start to end."""
    for arguments in ("--help", "--version", "rtp classic-blackjack", "rtp face-up-21", "rtp face-up-21 --exact"):
        command = [sys.executable, "-m", "odds", *arguments.split()]
        run = median(lambda command=command: subprocess.run(command, check=True, capture_output=True))
        print(f"odds {arguments:28s} {run:5.2f} s")
    # Before this process has grown: a child begins with the memory of its parent.
    print(f"peak memory of those commands {peak(resource.RUSAGE_CHILDREN):.0f} MiB")


def peak(whose: int) -> float:
    """Return the most memory that was used, in MiB."""
    return resource.getrusage(whose).ru_maxrss / 1024


SECTIONS: dict[str, Callable[[], None]] = {
    "set-up": set_up,
    "shell": shell,
    "single-calls": single_calls,
    "rounds": rounds,
    "processors": processors,
    "strategies": strategies,
    "growth": growth,
    "sets": sets,
    "referee": referee,
    "full": full,
    "where": where,
}


def main() -> None:
    wanted = sys.argv[1:] or list(SECTIONS)
    if unknown := [name for name in wanted if name not in SECTIONS]:
        sys.exit(f"sections: expected some of {', '.join(SECTIONS)}, got {', '.join(unknown)}")
    print(f"numpy {np.__version__}, Python {sys.version.split()[0]}, medians")
    for name in wanted:
        print(f"\n{name}: {SECTIONS[name].__doc__}")
        SECTIONS[name]()
        print(f"peak memory of this process so far {peak(resource.RUSAGE_SELF):.0f} MiB")


if __name__ == "__main__":
    main()
