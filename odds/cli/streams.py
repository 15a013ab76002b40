"""What a command writes: results to standard output; warnings, errors and progress to standard error."""

import contextlib
import os
import sys
from collections.abc import Callable, Iterator

import typer

from odds.errors import OddsError

_PIPE_CLOSED = 141


def say(kind: str, message: str = "") -> None:
    """Write one line to standard error."""
    text = f"{kind}: {message}" if message else kind
    line = "".join(character if character.isprintable() else " " for character in text)
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            print(" ".join(line.split()), file=sys.stderr, flush=True)


def emit(text: str | bytes) -> None:
    """Write the result to standard output; bytes as they are.

    Raises:
        OddsError: it cannot be written.
    """
    if sys.stdout is None:
        raise OddsError("cannot write the result: standard output is closed")
    try:
        if isinstance(text, bytes):
            sys.stdout.buffer.write(text)
        else:
            sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _abandon_output()
        raise typer.Exit(_PIPE_CLOSED) from None
    except OSError as error:
        _abandon_output()
        raise OddsError(f"cannot write the result: {error.strerror or error}") from None


def _abandon_output() -> None:
    """Send what is left in the buffer of standard output nowhere, so that its last flush cannot fail."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


@contextlib.contextmanager
def progress(words: str) -> Iterator[Callable[[float], None] | None]:
    """Give what to call with the share done, from 0 to 1: it moves a bar, if standard error is a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(words, total=1.0)
        yield lambda share: bar.update(task, completed=share)
