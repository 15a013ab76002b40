"""Work that falls into independent parts, spread over processes or threads."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import ThreadPoolExecutor

Item = TypeVar("Item")
Result = TypeVar("Result")


def cores() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


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
    workers = min(workers, len(items), cores())
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


class Threads:
    """Some threads of this process, for work that is done in the kernel, which lets other threads run meanwhile.

    With one thread everything happens in the thread that asks.
    """

    def __init__(self, number: int) -> None:
        """Prepare so many threads, at least one."""
        self.number = number
        self._pool: ThreadPoolExecutor | None = None

    def __enter__(self) -> Threads:
        if self.number > 1:
            from concurrent.futures import ThreadPoolExecutor

            self._pool = ThreadPoolExecutor(self.number)
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield the result of each item, in their order."""
        return map(work, items) if self._pool is None else self._pool.map(work, items)
