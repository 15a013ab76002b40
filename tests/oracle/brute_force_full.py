"""The best play of a split by a player who remembers everything, found card by card: slow and obvious, on tiny shoes.

He plays one hand after the other and decides every time for what is best for the whole round, given all the cards he
has seen, in the order in which he has seen them. Nothing of the engine is used, and nothing of what makes it fast: both
hands are settled together, against every hole card that he cannot exclude, when the last one is finished. As in
`brute_force`, everything is a count of orderings of the cards that he has not seen.
"""

from collections import defaultdict
from fractions import Fraction
from math import factorial
from typing import NamedTuple

import brute_force as bf
from brute_force import ACE, TEN, Action, Cards, Counts, Over, Rules, Shoe


class Worth(NamedTuple):
    """Sums over orderings of the unseen cards in which the dealer, if he has peeked, has no blackjack."""

    won: Fraction
    wagered: int

    def plus(self, other: "Worth", times: int) -> "Worth":
        return Worth(self.won + times * other.won, self.wagered + times * other.wagered)


NOTHING = Worth(Fraction(0), 0)


class FullPlay:
    """The best play of both hands of one split against one dealer start.

    Unseen cards are those of the shoe and the hole card, if there is one that is not seen. Any of them may be the hole
    card, so that a drawn card is any of them, too: what follows is counted over all orderings of the unseen cards.
    """

    def __init__(self, rules: Rules, pair: int, dealer: Cards) -> None:
        assert rules.max_hands == 2
        self.rules, self.pair, self.dealer = rules, pair, dealer
        self.hidden = 1 if rules.hole_card == "peek" else 0
        self.known: dict[tuple[object, ...], Worth] = {}

    def split(self, unseen: Counts) -> Worth:
        """The pair has just been split, and is not among the unseen cards."""
        if self.rules.split_deal == "in-turn":
            return self.draw(unseen, lambda x, left: self.first(left, self.with_card((self.pair,), x), ()))
        return self.draw(
            unseen,
            lambda x, left: self.draw(
                left, lambda y, rest: self.first(rest, self.with_card((self.pair,), x), self.with_card((self.pair,), y))
            ),
        )

    @staticmethod
    def with_card(cards: Cards, card: int) -> Cards:
        return tuple(sorted((*cards, card)))

    def draw(self, unseen: Counts, then) -> Worth:
        """Any unseen card comes next."""
        worth = NOTHING
        for card, n in enumerate(unseen):
            if n:
                worth = worth.plus(then(card, bf._without(unseen, (card,))), n)
        return worth

    def first(self, unseen: Counts, cards: Cards, other: Cards) -> Worth:
        """The first hand is to be played; the other has these cards, if its second one is dealt."""
        return self.play(unseen, cards, lambda left, over: self.second(left, over, other), ("first", other))

    def second(self, unseen: Counts, first: Over, cards: Cards) -> Worth:
        if not cards:
            return self.draw(unseen, lambda y, left: self.second(left, first, self.with_card((self.pair,), y)))
        return self.play(unseen, cards, lambda left, over: self.settle(left, (first, over)), ("second", first))

    def play(self, unseen: Counts, cards: Cards, then, about: tuple[object, ...], doublings: int = 0) -> Worth:
        """The best that can be done with a hand doubled so often, `then` being what follows when it is finished."""
        question = (unseen, cards, about, doublings)
        if question not in self.known:
            worths = {
                action: self.act(unseen, cards, action, then, about, doublings)
                for action in self.legal(unseen, cards, doublings)
            }
            self.known[question] = worths[max(worths, key=lambda action: worths[action].won)]  # the first of equals
        return self.known[question]

    def legal(self, unseen: Counts, cards: Cards, doublings: int) -> tuple[Action, ...]:
        at = bf.At(self.dealer[0], doublings, split=True)
        if self.is_blackjack(cards) or bf.is_finished(self.rules, cards, at) or sum(unseen) <= self.hidden:
            return ("stand",)
        if doublings:
            return bf.legal_doubled(self.rules, cards, doublings, self.dealer[0])
        return bf.legal_after_split(self.rules, bf.values(cards), min(self.pair, TEN), self.dealer[0])

    def is_blackjack(self, cards: Cards) -> bool:
        return bool(self.rules.split_blackjack) and bf.is_ace_and_ten(cards)

    def act(
        self, unseen: Counts, cards: Cards, action: Action, then, about: tuple[object, ...], doublings: int
    ) -> Worth:
        if action == "surrender":
            return then(unseen, bf.give_up(self.rules, self.dealer[0], doublings))
        if action == "stand":
            bet = bf.wager(self.rules, doublings)
            at = bf.At(self.dealer[0], doublings, split=True)
            return then(unseen, bf.finish(self.rules, cards, bet, at, self.is_blackjack(cards)))
        doublings += action == "double"
        return self.draw(
            unseen, lambda card, left: self.play(left, self.with_card(cards, card), then, about, doublings)
        )

    def settle(self, unseen: Counts, hands: tuple[Over, ...]) -> Worth:
        question = ("settle", unseen, tuple(sorted(hands)))
        if question not in self.known:
            self.known[question] = self._settle(unseen, hands)
        return self.known[question]

    def _settle(self, unseen: Counts, hands: tuple[Over, ...]) -> Worth:
        worth = NOTHING
        bets = sum(hand.bet + hand.back for hand in hands)
        if not self.hidden:
            return self._settled(unseen, self.dealer, hands, bets)
        for hole, n in enumerate(unseen):
            dealer = (*self.dealer, hole)
            if n and not (bf.peeks(self.rules, self.dealer[0]) and bf.is_ace_and_ten(dealer)):
                worth = worth.plus(self._settled(bf._without(unseen, (hole,)), dealer, hands, bets), n)
        return worth

    def _settled(self, rest: Counts, dealer: Cards, hands: tuple[Over, ...], bets: int) -> Worth:
        won = Fraction(0)
        for outcome, ways in bf.dealer_ways(self.rules, rest, dealer).items():
            won += ways * bf.round_net(self.rules, hands, outcome)
        return Worth(won, bets * factorial(sum(rest)))


def split_worth(shoe: Shoe, rules: Rules, pair: int, dealer: Cards) -> tuple[Fraction, Fraction]:
    """The expected net result of a split and the expected units wagered, given what the dealer shows.

    `shoe` holds all the cards. Where the dealer has peeked, it is given that he has no blackjack. Pair and dealer are
    values; where tens differ by rank, over the ranks that they may have.
    """
    counts = bf.counted(shoe, rules)
    total, orderings = NOTHING, 0
    for like in _ranks(counts, pair):
        for start in _starts(counts, dealer):
            ways = bf._ways(counts, (like, like, *start))
            if not ways:
                continue
            unseen = bf._without(counts, (like, like, *start))
            total = total.plus(FullPlay(rules, like, start).split(unseen), ways)
            orderings += ways * _not_peeked(rules, unseen, start)
    return total.won / orderings, Fraction(total.wagered, orderings)


def _not_peeked(rules: Rules, unseen: Counts, start: Cards) -> int:
    """Orderings of the unseen cards in which the dealer, if he has peeked, has no blackjack."""
    worlds = 0
    for _, _, ways in bf._worlds(rules, unseen, start):
        worlds += ways
    return worlds


def _ranks(counts: Counts, value: int) -> list[int]:
    return [card for card, n in enumerate(counts) if n and min(card, TEN) == value]


def _starts(counts: Counts, dealer: Cards) -> list[Cards]:
    starts: list[Cards] = [()]
    for value in dealer:
        starts = [(*start, card) for start in starts for card in _ranks(counts, value)]
    return starts


class FullBest(bf.BestPlay):
    """The best unsplit play, and the best of a split in which everything is remembered."""

    def __init__(self, shoe: Shoe, rules: Rules) -> None:
        super().__init__(shoe, rules, splits=True)
        self.worths: dict[tuple[int, Cards], tuple[Fraction, Fraction]] = {}

    def worth(self, pair: int, dealer: Cards) -> tuple[Fraction, Fraction]:
        if (pair, dealer) not in self.worths:
            self.worths[pair, dealer] = split_worth(self.shoe, self.rules, pair, dealer)
        return self.worths[pair, dealer]

    def _split_ev(self, hand: Cards, dealer: Cards) -> Fraction:
        return self.worth(hand[0], dealer)[0]


def round_worth(shoe: Shoe, rules: Rules) -> tuple[Fraction, Fraction]:
    """The expected net result of a whole round and the expected units wagered, everything being remembered."""
    best = FullBest(shoe, rules)
    counts = bf.counted(shoe, rules)
    deals: dict[tuple[Cards, Cards, bool], int] = defaultdict(int)
    blackjacks: dict[tuple[Cards, Cards, bool], int] = defaultdict(int)
    orderings = factorial(sum(counts))
    # What is seen of a deal, and among those the orderings in which the dealer has peeked and found a blackjack.
    for cards, dealer, _, ways in bf._Game(rules, best).deals(counts):
        seen = bf.values(dealer if rules.hole_card == "exposed" else dealer[:1])
        key = (bf.values(cards), seen, bf.may_split(rules, cards))
        deals[key] += ways
        if len(dealer) == 2 and bf.is_ace_and_ten(dealer):
            blackjacks[key] += ways
    won, wagered = Fraction(0), Fraction(0)
    for (hand, seen, is_pair), ways in deals.items():
        caught = blackjacks[hand, seen, is_pair]
        ev, bets = _deal_worth(best, hand, seen, is_pair, Fraction(caught, ways))
        won += ways * ev
        wagered += ways * bets
    return won / orderings, wagered / orderings


def _deal_worth(best: FullBest, hand: Cards, seen: Cards, is_pair: bool, p: Fraction) -> tuple[Fraction, Fraction]:
    """What one deal is worth and how much is wagered; `p` is the probability of a dealer blackjack on the table."""
    rules = best.rules
    natural = bf.finish(rules, hand, 1, bf.At(seen[0]), bf.is_ace_and_ten(hand))
    tied, plain = (
        bf.round_net(rules, (natural,), end) if natural.kind == "blackjack" else Fraction(-1)
        for end in ("blackjack", "bust")
    )
    ends = rules.hole_card == "exposed" or bf.peeks(rules, seen[0])  # whether that blackjack ends the round at once
    if bf.is_ace_and_ten(hand):
        if rules.hole_card == "none" and seen[0] in (ACE, TEN):
            unseen = bf._without(best.counts, hand + seen)
            p = Fraction(unseen[TEN if seen[0] == ACE else ACE], sum(unseen))
        return p * tied + (1 - p) * plain, Fraction(1)
    if not ends:
        p = Fraction(0)
    if p == 1:
        early = bf.surrenders_early(rules, seen[0]) and rules.hole_card != "exposed"
        return bf.surrender_net(rules) if early else Fraction(-1), Fraction(1)
    over = bf.is_finished(rules, hand, bf.At(seen[0]))
    action: Action = "stand" if over else best.first(hand, seen, is_pair)
    if action == "split":
        ev, bets = best.worth(hand[0], seen)
    else:
        tens_alike = dict(enumerate(best.counts))
        ev, bets = bf.hand_worth(tens_alike, rules, best, hand, seen, action)
        assert ev == best.evs(hand, seen)[action]
    if action == "surrender" and bf.surrenders_early(rules, seen[0]):
        return ev, bets
    return (1 - p) * ev - p, (1 - p) * bets + p
