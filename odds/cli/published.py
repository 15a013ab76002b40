"""The commands `odds reconcile`, `odds verify` and `odds fill`: computed figures beside and in published texts."""

from fractions import Fraction

import typer

from odds.cli.checks import is_strategy_file
from odds.cli.common import CHECK_FAILED, check_play, played_round, report, say_notes, subject, warn, write
from odds.cli.questions import Fill, Reconcile, Rtp, Verify
from odds.cli.streams import emit, progress, say
from odds.errors import OddsError
from odds.files import check_output, input_name, is_standard, read_bytes, to_json
from odds.game.rules import settings_of
from odds.published import fill as filling
from odds.published import reconcile as reconciling
from odds.published import verify as verifying
from odds.report import reconcile as readings
from odds.report import verify as verdicts
from odds.results.round import RoundResult


def reconcile(asked: Reconcile) -> None:
    """Compute every reading of a game's rules."""
    figure = _published("--published", asked.published, "rtp")
    figure = figure or _published("--published-edge", asked.published_edge, "house_edge")
    about = subject(asked)
    about.shoe()  # that it is there is checked before the work
    fixed = [setting.partition("=")[0].strip() for setting in asked.settings or ()]
    with progress("Computing readings") as bar:
        found = reconciling.reconcile(
            about.game,
            figure,
            rules=about.rules,
            shoe_of=about.shoe,
            fixed=fixed,
            wide=asked.wide,
            workers=asked.jobs,
            progress=bar,
        )
    warnings = warn(found.shoe_can_run_out)
    report(
        asked.json,
        lambda: readings.reconcile_json(about, found, warnings),
        lambda: readings.reconcile_tables(about, found),
    )


def verify(asked: Verify) -> None:
    """Check the published figures of many games."""
    claims, name = verifying.read_claims(asked.file), input_name(asked.file)
    if asked.out is not None:
        check_output(asked.out, [file for claim in claims for file in claim.files])
    for claim in claims:
        for note in claim.rules.without_effect(settings_of(claim.overrides)):
            say("note", f"line {claim.line}: {note}")
    for strategy in {claim.play: claim.strategy for claim in claims if claim.strategy}.values():
        say_notes(strategy)
    with progress("Computing games") as bar:
        found = verifying.verify(claims, workers=asked.jobs, progress=bar)
    if asked.out is not None:
        write(asked.out, verdicts.verify_csv(found))
    if asked.out is None or not is_standard(asked.out):
        report(asked.json, lambda: verdicts.verify_json(name, found), lambda: verdicts.verify_tables(name, found))
    if not all(verdict.passes for verdict in found):
        raise typer.Exit(CHECK_FAILED)


def fill(asked: Fill) -> None:
    """Fill the RTPs of a game and its side bets into a help text."""
    name = input_name(asked.template)
    text = filling.decode(read_bytes(asked.template), name)
    about = subject(asked)
    rounds: list[RoundResult] = []

    def rtp(exact: bool) -> Fraction | float:
        if not rounds:
            rounds.append(played_round(Rtp(asked.game, play=asked.play), about)[1])
            warn(rounds[0].shoe_can_run_out)
        return rounds[0].exact().rtp if exact else rounds[0].rtp

    check_play(asked.play)
    if is_strategy_file(asked.play):
        rtp(False)  # read and checked whether the text needs it or not
    try:
        filled = filling.fill(text, about.game, about.rules, rtp, asked.play)
    except OddsError as error:
        if str(error).startswith("line "):  # it is about the text
            raise OddsError(f"{name}: {error}") from None
        raise
    if not filled.placeholders and not filled.left:
        say("note", f"{name}: no placeholder is in it")
    if asked.out is not None:
        write(asked.out, filled.text.encode())
    if asked.json:
        emit(to_json({**about.head(), "play": asked.play, **filled.to_dict()}))
    elif asked.out is None:
        emit(filled.text.encode())
    for item in filled.left:
        say("left", f"{name}: line {item.line}, column {item.column}: {item.text}; {item.why}")


def _published(option: str, text: str | None, quantity: str) -> reconciling.Published | None:
    try:
        return None if text is None else reconciling.parse_published(text, quantity)
    except OddsError as error:
        raise OddsError(f"{option}: {error}") from None
