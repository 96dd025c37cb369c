"""Expressions: ``= k * topology.bottleneck.delay``, exact, over a few operations.

A number is a ``Fraction``. What would have infinitely many digits (a root, a logarithm) is rounded
to 40 of them, the same on every machine. A text that is a quantity, such as "10 ms", counts as its
number wherever a number is wanted.
"""

from __future__ import annotations

import ast
import math
import operator
import warnings
from collections.abc import Callable, Iterable
from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import Any

from ackclock.scenario.values.kind import shown
from ackclock.scenario.values.quantities import parse_any
from ackclock.syntax_trees import syntax_tree
from ackclock.untrusted_text import shortened

Value = Fraction | str | bool | list[Any]
Resolve = Callable[[tuple[str | int, ...]], Value]
_LONGEST = 1000
_MOST_BITS = 2000
MOST_VALUES = 10_000
"""Of a list, those of the lists in it counted."""
_MOST_CHARACTERS = 100_000
_DEEPEST = 16
_STEPS_OF_A_LOGARITHM = 100
_MOST_BRACKETS = 100
"""In each other; Python's reader gives up at 200."""
_TOO_DEEP = "is nested too deeply; use [variables] for parts"
_REAL = Context(prec=40)
FUNCTIONS = ("min", "max", "round", "floor", "ceil", "abs", "log2")
WORDS = {"true": True, "false": False}


class ExpressionError(ValueError):
    """An expression that has no value; the message says why."""


def is_expression(value: Any) -> bool:
    """Whether a value of a file is an expression."""
    return isinstance(value, str) and value.startswith("=")


def evaluate(text: str, resolve: Resolve) -> Value:
    """The value of an expression.

    Args:
        text: with its "=".
        resolve: the value of a name or a dotted key, given as its parts; it raises
            ``ExpressionError`` if there is none.

    Raises:
        ExpressionError: it is not an expression, or has no value.
    """
    try:
        return _Evaluation(resolve).value(_parsed(text))
    except RecursionError:
        raise ExpressionError(_TOO_DEEP) from None


@lru_cache(maxsize=1024)
def steps(text: str) -> int:
    """How much work an expression is: its numbers, names and operations.

    Raises:
        ExpressionError: it is not an expression.
    """
    nodes = list(ast.walk(_parsed(text)))
    costly = sum(
        isinstance(node, ast.Pow) or (isinstance(node, ast.Name) and node.id == "log2")
        for node in nodes
    )
    return sum(isinstance(node, ast.expr) for node in nodes) + _STEPS_OF_A_LOGARITHM * costly


@lru_cache(maxsize=1024)
def _parsed(text: str) -> ast.expr:
    if len(text) > _LONGEST:
        raise ExpressionError(f"is longer than {_LONGEST} characters; use [variables] for parts")
    source = text.removeprefix("=").strip()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about Python, which the user does not write
            return syntax_tree(source, mode="eval").body
    except (RecursionError, MemoryError):
        raise ExpressionError(_TOO_DEEP) from None
    except (SyntaxError, ValueError):
        if _brackets(source) > _MOST_BRACKETS:
            raise ExpressionError(_TOO_DEEP) from None
        raise ExpressionError("is not an expression; write it like = 2 * k + 1") from None


def _brackets(source: str) -> int:
    """How deep brackets stand in each other."""
    return max(accumulate((sign in "([") - (sign in ")]") for sign in source), default=0)


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator == 1:
        size = max(base.numerator.bit_length(), base.denominator.bit_length())
        if size * abs(exponent) > _MOST_BITS:
            raise ExpressionError(f"{shown(base)} ** {shown(exponent)} is too large")
        return base ** int(exponent)
    if base < 0:
        raise ExpressionError(f"{shown(base)} ** {shown(exponent)} is not a real number")
    if base == 0 and exponent < 0:
        raise ZeroDivisionError
    logarithm = _REAL.ln(_decimal(base)) if base else Decimal(0)
    if abs(logarithm * _decimal(exponent)) > _MOST_BITS:
        raise ExpressionError(f"{shown(base)} ** {shown(exponent)} is too large")
    return Fraction(_REAL.power(_decimal(base), _decimal(exponent)))


def _decimal(number: Fraction) -> Decimal:
    return _REAL.divide(Decimal(number.numerator), Decimal(number.denominator))


def log2(number: Fraction) -> Fraction:
    """Binary logarithm, exact for powers of two.

    Raises:
        ExpressionError: the number is not above 0.
    """
    if number <= 0:
        raise ExpressionError(f"log2({_brief(number)}) is not a number: log2 takes numbers above 0")
    numerator, denominator = number.numerator, number.denominator
    if numerator & (numerator - 1) == 0 and denominator & (denominator - 1) == 0:
        return Fraction(numerator.bit_length() - denominator.bit_length())
    return Fraction(_REAL.divide(_REAL.ln(_decimal(number)), _REAL.ln(Decimal(2))))


ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_BINARY = {**ARITHMETIC, ast.Pow: _power}
ORDER: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


class _Evaluation:
    """One walk over an expression."""

    def __init__(self, resolve: Resolve) -> None:
        self.resolve = resolve

    def value(self, node: ast.expr) -> Value:
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            raise ExpressionError(
                f"{ast.unparse(node)} is not allowed in expressions; use numbers, names, "
                "+ - * / // % **, comparisons, a if c else b, [lists], list[0], list[0:2], "
                f"{', '.join(FUNCTIONS)}"
            )
        return method(node)

    def number(self, node: ast.expr) -> Fraction:
        return self._as_number(self.value(node), node)

    def truth(self, node: ast.expr) -> bool:
        value = self.value(node)
        if not isinstance(value, bool):
            raise ExpressionError(f"{ast.unparse(node)} is {_brief(value)}, not true or false")
        return value

    def _as_number(self, value: Value, node: ast.expr) -> Fraction:
        if isinstance(value, str) and (quantity := parse_any(value)):
            return quantity[1]
        if not isinstance(value, Fraction):
            raise ExpressionError(f"{ast.unparse(node)} is {_brief(value)}, not a number")
        return value

    def _constant(self, node: ast.Constant) -> Value:
        value = node.value
        if isinstance(value, bool | str):
            return value
        if isinstance(value, int):
            return _bounded(Fraction(value))
        if isinstance(value, float) and math.isfinite(value):
            return Fraction(repr(value))
        raise ExpressionError(f"{ast.unparse(node)} is not allowed in expressions; write a number")

    def _name(self, node: ast.Name) -> Value:
        return WORDS[node.id] if node.id in WORDS else self.resolve((node.id,))

    def _attribute(self, node: ast.Attribute) -> Value:
        path = _chain(node)
        if path is None:
            raise ExpressionError(f"{ast.unparse(node)} is not a key; write it like tcp.smss")
        return self.resolve(path)

    def _subscript(self, node: ast.Subscript) -> Value:
        path = _chain(node)
        if path is not None:
            return self.resolve(path)
        values = self.value(node.value)
        if not isinstance(values, list):
            raise ExpressionError(f"{ast.unparse(node.value)} is {_brief(values)}, not a list")
        if isinstance(node.slice, ast.Slice) and node.slice.step is None:
            return values[self._end(node.slice.lower) : self._end(node.slice.upper)]
        return element(values, self.number(node.slice), ast.unparse(node.value))

    def _end(self, node: ast.expr | None) -> int | None:
        """One end of a part of a list."""
        if node is None:
            return None
        number = self.number(node)
        if number.denominator != 1:
            raise ExpressionError(f"{ast.unparse(node)} is {_brief(number)}, not a whole number")
        return int(number)

    def _list(self, node: ast.List) -> list[Any]:
        values = [self.value(each) for each in node.elts]
        count(values)
        return values

    def _binop(self, node: ast.BinOp) -> Fraction:
        left, right = self.number(node.left), self.number(node.right)
        try:
            value = _BINARY[type(node.op)](left, right)
            return _bounded(value if isinstance(value, Fraction) else Fraction(value))
        except KeyError:
            raise ExpressionError(f"{ast.unparse(node)} is not allowed in expressions") from None
        except ZeroDivisionError:
            raise ExpressionError(f"{ast.unparse(node)} divides by zero") from None

    def _unaryop(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            return not self.truth(node.operand)
        number = self.number(node.operand)
        if isinstance(node.op, ast.Invert):
            raise ExpressionError(f"{ast.unparse(node)} is not allowed in expressions")
        return -number if isinstance(node.op, ast.USub) else number

    def _boolop(self, node: ast.BoolOp) -> bool:
        several = all if isinstance(node.op, ast.And) else any
        return several(self.truth(each) for each in node.values)

    def _ifexp(self, node: ast.IfExp) -> Value:
        return self.value(node.body if self.truth(node.test) else node.orelse)

    def _compare(self, node: ast.Compare) -> bool:
        values = [self.value(each) for each in [node.left, *node.comparators]]
        nodes = [node.left, *node.comparators]
        for at, relation in enumerate(node.ops):
            if not self._holds(relation, values[at : at + 2], nodes[at : at + 2]):
                return False
        return True

    def _holds(self, relation: ast.cmpop, values: list[Value], nodes: list[ast.expr]) -> bool:
        if isinstance(relation, ast.Eq | ast.NotEq):
            left, right = values
            if isinstance(left, Fraction) != isinstance(right, Fraction):
                # A quantity may be compared with a number, as it may be added to one.
                left, right = (_number_or_same(each) for each in values)
            return (left == right) == isinstance(relation, ast.Eq)
        if type(relation) not in ORDER:
            raise ExpressionError("in, not in, is and is not are not allowed in expressions")
        left, right = (self._as_number(*each) for each in zip(values, nodes, strict=True))
        return ORDER[type(relation)](left, right)

    def _call(self, node: ast.Call) -> Fraction:
        name = node.func.id if isinstance(node.func, ast.Name) else ast.unparse(node.func)
        if name not in FUNCTIONS or node.keywords:
            raise ExpressionError(f"{name}(...): the functions are {', '.join(FUNCTIONS)}")
        arguments = [self.value(each) for each in node.args]
        if name in ("min", "max"):
            return self._extreme(max if name == "max" else min, node, arguments)
        if len(arguments) != 1:
            raise ExpressionError(f"{name}(...) takes one number")
        number = self._as_number(arguments[0], node.args[0])
        if name == "log2":
            return log2(number)
        function = {"round": round, "floor": math.floor, "ceil": math.ceil, "abs": abs}[name]
        return Fraction(function(number))

    def _extreme(
        self, function: Callable[[Iterable[Any]], Any], node: ast.Call, arguments: list[Value]
    ) -> Fraction:
        if len(arguments) == 1 and isinstance(arguments[0], list):
            arguments = arguments[0]
        nodes = node.args if len(node.args) == len(arguments) else node.args[:1] * len(arguments)
        if not arguments:
            raise ExpressionError(f"{ast.unparse(node)} has no values")
        return function(self._as_number(*each) for each in zip(arguments, nodes, strict=True))


def element(values: list[Any], index: Fraction | int, name: str) -> Any:
    """An element of a list; negative numbers count from the end.

    Raises:
        ExpressionError: there is none of this number.
    """
    if Fraction(index).denominator != 1 or not -len(values) <= index < len(values):
        raise ExpressionError(
            f"{name} has no element [{shown(Fraction(index))}]; it has {len(values)}, from [0] on"
        )
    return values[int(index)]


def count(value: Value) -> int:
    """How many values a value is: the elements of lists are counted at every place.

    Raises:
        ExpressionError: they are too many, too deep in each other, or have too long texts.
    """
    if not isinstance(value, list):
        return 1
    values, characters = 1, 0
    inside: list[tuple[list[Any], int]] = [(value, 1)]
    while inside:
        each, depth = inside.pop()
        values += len(each)
        if values > MOST_VALUES:
            raise ExpressionError(f"gives more than {MOST_VALUES} values; write shorter lists")
        if depth > _DEEPEST:
            raise ExpressionError(f"gives lists nested more than {_DEEPEST} deep")
        characters += sum(len(inner) for inner in each if isinstance(inner, str))
        if characters > _MOST_CHARACTERS:
            raise ExpressionError(f"gives texts of more than {_MOST_CHARACTERS} characters")
        inside += [(inner, depth + 1) for inner in each if isinstance(inner, list)]
    return values


def _chain(node: ast.expr) -> tuple[str | int, ...] | None:
    """The parts of ``flows[0].tcp.smss``; none if it is something else."""
    if isinstance(node, ast.Name):
        return (node.id,)
    if isinstance(node, ast.Attribute):
        path = _chain(node.value)
        return None if path is None else (*path, node.attr)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        path, index = _chain(node.value), node.slice.value
        return None if path is None or type(index) is not int else (*path, index)
    return None


def _brief(value: Value) -> str:
    return shortened(shown(value))


def _number_or_same(value: Value) -> Value:
    quantity = parse_any(value) if isinstance(value, str) else None
    return quantity[1] if quantity else value


def _bounded(value: Fraction) -> Fraction:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > _MOST_BITS:
        raise ExpressionError("a number has more than 600 digits")
    return value
