"""Published figures of many games: verdicts, and what is said of lines that cannot be used."""

import csv
import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import odds
from odds.cli.main import app
from odds.errors import OddsError
from odds.game.catalog import load_game
from odds.published.verify import parse_claims, verify

FORMATS = Path(__file__).parents[2] / "docs" / "formats.md"
HEAD = "game,overrides,published,play,what\n"


def run(*args: str) -> Result:
    return CliRunner().invoke(app, ["verify", *args, "--jobs", "1"], env={"COLUMNS": "80"})


def test_the_documented_example(tmp_path: Path) -> None:
    blocks = re.findall(r"```csv\n(.*?)```", FORMATS.read_text(encoding="utf-8"), re.DOTALL)
    (example,) = [block for block in blocks if "published" in block]
    file, out = tmp_path / "figures.csv", tmp_path / "verdicts.csv"
    file.write_text(example, encoding="utf-8")
    result = run(str(file), "--out", str(out), "--json")
    assert result.exit_code == 1
    data = json.loads(result.stdout)
    assert (data["passed"], data["failed"]) == (2, 1)
    assert [line["line"] for line in data["lines"]] == [2, 3, 5]
    assert [line["verdict"] for line in data["lines"]] == ["pass", "pass", "fail"]
    assert [line["matches"] for line in data["lines"]] == ["both", "truncated", None]
    assert all(list(line)[:3] == ["game", "rules", "version"] for line in data["lines"])
    assert data["lines"][1]["rules"]["double_on"] == "9-11"
    rows = list(csv.DictReader(out.read_text(encoding="utf-8").splitlines()))
    assert [row["verdict"] for row in rows] == ["pass", "pass", "fail"]
    assert rows[0]["computed"] == "99.590037%"
    assert rows[1]["difference"] == "+0.000771"
    shown = run(str(file))
    assert "2 of 3 agree" in shown.stdout
    assert max(map(len, shown.stdout.splitlines())) <= 80


@pytest.mark.parametrize("mark", [";", "\t"])
def test_other_separators(mark: str) -> None:
    text = (
        "# a note, with commas\n"
        + HEAD.replace(",", mark)
        + mark.join(["single-deck", '"decks=2; double_on=9,10,11"', "99.5%", "", "rtp"])
    )
    (claim,) = parse_claims(text, "figures.csv", Path())
    assert (claim.rules.decks, claim.rules.double_on, claim.published.text) == (2, "9-11", "99.5%")


def test_columns_in_any_order_and_what_they_mean(tmp_path: Path) -> None:
    rules = load_game("european-8d").rules
    strategy = odds.basic_strategy(rules)
    (tmp_path / "mine.csv").write_text(strategy.to_csv(), encoding="utf-8")
    (tmp_path / "game.toml").write_text('name = "mine"\ntitle = "Mine"\nsource = "me"\n', encoding="utf-8")
    text = (
        "\n# figures\npublished,what,game,play,overrides\n"
        "0.598%,house_edge,european-8d,mine.csv,\n"
        "0.598%,house_edge,european-8d,total,\n"
        "99.4%,rtp,european-8d,, decks=8 ;\n"
        "90%,,game.toml,,max_hands=1\n"
    )
    claims = parse_claims(text, "x.csv", tmp_path)
    assert [claim.line for claim in claims] == [4, 5, 6, 7]
    verdicts = verify(claims)
    assert verdicts[0].rtp == pytest.approx(verdicts[1].rtp, abs=1e-13)
    assert [verdict.passes for verdict in verdicts] == [True, True, True, False]
    assert verdicts[0].computed == pytest.approx(0.0059782, abs=1e-6)
    assert verdicts[3].difference == pytest.approx(verdicts[3].rtp - 0.9)


def test_overrides_take_bonuses_of_several_lines(tmp_path: Path) -> None:
    overrides = "decks=1;bonuses=ranks=6,7,8 pays=3; cards=6 total=21 pays=2 ; surrender=early T; late 2-9;"
    (claim,) = parse_claims(f'{HEAD}eight-deck-s17,"{overrides}",99%,,\n', "x.csv", tmp_path)
    assert (claim.rules.decks, len(claim.rules.bonuses), claim.rules.surrender) == (1, 2, "early T, late 2-9")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a first line with the columns"),
        (HEAD, "expected at least one line under the columns"),
        (
            "game,published\n",
            "line 1: expected the columns game, overrides, published, play, what; overrides is missing",
        ),
        ("game,overrides,published,rtp\n", "line 1: unknown column 'rtp'"),
        ("game,overrides,published,game\n", "line 1: column game is there twice"),
        (HEAD + "face-up-21,,99%\n", "line 2: expected 5 cells"),
        (HEAD + "face-up-21,,99%,,\n\nface-up-12,,99%,,\n", "line 4: unknown game 'face-up-12'"),
        (HEAD + ",,99%,,\n", "line 2: game: expected a name"),
        (HEAD + "face-up-21,dekcs=6,99%,,\n", "line 2: unknown rule 'dekcs'; did you mean 'decks'?"),
        (HEAD + "face-up-21,,999.15%,,\n", "got '999.15%' (the RTP of a game is over 0 and at most 200 %)"),
        (HEAD + "face-up-21,,banana,,\n", "line 2: expected a published percentage such as 99.15%, got 'banana'"),
        (HEAD + 'face-up-21,,"99,15",,\n', "line 2: expected a published percentage"),
        (HEAD + "face-up-21,,99%,best,\n", "line 2: play: expected composition, total or a .csv or .json file"),
        (HEAD + "face-up-21,,99%,none.csv,\n", "line 2: cannot read the strategy"),
        (HEAD + "face-up-21,,99%,,edge\n", "line 2: what: expected rtp or house_edge, got 'edge'"),
        (HEAD + 'face-up-21,"decks=6,99%,,\n', "line 2: not CSV"),
        (HEAD + 'face-up-21,"decks=6\n",99%,,\nface-up-21,,x%,,\n', "line 4: expected a published percentage"),
    ],
)
def test_bad_lines(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(OddsError) as caught:
        parse_claims(text, "x.csv", tmp_path)
    assert str(caught.value).startswith("x.csv: ")
    assert message in str(caught.value)


def test_bad_files(tmp_path: Path) -> None:
    file, out = tmp_path / "x.csv", tmp_path / "out.csv"
    file.write_bytes(b"game\xff")
    for args in ((str(file),), (str(tmp_path / "none.csv"),), (str(tmp_path),)):
        result = run(*args, "--out", str(out))
        assert result.exit_code == 2
        assert len(result.stderr.splitlines()) == 1
        assert not out.exists()
