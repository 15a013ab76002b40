"""Hands doubled after a hit, and the units wagered on them, hand by hand against a plain recursion in fractions."""

from fractions import Fraction
from functools import cache

import brute_force as bf
import numpy as np
import pytest

from odds import Rules, Shoe
from odds._kernel import HIT_MORE_ROW, VALUE_ROW
from odds.engine.actions import ACTIONS, HIT
from odds.engine.dealer import remove_start
from odds.engine.hands import player_hands
from odds.engine.player import evaluate_start
from odds.engine.split_classes import DEFAULT_SPLIT_CLASS
from odds.engine.start import StartAnalysis
from odds.engine.terms import terms_of
from odds.engine.together import evaluate_together
from odds.game.cards import RANKS

SHOE = {"2": 5, "3": 3, "5": 4, "6": 3, "T": 9, "A": 2}


class Recursion:
    """What hands are worth against an upcard, jointly with no blackjack, card by card."""

    def __init__(self, rules: Rules, upcard: str) -> None:
        self.rules, self.upcard = rules, upcard

    def _rest(self, hand: tuple[int, ...]) -> dict[str, int]:
        return {rank: n - hand.count(RANKS.index(rank)) for rank, n in SHOE.items()}

    @cache  # noqa: B019
    def _dealer(self, hand: tuple[int, ...]) -> dict[object, Fraction]:
        return bf.dealer_outcomes(self._rest(hand), self.rules, (self.upcard,))

    def alive(self, hand: tuple[int, ...]) -> Fraction:
        return 1 - self._dealer(hand)["blackjack"]

    def stand(self, hand: tuple[int, ...]) -> Fraction:
        total = bf.total_of(hand)[0]
        if total > 21:
            return -self.alive(hand)
        nets = {outcome: 1 if outcome == "bust" or total > outcome else 0 if total == outcome else -1
                for outcome in (17, 18, 19, 20, 21, "bust")}  # fmt: skip
        return sum((self._dealer(hand)[outcome] * net for outcome, net in nets.items()), Fraction(0))

    def _next(self, hand: tuple[int, ...]):
        rest = self._rest(hand)
        rest[self.upcard] -= 1
        cards = sum(rest.values())
        return [(Fraction(n, cards), tuple(sorted((*hand, RANKS.index(rank))))) for rank, n in rest.items() if n]

    @cache  # noqa: B019
    def best(self, hand: tuple[int, ...]) -> tuple[Fraction, str, Fraction]:
        """Value, action and units added to the first."""
        stand = (self.stand(hand), "stand", Fraction(0))
        if bf.total_of(hand)[0] >= 21:
            return stand
        options = [stand, (self.hit(hand)[0], "hit", self.hit(hand)[1])]
        if len(hand) <= 3:
            double = sum((p * 2 * self.stand(after) for p, after in self._next(hand)), Fraction(0))
            options.append((double, "double", self.alive(hand)))
        return max(options, key=lambda option: (option[0], -ACTIONS.index(option[1])))

    def hit(self, hand: tuple[int, ...]) -> tuple[Fraction, Fraction]:
        value = more = Fraction(0)
        for p, after in self._next(hand):
            worth, _, units = self.best(after)
            value, more = value + p * worth, more + p * units
        return value, more


@pytest.mark.parametrize("upcard", ["6", "T", "A"])
def test_hands_doubled_after_a_hit(upcard: str) -> None:
    rules = Rules(max_hands=1, double_cards=3)
    terms, brute = terms_of(rules), Recursion(rules, upcard)
    assert terms.legal.doubles_later
    assert not terms_of(Rules()).legal.doubles_later
    start = terms.dealer.parse(upcard)
    shoe = remove_start(Shoe.of_counts(SHOE), start)
    found = evaluate_start(start, shoe, terms)
    values = [value for value, n in enumerate(shoe.counts) if n]
    later = 0
    for a in values:
        for b in values:
            hand, cards = int(player_hands().two_cards[a, b]), tuple(sorted((a, b)))
            if a > b or shoe.counts[a] < 1 + (a == b) or cards == (0, 9):
                continue
            worth, action, _ = brute.best(cards)
            hit, more = brute.hit(cards)
            assert found.values[VALUE_ROW, hand] == pytest.approx(float(worth), abs=1e-14)
            assert found.values[HIT, hand] == pytest.approx(float(hit), abs=1e-14)
            assert ACTIONS[found.play[hand]] == action
            assert found.values[HIT_MORE_ROW, hand] == pytest.approx(float(more), abs=1e-14)
            later += more > 0
    assert later > 3


def test_side_by_side_and_in_the_wager_of_a_round() -> None:
    rules = Rules(max_hands=1, double_cards=3)
    terms, shoe = terms_of(rules), Shoe.of_counts(SHOE)
    starts = [(start, remove_start(shoe, start)) for start in terms.dealer.starts if shoe.counts[start.cards[0]]]
    for (start, left), together in zip(starts, evaluate_together(starts, terms, DEFAULT_SPLIT_CLASS), strict=True):
        alone = evaluate_start(start, left, terms)
        assert np.array_equal(together.values.values, alone.values[: HIT_MORE_ROW + 1])
        analysis = StartAnalysis(start, left, terms, DEFAULT_SPLIT_CLASS)
        hand = int(player_hands().two_cards[1, 2])
        brute = Recursion(rules, start.label)
        # Given the first two cards: a round that a peek ends has one unit wagered.
        assert analysis.wager(hand, "hit") == pytest.approx(float(1 + brute.hit((1, 2))[1]), abs=1e-14)
