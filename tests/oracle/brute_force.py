"""Whole rounds of blackjack, enumerated card by card: the slow obvious method the engine is tested against.

Nothing of `odds` is used, only the written rules. Every ordering of the shoe is equally likely, so everything is
a count of orderings: so many of them lead to a position of the game, and of these, n in R go on with a given
rank, if n of the R cards left in the shoe have that rank. Positions that look the same (the cards in the shoe,
the dealer's cards, the player's hands) are put together; that is the only economy. Counts are integers, results
are `Fraction`s.

Cards are numbers 0 to 12 for A 2 3 ... 9 T J Q K, and their *values* 0 to 9 (0 an ace, 9 any ten). Shoes and
hands may be given in either way: `{"A": 2, "5": 3, "K": 4}` or `{0: 2, 4: 3, 9: 4}` (9 then is the T). Only where
pairs are split by rank do T, J, Q and K differ.

Of the rules these attributes are read: `dealer_hits_soft_17`, `hole_card`, `peeks_under(upcard)`,
`dealer_blackjack_takes`, `blackjack_pays`, `blackjack_tie`, `tie_loses(total)`, `dealer_22`,
`may_double(total, soft)`, `double_cards`, `double_multiples`, `redoubles`, `double_rescue`, `double_after_split`,
`double_split_aces`, `max_hands`, `split_by`, `resplit_aces`, `hit_split_aces`, `split_blackjack`, `surrender`,
`surrender_cards`, `surrender_returns`, `player_21`, `charlie`, `charlie_pays`, `charlie_beats_blackjack`,
`raise_after_upcard`, `bonuses`, `free_double_on`, `free_split`.

Suits are dealt when bets are settled: of `decks` whole decks any card of a rank is as likely as any other. They matter
to the player's hands only, and he does not look at them.

A double is one to the largest of `double_multiples`. A hand that was doubled is given up (`surrender`) by a rescue
where there is one, unless a surrender returns more of what is wagered on it.

Free money wins what own money would, is never lost and is no wager. Of the hands of a free split the leftmost carries
the wager, the others are free; a double of two cards may be free, whoever's money the hand carries.

With infinitely many decks a card that is drawn is put back: probabilities then stand for numbers of orderings.

Where the shoe runs out: a player who cannot draw stands with what he has (he neither doubles nor splits), and
a dealer who cannot draw counts as bust, not as 22. A hole card that was dealt is not in the shoe: no one can draw it.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from math import factorial
from typing import Any, Literal, NamedTuple, Protocol

Action = Literal["stand", "hit", "double", "split", "surrender"]
SplitDeal = Literal["both", "in-turn"]
Outcome = int | Literal["blackjack", "bust"]
Cards = tuple[int, ...]
# How many of each rank; bytes, since they are looked up so often. One more byte, of 0, says that cards are put back.
Counts = bytes
Names = Iterable[int | str]
Shoe = Mapping[Any, int]
Rules = Any

RANKS = "A23456789TJQK"
ACE, TEN = 0, 9
OUTCOMES: tuple[Outcome, ...] = (17, 18, 19, 20, 21, "blackjack", 22, "bust")  # 22 where it is more than a bust
ORDER: tuple[Action, ...] = ("stand", "hit", "double", "split", "surrender")  # of equals, the first is taken


class Play(Protocol):
    """What the player does. Hands and dealers are sorted tuples of values (0 to 9).

    Asked only where there is a choice: not with a blackjack, a 21 that stands by itself, a charlie, a bust, or a
    split ace that may have no more cards.
    """

    def first(self, hand: Cards, dealer: Cards, is_pair: bool) -> Action:
        """What to do with the first two cards; `is_pair` says whether they may be split under the rules."""

    def later(self, hand: Cards, dealer: Cards) -> Action:
        """What to do with three cards or more of a hand that was not split."""

    def after_split(self, hand: Cards, dealer: Cards, pair_value: int) -> Action:
        """What to do with two cards or more of a hand of a split."""

    def doubled(self, hand: Cards, dealer: Cards, doublings: int, pair_value: int | None) -> Action:
        """`stand`, `double` or `surrender`, with a hand doubled so often; with a pair's value if it is of a split."""

    def free(self, hand: Cards, dealer: Cards, pair_value: int) -> Action:
        """The same as `after_split` with a hand of a free split that carries no wager."""


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


def counted(shoe: Shoe, rules: Rules) -> Counts:
    counts = [0] * len(RANKS)
    for name, n in shoe.items():
        if n < 0:
            raise ValueError(f"expected a count of cards, got: {n!r}")
        (card,) = _cards([name], rules)
        counts[card] += n
    return bytes(counts + [0] * (rules.decks == "infinite"))


def puts_back(counts: Counts) -> bool:
    return len(counts) > len(RANKS)


def orderings_of(counts: Counts) -> int:
    """How many orderings of a shoe there are; 1, the probability of any, where cards are put back."""
    return 1 if puts_back(counts) else factorial(sum(counts))


def _without(counts: Counts, cards: Cards) -> Counts:
    if puts_back(counts):
        return counts
    left = list(counts)
    for card in cards:
        left[card] -= 1
        if left[card] < 0:
            raise ValueError(f"the shoe has too few cards of rank {RANKS[card]}")
    return bytes(left)


@lru_cache(maxsize=100_000)
def _next_cards(counts: Counts) -> tuple[tuple[int, int, Counts], ...]:
    """Every card the shoe may give next, how many of them there are, and the shoe after it."""
    return tuple((card, n, _without(counts, (card,))) for card, n in enumerate(counts) if n)


def _draw(counts: Counts, ways: int) -> Iterator[tuple[int, Counts, int]]:
    """Every card the shoe may give next, the shoe after it, and how many of `ways` orderings go on so."""
    size = sum(counts)
    for card, n, after in _next_cards(counts):
        # Exact: the rest of the shoe is in all its orderings.
        yield card, after, Fraction(ways) * n / size if puts_back(counts) else ways * n // size


def full_shoe(rules: Rules) -> dict[str, int]:
    """The cards of the decks of the rules: four of each rank, but for `removed_ranks`, where `10` is the T alone."""
    decks = 1 if rules.decks == "infinite" else rules.decks
    removed = rules.removed_ranks.replace("10", "T").split(",")
    return {rank: 4 * decks for rank in RANKS if rank not in removed}


# --- the dealer ---------------------------------------------------------------------------------------------


@lru_cache(maxsize=100_000)
def _dealer_ways(
    hits_17: bool, pushes_22: bool, rest: Counts, cards: int, hard: int, has_ace: bool
) -> dict[Outcome, int]:
    """How many orderings of the rest of the shoe lead to each outcome.

    The dealer has so many cards (3 stands for any more), which make `hard` with every ace as one.
    """
    orderings = orderings_of(rest)
    soft = has_ace and hard + 10 <= 21
    total = hard + 10 if soft else hard
    if total == 21 and cards == 2:
        return {"blackjack": orderings}
    if total > 21:
        return {22 if total == 22 and pushes_22 else "bust": orderings}
    if total >= 17 and not (total == 17 and soft and hits_17):
        return {total: orderings}
    if not any(rest):
        return {"bust": orderings}
    found: dict[Outcome, int] = defaultdict(int)
    for card, n, after in _next_cards(rest):
        pips = min(card, TEN) + 1
        ways = _dealer_ways(hits_17, pushes_22, after, min(cards + 1, 3), hard + pips, has_ace or card == ACE)
        for outcome, k in ways.items():
            found[outcome] += Fraction(n * k) / sum(rest) if puts_back(rest) else n * k
    return dict(found)


def dealer_ways(rules: Rules, rest: Counts, cards: Cards) -> dict[Outcome, int]:
    """How many orderings of the rest of the shoe lead from the dealer's first cards to each outcome."""
    hard = sum(value + 1 for value in values(cards))
    return dealer_ways_from(rules, rest, min(len(cards), 3), hard, ACE in cards)


def dealer_ways_from(rules: Rules, rest: Counts, cards: int, hard: int, has_ace: bool) -> dict[Outcome, int]:
    """The same from so many cards (3 for any more) that make `hard` with every ace as one."""
    return _dealer_ways(bool(rules.dealer_hits_soft_17), rules.dealer_22 == "push", rest, cards, hard, has_ace)


def dealer_outcomes(shoe: Shoe, rules: Rules, dealer_cards: Names) -> dict[Outcome, Fraction]:
    """P(17, 18, 19, 20, 21, "blackjack", "bust") from the dealer's first cards; 22 apart where it pushes.

    These leave `shoe` here. Unconditional: dealer blackjacks are in it, and 21 is a 21 which is not one.
    """
    cards = _cards(dealer_cards, rules)
    if not cards:
        raise ValueError("expected the dealer's first card or more, got none")
    rest = _without(counted(shoe, rules), cards)
    found = dealer_ways(rules, rest, cards)
    outcomes = [outcome for outcome in OUTCOMES if outcome != 22 or rules.dealer_22 == "push"]
    return {outcome: Fraction(found.get(outcome, 0), orderings_of(rest)) for outcome in outcomes}


# --- what the rules allow -----------------------------------------------------------------------------------


def may_double(rules: Rules, hand: Cards) -> bool:
    """Whether cards may be doubled, of a hand that was not doubled; a soft 21 may be hit for a charlie, not doubled."""
    total, soft = total_of(hand)
    few = rules.double_cards == "any" or len(hand) <= rules.double_cards
    return bool(few and total < 21 and rules.may_double(total, soft))


def surrenders_any(rules: Rules, upcard: int) -> bool:
    """Whether hands that were hit, split or doubled may be surrendered against an upcard."""
    return rules.surrender_cards == "any" and surrender_against(rules, upcard) != "none"


def legal_first(rules: Rules, hand: Cards, is_pair: bool, upcard: int) -> tuple[Action, ...]:
    """The actions open to a hand (not a blackjack, not finished) that was neither split nor doubled."""
    legal: list[Action] = ["stand", "hit"]
    if may_double(rules, hand):
        legal.append("double")
    if is_pair:
        legal.append("split")
    if surrenders_any(rules, upcard) or (len(hand) == 2 and surrender_against(rules, upcard) != "none"):
        legal.append("surrender")
    return tuple(legal)


def legal_doubled(rules: Rules, hand: Cards, doublings: int, upcard: int) -> tuple[Action, ...]:
    """The actions open to a hand (not finished) that was doubled so often: to double it once more, or to give it up."""
    legal: list[Action] = ["stand"]
    if total_of(hand)[0] < 21:
        if doublings <= rules.redoubles:
            legal.append("double")
        if rules.double_rescue or surrenders_any(rules, upcard):
            legal.append("surrender")
    return tuple(legal)


def legal_after_split(rules: Rules, hand: Cards, pair_value: int, upcard: int) -> tuple[Action, ...]:
    """The actions open to a hand of a split that has its second card and is not finished, doubled or split again."""
    hit, double = True, rules.double_after_split
    if pair_value == ACE:
        hit, double = rules.hit_split_aces, double and rules.double_split_aces
    legal: list[Action] = ["stand"]
    if hit:
        legal.append("hit")
    if double and may_double(rules, hand):
        legal.append("double")
    if surrenders_any(rules, upcard) and len(legal) > 1:  # an ace that gets no more cards is finished
        legal.append("surrender")
    return tuple(legal)


def may_split(rules: Rules, cards: Cards) -> bool:
    """Whether two first cards may be split (by value, T, J, Q and K have become one card by now)."""
    return len(cards) == 2 and cards[0] == cards[1] and bool(rules.max_hands > 1)


def splits_free(rules: Rules, pair: int) -> bool:
    """Whether the split of a pair of this card costs nothing."""
    named = re.findall("([A2-9T])(?:-([A2-9T]))?", rules.free_split)
    ranks = "A23456789T"
    return any(ranks.index(low) <= min(pair, TEN) <= ranks.index(high or low) for low, high in named)


def doubles_free(rules: Rules, cards: Cards) -> bool:
    """Whether a double of these cards costs nothing, if they may be doubled."""
    total, soft = total_of(cards)
    kind = ("hard", "soft")[soft]
    named = kind
    for word in re.findall(r"any|hard|soft|\d+(?:-\d+)?", rules.free_double_on if len(cards) == 2 else "none"):
        if word in ("hard", "soft"):
            named = word
        else:
            low, _, high = word.partition("-")
            if word == "any" or (named == kind and int(low) <= total <= int(high or low)):
                return True
    return False


def surrenders_early(rules: Rules, upcard: int) -> bool:
    """Whether surrender comes before the dealer's blackjack is known, and is then for good."""
    return surrender_against(rules, upcard) == "early"


def surrender_against(rules: Rules, upcard: int) -> str:
    """How the first two cards may be surrendered against an upcard: `none`, `late` or `early`."""
    card, text = RANKS[min(upcard, TEN)], rules.surrender
    if text in ("none", "late", "early"):
        return str(text)
    if text == "early-vs-ten":
        return "early" if card == "T" else "late"
    for kind, upcards in re.findall(r"(early|late) ([2-9TA,-]+)", text):
        for low, high in re.findall(r"(\w)(?:-(\w))?", upcards):
            if "23456789TA".index(low) <= "23456789TA".index(card) <= "23456789TA".index(high or low):
                return str(kind)
    return "none"


def peeks(rules: Rules, upcard: int) -> bool:
    """Whether the dealer looks for a blackjack under this upcard before the player acts."""
    return rules.hole_card == "peek" and bool(rules.peeks_under(RANKS[min(upcard, TEN)]))


# --- finished hands and what they win -----------------------------------------------------------------------


class At(NamedTuple):
    """What else about a hand decides whether a bonus is for it."""

    upcard: int
    doublings: int = 0
    split: bool = False


class Over(NamedTuple):
    """A finished hand: what of it matters when bets are settled."""

    kind: Literal["total", "bust", "charlie", "21", "blackjack", "surrender", "early surrender", "bonus"]
    total: int  # of kind "total"; 16 for any lower one too, since no dealer stands there. 21 of a charlie that is a
    # 21 which wins too. Otherwise 0
    bet: int  # of own money
    back: int = 0  # what a rescue took back; it was wagered all the same
    lines: tuple[int, ...] = ()  # of `bonuses`, those that its suits may be paid
    cards: Cards = ()  # of such a hand
    pays: Fraction = Fraction(0)  # of kind "bonus", and of a blackjack that is paid more than others
    free: int = 0  # what wins beside the bet
    initial: int = 1  # of the bet, what was not added to the hand: 0 on a free hand of a split


BLACKJACK = Over("blackjack", 0, 1)  # one that is paid as most are


def bonus_lines(rules: Rules, cards: Cards, at: At | None) -> tuple[int, ...]:
    """The bonuses that are for a hand as far as one can say without its suits; none unless one says where it is."""
    total, _ = total_of(cards)
    found: list[int] = []
    if at is None or total > 21 or len(cards) < 2:
        return ()
    for number, line in enumerate(rules.bonuses):
        asked = tuple(card_of(rank) for rank in line.ranks)
        # A card 9 may be the T alone, or any of T, J, Q, K that are not told apart; in a bonus T is any of them.
        if line.ranks and values(asked) != values(cards):
            continue
        if line.cards is not None and not line.cards[0] <= len(cards) <= line.cards[1]:
            continue
        if line.total is not None and not line.total[0] <= total <= line.total[1]:
            continue
        if line.upcard and card_of(line.upcard) != min(at.upcard, TEN):
            continue
        if (at.split and not line.after_split) or (at.doublings and not line.after_double):
            continue
        found.append(number)
    return tuple(found)


def finish(rules: Rules, cards: Cards, bet: int, at: At | None = None, blackjack: bool = False) -> Over:
    """The hand as it stands; an ace and a ten are a mere 21 here, unless they count as a blackjack."""
    total, _ = total_of(cards)
    lines = bonus_lines(rules, cards, at)
    beside = (0, lines, cards if lines else ())
    if blackjack:
        return Over("blackjack", 0, 1, *beside)
    if total > 21:
        return Over("bust", 0, bet)
    wins = total == 21 and rules.player_21 == "wins"
    if rules.charlie is not None and len(cards) >= rules.charlie:
        return Over("charlie", 21 if wins else 0, bet, *beside)
    if wins:
        return Over("21", 0, bet, *beside)
    return Over("total", max(total, 16), bet, *beside)


def is_finished(rules: Rules, cards: Cards, at: At | None = None) -> bool:
    """Whether a hand ends without a question: bust, charlie, bonus, or a 21 that stands by itself."""
    total, soft = total_of(cards)
    over = finish(rules, cards, 1, at)
    if over.kind != "total" or over.lines:
        return True
    if total < 21:
        return False
    more = (rules.charlie is not None and len(cards) < rules.charlie) or any(
        max(len(line.ranks), 21 if not line.ranks and line.cards is None else 0, line.cards[1] if line.cards else 0) > 2
        for line in rules.bonuses
    )
    return not (soft and more)


@lru_cache(maxsize=100_000)
def by_suits(rules: Rules, hands: tuple[Over, ...]) -> tuple[tuple[Fraction, tuple[Over, ...]], ...]:
    """What finished hands are once their suits are known, and how likely that is."""
    if not any(hand.lines for hand in hands):
        return ((Fraction(1), hands),)
    removed = rules.removed_ranks.replace("10", "T").split(",")
    ten_ranks = [card for card in range(TEN, len(RANKS)) if RANKS[card] not in removed]
    endless = rules.decks == "infinite"
    states: dict[tuple[tuple[frozenset[str], ...], tuple[Cards, ...]], int] = {
        ((frozenset(),) * len(hands), ((),) * len(hands)): 1
    }
    lines = rules.bonuses
    asking = [
        any(lines[i].suits != "any" or {"10", "J", "Q", "K"} & set(lines[i].ranks) for i in hand.lines)
        for hand in hands
    ]
    for card in {card for hand in hands for card in hand.cards}:
        holders = [i for i, hand in enumerate(hands) if asking[i] for other in hand.cards if other == card]
        named = ten_ranks if card == TEN and rules.split_by == "value" else [card]
        after: dict[Any, int] = defaultdict(int)
        for dealt in product([(rank, suit) for rank in named for suit in "cdhs"], repeat=len(holders)):
            ways, gone = 1, Counter[tuple[int, str]]()
            for physical in dealt:
                ways *= 1 if endless else max(rules.decks - gone[physical], 0)
                gone[physical] += 1
            if ways:
                for (suits, tens), n in states.items():
                    seen, held = list(suits), list(tens)
                    for i, (rank, suit) in zip(holders, dealt, strict=True):
                        seen[i] |= {suit}
                        held[i] = tuple(sorted((*held[i], rank))) if rank >= TEN else held[i]
                    after[tuple(seen), tuple(held)] += n * ways
        states = after
    if not states:  # no such cards in the decks, whatever the shoe
        return ((Fraction(1), tuple(hand._replace(lines=(), cards=()) for hand in hands)),)
    every = sum(states.values())
    found: dict[tuple[Over, ...], Fraction] = defaultdict(Fraction)
    for (suits, tens), n in states.items():
        known = tuple(_with_suits(rules, hand, seen, held) for hand, seen, held in zip(hands, suits, tens, strict=True))
        found[known] += Fraction(n, every)
    return tuple((p, known) for known, p in found.items())


def _with_suits(rules: Rules, hand: Over, suits: frozenset[str], tens: Cards) -> Over:
    """The hand with the bonus that pays it most, if one does."""
    paid = []
    for line in (rules.bonuses[number] for number in hand.lines):
        asked = sorted(card_of(rank) for rank in line.ranks if card_of(rank) >= TEN)
        fits = {"any": True, "same": len(suits) == 1, "red": suits <= {"d", "h"}, "black": suits <= {"c", "s"}}.get(
            line.suits, suits == {line.suits[0]}
        )
        if fits and ("T" in line.ranks or not line.ranks or asked == list(tens)):
            paid.append(line.pays)
    plain = hand._replace(lines=(), cards=())
    if not paid:
        return plain
    if hand.kind == "blackjack":
        return plain._replace(pays=max(*paid, Fraction(rules.blackjack_pays)))
    if hand.kind == "charlie":
        paid.append(Fraction(rules.charlie_pays))
    if hand.kind == "21":
        paid.append(Fraction(1))
    return plain._replace(kind="bonus", total=0, pays=max(paid))


def wager(rules: Rules, doublings: int) -> int:
    """What is wagered on a hand that was doubled so often."""
    return int(max(rules.double_multiples)) * 2 ** (doublings - 1) if doublings else 1


def with_free(over: Over, given: bool, raised_free: bool) -> Over:
    """The hand with as much of its money free as was given with it and for its double."""
    free = given + raised_free
    return over._replace(bet=over.bet - free, free=free, initial=1 - given)


def give_up(rules: Rules, upcard: int, doublings: int = 0) -> Over:
    """The hand surrendered; or rescued, which loses what was wagered before its last doubling as a bust would."""
    bet = wager(rules, doublings)
    if doublings and rules.double_rescue:
        lost = wager(rules, doublings - 1)
        if not surrenders_any(rules, upcard) or bet * -surrender_net(rules) >= lost:
            return Over("bust", 0, lost, bet - lost)
    return Over("early surrender" if surrenders_early(rules, upcard) else "surrender", 0, bet)


def surrender_net(rules: Rules) -> Fraction:
    return Fraction(rules.surrender_returns) - 1


def tied_blackjack_net(rules: Rules, hand: Over | None = None) -> Fraction:
    won = {"push": 0, "win": blackjack_net(rules, hand), "lose": -1 if hand is None else -hand.bet}
    return Fraction(won[rules.blackjack_tie])


def blackjack_net(rules: Rules, hand: Over | None) -> Fraction:
    return (hand.pays if hand is not None else 0) or Fraction(rules.blackjack_pays)


def _hand_net(rules: Rules, hand: Over, dealer: Outcome) -> Fraction:
    """What one hand wins against a dealer without blackjack."""
    won = Fraction(hand.bet + hand.free)
    if hand.kind == "blackjack":
        return blackjack_net(rules, hand)
    if hand.kind == "bonus":
        return won * hand.pays
    if hand.kind == "charlie":
        return won * Fraction(rules.charlie_pays)
    if hand.kind == "21":
        return won
    if hand.kind == "bust":
        return Fraction(-hand.bet)
    if hand.kind in ("surrender", "early surrender"):
        return hand.bet * surrender_net(rules)
    if dealer == "bust":
        return won
    assert isinstance(dealer, int)
    if dealer == 22:
        return Fraction(0)
    if hand.total == dealer:
        return Fraction(-hand.bet if rules.tie_loses(dealer) else 0)
    return won if hand.total > dealer else Fraction(-hand.bet)


def _paid_at_once(rules: Rules, hand: Over) -> bool:
    """Whether a hand has its winnings, or is given up for good, before the dealer's blackjack comes to light."""
    return hand.kind in ("21", "early surrender", "bonus") or (
        hand.kind == "charlie" and (rules.charlie_beats_blackjack or hand.total == 21)
    )


def _hand_net_to_blackjack(rules: Rules, hand: Over) -> Fraction:
    """What one hand wins when a dealer blackjack comes to light after the player's play."""
    if hand.kind == "blackjack":
        return tied_blackjack_net(rules, hand)
    if _paid_at_once(rules, hand):
        return _hand_net(rules, hand, "blackjack")
    return Fraction(-hand.initial if rules.dealer_blackjack_takes == "original-per-hand" else -hand.bet)


def round_net(rules: Rules, hands: tuple[Over, ...], dealer: Outcome) -> Fraction:
    """What the round wins, on average over suits; see `round_nets`."""
    return sum((p * net for net, p in round_nets(rules, hands, dealer).items()), Fraction(0))


def round_nets(rules: Rules, hands: tuple[Over, ...], dealer: Outcome) -> dict[Fraction, Fraction]:
    """What the round may win, by the suits of its hands, and how likely that is."""
    found: dict[Fraction, Fraction] = defaultdict(Fraction)
    for p, known in by_suits(rules, hands):
        found[_round_net(rules, known, dealer)] += p
    return dict(found)


def _round_net(rules: Rules, hands: tuple[Over, ...], dealer: Outcome) -> Fraction:
    """What the round wins: all the player's finished hands against the dealer's outcome.

    A dealer blackjack here is one that did not end the round before the player acted.
    """
    if dealer != "blackjack":
        return sum((_hand_net(rules, hand, dealer) for hand in hands), Fraction(0))
    if len(hands) == 1 and hands[0].kind == "blackjack":
        return tied_blackjack_net(rules, hands[0])
    if len(hands) == 1 and _paid_at_once(rules, hands[0]):
        return _hand_net(rules, hands[0], dealer)
    if rules.dealer_blackjack_takes == "original":
        lost = Fraction(-any(hand.initial for hand in hands))  # nothing by a free hand that is looked at alone
        return sum((_hand_net(rules, hand, dealer) for hand in hands if _paid_at_once(rules, hand)), lost)
    return sum((_hand_net_to_blackjack(rules, hand) for hand in hands), Fraction(0))


# --- the round ----------------------------------------------------------------------------------------------


class Hand(NamedTuple):
    """A hand still in play; after each doubling it gets one more card."""

    cards: Cards
    doublings: int = 0
    given: bool = False  # a free hand of a split
    raised_free: bool = False  # its double cost nothing

    def finish(self, rules: Rules, at: At, blackjack: bool = False) -> Over:
        """The hand as it stands."""
        over = finish(rules, self.cards, wager(rules, self.doublings), at, blackjack)
        return with_free(over, self.given, self.raised_free)

    def doubled(self, rules: Rules) -> "Hand":
        return self._replace(doublings=self.doublings + 1, raised_free=doubles_free(rules, self.cards))

    def split(self, rules: Rules, card: int) -> "tuple[Hand, Hand]":
        """Its two hands, of one card each."""
        return Hand((card,), given=self.given), Hand((card,), given=self.given or splits_free(rules, card))


class Player(NamedTuple):
    """The player's side of the table. With no hand left in play he has finished."""

    over: tuple[Over, ...]  # the hands that are finished, sorted
    hands: tuple[Hand, ...]  # those that are not, from left to right
    pair: int | None = None  # the card that was split
    takes: int = 0  # which of the hands gets the next card


class Position(NamedTuple):
    """A round in progress."""

    rest: Counts  # in the shoe; the hole card, if dealt, is not in it
    dealer: Cards  # the upcard, then the hole card if there is one (seen or not)
    player: Player


Results = Counter[tuple[Fraction, int]]  # (net, total wagered): orderings of the shoe, suits shared among them


class _Game:
    """The rules, a play, and the positions they lead through."""

    def __init__(self, rules: Rules, play: Play, split_deal: SplitDeal = "both") -> None:
        if split_deal not in ("both", "in-turn"):
            raise ValueError(f"expected 'both' or 'in-turn', got: {split_deal!r}")
        self.rules, self.play, self.split_deal = rules, play, split_deal
        self.known: dict[tuple[Player, int, Cards, bool], Player] = {}

    # What the player does. He knows his cards and `seen`, and whether there is a card left to be drawn.

    def seen(self, dealer: Cards) -> Cards:
        return values(dealer if self.rules.hole_card == "exposed" else dealer[:1])

    def first_action(self, cards: Cards, seen: Cards) -> Action:
        is_pair = may_split(self.rules, cards)
        if is_finished(self.rules, cards, At(seen[0])):
            return "stand"
        action = self.play.first(values(cards), seen, is_pair)
        return _legal(action, legal_first(self.rules, cards, is_pair, seen[0]), cards)

    def next_action(self, hand: Hand, seen: Cards, pair: int | None) -> Action:
        """What is done with a hand of a split, a doubled one, or an unsplit one of three cards or more."""
        rules, play, cards, doublings = self.rules, self.play, values(hand.cards), hand.doublings
        pair_value = None if pair is None else min(pair, TEN)
        if is_finished(rules, cards, self.at(hand, seen, pair)) or self.is_split_blackjack(cards, pair):
            return "stand"
        if doublings:
            legal = legal_doubled(rules, cards, doublings, seen[0])
        elif pair_value is None:
            legal = legal_first(rules, cards, False, seen[0])
        else:
            legal = legal_after_split(rules, cards, pair_value, seen[0])
        if legal == ("stand",):
            return "stand"
        if doublings:
            return _legal(play.doubled(cards, seen, doublings, pair_value), legal, cards)
        if pair_value is None:
            return _legal(play.later(cards, seen), legal, cards)
        of_split = play.free if hand.given else play.after_split
        return _legal(of_split(cards, seen, pair_value), legal, cards)

    def at(self, hand: Hand, seen: Cards, pair: int | None) -> At:
        return At(seen[0], hand.doublings, pair is not None)

    def is_split_blackjack(self, cards: Cards, pair: int | None) -> bool:
        return pair is not None and bool(self.rules.split_blackjack) and is_ace_and_ten(cards)

    def act(self, player: Player, action: Action, seen: Cards, can_draw: bool) -> Player:
        """What follows this action of the leftmost hand, until a card is needed or all hands are finished."""
        over, (hand, *others), pair, _ = player
        if not can_draw and action in ("hit", "double", "split"):
            action = "stand"
        if action == "hit":
            return Player(over, (hand, *others), pair)
        if action == "double":
            return Player(over, (hand.doubled(self.rules), *others), pair)
        if action == "split":
            return self.go_on(Player(over, hand.split(self.rules, hand.cards[0]), hand.cards[0]), seen, can_draw)
        if action == "surrender":
            done = give_up(self.rules, seen[0], hand.doublings)
        else:
            natural = self.is_split_blackjack(hand.cards, pair)
            done = hand.finish(self.rules, self.at(hand, seen, pair), natural)
        return self.go_on(Player(tuple(sorted((*over, done))), tuple(others), pair), seen, can_draw)

    def go_on(self, player: Player, seen: Cards, can_draw: bool) -> Player:
        """Goes on with the leftmost hand until a card is needed or all hands are finished."""
        over, hands, pair, _ = player
        if not hands:
            return Player(over, ())
        # Hands of a split that lack their second card get it: all of them first, or each in its turn.
        for i, hand in enumerate(hands if self.split_deal == "both" else hands[:1]):
            if len(hand.cards) == 1 and can_draw:
                return Player(over, hands, pair, takes=i)
        action: Action = "stand" if len(hands[0].cards) == 1 else self.next_action(hands[0], seen, pair)
        return self.act(player, action, seen, can_draw)

    def receive(self, player: Player, card: int, seen: Cards, can_draw: bool) -> Player:
        """The waiting hand gets its card; a new pair is split again as long as there may be more hands."""
        question = player, card, seen, can_draw
        if question not in self.known:
            over, hands, pair, takes = player
            cards = tuple(sorted((*hands[takes].cards, card)))
            now: tuple[Hand, ...] = (hands[takes]._replace(cards=cards),)
            if (
                pair is not None
                and cards == (pair, pair)
                and len(over) + len(hands) < self.rules.max_hands
                and (pair != ACE or self.rules.resplit_aces)
            ):
                now = hands[takes].split(self.rules, pair)
            hands = hands[:takes] + now + hands[takes + 1 :]
            self.known[question] = self.go_on(Player(over, hands, pair), seen, can_draw)
        return self.known[question]

    # All that can follow.

    def results(self, starts: Mapping[Position, int]) -> Results:
        """What comes of these positions, each with its orderings; all have equally many cards in the shoe.

        One card is dealt at a time, in all positions alike, so that those that look the same meet.
        """
        settled: dict[tuple[tuple[Over, ...], Outcome], int] = defaultdict(int)
        positions = starts
        while positions:
            following: dict[Position, int] = defaultdict(int)
            for (rest, dealer, player), ways in positions.items():
                if player.hands:
                    seen, can_draw = self.seen(dealer), sum(rest) > 1
                    for card, after, share in _draw(rest, ways):
                        following[Position(after, dealer, self.receive(player, card, seen, can_draw))] += share
                else:
                    # Exact: the rest is in all its orderings.
                    times = ways if puts_back(rest) else ways // orderings_of(rest)
                    for outcome, n in dealer_ways(self.rules, rest, dealer).items():
                        settled[player.over, outcome] += times * n
            positions = following
        found: Results = Counter()
        for (over, outcome), ways in settled.items():
            wagered = sum(hand.bet + hand.back for hand in over)
            for net, p in round_nets(self.rules, over, outcome).items():
                found[net, wagered] += ways * p if p != 1 else ways
        return found

    def begin(self, cards: Cards, action: Action, dealer: Cards, rest: Counts) -> Position:
        """The position after the player's first action (with two cards, or in the midst of a round)."""
        player = Player((), (Hand(cards),))
        return Position(rest, dealer, self.act(player, action, self.seen(dealer), any(rest)))

    def raised_round(self, shoe: Counts, dealer_start: Cards | None) -> Results:
        """The same as `round`, the wager being raised against each start where the round is worth more than nothing."""
        share = Fraction(self.rules.raise_after_upcard)
        if not share:
            return self.round(shoe, dealer_start)
        found: Results = Counter()
        first_card = self.first_card
        for start in {self.seen(dealer) for _, dealer, _, _ in self.deals(shoe)}:
            if dealer_start is None or start == dealer_start:
                self.first_card = None  # which the player does not see yet
                worth = sum(net * ways for (net, _), ways in self.round(shoe, start).items())
                self.first_card = first_card
                times = 1 + share if worth > 0 else 1
                for (net, wagered), ways in self.round(shoe, start).items():
                    found[times * net, times * wagered] += ways
        return found

    def round(self, shoe: Counts, dealer_start: Cards | None) -> Results:
        """Every deal (of this dealer start), and what comes of it."""
        found: Results = Counter()
        starts: dict[Position, int] = defaultdict(int)
        for cards, dealer, rest, ways in self.deals(shoe):
            seen = self.seen(dealer)
            if dealer_start is not None and seen != dealer_start:
                continue
            if is_ace_and_ten(cards):
                natural = finish(self.rules, cards, 1, At(seen[0]), blackjack=True)
                starts[Position(rest, dealer, Player((natural,), ()))] += ways
            elif is_ace_and_ten(dealer) and self.rules.hole_card == "exposed":
                found[Fraction(-1), 1] += ways
            elif is_ace_and_ten(dealer) and peeks(self.rules, dealer[0]):
                early = surrenders_early(self.rules, dealer[0])
                if early and self.first_action(cards, seen) == "surrender":
                    found[surrender_net(self.rules), 1] += ways
                else:
                    found[Fraction(-1), 1] += ways
            else:
                starts[self.begin(cards, self.first_action(cards, seen), dealer, rest)] += ways
        found.update(self.results(starts))
        return found

    first_card: int | None = None  # the player's, where only deals with it are asked for

    def deals(self, shoe: Counts) -> Iterator[tuple[Cards, Cards, Counts, int]]:
        """Every deal: the player's cards, the dealer's one or two, the shoe after them, orderings."""
        needed = 3 if self.rules.hole_card == "none" else 4
        if sum(shoe) < needed:
            raise ValueError(f"expected a shoe of at least {needed} cards, got: {sum(shoe)}")
        for a, left, n in _draw(shoe, orderings_of(shoe)):
            if self.first_card not in (None, min(a, TEN)):
                continue
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
        raise ValueError(f"expected one of {legal} for {''.join(RANKS[c] for c in cards)}, got: {action!r}")
    return action


def _dealer_start(rules: Rules, names: Names) -> Cards:
    cards = _cards(names, rules)
    if len(cards) != (2 if rules.hole_card == "exposed" else 1):
        raise ValueError(f"expected what the player sees of the dealer's cards, got: {names!r}")
    return cards


def round_results(
    shoe: Shoe, rules: Rules, play: Play, *, dealer_start: Names | None = None, split_deal: SplitDeal = "both"
) -> dict[tuple[Fraction, int], Fraction]:
    """P((net result, total wagered)) of a round: of any round, or given this dealer start.

    A dealer start is what the player sees: an upcard, or in an exposed game two cards in either order. Dealer
    blackjacks are in it. A bet counts as wagered when it is placed, even if it is returned later; a round that is
    ended at once by a dealer blackjack counts 1.
    """
    start = None if dealer_start is None else values(_dealer_start(rules, dealer_start))
    found = _Game(rules, play, split_deal).raised_round(counted(shoe, rules), start)
    orderings = sum(found.values())
    if not orderings:
        raise ValueError(f"the shoe cannot give the dealer start {dealer_start!r}")
    return {result: Fraction(n, orderings) for result, n in sorted(found.items())}


def round_distribution(
    shoe: Shoe, rules: Rules, play: Play, *, dealer_start: Names | None = None, split_deal: SplitDeal = "both"
) -> dict[Fraction, Fraction]:
    """P(net result) of a round, in units of the initial wager and in ascending order."""
    results = round_results(shoe, rules, play, dealer_start=dealer_start, split_deal=split_deal)
    found: dict[Fraction, Fraction] = defaultdict(Fraction)
    for (net, _), p in results.items():
        found[net] += p
    return dict(found)


def round_ev(
    shoe: Shoe, rules: Rules, play: Play, *, dealer_start: Names | None = None, split_deal: SplitDeal = "both"
) -> Fraction:
    """The expected net result of a round per unit of the initial wager; of any round, or given a start."""
    results = round_results(shoe, rules, play, dealer_start=dealer_start, split_deal=split_deal)
    return sum((net * p for (net, _), p in results.items()), Fraction(0))


def ev_by_first_card(shoe: Shoe, rules: Rules, play: Play, card: int) -> tuple[Fraction, Fraction]:
    """The probability that the player's first card has this value, and the expected net result of a round given it."""
    game = _Game(rules, play)
    game.first_card = card
    found = game.raised_round(counted(shoe, rules), None)
    orderings = sum(found.values())
    total = sum((net * n for (net, _), n in found.items()), Fraction(0))
    return Fraction(orderings, orderings_of(counted(shoe, rules))), total / orderings


def average_wager(
    shoe: Shoe, rules: Rules, play: Play, *, dealer_start: Names | None = None, split_deal: SplitDeal = "both"
) -> Fraction:
    """The expected total wagered in a round, in units of the initial wager."""
    results = round_results(shoe, rules, play, dealer_start=dealer_start, split_deal=split_deal)
    return sum((wagered * p for (_, wagered), p in results.items()), Fraction(0))


# --- one hand -----------------------------------------------------------------------------------------------


def _worlds(rules: Rules, unseen: Counts, dealer: Cards) -> Iterator[tuple[Cards, Counts, int]]:
    """What the table may be like: the dealer's cards, the shoe, and its number of orderings.

    Any card the player has not seen may be the hole card, except that after a peek it makes no blackjack.
    """
    orderings = orderings_of(unseen)
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
    player_cards: Names,
    dealer_cards: Names,
    action: Action,
    *,
    split_deal: SplitDeal = "both",
) -> Fraction:
    """The expected net result of `action` with this hand (not of a split), then the play; see `hand_worth`."""
    return hand_worth(shoe, rules, play, player_cards, dealer_cards, action, split_deal=split_deal)[0]


def hand_worth(
    shoe: Shoe,
    rules: Rules,
    play: Play,
    player_cards: Names,
    dealer_cards: Names,
    action: Action,
    *,
    split_deal: SplitDeal = "both",
) -> tuple[Fraction, Fraction]:
    """The expected net result of `action` with this hand (not of a split), then the play, and the expected wager.

    The cards named leave `shoe` here. Where the dealer has peeked, it is conditional on his having no
    blackjack; otherwise his blackjack is in it. An early surrender is the same either way.
    """
    cards, dealer = _cards(player_cards, rules), _dealer_start(rules, dealer_cards)
    if len(cards) < 2:
        raise ValueError(f"expected two cards or more, got: {cards!r}")
    if is_ace_and_ten(dealer):
        raise ValueError("the dealer's blackjack has ended the round")
    natural = is_ace_and_ten(cards)
    if natural or is_finished(rules, cards, At(dealer[0])):
        _legal(action, ("stand",), cards)
    else:
        _legal(action, legal_first(rules, cards, may_split(rules, cards), dealer[0]), cards)
    game = _Game(rules, play, split_deal)
    starts: dict[Position, int] = defaultdict(int)
    for known, rest, ways in _worlds(rules, _without(counted(shoe, rules), cards + dealer), dealer):
        if natural:
            starts[Position(rest, known, Player((finish(rules, cards, 1, At(dealer[0]), True),), ()))] += ways
        else:
            starts[game.begin(cards, action, known, rest)] += ways
    found = game.results(starts)
    if not found:
        raise ValueError("the dealer must have blackjack: there is no such hand after the peek")
    orderings = sum(found.values())
    total = sum((net * n for (net, _), n in found.items()), Fraction(0))
    return total / orderings, Fraction(sum(wagered * n for (_, wagered), n in found.items()), orderings)


def free_hand_ev(
    shoe: Shoe, rules: Rules, play: Play, player_cards: Names, dealer_cards: Names, action: Action, pair: int
) -> Fraction:
    """The expected net result of `action` with a hand of a free split that has no wager, then the play.

    The cards named leave `shoe` here; what the other hands of the split are is not known. Otherwise as `hand_worth`,
    but that the round's one unit that a dealer blackjack takes (`original`) is not this hand's.
    """
    cards, dealer = _cards(player_cards, rules), _dealer_start(rules, dealer_cards)
    _legal(action, legal_after_split(rules, values(cards), min(pair, TEN), dealer[0]), cards)
    game = _Game(rules, play)
    starts: dict[Position, int] = defaultdict(int)
    for known, rest, ways in _worlds(rules, _without(counted(shoe, rules), cards + dealer), dealer):
        player = Player((), (Hand(cards, given=True),), pair)
        starts[Position(rest, known, game.act(player, action, game.seen(known), any(rest)))] += ways
    found = game.results(starts)
    return sum((net * n for (net, _), n in found.items()), Fraction(0)) / sum(found.values())


# --- the best play ------------------------------------------------------------------------------------------


class BestPlay:
    """For every hand the action of the highest expectation, given exactly the cards the player sees.

    A hand of a split is played as the same cards would be if they were not of a split (with the shoe as it
    would be then, and free money if it has that), as far as the rules allow after a split. Of equals the first of
    `ORDER` is taken.
    """

    def __init__(self, shoe: Shoe, rules: Rules, *, splits: bool) -> None:
        self.shoe, self.rules, self.splits = dict(shoe), rules, splits
        self.by_rank = counted(shoe, rules)
        self.counts = _tens_alike(self.by_rank)
        self.known: dict[tuple[Hand, Cards], dict[Action, Fraction]] = {}
        self.known_splits: dict[tuple[Cards, Cards], Fraction] = {}

    def first(self, hand: Cards, dealer: Cards, is_pair: bool) -> Action:
        splits = self.splits and is_pair
        legal = legal_first(self.rules, hand, splits, dealer[0])
        if surrenders_early(self.rules, dealer[0]) and self.p_peeked_blackjack(hand, dealer) == 1:
            return "surrender"  # there is nothing after the peek to compare with
        evs = dict(self.evs(hand, dealer))
        if splits:
            evs["split"] = self.split_ev(hand, dealer)
        if surrenders_early(self.rules, dealer[0]):  # he decides before the peek
            p = self.p_peeked_blackjack(hand, dealer)
            evs = {action: ev if action == "surrender" else (1 - p) * ev - p for action, ev in evs.items()}
        return _best(evs, legal)

    def later(self, hand: Cards, dealer: Cards) -> Action:
        return _best(self.evs(hand, dealer), self.legal(hand, dealer, 0))

    def after_split(self, hand: Cards, dealer: Cards, pair_value: int) -> Action:
        return _best(self.evs(hand, dealer), legal_after_split(self.rules, hand, pair_value, dealer[0]))

    def doubled(self, hand: Cards, dealer: Cards, doublings: int, pair_value: int | None) -> Action:
        return _best(self.evs(hand, dealer, doublings), self.legal(hand, dealer, doublings))

    def free(self, hand: Cards, dealer: Cards, pair_value: int) -> Action:
        return _best(self.evs(hand, dealer, given=True), legal_after_split(self.rules, hand, pair_value, dealer[0]))

    def legal(self, hand: Cards, dealer: Cards, doublings: int) -> tuple[Action, ...]:
        """The actions open to a hand of three cards or more."""
        if is_finished(self.rules, hand, At(dealer[0], doublings)):
            return ("stand",)
        if doublings:
            return legal_doubled(self.rules, hand, doublings, dealer[0])
        return legal_first(self.rules, hand, False, dealer[0])

    def evs(self, hand: Cards, dealer: Cards, doublings: int = 0, given: bool = False) -> dict[Action, Fraction]:
        """The expectation of every action but `split`, allowed or not, for cards that are not a blackjack.

        After a peek they are conditional on no dealer blackjack, except that early surrender is what it is.
        """
        return self._evs(Hand(hand, doublings, given), dealer)

    def _evs(self, hand: Hand, dealer: Cards) -> dict[Action, Fraction]:
        if (hand, dealer) not in self.known:
            self.known[hand, dealer] = self._found_evs(hand, dealer)
        return self.known[hand, dealer]

    def _found_evs(self, hand: Hand, dealer: Cards) -> dict[Action, Fraction]:
        sums: dict[Action, Fraction] = defaultdict(Fraction)
        orderings, cards, doublings = 0, hand.cards, hand.doublings
        for known, rest, ways in _worlds(self.rules, _without(self.counts, cards + dealer), dealer):
            orderings += ways
            stands = ways * self.settled(hand.finish(self.rules, At(dealer[0], doublings)), known, rest)
            sums["stand"] += stands
            sums["surrender"] += ways * self.settled(give_up(self.rules, dealer[0], doublings), known, rest)
            if not any(rest):  # nothing to draw: he stands
                sums["hit"] += stands
                sums["double"] += stands
            for card, after, share in _draw(rest, ways):
                more = tuple(sorted((*cards, card)))
                if not doublings:
                    sums["hit"] += share * self._value(hand._replace(cards=more), dealer, known, after)
                if doublings <= self.rules.redoubles:
                    doubled = hand.doubled(self.rules)._replace(cards=more)
                    sums["double"] += share * self._value(doubled, dealer, known, after)
        if not orderings:
            raise ValueError("the dealer must have blackjack: there is no such hand after the peek")
        return {action: ev / orderings for action, ev in sums.items()}

    def _value(self, hand: Hand, dealer: Cards, known: Cards, rest: Counts) -> Fraction:
        """A hand of three cards or more at its best; where nothing is to be decided, as things really lie."""
        legal = self.legal(hand.cards, dealer, hand.doublings)
        if legal == ("stand",):
            return self.settled(hand.finish(self.rules, At(dealer[0], hand.doublings)), known, rest)
        evs = self._evs(hand, dealer)
        return max(evs[action] for action in legal)

    def settled(self, over: Over, dealer: Cards, rest: Counts) -> Fraction:
        """The expected net result of a finished hand, before the dealer draws."""
        won = Fraction(0)
        for outcome, ways in dealer_ways(self.rules, rest, dealer).items():
            won += ways * round_net(self.rules, (over,), outcome)
        return won / orderings_of(rest)

    def split_ev(self, hand: Cards, dealer: Cards) -> Fraction:
        """The expectation of a split; where tens differ by rank, over the ranks that these tens may have."""
        if (hand, dealer) not in self.known_splits:
            self.known_splits[hand, dealer] = self._split_ev(hand, dealer)
        return self.known_splits[hand, dealer]

    def _split_ev(self, hand: Cards, dealer: Cards) -> Fraction:
        won, orderings = Fraction(0), 0
        tens = range(TEN, len(RANKS))
        for pair in tens if hand[0] == TEN else hand[:1]:
            for start in product(*(tens if card == TEN else (card,) for card in dealer)):
                if ways := _ways(self.by_rank, (pair, pair, *start)):
                    won += ways * hand_ev(self.shoe, self.rules, self, (pair, pair), start, "split")
                    orderings += ways
        return won / orderings

    def p_peeked_blackjack(self, hand: Cards, dealer: Cards) -> Fraction:
        """P(dealer blackjack) before he looks, for what is seen; 0 where he does not look."""
        if not peeks(self.rules, dealer[0]) or dealer[0] not in (ACE, TEN):
            return Fraction(0)
        unseen = _without(self.counts, hand + dealer)
        return Fraction(unseen[TEN if dealer[0] == ACE else ACE], sum(unseen))


def _best(evs: Mapping[Action, Fraction], legal: tuple[Action, ...]) -> Action:
    return max((action for action in ORDER if action in legal), key=lambda action: evs[action])


def _tens_alike(counts: Counts) -> Counts:
    """The shoe with every ten-valued card as a T."""
    return bytes((*counts[:TEN], sum(counts[TEN:]), *[0] * (len(counts) - TEN - 1)))


def _ways(counts: Counts, cards: Cards) -> int:
    """In how many ways these cards can be drawn, one after another."""
    left, ways = list(counts), 1
    for card in cards:
        ways *= left[card]
        left[card] -= not puts_back(counts)
    return ways


def optimal_unsplit(shoe: Shoe, rules: Rules) -> BestPlay:
    """The best play for exactly the cards seen, of a player who never splits."""
    return BestPlay(shoe, rules, splits=False)


def optimal_zero_memory(shoe: Shoe, rules: Rules) -> BestPlay:
    """The same, used again for the hands of a split, of a player who splits where that is best.

    What he forgets are the cards of the other hands of the split.
    """
    return BestPlay(shoe, rules, splits=True)


class SplitPlay(BestPlay):
    """The best play of a hand of a split for exactly its cards, and one more card of the pair known to be gone."""

    def __init__(self, shoe: Shoe, rules: Rules, pair_value: int) -> None:
        super().__init__(shoe, rules, splits=False)
        self.pair_value = pair_value
        self.counts = _without(self.counts, (pair_value,))

    def legal(self, hand: Cards, dealer: Cards, doublings: int) -> tuple[Action, ...]:
        if doublings or is_finished(self.rules, hand):
            return super().legal(hand, dealer, doublings)
        return legal_after_split(self.rules, hand, self.pair_value, dealer[0])


class OneMoreGone(BestPlay):
    """The best play before a split, and for the hands of a split that of `SplitPlay`, the same for all of them."""

    def __init__(self, shoe: Shoe, rules: Rules) -> None:
        super().__init__(shoe, rules, splits=True)
        self.of_pair = cache(lambda pair_value: SplitPlay(shoe, rules, pair_value))

    def after_split(self, hand: Cards, dealer: Cards, pair_value: int) -> Action:
        return self.of_pair(pair_value).after_split(hand, dealer, pair_value)

    def free(self, hand: Cards, dealer: Cards, pair_value: int) -> Action:
        return self.of_pair(pair_value).free(hand, dealer, pair_value)

    def doubled(self, hand: Cards, dealer: Cards, doublings: int, pair_value: int | None) -> Action:
        of = super() if pair_value is None else self.of_pair(pair_value)
        return of.doubled(hand, dealer, doublings, pair_value)
