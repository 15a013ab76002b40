"""Two hands whose second cards may be exchanged: figures of independent programs, limits, fractions, single deals."""

import json
from fractions import Fraction
from math import fsum

import numpy as np
import pytest
from typer.testing import CliRunner

import odds
from odds.cli.main import app
from odds.engine.hands import player_hands
from odds.errors import HandError, OddsError, RulesError, ShoeError
from odds.game.rules import Rules
from odds.game.shoe import Shoe
from odds.results.deal import deal_of, deal_values
from odds.results.exact_switch import exact_deal, exact_switch
from odds.results.last_box import last_box
from odds.results.round import SwitchResult, analyze
from odds.results.switch import EXCHANGE, KEEP

# Doubles: sums of some thousand numbers below 1.
CLOSE = 1e-12
SWITCH = Rules(
    decks=6, dealer_hits_soft_17=True, dealer_22="push", blackjack_pays=1, max_hands=4, surrender="none", switch=True
)
SMALL = Rules(decks=1, max_hands=2, switch=True)
TEN, ACE = 9, 0


def analysed(rules: Rules) -> SwitchResult:
    result = analyze(rules)
    assert isinstance(result, SwitchResult)
    return result


@pytest.fixture(scope="module")
def six_decks() -> SwitchResult:
    return analysed(SWITCH)


@pytest.fixture(scope="module")
def one_deck() -> SwitchResult:
    return analysed(SMALL)


@pytest.mark.parametrize(
    ("changes", "ev"),
    [
        ({}, -0.007145985438478199),
        ({"resplit_aces": True}, -0.006725914498513508),
        ({"resplit_aces": True, "switched_blackjack": "blackjack"}, -0.0026802818016264177),
    ],
)
def test_infinite_decks(changes: dict[str, object], ev: float) -> None:
    """Two independent programs: H17, blackjack pays 1:1, 22 pushes, four hands, one card to split aces."""
    assert analyze(SWITCH.replace(decks="infinite", **changes)).ev == pytest.approx(ev, abs=1e-14)


def test_six_decks(six_decks: SwitchResult) -> None:
    """An independent program; a chart is published at a house edge of 0.58 %."""
    assert six_decks.ev == pytest.approx(-0.005408261065, abs=1e-12)
    assert six_decks.house_edge < 0.0058
    assert six_decks.rtp == 1 + six_decks.ev
    assert not six_decks.shoe_can_run_out
    assert fsum(start.probability for start in six_decks.by_start) == pytest.approx(1, abs=CLOSE)
    assert fsum(start.probability * start.ev for start in six_decks.by_start) == pytest.approx(six_decks.ev, abs=CLOSE)


def test_soft_17(six_decks: SwitchResult) -> None:
    """Published as 0.30 points of the house edge, which it is for no number of decks."""
    infinite = [analyze(SWITCH.replace(decks="infinite", dealer_hits_soft_17=hits)).ev for hits in (True, False)]
    assert infinite[1] - infinite[0] == pytest.approx(0.00401, abs=5e-6)
    assert analyze(SWITCH.replace(dealer_hits_soft_17=False)).ev - six_decks.ev == pytest.approx(0.00399, abs=5e-6)


def test_many_decks_are_nearly_infinite() -> None:
    many, infinite = (analyze(SWITCH.replace(decks=decks, max_hands=2)) for decks in (100_000, "infinite"))
    assert many.ev == pytest.approx(infinite.ev, abs=1e-6)
    assert many.average_wager == pytest.approx(infinite.average_wager, abs=1e-5)
    assert many.exchanges.probability == pytest.approx(infinite.exchanges.probability, abs=1e-7)


def test_kept_hands_are_boxes_that_see_each_other(one_deck: SwitchResult) -> None:
    """What is dealt, and never exchanged, is worth what two boxes are that have seen each other's first cards."""
    found, beside = one_deck.exchanges, last_box(SMALL.replace(switch=False), 2)
    kept = [(found.probability[i] * found.ev[0, i]).sum() for i in range(len(found.starts))]
    ev = fsum(p * ev for (_, p), ev in zip(found.starts, kept, strict=True))
    assert ev == pytest.approx(beside.ev, abs=CLOSE)
    assert one_deck.ev > ev


@pytest.mark.parametrize("made", ["21", "blackjack"])
def test_an_exchange_is_undone_by_another(made: str) -> None:
    """Whatever is gained is lost again, except where an ace and a ten are a blackjack on one side only."""
    found = analysed(SMALL.replace(switched_blackjack=made)).exchanges
    back = found.gain.swapaxes(2, 4)
    a, b, c, d = np.indices((10,) * 4)
    apart = np.ones_like(a, dtype=bool)
    for one, two in ((a, b), (c, d), (a, d), (c, b)):
        apart &= ~((np.minimum(one, two) == ACE) & (np.maximum(one, two) == TEN))
    assert found.gain[:, apart] == pytest.approx(-back[:, apart], abs=CLOSE)
    assert found.gain[:, (a == c) & (b == d) & apart] == pytest.approx(0, abs=CLOSE)
    assert (found.gain[:, apart] > 1e-9).any()
    made_21 = ~apart & ((a == ACE) & (d == TEN)) & (c > 1) & (b > 1)
    assert found.exchanges[:, made_21].mean() > 0.5


def test_both_orders_are_alike(one_deck: SwitchResult) -> None:
    """Which hand is the first does not matter, nor which card of both is."""
    found = one_deck.exchanges
    assert found.gain == pytest.approx(found.gain.transpose(0, 3, 4, 1, 2), abs=CLOSE)
    assert found.gain == pytest.approx(found.gain.transpose(0, 2, 1, 4, 3), abs=CLOSE)


def test_rows_have_every_deal(one_deck: SwitchResult) -> None:
    rows = one_deck.to_rows()
    assert fsum(row["probability"] for row in rows) == pytest.approx(1, abs=CLOSE)
    assert fsum(row["probability"] * row["ev"] for row in rows) == pytest.approx(one_deck.ev, abs=CLOSE)
    assert min(row["gain"] for row in rows) >= 0
    assert {row["best"] for row in rows} == {KEEP, EXCHANGE}


def test_the_play_beside_another_hand(one_deck: SwitchResult) -> None:
    """The tables that the referee follows say what single deals say."""
    tables = one_deck.exchanges.tables((6, TEN))  # beside 7,T
    deal = one_deck.hand("8,8 / 7,T", "T")
    kept = next(way for way in deal.ways if way.name == KEEP)
    hand = int(player_hands().two_cards[7, 7])
    assert tables[TEN,].first[hand, True] == kept.hands[0].best == "split"
    assert set(tables) == {(value,) for value in range(10)}


class TestDeal:
    def test_both_ways(self, six_decks: SwitchResult) -> None:
        deal = six_decks.hand("T,5 / 6,K", "8")
        found, at = six_decks.exchanges, (7, TEN, 4, 5, TEN)
        assert (deal.player, deal.dealer, deal.best) == ("T,5 / 6,T", "8", EXCHANGE)
        assert [way.cards for way in deal.ways] == ["T,T / 6,5", "T,5 / 6,T"]
        assert found.exchanges[at]
        assert deal.actions[EXCHANGE] == pytest.approx(found.ev[1][at], abs=CLOSE)
        assert deal.actions[KEEP] == pytest.approx(found.ev[0][at], abs=CLOSE)
        assert deal.value - deal.actions[KEEP] == pytest.approx(found.gain[at], abs=CLOSE)
        assert deal.insurance is None

    def test_after_a_peek(self, six_decks: SwitchResult) -> None:
        """Values are given no dealer blackjack; the hands as they were dealt pay for one."""
        deal = six_decks.hand("A,T / T,5", "A")
        left = Shoe.of_decks(6).without("A,A,T,T,5")
        p = left.counts[TEN] / left.total
        found, at = six_decks.exchanges, (ACE, ACE, TEN, TEN, 4)
        for number, way in enumerate((KEEP, EXCHANGE)):
            # The blackjack pushes the dealer's, the other hand loses.
            assert found.ev[number][at] == pytest.approx((1 - p) * deal.actions[way] - p / 2, abs=CLOSE)
        assert deal.insurance == Fraction(left.counts[TEN], left.total) * 3 - 1

    @pytest.mark.parametrize(
        ("changes", "kept_22"),
        [({}, True), ({"player_21": "wins"}, False), ({"switched_blackjack": "blackjack"}, False)],
    )
    def test_an_ace_and_a_ten_that_were_made(self, changes: dict[str, object], kept_22: bool) -> None:
        """21 like any other pushes a dealer's 22 and his 21, unless it wins at once or is a blackjack."""
        deal = deal_values("A,5 / 6,T", "6", SWITCH.replace(decks="infinite", **changes))
        made = next(way for way in deal.ways if way.name == EXCHANGE).hands[0]
        outcomes = odds.dealer_distribution(Shoe.of_decks("infinite"), "6", SWITCH).unconditional
        assert list(made.actions) == ["stand"]
        assert made.value == pytest.approx(1 - outcomes["22"] - outcomes["21"] if kept_22 else 1, abs=CLOSE)

    def test_late_blackjacks(self) -> None:
        """Without a peek a dealer's blackjack takes what an exchange has made, and pushes a blackjack that was kept."""
        rules = SWITCH.replace(hole_card="none", decks="infinite")
        p = Fraction(4, 13)
        for made in ("21", "blackjack"):
            deal = deal_values("A,5 / 6,T", "A", rules.replace(switched_blackjack=made))
            hand = next(way for way in deal.ways if way.name == EXCHANGE).hands[0]
            outcomes = odds.dealer_distribution(Shoe.of_decks("infinite"), "A", rules).unconditional
            lost = outcomes["blackjack"] + outcomes["22"] + outcomes["21"] if made == "21" else 0
            assert hand.value == pytest.approx(1 - lost - (float(p)), abs=CLOSE)
            assert not deal.given_no_dealer_blackjack

    def test_an_exposed_blackjack_settles_what_was_dealt(self) -> None:
        deal = deal_values("A,T / 5,5", "A,T", SMALL.replace(hole_card="exposed", dealer_22="push"))
        assert deal.actions == {KEEP: -0.5}

    @pytest.mark.parametrize(
        ("player", "words"),
        [
            ("9,T", "two hands of two cards"),
            ("9,T / 6,A / 2,2", "two hands of two cards"),
            ("9,T,2 / 6,A", "two hands of two cards"),
            ("9,T / x", "cannot read"),
        ],
    )
    def test_refused(self, player: str, words: str, one_deck: SwitchResult) -> None:
        with pytest.raises(HandError, match=words):
            one_deck.hand(player, "8")

    def test_cards_that_are_not_there(self, one_deck: SwitchResult) -> None:
        with pytest.raises(ShoeError, match="A,A / A,A"):
            one_deck.hand("A,A / A,A", "A")
        with pytest.raises(HandError, match="no cards are exchanged"):
            deal_values("9,T / 6,A", "8", Rules())

    def test_fractions(self) -> None:
        deal = deal_of("A,5 / 6,T", "T", SMALL)
        exact = exact_deal(deal)
        in_doubles = deal_values("A,5 / 6,T", "T", SMALL)
        assert exact.best == in_doubles.best == EXCHANGE
        assert {way: float(ev) for way, ev in exact.actions.items()} == pytest.approx(in_doubles.actions, abs=CLOSE)


class TestFractions:
    TINY = Shoe.of_counts({"A": 4, "5": 4, "6": 6, "T": 12})

    def test_they_are_the_doubles_and_do_not_depend_on_primes(self) -> None:
        rules = Rules(switch=True, max_hands=1, dealer_22="push", blackjack_pays="6/5", surrender="late")
        result = analyze(rules, shoe=self.TINY)
        assert isinstance(result, SwitchResult)
        exact = result.exact()
        assert float(exact.ev) == pytest.approx(result.ev, abs=1e-14)
        assert float(exact.average_wager) == pytest.approx(result.average_wager, abs=1e-14)
        assert exact.certified
        assert exact_switch(result, result.exchanges, primes_below=1 << 60) == exact

    def test_infinite_without_aces(self) -> None:
        """Cards that the deck lacks are beside no hand."""
        rules = Rules(decks=1, max_hands=2, insurance="none", removed_ranks="A,2,3,4,5,7,9,10,J", switch=True)
        result = analyze(rules.replace(decks="infinite"))
        assert float(result.exact().ev) == pytest.approx(result.ev, abs=1e-14)
        assert 0 < result.ev < 1

    def test_infinite(self) -> None:
        """Fifty-five other hands are one where no card is missed."""
        result = analyze(SWITCH.replace(decks="infinite", max_hands=2))
        exact = result.exact()
        assert float(exact.ev) == pytest.approx(result.ev, abs=1e-14)
        assert all(set(decision.player) >= {"/"} for decision in exact.ties)


class TestOtherRules:
    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"split_by": "rank"}, "split_by=rank"),
            ({"surrender": "early"}, "surrender=early"),
            ({"charlie": 6}, "charlie"),
            ({"bonuses": "cards=2 total=21 suits=spades pays=2"}, "bonuses"),
        ],
    )
    def test_refused_together(self, changes: dict[str, object], words: str) -> None:
        with pytest.raises(RulesError, match=f"switch=true .*{words}"):
            analyze(SMALL.replace(**changes))

    def test_class_full(self) -> None:
        with pytest.raises(OddsError, match="switch=true: not available for split class full"):
            analyze(SMALL, split_class="full")

    @pytest.mark.parametrize(
        "changes",
        [
            {"hole_card": "none", "dealer_blackjack_takes": "original-per-hand", "surrender": "early"},
            {"charlie": 5, "switched_blackjack": "blackjack", "blackjack_tie": "lose"},
            {"player_21": "wins", "redoubles": 1, "double_cards": "any", "surrender": "late"},
            {"raise_after_upcard": 1, "removed_ranks": "10", "max_hands": 1},
            {"bonuses": "cards=5 total=21 pays=3/2", "switched_blackjack": "blackjack", "dealer_wins_ties": "17"},
        ],
    )
    def test_computed_together(self, changes: dict[str, object]) -> None:
        """What is gained by exchanging is not much, nor less than nothing."""
        rules = Rules(decks=2, max_hands=2, switch=True).replace(**changes)
        result, alone = analyze(rules), analyze(rules.replace(switch=False))
        assert 0.03 < result.ev - alone.ev < 0.4
        assert 1 <= result.average_wager < 2.5


PLAIN = "classic-blackjack --set switch=true --set decks=1"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (f"rtp {PLAIN} --by first-card", "the EV by the player's first card is not computed"),
        (f"rtp {PLAIN} --split-class full", "not available for split class full"),
        (f"hand {PLAIN} 9,T/6,A 8 --after-split 9", "--after-split is not computed"),
        (f"hand {PLAIN} 9,T/6,A 8 --doubled 1", "--doubled is not computed"),
        (f"hand {PLAIN} 9,T/6,A 8 --free", "--free is not computed"),
        ("hand single-deck 9,T/6,A 8", "expected one hand, as no cards are exchanged"),
        (f"hand {PLAIN} 9,T 8", "two hands of two cards"),
        (f"deviations {PLAIN}", "what is asked for is not computed"),
        (f"outcomes {PLAIN}", "the distribution of a round is not computed"),
        (f"confidence {PLAIN} --rounds 100", "the distribution of a round is not computed"),
        (f"show {PLAIN} --close 3", "what is asked for is not computed"),
    ],
)
def test_what_there_is_of_one_hand_only_is_refused(line: str, words: str) -> None:
    result = CliRunner().invoke(app, line.split())
    assert result.exit_code == 2
    assert not result.stdout
    assert words in result.stderr
    assert result.stderr.count("\n") == 1


def test_library_refuses_too(one_deck: SwitchResult) -> None:
    for asked in (
        one_deck.outcomes,
        one_deck.tables,
        one_deck.by_first_card,
        lambda: one_deck.analysis("T"),
        lambda: one_deck.by_start[0].decisions,
        lambda: odds.hand_values("9,T", "8", SMALL),
    ):
        with pytest.raises(RulesError, match="switch=true"):
            asked()


def test_commands() -> None:
    run = CliRunner().invoke
    data = json.loads(run(app, f"rtp {PLAIN} --set max_hands=1 --json".split()).stdout)
    assert data["per"] == "one of the two initial wagers"
    assert data["ev"] == pytest.approx(sum(row["probability"] * row["ev"] for row in data["by_upcard"]), abs=CLOSE)
    assert set(data["insurance"]["by_tens_in_hand"]) == set("01234")
    text = run(app, f"rtp {PLAIN} --set max_hands=1".split()).stdout
    assert "half of the sum of both hands" in " ".join(text.split())
    asked = ["hand", *PLAIN.split(), "5,T / 6,T", "8", "--exact"]
    text = run(app, asked).stdout
    assert text.index("5,T / 6,T against 8") < text.index("keep") < text.index("exchange")
    assert max(map(len, text.splitlines())) <= 80
    data = json.loads(run(app, [*asked, "--json"]).stdout)
    assert data["best"] == "keep"
    assert data["actions"][KEEP] == data["actions"][EXCHANGE]  # T and T may be exchanged, to no effect
    assert [hand["player"] for hand in data["hands"][KEEP]] == ["5,T", "6,T"]
    assert data["exact"]["actions"][KEEP] == data["exact"]["actions"][EXCHANGE]
