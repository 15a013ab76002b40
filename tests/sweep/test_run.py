"""A grid from its combinations to its rows, whoever works, in whatever parts, and however often it was stopped."""

import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import odds
from odds.game.rules import Rules
from odds.parallel import processes
from odds.strategy.table import uniform
from odds.sweep import audit as auditing
from odds.sweep.audit import AuditError, chosen
from odds.sweep.distinct import Distinct, rules_id
from odds.sweep.files import read_charts, read_table, write_table
from odds.sweep.grid import grid_of
from odds.sweep.journal import Journal
from odds.sweep.rows import CHART_COLUMNS
from odds.sweep.run import Plan, asked_of, audited, known_tables, plan, solve_all
from odds.sweep.solve import Asked, Solved

VARY = {"decks": [1, 2], "blackjack_pays": ["3/2", "6/5", "1"], "max_hands": [1, 2], "resplit_aces": [False, True]}
DISTINCT = 4  # of 24: neither what blackjacks pay nor aces that are not split again make a difference
GAME = "classic-blackjack"


class Here:
    """A door that does the work itself, and gives up after so many items."""

    workers = 1

    def __init__(self, most: int = 1_000) -> None:
        self.most, self.done = most, 0

    def stream(self, work: Any, items: Sequence[Any]) -> Iterator[Any]:
        for item in items:
            if self.done == self.most:
                raise KeyboardInterrupt
            self.done += 1
            yield work(item)


def planned(**asked: Any) -> Plan:
    return plan(grid_of(GAME, VARY), asked_of(GAME, **asked))


@pytest.fixture(scope="module")
def found() -> odds.Sweep:
    return odds.sweep(GAME, VARY, charts=True)


def test_rows_are_in_the_order_of_the_combinations(found: odds.Sweep) -> None:
    expected = [(d, b, h, r) for d in (1, 2) for b in ("3/2", "6/5", "1") for h in (1, 2) for r in (False, True)]
    assert [(row["decks"], row["blackjack_pays"], row["max_hands"], row["resplit_aces"]) for row in found] == expected
    assert (len(found), found.distinct, len(found.charts)) == (24, DISTINCT, DISTINCT)
    assert found.fields == tuple(VARY)
    (low, *_), (high, *_) = found.extremes()
    assert (low.row["ev"], high.row["ev"]) == (min(row["ev"] for row in found), max(row["ev"] for row in found))
    assert {effect.field for effect in found.effects()} == {*VARY}


def test_each_row_is_what_the_round_is_worth(found: odds.Sweep) -> None:
    base = odds.load_game(GAME).rules
    for row in found.rows[::5]:
        rules = base.replace(**{name: row[name] for name in VARY})
        result = odds.analyze(rules)
        assert rules.to_dict() == {name: row[name] for name in rules.to_dict()}
        for name in ("ev", "rtp", "house_edge", "average_wager", "ev_per_total_wager"):
            assert row[name] == pytest.approx(getattr(result, name), abs=1e-15, rel=0)
        assert row["rules_id"] == rules_id(rules)
        assert (row["play"], row["split_class"], row["game"]) == ("composition", "cdp1", GAME)


def test_ev_is_linear_in_what_blackjacks_pay(found: odds.Sweep) -> None:
    by_pay = {row["blackjack_pays"]: row["ev"] for row in found if row["decks"] == 1 and row["max_hands"] == 2}
    assert (by_pay["3/2"] - by_pay["6/5"]) / (by_pay["3/2"] - by_pay["1"]) == pytest.approx(0.6, abs=1e-12)


def test_six_decks_unbeaten_blackjack() -> None:
    found = odds.sweep(Rules(decks=6, max_hands=1), {"blackjack_pays": ["1", "2"]}, columns=["p_paid_blackjack"])
    low, high = found.rows
    assert low["p_paid_blackjack"] == pytest.approx(0.04532298771606421, abs=1e-16)
    assert high["ev"] - low["ev"] == pytest.approx(0.04532298771606421, abs=1e-16)


def test_charts_are_those_of_the_search(found: odds.Sweep) -> None:
    row = found.rows[-1]
    best = odds.basic_strategy(odds.load_game(GAME).rules.replace(decks=2, max_hands=2))
    cells = {(cell.row, cell.upcard): cell.code for cell in found.charts[row["chart_id"]]}
    assert all(
        cells[f"{section} {name}", upcard] == code
        for (section, name), codes in best.codes.items()
        for upcard, code in zip(best.columns, codes, strict=True)
    )
    assert len(cells) == sum(map(len, best.codes.values()))
    assert len({row["codes_id"] for row in found}) <= DISTINCT
    assert all(cell.margin is None or cell.margin >= 0 for cell in found.charts[row["chart_id"]])


class TestPlays:
    def test_the_best_chart_and_a_strategy(self) -> None:
        rules, vary = Rules(decks=1, max_hands=1), {"blackjack_pays": ["3/2", "6/5"]}
        mimic = uniform(rules, "mimic", {"hard": 17, "soft": 17})
        for play, result in (
            ("total", odds.evaluate(rules, odds.basic_strategy(rules))),
            (mimic, odds.evaluate(rules, mimic)),
        ):
            row, _ = odds.sweep(rules, vary, play=play, audit=1).rows
            assert row["ev"] == pytest.approx(result.ev, abs=1e-15, rel=0)
            assert (row["play"], row["split_class"]) == (result.play, result.split_class)

    def test_columns(self) -> None:
        rules, vary = Rules(decks=1, max_hands=1), {"blackjack_pays": ["3/2", "6/5", "0"]}
        names = ("standard_deviation", "variance", "hit_frequency", "push_frequency", "p_double", "skewness")
        few = odds.sweep(rules, vary, columns=names[:-1])
        own = odds.sweep(rules, vary, columns=names)
        assert (few.distinct, own.distinct) == (2, 3)
        for row, other in zip(few, own, strict=True):
            outcomes = odds.outcomes(rules.replace(blackjack_pays=row["blackjack_pays"]))
            for name in names:
                assert other[name] == pytest.approx(getattr(outcomes, name), abs=1e-13, rel=0)
                assert row.get(name, other[name]) == pytest.approx(other[name], abs=1e-13, rel=0)

    def test_side_bets(self) -> None:
        found, base = odds.sweep(GAME, {"decks": [1, 2], "max_hands": [1]}, side_bets=True), odds.load_game(GAME).rules
        for row in found:
            for name in odds.load_game(GAME).side_bets:
                assert row[f"sidebet:{name}"] == odds.sidebet(name, base.replace(decks=row["decks"])).rtp

    def test_a_shoe_that_can_run_out(self) -> None:
        shoes = {"small": "4x8,4xA,6xT,2x7", "full": odds.Shoe.of_decks(1)}
        small, full = odds.sweep(Rules(decks=1), {"shoe": shoes}, columns=["standard_deviation"]).rows
        assert (small["shoe"], small["shoe_can_run_out"], small["standard_deviation"]) == ("small", True, None)
        assert not full["shoe_can_run_out"]
        assert full["ev"] == pytest.approx(odds.analyze(Rules(decks=1)).ev, abs=1e-15, rel=0)


def written(made: Plan, folder: Path, journal: Journal, door: Any, size: int | None = None) -> dict[str, bytes]:
    solve_all(made, journal, door, size=size)
    for form in ("jsonl", "csv", "parquet"):
        write_table(folder / f"rows.{form}", made.columns, made.rows(journal))
    write_table(folder / "charts.csv", CHART_COLUMNS, made.chart_rows(journal))
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.suffix != ".part"}


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    made = planned(charts=True)
    return written(made, tmp_path_factory.mktemp("expected"), Journal(made.asked), Here())


class TestSameBytes:
    @pytest.mark.parametrize("workers", [2, 3])
    def test_of_workers(self, expected: dict[str, bytes], workers: int, tmp_path: Path) -> None:
        with processes(workers) as door:
            assert written(planned(charts=True), tmp_path, Journal(asked_of(GAME, charts=True)), door, 1) == expected

    @pytest.mark.parametrize("size", [1, 3])
    def test_of_parts(self, expected: dict[str, bytes], size: int, tmp_path: Path) -> None:
        made = planned(charts=True)
        assert written(made, tmp_path, Journal(made.asked), Here(), size) == expected

    @pytest.mark.parametrize("seed", range(5))
    def test_of_interrupts(self, expected: dict[str, bytes], seed: int, tmp_path: Path) -> None:
        """What was solved is kept, though the last line be torn anywhere."""
        chance, made, path = random.Random(seed), planned(charts=True), tmp_path / "rows.part"
        with Journal(made.asked, path) as journal, pytest.raises(KeyboardInterrupt):
            solve_all(made, journal, Here(chance.randrange(1, DISTINCT)), size=1)
        whole = path.read_bytes()
        path.write_bytes(whole[: chance.randrange(len(whole) + 1)])
        with Journal(made.asked, path, resume=True) as journal:
            assert written(made, tmp_path, journal, Here(), 1) == expected

    def test_every_kept_line_is_used(self, tmp_path: Path) -> None:
        made, path = planned(), tmp_path / "rows.part"
        with Journal(made.asked, path) as journal, pytest.raises(KeyboardInterrupt):
            solve_all(made, journal, Here(3), size=1)
        with Journal(made.asked, path, resume=True) as journal:
            assert len(journal.figures) == 3
            door = Here()
            solve_all(made, journal, door, size=1)
            assert door.done == DISTINCT - 3
            journal.remove()
        assert not list(tmp_path.iterdir())

    @pytest.mark.parametrize("end", ["jsonl", "csv", "parquet"])
    def test_of_a_smaller_grid_before(self, expected: dict[str, bytes], end: str, tmp_path: Path) -> None:
        made = planned(charts=True)
        less = plan(grid_of(GAME, {**VARY, "decks": [2]}), made.asked)
        written(less, tmp_path, Journal(made.asked), Here())
        rows, cells = known_tables(made, tmp_path / f"rows.{end}", tmp_path / "charts.csv")
        assert len(rows) == 12
        journal, door = Journal(made.asked), Here()
        solve_all(made, journal, door, known=rows, size=1)
        assert door.done == DISTINCT // 2
        write_table(tmp_path / f"new.{end}", made.columns, made.rows(journal, rows))
        write_table(tmp_path / "new.charts.csv", CHART_COLUMNS, made.chart_rows(journal, cells))
        assert (tmp_path / f"new.{end}").read_bytes() == expected[f"rows.{end}"]
        assert (tmp_path / "new.charts.csv").read_bytes() == expected["charts.csv"]


class TestFiles:
    @pytest.mark.parametrize("end", ["jsonl", "csv", "parquet"])
    def test_read_back(self, found: odds.Sweep, end: str, tmp_path: Path) -> None:
        path, charts = tmp_path / f"rows.{end}", tmp_path / f"charts.{end}"
        write_table(path, tuple(found.rows[0]), found.rows)
        assert list(read_table(path)) == found.rows
        cells = [{"chart_id": name, **cell._asdict()} for name, chart in found.charts.items() for cell in chart]
        write_table(charts, CHART_COLUMNS, cells)
        assert read_charts(charts) == found.charts

    def test_every_value_of_every_rule(self, tmp_path: Path) -> None:
        rules = Rules(
            dealer_wins_ties=(17, 18), double_multiples=(2, 3), charlie=7, bonuses="cards=5 pays=2; cards=6 pays=3"
        )
        rows = [{**found, "ev": 0.1} for found in odds.sweep(rules.replace(decks="infinite"), {"max_hands": [1]})]
        for end in ("jsonl", "csv", "parquet"):
            path = tmp_path / f"rows.{end}"
            write_table(path, tuple(rows[0]), rows)
            assert [
                Rules.from_dict({k: v for k, v in row.items() if k in rules.to_dict()}) for row in read_table(path)
            ] == [rules.replace(decks="infinite", max_hands=1)]

    @pytest.mark.parametrize(
        ("name", "text", "message"),
        [
            ("a.jsonl", "", "there is no row in it"),
            ("a.jsonl", "[]\n", "row 1: expected an object of JSON"),
            ("a.jsonl", '{"rules_id": 1}\n', "row 1: there is no 'version'"),
            ("a.jsonl", "{", "row 1: "),
            ("a.csv", "a,b\n1,2\n", "row 1: there is no 'rules_id'"),
            ("a.csv", "rules_id,version,play,ev\n1,2,3\n", "row 1: expected 4 cells, got 3"),
            ("a.csv", "rules_id,version,play,ev\n1,2,3,x\n", "row 1: ev: expected a float, got 'x'"),
            ("a.csv", "rules_id,version,play,ev,decks\n1,2,3,0,none\n", "row 1: decks: expected a whole number"),
            ("a.parquet", "text", "row 1: not a Parquet file"),
        ],
    )
    def test_wrong_files(self, name: str, text: str, message: str, tmp_path: Path) -> None:
        (tmp_path / name).write_text(text)
        with pytest.raises(odds.OddsError, match=message):
            list(read_table(tmp_path / name))


class TestJournal:
    def test_of_another_question(self, tmp_path: Path) -> None:
        path = tmp_path / "rows.part"
        with Journal(Asked(), path) as journal:
            journal.add([Solved("0" * 16, {"ev": 0.0})])
        with pytest.raises(odds.OddsError, match="interrupted sweep: go on with --resume, or remove it"):
            Journal(Asked(), path)
        with pytest.raises(odds.OddsError, match="kept of another sweep: split_class cdp1, now cdz; remove it"):
            Journal(Asked(split_class="cdz"), path, resume=True)
        path.write_text("something else\n")
        with pytest.raises(odds.OddsError, match="not what odds sweep writes"):
            Journal(Asked(), path, resume=True)

    def test_nothing_solved_nothing_kept(self, tmp_path: Path) -> None:
        with Journal(Asked(), tmp_path / "rows.part"):
            pass
        assert not list(tmp_path.iterdir())


class TestAudit:
    def test_what_is_chosen_is_in_the_ids(self) -> None:
        sets = [Distinct(f"{number * 0x0123456789ABCDEF % 2**64:016x}", Rules()) for number in range(1, 1000)]
        some = chosen(0.1, sets)
        assert 60 < len(some) < 140
        assert chosen(0.1, sets[::-1]) == some[::-1]
        assert set(chosen(0.01, sets)) <= set(some)
        assert [one.id for one in chosen(1e-9, sets)] == [min(one.id for one in sets)]
        assert (chosen(0.0, sets), len(chosen(1.0, sets))) == ([], 999)

    def test_every_pay_is_compared(self) -> None:
        found = odds.sweep(Rules(decks=1), {"max_hands": [1, 2], "blackjack_pays": ["3/2", "1"]}, audit=1)
        assert found.audit is not None
        assert (found.audit.sets, found.audit.rows, found.audit.without) == (2, 4, {})
        assert found.audit.largest < 1e-15

    def test_a_difference_is_an_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        made = planned()
        journal = Journal(made.asked)
        solve_all(made, journal, Here())
        wrong = made.sets[-1].id
        figures = journal.figures[wrong]
        assert figures["p_paid_blackjack"] is not None
        figures["p_paid_blackjack"] += 1e-12  # of which only other pays than that of the set know
        ids = [row["rules_id"] for row in made.rows(journal) if row["distinct_id"] == wrong]
        with pytest.raises(AuditError) as error:
            audited(made, journal, Here(), 1.0)
        assert all((name in str(error.value)) == (number < 4) for number, name in enumerate(ids))
        assert f"4 of 24 rows differ from their fractions by more than {auditing.BOUND}" in str(error.value)

    def test_no_fraction(self) -> None:
        found = odds.sweep(Rules(max_hands=1), {"decks": [1]}, split_class="full", audit=1)
        assert found.audit is not None
        assert found.audit.sets == 0
        assert "full" in next(iter(found.audit.without.values()))

    def test_what_is_no_share(self) -> None:
        with pytest.raises(odds.OddsError, match="audit: expected a share of the sets from 0 to 1"):
            odds.sweep(Rules(), {"decks": [1]}, audit=2)


class TestErrors:
    def test_the_combination_is_named(self) -> None:
        with pytest.raises(odds.OddsError, match=r"decks=1, max_hands=4: split class full: expected max_hands"):
            odds.sweep(Rules(), {"decks": [1], "max_hands": [4, 2]}, split_class="full")

    def test_nothing_left(self) -> None:
        with pytest.raises(odds.OddsError, match="no combination of 2 is left"):
            odds.sweep(Rules(), {"decks": [1, 2]}, where="decks > 2")

    def test_columns(self) -> None:
        with pytest.raises(odds.OddsError, match="unknown 'standard_deviatoin'; did you mean 'standard_deviation'"):
            odds.sweep(Rules(), {"decks": [1]}, columns=["standard_deviatoin"])


def test_the_package_is_the_function() -> None:
    import odds.sweep.grid

    assert callable(odds.sweep)
    assert len(odds.sweep(Rules(max_hands=1), {"decks": [1]})) == 1


def test_json(found: odds.Sweep) -> None:
    assert json.loads(json.dumps(found.rows)) == found.rows
    assert "24 combinations, 4 distinct sets of rules" in repr(found)
    assert "blackjack_pays" in found._repr_html_()
