"""All dealer starts of a game at once: what hands and splits are worth against each of them, in doubles.

The values are those of `evaluate_start` and `split_value`. Starts lie side by side in the kernel, so that one sweep
over the hands values them against several; those behind which a blackjack may hide, of which more has to be reckoned,
form blocks of their own. Threads share the work, and whatever their number every number comes out the same.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

import numpy as np

from odds._kernel import BLOCK, GIVEN_ROW, HIT_MORE_ROW, SWEEP_ROWS, BlockSweep, block_zeros
from odds.engine.actions import HIT, STAND
from odds.engine.hands import N_VALUES, TEN, player_hands
from odds.engine.passes import Pass, fill
from odds.engine.player import start_values
from odds.engine.split_weights import split_weights, weigh
from odds.engine.splitting import SplitValue, check_split, play_again, shoe_can_run_out
from odds.engine.tens import deals_pair
from odds.numbers.arithmetic import DOUBLES, MOST_GONE, tabulate_all
from odds.parallel import run_threads

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from odds.engine.dealer import DealerStart
    from odds.engine.hands import Removals
    from odds.engine.legal import Legal
    from odds.engine.passes import Passes
    from odds.engine.pays import Pays
    from odds.engine.play import StartTable
    from odds.engine.player import StartValues
    from odds.engine.terms import Terms
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
        known: how many sets of cards gone the dealer's probabilities are first found for; of the others only those that
            the play of splits comes to.
        two_cards: by pair card, of the hands of that card and a second one, by number of pair cards gone beside those
            in the hand, second card and start: the values, and the units that their play adds to the first. Where
            splits may be free, the same of free hands after the second cards.
    """

    def __init__(
        self,
        starts: Sequence[tuple[DealerStart, Shoe, ShoeNumbers]],
        terms: Terms,
        split_class: str | None,
        tables: Sequence[StartTable] | None,
        values: NDArray[np.float64],
        play: NDArray[np.uint8],
        passes: Passes | None,
    ) -> None:
        """Take the starts, what is asked (see `evaluate_together`), and where values and play are to be put."""
        self.starts, self.terms, self.values, self.play = starts, terms, values, play
        self._passes, self._kept = passes, None if passes is None else passes.block(starts, terms)
        # Of what is kept, other rules ask for what these do not.
        self._asks = terms.asks_dealer if passes is None else np.full(len(passes.sets.removed), 255, dtype=np.uint8)
        self.split_class, self.tables = split_class, tables
        # The play of a split is found with one pair card gone, and followed with more.
        self._again = tables is None and split_class == "cdp1"
        up_to = (terms.removals if passes is None else passes.sets).up_to
        self.known = up_to[min(int(self._again), max(terms.extras))]
        self._splits: Callable[[], None] | None = None
        self.split_play: dict[int, NDArray[np.uint8]] = {}
        self.two_cards: dict[int, tuple[NDArray[np.float64], NDArray[np.float64]]] = {}
        # Lanes without a start repeat the last one.
        self._lanes = [min(lane, len(starts) - 1) for lane in range(BLOCK)]

    def know_dealer(self, room: _Room, first: int, last: int, *, followed: bool = False) -> None:
        """Find the dealer's probabilities for some of the sets of cards gone, if `followed` where they are needed."""
        if followed and self._splits is None:
            return
        part, wanted = slice(first, last), room.needed if followed else self._asks
        fill(self._pass(room).part(part), self.starts, self.terms, room.sets.removed[part], wanted[part])

    def _pass(self, room: _Room) -> Pass:
        """Return what is kept of the dealer, or what the room has of him, which is nothing yet."""
        return self._kept or Pass(room.dealer, np.zeros_like(room.needed))

    def sweep(self, room: _Room) -> None:
        """Find the values of all hands before splits, and the play of those after them."""
        tables = self.tables
        hands, legal, pays, rows = player_hands(), self.terms.legal, self.terms.pays, room.sets.rows
        room.cards[...] = np.stack([self.starts[lane][2].cards for lane in self._lanes], axis=-1)
        room.inverse[...] = self.starts[0][2].inverse[:, None]
        caught = [self.terms.settlement(self.starts[lane][0]).for_kernel(DOUBLES) for lane in self._lanes]
        room.blackjack[...] = np.stack(caught, axis=-1)
        hidden = np.array([start.hidden_blackjack for start, _, _ in self.starts], dtype=np.int32)
        peeks = np.array([start.peeks for start, _, _ in self.starts], dtype=np.uint8)
        arrays = (pays.for_kernel(DOUBLES), room.blackjack, self._pass(room).dealer, room.cards, room.inverse)
        start, _, numbers = self.starts[0]
        levels = [self.terms.for_kernel(self.starts[lane][0], DOUBLES) for lane in self._lanes]
        room.given[...] = np.stack([of_start.given for of_start in levels], axis=-1)
        offered = np.stack([of_start.offered for of_start in levels], axis=-1)
        given = room.given, levels[0].wagers, offered, levels[0].moves, levels[0].free
        kernel = BlockSweep(hands.graph, *arrays, numbers.total, start.out_of_reach, hidden, peeks, *given)
        before = room.play
        if tables is not None:
            before[...] = self._side_by_side([table.states(legal) for table in tables])
        optimise = tables is None
        kinds = pays.states(legal.levels, split=False)
        kernel.unsplit(rows[0, 0], legal.states(), kinds, optimise, room.values, before, self.values, self.play)
        if self.split_class is None:
            return
        pairs = [pair for pair in legal.split_pairs if any(shoe.counts[pair] > 1 for _, shoe, _ in self.starts)]
        if not pairs:
            return
        if tables is not None:
            play = np.stack([self._side_by_side([table.states(legal, pair) for table in tables]) for pair in pairs])
        elif self._again:
            play = np.repeat(before[None], len(pairs), axis=0)
        else:
            play = np.stack([play_again(before, room.values[HIT], room.values[STAND], legal, pair) for pair in pairs])
        most = np.array([self.terms.extras[pair] for pair in pairs], dtype=np.int32)
        may, seconds = np.array([legal.states(pair) for pair in pairs]), hands.two_cards[pairs]
        if legal.free_level is not None:  # hands of one's own, then free ones
            seconds = np.concatenate([seconds, seconds + legal.free_level * hands.graph.size], axis=1)
        values = np.zeros((len(pairs), most.max() + 1, seconds.shape[1], BLOCK))
        more = np.zeros_like(values)
        kinds = pays.states(legal.levels, split=True)
        if self._again:
            once = np.minimum(most, 1)
            kernel.splits(pairs, rows, may, kinds, 1, once, True, seconds, room.values, play, values, more)
        n, first = len(self.starts), 2 if self._again else 1
        for number, pair in enumerate(pairs):
            self.split_play[pair] = play[number]
            self.two_cards[pair] = values[number, : most[number] + 1, :, :n], more[number, : most[number] + 1, :, :n]
        if most.max() < first:
            return
        asked = np.zeros_like(may)
        room.needed[:] = 0
        kernel.follow(pairs, rows, may, kinds, first, most, seconds, play, self.known, asked, room.needed)
        self._splits = lambda: kernel.splits(
            pairs, rows, may, kinds, first, most, False, seconds, room.values, play, values, more, asked
        )

    def follow(self) -> None:
        """Find the values of the hands of splits under the play that is known for them."""
        if self._splits is not None:
            self._splits()

    def hands_of(self, pair: int, extras: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the entry of `two_cards` of a pair, with zeros where it was not asked for."""
        none = np.zeros((extras, N_VALUES * (1 + (self.terms.legal.free_level is not None)), len(self.starts)))
        return self.two_cards.get(pair) or (none, none)

    def _side_by_side(self, plays: Sequence[NDArray[np.uint8]]) -> NDArray[np.uint8]:
        return np.stack([plays[lane] for lane in self._lanes], axis=-1)

    def start_values(self, lane: int) -> StartValues:
        """Return the values of every hand against one start."""
        kept = None if self._passes is None else self._passes.rows(*self.starts[lane], self.terms)
        values = start_values(*self.starts[lane], self.terms, dealer=kept)
        return replace(values, values=self.values[lane], play=self.play[lane])


class _Room:
    """What one thread works in, block after block."""

    def __init__(self, sets: Removals, pays: Pays, legal: Legal) -> None:
        self.sets = sets
        self.dealer = block_zeros(len(sets.removed), pays.n_totals)
        self.needed = np.zeros(len(sets.removed), dtype=np.uint8)
        self.blackjack = block_zeros(len(pays.kinds), 2)
        self.given = block_zeros(legal.levels, 2)
        self.cards, self.inverse = block_zeros(N_VALUES, MOST_GONE), block_zeros(MOST_GONE)
        self.values = block_zeros(SWEEP_ROWS, legal.n_states)
        self.play = np.zeros((legal.n_states, BLOCK), dtype=np.uint8)


# Rooms that nobody works in: new memory is slow at first.
_ROOMS: list[_Room] = []
_MOST_ROOMS = 2


@contextmanager
def _room(terms: Terms, sets: Removals) -> Iterator[_Room]:
    """Lend a room for the hands of a game, and the sets of cards that they take out of the shoe."""
    wanted = _, pays, legal = sets, terms.pays, terms.legal
    room = _ROOMS.pop() if _ROOMS else _Room(*wanted)
    sizes = room.dealer.shape[1], len(room.blackjack), len(room.given)
    if room.sets is not sets or sizes != (pays.n_totals, len(pays.kinds), legal.levels):
        room = _Room(*wanted)
    yield room
    if len(_ROOMS) < _MOST_ROOMS:
        _ROOMS.append(room)


def evaluate_together(
    starts: Sequence[tuple[DealerStart, Shoe]],
    terms: Terms,
    split_class: str | None,
    tables: Mapping[tuple[int, ...], StartTable] | None = None,
    threads: int = 1,
    passes: Passes | None = None,
) -> list[StartTogether]:
    """Return the values of hands and splits against some dealer starts of one game.

    Args:
        starts: dealer starts, each with the shoe without it.
        terms: the rules, read.
        split_class: `cdz` or `cdp1`; None leaves splits out.
        tables: the play to follow, by the dealer's cards; the best is found if left out.
        threads: how many threads work on it.
        passes: what is known of the dealer, and is kept for others.

    Raises:
        ShoeError: a shoe is too small to split a pair that it can deal.
    """
    apart: dict[Terms, list[int]] = {}
    for place, (start, _) in enumerate(starts):
        apart.setdefault(terms.at(start), []).append(place)
    found: dict[int, StartTogether] = {}
    for of_group, places in apart.items():
        alike = [starts[place] for place in places]
        found.update(zip(places, _evaluate_alike(alike, of_group, split_class, tables, threads, passes), strict=True))
    return [found[place] for place in range(len(starts))]


def _evaluate_alike(
    starts: Sequence[tuple[DealerStart, Shoe]],
    terms: Terms,
    split_class: str | None,
    tables: Mapping[tuple[int, ...], StartTable] | None,
    threads: int,
    passes: Passes | None,
) -> list[StartTogether]:
    """Return what `evaluate_together` does, for starts against which the terms are the same."""
    if passes is not None:
        passes.hold(terms)
    sets = terms.removals if passes is None else passes.sets
    numbers = tabulate_all([shoe for _, shoe in starts])
    kinds = [[i for i, (start, _) in enumerate(starts) if (start.hidden_blackjack >= 0) == hidden] for hidden in (0, 1)]
    places = [kind[first : first + BLOCK] for kind in kinds for first in range(0, len(kind), BLOCK)]
    order = [place for at in places for place in at]
    # In one piece: large pieces of new memory come in large pages.
    size = terms.legal.n_states
    rows_of_units = HIT_MORE_ROW + 1 if terms.legal.doubles_later else HIT_MORE_ROW
    n_rows = GIVEN_ROW + 1 if terms.legal.levels else rows_of_units
    values, play = np.empty((len(starts), n_rows, size)), np.empty((len(starts), size), dtype=np.uint8)
    ends = [0, *accumulate(len(at) for at in places)]
    blocks = [
        _Block(
            [(*starts[i], numbers[i]) for i in at],
            terms,
            split_class,
            None if tables is None else [tables[starts[i][0].cards] for i in at],
            values[first:last],
            play[first:last],
            passes,
        )
        for at, (first, last) in zip(places, pairwise(ends), strict=True)
    ]
    # Every thread has a part of the dealer's probabilities to find, then a block to sweep; and once more.
    known, size = blocks[0].known, len(sets.removed)
    parts, more = (
        list(pairwise([first + (last - first) * part // threads for part in range(threads + 1)]))
        for first, last in ((0, known), (known, size))
    )
    with ExitStack() as stack:
        rooms = [stack.enter_context(_room(terms, sets)) for _ in range(min(threads, len(blocks)))]
        for number in range(0, len(blocks), len(rooms)):
            lent = list(zip(blocks[number:], rooms, strict=False))
            ranges = [(block, room, *part) for block, room in lent for part in parts]
            run_threads(lambda item: item[0].know_dealer(*item[1:]), ranges, threads)
            run_threads(lambda item: item[0].sweep(item[1]), lent, threads)
            ranges = [(block, room, *part) for block, room in lent for part in more]
            run_threads(lambda item: item[0].know_dealer(*item[1:], followed=True), ranges, threads)
            run_threads(lambda item: item[0].follow(), lent, threads)
    known_values = [block.start_values(lane) for block in blocks for lane in range(len(block.starts))]
    scarce = np.array([shoe.counts for _, shoe in starts]).min(axis=0).tolist()
    checked = shoe_can_run_out(scarce, terms.legal.most_hands)
    splits: dict[int, list[_Split]] = {}
    for pairs in _alike(
        [pair for pair in range(N_VALUES) if any(pair in block.two_cards for block in blocks)], terms.legal
    ):
        splits.update(_splits(blocks, known_values, pairs, checked, passes))
    result = []
    for number in sorted(range(len(starts)), key=order.__getitem__):
        at, of_pairs = known_values[number], {}
        for pair in sorted(splits):
            split, hands = splits[pair][number]
            if split is not None:
                of_pairs[pair] = split
                if checked:
                    check_split(at.start, at.shoe, terms, pair, split.value, hands)
        result.append(StartTogether(at, of_pairs))
    return result


def _alike(pairs: Sequence[int], legal: Legal) -> Iterator[list[int]]:
    """Yield pairs that are split into equally many hands together, and tens apart where their ranks matter."""
    groups: dict[tuple[int, bool, bool], list[int]] = {}
    for pair in pairs:
        alike = legal.split_into[pair], legal.like_tens and pair == TEN, pair in legal.free_pairs
        groups.setdefault(alike, []).append(pair)
    yield from groups.values()


# A split where the shoe can deal the pair, and the expected number of its hands where that is asked for.
_Split = tuple["SplitValue | None", float]


def _splits(
    blocks: Sequence[_Block], starts: Sequence[StartValues], pairs: Sequence[int], counted: bool, passes: Passes | None
) -> dict[int, list[_Split]]:
    """Return the splits of pairs that are alike against each start of some blocks, and if `counted` their hands."""
    legal, shoes = starts[0].terms.legal, [at.shoe for at in starts]

    def shared(*, first: bool) -> NDArray[np.float64]:
        key = "weights", first, *pairs, legal.split_into[pairs[0]], legal.like_tens and TEN in pairs, *shoes

        def weights() -> NDArray[np.float64]:
            return split_weights(shoes, legal, pairs, first=first)

        return weights() if passes is None else passes.kept(key, weights)

    weights = shared(first=False)
    two_cards, extras = player_hands().two_cards[pairs], weights.shape[1]
    values, wagers = (
        np.concatenate([np.stack([block.hands_of(pair, extras)[i] for pair in pairs]) for block in blocks], axis=-1)
        for i in (0, 1)
    )
    values, free_values = np.split(values, [N_VALUES], axis=2)
    wagers, free_wagers = np.split(wagers, [N_VALUES], axis=2)
    wagers += 1.0
    for number, at in enumerate(starts):
        if at.start.peeks and at.start.hidden_blackjack >= 0:
            for extra in range(1, extras):
                wagers[:, extra, :, number] -= at.p_blackjacks(two_cards, extra, np.array(pairs))
    free = pairs[0] in legal.free_pairs
    others = (free_values, free_wagers) if free else (values, wagers)
    found = [weigh(weights, of) for of in others]
    if free:
        own = shared(first=True)
        found = [
            all_free + weigh(own, of - of_free)
            for all_free, of, of_free in zip(found, (values, wagers), others, strict=True)
        ]
    value, wager = (of.tolist() for of in found)
    in_all = weigh(weights, np.ones_like(values)) if counted else np.zeros((len(pairs), len(starts)))
    of_hands = in_all.tolist()
    lanes = [(block, lane) for block in blocks for lane in range(len(block.starts))]
    result: dict[int, list[_Split]] = {}
    for place, pair in enumerate(pairs):
        dealt = [deals_pair(shoe, legal, pair) for shoe in shoes]
        rows = zip(dealt, lanes, value[place], wager[place], of_hands[place], strict=True)
        result[pair] = [
            (SplitValue(of_split, wagered, block.split_play[pair][:, lane]), hands) if is_dealt else (None, 0.0)
            for is_dealt, (block, lane), of_split, wagered, hands in rows
        ]
    return result
