"""Charts as HTML pages: their markup, and what a real browser makes of it."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from chromium import Page, browser, find
from strategies import ONE_HAND
from test_chart_figures import MANY_CHANGES, made
from typer.testing import CliRunner

import odds
from odds.cli.main import app
from odds.report import charts, page
from odds.strategy.chart import Chart, Difference
from odds.strategy.codes import CODES
from odds.strategy.exceptions import longer_differences
from odds.strategy.search import chart as find_chart

CHROMIUM = find()
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium to open pages with")
VOID = ("meta", "link", "input", "br", "hr", "img")


class Reader(HTMLParser):
    """Reads a page into its cells, its lines of values and its tags."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.ids: list[str] = []
        self.cells: dict[str, dict[str, str]] = {}
        self.lines: dict[str, list[str]] = {}
        self._cell = self._line = ""
        self.title = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append((tag, found))
        if tag not in VOID:
            self.open.append(tag)
        name = found.get("id") or ""
        if name:
            self.ids.append(name)
        if tag == "td" and name:
            self._cell = name
            self.cells[name] = {"class": found.get("class") or "", "code": "", "cost": ""}
        if tag == "tr":
            self._line = name
            if name:
                self.lines[name] = []
        if self._line and tag in ("td", "th"):
            self.lines[self._line].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        if tag == "td":
            self._cell = ""
        if tag == "tr":
            self._line = ""

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "title":
            self.title += data
        if self._cell and self.open[-1] in ("b", "i"):
            self.cells[self._cell]["code" if self.open[-1] == "b" else "cost"] += data
        if self._line and self.open[-1] in ("td", "th"):
            self.lines[self._line][-1] += data


@cache
def longer(game: str, *changes: str, removed: str = "") -> tuple[Difference, ...]:
    subject, chart, _ = made(game, *changes, removed=removed)
    assert chart.strategy is not None
    return longer_differences(odds.analyze(subject.rules, shoe=subject.shoe()), chart.strategy)


def write_page(path: Path, game: str, *changes: str, **options: Any) -> Path:
    given = game, *changes
    path.write_text(page.chart_page(*made(*given, **options), longer(*given, **options)), encoding="utf-8")
    return path


FREE = ("classic-blackjack", "dealer_22=push", "free_double_on=9-11", "free_split=A-9")
ALWAYS = ("classic-blackjack", "face-up-21", "double-attack")  # the other games are looked at with the slow tests


def slug(section: str, row: str, column: str) -> str:
    return "-".join([*section.split(), *row.replace(",", "").split(), *column.split()])


class TestMarkup:
    @pytest.mark.parametrize(
        "game", [pytest.param(game, marks=() if game in ALWAYS else pytest.mark.slow) for game in ONE_HAND]
    )
    def test_every_game(self, game: str) -> None:
        subject, chart, found = made(game)
        text = page.chart_page(subject, chart, found)
        assert text == page.chart_page(subject, chart, found)
        read = Reader(text)
        more = sum(section.startswith(("doubled", "free")) for section, *_ in chart.cells())
        upcards = sum(n > 0 for n in subject.rules.shoe().counts)
        assert len(read.cells) == (936 if subject.rules.hole_card == "exposed" else 36 * upcards) + more
        assert len(read.ids) == len(set(read.ids))
        assert read.title == f"{subject.game.title}: strategy chart"
        marked = {(item.section, item.row, item.column) for item in found}
        for *place, cell in chart.cells():
            name = slug(*place)
            shown = read.cells[name]
            assert shown["code"] == cell.code
            assert shown["class"].split() == [cell.code[0], *(["marked"] if tuple(place) in marked else [])]
            line = read.lines[f"values-{name}"]
            assert line[:3] == [place[1] if place[0] == "pairs" else f"{place[0]} {place[1]}", place[2], cell.code]
            values = [float(value) for value in line[3:-4] if value]
            assert values == pytest.approx(list(cell.values.values()), abs=5.1e-7, rel=0)
            # A cell that no hand looks up after the deal has no other code that makes a difference.
            assert line[-4] == (cell.other or "")
            assert (line[-3] == "") == (cell.cost is None)
            assert float(line[-3] or 0) == pytest.approx(cell.cost or 0, abs=5.1e-9, rel=0)
            assert float(line[-2].rstrip("%")) / 100 == pytest.approx(cell.probability, abs=5.1e-7, rel=0)
            assert (line[-1] != "") == (tuple(place) in marked)
        words = " ".join(re.sub("<[^>]*>", " ", text).split())
        assert f"{100 * (1 + (chart.ev or 0)):.5f}% played by this chart" in words
        assert f"odds {odds.__version__}, rules {charts.rules_hash(subject.rules)}" in words
        for item in found:
            assert " ".join(charts.difference_cells(item)) in words

    def test_free_hands_have_rows_and_what_is_free_is_said(self) -> None:
        subject, chart, found = made(*FREE)
        text = page.chart_page(subject, chart, found)
        read = Reader(text)
        assert len(read.cells) == 62 * 10
        assert read.cells["free-hard-17-7"]["code"] != read.cells["hard-17-7"]["code"]
        assert "doubles of two cards are free on 9-11; splits of A to 9 are free" in text
        labels = {tag["href"]: tag["aria-label"] for _, tag in read.tags if "aria-label" in tag and "href" in tag}
        for place, words in (
            ("hard-11-6", "D, double, else hit (the double is free)"),
            ("soft-17-6", "D, double, else hit"),
            ("free-hard-11-6", "D, double, else hit (the double is free)"),
            ("pairs-88-T", "P, split, else as the total (the split is free)"),
            ("pairs-TT-T", "S, stand"),
        ):
            assert labels[f"#values-{place}"] == words

    def test_it_needs_nothing_else(self) -> None:
        text = page.chart_page(*made("face-up-21"))
        read = Reader(text)
        assert not re.search(r"https?:|//[a-z]|@import|url\(|\b20\d\d-\d\d", text)
        for tag, attributes in read.tags:
            assert "src" not in attributes, tag
            link = attributes.get("href") or ""
            assert not link or link.startswith("data:") or link[1:] in read.ids

    def test_tables_name_their_rows_and_columns(self) -> None:
        read = Reader(page.chart_page(*made("single-deck")))
        heads = [attributes.get("scope") for tag, attributes in read.tags if tag == "th"]
        assert set(heads) == {"row", "col"}
        labels = [attributes["aria-label"] for tag, attributes in read.tags if tag == "a"]
        assert len(labels) == 360
        assert set(labels) <= {f"{code}, {words}" for code, words in CODES.items()}

    def test_texts_are_escaped(self) -> None:
        subject, chart, found = made("single-deck")
        title = '<script>alert("1")</script> & <b>'
        text = page.chart_page(replace(subject, game=replace(subject.game, title=title)), chart, found)
        assert text.count("<script>") == 1
        assert Reader(text).title == f"{title}: strategy chart"

    def test_the_chart_of_a_shoe_that_lacks_cards(self) -> None:
        text = page.chart_page(*made("single-deck", removed="5,5,5,5"))
        read = Reader(text)
        assert read.cells["pairs-55-T"]["class"] == "none"
        assert len(read.cells) == 36 * 9  # the dealer has no five to show
        assert "5,5,5,5 from the shoe" in text

    def test_many_exceptions_are_not_all_printed(self) -> None:
        subject, chart, found = made("face-up-21")
        most = page._PRINTED
        many = page.chart_page(subject, chart, (found * 3)[: most + 5])
        assert many.count('<tr class="more">') == 5
        assert "And 5 more, which are not printed." in many
        assert "not printed" not in page.chart_page(subject, chart, found[:most])

    def test_longer_hands_are_listed_too_and_printed_as_far_as_there_is_room(self) -> None:
        subject, chart, found = made("single-deck")
        hands = longer("single-deck")
        text = page.chart_page(subject, chart, found, hands)
        assert len(hands) > 300
        assert all(f'<th scope="row">{item.player}</th>' in text for item in hands)
        assert f"And {len(hands) + len(found) - page._PRINTED} more, which are not printed." in text

    def test_an_own_chart_has_a_sign_in_its_wrong_cells_and_lists_them(self) -> None:
        subject, _, _ = made("single-deck")
        own = odds.basic_strategy(subject.rules).with_code("hard", "20", "6", "H")
        text = page.chart_page(subject, find_chart(subject.rules, own), None)
        read = Reader(text)
        signed = {name for name, cell in read.cells.items() if "signed" in cell["class"]}
        assert "hard-20-6" in signed
        assert len(signed) == text.count("<sup>!</sup>") < 10
        assert "Wrong cells, the worst first" in text
        assert "Exact cards" not in re.sub(r"<details.*", "", text, flags=re.DOTALL)

    def test_folded_rows_lead_to_the_values_of_the_first(self) -> None:
        subject, chart, found = made("classic-blackjack")
        read = Reader(page.chart_page(subject, chart, found, compact=True))
        assert len(read.lines) == len(Reader(page.chart_page(subject, chart, found)).lines)
        assert {name.split("-")[1] for name in read.cells if name.startswith("hard")} == {
            *("4", "9", "10", "11", "12", "13", "15", "16", "17")
        }
        assert read.cells["hard-4-2"] == {"class": "H", "code": "H", "cost": ""}
        assert read.cells["hard-9-2"]["cost"] != ""
        assert all(f"values-{name}" in read.ids for name, cell in read.cells.items() if cell["code"])


class TestCommand:
    def test_a_file(self, tmp_path: Path) -> None:
        path = tmp_path / "chart.htm"
        result = CliRunner().invoke(app, ["chart", "single-deck", "--out", str(path)])
        assert (result.exit_code, result.stdout) == (0, "")
        assert path.read_text(encoding="utf-8") == page.chart_page(*made("single-deck"), longer("single-deck"))

    def test_standard_output(self) -> None:
        result = CliRunner().invoke(app, ["chart", "single-deck", "--format", "html"])
        assert result.stdout.startswith("<!DOCTYPE html>\n")


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    assert CHROMIUM is not None
    with browser(CHROMIUM, tmp_path_factory.mktemp("chromium")) as opened:
        yield opened


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    return {game: write_page(folder / f"{game}.html", game) for game in ALWAYS}


def panel_values(page: Page) -> dict[str, float]:
    """Return the values of actions in the panel."""
    rows: dict[str, str] = page.value(
        "Object.fromEntries([...document.querySelectorAll('#panel dl div')]"
        ".map(row => [row.children[0].textContent, row.children[1].textContent]))"
    )
    return {action: float(value) for action, value in rows.items()}


def check_panel(page: Page, chart: Chart, *place: str) -> None:
    """Compare what the panel says with what the engine does."""
    cell = chart.cell(*place)
    assert cell is not None
    row = place[1] if place[0] == "pairs" else f"{place[0]} {place[1]}"
    assert page.value("document.querySelector('#panel h2').textContent") == f"{row} against {place[2]}"
    values = panel_values(page)
    assert values == pytest.approx(dict(cell.values), abs=5.1e-7, rel=0)
    assert list(values.values()) == sorted(values.values(), reverse=True)
    assert page.value("document.querySelector('#panel dt.chosen').textContent") == cell.action
    if cell.cost is None:
        assert page.value("document.querySelector('#panel .cost') === null")
        return
    cost = page.value("document.querySelector('#panel .cost').textContent")
    assert cost == f"{cell.other} instead costs {abs(cell.cost):.8f} a round"


@needs_chromium
class TestBrowser:
    def test_pointing(self, chromium: Page, pages: dict[str, Path]) -> None:
        chromium.open(pages["classic-blackjack"])
        _, chart, _ = made("classic-blackjack")
        assert "Point at a cell" in chromium.value("document.getElementById('panel').textContent")
        for place in (("hard", "16", "T"), ("pairs", "8,8", "A"), ("soft", "18", "6")):
            chromium.hover(f"#{slug(*place)}")
            check_panel(chromium, chart, *place)

    @pytest.mark.parametrize(("code", "does"), [("H", "gains"), ("S", "costs")])
    def test_a_wrong_cell_says_what_the_better_code_gains(
        self, chromium: Page, tmp_path: Path, code: str, does: str
    ) -> None:
        subject, _, _ = made("single-deck")
        own = find_chart(subject.rules, odds.basic_strategy(subject.rules).with_code("hard", "20", "6", code))
        cell = own.cell("hard", "20", "6")
        assert cell is not None
        assert cell.cost is not None
        (tmp_path / "chart.html").write_text(page.chart_page(subject, own, None), encoding="utf-8")
        chromium.open(tmp_path / "chart.html", "#hard-20-6")
        said = chromium.value("document.querySelector('#panel .cost').textContent")
        assert said == f"{cell.other} instead {does} {abs(cell.cost):.8f} a round"
        assert f"{cell.other} instead {does} {abs(cell.cost):.8f} a round" in own._repr_html_()
        short = chromium.value("document.querySelector('#hard-20-6 i').textContent")
        assert short.startswith("-") == (does == "gains")
        assert len(short) > 1

    def test_values_are_those_of_the_hands(self, chromium: Page, pages: dict[str, Path]) -> None:
        # A pair's cell is one hand; standing and doubling do not depend on the chart.
        chromium.open(pages["face-up-21"])
        chromium.hover("#pairs-55-hard-4")
        hand = odds.analyze(odds.load_game("face-up-21").rules).hand("5,5", "2,2").actions
        values = panel_values(chromium)
        assert values["stand"] == pytest.approx(hand["stand"], abs=5.1e-7, rel=0)
        assert values["double"] == pytest.approx(hand["double"], abs=5.1e-7, rel=0)

    def test_every_cell(self, chromium: Page, pages: dict[str, Path]) -> None:
        chromium.open(pages["face-up-21"])
        shown: dict[str, list[Any]] = chromium.value(
            "Object.fromEntries([...document.querySelectorAll('.cells td')].map(cell => {"
            "cell.firstElementChild.dispatchEvent(new MouseEvent('mouseover', {bubbles: true}));"
            "return [cell.id, [...document.querySelectorAll('#panel dl div')]"
            ".map(row => [row.children[0].textContent, Number(row.children[1].textContent)])]; }))"
        )
        _, chart, _ = made("face-up-21")
        for *place, cell in chart.cells():
            assert dict(shown[slug(*place)]) == pytest.approx(dict(cell.values), abs=5.1e-7, rel=0)

    def test_keyboard(self, chromium: Page, pages: dict[str, Path]) -> None:
        chromium.open(pages["classic-blackjack"])
        _, chart, _ = made("classic-blackjack")
        for _ in range(2):  # past the switch
            chromium.press("Tab")
        check_panel(chromium, chart, "hard", "4", "2")
        for key in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowUp", "ArrowLeft"):
            chromium.press(key)
        check_panel(chromium, chart, "hard", "4", "3")
        chromium.press("Tab")
        check_panel(chromium, chart, "soft", "12", "2")
        chromium.press("Escape")
        assert "Point at a cell" in chromium.value("document.getElementById('panel').textContent")

    def test_tapping(self, chromium: Page, pages: dict[str, Path]) -> None:
        chromium.open(pages["face-up-21"], width=390, height=844, phone=True)
        _, chart, _ = made("face-up-21")
        chromium.tap("#hard-13-hard-11")
        chromium.wait("document.querySelector('#panel h2') !== null")
        check_panel(chromium, chart, "hard", "13", "hard 11")
        assert "Better otherwise: 6,7 against 3,8: stand" in chromium.value(
            "document.getElementById('panel').textContent"
        )
        assert chromium.value("location.hash") == "#hard-13-hard-11"
        chromium.tap("#panel button")
        chromium.wait("document.querySelector('#panel h2') === null")

    def test_an_address_opens_a_cell(self, chromium: Page, pages: dict[str, Path]) -> None:
        chromium.open(pages["classic-blackjack"], "#pairs-99-7")
        _, chart, _ = made("classic-blackjack")
        check_panel(chromium, chart, "pairs", "9,9", "7")

    def test_switch_to_costs(self, chromium: Page, pages: dict[str, Path]) -> None:
        chromium.open(pages["classic-blackjack"])
        shown = "getComputedStyle(document.querySelector('#hard-16-T i')).display !== 'none'"
        assert not chromium.value(shown)
        chromium.click("#view-costs")
        assert chromium.value(shown)
        _, chart, _ = made("classic-blackjack")
        cell = chart.cell("hard", "16", "T")
        assert cell is not None
        assert cell.cost is not None
        assert chromium.value("document.querySelector('#hard-16-T').innerText").split() == [
            "Rs",
            f"{1e6 * cell.cost:.0f}",
        ]
        chromium.click("#view-actions")
        assert not chromium.value(shown)

    def test_without_scripts(self, chromium: Page, pages: dict[str, Path]) -> None:
        chromium.call("Emulation.setScriptExecutionDisabled", value=True)
        try:
            chromium.open(pages["classic-blackjack"])
            chromium.click("#hard-16-T a")
            chromium.wait("location.hash === '#values-hard-16-T'")
            chromium.wait("document.getElementById('values').open")
            chromium.click("#view-costs")
            assert chromium.value("getComputedStyle(document.querySelector('#hard-16-T i')).display") == "block"
        finally:
            chromium.call("Emulation.setScriptExecutionDisabled", value=False)

    @pytest.mark.parametrize("view", ["actions", "costs"])
    @pytest.mark.parametrize("width", [320, 390, 768, 1000, 1280, 1920])
    @pytest.mark.parametrize("game", ALWAYS)
    def test_nothing_overlaps_or_is_cut(
        self, chromium: Page, pages: dict[str, Path], game: str, width: int, view: str
    ) -> None:
        chromium.open(pages[game], width=width, height=844, phone=width < 500)
        chromium.value(f"document.getElementById('view-{view}').click()")
        assert chromium.value("document.documentElement.scrollWidth") <= width
        assert chromium.value(OVERLAPS) == []
        assert chromium.value(CUT) == []
        assert chromium.requests == [pages[game].resolve().as_uri()]
        assert chromium.problems == []

    @pytest.mark.parametrize("width", [900, 1100, 1280])
    def test_long_words_beside_the_notes_leave_them_room(self, chromium: Page, tmp_path: Path, width: int) -> None:
        subject, chart, _ = made("classic-blackjack")
        other = replace(chart, against="the best chart of " + "a game of many words " * 5, against_ev=chart.ev)
        (tmp_path / "chart.html").write_text(page.chart_page(subject, other, None), encoding="utf-8")
        chromium.open(tmp_path / "chart.html", width=width, height=844, phone=False)
        assert chromium.value("document.querySelector('.notes dd').clientWidth") >= 300

    @pytest.mark.parametrize("view", ["actions", "costs"])
    @pytest.mark.parametrize("paper", [(11.69, 8.27), (11.0, 8.5)])
    @pytest.mark.parametrize(
        "game",
        [
            *(pytest.param(game, marks=() if game in ALWAYS else pytest.mark.slow) for game in ONE_HAND),
            pytest.param("much to say", marks=pytest.mark.slow),
            "much to say of totals",
            "free money",
        ],
    )
    def test_it_prints_on_one_page(
        self, chromium: Page, tmp_path: Path, game: str, paper: tuple[float, float], view: str
    ) -> None:
        path = tmp_path / "chart.html"
        if game.startswith("much"):
            changed = ("face-up-21", *MANY_CHANGES[:4]) if game.endswith("totals") else ("single-deck", *MANY_CHANGES)
            subject, chart, found = made(*changed, removed="A,2,3,4,5,6,7,8")
            assert found
            path.write_text(page.chart_page(subject, chart, (found * 50)[:50], longer("single-deck")), encoding="utf-8")
        else:
            write_page(path, *(FREE if game == "free money" else (game,)))
        chromium.open(path, "#hard-16-T")
        chromium.value(f"document.getElementById('view-{view}').click()")
        margin = 8 / 25.4
        sides = {f"margin{side}": margin for side in ("Top", "Bottom", "Left", "Right")}
        data = chromium.pdf(paperWidth=paper[0], paperHeight=paper[1], **sides)
        assert len(re.findall(rb"/Type\s*/Page\b", data)) == 1
        chromium.resize(int(96 * (paper[0] - 2 * margin)), int(96 * (paper[1] - 2 * margin)))
        chromium.call("Emulation.setEmulatedMedia", media="print")
        try:
            assert chromium.value("document.documentElement.scrollWidth <= innerWidth")
            assert chromium.value("document.documentElement.scrollHeight <= innerHeight")
            assert chromium.value(OVERLAPS) == []
            assert chromium.value(CUT) == []
        finally:
            chromium.call("Emulation.setEmulatedMedia", media="")


# Pairs of texts that lie over each other, but for the panel, which may lie over what can be scrolled from under it.
OVERLAPS = """(() => {
  const texts = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const hidden = node.parentElement.closest("script, style, noscript, caption, #panel, #values");
    if (hidden || !node.textContent.trim()) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) if (box.width && box.height) texts.push([box, node.textContent.trim()]);
  }
  const found = [];
  texts.sort((one, other) => one[0].top - other[0].top);
  texts.forEach(([one, text], place) => {
    for (const [other, otherText] of texts.slice(place + 1)) {
      if (other.top > one.bottom) break;
      const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (width > 1 && height > 3) found.push([text, otherText]);
    }
  });
  return found;
})()"""
# Texts of cells that stick out of their cells.
CUT = """[...document.querySelectorAll(".cells td, .cells th")].filter(cell => {
  const box = cell.getBoundingClientRect(), range = document.createRange();
  range.selectNodeContents(cell);
  return [...range.getClientRects()].some(text => text.width && (text.left < box.left - 1 ||
    text.right > box.right + 1 || text.top < box.top - 2 || text.bottom > box.bottom + 2));
}).map(cell => cell.textContent)"""
