"""The commands `odds hand` and `odds dealer`: one hand of the player, and how the dealer's ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from odds.cli.common import report, subject, warn
from odds.engine.dealer import remove_start
from odds.engine.terms import two_hands
from odds.report import exact as exactly
from odds.report import hands
from odds.report.common import DEALER_RUN_OUT_WARNING
from odds.results.deal import deal_of, deal_result
from odds.results.dealer import dealer_distribution, dealer_distributions, exact_distribution, parse_distribution_start
from odds.results.exact import exact_hand
from odds.results.exact_switch import exact_deal
from odds.results.hand import hand_result, situation_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import RenderableType

    from odds.cli.questions import Dealer, Hand
    from odds.game.subject import Subject
    from odds.results.deal import DealResult
    from odds.results.exact import ExactHand
    from odds.results.hand import HandResult

_Result = TypeVar("_Result", "HandResult", "DealResult")


def hand(asked: Hand) -> None:
    """Compute what each action is worth for one hand."""
    shown_digits = exactly.check_digits(asked.digits)
    about = subject(asked)
    if about.rules.switch:
        _deal(asked, about, shown_digits)
        return
    situation = situation_of(
        asked.player,
        asked.dealer,
        about.rules,
        shoe=about.shoe(),
        split_class=asked.split_class,
        after_split=asked.after_split,
        doubled=asked.doubled,
        free=asked.free,
    )
    fractions = exact_hand(situation) if asked.exact else None
    _report(asked, about, hand_result(situation), fractions, shown_digits, hands.hand_json, hands.hand_tables)


def _deal(asked: Hand, about: Subject, shown_digits: int) -> None:
    """Compute what four cards are worth, exchanged or not."""
    for option, given in (("--after-split", asked.after_split), ("--doubled", asked.doubled), ("--free", asked.free)):
        if given:
            raise two_hands(f"{option} is")
    deal = deal_of(asked.player, asked.dealer, about.rules, shoe=about.shoe(), split_class=asked.split_class)
    fractions = exact_deal(deal) if asked.exact else None
    _report(asked, about, deal_result(deal), fractions, shown_digits, hands.deal_json, hands.deal_tables)


def _report(
    asked: Hand,
    about: Subject,
    result: _Result,
    fractions: ExactHand | None,
    digits: int,
    as_json: Callable[[Subject, _Result, list[str]], dict[str, Any]],
    as_tables: Callable[[Subject, _Result], list[RenderableType]],
) -> None:
    """Print the values of a hand, or of four cards, and behind them their fractions if there are any."""
    warnings = warn(result.shoe_can_run_out)
    report(
        asked.json,
        lambda: {
            **as_json(about, result, warnings),
            **({} if fractions is None else {"exact": exactly.exact_json(fractions, fractions.actions, asked.digits)}),
        },
        lambda: as_tables(about, result) + ([] if fractions is None else exactly.hand_tables(fractions, digits)),
    )


def dealer(asked: Dealer) -> None:
    """Compute how the dealer's hand ends, from one start or from all."""
    shown_digits = exactly.check_digits(asked.digits)
    about = subject(asked)
    rules, shoe = about.rules, about.shoe()
    start = None if asked.upcard is None else parse_distribution_start(asked.upcard, rules)
    if start is None:
        distributions = dealer_distributions(rules, shoe)
    else:
        distributions = (dealer_distribution(remove_start(shoe, start), start, rules),)
    exact = {item.start: exact_distribution(shoe, start or item.start, rules) for item in distributions if asked.exact}
    warnings = warn(any(item.shoe_can_run_out for item in distributions), DEALER_RUN_OUT_WARNING)
    report(
        asked.json,
        lambda: hands.dealer_json(
            about,
            distributions,
            warnings,
            {label: exactly.exact_json(item, item.unconditional, asked.digits) for label, item in exact.items()},
            start,
        ),
        lambda: [
            *hands.dealer_tables(about, distributions, start),
            *(part for label, item in exact.items() for part in exactly.dealer_tables(label, item, shown_digits)),
        ],
    )
