"""The last of several boxes, played knowing the first two cards of all others: what seeing them is worth."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, fsum, prod
from typing import TYPE_CHECKING, Any

from odds.engine.dealer import remove_start, start_probability
from odds.engine.hands import ACE, N_VALUES
from odds.engine.split_classes import DEFAULT_SPLIT_CLASS, refuse_full
from odds.engine.splitting import shoe_can_run_out
from odds.errors import RulesError, ShoeError
from odds.game.cards import RANKS, format_values
from odds.game.catalog import rules_of, shoe_or_full
from odds.game.fields import whole_between
from odds.parallel import tell
from odds.results.beside import beside_each
from odds.results.boxes import MOST_BOXES
from odds.results.deals import insurance_ev, raise_facts
from odds.results.round import analyze
from odds.shown import Shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from odds.game.catalog import AnyGame
    from odds.game.shoe import Shoe
    from odds.parallel import Progress
    from odds.results.deals import StartResult
    from odds.results.round import RoundResult

# Insurance is for half of the initial wager.
_INSURED = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class SeenStart:
    """The rounds of the last box against one dealer start.

    Attributes:
        start: the dealer's start.
        probability: of it.
        ev: expected net result in initial wagers, given it, dealer blackjacks included, insurance not.
        ev_alone: that of a box which sees no other.
        average_wager: expected units wagered, given it.
        times: how many times its money the round has, as the play raises the wager when it sees the start.
    """

    start: str
    probability: float
    ev: float
    ev_alone: float
    average_wager: float
    times: Fraction

    @property
    def gain(self) -> float:
        """What seeing the others' cards gains, given the start."""
        return self.ev - self.ev_alone


@dataclass(frozen=True, slots=True)
class SeenCards:
    """What a round of the last box is worth where the others have these cards.

    Attributes:
        cards: the first two cards of the others together, whoever has which.
        probability: of them.
        ev: expected net result of the last box in initial wagers, given them, over all upcards; insurance not included.
    """

    cards: str
    probability: float
    ev: float


@dataclass(frozen=True, slots=True)
class Insured:
    """Insurance of half the initial wager against an upcard, taken where the cards that are seen make it gain.

    Seen are the upcard and the first two cards of every box.

    Attributes:
        upcard: the upcard.
        probability: of it.
        taken: probability that insurance gains, given the upcard.
        ev_when_taken: expected net result per unit insured, given that it is taken; None where it never gains.
        gain: what it adds to a round, in initial wagers, given the upcard; a wager that was raised is in it.
        even_money: what even money adds to that, likewise: a blackjack of one's own takes it where it gains more.
    """

    upcard: str
    probability: Fraction
    taken: Fraction
    ev_when_taken: Fraction | None
    gain: Fraction
    even_money: Fraction

    @property
    def per_round(self) -> Fraction:
        """What insurance and even money add to a round, in initial wagers, whatever the upcard."""
        return self.probability * (self.gain + self.even_money)

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON takes it."""
        return {
            "upcard": self.upcard,
            "probability": float(self.probability),
            "taken_given_upcard": float(self.taken),
            "ev_per_unit_insured_when_taken": None if self.ev_when_taken is None else float(self.ev_when_taken),
            "gain_given_upcard": float(self.gain),
            "even_money_gain_given_upcard": float(self.even_money),
            "gain_per_round": float(self.per_round),
        }


@dataclass(frozen=True, slots=True, repr=False)
class LastBox(Shown):
    """The last of several boxes, which has seen the first two cards of every other when it plays.

    It is played the best for its own cards knowing these and the dealer's; nothing that the others do afterwards is
    looked at. With one box it is a round as `analyze` has it.

    Attributes:
        boxes: how many boxes there are.
        ev: expected net result in initial wagers, over all deals; insurance and even money are not in it.
        average_wager: expected units wagered.
        by_start: by the dealer's start, in the order of the ranks.
        by_seen: by the others' first two cards, in the order of the ranks; empty with one box or infinitely many decks.
        insured: by upcard, insurance where it is offered, the cards of all boxes seen.
        insured_alone: the same, only one's own cards seen.
        shoe_can_run_out: the shoe might run out within a round of so many boxes.
        alone: the round of a box that sees no other.
    """

    boxes: int
    ev: float
    average_wager: float
    by_start: tuple[SeenStart, ...]
    by_seen: tuple[SeenCards, ...]
    insured: tuple[Insured, ...]
    insured_alone: tuple[Insured, ...]
    shoe_can_run_out: bool
    alone: RoundResult = field(compare=False)

    @property
    def gain(self) -> float:
        """What seeing the others' cards gains by play, in initial wagers a round."""
        return self.ev - self.alone.ev

    @property
    def insurance_gain(self) -> float:
        """What insurance and even money gain in a round where they are taken only when they gain, in initial wagers."""
        return _per_round(self.insured)

    @property
    def insurance_gain_alone(self) -> float:
        """The same, only one's own cards seen."""
        return _per_round(self.insured_alone)

    @property
    def ev_with_insurance(self) -> float:
        """The sum of `ev` and `insurance_gain`."""
        return self.ev + self.insurance_gain

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row for each set of cards of the others, for pandas or polars: `seen`, `probability`, `ev`."""
        return [{"seen": row.cards, "probability": row.probability, "ev": row.ev} for row in self.by_seen]

    def _shown_rows(self) -> list[dict[str, Any]]:
        """Return the dealer's starts; `to_rows` has the others' cards."""
        return [
            {"dealer": row.start, "probability": row.probability, "ev given that": row.ev, "alone": row.ev_alone}
            for row in self.by_start
        ]

    def facts(self) -> list[tuple[str, ...]]:
        """Return what the box is worth, what is seen, how it is played, and under which rules."""
        run_out = [("Numbers", "not exact, as the shoe can run out")] if self.shoe_can_run_out else []
        return [
            ("EV", f"{self.ev:+.10f} initial wagers a round, the last of {self.boxes} boxes"),
            ("Alone", f"{self.alone.ev:+.10f}"),
            ("Insurance", f"{self.insurance_gain:+.10f} initial wagers a round, taken where it gains, not in the EV"),
            *raise_facts(self.raised),
            *run_out,
            *self.alone.setting(),
        ]

    @property
    def raised(self) -> tuple[str, ...] | None:
        """The starts against which the play raises the wager, None where no rule lets it."""
        if self.alone.raised is None:
            return None
        return tuple(start.start for start in self.by_start if start.times > 1)

    def to_dict(self) -> dict[str, Any]:
        """Return the box as JSON takes it; `RoundResult.to_dict` says what the keys mean that are there too."""
        raised = self.raised is not None
        return {
            "boxes": self.boxes,
            "sees_others": True,
            "ev": self.ev,
            "rtp": 1.0 + self.ev,
            "house_edge": -self.ev,
            "average_wager": self.average_wager,
            "ev_per_total_wager": self.ev / self.average_wager,
            "by_upcard": [
                {"upcard": row.start, "probability": row.probability, "ev": row.ev, "ev_alone": row.ev_alone}
                | ({"raised": row.times > 1} if raised else {})
                for row in self.by_start
            ],
            "ev_alone": self.alone.ev,
            "gain_of_seeing": self.gain,
            "insurance_taken": {
                "gain": self.insurance_gain,
                "gain_alone": self.insurance_gain_alone,
                "per": "initial wager, half of which is insured where that gains",
                "by_upcard": [row.to_dict() for row in self.insured],
            },
            "ev_with_insurance": self.ev_with_insurance,
            "by_seen": [{"cards": row.cards, "probability": row.probability, "ev": row.ev} for row in self.by_seen],
            "shoe_can_run_out": self.shoe_can_run_out,
        }


def _per_round(insured: tuple[Insured, ...]) -> float:
    return float(sum((row.per_round for row in insured), Fraction(0)))


def last_box(
    rules: AnyGame,
    boxes: int = 2,
    *,
    shoe: Shoe | None = None,
    split_class: str = DEFAULT_SPLIT_CLASS,
    progress: Progress | None = None,
    threads: int = 1,
) -> LastBox:
    """Return what the last of several boxes is worth that has seen the first two cards of each other.

    >>> from odds.game.rules import Rules
    >>> rules = Rules(decks=1, dealer_hits_soft_17=False, double_after_split=False, max_hands=2)
    >>> found = last_box(rules, 2)
    >>> round(found.ev, 12), round(found.alone.ev, 12)
    (0.000738031376, 0.00024791372)

    Args:
        rules: the rules, or the game that has them, also by its name or file.
        boxes: how many boxes there are.
        shoe: the cards before the deal; `rules.decks` full decks if left out.
        split_class: how the hands of a split are played: `cdz` or `cdp1`.
        progress: called with the share that is done, from 0 to 1.
        threads: how many threads work on it; the results do not depend on it.

    Raises:
        RulesError: there are too many boxes, or each has two hands.
        OddsError: the split class is `full`.
        ShoeError: the shoe is too small for a deal, or does not tell tens apart where the rules need it.
    """
    whole_between("boxes", boxes, 1, MOST_BOXES)
    refuse_full(split_class, "boxes that see each other")
    played = rules_of(rules)
    if played.switch:
        raise RulesError("switch=true: boxes that see each other are not computed, as each has two hands")
    full, needed = shoe_or_full(shoe, played), 2 * boxes + 2
    if full.total < needed:
        raise ShoeError(f"expected a shoe of at least {needed} cards to deal {boxes} boxes from, got {full.total}")
    alone = analyze(played, shoe=full, split_class=split_class, threads=threads)
    terms = alone.terms
    own = _insured(alone, alone.by_start, 1)
    run_out = shoe_can_run_out(full.counts, boxes * terms.legal.most_hands)
    if boxes == 1 or full.endless:
        by_start = tuple(
            SeenStart(row.start, row.probability, row.ev, row.ev, row.average_wager, row.times)
            for row in alone.by_start
        )
        return LastBox(
            boxes, alone.ev, alone.average_wager, by_start, (), _insured(alone, by_start, boxes), own, run_out, alone
        )
    seen = list(_seen_cards(full, 2 * (boxes - 1)))
    evs: dict[str, list[float]] = {row.start: [] for row in alone.by_start}
    wagers: dict[str, list[float]] = {row.start: [] for row in alone.by_start}
    found: list[list[tuple[str, float, float]]] = []
    each = beside_each(terms, full, [cards for cards, _ in seen], split_class, threads=threads)
    for number, ((cards, probability), deals) in enumerate(zip(seen, each, strict=True)):
        tell(progress, number / len(seen))
        left = full.without(cards)
        chances = [(at.start.label, float(start_probability(at.start, left))) for at in deals.analyses]
        of_start = (deals.probability * deals.ev).sum(axis=1).tolist()
        found.append([(label, p, ev) for (label, p), ev in zip(chances, of_start, strict=True)])
        of_wager = (deals.probability * deals.wager).sum(axis=1).tolist()
        for (label, p), ev, wager in zip(chances, of_start, of_wager, strict=True):
            evs[label].append(probability * p * ev)
            wagers[label].append(probability * p * wager)
    tell(progress, 1.0)
    starts = []
    for row in alone.by_start:
        ev = fsum(evs[row.start]) / row.probability
        times = terms.pays.times(ev)
        money = float(times)
        wager = money * fsum(wagers[row.start]) / row.probability
        starts.append(SeenStart(row.start, row.probability, money * ev, row.ev, wager, times))
    times_of = {row.start: float(row.times) for row in starts}
    by_seen = [
        SeenCards(format_values(cards), probability, fsum(times_of[start] * p * ev for start, p, ev in of_seen))
        for (cards, probability), of_seen in zip(seen, found, strict=True)
    ]
    return LastBox(
        boxes,
        fsum(row.probability * row.ev for row in starts),
        fsum(row.probability * row.average_wager for row in starts),
        tuple(starts),
        tuple(by_seen),
        _insured(alone, starts, boxes),
        own,
        run_out,
        alone,
    )


def _seen_cards(shoe: Shoe, number: int) -> Iterator[tuple[tuple[int, ...], float]]:
    """Yield every set of so many cards that a shoe can deal, as value indexes, and its probability."""
    ways = comb(shoe.total, number)
    for cards in combinations_with_replacement(range(N_VALUES), number):
        of_cards = prod(comb(n, cards.count(value)) for value, n in enumerate(shoe.counts))
        if of_cards:
            yield cards, float(Fraction(of_cards, ways))


def _drawn(cards: int, among: int, number: int, step: int) -> list[Fraction]:
    """Return the probabilities of 0, 1, ... cards of a kind, of which so many are among all, if a number is drawn."""
    if not step:
        p = Fraction(cards, among)
        return [comb(number, n) * p**n * (1 - p) ** (number - n) for n in range(number + 1)]
    ways = comb(among, number)
    return [Fraction(comb(cards, n) * comb(among - cards, number - n), ways) for n in range(number + 1)]


def _insured(alone: RoundResult, starts: Sequence[StartResult | SeenStart], boxes: int) -> tuple[Insured, ...]:
    """Return insurance by upcard, the first cards of so many boxes seen; the starts say where the wager is raised."""
    legal = alone.terms.legal
    offered = {RANKS[upcard] for upcard in (*legal.insurance, *([ACE] if legal.even_money else []))}
    return tuple(_insured_start(alone, row.start, row.times, 2 * boxes) for row in starts if row.start in offered)


def _insured_start(alone: RoundResult, label: str, times: Fraction, seen: int) -> Insured:
    """Return insurance against an upcard, and even money, where so many cards of the boxes are seen."""
    terms, pays, start = alone.terms, alone.terms.pays, alone.terms.dealer.parse(label)
    (upcard,), left = start.cards, remove_start(alone.shoe, start)
    step, ways, total = left.step, left.counts[start.hidden_blackjack], left.total
    unseen = total - seen * step
    offered = upcard in terms.legal.insurance
    chances = _drawn(ways, total, seen, step)
    evs = [insurance_ev(ways - n * step, unseen, terms) if offered else Fraction(0) for n in range(seen + 1)]
    taken = sum((p for p, ev in zip(chances, evs, strict=True) if ev > 0), Fraction(0))
    gained = sum((p * max(ev, Fraction(0)) for p, ev in zip(chances, evs, strict=True)), Fraction(0))
    even_money = Fraction(0)
    if terms.legal.even_money and upcard == ACE and left.counts[ACE] and ways:
        own = Fraction(2 * left.counts[ACE] * ways, total * (total - step))
        for n, p in enumerate(_drawn(ways - step, total - 2 * step, seen - 2, step), 1):
            hidden = Fraction(ways - n * step, unseen)
            declined = pays.blackjack * (1 - hidden) + pays.tied_blackjack * hidden
            even_money += own * p * max(1 - declined - max(_INSURED * evs[n], Fraction(0)), Fraction(0))
    when_taken = gained / taken if taken else None
    chance = start_probability(start, alone.shoe)
    return Insured(label, chance, taken, when_taken, times * _INSURED * gained, times * even_money)
