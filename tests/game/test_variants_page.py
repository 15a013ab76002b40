"""The figures of `docs/variants.md` are those of the program."""

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import groupby
from pathlib import Path

import pytest

import odds
from odds.game.catalog import load_game

PAGE = (Path(__file__).parents[2] / "docs" / "variants.md").read_text(encoding="utf-8")


def rows(head: str) -> Iterator[list[str]]:
    """The cells of the rows of the table that has this head, without backquotes."""
    table = PAGE.partition(f"{head}\n")[2].split("\n\n")[0]
    for line in table.splitlines()[1:]:
        yield [cell.strip().replace("`", "") for cell in line.strip("|").split("|")]


FIGURES = list(rows("| Game | Set otherwise | House edge | Published |"))
HANDS = list(rows("| Hand | Against | Double | Hit | Difference |"))


@pytest.mark.parametrize(("game", "set_otherwise", "edge", "published"), FIGURES)
def test_figures(game: str, set_otherwise: str, edge: str, published: str) -> None:
    rules = load_game(game).rules.replace_text(filter(None, re.split("; ", set_otherwise)))
    assert edge == f"{100 * odds.analyze(rules).house_edge:.4f} %"
    if not set_otherwise:
        rtp = load_game(game).published_rtp
        assert rtp is not None
        assert f"{100 - Decimal(rtp.rstrip('%'))} %" in published.split(", ")


def test_every_game_described_has_its_figure() -> None:
    described = [game for game, _, _ in rows("| Game | What it is | Fields that make it |")]
    assert described == sorted(described) == sorted({row[0] for row in FIGURES})


@pytest.mark.parametrize(("hand", "upcard", "double", "hit", "difference"), HANDS)
def test_disputed_hands(hand: str, upcard: str, double: str, hit: str, difference: str) -> None:
    found = odds.hand_values(hand, upcard, load_game("spanish-21").rules.replace(redoubles=2)).actions
    assert [double, hit] == [f"{found[action]:+.6f}" for action in ("double", "hit")]
    assert difference == f"{found['double'] - found['hit']:+.6f}"


def test_what_the_disputed_hands_show() -> None:
    """By total and upcard, the most cards with which all hands double; with one more all hit."""
    doubled = {}
    for (total, upcard), cell in groupby(HANDS, lambda row: (sum(map(int, row[0].split(","))), row[1])):
        cards = {gain[0] == "+": len(hand.split(",")) for hand, *_, gain in cell}
        assert cards[False] == cards[True] + 1
        doubled[total, upcard] = cards[True]
    assert doubled == {(10, "7"): 3, (10, "8"): 2, (11, "7"): 3, (11, "8"): 3}
