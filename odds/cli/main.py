"""The command `odds`: reads what is asked, calls the library and prints what it returns.

Results go to standard output; warnings and errors, one line each, to standard error. Exit code 0: done; 1: a
check failed; 2: bad input.

What reads a command line is imported at the top, here and in the modules of the commands, as every start needs it;
what a command computes and prints with, in the command.
"""

import contextlib
import io
import os
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from odds import __version__
from odds.cli import outcomes as cli_outcomes
from odds.cli import published as cli_published
from odds.cli import sidebet as cli_sidebet
from odds.cli import simulate as cli_simulate
from odds.cli import tables as cli_tables
from odds.cli.options import (
    DEFAULT_SPLIT_CLASS,
    Digits,
    Exact,
    GameName,
    Json,
    Play,
    Removed,
    Settings,
    Shared,
    SplitClass,
)
from odds.errors import OddsError, RulesError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from odds.report.common import Subject
    from odds.results.certify import CloseDecision
    from odds.results.dealer import ExactDealer
    from odds.results.round import RoundResult
    from odds.strategy.table import Strategy

# What typer raises for a command line that it cannot read; of that class it exports only this subclass.
_CommandLineError: Any = typer.BadParameter.__mro__[2]

_BAD_INPUT = 2
_INTERRUPTED = 130  # 128 and the number of the signal, as shells have it
_PIPE_CLOSED = 141

_KINDS = ("total", "composition")
_FORMATS = ("text", "md", "csv", "json", "html", "svg", "png", "pdf")
_BINARY_FORMATS = ("png", "pdf")
_SUFFIXES = {"txt": "text", "markdown": "md", "htm": "html"}


class _Commands(TyperGroup):
    """The commands, and the one place where an error becomes a line on standard error and an exit code."""

    def main(self, *args: Any, **options: Any) -> NoReturn:
        """Run a command line and exit."""
        try:
            code = super().main(*args, **{**options, "standalone_mode": False})
        except OddsError as error:
            _say("error", str(error))
            code = _BAD_INPUT
        except _CommandLineError as error:
            _say("error", _command_line_words(error))
            code = _BAD_INPUT
        except (KeyboardInterrupt, typer.Abort):
            code = _INTERRUPTED
        sys.exit(code if isinstance(code, int) else 0)


app = typer.Typer(
    name="odds",
    cls=_Commands,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run a command line, that of the process if left out, and exit."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    app(args, prog_name="odds")
    sys.exit(0)


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """Exact combinatorial odds for the blackjack family: house edge, RTP, best play and charts."""
    if version:
        _print(f"odds {__version__}\n")
        raise typer.Exit
    if context.invoked_subcommand is None:
        _print(context.get_help() + "\n")


@app.command()
def games(json: Json = False) -> None:
    """List the games of the catalogue, with published and computed RTP."""
    from odds.game.catalog import games as game_names
    from odds.game.catalog import load_game
    from odds.report import rounds
    from odds.results.round import analyze

    names, listed = game_names(), []
    with _progress("Computing") as progress:
        for name in names:
            game = load_game(name)
            listed.append(rounds.Listed(game, analyze(game.rules)))
            if progress is not None:
                progress(len(listed) / len(names))
    _report(json, lambda: rounds.games_json(listed), lambda: rounds.games_tables(listed))


@app.command()
def show(
    game: GameName,
    settings: Settings = None,
    close: Annotated[
        int, typer.Option("--close", metavar="N", help="List the N closest decisions too.", min=0, max=100_000)
    ] = 0,
    split_class: SplitClass = DEFAULT_SPLIT_CLASS,
    json: Json = False,
) -> None:
    """Show the rules of a game in words, how each is known, its source and its side bets."""
    from odds.engine.decisions import check_split_class, refuse_full
    from odds.report import exact, rules_page

    check_split_class(split_class)
    subject = _subject(game, settings)
    decisions: list[CloseDecision] = []
    if close:
        refuse_full(split_class, "--close")
        from odds.results.exact import closest_decisions
        from odds.results.round import analyze

        decisions = closest_decisions(analyze(subject.rules, split_class=split_class), close)
    title = f"The {len(decisions)} closest decisions, splits as in {split_class}"
    _report(
        json,
        lambda: {**rules_page.show_json(subject), **({"close": exact.close_json(decisions)} if close else {})},
        lambda: rules_page.show_tables(subject) + (exact.close_tables(decisions, title) if close else []),
    )


@app.command()
def rtp(
    game: GameName,
    settings: Settings = None,
    removed: Removed = None,
    play: Play = "composition",
    split_class: SplitClass = DEFAULT_SPLIT_CLASS,
    exact: Exact = False,
    digits: Digits = None,
    json: Json = False,
) -> None:
    """Compute EV, RTP and house edge of a round, by upcard too, and insurance."""
    from odds.engine.decisions import refuse_full
    from odds.report import exact as exactly
    from odds.report import rounds

    shown_digits = exactly.check_digits(exact, digits)
    if exact:
        refuse_full(split_class, "--exact")
    subject, result, strategy = _played_round(game, settings, removed, split_class, play)
    fractions = result.exact() if exact else None
    wrong = None
    if strategy is not None and play != "total":
        from odds.strategy.search import GAIN, cell_costs

        wrong = [cost for cost in cell_costs(subject.rules, strategy, shoe=subject.shoe()) if cost.gain > GAIN]
    warnings = _warn(result.shoe_can_run_out)
    _report(
        json,
        lambda: {
            **rounds.rtp_json(subject, result, warnings),
            **({} if wrong is None else {"wrong_cells": [cost.to_dict() for cost in wrong]}),
            **({} if fractions is None else {"exact": exactly.round_json(fractions, digits)}),
        },
        lambda: (
            rounds.rtp_tables(subject, result)
            + ([] if wrong is None else rounds.wrong_cells_tables(wrong))
            + ([] if fractions is None else exactly.round_tables(fractions, shown_digits))
        ),
    )


@app.command()
def hand(
    game: GameName,
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="The hand, such as 8,8 or T,4,2.")],
    dealer: Annotated[
        str, typer.Argument(metavar="DEALER", help="The upcard, such as T; in exposed games both cards: T,6.")
    ],
    settings: Settings = None,
    removed: Removed = None,
    after_split: Annotated[
        str | None,
        typer.Option(
            "--after-split",
            metavar="CARD[:HANDS]",
            help="The hand is one of a split of this card, into so many hands (2 if left out).",
        ),
    ] = None,
    split_class: SplitClass = DEFAULT_SPLIT_CLASS,
    exact: Exact = False,
    digits: Digits = None,
    json: Json = False,
) -> None:
    """Compute what each action is worth for one hand, best first."""
    from odds.engine.decisions import hand_result, situation_of
    from odds.report import exact as exactly
    from odds.report import hands

    shown_digits = exactly.check_digits(exact, digits)
    subject = _subject(game, settings, removed)
    situation = situation_of(
        player, dealer, subject.rules, shoe=subject.shoe(), split_class=split_class, after_split=after_split
    )
    result = hand_result(situation)
    fractions = None
    if exact:
        from odds.results.exact import exact_hand

        fractions = exact_hand(situation)
    warnings = _warn(result.shoe_can_run_out)
    _report(
        json,
        lambda: {
            **hands.hand_json(subject, result, warnings),
            **({} if fractions is None else {"exact": exactly.hand_json(fractions, digits)}),
        },
        lambda: (
            hands.hand_tables(subject, result)
            + ([] if fractions is None else exactly.hand_tables(fractions, shown_digits))
        ),
    )


@app.command()
def dealer(
    game: GameName,
    upcard: Annotated[
        str | None,
        typer.Argument(
            metavar="[UPCARD]", help="The upcard, in exposed games both cards, such as T,6. All if left out."
        ),
    ] = None,
    settings: Settings = None,
    removed: Removed = None,
    exact: Exact = False,
    digits: Digits = None,
    json: Json = False,
) -> None:
    """Compute how the dealer's hand ends, with his blackjacks and given that he has none."""
    from odds.engine.dealer import remove_start
    from odds.report import exact as exactly
    from odds.report import hands
    from odds.report.common import DEALER_RUN_OUT_WARNING
    from odds.results.dealer import dealer_distribution, dealer_distributions, parse_distribution_start

    shown_digits = exactly.check_digits(exact, digits)
    subject = _subject(game, settings, removed)
    rules, shoe = subject.rules, subject.shoe()
    if upcard is None:
        distributions = dealer_distributions(rules, shoe)
    else:
        left = remove_start(shoe, parse_distribution_start(upcard, rules))
        distributions = (dealer_distribution(left, upcard, rules),)
    fractions: dict[str, ExactDealer] = {}
    if exact:
        from odds.results.dealer import exact_distribution

        fractions = {item.start: exact_distribution(shoe, item.start, rules) for item in distributions}
    warnings = _warn(any(item.shoe_can_run_out for item in distributions), DEALER_RUN_OUT_WARNING)
    _report(
        json,
        lambda: hands.dealer_json(
            subject,
            distributions,
            warnings,
            {start: exactly.dealer_json(item, digits) for start, item in fractions.items()},
        ),
        lambda: [
            *hands.dealer_tables(subject, distributions, all_starts=upcard is None),
            *(part for start, item in fractions.items() for part in exactly.dealer_tables(start, item, shown_digits)),
        ],
    )


@app.command()
def chart(
    game: GameName,
    settings: Settings = None,
    removed: Removed = None,
    kind: Annotated[
        str,
        typer.Option(
            "--kind",
            metavar="KIND",
            help="total: a chart by totals; composition: two-card hands to be played otherwise than it says.",
        ),
    ] = "total",
    form: Annotated[
        str | None,
        typer.Option("--format", metavar="FORMAT", help=f"{', '.join(_FORMATS)}; by default as --out ends, or text."),
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Write to a file.")] = None,
    evs: Annotated[bool, typer.Option("--evs", help="Show the value of each cell too.")] = False,
    split_class: SplitClass = DEFAULT_SPLIT_CLASS,
    json: Json = False,
) -> None:
    """Make the best strategy chart that looks at totals only, or list where exact cards ask for something else.

    Pictures (svg, png, pdf) need matplotlib and pages (html) jinja2: the extras figures and pages. Pages hold all
    values and exceptions whatever the options.
    """
    from odds.report.charts import derivation
    from odds.report.common import write_file

    _choose("--kind", kind, _KINDS)
    chosen = _chart_format(form, json, out)
    subject, result = _round(game, settings, removed, split_class)
    warnings = _warn(result.shoe_can_run_out)
    content = _chart_content(subject, result, kind, chosen, evs, warnings, for_file=out is not None)
    if out is not None:
        write_file(out, content)
        _say("wrote", str(out))
    else:
        _print(content if isinstance(content, str) else content.decode())
    if chosen == "csv":
        _say("note", derivation())


@app.command()
def deviations(
    game: GameName,
    settings: Settings = None,
    removed: Removed = None,
    cells: Annotated[
        int, typer.Option("--cells", metavar="N", help="Show the N closest cells; --json has all.", min=0, max=100_000)
    ] = 20,
    json: Json = False,
) -> None:
    """Show what one card less of each rank does to the game and to its chart, and the exceptions to the chart."""
    from odds.report import deviations as report
    from odds.strategy.deviations import deviations as find

    subject = _subject(game, settings, removed)
    with _progress("Removing cards") as progress:
        found = find(subject.rules, shoe=subject.shoe(), progress=progress)
    _report(
        json,
        lambda: report.deviations_json(subject, found),
        lambda: report.deviations_tables(subject, found, cells),
    )


def _chart_format(form: str | None, json: bool, out: Path | None) -> str:
    """Return the format of a chart: the one asked for, else what the file's name says, else text."""
    if json and form not in (None, "json"):
        raise OddsError(f"expected --json or --format {form}, got both")
    suffix = "" if out is None else out.suffix.lower().removeprefix(".")
    suffix = _SUFFIXES.get(suffix, suffix)
    if form is None and not json and suffix and suffix not in _FORMATS:
        raise OddsError(f"--out: expected a name that ends in {', '.join(_FORMATS)} or txt, or --format, got .{suffix}")
    if form is not None and suffix in _FORMATS and suffix != form:
        raise OddsError(f"expected --format {suffix} for a file that ends in .{suffix}, got --format {form}")
    by_name = suffix if suffix in _FORMATS else "text"
    chosen = _choose("--format", form or ("json" if json else by_name), _FORMATS)
    if chosen in _BINARY_FORMATS and out is None:
        raise OddsError(f"--format {chosen} is not text: expected --out FILE to write to")
    # What is missing is said before the work, not after it.
    if chosen == "html":
        from odds.report import page

        page.check()
    elif chosen in ("svg", *_BINARY_FORMATS):
        from odds.report import figure

        figure.check()
    return chosen


def _chart_content(
    subject: "Subject",
    result: "RoundResult",
    kind: str,
    form: str,
    evs: bool,
    warnings: list[str],
    *,
    for_file: bool,
) -> str | bytes:
    from odds.report import charts, common
    from odds.strategy.chart import chart_of, differences
    from odds.strategy.exceptions import longer_differences
    from odds.strategy.search import search
    from odds.strategy.table import evaluate

    with _progress("Searching") as progress:
        best = search(result.rules, shoe=result.shoe, progress=progress)
    played = evaluate(result.rules, best.strategy, shoe=result.shoe)
    derived = chart_of(best.strategy, played, result, best.costs)
    found = differences(result, derived) if kind == "composition" or form == "html" else None
    longer = longer_differences(result, best.strategy) if kind == "composition" else ()
    if form == "html":
        from odds.report.page import chart_page

        return chart_page(subject, derived, found or ())
    if form in ("svg", *_BINARY_FORMATS):
        from odds.report.figure import chart_figure

        return chart_figure(subject, derived, form, evs=evs, found=found)
    if form == "json":
        return common.to_json(charts.chart_json(subject, derived, kind, found, warnings, longer))
    if form == "csv":
        if found is not None:
            return charts.differences_csv([*found, *longer])
        return charts.cells_csv(derived) if evs else best.strategy.to_csv()
    if form == "md":
        if found is None:
            return charts.chart_markdown(subject, derived, evs)
        return charts.differences_markdown(subject, derived, found, longer)
    if found is None:
        parts = charts.chart_tables(subject, derived, evs, common.text_width(for_file=for_file))
    else:
        parts = charts.differences_tables(subject, derived, found, longer)
    return common.render(parts, for_file=for_file)


def _subject(game: str, settings: list[str] | None, removed: list[str] | None = None) -> "Subject":
    """Return the game under the rules that are set, and the cards that are taken out."""
    from odds.game.cards import parse_cards
    from odds.game.catalog import load_game
    from odds.report.common import Subject

    found = load_game(game)
    cards = [str(card) for text in removed or () for card in parse_cards(text)]
    return Subject(found, found.rules.replace_text(settings or ()), ",".join(cards))


def _round(
    game: str, settings: list[str] | None, removed: list[str] | None, split_class: str
) -> "tuple[Subject, RoundResult]":
    from odds.engine.decisions import FULL, check_split_class
    from odds.parallel import cores
    from odds.results.round import analyze

    check_split_class(split_class)
    subject = _subject(game, settings, removed)
    shoe = subject.shoe()
    if split_class != FULL:
        return subject, analyze(subject.rules, shoe=shoe, split_class=split_class)
    with _progress("Computing") as progress:
        return subject, analyze(subject.rules, shoe=shoe, split_class=split_class, progress=progress, threads=cores())


def _played_round(
    game: str, settings: list[str] | None, removed: list[str] | None, split_class: str, play: str
) -> "tuple[Subject, RoundResult, Strategy | None]":
    """Return a round played as asked for, and the strategy: none for the exact cards, the best chart, or a file's."""
    if play == "composition":
        return *_round(game, settings, removed, split_class), None
    from odds.engine.decisions import check_split_class
    from odds.game.fields import show_value
    from odds.strategy.search import search
    from odds.strategy.table import evaluate, read_strategy

    check_split_class(split_class)
    if play != "total" and Path(play).suffix.lower() not in (".csv", ".json"):
        raise RulesError(
            "--play: expected composition, total, or a strategy file that ends in .csv or .json, "
            f"got {show_value(play)}"
        )
    subject = _subject(game, settings, removed)
    shoe = subject.shoe()
    if play == "total":
        with _progress("Searching") as progress:
            strategy = search(subject.rules, shoe=shoe, progress=progress).strategy
    else:
        strategy = read_strategy(Path(play))
    return subject, evaluate(subject.rules, strategy, shoe=shoe), strategy


def _choose(option: str, value: str, allowed: Collection[str]) -> str:
    """Return a value that an option allows.

    Raises:
        RulesError: it does not.
    """
    if value in allowed:
        return value
    from odds.game.fields import show_value

    raise RulesError(f"{option}: expected {' or '.join(allowed)}, got {show_value(value)}")


@contextlib.contextmanager
def _progress(words: str) -> Iterator[Callable[[float], None] | None]:
    """Give what to call with the share done, from 0 to 1: it moves a bar, if standard error is a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(words, total=1.0)
        yield lambda share: bar.update(task, completed=share)


def _report(json: bool, data: Callable[[], dict[str, Any]], tables: "Callable[[], list[RenderableType]]") -> None:
    from odds.report import common

    _print(common.to_json(data()) if json else common.render(tables()))


def _warn(needed: bool, warning: str = "") -> list[str]:
    """Say a warning on standard error if it is needed, by default that the shoe can run out; return those said."""
    if not needed:
        return []
    from odds.report.common import RUN_OUT_WARNING

    warning = warning or RUN_OUT_WARNING
    _say("warning", warning)
    return [warning]


def _say(kind: str, message: str) -> None:
    """Write one line to standard error."""
    line = "".join(character if character.isprintable() else " " for character in f"{kind}: {message}")
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            print(" ".join(line.split()), file=sys.stderr, flush=True)


def _print(text: str | bytes) -> None:
    """Write the result to standard output; bytes as they are."""
    if sys.stdout is None:
        return
    try:
        if isinstance(text, bytes):
            sys.stdout.buffer.write(text)
        else:
            sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _abandon_output()
        raise typer.Exit(_PIPE_CLOSED) from None
    except OSError as error:
        _abandon_output()
        raise OddsError(f"cannot write the result: {error.strerror or error}") from None


def _abandon_output() -> None:
    """Send what is left in the buffer of standard output nowhere, so that its last flush cannot fail."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _command_line_words(error: Any) -> str:
    words = error.format_message().rstrip(".")
    words = words[:1].lower() + words[1:]
    path = getattr(getattr(error, "ctx", None), "command_path", "odds")
    return f"{words} (see {path} --help)"


_SHARED = Shared(_report, _subject, _played_round, _warn, _say, _print, _progress)
for _commands in (cli_outcomes, cli_sidebet, cli_simulate, cli_published, cli_tables):
    _commands.add_to(app, _SHARED)
