"""A fixed play as a table: which action every hand takes, however that was decided.

The best composition-dependent play, a chart and the play of a file all become tables of this kind; the engine then
values them, in doubles or in residues.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from odds.engine.hands import player_hands

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from odds.engine.legal import Legal


@dataclass(frozen=True, slots=True)
class StartTable:
    """A fixed play against one dealer start.

    Attributes:
        cards: value indexes of what is seen of the dealer.
        first: the action of the first two cards, by the index of the hand and whether it may be split.
        unsplit: by hand, of three cards or more, the number of its action.
        doubled: what is done with a hand that was doubled, by the number of doublings less 1 and by hand: stand, double
            once more, or surrender, which stands for giving it up by a rescue or a surrender. No rows where there is
            nothing to decide after a double.
        after_split: for each pair card that is split, by hand of two cards or more, the number of its action. All hands
            of a split follow it, whatever the others hold.
        doubled_after_split: for each such pair card, what `doubled` is for the hands of its split.
    """

    cards: tuple[int, ...]
    first: Mapping[tuple[int, bool], str]
    unsplit: NDArray[np.uint8]
    after_split: Mapping[int, NDArray[np.uint8]]
    doubled: NDArray[np.uint8] = field(default_factory=lambda: np.zeros((0, 0), dtype=np.uint8))
    doubled_after_split: Mapping[int, NDArray[np.uint8]] = field(default_factory=dict)

    @classmethod
    def of_states(
        cls,
        cards: tuple[int, ...],
        first: Mapping[tuple[int, bool], str],
        play: NDArray[np.uint8],
        after_split: Mapping[int, NDArray[np.uint8]],
    ) -> StartTable:
        """Return the table of a play that is given as the kernel's sweep has it, level after level (`Legal.levels`)."""
        size = player_hands().graph.size
        apart = {pair: of_pair.reshape(-1, size) for pair, of_pair in after_split.items()}
        levels = np.ascontiguousarray(play).reshape(-1, size)
        of_hands = {pair: np.ascontiguousarray(of_pair[0]) for pair, of_pair in apart.items()}
        return cls(cards, first, levels[0], of_hands, levels[1:], {pair: rows[1:] for pair, rows in apart.items()})

    def states(self, legal: Legal, pair: int | None = None) -> NDArray[np.uint8]:
        """Return the play before a split, or of the hands of one, level after level; to stand where it says nothing."""
        play = self.unsplit if pair is None else self.after_split.get(pair)
        doubled = self.doubled if pair is None else self.doubled_after_split.get(pair)
        result = np.zeros(legal.n_states, dtype=np.uint8)
        if play is not None:
            result[: len(play)] = play
            if doubled is not None:
                result[len(play) : len(play) + doubled.size] = doubled.ravel()
        return result
