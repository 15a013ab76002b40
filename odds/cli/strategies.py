"""Rounds played by a chart or a strategy file; only such plays need it."""

from pathlib import Path

from odds.cli.common import say_notes
from odds.cli.streams import progress
from odds.game.rules import Rules
from odds.game.subject import Subject
from odds.results.round import RoundResult
from odds.strategy.chart import GAIN, CellCost
from odds.strategy.search import cell_costs, search
from odds.strategy.table import Strategy, evaluate, read_strategy


def play(subject: Subject, name: str) -> tuple[RoundResult, Strategy]:
    """Return a round played by the best chart (`total`) or by the file of that name, and the strategy."""
    shoe = subject.shoe()
    if name == "total":
        with progress("Searching") as bar:
            strategy = search(subject.rules, shoe=shoe, progress=bar).strategy
    else:
        strategy = said(name, subject.rules)
    return evaluate(subject.rules, strategy, shoe=shoe), strategy


def said(name: str, rules: Rules) -> Strategy:
    """Return the strategy of a file for a game, and say what was read into it."""
    strategy = read_strategy(Path(name)).check(rules)
    say_notes(strategy)
    return strategy


def wrong_cells(subject: Subject, strategy: Strategy) -> list[CellCost]:
    """Return the cells of a strategy that another code would improve."""
    return [cost for cost in cell_costs(subject.rules, strategy, shoe=subject.shoe()) if cost.gain > GAIN]
