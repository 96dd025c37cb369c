"""Which modules of a Rust crate use which, read off the `use` lines and paths of its files."""

import re
from collections.abc import Iterator
from pathlib import Path

Module = tuple[str, ...]


def uses(source: Path) -> dict[Module, set[Module]]:
    """Of each module under a `src`, the modules of the same crate that it names.

    A module is the names on its path, () for the root. What a module names of its own children is
    left out: it declares them. So are tests.
    """
    files = {
        _module(path.relative_to(source)): path
        for path in source.rglob("*.rs")
        if "tests" not in path.relative_to(source).with_suffix("").parts
    }
    return {module: set(_used(module, path, files)) for module, path in files.items()}


def _module(path: Path) -> Module:
    parts = path.with_suffix("").parts
    return parts[:-1] if parts[-1] in ("mod", "lib") else parts


def _used(module: Module, path: Path, files: dict[Module, Path]) -> Iterator[Module]:
    text = re.sub(r"//.*", "", path.read_text())
    text = re.split(r"#\[cfg\(test\)\]\s*mod tests \{", text)[0]
    for names in _paths(text):
        used = _target(module, names, files)
        if used[: len(module)] != module:
            yield used


def _paths(text: str) -> Iterator[list[str]]:
    statements = r"\buse ([^;]+);"
    for statement in re.findall(statements, text):
        yield from _branches([], statement)
    for path in re.findall(r"\b(?:crate|super)(?:::\w+)+", re.sub(statements, "", text)):
        yield path.split("::")


def _branches(stem: list[str], tree: str) -> Iterator[list[str]]:
    """The paths of what stands in a `use`: `a::{b, c::{d, e}}` has a::b, a::c::d, a::c::e."""
    for branch in re.findall(r"(?:[^,{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})+", tree):
        names, brace, inner = branch.strip().partition("{")
        path = stem + [each for each in names.split(" as ")[0].strip().split("::") if each]
        if brace:
            yield from _branches(path, inner.rpartition("}")[0])
        elif path:
            yield path


def _target(module: Module, path: list[str], files: dict[Module, Path]) -> Module:
    """The module that a path leads into; the given one if it leads out of the crate."""
    base, names = module, list(path)
    if names[0] == "crate":
        base, names = (), names[1:]
    while names and names[0] in ("super", "self"):
        base = base[:-1] if names.pop(0) == "super" else base
    if base == module:
        return module
    target = (*base, *names)
    while target not in files:
        target = target[:-1]
    return target
