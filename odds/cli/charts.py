"""The commands `odds chart` and `odds deviations`: the best chart in every format, and what cards do to it."""

from odds.cli.common import choose, played_round, report, subject, warn, write
from odds.cli.questions import CHART_FORMATS, Chart, Deviations, Rtp
from odds.cli.streams import emit, progress, say
from odds.errors import OddsError
from odds.files import to_json
from odds.game.subject import Subject
from odds.report import charts, common, figure, page, sheet
from odds.report import deviations as report_of
from odds.results.round import RoundResult
from odds.strategy import deviations as removals
from odds.strategy.chart import differences
from odds.strategy.exceptions import longer_differences
from odds.strategy.search import charted

_KINDS = ("total", "composition")
_BINARY_FORMATS = ("png", "pdf")
_SUFFIXES = {"txt": "text", "markdown": "md", "htm": "html"}


def chart(asked: Chart) -> None:
    """Make the best strategy chart, or list its exceptions."""
    choose("--kind", asked.kind, _KINDS)
    form = _format(asked)
    best = Rtp(asked.game, asked.settings, asked.removed, asked.left, split_class=asked.split_class)
    about, result, _ = played_round(best)
    warnings = warn(result.shoe_can_run_out)
    content = _content(asked, about, result, form, warnings)
    if asked.out is not None:
        write(asked.out, content)
    else:
        emit(content if isinstance(content, str) else content.decode())
    if form == "csv":
        say("note", charts.derivation())


def deviations(asked: Deviations) -> None:
    """Show what one card less of each rank does to the game and to its chart."""
    about = subject(asked.game, asked.settings, asked.removed, asked.left)
    with progress("Removing cards") as bar:
        found = removals.deviations(about.rules, shoe=about.shoe(), progress=bar)
    report(
        asked.json,
        lambda: report_of.deviations_json(about, found),
        lambda: report_of.deviations_tables(about, found, asked.cells),
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
    if form is not None and suffix in CHART_FORMATS and suffix != form:
        raise OddsError(f"expected --format {suffix} for a file that ends in .{suffix}, got --format {form}")
    by_name = suffix if suffix in CHART_FORMATS else "text"
    chosen = choose("--format", form or ("json" if asked.json else by_name), CHART_FORMATS)
    if chosen in _BINARY_FORMATS and out is None:
        raise OddsError(f"--format {chosen} is not text: expected --out FILE to write to")
    # What is missing is said before the work, not after it.
    if chosen in sheet.FORMATS:
        sheet.check(chosen)
    return chosen


def _content(asked: Chart, about: Subject, result: RoundResult, form: str, warnings: list[str]) -> str | bytes:
    with progress("Searching") as bar:
        derived, strategy = charted(result, progress=bar)
    found = differences(result, derived) if asked.kind == "composition" or form == "html" else None
    longer = longer_differences(result, strategy) if asked.kind == "composition" else ()
    for_file = asked.out is not None
    if form == "html":
        return page.chart_page(about, derived, found or ())
    if form in sheet.FORMATS:
        return figure.chart_figure(about, derived, form, evs=asked.evs, found=found)
    if form == "json":
        return to_json(charts.chart_json(about, derived, asked.kind, found, warnings, longer))
    if form == "csv":
        if found is not None:
            return charts.differences_csv([*found, *longer])
        return charts.cells_csv(derived) if asked.evs else strategy.to_csv()
    if form == "md":
        if found is None:
            return charts.chart_markdown(about, derived, asked.evs)
        return charts.differences_markdown(about, derived, found, longer)
    if found is None:
        parts = charts.chart_tables(about, derived, asked.evs, common.text_width(for_file=for_file))
    else:
        parts = charts.differences_tables(about, derived, found, longer)
    return common.render(parts, for_file=for_file)
