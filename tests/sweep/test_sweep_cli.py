"""The command `odds sweep`: files, resuming, interrupts, and what it says to bad input."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from odds.cli.main import app
from odds.game.fields import FIELDS
from odds.sweep.journal import Journal
from odds.sweep.solve import Asked, Solved

SMALL = (
    "sweep",
    "classic-blackjack",
    "--vary",
    "decks=1,2",
    "--vary",
    "max_hands=1..2",
    "--vary",
    "blackjack_pays=3/2,1",
)
DISTINCT = 4


def run(*args: str) -> Result:
    return CliRunner().invoke(app, list(args), env={"COLUMNS": "80"})


def done(*args: str) -> Result:
    result = run(*args)
    assert result.exit_code == 0, result.stderr
    return result


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in done(*SMALL, "--json").stdout.splitlines()]


def test_json_is_a_line_for_each_row(rows: list[dict[str, Any]]) -> None:
    assert len(rows) == 8
    promised = [*FIELDS, "play", "split_class", "ev", "rtp", "house_edge", "average_wager", "ev_per_total_wager"]
    assert set(rows[0]) >= {*promised, "chart_id", "rules_id", "version"}
    rtp = json.loads(done("rtp", "classic-blackjack", "--set", "decks=2", "--set", "max_hands=2", "--json").stdout)
    row = next(row for row in rows if (row["decks"], row["max_hands"], row["blackjack_pays"]) == (2, 2, "3/2"))
    assert {name: row[name] for name in FIELDS} == rtp["rules"]
    for name in promised[-5:]:
        assert row[name] == pytest.approx(rtp[name], abs=1e-15, rel=0)


@pytest.mark.parametrize("end", ["jsonl", "csv", "parquet"])
def test_a_finished_file_is_read(rows: list[dict[str, Any]], end: str, folder: Path) -> None:
    result = done(*SMALL, "--out", f"grid.{end}", "--workers", "1")
    assert "wrote: grid." in result.stderr
    again = done("sweep", f"grid.{end}", "--json").stdout
    assert [json.loads(line) for line in again.splitlines()] == rows
    assert [path.name for path in folder.iterdir()] == [f"grid.{end}"]
    before = (folder / f"grid.{end}").read_bytes()
    assert f"replaced: grid.{end}" in done(*SMALL, "--out", f"grid.{end}", "--workers", "2").stderr
    assert (folder / f"grid.{end}").read_bytes() == before


def test_standard_output_is_csv(folder: Path) -> None:
    text = done(*SMALL, "--out", "-", "--workers", "1").stdout
    done(*SMALL, "--out", "grid.csv", "--workers", "1")
    assert text == (folder / "grid.csv").read_text()


def test_charts_are_a_second_table(folder: Path) -> None:
    out = done(*SMALL, "--charts", "charts.jsonl", "--json", "--workers", "1").stdout
    made = [json.loads(line) for line in out.splitlines()]
    cells = [json.loads(line) for line in (folder / "charts.jsonl").read_text().splitlines()]
    assert list(cells[0]) == ["chart_id", "row", "upcard", "code", "runner_up", "margin"]
    assert {row["chart_id"] for row in made} == {cell["chart_id"] for cell in cells}
    assert len({row["chart_id"] for row in made}) == DISTINCT


def test_conditions(rows: list[dict[str, Any]]) -> None:
    out = done(*SMALL, "--where", "decks == 1 or max_hands > 1", "--json", "--workers", "1").stdout
    assert [json.loads(line) for line in out.splitlines()] == [
        row for row in rows if row["decks"] == 1 or row["max_hands"] > 1
    ]


def test_audit() -> None:
    result = done(*SMALL, "--audit", "1%", "--json", "--workers", "1")
    assert "audit: 1 sets as fractions, from which their 2 rows differ by" in result.stderr


def test_a_grid_file_and_options(folder: Path, rows: list[dict[str, Any]]) -> None:
    (folder / "grid.toml").write_text(
        'game = "classic-blackjack"\ncolumns = ["p_paid_blackjack"]\nwhere = "decks == 1"\n'
        '[set]\nsurrender = "none"\n[vary]\ndecks = [1, 2]\nmax_hands = "1..2"\nblackjack_pays = ["3/2"]\n'
    )
    out = done("sweep", "grid.toml", "--workers", "1", "--json").stdout
    first = [json.loads(line) for line in out.splitlines()]
    assert [(row["decks"], row["max_hands"], row["surrender"]) for row in first] == [(1, 1, "none"), (1, 2, "none")]
    assert first[0]["p_paid_blackjack"] > 0.04
    more = ("--vary", "blackjack_pays=3/2,1", "--set", "surrender=late", "--where", "max_hands == 2")
    out = done("sweep", "grid.toml", *more, "--workers", "1", "--json").stdout
    again = [{**json.loads(line)} for line in out.splitlines()]
    assert [row.pop("p_paid_blackjack") > 0 for row in again] == [True, True]
    assert again == [row for row in rows if row["decks"] == 1 and row["max_hands"] == 2]


def test_reports(folder: Path) -> None:
    done(*SMALL, "--out", "grid.jsonl", "--charts", "charts.csv", "--workers", "1")
    told = done("sweep", "grid.jsonl", "--heat", "decks,max_hands").stdout
    assert max(map(len, told.splitlines())) <= 80
    assert "8 combinations, 4 distinct sets of rules" in told
    result = done("sweep", "grid.jsonl", "--charts", "charts.csv", "--explorer", "grid.html", "--json")
    assert len(result.stdout.splitlines()) == 8
    page = (folder / "grid.html").read_text()
    assert all(json.loads(line)["chart_id"] in page for line in result.stdout.splitlines())
    for args, message in (
        (["--heat", "decks"], "--heat: expected two fields that vary"),
        (["--heat", "decks,surrender"], "--heat: expected a field that varies in the grid, got 'surrender'"),
        (["--lines", "nope"], "--lines: expected a field that varies in the grid"),
        (["--heat", "decks,max_hands", "--picture", "a.bmp"], "--picture: expected a file that ends in"),
        (["--explorer", "a.txt"], "--explorer: expected a file that ends in .html"),
    ):
        for game in (["grid.jsonl"], [*SMALL[1:], "--where", "decks > 5"]):  # before any work
            result = run("sweep", *game, *args)
            assert (result.exit_code, result.stdout) == (2, "")
            assert message in result.stderr


class TestResume:
    def test_needs_to_be_asked_for(self, folder: Path) -> None:
        with Journal(Asked(), folder / "grid.csv.part") as journal:
            journal.add([Solved("0" * 16, {"ev": 0.0})])
        result = run(*SMALL, "--out", "grid.csv", "--workers", "1")
        assert result.exit_code == 2
        assert "grid.csv.part" in result.stderr
        assert "--resume" in result.stderr
        assert [path.name for path in folder.iterdir()] == ["grid.csv.part"]
        done(*SMALL, "--out", "grid.csv", "--workers", "1", "--resume")
        assert [path.name for path in folder.iterdir()] == ["grid.csv"]

    @pytest.mark.skipif(sys.platform == "win32", reason="signals")
    def test_after_an_interrupt(self, folder: Path) -> None:
        many = ["--vary", "decks=1,2,4..8", "--vary", "max_hands=1..4", "--vary", "surrender=none,late"]
        command = [sys.executable, "-m", "odds", "sweep", "classic-blackjack", *many, "--charts", "charts.csv"]
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            process = subprocess.Popen(
                [*command, "--out", "grid.csv"], stderr=subprocess.PIPE, text=True, env={**os.environ}
            )
        finally:
            signal.signal(signal.SIGINT, before)
        part = folder / "grid.csv.part"
        while not part.exists() and process.poll() is None:
            time.sleep(0.05)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        assert time.monotonic() - began < 3  # a second, on a machine with nothing else to do
        assert process.returncode == 130
        assert said.strip().endswith("sets are kept in grid.csv.part; go on with --resume")
        assert [path.name for path in folder.iterdir()] == ["grid.csv.part"]


class TestBadInput:
    @pytest.mark.parametrize(
        ("args", "message"),
        [
            (["--vary", "deks=1"], "unknown rule 'deks'; did you mean 'decks'?"),
            (["--vary", "decks="], "decks: expected a value at least, got none"),
            (["--vary", "decks"], "expected FIELD=VALUE,VALUE"),
            (["--vary", "decks=1,x"], "decks: expected a whole number"),
            (["--vary", "decks=8..4"], "decks: expected a range"),
            (["--vary", "decks=1,1"], "decks: 1 is given twice"),
            (["--vary", "decks=1,2", "--vary", "decks=4"], "decks: given twice"),
            (["--vary", "decks=1,2", "--set", "decks=4"], "decks: expected --vary or --set, got both"),
            ([], "expected --vary FIELD=VALUES"),
            (["--vary", "decks=1..100000", "--vary", "insurance_pays=" + ",".join(map(str, range(101)))], "10,100,000"),
            (["--vary", "double_on=any,none", "--set", "redoubles=1", "--where", "decks >"], "where: cannot read"),
            (["--vary", "decks=1", "--where", "deks > 1"], "unknown field 'deks'"),
            (["--vary", "decks=1", "--where", "decks > 1"], "no combination of 1 is left"),
            (["--vary", "decks=1", "--columns", "nope"], "columns: unknown 'nope'"),
            (["--vary", "decks=1", "--out", "grid.txt"], "--out: expected a file that ends in .jsonl, .csv, .parquet"),
            (["--vary", "decks=1", "--charts", "grid"], "--charts: expected a file that ends in"),
            (["--vary", "decks=1", "--out", "a.csv", "--charts", "a.csv"], "expected another file"),
            (["--vary", "decks=1", "--out", "no/a.csv"], "there is no folder 'no'"),
            (["--vary", "decks=1", "--resume"], "--resume: expected --out FILE with it"),
            (["--vary", "decks=1", "--out", "-", "--resume"], "--resume: expected --out FILE with it"),
            (["--vary", "decks=1", "--out", "-", "--json"], "expected --json or --out -, got both"),
            (["--vary", "decks=1", "--picture", "a.svg"], "--picture: expected --heat FIELD,FIELD or --lines FIELD"),
            (["--vary", "decks=1", "--audit", "2"], "audit: expected a share of the sets from 0 to 1"),
            (["--vary", "decks=1", "--audit", "x"], "--audit: expected a number such as 0.001 or 0.1%"),
            (["--vary", "decks=1", "--workers", "0"], "--workers: expected a whole number from 1 to 256"),
            (["--vary", "decks=1", "--play", "nope"], "--play: expected composition, total, or a strategy file"),
            (["--vary", "decks=1", "--play", "nope.csv"], "cannot read"),
            (["--vary", "decks=1", "--split-class", "nope"], "split class: expected cdz, cdp1 or full"),
            (["--vary", "decks=1", "--play", "total", "--split-class", "cdz"], "expected --play composition with it"),
            (["--vary", "shoe=nope.txt"], "cannot read file of shoes 'nope.txt'"),
        ],
    )
    def test_is_one_line(self, args: list[str], message: str, folder: Path) -> None:
        result = run("sweep", "classic-blackjack", *args)
        assert (result.exit_code, result.stdout) == (2, "")
        assert message in result.stderr
        assert len(result.stderr.strip().splitlines()) == 1
        assert not list(folder.iterdir())

    def test_finished_grids(self, folder: Path) -> None:
        done(*SMALL, "--out", "grid.csv", "--workers", "1")
        for args, message in (
            (["--vary", "decks=1"], "--vary: expected a game or a grid with it, not a finished one"),
            (["--resume", "--out", "b.csv"], "--resume: expected a game or a grid"),
            (["--out", "grid.csv"], "this command reads it"),
            (["--charts", "grid.csv"], "there is no 'row', as odds sweep writes it in each row of charts"),
        ):
            result = run("sweep", "grid.csv", *args)
            assert result.exit_code == 2, result.stdout
            assert message in result.stderr
        (folder / "other.csv").write_text("a,b\n1,2\n")
        assert "other.csv: row 1: there is no 'rules_id'" in run("sweep", "other.csv").stderr

    def test_shoes(self, folder: Path) -> None:
        (folder / "shoes.txt").write_text("# two of them\nrich: 4xA,16xT,4x2,4x3,4x4,4x5\nplain: 4xA,4x2\nrich: 4xT\n")
        result = run("sweep", "classic-blackjack", "--vary", "shoe=shoes.txt")
        assert "shoes.txt: line 4: expected another name than rich" in result.stderr
        assert "both" in run("sweep", "classic-blackjack", "--vary", "shoe=shoes.txt", "--vary", "decks=1").stderr
