from typing import Any

import numpy as np
from numpy.typing import NDArray

# What went wrong, the action asked for, the legal ones as bits, the hand's ranks, the value of the pair that was split.
Fault = tuple[int, int, int, list[int], int]

class SideBets:
    def __init__(
        self, bets: NDArray[np.int32], parts: NDArray[np.int32], tables: NDArray[np.uint8], lines: NDArray[np.uint8]
    ) -> None: ...

class Referee:
    def __init__(
        self,
        rules: dict[str, Any],
        start_of: NDArray[np.int32],
        next_hand: NDArray[np.int32],
        first: NDArray[np.uint8],
        unsplit: NDArray[np.uint8],
        after_split: NDArray[np.uint8],
        split_row: NDArray[np.int32],
    ) -> None: ...
    def play(
        self,
        capsule: object,
        shoe: NDArray[np.uint8],
        rounds: int,
        settled: NDArray[np.int64],
        insurance: NDArray[np.int64],
        bets: SideBets | None = None,
        more_capsule: object = None,
        lines: NDArray[np.int64] | None = None,
    ) -> Fault | None: ...
    def play_fixed(
        self,
        cards: NDArray[np.uint8],
        script: NDArray[np.int32] | None,
        events: NDArray[np.int32],
        bets: SideBets | None = None,
        lines: NDArray[np.int64] | None = None,
    ) -> dict[str, Any]: ...
