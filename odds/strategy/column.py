"""One column of a chart: the EV of its rounds, as a function of its codes."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from itertools import groupby
from math import fsum
from typing import TYPE_CHECKING, Any

import numpy as np

from odds._kernel import VALUE_ROW
from odds.engine.actions import DOUBLE, HIT, ROW, SPLIT, STAND, SURRENDER
from odds.engine.dealer import remove_start, start_probability
from odds.engine.hands import TEN, player_hands
from odds.engine.player import sweep_hands
from odds.engine.split_classes import GIVEN
from odds.engine.start import StartAnalysis
from odds.results.deals import Deals, first_hands
from odds.strategy.codes import FREE_TOTALS, MOST_NUMBER, TOTALS, total_rows
from odds.strategy.doubled import free_actions, split_stages
from odds.strategy.play import ColumnPlay

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from odds.engine.passes import Passes
    from odds.engine.player import StartValues
    from odds.engine.terms import Terms
    from odds.game.shoe import Shoe
    from odds.results.groups import StartGroup
    from odds.strategy.codes import Place


class StartValue:
    """The value of all rounds against one dealer start, as a function of the play.

    The dealer's probabilities do not depend on the play and are worked out once.

    Attributes:
        analysis: the start.
        probability: of the start; times its money, where best play raises against it.
        hands: the first two cards: the hand, its pair card if it may be split as far as ranks go, and its probability.
        constant: what the rounds are worth beside the joint values of the hands: the unit that a blackjack takes.
    """

    def __init__(self, analysis: StartAnalysis, probability: float, passes: Passes | None = None) -> None:
        self.analysis, self.probability = analysis, probability
        self._passes = passes
        deals = analysis.shoe.total * (analysis.shoe.total - analysis.shoe.step)
        self.hands = [
            (hand.index, hand.pair, float(hand.ways) / deals)
            for hand in first_hands(analysis.shoe, analysis.terms.legal)
        ]
        self._p_blackjack = self.at.p_blackjacks(np.array([hand for hand, _, _ in self.hands], dtype=np.int32))
        self.constant = 0.0
        if self.at.settlement.once:
            shares = zip(self.hands, self._p_blackjack.tolist(), strict=True)
            self.constant = -fsum(weight * p for (_, _, weight), p in shares)

    @property
    def at(self) -> StartValues:
        """The start's values under the best play; the dealer's part of them does not depend on the play."""
        return self.analysis.values

    @property
    def drawable(self) -> int:
        """How many cards of the shoe the player can draw, those in his hand among them."""
        return self.analysis.shoe.total - self.analysis.start.out_of_reach

    @cached_property
    def surrenders(self) -> NDArray[np.float64]:
        """The value of surrendering each of the hands."""
        return np.asarray(self.analysis.surrender_value(self._p_blackjack))

    @cached_property
    def splits(self) -> dict[int, dict[tuple[int, int], tuple[NDArray[np.int32], NDArray[np.float64]]]]:
        """By pair card, number of further ones gone and level (`Legal.levels`): two-card hands of a split, weights."""
        legal = self.analysis.terms.legal
        shoe, pairs = self.analysis.shoe, {pair for _, pair, _ in self.hands if pair in legal.split_pairs}
        if self._passes is None or legal.free_pairs:
            return {pair: split_stages(shoe, legal, pair) for pair in pairs}
        kept: dict[Any, Any] = self._passes.kept(("stages", shoe), dict)
        keys = {pair: (pair, legal.split_into[pair], legal.like_tens and pair == TEN) for pair in pairs}
        for pair, key in keys.items():
            if key not in kept:
                kept[key] = split_stages(shoe, legal, pair)
        return {pair: kept[key] for pair, key in keys.items()}

    @cached_property
    def _stood(self) -> dict[tuple[int, int], tuple[NDArray[np.float64], ...]] | None:
        start, terms = self.analysis.start, self.analysis.terms
        key = start, self.analysis.shoe, terms.dealer.hits_soft_17, terms.pays.n_totals, *terms.by_nets
        return None if self._passes is None else self._passes.kept(key, dict)

    def stood(self, pair: int, extra: int) -> tuple[NDArray[np.float64], ...] | None:
        """Return what hands are worth by which it does not matter what may be done; None if that is not kept.

        It is what hitting is worth more than standing, by hand, where every hand stands after the hit; then, of hands
        of two cards, what standing and doubling are worth. Hands may have no levels (`Legal.levels`).
        """
        if self._stood is None:
            return None
        if (pair, extra) not in self._stood:
            size = player_hands().graph.size
            play, may = np.full((2, size), [[STAND], [1 << STAND | 1 << HIT | 1 << DOUBLE]], dtype=np.uint8)
            rows = sweep_hands(self.at, play, optimise=False, pair=pair, extra=extra, may=may)
            two = player_hands().graph.cards == 2
            self._stood[pair, extra] = rows[HIT, :size] - rows[STAND, :size], rows[STAND, two], rows[DOUBLE, two]
        return self._stood[pair, extra]

    def rows(self, play: NDArray[np.uint8], pair: int = 0, extra: int = 0) -> NDArray[np.float64]:
        """Return the values of all hands under a play, in the rows of `StartValues.values`; see `sweep_hands`."""
        return sweep_hands(self.at, play.copy(), optimise=False, pair=pair, extra=extra)

    def split(self, pair: int, play: NDArray[np.uint8]) -> float:
        """Return the value of a split under a play of its hands."""
        parts, size = [], player_hands().graph.size
        for extra, stages in groupby(self.splits[pair].items(), lambda item: item[0][0]):
            values = self.rows(play, pair, extra)[VALUE_ROW]
            parts += [float(weights @ values[level * size + hands]) for (_, level), (hands, weights) in stages]
        return fsum(parts)

    def value(self, play: ColumnPlay) -> float:
        """Return the EV of all rounds of this start, times the probability of the start."""
        rows = self.rows(play.states())
        parts = [self.constant]
        for number, (hand, pair, weight) in enumerate(self.hands):
            action = play.first[hand, pair is not None]
            if action == "split" and pair is not None:
                parts.append(weight * self.split(pair, play.states(pair)))
            elif action == "surrender":
                parts.append(weight * float(self.surrenders[number]))
            else:
                parts.append(weight * float(rows[ROW[action], hand]))
        return self.probability * fsum(parts)


class Column:
    """One column of a chart: its dealer starts, and its value as a function of its codes.

    Attributes:
        group: the starts.
        legal: what may be done.
        surrenders: it is offered against the column.
        by_cards: the number of a hand's cards matters beside its total.
        starts: those that the shoe can deal.
    """

    def __init__(
        self,
        group: StartGroup,
        terms: Terms,
        shoe: Shoe,
        analysis: Callable[[str], StartAnalysis] | None = None,
        passes: Passes | None = None,
    ) -> None:
        """Prepare the starts of the column.

        Args:
            group: the starts.
            terms: the rules, read.
            shoe: the cards before the deal.
            analysis: gives the analysis of a start, where there is one already; any split class will do.
            passes: kept from one column to the next.
        """
        terms = terms.at(terms.dealer.parse(group.starts[0]))
        self.group, self.legal, self.by_cards = group, terms.legal, terms.by_cards
        self.starts = []
        self.surrenders = False
        for label in group.starts:
            start = terms.dealer.parse(label)
            probability = start_probability(start, shoe)
            if probability:
                self.surrenders |= terms.surrender(start) != "none"
                if analysis is None:
                    found = StartAnalysis(start, remove_start(shoe, start), terms, GIVEN)
                else:
                    found = analysis(label)
                times = Fraction(1)
                if terms.pays.raised > 1:
                    times = Deals([found], terms).results([1.0])[0].times
                self.starts.append(StartValue(found, float(probability * times), passes))

    @cached_property
    def _free(self) -> NDArray[np.uint8]:
        return free_actions(self.legal)

    @cached_property
    def doubled(self) -> frozenset[Place]:
        """The rows of the totals that may be doubled on."""
        parts = ((TOTALS, self.legal.before_split), (FREE_TOTALS, self._free))
        return frozenset(
            totals[row] for totals, may in parts for row in np.unique(total_rows()[may >> DOUBLE & 1 != 0]).tolist()
        )

    @cached_property
    def numbers(self) -> dict[Place, tuple[tuple[int, ...], ...]]:
        """By row of a total, which numbers its code may have, see `numbered`; none where they make no difference."""
        cards, own, rows = player_hands().graph.cards, self.legal.before_split, total_rows()
        for after in self.legal.after_split if self.by_cards else ():
            own = own | after
        surrender = SURRENDER if self.surrenders else SPLIT  # which no longer hand may do

        def up_to(may: NDArray[np.uint8], row: int, action: int) -> tuple[int, ...]:
            found = cards[(rows == row) & (cards > 2) & (may >> action & 1 != 0)] if self.by_cards else ()
            return tuple(range(2, min(max(found, default=2) - 1, MOST_NUMBER) + 1))

        return {
            place: (up_to(may, row, surrender), up_to(may, row, DOUBLE), up_to(may, row, HIT))
            for totals, may in ((TOTALS, own), (FREE_TOTALS, self._free))
            for row, place in enumerate(totals)
        }

    def value(self, codes: Mapping[Place, str], exceptions: Mapping[str, str] | None = None) -> float:
        """Return what the rounds of this column add to the EV of a round."""
        play = ColumnPlay(codes, exceptions or {}, self.legal, surrenders=self.surrenders)
        return fsum(start.value(play) for start in self.starts)
