"""Numbers among the options."""

from odds.errors import OddsError
from odds.game import quantities
from odds.game.fields import show_value


def whole(name: str, value: object, low: int | None, high: int | None) -> int:
    """Return the whole number that an option asks for, within bounds if there are any.

    Raises:
        OddsError: it is none, or out of bounds.
    """
    expected = quantities.WHOLE if high is None else f"a whole number from {low} to {high:,}"
    try:
        found = quantities.whole(value)
        if (low is not None and found < low) or (high is not None and found > high):
            raise ValueError
    except ValueError as error:
        raise _refused(name, expected, value, error) from None
    return found


def share(name: str, value: object) -> float:
    """Return the number that an option asks for, in doubles.

    Raises:
        OddsError: it is none.
    """
    try:
        return float(quantities.number(value))
    except (ValueError, OverflowError) as error:
        raise _refused(name, "a number such as 0.001 or 0.1%", value, error) from None


def _refused(name: str, expected: str, value: object, error: Exception) -> OddsError:
    reason = f" ({error})" if isinstance(error, ValueError) and str(error) else ""
    return OddsError(f"{name}: expected {expected}, got {show_value(value)}{reason}")
