"""The commands `odds outcomes` and `odds confidence`: what a round can pay, and what many of them must."""

from odds.cli.common import played_round, report, write
from odds.cli.questions import Confidence, Outcomes
from odds.cli.streams import progress
from odds.engine.split_classes import refuse_full
from odds.errors import OddsError
from odds.report import outcomes as pages
from odds.report.exact import check_digits
from odds.results.boxes import boxes_of
from odds.results.confidence import LEVELS, check_precision, check_rounds, rounds_needed
from odds.results.confidence import confidence as expected


def outcomes(asked: Outcomes) -> None:
    """Compute the distribution of a round's net result."""
    shown_digits = check_digits(asked.digits)
    refuse_full(asked.split_class, "outcomes")
    form = None if asked.out is None else pages.check_figure(asked.out)
    subject, result, _ = played_round(asked)
    found = result.outcomes()
    fractions = None
    if asked.exact:
        with progress("Computing fractions") as bar:
            fractions = found.exact(bar)
    several = None
    if asked.boxes:
        with progress("Comparing boxes") as bar:
            several = boxes_of(result, found, bar)
    if asked.out is not None and form is not None:
        write(asked.out, pages.figure(subject, found, form))
    told = pages.OutcomesAsked(subject, result, found, fractions, several)
    report(
        asked.json, lambda: pages.outcomes_json(told, asked.digits), lambda: pages.outcomes_tables(told, shown_digits)
    )


def confidence(asked: Confidence) -> None:
    """Compute where the observed RTP must lie, and how many rounds a precision takes."""
    rounds, precision = asked.rounds, asked.precision
    if rounds is None and precision is None:
        raise OddsError("expected --rounds N, --precision X, or both")
    if rounds is not None:
        check_rounds(rounds)
    if precision is not None:
        check_precision(precision)
    refuse_full(asked.split_class, "outcomes")
    subject, result, _ = played_round(asked)
    found = result.outcomes()
    interval = None if rounds is None else expected(found, rounds)
    needed = {level: rounds_needed(found, precision, level) for level in LEVELS if precision is not None}
    told = pages.ConfidenceAsked(subject, result, found, interval, precision, needed)
    report(asked.json, lambda: pages.confidence_json(told), lambda: pages.confidence_tables(told))
