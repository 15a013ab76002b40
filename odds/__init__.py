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
    from odds.results.dealer import DealerDistribution, dealer_distribution
    from odds.results.hand import HandResult, hand_values
    from odds.results.round import RoundResult, analyze
    from odds.sidebets import SideBet, SideBetResult, SuitedShoe, load_side_bet, side_bets, sidebet
    from odds.strategy.search import basic_strategy
    from odds.strategy.table import Strategy, evaluate, read_strategy

__version__ = "0.1.0"

__all__ = [
    "CatalogError",
    "DealerDistribution",
    "Game",
    "HandError",
    "HandResult",
    "KernelError",
    "OddsError",
    "PaytableError",
    "RoundResult",
    "Rules",
    "RulesError",
    "Shoe",
    "ShoeError",
    "SideBet",
    "SideBetResult",
    "Strategy",
    "StrategyError",
    "SuitedShoe",
    "__version__",
    "analyze",
    "basic_strategy",
    "dealer_distribution",
    "evaluate",
    "games",
    "hand_values",
    "load_game",
    "load_side_bet",
    "read_strategy",
    "side_bets",
    "sidebet",
]

_MODULES = {
    "game.catalog": "Game games load_game",
    "results.dealer": "DealerDistribution dealer_distribution",
    "results.hand": "HandResult hand_values",
    "errors": "CatalogError HandError KernelError OddsError PaytableError RulesError ShoeError StrategyError",
    "results.round": "RoundResult analyze",
    "game.rules": "Rules",
    "strategy.search": "basic_strategy",
    "game.shoe": "Shoe",
    "sidebets": "SideBet SideBetResult SuitedShoe load_side_bet side_bets sidebet",
    "strategy.table": "Strategy evaluate read_strategy",
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
