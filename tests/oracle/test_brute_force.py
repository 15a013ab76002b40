"""The engine against whole rounds enumerated card by card, in fractions, on tiny shoes: equality, no tolerance.

The brute force knows nothing of tries, graphs of hands or inclusion and exclusion. It is given the play that the engine
certifies as best; that the play is best is tested apart, against a search of all plays on shoes small enough.
"""

from fractions import Fraction
from itertools import product
from math import factorial
from typing import NamedTuple

import brute_force as bf
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import rules as any_rules
from strategies import surrenders

from odds.engine.actions import ACTIONS
from odds.engine.dealer import remove_start
from odds.engine.hands import ACE, TEN, player_hands
from odds.engine.terms import terms_of
from odds.errors import HandError
from odds.game.cards import RANKS as VALUES
from odds.game.rules import Rules
from odds.game.shoe import Shoe
from odds.results.certify import Root, StartPlay
from odds.results.dealer import exact_dealer, exact_distribution
from odds.results.deals import first_hands
from odds.results.exact import certified_plays, exact_hand, exact_round
from odds.results.hand import situation_of
from odds.results.round import RoundResult, analyze


class TablePlay:
    """A certified play after the first action, as the brute force asks for it."""

    plays: dict[tuple[int, ...], StartPlay]

    def _action(self, play, hand, doublings: int = 0) -> str:
        index = player_hands().find(hand)
        return ACTIONS[play[doublings * player_hands().graph.size + index]]

    def later(self, hand, dealer):
        return self._action(self.plays[dealer].unsplit, hand)

    def after_split(self, hand, dealer, pair_value):
        return self._action(self.plays[dealer].after_split(pair_value), hand)

    def doubled(self, hand, dealer, doublings, pair_value):
        at = self.plays[dealer]
        return self._action(at.unsplit if pair_value is None else at.after_split(pair_value), hand, doublings)

    def free(self, hand, dealer, pair_value):
        at = self.plays[dealer]
        return self._action(at.after_split(pair_value), hand, at.analysis.terms.legal.free_level)


class EnginePlay(TablePlay):
    """The play of an analysis, as the brute force asks for it."""

    def __init__(self, result: RoundResult) -> None:
        self.plays = {analysis.start.cards: play for analysis, play, _ in certified_plays(result, 1 << 61)}
        self.actions = {
            (cards, root.hand, root.pair is not None): root.action
            for cards, play in self.plays.items()
            if play is not None
            for root in play.roots
        }

    def first(self, hand, dealer, is_pair):
        index = player_hands().find(hand)
        # A pair that the rules never split is asked for without being one.
        return self.actions.get((dealer, index, is_pair)) or self.actions[(dealer, index, not is_pair)]


class Case(NamedTuple):
    name: str
    shoe: dict[str, int]
    rules: Rules

    @property
    def cards(self) -> Shoe:
        """The shoe as the engine takes it."""
        return self.rules.shoe() if self.rules.decks == "infinite" else engine_shoe(self.shoe)


def rules(**changes) -> Rules:
    return Rules(**{"max_hands": 2, "insurance": "none", **changes})


# Few ranks, but enough cards that no round can use them all: then, and only then, hands of a split add up.
LOW = {"A": 4, "4": 4, "6": 4, "T": 8}
MIDDLE = {"5": 5, "6": 3, "8": 4, "T": 6}
HIGH = {"A": 3, "7": 4, "9": 4, "T": 7}
SIXES = {"A": 3, "6": 4, "8": 4, "T": 7}
RANKS = {"A": 3, "7": 4, "T": 2, "J": 3, "K": 4}
THREES = {"3": 5, "5": 4, "T": 10}
FOURS = {"A": 3, "4": 5, "6": 4, "T": 9}
TENS = {"6": 4, "8": 3, "T": 3, "Q": 3, "K": 3}


FREE_DOUBLES = {"free_double_on": "hard 9-11", "dealer_22": "push"}
FREE = FREE_DOUBLES | {"free_split": "A-9"}


def few_ranks(kept: str, **changes) -> Rules:
    """One deck of these ranks only."""
    return rules(decks=1, removed_ranks=[rank for rank in bf.RANKS if rank not in kept], **changes)


def endless(kept: str, **changes) -> Rules:
    """Cards of these ranks only, drawn with replacement."""
    return few_ranks(kept, **changes).replace(decks="infinite")


DECKS = {
    "deck": few_ranks("A79K"),
    "deck-by-rank": few_ranks("A89QK", split_by="rank", max_hands=3),
    "deck-by-rank-no-jacks": few_ranks("78TQ", split_by="rank", max_hands=3),
    "deck-no-peek": few_ranks("68QK", hole_card="none", dealer_hits_soft_17=True),
    "deck-no-aces": few_ranks("568T", surrender="early"),
    "deck-no-tens": few_ranks("A789", hole_card="exposed", hit_split_aces=True),
    "infinite": endless("A69K", surrender="late"),
    "infinite-h17": endless("A56K", dealer_hits_soft_17=True, hit_split_aces=True, double_split_aces=True),
    "infinite-three": endless("A79K", max_hands=3, resplit_aces=True),
    "infinite-no-peek": endless("68QK", hole_card="none", dealer_blackjack_takes="original-per-hand", max_hands=3),
    "infinite-exposed": endless("A78K", hole_card="exposed", dealer_wins_ties=True, split_blackjack=True),
    "infinite-by-rank": endless("A8QK", split_by="rank", max_hands=3),
    "infinite-charlie": endless("257K", charlie=5, charlie_pays=2, player_21="wins", hole_card="none"),
}
SUITED = "ranks=6,7,8 pays=3/2; ranks=6,7,8 suits=same pays=2; ranks=6,7,8 suits=spades pays=3"
CASES = [
    *(Case(name, bf.full_shoe(setting), setting) for name, setting in DECKS.items()),
    Case("peek", HIGH, rules()),
    Case("peek-low", LOW, rules(max_hands=1)),
    Case("h17", LOW, rules(max_hands=1, dealer_hits_soft_17=True)),
    Case("late-surrender", HIGH, rules(surrender="late")),
    Case("early-surrender", HIGH, rules(surrender="early", surrender_returns="1/3")),
    Case("early-vs-ten", HIGH, rules(surrender="early-vs-ten")),
    Case("early-2-to-ten", HIGH, rules(surrender="early 2-T", surrender_returns="2/3")),
    Case("late-2-to-9", HIGH, rules(surrender="late 2-9", surrender_returns="2/3")),
    Case("early-ace-late-others", HIGH, rules(surrender="early A, late 6,8-T", peek_under="T")),
    Case("no-peek-early-2-to-ten", HIGH, rules(hole_card="none", surrender="early 2-T", max_hands=1)),
    Case("no-peek-all", HIGH, rules(hole_card="none", dealer_blackjack_takes="all")),
    Case("no-peek-original", HIGH, rules(hole_card="none", dealer_blackjack_takes="original")),
    Case("no-peek-per-hand", HIGH, rules(hole_card="none", dealer_blackjack_takes="original-per-hand")),
    Case("no-peek-late-surrender", HIGH, rules(hole_card="none", surrender="late")),
    Case("no-peek-original-late", HIGH, rules(hole_card="none", dealer_blackjack_takes="original", surrender="late")),
    Case("no-peek-early-surrender", HIGH, rules(hole_card="none", surrender="early")),
    Case("peek-under-ten-only", HIGH, rules(peek_under="T", surrender="late")),
    Case("peek-under-ace-only", HIGH, rules(peek_under="A", dealer_blackjack_takes="original-per-hand")),
    Case("exposed", HIGH, rules(hole_card="exposed", dealer_wins_ties=True, blackjack_tie="win", blackjack_pays=1)),
    Case("exposed-six-to-five", HIGH, rules(hole_card="exposed", blackjack_tie="win", blackjack_pays="6/5")),
    Case("exposed-three", MIDDLE, rules(hole_card="exposed", max_hands=3, dealer_wins_ties="17,20")),
    Case("three-hands", MIDDLE, rules(max_hands=3)),
    Case("three-hands-surrender", MIDDLE, rules(max_hands=3, surrender="late", double_on="10,11")),
    Case("three-hands-no-peek", HIGH, rules(max_hands=3, hole_card="none")),
    Case("three-hands-original-per-hand", HIGH, rules(
        max_hands=3, hole_card="none", dealer_blackjack_takes="original-per-hand", resplit_aces=True)),
    Case("four-hands", {"6": 5, "8": 4, "T": 9}, rules(max_hands=4)),
    Case("not-after-split", MIDDLE, rules(max_hands=3, double_after_split=False)),
    Case("aces-again", HIGH, rules(max_hands=3, resplit_aces=True)),
    Case("aces-drawn", HIGH, rules(hit_split_aces=True)),
    Case("aces-drawn-doubled", HIGH, rules(hit_split_aces=True, double_split_aces=True, resplit_aces=True)),
    Case("aces-doubled-only", HIGH, rules(double_split_aces=True)),
    Case("aces-not-doubled-after-all", HIGH, rules(double_split_aces=True, double_after_split=False)),
    Case("split-blackjack", HIGH, rules(split_blackjack=True, blackjack_pays="6/5")),
    Case("split-blackjack-no-peek", HIGH, rules(split_blackjack=True, hole_card="none", blackjack_tie="lose")),
    Case("split-blackjack-original", HIGH, rules(
        split_blackjack=True, hole_card="none", dealer_blackjack_takes="original")),
    Case("split-blackjack-per-hand", HIGH, rules(
        split_blackjack=True, hole_card="none", dealer_blackjack_takes="original-per-hand", blackjack_tie="win")),
    Case("by-rank", RANKS, rules(split_by="rank")),
    Case("by-rank-three", TENS, rules(split_by="rank", max_hands=3)),
    Case("by-rank-exposed", TENS, rules(split_by="rank", max_hands=3, hole_card="exposed")),
    Case("by-rank-no-peek", RANKS, rules(split_by="rank", hole_card="none", max_hands=3)),
    Case("charlie", {"A": 4, "2": 6, "5": 4, "T": 9}, rules(max_hands=1, charlie=5)),
    Case("charlie-split", {"2": 5, "3": 5, "7": 6, "T": 12}, rules(charlie=5, hole_card="none")),
    Case("ties-lose", MIDDLE, rules(dealer_wins_ties=True)),
    Case("22-pushes", MIDDLE, rules(dealer_22="push")),
    Case("22-pushes-h17", LOW, rules(dealer_22="push", dealer_hits_soft_17=True, max_hands=1, surrender="late")),
    Case("22-pushes-exposed", MIDDLE, rules(dealer_22="push", hole_card="exposed", dealer_wins_ties="17,20")),
    Case("22-pushes-no-peek", SIXES, rules(
        dealer_22="push", hole_card="none", split_blackjack=True, dealer_blackjack_takes="original-per-hand")),
    Case("22-pushes-three-hands", MIDDLE, rules(dealer_22="push", max_hands=3, double_on="10,11")),
    Case("22-pushes-charlie", {"A": 4, "2": 6, "5": 4, "T": 9}, rules(dealer_22="push", max_hands=1, charlie=5)),
    Case("21-wins", HIGH, rules(player_21="wins", surrender="late")),
    Case("21-wins-no-peek", HIGH, rules(player_21="wins", hole_card="none", split_blackjack=True)),
    Case("21-wins-original", HIGH, rules(
        player_21="wins", hole_card="none", dealer_blackjack_takes="original", max_hands=3)),
    Case("21-wins-per-hand", SIXES, rules(
        player_21="wins", hole_card="none", dealer_blackjack_takes="original-per-hand", hit_split_aces=True)),
    Case("21-wins-peek-under-ace", MIDDLE | {"A": 3}, rules(
        player_21="wins", peek_under="A", dealer_blackjack_takes="original", dealer_22="push")),
    Case("21-wins-exposed", HIGH, rules(player_21="wins", hole_card="exposed", dealer_wins_ties=True)),
    Case("charlie-pays", {"A": 4, "2": 6, "5": 4, "T": 9}, rules(max_hands=1, charlie=5, charlie_pays=2)),
    Case("charlie-pays-21-wins", {"A": 4, "2": 6, "5": 4, "T": 9}, rules(
        max_hands=1, charlie=5, charlie_pays="3/2", player_21="wins", hole_card="none")),
    Case("charlie-beats-blackjack", {"A": 4, "2": 6, "5": 4, "T": 9}, rules(
        max_hands=1, charlie=5, charlie_pays="3/2", charlie_beats_blackjack=True, hole_card="none",
        dealer_blackjack_takes="original")),
    Case("charlie-beats-blackjack-split", {"A": 3, "2": 5, "4": 4, "T": 12}, rules(
        charlie=5, charlie_pays=2, charlie_beats_blackjack=True, hole_card="none", player_21="wins",
        dealer_blackjack_takes="original", hit_split_aces=True)),
    Case("three-cards-doubled", LOW, rules(max_hands=1, double_cards=3, surrender="late")),
    Case("three-cards-doubled-split", FOURS, rules(double_cards=3, hole_card="none")),
    Case("any-cards-doubled", FOURS, rules(double_cards="any", double_on="hard 9-11, soft 13-19")),
    Case("any-cards-doubled-three-hands", THREES, rules(
        max_hands=3, double_cards="any", hole_card="none", dealer_blackjack_takes="original-per-hand")),
    Case("any-cards-doubled-original", FOURS, rules(
        double_cards="any", hole_card="none", dealer_blackjack_takes="original", dealer_22="push")),
    Case("any-cards-doubled-not-after-split", THREES, rules(double_cards="any", double_after_split=False)),
    Case("any-cards-doubled-aces", {"A": 4, "3": 4, "7": 4, "T": 7}, rules(
        double_cards="any", hit_split_aces=True, double_split_aces=True)),
    Case("any-cards-doubled-aces-not-hit", {"A": 4, "3": 4, "7": 4, "T": 8}, rules(
        double_cards="any", double_split_aces=True, resplit_aces=True)),
    Case("any-cards-doubled-exposed", THREES, rules(double_cards="any", hole_card="exposed", dealer_wins_ties="17,20")),
    Case("any-cards-doubled-charlie", {"A": 4, "2": 6, "5": 4, "T": 9}, rules(
        max_hands=1, double_cards="any", charlie=5, charlie_pays=2, player_21="wins", hole_card="none")),
    Case("any-cards-doubled-by-rank", {"3": 4, "5": 4, "T": 4, "K": 6}, rules(
        double_cards="any", split_by="rank", max_hands=3)),
    Case("raise", HIGH, rules(raise_after_upcard=1)),
    Case("raise-no-peek", HIGH, rules(
        raise_after_upcard="1/2", hole_card="none", dealer_blackjack_takes="original", max_hands=3)),
    Case("raise-exposed", SIXES, rules(raise_after_upcard=1, hole_card="exposed", dealer_wins_ties=True)),
    Case("raise-late", MIDDLE, rules(raise_after_upcard="3/4", surrender="late", blackjack_pays=1)),
    Case("tripled", LOW, rules(max_hands=1, double_multiples=3)),
    Case("up-to-four-times", FOURS, rules(double_multiples="2,3,4", hole_card="none")),
    Case("up-to-three-times-per-hand", SIXES, rules(
        double_multiples="2,3", hole_card="none", dealer_blackjack_takes="original-per-hand", hit_split_aces=True,
        double_split_aces=True)),
    Case("redoubled", THREES, rules(redoubles=2, max_hands=1)),
    Case("redoubled-split", THREES, rules(redoubles=1)),
    Case("redoubled-three-hands", {"3": 5, "5": 4, "T": 12}, rules(redoubles=1, max_hands=3, hole_card="none")),
    Case("redoubled-original", FOURS, rules(redoubles=2, hole_card="none", dealer_blackjack_takes="original")),
    Case("redoubled-per-hand", FOURS, rules(redoubles=1, hole_card="none", dealer_blackjack_takes="original-per-hand")),
    Case("redoubled-exposed", THREES, rules(redoubles=1, hole_card="exposed", dealer_wins_ties="17,20")),
    Case("redoubled-charlie", {"A": 4, "2": 6, "5": 4, "T": 9}, rules(
        redoubles=2, max_hands=1, charlie=5, charlie_pays=2, hole_card="none")),
    Case("redoubled-aces", {"A": 4, "3": 4, "7": 4, "T": 9}, rules(redoubles=1, double_split_aces=True)),
    Case("redoubled-by-rank", {"3": 4, "5": 4, "T": 4, "K": 7}, rules(redoubles=1, split_by="rank", max_hands=3)),
    Case("rescued", HIGH, rules(double_rescue=True)),
    Case("rescued-three-hands", MIDDLE, rules(double_rescue=True, max_hands=3)),
    Case("rescued-no-peek", HIGH, rules(double_rescue=True, hole_card="none")),
    Case("rescued-original", HIGH, rules(double_rescue=True, hole_card="none", dealer_blackjack_takes="original")),
    Case("rescued-per-hand", HIGH, rules(
        double_rescue=True, hole_card="none", dealer_blackjack_takes="original-per-hand", double_multiples=3)),
    Case("rescued-exposed", MIDDLE, rules(double_rescue=True, hole_card="exposed", dealer_22="push")),
    Case("rescued-redoubled", FOURS, rules(double_rescue=True, redoubles=2, double_cards="any", max_hands=1)),
    Case("rescued-redoubled-split", THREES, rules(
        double_rescue=True, redoubles=1, double_multiples=3, hole_card="none", dealer_blackjack_takes="original")),
    Case("rescued-tripled", LOW, rules(double_rescue=True, double_multiples="2,3", max_hands=1, player_21="wins")),
    Case("any-hand-surrendered", HIGH, rules(surrender="late", surrender_cards="any")),
    Case("any-hand-surrendered-low", LOW, rules(surrender="late", surrender_cards="any", max_hands=1)),
    Case("any-hand-surrendered-three-hands", MIDDLE, rules(
        surrender="late", surrender_cards="any", surrender_returns="2/3", max_hands=3)),
    Case("any-hand-surrendered-no-peek", HIGH, rules(surrender="late", surrender_cards="any", hole_card="none")),
    Case("any-hand-surrendered-original", HIGH, rules(
        surrender="late", surrender_cards="any", hole_card="none", dealer_blackjack_takes="original")),
    Case("any-hand-surrendered-per-hand", HIGH, rules(
        surrender="late", surrender_cards="any", hole_card="none", dealer_blackjack_takes="original-per-hand")),
    Case("any-hand-surrendered-early", HIGH, rules(surrender="early", surrender_cards="any", hole_card="none")),
    Case("any-hand-surrendered-early-peek", HIGH, rules(
        surrender="early", surrender_cards="any", surrender_returns="1/3")),
    Case("any-hand-surrendered-early-per-hand", HIGH, rules(
        surrender="early 2-T", surrender_cards="any", hole_card="none", dealer_blackjack_takes="original-per-hand")),
    Case("any-hand-surrendered-early-original", HIGH, rules(
        surrender="early A, late 7", surrender_cards="any", hole_card="none", dealer_blackjack_takes="original",
        max_hands=1)),
    Case("any-hand-surrendered-by-upcards", HIGH, rules(
        surrender="early 9, late A", surrender_cards="any", peek_under="T", hit_split_aces=True)),
    Case("any-hand-surrendered-exposed", MIDDLE, rules(
        surrender="late", surrender_cards="any", hole_card="exposed", surrender_returns="3/4")),
    Case("any-hand-surrendered-aces", HIGH, rules(
        surrender="late", surrender_cards="any", double_split_aces=True, resplit_aces=True, max_hands=3)),
    Case("any-hand-surrendered-charlie", {"A": 4, "2": 6, "5": 4, "T": 9}, rules(
        surrender="late", surrender_cards="any", max_hands=1, charlie=5, surrender_returns="3/4")),
    Case("any-hand-surrendered-redoubled", FOURS, rules(
        surrender="late", surrender_cards="any", redoubles=1, hole_card="none")),
    Case("rescued-or-surrendered", HIGH, rules(
        surrender="late", surrender_cards="any", surrender_returns="3/4", double_rescue=True, hole_card="none")),
    Case("rescued-or-surrendered-tripled", SIXES, rules(
        surrender="late 6-T", surrender_cards="any", double_multiples=3, double_rescue=True, redoubles=1)),
    Case("everything", THREES, rules(
        surrender="late", surrender_cards="any", double_cards="any", double_multiples=3, double_rescue=True,
        redoubles=1, player_21="wins", hole_card="none")),
    Case("everything-aces", {"A": 3, "3": 4, "7": 4, "T": 9}, rules(
        surrender="early 2-T", surrender_cards="any", double_cards=3, double_rescue=True, redoubles=1, dealer_22="push",
        hit_split_aces=True, double_split_aces=True, peek_under="A", dealer_hits_soft_17=True)),
    Case("bonus-of-suits", {"A": 3, "6": 4, "7": 4, "8": 4, "T": 5}, rules(
        decks=3, bonuses=f"{SUITED}; ranks=7,7,7 pays=3/2; ranks=7,7,7 suits=spades upcard=7 pays=50")),
    Case("bonus-of-suits-rescued", {"6": 4, "7": 6, "8": 4, "T": 8}, rules(
        decks=2, max_hands=3, double_cards="any", double_rescue=True, hole_card="none",
        dealer_blackjack_takes="original",
        bonuses=f"{SUITED}; ranks=7,7,7 suits=black upcard=7 pays=50; ranks=6,6,8 pays=1")),
    Case("bonus-of-doubled-suits", {"6": 4, "7": 4, "8": 4, "T": 6}, rules(
        decks=3, hole_card="none", dealer_blackjack_takes="original",
        bonuses="ranks=6,7,8 suits=red pays=2 after_double=yes; ranks=7,7,7 suits=same pays=5/3 after_double=yes")),
    Case("bonus-of-blackjacks", {"A": 4, "7": 4, "9": 3, "T": 7}, rules(
        decks=2, blackjack_tie="win", hole_card="none", bonuses="ranks=A,T suits=diamonds pays=2; "
        "ranks=A,J suits=spades pays=5/2 after_split=no; cards=3 total=21 suits=same pays=4 after_double=yes")),
    Case("bonus-of-cards", {"A": 4, "2": 5, "3": 5, "T": 9}, rules(
        decks=2, double_cards="any", redoubles=1, double_rescue=True, player_21="wins", blackjack_tie="win",
        hole_card="none", bonuses="cards=5+ total=21 pays=2; cards=4+ total=<=20 pays=1; "
        "cards=2 total=12 upcard=T pays=1/2; ranks=A,T suits=red pays=2")),
    Case("bonus-of-charlies", {"A": 4, "2": 5, "5": 5, "T": 9}, rules(
        decks=2, surrender="late", surrender_cards="any", charlie=5, charlie_pays="3/2", hole_card="none",
        dealer_blackjack_takes="original-per-hand", bonuses="cards=5+ suits=same pays=2 after_split=no; "
        "cards=4 total=17-20 pays=1 after_double=yes; ranks=A,J pays=2 after_split=no")),
    Case("free-doubles-exposed", THREES, rules(hole_card="exposed", dealer_wins_ties=True, **FREE_DOUBLES)),
    Case("free-doubles-per-hand", FOURS, rules(
        hole_card="none", dealer_blackjack_takes="original-per-hand", free_double_on="11-17", hit_split_aces=True,
        double_split_aces=True)),
    Case("free-splits", HIGH, rules(free_split="A-9")),
    Case("free-tens-by-rank-no-peek", RANKS, rules(free_split="T,A", split_by="rank", hole_card="none")),
    Case("free-bet-h17", SIXES, rules(dealer_hits_soft_17=True, blackjack_pays="6/5", **FREE)),
    Case("free-bet-three-hands", THREES, rules(max_hands=3, **FREE)),
    Case("free-bet-21-wins-original", SIXES, rules(
        player_21="wins", hole_card="none", dealer_blackjack_takes="original", hit_split_aces=True, **FREE)),
    Case("soft-as-hard", HIGH, rules(double_on="9-11", double_soft_as_hard=True, max_hands=1)),
]  # fmt: skip


FREE_DECKS = {
    "free-deck": few_ranks("A69K", **FREE),
    "free-infinite": endless("A69K", max_hands=3, resplit_aces=True, **FREE),
    "free-infinite-no-peek": endless("468K", hole_card="none", dealer_hits_soft_17=True, max_hands=3, **FREE),
    "free-infinite-by-rank": endless("A8QK", split_by="rank", max_hands=3, **FREE | {"free_split": "T"}),
}
FREE_CASES = [
    *(Case(name, bf.full_shoe(setting), setting) for name, setting in FREE_DECKS.items()),
    Case("free-doubles", FOURS, rules(**FREE_DOUBLES)),
    Case("free-doubles-unsplit", LOW, rules(
        free_double_on="any", max_hands=1, double_cards="any", double_on="hard 8-14, soft 13-18", surrender="late")),
    Case("free-doubles-no-peek", THREES, rules(
        hole_card="none", double_cards=3, max_hands=3, dealer_wins_ties="17,20", **FREE_DOUBLES)),
    Case("free-doubles-original", FOURS, rules(
        hole_card="none", dealer_blackjack_takes="original", free_double_on="soft 13-17, hard 8")),
    Case("free-doubles-not-after-split", THREES, rules(double_after_split=False, **FREE_DOUBLES)),
    Case("free-doubles-soft-as-hard", HIGH, rules(
        double_on="9-11", double_soft_as_hard=True, free_double_on="hard 10-11, soft 18-20")),
    Case("free-splits-three-hands", MIDDLE, rules(free_split="A-9", max_hands=3, dealer_22="push")),
    Case("free-splits-four-hands", {"6": 5, "8": 4, "T": 9}, rules(free_split="2-7", max_hands=4)),
    Case("free-splits-exposed", MIDDLE, rules(
        free_split="5,8-T", hole_card="exposed", max_hands=3, dealer_wins_ties="17,20")),
    Case("free-splits-no-peek", HIGH, rules(free_split="A-9", hole_card="none")),
    Case("free-splits-original", HIGH, rules(
        free_split="A,9-T", hole_card="none", dealer_blackjack_takes="original", max_hands=3, surrender="early 2-T")),
    Case("free-splits-blackjacks", HIGH, rules(
        free_split="A", split_blackjack=True, hole_card="none", blackjack_tie="lose", blackjack_pays="6/5")),
    Case("free-tens-by-rank", TENS, rules(free_split="T", split_by="rank", max_hands=3, dealer_22="push")),
    Case("free-bet", {"A": 3, "5": 5, "6": 4, "T": 7}, rules(**FREE)),
    Case("free-bet-four-hands", {"3": 5, "6": 4, "T": 12}, rules(max_hands=4, **FREE)),
    Case("free-bet-no-peek", {"3": 5, "6": 4, "A": 3, "T": 9}, rules(hole_card="none", **FREE)),
    Case("free-bet-original", {"3": 5, "6": 4, "A": 3, "T": 9}, rules(
        hole_card="none", dealer_blackjack_takes="original", double_cards="any", **FREE)),
    Case("free-bet-aces", {"A": 4, "3": 4, "7": 4, "T": 9}, rules(
        hit_split_aces=True, double_split_aces=True, **FREE | {"free_double_on": "any"})),
    Case("free-bet-aces-again", {"A": 4, "3": 4, "7": 4, "T": 9}, rules(
        double_split_aces=True, resplit_aces=True, max_hands=3, **FREE | {"free_double_on": "any"})),
    Case("free-bet-exposed", THREES, rules(hole_card="exposed", dealer_wins_ties=True, **FREE)),
    Case("free-bet-charlie", {"2": 5, "3": 5, "7": 6, "T": 12}, rules(
        charlie=5, charlie_pays=2, hole_card="none", **FREE)),
    Case("free-bet-21-wins", SIXES, rules(player_21="wins", hole_card="none", hit_split_aces=True, **FREE)),
    Case("free-bet-raised", MIDDLE, rules(raise_after_upcard="1/2", surrender="late", **FREE)),
    Case("free-bet-bonus", {"A": 3, "6": 4, "7": 4, "8": 4, "T": 5}, rules(
        decks=3, bonuses=f"{SUITED}; cards=3 total=21 suits=same pays=2 after_double=yes after_split=no", **FREE)),
]  # fmt: skip


HEAVY = {
    "free-infinite", "free-infinite-no-peek", "free-bet-aces-again", "free-bet-bonus", "free-bet-charlie",
    "free-bet-raised", "free-splits-exposed",
}  # fmt: skip


def params(cases: list[Case]) -> list:
    return [pytest.param(case, id=case.name, marks=pytest.mark.slow if case.name in HEAVY else ()) for case in cases]


def engine_shoe(counts: dict[str, int]) -> Shoe:
    return Shoe.of_counts(counts)


@pytest.mark.parametrize("split_class", ["cdz", "cdp1"])
@pytest.mark.parametrize("case", params(CASES + FREE_CASES))
def test_round(case: Case, split_class: str) -> None:
    result = analyze(case.rules, shoe=case.cards, split_class=split_class)
    assert not result.shoe_can_run_out
    exact = exact_round(result)
    play = EnginePlay(result)
    assert bf.round_ev(case.shoe, case.rules, play) == exact.ev
    assert bf.average_wager(case.shoe, case.rules, play) == exact.average_wager
    # 1e-13: some hundred roundings of numbers below 1.
    assert result.ev == pytest.approx(float(exact.ev), abs=1e-13)
    assert result.average_wager == pytest.approx(float(exact.average_wager), abs=1e-13)
    for row in result.by_first_card():
        probability, ev = bf.ev_by_first_card(case.shoe, case.rules, play, VALUES.index(row.card))
        assert (row.probability, row.ev) == pytest.approx((float(probability), float(ev)), abs=1e-13)
    for analysis, _, _ in certified_plays(result, 1 << 61):
        start = analysis.start
        assert bf.round_ev(case.shoe, case.rules, play, dealer_start=start.cards) == exact.by_start[start.label]


@pytest.mark.parametrize("case", params([case for case in CASES if case.name.startswith("bonus")]))
def test_distributions_tell_bonuses_apart(case: Case) -> None:
    """Two hands of a split too, whose suits come from the same decks."""
    result = analyze(case.rules, shoe=engine_shoe(case.shoe))
    found = result.outcomes().exact()
    brute = bf.round_distribution(case.shoe, case.rules, EnginePlay(result))
    mean = sum(p * net for net, p in brute.items())
    assert found.mean == mean
    assert found.variance == sum(p * net * net for net, p in brute.items()) - mean * mean
    assert (found.exact_share < 1) == (found.distribution is None) == (case.rules.max_hands > 2)
    assert found.distribution is None or dict(found.distribution) == brute


@pytest.mark.parametrize("ranks", ["none", "10", "9,10", "A,K", "2,3,4,5,6,7,8,9", "10,J,Q,K"])
def test_the_shoe_of_rules(ranks: str) -> None:
    for setting in (rules(decks=1, removed_ranks=ranks), rules(decks=6, removed_ranks=ranks)):
        counts = [bf.full_shoe(setting).get(rank, 0) for rank in bf.RANKS]
        assert setting.shoe() == Shoe.of_counts(counts)


@settings(max_examples=25)
@given(
    any_rules(
        decks=st.sampled_from([1, "infinite"]),
        max_hands=st.integers(1, 3),
        removed_ranks=st.sampled_from([setting.removed_ranks for setting in DECKS.values()]),
    ),
    st.sampled_from(["cdz", "cdp1"]),
)
def test_any_rules_with_a_deck_of_few_ranks(setting: Rules, split_class: str) -> None:
    result = analyze(setting, split_class=split_class)
    assume(not result.shoe_can_run_out)
    play = EnginePlay(result)
    shoe = bf.full_shoe(setting)
    exact = exact_round(result)
    assert (bf.round_ev(shoe, setting, play), bf.average_wager(shoe, setting, play)) == (exact.ev, exact.average_wager)


@pytest.mark.parametrize("case", params([case for case in CASES + FREE_CASES if case.rules.split_by == "value"]))
def test_every_action_of_every_first_hand(case: Case) -> None:
    shoe = case.cards
    result = analyze(case.rules, shoe=shoe, split_class="cdp1")
    for start in result.by_start:
        analysis = result.analysis(start.start)
        if analysis.start.is_blackjack:
            continue
        for hand in first_hands(analysis.shoe, result.terms.legal):
            at = situation_of(hand.label, start.start, case.rules, shoe=shoe)
            exact = exact_hand(at)
            play = _HandPlay(at)
            for action, value in exact.actions.items():
                brute = bf.hand_ev(case.shoe, case.rules, play, hand.values, analysis.start.cards, action)
                assert brute == value, (hand.label, start.start, action)


@pytest.mark.parametrize("name", [
    "free-bet-h17", "free-splits-original", *(pytest.param(f"free-bet-{name}", marks=pytest.mark.slow)
    for name in ("three-hands", "no-peek")),
])  # fmt: skip
def test_every_action_of_free_hands(name: str) -> None:
    """Hands of a free split that carry no wager, against their best play with one more pair card gone."""
    case = next(case for case in CASES + FREE_CASES if case.name == name)
    values = [value for value, n in enumerate(case.cards.counts) if n]
    compared = 0
    for pair, other, more, up in product(values, values, [None, *values], values):
        hand = tuple(sorted(value for value in (pair, other, more) if value is not None))
        few = any((pair, *hand, up).count(value) > case.cards.counts[value] for value in values)
        if (
            few
            or bf.total_of(hand)[0] > 20
            or not bf.splits_free(case.rules, pair)
            or (more is not None and pair == ACE)
        ):
            continue
        names = ",".join(VALUES[value] for value in hand)
        at = situation_of(names, VALUES[up], case.rules, shoe=case.cards, after_split=f"{VALUES[pair]}:2", free=True)
        best = bf.SplitPlay(case.shoe, case.rules, pair).evs(hand, (up,), given=True)
        actions = exact_hand(at).actions
        assert actions == {action: best[action] for action in actions}, (names, pair, up)
        assert actions["stand"] >= 0
        compared += len(actions)
    assert compared > 100


class _HandPlay(TablePlay):
    """The certified play that follows every action of one hand: `exact_hand` keeps it to itself."""

    def __init__(self, at) -> None:
        joint, best = at.joint() if at.value_if_over is None else ({"stand": 0.0}, "stand")
        root = Root(at.hand, at.label, joint, best, at.pair, at.rank, every_action=True)
        self.plays = {at.analysis.start.cards: StartPlay(at.analysis, [root])}

    def first(self, hand, dealer, is_pair):
        raise AssertionError("the first action is given")


@pytest.mark.parametrize("hits_soft_17", [False, True])
@pytest.mark.parametrize("exposed", [False, True])
@pytest.mark.parametrize("dealer_22", ["bust", "push"])
@pytest.mark.parametrize("counts", [LOW, MIDDLE, HIGH, {"A": 1, "5": 1}, {"A": 2, "2": 2, "3": 1, "6": 1}])
def test_dealer(counts: dict[str, int], dealer_22: str, exposed: bool, hits_soft_17: bool) -> None:
    setting = rules(hole_card="exposed" if exposed else "peek", dealer_hits_soft_17=hits_soft_17, dealer_22=dealer_22)
    shoe = engine_shoe(counts)
    values = [value for value, n in enumerate(shoe.counts) if n]
    starts = [(a, b) for a in values for b in values if a <= b] if exposed else [(a,) for a in values]
    for cards in starts:
        if any(cards.count(value) > shoe.counts[value] for value in cards):
            continue
        start = terms_of(setting).dealer.start(cards)
        exact = exact_dealer(start, remove_start(shoe, start), terms_of(setting))
        brute = bf.dealer_outcomes(counts, setting, cards)
        assert exact == {str(outcome): p for outcome, p in brute.items()}


@pytest.mark.parametrize("hits_soft_17", [False, True])
@pytest.mark.parametrize("dealer_22", ["bust", "push"])
@pytest.mark.parametrize("counts", [LOW, MIDDLE, HIGH, {"A": 3, "2": 2, "3": 1, "6": 1}])
def test_dealer_from_more_cards_and_from_totals(counts: dict[str, int], dealer_22: str, hits_soft_17: bool) -> None:
    setting = rules(dealer_hits_soft_17=hits_soft_17, dealer_22=dealer_22)
    shoe = engine_shoe(counts)
    values = [value for value, n in enumerate(shoe.counts) if n]
    dealt = [hand for number in (2, 3, 4) for hand in product(values, repeat=number)]
    followed = 0
    for hand in dealt:
        text = ",".join(VALUES[value] for value in hand)
        if any(hand.count(value) > shoe.counts[value] for value in hand):
            continue
        brute = bf.dealer_outcomes(counts, setting, hand)
        before = [bf.total_of(hand[:number]) for number in range(2, len(hand))]
        if any(total > 17 or (total == 17 and not (soft and hits_soft_17)) for total, soft in before):
            with pytest.raises(HandError, match="he draws no more to"):
                exact_distribution(shoe, text, setting)
            continue
        assert exact_distribution(shoe, text, setting).unconditional == {str(end): p for end, p in brute.items()}, text
        followed += 1
    assert followed > 20
    rest, orderings = bf.counted(counts, setting), factorial(shoe.total)
    for total in range(4, 22):
        for soft in [False, True][: 1 + (total > 11)]:
            text = f"{'soft' if soft else 'hard'} {total}"
            ways = bf.dealer_ways_from(setting, rest, 3, total - 10 * soft, soft)
            exact = exact_distribution(shoe, text, setting).unconditional
            brute = {str(end): Fraction(number, orderings) for end, number in ways.items()}
            assert {end: p for end, p in exact.items() if p} == brute, text


@pytest.mark.parametrize(
    "case",
    params(
        [
            Case("peek", {"A": 2, "7": 2, "9": 2, "T": 4}, rules(max_hands=1)),
            Case("no-peek", {"A": 2, "7": 2, "9": 2, "T": 4}, rules(max_hands=1, hole_card="none")),
            Case("exposed", {"A": 2, "5": 3, "6": 2, "T": 3}, rules(max_hands=1, hole_card="exposed")),
            Case("low", {"A": 3, "2": 3, "3": 3, "T": 2}, rules(max_hands=1, surrender="late")),
            Case("low-no-peek", {"A": 2, "2": 3, "4": 3}, rules(max_hands=1, hole_card="none")),
            Case("charlie", {"A": 3, "2": 4, "3": 3, "T": 2}, rules(max_hands=1, charlie=5)),
            Case("22-pushes", {"A": 2, "6": 3, "8": 2, "T": 3}, rules(max_hands=1, dealer_22="push")),
            Case("21-wins", {"A": 2, "4": 3, "7": 2, "T": 3}, rules(max_hands=1, player_21="wins", hole_card="none")),
            Case("rescued", {"A": 2, "4": 3, "7": 2, "T": 3}, rules(max_hands=1, double_rescue=True)),
            Case("redoubled", {"A": 2, "2": 3, "4": 3, "T": 3}, rules(max_hands=1, redoubles=2, hole_card="none")),
            Case(
                "surrendered",
                {"A": 2, "2": 2, "5": 2, "7": 2, "T": 3},
                rules(max_hands=1, surrender="early", surrender_cards="any", redoubles=1, hole_card="none"),
            ),
            Case(
                "surrendered-late",
                {"A": 2, "2": 2, "5": 2, "7": 2, "T": 3},
                rules(max_hands=1, surrender="late", surrender_cards="any", double_rescue=True),
            ),
            Case("doubled-later", {"A": 2, "2": 3, "4": 3, "T": 2}, rules(max_hands=1, double_cards="any")),
            Case(
                "charlie-pays",
                {"A": 3, "2": 4, "3": 3, "T": 2},
                rules(max_hands=1, charlie=5, charlie_pays=2, charlie_beats_blackjack=True, hole_card="none"),
            ),
        ]
    ),
)
def test_best_play_without_splits_even_where_the_shoe_runs_out(case: Case) -> None:
    """The best play, searched by brute force: a player who cannot draw stands, a dealer who cannot counts as bust."""
    result = analyze(case.rules, shoe=case.cards)
    best = bf.optimal_unsplit(case.shoe, case.rules)
    assert result.ev == pytest.approx(float(bf.round_ev(case.shoe, case.rules, best)), abs=1e-13)


BEST = [
    "peek", "late-surrender", "no-peek-all", "exposed", "three-hands", "aces-drawn", "22-pushes",
    "three-cards-doubled-split", "any-cards-doubled", "any-cards-doubled-not-after-split", "any-cards-doubled-aces",
    "up-to-four-times", "redoubled-split", "redoubled-original", "rescued-three-hands", "rescued-per-hand",
    "free-doubles", "free-doubles-per-hand", "free-splits-three-hands", "free-splits-original",
    "free-splits-blackjacks", "free-tens-by-rank", "free-bet-three-hands", "free-bet-no-peek", "free-bet-aces",
    "free-bet-aces-again", "free-bet-exposed", "free-bet-21-wins-original",
    "rescued-redoubled-split", "rescued-or-surrendered-tripled", "any-hand-surrendered",
    "any-hand-surrendered-original", "any-hand-surrendered-early-per-hand", "everything", "everything-aces",
]  # fmt: skip


@pytest.mark.parametrize(("split_class", "best_of"), [("cdz", bf.optimal_zero_memory), ("cdp1", bf.OneMoreGone)])
@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.slow if name in HEAVY else ()) for name in BEST])
def test_best_play_of_a_class(name: str, split_class: str, best_of) -> None:
    """The best play before a split, and the same or that for one more pair card gone after it, by brute force."""
    case = next(case for case in CASES + FREE_CASES if case.name == name)
    result = analyze(case.rules, shoe=case.cards, split_class=split_class)
    best = best_of(case.shoe, case.rules)
    assert bf.round_ev(case.shoe, case.rules, best) == exact_round(result).ev


@settings(max_examples=8)
@given(any_rules(decks=st.integers(1, 8), max_hands=1, split_by="value", surrender=surrenders))
def test_rounds_of_any_surrender(setting: Rules) -> None:
    shoe = {"A": 3, "6": 4, "9": 4, "T": 5}
    result = analyze(setting, shoe=engine_shoe(shoe))
    assert bf.round_ev(shoe, setting, EnginePlay(result)) == exact_round(result).ev


@pytest.mark.parametrize("hole_card", ["peek", "none"])
def test_insurance_pays_what_the_deals_say(hole_card: str) -> None:
    """Every deal is looked at: whether the card beside an ace or a ten makes a blackjack, by the cards in hand."""
    setting = rules(hole_card=hole_card, insurance="ace,ten", insurance_pays="5/2", max_hands=1)
    shoe = {"A": 3, "6": 2, "9": 2, "T": 5}
    result = analyze(setting, shoe=engine_shoe(shoe))
    every_hole = bf._Game(setting.replace(hole_card="peek"), bf.optimal_unsplit(shoe, setting))
    for upcard, needed, found in ((ACE, TEN, result.insurance), (TEN, ACE, result.insurance_against_ten)):
        nets: dict[tuple[int, ...], list[Fraction]] = {}
        for cards, dealer, _, ways in every_hole.deals(bf.counted(shoe, setting)):
            if dealer[0] == upcard:
                net = Fraction(5, 2) if dealer[1] == needed else Fraction(-1)
                for seen in ((), (cards.count(needed),), cards):
                    sums = nets.setdefault(seen, [Fraction(0), Fraction(0)])
                    sums[0] += net * ways
                    sums[1] += ways
        evs = {seen: total / ways for seen, (total, ways) in nets.items()}
        assert found is not None
        assert found.ev == evs[()]
        assert {(number,): ev for number, ev in found.by_needed.items()} == {n: evs[n] for n in evs if len(n) == 1}
        for cards in (cards for cards in evs if len(cards) == 2):
            hand = ",".join(VALUES[card] for card in cards)
            assert result.hand(hand, VALUES[upcard]).insurance == evs[cards], hand


def test_long_hands_agree_too() -> None:
    shoe = engine_shoe(LOW)
    setting = rules(max_hands=1)
    for text in ("A,A,4", "4,4,4", "A,4,6", "6,6,4", "A,A,A,4"):
        for dealer in ("4", "6", "T"):
            at = situation_of(text, dealer, setting, shoe=shoe)
            exact = exact_hand(at)
            hand = player_hands().values(at.hand)
            for action, value in exact.actions.items():
                assert bf.hand_ev(LOW, setting, _HandPlay(at), hand, at.analysis.start.cards, action) == value, (
                    text,
                    dealer,
                )


def test_the_sum_of_probabilities_is_one() -> None:
    result = analyze(rules(), shoe=engine_shoe(HIGH))
    assert sum((hand.ways for hand in first_hands(engine_shoe(HIGH), terms_of(rules()).legal)), Fraction(0)) == 18 * 17
    assert sum(start.probability for start in result.by_start) == pytest.approx(1, abs=1e-15)
