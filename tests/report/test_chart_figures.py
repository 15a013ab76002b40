"""Charts as pictures: what is in them, that they can be told apart, and that the same chart gives the same bytes."""

import itertools
import math
import os
import re
import struct
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, ClassVar
from xml.etree import ElementTree

import pytest
from chromium import Page, browser, find
from strategies import ONE_HAND
from typer.testing import CliRunner

import odds
from odds.cli.main import app
from odds.game.subject import Subject
from odds.report import charts, figure, sheet
from odds.strategy.chart import Chart, Difference, Row, chart_of, differences
from odds.strategy.search import search
from odds.strategy.table import evaluate

DOCS = Path(__file__).parents[2] / "docs"
CHROMIUM = find()
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium to open pictures with")
SVG = "{http://www.w3.org/2000/svg}"
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


def texts(svg: bytes) -> list[str]:
    """Return what an SVG picture says."""
    return [span.text or "" for span in ElementTree.fromstring(svg).iter(f"{SVG}tspan")]


def wrong(chart: Chart) -> Chart:
    """Return a chart of which every third cell that has another code is wrong."""

    def worse(row: Row) -> Row:
        cells = enumerate(row.cells)
        return replace(
            row,
            cells=tuple(
                cell and replace(cell, cost=-1e-5 if cell.other and at % 3 == 0 else 0.0) for at, cell in cells
            ),
        )

    sections = [replace(section, rows=tuple(map(worse, section.rows))) for section in chart.sections]
    return replace(chart, sections=tuple(sections))


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    assert CHROMIUM is not None
    with browser(CHROMIUM, tmp_path_factory.mktemp("browser")) as found:
        yield found


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
    @pytest.mark.parametrize("form", sheet.FORMATS)
    def test_the_same_chart_gives_the_same_bytes(self, form: str) -> None:
        subject, chart, _ = made("classic-blackjack")
        data = figure.chart_figure(subject, chart, form)
        assert data.startswith(MAGIC[form])
        assert data == figure.chart_figure(subject, chart, form)
        assert not re.search(rb"[dD]ate|Matplotlib v|\b20\d\d-\d\d", data)

    @pytest.mark.slow
    @pytest.mark.parametrize("form", sheet.FORMATS)
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
    @pytest.mark.parametrize("game", ONE_HAND)
    def test_every_game(self, game: str) -> None:
        subject, chart, found = made(game)
        svg = figure.chart_figure(subject, chart, "svg", found=found)
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
        apart = sum(section.startswith(("doubled", "free")) for section, *_ in chart.cells())
        if all(subject.rules.shoe().counts):
            assert len(expected) == (936 if subject.rules.hole_card == "exposed" else 360) + apart
        codes = [text for text in said if text in charts.used_codes(chart)]
        assert codes == expected + list(charts.used_codes(chart))
        words = " ".join(said)
        assert subject.game.title in words
        assert f"{100 * (1 + (chart.ev or 0)):.5f}% played by this chart" in words
        assert f"{100 * (1 + (chart.best_ev or 0)):.5f}% by the best play" in words
        assert f"odds {odds.__version__}, rules {charts.rules_hash(subject.rules)}" in words
        assert str(subject.rules).split(";")[0] in words
        colours = {charts.COLOURS[code[0]][0] for code in expected}
        assert all(f'fill="{colour}"' in svg.decode() for colour in colours)

    @needs_chromium
    @pytest.mark.parametrize("evs", [False, True])
    @pytest.mark.parametrize("game", ["classic-blackjack", "face-up-21", "double-attack"])
    def test_texts_do_not_overlap_or_leave_the_sheet(self, game: str, evs: bool, opened: Page, tmp_path: Path) -> None:
        # The last has codes of five and six letters, and doubled hands.
        later = ("charlie=5", "redoubles=1", "double_rescue=true")
        changes = {"face-up-21": MANY_CHANGES[:4], "double-attack": later}.get(game, MANY_CHANGES)
        subject, chart, found = made(game, *changes, removed="A,2,3")
        subject = replace(subject, game=replace(subject.game, title="A game with a very long name " * 6 + "W" * 80))
        path = tmp_path / "chart.svg"
        path.write_bytes(figure.chart_figure(subject, wrong(chart), "svg", evs=evs, found=found, compact=not evs))
        opened.open(path, width=1400, height=1600)
        boxes = opened.value(
            "[...document.querySelectorAll('tspan')].map(e => [e.textContent, e.getBoundingClientRect()])"
            ".map(([text, r]) => [text, r.left, r.right, r.top + 0.22 * r.height, r.bottom - 0.22 * r.height])"
        )
        width, height = opened.value("(r => [r.width, r.height])(document.documentElement.getBoundingClientRect())")
        assert len(boxes) > (400 if evs else 200)
        for text, left, right, top, bottom in boxes:
            assert 8 <= left < right <= width - 8, text
            assert 8 <= top < bottom <= height - 8, text
        boxes.sort(key=lambda box: box[3])
        for number, (text, left, right, _, bottom) in enumerate(boxes):
            for other, its_left, its_right, its_top, _ in boxes[number + 1 :]:
                if its_top >= bottom:
                    break
                assert right <= its_left or its_right <= left, (text, other)

    def test_no_letter_is_wider_than_it_may_be(self) -> None:
        from matplotlib.font_manager import FontProperties
        from matplotlib.textpath import text_to_path

        for bold in (False, True):
            font = FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal", size=100)
            for letter in (*map(chr, range(33, 127)), "–", "—", "…", "×", "≥", "Ü"):
                # In a row, as a letter by itself counts without the room around it.
                width = text_to_path.get_text_width_height_descent(letter * 20, font, ismath=False)[0]
                assert width / 100 <= sheet.width_of(letter * 20, 1, bold=bold), letter

    def test_wrong_cells_are_framed_and_say_what_is_better(self) -> None:
        subject, chart, _ = made("classic-blackjack")
        framed = wrong(chart)
        said, plain = (texts(figure.chart_figure(subject, shown, "svg")) for shown in (framed, chart))
        assert "another code is better: the small one" in said
        assert not any(text.startswith("another") for text in plain)
        better = [cell.other for *_, cell in framed.marked()]
        assert len(better) > 20
        new = Counter(said) - Counter(plain)
        assert Counter(better) == Counter({text: number for text, number in new.items() if text in charts.CODES})
        notes = " ".join(said)
        assert "hard 4 against 2: 0.0010000; hard 4 against 5: 0.0010000; " in notes
        assert f"; {len(better) - 12} more. Costs: of the RTP in percentage points" in notes
        drawn = figure._sheet("", framed, [("", "")], False, ())
        frames = [corners for paint, shapes in drawn.shapes.items() if paint.layer == 2 for corners in shapes]
        assert len(frames) == len(better) + 1  # that of the legend

    def test_the_other_chart_of_a_comparison(self) -> None:
        subject, chart, _ = made("classic-blackjack")
        section, *others = chart.sections
        row, *rows = section.rows
        cells = tuple(cell and replace(cell, against="Rs", other="Rs", cost=-1e-3) for cell in row.cells)
        other = replace(
            chart, against="own.csv", sections=(replace(section, rows=(replace(row, cells=cells), *rows)), *others)
        )
        said = texts(figure.chart_figure(subject, other, "svg"))
        assert "the other chart says otherwise: the small one" in said
        assert said.count("Rs") == 12  # those of the row, of hard 16 against a ten and of the legend

    @pytest.mark.parametrize("compact", [False, True])
    def test_svg_has_a_title_a_description_and_nothing_from_elsewhere(self, compact: bool) -> None:
        subject, chart, _ = made("face-up-21")
        data = figure.chart_figure(subject, chart, "svg", compact=compact)
        assert len(data) < (36_000 if compact else 42_000)
        root = ElementTree.fromstring(data)
        names = [root[0].attrib["id"], root[1].attrib["id"]]
        assert (root.attrib["role"], root.attrib["aria-labelledby"].split()) == ("img", names)
        assert (root[0].tag, root[0].text) == (f"{SVG}title", "Face Up 21: strategy chart")
        described = root[1].text or ""
        assert root[1].tag == f"{SVG}desc"
        assert "hard 4–8: 4 to 20 H\nhard 9: 4 H, 5 to 6 D, 7 to 11 H, 12 to 16 D, 17 to 20 H\n" in described
        assert f"RTP: {charts.rtp_words(chart)}" in described
        assert not re.search(rb"href|url\(|<style|<script|<image", data)

    def test_size(self) -> None:
        subject, chart, _ = made("face-up-21")

        def drawn(form: str, **asked: Any) -> bytes:
            size = sheet.read_size(form, **{"width": None, "dots": None, "paper": None, **asked})
            return figure.chart_figure(subject, chart, form, size=size)

        root = ElementTree.fromstring(drawn("svg", width="96 px"))
        assert root.attrib["width"] == "72pt"
        high = float(root.attrib["height"].removesuffix("pt")) / 72
        for asked, wide, dots in (
            ({"width": "1201px", "dots": 200}, 1201, 200),
            ({"width": "127mm", "dots": 300}, 1500, 300),
            ({"width": "12.7cm"}, 720, 144),
            ({"width": "180"}, 360, 144),
        ):
            png = drawn("png", **asked)
            shown = struct.unpack(">II", png[16:24])
            assert shown == (wide, pytest.approx(wide * high, abs=0.6))
            per_metre = struct.unpack(">I", png[png.index(b"pHYs") + 4 :][:4])[0]
            assert per_metre == pytest.approx(dots / 0.0254, abs=1)

    @pytest.mark.parametrize(
        ("game", "paper", "compact", "box"),
        [
            ("face-up-21", "a4", False, (595.28, 841.89)),
            ("classic-blackjack", "Letter", True, (792, 612)),
            ("classic-blackjack", "A3", True, (1190.55, 841.89)),
        ],
    )
    def test_paper(self, game: str, paper: str, compact: bool, box: tuple[float, float]) -> None:
        subject, chart, _ = made(game)
        size = sheet.read_size("pdf", None, None, paper)
        pdf = figure.chart_figure(subject, chart, "pdf", size=size, compact=compact)
        found = re.search(rb"/MediaBox \[ 0 0 ([0-9.]+) ([0-9.]+) \]", pdf)
        assert found is not None
        assert [float(length) for length in found.groups()] == pytest.approx(box, abs=0.01)

    def test_values(self) -> None:
        subject, chart, _ = made("classic-blackjack")
        said = texts(figure.chart_figure(subject, chart, "svg", evs=True))
        cell = chart.cell("hard", "16", "T")
        assert cell is not None
        assert "-0.500" in said
        assert f"{cell.gap:.4f}" in said
        assert len(said) > 3 * 360
        assert "(a minus: it would gain)" not in charts.evs_words(chart)

    def test_what_another_action_would_gain_has_a_minus(self) -> None:
        subject, _, _ = made("classic-blackjack")
        own = odds.chart(subject.rules, odds.basic_strategy(subject.rules).with_code("hard", "20", "6", "H"))
        cell = own.cell("hard", "20", "6")
        assert cell is not None
        assert cell.gap is not None
        assert cell.gap < -1
        assert f"{cell.gap:.4f}" in texts(figure.chart_figure(subject, own, "svg", evs=True))
        assert "(a minus: it would gain)" in charts.evs_words(own)

    def test_exceptions_are_marked_and_listed(self) -> None:
        subject, chart, found = made("single-deck")
        plain = figure.chart_figure(subject, chart, "svg")
        marked = figure.chart_figure(subject, chart, "svg", found=found)
        assert "2,6 and 2,T against 6: hit" in " ".join(texts(marked))
        assert "better played otherwise" in " ".join(texts(marked))
        assert "otherwise" not in " ".join(texts(plain))

    def test_a_title_in_another_script(self) -> None:
        subject, chart, _ = made("single-deck")
        subject = replace(subject, game=replace(subject.game, title="二十一点 $x_1$ <b>\x01\udcff"))
        assert "二十一点 $x_1$ <b>\ufffd\ufffd" in texts(figure.chart_figure(subject, chart, "svg"))
        assert figure.chart_figure(subject, chart, "png").startswith(MAGIC["png"])

    def test_the_chart_of_a_shoe_that_lacks_cards(self) -> None:
        subject, chart, _ = made("single-deck", removed="5,5,5,5")
        said = texts(figure.chart_figure(subject, chart, "svg"))
        assert "5,5,5,5 from the shoe" in said
        assert "–" in said


class TestCommand:
    @pytest.mark.parametrize("form", sheet.FORMATS)
    def test_a_file_of_each_format(self, form: str, tmp_path: Path) -> None:
        path = tmp_path / f"chart.{form}"
        result = CliRunner().invoke(app, ["chart", "single-deck", "--kind", "composition", "--out", str(path)])
        assert (result.exit_code, result.stdout) == (0, "")
        subject, chart, found = made("single-deck")
        assert path.read_bytes() == figure.chart_figure(subject, chart, form, found=found)
        assert list(tmp_path.iterdir()) == [path]

    @pytest.mark.parametrize("form", ["svg", "html"])
    def test_matplotlib_is_for_png_and_pdf(self, form: str) -> None:
        command = ["chart", "single-deck", "--format", form]
        code = f"import sys; sys.modules['matplotlib'] = None; from odds.cli.main import main; main({command})"
        found = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
        assert found.stdout.startswith({"svg": "<?xml", "html": "<!DOCTYPE"}[form])

    @pytest.mark.parametrize("form", ["png", "pdf"])
    def test_without_matplotlib(self, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "matplotlib", None)
        monkeypatch.setattr("odds.cli.charts.played_round", None)  # what is missing is said before the work
        result = CliRunner().invoke(app, ["chart", "single-deck", "--out", str(tmp_path / f"x.{form}")])
        assert result.exit_code == 2
        assert f"pictures as {form} need matplotlib, which is not installed: pip install matplotlib" in result.stderr
        assert not list(tmp_path.iterdir())

    def test_title_and_size(self, tmp_path: Path) -> None:
        path = tmp_path / "chart.svg"
        command = [
            "chart",
            "single-deck",
            "--title",
            "Mine & yours",
            "--width",
            "18cm",
            "--compact",
            "--out",
            str(path),
        ]
        assert CliRunner().invoke(app, command).exit_code == 0
        root = ElementTree.fromstring(path.read_bytes())
        assert root[0].text == "Mine & yours: strategy chart"
        assert root.attrib["width"] == "510.24pt"
        assert {"4–7", "17+"} < set(texts(path.read_bytes()))

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ("--width 500", "--width is for svg, png, pdf: expected one of these formats, got text"),
            ("--format svg --dpi 300", "--dpi is for png"),
            ("--format svg --paper A4", "--paper is for pdf"),
            ("--json --title x", "--title is for text, md, html, svg, png, pdf"),
            ("--format csv --compact", "--compact is for text, md, html, svg, png, pdf"),
            ("--compact --evs", "expected --compact or --evs"),
            ("--compact --kind composition", "--compact: --kind composition has no rows to fold as text"),
            ("--out x.pdf --paper B5", "--paper: expected A3, A4, A5, letter, legal, got 'B5'"),
            ("--out x.pdf --paper A4 --width 300", "expected --width or --paper, got both"),
            ("--out x.png --dpi 9999", "--dpi: expected 36 to 600, got 9999"),
            ("--out x.png --dpi 600 --width 17in", "--width: expected 50 to 1200 points, got '17in'"),
            ("--out x.svg --width 5km", "--width: expected points, or a number of mm"),
            ("--out x.svg --width 1", "--width: expected 50 to 7500 points, got '1'"),
            (f"--out x.svg --title {'x' * 201}", "--title: expected 1 to 200 characters, got 201"),
        ],
    )
    def test_options_that_cannot_be_are_refused_before_the_work(
        self, options: str, words: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setattr("odds.cli.charts.played_round", None)
        monkeypatch.chdir(tmp_path)
        result = CliRunner().invoke(app, ["chart", "single-deck", *options.split()])
        assert (result.exit_code, result.stdout) == (2, "")
        assert words in result.stderr
        assert result.stderr.count("\n") == 1


def test_the_picture_of_the_readme_is_this_versions() -> None:
    subject, chart, _ = made("face-up-21")
    assert (DOCS / "face-up-21.svg").read_bytes() == figure.chart_figure(subject, chart, "svg")
