"""The two readings of the rules against the brute force's own: what may be done with every hand, and what it nets."""

from fractions import Fraction

import brute_force as bf
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import rules as any_rules

from odds import Rules
from odds.engine import pays as kinds
from odds.engine.actions import ACTIONS, NUMBER, names
from odds.engine.hands import ACE, N_VALUES, TEN, player_hands
from odds.engine.pays import DEALER_22, DEALER_BLACKJACK, DEALER_BUST, N_ENDS, TOTALS
from odds.engine.terms import Terms, terms_of

few = settings(max_examples=15)


def some_hands() -> list[tuple[int, tuple[int, ...]]]:
    """Index and values of all hands of two and three cards, and of some of more."""
    cards = player_hands().graph.cards
    wanted = (cards == 2) | (cards == 3) | ((cards > 3) & (np.arange(len(cards)) % 11 == 0))
    return [(int(hand), player_hands().values(hand)) for hand in np.flatnonzero(wanted)]


def against(rules: Rules, upcard: int) -> Terms:
    """The rules as they are read against an upcard."""
    dealer = terms_of(rules).dealer
    return terms_of(rules).at(dealer.start((upcard, upcard) if dealer.exposed else (upcard,)))


@few
@given(any_rules(), st.integers(0, 9))
def test_what_may_be_done_before_a_split(rules: Rules, upcard: int) -> None:
    legal = against(rules, upcard).legal
    for hand, cards in some_hands():
        is_pair = bf.may_split(rules, cards) and legal.split_into[cards[0]] > 1
        expected = ("stand",)
        if not bf.is_finished(rules, cards, bf.At(upcard)) and cards != (ACE, TEN):
            # Surrender is among them where it is for some upcard.
            expected = max((bf.legal_first(rules, cards, is_pair, up) for up in range(N_VALUES)), key=len)
        assert tuple(names(int(legal.before_split[hand]))) == expected, cards
        assert legal.finished[hand] == (expected == ("stand",))


@few
@given(any_rules(), st.integers(0, 9))
def test_what_may_be_done_with_hands_of_a_split(rules: Rules, upcard: int) -> None:
    legal = against(rules, upcard).legal
    for pair in range(N_VALUES):
        for hand, cards in some_hands():
            if pair not in cards:
                continue
            counts_as_blackjack = rules.split_blackjack and cards == (ACE, TEN)
            over = bf.is_finished(rules, cards, bf.At(upcard, split=True)) or counts_as_blackjack
            if len(cards) > 2 and pair == ACE and not rules.hit_split_aces:
                continue  # come to by doubling only
            options = (bf.legal_after_split(rules, cards, pair, up) for up in range(N_VALUES))
            expected = ("stand",) if over else max(options, key=len)
            assert tuple(names(int(legal.after_split[pair][hand]))) == expected, (pair, cards)


@few
@given(any_rules())
def test_how_often_and_when(rules: Rules) -> None:
    legal = terms_of(rules).legal
    for card in range(N_VALUES):
        alone = card == ACE and not rules.resplit_aces
        assert legal.split_into[card] == (min(rules.max_hands, 2) if alone else rules.max_hands)
        assert legal.surrender[card] == bf.surrender_against(rules, card)
        offered = rules.hole_card != "exposed" and {ACE: "ace", TEN: "ten"}.get(card, "-") in rules.insurance
        assert (card in legal.insurance) == offered


def over_of(kind: int, terms: Terms, units: int) -> bf.Over:
    """A finished hand as the brute force has it."""
    if kind <= kinds.BEST_TOTAL:
        return bf.Over("total", 16 + kind, units)
    name = {
        **dict.fromkeys((kinds.CHARLIE, kinds.SPLIT_CHARLIE, kinds.CHARLIE_21, kinds.SPLIT_CHARLIE_21), "charlie"),
        **dict.fromkeys((kinds.WON_21, kinds.SPLIT_WON_21), "21"),
        kinds.BLACKJACK: "blackjack",
        kinds.SPLIT_BLACKJACK: "blackjack",
        kinds.LATE_SURRENDER: "surrender",
        kinds.EARLY_SURRENDER: "early surrender",
        terms.pays.bust: "bust",
    }[kind]
    return bf.Over(name, 21 if kind in (kinds.CHARLIE_21, kinds.SPLIT_CHARLIE_21) else 0, units)


@few
@given(any_rules())
def test_what_hands_net(rules: Rules) -> None:
    """Every kind of hand with one unit and two, alone in its round, against every end of the dealer's."""
    terms = terms_of(rules)
    outcomes = {end: int(total) for end, total in enumerate(TOTALS[:5])} | {DEALER_BUST: "bust"}
    if rules.dealer_22 == "push":
        outcomes[DEALER_22] = 22
    unused = {kinds.WON_21, kinds.CHARLIE_21, kinds.SPLIT_WON_21, kinds.SPLIT_CHARLIE_21}
    known = {*range(kinds.RESCUED), terms.pays.bust}
    for kind in known - (unused if rules.player_21 == "compare" else set()):
        for units in (1, 2) if terms.pays.kinds[kind].raised else (1,):
            hand = over_of(kind, terms, units)
            for end, outcome in outcomes.items():
                expected = bf.round_net(rules, (hand,), outcome)
                assert terms.pays.net(kind, units, end, peeks=False) == expected, (kind, units, outcome)
            if kind in kinds.SPLIT_WON:
                found = terms.pays.settlement(peeks=False)
                both = bf.round_net(rules, (hand, hand), "blackjack")
                assert 2 * found.joint[kind][units - 1] - found.once == both, (kind, units)
            elif kind != kinds.SPLIT_BLACKJACK:
                late = bf.round_net(rules, (hand,), "blackjack")
                assert terms.pays.net(kind, units, DEALER_BLACKJACK, peeks=False) == late, (kind, units)


@few
@given(any_rules(), st.integers(0, 9))
def test_finished_hands_net_what_their_cards_say(rules: Rules, upcard: int) -> None:
    """Hands before a split and after one, doubled or not, on average over their suits."""
    pays = against(rules, upcard).pays
    rules = rules.replace(split_by="value")  # any ten is a T
    arrays = {
        (0, False): pays.kind,
        (0, True): pays.kind_after_split,
        (1, False): pays.kind_doubled,
        (1, True): pays.kind_doubled_after_split,
    }
    ends = {0: 17, 3: 20, 4: 21, DEALER_BUST: "bust"}
    for (doublings, split), of_hands in arrays.items():
        for hand, cards in some_hands():
            if len(cards) == 2 and doublings:
                continue
            natural = cards == (ACE, TEN) and (rules.split_blackjack or not split)
            over = bf.finish(rules, cards, 1, bf.At(upcard, doublings, split), natural)
            if not bf.by_suits(rules, (over,)):
                continue  # the decks lack the cards
            kind = int(of_hands[hand])
            for end, outcome in ends.items():
                assert pays.net(kind, 1, end, peeks=False) == bf.round_net(rules, (over,), outcome), (cards, outcome)
            late = pays.settlement(peeks=False)
            if late.once and split:
                both = bf.round_net(rules, (over, bf.Over("bust", 0, 1)), "blackjack")
                assert late.joint[kind][0] - 1 == both, cards
            else:
                assert late.net(kind, 1) == bf.round_net(rules, (over,), "blackjack"), cards
            parts = pays.parts(kind)
            assert sum(p for _, p in parts) == 1
            for end, outcome in ends.items():
                nets = {}
                for part, p in parts:
                    net = pays.net(part, 1, end, peeks=False)
                    nets[net] = nets.get(net, 0) + p
                assert nets == bf.round_nets(rules, (over,), outcome), cards


@few
@given(any_rules())
def test_bounds_cover_the_table(rules: Rules) -> None:
    pays = terms_of(rules).pays
    for kind, described in enumerate(pays.kinds):
        for units in (1, 2) if described.raised else (1,):
            for end in range(N_ENDS):
                for peeks in (False, True):
                    net = pays.net(kind, units, end, peeks=peeks)
                    assert abs(net) <= pays.most
                    joint = pays.settlement(peeks=peeks).joint[kind][units - 1]
                    assert abs(joint) <= max(pays.most, pays.tied_blackjack + 1)
                    assert (net * pays.mean_unit).denominator == 1
                    assert described.parts or (net * pays.unit).denominator == 1
    assert pays.n_totals == (6 if rules.dealer_22 == "push" else 5)


def test_actions_have_one_number() -> None:
    assert [NUMBER[name] for name in ACTIONS] == list(range(5))
    assert names(0b11111) == list(ACTIONS)


def test_a_hand_nets_a_fraction() -> None:
    pays = terms_of(Rules(blackjack_pays="6/5", surrender="late", surrender_returns="1/3")).pays
    assert pays.blackjack == Fraction(6, 5)
    assert pays.unit == 15
    assert pays.most == 2


@pytest.mark.parametrize("takes", ["all", "original", "original-per-hand"])
def test_what_a_late_blackjack_takes(takes: str) -> None:
    found = terms_of(Rules(hole_card="none", dealer_blackjack_takes=takes)).pays.settlement(peeks=False)
    doubled = found.nets[kinds.LOW][1]
    expected = {"all": (False, -2), "original": (True, -1), "original-per-hand": (False, -1)}
    assert (found.once, doubled) == expected[takes]
    assert found.joint[kinds.LOW][1] == (0 if found.once else doubled)
