"""What a finished hand nets: the kind of each hand, and what each kind nets against each end of the dealer's hand.

This is the one place where rules about money are read. A kind is all of a finished hand that matters: its total, or
that it wins at once, is a blackjack, is surrendered or bust. A hand nets what the table says for each unit wagered on
it; only what a dealer's blackjack takes may not grow with the wager (`Settlement`). Hands that win at once differ by
their odds, by whether they are settled before a dealer's blackjack is found, and by whether they are of a split.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from odds._kernel import TIE
from odds.engine.hands import ACE, TEN, player_hands
from odds.numbers.arithmetic import DOUBLES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from odds.game.rules import Rules
    from odds.numbers.arithmetic import Arithmetic

# Kinds of finished hands: 0 is a total of 16 or less, 1 to 5 are 17 to 21.
LOW, BEST_TOTAL = 0, 5
CHARLIE, WON_21, CHARLIE_21, SPLIT_CHARLIE, SPLIT_WON_21, SPLIT_CHARLIE_21 = range(6, 12)
BLACKJACK, SPLIT_BLACKJACK, LATE_SURRENDER, EARLY_SURRENDER, RESCUED, RESCUED_AGAIN, BUST = range(12, 19)
N_KINDS = 19
# Kinds that win at once, before a split and after one.
WON: Final = (CHARLIE, WON_21, CHARLIE_21)
SPLIT_WON: Final = (SPLIT_CHARLIE, SPLIT_WON_21, SPLIT_CHARLIE_21)
# Kinds that end a hand by themselves.
ENDS_HAND: Final = (*WON, *SPLIT_WON, BLACKJACK, SPLIT_BLACKJACK)
# Kinds of hands whose wager is never raised; that of all others may be.
NEVER_RAISED: Final = (BLACKJACK, SPLIT_BLACKJACK)

# Ends of the dealer's hand: 17 to 22, more than 22, a blackjack. Where nothing asks for 22 it counts as more.
TOTALS: Final = ("17", "18", "19", "20", "21", "22")
N_STANDING = 5
DEALER_22, DEALER_BUST, DEALER_BLACKJACK = range(5, 8)
N_ENDS = 8


@dataclass(frozen=True)
class Settlement:
    """What a dealer's blackjack that the player could not see does to each kind of hand.

    Attributes:
        once: it takes one unit from the round, whatever the hands do. Hands are valued jointly with "no dealer
            blackjack" then, and the round pays for it once.
        nets: by kind, and for a wager of one and of two units, what the hand nets against it; where it takes `once`,
            as the only hand of its round. Each further unit changes it by as much as the second one.
    """

    once: bool
    nets: tuple[tuple[Fraction, ...], ...]

    def net(self, kind: int, units: int) -> Fraction:
        """Return what a hand of so many units nets against it, as `nets`."""
        one, two = self.nets[kind]
        return one + (units - 1) * (two - one)

    @cached_property
    def joint(self) -> tuple[tuple[Fraction, ...], ...]:
        """The same on the scale of the values of hands, to which the unit that the round pays once does not belong."""
        return tuple(tuple(net + self.once for net in row) for row in self.nets)

    @cached_property
    def _in_doubles(self) -> NDArray[np.float64]:
        return DOUBLES.fractions(self.joint)

    def for_kernel(self, arithmetic: Arithmetic) -> NDArray[Any]:
        """Return `joint` as the kernel takes it, kinds x 2."""
        return self._in_doubles if arithmetic is DOUBLES else arithmetic.fractions(self.joint)

    def shown(self, joint: Any, p_blackjack: Any, *, peeks: bool) -> Any:
        """Return a joint value as it is shown: after a peek given no blackjack, else with what a blackjack takes.

        Args:
            joint: a value jointly with "no hidden blackjack", a float or a fraction.
            p_blackjack: the probability of a hidden blackjack, less than 1 where he peeks.
            peeks: the dealer has looked for it.
        """
        if peeks:
            return joint / (1 - p_blackjack)
        return joint - p_blackjack if self.once else joint


@dataclass(frozen=True, eq=False)
class Pays:
    """What finished hands net under some rules.

    Attributes:
        kind: by hand before a split, its kind if it ends as it is.
        kind_after_split: the same for hands of a split.
        kind_doubled: by hand that was doubled, its kind.
        kind_doubled_after_split: the same for hands of a split.
        wagers: the units of a hand that was never doubled, doubled once, and so on.
        table: kinds x ends: units won or lost for each unit wagered, the dealer having no blackjack that he has not
            looked for; against one (the last end) what it does to a wager that it takes in full.
        insurance: what insurance pays for each unit insured.
        settlements: what a hidden blackjack does, if the dealer has looked for it, and if not.
        raised: how many times its money a round has if the player raises when he sees the upcard.
    """

    kind: NDArray[np.uint8]
    kind_after_split: NDArray[np.uint8]
    kind_doubled: NDArray[np.uint8]
    kind_doubled_after_split: NDArray[np.uint8]
    wagers: tuple[int, ...]
    table: tuple[tuple[Fraction, ...], ...]
    insurance: Fraction
    settlements: tuple[Settlement, Settlement]
    raised: Fraction

    def times(self, ev: float | Fraction) -> Fraction:
        """Return how many times its money a round has, by its EV without a raise: it is raised where that is over 0."""
        return self.raised if ev > (TIE if isinstance(ev, float) else 0) else Fraction(1)

    def settlement(self, *, peeks: bool) -> Settlement:
        """Return what a hidden blackjack does, the dealer having looked for it or not."""
        return self.settlements[0 if peeks else 1]

    def net(self, kind: int, units: int, end: int, *, peeks: bool) -> Fraction:
        """Return what a hand of a kind nets with a wager of so many units against an end of the dealer's.

        Against a blackjack: see `Settlement.nets`.
        """
        if end == DEALER_BLACKJACK:
            return self.settlement(peeks=peeks).net(kind, units)
        return units * self.table[kind][end]

    def states(self, levels: int, *, split: bool) -> NDArray[np.uint8]:
        """Return the kinds of hands, or of those of a split, level after level; see `Legal.levels`."""
        kind, doubled = (
            (self.kind_after_split, self.kind_doubled_after_split) if split else (self.kind, self.kind_doubled)
        )
        return kind if levels < 2 else np.concatenate([kind, *[doubled] * (levels - 1)])

    @property
    def blackjack(self) -> Fraction:
        """What a player's blackjack pays where the dealer has none."""
        return self.table[BLACKJACK][DEALER_BUST]

    @property
    def tied_blackjack(self) -> Fraction:
        """What a player's blackjack nets against a dealer's."""
        return self.table[BLACKJACK][DEALER_BLACKJACK]

    @cached_property
    def tells_22(self) -> bool:
        """Whether some hand nets against a dealer's 22 what it does not net against his other busts."""
        return any(row[DEALER_22] != row[DEALER_BUST] for row in self.table)

    @property
    def n_totals(self) -> int:
        """How many totals of the dealer's matter: 17 to 21, or to 22."""
        return N_STANDING + self.tells_22

    @cached_property
    def unit(self) -> int:
        """The number by which every net result of a hand is a whole number."""
        return lcm(*(net.denominator for row in self.table for net in row))

    @cached_property
    def most(self) -> Fraction:
        """The most that one hand can win or lose."""
        units = [1 if kind in NEVER_RAISED else self.wagers[-1] for kind in range(N_KINDS)]
        most = max(Fraction(n * abs(net)) for n, row in zip(units, self.table, strict=True) for net in row)
        # On the joint scale, what wins against a blackjack is more by the unit that the round pays once.
        late = self.settlements[1]
        return max(most, *(late.net(kind, self.wagers[-1]) + late.once for kind in (*WON, *SPLIT_WON)))

    @cached_property
    def most_per_unit(self) -> Fraction:
        """The most that a hand which draws cards can win or lose for each unit wagered."""
        drawn = {BUST, *self.kind[player_hands().graph.cards > 2].tolist()}
        late = self.settlements[1].joint
        return max(Fraction(abs(net)) for kind in drawn for net in (*self.table[kind], late[kind][0]))

    @cached_property
    def spread(self) -> Fraction:
        """By how much what a hand nets at a total of the dealer's differs from what it nets at his busts, at most."""
        return max(Fraction(abs(difference)) for row in self._differences for difference in row[1:])

    def at_once(self, kind: int, p_blackjack: Any, *, peeks: bool, arithmetic: Arithmetic = DOUBLES) -> Any:
        """Return what a hand nets on the joint scale that is over whatever the dealer draws.

        Args:
            kind: its kind, as a blackjack or a surrendered hand.
            p_blackjack: the probability of a hidden blackjack: a scalar, or an array of doubles.
            peeks: the dealer has looked for it.
            arithmetic: the number system.
        """
        net, caught = self.table[kind][DEALER_BUST], self.settlement(peeks=peeks).joint[kind][0]
        value = arithmetic.ratio(net.numerator, net.denominator) * (1 - p_blackjack)
        return value + arithmetic.ratio(caught.numerator, caught.denominator) * p_blackjack

    @cached_property
    def _differences(self) -> tuple[tuple[Fraction, ...], ...]:
        nets = [(row[DEALER_BUST], row[: self.n_totals]) for row in self.table]
        return tuple((bust, *(net - bust for net in totals)) for bust, totals in nets)

    @cached_property
    def _in_doubles(self) -> NDArray[np.float64]:
        return DOUBLES.fractions(self._differences)

    def for_kernel(self, arithmetic: Arithmetic) -> NDArray[Any]:
        """Return what each kind nets where the dealer busts, and the differences at his totals: kinds x (1 + n)."""
        return self._in_doubles if arithmetic is DOUBLES else arithmetic.fractions(self._differences)


def pays_of(rules: Rules) -> Pays:
    """Return what finished hands net under some rules."""
    graph, pairs = player_hands().graph, player_hands().two_cards
    after = np.maximum(graph.total, 16) - np.uint8(16)
    is_charlie = graph.cards >= (rules.charlie or 22)  # no hand of 21 points or less has 22 cards
    wins_21 = (graph.total == 21) & (rules.player_21 == "wins")
    before = after.copy()
    for hands, won in zip((is_charlie, wins_21, is_charlie & wins_21), zip(WON, SPLIT_WON, strict=True), strict=True):
        before[hands], after[hands] = won
    before[pairs[ACE, TEN]] = BLACKJACK
    if rules.split_blackjack:
        after[pairs[ACE, TEN]] = SPLIT_BLACKJACK
    wagers = (1, *(max(rules.double_multiples) << again for again in range(1 + rules.redoubles)))
    table = _table(rules, wagers)
    peeked = _settlement(table, once=True, per_unit=False, peeked=True)
    takes = rules.dealer_blackjack_takes
    found_later = _settlement(table, once=takes == "original", per_unit=takes == "all")
    return Pays(
        before,
        after,
        before,
        after,
        wagers,
        table,
        rules.insurance_pays,
        (peeked, found_later),
        1 + rules.raise_after_upcard,
    )


def _table(rules: Rules, wagers: tuple[int, ...]) -> tuple[tuple[Fraction, ...], ...]:
    """Return the table of `Pays`."""
    against_22 = 0 if rules.dealer_22 == "push" else 1
    rows: list[list[Fraction | int]] = []
    for total in range(16, 22):  # 16 stands for all that are less than a dealer's
        ties = -1 if rules.tie_loses(total) else 0
        row = [1 if total > other else ties if total == other else -1 for other in range(17, 22)]
        rows.append([*row, against_22, 1, -1])
    tied = {"push": Fraction(0), "win": rules.blackjack_pays, "lose": Fraction(-1)}[rules.blackjack_tie]
    pays, kept = rules.blackjack_pays, rules.surrender_returns - 1
    charlie, at_once = rules.charlie_pays, rules.player_21 == "wins"
    # What each kind that wins at once pays, and whether it is settled before a blackjack is found.
    won = [(charlie, rules.charlie_beats_blackjack), (Fraction(1), at_once), (charlie, at_once)] * 2
    by_kind: dict[int, list[Fraction | int]] = {
        kind: [*[odds] * DEALER_BLACKJACK, odds if before else -1]
        for kind, (odds, before) in zip(WON + SPLIT_WON, won, strict=True)
    }
    by_kind |= {
        BLACKJACK: [*[pays] * DEALER_BLACKJACK, tied],
        SPLIT_BLACKJACK: [*[pays] * DEALER_BLACKJACK, tied],
        LATE_SURRENDER: [*[kept] * DEALER_BLACKJACK, -1],
        EARLY_SURRENDER: [kept] * N_ENDS,
        # Of a doubled hand, what was wagered before its last doubling.
        RESCUED: [Fraction(-1, wagers[1] if rules.double_rescue else 1)] * N_ENDS,
        RESCUED_AGAIN: [Fraction(-1, 2 if rules.double_rescue else 1)] * N_ENDS,
        BUST: [-1] * N_ENDS,
    }
    rows += [by_kind[kind] for kind in range(CHARLIE, N_KINDS)]
    return tuple(tuple(Fraction(net) for net in row) for row in rows)


def _settlement(
    table: tuple[tuple[Fraction, ...], ...], *, once: bool, per_unit: bool, peeked: bool = False
) -> Settlement:
    """Return what a blackjack does that takes one unit of the round, or of each hand, or of each hand all units.

    A hand that has won at once keeps its winnings, but the unit that is taken once from a round with a split is taken
    all the same. Where the dealer has peeked the round was over before.
    """
    nets = []
    for kind, row in enumerate(table):
        net = Fraction(-1) if once and kind == SPLIT_BLACKJACK else row[DEALER_BLACKJACK]
        if kind in WON + SPLIT_WON and net >= 0:
            taken = 1 if once and kind in SPLIT_WON else 0
            nets.append((Fraction(-1),) * 2 if peeked else (net - taken, 2 * net - taken))
        elif kind in (RESCUED, RESCUED_AGAIN) and not per_unit:
            nets.append((Fraction(-1),) * 2)  # as a bust
        else:
            raised = kind == EARLY_SURRENDER or (per_unit and kind not in NEVER_RAISED)
            nets.append((net, 2 * net if raised else net))
    return Settlement(once, tuple(nets))
