"""How text gets in and out: files that a person names, JSON and CSV.

The path `-` is standard input where something is read, and standard output where something is written.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import stat
import sys
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from odds.errors import OddsError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

STANDARD: Final = "-"

# What Markdown reads as a mark; an underscore within a word is none.
_MARKS = re.compile(r"[\\`*~|\[\]]|(?<!\w)_|_(?!\w)")


def to_json(data: dict[str, Any]) -> str:
    """Return an object as JSON text, ending in a line feed."""
    return json.dumps(data, indent=2, allow_nan=False) + "\n"


def to_markdown(text: str, *, code: bool = False) -> str:
    r"""Return plain text as Markdown shows it as it is, on one line and in a cell of a table too.

    >>> print(to_markdown("a|b <i> *c* _d_ e_f"))
    a\|b &lt;i&gt; \*c\* \_d\_ e_f

    Args:
        text: the text.
        code: what stands between two backticks is code, which is left as it is.
    """
    parts = text.split("`")
    if code and len(parts) % 2:
        return "`".join(part if place % 2 else to_markdown(part) for place, part in enumerate(parts))
    return _MARKS.sub(r"\\\g<0>", escape(text.replace("\n", " "), quote=False))


def markdown_row(cells: Iterable[str]) -> str:
    """Return plain texts as a row of a Markdown table."""
    return f"| {' | '.join(map(to_markdown, cells))} |"


def to_csv(rows: Iterable[Iterable[Any]]) -> str:
    """Return rows as CSV text, each ending in a line feed."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def csv_records(text: str, where: str, *, strict: bool = True) -> Iterator[tuple[int, list[str]]]:
    """Yield of each record of a CSV text that says something the line where it starts, and its cells without space.

    Args:
        text: the CSV, with semicolons or tabs between cells if its head has no comma; records that are blank or start
            with # are passed over.
        where: what an error message calls it.
        strict: refuse what is quoted wrongly.

    Raises:
        OddsError: it is not CSV; the message has the line.
    """
    head = next((line for line in text.splitlines() if line.strip() and not line.startswith("#")), "")
    between = next((mark for mark in ",;\t" if mark in head), ",")
    reader, start = csv.reader(io.StringIO(text, newline=""), delimiter=between, strict=strict), 1
    try:
        for record in reader:
            cells = [cell.strip() for cell in record]
            if any(cells) and not cells[0].startswith("#"):
                yield start, cells
            start = reader.line_num + 1
    except csv.Error as error:
        raise OddsError(f"{where}: line {start}: not CSV: {error}") from None


def is_standard(path: str | os.PathLike[str]) -> bool:
    """Return whether a path stands for standard input or output."""
    return os.fspath(path) == STANDARD


def input_name(path: Path, *, whole: bool = False) -> str:
    """Return what messages call a file that is read: its name, or the whole path as it was given."""
    return "standard input" if is_standard(path) else str(path) if whole else path.name


def read_bytes(path: Path, what: str = "", error: type[OddsError] = OddsError) -> bytes:
    """Return what a file holds, or standard input, which can be read once.

    Args:
        path: of the file, or `-`.
        what: error messages call it, such as `game file`; may be empty.
        error: what is raised.

    Raises:
        OddsError: it cannot be read; of the type asked for.
    """
    try:
        return _standard_input() if is_standard(path) else path.read_bytes()
    except (OSError, ValueError) as problem:  # ValueError: a null character in the path, or there is no input
        raise error(f"cannot read {f'{what} ' if what else ''}{str(path)!r}: {_reason(problem)}") from None


def read_text(path: Path, what: str = "", error: type[OddsError] = OddsError) -> str:
    """Return the text of a file in UTF-8, without a byte order mark; the rest as for `read_bytes`."""
    data = read_bytes(path, what, error)
    try:
        # Line ends as they are in files that Python opens as text.
        return io.TextIOWrapper(io.BytesIO(data), encoding="utf-8-sig").read()
    except ValueError:
        raise error(f"cannot read {f'{what} ' if what else ''}{str(path)!r}: it is not UTF-8 text") from None


def _standard_input() -> bytes:
    if sys.stdin is None or sys.stdin.closed:
        raise ValueError("standard input is closed, or was read before; it can be named once")
    with sys.stdin as stream:  # closed, so that nobody waits for more of it, or takes nothing for all of it
        return stream.buffer.read() if hasattr(stream, "buffer") else stream.read().encode()


def check_output(path: Path, inputs: Iterable[Path] = ()) -> None:
    """Refuse a file that cannot be written, before the work for it is done.

    Args:
        path: of the file, or `-`.
        inputs: files that are read, of which it must be none, under whatever name.

    Raises:
        OddsError: it is write-protected (for a superuser too), a folder or one of the inputs, or has no folder.
    """
    if is_standard(path):
        return
    try:
        if path.is_dir():
            raise ValueError("it is a folder")
        if path.exists() and not path.is_file():
            return  # a device or a pipe
        target = path.resolve()
        if not target.parent.is_dir():
            raise ValueError(f"there is no folder {str(path.parent)!r}")
        if not _writable(target if target.exists() else target.parent):
            raise ValueError("it is write-protected" if target.exists() else "its folder is write-protected")
        if any(_same(target, source) for source in inputs):
            raise ValueError("this command reads it, and it would be lost")
    except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: links that lead in a circle
        raise OddsError(f"cannot write {str(path)!r}: {_reason(error)}") from None


def check_folder(folder: Path, names: Iterable[str] = ()) -> None:
    """Refuse a folder that cannot be made or written into, or hold files of these names.

    Raises:
        OddsError: it cannot.
    """
    try:
        place = folder.resolve()
        while not place.exists():
            place = place.parent
        if is_standard(folder):
            raise ValueError("several files do not go to standard output")
        if not place.is_dir():
            raise ValueError(f"{str(place)!r} is not a folder")
        if not _writable(place):
            raise ValueError(f"{str(place)!r} is write-protected")
    except (OSError, ValueError, RuntimeError) as error:
        raise OddsError(f"cannot write into {str(folder)!r}: {_reason(error)}") from None
    for name in names:
        if (folder / name).exists():
            check_output(folder / name)


def write_file(path: Path, content: str | bytes) -> bool:
    """Write a file as a whole, text in UTF-8: what was there stays until everything is written.

    Returns:
        Whether it replaced a file.

    Raises:
        OddsError: it cannot be written, see `check_output`.
    """
    try:
        data = content.encode() if isinstance(content, str) else content
    except ValueError as error:
        raise OddsError(f"cannot write {str(path)!r}: {error}") from None
    there = path.is_file()
    with replacing(path) as file:
        file.write(data)
    return there


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Give a file to write, which takes the place of the one of that path at the end, if nothing goes wrong.

    Raises:
        OddsError: it cannot be written, see `check_output`.
    """
    check_output(path)
    try:
        if path.exists() and not path.is_file():
            with path.open("wb") as file:  # a device or a pipe cannot be replaced
                yield file
            return
        target = path.resolve()
        draft = target.with_name(f".{target.name[:100]}.{os.getpid()}.tmp")
        file = draft.open("xb")
        try:
            with file:
                yield file
            if target.exists():
                draft.chmod(stat.S_IMODE(target.stat().st_mode))
            draft.replace(target)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise OddsError(f"cannot write {str(path)!r}: {_reason(error)}") from None


def write_files(files: Mapping[str, str | bytes], folder: Path) -> dict[Path, bool]:
    """Write files under a folder, each as a whole; return of each path whether it replaced a file.

    Args:
        files: what they hold, by their paths under the folder.
        folder: made if it is not there.

    Raises:
        OddsError: one cannot be written; where that can be known before, none is.
    """
    check_folder(folder, files)
    written = {}
    for name, content in files.items():
        path = folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OddsError(f"cannot make the folder {str(path.parent)!r}: {_reason(error)}") from None
        written[path] = write_file(path, content)
    return written


def _writable(place: Path) -> bool:
    return bool(place.stat().st_mode & stat.S_IWUSR) and os.access(place, os.W_OK)


def _same(path: Path, other: Path) -> bool:
    try:
        return path.samefile(other)
    except (OSError, ValueError):  # one of them is not there
        return False


def _reason(error: Exception) -> str:
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)
