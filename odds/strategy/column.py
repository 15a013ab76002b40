"""One column of a chart: the EV of its rounds, and what each change of a cell gains.

The EV is linear in what any one cell does, because no hand is looked up in a row twice on its way: every card raises
the hard total, which belongs to one hard and one soft row, and a pair that is split leaves the row of its first two
cards. The hands of a split add up. So a changed cell gains, summed over the hands of the cell, the weight with which
the play comes to the hand times what the other action is worth more there, both under the play as it is. One pass over
the hands for the values and one for the weights give the gains of all changes together.
"""

from __future__ import annotations

from functools import cache, cached_property, lru_cache
from math import fsum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from odds._kernel import HIT, STAND, hit_margins, row_margins
from odds.engine.dealer import dealer_starts, remove_start, start_probability
from odds.engine.decisions import GIVEN, StartAnalysis, stands_by_itself, surrender_offered
from odds.engine.hands import N_VALUES, player_hands
from odds.engine.player import DOUBLE_ROW, HIT_ROW, STAND_ROW, VALUE_ROW, doubles, sweep_hands
from odds.engine.splitting import draws_after_split, hands_of_split, is_split_blackjack, may_double_split, split_weights
from odds.results.round import first_hands, round_is_over
from odds.strategy.table import (
    CODES,
    HARD_ROWS,
    PAIR_ROWS,
    SOFT_ROWS,
    STANDING,
    ColumnPlay,
    Place,
    by_hand,
    place_of,
    resolve,
    total_rows,
    two_cards,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from odds.engine.player import StartValues
    from odds.game.rules import Rules
    from odds.game.shoe import Shoe
    from odds.results.starts import StartGroup

_ROW_OF_ACTION = {"stand": STAND_ROW, "hit": HIT_ROW, "double": DOUBLE_ROW}
# What two cards do, as numbers.
_ACTIONS = ("stand", "hit", "double", "surrender", "split")
_STAND, _HIT, _DOUBLE, _SURRENDER, _SPLIT = range(len(_ACTIONS))
_NUMBER = {code: number for number, code in enumerate(CODES)}
_HITS = tuple(0 if code in STANDING else 1 for code in CODES)
# The rows of totals, and last that of 21, which has no cell and stands.
_TOTALS: tuple[Place, ...] = (*(("hard", row) for row in HARD_ROWS), *(("soft", row) for row in SOFT_ROWS))
_NUMBER_OF_TOTAL = {place: number for number, place in enumerate(_TOTALS)}
_TOTAL_ROWS = tuple(int(row) + 32 * (section == "soft") for section, row in _TOTALS)
_N_ROWS = 64
_PAIRS: tuple[Place, ...] = tuple(("pairs", row) for row in PAIR_ROWS)
_NUMBER_OF_PAIR = {place: pair for pair, place in enumerate(_PAIRS)}
_TOTAL_OF_PAIR = tuple(_NUMBER_OF_TOTAL[place_of((pair, pair))] for pair in range(N_VALUES))
_PAIR_OF_TOTAL = {total: pair for pair, total in enumerate(_TOTAL_OF_PAIR)}
# Two cards: the hand, whether it counts as a pair before a split, the pair that was split.
_Key = tuple[int, bool, int | None]


class StartValue:
    """The value of all rounds against one dealer start, as a function of the play.

    The dealer's probabilities do not depend on the play and are worked out once.
    """

    def __init__(self, analysis: StartAnalysis, probability: float) -> None:
        self.analysis, self.probability = analysis, probability
        rules, shoe = analysis.rules, analysis.shoe
        deals = shoe.total * (shoe.total - 1)
        self.hands = []
        constant = []
        for hand in first_hands(shoe, rules):
            weight = float(hand.ways / deals)
            if round_is_over(analysis, hand):
                constant.append(weight * self.at.blackjack_value(self.at.p_blackjack(hand.index)))
                continue
            self.hands.append((hand.index, hand.pair, weight))
            if analysis.start.blackjack_costs_once:
                constant.append(-weight * self.at.p_blackjack(hand.index))
        self.constant = fsum(constant)
        # Cards that the player can draw, those in his hand among them: a hole card stays.
        self.drawable = shoe.total - (1 if analysis.start.hole_card_dealt else 0)

    @cached_property
    def at(self) -> StartValues:
        """The start's values under the best play; the dealer's part of them does not depend on the play."""
        return self.analysis.values

    @cached_property
    def surrenders(self) -> dict[int, float]:
        """The value of surrendering, by hand."""
        return {hand: self.analysis.joint_value(hand, "surrender") for hand, _, _ in self.hands}

    @cached_property
    def terms(self) -> dict[int, dict[int, tuple[NDArray[np.int64], NDArray[np.float64], float]]]:
        """By pair card and number of further ones gone: hands, their weights, and what needs no play."""
        rules, at = self.analysis.rules, self.at
        result: dict[int, dict[int, tuple[NDArray[np.int64], NDArray[np.float64], float]]] = {}
        for pair in {pair for _, pair, _ in self.hands if pair is not None}:
            result[pair] = {}
            if hands_of_split(rules, pair) == 1:
                continue
            by_extra: dict[int, list[tuple[int, float]]] = {}
            for (extra, second, _), weight in np.ndenumerate(split_weights([at.shoe], rules, [pair])[0]):
                if weight:
                    by_extra.setdefault(extra, []).append((int(player_hands().pairs[pair, second]), float(weight)))
            for extra, items in by_extra.items():
                fixed = fsum(
                    weight * at.blackjack_value(at.p_blackjack(hand, extra, pair), once=at.start.blackjack_costs_once)
                    for hand, weight in items
                    if is_split_blackjack(hand, rules)
                )
                played = [item for item in items if not is_split_blackjack(item[0], rules)]
                result[pair][extra] = (
                    np.array([hand for hand, _ in played], dtype=np.int64),
                    np.array([weight for _, weight in played]),
                    fixed,
                )
        return result

    def rows(self, play: NDArray[np.uint8], pair: int = 0, extra: int = 0) -> NDArray[np.float64]:
        """Return the values of all hands under a play, in the rows of `StartValues.values`; see `sweep_hands`."""
        rules = self.analysis.rules
        return sweep_hands(
            self.at,
            play.copy(),
            may_double=may_double_split(rules, pair) if extra else doubles(rules),
            optimise=False,
            pair=pair,
            extra=extra,
            draws=draws_after_split(rules, pair) if extra else True,
        )

    def split(self, pair: int, play: NDArray[np.uint8]) -> float:
        """Return the value of a split under a play of its hands."""
        return fsum(
            float(weights @ self.rows(play, pair, extra)[VALUE_ROW, hands]) + fixed
            for extra, (hands, weights, fixed) in self.terms[pair].items()
        )

    def value(self, play: ColumnPlay) -> float:
        """Return the EV of all rounds of this start, times the probability of the start."""
        rows = self.rows(play.unsplit)
        parts = [self.constant]
        for hand, pair, weight in self.hands:
            action = play.first[hand, pair is not None]
            if action == "split" and pair is not None:
                parts.append(weight * self.split(pair, play.after_split(pair)))
            elif action == "surrender":
                parts.append(weight * self.surrenders[hand])
            else:
                parts.append(weight * float(rows[_ROW_OF_ACTION[action], hand]))
        return self.probability * fsum(parts)


class Column:
    """One column of a chart: its dealer starts, and its value as a function of its codes.

    Attributes:
        group: the starts.
        rules: the rules.
        surrender: how it is offered against the column.
        starts: those that the shoe can deal.
    """

    def __init__(
        self, group: StartGroup, rules: Rules, shoe: Shoe, analysis: Callable[[str], StartAnalysis] | None = None
    ) -> None:
        """Prepare the starts of the column.

        Args:
            group: the starts.
            rules: the rules.
            shoe: the cards before the deal.
            analysis: gives the analysis of a start, where there is one already; any split class will do.
        """
        self.group, self.rules = group, rules
        labels = set(group.starts)
        self.starts = []
        self.surrender = "none"
        for start in dealer_starts(rules):
            probability = start_probability(start, shoe)
            if start.label in labels and probability:
                self.surrender = surrender_offered(rules, start)
                if analysis is None:
                    found = StartAnalysis(start, remove_start(shoe, start), rules, GIVEN)
                else:
                    found = analysis(start.label)
                self.starts.append(StartValue(found, float(probability)))

    def value(self, codes: Mapping[Place, str], exceptions: Mapping[str, str] | None = None) -> float:
        """Return what the rounds of this column add to the EV of a round."""
        play = ColumnPlay(codes, exceptions or {}, self.rules, self.surrender)
        return fsum(start.value(play) for start in self.starts)


@cache
def _by_codes(
    special: str, surrender: bool, split: bool, double: bool, draws: bool, split_doubles: bool
) -> NDArray[np.intp]:
    """Return what two cards do, by the number of their own code and that of their total's row; see `resolve`.

    Args:
        special: the code of an exception, which stands in for their own; or nothing.
        surrender: whether it is offered.
        split: whether they may be split.
        double: whether they may be doubled.
        draws: whether they may be hit; they stand if not.
        split_doubles: whether hands of a split may be doubled.
    """
    table = np.zeros((len(CODES), len(CODES)), dtype=np.intp)
    for own, code in enumerate(CODES):
        for total, total_code in enumerate(CODES):
            action = resolve(special or code, total_code, surrender, split, double, split_doubles)
            table[own, total] = _ACTIONS.index(action if draws or action != "hit" else "stand")
    return table


def _number_of(total: Place) -> int:
    return _NUMBER_OF_TOTAL.get(total, len(_TOTALS))


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
    """

    number: Mapping[_Key, int]
    totals: NDArray[np.intp]
    of_split: NDArray[np.intp]
    begin: NDArray[np.intp]
    actions: NDArray[np.intp]
    first: Sequence[Sequence[Sequence[int]]]
    after: Sequence[Sequence[Sequence[int]]]


@lru_cache(maxsize=32)
def _deal(rules: Rules, surrender: bool, exceptions: tuple[tuple[int, str], ...]) -> _Deal:
    special, again = dict(exceptions), rules.double_after_split
    before, after_split = two_cards(rules)
    plain: list[tuple[int, _Key, NDArray[np.intp]]] = []
    pairs: dict[_Key, NDArray[np.intp]] = {}
    for entry in before:
        pair = entry.values[0] == entry.values[1]
        for counts_as_pair in (False, True) if pair else (False,):
            split = entry.split and counts_as_pair
            table = _by_codes(special.get(entry.hand, ""), surrender, split, entry.double, True, again)
            if counts_as_pair and rules.max_hands > 1:
                pairs[entry.hand, True, None] = table
            else:
                plain.append((_number_of(entry.total), (entry.hand, counts_as_pair, None), table))
    for pair_card, entries in after_split.items():
        draws = draws_after_split(rules, pair_card)
        for entry in entries:
            table = _by_codes(special.get(entry.hand, ""), False, False, entry.double, draws, again)
            if entry.finished:
                table = np.full_like(table, _STAND)
            if entry.values[0] == entry.values[1]:
                pairs[entry.hand, False, pair_card] = table
            else:
                plain.append((_number_of(entry.total), (entry.hand, False, pair_card), table))
    plain.sort(key=lambda item: item[0])
    totals = np.array([total for total, _, _ in plain], dtype=np.intp)
    tables = [table.tolist() for table in pairs.values()]
    return _Deal(
        {key: number for number, key in enumerate([*(key for _, key, _ in plain), *pairs])},
        totals,
        np.array([-1 if key[2] is None else key[2] for _, key, _ in plain], dtype=np.intp),
        np.searchsorted(totals, np.arange(len(_TOTALS) + 1)),
        np.array([table.diagonal() for _, _, table in plain]),
        tables[:N_VALUES],
        tables[N_VALUES:],
    )


@lru_cache(maxsize=8)
def _finished(rules: Rules) -> NDArray[np.uint8]:
    """Return by hand whether it stands by itself."""
    return np.array([stands_by_itself(hand, rules) for hand in range(player_hands().graph.size)], dtype=np.uint8)


class _StartGains:
    """The part of one dealer start in the gains of a column.

    A stage is hands before a split (the first), or hands of the split of a pair with so many further pair cards gone.

    Attributes:
        stages: by pair card, the numbers of its stages; by None the one before a split.
        stand: what the two-card hands are worth that stand, by number.
        values: what their other actions are worth more: by number and action; of hitting and splitting see `Gains`.
        fixed: by pair card, what of its split needs no play.
    """

    def __init__(self, start: StartValue, deal: _Deal) -> None:
        self._start = start
        n_hands = player_hands().graph.size
        before = [(hand, weight, deal.number[hand, pair is not None, None]) for hand, pair, weight in start.hands]
        dealt = {pair: weight for _, pair, weight in start.hands if pair is not None}
        self.stages: dict[int | None, list[int]] = {None: [0]}
        self.fixed = np.zeros(N_VALUES)
        cards, items = [(0, 0)], [before]
        for pair, terms in start.terms.items():
            self.stages[pair] = []
            for extra, (hands, weights, fixed) in terms.items():
                self.fixed[pair] += start.probability * dealt[pair] * fixed
                self.stages[pair].append(len(cards))
                cards.append((pair, extra))
                items.append(
                    [
                        (hand, dealt[pair] * weight, deal.number[hand, False, pair])
                        for hand, weight in zip(hands.tolist(), weights.tolist(), strict=True)
                    ]
                )
        flat = [item for part in items for item in part]
        self._pairs = np.array([pair for pair, _ in cards], dtype=np.int32)
        self._extras = np.array([extra for _, extra in cards], dtype=np.int32)
        self._begin = np.cumsum([0, *(len(part) for part in items)], dtype=np.int32)
        self._hands = np.array([hand for hand, _, _ in flat], dtype=np.int32)
        self._weights = start.probability * np.array([weight for _, weight, _ in flat])
        self._numbers = np.array([number for _, _, number in flat], dtype=np.intp)
        self._flat = np.repeat(np.arange(len(cards)), np.diff(self._begin)) * n_hands + self._hands
        self._to_stand = np.zeros((len(cards), n_hands))
        self._margins = np.zeros_like(self._to_stand)
        self._coming = np.zeros(n_hands)
        self._finished = _finished(start.analysis.rules)
        self._size = len(deal.number)
        self._read(deal)

    def _read(self, deal: _Deal) -> None:
        """Work out what does not depend on the play."""
        stand_always = np.zeros(player_hands().graph.size, dtype=np.uint8)
        stand, double = np.zeros(len(self._hands)), np.zeros(len(self._hands))
        for stage, (pair, extra) in enumerate(zip(self._pairs.tolist(), self._extras.tolist(), strict=True)):
            rows = self._start.rows(stand_always, pair, extra)
            np.subtract(rows[HIT_ROW], rows[STAND_ROW], out=self._to_stand[stage])
            here = slice(self._begin[stage], self._begin[stage + 1])
            stand[here] = rows[STAND_ROW, self._hands[here]]
            double[here] = rows[DOUBLE_ROW, self._hands[here]]
        self.stand = self._by_number(stand)
        self.values = np.zeros((self._size, len(_ACTIONS)))
        self.values[:, _DOUBLE] = self._by_number(double - stand)
        if surrender_offered(self._start.analysis.rules, self._start.analysis.start) != "none":
            surrenders = np.zeros(len(self._hands))
            before = self._begin[1]
            surrenders[:before] = [self._start.surrenders[hand] for hand in self._hands[:before].tolist()]
            surrenders[:before] -= stand[:before]
            self.values[:, _SURRENDER] = self._by_number(surrenders)

    def _by_number(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.bincount(self._numbers, self._weights * values, self._size).astype(np.float64, copy=False)

    def _wanted(self, splits: Sequence[int | None]) -> NDArray[np.int32]:
        return np.array([n for pair in splits for n in self.stages.get(pair, ())], dtype=np.int32)

    def hits(self, play: NDArray[np.uint8], splits: Sequence[int | None]) -> NDArray[np.float64]:
        """Value hands under a play; return by number what hitting two cards is worth more than standing.

        Args:
            play: of hands of three cards or more.
            splits: pair cards, and None for the hands before a split; others are left as they were.
        """
        numbers = self._start.at.numbers
        hit_margins(
            player_hands().graph,
            self._pairs,
            self._extras,
            self._wanted(splits),
            numbers.cards,
            numbers.inverse,
            self._start.drawable,
            self._finished,
            play,
            self._to_stand,
            self._margins,
        )
        return self._by_number(self._margins.ravel()[self._flat])

    def add_rows(
        self,
        play: NDArray[np.uint8],
        splits: Sequence[int | None],
        hit: NDArray[np.bool_],
        rows: NDArray[np.uint8],
        out: NDArray[np.float64],
    ) -> None:
        """Add up by row what hitting hands of three cards or more is worth more, as the play comes to them.

        Args:
            play: of them, as `hits` had it.
            splits: see `hits`.
            hit: by number, whether two cards are hit.
            rows: by hand.
            out: by row.
        """
        numbers = self._start.at.numbers
        row_margins(
            player_hands().graph,
            self._pairs,
            self._extras,
            self._wanted(splits),
            numbers.cards,
            numbers.inverse,
            self._start.drawable,
            self._finished,
            play,
            self._margins,
            self._begin,
            self._hands,
            self._weights * hit[self._numbers],
            rows,
            self._coming,
            out,
        )


class Gains:
    """What changes of single cells of a column gain, everything else being as it is.

    Exceptions for exact cards are hands that no cell decides; they stay as they are.
    """

    def __init__(self, column: Column, exceptions: Mapping[str, str] | None = None) -> None:
        special = by_hand(exceptions or {})
        rules = column.rules
        self._splits = rules.max_hands > 1
        self._deal = _deal(rules, column.surrender != "none", tuple(special.items()))
        self._starts = [_StartGains(start, self._deal) for start in column.starts]
        n, n_plain = len(self._deal.number), len(self._deal.totals)
        self._n_plain, self._plain = n_plain, np.arange(n_plain)
        self._values = sum((start.values for start in self._starts), np.zeros((n, len(_ACTIONS))))
        # What a split is worth more than standing on the pair, where all hands of it stand.
        self._split_stand = np.zeros(N_VALUES)
        if self._splits:
            stand = sum((start.stand for start in self._starts), np.zeros(n))
            first, after = stand[n_plain : n_plain + N_VALUES], stand[n_plain + N_VALUES :]
            self._split_stand = sum((start.fixed for start in self._starts), self._split_stand) - first + after
            self._split_stand += self._by_split(stand[:n_plain])
        graph = player_hands().graph
        self._rows = np.where(graph.cards > 2, total_rows(), 0).astype(np.uint8)
        self._rows[list(special)] = 0
        self._special = special
        self._play = np.zeros(0, dtype=np.uint8)
        self._known: set[int | None] = set()

    def _by_split(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return by pair card the sums over the hands of its split that their totals decide."""
        return np.bincount(self._deal.of_split + 1, values, N_VALUES + 1)[1:].astype(np.float64, copy=False)

    def look_at(self, codes: Mapping[Place, str]) -> None:
        """Take a column of codes as the play; `gain` says what changes of it gain."""
        deal = self._deal
        self._totals = [_NUMBER[codes[place]] for place in _TOTALS]
        self._own = [_NUMBER[codes[place]] for place in _PAIRS] if self._splits else []
        self._follow()
        totals = np.array([*self._totals, _NUMBER["S"]])[deal.totals]
        self._acting = deal.actions[self._plain, totals]
        first = [self._first(pair) for pair in range(len(self._own))]
        self._split = [pair for pair, action in enumerate(first) if action == _SPLIT]
        after = [self._after(pair) for pair in range(len(self._own))]
        self._rest: list[float] | None = None
        live = np.zeros(N_VALUES + 1, dtype=bool)
        live[[0, *(pair + 1 for pair in self._split)]] = True
        live_plain = live[deal.of_split + 1]
        splits = [None, *self._split]
        self._know(splits)
        hit = np.zeros(len(deal.number), dtype=bool)
        hit[: self._n_plain] = self._acting == _HIT
        hit[self._n_plain :] = [action == _HIT for action in (*first, *after)]
        rows = np.zeros(_N_ROWS)
        for start in self._starts:
            start.add_rows(self._play, splits, hit, self._rows, rows)
        self._by_row: list[float] = rows.tolist()
        values = self._values[self._plain[:, None], deal.actions] * live_plain[:, None]
        # Added up in one order for every code, so that codes that mean the same are worth the same to the last digit.
        self._by_total: list[list[float]] = np.add.reduceat(values, deal.begin, axis=0).tolist()

    def _follow(self) -> None:
        """Work out the play of hands of three cards or more; what was known of another play is forgotten."""
        hits = np.zeros(_N_ROWS, dtype=bool)
        hits[list(_TOTAL_ROWS)] = [_HITS[code] for code in self._totals]
        play = np.where(hits[total_rows()], HIT, STAND).astype(np.uint8)
        for hand, code in self._special.items():
            play[hand] = HIT if _HITS[_NUMBER[code]] else STAND
        if not np.array_equal(play, self._play):
            self._play = play
            self._known.clear()

    def _know(self, splits: Sequence[int | None]) -> None:
        """Value the hands of some splits (None: before a split) under the play."""
        unknown = [pair for pair in splits if pair not in self._known]
        if unknown:
            self._values[:, _HIT] = sum(start.hits(self._play, unknown) for start in self._starts)
            self._known.update(unknown)
        self._pair_values: list[list[float]] = self._values[self._n_plain :].tolist()

    def _first(self, pair: int) -> int:
        return self._deal.first[pair][self._own[pair]][self._totals[_TOTAL_OF_PAIR[pair]]]

    def _after(self, pair: int) -> int:
        return self._deal.after[pair][self._own[pair]][self._totals[_TOTAL_OF_PAIR[pair]]]

    def gain(self, changes: Mapping[Place, str]) -> float:
        """Return the EV of a round with a cell changed less that of the play as it is.

        Args:
            changes: the cell and its new code. The row of a total may bring along the row of its pair, if that does
                not begin or end to split.
        """
        new = {place: _NUMBER[code] for place, code in changes.items()}
        gain, pair = 0.0, None
        for place, code in new.items():
            total = _NUMBER_OF_TOTAL.get(place)
            if total is None:
                pair = _NUMBER_OF_PAIR[place]
                continue
            old, values = self._totals[total], self._by_total[total]
            gain = (_HITS[code] - _HITS[old]) * self._by_row[_TOTAL_ROWS[total]] + (values[code] - values[old])
            if self._splits:
                pair = _PAIR_OF_TOTAL.get(total)
        if pair is None:
            return gain
        own, total_code = self._own[pair], self._totals[_TOTAL_OF_PAIR[pair]]
        changed = new.get(_PAIRS[pair], own), new.get(_TOTALS[_TOTAL_OF_PAIR[pair]], total_code)
        return gain + self._of_pair(pair, (own, total_code), changed)

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
        rest = self._rests()[pair] if action != new_action and _SPLIT in (action, new_action) else 0.0
        values, of_split = self._pair_values[pair], self._pair_values[N_VALUES + pair]
        worth = rest + of_split[after[old[0]][old[1]]] if action == _SPLIT else values[action]
        new_worth = rest + of_split[after[new[0]][new[1]]] if new_action == _SPLIT else values[new_action]
        return new_worth - worth

    def _rests(self) -> list[float]:
        """Return by pair card what its split is worth more than standing, all but the pairs among its hands."""
        if self._rest is None:
            self._know(range(N_VALUES))
            acting = self._values[self._plain, self._acting]
            self._rest = (self._split_stand + self._by_split(acting)).tolist()
        return self._rest
