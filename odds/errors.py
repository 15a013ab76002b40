"""The errors a user can cause.

Every message says what was expected, what came, and where. The command line maps `OddsError` to one line on
stderr and exit code 2.
"""

from collections.abc import Iterable

# Below this share of letters in common, in order, a name is no slip of another.
_ALIKE = 0.65


class OddsError(Exception):
    """Anything wrong with what was asked for, as opposed to a defect in the program."""


class RulesError(OddsError, ValueError):
    """A rule field, or a combination of them, that cannot be used."""


class CatalogError(OddsError, ValueError):
    """A game name that is not known, or a game file that cannot be read."""


class ShoeError(OddsError, ValueError):
    """A shoe that cannot exist, or a card it does not hold."""


class HandError(OddsError, ValueError):
    """A hand, a dealer's card or a text of cards that cannot be used."""


class PaytableError(OddsError, ValueError):
    """A side bet or a paytable that is not known, cannot be read, or cannot be counted as asked."""


class StrategyError(OddsError, ValueError):
    """A strategy that cannot be read, or does not say what to do with some hand."""


class KernelError(OddsError, ValueError):
    """A version of the kernel's hot loops (`ODDS_KERNEL`) that is not known, or not for this processor."""


def suggestion(given: str, known: Iterable[str], otherwise: str) -> str:
    """Return the hint of an error about an unknown name: the name that was meant, if one is near, else another text.

    >>> suggestion("dekcs", ["decks", "charlie"], "the rules are ...")
    "did you mean 'decks'?"
    >>> suggestion("nope", ["reno"], "the games are ...")
    'the games are ...'
    """
    import difflib

    names = {name.lower(): name for name in known}
    near = difflib.get_close_matches(given.strip().lower(), names, n=1, cutoff=_ALIKE)
    return f"did you mean {names[near[0]]!r}?" if near else otherwise
