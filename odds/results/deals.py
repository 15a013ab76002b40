"""The deals of a round: every two-card hand against some dealer starts, what is played and what it is worth."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations_with_replacement
from math import fsum
from typing import TYPE_CHECKING, Any

import numpy as np

from odds._kernel import DOUBLE_MORE_ROW, HIT_MORE_ROW, TIE
from odds.engine.actions import ACTIONS, DOUBLE, HIT, NUMBER, SPLIT, STAND, SURRENDER
from odds.engine.dealer import remove_start
from odds.engine.hands import ACE, N_VALUES, TEN, player_hands
from odds.engine.play import StartTable
from odds.engine.split_classes import play_facts, refuse_full
from odds.engine.start import FollowedStart, StartAnalysis
from odds.engine.tens import like_tens
from odds.engine.terms import two_hands
from odds.game.cards import RANKS
from odds.game.subject import rules_facts
from odds.shown import Shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from odds.engine.legal import Legal
    from odds.engine.terms import Terms
    from odds.game.rules import Rules
    from odds.game.shoe import Shoe


@dataclass(frozen=True, slots=True)
class TwoCards:
    """Two cards that the player may be dealt, in either order, from whatever shoe.

    Attributes:
        values: value indexes, ascending.
        pair: the value if they may be split as far as their ranks go, else None.
        label: `A,7`; where only like tens split, `T,T` are like tens and `K,Q` unlike ones.
        index: in the graph of hands.
        like: True for like tens, False for unlike ones, None where ranks do not matter.
    """

    values: tuple[int, int]
    pair: int | None
    label: str
    index: int
    like: bool | None

    def dealt_from(self, shoe: Shoe) -> FirstHand:
        """Return the hand as a shoe can deal it."""
        a, b = self.values
        n, m = shoe.counts[a], shoe.counts[b]
        ways = Fraction(n * (n - shoe.step) if a == b else 2 * n * m)
        if self.like is not None and ways:
            ways *= like_tens(shoe) if self.like else 1 - like_tens(shoe)
        return FirstHand(self.values, self.pair, self.label, self.index, self.like, ways)


@dataclass(frozen=True, slots=True)
class FirstHand(TwoCards):
    """Two cards that the player may be dealt from some shoe.

    Attributes are those of `TwoCards`, and:
        ways: ordered deals, of N (N - 1) in a shoe of N cards; a fraction where the ranks of tens matter.
    """

    ways: Fraction


def first_hands(shoe: Shoe, legal: Legal) -> Iterator[FirstHand]:
    """Yield every two-card hand that a shoe can deal, in the order of the cards."""
    for kind in _two_cards(legal.like_tens and legal.splits):
        hand = kind.dealt_from(shoe)
        if hand.ways:
            yield hand


@cache
def _two_cards(tell_tens: bool) -> tuple[TwoCards, ...]:
    """Return every kind of two-card hands, in the order of the cards."""
    kinds = []
    for a, b in combinations_with_replacement(range(N_VALUES), 2):
        label, index = f"{RANKS[a]},{RANKS[b]}", int(player_hands().two_cards[a, b])
        if a == b == TEN and tell_tens:
            kinds.append(TwoCards((a, b), a, label, index, True))
            kinds.append(TwoCards((a, b), None, "K,Q", index, False))
        else:
            kinds.append(TwoCards((a, b), a if a == b else None, label, index, None))
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
        times: how many times its money the round has, as the play raises the wager when it sees the start; 1 where it
            does not. In `ev` and `average_wager`, but not in `decisions`.
    """

    start: str
    probability: float
    ev: float
    average_wager: float
    times: Fraction
    _deals: Deals | None = field(default=None, repr=False, compare=False)
    _number: int = field(default=0, repr=False, compare=False)

    @property
    def deals(self) -> Deals:
        """The two-card hands of this start and others.

        Raises:
            RulesError: there are two hands.
        """
        if self._deals is None:
            raise two_hands("what is asked for is")
        return self._deals

    @cached_property
    def decisions(self) -> tuple[FirstDecision, ...]:
        """The decisions of the two-card hands that the shoe can deal, in the order of the cards."""
        return tuple(self.deals.decisions(self._number))

    def tables(self) -> Iterator[tuple[tuple[int, ...], StartTable]]:
        """Yield the best play with the dealer's cards, unless the start ends the round at once."""
        return self.deals.tables([self._number])


@dataclass(frozen=True, slots=True)
class InsuranceResult:
    """Insurance as a bet of its own, against an ace or against a ten.

    Attributes:
        ev: expected net result per unit insured, only the upcard seen.
        by_tens: the same with the player's cards seen, two in each hand dealt to him, by the number of ten-valued cards
            among them; empty against a ten.
        by_aces: the same by the number of aces among them, against a ten; empty against an ace.
    """

    ev: Fraction
    by_tens: Mapping[int, Fraction]
    by_aces: Mapping[int, Fraction] = field(default_factory=dict)

    @property
    def by_needed(self) -> Mapping[int, Fraction]:
        """`ev` by the number of such cards in hand as make the dealer's blackjack: tens, or aces against a ten."""
        return self.by_tens or self.by_aces

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON takes it."""
        return {
            "ev": float(self.ev),
            "per": "unit insured",
            f"by_{'aces' if self.by_aces else 'tens'}_in_hand": {str(n): float(ev) for n, ev in self.by_needed.items()},
        }


def insurance_against(upcard: int, shoe: Shoe, terms: Terms) -> InsuranceResult | None:
    """Return insurance against an upcard from a full shoe, None where it is not offered or the card cannot be up."""
    if upcard not in terms.legal.insurance or not shoe.counts[upcard]:
        return None
    left, needed, cards = shoe.without([upcard]), TEN if upcard == ACE else ACE, 4 if terms.legal.switches else 2
    ways = left.counts[needed]
    seen = {
        n: insurance_ev(ways - n * left.step, left.total - cards * left.step, terms)
        for n in range(cards + 1)
        if n <= ways and cards - n <= left.total - ways
    }
    by_tens, by_aces = (seen, {}) if upcard == ACE else ({}, seen)
    return InsuranceResult(insurance_ev(ways, left.total, terms), by_tens, by_aces)


def raise_facts(raised: tuple[str, ...] | None) -> list[tuple[str, str]]:
    """Return against which starts to raise, as a fact; none where no rule lets one."""
    return [] if raised is None else [("Raise", f"against {' '.join(raised)}" if raised else "never")]


def insured_ten(found: InsuranceResult | None) -> dict[str, Any]:
    """Return insurance against a ten as JSON takes it, nothing where it is not offered."""
    return {} if found is None else {"insurance_against_ten": found.to_dict()}


def insurance_ev(ways: int, cards: int, terms: Terms) -> Fraction:
    """Return the expected net result per unit insured where so many of so many unseen cards make a blackjack."""
    return Fraction(ways, cards) * (terms.pays.insurance + 1) - 1


@dataclass(frozen=True, slots=True, repr=False)
class Round(Shown):
    """A whole round under some play, as `RoundResult` tells of it.

    Attributes are those of `RoundResult`.
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
    terms: Terms = field(repr=False, compare=False)
    _analyses: Mapping[tuple[int, ...], StartAnalysis] = field(repr=False, compare=False)
    fixed_play: Mapping[tuple[int, ...], StartTable] | None = field(default=None, repr=False, compare=False)

    def facts(self) -> list[tuple[str, ...]]:
        """Return what the round is worth, how it is played, and under which rules."""
        run_out = [("Splits", "not exact, as the shoe can run out")] if self.shoe_can_run_out else []
        return [
            ("EV", f"{self.ev:+.10f} {self.rules.round_units}"),
            ("RTP", f"{1 + self.ev:.5%}"),
            ("Average wager", f"{self.average_wager:.8f}"),
            *raise_facts(self.raised),
            *run_out,
            ("Numbers", "doubles", "exact() has fractions"),
            *self.setting(),
        ]

    def setting(self) -> list[tuple[str, ...]]:
        """Return the facts that other results of the round share: how it is played, and under which rules."""
        splits, looks = bool(self.terms.legal.splits), self.terms.looks
        played = play_facts(self.play, self.split_class, splits=splits, looks=looks)
        return [*played, *rules_facts(self.rules, self.shoe)]

    @property
    def raised(self) -> tuple[str, ...] | None:
        """The starts against which the play raises the wager, None where no rule lets it."""
        if self.terms.pays.raised == 1:
            return None
        return tuple(start.start for start in self.by_start if start.times > 1)

    @property
    def insurance_against_ten(self) -> InsuranceResult | None:
        """Insurance against a ten, where it is offered."""
        return insurance_against(TEN, self.shoe, self.terms)

    @property
    def declined_even_money(self) -> Fraction | None:
        """What a blackjack against an ace is worth where even money, which is 1, is offered for it; None elsewhere."""
        if not self.terms.legal.even_money or self.shoe.counts[ACE] < 2 or not self.shoe.counts[TEN]:
            return None
        left, pays = self.shoe.without([ACE, ACE, TEN]), self.terms.pays
        p = Fraction(left.counts[TEN], left.total)
        return pays.blackjack * (1 - p) + pays.tied_blackjack * p

    def analysis(self, dealer: str) -> StartAnalysis:
        """Return the analysis of a dealer start, such as `T` or `A,T`."""
        start = self.terms.dealer.parse(dealer)
        if start.cards in self._analyses:
            return self._analyses[start.cards]
        return StartAnalysis(start, remove_start(self.shoe, start), self.terms, self.split_class)

    def tables(self) -> dict[tuple[int, ...], StartTable]:
        """Return the play as tables, by the dealer's cards; starts that end the round at once have none.

        Raises:
            OddsError: the split class is `full`: what a hand of a split does then depends on the other hand too.
        """
        refuse_full(self.split_class, "the play as tables")
        if self.fixed_play is not None:
            return dict(self.fixed_play)
        return dict(table for start in self.by_start for table in start.tables())


class Deals:
    """Every two-card hand against some dealer starts: what it is worth, in arrays by start and kind of two-card hands.

    The same as `hand_in_round` says of one hand, for all of them at once and in doubles.
    """

    def __init__(self, analyses: Sequence[StartAnalysis], terms: Terms) -> None:
        self.analyses, self.terms = analyses, terms
        self.kinds = _two_cards(terms.legal.like_tens and terms.legal.splits)
        self._hands = np.array([kind.index for kind in self.kinds], dtype=np.int32)
        self.probability = _shares(self.kinds, [analysis.shoe for analysis in analyses])
        shape = self.probability.shape
        self.p_blackjack: NDArray[np.float64] = np.zeros(shape)
        self._more: dict[int, NDArray[np.float64]] = {}  # units added to the first, after some actions
        self.joint = np.full((len(ACTIONS), *shape), -np.inf)
        self.action = np.zeros(shape, dtype=np.intp)
        over_at_once = np.array([analysis.start.is_blackjack for analysis in analyses])[:, None]
        blackjack = self._hands == player_hands().two_cards[ACE, TEN]
        self.over = blackjack | over_at_once
        self._splits = [
            (place, kind.pair) for place, kind in enumerate(self.kinds) if kind.pair in terms.legal.split_pairs
        ]
        self._value()
        self._choose()
        self.action[self.over] = STAND
        p = self.p_blackjack
        joint = np.take_along_axis(self.joint, self.action[None], axis=0)[0]
        once = np.array([terms.settlement(analysis.start).once for analysis in analyses])[:, None]
        shown_blackjack = np.where(blackjack, float(terms.pays.tied_blackjack), -1.0)
        self.ev = np.where(over_at_once, shown_blackjack, np.where(once, joint - p, joint))
        # A round that a peek ends has one unit wagered.
        peeked = np.where(np.array([analysis.start.peeks for analysis in analyses])[:, None], p, 0.0)
        self.wager = np.where(self.action == DOUBLE, 2.0 - peeked, 1.0)
        for action, more in self._more.items():
            self.wager = np.where(self.action == action, 1.0 + more, self.wager)
        for place, pair in self._splits:
            for number in np.flatnonzero((self.action[:, place] == SPLIT) & (self.probability[:, place] > 0)).tolist():
                self.wager[number, place] = analyses[number].split(pair).wager + peeked[number, place]

    def paid_blackjacks(self, paid: tuple[int, int]) -> list[float]:
        """Return by start the expected units of a round that count, of naturals only: see `Terms.of_blackjack_pays`."""
        natural = int(np.flatnonzero(self._hands == player_hands().two_cards[ACE, TEN])[0])
        shown = np.array([analysis.start.is_blackjack for analysis in self.analyses])
        p = np.where(shown, 1.0, self.p_blackjack[:, natural])
        units: list[float] = (self.probability[:, natural] * (paid[0] * (1.0 - p) + paid[1] * p)).tolist()
        return units

    def _value(self) -> None:
        """Fill the values of the legal actions, on the joint scale."""
        played = [number for number, analysis in enumerate(self.analyses) if not analysis.start.is_blackjack]
        if not played:
            return
        rows = np.stack([self.analyses[number].values.values[:, self._hands] for number in played], axis=1)
        legals = [analysis.terms.legal.before_split[self._hands] for analysis in self.analyses]
        may = np.stack([legals[number] for number in played])
        for action in (STAND, HIT, DOUBLE):
            self.joint[action, played] = np.where(may >> action & 1 != 0, rows[action], -np.inf)
        legal = self.terms.legal
        for action, row in ((HIT, HIT_MORE_ROW), (DOUBLE, DOUBLE_MORE_ROW)):
            if legal.levels or (action == HIT and legal.doubles_later):
                self._more[action] = np.zeros(self.probability.shape)
                self._more[action][played] = rows[row]
        for place, pair in self._splits:
            for number in played:
                if self.probability[number, place] and legals[number][place] >> SPLIT & 1:
                    self.joint[SPLIT, number, place] = self.analyses[number].split(pair).value
        for number in played:
            analysis = self.analyses[number]
            if analysis.start.hidden_blackjack >= 0:
                self.p_blackjack[number] = analysis.values.p_blackjacks(self._hands)
            if analysis.surrender != "none":
                value = analysis.surrender_value(self.p_blackjack[number])
                self.joint[SURRENDER, number] = np.where(legals[number] >> SURRENDER & 1 != 0, value, -np.inf)

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
                for place, kind in enumerate(self.kinds):
                    if self.probability[number, place] and not self.over[number, place]:
                        played = analysis.table.first[kind.index, kind.pair is not None]
                        self.action[number, place] = NUMBER[played]

    def decisions(self, number: int) -> Iterator[FirstDecision]:
        """Yield the decision of each hand that the shoe can deal against a start."""
        shoe = self.analyses[number].shoe
        for place in np.flatnonzero(self.probability[number]).tolist():
            kind = self.kinds[place]
            joint = {
                action: value
                for action, value in zip(ACTIONS, self.joint[:, number, place].tolist(), strict=True)
                if value != -np.inf
            }
            yield FirstDecision(
                kind.dealt_from(shoe),
                float(self.probability[number, place]),
                float(self.p_blackjack[number, place]),
                {} if self.over[number, place] else joint,
                ACTIONS[self.action[number, place]],
                float(self.ev[number, place]),
                float(self.wager[number, place]),
            )

    def tables(self, numbers: Sequence[int] | None = None) -> Iterator[tuple[tuple[int, ...], StartTable]]:
        """Yield the dealer's cards and the best play against some starts, or all, but those that end the round."""
        for number in range(len(self.analyses)) if numbers is None else numbers:
            analysis = self.analyses[number]
            if not analysis.start.is_blackjack:
                places = np.flatnonzero((self.probability[number] != 0) & ~self.over[number]).tolist()
                played = [(self.kinds[place], ACTIONS[self.action[number, place]]) for place in places]
                first = {(hand.index, hand.pair is not None): action for hand, action in played}
                pairs = {hand.pair for hand, action in played if action == "split" and hand.pair is not None}
                after_split = {pair: np.ascontiguousarray(analysis.split(pair).play) for pair in sorted(pairs)}
                cards, play = analysis.start.cards, analysis.values.play
                yield cards, StartTable.of_states(cards, first, play, after_split)

    def results(self, probabilities: Sequence[float]) -> list[StartResult]:
        """Return the results of the starts, given the probability of each."""
        wagers, found = (self.probability * self.wager).tolist(), []
        for number, evs in enumerate((self.probability * self.ev).tolist()):
            ev, wager, label = fsum(evs), fsum(wagers[number]), self.analyses[number].start.label
            times = self.terms.pays.times(ev)
            money = float(times)
            found.append(StartResult(label, probabilities[number], money * ev, money * wager, times, self, number))
        return found


def _shares(kinds: Sequence[TwoCards], shoes: Sequence[Shoe]) -> NDArray[np.float64]:
    """Return the probability of each kind of two-card hands, by shoe."""
    counts, step = np.array([shoe.counts for shoe in shoes], dtype=np.int64), shoes[0].step
    total = counts.sum(axis=1, keepdims=True)
    first, second = np.array([kind.values for kind in kinds]).T
    n, m = counts[:, first], counts[:, second]
    shares: NDArray[np.float64] = np.where(first == second, n * (n - step), 2 * n * m) / (total * (total - step))
    for place, kind in enumerate(kinds):
        if kind.like is not None:
            ways = [kind.dealt_from(shoe).ways for shoe in shoes]
            shares[:, place] = [
                float(n / (shoe.total * (shoe.total - step))) for n, shoe in zip(ways, shoes, strict=True)
            ]
    return shares


def hand_in_round(analysis: StartAnalysis, hand: FirstHand, action: str) -> tuple[Any, Any]:
    """Return the expected net result of the round and the expected units wagered, in the analysis' number system.

    Args:
        analysis: the dealer start.
        hand: the player's first two cards.
        action: what is played with them; not looked at where the dealer shows a blackjack.
    """
    ratio, terms = analysis.arithmetic.ratio, analysis.terms
    if analysis.start.is_blackjack:
        net = terms.pays.tied_blackjack if hand.values == (ACE, TEN) else Fraction(-1)
        return ratio(net.numerator, net.denominator), ratio(1, 1)
    joint = analysis.joint_value(hand.index, action, hand.pair)
    once = terms.settlement(analysis.start).once
    ev = joint - analysis.values.p_blackjack(hand.index) if once else joint
    return ev, analysis.wager(hand.index, action, hand.pair)
