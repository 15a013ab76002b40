"""The last of several boxes, which has seen the first cards of the others."""

import json
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb, prod

import pytest
from typer.testing import CliRunner

import odds
from odds.cli.main import app
from odds.engine.dealer import start_probability
from odds.engine.terms import terms_of
from odds.errors import OddsError, RulesError, ShoeError
from odds.game.rules import Rules
from odds.game.shoe import Shoe
from odds.results.beside import deals_beside
from odds.results.last_box import last_box
from odds.results.round import analyze

# Doubles: sums of some thousand numbers below 1.
CLOSE = 1e-12

SINGLE = Rules(decks=1, dealer_hits_soft_17=False, double_after_split=False, max_hands=2)
# It cannot run out within a round of two boxes that are not split.
SMALL = Shoe.of_counts({"A": 3, "2": 1, "5": 2, "6": 2, "9": 3, "T": 8})


def test_published_single_deck() -> None:
    """An independent program: a box that has seen the first two cards of another, and one alone."""
    found = last_box(SINGLE, 2)
    assert found.ev == pytest.approx(0.000738031376219, abs=CLOSE)
    assert found.alone.ev == pytest.approx(0.000247913719799, abs=CLOSE)
    assert sum(row.probability * row.ev for row in found.by_seen) == pytest.approx(found.ev, abs=CLOSE)
    assert sum(row.probability for row in found.by_seen) == pytest.approx(1, abs=CLOSE)
    assert len(found.by_seen) == 55
    assert not found.shoe_can_run_out


Cards = tuple[int, ...]


def sets_of(counts: Cards, number: int) -> Iterator[tuple[Counter[int], Fraction]]:
    """Yield the sets of cards that are dealt from a shoe, and how likely they are."""
    for cards in combinations_with_replacement(range(10), number):
        drawn = Counter(cards)
        ways = prod(comb(counts[card], n) for card, n in drawn.items())
        if ways:
            yield drawn, Fraction(ways, comb(sum(counts), number))


def less(counts: Cards, *cards: int) -> Cards:
    return tuple(n - cards.count(card) for card, n in enumerate(counts))


def draws(counts: Cards) -> Iterator[tuple[int, Fraction]]:
    return ((card, Fraction(n, sum(counts))) for card, n in enumerate(counts) if n)


def total(hand: Cards) -> int:
    hard = sum(card + 1 for card in hand)
    return hard + 10 if 0 in hand and hard <= 11 else hard


@cache
def stand(points: int, dealer: Cards, counts: Cards) -> Fraction:
    """Return what a total nets, the dealer drawing from these cards to 17, soft or not, where he has no blackjack."""
    if len(dealer) == 2 and set(dealer) == {0, 9}:
        return Fraction(0)
    if total(dealer) >= 17:
        his = total(dealer)
        return Fraction(1 if his > 21 else (points > his) - (points < his))
    return sum(
        (p * stand(points, tuple(sorted((*dealer, card))), less(counts, card)) for card, p in draws(counts)),
        Fraction(0),
    )


@cache
def no_blackjack(dealer: Cards, counts: Cards) -> Fraction:
    needed = {0: 9, 9: 0}.get(dealer[0])
    return 1 - (Fraction(0) if needed is None else Fraction(counts[needed], sum(counts)))


@cache
def played(hand: Cards, dealer: Cards, counts: Cards, *, first: bool = False) -> Fraction:
    """Return what a hand nets by the best play that sees these cards gone, where the dealer has no blackjack."""
    if total(hand) > 21:
        return -no_blackjack(dealer, counts)
    values = [stand(total(hand), dealer, counts)]
    if total(hand) < 21:
        after = [((*hand, card), p, less(counts, card)) for card, p in draws(counts)]
        values.append(sum((p * played(tuple(sorted(new)), dealer, left) for new, p, left in after), Fraction(0)))
        if first:
            values.append(
                sum(
                    (
                        2 * p * (-no_blackjack(dealer, left) if total(new) > 21 else stand(total(new), dealer, left))
                        for new, p, left in after
                    ),
                    Fraction(0),
                )
            )
    return max(values)


def rounds(counts: Cards) -> Fraction:
    """Return the EV of a round without splits from these cards, card by card."""
    found = Fraction(0)
    for upcard, p in draws(counts):
        left = less(counts, upcard)
        for drawn, q in sets_of(left, 2):
            hand = tuple(sorted(drawn.elements()))
            unseen, dealer = less(left, *hand), (upcard,)
            alive = no_blackjack(dealer, unseen)
            value = Fraction(3, 2) * alive if hand == (0, 9) else played(hand, dealer, unseen, first=True) - (1 - alive)
            found += p * q * value
    return found


def test_small_shoe_card_by_card() -> None:
    rules = Rules(dealer_hits_soft_17=False, max_hands=1)
    found = last_box(rules, 2, shoe=SMALL)
    exact = sum((p * rounds(less(SMALL.counts, *seen.elements())) for seen, p in sets_of(SMALL.counts, 2)), Fraction(0))
    assert found.ev == pytest.approx(float(exact), abs=CLOSE)
    assert found.alone.ev == pytest.approx(float(rounds(SMALL.counts)), abs=CLOSE)
    assert found.gain > 1e-3
    assert not found.shoe_can_run_out


@pytest.mark.parametrize(
    "rules",
    [
        SINGLE,
        SINGLE.replace(hole_card="none", dealer_blackjack_takes="original", surrender="early"),
        SINGLE.replace(split_by="rank", max_hands=3, double_after_split=True),
        SINGLE.replace(free_double_on="9-11", free_split="A-9", double_after_split=True, dealer_22="push"),
    ],
)
def test_what_is_seen_tells_nothing_to_a_play_that_does_not_look(rules: Rules) -> None:
    """The average over the others' cards of one fixed play is what it is worth alone."""
    shoe = rules.shoe()
    alone, terms, found = analyze(rules), terms_of(rules), 0.0
    tables = alone.tables()
    for seen, p in sets_of(shoe.counts, 2):
        gone = tuple(seen.elements())
        deals, left = deals_beside(terms, shoe, gone, tables=tables), shoe.without(gone)
        of_start = (deals.probability * deals.ev).sum(axis=1).tolist()
        for at, ev in zip(deals.analyses, of_start, strict=True):
            found += float(p * start_probability(at.start, left)) * ev
    assert found == pytest.approx(alone.ev, abs=CLOSE)


def test_seeing_more_never_loses() -> None:
    rules = Rules(max_hands=2, surrender="late", even_money=True)
    one, two, three = (last_box(rules, boxes, shoe=SMALL) for boxes in (1, 2, 3))
    for fewer, more in ((one, two), (two, three)):
        assert more.ev > fewer.ev + 1e-4
        assert more.insurance_gain >= fewer.insurance_gain
        for less_seen, more_seen in zip(fewer.by_start, more.by_start, strict=True):
            assert more_seen.ev >= less_seen.ev - CLOSE


@pytest.mark.parametrize("rules", [SINGLE, Rules(decks="infinite"), Rules(hole_card="exposed", decks=2)])
def test_nothing_seen_is_a_round_alone(rules: Rules) -> None:
    alone, found = analyze(rules), last_box(rules, 4 if rules.decks == "infinite" else 1)
    assert (found.ev, found.average_wager, found.by_seen) == (alone.ev, alone.average_wager, ())
    assert [(row.ev, row.gain) for row in found.by_start] == [(row.ev, 0) for row in alone.by_start]


def test_exposed_and_like_tens() -> None:
    """Two cards of all others are averaged as they are dealt, whatever the dealer shows."""
    shoe = Shoe.of_counts({"A": 4, "5": 4, "6": 3, "T": 3, "J": 2, "Q": 2, "K": 1})
    rules = Rules(hole_card="exposed", split_by="rank", max_hands=2)
    found = last_box(rules, 2, shoe=shoe)
    rounds_of = [(p, analyze(rules, shoe=shoe.without(tuple(seen.elements())))) for seen, p in sets_of(shoe.counts, 2)]
    assert found.ev == pytest.approx(sum(float(p) * of_seen.ev for p, of_seen in rounds_of), abs=CLOSE)
    wagers = sum(float(p) * of_seen.average_wager for p, of_seen in rounds_of)
    assert found.average_wager == pytest.approx(wagers, abs=CLOSE)


def test_a_raise_is_decided_before_the_cards_are_seen() -> None:
    plain, raising = SINGLE, SINGLE.replace(raise_after_upcard=1)
    found, unraised = last_box(raising, 2), last_box(plain, 2)
    assert found.raised == ("2", "3", "4", "5", "6", "7", "8")
    for row, before in zip(found.by_start, unraised.by_start, strict=True):
        assert row.ev == pytest.approx(max(2 * before.ev, before.ev), abs=CLOSE)
    assert sum(row.probability * row.ev for row in found.by_seen) == pytest.approx(found.ev, abs=CLOSE)


def insured(counts: Cards, seen: int, needed: int, pays: Fraction = Fraction(2)) -> Fraction:
    """Return what half a wager on insurance gains, given the upcard, where so many cards are seen."""
    found = Fraction(0)
    for drawn, p in sets_of(counts, seen):
        hidden = Fraction(counts[needed] - drawn[needed], sum(counts) - seen)
        found += p * max(hidden * (pays + 1) - 1, Fraction(0)) / 2
    return found


def test_insurance_is_taken_where_it_gains() -> None:
    rules = SINGLE.replace(insurance="ace,ten")
    found = last_box(rules, 2)
    against_ace, against_ten = found.insured
    counts = rules.shoe().counts
    assert against_ace.gain == insured(less(counts, 0), 4, 9) == Fraction(11, 4935)
    assert not against_ten.gain
    assert against_ten.ev_when_taken is None
    assert against_ace.ev_when_taken is not None
    assert against_ace.taken * against_ace.ev_when_taken / 2 == against_ace.gain
    assert found.insurance_gain == pytest.approx(float(Fraction(1, 13) * Fraction(11, 4935)))
    assert found.ev_with_insurance == found.ev + found.insurance_gain
    assert found.insurance_gain_alone == 0
    dear = last_box(SINGLE.replace(insurance_pays=3, max_hands=1), 1)
    assert dear.insured[0].gain == insured(less(counts, 0), 2, 9, Fraction(3)) > 0


def test_even_money_where_it_is_more_than_insurance() -> None:
    plain, short = (
        last_box(SINGLE.replace(even_money=True, blackjack_pays=pays, max_hands=1), 2, shoe=SMALL).insured[0]
        for pays in ("3/2", "6/5")
    )
    assert plain.even_money == 0  # it is the same as insuring a blackjack
    expected, left = Fraction(0), less(SMALL.counts, 0)
    for own, p in sets_of(left, 2):
        if sorted(own.elements()) == [0, 9]:
            unseen = less(left, 0, 9)
            for others, q in sets_of(unseen, 2):
                hidden = Fraction(unseen[9] - others[9], sum(unseen) - 2)
                insurance = max((hidden * 3 - 1) / 2, Fraction(0))
                expected += p * q * max(1 - Fraction(6, 5) * (1 - hidden) - insurance, Fraction(0))
    assert short.even_money == expected > 0


@pytest.mark.parametrize(
    ("error", "words", "arguments"),
    [
        (OddsError, "boxes: expected a whole number from 1 to 4, got 5", {"boxes": 5}),
        (OddsError, "split class full", {"split_class": "full"}),
        (ShoeError, "at least 6 cards to deal 2 boxes from, got 5", {"shoe": Shoe.of_counts({"9": 5})}),
    ],
)
def test_refused(error: type[Exception], words: str, arguments: dict[str, object]) -> None:
    with pytest.raises(error, match=words):
        last_box(SINGLE, **arguments)  # type: ignore[arg-type]


def test_two_hands_at_once_are_refused() -> None:
    with pytest.raises(RulesError, match="switch"):
        last_box(SINGLE.replace(switch=True), 2)


def told(*options: str) -> str:
    game = ["rtp", "single-deck", "--set", "double_after_split=false", "--set", "max_hands=2"]
    result = CliRunner().invoke(app, [*game, *options])
    assert result.exit_code == 0, result.stderr
    return result.stdout


def test_command() -> None:
    found = json.loads(told("--boxes", "2", "--sees-others", "--json"))
    assert found["ev"] == pytest.approx(0.000738031376219, abs=CLOSE)
    assert found["boxes"] == 2
    assert found["ev_alone"] == pytest.approx(0.000247913719799, abs=CLOSE)
    assert found["ev_with_insurance"] == found["ev"] + found["insurance_taken"]["gain"]
    assert sum(row["probability"] * row["ev"] for row in found["by_upcard"]) == pytest.approx(found["ev"], abs=CLOSE)
    text = told("--boxes", "2", "--sees-others")
    for words in ("+0.0007380314", "+0.0002479137", "+0.0001714597", "the last has seen the first two cards"):
        assert words in text
    one, alone = (json.loads(told(*options, "--json")) for options in (("--boxes", "1", "--sees-others"), ()))
    same = ("ev", "rtp", "house_edge", "average_wager", "ev_per_total_wager", "insurance", "side_bets", "published")
    assert {name: one[name] for name in same} == {name: alone[name] for name in same}


def test_result_as_rows_and_facts() -> None:
    found = odds.last_box(SINGLE, 2, shoe=SMALL)
    assert sum(row["probability"] for row in found.to_rows()) == pytest.approx(1)
    assert "the last of 2 boxes" in repr(found)
