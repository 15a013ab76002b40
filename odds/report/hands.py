"""The tables of `odds hand` and `odds dealer`: one player's hand, and how the dealer's hand ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from odds.game.subject import Subject
from odds.report.common import header, listed, method, new_table, percent, signed, titled
from odds.results.dealer import dealer_by_group
from odds.results.hand import HandResult
from odds.results.switch import KEEP

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import RenderableType
    from rich.table import Table

    from odds.engine.dealer import DealerStart
    from odds.results.deal import DealResult
    from odds.results.dealer import DealerDistribution

_HEADINGS = {"blackjack": "BJ", "bust": "Bust"}


def hand_json(subject: Subject, result: HandResult, warnings: list[str]) -> dict[str, Any]:
    """Return the values of one hand as JSON takes them."""
    return {**subject.head(), **result.to_dict(), "removed": subject.removed, "warnings": warnings}


def hand_tables(subject: Subject, result: HandResult) -> list[RenderableType]:
    """Return the values of one hand as tables."""
    facts = [
        ("Hand", f"{result.player}{result.doubled_words} against {result.dealer}{_split_words(result)}"),
        *method(subject.rules, "composition", result.split_class),
        ("Unit", f"the {subject.rules.hand_unit}{'; free money is not lost' * result.free}"),
        ("Given", _condition(result)),
    ]
    table = new_table("Action", "EV", "Less than best")
    comparable = result.comparable()
    for place, (action, value) in enumerate(result.ranked()):
        behind = comparable[result.best] - comparable[action]
        less = "" if place == 0 else f"{behind + 0.0:.10f}"
        label = action + ", free" * (action in result.free_actions)
        table.add_row(label, signed(value, 10), less, style="" if place else "bold")
    notes = _notes(result)
    return [header(subject, facts), *titled("Actions, best first", table), *([""] if notes else []), *notes]


def deal_json(subject: Subject, result: DealResult, warnings: list[str]) -> dict[str, Any]:
    """Return the values of four cards as JSON takes them."""
    return {**subject.head(), **result.to_dict(), "removed": subject.removed, "warnings": warnings}


def deal_tables(subject: Subject, result: DealResult) -> list[RenderableType]:
    """Return the values of four cards, exchanged or not, as tables."""
    facts = [
        ("Hands", f"{result.player} against {result.dealer}"),
        *method(subject.rules, "composition", result.split_class),
        ("Unit", f"the {subject.rules.hand_unit} of one hand; of both ways, half of the sum of both hands"),
        ("Given", _condition(result)),
    ]
    kept = max(result.ways, key=lambda way: way.name == KEEP)
    notes = [*dict.fromkeys(note for hand in kept.hands for note in _notes(hand))]
    ways = [
        (way.name, way.cards, signed(way.ev, 10), f"{result.value - way.ev + 0.0:.10f}" if place else "")
        for place, way in enumerate(result.ways)
    ]
    actions = [
        (*(("", "") if place else (way.name, hand.player)), action, signed(value, 10))
        for way in result.ways
        for hand in way.hands
        for place, (action, value) in enumerate(hand.ranked())
    ]
    note = "Each hand is played knowing the other one's first two cards."
    return [
        header(subject, facts),
        *listed("Both ways, the better one first", ("Way", "Hands", "EV", "Less than best"), ways, left=(0, 1)),
        *listed("Each hand, its best action first", ("Way", "Hand", "Action", "EV"), actions, note, left=(0, 1, 2)),
        *([""] if notes else []),
        *notes,
    ]


def _split_words(result: HandResult) -> str:
    if result.after_split is None:
        return ""
    card, _, number = result.after_split.partition(":")
    money = ", with free money" if result.free else ""
    return f", one of {number} hands of a split of {card},{card}{money}"


def _condition(result: HandResult | DealResult) -> str:
    if result.given_no_dealer_blackjack:
        words = "no dealer blackjack: he has looked, and the values are conditional on that"
        early = isinstance(result, HandResult) and result.surrender_after_peek_scale is not None
        return words + ("; early surrender comes before" if early else "")
    if result.dealer in ("A", "T"):
        return "nothing about a dealer blackjack: what it takes is in the values"
    return "the dealer's cards as shown"


def _notes(result: HandResult) -> list[str]:
    notes = []
    if result.doubled and "surrender" in result.actions and result.rules.double_rescue:
        notes.append("To surrender a doubled hand is to take back its last raise and to lose what was wagered before.")
    if result.surrender_after_peek_scale is not None:
        notes.append(
            "Early surrender comes before the dealer looks. Compared with the values after that it is worth "
            f"{signed(result.surrender_after_peek_scale, 10)}, by which it is placed."
        )
    if result.even_money is not None and result.stand_before_peek is not None:
        notes.append(
            f"Even money pays {signed(result.even_money, 0)} at once; declined, the blackjack is worth "
            f"{signed(result.stand_before_peek, 10)} before the dealer looks."
        )
    if result.insurance is not None:
        notes.append(
            f"Insurance: EV {signed(float(result.insurance), 10)} ({result.insurance}) per unit insured, "
            "these cards seen. It is not part of the values above."
        )
    return notes


def dealer_json(
    subject: Subject,
    distributions: Sequence[DealerDistribution],
    warnings: list[str],
    exact: Mapping[str, dict[str, Any]],
    start: DealerStart | None,
) -> dict[str, Any]:
    """Return how the dealer's hand ends as JSON takes it, with exact outcomes by start where there are any."""
    return {
        **subject.head(),
        "given": _seen(start),
        "outcomes": [
            {**item.to_dict(), **({"exact": exact[item.start]} if item.start in exact else {})}
            for item in distributions
        ],
        "shoe_can_run_out": any(item.shoe_can_run_out for item in distributions),
        "removed": subject.removed,
        "warnings": warnings,
    }


def dealer_tables(
    subject: Subject, distributions: Sequence[DealerDistribution], start: DealerStart | None
) -> list[RenderableType]:
    """Return how the dealer's hand ends as tables.

    Args:
        subject: the game.
        distributions: by start.
        start: the one that was asked for; None for all, two cards face up then being shown by their total.
    """
    exposed = subject.rules.hole_card == "exposed"
    parts: list[RenderableType] = [header(subject, [("Given", _seen(start))])]
    rows = [(item.start, item.unconditional) for item in distributions]
    what = "Upcard"
    note = "21 is without blackjack."
    if any("22" in item.unconditional for item in distributions):
        note += " A bust is more than 22."
    if exposed or (start is not None and (start.total or len(start.cards) > 1)):
        what = "Dealer"
        if start is None:
            groups = dealer_by_group(subject.rules, subject.shoe())
            rows = [(_HEADINGS.get(row.group.label, row.group.label), row.outcomes) for row in groups]
            note += (
                " Averaged over the pairs of cards that make a total, each weighted by its probability; "
                "--json lists all 55 pairs."
            )
    else:
        rows.sort(key=lambda row: "23456789TA".index(row[0]))
    title = "How the dealer's hand ends, in percent" + ("" if what == "Dealer" else ", blackjacks included")
    parts += titled(title, _outcomes(what, rows), note)
    given = [(item.start, item.given_no_blackjack) for item in distributions if item.given_no_blackjack]
    if given:
        given.sort(key=lambda row: "TA".index(row[0]))
        parts += titled("Given no dealer blackjack, in percent", _outcomes(what, given))
    return parts


def _seen(start: DealerStart | None) -> str:
    """Return in words what is known of the cards."""
    if start is not None and start.total:
        return (
            f"the dealer's total, {start.total}, of two or more cards that are not known: none is taken out of the "
            "shoe, and a 21 is no blackjack; the player's cards are not looked at"
        )
    return "the dealer's cards as shown; the player's are not looked at"


def _outcomes(what: str, rows: Sequence[tuple[str, Mapping[str, float]]]) -> Table:
    names = list(rows[0][1])
    table = new_table(what, *(_HEADINGS.get(name, name) for name in names))
    table.padding = (0, 1, 0, 0)
    digits = 4 if len(names) < 8 else 3  # more columns than 80 characters hold otherwise
    for start, outcomes in rows:
        table.add_row(start, *(percent(outcomes[name], digits, sign="") for name in names))
    return table
