"""Tables in narrow terminals: no number is cut, and names stay whole where there is room for them."""

import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from odds.cli.main import app
from odds.report import common

ONE = ("--set", "decks=1")
CLAIMS = """game,overrides,published,play,what
double-exposure-stratosphere,"decks=1; double_on=hard 9-11, soft 19-20",99.5%,total,rtp
vegas-strip-6d-h17,decks=1,0.664%,,house_edge
"""
COMMANDS = [
    ("games",),
    ("show", "classic-blackjack", *ONE, "--close", "5"),
    ("rtp", "classic-blackjack", *ONE),
    ("rtp", "single-deck", "--exact", "--digits", "30"),
    ("rtp", "single-deck", "--play", "total"),
    ("rtp", "single-deck", "--boxes", "2", "--sees-others", "--set", "max_hands=1", "--set", "even_money=true"),
    ("exchanges", "blackjack-switch", *ONE, "--set", "max_hands=1", "--columns", "10", "--points", "100"),
    ("hand", "single-deck", "8,8", "T"),
    ("dealer", "single-deck"),
    ("dealer", "face-up-21", "T,6", *ONE, "--exact"),
    ("chart", "single-deck"),
    ("chart", "face-up-21", *ONE, "--evs"),
    ("chart", "single-deck", "--kind", "composition"),
    ("deviations", "single-deck"),
    ("outcomes", "single-deck", "--set", "max_hands=2"),
    ("outcomes", "single-deck", "--set", "max_hands=2", "--boxes", "--exact"),
    ("outcomes", "single-deck", "--exact"),
    ("confidence", "single-deck", "--rounds", "1000"),
    ("confidence", "single-deck", "--set", "max_hands=2", "--rounds", "1000000"),
    ("confidence", "single-deck", "--set", "max_hands=2", "--precision", "0.001"),
    ("sidebet",),
    ("sidebet", "21+3", "--paytable", "all", "--decks", "1", "--decks", "8"),
    ("sidebet", "lucky-ladies", "--exact"),
    ("sidebet", "bust-it"),
    ("sidebet", "21+3", "--target-rtp", "0.97", "--solve", "Flush"),
    ("sidebet", "21+3", "--target-rtp", "0.97", "--solve", "Flush:1", "--solve", "Straight:2"),
    ("sidebet", "blazing-7s", "--meter", "22462.41", "--meter", "1e6", "--target-rtp", "0.97"),
    ("simulate", "classic-blackjack", *ONE, "--rounds", "1000", "--seed", "1"),
    ("reconcile", "single-deck", "--published", "99.99%", "--jobs", "1"),
    ("verify", "CLAIMS", "--jobs", "1"),
]


@pytest.fixture(scope="module")
def claims(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("claims") / "claims.csv"
    path.write_text(CLAIMS)
    return path


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_number_is_cut(command: tuple[str, ...], claims: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer is computed once and drawn in each width, the widest first."""
    drawn: dict[int, str] = {}

    draw = common.render

    def render(parts: list[Any], **_: bool) -> str:
        for columns in (80, 60, 50):
            monkeypatch.setenv("COLUMNS", str(columns))
            drawn[columns] = draw(parts)
        return drawn[80]

    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("odds.cli.common.render", render)
    monkeypatch.setattr(common, "render", render)
    result = CliRunner().invoke(app, [str(claims) if word == "CLAIMS" else word for word in command])
    assert result.exit_code in (0, 1), result.stderr
    assert len(drawn) == 3
    for columns, text in drawn.items():
        assert "…" not in text, columns
        assert numbers(text) == numbers(drawn[80])
    assert max(map(len, drawn[80].splitlines())) <= 80


def numbers(text: str) -> list[str]:
    """Return the decimals in a text, sorted: cells of tables stay in one piece."""
    return sorted(re.findall(r"[+-]?\d+\.\d{2,}%?(?![\d/])", text)) if "exact" not in text.lower() else []


@pytest.mark.parametrize("columns", [50, 60, 80])
def test_effects_of_removal_fit_the_lines(columns: int) -> None:
    result = CliRunner().invoke(app, ["deviations", "single-deck", "--cells", "3"], env={"COLUMNS": str(columns)})
    assert max(map(len, result.stdout.splitlines())) <= columns
    lines = re.findall(r"^soft 19 v 6 +Ds +(.*)$", result.stdout, re.MULTILINE)
    gaps, effects = zip(*(line.split(maxsplit=1) for line in lines), strict=True)
    assert set(gaps) == {"+.03"}
    assert len(" ".join(effects).split()) == 10


def test_names_stay_whole(claims: Path) -> None:
    wide, narrow = (
        CliRunner().invoke(app, ["verify", str(claims), "--jobs", "1"], env={"COLUMNS": columns}).stdout
        for columns in ("80", "60")
    )
    assert "double-exposure-stratosphere" in wide
    assert re.search(r"double-.*\n +exposure-.*\n +stratosphere\n", narrow)
