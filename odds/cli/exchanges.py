"""The command `odds exchanges`: which cards of two hands to exchange."""

from odds.cli.common import report, subject, warn
from odds.cli.questions import Exchanges
from odds.cli.streams import progress
from odds.engine.split_classes import check_split_class
from odds.errors import RulesError
from odds.parallel import cores
from odds.report import exchanges as tables
from odds.results.round import analyze
from odds.strategy.exchange_table import exchange_table


def exchanges(asked: Exchanges) -> None:
    """Say which cards to exchange: points of hands, and the exchanges that gain most."""
    check_split_class(asked.split_class)
    about = subject(asked)
    if not about.rules.switch:
        raise RulesError("exchanges: expected a game with switch=true, in which cards are exchanged")
    with progress("Computing") as bar:
        result = analyze(about.rules, shoe=about.shoe(), split_class=asked.split_class, progress=bar, threads=cores())
    table = exchange_table(result, asked.columns, asked.points)
    warnings = warn(result.shoe_can_run_out)
    report(
        asked.json,
        lambda: tables.exchanges_json(about, table, warnings),
        lambda: tables.exchanges_tables(about, table, asked.rows),
    )
