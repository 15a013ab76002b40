"""How text gets out: as JSON, as CSV, and into files."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from html import escape
from typing import TYPE_CHECKING, Any

from odds.errors import OddsError
from odds.game.fields import show_value

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

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


def to_csv(rows: Iterable[Iterable[Any]]) -> str:
    """Return rows as CSV text, each ending in a line feed."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file as a whole, text in UTF-8: what was there stays until everything is written.

    Raises:
        OddsError: its folder does not exist, or it cannot be written.
    """
    shown = show_value(str(path))
    try:
        data = content.encode() if isinstance(content, str) else content
        target = path.resolve()
        if target.is_dir():
            raise OddsError(f"cannot write {shown}: it is a folder")
        if not target.parent.is_dir():
            raise OddsError(f"cannot write {shown}: there is no folder {show_value(str(path.parent))}")
        if target.exists() and not target.is_file():
            target.write_bytes(data)  # a device or a pipe cannot be replaced
            return
        draft = target.with_name(f".{target.name[:100]}.{os.getpid()}.tmp")
        file = draft.open("xb")
        try:
            with file:
                file.write(data)
            draft.replace(target)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
    except (OSError, ValueError, RuntimeError) as error:
        # ValueError: a null character in the path; RuntimeError: links that lead in a circle.
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise OddsError(f"cannot write {shown}: {reason}") from None
