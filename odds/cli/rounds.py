"""The command `odds rtp`: what a round is worth."""

from odds.cli.commands import load
from odds.cli.common import choose, played_round, report, warn
from odds.cli.questions import Rtp
from odds.cli.streams import progress
from odds.engine.split_classes import refuse_full
from odds.report import exact as exactly
from odds.report import rounds


def rtp(asked: Rtp) -> None:
    """Compute a round, with fractions and the wrong cells of a strategy file if asked for."""
    shown_digits = exactly.check_digits(asked.digits)
    if asked.exact:
        refuse_full(asked.split_class, "--exact")
    if asked.by is not None:
        choose("--by", asked.by, ("first-card",))
    subject, result, strategy = played_round(asked)
    by_first_card = () if asked.by is None else result.by_first_card()
    fractions = None
    if asked.exact:
        with progress("Computing fractions") as bar:
            fractions = result.exact(bar)
    wrong = None
    if strategy is not None and asked.play != "total":
        wrong = load("strategies").wrong_cells(subject, strategy)
    warnings, bets = warn(result.shoe_can_run_out), rounds.side_bets(subject)
    for words in rounds.side_bets_warnings(bets):
        warnings += warn(True, words)
    report(
        asked.json,
        lambda: {
            **rounds.rtp_json(subject, result, bets, warnings),
            **({"by_first_card": [row.to_dict() for row in by_first_card]} if by_first_card else {}),
            **({} if wrong is None else {"wrong_cells": [cost.to_dict() for cost in wrong]}),
            **({} if fractions is None else {"exact": exactly.round_json(fractions, asked.digits)}),
        },
        lambda: (
            rounds.rtp_tables(subject, result, bets)
            + (rounds.first_card_tables(by_first_card) if by_first_card else [])
            + ([] if wrong is None else rounds.wrong_cells_tables(wrong))
            + ([] if fractions is None else exactly.round_tables(fractions, shown_digits))
        ),
    )
