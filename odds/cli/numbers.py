"""Numbers among the options."""

from odds.errors import OddsError
from odds.game import quantities
from odds.game.fields import expected


def whole(name: str, value: object, low: int | None, high: int | None) -> int:
    """Return the whole number that an option asks for, within bounds if there are any.

    Raises:
        OddsError: it is none, or out of bounds.
    """
    allowed = quantities.WHOLE if high is None else f"a whole number from {low} to {high:,}"
    try:
        found = quantities.whole(value)
        if (low is not None and found < low) or (high is not None and found > high):
            raise ValueError
    except ValueError as error:
        raise OddsError(f"{name}: {expected(allowed, value, error)}") from None
    return found


def share(name: str, value: object) -> float:
    """Return the number that an option asks for, in doubles.

    Raises:
        OddsError: it is none.
    """
    try:
        return float(quantities.number(value))
    except (ValueError, OverflowError) as error:
        raise OddsError(f"{name}: {expected('a number such as 0.001 or 0.1%', value, error)}") from None
