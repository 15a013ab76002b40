"""The command `odds rtp`: what a round is worth, alone or after the first cards of other boxes are seen."""

from odds.cli.commands import load
from odds.cli.common import choose, played_round, report, subject, warn
from odds.cli.questions import Rtp
from odds.cli.streams import progress
from odds.engine.split_classes import refuse_full
from odds.parallel import cores
from odds.report import boxes, rounds
from odds.report import exact as exactly
from odds.results.last_box import last_box


def rtp(asked: Rtp) -> None:
    """Compute a round, with fractions and the wrong cells of a strategy file if asked for."""
    if asked.sees_others:
        _seeing(asked)
        return
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
    warnings, bets = warn(result.shoe_can_run_out), rounds.side_bets(subject, result)
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


def _seeing(asked: Rtp) -> None:
    """Compute the last of several boxes, which has seen the cards of the others."""
    about = subject(asked)
    with progress("Computing") as bar:
        found = last_box(
            about.rules,
            asked.boxes or 1,
            shoe=about.shoe(),
            split_class=asked.split_class,
            progress=bar,
            threads=cores(),
        )
    bets, warnings = rounds.side_bets(about), warn(found.shoe_can_run_out)
    for words in rounds.side_bets_warnings(bets):
        warnings += warn(True, words)
    report(
        asked.json,
        lambda: boxes.last_box_json(about, found, bets, warnings),
        lambda: boxes.last_box_tables(about, found),
    )
