"""Files that a command line names: what is read and written, and what is refused before any work."""

import json
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from odds.cli.main import app

GAME = 'name = "own"\ntitle = "Own"\nsource = "me"\n[states]\ndecks = 1\n'
CLAIMS = "game,overrides,published\nclassic-blackjack,,99.59%\n"
MY_BET = Path(__file__).parents[2].joinpath("examples", "my-bet.toml").read_text(encoding="utf-8")
TEXT = "RTP {rtp}\n"
FILLED = "RTP 99.59%\n"


def run(*args: str, given: str = "") -> Result:
    return CliRunner().invoke(app, list(args), input=given, env={"COLUMNS": "80"})


def run_json(*args: str, given: str = "") -> dict[str, Any]:
    result = run(*args, "--json", given=given)
    assert result.exit_code == 0, result.stderr
    return dict(json.loads(result.stdout))


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("t.txt").write_text(TEXT, encoding="utf-8")
    Path("own.toml").write_text(GAME, encoding="utf-8")
    Path("claims.csv").write_text(CLAIMS, encoding="utf-8")
    return tmp_path


@pytest.fixture(scope="module")
def charts() -> dict[str, str]:
    return {form: run("chart", "-", "--format", form, "--out", "-", given=GAME).stdout for form in ("csv", "json")}


def refused(result: Result, *parts: str) -> None:
    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert all(part in line for part in parts), line


class TestStandardInput:
    def test_a_game(self) -> None:
        assert run_json("show", "-", given=GAME)["game"] == "own"

    def test_a_side_bet(self) -> None:
        bet = (resources.files("odds") / "sidebets" / "any-pair.toml").read_text(encoding="utf-8")
        assert run_json("sidebet", "-", given=bet) == run_json("sidebet", "any-pair")

    def test_a_template(self) -> None:
        assert run("fill", "-", "classic-blackjack", given=TEXT).stdout == FILLED

    def test_a_game_that_is_played_to_fill(self) -> None:
        assert run("fill", "t.txt", "-", given=GAME).stdout == run("fill", "t.txt", "own.toml").stdout

    def test_published_figures(self) -> None:
        assert run_json("verify", "-", given=CLAIMS) == {**run_json("verify", "claims.csv"), "file": "standard input"}

    @pytest.mark.parametrize("form", ["csv", "json"])
    def test_a_strategy_is_csv_or_json_by_its_content(self, charts: dict[str, str], form: str) -> None:
        found = run_json("rtp", "own.toml", "--play", "-", given=charts[form])
        assert found["ev"] == run_json("rtp", "own.toml", "--play", "total")["ev"]

    @pytest.mark.parametrize(
        ("args", "given"),
        [(["rtp", "-", "--play", "-"], GAME), (["fill", "-", "-"], TEXT), (["sidebet", "-", "--game", "-"], MY_BET)],
    )
    def test_it_is_read_once(self, args: list[str], given: str) -> None:
        refused(run(*args, given=given), "cannot read", "'-': ", "named once")


def test_a_strategy_file_is_read_whether_or_not_the_text_needs_it() -> None:
    Path("t.txt").write_text("no figure\n", encoding="utf-8")
    refused(run("fill", "t.txt", "classic-blackjack", "--play", "none.csv"), "cannot read the strategy 'none.csv'")


class TestOutput:
    def test_what_was_there_is_replaced_and_said_to_be(self) -> None:
        assert run("fill", "t.txt", "classic-blackjack", "--out", "f.txt").stderr == "wrote: f.txt\n"
        Path("f.txt").write_text("old", encoding="utf-8")
        Path("f.txt").chmod(0o600)
        assert run("fill", "t.txt", "classic-blackjack", "--out", "f.txt").stderr == "replaced: f.txt\n"
        assert Path("f.txt").read_text(encoding="utf-8") == FILLED
        assert Path("f.txt").stat().st_mode & 0o777 == 0o600

    @pytest.mark.parametrize(
        "args", [["fill", "t.txt", "classic-blackjack"], ["chart", "own.toml"], ["verify", "claims.csv"]]
    )
    def test_standard_output(self, args: list[str]) -> None:
        result = run(*args, "--out", "-")
        assert result.exit_code in (0, 1)
        assert result.stdout
        assert not Path("-").exists()

    def test_verdicts_as_csv_to_standard_output(self) -> None:
        assert run("verify", "claims.csv", "--out", "-").stdout.startswith("line,game,")

    @pytest.mark.parametrize("args", [["verify", "claims.csv"], ["fill", "t.txt", "classic-blackjack"]])
    def test_standard_output_holds_one_thing(self, args: list[str]) -> None:
        refused(run(*args, "--json", "--out", "-"), "--json or --out -")

    @pytest.mark.parametrize("name", ["t.txt", "./t.txt", "hard.txt", "soft.txt"])
    def test_an_input_is_no_output(self, name: str) -> None:
        Path("hard.txt").hardlink_to("t.txt")
        Path("soft.txt").symlink_to("t.txt")
        refused(run("fill", "t.txt", "classic-blackjack", "--out", name), "this command reads it")
        assert Path("t.txt").read_text(encoding="utf-8") == TEXT

    @pytest.mark.parametrize(
        ("args", "out"),
        [
            (["fill", "t.txt", "own.toml"], "own.toml"),
            (["chart", "own.toml", "--format", "text"], "own.toml"),
            (["fill", "t.txt", "own.toml", "--play", "mine.csv"], "mine.csv"),
            (["verify", "claims.csv"], "claims.csv"),
            (["verify", "files.csv"], "own.toml"),
            (["verify", "files.csv"], "mine.csv"),
        ],
    )
    def test_so_is_any_other(self, charts: dict[str, str], args: list[str], out: str) -> None:
        Path("mine.csv").write_text(charts["csv"], encoding="utf-8")
        Path("files.csv").write_text("game,overrides,published,play\nown.toml,,99%,mine.csv\n", encoding="utf-8")
        before = Path(out).read_bytes()
        refused(run(*args, "--out", out), f"cannot write {out!r}")
        assert Path(out).read_bytes() == before

    @pytest.mark.parametrize(
        ("out", "reason"),
        [
            ("ro.csv", "it is write-protected"),
            ("folder", "it is a folder"),
            ("none/f.csv", "there is no folder 'none'"),
            ("closed/f.csv", "its folder is write-protected"),
            ("circle", ""),
        ],
    )
    @pytest.mark.parametrize(
        "args",
        [
            ["fill", "t.txt", "classic-blackjack"],
            ["verify", "claims.csv"],
            ["chart", "classic-blackjack", "--format", "csv"],
        ],
    )
    def test_it_is_refused_before_the_work(
        self, args: list[str], out: str, reason: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for module in ("published", "charts"):
            monkeypatch.setattr(f"odds.cli.{module}.{args[0]}", lambda _: pytest.fail("worked"), raising=False)
        Path("ro.csv").touch(mode=0o444)
        Path("folder").mkdir()
        Path("closed").mkdir(mode=0o555)
        Path("circle").symlink_to("circle")
        refused(run(*args, "--out", out), f"cannot write {out!r}: ", reason)
        assert Path("ro.csv").read_bytes() == b""


class TestWithoutMatplotlib:
    @pytest.fixture(autouse=True)
    def no_library_and_no_work(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "matplotlib", None)
        for name in ("outcomes", "charts"):
            monkeypatch.setattr(f"odds.cli.{name}.played_round", lambda *_: pytest.fail("worked"))
        monkeypatch.setattr("odds.tables.par_files", lambda *_: {"own-par.md": "made"})

    @pytest.mark.parametrize("command", ["chart", "outcomes"])
    def test_a_picture_is_refused_before_the_work(self, command: str) -> None:
        refused(run(command, "classic-blackjack", "--out", "x.png"), "need matplotlib")

    def test_a_par_sheet_says_that_it_has_no_pdf(self) -> None:
        result = run("tables", "build", "--par", "own.toml", "--out", "par")
        assert result.stdout == "1 files in par: 1 written, 0 replaced\n"
        assert result.stderr.startswith("warning: the PAR sheet is written without PDF: PDF files need matplotlib")


class TestTables:
    ARGS = ("tables", "build", "--only", "own.toml", "--dir", "made")

    def test_how_many_are_written(self) -> None:
        first = run(*self.ARGS).stdout
        count = len(list(Path("made/own").iterdir()))
        assert first == f"{count} files in made: {count} written, 0 replaced\n"
        Path("made/own/rtp.json").unlink()
        data = run_json(*self.ARGS)
        assert len(data["written"]) == count
        assert set(data["written"]) - set(data["replaced"]) == {"made/own/rtp.json"}

    def test_one_that_is_protected_keeps_all_as_they_are(self) -> None:
        run(*self.ARGS)
        for path in Path("made/own").iterdir():
            path.write_text("old", encoding="utf-8")
        Path("made/own/rtp.json").chmod(0o444)
        refused(run(*self.ARGS), "rtp.json': it is write-protected")
        assert {path.read_text(encoding="utf-8") for path in Path("made/own").iterdir()} == {"old"}

    @pytest.mark.parametrize("args", [["--dir"], ["--par", "classic-blackjack", "--out"]])
    @pytest.mark.parametrize("folder", ["t.txt", "t.txt/made", "closed", "-"])
    def test_a_folder_is_refused_before_the_work(
        self, args: list[str], folder: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        Path("closed").mkdir(mode=0o555)
        for name in ("make", "par_files"):
            monkeypatch.setattr(f"odds.tables.{name}", lambda *_, **__: pytest.fail("worked"))
        refused(run("tables", "build", *args, folder), f"cannot write into {folder!r}: ")
