"""Work spread over threads: the same results in the same order, the first error, progress from the calling thread."""

from __future__ import annotations

import os
import threading
import time

import pytest

from odds.parallel import cores, run_threads


@pytest.mark.parametrize("threads", [1, 2, 5, 100])
@pytest.mark.parametrize("number", [0, 1, 2, 7, 50])
def test_results_come_in_the_order_of_the_items(threads: int, number: int) -> None:
    def work(item: int) -> int:
        time.sleep(0.001 * (item % 3))
        return item * item

    shares: list[float] = []
    assert run_threads(work, range(number), threads, shares.append) == [item * item for item in range(number)]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert number == 0 or shares[0] == 0.0


def test_more_than_one_thread_works() -> None:
    """Two items that wait for each other: alone, one would wait for ever."""
    both = threading.Barrier(2, timeout=60)
    assert run_threads(lambda _: both.wait() >= 0, [1, 2], 2) == [True, True]


def test_progress_is_told_in_the_calling_thread() -> None:
    told: list[int] = []
    run_threads(lambda _: time.sleep(0.002), range(20), 4, lambda _: told.append(threading.get_ident()))
    assert set(told) == {threading.get_ident()}


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_the_error_of_the_first_item_is_raised(threads: int) -> None:
    def work(item: int) -> int:
        if item in (3, 4, 9):
            time.sleep(0.01 if item == 3 else 0.0)
            raise LookupError(item)
        return item

    with pytest.raises(LookupError) as found:
        run_threads(work, range(12), threads)
    assert found.value.args == (3,)
    assert run_threads(work, range(3), threads) == [0, 1, 2]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_forked_process_works_alone() -> None:
    """The threads of the parent are not there; nothing must wait for them."""
    run_threads(abs, [-1, -2, -3], 3)
    child = os.fork()
    if child == 0:
        os._exit(0 if run_threads(abs, [-1, -2, -3], 3) == [1, 2, 3] else 1)
    deadline = time.monotonic() + 60
    while (ended := os.waitpid(child, os.WNOHANG)) == (0, 0) and time.monotonic() < deadline:
        time.sleep(0.01)
    if ended == (0, 0):
        os.kill(child, 9)
    assert ended == (child, 0)


def test_cores() -> None:
    assert 1 <= cores() <= (os.cpu_count() or 1)
