"""Ctrl-C ends a command at once, whatever is being computed, and leaves nothing half-written."""

import atexit
import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator

from odds.cli.streams import say

INTERRUPTED = 130  # 128 and the number of the signal, as shells have it
_PATIENCE = 0.3  # seconds that the main thread has to end by itself

_ENDING = threading.Lock()  # whoever has it decides how the process ends: an interrupt, or a command that writes
_WRITING = threading.Event()
_RAISED = threading.Event()
_ANSWERED = threading.Event()
_KEPT: list[Callable[[], str]] = []  # says what is there of what was not finished


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Let an interrupt end the process while this lasts, which is until there is nothing left to do.

    The main thread learns of it when the kernel returns to it, which can take long; another thread need not wait.
    """
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        yield
        return
    atexit.register(_end)  # first, so that it comes last
    here, there = os.pipe()
    if hasattr(os, "set_blocking"):  # Python wants it so where it can be
        os.set_blocking(there, False)
    signal.signal(signal.SIGINT, _raise)
    signal.set_wakeup_fd(there, warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(here,), daemon=True).start()
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is done
        signal.set_wakeup_fd(-1)
        os.close(there)


def finish() -> None:
    """Let no interrupt end the process any more: files are written now, which takes no time to speak of."""
    if not _WRITING.is_set():
        _ENDING.acquire()
        _WRITING.set()


def keeps(words: Callable[[], str]) -> None:
    """Let an interrupt from now on say what is kept."""
    _KEPT.append(words)


def was_interrupted() -> bool:
    """Return whether the main thread was interrupted; what it raises since then comes of that."""
    return _RAISED.is_set()


def interrupted() -> int:
    """Say that the main thread was interrupted; return the exit code."""
    _ANSWERED.set()
    say(f"interrupted, {_KEPT[-1]() if _KEPT else 'nothing written'}")
    return INTERRUPTED


def _end() -> None:
    if was_interrupted():
        os._exit(INTERRUPTED)  # Python's own end may say otherwise


def _raise(*_: object) -> None:
    if not _WRITING.is_set():
        _RAISED.set()
        raise KeyboardInterrupt


def _watch(signals: int) -> None:
    with open(signals, "rb", buffering=0) as stream:
        while number := stream.read(1):
            if number[0] != signal.SIGINT or not _ENDING.acquire(blocking=False):
                continue
            if not _ANSWERED.wait(_PATIENCE):
                if sys.stderr is not None and sys.stderr.isatty():
                    print("\r\x1b[2K\x1b[?25h", end="", file=sys.stderr)  # no bar, and the cursor that it hid
                interrupted()
            else:
                time.sleep(_PATIENCE)
            os._exit(INTERRUPTED)  # processes at work end with this one, see `odds.parallel`
