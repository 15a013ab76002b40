"""The rules of a game as data: one frozen object that holds a value for every field."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from odds.errors import RulesError, suggestion
from odds.game.bonuses import BONUS_KEYS, unpayable
from odds.game.cards import parse_cards, plain_ranks
from odds.game.deck import STANDARD, Deck
from odds.game.fields import (
    FIELDS,
    HARD_TOTALS,
    SOFT_TOTALS,
    RuleField,
    RuleFields,
    plain,
    ranks_of,
    read_totals,
    show_value,
    written,
)
from odds.game.shoe import Shoe
from odds.shown import Shown

_Taken = ParamSpec("_Taken")
_Result = TypeVar("_Result")

# What cannot be without doubling.
_OF_DOUBLED: Final = ("redoubles", "double_rescue", "free_double_on")
_DEFAULTS: Final[Mapping[str, Any]] = {name: field.default for name, field in FIELDS.items()}


def check_field(name: object) -> RuleField[Any, Any]:
    """Return the field of this name.

    Raises:
        RulesError: there is none, with the nearest name.
    """
    if isinstance(name, str) and name in FIELDS:
        return FIELDS[name]
    hint = suggestion(str(name)[:100].replace("-", "_"), FIELDS, f"the rules are {', '.join(FIELDS)}")
    raise RulesError(f"unknown rule {show_value(name)}; {hint}")


def settings_of(text: str, between: str = ";") -> list[str]:
    """Return the settings `FIELD=VALUE` of a text in which they are joined.

    >>> settings_of("decks=6; bonuses=cards=5 pays=2; cards=6 pays=3; charlie=7")
    ['decks=6', ' bonuses=cards=5 pays=2; cards=6 pays=3', ' charlie=7']

    Args:
        text: the settings. What joins them may be in a value too, where no further field comes after it.
        between: a comma or a semicolon.
    """
    line = "|".join(BONUS_KEYS)
    return [part for part in re.split(rf"{between}(?!\s*(?:{line})\s*=)(?=\s*[\w-]+\s*=|\s*$)", text) if part.strip()]


def _refuse_contradictions(given: Mapping[str, Any]) -> None:
    """Refuse values given together that cannot both be meant.

    Both are never the default, so that what `Rules.to_dict` wrote can always be read.
    """
    hole_card = given.get("hole_card", "peek")
    peek_under = given.get("peek_under", "A,T")
    if hole_card != "peek" and peek_under != "A,T":
        why = "there is no card to look at" if hole_card == "none" else "the card is face up"
        raise RulesError(f"hole_card={hole_card} contradicts peek_under={peek_under}: {why}")
    if given.get("double_on") == "none":
        for name in _OF_DOUBLED:
            if given.get(name, _DEFAULTS[name]) != _DEFAULTS[name]:
                raise RulesError(f"double_on=none contradicts {name}={written(given[name])}: no hand is ever doubled")
    surrender = given.get("surrender", "none")
    if hole_card == "exposed" and surrender not in ("none", "late"):
        words = surrender in FIELDS["surrender"].choices
        why = "there is no look for a blackjack to come before" if words else "neither of them is the upcard"
        raise RulesError(f"hole_card=exposed contradicts surrender={surrender}: with both cards face up {why}")


def _settle(given: Mapping[str, object], base: Mapping[str, Any]) -> dict[str, Any]:
    """Return a value for every field: what is given, read and checked, and the rest of `base`."""
    changes = {name: check_field(name).read(value) for name, value in given.items()}
    values = {**base, **changes}
    by_upcard = changes.get("surrender", "none") not in FIELDS["surrender"].choices
    _refuse_contradictions({**changes, "hole_card": values["hole_card"]} if by_upcard else changes)
    if values["hole_card"] != "peek":
        values["peek_under"] = "A,T"
    if values["hole_card"] == "exposed" and values["surrender"] != "none":
        values["surrender"] = "late"
    multiples, free = values["double_multiples"], values["free_double_on"]
    if multiples != (2,) and free != "none":
        raise RulesError(
            f"double_multiples={written(multiples)} contradicts free_double_on={free}: a free double adds one wager"
        )
    if values["double_on"] == "none":
        values |= {name: _DEFAULTS[name] for name in _OF_DOUBLED}
    return values


@lru_cache(maxsize=64)
def _doubled_totals(double_on: str) -> tuple[frozenset[int], frozenset[int]]:
    if double_on == "any":
        return frozenset(HARD_TOTALS), frozenset(SOFT_TOTALS)
    if double_on == "none":
        return frozenset(), frozenset()
    hard, soft = read_totals(double_on)
    return frozenset(hard), frozenset(soft)


def _doubles_soft(double_on: str, soft_as_hard: bool) -> bool:
    """Return whether some soft total may be doubled."""
    hard_totals, soft_totals = _doubled_totals(double_on)
    return bool(soft_totals) or (soft_as_hard and any(total - 10 in hard_totals for total in SOFT_TOTALS))


def _takes_fields_of(
    taker: Callable[_Taken, object],
) -> Callable[[Callable[..., _Result]], Callable[Concatenate["Rules", _Taken], _Result]]:
    """Tell type checkers that a method takes by name what a constructor does."""
    return lambda method: method


class Rules(RuleFields, Shown):
    """The rules of one game, which do not change; `FIELDS` says what each field means and which values it takes.

    The constructor and `replace` also read text and other plain forms: payouts as `"3/2"`, `"3:2"`, `1.5` or
    `1`, flags as `"true"` or `"no"`. A field that another one makes moot keeps its value and is left out of
    descriptions (see `is_moot`), with three exceptions: without a peek `peek_under` goes back to its default, and so do
    `redoubles`, `double_rescue` and `free_double_on` without doubling; with both dealer cards face up any surrender
    is stored as late.

    >>> rules = Rules(decks=6, dealer_hits_soft_17=True, blackjack_pays="6:5")
    >>> print("; ".join(str(rules).split("; ")[:4]))
    6 decks; dealer hits soft 17 (H17); dealer peeks under aces and tens; blackjack pays 6:5
    >>> rules.replace(decks=8).decks
    8

    Raises:
        RulesError: a field is unknown, a value is not allowed, or two values given together contradict each other.
    """

    def _store(self, given: Mapping[str, Any]) -> None:
        super()._store(_settle(given, _DEFAULTS))
        self.check_bonuses()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"rules do not change; replace({name}=...) returns changed ones")

    def __delattr__(self, name: str) -> None:
        self.__setattr__(name, None)

    def _changed(self, changes: Mapping[str, object]) -> "Rules":
        return Rules.of_fields(_settle(changes, self.__dict__))

    @_takes_fields_of(RuleFields)
    def replace(self, **changes: Any) -> "Rules":
        """Return the rules with some fields changed.

        Raises:
            RulesError: as for `Rules`; only the changes are looked at for contradictions (a surrender by upcards is
                refused where both dealer cards are face up already).
        """
        return self._changed(changes)._checked(changes)

    def replace_text(self, settings: Iterable[str]) -> "Rules":
        """Return the rules with the changes of texts of the form `FIELD=VALUE`.

        Raises:
            RulesError: a text has another form, a field is given twice with different values, or as for `replace`.
        """
        changes: dict[str, object] = {}
        for setting in settings:
            name, sign, value = (part.strip() for part in setting.partition("="))
            if not sign or not name:
                raise RulesError(f"expected FIELD=VALUE, such as decks=6, got {show_value(setting)}")
            if changes.setdefault(name, value) != value:
                raise RulesError(f"{name}: given twice, as {show_value(changes[name])} and as {show_value(value)}")
        return self._changed(changes)._checked(changes)

    def _checked(self, changes: Mapping[str, object]) -> "Rules":
        if "bonuses" in changes:
            self.check_bonuses()
        return self

    def check_bonuses(self) -> None:
        """Refuse bonuses for which the decks lack the cards; fewer decks than they were written for may have that.

        Raises:
            RulesError: there is such a line.
        """
        if reason := unpayable(self.bonuses, self.deck, self.decks):
            raise RulesError(f"bonuses: {reason}")

    def without_effect(self, settings: Iterable[str]) -> list[str]:
        """Return of each of the texts of `replace_text` that these rules leave without effect what there is to say."""
        names = dict.fromkeys(setting.partition("=")[0].strip() for setting in settings)
        found = [f"{name} has no effect with {beside}" for name in names if (beside := self.moot_beside(name))]
        unpaid = unpayable(self.bonuses, self.deck, self.decks) if names else ""
        return found + ([f"bonuses: {unpaid}"] if unpaid else [])

    @classmethod
    def from_dict(cls, fields: Mapping[str, object]) -> "Rules":
        """Return the rules of a mapping such as `to_dict` writes; what it leaves out is the default.

        Raises:
            RulesError: as for `Rules`.
        """
        if not isinstance(fields, Mapping):
            raise RulesError(f"expected a mapping from field to value, got {show_value(fields)}")
        return cls()._changed(fields)

    @classmethod
    def of_fields(cls, fields: Mapping[str, Any]) -> "Rules":
        """Return the rules that have these values, all of them, as rules store them: nothing is read or checked."""
        rules = object.__new__(Rules)
        rules.__dict__.update(fields)
        return rules

    def to_dict(self) -> dict[str, Any]:
        """Return all fields as JSON has them: payouts are texts such as `"3/2"`, tied totals a list."""
        return {name: plain(value) for name, value in self.__dict__.items()}

    def to_rows(self) -> list[dict[str, Any]]:
        """Return one row for each field, for pandas or polars.

        Columns: `field`, `value` (payouts and totals as text), `words`, `shorthand`, `default` (whether it is), `moot`.
        """
        return [
            {
                "field": name,
                "value": written(value).replace(",", ", ") if isinstance(value, list) else value,
                "words": self.words(name),
                "shorthand": self.shorthand(name),
                "default": getattr(self, name) == FIELDS[name].default,
                "moot": self.is_moot(name),
            }
            for name, value in self.to_dict().items()
        ]

    def facts(self) -> list[tuple[str, ...]]:
        """Return the rules in words."""
        suits = [("Suits", words)] if (words := self.suits_words) else []
        return [("Rules", self.brief(), str(self)), *suits]

    @property
    def suits_words(self) -> str:
        """What is to be said of suits where a bonus asks for them; empty where none does."""
        asked = any(not bonus.is_certain for bonus in self.bonuses)
        return (
            "play does not look at them; a bonus that asks for them counts with its average over suits" if asked else ""
        )

    @property
    def hand_unit(self) -> str:
        """In what values of hands are: the wager with which they are played, raised or not."""
        return "raised or initial wager" if self.raise_after_upcard else "initial wager"

    @property
    def round_unit(self) -> str:
        """In what the EV of a round is."""
        return (
            "initial wager, of which there are two: half of the sum of both hands" if self.switch else "initial wager"
        )

    @property
    def round_units(self) -> str:
        """What stands after the EV of a round."""
        return "initial wagers a hand, of two in a round" if self.switch else "initial wagers a round"

    @property
    def deck(self) -> Deck:
        """What is in each of the decks."""
        return STANDARD if self.removed_ranks == "none" else STANDARD.without(plain_ranks(self.removed_ranks))

    def shoe(self) -> Shoe:
        """Return the full shoe that a round is dealt from."""
        return Shoe.of_decks(self.decks, self.deck)

    def peeks_under(self, upcard: str) -> bool:
        """Return whether the dealer looks for a blackjack under this upcard before the player acts.

        Args:
            upcard: one card, such as `A` or `K`.

        Raises:
            HandError: the upcard cannot be read.
            RulesError: it is not one card.
        """
        cards = parse_cards(upcard)
        if len(cards) != 1:
            raise RulesError(f"expected one upcard, got {show_value(upcard)}")
        symbol = {0: "A", 9: "T"}.get(cards[0].value)
        return self.hole_card == "peek" and symbol is not None and symbol in self.peek_under

    def tie_loses(self, total: int) -> bool:
        """Return whether the player loses with the dealer's total; blackjacks apart."""
        if isinstance(self.dealer_wins_ties, bool):
            return self.dealer_wins_ties
        return total in self.dealer_wins_ties

    def __eq__(self, other: object) -> bool:
        return self.__dict__ == other.__dict__ if isinstance(other, Rules) else NotImplemented

    def __hash__(self) -> int:
        # Rules are looked up often, and some fields are slow to hash; those that differ most will do.
        return hash((self.decks, self.dealer_hits_soft_17, self.hole_card, self.max_hands, self.surrender))

    def may_double(self, total: int, soft: bool) -> bool:
        """Return whether two cards of this total may be doubled, as far as totals decide it.

        Knows nothing of splits: `double_after_split` and `double_split_aces` come on top. 21 stands, so it is
        never doubled.

        Args:
            total: the best total, a soft one with its ace as 11.
            soft: whether an ace counts as 11.
        """
        hard_totals, soft_totals = _doubled_totals(self.double_on)
        if not soft:
            return total in hard_totals
        as_hard = self.double_soft_as_hard and total in SOFT_TOTALS and total - 10 in hard_totals
        return total in soft_totals or as_hard

    def doubles_free(self, total: int, soft: bool) -> bool:
        """Return whether a double of two cards of this total, as for `may_double`, costs nothing."""
        return self.may_double(total, soft) and total in _doubled_totals(self.free_double_on)[soft]

    def is_moot(self, field: str) -> bool:
        """Return whether other fields leave this one without any effect.

        >>> Rules(max_hands=2).is_moot("resplit_aces")
        True

        Raises:
            RulesError: there is no such field.
        """
        return bool(self.moot_beside(field))

    def moot_beside(self, field: str) -> str:
        """Return the field that leaves this one without any effect, with its value; empty where none does.

        >>> Rules(max_hands=1).moot_beside("hit_split_aces")
        'max_hands=1'

        Raises:
            RulesError: there is no such field.
        """
        beside = self.moot().get(check_field(field).name, "")
        return f"{beside}={written(getattr(self, beside))}" if beside else ""

    def moot(self) -> dict[str, str]:
        """Return the fields that have no effect, each with the field that leaves it without."""
        no_split = "max_hands" if self.max_hands == 1 else ""
        exposed = "hole_card" if self.hole_card == "exposed" else ""
        always_peeks = "peek_under" if self.hole_card == "peek" and self.peek_under == "A,T" else ""
        lacks = "" if self.removed_ranks == "none" else self.deck.lacks
        no_aces = "removed_ranks" if "A" in lacks else ""
        no_tens = "removed_ranks" if set("TJQK") <= set(lacks) else ""
        no_blackjack = no_aces or no_tens
        no_upcard = no_aces and no_tens if self.insurance == "ace,ten" else no_aces
        one_ten = "removed_ranks" if len(set("TJQK") & set(lacks)) >= 3 else ""
        no_doubling = "double_on" if self.double_on == "none" else ""
        no_charlie = "" if self.charlie else "charlie"
        no_soft_double = "" if _doubles_soft(self.double_on, self.double_soft_as_hard) else "double_on"
        unfree_doubles = self.free_double_on != "none" and not any(
            self.doubles_free(total, soft) for soft in (False, True) for total in (SOFT_TOTALS if soft else HARD_TOTALS)
        )
        unfree_splits = self.free_split != "none" and all(
            no_tens if rank == "T" else rank in lacks for rank in ranks_of(self.free_split)
        )
        found = {
            "dealer_hits_soft_17": no_aces,
            "peek_under": "hole_card" if self.hole_card != "peek" else no_blackjack,
            "dealer_blackjack_takes": exposed or always_peeks or no_blackjack,
            "blackjack_pays": no_blackjack,
            "blackjack_tie": no_blackjack,
            "double_soft_as_hard": "double_on" if self._soft_as_hard_is_moot() else no_aces,
            "double_after_split": no_split or no_doubling,
            "double_split_aces": no_split
            or ("" if self.double_after_split else "double_after_split")
            or no_soft_double
            or no_aces,
            "double_cards": no_doubling,
            "double_multiples": no_doubling,
            "redoubles": no_doubling,
            "double_rescue": no_doubling,
            "free_double_on": no_doubling or unfree_doubles * "double_on",
            "free_split": no_split or unfree_splits * "removed_ranks",
            "switched_blackjack": ("" if self.switch else "switch") or no_blackjack,
            "surrender_cards": "surrender" if self.surrender == "none" else "",
            "split_by": no_split or one_ten,
            "resplit_aces": "max_hands" if self.max_hands <= 2 else no_aces,
            "hit_split_aces": no_split or no_aces,
            "split_blackjack": no_split or no_blackjack,
            "split_deal": no_split,
            "surrender_returns": "surrender" if self.surrender == "none" else "",
            "insurance": exposed or no_upcard,
            "insurance_pays": exposed or no_upcard or ("insurance" if self.insurance == "none" else ""),
            "even_money": exposed or no_blackjack,
            "charlie_pays": no_charlie,
            "charlie_beats_blackjack": no_charlie or exposed or always_peeks or no_blackjack,
        }
        return {name: beside for name, beside in found.items() if beside}

    def is_tacit(self, field: str) -> bool:
        """Return whether a field has a default that goes without saying, see `RuleField.tacit`.

        Raises:
            RulesError: there is no such field.
        """
        described = check_field(field)
        return described.tacit and getattr(self, field) == described.default

    def _soft_as_hard_is_moot(self) -> bool:
        hard_totals, soft_totals = _doubled_totals(self.double_on)
        return all(total in soft_totals or total - 10 not in hard_totals for total in SOFT_TOTALS)

    def words(self, field: str) -> str:
        """Return the value of a field in words, such as `dealer hits soft 17`.

        Raises:
            RulesError: there is no such field.
        """
        return check_field(field).words(getattr(self, field))

    def shorthand(self, field: str) -> str:
        """Return the casino shorthand of a field's value, such as `H17`; empty where there is none.

        Raises:
            RulesError: there is no such field.
        """
        return check_field(field).short(getattr(self, field))

    def said(self) -> list[str]:
        """Return the fields that the line of rules (`str`) names: the core of a game, and what is not the default."""
        return [
            name
            for name, field in FIELDS.items()
            if (field.core or getattr(self, name) != field.default) and not self.is_moot(name)
        ]

    def brief(self) -> str:
        """Return the rules in casino shorthand; in words what has none and is not the default.

        >>> Rules(surrender="late", even_money=True).brief()
        '8D, S17, 3:2, DOA, DAS, SPL3, NRSA, LS, even money offered'
        """
        default = {name for name, field in FIELDS.items() if getattr(self, name) == field.default}
        parts = (self.shorthand(name) or ("" if name in default else self.words(name)) for name in self.said())
        return ", ".join(filter(None, parts))

    def __str__(self) -> str:
        parts = []
        for name in self.said():
            words, shorthand = self.words(name), self.shorthand(name)
            parts.append(words if not shorthand or shorthand in words or name == "decks" else f"{words} ({shorthand})")
        return "; ".join(parts)

    def __repr__(self) -> str:
        plain = self.to_dict()
        changed = (name for name, field in FIELDS.items() if getattr(self, name) != field.default)
        return f"Rules({', '.join(f'{name}={plain[name]!r}' for name in changed)})"
