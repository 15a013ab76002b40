"""One whole round: every deal against every dealer start, the house edge and the RTP."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from math import fsum
from typing import TYPE_CHECKING, Any

import numpy as np

from odds._kernel import TIE
from odds.engine.dealer import dealer_starts, parse_dealer, remove_start, start_probability
from odds.engine.decisions import (
    ACTIONS,
    DEFAULT_SPLIT_CLASS,
    FULL,
    GIVEN,
    HandResult,
    StartAnalysis,
    check_split_class,
    hand_result,
    insurance_ev,
    parse_player,
    refuse_full,
    situation,
    stands_by_itself,
    surrender_offered,
)
from odds.engine.full import solve
from odds.engine.hands import ACE, N_VALUES, TEN, player_hands
from odds.engine.play import FollowedStart, StartTable
from odds.engine.player import DOUBLE_ROW, HIT_ROW, STAND_ROW, blackjack_value, doubles, tied_blackjack
from odds.engine.splitting import hands_of_split, like_tens, shoe_can_run_out
from odds.engine.together import evaluate_together
from odds.errors import ShoeError
from odds.game.cards import RANKS
from odds.game.shoe import Shoe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from odds.game.rules import Rules
    from odds.results.exact import ExactRound
    from odds.results.outcomes import Outcomes


@dataclass(frozen=True, slots=True)
class FirstHand:
    """Two cards that the player may be dealt, in either order.

    Attributes:
        values: value indexes, ascending.
        pair: the value if they may be split as far as their ranks go, else None.
        label: `A,7`; where only like tens split, `T,T` are like tens and `K,Q` unlike ones.
        ways: ordered deals, of N (N - 1) in a shoe of N cards; a fraction where the ranks of tens matter.
        index: in the graph of hands.
    """

    values: tuple[int, int]
    pair: int | None
    label: str
    ways: Fraction
    index: int


def first_hands(shoe: Shoe, rules: Rules) -> Iterator[FirstHand]:
    """Yield every two-card hand that a shoe can deal, in the order of the cards."""
    for kind in _two_cards(rules.split_by == "rank" and rules.max_hands > 1):
        ways = kind.ways(shoe)
        if ways:
            yield FirstHand(kind.values, kind.pair, kind.label, ways, kind.index)


@dataclass(frozen=True, slots=True)
class _TwoCards:
    """A kind of two-card hands: as `FirstHand`, in any shoe.

    Attributes:
        like: True for like tens, False for unlike ones, None where ranks do not matter.
    """

    values: tuple[int, int]
    pair: int | None
    label: str
    index: int
    like: bool | None

    @property
    def over(self) -> bool:
        """Whether the hand is a blackjack."""
        return self.values == (ACE, TEN)

    def ways(self, shoe: Shoe) -> Fraction:
        """Return the ordered deals of a shoe."""
        a, b = self.values
        n, m = shoe.counts[a], shoe.counts[b]
        if self.like is None:
            return Fraction(n * (n - 1) if a == b else 2 * n * m)
        if n < 2:
            return Fraction(0)
        return n * (n - 1) * (like_tens(shoe) if self.like else 1 - like_tens(shoe))


@cache
def _two_cards(tell_tens: bool) -> tuple[_TwoCards, ...]:
    """Return every kind of two-card hands, in the order of the cards."""
    pairs = player_hands().pairs
    kinds = []
    for a in range(N_VALUES):
        for b in range(a, N_VALUES):
            label, index = f"{RANKS[a]},{RANKS[b]}", int(pairs[a, b])
            if a == b == TEN and tell_tens:
                kinds.append(_TwoCards((a, b), a, label, index, True))
                kinds.append(_TwoCards((a, b), None, "K,Q", index, False))
            else:
                kinds.append(_TwoCards((a, b), a if a == b else None, label, index, None))
    return tuple(kinds)


@dataclass(frozen=True, slots=True)
class FirstDecision:
    """A two-card hand against one dealer start.

    Attributes:
        hand: the hand.
        probability: of the hand, given the dealer's start.
        p_blackjack: probability of a hidden dealer blackjack, given both.
        joint: value of each legal action on the joint scale of `StartValues`; empty where the round is over.
        action: what is played; `stand` where the round is over.
        ev: expected net result of the round, given both, dealer blackjacks included.
        wager: expected units wagered, given both.
    """

    hand: FirstHand
    probability: float
    p_blackjack: float
    joint: Mapping[str, float]
    action: str
    ev: float
    wager: float


@dataclass(frozen=True)
class StartResult:
    """All rounds of one dealer start.

    Attributes:
        start: `T`, or `A,T` for an exposed dealer, which covers both orders.
        probability: of this start.
        ev: expected net result of a round, given this start, dealer blackjacks included.
        average_wager: expected units wagered, given this start.
    """

    start: str
    probability: float
    ev: float
    average_wager: float
    _deals: _Deals = field(repr=False, compare=False)
    _number: int = field(repr=False, compare=False)

    @cached_property
    def decisions(self) -> tuple[FirstDecision, ...]:
        """The decisions of the two-card hands that the shoe can deal, in the order of the cards."""
        return tuple(self._deals.decisions(self._number))


@dataclass(frozen=True, slots=True)
class InsuranceResult:
    """Insurance as a bet of its own, against an ace.

    Attributes:
        ev: expected net result per unit insured, only the ace seen.
        by_tens: the same with two of the player's cards seen, by the number of ten-valued cards among them.
    """

    ev: Fraction
    by_tens: Mapping[int, Fraction]

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON takes it."""
        return {
            "ev": float(self.ev),
            "per": "unit insured",
            "by_tens_in_hand": {str(n): float(ev) for n, ev in self.by_tens.items()},
        }


@dataclass(frozen=True, slots=True)
class RoundResult:
    """The odds of a whole round, the first of a freshly shuffled shoe.

    Attributes:
        rules: the rules.
        shoe: the shoe before the deal.
        play: how the hands are played; `composition` is the best play for the exact cards of a hand.
        split_class: how the hands of a split are played.
        ev: expected net result of a round in initial wagers.
        average_wager: expected units wagered in a round, a unit being the initial wager. A wager counts when it is
            placed, even if it is returned; a round that a peek ends counts 1; insurance and side bets are not in it.
        by_start: the dealer's starts, in the order of the ranks.
        insurance: insurance, where it is offered.
        shoe_can_run_out: the shoe might run out within a round. Splits are not exact then; a dealer who cannot draw
            counts as bust, and a player who cannot draw stands.
        fixed_play: the play that was followed, where it was given; None where it was found.
    """

    rules: Rules
    shoe: Shoe
    play: str
    split_class: str
    ev: float
    average_wager: float
    by_start: tuple[StartResult, ...] = field(repr=False)
    insurance: InsuranceResult | None
    shoe_can_run_out: bool
    _analyses: Mapping[tuple[int, ...], StartAnalysis] = field(repr=False, compare=False)
    fixed_play: Mapping[tuple[int, ...], StartTable] | None = field(default=None, repr=False, compare=False)

    @property
    def rtp(self) -> float:
        """Return to player, 1 + EV: what a round gives back of the initial wager."""
        return 1.0 + self.ev

    @property
    def house_edge(self) -> float:
        """The house edge, -EV, per initial wager."""
        return -self.ev

    @property
    def ev_per_total_wager(self) -> float:
        """EV divided by the average wager, also called the element of risk with its sign turned."""
        return self.ev / self.average_wager

    def exact(self) -> ExactRound:
        """Return the round as fractions, under a play certified to be the best of its class.

        Raises:
            ShoeError: the shoe might run out.
        """
        from odds.results.exact import exact_round

        return exact_round(self)

    def outcomes(self) -> Outcomes:
        """Return the probability of every net result of a round, variance and frequencies.

        Raises:
            ShoeError: the shoe might run out.
        """
        from odds.results.outcomes import outcomes

        return outcomes(self)

    def analysis(self, dealer: str) -> StartAnalysis:
        """Return the analysis of a dealer start, such as `T` or `A,T`."""
        start = parse_dealer(dealer, self.rules)
        if start.cards in self._analyses:
            return self._analyses[start.cards]
        return StartAnalysis(start, remove_start(self.shoe, start), self.rules, self.split_class)

    def tables(self) -> dict[tuple[int, ...], StartTable]:
        """Return the play as tables, by the dealer's cards; starts that end the round at once have none.

        Raises:
            OddsError: the split class is `full`: what a hand of a split does then depends on the other hand too.
        """
        refuse_full(self.split_class, "the play as tables")
        if self.fixed_play is not None:
            return dict(self.fixed_play)
        return {
            analysis.start.cards: _table(analysis, start)
            for start in self.by_start
            if not (analysis := self.analysis(start.start)).start.is_blackjack
        }

    def hand(self, player: str, dealer: str) -> HandResult:
        """Return what each action is worth for a hand of two or more cards.

        Args:
            player: the hand, such as `8,8` or `T,4,2`.
            dealer: the upcard, or both cards of an exposed dealer.

        Returns:
            Values in initial wagers; where the dealer peeks, given that he has no blackjack.

        Raises:
            HandError: a hand cannot be read or is over 21.
            ShoeError: the shoe does not hold the cards.
        """
        return hand_result(situation(self.analysis(dealer), parse_player(player)))

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row for each two-card hand and dealer start, for pandas or polars.

        Columns: `dealer`, `player`, `probability` (of both), `best`, `ev` (of the round, dealer blackjacks included),
        `p_dealer_blackjack` (hidden, given both), `given_no_dealer_blackjack`, and the values of `stand`, `hit`,
        `double`, `split`, `surrender` as in `HandResult.actions`, None where an action is not legal.
        """
        rows = []
        for start in self.by_start:
            for decision in start.decisions:
                result = self.hand(decision.hand.label, start.start)
                rows.append(
                    {
                        "dealer": start.start,
                        "player": decision.hand.label,
                        "probability": start.probability * decision.probability,
                        "best": decision.action,
                        "ev": decision.ev,
                        "p_dealer_blackjack": decision.p_blackjack,
                        "given_no_dealer_blackjack": result.given_no_dealer_blackjack,
                        **{
                            action: result.actions.get(action)
                            for action in ("stand", "hit", "double", "split", "surrender")
                        },
                    }
                )
        return rows

    def to_dict(self) -> dict[str, Any]:
        """Return the result of the round as JSON takes it, without the hands (see `to_rows`)."""
        return {
            "rules": self.rules.to_dict(),
            "play": self.play,
            "split_class": self.split_class,
            "ev": self.ev,
            "rtp": self.rtp,
            "house_edge": self.house_edge,
            "average_wager": self.average_wager,
            "ev_per_total_wager": self.ev_per_total_wager,
            "by_upcard": [
                {"upcard": start.start, "probability": start.probability, "ev": start.ev} for start in self.by_start
            ],
            "insurance": None if self.insurance is None else self.insurance.to_dict(),
            "shoe_can_run_out": self.shoe_can_run_out,
        }


def analyze(
    rules: Rules,
    *,
    shoe: Shoe | None = None,
    split_class: str = DEFAULT_SPLIT_CLASS,
    progress: Callable[[float], None] | None = None,
    threads: int = 1,
) -> RoundResult:
    """Return the odds of a whole round under the best composition-dependent play.

    >>> from odds.game.rules import Rules
    >>> rules = Rules(decks=6, dealer_hits_soft_17=False, max_hands=4)
    >>> round(analyze(rules, split_class="cdz").ev, 13)
    -0.0040287023612

    Args:
        rules: the rules.
        shoe: the cards before the deal; `rules.decks` full decks if left out.
        split_class: how the hands of a split are played: `cdz`, `cdp1` or `full`.
        progress: called with the share that is done, from 0 to 1, where it takes long, as `full` does.
        threads: how many threads work on it; the results do not depend on it.

    Raises:
        RulesError: the split class is not known, or not for these rules.
        ShoeError: the shoe is too small for a deal, or does not tell tens apart where the rules need it.
        ValueError: fewer than one thread.
    """
    check_split_class(split_class, rules)
    if threads < 1:
        raise ValueError(f"threads: expected at least 1, got {threads}")
    return _whole_round(rules, shoe, "composition", split_class, None, progress, threads)


def follow(
    rules: Rules, tables: Mapping[tuple[int, ...], StartTable], *, play: str, shoe: Shoe | None = None
) -> RoundResult:
    """Return the odds of a whole round under a fixed play.

    Args:
        rules: the rules.
        tables: the play, by the dealer's cards; a table for every start that does not end the round at once.
        play: what the play is called.
        shoe: the cards before the deal; `rules.decks` full decks if left out.

    Raises:
        ShoeError: the shoe is too small for a deal, or does not tell tens apart where the rules need it.
    """
    return _whole_round(rules, shoe, play, GIVEN, tables)


def _whole_round(
    rules: Rules,
    shoe: Shoe | None,
    play: str,
    split_class: str,
    tables: Mapping[tuple[int, ...], StartTable] | None,
    progress: Callable[[float], None] | None = None,
    threads: int = 1,
) -> RoundResult:
    full = rules.shoe() if shoe is None else shoe
    if full.total < 4:
        raise ShoeError(f"expected a shoe of at least 4 cards to deal a round from, got {full.total}")
    analyses: dict[tuple[int, ...], StartAnalysis] = {}
    probabilities = []
    for start in dealer_starts(rules):
        probability = start_probability(start, full)
        if not probability:
            continue
        analysis = StartAnalysis(start, remove_start(full, start), rules, split_class)
        if tables is not None and not start.is_blackjack:
            analysis = FollowedStart(analysis, tables[start.cards])
        analyses[start.cards] = analysis
        probabilities.append(float(probability))
    played = [analysis for analysis in analyses.values() if not analysis.start.is_blackjack]
    together = evaluate_together(
        [(analysis.start, analysis.shoe) for analysis in played],
        rules,
        None if split_class == FULL else split_class,
        tables,
        threads,
    )
    for analysis, known in zip(played, together, strict=True):
        analysis.know_values(known.values)
        for pair, split in known.splits.items():
            analysis.know_split(pair, split)
    if split_class == FULL:
        for analysis, pair, split in solve(analyses.values(), progress, threads):
            analysis.know_split(pair, split)
    results = _Deals(list(analyses.values()), rules).results(probabilities)
    return RoundResult(
        rules,
        full,
        play,
        split_class,
        fsum(start.probability * start.ev for start in results),
        fsum(start.probability * start.average_wager for start in results),
        tuple(results),
        _insurance(full, rules),
        shoe_can_run_out(full.counts, rules),
        analyses,
        tables,
    )


def _table(analysis: StartAnalysis, start: StartResult) -> StartTable:
    """Return the best play against one dealer start as a table."""
    first = {(d.hand.index, d.hand.pair is not None): d.action for d in start.decisions if d.joint}
    pairs = {d.hand.pair for d in start.decisions if d.action == "split" and d.hand.pair is not None}
    after_split = {pair: np.ascontiguousarray(analysis.split(pair).play) for pair in sorted(pairs)}
    return StartTable(analysis.start.cards, first, np.ascontiguousarray(analysis.values.play), after_split)


@dataclass(frozen=True, slots=True)
class _Layout:
    """Every kind of two-card hands under some rules, in arrays; nothing of a shoe.

    Attributes:
        kinds: the kinds.
        hands: their indexes.
        first: value index of the first card.
        second: value index of the second card.
        over: which are blackjacks.
        draws: which may be hit.
        doubles: which may be doubled.
        splits: which may be split, with the value of the pair.
    """

    kinds: tuple[_TwoCards, ...]
    hands: NDArray[np.int32]
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    over: NDArray[np.bool_]
    draws: NDArray[np.bool_]
    doubles: NDArray[np.bool_]
    splits: tuple[tuple[int, int], ...]


@lru_cache(maxsize=64)
def _layout(rules: Rules) -> _Layout:
    kinds = _two_cards(rules.split_by == "rank" and rules.max_hands > 1)
    hands = np.array([kind.index for kind in kinds], dtype=np.int32)
    draws = np.array([not stands_by_itself(kind.index, rules) for kind in kinds])
    return _Layout(
        kinds,
        hands,
        np.array([kind.values[0] for kind in kinds]),
        np.array([kind.values[1] for kind in kinds]),
        np.array([kind.over for kind in kinds]),
        draws,
        draws & (doubles(rules)[hands] != 0),
        tuple(
            (place, kind.pair)
            for place, kind in enumerate(kinds)
            if kind.pair is not None and hands_of_split(rules, kind.pair) > 1
        ),
    )


class _Deals:
    """Every two-card hand against some dealer starts: what it is worth, in arrays by start and kind of two-card hands.

    The same as `hand_in_round` says of one hand, for all of them at once and in doubles.
    """

    def __init__(self, analyses: Sequence[StartAnalysis], rules: Rules) -> None:
        self.analyses, self.layout = analyses, _layout(rules)
        self.probability = _shares(self.layout, [analysis.shoe for analysis in analyses])
        shape = self.probability.shape
        self.p_blackjack = np.zeros(shape)
        self.joint = np.full((len(ACTIONS), *shape), -np.inf)
        self.action = np.zeros(shape, dtype=np.intp)
        over_at_once = np.array([analysis.start.is_blackjack for analysis in analyses])[:, None]
        self.over = self.layout.over | over_at_once
        self._value()
        self._choose()
        self.action[self.over] = 0
        p = self.p_blackjack
        joint = np.take_along_axis(self.joint, self.action[None], axis=0)[0]
        once = np.array([analysis.start.blackjack_costs_once for analysis in analyses])[:, None]
        self.ev = np.where(self.layout.over, blackjack_value(rules, p), np.where(once, joint - p, joint))
        lost = np.where(self.layout.over, float(tied_blackjack(rules)), -1.0)
        self.ev = np.where(over_at_once, lost, self.ev)
        # A round that a peek ends has one unit wagered.
        peeked = np.where(np.array([analysis.start.peeks for analysis in analyses])[:, None], p, 0.0)
        self.wager = np.where(self.action == _DOUBLE, 2.0 - peeked, 1.0)
        for place, pair in self.layout.splits:
            for number in np.flatnonzero((self.action[:, place] == _SPLIT) & (self.probability[:, place] > 0)).tolist():
                self.wager[number, place] = analyses[number].split(pair).wager + peeked[number, place]

    def _value(self) -> None:
        """Fill the values of the legal actions, on the joint scale."""
        layout = self.layout
        played = [number for number, analysis in enumerate(self.analyses) if not analysis.start.is_blackjack]
        if not played:
            return
        rows = np.stack([self.analyses[number].values.values[:, layout.hands] for number in played], axis=1)
        stand, hit, double, split, surrender = self.joint
        stand[played] = rows[STAND_ROW]
        hit[played] = np.where(layout.draws, rows[HIT_ROW], -np.inf)
        double[played] = np.where(layout.doubles, rows[DOUBLE_ROW], -np.inf)
        for place, pair in layout.splits:
            for number in played:
                if self.probability[number, place]:
                    split[number, place] = self.analyses[number].split(pair).value
        for number in played:
            analysis = self.analyses[number]
            if analysis.start.hidden_blackjack >= 0:
                self.p_blackjack[number] = analysis.values.p_blackjacks(layout.hands)
            if surrender_offered(analysis.rules, analysis.start) != "none":
                surrender[number] = analysis.surrender_value(self.p_blackjack[number])

    def _choose(self) -> None:
        """Choose the best action of each hand, or the one of the play that is followed."""
        best = self.joint[0]
        for action, values in enumerate(self.joint[1:], 1):
            # Ties go to the first action, as in `best_action`.
            better = values > best + TIE
            self.action[better] = action
            best = np.where(better, values, best)
        for number, analysis in enumerate(self.analyses):
            if isinstance(analysis, FollowedStart):
                for place, kind in enumerate(self.layout.kinds):
                    if self.probability[number, place] and not self.over[number, place]:
                        played = analysis.table.first[kind.index, kind.pair is not None]
                        self.action[number, place] = ACTIONS.index(played)

    def decisions(self, number: int) -> Iterator[FirstDecision]:
        """Yield the decision of each hand that the shoe can deal against a start."""
        shoe = self.analyses[number].shoe
        for place in np.flatnonzero(self.probability[number]).tolist():
            kind = self.layout.kinds[place]
            joint = {
                action: value
                for action, value in zip(ACTIONS, self.joint[:, number, place].tolist(), strict=True)
                if value != -np.inf
            }
            yield FirstDecision(
                FirstHand(kind.values, kind.pair, kind.label, kind.ways(shoe), kind.index),
                float(self.probability[number, place]),
                float(self.p_blackjack[number, place]),
                {} if self.over[number, place] else joint,
                ACTIONS[self.action[number, place]],
                float(self.ev[number, place]),
                float(self.wager[number, place]),
            )

    def results(self, probabilities: Sequence[float]) -> list[StartResult]:
        """Return the results of the starts, given the probability of each."""
        ev, wager = (self.probability * self.ev).tolist(), (self.probability * self.wager).tolist()
        return [
            StartResult(
                analysis.start.label, probabilities[number], fsum(ev[number]), fsum(wager[number]), self, number
            )
            for number, analysis in enumerate(self.analyses)
        ]


_DOUBLE, _SPLIT = ACTIONS.index("double"), ACTIONS.index("split")


def _shares(layout: _Layout, shoes: Sequence[Shoe]) -> NDArray[np.float64]:
    """Return the probability of each kind of two-card hands, by shoe."""
    counts = np.array([shoe.counts for shoe in shoes], dtype=np.int64)
    total = counts.sum(axis=1, keepdims=True)
    n, m = counts[:, layout.first], counts[:, layout.second]
    shares: NDArray[np.float64] = np.where(layout.first == layout.second, n * (n - 1), 2 * n * m) / (
        total * (total - 1)
    )
    for place, kind in enumerate(layout.kinds):
        if kind.like is not None:
            shares[:, place] = [float(kind.ways(shoe) / (shoe.total * (shoe.total - 1))) for shoe in shoes]
    return shares


def round_is_over(analysis: StartAnalysis, hand: FirstHand) -> bool:
    """Return whether the deal ends the round: the player, or an exposed dealer, has a blackjack."""
    return analysis.start.is_blackjack or hand.values == (ACE, TEN)


def hand_in_round(analysis: StartAnalysis, hand: FirstHand, action: str) -> tuple[Any, Any]:
    """Return the expected net result of the round and the expected units wagered, in the analysis' number system.

    Args:
        analysis: the dealer start.
        hand: the player's first two cards.
        action: what is played with them; not looked at where the round is over.
    """
    ratio, start = analysis.arithmetic.ratio, analysis.start
    if start.is_blackjack:
        tie = tied_blackjack(analysis.rules)
        return ratio(tie.numerator, tie.denominator) if hand.values == (ACE, TEN) else ratio(-1, 1), ratio(1, 1)
    at = analysis.values
    p = at.p_blackjack(hand.index)
    if hand.values == (ACE, TEN):
        return at.blackjack_value(p), ratio(1, 1)
    joint = analysis.joint_value(hand.index, action, hand.pair)
    ev = joint - p if start.blackjack_costs_once else joint
    # A round that a peek ends has one unit wagered.
    if action == "double":
        return ev, 2 - p if start.peeks else ratio(2, 1)
    if action == "split" and hand.pair is not None:
        wager = analysis.split(hand.pair).wager
        return ev, wager + p if start.peeks else wager
    return ev, ratio(1, 1)


def _insurance(shoe: Shoe, rules: Rules) -> InsuranceResult | None:
    """Return insurance against an ace from a full shoe, None where it is not offered or an ace cannot be up."""
    if rules.insurance != "ace" or rules.hole_card == "exposed" or not shoe.counts[ACE]:
        return None
    left = shoe.without([ACE])
    tens = left.counts[TEN]
    by_tens = {
        n: Fraction(tens - n, left.total - 2) * (rules.insurance_pays + 1) - 1
        for n in range(3)
        if n <= tens and 2 - n <= left.total - tens
    }
    return InsuranceResult(insurance_ev(left, rules), by_tens)
