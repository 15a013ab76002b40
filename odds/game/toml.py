"""TOML files that describe games and side bets: found by a name or a path, read, and their keys checked."""

import os
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar

from odds.errors import OddsError, suggestion
from odds.files import input_name, is_standard, read_text
from odds.game.fields import check_kind, show_value

_NAME: Final = re.compile(r"[a-z0-9]+([-+][a-z0-9]+)*")


class TomlError(ValueError):
    """A key that is missing, unknown or of the wrong type; a `Catalogue` says in which file."""


class _Named(Protocol):
    @property
    def aliases(self) -> tuple[str, ...]: ...


Entry = TypeVar("Entry", bound=_Named)


@dataclass(frozen=True, slots=True)
class Catalogue(Generic[Entry]):
    """Things that TOML files describe: those that the package brings, and users' own.

    Attributes:
        what: what error messages call an entry.
        file: what they call a file of one.
        folder: where the files of the package are.
        make: returns the entry of a file's data; also takes what error messages call the file.
        error: what is raised.
    """

    what: str
    file: str
    folder: Path
    make: Callable[[dict[str, Any], str], Entry]
    error: type[OddsError]

    def names(self) -> tuple[str, ...]:
        """Return the names of the entries that the package brings, in alphabetical order."""
        return tuple(sorted(path.stem for path in self.folder.iterdir() if path.suffix == ".toml"))

    def load(self, name_or_path: str | os.PathLike[str]) -> Entry:
        """Return the entry of a name, an alias or a path, of which `-` is standard input.

        Raises:
            OddsError: the name is unknown, or as for `read`.
        """
        check_kind(name_or_path, (str, os.PathLike), f"the name or file of a {self.what}", self.error)
        if not isinstance(name_or_path, str) or is_path(name_or_path):
            return self.read(Path(name_or_path))
        name = re.sub(r"[\s_]+", "-", name_or_path.strip().lower())
        known = self.names()
        if name in known:
            return self._bundled(name)
        aliases = {alias: entry for entry in map(self._bundled, known) for alias in entry.aliases}
        if name in aliases:
            return aliases[name]
        otherwise = f"the {self.what}s are {', '.join(known)}; or give a .toml file"
        hint = suggestion(name, [*known, *aliases], otherwise)
        raise self.error(f"unknown {self.what} {show_value(name_or_path)}; {hint}")

    def read(self, path: Path) -> Entry:
        """Return the entry of a file.

        Raises:
            OddsError: the file cannot be read, or as for `parse`.
        """
        return self.parse(read_text(path, self.file, self.error), input_name(path, whole=True))

    def parse(self, text: str, where: str) -> Entry:
        """Return the entry of a text.

        Args:
            text: TOML.
            where: what error messages call it.

        Raises:
            OddsError: it is not TOML, or does not describe such an entry; the message names the key.
        """
        try:
            return self.make(tomllib.loads(text), where)
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise self.error(f"{where}: not valid TOML: {' '.join(str(error).split())}") from None
        except (TomlError, OddsError) as error:
            raise self.error(f"{where}: {error}") from None

    def _bundled(self, name: str) -> Entry:
        path = self.folder / f"{name}.toml"
        return self.parse(path.read_text(encoding="utf-8"), path.name)


def is_path(name: str) -> bool:
    """Return whether a text is the path of an entry, and not its name."""
    return name.endswith(".toml") or "/" in name or os.sep in name or is_standard(name)


def table(key: str, value: object) -> dict[str, Any]:
    """Return a value that must be a table."""
    if not isinstance(value, dict):
        raise TomlError(f"{key}: expected a table, [{key}], got {show_value(value)}")
    return value


def text(key: str, value: object) -> str:
    """Return a value that must be a text, without space around it."""
    if not isinstance(value, str):
        raise TomlError(f"{key}: expected a text, got {show_value(value)}")
    return value.strip()


def filled_text(key: str, value: object) -> str:
    """Return a value that must be a text and not empty."""
    if not (filled := text(key, value)):
        raise TomlError(f"{key}: expected a text, got an empty one")
    return filled


def name(key: str, value: object) -> str:
    """Return a value that must be a name as the command line takes it."""
    found = text(key, value)
    if not _NAME.fullmatch(found):
        raise TomlError(f"{key}: expected lower-case words joined by hyphens, got {show_value(found)}")
    return found


def text_list(key: str, value: object) -> tuple[str, ...]:
    """Return a value that must be a list of texts."""
    if not isinstance(value, list):
        raise TomlError(f"{key}: expected a list of texts, got {show_value(value)}")
    return tuple(text(key, item) for item in value)


def check_keys(prefix: str, given: Mapping[str, Any], allowed: Iterable[str], required: Iterable[str] = ()) -> None:
    """Refuse a table that lacks a key, or has one that is unknown.

    Args:
        prefix: what error messages put before the key.
        given: the table.
        allowed: the keys it may have.
        required: those it must have.
    """
    for key in required:
        if key not in given:
            raise TomlError(f"{prefix}{key}: missing")
    for key in given:
        if key not in allowed:
            hint = suggestion(key, allowed, f"expected one of {', '.join(allowed)}")
            raise TomlError(f"{prefix}{key}: unknown key; {hint}")
