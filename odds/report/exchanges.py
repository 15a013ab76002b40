"""The tables and JSON of `odds exchanges`: which cards of two hands to exchange."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from odds.report.common import header, listed, method, percent, signed

if TYPE_CHECKING:
    from rich.console import RenderableType

    from odds.game.subject import Subject
    from odds.strategy.exchange_table import ExchangeTable

_UNIT = "one of the two initial wagers: EV and gains are half of what both hands have; dealer blackjacks are in it"
_MOST_MISTAKES = 10


def exchanges_json(subject: Subject, table: ExchangeTable, warnings: list[str]) -> dict[str, Any]:
    """Return which cards to exchange as JSON takes it."""
    result = table.result
    return {
        **subject.head(),
        "play": result.play,
        "split_class": result.split_class,
        "per": "one of the two initial wagers",
        **table.to_dict(),
        "removed": subject.removed,
        "warnings": warnings,
    }


def exchanges_tables(subject: Subject, table: ExchangeTable, rows: int) -> list[RenderableType]:
    """Return which cards to exchange as tables, with so many of the exchanges."""
    result, points = table.result, table.points
    facts = [*method(subject.rules, result.play, result.split_class), ("Unit", _UNIT)]
    worth = [
        ("the best exchange of every four cards", table.ev),
        ("exchange by the points below", table.ev - points.cost),
        ("never exchange", table.kept_ev),
    ]
    by_dealer = [
        (
            row.dealer,
            percent(row.exchanged, 2),
            *(signed(value, 6) for value in (row.ev, row.ev - row.kept_ev)),
            percent(row.cost, 4, ""),
        )
        for row in table.by_dealer
    ]
    what = "Dealer" if subject.rules.hole_card == "exposed" else "Upcard"
    return [
        header(subject, facts),
        *listed(
            "What exchanges are worth",
            ("", "EV", "RTP"),
            [(words, signed(ev, 8), percent(1 + ev)) for words, ev in worth],
            f"Cards are exchanged in {percent(table.exchanged, 2)} of all deals.",
        ),
        *listed(
            "Points",
            ("Hand", *points.columns),
            [(hand, *map(str, of_hand)) for hand, of_hand in points.compact()],
            "Add the points of both hands as they lie, and as an exchange makes them: exchange if that is more. "
            f"{points.per_wager} points are about one wager. By this a round is worth {percent(points.cost)} of a "
            "wager less than by the best exchange.",
        ),
        *listed(
            f"By {what.lower()}",
            (what, "Exchanged", "EV", "Gain", "Points cost"),
            by_dealer,
            "Given this: how often cards are exchanged, EV with the best exchange, what exchanging gains, and what the "
            "points cost, in percentage points of a wager.",
        ),
        *listed(
            "Exchanges that gain most",
            ("Dealer", "Dealt", "Made", "Once in", "Gain", "A round"),
            [
                (
                    swap.dealer,
                    swap.dealt,
                    swap.made,
                    f"{1 / swap.probability:,.0f}",
                    signed(swap.gain, 4),
                    percent(swap.per_round, 4, ""),
                )
                for swap in table.swaps
            ],
            "Once in so many rounds hands are dealt so and exchanged, which then gains so much on average; a round: "
            "what these exchanges add to the RTP, in percentage points.",
            most=rows,
            rest="add less; --json lists all.",
            left=(0, 1, 2),
            wrap=(1, 2),
        ),
        *listed(
            "Where the points go wrong",
            ("Dealer", "Hands", "Better", "Costs", "A round"),
            [
                (item.dealer, item.player, item.best, f"{item.cost:.6f}", percent(item.probability * item.cost, 6, ""))
                for item in table.mistakes
            ],
            "What it costs where it is dealt, and in a round, in percentage points.",
            most=_MOST_MISTAKES,
            rest="cost less; --json lists all.",
            left=(0, 1, 2),
        ),
    ]
