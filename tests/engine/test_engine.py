"""Counts, laws that every game obeys, and input that the engine refuses."""

import contextlib
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import rules as any_rules
from strategies import small_shoes

import odds
from odds import HandError, Rules, RulesError, Shoe, ShoeError
from odds._kernel import DealerTrie, one_dealer_distribution
from odds.engine.coefficients import split_coefficients
from odds.engine.hands import ACE, TEN, player_hands
from odds.engine.terms import terms_of
from odds.game.cards import RANKS, hand_total, parse_cards
from odds.game.fields import FIELDS

TOTALS = ("17", "18", "19", "20", "21")

# Two sums of the same products in another order differ by a few rounding errors of 1e-16 each.
ROUNDING = 1e-13
# Actions closer than this are treated as equal, so that an option may be passed over for this much a decision; the
# probabilities of the decisions of a round add up to 1, those within a hand to a few.
TIES = 1e-12

quick = settings(max_examples=20)
slower = settings(max_examples=8)

# Enough cards that no round can use them all, yet far from full decks.
big_shoes = st.lists(st.integers(5, 18), min_size=10, max_size=10).map(Shoe.of_counts)
known_tens = st.lists(st.integers(5, 14), min_size=13, max_size=13).map(Shoe.of_counts)
# Neither of these matters to the value of any play, and both dealer cards up take more time.
hidden = st.sampled_from(["peek", "none"])
upcards = st.sampled_from(RANKS)


def not_refused(rules: Rules) -> Rules:
    """The rules, with surrenders of two cards only where those of any hand may be refused once a rule is changed."""
    early_or_once = "early" in rules.surrender or rules.dealer_blackjack_takes == "original"
    return rules.replace(surrender_cards=2) if early_or_once else rules


split_classes = st.sampled_from(["cdz", "cdp1"])


@cache
def ev(rules: Rules, shoe: Shoe | None = None, split_class: str = "cdp1") -> float:
    return odds.analyze(rules, shoe=shoe, split_class=split_class).ev


@cache
def eight_decks() -> odds.RoundResult:
    return odds.analyze(Rules(decks=8, max_hands=2, surrender="late"))


# --- counts -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("decks", "number"), [(1, 2008), (2, 2796), (4, 3060), (6, 3072), (8, 3072)])
def test_number_of_player_hands(decks: int, number: int) -> None:
    graph = player_hands().graph
    available = np.array(Shoe.of_decks(decks).counts)
    hands = graph.counts[graph.cards >= 2]
    assert (hands <= available).all(axis=1).sum() == number


def test_every_hit_leads_to_an_earlier_hand_of_one_more_card() -> None:
    graph = player_hands().graph
    for value in range(10):
        next_hand = graph.next_hand[:, value]
        hands = np.flatnonzero(next_hand >= 0)
        assert (next_hand[hands] < hands).all()
        one_more = graph.counts[hands].astype(int)
        one_more[:, value] += 1
        assert (graph.counts[next_hand[hands]] == one_more).all()
        hard = graph.counts.astype(int) @ np.arange(1, 11)
        assert (hard[next_hand < 0] + value + 1 > 21).all()


# Multisets of cards drawn to an upcard, S17: published counts. They count a blackjack as one of them, which the
# kernel leaves to the shoe's own arithmetic: hence one fewer for the ace and the ten.
DRAWN_S17 = {"A": 1359, "2": 2037, "3": 1583, "4": 1197, "5": 909, "6": 679, "7": 514, "8": 375, "9": 277, "T": 184}


@pytest.mark.parametrize("upcard", DRAWN_S17)
def test_number_of_dealer_multisets(upcard: str) -> None:
    trie = DealerTrie((RANKS.index(upcard),), False, True)
    blackjacks = 1 if upcard in "AT" else 0
    assert len(trie.multisets()) == trie.n_multisets == DRAWN_S17[upcard] - blackjacks
    # No dealer's hand needs more cards of a value than eight decks have, so that the shoe does not cut the count.
    in_shoe = Shoe.of_decks(8).without(upcard).counts
    assert all(n <= have for drawn, _, _ in trie.multisets() for n, have in zip(drawn, in_shoe, strict=True))


def test_number_of_dealer_multisets_in_all() -> None:
    with_blackjacks = [
        2 + sum(DealerTrie((upcard,), hits, True).n_multisets for upcard in range(10)) for hits in (False, True)
    ]
    assert with_blackjacks == [9_114, 9_909]
    assert sum(DRAWN_S17.values()) == 9_114


def sequences(cards: tuple[int, ...], hits_soft_17: bool) -> list[tuple[int, ...]]:
    """Every order in which a dealer who starts from these cards can end, by the rule as it is written."""
    hard = sum(card + 1 for card in cards)
    soft = ACE in cards and hard <= 11
    total = hard + 10 if soft else hard
    if total > 17 or (total == 17 and not (soft and hits_soft_17)):
        return [cards]
    return [end for card in range(10) for end in sequences((*cards, card), hits_soft_17)]


@pytest.mark.parametrize(("hits_soft_17", "number"), [(False, 54_433), (True, 70_561)])
def test_number_of_dealer_sequences(hits_soft_17: bool, number: int) -> None:
    # 54,433 is published (S17); both count the two blackjacks, which the kernel counts as sequences too.
    in_all = 0
    for upcard in range(10):
        ends = sequences((upcard,), hits_soft_17)
        trie = DealerTrie((upcard,), hits_soft_17, True)
        assert trie.n_sequences == len(ends)
        in_all += len(ends)
        orders: dict[tuple[int, ...], int] = {}
        for end in ends:
            if {upcard, *end[1:]} != {ACE, TEN} or len(end) > 2:
                drawn = tuple(end[1:].count(value) for value in range(10))
                orders[drawn] = orders.get(drawn, 0) + 1
        assert {drawn: ways for drawn, ways, _ in trie.multisets()} == orders
    assert in_all == number


# That a dealer who always draws out busts with exactly 22, fresh shoe, by whether he hits soft 17 and decks.
WITH_22 = {
    True: {1: 0.073362, 2: 0.073470, 3: 0.073504, 4: 0.073520, 5: 0.073530, 6: 0.073536, 7: 0.073541, 8: 0.073544},
    False: {1: 0.072401, 2: 0.072519, 6: 0.072591, 8: 0.072599},
}


@pytest.mark.parametrize("hits_soft_17", [False, True])
def test_a_bust_with_22_is_told_apart(hits_soft_17: bool) -> None:
    tries = [DealerTrie((upcard,), hits_soft_17, tells_22=True) for upcard in range(10)]
    for decks, published in WITH_22[hits_soft_17].items():
        shoe = Shoe.of_decks(decks)
        found = 0.0
        for upcard, trie in enumerate(tries):
            left = shoe.without(RANKS[upcard]).counts
            told = one_dealer_distribution(trie, left)
            assert told[:5] == one_dealer_distribution(DealerTrie((upcard,), hits_soft_17), left)
            found += shoe.counts[upcard] / shoe.total * told[5]
        assert found == pytest.approx(published, abs=6e-7)


def test_multisets_of_a_bust_have_their_total() -> None:
    for upcard in range(10):
        told, untold = (DealerTrie((upcard,), True, True, tells_22).multisets() for tells_22 in (True, False))
        assert [(drawn, ways, min(total, 22)) for drawn, ways, total in told] == untold
        for drawn, _, total in told:
            hard = upcard + 1 + sum(n * (value + 1) for value, n in enumerate(drawn))
            assert total < 22 or total == min(hard, 23)


def test_number_of_two_card_hands_and_starts() -> None:
    for hole_card, starts in (("peek", 10), ("exposed", 55)):
        result = odds.analyze(Rules(decks=8, max_hands=1, hole_card=hole_card))
        assert len(result.by_start) == starts
        assert all(len(start.decisions) == 55 for start in result.by_start)
        assert len(result.to_rows()) == 55 * starts


@pytest.mark.parametrize("hands", [2, 3, 4])
def test_a_split_makes_as_many_hands_as_it_says(hands: int) -> None:
    # With every hand worth 1 the value is the number of hands: 2, and one more for each pair card that comes.
    coefficients = split_coefficients(hands)
    for in_pair, cards in ((0, 10), (3, 30), (10, 20), (20, 20)):
        run = [Fraction(1)]
        for k in range(2 * hands):
            run.append(run[-1] * Fraction(max(in_pair - k, 0), cards - k))
        value = sum(n * (run[k] - run[k + 1]) for k, n in coefficients.other.items())
        value += sum(n * run[k] for k, n in coefficients.pair.items())
        assert value == expected_hands(2, 2, hands, in_pair, cards)


def expected_hands(hands: int, waiting: int, most: int, in_pair: int, cards: int) -> Fraction:
    if hands == most or not waiting:
        return Fraction(hands)
    p = Fraction(in_pair, cards)
    again = expected_hands(hands + 1, waiting + 1, most, in_pair - 1, cards - 1) if p else Fraction(0)
    other = expected_hands(hands, waiting - 1, most, in_pair, cards - 1) if p < 1 else Fraction(0)
    return p * again + (1 - p) * other


# --- the dealer ---------------------------------------------------------------------------------------------------


def exact_distribution(shoe: Shoe, cards: tuple[int, ...], hits_soft_17: bool, exposed: bool) -> dict[str, Fraction]:
    """The dealer's outcomes, by following his rule card by card."""
    outcomes = dict.fromkeys((*TOTALS, "blackjack", "bust"), Fraction(0))

    def play(cards: tuple[int, ...], counts: tuple[int, ...], p: Fraction) -> None:
        hard = sum(card + 1 for card in cards)
        soft = ACE in cards and hard <= 11
        total = hard + 10 if soft else hard
        if len(cards) == 2 and set(cards) == {ACE, TEN}:
            outcomes["blackjack"] += p
        elif total > 17 or (total == 17 and not (soft and hits_soft_17)):
            outcomes["bust" if total > 21 else str(total)] += p
        elif not (left := sum(counts)):
            outcomes["bust"] += p  # who cannot draw counts as bust
        else:
            for card, n in enumerate(counts):
                if n:
                    fewer = (*counts[:card], n - 1, *counts[card + 1 :])
                    play((*cards, card), fewer, p * Fraction(n, left))

    play(cards, shoe.counts, Fraction(1))
    return outcomes


@quick
@given(small_shoes(min_cards=1, max_cards=14), st.lists(st.integers(0, 9), min_size=1, max_size=2), st.booleans())
def test_dealer_distributions(shoe: Shoe, cards: list[int], hits_soft_17: bool) -> None:
    exposed = len(cards) == 2
    rules = Rules(dealer_hits_soft_17=hits_soft_17, hole_card="exposed" if exposed else "peek")
    found = odds.dealer_distribution(shoe, ",".join(RANKS[card] for card in cards), rules)
    expected = exact_distribution(shoe, tuple(cards), hits_soft_17, exposed)
    assert sum(found.unconditional.values()) == pytest.approx(1.0, abs=ROUNDING)
    for outcome, p in expected.items():
        assert 0.0 <= found.unconditional[outcome] <= 1.0 + ROUNDING
        assert found.unconditional[outcome] == pytest.approx(float(p), rel=0, abs=ROUNDING)
    if found.given_no_blackjack is not None:
        assert sum(found.given_no_blackjack.values()) == pytest.approx(1.0, abs=ROUNDING)
        for outcome, p in found.given_no_blackjack.items():
            assert p == pytest.approx(float(expected[outcome] / (1 - expected["blackjack"])), rel=0, abs=ROUNDING)


@quick
@given(big_shoes, upcards, st.booleans())
def test_cards_and_totals_lead_on_from_the_upcard(shoe: Shoe, upcard: str, hits_soft_17: bool) -> None:
    """From the upcard each second card leads to two cards, and these to three; a total takes no card."""
    rules = Rules(dealer_hits_soft_17=hits_soft_17)
    two = dict.fromkeys(odds.dealer_distribution(shoe, upcard, rules).unconditional, 0.0)
    for hole in RANKS:
        if shoe.count(hole):
            left, text = shoe.without(hole), f"{upcard},{hole}"
            from_two = odds.dealer_distribution(left, text, rules).unconditional
            for outcome, p in from_two.items():
                two[outcome] += p * shoe.count(hole) / shoe.total
            total, soft = hand_total(RANKS.index(card) for card in (upcard, hole))
            if {upcard, hole} != {"A", "T"}:
                words = f"{'soft' if soft else 'hard'} {total}"
                assert odds.dealer_distribution(left, words, rules).unconditional == from_two
                if not soft and total > 10:
                    assert odds.dealer_distribution(left, str(total), rules).start == words
            if total < 17:
                three = dict.fromkeys(two, 0.0)
                for card in RANKS:
                    if left.count(card):
                        after = odds.dealer_distribution(left.without(card), f"{text},{card}", rules).unconditional
                        for outcome, p in after.items():
                            three[outcome] += p * left.count(card) / left.total
                assert three == pytest.approx(from_two, rel=0, abs=ROUNDING)
    assert two == pytest.approx(odds.dealer_distribution(shoe, upcard, rules).unconditional, rel=0, abs=ROUNDING)


@quick
@given(big_shoes, upcards, st.booleans())
def test_the_hole_card_is_the_dealers_first_draw(shoe: Shoe, upcard: str, hits_soft_17: bool) -> None:
    hidden_rules = Rules(dealer_hits_soft_17=hits_soft_17)
    seen_rules = hidden_rules.replace(hole_card="exposed")
    one = odds.dealer_distribution(shoe, upcard, hidden_rules).unconditional
    both = dict.fromkeys(one, 0.0)
    for hole in RANKS:
        if shoe.count(hole):
            after = odds.dealer_distribution(shoe.without(hole), f"{upcard},{hole}", seen_rules).unconditional
            for outcome, p in after.items():
                both[outcome] += p * shoe.count(hole) / shoe.total
    assert both == pytest.approx(one, rel=0, abs=ROUNDING)


@quick
@given(big_shoes, upcards, st.booleans())
def test_a_card_gone_unseen_changes_nothing(shoe: Shoe, upcard: str, hits_soft_17: bool) -> None:
    # Cards are exchangeable: burning one without a look leaves every probability as it was.
    rules = Rules(dealer_hits_soft_17=hits_soft_17)
    whole = odds.dealer_distribution(shoe, upcard, rules).unconditional
    burned = dict.fromkeys(whole, 0.0)
    for card in RANKS:
        if shoe.count(card):
            for outcome, p in odds.dealer_distribution(shoe.without(card), upcard, rules).unconditional.items():
                burned[outcome] += p * shoe.count(card) / shoe.total
    assert burned == pytest.approx(whole, rel=0, abs=ROUNDING)


def test_soft_seventeen_and_hard_twelve() -> None:
    stands, hits = Rules(hole_card="exposed"), Rules(hole_card="exposed", dealer_hits_soft_17=True)
    shoe = Shoe.of_decks(8)
    assert odds.dealer_distribution(shoe.without("A,6"), "A,6", stands).unconditional["17"] == 1.0
    assert odds.dealer_distribution(shoe.without("A,6"), "A,6", hits).unconditional["17"] < 1.0
    # Ace, four, seven is hard 12: he draws another seven to 19, where counting 22 would be a bust.
    sevens = Shoe.of_counts({"7": 5})
    assert odds.dealer_distribution(sevens, "A,4", stands).unconditional["19"] == 1.0


# --- sums over a round --------------------------------------------------------------------------------------------


@slower
@given(any_rules(decks=st.integers(1, 3), max_hands=st.integers(1, 3), raise_after_upcard=0), split_classes)
def test_a_round_is_the_sum_of_its_parts(rules: Rules, split_class: str) -> None:
    result = odds.analyze(rules, split_class=split_class)
    assert sum(start.probability for start in result.by_start) == pytest.approx(1.0, abs=ROUNDING)
    assert sum(start.probability * start.ev for start in result.by_start) == pytest.approx(result.ev, abs=ROUNDING)
    for start in result.by_start:
        assert sum(deal.probability for deal in start.decisions) == pytest.approx(1.0, abs=ROUNDING)
        assert sum(deal.probability * deal.ev for deal in start.decisions) == pytest.approx(start.ev, abs=ROUNDING)
        for deal in start.decisions:
            if deal.joint:
                # The first of the best is taken, so that none is better by more than what counts as a tie.
                assert deal.joint[deal.action] >= max(deal.joint.values()) - TIES
    rows = result.to_rows()
    assert sum(row["probability"] for row in rows) == pytest.approx(1.0, abs=ROUNDING)
    assert sum(row["probability"] * row["ev"] for row in rows) == pytest.approx(result.ev, abs=ROUNDING)
    assert result.rtp == 1.0 + result.ev == 1.0 - result.house_edge
    assert result.average_wager >= 1.0
    assert result.ev_per_total_wager == result.ev / result.average_wager


def test_wagers() -> None:
    assert ev(Rules(double_on="none", max_hands=1)) < ev(Rules(double_on="none"))
    assert odds.analyze(Rules(double_on="none", max_hands=1)).average_wager == pytest.approx(1.0, abs=ROUNDING)
    # Doubles only: one more unit for each, unless the look for a blackjack ends the round.
    result = odds.analyze(Rules(max_hands=1))
    doubled = sum(
        row["probability"] * (1.0 - row["p_dealer_blackjack"]) for row in result.to_rows() if row["best"] == "double"
    )
    assert result.average_wager == pytest.approx(1.0 + doubled, abs=ROUNDING)
    # Without a look the second unit is on the table when the blackjack shows.
    result = odds.analyze(Rules(max_hands=1, hole_card="none"))
    doubled = sum(row["probability"] for row in result.to_rows() if row["best"] == "double")
    assert result.average_wager == pytest.approx(1.0 + doubled, abs=ROUNDING)


def test_the_rows_of_a_round_say_what_its_hands_say() -> None:
    result = eight_decks()
    for row in result.to_rows():
        hand = result.hand(row["player"], row["dealer"])
        assert row["best"] == hand.best
        assert {action: row[action] for action in hand.actions} == hand.actions
        alone = odds.hand_values(row["player"], row["dealer"], result.rules)
        assert alone == hand


@pytest.mark.parametrize("upcard", ["9", "T", "A"])
@pytest.mark.parametrize("player", ["2,3", "A,7", "T,6", "4,4,4"])
def test_a_hit_is_the_mean_over_the_next_card(player: str, upcard: str) -> None:
    # Given that the dealer has looked and has no blackjack, the next card's chances are not those of the shoe.
    rules = Rules(decks=1)
    shoe = Shoe.of_decks(1).without(upcard).without(player)

    def alive(left: Shoe) -> float:
        return 1.0 - odds.dealer_distribution(left, upcard, rules).unconditional["blackjack"]

    hit = 0.0
    for card in RANKS:
        if shoe.count(card):
            p = shoe.count(card) / shoe.total * alive(shoe.without(card)) / alive(shoe)
            drawn = parse_cards(f"{player},{card}")
            bust = sum(one.value + 1 for one in drawn) > 21
            hit += p * (-1.0 if bust else odds.hand_values(f"{player},{card}", upcard, rules).value)
    assert odds.hand_values(player, upcard, rules).actions["hit"] == pytest.approx(hit, rel=0, abs=ROUNDING)


@pytest.mark.parametrize("upcard", RANKS)
@pytest.mark.parametrize("ties_lose", [False, True])
def test_standing_is_the_dealers_distribution(upcard: str, ties_lose: bool) -> None:
    rules = Rules(decks=2, dealer_wins_ties=ties_lose, dealer_hits_soft_17=True)
    found = odds.dealer_distribution(Shoe.of_decks(2).without(upcard).without("T,8"), upcard, rules)
    p = found.given_no_blackjack or found.unconditional
    expected = p["bust"] + p["17"] - p["19"] - p["20"] - p["21"] - (p["18"] if ties_lose else 0.0)
    assert odds.hand_values("T,8", upcard, rules).actions["stand"] == pytest.approx(expected, rel=0, abs=ROUNDING)


def test_ace_and_ten_after_a_split() -> None:
    # It is 21: a tie with the dealer's 21 pushes, and a win pays even money. As a blackjack it pays 3:2.
    plain = Rules(decks=8, max_hands=2)
    shoe = Shoe.of_decks(8).without("6").without("A,A,T")
    tied = odds.dealer_distribution(shoe, "6", plain).unconditional["21"]
    for split in ("A", "T"):
        gone = shoe if split == "A" else Shoe.of_decks(8).without("6").without("A,T,T")
        tied = odds.dealer_distribution(gone, "6", plain).unconditional["21"]
        hand = odds.hand_values("A,T", "6", plain, after_split=split)
        assert hand.actions == {"stand": pytest.approx(1.0 - tied, rel=0, abs=ROUNDING)}
    better = plain.replace(split_blackjack=True)
    assert odds.hand_values("A,T", "6", better, after_split="A").actions == {"stand": 1.5}
    assert ev(better) > ev(plain)


def test_what_may_be_done_with_a_hand() -> None:
    rules = Rules(decks=8, surrender="late")
    assert set(odds.hand_values("6,6", "T", rules).actions) == {"stand", "hit", "double", "split", "surrender"}
    for three_cards in ("6,6,A", "4,4,K"):
        assert set(odds.hand_values(three_cards, "T", rules).actions) == {"stand", "hit"}
    assert set(odds.hand_values("A,T", "T", rules).actions) == {"stand"}
    assert set(odds.hand_values("7,7,7", "T", rules).actions) == {"stand"}
    assert set(odds.hand_values("A,7", "6", rules, after_split="A").actions) == {"stand"}
    assert set(odds.hand_values("A,7", "6", rules, after_split="7").actions) == {"stand", "hit", "double"}
    assert "split" not in odds.hand_values("6,6", "T", rules.replace(max_hands=1)).actions
    assert "double" not in odds.hand_values("6,6", "T", rules.replace(double_on="9-11")).actions
    # A soft 21 of fewer cards may be hit for a charlie, and five cards win.
    charlie = rules.replace(charlie=5)
    assert set(odds.hand_values("A,4,6", "T", charlie).actions) == {"stand", "hit"}
    assert odds.hand_values("2,2,2,2,3", "T", charlie).actions == {"stand": 1.0}


# --- what does not matter -----------------------------------------------------------------------------------------


@slower
@given(
    any_rules(
        decks=st.integers(1, 3),
        hole_card="peek",
        peek_under="A,T",
        max_hands=st.integers(1, 3),
        player_21="compare",
        charlie_beats_blackjack=False,
        bonuses=(),
    ),
    split_classes,
)
def test_a_peek_is_worth_what_losing_the_original_wager_only_is(rules: Rules, split_class: str) -> None:
    # Either way a dealer's blackjack takes one unit, whatever was done; and knowing that he has none changes no play,
    # as every action is worth its value times the chance of that. A late surrender loses the unit too; nothing has won
    # before he looks.
    rules = not_refused(rules)
    original = rules.replace(hole_card="none", dealer_blackjack_takes="original")
    # A hole card that lies on the table cannot be drawn, but these shoes do not run out.
    assert ev(rules, None, split_class) == pytest.approx(ev(original, None, split_class), rel=0, abs=ROUNDING)


@st.composite
def hands(draw: st.DrawFn) -> list[int]:
    """Two to four cards of at most 21 points."""
    cards = [draw(st.integers(0, 9)), draw(st.integers(0, 9))]
    while len(cards) < 4 and (room := 21 - sum(card + 1 for card in cards)) and draw(st.booleans()):
        cards.append(draw(st.integers(0, min(room, 10) - 1)))
    return cards


@quick
@given(big_shoes, hands(), st.sampled_from("AT"))
def test_values_after_a_peek_are_conditional(shoe: Shoe, cards: list[int], upcard: str) -> None:
    player = ",".join(RANKS[card] for card in cards)
    rules = Rules(max_hands=1)
    blackjack = odds.dealer_distribution(shoe.without(upcard).without(player), upcard, rules).unconditional["blackjack"]
    peeked = odds.hand_values(player, upcard, rules, shoe=shoe)
    plain = odds.hand_values(
        player, upcard, rules.replace(hole_card="none", dealer_blackjack_takes="original"), shoe=shoe
    )
    assert peeked.given_no_dealer_blackjack
    assert not plain.given_no_dealer_blackjack
    if set(cards) == {ACE, TEN} and len(cards) == 2:
        assert peeked.actions["stand"] == 1.5
        return
    for action, value in peeked.actions.items():
        before = value * (1.0 - blackjack) - blackjack
        assert plain.actions[action] == pytest.approx(before, rel=0, abs=ROUNDING)


@slower
@given(known_tens, st.permutations(range(4)), split_classes)
def test_the_four_ranks_of_tens_are_alike(shoe: Shoe, order: list[int], split_class: str) -> None:
    assert shoe.ten_ranks is not None
    rules = Rules(split_by="rank", max_hands=3)
    other = Shoe.of_counts([*shoe.counts[:TEN], *(shoe.ten_ranks[i] for i in order)])
    assert ev(rules, shoe, split_class) == pytest.approx(ev(rules, other, split_class), rel=0, abs=ROUNDING)


@quick
@given(known_tens, any_rules(decks=1, hole_card=hidden, max_hands=1, split_by="value"))
def test_ranks_of_tens_matter_to_splits_only(shoe: Shoe, rules: Rules) -> None:
    merged = Shoe.of_counts(shoe.counts)
    by_value = ev(rules, merged)
    assert ev(rules, shoe) == by_value
    assert ev(rules.replace(split_by="rank"), shoe) == pytest.approx(by_value, rel=0, abs=ROUNDING)


def test_probability_of_two_tens_does_not_depend_on_their_ranks() -> None:
    def tens(split_by: str) -> dict[str, float]:
        rows = odds.analyze(Rules(decks=2, split_by=split_by, max_hands=2)).to_rows()
        return {label: sum(row["probability"] for row in rows if row["player"] == label) for label in ("T,T", "K,Q")}

    by_value, by_rank = tens("value"), tens("rank")
    assert by_value["K,Q"] == 0.0
    assert by_rank["T,T"] + by_rank["K,Q"] == pytest.approx(by_value["T,T"], abs=ROUNDING)
    # 8 of a rank, 32 tens: 7 of the 31 others are like it.
    assert by_rank["T,T"] / by_value["T,T"] == pytest.approx(7 / 31, abs=ROUNDING)


@pytest.mark.parametrize("split_class", ["cdz", "cdp1"])
@pytest.mark.parametrize("decks", [1, 6])
def test_a_shoe_given_as_counts(decks: int, split_class: str) -> None:
    full = Shoe.of_decks(decks)
    for rules in (Rules(decks=decks), Rules(decks=decks, hole_card="exposed", max_hands=2)):
        expected = ev(rules, None, split_class)
        assert ev(rules, full, split_class) == expected
        assert ev(rules, Shoe.of_counts(full.counts), split_class) == expected
        # Where a shoe is given, the number of decks of the rules is not looked at.
        assert ev(rules.replace(decks=3), full, split_class) == expected
    by_rank = Rules(decks=decks, split_by="rank")
    counts = [*full.counts[:TEN], *[4 * decks] * 4]
    assert ev(by_rank, Shoe.of_counts(counts), split_class) == ev(by_rank, None, split_class)


def test_fields_without_effect_on_a_fixed_play() -> None:
    for rules in (Rules(decks=2, max_hands=3), Rules(decks=2, hole_card="none", max_hands=2)):
        for change in ({"split_deal": "in-turn"}, {"insurance": "none"}, {"even_money": True}):
            for split_class in ("cdz", "cdp1"):
                assert ev(rules.replace(**change), None, split_class) == ev(rules, None, split_class)


@slower
@given(any_rules(decks=1, max_hands=st.integers(1, 2)))
def test_moot_fields_have_no_effect(rules: Rules) -> None:
    for field in set(FIELDS) - {"insurance", "insurance_pays", "even_money"}:
        if rules.is_moot(field):
            changed = rules.replace(**{field: Rules().to_dict()[field]})
            assert odds.analyze(changed).ev == pytest.approx(odds.analyze(rules).ev, rel=0, abs=ROUNDING)


def test_results_do_not_depend_on_the_order_of_questions() -> None:
    # Six against a pair of sixes splits in one game and not in the other: nothing may be kept under the wrong key.
    two, six = (Rules(decks=n, dealer_hits_soft_17=True, max_hands=2) for n in (2, 6))

    def ask(rules: Rules) -> Any:
        result = odds.analyze(rules, split_class="cdz")
        return result.ev, result.to_rows(), odds.hand_values("6,6", "7", rules, split_class="cdz")

    first = ask(two), ask(six)
    for rules in (two.replace(double_after_split=False), six.replace(hole_card="none"), two.replace(max_hands=4)):
        odds.analyze(rules)
        odds.hand_values("6,6", "7", rules)
    second = ask(six), ask(two)
    assert first == second[::-1]
    assert first[0][2].best == "split"
    assert first[1][2].best == "hit"


def test_actions_of_a_hand_in_any_order() -> None:
    result = odds.analyze(Rules(decks=2))
    again = odds.analyze(Rules(decks=2))
    pairs = [f"{rank},{rank}" for rank in RANKS]
    forwards = {pair: result.hand(pair, "5") for pair in pairs}
    backwards = {pair: again.hand(pair, "5") for pair in reversed(pairs)}
    assert forwards == backwards
    assert result.hand("3,2", "5") == result.hand("2 3", "5")
    assert result.hand("K,Q", "5") == result.hand("T,T", "5")


# --- more choice is never worse ------------------------------------------------------------------------------------
#
# An option for two unsplit cards leaves the value of every other action as it was: the best can only rise. Options
# after a split are held to two hands and class `cdp1`, which then finds the best play of exactly the hands that occur.
# `cdz` plays what is best before the split and may do worse with more choice; and with three hands or four every pair
# is split again whether or not that is wise, and one play serves hands with different numbers of cards gone.

PLAIN = {"decks": st.integers(1, 3), "hole_card": hidden, "max_hands": st.integers(1, 2), "charlie": None}
plain_rules = any_rules(**PLAIN)


def never_worse(values: list[float]) -> None:
    for fewer, more in pairwise(values):
        assert more >= fewer - TIES


@slower
@given(plain_rules, split_classes)
def test_surrender(rules: Rules, split_class: str) -> None:
    # Early, one unit less what comes back is lost; late, that or a whole unit.
    rules = not_refused(rules)
    kinds = ["none", "late 2-9", "late", "early-vs-ten", "early"]
    never_worse([ev(rules.replace(surrender=kind), None, split_class) for kind in kinds])
    never_worse([ev(rules.replace(surrender=kind), None, split_class) for kind in ("early 2-T", "early")])


@slower
@given(plain_rules, split_classes)
def test_splitting_at_all(rules: Rules, split_class: str) -> None:
    # However the hands are played: the pair need not be split.
    rules = not_refused(rules)
    never_worse([ev(rules.replace(max_hands=hands), None, split_class) for hands in (1, 2)])


@slower
@given(plain_rules)
def test_doubling(rules: Rules) -> None:
    totals = ["none", "11", "10-11", "9-11", "hard 9-11, soft 13-20", "any"]
    never_worse([ev(rules.replace(double_on=which, double_soft_as_hard=False)) for which in totals])
    never_worse([ev(rules.replace(double_soft_as_hard=also)) for also in (False, True)])


@slower
@given(plain_rules)
def test_options_after_a_split(rules: Rules) -> None:
    steps = [
        {"double_after_split": False, "double_split_aces": False, "hit_split_aces": False},
        {"double_after_split": True},
        {"hit_split_aces": True},
        {"double_split_aces": True},
    ]
    values = []
    for step in steps:
        rules = rules.replace(**step)
        values.append(ev(rules))
    never_worse(values)


@slower
@given(any_rules(**PLAIN, blackjack_pays=st.fractions(1, 3, max_denominator=10), player_21="compare"))
def test_a_blackjack_after_a_split(rules: Rules) -> None:
    # It pays at least what 21 wins, and loses no more than 21 does, to a dealer's blackjack as well.
    never_worse([ev(rules.replace(split_blackjack=counts)) for counts in (False, True)])


@slower
@given(plain_rules)
def test_charlies(rules: Rules) -> None:
    # A hand of one unit that cannot be raised any more cannot do better than to win it at once.
    rules = rules.replace(double_cards=2, redoubles=0)
    never_worse([ev(rules.replace(charlie=cards)) for cards in (None, 7, 6, 5)])


@slower
@given(plain_rules)
def test_a_21_that_wins(rules: Rules) -> None:
    never_worse([ev(rules.replace(player_21=what)) for what in ("compare", "wins")])


@slower
@given(any_rules(decks=st.integers(1, 3), hole_card=hidden, max_hands=st.integers(1, 2), charlie=st.integers(5, 7)))
def test_what_charlies_win(rules: Rules) -> None:
    never_worse([ev(rules.replace(charlie_pays=pays)) for pays in (1, "3/2", 2)])
    never_worse([ev(rules.replace(charlie_beats_blackjack=wins)) for wins in (False, True)])


@slower
@given(plain_rules)
def test_ties_and_blackjacks(rules: Rules) -> None:
    rules = not_refused(rules)
    # Not options but payoffs: every play is worth no less with the better one.
    never_worse([ev(rules.replace(dealer_wins_ties=lost)) for lost in (True, "17-19", 17, False)])
    takes = ("all", "original-per-hand", "original")
    # A blackjack after a split ties the dealer's, except where his takes one unit from the round and that is all.
    # So it does from a split of which all hands have won at once.
    without_peek = rules.replace(hole_card="none", split_blackjack=False, player_21="compare", free_split="none")
    never_worse([ev(without_peek.replace(dealer_blackjack_takes=what)) for what in takes])
    never_worse([ev(rules.replace(blackjack_tie=what)) for what in ("lose", "push", "win")])


@slower
@given(plain_rules)
def test_a_play_made_for_the_split_is_no_worse_than_one_made_before_it(rules: Rules) -> None:
    # With two hands the play of `cdz` is among those that `cdp1` chooses from.
    never_worse([ev(rules, None, split_class) for split_class in ("cdz", "cdp1")])


@pytest.mark.parametrize("split_class", ["cdz", "cdp1"])
def test_more_hands_in_ordinary_games(split_class: str) -> None:
    # No law, as splitting again is not optional here; but so it is with whole decks, as every table of rules says.
    for rules in (Rules(decks=1), Rules(decks=8, dealer_hits_soft_17=True, double_after_split=False)):
        never_worse([ev(rules.replace(max_hands=hands), None, split_class) for hands in (1, 2, 3, 4)])
        never_worse([ev(rules.replace(resplit_aces=again), None, split_class) for again in (False, True)])


@slower
@given(
    any_rules(**PLAIN, split_blackjack=False, raise_after_upcard=Fraction(0), bonuses=()),
    st.fractions(0, 3, max_denominator=10),
)
def test_a_blackjacks_pay_is_linear(rules: Rules, pays: Fraction) -> None:
    # Nothing is decided with a blackjack in hand: it adds its pay times its chance, tied ones if they win.
    rows = odds.analyze(rules).to_rows()
    chance = sum(
        row["probability"] * (1.0 if rules.blackjack_tie == "win" else 1.0 - row["p_dealer_blackjack"])
        for row in rows
        if row["player"] == "A,T"
    )
    change = float(pays - rules.blackjack_pays) * chance
    assert ev(rules.replace(blackjack_pays=pays)) == pytest.approx(ev(rules) + change, rel=0, abs=ROUNDING)


# --- unusual shoes ------------------------------------------------------------------------------------------------


@slower
@given(
    any_rules(decks=st.just(1), max_hands=st.integers(1, 2), surrender=st.sampled_from(["none", "late"])),
    st.integers(1, 3),
)
def test_many_decks_approach_a_limit(rules: Rules, exponent: int) -> None:
    # With v(n) = v + a/n + b/n^2 at n decks, doubling n halves the step but for a part of order 1/n of it. The second
    # tolerance is for a near 0: b/n^2 with n of 4,000 or more. Eight decks are within 0.01 of the limit, so that a is
    # below 1.
    n = 2_000 * 2**exponent
    first, second, third = (ev(rules.replace(decks=decks)) for decks in (n, 2 * n, 4 * n))
    assert second - first == pytest.approx(2 * (third - second), rel=0.01, abs=1e-9)
    assert abs(third - first) < 1 / n


def test_a_shoe_without_some_card() -> None:
    for missing in RANKS:
        counts = dict.fromkeys(RANKS, 12) | {missing: 0}
        result = odds.analyze(Rules(max_hands=3), shoe=Shoe.of_counts(counts))
        assert [start.start for start in result.by_start] == [rank for rank in RANKS if rank != missing]
        assert sum(start.probability for start in result.by_start) == pytest.approx(1.0, abs=ROUNDING)
        assert all(missing not in deal.hand.label for start in result.by_start for deal in start.decisions)
        assert not result.shoe_can_run_out
        blackjacks = sum(row["p_dealer_blackjack"] for row in result.to_rows())
        assert (blackjacks > 0) == (missing not in "AT")


@pytest.mark.parametrize("card", ["5", "T", "9"])
def test_a_shoe_of_one_card_only(card: str) -> None:
    # Everybody gets the same cards. With fives all hands end at 20 of four cards or double to 15; with tens or nines
    # everybody stands on 20 or 18: a push.
    result = odds.analyze(Rules(max_hands=1), shoe=Shoe.of_counts({card: 60}))
    assert result.ev == pytest.approx(0.0, abs=ROUNDING)
    assert [start.start for start in result.by_start] == [card]


def test_a_large_shoe_does_not_run_out_and_a_small_one_may() -> None:
    assert not odds.analyze(Rules(decks=1)).shoe_can_run_out
    assert not odds.analyze(Rules(decks=8, hole_card="exposed", max_hands=2)).shoe_can_run_out
    assert odds.analyze(Rules(max_hands=1), shoe=Shoe.of_counts({"2": 4, "3": 4})).shoe_can_run_out


@quick
@given(
    small_shoes(min_cards=4, max_cards=16, ten_ranks=True),
    any_rules(decks=1, hole_card=hidden, max_hands=st.integers(1, 2)),
    split_classes,
)
def test_any_shoe_of_four_cards_or_more_can_be_analysed(shoe: Shoe, rules: Rules, split_class: str) -> None:
    try:
        result = odds.analyze(rules, shoe=shoe, split_class=split_class)
    except ShoeError as error:
        # A split needs a second card for each of its hands, beside a hole card.
        assert "too small to split" in str(error)  # noqa: PT017
        return
    assert sum(start.probability for start in result.by_start) == pytest.approx(1.0, abs=ROUNDING)
    most = float(terms_of(rules).most_units * rules.max_hands * (1 + rules.raise_after_upcard))
    pays = max([rules.blackjack_pays, *(line.pays for line in rules.bonuses), rules.charlie_pays, Fraction(1)])
    assert -most - ROUNDING <= result.ev <= most * float(pays) + ROUNDING
    assert 1.0 - ROUNDING <= result.average_wager <= most + ROUNDING


@pytest.mark.parametrize(("card", "cards", "hands"), [("4", 5, 3), ("2", 6, 4), ("4", 13, 4)])
def test_a_split_that_runs_the_shoe_out_is_refused_or_stays_within_what_can_be_won(
    card: str, cards: int, hands: int
) -> None:
    rules = Rules(max_hands=hands, double_on="none")
    with contextlib.suppress(ShoeError):
        result = odds.hand_values(f"{card},{card}", card, rules, shoe=Shoe.of_counts({card: cards}))
        assert result.shoe_can_run_out
        assert -hands <= result.actions["split"] <= hands


def test_a_split_into_more_hands_than_the_shoe_has_cards_for_is_refused() -> None:
    rules = Rules(max_hands=3, double_on="none")
    with pytest.raises(ShoeError, match="too small to split 4,4 into up to 3 hands"):
        odds.hand_values("4,4", "4", rules, shoe=Shoe.of_counts({"4": 5}))


@pytest.mark.parametrize(("tens", "hands"), [(8, 4), (4, 2), (4, 4)])
def test_tens_against_tens_do_not_win(tens: int, hands: int) -> None:
    """Nothing but tens: every round is 20 against 20, and the shoe has no second card for every hand of a split."""
    shoe = Shoe.of_counts({"T": tens})
    with pytest.raises(ShoeError, match="too small to split T,T"):
        odds.analyze(Rules(max_hands=hands), shoe=shoe)
    assert odds.analyze(Rules(max_hands=1, double_on="none"), shoe=shoe).ev == 0


# --- what is refused ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("split_class", ["", "CDZ", "cdp", "best"])
def test_unknown_split_classes(split_class: str) -> None:
    with pytest.raises(RulesError, match=r"split class: expected cdz.* got"):
        odds.analyze(Rules(decks=1), split_class=split_class)
    with pytest.raises(RulesError, match=r"split class: expected cdz.* got"):
        odds.hand_values("8,8", "T", Rules(decks=1), split_class=split_class)


def test_the_full_class_is_not_for_more_than_two_hands() -> None:
    with pytest.raises(RulesError, match="full"):
        odds.analyze(Rules(decks=1, max_hands=3), split_class="full")
    with pytest.raises(RulesError, match="full"):
        odds.hand_values("8,8", "T", Rules(decks=1, max_hands=3), split_class="full")


@pytest.mark.parametrize("counts", [{"A": 1}, {"T": 3}, {"2": 1, "3": 2}])
def test_shoes_too_small_for_a_deal(counts: dict[str, int]) -> None:
    with pytest.raises(ShoeError, match="at least 4 cards"):
        odds.analyze(Rules(), shoe=Shoe.of_counts(counts))


@pytest.mark.parametrize(
    ("player", "dealer", "counts"),
    [
        ("5,5", "6", {"5": 1, "6": 8, "T": 20}),
        ("T,9", "6", {"6": 8, "T": 20}),
        ("T,T", "6", {"T": 20}),
        ("6,T", "6", {"6": 1, "T": 20}),
        ("A,A,A,A", "A", {"A": 4, "T": 48}),
    ],
)
def test_cards_that_the_shoe_lacks(player: str, dealer: str, counts: dict[str, int]) -> None:
    shoe = Shoe.of_counts(counts)
    with pytest.raises(ShoeError, match="cannot take"):
        odds.hand_values(player, dealer, Rules(), shoe=shoe)


def test_more_aces_than_the_decks_have() -> None:
    with pytest.raises(ShoeError, match="aces"):
        odds.hand_values(",".join("AAAAA"), "T", Rules(decks=1))
    with pytest.raises(HandError, match="at most 21"):
        odds.hand_values("A" * 33, "T", Rules(decks=8))


@pytest.mark.parametrize(
    ("player", "dealer"),
    [("T", "6"), ("", "6"), ("T,T,2", "6"), ("X,2", "6"), ("T,2", ""), ("T,2", "6,T"), ("T,2", "1"), ("T,2", "X")],
)
def test_hands_that_are_none(player: str, dealer: str) -> None:
    with pytest.raises(HandError):
        odds.hand_values(player, dealer, Rules(decks=8))
    with pytest.raises(HandError):
        eight_decks().hand(player, dealer)


def test_an_exposed_dealer_has_two_cards() -> None:
    rules = Rules(decks=8, hole_card="exposed")
    assert odds.hand_values("T,2", "6,T", rules).dealer == "6,T"
    for dealer in ("T", "T,6,2", ""):
        with pytest.raises(HandError, match="dealer"):
            odds.hand_values("T,2", dealer, rules)
    for dealer in ("T,7,2", "", "soft 11", "hard 22"):
        with pytest.raises(HandError, match="dealer"):
            odds.dealer_distribution(Shoe.of_decks(8), dealer, rules)
    # How his hand ends can be asked for from one card too: then the second is a random one, as for a hidden card.
    shoe = Shoe.of_decks(8).without("T")
    assert odds.dealer_distribution(shoe, "T", rules) == odds.dealer_distribution(shoe, "T", Rules(decks=8))


@pytest.mark.parametrize("after_split", ["", "8,8", "8:1", "8:5", "8:x", "8:", ":2", "A:3", "8:4"])
def test_splits_that_the_rules_do_not_allow(after_split: str) -> None:
    with pytest.raises(HandError):
        odds.hand_values("8,3", "6", Rules(decks=8, max_hands=3), after_split=after_split)


def test_hands_that_no_split_gives() -> None:
    rules = Rules(decks=8, max_hands=2)
    with pytest.raises(HandError, match="holds 8"):
        odds.hand_values("7,3", "6", rules, after_split="8")
    with pytest.raises(HandError, match="two cards"):
        odds.hand_values("A,2,3", "6", rules, after_split="A")


def test_ranks_of_tens_that_are_not_known() -> None:
    shoe = Shoe.of_counts(Shoe.of_decks(8).counts)
    with pytest.raises(ShoeError, match="rank"):
        odds.analyze(Rules(split_by="rank"), shoe=shoe)


def test_a_dealer_who_must_have_a_blackjack() -> None:
    shoe = Shoe.of_counts({"A": 1, "T": 20, "5": 2})
    with pytest.raises(HandError, match="blackjack"):
        odds.hand_values("5,5", "A", Rules(), shoe=shoe)
