"""The referee in plain terms: rules and plays as it takes them, and single rounds with the cards in a given order.

The referee (`odds._simulator`) plays the written rules card by card and shares no arithmetic with the engine. It knows
the rules as integers and a play as tables of actions; everything else it works out from the cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import gcd
from typing import TYPE_CHECKING, Any

import numpy as np

from odds._simulator import Referee
from odds.engine.actions import NUMBER
from odds.engine.hands import ACE, N_VALUES, TEN, player_hands
from odds.errors import HandError, PaytableError, RulesError, ShoeError
from odds.game.bonuses import SUIT_SETS, Bonus
from odds.game.cards import RANK_SYMBOLS, RANKS, SUITS, parse_cards
from odds.game.deck import KINDS
from odds.game.fields import ranks_of, show_value, surrender_by_upcard
from odds.sidebets.conditions import LAYOUTS
from odds.sidebets.matcher import compiled, matcher
from odds.sidebets.paytable import MAX_LINES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from odds._simulator import Fault
    from odds.engine.play import StartTable
    from odds.game.cards import Card
    from odds.game.rules import Rules
    from odds.game.shoe import Shoe
    from odds.sidebets.paytable import Paytable
    from odds.sidebets.shoe import SuitedShoe

# In the order of their numbers in `ext/actions.h`, and what two hands are offered.
ACTIONS = (*NUMBER, "switch")
_EVENTS = (*ACTIONS, "card", "hole card", "peek")
_ENDS = ("", "stand", "bust", "charlie", "21", "blackjack", "surrender", "surrender", "even_money", "rescue", "bonus")
_HOLE_CARDS = ("peek", "none", "exposed")
_TAKES = ("all", "original", "original-per-hand")
_TIES = ("push", "win", "lose")
_SURRENDERS = ("none", "late", "early")
_FREE_HANDS = 2  # the row of `StartTable.doubled_after_split` that is of hands of free money, not of doubled ones
WAGERED = 0  # the first of the counts of a round, in units
_NOT_IN_PLAY, _NO_CARD_LEFT = 2, 3
_SAYS_NOTHING = 255
_TOTALS = range(22)
_MOST_EVENTS = 256
_MOST_LINES = MAX_LINES + 2  # the losing one, and that there was no bet
# Before 21 points, and a card more, of every hand and of the dealer.
_MOST_CARDS = 9 * 22
_MOST_BONUSES = 32


@dataclass(frozen=True, slots=True)
class SwitchPlay:
    """The play of two hands whose second cards may be exchanged.

    Attributes:
        exchanges: by the dealer's cards, and by the value indexes a, b, c, d of a first hand a,b and a second c,d,
            whether b and d are exchanged.
        beside: by the value indexes, lower first, of the first two cards that the other hand has after that, the
            tables of a hand, as `RoundResult.tables`; an ace and a ten are not played.
    """

    exchanges: Mapping[tuple[int, ...], NDArray[np.bool_]]
    beside: Mapping[tuple[int, int], Mapping[tuple[int, ...], StartTable]]


def referee(
    rules: Rules, tables: Mapping[tuple[int, ...], StartTable] | SwitchPlay | None = None, raised: Collection[str] = ()
) -> Referee:
    """Return the referee of some rules.

    Args:
        rules: the rules.
        tables: the play, by the dealer's cards, as `RoundResult.tables`, or that of two hands under rules with a
            switch; without it only answers that are given can be played.
        raised: the dealer's cards against which the play raises the wager, as `RoundResult.raised`.
    """
    graph = player_hands().graph
    roots = np.array([player_hands().find([value]) for value in range(N_VALUES)], dtype=np.int32)
    next_hand = np.ascontiguousarray(np.vstack([graph.next_hand, roots]))
    pairs = list(combinations_with_replacement(range(N_VALUES), 2))
    two = tables if isinstance(tables, SwitchPlay) else SwitchPlay({}, {(0, 0): {} if tables is None else tables})
    starts = list(dict.fromkeys(start for of_hand in two.beside.values() for start in of_hand))
    # Each start has a row, or of two hands one for each two cards of the other; the last are of those without a table.
    step = len(pairs) if rules.switch else 1
    nothing = len(starts) * step
    start_of = np.full((N_VALUES, N_VALUES), nothing, dtype=np.int32)
    first = np.full((nothing + step, N_VALUES, N_VALUES, 2), _SAYS_NOTHING, dtype=np.uint8)
    unsplit = np.full((nothing + step, graph.size), _SAYS_NOTHING, dtype=np.uint8)
    split_row = np.full((nothing + step, N_VALUES), -1, dtype=np.int32)
    # A doubled hand that only stands is not asked for.
    asks = bool(rules.redoubles or rules.double_rescue or rules.surrender_cards == "any")
    doubled = np.full((nothing + step, (rules.redoubles + 1) * asks, graph.size), _SAYS_NOTHING, dtype=np.uint8)
    switched = np.zeros((len(starts) + 1, *[N_VALUES * rules.switch] * 4), dtype=np.uint8)
    free_pairs = _free_pairs(rules)
    after_split: list[NDArray[np.uint8]] = []
    doubled_after_split: list[NDArray[np.uint8]] = []
    for number, cards in enumerate(starts):
        start_of[cards[0], cards[-1]] = start_of[cards[-1], cards[0]] = number * step
        if cards in two.exchanges:
            switched[number] = two.exchanges[cards]
    for other, of_hand in two.beside.items():
        for start, table in of_hand.items():
            row = starts.index(start) * step + pairs.index(other)
            _fill_first(first[row], table)
            unsplit[row] = table.unsplit
            _fill_doubled(doubled[row], table.doubled)
            for pair, play in table.after_split.items():
                split_row[row, pair] = len(after_split)
                levels = table.doubled_after_split.get(pair, doubled[nothing])
                # A play that does not tell free hands apart is one for all.
                free = levels[_FREE_HANDS] if len(levels) > _FREE_HANDS else play
                for hands in (play, free) if pair in free_pairs else (play,):
                    after_split.append(hands)
                    doubled_after_split.append(doubled[nothing].copy())
                    _fill_doubled(doubled_after_split[-1], levels)
    after = np.array(after_split, dtype=np.uint8).reshape(len(after_split), graph.size)
    raises = np.zeros(nothing + step, dtype=np.uint8)
    for label in raised:
        values = [card.value for card in parse_cards(label)]
        raises[start_of[values[0], values[-1]]] = 1
    doubled_after = np.array(doubled_after_split, dtype=np.uint8).reshape(len(after), *doubled.shape[1:])
    plays = (first, unsplit, after, split_row, doubled, doubled_after, raises, switched)
    return Referee(_plain_rules(rules), start_of, next_hand, *plays)


def _fill_first(first: NDArray[np.uint8], table: StartTable) -> None:
    for a in range(N_VALUES):
        for b in range(a, N_VALUES):
            hand = int(player_hands().two_cards[a, b])
            whole, pair = table.first.get((hand, False)), table.first.get((hand, True))
            for may_split in (0, 1):
                # A pair that the rules never split may be listed either way.
                action = (pair or whole) if may_split else (whole or pair)
                if action is not None:
                    first[a, b, may_split] = NUMBER[action]


def _fill_doubled(doubled: NDArray[np.uint8], play: NDArray[np.uint8]) -> None:
    if len(play):
        doubled[: len(play)] = play[: len(doubled)]  # what was free, or doubled beside free money, only stands


def count_odds(rules: Rules) -> tuple[Fraction, ...]:
    """Return what a unit of each count of a round nets: what was wagered nothing, a unit won 1, then all other odds.

    Whatever is paid otherwise has its odds here; equal ones are counted together. At no odds follow how many doubles
    and splits were free, where they may be, and whether the wager was raised, where it may be once the upcard is seen.
    """
    bonuses = [odds for bonus in rules.bonuses for odds in _bonus_odds(rules, bonus).values()]
    otherwise = (rules.blackjack_pays, _surrender_nets(rules), rules.charlie_pays, *bonuses)
    last = (Fraction(0),) * (has_free_money(rules) + bool(rules.raise_after_upcard))
    return (Fraction(0), *dict.fromkeys((Fraction(1), *otherwise)), *last)


def has_free_money(rules: Rules) -> bool:
    """Return whether doubles or splits may cost nothing."""
    return rules.free_double_on != "none" or bool(_free_pairs(rules))


def free_bets(rules: Rules, counts: Sequence[int]) -> int:
    """Return how many doubles and splits of a round with these counts cost nothing."""
    return counts[-1 - bool(rules.raise_after_upcard)] if has_free_money(rules) else 0


def _free_pairs(rules: Rules) -> tuple[int, ...]:
    """Return the values of the pairs whose splits cost nothing."""
    return tuple(map(RANKS.index, ranks_of(rules.free_split))) if rules.max_hands > 1 else ()


def takes_free_bets(rules: Rules, tables: Mapping[tuple[int, ...], StartTable]) -> bool:
    """Return whether a play takes every free bet, doubles before splits, and splits nothing for money of its own."""
    known = player_hands()
    free_pairs = [int(known.two_cards[pair, pair]) for pair in _free_pairs(rules)]

    def is_doubled(hand: int) -> bool:
        return rules.doubles_free(int(known.graph.total[hand]), bool(known.graph.soft[hand]))

    for table in tables.values():
        for (hand, may_split), action in table.first.items():
            wanted = "double" if is_doubled(hand) else "split" if may_split and hand in free_pairs else ""
            if action != wanted if wanted else action == "split":
                return False
        for pair, own in table.after_split.items():
            doubles = rules.double_after_split and (pair != ACE or rules.double_split_aces)
            hands = known.two_cards[pair][[doubles and is_doubled(int(hand)) for hand in known.two_cards[pair]]]
            free = table.doubled_after_split[pair][_FREE_HANDS] if pair in _free_pairs(rules) else own
            if (np.array([own, free])[:, hands] != NUMBER["double"]).any():
                return False
    return True


def times_of(rules: Rules, counts: Sequence[int]) -> int | Fraction:
    """Return how many times the initial wager a unit of a round with these counts is.

    More where the wager was raised, and half of two hands, of whose two wagers values are per unit of one.
    """
    money = 1 + rules.raise_after_upcard if rules.raise_after_upcard and counts[-1] else 1
    return Fraction(money) / 2 if rules.switch else money


def _bonus_odds(rules: Rules, bonus: Bonus) -> dict[str, Fraction]:
    """Return what a hand with a bonus is paid, which otherwise is paid nothing, as a charlie, a 21 or a blackjack."""
    others = {"pays_charlie": rules.charlie_pays, "pays_21": Fraction(1), "pays_blackjack": rules.blackjack_pays}
    return {"pays": bonus.pays, **{name: max(bonus.pays, odds) for name, odds in others.items()}}


def _plain_bonus(rules: Rules, bonus: Bonus, odds: Sequence[Fraction]) -> dict[str, Any]:
    """Return a bonus as the compiled referee takes it."""
    named = bonus.named_tens
    suits = [sum(1 << SUITS.index(suit) for suit in suits) for suits in SUIT_SETS[bonus.suits]]
    cards = (len(bonus.ranks),) * 2 if bonus.ranks else bonus.cards or (2, _MOST_CARDS)
    return {
        "cards": list(cards),
        "total": list(bonus.total or (0, 21)),
        "n_ranks": len(bonus.ranks),
        "values": [bonus.values.count(value) for value in range(N_VALUES)],
        "names_tens": int(bool(named)),
        "tens": [named.count(symbol) for symbol in RANK_SYMBOLS[TEN:]],
        "n_suits": len(suits),
        "suits": suits + [0] * (4 - len(suits)),
        "upcard": RANKS.index(bonus.upcard) if bonus.upcard else -1,
        "after_split": int(bonus.after_split),
        "after_double": int(bonus.after_double),
        **{name: odds.index(paid, 1) for name, paid in _bonus_odds(rules, bonus).items()},
    }


def _surrender_nets(rules: Rules) -> Fraction:
    return rules.surrender_returns - 1


def _plain_rules(rules: Rules) -> dict[str, Any]:
    """Return the rules as the compiled referee takes them: whole numbers, and lists of them by value or total."""
    odds = count_odds(rules)
    bonuses = sorted(rules.bonuses, key=lambda bonus: -bonus.pays)
    if len(bonuses) > _MOST_BONUSES:
        raise RulesError(f"bonuses: the referee plays at most {_MOST_BONUSES} of them, got {len(bonuses)}")
    none = [_plain_bonus(rules, Bonus(pays=Fraction(1)), odds)] * (_MOST_BONUSES - len(bonuses))
    most = max(rules.double_multiples)
    surrender = surrender_by_upcard(rules.surrender)
    return {
        "hits_soft_17": int(rules.dealer_hits_soft_17),
        "hole_card": _HOLE_CARDS.index(rules.hole_card),
        "peeks": [int(rules.peeks_under(symbol)) for symbol in RANKS],
        "takes": _TAKES.index(rules.dealer_blackjack_takes),
        "tied_blackjack": _TIES.index(rules.blackjack_tie),
        "tie_loses": [int(rules.tie_loses(total)) for total in _TOTALS],
        "pushes_22": int(rules.dealer_22 == "push"),
        "may_double": [[int(rules.may_double(total, soft)) for total in _TOTALS] for soft in (False, True)],
        "free_double": [[int(rules.doubles_free(total, soft)) for total in _TOTALS] for soft in (False, True)],
        "free_split": [int(pair in _free_pairs(rules)) for pair in range(N_VALUES)],
        "double_cards": _MOST_CARDS if rules.double_cards == "any" else rules.double_cards,
        "double_multiple": most,
        "redoubles": rules.redoubles,
        "rescues_doubled": int(rules.double_rescue),
        # A rescue returns all but one of `most` units, or of two.
        "surrender_pays_more": [int(rules.surrender_returns > Fraction(n - 1, n)) for n in (most, 2)],
        "double_after_split": int(rules.double_after_split),
        "double_split_aces": int(rules.double_split_aces),
        "max_hands": rules.max_hands,
        "by_rank": int(rules.split_by == "rank"),
        "resplit_aces": int(rules.resplit_aces),
        "hit_split_aces": int(rules.hit_split_aces),
        "split_blackjack": int(rules.split_blackjack),
        "in_turn": int(rules.split_deal == "in-turn"),
        "surrender": [_SURRENDERS.index(surrender[symbol]) for symbol in RANKS],
        "surrender_any": int(rules.surrender_cards == "any"),
        "insurance": [int(name in rules.insurance.split(",")) for name in ("ace", *[""] * 8, "ten")],
        "even_money": int(rules.even_money),
        "charlie": rules.charlie or 0,
        "charlie_beats_blackjack": int(rules.charlie_beats_blackjack),
        "wins_21": int(rules.player_21 == "wins"),
        "n_bonuses": len(bonuses),
        "bonuses": [*(_plain_bonus(rules, bonus, odds) for bonus in bonuses), *none],
        "hits_soft_21": int(rules.charlie is not None or any(bonus.may_have(3) for bonus in bonuses)),
        "switches": int(rules.switch),
        "switched_blackjack": int(rules.switched_blackjack == "blackjack"),
        "n_counts": len(odds),
        "pays_blackjack": odds.index(rules.blackjack_pays, 1),
        "pays_surrender": odds.index(_surrender_nets(rules), 1),
        "pays_charlie": odds.index(rules.charlie_pays, 1),
        "counts_free": len(odds) - 1 - bool(rules.raise_after_upcard) if has_free_money(rules) else 0,
        "counts_raised": len(odds) - 1 if rules.raise_after_upcard else 0,
    }


def shoe_ranks(shoe: Shoe, rules: Rules) -> NDArray[np.uint8]:
    """Return the cards of a shoe as ranks, 0 (ace) to 12 (king); tens are all alike unless the rules tell them apart.

    Raises:
        ShoeError: the rules do, and the shoe does not; or bonuses ask for suits, which only the full shoe has.
    """
    if any(not bonus.is_certain for bonus in rules.bonuses):
        if shoe != rules.shoe():
            raise ShoeError("bonuses that ask for suits need the full shoe, got one whose suits are not known")
        return suited_cards_of(rules)
    counts: list[int] = [*shoe.counts, 0, 0, 0]
    if rules.split_by == "rank" and rules.max_hands > 1:
        if shoe.ten_ranks is None or shoe.unspecified_tens_gone:
            raise ShoeError(
                "split_by='rank' needs the numbers of tens, jacks, queens and kings apart, got a shoe that does not "
                "tell them apart; a card taken out must be J, Q or K"
            )
        counts[TEN:] = shoe.ten_ranks
    return np.repeat(np.arange(len(counts), dtype=np.uint8), _shares(counts, endless=shoe.endless))


def suited_cards_of(rules: Rules) -> NDArray[np.uint8]:
    """Return the cards of the decks of some rules with their suits; of infinitely many those of one."""
    cards = [_packed(*divmod(kind, len(SUITS))) for kind in range(KINDS)]
    decks = 1 if isinstance(rules.decks, str) else rules.decks
    return np.repeat(np.array(cards, dtype=np.uint8), [n * decks for n in rules.deck.counts])


def suited_cards(shoe: SuitedShoe) -> NDArray[np.uint8]:
    """Return the cards of a shoe with their suits, sorted by rank."""
    cards = [_packed(*divmod(kind, len(SUITS))) for kind in range(KINDS)]
    return np.repeat(np.array(cards, dtype=np.uint8), _shares(shoe.counts, endless=shoe.endless))


def _shares(counts: Sequence[int], *, endless: bool) -> Sequence[int]:
    """Return counts; of an endless shoe, of which they only say the shares, the smallest that do."""
    return [n // gcd(*counts) for n in counts] if endless else counts


def _packed(rank: int, suit: int) -> int:
    """Return a card as the compiled referee takes it where suits matter."""
    return rank + 16 * suit


def net_result(odds: Sequence[Fraction], counts: Sequence[int]) -> Fraction:
    """Return the net result in initial wagers of a round with these counts, at the odds of `count_odds`."""
    return sum((count * pays for count, pays in zip(counts, odds, strict=True) if count), Fraction(0))


def check_hands(bet: str, paytable: Paytable, rules: Rules) -> Paytable:
    """Return what a side bet pays, if the hands that it looks at are dealt.

    Raises:
        PaytableError: it looks at those of two hands, and there is one, or at the result of one, and there are two.
    """
    if paytable.plays_round and rules.switch:
        raise PaytableError(
            f"{bet}: paytable {paytable.name} cannot be played: it goes by the result of one hand, and there are two"
        )
    if "fourth" in LAYOUTS[paytable.cards] and not rules.switch:
        raise PaytableError(
            f"{bet}: paytable {paytable.name} cannot be played: it looks at the cards of two hands, and there is one"
        )
    return paytable


def raise_fault(fault: Fault) -> None:
    """Raise what a fault of the compiled referee means.

    Raises:
        RulesError: the play, or the answers given, ask for what the rules do not allow, or for nothing.
        HandError: the cards in a given order ended too early.
    """
    kind, action, legal, ranks, pair = fault
    if kind == _NO_CARD_LEFT:
        raise HandError("expected all cards of the round, but they end before it does")
    hand = ",".join(RANK_SYMBOLS[rank] for rank in ranks)
    where = f"{hand} after a split of {RANKS[pair]}" if pair >= 0 else hand
    allowed = " or ".join(name for number, name in enumerate(ACTIONS) if legal >> number & 1)
    asked = "nothing" if kind == _NOT_IN_PLAY else ACTIONS[action]
    raise RulesError(f"{where}: expected {allowed}, got {asked}")


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in a round.

    Attributes:
        hand: number of the player's hand, from 1 on the left; 0 is the dealer.
        what: an action, or `card`, `hole card`, `peek`.
        card: its rank, one of `RANK_SYMBOLS`; empty where there is none.
    """

    hand: int
    what: str
    card: str = ""

    def __str__(self) -> str:
        whose = f"hand {self.hand}" if self.hand else "dealer"
        return f"{whose}: {self.what} {self.card}".rstrip()


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A finished hand of the player.

    Attributes:
        cards: ranks in the order they came.
        wager: units, with those of doubles; free money left out.
        end: `stand`, `bust`, `charlie`, `21` if that won at once, `blackjack`, `surrender`, `even_money`, `rescue`;
            empty if the dealer's blackjack came before it was played.
        free: units of free money on it.
    """

    cards: str
    wager: int
    end: str
    free: int = 0


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """One round, as the referee played it.

    Attributes:
        hands: the player's hands, from left to right.
        dealer: the dealer's ranks in the order they came.
        net: net result of the hands in initial wagers (half of the sum of two hands); insurance is not in it.
        insurance: net result of insuring for half a unit, 0 if it was not taken.
        wager: units wagered (half of those on two hands), a raise among them, insurance and free money left out.
        drawn: how many cards were used, those for side bets alone left out.
        events: what happened, in order.
        side_bets: of each side bet the line that it is paid on, the losing one included; None where the bet could not
            be made.
        free_bets: how many doubles and splits cost nothing.
    """

    hands: tuple[PlayedHand, ...]
    dealer: str
    net: Fraction
    insurance: Fraction
    wager: int | Fraction
    drawn: int
    events: tuple[Event, ...]
    side_bets: tuple[str | None, ...] = ()
    free_bets: int = 0


def play_round(
    rules: Rules,
    cards: str,
    actions: Iterable[str] = (),
    *,
    tables: Mapping[tuple[int, ...], StartTable] | SwitchPlay | None = None,
    side_bets: Sequence[Paytable] = (),
    raised: bool = False,
) -> PlayedRound:
    """Play one round with the cards in this order, and return what happened.

    The player gets the first card, the dealer the second, the player the third, the dealer the fourth unless he has no
    hole card. Of two hands each gets a card, then the dealer, and so once more. A card that only a side bet looks at is
    the next one, as if it were dealt then.

    >>> from odds.game.rules import Rules
    >>> played = play_round(Rules(), "8 T 8 7 3 2 T", ["split", "double"])
    >>> [hand.cards for hand in played.hands], played.net
    (['83T', '82'], Fraction(1, 1))

    Args:
        rules: the rules.
        cards: the cards in the order of the deal, such as `8 T 8 6 K`; more than are needed may follow.
        actions: answers to the questions in their order, of `ACTIONS`; after the last one the player stands.
            `insurance`, `even_money`, an early `surrender` and, of two hands, `switch` are taken only where they come
            next. A doubled hand is rescued by `surrender`.
        tables: the play that answers instead, as for `referee`.
        side_bets: what side bets pay; all cards then need suits.
        raised: the wager is raised when the upcard is seen, by `raise_after_upcard`; insurance is then half of it all.

    Raises:
        RulesError: an action is unknown, not allowed, or not asked for, or the wager cannot be raised.
        HandError: the cards cannot be read, or end before the round does, or a suit is missing.
        PaytableError: a side bet cannot be played.
    """
    suited = bool(side_bets) or any(bonus.suits != "any" for bonus in rules.bonuses)
    dealt = np.array([_number(card, suited) for card in parse_cards(cards)], dtype=np.uint8)
    answers = _answers(actions)
    if raised and not rules.raise_after_upcard:
        raise RulesError("raised: expected rules with a raise_after_upcard, got none")
    raised_to = 1 + rules.raise_after_upcard if raised else 1
    money = Fraction(raised_to) / (1 + rules.switch)
    if tables is not None and answers:
        raise RulesError("expected actions or tables to answer, got both")
    script = None if tables is not None else np.array(answers, dtype=np.int32)
    events = np.empty((_MOST_EVENTS, 3), dtype=np.int32)
    matchers = [matcher("side bet", check_hands("side bet", paytable, rules)) for paytable in side_bets]
    lines = np.zeros((len(matchers), _MOST_LINES), dtype=np.int64)
    bets = compiled(matchers) if matchers else None
    played = referee(rules, tables).play_fixed(dealt[:_MOST_CARDS], script, events, bets, lines)
    if played["fault"] is not None:
        raise_fault(played["fault"])
    if played["answers"] < len(answers):
        left = ", ".join(ACTIONS[answer] for answer in answers[played["answers"] :])
        raise RulesError(f"expected no more actions than there are questions, got {left} after the last one")
    insured = played["insured"] * (rules.insurance_pays if played["dealer_blackjack"] else Fraction(-1)) / 2
    return PlayedRound(
        tuple(
            PlayedHand(_text(hand), bet, _ENDS[fate], free)
            for hand, bet, fate, free in zip(*(played[key] for key in ("hands", "bets", "fates", "free")), strict=True)
        ),
        _text(played["dealer"]),
        money * net_result(count_odds(rules), played["counts"]),
        raised_to * insured,
        money * played["counts"][WAGERED],
        played["drawn"],
        tuple(
            Event(int(whose) + 1, _EVENTS[what], RANK_SYMBOLS[card] if "card" in _EVENTS[what] else "")
            for what, whose, card in events[: played["events"]]
        ),
        tuple(dict(enumerate(bet.names)).get(int(row.argmax())) for bet, row in zip(matchers, lines, strict=True)),
        free_bets(rules, played["counts"]),
    )


def _number(card: Card, suited: bool) -> int:
    """Return a card as the compiled referee takes it."""
    if card.suit is None and suited:
        raise HandError(
            f"expected a suit with each card where side bets or bonuses ask for it, such as {card}h, got {card}"
        )
    return _packed(RANK_SYMBOLS.index(card.symbol), SUITS.index(card.suit) if card.suit else 0)


def _answers(actions: Iterable[str]) -> list[int]:
    answers = []
    for action in actions:
        if action not in ACTIONS:
            raise RulesError(f"expected an action, one of {', '.join(ACTIONS)}, got {show_value(action)}")
        answers.append(ACTIONS.index(action))
    return answers


def _text(ranks: Sequence[int]) -> str:
    return "".join(RANK_SYMBOLS[rank] for rank in ranks)
