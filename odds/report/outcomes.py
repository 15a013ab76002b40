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
from odds.results.confidence import FEWEST_NORMAL
from odds.results.deals import raise_facts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
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
    return {**body, "removed": subject.removed, "warnings": []}


def _played(subject: Subject, result: RoundResult) -> list[tuple[str, str]]:
    return [*method(subject.rules, result.play, result.split_class), *raise_facts(result.raised)]


def outcomes_tables(asked: OutcomesAsked, digits: int) -> list[RenderableType]:
    """Return the outcomes of a round as tables, with a histogram."""
    subject, result, outcomes, exact, boxes = asked
    facts = [*([] if boxes is None else _boxes(boxes)), *_played(subject, result), ("Unit", UNIT)]
    parts: list[RenderableType] = [header(subject, facts), *_distribution(outcomes), *_moments(outcomes)]
    return parts + ([] if exact is None else _exactly(exact, digits))


def _dealt(outcomes: Outcomes) -> str:
    """Return what rests on rounds that were dealt; empty where nothing does."""
    if not outcomes.standard_errors:
        return ""
    share, error = percent(1 - outcomes.exact_share), f"{outcomes.largest_error:.0e}"
    return f"three hands or more, {share} of rounds, are dealt: standard errors up to {error}"


def _distribution(outcomes: Outcomes) -> list[RenderableType]:
    most, errors = max(outcomes.distribution.values()), outcomes.standard_errors
    bar, width = _bar_character(), _BAR_WIDTH - 10 * bool(errors)
    rows = (
        (
            plus(net),
            f"{p:.9f}",
            *([f"{errors[net]:.0e}" if net in errors else ""] if errors else []),
            one_in(p),
            bar * round(width * p / most),
        )
        for net, p in outcomes.distribution.items()
    )
    note = "Exact up to the rounding of doubles; dealer blackjacks are in it."
    if errors:
        note = f"Results of {_dealt(outcomes)}. All else, mean and variance are exact."
    columns = ("Net", "Probability", *(["Error"] if errors else []), "One in", "")
    return listed("Net result of a round", columns, rows, note, left=(len(columns) - 1,))


def _bar_character() -> str:
    """Return what bars are drawn with: a block where the output has one."""
    try:
        "\u2588".encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (LookupError, UnicodeEncodeError):
        return "#"
    return "\u2588"


def _moments(outcomes: Outcomes) -> list[RenderableType]:
    errors = outcomes.standard_errors

    def error(name: str, shown: Callable[[float], str]) -> list[str]:
        return ([shown(errors[name])] if name in errors else [""]) if errors else []

    rows = [
        ("Mean (EV)", signed(outcomes.mean, 10), *error("mean", str)),
        ("Variance", f"{outcomes.variance:.10f}", *error("variance", str)),
        ("Standard deviation", f"{outcomes.standard_deviation:.10f}", *error("", str)),
    ]
    if outcomes.skewness is not None:
        rows.append(("Skewness", signed(outcomes.skewness, 8), *error("skewness", lambda value: f"{value:.0e}")))
    shares = {
        "hit_frequency": "Hit frequency (net above 0)",
        "push_frequency": "Push frequency (net 0)",
        "p_split": "Rounds with a split",
        "p_double": "Rounds with a double",
        "p_surrender": "Rounds surrendered",
    }
    rows += [
        (words, percent(getattr(outcomes, name), 6), *error(name, lambda value: percent(value, 6)))
        for name, words in shares.items()
    ]
    rows.append(("Average wager", f"{outcomes.average_wager:.8f}", *error("average_wager", str)))
    columns = ("", "Value", *(["Error"] if errors else []))
    return listed("Round", columns, rows, "A split or a double that a peek forestalls is not counted.")


def _exactly(exact: ExactOutcomes, digits: int) -> list[RenderableType]:
    table = new_table("Net", "Probability", left=(), wrap=(1,))
    for net, p in exact.enumerated.items():
        table.add_row(plus(net), decimal(p, digits))
    table.add_section()
    note = "Decimals of fractions, the play certified; --json gives the fractions."
    if exact.distribution is None:
        table.add_row("Exact share", decimal(exact.exact_share, digits))
        note = f"The net results are those of rounds of at most two hands, the exact share. {note}"
    for words, value in (("Mean (EV)", exact.mean), ("Variance", exact.variance)):
        table.add_row(words, decimal(value, digits))
    return titled(f"Exactly, to {digits} digits", table, note)


def _boxes(boxes: Boxes) -> list[tuple[str, str]]:
    """Return how several boxes do, as facts."""
    splits = f"splits into at most {boxes.max_hands} hands in it" if boxes.max_hands > 1 else "no hand is split"
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
    outcomes: Outcomes
    found: Confidence | None
    precision: float | None
    needed: Mapping[float, int]


def confidence_json(asked: ConfidenceAsked) -> dict[str, Any]:
    """Return what to expect of an observed RTP as JSON takes it."""
    subject, result, outcomes, found, precision, needed = asked
    deviation = outcomes.standard_deviation
    body = {**subject.head(), "play": result.play, "split_class": result.split_class, "standard_deviation": deviation}
    if found is not None:
        body |= found.to_dict()
    if precision is not None:
        rows = [{"level": level, "rounds": rounds} for level, rounds in needed.items()]
        body |= {"precision": precision, "rounds_needed": rows}
    return {**body, "removed": subject.removed}


def confidence_tables(asked: ConfidenceAsked) -> list[RenderableType]:
    """Return what to expect of an observed RTP as tables."""
    subject, result, outcomes, found, precision, needed = asked
    deviation = outcomes.standard_deviation
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
            at_least = f"{'sum' if found.outcomes.standard_errors else 'exact'} ({percent(interval.exact_level)})"
            table.add_row("", at_least, percent(interval.exact_low), percent(interval.exact_high))
    dealt = _dealt(found.outcomes)
    note = f"The standard error is {percent(found.standard_error, 4, POINTS)}. Rounds are taken for independent."
    if found.intervals[0].exact_low is not None:
        name = "Sum" if dealt else "Exact"
        note += f" {name}: the distribution of the sum; in brackets the probability of the interval with its ends."
        note += f" Results of {dealt}." if dealt else ""
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
        OddsError: matplotlib is not installed.
    """
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
