"""The tables and JSON of `odds rtp --sees-others`: what seeing the cards of other boxes is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from odds.report.common import header, listed, method, percent, signed
from odds.report.rounds import rtp_json, unit
from odds.results.deals import raise_facts
from odds.results.groups import grouped, round_by_group

if TYPE_CHECKING:
    from rich.console import RenderableType

    from odds.game.subject import Subject
    from odds.report.rounds import SideBets
    from odds.results.last_box import Insured, LastBox

_MOST_SEEN = 5


def last_box_json(subject: Subject, box: LastBox, bets: SideBets, warnings: list[str]) -> dict[str, Any]:
    """Return the last of several boxes as JSON takes it: what `odds rtp` has of a round, of that box, and more."""
    body = {**rtp_json(subject, box.alone, bets, warnings), **box.to_dict()}
    return body if box.boxes == 1 else {**body, "published": None}


def last_box_tables(subject: Subject, box: LastBox) -> list[RenderableType]:
    """Return the last of several boxes as tables, beside a box that sees no other."""
    rules, alone = subject.rules, box.alone
    others = box.boxes - 1
    seen = "no other" if not others else f"the first two cards of the {'other' if others == 1 else f'{others} others'}"
    facts = [
        ("Boxes", f"{box.boxes}: the last has seen {seen}" if others else "1"),
        *method(rules, alone.play, alone.split_class),
        *raise_facts(box.raised),
        unit(subject.rules),
    ]
    lines = {
        "EV": (box.ev, alone.ev),
        "Insurance": (box.insurance_gain, box.insurance_gain_alone),
        "EV with it": (box.ev_with_insurance, alone.ev + box.insurance_gain_alone),
    }
    rows = [
        (words, *(signed(value, 10) for value in (seeing, single, seeing - single)))
        for words, (seeing, single) in lines.items()
    ]
    note = (
        f"RTP {percent(1.0 + box.ev, 5)}, alone {percent(alone.rtp, 5)}; average wager {box.average_wager:.8f} initial "
        "wagers. Insurance: what half a wager on it adds to a round, over all deals, taken only where the cards that "
        "are seen make it gain" + (", and even money likewise." if rules.even_money else ".")
    )
    groups = grouped(alone.terms.dealer, {row.start: (row.probability, row.ev) for row in box.by_start})
    by_start = (
        (row.group.label, percent(row.probability), *(signed(ev, 8) for ev in (row.ev, single.ev, row.ev - single.ev)))
        for row, single in zip(groups, round_by_group(alone), strict=True)
    )
    what, given = ("Dealer", "total") if rules.hole_card == "exposed" else ("Upcard", "upcard")
    return [
        header(subject, facts),
        *listed("The last box", ("", "Seeing the others", "Alone", "Gain"), rows, note),
        *_insurance(box.insured, even_money=rules.even_money),
        *listed(
            "By the total of the dealer's two cards" if given == "total" else "By upcard",
            (what, "Probability", "EV", "EV alone", "Gain"),
            by_start,
            f"EV of a round given this {given}, dealer blackjacks included, without insurance.",
        ),
        *_seen(box),
    ]


def _insurance(insured: tuple[Insured, ...], *, even_money: bool) -> list[RenderableType]:
    """Return insurance as it is taken on all cards that are seen."""
    if not insured:
        return []
    rows = [
        (
            row.upcard,
            percent(float(row.taken)),
            "-" if row.ev_when_taken is None else signed(float(row.ev_when_taken), 8),
            signed(float(row.gain), 8),
            *([signed(float(row.even_money), 8)] if even_money else []),
            signed(float(row.per_round), 10),
        )
        for row in insured
    ]
    headings = ("Upcard", "Taken", "EV then", "Gain", *(["Even money"] if even_money else []), "Gain a round")
    note = (
        "Given the upcard: how often the cards that are seen make insurance gain; its EV then, per unit insured; and "
        "what half a wager on it adds to a round, in initial wagers"
        + (", and even money where that gains more." if even_money else ".")
        + " Gain a round: over all upcards."
    )
    return listed("Insurance, all cards seen", headings, rows, note)


def _seen(box: LastBox) -> list[RenderableType]:
    """Return the best and the worst cards that the others can have."""
    ranked = sorted(box.by_seen, key=lambda row: -row.ev)
    if not ranked:
        return []
    short = len(ranked) <= 2 * _MOST_SEEN
    chosen = ranked if short else [*ranked[:_MOST_SEEN], *ranked[-_MOST_SEEN:]]
    rows = [(row.cards, percent(row.probability), signed(row.ev, 8)) for row in chosen]
    note = "EV of the last box given these cards, over all upcards, without insurance."
    if not short:
        note += f" {len(ranked) - len(chosen):,} more lie between; --json lists all."
    title = "The others' cards" if short else "The others' cards, best and worst"
    return listed(title, ("Cards", "Probability", "EV"), rows, note, wrap=(0,))
