"""Conditions on combinations of rules, such as `not resplit_aces or max_hands > 2`."""

from __future__ import annotations

import ast
import operator
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from odds.errors import OddsError, suggestion
from odds.game.deck import INFINITE
from odds.game.fields import FIELDS, show_value

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

SHOE: Final = "shoe"
# What a condition says of the values of a combination.
_Read: TypeAlias = "Callable[[Mapping[str, Any]], Any]"

_CONSTANTS: Final = {"none": None, "true": True, "false": False}
_ALLOWED: Final = "and, or, not, in, comparisons, parentheses, fields, numbers, texts and lists of them"
_COMPARE: Final[Mapping[type[ast.cmpop], Callable[[Any, Any], Any]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda value, values: value in values,
    ast.NotIn: lambda value, values: value not in values,
    ast.Is: operator.eq,
    ast.IsNot: operator.ne,
}


@dataclass(frozen=True)
class Condition:
    """A condition on the values of a combination's fields.

    Attributes:
        text: as it was written.
        fields: that it looks at.
    """

    text: str
    fields: frozenset[str]
    _test: _Read = field(repr=False, compare=False)

    def holds(self, values: Mapping[str, Any]) -> bool:
        """Return whether it holds for the values of rules, by field; `shoe` is the name of a shoe, or None.

        Raises:
            OddsError: values that it compares cannot be.
        """
        try:
            return bool(self._test(values))
        except TypeError:
            shown = ", ".join(f"{name}={show_value(values[name])}" for name in sorted(self.fields))
            raise OddsError(f"where: {self.text!r} compares values that have no order, with {shown}") from None


def read_condition(text: str | Sequence[str]) -> Condition | None:
    """Return the condition that a text is, or that several are together; None where there is none.

    >>> condition = read_condition("not resplit_aces or max_hands > 2")
    >>> condition.holds({"resplit_aces": True, "max_hands": 2})
    False

    A text beside a field is read as a value of it, so that `blackjack_pays == "6:5"` compares numbers; infinitely many
    decks are more than any number of them.

    Raises:
        OddsError: it is no condition, or names a field that there is not.
    """
    texts = [text] if isinstance(text, str) else list(text)
    found = [_one(each) for each in texts]
    if len(found) <= 1:
        return found[0] if found else None
    tests = [condition._test for condition in found]
    return Condition(
        " and ".join(f"({condition.text})" for condition in found),
        frozenset().union(*(condition.fields for condition in found)),
        lambda values: all(test(values) for test in tests),
    )


def _one(text: str) -> Condition:
    if not isinstance(text, str) or not text.strip():
        raise OddsError(f"where: expected a condition such as 'max_hands > 2', got {show_value(text)}")
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else str(error)
        raise OddsError(f"where: cannot read {text!r}: {reason}; allowed are {_ALLOWED}") from None
    reader = _Reader(text)
    test = reader.read(tree.body)
    if not reader.fields:
        raise OddsError(f"where: {text!r} looks at no field of the rules")
    return Condition(text.strip(), frozenset(reader.fields), test)


class _Reader:
    """Reads the tree of one condition into what says it of values; notes which fields it looks at."""

    def __init__(self, text: str) -> None:
        self.text, self.fields = text, set[str]()

    def read(self, node: ast.expr, beside: str | None = None) -> _Read:
        """Return what a node says; a text beside a field is a value of it."""
        match node:
            case ast.BoolOp(op=op, values=values):
                parts = [self.read(value) for value in values]
                together = all if isinstance(op, ast.And) else any
                return lambda values: together(part(values) for part in parts)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                inner = self.read(operand)
                return lambda values: not inner(values)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
                return self._constant(-value, beside)
            case ast.Compare(left=left, ops=ops, comparators=comparators):
                return self._compare([left, *comparators], ops)
            case ast.Name(id=name):
                return self._name(name, beside)
            case ast.Constant(value=None | bool() | int() | float() | str() as value):
                return self._constant(value, beside)
            case ast.BinOp(op=ast.Div(), left=ast.Constant(value=int() as up), right=ast.Constant(value=int() as down)):
                if down:
                    return self._constant(Fraction(up, down), beside)
            case ast.List(elts=elements) | ast.Tuple(elts=elements) | ast.Set(elts=elements):
                read = [self.read(element, beside) for element in elements]
                return lambda values: [part(values) for part in read]
        shown = ast.get_source_segment(self.text.strip(), node) or self.text
        raise OddsError(f"where: cannot read {shown!r} in {self.text!r}; allowed are {_ALLOWED}")

    def _compare(self, sides: Sequence[ast.expr], ops: Sequence[ast.cmpop]) -> _Read:
        names = [side.id for side in sides if isinstance(side, ast.Name) and side.id in (*FIELDS, SHOE)]
        beside = names[0] if names else None
        read = [self.read(side, beside) for side in sides]
        pairs = [(_COMPARE[type(op)], read[place], read[place + 1]) for place, op in enumerate(ops)]
        return lambda values: all(compare(left(values), right(values)) for compare, left, right in pairs)

    def _name(self, name: str, beside: str | None) -> _Read:
        if name in FIELDS or name == SHOE:
            self.fields.add(name)
            return lambda values: _number(values[name])
        if name == INFINITE:
            return lambda _: inf
        if name.lower() in _CONSTANTS:
            constant = _CONSTANTS[name.lower()]
            return self._constant(name.lower() if constant is None and _takes_none(beside) else constant, beside)
        if beside is not None and beside in FIELDS and name in FIELDS[beside].choices:
            return self._constant(name, beside)
        raise OddsError(f"where: unknown field {name!r}; {suggestion(name, [*FIELDS, SHOE], 'see odds rules')}")

    def _constant(self, value: Any, beside: str | None) -> _Read:
        if beside is not None and beside in FIELDS and value is not None:
            try:
                stored = FIELDS[beside].read(value)
            except ValueError:
                stored = value
                if isinstance(value, str):
                    raise OddsError(f"where: {beside} has no value {value!r}, in {self.text!r}") from None
            # A number stays as it is beside numbers, of which it need not be an allowed one.
            value = value if isinstance(stored, int | Fraction) and not isinstance(value, str) else stored
        number = _number(value)
        return lambda _: number


def _takes_none(name: str | None) -> bool:
    """Return whether a field has a value that is called none, as a text."""
    try:
        return name is not None and name in FIELDS and isinstance(FIELDS[name].read("none"), str)
    except ValueError:
        return False


def _number(value: Any) -> Any:
    return inf if value == INFINITE else value
