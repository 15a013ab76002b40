"""Reports of a grid: extremes and effects against their definitions, pictures and the page as a reader has them."""

from __future__ import annotations

import json
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import chromium
import pytest

from odds import OddsError, analyze, load_game
from odds.report.common import render
from odds.report.sweep import grid_means, report_dict, tables
from odds.report.sweep_page import explorer_page
from odds.report.sweep_pictures import picture
from odds.sweep.effects import effects, extremes
from odds.sweep.run import Sweep, sweep

VARY: dict[str, object] = {
    "decks": [2, 1],
    "max_hands": [1, 2],
    "hit_split_aces": [False, True],
    "blackjack_pays": ["3/2", "6/5"],
}


@cache
def grid() -> Sweep:
    return sweep("classic-blackjack", VARY, charts=True)


def ev(**changes: Any) -> float:
    return analyze(load_game("classic-blackjack").rules.replace(**changes)).ev


def test_effects_are_differences_of_evs() -> None:
    found = {(one.field, one.after): one for one in effects(grid().rows, grid().fields)}
    # Splitting, over every deck, payment and whether split aces are hit.
    expected = [
        ev(decks=decks, blackjack_pays=pays, max_hands=2, hit_split_aces=hit)
        - ev(decks=decks, blackjack_pays=pays, max_hands=1)
        for decks, pays, hit in product((1, 2), ("3/2", "6/5"), (False, True))
    ]
    split = found["max_hands", 2]
    assert (split.mean, split.least, split.most) == pytest.approx(
        (sum(expected) / len(expected), min(expected), max(expected)), abs=1e-14
    )
    assert (split.pairs, split.without) == (8, 0)
    # Without splitting nothing can be hit after it.
    assert (found["hit_split_aces", True].pairs, found["hit_split_aces", True].without) == (4, 4)
    # Decks are compared upwards, whatever the order of the grid.
    decks = found["decks", 2]
    assert decks.before == 1
    assert decks.most is not None
    assert decks.most < 0


def test_extremes() -> None:
    low, high = extremes(grid().rows, 2)
    evs = sorted({row["ev"] for row in grid().rows})
    assert [one.row["ev"] for one in low] == evs[:2]
    assert [one.row["ev"] for one in high] == evs[:-3:-1]
    # The worst has one hand, to which it is all the same whether split aces are hit.
    assert (low[0].row["max_hands"], low[0].alike) == (1, 2)
    json.dumps(report_dict(grid()))


def test_means_by_two_fields() -> None:
    values, down, across = grid_means(grid().rows, "decks", "blackjack_pays")
    assert (down, across) == ([1, 2], ["3/2", "6/5"])
    rows = [row["house_edge"] for row in grid().rows if (row["decks"], row["blackjack_pays"]) == (2, "6/5")]
    assert values[2, "6/5"] == pytest.approx(100 * sum(rows) / len(rows), abs=1e-13)


@pytest.mark.parametrize("width", [60, 80])
def test_tables_fit(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    text = render(tables(grid(), heat=("decks", "blackjack_pays"), over="max_hands"))
    assert max(map(len, text.splitlines())) <= width
    assert "Effect of each rule" in text
    assert "decks \\ blackjack pays" in text


def test_what_does_not_vary_is_refused() -> None:
    with pytest.raises(OddsError, match="--heat: expected a field that varies in the grid, got 'surrender'"):
        picture(grid(), "svg", heat=("decks", "surrender"))


@pytest.mark.parametrize("form", ["svg", "png", "pdf", "html"])
def test_pictures(form: str) -> None:
    for asked in ({"heat": ("decks", "max_hands")}, {"over": "max_hands"}):
        drawn = picture(grid(), form, **asked)  # type: ignore[arg-type]
        assert drawn == picture(grid(), form, **asked)  # type: ignore[arg-type]
        start = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF", "html": b"<!doctype html>"}[form]
        assert drawn.startswith(start)
        if form in ("svg", "html"):
            assert b"Mean house edge by decks and max hands" in drawn


@pytest.mark.skipif(chromium.find() is None, reason="no chromium")
def test_the_page_filters_sorts_and_opens(tmp_path: Path) -> None:
    path = tmp_path / "grid.html"
    path.write_text(explorer_page(grid()), encoding="utf-8")
    program = chromium.find()
    assert program is not None
    with chromium.browser(program, tmp_path) as page:
        page.open(path)
        count = "document.getElementById('status').textContent"
        assert page.value(count) == "16 of 16 rule sets"
        page.value("document.querySelector('#filters input').click()")
        assert page.value(count) == "8 of 16 rule sets"
        edges = "[...document.querySelectorAll('#rows td:nth-child(5)')].map(cell => parseFloat(cell.textContent))"
        page.value("document.querySelectorAll('#head button')[4].click()")
        ascending = page.value(edges)
        assert ascending == sorted(ascending)
        assert page.value("document.querySelectorAll('#head th')[4].getAttribute('aria-sort')") == "ascending"
        page.value("document.querySelectorAll('#head button')[4].click()")
        assert page.value(edges) == ascending[::-1]
        page.value("document.querySelector('#rows button').click()")
        shown = page.value("document.getElementById('one').textContent")
        assert "House edge" in shown
        assert "soft 18" in shown
        for width in (360, 1400):
            page.resize(width, 800)
            assert page.value("document.documentElement.scrollWidth <= innerWidth")
        assert not page.problems
        assert not [request for request in page.requests if not request.startswith(("file:", "data:"))]
