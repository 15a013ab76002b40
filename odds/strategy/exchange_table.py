"""Which cards to exchange, for players: a short table of points, what it costs, and the exchanges that gain most.

Each hand of two cards has points against the dealer's card; cards are exchanged where the points of both hands add up
to more that way. The points are fitted to what exchanges gain, rounded, and then changed one at a time until no change
of one helps any more. What playing by them costs is exact: every four cards against every dealer start.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from math import fsum
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from odds._kernel import TIE
from odds.engine.hands import ACE, N_VALUES, TEN
from odds.errors import RulesError
from odds.game.cards import RANKS
from odds.game.fields import whole_between
from odds.results.groups import played_groups
from odds.results.round import SwitchResult, round_of
from odds.results.switch import WAYS, alike, four_cards
from odds.shown import Shown
from odds.strategy.codes import place_of, row_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from odds.game.catalog import AnyGame
    from odds.results.groups import StartGroup
    from odds.results.round import RoundResult

DEFAULT_COLUMNS, DEFAULT_PER_WAGER = 5, 20
MOST_PER_WAGER = 1000
_MADE, _DEALT = "A,T made", "A,T dealt"
# A change of points must save more than this, in initial wagers a round.
_SAVES = 1e-13


@dataclass(frozen=True, slots=True)
class Points:
    """Points of hands of two cards by the dealer's card; an exchange is made where it adds points.

    Attributes:
        columns: the dealer's cards, such as `2–6`.
        per_wager: so many points are worth about one wager; in each column the lowest hand has 0.
        rows: the hands, and their points in each column.
        cost: what playing by them costs a round beside the best exchange, per unit of one wager.
    """

    columns: tuple[str, ...]
    per_wager: int
    rows: tuple[tuple[str, tuple[int, ...]], ...]
    cost: float

    def compact(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """Return the rows, neighbours of one kind that have the same points as one, such as `hard 5–8`."""
        found = []
        for (kind, points), alike_rows in groupby(self.rows, lambda row: (row[0].partition(" ")[0], row[1])):
            first, *_, last = [hand for hand, _ in alike_rows] * 2
            label = first if first == last or kind not in ("hard", "soft") else f"{first}–{last.split()[1]}"
            found.append((label, points))
        return tuple(found)

    def to_dict(self) -> dict[str, Any]:
        """Return the points as JSON takes them."""
        rows = [{"hand": hand, "points": list(points)} for hand, points in self.rows]
        return {"columns": list(self.columns), "per_wager": self.per_wager, "rows": rows, "cost": self.cost}


@dataclass(frozen=True, slots=True)
class ExchangedStart:
    """The rounds against some dealer starts.

    Attributes:
        dealer: the upcard, or the total of both cards.
        probability: of it.
        exchanged: probability that cards are exchanged, given it.
        ev: expected net result per unit of one wager, given it, with the best exchange.
        kept_ev: the same if cards are never exchanged.
        cost: what playing by the points costs, given it.
    """

    dealer: str
    probability: float
    exchanged: float
    ev: float
    kept_ev: float
    cost: float


@dataclass(frozen=True, slots=True)
class Swap:
    """Exchanges that make the same two hands out of the same two, told apart as the points tell hands.

    Attributes:
        dealer: the dealer's cards, a column of the points.
        dealt: both hands as they are dealt.
        made: both hands that the exchange makes.
        probability: that they are dealt so and exchanged, the dealer's card included.
        gain: what the exchange gains on average where it is made, per unit of one wager.
    """

    dealer: str
    dealt: str
    made: str
    probability: float
    gain: float

    @property
    def per_round(self) -> float:
        """What these exchanges add to a round."""
        return self.probability * self.gain


@dataclass(frozen=True, slots=True)
class Mistake:
    """Four cards with which the points go wrong.

    Attributes:
        dealer: the dealer's start.
        player: both hands as they are dealt.
        best: `keep` or `exchange`, which the points do not say.
        probability: of the deal, in any order that comes to the same.
        cost: what it costs where it is dealt, per unit of one wager.
    """

    dealer: str
    player: str
    best: str
    probability: float
    cost: float


@dataclass(frozen=True, slots=True, repr=False)
class ExchangeTable(Shown):
    """When to exchange cards: points for players, and what exchanges gain.

    Attributes:
        ev: expected net result per unit of one wager with the best exchange of every four cards.
        kept_ev: the same if cards are never exchanged.
        exchanged: how often they are.
        points: of hands, whose sums say whether to exchange.
        by_dealer: by the dealer's upcard, or total.
        swaps: the exchanges, those that add most to a round first.
        mistakes: of the points, those that cost most a round first.
    """

    ev: float
    kept_ev: float
    exchanged: float
    points: Points
    by_dealer: tuple[ExchangedStart, ...]
    swaps: tuple[Swap, ...]
    mistakes: tuple[Mistake, ...]
    result: SwitchResult = field(compare=False)

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row for each exchange, for pandas or polars; see `Swap`."""
        names = ("dealer", "dealt", "made", "probability", "gain", "per_round")
        return [{name: getattr(swap, name) for name in names} for swap in self.swaps]

    def _shown_rows(self) -> list[dict[str, Any]]:
        """Return the points; `to_rows` has the exchanges."""
        columns = self.points.columns
        return [{"hand": hand, **dict(zip(columns, of, strict=True))} for hand, of in self.points.compact()]

    def facts(self) -> list[tuple[str, ...]]:
        """Return what exchanges and the points are worth, and under which rules."""
        return [
            ("EV", f"{self.ev:+.10f} per unit of one wager, with the best exchange"),
            ("By points", f"{self.ev - self.points.cost:+.10f}"),
            ("Never exchanged", f"{self.kept_ev:+.10f}"),
            *self.result.setting(),
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the table as JSON takes it."""
        return {
            "ev": self.ev,
            "ev_by_points": self.ev - self.points.cost,
            "ev_never_exchanged": self.kept_ev,
            "exchanged": self.exchanged,
            "points": self.points.to_dict(),
            "by_upcard": [
                {"upcard": row.dealer}
                | {name: getattr(row, name) for name in ("probability", "exchanged", "ev", "kept_ev", "cost")}
                for row in self.by_dealer
            ],
            "exchanges": self.to_rows(),
            "mistakes": [{name: getattr(item, name) for name in item.__slots__} for item in self.mistakes],
        }


class _Start(NamedTuple):
    """One dealer start; arrays are over the kinds of four cards.

    Attributes:
        label: the start.
        weight: probability of the start and of the cards, in any order that comes to the same.
        gain: what the exchange gains.
        best: whether it is made.
        kept: what the cards are worth as they are dealt.
    """

    label: str
    weight: NDArray[np.float64]
    gain: NDArray[np.float64]
    best: NDArray[np.bool_]
    kept: NDArray[np.float64]


class _Hands:
    """The kinds of hands that points tell apart, and which two every four cards are and would be made."""

    def __init__(self, *, splits: bool) -> None:
        self.kinds = list(alike())
        self.orders = np.array(list(alike().values()), dtype=np.float64)
        names = {
            (a, b, made): _name((a, b), made=made, splits=splits)
            for made in (False, True)
            for a in range(N_VALUES)
            for b in range(N_VALUES)
        }
        self.names = sorted(set(names.values()), key=_rank)
        number = {name: place for place, name in enumerate(self.names)}
        pairs = [((a, b, False), (c, d, False), (a, d, True), (c, b, True)) for a, b, c, d in self.kinds]
        found = np.array([[number[names[hand]] for hand in hands] for hands in pairs], dtype=np.intp)
        self.dealt, self.made = found[:, :2], found[:, 2:]
        # By hand and four cards, how often an exchange makes the hand, less how often it was dealt.
        self.moves = np.zeros((len(self.names), len(self.kinds)))
        for place, sign in zip(found.T, (-1, -1, 1, 1), strict=True):
            np.add.at(self.moves, (place, np.arange(len(self.kinds))), sign)

    def adds(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return by four cards how many points an exchange adds."""
        added: NDArray[np.float64] = points @ self.moves
        return added

    def value(self, points: NDArray[np.float64], gain: NDArray[np.float64]) -> float:
        """Return what exchanging by points adds to a round, given what each exchange does."""
        return float(gain[self.adds(points) > 0].sum())

    def improved(self, points: NDArray[np.float64], gain: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return points of which no single one is better one more or less."""
        best, added = self.value(points, gain), self.adds(points)
        changed = True
        while changed:
            changed = False
            for place, move in enumerate(self.moves):
                for step in (1, -1):
                    other = added + step * move
                    value = float(gain[other > 0].sum())
                    if value > best + _SAVES:
                        points = points.copy()
                        points[place] += step
                        best, added, changed = value, other, True
        return points


class _Column:
    """Some dealer starts for which the points are the same.

    Attributes:
        groups: of the starts, neighbours.
        starts: the starts.
        gain: by kind of four cards, what it adds to a round if these are exchanged.
        fit: the equations that points solve whose sums come nearest to what exchanges gain: a matrix and its vector.
    """

    def __init__(self, groups: tuple[StartGroup, ...], starts: list[_Start], hands: _Hands) -> None:
        self.groups, self.starts = groups, starts
        weight = np.sum([start.weight for start in starts], axis=0)
        self.gain = np.sum([start.weight * start.gain for start in starts], axis=0)
        # Gains are per unit of one wager, half of what both hands gain.
        self.fit = hands.moves @ (hands.moves * weight).T, hands.moves @ (2 * self.gain)

    def beside(self, other: _Column) -> _Column:
        """Return both columns as one."""
        both = copy(self)
        both.groups, both.starts = (*self.groups, *other.groups), [*self.starts, *other.starts]
        both.gain = self.gain + other.gain
        both.fit = self.fit[0] + other.fit[0], self.fit[1] + other.fit[1]
        return both

    def points(self, per_wager: int) -> NDArray[np.float64]:
        """Return the points of hands, rounded."""
        values: NDArray[np.float64] = np.linalg.lstsq(*self.fit, rcond=1e-10)[0]
        return np.round(values * per_wager)

    @property
    def label(self) -> str:
        """What stands over it."""
        first, last = self.groups[0].label, self.groups[-1].short
        return first if len(self.groups) == 1 else f"{first}–{last}"


def _name(hand: tuple[int, int], *, made: bool, splits: bool) -> str:
    """Return the name of the kind of a hand of two cards."""
    if sorted(hand) == [ACE, TEN]:
        return _MADE if made else _DEALT
    if hand[0] == hand[1] and splits:
        return f"{RANKS[hand[0]]},{RANKS[hand[0]]}"
    return row_name(*place_of(hand))


def _rank(name: str) -> tuple[int, int]:
    """Return where a kind of hands stands: hard, soft, pairs, an ace and a ten."""
    kind, _, total = name.partition(" ")
    if kind in ("hard", "soft"):
        return ("hard", "soft").index(kind), int(total)
    return (3, int(name == _DEALT)) if total else (2, (RANKS.index(name[0]) - 1) % N_VALUES)


def exchange_table(
    game: AnyGame | RoundResult, columns: int = DEFAULT_COLUMNS, per_wager: int = DEFAULT_PER_WAGER
) -> ExchangeTable:
    """Return when to exchange cards: a table of points with what it costs, and the exchanges that gain most.

    >>> from odds.game.rules import Rules
    >>> found = exchange_table(Rules(switch=True, blackjack_pays=1, dealer_22="push", max_hands=1), 4)
    >>> found.points.columns, dict(found.points.rows)["A,T dealt"][0] > dict(found.points.rows)["A,T made"][0]
    (('2–6', '7', '8–9', 'T–A'), True)

    Args:
        game: the round of two hands; or a game or rules, also by name or file, under the best play for the exact cards.
        columns: how many columns the points have; neighbouring upcards are put together that cost least so.
        per_wager: how many points are worth about one wager.

    Raises:
        RulesError: no cards are exchanged under the rules.
        OddsError: a number is out of range.
    """
    result = round_of(game)
    if not isinstance(result, SwitchResult):
        raise RulesError("exchanges: expected a game with switch=true, in which cards are exchanged")
    found, dealer = result.exchanges, result.terms.dealer
    groups = played_groups(dealer)
    whole_between("columns", columns, 1, len(groups))
    whole_between("points", per_wager, 1, MOST_PER_WAGER)
    hands = _Hands(splits=result.terms.legal.splits)
    cards = tuple(np.array(hands.kinds).T)
    times = {row.start: float(row.times) for row in result.by_start}
    best = found.exchanges
    starts = {
        start.label: _Start(
            start.label,
            p * hands.orders * found.probability[(number, *cards)],
            times[start.label] * found.gain[(number, *cards)],
            best[(number, *cards)],
            times[start.label] * found.ev[(0, number, *cards)],
        )
        for number, (start, p) in enumerate(found.starts)
    }
    singles = [
        _Column((group,), [starts[label] for label in group.starts if label in starts], hands)
        for group in groups
        if any(label in starts for label in group.starts)
    ]
    merged = _merged(singles, hands, columns, per_wager)
    points = []
    by_dealer: list[ExchangedStart] = []
    swaps: list[Swap] = []
    mistakes: list[Mistake] = []
    for column in merged:
        of_column = hands.improved(column.points(per_wager), column.gain)
        points.append((of_column - of_column.min()).astype(int).tolist())
        says = hands.adds(of_column) > 0
        by_dealer += [_by_dealer(group, starts, says) for group in column.groups]
        swaps += _swaps(column, hands)
        mistakes += [item for start in column.starts for item in _mistakes(start, hands, says)]
    labels = tuple(column.label for column in merged)
    rows = tuple(zip(hands.names, zip(*points, strict=True), strict=True))
    return ExchangeTable(
        result.ev,
        result.ev - fsum(row.probability * (row.ev - row.kept_ev) for row in by_dealer),
        fsum(row.probability * row.exchanged for row in by_dealer),
        Points(labels, per_wager, rows, fsum(item.probability * item.cost for item in mistakes)),
        tuple(by_dealer),
        tuple(sorted(swaps, key=lambda swap: -swap.per_round)),
        tuple(sorted(mistakes, key=lambda item: -item.probability * item.cost)),
        result,
    )


def _merged(columns: list[_Column], hands: _Hands, most: int, per_wager: int) -> list[_Column]:
    """Return so many columns, neighbours put together that cost least so."""
    columns = list(columns)
    values = [hands.value(column.points(per_wager), column.gain) for column in columns]
    pairs: dict[tuple[str, str], tuple[_Column, float]] = {}
    while len(columns) > most:
        losses = []
        for at, (one, two) in enumerate(pairwise(columns)):
            if one.groups[0].kind != two.groups[0].kind:
                continue
            if (one.label, two.label) not in pairs:
                both = one.beside(two)
                pairs[one.label, two.label] = both, hands.value(both.points(per_wager), both.gain)
            losses.append((values[at] + values[at + 1] - pairs[one.label, two.label][1], at))
        if not losses:
            break
        _, at = min(losses)
        both, value = pairs[columns[at].label, columns[at + 1].label]
        columns[at : at + 2], values[at : at + 2] = [both], [value]
    return columns


def _by_dealer(group: StartGroup, starts: dict[str, _Start], says: NDArray[np.bool_]) -> ExchangedStart:
    """Return what exchanges are worth against the starts of a group."""
    found = [starts[label] for label in group.starts if label in starts]
    p = fsum(float(start.weight.sum()) for start in found)

    def mean(of: Callable[[_Start], NDArray[Any]]) -> float:
        return fsum(float((start.weight * of(start)).sum()) for start in found) / p

    kept, gained = mean(lambda start: start.kept), mean(lambda start: start.gain * start.best)
    cost = gained - mean(lambda start: start.gain * says)
    return ExchangedStart(group.label, p, mean(lambda start: start.best), kept + gained, kept, cost)


def _swaps(column: _Column, hands: _Hands) -> Iterator[Swap]:
    """Yield the exchanges against the starts of a column."""
    found: dict[tuple[int, ...], list[float]] = {}
    for start in column.starts:
        for place in np.flatnonzero(start.best & (start.weight > 0)).tolist():
            key = (*sorted(hands.dealt[place].tolist()), *sorted(hands.made[place].tolist()))
            sums = found.setdefault(key, [0.0, 0.0])
            sums[0] += float(start.weight[place])
            sums[1] += float(start.weight[place] * start.gain[place])
    for (low, high, made_low, made_high), (probability, gain) in found.items():
        dealt, made = (f"{hands.names[one]} + {hands.names[two]}" for one, two in ((high, low), (made_high, made_low)))
        yield Swap(column.label, dealt, made, probability, gain / probability)


def _mistakes(start: _Start, hands: _Hands, says: NDArray[np.bool_]) -> Iterator[Mistake]:
    """Yield the deals against a start with which the points go wrong."""
    wrong = (says != start.best) & (np.abs(start.gain) > TIE) & (start.weight > 0)
    for place in np.flatnonzero(wrong).tolist():
        best = WAYS[int(start.best[place])]
        cost = abs(float(start.gain[place]))
        yield Mistake(start.label, four_cards(hands.kinds[place]), best, float(start.weight[place]), cost)
