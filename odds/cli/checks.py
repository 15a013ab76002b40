"""What is refused of any question before its work begins."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from odds.errors import OddsError
from odds.files import check_output, is_standard
from odds.game.toml import is_path

_STRATEGY_FILES = (".csv", ".json")


def check(question: Any, given: Mapping[str, str]) -> None:
    """Refuse a question that cannot be answered as it was put.

    Args:
        question: of `odds.cli.questions`.
        given: what was on the command line, by the names of the question's fields: the option, or the argument.

    Raises:
        OddsError: an option is empty, or the file to write cannot be written.
    """
    for name, words in given.items():
        value = getattr(question, name)
        if words[0] == "-" and any(not str(item).strip() for item in (value if isinstance(value, list) else [value])):
            raise OddsError(f"{words}: expected a value, got an empty text")
    out = getattr(question, "out", None)
    if out is not None and not hasattr(question, "folder"):
        check_output(out, _files(question))
        if is_standard(out) and question.json and not hasattr(question, "form"):
            raise OddsError("expected --json or --out -, got both: standard output holds one of them")


def is_strategy_file(play: str) -> bool:
    """Return whether a play is the path of a strategy file."""
    return is_standard(play) or Path(play).suffix.lower() in _STRATEGY_FILES


def _files(question: Any) -> Iterator[Path]:
    """Yield the files that a question names, to be read."""
    for name in question._fields:
        value = getattr(question, name)
        for item in value if isinstance(value, list) else [value]:
            if (isinstance(item, Path) and name != "out") or (
                isinstance(item, str) and (is_path(item) or is_strategy_file(item))
            ):
                yield Path(item)
