"""What a round can net: the exact probability of every result, and its moments.

Everything is for the play that a `RoundResult` follows, which plays every hand of a split by its own cards. Hands that
are not split, and splits into two hands, are enumerated (`finished`): the results of two hands depend on each
other through the shoe and through the dealer's hand. Of splits that may go on to more hands, mean and square are known
exactly (`split_moments`) and the distribution is not.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import fsum, sqrt
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from odds.engine.actions import SPLIT, SURRENDER
from odds.engine.dealer import start_probability
from odds.engine.hands import ACE, TEN
from odds.engine.pays import DEALER_BLACKJACK, EARLY_SURRENDER, LATE_SURRENDER, N_ENDS
from odds.engine.split_classes import refuse_full
from odds.errors import ShoeError
from odds.numbers.exact import LARGEST_PRIME_BELOW
from odds.results.exact import certified_plays
from odds.results.finished import Settler, finished_hands, finished_split, first_action
from odds.results.split_moments import p_split_doubled, split_moments
from odds.shown import Shown, long_fraction, with_exact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from numpy.typing import NDArray

    from odds._kernel import HandPairs
    from odds.engine.play import StartTable
    from odds.parallel import Progress
    from odds.results.deals import FirstHand, Round
    from odds.results.finished import FinishedHands, FirstAction


# In doubles, a probability below this is taken for the rounding of none.
_NO_PROBABILITY = 1e-15
_FREQUENCIES = ("hit_frequency", "push_frequency", "p_split", "p_double", "p_surrender", "average_wager")


class _NetOfRound(Shown):
    """What `Outcomes` and `ExactOutcomes` show."""

    __slots__ = ()

    distribution: Mapping[Fraction, Any] | None
    mean: Any
    variance: Any
    reason: str
    _result: Round
    _exact: ClassVar[bool]

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row for each net result, ascending, for pandas or polars; none where they are not known.

        Columns: `net` in initial wagers and `net_exact` as text, `probability`, and where fractions are known
        `probability_exact`.
        """
        return [
            {**with_exact("net", net), **with_exact("probability", p, exact=self._exact)}
            for net, p in (self.distribution or {}).items()
        ]

    def facts(self) -> list[tuple[str, ...]]:
        """Return the moments of a round's net result, how it is played, and under which rules."""
        unit = "initial wagers a round"
        reason = [("No distribution", *self.reason.split(": ", 1))] if self.reason else []
        return [
            ("Mean", long_fraction(self.mean, unit) if self._exact else f"{self.mean:+.10f} {unit}"),
            ("Standard deviation", f"{sqrt(self.variance):.8f}"),
            ("Numbers", "fractions" if self._exact else "doubles"),
            *reason,
            *self.setting(),
        ]

    def setting(self) -> list[tuple[str, ...]]:
        """Return how the round is played, and under which rules."""
        return self._result.setting()


@dataclass(frozen=True, slots=True, repr=False)
class Outcomes(_NetOfRound):
    """What a round nets, in initial wagers, under a fixed play; exact up to the rounding of doubles.

    Attributes:
        distribution: probability of each net result, ascending; None where it is not known, see `reason`.
        mean: expected net result, the EV of the round.
        variance: of the net result.
        skewness: third central moment over the third power of the standard deviation; None without a distribution or
            a deviation.
        hit_frequency: probability of a net result above 0; None without a distribution.
        push_frequency: probability of a net result of 0; None without a distribution.
        p_split: probability that a pair is split.
        p_double: probability that at least one hand is doubled; None where it is not known, as hands that were hit may
            be doubled and pairs split into more than two hands.
        p_surrender: probability that at least one hand is surrendered, rescues not among them; None likewise.
        average_wager: expected units wagered; see `RoundResult.average_wager`.
        reason: why there is no distribution; empty where there is one.
    """

    distribution: Mapping[Fraction, float] | None
    mean: float
    variance: float
    skewness: float | None
    hit_frequency: float | None
    push_frequency: float | None
    p_split: float
    p_double: float | None
    p_surrender: float | None
    average_wager: float
    reason: str
    _result: Round = field(compare=False)
    _exact = False

    @property
    def standard_deviation(self) -> float:
        """The square root of the variance, in initial wagers."""
        return sqrt(self.variance)

    def exact(self, progress: Progress | None = None) -> ExactOutcomes:
        """Return the same as fractions, under a play certified to be the best of its class.

        Args:
            progress: told now and then which part of the work is done.
        """
        return exact_outcomes(self._result, progress)

    def to_dict(self) -> dict[str, Any]:
        """Return the outcomes as JSON takes them; `exact` says whether the distribution is."""
        moments = ("mean", "variance", "standard_deviation", "skewness")
        return {
            "distribution": _rows(self.distribution, float),
            **{name: getattr(self, name) for name in (*moments, *_FREQUENCIES)},
            "exact": self.distribution is not None,
            **({"reason": self.reason} if self.reason else {}),
        }


@dataclass(frozen=True, slots=True, repr=False)
class ExactOutcomes(_NetOfRound):
    """What a round nets, as fractions. Attributes as those of `Outcomes`."""

    distribution: Mapping[Fraction, Fraction] | None
    mean: Fraction
    variance: Fraction
    hit_frequency: Fraction | None
    push_frequency: Fraction | None
    p_split: Fraction
    p_double: Fraction | None
    p_surrender: Fraction | None
    average_wager: Fraction
    reason: str
    _result: Round = field(compare=False)
    _exact = True

    def to_dict(self) -> dict[str, Any]:
        """Return the outcomes as JSON takes them, fractions as text."""
        result: dict[str, Any] = {"distribution": _rows(self.distribution, str)}
        for name in ("mean", "variance", *_FREQUENCIES):
            value = getattr(self, name)
            result[name] = None if value is None else str(value)
        return result


def _rows(distribution: Mapping[Fraction, Any] | None, number: Any) -> list[dict[str, Any]] | None:
    if distribution is None:
        return None
    return [{"net": str(net), "probability": number(p)} for net, p in distribution.items()]


@dataclass(slots=True)
class _Tally:
    """What is added up over the dealer's starts; each list's sum is a part of all rounds.

    Attributes:
        net: probability of each net result.
        mean: of rounds whose distribution is not known, the expected net result.
        square: of those, its expected square.
        wager: expected units wagered, of all rounds.
        p_double: see `Outcomes`.
        p_surrender: see `Outcomes`.
        p_split: see `Outcomes`.
        unknown: which probabilities are not known.
        pairs_beyond: labels of the pairs whose splits may go beyond two hands.
    """

    net: dict[Fraction, list[Any]] = field(default_factory=dict)
    mean: list[Any] = field(default_factory=list)
    square: list[Any] = field(default_factory=list)
    wager: list[Any] = field(default_factory=list)
    p_double: list[Any] = field(default_factory=list)
    p_surrender: list[Any] = field(default_factory=list)
    p_split: Fraction = Fraction(0)
    unknown: set[str] = field(default_factory=set)
    pairs_beyond: set[str] = field(default_factory=set)

    def add(self, net: Fraction, probability: Any) -> None:
        self.net.setdefault(net, []).append(probability)

    def share(self, name: str, add: Callable[[Iterable[Any]], Any]) -> Any:
        """Return the sum of a probability's parts, or None where it is not known."""
        return None if name in self.unknown else add(getattr(self, name))

    def take(self, start: _Tally, times: Fraction, number: Any) -> None:
        """Add what was added up of one start, whose money is so many times what it was there."""
        for net, probabilities in start.net.items():
            self.net.setdefault(times * net, []).extend(probabilities)
        one = Fraction(1)
        powers = {"mean": times, "square": times**2, "wager": times, "p_double": one, "p_surrender": one}
        for name, factor in powers.items():
            getattr(self, name).extend(number(factor) * term for term in getattr(start, name))
        self.p_split += start.p_split
        self.unknown |= start.unknown
        self.pairs_beyond |= start.pairs_beyond


def refuse_unknown(result: Round) -> None:
    """Refuse a round whose outcomes cannot be counted up.

    Raises:
        ShoeError: the shoe might run out.
        OddsError: hands of a split are not played by their own cards.
    """
    refuse_full(result.split_class, "outcomes")
    if result.shoe_can_run_out:
        raise ShoeError(
            "outcomes: expected a shoe that cannot run out within a round, as hands cannot be counted up otherwise; "
            "this one might"
        )


def outcomes(result: Round) -> Outcomes:
    """Return what a round nets, and how probable it is.

    >>> from odds.results.round import analyze
    >>> from odds.game.rules import Rules
    >>> found = outcomes(analyze(Rules(decks=8, max_hands=1)))
    >>> round(found.standard_deviation, 4)
    1.1129

    Args:
        result: the round; its play is followed.

    Raises:
        ShoeError: the shoe might run out.
    """
    refuse_unknown(result)
    tally, tables, known_pairs = _Tally(), result.tables(), dict[bytes, "HandPairs"]()
    for start in result.by_start:
        analysis = result.analysis(start.start)
        settler = Settler(analysis.start, analysis.shoe, result.terms, known_pairs)
        hands, part = [decision.hand for decision in start.decisions], _Tally()
        probability = start_probability(analysis.start, result.shoe)
        _add_start(part, settler, probability, hands, tables.get(analysis.start.cards))
        tally.take(part, start.times, float)
    net = {key: fsum(terms) for key, terms in sorted(tally.net.items())}
    mean = fsum([*(float(key) * p for key, p in net.items()), *tally.mean])
    square = fsum([*(float(key) ** 2 * p for key, p in net.items()), *tally.square])
    variance = max(square - mean * mean, 0.0)
    distribution = skewness = hit = push = None
    if not tally.pairs_beyond:
        distribution = {key: p for key, p in net.items() if p > _NO_PROBABILITY}
        hit = fsum(p for key, p in distribution.items() if key > 0)
        push = distribution.get(Fraction(0), 0.0)
        variance = fsum((float(key) - mean) ** 2 * p for key, p in distribution.items())
        third = fsum((float(key) - mean) ** 3 * p for key, p in distribution.items())
        skewness = third / variance**1.5 if variance else None
    return Outcomes(
        distribution,
        mean,
        variance,
        skewness,
        hit,
        push,
        float(tally.p_split),
        tally.share("p_double", fsum),
        tally.share("p_surrender", fsum),
        fsum(tally.wager),
        _reason(tally),
        result,
    )


def exact_outcomes(
    result: Round, progress: Progress | None = None, *, primes_below: int = LARGEST_PRIME_BELOW
) -> ExactOutcomes:
    """Return what a round nets as fractions, under a play certified to be the best of its class.

    Args:
        result: the round in doubles.
        progress: told now and then which part of the work is done.
        primes_below: the primes are the largest below this; the result does not depend on it.

    Raises:
        ShoeError: the shoe might run out.
    """
    refuse_unknown(result)
    tally, known_pairs = _Tally(), dict[bytes, "HandPairs"]()
    for analysis, play, hands in certified_plays(result, primes_below, progress):
        table = None
        if play is not None:
            play.trace()  # after which the table has every split that is come to
            table = play.table()
        settler = Settler(analysis.start, analysis.shoe, result.terms, known_pairs, primes_below)
        part = _Tally()
        _add_start(part, settler, start_probability(analysis.start, result.shoe), hands, table)
        mean = sum(part.mean, sum((net * sum(terms) for net, terms in part.net.items()), Fraction(0)))
        tally.take(part, result.terms.pays.times(mean), Fraction)
    net = {key: p for key, terms in sorted(tally.net.items()) if (p := sum(terms, Fraction(0)))}
    mean = sum(tally.mean, sum((key * p for key, p in net.items()), Fraction(0)))
    square = sum(tally.square, sum((key * key * p for key, p in net.items()), Fraction(0)))
    known = not tally.pairs_beyond
    return ExactOutcomes(
        net if known else None,
        mean,
        square - mean * mean,
        sum((p for key, p in net.items() if key > 0), Fraction(0)) if known else None,
        net.get(Fraction(0), Fraction(0)) if known else None,
        tally.p_split,
        tally.share("p_double", lambda parts: sum(parts, Fraction(0))),
        tally.share("p_surrender", lambda parts: sum(parts, Fraction(0))),
        sum(tally.wager, Fraction(0)),
        _reason(tally),
        result,
    )


def _reason(tally: _Tally) -> str:
    """Return why there is no distribution, or nothing."""
    if not tally.pairs_beyond:
        return ""
    known = "some" if tally.unknown else "the"
    return (
        f"pairs may be split into more than two hands ({' '.join(sorted(tally.pairs_beyond))}): only mean, variance "
        f"and {known} probabilities of actions are exact then, and the distribution is left out"
    )


def _add_start(
    tally: _Tally, settler: Settler, probability: Fraction, hands: Iterable[FirstHand], table: StartTable | None
) -> None:
    """Add all rounds of one dealer start, which has this probability; no table where he shows a blackjack."""
    start, terms, number = settler.start, settler.terms, settler.number
    deals = settler.shoe.total * (settler.shoe.total - settler.shoe.step)
    if table is None:
        for hand in hands:
            net = terms.pays.tied_blackjack if hand.values == (ACE, TEN) else Fraction(-1)
            tally.add(net, number(probability * hand.ways / deals))
        tally.wager.append(number(probability))
        return
    # Hands of which each deal counts in full; apart, like tens and unlike ones, of which only a part does.
    begun: dict[tuple[Fraction, bool], list[FirstAction]] = {}
    for hand in hands:
        first = first_action(table, hand)
        part = hand.ways / _all_ways(settler, hand)
        dealt = probability * hand.ways / deals
        p_blackjack = dealt * _p_blackjack(settler, hand)
        acts = dealt - p_blackjack if start.peeks else dealt
        if first.action == SURRENDER and start.peeks and terms.surrender(start) == "early":
            tally.p_surrender.append(number(p_blackjack))  # before he looks
        if first.action == SPLIT and hand.pair is not None:
            tally.p_split += acts
            _add_split(tally, settler, hand, table.states(terms.legal, hand.pair), probability, part, p_blackjack)
        else:
            begun.setdefault((part, hand.pair is None and part < 1), []).append(first)
    for (part, _), firsts in begun.items():
        found = finished_hands(
            terms, settler.shoe.counts, table.states(terms.legal), firsts, start=start, list_busts=True
        )
        _spread(tally, settler, found, settler.hands(found), probability * part)


def _all_ways(settler: Settler, hand: FirstHand) -> int:
    """Return the ordered deals of two values, whatever their ranks."""
    a, b = hand.values
    counts = settler.shoe.counts
    return counts[a] * (counts[a] - settler.shoe.step) if a == b else 2 * counts[a] * counts[b]


def _add_split(
    tally: _Tally,
    settler: Settler,
    hand: FirstHand,
    play: NDArray[np.uint8],
    probability: Fraction,
    part: Fraction,
    p_blackjack: Fraction,
) -> None:
    """Add the rounds in which a pair is split.

    Args:
        tally: where to.
        settler: the dealer's start and the shoe without it.
        hand: the pair.
        play: of the hands of its split, by hand, and level, the number of its action.
        probability: of the start.
        part: which part of the deals of these two values are pairs that may be split.
        p_blackjack: the probability of the start, the pair and a hidden blackjack.
    """
    terms, shoe, number, pair = settler.terms, settler.shoe, settler.number, hand.values[0]
    if terms.legal.split_into[pair] == 2:
        found = finished_split(terms, settler.start, shoe, pair, play)
        _spread(tally, settler, found, settler.pairs(found), probability * part)
        return
    moments = split_moments(settler, pair, play, p_blackjack / probability)
    tally.pairs_beyond.add(hand.label)
    tally.mean.append(number(probability) * moments.mean)
    tally.square.append(number(probability) * moments.square)
    tally.wager.append(number(probability) * moments.wager)
    tally.p_double.append(number(probability * _p_doubled(settler, pair, play)))
    tally.unknown |= {"p_double"} if terms.legal.doubles_later else set()
    tally.unknown |= {"p_surrender"} if terms.legal.surrenders_later else set()


def _p_blackjack(settler: Settler, hand: FirstHand) -> Fraction:
    """Return the probability of a hidden blackjack, given the start and the hand."""
    hidden = settler.start.hidden_blackjack
    if hidden < 0:
        return Fraction(0)
    shoe, step = settler.shoe, settler.shoe.step
    return Fraction(shoe.counts[hidden] - step * hand.values.count(hidden), shoe.total - 2 * step)


def _p_doubled(settler: Settler, pair: int, play: NDArray[np.uint8]) -> Fraction:
    """Return the probability of a pair and a doubled hand of its split; after a peek, and of no blackjack."""
    shoe, legal, hidden = settler.shoe, settler.terms.legal, settler.start.hidden_blackjack
    p = p_split_doubled(shoe, legal, pair, play)
    if settler.start.peeks and hidden >= 0 and shoe.counts[hidden]:
        hole = Fraction(shoe.counts[hidden], shoe.total)
        p -= hole * p_split_doubled(shoe.without([hidden]), legal, pair, play)
    return p


def _spread(tally: _Tally, settler: Settler, found: FinishedHands, tensor: NDArray[Any], probability: Fraction) -> None:
    """Add a tensor of one hand's or two hands' finishes and the dealer's ends, times a probability."""
    unit, weight = settler.terms.pays.unit, settler.number(probability)
    nets, units, doubled = settler.nets(found), settler.units(found), settler.doubled(found)
    given_up = np.array([[end.kind in (LATE_SURRENDER, EARLY_SURRENDER)] * N_ENDS for end in found.finishes])
    given_up[:, DEALER_BLACKJACK] &= not settler.start.peeks
    if tensor.ndim == 3:
        one, other = found.roles
        tensor = tensor[one][:, other]
        nets = nets[one][:, None, :] + nets[other][None, :, :]
        units = units[one][:, None, :] + units[other][None, :, :]
        doubled = doubled[one][:, None, :] | doubled[other][None, :, :]
        given_up = given_up[one][:, None, :] | given_up[other][None, :, :]
    nets[..., DEALER_BLACKJACK] -= unit * settler.blackjack_takes
    units[..., DEALER_BLACKJACK] += settler.start.peeks
    for net in np.unique(nets):
        tally.add(Fraction(int(net), unit), weight * tensor[nets == net].sum())
    tally.wager.append(weight * (tensor * units).sum())
    tally.p_double.append(weight * tensor[doubled].sum())
    tally.p_surrender.append(weight * tensor[given_up].sum())
