"""Long work tells which share of it is done, so that a bar can move."""

from collections.abc import Callable

import pytest

import odds
from odds.parallel import Progress, part
from odds.report.common import new_table, render
from odds.results.exact import closest_decisions

RESULT = odds.analyze(odds.Rules(decks=1))


def laid_out(progress: Progress) -> None:
    table = new_table("Number")
    for number in range(100):
        table.add_row(str(number))
    assert render([table], progress=progress) == render([table])


@pytest.mark.parametrize(
    "work",
    [RESULT.exact, RESULT.outcomes().exact, lambda progress: closest_decisions(RESULT, 10**5, progress), laid_out],
    ids=["fractions", "distribution", "closest decisions", "layout"],
)
def test_shares_grow(work: Callable[[Progress], object]) -> None:
    shares: list[float] = []
    work(shares.append)
    assert len(set(shares)) > 4
    assert shares == sorted(shares)
    assert 0 <= shares[0] < 0.2
    assert 0.5 < shares[-1] <= 1


def test_a_part_of_the_work() -> None:
    shares: list[float] = []
    told = part(shares.append, 0.5, 0.7)
    assert told is not None
    for share in (0, 0.5, 1):
        told(share)
    assert shares == pytest.approx([0.5, 0.6, 0.7])
    assert part(None, 0, 1) is None
