"""All dealer starts of a game at once: what hands and splits are worth against each of them, in doubles.

The values are those of `player.evaluate` and `splitting.split_value`. Starts lie side by side in the kernel, so that
one sweep over the hands values them against several; those behind which a blackjack may hide, of which more has to be
reckoned, form blocks of their own. Threads share the work, and whatever their number every number comes out the same.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

import numpy as np

from odds._kernel import BLOCK, BlockSweep, block_zeros, dealer_probabilities_together
from odds.engine.dealer import TOTALS, dealer_trie
from odds.engine.hands import ACE, N_VALUES, TEN, player_hands, removals
from odds.engine.player import HIT_ROW, N_ROWS, STAND_ROW, DealerRows, StartValues, doubles, settings_of
from odds.engine.splitting import (
    SplitValue,
    check_split,
    deals_pair,
    draws_after_split,
    extras,
    hands_of_split,
    may_double_split,
    play_again,
    shoe_can_run_out,
    split_weights,
    weigh,
)
from odds.numbers.arithmetic import MOST_GONE, tabulate_all
from odds.parallel import run_threads

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from odds.engine.dealer import DealerStart
    from odds.engine.hands import Removals
    from odds.engine.play import StartTable
    from odds.game.rules import Rules
    from odds.game.shoe import Shoe
    from odds.numbers.arithmetic import ShoeNumbers


@dataclass(frozen=True, slots=True)
class StartTogether:
    """One dealer start of those that were valued together.

    Attributes:
        values: the values of every hand before a split.
        splits: of each pair that the shoe can deal and the rules split, by its value.
    """

    values: StartValues
    splits: Mapping[int, SplitValue]


class _Block:
    """Some dealer starts side by side.

    Attributes:
        starts: the starts, each with its shoe and that shoe's numbers.
        values: by start, the rows of `StartValues.values`.
        play: by start and hand.
        split_play: by pair card, the play of its hands after a split, by hand and start.
        two_cards: by pair card, of the hands of that card and a second one, the values, by number of pair cards gone
            beside those in the hand, second card and start; and the units wagered, by second card and start.
    """

    def __init__(
        self,
        starts: Sequence[tuple[DealerStart, Shoe, ShoeNumbers]],
        rules: Rules,
        values: NDArray[np.float64],
        play: NDArray[np.uint8],
    ) -> None:
        """Take the starts, and where their values and play are to be put."""
        self.starts, self.rules, self.values, self.play = starts, rules, values, play
        self.split_play: dict[int, NDArray[np.uint8]] = {}
        self.two_cards: dict[int, tuple[NDArray[np.float64], NDArray[np.float64]]] = {}
        # Lanes without a start repeat the last one.
        self._lanes = [min(lane, len(starts) - 1) for lane in range(BLOCK)]

    def know_dealer(self, room: _Room, first: int, last: int) -> None:
        """Find the dealer's probabilities for some of the sets of cards gone."""
        dealer_probabilities_together(
            [dealer_trie(start.cards, self.rules.dealer_hits_soft_17) for start, _, _ in self.starts],
            room.sets.removed[first:last],
            [numbers.cards for _, _, numbers in self.starts],
            self.starts[0][2].inverse,
            room.dealer[first:last],
        )

    def sweep(self, room: _Room, split_class: str | None, tables: Sequence[StartTable] | None) -> None:
        """Find the values of all hands, before and after splits; `split_class` is None where splits are not wanted."""
        hands, rules, rows = player_hands(), self.rules, room.sets.rows
        room.cards[...] = np.stack([self.starts[lane][2].cards for lane in self._lanes], axis=-1)
        room.inverse[...] = self.starts[0][2].inverse[:, None]
        total = self.starts[0][2].total
        settings = np.array([settings_of(rules, start, total) for start, _, _ in self.starts], dtype=np.int32)
        kernel = BlockSweep(hands.graph, settings, room.dealer, room.cards, room.inverse)
        before = room.play
        if tables is not None:
            before[...] = self._side_by_side([table.unsplit for table in tables])
        kernel.unsplit(rows[0, 0], doubles(rules), tables is None, room.values, before, self.values, self.play)
        if split_class is None:
            return
        splits = _split_rules(rules)
        pairs = [pair for pair in splits.pairs if any(shoe.counts[pair] > 1 for _, shoe, _ in self.starts)]
        if not pairs:
            return
        may_double, draws, most = splits.may_double, splits.draws, splits.extras
        if len(pairs) < len(splits.pairs):
            wanted = [splits.pairs.index(pair) for pair in pairs]
            may_double, draws, most = may_double[wanted], draws[wanted], most[wanted]
        if tables is not None:
            none = np.zeros(hands.graph.size, dtype=np.uint8)
            given = [[table.after_split.get(pair, none) for table in tables] for pair in pairs]
            play = np.stack([self._side_by_side(of_pair) for of_pair in given])
        elif split_class == "cdp1":
            play = np.repeat(before[None], len(pairs), axis=0)
        else:
            hit, stand = room.values[HIT_ROW], room.values[STAND_ROW]
            rest = zip(may_double, draws.tolist(), strict=True)
            play = np.stack([play_again(before, hit, stand, doubling, bool(drawing)) for doubling, drawing in rest])
        values = np.zeros((len(pairs), most.max() + 1, N_VALUES, BLOCK))
        units = np.ones((len(pairs), N_VALUES, BLOCK))
        optimise = tables is None and split_class == "cdp1"
        second, own_room = hands.pairs[pairs], room.split_values
        kernel.splits(pairs, rows, may_double, draws, most, optimise, second, own_room, play, values, units)
        n = len(self.starts)
        for number, pair in enumerate(pairs):
            self.split_play[pair] = play[number]
            self.two_cards[pair] = values[number, : most[number] + 1, :, :n], units[number, :, :n]

    def hands_of(self, pair: int, extras: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the entry of `two_cards` of a pair, with zeros and ones where it was not asked for."""
        n = len(self.starts)
        return self.two_cards.get(pair) or (np.zeros((extras, N_VALUES, n)), np.ones((N_VALUES, n)))

    def _side_by_side(self, plays: Sequence[NDArray[np.uint8]]) -> NDArray[np.uint8]:
        return np.stack([plays[lane] for lane in self._lanes], axis=-1)

    def start_values(self, lane: int, sets: Removals) -> StartValues:
        """Return the values of every hand against one start."""
        start, shoe, numbers = self.starts[lane]
        dealer = DealerRows(start, self.rules, numbers, sets)
        return StartValues(start, self.rules, shoe, numbers, dealer, self.values[lane], self.play[lane])


@dataclass(frozen=True, slots=True)
class _SplitRules:
    """What the rules say of splits, by pair that they split.

    Attributes:
        pairs: value indexes.
        may_double: by hand.
        draws: whether two cards may be hit.
        extras: the most pair cards gone beside those in a hand.
    """

    pairs: tuple[int, ...]
    may_double: NDArray[np.uint8]
    draws: NDArray[np.uint8]
    extras: NDArray[np.int32]


@lru_cache(maxsize=64)
def _split_rules(rules: Rules) -> _SplitRules:
    pairs = tuple(pair for pair in range(N_VALUES) if hands_of_split(rules, pair) > 1)
    return _SplitRules(
        pairs,
        np.array([may_double_split(rules, pair) for pair in pairs]),
        np.array([draws_after_split(rules, pair) for pair in pairs], dtype=np.uint8),
        np.array([extras(rules)[pair] for pair in pairs], dtype=np.int32),
    )


class _Room:
    """What one thread works in, block after block."""

    def __init__(self, sets: Removals) -> None:
        self.sets = sets
        self.dealer = block_zeros(len(sets.removed), len(TOTALS))
        self.cards, self.inverse = block_zeros(N_VALUES, MOST_GONE), block_zeros(MOST_GONE)
        self.values = block_zeros(5, player_hands().graph.size)
        self.play = np.zeros((player_hands().graph.size, BLOCK), dtype=np.uint8)
        self.split_values = block_zeros(2, player_hands().graph.size)


# Rooms that nobody works in: new memory is slow at first.
_ROOMS: list[_Room] = []
_MOST_ROOMS = 2


@contextmanager
def _room(sets: Removals) -> Iterator[_Room]:
    """Lend a room for these sets of cards gone."""
    try:
        room = _ROOMS.pop()
    except IndexError:
        room = _Room(sets)
    if room.sets is not sets:
        room = _Room(sets)
    yield room
    if len(_ROOMS) < _MOST_ROOMS:
        _ROOMS.append(room)


def evaluate_together(
    starts: Sequence[tuple[DealerStart, Shoe]],
    rules: Rules,
    split_class: str | None,
    tables: Mapping[tuple[int, ...], StartTable] | None = None,
    threads: int = 1,
) -> list[StartTogether]:
    """Return the values of hands and splits against some dealer starts of one game.

    Args:
        starts: dealer starts, each with the shoe without it.
        rules: the rules.
        split_class: `cdz` or `cdp1`; None leaves splits out.
        tables: the play to follow, by the dealer's cards; the best is found if left out.
        threads: how many threads work on it.

    Raises:
        ShoeError: a shoe is too small to split a pair that it can deal.
    """
    if not starts:
        return []
    sets = removals(extras(rules))
    numbers = tabulate_all([shoe.counts for _, shoe in starts])
    kinds = [[i for i, (start, _) in enumerate(starts) if (start.hidden_blackjack >= 0) == hidden] for hidden in (0, 1)]
    places = [kind[first : first + BLOCK] for kind in kinds for first in range(0, len(kind), BLOCK)]
    order = [place for at in places for place in at]
    # In one piece: large pieces of new memory come in large pages.
    size = player_hands().graph.size
    values, play = np.empty((len(starts), N_ROWS, size)), np.empty((len(starts), size), dtype=np.uint8)
    ends = [0, *accumulate(len(at) for at in places)]
    blocks = [
        _Block([(*starts[i], numbers[i]) for i in at], rules, values[first:last], play[first:last])
        for at, (first, last) in zip(places, pairwise(ends), strict=True)
    ]
    # Every thread has a part of the dealer's probabilities to find, then a block to sweep.
    parts = [len(sets.removed) * part // threads for part in range(threads + 1)]
    with ExitStack() as stack:
        rooms = [stack.enter_context(_room(sets)) for _ in range(min(threads, len(blocks)))]
        for number in range(0, len(blocks), len(rooms)):
            lent = list(zip(blocks[number:], rooms, strict=False))
            ranges = [(block, room, *part) for block, room in lent for part in pairwise(parts)]
            run_threads(lambda item: item[0].know_dealer(*item[1:]), ranges, threads)
            run_threads(lambda item: item[0].sweep(item[1], split_class, _tables_of(item[0], tables)), lent, threads)
    known_values = [block.start_values(lane, sets) for block in blocks for lane in range(len(block.starts))]
    scarce = np.array([shoe.counts for _, shoe in starts]).min(axis=0).tolist()
    checked = shoe_can_run_out(scarce, rules)
    splits: dict[int, list[_Split]] = {}
    for pairs in _alike([pair for pair in range(N_VALUES) if any(pair in block.two_cards for block in blocks)], rules):
        splits.update(_splits(blocks, known_values, pairs, checked))
    result = []
    for number in sorted(range(len(starts)), key=order.__getitem__):
        at, known = known_values[number], {}
        for pair in sorted(splits):
            split, hands = splits[pair][number]
            if split is not None:
                known[pair] = split
                if checked:
                    check_split(at.start, at.shoe, rules, pair, split.value, hands)
        result.append(StartTogether(at, known))
    return result


def _tables_of(block: _Block, tables: Mapping[tuple[int, ...], StartTable] | None) -> list[StartTable] | None:
    return None if tables is None else [tables[start.cards] for start, _, _ in block.starts]


def _alike(pairs: Sequence[int], rules: Rules) -> Iterator[list[int]]:
    """Yield pairs that are split into equally many hands together, and tens apart where their ranks matter."""
    groups: dict[tuple[int, bool], list[int]] = {}
    for pair in pairs:
        groups.setdefault((hands_of_split(rules, pair), rules.split_by == "rank" and pair == TEN), []).append(pair)
    yield from groups.values()


# A split where the shoe can deal the pair, and the expected number of its hands where that is asked for.
_Split = tuple["SplitValue | None", float]


def _splits(
    blocks: Sequence[_Block], starts: Sequence[StartValues], pairs: Sequence[int], counted: bool
) -> dict[int, list[_Split]]:
    """Return the splits of pairs that are alike against each start of some blocks, and if `counted` their hands."""
    rules, shoes = starts[0].rules, [at.shoe for at in starts]
    weights = split_weights(shoes, rules, pairs)
    two_cards, extras = player_hands().pairs[pairs], weights.shape[1]
    values = np.concatenate(
        [np.stack([block.hands_of(pair, extras)[0] for pair in pairs]) for block in blocks], axis=-1
    )
    wagers = np.empty_like(values)
    wagers[...] = np.concatenate(
        [np.stack([block.hands_of(pair, extras)[1] for pair in pairs]) for block in blocks], axis=-1
    )[:, None]
    for number, at in enumerate(starts):
        if at.start.hidden_blackjack < 0 and not rules.split_blackjack:
            continue
        for extra in range(1, extras):
            p = at.p_blackjacks(two_cards, extra, np.array(pairs))
            if rules.split_blackjack:
                blackjack = two_cards == player_hands().pairs[ACE, TEN]
                won = at.blackjack_value(p[blackjack], once=at.start.blackjack_costs_once)
                values[:, extra, :, number][blackjack] = won
            if at.start.peeks:
                wagers[:, extra, :, number] *= 1 - p
    value, wager = weigh(weights, values).tolist(), weigh(weights, wagers).tolist()
    in_all = weigh(weights, np.ones_like(values)) if counted else np.zeros((len(pairs), len(starts)))
    of_hands = in_all.tolist()
    lanes = [(block, lane) for block in blocks for lane in range(len(block.starts))]
    result: dict[int, list[_Split]] = {}
    for place, pair in enumerate(pairs):
        dealt = [deals_pair(shoe, rules, pair) for shoe in shoes]
        found = zip(dealt, lanes, value[place], wager[place], of_hands[place], strict=True)
        result[pair] = [
            (SplitValue(of_split, wagered, block.split_play[pair][:, lane]), hands) if is_dealt else (None, 0.0)
            for is_dealt, (block, lane), of_split, wagered, hands in found
        ]
    return result
