"""Work that falls into independent parts, spread over processes or threads."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Item = TypeVar("Item")
Result = TypeVar("Result")


def run(
    work: Callable[[Item], Result],
    items: Sequence[Item],
    *,
    workers: int = 1,
    progress: Callable[[float], None] | None = None,
) -> list[Result]:
    """Return the result of each item, in their order.

    Args:
        work: a function of a module, as other processes have to find it.
        items: what it is called with, the longest work first.
        workers: how many processes; with 1, or one item, everything happens in this one.
        progress: called with the share of items done, from 0 to 1.
    """
    workers = min(workers, len(items), os.cpu_count() or 1)
    if workers <= 1:
        results = []
        for number, item in enumerate(items):
            if progress is not None:
                progress(number / len(items))
            results.append(work(item))
        if progress is not None:
            progress(1.0)
        return results
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor, as_completed

    # A process that is started afresh, not a copy of this one, whose threads a copy would not have.
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        futures = [pool.submit(work, item) for item in items]
        try:
            for number, future in enumerate(as_completed(futures), 1):
                future.result()
                if progress is not None:
                    progress(number / len(futures))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        return [future.result() for future in futures]


def run_threads(work: Callable[[Item], Result], items: Sequence[Item], threads: int) -> list[Result]:
    """Return the result of each item, in their order, worked out by so many threads of this process.

    It helps where the work is done in the kernel, which lets other threads run meanwhile.
    """
    threads = min(threads, len(items))
    if threads <= 1:
        return [work(item) for item in items]
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(work, items))


def shares(items: Sequence[Item], number: int, work: Sequence[float]) -> list[list[Item]]:
    """Return some items in at most so many shares of about equal work, the largest items first.

    >>> shares(["a", "b", "c"], 2, [3, 1, 2])
    [['a'], ['c', 'b']]
    """
    parts: list[list[Item]] = [[] for _ in range(min(number, len(items)))]
    loads = [0.0] * len(parts)
    for place in sorted(range(len(items)), key=lambda i: -work[i]):
        least = loads.index(min(loads))
        parts[least].append(items[place])
        loads[least] += work[place]
    return parts
