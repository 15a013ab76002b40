"""The dealer's probabilities, kept for further rules with the same shoe and drawing rule.

How the dealer's hand ends, once some cards are gone, depends on nothing that the player may do, so it is worked out
once for all of a grid's rules that only differ in that.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from odds._kernel import block_zeros, dealer_probabilities
from odds.engine.hands import N_VALUES, removals
from odds.engine.player import DealerRows
from odds.numbers.arithmetic import DOUBLES

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from numpy.typing import NDArray

    from odds.engine.dealer import DealerStart
    from odds.engine.terms import Terms
    from odds.game.shoe import Shoe
    from odds.numbers.arithmetic import ShoeNumbers

# Of four hands some 10 MB each; an exposed dealer has seven.
_MOST_BLOCKS = 16
_MOST_STARTS = 64
Kept = TypeVar("Kept")


class Pass(NamedTuple):
    """What is known of the dealer against starts that lie side by side.

    Attributes:
        dealer: see `dealer_probabilities`.
        known: by set of cards gone, the starts that it is filled for, a sum of 1 << start.
    """

    dealer: NDArray[np.float64]
    known: NDArray[np.uint8]

    def part(self, sets: slice) -> Pass:
        """Return what is known of some of the sets of cards gone."""
        return Pass(self.dealer[sets], self.known[sets])


class Passes:
    """The dealer's probabilities that analyses share; every number is the same as without it.

    It serves any shoes and rules; what was asked for last is kept, and found again by rules that have the shoe, the
    drawing rule and no more hands in common. For one thread at a time.

    Attributes:
        sets: the sets of cards gone, of all the rules so far.
    """

    def __init__(self, terms: Iterable[Terms] = ()) -> None:
        """Take rules that are to come: those of the most hands, where they come first, need no more room later."""
        self._extras = (0,) * N_VALUES
        self._blocks: OrderedDict[Hashable, Pass] = OrderedDict()
        self._starts: OrderedDict[Hashable, DealerRows] = OrderedDict()
        self._rest: OrderedDict[Hashable, Any] = OrderedDict()
        self.sets = removals(self._extras)
        for of_game in terms:
            self.hold(of_game)

    def hold(self, terms: Terms) -> None:
        """Have room for the sets of cards that hands of some rules take out of the shoe."""
        extras = (max(*self._extras, *terms.extras),) * N_VALUES
        if extras != self._extras:
            self._extras, self.sets = extras, removals(extras)
            self._blocks.clear()
            self._starts.clear()

    def block(self, starts: Sequence[tuple[DealerStart, Shoe, ShoeNumbers]], terms: Terms) -> Pass:
        """Return what is known against some starts, for whoever knows more to fill in."""
        key = tuple(_key(start, shoe, terms) for start, shoe, _ in starts)

        def nothing() -> Pass:
            size = len(self.sets.removed)
            return Pass(block_zeros(size, terms.pays.n_totals), np.zeros(size, dtype=np.uint8))

        return _kept(self._blocks, key, nothing, _MOST_BLOCKS)

    def rows(self, start: DealerStart, shoe: Shoe, numbers: ShoeNumbers, terms: Terms) -> DealerRows:
        """Return what is known against one start, in doubles."""
        key = _key(start, shoe, terms)
        return _kept(self._starts, key, lambda: DealerRows(start, terms, numbers, sets=self.sets), _MOST_STARTS)

    def kept(self, key: Hashable, make: Callable[[], Kept]) -> Kept:
        """Return what is kept of a start, of 1 MB or so, by a key that says its kind and all that it depends on."""
        found: Kept = _kept(self._rest, key, make, 2 * _MOST_STARTS)
        return found


def _kept(there: OrderedDict[Hashable, Kept], key: Hashable, make: Callable[[], Kept], most: int) -> Kept:
    """Return what is there, or put it there; of the others those asked for last stay."""
    found = there.pop(key) if key in there else make()
    there[key] = found
    if len(there) > most:
        there.popitem(last=False)
    return found


def fill(
    part: Pass,
    starts: Sequence[tuple[DealerStart, Shoe, ShoeNumbers]],
    terms: Terms,
    removed: NDArray[np.uint8],
    wanted: NDArray[np.uint8],
) -> None:
    """Fill in the dealer's probabilities for some sets of cards gone that are wanted and not known yet.

    Args:
        part: of these sets.
        starts: at most `BLOCK`, side by side.
        terms: the rules.
        removed: the sets.
        wanted: by set, the starts that it is wanted of, a sum of 1 << start.
    """
    wanted = wanted & ~part.known
    if not wanted.any():
        return
    part.known[:] |= wanted
    dealer_probabilities(
        [terms.trie(start) for start, _, _ in starts],
        removed,
        [numbers.cards for _, _, numbers in starts],
        starts[0][2].inverse,
        DOUBLES.field,
        part.dealer,
        wanted,
    )


def _key(start: DealerStart, shoe: Shoe, terms: Terms) -> Hashable:
    return start.cards, shoe.counts, shoe.step, terms.dealer.hits_soft_17, terms.pays.n_totals
