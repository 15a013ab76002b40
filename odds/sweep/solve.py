"""What is worked out of distinct sets of rules, some at a time, here or elsewhere."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, NamedTuple

from odds.engine.passes import Passes
from odds.errors import OddsError
from odds.results.round import analyze
from odds.sidebets.paytable import load_side_bet
from odds.strategy.search import BestChart, cell_costs, search
from odds.strategy.table import evaluate
from odds.sweep.charts import LINEAR, chart_cells, figures_of
from odds.sweep.distinct import NOT_TAKEN

if TYPE_CHECKING:
    from odds.results.round import RoundResult
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

    @property
    def keeps(self) -> frozenset[str]:
        """The fields that something which is asked for depends on beside the EV of a round; see `distinct_of`."""
        on_rounds = any(load_side_bet(name).paytable().plays_round for name in self.side_bets)
        pays = {"blackjack_pays"} if on_rounds or not self.columns <= LINEAR else set()
        return frozenset(pays | ({*NOT_TAKEN} if "insurance_ev" in self.columns else set()))


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
        OddsError: a set cannot be solved; the message begins with its id.
    """
    asked, sets = item
    passes, known, found = Passes(), dict[Hashable, float | None](), []
    for one in sets:
        try:
            result, best = round_of_set(asked, one, passes)
            figures = figures_of(result, asked.columns, asked.side_bets, known)
        except OddsError as error:
            raise type(error)(f"{one.id}: {error}") from None
        found.append(Solved(one.id, figures, chart_cells(best) if asked.charts and best is not None else None))
    return found


def round_of_set(asked: Asked, one: Distinct, passes: Passes | None = None) -> tuple[RoundResult, BestChart | None]:
    """Return the round of a set, played as asked for, and the best chart or that of the strategy, where it is needed.

    Args:
        asked: what is asked.
        one: the set.
        passes: the dealer's passes so far of sets that share them.
    """
    rules, shoe, best = one.rules, one.shoe, None
    if asked.charts and asked.strategy is not None:
        costs = cell_costs(rules, asked.strategy, shoe=shoe)
        best = BestChart(asked.strategy.check(rules), {(cost.section, cost.row, cost.column): cost for cost in costs})
    elif asked.charts or (asked.play != "composition" and asked.strategy is None):
        best = search(rules, shoe=shoe, passes=passes)
    if asked.play == "composition":
        return analyze(rules, shoe=shoe, split_class=asked.split_class, passes=passes), best
    strategy = asked.strategy
    if strategy is None:
        assert best is not None
        strategy = best.strategy
    return evaluate(rules, strategy, shoe=shoe, passes=passes), best
