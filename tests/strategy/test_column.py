"""Gains of single cells against whole evaluation of the changed column."""

import random
from itertools import product

import pytest

from odds import basic_strategy, load_game
from odds.engine.terms import terms_of
from odds.game.catalog import shoe_or_full
from odds.game.rules import Rules
from odds.game.shoe import Shoe
from odds.results.groups import start_groups
from odds.strategy.chart import GAIN
from odds.strategy.codes import CODES, DOUBLED_CODES, ONLY_PAIRS, ROWS, doublings, numbered, rows_of, sections_of
from odds.strategy.column import Column
from odds.strategy.gains import Gains
from odds.strategy.search import NOTHING, alternatives, first_charts, improve, search, single_changes

# Rounding of sums of some thousand terms, their weights together not much more than 1.
ROUNDING = 1e-14
PLAIN = [code for code in CODES if code not in ONLY_PAIRS]
NUMBERED = [code for code in PLAIN for code in numbered(code, *[(2, 3, 4)] * 3)[1:]]
EXCEPTIONS = ["2,T", "5,6,7", "A,7", "6,9", "2,2,2,A", "8,8", "T,T", "A,A", "3,3,5", "A,T"]
SMALL = Shoe.of_counts({"A": 2, "2": 3, "5": 1, "8": 4, "9": 2, "T": 4})
CASES = [
    pytest.param(load_game("classic-blackjack").rules, None, ["A", "T", "6"], id="classic"),
    pytest.param(load_game("face-up-21").rules, None, ["hard 16", "soft 13"], id="face-up"),
    pytest.param(Rules(decks=6, charlie=5, max_hands=3, surrender="late"), None, ["T"], id="charlie"),
    pytest.param(Rules(decks=2, split_by="rank", max_hands=4, surrender="early"), None, ["9"], id="like-tens"),
    pytest.param(
        Rules(
            decks=1, hole_card="none", dealer_blackjack_takes="original", max_hands=4, resplit_aces=True,
            hit_split_aces=True, double_split_aces=True, split_blackjack=True, surrender="early",
        ),
        None,
        ["A"],
        id="aces",
    ),
    pytest.param(
        Rules(decks=4, hole_card="none", dealer_blackjack_takes="original-per-hand", double_after_split=False),
        None,
        ["T"],
        id="no-double-after-split",
    ),
    pytest.param(Rules(decks=8, max_hands=1, surrender="late"), None, ["7"], id="no-split"),
    pytest.param(Rules(decks=2, dealer_22="push", charlie=5, hit_split_aces=True), None, ["T"], id="push-22"),
    pytest.param(Rules(decks=1, dealer_wins_ties=(17, 20), double_on="9-11"), SMALL, ["9", "A"], id="small-shoe"),
    pytest.param(Rules(decks=2, double_cards="any", max_hands=3, surrender="late"), None, ["A"], id="doubles-later"),
    pytest.param(
        Rules(
            decks=1, double_cards="any", double_after_split=False, charlie=6, hole_card="none", hit_split_aces=True,
            dealer_blackjack_takes="original-per-hand",
        ),
        None,
        ["T"],
        id="doubles-later-not-after-split",
    ),
    pytest.param(
        Rules(decks=6, double_cards=3, double_on="9-11", charlie=5, removed_ranks="10"), None, ["5"], id="three-cards"
    ),
    pytest.param(
        Rules(decks=2, redoubles=2, double_rescue=True, double_cards="any", max_hands=2), None, ["5"], id="redoubles"
    ),
    pytest.param(
        Rules(
            decks=2, redoubles=1, surrender="late", surrender_cards="any", double_cards=3, double_multiples=3,
            max_hands=3, double_after_split=False,
        ),
        None,
        ["T"],
        id="surrender-later",
    ),
    pytest.param(
        Rules(
            decks=2, surrender="early 2-T", surrender_cards="any", max_hands=2, double_rescue=True, hole_card="none",
            dealer_blackjack_takes="original-per-hand",
        ),
        None,
        ["A", "9"],
        id="early-surrender-later",
    ),
    pytest.param(
        Rules(
            decks=1, dealer_22="push", free_double_on="hard 9-11", free_split="A-9", max_hands=3, surrender="late",
            resplit_aces=True,
        ),
        None,
        ["6", "T"],
        id="free-bet",
    ),
    pytest.param(
        Rules(
            decks=1, free_double_on="any", free_split="5,8-T", split_by="rank", double_cards="any", charlie=6,
            hole_card="none", dealer_blackjack_takes="original", max_hands=4, hit_split_aces=True,
        ),
        None,
        ["9", "A"],
        id="free-doubles-later",
    ),
    pytest.param(
        Rules(decks=2, free_double_on="9-11", double_cards=3, surrender="late", max_hands=2), None, ["T"],
        id="free-doubles",
    ),
    pytest.param(Rules(decks=1, max_hands=1), Shoe.of_counts({"A": 3, "2": 4}), ["A", "2"], id="shoe-that-runs-out"),
]  # fmt: skip


def column_of(rules: Rules, label: str, shoe: Shoe | None = None) -> Column:
    terms = terms_of(rules)
    group = next(group for group in start_groups(terms.dealer) if group.label == label)
    return Column(group, terms, shoe_or_full(shoe, rules))


def random_codes(rules: Rules, seed: int) -> dict[tuple[str, str], str]:
    rng = random.Random(seed)
    of_totals = PLAIN if seed % 2 == 0 else [*PLAIN, *NUMBERED]
    return {
        (section, row): rng.choice(codes_of(section) or of_totals)
        for section in sections_of(terms_of(rules).legal)
        for row in rows_of(section)
    }


def codes_of(section: str) -> list[str]:
    """The codes of a section that knows no numbers; of totals none."""
    return list(CODES) if section == "pairs" else list(DOUBLED_CODES) if doublings(section) else []


@pytest.mark.parametrize(("rules", "shoe", "labels"), CASES)
def test_every_other_code_gains_what_whole_rounds_say(rules: Rules, shoe: Shoe | None, labels: list[str]) -> None:
    """Random charts, the second with exceptions and with numbers in codes; every code of a cell, sensible or not."""
    for number, label in enumerate(labels):
        column = column_of(rules, label, shoe)
        for seed in (2 * number, 2 * number + 1):
            rng = random.Random(seed)
            exceptions = {hand: rng.choice(PLAIN) for hand in rng.sample(EXCEPTIONS, 5)} if seed % 2 else {}
            if seed % 2:
                exceptions["A,2,8"] = "H"  # which stands by itself, unless it may go for a charlie
                if rules.max_hands > 1:
                    exceptions[rng.choice(["8,8", "T,T", "A,A"])] = "P"
            codes = random_codes(rules, seed)
            gains = Gains(column, exceptions, numbered=seed % 2 == 1 or None)
            gains.look_at(codes)
            value = column.value(codes, exceptions)
            for place in codes:
                more = rng.sample(NUMBERED, 6) if seed % 2 else []
                for code in codes_of(place[0]) or [*PLAIN, *more]:
                    whole = column.value({**codes, place: code}, exceptions) - value
                    assert gains.gain({place: code}) == pytest.approx(whole, abs=ROUNDING), (label, place, code)


@pytest.mark.parametrize(("rules", "shoe", "labels"), CASES)
def test_a_total_takes_its_pair_along(rules: Rules, shoe: Shoe | None, labels: list[str]) -> None:
    """The changes that the search and the costs of cells try, from charts that the search starts with."""
    column = column_of(rules, labels[0], shoe)
    gains = Gains(column)
    along = 0
    for codes in first_charts(column, {}):
        gains.look_at(codes)
        value = column.value(codes)
        for place in codes:
            changes = [*alternatives(column, codes, place), *single_changes(column, codes, place)]
            changes = changes if len(changes) < 20 else random.Random(len(changes)).sample(changes, 12)
            for change in changes if place[0] != "pairs" or rules.max_hands > 1 else []:
                along += len(change) > 1
                whole = column.value({**codes, **change}) - value
                assert gains.gain(change) == pytest.approx(whole, abs=ROUNDING), change
    assert along or rules.max_hands == 1


def test_codes_that_mean_the_same_gain_the_same() -> None:
    """To the last digit, as which of them is named depends on it: a hard 4 is a pair of twos and nothing else."""
    rules = Rules(decks=8, max_hands=2, surrender="late")
    total, pair = ("hard", "4"), ("pairs", "2,2")
    for label in ("2", "T"):
        gains = Gains(column_of(rules, label))
        gains.look_at(random_codes(rules, 3) | {total: "H", pair: "H"})
        assert len({gains.gain({total: code, pair: "S"}) for code in ("S", "Ds", "Rs")}) == 1
        assert {gains.gain({total: code}) for code in PLAIN} == {0.0}


@pytest.mark.parametrize("rules", [Rules(decks=1, max_hands=3, surrender="late"), Rules(decks=6, hole_card="exposed")])
def test_the_way_of_the_search_is_that_of_whole_evaluation(rules: Rules) -> None:
    """Cell by cell with values of whole columns: the same columns and the same other codes."""
    for label in {group.label for group in start_groups(terms_of(rules).dealer)} & {"A", "9", "hard 15", "soft 17"}:
        column = column_of(rules, label)
        gains = Gains(column)
        for first in first_charts(column, {}):
            codes, others = improve(column, gains, first)
            slow_codes, slow_others = improve_slowly(column, first)
            assert codes == slow_codes
            assert others.keys() == slow_others.keys()
            for place, (other, gain) in others.items():
                assert other == slow_others[place][0]
                assert gain == pytest.approx(slow_others[place][1], abs=ROUNDING)


@pytest.mark.parametrize(
    "rules",
    [
        Rules(decks=1, charlie=5, max_hands=2),
        Rules(
            decks=2,
            double_cards="any",
            removed_ranks="10",
            player_21="wins",
            double_after_split=False,
            surrender="late",
            charlie=6,
        ),
        Rules(
            decks=2,
            double_cards="any",
            redoubles=1,
            double_rescue=True,
            max_hands=2,
            surrender="late",
            surrender_cards="any",
        ),
    ],
    ids=["charlie", "doubles", "redoubles"],
)
def test_no_code_with_numbers_is_better(rules: Rules) -> None:
    """Every code there is for a cell, where the search looks at the two best of those that differ in their numbers."""
    best = basic_strategy(rules)
    with_numbers = 0
    for label in ("6", "T"):
        column, codes = column_of(rules, label), best.column(label)
        with_numbers += sum(any(map(str.isdigit, code)) for code in codes.values())
        gains = Gains(column)
        gains.look_at(codes)
        tried = [change for place in codes for change in alternatives(column, codes, place)]
        assert max(map(gains.gain, tried)) <= GAIN
        value = column.value(codes)
        for change in random.Random(1).sample(tried, 40):
            assert column.value({**codes, **change}) <= value + GAIN, change
    assert with_numbers or rules.redoubles


def improve_slowly(column, codes):
    value = column.value(codes)
    places = [(s, row) for s in ("hard", "pairs", "soft") for row in (ROWS[s] if s == "pairs" else ROWS[s][::-1])]
    unchanged, others = 0, {}
    while unchanged < len(places):
        for place in places:
            best, best_value, runner_up = codes, value, ("", float("-inf"))
            for change in alternatives(column, codes, place):
                changed = {**codes, **change}
                changed_value = column.value(changed)
                if changed_value > runner_up[1] and abs(changed_value - value) > NOTHING:
                    runner_up = (changed[place], changed_value)
                if changed_value > best_value + GAIN:
                    best, best_value = changed, changed_value
            if best is not codes:
                codes, value, unchanged, others = best, best_value, 0, {}
                continue
            unchanged += 1
            if runner_up[0]:
                others[place] = (runner_up[0], runner_up[1] - value)
            if unchanged >= len(places):
                break
    return codes, others


def test_own_and_free_hands_of_a_tiny_game_are_searched_through() -> None:
    """Every chart there is of the cells that matter: hands that hit, stand or double, own and free, and split pairs."""
    rules = Rules(dealer_22="push", free_double_on="9-11", double_on="9-11", free_split="2-9", max_hands=2)
    shoe = Shoe.of_counts({"3": 12, "7": 12, "T": 12})
    column, best = column_of(rules, "7", shoe), search(rules, shoe=shoe).strategy.column("7")
    totals = [(kind, row) for kind in ("hard", "free hard") for row in ("10", "13", "16", "17")]
    pairs = [("pairs", "3,3"), ("pairs", "7,7")]
    options = [("H", "D") if row == "10" else ("S", "H") for _, row in totals] + [("H", "P"), (best["hard", "14"], "P")]
    charts = [best | dict(zip((*totals, *pairs), codes, strict=True)) for codes in product(*options)]
    assert max(charts, key=column.value) == best
    assert (best["hard", "17"], best["free hard", "17"], best["pairs", "7,7"]) == ("S", "H", "P")
