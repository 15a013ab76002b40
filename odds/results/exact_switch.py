"""Rounds and deals of two hands whose second cards may be exchanged, as fractions.

Each hand beside each two cards of another hand is certified and followed as a hand by itself is; which way to play four
cards is better is then decided by the fractions themselves.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from odds._kernel import TIE
from odds.engine.dealer import remove_start, start_probability
from odds.engine.hands import ACE, TEN, player_hands
from odds.game.cards import format_values
from odds.numbers.exact import LARGEST_PRIME_BELOW, falling
from odds.parallel import tell
from odds.results.beside import deals_beside
from odds.results.certify import CloseDecision, StartPlay
from odds.results.deal import deal_result
from odds.results.deals import hand_in_round
from odds.results.exact import ExactHand, ExactRound, exact_hand, first_root, refuse_running_out
from odds.results.switch import EXCHANGE, KEEP, PAIRS, alike, four_cards, ways_to_deal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from odds.engine.start import FollowedStart
    from odds.parallel import Progress
    from odds.results.deal import Deal
    from odds.results.deals import FirstDecision, Round
    from odds.results.switch import Exchanges

# Of hands beside another, by their two cards in ascending order: EV of the round and units wagered.
_Hands = dict[tuple[int, int], tuple[Fraction, Fraction]]
# What stands there for an ace and a ten that an exchange has made.
_MADE = (TEN, ACE)


def exact_switch(
    result: Round, found: Exchanges, progress: Progress | None = None, *, primes_below: int = LARGEST_PRIME_BELOW
) -> ExactRound:
    """Return the odds of a round of two hands as fractions, certified; exchanges are the best for a play that is given.

    Args:
        result: the round in doubles.
        found: how four cards are played in it.
        progress: called with the share done, from 0 to 1.
        primes_below: the primes are the largest below this; the result does not depend on it.

    Raises:
        ShoeError: the shoe might run out.
    """
    refuse_running_out(result.shoe_can_run_out)
    worth: dict[str, dict[tuple[int, ...], _Hands]] = {start.label: {} for start, _ in found.starts}
    settled: list[CloseDecision] = []
    others: Sequence[tuple[int, ...]] = [()] if found.shoe.endless else PAIRS
    for done, gone in enumerate(others):
        tell(progress, done / len(others))
        if all(found.shoe.counts[value] >= gone.count(value) for value in gone):
            for label, hands, close in _beside(found, gone, primes_below):
                worth[label] |= dict.fromkeys([gone] if gone else PAIRS, hands)
                settled += close
    ev = average_wager = Fraction(0)
    by_start = {}
    for number, (start, _) in enumerate(found.starts):
        start_ev, start_wager, close = _exact_start(found, number, worth[start.label])
        times = result.terms.pays.times(start_ev)
        probability = start_probability(start, result.shoe)
        by_start[start.label] = times * start_ev
        ev += probability * times * start_ev
        average_wager += probability * times * start_wager
        settled += close
    return ExactRound(ev, average_wager, by_start, tuple(settled), found.followed is None, result)


def _beside(found: Exchanges, gone: Sequence[int], limit: int) -> Iterator[tuple[str, _Hands, list[CloseDecision]]]:
    """Yield, by start, what hands are worth beside two cards, and the decisions that were settled exactly."""
    followed = found.followed
    deals = deals_beside(found.terms, found.shoe, gone, found.split_class, followed)
    tied, words = found.terms.pays.tied_blackjack, f" beside {format_values(gone)}" if gone else ""
    for number, analysis in enumerate(deals.analyses):
        decisions = list(deals.decisions(number))
        if analysis.start.is_blackjack:
            nets = {d.hand.values: tied if d.hand.values == (ACE, TEN) else Fraction(-1) for d in decisions}
            yield analysis.start.label, {cards: (net, Fraction(1)) for cards, net in nets.items()}, []
            continue
        fixed = None if followed is None else followed[analysis.start.cards]
        play = StartPlay(analysis, [first_root(d) for d in decisions if d.joint], limit, fixed)
        made, *numbers = play.fractions(partial(_values, decisions, {root.label: root.action for root in play.roots}))
        hands = zip(numbers[::2], numbers[1::2], strict=True)
        worth = {decision.hand.values: of for decision, of in zip(decisions, hands, strict=True)}
        close = [replace(decision, player=decision.player + words) for decision in play.settled]
        yield analysis.start.label, {**worth, _MADE: (made, Fraction(1))}, close


def _values(decisions: Sequence[FirstDecision], actions: Mapping[str, str], at: FollowedStart) -> list[Any]:
    """Return the EV of a round of an ace and a ten that an exchange has made, then EV and units of each hand."""
    values, hand = at.values, int(player_hands().two_cards[ACE, TEN])
    made = values.if_switched()
    rounds = [hand_in_round(at, d.hand, actions.get(d.hand.label, "stand")) for d in decisions]
    once = at.terms.settlement(at.start).once
    return [made - values.p_blackjack(hand) if once else made, *(number for both in rounds for number in both)]


def _exact_start(
    found: Exchanges, number: int, worth: Mapping[tuple[int, ...], _Hands]
) -> tuple[Fraction, Fraction, list[CloseDecision]]:
    """Return the EV and the average wager of all rounds of one dealer start, and which exchanges doubles leave open."""
    (start, _), gain = found.starts[number], found.gain[number]
    shoe, hidden, tied = remove_start(found.shoe, start), start.hidden_blackjack, found.terms.pays.tied_blackjack
    totals, close = [Fraction(0)] * 2, []

    def both(*hands: tuple[int, int]) -> list[Fraction]:
        first, second = ((min(hand), max(hand)) for hand in hands)
        of_first, of_second = (
            worth[other][hand if way == KEEP or hand != (ACE, TEN) else _MADE]
            for hand, other in ((first, second), (second, first))
        )
        return [(x + y) / 2 for x, y in zip(of_first, of_second, strict=True)]

    for cards, orders in alike().items():
        ways = orders * ways_to_deal(shoe, cards)
        if not ways:
            continue
        a, b, c, d = cards
        way = KEEP
        best = both((a, b), (c, d))
        if not start.is_blackjack:
            way = EXCHANGE
            other = both((a, d), (c, b))
            if start.peeks and (naturals := sum({*hand} == {ACE, TEN} for hand in ((a, b), (c, d)))):
                left = shoe.counts[hidden] - shoe.step * cards.count(hidden)
                other[0] += naturals * (tied + 1) * Fraction(left, shoe.total - 4 * shoe.step) / 2
            gap = other[0] - best[0]
            if abs(gain[cards]) <= TIE and a != c and b != d:
                names = (EXCHANGE, KEEP) if gap > 0 else (KEEP, EXCHANGE)
                close.append(CloseDecision(four_cards(cards), start.label, *names, float(abs(gap)), None, abs(gap)))
            if gap > 0:
                best = other
        totals = [total + ways * value for total, value in zip(totals, best, strict=True)]
    deals = falling(shoe.total, 4, shoe.step)
    return totals[0] / deals, totals[1] / deals, close


def exact_deal(deal: Deal, *, primes_below: int = LARGEST_PRIME_BELOW) -> ExactHand:
    """Return what both ways to play four cards are worth as fractions, each hand under its certified play.

    Args:
        deal: the four cards and the dealer's start.
        primes_below: the primes are the largest below this; the result does not depend on it.

    Raises:
        ShoeError: the shoe might run out.
    """
    refuse_running_out(deal.shoe_can_run_out)
    ways, settled = {}, {}
    for way, both in deal.hands.items():
        hands = [exact_hand(hand, primes_below=primes_below) for hand in both]
        ways[way] = sum((hand.actions[hand.best] for hand in hands), Fraction(0)) / 2
        settled.update(dict.fromkeys(decision for hand in hands for decision in hand.settled))
    best = EXCHANGE if ways.get(EXCHANGE, ways[KEEP]) > ways[KEEP] else KEEP
    return ExactHand(ways, best, deal_result(deal), tuple(settled))
