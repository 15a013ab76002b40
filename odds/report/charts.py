"""Strategy charts as text, Markdown, CSV and JSON, and what their pictures and pages share with these."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from odds.engine.actions import ACTIONS
from odds.engine.split_classes import DEFAULT_SPLIT_CLASS
from odds.engine.terms import hand_terms
from odds.files import markdown_row, to_csv, to_markdown
from odds.game.subject import Subject, provenance, rules_hash
from odds.numbers.decimals import fixed
from odds.report.common import POINTS, header, listed, method, new_table, percent, signed, slices, titled
from odds.results.deals import raise_facts
from odds.strategy import codes
from odds.strategy.chart import bonus_facts, insurance_words, total_gain
from odds.strategy.codes import CODES, row_name
from odds.strategy.codes import COLOURS as COLOURS
from odds.strategy.codes import NO_CELL as NO_CELL

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import RenderableType
    from rich.table import Table

    from odds.strategy.chart import Cell, Chart, Difference, Section

_STYLES = {"S": "red", "H": "green", "D": "blue", "P": "magenta", "R": "yellow"}
_PAIRS_WORDS = "with two cards, hard 4, hard 20 and soft 12 are 2,2, T,T and A,A where they are not split"
MARK = "!"
_SAME = "the same"
_MOST_LISTED = 25
_MARKED_COLUMNS = ("section", "row", "column", "code", "other", "cost")
_DIFFERENCE_HEADINGS = ("Hand", "Dealer", "Row", "Chart says", "Best", "Gain", "Frequency")
_DIFFERENCE_COLUMNS = ("player", "dealer", "section", "row", "column", "chart", "best", "gain", "probability")


def derivation(chart: Chart) -> str:
    """Return what a chart is, and what is claimed of it."""
    if chart.chart_ev is not None:
        return f"{chart.play}, played as it says"
    return (
        f"the best found that looks at {hand_terms(chart.rules).looks} only: no change of a single cell improves the "
        "EV of a round. Pairs that are not split, doubled or surrendered do as their total"
    )


def rtp_words(chart: Chart) -> str:
    """Return the RTP of a chart beside the best there is."""
    if chart.ev is None or chart.best_ev is None:
        return ""
    words, best = f"{percent(1 + chart.ev, 5)} played by this chart", percent(1 + chart.best_ev, 5)
    if chart.chart_ev is None:
        return f"{words}, {best} by the best play for the exact cards: {_less(chart.best_ev, chart.ev)}"
    less, top = _less(chart.chart_ev, chart.ev), percent(1 + chart.chart_ev, 5)
    words += f", {less} {'as' if less == _SAME else 'than'} by the best chart ({top})"
    return f"{words}; {best} by the best play for the exact cards"


def _less(ev: float, other: float) -> str:
    by = round(abs(ev - other), 7)
    return f"{percent(by, 5, POINTS)} {'less' if other < ev else 'more'}" if by else _SAME


def marked_words(chart: Chart) -> str:
    """Return how many cells are marked and why, and what they cost together; nothing where none could be."""
    number = len(chart.marked())
    if chart.against is not None and chart.ev is not None and chart.against_ev is not None:
        return (
            f"{number or 'no'} cell{' is' if number == 1 else 's are'} not as in {chart.against}, which returns "
            f"{percent(1 + chart.against_ev, 5)} here: {_less(chart.ev, chart.against_ev)}"
        )
    if chart.chart_ev is None:
        return ""
    return f"{number or 'no'} cell{'' if number == 1 else 's'} would be better changed, all else being as it is"


def mark_words(chart: Chart) -> str:
    """Return what the mark of a cell says, in a legend."""
    return "another code is better" if chart.against is None else "the other chart says otherwise"


class Listing(NamedTuple):
    """A table that goes with a chart.

    Attributes:
        title: stands over it.
        headings: of its columns.
        rows: its lines.
        note: stands under it.
        slug: names it in an address.
        words: what it comes to; may be empty.
    """

    title: str
    headings: tuple[str, ...]
    rows: list[list[str]]
    note: str
    slug: str
    words: str = ""


def marked(chart: Chart) -> Listing:
    """Return the marked cells; what each costs is of the RTP, in percentage points."""
    wrong = chart.against is None
    title = "Wrong cells, the worst first" if wrong else f"Cells that are not as in {chart.against}"
    rows = []
    for section, row, column, cell in chart.marked():
        cost = percent((-1 if wrong else 1) * (cell.cost or 0.0), 7, "")
        rows.append([f"{row_name(section, row)} against {column}", cell.code, cell.other or "", cost])
    headings = ("Cell", "Says", "Better" if wrong else "Other", "Costs" if wrong else "Other costs")
    note = "Costs: of the RTP in percentage points, that one cell changed and everything else left as it is."
    return Listing(title, headings, rows, note, "marked", marked_words(chart))


def exceptions(found: Iterable[Difference]) -> Listing:
    """Return two cards that are better played otherwise than a chart says."""
    note = "Gain: in initial wagers given the deal, dealer blackjacks included. Frequency: of the deal."
    title, found = "Two cards that are better played otherwise than the chart says", list(found)
    words = "the best play of every two-card hand is that of its chart cell"
    if found:
        number = f"{len(found)} deal{' is' if len(found) == 1 else 's are'} played otherwise"
        words = f"{number}, which is worth {percent(total_gain(found), 6, POINTS)} of RTP"
    return Listing(title, _DIFFERENCE_HEADINGS, list(map(difference_cells, found)), note, "exceptions", words)


def longer_exceptions(found: Iterable[Difference]) -> Listing:
    """Return longer hands that are better played otherwise."""
    title = "Longer hands that are better played otherwise, the dearest first"
    note = "Gain: in initial wagers given the hand. Frequency: how often a player of the chart comes to it unsplit."
    return Listing(title, _DIFFERENCE_HEADINGS, list(map(difference_cells, found)), note, "longer")


def difference_cells(item: Difference) -> list[str]:
    """Return a line of a table of differences."""
    where = [item.player, item.dealer, row_name(item.section, item.row)]
    return [*where, item.chart, item.best, signed(item.gain, 8), percent(item.probability)]


def facts(subject: Subject, chart: Chart) -> list[tuple[str, str]]:
    """Return what is said about a chart beside its rules, with what made it last."""
    found = [("Chart", derivation(chart)), ("RTP", rtp_words(chart))]
    if chart.rules.switch:
        exchanged = "hands are as likely as the exchange makes them that is best with this chart, see odds exchanges"
        found.append(("Exchange", f"{exchanged}; an ace and a ten that it makes stand"))
    if words := marked_words(chart):
        found.append(("Marked", words))
    found += [*raise_facts(chart.raised), *bonus_facts(chart)]
    found.append(("Insurance", insurance_words(chart)))
    rows = [_PAIRS_WORDS] if chart.rules.max_hands > 1 else []
    if free := free_words(chart):
        found.append(("Free", free))
    if any(section.name in codes.FREE_SECTIONS for section in chart.sections):
        rows.append("free: hands of a free split, all but the one played first")
    if doubled := max(codes.doublings(section.name) for section in chart.sections):
        rows.append(f"doubled hands have got their card{'; doubled 2: twice' if doubled > 1 else ''}")
    if rows:
        found.append(("Rows", "; ".join(rows)))
    return [*found, ("Made by", provenance(subject.rules))]


def free_words(chart: Chart) -> str:
    """Return which doubles and splits cost nothing, in words; nothing where all do."""
    names = [name for name in chart.rules.said() if name in ("free_double_on", "free_split")]
    return "; ".join(map(chart.rules.words, names))


def code_words(chart: Chart, section: str, row: str, cell: Cell) -> str:
    """Return the code of a cell in words, and whether what it asks for costs nothing."""
    free = cell.action in codes.costs_nothing(section, row, hand_terms(chart.rules).legal)
    return codes.words_of(cell.code) + (f" (the {cell.action} is free)" if free else "")


def used_codes(chart: Chart) -> dict[str, str]:
    """Return the codes in a chart and what they mean."""
    others = (cell.other for *_, cell in chart.marked() if cell.other)
    return codes.used([*(cell.code for *_, cell in chart.cells()), *others])


def legend(chart: Chart) -> str:
    """Return what the codes in a chart mean, as one text."""
    never = any(cell is None for section in chart.sections for row in section.rows for cell in row.cells)
    said = codes.legend(used_codes(chart)) + (f"; {MARK} {mark_words(chart)}" if chart.marked() else "")
    return said + ("; - cannot be dealt" if never else "")


@dataclass(frozen=True, slots=True)
class Block:
    """Rows and columns of a chart that stand together in a picture or page.

    Attributes:
        dealer: what the columns are.
        kind: of the columns, as `StartGroup.kind`.
        places: of the columns, in the chart.
        sections: the rows.
    """

    dealer: str
    kind: str
    places: tuple[int, ...]
    sections: tuple[Section, ...]


def blocks(chart: Chart) -> list[Block]:
    """Return what stands side by side in a picture or page of a chart.

    That is hard rows beside soft ones and pairs, with doubled and free hands on both sides, or the dealer's hard totals
    beside his soft ones.
    """
    found = []
    for kind in dict.fromkeys(column.kind for column in chart.columns):
        places = tuple(place for place, column in enumerate(chart.columns) if column.kind == kind)
        parts = [chart.sections]
        if kind == "upcard":
            lefts = ("hard", codes.FREE_SECTIONS[0])
            left = [part for part in chart.sections if part.name in lefts or codes.doublings(part.name) % 2]
            parts = [tuple(left), tuple(part for part in chart.sections if part not in left)]
        found += [Block(_dealer_words(kind), kind, places, part) for part in parts]
    return found


def _dealer_words(kind: str) -> str:
    return "Dealer's upcard" if kind == "upcard" else f"Dealer's two cards: {kind} total"


def description(chart: Chart) -> str:
    """Return a chart in words, for who cannot see its picture: what each row says, from column to column."""
    lines = [f"What the player does with each hand, by the dealer's cards. {legend(chart)}."]
    for kind in dict.fromkeys(column.kind for column in chart.columns):
        lines.append(f"{_dealer_words(kind)}.")
        for section in chart.compact().sections:
            for row in section.rows:
                cells = [
                    (cell.code if cell else "none", column.short)
                    for column, cell in zip(chart.columns, row.cells, strict=True)
                    if column.kind == kind
                ]
                words = []
                for code, run in groupby(cells, lambda item: item[0]):
                    shorts = [short for _, short in run]
                    words.append(f"{' to '.join(dict.fromkeys((shorts[0], shorts[-1])))} {code}")
                lines.append(f"{row_name(section.name, row.label)}: {', '.join(words)}")
    return "\n".join(lines)


def footnotes(subject: Subject, chart: Chart) -> list[tuple[str, str]]:
    """Return what stands under a picture or page: rules, RTP, how the chart was made, and by what."""
    notes = [("Rules", str(subject.rules))]
    if subject.changed:
        notes.append(("Set here", "; ".join(subject.rules.words(name) for name in subject.changed)))
    return [*notes, *subject.shoe_words, *facts(subject, chart)]


def chart_json(
    subject: Subject,
    chart: Chart,
    kind: str,
    found: Sequence[Difference] | None,
    warnings: list[str],
    longer: Sequence[Difference] = (),
) -> dict[str, Any]:
    """Return a chart as JSON takes it, with the differences to the best play where they were asked for."""
    body = {key: value for key, value in chart.to_dict().items() if key != "rules"}
    head = {**subject.head(), "rules_hash": rules_hash(subject.rules)}
    data = {**head, "kind": kind, **body, "codes": {**CODES, **used_codes(chart)}, "marked": _marked_json(chart)}
    if found is not None:
        data["differences"] = [item.to_dict() for item in found]
        data["total_gain"] = total_gain(found)
        data["longer_differences"] = [item.to_dict() for item in longer]
    return {**data, "removed": subject.removed, "warnings": warnings}


def cells_csv(chart: Chart) -> str:
    """Return the cells of a chart with their values as CSV, a line for each."""
    columns = ["section", "row", "column", "code", "action", "gap", "probability", "other", "cost", "against", *ACTIONS]
    return to_csv([columns, *([row[name] for name in columns] for row in chart.to_rows())])


def marked_csv(chart: Chart) -> str:
    """Return the marked cells as CSV: what the chart says, the other code, and what that would cost a round."""
    return to_csv([_MARKED_COLUMNS, *(item.values() for item in _marked_json(chart))])


def _marked_json(chart: Chart) -> list[dict[str, Any]]:
    return [
        dict(zip(_MARKED_COLUMNS, (section, row, column, cell.code, cell.other, cell.cost), strict=True))
        for section, row, column, cell in chart.marked()
    ]


def differences_csv(found: Iterable[Difference]) -> str:
    """Return the differences to the best play as CSV."""
    rows = ([item.to_dict()[name] for name in _DIFFERENCE_COLUMNS] for item in found)
    return to_csv([_DIFFERENCE_COLUMNS, *rows])


def chart_markdown(subject: Subject, chart: Chart, evs: bool, *, compact: bool = False) -> str:
    """Return a chart as Markdown, with a table of the cells that are marked.

    In compact form neighbouring rows that say the same are folded.
    """
    rows = [
        [f"{section.name} {row.label}", *(_cell_text(cell, evs, " ", chart.marks(cell)) for cell in row.cells)]
        for section in (chart.compact() if compact else chart).sections
        for row in section.rows
    ]
    lines = [
        *_markdown_head(subject, chart),
        f"Codes: {legend(chart)}." + (f" Numbers: {evs_words(chart)}." if evs else ""),
        "",
        *_markdown_table(["Player", *(column.label for column in chart.columns)], rows),
        "",
    ]
    if (found := marked(chart)).rows:
        lines += [*_markdown_listing(found), found.note, ""]
    return "\n".join(lines)


def differences_markdown(
    subject: Subject, chart: Chart, found: Sequence[Difference], longer: Sequence[Difference]
) -> str:
    """Return the differences to the best play as Markdown."""
    short, others = exceptions(found), longer_exceptions(longer)
    lines = [*_markdown_head(subject, chart), short.words, "", *_markdown_table(short.headings, short.rows), ""]
    if longer:
        lines += _markdown_listing(others)
    return "\n".join(lines)


def _markdown_head(subject: Subject, chart: Chart) -> list[str]:
    notes = (f"- {label}: {to_markdown(text)}." for label, text in footnotes(subject, chart))
    return [f"# {to_markdown(subject.game.title)}", "", *notes, ""]


def _markdown_listing(found: Listing) -> list[str]:
    return [f"## {to_markdown(found.title)}", "", *_markdown_table(found.headings, found.rows), ""]


def _markdown_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [*map(markdown_row, (headings, ["---"] * len(headings), *rows))]


def chart_tables(
    subject: Subject, chart: Chart, evs: bool, width: int, *, compact: bool = False
) -> list[RenderableType]:
    """Return a chart as tables, as many of them side by side as the columns need in lines of this width.

    In compact form neighbouring rows that say the same are folded.
    """
    said = facts(subject, chart)
    said[-1:-1] = [("Codes", legend(chart)), *([("Numbers", evs_words(chart))] if evs else [])]
    parts: list[RenderableType] = [header(subject, said)]
    found = marked(chart)
    shown = chart.compact() if compact else chart
    names = [row_name(section.name, row.label) for section in shown.sections for row in section.rows]
    room = width - max(len("soft 12–20" if compact else "hard 20"), *map(len, names))
    cell_width = max(7 if evs else 3, 1 + _code_width(chart))
    for kind in dict.fromkeys(column.kind for column in chart.columns):
        places = [place for place, column in enumerate(chart.columns) if column.kind == kind]
        for block in slices(places, room // cell_width):
            parts += titled(_dealer_words(kind), _chart_table(shown, block, evs))
    if found.rows:
        parts += listed(*found[:4], most=_MOST_LISTED, rest="are in --format csv.", left=(0, 1, 2))
    return parts


def _chart_table(chart: Chart, places: Sequence[int], evs: bool) -> Table:
    from rich.text import Text

    table = new_table("", *(chart.columns[place].short for place in places))
    table.padding = (0, 0, 0, 0)
    for column in table.columns:
        column.min_width = _code_width(chart)
    for section in chart.sections:
        for row in section.rows:
            texts = []
            for cell in (row.cells[place] for place in places):
                style = "" if cell is None else _STYLES[cell.code[0]] + (" bold reverse" if chart.marks(cell) else "")
                texts.append(Text(_cell_text(cell, evs, "\n", chart.marks(cell)), style, justify="right"))
            table.add_row(row_name(section.name, row.label), *texts)
        table.add_section()
    return table


def _code_width(chart: Chart) -> int:
    """Return the width of the longest code of a chart, with its mark if there are any."""
    return max(len("Rh"), *map(len, used_codes(chart))) + (len(MARK) if chart.marked() else 0)


def _cell_text(cell: Cell | None, evs: bool, between: str, marked: bool) -> str:
    if cell is None:
        return "-"
    code = cell.code + (MARK if marked else "")
    if not evs:
        return code
    gap = "" if cell.gap is None else f"{between}{fixed(cell.gap, 4)}"
    return f"{code}{between}{signed(cell.values[cell.action], 3)}{gap}"


def evs_words(chart: Chart) -> str:
    """Return what the numbers in a chart's cells are."""
    gains = any(cell.gap is not None and cell.gap < 0 for *_, cell in chart.cells())
    words = (
        f"EV of the cell's action in {chart.rules.hand_unit}s and what the best other one would cost"
        f"{' (a minus: it would gain)' if gains else ''}, averages over two-card hands"
    )
    return words + given_words(chart)


def given_words(chart: Chart) -> str:
    """Return what the values of cells are given, to be added to what they are."""
    if chart.rules.hole_card != "peek":
        return ""
    return f", given no dealer blackjack where he peeks ({chart.rules.peek_under.replace(',', ' and ')})"


def differences_tables(
    subject: Subject, chart: Chart, found: Sequence[Difference], longer: Sequence[Difference] = (), most: int = 25
) -> list[RenderableType]:
    """Return the differences to the best play as tables, of longer hands so many."""
    said = [*method(subject.rules, "composition", DEFAULT_SPLIT_CLASS), *facts(subject, chart)]
    short, others = exceptions(found), longer_exceptions(longer)
    said.insert(-1, ("Result", short.words))
    parts: list[RenderableType] = [header(subject, said)]
    if found:
        parts += listed(*short[:4])
    if longer:
        parts += listed(*others[:4], most=most, rest="cost less; --json and --format csv list all.", wrap=(0,))
    return parts
