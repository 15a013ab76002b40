"""Whole rounds of blackjack, enumerated card by card: the slow obvious method the engine is tested against.

Nothing of `odds` is used, only the written rules. Every ordering of the shoe is equally likely, so everything
here is a count of orderings: so many of them lead to a position of the game, and of those, n in R go on with a
given rank, where n of the R cards left in the shoe have that rank. Positions that look the same (the cards left
in the shoe, the dealer's cards, the player's hands) are put together; that is the only economy. Counts are
integers, results are `Fraction`s.

Cards are numbers 0 to 12 for A 2 3 ... 9 T J Q K, and their *values* 0 to 9 (0 an ace, 9 any ten). Shoes and hands
may be given in either way: `{"A": 2, "5": 3, "K": 4}` or `{0: 2, 4: 3, 9: 4}` (9 then is the T). Only where pairs
are split by rank do T, J, Q and K differ.

Of the rules these attributes are read: `dealer_hits_soft_17`, `hole_card`, `peeks_under(upcard)`,
`dealer_blackjack_takes`, `blackjack_pays`, `blackjack_tie`, `tie_loses(total)`, `may_double(total, soft)`,
`double_after_split`, `double_split_aces`, `max_hands`, `split_by`, `resplit_aces`, `hit_split_aces`,
`split_blackjack`, `surrender`, `surrender_returns`, `charlie`.

Where the shoe runs out: a player who cannot draw stands with what he has (he neither doubles nor splits), and a
dealer who cannot draw counts as bust. A hole card that was dealt is not in the shoe: no one can draw it.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from math import factorial
from typing import Any, Literal, NamedTuple, Protocol

Action = Literal["stand", "hit", "double", "split", "surrender"]
SplitDeal = Literal["both", "in-turn"]
Outcome = int | Literal["blackjack", "bust"]
Cards = tuple[int, ...]
Counts = tuple[int, ...]
Names = Iterable[int | str]
Shoe = Mapping[Any, int]
Rules = Any

RANKS = "A23456789TJQK"
ACE, TEN = 0, 9
OUTCOMES: tuple[Outcome, ...] = (17, 18, 19, 20, 21, "blackjack", "bust")
ORDER: tuple[Action, ...] = ("stand", "hit", "double", "split", "surrender")  # of equals, the first is taken


class Play(Protocol):
    """What the player does. Hands and dealers are sorted tuples of values (0 to 9).

    Asked only where there is a choice: not with a blackjack, a 21 that stands by itself, a charlie, a bust, or
    a split ace that may have no more cards.
    """

    def first(self, hand: Cards, dealer: Cards, is_pair: bool) -> Action:
        """What to do with the first two cards; `is_pair` says whether they may be split under the rules."""

    def later(self, hand: Cards, dealer: Cards) -> Action:
        """`stand` or `hit`, with three cards or more of a hand that was not split."""

    def after_split(self, hand: Cards, dealer: Cards, pair_value: int) -> Action:
        """`stand`, `hit` or (with two cards, where allowed) `double`, with a hand of a split."""


# --- cards --------------------------------------------------------------------------------------------------


def card_of(name: int | str) -> int:
    """The number of a card given by its number or its name."""
    if isinstance(name, str):
        return RANKS.index("T" if name == "10" else name)
    if not 0 <= name < len(RANKS):
        raise ValueError(f"expected a card from 0 to {len(RANKS) - 1}, got: {name!r}")
    return name


@cache
def values(cards: Cards) -> Cards:
    """The cards' values, sorted: every ten-valued card is a 9."""
    return tuple(sorted(min(card, TEN) for card in cards))


@cache
def total_of(cards: Cards) -> tuple[int, bool]:
    """The total, and whether it is soft: an ace counts eleven where that does not bust."""
    total = sum(value + 1 for value in values(cards))
    soft = ACE in cards and total + 10 <= 21
    return (total + 10 if soft else total), soft


def is_ace_and_ten(cards: Cards) -> bool:
    return values(cards) == (ACE, TEN)


def _cards(names: Names, rules: Rules) -> Cards:
    """Named cards. T, J, Q, K become one where pairs are split by value: a pair always is two equal cards."""
    cards = tuple(sorted(map(card_of, names)))
    return cards if rules.split_by == "rank" else values(cards)


def _counts(shoe: Shoe, rules: Rules) -> Counts:
    counts = [0] * len(RANKS)
    for name, n in shoe.items():
        if n < 0:
            raise ValueError(f"expected a count of cards, got: {n!r}")
        (card,) = _cards([name], rules)
        counts[card] += n
    return tuple(counts)


def _without(counts: Counts, cards: Cards) -> Counts:
    left = list(counts)
    for card in cards:
        left[card] -= 1
        if left[card] < 0:
            raise ValueError(f"the shoe has too few cards of rank {RANKS[card]}")
    return tuple(left)


@lru_cache(maxsize=100_000)
def _next_cards(counts: Counts) -> tuple[tuple[int, int, Counts], ...]:
    """Every card the shoe may give next, how many of them there are, and the shoe after it."""
    return tuple((card, n, _without(counts, (card,))) for card, n in enumerate(counts) if n)


def _draw(counts: Counts, ways: int) -> Iterator[tuple[int, Counts, int]]:
    """Every card the shoe may give next, the shoe after it, and how many of `ways` orderings go on with it."""
    size = sum(counts)
    for card, n, after in _next_cards(counts):
        yield card, after, ways * n // size  # exact: the rest of the shoe is in all its orderings


# --- the dealer ---------------------------------------------------------------------------------------------


class _Dealer:
    """The dealer's hands: by how many orderings of the rest of the shoe he comes to each outcome."""

    def __init__(self, rules: Rules) -> None:
        self.hits_soft_17 = bool(rules.dealer_hits_soft_17)
        self.known: dict[tuple[Counts, Cards], dict[Outcome, int]] = {}

    def outcomes(self, rest: Counts, cards: Cards) -> dict[Outcome, int]:
        cards = values(cards)
        if (rest, cards) not in self.known:
            self.known[rest, cards] = self._outcomes(rest, cards)
        return self.known[rest, cards]

    def _outcomes(self, rest: Counts, cards: Cards) -> dict[Outcome, int]:
        orderings = factorial(sum(rest))
        total, soft = total_of(cards)
        if is_ace_and_ten(cards):
            return {"blackjack": orderings}
        if total > 21:
            return {"bust": orderings}
        if total >= 17 and not (total == 17 and soft and self.hits_soft_17):
            return {total: orderings}
        if not any(rest):
            return {"bust": orderings}
        found: dict[Outcome, int] = defaultdict(int)
        for card, after, ways in _draw(rest, orderings):
            # `ways` is the number of orderings of what is left after that card, once for each such card.
            times = ways // factorial(sum(after))
            for outcome, n in self.outcomes(after, (*cards, card)).items():
                found[outcome] += times * n
        return dict(found)


def dealer_outcomes(shoe: Shoe, rules: Rules, dealer_cards: Iterable[int | str]) -> dict[Outcome, Fraction]:
    """P(17, 18, 19, 20, 21, "blackjack", "bust") from the dealer's first card or two (taken out of `shoe` here).

    Unconditional: dealer blackjacks are in it, and 21 is a 21 which is not one.
    """
    cards = _cards(dealer_cards, rules)
    rest = _without(_counts(shoe, rules), cards)
    found = _Dealer(rules).outcomes(rest, cards)
    return {outcome: Fraction(found.get(outcome, 0), factorial(sum(rest))) for outcome in OUTCOMES}


# --- what the rules allow -----------------------------------------------------------------------------------


def legal_first(rules: Rules, hand: Cards, is_pair: bool) -> tuple[Action, ...]:
    """The actions open to the first two cards (not a blackjack)."""
    legal: list[Action] = ["stand", "hit"]
    if rules.may_double(*total_of(hand)):
        legal.append("double")
    if is_pair:
        legal.append("split")
    if rules.surrender != "none":
        legal.append("surrender")
    return tuple(legal)


def legal_after_split(rules: Rules, hand: Cards, pair_value: int) -> tuple[Action, ...]:
    """The actions open to a hand of a split which has its second card and is neither finished nor split again."""
    total, soft = total_of(hand)
    if pair_value == ACE:
        hit, double = rules.hit_split_aces, rules.double_split_aces
    else:
        hit, double = True, rules.double_after_split
    legal: list[Action] = ["stand"]
    if hit:
        legal.append("hit")
    # A soft 21 is asked about only because of a charlie: it may be hit, not doubled.
    if len(hand) == 2 and double and total < 21 and rules.may_double(total, soft):
        legal.append("double")
    return tuple(legal)


def may_split(rules: Rules, cards: Cards) -> bool:
    """Whether two first cards may be split (by value, T, J, Q and K have become one card by now)."""
    return len(cards) == 2 and cards[0] == cards[1] and bool(rules.max_hands > 1)


def surrenders_early(rules: Rules, upcard: int) -> bool:
    """Whether surrender comes before the dealer's blackjack is known, and is then for good."""
    return rules.surrender == "early" or (rules.surrender == "early-vs-ten" and value_of(upcard) == TEN)


def peeks(rules: Rules, upcard: int) -> bool:
    """Whether the dealer looks for a blackjack under this upcard before the player acts."""
    return rules.hole_card == "peek" and bool(rules.peeks_under(RANKS[value_of(upcard)]))


# --- hands and what they win --------------------------------------------------------------------------------


class Over(NamedTuple):
    """A finished hand: what of it matters when bets are settled."""

    kind: Literal["total", "bust", "charlie", "blackjack", "surrender", "early surrender"]
    total: int
    bet: int


def finish(rules: Rules, cards: Cards, bet: int) -> Over:
    """The hand as it stands (it is no blackjack)."""
    total, _ = total_of(cards)
    if total > 21:
        return Over("bust", 0, bet)
    if rules.charlie is not None and len(cards) >= rules.charlie:
        return Over("charlie", 0, bet)
    return Over("total", total, bet)


def is_finished(rules: Rules, cards: Cards) -> bool:
    """Whether a hand which is no blackjack ends without a question: bust, charlie, or a 21 that stands by itself."""
    total, soft = total_of(cards)
    if total == 21:
        return not (soft and rules.charlie is not None and len(cards) < rules.charlie)
    return finish(rules, cards, 1).kind != "total"


def blackjacks_tied(rules: Rules) -> Fraction:
    return {"push": Fraction(0), "win": Fraction(rules.blackjack_pays), "lose": Fraction(-1)}[rules.blackjack_tie]


def _hand_net(rules: Rules, hand: Over, dealer: Outcome) -> Fraction:
    """What one hand wins against a dealer without blackjack."""
    if hand.kind == "blackjack":
        return Fraction(rules.blackjack_pays)
    if hand.kind == "charlie":
        return Fraction(hand.bet)
    if hand.kind == "bust":
        return Fraction(-hand.bet)
    if hand.kind in ("surrender", "early surrender"):
        return -(1 - Fraction(rules.surrender_returns))
    if dealer == "bust":
        return Fraction(hand.bet)
    assert isinstance(dealer, int)
    if hand.total == dealer:
        return Fraction(-hand.bet if rules.tie_loses(dealer) else 0)
    return Fraction(hand.bet if hand.total > dealer else -hand.bet)


def round_net(rules: Rules, hands: tuple[Over, ...], dealer: Outcome) -> Fraction:
    """What the round wins: all the player's finished hands against the dealer's outcome."""
    if dealer != "blackjack":
        return sum((_hand_net(rules, hand, dealer) for hand in hands), Fraction(0))
    if len(hands) == 1 and hands[0].kind == "blackjack":
        return blackjacks_tied(rules)
    if len(hands) == 1 and hands[0].kind == "early surrender":
        return -(1 - Fraction(rules.surrender_returns))
    # From here on a blackjack that came to light after the player's play: where he has peeked, the round is over.
    if rules.dealer_blackjack_takes == "original":
        return Fraction(-1)
    net = Fraction(0)
    for hand in hands:
        if hand.kind == "blackjack":  # an ace and a ten after a split
            net += blackjacks_tied(rules)
        elif rules.dealer_blackjack_takes == "original-per-hand":
            net -= 1
        else:
            net -= hand.bet
    return net


# --- the round ----------------------------------------------------------------------------------------------


class Hand(NamedTuple):
    """A hand still in play; a bet of 2 is a hand that was doubled and gets one more card."""

    cards: Cards
    bet: int = 1


class Position(NamedTuple):
    """A round in progress. With no hand left in play the player has finished."""

    rest: Counts  # in the shoe; the hole card, if dealt, is not in it
    dealer: Cards  # the upcard, then the hole card if there is one (seen or not)
    over: tuple[Over, ...]  # the hands that are finished, in no order
    hands: tuple[Hand, ...]  # those that are not, from left to right
    pair: int | None = None  # the card that was split
    takes: int = 0  # which of the hands gets the next card


Results = Counter[tuple[Fraction, int]]  # net and total wagered -> orderings of the shoe


class _Game:
    """The rules, a play, and the positions they lead through."""

    def __init__(self, rules: Rules, play: Play, split_deal: SplitDeal = "both") -> None:
        self.rules, self.play, self.split_deal = rules, play, split_deal
        self.dealer = _Dealer(rules)

    def seen(self, dealer: Cards) -> Cards:
        """What the player sees of the dealer's cards."""
        return values(dealer if self.rules.hole_card == "exposed" else dealer[:1])

    def first_action(self, cards: Cards, dealer: Cards) -> Action:
        is_pair = may_split(self.rules, cards)
        action = self.play.first(values(cards), self.seen(dealer), is_pair)
        return _legal(action, legal_first(self.rules, cards, is_pair), cards)

    # One action, and what follows until a card is needed.

    def act(self, at: Position, action: Action) -> Position:
        """The position after this action of the leftmost hand: waiting for a card, or finished."""
        hand, others = at.hands[0], at.hands[1:]
        if not any(at.rest) and action in ("hit", "double", "split"):
            action = "stand"
        if action == "hit":
            return at._replace(takes=0)
        if action == "double":
            return at._replace(hands=(Hand(hand.cards, 2), *others), takes=0)
        if action == "split":
            lone = Hand(hand.cards[:1])
            return self.go_on(at._replace(hands=(lone, lone), pair=hand.cards[0]))
        if action == "surrender":
            early = surrenders_early(self.rules, at.dealer[0])
            return self.close(at, Over("early surrender" if early else "surrender", 0, 1))
        return self.close(at, finish(self.rules, hand.cards, hand.bet))

    def close(self, at: Position, over: Over) -> Position:
        """The leftmost hand is finished; on to the next."""
        return self.go_on(at._replace(over=tuple(sorted((*at.over, over))), hands=at.hands[1:]))

    def go_on(self, at: Position) -> Position:
        """Goes on with the leftmost hand until a card is needed or every hand is finished."""
        if not at.hands:
            return at._replace(pair=None, takes=0)
        shoe_is_empty = not any(at.rest)
        # Hands of a split that still lack their second card: all of them first, or each in its turn.
        for i, hand in enumerate(at.hands if self.split_deal == "both" else at.hands[:1]):
            if len(hand.cards) == 1 and not shoe_is_empty:
                return at._replace(takes=i)
        cards, bet = at.hands[0]
        if at.pair is not None and self.rules.split_blackjack and is_ace_and_ten(cards):
            return self.close(at, Over("blackjack", 21, bet))
        if bet == 2 or shoe_is_empty or is_finished(self.rules, cards):
            return self.close(at, finish(self.rules, cards, bet))
        hand, dealer = values(cards), self.seen(at.dealer)
        if at.pair is None:
            return self.act(at, _legal(self.play.later(hand, dealer), ("stand", "hit"), cards))
        legal = legal_after_split(self.rules, hand, value_of(at.pair))
        if legal == ("stand",):
            return self.act(at, "stand")
        return self.act(at, _legal(self.play.after_split(hand, dealer, value_of(at.pair)), legal, cards))

    def receive(self, at: Position, card: int, rest: Counts) -> Position:
        """The waiting hand gets its card; a new pair of a split is split again as long as there may be more hands."""
        hand = at.hands[at.takes]
        cards = tuple(sorted((*hand.cards, card)))
        now = (Hand(cards, hand.bet),)
        if (
            at.pair is not None
            and cards == (at.pair, at.pair)
            and len(at.over) + len(at.hands) < self.rules.max_hands
            and (at.pair != ACE or self.rules.resplit_aces)
        ):
            now = (Hand(cards[:1]), Hand(cards[:1]))
        return self.go_on(at._replace(rest=rest, hands=at.hands[: at.takes] + now + at.hands[at.takes + 1 :]))

    # All that can follow.

    def results(self, starts: Mapping[Position, int]) -> Results:
        """What comes of these positions, each with its number of orderings; they have equally many cards left.

        One card is dealt at a time in all positions alike, so that those which look the same meet.
        """
        waiting: dict[Position, int] = {}
        finished: dict[Position, int] = defaultdict(int)
        coming: Mapping[Position, int] = starts
        while coming:
            waiting = {}
            for at, ways in coming.items():
                if at.hands:
                    waiting[at] = ways
                else:
                    finished[at] += ways
            following: dict[Position, int] = defaultdict(int)
            for at, ways in waiting.items():
                for card, rest, share in _draw(at.rest, ways):
                    following[self.receive(at, card, rest)] += share
            coming = following
        found: Results = Counter()
        for at, ways in finished.items():
            times = ways // factorial(sum(at.rest))
            wagered = sum(over.bet for over in at.over)
            for outcome, n in self.dealer.outcomes(at.rest, at.dealer).items():
                found[round_net(self.rules, at.over, outcome), wagered] += times * n
        return found

    def round(self, shoe: Counts, dealer_start: Cards | None) -> Results:
        """Every deal (of this dealer start), and what comes of it."""
        found: Results = Counter()
        starts: dict[Position, int] = defaultdict(int)
        for cards, dealer, rest, ways in self.deals(shoe):
            if dealer_start is not None and self.seen(dealer) != dealer_start:
                continue
            if is_ace_and_ten(cards):
                starts[Position(rest, dealer, (Over("blackjack", 21, 1),), ())] += ways
            elif is_ace_and_ten(dealer) and self.rules.hole_card == "exposed":
                found[Fraction(-1), 1] += ways
            elif is_ace_and_ten(dealer) and peeks(self.rules, dealer[0]):
                gives_up = surrenders_early(self.rules, dealer[0]) and (
                    self.first_action(cards, dealer) == "surrender"
                )
                found[-(1 - Fraction(self.rules.surrender_returns)) if gives_up else Fraction(-1), 1] += ways
            else:
                at = Position(rest, dealer, (), (Hand(cards),))
                starts[self.act(at, self.first_action(cards, dealer))] += ways
        found.update(self.results(starts))
        return found

    def deals(self, shoe: Counts) -> Iterator[tuple[Cards, Cards, Counts, int]]:
        """The player's cards, the dealer's upcard and (unless he has none) hole card, the shoe then, orderings."""
        needed = 3 if self.rules.hole_card == "none" else 4
        if sum(shoe) < needed:
            raise ValueError(f"expected a shoe of at least {needed} cards, got: {sum(shoe)}")
        for a, left, n in _draw(shoe, factorial(sum(shoe))):
            for b, left2, n2 in _draw(left, n):
                cards = (min(a, b), max(a, b))
                for up, left3, n3 in _draw(left2, n2):
                    if self.rules.hole_card == "none":
                        yield cards, (up,), left3, n3
                    else:
                        for hole, left4, n4 in _draw(left3, n3):
                            yield cards, (up, hole), left4, n4


def _legal(action: Action, legal: tuple[Action, ...], cards: Cards) -> Action:
    if action not in legal:
        raise ValueError(f"expected one of {legal} for {' '.join(RANKS[c] for c in cards)}, got: {action!r}")
    return action


def _dealer_start(rules: Rules, names: Iterable[int | str]) -> Cards:
    cards = _cards(names, rules)
    if len(cards) != (2 if rules.hole_card == "exposed" else 1):
        raise ValueError(f"expected what the player sees of the dealer's cards, got: {names!r}")
    return cards


def round_results(
    shoe: Shoe,
    rules: Rules,
    play: Play,
    *,
    dealer_start: Iterable[int | str] | None = None,
    split_deal: SplitDeal = "both",
) -> dict[tuple[Fraction, int], Fraction]:
    """P(net result, total wagered) of a round, all of them or those of one dealer start.

    A dealer start is what the player sees: an upcard, or in an exposed game two cards in either order. Dealer
    blackjacks are in it. A bet counts as wagered when it is placed, even if it is returned later; a round that ends by
    a dealer blackjack at once counts 1.
    """
    start = None if dealer_start is None else values(_dealer_start(rules, dealer_start))
    found = _Game(rules, play, split_deal).round(_counts(shoe, rules), start)
    orderings = sum(found.values())
    if not orderings:
        raise ValueError(f"the shoe cannot give the dealer start {dealer_start!r}")
    return {result: Fraction(n, orderings) for result, n in sorted(found.items())}


def round_distribution(
    shoe: Shoe,
    rules: Rules,
    play: Play,
    *,
    dealer_start: Iterable[int | str] | None = None,
    split_deal: SplitDeal = "both",
) -> dict[Fraction, Fraction]:
    """P(net result) of a round in units of the initial wager, in ascending order."""
    found: dict[Fraction, Fraction] = defaultdict(Fraction)
    for (net, _), p in round_results(shoe, rules, play, dealer_start=dealer_start, split_deal=split_deal).items():
        found[net] += p
    return dict(sorted(found.items()))


def round_ev(
    shoe: Shoe,
    rules: Rules,
    play: Play,
    *,
    dealer_start: Iterable[int | str] | None = None,
    split_deal: SplitDeal = "both",
) -> Fraction:
    """The expected net result of a round per unit of the initial wager; conditional on a dealer start, if given."""
    results = round_results(shoe, rules, play, dealer_start=dealer_start, split_deal=split_deal)
    return sum((net * p for (net, _), p in results.items()), Fraction(0))


def average_wager(
    shoe: Shoe,
    rules: Rules,
    play: Play,
    *,
    dealer_start: Iterable[int | str] | None = None,
    split_deal: SplitDeal = "both",
) -> Fraction:
    """The expected total wagered in a round, in units of the initial wager."""
    results = round_results(shoe, rules, play, dealer_start=dealer_start, split_deal=split_deal)
    return sum((wagered * p for (_, wagered), p in results.items()), Fraction(0))


# --- one hand -----------------------------------------------------------------------------------------------


def _worlds(rules: Rules, unseen: Counts, dealer: Cards) -> Iterator[tuple[Cards, Counts, int]]:
    """What the table may be like: the dealer's cards, the shoe, and its number of orderings.

    Any card the player has not seen may be the hole card, except that after a peek it makes no blackjack.
    """
    orderings = factorial(sum(unseen))
    if rules.hole_card != "peek":
        yield dealer, unseen, orderings
        return
    for hole, rest, ways in _draw(unseen, orderings):
        if not (peeks(rules, dealer[0]) and is_ace_and_ten((dealer[0], hole))):
            yield (*dealer, hole), rest, ways


def hand_ev(
    shoe: Shoe,
    rules: Rules,
    play: Play,
    player_cards: Iterable[int | str],
    dealer_cards: Iterable[int | str],
    action: Action,
    *,
    split_deal: SplitDeal = "both",
) -> Fraction:
    """The expected net result of `action` with this hand (not of a split) against this dealer start, then the play.

    All the cards named are taken out of `shoe` here. Where the dealer has peeked, it is conditional on his having no
    blackjack; otherwise his blackjack is in it. An early surrender is the same either way.
    """
    cards, dealer = _cards(player_cards, rules), _dealer_start(rules, dealer_cards)
    if len(cards) < 2:
        raise ValueError(f"expected two cards or more, got: {cards!r}")
    if is_ace_and_ten(dealer):
        raise ValueError("the dealer's blackjack has ended the round")
    natural = is_ace_and_ten(cards)
    if natural or is_finished(rules, cards):
        _legal(action, ("stand",), cards)
    elif len(cards) > 2:
        _legal(action, ("stand", "hit"), cards)
    else:
        _legal(action, legal_first(rules, cards, may_split(rules, cards)), cards)
    game = _Game(rules, play, split_deal)
    starts: dict[Position, int] = defaultdict(int)
    for known, rest, ways in _worlds(rules, _without(_counts(shoe, rules), cards + dealer), dealer):
        if natural:
            starts[Position(rest, known, (Over("blackjack", 21, 1),), ())] += ways
        else:
            starts[game.act(Position(rest, known, (), (Hand(cards),)), action)] += ways
    found = game.results(starts)
    if not found:
        raise ValueError("the dealer must have blackjack: there is no such hand after the peek")
    return sum((net * n for (net, _), n in found.items()), Fraction(0)) / sum(found.values())


# --- the best play ------------------------------------------------------------------------------------------


class BestPlay:
    """For every hand the action of the highest expectation, given exactly the cards the player sees.

    A hand of a split is played as the same cards would be if they were not of a split (and the rest of the shoe
    accordingly), as far as the rules allow after a split. Of equals the first of `ORDER` is taken.
    """

    def __init__(self, shoe: Shoe, rules: Rules, *, splits: bool) -> None:
        self.shoe, self.rules, self.splits = dict(shoe), rules, splits
        by_rank = _counts(shoe, rules)
        self.counts = (*by_rank[:TEN], sum(by_rank[TEN:]), 0, 0, 0)  # who does not split need not tell the tens apart
        # Where he splits by rank: the ten he has two of. The play is asked about T,T without its being said which.
        self.like_ten = next((card for card in range(TEN, len(RANKS)) if by_rank[card] > 1), TEN)
        self.dealer = _Dealer(rules)
        self.known: dict[tuple[Cards, Cards], dict[Action, Fraction]] = {}

    def first(self, hand: Cards, dealer: Cards, is_pair: bool) -> Action:
        evs = self.evs(hand, dealer)
        splits = self.splits and is_pair
        legal = tuple(a for a in legal_first(self.rules, hand, splits) if a != "surrender")
        if splits:
            evs = {**evs, "split": self.split_ev(hand, dealer)}
        best = _best(evs, legal)
        if self.rules.surrender == "none":
            return best
        ev, gives_up = evs[best], evs["surrender"]
        if surrenders_early(self.rules, dealer[0]) and peeks(self.rules, dealer[0]):
            p = self.p_peeked_blackjack(hand, dealer)  # early surrender is decided before the peek
            ev = -p + (1 - p) * ev
        return "surrender" if gives_up > ev else best

    def later(self, hand: Cards, dealer: Cards) -> Action:
        return _best(self.evs(hand, dealer), ("stand", "hit"))

    def after_split(self, hand: Cards, dealer: Cards, pair_value: int) -> Action:
        return _best(self.evs(hand, dealer), legal_after_split(self.rules, hand, pair_value))

    def evs(self, hand: Cards, dealer: Cards) -> dict[Action, Fraction]:
        """The expectation of every action but `split`, whether allowed or not, for cards that are not a blackjack.

        After a peek they are conditional on no dealer blackjack, except that early surrender is what it is.
        """
        if (hand, dealer) not in self.known:
            self.known[hand, dealer] = self._evs(hand, dealer)
        return self.known[hand, dealer]

    def _evs(self, hand: Cards, dealer: Cards) -> dict[Action, Fraction]:
        stand = hit = double = surrender = Fraction(0)
        total = 0
        early = surrenders_early(self.rules, dealer[0])
        for known, rest, ways in _worlds(self.rules, _without(self.counts, hand + dealer), dealer):
            total += ways
            stand += ways * self.settled(finish(self.rules, hand, 1), known, rest)
            gives_up = Over("early surrender" if early else "surrender", 0, 1)
            surrender += ways * self.settled(gives_up, known, rest)
            if not any(rest):  # then he stands
                hit += ways * self.settled(finish(self.rules, hand, 1), known, rest)
                double += ways * self.settled(finish(self.rules, hand, 1), known, rest)
            for card, after, share in _draw(rest, ways):
                more = tuple(sorted((*hand, card)))
                double += share * self.settled(finish(self.rules, more, 2), known, after)
                if is_finished(self.rules, more):
                    hit += share * self.settled(finish(self.rules, more, 1), known, after)
                else:
                    hit += share * max(self.evs(more, dealer)[a] for a in ("stand", "hit"))
        if not total:
            raise ValueError("the dealer must have blackjack: there is no such hand after the peek")
        sums: dict[Action, Fraction] = {"stand": stand, "hit": hit, "double": double, "surrender": surrender}
        return {action: sum_ / total for action, sum_ in sums.items()}

    def settled(self, over: Over, dealer: Cards, rest: Counts) -> Fraction:
        found = self.dealer.outcomes(rest, dealer)
        won = sum((n * round_net(self.rules, (over,), outcome) for outcome, n in found.items()), Fraction(0))
        return won / factorial(sum(rest))

    def split_ev(self, hand: Cards, dealer: Cards) -> Fraction:
        ranks = tuple(self.like_ten if card == TEN else card for card in hand)
        return hand_ev(self.shoe, self.rules, self, ranks, self.seen_ranks(dealer, ranks), "split")

    def seen_ranks(self, dealer: Cards, hand: Cards) -> Cards:
        """The dealer's cards with tens that the shoe has besides the hand's."""
        left = _without(_counts(self.shoe, self.rules), hand)
        ranks: list[int] = []
        for card in dealer:
            free = [c for c in range(TEN, len(RANKS)) if left[c] > ranks.count(c)]
            ranks.append(free[-1] if card == TEN else card)
        return tuple(ranks)

    def p_peeked_blackjack(self, hand: Cards, dealer: Cards) -> Fraction:
        unseen = _without(self.counts, hand + dealer)
        completes = {ACE: TEN, TEN: ACE}[dealer[0]]
        return Fraction(unseen[completes], sum(unseen))


def _best(evs: Mapping[Action, Fraction], legal: tuple[Action, ...]) -> Action:
    return max((action for action in ORDER if action in legal), key=lambda action: evs[action])


def optimal_unsplit(shoe: Shoe, rules: Rules) -> Play:
    """The best play for exactly the cards seen, of a player who never splits."""
    return BestPlay(shoe, rules, splits=False)


def optimal_zero_memory(shoe: Shoe, rules: Rules) -> Play:
    """The best play for exactly the cards of the hand, used again for the hands of a split; he splits where it pays.

    What it forgets are the cards of the other hands of the split. Where pairs are split by rank, the split of two tens
    is judged for one of the ranks: give equally many T, J, Q and K.
    """
    return BestPlay(shoe, rules, splits=True)
