from typing import Any

import numpy as np
from numpy.typing import NDArray

# Long lists of arguments stand in groups.
# fmt: off

# Doubles or residues, and what computing with them takes: see `Arithmetic.field`.
Numbers = NDArray[Any]
Field = NDArray[np.uint64]
F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
I32 = NDArray[np.int32]
I8 = NDArray[np.int8]
U8 = NDArray[np.uint8]

TIE: float

class DealerTrie:
    max_depth: int
    n_sequences: int
    n_multisets: int
    most_terms: int
    n_outcomes: int
    def __init__(
        self, start: tuple[int, ...], hits_soft_17: bool, busts: bool = False, tells_22: bool = False, draws: int = 0
    ) -> None: ...
    def multisets(self) -> list[tuple[tuple[int, ...], int, int]]: ...

class HandGraph:
    counts: U8
    next_hand: I32
    total: U8
    soft: U8
    cards: U8
    size: int
    def __init__(self, counts: U8, next_hand: I32, total: U8, soft: U8, cards: U8) -> None: ...

def dealer_probabilities(
    tries: list[DealerTrie], removed: U8, cards: list[Numbers], inverse: Numbers, field: Field, out: Numbers,
    needed: U8 | None = None,
) -> None: ...
def one_dealer_distribution(trie: DealerTrie, counts: tuple[int, ...]) -> tuple[float, ...]: ...
def versions() -> tuple[str, ...]: ...
def version() -> str: ...
def use_version(name: str) -> None: ...
def sweep(
    graph: HandGraph, may: U8, kinds: U8, pays: Numbers, blackjack: Numbers, dealer: Numbers, rows: I32,
    cards: Numbers, inverse: Numbers, small: Numbers, total: int, reserved: int, hidden: int, peeks: bool, field: Field,
    given: Numbers, wagers: Numbers, offered: U8, moves: I32, free: U8, pair: int, extra: int, optimise: bool, play: U8,
    out: Numbers,
) -> None: ...

BLOCK: int
SET_BITS: int
VALUE_ROW: int
HIT_MORE_ROW: int
DOUBLE_MORE_ROW: int
GIVEN_ROW: int
MORE_ROW: int
SWEEP_ROWS: int

class BlockSweep:
    def __init__(
        self, graph: HandGraph, pays: F64, blackjack: F64, dealer: F64,
        cards: F64, inverse: F64, total: int, reserved: int, hidden: I32, peeks: U8,
        given: F64, wagers: F64, offered: U8, moves: I32, free: U8,
    ) -> None: ...
    def unsplit(
        self, rows: I32, may: U8, kinds: U8, optimise: bool, room: F64, play: U8, out: F64, out_play: U8
    ) -> None: ...
    def follow(
        self, pairs: list[int], rows: I32, may: U8, kinds: U8, first: int, extras: I32, second: I32, play: U8,
        known: int, asked: U8, needed: U8,
    ) -> None: ...
    def splits(
        self, pairs: list[int], rows: I32, may: U8, kinds: U8, first: int, extras: I32, optimise: bool, second: I32,
        room: F64, play: U8, out: F64, more: F64, asked: U8 | None = None,
    ) -> None: ...

def block_zeros(*shape: int) -> F64: ...
def reach(
    graph: HandGraph, play: U8, counts: I64, pair: int, extra: int, rows: I32, moves: I32, free: U8, reached: U8,
    needed: U8,
) -> int: ...

FULL_STARTS: int
FULL_FLAGS: dict[str, int]

class FullSplit:
    def __init__(
        self, pair: int, counts: U8, next_hand: I32, fitting: U8, kind: U8, flags: U8, second: I8,
        terminal: I32, busts: I32, ends: U8, end_kind: U8, limits: U8,
    ) -> None: ...
    def values(
        self, tries: list[DealerTrie], numbers: list[tuple[F64, F64]], pays: F64, blackjack: list[F64],
        hidden: I32, peeks: U8, total: int, reserved: int, in_turn: bool,
    ) -> tuple[F64, F64]: ...

def count_ways(graph: HandGraph, play: U8, counts: I64, ways: I64) -> bool: ...

class HandPairs:
    unions: U8
    size: int
    first: int
    last: int
    of_pair: I32
    def __init__(self, hands: U8, first: int = 0, last: int = -1) -> None: ...
    def wanted(self, kinds: I32, of_kinds: U8) -> U8: ...
    def drawn(self, pair: int, wanted: U8) -> tuple[U8, I32]: ...

def outcome_probabilities(
    taken: U8, dealer: Numbers,
    cards: Numbers, inverse: Numbers, small: Numbers, field: Field, bj_rank: int, out: Numbers,
) -> None: ...
def add_hands(weights: Numbers, ways: Numbers, kinds: I32, field: Field, out: Numbers) -> None: ...
def combine(weights: Numbers, numbers: I32, factors: Numbers, field: Field, known: U8, out: Numbers) -> None: ...
def add_pairs(
    pairs: HandPairs, weights: Numbers, ways: Numbers, kinds: I32, wanted: U8, known: U8, small: Numbers,
    field: Field, out: Numbers,
) -> None: ...
def hit_margins(
    graph: HandGraph, pairs: I32, extras: I32, wanted: I32, cards: F64, inverse: F64, drawable: int,
    may: U8, which: I32, plays: U8, others: F64, to_stand: F64, out: F64,
) -> None: ...
def row_margins(
    graph: HandGraph, pairs: I32, extras: I32, wanted: I32, cards: F64, inverse: F64, drawable: int,
    may: U8, which: I32, plays: U8, others: F64, margins: F64, begin: I32, hands: I32, hit: F64,
    doubled: F64, rows: I32, coming: F64, out: F64,
) -> None: ...

class SplitPlayed:
    def __init__(
        self, pair: int, begin: I32, moves: I32, ends: I32, first_line: I32, lines: I32, cards: U8, of_suit: int,
        ranks_of_ten: int, nets: I64, flags: U8, dealer: I8, dealer_start: int, hidden: int, peeks: bool, takes: int,
    ) -> None: ...
    def deal(self, shoe: I32, settled: int, free: int, rounds: int, seed: int, sums: I64, out: I64) -> None: ...
