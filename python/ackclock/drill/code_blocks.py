"""Code blocks ``%{ ... }%`` of a script: a small, isolated subset of Python.

A block may use assert, print, assignments and ``if``. It can use numbers, texts, the supported
names of ``tcp_info`` and variables of earlier blocks. It cannot use attributes, subscripts, loops,
or functions other than the few below.
"""

from __future__ import annotations

import ast
import inspect
import operator
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ackclock.drill.length_limits import bounded, check_widths
from ackclock.scenario.expression import ARITHMETIC, ORDER
from ackclock.syntax_trees import syntax_tree
from ackclock.untrusted_text import shortened

CONSTANTS: Mapping[str, int] = {
    "TCP_CA_Open": 0,
    "TCP_CA_Disorder": 1,
    "TCP_CA_CWR": 2,
    "TCP_CA_Recovery": 3,
    "TCP_CA_Loss": 4,
    "TCP_ESTABLISHED": 1,
    "TCP_SYN_SENT": 2,
    "TCP_SYN_RECV": 3,
    "TCP_FIN_WAIT1": 4,
    "TCP_FIN_WAIT2": 5,
    "TCP_TIME_WAIT": 6,
    "TCP_CLOSE": 7,
    "TCP_CLOSE_WAIT": 8,
    "TCP_LAST_ACK": 9,
    "TCP_LISTEN": 10,
    "TCP_CLOSING": 11,
    "TCPI_OPT_TIMESTAMPS": 1,
    "TCPI_OPT_SACK": 2,
    "TCPI_OPT_WSCALE": 4,
    "TCPI_OPT_ECN": 8,
    "TCP_INFINITE_SSTHRESH": 0x7FFFFFFF,
}
FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "abs": abs,
    "bool": bool,
    "float": float,
    "int": int,
    "max": max,
    "min": min,
    "round": round,
    "str": str,
}
_OPERATORS: Mapping[type[ast.AST], Callable[..., Any]] = {
    **ARITHMETIC,
    **ORDER,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.RShift: operator.rshift,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}
_ALLOWED = (
    *_OPERATORS,
    ast.And,
    ast.Assert,
    ast.Assign,
    ast.AugAssign,
    ast.BinOp,
    ast.BoolOp,
    ast.Call,
    ast.Compare,
    ast.Constant,
    ast.Expr,
    ast.If,
    ast.IfExp,
    ast.List,
    ast.Load,
    ast.Module,
    ast.Name,
    ast.Or,
    ast.Pass,
    ast.Store,
    ast.Tuple,
    ast.UnaryOp,
)
_LONGEST_QUOTE = 400
"""Largest number of characters of an assertion in a message."""
_DEEPEST = 64
"""Largest nesting depth of expressions and statements."""
_MOST_DIGITS = 1000
"""Largest number of digits for rounding, before or after the point."""
_LONG_NUMBER = re.compile(rf"[0-9][0-9_]{{{_MOST_DIGITS},}}")
"""Matches a number that Python may refuse to read, with an error message about Python."""


class CodeProblem(NamedTuple):
    """An element that a block must not contain.

    Attributes:
        line: line in the block, from 0.
        column: column in the line, from 0.
        message: description of the error.
    """

    line: int
    column: int
    message: str


class FailedError(Exception):
    """An assertion fails, or a value cannot be computed.

    Attributes:
        line: line in the block, from 0.
    """

    def __init__(self, line: int, message: str) -> None:
        """Create the error from its line and message."""
        super().__init__(message)
        self.line = line


def read(text: str, known: set[str], all_names: Sequence[str]) -> list[CodeProblem]:
    """Return the errors in a block.

    Args:
        text: text of the block.
        known: names that the block can use; its assigned names are added.
        all_names: supported names of ``tcp_info``.
    """
    try:
        tree = _tree(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line, column = getattr(error, "lineno", 1) or 1, getattr(error, "offset", 1) or 1
        reason = f"not readable as Python: {getattr(error, 'msg', None) or error}"
        if _LONG_NUMBER.search(text):
            reason = f"a number has more than {_MOST_DIGITS} digits"
        return [CodeProblem(line - 1, max(0, column - 1), reason)]
    problems = list(_too_deep(tree))
    if problems:
        return problems
    _find_problems(tree, known, all_names, problems)
    return problems


def _too_deep(tree: ast.Module) -> Iterator[CodeProblem]:
    """Yield an error for the first node that is nested too deeply."""
    inside: list[tuple[ast.AST, int]] = [(tree, 0)]
    while inside:
        node, depth = inside.pop()
        if depth > _DEEPEST and hasattr(node, "lineno"):
            message = f"is nested more than {_DEEPEST} deep; give names to its parts"
            yield CodeProblem(node.lineno - 1, node.col_offset, message)
            return
        inside += [(child, depth + 1) for child in ast.iter_child_nodes(node)]


def _find_problems(
    node: ast.AST, known: set[str], all_names: Sequence[str], problems: list[CodeProblem]
) -> None:
    """Add the errors of a node to ``problems``; the inside of a wrong node is not checked."""
    message = _wrong(node, known, all_names)
    if message is not None:
        line = getattr(node, "lineno", 1) - 1
        problems.append(CodeProblem(line, getattr(node, "col_offset", 0), message))
        return
    children = list(ast.iter_child_nodes(node))
    if isinstance(node, ast.Assign):
        # The value is checked before its name is known.
        children.sort(key=lambda child: child is not node.value)
    for child in children:
        _find_problems(child, known, all_names, problems)
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        known.add(node.id)


def _tree(text: str) -> ast.Module:
    """Parse a block; the indentation of its first line may differ from that of the others."""
    # A backslash at the end joins the last line with an empty one, as packetdrill's Python does.
    text = f"{text}\n\n"
    try:
        return syntax_tree(textwrap.dedent(text))
    except SyntaxError:
        return syntax_tree(f"{inspect.cleandoc(text)}\n\n")


def _wrong(node: ast.AST, known: set[str], all_names: Sequence[str]) -> str | None:
    if not isinstance(node, _ALLOWED) or not all(type(op) in _OPERATORS for op in _ops(node)):
        return f"{_name_of(node)} is not supported in a code block"
    if isinstance(node, ast.Call):
        callable_ = isinstance(node.func, ast.Name) and node.func.id in {*FUNCTIONS, "print"}
        if not callable_ or node.keywords:
            allowed = ", ".join([*FUNCTIONS, "print"])
            return f"{_name_of(node)} is not supported in a code block; the functions are {allowed}"
    if isinstance(node, ast.Constant) and not isinstance(node.value, int | float | str | None):
        return f"{_name_of(node)} is not supported in a code block"
    if isinstance(node, ast.Assign | ast.AugAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if not all(isinstance(target, ast.Name) for target in targets):
            return "only a name can be assigned to in a code block"
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        if node.id in known or node.id in CONSTANTS or node.id in FUNCTIONS or node.id == "print":
            return None
        if node.id.startswith("tcpi_"):
            return f"{node.id} has no meaning here; choose from {', '.join(all_names)}"
        return f"{node.id} is not known here, and no earlier block assigns it"
    return None


def _ops(node: ast.AST) -> list[ast.AST]:
    """Return the operators of a node that computes a value."""
    if isinstance(node, ast.Compare):
        return list(node.ops)
    return [node.op] if isinstance(node, ast.BinOp | ast.UnaryOp | ast.AugAssign) else []


def _name_of(node: ast.AST) -> str:
    try:
        return f"`{shortened(ast.unparse(node).splitlines()[0])}`"
    except (AttributeError, IndexError, ValueError):
        return f"`{type(node).__name__}`"


def evaluate(text: str, values: Mapping[str, Any], variables: dict[str, Any]) -> list[str]:
    """Run a block in which ``read`` has found no error.

    Args:
        text: of the block.
        values: values of the names of ``tcp_info``.
        variables: variables of earlier blocks; this block changes them.

    Returns:
        The printed texts, one per ``print``.

    Raises:
        FailedError: an assertion fails, or a value cannot be computed.
    """
    run = _Run(values, variables)
    run.statements(_tree(text).body)
    return run.printed


class _Run:
    def __init__(self, values: Mapping[str, Any], variables: dict[str, Any]) -> None:
        self.values = values
        self.variables = variables
        self.printed: list[str] = []

    def statements(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            try:
                self.statement(statement)
            except (ArithmeticError, TypeError, ValueError, KeyError, RecursionError) as error:
                said = shortened(ast.unparse(statement).splitlines()[0])
                message = f"cannot be computed: {said}: {shortened(str(error))}"
                raise FailedError(statement.lineno - 1, message) from None

    def statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Assert):
            if not self.value(node.test):
                raise FailedError(node.lineno - 1, self.why(node))
        elif isinstance(node, ast.Assign):
            value = self.value(node.value)
            for target in node.targets:
                assert isinstance(target, ast.Name)
                self.variables[target.id] = value
        elif isinstance(node, ast.AugAssign):
            assert isinstance(node.target, ast.Name)
            old = self.name(node.target.id)
            self.variables[node.target.id] = _apply(node.op, old, self.value(node.value))
        elif isinstance(node, ast.If):
            self.statements(node.body if self.value(node.test) else node.orelse)
        elif isinstance(node, ast.Expr):
            self.value(node.value)

    def why(self, node: ast.Assert) -> str:
        said = shortened(ast.unparse(node.test), _LONGEST_QUOTE)
        names = {each.id for each in ast.walk(node.test) if isinstance(each, ast.Name)}
        known = sorted(name for name in names if name in self.values or name in self.variables)
        found = ", ".join(f"{name} is {shortened(repr(self.name(name)))}" for name in known)
        message = f"does not hold: {said}" + (f"; {found}" if found else "")
        if node.msg is not None and not (isinstance(node.msg, ast.Name) and node.msg.id in known):
            message += f" ({shortened(str(self.value(node.msg)), _LONGEST_QUOTE)})"
        return message

    def name(self, name: str) -> Any:
        for place in (self.variables, self.values, CONSTANTS):
            if name in place:
                return place[name]
        raise KeyError(f"{name} has no value yet")

    def value(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return self.name(node.id)
        if isinstance(node, ast.BinOp):
            return _apply(node.op, self.value(node.left), self.value(node.right))
        if isinstance(node, ast.UnaryOp):
            return _apply(node.op, self.value(node.operand))
        if isinstance(node, ast.BoolOp):
            return self.junction(node)
        if isinstance(node, ast.Compare):
            return self.comparison(node)
        if isinstance(node, ast.IfExp):
            return self.value(node.body if self.value(node.test) else node.orelse)
        if isinstance(node, ast.Tuple | ast.List):
            return bounded(tuple(self.value(each) for each in node.elts))
        assert isinstance(node, ast.Call)
        return self.call(node)

    def junction(self, node: ast.BoolOp) -> Any:
        ends_with = isinstance(node.op, ast.Or)
        value: Any = None
        for each in node.values:
            value = self.value(each)
            if bool(value) is ends_with:
                break
        return value

    def comparison(self, node: ast.Compare) -> bool:
        left = self.value(node.left)
        for op, comparator in zip(node.ops, node.comparators, strict=True):
            right = self.value(comparator)
            if not _apply(op, left, right):
                return False
            left = right
        return True

    def call(self, node: ast.Call) -> Any:
        assert isinstance(node.func, ast.Name)
        arguments = [self.value(each) for each in node.args]
        if node.func.id == "print":
            self.printed.append(" ".join(str(each) for each in arguments))
            return None
        if node.func.id == "round" and any(abs(each) > _MOST_DIGITS for each in arguments[1:]):
            raise ValueError(f"a number can be rounded to at most {_MOST_DIGITS} digits")
        return bounded(FUNCTIONS[node.func.id](*arguments))


def _apply(op: ast.AST, *operands: Any) -> Any:
    if isinstance(op, ast.Mult) and not all(isinstance(each, int | float) for each in operands):
        raise TypeError("only numbers can be multiplied")
    if isinstance(op, ast.Mod) and isinstance(operands[0], str):
        check_widths(*operands)
    return bounded(_OPERATORS[type(op)](*operands))
