"""The player's hands against one dealer start: what standing, hitting and doubling are worth.

Values are **joint** expectations: payoff times "no hidden dealer blackjack", less what such a blackjack takes from
each hand under the rules. Draws then keep their plain probabilities, n of a card in N, whether or not the dealer has
peeked; dividing by the probability of no blackjack gives the value after a peek.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from odds._kernel import sweep
from odds.engine.dealer import TOTALS, final_probabilities
from odds.engine.hands import Removals, player_hands
from odds.numbers.arithmetic import DOUBLES, tabulate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from odds.engine.dealer import DealerStart
    from odds.game.rules import Rules
    from odds.game.shoe import Shoe
    from odds.numbers.arithmetic import Arithmetic, ShoeNumbers

# Rows of a table of values, as the kernel fills them.
STAND_ROW, HIT_ROW, DOUBLE_ROW, VALUE_ROW = 0, 1, 2, 3
N_ROWS = 4  # and one more in which the kernel keeps standing with two units
_NO_PAIR = 0


class DealerRows:
    """The dealer's probabilities for sets of cards gone, each worked out when it is first asked for.

    Attributes:
        start: the dealer's start.
        rules: for his drawing rule.
        numbers: the shoe without the start.
        removals: the sets of cards gone.
    """

    def __init__(
        self,
        start: DealerStart,
        rules: Rules,
        numbers: ShoeNumbers,
        removals: Removals,
        needed: NDArray[np.uint8] | None = None,
    ) -> None:
        """Take what the probabilities depend on.

        Args:
            start: the dealer's start.
            rules: for his drawing rule.
            numbers: the shoe without the start.
            removals: the sets of cards gone.
            needed: which sets matter, if that is known; the others' probabilities stay 0.
        """
        self.start, self.rules, self.numbers, self.removals = start, rules, numbers, removals
        self._filled: set[tuple[int, int]] = set()
        if needed is not None:
            self._fill(np.flatnonzero(needed).astype(np.int32))
            self._known[:] = True

    @cached_property
    def _table(self) -> NDArray[Any]:
        return self.numbers.arithmetic.zeros((len(self.removals.removed), len(TOTALS)))

    @cached_property
    def _known(self) -> NDArray[np.bool_]:
        return np.zeros(len(self.removals.removed), dtype=np.bool_)

    def of(self, pair: int, extra: int) -> NDArray[Any]:
        """Return the table, sets x 5, with the rows of hands of a split filled; of all hands where `extra` is 0."""
        if (pair if extra else 0, extra) not in self._filled:
            rows = self.removals.rows[pair, extra]
            self._fill(rows[(rows >= 0) & ~self._known[rows]])
            self._filled.add((pair if extra else 0, extra))
        return self._table

    def _fill(self, rows: NDArray[np.int32]) -> None:
        if len(rows):
            removed = np.ascontiguousarray(self.removals.removed[rows])
            self._table[rows] = final_probabilities(self.start, self.rules, self.numbers, removed)
            self._known[rows] = True


@dataclass(frozen=True, slots=True)
class StartValues:
    """The values of every hand against one dealer start, before any split.

    Attributes:
        start: the dealer's start.
        rules: the rules.
        shoe: the shoe without the start.
        numbers: that shoe as the kernel takes it.
        dealer: the dealer's probabilities.
        values: rows STAND_ROW, HIT_ROW, DOUBLE_ROW, VALUE_ROW by hand, on the joint scale. A hand that stands by
            itself has its standing value in each.
        play: by hand 0 stand, 1 hit, 2 double: the best of these that the rules allow.
    """

    start: DealerStart
    rules: Rules
    shoe: Shoe
    numbers: ShoeNumbers
    dealer: DealerRows
    values: NDArray[Any]
    play: NDArray[np.uint8]

    def p_blackjack(self, hand: int, extra: int = 0, pair: int = _NO_PAIR) -> Any:
        """Return the probability of a hidden blackjack once a hand, and so many more of a card, are gone."""
        hidden, arithmetic = self.start.hidden_blackjack, self.numbers.arithmetic
        if hidden < 0:
            return arithmetic.ratio(0, 1)
        counts = player_hands().counts[hand]
        left = self.shoe.counts[hidden] - counts[hidden] - (extra if hidden == pair else 0)
        total = self.numbers.total - sum(counts) - extra
        return arithmetic.ratio(max(left, 0), total) if total > 0 else arithmetic.ratio(0, 1)

    def p_blackjacks(
        self, hands: NDArray[np.int32], extra: int = 0, pairs: NDArray[np.intp] | None = None
    ) -> NDArray[np.float64]:
        """Return what `p_blackjack` does, in doubles, for two-card hands; with `extra`, by pair card and hand."""
        hidden, total = self.start.hidden_blackjack, self.numbers.total - 2 - extra
        if hidden < 0 or total <= 0:
            return np.zeros(hands.shape)
        left = self.shoe.counts[hidden] - player_hands().graph.counts[hands, hidden].astype(np.int64)
        if pairs is not None:
            left -= np.where(pairs == hidden, extra, 0)[:, None]
        return np.asarray(np.maximum(left, 0) / total)

    def blackjack_value(self, p_blackjack: Any, *, once: bool = False) -> Any:
        """Return what a player's blackjack is worth, a hidden blackjack having this probability.

        Args:
            p_blackjack: a scalar.
            once: leave out what the tie of two blackjacks pays, which the round settles once for all hands.
        """
        return blackjack_value(self.rules, p_blackjack, self.numbers.arithmetic, once=once)


def blackjack_value(rules: Rules, p_blackjack: Any, arithmetic: Arithmetic = DOUBLES, *, once: bool = False) -> Any:
    """Return what `StartValues.blackjack_value` does, for a scalar or in doubles for an array of probabilities."""
    ratio, pays = arithmetic.ratio, rules.blackjack_pays
    value = ratio(pays.numerator, pays.denominator) * (1 - p_blackjack)
    if once:
        return value
    tie = tied_blackjack(rules)
    return value + ratio(tie.numerator, tie.denominator) * p_blackjack


def tied_blackjack(rules: Rules) -> Fraction:
    """Return what a player's blackjack nets against a dealer's."""
    return {"push": Fraction(0), "win": rules.blackjack_pays, "lose": Fraction(-1)}[rules.blackjack_tie]


def kernel_settings(rules: Rules, start: DealerStart, total: int) -> NDArray[np.int32]:
    """Return the rules as the kernel takes them, for one dealer start and a shoe of `total` cards without it."""
    return np.array(settings_of(rules, start, total), dtype=np.int32)


def settings_of(rules: Rules, start: DealerStart, total: int) -> list[int]:
    """Return the numbers of `kernel_settings`."""
    costs = start.blackjack_cost(1), start.blackjack_cost(2)
    reserved = 1 if start.hole_card_dealt else 0
    return [*_tie_costs(rules), *costs, rules.charlie or 0, reserved, start.hidden_blackjack, total]


@lru_cache(maxsize=64)
def _tie_costs(rules: Rules) -> tuple[int, ...]:
    """Return what a tie costs beside the unit that is not won: of totals up to 16, and of 17 to 21."""
    return 1, *(2 if rules.tie_loses(total) else 1 for total in range(17, 22))


@lru_cache(maxsize=64)
def doubles(rules: Rules) -> NDArray[np.uint8]:
    """Return by hand whether its total and number of cards may be doubled."""
    graph = player_hands().graph
    allowed = [
        cards == 2 and rules.may_double(int(total), bool(soft))
        for cards, total, soft in zip(graph.cards, graph.total, graph.soft, strict=True)
    ]
    return np.array(allowed, dtype=np.uint8)


def evaluate(
    start: DealerStart,
    shoe: Shoe,
    rules: Rules,
    removals: Removals,
    arithmetic: Arithmetic = DOUBLES,
    play: NDArray[np.uint8] | None = None,
    needed: NDArray[np.uint8] | None = None,
) -> StartValues:
    """Return the values of every hand against a dealer start.

    Args:
        start: the dealer's start.
        shoe: the shoe without it.
        rules: the rules.
        removals: the sets of cards gone that may be asked for.
        arithmetic: the number system.
        play: the play to follow; the best one is found (in doubles only) if left out.
        needed: which rows of `removals` matter; the others' probabilities are left at 0.
    """
    numbers = tabulate(shoe.counts, arithmetic)
    dealer = DealerRows(start, rules, numbers, removals, needed)
    optimise = play is None
    if play is None:
        play = np.zeros(player_hands().graph.size, dtype=np.uint8)
    partial = StartValues(start, rules, shoe, numbers, dealer, np.empty(0), play)
    values = sweep_hands(partial, play, may_double=doubles(rules), optimise=optimise)
    return StartValues(start, rules, shoe, numbers, dealer, values, play)


def sweep_hands(
    at: StartValues,
    play: NDArray[np.uint8],
    *,
    may_double: NDArray[np.uint8],
    optimise: bool,
    pair: int = _NO_PAIR,
    extra: int = 0,
    draws: bool = True,
) -> NDArray[Any]:
    """Return the values of every hand, or of those of a split, in the rows of `StartValues.values`.

    Args:
        at: the dealer start and shoe.
        play: by hand; written if `optimise`, else followed.
        may_double: by hand.
        optimise: find the best play.
        pair: the pair card of a split.
        extra: how many pair cards are gone beside those in the hand; 0 before a split. Hands without the pair card
            are then left at 0.
        draws: a two-card hand may be hit.
    """
    out = at.numbers.arithmetic.zeros((N_ROWS + 1, player_hands().graph.size))
    sweep(
        player_hands().graph,
        at.dealer.of(pair, extra),
        at.dealer.removals.rows[pair, extra],
        at.numbers.cards,
        at.numbers.inverse,
        at.numbers.small,
        kernel_settings(at.rules, at.start, at.numbers.total),
        at.numbers.arithmetic.field,
        pair,
        extra,
        may_double,
        draws,
        optimise,
        play,
        out,
    )
    return out
