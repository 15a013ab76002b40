"""Exact combinatorial odds for the blackjack family.

Rules go in as data; out come the house edge and RTP, the best play and its charts.
"""

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
