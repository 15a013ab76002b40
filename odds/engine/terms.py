"""The rules as the engine takes them: what may be done, what hands net, how the dealer plays.

Rules come in here and are read; everything else in the engine is given terms.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from odds.engine.actions import SURRENDER
from odds.engine.coefficients import split_coefficients
from odds.engine.dealer import Dealer, dealer_of, dealer_trie
from odds.engine.hands import player_hands, removals
from odds.engine.legal import Legal, legal_of
from odds.engine.pays import (
    DEALER_BUST,
    EARLY_SURRENDER,
    LATE_SURRENDER,
    RESCUED,
    RESCUED_AGAIN,
    Pays,
    Settlement,
    of_blackjack_pays,
    pays_of,
)
from odds.errors import RulesError
from odds.game.cards import RANKS
from odds.numbers.arithmetic import DOUBLES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from odds._kernel import DealerTrie
    from odds.engine.dealer import DealerStart
    from odds.engine.hands import Removals
    from odds.game.rules import Rules
    from odds.numbers.arithmetic import Arithmetic


class LevelsForKernel(NamedTuple):
    """What the kernel's sweep asks for of each level (`Legal.levels`).

    Attributes:
        given: what a hand given up nets without a hidden blackjack and against one.
        wagers: what the nets of a hand's kind are times; then, again by level, the units of one's own.
        offered: whether a hand may be given up.
        moves: see `Terms.moves`.
        free: by hand, whether its double is free.
    """

    given: NDArray[Any]
    wagers: NDArray[Any]
    offered: NDArray[np.uint8]
    moves: NDArray[np.int32]
    free: NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Terms:
    """The rules of a game, read.

    Attributes:
        rules: as they were written, for results to name.
        legal: what may be done with a hand.
        pays: what a finished hand nets.
        dealer: how the dealer plays.
    """

    rules: Rules
    legal: Legal
    pays: Pays
    dealer: Dealer

    @property
    def by_upcard(self) -> bool:
        """Whether what hands net depends on the upcard; `at` tells, these terms do not."""
        return any(bonus.upcard for bonus in self.pays.bonuses)

    def at(self, start: DealerStart) -> Terms:
        """Return the terms against a start; the rules are read for its upcard where that matters."""
        if not self.by_upcard:
            return self
        upcard = RANKS[start.cards[0]]
        named = any(bonus.upcard == upcard for bonus in self.pays.bonuses)
        return _read(self.rules, upcard if named else "")

    @property
    def most_units(self) -> int:
        """The most units that are wagered on a hand."""
        return max(self.pays.wagers[: max(self.legal.levels, 2)])

    def trie(self, start: DealerStart) -> DealerTrie:
        """Return the dealer's possible hands from a start, his totals told apart as far as any hand asks."""
        return dealer_trie(start.cards, self.dealer.hits_soft_17, self.pays.tells_22)

    def settlement(self, start: DealerStart) -> Settlement:
        """Return what a hidden blackjack behind a start does."""
        return self.pays.settlement(peeks=start.peeks)

    def surrender(self, start: DealerStart) -> str:
        """Return `none`, `late` or `early`: how the first two cards may be surrendered against a start."""
        return self.legal.surrender[start.cards[0]]

    def surrendered(self, start: DealerStart) -> int:
        """Return the kind of a hand of two cards that is surrendered against a start."""
        return EARLY_SURRENDER if self.surrender(start) == "early" else LATE_SURRENDER

    def given_up(self, start: DealerStart) -> list[int | None]:
        """Return by level, see `Legal.levels`, the kind of a hand given up after a hit, a split or a double.

        None where that is not offered. Of a rescue and a surrender of a doubled hand it is the one that keeps more.
        """
        later = self.legal.surrenders_later and self.surrender(start) != "none"
        # Whatever was offered before a peek, the dealer has peeked by then.
        early = self.surrender(start) == "early" and not start.peeks
        surrendered = (EARLY_SURRENDER if early else LATE_SURRENDER) if later else None
        kinds = [surrendered][: self.legal.levels]
        for level in range(1, self.legal.levels):
            rescued = RESCUED if level == 1 else RESCUED_AGAIN
            loses = [-self.pays.table[kind][DEALER_BUST] for kind in (rescued, LATE_SURRENDER)]
            rescues = self.legal.rescues and not (later and loses[1] < loses[0])
            kinds.append(rescued if rescues else surrendered)
        return kinds

    def for_kernel(self, start: DealerStart, arithmetic: Arithmetic) -> LevelsForKernel:
        """Return by level what the kernel's sweep asks for, see `LevelsForKernel`."""
        if arithmetic is DOUBLES and not self.legal.levels:
            return self._no_levels
        return _levels_in_doubles(self, start) if arithmetic is DOUBLES else _levels(self, start, arithmetic)

    @cached_property
    def _no_levels(self) -> LevelsForKernel:
        return _levels(self, self.dealer.starts[0], DOUBLES)  # the same against every start

    @cached_property
    def of_blackjack_pays(self) -> tuple[int, int] | None:
        """What a natural nets more per unit that blackjacks pay more; None where more than that depends on it."""
        return of_blackjack_pays(self.rules, self.pays)

    @cached_property
    def moves(self) -> NDArray[np.int32]:
        """By level, to which one a double of one's own leads, and a free one, and the kind of a bust there."""
        levels, pays = self.legal.levels, self.pays
        rows = [(*moves, bust) for moves, bust in zip(self.legal.moves[:levels], pays.busts, strict=False)]
        return np.array(rows, dtype=np.int32).reshape(levels, 3)

    @cached_property
    def extras(self) -> tuple[int, ...]:
        """For each pair value the most pair cards gone beside those in a hand of its split."""
        into = self.legal.split_into
        return tuple(split_coefficients(hands).most_extra if hands > 1 else 0 for hands in into)

    @property
    def looks(self) -> str:
        """What the best chart looks at."""
        return "totals and numbers of cards" if self.by_cards else "totals"

    @cached_property
    def by_cards(self) -> bool:
        """Whether the number of a hand's cards matters beside its total, apart from what is left in the shoe.

        That is where hands may be doubled or surrendered that were hit, and where hands of one total are told apart
        that have different numbers of cards.
        """
        graph, legal = player_hands().graph, self.legal
        longer = graph.cards > 2
        later = [bool((may[longer] >> SURRENDER & 1).any()) for may in (legal.before_split, *legal.after_split)]
        if legal.doubles_later or any(later):
            return True
        for kinds in (self.pays.kind, self.pays.kind_after_split):
            found: dict[tuple[int, int], set[tuple[int, ...]]] = {}
            # As one number each, which is quick to sort.
            shape = 32, 2, 32, len(self.pays.kinds)
            of_all = np.ravel_multi_index((graph.total, graph.soft, graph.cards, kinds), shape)
            by_number = np.stack(np.unravel_index(np.unique(of_all[longer]), shape))
            groups: dict[tuple[int, ...], list[int]] = {}
            for *group, kind in by_number.T.tolist():
                groups.setdefault(tuple(group), []).append(kind)
            for (total, soft, _), of_group in groups.items():
                found.setdefault((total, soft), set()).add(tuple(of_group))
            if any(len(different) > 1 for different in found.values()):
                return True
        return False

    @cached_property
    def by_nets(self) -> tuple[bytes, ...]:
        """What values of hands depend on that stand, beside cards and dealer: equal where hands net the same."""
        pays = self.pays
        settled = (pays.settlement(peeks=peeks).for_kernel(DOUBLES).tobytes() for peeks in self.dealer.peeks)
        return (pays.kind.tobytes(), pays.kind_after_split.tobytes(), pays.for_kernel(DOUBLES).tobytes(), *settled)

    @cached_property
    def asks_dealer(self) -> NDArray[np.uint8]:
        """By set of cards gone, 255 if what a hand nets that stands then depends on the dealer's total, else 0."""
        levels = max(self.legal.levels, 1)
        asks = (self.pays.for_kernel(DOUBLES)[:, 1:] != 0).any(axis=1)
        before, after = (
            asks[self.pays.states(self.legal.levels, split=split)].reshape(levels, -1).any(axis=0)
            for split in (False, True)
        )
        return _asks_dealer(self.extras, before.tobytes(), after.tobytes())

    @property
    def removals(self) -> Removals:
        """The sets of cards that the hands of the game take out of the shoe."""
        return removals(self.extras)


def terms_of(rules: Rules) -> Terms:
    """Return the rules of a game of one hand, read.

    Raises:
        RulesError: they are not computed together, or are of two hands whose cards may be exchanged.
    """
    terms = hand_terms(rules)
    if terms.legal.switches:
        raise two_hands("what is asked for is")
    return terms


def two_hands(what: str) -> RulesError:
    """Return the refusal of what there is of one hand only; `what` ends in a verb."""
    return RulesError(
        f"switch=true: {what} not computed for two hands whose second cards may be exchanged; computed are the EV of "
        "a round, deals of four cards, and charts"
    )


def hand_terms(rules: Rules) -> Terms:
    """Return the rules, read, for whoever knows that there may be two hands (`Legal.switches`) or does not look at any.

    Raises:
        RulesError: they are not computed together.
    """
    return _read(rules, "")


@lru_cache(maxsize=32)
def _asks_dealer(extras: tuple[int, ...], before: bytes, after: bytes) -> NDArray[np.uint8]:
    """Return `Terms.asks_dealer`, given by hand, before a split and after one, whether it asks."""
    sets = removals(extras)
    result = np.zeros(len(sets.removed) + 1, dtype=np.uint8)
    for rows, asks in ((sets.rows[0, 0], before), (sets.rows[:, 1:], after)):
        result[rows[..., np.frombuffer(asks, dtype=np.bool_)]] = 255
    return result[:-1]  # where a hand does not hold the pair card its row is -1


@lru_cache(maxsize=256)
def _levels_in_doubles(terms: Terms, start: DealerStart) -> LevelsForKernel:
    return _levels(terms, start, DOUBLES)


def _levels(terms: Terms, start: DealerStart, arithmetic: Arithmetic) -> LevelsForKernel:
    """Return what `Terms.for_kernel` does."""
    pays, settlement, kinds = terms.pays, terms.settlement(start), terms.given_up(start)
    wagers = pays.wagers[: len(kinds)]
    given = [
        (units * pays.table[kind][DEALER_BUST], settlement.net(kind, units) + settlement.once)
        if kind is not None
        else (Fraction(0), Fraction(0))
        for kind, units in zip(kinds, wagers, strict=True)
    ]
    nets = arithmetic.fractions(given) if given else arithmetic.zeros((0, 2))
    offered = np.array([kind is not None for kind in kinds], dtype=np.uint8)
    units = arithmetic.integers(np.array([*wagers, *pays.owned[: len(kinds)]], dtype=np.int64))
    return LevelsForKernel(nets, units, offered, terms.moves, terms.legal.free_doubles)


@lru_cache(maxsize=64)
def _read(rules: Rules, upcard: str) -> Terms:
    pays = pays_of(rules, upcard)
    return Terms(rules, legal_of(rules, pays), pays, dealer_of(rules))
