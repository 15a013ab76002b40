"""A chart as a picture or a page, for notebooks and files."""

from __future__ import annotations

from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from odds.errors import RulesError, ShoeError
from odds.files import write_file
from odds.game.cards import RANKS, TEN
from odds.game.catalog import Game, game_of
from odds.game.fields import show_value
from odds.game.rules import Rules
from odds.game.subject import Subject
from odds.report.figure import chart_figure
from odds.report.page import chart_page
from odds.results.round import analyze
from odds.strategy.chart import Chart, differences
from odds.strategy.exceptions import longer_differences
from odds.strategy.search import chart as chart_of

if TYPE_CHECKING:
    import os

    from odds.game.catalog import AnyGame
    from odds.strategy.chart import Difference

_MIME: Final = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf", "html": "text/html"}
_TITLE: Final = "Strategy chart"


@dataclass(frozen=True, slots=True, repr=False)
class Picture:
    """A chart as a picture or a page, which a notebook shows.

    Attributes:
        title: what stands over it.
        form: `svg`, `png`, `pdf` or `html`.
        content: text of `html`, bytes of the others.
    """

    title: str
    form: str
    content: str | bytes

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture to a file.

        Raises:
            OddsError: it cannot be written.
        """
        write_file(Path(path), self.content)

    def __repr__(self) -> str:
        return f"<Picture {self.form}: {self.title}>"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        data = self.content.decode() if self.form == "svg" and isinstance(self.content, bytes) else self.content
        if self.form == "html":
            # A frame of its own, so that neither the page's styles nor the notebook's touch the other.
            data = f'<iframe srcdoc="{escape(str(data))}" width="100%" height="900" style="border:0"></iframe>'
        return {_MIME[self.form]: data, "text/plain": repr(self)}


def picture(
    chart: Chart | AnyGame,
    form: str = "svg",
    *,
    title: str | None = None,
    evs: bool = False,
    compact: bool = False,
    exact_cards: bool = False,
) -> Picture:
    """Return a chart as a picture or a page.

    >>> picture("eight-deck-s17")
    <Picture svg: Eight decks, dealer stands on soft 17>

    Args:
        chart: the chart; or a game, also by its name or file, whose best chart it then is.
        form: `svg`, `png`, `pdf`, or `html` for a page.
        title: stands over it; by default the title of the game.
        evs: write values into the cells of a picture.
        compact: fold neighbouring rows that say the same; not with values, which differ.
        exact_cards: mark and list cards that are better played otherwise; the page of a best chart always does.

    Raises:
        RulesError: the form or the chart is none, or it is to be compact with values.
        ShoeError: the chart is of a shoe that is not its decks less some cards.
        OddsError: matplotlib is not installed, which `png` and `pdf` need.
    """
    if form not in _MIME:
        raise RulesError(f"form: expected {', '.join(_MIME)}, got {show_value(form)}")
    if compact and evs:
        raise RulesError("expected compact or evs, got both: folded rows have different values")
    if isinstance(chart, Chart | Rules):
        chart = chart if isinstance(chart, Chart) else chart_of(chart)
        game = Game("rules", _TITLE, chart.rules, "")
    else:
        game = game_of(chart, "a chart, a game, rules, or the name or file of a game")
        chart = chart_of(game)
    subject = Subject(replace(game, title=title or game.title), chart.rules, _removed(chart))
    found: tuple[Difference, ...] | None = None
    longer: tuple[Difference, ...] = ()
    if exact_cards or (form == "html" and chart.chart_ev is None):
        best = analyze(chart.rules, shoe=chart.shoe)
        found = differences(best, chart)
        longer = longer_differences(best, chart.strategy) if chart.strategy else ()
    if form == "html":
        content: str | bytes = chart_page(subject, chart, found, longer, compact=compact)
    else:
        content = chart_figure(subject, chart, form, evs=evs, found=found, compact=compact)
    return Picture(subject.game.title, form, content)


def _removed(chart: Chart) -> str:
    """Return the cards that a chart's shoe lacks, as text."""
    full, shoe = chart.rules.shoe(), chart.shoe
    cards = list(zip(RANKS[:TEN], full.counts, shoe.counts, strict=False))
    if full.ten_ranks is None or shoe.ten_ranks is None:
        cards.append(("T", full.counts[TEN], shoe.counts[TEN]))
    else:
        cards.append(("T", shoe.unspecified_tens_gone, 0))
        cards += zip("TJQK", full.ten_ranks, shoe.ten_ranks, strict=True)
    if any(left > was for _, was, left in cards):
        raise ShoeError(f"a picture: expected a chart of {full} or of some of them, got one of {shoe}")
    return ",".join(card for card, was, left in cards for _ in range(was - left))
