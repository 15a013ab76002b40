"""Charts: their cells, the hands that are better played otherwise, and the formats they are written in."""

import csv
import io
import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from strategies import ONE_HAND
from typer.testing import CliRunner

import odds
from odds.cli.main import app
from odds.engine.terms import terms_of
from odds.results.groups import round_by_group, start_groups
from odds.strategy.chart import Chart, derive_chart, differences, row_of, total_gain
from odds.strategy.codes import CODES

# The chart of 4 to 8 decks, dealer stands on soft 17, double after a split, late surrender, as it is printed in many
# places; upcards 2 to 9, T, A. Rows that the printed chart leaves out or folds into others are written out.
BASIC_STRATEGY = {
    "hard": """
        4  H H H H H H H H H H
        5  H H H H H H H H H H
        6  H H H H H H H H H H
        7  H H H H H H H H H H
        8  H H H H H H H H H H
        9  H D D D D H H H H H
        10 D D D D D D D D H H
        11 D D D D D D D D D H
        12 H H S S S H H H H H
        13 S S S S S H H H H H
        14 S S S S S H H H H H
        15 S S S S S H H H Rh H
        16 S S S S S H H Rh Rh Rh
        17 S S S S S S S S S S
        18 S S S S S S S S S S
        19 S S S S S S S S S S
        20 S S S S S S S S S S""",
    "soft": """
        13 H H H D D H H H H H
        14 H H H D D H H H H H
        15 H H D D D H H H H H
        16 H H D D D H H H H H
        17 H D D D D H H H H H
        18 S Ds Ds Ds Ds S S H H H
        19 S S S S S S S S S S
        20 S S S S S S S S S S""",
    "pairs": """
        A,A P P P P P P P P P P
        2,2 P P P P P P H H H H
        3,3 P P P P P P H H H H
        4,4 H H H P P H H H H H
        5,5 D D D D D D D D H H
        6,6 P P P P P H H H H H
        7,7 P P P P P P H H H H
        8,8 P P P P P P P P P P
        9,9 P P P P P S P P S S
        T,T S S S S S S S S S S""",
}


@cache
def result_of(game: str, **changes: str) -> odds.RoundResult:
    return odds.analyze(odds.load_game(game).rules.replace_text(f"{name}={value}" for name, value in changes.items()))


def chart_of(name: str, **changes: str) -> Chart:
    return derive_chart(result_of(name, **changes))


def codes(chart: Chart) -> dict[tuple[str, str, str], str]:
    return {(section, row, column): cell.code for section, row, column, cell in chart.cells()}


class TestCells:
    def test_basic_strategy(self) -> None:
        found = codes(chart_of("classic-blackjack"))
        for section, text in BASIC_STRATEGY.items():
            for line in text.split("\n")[1:]:
                row, *expected = line.split()
                assert [found[section, row, upcard] for upcard in "23456789TA"] == expected, (section, row)

    def test_dealer_hits_soft_17(self) -> None:
        found = codes(chart_of("vegas-strip"))
        cells = {
            ("hard", "11", "A"): "D",
            ("hard", "15", "A"): "Rh",
            ("hard", "17", "A"): "Rs",
            ("soft", "18", "2"): "Ds",
            ("soft", "19", "6"): "Ds",
            ("pairs", "8,8", "A"): "Rp",
        }
        assert {place: found[place] for place in cells} == cells

    def test_surrender_for_the_whole_wager_falls_back_to_doubling(self) -> None:
        rules = {"surrender": "early", "surrender_returns": "1"}
        found = codes(chart_of("classic-blackjack", **rules))
        assert found["hard", "11", "A"] == "Rh"
        assert found["hard", "11", "T"] == "D"
        assert codes(chart_of("classic-blackjack", dealer_hits_soft_17="true", **rules))["hard", "11", "A"] == "Rd"
        assert found["hard", "17", "A"] == "Rs"
        assert found["pairs", "8,8", "A"] == "Rp"

    def test_cells_are_averages_over_hands(self) -> None:
        chart = chart_of("classic-blackjack")
        cell = chart.cell("hard", "16", "T")
        assert cell is not None
        left = odds.Shoe.of_decks(8).without("T")
        hands = {"7,9": 2 * 32 * 32, "6,T": 2 * 32 * 127}
        rules = chart.rules
        weights, values = {}, {}
        for player, ways in hands.items():
            # What is shown is given no dealer blackjack, so that is in the weights too.
            p = Fraction(left.without(player).counts[0], 413)
            weights[player] = Fraction(ways, 415 * 414) * (1 - p)
            values[player] = odds.hand_values(player, "T", rules).actions
        total = float(sum(weights.values()))
        for action in ("stand", "hit", "double", "surrender"):
            average = sum(float(weights[p]) * values[p][action] for p in hands) / total
            assert cell.values[action] == pytest.approx(average, abs=1e-13, rel=0)
        assert cell.action == "surrender"
        assert cell.gap == pytest.approx(cell.values["surrender"] - cell.values["hit"], abs=1e-15, rel=0)
        assert cell.probability == pytest.approx(float(Fraction(4, 13) * (2 * 32 * 159) / (415 * 414)), abs=1e-15)

    def test_pairs_have_a_row_of_their_own(self) -> None:
        chart = chart_of("classic-blackjack")
        pair, total = chart.cell("pairs", "T,T", "6"), chart.cell("hard", "20", "6")
        assert pair is not None
        assert total is not None
        assert set(pair.values) == {"stand", "hit", "double", "split", "surrender"}
        assert set(total.values) == {"stand", "hit", "double", "surrender"}
        assert {action: pair.values[action] for action in total.values} == total.values
        assert "split" not in next(cell for *place, cell in chart.cells() if place == ["hard", "12", "6"]).values

    def test_without_splits_pairs_count_by_their_total(self) -> None:
        chart = chart_of("classic-blackjack", max_hands="1")
        assert [section.name for section in chart.sections] == ["hard", "soft"]
        cell = chart.cell("hard", "20", "T")
        assert cell is not None
        assert cell.probability == pytest.approx(float(Fraction(4, 13) * Fraction(127 * 126, 415 * 414)))
        sixteen, with_pairs = chart_of("classic-blackjack").cell("hard", "16", "T"), chart.cell("hard", "16", "T")
        assert sixteen is not None
        assert with_pairs is not None
        assert with_pairs.probability > sixteen.probability

    def test_unlike_tens_are_hard_20_where_ranks_split(self) -> None:
        result = result_of("eight-deck-s17", split_by="rank")
        rows = {
            decision.hand.label: row_of(decision.hand, result.terms.legal) for decision in result.by_start[0].decisions
        }
        assert rows["T,T"] == ("pairs", "T,T")
        assert rows["K,Q"] == ("hard", "20")
        assert rows["A,7"] == ("soft", "18")

    def test_every_code_has_words(self) -> None:
        for name in ONE_HAND:
            assert set(codes(chart_of(name)).values()) <= set(CODES)

    def test_probabilities_cover_every_deal_but_blackjacks(self) -> None:
        for name in ("classic-blackjack", "face-up-21"):
            result = result_of(name)
            rows = derive_chart(result).to_rows()
            own = [
                row
                for row in rows
                if (row["section"], row["row"]) not in (("hard", "4"), ("hard", "20"), ("soft", "12"))
            ]
            played = sum(
                start.probability * decision.probability
                for start in result.by_start
                for decision in start.decisions
                if decision.joint
            )
            assert sum(row["probability"] for row in own) == pytest.approx(played, abs=1e-12)


class TestExposed:
    def test_columns_are_the_dealers_totals(self) -> None:
        chart = chart_of("face-up-21")
        hard = [f"hard {total}" for total in range(4, 21)]
        soft = [f"soft {total}" for total in range(12, 21)]
        assert [column.label for column in chart.columns] == hard + soft
        assert chart.columns[2].starts == ("2,4", "3,3")

    def test_cells(self) -> None:
        found = codes(chart_of("face-up-21"))
        cells = {
            ("hard", "20", "hard 20"): "H",  # the dealer wins ties
            ("hard", "17", "hard 16"): "S",
            ("hard", "11", "hard 16"): "D",
            ("hard", "11", "hard 20"): "H",
            ("pairs", "8,8", "hard 16"): "P",
            ("pairs", "T,T", "hard 16"): "P",
            ("soft", "18", "hard 17"): "S",
        }
        assert {place: found[place] for place in cells} == cells

    def test_groups_of_starts(self) -> None:
        rules = odds.load_game("face-up-21").rules
        groups = start_groups(terms_of(rules).dealer)
        assert sum(len(group.starts) for group in groups) == 55
        assert groups[-1].starts == ("A,T",)
        rows = round_by_group(result_of("face-up-21"))
        assert sum(row.probability for row in rows) == pytest.approx(1, abs=1e-12)
        ev = sum(row.probability * row.ev for row in rows)
        assert ev == pytest.approx(result_of("face-up-21").ev, abs=1e-12)


class TestDifferences:
    def test_single_deck(self) -> None:
        result = result_of("single-deck")
        found = differences(result, derive_chart(result))
        best = {(item.player, item.dealer): (item.chart, item.best) for item in found}
        assert best["2,T", "4"] == ("stand", "hit")
        assert best["3,T", "2"] == ("stand", "hit")
        assert best["2,6", "6"] == ("double", "hit")
        assert best["4,8", "3"] == ("hit", "stand")
        hand = result.hand("2,T", "4").actions
        item = next(item for item in found if (item.player, item.dealer) == ("2,T", "4"))
        assert item.gain == pytest.approx(hand["hit"] - hand["stand"], abs=1e-14, rel=0)
        assert item.probability == pytest.approx(4 / 52 * 2 * 4 * 16 / (51 * 50))

    def test_gains_add_up_to_what_the_chart_costs(self) -> None:
        result = result_of("single-deck")
        chart = derive_chart(result)
        cost = 0.0
        for start in result.by_start:
            for decision in start.decisions:
                if decision.joint:
                    cell = chart.cell(*row_of(decision.hand, result.terms.legal), start.start)
                    assert cell is not None
                    lost = max(decision.joint.values()) - decision.joint[cell.action]
                    cost += start.probability * decision.probability * lost
        assert total_gain(differences(result, chart)) == pytest.approx(cost, abs=1e-12)
        assert cost > 1e-4

    def test_none_where_the_chart_says_it_all(self) -> None:
        result = result_of("classic-blackjack")
        assert differences(result, derive_chart(result)) == ()


def run(*args: str, columns: int = 80) -> str:
    result = CliRunner().invoke(app, ["chart", *args], env={"COLUMNS": str(columns)})
    assert result.exit_code == 0, result.stderr
    return result.stdout


class TestCompact:
    def test_rows_that_say_the_same_are_folded(self) -> None:
        chart = chart_of("classic-blackjack")
        folded = chart.compact()
        labels = {section.name: [row.label for row in section.rows] for section in folded.sections}
        assert labels["hard"] == ["4–8", "9", "10", "11", "12", "13–14", "15", "16", "17+"]
        assert labels["pairs"][:3] == ["A,A", "2,2–3,3", "4,4"]
        for whole, part in zip(chart.sections, folded.sections, strict=True):
            assert [name for row in part.rows for name in row.rows] == [row.label for row in whole.rows]
            says = {name: row for row in part.rows for name in row.rows}
            for row in whole.rows:
                assert [cell and cell.code for cell in says[row.label].cells] == [
                    cell and cell.code for cell in row.cells
                ]

    def test_aces_marks_and_hits_on_20(self) -> None:
        chart = chart_of("classic-blackjack")
        hard, soft, pairs = chart.sections
        first = pairs.rows[0]
        alike = replace(pairs, rows=(first, *(replace(row, cells=first.cells) for row in pairs.rows[1:])))
        hitting = [replace(row, cells=hard.rows[0].cells) for row in hard.rows]
        wrong = tuple(cell and replace(cell, cost=-1.0, other="S") for cell in hard.rows[0].cells)
        hitting[3] = replace(hitting[3], cells=wrong)
        folded = replace(chart, sections=(replace(hard, rows=tuple(hitting)), soft, alike)).compact()
        assert [row.label for row in folded.sections[0].rows] == ["4–6", "7", "8–20"]
        assert [row.label for row in folded.sections[2].rows] == ["A,A", "2,2–T,T"]


class TestFormats:
    def test_text(self) -> None:
        text = run("classic-blackjack")
        assert "hard 16  S  S  S  S  S  H  H Rh Rs Rh" in text
        assert "no change of a single cell improves the EV" in " ".join(text.split())
        assert "99.58912% played by this chart, 99.59004% by the best play" in " ".join(text.split())
        assert "Rh surrender, else hit" in " ".join(text.split())

    @pytest.mark.parametrize("evs", [[], ["--evs"]])
    @pytest.mark.parametrize("columns", [60, 80, 200])
    def test_text_fits(self, columns: int, evs: list[str]) -> None:
        for game in ("classic-blackjack", "face-up-21"):
            lines = run(game, *evs, columns=columns).splitlines()
            assert max(map(len, lines)) <= columns
            assert not any("…" in line for line in lines)
            assert sum(line.startswith("hard 16") for line in lines) >= (2 if game == "face-up-21" else 1)

    def test_values_in_text(self) -> None:
        lines = run("classic-blackjack", "--evs").splitlines()
        at = next(place for place, line in enumerate(lines) if line.startswith("hard 16"))
        assert lines[at].split()[-3:] == ["Rh", "Rs", "Rh"]
        assert lines[at + 1].split()[-1] == "-0.500"
        assert float(lines[at + 2].split()[-1]) == pytest.approx(0.515 - 0.5, abs=0.003)

    def test_csv(self) -> None:
        rows = list(csv.DictReader(io.StringIO(run("classic-blackjack", "--format", "csv"))))
        assert list(rows[0]) == ["section", "row", *"23456789TA"]
        assert len(rows) == 17 + 9 + 10
        assert list(rows[12].values()) == ["hard", "16", *"SSSSSHH", "Rh", "Rs", "Rh"]

    def test_csv_with_values(self) -> None:
        rows = list(csv.DictReader(io.StringIO(run("classic-blackjack", "--format", "csv", "--evs"))))
        cells = {(row["section"], row["row"], row["column"]): row for row in rows}
        assert len(cells) == 36 * 10
        eights = cells["pairs", "8,8", "T"]
        hand = result_of("classic-blackjack").hand("8,8", "T").actions
        # The chart plays on by totals, which costs a little after a hit or a split.
        assert {action: float(eights[action]) for action in hand} == pytest.approx(hand, abs=4e-4)
        assert float(eights["stand"]) == pytest.approx(hand["stand"], abs=1e-13)
        assert float(eights["cost"]) > 0
        assert cells["hard", "16", "T"]["split"] == ""

    def test_json(self) -> None:
        text = run("face-up-21", "--json")
        assert text == run("face-up-21", "--format", "json")
        data = json.loads(text)
        expected = ["game", "rules", "version", "kind", "derived_from", "split_class"]
        assert [key for key in data if key in expected] == expected
        assert data["derived_from"] == "whole round"
        assert data["columns"][:2] == ["hard 4", "hard 5"]
        assert data["column_starts"]["hard 6"] == ["2,4", "3,3"]
        assert len(data["cells"]) == 36 * 26
        fields = {
            "section",
            "row",
            "column",
            "code",
            "action",
            "values",
            "gap",
            "probability",
            "other",
            "cost",
            "against",
        }
        assert set(data["cells"][0]) == fields
        assert data["ev"] < data["best_ev"]
        assert "differences" not in data

    def test_markdown(self) -> None:
        lines = run("classic-blackjack", "--format", "md").splitlines()
        assert "| Player | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | T | A |" in lines
        assert "| hard 16 | S | S | S | S | S | H | H | Rh | Rs | Rh |" in lines
        assert any("no change of a single cell" in line for line in lines)
        cell = chart_of("classic-blackjack").cell("hard", "16", "2")
        assert cell is not None
        with_values = run("classic-blackjack", "--format", "md", "--evs")
        assert f"| hard 16 | S {cell.values['stand']:.3f} 0." in with_values

    @pytest.mark.parametrize("form", ["text", "md", "csv", "json"])
    def test_composition(self, form: str) -> None:
        text = run("single-deck", "--kind", "composition", "--format", form)
        if form == "json":
            data = json.loads(text)
            assert data["kind"] == "composition"
            assert len(data["differences"]) == 8
            assert data["total_gain"] == pytest.approx(0.000135, abs=1e-6)
        elif form == "csv":
            rows = list(csv.DictReader(io.StringIO(text)))
            assert ("2,T", "4", "stand", "hit") in {(r["player"], r["dealer"], r["chart"], r["best"]) for r in rows}
        else:
            said = " ".join(text.split())
            assert "8 deals are played otherwise, which is worth 0.013530 percentage points of RTP" in said
            assert " percentage points less" in said

    def test_composition_without_any_difference(self) -> None:
        text = run("classic-blackjack", "--kind", "composition")
        assert "the best play of every two-card hand is that of its chart cell" in " ".join(text.split())

    def test_the_chart_of_a_shoe_that_lacks_a_card(self) -> None:
        text = run("single-deck", "--remove", "5,5,5,5", "--format", "csv")
        rows = {(row["section"], row["row"]): row for row in csv.DictReader(io.StringIO(text))}
        assert rows["hard", "16"]["T"] in ("H", "S")
        assert json.loads(run("single-deck", "--remove", "5,5,5,5", "--json"))["ev"] > 0.03

    @pytest.mark.parametrize(
        ("name", "start"), [("c.csv", "section,row"), ("c.md", "# "), ("c.json", "{"), ("c", "Game")]
    )
    def test_a_file_has_the_format_of_its_name(self, name: str, start: str, tmp_path: Path) -> None:
        path = tmp_path / name
        assert run("face-up-21", "--out", str(path), columns=50) == ""
        text = path.read_text(encoding="utf-8")
        assert text.startswith(start)
        assert text.endswith("\n")
        assert "\x1b" not in text
        assert list(tmp_path.iterdir()) == [path]

    def test_a_cost_is_of_a_code_that_does_something_else(self) -> None:
        data = json.loads(run("classic-blackjack", "--json"))
        costs = [cell["cost"] for cell in data["cells"] if cell["cost"] is not None]
        assert len(costs) > 300
        assert min(costs) > 0
        assert all((cell["other"] is None) == (cell["cost"] is None) for cell in data["cells"])

    @pytest.mark.parametrize(
        ("name", "options", "message"), [("x.xyz", [], "--format"), ("x.json", ["--format", "csv"], "json")]
    )
    def test_a_chart_has_the_format_of_its_name(
        self, name: str, options: list[str], message: str, tmp_path: Path
    ) -> None:
        result = CliRunner().invoke(app, ["chart", "classic-blackjack", "--out", str(tmp_path / name), *options])
        assert (result.exit_code, result.stdout) == (2, "")
        assert message in result.stderr
        assert result.stderr.count("\n") == 1
        assert not list(tmp_path.iterdir())

    def test_to_rows(self) -> None:
        rows = chart_of("classic-blackjack").to_rows()
        assert len(rows) == 360
        assert list(rows[0])[:5] == ["section", "row", "column", "code", "action"]
        assert rows[0]["split"] is None

    def test_doubled_hands_have_the_values_of_their_cards(self) -> None:
        """The row of hard 6 has one hand, the three twos; soft 20 is worth more standing."""
        rules = odds.Rules(decks=1, max_hands=1, double_rescue=True, redoubles=1)
        found = odds.chart(rules)
        for dealer in ("6", "T"):
            cell = found.cell("doubled", "hard 6", dealer)
            # In a chart a doubled hand goes on as the chart says, which is as its cards ask here.
            best = odds.hand_values("2,2,2", dealer, rules, doubled=1)
            assert cell.values == pytest.approx({action: best.actions[action] for action in cell.values}, abs=1e-9)
            assert set(cell.values) == {"stand", "double", "surrender"}
        assert found.cell("doubled", "soft 20", "6").code == "S"
        assert set(found.cell("doubled 2", "hard 12", "T").values) == {"stand", "surrender"}
        names = [section.name for section in found.sections]
        assert names == ["hard", "soft", "doubled", "doubled 2"]

    def test_a_chart_is_a_value(self) -> None:
        chart = chart_of("classic-blackjack")
        assert replace(chart, split_class="cdz") != chart
        assert derive_chart(result_of("classic-blackjack")) == chart
