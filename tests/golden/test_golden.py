"""Published figures, one row each, from `golden/`; the row says from where, and what to expect of it.

A figure is met to half a unit of its last printed digit, unless its row has a `compare`:

- `within`: to the row's `tolerance`; its note, or the comment at `TOLERANCES`, says why.
- `differs`: the source errs or means something else. The difference, computed less printed, is as documented.
- `at_least`, `at_most`: the computed figure is a bound, for the reason in the note.
- `chart`: the source plays a chart of totals, which can only lose to the play computed here, and loses little.
- `chart-cut-card`: the same, dealt to a cut card, which costs the player an amount that is not bounded here.
"""

import csv
import json
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import odds
from odds import Rules, Shoe
from odds._kernel import DealerTrie
from odds.game.cards import RANKS

GOLDEN = Path(__file__).parent

Row = dict[str, Any]

# TOLERANCES of rows that share a reason:
# 1e-12: two programs each add up some thousand products in doubles; they are seen to agree to 1e-15.
# 1e-5, appendix 9: the source knows how many hands a split has but not which cards they hold. The differences seen
# are 8e-6 with one deck and shrink with the number of decks.

# By how much, in percent, composition-dependent play may beat a chart of totals. Two sources that give both
# differ by 0.043 with one deck, 0.014 with two, 0.006 with four, 0.004 with six and 0.002 with eight; the bounds leave
# as much again, for other rules.
MOST_BETTER_THAN_CHART = {1: 0.05, 2: 0.02, 4: 0.01, 6: 0.008, 8: 0.005, 20: 0.003, "infinite": 0.001}


def load(name: str) -> list[Row]:
    found: list[Row] = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    return found


def rows(name: str) -> list[Any]:
    """The rows of a file, each with an id that says where its figure is from."""
    return [pytest.param(row, id=f"{row['id']}@{_place(row['source'])}") for row in load(name)]


def _place(source: str) -> str:
    parts = urlsplit(source)
    if not parts.netloc:
        return source
    page = parts.netloc.removeprefix("www.")
    return page + "/".join(parts.path.split("/")[:3]) if page == "github.com" else page


def half_a_unit(digits: int) -> float:
    return 0.5 * 10.0**-digits


def digits_of(number: float) -> int:
    """The decimals of a number as it is written."""
    return -int(Decimal(repr(number)).as_tuple().exponent)


def check(row: Row, computed: float, printed: float) -> None:
    """Compare a computed figure with a printed one, both in the unit in which it is printed."""
    # Rounding in doubles adds no more than the second term.
    rounding = half_a_unit(row["digits"]) + 1e-13 if "digits" in row else 1e-13
    compare = row.get("compare", "equal")
    if compare == "equal":
        assert computed == pytest.approx(printed, rel=0, abs=rounding)
    elif compare == "within":
        assert computed == pytest.approx(printed, rel=0, abs=row["tolerance"])
    elif compare == "differs":
        assert abs(row["difference"]) > half_a_unit(row["digits"]), "documented as a difference, but there is none"
        written = half_a_unit(digits_of(row["difference"]))
        assert computed - printed == pytest.approx(row["difference"], rel=0, abs=written + rounding)
    elif compare == "at_least":
        assert computed >= printed - rounding
    elif compare == "at_most":
        assert computed <= printed + rounding
    elif compare == "chart":
        assert row["quantity"] == "edge_percent"
        assert -rounding <= printed - computed <= MOST_BETTER_THAN_CHART[row["rules"]["decks"]] + rounding
    else:
        assert compare == "chart-cut-card"
        assert row["quantity"] == "edge_percent"
        assert computed <= printed + rounding


# --- computing ----------------------------------------------------------------------------------------------------


@cache
def evs(rules: Rules, shoe: Shoe, split_class: str) -> dict[str, float]:
    """The EV of a round (under the empty text), and each upcard's part of it."""
    result = odds.analyze(rules, shoe=shoe, split_class=split_class)
    return {"": result.ev} | {start.start: start.probability * start.ev for start in result.by_start}


def shoe_of(given: Row | None, rules: Rules) -> Shoe:
    """The shoe of a row: its counts, its number of decks less some cards, or that of the rules."""
    if given is None:
        return rules.shoe()
    if "counts" in given:
        return Shoe.of_counts(given["counts"])
    return Shoe.of_decks(given.get("decks", rules.decks)).without(given["without"])


def conditional_ev(rules: Rules, upcard: str, split_class: str) -> float:
    shoe = Shoe.of_decks(rules.decks)
    probability = shoe.count(upcard) / shoe.total
    return evs(rules, shoe, split_class)[upcard] / probability


# --- the tests ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", rows("house_edges"))
def test_house_edge(row: Row) -> None:
    rules = Rules(**row["rules"])
    if "upcards" in row:
        ev = sum(conditional_ev(rules, upcard, row["split_class"]) for upcard in row["upcards"])
    else:
        ev = evs(rules, shoe_of(row.get("shoe"), rules), row["split_class"])[""]
    scale = {"ev": 1.0, "ev_percent": 100.0, "edge_percent": -100.0}[row["quantity"]]
    check(row, scale * ev, row["value"])


@pytest.mark.parametrize("row", rows("rule_effects"))
def test_rule_effect(row: Row) -> None:
    before, change = Rules(**row["rules"]), dict(row["change"])
    gone = change.pop("without", "")
    after = before.replace(**change)
    new, old = (
        evs(after, after.shoe().without(gone), row["split_class"]),
        evs(before, before.shoe(), row["split_class"]),
    )
    effect = sum(new[start] - old[start] for start in row.get("upcards", [""]))
    assert row["quantity"] == "effect_percent"
    check(row, 100 * effect, row["value"])


@pytest.mark.parametrize("row", rows("hands"))
def test_hand(row: Row) -> None:
    rules = Rules(**row["rules"])
    found = odds.hand_values(
        row["player"],
        row["dealer"],
        rules,
        shoe=shoe_of(row.get("shoe"), rules),
        split_class=row["split_class"],
        after_split=row.get("after_split"),
        doubled=row.get("doubled", 0),
        **({"free": True} if "free" in row else {}),
    )
    for name, printed in row["values"].items():
        check(row, found.actions[name] if name in found.actions else float(getattr(found, name)), printed)
    if "best" in row:
        assert found.best == row["best"]


@pytest.mark.parametrize(("hands", "can_run_out"), [(2, False), (3, False), (4, True)])
def test_the_small_shoe_says_that_it_can_run_out(hands: int, can_run_out: bool) -> None:
    # 19 cards. Hands of twos to fours before their last card and the dealer's together hold at most 20 points each
    # and 16; with three hands that is all 19 cards, and the fourth would lack one.
    result = odds.hand_values(
        "2,2", "7", Rules(max_hands=hands), shoe=Shoe.of_counts([0, 4, 4, 2, 0, 0, 2, 0, 0, 7]), split_class="cdz"
    )
    assert result.shoe_can_run_out is can_run_out


@pytest.fixture(scope="module")
def infinitely_many() -> odds.RoundResult:
    return odds.analyze(Rules(decks="infinite"))


@pytest.mark.parametrize("row", rows("infinite_deck"))
def test_infinite_deck(row: Row, infinitely_many: odds.RoundResult) -> None:
    # The source re-splits always, as the engine does.
    for upcard, printed in zip("23456789TA", row["values"], strict=True):
        check(row, infinitely_many.hand(row["player"], upcard).actions[row["action"]], printed)


@pytest.mark.parametrize("row", rows("dealer"))
def test_dealer(row: Row) -> None:
    rules = Rules(**row["rules"])
    shoe = Shoe.of_decks(rules.decks).without(row["upcard"])
    found = odds.dealer_distribution(shoe, row["upcard"], rules)
    outcomes = found.given_no_blackjack if row["given_no_blackjack"] else found.unconditional
    assert outcomes is not None
    for outcome, printed in row["values"].items():
        check(row, outcomes[outcome], printed)


@cache
def all_deals(rules: Rules) -> list[Row]:
    return odds.analyze(rules).to_rows()


def deal_rows(row: Row) -> list[Row]:
    return all_deals(Rules(**row["rules"]))


def both_blackjacks(row: Row) -> float:
    return sum(deal["probability"] * deal["p_dealer_blackjack"] for deal in deal_rows(row) if deal["player"] == "A,T")


def player_blackjack(row: Row) -> float:
    return sum(deal["probability"] for deal in deal_rows(row) if deal["player"] == "A,T")


def upcard_and_hand_without_blackjack(row: Row) -> float:
    # The source names the two cards in either order.
    hand = ",".join(sorted(row["player"].split(","), key=RANKS.index))
    return sum(
        deal["probability"] * (1.0 - deal["p_dealer_blackjack"])
        for deal in deal_rows(row)
        if deal["player"] == hand and deal["dealer"] == row["dealer"]
    )


def two_tens(row: Row) -> float:
    return sum(deal["probability"] for deal in deal_rows(row) if deal["player"] == "T,T")


def insurance(row: Row) -> Any:
    found = odds.analyze(Rules(**row["rules"])).insurance
    assert found is not None
    return found


def insurance_by_tens(row: Row) -> Fraction:
    tens: int = row["player"].count("T")
    found = odds.hand_values(row["player"], "A", Rules(**row["rules"])).insurance
    assert found == insurance(row).by_tens[tens]
    return Fraction(found)


def insurance_cost_percent(row: Row) -> float:
    """What insuring some hand (any hand, if none is named) with half a unit costs a round."""
    rules = Rules(**row["rules"])
    return sum(
        -50.0 * deal["probability"] * float(odds.hand_values(deal["player"], "A", rules).insurance or 0)
        for deal in deal_rows(row)
        if deal["dealer"] == "A" and deal["player"] in (row.get("player", deal["player"]),)
    )


def dealer_blackjack(row: Row) -> float:
    rules = Rules(**row["rules"])
    shoe = Shoe.of_decks(rules.decks).without(row["dealer"])
    return odds.dealer_distribution(shoe, row["dealer"], rules).unconditional["blackjack"]


def next_card_after_peek(row: Row) -> float:
    """Bayes' rule, with the dealer's distributions before and after the card."""
    rules = Rules(**row["rules"])
    shoe = Shoe.of_decks(rules.decks).without(row["dealer"]).without(row["player"])

    def no_blackjack(left: Shoe) -> float:
        return 1.0 - odds.dealer_distribution(left, row["dealer"], rules).unconditional["blackjack"]

    plain = shoe.count(row["action"]) / shoe.total
    return plain * no_blackjack(shoe.without(row["action"])) / no_blackjack(shoe)


@cache
def busts_by_cards(rules: Rules) -> dict[int, Fraction]:
    """The probability that the dealer's hand, always played out, busts with so many cards."""
    full = Shoe.of_decks(rules.decks)
    busts: dict[int, Fraction] = {}
    for upcard in range(10):
        shoe = full.without([upcard])
        start = Fraction(full.counts[upcard], full.total)
        trie = DealerTrie((upcard,), rules.dealer_hits_soft_17, True)
        for drawn, orders, total in trie.multisets():
            if total == 22:
                cards = 1 + sum(drawn)
                busts[cards] = busts.get(cards, Fraction(0)) + start * orders * in_order(drawn, shoe)
    return busts


def dealer_busts_with(row: Row) -> float:
    """The probability that the dealer busts with the row's number of cards, or does not bust at all."""
    busts = busts_by_cards(Rules(**row["rules"]))
    if row["action"] == "none":
        return float(1 - sum(busts.values()))
    return float(busts[int(row["action"])])


def dealer_ends_with(row: Row) -> float:
    """How often the dealer's hand, always played out, ends so. 22 is told from other busts where it pushes."""
    rules = Rules(**row["rules"])
    full, end = rules.shoe(), {"over_22": "bust"}.get(row["action"], row["action"])
    return sum(
        full.count(up) / full.total * odds.dealer_distribution(full.without(up), up, rules).unconditional.get(end, 0.0)
        for up in RANKS
        if full.count(up)
    )


def in_order(drawn: tuple[int, ...], shoe: Shoe) -> Fraction:
    """The probability of drawing these cards in one order."""
    probability, left = Fraction(1), shoe
    for value, n in enumerate(drawn):
        for _ in range(n):
            probability *= Fraction(left.counts[value], left.total)
            left = left.without([value])
    return probability


QUANTITIES: dict[str, Callable[[Row], Any]] = {
    "both_blackjacks": both_blackjacks,
    "dealer_blackjack": dealer_blackjack,
    "dealer_busts_with": dealer_busts_with,
    "dealer_ends_with": dealer_ends_with,
    "dealer_has_22": lambda row: dealer_ends_with({**row, "action": "22"}),
    "insurance_by_tens": insurance_by_tens,
    "insurance_cost_percent": insurance_cost_percent,
    "insurance_edge_percent": lambda row: -100.0 * float(insurance(row).ev),
    "next_card_after_peek": next_card_after_peek,
    "one_in_dealer_blackjack_given_player_blackjack": lambda row: player_blackjack(row) / both_blackjacks(row),
    "one_in_player_blackjack": lambda row: 1.0 / player_blackjack(row),
    "player_blackjack": player_blackjack,
    "two_like_tens": two_tens,
    "two_tens": two_tens,
    "upcard_and_hand_without_blackjack": upcard_and_hand_without_blackjack,
}


@pytest.mark.parametrize("row", rows("probabilities"))
def test_probability(row: Row) -> None:
    computed = QUANTITIES[row["quantity"]](row)
    if isinstance(row["value"], str):  # an exact fraction
        printed = Fraction(row["value"])
        if isinstance(computed, Fraction):
            assert computed == printed
        else:
            assert computed == pytest.approx(float(printed), rel=1e-15)  # some roundings in doubles
    else:
        check(row, computed, row["value"])


# --- whole tables -------------------------------------------------------------------------------------------------


def table(name: str) -> Iterator[Row]:
    with (GOLDEN / name).open(newline="") as lines:
        yield from csv.DictReader(lines)


@cache
def split_once() -> odds.RoundResult:
    return odds.analyze(Rules(decks=8, max_hands=2), split_class="cdz")


@pytest.mark.parametrize("upcard", RANKS)
def test_two_card_evs(upcard: str) -> None:
    """Every two-card hand of eight decks, printed to twelve decimals by Eric Farmer's analyzer."""
    found = [row for row in table("two_card_evs_8d_s17.csv") if row["upcard"] == upcard]
    # 55 hands, less the blackjack, which is not played.
    assert len(found) == 54
    for row in found:
        actions = split_once().hand(row["player"], upcard).actions
        for action in ("stand", "hit", "double", "split"):
            if row[action]:
                # Twelve decimals, or twelve significant digits, of the sum of some thousand doubles.
                assert actions[action] == pytest.approx(float(row[action]), rel=0, abs=1e-11), row
            else:
                assert action not in actions


def test_dealer_table() -> None:
    """Eight decks less the upcard; two independent programs agree to 5e-16."""
    found = list(table("dealer_8d_s17.csv"))
    assert len(found) == 12
    for row in found:
        upcard = row["upcard"]
        distribution = odds.dealer_distribution(Shoe.of_decks(8).without(upcard), upcard, Rules(decks=8))
        conditional = row["condition"] == "given_no_blackjack"
        outcomes = distribution.given_no_blackjack if conditional else distribution.unconditional
        assert outcomes is not None
        for outcome in ("17", "18", "19", "20", "21", "blackjack", "bust"):
            if row[outcome]:
                # A sum of up to a thousand products below 1, in doubles.
                assert outcomes[outcome] == pytest.approx(float(row[outcome]), rel=0, abs=1e-14)
            else:
                assert outcome not in outcomes


def test_doubling_a_soft_21_explains_a_difference() -> None:
    """The rows `de-8d-typical` differ by what doubling ace and ten after a split of tens would be worth.

    Where both dealer cards are seen and ties lose, that is better than to stand against, for instance, a hard 16. The
    rules here let 21 stand by itself; with the doubling added by hand the printed figure comes out.
    """
    rules = Rules(decks=8, hole_card="exposed", blackjack_pays=1, dealer_wins_ties=True, double_on="any", max_hands=2)
    result = odds.analyze(rules, split_class="cdp1")
    gain = 0.0
    for start in result.by_start:
        if start.start == "A,T":
            continue
        shoe = Shoe.of_decks(8).without(start.start).without("T,T")
        aces, after = shoe.count("A") / shoe.total, shoe.without("A")

        def stand(hand: str, dealer: str = start.start) -> float:
            return odds.hand_values(hand, dealer, rules, after_split="T").actions["stand"]

        doubled = sum(2 * after.count(card) / after.total * stand(f"T,A,{card}") for card in RANKS if after.count(card))
        if doubled > stand("T,A"):
            tens = next(deal for deal in start.decisions if deal.hand.label == "T,T")
            split = tens.joint["split"] + 2 * aces * (doubled - stand("T,A"))
            gain += start.probability * tens.probability * max(split - tens.ev, 0.0)
    # As printed, to eight decimals.
    assert result.ev + gain == pytest.approx(0.00105452, rel=0, abs=half_a_unit(8))


def test_no_figure_is_both_tested_and_excused() -> None:
    """The first part of an id names a group of figures."""
    names = ("house_edges", "rule_effects", "hands", "infinite_deck", "dealer", "probabilities")
    tested = [row["id"] for name in names for row in load(name)]
    excused = load("not_tested")
    assert len(tested) == len(set(tested))
    assert all(row["note"] and row["source"] for row in excused)
    assert not {row_id.split("/")[0] for row_id in tested} & {row["id"] for row in excused}
