"""How many bets of a round the house pays, where every free bet is taken.

The hand that is dealt is doubled free where it may be, else split free; so is each hand of a free split, up to the most
hands. Nothing but the first two cards of each hand decides that, and cards are exchangeable: those second cards are as
good as the next ones of the shoe, whatever hands draw between. A dealer's blackjack makes it none.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import TYPE_CHECKING, Final, NamedTuple

from odds.errors import PaytableError
from odds.game.cards import RANKS, TEN
from odds.game.fields import ranks_of
from odds.game.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Mapping

# For a bet on free bets that is asked about without a game.
USUAL: Final = Rules(free_double_on="hard 9-11", free_split="A-9", resplit_aces=True)


class FreeRules(NamedTuple):
    """What of a round is free.

    Attributes:
        splits: the values whose pairs are split free.
        doubles: the two values of hands that are doubled free, lower first.
        after_split: of each value, the second values with which a hand of its split is doubled free.
        hands: of each value, how many hands its splits may lead to.
    """

    splits: frozenset[int]
    doubles: frozenset[tuple[int, int]]
    after_split: tuple[frozenset[int], ...]
    hands: tuple[int, ...]

    @classmethod
    def of(cls, rules: Rules) -> FreeRules:
        """Return what of a round is free under rules.

        Raises:
            PaytableError: nothing is, or like tens only, which goes by more than the value of cards.
        """
        if all(getattr(rules, name) == "none" or rules.is_moot(name) for name in ("free_double_on", "free_split")):
            raise PaytableError(
                f"the bet counts free bets, and there are none with free_double_on={rules.free_double_on} and "
                f"free_split={rules.free_split}; expected rules such as those of --game free-bet"
            )
        splits = frozenset(map(RANKS.index, ranks_of(rules.free_split))) if rules.max_hands > 1 else frozenset()
        if TEN in splits and rules.split_by == "rank" and not rules.is_moot("split_by"):
            raise PaytableError(
                f"free bets are not counted with free_split={rules.free_split} and split_by=rank: that takes like tens "
                "apart from unlike ones"
            )
        doubles = frozenset(pair for pair in combinations_with_replacement(range(len(RANKS)), 2) if _free(rules, pair))
        aces = rules.double_split_aces
        return cls(
            splits,
            doubles,
            tuple(
                frozenset(
                    other
                    for other in range(len(RANKS))
                    if rules.double_after_split
                    and (value or aces)
                    and (min(value, other), max(value, other)) in doubles
                )
                for value in range(len(RANKS))
            ),
            tuple(rules.max_hands if value or rules.resplit_aces else 2 for value in range(len(RANKS))),
        )


def _free(rules: Rules, pair: tuple[int, int]) -> bool:
    total = sum(pair) + 2
    soft = not pair[0] and total <= 11
    return rules.doubles_free(total + 10 * soft, soft)


@lru_cache(maxsize=8)
def rounds(free: FreeRules) -> list[tuple[tuple[int, ...], int, int]]:
    """Return of each set of the player's cards that decide it their counts by value, orders, and the free bets.

    A dealer's blackjack, an ace and a ten more, is taken out of these, as a negative number of orders, and added with
    no free bet.
    """
    found: list[tuple[tuple[int, ...], int, int]] = []
    for first, second in combinations_with_replacement(range(len(RANKS)), 2):
        cards = [0] * len(RANKS)
        cards[first] += 1
        cards[second] += 1
        if first == second and first in free.splits and (first, second) not in free.doubles:
            found += _split(free, first)
        else:
            found.append((tuple(cards), 1 + (first != second), int((first, second) in free.doubles)))
    for cards_of, orders, bets in list(found):
        if bets:
            blackjack = tuple(number + (value in (0, TEN)) for value, number in enumerate(cards_of))
            found += [(blackjack, -2 * orders, bets), (blackjack, 2 * orders, 0)]
    return found


def _split(free: FreeRules, value: int) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """Yield what a free split comes to: the cards of all its hands, their orders, and the free bets."""
    others = [other for other in range(len(RANKS)) if other != value]
    for (pairs, splits), orders in _patterns(free.hands[value]).items():
        unlike = splits + 1 - pairs  # hands whose second card is another one
        for chosen in combinations_with_replacement(others, unlike):
            cards = [chosen.count(other) for other in range(len(RANKS))]
            ways = orders * factorial(unlike) // prod(map(factorial, cards))
            cards[value] = splits + 1 + pairs
            doubled = sum(other in free.after_split[value] for other in chosen)
            yield tuple(cards), ways, splits + doubled + pairs * (value in free.after_split[value])


def _patterns(hands: int) -> Mapping[tuple[int, int], int]:
    """Return in how many orders like and unlike second cards leave so many hands as pairs, after so many splits."""
    found: dict[tuple[int, int], int] = {}

    def deal(now: int, waiting: int, pairs: int) -> None:
        if not waiting:
            found[pairs, now - 1] = found.get((pairs, now - 1), 0) + 1
            return
        deal(now, waiting - 1, pairs)
        if now < hands:
            deal(now + 1, waiting + 1, pairs)
        else:
            deal(now, waiting - 1, pairs + 1)

    deal(2, 2, 0)
    return found
