"""One column of a chart of two hands whose cards are exchanged: its rounds after the exchange.

A hand is played by the chart beside any two cards of the other, so a column's starts are the dealer's starts beside
each two cards, and its hands are as likely as the exchange makes them that is best for the chart. A better chart for
these hands and a better exchange for that chart take turns, until neither changes: each raises the EV of a round.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from odds.engine.dealer import remove_start
from odds.engine.hands import player_hands
from odds.engine.player import start_values
from odds.engine.split_classes import GIVEN
from odds.engine.start import StartAnalysis
from odds.numbers.arithmetic import DOUBLES, tabulate
from odds.results.switch import PAIRS, exchanges
from odds.strategy.column import Column, StartValue
from odds.strategy.play import ColumnPlay

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from odds.results.groups import StartGroup
    from odds.results.round import SwitchResult
    from odds.results.switch import Exchanges
    from odds.strategy.codes import Place


class _StartBeside(StartValue):
    """The hands against one dealer start beside two cards of the other hand, as likely as they are given the start."""

    def __init__(self, analysis: StartAnalysis, probability: float, beside: tuple[int, ...]) -> None:
        self.analysis, self.probability, self.beside = analysis, probability, beside

    def weigh(self, weights: NDArray[np.float64]) -> None:
        """Take how likely the hands are, by place in `PAIRS`; what the rounds are worth beside them is left out."""
        self.hands = [
            (int(player_hands().two_cards[pair]), pair[0] if pair[0] == pair[1] else None, weight)
            for pair, weight in zip(PAIRS, weights.tolist(), strict=True)
            if weight
        ]
        self._p_blackjack = self.at.p_blackjacks(np.array([hand for hand, _, _ in self.hands], dtype=np.int32))
        self.constant = 0.0
        for known in ("surrenders", "splits"):
            self.__dict__.pop(known, None)


class ExchangedColumn(Column):
    """A column of a chart after the exchange."""

    def __init__(self, group: StartGroup, result: SwitchResult) -> None:
        """Prepare the starts of the column.

        Args:
            group: the starts.
            result: a round, with the exchange that is made at first.
        """
        found, times = result.exchanges, {row.start: float(row.times) for row in result.by_start}
        terms = found.terms.at(found.terms.dealer.parse(group.starts[0]))
        self.group, self.legal, self.by_cards = group, terms.legal, terms.by_cards
        self._terms, self._shoe = found.terms, found.shoe
        self._dealer = [start for start, _ in found.starts if start.label in group.starts]
        self.surrenders = any(terms.surrender(start) != "none" for start in self._dealer)
        self._all: list[_StartBeside] = []
        for start, p in found.starts:
            if start.label not in group.starts:
                continue
            left = remove_start(found.shoe, start)
            for other in PAIRS[:1] if left.endless else PAIRS:
                if any(left.counts[card] < other.count(card) for card in other):
                    continue
                shoe = left.without(other)
                analysis = StartAnalysis(start, shoe, terms, GIVEN)
                analysis.know(start_values(start, shoe, tabulate(shoe, DOUBLES), analysis.terms), {})
                self._all.append(_StartBeside(analysis, p * times[start.label], other))
        self.weigh(found)

    def weigh(self, found: Exchanges) -> None:
        """Take how likely the hands are after an exchange."""
        played = found.played()
        numbers = {start: number for number, (start, _) in enumerate(found.starts)}
        self.starts = []
        for start in self._all:
            of_start = played[numbers[start.analysis.start]]
            weights = of_start.sum(axis=0) if self._shoe.endless else of_start[PAIRS.index(start.beside)]
            if weights.any():
                start.weigh(weights)
                self.starts.append(start)

    def exchange(self, codes: Mapping[Place, str]) -> None:
        """Make the exchange that is best if hands are played by these codes."""
        play = ColumnPlay(codes, {}, self.legal, surrenders=self.surrenders)
        tables = {start.cards: play.table(start.cards) for start in self._dealer}
        if self._dealer:
            self.weigh(exchanges(self._terms, self._shoe, GIVEN, tables=tables, starts=self._dealer))
