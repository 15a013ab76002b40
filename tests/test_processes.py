"""Work spread over processes: in order, tried again where a process ends, and given up where none can work."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from odds.errors import OddsError
from odds.parallel import processes, run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")


def square_once_killed(item: tuple[int, str]) -> int:
    """Return a square, but end the process where the file is not there yet."""
    number, path = item
    if path and not Path(path).exists():
        Path(path).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def kill(_: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def pid(_: int) -> int:
    return os.getpid()


def test_a_process_that_ends_is_replaced(tmp_path: Path) -> None:
    items = [(number, str(tmp_path / f"{number}") if number in (3, 7) else "") for number in range(10)]
    expected = [number * number for number in range(10)]
    with processes(2) as door:
        assert list(door.stream(square_once_killed, items)) == expected
        assert list(door.stream(square_once_killed, items)) == expected
    assert run(square_once_killed, items, workers=2) == expected


def test_not_for_ever() -> None:
    with pytest.raises(OddsError, match="processes that worked were ended 3 times"), processes(2) as door:
        list(door.stream(kill, [1, 2]))


def test_one_item_needs_no_process() -> None:
    with processes(2) as door:
        assert list(door.stream(pid, [1])) == [os.getpid()]
        assert os.getpid() not in list(door.stream(pid, [1, 2]))


def test_a_script_has_to_guard_its_work(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("from odds.parallel import run\nrun(abs, [1, 2], workers=2)\n")
    result = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False, timeout=60)
    assert result.returncode == 1
    assert "\nodds.errors.OddsError: processes cannot start; a script" in result.stderr
