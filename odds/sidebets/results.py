"""The table of a side bet: of each line the combinations, the probability and the return, and what they add up to."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol

import numpy as np

from odds.errors import PaytableError, ShoeError
from odds.game.deck import STANDARD
from odds.game.fields import FREE_FIELDS
from odds.game.rules import Rules
from odds.game.subject import rules_facts
from odds.shown import Shown, long_fraction, with_exact
from odds.sidebets.count import count, lines_that_can_be
from odds.sidebets.free_bets import USUAL
from odds.sidebets.matcher import matcher
from odds.sidebets.meter import MeterReturn, share_words, units
from odds.sidebets.paytable import Paytable, SideBet
from odds.sidebets.shoe import SuitedShoe


class Law(Protocol):
    """How likely rounds end in each way under a play, for bets that go by it."""

    @property
    def play(self) -> str:
        """How hands are played, as `RoundResult.play`."""

    @property
    def split_class(self) -> str:
        """How those of a split are."""

    def facts(self) -> list[tuple[str, ...]]:
        """Return both in words, as facts."""

    def probabilities(self, paytable: Paytable, shoe: SuitedShoe) -> list[Fraction]:
        """Return how likely each line is, then the losing one, and that there is no bet."""


@dataclass(frozen=True, slots=True)
class LineResult:
    """One line of the table.

    Attributes:
        name: as it is printed.
        pays: units won per unit bet; -1 on the losing line.
        combinations: how many deals it takes, in the unit of the table; None where rounds are not counted up.
        probability: given that the bet can be made.
        share: the share of the meter that is in `pays`.
        fixed: what is beside it in `pays`: -1 where the meter's share is for one, and the bet is kept.
    """

    name: str
    pays: Fraction
    combinations: int | None
    probability: Fraction
    share: Fraction = Fraction(0)
    fixed: Fraction = Fraction(0)

    @property
    def contribution(self) -> Fraction:
        """What the line adds to the EV: pays times probability."""
        return self.pays * self.probability

    @property
    def pay_words(self) -> str:
        """What it pays to one, such as `5:2`; `-1` where the bet is lost and `0` where it is given back.

        With a share of the meter the words of the file, to one or for one, such as `10% meter`.
        """
        if self.share:
            return share_words(self.fixed, self.share)
        return f"{self.pays.numerator}:{self.pays.denominator}" if self.pays > 0 else str(self.pays)

    @property
    def pays_for_one(self) -> Fraction:
        """Units given back per unit bet, the bet among them: one more than what it pays to one."""
        return self.pays + 1

    @property
    def for_one_words(self) -> str:
        """The same as it is printed, a share of the meter with two decimals."""
        return units(self.pays_for_one) if self.share else str(self.pays_for_one)

    @property
    def one_in(self) -> Fraction | None:
        """One in how many deals it is; None where it never is."""
        return 1 / self.probability if self.probability else None

    def to_dict(self, *, exact: bool = False) -> dict[str, Any]:
        """Return the line as JSON takes it, with exact fractions too if asked for."""
        result: dict[str, Any] = {
            "name": self.name,
            "pays": str(self.pays),
            "combinations": self.combinations,
            "probability": float(self.probability),
            "return": float(self.contribution),
            "pays_for_one": str(self.pays_for_one),
            "one_in": None if self.one_in is None else float(self.one_in),
        }
        if self.share:
            result |= {"meter_share": str(self.share), "pays_without_meter": str(self.fixed)}
        if exact:
            result["exact"] = {"probability": str(self.probability), "return": str(self.contribution)}
        return result


@dataclass(frozen=True, slots=True, repr=False)
class SideBetResult(Shown):
    """A side bet with one paytable and one shoe. EV, RTP and house edge are per unit bet on it.

    Attributes:
        bet: what commands call the bet.
        title: its name in print.
        paytable: what is paid.
        shoe: the cards before the deal.
        rules: of the game; the bet may depend on the dealer's rule, or on what is free.
        unit: what combinations are: `combinations`, sets of cards, where the bet does not tell its cards apart;
            `permutations`, orders of cards, where it does; `rounds`, which are not counted up, where it goes by how
            hands are played.
        lines: in the printed order, the losing one last.
        total_combinations: the sum of those of the lines, or None.
        law: how rounds end, for a bet that goes by that; else None.
    """

    bet: str
    title: str
    paytable: Paytable
    shoe: SuitedShoe
    rules: Rules
    unit: str
    lines: tuple[LineResult, ...]
    total_combinations: int | None
    law: Law | None = field(default=None, compare=False)

    @property
    def decks(self) -> int | str | None:
        """How many full decks the shoe has, see `SuitedShoe.decks`; None where cards are missing from it."""
        return self.shoe.decks

    @property
    def dealer_hits_soft_17(self) -> bool | None:
        """The dealer's rule, where the bet depends on how he plays; None elsewhere."""
        return self.rules.dealer_hits_soft_17 if self.paytable.plays_dealer or self.law else None

    @property
    def exact_ev(self) -> Fraction:
        """The EV as a fraction."""
        return sum((line.contribution for line in self.lines), Fraction(0))

    @property
    def exact_rtp(self) -> Fraction:
        """1 + EV as a fraction."""
        return 1 + self.exact_ev

    @property
    def ev(self) -> float:
        """Net result per unit bet."""
        return float(self.exact_ev)

    @property
    def rtp(self) -> float:
        """Return to player: 1 + EV."""
        return float(self.exact_rtp)

    @property
    def house_edge(self) -> float:
        """What the bet costs per unit: -EV."""
        return float(-self.exact_ev)

    @property
    def exact_hit_frequency(self) -> Fraction:
        """Probability that the bet wins anything; a bet given back does not."""
        return sum((line.probability for line in self.lines if line.pays > 0), Fraction(0))

    @property
    def exact_variance(self) -> Fraction:
        """Variance of the net result per unit bet."""
        return sum((line.pays**2 * line.probability for line in self.lines), Fraction(0)) - self.exact_ev**2

    @property
    def hit_frequency(self) -> float:
        """Probability that the bet wins anything; a bet given back does not."""
        return float(self.exact_hit_frequency)

    @property
    def variance(self) -> float:
        """Variance of the net result per unit bet."""
        return float(self.exact_variance)

    @property
    def standard_deviation(self) -> float:
        """Standard deviation of the net result per unit bet."""
        return math.sqrt(self.variance)

    @property
    def meter_return(self) -> MeterReturn | None:
        """The EV as a linear function of the meter; None where no line pays a share of one."""
        meter = self.paytable.meter
        if meter is None:
            return None
        per_unit = sum((line.share * line.probability for line in self.lines), Fraction(0))
        in_full = sum((line.probability for line in self.lines if line.share == 1), Fraction(0))
        return MeterReturn(meter, self.exact_ev - per_unit * meter.value, per_unit, in_full)

    def line(self, name: str) -> LineResult:
        """Return a paying line by its name.

        Raises:
            PaytableError: there is none, with the nearest name.
        """
        return self.lines[self.paytable.line(name)]

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row for each line, last the losing one, for pandas or polars.

        Columns: `name`, `pays`, `combinations`, `probability`, `return`; `pays_exact`, `probability_exact` and
        `return_exact` are the fractions as text. With a meter also `meter_share`, the share of it that is in `pays`.
        """
        return [
            {
                "name": line.name,
                **with_exact("pays", line.pays),
                "combinations": line.combinations,
                **with_exact("probability", line.probability),
                **with_exact("return", line.contribution),
                **({} if self.paytable.meter is None else with_exact("meter_share", line.share)),
            }
            for line in self.lines
        ]

    def facts(self) -> list[tuple[str, ...]]:
        """Return what the bet is worth, what it pays, and for which shoe and dealer."""
        return [
            ("Side bet", f"{self.title} ({self.bet}), pays {self.paytable.name}"),
            ("EV", long_fraction(self.exact_ev, "per unit bet")),
            ("RTP", f"{self.rtp:.5%}"),
            *self._meter_facts(),
            *([] if self.total_combinations is None else [("Deals", f"{self.total_combinations:,} {self.unit}")]),
            ("Numbers", "fractions", "counted, given that the bet can be made"),
            ("Shoe", f"{self.shoe}{rules_words(self.paytable, self.rules)}"),
            *((*self.law.facts(), *rules_facts(self.rules)) if self.law else ()),
        ]

    def _meter_facts(self) -> list[tuple[str, ...]]:
        if (found := self.meter_return) is None:
            return []
        even = "never even" if found.break_even is None else f"even at {units(found.break_even)}"
        return [("Meter", f"{found.meter.words}; {even}", "units of the bet")]

    def to_dict(self, *, exact: bool = False) -> dict[str, Any]:
        """Return the table as JSON takes it, with exact fractions of each line too if asked for."""
        return {
            "decks": self.decks,
            "cards": None if self.shoe.endless else self.shoe.total,
            "paytable": self.paytable.name,
            "dealer_hits_soft_17": self.dealer_hits_soft_17,
            **({"play": self.law.play, "split_class": self.law.split_class} if self.law else {}),
            "unit": self.unit,
            "lines": [line.to_dict(exact=exact) for line in self.lines],
            "total_combinations": self.total_combinations,
            **{
                name: getattr(self, name) for name in ("ev", "rtp", "house_edge", "hit_frequency", "standard_deviation")
            },
            "exact": {"ev": str(self.exact_ev)},
            **({} if (meter := self.meter_return) is None else {"meter": meter.to_dict()}),
        }


def rules_words(paytable: Paytable, rules: Rules) -> str:
    """Return what is added to the shoe where a bet depends on how the dealer plays, or on what is free."""
    dealer = rules.words("dealer_hits_soft_17") if paytable.plays_dealer else ""
    return "".join(f", {words}" for words in (dealer, free_words(paytable, rules)) if words)


def free_words(paytable: Paytable, rules: Rules) -> str:
    """Return what is free, where a bet depends on it; else an empty text."""
    said = (rules.words(name) for name in FREE_FIELDS if not rules.is_moot(name) and not rules.is_tacit(name))
    return ", ".join(said) if paytable.counts_free_bets else ""


def rules_without_game(bet: SideBet) -> Rules:
    """Return the rules for a bet where none are named: the default ones, and the usual free bets if it counts them."""
    return USUAL if any(paytable.counts_free_bets for paytable in bet.paytables) else Rules()


def read_decks(decks: int | str | None, rules: Rules) -> int | str:
    """Return a number of decks, by default that of the rules.

    Raises:
        RulesError: it is neither a whole number from 1 to 100,000 nor `infinite`.
    """
    return rules.decks if decks is None else Rules.decks.read(decks)


def check_lines(bet: SideBet, paytable: Paytable, rules: Rules) -> None:
    """Refuse a paytable with a line that is never paid, however many decks of 52 cards there are.

    A line that merely needs more decks than a shoe has, ranks that they lack, or more free bets than rules give is not
    refused: it takes no deals.

    Raises:
        PaytableError: such a line, by its name.
    """
    if paytable.plays_round:
        try:
            paid = set(np.unique(matcher(bet.name, paytable).lines).tolist())
        except PaytableError:  # more than the referee tells apart
            return
        possible = tuple(number in paid for number in range(len(paytable.lines)))
    else:
        possible = lines_that_can_be(paytable, USUAL if paytable.counts_free_bets else rules, STANDARD)
    for line, can_be in zip(paytable.lines, possible, strict=False):
        if not can_be:
            where = bet.where or bet.name
            raise PaytableError(
                f"{where}: paytable {paytable.name}: line {line.name!r} can never be paid: no hand has it, or lines "
                "that pay more, or stand before it and pay the same, take every hand that has"
            )


def table_of(bet: SideBet, paytable: Paytable, shoe: SuitedShoe, rules: Rules, law: Law | None = None) -> SideBetResult:
    """Return the table of a bet, not looking for lines that are never paid.

    Args:
        bet: the bet.
        paytable: what is paid.
        shoe: the cards before the deal.
        rules: of the game.
        law: how rounds end with that shoe and those rules, for a bet that goes by it.

    Raises:
        ShoeError: the shoe has too few cards for the bet.
        PaytableError: the bet goes by how rounds end, and nobody says how.
    """
    names = (*(line.name for line in paytable.lines), paytable.losing_line)
    numbers: tuple[int | None, ...] = (None,) * len(names)
    total, unit = None, "rounds"
    if law is not None:
        *found, never = law.probabilities(paytable, shoe)
        if never == 1:
            raise ShoeError(f"the bet is never offered with this shoe: {shoe}")
        probabilities = [p / (1 - never) for p in found]
    elif paytable.plays_round:
        raise PaytableError(f"{bet.name}: goes by how hands are played; it is counted of a round")
    else:
        counts = count(paytable, shoe, rules)
        numbers, total, unit = counts.lines, counts.total, counts.unit
        probabilities = [Fraction(number, total) for number in counts.lines]
    meter = Fraction(0) if paytable.meter is None else paytable.meter.value
    shares = (*(line.share for line in paytable.lines), Fraction(0))
    lines = tuple(
        LineResult(name, pays, number, probability, share, pays - share * meter)
        for name, pays, number, probability, share in zip(
            names, paytable.pays, numbers, probabilities, shares, strict=True
        )
    )
    return SideBetResult(bet.name, bet.title, paytable, shoe, rules, unit, lines, total, law)
