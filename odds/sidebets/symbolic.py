"""A side bet as a formula in the number of decks.

The deals of a line are a sum of products of n - j, and n is a multiple of the number of decks d; so its probability is
a polynomial in d over another. sympy, an optional extra, shortens the fractions and writes them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from odds.errors import OddsError, PaytableError, ShoeError
from odds.extras import optional_module
from odds.game.deck import rank_words
from odds.game.rules import Rules
from odds.shown import Shown, long_fraction, with_exact
from odds.sidebets.count import polynomial, tally_of
from odds.sidebets.paytable import Paytable, SideBet
from odds.sidebets.results import SideBetResult, rules_words, table_of
from odds.sidebets.shoe import SuitedShoe

CHECKED_DECKS = tuple(range(1, 9))
VARIABLE = "d"


@dataclass(frozen=True, slots=True)
class LineFormula:
    """The probability of one line as a function of the number of decks.

    Attributes:
        name: as it is printed.
        probability: a sympy expression in `d`.
        limit: its limit for many decks.
    """

    name: str
    probability: Any
    limit: Fraction


@dataclass(frozen=True, slots=True)
class MeterFormula:
    """What a meter does to the EV as a function of the number of decks.

    Attributes:
        per_unit: a sympy expression in `d`, what each unit of the meter adds to the EV.
        limit: its limit for many decks.
        break_even: a sympy expression in `d`, the meter with an EV of 0; below 0 where none has.
        break_even_limit: its limit; None where it grows without end.
    """

    per_unit: Any
    limit: Fraction
    break_even: Any
    break_even_limit: Fraction | None

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON takes it: expressions and fractions as texts."""
        limit = None if self.break_even_limit is None else str(self.break_even_limit)
        return {
            "ev_per_unit": str(self.per_unit),
            "break_even": str(self.break_even),
            "latex": {"ev_per_unit": latex(self.per_unit), "break_even": latex(self.break_even)},
            "limit": {"ev_per_unit": str(self.limit), "break_even": limit},
        }


@dataclass(frozen=True, slots=True, repr=False)
class SideBetFormula(Shown):
    """The EV of a side bet as a function of the number of decks, `d`.

    The formulas hold for every whole number of decks from 1 that can be dealt; those of `checked` were compared with
    counts when this was made.

    Attributes:
        bet: what commands call the bet.
        paytable: what is paid.
        rules: of the game, for what is in each deck, and how the dealer plays or what is free where that matters.
        ev: a sympy expression in `d`, per unit bet.
        limit: its limit for many decks.
        lines: in the printed order, the losing one last.
        checked: the numbers of decks for which the formulas were compared with counts.
        meter: what the meter does; None where no line pays a share of one.
    """

    bet: str
    paytable: Paytable
    rules: Rules
    ev: Any
    limit: Fraction
    lines: tuple[LineFormula, ...]
    checked: tuple[int, ...]
    meter: MeterFormula | None = None

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row for each line, last the losing one: `name`, `pays`, `probability` as text, `limit`.

        `pays_exact` and `limit_exact` are the fractions as text.
        """
        return [
            {
                "name": line.name,
                **with_exact("pays", pays),
                "probability": str(line.probability),
                **with_exact("limit", line.limit),
            }
            for line, pays in zip(self.lines, self.paytable.pays, strict=True)
        ]

    def facts(self) -> list[tuple[str, ...]]:
        """Return the EV as a formula and its limit, what is paid, and how the dealer plays."""
        lacking = f" with {rank_words(lacks)}" if (lacks := self.rules.deck.lacks) else ""
        return [
            ("Side bet", f"{self.bet}, pays {self.paytable.name}"),
            ("EV", f"{self.ev} per unit bet"),
            ("Limit", long_fraction(self.limit, "for many decks")),
            ("Shoe", f"{VARIABLE} decks{lacking}{rules_words(self.paytable, self.rules)}"),
        ]

    def at(self, decks: int) -> Fraction:
        """Return the EV for a number of decks."""
        return _fraction(self.ev.subs(VARIABLE, decks))

    def to_dict(self) -> dict[str, Any]:
        """Return the formulas as JSON takes them: expressions and fractions as texts."""
        return {
            "paytable": self.paytable.name,
            "dealer_hits_soft_17": self.rules.dealer_hits_soft_17 if self.paytable.plays_dealer else None,
            "variable": VARIABLE,
            "ev": str(self.ev),
            "latex": latex(self.ev),
            "limit": {"ev": float(self.limit), "rtp": float(1 + self.limit), "exact": {"ev": str(self.limit)}},
            "lines": [
                {
                    "name": line.name,
                    "probability": str(line.probability),
                    "latex": latex(line.probability),
                    "limit": str(line.limit),
                }
                for line in self.lines
            ],
            "checked_decks": list(self.checked),
            **({} if self.meter is None else {"meter": self.meter.to_dict()}),
        }


def latex(formula: Any) -> str:
    """Return a sympy expression in LaTeX."""
    return str(_sympy().latex(formula))


def _sympy() -> Any:
    try:
        return optional_module("sympy", "formulas")
    except OddsError as error:
        raise PaytableError(str(error)) from None


def symbolic(bet: SideBet, paytable: Paytable, rules: Rules) -> SideBetFormula:
    """Return a side bet as a formula in the number of decks, checked against counts for 1 to 8 decks.

    Raises:
        PaytableError: sympy is not installed, or the bet goes by how hands are played.
        ShoeError: none of these numbers of decks has the cards for the bet.
    """
    if paytable.plays_round:
        raise PaytableError(
            f"--symbolic: {bet.name} goes by the result of a hand, for which there is no formula: the best play "
            "changes with the number of decks"
        )
    sympy = _sympy()
    d = sympy.Symbol(VARIABLE)
    counted = _counted(bet, paytable, rules)
    tally = tally_of(paytable, rules)
    numbers = [sympy.Poly(polynomial(line, tally.cards, paytable, rules.deck), d) for line in tally.lines]
    total = sum(numbers[1:], numbers[0])
    pays = [sympy.Rational(pay.numerator, pay.denominator) for pay in paytable.pays]
    net = sum((number * pay for number, pay in zip(numbers, pays, strict=True)), sympy.Poly(0, d))
    names = (*(line.name for line in paytable.lines), paytable.losing_line)
    lines = tuple(
        LineFormula(name, _written(sympy, number, total), _limit(number, total))
        for name, number in zip(names, numbers, strict=True)
    )
    meter = _meter(sympy, numbers, net, total, paytable)
    formula = SideBetFormula(
        bet.name, paytable, rules, _written(sympy, net, total), _limit(net, total), lines, tuple(counted), meter
    )
    _check(bet, formula, counted)
    return formula


def _meter(sympy: Any, numbers: Sequence[Any], net: Any, total: Any, paytable: Paytable) -> MeterFormula | None:
    if paytable.meter is None:
        return None
    shares = [sympy.Rational(line.share.numerator, line.share.denominator) for line in paytable.lines]
    shared = sum((number * share for number, share in zip(numbers, shares, strict=False)), net * 0)
    value = sympy.Rational(paytable.meter.value.numerator, paytable.meter.value.denominator)
    missing = shared * value - net
    limit = _limit(missing, shared) if shared.degree() >= missing.degree() else None
    return MeterFormula(_written(sympy, shared, total), _limit(shared, total), _written(sympy, missing, shared), limit)


def _counted(bet: SideBet, paytable: Paytable, rules: Rules) -> dict[int, SideBetResult]:
    """Return the counts to compare with, by number of decks; of decks that lack ranks, a few may be too few."""
    found = {}
    for decks in CHECKED_DECKS:
        try:
            found[decks] = table_of(bet, paytable, SuitedShoe.of_decks(decks, rules.deck), rules)
        except ShoeError:
            if decks == CHECKED_DECKS[-1] and not found:
                raise
    return found


def _written(sympy: Any, top: Any, bottom: Any) -> Any:
    """Return a fraction of polynomials in lowest terms, its top and bottom in factors."""
    factor, top, bottom = top.cancel(bottom)
    (over, top), (under, bottom) = (part.clear_denoms(convert=True) for part in (top, bottom))
    factor = factor * under / over
    return factor.p * sympy.factor(top.as_expr()) / (factor.q * sympy.factor(bottom.as_expr()))


def _limit(top: Any, bottom: Any) -> Fraction:
    """Return the limit of a fraction of polynomials in which the top's degree is at most the bottom's."""
    return _fraction(top.coeff_monomial(top.gen ** bottom.degree()) / bottom.LC())


def _fraction(number: Any) -> Fraction:
    return Fraction(int(number.p), int(number.q))


def _check(bet: SideBet, formula: SideBetFormula, counts: Mapping[int, SideBetResult]) -> None:
    """Compare the formulas with counts.

    Raises:
        ArithmeticError: they differ, which would be a defect of this program.
    """
    for decks, table in counts.items():
        meter = table.meter_return
        agrees = (
            formula.meter is None
            or meter is None
            or _fraction(formula.meter.per_unit.subs(VARIABLE, decks)) == meter.ev_per_unit
        )
        agrees &= formula.at(decks) == table.exact_ev and all(
            _fraction(line.probability.subs(VARIABLE, decks)) == counted.probability
            for line, counted in zip(formula.lines, table.lines, strict=True)
        )
        if not agrees:
            raise ArithmeticError(f"{bet.name}: the formula and the count differ for {decks} decks")
