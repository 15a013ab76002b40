"""Libraries that the package does without until something needs them."""

import importlib
from typing import Any

from odds.errors import OddsError


def optional_module(name: str, what: str) -> Any:
    """Return a module of a library that may not be installed.

    Args:
        name: of the module, which is found on an index by the name of its package.
        what: needs it, in the plural, such as `figures`.

    Raises:
        OddsError: the library is not installed.
    """
    try:
        return importlib.import_module(name)
    except ImportError:
        library = name.partition(".")[0]
        raise OddsError(f"{what} need {library}, which is not installed: pip install {library}") from None
