"""Files that describe a grid: the game, what is set, what varies, conditions, and what is asked of each combination."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from odds.engine.split_classes import DEFAULT_SPLIT_CLASS
from odds.errors import OddsError
from odds.files import input_name, is_standard, read_text
from odds.game import toml
from odds.game.fields import show_value
from odds.game.subject import PLAYS

if TYPE_CHECKING:
    from collections.abc import Mapping

_FLAGS: Final = ("side_bets", "charts")
_KEYS: Final = ("game", "set", "vary", "where", "play", "split_class", "columns", *_FLAGS)


class GridFile(NamedTuple):
    """What a grid file says.

    Attributes:
        game: the name or path of the game whose rules do not vary.
        settings: the rules that are set otherwise, by field.
        vary: of each field that varies its values, as `grid_of` takes them.
        where: conditions.
        play: `composition`, `total`, or the path of a strategy file.
        split_class: how hands of a split are played.
        columns: further columns.
        side_bets: whether rows have the RTP of the game's side bets.
        charts: whether the best chart of each set is made too.
    """

    game: str
    settings: Mapping[str, Any]
    vary: Mapping[str, object]
    where: tuple[str, ...] = ()
    play: str = "composition"
    split_class: str = DEFAULT_SPLIT_CLASS
    columns: tuple[str, ...] = ()
    side_bets: bool = False
    charts: bool = False


def is_grid(name: str) -> bool:
    """Return whether a text is the path of a grid file: of one with a table `[vary]`."""
    if is_standard(name) or not name.endswith(".toml"):
        return False
    try:
        return "vary" in tomllib.loads(Path(name).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False


def read_grid(path: Path) -> GridFile:
    """Return what a grid file says; paths in it are taken from its folder.

    Raises:
        OddsError: it cannot be read, is not TOML, or a key of it is missing, unknown or of a wrong type.
    """
    text, where = read_text(path, "grid file", OddsError), input_name(path, whole=True)
    try:
        return _grid(tomllib.loads(text), path.parent)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise OddsError(f"{where}: not valid TOML: {' '.join(str(error).split())}") from None
    except (toml.TomlError, OddsError) as error:
        raise OddsError(f"{where}: {error}") from None


def _grid(data: dict[str, Any], folder: Path) -> GridFile:
    toml.check_keys("", data, _KEYS, ("game", "vary"))
    game, play = toml.filled_text("game", data["game"]), toml.filled_text("play", data.get("play", "composition"))
    where = data.get("where", [])
    vary = dict(toml.table("vary", data["vary"]))
    if isinstance(shoe := vary.get("shoe"), str):
        vary["shoe"] = str(folder / shoe)
    for key in _FLAGS:
        if not isinstance(data.get(key, False), bool):
            raise toml.TomlError(f"{key}: expected true or false, got {show_value(data[key])}")
    return GridFile(
        str(folder / game) if toml.is_path(game) else game,
        toml.table("set", data.get("set", {})),
        vary,
        (toml.text("where", where),) if isinstance(where, str) else toml.text_list("where", where),
        play if play in PLAYS else str(folder / play),
        toml.text("split_class", data.get("split_class", DEFAULT_SPLIT_CLASS)),
        toml.text_list("columns", data.get("columns", [])),
        *(data.get(key, False) for key in _FLAGS),
    )
