"""What of rules makes a difference: the distinct set that a combination comes to, and ids that stand for rules."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from odds.engine.split_classes import DEFAULT_SPLIT_CLASS, FULL
from odds.game.fields import FIELDS
from odds.game.rules import Rules
from odds.game.subject import rules_text

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable

    from odds.game.shoe import Shoe
    from odds.sweep.grid import Combination

# In no value of a round, as insurance and even money are not taken.
NOT_TAKEN: Final = ("insurance", "insurance_pays", "even_money")
_DEFAULTS: Final[dict[str, Any]] = {name: field.default for name, field in FIELDS.items()}
_ONE: Final = FIELDS["blackjack_pays"].read(1)


class Distinct(NamedTuple):
    """A set of rules that stands for all that come to the same.

    Attributes:
        id: its `rules_id`.
        rules: fields without effect are the defaults, and a blackjack pays 1 where EV is linear in what it pays.
        shoe: the cards before the deal, where they are no full decks.
    """

    id: str
    rules: Rules
    shoe: Shoe | None = None


def effective(rules: Rules, split_class: str = DEFAULT_SPLIT_CLASS) -> tuple[tuple[str, Any], ...]:
    """Return the fields that have an effect on the EV of a round, with their values.

    Args:
        rules: the rules.
        split_class: how hands of a split are played; only `full` sees when they are dealt.
    """
    idle = {*NOT_TAKEN, *(() if split_class == FULL else ("split_deal",)), *rules.moot()}
    return tuple((name, value) for name, value in rules.__dict__.items() if name not in idle)


def is_linear(rules: Rules) -> bool:
    """Return whether nothing but the net of a dealt blackjack depends on what it pays, so that EV is linear in that.

    The same as `Terms.of_blackjack_pays`, as far as rules say it without being read as a whole; and a dealt blackjack
    wins something, as it does in the canonical set.
    """
    split_blackjack = rules.split_blackjack and not rules.is_moot("split_blackjack")
    return rules.blackjack_pays > 0 and not (
        split_blackjack or rules.switch or rules.raise_after_upcard or rules.bonuses
    )


def canonical(
    combination: Combination, split_class: str = DEFAULT_SPLIT_CLASS, *, keeps: Collection[str] = ()
) -> Rules:
    """Return the rules that stand for all that come to the same as those of a combination, see `distinct_of`."""
    rules = combination.rules
    kept = {name: value for name, value in rules.__dict__.items() if name in keeps}
    fields = {**_DEFAULTS, **dict(effective(rules, split_class)), **kept}
    if "blackjack_pays" not in keeps and is_linear(rules):
        fields["blackjack_pays"] = _ONE
    if combination.shoe is not None:
        fields["decks"] = _DEFAULTS["decks"]
    return Rules.of_fields(fields)


def distinct_of(
    combination: Combination, split_class: str = DEFAULT_SPLIT_CLASS, *, keeps: Collection[str] = ()
) -> Distinct:
    """Return the distinct set that a combination comes to.

    Args:
        combination: the combination.
        split_class: how hands of a split are played.
        keeps: fields that are of the set whatever their effect on the EV of a round, as something else is asked for.
    """
    rules, shoe = canonical(combination, split_class, keeps=keeps), combination.shoe
    return Distinct(rules_id(rules, shoe), rules, shoe)


def rules_id(rules: Rules, shoe: Shoe | None = None) -> str:
    """Return 16 hexadecimal digits that stand for rules, and a shoe that is no full decks, on every machine.

    They are of the SHA-256 of the text that `rules_text` returns, and of the counts of the shoe where one is given.

    >>> rules_id(Rules())
    '30a7d0335a319e8b'
    """
    cards = "" if shoe is None else f"{shoe.counts}{shoe.ten_ranks}"
    return sha256(f"{rules_text(rules)}{cards}".encode()).hexdigest()[:16]


def sharing(distinct: Distinct) -> Hashable:
    """Return what is equal for sets that share dealer passes: the shoe, and how he draws."""
    rules = distinct.rules
    return rules.decks, rules.removed_ranks, distinct.shoe, rules.dealer_hits_soft_17, rules.hole_card == "exposed"
