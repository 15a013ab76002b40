"""The hands with which a fixed play ends, how likely they are, and what they net against each end of the dealer's.

A finished hand is a set of cards, the orders in which the play comes to it, its kind and its bet. Its probability is
the number of those orders times that of drawing its cards in one order, n of a card in N each time. Two hands of one
round take their cards from one shoe, so that the probability of both is that of drawing the cards of their union, times
the orders of each. Everything is joint with how the dealer's hand ends, a hidden blackjack of his among the ends, and
counts whether or not he has looked for it.

Hands that bust are not listed where pairs of hands are looked at. In their place stand the first two cards of a hand,
"however it ends"; those less every hand that does not bust are the busts.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from odds._kernel import DOUBLE, HIT, STAND, HandPairs, add_hands, add_pairs, count_ways, outcome_probabilities
from odds.engine.dealer import TOTALS, dealer_trie, final_probabilities
from odds.engine.decisions import stands_by_itself, surrender_offered
from odds.engine.hands import N_VALUES, TEN, player_hands
from odds.engine.player import tied_blackjack
from odds.engine.splitting import is_split_blackjack
from odds.numbers.arithmetic import DOUBLES, Residues, tabulate
from odds.numbers.exact import enough_primes, falling, lift

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from odds.engine.dealer import DealerStart
    from odds.game.rules import Rules
    from odds.game.shoe import Shoe
    from odds.numbers.arithmetic import Arithmetic, ShoeNumbers

# Ends of the dealer's hand, as the kernel orders them: 17 to 21, a bust, a hidden blackjack.
DEALER_BUST, DEALER_BLACKJACK = len(TOTALS), len(TOTALS) + 1
N_ENDS = len(TOTALS) + 2

# Kinds of finished hands. 0 is a total of 16 or less, 1 to 5 are 17 to 21.
CHARLIE, BLACKJACK, SURRENDER, BUST = 6, 7, 8, 9
_N_KINDS = 10
_BEST_TOTAL = 5

# What the second card of a hand of a split is, where that is told apart.
OTHER_VALUE, PAIR_CARD, OTHER_TEN = 0, 1, 2

# The end of a dealer's hand has a probability below 1; entries of tensors are probabilities.
_BOUND = 1


@dataclass(frozen=True, slots=True)
class Finish:
    """How a hand may end, apart from its cards.

    Attributes:
        kind: a total, `CHARLIE`, `BLACKJACK`, `SURRENDER` or `BUST`.
        bet: units, 1 or 2.
        second: for a hand of a split `OTHER_VALUE`, `PAIR_CARD`, or `OTHER_TEN` for a ten of another rank than those
            that were split, where that is told apart; else `OTHER_VALUE`.
    """

    kind: int
    bet: int = 1
    second: int = OTHER_VALUE

    @property
    def code(self) -> int:
        """A number for it."""
        return (self.second * 2 + self.bet - 1) * _N_KINDS + self.kind

    @classmethod
    def of_code(cls, code: int) -> Finish:
        """Return the finish that has this number."""
        rest, kind = divmod(code, _N_KINDS)
        second, bet = divmod(rest, 2)
        return cls(kind, bet + 1, second)

    def net(self, end: int, rules: Rules, start: DealerStart) -> Fraction:
        """Return what the hand nets against an end of the dealer's.

        Against a blackjack: as one of several hands, or as the only hand, of a round in which the dealer does not
        peek. Where that costs the round one unit (`DealerStart.blackjack_costs_once`), a round of one hand may be
        asked for, but not a hand of a split.
        """
        if end == DEALER_BLACKJACK:
            if self.kind == BLACKJACK:
                return tied_blackjack(rules)
            if self.kind == SURRENDER and surrender_offered(rules, start) == "early":
                return rules.surrender_returns - 1
            return Fraction(-1 if start.blackjack_costs_once else -start.blackjack_cost(self.bet))
        if self.kind == BLACKJACK:
            return rules.blackjack_pays
        if self.kind == SURRENDER:
            return rules.surrender_returns - 1
        if self.kind == BUST:
            return Fraction(-self.bet)
        if self.kind == CHARLIE or end == DEALER_BUST or self.kind > end + 1:
            return Fraction(self.bet)
        if self.kind == end + 1:
            return Fraction(-self.bet if rules.tie_loses(17 + end) else 0)
        return Fraction(-self.bet)


@dataclass(frozen=True, eq=False)
class FinishedHands:
    """Some finished hands.

    Attributes:
        cards: hands x 10, how many of each value.
        finishes: how they end, each once.
        finish: by hand, the place in `finishes`; ascending.
        ways: by hand, the orders in which it is come to.
    """

    cards: NDArray[np.uint8]
    finishes: tuple[Finish, ...]
    finish: NDArray[np.int32]
    ways: NDArray[np.int64]

    @property
    def has_totals(self) -> NDArray[np.bool_]:
        """By hand, whether the dealer's total matters to it."""
        kinds = np.array([finish.kind for finish in self.finishes], dtype=np.int32)
        result: NDArray[np.bool_] = kinds[self.finish] <= _BEST_TOTAL
        return result


class Follower:
    """Follows a fixed play from the first two cards of a hand, and collects the hands with which it ends."""

    def __init__(self, rules: Rules, counts: Sequence[int], play: NDArray[np.uint8], *, list_busts: bool) -> None:
        """Follow a play.

        Args:
            rules: which hands end by themselves.
            counts: the cards of each value in the shoe, the player's hand among them.
            play: by hand 0 stand, 1 hit.
            list_busts: list the hands that bust; else the first two cards of hands that might, as `BUST`.
        """
        graph = player_hands().graph
        self._rules, self._list_busts = rules, list_busts
        self._counts = np.minimum(np.array(counts, dtype=np.int64), 1 << 20)
        self._play = np.where(_ends_by_itself(rules), STAND, play).astype(np.uint8)
        # By hand and card drawn: the shoe holds the card, and the hand busts with it.
        self._can_draw = self._counts[None, :] > graph.counts
        self._can_bust = self._can_draw & (graph.next_hand < 0)
        kinds = np.maximum(graph.total.astype(np.int64), 16) - 16
        if rules.charlie is not None:
            kinds[graph.cards >= rules.charlie] = CHARLIE
        self._kinds = kinds
        self._cards: list[NDArray[np.uint8]] = []
        self._codes: list[NDArray[np.int64]] = []
        self._ways: list[NDArray[np.int64]] = []

    def end(self, hand: int, kind: int, ways: int, second: int = OTHER_VALUE) -> None:
        """Add a hand that ends with its first two cards, by a rule or by surrender."""
        cards = player_hands().graph.counts[[hand]]
        self._add(cards, Finish(kind, 1, second).code, np.array([ways]))

    def play(self, begun: Sequence[tuple[int, int, int]], second: int = OTHER_VALUE) -> None:
        """Follow the play from some hands of two cards.

        Args:
            begun: hand, first action (0 stand, 1 hit, 2 double) and the orders in which it is dealt.
            second: what their second card is, for hands of a split.
        """
        self._play_single([(hand, action, ways) for hand, action, ways in begun if action != DOUBLE], second)
        self._play_doubled([(hand, ways) for hand, action, ways in begun if action == DOUBLE], second)

    def _play_single(self, begun: list[tuple[int, int, int]], second: int) -> None:
        graph, ways = player_hands().graph, np.zeros(player_hands().graph.size, dtype=np.int64)
        play, ends = self._play.copy(), _ends_by_itself(self._rules)
        for hand, action, orders in begun:
            ways[hand] += orders
            play[hand] = STAND if ends[hand] else action
        first = np.flatnonzero(ways)
        orders_of_first = ways[first]
        busts = count_ways(graph, play, self._counts, ways)
        offset = Finish(0, 1, second).code
        done = np.flatnonzero((ways > 0) & (play != HIT))
        self._add(graph.counts[done], offset + self._kinds[done], ways[done])
        if not busts:
            return
        if self._list_busts:
            drawing, card = np.nonzero(self._can_bust & ((ways > 0) & (play == HIT))[:, None])
            self._add(_with(graph.counts[drawing], card), offset + BUST, ways[drawing])
        else:
            self._add(graph.counts[first], offset + BUST, orders_of_first)

    def _play_doubled(self, begun: list[tuple[int, int]], second: int) -> None:
        graph, offset = player_hands().graph, Finish(0, 2, second).code
        first = np.array([hand for hand, _ in begun], dtype=np.int64)
        orders = np.array([ways for _, ways in begun], dtype=np.int64)
        if not len(first):
            return
        place, card = np.nonzero(self._can_draw[first] & (graph.next_hand[first] >= 0))
        drawn = graph.next_hand[first[place], card]
        self._add(graph.counts[drawn], offset + self._kinds[drawn], orders[place])
        place, card = np.nonzero(self._can_bust[first])
        if self._list_busts:
            self._add(_with(graph.counts[first[place]], card), offset + BUST, orders[place])
        elif len(place):
            self._add(graph.counts[first], offset + BUST, orders)

    def _add(self, cards: NDArray[np.uint8], codes: NDArray[np.int64] | int, ways: NDArray[np.int64]) -> None:
        self._cards.append(cards)
        self._codes.append(np.broadcast_to(np.asarray(codes, dtype=np.int64), len(cards)))
        self._ways.append(ways.astype(np.int64))

    def hands(self) -> FinishedHands:
        """Return what was collected."""
        cards = np.concatenate([np.zeros((0, N_VALUES), dtype=np.uint8), *self._cards])
        codes = np.concatenate([np.zeros(0, dtype=np.int64), *self._codes])
        ways = np.concatenate([np.zeros(0, dtype=np.int64), *self._ways])
        order = np.argsort(codes, kind="stable")
        unique, place = np.unique(codes[order], return_inverse=True)
        finishes = tuple(Finish.of_code(int(code)) for code in unique)
        return FinishedHands(np.ascontiguousarray(cards[order]), finishes, place.astype(np.int32), ways[order])


def hands_of_split(
    rules: Rules,
    shoe: Shoe,
    pair: int,
    play: NDArray[np.uint8],
    *,
    apart: bool = False,
    list_busts: bool = False,
) -> FinishedHands:
    """Return the hands with which one hand of a split ends.

    Args:
        rules: the rules.
        shoe: the shoe without the dealer's start, the pair still in it.
        pair: value index of the pair.
        play: by hand 0 stand, 1 hit, 2 double.
        apart: tell apart what the second card is.
        list_busts: as for `Follower`.
    """
    follower = Follower(rules, shoe.counts, play, list_busts=list_busts)
    groups = {OTHER_VALUE: list(range(N_VALUES))}
    if apart:
        groups = {OTHER_VALUE: [value for value in range(N_VALUES) if value != pair], PAIR_CARD: [pair]}
        if pair == TEN and rules.split_by == "rank":
            groups[OTHER_TEN] = [TEN]
    for second, values in groups.items():
        begun = []
        for value in values:
            hand = int(player_hands().pairs[pair, value])
            if not shoe.counts[value]:
                continue
            if is_split_blackjack(hand, rules):
                follower.end(hand, BLACKJACK, 1, second)
            else:
                begun.append((hand, STAND if stands_by_itself(hand, rules) else int(play[hand]), 1))
        follower.play(begun, second)
    return follower.hands()


def _ends_by_itself(rules: Rules) -> NDArray[np.bool_]:
    """Return by hand whether it is finished: 21 (but a soft one may go for a charlie), or a charlie."""
    graph = player_hands().graph
    ends: NDArray[np.bool_] = graph.total == 21
    if rules.charlie is not None:
        ends = (graph.cards >= rules.charlie) | (ends & (graph.soft == 0))
    return ends


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
        rules: the rules.
    """

    def __init__(
        self,
        start: DealerStart,
        shoe: Shoe,
        rules: Rules,
        known_pairs: dict[bytes, HandPairs],
        primes_below: int | None = None,
    ) -> None:
        """Settle hands.

        Args:
            start: the dealer's start.
            shoe: the shoe without it.
            rules: the rules.
            known_pairs: pairs of hands by their cards, to be used again for other starts; added to here.
            primes_below: compute fractions, by primes below this; doubles if None.
        """
        self.start, self.shoe, self.rules = start, shoe, rules
        self._known_pairs, self._limit = known_pairs, primes_below
        self._numbers: dict[int, ShoeNumbers] = {}

    @property
    def is_exact(self) -> bool:
        """Whether probabilities are fractions, not doubles."""
        return self._limit is not None

    def number(self, value: Fraction | int) -> Any:
        """Return a number as probabilities are computed here."""
        return Fraction(value) if self.is_exact else float(value)

    def hands(self, hands: FinishedHands, pair: int = 0, extra: int = 0) -> NDArray[Any]:
        """Return the probability of each finish jointly with each end of the dealer's, finishes x 7.

        Args:
            hands: the hands, busts listed.
            pair: a card of which more are drawn, in this order before all others.
            extra: how many more.
        """
        taken = hands.cards.copy()
        taken[:, pair] += extra
        needed = hands.has_totals

        def compute(numbers: ShoeNumbers) -> NDArray[Any]:
            out = numbers.arithmetic.zeros((len(hands.finishes), N_ENDS))
            weights = self._weights(numbers, taken, needed)
            add_hands(weights, numbers.arithmetic.integers(hands.ways), hands.finish, numbers.arithmetic.field, out)
            return out

        return self._computed(compute, taken)

    def pairs(self, hands: FinishedHands, pair: int = 0, extra: int = 0) -> NDArray[Any]:
        """Return the probability of two finishes jointly with each end of the dealer's, finishes x finishes x 7.

        The two hands are any of those given, in either order.

        Args:
            hands: the hands; of those that bust, what might.
            pair: a card of which more are drawn.
            extra: how many more.
        """
        key = hands.cards.tobytes()
        if key not in self._known_pairs:
            self._known_pairs[key] = HandPairs(hands.cards)
        pairs = self._known_pairs[key]
        taken = pairs.unions.copy()
        taken[:, pair] += extra
        n = len(hands.finishes)

        def compute(numbers: ShoeNumbers) -> NDArray[Any]:
            arithmetic = numbers.arithmetic
            out = arithmetic.zeros((n, n, N_ENDS))
            weights = self._weights(numbers, taken)
            add_pairs(
                pairs, weights, arithmetic.integers(hands.ways), hands.finish, numbers.small, arithmetic.field, out
            )
            return out

        found = self._computed(compute, taken)
        for place, finish in enumerate(hands.finishes):
            if finish.kind == BUST:
                # Until here, any hand of this bet: take away those that do not bust.
                same = [
                    i
                    for i, other in enumerate(hands.finishes)
                    if (other.bet, other.second) == (finish.bet, finish.second) and other.kind <= CHARLIE
                ]
                found[place] -= found[same].sum(axis=0)
                found[:, place] -= found[:, same].sum(axis=1)
        return found

    def _weights(
        self, numbers: ShoeNumbers, taken: NDArray[np.uint8], needed: NDArray[np.bool_] | None = None
    ) -> NDArray[Any]:
        arithmetic = numbers.arithmetic
        if needed is None or needed.all():
            dealer = final_probabilities(self.start, self.rules, numbers, taken)
        else:
            dealer = arithmetic.zeros((len(taken), len(TOTALS)))
            dealer[needed] = final_probabilities(self.start, self.rules, numbers, taken[needed])
        weights = arithmetic.zeros((len(taken), N_ENDS))
        outcome_probabilities(
            taken,
            dealer,
            numbers.cards,
            numbers.inverse,
            numbers.small,
            arithmetic.field,
            self.start.hidden_blackjack,
            weights,
        )
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
        draws = dealer_trie(self.start.cards, self.rules.dealer_hits_soft_17).max_depth
        denominator = falling(self.shoe.total, most + max(draws, 1))
        primes = enough_primes(denominator, _BOUND, self._limit)
        fields = [(Residues(prime), prime) for prime in primes]
        rows = [compute(self._tabulated(field, prime)) for field, prime in fields]
        lifted = np.empty(rows[0].shape, dtype=object)
        for place in np.ndindex(lifted.shape):
            residues = [field.read(row[place]).value for (field, _), row in zip(fields, rows, strict=True)]
            lifted[place] = lift(residues, primes, denominator) if any(residues) else Fraction(0)
        return lifted

    def _tabulated(self, arithmetic: Arithmetic, key: int) -> ShoeNumbers:
        if key not in self._numbers:
            self._numbers[key] = tabulate(self.shoe.counts, arithmetic)
        return self._numbers[key]
