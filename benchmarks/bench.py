"""Measures what the README promises about speed: `python benchmarks/bench.py`.

Times are medians of repeated runs in one process after set-up, on one core. On a shared machine only the ratios mean
much: each is taken between neighbouring runs of the same process, to the bare dealer passes over the same shoes.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np

import odds
from odds.arithmetic import tabulate
from odds.dealer import dealer_starts, final_probabilities, remove_start
from odds.exact_results import exact_round
from odds.hands import player_hands, removals
from odds.splitting import extras

REPEATS = 7


def seconds(job: Callable[[], object]) -> float:
    begin = time.perf_counter()
    job()
    return time.perf_counter() - begin


def dealer_passes(rules: odds.Rules) -> Callable[[], None]:
    """The dealer's probabilities for every shoe that an analysis of these rules looks at, and nothing else."""
    shoe = odds.Shoe.of_decks(rules.decks)
    removed = removals(extras(rules)).removed
    jobs = [(start, tabulate(remove_start(shoe, start).counts)) for start in dealer_starts(rules)]

    def job() -> None:
        for start, numbers in jobs:
            final_probabilities(start, rules, numbers, removed)

    return job


def in_process(name: str, rules: odds.Rules) -> None:
    passes = dealer_passes(rules)
    analyze, exact = (lambda: odds.analyze(rules)), (lambda: exact_round(odds.analyze(rules)))
    for job in (passes, analyze, exact):
        job()
    rows = [(seconds(passes), seconds(analyze), seconds(exact)) for _ in range(REPEATS)]
    bare, double, fraction = (statistics.median(column) for column in zip(*rows, strict=True))
    ratio = statistics.median(row[1] / row[0] for row in rows)
    print(
        f"{name:34s} dealer passes {bare * 1e3:7.1f} ms   analyze {double * 1e3:7.1f} ms (x{ratio:.1f})   "
        f"exact {fraction * 1e3:7.1f} ms"
    )


def single_calls() -> None:
    rules = odds.Rules(decks=8)
    shoe = odds.Shoe.of_decks(8).without("T")
    calls: dict[str, Callable[[], object]] = {
        "dealer_distribution": lambda: odds.dealer_distribution(shoe, "T", rules),
        "hand_values, 8,8 against T": lambda: odds.hand_values("8,8", "T", rules),
    }
    for name, call in calls.items():
        call()
        print(f"{name:34s} {statistics.median(seconds(call) for _ in range(50)) * 1e3:7.2f} ms")


def set_up() -> None:
    player_hands.cache_clear()
    removals.cache_clear()
    rules = odds.Rules(max_hands=2)
    print(f"{'hands and shoes, once per process':34s} {seconds(lambda: removals(extras(rules))) * 1e3:7.1f} ms")


def from_the_shell(*arguments: str) -> None:
    command = [sys.executable, "-m", "odds", *arguments]
    times = []
    for _ in range(REPEATS):
        times.append(seconds(lambda: subprocess.run(command, check=True, capture_output=True)))
    print(f"{'odds ' + ' '.join(arguments):44s} {statistics.median(times):7.2f} s")


def main() -> None:
    print(f"numpy {np.__version__}, Python {sys.version.split()[0]}, medians of {REPEATS} runs")
    set_up()
    classic, face_up = odds.load_game("classic-blackjack").rules, odds.load_game("face-up-21").rules
    in_process("classic-blackjack", classic)
    in_process("face-up-21", face_up)
    in_process("6 decks H17, four hands", odds.Rules(decks=6, dealer_hits_soft_17=True, max_hands=4))
    in_process("face-up-21, four hands", face_up.replace(max_hands=4))
    single_calls()
    print(f"peak memory of this process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")
    from_the_shell("--version")
    from_the_shell("rtp", "classic-blackjack")
    from_the_shell("rtp", "face-up-21")
    from_the_shell("rtp", "face-up-21", "--exact")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"peak memory of those commands {peak:.0f} MiB")


if __name__ == "__main__":
    main()
