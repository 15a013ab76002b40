"""How rounds end under a fixed play, as far as side bets on the main hand ask, in fractions.

The main hand is the one that was dealt, and after a split the one that is played first, which keeps the first card. Its
finished hands are counted as those of any other (`finished`), jointly with how the dealer's hand ends if he plays it
out, whatever the player did. Of a split that may go on, the main hand is split again until its second card is none of
the pair cards, or there are the most hands (`first_coefficients`).

What is played looks at values only, so that given the values of the first two cards and the upcard their suits, and the
ranks of tens, say nothing about the rest: any cards of these values are as likely.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import lcm
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

from odds._kernel import DealerTrie, add_hands
from odds.engine.actions import SPLIT
from odds.engine.actions import SURRENDER as SURRENDERS
from odds.engine.coefficients import first_coefficients, split_coefficients
from odds.engine.dealer import dealer_trie, start_probability
from odds.engine.hands import ACE, TEN, player_hands
from odds.engine.pays import DEALER_BLACKJACK, EARLY_SURRENDER, LATE_SURRENDER, N_ENDS, N_STANDING
from odds.engine.split_classes import play_facts, refuse_full
from odds.engine.tens import ten_ranks
from odds.engine.terms import two_hands
from odds.errors import PaytableError
from odds.game.cards import RANK_SYMBOLS, SUITS
from odds.numbers.exact import LARGEST_PRIME_BELOW
from odds.results.exact import certified_plays, refuse_running_out
from odds.results.finished import (
    OTHER_VALUE,
    PAIR_CARD,
    Settler,
    all_ways,
    finished_hands,
    finished_split,
    first_action,
    p_hidden_blackjack,
)
from odds.results.split_moments import rank_factor
from odds.sidebets.conditions import LOSS, MORE_THAN_22, PUSH, ROUND, SURRENDER, WIN, Deals, tests_of
from odds.sidebets.count import seen_by
from odds.sidebets.shoe import VALUES_SEEN
from odds.sidebets.tally import line_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from numpy.typing import NDArray

    from odds.engine.pays import Pays
    from odds.engine.play import StartTable
    from odds.parallel import Progress
    from odds.results.deals import FirstHand, Round
    from odds.results.finished import FinishedHands
    from odds.sidebets.paytable import Paytable
    from odds.sidebets.shoe import SuitedShoe

_UP: Final = "upcard"
_CARDS: Final = ("first", "second", _UP)
_DEALER_TOTALS: Final = (*range(17, 22), 22, MORE_THAN_22, 21)  # by end


class Dealt(NamedTuple):
    """The first cards of a round, as values.

    Attributes:
        player: the first two cards, ascending.
        dealer: his card, or of an exposed dealer both, one of which is the upcard.
        like: whether two tens are of one rank; None where that does not matter.
    """

    player: tuple[int, int]
    dealer: tuple[int, ...]
    like: bool | None


# The numbers of `ROUND`, of a round that has ended.
Ending: TypeAlias = tuple[int, ...]


class _PlayedOut(Settler):
    """Hands jointly with each end of a dealer who plays his hand out against all of them."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._trie = dealer_trie(self.start.cards, self.terms.dealer.hits_soft_17, tells_22=True)

    def groups(
        self, cards: NDArray[np.uint8], ways: NDArray[np.int64], groups: NDArray[np.int32], *, by_cards: bool
    ) -> NDArray[Any]:
        """Return the probability of each group of hands jointly with each end, 1 x groups x 8.

        If asked for `by_cards`, where a dealer who draws does not bust it is moved to one more row for each number of
        cards that he draws.
        """
        sets, place = np.unique(cards, axis=0, return_inverse=True)
        whole, start, hits = self._trie, self.start.cards, self.terms.dealer.hits_soft_17
        drawn = range(1, whole.max_depth + 1) if by_cards else range(0)
        tries = [whole, *(DealerTrie(start, hits, False, True, draws) for draws in drawn)]

        def compute(numbers: Any) -> NDArray[Any]:
            arithmetic = numbers.arithmetic
            out: NDArray[Any] = arithmetic.zeros((len(tries), int(groups.max(initial=-1)) + 1, N_ENDS))
            for of_trie, self._trie in zip(out, tries, strict=True):
                weights = np.ascontiguousarray(self._weights(numbers, sets)[place.reshape(-1)])
                add_hands(weights, arithmetic.integers(ways), groups, arithmetic.field, of_trie)
            out[1:, :, N_STANDING:] = 0
            out[0, :, :N_STANDING] *= not drawn
            self._trie = whole
            return out

        found: NDArray[Any] = self._computed(compute, sets)
        return found


@dataclass(frozen=True, eq=False)
class RoundLaw:
    """How likely rounds end so, under a play.

    Attributes:
        play: as `RoundResult.play`.
        split_class: as `RoundResult.split_class`.
        endings: by the first cards the endings of a round, and how likely both are in parts of `unit`; where no card is
            asked for all of them together.
        unit: what the parts add up to.
    """

    play: str
    split_class: str
    endings: dict[Dealt | None, dict[Ending, int]] = field(repr=False)
    unit: int = field(repr=False)
    _result: Round = field(repr=False)

    def facts(self) -> list[tuple[str, ...]]:
        """Return how the hands are played."""
        terms = self._result.terms
        return play_facts(self.play, self.split_class, splits=bool(terms.legal.splits), looks=terms.looks)

    def probabilities(self, paytable: Paytable, shoe: SuitedShoe) -> list[Fraction]:
        """Return how likely each line of a bet is, last the losing one, and after it that there is no bet.

        Args:
            paytable: what is paid.
            shoe: the cards before the deal, with their suits where the bet looks at them.

        Raises:
            PaytableError: the bet looks at more than is told apart here.
        """
        seen, tests = seen_by(paytable), [test for condition in paytable.conditions for test in tests_of(condition)]
        places = [place for place in _CARDS if any(place in test.places for test in tests)]
        self._check(paytable, seen)
        found = [Fraction(0)] * (len(paytable.lines) + 2)
        for dealt, endings in self.endings.items():
            cards, ways = _first_cards(dealt, places, shoe, seen)
            line = np.broadcast_to(line_of(paytable, _Deals(cards, list(endings))), (len(ways), len(endings)))
            parts = np.array(list(endings.values()), dtype=object)
            every = sum(ways)
            # Few kinds of cards are told apart: those of which all endings are on the same lines.
            rows, which = np.unique(line, axis=0, return_inverse=True)
            for number, row in enumerate(rows):
                share = sum(n for n, other in zip(ways, which.reshape(-1).tolist(), strict=True) if other == number)
                for on in np.unique(row).tolist():
                    found[on] += Fraction(int(parts[row == on].sum()) * share, every * self.unit)
        return [*found[1:], found[0]]

    def _check(self, paytable: Paytable, seen: str) -> None:
        if seen == VALUES_SEEN:
            return
        what = f"the {seen} of cards" if seen == "suits" else "the ranks of tens"
        legal, shoe, pays = self._result.terms.legal, self._result.shoe, self._result.terms.pays
        if legal.like_tens and legal.splits and len(set(ten_ranks(shoe))) > 1:
            raise PaytableError(
                f"paytable {paytable.name}: looks at {what}, which is not counted with split_by=rank in a shoe with "
                "unequal numbers of tens, jacks, queens and kings"
            )
        if any(not bonus.is_certain for bonus in pays.bonuses):
            raise PaytableError(
                f"paytable {paytable.name}: looks at {what}, which is not counted with bonuses that do too"
            )


class _Deals(Deals):
    """First cards along the first axis, endings along the last."""

    def __init__(self, cards: dict[str, NDArray[np.int64]], endings: Sequence[Ending]) -> None:
        self._cards, self._endings = cards, np.array(endings, dtype=np.int64).reshape(len(endings), len(ROUND))

    def rank(self, place: str) -> NDArray[np.int64]:
        return self._cards[place][:, None] // len(SUITS)

    def suit(self, place: str) -> NDArray[np.int64]:
        return self._cards[place][:, None] % len(SUITS)

    def hand(self, what: str) -> NDArray[np.int64]:
        return self._endings[None, :, ROUND.index(what)]


def _first_cards(
    dealt: Dealt | None, places: Sequence[str], shoe: SuitedShoe, seen: str
) -> tuple[dict[str, NDArray[np.int64]], list[int]]:
    """Return the kinds that lie in some places, and their shares, of the first cards of a round."""
    if dealt is None or not places:
        return {}, [1]
    step = 0 if shoe.endless else 1
    tens_apart = dealt.like is not None and seen != VALUES_SEEN
    found: list[dict[tuple[int, ...], int]] = []  # for each order of the values, all as likely
    kinds = [_kinds(value, shoe, seen) for value in range(TEN + 1)]
    a, b = dealt.player
    for player, upcard in product(((a, b), (b, a)), (dealt.dealer[0], dealt.dealer[-1])):
        values = dict(zip(_CARDS, (*player, upcard), strict=True))
        asked = [*_CARDS[:2], *([_UP] if _UP in places else [])] if tens_apart else places
        of_order: dict[tuple[int, ...], int] = {}
        found.append(of_order)
        for cards in product(*(kinds[values[place]] for place in asked)):
            chosen = dict(zip(asked, cards, strict=True))
            ranks = [chosen[place] // len(SUITS) for place in _CARDS[:2] if place in chosen]
            if tens_apart and (ranks[0] == ranks[1]) != dealt.like:
                continue
            ways = 1
            if seen != VALUES_SEEN:
                for number, kind in enumerate(cards):
                    ways *= max(shoe.counts[kind] - step * cards[:number].count(kind), 0)
            key = tuple(chosen[place] for place in places)
            of_order[key] = of_order.get(key, 0) + ways
    every = [sum(of_order.values()) for of_order in found]
    rows = [key for of_order in found for key in of_order]
    ways_of = [
        n * (lcm(*every) // total) for of_order, total in zip(found, every, strict=True) for n in of_order.values()
    ]
    columns = np.array(rows, dtype=np.int64).reshape(len(rows), len(places))
    return {place: columns[:, number] for number, place in enumerate(places)}, ways_of


def _kinds(value: int, shoe: SuitedShoe, seen: str) -> list[int]:
    """Return the kinds of cards of a value that a bet tells apart."""
    ranks = range(TEN, len(RANK_SYMBOLS)) if value == TEN else [value]
    if seen == VALUES_SEEN:
        return [value * len(SUITS)]
    return [kind for rank in ranks for kind in range(rank * len(SUITS), (rank + 1) * len(SUITS)) if shoe.counts[kind]]


# ------------------------------------------------------------------------------------------------------ how rounds end


def round_law(
    result: Round, asks: AbstractSet[str], progress: Progress | None = None, *, primes_below: int = LARGEST_PRIME_BELOW
) -> RoundLaw:
    """Return how likely rounds end in each way, under a play certified to be the best of its class, or one given.

    Args:
        result: the round in doubles; its play is followed.
        asks: what bets ask for: places of the layout `round`.
        progress: called with the share done, from 0 to 1.
        primes_below: the primes are the largest below this; the result does not depend on it.

    Raises:
        RulesError: there are two hands, whose cards may be exchanged.
        ShoeError: the shoe might run out.
        OddsError: the split class is `full`.
    """
    if result.terms.legal.switches:
        raise two_hands("a side bet on the result of a hand is")
    refuse_full(result.split_class, "side bets on a result")
    refuse_running_out(result.shoe_can_run_out, "a side bet on how rounds end")
    found: dict[Dealt | None, dict[Ending, Fraction]] = {}
    for analysis, play, hands in certified_plays(result, primes_below, progress):
        table, of_start = None, dict[Dealt | None, dict[Ending, Fraction]]()
        if play is not None:
            play.trace()  # after which the table has every split that is come to
            table = play.table()
        settler = _PlayedOut(analysis.start, analysis.shoe, result.terms, {}, primes_below)
        for hand, ending, p in _endings(settler, hands, table, asks):
            key = None if asks.isdisjoint(_CARDS) else Dealt(hand.values, analysis.start.cards, hand.like)
            of_key = of_start.setdefault(key, {})
            of_key[ending] = of_key.get(ending, Fraction(0)) + p
        p_start = start_probability(analysis.start, result.shoe)
        for key, endings in of_start.items():
            of_key = found.setdefault(key, {})
            for ending, p in endings.items():
                of_key[ending] = of_key.get(ending, Fraction(0)) + p_start * p
    unit = lcm(*(p.denominator for of_key in found.values() for p in of_key.values()))
    parts = {key: {ending: int(p * unit) for ending, p in of_key.items()} for key, of_key in found.items()}
    return RoundLaw(result.play, result.split_class, parts, unit, result)


def _endings(
    settler: _PlayedOut, hands: Sequence[FirstHand], table: StartTable | None, asks: AbstractSet[str]
) -> Iterator[tuple[FirstHand, Ending, Fraction]]:
    """Yield two first cards, or of several one, endings, and how likely both are given the dealer's start."""
    start, shoe, terms = settler.start, settler.shoe, settler.terms
    deals = shoe.total * (shoe.total - shoe.step)
    together: dict[FirstHand | None, list[FirstHand]] = {}
    for hand in hands:
        p, hidden = hand.ways / deals, start.hidden_blackjack
        looked = start.peeks and hidden >= 0
        action = None if table is None else first_action(table, hand).action
        if looked:
            p *= p_hidden_blackjack(settler, hand)
        if p and (table is None or looked):
            early = action == SURRENDERS and terms.surrender(start) == "early"
            yield hand, _asked(_over(terms.pays, hand, early=early), asks), p
        if table is None:
            continue
        if action == SPLIT and hand.pair is not None:
            for ending, p in _split(settler, hand, table.states(terms.legal, hand.pair), asks).items():
                yield hand, ending, p
        else:
            # Of like tens and of unlike ones a part of the deals counts.
            apart = hand.like is not None or not asks.isdisjoint(_CARDS)
            together.setdefault(hand if apart else None, []).append(hand)
    for begun in together.values():
        assert table is not None
        part = begun[0].ways / all_ways(settler, begun[0])
        firsts = [first_action(table, hand) for hand in begun]
        ended = finished_hands(terms, shoe.counts, table.states(terms.legal), firsts, start=start, list_busts=True)
        for ending, p in _ended(settler, ended, asks, split=False).items():
            yield begun[0], ending, p if part == 1 else part * p


def _over(pays: Pays, hand: FirstHand, *, early: bool) -> Ending:
    """Return the ending of a round that a blackjack of the dealer's ends at once."""
    blackjack = hand.values == (ACE, TEN)
    index = hand.index
    result = SURRENDER if early else _of_net(pays.tied_blackjack) if blackjack else LOSS
    return (result, int(player_hands().graph.total[index]), 2, int(blackjack), 21, 1, 0, 0, 0, 2)


def _of_net(net: Fraction) -> int:
    return WIN if net > 0 else LOSS if net else PUSH


def _result(settler: Settler, kind: int, end: int) -> int:
    """Return the result of a hand of a kind against an end of the dealer's."""
    pays = settler.terms.pays
    if kind in (LATE_SURRENDER, EARLY_SURRENDER):
        return SURRENDER
    if end == DEALER_BLACKJACK and settler.blackjack_takes and pays.kinds[kind].split and not pays.kinds[kind].won:
        return LOSS  # with all hands of the split
    return _of_net(pays.table[kind][end])


def _split(
    settler: _PlayedOut, hand: FirstHand, play: NDArray[np.uint8], asks: Collection[str]
) -> dict[Ending, Fraction]:
    """Return how the first hand of a split ends, and how likely that and the pair are."""
    terms, shoe, pair = settler.terms, settler.shoe, hand.values[0]
    hands = finished_split(terms, settler.start, shoe, pair, play, apart=True, list_busts=True)
    most = terms.legal.split_into[pair]
    times, found = first_coefficients(most), dict[Ending, Fraction]()
    for extra in range(1, split_coefficients(most).most_extra + 1):
        for second in dict.fromkeys(group.second for group in hands.groups):
            weight = times.pair.get(extra, 0) if second == PAIR_CARD else times.other.get(extra - 1, 0)
            if weight and (share := weight * rank_factor(shoe, terms.legal, pair, extra - 1, [second])):
                ended = _ended(settler, hands, asks, split=True, second=second, pair=pair, extra=extra)
                for ending, p in ended.items():
                    found[ending] = found.get(ending, Fraction(0)) + share * p
    return found


def _ended(
    settler: _PlayedOut,
    hands: FinishedHands,
    asks: Collection[str],
    *,
    split: bool,
    second: int = OTHER_VALUE,
    pair: int = 0,
    extra: int = 0,
) -> dict[Ending, Fraction]:
    """Return how hands end, and how likely that is.

    Args:
        settler: the dealer's start, and the shoe without it.
        hands: the hands, busts listed.
        asks: which of `ROUND` are asked for; others may be 0.
        split: they are the first hands of a split.
        second: which of them, by their second card (`Finish`).
        pair: a card of which more are drawn before.
        extra: how many more.
    """
    start, pays = settler.start, settler.terms.pays
    begins = (0, settler.terms.legal.free_level)
    mine = np.array([group.second == second and not group.free for group in hands.groups], dtype=np.bool_)[hands.finish]
    cards, ways, finish = hands.cards[mine], hands.ways[mine], hands.finish[mine]
    low = cards @ np.arange(1, TEN + 2)
    # What tells hands apart, as far as it is asked for.
    features = {
        "result margin": np.array([group.kind for group in hands.groups])[finish],
        "player_total player_blackjack margin": low + 10 * ((cards[:, ACE] > 0) & (low <= 11)),
        "player_cards player_blackjack": cards.sum(axis=1, dtype=np.int64),
        "doubled": np.array([group.level not in begins for group in hands.groups])[finish],
    }
    rows = np.column_stack([row * any(name in asks for name in names.split()) for names, row in features.items()])
    of_group, groups = np.unique(rows, axis=0, return_inverse=True)
    cards[:, pair] += extra
    numbers = groups.reshape(-1).astype(np.int32)
    joint = settler.groups(cards, ways, numbers, by_cards="dealer_cards" in asks).swapaxes(0, 1)
    ends = [(drawn, end) for drawn in range(joint.shape[1]) for end in range(N_ENDS)]
    found: dict[Ending, Fraction] = {}
    for (kind, total, number, doubled), by_end in zip(of_group.tolist(), joint, strict=True):
        blackjack = int(number == 2 and total == 21 and not split)
        for (drawn, end), p in zip(ends, by_end.ravel().tolist(), strict=True):
            if not p or (end == DEALER_BLACKJACK and start.peeks):
                continue
            dealt = len(start.cards) + drawn if end < N_STANDING else 2 if end == DEALER_BLACKJACK else 0
            for part, share in pays.parts(kind):
                result = _result(settler, part, end)
                margin = max(total - _DEALER_TOTALS[end], 0) if result == WIN and end < N_STANDING else 0
                dealer = _DEALER_TOTALS[end], int(end == DEALER_BLACKJACK)
                everything = (result, total, number, blackjack, *dealer, margin, doubled, int(split), dealt)
                ending = _asked(everything, asks)
                found[ending] = found.get(ending, Fraction(0)) + (p if share == 1 else share * p)
    return found


def _asked(ending: Ending, asks: Collection[str]) -> Ending:
    """Return an ending with 0 for what is not asked for."""
    return tuple(number * (name in asks) for name, number in zip(ROUND, ending, strict=True))
