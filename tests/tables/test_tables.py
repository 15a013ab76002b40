"""The tables: what they hold, that they come out the same, and what is said where they differ."""

import csv
import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import ONE_HAND
from typer.testing import CliRunner, Result

import odds
from odds import tables
from odds.cli.main import app
from odds.errors import OddsError
from odds.files import write_files
from odds.game.catalog import games, load_game
from odds.game.subject import Subject
from odds.numbers.decimals import fixed, percentage, root
from odds.sidebets import side_bets
from odds.strategy.table import Strategy
from odds.tables.bets import bet_files
from odds.tables.document import Document, Lines, Table, csv_text, markdown
from odds.tables.game import GameTables
from odds.tables.pages import html, pdf, text_lines
from odds.tables.par import par_document
from odds.tables.rules import EFFECT_TABLES, Effect, EffectTable, effect_of, returns_of

TABLES = Path(__file__).parents[2] / "tables"
GAME = """
name = "quick"
title = "A quick game"
source = "nobody"
side_bets = ["any-pair"]
[published]
rtp = "97%"
[states]
decks = 2
hole_card = "none"
max_hands = 2
double_on = "10-11"
[open.blackjack_pays]
value = "3/2"
other_readings = ["1"]
"""
FILES = {
    *(f"quick/{name}.{end}" for name in ("rtp", "strategy", "outcomes", "dealer") for end in ("md", "csv")),
    "quick/rtp.json",
    "quick/sidebet-any-pair.md",
    "quick/sidebet-any-pair.csv",
}


def run(*args: str) -> Result:
    return CliRunner().invoke(app, ["tables", *args, "--jobs", "1"], env={"COLUMNS": "80"})


@pytest.fixture(scope="module")
def game_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("game") / "quick.toml"
    path.write_text(GAME, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def made(game_file: Path) -> dict[str, str]:
    return tables.make([str(game_file)])


@given(st.fractions(), st.integers(0, 12))
def test_decimals_round_half_away_from_zero(value: Fraction, digits: int) -> None:
    text = fixed(value, digits)
    assert abs(Fraction(text) - value) <= Fraction(1, 2 * 10**digits)
    assert fixed(-value, digits).lstrip("-") == text.lstrip("-")
    assert len(text.partition(".")[2]) == digits


def test_decimals() -> None:
    assert fixed(Fraction(5, 1000), 2) == "0.01"
    assert fixed(Fraction(-4, 1000), 2, sign=True) == "+0.00"
    assert fixed(0.1, 20) == "0.10000000000000000555"
    assert percentage(Fraction(-1, 8), 1) == "-12.5%"
    assert fixed(root(Fraction(2), 30), 30) == "1.414213562373095048801688724209"


def test_files_of_a_game(made: dict[str, str], game_file: Path) -> None:
    assert set(made) == FILES
    for name, text in made.items():
        head = text[: text.index("\n\n", 5)] if name.endswith(".md") else text
        head = text.split("\n\n")[1] if name.endswith(".md") else head
        assert text.endswith("\n")
        if name.endswith(".json"):
            continue
        for words in ("Rules: 2 decks", "Method: ", "Program: odds ", f"odds tables build --only {game_file}"):
            assert words in head, name
    data = json.loads(made["quick/rtp.json"])
    assert list(data)[:3] == ["game", "rules", "version"]
    assert data["command"] == f"odds tables build --only {game_file}"
    assert [result["split_class"] for result in data["results"]] == ["given", "cdz", "cdp1", "full"]
    assert len(data["readings"]) == 4


def test_figures_of_a_game(made: dict[str, str], game_file: Path) -> None:
    rules = load_game(game_file).rules
    exact = odds.analyze(rules).exact()
    rows = list(csv.DictReader(line for line in made["quick/rtp.csv"].splitlines() if not line.startswith("#")))
    row = next(row for row in rows if row["split_class"] == "cdp1" and row["reading"] == "as listed")
    assert Fraction(row["exact_ev"]) == exact.ev
    assert row["ev"] == fixed(exact.ev, 12)
    assert row["rtp_per_total_wager"] == fixed(1 + exact.ev_per_total_wager, 12)
    full = next(row for row in rows if row["split_class"] == "full")
    assert Fraction(full["ev"]) >= Fraction(row["ev"]) - Fraction(1, 10**9)
    strategy = Strategy.from_csv(made["quick/strategy.csv"])
    charted = odds.evaluate(rules, strategy).exact()
    chart = next(row for row in rows if row["play"] == "total" and row["reading"] == "as listed")
    assert Fraction(chart["exact_ev"]) == charted.ev
    outcomes = [line for line in made["quick/outcomes.csv"].splitlines() if line.startswith("net result")]
    nets = [line.split(",") for line in outcomes]
    assert sum(Fraction(cells[3]) for cells in nets) == 1
    assert sum(Fraction(cells[1]) * Fraction(cells[3]) for cells in nets) == exact.ev
    assert "97%" in made["quick/rtp.md"]


def test_check(made: dict[str, str], game_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "make", lambda *args, **options: made)  # computed once, for all tests
    folder = tmp_path / "tables"
    write_files(made, folder)
    assert not tables.compare(made, folder)
    file = folder / "quick" / "rtp.md"
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text("".join([*lines[:11], "changed\n", *lines[12:]]), encoding="utf-8")
    (folder / "quick" / "dealer.csv").unlink()
    (folder / "quick" / "old.md").write_text("x", encoding="utf-8")
    result = run("check", "--only", str(game_file), "--dir", str(folder), "--json")
    assert result.exit_code == 1
    differing = json.loads(result.stdout)["differing"]
    assert [(Path(item["file"]).name, item["line"]) for item in differing] == [
        ("dealer.csv", 0),
        ("rtp.md", 12),
        ("old.md", 0),
    ]
    assert differing[1]["found"] == "changed"
    assert "rtp.md: line 12: expected " in result.stderr
    (folder / "quick" / "old.md").unlink()
    assert run("build", "--only", str(game_file), "--dir", str(folder)).exit_code == 0
    result = run("check", "--only", str(game_file), "--dir", str(folder))
    assert (result.exit_code, result.stdout) == (0, "11 files, all as computed\n")
    assert not list(folder.rglob("*.tmp"))


@pytest.mark.slow
def test_check_of_what_is_there() -> None:
    result = run("check", "--only", "european-6d", "--dir", str(TABLES), "--json")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout) == {"version": odds.__version__, "files": 9, "differing": []}


def test_differences_at_the_ends(tmp_path: Path) -> None:
    write_files({"a/b.md": "one\ntwo\n"}, tmp_path)
    (shorter,) = tables.compare({"a/b.md": "one\n"}, tmp_path)
    assert (shorter.line, shorter.expected, shorter.found) == (2, None, "two")
    (longer,) = tables.compare({"a/b.md": "one\ntwo\nthree\n"}, tmp_path)
    assert (longer.line, longer.expected, longer.found) == (3, "three", None)
    (ending,) = tables.compare({"a/b.md": "one\ntwo"}, tmp_path)
    assert (ending.line, ending.expected, ending.found) == (2, "two", "two\n")
    (tmp_path / "c.md").write_text("", encoding="utf-8")
    assert not tables.compare({"a/b.md": "one\ntwo\n"}, tmp_path)
    assert len(tables.compare({"a/b.md": "one\ntwo\n"}, tmp_path, whole=True)) == 1


@pytest.mark.slow
def test_several_processes_give_the_same(game_file: Path, made: dict[str, str]) -> None:
    assert tables.make([str(game_file)], workers=2) == made


@pytest.mark.parametrize(
    "args",
    [
        ("build", "--only", "no-such-game"),
        ("check", "--only", "no-such-game"),
        ("build", "--par", "face-up-21"),
        ("build", "--out", "x"),
        ("build", "--par", "no-such-game", "--out", "x"),
        ("build", "--par", "face-up-21", "--out", "x", "--only", "rules"),
    ],
)
def test_bad_input(args: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*args)
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_check_without_tables(tmp_path: Path) -> None:
    result = run("check", "--dir", str(tmp_path / "none"))
    assert result.exit_code == 2
    assert "there is no folder" in result.stderr


def test_names() -> None:
    assert [name for name, _ in tables.check_only(())] == [*games(), "rules", "side-bets"]
    assert [name for name, _ in tables.check_only(("fu21", "face-up-21", "rules"))] == ["face-up-21", "rules"]
    with pytest.raises(OddsError, match="or one of rules, side-bets"):
        tables.check_only(("nothing",))


def test_tables_are_there_for_everything() -> None:
    for game in games():
        assert (TABLES / game / "rtp.md").is_file()
        for bet in load_game(game).side_bets:
            assert (TABLES / game / f"sidebet-{bet}.md").is_file()
    for bet in side_bets():
        assert (TABLES / "side-bets" / f"{bet}.csv").is_file()
    size = sum(path.stat().st_size for path in TABLES.rglob("*") if path.is_file())
    assert size < 2_000_000


@pytest.mark.parametrize("name", ONE_HAND)
def test_the_charts_in_the_tables_are_plays(name: str) -> None:
    rules = load_game(name).rules
    strategy = odds.read_strategy(TABLES / name / "strategy.csv")
    data = json.loads((TABLES / name / "rtp.json").read_text(encoding="utf-8"))
    chart = next(item for item in data["results"] if item["play"] == "total")
    assert odds.evaluate(rules, strategy).ev == pytest.approx(chart["ev"], abs=1e-12)
    assert data["version"] == odds.__version__


def check_effects(tables: tuple[EffectTable, ...]) -> int:
    """Every effect that does not come out as published says why; how many are published."""
    returns, published = returns_of(tables), 0
    for table in tables:
        for effect in table.effects:
            if effect.published:
                published += 1
                value = effect_of(table, effect, returns)
                assert table.agrees(effect, value) or table.why(effect, value), (table.title, effect.words, effect.by)
    return published


def test_effects_that_are_off_say_why() -> None:
    few = ("Blackjack pays 6:5, by number of decks", "Free Bet", "Splitting, one deck")
    tables = tuple(table for table in EFFECT_TABLES if table.title in few)
    assert check_effects(tables) == 13
    offsets = tables[0]
    returns = returns_of((offsets,))
    for effect in offsets.effects:  # of blackjacks alone, to six decimals
        decks = offsets.rules_of(effect)[0].decks
        unbeaten = 100 * odds.analyze(odds.Rules(decks=decks, max_hands=1)).p_paid_blackjack
        assert 100 * effect_of(offsets, effect, returns) == pytest.approx(-0.3 * unbeaten, abs=1e-12)


@pytest.mark.slow
def test_all_effects_that_are_off_say_why() -> None:
    assert check_effects(EFFECT_TABLES) == 190


def test_an_effect_is_a_difference_of_two_games() -> None:
    table = EffectTable("", "", (Effect("two hands", {"max_hands": 2}, base={"decks": 1}),), {"double_on": "9-11"})
    before, after = table.rules_of(table.effects[0])
    assert (before.decks, before.double_on, before.max_hands, after.max_hands) == (1, "9-11", 4, 2)
    expected = odds.analyze(after).ev - odds.analyze(before).ev
    assert effect_of(table, table.effects[0], returns_of((table,))) == pytest.approx(expected, abs=1e-15)


@pytest.fixture(scope="module")
def shares() -> list[float]:
    return []


@pytest.fixture(scope="module")
def sheet(game_file: Path, shares: list[float]) -> Document:
    game = load_game(game_file)
    return par_document(GameTables(Subject(game, game.rules), "a command", shares.append), 200_000)


@pytest.mark.slow
def test_par_sheet_tells_its_progress_all_along(sheet: Document, shares: list[float]) -> None:
    assert shares == sorted(shares)
    assert all(any(low <= share < low + 0.1 for share in shares) for low in (0.05, 0.3, 0.5, 0.7, 0.8, 0.9))


@pytest.mark.slow
def test_par_sheet(sheet: Document) -> None:
    text = markdown(sheet)
    for title in (
        "Rules, stated and assumed",
        "Rules in question",
        "A round",
        "EV as a fraction",
        "RTP by bet",
        "Readings of the rules",
        "The published figure",
        "Strategy used",
        "Any Pair",
        "Net result of a round",
        "Where the observed RTP must lie",
        "How it was verified",
    ):
        assert f"## {title}" in text
    assert "DIS" not in text
    assert "DOES NOT" not in text
    assert "DIFFER" not in text
    lowest = next(part for part in sheet.parts if isinstance(part, Table) and part.title == "RTP by bet")
    assert [row[2] for row in lowest.rows].count("lowest") == 1


@pytest.mark.slow
def test_par_sheet_as_a_page(sheet: Document) -> None:
    page = html(sheet)
    assert page.startswith("<!DOCTYPE html>")
    assert "http-equiv" not in page
    assert "<script" not in page
    assert page.count("<h2>") == len(sheet.parts)
    for line in text_lines(sheet):
        assert len(line) <= 100


@pytest.mark.slow
def test_par_sheet_as_a_pdf(sheet: Document) -> None:
    pytest.importorskip("matplotlib")
    data = pdf(sheet)
    assert data.startswith(b"%PDF")
    assert data == pdf(sheet)
    assert b"CreationDate" not in data


def test_markdown_and_csv_of_a_document() -> None:
    document = Document(
        "A | title",
        (("Rules", "none"),),
        (Table("T", ("a", "b", "c"), (("x|y", "1.5", "some words"),), "A note."), Lines("L", ("one", "two"))),
    )
    text = markdown(document)
    assert "| x\\|y | 1.5 | some words |\n" in text
    assert "|:---|---:|:---|" in text
    assert text.endswith("- one\n- two\n")
    assert csv_text("T", (("Rules", "none"),), ("a", "b"), [("1", "x,y")]) == '# T\n# Rules: none\na,b\n1,"x,y"\n'
    assert "&lt;b&gt;" in html(Document("<b>", (), ()))


def test_side_bets_say_one_in_how_many_and_what_they_pay_for_one() -> None:
    page = bet_files("bust-it", "odds tables build")["bust-it.md"].splitlines()
    at = page.index("| Hand | Pays | For one | Permutations | Probability | One in | Return |")
    assert page[at + 1] == "|:---|---:|---:|---:|---:|---:|---:|"
    assert page[at + 3].startswith("| Bust with 7 cards | 100:1 | 101 | 4.046099e+27 | ")
    assert page[at + 3].split(" | ")[5] == "5,656"
