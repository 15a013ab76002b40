"""A real cluster of two workers on this machine: the same bytes as here, also where one is killed in the middle."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("distributed")

from odds import OddsError, __version__, sweep
from odds.cluster import connect
from odds.sweep.run import Sweep

# Enough sets for both workers to have several chunks.
VARY: dict[str, object] = {
    "decks": [1, 2],
    "max_hands": [1, 2],
    "dealer_hits_soft_17": [True, False],
    "double_on": ["any", "9-11", "10-11"],
    "surrender": ["none", "late"],
}


@dataclass
class Running:
    """A scheduler's address, and its workers."""

    address: str
    workers: list[subprocess.Popen[bytes]]


def _start(folder: Path, *words: str, **environment: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "dask", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
    )


def _worker(folder: Path, address: str, **environment: str) -> subprocess.Popen[bytes]:
    options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(folder))
    return _start(folder, "worker", address, *options, **environment)


@contextmanager
def running(folder: Path, number: int, **environment: str) -> Iterator[Running]:
    told = folder / "scheduler.json"
    options = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(told))
    processes = [_start(folder, "scheduler", *options)]
    try:
        _wait(told.exists)
        address = json.loads(told.read_text())["address"]
        workers = [_worker(folder, address, **environment) for _ in range(number)]
        processes += workers
        _wait(lambda: _workers(address) == number)
        yield Running(address, workers)
    finally:
        for process in reversed(processes):
            process.kill()
            process.wait()


def _workers(address: str) -> int:
    try:
        with connect(address) as door:
            return door.workers
    except OddsError as error:
        return 0 if "has no workers" in str(error) else sum("has version" in part for part in [str(error)])


def _wait(done: Any, seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.fixture(scope="module")
def here() -> Sweep:
    return sweep("classic-blackjack", VARY)


def squared(number: int) -> int:
    time.sleep(0.01)
    return number * number


def fails(number: int) -> int:
    if number == 3:
        raise OddsError("three is refused")
    return number


def ends(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_rows_are_the_same_bytes_whoever_works_and_dies(tmp_path: Path, here: Sweep) -> None:
    from distributed import Client

    with running(tmp_path, 2) as cluster:
        told: list[float] = []

        def kill(share: float) -> None:
            """Kill a worker in the middle."""
            told.append(share)
            if share > 0.3 and cluster.workers[0].poll() is None:
                cluster.workers[0].kill()

        with Client(cluster.address, set_as_default=False) as client:
            there = sweep("classic-blackjack", VARY, client=client, progress=kill)
        assert cluster.workers[0].poll() is not None
        assert told[-1] == 1.0
        assert json.dumps(there.rows) == json.dumps(here.rows)
        # The command too, by the one that is left.
        out = tmp_path / "there.csv"
        words = ["sweep", "classic-blackjack", "--vary", "decks=1,2", "--scheduler", cluster.address, "--out", str(out)]
        subprocess.run([sys.executable, "-m", "odds", *words], check=True, capture_output=True, timeout=120)
        again = tmp_path / "here.csv"
        words[-1] = str(again)
        del words[4:6]
        subprocess.run([sys.executable, "-m", "odds", *words], check=True, capture_output=True, timeout=120)
        assert out.read_bytes() == again.read_bytes()


def test_results_come_in_order_and_errors_through(tmp_path: Path) -> None:
    with running(tmp_path, 1) as cluster, connect(cluster.address) as door:
        assert list(door.stream(squared, range(50))) == [number * number for number in range(50)]
        with pytest.raises(OddsError, match="three is refused"):
            list(door.stream(fails, range(10)))
        # What is not wanted any more is not done.
        stream = door.stream(squared, range(10_000))
        assert next(stream) == 0
        start = time.monotonic()
        stream.close()  # type: ignore[attr-defined]
        assert list(door.stream(squared, range(3))) == [0, 1, 4]
        assert time.monotonic() - start < 20


@pytest.mark.slow
def test_what_kills_every_worker_is_named(tmp_path: Path) -> None:
    with running(tmp_path, 1) as cluster, connect(cluster.address) as door:
        extra = []
        stream = door.stream(ends, [1])
        for _ in range(5):
            extra.append(_worker(tmp_path, cluster.address))
        try:
            with pytest.raises(OddsError, match="every worker died that was given item 1"):
                next(stream)
        finally:
            for worker in extra:
                worker.kill()
                worker.wait()


def test_another_version_is_refused_by_name(tmp_path: Path) -> None:
    folder = tmp_path / "other" / "odds"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text('__version__ = "0.0.9"\n')
    (folder / "errors.py").write_text("class OddsError(Exception):\n    pass\n")
    (folder / "cluster.py").write_text("from odds import __version__\n\ndef _version():\n    return __version__\n")
    with running(tmp_path, 1, PYTHONPATH=str(folder.parent)) as cluster:
        expected = rf"worker tcp://127\.0\.0\.1:\d+ has version 0\.0\.9 of this package, here is version {__version__}"
        with pytest.raises(OddsError, match=expected), connect(cluster.address):
            pass


def test_a_worker_without_the_package_is_refused_by_name(tmp_path: Path) -> None:
    folder = tmp_path / "broken" / "odds"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("raise ModuleNotFoundError('no odds here')\n")
    with running(tmp_path, 0) as cluster:
        worker = _worker(tmp_path, cluster.address, PYTHONPATH=str(folder.parent))
        try:
            said = ""

            def refused() -> bool:
                nonlocal said
                try:
                    with connect(cluster.address):
                        return True
                except OddsError as error:
                    said = str(error)
                return "has no workers" not in said

            _wait(refused)
            assert "has no such package" in said
            assert "tcp://127.0.0.1:" in said
        finally:
            worker.kill()
            worker.wait()


@pytest.mark.parametrize("address", ["host:8786", "tcp://host", "http://host:8786", "tcp://:1", ""])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(OddsError, match="expected an address such as tcp://host:8786"), connect(address):
        pass


def test_a_scheduler_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("odds.cluster.PATIENCE", 1)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        start = time.monotonic()
        with pytest.raises(OddsError, match=f"scheduler: {address} does not answer within 1 seconds"), connect(address):
            pass
        assert time.monotonic() - start < 20
