"""The tables, JSON and figure of `odds outcomes`, and the tables and JSON of `odds confidence`."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from odds.errors import OddsError
from odds.extras import optional_module
from odds.game.subject import Subject
from odds.numbers.decimals import one_in, plus
from odds.report.common import POINTS, header, listed, method, new_table, percent, signed, titled
from odds.report.exact import decimal, exact_json
from odds.results.confidence import FEWEST_NORMAL, MOST_EXACT_ROUNDS
from odds.results.deals import raise_facts

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from rich.console import RenderableType

    from odds.results.boxes import Boxes
    from odds.results.confidence import Confidence
    from odds.results.outcomes import ExactOutcomes, Outcomes
    from odds.results.round import RoundResult

UNIT = "the initial wager; insurance, even money and side bets are not taken"
FIGURE_FORMATS = ("png", "svg", "pdf")
_BAR_WIDTH = 30


class OutcomesAsked(NamedTuple):
    """The outcomes of a round that are asked for: as fractions, and of several boxes, where that is too."""

    subject: Subject
    result: RoundResult
    outcomes: Outcomes
    exact: ExactOutcomes | None
    boxes: Boxes | None


def outcomes_json(asked: OutcomesAsked, digits: int | None) -> dict[str, Any]:
    """Return the outcomes of a round as JSON takes them."""
    subject, result, outcomes, exact, boxes = asked
    body = {**subject.head(), "play": result.play, "split_class": result.split_class, **outcomes.to_dict()}
    if exact is not None:
        body["fractions"] = exact_json(exact, {"mean": exact.mean, "variance": exact.variance}, digits)
    if boxes is not None:
        body["boxes"] = boxes.to_dict()
    return {**body, "removed": subject.removed, "warnings": [missing(outcomes)] if missing(outcomes) else []}


def _played(subject: Subject, result: RoundResult) -> list[tuple[str, str]]:
    return [*method(subject.rules, result.play, result.split_class), *raise_facts(result.raised)]


def outcomes_tables(asked: OutcomesAsked, digits: int) -> list[RenderableType]:
    """Return the outcomes of a round as tables, with a histogram."""
    subject, result, outcomes, exact, boxes = asked
    facts = [*([] if boxes is None else _boxes(boxes)), *_played(subject, result), ("Unit", UNIT)]
    parts: list[RenderableType] = [header(subject, facts), *_distribution(outcomes), *_moments(outcomes)]
    return parts + ([] if exact is None else _exactly(exact, digits))


def missing(outcomes: Outcomes) -> str:
    """Return what is not known of a round, why, and where to look; empty where everything is."""
    if outcomes.distribution is not None:
        return ""
    return (
        f"the distribution, skewness, hit and push frequency are not given: {outcomes.reason}; odds simulate counts "
        "the net results of rounds that are played"
    )


def _distribution(outcomes: Outcomes) -> list[RenderableType]:
    from rich.text import Text

    title = "Net result of a round"
    if outcomes.distribution is None:
        return titled(title, Text(f"T{missing(outcomes)[1:]}."))
    most = max(outcomes.distribution.values())
    bar = _bar_character()
    rows = (
        (plus(net), f"{p:.9f}", one_in(p), bar * round(_BAR_WIDTH * p / most))
        for net, p in outcomes.distribution.items()
    )
    note = "Exact up to the rounding of doubles; dealer blackjacks are in it."
    return listed(title, ("Net", "Probability", "One in", ""), rows, note, left=(3,))


def _bar_character() -> str:
    """Return what bars are drawn with: a block where the output has one."""
    try:
        "\u2588".encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (LookupError, UnicodeEncodeError):
        return "#"
    return "\u2588"


def _moments(outcomes: Outcomes) -> list[RenderableType]:
    rows = [
        ("Mean (EV)", signed(outcomes.mean, 10)),
        ("Variance", f"{outcomes.variance:.10f}"),
        ("Standard deviation", f"{outcomes.standard_deviation:.10f}"),
        *([] if outcomes.skewness is None else [("Skewness", signed(outcomes.skewness, 8))]),
    ]
    shares = (
        ("Hit frequency (net above 0)", outcomes.hit_frequency),
        ("Push frequency (net 0)", outcomes.push_frequency),
        ("Rounds with a split", outcomes.p_split),
        ("Rounds with a double", outcomes.p_double),
        ("Rounds surrendered", outcomes.p_surrender),
    )
    rows += [(words, percent(share, 6)) for words, share in shares if share is not None]
    rows.append(("Average wager", f"{outcomes.average_wager:.8f}"))
    return listed("Round", ("", "Value"), rows, "A split or a double that a peek forestalls is not counted.")


def _exactly(exact: ExactOutcomes, digits: int) -> list[RenderableType]:
    table = new_table("Net", "Probability", left=(), wrap=(1,))
    for net, p in (exact.distribution or {}).items():
        table.add_row(plus(net), decimal(p, digits))
    table.add_section()
    for words, value in (("Mean (EV)", exact.mean), ("Variance", exact.variance)):
        table.add_row(words, decimal(value, digits))
    note = "Decimals of fractions, the play certified; --json gives the fractions."
    return titled(f"Exactly, to {digits} digits", table, note)


def _boxes(boxes: Boxes) -> list[tuple[str, str]]:
    """Return how several boxes do, as facts."""
    splits = f"splits into up to {boxes.max_hands} hands in it" if boxes.max_hands > 1 else "no hand is split"
    words = f"covariance of two {boxes.covariance:.8f} (correlation {boxes.correlation:.8f}), {splits}"
    numbers = zip(("one", "two", "three"), boxes.shown.values(), strict=False)
    return [
        ("Boxes", words),
        ("", f"standard deviation {', '.join(f'of {number} {deviation:.8f}' for number, deviation in numbers)}"),
    ]


class ConfidenceAsked(NamedTuple):
    """What is asked of an observed RTP: its intervals after some rounds, the rounds that a precision needs, or both."""

    subject: Subject
    result: RoundResult
    deviation: float
    found: Confidence | None
    precision: float | None
    needed: Mapping[float, int]


def confidence_json(asked: ConfidenceAsked) -> dict[str, Any]:
    """Return what to expect of an observed RTP as JSON takes it."""
    subject, result, deviation, found, precision, needed = asked
    body = {**subject.head(), "play": result.play, "split_class": result.split_class, "standard_deviation": deviation}
    if found is not None:
        body |= found.to_dict()
    if precision is not None:
        rows = [{"level": level, "rounds": rounds} for level, rounds in needed.items()]
        body |= {"precision": precision, "rounds_needed": rows}
    return {**body, "removed": subject.removed}


def confidence_tables(asked: ConfidenceAsked) -> list[RenderableType]:
    """Return what to expect of an observed RTP as tables."""
    subject, result, deviation, found, precision, needed = asked
    words = f"{percent(result.rtp, 5)}; a round has a standard deviation of {deviation:.8f}"
    facts = [*_played(subject, result), ("Unit", UNIT), ("RTP", words)]
    parts: list[RenderableType] = [header(subject, facts), *([] if found is None else _intervals(found))]
    if precision is not None:
        title = f"Rounds for a precision of {percent(precision, 6, '').rstrip('0').rstrip('.')}{POINTS}"
        rows = ((percent(level, 0), f"{rounds:,}") for level, rounds in needed.items())
        note = "So many rounds until the observed RTP lies that close to the RTP (normal)."
        parts += listed(title, ("Probability", "Rounds"), rows, note)
    return parts


def _intervals(found: Confidence) -> list[RenderableType]:
    table = new_table("Probability", "Method", "At least", "At most")
    for interval in found.intervals:
        ends = (percent(interval.low), percent(interval.high)) if interval.normal_holds else ("-", "-")
        table.add_row(percent(interval.level, 0), "normal", *ends)
        if interval.exact_low is not None and interval.exact_high is not None and interval.exact_level is not None:
            at_least = f"exact ({percent(interval.exact_level)})"
            table.add_row("", at_least, percent(interval.exact_low), percent(interval.exact_high))
    exact = found.intervals[0].exact_low is not None
    note = f"The standard error is {percent(found.standard_error, 4, POINTS)}. Rounds are taken for independent."
    if exact:
        note += " Exact: the distribution of the sum; in brackets the probability of the interval with its ends."
    elif found.rounds <= MOST_EXACT_ROUNDS:
        note += " No exact interval, as the distribution of a round is not known."
    if not all(interval.normal_holds for interval in found.intervals):
        note += f" The normal approximation takes {FEWEST_NORMAL} rounds or more."
    return titled(f"Observed RTP of {found.rounds:,} round{'' if found.rounds == 1 else 's'}", table, note)


def check_figure(path: Path) -> str:
    """Return the format of a figure, as its file name ends.

    Raises:
        OddsError: it is none of `FIGURE_FORMATS`, or matplotlib is not installed.
    """
    suffix = path.suffix.lower().removeprefix(".")
    if suffix not in FIGURE_FORMATS:
        raise OddsError(f"--out: expected a file that ends in .png, .svg or .pdf, got {str(path)!r}")
    optional_module("matplotlib", "figures")
    return suffix


def figure(subject: Subject, outcomes: Outcomes, form: str) -> bytes:
    """Return a histogram of the net result of a round as a file of one of `FIGURE_FORMATS`.

    Raises:
        OddsError: matplotlib is not installed, or there is no distribution.
    """
    if outcomes.distribution is None:
        raise OddsError(f"--out: there is no distribution to draw: {outcomes.reason}")
    matplotlib = optional_module("matplotlib", "figures")
    figures = optional_module("matplotlib.figure", "figures")
    # No date and no random names in the file: the same outcomes give the same bytes.
    metadata = {"png": {"Software": None}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}[form]
    nets, shares = list(outcomes.distribution), [100 * p for p in outcomes.distribution.values()]
    with matplotlib.rc_context({"svg.hashsalt": "odds"}):
        drawing = figures.Figure(figsize=(8, 4.5), layout="constrained")
        axes = drawing.subplots()
        axes.bar(range(len(nets)), shares, color="#3b6ea5")
        axes.set_xticks(range(len(nets)), [plus(net) for net in nets])
        for place, share in enumerate(shares):
            axes.annotate(f"{share:.3g} %", (place, share), ha="center", va="bottom", fontsize=8)
        axes.set_xlabel("Net result of a round in initial wagers")
        axes.set_ylabel("Probability in %")
        title = f"{subject.game.title}{' (rules changed)' if subject.changed else ''}"
        axes.set_title(f"{title}\nEV {signed(outcomes.mean, 6)}, standard deviation {outcomes.standard_deviation:.4f}")
        axes.spines[["top", "right"]].set_visible(False)
        buffer = io.BytesIO()
        drawing.savefig(buffer, format=form, metadata=metadata)
    return buffer.getvalue()
