"""The value of a split, for hands that all follow one fixed play.

The cards still in the shoe are exchangeable and a hand's play looks at its own cards only. So every hand of a split has
the same expectation given the cards known to be gone, and expectations add (`coefficients`).

This needs a shoe that cannot run out; `shoe_can_run_out` says when it might.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from odds._kernel import MORE_ROW, TIE, VALUE_ROW
from odds.engine.actions import DOUBLE, HIT, ROW, STAND, SURRENDER
from odds.engine.hands import player_hands
from odds.engine.player import sweep_hands
from odds.engine.split_weights import split_weights, weigh
from odds.errors import ShoeError
from odds.game.cards import RANKS
from odds.numbers.arithmetic import DOUBLES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from odds.engine.dealer import DealerStart
    from odds.engine.legal import Legal
    from odds.engine.player import StartValues
    from odds.engine.terms import Terms
    from odds.game.shoe import Shoe


@dataclass(frozen=True, slots=True)
class SplitHands:
    """The hands of a split of one pair, each under the same play.

    Attributes:
        play: by hand, and level (`Legal.levels`), its action.
        free_level: that of free hands, if the split is free.
        rows: by the number of pair cards gone beside those in the hand, from 1: what `sweep_hands` returns.
    """

    play: NDArray[np.uint8]
    free_level: int | None
    rows: dict[int, NDArray[Any]]

    def as_free(self, hand: int) -> int:
        """Return the place of a hand as it is played with free money."""
        return hand + (self.free_level or 0) * player_hands().graph.size

    def value(self, at: StartValues, hand: int, extra: int, action: str | None = None) -> Any:
        """Return the value of a hand under the play or, after this action, the play; a scalar."""
        row = VALUE_ROW if action is None else ROW[action]
        return at.numbers.arithmetic.read(self.rows[extra][row, hand])

    def wager(self, at: StartValues, hand: int, extra: int, pair: int) -> Any:
        """Return the own units wagered on a hand of two cards, jointly with no blackjack where the dealer peeks."""
        more = at.numbers.arithmetic.read(self.rows[extra][MORE_ROW, hand])
        if hand >= player_hands().graph.size:
            return more
        return more + 1 - at.p_blackjack(hand, extra, pair) if at.start.peeks else more + 1


class SplitValue(NamedTuple):
    """A split of one pair.

    Attributes:
        value: on the joint scale of `StartValues`, all hands of the split together.
        wager: expected units wagered on all its hands, jointly with "no hidden blackjack" where the dealer peeks.
        play: of its hands, by hand an action; empty for class `full`, which looks at the other hand too.
    """

    value: Any
    wager: Any
    play: NDArray[np.uint8]


def split_hands(at: StartValues, pair: int, split_class: str, play: NDArray[np.uint8] | None = None) -> SplitHands:
    """Return the values of the hands of a split of a pair, under the play of a split class.

    Args:
        at: the dealer start and the values before a split.
        pair: value index of the pair.
        split_class: `cdz` or `cdp1`.
        play: the play of the class if it is known already; it is found if left out.
    """
    optimise = play is None and split_class == "cdp1"
    if play is None:
        play = at.play.copy()
        if not optimise:
            play = play_again(play, at.values[HIT], at.values[STAND], at.terms.legal, pair)
    rows = {}
    for extra in range(1, at.terms.extras[pair] + 1):
        rows[extra] = sweep_hands(at, play, optimise=optimise, pair=pair, extra=extra)
        optimise = False
    return SplitHands(play, at.terms.legal.free_level if pair in at.terms.legal.free_pairs else None, rows)


def play_again(
    play: NDArray[np.uint8], hit: NDArray[Any], stand: NDArray[Any], legal: Legal, pair: int
) -> NDArray[np.uint8]:
    """Return the play before a split as it is used after one.

    Where that play doubles, or surrenders, and may not after the split, the better of standing and hitting before the
    split is played; where it hits and may not, it stands.

    Args:
        play: by hand, and in a further axis by dealer start if there are several.
        hit: what hitting is worth before the split, likewise.
        stand: what standing is worth before the split, likewise.
        legal: what may be done with hands.
        pair: the pair card that is split.
    """
    again, after = play.copy(), legal.states(pair)
    fewer = np.flatnonzero(legal.states() & ~after & (1 << HIT | 1 << DOUBLE | 1 << SURRENDER))
    of_fewer, may = again[fewer], after[fewer].reshape(-1, *[1] * (play.ndim - 1))
    better = np.where(hit[fewer] > stand[fewer] + TIE, HIT, STAND)
    for action in (DOUBLE, SURRENDER):
        of_fewer = np.where((of_fewer == action) & (may >> action & 1 == 0), better, of_fewer)
    again[fewer] = np.where((of_fewer == HIT) & (may >> HIT & 1 == 0), STAND, of_fewer)
    return again


def split_value(
    at: StartValues, pair: int, split_class: str, rank: int | None = None, play: NDArray[np.uint8] | None = None
) -> SplitValue:
    """Return what a split of a pair is worth against one dealer start.

    Args:
        at: the dealer start and the values before a split.
        pair: value index of the pair, of which the shoe holds two.
        split_class: `cdz` or `cdp1`.
        rank: which of the four ten ranks the pair has, where only that one is meant.
        play: the play of the class if it is known already; it is found if left out.
    """
    arithmetic = at.numbers.arithmetic
    hands = split_hands(at, pair, split_class, play)
    of_shoe = [at.shoe], at.terms.legal, [pair], rank, arithmetic
    weights, one = split_weights(*of_shoe)[0], arithmetic.ratio(1, 1)

    def weighed(weights: NDArray[Any], of: Callable[[int, int], Any]) -> Any:
        """Return a sum over hands of two cards, of what is to be had of a hand with so many pair cards gone."""
        found = np.zeros_like(weights)
        for (extra, second, shoe), weight in np.ndenumerate(weights):
            if weight:
                found[extra, second, shoe] = of(int(player_hands().two_cards[pair, second]), extra)
        return weigh(weights, found)[0]

    def worth(hand: int, extra: int) -> Any:
        return hands.value(at, hand, extra)

    def wagered(hand: int, extra: int) -> Any:
        return hands.wager(at, hand, extra, pair)

    def of_all(of: Callable[[int, int], Any]) -> Any:
        """Return a sum over all hands of the split."""
        found = weighed(weights, lambda hand, extra: of(hands.as_free(hand), extra))
        if hands.free_level is None:
            return found
        first = split_weights(*of_shoe, first=True)[0]
        return found + weighed(first, lambda hand, extra: of(hand, extra) - of(hands.as_free(hand), extra))

    value, wager = of_all(worth), of_all(wagered)
    number = weighed(weights, lambda hand, extra: one)
    if arithmetic is DOUBLES:
        value, wager = float(value), float(wager)
        check_split(at.start, at.shoe, at.terms, pair, value, float(number))
    return SplitValue(value, wager, hands.play)


def check_split(start: DealerStart, shoe: Shoe, terms: Terms, pair: int, value: float, number: float) -> None:
    """Refuse the value of a split that cannot be: hands of a split add up only in a shoe that does not run out.

    Args:
        start: the dealer's start.
        shoe: the shoe without it, the pair still in it.
        terms: the rules, read.
        pair: value index of the pair.
        value: of the split.
        number: the expected number of its hands.

    Raises:
        ShoeError: the shoe has too few cards to give every hand a second one, or the expected number of hands, or
            their value, is out of range. None of it can be in a shoe that cannot run out; in one that might, a value
            within range is shown, and flagged.
    """
    most = terms.legal.split_into[pair]
    most_won = most * float(terms.pays.most)
    rounding = 1e-9
    possible = 2 - rounding <= number <= most + rounding and abs(value) <= most_won + rounding
    # Into m hands go m - 2 further pair cards and m second cards, and a hole card lies on the table.
    total = shoe.total
    drawable = total - 2 - start.out_of_reach
    if not possible or drawable < 2 * min(most, shoe.counts[pair]) - 2:
        raise ShoeError(
            f"the shoe is too small to split {RANKS[pair]},{RANKS[pair]} into up to {most} hands: it runs out within "
            f"the round, and the hands of a split do not add up then; {total} cards are left beside the "
            f"dealer's"
        )


def shoe_can_run_out(counts: Sequence[int], hands: int, points: int = 20) -> bool:
    """Return whether a round of so many hands might use every card of a shoe with these counts.

    A bound, not a count: before his last card a player's hand has at most so many points (any has 20, as a soft 21 has
    11) and the dealer's at most 16 (a soft 17 has 7), so that the cards of all hands of a round but the last of each
    are at most as many as the smallest cards of the shoe within that sum. False is certain; True means that it was not
    excluded.
    """
    return most_cards(counts, points * hands + 16) + hands + 1 > sum(counts)


def most_cards(counts: Sequence[int], points: int) -> int:
    """Return the most cards of a shoe with these counts whose points, an ace being one, are no more than these."""
    most = 0
    for value, n in enumerate(counts):
        fitting = min(n, max(points, 0) // (value + 1))
        most += fitting
        points -= fitting * (value + 1)
    return most
