"""`--remove` with counts and `--left`: the same shoe, said in two ways, wherever a shoe matters."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from odds.cli.main import app

REMOVED = "4x4,5"
LEFT = "4xA,4x2,4x3,0x4,3x5,4x6,4x7,4x8,4x9,16xT"
SINGLE = ("single-deck", "--set", "max_hands=2")
ASKED = [
    ("rtp", *SINGLE, "--exact"),
    ("hand", *SINGLE, "8,8", "T"),
    ("dealer", *SINGLE),
    ("chart", *SINGLE),
    ("deviations", *SINGLE),
    ("outcomes", *SINGLE),
    ("confidence", *SINGLE, "--rounds", "1e6"),
    ("simulate", *SINGLE, "--rounds", "1000", "--seed", "1", "--side-bet", "over-13"),
    ("reconcile", *SINGLE, "--published", "99%"),
    ("sidebet", "over-13", "--game", "single-deck"),
]


def run(*args: str, columns: int = 80) -> Result:
    return CliRunner().invoke(app, list(args), env={"COLUMNS": str(columns)})


def run_json(*args: str) -> dict[str, Any]:
    result = run(*args, "--json")
    assert result.exit_code == 0, result.stderr
    data = json.loads(result.stdout)
    assert isinstance(data, dict)
    return data


@pytest.mark.parametrize("args", ASKED, ids=lambda args: args[0])
def test_what_is_removed_and_what_is_left_say_the_same(args: tuple[str, ...]) -> None:
    removed = run_json(*args, "--remove", REMOVED)
    left = run_json(*args, "--left", LEFT)
    full = run_json(*args)
    assert removed.pop("removed", "4x4,5") == "4x4,5"
    assert left.pop("left") == LEFT.replace("0x4,", "")
    for data in (removed, left, full):
        for key in ("removed", "rules_hash", "published"):
            data.pop(key, None)
        for table in data.get("tables", []):
            table.pop("decks")
    assert removed == left != full


def test_the_shoe_is_said_in_short() -> None:
    assert (
        "Removed  4x4,5 from the shoe\n" in run("dealer", "single-deck", "--remove", "4,4", "--remove", "4,5,4").stdout
    )
    text = run("dealer", "single-deck", "--left", LEFT).stdout
    assert f"Shoe   47 cards: {LEFT.replace('0x4,', '')}\n" in text
    bet = run("sidebet", "over-13", "--left", LEFT).stdout
    assert "47 cards: 4xA" in bet
    assert "8 decks" not in bet
    chart = run("chart", "single-deck", "--left", LEFT, "--format", "md").stdout
    assert "- Shoe: 47 cards: 4xA,4x2" in chart


@pytest.mark.parametrize("columns", [60, 80])
def test_a_long_list_of_cards_breaks_between_cards(columns: int) -> None:
    cards = ",".join(f"{number}x{card}" for number, card in zip(range(20, 33), "A23456789TJQK", strict=True))
    lines = run("dealer", "single-deck", "--left", cards, columns=columns).stdout.splitlines()
    start = next(place for place, line in enumerate(lines) if line.startswith("Shoe"))
    words = " ".join(lines[start : start + 4]).split("Given")[0].split("cards: ")[1].split()
    assert words == [f"{card}," for card in cards.split(",")[:-1]] + [cards.split(",")[-1]]
    assert max(map(len, lines[: start + 4])) <= columns


def test_side_bets_ask_for_no_more_than_they_see() -> None:
    by_rank = run_json("sidebet", "any-pair", "--paytable", "15", "--remove", "T,5", "--decks", "1")
    suited = run_json("sidebet", "any-pair", "--paytable", "15", "--remove", "Th,5s", "--decks", "1")
    assert by_rank["tables"] == suited["tables"]
    bets = run_json("rtp", "classic-blackjack", "--remove", "Th,5d")["side_bets"]
    assert all(bet["rtp"] for bet in bets)
    asked = run_json("sidebet", bets[0]["name"], "--decks", "8", "--remove", "Th,5d")["tables"][0]["rtp"]
    assert bets[0]["rtp"] == asked


def test_a_deck_without_some_ranks(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(
        'name = "own"\ntitle = "Own"\nsource = "a leaflet"\n[states]\ndecks = 1\nmax_hands = 2\nremoved_ranks = "9"\n',
        encoding="utf-8",
    )
    nines_gone = ("--set", "decks=1", "--set", "max_hands=2", "--remove", "4x9")
    own, by_hand = run_json("rtp", str(path)), run_json("rtp", "eight-deck-s17", *nines_gone)
    assert (own["ev"], own["by_upcard"]) == (by_hand["ev"], by_hand["by_upcard"])
    assert "no nines in the deck" in run("show", str(path)).stdout
    assert "no nines in the deck" in run("rtp", str(path)).stdout
    chart = run("chart", str(path)).stdout
    assert "- cannot be dealt" in " ".join(chart.split())
    assert "         2  3  4  5  6  7  8  T  A\n" in chart
    assert "cannot be dealt" not in run("chart", "single-deck").stdout
    for command in ("rtp", "sidebet over-13 --game"):
        result = run(*command.split(), str(path), "--left", "4xA,4x8,9,9xT")
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == "error: expected cards of the deck, in which there are no nines, got 9\n"
    spanish = run("rtp", str(path), "--set", "removed_ranks=10", "--left", "4xA,4x8,9,9xT")
    assert "--left: expected no --set decks=N or removed_ranks=... with it" in spanish.stderr


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (
            ["rtp", "single-deck", "--set", "removed_ranks=5", "--remove", "5"],
            "cannot take 1 five out of a shoe with none",
        ),
        (["hand", "single-deck", "--set", "removed_ranks=5", "5,6", "T"], "cannot take 1 five out of a shoe with none"),
        (["dealer", "single-deck", "--set", "removed_ranks=5", "5"], "cannot take 1 five out of a shoe with none"),
        (["rtp", "single-deck", "--remove", "4", "--left", "4xA"], "--left: expected no --remove with it"),
        (["rtp", "single-deck", "--remove", ""], "--remove: expected a value, got an empty text"),
        (["rtp", "single-deck", "--left", "0xA"], "--left: expected cards"),
        (["dealer", "single-deck", "--remove", "5x4"], "cannot take 5 fours out of a shoe with 4"),
        (["dealer", "single-deck", "--remove", "99999999xA"], "expected at most 10,000,000 cards"),
        (["dealer", "single-deck", "--left", "9000000xA"], "expected at most 100,000 decks"),
        (["dealer", "single-deck", "--remove", "4x"], "cannot read 'x' at position 2 of '4x'"),
        (["reconcile", "single-deck", "--remove", "5x4"], "cannot take 5 fours out of a shoe with 4"),
        (
            ["sidebet", "21+3", "--remove", "T,5"],
            "expected a suit with each card, such as Th, as the bet sees it; got T",
        ),
        (
            ["sidebet", "any-pair", "--paytable", "15", "--left", "9xA,9xT"],
            "expected tens, jacks, queens and kings apart",
        ),
        (["sidebet", "over-13", "--decks", "2", "--left", "9xA"], "--left: expected no --decks with it"),
        (["sidebet", "over-13", "--symbolic", "--left", "9xA"], "--symbolic: expected no --remove or --left"),
        (["sidebet", "over-13", "--decks", "1", "--remove", "17xT"], "cannot take 17 T out of a shoe with"),
    ],
)
def test_what_cannot_be(args: list[str], words: str) -> None:
    result = run(*args)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert words in result.stderr
