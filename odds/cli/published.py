"""The commands `odds reconcile`, `odds verify` and `odds fill`: computed figures beside and in published texts."""

from fractions import Fraction
from pathlib import Path

import typer

from odds.cli.common import CHECK_FAILED, check_play, played_round, report, say_notes, subject, warn, write
from odds.cli.questions import Fill, Reconcile, Rtp, Verify
from odds.cli.streams import emit, progress, say
from odds.errors import OddsError
from odds.files import to_json
from odds.game.fields import show_value
from odds.published import fill as filling
from odds.published import reconcile as reconciling
from odds.published import verify as verifying
from odds.report import reconcile as readings
from odds.report import verify as verdicts
from odds.results.round import RoundResult


def reconcile(asked: Reconcile) -> None:
    """Compute every reading of a game's rules."""
    if asked.published is not None and asked.published_edge is not None:
        raise OddsError("expected --published or --published-edge, got both")
    figure = _published("--published", asked.published, "rtp")
    figure = figure or _published("--published-edge", asked.published_edge, "house_edge")
    about = subject(asked.game, asked.settings)
    fixed = [setting.partition("=")[0].strip() for setting in asked.settings or ()]
    with progress("Computing readings") as bar:
        found = reconciling.reconcile(
            about.game, figure, rules=about.rules, fixed=fixed, wide=asked.wide, workers=asked.jobs, progress=bar
        )
    warnings = warn(found.shoe_can_run_out)
    report(
        asked.json,
        lambda: readings.reconcile_json(about, found, warnings),
        lambda: readings.reconcile_tables(about, found),
    )


def verify(asked: Verify) -> None:
    """Check the published figures of many games."""
    claims = verifying.read_claims(asked.file)
    for strategy in {claim.play: claim.strategy for claim in claims if claim.strategy}.values():
        say_notes(strategy)
    with progress("Computing games") as bar:
        found = verifying.verify(claims, workers=asked.jobs, progress=bar)
    if asked.out is not None:
        write(asked.out, verdicts.verify_csv(found))
    report(
        asked.json,
        lambda: verdicts.verify_json(asked.file.name, found),
        lambda: verdicts.verify_tables(asked.file.name, found),
    )
    if not all(verdict.passes for verdict in found):
        raise typer.Exit(CHECK_FAILED)


def fill(asked: Fill) -> None:
    """Fill the RTPs of a game and its side bets into a help text."""
    name = asked.template.name
    text = filling.decode(_read(asked.template), name)
    about = subject(asked.game, asked.settings)
    rounds: list[RoundResult] = []

    def rtp(exact: bool) -> Fraction | float:
        if not rounds:
            rounds.append(played_round(Rtp(asked.game, asked.settings, play=asked.play))[1])
            warn(rounds[0].shoe_can_run_out)
        return rounds[0].exact().rtp if exact else rounds[0].rtp

    check_play(asked.play)
    try:
        filled = filling.fill(text, about.game, about.rules, rtp)
    except OddsError as error:
        if str(error).startswith("line "):  # it is about the text
            raise OddsError(f"{name}: {error}") from None
        raise
    if asked.out is not None:
        write(asked.out, filled.text.encode())
    if asked.json:
        emit(to_json({**about.head(), "play": asked.play, **filled.to_dict()}))
    elif asked.out is None:
        emit(filled.text.encode())
    for item in filled.left:
        say("left", f"{name}: line {item.line}, column {item.column}: {item.text}; the line does not speak of an RTP")


def _published(option: str, text: str | None, quantity: str) -> reconciling.Published | None:
    try:
        return None if text is None else reconciling.parse_published(text, quantity)
    except OddsError as error:
        raise OddsError(f"{option}: {error}") from None


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise OddsError(f"cannot read {show_value(str(path))}: {reason}") from None
