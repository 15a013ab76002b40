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
from odds.results.switch import PAIRS
from odds.strategy.column import Column, StartValue

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from odds.results.groups import StartGroup
    from odds.results.round import SwitchResult


class _StartBeside(StartValue):
    """The hands against one dealer start beside two cards of the other hand, as likely as they are given the start."""

    def __init__(self, analysis: StartAnalysis, probability: float, weights: NDArray[np.float64]) -> None:
        """Take how likely the hands are, by place in `PAIRS`; what the rounds are worth beside them is left out."""
        self.analysis, self.probability, self.constant = analysis, probability, 0.0
        self._passes = None
        self.hands = [
            (int(player_hands().two_cards[pair]), pair[0] if pair[0] == pair[1] else None, weight)
            for pair, weight in zip(PAIRS, weights.tolist(), strict=True)
            if weight
        ]
        self._p_blackjack = self.at.p_blackjacks(np.array([hand for hand, _, _ in self.hands], dtype=np.int32))


class ExchangedColumn(Column):
    """A column of a chart after the exchange."""

    def __init__(self, group: StartGroup, result: SwitchResult) -> None:
        """Prepare the starts of the column.

        Args:
            group: the starts.
            result: a round, with the exchange that is made.
        """
        found, times = result.exchanges, {row.start: float(row.times) for row in result.by_start}
        terms = found.terms.at(found.terms.dealer.parse(group.starts[0]))
        self.group, self.legal, self.by_cards = group, terms.legal, terms.by_cards
        played, endless = found.played(), found.shoe.endless
        self.surrenders, self.starts = False, []
        for number, (start, p) in enumerate(found.starts):
            if start.label not in group.starts:
                continue
            self.surrenders |= terms.surrender(start) != "none"
            left = remove_start(found.shoe, start)
            beside = [((), played[number].sum(axis=0))] if endless else zip(PAIRS, played[number], strict=True)
            for other, weights in beside:
                if weights.any():
                    shoe = left.without(other)
                    analysis = StartAnalysis(start, shoe, terms, GIVEN)
                    analysis.know(start_values(start, shoe, tabulate(shoe, DOUBLES), terms), {})
                    self.starts.append(_StartBeside(analysis, p * times[start.label], weights))
