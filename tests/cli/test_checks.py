"""Options without effect, empty ones and those given twice are refused before any work."""

import pytest
from typer.testing import CliRunner

from odds.cli import questions
from odds.cli.checks import NEEDS
from odds.cli.commands import COMMANDS
from odds.cli.main import app

GAME = "classic-blackjack"


def run(command: str) -> str:
    """Return what a command that is refused says."""
    result = CliRunner().invoke(app, [word.replace("'", "") for word in command.split()])
    assert result.exit_code == 2, result.stdout
    (line,) = result.stderr.splitlines()
    return line.removeprefix("error: ")


@pytest.fixture(autouse=True)
def no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("rounds.rtp", "hands.hand", "hands.dealer", "outcomes.outcomes", "simulation.simulate", "games.show"):
        monkeypatch.setattr(f"odds.cli.{name}", lambda _: pytest.fail("worked"))


@pytest.mark.parametrize(
    ("command", "option", "words"),
    [
        (f"rtp {GAME} --digits 9", "--digits", "--exact"),
        (f"hand {GAME} 8,8 T --digits 9", "--digits", "--exact"),
        (f"dealer {GAME} --digits 9", "--digits", "--exact"),
        (f"outcomes {GAME} --digits 9", "--digits", "--exact"),
        (f"rtp {GAME} --play total --split-class cdz", "--split-class", "--play composition"),
        (f"rtp {GAME} --play mine.csv --split-class cdp1", "--split-class", "--play composition"),
        (f"outcomes {GAME} --play total --split-class cdz", "--split-class", "--play composition"),
        (f"simulate {GAME} --play total --split-class cdz", "--split-class", "--play composition"),
        (f"confidence {GAME} --rounds 9 --play total --split-class cdz", "--split-class", "--play composition"),
        (f"rtp {GAME} --boxes 2", "--boxes", "--sees-others"),
        (f"rtp {GAME} --sees-others", "--sees-others", "--boxes N"),
        (f"rtp {GAME} --boxes 2 --sees-others --exact", "--exact", "no --sees-others"),
        (f"rtp {GAME} --boxes 2 --sees-others --by first-card", "--by", "no --sees-others"),
        (f"rtp {GAME} --boxes 2 --sees-others --play total", "--play", "no --sees-others"),
        (f"show {GAME} --split-class cdz", "--split-class", "--close N"),
        (f"deviations {GAME} --cells 5 --json", "--cells", "no --json"),
        (f"chart {GAME} --kind composition --evs", "--evs", "--kind total"),
        ("sidebet --decks 8", "--decks", "a BET"),
        ("sidebet --paytable all", "--paytable", "a BET"),
        ("sidebet --exact", "--exact", "a BET"),
        ("sidebet 21+3 --decks 8 --set decks=6", "--decks", "no --set decks=N"),
        ("sidebet 21+3 --set surrender=late", "--set", "as side bets look at no other rule"),
        ("sidebet 21+3 --solve Flush", "--solve", "--target-rtp X"),
        ("sidebet 21+3 --target-rtp 0.9", "--target-rtp", "--solve LINE"),
        ("sidebet 21+3 --symbolic --remove Qh", "--symbolic", "no --remove"),
        (f"tables build --par {GAME} --out x --jobs 1", "--jobs", "no --par"),
        (f"tables build --par {GAME} --out x --dir y", "--dir", "no --par"),
        (f"tables build --par {GAME} --out x --only rules", "--only", "no --par"),
        (f"tables build --par {GAME}", "--par", "--out DIR"),
        ("tables build --out x", "--out", "--par GAME"),
        (f"rtp {GAME} --remove ''", "--remove", "got an empty text"),
        (f"rtp {GAME} --set ''", "--set", "got an empty text"),
        ("sidebet 21+3 --paytable ''", "--paytable", "got an empty text"),
        (f"rtp {GAME} --play total --play composition", "--play", "given twice"),
        (f"rtp {GAME} --exact --digits=9 --digits 8", "--digits", "given twice"),
        (f"rtp {GAME} --set=''", "--set", "got an empty text"),
        ("tables build --only rules --dir ''", "--dir", "got an empty text"),
        (f"fill x.txt {GAME} --out ''", "--out", "got an empty text"),
        ("sidebet 21+3 --decks 6 --decks 6", "--decks 6", "given twice"),
        ("sidebet 21+3 --paytable all --paytable all", "--paytable all", "given twice"),
        (f"rtp {GAME} --set decks=6 --set decks=6", "--set decks=6", "given twice"),
        (f"simulate {GAME} --side-bet 21+3 --side-bet 21+3", "--side-bet 21+3", "given twice"),
        ("tables check --only rules --only rules", "--only rules", "given twice"),
        (f"rtp {GAME} --left 4xA,4x5 --set decks=6", "--left", "no --set decks=N"),
        ("sidebet over-13 --left 4xA,4x5 --set decks=6", "--left", "no --set decks=N"),
        (f"chart {GAME} --dpi 1e6 --out x.png", "--dpi", "36 to 600"),
        (f"chart {GAME} --evs --json", "--evs", "one of these formats, got json"),
        (f"chart {GAME} --against {GAME}", f"--against {GAME}", "the rules of the game already"),
        (f"chart {GAME} --play mine.csv --against mine.csv", "--against mine.csv", "another chart"),
        (f"chart {GAME} --play nope", "--play", "expected total or a strategy file"),
    ],
)
def test_refused(command: str, option: str, words: str) -> None:
    said = run(command)
    assert said.startswith((f"{option}: ", f"{option} is for "))
    assert words in said


def test_every_need_is_of_fields_that_are_there() -> None:
    asked = {command.question for command in COMMANDS}
    for need in NEEDS:
        for name in need.questions.split():
            assert name in asked
            assert set(need.fields.split()) <= set(getattr(questions, name)._fields)


def test_a_list_of_side_bets_has_no_options() -> None:
    needs = [need.fields.split() for need in NEEDS if need.words == "expected a BET with it"]
    assert {*needs[0], "bet", "json"} == set(questions.Sidebet._fields)


@pytest.mark.parametrize(
    "command", [f"show {GAME} --json --json", "sidebet --json", "sidebet 21+3 --decks 6 --decks 8"]
)
def test_what_has_an_effect_is_allowed(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert CliRunner().invoke(app, command.split()).exit_code == 0
