"""Ctrl-C in a terminal: a command ends at once, with all its processes, and leaves nothing half-written."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from odds.parallel import run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="terminals, signals and /proc of Linux")

# Much longer than it takes, and much shorter than the command would.
SECONDS = 5


def start(command: list[str], folder: Path) -> "tuple[subprocess.Popen[bytes], int]":
    """Start a command in a session of its own, with a terminal for its standard error; return it and the terminal."""
    ours, theirs = os.openpty()
    # Where tests run in the background, interrupts are ignored, and would be by what they start.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=theirs, cwd=folder, start_new_session=True, env={**os.environ}
        )
    finally:
        signal.signal(signal.SIGINT, before)
        os.close(theirs)
    return process, ours


def read(terminal: int, until: bytes = b"") -> bytes:
    said = b""
    while not until or until not in said:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # nobody has it any more
            break
        if not part:
            break
        said += part
    return said


def alive(session: int) -> list[str]:
    """Return the processes of a session that have not ended."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(path.parent.name)
    return found


@pytest.mark.parametrize("whom", [os.kill, os.killpg], ids=["process", "group"])
@pytest.mark.parametrize(
    ("command", "bar"),
    [
        (["chart", "face-up-21", "--out", "chart.md"], b"Searching"),
        (["reconcile", "face-up-21", "--wide", "--jobs", "2"], b"Computing readings"),
        (["rtp", "face-up-21", "--split-class", "full"], b"Computing"),
    ],
)
def test_interrupt(command: list[str], bar: bytes, whom: object, tmp_path: Path) -> None:
    process, terminal = start([sys.executable, "-m", "odds", *command], tmp_path)
    said = read(terminal, bar)
    began = time.monotonic()
    assert callable(whom)
    whom(process.pid, signal.SIGINT)
    said += read(terminal)
    out, _ = process.communicate(timeout=60)
    assert time.monotonic() - began < SECONDS
    assert (process.returncode, out) == (130, b"")
    *_, last = said.decode().strip().splitlines()
    assert last.endswith("interrupted, nothing written")
    assert "Traceback" not in said.decode()
    assert said.count(b"\x1b[?25l") <= said.count(b"\x1b[?25h")  # the cursor is there again
    while alive(process.pid) and time.monotonic() - began < SECONDS:
        time.sleep(0.05)
    assert not alive(process.pid)
    assert not list(tmp_path.iterdir())
    os.close(terminal)


def test_what_is_being_written_is_written(tmp_path: Path) -> None:
    program = (
        "import os, signal, odds.cli.common as common\n"
        "from odds.cli.main import main\n"
        "write = common.write_file\n"
        "common.write_file = lambda *given: os.kill(os.getpid(), signal.SIGINT) or write(*given)\n"
        "main(['chart', 'classic-blackjack', '--format', 'csv', '--out', 'chart.csv'])\n"
    )
    process, terminal = start([sys.executable, "-c", program], tmp_path)
    said = read(terminal)
    process.communicate(timeout=60)
    assert process.returncode == 0
    assert b"wrote: chart.csv" in said
    assert [path.name for path in tmp_path.iterdir()] == ["chart.csv"]
    os.close(terminal)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("exec('kill()')", 130),  # Python would exit as if nobody had seen the interrupt
        ("type('Owner', (), {'field': type('Field', (), {'__set_name__': kill})()})", 130),  # it raises another error
        ("atexit.register(kill)", 0),  # all is said
    ],
)
def test_interrupts_that_python_takes_otherwise(answer: str, expected: int, tmp_path: Path) -> None:
    program = (
        "import atexit, os, signal, odds.cli.rules as rules\n"
        "from odds.cli.main import main\n"
        "def kill(*_):\n    os.kill(os.getpid(), signal.SIGINT)\n"
        f"rules.rules = lambda asked: {answer}\n"
        "main(['rules'])\n"
    )
    process, terminal = start([sys.executable, "-c", program], tmp_path)
    said = read(terminal)
    process.communicate(timeout=60)
    assert (process.returncode, said.split()) == (expected, b"interrupted, nothing written".split() if expected else [])
    os.close(terminal)


def test_an_interrupt_before_the_commands_are_there_leaves_no_traceback(tmp_path: Path) -> None:
    program = (
        "import os, signal, sys\n"
        "class Finder:\n"
        "    def find_spec(name, *_):\n"
        "        return os.kill(os.getpid(), signal.SIGINT) if name == 'odds.cli.main' else None\n"
        "sys.meta_path.insert(0, Finder)\n"
        "from odds.__main__ import main\n"
        "main()\n"
    )
    process, terminal = start([sys.executable, "-c", program], tmp_path)
    said = read(terminal)
    process.communicate(timeout=60)
    assert (said, process.returncode) == (b"", -signal.SIGINT)
    os.close(terminal)


def test_nobody_works_on_when_one_has_failed() -> None:
    began = time.monotonic()
    with pytest.raises(ValueError, match="negative"):
        run(time.sleep, [-1, 60], workers=2)
    assert time.monotonic() - began < 30
