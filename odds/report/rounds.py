"""The tables of `odds games` and `odds rtp`: house edge and RTP of whole rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from odds import __version__
from odds.engine.split_classes import FULL
from odds.errors import OddsError
from odds.game.subject import PLAYS, Subject
from odds.numbers.decimals import agreement
from odds.report.common import header, listed, method, new_table, percent, signed, titled
from odds.results.deals import raise_facts
from odds.results.groups import round_by_group
from odds.results.side_bets import sidebet_of
from odds.sidebets import load_side_bet
from odds.strategy.codes import row_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import RenderableType

    from odds.game.catalog import Game
    from odds.game.rules import Rules
    from odds.results.deals import InsuranceResult
    from odds.results.groups import FirstCardEv
    from odds.results.round import RoundResult
    from odds.sidebets import SideBetResult
    from odds.strategy.chart import CellCost

    SideBets = list[tuple[str, SideBetResult | OddsError]]

_INCLUDED = "a round's EV includes dealer blackjacks, but no insurance and no side bets"


def games_json(computed: Sequence[tuple[Game, RoundResult]]) -> dict[str, Any]:
    """Return the catalogue, and the results of its games, as JSON takes it."""
    return {
        "version": __version__,
        "games": [
            {
                **Subject(game, game.rules).head(),
                "title": game.title,
                "summary": game.summary,
                "aliases": list(game.aliases),
                "decks": game.rules.decks,
                "published": dict(game.published),
                "published_rtp": game.published_rtp,
                **{name: getattr(result, name) for name in ("play", "split_class", "ev", "rtp")},
            }
            for game, result in computed
        ],
    }


def games_tables(computed: Sequence[tuple[Game, RoundResult]]) -> list[RenderableType]:
    """Return the catalogue, and the results of its games, as a table."""
    from rich.text import Text

    rows = [
        (
            Text.assemble((game.name, "bold"), f"\n{game.summary or game.title}\n"),
            str(game.rules.decks),
            game.published_rtp or "-",
            percent(result.rtp),
        )
        for game, result in computed
    ]
    split_class = computed[0][1].split_class if computed else ""
    note = (
        "RTP is per initial wager, without side bets. Computed: the best play for the exact cards of each "
        f"hand, splits as in {split_class}. A published figure may be for other play, or be 100 % less a "
        "published house edge: see odds show GAME."
    )
    return listed("Games", ("Game", "Decks", "Published RTP", "Computed RTP"), rows, note, wrap=(0,))[1:]


def first_card_tables(cards: Iterable[FirstCardEv]) -> list[RenderableType]:
    """Return the EV of a round by the player's first card as a table."""
    rows = ((row.card, percent(row.probability), signed(row.ev, 8)) for row in cards)
    note = "EV of a round in initial wagers, given the first of the player's cards and nothing else."
    return listed("By the player's first card", ("First card", "Probability", "EV"), rows, note)


def rtp_json(subject: Subject, result: RoundResult, bets: SideBets, warnings: list[str]) -> dict[str, Any]:
    """Return the result of a round, and its side bets as `side_bets` has them, as JSON takes them."""
    body = result.to_dict()
    run_out = body.pop("shoe_can_run_out")
    return {
        **subject.head(),
        **{key: value for key, value in body.items() if key != "rules"},
        "side_bets": [_bet_json(name, bet) for name, bet in bets],
        "shoe_can_run_out": run_out,
        "removed": subject.removed,
        "published": _published_json(subject, result),
        "warnings": warnings,
    }


def _published_json(subject: Subject, result: RoundResult) -> dict[str, Any] | None:
    """Return the published RTP, and how the computed one agrees; None where nothing is published on this."""
    published = subject.game.published_rtp
    if published is None or not subject.as_published or result.play not in PLAYS:
        return None
    per_total = agreement(published, 1.0 + result.ev_per_total_wager)
    return {"rtp": published, "matches": agreement(published, result.rtp), "matches_per_total_wager": per_total}


def unit(rules: Rules) -> tuple[str, str]:
    """Return in what the EV of a round is, and what is in it, as a fact."""
    return "Unit", f"the {rules.round_unit}; {_INCLUDED}"


def rtp_tables(subject: Subject, result: RoundResult, bets: SideBets) -> list[RenderableType]:
    """Return the result of a round, and its side bets as `side_bets` has them, as tables."""
    facts = [*method(subject.rules, result.play, result.split_class), *raise_facts(result.raised), unit(subject.rules)]
    if published := _published_words(subject, result):
        facts.append(("Published", published))
    return [
        header(subject, facts),
        *_totals(result),
        *_by_start(result),
        *_insurance(subject, result.insurance, "an ace", "ten"),
        *_insurance(subject, result.insurance_against_ten, "a ten", "ace"),
        *_side_bet_table(bets),
    ]


def _bet_json(name: str, bet: SideBetResult | OddsError) -> dict[str, Any]:
    if isinstance(bet, OddsError):
        return {"name": name, "rtp": None, "reason": str(bet)}
    meter = bet.paytable.meter
    play = {"play": bet.law.play, "split_class": bet.law.split_class} if bet.law else {}
    return {"name": name, "rtp": bet.rtp, **play, **({} if meter is None else {"meter": float(meter.value)})}


def side_bets(subject: Subject, played: RoundResult | None = None) -> SideBets:
    """Return the names of the game's side bets, and what they return with their usual paytables.

    Those on the result of a hand go by the play of a round, the best for the exact cards if there is none or hands of a
    split look at each other. Of a bet that does not fit the rules or the cards the reason is returned.
    """
    found: SideBets = []
    for name in subject.game.side_bets:
        bet = load_side_bet(name)
        try:
            follows = None if played is None or played.split_class == FULL else played
            found.append((bet.name, sidebet_of(subject, bet, played=follows)))
        except OddsError as error:
            found.append((bet.name, error))
    return found


def side_bets_warnings(bets: SideBets) -> list[str]:
    """Return why side bets of the game are not counted."""
    reasons: dict[str, list[str]] = {}
    for name, bet in bets:
        if isinstance(bet, OddsError):
            reasons.setdefault(str(bet), []).append(name)
    return [f"not counted among the side bets: {', '.join(names)}: {reason}" for reason, names in reasons.items()]


def _side_bet_table(bets: SideBets) -> list[RenderableType]:
    counted = [bet for _, bet in bets if not isinstance(bet, OddsError)]
    if not counted:
        return []
    headings = ("Side bet", "Paytable", "RTP", "House edge", "Hit frequency")
    rows = (
        [bet.bet, bet.paytable.label, *map(percent, (bet.rtp, bet.house_edge, bet.hit_frequency))] for bet in counted
    )
    note = "Per unit of the side bet; see odds sidebet BET. Not part of the EV of a round."
    return listed("Side bets", headings, rows, note)


def _published_words(subject: Subject, result: RoundResult) -> str:
    published = subject.game.published_rtp
    if published is None:
        return ""
    figure = f"RTP {published}"
    if "rtp" not in subject.game.published:
        figure += f" (from a house edge of {subject.game.published['house_edge']})"
    if not subject.as_published:
        return f"{figure} for the game as it is listed, not for what is set here"
    if result.play not in PLAYS:
        return f"{figure}, which is not for the play of {result.play}"
    agrees = agreement(published, result.rtp)
    if agrees is None:
        words = f"differs from the computed {percent(result.rtp)}"
        if agreement(published, 1.0 + result.ev_per_total_wager):
            words += ", but agrees with that per total wager"
    else:
        words = "agrees at the printed digits" + (" if they are cut off" if agrees == "truncated" else "")
    return f"{figure}; {words}"


def _totals(result: RoundResult) -> list[RenderableType]:
    per_total = result.ev_per_total_wager
    note = f"Average wager: {result.average_wager:.8f} initial wagers{' a hand' if result.rules.switch else ''}."
    rows = (
        ("EV", signed(result.ev, 10), signed(per_total, 10)),
        ("RTP", percent(result.rtp, 5), percent(1.0 + per_total, 5)),
        ("House edge", percent(result.house_edge, 5), percent(-per_total, 5)),
    )
    return listed("Round", ("", "Per initial wager", "Per total wager"), rows, note)


def _by_start(result: RoundResult) -> list[RenderableType]:
    title, what = "By upcard", "Upcard"
    note = "EV of a round given this upcard, dealer blackjacks included."
    if result.rules.hole_card == "exposed":
        title, what = "By the total of the dealer's two cards", "Dealer"
        note = (
            "EV of a round given this total, averaged over the pairs of cards that make it, each weighted by "
            "its probability. --json lists all 55 pairs."
        )
    table = new_table(what, "Probability", "EV")
    kind = ""
    for row in round_by_group(result):
        if row.group.kind != kind and kind:
            table.add_section()
        kind = row.group.kind
        table.add_row(row.group.label, percent(row.probability), signed(row.ev, 8))
    return titled(title, table, note)


def _insurance(subject: Subject, insurance: InsuranceResult | None, upcard: str, needed: str) -> list[RenderableType]:
    if insurance is None:
        return []
    rows = [("not looked at", insurance.ev)]
    rows += [(f"{n} {needed}{'' if n == 1 else 's'}", ev) for n, ev in insurance.by_needed.items()]
    lines = ((words, signed(float(ev), 8), str(ev)) for words, ev in rows)
    note = f"{subject.rules.words('insurance_pays').capitalize()}. Not part of the EV of a round."
    headings = ("Player's cards", "EV per unit insured", "Exactly")
    return listed(f"Insurance against {upcard}", headings, lines, note)


def wrong_cells_tables(wrong: Sequence[CellCost], number: int = 25) -> list[RenderableType]:
    """Return the cells of a strategy that are better changed, the worst first, as a table of so many."""
    if not wrong:
        return titled("Wrong cells", "None: no change of a single cell improves the EV of a round.")
    rows = [
        (f"{row_name(item.section, item.row)} against {item.column}", item.code, item.other, percent(item.gain, 7, ""))
        for item in wrong
    ]
    headings = ("Cell", "Says", "Better", "Costs a round")
    note = "Costs: of the RTP in percentage points, this one cell changed and everything else left as it is."
    rest = "cost less; --json lists all."
    return listed("Wrong cells, the worst first", headings, rows, note, most=number, rest=rest)
