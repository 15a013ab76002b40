"""The best chart that looks at totals only, and what each cell of a chart is worth.

The columns of a chart do not touch each other: a column is played against its own dealer starts only. So each column
is improved by itself, one cell at a time against the exact value of all its rounds, until no single change of a cell
helps; that is what is claimed of the result. Several first charts are improved, and the best of them is kept.

There is one decision to stand or hit per total, for two cards and for more, before and after a split; doubling,
splitting and surrendering come on top for two cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import fsum
from typing import TYPE_CHECKING, Any

import numpy as np

from odds._kernel import sweep
from odds.chart import derive_chart
from odds.dealer import dealer_starts, remove_start, start_probability
from odds.decisions import GIVEN, StartAnalysis, surrender_offered
from odds.hands import N_VALUES, player_hands
from odds.player import DOUBLE_ROW, HIT_ROW, STAND_ROW, VALUE_ROW, doubles, kernel_settings
from odds.round import analyze, first_hands, round_is_over
from odds.shoe import Shoe
from odds.splitting import draws_after_split, hands_of_split, is_split_blackjack, may_double_split, split_weights
from odds.starts import start_groups
from odds.strategy import PAIR_ROWS, ROWS, SECTIONS, ColumnPlay, Place, Strategy, place_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from odds.player import StartValues
    from odds.rules import Rules
    from odds.starts import StartGroup

# A change must gain more than this, in initial wagers a round, to count; rounding stays far below.
GAIN = 1e-13
# Another code that changes the EV by no more than this says the same in other words, or is never asked.
NOTHING = 1e-15
# Charts that were found, by rules and shoe; they are asked for again and again.
_FOUND: dict[tuple[Rules, Shoe], BestChart] = {}
_MOST_REMEMBERED = 32
_ROW_OF_ACTION = {"stand": STAND_ROW, "hit": HIT_ROW, "double": DOUBLE_ROW}


class _StartValue:
    """The value of all rounds against one dealer start, as a function of the play.

    The dealer's probabilities do not depend on the play and are worked out once. Values of splits are remembered by
    the play of the hands that hold the pair card.
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
        self._settings = kernel_settings(rules, analysis.start, shoe.total)
        self._out = np.zeros((5, player_hands().graph.size))
        self._splits: dict[tuple[int, bytes], float] = {}
        self._unsplit: dict[bytes, NDArray[np.float64]] = {}

    @cached_property
    def at(self) -> StartValues:
        return self.analysis.values

    @cached_property
    def surrenders(self) -> dict[int, float]:
        """The value of surrendering, by hand."""
        return {hand: self.analysis.joint_value(hand, "surrender") for hand, _, _ in self.hands}

    @cached_property
    def holding(self) -> list[NDArray[np.bool_]]:
        """By pair card, which hands hold it."""
        counts = player_hands().graph.counts
        return [counts[:, pair] > 0 for pair in range(N_VALUES)]

    @cached_property
    def terms(self) -> dict[int, dict[int, tuple[NDArray[np.int64], NDArray[np.float64], float]]]:
        """By pair card and number of further ones gone: hands, their weights, and what needs no play."""
        rules, at = self.analysis.rules, self.at
        result: dict[int, dict[int, tuple[NDArray[np.int64], NDArray[np.float64], float]]] = {}
        for pair in {pair for _, pair, _ in self.hands if pair is not None}:
            by_extra: dict[int, list[tuple[int, float]]] = {}
            weights = split_weights([at.shoe], rules, pair)[:, :, 0] if hands_of_split(rules, pair) > 1 else np.zeros((0, 0))
            for extra, second in np.argwhere(weights).tolist():
                hand = int(player_hands().pairs[pair, second])
                by_extra.setdefault(extra, []).append((hand, float(weights[extra, second])))
            result[pair] = {}
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

    def split(self, pair: int, play: NDArray[np.uint8]) -> float:
        """Return the value of a split under a play of its hands."""
        key = (pair, play[self.holding[pair]].tobytes())
        if key not in self._splits:
            rules = self.analysis.rules
            parts = []
            for extra, (hands, weights, fixed) in self.terms[pair].items():
                self._sweep(play, may_double_split(rules, pair), pair, extra, draws_after_split(rules, pair), self._out)
                parts.append(float(weights @ self._out[VALUE_ROW, hands]) + fixed)
            self._splits[key] = fsum(parts)
        return self._splits[key]

    def unsplit(self, play: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return the values of every hand before a split under a play."""
        key = play.tobytes()
        if key not in self._unsplit:
            out = np.zeros_like(self._out)
            self._sweep(play, doubles(self.analysis.rules), 0, 0, True, out)
            self._unsplit[key] = out
        return self._unsplit[key]

    def _sweep(
        self,
        play: NDArray[np.uint8],
        may_double: NDArray[np.uint8],
        pair: int,
        extra: int,
        draws: bool,
        out: NDArray[np.float64],
    ) -> None:
        at = self.at
        numbers = at.numbers
        sweep(
            player_hands().graph,
            at.dealer.of(pair, extra),
            at.dealer.removals.rows[pair, extra],
            numbers.cards,
            numbers.inverse,
            numbers.small,
            self._settings,
            numbers.arithmetic.field,
            pair,
            extra,
            may_double,
            draws,
            False,
            play.copy(),
            out,
        )

    def value(self, play: ColumnPlay) -> float:
        """Return the EV of all rounds of this start, times the probability of the start."""
        rows = self.unsplit(play.unsplit)
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


class _Column:
    """One column of a chart: its dealer starts, and its value as a function of its codes."""

    def __init__(self, group: StartGroup, rules: Rules, shoe: Shoe) -> None:
        self.group, self.rules = group, rules
        labels = set(group.starts)
        self.starts = []
        self.surrender = "none"
        for start in dealer_starts(rules):
            probability = start_probability(start, shoe)
            if start.label in labels and probability:
                self.surrender = surrender_offered(rules, start)
                analysis = StartAnalysis(start, remove_start(shoe, start), rules, GIVEN)
                self.starts.append(_StartValue(analysis, float(probability)))

    def value(self, codes: Mapping[Place, str], exceptions: Mapping[str, str] | None = None) -> float:
        """Return what the rounds of this column add to the EV of a round."""
        play = ColumnPlay(codes, exceptions or {}, self.rules, self.surrender)
        return fsum(start.value(play) for start in self.starts)

    def alternatives(self, codes: Mapping[Place, str], place: Place) -> Iterator[dict[Place, str]]:
        """Yield the column with a cell changed in every way that is a chart by totals.

        A pair's row that neither splits, doubles nor surrenders does what the row of its total does with two cards.
        """
        section, row = place
        if section == "pairs":
            for code in self._pair_codes(codes, row):
                if code != codes[place]:
                    yield {**codes, place: code}
            return
        total = int(row)
        options = ["S", "H"]
        if self.rules.may_double(total, section == "soft"):
            options += ["D", "Ds"]
        if self.surrender != "none":
            options += ["Rh", "Rs"]
        for code in options:
            if code != codes[place]:
                yield _with_pairs({**codes, place: code}, place)

    def single_changes(self, codes: Mapping[Place, str], place: Place) -> Iterator[dict[Place, str]]:
        """Yield the column with one cell, and only that, changed to every other code that does something else."""
        section, row = place
        options = ["S", "H"]
        total = (section, row) if section != "pairs" else place_of([PAIR_ROWS.index(row)] * 2)
        if self.rules.may_double(int(total[1]), total[0] == "soft"):
            options += ["D", "Ds"]
        if self.surrender != "none":
            options += ["Rh", "Rs"]
        if section == "pairs" and hands_of_split(self.rules, PAIR_ROWS.index(row)) > 1:
            options.append("P")
        for code in options:
            if code != codes[place]:
                yield {**codes, place: code}

    def _pair_codes(self, codes: Mapping[Place, str], row: str) -> list[str]:
        value = PAIR_ROWS.index(row)
        section, total = place_of((value, value))
        stands = _stands(codes[section, total])
        options = ["S" if stands else "H"]
        if hands_of_split(self.rules, value) > 1:
            options.append("P")
        if self.rules.may_double(int(total), section == "soft"):
            options.append("Ds" if stands else "D")
        if self.surrender != "none":
            options.append("Rs" if stands else "Rh")
        return options


def _stands(code: str) -> bool:
    return code in ("S", "Ds", "Rs")


def _with_pairs(codes: dict[Place, str], place: Place) -> dict[Place, str]:
    """Return a column in which the pairs of a total stand or hit as its row does."""
    stands = _stands(codes[place])
    change = {"S": "H", "Ds": "D", "Rs": "Rh"} if not stands else {"H": "S", "D": "Ds", "Rh": "Rs"}
    for value, row in enumerate(PAIR_ROWS):
        if place_of((value, value)) == place and ("pairs", row) in codes:
            codes["pairs", row] = change.get(codes["pairs", row], codes["pairs", row])
    return codes


@dataclass(frozen=True, slots=True)
class CellCost:
    """What changing one cell of a strategy does to the EV of a round.

    Attributes:
        section: of the cell.
        row: of the cell.
        column: of the cell.
        code: what the strategy says.
        other: the best other code.
        gain: EV of a round with the other code less EV with the strategy's, in initial wagers; everything else as it
            is. Positive where the cell is wrong.
    """

    section: str
    row: str
    column: str
    code: str
    other: str
    gain: float

    def to_dict(self) -> dict[str, Any]:
        """Return the cost as JSON takes it."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class BestChart:
    """The best chart that was found.

    Attributes:
        strategy: the chart.
        costs: by section, row and column: the best other code of each cell that makes a difference, and what it would
            gain, never positive.
    """

    strategy: Strategy
    costs: Mapping[tuple[str, str, str], CellCost]


def _columns(rules: Rules, shoe: Shoe) -> list[_Column]:
    groups = [group for group in start_groups(rules) if group.kind != "blackjack"]
    return [_Column(group, rules, shoe) for group in groups]


def search(rules: Rules, *, shoe: Shoe | None = None, progress: Callable[[float], None] | None = None) -> BestChart:
    """Return the best chart found, and what the second-best code of each cell would cost.

    Args:
        rules: the rules.
        shoe: the cards before the deal; `rules.decks` full decks if left out.
        progress: called with the share done, from 0 to 1.
    """
    full = Shoe.of_decks(rules.decks) if shoe is None else shoe
    key = (rules, full)
    if key not in _FOUND:
        if len(_FOUND) >= _MOST_REMEMBERED:
            _FOUND.pop(next(iter(_FOUND)))
        _FOUND[key] = _search(rules, full, progress)
    return _FOUND[key]


def _search(rules: Rules, full: Shoe, progress: Callable[[float], None] | None) -> BestChart:
    result = analyze(rules, shoe=full, split_class="cdz")
    derived = {(s, r, c): cell.code for s, r, c, cell in derive_chart(result).cells()}
    columns = _columns(rules, full)
    best: list[dict[Place, str]] = []
    costs: dict[tuple[str, str, str], CellCost] = {}
    for number, column in enumerate(columns):
        found = [_improve(column, codes) for codes in _first_charts(column, derived)]
        codes, others = max(found, key=lambda item: column.value(item[0]))
        best.append(codes)
        label = column.group.label
        for (section, row), (other, gain) in others.items():
            costs[section, row, label] = CellCost(section, row, label, codes[section, row], other, gain)
        if progress is not None:
            progress((number + 1) / len(columns))
    labels = tuple(column.group.label for column in columns)
    cells = {place: tuple(codes[place] for codes in best) for place in best[0]}
    return BestChart(Strategy(labels, cells, {}, "total"), costs)


def basic_strategy(rules: Rules, *, shoe: Shoe | None = None) -> Strategy:
    """Return the best total-dependent strategy found for a whole round: no change of a single cell improves it.

    >>> from odds.rules import Rules
    >>> chart = basic_strategy(Rules(decks=8, max_hands=2, surrender="late"))
    >>> chart.code("hard", "16", "T"), chart.code("hard", "16", "6"), chart.code("pairs", "8,8", "T")
    ('Rs', 'S', 'P')

    Args:
        rules: the rules.
        shoe: the cards before the deal; `rules.decks` full decks if left out.
    """
    return search(rules, shoe=shoe).strategy


def _first_charts(column: _Column, derived: Mapping[tuple[str, str, str], str]) -> Iterator[dict[Place, str]]:
    """Yield charts to start from: that of the two-card hands, one that never busts, one that plays as a dealer."""
    label = column.group.label
    rows = [(s, r) for s in SECTIONS if s != "pairs" or column.rules.max_hands > 1 for r in ROWS[s]]
    codes = {place: derived.get((*place, label), "S") for place in rows}
    codes = {place: code if code not in ("Rp", "Rd") else "Rh" for place, code in codes.items()}
    yield _consistent(codes)
    for hard, soft in ((12, 18), (17, 18)):
        changed = {}
        for (section, row), code in codes.items():
            low = {"hard": hard, "soft": soft}.get(section, 0)
            stands = {"H": "S", "D": "Ds", "Rh": "Rs"} if low and int(row) >= low else {}
            hits = {"S": "H", "Ds": "D", "Rs": "Rh"} if low and int(row) < low else {}
            changed[section, row] = stands.get(code, hits.get(code, code))
        yield _consistent(changed)


def _consistent(codes: dict[Place, str]) -> dict[Place, str]:
    for place in [place for place in codes if place[0] != "pairs"]:
        codes = _with_pairs(codes, place)
    return codes


def _improve(column: _Column, codes: dict[Place, str]) -> tuple[dict[Place, str], dict[Place, tuple[str, float]]]:
    """Return the column when no single change helps any more, and the best other code of each cell with its gain."""
    value = column.value(codes)
    places = sorted(
        codes, key=lambda place: (place[0] != "hard", place[0], -int(place[1]) if place[1].isdigit() else 0)
    )
    unchanged = 0
    others: dict[Place, tuple[str, float]] = {}
    while unchanged < len(places):
        for place in places:
            best, best_value, runner_up = codes, value, ("", float("-inf"))
            for changed in column.alternatives(codes, place):
                changed_value = column.value(changed)
                if changed_value > runner_up[1] and abs(changed_value - value) > NOTHING:
                    runner_up = (changed[place], changed_value)
                if changed_value > best_value + GAIN:
                    best, best_value = changed, changed_value
            if best is not codes:
                codes, value = best, best_value
                unchanged = 0
                others.clear()
                continue
            unchanged += 1
            if runner_up[0]:
                others[place] = (runner_up[0], runner_up[1] - value)
            if unchanged >= len(places):
                break
    return codes, others


def cell_costs(rules: Rules, strategy: Strategy, *, shoe: Shoe | None = None) -> list[CellCost]:
    """Return for each cell of a strategy the best other code and what it would gain, the largest gain first.

    Cells with a positive gain are wrong, everything else being as it is. Cells that make no difference are left out.

    Args:
        rules: the rules.
        strategy: the strategy.
        shoe: the cards before the deal; `rules.decks` full decks if left out.

    Raises:
        StrategyError: the strategy does not fit the rules.
    """
    strategy.check(rules)
    full = Shoe.of_decks(rules.decks) if shoe is None else shoe
    found = []
    for column in _columns(rules, full):
        label = column.group.label
        codes = strategy.column(label)
        exceptions = {hand: code for (hand, at), code in strategy.exceptions.items() if at == label}
        value = column.value(codes, exceptions)
        for place in codes:
            if place[0] == "pairs" and rules.max_hands == 1:
                continue
            changes = [(c[place], column.value(c, exceptions) - value) for c in column.single_changes(codes, place)]
            changes = [(code, gain) for code, gain in changes if abs(gain) > NOTHING]
            if changes:
                other, gain = max(changes, key=lambda item: item[1])
                found.append(CellCost(*place, label, codes[place], other, gain))
    return sorted(found, key=lambda cost: -cost.gain)
