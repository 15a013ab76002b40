from typing import Any

import numpy as np
from numpy.typing import NDArray

TIE: float

class DealerTrie:
    n_rows: int
    n_steps: int
    max_depth: int
    n_sequences: int
    n_multisets: int
    most_terms: int
    n_outcomes: int
    def __init__(
        self, start: tuple[int, ...], hits_soft_17: bool, busts: bool = False, tells_22: bool = False
    ) -> None: ...
    def multisets(self) -> list[tuple[tuple[int, ...], int, int]]: ...

class HandGraph:
    counts: NDArray[np.uint8]
    next_hand: NDArray[np.int32]
    total: NDArray[np.uint8]
    soft: NDArray[np.uint8]
    cards: NDArray[np.uint8]
    size: int
    def __init__(
        self,
        counts: NDArray[np.uint8],
        next_hand: NDArray[np.int32],
        total: NDArray[np.uint8],
        soft: NDArray[np.uint8],
        cards: NDArray[np.uint8],
    ) -> None: ...

def dealer_probabilities(
    trie: DealerTrie,
    removed: NDArray[np.uint8],
    cards: NDArray[Any],
    inverse: NDArray[Any],
    field: NDArray[np.uint64],
    out: NDArray[Any],
) -> None: ...
def dealer_probabilities_together(
    tries: list[DealerTrie],
    removed: NDArray[np.uint8],
    cards: list[NDArray[np.float64]],
    inverse: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None: ...
def one_dealer_distribution(trie: DealerTrie, counts: tuple[int, ...]) -> tuple[float, ...]: ...
def versions() -> tuple[str, ...]: ...
def version() -> str: ...
def use_version(name: str) -> None: ...
def sweep(
    graph: HandGraph,
    may: NDArray[np.uint8],
    kinds: NDArray[np.uint8],
    pays: NDArray[Any],
    blackjack: NDArray[Any],
    dealer: NDArray[Any],
    rows: NDArray[np.int32],
    cards: NDArray[Any],
    inverse: NDArray[Any],
    small: NDArray[Any],
    total: int,
    reserved: int,
    hidden: int,
    peeks: bool,
    field: NDArray[np.uint64],
    pair: int,
    extra: int,
    optimise: bool,
    play: NDArray[np.uint8],
    out: NDArray[Any],
) -> None: ...

BLOCK: int
SET_BITS: int
VALUE_ROW: int
HIT_MORE_ROW: int
MORE_ROW: int
SWEEP_ROWS: int

class BlockSweep:
    def __init__(
        self,
        graph: HandGraph,
        pays: NDArray[np.float64],
        blackjack: NDArray[np.float64],
        dealer: NDArray[np.float64],
        cards: NDArray[np.float64],
        inverse: NDArray[np.float64],
        total: int,
        reserved: int,
        hidden: NDArray[np.int32],
        peeks: NDArray[np.uint8],
    ) -> None: ...
    def unsplit(
        self,
        rows: NDArray[np.int32],
        may: NDArray[np.uint8],
        kinds: NDArray[np.uint8],
        optimise: bool,
        room: NDArray[np.float64],
        play: NDArray[np.uint8],
        out: NDArray[np.float64],
        out_play: NDArray[np.uint8],
    ) -> None: ...
    def splits(
        self,
        pairs: list[int],
        rows: NDArray[np.int32],
        may: NDArray[np.uint8],
        kinds: NDArray[np.uint8],
        extras: NDArray[np.int32],
        optimise: bool,
        second: NDArray[np.int32],
        room: NDArray[np.float64],
        play: NDArray[np.uint8],
        out: NDArray[np.float64],
        more: NDArray[np.float64],
    ) -> None: ...

def block_zeros(*shape: int) -> NDArray[np.float64]: ...
def reach(
    graph: HandGraph,
    play: NDArray[np.uint8],
    counts: NDArray[np.int64],
    pair: int,
    extra: int,
    rows: NDArray[np.int32],
    reached: NDArray[np.uint8],
    needed: NDArray[np.uint8],
) -> int: ...

FULL_STARTS: int
FULL_FLAGS: dict[str, int]

class FullSplit:
    pair: int
    n_hands: int
    n_ends: int
    n_shoes: int
    def __init__(
        self,
        pair: int,
        counts: NDArray[np.uint8],
        next_hand: NDArray[np.int32],
        fitting: NDArray[np.uint8],
        kind: NDArray[np.uint8],
        flags: NDArray[np.uint8],
        second: NDArray[np.int8],
        terminal: NDArray[np.int32],
        busts: NDArray[np.int32],
        ends: NDArray[np.uint8],
        end_kind: NDArray[np.uint8],
        limits: NDArray[np.uint8],
    ) -> None: ...
    def values(
        self,
        tries: list[DealerTrie],
        numbers: list[tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]],
        pays: NDArray[np.float64],
        blackjack: list[NDArray[np.float64]],
        hidden: NDArray[np.int32],
        peeks: NDArray[np.uint8],
        total: int,
        reserved: int,
        in_turn: bool,
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...

def count_ways(
    graph: HandGraph, play: NDArray[np.uint8], counts: NDArray[np.int64], ways: NDArray[np.int64]
) -> bool: ...

class HandPairs:
    unions: NDArray[np.uint8]
    size: int
    of_pair: NDArray[np.int32]
    def __init__(self, hands: NDArray[np.uint8]) -> None: ...

def outcome_probabilities(
    taken: NDArray[np.uint8],
    dealer: NDArray[Any],
    cards: NDArray[Any],
    inverse: NDArray[Any],
    small: NDArray[Any],
    field: NDArray[np.uint64],
    bj_rank: int,
    out: NDArray[Any],
) -> None: ...
def add_hands(
    weights: NDArray[Any], ways: NDArray[Any], kinds: NDArray[np.int32], field: NDArray[np.uint64], out: NDArray[Any]
) -> None: ...
def add_pairs(
    pairs: HandPairs,
    weights: NDArray[Any],
    ways: NDArray[Any],
    kinds: NDArray[np.int32],
    small: NDArray[Any],
    field: NDArray[np.uint64],
    out: NDArray[Any],
) -> None: ...
def hit_margins(
    graph: HandGraph,
    pairs: NDArray[np.int32],
    extras: NDArray[np.int32],
    wanted: NDArray[np.int32],
    cards: NDArray[np.float64],
    inverse: NDArray[np.float64],
    drawable: int,
    may: NDArray[np.uint8],
    play: NDArray[np.uint8],
    to_stand: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None: ...
def row_margins(
    graph: HandGraph,
    pairs: NDArray[np.int32],
    extras: NDArray[np.int32],
    wanted: NDArray[np.int32],
    cards: NDArray[np.float64],
    inverse: NDArray[np.float64],
    drawable: int,
    may: NDArray[np.uint8],
    play: NDArray[np.uint8],
    margins: NDArray[np.float64],
    begin: NDArray[np.int32],
    hands: NDArray[np.int32],
    weights: NDArray[np.float64],
    rows: NDArray[np.uint8],
    coming: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None: ...
