"""What is worked out of distinct sets of rules, some at a time, here or elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from odds.strategy.table import Strategy
    from odds.sweep.charts import ChartCell
    from odds.sweep.distinct import Distinct


class Asked(NamedTuple):
    """What is asked of every set of rules; the same for all of a grid.

    Attributes:
        play: `composition`, `total`, or the name of a strategy.
        split_class: how hands of a split are played.
        strategy: the strategy that is followed, where `play` names one.
        columns: further columns of rows.
        charts: the best chart of each set too.
        side_bets: names of side bets whose RTP each row has.
    """

    play: str = "composition"
    split_class: str = "cdp1"
    strategy: Strategy | None = None
    columns: frozenset[str] = frozenset()
    charts: bool = False
    side_bets: tuple[str, ...] = ()


class Solved(NamedTuple):
    """A distinct set of rules, solved; plain, as journals and other processes take it.

    Attributes:
        id: of the set.
        figures: by their names, at what a blackjack pays in the set: `ev`, `average_wager`, `p_paid_blackjack`, ...
        chart: the cells of the best chart, where it is asked for.
    """

    id: str
    figures: dict[str, float | None]
    chart: tuple[ChartCell, ...] | None = None


def solve(item: tuple[Asked, tuple[Distinct, ...]]) -> list[Solved]:
    """Return some sets solved, in their order; where dealer passes can be shared between them, they are.

    Args:
        item: what is asked, and the sets.

    Raises:
        OddsError: a set cannot be solved; the message names it.
    """
    raise NotImplementedError
