"""Rounds and hands as fractions, and the closest decisions of a game."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from odds.engine.dealer import start_probability
from odds.engine.hands import ACE, TEN
from odds.engine.split_classes import refuse_full
from odds.errors import ShoeError
from odds.game.cards import RANKS
from odds.numbers.exact import LARGEST_PRIME_BELOW
from odds.parallel import part, tell
from odds.results.certify import CloseDecision, Root, StartPlay
from odds.results.deals import hand_in_round
from odds.results.hand import hand_result
from odds.shown import Shown, long_fraction, with_exact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from odds.engine.start import FollowedStart, StartAnalysis
    from odds.parallel import Progress
    from odds.results.deal import DealResult
    from odds.results.deals import FirstDecision, FirstHand, Round
    from odds.results.hand import HandResult, Situation


@dataclass(frozen=True, slots=True, repr=False)
class ExactRound(Shown):
    """The odds of a whole round as fractions.

    Attributes:
        ev: expected net result in initial wagers.
        average_wager: expected units wagered; see `RoundResult.average_wager`.
        by_start: EV by dealer start, given the start, dealer blackjacks included.
        settled: the decisions that doubles could not certify, settled exactly; ties among them.
        certified: the play is proven to be the best of its class, with no floating point in the argument. False for a
            play that was given, whose odds are exact all the same.
    """

    ev: Fraction
    average_wager: Fraction
    by_start: dict[str, Fraction]
    settled: tuple[CloseDecision, ...]
    certified: bool
    _result: Round = field(compare=False)

    @property
    def rtp(self) -> Fraction:
        """Return to player, 1 + EV."""
        return 1 + self.ev

    @property
    def ev_per_total_wager(self) -> Fraction:
        """EV divided by the average wager."""
        return self.ev / self.average_wager

    @property
    def settled_exactly(self) -> int:
        """How many decisions were settled exactly."""
        return len(self.settled)

    @property
    def ties(self) -> tuple[CloseDecision, ...]:
        """The true ties; each went to the first of stand, hit, double, split, surrender."""
        return tuple(decision for decision in self.settled if decision.exact_gap == 0)

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row for each dealer start, for pandas or polars: `dealer`, `ev`, `ev_exact` as text."""
        return [{"dealer": start, **with_exact("ev", ev)} for start, ev in self.by_start.items()]

    def facts(self) -> list[tuple[str, ...]]:
        """Return what the round is worth, how sure the play is, and under which rules."""
        proof = "certified to be the best of its class" if self.certified else "as it was given"
        return [
            ("EV", long_fraction(self.ev, self._result.rules.round_units)),
            ("Numbers", f"fractions, the play {proof}; {self.settled_exactly} decisions settled exactly"),
            *self._result.setting(),
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON takes it, fractions as text."""
        return {
            **{name: str(getattr(self, name)) for name in ("ev", "rtp", "average_wager", "ev_per_total_wager")},
            "certified": self.certified,
            "settled_exactly": self.settled_exactly,
            "ties": len(self.ties),
            "by_upcard": [{"upcard": start, "ev": str(ev)} for start, ev in self.by_start.items()],
        }


def refuse_running_out(can_run_out: bool, what: str = "exact") -> None:
    """Refuse exact results where they do not exist.

    Args:
        can_run_out: whether the shoe might run out within a round.
        what: what is asked for.

    Raises:
        ShoeError: the shoe might run out within a round.
    """
    if can_run_out:
        raise ShoeError(
            f"{what}: expected a shoe that cannot run out within a round, as the hands of a split do not add up "
            "otherwise; this one might"
        )


def exact_round(
    result: Round, progress: Progress | None = None, *, primes_below: int = LARGEST_PRIME_BELOW
) -> ExactRound:
    """Return the odds of a round as fractions, certified.

    Args:
        result: the round in doubles.
        progress: called with the share done, from 0 to 1.
        primes_below: the primes are the largest below this; the result does not depend on it.

    Raises:
        ShoeError: the shoe might run out.
    """
    refuse_full(result.split_class, "exact fractions")
    refuse_running_out(result.shoe_can_run_out)
    ev = average_wager = Fraction(0)
    by_start = {}
    settled: list[CloseDecision] = []
    for analysis, start_play, hands in certified_plays(result, primes_below, progress):
        start_ev, start_wager = _exact_start(analysis, start_play, hands)
        times = result.terms.pays.times(start_ev)
        start_ev, start_wager = times * start_ev, times * start_wager
        probability = start_probability(analysis.start, result.shoe)
        ev += probability * start_ev
        average_wager += probability * start_wager
        by_start[analysis.start.label] = start_ev
        settled += start_play.settled if start_play else []
    return ExactRound(ev, average_wager, by_start, tuple(settled), result.fixed_play is None, result)


def certified_plays(
    result: Round, limit: int, progress: Progress | None = None
) -> Iterator[tuple[StartAnalysis, StartPlay | None, list[FirstHand]]]:
    """Yield each dealer start with its play (None where the round is over) and the deals against it."""
    for done, start in enumerate(result.by_start):
        tell(progress, done / len(result.by_start))
        analysis = result.analysis(start.start)
        hands = [decision.hand for decision in start.decisions]
        if analysis.start.is_blackjack:
            yield analysis, None, hands
            continue
        roots = [first_root(decision) for decision in start.decisions if decision.joint]
        fixed = result.fixed_play[analysis.start.cards] if result.fixed_play else None
        yield analysis, StartPlay(analysis, roots, limit, fixed), hands


def first_root(decision: FirstDecision) -> Root:
    """Return two cards as a hand from which the play is followed."""
    hand = decision.hand
    return Root(hand.index, hand.label, dict(decision.joint), decision.action, hand.pair)


def _exact_start(analysis: StartAnalysis, play: StartPlay | None, hands: list[FirstHand]) -> tuple[Fraction, Fraction]:
    """Return the EV and the average wager of all rounds of one dealer start, given the start, without a raise."""
    deals = analysis.shoe.total * (analysis.shoe.total - analysis.shoe.step)
    if play is None:
        blackjacks = sum((Fraction(hand.ways) for hand in hands if hand.values == (ACE, TEN)), Fraction(0)) / deals
        return blackjacks * analysis.terms.pays.tied_blackjack - (1 - blackjacks), Fraction(1)
    actions = {root.label: root.action for root in play.roots}

    def compute(at: FollowedStart) -> list[Any]:
        evs, wagers = [], []
        for hand in hands:
            weight = at.arithmetic.ratio(hand.ways.numerator, hand.ways.denominator * deals)
            ev, wager = hand_in_round(at, hand, actions.get(hand.label, "stand"))
            evs.append(weight * ev)
            wagers.append(weight * wager)
        return [at.arithmetic.total(evs), at.arithmetic.total(wagers)]

    ev, wager = play.fractions(compute)
    return ev, wager


# How close the closest decisions are looked for at first, and then.
_WITHIN: Final = (1e-3, 1e-2, 1e-1, 1.0, 10.0)


def closest_decisions(result: Round, number: int, progress: Progress | None = None) -> list[CloseDecision]:
    """Return the closest decisions of a game, first the closest.

    They are those of the first two cards and of every hand that the play leads to, splits included. A gap that
    doubles cannot tell from a tie is exact.

    Args:
        result: the round in doubles.
        number: how many.
        progress: called with the share done, from 0 to 1.
    """
    refuse_full(result.split_class, "the closest decisions")
    steps = len(_WITHIN) + 1
    plays = [play for _, play, _ in certified_plays(result, LARGEST_PRIME_BELOW, part(progress, 0, 1 / steps)) if play]
    found: list[CloseDecision] = []
    for step, within in enumerate(_WITHIN, 1):
        tell(progress, step / steps)
        found = _decisions_within(plays, within)
        if len(found) >= number:
            break
    return found[:number]


def _decisions_within(plays: list[StartPlay], within: float) -> list[CloseDecision]:
    """Return the decisions of some plays that are as close as that, first the closest."""
    found: list[CloseDecision] = []
    for play in plays:
        found += play.settled
        settled = {(d.player, d.after_split, frozenset((d.best, d.other))) for d in play.settled}
        seen = set()
        for decision in play.decisions(within):
            after = None if decision.split_card is None else RANKS[decision.split_card]
            other = decision.runner_up
            gap = decision.options[decision.action] - decision.options[other]
            key = (decision.label, after, frozenset((decision.action, other)))
            if gap <= within and key not in settled and key not in seen:
                seen.add(key)
                start = play.analysis.start.label
                found.append(CloseDecision(decision.label, start, decision.action, other, gap, after))
    return sorted(found, key=lambda decision: (decision.gap, decision.dealer, decision.player))


@dataclass(frozen=True, slots=True, repr=False)
class ExactHand(Shown):
    """What each action of one hand is worth, as fractions.

    Attributes:
        actions: as `HandResult.actions`, or `DealResult.actions`.
        best: the action that is played, or the better way.
        hand: the same in doubles.
        settled: the decisions on the way that doubles could not certify, settled exactly.
        surrender_after_peek_scale: as in `HandResult`.
        stand_before_peek: as in `HandResult`.
        certified: no floating point stands between the rules and these numbers.
    """

    actions: dict[str, Fraction]
    best: str
    hand: HandResult | DealResult = field(compare=False)
    settled: tuple[CloseDecision, ...]
    surrender_after_peek_scale: Fraction | None = None
    stand_before_peek: Fraction | None = None
    certified: bool = True

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row for each legal action, for pandas or polars.

        Columns: `player`, `dealer`, `action`, `ev` and as text `ev_exact`, `best` (whether it is played),
        `given_no_dealer_blackjack`.
        """
        hand = self.hand
        return [
            {
                "player": hand.player,
                "dealer": hand.dealer,
                "action": action,
                **with_exact("ev", ev),
                "best": action == self.best,
                "given_no_dealer_blackjack": hand.given_no_dealer_blackjack,
            }
            for action, ev in self.actions.items()
        ]

    def facts(self) -> list[tuple[str, ...]]:
        """Return what is best, and the facts of `hand`."""
        own = {
            "Best": f"{self.best}, EV {long_fraction(self.actions[self.best], f'{self.hand.rules.hand_unit}s')}",
            "Numbers": f"fractions, certified; {len(self.settled)} decisions settled exactly",
        }
        return [(fact[0], own[fact[0]]) if fact[0] in own else fact for fact in self.hand.facts()]

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON takes it, fractions as text."""
        result: dict[str, Any] = {
            "actions": {action: str(value) for action, value in self.actions.items()},
            "best": self.best,
            "certified": self.certified,
            "settled_exactly": len(self.settled),
        }
        for name in ("surrender_after_peek_scale", "stand_before_peek"):
            if (value := getattr(self, name)) is not None:
                result[name] = str(value)
        return result


def exact_hand(at: Situation, *, primes_below: int = LARGEST_PRIME_BELOW) -> ExactHand:
    """Return what each action of a hand is worth as fractions, each followed by the certified play of the split class.

    Args:
        at: the hand and the dealer's start.
        primes_below: the primes are the largest below this; the result does not depend on it.

    Raises:
        ShoeError: the shoe might run out.
    """
    refuse_full(at.analysis.split_class, "exact fractions")
    refuse_running_out(at.shoe_can_run_out)
    before = at.blackjack_before_peek if at.even_money_offered else None
    over, hand = at.value_if_over, hand_result(at)
    if over is not None:
        return ExactHand({"stand": over}, "stand", hand, (), None, before)
    joint, best = at.joint()
    extra = at.split_into - 1 if at.split_card is not None else 0
    root = Root(at.place, at.label, joint, best, at.pair, at.rank, at.split_card, extra, every_action=True)
    play = StartPlay(at.analysis, [root], primes_below)

    def compute(followed: FollowedStart) -> list[Any]:
        if root.split_card is not None:
            return [followed.split_hand(root.split_card, root.extra, root.hand, action) for action in joint]
        if at.switched:
            return [followed.values.if_switched()]
        return [followed.joint_value(root.hand, action, root.pair, root.rank) for action in joint]

    exact = dict(zip(joint, play.fractions(compute), strict=True))
    shown, after_peek = at.shown(exact, Fraction)
    return ExactHand(shown, root.action, hand, tuple(play.settled), after_peek)
