"""Several boxes of one player against the same dealer: how much their results move together.

What two boxes net times each other is a sum over a hand of one and a hand of the other, also after splits: what a box
nets is a sum over single hands, each jointly with so many further pair cards of its split drawn, some of them taken
away again (`coefficients`). The cards are exchangeable, so that this holds jointly with all that the other box draws.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import prod, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from odds._kernel import SET_BITS
from odds.engine.actions import DOUBLE, HIT, NUMBER, SPLIT
from odds.engine.coefficients import split_coefficients
from odds.engine.dealer import start_probability
from odds.engine.hands import ACE, N_VALUES, TEN, player_hands
from odds.engine.pays import DEALER_BLACKJACK
from odds.engine.splitting import shoe_can_run_out
from odds.engine.tens import ten_ranks
from odds.errors import ShoeError
from odds.numbers.exact import falling_or_zero
from odds.parallel import tell
from odds.results.finished import (
    OTHER_TEN,
    OTHER_VALUE,
    PAIR_CARD,
    Finish,
    FinishedHands,
    Settler,
    finished_hands,
    finished_split,
    first_action,
)
from odds.results.outcomes import outcomes
from odds.results.round import analyze, follow
from odds.results.split_moments import times_of_hand
from odds.shown import Shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from odds.engine.play import StartTable
    from odds.game.catalog import AnyGame
    from odds.game.shoe import Shoe
    from odds.parallel import Progress
    from odds.results.deals import Round, StartResult
    from odds.results.outcomes import Outcomes

# As many as the rules know hands of a round.
MOST_BOXES = 4

# Rounds of three hands or more that are dealt where only mean and variance are asked for, which do not depend on them.
_FEW = 1 << 16


@dataclass(frozen=True, slots=True, repr=False)
class Boxes(Shown):
    """Boxes of one initial wager each against one dealer, each played by its own cards as the round of one box is.

    Attributes:
        mean: expected net result of one box.
        variance: of one box.
        covariance: of two boxes.
        most: for how many boxes the shoe is sure not to run out.
        max_hands: into how many hands a box may be split; 1 where it is not.
    """

    mean: float
    variance: float
    covariance: float
    most: int = MOST_BOXES
    max_hands: int = 1
    _result: Round | None = field(default=None, compare=False)

    @property
    def correlation(self) -> float:
        """The correlation of two boxes; 0 where nothing varies."""
        return self.covariance / self.variance if self.variance else 0.0

    def standard_deviation(self, boxes: int) -> float:
        """Return the standard deviation of the net result of so many boxes together, in initial wagers of one.

        Raises:
            ShoeError: there are none, or too many for the shoe.
        """
        if not isinstance(boxes, int) or not 1 <= boxes <= self.most:
            raise ShoeError(f"boxes: expected 1 to {self.most}, as many as the shoe is sure to last for, got {boxes}")
        return sqrt(boxes * self.variance + boxes * (boxes - 1) * self.covariance)

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row for each number of boxes, for pandas or polars: `boxes`, `mean`, `standard_deviation`."""
        return [
            {"boxes": n, "mean": n * self.mean, "standard_deviation": self.standard_deviation(n)}
            for n in range(1, self.most + 1)
        ]

    @property
    def shown(self) -> dict[int, float]:
        """The standard deviation by the number of boxes, up to three."""
        return {n: self.standard_deviation(n) for n in range(1, min(3, self.most) + 1)}

    def facts(self) -> list[tuple[str, ...]]:
        """Return what a box is worth, how two move together, and under which rules."""
        return [
            ("Mean", f"{self.mean:+.10f} initial wagers a box and round"),
            ("Covariance", f"{self.covariance:.8f} of two boxes"),
            ("Correlation", f"{self.correlation:.8f}"),
            *([] if self._result is None else self._result.setting()),
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the boxes as JSON takes them."""
        return {
            "splitting": self.max_hands > 1,
            "max_hands": self.max_hands,
            **{name: getattr(self, name) for name in ("mean", "variance", "covariance", "correlation")},
            "standard_deviation": {str(n): deviation for n, deviation in self.shown.items()},
        }


def boxes(rules: AnyGame, *, shoe: Shoe | None = None) -> Boxes:
    """Return how several boxes do under the best play for the exact cards of each.

    >>> from odds.game.rules import Rules
    >>> found = boxes(Rules(decks=6, dealer_hits_soft_17=False, max_hands=2))
    >>> round(found.covariance, 3)
    0.485

    Args:
        rules: the rules.
        shoe: the cards before the deal; `rules.decks` full decks if left out.

    Raises:
        ShoeError: the shoe might run out within a round of two boxes, or is too small.
    """
    result = analyze(rules, shoe=shoe)
    return boxes_of(result, outcomes(result, most_rounds=_FEW))


def boxes_of(result: Round, single: Outcomes, progress: Progress | None = None) -> Boxes:
    """Return how several boxes do, each played as a round; with free money or later doubles split into two hands only.

    Args:
        result: the round.
        single: what it nets.
        progress: told now and then which part of the work is done.

    Raises:
        ShoeError: the shoe might run out within a round of two boxes.
    """
    legal = result.terms.legal
    if legal.most_hands > 2 and (legal.levels or legal.doubles_later):
        # Too many hands to look at all pairs of them.
        fewer, tables = result.rules.replace(max_hands=2), result.fixed_play
        result = (
            analyze(fewer, shoe=result.shoe, split_class=result.split_class)
            if tables is None
            else follow(fewer, tables, play=result.play, shoe=result.shoe)
        )
        single = outcomes(result, most_rounds=_FEW)
    hands, points, most = result.terms.legal.most_hands, _most_points(result), 1
    while most < MOST_BOXES and not shoe_can_run_out(result.shoe.counts, hands * (most + 1), points):
        most += 1
    if most == 1:
        raise ShoeError("boxes: expected a shoe that cannot run out within a round of two boxes; this one might")
    covariance = float(expected_product(result, progress=progress)) - single.mean**2
    return Boxes(single.mean, single.variance, covariance, most, hands, result)


def _most_points(result: Round) -> int:
    """Return the most points, an ace being one, of a hand that draws a card under the play; of one card at least."""
    graph, legal = player_hands().graph, result.terms.legal
    points = graph.counts @ np.arange(1, N_VALUES + 1)
    most = [N_VALUES]
    for table in result.tables().values():
        for pair in (None, *table.after_split):
            play = table.states(legal, pair)
            drawing = ((play == HIT) | (play == DOUBLE)) & (legal.states(pair) >> play & 1 != 0)
            if pair is not None and not drawing.reshape(-1, graph.size)[:, player_hands().two_cards[pair]].any():
                continue  # as aces that get one card each
            draws = np.flatnonzero(drawing) % graph.size
            draws = draws[(graph.counts[draws] <= result.shoe.counts).all(axis=1)]
            most.append(points[draws].max(initial=0))
        most += [points[hand] for (hand, _), action in table.first.items() if NUMBER[action] in (HIT, DOUBLE)]
    return int(max(most))


class _Part(NamedTuple):
    """Hands with which a box ends, and how they count.

    Attributes:
        hands: the hands.
        pair: the pair card of their split, of which more are drawn for the other hands.
        extra: how many more.
        times: by what is told apart of them, how often they count.
        tens: likewise, how many tens are known to be of one rank, and how many of another.
    """

    hands: FinishedHands
    pair: int
    extra: int
    times: dict[tuple[bool, int], int]
    tens: dict[tuple[bool, int], tuple[int, int]]


def expected_product(result: Round, *, primes_below: int | None = None, progress: Progress | None = None) -> Any:
    """Return the expected product of the net results of two boxes.

    Args:
        result: a round; both boxes follow its play.
        primes_below: compute a fraction, by primes below this; a double if None.
        progress: told now and then which part of the work is done.
    """
    tables = result.tables()
    total: Any = Fraction(0) if primes_below else 0.0
    for number, start in enumerate(result.by_start):
        tell(progress, number / len(result.by_start))
        analysis = result.analysis(start.start)
        settler = Settler(analysis.start, analysis.shoe, result.terms, {}, primes_below)
        table = tables.get(analysis.start.cards)
        expected = _after_shown_blackjack(settler) if table is None else _of_start(settler, start, table)
        total += settler.number(start_probability(analysis.start, result.shoe) * start.times**2) * expected
    return total


def _of_start(settler: Settler, start: StartResult, table: StartTable) -> Any:
    """Return the expected product, given a dealer start."""
    hands, tens, over = _of_box(settler, list(_parts(settler, start, table)))
    nets = settler.nets(hands)
    # Of no cards, what a blackjack takes once.
    nets[-1] = 0
    nets[-1, DEALER_BLACKJACK] = -settler.terms.pays.unit * settler.blackjack_takes
    known = [tens[group.second // 2] for group in hands.groups]
    p_tens = {both: settler.number(_p_tens(settler.shoe, *both[0], *both[1])) for both in set(product(known, repeat=2))}
    factors = settler.products_of_nets(hands, nets)
    factors *= np.array([[[p_tens[one, other]] for other in known] for one in known], dtype=factors.dtype)
    return settler.expected(hands, factors, over) * settler.number(Fraction(1, settler.terms.pays.unit**2))


def _parts(settler: Settler, start: StartResult, table: StartTable) -> Iterator[_Part]:
    """Yield the hands with which a box ends, those of each split for each number of further pair cards."""
    terms, legal, counts = settler.terms, settler.terms.legal, settler.shoe.counts
    begun, split = [], []
    for hand in (decision.hand for decision in start.decisions):
        first = first_action(table, hand)
        if first.action == SPLIT and hand.pair is not None:
            split.append(hand.pair)
        else:
            # Tens of one rank or not, where that is told apart.
            second = OTHER_VALUE if hand.like is None else PAIR_CARD if hand.like else OTHER_TEN
            begun.append(first._replace(second=second))
    hands = finished_hands(terms, counts, table.states(legal), begun, start=settler.start, list_busts=False)
    tens = {OTHER_VALUE: (0, 0), PAIR_CARD: (2, 0), OTHER_TEN: (1, 1)}
    roles = {(group.free, group.second) for group in hands.groups}
    yield _Part(hands, 0, 0, dict.fromkeys(roles, 1), {role: tens[role[1]] for role in roles})
    for pair in split:
        play = table.states(legal, pair)
        hands = finished_split(terms, settler.start, settler.shoe, pair, play, apart=True)
        roles = {(group.free, group.second) for group in hands.groups}
        for extra in range(1, split_coefficients(legal.split_into[pair]).most_extra + 1):
            times = {role: times_of_hand(legal, pair, role, extra) for role in roles}
            like = pair == TEN and legal.like_tens
            yield _Part(
                hands,
                pair,
                extra,
                times,
                {
                    role: (1 + extra + (role[1] == PAIR_CARD), int(role[1] == OTHER_TEN)) if like else (0, 0)
                    for role in roles
                },
            )


def _of_box(settler: Settler, parts: list[_Part]) -> tuple[FinishedHands, list[tuple[int, int]], int]:
    """Return the hands of all parts as those of one box, all cards that are drawn counted to a hand.

    Returns:
        The hands, their `second` being twice the place of what is known of their tens, and one more where no hand
        stands for busts; those known tens; how often the ways count the hands of a round. A last hand has no cards.
    """
    busts, tens = settler.terms.pays.busts, [(0, 0)]
    cards, ways, codes, groups = [], [], [], dict[Finish, int]()
    for part in parts:
        own = part.hands.groups
        listed = {group[1:4] for group in own if group.kind == busts[group.level]}
        of_groups = []
        for group in own:
            role = (group.free, group.second)
            if part.tens[role] not in tens:
                tens.append(part.tens[role])
            second = 2 * tens.index(part.tens[role]) + (group[1:4] not in listed)
            of_groups.append(groups.setdefault(group._replace(second=second, free=False), len(groups)))
        times = np.array([part.times[group.free, group.second] for group in own], dtype=np.int64)[part.hands.finish]
        counted = np.flatnonzero(times)
        of_part = part.hands.cards[counted]
        of_part[:, part.pair] += part.extra
        cards.append(of_part)
        ways.append((part.hands.ways * times)[counted])
        codes.append(np.array(of_groups, dtype=np.int32)[part.hands.finish[counted]])
    groups[Finish(0, 0, 2 * len(tens))] = len(groups)
    tens.append((0, 0))
    cards.append(np.zeros((1, N_VALUES), dtype=np.uint8))
    ways.append(np.ones(1, dtype=np.int64))
    codes.append(np.full(1, len(groups) - 1, dtype=np.int32))
    every, finish, count = np.concatenate(cards), np.concatenate(codes), np.concatenate(ways)
    # The same cards may have been drawn in other roles.
    sets = every @ (1 << SET_BITS * np.arange(N_VALUES))
    order = np.lexsort((sets, finish))
    first = np.flatnonzero(np.diff(sets[order], prepend=-1) | np.diff(finish[order], prepend=-1))
    once = order[first]
    count = np.add.reduceat(count[order], first)
    hands = FinishedHands(every[once], tuple(groups), finish[once], count, settler.terms.pays)
    return hands, tens, 1 + sum(abs(n) for part in parts for n in part.times.values())


def _p_tens(shoe: Shoe, like: int, unlike: int, others_like: int, others_unlike: int) -> Fraction:
    """Return the probability that of each of two boxes so many tens have one rank, and so many (one at most) have not.

    Given that they are tens; 1 where nothing is known of ranks.
    """
    drawn = like + unlike + others_like + others_unlike
    if not drawn:
        return Fraction(1)
    ranks, ways = ten_ranks(shoe), 0
    of_box = (
        [(r, s) for r in range(4 if n else 1) for s in range(4 if m else 1) if not m or r != s]
        for n, m in ((like, unlike), (others_like, others_unlike))
    )
    for (r, s), (t, u) in product(*of_box):
        held = [0] * 4
        for rank, n in ((r, like), (s, unlike), (t, others_like), (u, others_unlike)):
            held[rank] += n
        ways += prod(falling_or_zero(n, k, shoe.step) for n, k in zip(ranks, held, strict=True))
    every = falling_or_zero(sum(ranks), drawn, shoe.step)
    return Fraction(ways, every) if every else Fraction(0)


def _after_shown_blackjack(settler: Settler) -> Any:
    """Return the expected product where the dealer shows a blackjack: each box loses, but for blackjacks of its own."""
    aces, tens, cards = settler.shoe.counts[ACE], settler.shoe.counts[TEN], settler.shoe.total
    step = settler.shoe.step
    one = Fraction(2 * aces * tens, cards * (cards - step))
    ways = 4 * falling_or_zero(aces, 2, step) * falling_or_zero(tens, 2, step)
    both = Fraction(ways, max(falling_or_zero(cards, 4, step), 1))
    gain = settler.terms.pays.tied_blackjack + 1
    return settler.number(1 - 2 * gain * one + gain * gain * both)
