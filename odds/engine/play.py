"""A fixed play as a table: which action every hand takes, however that was decided.

The best composition-dependent play, a chart and the play of a file all become tables of this kind; the engine then
values them, in doubles or in residues.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray


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
