"""What a round can net: the exact probability of every result, and its moments.

Everything is for the play that a `RoundResult` follows, which plays every hand of a split by its own cards. Hands that
are not split, and splits into two hands, are enumerated (`finished`): the results of two hands depend on each
other through the shoe and through the dealer's hand. Of rounds with more hands mean and square are known exactly
(`split_moments`); their distribution is exact from an endless shoe, and else found by dealing (`resplits`).
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
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
from odds.results.finished import (
    PAIR_CARD,
    Settler,
    all_ways,
    finished_hands,
    finished_split,
    first_action,
    p_hidden_blackjack,
)
from odds.results.resplits import DOUBLED, GIVEN_UP, MOST_ROUNDS, Resplits, deal_resplits, exact_resplits
from odds.results.split_moments import p_split_doubled, rank_factor, split_moments
from odds.shown import Shown, long_fraction, with_exact

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

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

    mean: Any
    variance: Any
    exact_share: Any
    _result: Round
    _exact: ClassVar[bool]

    def facts(self) -> list[tuple[str, ...]]:
        """Return the moments of a round's net result, how exact it is, how it is played, and under which rules."""
        unit = "initial wagers a round"
        return [
            ("Mean", long_fraction(self.mean, unit) if self._exact else f"{self.mean:+.10f} {unit}"),
            ("Standard deviation", f"{sqrt(self.variance):.8f}"),
            ("Numbers", "fractions" if self._exact else "doubles"),
            *self.limits(),
            *self.setting(),
        ]

    @abstractmethod
    def limits(self) -> list[tuple[str, ...]]:
        """Return what of the distribution is not exact."""

    def setting(self) -> list[tuple[str, ...]]:
        """Return how the round is played, and under which rules."""
        return self._result.setting()


@dataclass(frozen=True, slots=True, repr=False)
class Outcomes(_NetOfRound):
    """What a round nets, in initial wagers, under a fixed play; exact up to the rounding of doubles.

    Results of rounds with three hands or more, from a shoe that has an end, are dealt, and what rests on them has a
    standard error. Mean, variance and average wager are exact all the same.

    Attributes:
        distribution: probability of each net result, ascending.
        mean: expected net result, the EV of the round.
        variance: of the net result.
        skewness: third central moment over the third power of the standard deviation; None without a deviation.
        hit_frequency: probability of a net result above 0.
        push_frequency: probability of a net result of 0.
        p_split: probability that a pair is split.
        p_double: probability that at least one hand is doubled.
        p_surrender: probability that at least one hand is surrendered, rescues not among them.
        average_wager: expected units wagered; see `RoundResult.average_wager`.
        exact_share: probability of a round whose results are enumerated, 1 where all are.
        standard_errors: by net result, and by name of another attribute; what is not in it is exact.
    """

    distribution: Mapping[Fraction, float]
    mean: float
    variance: float
    skewness: float | None
    hit_frequency: float
    push_frequency: float
    p_split: float
    p_double: float
    p_surrender: float
    average_wager: float
    exact_share: float
    standard_errors: Mapping[Fraction | str, float]
    _result: Round = field(compare=False)
    _exact = False

    @property
    def standard_deviation(self) -> float:
        """The square root of the variance, in initial wagers."""
        return sqrt(self.variance)

    @property
    def largest_error(self) -> float:
        """The largest standard error of the probability of a net result, 0 where all are exact."""
        return max((error for key, error in self.standard_errors.items() if isinstance(key, Fraction)), default=0.0)

    def exact(self, progress: Progress | None = None) -> ExactOutcomes:
        """Return the same as fractions, under a play certified to be the best of its class.

        Args:
            progress: told now and then which part of the work is done.
        """
        return exact_outcomes(self._result, progress)

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row for each net result, ascending, for pandas or polars.

        Columns: `net` in initial wagers and `net_exact` as text, `probability`, and `standard_error` if any is dealt.
        """
        errors = self.standard_errors
        return [
            {**with_exact("net", net), "probability": p, **({"standard_error": errors.get(net)} if errors else {})}
            for net, p in self.distribution.items()
        ]

    def limits(self) -> list[tuple[str, ...]]:
        """Return what of the distribution is not exact."""
        if not self.standard_errors:
            return []
        share, error = f"{1 - self.exact_share:.6%}", f"{self.largest_error:.1e}"
        return [("Three hands or more", f"{share} of rounds, dealt", f"standard errors up to {error} a line")]

    def to_dict(self) -> dict[str, Any]:
        """Return the outcomes as JSON takes them; `exact` says whether the distribution is."""
        moments = ("mean", "variance", "standard_deviation", "skewness")
        errors = self.standard_errors
        rows = _rows(self.distribution, float)
        for row, net in zip(rows, self.distribution, strict=True):
            row |= {"standard_error": errors[net]} if net in errors else {}
        named = {key: error for key, error in errors.items() if isinstance(key, str)}
        return {
            "distribution": rows,
            **{name: getattr(self, name) for name in (*moments, *_FREQUENCIES)},
            "exact": not errors,
            "exact_share": self.exact_share,
            **({"standard_errors": named} if named else {}),
        }


@dataclass(frozen=True, slots=True, repr=False)
class ExactOutcomes(_NetOfRound):
    """What a round nets, as fractions, as far as it is exact. Attributes as those of `Outcomes`, and others.

    Attributes:
        distribution: None where `exact_share` is below 1, as are the frequencies that rest on it.
        enumerated: probability of each net result in a round whose results are enumerated; together `exact_share`.
    """

    distribution: Mapping[Fraction, Fraction] | None
    enumerated: Mapping[Fraction, Fraction]
    exact_share: Fraction
    mean: Fraction
    variance: Fraction
    hit_frequency: Fraction | None
    push_frequency: Fraction | None
    p_split: Fraction
    p_double: Fraction | None
    p_surrender: Fraction | None
    average_wager: Fraction
    _result: Round = field(compare=False)
    _exact = True

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row for each net result that is enumerated, ascending, for pandas or polars.

        Columns: `net` in initial wagers and `net_exact` as text, `probability` and `probability_exact` of it together
        with a round that is enumerated.
        """
        return [{**with_exact("net", net), **with_exact("probability", p)} for net, p in self.enumerated.items()]

    def limits(self) -> list[tuple[str, ...]]:
        """Return what of the distribution is not exact."""
        words = "the rows are of the other rounds"
        return [] if self.exact_share == 1 else [("Three hands or more", f"{float(1 - self.exact_share):.6%}", words)]

    def to_dict(self) -> dict[str, Any]:
        """Return the outcomes as JSON takes them, fractions as text."""
        whole = self.distribution is not None
        result: dict[str, Any] = {"distribution": _rows(self.enumerated, str) if whole else None}
        if not whole:
            result |= {"at_most_two_hands": _rows(self.enumerated, str)}
        for name in ("exact_share", "mean", "variance", *_FREQUENCIES):
            value = getattr(self, name)
            result[name] = None if value is None else str(value)
        return result


def _rows(distribution: Mapping[Fraction, Any], number: Any) -> list[dict[str, Any]]:
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
        resplits: rounds of three hands or more whose distribution is not known, and how many times its money each has.
        sampled: which probabilities are not known of them.
    """

    net: dict[Fraction, list[Any]] = field(default_factory=dict)
    mean: list[Any] = field(default_factory=list)
    square: list[Any] = field(default_factory=list)
    wager: list[Any] = field(default_factory=list)
    p_double: list[Any] = field(default_factory=list)
    p_surrender: list[Any] = field(default_factory=list)
    p_split: Fraction = Fraction(0)
    resplits: list[tuple[Resplits, Fraction]] = field(default_factory=list)
    sampled: set[str] = field(default_factory=set)

    def add(self, net: Fraction, probability: Any) -> None:
        self.net.setdefault(net, []).append(probability)

    def share(self, name: str) -> Fraction | None:
        """Return a probability as a fraction, or None where it is not known."""
        return None if name in self.sampled else sum(getattr(self, name), Fraction(0))

    def take(self, start: _Tally, times: Fraction, number: Any) -> None:
        """Add what was added up of one start, whose money is so many times what it was there."""
        for net, probabilities in start.net.items():
            self.net.setdefault(times * net, []).extend(probabilities)
        one = Fraction(1)
        powers = {"mean": times, "square": times**2, "wager": times, "p_double": one, "p_surrender": one}
        for name, factor in powers.items():
            getattr(self, name).extend(number(factor) * term for term in getattr(start, name))
        self.p_split += start.p_split
        self.resplits += [(resplits, times * factor) for resplits, factor in start.resplits]
        self.sampled |= start.sampled

    @property
    def exact_share(self) -> Fraction:
        """The probability of a round of which all is known."""
        return 1 - sum((resplits.probability for resplits, _ in self.resplits), Fraction(0))


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


def outcomes(result: Round, *, most_rounds: int = MOST_ROUNDS) -> Outcomes:
    """Return what a round nets, and how probable it is.

    >>> from odds.results.round import analyze
    >>> from odds.game.rules import Rules
    >>> found = outcomes(analyze(Rules(decks=8, max_hands=1)))
    >>> round(found.standard_deviation, 4)
    1.1129

    Args:
        result: the round; its play is followed.
        most_rounds: how many rounds of three hands or more are dealt at most.

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
    p_double, p_surrender, errors = fsum(tally.p_double), fsum(tally.p_surrender), dict[Fraction | str, float]()
    if tally.resplits:
        sampled = deal_resplits(tally.resplits, fsum(tally.mean), fsum(tally.square), most_rounds)
        for key, (p, error) in sampled.distribution().items():
            net[key], errors[key] = net.get(key, 0.0) + p, error
        values = np.array([float(key) for key in sampled.nets])
        _, errors["hit_frequency"] = sampled.of(values > 0)
        _, errors["push_frequency"] = sampled.of(values == 0)
        _, errors["skewness"] = sampled.of((values - mean) ** 3 / max(square - mean * mean, _NO_PROBABILITY) ** 1.5)
        for name, flag in (("p_double", DOUBLED), ("p_surrender", GIVEN_UP)):
            if name in tally.sampled:
                p, errors[name] = sampled.of(sampled.flags & flag > 0)
                p_double, p_surrender = (p_double + p, p_surrender) if flag == DOUBLED else (p_double, p_surrender + p)
    distribution = {key: p for key, p in sorted(net.items()) if p > _NO_PROBABILITY}
    if tally.resplits:
        variance = max(square - mean * mean, 0.0)
    else:
        variance = fsum((float(key) - mean) ** 2 * p for key, p in distribution.items())
    third = fsum((float(key) - mean) ** 3 * p for key, p in distribution.items())
    return Outcomes(
        distribution,
        mean,
        variance,
        third / variance**1.5 if variance else None,
        fsum(p for key, p in distribution.items() if key > 0),
        distribution.get(Fraction(0), 0.0),
        float(tally.p_split),
        p_double,
        p_surrender,
        fsum(tally.wager),
        float(tally.exact_share),
        {key: error for key, error in errors.items() if error and (isinstance(key, str) or key in distribution)},
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
    known = not tally.resplits
    return ExactOutcomes(
        net if known else None,
        net,
        tally.exact_share,
        mean,
        square - mean * mean,
        sum((p for key, p in net.items() if key > 0), Fraction(0)) if known else None,
        net.get(Fraction(0), Fraction(0)) if known else None,
        tally.p_split,
        tally.share("p_double"),
        tally.share("p_surrender"),
        sum(tally.wager, Fraction(0)),
        result,
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
        part = hand.ways / all_ways(settler, hand)
        dealt = probability * hand.ways / deals
        p_blackjack = dealt * p_hidden_blackjack(settler, hand)
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
    legal, two = terms.legal, _Tally()
    found = finished_split(terms, settler.start, shoe, pair, play, apart=True)
    seconds = [finish.second for finish in found.finishes]
    # Both second cards are none of the pair.
    shares = {
        (a, b): number(rank_factor(shoe, legal, pair, 0, [a, b]) if PAIR_CARD not in (a, b) else 0)
        for a, b in product(set(seconds), repeat=2)
    }
    tensor = settler.pairs(found) * np.array([[[shares[a, b]] for b in seconds] for a in seconds])
    if settler.start.peeks:
        tensor[..., DEALER_BLACKJACK] = number(0)
        two.add(Fraction(-settler.blackjack_takes), number(p_blackjack))
    _spread(two, settler, found, tensor, probability)
    if shoe.endless:
        for (net, flags), p in exact_resplits(settler, pair, play).items():
            p *= number(probability)
            two.add(net, p)
            two.p_double += [p] * bool(flags & DOUBLED)
            two.p_surrender += [p] * bool(flags & GIVEN_UP)
    moments = split_moments(settler, pair, play, p_blackjack / probability)
    for net, parts in two.net.items():
        tally.net.setdefault(net, []).extend(parts)
    tally.wager.append(number(probability) * moments.wager)
    tally.p_surrender += two.p_surrender
    if shoe.endless or legal.doubles_later:
        tally.p_double += two.p_double
    else:
        tally.p_double.append(number(probability * _p_doubled(settler, pair, play)))
    resplits = Resplits(settler, pair, play, probability)
    if shoe.endless or not resplits.probability:
        return
    tally.resplits.append((resplits, Fraction(1)))
    nets = [(number(net), sum(parts, number(0))) for net, parts in two.net.items()]
    tally.mean += [number(probability) * moments.mean, *(-net * p for net, p in nets)]
    tally.square += [number(probability) * moments.square, *(-net * net * p for net, p in nets)]
    tally.sampled |= {"p_double"} if legal.doubles_later else set()
    tally.sampled |= {"p_surrender"} if legal.surrenders_later else set()


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
