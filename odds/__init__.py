"""Exact combinatorial odds for the blackjack family.

Rules go in as data; out come the house edge and RTP, the best play and its charts.
"""

from odds.catalog import Game, games, load_game
from odds.dealer import DealerDistribution, dealer_distribution
from odds.decisions import HandResult, hand_values
from odds.errors import CatalogError, HandError, OddsError, RulesError, ShoeError
from odds.round import RoundResult, analyze
from odds.rules import Rules
from odds.shoe import Shoe

__version__ = "0.1.0"

__all__ = [
    "CatalogError",
    "DealerDistribution",
    "Game",
    "HandError",
    "HandResult",
    "OddsError",
    "RoundResult",
    "Rules",
    "RulesError",
    "Shoe",
    "ShoeError",
    "__version__",
    "analyze",
    "dealer_distribution",
    "games",
    "hand_values",
    "load_game",
]
