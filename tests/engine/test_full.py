"""Splits played on everything seen: against brute force that remembers everything, and against a public solver."""

from fractions import Fraction
from functools import cache

import brute_force as bf
import brute_force_full as bff
import numpy as np
import pytest
from test_brute_force import FOURS, HIGH, LOW, MIDDLE, RANKS, SIXES, TENS, THREES, Case, few_ranks, params, rules
from typer.testing import CliRunner

import odds.engine.full
from odds.cli.main import app
from odds.engine.full import full_splits
from odds.engine.hands import N_VALUES, player_hands
from odds.engine.start import StartAnalysis
from odds.engine.terms import terms_of
from odds.errors import OddsError, RulesError, ShoeError
from odds.game.rules import Rules
from odds.game.shoe import Shoe
from odds.results.exact import closest_decisions, exact_hand
from odds.results.hand import hand_values, situation_of
from odds.results.round import RoundResult, analyze

DEALS = ("both", "in-turn")
DECK = few_ranks("68QK")
CASES = [
    Case("peek", HIGH, rules()),
    Case("no-peek-all", HIGH, rules(hole_card="none", dealer_blackjack_takes="all", dealer_hits_soft_17=True)),
    Case("no-peek-original", HIGH, rules(hole_card="none", dealer_blackjack_takes="original")),
    Case("no-peek-per-hand", HIGH, rules(hole_card="none", dealer_blackjack_takes="original-per-hand")),
    Case("peek-under-ten-only", HIGH, rules(peek_under="T")),
    Case("peek-under-ace-only", HIGH, rules(peek_under="A", dealer_blackjack_takes="original-per-hand")),
    Case("exposed", MIDDLE, rules(hole_card="exposed", dealer_wins_ties="17,20")),
    Case("exposed-aces", HIGH, rules(hole_card="exposed", hit_split_aces=True, dealer_wins_ties=True)),
    Case("doubles", MIDDLE, rules()),
    Case("not-after-split", MIDDLE, rules(double_after_split=False)),
    Case("doubles-some", MIDDLE, rules(double_on="10,11", dealer_wins_ties=True)),
    Case("aces-drawn", HIGH, rules(hit_split_aces=True)),
    Case("aces-drawn-low", LOW, rules(hit_split_aces=True, double_on="soft 13-19")),
    Case("aces-drawn-doubled", HIGH, rules(hit_split_aces=True, double_split_aces=True, hole_card="none")),
    Case("aces-doubled-only", HIGH, rules(double_split_aces=True)),
    Case("split-blackjack", HIGH, rules(split_blackjack=True, blackjack_pays="6/5")),
    Case("split-blackjack-no-peek", HIGH, rules(split_blackjack=True, hole_card="none", blackjack_tie="lose")),
    Case("split-blackjack-once", HIGH, rules(
        split_blackjack=True, hole_card="none", dealer_blackjack_takes="original", blackjack_tie="win")),
    Case("split-blackjack-per-hand", HIGH, rules(
        split_blackjack=True, hole_card="none", dealer_blackjack_takes="original-per-hand", blackjack_tie="win")),
    Case("by-rank", RANKS, rules(split_by="rank")),
    Case("by-rank-no-peek", TENS, rules(split_by="rank", hole_card="none")),
    Case("charlie", {"2": 5, "3": 5, "7": 6, "T": 12}, rules(charlie=5, hole_card="none")),
    Case("22-pushes", MIDDLE, rules(dealer_22="push")),
    Case("22-pushes-exposed", MIDDLE, rules(dealer_22="push", hole_card="exposed", dealer_wins_ties=True)),
    Case("22-pushes-no-peek", SIXES, rules(
        dealer_22="push", hole_card="none", split_blackjack=True, dealer_blackjack_takes="original-per-hand")),
    Case("21-wins", HIGH, rules(player_21="wins", hit_split_aces=True)),
    Case("21-wins-no-peek", SIXES, rules(player_21="wins", hole_card="none", split_blackjack=True)),
    Case("21-wins-original", HIGH, rules(player_21="wins", hole_card="none", dealer_blackjack_takes="original")),
    Case("charlie-pays", {"A": 3, "2": 5, "4": 4, "T": 8}, rules(
        charlie=5, charlie_pays=2, charlie_beats_blackjack=True, hole_card="none", player_21="wins")),
    Case("three-cards-doubled", FOURS, rules(double_cards=3)),
    Case("any-cards-doubled", THREES, rules(double_cards="any", double_on="hard 9-11, soft 13-19")),
    Case("any-cards-doubled-no-peek", THREES, rules(double_cards="any", hole_card="none", dealer_22="push")),
    Case("any-cards-doubled-original", FOURS, rules(
        double_cards="any", hole_card="none", dealer_blackjack_takes="original")),
    Case("any-cards-doubled-per-hand", THREES, rules(
        double_cards="any", hole_card="none", dealer_blackjack_takes="original-per-hand", dealer_hits_soft_17=True)),
    Case("any-cards-doubled-exposed", THREES, rules(double_cards="any", hole_card="exposed", dealer_wins_ties="17,20")),
    Case("any-cards-doubled-aces", {"A": 3, "3": 3, "7": 3, "T": 7}, rules(
        double_cards="any", hit_split_aces=True, double_split_aces=True)),
    Case("any-cards-doubled-aces-later", {"A": 3, "3": 3, "7": 3, "T": 7}, rules(
        double_cards="any", hit_split_aces=True, player_21="wins")),
    Case("any-cards-doubled-charlie", {"A": 3, "2": 5, "4": 4, "T": 8}, rules(
        double_cards="any", charlie=5, charlie_pays=2, hole_card="none")),
    Case("any-cards-doubled-by-rank", {"3": 4, "5": 3, "T": 3, "K": 4}, rules(double_cards="any", split_by="rank")),
    Case("charlie-aces", {"A": 4, "2": 3, "7": 4, "T": 8}, rules(charlie=5, hit_split_aces=True)),
]  # fmt: skip


def splits_of(result: RoundResult) -> list[tuple[StartAnalysis, int]]:
    analyses = {start.start: result.analysis(start.start) for start in result.by_start}
    starts = [(analysis.start, analysis.shoe) for analysis in analyses.values()]
    pairs = odds.engine.full.full_pairs(starts, result.terms)
    return [(analyses[start.label], pair) for pair, against in pairs for start, _ in against]


HEAVY = ("aces-drawn-low", "charlie", "charlie-aces", "by-rank", "by-rank-no-peek", "three-cards-doubled",
         "any-cards-doubled-charlie", "any-cards-doubled-aces", "any-cards-doubled-original")  # fmt: skip


@pytest.mark.parametrize("deal", DEALS)
@pytest.mark.parametrize(
    "case", [pytest.param(case, id=case.name, marks=pytest.mark.slow if case.name in HEAVY else ()) for case in CASES]
)
def test_every_split_equals_brute_force(case: Case, deal: str) -> None:
    setting = case.rules.replace(split_deal=deal)
    result = analyze(setting, shoe=case.cards, split_class="full")
    assert not result.shoe_can_run_out
    splits = splits_of(result)
    assert splits
    for analysis, pair in splits:
        if setting.split_by == "rank" and not any(n > 1 for n in (analysis.shoe.ten_ranks or ())):
            continue
        value, wager = bff.split_worth(case.shoe, setting, pair, analysis.start.cards)
        split = analysis.split(pair)
        p = analysis.values.p_blackjack(int(player_hands().two_cards[pair, pair]))
        # 1e-13: some hundred roundings of numbers below 2.
        settlement = analysis.terms.settlement(analysis.start)
        assert settlement.shown(split.value, p, peeks=analysis.start.peeks) == pytest.approx(float(value), abs=1e-13)
        wagered = split.wager / (1 - p) if analysis.start.peeks else split.wager
        assert wagered == pytest.approx(float(wager), abs=1e-13)


@pytest.mark.parametrize("deal", DEALS)
@pytest.mark.parametrize(
    "case",
    params(
        [
            Case("late-surrender", HIGH, rules(surrender="late", hit_split_aces=True)),
            Case("early-surrender", HIGH, rules(surrender="early", surrender_returns="1/3")),
            Case("early-ten-late-ace", HIGH, rules(surrender="early T, late A", surrender_returns="2/3")),
            Case("no-peek-late", MIDDLE, rules(surrender="late", hole_card="none")),
            Case("exposed", MIDDLE, rules(hole_card="exposed", blackjack_tie="win", blackjack_pays=1)),
            Case("by-rank", TENS, rules(split_by="rank", double_split_aces=True)),
            Case("deck", bf.full_shoe(DECK), DECK),
            Case("deck-by-rank", bf.full_shoe(DECK), DECK.replace(split_by="rank")),
            Case("22-pushes", MIDDLE, rules(dealer_22="push", surrender="late")),
            Case("21-wins", HIGH, rules(player_21="wins", hole_card="none", dealer_blackjack_takes="original")),
            Case("any-cards-doubled", THREES, rules(double_cards="any", surrender="late")),
            Case("three-cards-doubled", THREES, rules(double_cards=3, surrender="early 2-T", hole_card="none")),
            Case("any-cards-doubled-exposed", THREES, rules(double_cards="any", hole_card="exposed")),
            Case(
                "any-cards-doubled-by-rank",
                {"3": 4, "5": 3, "T": 3, "K": 4},
                rules(double_cards="any", split_by="rank", hole_card="none"),
            ),
        ]
    ),
)
def test_whole_round_equals_brute_force(case: Case, deal: str) -> None:
    setting = case.rules.replace(split_deal=deal)
    result = analyze(setting, shoe=case.cards, split_class="full")
    ev, wager = bff.round_worth(case.shoe, setting)
    assert result.ev == pytest.approx(float(ev), abs=1e-13)
    assert result.average_wager == pytest.approx(float(wager), abs=1e-13)


# One deck, S17, double any two, not after a split, one split; the last with the loss to a blackjack in it.
PUBLIC = [("2,2", "6", 0.12824431368429656), ("T,T", "6", 0.52510690762664047), ("8,8", "T", -0.50533511867192438)]
PUBLIC_RULES = Rules(decks=1, max_hands=2, double_after_split=False)


@pytest.mark.parametrize(("player", "dealer", "published"), PUBLIC)
def test_public_solver_deals_in_turn(player: str, dealer: str, published: float) -> None:
    p = Fraction(4, 49) if dealer == "T" else Fraction(0)

    def split(deal: str, split_class: str = "full") -> float:
        result = hand_values(player, dealer, PUBLIC_RULES.replace(split_deal=deal), split_class=split_class)
        return result.actions["split"] * float(1 - p) - float(p)

    assert split("in-turn") == pytest.approx(published, abs=1e-14)
    assert split("both") >= split("in-turn") - 1e-14
    # What the cards of the other hand are worth.
    assert split("in-turn") > split("in-turn", "cdp1") + 1e-6


def test_seeing_the_other_second_card_helps() -> None:
    values = {
        deal: hand_values("2,2", "6", PUBLIC_RULES.replace(split_deal=deal), split_class="full").actions["split"]
        for deal in DEALS
    }
    assert values["both"] == pytest.approx(0.1301557044739785, abs=1e-13)
    assert values["both"] > values["in-turn"] + 1e-3


@cache
def small_game(name: str, deal: str, split_class: str) -> RoundResult:
    setting, shoe = {
        "one-deck": (Rules(decks=1, max_hands=2), None),
        "charlie-aces": (
            Rules(decks=1, max_hands=2, hole_card="none", charlie=6, hit_split_aces=True, dealer_hits_soft_17=True),
            # Two decks without small cards.
            Shoe.of_counts({"A": 8, "5": 8, "6": 8, "7": 8, "8": 8, "9": 8, "T": 32}),
        ),
        "exposed": (
            Rules(decks=2, max_hands=2, hole_card="exposed", dealer_wins_ties=True, double_on="9-11"),
            Shoe.of_counts({"A": 8, "6": 8, "7": 8, "8": 8, "9": 8, "T": 32}),
        ),
    }[name]
    return analyze(setting.replace(split_deal=deal), shoe=shoe, split_class=split_class)


@pytest.mark.parametrize("name", ["one-deck", "charlie-aces", "exposed"])
def test_never_below_a_play_that_sees_less(name: str) -> None:
    """The play of `cdp1` can be played in turn, and what is played in turn can be played if both are dealt at once."""
    classes = [(deal, split_class) for split_class in ("cdz", "cdp1", "full") for deal in DEALS]
    results = {key: small_game(name, *key) for key in classes}
    assert results["in-turn", "full"].ev >= results["in-turn", "cdp1"].ev - 1e-14
    assert results["both", "full"].ev >= results["in-turn", "full"].ev - 1e-14
    if name == "one-deck":
        assert results["in-turn", "full"].ev > results["in-turn", "cdp1"].ev + 1e-6
        assert results["both", "full"].ev > results["in-turn", "full"].ev + 1e-6
    assert results["both", "cdp1"].ev == results["in-turn", "cdp1"].ev
    for analysis, pair in splits_of(results["both", "full"]):
        dealer = analysis.start.label
        values = [
            results[key].analysis(dealer).split(pair).value
            for key in (("both", "cdz"), ("both", "cdp1"), ("in-turn", "full"), ("both", "full"))
        ]
        zero_memory, fixed, in_turn, both = values
        assert max(zero_memory, fixed) <= in_turn + 1e-13, (dealer, pair, values)
        assert in_turn <= both + 1e-13, (dealer, pair, values)


@pytest.mark.parametrize("deal", DEALS)
def test_nobody_stands_low(deal: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Standing on a hard hand of at most 11 is left out, being proven worse; allowing it changes nothing."""
    setting = Rules(decks=1, max_hands=2, hit_split_aces=True, charlie=7, split_deal=deal)
    shoe = Shoe.of_counts({"A": 4, "3": 4, "4": 4, "7": 6, "T": 24})
    analyses = [situation_of("A,T", dealer, setting, shoe=shoe).analysis for dealer in ("7", "T", "A")]
    starts, terms = [(analysis.start, analysis.shoe) for analysis in analyses], terms_of(setting)
    pairs = (0, 2, 3)
    without = [full_splits(starts, terms, pair) for pair in pairs]
    odds.engine.full._hands_of_split.cache_clear()
    monkeypatch.setattr(odds.engine.full, "shoe_can_run_out", lambda *_: True)
    allowed = [full_splits(starts, terms, pair) for pair in pairs]
    odds.engine.full._hands_of_split.cache_clear()
    for a, b in zip(without, allowed, strict=True):
        assert [split.value for split in a] == pytest.approx([split.value for split in b], abs=1e-14)
        assert [split.wager for split in a] == pytest.approx([split.wager for split in b], abs=1e-12)


def test_one_start_alone_is_the_same_as_many_together() -> None:
    setting = rules(hole_card="exposed")
    shoe = Shoe.of_counts(MIDDLE)
    result = analyze(setting, shoe=shoe, split_class="full")
    for analysis, pair in splits_of(result):
        alone = StartAnalysis(analysis.start, analysis.shoe, terms_of(setting), "full")
        assert alone.split(pair).value == analysis.split(pair).value
        assert alone.split(pair).wager == analysis.split(pair).wager


def test_hand_and_round_agree() -> None:
    result = small_game("one-deck", "both", "full")
    hand = hand_values("8,8", "T", result.rules, split_class="full")
    assert hand.split_class == result.split_class == "full"
    assert hand.actions == result.hand("8,8", "T").actions
    decision = next(d for d in result.by_start[-1].decisions if d.hand.label == "8,8")
    assert decision.action == hand.best == "split"
    assert decision.joint["split"] / (1 - decision.p_blackjack) == pytest.approx(hand.actions["split"], abs=1e-15)
    assert 2 < decision.wager < 2.2


def test_like_tens_may_be_named() -> None:
    setting = Rules(decks=1, max_hands=2, split_by="rank")
    values = {hand: hand_values(hand, "6", setting, split_class="full").actions.get("split") for hand in ("T,T", "K,K")}
    assert values["T,T"] == values["K,K"]
    assert "split" not in hand_values("K,Q", "6", setting, split_class="full").actions


def test_without_splits_it_is_the_unsplit_optimum() -> None:
    setting = Rules(decks=1, max_hands=1)
    assert analyze(setting, split_class="full").ev == analyze(setting, split_class="cdp1").ev


def test_progress() -> None:
    shares: list[float] = []
    analyze(rules(), shoe=Shoe.of_counts(MIDDLE), split_class="full", progress=shares.append)
    assert shares[0] == 0.0
    assert shares[-1] == 1.0
    assert shares == sorted(shares)


def test_shoe_that_can_run_out_is_flagged() -> None:
    result = analyze(rules(hole_card="none"), shoe=Shoe.of_counts({"A": 3, "2": 4, "5": 2}), split_class="full")
    assert result.shoe_can_run_out
    assert np.isfinite(result.ev)
    assert -2 < result.ev < 2
    for analysis, pair in splits_of(result):
        assert -4 <= analysis.split(pair).value <= 4


def test_shoe_too_small_for_a_split_is_refused() -> None:
    shoe = Shoe.of_counts({"8": 3, "T": 2})
    with pytest.raises(ShoeError, match="too small to split 8,8"):
        hand_values("8,8", "T", rules(), shoe=shoe, split_class="full")


def test_pairs_of_which_the_shoe_holds_too_few() -> None:
    shoe = Shoe.of_counts({"A": 1, "5": 1, "6": 8, "9": 6, "T": 8})
    result = analyze(rules(), shoe=shoe, split_class="full")
    assert {pair for _, pair in splits_of(result)} == {5, 8, N_VALUES - 1}
    assert np.isfinite(result.ev)


@pytest.mark.parametrize("max_hands", [3, 4])
def test_more_than_two_hands_are_refused(max_hands: int) -> None:
    setting = Rules(decks=1, max_hands=max_hands)
    words = f"split class full: expected max_hands 1 or 2, got {max_hands}"
    with pytest.raises(RulesError, match=words):
        analyze(setting, split_class="full")
    with pytest.raises(RulesError, match=words):
        hand_values("8,8", "T", setting, split_class="full")


def test_what_full_does_not_have_is_refused() -> None:
    result = small_game("one-deck", "both", "full")
    for ask in (result.exact, result.tables, lambda: closest_decisions(result, 3)):
        with pytest.raises(OddsError, match="not available for split class full"):
            ask()
    at = situation_of("8,8", "T", result.rules, split_class="full")
    with pytest.raises(OddsError, match="not available for split class full"):
        exact_hand(at)
    with pytest.raises(OddsError, match="not available for split class full"):
        hand_values("8,5", "T", result.rules, split_class="full", after_split="8")


def test_command_line() -> None:
    run = CliRunner()
    arguments = ["--set", "decks=1", "--set", "max_hands=2", "--split-class", "full", "--json"]
    shown = run.invoke(app, ["hand", "classic-blackjack", "8,8", "T", *arguments])
    assert shown.exit_code == 0
    assert '"split_class": "full"' in shown.stdout
    refused = run.invoke(app, ["rtp", "classic-blackjack", "--set", "max_hands=3", "--split-class", "full"])
    assert refused.exit_code == 2
    assert "split class full: expected max_hands 1 or 2, got 3" in refused.stderr
    exactly = run.invoke(app, ["rtp", "classic-blackjack", "--split-class", "full", "--exact"])
    assert exactly.exit_code == 2
    assert "not available for split class full" in exactly.stderr


# The engine's own figures: with eight decks, what is seen of the other hand is worth less than a millionth.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "deal", "ev"),
    [
        ("classic-blackjack", "both", -0.004099173270412),
        ("classic-blackjack", "in-turn", -0.004099362351027),
        ("face-up-21", "both", -0.011488747204863),
        ("face-up-21", "in-turn", -0.011488777655333),
    ],
)
def test_eight_decks(game: str, deal: str, ev: float) -> None:
    setting = odds.load_game(game).rules.replace(split_deal=deal)
    result = analyze(setting, split_class="full")
    assert result.ev == pytest.approx(ev, abs=1e-13)
    assert analyze(setting, split_class="cdp1").ev < result.ev < analyze(setting, split_class="cdp1").ev + 1e-6
