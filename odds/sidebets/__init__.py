"""Side bets: paytables as data, counted exactly for any shoe, or as a formula in the number of decks."""

from odds.sidebets.meter import Meter, MeterReturn
from odds.sidebets.paytable import Line, Paytable, SideBet, load_side_bet, side_bets
from odds.sidebets.results import LineResult, SideBetResult
from odds.sidebets.shoe import SuitedShoe
from odds.sidebets.solve import Solution, solve
from odds.sidebets.symbolic import SideBetFormula, symbolic

__all__ = [
    "Line",
    "LineResult",
    "Meter",
    "MeterReturn",
    "Paytable",
    "SideBet",
    "SideBetFormula",
    "SideBetResult",
    "Solution",
    "SuitedShoe",
    "load_side_bet",
    "side_bets",
    "solve",
    "symbolic",
]
