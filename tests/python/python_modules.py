"""Which modules of ``ackclock`` are imported with a module, read off their files."""

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = "ackclock"


def imports(root: Path) -> dict[str, set[str]]:
    """Of each module, the modules of the package that are imported with it, directly.

    Imports in a function, and those for type checkers only, are left out. Whatever is imported of
    a package imports the package, too.

    Args:
        root: folder that has the package.
    """
    files = {_module(path.relative_to(root)): path for path in root.glob(f"{PACKAGE}/**/*.py")}
    return {
        module: {
            parent
            for name in _named(ast.parse(path.read_text(encoding="utf-8")).body)
            for parent in _with_parents(name)
            if parent in files and parent != module
        }
        for module, path in files.items()
    }


def chain(graph: dict[str, set[str]], module: str, wanted: str) -> list[str]:
    """The modules by which a module imports one of a package; none if it does not."""
    before: dict[str, str] = {}
    seen, at = {module}, [module]
    while at:
        user = at.pop(0)
        for used in sorted(graph[user] - seen):
            seen.add(used)
            before[used] = user
            if f"{used}.".startswith(f"{wanted}."):
                found = [used]
                while found[-1] != module:
                    found.append(before[found[-1]])
                return found[::-1]
            at.append(used)
    return []


def _module(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _named(body: list[ast.stmt]) -> Iterator[str]:
    for each in body:
        if isinstance(each, ast.Import):
            yield from (alias.name for alias in each.names)
        elif isinstance(each, ast.ImportFrom) and each.module:
            yield from (f"{each.module}.{alias.name}" for alias in each.names)
        elif isinstance(each, ast.If) and "TYPE_CHECKING" not in ast.unparse(each.test):
            yield from _named(each.body + each.orelse)
        elif isinstance(each, ast.Try | ast.With | ast.ClassDef):
            yield from _named(each.body)


def _with_parents(name: str) -> list[str]:
    """``a.b.c`` and the packages in which it is."""
    parts = name.split(".")
    return [".".join(parts[:end]) for end in range(1, len(parts) + 1)]
