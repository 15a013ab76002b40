"""The side bets that a game's file names: found beside it, and never passed over."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import odds
from odds.cli.main import app

GAME = """
name = "own"
title = "Own"
source = "me"
side_bets = ["any-pair", "{bet}"]
[states]
decks = 1
max_hands = 2
"""
BET = """
name = "two-queens"
title = "Two Queens"
cards = "player"
[[lines]]
name = "Two queens"
pays = 150
when = { cards = ["Q", "Q"] }
"""
BROKEN = BET.replace("cards = [", "crads = [")
NEVER = BET + '[[lines]]\nname = "Two hearts of queens"\npays = 2\nwhen = { cards = ["Qh", "Qh"] }\n'


def run(*args: str) -> Result:
    return CliRunner().invoke(app, list(args), env={"COLUMNS": "80"})


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game in a folder, its bet in a folder beside, and the user in another one."""
    for folder in ("games", "bets", "elsewhere"):
        (tmp_path / folder).mkdir()
    path = tmp_path / "games" / "own.toml"
    path.write_text(GAME.format(bet="../bets/two-queens.toml"), encoding="utf-8")
    (tmp_path / "bets" / "two-queens.toml").write_text(BET, encoding="utf-8")
    (tmp_path / "elsewhere" / "text.txt").write_text(
        "RTP {rtp@two-queens:.4f}\nRTP of Two Queens: %t\n", encoding="utf-8"
    )
    (tmp_path / "elsewhere" / "figures.csv").write_text(
        "game,overrides,published\n../games/own.toml,,99%\n", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path / "elsewhere")
    return path


EVERYWHERE = [
    ["rtp", "GAME"],
    ["rtp", "GAME", "--json"],
    ["show", "GAME"],
    ["hand", "GAME", "8,8", "T"],
    ["dealer", "GAME"],
    ["chart", "GAME"],
    ["outcomes", "GAME"],
    ["simulate", "GAME", "--rounds", "10"],
    ["reconcile", "GAME", "--published", "99%"],
    ["fill", "text.txt", "GAME"],
    ["sidebet", "21+3", "--game", "GAME"],
    ["verify", "figures.csv"],
    ["tables", "build", "--par", "GAME", "--out", "par"],
]


class TestUnknown:
    @pytest.mark.parametrize("args", EVERYWHERE, ids=" ".join)
    def test_is_an_error_wherever_the_game_is_loaded(self, args: list[str], game: Path) -> None:
        game.write_text(GAME.format(bet="nope"), encoding="utf-8")
        result = run(*(str(game) if arg == "GAME" else arg for arg in args))
        assert (result.exit_code, result.stdout) == (2, "")
        assert re.fullmatch(
            r"error: .*own\.toml: side_bets: unknown side bet 'nope'; the side bets are 21\+3, [^\n]*\n", result.stderr
        )

    def test_is_not_standard_input(self, game: Path) -> None:
        game.write_text(GAME.format(bet="-"), encoding="utf-8")
        with pytest.raises(odds.CatalogError, match="side_bets: expected names of side bets"):
            odds.load_game(game)

    def test_is_an_error_in_the_library(self, game: Path) -> None:
        game.write_text(GAME.format(bet="nope"), encoding="utf-8")
        with pytest.raises(odds.CatalogError, match="side_bets: unknown side bet 'nope'"):
            odds.load_game(game)


class TestFile:
    def test_is_found_beside_the_game_whatever_the_folder(self, game: Path) -> None:
        data = json.loads(run("rtp", str(game), "--json").stdout)
        expected = odds.sidebet(game.parent.parent / "bets" / "two-queens.toml", decks=1).rtp
        assert data["side_bets"][1] == {"name": "two-queens", "rtp": expected}
        assert "two-queens" in run("rtp", str(game)).stdout
        assert json.loads(run("show", str(game), "--json").stdout)["side_bets"] == ["any-pair", "two-queens"]
        assert f"any-pair,two-queens({game.parent}" in "".join(run("show", str(game)).stdout.split())

    def test_is_in_help_texts_and_simulations(self, game: Path) -> None:
        filled = run("fill", "text.txt", str(game)).stdout.split("\n")
        assert re.fullmatch(r"RTP \d\d\.\d{4}%", filled[0])
        assert filled[1] == f"RTP of Two Queens: {float(filled[0][4:-1]):.2f}%"
        played = json.loads(run("simulate", str(game), "--rounds", "1000", "--seed", "1", "--json").stdout)
        assert [bet["name"] for bet in played["side_bets"]] == ["any-pair", "two-queens"]

    @pytest.mark.parametrize("command", [["rtp"], ["show"], ["simulate", "--rounds", "10"]])
    def test_that_cannot_be_read_is_an_error_where_bets_are_asked_for(self, command: list[str], game: Path) -> None:
        (game.parent.parent / "bets" / "two-queens.toml").write_text(BROKEN, encoding="utf-8")
        result = run(command[0], str(game), *command[1:])
        assert (result.exit_code, result.stdout) == (2, "")
        assert "two-queens.toml: lines[1].when.crads: unknown test; did you mean 'cards'?" in result.stderr


def test_side_bets_that_removed_cards_leave_open_are_said_to_be(game: Path) -> None:
    result = run("rtp", str(game), "--remove", "A", "--json")
    data = json.loads(result.stdout)
    assert [bet["rtp"] is None for bet in data["side_bets"]] == [True, False]  # the second does not see suits
    [warning] = data["warnings"]
    assert "not counted among the side bets: any-pair: expected a suit with each card" in warning
    assert f"warning: {warning}\n" == result.stderr


def test_side_bets_on_a_result_are_left_out_where_there_are_two_hands(tmp_path: Path) -> None:
    file = tmp_path / "two-hands.toml"
    file.write_text(
        'name = "two-hands"\ntitle = "Two hands"\nsource = "A test"\nside_bets = ["any-pair", "lucky-stiff"]\n'
        "[states]\nswitch = true\n",
        encoding="utf-8",
    )
    result = run("rtp", str(file), "--json")
    data = json.loads(result.stdout)
    assert [bet["rtp"] is None for bet in data["side_bets"]] == [False, True]
    [warning] = data["warnings"]
    assert warning.startswith("not counted among the side bets: lucky-stiff: switch=true: a side bet on the result")
