"""The pages of `odds show`, the rules of a game in words and how each is known, and of `odds rules`, all there are."""

from __future__ import annotations

import re
from contextlib import suppress
from fractions import Fraction
from shlex import quote
from typing import TYPE_CHECKING, Any

from odds import __version__
from odds.errors import RulesError
from odds.game.fields import FIELDS, plain, written
from odds.game.rules import check_field
from odds.game.subject import Subject
from odds.report.common import labelled, new_table, titled
from odds.sidebets import load_side_bet

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

    from odds.game.catalog import Provenance
    from odds.game.fields import RuleField

_KNOWN = {"states": "stated", "open": "open", "varies": "varies", "assumed": "assumed", "set": "set here"}
_RULES_NOTE = (
    "* differs from the default. Favours: against the other answer where a rule is a yes or no, else against "
    "the default. Stated: the source says so. Open: it can be read in several ways. Varies: it says so, other "
    "descriptions say something else. Assumed: it does not mention it."
)
_WHERE = "where it is on, larger, or a later one of the values"
_OTHER_SIDE = {"player": "dealer", "dealer": "player"}


def show_json(subject: Subject) -> dict[str, Any]:
    """Return a game and how each of its rules is known as JSON takes it."""
    game = subject.game
    return {
        **subject.head(),
        "title": game.title,
        "summary": game.summary,
        "aliases": list(game.aliases),
        "source": game.source,
        "urls": list(game.urls),
        "published": dict(game.published),
        "side_bets": [load_side_bet(bet).name for bet in game.side_bets],
        "rule_details": [_field_json(subject, name) for name in FIELDS],
    }


def _field_json(subject: Subject, name: str) -> dict[str, Any]:
    rules, known = subject.rules, subject.game.provenance[name]
    return {
        "field": name,
        "value": plain(getattr(rules, name)),
        "words": rules.words(name),
        "shorthand": rules.shorthand(name),
        "favours": favours(FIELDS[name], getattr(rules, name)),
        "status": status(subject, name),
        "source_status": known.status,
        "readings": [plain(reading) for reading in known.readings],
        "note": known.note,
        "differs_from_default": getattr(rules, name) != FIELDS[name].default,
        "has_no_effect": rules.is_moot(name),
        "no_effect_with": rules.moot_beside(name),
    }


def status(subject: Subject, name: str) -> str:
    """Return how a rule is known: `states`, `open`, `varies`, `assumed`, or `set` where it was changed."""
    return "set" if name in subject.changed else subject.game.provenance[name].status


def favours(field: RuleField[Any, Any], value: Any) -> str:
    """Return whom a rule's value favours: `player`, `dealer`, or nothing where that depends.

    A yes or no is compared with the other; anything else with the default, which favours nobody.
    """
    if field.favours == "depends":
        return ""
    if value is False:
        return _OTHER_SIDE[field.favours]
    if value is True:
        return field.favours
    if value == field.default:
        return ""
    smaller = isinstance(value, int | Fraction) and isinstance(field.default, int | Fraction) and value < field.default
    first_choice = value == "none" and field.name == "insurance"
    return _OTHER_SIDE[field.favours] if smaller or first_choice else field.favours


def show_tables(subject: Subject) -> list[RenderableType]:
    """Return a game as text and tables."""
    from rich.text import Text

    facts = [(label, Text(text, style="bold" if label == "Game" else "")) for label, text in _facts(subject)]
    parts: list[RenderableType] = [labelled(facts, style="dim"), *titled("Rules", _rules(subject), _RULES_NOTE)]
    readings = _readings(subject)
    if readings:
        parts += titled("Open, varying and changed rules", labelled(readings))
    return parts


def _facts(subject: Subject) -> list[tuple[str, str]]:
    game = subject.game
    facts = [("Game", f"{game.title} ({game.name})")]
    if game.summary:
        facts.append(("", game.summary))
    if game.aliases:
        facts.append(("Also called", ", ".join(game.aliases)))
    facts.append(("Source", game.source))
    facts.extend(("", url) for url in game.urls)
    names = {"rtp": "RTP", "house_edge": "house edge"}
    figures = ", ".join(f"{names[key]} {game.published[key]}" for key in names if key in game.published)
    if figures and subject.changed:
        figures += " (for the game as it is listed, not for what is set here)"
    facts.append(("Published", figures or "no figure"))
    if note := game.published.get("note"):
        facts.append(("", note))
    facts.append(("Side bets", ", ".join(map(_bet_words, game.side_bets)) or "none"))
    if words := subject.rules.suits_words:
        facts.append(("Suits", words))
    return facts


def _bet_words(bet: str) -> str:
    """Return the name of a side bet, and of its file if it is not of the catalogue."""
    name = load_side_bet(bet).name
    return name if name == bet else f"{name} ({bet})"


def _rules(subject: Subject) -> Table:
    rules = subject.rules
    table = new_table("Rule", "Short", "Favours", "Known", "*", left=range(5), wrap=(0,))
    for name, field in FIELDS.items():
        known, value = status(subject, name), getattr(rules, name)
        moot = rules.moot_beside(name)
        if moot and value == field.default and known in ("states", "assumed"):
            continue
        table.add_row(
            rules.words(name) + (f" (no effect with {moot})" if moot else ""),
            rules.shorthand(name) if rules.shorthand(name) not in rules.words(name) else "",
            "" if moot else favours(field, value),
            _KNOWN[known],
            "*" if value != field.default else "",
        )
    return table


def _readings(subject: Subject) -> list[tuple[str, Text]]:
    """Return the rules that can be read in several ways or were changed."""
    from rich.text import Text

    lines = []
    for name in FIELDS:
        known = subject.game.provenance[name]
        if name not in subject.changed and len(known.readings) < 2:
            continue
        lines.append((name, Text(_reading_words(subject, name, known))))
        if known.note:
            lines.append(("", Text(known.note, style="dim")))
    return lines


def _reading_words(subject: Subject, name: str, known: Provenance) -> str:
    words = [FIELDS[name].words(reading) for reading in known.readings]
    says = {
        "states": f"the source states: {words[0]}",
        "assumed": f"the source does not mention it; assumed: {words[0]}",
        "open": f"the source leaves it open; used: {words[0]}; or: {', '.join(words[1:])}",
        "varies": f"the source states: {words[0]}; other descriptions: {', '.join(words[1:])}",
    }[known.status]
    if name in subject.changed:
        return f"set here: {subject.rules.words(name)}; without that, {says}"
    return says


def fields_called(name: str) -> list[RuleField[Any, Any]]:
    """Return the field of this name, or those whose values have such a shorthand (`H17`).

    Raises:
        RulesError: there are none.
    """
    short = name.strip().upper()
    found = [field for field in FIELDS.values() if short in re.findall(r"[A-Z0-9:]+", field.shorthand)]
    return found or [check_field(name)]


def fields_json(fields: Iterable[RuleField[Any, Any]]) -> dict[str, Any]:
    """Return fields of the rules as JSON takes them."""
    return {
        "version": __version__,
        "rules": [
            {
                "field": field.name,
                "default": plain(field.default),
                "allowed": field.allowed,
                "choices": [plain(value) for value in field.choices],
                "shorthand": field.shorthand,
                "favours": field.favours,
                "special": field.tacit,
                "meaning": field.meaning,
            }
            for field in fields
        ],
    }


def fields_tables(fields: Iterable[RuleField[Any, Any]]) -> list[RenderableType]:
    """Return fields of the rules as a table."""
    from rich.text import Text

    table = new_table("Rule", "Default", "Values, and their shorthand", left=range(3), fold=(2,))
    for field in fields:
        values = Text.assemble(field.allowed, (f"\n{field.shorthand}" if field.shorthand else "", "dim"))
        table.add_row(field.name + (" *" if field.tacit else ""), written(field.default), values)
    note = (
        "* a special rule that few games have: its default goes without saying, and heads of tables leave it out. "
        "odds rules RULE says what one means; --set RULE=VALUE changes it; a game file lists those of a game."
    )
    return titled("Rules", table, note)[1:]


def field_tables(fields: Iterable[RuleField[Any, Any]]) -> list[RenderableType]:
    """Return fields of the rules in full."""
    from rich.text import Text

    parts: list[RenderableType] = []
    for field in fields:
        values = [f"{written(value)}: {field.words(value)}" for value in field.choices]
        facts: list[tuple[str, str | Text]] = [
            ("Rule", Text(field.name, style="bold")),
            ("", field.meaning),
            ("Values", field.allowed),
            *(("", value) for value in values),
            ("Default", f"{written(field.default)}: {field.words(field.default)}"),
            *([("Shorthand", field.shorthand)] if field.shorthand else []),
            ("Favours", "that depends" if field.favours == "depends" else f"the {field.favours}, {_WHERE}"),
            *([("Special", "few games have it: its default goes without saying")] if field.tacit else []),
            ("Example", f"--set {quote(f'{field.name}={_other(field)}')}"),
        ]
        parts += [*([""] if parts else []), labelled(facts, style="dim")]
    return parts


def _other(field: RuleField[Any, Any]) -> str:
    """Return a value that is not the default, as it is written: the first of the choices, or of the words on them."""
    likely = re.findall(r"'[^']+'|[\w./:-]+", field.allowed.rpartition("such as ")[2] + " " + field.allowed)
    for text in [written(value) for value in field.choices] or [word.strip("'") for word in likely]:
        with suppress(RulesError):
            if field.read(text) != field.default:
                return text
    return written(field.default)
