"""Which pay on one line of a paytable gives a return that is asked for."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from odds.errors import PaytableError
from odds.game.fields import show_value
from odds.game.quantities import MOST_SHARE, number
from odds.shown import Shown, long_fraction, with_exact
from odds.sidebets.paytable import MAX_PAY, SideBet
from odds.sidebets.results import SideBetResult, table_of


@dataclass(frozen=True, slots=True)
class WholePay:
    """A whole number of units on the line, and the return that it gives.

    Attributes:
        pays: units per unit bet.
        exact_rtp: the return to player.
    """

    pays: int
    exact_rtp: Fraction

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON takes it."""
        return {"pays": str(self.pays), "rtp": float(self.exact_rtp), "exact": {"rtp": str(self.exact_rtp)}}


@dataclass(frozen=True, slots=True, repr=False)
class Solution(Shown):
    """The pay on one line that gives a return.

    Attributes:
        table: the side bet as it is.
        line: the name of the line.
        target_rtp: the return asked for.
        pays: units per unit bet.
        below: the nearest whole pay that is not larger.
        above: the nearest whole pay that is not smaller.
    """

    table: SideBetResult
    line: str
    target_rtp: Fraction
    pays: Fraction
    below: WholePay
    above: WholePay

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row for the pay and each whole one beside it: `pays`, `rtp`, and `pays_exact`, `rtp_exact`."""
        pays: dict[Fraction, Fraction] = {
            Fraction(self.below.pays): self.below.exact_rtp,
            self.pays: self.target_rtp,
            Fraction(self.above.pays): self.above.exact_rtp,
        }
        return [{**with_exact("pays", pay), **with_exact("rtp", rtp)} for pay, rtp in sorted(pays.items())]

    def facts(self) -> list[tuple[str, ...]]:
        """Return which pay gives which return, and the bet as it is."""
        return [
            ("Line", self.line),
            ("Pays", long_fraction(self.pays, "units per unit bet")),
            ("RTP", f"{float(self.target_rtp):.5%}"),
            *(fact for fact in self.table.facts() if fact[0] in ("Side bet", "Shoe")),
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON takes it; the pay as a fraction and as a number."""
        return {
            "line": self.line,
            "target_rtp": float(self.target_rtp),
            "pays": str(self.pays),
            "pays_decimal": float(self.pays),
            "below": self.below.to_dict(),
            "above": self.above.to_dict(),
        }


def read_rtp(text: str) -> Fraction:
    """Return a return to player given as `0.965` or `96.5%`.

    Raises:
        PaytableError: it is no number, or out of range.
    """
    try:
        rtp = number(text)
    except ValueError:
        rtp = Fraction(0)
    if not 0 < rtp <= MOST_SHARE:
        raise PaytableError(
            f"target RTP: expected a number over 0 such as 0.965 or 96.5%, at most {MOST_SHARE}, got {show_value(text)}"
        )
    return rtp


def solve(bet: SideBet, table: SideBetResult, line: str, target_rtp: Fraction) -> Solution:
    """Return the pay on a line that gives a return, the other lines staying as they are.

    A hand that fits several lines is paid on the highest; where the new pay changes which one that is, so does the
    count.

    Args:
        bet: the side bet.
        table: its table for the shoe in question.
        line: the name of the line.
        target_rtp: the return asked for.

    Raises:
        PaytableError: the line is unknown or never comes with this shoe, or no pay from 0 to 1,000,000,000 gives the
            return.
    """
    index = table.paytable.line(line)
    name = table.paytable.lines[index].name

    def with_pay(pays: Fraction) -> SideBetResult:
        return table_of(bet, table.paytable.with_pay(index, pays), table.shoe, table.rules, table.law)

    # The return grows with the pay, in straight pieces between the pays of the other lines.
    others = sorted({other.pays for other in table.paytable.lines if other.name != name} | {Fraction(0)})
    if not with_pay(others[-1] + 1).lines[index].probability:
        raise PaytableError(f"line {name!r} never comes with this shoe ({table.shoe}), so that its pay changes nothing")
    lowest = with_pay(Fraction(0))
    if target_rtp < lowest.exact_rtp:
        raise PaytableError(
            f"line {name!r}: no pay of 0 or more gives an RTP as low as {float(target_rtp):.6g}; paying 0 gives "
            f"{lowest.rtp:.6f}"
        )
    low, high = others[-1], others[-1] + 2
    for first, last in pairwise(others):
        if target_rtp <= with_pay(last).exact_rtp:
            low, high = first, last
            break
    inside = with_pay((low + high) / 2)
    probability = inside.lines[index].probability
    pays = low
    if probability:
        pays = inside.lines[index].pays + (target_rtp - inside.exact_rtp) / probability
    if pays > MAX_PAY:
        raise PaytableError(f"line {name!r}: it takes a pay of over {MAX_PAY:,} to one for such an RTP")
    below, above = (
        WholePay(whole, with_pay(Fraction(whole)).exact_rtp) for whole in (math.floor(pays), math.ceil(pays))
    )
    return Solution(table, name, target_rtp, pays, below, above)
