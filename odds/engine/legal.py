"""What may be done with a hand: to stand, hit, double, split or surrender, by hand, before a split and after one.

This is the one place where rules about that are read. A hand that may only stand is finished.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from odds.engine.actions import DOUBLE, HIT, SPLIT, STAND, SURRENDER
from odds.engine.hands import ACE, N_VALUES, TEN, player_hands
from odds.engine.pays import Money, free_fields
from odds.errors import RulesError
from odds.game.cards import RANKS
from odds.game.fields import ranks_of, surrender_by_upcard, written

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from odds.engine.pays import Pays
    from odds.game.rules import Rules


@dataclass(frozen=True, eq=False)
class Legal:
    """What may be done with hands under some rules.

    Attributes:
        before_split: by hand a set of actions, a sum of `1 << number`. Splitting is for two cards of one value, and
            where `like_tens` for tens of one rank only; surrendering for starts against which it is offered.
        after_split: the same by pair card, for the hands of its split. A pair among them is split again whenever there
            may be more hands, which is no decision.
        doubled: the same for hands on which there is other money than at first, by level less 1 (`levels`) and by
            hand: to stand, to double once more, or to be given up; and what free hands may do. No rows where a doubled
            hand only stands, with two units and as the kind that it is.
        doubled_after_split: the same for hands of a split, of which those that only free hands have are in
            `after_split`.
        rescues: hands that were doubled may be rescued.
        surrenders_later: hands may be surrendered that were hit, split or doubled.
        split_into: by pair card, into how many hands it may be split; 1 if not at all.
        most_hands: the most hands of a round.
        like_tens: of tens only those of one rank are a pair.
        doubles_split: hands of a split may be doubled, aces perhaps apart.
        sees_other: the hands of a split get their second cards at once, so that the first is played knowing that of
            the other; else each when its turn comes.
        surrender: by the value of the dealer's first card, how it is offered: `none`, `late` or `early`.
        insurance: the values of the upcards against which it is offered, the hole card not being seen.
        even_money: it is offered for a blackjack against an ace whose hole card is not seen.
        free_doubles: by hand, whether its double is free.
        free_pairs: the pair cards whose split is free.
        moves: by level, to which one a double of one's own leads, -1 if none, and to which a free one.
        free_level: the level of the hands of a free split that are played with free money; None without such splits.
        switches: two hands are dealt, whose second cards may be exchanged; all the rest is about one of them.
    """

    before_split: NDArray[np.uint8]
    after_split: tuple[NDArray[np.uint8], ...]
    doubled: NDArray[np.uint8]
    doubled_after_split: NDArray[np.uint8]
    rescues: bool
    surrenders_later: bool
    split_into: tuple[int, ...]
    most_hands: int
    like_tens: bool
    doubles_split: bool
    sees_other: bool
    surrender: tuple[str, ...]
    insurance: tuple[int, ...]
    even_money: bool
    free_doubles: NDArray[np.uint8]
    free_pairs: tuple[int, ...]
    moves: tuple[tuple[int, int], ...]
    free_level: int | None
    switches: bool

    @cached_property
    def levels(self) -> int:
        """How many levels the kernel's sweep has: how often hands may be doubled, and one more; 0 for none.

        Without levels a doubled hand only stands, with two units, and no hand is given up after its first two cards.
        With free money the levels are those of `Money`.
        """
        return len(self.doubled) + 1 if len(self.doubled) or self.surrenders_later else 0

    @property
    def n_states(self) -> int:
        """How many places arrays by hand have that the kernel's sweep takes: those of a level, times the levels."""
        return player_hands().graph.size * max(self.levels, 1)

    def states(self, pair: int | None = None) -> NDArray[np.uint8]:
        """Return what may be done before a split, or with the hands of one, level after level."""
        return self._states[len(self.after_split) if pair is None else pair]

    @cached_property
    def _states(self) -> list[NDArray[np.uint8]]:
        of_split = []
        for pair, of_pair in enumerate(self.after_split):
            levels = [of_pair, *self.doubled_after_split]
            if self.free_level is not None and pair in self.free_pairs:
                levels[self.free_level] = of_pair
            of_split.append(np.concatenate(levels))
        return [*of_split, np.concatenate([self.before_split, *self.doubled])]

    def doubled_to(self, level: int, hand: int) -> int:
        """Return the level to which a double of a hand leads."""
        return self.moves[level][self.free_doubles[hand]]

    def hits_split(self, pair: int) -> bool:
        """Return whether hands of the split of a pair may draw a third card without doubling."""
        return bool((self.after_split[pair][player_hands().two_cards[pair]] >> HIT & 1).any())

    @property
    def splits(self) -> bool:
        """Whether any pair may be split."""
        return self.most_hands > 1

    @cached_property
    def split_pairs(self) -> tuple[int, ...]:
        """The pair cards that may be split."""
        return tuple(pair for pair, hands in enumerate(self.split_into) if hands > 1)

    @cached_property
    def doubles_later(self) -> bool:
        """Whether hands may be doubled that were hit."""
        hit = player_hands().graph.cards > 2
        return any(bool((of_hand[hit] >> DOUBLE & 1).any()) for of_hand in (self.before_split, *self.after_split))

    @cached_property
    def finished(self) -> NDArray[np.bool_]:
        """By hand, whether it is finished before a split."""
        result: NDArray[np.bool_] = self.before_split & (1 << HIT | 1 << DOUBLE) == 0
        return result


def legal_of(rules: Rules, pays: Pays) -> Legal:
    """Return what may be done with hands under some rules.

    Args:
        rules: the rules.
        pays: what hands net: a kind may end them, and a soft 21 is not finished where more cards may win at once.

    Raises:
        RulesError: they are not computed together.
    """
    _refuse(rules)
    graph = player_hands().graph
    more_cards_win = bool(pays.ends_hand[pays.kind[graph.cards > 2]].any())
    if rules.switch and more_cards_win and not pays.ends_hand[pays.switched]:
        raise RulesError(
            f"switch=true with {'charlie' if rules.charlie else 'bonuses'} is not computed where an ace and a ten made "
            "by an exchange may be hit so as to win at once with more cards"
        )
    on_21 = (graph.total == 21) & ~((graph.soft != 0) & more_cards_win)
    doubled = np.array([[rules.may_double(total, soft) for total in range(22)] for soft in (False, True)])
    most_cards = rules.double_cards if isinstance(rules.double_cards, int) else graph.size
    doubles = (graph.cards >= 2) & (graph.cards <= most_cards) & doubled[graph.soft.astype(np.intp), graph.total]
    free_doubles = np.zeros_like(doubles)
    if rules.free_double_on != "none":
        free = np.array([[rules.doubles_free(total, soft) for total in range(22)] for soft in (False, True)])
        free_doubles = (graph.cards == 2) & doubles & free[graph.soft.astype(np.intp), graph.total]
    free_pairs = tuple(map(RANKS.index, ranks_of(rules.free_split))) if "free_split" in free_fields(rules) else ()
    later = rules.surrender_cards == "any" and rules.surrender != "none"

    def actions(kind: NDArray[np.uint8], hits: NDArray[np.bool_], doubles: NDArray[np.bool_]) -> NDArray[np.uint8]:
        going_on = ~(on_21 | pays.ends_hand[kind])
        result: NDArray[np.uint8] = (1 << STAND) + ((hits & going_on) << HIT) + ((doubles & going_on) << DOUBLE)
        result += ((result > 1 << STAND) & (graph.cards > 1) & later) << SURRENDER
        return result.astype(np.uint8)

    given = rules.double_rescue or later
    # The same against every upcard.
    alike = all(bonus.after_double or not bonus.may_have(3) for bonus in rules.bonuses)

    def once_doubled(kind: NDArray[np.uint8], hits: NDArray[np.uint8]) -> NDArray[np.uint8]:
        if pays.levels_before:
            rows = [np.full(graph.size, 1 << STAND, dtype=np.uint8)] * (len(Money) - 1 if free_pairs else Money.MATCHED)
            rows[Money.FREE - 1 : Money.FREE] = [hits] * bool(free_pairs)
            return np.array(rows)
        if not doubles.any() or not (given or rules.redoubles or pays.wagers[1] > 2 or not alike):
            return np.zeros((0, graph.size), dtype=np.uint8)
        going_on = (graph.cards > 2) & (graph.total != 21) & ~pays.ends_hand[kind]
        rows = [
            (1 << STAND) + ((going_on & (again < rules.redoubles)) << DOUBLE) + ((going_on & given) << SURRENDER)
            for again in range(1 + rules.redoubles)
        ]
        return np.array(rows, dtype=np.uint8)

    every, none = np.ones(graph.size, dtype=np.bool_), np.zeros(graph.size, dtype=np.bool_)
    before = actions(pays.kind, every, doubles)
    split_into = tuple(
        min(rules.max_hands, 2) if pair == ACE and not rules.resplit_aces else rules.max_hands
        for pair in range(N_VALUES)
    )
    doubled_before = once_doubled(pays.kind_doubled, before.copy())
    doubled_after = once_doubled(pays.kind_doubled_after_split, np.full(graph.size, 1 << STAND, dtype=np.uint8))
    for pair, hands in enumerate(split_into):
        hand = player_hands().two_cards[pair, pair]
        before[hand] |= (hands > 1 and not pays.ends_hand[pays.kind[hand]]) << SPLIT
    if rules.surrender != "none":
        before[(graph.cards == 2) & ~pays.ends_hand[pays.kind]] |= 1 << SURRENDER
    again = rules.double_after_split
    after = [actions(pays.kind_after_split, every, doubles if again else none)] * N_VALUES
    hits, again = every if rules.hit_split_aces else graph.cards > 2, again and rules.double_split_aces
    after[ACE] = actions(pays.kind_after_split, hits, doubles if again else none)
    if pays.levels_before:
        moves = [(Money.DOUBLED, Money.MATCHED), (-1, -1), (-1, -1), (Money.MATCHED, Money.FREE_DOUBLED), (-1, -1)]
    else:
        moves = [*((level + 1, -1) for level in range(len(doubled_before))), (-1, -1)]
    surrender = surrender_by_upcard(rules.surrender)
    exposed = rules.hole_card == "exposed"
    return Legal(
        before,
        tuple(after),
        doubled_before,
        doubled_after,
        rules.double_rescue,
        later,
        split_into,
        rules.max_hands,
        rules.split_by == "rank",
        rules.double_after_split,
        rules.split_deal == "both",
        tuple(surrender[upcard] for upcard in RANKS),
        () if exposed else {"none": (), "ace": (ACE,), "ace,ten": (ACE, TEN)}[rules.insurance],
        rules.even_money and not exposed,
        free_doubles.astype(np.uint8),
        free_pairs,
        tuple((int(own), int(free)) for own, free in moves),
        Money.FREE if free_pairs else None,
        rules.switch,
    )


def _refuse(rules: Rules) -> None:
    """Refuse rules together that are not computed."""
    given = free_fields(rules)
    beside = [name for name in ("redoubles", "double_rescue", "surrender_cards") if not rules.is_tacit(name)]
    if rules.dealer_blackjack_takes == "original-per-hand" and not rules.is_moot("dealer_blackjack_takes"):
        beside += ["dealer_blackjack_takes"] * ("free_split" in given)
    if rules.double_multiples != (2,):
        beside.append("double_multiples")
    for name in beside:
        if given and not rules.is_moot(name):
            value = getattr(rules, name)
            raise RulesError(f"{name}={written(value)} with {given[0]}={getattr(rules, given[0])} is not computed")
    multiples, aces = rules.double_multiples, rules.double_split_aces and not rules.is_moot("double_split_aces")
    if len(multiples) > 1 and aces and not rules.hit_split_aces:
        raise RulesError(
            f"double_multiples={','.join(map(str, multiples))} with double_split_aces=true and hit_split_aces=false is "
            "not computed: split aces doubled but never hit could gain by less than the most; give one multiple"
        )
    if len(multiples) > 1 and rules.redoubles and (rules.double_cards != "any" or rules.double_on != "any"):
        raise RulesError(
            f"double_multiples={','.join(map(str, multiples))} with redoubles={rules.redoubles} is not computed unless "
            "double_cards=any and double_on=any: a hand that may not be doubled after a hit may be worth doubling by "
            "less than the most, to be doubled again; give one multiple"
        )
    offered = surrender_by_upcard(rules.surrender)
    early = "early" in offered.values()
    if rules.switch and rules.split_by == "rank" and not rules.is_moot("split_by"):
        raise RulesError("switch=true with split_by=rank is not computed: an exchange would look at the ranks of tens")
    if rules.switch and any(how == "early" and rules.peeks_under(upcard) for upcard, how in offered.items()):
        raise RulesError(
            f"switch=true contradicts surrender={rules.surrender}: cards are exchanged after the dealer has looked for "
            "a blackjack, and a hand is surrendered after that"
        )
    once = rules.dealer_blackjack_takes == "original" and not rules.is_moot("dealer_blackjack_takes")
    if rules.surrender_cards == "any" and early and once and rules.max_hands > 1:
        raise RulesError(
            f"surrender_cards=any with surrender={rules.surrender}, dealer_blackjack_takes=original and splits is not "
            "computed: what hands net would not add up to what the round nets"
        )
