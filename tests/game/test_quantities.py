"""Numbers as people write them."""

import json
import math
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from odds.game.quantities import decimal, number, payout, percentage, whole


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e6", Fraction(10**6)),
        ("1,000,000", Fraction(10**6)),
        ("1_000_000", Fraction(10**6)),
        ("12,345.5", Fraction(24691, 2)),
        ("0.1%", Fraction(1, 1000)),
        (" 96.5 % ", Fraction(965, 1000)),
        ("2.5:1", Fraction(5, 2)),
        ("3/2", Fraction(3, 2)),
        ("3 to 2", Fraction(3, 2)),
        ("3 TO 2", Fraction(3, 2)),
        ("6 : 5", Fraction(6, 5)),
        ("-0.5", Fraction(-1, 2)),
        ("−0.5", Fraction(-1, 2)),
        ("+.5", Fraction(1, 2)),
        ("2.5E-3", Fraction(25, 10**4)),
        (7, Fraction(7)),
        (1.1, Fraction(11, 10)),
    ],
)
def test_forms(text: object, value: Fraction) -> None:
    assert number(text) == value


@pytest.mark.parametrize(
    "text",
    [
        *("", "x", "1,00", "1,0000", ",100", "1__0", "_1", "1_", ".", "e6", "1e", "1 2", "1/2/3", "3/", "/2", "1/0"),
        *("1:0.0", "3to2", "5%%", "1/2%", "%", "nan", "inf", "٣", "--1", "1e401", "1e-401", "1e999999999", "9" * 1001),
    ],
)
def test_what_is_no_number(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        number(text)
    for value in (True, None, math.nan, math.inf, [1]):
        with pytest.raises(ValueError):  # noqa: PT011
            number(value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_what_json_prints_is_read(value: float) -> None:
    """Every double that we print, as text and as a number of Python's: that decimal, and so that double."""
    assert number(json.dumps(value)) == number(value) == Fraction(json.dumps(value))
    assert float(number(json.dumps(value))) == value


@given(st.integers(0, 10**30), st.sampled_from(["{:,}", "{:_}", "{}", "{}.0", "{}e0", "{}00e-2"]))
def test_whole_numbers(value: int, form: str) -> None:
    assert whole(form.format(value)) == whole(value) == value


@pytest.mark.parametrize("value", ["1.5", "1e-1", "1/2", 1.0, True, None])
def test_what_is_no_whole_number(value: object) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        whole(value)


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("99.15%", "99.15%"),
        (" 99.150 % ", "99.150%"),
        ("0.9915", "99.15%"),
        ("0.99150", "99.150%"),
        ("-.5%", "-0.5%"),
        ("1", "100%"),
        ("1e2%", "100%"),
        ("+99%", "99%"),
        ("1.2277526395173455", "122.77526395173455%"),
    ],
)
def test_percentages_keep_their_digits(text: str, printed: str) -> None:
    assert percentage(text) == printed


@pytest.mark.parametrize("text", ["99.15", "99.15%%", "99%1", "3/2", "x%", "%"])
def test_what_is_no_percentage(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        percentage(text)


def test_digits_are_kept() -> None:
    assert decimal("1,250.50").as_tuple() == Decimal("1250.50").as_tuple()


def test_payouts_stay_within_what_is_added_up_exactly() -> None:
    assert payout(0, 1000)("3 to 2") == payout(0, 1000)(1.5) == Fraction(3, 2)
    for value in (1 / 3, "1.2277526395173455", Fraction(1, 10**9)):
        with pytest.raises(ValueError, match="more digits"):
            payout(0, 1000)(value)
    for value in ("1001", "-1", 1001):
        with pytest.raises(ValueError, match=r"^$"):
            payout(0, 1000)(value)
