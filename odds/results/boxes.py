"""Several boxes of one player against the same dealer: how much their results move together."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any

from odds.engine.dealer import start_probability
from odds.engine.hands import ACE, TEN
from odds.engine.pays import DEALER_BLACKJACK
from odds.engine.splitting import shoe_can_run_out
from odds.errors import ShoeError
from odds.game.catalog import rules_of
from odds.numbers.exact import falling_or_zero
from odds.results.finished import Settler, finished_hands, first_action
from odds.results.outcomes import outcomes
from odds.results.round import analyze
from odds.shown import Shown

if TYPE_CHECKING:
    from odds._kernel import HandPairs
    from odds.engine.play import StartTable
    from odds.game.catalog import AnyGame
    from odds.game.rules import Rules
    from odds.game.shoe import Shoe
    from odds.results.deals import Round, StartResult

# As many as the rules know hands of a round.
MOST_BOXES = 4


@dataclass(frozen=True, slots=True, repr=False)
class Boxes(Shown):
    """Boxes of one initial wager each, played alike against one dealer, without splitting.

    Each is played by its own cards: best for them where no hand may be split.

    Attributes:
        mean: expected net result of one box.
        variance: of one box.
        covariance: of two boxes.
        most: for how many boxes the shoe is sure not to run out.
        rules: the rules, without splitting.
    """

    mean: float
    variance: float
    covariance: float
    most: int = MOST_BOXES
    rules: Rules | None = None

    @property
    def correlation(self) -> float:
        """The correlation of two boxes; 0 where nothing varies."""
        return self.covariance / self.variance if self.variance else 0.0

    def standard_deviation(self, boxes: int) -> float:
        """Return the standard deviation of the net result of so many boxes together, in initial wagers of one.

        Raises:
            ShoeError: there are none, or too many for the shoe.
        """
        if not 1 <= boxes <= self.most:
            raise ShoeError(f"boxes: expected 1 to {self.most}, as many as the shoe is sure to last for, got {boxes}")
        return sqrt(boxes * self.variance + boxes * (boxes - 1) * self.covariance)

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row for each number of boxes, for pandas or polars: `boxes`, `mean`, `standard_deviation`."""
        return [
            {"boxes": n, "mean": n * self.mean, "standard_deviation": self.standard_deviation(n)}
            for n in range(1, self.most + 1)
        ]

    def facts(self) -> list[tuple[str, ...]]:
        """Return what a box is worth, how two move together, and under which rules."""
        return [
            ("Mean", f"{self.mean:+.10f} initial wagers a box and round"),
            ("Correlation", f"{self.correlation:.8f} of two boxes"),
            ("Play", "composition, without splitting"),
            *([] if self.rules is None else self.rules.facts()),
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the boxes as JSON takes them."""
        return {
            "splitting": False,
            **{name: getattr(self, name) for name in ("mean", "variance", "covariance", "correlation")},
            "standard_deviation": {str(n): self.standard_deviation(n) for n in range(1, min(3, self.most) + 1)},
        }


def boxes(rules: AnyGame, *, shoe: Shoe | None = None) -> Boxes:
    """Return how several boxes do that never split.

    >>> from odds.game.rules import Rules
    >>> found = boxes(Rules(decks=6, dealer_hits_soft_17=False))
    >>> round(found.covariance, 3)
    0.451

    Args:
        rules: the rules; splitting is left out.
        shoe: the cards before the deal; `rules.decks` full decks if left out.

    Raises:
        ShoeError: the shoe might run out within a round of two boxes, or is too small.
    """
    result = analyze(rules_of(rules).replace(max_hands=1), shoe=shoe)
    most = 1
    while most < MOST_BOXES and not shoe_can_run_out(result.shoe.counts, most + 1):
        most += 1
    if most == 1:
        raise ShoeError("boxes: expected a shoe that cannot run out within a round of two boxes; this one might")
    single = outcomes(result)
    covariance = float(expected_product(result)) - single.mean**2
    return Boxes(single.mean, single.variance, covariance, most, result.rules)


def expected_product(result: Round, *, primes_below: int | None = None) -> Any:
    """Return the expected product of the net results of two boxes.

    Args:
        result: a round without splitting; both boxes follow its play.
        primes_below: compute a fraction, by primes below this; a double if None.
    """
    tables, known_pairs = result.tables(), dict[bytes, "HandPairs"]()
    total: Any = Fraction(0) if primes_below else 0.0
    for start in result.by_start:
        analysis = result.analysis(start.start)
        settler = Settler(analysis.start, analysis.shoe, result.terms, known_pairs, primes_below)
        table = tables.get(analysis.start.cards)
        product = _after_shown_blackjack(settler) if table is None else _of_start(settler, start, table)
        total += settler.number(start_probability(analysis.start, result.shoe) * start.times**2) * product
    return total


def _of_start(settler: Settler, start: StartResult, table: StartTable) -> Any:
    """Return the expected product, given a dealer start."""
    terms, unit = settler.terms, settler.terms.pays.unit
    begun = [first_action(table, decision.hand) for decision in start.decisions]
    play = table.states(terms.legal)
    hands = finished_hands(terms, settler.shoe.counts, play, begun, start=settler.start, list_busts=False)
    nets = settler.nets(hands)
    nets[:, DEALER_BLACKJACK] -= unit * settler.blackjack_takes
    tensor = settler.pairs(hands) * nets[:, None, :] * nets[None, :, :]
    return tensor.sum() * settler.number(Fraction(1, unit * unit))


def _after_shown_blackjack(settler: Settler) -> Any:
    """Return the expected product where the dealer shows a blackjack: each box loses, but for blackjacks of its own."""
    aces, tens, cards = settler.shoe.counts[ACE], settler.shoe.counts[TEN], settler.shoe.total
    step = settler.shoe.step
    one = Fraction(2 * aces * tens, cards * (cards - step))
    ways = 4 * falling_or_zero(aces, 2, step) * falling_or_zero(tens, 2, step)
    both = Fraction(ways, max(falling_or_zero(cards, 4, step), 1))
    gain = settler.terms.pays.tied_blackjack + 1
    return settler.number(1 - 2 * gain * one + gain * gain * both)
