"""Exact combinatorial odds for the blackjack family.

Rules go in as data; out come the house edge and RTP, the best play and its charts. A name of the library is imported
when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from odds.catalog import Game, games, load_game
    from odds.dealer import DealerDistribution, dealer_distribution
    from odds.decisions import HandResult, hand_values
    from odds.errors import CatalogError, HandError, OddsError, PaytableError, RulesError, ShoeError, StrategyError
    from odds.round import RoundResult, analyze
    from odds.rules import Rules
    from odds.search import basic_strategy
    from odds.shoe import Shoe
    from odds.sidebets import SideBet, SideBetResult, SuitedShoe, load_side_bet, side_bets, sidebet
    from odds.strategy import Strategy, evaluate, read_strategy

__version__ = "0.1.0"

__all__ = [
    "CatalogError",
    "DealerDistribution",
    "Game",
    "HandError",
    "HandResult",
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
    "catalog": ("Game", "games", "load_game"),
    "dealer": ("DealerDistribution", "dealer_distribution"),
    "decisions": ("HandResult", "hand_values"),
    "errors": (
        "CatalogError",
        "HandError",
        "OddsError",
        "PaytableError",
        "RulesError",
        "ShoeError",
        "StrategyError",
    ),
    "round": ("RoundResult", "analyze"),
    "rules": ("Rules",),
    "search": ("basic_strategy",),
    "shoe": ("Shoe",),
    "sidebets": ("SideBet", "SideBetResult", "SuitedShoe", "load_side_bet", "side_bets", "sidebet"),
    "strategy": ("Strategy", "evaluate", "read_strategy"),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}


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
