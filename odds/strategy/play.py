"""What a column of a strategy does with every hand."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

import numpy as np

from odds.engine.actions import ACTIONS, HIT, SPLIT, STAND, SURRENDER
from odds.engine.hands import N_VALUES, player_hands
from odds.engine.play import StartTable
from odds.errors import HandError, StrategyError
from odds.game.cards import parse_cards
from odds.strategy.codes import FREE_TOTALS, PAIRS, TOTALS, doubled_section, longer_actions, resolve, total_rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from odds.engine.legal import Legal
    from odds.strategy.codes import Place


def hand_of(text: str, place: str) -> tuple[int, ...]:
    """Return the value indexes of a hand of two or more cards, in ascending order.

    Args:
        text: the hand.
        place: where it stands, for the error.

    Raises:
        StrategyError: it is no such hand.
    """
    try:
        values = tuple(sorted(card.value for card in parse_cards(text)))
    except HandError as error:
        raise StrategyError(f"{place}: {error}") from None
    if len(values) < 2 or sum(value + 1 for value in values) > 21:
        raise StrategyError(f"{place}: expected a hand of two or more cards and at most 21")
    return values


def by_hand(exceptions: Mapping[str, str]) -> dict[int, str]:
    """Return the codes of exceptions by the index of the hand."""
    return {player_hands().find(hand_of(hand, hand)): code for hand, code in exceptions.items()}


def level_codes(codes: Mapping[Place, str], legal: Legal, level: int) -> list[str]:
    """Return the codes of hands of a level of doubled or free ones (`Legal.levels`), by row as in `TOTALS`.

    Doubled hands stand where nothing is said of them.
    """
    if level == legal.free_level:
        return [codes[place] for place in FREE_TOTALS]
    section = doubled_section(level)
    return [codes.get((section, f"{kind} {row}"), "S") for kind, row in TOTALS]


class ColumnPlay:
    """What a column of a strategy does with every hand; see `StartTable`.

    Attributes:
        first: the action of two cards, by the index of the hand and whether it may be split.
        unsplit: by hand of three cards or more, its action.
    """

    def __init__(
        self, codes: Mapping[Place, str], exceptions: Mapping[str, str], legal: Legal, *, surrenders: bool
    ) -> None:
        """Work out the play.

        Args:
            codes: by section and row.
            exceptions: by hand.
            legal: what may be done.
            surrenders: it is offered against the column.
        """
        self._legal = legal
        self._special = by_hand(exceptions)
        self._of_total = [*(codes[place] for place in TOTALS), "S"]
        self._of_pair = [codes[place] for place in PAIRS] if legal.splits else None
        self._actions = np.stack([longer_actions(code) for code in self._of_total])
        self._offered = (1 << len(ACTIONS)) - 1 - (0 if surrenders else 1 << SURRENDER)
        self.unsplit = self._longer(legal.before_split)
        self.first: dict[tuple[int, bool], str] = {}
        for first, second in combinations_with_replacement(range(N_VALUES), 2):
            hand = int(player_hands().two_cards[first, second])
            may = legal.before_split.item(hand)
            self.first[hand, False] = ACTIONS[self._action(hand, may & ~(1 << SPLIT))]
            if first == second:
                self.first[hand, True] = ACTIONS[self._action(hand, may, first)]
        self._after: dict[int, NDArray[np.uint8]] = {}
        levels = range(1, len(legal.doubled) + 1)
        self._of_levels = [
            np.stack([longer_actions(code) for code in (*level_codes(codes, legal, level), "S")]) for level in levels
        ]

    def _longer(self, may: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return by hand what its total says as it may; of two cards, whether to stand or to hit."""
        cards = player_hands().graph.cards
        may = may & np.where(cards > 2, self._offered, 1 << STAND | 1 << HIT)
        play = np.asarray(self._actions[total_rows(), cards, may])
        for hand, code in self._special.items():
            play[hand] = longer_actions(code)[cards[hand], may[hand]]
        return play

    def _action(self, hand: int, may: int, pair: int | None = None) -> int:
        """Return what two cards do, which count as a pair if they are given as one."""
        total_code = self._of_total[total_rows().item(hand)]
        own = total_code if pair is None or self._of_pair is None else self._of_pair[pair]
        return resolve(self._special.get(hand, own), total_code, may & self._offered, self._legal.doubles_split)

    def after_split(self, pair: int) -> NDArray[np.uint8]:
        """Return the play of the hands of a split of a pair that may be split: by hand an action."""
        if pair not in self._after:
            may = self._legal.after_split[pair]
            play = self._longer(may)
            for second, hand in enumerate(player_hands().two_cards[pair].tolist()):
                play[hand] = self._action(hand, may.item(hand), pair if second == pair else None)
            self._after[pair] = play
        return self._after[pair]

    def states(self, pair: int | None = None) -> NDArray[np.uint8]:
        """Return the play before a split, or of the hands of one, as the kernel's sweep takes it."""
        plays = [self.unsplit if pair is None else self.after_split(pair)]
        offered = self._offered | (1 << SURRENDER if self._legal.rescues else 0)
        cards = player_hands().graph.cards
        for actions, may in zip(self._of_levels, self._legal.states(pair).reshape(-1, len(cards))[1:], strict=True):
            plays.append(actions[total_rows(), cards, may & offered])
        return np.concatenate(plays)

    def table(self, cards: tuple[int, ...]) -> StartTable:
        """Return the play as a table for a dealer start."""
        after = {pair: self.states(pair) for pair in self._legal.split_pairs}
        return StartTable.of_states(cards, self.first, self.states(), after)
