"""Whole rounds of two hands whose second cards may be exchanged, enumerated card by card as in `brute_force`.

Of the rules `switched_blackjack` is read besides: what an ace and a ten are that the exchange has made. After the
exchange a hand is played knowing the dealer's start, its own cards and the other hand's first two cards, so that there
is one play for every two cards of the other hand. The left hand is played out first. With a dealer blackjack that he
looks for, each hand is settled as it was dealt. Shoes do not run out. Results are per unit of one of the two wagers.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple, Protocol

import brute_force as bf
from brute_force import At, Cards, Counts, Over, Player, Rules, Shoe

Four = tuple[int, int, int, int]  # the left hand's first card and second, the right hand's


class Play(Protocol):
    """What the player does. Hands and dealers are tuples of values (0 to 9), sorted; the four cards are as dealt."""

    def exchanges(self, dealt: Four, dealer: Cards) -> bool:
        """Whether the second cards are exchanged."""

    def beside(self, other: Cards) -> bf.Play:
        """How a hand is played beside these first two cards of the other hand."""


class Box(NamedTuple):
    """One of the hands that is played, with all that a split makes of it, and the other hand's first two cards."""

    player: Player
    other: Cards


class Position(NamedTuple):
    """A round in progress, after the exchange."""

    rest: Counts
    dealer: Cards
    boxes: tuple[Box, Box]


def exchanged(dealt: Four) -> Four:
    a, b, c, d = dealt
    return a, d, c, b


def sorted_values(*cards: int) -> Cards:
    return bf.values(tuple(sorted(cards)))


class Table:
    """The rules and a play of two hands."""

    def __init__(self, rules: Rules, play: Play) -> None:
        assert not any(bf.surrenders_early(rules, up) and bf.peeks(rules, up) for up in range(bf.TEN + 1))
        self.rules, self.play = rules, play
        self.game = cache(lambda other: bf._Game(rules, play.beside(other)))

    def is_blackjack(self, cards: Cards, changed: bool) -> bool:
        return bf.is_ace_and_ten(cards) and not (changed and self.rules.switched_blackjack == "21")

    def seen(self, dealer: Cards) -> Cards:
        return bf.values(dealer if self.rules.hole_card == "exposed" else dealer[:1])

    def begin(self, cards: Cards, changed: bool, other: Cards, dealer: Cards, can_draw: bool) -> Player:
        """One hand as it is before its first card is drawn, when its first two are known."""
        game = self.game(other)
        seen = self.seen(dealer)
        if self.is_blackjack(cards, changed):
            return Player((bf.finish(self.rules, cards, 1, At(seen[0]), blackjack=True),), ())
        action = game.first_action(cards, seen)
        return game.act(Player((), (bf.Hand(cards),)), action, seen, can_draw)

    def start(self, dealt: Four, dealer: Cards, rest: Counts) -> Position:
        """The exchange, and the first action of each hand."""
        a, b, c, d = map(min, dealt, [bf.TEN] * 4)
        changed = self.play.exchanges((a, b, c, d), self.seen(dealer))
        a, b, c, d = exchanged(dealt) if changed else dealt
        left, right = tuple(sorted((a, b))), tuple(sorted((c, d)))
        boxes = [
            Box(self.begin(cards, changed, bf.values(other), dealer, any(rest)), bf.values(other))
            for cards, other in ((left, right), (right, left))
        ]
        return Position(rest, dealer, (boxes[0], boxes[1]))

    def results(self, positions: dict[Position, int]) -> bf.Results:
        """What comes of these positions; all have equally many cards in the shoe."""
        settled: dict[tuple[tuple[Over, ...], tuple[Over, ...], bf.Outcome], int] = defaultdict(int)
        while positions:
            following: dict[Position, int] = defaultdict(int)
            for (rest, dealer, boxes), ways in positions.items():
                at = next((i for i, box in enumerate(boxes) if box.player.hands), None)
                if at is None:
                    times = ways if bf.puts_back(rest) else ways // bf.orderings_of(rest)
                    for outcome, n in bf.dealer_ways(self.rules, rest, dealer).items():
                        settled[boxes[0].player.over, boxes[1].player.over, outcome] += times * n
                    continue
                assert any(rest)
                game = self.game(boxes[at].other)
                for card, after, share in bf._draw(rest, ways):
                    player = game.receive(boxes[at].player, card, self.seen(dealer), any(after))
                    box = boxes[at]._replace(player=player)
                    following[Position(after, dealer, (box, boxes[1]) if at == 0 else (boxes[0], box))] += share
            positions = following
        found: bf.Results = bf.Results()
        for (left, right, outcome), ways in settled.items():
            wagered = sum(hand.bet + hand.back for hand in left + right)
            for p, known in bf.by_suits(self.rules, left + right):
                hands = known[: len(left)], known[len(left) :]
                net = sum((bf._round_net(self.rules, of_box, outcome) for of_box in hands), Fraction(0))
                found[net, wagered] += ways * p if p != 1 else ways
        return found

    def round(self, shoe: Counts, dealer_start: Cards | None = None) -> bf.Results:
        """Every deal (of this dealer start), and what comes of it."""
        found: bf.Results = bf.Results()
        positions: dict[Position, int] = defaultdict(int)
        for dealt, dealer, rest, ways in self.deals(shoe):
            if dealer_start is not None and self.seen(dealer) != dealer_start:
                continue
            exposed = self.rules.hole_card == "exposed"
            if len(dealer) == 2 and bf.is_ace_and_ten(dealer) and (exposed or bf.peeks(self.rules, dealer[0])):
                hands = [tuple(sorted(hand)) for hand in (dealt[:2], dealt[2:])]
                found[sum((self.met(hand, dealer) for hand in hands), Fraction(0)), 2] += ways
            else:
                positions[self.start(dealt, dealer, rest)] += ways
        found.update(self.results(positions))
        return found

    def met(self, hand: Cards, dealer: Cards) -> Fraction:
        """What a hand as it was dealt nets against a dealer blackjack that ends the round."""
        if not bf.is_ace_and_ten(hand):
            return Fraction(-1)
        natural = bf.finish(self.rules, hand, 1, At(dealer[0]), blackjack=True)
        return bf.round_net(self.rules, (natural,), "blackjack")

    def deals(self, shoe: Counts) -> Iterator[tuple[Four, Cards, Counts, int]]:
        """Every deal: the player's four cards, the dealer's one or two, the shoe after them, orderings."""

        def draw(left: Counts, n: int, cards: Cards) -> Iterator[tuple[Four, Cards, Counts, int]]:
            if len(cards) == (5 if self.rules.hole_card == "none" else 6):
                yield (cards[0], cards[1], cards[2], cards[3]), cards[4:], left, n
                return
            for card, after, ways in bf._draw(left, n):
                yield from draw(after, ways, (*cards, card))

        return draw(shoe, bf.orderings_of(shoe), ())


def round_results(
    shoe: Shoe, rules: Rules, play: Play, *, dealer_start: bf.Names | None = None
) -> dict[tuple[Fraction, Fraction], Fraction]:
    """P((net result, wagered)) of a round, both per unit of one of the two wagers.

    Both wagers are raised, where that is offered, against each start where the round is worth more than nothing.
    """
    start = None if dealer_start is None else bf.values(bf._dealer_start(rules, dealer_start))
    table, counts, found = Table(rules, play), bf.counted(shoe, rules), bf.Results()
    starts = {start} if start or not rules.raise_after_upcard else {table.seen(deal[1]) for deal in table.deals(counts)}
    for seen in starts:
        of_start = table.round(counts, seen)
        raised = rules.raise_after_upcard and sum(net * n for (net, _), n in of_start.items()) > 0
        times = 1 + Fraction(rules.raise_after_upcard) if raised else 1
        for (net, wagered), n in of_start.items():
            found[times * net, times * wagered] += n
    orderings = sum(found.values())
    return {(net / 2, Fraction(wagered) / 2): Fraction(n, orderings) for (net, wagered), n in sorted(found.items())}


def round_worth(
    shoe: Shoe, rules: Rules, play: Play, *, dealer_start: bf.Names | None = None
) -> tuple[Fraction, Fraction]:
    """The expected net result of a round and the expected wager, per unit of one of the two wagers."""
    results = round_results(shoe, rules, play, dealer_start=dealer_start)
    nets = sum((net * p for (net, _), p in results.items()), Fraction(0))
    return nets, sum((wagered * p for (_, wagered), p in results.items()), Fraction(0))


class Best:
    """The best exchange and the best play of a class after it, each for exactly the cards that it may look at.

    Of equals the cards are left as they were dealt.
    """

    def __init__(self, shoe: Shoe, rules: Rules, of_class: Callable[[Shoe, Rules], bf.BestPlay]) -> None:
        assert rules.split_by == "value"
        self.rules, self.shoe = rules, bf._tens_alike(bf.counted(shoe, rules))
        self.of_class = of_class
        self.plays: dict[Cards, bf.BestPlay] = {}
        self.worths: dict[tuple[Cards, bool, Cards, Cards], Fraction] = {}

    def beside(self, other: Cards) -> bf.BestPlay:
        if other not in self.plays:
            left = bf._without(self.shoe, other)
            self.plays[other] = self.of_class(dict(enumerate(left[: len(bf.RANKS)])), self.rules)
        return self.plays[other]

    def exchanges(self, dealt: Four, dealer: Cards) -> bool:
        keeps, changes = self.both_ways(dealt, dealer)
        return changes > keeps

    def both_ways(self, dealt: Four, dealer: Cards) -> tuple[Fraction, Fraction]:
        """What the two hands are worth together as they were dealt, and exchanged; after a peek."""
        return self.together(dealt, False, dealer), self.together(exchanged(dealt), True, dealer)

    def together(self, cards: Four, changed: bool, dealer: Cards) -> Fraction:
        left, right = sorted_values(*cards[:2]), sorted_values(*cards[2:])
        return self.worth(left, changed, right, dealer) + self.worth(right, changed, left, dealer)

    def worth(self, hand: Cards, changed: bool, other: Cards, dealer: Cards) -> Fraction:
        """What a hand is worth beside the other one."""
        question = hand, changed and bf.is_ace_and_ten(hand), other, dealer
        if question not in self.worths:
            self.worths[question] = self._worth(hand, changed, other, dealer)
        return self.worths[question]

    def _worth(self, hand: Cards, changed: bool, other: Cards, dealer: Cards) -> Fraction:
        best, table = self.beside(other), Table(self.rules, self)
        if table.is_blackjack(hand, changed):
            won, orderings = Fraction(0), 0
            natural = bf.finish(self.rules, hand, 1, At(dealer[0]), blackjack=True)
            for known, rest, ways in bf._worlds(self.rules, bf._without(best.counts, hand + dealer), dealer):
                won += ways * best.settled(natural, known, rest)
                orderings += ways
            return won / orderings
        evs = dict(best.evs(hand, dealer))
        if bf.is_finished(self.rules, hand, At(dealer[0])):
            return evs["stand"]
        is_pair = bf.may_split(self.rules, hand)
        if is_pair:
            evs["split"] = best.split_ev(hand, dealer)
        return max(evs[action] for action in bf.legal_first(self.rules, hand, is_pair, dealer[0]))


class Followed(Best):
    """The best exchange where every hand is played by one play, which never looks at the other hand."""

    def __init__(self, shoe: Shoe, rules: Rules, play: bf.Play) -> None:
        super().__init__(shoe, rules, bf.optimal_unsplit)
        self.play = play
        self.table = Table(rules, self)

    def beside(self, other: Cards) -> Any:
        return self.play

    def _worth(self, hand: Cards, changed: bool, other: Cards, dealer: Cards) -> Fraction:
        left = bf._without(self.shoe, other + hand + dealer)
        starts: dict[bf.Position, int] = defaultdict(int)
        for known, rest, ways in bf._worlds(self.rules, left, dealer):
            starts[bf.Position(rest, known, self.table.begin(hand, changed, other, known, any(rest)))] += ways
        found = bf._Game(self.rules, self.play).results(starts)
        return sum((net * n for (net, _), n in found.items()), Fraction(0)) / sum(found.values())
