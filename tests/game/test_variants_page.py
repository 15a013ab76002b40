"""The figures of `docs/variants.md` are those of the program."""

import re
from collections.abc import Iterator
from decimal import Decimal
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
