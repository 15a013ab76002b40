"""The commands `odds chart` and `odds deviations`: the best chart in every format, and what cards do to it."""

from dataclasses import replace

from odds.cli.checks import is_strategy_file
from odds.cli.common import choose, played_round, report, subject, warn, write
from odds.cli.questions import CHART_FORMATS, Chart, Deviations, Rtp
from odds.cli.strategies import said
from odds.cli.streams import emit, progress, say
from odds.errors import OddsError, RulesError
from odds.files import to_json
from odds.game.catalog import load_game
from odds.game.fields import show_value
from odds.game.rules import settings_of
from odds.game.subject import Subject
from odds.report import charts, common, figure, page, sheet
from odds.report import deviations as report_of
from odds.results.after_exchange import after_exchange
from odds.results.round import RoundResult
from odds.strategy import deviations as removals
from odds.strategy.chart import differences
from odds.strategy.codes import TOTAL_OF
from odds.strategy.exceptions import longer_differences
from odds.strategy.search import charted, search
from odds.strategy.table import Strategy

_KINDS = ("total", "composition")
_BINARY_FORMATS = ("png", "pdf")
# The formats for which an option has an effect.
_PICTURES_AND_PAGES = ("md", "html", *sheet.FORMATS)
_USED_BY = {
    "evs": ("text", "md", "csv", *sheet.FORMATS),
    "title": ("text", *_PICTURES_AND_PAGES),
    "compact": ("text", *_PICTURES_AND_PAGES),
    "width": sheet.FORMATS,
    "dpi": ("png",),
    "paper": ("pdf",),
}
_MOST_TITLE = 200
_SUFFIXES = {"txt": "text", "markdown": "md", "htm": "html"}


def chart(asked: Chart) -> None:
    """Make the best strategy chart, or list its exceptions."""
    choose("--kind", asked.kind, _KINDS)
    form = _format(asked)
    if asked.evs and asked.kind == "composition" and form in ("text", "md", "csv"):
        raise OddsError(f"--evs: expected --kind total with it, as the exceptions in {form} have their own values")
    _check(asked, form)
    size = sheet.read_size(form, asked.width, asked.dpi, asked.paper)
    about = subject(asked)
    own = None if asked.play == "total" else said(asked.play, about.rules)
    other = None if asked.against is None else _other(asked.against, about).check(about.rules)
    _, result, _ = played_round(Rtp(asked.game, split_class=asked.split_class), about)
    warnings = warn(result.shoe_can_run_out)
    warnings += warn(bool(own and own.exceptions), "exceptions for exact cards are played, but no chart shows them")
    if asked.title is not None:
        about = replace(about, game=replace(about.game, title=asked.title.strip()))
    content = _content(asked, about, result, (own, other), form, size, warnings)
    if asked.out is not None:
        write(asked.out, content)
    else:
        emit(content if isinstance(content, str) else content.decode())


def _other(text: str, about: Subject) -> Strategy:
    """Return the chart to hold another one against: a file's, or the best of this game, of other rules or a game."""
    if is_strategy_file(text):
        return said(text, about.rules)
    other, words = about, "the best chart"
    if "=" in text:
        other = replace(about, rules=about.rules.replace_text(settings_of(text, ",")))
        changed = [name for name, value in other.rules.to_dict().items() if value != about.rules.to_dict()[name]]
        words += f" if: {'; '.join(map(other.rules.words, changed))}"
    elif text != "total":
        game = load_game(text)
        other, words = replace(about, game=game, rules=game.rules), f"{words} of {game.title}"
    if text != "total" and other.rules == about.rules:
        raise RulesError(f"--against {text}: these are the rules of the game already")
    with progress("Searching") as bar:
        found = search(other.rules, shoe=other.shoe(), progress=bar).strategy
    # Pairs that this game splits and the other does not are played there as their total.
    return replace(
        found, codes={**{pair: found.codes[row] for pair, row in TOTAL_OF.items()}, **found.codes}, name=words
    )


def deviations(asked: Deviations) -> None:
    """Show what one card less of each rank does to the game and to its chart."""
    about = subject(asked)
    with progress("Removing cards") as bar:
        found = removals.deviations(about.rules, shoe=about.shoe(), progress=bar)
    report(
        asked.json,
        lambda: report_of.deviations_json(about, found),
        lambda: report_of.deviations_tables(about, found, asked.cells, common.text_width()),
    )


def _format(asked: Chart) -> str:
    """Return the format of a chart: the one asked for, else what the file's name says, else text."""
    form, out = asked.form, asked.out
    if asked.json and form not in (None, "json"):
        raise OddsError(f"expected --json or --format {form}, got both")
    suffix = "" if out is None else out.suffix.lower().removeprefix(".")
    suffix = _SUFFIXES.get(suffix, suffix)
    if form is None and not asked.json and suffix and suffix not in CHART_FORMATS:
        expected = f"a name that ends in {', '.join(CHART_FORMATS)} or txt, or --format"
        raise OddsError(f"--out: expected {expected}, got .{suffix}")
    by_name = suffix if suffix in CHART_FORMATS else None
    chosen = choose("--format", form or ("json" if asked.json else by_name or "text"), CHART_FORMATS)
    if by_name not in (None, chosen):
        got = "--json" if form is None else f"--format {form}"
        raise OddsError(f"expected --format {by_name} for a file that ends in .{suffix}, got {got}")
    if chosen in _BINARY_FORMATS and out is None:
        raise OddsError(f"--format {chosen} is not text: expected --out FILE to write to")
    return chosen


def _check(asked: Chart, form: str) -> None:
    """Refuse options without effect, formats that cannot be made and charts that there are none of: before the work."""
    for option, forms in _USED_BY.items():
        if getattr(asked, option) not in (None, False) and form not in forms:
            raise OddsError(f"--{option} is for {', '.join(forms)}: expected one of these formats, got {form}")
    if asked.compact and asked.evs:
        raise OddsError("expected --compact or --evs, got both: folded rows have different values")
    if asked.compact and asked.kind == "composition" and form in ("text", "md"):
        raise OddsError(f"--compact: --kind composition has no rows to fold as {form}")
    if asked.title is not None and not 0 < len(asked.title.strip()) <= _MOST_TITLE:
        raise OddsError(f"--title: expected 1 to {_MOST_TITLE} characters, got {len(asked.title.strip())}")
    if form in sheet.FORMATS:
        sheet.check(form)
    if asked.play != "total" and not is_strategy_file(asked.play):
        expected = "total or a strategy file that ends in .csv or .json"
        raise RulesError(f"--play: expected {expected}, got {show_value(asked.play)}")
    if asked.kind == "composition" and (asked.play != "total" or asked.against is not None):
        raise OddsError("--kind composition lists exceptions to the best chart: expected no --play and no --against")
    if asked.against == "total" == asked.play:
        raise OddsError("--against total: expected --play FILE too, as the chart is the best one already")
    if asked.against == asked.play:
        raise OddsError(f"--against {asked.against}: expected another chart than that of --play")


def _content(
    asked: Chart,
    about: Subject,
    result: RoundResult,
    given: tuple[Strategy | None, Strategy | None],
    form: str,
    size: sheet.Size,
    warnings: list[str],
) -> str | bytes:
    """Return the best chart of a game, or that of a given strategy, held against another one if that is given."""
    own, other = given
    with progress("Searching") as bar:
        derived, strategy = charted(result, own, against=other, progress=bar)
    listed = own is None and (asked.kind == "composition" or form == "html")
    found = differences(after_exchange(result), derived) if listed else None
    # Of two hands, longer ones are not looked at: their exceptions would depend on the other hand.
    longer = longer_differences(result, strategy) if listed and not about.rules.switch else ()
    for_file = asked.out is not None
    if form == "html":
        return page.chart_page(about, derived, found, longer, compact=asked.compact)
    if form in sheet.FORMATS:
        return figure.chart_figure(about, derived, form, evs=asked.evs, found=found, compact=asked.compact, size=size)
    if form == "json":
        return to_json(charts.chart_json(about, derived, asked.kind, found, warnings, longer))
    if form == "csv":
        say("note", charts.derivation(derived))
        if found is not None:
            return charts.differences_csv([*found, *longer])
        if (own or other) and not asked.evs:
            return charts.marked_csv(derived)
        return charts.cells_csv(derived) if asked.evs else strategy.to_csv()
    if form == "md":
        if found is None:
            return charts.chart_markdown(about, derived, asked.evs, compact=asked.compact)
        return charts.differences_markdown(about, derived, found, longer)
    if found is None:
        width = common.text_width(for_file=for_file)
        parts = charts.chart_tables(about, derived, asked.evs, width, compact=asked.compact)
    else:
        parts = charts.differences_tables(about, derived, found, longer)
    return common.render(parts, for_file=for_file)
