"""What a finished hand nets: the kind of each hand, and what each kind nets against each end of the dealer's hand.

This is the one place where rules about money are read. A kind is all of a finished hand that matters: its total, or
that it wins at once, is a blackjack, is surrendered or bust. A hand nets what the table says for each unit wagered on
it; only what a dealer's blackjack takes may not grow with the wager (`Settlement`). Hands that win at once differ by
their odds, by whether they are settled before a dealer's blackjack is found, and by whether they are of a split.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import product
from math import lcm
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from odds._kernel import TIE
from odds.engine.bonuses import decks_of, fitting_lines, line_chances
from odds.engine.hands import ACE, TEN, player_hands
from odds.errors import RulesError
from odds.game.cards import format_counts
from odds.game.fields import FIELDS
from odds.game.rules import Rules
from odds.numbers.arithmetic import DOUBLES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from odds.engine.bonuses import Decks
    from odds.game.bonuses import Bonus
    from odds.numbers.arithmetic import Arithmetic

# Kinds of finished hands: 0 is a total of 16 or less, 1 to 5 are 17 to 21.
LOW, BEST_TOTAL = 0, 5
CHARLIE, WON_21, CHARLIE_21, SPLIT_CHARLIE, SPLIT_WON_21, SPLIT_CHARLIE_21 = range(6, 12)
BLACKJACK, SPLIT_BLACKJACK, LATE_SURRENDER, EARLY_SURRENDER, RESCUED, RESCUED_AGAIN = range(12, 18)
# From here on the kinds of hands that have or may have a bonus, and at the end that of a bust.
# Kinds that win at once, before a split and after one.
WON: Final = (CHARLIE, WON_21, CHARLIE_21)
SPLIT_WON: Final = (SPLIT_CHARLIE, SPLIT_WON_21, SPLIT_CHARLIE_21)

# As many as the kernel has room for, that of a bust among them.
MOST_KINDS = 256

# Ends of the dealer's hand: 17 to 22, more than 22, a blackjack. Where nothing asks for 22 it counts as more.
TOTALS: Final = ("17", "18", "19", "20", "21", "22")
N_STANDING = 5
DEALER_22, DEALER_BUST, DEALER_BLACKJACK = range(5, 8)
N_ENDS = 8


class Money(IntEnum):
    """The levels of hands (`Legal.levels`) where there is free money, by what is on them."""

    OWN = 0
    DOUBLED = 1
    MATCHED = 2  # one's own and as much free money, whichever was there first
    FREE = 3  # of a free split
    FREE_DOUBLED = 4


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


@dataclass(frozen=True, slots=True)
class _Kind:
    """What is to be known of a kind of finished hands.

    Attributes:
        nets: units won or lost for each unit wagered, by end; against a blackjack of a wager that it takes in full.
        ends_hand: it ends a hand by itself.
        raised: the wager of such a hand may have been raised.
        won: it wins at once, and is settled before a blackjack comes to light where it nets something against one.
        split: it is of a hand of a split, which matters to what wins at once and to blackjacks.
        parts: the kinds of which such a hand has one, how likely each is and the suits of its cards decide; none
            where it is certain.
        money: one's own and free units, where some are free, that `nets` count for each unit of a wager.
    """

    nets: tuple[Fraction, ...]
    ends_hand: bool = False
    raised: bool = True
    won: bool = False
    split: bool = False
    parts: tuple[tuple[int, Fraction], ...] = ()
    money: tuple[int, int] = (1, 0)


@dataclass(frozen=True, eq=False)
class Pays:
    """What finished hands net under some rules.

    Attributes:
        kind: by hand before a split, its kind if it ends as it is.
        kind_after_split: the same for hands of a split.
        kind_doubled: by hand that was doubled, its kind.
        kind_doubled_after_split: the same for hands of a split.
        levels_before: by level after the first two (`Legal.levels`) with free money, the kind of each hand.
        levels_after: the same for hands of a split.
        wagers: by level what the nets of a kind are times: the units of a hand that was never doubled, doubled once,
            and so on, but with free money (`Money`) less where the kinds count them.
        owned: by level the units of one's own.
        busts: by level the kind of a hand that is bust.
        kinds: what each kind is.
        mixtures: of hands whose kind depends on their suits, by hand and kind: the lines of bonuses that they may be
            paid, and the kinds of which they then are, with that of none at the end.
        decks: the decks that suits are drawn from.
        bonuses: the lines of bonuses.
        insurance: what insurance pays for each unit insured.
        settlements: what a hidden blackjack does, if the dealer has looked for it, and if not.
        raised: how many times its money a round has if the player raises when he sees the upcard.
        switched: the kind of an ace and a ten that an exchange of cards has made.
    """

    kind: NDArray[np.uint8]
    kind_after_split: NDArray[np.uint8]
    kind_doubled: NDArray[np.uint8]
    kind_doubled_after_split: NDArray[np.uint8]
    levels_before: tuple[NDArray[np.uint8], ...]
    levels_after: tuple[NDArray[np.uint8], ...]
    wagers: tuple[int, ...]
    owned: tuple[int, ...]
    busts: tuple[int, ...]
    kinds: tuple[_Kind, ...]
    mixtures: Mapping[tuple[int, int], tuple[tuple[Bonus, ...], tuple[int, ...]]]
    decks: Decks
    bonuses: tuple[Bonus, ...]
    insurance: Fraction
    settlements: tuple[Settlement, Settlement]
    raised: Fraction
    switched: int

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

    @cached_property
    def ask_ends(self) -> NDArray[np.bool_]:
        """By kind, whether it nets at one end of the dealer's that is no blackjack what it does not at another."""
        return np.array([len(set(row[:DEALER_BLACKJACK])) > 1 for row in self.table])

    @cached_property
    def whole_nets(self) -> NDArray[np.int64]:
        """What `net` says in parts of the unit: 2 (he has peeked, or not) x kinds x levels x ends; 0 on average."""
        result = np.zeros((2, len(self.kinds), len(self.wagers), N_ENDS), dtype=np.int64)
        for row, kind, level, end in np.ndindex(result.shape):
            if not self.kinds[kind].parts:
                result[row, kind, level, end] = self.net(kind, self.wagers[level], end, peeks=row == 0) * self.unit
        return result

    @cached_property
    def table(self) -> tuple[tuple[Fraction, ...], ...]:
        """Kinds x ends: `nets` of each kind."""
        return tuple(kind.nets for kind in self.kinds)

    @property
    def bust(self) -> int:
        """The kind of a hand that is bust with money of one's own alone, the last."""
        return len(self.kinds) - 1

    @cached_property
    def ends_hand(self) -> NDArray[np.bool_]:
        """By kind, whether it ends a hand by itself."""
        return np.array([kind.ends_hand for kind in self.kinds])

    def parts(self, kind: int) -> tuple[tuple[int, Fraction], ...]:
        """Return the kinds of which a hand of this kind has one, and how likely each is."""
        return self.kinds[kind].parts or ((kind, Fraction(1)),)

    def joint_parts(self, kind: int, hand: int, other: int, other_hand: int) -> dict[tuple[int, int], Fraction]:
        """Return how likely two hands that both have parts have each of them, as their cards come from the same decks.

        Args:
            kind: the kind of one hand.
            hand: its index.
            other: the kind of the other hand.
            other_hand: its index.
        """
        (lines, kinds), (other_lines, others) = self.mixtures[kind, hand], self.mixtures[other, other_hand]
        counts = player_hands().counts
        found: dict[tuple[int, int], Fraction] = {}
        for (i, j), p in line_chances(self.decks, counts[hand], lines, counts[other_hand], other_lines).items():
            found[kinds[i], others[j]] = found.get((kinds[i], others[j]), Fraction(0)) + p
        return found

    @property
    def of_blackjack(self) -> int:
        """The kind of an ace and a ten before a split."""
        return int(self.kind[player_hands().two_cards[ACE, TEN]])

    def states(self, levels: int, *, split: bool) -> NDArray[np.uint8]:
        """Return the kinds of hands, or of those of a split, level after level; see `Legal.levels`."""
        kind, doubled, later = (
            (self.kind_after_split, self.kind_doubled_after_split, self.levels_after)
            if split
            else (self.kind, self.kind_doubled, self.levels_before)
        )
        return kind if levels < 2 else np.concatenate([kind, *(later or [doubled] * (levels - 1))])

    @property
    def blackjack(self) -> Fraction:
        """What a player's blackjack pays where the dealer has none."""
        return self.table[self.of_blackjack][DEALER_BUST]

    @property
    def tied_blackjack(self) -> Fraction:
        """What a player's blackjack nets against a dealer's."""
        return self.table[self.of_blackjack][DEALER_BLACKJACK]

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
        return lcm(*(net.denominator for kind in self.kinds if not kind.parts for net in kind.nets))

    @cached_property
    def mean_unit(self) -> int:
        """The same of what hands net on average over their suits."""
        return lcm(*(net.denominator for row in self.table for net in row))

    @cached_property
    def most(self) -> Fraction:
        """The most that one hand can win or lose."""
        raised = max(self.wagers)
        units = [raised if kind.raised else 1 for kind in self.kinds]
        most = max(Fraction(n * abs(net)) for n, row in zip(units, self.table, strict=True) for net in row)
        # On the joint scale, what wins against a blackjack is more by the unit that the round pays once.
        late, won = self.settlements[1], (number for number, kind in enumerate(self.kinds) if kind.won)
        return max(most, *(late.net(number, raised) + late.once for number in won))

    @cached_property
    def most_per_unit(self) -> Fraction:
        """The most that a hand which draws cards can win or lose for each unit wagered."""
        drawn = {*self.busts, *self.kind[player_hands().graph.cards > 2].tolist()}
        drawn.update(*(of_level.tolist() for of_level in (*self.levels_before, *self.levels_after)))
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


def pays_of(rules: Rules, upcard: str = "") -> Pays:
    """Return what finished hands net under some rules.

    Args:
        rules: the rules.
        upcard: the upcard, of `RANKS`, against which the bonuses that name it are paid; none if empty.

    Raises:
        RulesError: bonuses are not computed with such rules.
    """
    if rules.bonuses or free_fields(rules):
        return _pays_of(rules, upcard)
    return _pays_alike(Rules.of_fields({**vars(rules), **_NOT_OF_PAYS}))


# What hands net depends on none of these where no bonus is paid and no money is free.
_OTHER_FIELDS = "dealer_hits_soft_17 hole_card double_on double_after_split double_split_aces max_hands resplit_aces"
_NOT_OF_PAYS = {
    name: FIELDS[name].default for name in f"{_OTHER_FIELDS} hit_split_aces surrender free_double_on free_split".split()
}


@lru_cache(maxsize=64)
def _pays_alike(rules: Rules) -> Pays:
    return _pays_of(rules, "")


def _pays_of(rules: Rules, upcard: str) -> Pays:
    """Return what `pays_of` does."""
    _refuse_bonuses(rules)
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
    takes = rules.dealer_blackjack_takes
    kinds, of_hands = _Kinds(rules, _without_bonuses(rules, wagers)), []
    for doubled, (base, split) in product((False, True), ((before, False), (after, True))):
        of_hand = base.copy()
        for hand, lines in fitting_lines(rules, after_split=split, doubled=doubled, upcard=upcard).items():
            of_hand[hand] = kinds.with_bonus(hand, int(base[hand]), lines, split and takes == "original")
        of_hands.append(of_hand)
    every, (units, owned, busts), (levels_before, levels_after) = _levels(rules, kinds, of_hands, wagers)
    peeked = _settlement(every, once=True, per_unit=False, peeked=True)
    found_later = _settlement(every, once=takes == "original", per_unit=takes == "all")
    settlements = peeked, found_later
    before, after, doubled_before, doubled_after = of_hands
    by_hand = before, after, doubled_before, doubled_after, levels_before, levels_after
    raised = 1 + rules.raise_after_upcard
    switched = int(before[pairs[ACE, TEN]])
    if rules.switched_blackjack == "21":
        if rules.switch and switched != BLACKJACK:
            raise RulesError(
                "switch=true with bonuses for an ace and a ten is not computed unless switched_blackjack=blackjack"
            )
        switched = WON_21 if rules.player_21 == "wins" else BEST_TOTAL
    suits = kinds.mixtures, kinds.decks, rules.bonuses
    rest = settlements, raised, switched
    return Pays(*by_hand, units, owned, busts, every, *suits, rules.insurance_pays, *rest)


def of_blackjack_pays(rules: Rules, pays: Pays) -> tuple[int, int] | None:
    """Return what a natural nets more per unit that `blackjack_pays` rises: the dealer without a blackjack, and with.

    None where more than the net of naturals depends on it, as by split blackjacks or a raised wager, so that the EV of
    a round under best play need not be linear in it.

    Args:
        rules: the rules.
        pays: their reading.
    """
    natural = player_hands().two_cards[ACE, TEN]
    # A natural stands.
    before = [np.delete(kinds, natural) for kinds in (pays.kind, pays.kind_doubled, *pays.levels_before)]
    every = np.concatenate([*before, pays.kind_after_split, pays.kind_doubled_after_split, *pays.levels_after])
    alone = pays.kind[natural] == BLACKJACK and not np.isin(every, (BLACKJACK, SPLIT_BLACKJACK)).any()
    if not alone or pays.raised != 1 or rules.switch or any(bonus.upcard for bonus in pays.bonuses):
        return None
    return 1, int(rules.blackjack_tie == "win")


# By level what nets are times, one's own units, and the kind of a bust.
_ByLevel: TypeAlias = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


def free_fields(rules: Rules) -> tuple[str, ...]:
    """Return the fields by which some doubles or splits are free."""
    named = ("free_double_on", "free_split")
    return tuple(name for name in named if not rules.is_tacit(name) and not rules.is_moot(name))


def _levels(
    rules: Rules, kinds: _Kinds, of_hands: Sequence[NDArray[np.uint8]], wagers: tuple[int, ...]
) -> tuple[tuple[_Kind, ...], _ByLevel, tuple[tuple[NDArray[np.uint8], ...], tuple[NDArray[np.uint8], ...]]]:
    """Return all kinds, then by level `wagers`, `owned` and `busts`, and the kinds of hands before a split and after.

    The kinds of hands with free money are put to `kinds`, that of a bust to the end.
    """
    lost, (_, _, doubled_before, doubled_after) = _Kind((Fraction(-1),) * N_ENDS), of_hands
    given = free_fields(rules)
    split = "free_split" in given
    if not given:
        every = (*kinds.known, lost)
        return every, (wagers, wagers, (len(every) - 1,) * len(wagers)), ((), ())
    matched = [kinds.with_money(doubled, 1, 1) for doubled in (doubled_before, doubled_after)]
    free = [kinds.with_money(of_hand, 0, 1) if split else of_hand for of_hand in of_hands]
    free_bust = kinds.add(_with_money(lost, 0, 1))
    every, bust, n = (*kinds.known, lost), len(kinds.known), len(Money) if split else Money.FREE
    levels_before = (doubled_before, matched[0], free[0], free[2])[: n - 1]
    levels_after = (doubled_after, matched[1], free[1], free[3])[: n - 1]
    units, owned = (1, wagers[1], 1, 1, 2)[:n], (1, wagers[1], 1, 0, 0)[:n]
    return every, (units, owned, (bust, bust, bust, free_bust, free_bust)[:n]), (levels_before, levels_after)


def _with_money(kind: _Kind, own: int, free: int) -> _Kind:
    """Return the kind of hands of a kind that carry so much of one's own and so much free money."""
    nets = tuple(net * (own + free) if net > 0 else net * own for net in kind.nets)
    # Settled before a blackjack comes to light only where it wins against one.
    won = kind.won and kind.nets[DEALER_BLACKJACK] >= 0
    return replace(kind, nets=nets, won=won, money=(own, free))


def _refuse_bonuses(rules: Rules) -> None:
    for bonus in rules.bonuses:
        if bonus.upcard and rules.hole_card == "exposed":
            raise RulesError(
                f"hole_card=exposed contradicts bonuses {str(bonus)!r}: with both cards face up neither is the upcard"
            )
        if bonus.named_tens and bonus.values == (TEN, TEN) and rules.split_by == "rank" and rules.max_hands > 1:
            raise RulesError(
                f"bonuses {str(bonus)!r} with split_by=rank is not computed: its ranks say whether the hand is a pair"
            )


class _Kinds:
    """Kinds of hands under some rules, to which bonuses add; that of a bust comes after all.

    Attributes:
        known: the kinds.
        mixtures: see `Pays`.
        decks: see `Pays`.
    """

    def __init__(self, rules: Rules, known: list[_Kind]) -> None:
        self.known, self.decks = known, decks_of(rules)
        self.mixtures: dict[tuple[int, int], tuple[tuple[Bonus, ...], tuple[int, ...]]] = {}
        self._tie = rules.blackjack_tie

    def with_bonus(self, hand: int, base: int, lines: tuple[Bonus, ...], split: bool) -> int:
        """Return the kind of a hand that is of a base kind but for bonuses.

        Args:
            hand: its index.
            base: its kind where it has none.
            lines: those it may be paid, each before those that pay less.
            split: it is of a split, where that matters.

        Raises:
            RulesError: without one it may go on.
        """
        counts = player_hands().counts[hand]
        kinds = (*(self._paid(base, line.pays, split) for line in lines), base)
        chances = line_chances(self.decks, counts, lines)
        parts: dict[int, Fraction] = {}
        for place, kind in enumerate(kinds):
            if p := chances.get((place if place < len(lines) else -1, -1)):
                parts[kind] = parts.get(kind, Fraction(0)) + p
        if base in parts and base != BEST_TOTAL and not self.known[base].ends_hand:
            raise RulesError(
                f"bonuses: {str(lines[0])!r} asks for suits or ranks of hands such as "
                f"{format_counts(counts)}, which win at once or may go on; that is not computed"
            )
        if len(parts) < 2:
            return next(iter(parts), base)  # the decks may lack the cards
        rows = [[p * net for net in self.known[kind].nets] for kind, p in parts.items()]
        mean = tuple(sum(ends, Fraction(0)) for ends in zip(*rows, strict=True))
        first = self.known[next(iter(parts))]
        mixed = self.add(_Kind(mean, True, first.raised, first.won, split, tuple(parts.items())))
        self.mixtures[mixed, hand] = lines, kinds
        return mixed

    def _paid(self, base: int, pays: Fraction, split: bool) -> int:
        """Return the kind of a hand with a bonus, which otherwise is of a base kind."""
        of_base = self.known[base]
        if base in (BLACKJACK, SPLIT_BLACKJACK):
            pays = max(pays, of_base.nets[DEALER_BUST])
            tied = {"push": Fraction(0), "win": pays, "lose": Fraction(-1)}[self._tie]
            return self.add(replace(of_base, nets=(*[pays] * DEALER_BLACKJACK, tied)))
        if of_base.won:
            pays = max(pays, of_base.nets[DEALER_BUST])
        return self.add(_Kind((pays,) * N_ENDS, True, True, True, split))

    def with_money(self, of_hands: NDArray[np.uint8], own: int, free: int) -> NDArray[np.uint8]:
        """Return the kinds of hands of these kinds that carry so much of one's own and so much free money."""
        result = np.zeros_like(of_hands)
        for number in np.unique(of_hands).tolist():
            kind, hands = _with_money(self.known[number], own, free), np.flatnonzero(of_hands == number)
            parts = {part: self.add(_with_money(self.known[part], own, free)) for part, _ in kind.parts}
            # A mean of nets, each as its money has it.
            mean = [[p * net for net in self.known[parts[part]].nets] for part, p in kind.parts]
            if parts:
                nets = tuple(sum(ends, Fraction(0)) for ends in zip(*mean, strict=True))
                kind = replace(kind, nets=nets, parts=tuple((parts[part], p) for part, p in kind.parts))
            result[hands] = again = self.add(kind)
            for hand in hands.tolist() if parts else ():
                lines, kinds = self.mixtures[number, hand]
                self.mixtures[again, hand] = lines, tuple(parts.get(part, part) for part in kinds)
        return result

    def add(self, kind: _Kind) -> int:
        """Return the number of a kind, which becomes known."""
        if kind not in self.known:
            self.known.append(kind)
        if len(self.known) >= MOST_KINDS:
            raise RulesError(f"bonuses: too many ways to be paid, {MOST_KINDS} or more")
        return self.known.index(kind)


def _without_bonuses(rules: Rules, wagers: tuple[int, ...]) -> list[_Kind]:
    """Return the kinds before those of bonuses."""
    against_22 = 0 if rules.dealer_22 == "push" else 1
    kinds = []
    for total in range(16, 22):  # 16 stands for all that are less than a dealer's
        ties = -1 if rules.tie_loses(total) else 0
        row = [1 if total > other else ties if total == other else -1 for other in range(17, 22)]
        kinds.append(_Kind(tuple(map(Fraction, (*row, against_22, 1, -1)))))
    tied = {"push": Fraction(0), "win": rules.blackjack_pays, "lose": Fraction(-1)}[rules.blackjack_tie]
    charlie, at_once, lost = rules.charlie_pays, rules.player_21 == "wins", Fraction(-1)
    # What each kind that wins at once pays, and whether it is settled before a blackjack is found.
    won = [(charlie, rules.charlie_beats_blackjack), (Fraction(1), at_once), (charlie, at_once)]
    for split in (False, True):
        for odds, early in won:
            kinds.append(_Kind((*[odds] * DEALER_BLACKJACK, odds if early else lost), True, True, True, split))
    for split in (False, True):
        kinds.append(_Kind((*[rules.blackjack_pays] * DEALER_BLACKJACK, tied), True, False, False, split))
    kept = rules.surrender_returns - 1
    kinds += [_Kind((*[kept] * DEALER_BLACKJACK, end)) for end in (lost, kept)]
    # Of a doubled hand that is rescued, what was wagered before its last doubling.
    rescued = (wagers[1], 2) if rules.double_rescue else (1, 1)
    kinds += [_Kind((Fraction(-1, units),) * N_ENDS) for units in rescued]
    return kinds


def _settlement(kinds: Sequence[_Kind], *, once: bool, per_unit: bool, peeked: bool = False) -> Settlement:
    """Return what a blackjack does that takes one unit of the round, or of each hand, or of each hand all units.

    A hand that has won at once keeps its winnings, but the unit that is taken once from a round with a split is taken
    all the same. Where the dealer has peeked the round was over before.
    """
    nets: list[tuple[Fraction, ...]] = []
    for number, kind in enumerate(kinds):
        net = kind.nets[DEALER_BLACKJACK]
        if kind.parts:
            rows = [[p * net for net in nets[part]] for part, p in kind.parts]
            nets.append(tuple(sum(units, Fraction(0)) for units in zip(*rows, strict=True)))
        elif kind.won and net >= 0:
            taken = 1 if once and kind.split else 0
            nets.append((Fraction(-1),) * 2 if peeked else (net - taken, 2 * net - taken))
        elif number in (RESCUED, RESCUED_AGAIN) and not per_unit:
            nets.append((Fraction(-1),) * 2)  # as a bust
        else:
            free = kind.money != (1, 0)
            net = Fraction(-1) if once and (kind.split or free) and not kind.won else net
            raised = number == EARLY_SURRENDER or (per_unit and kind.raised)
            nets.append((net, 2 * net if raised else net))
    return Settlement(once, tuple(nets))
