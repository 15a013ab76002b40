"""The dealer's probabilities, kept from one analysis to the next.

They depend on the shoe, the dealer's start and his drawing rule, and on nothing else that the rules say: rule sets that
have these in common share them, whatever may be done with hands and whatever these net.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from odds._kernel import block_zeros

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from numpy.typing import NDArray

    from odds.engine.terms import Terms
    from odds.game.shoe import Shoe

Kept = TypeVar("Kept")


class KnownPasses:
    """The dealer's probabilities against some starts side by side.

    Attributes:
        dealer: sets of cards gone (`Removals`, of the most hands asked for so far) x totals x starts.
        filled: by set, the starts of which they are known, a sum of 1 << start.
    """

    def __init__(self, n_totals: int) -> None:
        """Begin with nothing known."""
        self.dealer = block_zeros(0, n_totals)
        self.filled: NDArray[np.uint8] = np.zeros(0, dtype=np.uint8)

    def lacks(self, wanted: NDArray[np.uint8], first: int, starts: int) -> NDArray[np.uint8]:
        """Return what is wanted of sets from a first one on and not known yet; it counts as known from now on."""
        filled = self.filled[first : first + len(wanted)]
        missing: NDArray[np.uint8] = wanted & ~filled & np.uint8(starts)
        filled |= missing
        return missing

    def make_room(self, sets: int) -> None:
        """Let so many sets of cards have a place; what is known stays."""
        if (before := len(self.filled)) < sets:
            dealer, self.dealer = self.dealer, block_zeros(sets, self.dealer.shape[1])
            self.dealer[:before] = dealer
            self.filled = np.concatenate([self.filled, np.zeros(sets - before, dtype=np.uint8)])


class Passes:
    """The dealer's probabilities kept between analyses, and what follows from them whatever the play.

    Kept is what was asked for last. Each analysis or search that is to share them is handed the same object.

    Analyses of one shoe and drawing rule that follow each other share them; any others are right as well, and gain
    nothing. The results are the same to the last bit. Analyses that run at the same time need passes of their own.

    >>> from odds.game.rules import Rules
    >>> from odds.results.round import analyze
    >>> passes = Passes()
    >>> [round(analyze(Rules(decks=2, max_hands=hands), passes=passes).ev, 6) for hands in (1, 2)]
    [-0.004929, -0.001899]
    """

    def __init__(self, most: int = 16) -> None:
        """Keep no more than so many blocks of starts, of 4 to 8 MB each; an exposed game of one shoe has seven."""
        self._most = most
        self._rest: OrderedDict[Hashable, Any] = OrderedDict()
        self._known: OrderedDict[Hashable, KnownPasses] = OrderedDict()

    def of(self, starts: Sequence[tuple[tuple[int, ...], Shoe]], terms: Terms) -> KnownPasses:
        """Return what is known of a block of starts: the dealer's cards, and the shoe without them."""
        n_totals = terms.pays.n_totals
        key = tuple(starts), terms.dealer.hits_soft_17, n_totals
        known = _kept(self._known, key, lambda: KnownPasses(n_totals), self._most)
        known.make_room(len(terms.removals.removed))
        return known

    def kept(self, key: Hashable, make: Callable[[], Kept]) -> Kept:
        """Return what is kept by a key that says all that it depends on, and its kind; it is made if it is not there.

        There is room for some of each dealer start, of less than 1 MB each.
        """
        return _kept(self._rest, key, make, 8 * self._most)


def _kept(there: OrderedDict[Hashable, Any], key: Hashable, make: Callable[[], Kept], most: int) -> Kept:
    """Return what is there by a key, after making it if need be; of the others those asked for last stay."""
    found: Kept = there.pop(key) if key in there else make()
    there[key] = found
    while len(there) > most:
        there.popitem(last=False)
    return found
