"""Progressive bets: lines that pay a share of a meter, and the return as a linear function of what the meter shows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from odds.errors import PaytableError
from odds.game import quantities, toml
from odds.game.fields import expected, show_value
from odds.game.toml import TomlError

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_PAY: Final = 10**9

_SHARE: Final = re.compile(r"(?:(.+?)(?:\s+of(?:\s+the)?)?\s+)?meter")


@dataclass(frozen=True, slots=True)
class Meter:
    """What some lines of a paytable pay a share of, in units of the bet.

    Attributes:
        value: what it shows.
        seed: what it starts from, and again once it was paid in full; None where that is not said.
        increment: the share of every bet that is added to it; None where that is not said.
    """

    value: Fraction = Fraction(0)
    seed: Fraction | None = None
    increment: Fraction | None = None

    @property
    def words(self) -> str:
        """What it shows, and how it runs as far as that is said."""
        parts = [units(self.value)]
        if self.seed is None and not self.value:
            parts[0] += ", as nothing says what it shows"
        if self.seed is not None:
            parts[0] += f", {'from which it starts' if self.seed == self.value else f'starts from {units(self.seed)}'}"
        if self.increment is not None:
            parts.append(f"{_percent(self.increment)} of every bet is added")
        return "; ".join(parts)

    def to_dict(self) -> dict[str, float | None]:
        """Return what a file says of it as JSON takes it."""
        return {
            "seed": None if self.seed is None else float(self.seed),
            "increment": None if self.increment is None else float(self.increment),
        }


@dataclass(frozen=True, slots=True)
class MeterReturn:
    """The EV per unit bet as a linear function of the meter: `ev_without + ev_per_unit * meter`.

    Attributes:
        meter: the meter that the table is for.
        ev_without: the EV with the meter at 0.
        ev_per_unit: what each unit of the meter adds to it.
        in_full: the probability that the whole meter is paid.
    """

    meter: Meter
    ev_without: Fraction
    ev_per_unit: Fraction
    in_full: Fraction

    def ev_at(self, meter: Fraction) -> Fraction:
        """Return the EV with another meter."""
        return self.ev_without + self.ev_per_unit * meter

    def meter_for(self, rtp: Fraction) -> Fraction | None:
        """Return the meter that gives a return to player; None where no meter of 0 or more does."""
        missing = rtp - 1 - self.ev_without
        return missing / self.ev_per_unit if self.ev_per_unit and missing >= 0 else None

    @property
    def break_even(self) -> Fraction | None:
        """The meter with an EV of 0; None where no meter of 0 or more has it."""
        return self.meter_for(Fraction(1))

    @property
    def long_run(self) -> Fraction | None:
        """The mean meter over many bets; None where it is not said how the meter runs, or no line of it ever comes.

        What is paid is taken off the meter, and a meter that was paid in full starts from its seed: on average as much
        is added by bets and seeds as is paid.
        """
        if self.meter.increment is None or self.meter.seed is None or not self.ev_per_unit:
            return None
        return (self.meter.increment + self.in_full * self.meter.seed) / self.ev_per_unit

    def target(self, rtp: Fraction) -> Fraction:
        """Return the meter that gives a return to player.

        Raises:
            PaytableError: no meter of 0 or more does.
        """
        found = self.meter_for(rtp)
        if found is not None:
            return found
        if not self.ev_per_unit:
            raise PaytableError(
                "no line that pays a share of the meter ever comes with this shoe: the meter changes nothing"
            )
        raise PaytableError(
            f"no meter of 0 or more gives an RTP as low as {float(rtp):.6g}; 0 gives {float(1 + self.ev_without):.6f}"
        )

    def to_dict(self, others: Iterable[Fraction] = (), target_rtp: Fraction | None = None) -> dict[str, Any]:
        """Return it as JSON takes it, with the EV for other meters, and the meter for a return to player.

        Raises:
            PaytableError: as for `target`.
        """
        found = {
            "value": self.meter.value,
            "seed": self.meter.seed,
            "increment": self.meter.increment,
            "ev_without": self.ev_without,
            "ev_per_unit": self.ev_per_unit,
            "break_even": self.break_even,
            "long_run": self.long_run,
            "long_run_rtp": None if self.long_run is None else 1 + self.ev_at(self.long_run),
        }
        if target_rtp is not None:
            found |= {"target_rtp": target_rtp, "target": self.target(target_rtp)}
        return {
            **{name: None if value is None else float(value) for name, value in found.items()},
            "values": [
                {
                    "meter": float(meter),
                    "ev": float(ev),
                    "rtp": float(1 + ev),
                    "house_edge": float(-ev),
                    "exact": {"ev": str(ev)},
                }
                for meter in others
                for ev in [self.ev_at(meter)]
            ],
            "exact": {name: None if value is None else str(value) for name, value in found.items()},
        }


def units(number: Fraction) -> str:
    """Return units of a bet with thousands, and two decimals unless they are whole.

    >>> units(Fraction(10000)), units(Fraction(651410, 29))
    ('10,000', '22,462.41')
    """
    return f"{number.numerator:,}" if number.denominator == 1 else f"{float(number):,.2f}"


def share_words(fixed: Fraction, share: Fraction) -> str:
    """Return what a line pays that has a share of the meter in it, beside the bet or with it."""
    shared = "meter" if share == 1 else f"{_percent(share)} meter"
    return f"{fixed} + {shared}" if fixed > 0 else shared


def _percent(share: Fraction) -> str:
    return f"{float(100 * share):.10g}%"


def read_value(value: object) -> Fraction:
    """Return what a meter shows, in units of the bet.

    Raises:
        PaytableError: it is no number from 0 to 1,000,000,000.
    """
    try:
        return quantities.payout(0, MAX_PAY)(value)
    except ValueError as error:
        allowed = f"a number of units of the bet from 0 to {MAX_PAY:,}, such as 22462.41"
        raise PaytableError(f"meter: {expected(allowed, value, error)}") from None


def read_meter(where: str, value: object) -> Meter:
    """Return the meter of a file, at its seed, or at 0 where none is given.

    Raises:
        TomlError: it is no table of a seed and an increment.
    """
    data = toml.table(where, value)
    toml.check_keys(f"{where}.", data, ("seed", "increment"))
    found: dict[str, Fraction] = {}
    limits = {
        "seed": (MAX_PAY, f"units of the bet from 0 to {MAX_PAY:,}"),
        "increment": (1, "a share of the bet such as '10%'"),
    }
    for key, (most, allowed) in limits.items():
        if key in data:
            try:
                found[key] = quantities.payout(0, most)(data[key])
            except ValueError as error:
                raise TomlError(f"{where}.{key}: {expected(allowed, data[key], error)}") from None
    return Meter(found.get("seed", Fraction(0)), found.get("seed"), found.get("increment"))


def read_shared_pay(value: object) -> tuple[object, Fraction]:
    """Return of a pay what is fixed, still to be read, and the share of the meter that is paid beside it.

    >>> read_shared_pay("15 + 10% of meter")
    ('15', Fraction(1, 10))

    Raises:
        ValueError: the share is none.
    """
    if not isinstance(value, str) or "meter" not in value.lower():
        return value, Fraction(0)
    parts = [part.strip() for part in value.lower().split("+")]
    shares = [match[1] or "1" for match in map(_SHARE.fullmatch, parts) if match is not None]
    fixed = [part for part in parts if _SHARE.fullmatch(part) is None]
    if len(shares) != 1 or len(fixed) > 1:
        raise ValueError("the meter is one part of it, and a fixed number at most another")
    share = quantities.number(shares[0])
    if not 0 < share <= 1:
        raise ValueError(f"{show_value(shares[0])} is not a share of over 0 and at most 100 %")
    return (fixed[0] if fixed else 0), share
