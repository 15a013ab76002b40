"""The hands with which a fixed play ends, how likely they are, and what they net against each end of the dealer's.

A finished hand is a set of cards, the orders in which the play comes to it, its kind and its money. Its probability is
the number of those orders times that of drawing its cards in one order, n of a card in N each time. Two hands of one
round take their cards from one shoe, so that the probability of both is that of drawing the cards of their union, times
the orders of each. Everything is joint with how the dealer's hand ends, a hidden blackjack of his among the ends, and
counts whether or not he has looked for it.

Hands that bust are not listed where pairs of hands are looked at. In their place stand the first two cards of hands,
"however they end"; those less every hand that does not bust are the busts. A wager that is raised later moves a hand
from those of one level to those of another.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import ceil, lcm
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from odds._kernel import HandPairs, add_hands, add_pairs, combine, count_ways, outcome_probabilities
from odds.engine.actions import DOUBLE, HIT, NUMBER, STAND, SURRENDER
from odds.engine.dealer import final_probabilities
from odds.engine.hands import N_VALUES, TEN, player_hands
from odds.engine.pays import DEALER_BLACKJACK, MOST_KINDS, N_ENDS
from odds.errors import RulesError
from odds.numbers.arithmetic import DOUBLES, MOST_GONE, Residues, tabulate
from odds.numbers.exact import draw_denominators, enough_primes, lift

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from odds.engine.dealer import DealerStart
    from odds.engine.pays import Pays
    from odds.engine.play import StartTable
    from odds.engine.terms import Terms
    from odds.game.shoe import Shoe
    from odds.numbers.arithmetic import Arithmetic, ShoeNumbers
    from odds.results.deals import FirstHand

# What the second card of a hand of a split is, where that is told apart: of another value, the pair card, or a ten of
# another rank than those that were split.
OTHER_VALUE, PAIR_CARD, OTHER_TEN = range(3)
_SECONDS = 3

_MOST_LEVELS = 1 << 10  # more than there are

# Of a hand of a split, whether it is a free one, and what its second card is.
Role: TypeAlias = tuple[bool, int]

# So many pairs of hands are looked at once.
_MOST_PAIRS = 6_000_000

# The end of a dealer's hand has a probability below 1; entries of tensors are probabilities.
_BOUND = 1


class Finish(NamedTuple):
    """How a hand may end, apart from its cards.

    Attributes:
        kind: one of the kinds of `pays`.
        level: what is wagered on it (`Pays.wagers`); a doubled hand has 1 where `Legal.levels` is 0.
        second: `OTHER_VALUE`, or for a hand of a split, where that is told apart, what its second card is.
        free: in a free split, whether it is not the hand that is played first.
        hand: its index if its suits decide between kinds, until that is told apart; else -1.
    """

    kind: int
    level: int
    second: int
    free: bool = False
    hand: int = -1

    @classmethod
    def of_code(cls, code: int) -> Finish:
        """Return the finish of a number that `_code` gives."""
        rest, kind = divmod(code, MOST_KINDS)
        rest, level = divmod(rest, _MOST_LEVELS)
        rest, second = divmod(rest, _SECONDS)
        hand, free = divmod(rest, 2)
        return cls(kind, level, second, bool(free), hand - 1)


def _code(kind: NDArray[np.uint8] | int, level: int, second: int, free: bool) -> NDArray[np.int64]:
    """Return a number for each finish."""
    rest = ((free * _SECONDS) + second) * _MOST_LEVELS + level
    codes: NDArray[np.int64] = np.asarray(kind, dtype=np.int64) + rest * MOST_KINDS
    return codes


_CODES_OF_HAND = 2 * _SECONDS * _MOST_LEVELS * MOST_KINDS


class FirstAction(NamedTuple):
    """Two cards with which a hand begins, and what is done with them.

    Attributes:
        hand: its index.
        action: number of a legal action, but not splitting.
        ways: the orders in which it is dealt.
        second: as in `Finish`.
        free: as in `Finish`.
    """

    hand: int
    action: int
    ways: int
    second: int = OTHER_VALUE
    free: bool = False


def first_action(table: StartTable, hand: FirstHand) -> FirstAction:
    """Return what a play does with a hand of two cards; a blackjack, which is no decision, stands."""
    action = NUMBER[table.first.get((hand.index, hand.pair is not None), "stand")]
    return FirstAction(hand.index, action, 1 if hand.values[0] == hand.values[1] else 2)


@dataclass(frozen=True, eq=False)
class FinishedHands:
    """Some finished hands.

    Attributes:
        cards: hands x 10, how many of each value.
        groups: how they end as far as their values say, each once.
        finish: by hand, the place in `groups`; ascending.
        ways: by hand, the orders in which it is come to.
        pays: what they net.
    """

    cards: NDArray[np.uint8]
    groups: tuple[Finish, ...]
    finish: NDArray[np.int32]
    ways: NDArray[np.int64]
    pays: Pays

    @cached_property
    def parts(self) -> list[tuple[int, Finish, Fraction]]:
        """The place in `groups`, the finish and how likely it is in its group, of each finish."""
        return [
            (place, group._replace(kind=kind, hand=-1), p)
            for place, group in enumerate(self.groups)
            for kind, p in self.pays.parts(group.kind)
        ]

    @cached_property
    def finishes(self) -> tuple[Finish, ...]:
        """How the hands end, by their suits too."""
        return tuple(finish for _, finish, _ in self.parts)

    @cached_property
    def roles(self) -> tuple[Any, Any]:
        """Indexes of the finishes that the first of two hands of a split may have, and of those of the other."""
        free = np.array([finish.free for finish in self.finishes])
        return (np.flatnonzero(~free), np.flatnonzero(free)) if free.any() else (slice(None), slice(None))

    @cached_property
    def may_bust(self) -> list[tuple[int, list[int]]]:
        """Places in `groups` of hands however they end that stand for busts, and for each those that do not bust."""
        busts = self.pays.busts
        return [
            (place, [i for i, of in enumerate(self.groups) if of.kind != group.kind and of[1:4] == group[1:4]])
            for place, group in enumerate(self.groups)
            if group.kind == busts[group.level]
        ]

    def by_suits(self, tensor: NDArray[Any], number: Callable[[Fraction], Any]) -> NDArray[Any]:
        """Return probabilities of groups, or of pairs of groups, and ends as those of finishes.

        Args:
            tensor: groups x ends, or groups x groups x ends.
            number: makes a number of the tensor from a fraction.
        """
        if len(self.finishes) == len(self.groups):
            return tensor
        places = [place for place, _, _ in self.parts]
        share = np.array([number(p) for _, _, p in self.parts])
        if tensor.ndim == 2:
            of_hands: NDArray[Any] = tensor[places] * share[:, None]
            return of_hands
        shares = share[:, None] * share[None, :]
        for _, _, joint in self.mixed_pairs():
            for both, p in joint.items():
                shares[both] = number(p)
        result: NDArray[Any] = tensor[np.ix_(places, places)] * shares[:, :, None]
        return result

    def mixed_pairs(self) -> Iterator[tuple[int, int, dict[tuple[int, int], Fraction]]]:
        """Yield the places of two groups whose suits decide between kinds, and how likely each two finishes are."""
        mixed = [place for place, group in enumerate(self.groups) if group.hand >= 0]
        of_group = {place: [i for i, part in enumerate(self.parts) if part[0] == place] for place in mixed}
        for a, b in product(mixed, repeat=2):
            one, other = self.groups[a], self.groups[b]
            joint = self.pays.joint_parts(one.kind, one.hand, other.kind, other.hand)
            yield (
                a,
                b,
                {
                    (i, j): joint.get((self.finishes[i].kind, self.finishes[j].kind), Fraction(0))
                    for i, j in product(of_group[a], of_group[b])
                },
            )


def finished_hands(
    terms: Terms,
    counts: Sequence[int],
    play: NDArray[np.uint8],
    begun: Iterable[FirstAction],
    *,
    start: DealerStart,
    pair: int | None = None,
    list_busts: bool,
) -> FinishedHands:
    """Return the hands with which a play ends.

    Args:
        terms: the rules, read.
        counts: the cards of each value in the shoe, the player's hand among them.
        play: by hand, and level (`Legal.levels`), the number of its action; one that is not legal is standing.
        begun: the first two cards, each once for each kind of second card.
        start: the dealer's start.
        pair: the pair card if these are hands of its split.
        list_busts: list the hands that bust; else the first two cards of hands that might, as busts.
    """
    alike: dict[tuple[int, bool], list[FirstAction]] = {}
    for first in begun:
        alike.setdefault((first.second, first.free), []).append(first)
    held = np.minimum(np.array(counts, dtype=np.int64), 1 << 20)
    parts = [(np.zeros((0, N_VALUES), dtype=np.uint8), _code(0, 0, OTHER_VALUE, False), np.zeros(0, dtype=np.int64))]
    for (second, free), firsts in alike.items():
        begin = (terms.legal.free_level or 0) * free
        for cards, kind, level, ways in _follow(terms, held, play, firsts, begin, start, pair, list_busts):
            parts.append((cards, _code(kind, level, second, free), ways))
    cards, ways = (np.concatenate([part[i] for part in parts]) for i in (0, 2))
    codes = np.concatenate([np.broadcast_to(code, len(cards)) for cards, code, _ in parts])
    mixed = np.array([bool(kind.parts) for kind in terms.pays.kinds])[codes % MOST_KINDS]
    codes[mixed] += (player_hands().numbers(cards[mixed]) + 1) * _CODES_OF_HAND
    order = np.argsort(codes, kind="stable")
    unique, place = np.unique(codes[order], return_inverse=True)
    finishes = tuple(Finish.of_code(code) for code in unique.tolist())
    return FinishedHands(np.ascontiguousarray(cards[order]), finishes, place.astype(np.int32), ways[order], terms.pays)


def _follow(
    terms: Terms,
    held: NDArray[np.int64],
    play: NDArray[np.uint8],
    begun: Iterable[FirstAction],
    begin: int,
    start: DealerStart,
    pair: int | None,
    list_busts: bool,
) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.uint8] | int, int, NDArray[np.int64]]]:
    """Yield hands with which a play ends, begun on one level: cards, kind, level, ways; see `finished_hands`."""
    graph, legal, pays = player_hands().graph, terms.legal, terms.pays
    levels = max(legal.levels, 1)
    may, plays = legal.states(pair).reshape(levels, -1), play.copy().reshape(levels, -1)
    kinds, given = pays.states(levels, split=pair is not None).reshape(levels, -1), terms.given_up(start)
    surrendered = np.full(graph.size, pays.bust if not given else given[0] or pays.bust)
    if pair is None:
        surrendered[graph.cards == 2] = terms.surrendered(start)
    ways_of = np.zeros((max(levels, 2), graph.size), dtype=np.int64)
    for hand, action, orders, *_ in begun:
        plays[begin, hand] = action
        ways_of[begin, hand] = orders
    plays[may >> plays & 1 == 0] = STAND
    first = np.flatnonzero(ways_of[begin])
    dealt = ways_of[begin, first]
    # No double leads back to where hands begin, nor to a level before it that leads on.
    for level in sorted(range(levels), key=lambda level: level != begin):
        ways, play, kind, bust = ways_of[level], plays[level], kinds[level], pays.busts[level]
        may_bust = count_ways(graph, play, held, ways)
        reached = np.flatnonzero(ways)
        hit, doubled = (reached[play[reached] == action] for action in (HIT, DOUBLE))
        ends = reached[(play[reached] != HIT) & (play[reached] != DOUBLE)]
        back = surrendered[ends] if level == 0 else given[level] or bust
        ended = np.where(play[ends] == SURRENDER, back, kind[ends]).astype(np.uint8)
        yield graph.counts[ends], ended, level, ways[ends]
        if list_busts:
            yield from _busts(held, hit, bust, level, ways)
        elif level == begin and may_bust:
            yield graph.counts[first[play[first] != DOUBLE]], bust, level, dealt[play[first] != DOUBLE]
            later = doubled[graph.cards[doubled] > 2]
            yield graph.counts[later], bust, level, -ways[later]
        elif level != begin:
            yield graph.counts[doubled], bust, level, -ways[doubled]
        # One card more for each doubled hand.
        leads = np.array(legal.moves[level])[legal.free_doubles[doubled]] if levels > 1 else np.ones_like(doubled)
        for to in np.unique(leads).tolist():
            hands, bust = doubled[leads == to], pays.busts[to]
            place, card = np.nonzero(held > graph.counts[hands])
            drawn = graph.next_hand[hands[place], card]
            if list_busts:
                yield from _busts(held, hands, bust, to, ways)
            elif (drawn < 0).any() or (to < levels and (may[to] >> DOUBLE & 1).any()):
                yield graph.counts[hands], bust, to, ways[hands]
            before, ended = ways[hands[place[drawn >= 0]]], drawn[drawn >= 0]
            if to >= levels:
                yield graph.counts[ended], kind[ended], to, before
            np.add.at(ways_of[to], ended, before)


def _busts(
    held: NDArray[np.int64], hands: NDArray[np.int64], bust: int, level: int, ways: NDArray[np.int64]
) -> Iterator[tuple[NDArray[np.uint8], int, int, NDArray[np.int64]]]:
    """Yield what is left of some hands by a card that busts them, as `_follow` does."""
    graph = player_hands().graph
    place, card = np.nonzero((held > graph.counts[hands]) & (graph.next_hand[hands] < 0))
    yield _with(graph.counts[hands[place]], card), bust, level, ways[hands[place]]


def finished_split(
    terms: Terms,
    start: DealerStart,
    shoe: Shoe,
    pair: int,
    play: NDArray[np.uint8],
    *,
    apart: bool = False,
    list_busts: bool = False,
) -> FinishedHands:
    """Return the hands with which one hand of a split ends; of a free one, with which the first and another do.

    Args:
        terms: the rules, read.
        start: the dealer's start.
        shoe: the shoe without the dealer's start, the pair still in it.
        pair: value index of the pair.
        play: by hand, and level, the number of its action.
        apart: tell apart what the second card is.
        list_busts: as for `finished_hands`.

    Raises:
        RulesError: bonuses ask for the ranks of tens, which the hands of a split of like tens share.
    """
    asked = [bonus for bonus in terms.pays.bonuses if bonus.named_tens and bonus.after_split]
    if asked and pair == TEN and terms.legal.like_tens:
        raise RulesError(
            f"bonuses {str(asked[0])!r} with split_by=rank has no distribution after a split of tens; give it "
            "after_split=false"
        )
    begun, legal = [], terms.legal
    levels = [0, legal.free_level] if pair in legal.free_pairs and legal.free_level else [0]
    for value, level in product(np.flatnonzero(shoe.counts).tolist(), levels):
        hand = int(player_hands().two_cards[pair, value])
        action = int(play[hand + level * player_hands().graph.size])
        seconds = [OTHER_VALUE]
        if apart and value == pair:
            seconds = [PAIR_CARD, OTHER_TEN] if pair == TEN and legal.like_tens else [PAIR_CARD]
        begun += [FirstAction(hand, action, 1, second, level > 0) for second in seconds]
    return finished_hands(terms, shoe.counts, play, begun, start=start, pair=pair, list_busts=list_busts)


def _with(cards: NDArray[np.uint8], drawn: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return sets of cards, each with one card more."""
    result = cards.copy()
    result[np.arange(len(result)), drawn] += 1
    return result


class Settler:
    """The probabilities of finished hands jointly with the ends of the dealer's, against one start of his.

    Attributes:
        start: the start.
        shoe: the shoe without it.
        terms: the rules, read.
    """

    def __init__(
        self,
        start: DealerStart,
        shoe: Shoe,
        terms: Terms,
        known_pairs: dict[bytes, HandPairs],
        primes_below: int | None = None,
    ) -> None:
        """Settle hands.

        Args:
            start: the dealer's start.
            shoe: the shoe without it.
            terms: the rules, read.
            known_pairs: pairs of hands by their cards, to be used again for other starts; added to here.
            primes_below: compute fractions, by primes below this; doubles if None.
        """
        self.start, self.shoe, self.terms = start, shoe, terms.at(start)
        self._trie = self.terms.trie(start)
        self._known_pairs, self._limit = known_pairs, primes_below
        self._numbers: dict[int, ShoeNumbers] = {}

    def number(self, value: Fraction | int) -> Any:
        """Return a number as probabilities are computed here."""
        return float(value) if self._limit is None else Fraction(value)

    def nets(self, hands: FinishedHands) -> NDArray[np.int64]:
        """Return what each finish nets against each end of the dealer's, in parts of `Pays.unit`, finishes x 8.

        On the joint scale: where a blackjack takes one unit of the round, that is not in it.
        """
        return self.nets_of([(finish.kind, finish.level) for finish in hands.finishes])

    def nets_of(self, finishes: Iterable[tuple[int, int]]) -> NDArray[np.int64]:
        """Return the same of kinds and levels."""
        kinds, levels = np.array(list(finishes), dtype=np.intp).reshape(-1, 2).T
        result: NDArray[np.int64] = self.terms.pays.whole_nets[0 if self.start.peeks else 1, kinds, levels]
        result[:, DEALER_BLACKJACK] += self.blackjack_takes * self.terms.pays.unit
        return result

    @property
    def blackjack_takes(self) -> int:
        """The units that a hidden blackjack takes from the round, whatever the hands do."""
        return int(self.terms.settlement(self.start).once)

    def units(self, hands: FinishedHands) -> NDArray[np.int64]:
        """Return the own units wagered with each finish and end of the dealer's, finishes x 8.

        None where a peek ends the round, before which it has one.
        """
        return self._by_level(hands, self.terms.pays.owned)

    def doubled(self, hands: FinishedHands) -> NDArray[np.bool_]:
        """Return whether a hand was doubled, by finish and end; none was where a peek ends the round."""
        begins = (0, self.terms.legal.free_level)
        is_doubled = [level not in begins for level in range(len(self.terms.pays.owned))]
        return self._by_level(hands, is_doubled).astype(np.bool_)

    def _by_level(self, hands: FinishedHands, of_level: Sequence[int]) -> NDArray[np.int64]:
        rows = [[of_level[finish.level]] * N_ENDS for finish in hands.finishes]
        result = np.array(rows, dtype=np.int64).reshape(-1, N_ENDS)
        if self.start.peeks:
            result[:, DEALER_BLACKJACK] = 0
        return result

    def hands(self, hands: FinishedHands, pair: int = 0, extra: int = 0) -> NDArray[Any]:
        """Return the probability of each finish jointly with each end of the dealer's, finishes x 8.

        Args:
            hands: the hands, busts listed.
            pair: a card of which more are drawn, in this order before all others.
            extra: how many more.
        """
        taken = hands.cards.copy()
        taken[:, pair] += extra
        needed = self.terms.pays.ask_ends[[finish.kind for finish in hands.groups]][hands.finish]

        def compute(numbers: ShoeNumbers) -> NDArray[Any]:
            out = numbers.arithmetic.zeros((len(hands.groups), N_ENDS))
            weights = self._weights(numbers, taken, needed)
            add_hands(weights, numbers.arithmetic.integers(hands.ways), hands.finish, numbers.arithmetic.field, out)
            return out

        return hands.by_suits(self._computed(compute, taken), self.number)

    def ends(self) -> NDArray[Any]:
        """Return the probability of each end of the dealer's hand, with no card of the player's gone."""
        none = np.zeros((1, N_VALUES), dtype=np.uint8)
        result: NDArray[Any] = self._computed(lambda numbers: self._weights(numbers, none), none)[0]
        return result

    def pairs(self, hands: FinishedHands) -> NDArray[Any]:
        """Return the probability of two finishes jointly with each end of the dealer's, finishes x finishes x 8.

        The two hands are any of those given, in either order (`FinishedHands.roles`); of those that bust, what might.
        """
        pairs, n = self._pairs_of(hands), len(hands.groups)
        every = np.ones((n, n), dtype=np.uint8), np.ones(len(pairs.unions), dtype=np.uint8)

        def compute(numbers: ShoeNumbers) -> NDArray[Any]:
            arithmetic = numbers.arithmetic
            out = arithmetic.zeros((n, n, N_ENDS))
            weights, ways = self._weights(numbers, pairs.unions), arithmetic.integers(hands.ways)
            add_pairs(pairs, weights, ways, hands.finish, *every, numbers.small, arithmetic.field, out)
            return out

        found = self._computed(compute, pairs.unions)
        for place, same in hands.may_bust:
            found[place] -= found[same].sum(axis=0)
            found[:, place] -= found[:, same].sum(axis=1)
        return hands.by_suits(found, self.number)

    def _pairs_of(self, hands: FinishedHands) -> HandPairs:
        key = hands.cards.tobytes()
        if key not in self._known_pairs:
            self._known_pairs[key] = HandPairs(hands.cards)
        return self._known_pairs[key]

    def products(
        self, hands: FinishedHands, pair: int, coefficients: Mapping[tuple[Role, Role], tuple[Fraction, ...]]
    ) -> Any:
        """Return a sum of expected products of what two hands net, in parts of the unit squared.

        Args:
            hands: the hands; of those that bust, what might.
            pair: a card of which more are drawn before.
            coefficients: by what is told apart of one hand and the other, and by how many more are drawn, how often
                the product counts; the same for either order.
        """
        pairs, n = self._pairs_of(hands), len(hands.groups)
        groups = [(group.free, group.second) for group in hands.groups]
        roles = sorted(set(groups))
        place = np.array([roles.index(role) for role in groups], dtype=np.intp)
        wanted = {}
        for times in dict.fromkeys(coefficients[a, b] for a, b in product(roles, repeat=2)):
            if any(times):
                of_roles = np.array([[coefficients[a, b] == times for b in roles] for a in roles], dtype=np.uint8)
                wanted[times] = np.ascontiguousarray(of_roles[place][:, place])
        drawn = np.zeros((max(map(len, wanted), default=0), len(pairs.unions)), dtype=np.uint8)
        for times, of_groups in wanted.items():
            drawn[np.array(times, dtype=np.bool_)] |= pairs.wanted(hands.finish, of_groups)
        sets, numbered = pairs.drawn(pair, drawn)
        nets = self.products_of_nets(hands, self.nets(hands))

        def compute(numbers: ShoeNumbers, chosen: NDArray[np.intp]) -> NDArray[Any]:
            """Return the probabilities of pairs of groups and each end, of these of the sets."""
            arithmetic, field = numbers.arithmetic, numbers.arithmetic.field
            out, weights = arithmetic.zeros((n, n, N_ENDS)), arithmetic.zeros((len(pairs.unions), N_ENDS))
            here = np.full(len(sets) + 1, -1, dtype=np.int32)  # with none at the end
            here[chosen] = np.arange(len(chosen))
            of_sets, ways = self._weights(numbers, sets[chosen]), arithmetic.integers(hands.ways)
            known = np.zeros(len(weights), dtype=np.uint8)
            for times, of_groups in wanted.items():
                combine(of_sets, here[numbered], arithmetic.fractions([times])[0], field, known, weights)
                add_pairs(pairs, weights, ways, hands.finish, of_groups, known, numbers.small, field, out)
            return out

        if self._limit is None:
            return float((compute(self._tabulated(DOUBLES, 0), np.arange(len(sets))) * nets).sum())
        counted = np.nonzero(nets)
        scale = lcm(*(net.denominator for net in nets[counted]))
        of_nets = np.array([int(net * scale) for net in nets[counted]], dtype=object)
        most = self._listed**2 * max(map(abs, of_nets), default=0)
        bound = ceil(most * sum(abs(factor) for times in coefficients.values() for factor in times))
        unit = lcm(*(factor.denominator for times in wanted for factor in times))
        # The fewer cards, the fewer primes.
        cards = sets.sum(axis=1).astype(np.intp)
        denominators = [
            unit * self._denominator(taken + max(self._trie.max_depth, 1)) for taken in range(cards.max(initial=0) + 1)
        ]
        needed = np.array([len(enough_primes(denominator, bound, self._limit)) for denominator in denominators])[cards]
        total = Fraction(0)
        for number in np.unique(needed).tolist():
            chosen = np.flatnonzero(needed == number)
            denominator = denominators[cards[chosen].max()]
            primes = enough_primes(denominator, bound, self._limit)
            residues = []
            for prime in primes:
                field = Residues(prime)
                found = compute(self._tabulated(field, prime), chosen)[counted].astype(object)
                residues.append(field.read((found * of_nets).sum()).value)
            total += lift(residues, primes, denominator)
        return total / scale

    def expected(self, hands: FinishedHands, factors: NDArray[Any], over: int) -> Any:
        """Return the sum of a factor for two hands and an end of the dealer's times the probability of them.

        Args:
            hands: the hands; of those that bust, what might. Not told apart by suits.
            factors: groups x groups x 8.
            over: how often the ways count the hands of a round, at most.
        """
        n = len(hands.groups)
        every = np.ones((n, n), dtype=np.uint8)

        def compute(numbers: ShoeNumbers) -> NDArray[Any]:
            arithmetic = numbers.arithmetic
            out, ways = arithmetic.zeros((n, n, N_ENDS)), arithmetic.integers(hands.ways)
            for pairs in self._some_pairs_of(hands):
                weights, known = self._weights(numbers, pairs.unions), np.ones(len(pairs.unions), dtype=np.uint8)
                add_pairs(pairs, weights, ways, hands.finish, every, known, numbers.small, arithmetic.field, out)
            return out

        if self._limit is None:
            return float((compute(self._tabulated(DOUBLES, 0)) * factors).sum())
        counted = np.nonzero(factors)
        scale = lcm(*(factor.denominator for factor in factors[counted]))
        whole = np.array([int(factor * scale) for factor in factors[counted]], dtype=object)
        bound = self._listed**2 * over**2 * max(map(abs, whole), default=0)
        cards = 2 * int(hands.cards.sum(axis=1).max()) + max(self._trie.max_depth, 1)
        denominator = self._denominator(cards)
        primes = enough_primes(denominator, bound, self._limit)
        residues = []
        for prime in primes:
            field = Residues(prime)
            found = compute(self._tabulated(field, prime))[counted].astype(object)
            residues.append(field.read((found * whole).sum()).value)
        return lift(residues, primes, denominator) / scale

    def _some_pairs_of(self, hands: FinishedHands) -> Iterator[HandPairs]:
        """Yield all pairs, few enough at once to be held."""
        n, first = len(hands.cards), 0
        if n * (n + 1) // 2 <= _MOST_PAIRS:
            yield self._pairs_of(hands)
            return
        while first < n:
            last = min(first + max(_MOST_PAIRS // (n - first), 1), n)
            yield HandPairs(hands.cards, first, last)
            first = last

    @property
    def _listed(self) -> int:
        """How often a hand is listed, at most: as it ends, and however it ends on some levels, each less than 3/2."""
        return 3 + 2 * max(self.terms.legal.levels, 2)

    def products_of_nets(self, hands: FinishedHands, nets: NDArray[np.int64]) -> NDArray[Any]:
        """Return what two hands net times each other, given what each nets, by group and end, on average over suits.

        Those that do not bust net so much more than a bust, for which hands stand that end in any way.
        """
        nets = nets.astype(np.float64 if self._limit is None else object)
        means = np.zeros((len(hands.groups), N_ENDS), dtype=nets.dtype)
        for (place, _, p), row in zip(hands.parts, nets, strict=True):
            means[place] += row if p == 1 else row * self.number(p)
        more = means.copy()
        for place, same in hands.may_bust:
            more[same] -= means[place]
        found: NDArray[Any] = more[:, None, :] * more[None, :, :]
        for a, b, joint in hands.mixed_pairs():
            of_both = sum(self.number(p) * nets[i] * nets[j] for (i, j), p in joint.items())
            found[a, b] += of_both - means[a] * means[b]
        return found

    def _weights(
        self, numbers: ShoeNumbers, taken: NDArray[np.uint8], needed: NDArray[np.bool_] | None = None
    ) -> NDArray[Any]:
        arithmetic = numbers.arithmetic
        if needed is None:
            dealer = final_probabilities(self._trie, numbers, taken)
        else:
            dealer = arithmetic.zeros((len(taken), self._trie.n_outcomes))
            dealer[needed] = final_probabilities(self._trie, numbers, taken[needed])
        weights = arithmetic.zeros((len(taken), N_ENDS))
        shoe = (numbers.cards, numbers.inverse, numbers.small, arithmetic.field)
        outcome_probabilities(taken, dealer, *shoe, self.start.hidden_blackjack, weights)
        return weights

    def _computed(self, compute: Any, taken: NDArray[np.uint8]) -> NDArray[Any]:
        """Return what a computation gives in doubles, or as fractions.

        Every number computed is a sum of probabilities of drawing some set of cards taken, and then at most as many
        more as the dealer draws: products of counts over N (N - 1) ..., K factors for K cards.
        """
        if self._limit is None:
            result: NDArray[Any] = compute(self._tabulated(DOUBLES, 0))
            return result
        most = int(taken.sum(axis=1).max(initial=0))
        denominator = self._denominator(most + max(self._trie.max_depth, 1))
        primes = enough_primes(denominator, _BOUND, self._limit)
        fields = [(Residues(prime), prime) for prime in primes]
        rows = [compute(self._tabulated(field, prime)) for field, prime in fields]
        lifted = np.empty(rows[0].shape, dtype=object)
        for place in np.ndindex(lifted.shape):
            residues = [field.read(row[place]).value for (field, _), row in zip(fields, rows, strict=True)]
            lifted[place] = lift(residues, primes, denominator) if any(residues) else Fraction(0)
        return lifted

    def _denominator(self, cards: int) -> int:
        """Return a common denominator of the probabilities of drawing sets of so many cards at most."""
        if self.shoe.endless or cards > MOST_GONE:
            return self.shoe.denominator(cards)
        return self._denominators[min(cards, len(self._denominators) - 1)]

    @cached_property
    def _denominators(self) -> list[int]:
        return draw_denominators(self.shoe.counts, MOST_GONE)

    def _tabulated(self, arithmetic: Arithmetic, key: int) -> ShoeNumbers:
        if key not in self._numbers:
            self._numbers[key] = tabulate(self.shoe, arithmetic)
        return self._numbers[key]


def all_ways(settler: Settler, hand: FirstHand) -> int:
    """Return the ordered deals of two values, whatever their ranks."""
    a, b = hand.values
    counts = settler.shoe.counts
    return counts[a] * (counts[a] - settler.shoe.step) if a == b else 2 * counts[a] * counts[b]


def p_hidden_blackjack(settler: Settler, hand: FirstHand) -> Fraction:
    """Return the probability of a hidden blackjack, given the start and the hand."""
    hidden = settler.start.hidden_blackjack
    if hidden < 0:
        return Fraction(0)
    shoe, step = settler.shoe, settler.shoe.step
    return Fraction(shoe.counts[hidden] - step * hand.values.count(hidden), shoe.total - 2 * step)
