"""The dealer's probabilities, kept for further rules with the same shoe and drawing rule.

How the dealer's hand ends, once some cards are gone, depends on nothing that the player may do, so it is worked out
once for all of a grid's rules that only differ in that.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from odds._kernel import block_zeros, dealer_probabilities
from odds.engine.hands import N_VALUES, removals
from odds.engine.player import DealerRows
from odds.numbers.arithmetic import DOUBLES

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from numpy.typing import NDArray

    from odds.engine.dealer import DealerStart
    from odds.engine.terms import Terms
    from odds.game.shoe import Shoe
    from odds.numbers.arithmetic import ShoeNumbers

# Of four hands some 10 MB each; an exposed dealer has seven.
_MOST_BLOCKS = 16
_MOST_STARTS = 64


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
        self.sets = removals(self._extras)
        for of_game in terms:
            self.hold(of_game)

    def hold(self, terms: Terms) -> None:
        """Have room for the sets of cards that hands of some rules take out of the shoe."""
        extras = tuple(map(max, self._extras, terms.extras))
        if extras != self._extras:
            self._extras, self.sets = extras, removals(extras)
            self._blocks.clear()
            self._starts.clear()

    def block(self, starts: Sequence[tuple[DealerStart, Shoe, ShoeNumbers]], terms: Terms) -> Pass:
        """Return what is known against some starts, for whoever knows more to fill in."""
        key = tuple(_key(start, shoe, terms) for start, shoe, _ in starts)
        found = self._blocks.pop(key, None)
        if found is None:
            size = len(self.sets.removed)
            found = Pass(block_zeros(size, terms.pays.n_totals), np.zeros(size, dtype=np.uint8))
        self._blocks[key] = found
        if len(self._blocks) > _MOST_BLOCKS:
            self._blocks.popitem(last=False)
        return found

    def rows(self, start: DealerStart, shoe: Shoe, numbers: ShoeNumbers, terms: Terms) -> DealerRows:
        """Return what is known against one start, in doubles."""
        key = _key(start, shoe, terms)
        found = self._starts.pop(key, None)
        if found is None:
            found = DealerRows(start, terms, numbers, sets=self.sets)
        self._starts[key] = found
        if len(self._starts) > _MOST_STARTS:
            self._starts.popitem(last=False)
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
