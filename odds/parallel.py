"""Work that falls into independent parts, spread over processes or threads."""

from __future__ import annotations

import os
import signal
import threading
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar

from odds.errors import OddsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
    from multiprocessing.process import BaseProcess
    from multiprocessing.synchronize import Event

Item = TypeVar("Item")
Result = TypeVar("Result")
# Told now and then which share of the work is done, from 0 to 1.
Progress: TypeAlias = "Callable[[float], None]"

_MOST_HELPERS = 256
_TRIES = 3  # of work whose process was ended


def cores() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Door(Protocol):
    """Who does work that falls into independent parts: processes of this machine, or a cluster."""

    workers: int

    def stream(self, work: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
        """Yield the result of each item in their order, as soon as those before it are there too.

        Args:
            work: a function of a module, as other processes have to find it.
            items: what it is called with, the longest work first.
        """


class _Here:
    """A door that does the work itself."""

    workers = 1

    def stream(self, work: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
        return map(work, items)


class _Processes:
    """A door to processes of this machine, which start when there is work, and stay."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._pool: ProcessPoolExecutor | None = None
        self._others: set[BaseProcess] = set()
        self._began: Event | None = None  # some process did

    def stream(self, work: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
        if len(items) <= 1:
            yield from map(work, items)
            return
        found: dict[int, Result] = {}
        place = 0
        for done, result in self.completed(work, items):
            found[done] = result
            while place in found:
                yield found.pop(place)
                place += 1

    def completed(self, work: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[tuple[int, Result]]:
        """Yield the place of each item and its result, in the order in which they are done.

        The items that a process had which ended are given to others, unless that happens again and again.
        """
        from concurrent.futures import as_completed
        from concurrent.futures.process import BrokenProcessPool

        waiting, tries = set(range(len(items))), 0
        while waiting:
            try:
                with _without_interrupts():
                    pool = self._started()
                    futures = {pool.submit(work, items[place]): place for place in sorted(waiting)}
                for future in as_completed(list(futures)):
                    place = futures.pop(future)
                    result = future.result()
                    waiting.discard(place)
                    tries = 0
                    yield place, result
            except BrokenProcessPool:
                began = self._began is not None and self._began.is_set()
                self.end()
                if not began:
                    raise OddsError(
                        "processes cannot start; a script that lets several work has to do so under "
                        "if __name__ == '__main__':"
                    ) from None
                tries += 1
                if tries == _TRIES:
                    raise OddsError(
                        f"processes that worked were ended {_TRIES} times, maybe for want of memory"
                    ) from None

    def end(self) -> None:
        """End the processes, whatever they do."""
        import multiprocessing

        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            for child in set(multiprocessing.active_children()) - self._others:
                child.kill()
            self._pool = self._began = None

    def _started(self) -> ProcessPoolExecutor:
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        if self._pool is None:
            self._others = set(multiprocessing.active_children())
            # A process that is started afresh, not a copy of this one, whose threads a copy would not have.
            context = multiprocessing.get_context("spawn")
            self._began = context.Event()
            self._pool = ProcessPoolExecutor(self.workers, context, initializer=_begin, initargs=(self._began,))
        return self._pool


@contextmanager
def processes(workers: int) -> Iterator[Door]:
    """Give a door to so many processes of this machine, but no more than it has cores; 1 is this one itself."""
    workers = min(workers, cores())
    if workers <= 1:
        yield _Here()
        return
    door = _Processes(workers)
    try:
        yield door
    finally:
        door.end()


def run(
    work: Callable[[Item], Result], items: Sequence[Item], *, workers: int = 1, progress: Progress | None = None
) -> list[Result]:
    """Return the result of each item, in their order.

    Args:
        work: a function of a module, as other processes have to find it.
        items: what it is called with, the longest work first.
        workers: how many processes; with 1, or one item, everything happens in this one.
        progress: called with the share of items done, from 0 to 1.
    """
    tell(progress, 0.0)
    found: dict[int, Result] = {}
    with processes(min(workers, len(items))) as door:
        each = door.completed(work, items) if isinstance(door, _Processes) else enumerate(door.stream(work, items))
        for place, result in each:
            found[place] = result
            tell(progress, len(found) / len(items))
    tell(progress, 1.0)
    return [found[place] for place in range(len(items))]


def _begin(began: Event) -> None:
    """Say that a process begins, and let it end when the one does that started it, however that is."""
    from multiprocessing import parent_process

    began.set()

    parent = parent_process()

    def wait() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Let processes be started that a terminal's interrupt does not reach: it is for this one, which ends them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # its start would let interrupts through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def tell(progress: Progress | None, share: float) -> None:
    """Tell which share of the work is done, if that is asked for."""
    if progress is not None:
        progress(share)


def part(progress: Progress | None, low: float, high: float) -> Progress | None:
    """Return what takes the share done of a part of the work, which goes from a share of all of it to another."""
    if progress is None:
        return None
    return lambda share: progress(low + (high - low) * share)


def run_threads(
    work: Callable[[Item], Result], items: Sequence[Item], threads: int, progress: Progress | None = None
) -> list[Result]:
    """Return the result of each item, in their order, worked out by so many threads of this process.

    It helps where the work is done in the kernel, which lets other threads run meanwhile. The calling thread works too.

    Args:
        work: what each item is called with.
        items: the longest work first.
        threads: how many threads, this one among them.
        progress: called in this thread with the share of items done, from 0 to 1.

    Raises:
        Exception: what `work` raised, of the first item that it did for.
    """
    places = iter(range(len(items)))
    results: dict[int, Result] = {}
    errors: dict[int, BaseException] = {}
    lock = threading.Lock()

    def drain(report: Progress | None = None) -> None:
        while not errors:
            with lock:
                place = next(places, None)
            if place is None:
                return
            tell(report, len(results) / len(items))
            try:
                results[place] = work(items[place])
            except BaseException as error:
                errors[place] = error

    tell(progress if items else None, 0.0)
    helpers = [_helpers().submit(drain) for _ in range(min(threads, len(items)) - 1)]
    drain(progress)
    for helper in helpers:
        # One that has not begun by now has nothing to do.
        if not helper.cancel():
            helper.result()
    if errors:
        raise errors[min(errors)]
    tell(progress, 1.0)
    return [results[place] for place in range(len(items))]


@cache
def _helpers() -> ThreadPoolExecutor:
    """Return threads that stay: starting one takes longer than much of the work."""
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(_MOST_HELPERS, thread_name_prefix="odds")
