"""What is wrong with a congestion control in a Python file, as far as its text shows.

Nothing is executed: ``ackclock check`` may read files of people whom you do not trust.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ackclock.scenario.files import FileError
from ackclock.suggestions import nearest
from ackclock.syntax_trees import syntax_tree

_NEEDED = {
    "__init__": "(self, flow)",
    "on_ack": "(self, sample)",
    "on_congestion": "(self, cause)",
}
_OPTIONAL = {"save": "(self)", "on_spurious": "(self, cause)", "on_unlimited": "(self, now)"}
METHODS = {**_NEEDED, **_OPTIONAL}
"""The methods that a run calls, and their parameters."""
_MEANT = {
    "on_loss": "on_congestion",
    "on_rto": "on_congestion",
    "on_ecn": "on_congestion",
    "on_timeout": "on_congestion",
}
_EXAMPLE = "class MyControl:"
_Function = ast.FunctionDef | ast.AsyncFunctionDef


class PythonFile:
    """The classes of a file.

    Attributes:
        name: of the file.
        text: its content.
    """

    def __init__(self, name: str, text: str) -> None:
        """Read the text.

        Raises:
            FileError: it is not Python.
        """
        self.name, self.text = name, text
        try:
            tree = syntax_tree(text, name)
        except SyntaxError as error:
            line = f", line {error.lineno}" if error.lineno else ""
            raise FileError([f"{name}{line}: is not Python ({error.msg}); correct it"]) from error
        except (ValueError, RecursionError, MemoryError) as error:
            raise FileError([f"{name}: is not Python ({error}); correct it"]) from error
        self._classes = {each.name: each for each in tree.body if isinstance(each, ast.ClassDef)}
        self._others = {
            alias.asname or alias.name.partition(".")[0]
            for each in tree.body
            if isinstance(each, ast.Import | ast.ImportFrom)
            for alias in each.names
        } | {
            target.id
            for each in tree.body
            if isinstance(each, ast.Assign)
            for target in each.targets
            if isinstance(target, ast.Name)
        }

    def check(self, name: str) -> None:
        """Go on if a class can be a congestion control.

        Raises:
            FileError: it cannot.
        """
        if name not in self._classes and name not in self._others:
            known = list(self._classes)
            close = nearest(name, known)
            if close:
                hint = f"did you mean {close}?"
            elif known:
                hint = f"its classes are {', '.join(known)}"
            else:
                hint = f"write {_EXAMPLE}"
            raise FileError([f"{self.name} has no class {name}; {hint}"])
        if reasons := list(self._problems(name)):
            raise FileError(reasons)

    def _problems(self, name: str) -> Iterator[str]:
        methods, is_complete = self._methods(name)
        if name not in self._classes:
            return
        line = self._classes[name].lineno
        for method, parameters in _NEEDED.items():
            if method not in methods and is_complete:
                form = f"def {method}{parameters}:"
                yield f"{self.name}, line {line}: {name} has no method {method}; write {form}"
        for method, function in methods.items():
            where = f"{self.name}, line {function.lineno}: {name}.{method}"
            if method in METHODS:
                if not _takes(function, METHODS[method].count(",") + 1):
                    yield f"{where}: has other parameters; write def {method}{METHODS[method]}:"
            elif method.startswith("on_"):
                close = _MEANT.get(method) or nearest(method, list(METHODS))
                meant = f"did you mean {close}?" if close else f"methods are {', '.join(METHODS)}"
                yield f"{where}: no run calls this method; {meant}"

    def _methods(self, name: str) -> tuple[dict[str, _Function], bool]:
        """The methods of a class and of its bases, and whether all of its bases are known."""
        found: dict[str, _Function] = {}
        is_complete, waiting, seen = True, [name], set()
        while waiting:
            each = self._classes.get(waiting.pop(0))
            if each is None or each.name in seen:
                is_complete = is_complete and each is not None
                continue
            seen.add(each.name)
            for statement in each.body:
                if isinstance(statement, _Function):
                    found.setdefault(statement.name, statement)
                elif isinstance(statement, ast.Assign | ast.AnnAssign):
                    is_complete = is_complete and not _is_method(statement)
            bases = [base.id if isinstance(base, ast.Name) else "" for base in each.bases]
            waiting += [base for base in bases if base != "object"]
            is_complete = is_complete and not each.keywords and not each.decorator_list
        return found, is_complete


def _is_method(statement: ast.Assign | ast.AnnAssign) -> bool:
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return any(isinstance(each, ast.Name) and each.id in METHODS for each in targets)


def _takes(function: _Function, number: int) -> bool:
    """Whether a function can be called with so many positional arguments."""
    if isinstance(function, ast.AsyncFunctionDef):
        return False
    if function.decorator_list:
        return True
    its = function.args
    most = len(its.posonlyargs) + len(its.args)
    required_names = any(default is None for default in its.kw_defaults)
    fits = most - len(its.defaults) <= number and (number <= most or its.vararg is not None)
    return fits and not required_names
