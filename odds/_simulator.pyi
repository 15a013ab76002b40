from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

I64 = NDArray[np.int64]
I32 = NDArray[np.int32]
U8 = NDArray[np.uint8]
U16 = NDArray[np.uint16]

# What went wrong, the action asked for, the legal ones as bits, the hand's ranks, the value of the pair that was split.
Fault = tuple[int, int, int, list[int], int]

class SideBets:
    def __init__(self, bets: I32, parts: I32, tables: U8, lines: U8, steps: U16) -> None: ...

class Tally:
    def items(self) -> Iterator[tuple[tuple[int, ...], int]]: ...

class Referee:
    def __init__(
        self,
        rules: dict[str, Any],
        start_of: I32,
        next_hand: I32,
        first: U8,
        unsplit: U8,
        after_split: U8,
        split_row: I32,
        doubled: U8,
        doubled_after_split: U8,
        raised: U8,
        switched: U8,
    ) -> None: ...
    def tally(self) -> Tally: ...
    def play(
        self,
        capsule: object,
        shoe: U8,
        rounds: int,
        settled: Tally,
        insurance: I64,
        bets: SideBets | None = None,
        more_capsule: object = None,
        lines: I64 | None = None,
        endless: bool = False,
    ) -> Fault | None: ...
    def play_fixed(
        self, cards: U8, script: I32 | None, events: I32, bets: SideBets | None = None, lines: I64 | None = None
    ) -> dict[str, Any]: ...
