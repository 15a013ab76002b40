"""The best chart that looks at totals only, and what each cell of a chart is worth.

The columns of a chart do not touch each other: a column is played against its own dealer starts only. So each column
is improved by itself, one cell at a time against the exact value of all its rounds, until no single change of a cell
helps; that is what is claimed of the result. Several first charts are improved, and the best of them is kept.

There is one decision to stand or hit per total, for two cards and for more, before and after a split; doubling,
splitting and surrendering come on top for two cards.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from odds.engine.actions import DOUBLE, SPLIT, SURRENDER
from odds.engine.terms import hand_terms
from odds.errors import StrategyError
from odds.game.catalog import rules_of, shoe_or_full
from odds.game.fields import check_kind
from odds.parallel import tell
from odds.results.after_exchange import after_exchange
from odds.results.groups import played_groups
from odds.results.round import SwitchResult, analyze
from odds.strategy.after_exchange import ExchangedColumn
from odds.strategy.chart import GAIN, CellCost, bonus_plays, chart_of, derive_chart, differences
from odds.strategy.codes import (
    DOUBLED_CODES,
    FREE_SECTIONS,
    FREE_TOTALS,
    PAIR_OF,
    PAIRS,
    TOTAL_OF,
    TOTALS,
    Place,
    doublings,
    numbered,
    rows_of,
    sections_of,
    stands,
    total_row,
)
from odds.strategy.column import Column
from odds.strategy.doubled import FREE_CHOICES, by_total, chances
from odds.strategy.gains import Gains
from odds.strategy.table import A_STRATEGY, Strategy, evaluate

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from odds.engine.passes import Passes
    from odds.engine.start import StartAnalysis
    from odds.engine.terms import Terms
    from odds.game.catalog import AnyGame
    from odds.game.shoe import Shoe
    from odds.parallel import Progress
    from odds.results.round import RoundResult
    from odds.strategy.chart import Chart

# Another code that changes the EV by no more than this says the same in other words, or is never asked.
NOTHING = 1e-15
# Codes as they are where the total stands, or hits.
_STANDS = {"H": "S", "D": "Ds", "Rh": "Rs"}
_HITS = {code: other for other, code in _STANDS.items()}
# A column, and the best other code of each cell with its gain.
_Improved = tuple[dict[Place, str], dict[Place, tuple[str, float]]]


def alternatives(
    column: Column, codes: Mapping[Place, str], place: Place, gains: Gains | None = None
) -> list[dict[Place, str]]:
    """Return every change of a cell that leaves a chart by totals: the cell, and the pair that goes with it.

    A pair's row that neither splits, doubles nor surrenders does what the row of its total does with two cards.

    Args:
        column: the column.
        codes: of its cells.
        place: of the cell.
        gains: of codes that differ in their numbers only, return but the two best by this.
    """
    if doublings(place[0]):
        return [{place: code} for code in _doubled_codes(column, place) if code != codes[place]]
    if place in TOTAL_OF:
        return [{place: code} for code in _pair_codes(column, codes, place) if code != codes[place]]
    options = _total_codes(column, place, gains)
    return [{place: code, **_pair_change(codes, place, code)} for code in options if code != codes[place]]


def single_changes(
    column: Column, codes: Mapping[Place, str], place: Place, gains: Gains | None = None
) -> list[dict[Place, str]]:
    """Return the changes of one cell alone to every other code that does something else; arguments as before."""
    if doublings(place[0]):
        options = _doubled_codes(column, place)
    elif place in TOTAL_OF:
        options = [*_plain_codes(column, TOTAL_OF[place]), *(["P"] if _splits(column, place) else [])]
    else:
        options = _total_codes(column, place, gains)
    return [{place: code} for code in options if code != codes[place]]


def _splits(column: Column, pair: Place) -> bool:
    return column.legal.split_into[PAIRS.index(pair)] > 1


def _doubled_codes(column: Column, place: Place) -> list[str]:
    may = column.legal.doubled[doublings(place[0]) - 1]
    gives = SURRENDER if column.surrenders or column.legal.rescues else SPLIT  # which no doubled hand may do
    return ["S", *(code for code, action in (("D", DOUBLE), ("R", gives)) if (may >> action & 1).any())]


def _plain_codes(column: Column, place: Place) -> list[str]:
    options = ["S", "H"]
    surrenders = column.surrenders and place[0] not in FREE_SECTIONS
    if place in column.doubled:
        options += ["D", "Ds"]
    if surrenders:
        options += ["Rh", "Rs"]
    if surrenders and place in column.doubled and column.by_cards:
        options += ["Rd", "Rds"]
    return options


def _total_codes(column: Column, place: Place, gains: Gains | None) -> list[str]:
    options: list[str] = []
    for code in _plain_codes(column, place):
        if gains is None or not column.by_cards:
            options += numbered(code, *column.numbers[place])
        else:
            options += gains.two_best(place, code, column.numbers[place])
    return options


def _pair_codes(column: Column, codes: Mapping[Place, str], pair: Place) -> list[str]:
    total = TOTAL_OF[pair]
    standing = stands(codes[total])
    options = ["S" if standing else "H"]
    if _splits(column, pair):
        options.append("P")
    if total in column.doubled:
        options.append("Ds" if standing else "D")
    if column.surrenders:
        options.append("Rs" if standing else "Rh")
    return options


def _pair_change(codes: Mapping[Place, str], place: Place, code: str) -> dict[Place, str]:
    """Return the change that makes the pair of a total stand or hit as its row does with a code; often none."""
    pair = PAIR_OF.get(place)
    if pair is None or pair not in codes:
        return {}
    same = (_STANDS if stands(code) else _HITS).get(codes[pair])
    return {} if same is None else {pair: same}


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


def _columns(
    terms: Terms, shoe: Shoe, analysis: Callable[[str], StartAnalysis] | None = None, passes: Passes | None = None
) -> list[Column]:
    return [Column(group, terms, shoe, analysis, passes) for group in played_groups(terms.dealer)]


def search(
    rules: AnyGame, *, shoe: Shoe | None = None, progress: Progress | None = None, passes: Passes | None = None
) -> BestChart:
    """Return the best chart found, and what the second-best code of each cell would cost.

    Args:
        rules: the rules, or the game that has them, also by its name or file.
        shoe: the cards before the deal; `rules.decks` full decks if left out.
        progress: called with the share done, from 0 to 1.
        passes: as in `analyze`.
    """
    result = analyze(rules, shoe=shoe, split_class="cdz", passes=passes)
    if isinstance(result, SwitchResult):
        return _search_exchanged(result, progress)
    derived = {(s, r, c): cell.code for s, r, c, cell in derive_chart(result).cells()}
    columns = _columns(result.terms, result.shoe, result.analysis, passes)
    found = {}
    for number, column in enumerate(columns):
        found[column.group.label] = _best(column, derived)
        tell(progress, (number + 1) / len(columns))
    return _best_chart(found)


def _best_chart(columns: Mapping[str, _Improved]) -> BestChart:
    """Return the chart of some columns, by label."""
    costs = {
        (*place, label): CellCost(*place, label, codes[place], other, gain)
        for label, (codes, others) in columns.items()
        for place, (other, gain) in others.items()
    }
    places = next(iter(columns.values()))[0]
    cells = {place: tuple(codes[place] for codes, _ in columns.values()) for place in places}
    return BestChart(Strategy(tuple(columns), cells, {}, "total"), costs)


def _exchanged_columns(result: RoundResult, labels: Collection[str] | None = None) -> Iterator[ExchangedColumn]:
    """Yield the columns of a chart after the exchange, or those of some labels; each takes much room."""
    assert isinstance(result, SwitchResult)
    for group in played_groups(result.terms.dealer):
        if labels is None or group.label in labels:
            yield ExchangedColumn(group, result)


def _search_exchanged(result: SwitchResult, progress: Progress | None) -> BestChart:
    """Return the best chart for hands after the exchange that is best for it; see `ExchangedColumn`."""
    derived = {(s, r, c): cell.code for s, r, c, cell in derive_chart(after_exchange(result)).cells()}
    number = len(played_groups(result.terms.dealer))
    columns: dict[str, _Improved] = {}
    for done, column in enumerate(_exchanged_columns(result)):
        tell(progress, done / number / 2)
        columns[column.group.label] = _best(column, derived)
    changed = set(columns)
    while changed:
        found = _best_chart(columns)
        followed = evaluate(result.rules, found.strategy, shoe=result.shoe)
        for done, column in enumerate(_exchanged_columns(followed, changed)):
            tell(progress, (1 + done / number) / 2)
            label = column.group.label
            before, _ = columns[label]
            columns[label] = improve(column, Gains(column), before)
            if columns[label][0] == before:
                changed.discard(label)
    tell(progress, 1.0)
    return _best_chart(columns)


def basic_strategy(rules: AnyGame, *, shoe: Shoe | None = None, passes: Passes | None = None) -> Strategy:
    """Return the best total-dependent strategy found for a whole round: no change of a single cell improves it.

    >>> from odds.game.rules import Rules
    >>> chart = basic_strategy(Rules(decks=8, max_hands=2, surrender="late"))
    >>> chart.code("hard", "16", "T"), chart.code("hard", "16", "6"), chart.code("pairs", "8,8", "T")
    ('Rs', 'S', 'P')

    Args:
        rules: the rules, or the game that has them, also by its name or file.
        shoe: the cards before the deal; `rules.decks` full decks if left out.
        passes: as in `analyze`.
    """
    return search(rules, shoe=shoe, passes=passes).strategy


def charted(
    best: RoundResult,
    strategy: Strategy | None = None,
    *,
    against: Strategy | None = None,
    progress: Progress | None = None,
) -> tuple[Chart, Strategy]:
    """Return what `chart` does, and the strategy that it shows.

    Args:
        best: the round under the best play for the exact cards.
        strategy: the strategy; the best chart if left out.
        against: another strategy to hold it against.
        progress: called with the share of the search done, from 0 to 1.

    Raises:
        StrategyError: a strategy does not fit the rules.
    """
    rules, shoe = best.rules, best.shoe
    for given in (strategy, against):
        check_kind(given, (Strategy, type(None)), A_STRATEGY, StrategyError)
    found = search(rules, shoe=shoe, progress=progress)
    strategy, against = (given and given.check(rules) for given in (strategy, against))
    shown, costs = strategy or found.strategy, list(found.costs.values())
    if strategy is not None or against is not None:
        costs = cell_costs(rules, shown, shoe=shoe, against=against)

    def ev(played: Strategy) -> float:
        return evaluate(rules, played, shoe=shoe).ev

    made = chart_of(
        shown,
        after_exchange(evaluate(rules, shown, shoe=shoe)),
        best,
        costs,
        chart_ev=None if strategy is None else ev(found.strategy),
        against=None if against is None else (against, ev(against)),
    )
    if strategy is None and (lines := best.terms.pays.bonuses):
        made = replace(made, bonus_plays=bonus_plays(differences(after_exchange(best), made), lines))
    return made, shown


def chart(
    rules: AnyGame, strategy: Strategy | None = None, *, shoe: Shoe | None = None, against: Strategy | None = None
) -> Chart:
    """Return the best chart found or that of a strategy, with what its cells are worth and what changes of them cost.

    >>> from odds.game.rules import Rules
    >>> cell = chart(Rules(decks=1, max_hands=1)).cell("hard", "16", "T")
    >>> cell.code, cell.other, f"{cell.cost:.6f}"
    ('H', 'S', '0.000347')

    Args:
        rules: the rules, or the game that has them, also by its name or file.
        strategy: the strategy; the best chart if left out. A cell of it that another code would improve has a negative
            cost.
        shoe: the cards before the deal; `rules.decks` full decks if left out.
        against: another strategy: cells in which it says otherwise have its code, and what that would cost.

    Raises:
        StrategyError: a strategy does not fit the rules.
    """
    return charted(analyze(rules, shoe=shoe), strategy, against=against)[0]


def _best(column: Column, derived: Mapping[tuple[str, str, str], str]) -> _Improved:
    """Return the best column that the first charts lead to."""
    gains = Gains(column)
    found: list[_Improved] = []
    for first in first_charts(column, derived):
        improved = improve(column, gains, first, [] if column.by_cards else [codes for codes, _ in found])
        if all(improved[0] != codes for codes, _ in found):
            found.append(improved)
    return found[0] if len(found) == 1 else max(found, key=lambda item: column.value(item[0]))


def first_charts(column: Column, derived: Mapping[tuple[str, str, str], str]) -> Iterator[dict[Place, str]]:
    """Yield charts to start from: that of the two-card hands, one that never busts, one that plays as a dealer."""
    label = column.group.label
    rows = [(section, row) for section in sections_of(column.legal) for row in rows_of(section)]
    codes = {place: derived.get((*place, label), "S") for place in rows}
    codes |= _derived_doubled(column) | _derived_free(column)
    codes = {place: code if code not in ("Rp", "Rd") else "Rh" for place, code in codes.items()}
    yield _consistent(codes)
    for hard, soft in ((12, 18), (17, 18)):
        changed = {}
        for (section, row), code in codes.items():
            low = {"hard": hard, "soft": soft}.get(section)
            other = code if low is None else (_STANDS if int(row) >= low else _HITS).get(code, code)
            changed[section, row] = other
        yield _consistent(changed)


def _derived_doubled(column: Column) -> dict[Place, str]:
    """Return what is best for doubled hands if the play goes on as their cards ask, the shortest counting most."""
    found = {}
    for section in filter(doublings, sections_of(column.legal)):
        times = doublings(section)
        of_starts = [
            start.probability * by_total(start.analysis, times, chances(start.analysis)) for start in column.starts
        ]
        values = np.sum(of_starts or [np.zeros((len(DOUBLED_CODES), len(TOTALS) + 1))], axis=0)
        for row in rows_of(section):
            of_row = dict(zip(DOUBLED_CODES, values[:, total_row(row)], strict=True))
            found[section, row] = max(_doubled_codes(column, (section, row)), key=lambda code: of_row[code])
    return found


def _derived_free(column: Column) -> dict[Place, str]:
    """Return what is best for free hands if the play goes on as their cards ask, the shortest counting most."""
    if column.legal.free_level is None:
        return {}
    found = {}
    of_starts = [
        start.probability * by_total(start.analysis, column.legal.free_level, chances(start.analysis, 2), FREE_CHOICES)
        for start in column.starts
    ]
    values = np.sum(of_starts or [np.zeros((len(FREE_CHOICES), len(TOTALS) + 1))], axis=0)
    for row, place in enumerate(FREE_TOTALS):
        stand, hit, double = values[:, row].tolist()
        rest = "H" if hit > stand else "S"
        doubles = place in column.doubled and double > max(stand, hit)
        found[place] = {"H": "D", "S": "Ds"}[rest] if doubles else rest
    return found


def _consistent(codes: dict[Place, str]) -> dict[Place, str]:
    for place in [place for place in codes if place[0] != "pairs"]:
        codes = {**codes, **_pair_change(codes, place, codes[place])}
    return codes


def _numbers(code: str) -> int:
    return sum(map(str.isdigit, code))


def improve(column: Column, gains: Gains, codes: dict[Place, str], known: Sequence[dict[Place, str]] = ()) -> _Improved:
    """Return the column when no single change helps any more, and the best other code of each cell with its gain.

    Args:
        column: the column.
        gains: of it.
        codes: where to begin.
        known: columns in which no change helps; if it comes to be one of these, nothing is said of other codes.
    """
    places = sorted(
        codes, key=lambda place: (place[0] != "hard", place[0], -int(place[1]) if place[1].isdigit() else 0)
    )
    unchanged = 0
    others: dict[Place, tuple[str, float]] = {}
    if codes in known:
        return codes, others
    gains.look_at(codes)
    while unchanged < len(places):
        for place in places:
            best, best_gain, runner_up = None, 0.0, ("", float("-inf"))
            for changes in alternatives(column, codes, place, gains):
                gain = gains.gain(changes)
                if abs(gain) <= NOTHING and len(changes) == 1 and _numbers(changes[place]) < _numbers(codes[place]):
                    codes = {**codes, **changes}  # the same in fewer words
                    gains.look_at(codes)
                if gain > runner_up[1] and abs(gain) > NOTHING:
                    runner_up = (changes[place], gain)
                if gain > best_gain + GAIN:
                    best, best_gain = changes, gain
            if best is not None:
                codes = {**codes, **best}
                others.clear()
                if codes in known:
                    return codes, others
                gains.look_at(codes)
                unchanged = 0
                continue
            unchanged += 1
            if runner_up[0]:
                others[place] = runner_up
            if unchanged >= len(places):
                break
    return codes, others


def cell_costs(
    rules: AnyGame, strategy: Strategy, *, shoe: Shoe | None = None, against: Strategy | None = None
) -> list[CellCost]:
    """Return for each cell of a strategy the best other code and what it would gain, the largest gain first.

    Cells with a positive gain are wrong, everything else being as it is. Cells that make no difference are left out.

    Args:
        rules: the rules, or the game that has them, also by its name or file.
        strategy: the strategy.
        shoe: the cards before the deal; `rules.decks` full decks if left out.
        against: another strategy: where it says otherwise, its code is taken instead of the best other one.

    Raises:
        StrategyError: the strategy does not fit the rules.
    """
    rules = rules_of(rules)
    for given in (strategy, strategy if against is None else against):
        check_kind(given, Strategy, A_STRATEGY, StrategyError)
    strategy = strategy.check(rules)
    against = None if against is None else against.check(rules)
    terms = hand_terms(rules)
    sections = sections_of(terms.legal)
    found = []
    columns: Iterable[Column]
    if terms.legal.switches:
        columns = _exchanged_columns(evaluate(rules, strategy, shoe=shoe))
    else:
        columns = _columns(terms, shoe_or_full(shoe, rules))
    for column in columns:
        label = column.group.label
        codes = strategy.column(label)
        exceptions = {hand: code for (hand, at), code in strategy.exceptions.items() if at == label}
        numbers = any(map(str.isdigit, "".join((*codes.values(), *(against or strategy).column(label).values()))))
        gains = Gains(column, exceptions, numbered=numbers or column.by_cards)
        gains.look_at(codes)
        for place in codes:
            if place[0] not in sections:
                continue
            says = codes[place] if against is None else against.code(*place, label)
            if says != codes[place]:
                found.append(CellCost(*place, label, codes[place], says, gains.gain({place: says})))
                continue
            changes = [(c[place], gains.gain(c)) for c in single_changes(column, codes, place, gains)]
            changes = [(code, gain) for code, gain in changes if abs(gain) > NOTHING]
            if changes:
                other, gain = max(changes, key=lambda item: item[1])
                found.append(CellCost(*place, label, codes[place], other, gain))
    return sorted(found, key=lambda cost: -cost.gain)
