"""Which pay on one line of a paytable, or on several in a fixed ratio, gives a return that is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor, gcd, lcm
from typing import TYPE_CHECKING, Any

from odds.errors import PaytableError
from odds.game.fields import show_value
from odds.game.quantities import MOST_SHARE, number, payout
from odds.shown import Shown, long_fraction, with_exact
from odds.sidebets.meter import MAX_PAY
from odds.sidebets.results import SideBetResult, table_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from odds.sidebets.paytable import Paytable, SideBet


@dataclass(frozen=True, slots=True)
class WholePay:
    """A whole number of units on the line, of several the first, and the return that it gives.

    Attributes:
        pays: units per unit bet.
        exact_rtp: the return to player.
    """

    pays: int
    exact_rtp: Fraction

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON takes it."""
        pays = {"pays": str(self.pays), "pays_for_one": str(self.pays + 1)}
        return {**pays, "rtp": float(self.exact_rtp), "exact": {"rtp": str(self.exact_rtp)}}


@dataclass(frozen=True, slots=True)
class SolvedPay:
    """What one line is to pay.

    Attributes:
        name: of the line.
        pays: units per unit bet.
        below: the whole pays beside it that are not larger, all in the ratio asked for.
        above: those that are not smaller.
        weight: what it pays in that ratio, in whole numbers without a common divisor.
        for_one: the ratio is of what it pays for one, with the bet, as the file has it.
    """

    name: str
    pays: Fraction
    below: int
    above: int
    weight: int = 1
    for_one: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON takes it."""
        pays = {"pays": str(self.pays), "pays_decimal": float(self.pays), "pays_for_one": str(self.pays + 1)}
        whole = {"below": str(self.below), "above": str(self.above)}
        return {"line": self.name, "weight": self.weight, "for_one": self.for_one, **pays, **whole}


@dataclass(frozen=True, slots=True, repr=False)
class Solution(Shown):
    """The pay on one line, or on several in a fixed ratio, that gives a return.

    Attributes:
        table: the side bet as it is.
        target_rtp: the return asked for.
        lines: what is to pay how much, as asked for.
        below: the nearest whole pay of the first line that is not larger, the others in ratio to it whole too; where
            one of them would be under 0, the least without.
        above: the nearest that is not smaller.
    """

    table: SideBetResult
    target_rtp: Fraction
    lines: tuple[SolvedPay, ...]
    below: WholePay
    above: WholePay

    @property
    def line(self) -> str:
        """The name of the line, the first of several."""
        return self.lines[0].name

    @property
    def pays(self) -> Fraction:
        """What that line pays, in units per unit bet."""
        return self.lines[0].pays

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row for the pay and each whole one beside it: `pays`, `rtp`, and `pays_exact`, `rtp_exact`.

        Of several lines each has its rows, with its name as `line` before them.
        """
        rtps = self.below.exact_rtp, self.target_rtp, self.above.exact_rtp
        rows = []
        for line in self.lines:
            pays = dict(zip((Fraction(line.below), line.pays, Fraction(line.above)), rtps, strict=True))
            name = {"line": line.name} if len(self.lines) > 1 else {}
            rows += [{**name, **with_exact("pays", pay), **with_exact("rtp", rtp)} for pay, rtp in sorted(pays.items())]
        return rows

    def facts(self) -> list[tuple[str, ...]]:
        """Return which pays give which return, and the bet as it is."""
        lines = [[("Line", line.name), ("Pays", long_fraction(line.pays, "units per unit bet"))] for line in self.lines]
        return [
            *(fact for line in lines for fact in line),
            ("RTP", f"{float(self.target_rtp):.5%}"),
            *(fact for fact in self.table.facts() if fact[0] in ("Side bet", "Shoe")),
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON takes it; the pay as a fraction and as a number. Several lines are listed besides."""
        return {
            "line": self.line,
            "target_rtp": float(self.target_rtp),
            "pays": str(self.pays),
            "pays_decimal": float(self.pays),
            "pays_for_one": str(self.pays + 1),
            "below": self.below.to_dict(),
            "above": self.above.to_dict(),
            **({"lines": [line.to_dict() for line in self.lines]} if len(self.lines) > 1 else {}),
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


def read_lines(paytable: Paytable, asked: Sequence[str]) -> dict[int, Fraction]:
    """Return the lines to solve for, by their numbers from 0, and the ratio that they are to pay in.

    Args:
        paytable: that has them.
        asked: the name of a line, or names of several: the ratio is that of what they pay, to one or for one as the
            file says it, or of the weights that stand behind all of them after a colon.

    Raises:
        PaytableError: a line is unknown, there twice or pays a share of the meter; or the ratio is not clear.
    """
    names = [line.name.lower() for line in paytable.lines]
    found: dict[int, Fraction] = {}
    weighed = 0
    for text in asked:
        name, colon, words = text.rpartition(":")
        if not colon or " ".join(text.lower().split()) in names:
            name, words = text, ""
        index = paytable.line(name)
        line = paytable.lines[index]
        if line.share:
            raise PaytableError(
                f"line {line.name!r} pays a share of the meter: a target RTP alone gives the meter for it"
            )
        if index in found:
            raise PaytableError(f"line {line.name!r} is to be solved for twice")
        weighed += bool(words)
        found[index] = _weight(line.name, words) if words else line.pays + line.for_one
    if weighed not in (0, len(found)):
        raise PaytableError("expected a weight behind every line to solve for, as in 'Pair:2', or behind none")
    if len(found) == 1:
        return dict.fromkeys(found, Fraction(1))
    for index, weight in found.items():
        if not weight:
            name = paytable.lines[index].name
            raise PaytableError(
                f"line {name!r} pays 0, which gives no ratio; put a weight behind every line, as {name}:2"
            )
    return found


def _weight(name: str, words: str) -> Fraction:
    try:
        weight = payout(0, MAX_PAY)(words)
    except ValueError:
        weight = Fraction(0)
    if not weight:
        raise PaytableError(
            f"the weight of line {name!r}: expected a number over 0, such as 4 or 5/2, got {show_value(words)}"
        )
    return weight


def solve(bet: SideBet, table: SideBetResult, line: str | Sequence[str], target_rtp: Fraction) -> Solution:
    """Return the pay on a line that gives a return, the other lines staying as they are.

    Several lines are solved for together, in a fixed ratio. A hand that fits several lines is paid on the highest;
    where the new pay changes which one that is, so does the count.

    Args:
        bet: the side bet.
        table: its table for the shoe in question.
        line: the name of the line, or of several, see `read_lines`.
        target_rtp: the return asked for.

    Raises:
        PaytableError: a line is unknown, none of them ever comes with this shoe, or no pay from 0 to 1,000,000,000
            gives the return.
    """
    ratio = read_lines(table.paytable, [line] if isinstance(line, str) else line)
    whole = lcm(*(weight.denominator for weight in ratio.values()))
    common = gcd(*(int(weight * whole) for weight in ratio.values()))
    weights = {index: int(weight * whole) // common for index, weight in ratio.items()}
    names = " and ".join(repr(table.paytable.lines[index].name) for index in weights)
    which, come = ("line", "comes") if len(weights) == 1 else ("lines", "come")

    for_one = {index: table.paytable.lines[index].for_one for index in weights}

    def with_unit(unit: Fraction) -> SideBetResult:
        """Return the table with so many units for each unit of weight."""
        pays = {index: unit * weight - for_one[index] for index, weight in weights.items()}
        return table_of(bet, table.paytable.with_pays(pays), table.shoe, table.rules, table.law)

    def per_unit(of: SideBetResult) -> Fraction:
        """Return what one more unit for each unit of weight adds to the return."""
        return sum((weight * of.lines[index].probability for index, weight in weights.items()), Fraction(0))

    # The return grows with the pays, in straight pieces between those that equal the pay of another line.
    others = {other.pays for n, other in enumerate(table.paytable.lines) if n not in weights and not other.share}
    start = max(Fraction(for_one[index], weight) for index, weight in weights.items())
    equal = {(pays + for_one[index]) / weight for pays in others for index, weight in weights.items()}
    kinks = sorted({start, *(unit for unit in equal if unit > start)})
    if not per_unit(with_unit(kinks[-1] + 1)):
        raise PaytableError(
            f"{which} {names} never {come} with this shoe ({table.shoe}), so that the pay changes nothing"
        )
    lowest = with_unit(start)
    if target_rtp < lowest.exact_rtp:
        raise PaytableError(
            f"{which} {names}: no pay of 0 or more gives an RTP as low as {float(target_rtp):.6g}; paying 0 gives "
            f"{lowest.rtp:.6f}"
        )
    low, high = kinks[-1], kinks[-1] + 2
    for first, last in pairwise(kinks):
        if target_rtp <= with_unit(last).exact_rtp:
            low, high = first, last
            break
    inside = with_unit((low + high) / 2)
    slope = per_unit(inside)
    unit = (low + high) / 2 + (target_rtp - inside.exact_rtp) / slope if slope else low
    if unit * max(weights.values()) > MAX_PAY:
        raise PaytableError(f"{which} {names}: it takes a pay of over {MAX_PAY:,} to one for such an RTP")
    below, above = max(floor(unit), ceil(start)), ceil(unit)
    solved = tuple(
        SolvedPay(
            table.paytable.lines[index].name,
            unit * weight - for_one[index],
            below * weight - for_one[index],
            above * weight - for_one[index],
            weight,
            for_one[index],
        )
        for index, weight in weights.items()
    )
    around = (
        WholePay(pays, with_unit(Fraction(n)).exact_rtp)
        for pays, n in ((solved[0].below, below), (solved[0].above, above))
    )
    return Solution(table, target_rtp, solved, *around)
