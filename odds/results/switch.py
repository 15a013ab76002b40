"""Two hands whose second cards may be exchanged: the better way with every four cards, and what it is worth.

Two hands of one wager each are dealt, a,b and c,d; the dealer looks for a blackjack; then they are played as they are,
or as a,d and c,b, each by its own cards, the dealer's, and the first two of the other hand. A blackjack that the dealer
has looked for settles the hands as they were dealt. An ace and a ten that an exchange has made are of the kind
`Pays.switched`, and stand. All values are per unit of one of the two wagers: half of the sum.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import product
from math import fsum, prod
from typing import TYPE_CHECKING, Any

import numpy as np

from odds._kernel import TIE
from odds.engine.dealer import remove_start, start_probability
from odds.engine.hands import ACE, N_VALUES, TEN
from odds.game.cards import RANKS
from odds.parallel import tell
from odds.results.beside import beside_each, deals_beside

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from odds.engine.dealer import DealerStart
    from odds.engine.play import StartTable
    from odds.engine.terms import Terms
    from odds.game.shoe import Shoe
    from odds.parallel import Progress

# The names of both ways to play four cards; they are exchanged only where that is better.
KEEP, EXCHANGE = WAYS = ("keep", "exchange")
# Pairs of cards without order.
PAIRS = tuple((a, b) for a in range(N_VALUES) for b in range(a, N_VALUES))


def two_card_places() -> NDArray[np.intp]:
    """Return the place in `PAIRS` of each two cards, in either order."""
    places = np.zeros((N_VALUES, N_VALUES), dtype=np.intp)
    for place, (a, b) in enumerate(PAIRS):
        places[a, b] = places[b, a] = place
    return places


def four_cards(cards: Sequence[int]) -> str:
    """Return the name of two hands of two cards each, by their value indexes.

    >>> four_cards((8, 9, 5, 0))
    '9,T / 6,A'
    """
    a, b, c, d = (RANKS[card] for card in cards)
    return f"{a},{b} / {c},{d}"


def alike() -> dict[tuple[int, ...], int]:
    """Return four cards of each kind, and how many orders come to the same: of both hands, and of both in each."""
    found: Counter[tuple[int, ...]] = Counter()
    for a, b, c, d in product(range(N_VALUES), repeat=4):
        found[max((a, b, c, d), (c, d, a, b), (b, a, d, c), (d, c, b, a))] += 1
    return dict(sorted(found.items()))


def ways_to_deal(shoe: Shoe, cards: Sequence[int]) -> int:
    """Return in how many ways a shoe deals cards of these value indexes in this order."""
    left = (shoe.counts[card] - shoe.step * cards[:drawn].count(card) for drawn, card in enumerate(cards))
    return prod(max(n, 0) for n in left)


_NATURAL = PAIRS.index((ACE, TEN))


@dataclass(frozen=True, slots=True)
class Exchanges:
    """The better way to play every four cards against every dealer start, and what both ways are worth.

    Arrays over four cards have the axes start (in the order of `starts`) and the value indexes a, b, c, d of the hands
    a,b and c,d; an exchange makes a,d and c,b of them. To play by it, look up `exchanges[start, a, b, c, d]`, then play
    each hand by `tables(other)[start.cards]`, `other` being the two cards of the other hand after that. An ace and a
    ten that an exchange has made stand.

    Attributes:
        terms: the rules, read.
        shoe: the shoe before the deal.
        split_class: how the hands of a split are played.
        starts: the dealer's starts that the shoe can deal, with the probability of each.
        probability: of four cards in this order, given the start.
        ev: by way (`WAYS`), the expected net result of the round per unit of one wager, dealer blackjacks included.
        wager: likewise, the expected units wagered per hand.
        followed: the play that was followed, by the dealer's cards; None where the best was found.
    """

    terms: Terms
    shoe: Shoe
    split_class: str
    starts: tuple[tuple[DealerStart, float], ...]
    probability: NDArray[np.float64] = field(repr=False)
    ev: NDArray[np.float64] = field(repr=False)
    wager: NDArray[np.float64] = field(repr=False)
    followed: Mapping[tuple[int, ...], StartTable] | None = field(default=None, repr=False)

    @property
    def gain(self) -> NDArray[np.float64]:
        """What the exchange gains, less than 0 where it is worse; 0 where the cards cannot be dealt."""
        gain: NDArray[np.float64] = np.where(self.probability > 0, self.ev[1] - self.ev[0], 0.0)
        return gain

    @property
    def exchanges(self) -> NDArray[np.bool_]:
        """Whether the second cards are exchanged, which they are where that is better."""
        return self.gain > TIE

    def start_means(self) -> list[tuple[float, float]]:
        """Return the EV of a round and the expected units wagered per hand, given each start."""
        best = self.exchanges
        means = []
        for number in range(len(self.starts)):
            shares = [
                self.probability[number] * np.where(best[number], of[1, number], of[0, number])
                for of in (self.ev, self.wager)
            ]
            means.append((fsum(shares[0].ravel().tolist()), fsum(shares[1].ravel().tolist())))
        return means

    def to_rows(self) -> list[dict[str, Any]]:
        """Return what `SwitchResult.to_rows` does."""
        rows = []
        best, gain, ev = self.exchanges, np.abs(self.gain), np.where(self.exchanges, self.ev[1], self.ev[0])
        for number, (start, p) in enumerate(self.starts):
            for cards, n in alike().items():
                if share := self.probability[number][cards]:
                    at = (number, *cards)
                    rows.append(
                        {
                            "dealer": start.label,
                            "player": four_cards(cards),
                            "probability": float(p * n * share),
                            "best": WAYS[int(best[at])],
                            "gain": float(gain[at]),
                            "ev": float(ev[at]),
                        }
                    )
        return rows

    def played(self) -> NDArray[np.float64]:
        """Return how likely a hand of the two is to be played so, by start (which is given), other hand and hand.

        Both are places in `PAIRS`. An ace and a ten that an exchange has made are left out: they stand.
        """
        places, (a, b, c, d) = two_card_places(), np.indices((N_VALUES,) * 4)
        found = np.zeros((len(self.starts), len(PAIRS), len(PAIRS)))
        ways = ((places[a, b], places[c, d], ~self.exchanges), (places[a, d], places[c, b], self.exchanges))
        for exchanged, (one, two, chosen) in enumerate(ways):
            shares = np.where(chosen, self.probability, 0.0) / 2
            for hand, other in ((one, two), (two, one)):
                played = (hand != _NATURAL) | (not exchanged)
                for number, share in enumerate(shares):
                    np.add.at(found[number], (other, hand), np.where(played, share, 0.0))
        return found

    def tables(self, other: Sequence[int]) -> dict[tuple[int, ...], StartTable]:
        """Return the play of a hand beside another hand's two cards, as tables by the dealer's cards.

        Args:
            other: value indexes of the other hand's first two cards, after the exchange.
        """
        if self.followed is not None:
            return dict(self.followed)
        gone = () if self.shoe.endless else other
        return dict(deals_beside(self.terms, self.shoe, gone, self.split_class).tables())


def exchanges(
    terms: Terms,
    shoe: Shoe,
    split_class: str,
    progress: Progress | None = None,
    threads: int = 1,
    tables: Mapping[tuple[int, ...], StartTable] | None = None,
) -> Exchanges:
    """Return the better way to play every four cards that a shoe can deal.

    Args:
        terms: the rules, read.
        shoe: the shoe before the deal.
        split_class: how the hands of a split are played.
        progress: called with the share that is done, from 0 to 1.
        threads: how many threads work on it.
        tables: the play to follow, by the dealer's cards; the best is found if left out.

    Raises:
        ShoeError: the shoe is too small to split a pair that it can deal.
    """
    starts = [start for start in terms.dealer.starts if start_probability(start, shoe)]
    shape = len(PAIRS), len(starts), len(PAIRS)
    # By the other hand, start and hand; apart what an ace and a ten are that an exchange has made.
    ev, wager, p_blackjack, made = np.zeros(shape), np.ones(shape), np.zeros(shape), np.zeros(shape[:2])
    some = [pair for pair in PAIRS if all(shoe.counts[card] >= pair.count(card) for card in pair)]
    # Of an endless shoe no card is missed.
    others: Sequence[tuple[int, ...]] = [()] if shoe.endless else some
    each = beside_each(terms, shoe, others, split_class, tables, None, threads)
    for done, deals in enumerate(each):
        tell(progress, done / len(others))
        place = 0 if shoe.endless else PAIRS.index(some[done])
        numbers = [starts.index(analysis.start) for analysis in deals.analyses]
        ev[place, numbers], wager[place, numbers] = deals.ev, deals.wager
        p_blackjack[place, numbers] = deals.p_blackjack
        for number, analysis in zip(numbers, deals.analyses, strict=True):
            if not analysis.start.is_blackjack:
                once = terms.settlement(analysis.start).once
                made[place, number] = analysis.values.if_switched() - once * p_blackjack[place, number, _NATURAL]
    if shoe.endless:
        for table in (ev, wager, p_blackjack, made):
            table[1:] = table[0]
    a, b, c, d = np.indices((N_VALUES,) * 4)
    places = two_card_places()
    dealt, exchanged = (places[a, b], places[c, d]), (places[a, d], places[c, b])
    peeked = np.array([start.peeks for start in starts])[:, None, None, None, None]
    natural = ((dealt[0] == _NATURAL) * 1.0 + (dealt[1] == _NATURAL)) * float(terms.pays.tied_blackjack + 1)
    kept_ev, kept_wager, p = (_both(of, dealt) for of in (ev, wager, p_blackjack))
    ev[:, :, _NATURAL], wager[:, :, _NATURAL] = made, 1.0
    # What a dealt blackjack nets more against the dealer's, which he has looked for, it nets whatever is exchanged.
    other_ev = _both(ev, exchanged) + np.where(peeked, natural * p / 2, 0.0)
    other_wager = _both(wager, exchanged)
    over = np.array([start.is_blackjack for start in starts])
    other_ev[over], other_wager[over] = kept_ev[over], kept_wager[over]
    return Exchanges(
        terms,
        shoe,
        split_class,
        tuple((start, float(start_probability(start, shoe))) for start in starts),
        np.stack([_shares(remove_start(shoe, start)) for start in starts]),
        np.stack([kept_ev, other_ev]),
        np.stack([kept_wager, other_wager]),
        tables,
    )


def _both(of: NDArray[np.float64], hands: tuple[NDArray[np.intp], NDArray[np.intp]]) -> NDArray[np.float64]:
    """Return the mean of both hands, by start and four cards."""
    first, second = hands
    return np.stack([(of[second, number, first] + of[first, number, second]) / 2 for number in range(of.shape[1])])


def _shares(shoe: Shoe) -> NDArray[np.float64]:
    """Return the probability of four cards in order, by their value indexes."""
    cards = np.indices((N_VALUES,) * 4)
    share = np.ones(cards.shape[1:])
    for drawn, card in enumerate(cards):
        gone = shoe.step * np.sum([card == before for before in cards[:drawn]], axis=0)
        share *= np.maximum(np.array(shoe.counts)[card] - gone, 0) / max(shoe.total - shoe.step * drawn, 1)
    return share
