"""How the main hand of a round ends, card by card: whole rounds, all hands played in their order.

The main hand is the first that is finished, as hands are played from left to right. The dealer plays his hand out
whatever the player did. Of bonuses, charlies, redoubles and rescues nothing is known here.
"""

from collections import defaultdict
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import brute_force as bf
from brute_force import TEN, Action, Cards, Counts, Outcome, Over, Player, Position, Rules, Shoe


class Ending(NamedTuple):
    """A round that is over."""

    result: str
    player_total: int
    player_cards: int
    player_blackjack: bool
    dealer_total: int  # 22, and 23 for all that are more
    dealer_blackjack: bool
    margin: int  # by which it wins; 0 where the dealer is bust
    doubled: bool
    split: bool
    dealer_cards: int  # 0 where he is bust


@lru_cache(maxsize=100_000)
def _dealer_hands(hits_17: bool, rest: Counts, cards: Cards) -> dict[tuple[int, int], Fraction]:
    """The probability of each total and number of cards of the dealer's, from his first cards on."""
    total, soft = bf.total_of(cards)
    low = sum(value + 1 for value in bf.values(cards))
    total = low if low > 21 else total
    if len(cards) > 1 and (total > 17 or (total == 17 and not (soft and hits_17))):
        return {(total, len(cards)): Fraction(1)}
    found: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    orderings = bf.orderings_of(rest)
    for card, after, ways in bf._draw(rest, orderings):
        for hand, p in _dealer_hands(hits_17, after, tuple(sorted((*cards, card)))).items():
            found[hand] += p * Fraction(ways) / orderings
    return dict(found)


class _Marked(bf._Game):
    """A game whose first finished hand is marked: with its doubles, whether it was split, and its cards."""

    def act(self, player: Player, action: Action, seen: Cards, can_draw: bool) -> Player:
        if not can_draw or action in ("hit", "double", "split"):
            assert can_draw, "the shoe runs out"
            return super().act(player, action, seen, can_draw)
        over, (hand, *others), pair, _ = player
        if action == "surrender":
            done = bf.give_up(self.rules, seen[0], hand.doublings)
        else:
            natural = self.is_split_blackjack(hand.cards, pair)
            done = hand.finish(self.rules, self.at(hand, seen, pair), natural)
        if not over:
            done = done._replace(lines=(hand.doublings, int(pair is not None)), cards=hand.cards)
        return self.go_on(Player(tuple(sorted((*over, done))), tuple(others), pair), seen, can_draw)

    def ends(self, start: Position) -> dict[Ending, Fraction]:
        """How the round goes on from a position; the sum is 1."""
        found: dict[Ending, Fraction] = defaultdict(Fraction)
        every = bf.orderings_of(start.rest)
        positions: dict[Position, Any] = {start: every}
        while positions:
            following: dict[Position, Any] = defaultdict(int)
            for (rest, dealer, player), ways in positions.items():
                if player.hands:
                    for card, after, share in bf._draw(rest, ways):
                        now = self.receive(player, card, self.seen(dealer), sum(rest) > 1)
                        following[Position(after, dealer, now)] += share
                    continue
                hits = bool(self.rules.dealer_hits_soft_17)
                for (total, cards), p in _dealer_hands(hits, rest, tuple(sorted(dealer))).items():
                    (main,) = (hand for hand in player.over if hand.lines)
                    ending = self.ending(main, len(player.over) > 1, total, cards)
                    found[ending] += p * Fraction(ways) / every
            positions = following
        return found

    def ending(self, main: Over, split: bool, total: int, cards: int) -> Ending:
        """How the main hand ended against a dealer's total of so many cards."""
        dealt = main.cards
        low = sum(value + 1 for value in bf.values(dealt))
        points = low if low > 21 else bf.total_of(dealt)[0]
        blackjack = total == 21 and cards == 2
        if main.kind in ("surrender", "early surrender"):
            result = "surrender"
        else:
            result = _sign(self.net(main, split, total, blackjack))
        margin = max(points - total, 0) if result == "win" and total <= 21 else 0
        natural = not split and bf.is_ace_and_ten(dealt)
        held = 0 if total > 21 else cards
        last = (blackjack, margin, bool(main.lines[0]), split, held)
        return Ending(result, points, len(dealt), natural, min(total, 23), *last)

    def net(self, main: Over, split: bool, total: int, blackjack: bool) -> Fraction:
        """What the main hand wins or loses by itself."""
        hand = main._replace(lines=(), cards=())
        if not blackjack:
            pushes = total == 22 and self.rules.dealer_22 == "push"
            outcome: Outcome = "bust" if total > 21 and not pushes else 22 if pushes else total
            return bf._hand_net(self.rules, hand, outcome)
        if hand.kind != "blackjack" and bf._paid_at_once(self.rules, hand):
            return bf._hand_net(self.rules, hand, "blackjack")
        if split and self.rules.dealer_blackjack_takes == "original":
            return Fraction(-1)
        return bf._hand_net_to_blackjack(self.rules, hand)


def _sign(net: Fraction) -> str:
    return "win" if net > 0 else "loss" if net < 0 else "push"


def endings(shoe: Shoe, rules: Rules, play: bf.Play) -> dict[tuple[Cards, Cards], dict[Ending, Fraction]]:
    """How rounds end, by the player's first two cards and what is seen of the dealer's, and how likely both are."""
    game, counts = _Marked(rules, play), bf.counted(shoe, rules)
    every = bf.orderings_of(counts)
    found: dict[tuple[Cards, Cards], dict[Ending, Fraction]] = {}
    for cards, dealer, rest, ways in game.deals(counts):
        seen = game.seen(dealer)
        p = Fraction(ways) / every
        natural = bf.is_ace_and_ten(cards)
        known = bf.is_ace_and_ten(dealer) and (rules.hole_card == "exposed" or bf.peeks(rules, dealer[0]))
        if known:
            early = not natural and rules.hole_card != "exposed" and bf.surrenders_early(rules, seen[0])
            given_up = early and game.first_action(cards, seen) == "surrender"
            kind = "early surrender" if given_up else "blackjack" if natural else "total"
            main = Over(kind, 16, 1, lines=(0, 0), cards=cards)
            ends = {game.ending(main, split=False, total=21, cards=2): Fraction(1)}
        elif natural:
            main = bf.finish(rules, cards, 1, bf.At(seen[0]), blackjack=True)._replace(lines=(0, 0), cards=cards)
            ends = game.ends(Position(rest, dealer, Player((main,), ())))
        else:
            ends = game.ends(game.begin(cards, game.first_action(cards, seen), dealer, rest))
        of_cards = found.setdefault((cards, seen), defaultdict(Fraction))
        for ending, q in ends.items():
            of_cards[ending] += p * q
    return found


__all__ = ["TEN", "Ending", "endings"]
