"""Exact results: the double pass says which play is best, residues say what it is worth, close decisions are settled.

The double pass approximates the best values within a proven bound (`rounding_bound`): taking the larger of two values
never makes an error larger, so the bound holds whichever action was chosen. A decision whose gap exceeds the sum of the
bounds of its two values is therefore right. Every other decision that the play can come to is settled by the exact
difference of its actions; a true tie goes to the first of stand, hit, double, split, surrender. The play so certified
is followed in residues modulo primes, and the fractions are read off.

Denominators. Every term of a value is one way in which cards can come: the dealer's start, the player's cards, further
pair cards, a card drawn, the dealer's draws. Its probability is a product of counts over N (N-1) ... (N-K+1), where K
is the number of those cards, times a payoff. So D = L R N (N-1) ... (N-K+1) is a common denominator, where L is that of
the payoffs, K the most cards of one term (measured by following the play), and R the ways in which the ranks of tens
can be spread where only like tens are split, else 1. No net result of a round exceeds `net_bound`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import ceil, lcm
from typing import TYPE_CHECKING, Any

import numpy as np

from odds._kernel import GIVEN_ROW, TIE, reach
from odds.engine.actions import ACTIONS, DOUBLE, HIT, NUMBER, ROW, STAND, SURRENDER
from odds.engine.hands import N_VALUES, player_hands, times_doubled
from odds.engine.play import StartTable
from odds.engine.split_weights import split_weights
from odds.engine.splitting import split_hands
from odds.engine.start import FollowedStart, StartAnalysis
from odds.engine.tens import rank_ways
from odds.game.cards import RANKS, format_values
from odds.numbers.arithmetic import Residues
from odds.numbers.exact import LARGEST_PRIME_BELOW, enough_primes, lift

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from odds.engine.dealer import DealerStart
    from odds.engine.pays import Pays
    from odds.engine.terms import Terms

# Actions that a play gives to a hand; splitting the first two cards and surrendering them end it.
_PLAYED = ("stand", "hit", "double")
_UNIT_ROUNDOFF = 2.0**-53


def rounding_bound(start: DealerStart, terms: Terms) -> float:
    """Return a bound on the rounding error of the value of standing or hitting, one unit bet; twice it for doubling.

    With u = 2^-53 and g(n) = n u / (1 - n u), a product or a sum of positive terms with n roundings has a relative
    error of at most g(n).

    - A probability of the dealer's is a sum of positive terms, one for each unfinished hand and the card that ends it
      on that total. One term has at most 3 roundings for each of d draws, d being the most draws: of the inverse, of
      its product and of that with the number of cards; and one for the number of orders. It takes part in at most t
      additions, t being the most terms of a total. So its relative error is at most g(m), m = 3 d + t + 1.
    - Standing nets what it does at a bust times 1 - p, and for each of the dealer's totals a difference of at most s
      times its probability; those add to at most 1. With what a blackjack takes it has at most two roundings for each
      total and eight more, each of a number of at most w, the most that a unit can win or lose: at most
      s g(m) + (2 n + 8) w u for n totals.
    - Hitting is an average of values: a sum of at most ten terms, whole numbers of cards times values, and a product
      with an inverse; what is lost by busting has five more. It adds at most 18 w u to the largest error of the values
      that it averages. A hand can be hit 20 times at most, so 360 w u in all.
    """
    trie, pays = terms.trie(start), terms.pays
    roundings = 3 * trie.max_depth + trie.most_terms + 1
    relative = roundings * _UNIT_ROUNDOFF / (1 - roundings * _UNIT_ROUNDOFF)
    return float(pays.spread) * relative + (368 + 2 * pays.n_totals) * float(pays.most_per_unit) * _UNIT_ROUNDOFF


def split_bound(analysis: StartAnalysis, pair: int) -> float:
    """Return a bound on the rounding error of the value of a split.

    The value is a sum of at most n weights times values of hands, which may be doubled or be blackjacks. A weight has
    two roundings for each of its k further pair cards and at most twenty more; the sum has n - 1. Of a free split the
    first hand counts twice more.
    """
    terms = analysis.terms
    weights: NDArray[Any] = split_weights([analysis.shoe], terms.legal, [pair])[0]
    most = float(terms.pays.most)
    roundings = 2 * len(weights) + 20 + weights.size
    unit = terms.most_units * rounding_bound(analysis.start, terms) + roundings * _UNIT_ROUNDOFF * most
    free = 2 * (pair in terms.legal.free_pairs)
    return (float(np.abs(weights).sum()) + free) * unit * (1 + 1e-9)


def net_bound(pays: Pays, hands: int) -> int:
    """Return a bound on the size of the net result of a round of so many hands, or of the difference of two."""
    return 2 * (hands * ceil(pays.most) + 1)


@dataclass(frozen=True, slots=True)
class CloseDecision:
    """A decision between two actions of nearly the same value.

    Attributes:
        player: the hand.
        dealer: the dealer's start.
        best: the action that is played.
        other: the other action.
        gap: value of `best` less that of `other`, in initial wagers, jointly with no hidden blackjack where the dealer
            peeks.
        after_split: the pair card if the hand is one of a split, as the split class plays it; else None.
        exact_gap: the exact gap where it was needed; 0 is a true tie.
    """

    player: str
    dealer: str
    best: str
    other: str
    gap: float
    after_split: str | None = None
    exact_gap: Fraction | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the decision as JSON takes it."""
        plain = ("player", "dealer", "best", "other", "gap", "after_split")
        result = {name: getattr(self, name) for name in plain}
        if self.exact_gap is not None:
            result["exact_gap"] = str(self.exact_gap)
            result["tie"] = self.exact_gap == 0
        return result


@dataclass(slots=True)
class Root:
    """A hand from which a play is followed.

    Attributes:
        hand: index of the hand.
        label: the hand.
        options: value of each legal action in doubles.
        action: what is played.
        pair: its value, if it may be split.
        rank: the ten rank of the pair, where only that one is meant.
        split_card: the pair card that was split, if the hand is one of a split.
        extra: how many of them are gone beside those in the hand.
        every_action: follow every action, not only the one that is played.
    """

    hand: int
    label: str
    options: dict[str, float]
    action: str
    pair: int | None = None
    rank: int | None = None
    split_card: int | None = None
    extra: int = 0
    every_action: bool = False

    @property
    def actions(self) -> list[str]:
        """The actions to follow."""
        return list(self.options) if self.every_action else [self.action]


@dataclass(slots=True)
class _Decision:
    """One decision that a play comes to."""

    hand: int
    name: str | None
    options: dict[str, float]
    bounds: dict[str, float]
    action: str
    split_card: int | None
    exact_value: Callable[[FollowedStart, str], Any]
    trace: Callable[[_Trace, str], None]
    amend: Callable[[str], None]

    @property
    def label(self) -> str:
        """The hand."""
        doublings, hand = divmod(self.hand, player_hands().graph.size)
        return self.name or format_values(player_hands().values(hand)) + times_doubled(doublings)

    @property
    def runner_up(self) -> str:
        """The best of the other actions."""
        others = [action for action in self.options if action != self.action]
        return max(others, key=lambda action: self.options[action])

    @property
    def close(self) -> bool:
        """Whether rounding, or a tie, may have chosen the action."""
        return any(
            self.options[self.action] - value <= max(TIE, self.bounds[self.action] + self.bounds[other])
            for other, value in self.options.items()
            if other != self.action
        )


class _Trace:
    """Which hands a play comes through, which dealer probabilities it needs, and how many cards it takes."""

    def __init__(self, play: StartPlay) -> None:
        self._play = play
        self._counts = np.array(play.analysis.shoe.counts, dtype=np.int64)
        self._rows = play.analysis.values.dealer.removals.rows
        size = play.analysis.terms.legal.n_states
        self.needed = np.zeros(len(play.analysis.values.dealer.removals.removed), dtype=np.uint8)
        self.most_cards = 2
        self.unsplit = np.zeros(size, dtype=np.uint8)
        self.after_split: dict[int, NDArray[np.uint8]] = {}

    def hands(self, actions: dict[int, str]) -> None:
        """Follow these actions of these hands before a split."""
        play = self._play.unsplit.copy()
        reached = np.zeros_like(play)
        for hand, action in actions.items():
            play[hand], reached[hand] = NUMBER[action], 1
        self._reach(play, 0, 0, reached)
        for hand in actions:
            reached[hand] = 0  # its decision is the root's own
        self.unsplit |= reached

    def split_hand(self, pair: int, extra: int, hand: int, action: str | None = None) -> None:
        """Follow an action, or the play if none is given, of a hand of a split."""
        play = self._play.after_split(pair)
        if action is not None:
            play = play.copy()
            play[hand] = NUMBER[action]
        reached = np.zeros_like(play)
        reached[hand] = 1
        self._reach(play, pair, extra, reached)
        self.after_split[pair] = self.after_split.get(pair, np.zeros_like(play)) | reached

    def split(self, pair: int) -> None:
        """Follow every hand of a split."""
        play, counts, legal = self._play.after_split(pair), self._counts, self._play.analysis.terms.legal
        hands = player_hands()
        union = np.zeros_like(play)
        for extra in range(1, self._play.analysis.terms.extras[pair] + 1):
            reached = np.zeros_like(play)
            for second in range(N_VALUES):
                if counts[second] > (extra + 1 if second == pair else 0) and counts[pair] > extra:
                    hand = hands.two_cards[pair, second]
                    reached[hand] = 1
                    if pair in legal.free_pairs and legal.free_level is not None:
                        reached[hand + legal.free_level * hands.graph.size] = 1
            self._reach(play, pair, extra, reached)
            union |= reached
        self.after_split[pair] = self.after_split.get(pair, np.zeros_like(play)) | union

    def _reach(self, play: NDArray[np.uint8], pair: int, extra: int, reached: NDArray[np.uint8]) -> None:
        graph, terms = player_hands().graph, self._play.analysis.terms
        levels = self._rows[pair, extra], terms.moves, terms.legal.free_doubles
        most = reach(graph, play, self._counts, pair, extra, *levels, reached, self.needed)
        self.most_cards = max(self.most_cards, most)


class StartPlay:
    """The play against one dealer start: found in doubles, settled exactly where doubles cannot tell.

    Attributes:
        analysis: the start in doubles.
        roots: the hands from which it is followed.
        unsplit: by hand, and level (`Legal.levels`), the number of its action, before a split.
        settled: the close decisions that were settled exactly.
    """

    def __init__(
        self,
        analysis: StartAnalysis,
        roots: list[Root],
        limit: int = LARGEST_PRIME_BELOW,
        fixed: StartTable | None = None,
    ) -> None:
        """Find the play and settle its close decisions, with primes below `limit`; or take a fixed play as it is."""
        self.analysis, self.roots, self._limit = analysis, roots, limit
        self._after_split: dict[int, NDArray[np.uint8]] = {}
        # Standing or hitting where a class plays a hand again that it may no longer double.
        self._instead_of_double: dict[int, str] = {}
        self.settled: list[CloseDecision] = []
        if fixed is not None:
            legal = analysis.terms.legal
            self.unsplit = fixed.states(legal)
            self._after_split.update({pair: fixed.states(legal, pair) for pair in fixed.after_split})
            return
        self.unsplit = analysis.values.play.copy()
        # Every amendment is final once the hands that it leads to are: the loop ends.
        while self._settle():
            pass

    def after_split(self, pair: int) -> NDArray[np.uint8]:
        """Return the play of the hands of a split, by hand."""
        if pair not in self._after_split:
            may = self.analysis.terms.legal.states(pair)
            play = self.analysis.split(pair).play.copy()
            if self.analysis.split_class != "cdp1":
                changed = self.unsplit != self.analysis.values.play
                play[changed] = self.unsplit[changed]
                for hand, action in self._instead_of_double.items():
                    if self.unsplit[hand] == DOUBLE and not may[hand] >> DOUBLE & 1:
                        play[hand] = NUMBER[action]
                play[(play == HIT) & (may >> HIT & 1 == 0)] = STAND
            self._after_split[pair] = play
        return self._after_split[pair]

    def table(self) -> StartTable:
        """Return the play as a table; of splits, those that following it from its roots has come to."""
        first = {(root.hand, root.pair is not None): root.action for root in self.roots if root.split_card is None}
        return StartTable.of_states(self.analysis.start.cards, first, self.unsplit, self._after_split)

    def trace(self, decisions: Sequence[_Decision] = ()) -> _Trace:
        """Follow the play from its roots, and every action of some decisions."""
        trace = _Trace(self)
        # Like and unlike tens are one hand with two decisions, which cannot be followed at once.
        batches: list[dict[int, str]] = [{}]
        for root in self.roots:
            if root.split_card is None and root.action in _PLAYED and not root.every_action:
                if root.hand in batches[0]:
                    batches.append({root.hand: root.action})
                else:
                    batches[0][root.hand] = root.action
        for batch in batches:
            trace.hands(batch)
        for root in self.roots:
            for action in root.actions:
                if root.split_card is not None:
                    trace.split_hand(root.split_card, root.extra, root.hand, action)
                elif action == "split" and root.pair is not None:
                    trace.split(root.pair)
                elif action in _PLAYED and root.every_action:
                    trace.hands({root.hand: action})
        for decision in decisions:
            for action in decision.options:
                decision.trace(trace, action)
        return trace

    def decisions(self, within: float) -> Iterator[_Decision]:
        """Yield every decision that the play comes to from its roots and that is as close as that, and some more."""
        analysis, legal = self.analysis, self.analysis.terms.legal
        trace = self.trace()
        unit = rounding_bound(analysis.start, analysis.terms)
        values = analysis.values.values
        raised = analysis.terms.most_units
        bounds = {"stand": unit, "hit": unit, "double": raised * unit, "surrender": 16 * raised * _UNIT_ROUNDOFF}
        if legal.levels:  # of hands that may be raised later, or were
            bounds |= {"stand": raised * unit, "hit": raised * unit}
        for root in self.roots:
            if root.split_card is None and len(root.options) > 1:
                yield self._first(root, bounds)
        reached = trace.unsplit.copy()
        for pair, hands in trace.after_split.items():
            if analysis.split_class == "cdp1":
                yield from self._reoptimised(pair, hands, bounds, within)
            else:
                reached |= hands
        for hand, actions in _close_hands(reached, legal.states(), values, analysis.values.offered, within):
            options = {action: float(values[ROW[action], hand]) for action in actions}
            yield self._before_split(hand, options, bounds, ACTIONS[self.unsplit[hand]], self._amend_unsplit)
            if self.unsplit[hand] == DOUBLE and "hit" in options:
                options = {action: options[action] for action in ("stand", "hit")}
                instead = self._instead_of_double.get(hand) or (
                    "hit" if options["hit"] > options["stand"] + TIE else "stand"
                )
                yield self._before_split(hand, options, bounds, instead, self._amend_instead)

    def _first(self, root: Root, bounds: dict[str, float]) -> _Decision:
        def amend(action: str) -> None:
            root.action = action

        def follow(trace: _Trace, action: str) -> None:
            if action == "split" and root.pair is not None:
                trace.split(root.pair)
            elif action in _PLAYED:
                trace.hands({root.hand: action})

        if "split" in root.options and root.pair is not None:
            bounds = {**bounds, "split": split_bound(self.analysis, root.pair)}
        return _Decision(
            root.hand,
            root.label,
            root.options,
            bounds,
            root.action,
            None,
            lambda at, action: at.joint_value(root.hand, action, root.pair, root.rank),
            follow,
            amend,
        )

    def _before_split(
        self,
        hand: int,
        options: dict[str, float],
        bounds: dict[str, float],
        action: str,
        amend: Callable[[int, str], None],
    ) -> _Decision:
        return _Decision(
            hand,
            self._free_name(hand),
            dict(options),
            bounds,
            action,
            None,
            lambda at, action: at.joint_value(hand, action),
            lambda trace, action: trace.hands({hand: action}),
            lambda action: amend(hand, action),
        )

    def _reoptimised(
        self, pair: int, hands: NDArray[np.uint8], bounds: dict[str, float], within: float
    ) -> Iterator[_Decision]:
        """Yield the decisions of a split whose play looks at its own shoe, that of one further pair card."""
        values = split_hands(self.analysis.values, pair, self.analysis.split_class).rows[1]
        play, may = self.after_split(pair), self.analysis.terms.legal.states(pair)
        for hand, actions in _close_hands(hands, may, values, self.analysis.values.offered, within):

            def amend(action: str, hand: int = hand) -> None:
                play[hand] = NUMBER[action]

            def exact_value(at: FollowedStart, action: str, hand: int = hand) -> Any:
                return at.split_hand(pair, 1, hand, action)

            def follow(trace: _Trace, action: str, hand: int = hand) -> None:
                trace.split_hand(pair, 1, hand, action)

            yield _Decision(
                hand,
                self._free_name(hand),
                {action: float(values[ROW[action], hand]) for action in actions},
                bounds,
                ACTIONS[play[hand]],
                pair,
                exact_value,
                follow,
                amend,
            )

    def _free_name(self, hand: int) -> str | None:
        """Return the name of a hand of free money; None if it is another."""
        level, cards = divmod(hand, player_hands().graph.size)
        if level == 0 or level != self.analysis.terms.legal.free_level:
            return None
        return f"{format_values(player_hands().values(cards))} with free money"

    def _amend_unsplit(self, hand: int, action: str) -> None:
        self.unsplit[hand] = NUMBER[action]
        if self.analysis.split_class != "cdp1":
            self._after_split.clear()

    def _amend_instead(self, hand: int, action: str) -> None:
        self._instead_of_double[hand] = action
        self._after_split.clear()

    def _settle(self) -> bool:
        """Settle every close decision exactly; return whether one of them was changed."""
        unit = rounding_bound(self.analysis.start, self.analysis.terms)
        close = [decision for decision in self.decisions(max(TIE, 3 * unit)) if decision.close]
        self.settled = []
        if not close:
            return False
        names = [(decision, action) for decision in close for action in decision.options]
        exact = self.fractions(
            lambda at: [decision.exact_value(at, action) for decision, action in names], self.trace(close)
        )
        changed = False
        for decision in close:
            values = {action: value for (of, action), value in zip(names, exact, strict=True) if of is decision}
            best, other = sorted(values, key=lambda action: (-values[action], ACTIONS.index(action)))[:2]
            if best != decision.action:
                decision.amend(best)
                changed = True
            self.settled.append(
                CloseDecision(
                    decision.label,
                    self.analysis.start.label,
                    best,
                    other,
                    float(values[best] - values[other]),
                    None if decision.split_card is None else RANKS[decision.split_card],
                    values[best] - values[other],
                )
            )
        return changed

    def fractions(
        self, compute: Callable[[FollowedStart], Sequence[Any]], trace: _Trace | None = None
    ) -> list[Fraction]:
        """Return some values under the play as fractions.

        Args:
            compute: returns the values, given the start in residues; each a sum of terms that take no more cards than
                the trace has seen, its size at most `net_bound`.
            trace: what following the play takes; the play from its roots if left out.
        """
        terms, trace = self.analysis.terms, self.trace() if trace is None else trace
        denominator = self.denominator(trace)
        primes = enough_primes(denominator, net_bound(terms.pays, terms.legal.most_hands), self._limit)
        table = self.table()
        rows = [
            [value.value for value in compute(FollowedStart(self.analysis, table, Residues(p), trace.needed))]
            for p in primes
        ]
        return [lift(residues, primes, denominator) for residues in zip(*rows, strict=True)]

    def denominator(self, trace: _Trace) -> int:
        """Return a common denominator of all values under the play; see the head of this module."""
        shoe, start, terms = self.analysis.shoe, self.analysis.start, self.analysis.terms
        # One card more where a blackjack's probability stands in for the dealer's draws, and one to spare.
        cards = trace.most_cards + max(terms.trie(start).max_depth, 1) + 1
        pairs = [(root.pair, root.rank) for root in self.roots if root.pair is not None]
        ranks = lcm(*(rank_ways(shoe, terms.legal, pair, rank) for pair, rank in pairs), 1)
        if terms.legal.like_tens and shoe.ten_ranks is not None:
            ranks *= max(sum(shoe.ten_ranks) * (sum(shoe.ten_ranks) - shoe.step), 1)
        return terms.pays.mean_unit * ranks * shoe.denominator(cards)


def _close_hands(
    reached: NDArray[np.uint8], may: NDArray[np.uint8], values: NDArray[Any], given: NDArray[np.bool_], within: float
) -> Iterator[tuple[int, list[str]]]:
    """Yield the hands reached of whose legal actions two come as close as that, and these actions."""
    rows = {STAND: values[STAND], HIT: values[HIT], DOUBLE: values[DOUBLE]}
    if given.any():
        rows[SURRENDER] = values[GIVEN_ROW]
    may = np.where(given, may, may & 255 - (1 << SURRENDER))
    gap = np.full(len(may), np.inf)
    for action, other in combinations(rows, 2):
        both = (may >> action & 1 != 0) & (may >> other & 1 != 0)
        gap = np.where(both, np.minimum(gap, np.abs(rows[action] - rows[other])), gap)
    for hand in np.flatnonzero((reached != 0) & (gap <= within)).tolist():
        yield hand, [ACTIONS[action] for action in rows if may[hand] >> action & 1]
