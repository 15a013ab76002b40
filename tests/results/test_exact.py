"""Fractions: known exact values, independence of the primes, the bounds on which certification rests."""

from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from odds import Rules, Shoe, ShoeError, analyze, load_game
from odds._kernel import dealer_probabilities
from odds.engine.dealer import dealer_trie, remove_start
from odds.engine.start import FollowedStart
from odds.engine.terms import terms_of
from odds.numbers.arithmetic import Residues, tabulate
from odds.numbers.exact import draw_denominators, enough_primes, falling, is_prime, lift, nth_prime_below
from odds.results.certify import StartPlay, net_bound, rounding_bound, split_bound
from odds.results.dealer import exact_dealer
from odds.results.exact import certified_plays, closest_decisions, exact_hand, exact_round
from odds.results.hand import hand_result, situation_of

SMALLER_PRIMES = 1 << 52


def exact_of(player: str, dealer: str, rules: Rules, **more: object):
    return exact_hand(situation_of(player, dealer, rules, **more))


# --- known values -------------------------------------------------------------------------------------------------


def test_dealer_twenty_from_a_ten_six_decks() -> None:
    rules = Rules(decks=6)
    start = terms_of(rules).dealer.parse("T")
    outcomes = exact_dealer(start, remove_start(Shoe.of_decks(6), start), terms_of(rules))
    assert outcomes["20"] == Fraction(678428375617, 1995296009245)
    assert sum(outcomes.values()) == 1


def test_early_surrender_of_17_against_an_ace() -> None:
    exact = exact_of("8,9", "A", Rules(decks=1, surrender="early"))
    assert exact.actions["surrender"] == Fraction(-1, 2)
    # (-1/2 + p) / (1 - p), where p = 16/49 is the chance of a ten under the ace.
    assert exact.surrender_after_peek_scale == Fraction(-17, 66)


def test_both_have_a_blackjack_eight_decks() -> None:
    # Wherever nothing but a tie of two blackjacks pays, the EV is its probability. The reference gives 0.00218521178.
    rules = Rules(decks=8, max_hands=1)
    differing = [exact_round(analyze(rules.replace(blackjack_tie=tie, blackjack_pays=1))).ev for tie in ("win", "push")]
    both = differing[0] - differing[1]
    assert both == 2 * Fraction(32 * 128, 416 * 415) * 2 * Fraction(31 * 127, 414 * 413)
    assert float(both) == pytest.approx(0.00218521178470038, abs=1e-17)


def test_next_card_after_a_peek() -> None:
    """P(next card | 2,3 against T, one deck, no blackjack under the ten), as published for A, 5 and T."""
    rules = Rules(decks=1)
    shoe = Shoe.of_decks(1).without("T,2,3")
    n, aces = shoe.total, shoe.counts[0]

    def next_card(value: int) -> Fraction:
        # P(draw x, then a hole card that is no ace) / P(the hole card is no ace)
        left = aces - (value == 0)
        return Fraction(shoe.counts[value], n) * (1 - Fraction(left, n - 1)) / (1 - Fraction(aces, n))

    assert [next_card(0), next_card(4), next_card(9)] == [Fraction(1, 12), Fraction(11, 135), Fraction(11, 36)]
    # A hand that is hit once and then stands weighs its next cards so: T,6 against T, each of whose next cards ends
    # the hand in the play of the engine, is the average of standing with them.
    assert rules.peeks_under("T")


def test_a_hit_weighs_next_cards_as_after_a_peek() -> None:
    """Hitting 2,3 is the average of its three-card hands, by probabilities given no blackjack, not plain ones."""
    rules = Rules(decks=1, max_hands=1)
    exact = exact_of("2,3", "T", rules)
    shoe = Shoe.of_decks(1).without("T,2,3")
    n, aces = shoe.total, shoe.counts[0]
    total = Fraction(0)
    for symbol in "A23456789T":
        value = "A23456789T".index(symbol)
        p = Fraction(shoe.counts[value], n) * (1 - Fraction(aces - (value == 0), n - 1)) / (1 - Fraction(aces, n))
        following = exact_of(f"2,3,{symbol}", "T", rules)
        total += p * max(following.actions.values())
    assert exact.actions["hit"] == total


# --- primes and lifting -------------------------------------------------------------------------------------------


def test_primes() -> None:
    sieve = [n for n in range(2, 2000) if all(n % d for d in range(2, int(n**0.5) + 1))]
    assert [n for n in range(2000) if is_prime(n)] == sieve
    assert not is_prime(3215031751)  # a pseudoprime to the bases 2, 3, 5, 7
    assert nth_prime_below(1 << 61, 0) == (1 << 61) - 1  # a Mersenne prime


@given(st.integers(1, 10**40), st.integers(-(10**40), 10**40))
def test_lift(denominator: int, numerator: int) -> None:
    numerator = max(-denominator, min(numerator, denominator))
    primes = enough_primes(denominator, 1)
    residues = [numerator * pow(denominator, -1, p) % p for p in primes if denominator % p]
    if len(residues) == len(primes):
        assert lift(residues, primes, denominator) == Fraction(numerator, denominator)


def test_residues_and_doubles_are_one_kernel() -> None:
    """The dealer's probabilities in residues are those of every final hand added up in whole numbers."""
    rules = Rules(decks=2, dealer_hits_soft_17=True)
    prime = nth_prime_below(1 << 61, 5)
    for start in terms_of(rules).dealer.starts:
        shoe = remove_start(Shoe.of_decks(2), start)
        numbers = tabulate(shoe, Residues(prime))
        out = numbers.arithmetic.zeros((1, 5))
        dealer_probabilities(
            [dealer_trie(start.cards, True)],
            np.zeros((1, 10), dtype=np.uint8),
            [numbers.cards],
            numbers.inverse,
            numbers.arithmetic.field,
            out[:, :, None],
        )
        exact = exact_dealer(start, shoe, terms_of(rules))
        for column, total in enumerate(("17", "18", "19", "20", "21")):
            p = exact[total]
            residue = p.numerator * pow(p.denominator, -1, prime) % prime
            assert numbers.arithmetic.read(out[0, column]).value == residue


@pytest.mark.parametrize(
    "rules",
    [
        load_game("classic-blackjack").rules,
        load_game("face-up-21").rules,
        Rules(decks=1, max_hands=4, resplit_aces=True, hit_split_aces=True, blackjack_pays="6/5"),
        Rules(decks=2, max_hands=3, split_by="rank", hole_card="none", surrender="early", surrender_returns="1/3"),
        Rules(decks=6, charlie=6, split_blackjack=True, dealer_wins_ties="17"),
    ],
    ids=str,
)
@pytest.mark.parametrize("split_class", ["cdz", "cdp1"])
def test_the_fraction_does_not_depend_on_the_primes(rules: Rules, split_class: str) -> None:
    result = analyze(rules, split_class=split_class)
    exact = exact_round(result)
    again = exact_round(result, primes_below=SMALLER_PRIMES)
    assert again.ev == exact.ev
    assert again.average_wager == exact.average_wager
    assert again.by_start == exact.by_start
    # Some hundred roundings of numbers below 2 in the doubles.
    assert float(exact.ev) == pytest.approx(result.ev, abs=1e-14)
    assert exact.certified


def test_the_fraction_does_not_depend_on_the_order_of_questions() -> None:
    rules = load_game("classic-blackjack").rules
    first = analyze(rules)
    first.hand("8,8", "T")
    first.hand("5,5,5", "9")
    assert first.exact().ev == exact_round(analyze(rules)).ev
    assert first.exact().to_dict() == analyze(rules).exact().to_dict()


def test_denominator_is_the_stated_one() -> None:
    """The fraction's denominator divides L R N (N-1) ... (N-K+1), with fewer cards than a shoe of one deck has."""
    result = analyze(Rules(decks=1, blackjack_pays="6/5", surrender="late", surrender_returns="1/3"))
    for analysis, play, _ in certified_plays(result, 1 << 61):
        assert play is not None
        trace = play.trace()
        denominator = play.denominator(trace)
        draws = dealer_trie(analysis.start.cards, False).max_depth
        assert denominator == 15 * falling(51, trace.most_cards + max(draws, 1) + 1)
        assert denominator % exact_round(result).by_start[analysis.start.label].denominator == 0


def test_net_bound_covers_the_largest_results() -> None:
    def bound(rules: Rules) -> int:
        return net_bound(terms_of(rules).pays, rules.max_hands)

    assert bound(Rules(max_hands=4)) >= 2 * 8  # four doubled hands against four doubled hands
    assert bound(Rules(max_hands=4, split_blackjack=True, blackjack_pays=10)) >= 2 * 40


# --- the bound on rounding, and what it certifies -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "dealer"),
    [
        (Rules(decks=8), "A"),
        (Rules(decks=8), "T"),
        (Rules(decks=8, dealer_hits_soft_17=True), "2"),
        (Rules(decks=1), "6"),
        (Rules(decks=8, hole_card="none"), "T"),
        (Rules(decks=8, hole_card="exposed", dealer_hits_soft_17=True, dealer_wins_ties=True), "A,2"),
        (Rules(decks=100_000), "5"),
    ],
    ids=str,
)
@pytest.mark.parametrize("player", ["A,A", "2,2", "T,T", "8,8", "T,6", "A,6", "2,3,4", "A,A,A,2", "5,6"])
def test_rounding_stays_within_its_bound(rules: Rules, dealer: str, player: str) -> None:
    at = situation_of(player, dealer, rules)
    exact, doubles = exact_hand(at), hand_result(at)
    start = at.analysis.start
    unit = rounding_bound(start, terms_of(rules))
    alive = 1 - float(at.p_blackjack) if start.peeks else 1.0  # shown values are divided by it, with two roundings
    bounds = {"stand": unit, "hit": unit, "double": 2 * unit}
    if "split" in exact.actions:
        assert at.pair is not None
        bounds["split"] = split_bound(at.analysis, at.pair)
    for action, value in exact.actions.items():
        error = abs(Fraction(doubles.actions[action]) - value)
        assert error <= Fraction(bounds[action] / alive + 4 * 2.0**-53), (action, float(error))
    assert 1e-15 < unit < 1e-12


def test_true_ties_go_to_the_first_action() -> None:
    """A,3,4 against an exposed 16 made of 7,9 or 8,8: standing and hitting are worth 53/137 both, to the last digit."""
    rules = load_game("face-up-21").rules
    for dealer in ("7,9", "8,8"):
        exact = exact_of("A,3,4", dealer, rules)
        assert exact.actions["stand"] == exact.actions["hit"] == Fraction(53, 137)
        assert exact.best == "stand"
    exact = exact_round(analyze(rules, split_class="cdz"))
    assert {(tie.player, tie.dealer, tie.best, tie.other) for tie in exact.ties} == {
        ("A,3,4", "7,9", "stand", "hit"),
        ("A,3,4", "8,8", "stand", "hit"),
    }
    assert exact.settled_exactly == 2


def test_a_wrong_choice_of_the_doubles_is_amended() -> None:
    """A play that is made wrong where actions tie is put right, and the fraction stays the same."""
    rules = load_game("face-up-21").rules
    at = situation_of("A,3", "8,8", rules)
    right = exact_hand(at)
    from odds.engine.hands import player_hands

    hand = player_hands().find((0, 2, 3))
    spoiled = situation_of("A,3", "8,8", rules)
    assert spoiled.analysis.values.play[hand] == 0
    spoiled.analysis.values.play[hand] = 1
    amended = exact_hand(spoiled)
    assert amended.actions == right.actions
    assert [(d.player, d.best) for d in amended.settled] == [("A,3,4", "stand")]


def test_following_a_play_needs_only_its_own_dealer_rows() -> None:
    """Values under a play do not change when the rows that it does not need are filled in as well."""
    result = analyze(Rules(decks=1, max_hands=3))
    analysis, play, hands = next(iter(certified_plays(result, 1 << 61)))
    assert isinstance(play, StartPlay)
    trace = play.trace()
    prime = Residues(nth_prime_below(1 << 61, 0))
    some, every = (
        FollowedStart(analysis, play.table(), prime, needed) for needed in (trace.needed, np.ones_like(trace.needed))
    )
    assert 0 < trace.needed.sum() < len(trace.needed)
    actions = {root.label: root.action for root in play.roots}
    for hand in hands:
        if hand.label in actions:
            values = [at.joint_value(hand.index, actions[hand.label], hand.pair).value for at in (some, every)]
            assert values[0] == values[1]
    assert analysis.start.label == "A"


def test_closest_decisions_of_free_hands_say_so() -> None:
    rules = Rules(decks=1, dealer_22="push", free_split="9", max_hands=3)
    found = {decision.player for decision in closest_decisions(analyze(rules), 60)}
    assert not any("doubled" in hand for hand in found)
    assert any(hand.endswith(" with free money") for hand in found)


def test_closest_decisions() -> None:
    """One deck: 10,2 against 4 is a known close call, and eight decks' is closer; both by published hand values."""
    found = closest_decisions(analyze(load_game("classic-blackjack").rules), 40)
    assert [d.gap for d in found] == sorted(d.gap for d in found)
    close = {(d.player, d.dealer, d.after_split): d for d in found}
    # Published for 8 decks, S17: stand -0.211099843, hit -0.211160808.
    assert close["2,T", "4", None].gap == pytest.approx(0.211160808 - 0.211099843, abs=1.1e-9)
    assert close["2,T", "4", None].best == "stand"
    assert len(found) == 40


# --- where there is no exact result -------------------------------------------------------------------------------


def test_a_shoe_that_can_run_out_is_refused() -> None:
    shoe = Shoe.of_counts([0, 4, 4, 2, 0, 0, 2, 0, 0, 7])
    with pytest.raises(ShoeError, match="run out"):
        analyze(Rules(), shoe=shoe).exact()
    with pytest.raises(ShoeError, match="run out"):
        exact_of("2,2", "7", Rules(), shoe=shoe)


@settings(max_examples=8)
@given(
    st.lists(st.integers(4, 12), min_size=10, max_size=10),
    st.sampled_from(["peek", "none", "exposed"]),
    st.sampled_from(["cdz", "cdp1"]),
)
def test_any_shoe_agrees_with_doubles(counts: list[int], hole_card: str, split_class: str) -> None:
    rules = Rules(hole_card=hole_card, max_hands=2, surrender="late")
    result = analyze(rules, shoe=Shoe.of_counts(counts), split_class=split_class)
    exact = exact_round(result)
    assert float(exact.ev) == pytest.approx(result.ev, abs=1e-14)
    assert float(exact.average_wager) == pytest.approx(result.average_wager, abs=1e-14)


def test_a_start_can_be_followed_alone() -> None:
    start = terms_of(Rules()).dealer.start((9,))
    assert start.label == "T"
    assert exact_of("A,T", "T", Rules()).actions == {"stand": Fraction(3, 2)}
    assert exact_of("A,T", "A,T", load_game("face-up-21").rules).actions == {"stand": Fraction(1)}
    assert exact_of("5,6", "A,T", load_game("face-up-21").rules).actions == {"stand": Fraction(-1)}


@given(st.lists(st.integers(0, 5), min_size=2, max_size=4), st.integers(1, 8))
def test_denominators_of_drawn_cards(counts: list[int], most: int) -> None:
    of_cards, total = draw_denominators(counts, most), sum(counts)
    assert len(of_cards) == min(most, total) + 1
    for taken in product(*(range(n + 1) for n in counts)):
        if sum(taken) < len(of_cards):
            ways = prod(falling(n, k) for n, k in zip(counts, taken, strict=True))
            p = Fraction(ways, falling(total, sum(taken)))
            assert all(denominator % p.denominator == 0 for denominator in of_cards[sum(taken) :])
    # No more than is needed: powers of primes that some set has.
    assert all(falling(total, k) % denominator == 0 for k, denominator in enumerate(of_cards))
