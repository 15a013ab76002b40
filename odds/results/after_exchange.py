"""The hands of a round as they are played after the exchange: how likely each is, and what its actions are worth.

A hand is valued beside each two cards of the other; here it is averaged over them, as likely as they are once the
better exchange is made.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from odds.engine.actions import ACTIONS, STAND
from odds.engine.dealer import remove_start
from odds.engine.start import StartAnalysis
from odds.results.beside import beside_each
from odds.results.deals import Deals
from odds.results.round import SwitchResult
from odds.results.switch import PAIRS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from odds.results.round import RoundResult
    from odds.results.switch import Exchanges


class HandsAfter(Deals):
    """Every two-card hand against the dealer's starts, averaged over the other hand's first two cards.

    Probabilities are of any one of the two hands. An ace and a ten that an exchange has made are left out.
    """

    def __init__(self, found: Exchanges) -> None:
        """Value the hands again beside each two cards, and average."""
        self.terms, starts = found.terms, [start for start, _ in found.starts]
        self.analyses = [
            StartAnalysis(start, remove_start(found.shoe, start), found.terms, found.split_class) for start in starts
        ]
        weights = found.played()
        if found.shoe.endless:  # nothing is learnt from the other hand
            weights = np.concatenate([weights.sum(axis=1, keepdims=True), np.zeros_like(weights[:, 1:])], axis=1)
        some = np.flatnonzero(weights.any(axis=(0, 2))).tolist()
        gone = [() if found.shoe.endless else PAIRS[place] for place in some]
        for place, deals in zip(
            some, beside_each(found.terms, found.shoe, gone, found.split_class, found.followed), strict=True
        ):
            numbers = [starts.index(analysis.start) for analysis in deals.analyses]
            if place == some[0]:
                self._begin(deals, len(starts))
            share = weights[numbers, place][:, [PAIRS.index(kind.values) for kind in self.kinds]]
            self.probability[numbers] += share
            for mean, of in ((self.p_blackjack, deals.p_blackjack), (self.ev, deals.ev), (self.wager, deals.wager)):
                mean[numbers] += share * of
            self.joint[:, numbers] += share * np.where(share > 0, deals.joint, 0.0)
            self.over[numbers] |= deals.over
            self.action[numbers] = np.where(share > 0, deals.action, self.action[numbers])
        whole = np.where(self.probability > 0, self.probability, 1.0)
        means: tuple[NDArray[np.float64], ...] = (self.p_blackjack, self.ev, self.wager, self.joint)
        for of_all in means:
            of_all /= whole
        if found.followed is None:
            self.action[...] = STAND
            self._choose()

    def _begin(self, like: Deals, starts: int) -> None:
        self.kinds = like.kinds
        shape: tuple[int, ...] = starts, len(self.kinds)
        self.probability, self.p_blackjack, self.ev, self.wager = (np.zeros(shape) for _ in range(4))
        self.joint = np.zeros((len(ACTIONS), *shape))
        self.over = np.zeros(shape, dtype=np.bool_)
        self.action = np.zeros(shape, dtype=np.intp)


def after_exchange(result: RoundResult) -> RoundResult:
    """Return a round with the decisions of one hand, as it is played once the exchange is made; of one hand, as it is.

    `FirstDecision` says what they are; of two hands they are averages over the other hand's first two cards.
    """
    if not isinstance(result, SwitchResult):
        return result
    deals = HandsAfter(result.exchanges)
    starts = [replace(start, _deals=deals, _number=number) for number, start in enumerate(result.by_start)]
    return replace(result, by_start=tuple(starts))
