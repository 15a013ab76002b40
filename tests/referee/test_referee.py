"""The referee: fixed shoes card by card, and all rounds of tiny shoes against the brute force."""

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import partial
from itertools import combinations_with_replacement, product
from typing import Any

import brute_force as bf
import brute_force_switch as bfs
import numpy as np
import pytest
from numpy.typing import NDArray
from test_brute_force import CASES, Case
from test_brute_force_self import Whim

from odds.engine.actions import NUMBER
from odds.engine.hands import player_hands
from odds.engine.play import StartTable
from odds.errors import HandError, RulesError
from odds.game.cards import RANKS
from odds.game.rules import Rules
from odds.game.shoe import Shoe
from odds.referee.rounds import (
    WAGERED,
    PlayedRound,
    SwitchPlay,
    count_odds,
    net_result,
    play_round,
    referee,
    shoe_ranks,
    times_of,
)
from odds.results.round import RoundResult, analyze

FREE_HANDS = 2  # of the rows after a split
TWO_CARDS = list(combinations_with_replacement(range(10), 2))


def hands(played: PlayedRound) -> list[str]:
    return [hand.cards for hand in played.hands]


def events(played: PlayedRound, what: str = "") -> list[str]:
    return [str(event) for event in played.events if event.what == what or not what]


class TestDeal:
    def test_order(self) -> None:
        played = play_round(Rules(), "T 9 8 7 K", ["stand"])
        assert events(played) == [
            "hand 1: card T",
            "dealer: card 9",
            "hand 1: card 8",
            "dealer: hole card 7",
            "hand 1: stand",
            "dealer: card K",
        ]
        assert (played.dealer, played.net, played.wager, played.drawn) == ("97K", 1, 1, 5)

    def test_no_hole_card(self) -> None:
        played = play_round(Rules(hole_card="none"), "T 9 8 7 K", ["stand"])
        assert (hands(played), played.dealer) == (["T8"], "97K")
        assert "dealer: hole card 7" not in events(played)

    def test_both_cards_face_up(self) -> None:
        played = play_round(Rules(hole_card="exposed"), "T T 8 A 5")
        assert (played.net, played.drawn) == (-1, 4), "the player has nothing to play for"

    def test_cards_that_end_too_early(self) -> None:
        for cards in ("", "T 9 8", "T 9 5 7", "T 9 8 7"):
            with pytest.raises(HandError, match="they end before it does"):
                play_round(Rules(), cards, ["hit"] if cards == "T 9 5 7" else [])

    def test_peek(self) -> None:
        assert events(play_round(Rules(), "T A 8 K"), "peek") == ["dealer: peek"]
        assert play_round(Rules(), "T A 8 K").net == -1
        assert not events(play_round(Rules(peek_under="T"), "T A 8 K"), "peek")

    def test_play_before_a_hidden_blackjack(self) -> None:
        for takes, net in (("all", -4), ("original", -1), ("original-per-hand", -2)):
            rules = Rules(hole_card="none", dealer_blackjack_takes=takes)
            played = play_round(rules, "8 T 8 3 2 9 9 A", ["split", "double", "double"])
            assert (hands(played), played.dealer, played.wager) == (["839", "829"], "TA", 4)
            assert played.net == net, takes

    def test_a_bust_is_not_settled_before_a_hidden_blackjack(self) -> None:
        for takes, net in (("all", -2), ("original", -1), ("original-per-hand", -1)):
            rules = Rules(peek_under="T", dealer_blackjack_takes=takes)
            played = play_round(rules, "T A 2 K K", ["double"])
            assert ([hand.end for hand in played.hands], played.net) == (["bust"], net)


class TestHands:
    def test_soft_totals(self) -> None:
        # 9,2,A,7,A is 20, the aces counting one each.
        played = play_round(Rules(), "9 T 2 9 A 7 A", ["hit", "hit", "hit", "stand"])
        assert (hands(played), played.net) == (["92A7A"], 1)
        # A soft 16 stays soft with a 2, and is hard with a ten.
        assert play_round(Rules(), "A T 5 7 2", ["hit", "stand"]).net == 1
        assert play_round(Rules(), "A T 5 7 T", ["hit", "stand"]).net == -1

    def test_dealer(self) -> None:
        for cards, drawn in {
            "T A 9 4 7 5": "A475",  # A,4,7 is a hard 12
            "T K 9 A": "KA",
            "T A 9 6": "A6",
            "T 6 9 A": "6A",
            "T A 9 2 3 A": "A23A",
            "T 6 9 T T": "6TT",
        }.items():
            assert play_round(Rules(), cards).dealer == drawn
        assert play_round(Rules(dealer_hits_soft_17=True), "T A 9 6 T").dealer == "A6T"
        assert play_round(Rules(dealer_hits_soft_17=True), "T A 9 6 A").dealer == "A6A"

    def test_dealer_who_has_nobody_to_beat(self) -> None:
        assert play_round(Rules(), "T 6 6 T K", ["hit"]).dealer == "6T"
        assert play_round(Rules(hole_card="none"), "T 6 6 K", ["hit"]).dealer == "6"
        assert play_round(Rules(hole_card="none"), "T T 6 K A", ["hit"]).dealer == "TA"

    def test_21_stands_by_itself(self) -> None:
        played = play_round(Rules(), "5 T 6 9 T", ["hit"])
        assert (hands(played), played.net) == (["56T"], 1)
        with pytest.raises(RulesError, match="got hit after the last one"):
            play_round(Rules(), "5 T 6 9 T 2", ["hit", "hit"])

    @pytest.mark.parametrize("total", [17, 18, 19, 20, 21])
    def test_ties(self, total: int) -> None:
        tied = {17: "T T 7 7", 18: "T T 8 8", 19: "T T 9 9", 20: "T T K K", 21: "7 7 7 7 7 7"}[total]
        answers = ["hit"] if total == 21 else []
        assert play_round(Rules(), tied, answers).net == 0
        assert play_round(Rules(dealer_wins_ties=True), tied, answers).net == -1
        assert play_round(Rules(dealer_wins_ties="17,20"), tied, answers).net == (-1 if total in (17, 20) else 0)

    def test_double(self) -> None:
        played = play_round(Rules(), "5 6 6 T T T", ["double"])
        assert (hands(played), played.net, played.wager) == (["56T"], 2, 2)
        with pytest.raises(RulesError, match=r"5,3,2: expected stand or hit, got double"):
            play_round(Rules(), "5 6 3 T 2 T T", ["hit", "double"])
        with pytest.raises(RulesError, match=r"5,3: expected stand or hit, got double"):
            play_round(Rules(double_on="9-11"), "5 6 3 T 2 T T", ["double"])
        with pytest.raises(RulesError, match=r"A,8: expected stand or hit, got double"):
            play_round(Rules(double_on="9-11"), "A 6 8 T 2 T T", ["double"])
        assert play_round(Rules(double_on="9-11", double_soft_as_hard=True), "A 6 8 T 2 T", ["double"]).net == 2

    def test_charlie(self) -> None:
        rules = Rules(charlie=5)
        played = play_round(rules, "2 T 2 K 2 3 4", ["hit"] * 3)
        assert ([hand.end for hand in played.hands], played.net) == (["charlie"], 1)
        assert play_round(rules, "2 T 2 T 2 6 T", ["hit"] * 3).net == -1, "22 is no charlie"
        assert play_round(rules, "A T 2 9 8 A A", ["hit"] * 3).net == 1, "a soft 21 may go on"
        with pytest.raises(RulesError, match="got hit after the last one"):
            play_round(rules, "7 T 4 9 T 2", ["hit", "hit"])
        assert play_round(rules.replace(hole_card="none"), "2 T 2 2 3 4 A", ["hit"] * 3).net == -1
        split = play_round(rules, "2 7 2 T 3 T 2 3 4", ["split", "hit", "hit", "hit"])
        assert (hands(split), [hand.end for hand in split.hands]) == (["23234", "2T"], ["charlie", "stand"])
        assert split.net == 0


class TestPlayers21:
    WINS = Rules(player_21="wins")
    UNSEEN = WINS.replace(hole_card="none")

    def test_wins_at_once(self) -> None:
        played = play_round(self.WINS, "5 6 6 T T 5", ["hit"])
        assert ([hand.end for hand in played.hands], played.dealer, played.net) == (["21"], "6T", 1)
        assert play_round(Rules(), "5 6 6 T T 5", ["hit"]).net == 0
        doubled = play_round(self.WINS, "5 6 6 T T", ["double"])
        assert (doubled.net, doubled.wager, doubled.hands[0].end) == (2, 2, "21")
        soft = play_round(self.WINS.replace(charlie=5), "A 6 5 T 5", ["hit"])
        assert (soft.net, soft.hands[0].end) == (1, "21"), "a soft 21 does not go on for a charlie"

    def test_a_blackjack_keeps_its_rule(self) -> None:
        assert play_round(self.WINS, "A A K T").net == 0
        assert play_round(self.WINS, "A 6 K T").net == Fraction(3, 2)
        split = play_round(self.WINS.replace(split_blackjack=True), "A 6 A T K 5 T", ["split"])
        assert [hand.end for hand in split.hands] == ["blackjack", "stand"]
        assert [hand.end for hand in play_round(self.WINS, "A 6 A T K 5 T", ["split"]).hands] == ["21", "stand"]

    @pytest.mark.parametrize(("takes", "split"), [("all", 0), ("original", 1), ("original-per-hand", 1)])
    def test_before_a_blackjack_is_found(self, takes: str, split: int) -> None:
        rules = self.UNSEEN.replace(dealer_blackjack_takes=takes)
        assert play_round(rules, "5 A 6 T T", ["double"]).net == 2
        # One hand wins two units at once, the other has two units on it: all, the round's one, or the hand's one go.
        assert play_round(rules, "8 A 8 3 3 T 4 T", ["split", "double", "double"]).net == split

    def test_bonuses(self) -> None:
        lines = "ranks=6,7,8 pays=3/2; ranks=6,7,8 suits=same pays=2; ranks=6,7,8 suits=spades upcard=7 pays=3"
        rules = Rules(bonuses=f"{lines}; cards=2 total=20 suits=red pays=1/2; cards=2 total=20 pays=1/4")
        assert play_round(rules, "6s Tc 7h 9d 8d", ["hit"]).net == Fraction(3, 2)
        assert play_round(rules, "6s Tc 7s 9d 8s", ["hit"]).net == 2
        assert play_round(rules, "6s 7c 7s 9d 8s", ["hit"]).net == 3
        assert play_round(rules, "6s 7c 7s 9d 8s", ["hit"]).hands[0].end == "bonus"
        assert play_round(rules, "6s 7c 7s 9d 8s Td", ["double"]).net == 2, "a doubled hand is a mere 21"
        assert play_round(rules, "Th 7c Qd 9d").net == Fraction(1, 2)
        assert play_round(rules, "Th 7c Qs 9d").net == Fraction(1, 4)
        late = rules.replace(hole_card="none")
        assert play_round(late, "6s Tc 7s 8s Ad", ["hit"]).net == 2, "it has won before the blackjack is found"
        # The cards of a split hand keep their suits.
        assert play_round(late, "8s 7c 8d 6s 2c 7s Td", ["split", "hit"]).net == 3 - 1
        with pytest.raises(HandError, match="a suit with each card where side bets or bonuses ask for it"):
            play_round(rules, "6 T 7 9 8", ["hit"])

    def test_bonuses_of_blackjacks(self) -> None:
        rules = Rules(bonuses="ranks=A,J suits=black pays=3; ranks=A,T suits=diamonds pays=1", blackjack_tie="win")
        assert play_round(rules, "As 7c Js 9d").net == 3
        assert play_round(rules, "Ad 7c Jd 9d").net == Fraction(3, 2), "never less than a blackjack"
        assert play_round(rules.replace(hole_card="none"), "As Ac Js Td").net == 3
        assert play_round(rules.replace(hole_card="none", blackjack_tie="push"), "As Ac Js Td").net == 0

    def test_a_charlie_pays(self) -> None:
        rules = Rules(charlie=5, charlie_pays=2)
        assert play_round(rules, "2 T 2 K 2 3 4", ["hit"] * 3).net == 2
        assert play_round(rules.replace(charlie_pays="3/2"), "2 T 2 K 2 3 4", ["hit"] * 3).net == Fraction(3, 2)
        late = rules.replace(hole_card="none")
        assert play_round(late, "2 T 2 2 3 4 A", ["hit"] * 3).net == -1
        assert play_round(late.replace(charlie_beats_blackjack=True), "2 T 2 2 3 4 A", ["hit"] * 3).net == 2
        won = late.replace(player_21="wins")
        assert play_round(won, "2 T 2 2 5 T A", ["hit"] * 3).net == 2, "a charlie that is a 21 that wins"
        assert play_round(won, "2 T 2 2 3 4 A", ["hit"] * 3).net == -1


class TestDealers22:
    PUSH = Rules(dealer_22="push")

    def test_pushes_what_stands(self) -> None:
        played = play_round(self.PUSH, "T 6 8 T 6", ["stand"])
        assert (played.dealer, played.net, played.wager) == ("6T6", 0, 1)
        assert events(played)[-2:] == ["hand 1: stand", "dealer: card 6"]
        assert play_round(Rules(), "T 6 8 T 6", ["stand"]).net == 1
        assert play_round(self.PUSH, "5 6 6 T T 6", ["hit"]).net == 0, "21 of the player's pushes too"
        assert play_round(self.PUSH.replace(dealer_wins_ties=True), "T 6 8 T 6").net == 0
        assert play_round(self.PUSH, "T 6 2 T T 6", ["hit"]).net == -1, "the player's own 22 is lost"

    @pytest.mark.parametrize("hole_card", ["peek", "none", "exposed"])
    def test_however_the_second_card_comes(self, hole_card: str) -> None:
        cards = "T 6 8 T 6" if hole_card != "none" else "T 6 8 T 6 5"
        assert play_round(self.PUSH.replace(hole_card=hole_card), cards).net == 0

    @pytest.mark.parametrize(
        ("dealer", "net"),
        [("6T7", 1), ("6TT", 1), ("6TA", 1), ("A5T6", 0), ("9T", -1), ("888", 1), ("667", -1), ("66T", 0), ("A6T", 1)],
    )
    def test_no_other_total(self, dealer: str, net: int) -> None:
        up, hole, *drawn = dealer
        rules = self.PUSH.replace(dealer_hits_soft_17=True)
        played = play_round(rules, " ".join(["T", up, "8", hole, *drawn]))
        assert (played.dealer, played.net) == (dealer, net)

    def test_doubled_and_split_hands(self) -> None:
        doubled = play_round(self.PUSH, "5 6 6 T 7 6", ["double"])
        assert (hands(doubled), doubled.net, doubled.wager) == (["567"], 0, 2)
        lost = play_round(self.PUSH, "6 6 6 T T T T 6", ["split", "hit", "stand"])
        assert ([hand.end for hand in lost.hands], lost.net) == (["bust", "stand"], -1)
        both = play_round(self.PUSH, "8 6 8 T 3 2 T 9 6", ["split", "double", "double"])
        assert (hands(both), both.net, both.wager) == (["83T", "829"], 0, 4)

    def test_a_blackjack_wins(self) -> None:
        # The dealer draws for the other hand only.
        assert play_round(self.PUSH, "A 6 K T 6").net == Fraction(3, 2)
        split = play_round(self.PUSH, "A 6 A T K 5 6", ["split"])
        assert ([hand.end for hand in split.hands], split.dealer, split.net) == (["stand", "stand"], "6T6", 0)
        counts = play_round(self.PUSH.replace(split_blackjack=True), "A 6 A T K 5 6", ["split"])
        assert [hand.end for hand in counts.hands] == ["blackjack", "stand"]
        assert (counts.dealer, counts.net) == ("6T6", Fraction(3, 2))

    def test_a_charlie_wins(self) -> None:
        rules = self.PUSH.replace(charlie=5)
        split = play_round(rules, "2 6 2 T 3 T 2 3 4 6", ["split", "hit", "hit", "hit"])
        assert ([hand.end for hand in split.hands], split.dealer) == (["charlie", "stand"], "6T6")
        assert split.net == 1

    def test_what_was_given_up_or_settled_before(self) -> None:
        assert play_round(self.PUSH.replace(surrender="late"), "T 6 6 T 6", ["surrender"]).net == Fraction(-1, 2)
        assert play_round(self.PUSH.replace(even_money=True), "A A K 9", ["even_money"]).net == 1

    def test_a_dealer_without_a_card_is_bust(self) -> None:
        # Two tens and two sixes: 12 and 16 of the dealer are bust and lose, only his 20 wins.
        judge = referee(self.PUSH, analyze(Rules()).tables())
        settled = judge.tally()
        stream: Any = np.random.PCG64(1)
        shoe = np.array([5, 5, 9, 9], dtype=np.uint8)
        assert judge.play(stream.capsule, shoe, 600, settled, np.zeros((2, 2), dtype=np.int64)) is None
        by_net = {net_result(count_odds(self.PUSH), counts): times for counts, times in settled.items()}
        assert by_net[Fraction(-1)] + by_net[Fraction(1)] == 600
        assert abs(by_net[Fraction(-1)] - 100) < 50


class TestBlackjack:
    def test_pays(self) -> None:
        assert play_round(Rules(), "A T K 9").net == Fraction(3, 2)
        assert play_round(Rules(blackjack_pays="6/5"), "K T A 9").net == Fraction(6, 5)
        assert play_round(Rules(hole_card="none"), "K T A 9").net == Fraction(3, 2)

    @pytest.mark.parametrize("hole_card", ["peek", "none", "exposed"])
    def test_tied(self, hole_card: str) -> None:
        for tie, net in (("push", 0), ("win", Fraction(3, 2)), ("lose", -1)):
            assert play_round(Rules(hole_card=hole_card, blackjack_tie=tie), "A T K A").net == net

    def test_21_of_more_cards_loses_to_it(self) -> None:
        assert play_round(Rules(hole_card="none"), "7 T 7 7 A", ["hit"]).net == -1

    def test_not_after_a_split(self) -> None:
        played = play_round(Rules(), "A 7 A K K 5 T", ["split"])
        assert ([hand.end for hand in played.hands], played.net) == (["stand", "stand"], Fraction(0))
        tied = play_round(Rules(), "A 7 A 7 K Q 7", ["split"])
        assert tied.net == 0, "21 against 21"
        paid = play_round(Rules(split_blackjack=True), "A 7 A 7 K Q 7", ["split"])
        assert ([hand.end for hand in paid.hands], paid.net) == (["blackjack", "blackjack"], 3)
        tens = play_round(Rules(split_blackjack=True), "T 7 T 7 A A 7", ["split"])
        assert tens.net == 3


class TestInsurance:
    def test_half_a_unit(self) -> None:
        lost = play_round(Rules(), "T A 9 K", ["insurance"])
        assert (lost.net, lost.insurance) == (-1, 1)
        kept = play_round(Rules(), "T A 9 8", ["insurance"])
        assert (kept.net, kept.insurance) == (0, Fraction(-1, 2))
        assert play_round(Rules(insurance_pays=3), "T A 9 K", ["insurance"]).insurance == Fraction(3, 2)
        assert play_round(Rules(), "T A 9 K").insurance == 0

    def test_an_insured_blackjack_is_even_money(self) -> None:
        for hole, net in (("K", 0), ("9", Fraction(3, 2))):
            played = play_round(Rules(), f"A A K {hole}", ["insurance"])
            assert (played.net, played.net + played.insurance) == (net, 1)

    def test_without_a_hole_card(self) -> None:
        rules = Rules(hole_card="none")
        assert play_round(rules, "T A 6 T K", ["insurance", "hit"]).insurance == 1, "the player is bust"
        assert play_round(rules, "T A 9 9", ["insurance"]).insurance == Fraction(-1, 2)

    def test_against_a_ten(self) -> None:
        rules = Rules(insurance="ace,ten", insurance_pays=3, even_money=True)
        assert play_round(rules, "T K 9 A", ["insurance"]).insurance == Fraction(3, 2)
        assert play_round(rules, "T K 9 8", ["insurance"]).insurance == Fraction(-1, 2)
        assert play_round(rules, "T A 9 K", ["insurance"]).insurance == Fraction(3, 2)
        no_hole_card = rules.replace(hole_card="none", surrender="early")
        assert play_round(no_hole_card, "T T 6 T A", ["insurance", "hit"]).insurance == Fraction(3, 2)
        given_up = play_round(no_hole_card, "T T 6 A", ["insurance", "surrender"])
        assert (given_up.net, given_up.insurance) == (Fraction(-1, 2), Fraction(3, 2))
        with pytest.raises(RulesError, match="got even_money after the last one"):
            play_round(rules, "A K K 9", ["even_money"])
        with pytest.raises(RulesError, match=r"T,9: expected .*, got insurance"):
            play_round(rules, "T 9 9 9", ["insurance"])

    def test_even_money(self) -> None:
        rules = Rules(even_money=True)
        for hole in "K9":
            assert play_round(rules, f"A A K {hole}", ["even_money"]).net == 1
        assert play_round(rules, "A A K 9").net == Fraction(3, 2)

    def test_where_it_is_not_offered(self) -> None:
        for rules, cards in (
            (Rules(insurance="none"), "T A 9 8"),
            (Rules(), "T T 9 8"),
            (Rules(hole_card="exposed"), "T A 9 8"),
        ):
            with pytest.raises(RulesError, match=r"T,9: expected .*, got insurance"):
                play_round(rules, cards, ["insurance"])
        with pytest.raises(RulesError, match="got even_money after the last one"):
            play_round(Rules(), "A A K 9", ["even_money"])


class TestSurrender:
    def test_late(self) -> None:
        rules = Rules(surrender="late")
        assert play_round(rules, "T T 6 8", ["surrender"]).net == Fraction(-1, 2)
        assert play_round(rules.replace(surrender_returns="1/4"), "T T 6 8", ["surrender"]).net == Fraction(-3, 4)
        with pytest.raises(RulesError, match="got surrender after the last one"):
            play_round(rules, "T T 6 A", ["surrender"])
        assert play_round(rules.replace(hole_card="none"), "T T 6 A", ["surrender"]).net == -1
        assert play_round(rules.replace(hole_card="none"), "T T 6 8", ["surrender"]).net == Fraction(-1, 2)
        with pytest.raises(RulesError, match="T,2,2: expected stand or hit, got surrender"):
            play_round(rules, "T T 2 8 2 8", ["hit", "surrender"])
        with pytest.raises(RulesError, match="8,2 after a split of 8: expected stand or hit or double, got surrender"):
            play_round(rules, "8 T 8 7 2 3", ["split", "surrender"])

    def test_early(self) -> None:
        for hole_card in ("peek", "none"):
            rules = Rules(surrender="early", hole_card=hole_card)
            assert play_round(rules, "T T 6 A", ["surrender"]).net == Fraction(-1, 2)
            assert play_round(rules, "T A 6 T", ["surrender"]).net == Fraction(-1, 2)
            assert play_round(rules, "T 9 6 T", ["surrender"]).net == Fraction(-1, 2)
        with pytest.raises(RulesError, match="T,6: expected stand or hit or double, got surrender"):
            play_round(Rules(), "T T 6 8", ["surrender"])

    def test_early_against_a_ten_only(self) -> None:
        rules = Rules(surrender="early-vs-ten")
        assert play_round(rules, "T T 6 A", ["surrender"]).net == Fraction(-1, 2)
        with pytest.raises(RulesError, match="got surrender after the last one"):
            play_round(rules, "T A 6 T", ["surrender"])
        assert play_round(rules, "T A 6 8", ["surrender"]).net == Fraction(-1, 2)

    def test_by_upcards(self) -> None:
        for hole_card in ("peek", "none"):
            rules = Rules(surrender="early 2-9, late T", hole_card=hole_card)
            assert play_round(rules, "T 9 6 T", ["surrender"]).net == Fraction(-1, 2)
            assert play_round(rules, "T K 6 8", ["surrender"]).net == Fraction(-1, 2)
            with pytest.raises(RulesError, match="T,6: expected stand or hit or double, got surrender"):
                play_round(rules, "T A 6 8", ["surrender"])
        assert play_round(rules, "T T 6 A", ["surrender"]).net == -1

    def test_of_any_hand(self) -> None:
        rules = Rules(surrender="late", surrender_cards="any")
        assert play_round(rules, "T T 2 8 4", ["hit", "surrender"]).net == Fraction(-1, 2)
        split = play_round(rules, "8 T 8 7 2 3 6 T", ["split", "surrender", "double", "surrender"])
        assert ([hand.end for hand in split.hands], split.net, split.wager) == (["surrender", "surrender"], -1.5, 3)
        aces = play_round(rules, "A T A 7 2 9", ["split", "surrender"])
        assert [hand.end for hand in aces.hands] == ["surrender", "stand"], "a split ace may be given up, not drawn to"
        quarter = rules.replace(surrender_returns="1/4", double_multiples=3)
        assert play_round(quarter, "5 T 5 7 2", ["double", "surrender"]).net == Fraction(-9, 4)
        with pytest.raises(RulesError, match="got surrender after the last one"):
            play_round(rules, "T T 2 8 9", ["hit", "surrender"])
        with pytest.raises(RulesError, match="T,2,4: expected stand or hit, got surrender"):
            play_round(rules.replace(surrender="late 2-9"), "T T 2 8 4", ["hit", "surrender"])

    @pytest.mark.parametrize(("takes", "late"), [("all", -3), ("original", -1), ("original-per-hand", -2)])
    def test_of_any_hand_before_a_blackjack_is_found(self, takes: str, late: int) -> None:
        rules = Rules(surrender_cards="any", hole_card="none", dealer_blackjack_takes=takes, surrender="late")
        cards, actions = "8 T 8 2 3 4 A", ["split", "surrender", "double", "surrender"]
        assert play_round(rules, cards, actions).net == late
        assert play_round(rules.replace(surrender="early"), cards, actions).net == -1.5 or takes == "original"
        alone = rules.replace(surrender="early")
        assert play_round(alone, "5 T 5 2 A", ["double", "surrender"]).net == -1, "early: half of two units is lost"


class TestDoubles:
    def test_on_more_cards(self) -> None:
        three = Rules(double_cards=3)
        played = play_round(three, "5 6 2 T 4 9 T", ["hit", "double"])
        assert (hands(played), played.net, played.wager) == (["5249"], 2, 2)
        with pytest.raises(RulesError, match="5,2,2,2: expected stand or hit, got double"):
            play_round(three, "5 6 2 T 2 2 9 T", ["hit", "hit", "double"])
        assert play_round(three.replace(double_cards="any"), "5 6 2 T 2 2 9 T", ["hit", "hit", "double"]).net == 2
        split = play_round(three, "8 6 8 T 2 9 2 7 T", ["split", "hit", "double", "stand"])
        assert [hand.wager for hand in split.hands] == [2, 1]
        with pytest.raises(RulesError, match="8,2,2 after a split of 8: expected stand or hit, got double"):
            play_round(three.replace(double_after_split=False), "8 6 8 T 2 9 2", ["split", "hit", "double"])

    def test_to_more(self) -> None:
        played = play_round(Rules(double_multiples="2,4"), "5 6 6 T T T", ["double"])
        assert (played.net, played.wager) == (4, 4)

    def test_again(self) -> None:
        rules = Rules(redoubles=2, double_multiples=3)
        cards = "2 6 2 T 2 3 4 5 T"
        played = play_round(rules, cards, ["double", "double", "double"])
        assert (hands(played), played.net, played.wager) == (["22234"], -12, 12), "13 against 6,T,5"
        assert play_round(rules, cards, ["double", "double", "stand"]).wager == 6
        with pytest.raises(RulesError, match="got double after the last one"):
            play_round(rules, cards, ["double"] * 4)
        with pytest.raises(RulesError, match="2,2,2: expected stand or double, got hit"):
            play_round(rules, cards, ["double", "hit"])
        won = play_round(rules.replace(double_on="hard 11"), "5 6 6 T 2 8 T", ["double", "double"])
        assert (won.net, won.hands[0].cards) == (6, "5628"), "whatever its total"

    def test_rescue(self) -> None:
        rules = Rules(double_rescue=True, redoubles=1, double_multiples=3)
        cards = "2 6 2 T 2 3 T T"
        once = play_round(rules, cards, ["double", "surrender"])
        assert (once.net, once.wager, once.hands[0].end) == (-1, 3, "rescue")
        again = play_round(rules, cards, ["double", "double", "surrender"])
        assert (again.net, again.wager, hands(again)) == (-3, 6, ["2223"])
        with pytest.raises(RulesError, match="got surrender after the last one"):
            play_round(rules, "5 6 6 T T T", ["double", "surrender"])

    @pytest.mark.parametrize(("takes", "net"), [("all", -3), ("original", -1), ("original-per-hand", -2)])
    def test_rescue_before_a_blackjack_is_found(self, takes: str, net: int) -> None:
        rules = Rules(double_rescue=True, redoubles=1, hole_card="none", dealer_blackjack_takes=takes)
        actions = ["split", "double", "surrender", "double", "double", "surrender"]
        played = play_round(rules, "8 T 8 2 3 2 2 2 A", actions)
        assert ([hand.wager for hand in played.hands], played.net) == ([2, 4], net)

    def test_rescue_or_surrender_whichever_returns_more(self) -> None:
        rules = Rules(double_rescue=True, redoubles=1, surrender="late", surrender_cards="any")
        for returns, first, second in (("1/2", "rescue", "rescue"), ("3/5", "surrender", "surrender")):
            two = rules.replace(surrender_returns=returns)
            assert play_round(two, "2 6 2 T 2 3 T", ["double", "surrender"]).hands[0].end == first
            assert play_round(two, "2 6 2 T 2 3 T", ["double", "double", "surrender"]).hands[0].end == second
        # A rescue of three units returns two thirds, one of six returns half.
        three = rules.replace(surrender_returns="3/5", double_multiples=3)
        assert play_round(three, "2 6 2 T 2 3 T", ["double", "surrender"]).hands[0].end == "rescue"
        assert play_round(three, "2 6 2 T 2 3 T", ["double", "double", "surrender"]).net == Fraction(-12, 5)
        assert (
            play_round(three.replace(surrender="late T"), "2 6 2 T 2 3 T", ["double", "double", "surrender"]).net == -3
        )


class TestFreeMoney:
    FREE = Rules(free_double_on="hard 9-11, soft 19", free_split="A-9", dealer_22="push")
    UNSEEN = FREE.replace(hole_card="none")

    @staticmethod
    def money(played: PlayedRound) -> list[tuple[int, int]]:
        return [(hand.wager, hand.free) for hand in played.hands]

    @pytest.mark.parametrize(("last", "net"), [("T", 2), ("6", 0), ("5", -1), ("4", 0), ("3", 2)])
    def test_a_free_double(self, last: str, net: int) -> None:
        played = play_round(self.FREE, f"5 6 6 T 9 {last}", ["double"])
        assert (self.money(played), played.net, played.wager, played.free_bets) == ([(1, 1)], net, 1, 1)

    def test_doubles_that_cost(self) -> None:
        assert self.money(play_round(self.FREE, "T 6 2 T 9 T", ["double"])) == [(2, 0)]
        assert self.money(play_round(self.FREE, "A 6 7 T 9 T", ["double"])) == [(2, 0)], "soft 18"
        assert self.money(play_round(self.FREE, "A 6 8 T 9 T", ["double"])) == [(1, 1)]
        three = play_round(self.FREE.replace(double_cards=3), "5 6 2 T 3 9 T", ["hit", "double"])
        assert (self.money(three), three.free_bets) == ([(2, 0)], 0)
        with pytest.raises(RulesError, match="5,4: expected stand or hit, got double"):
            play_round(self.FREE.replace(double_on="10-11"), "5 6 4 T 9 T", ["double"])
        with pytest.raises(RulesError, match="8,3 after a split of 8: expected stand or hit, got double"):
            play_round(self.FREE.replace(double_after_split=False), "8 6 8 T 3 8 T", ["split", "double"])

    @pytest.mark.parametrize(("last", "net"), [("T", 6), ("6", 0), ("5", -1), ("4", 1)])
    def test_a_free_split(self, last: str, net: int) -> None:
        actions = ["split", "double", "split", "double", "double"]
        played = play_round(self.FREE, f"8 6 8 T 3 8 T 2 4 T 7 {last}", actions)
        assert (hands(played), self.money(played)) == (["83T", "82T", "847"], [(1, 1), (0, 2), (1, 1)])
        assert (played.net, played.wager, played.free_bets) == (net, 2, 4)

    def test_the_first_hand_keeps_the_wager(self) -> None:
        cards = "8 6 8 T 8 2 8 4 T 5 T T 5"
        again = play_round(self.FREE, cards, ["split", "split", "split", "stand", "hit", "hit"])
        assert self.money(again) == [(1, 0), (0, 1), (0, 1), (0, 1)]
        assert ([hand.end for hand in again.hands], again.net) == (["stand", "bust", "bust", "stand"], -1)
        tens = play_round(self.FREE, "T 6 T T 9 T 8 7 T", ["split", "stand", "split"])
        assert (self.money(tens), tens.net, tens.free_bets) == ([(1, 0)] * 3, 3, 0)

    @pytest.mark.parametrize(("takes", "net"), [("all", -3), ("original", -1), ("original-per-hand", -1)])
    def test_before_a_blackjack_is_found(self, takes: str, net: int) -> None:
        rules = self.UNSEEN.replace(dealer_blackjack_takes=takes)
        played = play_round(rules, "8 T 8 4 5 9 5 A", ["split", "double", "double"])
        assert (self.money(played), played.net) == ([(2, 0), (1, 1)], net)
        won = play_round(rules.replace(player_21="wins"), "8 T 8 4 3 8 T A", ["split", "double", "double"])
        assert (self.money(won), won.net) == ([(2, 0), (0, 2)], max(net, -2) + 2)

    def test_hands_that_win_at_once(self) -> None:
        aces = self.FREE.replace(split_blackjack=True)
        assert play_round(aces, "A 7 A T K Q", ["split"]).net == 3
        for tie, net in (("push", 0), ("win", 3), ("lose", -1)):
            found = aces.replace(hole_card="none", blackjack_tie=tie)
            assert play_round(found, "A T A K Q A", ["split"]).net == net
        bonus = self.FREE.replace(bonuses="cards=3 total=21 pays=2 after_double=true")
        assert play_round(bonus, "5 6 6 T T", ["double"]).net == 4
        charlie = self.FREE.replace(charlie=5, charlie_pays=2)
        assert play_round(charlie, "2 6 2 T T 3 2 3 4 T", ["split", "stand", "hit", "hit", "hit"]).net == 3

    def test_other_hands_of_a_split_have_a_play_of_their_own(self) -> None:
        """Own hands stand, free ones are hit."""
        known = player_hands()
        own, free = (np.full(known.graph.size, action, dtype=np.uint8) for action in (0, 1))
        first = {(int(known.two_cards[pair, pair]), True): "split" for pair in range(10)}
        levels = {pair: np.array([own, own, free, own]) for pair in range(10)}
        table = StartTable((5,), first, own, dict.fromkeys(range(10), own), levels[7], levels)
        free_eights = play_round(self.FREE, "8 6 8 T 4 5 T T", tables={(5,): table})
        assert hands(free_eights) == ["84", "85T"]
        assert hands(play_round(self.FREE, "T 6 T T 4 5 T T", tables={(5,): table})) == ["T4", "T5"]


class TestSwitch:
    TWO = Rules(switch=True, dealer_22="push", blackjack_pays=1)

    def test_order(self) -> None:
        played = play_round(self.TWO, "T 6 7 5 T 8 2 5", ["switch", "stand", "hit"])
        assert events(played) == [
            "hand 1: card T",
            "hand 2: card 6",
            "dealer: card 7",
            "hand 1: card 5",
            "hand 2: card T",
            "dealer: hole card 8",
            "hand 1: switch",
            "hand 1: stand",
            "hand 2: hit",
            "hand 2: card 2",
            "hand 2: stand",
            "dealer: card 5",
        ]
        # 20 and 13 against 20, half of the sum.
        assert (hands(played), played.net, played.wager) == (["TT", "652"], Fraction(-1, 2), 1)
        kept = play_round(self.TWO, "T 6 7 5 T 8 2 T 5", ["hit", "stand", "double"])
        assert (hands(kept), kept.net, kept.wager) == (["T52", "6TT"], Fraction(-3, 2), Fraction(3, 2))

    def test_nothing_is_exchanged_later(self) -> None:
        with pytest.raises(RulesError, match="T,5: expected stand or hit or double, got switch"):
            play_round(self.TWO.replace(max_hands=1), "T T 7 5 5 8 2", ["stand", "switch"])
        with pytest.raises(RulesError, match="got switch"):
            play_round(Rules(), "T 6 6 T T", ["switch"])

    @pytest.mark.parametrize("hole_card", ["peek", "exposed"])
    def test_a_dealers_blackjack_settles_the_cards_as_dealt(self, hole_card: str) -> None:
        rules = self.TWO.replace(hole_card=hole_card)
        assert play_round(rules, "A 6 A K 5 T").net == Fraction(-1, 2)
        assert play_round(rules, "5 6 A K 5 T").net == -1
        assert play_round(rules.replace(blackjack_tie="win"), "A T A K A T").net == 1
        with pytest.raises(RulesError, match="got switch after the last one"):
            play_round(rules, "5 6 A K 5 T", ["switch"])

    def test_an_ace_and_a_ten(self) -> None:
        # The dealer has 22.
        for made, fates, net in (("21", ["stand", "stand"], 0), ("blackjack", ["blackjack", "stand"], Fraction(1, 2))):
            switched = play_round(self.TWO.replace(switched_blackjack=made), "A 5 6 6 T T 6", ["switch"])
            assert (hands(switched), [hand.end for hand in switched.hands], switched.net) == (["AT", "56"], fates, net)
        dealt = play_round(self.TWO, "5 A 6 6 T T T 6", ["double"])
        assert ([hand.end for hand in dealt.hands], dealt.net) == (["stand", "blackjack"], Fraction(1, 2))
        won = play_round(self.TWO.replace(player_21="wins"), "A 5 6 6 T T 6", ["switch"])
        assert ([hand.end for hand in won.hands], won.net) == (["21", "stand"], Fraction(1, 2))

    def test_both_are_split(self) -> None:
        rules = self.TWO.replace(max_hands=2, resplit_aces=True)
        played = play_round(rules, "8 A 6 8 A T 8 8 A 9 T", ["split", "stand", "stand", "split"])
        assert (hands(played), played.net, played.wager) == (["88", "88", "AA", "A9"], 2, 2)
        with pytest.raises(RulesError, match="8,8 after a split of 8: expected stand or hit or double, got split"):
            play_round(rules, "8 A 6 8 A T 8 8 A 9 T", ["split", "split"])
        answers = ["split", "split", "stand", "stand", "split", "stand", "stand"]
        four = play_round(rules.replace(max_hands=4), "8 8 6 8 8 T 8 8 2 3 4 5 8 8 6 7 2 3 T", answers * 2)
        assert hands(four) == ["82", "83", "84", "85", "86", "87", "82", "83"]

    @pytest.mark.parametrize(("takes", "net"), [("all", -5), ("original", -2), ("original-per-hand", -3)])
    def test_before_a_blackjack_is_found(self, takes: str, net: int) -> None:
        rules = self.TWO.replace(hole_card="none", dealer_blackjack_takes=takes)
        actions = ["split", "double", "stand", "double"]
        played = play_round(rules, "8 5 T 8 6 3 9 T T A", actions)
        assert (hands(played), played.net) == (["83T", "89", "56T"], Fraction(net, 2))
        natural = play_round(rules, "8 A T 8 T 3 9 T A", ["split", "double"])
        assert natural.net == Fraction(net + 2 if takes == "all" else net + 1, 2)

    def test_surrender(self) -> None:
        played = play_round(self.TWO.replace(surrender="late"), "T T T 6 6 7", ["surrender"])
        assert (played.net, [hand.end for hand in played.hands]) == (Fraction(-3, 4), ["surrender", "stand"])
        early = self.TWO.replace(surrender="early", hole_card="none")
        assert play_round(early, "T 9 T 6 6 A", ["switch", "surrender"]).net == Fraction(-3, 4)

    def test_insurance_is_for_half_of_both(self) -> None:
        assert play_round(self.TWO, "T T A 6 6 T", ["insurance"]).insurance == 1

    def test_bonuses_go_by_suits_after_the_exchange(self) -> None:
        rules = Rules(switch=True, bonuses="cards=3 total=20 suits=spades pays=2")
        played = play_round(rules, "7s 9h 6c 9h 7s Tc 6s Tc", ["switch", "hit"])
        assert ([hand.end for hand in played.hands], played.hands[0].cards, played.net) == (
            ["bonus", "stand"],
            "776",
            Fraction(3, 2),
        )

    def test_a_hand_is_played_beside_the_others_first_two(self) -> None:
        """Against a 6 cards are exchanged where the second ones differ; a hand is hit beside a 5,T or A,A only."""
        known = player_hands()
        stands, hits = (np.full(known.graph.size, action, dtype=np.uint8) for action in (0, 1))
        hands_of_two = [(int(known.two_cards[a, b]), pair) for a, b in TWO_CARDS for pair in {False, a == b}]

        def table(play: NDArray[np.uint8], first: str) -> StartTable:
            return StartTable((5,), dict.fromkeys(hands_of_two, first), stands, dict.fromkeys(range(10), play))

        beside = {pair: {(5,): table(stands, "stand")} for pair in TWO_CARDS}
        beside[4, 9] = {(5,): table(hits, "hit")}
        beside[0, 0] = {(5,): table(hits, "split")}
        a, b, _, d = np.indices((10,) * 4)
        play = SwitchPlay({(5,): (b != d) & (a != b)}, beside)
        played = play_round(self.TWO, "5 6 6 4 T T 7 T", tables=play)
        assert hands(played) == ["5T", "647"], "exchanged, and the second is hit beside 5,T"
        assert hands(play_round(self.TWO, "5 6 6 T T T 2 T", tables=play)) == ["5T", "6T2"]
        # Aces are not exchanged; the other hand is split, and its hands are hit, beside them.
        played = play_round(self.TWO, "3 A 6 3 A T 2 T 5 2 T T T", tables=play)
        assert [hand[:2] for hand in hands(played)] == ["32", "3T", "AA"]


class TestSplit:
    def test_order(self) -> None:
        # 4,4 against 5, then 7 6 5 4 3 2: both second cards at once, or each in its turn.
        both = play_round(Rules(), "4 5 4 T 7 6 5 4 3 2 A", ["split", "hit", "stand", "hit", "stand"])
        assert hands(both) == ["475", "464"]
        in_turn = play_round(
            Rules(split_deal="in-turn"), "4 5 4 T 7 6 5 4 3 2 A", ["split", "hit", "stand", "hit", "stand"]
        )
        assert hands(in_turn) == ["476", "454"]

    def test_again_to_four_hands(self) -> None:
        played = play_round(Rules(), "8 6 8 T 8 8 2 3 4 5 T", ["split", "split", "stand", "stand", "split"])
        assert hands(played) == ["82", "83", "84", "85"]
        assert events(played, "split") == ["hand 1: split", "hand 1: split", "hand 3: split"]
        in_turn = play_round(Rules(split_deal="in-turn"), "8 6 8 T 8 2 8 3 4 5 T", ["split", "split", "stand", "split"])
        assert hands(in_turn) == ["82", "83", "84", "85"]
        with pytest.raises(RulesError, match="8,8 after a split of 8: expected stand or hit or double, got split"):
            play_round(Rules(max_hands=2), "8 6 8 T 8 8 2 3", ["split", "split"])
        with pytest.raises(RulesError, match="8,8: expected stand or hit or double, got split"):
            play_round(Rules(max_hands=1), "8 6 8 T 8 8 2 3", ["split"])

    def test_one_card_to_aces(self) -> None:
        played = play_round(Rules(), "A 6 A T 5 A T", ["split"])
        assert (hands(played), [hand.end for hand in played.hands]) == (["A5", "AA"], ["stand", "stand"])
        again = play_round(Rules(resplit_aces=True), "A 6 A T 5 A 2 3 T", ["split", "split"])
        assert hands(again) == ["A5", "A2", "A3"]

    def test_aces_that_may_draw(self) -> None:
        drawn = play_round(Rules(hit_split_aces=True), "A 6 A T 5 A 4 9 T", ["split", "hit", "stand", "hit"])
        assert hands(drawn) == ["A54", "AA9"]
        doubled = play_round(Rules(double_split_aces=True), "A 6 A T 5 A 4 9 T", ["split", "double", "stand"])
        assert (hands(doubled), doubled.wager) == (["A54", "AA"], 3)
        with pytest.raises(RulesError, match="A,5 after a split of A: expected stand or double, got hit"):
            play_round(Rules(double_split_aces=True), "A 6 A T 5 A 4", ["split", "hit"])

    def test_not_after_a_hit(self) -> None:
        with pytest.raises(RulesError, match="6,6,A: expected stand or hit, got split"):
            play_round(Rules(), "6 T 6 7 A 2 3", ["hit", "split"])
        with pytest.raises(RulesError, match="4,4,K: expected stand or hit, got split"):
            play_round(Rules(), "4 T 4 7 K 2 3", ["hit", "split"])

    def test_no_double_after_it(self) -> None:
        with pytest.raises(RulesError, match="8,3 after a split of 8: expected stand or hit, got double"):
            play_round(Rules(double_after_split=False), "8 6 8 T 3 2 T", ["split", "double"])

    def test_tens(self) -> None:
        assert hands(play_round(Rules(), "K 6 Q T 2 3 T", ["split"])) == ["K2", "Q3"]
        by_rank = Rules(split_by="rank")
        assert hands(play_round(by_rank, "K 6 K T Q 3 T", ["split"])) == ["KQ", "K3"]
        with pytest.raises(RulesError, match="K,Q: expected stand or hit or double, got split"):
            play_round(by_rank, "K 6 Q T 2 3 T", ["split"])
        with pytest.raises(RulesError, match="K,Q after a split of T: expected stand or hit or double, got split"):
            play_round(by_rank, "K 6 K T Q 3 T", ["split", "split"])


class TestAnswers:
    def test_unknown(self) -> None:
        with pytest.raises(RulesError, match=r"expected an action, one of stand, .*, got 'run'"):
            play_round(Rules(), "T 9 8 7", ["run"])

    def test_tables(self) -> None:
        tables = analyze(Rules(max_hands=4)).tables()
        # Hard 16 against a 6 stands; 8,8 is split, again too; 8,3 is doubled.
        assert hands(play_round(Rules(), "T 6 6 T T", tables=tables)) == ["T6"]
        played = play_round(Rules(), "8 6 8 T 8 T 3 9 2 T", tables=tables)
        assert (hands(played), [hand.wager for hand in played.hands]) == (["832", "89", "8T"], [2, 1, 1])
        with pytest.raises(RulesError, match="got both"):
            play_round(Rules(), "8 6 8 T", ["split"], tables=tables)

    def test_a_play_that_the_rules_forbid(self) -> None:
        tables = analyze(Rules()).tables()
        with pytest.raises(RulesError, match="5,6: expected stand or hit, got double"):
            play_round(Rules(double_on="none"), "5 6 6 T T T", tables=tables)
        with pytest.raises(RulesError, match="T,6: expected stand or hit or double, got nothing"):
            play_round(Rules(hole_card="exposed"), "T 6 6 T T", tables=tables)


class TablePlay:
    """A play in tables, as the brute force asks for it."""

    def __init__(self, result: RoundResult) -> None:
        self.tables = result.tables()

    def first(self, hand: bf.Cards, dealer: bf.Cards, is_pair: bool) -> Any:
        first, index = self.tables[dealer].first, player_hands().find(hand)
        # A pair that the rules never split is asked for without being one.
        return first.get((index, is_pair)) or first[index, not is_pair]

    def later(self, hand: bf.Cards, dealer: bf.Cards) -> Any:
        return bf.ORDER[self.tables[dealer].unsplit[player_hands().find(hand)]]

    def after_split(self, hand: bf.Cards, dealer: bf.Cards, pair_value: int) -> Any:
        return bf.ORDER[self.tables[dealer].after_split[pair_value][player_hands().find(hand)]]

    def free(self, hand: bf.Cards, dealer: bf.Cards, pair_value: int) -> Any:
        rows = self.tables[dealer].doubled_after_split[pair_value]
        return bf.ORDER[rows[FREE_HANDS][player_hands().find(hand)]]

    def doubled(self, hand: bf.Cards, dealer: bf.Cards, doublings: int, pair_value: int | None) -> Any:
        table = self.tables[dealer]
        rows = table.doubled if pair_value is None else table.doubled_after_split[pair_value]
        return bf.ORDER[rows[doublings - 1][player_hands().find(hand)]]


def every_round(
    rules: Rules, shoe: Shoe, tables: Mapping[Any, StartTable] | SwitchPlay, raised: Iterable[str] | None = ()
) -> dict[tuple[Fraction, int], Fraction]:
    """P((net result, total wagered)), from playing every order of the shoe as far as the referee asks for cards."""
    judge = referee(rules, tables, list(raised or ()))
    counts = Counter(shoe_ranks(shoe, rules).tolist())
    events = np.empty((0, 3), dtype=np.int32)
    odds = count_odds(rules)
    found: dict[tuple[Fraction, int], Fraction] = defaultdict(Fraction)

    def go_on(cards: tuple[int, ...], probability: Fraction) -> None:
        played = judge.play_fixed(np.array(cards, dtype=np.uint8), None, events)
        if played["fault"] is None:
            times = times_of(rules, played["counts"])
            found[times * net_result(odds, played["counts"]), times * played["counts"][WAGERED]] += probability
            return
        assert played["fault"][0] == 3, "no card left"
        left = counts if shoe.endless else counts - Counter(cards)
        for card, n in left.items():
            go_on((*cards, card), probability * n / left.total())

    go_on((), Fraction(1))
    return found


TOO_MANY_ORDERS = ("charlie-split", "infinite-h17", "infinite-three")


@pytest.mark.parametrize(
    "case",
    # Cards of tiny shoes have no suits, which bonuses ask for.
    [pytest.param(case, id=case.name) for case in CASES if case.name not in TOO_MANY_ORDERS and not case.rules.bonuses],
)
def test_every_round_of_a_tiny_shoe(case: Case) -> None:
    """The referee and the brute force know nothing of each other; equality, no tolerance."""
    result = analyze(case.rules, shoe=case.cards)
    assert every_round(case.rules, result.shoe, result.tables(), result.raised) == bf.round_results(
        case.shoe, case.rules, TablePlay(result)
    )


@pytest.mark.parametrize("name", ["four-hands", "three-hands-no-peek", "aces-again", "by-rank-three"])
def test_when_second_cards_come_does_not_matter(name: str) -> None:
    case = next(case for case in CASES if case.name == name)
    result = analyze(case.rules, shoe=case.cards)
    in_turn = case.rules.replace(split_deal="in-turn")
    assert every_round(in_turn, result.shoe, result.tables()) == every_round(case.rules, result.shoe, result.tables())


def whims(rules: Rules, shoe: dict[str, int], play: Whim) -> dict[tuple[int, ...], StartTable]:
    """A play without rhyme or reason in tables, for the hands that the shoe can make."""
    known, values = player_hands(), sorted(RANKS.index(rank) for rank in shoe)
    hands = [hand for n in range(2, 12) for hand in combinations_with_replacement(values, n)]
    hands = [hand for hand in hands if sum(value + 1 for value in hand) <= 21]

    def table(choose: Callable[[bf.Cards], bf.Action], fewest: int) -> NDArray[np.uint8]:
        actions = np.full(known.graph.size, 255, dtype=np.uint8)
        for hand in hands:
            if len(hand) >= fewest and not bf.is_finished(rules, hand):
                actions[known.find(hand)] = NUMBER[choose(hand)]
        return actions

    def start(seen: bf.Cards) -> StartTable:
        def doubled(pair: int | None) -> NDArray[np.uint8]:
            times = range(1, rules.redoubles + 2)
            rows = [table(lambda hand, n=n: play.doubled(hand, seen, n, pair), 3) for n in times]
            if pair is not None and rules.free_split != "none":
                rows = [table(partial(play.free, dealer=seen, pair_value=pair), 2)] * (FREE_HANDS + 1)
            return np.array(rows)

        pairs = [hand for hand in hands if len(hand) == 2 and hand[0] == hand[1]]
        first = {(known.find(hand), False): play.first(hand, seen, False) for hand in hands if len(hand) == 2}
        first |= {(known.find(hand), True): play.first(hand, seen, rules.max_hands > 1) for hand in pairs}
        after = {pair: table(partial(play.after_split, dealer=seen, pair_value=pair), 2) for pair, _ in pairs}
        return StartTable(
            seen,
            first,
            table(lambda hand: play.later(hand, seen), 3),
            after,
            doubled(None),
            {pair: doubled(pair) for pair in after},
        )

    dealers = combinations_with_replacement(values, 2 if rules.hole_card == "exposed" else 1)
    return {seen: start(seen) for seen in dealers}


MANY = {
    "double_cards": [2, 3, "any"], "double_multiples": [2, (2, 3)], "redoubles": [0, 1, 2],
    "double_rescue": [False, True], "surrender_cards": [2, "any", "any"],
    "surrender": ["late", "late T, early 2-9", "early 2-T"], "surrender_returns": ["1/2", "1/4", "2/3"],
    "hole_card": ["peek", "none", "exposed"], "dealer_blackjack_takes": ["all", "original", "original-per-hand"],
    "max_hands": [1, 2, 3], "hit_split_aces": [False, True], "double_split_aces": [False, True], "charlie": [None, 5],
    "player_21": ["compare", "wins"], "dealer_22": ["bust", "push"],
}  # fmt: skip


FREE = {
    "free_double_on": ["none", "hard 9-11", "any", "8,12-20"], "free_split": ["none", "A-9", "4,T", "A,6"],
    "double_on": ["any", "9-11, soft 19"], "double_cards": [2, 3], "double_soft_as_hard": [False, True],
    "hole_card": ["peek", "none", "exposed"], "dealer_blackjack_takes": ["all", "original", "original-per-hand"],
    "max_hands": [2, 3], "hit_split_aces": [False, True], "double_split_aces": [False, True], "charlie": [None, 5],
    "resplit_aces": [False, True], "split_blackjack": [False, True], "blackjack_tie": ["push", "win", "lose"],
    "player_21": ["compare", "wins"], "dealer_22": ["bust", "push"], "dealer_wins_ties": [False, "17-19"],
    "surrender": ["none", "late"],
}  # fmt: skip


@pytest.mark.parametrize("seed", range(12))
def test_every_round_of_any_play_with_free_money(seed: int) -> None:
    pick = random.Random(seed)
    given = {name: pick.choice(values) for name, values in FREE.items()}
    rules = Rules(decks=1, **given)
    # Neither can run out.
    shoe = {"A": 2, "4": 3, "6": 3, "T": 6} if rules.max_hands == 2 else {"4": 5, "6": 2, "T": 9}
    play = Whim(rules, seed)
    found = every_round(rules, Shoe.of_counts(shoe), whims(rules, shoe, play))
    assert found == bf.round_results(shoe, rules, play)


@pytest.mark.parametrize("seed", range(20))
def test_every_round_of_any_play_under_any_rules(seed: int) -> None:
    """Doubles of all kinds and surrenders of any hand, by a play of chance, in the same tiny shoe."""
    pick = random.Random(seed)
    given = {name: pick.choice(values) for name, values in MANY.items()}
    if given["hole_card"] == "exposed":
        given["surrender"] = "late"
    if given["surrender"] != "late" and given["dealer_blackjack_takes"] == "original":
        given["max_hands"] = 1
    given["double_split_aces"] &= given["hit_split_aces"]
    rules = Rules(decks=1, **given)
    shoe = {"A": 3, "4": 4, "6": 3, "T": 7}
    play = Whim(rules, seed)
    found = every_round(rules, Shoe.of_counts(shoe), whims(rules, shoe, play))
    assert found == bf.round_results(shoe, rules, play)


class SwitchWhim:
    """Exchanges without rhyme or reason, and a play of that kind for each two first cards of the other hand."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self.rules, self.seed = rules, seed

    def exchanges(self, dealt: bfs.Four, dealer: bf.Cards) -> bool:
        return random.Random(f"{self.seed} {dealt} {dealer}").random() < 0.5

    def beside(self, other: bf.Cards) -> Whim:
        return Whim(self.rules, 100 * self.seed + TWO_CARDS.index((other[0], other[1])))


SWITCHED = {
    "switched_blackjack": ["21", "blackjack"], "double_on": ["any", "none", "9-14"],
    "hole_card": ["peek", "none", "exposed"], "dealer_blackjack_takes": ["all", "original", "original-per-hand"],
    "max_hands": [1, 1, 2], "hit_split_aces": [False, True], "split_blackjack": [False, True],
    "blackjack_tie": ["push", "win", "lose"], "player_21": ["compare", "wins"], "dealer_22": ["bust", "push"],
    "surrender": ["none", "late"], "dealer_wins_ties": [False, "17-19"], "blackjack_pays": ["3/2", "1"],
}  # fmt: skip


@pytest.mark.parametrize("seed", range(10))
def test_every_round_of_two_hands(seed: int) -> None:
    pick = random.Random(seed)
    rules = Rules(decks=1, switch=True, **{name: pick.choice(values) for name, values in SWITCHED.items()})
    shoe = {"A": 2, "6": 2, "T": 8} if rules.max_hands == 1 else {"6": 4, "A": 1, "T": 12}
    play = SwitchWhim(rules, seed)
    cards = sorted(RANKS.index(rank) for rank in shoe)
    dealers = combinations_with_replacement(cards, 2 if rules.hole_card == "exposed" else 1)
    exchanges = {seen: np.zeros((10,) * 4, dtype=np.bool_) for seen in dealers}
    for seen, found in exchanges.items():
        for a, b, c, d in product(cards, repeat=4):
            found[a, b, c, d] = play.exchanges((a, b, c, d), seen)
    beside = {pair: whims(rules, shoe, play.beside(pair)) for pair in combinations_with_replacement(cards, 2)}
    found = every_round(rules, Shoe.of_counts(shoe), SwitchPlay(exchanges, beside))
    assert found == bfs.round_results(shoe, rules, play)
