"""All dealer starts of a game at once: what hands and splits are worth against each of them, in doubles.

The values are those of `player.evaluate` and `splitting.split_value`. Starts lie side by side in the kernel, so that
one sweep over the hands values them against several; those behind which a blackjack may hide, of which more has to be
reckoned, form blocks of their own. Threads share the work, and whatever their number every number comes out the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from odds._kernel import BLOCK, DOUBLE, BlockSweep, block_zeros
from odds.arithmetic import MOST_GONE, tabulate_all
from odds.dealer import TOTALS, fill_final_probabilities
from odds.hands import N_VALUES, player_hands, removals
from odds.parallel import run_threads
from odds.player import HIT_ROW, N_ROWS, STAND_ROW, StartValues, doubles, kernel_settings
from odds.splitting import (
    SplitValue,
    check_split,
    draws_after_split,
    extras,
    hands_of_split,
    is_split_blackjack,
    may_double_split,
    play_again,
    split_weights,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from odds.arithmetic import ShoeNumbers
    from odds.dealer import DealerStart
    from odds.hands import Removals
    from odds.play import StartTable
    from odds.rules import Rules
    from odds.shoe import Shoe


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
    """Some dealer starts side by side; the last axis of every array is that of the starts."""

    def __init__(
        self, starts: Sequence[tuple[DealerStart, Shoe]], numbers: Sequence[ShoeNumbers], rules: Rules, sets: Removals
    ) -> None:
        self.starts, self.numbers, self.rules, self.sets = starts, numbers, rules, sets
        # Lanes without a start repeat the last one.
        self.lanes = [min(lane, len(starts) - 1) for lane in range(BLOCK)]
        self.dealer = block_zeros(len(sets.removed), len(TOTALS))
        self.values = block_zeros(N_ROWS, player_hands().graph.size)
        self.play = np.zeros((player_hands().graph.size, BLOCK), dtype=np.uint8)
        self.split_play: dict[int, NDArray[np.uint8]] = {}
        # Of the hands of a pair card and each second card: by cards gone, second card and start.
        self.two_cards: dict[int, NDArray[np.float64]] = {}

    def know_dealer(self, lane: int) -> None:
        """Find the dealer's probabilities of one start."""
        start, _ = self.starts[lane]
        fill_final_probabilities(start, self.rules, self.numbers[lane], self.sets.removed, self.dealer[:, :, lane])

    def sweep(self, split_class: str | None, tables: Sequence[StartTable] | None) -> None:
        """Find the values of all hands, before and after splits; `split_class` is None where splits are not wanted."""
        hands, rules, lanes = player_hands(), self.rules, self.lanes
        cards, inverse = block_zeros(N_VALUES, MOST_GONE), block_zeros(MOST_GONE)
        cards[...] = np.stack([self.numbers[lane].cards for lane in lanes], axis=-1)
        inverse[...] = self.numbers[0].inverse[:, None]
        settings = np.array([kernel_settings(rules, start, shoe.total) for start, shoe in self.starts])
        kernel = BlockSweep(hands.graph, settings, self.dealer, cards, inverse)
        if tables is not None:
            self.play[...] = np.stack([tables[lane].unsplit for lane in lanes], axis=-1)
        kernel.unsplit(self.sets.rows[0, 0], doubles(rules), tables is None, self.play, self.values)
        if split_class is None:
            return
        room = block_zeros(2, hands.graph.size)
        most = extras(rules)
        for pair in range(N_VALUES):
            if hands_of_split(rules, pair) == 1 or not any(shoe.counts[pair] > 1 for _, shoe in self.starts):
                continue
            may_double, draws = may_double_split(rules, pair), draws_after_split(rules, pair)
            optimise = tables is None and split_class == "cdp1"
            if tables is not None:
                none = np.zeros(hands.graph.size, dtype=np.uint8)
                play = np.stack([tables[lane].after_split.get(pair, none) for lane in lanes], axis=-1)
            elif optimise:
                play = self.play.copy()
            else:
                play = play_again(self.play, self.values[HIT_ROW], self.values[STAND_ROW], may_double, draws)
            values = np.zeros((most[pair] + 1, N_VALUES, BLOCK))
            kernel.split(
                pair, self.sets.rows[pair], may_double, draws, optimise, hands.pairs[pair], room, play, values
            )
            self.split_play[pair], self.two_cards[pair] = play, values

    def start_values(self, lane: int) -> StartValues:
        """Return the values of every hand against one start."""
        start, shoe = self.starts[lane]
        return StartValues(
            start,
            self.rules,
            shoe,
            self.numbers[lane],
            self.sets,
            self.dealer[:, :, lane],
            self.values[:, :, lane],
            self.play[:, lane],
        )


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
    sets = removals(extras(rules))
    numbers = tabulate_all([shoe.counts for _, shoe in starts])
    kinds = [[i for i, (start, _) in enumerate(starts) if (start.hidden_blackjack >= 0) == hidden] for hidden in (0, 1)]
    places = [kind[first : first + BLOCK] for kind in kinds for first in range(0, len(kind), BLOCK)]
    blocks = [_Block([starts[i] for i in at], [numbers[i] for i in at], rules, sets) for at in places]
    lanes = [(block, lane) for block in blocks for lane in range(len(block.starts))]
    run_threads(lambda item: item[0].know_dealer(item[1]), lanes, threads)
    run_threads(
        lambda block: block.sweep(split_class, tables and [tables[start.cards] for start, _ in block.starts]),
        blocks,
        threads,
    )
    found: dict[int, StartTogether] = {}
    for at, block in zip(places, blocks, strict=True):
        splits = [_splits(block, pair) for pair in block.two_cards]
        for lane, place in enumerate(at):
            by_pair = {pair: of[lane] for pair, of in zip(block.two_cards, splits, strict=True)}
            known = {pair: split for pair, split in by_pair.items() if split is not None}
            found[place] = StartTogether(block.start_values(lane), known)
    return [found[place] for place in range(len(starts))]


def _splits(block: _Block, pair: int) -> list[SplitValue | None]:
    """Return the split of a pair against each start of a block, None where its shoe cannot deal it.

    Raises:
        ShoeError: a shoe can deal it, and is too small to split it.
    """
    rules, n = block.rules, len(block.starts)
    shoes = [shoe for _, shoe in block.starts]
    weights = split_weights(shoes, rules, pair)
    hands = player_hands().pairs[pair]
    values = block.two_cards[pair][:, :, :n].copy()
    wagers = np.where(block.split_play[pair][hands, :n] == DOUBLE, 2.0, 1.0)[None, :, :] * np.ones_like(values)
    for second, hand in enumerate(hands.tolist()):
        blackjack = is_split_blackjack(hand, rules)
        for lane, (start, _) in enumerate(block.starts):
            if not blackjack and not start.peeks:
                continue
            at = block.start_values(lane)
            for extra in range(1, len(values)):
                p = at.p_blackjack(hand, extra, pair)
                if blackjack:
                    values[extra, second, lane] = at.blackjack_value(p, once=start.blackjack_costs_once)
                if start.peeks:
                    wagers[extra, second, lane] *= 1 - p
    value, wager = (weights * values).sum(axis=(0, 1)), (weights * wagers).sum(axis=(0, 1))
    number = weights.sum(axis=(0, 1))
    result: list[SplitValue | None] = []
    for lane, (start, shoe) in enumerate(block.starts):
        if shoe.counts[pair] < 2:
            result.append(None)
            continue
        check_split(start, shoe, rules, pair, float(value[lane]), float(number[lane]))
        result.append(SplitValue(float(value[lane]), float(wager[lane]), block.split_play[pair][:, lane]))
    return result
