"""The player's hands against one dealer start: what standing, hitting and doubling are worth.

Values are **joint** expectations: payoff times "no hidden dealer blackjack", less what such a blackjack takes from
each hand under the rules. Draws then keep their plain probabilities, n of a card in N, whether or not the dealer has
peeked; dividing by the probability of no blackjack gives the value after a peek.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from odds._kernel import SWEEP_ROWS, sweep
from odds.engine.dealer import final_probabilities
from odds.engine.hands import ACE, TEN, player_hands
from odds.numbers.arithmetic import DOUBLES, tabulate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from odds.engine.dealer import DealerStart
    from odds.engine.hands import Removals
    from odds.engine.pays import Settlement
    from odds.engine.terms import LevelsForKernel, Terms
    from odds.game.shoe import Shoe
    from odds.numbers.arithmetic import Arithmetic, ShoeNumbers

_NO_PAIR = 0


class DealerRows:
    """The dealer's probabilities for the sets of cards gone of a game, each worked out when it is first asked for."""

    def __init__(
        self,
        start: DealerStart,
        terms: Terms,
        numbers: ShoeNumbers,
        needed: NDArray[np.uint8] | None = None,
        sets: Removals | None = None,
    ) -> None:
        """Take what the probabilities depend on.

        Args:
            start: the dealer's start.
            terms: for his drawing rule, and the sets of cards gone.
            numbers: the shoe without the start.
            needed: which sets matter, if that is known; the others' probabilities stay 0.
            sets: the sets of cards gone; those of the terms if left out.
        """
        self._numbers, self._start, self._terms = numbers, start, terms
        self.removals = terms.removals if sets is None else sets
        self._filled: set[tuple[int, int]] = set()
        if needed is not None:
            self._fill(np.flatnonzero(needed).astype(np.int32))
            self._known[:] = True

    @cached_property
    def _table(self) -> NDArray[Any]:
        return self._numbers.arithmetic.zeros((len(self.removals.removed), self._terms.pays.n_totals))

    @cached_property
    def _known(self) -> NDArray[np.bool_]:
        return np.zeros(len(self.removals.removed), dtype=np.bool_)

    def of(self, pair: int, extra: int) -> NDArray[Any]:
        """Return the table, sets x totals, with the rows of hands of a split filled; of all hands if `extra` is 0."""
        if (pair if extra else 0, extra) not in self._filled:
            rows = self.removals.rows[pair, extra]
            self._fill(rows[(rows >= 0) & ~self._known[rows]])
            self._filled.add((pair if extra else 0, extra))
        return self._table

    def _fill(self, rows: NDArray[np.int32]) -> None:
        if len(rows):
            removed = np.ascontiguousarray(self.removals.removed[rows])
            self._table[rows] = final_probabilities(self._terms.trie(self._start), self._numbers, removed)
            self._known[rows] = True


@dataclass(frozen=True, slots=True)
class StartValues:
    """The values of every hand against one dealer start, before any split.

    Attributes:
        start: the dealer's start.
        terms: the rules, read.
        shoe: the shoe without the start.
        numbers: that shoe as the kernel takes it.
        pays: what hands net, as the kernel takes it.
        blackjack: what they net against a hidden blackjack, as the kernel takes it.
        levels: what `Terms.for_kernel` returns.
        dealer: the dealer's probabilities.
        values: by action (stand, hit, double) and hand what it is worth, on the joint scale; in row `VALUE_ROW` the
            value of the play; in row `HIT_MORE_ROW`, where hands may be doubled that were hit, the units that the play
            adds to the first after a hit. A finished hand has its value in each row of an action. With levels (see
            `Legal.levels`) those of one level follow those of the one before, and there are two rows more: units added
            after a double, and what giving up is worth.
        play: by hand, and level, the best of these actions that is legal, or the one of the play that is followed.
    """

    start: DealerStart
    terms: Terms
    shoe: Shoe
    numbers: ShoeNumbers
    pays: NDArray[Any]
    blackjack: NDArray[Any]
    levels: LevelsForKernel
    dealer: DealerRows
    values: NDArray[Any]
    play: NDArray[np.uint8]

    @property
    def offered(self) -> NDArray[np.bool_]:
        """By hand, and level, whether hands may be given up after a hit, a split or a double."""
        offered = self.levels.offered if len(self.levels.offered) else np.zeros(1, dtype=np.uint8)
        return np.repeat(offered != 0, player_hands().graph.size)

    @property
    def settlement(self) -> Settlement:
        """What a hidden blackjack does."""
        return self.terms.settlement(self.start)

    def p_blackjack(self, hand: int, extra: int = 0, pair: int = _NO_PAIR) -> Any:
        """Return the probability of a hidden blackjack once a hand, and so many more of a card, are gone."""
        hidden, arithmetic = self.start.hidden_blackjack, self.numbers.arithmetic
        if hidden < 0:
            return arithmetic.ratio(0, 1)
        counts, step = player_hands().counts[hand], self.shoe.step
        left = self.shoe.counts[hidden] - step * (counts[hidden] + (extra if hidden == pair else 0))
        total = self.numbers.total - step * (sum(counts) + extra)
        return arithmetic.ratio(max(left, 0), total) if total > 0 else arithmetic.ratio(0, 1)

    def p_blackjacks(
        self, hands: NDArray[np.int32], extra: int = 0, pairs: NDArray[np.intp] | None = None
    ) -> NDArray[np.float64]:
        """Return what `p_blackjack` does, in doubles, for two-card hands; with `extra`, by pair card and hand."""
        hidden, step = self.start.hidden_blackjack, self.shoe.step
        total = self.numbers.total - step * (2 + extra)
        if hidden < 0 or total <= 0:
            return np.zeros(hands.shape)
        left = self.shoe.counts[hidden] - step * player_hands().graph.counts[hands, hidden].astype(np.int64)
        if pairs is not None:
            left -= np.where(pairs == hidden, step * extra, 0)[:, None]
        return np.asarray(np.maximum(left, 0) / total)

    def if_switched(self) -> Any:
        """Return the value of an ace and a ten that an exchange has made, which stand, on the joint scale; a scalar."""
        hand, kind, read = (
            int(player_hands().two_cards[ACE, TEN]),
            self.terms.pays.switched,
            self.numbers.arithmetic.read,
        )
        removed, p = player_hands().graph.counts[[hand]], self.p_blackjack(hand)
        (totals,) = final_probabilities(self.terms.trie(self.start), self.numbers, removed)
        bust, *differences = map(read, self.pays[kind])
        value = bust * (1 - p)
        for total, difference in zip(totals, differences, strict=True):
            value = value + read(total) * difference
        # A blackjack that the dealer has looked for settles the cards as they were dealt.
        return value if self.start.peeks else value + read(self.blackjack[kind, 0]) * p


def evaluate_start(
    start: DealerStart,
    shoe: Shoe,
    terms: Terms,
    arithmetic: Arithmetic = DOUBLES,
    play: NDArray[np.uint8] | None = None,
    needed: NDArray[np.uint8] | None = None,
) -> StartValues:
    """Return the values of every hand against a dealer start.

    Args:
        start: the dealer's start.
        shoe: the shoe without it.
        terms: the rules, read.
        arithmetic: the number system.
        play: the play to follow; the best one is found (in doubles only) if left out.
        needed: which sets of cards gone matter; the others' probabilities are left at 0.
    """
    at = start_values(start, shoe, tabulate(shoe, arithmetic), terms, needed)
    optimise = play is None
    if play is None:
        play = np.zeros(terms.legal.n_states, dtype=np.uint8)
    return replace(at, values=sweep_hands(at, play, optimise=optimise), play=play)


def start_values(
    start: DealerStart,
    shoe: Shoe,
    numbers: ShoeNumbers,
    terms: Terms,
    needed: NDArray[np.uint8] | None = None,
    dealer: DealerRows | None = None,
) -> StartValues:
    """Return all that sweeps over hands need to know, with no values yet; arguments as for `evaluate_start`.

    The dealer's probabilities may be given, where they are kept.
    """
    pays = terms.pays.for_kernel(numbers.arithmetic)
    blackjack = terms.settlement(start).for_kernel(numbers.arithmetic)
    levels = terms.for_kernel(start, numbers.arithmetic)
    dealer = dealer or DealerRows(start, terms, numbers, needed)
    nothing = np.empty(0), np.empty(0, dtype=np.uint8)
    return StartValues(start, terms, shoe, numbers, pays, blackjack, levels, dealer, *nothing)


def sweep_hands(
    at: StartValues,
    play: NDArray[np.uint8],
    *,
    optimise: bool,
    pair: int = _NO_PAIR,
    extra: int = 0,
    may: NDArray[np.uint8] | None = None,
) -> NDArray[Any]:
    """Return the values of every hand, or of those of a split, in the rows of `StartValues.values` and two more.

    Args:
        at: the dealer start and shoe.
        play: by hand; written if `optimise`, else followed.
        optimise: find the best play.
        pair: the pair card of a split.
        extra: how many pair cards are gone beside those in the hand; 0 before a split. Hands without the pair card
            are then left at 0.
        may: what may be done with hands; as the rules say if left out.
    """
    graph, legal, pays, numbers, start = player_hands().graph, at.terms.legal, at.terms.pays, at.numbers, at.start
    may = legal.states(pair if extra else None) if may is None else may
    kinds = pays.states(legal.levels, split=extra > 0)
    hands = (graph, may, kinds, at.pays, at.blackjack, at.dealer.of(pair, extra), at.dealer.removals.rows[pair, extra])
    shoe = (numbers.cards, numbers.inverse, numbers.small, numbers.total)
    shown = (start.out_of_reach, start.hidden_blackjack, start.peeks, numbers.arithmetic.field)
    out = numbers.arithmetic.zeros((SWEEP_ROWS, legal.n_states))
    given, wagers, offered, moves, free = at.levels
    sweep(*hands, *shoe, *shown, given, wagers, offered, moves, free, pair, extra, optimise, play, out)
    return out
