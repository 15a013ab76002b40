"""Figures that are known of rule sets, as sweeps give them: published ones, straight lines, orders and limits."""

import json
from decimal import Decimal
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import odds
from odds.game.rules import Rules
from odds.game.shoe import Shoe
from odds.sweep.distinct import distinct_of
from odds.sweep.grid import Combination
from odds.sweep.rows import at_pay
from odds.sweep.run import chunks
from odds.sweep.solve import Asked, solve

GOLDEN = Path(__file__).parent.parent / "golden"
Row = dict[str, Any]
# Published edges of games without bonuses, both cards of the dealer up or a second hand.
STANDARD = ("he_", "woo_app9", "hhoppe", "6d-s17", "1d-s17", "classic", "geditcom", "ind_inf", "infinite-8", "cd_gain")
# Of a player who may do more, in this order; and what else makes a game of them.
MORE = {
    "max_hands": [1, 2],
    "double_on": ["none", "10-11", "9-11", "any"],
    "double_after_split": [False, True],
    "hit_split_aces": [False, True],
    "double_split_aces": [False, True],
    "surrender": ["none", "late", "early"],
}
# A pair of every kind, and hands of many cards: what `full` sees makes a difference.
SMALL = Shoe.of_counts((2, 3, 0, 3, 0, 2, 0, 2, 0, 10))


def rows(name: str, *starts: str) -> list[Row]:
    found: list[Row] = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    return [row for row in found if row["id"].startswith(starts)]


def solved(games: list[Rules], asked: Asked) -> list[float]:
    """The EV of each game, worked out as a grid does: in distinct sets that share what can be shared."""
    sets = [distinct_of(Combination(place, rules, None, None), asked.split_class) for place, rules in enumerate(games)]
    found = {one.id: one for chunk in chunks(asked, {one.id: one for one in sets}.values()) for one in solve(chunk)}
    evs = []
    for rules, one in zip(games, sets, strict=True):
        figures = at_pay(found[one.id].figures, one.rules.blackjack_pays, rules.blackjack_pays)
        assert figures["ev"] is not None
        evs.append(figures["ev"])
    return evs


def half_a_unit(number: object) -> float:
    """Of the last digit of a number as it is written."""
    exponent = Decimal(repr(number)).as_tuple().exponent
    assert isinstance(exponent, int)
    return 0.5 * 10.0**exponent


def check(row: Row, computed: float) -> None:
    """Compare with a printed figure; see the head of `tests/golden/test_golden.py`."""
    compare = row.get("compare")
    unit = 0.5 * 10.0 ** -row["digits"] if "digits" in row else 0.0
    if compare == "differs":  # the source errs, as its note says, and by how much
        expected, unit = row["value"] + row["difference"], unit + half_a_unit(row["difference"])
    else:
        expected = row["value"]
        unit = row["tolerance"] if compare == "within" else unit
    assert computed == pytest.approx(expected, rel=0, abs=unit + 1e-12), row["id"]


@pytest.mark.parametrize("split_class", ["cdz", "cdp1"])
def test_published_edges(split_class: str) -> None:
    """Of best play, Farmer's and those of many others; those that err are off by what is known of them."""
    told = [
        row
        for row in rows("house_edges", *STANDARD)
        if row["split_class"] == split_class
        and row.get("compare") in (None, "within", "differs")
        and not {"shoe", "upcards"} & row.keys()
    ]
    assert len(told) == {"cdz": 19, "cdp1": 49}[split_class]
    scale = {"ev": 1.0, "ev_percent": 100.0, "edge_percent": -100.0}
    evs = solved([Rules(**row["rules"]) for row in told], Asked(split_class=split_class))
    for row, ev in zip(told, evs, strict=True):
        check(row, scale[row["quantity"]] * ev)


# The source's charts, and how far the best ones are from them: with surrender its charts are not the best ones, which
# matters most with one deck; without, its figures of splits are approximate. By number of decks, in percent.
_BETTER = {1: 0.0165, 2: 0.007, 4: 0.003, 6: 0.0018, 8: 0.0014, 20: 0.001, "infinite": 0.0005}
_SPLITS = 0.0009


def check_chart(row: Row, edge: float) -> None:
    """Compare the best chart with a printed edge of a chart."""
    surrenders = row["rules"].get("surrender", "none") != "none"
    better = _BETTER[row["rules"]["decks"]] if surrenders else 0.0
    unit = 0.5 * 10.0 ** -row["digits"]
    assert row["value"] - better - _SPLITS <= edge + unit, row["id"]
    assert edge - unit <= row["value"] + _SPLITS, row["id"]


def charts(*starts: str) -> list[Row]:
    return [
        row for row in rows("house_edges", *starts) if row.get("compare") == "chart" and row["id"].endswith("/prob")
    ]


def test_published_edges_of_charts() -> None:
    told = [row for row in charts("he_BS_by_decks") if row["rules"]["decks"] == 1]
    assert len(told) == 4
    for row, ev in zip(told, solved([Rules(**row["rules"]) for row in told], Asked("total", "given")), strict=True):
        check_chart(row, -100 * ev)


@pytest.mark.slow
def test_all_published_edges_of_charts() -> None:
    told = charts("he_")
    assert len(told) == 51
    for row, ev in zip(told, solved([Rules(**row["rules"]) for row in told], Asked("total", "given")), strict=True):
        check_chart(row, -100 * ev)


def test_ev_is_a_straight_line_in_what_a_blackjack_pays() -> None:
    pays = ["1", "6/5", "7/5", "3/2", "2", "5/2"]
    found = odds.sweep("vegas-strip-6d-h17", {"blackjack_pays": pays, "dealer_hits_soft_17": [False, True]})
    assert found.distinct == 2
    unbeaten = 0.04532298771606421  # 6 decks, whoever hits soft 17
    for row in found:
        rules = odds.load_game("vegas-strip-6d-h17").rules.replace(**{name: row[name] for name in found.fields})
        one = next(
            other
            for other in found
            if (other["blackjack_pays"], other["dealer_hits_soft_17"]) == ("1", row["dealer_hits_soft_17"])
        )
        assert row["ev"] == pytest.approx(one["ev"] + float(Fraction(row["blackjack_pays"]) - 1) * unbeaten, abs=1e-15)
        assert row["ev"] == pytest.approx(odds.analyze(rules).ev, abs=1e-15)


def pairs_of(evs: dict[tuple[Any, ...], float]) -> list[tuple[str, tuple[Any, ...], float]]:
    """What each single step of `MORE` adds to the EV: the field, the rules before it, and how much."""
    found = []
    for key, before in evs.items():
        for place, (name, values) in enumerate(MORE.items()):
            nearest = values.index(key[place]) + 1
            if (
                nearest < len(values)
                and (after := evs.get((*key[:place], values[nearest], *key[place + 1 :]))) is not None
            ):
                found.append((name, key, after - before))
    return found


def lattice(shoe: Shoe, split_class: str, **rules: Any) -> dict[tuple[Any, ...], float]:
    """The EV of every game of `MORE`."""
    sets = {
        key: distinct_of(Combination(0, Rules(**dict(zip(MORE, key, strict=True)), **rules), shoe, None), split_class)
        for key in product(*MORE.values())
    }
    asked = Asked(split_class=split_class)
    found = {
        one.id: one for chunk in chunks(asked, {one.id: one for one in sets.values()}.values()) for one in solve(chunk)
    }
    assert not any(one.figures["shoe_can_run_out"] for one in found.values())
    return {key: found[one.id].figures["ev"] or 0.0 for key, one in sets.items()}


@pytest.mark.parametrize("split_class", ["full", "cdp1"])
def test_allowing_more_never_lowers_ev(split_class: str) -> None:
    """Nor does it in `cdp1` where a pair is split once: its play of both hands is then the best one of its kind."""
    steps = pairs_of(lattice(SMALL, split_class))
    assert {name for name, _, _ in steps} == MORE.keys()
    for name, key, more in steps:
        assert more >= -1e-14, (name, key)


@pytest.mark.slow
def test_allowing_more_never_lowers_ev_with_one_deck() -> None:
    rules = {"decks": 1, "dealer_hits_soft_17": True}
    steps = [
        {"double_on": "10-11", "double_after_split": False},
        {"double_after_split": False},
        {},
        {"hit_split_aces": True, "double_split_aces": True, "surrender": "late"},
    ]
    games = [Rules(**{"max_hands": 2, **rules, **step}) for step in steps]
    evs = solved(games, Asked(split_class="full"))
    assert evs == sorted(evs)


@pytest.mark.parametrize("rules", [{}, {"dealer_hits_soft_17": True, "surrender": "late"}, {"hole_card": "none"}])
def test_infinite_decks_are_the_limit(rules: dict[str, Any]) -> None:
    """The EV comes nearer by the inverse of the number of decks, to a tenth of a percent of that at a thousand."""
    many = [1_000, 10_000, 100_000]
    *evs, limit = solved([Rules(decks=decks, **rules) for decks in (*many, "infinite")], Asked())
    off = [decks * (ev - limit) for decks, ev in zip(many, evs, strict=True)]
    assert abs(evs[-1] - limit) < 1e-7
    assert off[0] == pytest.approx(off[1], rel=2e-3)
    assert off[1] == pytest.approx(off[2], rel=2e-4)


def test_where_allowing_more_lowers_ev() -> None:
    """The list of `docs/variants.md`: split again as far as hands go, a pair may be worth less."""
    text = (Path(__file__).parents[2] / "docs/variants.md").read_text(encoding="utf-8")
    lines = text.partition("## Where allowing more lowers the EV")[2].splitlines()
    listed = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")][1:]
    assert len(listed) >= 6
    for cards, rules, *printed in listed:
        base = Rules().replace_text(part.strip("` ") for part in rules.split(";") if part != "-")
        shoe = Shoe.of_counts(tuple(map(int, cards.split())))
        evs = [100 * odds.analyze(base.replace(max_hands=hands), shoe=shoe).ev for hands in (2, 3, 4)]
        found = [evs[0], evs[1] - evs[0], evs[2] - evs[1]]
        assert [f"{value:+.6f}" for value in found] == printed
        assert min(found[1:]) < 0
