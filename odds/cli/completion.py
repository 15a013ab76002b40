"""What the shell may complete on a command line; it reads names off folders and computes nothing."""

import contextlib
import io
import os
from collections.abc import Iterator
from pathlib import Path

_SHELL = "_ODDS_COMPLETE"
_PACKAGE = Path(__file__).parents[1]


def games(incomplete: str) -> list[str]:
    """Return the games of the catalogue; a shell that is given none completes files."""
    return _stems("games", incomplete)


def bets(incomplete: str) -> list[str]:
    """Return the side bets of the catalogue."""
    return _stems("sidebets", incomplete)


def fields(incomplete: str) -> list[str]:
    """Return the fields of the rules."""
    from odds.game.fields import FIELDS

    return [name for name in FIELDS if name.startswith(incomplete)]


def settings(incomplete: str) -> list[str]:
    """Return the fields of the rules for `--set`, or the values of the one that is written."""
    from odds.game.fields import FIELDS, written

    name, sign, _ = incomplete.partition("=")
    found = [name] if sign else fields(name)
    if len(found) != 1:
        return [f"{field}=" for field in found]
    if found[0] not in FIELDS:
        return []
    field = FIELDS[found[0]]
    # A value that cannot be listed: the default, and nothing, so that a shell does not go on to the next word.
    values = field.choices or ("", field.default)
    return [f"{field.name}={written(value)}" for value in values]


def _stems(folder: str, incomplete: str) -> list[str]:
    names = (path.stem for path in (_PACKAGE / folder).iterdir() if path.suffix == ".toml")
    return sorted(name for name in names if name.startswith(incomplete))


@contextlib.contextmanager
def words_of_bash() -> Iterator[None]:
    """Join the three words that `FIELD=VALUE` is for bash, and give it the completion of the last one."""
    if os.environ.get(_SHELL) != "complete_bash":
        yield
        return
    words = os.environ.get("COMP_WORDS", "").split("\n")[: int(os.environ.get("COMP_CWORD", "0")) + 1]
    joined: list[str] = []
    for before, word in zip(["", *words], words, strict=False):
        if joined and "=" in (before, word):
            joined[-1] += word
        else:
            joined.append(word)
    os.environ |= {"COMP_WORDS": "\n".join(joined), "COMP_CWORD": str(len(joined) - 1)}
    known = joined[-1].rpartition("=")[0] if "=" in words[-2:] else ""
    if known.startswith("-"):  # --set=FIELD=VALUE
        known = known.partition("=")[2]
    answer = io.StringIO()
    try:
        with contextlib.redirect_stdout(answer):
            yield
    finally:
        print(*(line.removeprefix(f"{known}=") for line in answer.getvalue().splitlines()), sep="\n")
