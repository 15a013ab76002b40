"""Exact combinatorial odds for the blackjack family.

Rules go in as data; out come the house edge and RTP, the best play and its charts. A name of the library is imported
when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from odds.errors import (
        CatalogError,
        HandError,
        KernelError,
        OddsError,
        PaytableError,
        RulesError,
        ShoeError,
        StrategyError,
    )
    from odds.game.catalog import Game, games, load_game
    from odds.game.rules import Rules
    from odds.game.shoe import Shoe
    from odds.published.reconcile import Reconciliation, reconcile
    from odds.referee.simulate import SimulationResult, simulate
    from odds.report.pictures import Picture, picture
    from odds.results.boxes import Boxes, boxes
    from odds.results.confidence import Confidence, confidence
    from odds.results.deal import DealResult, deal_values
    from odds.results.dealer import DealerDistribution, dealer_distribution
    from odds.results.hand import HandResult, hand_values
    from odds.results.last_box import LastBox, last_box
    from odds.results.outcomes import Outcomes
    from odds.results.round import RoundResult, SwitchResult, analyze, outcomes
    from odds.results.side_bets import sidebet
    from odds.sidebets import SideBet, SideBetResult, SuitedShoe, load_side_bet, side_bets
    from odds.strategy.chart import Chart
    from odds.strategy.deviations import Deviations, deviations
    from odds.strategy.exchange_table import ExchangeTable, exchange_table
    from odds.strategy.search import basic_strategy, chart
    from odds.strategy.table import Strategy, evaluate, read_strategy
    from odds.sweep.run import Sweep, sweep

__version__ = "0.1.0"

__all__ = [
    "Boxes",
    "CatalogError",
    "Chart",
    "Confidence",
    "DealResult",
    "DealerDistribution",
    "Deviations",
    "ExchangeTable",
    "Game",
    "HandError",
    "HandResult",
    "KernelError",
    "LastBox",
    "OddsError",
    "Outcomes",
    "PaytableError",
    "Picture",
    "Reconciliation",
    "RoundResult",
    "Rules",
    "RulesError",
    "Shoe",
    "ShoeError",
    "SideBet",
    "SideBetResult",
    "SimulationResult",
    "Strategy",
    "StrategyError",
    "SuitedShoe",
    "Sweep",
    "SwitchResult",
    "__version__",
    "analyze",
    "basic_strategy",
    "boxes",
    "chart",
    "confidence",
    "deal_values",
    "dealer_distribution",
    "deviations",
    "evaluate",
    "exchange_table",
    "games",
    "hand_values",
    "last_box",
    "load_game",
    "load_side_bet",
    "outcomes",
    "picture",
    "read_strategy",
    "reconcile",
    "side_bets",
    "sidebet",
    "simulate",
    "sweep",
]

_MODULES = {
    "errors": "CatalogError HandError KernelError OddsError PaytableError RulesError ShoeError StrategyError",
    "game.catalog": "Game games load_game",
    "game.rules": "Rules",
    "game.shoe": "Shoe",
    "published.reconcile": "Reconciliation reconcile",
    "referee.simulate": "SimulationResult simulate",
    "report.pictures": "Picture picture",
    "results.boxes": "Boxes boxes",
    "results.confidence": "Confidence confidence",
    "results.deal": "DealResult deal_values",
    "results.dealer": "DealerDistribution dealer_distribution",
    "results.hand": "HandResult hand_values",
    "results.last_box": "LastBox last_box",
    "results.outcomes": "Outcomes",
    "results.side_bets": "sidebet",
    "results.round": "RoundResult SwitchResult analyze outcomes",
    "sidebets": "SideBet SideBetResult SuitedShoe load_side_bet side_bets",
    "strategy.chart": "Chart",
    "strategy.deviations": "Deviations deviations",
    "strategy.exchange_table": "ExchangeTable exchange_table",
    "strategy.search": "basic_strategy chart",
    "strategy.table": "Strategy evaluate read_strategy",
    "sweep.run": "Sweep sweep",
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    """Import a name of the library."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the names of the module, those of the library that are not imported yet too."""
    return sorted({*globals(), *__all__})
