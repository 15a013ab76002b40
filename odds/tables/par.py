"""The PAR sheet of a game: everything that is known of its odds, in one document."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from odds.engine.terms import terms_of, two_hands
from odds.errors import OddsError
from odds.game.fields import FIELDS
from odds.game.subject import Subject
from odds.numbers.decimals import fixed, percentage, root
from odds.parallel import part, tell
from odds.referee.simulate import simulate
from odds.results.confidence import LEVELS, normal_quantile
from odds.results.side_bets import sidebet
from odds.sidebets import load_side_bet
from odds.tables.bets import bet_parts, tables_by_decks
from odds.tables.document import Document, Lines, Table, markdown
from odds.tables.game import GameTables, chart_parts, outcomes_parts, readings_parts, rtp_parts
from odds.tables.pages import html, pdf

if TYPE_CHECKING:
    from odds.game.catalog import Game
    from odds.parallel import Progress
    from odds.results.outcomes import ExactOutcomes
    from odds.sidebets import SideBetResult

_KNOWN: Final = {"states": "stated", "open": "open", "varies": "stated, others differ", "assumed": "assumed"}
_ROUNDS: Final = (1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000)
SIMULATED_ROUNDS: Final = 10_000_000
_SEED: Final = 1


def par_names(game: Game) -> tuple[str, ...]:
    """Return the names of the files of a game's PAR sheet: Markdown, HTML and PDF."""
    return tuple(f"{game.name}-par.{suffix}" for suffix in ("md", "html", "pdf"))


def par_files(
    game: Game, called: str, progress: Progress | None = None, *, rounds: int = SIMULATED_ROUNDS
) -> dict[str, str | bytes]:
    """Return the PAR sheet of a game as files: Markdown, HTML, and PDF where matplotlib is installed.

    Args:
        game: the game.
        called: what the command that makes it calls the game.
        progress: called with the share done, from 0 to 1.
        rounds: how many are simulated for the section on verification.

    Raises:
        RulesError: the game is one of two hands whose second cards may be exchanged.
    """
    if game.rules.switch:
        raise two_hands("a PAR sheet is")
    at = GameTables(Subject(game, game.rules), f"odds tables build --par {called} --out DIR", progress)
    document = par_document(at, rounds)
    contents: list[str | bytes] = [markdown(document), html(document)]
    with suppress(OddsError):  # there is no matplotlib
        contents.append(pdf(document))
    return dict(zip(par_names(game), contents, strict=False))


def par_document(at: GameTables, rounds: int) -> Document:
    """Return the PAR sheet of a game."""
    game = at.subject.game
    bets = [sidebet(name, rules=at.rules) for name in game.side_bets]
    facts = at.facts(
        ("Source", "; ".join((game.source, *game.urls))),
        (
            "Method",
            "full enumeration of every deal, dealer's hand and draw; nothing below but the last check is sampled"
            + (
                ", and results of three hands or more" if at.rules.max_hands > 2 and not at.rules.shoe().endless else ""
            ),
        ),
        ("Unit", at.unit),
    )
    parts: list[Table | Lines] = [*_rules(at), *rtp_parts(at)]
    parts += [_options(at, bets), *readings_parts(at)]
    used = (
        "Figures without a play beside them are for the best play for the exact cards, splits as in cdp1; no table "
        "holds it all: odds hand gives what it does with any hand.",
        f"The chart below is the best that looks at {terms_of(at.rules).looks} only; its RTP is in the row chart.",
    )
    parts += [Lines("Strategy used", used), *chart_parts(at)]
    for name, bet in zip(game.side_bets, bets, strict=True):
        tables = tables_by_decks(load_side_bet(name), bet.paytable, at.rules, own=True)
        parts += bet_parts(f"{bet.title}, paytable {bet.paytable.name}", tables, at.rules.decks)
    if at.outcomes is not None and at.net is not None:
        parts += [*outcomes_parts(at.outcomes, at.net), _confidence(at.outcomes)]
    parts.append(_verification(at, rounds))
    return Document(f"PAR sheet: {game.title}", facts, tuple(parts))


def _rules(at: GameTables) -> list[Table | Lines]:
    """Return the rules, how each is known, and what is said about those in question."""
    rules, provenance = at.rules, at.subject.game.provenance
    rows = tuple(
        (rules.words(name), rules.shorthand(name), _KNOWN[provenance[name].status], name)
        for name in FIELDS
        if not rules.is_moot(name)
    )
    table = Table(
        "Rules, stated and assumed",
        ("Rule", "Short", "Known", "Field"),
        rows,
        "Stated: the source says so. Open: it can be read in several ways. Assumed: it does not mention it.",
    )
    questions = []
    for name, known in provenance.items():
        if len(known.readings) > 1:
            others = ", ".join(FIELDS[name].words(reading) for reading in known.readings[1:])
            questions.append(f"{rules.words(name)}; or: {others}. {known.note}".strip())
    return [table, Lines("Rules in question", tuple(questions))] if questions else [table]


def _options(at: GameTables, bets: list[SideBetResult]) -> Table:
    """Return the RTP of every bet that can be made, and which is lowest."""
    main = {played.name: 1 + played.ev for played in at.played}
    options = [("main game, best play", main["cdp1"]), ("main game, best chart", main["chart"])]
    options += [(f"{bet.title}, paytable {bet.paytable.label}", bet.exact_rtp) for bet in bets]
    lowest = min(options, key=lambda option: option[1])
    rows = tuple((name, percentage(rtp, 8), "lowest" if (name, rtp) == lowest else "") for name, rtp in options)
    note = (
        f"The lowest RTP over all bets is {percentage(lowest[1], 8)}: {lowest[0]}. Side bets need a bet on the main "
        "game."
    )
    return Table("RTP by bet", ("Bet", "RTP", ""), rows, note)


def _confidence(outcomes: ExactOutcomes) -> Table:
    """Return where the observed RTP must lie, by number of rounds."""
    rtp, deviation = 1 + outcomes.mean, root(outcomes.variance, 16)
    rows = []
    for rounds in _ROUNDS:
        error = deviation / root(Fraction(rounds), 16)
        cells = [f"{rounds:,}", fixed(100 * error, 4)]
        for level in LEVELS:
            reach = Fraction(normal_quantile(level)) * error
            cells.append(f"{percentage(rtp - reach, 4)} to {percentage(rtp + reach, 4)}")
        rows.append(tuple(cells))
    columns = ("Rounds", "Standard error", *(percentage(level, 0) for level in LEVELS))
    note = (
        "Standard error: in percentage points. Normal approximation, for rounds that are independent and each played "
        "from a freshly shuffled shoe."
    )
    return Table("Where the observed RTP must lie", columns, tuple(rows), note)


def _verification(at: GameTables, rounds: int) -> Lines:
    """Return how the figures were checked, this time and in the tests of the program."""
    best = at.best
    lines = []
    if not best.shoe_can_run_out:
        exact = best.exact()
        apart = abs(Fraction(best.ev) - exact.ev)
        agree = "agree to within 1e-13" if apart < Fraction(1, 10**13) else f"DIFFER by {float(apart):.1e}"
        lines.append(
            f"The EV in double precision and the EV as a fraction, from two number systems, {agree}. The play is "
            f"certified to be the best of its class ({exact.settled_exactly} close decisions settled exactly)."
        )
    outcomes, net = at.outcomes, at.net
    if outcomes is not None:
        whole = sum(outcomes.enumerated.values(), Fraction(0)) == outcomes.exact_share
        adds = f"{'adds' if whole else 'DOES NOT add'} up to exactly "
        if outcomes.distribution is not None:
            mean = sum((value * p for value, p in outcomes.distribution.items()), Fraction(0)) == best.exact().ev
            lines.append(
                f"The distribution of the net result, counted by another route, as fractions, {adds}1 and "
                f"{'has' if mean else 'DOES NOT have'} exactly the EV as its mean."
            )
        else:
            same = outcomes.mean == best.exact().ev
            lines.append(
                f"The distribution of the net result in rounds of at most two hands, as fractions, {adds}their "
                f"probability; the mean of all rounds, counted by another route, {'is' if same else 'IS NOT'} exactly "
                "the EV."
            )
    share = part(at.progress, 0.9, 1.0)
    tell(share, 0.0)
    played = simulate(
        best,
        rounds=rounds,
        seed=_SEED,
        threads=2,
        distribution=None if net is None else net.distribution,
        errors=None if net is None else net.standard_errors,
        variance=None if outcomes is None else float(outcomes.variance),
        progress=None if share is None else lambda done: share(done / rounds),
    )
    z = "no deviation" if played.net.z is None else f"z = {fixed(played.net.z, 2, sign=True)}"
    chi = "" if played.chi_square is None else f", chi-square p = {fixed(played.chi_square.p_value, 3)}"
    lines.append(
        f"Simulation of {rounds:,} rounds by the written rules, card by card, seed {_SEED}: mean "
        f"{fixed(played.net.mean, 6, sign=True)}, standard error {fixed(played.net.standard_error, 6)}, {z}{chi}: "
        f"{'agrees' if played.agrees else 'DISAGREES'}."
    )
    lines += [
        "Tests of the program: whole rounds on tiny shoes, enumerated in fractions by separate code, equal the "
        "engine's fractions.",
        "Tests of the program: published dealer tables, hand values, house edges and effects of rules are reproduced "
        "to their printed digits, or the reason why not is given.",
    ]
    return Lines("How it was verified", tuple(lines))
