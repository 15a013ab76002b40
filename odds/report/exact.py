"""Exact results as tables and JSON: fractions, their decimals, and the closest decisions of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from odds.errors import OddsError
from odds.report.common import labelled, listed, signed, titled
from odds.results.switch import WAYS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from rich.console import RenderableType

    from odds.results.certify import CloseDecision
    from odds.results.dealer import ExactDealer
    from odds.results.exact import ExactHand, ExactRound
    from odds.results.outcomes import ExactOutcomes

DEFAULT_DIGITS = 30
MOST_DIGITS = 100_000
_MOST_SETTLED = 25
_CLOSE_NOTE = (
    "The gap is in initial wagers, jointly with no hidden dealer blackjack where he peeks. A tie goes to the first of "
    "stand, hit, double, split, surrender."
)


def check_digits(digits: int | None) -> int:
    """Return how many digits decimals are to have.

    Raises:
        OddsError: the number is out of range.
    """
    if digits is None:
        return DEFAULT_DIGITS
    if not 1 <= digits <= MOST_DIGITS:
        raise OddsError(f"--digits: expected 1 to {MOST_DIGITS:,}, got {digits}")
    return digits


def decimal(value: Fraction, digits: int) -> str:
    """Return a fraction as a decimal with so many significant digits, the last one rounded.

    >>> from fractions import Fraction
    >>> decimal(Fraction(-2, 3), 5)
    '-0.66667'
    """
    import mpmath

    with mpmath.workdps(digits + 10):
        text: str = mpmath.nstr(
            mpmath.mpf(value.numerator) / value.denominator,
            digits,
            strip_zeros=False,
            min_fixed=-mpmath.inf,
            max_fixed=mpmath.inf,
        )
    return text


def exact_json(
    exact: ExactRound | ExactHand | ExactDealer | ExactOutcomes, figures: Mapping[str, Fraction], digits: int | None
) -> dict[str, Any]:
    """Return an exact result as JSON takes it, with decimals of its figures if a number of digits is given."""
    decimals = {} if digits is None else {"decimals": {name: decimal(value, digits) for name, value in figures.items()}}
    return {**exact.to_dict(), **decimals}


def round_json(exact: ExactRound, digits: int | None) -> dict[str, Any]:
    """Return an exact round as JSON takes it; see `exact_json`."""
    return exact_json(exact, {name: getattr(exact, name) for name in ("ev", "rtp", "ev_per_total_wager")}, digits)


def round_tables(exact: ExactRound, digits: int) -> list[RenderableType]:
    """Return an exact round as tables."""
    figures = {
        "EV": exact.ev,
        "RTP": exact.rtp,
        "Average wager": exact.average_wager,
        "EV per total wager": exact.ev_per_total_wager,
    }
    ties = len(exact.ties)
    words = "These are the odds of the given play, with no rounding anywhere."
    if exact.certified:
        words = (
            f"Certified: the play is the best of its class, with no rounding anywhere. Decisions settled exactly: "
            f"{exact.settled_exactly}{f', of which {ties} true ties' if ties else ''}."
        )
    parts = _fractions("Exactly", figures, digits, words)
    return parts + close_tables(exact.settled, "Settled exactly", _MOST_SETTLED) if exact.settled else parts


def hand_tables(exact: ExactHand, digits: int) -> list[RenderableType]:
    """Return the exact values of a hand as tables."""
    figures = {action: exact.actions[action] for action in sorted(exact.actions, key=lambda a: a != exact.best)}
    if exact.surrender_after_peek_scale is not None:
        figures["surrender, after-peek scale"] = exact.surrender_after_peek_scale
    if exact.stand_before_peek is not None:
        figures["stand, before the peek"] = exact.stand_before_peek
    words = f"Certified; decisions settled exactly on the way: {len(exact.settled)}."
    return _fractions("Exactly", figures, digits, words)


def dealer_tables(start: str, exact: ExactDealer, digits: int) -> list[RenderableType]:
    """Return the dealer's exact outcomes from one start as tables."""
    parts = _fractions(f"Exactly, from {start}", exact.unconditional, digits, "")
    if exact.given_no_blackjack is not None:
        parts += _fractions(f"Exactly, from {start}, given no blackjack", exact.given_no_blackjack, digits, "")
    return parts


def close_tables(decisions: Sequence[CloseDecision], title: str, most: int | None = None) -> list[RenderableType]:
    """Return decisions between nearly equal actions as a table, so many of them at most."""
    rows = []
    for decision in decisions:
        hand = decision.player
        if decision.after_split is not None:
            hand += f" of a split of {decision.after_split}"
        gap = "tie" if decision.exact_gap == 0 else signed(decision.gap, 12)
        rows.append((hand, decision.dealer, decision.best, decision.other, gap))
    headings = ("Hand", "Dealer", "Best", "Other", "Gap")
    ways = any(decision.best in WAYS for decision in decisions)
    note = f"{_CLOSE_NOTE[:-1]}, and of {', '.join(WAYS)}." if ways else _CLOSE_NOTE
    return listed(title, headings, rows, note, most=most, rest="were settled.", wrap=(0,))


def _fractions(title: str, figures: Mapping[str, Fraction], digits: int, note: str) -> list[RenderableType]:
    lines = []
    for name, value in figures.items():
        lines.append((name, str(value)))
        if value.denominator > 1:
            lines.append(("", f"= {decimal(value, digits)}"))
    return titled(title, labelled(lines), note)
