"""Numbers among the options."""

from odds.errors import OddsError
from odds.game import quantities
from odds.game.fields import expected


def share(name: str, value: object) -> float:
    """Return the number that an option asks for, in doubles.

    Raises:
        OddsError: it is none.
    """
    try:
        return float(quantities.number(value))
    except (ValueError, OverflowError) as error:
        raise OddsError(f"{name}: {expected('a number such as 0.001 or 0.1%', value, error)}") from None
