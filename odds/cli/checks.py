"""What is refused of any question before its work begins."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from odds.errors import OddsError
from odds.files import check_output, is_standard
from odds.game.toml import is_path

_STRATEGY_FILES = (".csv", ".json")
# What a finished grid is kept in.
_TABLE_FILES = (".csv", ".jsonl", ".parquet")
# The repeatable options of which the same again adds nothing; two times a card is two cards.
_ONCE = ("settings", "decks", "paytables", "side_bets", "only", "solve", "meters", "vary", "where", "columns")
# The options that name files to be written.
_OUTPUTS = {"out": "--out", "charts": "--charts", "picture": "--picture", "explorer": "--explorer"}


class Need(NamedTuple):
    """What some options need, as they would do nothing without it.

    Attributes:
        questions: the classes of `odds.cli.questions`.
        fields: of the options.
        is_met: says whether a question has it.
        words: what is expected.
    """

    questions: str
    fields: str
    is_met: Callable[[Any], bool]
    words: str


NEEDS = (
    Need(
        "Rtp Hand Dealer Outcomes",
        "digits",
        lambda q: q.exact,
        "expected --exact with it, as other results are doubles",
    ),
    Need(
        "Rtp Outcomes Confidence Simulate Sweep",
        "split_class",
        lambda q: q.play == "composition",
        "expected --play composition with it; a chart says itself how hands of a split are played",
    ),
    Need(
        "Rtp",
        "boxes",
        lambda q: q.sees_others,
        "expected --sees-others with it; a box that does not look at the others is worth as much as one alone",
    ),
    Need("Rtp", "sees_others", lambda q: q.boxes is not None, "expected --boxes N with it"),
    Need("Rtp", "exact by", lambda q: not q.sees_others, "expected no --sees-others with it"),
    Need(
        "Rtp",
        "play",
        lambda q: not q.sees_others or q.play == "composition",
        "expected no --sees-others with it; a chart does not look at other boxes",
    ),
    Need("Show", "split_class", lambda q: q.close > 0, "expected --close N with it"),
    Need("Deviations", "cells", lambda q: not q.json, "expected no --json with it, which has all of them"),
    Need(
        "Sidebet",
        "decks paytables game settings removed left play exact symbolic latex target_rtp solve meters",
        lambda q: q.bet is not None,
        "expected a BET with it",
    ),
    Need("Sidebet", "solve", lambda q: q.target_rtp is not None, "expected --target-rtp X with it"),
    Need("Sidebet", "latex", lambda q: q.symbolic, "expected --symbolic with it, whose formulas it writes"),
    Need(
        "Sidebet",
        "symbolic",
        lambda q: not (q.removed or q.left),
        "expected no --remove or --left with it, but full decks",
    ),
    Need("Sidebet", "left", lambda q: not q.decks, "expected no --decks with it, which gives the whole shoe"),
    Need(
        "Rtp Hand Dealer Chart Exchanges Deviations Outcomes Confidence Sidebet Simulate Reconcile",
        "left",
        lambda q: not q.removed,
        "expected no --remove with it, which takes cards out of full decks",
    ),
    Need(
        "Rtp Hand Dealer Chart Exchanges Deviations Outcomes Confidence Sidebet Simulate Reconcile",
        "left",
        lambda q: not {"decks", "removed_ranks"} & {*_set(q)},
        "expected no --set decks=N or removed_ranks=... with it, which gives the whole shoe",
    ),
    Need("Exchanges", "rows", lambda q: not q.json, "expected no --json with it, which has all of them"),
    Need("Sidebet", "decks", lambda q: "decks" not in _set(q), "expected no --set decks=N with it"),
    Need(
        "Sweep",
        "vary where settings play split_class side_bets columns resume audit workers scheduler force",
        lambda q: not is_table(q.game),
        "expected a game or a grid with it, not a finished one",
    ),
    Need(
        "Sweep",
        "resume",
        lambda q: q.out is not None and not is_standard(q.out),
        "expected --out FILE with it, beside which FILE.part was kept",
    ),
    Need("Sweep", "workers", lambda q: q.scheduler is None, "expected no --scheduler with it, whose workers they are"),
    Need("Simulate", "threads", lambda q: q.scheduler is None, "expected no --scheduler with it, whose workers play"),
    Need(
        "Sweep",
        "heat lines",
        lambda q: not q.json or q.picture is not None,
        "expected --picture FILE, or no --json with it",
    ),
    Need("Sweep", "lines", lambda q: q.heat is None, "expected no --heat with it, but one of them"),
    Need("Sweep", "picture", lambda q: q.heat or q.lines, "expected --heat FIELD,FIELD or --lines FIELD with it"),
    Need("Reconcile", "published_edge", lambda q: q.published is None, "expected no --published with it"),
    Need("Build", "par", lambda q: q.out is not None, "expected --out DIR with it, where the PAR sheet goes"),
    Need("Build", "out", lambda q: q.par is not None, "expected --par GAME with it; tables go to --dir"),
    Need("Build", "only folder jobs", lambda q: q.par is None, "expected no --par with it, which is of one game"),
)


def check(question: Any, given: Mapping[str, str]) -> None:
    """Refuse a question that cannot be answered as it was put.

    Args:
        question: of `odds.cli.questions`.
        given: what was on the command line, by the names of the question's fields: the option, or the argument.

    Raises:
        OddsError: an option is empty or without effect, or the file to write cannot be written.
    """
    for name, words in given.items():
        value = getattr(question, name)
        if isinstance(value, list) and name in _ONCE and (again := [item for item in value if value.count(item) > 1]):
            raise OddsError(f"{words} {again[0]}: given twice")
        for need in NEEDS:
            concerned = type(question).__name__ in need.questions.split() and name in need.fields.split()
            if concerned and not need.is_met(question):
                raise OddsError(f"{words}: {need.words}")
    outputs = _outputs(question)
    for place, (option, out) in enumerate(outputs.items()):
        check_output(out, _files(question))
        if is_standard(out) and question.json and not hasattr(question, "form"):
            raise OddsError(f"expected --json or {option} -, got both: standard output holds one of them")
        if out.absolute() in [other.absolute() for other in list(outputs.values())[:place]]:
            raise OddsError(f"{option} {out}: expected another file than the other options name")


def is_table(game: str) -> bool:
    """Return whether what should be a game is the path of a finished grid."""
    return Path(game).suffix.lower() in _TABLE_FILES


def is_strategy_file(play: str) -> bool:
    """Return whether a play is the path of a strategy file."""
    return is_standard(play) or Path(play).suffix.lower() in _STRATEGY_FILES


def _set(question: Any) -> list[str]:
    return [setting.partition("=")[0].strip() for setting in question.settings or ()]


def _outputs(question: Any) -> dict[str, Path]:
    """Return the files that a question wants to be written, by their options."""
    found = {option: getattr(question, name, None) for name, option in _OUTPUTS.items()}
    if hasattr(question, "folder"):
        return {}  # not one file
    if hasattr(question, "charts") and is_table(question.game):
        del found["--charts"]  # those of a finished grid are read
    return {option: path for option, path in found.items() if path is not None}


def _files(question: Any) -> Iterator[Path]:
    """Yield the files that a question names, to be read."""
    written = {name for name, option in _OUTPUTS.items() if option in _outputs(question)}
    for name in question._fields:
        value = getattr(question, name)
        for item in value if isinstance(value, list) else [value]:
            if (isinstance(item, Path) and name not in written) or (
                isinstance(item, str) and (is_path(item) or is_strategy_file(item) or is_table(item))
            ):
                yield Path(item)
