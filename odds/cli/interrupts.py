"""Ctrl-C ends a command at once, whatever is being computed, and leaves nothing half-written."""

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator

from odds.cli.streams import say

INTERRUPTED = 130  # 128 and the number of the signal, as shells have it
_PATIENCE = 0.3  # seconds that the main thread has to end by itself

_ENDING = threading.Lock()  # whoever has it decides how the process ends: an interrupt, or a command that writes
_WRITING = threading.Event()
_ANSWERED = threading.Event()


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Let an interrupt end the process while this lasts.

    The main thread learns of it when the kernel returns to it, which can take long; another thread need not wait.
    """
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        yield
        return
    here, there = os.pipe()
    if hasattr(os, "set_blocking"):  # Python wants it so where it can be
        os.set_blocking(there, False)
    handler = signal.signal(signal.SIGINT, _raise)
    told = signal.set_wakeup_fd(there, warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(here,), daemon=True).start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(told)
        signal.signal(signal.SIGINT, handler)
        os.close(there)


def finish() -> None:
    """Let no interrupt end the process any more: files are written now, which takes no time to speak of."""
    if not _WRITING.is_set():
        _ENDING.acquire()
        _WRITING.set()


def interrupted() -> int:
    """Say that the main thread was interrupted; return the exit code."""
    _ANSWERED.set()
    say("interrupted, nothing written")
    return INTERRUPTED


def _raise(*_: object) -> None:
    if not _WRITING.is_set():
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
