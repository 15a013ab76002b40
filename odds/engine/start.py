"""One dealer start: the values of all hands against it, and of splits, under the best play or a given one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from odds._kernel import DOUBLE_MORE_ROW, HIT_MORE_ROW
from odds.engine.actions import ROW, SPLIT, SURRENDER, names
from odds.engine.full import full_splits
from odds.engine.hands import player_hands
from odds.engine.player import evaluate_start
from odds.engine.split_classes import DEFAULT_SPLIT_CLASS, FULL
from odds.engine.splitting import SplitHands, SplitValue, split_hands, split_value
from odds.numbers.arithmetic import DOUBLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from odds.engine.dealer import DealerStart
    from odds.engine.play import StartTable
    from odds.engine.player import StartValues
    from odds.engine.terms import Terms
    from odds.game.shoe import Shoe
    from odds.numbers.arithmetic import Arithmetic


class StartAnalysis:
    """Everything about one dealer start: the values of all hands, and of splits once they are asked for.

    Attributes:
        start: the dealer's start.
        shoe: the shoe without it.
        terms: the rules, read.
        split_class: how the hands of a split are played.
        arithmetic: the number system.
    """

    def __init__(
        self, start: DealerStart, shoe: Shoe, terms: Terms, split_class: str, arithmetic: Arithmetic = DOUBLES
    ) -> None:
        self.start, self.shoe, self.terms, self.split_class = start, shoe, terms.at(start), split_class
        self.arithmetic = arithmetic
        self._values: StartValues | None = None
        self._splits: dict[tuple[int, int | None], SplitValue] = {}

    @property
    def values(self) -> StartValues:
        """The values of every hand before a split."""
        if self._values is None:
            self._values = self._evaluate()
        return self._values

    def _evaluate(self) -> StartValues:
        return evaluate_start(self.start, self.shoe, self.terms, self.arithmetic)

    def know(self, values: StartValues, splits: Mapping[int, SplitValue]) -> None:
        """Keep values, and splits by the card of the pair, that were found together with those of other starts."""
        self._values = values
        for pair, split in splits.items():
            self.know_split(pair, split)

    def know_split(self, pair: int, split: SplitValue) -> None:
        """Keep a split of a pair, of whatever rank, that was valued together with others."""
        self._splits[pair, None] = split

    def split(self, pair: int, rank: int | None = None) -> SplitValue:
        """Return the split of a pair of this value, and of this ten rank where only that one is meant."""
        # Played on everything seen, the rank of the tens does not matter.
        key = (pair, None if self.split_class == FULL else rank)
        if key not in self._splits:
            self._splits[key] = self._find_split(*key)
        return self._splits[key]

    def _find_split(self, pair: int, rank: int | None) -> SplitValue:
        if self.split_class == FULL and not self.shoe.endless:
            return full_splits([(self.start, self.shoe)], self.terms, pair)[0]
        # Where no card is ever missed, nothing is learnt from the other hand.
        return split_value(
            self.values, pair, DEFAULT_SPLIT_CLASS if self.split_class == FULL else self.split_class, rank
        )

    @property
    def surrender(self) -> str:
        """Return `none`, `late` or `early`: how the first two cards may be surrendered."""
        return self.terms.surrender(self.start)

    def legal_actions(self, hand: int, pair: int | None = None) -> list[str]:
        """Return the legal actions of a hand before a split, in the order of `ACTIONS`.

        Args:
            hand: index of the hand, or its place on a level (`Legal.levels`).
            pair: the value of the first two cards if they may be split as far as their ranks go.
        """
        actions = int(self.terms.legal.states()[hand])
        if pair is None:
            actions &= ~(1 << SPLIT)
        if self.surrender == "none" if self._first_two(hand) else not self.offers_later(hand):
            actions &= ~(1 << SURRENDER)
        return names(actions)

    def offers_later(self, hand: int) -> bool:
        """Return whether a hand on some level may be given up where its first two cards are not meant."""
        return bool(self.values.offered[hand])

    def _first_two(self, hand: int) -> bool:
        return hand < (graph := player_hands().graph).size and bool(graph.cards[hand] == 2)

    def joint_value(self, hand: int, action: str, pair: int | None = None, rank: int | None = None) -> Any:
        """Return the value of a legal action on the joint scale of `StartValues`, as a scalar of its arithmetic.

        Args:
            hand: index of the hand, or its place on the level of hands doubled so often (`Legal.levels`).
            action: one of `legal_actions`.
            pair: the value of the cards of a pair.
            rank: which of the ten ranks the pair has, where only that one is meant.
        """
        if action == "split" and pair is not None:
            return self.split(pair, rank).value
        if action == "surrender" and self._first_two(hand):
            return self.surrender_value(self.values.p_blackjack(hand))
        return self.arithmetic.read(self.values.values[ROW[action], hand])

    def surrender_value(self, p_blackjack: Any) -> Any:
        """Return the value of surrendering on the joint scale, given the probability of a hidden blackjack.

        Args:
            p_blackjack: a scalar, or an array of doubles.
        """
        kind, peeks = self.terms.surrendered(self.start), self.start.peeks
        return self.terms.pays.at_once(kind, p_blackjack, peeks=peeks, arithmetic=self.arithmetic)

    def wager(self, hand: int, action: str, pair: int | None = None) -> Any:
        """Return the expected units wagered, given the first two cards; a round that a peek ends counts 1.

        Args:
            hand: index of the hand.
            action: what is played with it.
            pair: the value of the cards of a pair.
        """
        p = self.values.p_blackjack(hand) if self.start.peeks else self.arithmetic.ratio(0, 1)
        if action == "split" and pair is not None:
            return self.split(pair).wager + p
        if action == "double" and self.terms.legal.levels:
            return 1 + self.arithmetic.read(self.values.values[DOUBLE_MORE_ROW, hand])
        if action == "double":
            return 2 - p
        if action == "hit" and (self.terms.legal.doubles_later or self.terms.legal.levels):
            return 1 + self.arithmetic.read(self.values.values[HIT_MORE_ROW, hand])
        return self.arithmetic.ratio(1, 1)

    def joint_actions(self, hand: int, pair: int | None = None, rank: int | None = None) -> dict[str, Any]:
        """Return `joint_value` of every legal action, in the order of `ACTIONS`."""
        return {action: self.joint_value(hand, action, pair, rank) for action in self.legal_actions(hand, pair)}


class FollowedStart(StartAnalysis):
    """The analysis of a dealer start under a fixed play, in any number system.

    Values of actions are those of the action followed by the play.
    """

    def __init__(
        self,
        of: StartAnalysis,
        table: StartTable,
        arithmetic: Arithmetic = DOUBLES,
        needed: NDArray[np.uint8] | None = None,
    ) -> None:
        """Follow `table` against the start, shoe and rules of another analysis.

        Args:
            of: the start, shoe and rules.
            table: the play.
            arithmetic: the number system.
            needed: which sets of cards gone the play comes to; all if left out.
        """
        super().__init__(of.start, of.shoe, of.terms, of.split_class, arithmetic)
        self.table, self._needed = table, needed
        self._hands: dict[int, SplitHands] = {}

    def _evaluate(self) -> StartValues:
        play = self.table.states(self.terms.legal)
        return evaluate_start(self.start, self.shoe, self.terms, self.arithmetic, play, self._needed)

    def _find_split(self, pair: int, rank: int | None) -> SplitValue:
        return split_value(self.values, pair, self.split_class, rank, self._play_after_split(pair))

    def _play_after_split(self, pair: int) -> NDArray[np.uint8]:
        return self.table.states(self.terms.legal, pair)

    def split_hand(self, pair: int, extra: int, hand: int, action: str) -> Any:
        """Return the value of an action of a hand of a split, with so many more pair cards gone."""
        if pair not in self._hands:
            self._hands[pair] = split_hands(self.values, pair, self.split_class, self._play_after_split(pair))
        return self._hands[pair].value(self.values, hand, extra, action)
