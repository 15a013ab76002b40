"""`odds new`: files that work as they are written; `odds rules`: every field; and the files under examples/."""

import csv
import json
import re
import shlex
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import odds
from odds.cli.main import app
from odds.game.fields import FIELDS
from odds.game.rules import Rules

EXAMPLES = Path(__file__).parents[2] / "examples"
GAME_KEYS = {"name", "title", "source", "side_bets", "states", "open", "varies", "assumed"}


def run(*args: str, columns: int = 80) -> Result:
    return CliRunner().invoke(app, list(args), env={"COLUMNS": str(columns)})


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


class TestNewGame:
    def test_works_as_it_is(self) -> None:
        result = run("new", "game", "Corner Table.toml")
        assert (result.exit_code, result.stdout, result.stderr) == (0, "", "wrote: Corner Table.toml\n")
        game = odds.load_game("./Corner Table.toml")
        assert (game.name, game.title) == ("corner-table", "Corner table")
        assert {known.status for known in game.provenance.values()} == {"states", "open", "varies", "assumed"}
        data = json.loads(run("rtp", "Corner Table.toml", "--json").stdout)
        assert 0.98 < data["rtp"] < 1
        assert [bet["name"] for bet in data["side_bets"]] == ["21+3"]
        assert run("show", "Corner Table.toml").exit_code == 0

    def test_has_every_key(self) -> None:
        run("new", "game", "own.toml")
        text = Path("own.toml").read_text(encoding="utf-8")
        assert tomllib.loads(text).keys() > GAME_KEYS
        uncommented = re.sub(r"^# (?=\[published\]|rtp = |note = )", "", text, flags=re.MULTILINE)
        assert odds.game.catalog.CATALOGUE.parse(uncommented, "own.toml").published_rtp == "99.47%"


class TestNewBet:
    def test_works_as_it_is(self) -> None:
        assert run("new", "bet", "own.toml").exit_code == 0
        data = json.loads(run("sidebet", "own.toml", "--decks", "6", "--json").stdout)
        assert data["bet"] == "own"
        assert 0.7 < data["tables"][0]["rtp"] < 1

    def test_goes_into_a_new_game(self) -> None:
        run("new", "bet", "own-bet.toml")
        run("new", "game", "own.toml")
        text = Path("own.toml").read_text(encoding="utf-8").replace('"21+3"', '"own-bet.toml"')
        Path("own.toml").write_text(text, encoding="utf-8")
        assert json.loads(run("rtp", "own.toml", "--json").stdout)["side_bets"][0]["name"] == "own-bet"


class TestNewStrategy:
    @pytest.mark.parametrize("file", ["mine.csv", "mine.json"])
    def test_is_the_best_chart_of_the_game(self, file: str) -> None:
        result = run("new", "strategy", file, "--game", "single-deck", "--set", "max_hands=2")
        assert result.exit_code == 0, result.stderr
        game = odds.load_game("single-deck").rules.replace(max_hands=2)
        assert odds.read_strategy(Path(file)).codes == odds.basic_strategy(game).codes

    def test_says_how_to_play_it(self) -> None:
        run("new", "strategy", "mine.csv", "--game", "single-deck", "--set", "max_hands=2")
        text = Path("mine.csv").read_text(encoding="utf-8")
        assert "# odds rtp single-deck --set 'max_hands=2' --play mine.csv computes it" in text
        assert "# Rh: surrender, else hit\n" in text


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["game", "own.txt"], "expected a file that ends in .toml, or -, got 'own.txt'"),
        (["bet", "own"], "expected a file that ends in .toml, or -, got 'own'"),
        (["strategy", "own.toml"], "expected a file that ends in .csv or .json, or -, got 'own.toml'"),
        (["strategy", "mine.csv", "--game", "nope"], "unknown game 'nope'"),
        (["game", "no-such/own.toml"], "there is no folder 'no-such'"),
        (["game", "-", "--json"], "expected --json or - for standard output, got both"),
        (["game", "there.toml"], "'there.toml' is there already"),
    ],
)
def test_bad_input_writes_nothing(args: list[str], message: str, folder: Path) -> None:
    (folder / "there.toml").write_text("my work", encoding="utf-8")
    result = run("new", *args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert [path.name for path in folder.iterdir()] == ["there.toml"]
    assert (folder / "there.toml").read_text(encoding="utf-8") == "my work"


@pytest.mark.parametrize("kind", ["game", "bet", "strategy"])
def test_standard_output_is_the_file(kind: str, folder: Path) -> None:
    printed = run("new", kind, "-")
    assert (printed.exit_code, printed.stderr, list(folder.iterdir())) == (0, "", [])
    name = "mine.csv" if kind == "strategy" else f"my-{kind}.toml"
    run("new", kind, name)
    assert printed.stdout == Path(name).read_text(encoding="utf-8").replace(f"--play {name}", "--play -")


def test_json() -> None:
    data = json.loads(run("new", "game", "own.toml", "--json").stdout)
    assert data == {"version": odds.__version__, "written": "own.toml"}


class TestRules:
    @pytest.mark.parametrize("columns", [60, 80])
    def test_lists_every_field(self, columns: int) -> None:
        text = run("rules", columns=columns).stdout
        assert max(map(len, text.splitlines())) <= columns
        for name, field in FIELDS.items():
            assert re.search(rf"^{name}{' [*]' if field.tacit else ''}  ", text, re.MULTILINE)
        flat = " ".join(text.split())
        assert "false: S17; true: H17" in flat
        assert "original or original-per-hand" in flat

    @pytest.mark.parametrize("name", FIELDS)
    def test_describes_one_in_full(self, name: str) -> None:
        text = " ".join(run("rules", name).stdout.split())
        field = FIELDS[name]
        assert all(part in text for part in (name, field.meaning, field.allowed, field.shorthand, Rules().words(name)))
        setting = text.partition("--set ")[2]
        assert Rules().replace_text(shlex.split(setting)) != Rules()
        for value in field.choices:
            assert field.words(value) in text

    def test_finds_one_by_its_shorthand(self) -> None:
        assert run("rules", "h17").stdout == run("rules", "dealer_hits_soft_17").stdout
        assert "double_after_split" in run("rules", "NDAS").stdout

    def test_json(self) -> None:
        data = json.loads(run("rules", "--json").stdout)
        assert [item["field"] for item in data["rules"]] == list(FIELDS)
        by_name = {item["field"]: item for item in data["rules"]}
        assert by_name["blackjack_pays"]["default"] == "3/2"
        assert by_name["surrender"]["choices"] == ["none", "late", "early", "early-vs-ten"]
        assert Rules.from_dict({item["field"]: item["default"] for item in data["rules"]}) == Rules()
        assert json.loads(run("rules", "charlie", "--json").stdout)["rules"] == [by_name["charlie"]]

    def test_unknown(self) -> None:
        result = run("rules", "dekcs")
        assert result.exit_code == 2
        assert "unknown rule 'dekcs'; did you mean 'decks'?" in result.stderr


class TestExamples:
    @pytest.mark.parametrize(
        ("kind", "file"),
        [("game", "my-game.toml"), ("bet", "my-bet.toml"), ("grid", "my-grid.toml"), ("strategy", "mine.csv")],
    )
    def test_are_what_new_writes(self, kind: str, file: str) -> None:
        assert run("new", kind, file).exit_code == 0
        assert Path(file).read_text(encoding="utf-8") == EXAMPLES.joinpath(file).read_text(encoding="utf-8")

    def test_figures_are_right(self) -> None:
        data = json.loads(run("verify", str(EXAMPLES / "figures.csv"), "--json").stdout)
        assert {line["verdict"] for line in data["lines"]} == {"pass"}
        with EXAMPLES.joinpath("figures.csv").open(encoding="utf-8") as file:
            assert len(data["lines"]) == len([row for row in csv.reader(file) if not row[0].startswith("#")]) - 1

    def test_help_text_is_filled(self) -> None:
        text = run("fill", str(EXAMPLES / "help.txt"), "classic-blackjack").stdout
        assert "main game is 99.59%" in text
        assert "Lucky Ladies is 83.27%" in text
        assert not re.search(r"%t|\{", text)

    def test_the_readme_names_all_of_them(self) -> None:
        readme = EXAMPLES.parent.joinpath("README.md").read_text(encoding="utf-8")
        for path in EXAMPLES.iterdir():
            assert f"examples/{path.name}" in readme
