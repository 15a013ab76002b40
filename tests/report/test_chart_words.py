"""What charts say beside their cells: insurance, marked cells, another chart, and that no text becomes markup."""

import csv
import io
import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import odds
from odds.cli.main import app
from odds.files import to_markdown
from odds.game.subject import Subject
from odds.report import charts
from odds.strategy.chart import insurance_words
from odds.strategy.search import chart
from odds.tables.document import Document, Lines, Table, markdown

GAME = "single-deck"


def run(*arguments: str, columns: int = 80) -> Result:
    return CliRunner().invoke(app, ["chart", GAME, *arguments], env={"COLUMNS": str(columns)})


def words(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    best = odds.basic_strategy(odds.load_game(GAME).rules)
    path = tmp_path_factory.mktemp("own") / "mine.csv"
    path.write_text(best.with_code("hard", "20", "6", "H").to_csv(), encoding="utf-8")
    return path


class TestInsurance:
    @pytest.mark.parametrize(
        ("changes", "removed", "says"),
        [
            ({}, "", "never (-0.0588 per unit insured, your cards not looked at); even money: not offered"),
            ({"even_money": True}, "", "even money: never (declined, a blackjack is worth +1.0408)"),
            ({"even_money": True, "blackjack_pays": "6/5"}, "", "always (declined, a blackjack is worth +0.8327)"),
            (
                {"insurance": "ace,ten"},
                "",
                "against an ace never (-0.0588 per unit insured, your cards not looked at); against a ten never "
                "(-0.7647 per unit insured, your cards not looked at); even money: not offered",
            ),
            (
                {"insurance": "ace,ten", "insurance_pays": "47/4"},
                "",
                "with 0 aces among your two cards, else never (+0.0000",
            ),
            ({"insurance": "none"}, "", "not offered; even money: not offered"),
            ({"hole_card": "exposed"}, "", "not offered; even money: not offered"),
            ({}, "2,2,2,2,3,3,3,3", "always (+0.1163"),
            ({}, "2,2,2", "never (+0.0000"),
            ({}, "2,2,2,3", "with 0 tens among your two cards, else never (+0.0213"),
            ({}, "A,A,A,A", "there is no ace for the dealer"),
        ],
    )
    def test_it_is_said_when_to_take_it(self, changes: dict[str, Any], removed: str, says: str) -> None:
        rules = odds.Rules(decks=1, max_hands=1, **changes)
        result = odds.analyze(rules, shoe=rules.shoe().without(removed))
        assert says in insurance_words(result)

    def test_a_declined_blackjack_is_worth_what_the_hand_says(self) -> None:
        result = odds.analyze(odds.Rules(decks=1, max_hands=1, even_money=True, blackjack_tie="win"))
        assert result.declined_even_money == Fraction(3, 2)
        result = odds.analyze(odds.Rules(decks=2, max_hands=1, even_money=True))
        hand = result.hand("A,T", "A")
        assert float(result.declined_even_money or 0) == hand.stand_before_peek

    @pytest.mark.parametrize("form", ["text", "md", "html", "json", "svg"])
    def test_it_stands_under_each_chart(self, form: str) -> None:
        said = words(re.sub(r"<[^>]*>", " ", run("--format", form).stdout))
        for word in ("never (-0.0588 per unit insured", "even money: not offered"):
            assert word in said


class TestOwnCharts:
    def test_wrong_cells_are_marked_and_listed_with_what_they_cost(self, own: Path) -> None:
        result = run("--play", str(own))
        assert result.exit_code == 0
        assert re.search(r"^hard 20 +S +S +S +S +H! ", result.stdout, re.MULTILINE)
        assert re.search(r"^hard 20 against 6 +H +S +0\.0\d{6}$", result.stdout, re.MULTILINE)
        assert max(map(len, result.stdout.splitlines())) <= 80
        said = words(result.stdout)
        assert "Chart mine.csv, played as it says" in said
        assert re.search(
            r"by this chart, 0\.0\d+ percentage points less than by the best chart \(100\.0\d+%\); 100", said
        )
        assert "! another code is better" in said

    @pytest.mark.parametrize("columns", [60, 80])
    def test_an_exposed_chart_fits_the_lines(self, columns: int) -> None:
        rules = odds.load_game("face-up-21").rules
        made = chart(rules, odds.basic_strategy(rules).with_code("hard", "20", "hard 6", "H"))
        game = odds.load_game("face-up-21")
        text = odds.report.common.render(charts.chart_tables(Subject(game, rules), made, False, columns))
        assert "H!" in text

    def test_every_format_has_them(self, own: Path) -> None:
        data = json.loads(run("--play", str(own), "--json").stdout)
        assert (data["play"], data["against"]) == ("mine.csv", None)
        worst = data["marked"][0]
        assert (worst["row"], worst["column"], worst["code"], worst["other"]) == ("20", "6", "H", "S")
        assert data["ev"] < data["chart_ev"] < data["best_ev"]
        rows = list(csv.DictReader(io.StringIO(run("--play", str(own), "--format", "csv").stdout)))
        assert [(row["row"], float(row["cost"])) for row in rows] == [(m["row"], m["cost"]) for m in data["marked"]]
        text = run("--play", str(own), "--format", "md").stdout
        assert "| hard 20 | S | S | S | S | H! |" in text
        assert "## Wrong cells, the worst first" in text
        assert "| hard 20 against 6 | H | S | 0." in text

    def test_the_best_chart_itself_has_no_wrong_cell(self, tmp_path: Path) -> None:
        path = tmp_path / "best.csv"
        path.write_text(odds.basic_strategy(odds.Rules()).to_csv(), encoding="utf-8")
        result = run(*(f"--set={name}" for name in ("decks=8", "double_after_split=true")), "--play", str(path))
        assert "no cells would be better changed" in words(result.stdout)
        assert "played by this chart, the same as by the best chart (" in words(result.stdout)
        assert "!" not in result.stdout

    def test_exceptions_are_said_not_to_be_shown(self, tmp_path: Path) -> None:
        path = tmp_path / "mine.csv"
        text = odds.basic_strategy(odds.load_game(GAME).rules).to_csv()
        path.write_text(text + 'exceptions,"2,T",' + ",".join(["H"] * 10) + "\n", encoding="utf-8")
        assert "no chart shows them" in run("--play", str(path)).stderr


class TestAgainst:
    @pytest.mark.parametrize(
        ("other", "name", "place"),
        [
            ("dealer_hits_soft_17=true", "the best chart if: dealer hits soft 17", ("soft", "18", "A")),
            ("dealer_hits_soft_17=true,decks=8", "the best chart if: 8 decks; dealer hits soft 17", ("hard", "8", "5")),
            ("hole_card=peek,peek_under=T", "the best chart if: dealer peeks under tens only", ("hard", "11", "A")),
            ("max_hands=1", "the best chart if: no splitting", ("pairs", "8,8", "T")),
            (
                "classic-blackjack",
                f"the best chart of {odds.load_game('classic-blackjack').title}",
                ("hard", "16", "T"),
            ),
        ],
    )
    def test_cells_that_are_not_as_in_another_chart(self, other: str, name: str, place: tuple[str, str, str]) -> None:
        data = json.loads(run("--against", other, "--json").stdout)
        assert data["against"] == name
        assert place in [(item["section"], item["row"], item["column"]) for item in data["marked"]]
        assert data["against_ev"] < data["ev"]
        assert all(item["cost"] > -1e-13 for item in data["marked"])  # the chart is the best one

    def test_own_against_best(self, own: Path) -> None:
        result = run("--play", str(own), "--against", "total")
        said = words(result.stdout)
        assert "1 cell is not as in the best chart" in said
        assert "Cells that are not as in the best chart" in said
        assert "! the other chart says otherwise" in said
        assert "percentage points more" in said

    def test_a_chart_against_the_same_one(self, own: Path) -> None:
        other = own.with_name("other.csv")
        other.write_text(own.read_text(encoding="utf-8"), encoding="utf-8")
        said = words(run("--play", str(own), "--against", str(other)).stdout)
        assert re.search(r"no cells are not as in other.csv, which returns 9.*% here: the same Insurance", said)

    def test_best_against_a_file(self, own: Path) -> None:
        rows = list(csv.DictReader(io.StringIO(run("--against", str(own), "--format", "csv").stdout)))
        assert [(row["row"], row["column"], row["code"], row["other"]) for row in rows] == [("20", "6", "S", "H")]
        assert float(rows[0]["cost"]) > 0

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--against", "total"], "expected --play FILE too"),
            (["--against", "decks=1"], "the rules of the game already"),
            (["--against", "decks=0"], "decks: expected"),
            (["--against", "nope"], "unknown game"),
            (["--against", "face-up-21"], "expected a column for the dealer's 2"),
            (["--against", "no.csv"], "no.csv"),
            (["--play", "composition"], "--play: expected total or a strategy file"),
            (["--play", "nope"], "--play: expected"),
            (["--kind", "composition", "--against", "decks=8"], "expected no --play and no --against"),
        ],
    )
    def test_bad_questions_are_refused(self, arguments: list[str], message: str) -> None:
        result = run(*arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert message in result.stderr
        assert result.stderr.count("\n") == 1


class TestMarkdown:
    EVIL = "<script>alert(1)</script> & *a* _b_ a|b `c` [d](e)\nf"
    SAFE = r"&lt;script&gt;alert(1)&lt;/script&gt; &amp; \*a\* \_b\_ a\|b \`c\` \[d\](e) f"

    def test_words_stay_words(self) -> None:
        assert to_markdown("hard_16 8,8 - +1.5% (a)") == "hard_16 8,8 - +1.5% (a)"
        assert to_markdown(self.EVIL) == self.SAFE
        assert to_markdown("as `a|b*` <i>", code=True) == "as `a|b*` &lt;i&gt;"
        assert to_markdown("one ` only", code=True) == r"one \` only"

    def test_a_chart_escapes_its_title(self) -> None:
        game = odds.load_game(GAME)
        rules = game.rules.replace(max_hands=1)
        text = charts.chart_markdown(Subject(replace(game, title=self.EVIL), rules), chart(rules), False)
        assert text.startswith(f"# {self.SAFE}\n")

    def test_a_document_escapes_everything_but_its_code(self) -> None:
        table = Table(self.EVIL, ("A", self.EVIL), (("b", self.EVIL),), self.EVIL)
        text = markdown(Document(self.EVIL, (("Source", self.EVIL),), (table, Lines("L", (self.EVIL, "`1/3`")))))
        assert "<" not in text
        assert text.count("&lt;script&gt;") == 7
        assert f"| b | {self.SAFE} |" in text
        assert "\n- `1/3`\n" in text


@pytest.mark.parametrize(("double_cards", "looks"), [("2", "totals only"), ("3", "totals and numbers of cards only")])
def test_results_say_what_a_chart_looks_at_and_when_to_raise(double_cards: str, looks: str) -> None:
    rules = ("decks=1", "max_hands=1", "raise_after_upcard=1", f"double_cards={double_cards}")
    settings = [word for rule in rules for word in ("--set", rule)]
    for command in (["rtp"], ["outcomes"], ["confidence", "--rounds", "1000000"]):
        text = words(CliRunner().invoke(app, [*command, GAME, *settings, "--play", "total"]).stdout)
        assert f"the best chart found that looks at {looks}, also after a split" in text
        assert re.search("Raise +against 2 3 4 5 6 7 8", text)
