"""The figures of `docs/variants.md` are those of the program."""

import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import groupby, product
from pathlib import Path

import pytest

import odds
from odds.game.catalog import load_game

PAGE = (Path(__file__).parents[2] / "docs" / "variants.md").read_text(encoding="utf-8")


def rows(head: str) -> Iterator[list[str]]:
    """The cells of the rows of the table that has this head, without backquotes."""
    table = PAGE.partition(f"{head}\n")[2].split("\n\n")[0]
    for line in table.splitlines()[1:]:
        yield [cell.strip().replace("`", "") for cell in line.strip("|").split("|")]


FIGURES = list(rows("| Game | Set otherwise | House edge | Published |"))
PUSHES = list(rows("| Decks | H17 | Printed | S17 | Printed |"))
COSTS = list(rows("| Rules | Costs |"))
CHARTS = list(rows("| Set otherwise | Best play | Best chart | One play | Published |"))
FREE_BETS = list(rows("| Free bets | Counted | Printed |"))
SWITCHED = list(rows("| Rule | Six decks | Infinitely many | Printed |"))
POT_OF_GOLD = odds.load_side_bet("pot-of-gold")
HANDS = list(rows("| Hand | Against | Double | Hit | Difference |"))


@pytest.mark.parametrize(("game", "set_otherwise", "edge", "published"), FIGURES)
def test_figures(game: str, set_otherwise: str, edge: str, published: str) -> None:
    rules = load_game(game).rules.replace_text(filter(None, re.split("; ", set_otherwise)))
    assert edge == f"{100 * odds.analyze(rules).house_edge:.4f} %"
    if not set_otherwise:
        rtp = load_game(game).published_rtp
        assert rtp is not None
        assert f"{100 - Decimal(rtp.rstrip('%'))} %" in published.split(", ")


def test_every_game_described_has_its_figure() -> None:
    described = [game for game, _, _ in rows("| Game | What it is | Fields that make it |")]
    assert described == sorted(described) == sorted({row[0] for row in FIGURES})


@pytest.mark.parametrize(("decks", "hits", "printed_h17", "stands", "printed_s17"), PUSHES)
def test_a_dealers_22(decks: str, hits: str, printed_h17: str, stands: str, printed_s17: str) -> None:
    for rule, counted in ((True, hits), (False, stands)):
        table = odds.sidebet("push-22", decks=int(decks), rules=odds.Rules(dealer_hits_soft_17=rule))
        assert counted == f"{float(100 * table.lines[0].probability):.4f} %"
    assert hits == printed_h17
    assert float(stands.rstrip("% ")) < float(printed_s17.rstrip("% "))


@pytest.mark.parametrize(("set_otherwise", "costs"), COSTS)
def test_what_a_22_that_pushes_costs(set_otherwise: str, costs: str) -> None:
    rules = odds.Rules().replace_text(re.split("; ", set_otherwise))
    assert costs == f"{100 * (odds.analyze(rules).ev - odds.analyze(rules.replace(dealer_22='push')).ev):.4f} %"


@pytest.mark.parametrize(("set_otherwise", "best", "chart", "one_play", "published"), CHARTS)
def test_charts_of_free_bets(set_otherwise: str, best: str, chart: str, one_play: str, published: str) -> None:
    rules = load_game("free-bet").rules.replace_text(filter(None, [set_otherwise]))
    found = odds.basic_strategy(rules)
    own = "".join(line for line in found.to_csv().splitlines(keepends=True) if not line.startswith("free "))
    edges = [odds.analyze(rules), *(odds.evaluate(rules, play) for play in (found, odds.Strategy.from_csv(own)))]
    assert [best, chart, one_play] == [f"{100 * edge.house_edge:.4f} %" for edge in edges]
    assert float(published.rstrip("% ")) - 100 * edges[1].house_edge == pytest.approx(0.026, abs=0.002)


def test_where_free_money_is_played_otherwise() -> None:
    rules = load_game("free-bet").rules
    chart = odds.basic_strategy(rules)
    rows_of = {place: dict(zip(chart.columns, codes, strict=True)) for place, codes in chart.codes.items()}
    found: dict[tuple[str, str, str], list[str]] = {}
    for (section, row), codes in rows_of.items():
        for upcard, code in codes.items() if section.startswith("free ") else ():
            own = rows_of[section.removeprefix("free "), row][upcard]
            if own != code:
                found.setdefault((f"{section.removeprefix('free ')} {row}", own, code), []).append(upcard)
    said = [[hand, ", ".join(upcards), own, free] for (hand, own, free), upcards in found.items()]
    assert said == list(rows("| Hand | Against | Own money | Free money |"))


def test_every_free_bet_is_made() -> None:
    """The best play for the exact cards makes each free bet, as `pot-of-gold` counts them."""
    rules = load_game("free-bet").rules
    result = odds.analyze(rules)
    nines = [f"{a},{b}" for a in range(2, 10) for b in range(a, 10) if 9 <= a + b <= 11]
    pairs = [f"{card},{card}" for card in "A2346789"]
    for upcard in "23456789TA":
        assert {result.hand(hand, upcard).best for hand in nines} == {"double"}
        assert {result.hand(hand, upcard).best for hand in pairs} == {"split"}
        assert "split" not in {result.hand(hand, upcard).best for hand in ("T,T", "5,5")}
    for card, upcard in product("234678", "2TA"):
        for free in (False, True):
            for other in range(9 - int(card), 12 - int(card)):
                if other > 1 and other != int(card):
                    hand = odds.hand_values(f"{card},{other}", upcard, rules, after_split=card, free=free)
                    assert hand.best == "double"


@pytest.mark.parametrize(("bets", "counted", "printed"), FREE_BETS)
def test_how_many_bets_are_free(bets: str, counted: str, printed: str) -> None:
    assert counted == f"{float(100 * free_bets()[int(bets)]):.4f} %"
    assert float(printed.rstrip("% ")) > 0


def free_bets() -> dict[int, Fraction]:
    table = odds.sidebet("pot-of-gold", "free-bet")
    return {0: table.lines[-1].probability} | {7 - n: line.probability for n, line in enumerate(table.lines[:-1])}


def test_edges_of_pot_of_gold() -> None:
    edges = [odds.sidebet("pot-of-gold", "free-bet", paytable=table.name).house_edge for table in POT_OF_GOLD.paytables]
    assert "are {:.4f} and {:.4f} %.".format(*(100 * edge for edge in edges)) in PAGE


@pytest.mark.parametrize(("rule", "six", "endless", "printed"), SWITCHED)
def test_effects_on_switch(rule: str, six: str, endless: str, printed: str) -> None:
    rules = load_game("blackjack-switch").rules
    for base, said in ((rules, six), (rules.replace(decks="infinite"), endless)):
        if said:
            change = odds.analyze(base.replace_text([rule])).house_edge - odds.analyze(base).house_edge
            assert said == f"{100 * change:+.4f}"


@pytest.mark.slow
@pytest.mark.parametrize(("decks", "edge"), [(6, "has 0.5432 %"), (8, "with eight decks 0.5866 %")])
def test_charts_after_the_exchange(decks: int, edge: str) -> None:
    rules = load_game("blackjack-switch").rules.replace(decks=decks)
    assert edge in PAGE
    assert f"{100 * odds.evaluate(rules, odds.basic_strategy(rules)).house_edge:.4f} %" in edge


@pytest.mark.parametrize(("hand", "upcard", "double", "hit", "difference"), HANDS)
def test_disputed_hands(hand: str, upcard: str, double: str, hit: str, difference: str) -> None:
    found = odds.hand_values(hand, upcard, load_game("spanish-21").rules.replace(redoubles=2)).actions
    assert [double, hit] == [f"{found[action]:+.6f}" for action in ("double", "hit")]
    assert difference == f"{found['double'] - found['hit']:+.6f}"


def test_what_the_disputed_hands_show() -> None:
    """By total and upcard, the most cards with which all hands double; with one more all hit."""
    doubled = {}
    for (total, upcard), cell in groupby(HANDS, lambda row: (sum(map(int, row[0].split(","))), row[1])):
        cards = {gain[0] == "+": len(hand.split(",")) for hand, *_, gain in cell}
        assert cards[False] == cards[True] + 1
        doubled[total, upcard] = cards[True]
    assert doubled == {(10, "7"): 3, (10, "8"): 2, (11, "7"): 3, (11, "8"): 3}
