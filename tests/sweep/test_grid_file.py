"""Grid files: read as they are written, and refused with the key that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from odds import OddsError
from odds.cli import new
from odds.sweep.grid import grid_of
from odds.sweep.grid_file import is_grid, read_grid

TEMPLATE = Path(new.__file__).with_name("templates") / "grid.toml"


def test_the_template_is_a_grid() -> None:
    assert is_grid(str(TEMPLATE))
    found = read_grid(TEMPLATE)
    assert (found.game, found.play, found.settings) == ("classic-blackjack", "composition", {"surrender": "late"})
    grid = grid_of(found.game, found.vary, where=found.where)
    assert grid.size == 5 * 2 * 4 * 2
    # Without resplit aces four hands of each, with them two.
    assert sum(1 for _ in grid.combinations()) == 5 * 2 * 6


def test_paths_are_taken_from_the_folder_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(
        'game = "./mine.toml"\nplay = "mine.csv"\nwhere = "decks > 1"\ncharts = true\n[vary]\nshoe = "shoes.txt"\n'
    )
    found = read_grid(tmp_path / "a.toml")
    assert Path(found.game) == tmp_path / "mine.toml"
    assert found.play == str(tmp_path / "mine.csv")
    assert found.vary == {"shoe": str(tmp_path / "shoes.txt")}
    assert (found.where, found.charts, found.side_bets) == (("decks > 1",), True, False)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("game = ", "not valid TOML"),
        ("[vary]\ndecks = [1]", "game: missing"),
        ('game = "x"', "vary: missing"),
        ('game = "x"\nvary = 3', "vary: expected a table"),
        ("game = 3\n[vary]\ndecks = [1]", "game: expected a text"),
        ('game = "x"\nwher = "decks > 1"\n[vary]\ndecks = [1]', "did you mean 'where'"),
        ('game = "x"\ncharts = "yes"\n[vary]\ndecks = [1]', "charts: expected true or false"),
        ('game = "x"\ncolumns = "ev"\n[vary]\ndecks = [1]', "columns: expected a list"),
    ],
)
def test_bad_grid_files(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(OddsError, match=r"bad\.toml") as raised:
        read_grid(path)
    assert says in str(raised.value)


def test_other_files_are_no_grids(tmp_path: Path) -> None:
    (tmp_path / "game.toml").write_text('name = "x"')
    (tmp_path / "torn.toml").write_text("[vary")
    assert not any(is_grid(name) for name in (str(tmp_path / "game.toml"), str(tmp_path / "torn.toml"), "-", "x.toml"))
