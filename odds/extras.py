"""Libraries that only an extra brings, imported when something needs them."""

import importlib
from typing import Any

from odds.errors import OddsError


def optional_module(name: str, what: str, extra: str) -> Any:
    """Return a module of a library that only an extra brings.

    Args:
        name: of the module.
        what: needs it, in the plural, such as `figures`.
        extra: brings the library.

    Raises:
        OddsError: the library is not installed.
    """
    try:
        return importlib.import_module(name)
    except ImportError:
        raise OddsError(
            f"{what} need {name.partition('.')[0]}, which is not installed; it comes with the extra: "
            f"pip install 'odds[{extra}]'"
        ) from None
