"""A fixed play, and following it: which action every hand takes, however that was decided.

The best composition-dependent play, a chart and the play of a file all become tables of this kind; the engine then
values them, in doubles or in residues.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from odds.engine.decisions import StartAnalysis
from odds.engine.hands import removals
from odds.engine.player import DOUBLE_ROW, HIT_ROW, STAND_ROW, evaluate
from odds.engine.splitting import SplitHands, extras, split_hands
from odds.numbers.arithmetic import DOUBLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from odds.engine.player import StartValues
    from odds.numbers.arithmetic import Arithmetic

ROWS = {"stand": STAND_ROW, "hit": HIT_ROW, "double": DOUBLE_ROW}


@dataclass(frozen=True, slots=True)
class StartTable:
    """A fixed play against one dealer start.

    Attributes:
        cards: value indexes of what is seen of the dealer.
        first: the action of the first two cards, by the index of the hand and whether it may be split.
        unsplit: by hand, of three cards or more, 0 stand, 1 hit.
        after_split: for each pair card that is split, by hand of two cards or more, 0 stand, 1 hit, 2 double. All hands
            of a split follow it, whatever the others hold.
    """

    cards: tuple[int, ...]
    first: Mapping[tuple[int, bool], str]
    unsplit: NDArray[np.uint8]
    after_split: Mapping[int, NDArray[np.uint8]]


class FollowedStart(StartAnalysis):
    """The analysis of a dealer start under a fixed play, in any number system.

    Values of actions are those of the action followed by the play.
    """

    def __init__(
        self,
        of: StartAnalysis,
        table: StartTable,
        arithmetic: Arithmetic = DOUBLES,
        needed: NDArray[np.uint8] | None = None,
    ) -> None:
        """Follow `table` against the start, shoe and rules of another analysis.

        Args:
            of: the start, shoe and rules.
            table: the play.
            arithmetic: the number system.
            needed: which sets of cards gone the play comes to; all if left out.
        """
        super().__init__(of.start, of.shoe, of.rules, of.split_class, arithmetic)
        self.table, self._needed = table, needed
        self._hands: dict[int, SplitHands] = {}

    @cached_property
    def values(self) -> StartValues:
        """The values of every hand before a split, under the play."""
        sets = removals(extras(self.rules))
        play = self.table.unsplit.copy()
        return evaluate(self.start, self.shoe, self.rules, sets, self.arithmetic, play, self._needed)

    def _play_after_split(self, pair: int) -> NDArray[np.uint8]:
        if pair in self.table.after_split:
            return self.table.after_split[pair]
        return np.zeros_like(self.table.unsplit)

    def split_hand(self, pair: int, extra: int, hand: int, action: str) -> Any:
        """Return the value of an action of a hand of a split, with so many more pair cards gone."""
        if pair not in self._hands:
            self._hands[pair] = split_hands(self.values, pair, self.split_class, self._play_after_split(pair))
        values = self._hands[pair].values[extra]
        if values is None:
            raise ValueError("a hand of a split lacks at least one pair card")
        return self.arithmetic.read(values[ROWS[action], hand])
