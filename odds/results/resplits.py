"""Rounds in which a pair is split into three hands or more: how probable they are, and what they net.

Three and four hands of one shoe have too many sets of cards to list. How probable it is that so many hands come about
is known, and mean and square of what they net (`split_moments`); which results these are made of is found by dealing
(`SplitPlayed` in the kernel). Each way in which the second cards may come is dealt in proportion to its probability.

What was dealt is then weighted by exp(a + b x + c x^2) of its net result x, so that probability, mean and square are
the known ones (Deville and Saerndal 1992): a distribution in which no probability is negative, and whose errors are
those of the part that x and x^2 do not explain. From an endless shoe hands are independent given the dealer's end, and
all is exact.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import ceil, fsum, sqrt
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

from odds._kernel import SplitPlayed
from odds.engine.actions import DOUBLE, HIT, STAND, SURRENDER
from odds.engine.bonuses import ANY_TENS, fitting_suits, tens_code
from odds.engine.coefficients import split_leaves
from odds.engine.dealer import dealer_moves
from odds.engine.hands import N_VALUES, TEN, player_hands
from odds.engine.pays import DEALER_BLACKJACK, EARLY_SURRENDER, LATE_SURRENDER, MOST_KINDS, N_ENDS
from odds.numbers.exact import falling_or_zero
from odds.results.finished import OTHER_TEN, OTHER_VALUE, PAIR_CARD, finished_split
from odds.results.split_moments import rank_mixture

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from odds.results.finished import Settler

# Of a round: a hand was doubled, and one was surrendered.
DOUBLED, GIVEN_UP = 1, 2
# A net result in initial wagers, and such flags.
Result: TypeAlias = tuple[Fraction, int]

STANDARD_ERROR: Final = 1e-6
MOST_ROUNDS: Final = 1 << 24

_LEVEL = MOST_KINDS  # a group of hands is a number: its kind, its level, and its hand if its suits decide
_HAND = _LEVEL << 10


class _Leaf(NamedTuple):
    """A way in which the second cards may come, with three hands or more.

    Attributes:
        probability: given the dealer's start; where he peeks, jointly with no blackjack.
        left: the cards that are left, by value but for those of the pair, and these.
        settled: hands whose second card is none of the pair.
        free: hands whose second card may be any.
    """

    probability: Fraction
    left: list[int]
    settled: int
    free: int


def _leaves(settler: Settler, pair: int) -> Iterator[_Leaf]:
    """Yield the ways in which the second cards of a pair's split may come, with three hands or more."""
    shoe, legal, step = settler.shoe, settler.terms.legal, settler.shoe.step
    hidden = settler.start.hidden_blackjack if settler.start.peeks else -1
    of_value = Fraction(falling_or_zero(shoe.counts[pair], 2, step), falling_or_zero(shoe.total, 2, step))
    total = shoe.total - 2 * step
    for p, of_pair, others in rank_mixture(shoe, legal, pair):
        n = sum(others)
        for (drawn, settled, free), times in sorted(Counter(split_leaves(legal.split_into[pair])).items()):
            if not drawn:
                continue
            pairs, seconds = falling_or_zero(of_pair, drawn, step), falling_or_zero(n, settled, step)
            chance = Fraction(pairs * seconds, falling_or_zero(total, drawn + settled, step))
            if hidden >= 0:
                left = of_pair - drawn * step if hidden == pair else 0
                caught = left * seconds + others[hidden] * falling_or_zero(n - step, settled, step)
                chance -= Fraction(pairs * caught, falling_or_zero(total, drawn + settled + 1, step))
            if chance:
                yield _Leaf(of_value * p * times * chance, [*others, of_pair - drawn * step], settled, free)


class Resplits:
    """The rounds against one start in which one pair is split into three hands or more, from a shoe that has an end.

    Attributes:
        probability: of all of them, the start included.
    """

    def __init__(self, settler: Settler, pair: int, play: NDArray[np.uint8], probability: Fraction) -> None:
        """Find how the rounds may begin.

        Args:
            settler: the dealer's start and the shoe without it, the pair still in it.
            pair: value index of the pair.
            play: of the hands of the split, by hand, and level, the number of its action.
            probability: of the start.
        """
        self._settler, self._pair, self._play = settler, pair, play
        self._leaves = [leaf._replace(probability=probability * leaf.probability) for leaf in _leaves(settler, pair)]
        self.probability = sum((leaf.probability for leaf in self._leaves), Fraction(0))

    def deal(self, density: float) -> Iterator[tuple[Result, float, float]]:
        """Deal rounds and yield what they come to, the probability for which they stand, and the sum of its squares.

        What they might net without a round that did is among it.

        Args:
            density: how many rounds for a probability of 1.
        """
        settler, unit = self._settler, self._settler.terms.pays.unit
        played, nets = _played(settler, self._pair, self._play)
        hands = sorted({leaf.settled + leaf.free for leaf in self._leaves})
        sums = np.unique(np.concatenate([_sums(settler, nets, n) for n in hands]))
        weights, squares = np.zeros((2, 4, len(sums)))
        first, last = settler.start.cards[0], settler.start.cards[-1]
        seed = (first * N_VALUES + last) * N_VALUES + self._pair
        for place, leaf in enumerate(self._leaves):
            rounds, out = ceil(leaf.probability * density), np.zeros(weights.shape, dtype=np.int64)
            left = np.array(leaf.left, dtype=np.int32)
            played.deal(left, leaf.settled, leaf.free, rounds, seed << 16 | place, sums, out)
            weight = float(leaf.probability) / rounds
            weights += weight * out
            squares += weight**2 * out
        for place, net in enumerate(sums.tolist()):
            for flags in [0, *(np.flatnonzero(weights[1:, place]) + 1).tolist()]:
                yield (Fraction(net, unit), flags), float(weights[flags, place]), float(squares[flags, place])


def _sums(settler: Settler, nets: NDArray[np.int64], hands: int) -> NDArray[np.int64]:
    """Return what so many hands together may net, in parts of the unit."""
    found = []
    for end in range(N_ENDS):
        single = np.unique(nets[:, end])
        # What a blackjack takes once from the round is not in what its hands net.
        sums = np.array([-_takes(settler) if end == DEALER_BLACKJACK else 0])
        for _ in range(hands):
            sums = np.unique(sums[:, None] + single)
        found.append(sums)
    return np.concatenate(found)


def _takes(settler: Settler) -> int:
    return settler.blackjack_takes * settler.terms.pays.unit


def _played(settler: Settler, pair: int, play: NDArray[np.uint8]) -> tuple[SplitPlayed, NDArray[np.int64]]:
    """Return a play of the hands of a split as tables, and what the finishes of its hands net, in parts of the unit."""
    start, terms, legal, pays = settler.start, settler.terms, settler.terms.legal, settler.terms.pays
    moves, ends = _moves(settler, pair, play)
    over = np.unique(np.concatenate([ends[ends >= 0], -1 - moves[moves < 0]]))
    finishes: dict[tuple[int, int], int] = {}
    lines, first_line, cards = [], [0], np.zeros((len(over), N_VALUES), dtype=np.uint8)
    for place, code in enumerate(over.tolist()):
        hand, rest = divmod(code, _HAND)
        level, kind = divmod(rest, _LEVEL)
        asked, kinds = pays.mixtures[kind, hand - 1] if hand else ((), (kind,))
        if hand:
            cards[place] = player_hands().graph.counts[hand - 1]
        fits = [*((fitting_suits(line), tens_code(line, pays.decks)) for line in asked), (0, ANY_TENS)]
        for (suits, tens), of_line in zip(fits, kinds, strict=True):
            lines.append((suits, tens, finishes.setdefault((of_line, level), len(finishes))))
        first_line.append(len(lines))
    nets = settler.nets_of(finishes)
    flags = [_flags(settler, *finish) for finish in finishes]
    first = player_hands().two_cards[pair]
    level = (legal.free_level or 0) * (pair in legal.free_pairs)
    dealer, dealer_start = dealer_moves(terms.dealer, start)
    moves = np.where(moves < 0, -1 - np.searchsorted(over, -1 - moves), moves)
    ends = np.where(ends < 0, -1, np.searchsorted(over, ends))
    return (
        SplitPlayed(
            pair,
            np.array([first, first + level * player_hands().graph.size], dtype=np.int32),
            moves.astype(np.int32),
            ends.astype(np.int32),
            np.array(first_line, dtype=np.int32),
            np.array(lines, dtype=np.int32),
            cards,
            pays.decks.number,
            len(pays.decks.tens),
            nets,
            np.array(flags, dtype=np.uint8),
            dealer,
            dealer_start,
            start.hidden_blackjack,
            start.peeks,
            _takes(settler),
        ),
        nets,
    )


def _moves(settler: Settler, pair: int, play: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return by state of a hand of a split the next states, by card drawn, and its group where it draws none, else -1.

    A state is a hand on a level. In place of a next state stands -1 less a group if the hand is over then.
    """
    graph, legal, pays = player_hands().graph, settler.terms.legal, settler.terms.pays
    size, levels = graph.size, max(legal.levels, 1)
    may, plays = legal.states(pair).reshape(levels, -1), play.copy().reshape(levels, -1)
    plays[may >> plays & 1 == 0] = STAND
    kinds, given = pays.states(levels, split=True).reshape(levels, -1), settler.terms.given_up(settler.start)
    mixed = np.array([bool(kind.parts) for kind in pays.kinds])
    next_hand, hands = graph.next_hand.astype(np.int64), np.arange(size)

    def group(kind: NDArray[Any] | int, level: int, hand: NDArray[Any] | int = 0) -> Any:
        return np.asarray(kind, dtype=np.int64) + _LEVEL * level + np.where(mixed[kind], (hand + 1) * _HAND, 0)

    moves, ends = np.zeros((levels, size, N_VALUES), dtype=np.int64), np.full((levels, size), -1, dtype=np.int64)
    for level, play_of in enumerate(plays):
        back = (given[level] if given else None) or pays.busts[level]
        over = (play_of != HIT) & (play_of != DOUBLE)
        ends[level] = np.where(over, group(np.where(play_of == SURRENDER, back, kinds[level]), level, hands), -1)
        for to in {level, *(np.array(legal.moves[level]) if levels > 1 else (1,))}:
            leads = np.array(legal.moves[level])[legal.free_doubles] if levels > 1 else np.ones_like(hands)
            drawing = play_of == HIT if to == level else (play_of == DOUBLE) & (leads == to)
            drawn = next_hand[drawing]
            if len(drawn):
                ended = -1 - group(kinds[level][drawn], to, drawn) if to >= levels else to * size + drawn
                moves[level, drawing] = np.where(drawn < 0, -1 - group(pays.busts[to], to), ended)
    return moves.reshape(-1, N_VALUES), ends.reshape(-1)


def exact_resplits(settler: Settler, pair: int, play: NDArray[np.uint8]) -> dict[Result, Any]:
    """Return what rounds with three hands or more come to, and how probable that is given the start: an endless shoe.

    Args:
        settler: the dealer's start and the shoe.
        pair: value index of the pair.
        play: of the hands of the split, by hand, and level, the number of its action.
    """
    shoe, legal, number, unit = settler.shoe, settler.terms.legal, settler.number, settler.terms.pays.unit
    hands = finished_split(settler.terms, settler.start, shoe, pair, play, apart=True, list_busts=True)
    nets, flags = settler.nets(hands), [_flags(settler, finish.kind, finish.level) for finish in hands.finishes]
    of_value, is_free = Fraction(shoe.counts[pair], shoe.total), pair in legal.free_pairs
    # A hand begins with the pair card.
    chances = settler.hands(hands).sum(axis=1) / number(of_value)
    leaves, found = Counter(split_leaves(legal.split_into[pair])), dict[Result, Any]()
    ends = settler.ends().tolist()[: DEALER_BLACKJACK if settler.start.peeks else N_ENDS]
    for (p, of_pair, others), (end, p_end) in product(rank_mixture(shoe, legal, pair), enumerate(ends)):
        ranks = {OTHER_VALUE: Fraction(1), PAIR_CARD: Fraction(of_pair, shoe.counts[pair])}
        ranks[OTHER_TEN] = Fraction(others[TEN], shoe.counts[TEN] or 1)
        # By whether it is not the first, and has a second card other than that of the pair: what a hand comes to.
        single: dict[tuple[bool, bool], dict[tuple[int, int], Any]] = {}
        for place, finish in enumerate(hands.finishes):
            result = int(nets[place, end]), flags[place]
            for is_settled in (False, True)[: 1 + (finish.second != PAIR_CARD)]:
                of_hand = single.setdefault((finish.free, is_settled), {})
                of_hand[result] = of_hand.get(result, 0) + chances[place] * number(ranks[finish.second])
        for (drawn, settled, free), times in leaves.items():
            weight = number(of_value**2 * p * times * Fraction(of_pair, shoe.total) ** drawn) * p_end
            leaf = {(0, 0): weight} if drawn else {}
            for place in range(settled + free):
                leaf = _both(leaf, single.get((is_free and place > 0, place < settled), {}))
            once = settler.blackjack_takes * (end == DEALER_BLACKJACK)
            for (net, done), share in leaf.items():
                key = Fraction(net, unit) - once, done
                found[key] = found.get(key, 0) + share
    return found


def _both(one: dict[Any, Any], other: dict[Any, Any]) -> dict[Any, Any]:
    """Return what two independent parts of a round come to together."""
    found: dict[Any, Any] = {}
    for (net, flags), p in one.items():
        for (more, others), q in other.items():
            key = net + more, flags | others
            found[key] = found.get(key, 0) + p * q
    return found


def _flags(settler: Settler, kind: int, level: int) -> int:
    given_up = kind in (LATE_SURRENDER, EARLY_SURRENDER)
    return DOUBLED * (level not in (0, settler.terms.legal.free_level)) + GIVEN_UP * given_up


class Sampled:
    """What rounds that were dealt come to, weighted so that their probability, mean and square are the known ones.

    Attributes:
        nets: net results, one for each kind of rounds.
        flags: what was done in these.
    """

    def __init__(
        self,
        dealt: Iterable[tuple[Result, float, float]],
        probability: float,
        mean: float,
        square: float,
        single: float,
    ) -> None:
        """Weight rounds.

        Args:
            dealt: what rounds come to, the probability for which they stand, and the sum of the squares of single ones.
            probability: of all of them.
            mean: times that, what they net on average.
            square: times that, its square on average.
            single: the probability for which one of them stands.
        """
        self._single = single
        found: dict[Result, tuple[list[float], list[float]]] = {}
        for result, *sums in dealt:
            for parts, part in zip(found.setdefault(result, ([], [])), sums, strict=True):
                parts.append(part)
        self.nets = [net for net, _ in sorted(found)]
        self.flags = np.array([flags for _, flags in sorted(found)], dtype=np.int64)
        self._plain, squares = (np.array([fsum(found[key][i]) for key in sorted(found)]) for i in range(2))
        values = np.array([float(net) for net in self.nets])
        self._unit = max(np.abs(values).max(initial=0.0), 1.0)
        scaled = values / self._unit
        self._powers = np.stack([np.ones_like(scaled), scaled, scaled**2])
        known = np.array([probability, mean / self._unit, square / self._unit**2])
        factors = self._factors(known)
        self._weights, self._squares = self._plain * factors, squares * factors**2

    def _factors(self, known: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return by kind of rounds with what its weight is multiplied; 1 where nothing gives the known sums."""
        exponents = np.zeros(3)
        for _ in range(_MOST_STEPS):
            factors: NDArray[np.float64] = np.exp(np.clip(exponents @ self._powers, -_MOST_EXPONENT, _MOST_EXPONENT))
            missing = known - [fsum(row) for row in self._powers * self._plain * factors]
            if np.abs(missing).max() <= _AGREES * known[0]:
                return factors
            exponents += np.linalg.lstsq(self._moments(self._plain * factors), missing, rcond=_SINGULAR)[0]
        return np.ones_like(self._plain)

    def _moments(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        result: NDArray[np.float64] = (self._powers * weights) @ self._powers.T
        return result

    def of(self, counts: NDArray[Any]) -> tuple[float, float]:
        """Return the expected value of what is counted of a round, times their probability, and its standard error.

        Args:
            counts: by kind of rounds.
        """
        moments = self._powers @ (self._weights * counts)
        explained = np.linalg.lstsq(self._moments(self._weights), moments, rcond=_SINGULAR)[0] @ self._powers
        return fsum(self._weights * counts), sqrt(fsum(self._squares * (counts - explained) ** 2))

    def distribution(self) -> dict[Fraction, tuple[float, float]]:
        """Return the probability of each net result together with such a round, and its standard error.

        That of a result which is possible but was not dealt is the probability for which one round stands.
        """
        nets, found = np.array(self.nets, dtype=object), {}
        for net in dict.fromkeys(self.nets):
            p, error = self.of(nets == net)
            found[net] = p, error or self._single
        return found


_MOST_STEPS, _MOST_EXPONENT, _AGREES, _SINGULAR = 50, 30.0, 1e-13, 1e-12


def deal_resplits(
    resplits: Iterable[tuple[Resplits, Fraction]], mean: float, square: float, most_rounds: int = MOST_ROUNDS
) -> Sampled:
    """Deal rounds of several starts and pairs, enough of them for errors below `STANDARD_ERROR`.

    Args:
        resplits: the rounds, and how many times its money each has.
        mean: what they net together, times their probability.
        square: its square, likewise.
        most_rounds: how many are dealt at most.
    """
    resplits = list(resplits)
    probability = sum((rounds.probability for rounds, _ in resplits), Fraction(0))
    # The error of a line is at most half the probability over the root of the number of rounds.
    wanted = min((float(probability) / (2 * STANDARD_ERROR)) ** 2, most_rounds)
    density = wanted / float(probability)
    dealt = (
        ((times * net, flags), weight, weights_squared)
        for rounds, times in resplits
        for (net, flags), weight, weights_squared in rounds.deal(density)
    )
    return Sampled(dealt, float(probability), mean, square, 1 / density)
