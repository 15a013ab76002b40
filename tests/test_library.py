"""The library as a notebook uses it: what its functions take, and how every result shows itself."""

import json
import pickle
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, ClassVar

import pytest

import odds
from odds.game.rules import Rules
from odds.results.boxes import boxes
from odds.results.dealer import exact_distribution
from odds.results.exact import exact_hand
from odds.results.hand import situation_of
from odds.shown import MOST_ROWS, Shown, table_html
from odds.sidebets import SideBetFormula, Solution, load_side_bet, solve, symbolic
from odds.strategy.chart import derive_chart
from odds.strategy.search import cell_costs
from odds.strategy.table import uniform

NAME = "eight-deck-s17"
SMALL = Rules(decks=1, max_hands=1)
SHOE = odds.Shoe.of_decks(8).without("T,5")

WITHOUT_RULES = (Rules, odds.Sweep, odds.Strategy, odds.SideBet, odds.SideBetResult, SideBetFormula, Solution)
RESULTS: dict[str, Callable[[], Shown]] = {
    "Game": lambda: odds.load_game("classic-blackjack"),
    "Rules": lambda: Rules(decks=6, dealer_wins_ties=(17, 18)),
    "RoundResult": lambda: odds.analyze(NAME),
    "RoundResult followed": lambda: odds.evaluate(SMALL, odds.basic_strategy(SMALL)),
    "ExactRound": lambda: odds.analyze(SMALL).exact(),
    "HandResult": lambda: odds.hand_values("A,T", "A", Rules(even_money=True)),
    "ExactHand": lambda: exact_hand(situation_of("T,6", "9", SMALL)),
    "DealerDistribution": lambda: odds.dealer_distribution(SHOE, "T", NAME),
    "ExactDealer": lambda: exact_distribution(odds.Shoe.of_decks(8), "A", NAME),
    "Outcomes": lambda: odds.outcomes(SMALL),
    "Outcomes dealt": lambda: odds.outcomes(NAME),
    "ExactOutcomes": lambda: odds.outcomes(SMALL).exact(),
    "Confidence": lambda: odds.confidence(SMALL, 1000),
    "Boxes": lambda: boxes(SMALL),
    "Strategy": lambda: replace(odds.basic_strategy(SMALL), exceptions={("2,T", "4"): "H"}),
    "Chart": lambda: odds.chart(SMALL),
    "Chart of a strategy": lambda: odds.chart(SMALL, uniform(SMALL, "<mimic>", {"hard": 17, "soft": 17})),
    "Chart derived": lambda: derive_chart(odds.analyze(Rules(hole_card="exposed"))),
    "Deviations": lambda: odds.deviations(SMALL),
    "Reconciliation": lambda: odds.reconcile(NAME, "99.57%"),
    "SideBet": lambda: load_side_bet("lucky-ladies"),
    "SideBetResult": lambda: odds.sidebet("lucky-ladies", NAME),
    "SideBetFormula": lambda: symbolic(load_side_bet("21+3"), load_side_bet("21+3").paytable(), odds.Rules()),
    "Solution": lambda: solve(load_side_bet("21+3"), odds.sidebet("21+3"), "flush", Fraction(96, 100)),
    "Sweep": lambda: odds.sweep(SMALL, {"decks": [1, 2], "blackjack_pays": ["3/2", "6/5"]}),
    "SimulationResult": lambda: odds.simulate(SMALL, rounds=1000, seed=1),
}


@cache
def strategy() -> odds.Strategy:
    return odds.basic_strategy(NAME)


@cache
def made(name: str) -> Shown:
    return RESULTS[name]()


class Page(HTMLParser):
    """Checks that every tag is closed in its turn, and keeps the texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.mark.parametrize("name", RESULTS)
class TestEveryResult:
    def test_has_rows_of_plain_values_with_the_same_columns(self, name: str) -> None:
        rows = made(name).to_rows()
        assert rows
        for row in rows:
            assert list(row) == list(rows[0])
            assert {type(value) for value in row.values()} <= {str, int, float, bool, type(None)}
            for column, value in row.items():
                if column.endswith("_exact") and value is not None:
                    assert row[column.removesuffix("_exact")] == float(Fraction(value))
        assert json.loads(json.dumps(rows)) == rows

    def test_is_one_line_that_names_itself_and_its_rules(self, name: str) -> None:
        result = made(name)
        line = repr(result)
        assert "\n" not in line
        assert len(line) < 500
        assert "…" not in line
        assert type(result).__name__ in line
        if not isinstance(result, WITHOUT_RULES):
            assert re.search(r"Rules: [18]D, S17, (DE, )?3:2, DOA, .*(SPL|no splitting)", line)

    def test_is_a_table_in_a_notebook(self, name: str) -> None:
        result = made(name)
        page = Page(result._repr_html_())
        for label, text, *more in result.facts():
            assert label in page.texts
            assert any((more[-1] if label == "Rules" else text) in said for said in page.texts)
        assert {"script", "mimic"}.isdisjoint(page.tags)
        assert page.tags.count("tr") <= 2 * MOST_ROWS

    def test_can_be_sent_to_another_process(self, name: str) -> None:
        assert repr(pickle.loads(pickle.dumps(made(name)))) == repr(made(name))


class TestRows:
    def test_of_a_side_bet_add_up_to_its_ev(self) -> None:
        table = made("SideBetResult")
        assert isinstance(table, odds.SideBetResult)
        rows = table.to_rows()
        assert sum(Fraction(row["probability_exact"]) for row in rows) == 1
        assert sum(Fraction(row["return_exact"]) for row in rows) == table.exact_ev
        assert sum(row["combinations"] for row in rows) == table.total_combinations

    def test_of_outcomes_have_their_moments(self) -> None:
        found, exact = made("Outcomes"), made("ExactOutcomes")
        assert isinstance(found, odds.Outcomes)
        assert sum(row["net"] * row["probability"] for row in found.to_rows()) == pytest.approx(found.mean, abs=1e-14)
        mean = sum(Fraction(row["net_exact"]) * Fraction(row["probability_exact"]) for row in exact.to_rows())
        assert float(mean) == pytest.approx(found.mean, abs=1e-14)
        dealt = made("Outcomes dealt")
        assert "Three hands or more: 0.272812% of rounds, dealt" in repr(dealt)
        assert sum(row["net"] * row["probability"] for row in dealt.to_rows()) == pytest.approx(dealt.mean, abs=1e-14)

    def test_of_a_hand_begin_with_what_is_played(self) -> None:
        rows = odds.hand_values("8,8", "T", NAME).to_rows()
        assert [row["best"] for row in rows] == [True, *[False] * (len(rows) - 1)]
        assert rows[0]["action"] == "split"

    def test_of_the_dealer_are_probabilities(self) -> None:
        rows = made("DealerDistribution").to_rows()
        assert sum(row["unconditional"] for row in rows) == pytest.approx(1)
        assert sum(row["given_no_blackjack"] or 0 for row in rows) == pytest.approx(1)
        assert [row["outcome"] for row in rows if row["given_no_blackjack"] is None] == ["blackjack"]

    def test_of_a_game_say_how_each_rule_is_known(self) -> None:
        game = made("Game")
        assert isinstance(game, odds.Game)
        rows = {row["field"]: row for row in game.to_rows()}
        assert {name: row["status"] for name, row in rows.items()} == {
            name: known.status for name, known in game.provenance.items()
        }
        assert rows["peek_under"]["other_readings"] == "dealer peeks under tens only"
        assert not rows["max_hands"]["default"]

    def test_of_a_strategy_make_it_again(self) -> None:
        strategy = made("Strategy")
        assert isinstance(strategy, odds.Strategy)
        for row in strategy.to_rows():
            if row["section"] == "exceptions":
                assert strategy.exceptions[row["row"], row["column"]] == row["code"]
            else:
                assert strategy.code(row["section"], row["row"], row["column"]) == row["code"]

    def test_of_a_simulation_count_its_rounds(self) -> None:
        assert sum(row["rounds"] for row in made("SimulationResult").to_rows()) == 1000


class TestFacts:
    def test_a_hand_says_what_its_values_are_given(self) -> None:
        for hole_card, given in (("peek", "no dealer blackjack"), ("none", "both hands")):
            facts = odds.hand_values("T,6", "T", Rules(hole_card=hole_card)).facts()
            assert ("Given", given) in facts

    def test_cards_that_are_missing_are_said(self) -> None:
        full, less = odds.analyze(SMALL), odds.analyze(SMALL, shoe=SMALL.shoe().without("5,5"))
        assert "Shoe" not in dict(fact[:2] for fact in full.facts())
        assert ("Shoe", "50 cards") in [fact[:2] for fact in less.facts()]
        assert "50 cards" in repr(less)
        assert "5:2" in less._repr_html_()
        assert "50 cards" in repr(odds.chart(SMALL, shoe=less.shoe))
        assert "50 cards" in repr(odds.deviations(SMALL, shoe=less.shoe))
        assert "Unseen: 47 cards" in repr(less.hand("T,6", "9"))

    def test_a_shoe_that_can_run_out_is_said(self) -> None:
        result = odds.analyze(Rules(), shoe=odds.Shoe.of_counts([4] * 3 + [1] * 7))
        assert result.shoe_can_run_out
        assert "run out" in repr(result)
        assert "run out" in repr(result.hand("2,2", "9"))

    def test_what_is_exact_is_said(self) -> None:
        assert "Numbers: doubles" in repr(made("RoundResult"))
        assert "certified to be the best of its class" in repr(made("ExactRound"))
        followed = made("RoundResult followed")
        assert isinstance(followed, odds.RoundResult)
        assert "as it was given" in repr(followed.exact())

    def test_wrong_cells_of_a_chart_are_marked(self) -> None:
        chart = made("Chart of a strategy")
        assert isinstance(chart, odds.Chart)
        assert ("Marked", f"{len(chart.marked())} cells") in [fact[:2] for fact in chart.facts()]
        texts = Page(chart._repr_html_()).texts
        assert "H (D)" in texts
        section, row, column, cell = chart.marked()[0]
        at = texts.index(f"{section} {row} against {column}" if section != "pairs" else f"{row} against {column}")
        assert cell.cost is not None
        assert texts[at + 1 : at + 4] == [cell.code, cell.other, f"{-cell.cost:.10f}"]

    def test_a_chart_says_when_to_insure(self) -> None:
        shoe = odds.Shoe.of_counts([4] * 9 + [36])
        assert "never" in dict(fact[:2] for fact in odds.chart(SMALL).facts())["Insurance"]
        assert "always" in dict(fact[:2] for fact in odds.chart(SMALL, shoe=shoe).facts())["Insurance"]

    def test_numbers_of_a_column_can_be_compared(self) -> None:
        rows = [{"x": 0.25, "n": 12345678, "y": 1.5e-9}, {"x": -1.0, "n": 1, "y": 0.0}]
        texts = Page(table_html(rows)).texts
        assert texts == ["x", "n", "y", "0.2500000000", "12,345,678", "1.5e-09", "-1", "1", "0"]


class TestAnyGame:
    """What takes rules takes a game too, by itself, by its name or by its file."""

    CALLS: ClassVar[dict[str, Callable[[Any], Any]]] = {
        "analyze": lambda game: odds.analyze(game).to_dict(),
        "basic_strategy": odds.basic_strategy,
        "boxes": boxes,
        "cell_costs": lambda game: cell_costs(game, strategy()),
        "chart": odds.chart,
        "check": lambda game: strategy().check(game),
        "confidence": lambda game: odds.confidence(game, 500),
        "dealer_distribution": lambda game: odds.dealer_distribution(SHOE, "T", game),
        "deviations": odds.deviations,
        "evaluate": lambda game: odds.evaluate(game, strategy()).to_dict(),
        "exact_distribution": lambda game: exact_distribution(SHOE, "T", game),
        "hand_values": lambda game: odds.hand_values("8,8", "T", game),
        "last_box": lambda game: odds.last_box(game, 1).to_dict(),
        "outcomes": odds.outcomes,
        "sidebet": lambda game: odds.sidebet("21+3", game),
        "simulate": lambda game: odds.simulate(game, rounds=100, seed=1),
        "tables": lambda game: sorted(strategy().tables(game)),
        "uniform": lambda game: uniform(game, "mimic", {"hard": 17, "soft": 17}),
    }

    @pytest.mark.parametrize("name", CALLS)
    def test_is_taken(self, name: str) -> None:
        call, game = self.CALLS[name], odds.load_game(NAME)
        assert call(game) == call(NAME) == call(game.rules)

    def test_is_read_from_its_file(self, tmp_path: Path) -> None:
        file = tmp_path / "mine.toml"
        file.write_text('name = "mine"\ntitle = "Mine"\nsource = "me"\n[states]\ndecks = 3\n')
        assert odds.analyze(file).rules == odds.analyze(str(file)).rules == Rules(decks=3)

    def test_a_strategy_is_read_from_its_file(self, tmp_path: Path) -> None:
        (tmp_path / "mine.csv").write_text(strategy().to_csv())
        assert odds.read_strategy(str(tmp_path / "mine.csv")) == odds.read_strategy(tmp_path / "mine.csv")

    @pytest.mark.parametrize("name", CALLS)
    def test_is_told_from_anything_else(self, name: str) -> None:
        for wrong, came in ((3, "int 3"), (None, "NoneType None"), ({"decks": 8}, "dict {'decks': 8}")):
            if name == "sidebet" and wrong is None:
                continue
            with pytest.raises(odds.RulesError, match="expected a game, rules, or the name or file of a game") as said:
                self.CALLS[name](wrong)
            assert came in str(said.value)

    def test_readings_need_a_game(self) -> None:
        assert odds.reconcile(NAME) == odds.reconcile(odds.load_game(NAME))
        with pytest.raises(odds.RulesError, match="expected a game, or its name or file, got Rules Rules\\(\\)"):
            odds.reconcile(Rules())  # type: ignore[arg-type]
        with pytest.raises(odds.OddsError, match="published percentage"):
            odds.reconcile(NAME, "much")

    def test_a_round_stands_for_its_game(self) -> None:
        result = odds.analyze(SMALL)
        assert odds.outcomes(result) == odds.outcomes(SMALL)
        assert odds.confidence(result, 500) == odds.confidence(odds.outcomes(SMALL), 500)


WRONG: dict[str, tuple[Callable[[Any], object], type[Exception], str]] = {
    "strategy file": (odds.read_strategy, odds.StrategyError, "the path of a strategy"),
    "strategy": (lambda wrong: odds.evaluate(NAME, wrong), odds.StrategyError, "a Strategy"),
    "chart": (lambda wrong: odds.chart(SMALL, wrong), odds.StrategyError, "a Strategy"),
    "other chart": (lambda wrong: odds.chart(SMALL, against=wrong), odds.StrategyError, "a Strategy"),
    "shoe": (lambda wrong: odds.analyze(NAME, shoe=wrong), odds.ShoeError, "a Shoe"),
    "hand's shoe": (lambda wrong: odds.hand_values("T,6", "9", NAME, shoe=wrong), odds.ShoeError, "a Shoe"),
    "dealer's shoe": (lambda wrong: odds.dealer_distribution(wrong, "T", NAME), odds.ShoeError, "a Shoe"),
    "side bet's shoe": (lambda wrong: odds.sidebet("21+3", shoe=wrong), odds.ShoeError, "a Shoe or a SuitedShoe"),
    "game file": (odds.load_game, odds.CatalogError, "the name or file of a game"),
    "side bet": (odds.sidebet, odds.PaytableError, "the name or file of a side bet"),
    "figure": (lambda wrong: odds.reconcile(NAME, wrong), odds.OddsError, "a published percentage as a text"),
    "rounds": (lambda wrong: odds.confidence(NAME, wrong), odds.OddsError, "a whole number from 1 to"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_something_else_is_refused(name: str) -> None:
    call, error, expected = WRONG[name]
    with pytest.raises(error, match=f"expected {expected}.*, got (float )?0.5"):
        call(0.5)


def test_rounds_as_notebooks_write_them() -> None:
    assert odds.confidence(SMALL, 1e6) == odds.confidence(SMALL, 1_000_000)
    assert odds.simulate(SMALL, rounds=1e3, seed=1).rounds == 1000


def test_cards_are_texts() -> None:
    for wrong in (["8", "8"], 10):
        with pytest.raises(odds.HandError, match="expected cards as a text, such as 'T,6', got"):
            odds.hand_values(wrong, "T", NAME)  # type: ignore[arg-type]
        with pytest.raises(odds.HandError, match="expected cards as a text"):
            odds.hand_values("8,8", wrong, NAME)  # type: ignore[arg-type]
        with pytest.raises(odds.HandError, match="expected cards as a text, such as '9,T / 6,A', got"):
            odds.deal_values(wrong, "T", odds.Rules(switch=True))  # type: ignore[arg-type]


class TestPicture:
    def test_a_notebook_shows_it(self) -> None:
        chart = odds.chart(SMALL)
        for form, kind in (("svg", "image/svg+xml"), ("html", "text/html"), ("pdf", "application/pdf")):
            shown = odds.picture(chart, form, title="A & B")
            bundle = shown._repr_mimebundle_(include=None, exclude=None)
            assert bundle["text/plain"] == repr(shown) == f"<Picture {form}: A & B>"
            assert len(bundle[kind]) > 2000
        assert "A &amp; B" in odds.picture(chart, title="A & B")._repr_mimebundle_()["image/svg+xml"]

    def test_is_saved_as_it_is(self, tmp_path: Path) -> None:
        shown = odds.picture(NAME)
        assert shown.title == odds.load_game(NAME).title
        shown.save(tmp_path / "chart.svg")
        content = shown.content if isinstance(shown.content, bytes) else shown.content.encode()
        assert (tmp_path / "chart.svg").read_bytes() == content

    def test_says_which_cards_are_gone(self) -> None:
        shoe = SMALL.shoe().without("5,K,T")
        assert "5,T,K from the shoe" in odds.picture(odds.chart(SMALL, shoe=shoe)).content.decode()  # type: ignore[union-attr]
        with pytest.raises(odds.ShoeError, match="expected a chart of 1 deck"):
            odds.picture(odds.chart(SMALL, shoe=odds.Shoe.of_decks(2)))

    def test_is_refused_where_it_is_none(self) -> None:
        with pytest.raises(odds.RulesError, match="form: expected svg, png, pdf, html, got 'bmp'"):
            odds.picture(NAME, "bmp")
        with pytest.raises(odds.RulesError, match=r"expected a chart, a game, rules.*got int 3"):
            odds.picture(3)  # type: ignore[arg-type]


def test_texts_of_files_are_escaped() -> None:
    game = replace(odds.load_game(NAME), title="<script>alert(1)</script>", source="A & B")
    text = game._repr_html_()
    assert "<script" not in text
    assert "A &amp; B" in text


def test_every_public_name_is_there() -> None:
    for name in odds.__all__:
        assert getattr(odds, name) is not None
