"""What each change of a cell of a column gains.

The EV is linear in what any one cell does, because no hand is looked up in a row twice on its way: every card raises
the hard total, which belongs to one hard and one soft row, and a pair that is split leaves the row of its first two
cards. The hands of a split add up. So a changed cell gains, summed over the hands of the cell, the weight with which
the play comes to the hand times what the other action is worth more there, both under the play as it is. One pass over
the hands for the values and one for the weights give the gains of all changes together. Longer hands of a row are added
up in parts whose hands any code treats alike: by what they may do and, where codes have numbers, by their cards.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from odds._kernel import hit_margins, row_margins
from odds.engine.actions import ACTIONS, DOUBLE, HIT, ROW, SPLIT, STAND, SURRENDER
from odds.engine.hands import N_VALUES, player_hands
from odds.strategy.chart import GAIN
from odds.strategy.codes import (
    CODES,
    FREE_TOTALS,
    PAIRS,
    TOTAL_OF,
    TOTALS,
    choices_doubled,
    doublings,
    longer_actions,
    numbered,
    plain,
    resolve,
    total_row,
    total_rows,
)
from odds.strategy.play import by_hand, level_codes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from odds._kernel import HandGraph
    from odds.engine.legal import Legal
    from odds.strategy.codes import Place
    from odds.strategy.column import Column, StartValue

    _Places = NDArray[np.int32]
    _Stages = tuple[HandGraph, _Places, _Places, _Places, NDArray[np.float64], NDArray[np.float64], int]

# Codes and rows by number.
_NUMBER_OF = {code: number for number, code in enumerate(CODES)}
_ROW_OF = {place: number for number, place in enumerate((*TOTALS, *FREE_TOTALS))}
_NUMBER_OF_PAIR = {place: pair for pair, place in enumerate(PAIRS)}
_ROW_OF_PAIR = tuple(_ROW_OF[TOTAL_OF[place]] for place in PAIRS)
_PAIR_OF_ROW = {row: pair for pair, row in enumerate(_ROW_OF_PAIR)}
_LATER = 1 << DOUBLE | 1 << SURRENDER
_N = len(TOTALS)
# Two cards: the hand, whether it counts as a pair before a split, the pair that was split, its level (`Legal.levels`).
_Key = tuple[int, bool, int | None, int]


@cache
def _by_codes(special: str, may: int, doubles_split: bool) -> NDArray[np.intp]:
    """Return what two cards do, by the number of their own code and that of their total's row; see `resolve`.

    Args:
        special: the code of an exception, which stands in for their own; or nothing.
        may: the legal actions.
        doubles_split: hands of a split may be doubled.
    """
    actions = [[resolve(special or own, total, may, doubles_split) for total in CODES] for own in CODES]
    return np.array(actions, dtype=np.intp)


class _Deal(NamedTuple):
    """Hands of two cards as a column asks for them, by number.

    First come those that the row of their total decides, by total: before a split, and those of each split. The rest,
    where there are splits, are the ten pairs before a split and the ten pairs among the hands of a split.

    Attributes:
        number: of each hand; see `_Key`.
        totals: number of the total's row of each, of those that it decides.
        of_split: the pair that was split, or -1; of the same.
        begin: where each total begins among the same.
        actions: of the same, by the number of the total's code.
        first: by pair, what it does by its code and its total's.
        after: by pair, what it does as a hand of its split.
        may: what may be done with longer hands, and doubled ones that have a choice: by stages that differ in it, and
            as `Legal.states` from the stage's level on.
        free: by the same stages, whether these are free hands.
        stage_of: which of them hands of the split of a pair are, and by None hands before a split; and their level.
    """

    number: Mapping[_Key, int]
    totals: NDArray[np.intp]
    of_split: NDArray[np.intp]
    begin: NDArray[np.intp]
    actions: NDArray[np.intp]
    first: Sequence[Sequence[Sequence[int]]]
    after: Sequence[Sequence[Sequence[int]]]
    may: NDArray[np.uint8]
    free: NDArray[np.bool_]
    stage_of: Mapping[tuple[int | None, int], int]


@lru_cache(maxsize=32)
def _deal(legal: Legal, surrenders: bool, exceptions: tuple[tuple[int, str], ...]) -> _Deal:
    special, two_cards, rows, graph = dict(exceptions), player_hands().two_cards, total_rows(), player_hands().graph
    free = legal.free_level or 0
    by_total: dict[_Key, NDArray[np.intp]] = {}
    by_pair: dict[_Key, NDArray[np.intp]] = {}
    offered = 0xFF & ~(0 if surrenders else 1 << SURRENDER)

    def table(hand: int, may: int) -> NDArray[np.intp]:
        return _by_codes(special.get(hand, ""), may, legal.doubles_split)

    for first, second in combinations_with_replacement(range(N_VALUES), 2):
        hand = int(two_cards[first, second])
        may = int(legal.before_split[hand]) & offered
        by_total[hand, False, None, 0] = table(hand, may & ~(1 << SPLIT))
        if first == second:
            (by_pair if legal.splits else by_total)[hand, True, None, 0] = table(hand, may)
    for pair in legal.split_pairs:
        for second, hand in enumerate(two_cards[pair].tolist()):
            decided = by_pair if second == pair else by_total
            decided[hand, False, pair, 0] = table(hand, int(legal.after_split[pair][hand]) & offered)
            if pair in legal.free_pairs:
                # No exception is meant for a free hand.
                may = int(legal.states(pair)[free * graph.size + hand]) & offered
                by_total[hand, False, pair, free] = _by_codes("", may, legal.doubles_split)
    n_rows = _N * (2 if legal.free_pairs else 1)
    row_of = {key: n_rows if rows[key[0]] == _N else int(rows[key[0]]) + (_N if key[-1] else 0) for key in by_total}
    plain = sorted(by_total, key=row_of.__getitem__)
    totals = np.array([row_of[key] for key in plain], dtype=np.intp)
    tables = [table.tolist() for table in by_pair.values()]
    longer = np.where(graph.cards > 2, offered, 0)
    doubled = longer | (1 << SURRENDER if legal.rescues else 0)
    mask = np.concatenate([longer, *[doubled] * max(choices_doubled(legal), default=0)]).astype(np.uint8)
    stages: list[tuple[int | None, int]] = [(pair, 0) for pair in (None, *legal.split_pairs)]
    stages += [(pair, free) for pair in legal.free_pairs]
    begins = [level * graph.size for _, level in stages]
    masked = [
        np.append(legal.states(pair)[begin : begin + len(mask)] & mask, begin > 0)
        for (pair, _), begin in zip(stages, begins, strict=True)
    ]
    kinds, of_kind = np.unique(np.stack(masked), axis=0, return_inverse=True)
    return _Deal(
        {key: number for number, key in enumerate([*plain, *by_pair])},
        totals,
        np.array([-1 if key[2] is None else key[2] for key in plain], dtype=np.intp),
        np.searchsorted(totals, np.arange(n_rows + 1)),
        np.array([by_total[key].diagonal() for key in plain]),
        tables[:N_VALUES],
        tables[N_VALUES:],
        np.ascontiguousarray(kinds[:, :-1]),
        kinds[:, -1] != 0,
        dict(zip(stages, of_kind.ravel().tolist(), strict=True)),
    )


class _StartGains:
    """The part of one dealer start in the gains of a column.

    A stage is hands before a split (the first), or hands of the split of a pair with so many further pair cards gone.

    Attributes:
        stages: by pair card, the numbers of its stages; by None the one before a split.
        stand: what the two-card hands are worth that stand, by number.
        values: what their other actions are worth more: by number and action; of hitting and splitting see `Gains`.
    """

    def __init__(self, start: StartValue, deal: _Deal) -> None:
        self._start = start
        n_hands, legal = player_hands().graph.size, start.analysis.terms.legal
        before = [(hand, weight, deal.number[hand, pair is not None, None, 0]) for hand, pair, weight in start.hands]
        dealt = {pair: weight for _, pair, weight in start.hands if pair is not None}
        self.stages: dict[int | None, list[int]] = {None: [0]}
        cards, items, may = [(0, 0, 0)], [before], [legal.before_split]
        for pair, hands_of in start.splits.items():
            self.stages[pair] = []
            for (extra, level), (hands, weights) in hands_of.items():
                self.stages[pair].append(len(cards))
                cards.append((pair, extra, level))
                may.append(legal.states(pair)[level * n_hands : (level + 1) * n_hands])
                items.append(
                    [
                        (hand, dealt[pair] * weight, deal.number[hand, False, pair, level])
                        for hand, weight in zip(hands.tolist(), weights.tolist(), strict=True)
                    ]
                )
        flat = [item for part in items for item in part]
        self._pairs, self._extras, self._levels = np.array(cards, dtype=np.int32).T.copy()
        self._may = np.stack(may)
        which = [deal.stage_of[pair if extra else None, level] for pair, extra, level in cards]
        self._followed = np.array(which, dtype=np.int32)
        self._begin = np.cumsum([0, *(len(part) for part in items)], dtype=np.int32)
        self._hands = np.array([hand for hand, _, _ in flat], dtype=np.int32)
        self._weights = start.probability * np.array([weight for _, weight, _ in flat])
        self._numbers = np.array([number for _, _, number in flat], dtype=np.intp)
        self._flat = np.repeat(np.arange(len(cards)), np.diff(self._begin)) * n_hands + self._hands
        self._to_stand = np.zeros((len(cards), n_hands))
        self._margins = np.zeros_like(self._to_stand)
        actions = SURRENDER - HIT if (deal.may & _LATER).any() else 0
        self._others = np.zeros((actions, len(cards), deal.may.shape[1]))
        self._coming = np.zeros(deal.may.shape[1])
        self._size = len(deal.number)
        self.read(np.zeros_like(deal.may))

    def read(self, plays: NDArray[np.uint8]) -> None:
        """Work out what depends on the play of doubled hands only.

        Args:
            plays: of states, by stages that differ in what they may do.
        """
        n_hands = player_hands().graph.size
        stand, double, surrender = (np.zeros(len(self._hands)) for _ in range(3))
        legal = self._start.analysis.terms.legal
        levels, play = legal.levels, np.full(legal.n_states, STAND, dtype=np.uint8)
        place_of = np.cumsum(player_hands().graph.cards == 2) - 1
        known: tuple[int, int] | None = None
        for stage, (pair, extra) in enumerate(zip(self._pairs.tolist(), self._extras.tolist(), strict=True)):
            play[n_hands : plays.shape[1]] = plays[self._followed[stage], n_hands:]
            here = slice(self._begin[stage], self._begin[stage + 1])
            if not levels and not len(self._others) and (stood := self._start.stood(pair, extra)) is not None:
                finished = self._may[stage] & (1 << HIT | 1 << DOUBLE) == 0
                self._to_stand[stage] = np.where(finished, 0.0, stood[0])
                two_cards = place_of[self._hands[here]]
                stand[here], double[here] = stood[1][two_cards], stood[2][two_cards]
                continue
            if (pair, extra) != known:  # own hands and free ones follow each other
                known, of_levels = (pair, extra), self._start.rows(play, pair, extra)
            begin = n_hands * self._levels[stage]
            rows = of_levels[:, begin : begin + plays.shape[1]]
            np.subtract(rows[HIT, :n_hands], rows[STAND, :n_hands], out=self._to_stand[stage])
            if len(self._others):
                np.subtract(rows[DOUBLE], rows[STAND], out=self._others[DOUBLE - DOUBLE, stage])
            if len(self._others) and levels:
                np.subtract(rows[ROW["surrender"]], rows[STAND], out=self._others[SURRENDER - DOUBLE, stage])
            stand[here] = rows[STAND, self._hands[here]]
            double[here] = rows[DOUBLE, self._hands[here]]
            if levels:
                surrender[here] = rows[ROW["surrender"], self._hands[here]] - stand[here]
        self.stand = self._by_number(stand)
        self.values = np.zeros((self._size, len(ACTIONS)))
        self.values[:, DOUBLE] = self._by_number(double - stand)
        if self._start.analysis.surrender != "none":
            before = self._begin[1]
            surrender[:before] = self._start.surrenders - stand[:before]
            self.values[:, SURRENDER] = self._by_number(surrender)

    def _by_number(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.bincount(self._numbers, self._weights * values, self._size).astype(np.float64, copy=False)

    def _hands_of(self, splits: Sequence[int | None]) -> _Stages:
        """Return the stages of some splits and the shoe, as the kernel takes them."""
        wanted = np.array([n for pair in splits for n in self.stages.get(pair, ())], dtype=np.int32)
        numbers, drawable = self._start.at.numbers, self._start.drawable
        return player_hands().graph, self._pairs, self._extras, wanted, numbers.cards, numbers.inverse, drawable

    def hits(self, plays: NDArray[np.uint8], splits: Sequence[int | None]) -> NDArray[np.float64]:
        """Value hands under a play; return by number what hitting two cards is worth more than standing.

        Args:
            plays: of hands of three cards or more, by stages that differ in what they may do.
            splits: pair cards, and None for the hands before a split; others are left as they were.
        """
        followed = (self._may, self._followed, plays, self._others)
        hit_margins(*self._hands_of(splits), *followed, self._to_stand, self._margins)
        return self._by_number(self._margins.ravel()[self._flat])

    def add_parts(
        self,
        plays: NDArray[np.uint8],
        splits: Sequence[int | None],
        acting: NDArray[np.intp],
        parts: NDArray[np.int32],
        out: NDArray[np.float64],
    ) -> None:
        """Add up by part what actions of hands of three cards or more are worth more, as the play comes to them.

        Args:
            plays: of them, as `hits` had it.
            splits: see `hits`.
            acting: by number, the action of two cards.
            parts: by play and state.
            out: by action and part.
        """
        followed = (self._may, self._followed, plays, self._others)
        hit, doubled = (self._weights * (acting[self._numbers] == action) for action in (HIT, DOUBLE))
        begun = (self._begin, self._hands, hit, doubled)
        row_margins(*self._hands_of(splits), *followed, self._margins, *begun, parts, self._coming, out)


class Gains:
    """What changes of single cells of a column gain, everything else being as it is.

    Exceptions for exact cards are hands that no cell decides; they stay as they are.
    """

    def __init__(
        self, column: Column, exceptions: Mapping[str, str] | None = None, *, numbered: bool | None = None
    ) -> None:
        """Prepare the column.

        Args:
            column: the column.
            exceptions: codes by hand.
            numbered: codes may have numbers; if left out, where the number of cards matters.
        """
        special = by_hand(exceptions or {})
        self._splits, self._legal = column.legal.splits, column.legal
        self._deal = _deal(column.legal, column.surrenders, tuple(special.items()))
        self._starts = [_StartGains(start, self._deal) for start in column.starts]
        n, n_plain = len(self._deal.number), len(self._deal.totals)
        self._n_plain, self._by_plain = n_plain, np.arange(n_plain)
        self._n = n
        self._read()
        # What a split is worth more than standing on the pair, where all hands of it stand.
        self._split_stand = np.zeros(N_VALUES)
        if self._splits:
            stand = sum((start.stand for start in self._starts), np.zeros(n))
            first, after = stand[n_plain : n_plain + N_VALUES], stand[n_plain + N_VALUES :]
            self._split_stand = self._by_split(stand[:n_plain]) + after - first
        self._special = special
        self._size = player_hands().graph.size
        self._levels = self._deal.may.shape[1] // self._size
        self._find_parts(column.by_cards if numbered is None else numbered)
        self._plays = np.zeros_like(self._deal.may)
        self._known: set[int | None] = set()
        self._plain_in_parts = np.stack([longer_actions(code)[self._part_cards, self._part_may] for code in CODES])

    def _read(self) -> None:
        self._values = sum((start.values for start in self._starts), np.zeros((self._n, len(ACTIONS))))

    def _find_parts(self, numbered: bool) -> None:
        """Number the parts of rows in which all longer hands are treated alike, and those of doubled hands."""
        graph, may, rows, levels = player_hands().graph, self._deal.may, total_rows(), self._levels
        # By stage and state; hands of 21, which have no row, stand. Rows of free hands follow, or of doubled ones.
        n_rows = _N * (levels + self._deal.free.any())
        of_levels = np.concatenate([np.where(rows < _N, rows + _N * level, n_rows) for level in range(levels)])
        self._cards = np.tile(graph.cards, levels)
        self._rows = np.minimum(of_levels + _N * self._deal.free[:, None], n_rows)
        decided = (self._cards > 2) & (self._rows < n_rows)
        decided[np.ix_(~self._deal.free, np.array([*self._special], dtype=np.intp))] = False
        apart = np.repeat([numbered, *[False] * (levels - 1)], graph.size)
        keys = ((self._rows * 32 + np.where(apart, self._cards, 3)) * 32 + (may & _LATER))[decided]
        parts, of_state = np.unique(keys, return_inverse=True)
        self._parts = np.full(may.shape, len(parts), dtype=np.int32)
        self._parts[decided] = of_state.ravel()
        self._begin_parts = np.searchsorted(parts, np.arange(n_rows + 1) * 1024).tolist()
        # Of hands never doubled, only those that may be hit are come to with a choice.
        hits = np.where(parts < (_N if levels > 1 else n_rows) * 1024, 1 << HIT, 0)
        self._part_cards, self._part_may = parts // 32 % 32, parts % 32 | 1 << STAND | hits

    def _longer(self, row: int, code: str) -> float:
        """Return what longer hands of a row are worth more by a code than if they stand."""
        begin, end = self._begin_parts[row : row + 2]
        if code in _NUMBER_OF:
            if row not in self._of_row:
                values = self._by_part[self._plain_in_parts[:, begin:end], np.arange(begin, end)]
                self._of_row[row] = values.sum(axis=1).tolist()
            return self._of_row[row][_NUMBER_OF[code]]
        if (row, code) not in self._of_numbered:
            actions = longer_actions(code)[self._part_cards[begin:end], self._part_may[begin:end]]
            self._of_numbered[row, code] = float(self._by_part[actions, np.arange(begin, end)].sum())
        return self._of_numbered[row, code]

    def two_best(self, place: Place, code: str, numbers: Sequence[Sequence[int]]) -> list[str]:
        """Return the two best codes of a total that are a plain one but for their numbers, the shorter where two tie.

        Args:
            place: of the total.
            code: the plain code.
            numbers: which there may be, see `numbered`; of use are those after which another action is better.
        """
        row = _ROW_OF[place]
        begin, end = self._begin_parts[row : row + 2]
        useful = {2}
        for first, second in combinations(self._by_part[[STAND, HIT, DOUBLE, SURRENDER], begin:end], 2):
            better, cards = np.sign(first - second), self._part_cards[begin:end]
            for may in set(self._part_may[begin:end].tolist()):
                at = np.flatnonzero((better != 0) & (self._part_may[begin:end] == may))
                useful.update(cards[at[:-1]][np.diff(better[at]) != 0].tolist())
        codes = numbered(code, *(tuple(number for number in of_wish if number in useful) for of_wish in numbers))
        values = [self._longer(row, form) for form in codes]
        first_best = next(at for at, value in enumerate(values) if value >= max(values) - GAIN)
        rest = [at for at in range(len(codes)) if at != first_best]
        return [codes[first_best], *(codes[at] for at in sorted(rest, key=lambda at: -values[at])[:1])]

    def _by_split(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return by pair card the sums over the hands of its split that their totals decide."""
        return np.bincount(self._deal.of_split + 1, values, N_VALUES + 1)[1:].astype(np.float64, copy=False)

    def look_at(self, codes: Mapping[Place, str]) -> None:
        """Take a column of codes as the play; `gain` says what changes of it gain."""
        deal = self._deal
        self._codes = [codes[place] for place in (*TOTALS, *(FREE_TOTALS if deal.free.any() else ()))]
        self._totals = [_NUMBER_OF[plain(code)] for code in self._codes]
        for times in range(1, self._levels):
            self._codes += level_codes(codes, self._legal, times)
        self._own = [_NUMBER_OF[plain(codes[place])] for place in PAIRS] if self._splits else []
        self._follow()
        totals = np.array([*self._totals, _NUMBER_OF["S"]])[deal.totals]
        self._acting = deal.actions[self._by_plain, totals]
        first = [self._first(pair) for pair in range(len(self._own))]
        self._split = [pair for pair, action in enumerate(first) if action == SPLIT]
        after = [self._after(pair) for pair in range(len(self._own))]
        self._rest: list[float] | None = None
        live = np.zeros(N_VALUES + 1, dtype=bool)
        live[[0, *(pair + 1 for pair in self._split)]] = True
        live_plain = live[deal.of_split + 1]
        splits = [None, *self._split]
        self._know(splits)
        acting = np.concatenate([self._acting, np.array([*first, *after], dtype=np.intp)])
        self._by_part = np.zeros((len(ACTIONS), len(self._part_cards) + 1))
        for start in self._starts:
            start.add_parts(self._plays, splits, acting, self._parts, self._by_part)
        self._of_row: dict[int, list[float]] = {}
        self._of_numbered: dict[tuple[int, str], float] = {}
        values = self._values[self._by_plain[:, None], deal.actions] * live_plain[:, None]
        # Added up in one order for every code, so that codes that mean the same are worth the same to the last digit.
        sums = np.add.reduceat(values, deal.begin, axis=0)
        sums[np.diff(deal.begin, append=self._n_plain) == 0] = 0.0
        self._by_total: list[list[float]] = sums.tolist()

    def _follow(self) -> None:
        """Work out the plays of hands of three cards or more; what was known of other ones is forgotten."""
        actions, may, size = (
            np.stack([longer_actions(code) for code in (*self._codes, "S")]),
            self._deal.may,
            self._size,
        )
        plays = actions[self._rows, self._cards, may]
        for hand, code in self._special.items():
            plays[~self._deal.free, hand] = longer_actions(code)[self._cards[hand], may[~self._deal.free, hand]]
        if not np.array_equal(plays[:, size:], self._plays[:, size:]):
            for start in self._starts:
                start.read(plays)
            self._read()
        if not np.array_equal(plays, self._plays):
            self._plays = plays
            self._known.clear()

    def _know(self, splits: Sequence[int | None]) -> None:
        """Value the hands of some splits (None: before a split) under the play."""
        unknown = [pair for pair in splits if pair not in self._known]
        if unknown:
            self._values[:, HIT] = sum(start.hits(self._plays, unknown) for start in self._starts)
            self._known.update(unknown)
        self._pair_values: list[list[float]] = self._values[self._n_plain :].tolist()

    def _first(self, pair: int) -> int:
        return self._deal.first[pair][self._own[pair]][self._totals[_ROW_OF_PAIR[pair]]]

    def _after(self, pair: int) -> int:
        return self._deal.after[pair][self._own[pair]][self._totals[_ROW_OF_PAIR[pair]]]

    def gain(self, changes: Mapping[Place, str]) -> float:
        """Return the EV of a round with a cell changed less that of the play as it is.

        Args:
            changes: the cell and its new code. The row of a total may bring along the row of its pair, if that does
                not begin or end to split.
        """
        gain, pair, own, total = 0.0, None, None, None
        for place, code in changes.items():
            if times := doublings(place[0]):
                doubled = times * _N + total_row(place[1])
                gain += self._longer(doubled, code) - self._longer(doubled, self._codes[doubled])
                continue
            new, row = _NUMBER_OF[plain(code)], _ROW_OF.get(place)
            if row is None:
                pair, own = _NUMBER_OF_PAIR[place], new
                continue
            values, total = self._by_total[row], new
            longer = self._longer(row, code) - self._longer(row, self._codes[row])
            gain = longer + (values[new] - values[self._totals[row]])
            if self._splits:
                pair = _PAIR_OF_ROW.get(row)
        if pair is None:
            return gain
        before = self._own[pair], self._totals[_ROW_OF_PAIR[pair]]
        return gain + self._of_pair(
            pair, before, (before[0] if own is None else own, before[1] if total is None else total)
        )

    def _of_pair(self, pair: int, old: tuple[int, int], new: tuple[int, int]) -> float:
        """Return what the first two cards and hands of a split that are a pair gain by other codes.

        Args:
            pair: its card.
            old: the code of its row and that of its total's.
            new: likewise.
        """
        first, after = self._deal.first[pair], self._deal.after[pair]
        action, new_action = first[old[0]][old[1]], first[new[0]][new[1]]
        # Before values are read: the value of a split that was not played needs a pass over its hands.
        rest = self._rests()[pair] if action != new_action and SPLIT in (action, new_action) else 0.0
        values, of_split = self._pair_values[pair], self._pair_values[N_VALUES + pair]
        worth = rest + of_split[after[old[0]][old[1]]] if action == SPLIT else values[action]
        new_worth = rest + of_split[after[new[0]][new[1]]] if new_action == SPLIT else values[new_action]
        return new_worth - worth

    def _rests(self) -> list[float]:
        """Return by pair card what its split is worth more than standing, all but the pairs among its hands."""
        if self._rest is None:
            self._know(range(N_VALUES))
            acting = self._values[self._by_plain, self._acting]
            self._rest = (self._split_stand + self._by_split(acting)).tolist()
        return self._rest
