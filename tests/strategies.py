"""Hypothesis strategies that the tests share."""

from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from odds.engine.terms import hand_terms
from odds.errors import RulesError
from odds.game.bonuses import read_bonuses, unpayable
from odds.game.cards import RANKS
from odds.game.catalog import games, load_game
from odds.game.fields import FIELDS
from odds.game.rules import Rules
from odds.game.shoe import Shoe

payouts = st.one_of(
    st.sampled_from([Fraction(3, 2), Fraction(6, 5), Fraction(1), Fraction(2)]),
    st.fractions(min_value=0, max_value=3, max_denominator=10),
)
returned_parts = st.fractions(min_value=0, max_value=1, max_denominator=4)
tied_totals = st.one_of(
    st.booleans(), st.sets(st.integers(17, 21), max_size=5).map(lambda totals: tuple(sorted(totals)))
)
doubled_totals = st.one_of(
    st.sampled_from(["any", "none", "9-11", "10-11", "9,10,11", "11", "hard 9-11, soft 19-20", "soft 13-18"]),
    st.tuples(st.integers(4, 20), st.integers(0, 8)).map(lambda low: f"{low[0]}-{min(low[0] + low[1], 21)}"),
)

by_upcard = st.dictionaries(st.sampled_from(RANKS), st.sampled_from(["early", "late"]), min_size=1)
surrenders = st.one_of(
    st.sampled_from(["none", "late", "early", "early-vs-ten"]),
    by_upcard.map(lambda kinds: ", ".join(f"{kind} {upcard}" for upcard, kind in kinds.items())),
)

# Together those that other rules may leave without cards, or that ask for the upcard, and that are computed with all.
bonus_lines = st.sampled_from(
    [
        "none",
        "cards=5 total=21 pays=3/2; cards=6 total=21 pays=2; cards=7+ total=21 pays=3",
        "ranks=6,7,8 pays=3/2; ranks=6,7,8 suits=same pays=2; ranks=6,7,8 suits=spades pays=3",
        "ranks=7,7,7 pays=3/2; ranks=7,7,7 suits=red upcard=7 pays=50",
        "cards=4+ total=<=20 pays=1 after_double=true; ranks=A,T suits=red pays=2; ranks=A,J pays=5/2 after_split=no",
        "cards=3 total=21 suits=same pays=4; cards=2 total=20 pays=1/2",
        "cards=2 total=12-13 upcard=T pays=1/3; cards=3 total=21 suits=black pays=2 after_double=true",
    ]
).map(read_bonuses)

VALUES: dict[str, st.SearchStrategy[Any]] = {
    "decks": st.one_of(st.integers(1, 8), st.just("infinite")),
    "removed_ranks": st.sampled_from(["none", "10", "9,10", "A", "2,7,J", "10,J,K", "10,J,Q,K"]),
    "dealer_hits_soft_17": st.booleans(),
    "hole_card": st.sampled_from(["peek", "none", "exposed"]),
    "peek_under": st.sampled_from(["A,T", "T", "A"]),
    "dealer_blackjack_takes": st.sampled_from(["all", "original", "original-per-hand"]),
    "blackjack_pays": payouts,
    "blackjack_tie": st.sampled_from(["push", "win", "lose"]),
    "dealer_wins_ties": tied_totals,
    "dealer_22": st.sampled_from(["bust", "push"]),
    "double_on": doubled_totals,
    "double_soft_as_hard": st.booleans(),
    "double_after_split": st.booleans(),
    "double_split_aces": st.booleans(),
    "double_cards": st.sampled_from([2, 3, "any"]),
    "double_multiples": st.sampled_from([2, 2, 3, 4]),
    "redoubles": st.sampled_from([0, 0, 1, 2]),
    "double_rescue": st.booleans(),
    "max_hands": st.integers(1, 4),
    "split_by": st.sampled_from(["value", "rank"]),
    "resplit_aces": st.booleans(),
    "hit_split_aces": st.booleans(),
    "split_blackjack": st.booleans(),
    "split_deal": st.sampled_from(["both", "in-turn"]),
    "surrender": surrenders,
    "surrender_returns": returned_parts,
    "surrender_cards": st.sampled_from([2, "any"]),
    "insurance": st.sampled_from(["none", "ace", "ace,ten"]),
    "insurance_pays": payouts,
    "even_money": st.booleans(),
    "player_21": st.sampled_from(["compare", "wins"]),
    "charlie": st.sampled_from([None, 5, 6, 7]),
    "charlie_pays": st.sampled_from([Fraction(1), Fraction(2), Fraction(3, 2)]),
    "charlie_beats_blackjack": st.booleans(),
    "raise_after_upcard": st.sampled_from([Fraction(0), Fraction(1), Fraction(1, 2)]),
    "bonuses": bonus_lines,
    "free_double_on": st.sampled_from(["none", "none", "hard 9-11", "any", "8-10, soft 13-17"]),
    "free_split": st.sampled_from(["none", "none", "A-9", "A", "5,8-T"]),
    "switch": st.just(False),  # two hands: tests that take them say so
    "switched_blackjack": st.sampled_from(["21", "blackjack"]),
}
# What is refused with free money.
_WITHOUT_FREE = {"double_multiples": 2, "redoubles": 0, "double_rescue": False, "surrender_cards": 2}
NO_FREE_MONEY = {"free_double_on": "none", "free_split": "none"}


@st.composite
def rules(draw: st.DrawFn, **fixed: Any) -> Rules:
    """Any valid rules; a field may be fixed to a value, or given a strategy of its own."""
    chosen = Rules()
    for name, values in VALUES.items():
        source = fixed.get(name, values)
        value = draw(source) if isinstance(source, st.SearchStrategy) else source
        # One change at a time never contradicts anything, upcards apart where both of his cards are.
        if name == "bonuses":
            lacking = unpayable(value, chosen.deck, chosen.decks)
            if lacking or (chosen.hole_card == "exposed" and any(bonus.upcard for bonus in value)):
                continue
        if name in NO_FREE_MONEY and value != "none":
            if any(field in fixed for field in _WITHOUT_FREE):
                continue
            chosen = chosen.replace(**_WITHOUT_FREE)
            if name == "free_split" and chosen.dealer_blackjack_takes == "original-per-hand":
                chosen = chosen.replace(dealer_blackjack_takes="all")
        if name != "surrender" or chosen.hole_card != "exposed" or " " not in value:
            chosen = chosen.replace(**{name: value})
    try:
        hand_terms(chosen)
    except RulesError:  # rules that are refused together
        chosen = chosen.replace(surrender_cards=2, **NO_FREE_MONEY)
        if chosen.switch:
            chosen = chosen.replace(split_by="value", surrender="none", charlie=None, bonuses="none")
    return chosen


@st.composite
def small_shoes(
    draw: st.DrawFn, min_cards: int = 8, max_cards: int = 24, max_values: int = 4, ten_ranks: bool = False
) -> Shoe:
    """A shoe of few cards and few values; with `ten_ranks`, one that knows the ranks of its tens."""
    ranks = list(RANKS) if not ten_ranks else [*RANKS, "J", "Q", "K"]
    symbols = draw(st.lists(st.sampled_from(ranks), min_size=1, max_size=max_values, unique=True))
    total = draw(st.integers(min_cards, max_cards))
    cuts = sorted(draw(st.lists(st.integers(0, total), min_size=len(symbols) - 1, max_size=len(symbols) - 1)))
    counts = [high - low for low, high in zip([0, *cuts], [*cuts, total], strict=True)]
    known = dict(zip(symbols, counts, strict=True))
    if ten_ranks:
        known.setdefault("K", 0)
    return Shoe.of_counts(known)


# The games of the catalogue that are played with one hand, of which there is everything.
ONE_HAND = tuple(name for name in games() if not load_game(name).rules.switch)

hand_values = st.lists(st.integers(0, 9), max_size=12)


def described(rules: Rules) -> list[tuple[str, str, str]]:
    """What the line of rules says that is not the default: field, words and shorthand of each."""
    changed = (name for name in rules.said() if getattr(rules, name) != FIELDS[name].default)
    return [(name, rules.words(name), rules.shorthand(name)) for name in changed]
