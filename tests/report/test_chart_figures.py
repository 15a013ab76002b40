"""Charts as pictures: what is in them, that they can be told apart, and that the same chart gives the same bytes."""

import itertools
import math
import os
import re
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import ClassVar

import pytest
from typer.testing import CliRunner

import odds
from odds.cli.main import app
from odds.game.subject import Subject
from odds.report import charts, figure
from odds.strategy.chart import Chart, Difference, chart_of, differences
from odds.strategy.search import search
from odds.strategy.table import evaluate

DOCS = Path(__file__).parents[2] / "docs"
MAGIC = {"svg": b"<?xml", "png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF-"}
# Fields that lengthen what is written under a chart.
MANY_CHANGES = (
    *("dealer_hits_soft_17=true", "blackjack_pays=6/5", "double_on=hard 9-11, soft 19-20", "max_hands=3"),
    *("double_after_split=false", "resplit_aces=true", "split_by=rank", "surrender=early-vs-ten", "charlie=7"),
)


@cache
def made(game: str, *changes: str, removed: str = "") -> tuple[Subject, Chart, tuple[Difference, ...]]:
    found = odds.load_game(game)
    subject = Subject(found, found.rules.replace_text(changes), removed)
    shoe = subject.shoe()
    result = odds.analyze(subject.rules, shoe=shoe)
    best = search(subject.rules, shoe=shoe)
    chart = chart_of(best.strategy, evaluate(subject.rules, best.strategy, shoe=shoe), result, best.costs.values())
    return subject, chart, differences(result, chart)


def texts(svg: str) -> list[str]:
    """Return what an SVG picture says; its letters are shapes, and what they spell is a comment before them."""
    return [text.strip() for text in re.findall(r"<!--(.*?)-->", svg, re.DOTALL)]


class TestColours:
    """The measures are those of WCAG 2 (contrast), CIE 1976 (distance) and Machado et al. 2009 (colour blindness)."""

    SIGHT: ClassVar[dict[str, list[list[float]]]] = {
        "normal": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
        "deuteranopia": [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ],
        "protanopia": [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ],
        "tritanopia": [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ],
    }

    @staticmethod
    def linear(color: str) -> list[float]:
        parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]

    @classmethod
    def luminance(cls, color: str) -> float:
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), cls.linear(color), strict=True))

    @classmethod
    def contrast(cls, one: str, other: str) -> float:
        dark, light = sorted((cls.luminance(one), cls.luminance(other)))
        return (light + 0.05) / (dark + 0.05)

    @classmethod
    def lab(cls, color: str, sight: str) -> tuple[float, float, float]:
        def times(matrix: list[list[float]], vector: list[float]) -> list[float]:
            return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]

        seen = [min(max(part, 0.0), 1.0) for part in times(cls.SIGHT[sight], cls.linear(color))]
        xyz = times([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]], seen)
        x, y, z = (
            part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116
            for part in (xyz[0] / 0.9505, xyz[1], xyz[2] / 1.089)
        )
        return 116 * y - 16, 500 * (x - y), 200 * (y - z)

    def test_contrast_itself(self) -> None:
        assert self.contrast("#000000", "#ffffff") == pytest.approx(21)
        assert self.contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)

    @pytest.mark.parametrize("pair", [*charts.COLOURS.values(), charts.NO_CELL])
    def test_letters_can_be_read(self, pair: tuple[str, str]) -> None:
        assert self.contrast(*pair) >= 4.5

    def test_small_text_can_be_read(self) -> None:
        assert self.contrast(figure._DIM, "#ffffff") >= 4.5

    @pytest.mark.parametrize("sight", SIGHT)
    def test_colours_can_be_told_apart(self, sight: str) -> None:
        fills = [fill for fill, _ in charts.COLOURS.values()]
        distances = [
            math.dist(self.lab(one, sight), self.lab(other, sight)) for one, other in itertools.combinations(fills, 2)
        ]
        assert min(distances) > 15  # 2.3 is just noticeable side by side

    def test_greys_can_be_told_apart(self) -> None:
        greys = sorted(self.lab(fill, "normal")[0] for fill, _ in charts.COLOURS.values())
        assert min(lighter - darker for darker, lighter in itertools.pairwise(greys)) > 7


class TestPictures:
    @pytest.mark.parametrize("form", figure.FORMATS)
    def test_the_same_chart_gives_the_same_bytes(self, form: str) -> None:
        subject, chart, _ = made("classic-blackjack")
        data = figure.chart_figure(subject, chart, form)
        assert data.startswith(MAGIC[form])
        assert data == figure.chart_figure(subject, chart, form)
        assert not re.search(rb"[dD]ate|Matplotlib v|\b20\d\d-\d\d", data)

    @pytest.mark.slow
    @pytest.mark.parametrize("form", figure.FORMATS)
    def test_settings_of_the_machine_do_not_matter(self, form: str, tmp_path: Path) -> None:
        settings = tmp_path / "matplotlibrc"
        settings.write_text(
            "font.family: serif\nfont.size: 20\nsavefig.dpi: 50\nsavefig.bbox: tight\nsvg.fonttype: none\n"
            "lines.linewidth: 7\nfigure.facecolor: red\npath.sketch: 5, 100, 2\n"
        )
        path = tmp_path / f"chart.{form}"
        env = {
            **os.environ,
            "MATPLOTLIBRC": str(settings),
            "PYTHONHASHSEED": "7",
            "SOURCE_DATE_EPOCH": "1",
            "LANG": "C",
        }
        command = [sys.executable, "-m", "odds", "chart", "classic-blackjack", "--out", str(path)]
        subprocess.run(command, env=env, check=True, capture_output=True)
        subject, chart, _ = made("classic-blackjack")
        assert path.read_bytes() == figure.chart_figure(subject, chart, form)

    @pytest.mark.slow
    @pytest.mark.parametrize("game", odds.games())
    def test_every_game(self, game: str) -> None:
        subject, chart, found = made(game)
        svg = figure.chart_figure(subject, chart, "svg", found=found).decode()
        said = texts(svg)
        # Cells stand by block, section and row.
        expected = [
            cell.code
            for block in charts.blocks(chart)
            for section in block.sections
            for row in section.rows
            for cell in (row.cells[place] for place in block.places)
            if cell is not None
        ]
        assert len(expected) == (936 if subject.rules.hole_card == "exposed" else 360)
        codes = [text for text in said if text in charts.CODES]
        assert codes == expected + list(charts.used_codes(chart))
        words = " ".join(said)
        assert subject.game.title in words
        assert f"{100 * (1 + (chart.ev or 0)):.5f}% played by this chart" in words
        assert f"{100 * (1 + (chart.best_ev or 0)):.5f}% by the best play" in words
        assert f"odds {odds.__version__}, rules {charts.rules_hash(subject.rules)}" in words
        assert str(subject.rules).split(";")[0] in words
        colours = {charts.COLOURS[code[0]][0] for code in expected}
        assert all(f"fill: {colour}" in svg for colour in colours)

    @pytest.mark.parametrize("evs", [False, True])
    @pytest.mark.parametrize("game", ["classic-blackjack", "face-up-21"])
    def test_nothing_is_cut(self, game: str, evs: bool) -> None:
        changes = MANY_CHANGES[:4] if game == "face-up-21" else MANY_CHANGES
        subject, chart, found = made(game, *changes, removed="A,2,3")
        subject = replace(subject, game=replace(subject.game, title="A game with a very long name " * 6))
        sheet = figure._new_sheet()
        width, height = figure._fill(sheet, subject, chart, evs, found)
        for x, y, text, style in sheet.texts:
            font = style["fontproperties"]
            size = font.get_size_in_points()
            long = sheet.measure(text, font, size)
            left = {"left": x, "center": x - long / 2, "right": x - long}[style["ha"]]
            assert 6 <= left <= left + long <= width - 6, text
            assert 6 <= y - size <= y + size / 4 <= height - 6, text
        for x, y, w, h, _ in sheet.boxes:
            assert 0 <= x < x + w <= width
            assert 0 <= y < y + h <= height

    def test_codes_and_values_fit_their_cells(self) -> None:
        sheet = figure._new_sheet()
        for code in charts.CODES:
            assert sheet.width(code, 8.5, bold=True) < figure._CELL[0] - 2
        assert sheet.width("+0.0000", 6.5) < figure._CELL_WITH_VALUES[0] - 2

    def test_values(self) -> None:
        subject, chart, _ = made("classic-blackjack")
        said = texts(figure.chart_figure(subject, chart, "svg", evs=True).decode())
        cell = chart.cell("hard", "16", "T")
        assert cell is not None
        assert "-0.500" in said
        assert f"{abs(cell.gap or 0):.4f}" in said
        assert len(said) > 3 * 360

    def test_exceptions_are_marked_and_listed(self) -> None:
        subject, chart, found = made("single-deck")
        plain = figure.chart_figure(subject, chart, "svg").decode()
        marked = figure.chart_figure(subject, chart, "svg", found=found).decode()
        assert "2,6 and 2,T against 6: hit" in " ".join(texts(marked))
        assert "better played otherwise" in " ".join(texts(marked))
        assert "otherwise" not in " ".join(texts(plain))

    def test_a_title_in_another_script(self) -> None:
        subject, chart, _ = made("single-deck")
        subject = replace(subject, game=replace(subject.game, title="二十一点 $x_1$ <b>"))
        assert figure.chart_figure(subject, chart, "png").startswith(MAGIC["png"])

    def test_the_chart_of_a_shoe_that_lacks_cards(self) -> None:
        subject, chart, _ = made("single-deck", removed="5,5,5,5")
        said = texts(figure.chart_figure(subject, chart, "svg").decode())
        assert "5,5,5,5 from the shoe" in said
        assert "–" in said


class TestCommand:
    @pytest.mark.parametrize("form", figure.FORMATS)
    def test_a_file_of_each_format(self, form: str, tmp_path: Path) -> None:
        path = tmp_path / f"chart.{form}"
        result = CliRunner().invoke(app, ["chart", "single-deck", "--kind", "composition", "--out", str(path)])
        assert (result.exit_code, result.stdout) == (0, "")
        subject, chart, found = made("single-deck")
        assert path.read_bytes() == figure.chart_figure(subject, chart, form, found=found)
        assert list(tmp_path.iterdir()) == [path]

    def test_svg_is_text(self) -> None:
        result = CliRunner().invoke(app, ["chart", "single-deck", "--format", "svg"])
        assert result.stdout.startswith("<?xml")

    def test_without_matplotlib(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "matplotlib", None)
        result = CliRunner().invoke(app, ["chart", "single-deck", "--out", str(tmp_path / "x.png")])
        assert result.exit_code == 2
        assert "pip install 'odds[figures]'" in result.stderr
        assert not list(tmp_path.iterdir())


def test_the_picture_of_the_readme_is_this_versions() -> None:
    subject, chart, _ = made("face-up-21")
    drawn = texts(figure.chart_figure(subject, chart, "svg").decode())
    assert texts((DOCS / "face-up-21.svg").read_text(encoding="utf-8")) == drawn
