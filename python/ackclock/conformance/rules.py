"""Rules and deviations, as they are written in ``conformance/``."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ackclock.errors import InputError

LEVELS = (
    "MUST",
    "MUST NOT",
    "REQUIRED",
    "SHOULD",
    "SHOULD NOT",
    "RECOMMENDED",
    "NOT RECOMMENDED",
    "MAY",
    "OPTIONAL",
    "states",
)
"""RFC 2119's words, and "states" for what an RFC says without one of them."""
_ALL = "all"
_NAME = re.compile(r"rfc(\d+)\.toml")
_RULE = {"id", "section", "level", "text", "scripts", "flavors", "set", "why_no_script"}
_DEVIATION = {"rule", "flavors", "set", "scripts", "reason"}


@dataclass(frozen=True)
class Rule:
    """A rule of an RFC.

    Attributes:
        id: number of the RFC, section, and a letter or the RFC's own label: "5681-3.1-a",
            "9293-3.1-must-1".
        section: of the RFC.
        level: one of `LEVELS`.
        text: the rule in one sentence.
        scripts: that check it, relative to ``conformance/scripts``.
        flavors: that it applies to, in the order of the table of flavors.
        sets: ``--set`` options under which it is checked.
        why_no_script: why it has none; empty if it has.
        place: file and line, for messages.
    """

    id: str
    section: str
    level: str
    text: str
    scripts: tuple[str, ...]
    flavors: tuple[str, ...]
    sets: tuple[str, ...]
    why_no_script: str
    place: str


@dataclass(frozen=True)
class Document:
    """The rules of an RFC.

    Attributes:
        number: of the RFC.
        title: of the RFC.
        note: what is to be said about all of them; often empty.
        rules: in the order of the file.
    """

    number: int
    title: str
    note: str
    rules: tuple[Rule, ...]


@dataclass(frozen=True)
class Deviation:
    """Rules that some flavors break on purpose.

    Attributes:
        number: from 1, in the order of the file.
        rules: their ids.
        flavors: that break them; none: all to which a rule applies.
        sets: ``--set`` options that are needed besides the rule's; none: it is so as it comes.
        scripts: of a rule that fail; none: all of them.
        reason: a sentence or more.
        place: file and line, for messages.
    """

    number: int
    rules: tuple[str, ...]
    flavors: tuple[str, ...]
    sets: tuple[str, ...]
    scripts: tuple[str, ...]
    reason: str
    place: str

    def covers(self, rule: Rule, script: str, flavor: str) -> bool:
        """Whether this script is to fail for this rule and this flavor."""
        return (
            rule.id in self.rules
            and (not self.flavors or flavor in self.flavors)
            and (not self.scripts or script in self.scripts)
        )


@dataclass(frozen=True)
class Suite:
    """All that is in ``conformance/``.

    Attributes:
        folder: where it is.
        flavors: names, in the order of the table of flavors.
        documents: in the order of their numbers.
        deviations: in the order of their file.
    """

    folder: Path
    flavors: tuple[str, ...]
    documents: tuple[Document, ...]
    deviations: tuple[Deviation, ...]

    def rules(self) -> Iterator[Rule]:
        """Every rule."""
        for document in self.documents:
            yield from document.rules

    def script(self, name: str) -> Path:
        """The file of a script."""
        return self.folder / "scripts" / name

    def with_rules(self, ids: Collection[str]) -> Suite:
        """The suite with these rules alone."""
        documents = [
            replace(each, rules=tuple(rule for rule in each.rules if rule.id in ids))
            for each in self.documents
        ]
        return replace(self, documents=tuple(each for each in documents if each.rules))


class _Table:
    """A table of a file, with messages that name its place."""

    def __init__(self, place: str, values: Mapping[str, Any], problems: list[str]) -> None:
        self.place = place
        self.values = values
        self.problems = problems

    def wrong(self, problem: str) -> None:
        self.problems.append(f"{self.place}: {problem}")

    def only(self, known: set[str]) -> None:
        for key in sorted(self.values.keys() - known):
            self.wrong(f"{key}: there is no such key; choose from {', '.join(sorted(known))}")

    def text(self, key: str, example: str, needed: bool = True) -> str:
        value = self.values.get(key, "")
        if not isinstance(value, str) or (needed and not value.strip()):
            self.wrong(f"{key}: is {value!r}; write a text, for example {key} = {example!r}")
            return ""
        return " ".join(value.split())

    def texts(self, key: str, example: str) -> tuple[str, ...]:
        value = self.values.get(key, [])
        value = [value] if isinstance(value, str) else value
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            self.wrong(f"{key}: is {value!r}; write a list of texts, for example {key} = {example}")
            return ()
        for each, times in Counter(value).items():
            if times > 1:
                self.wrong(f"{key}: {each!r} is listed {times} times; list it once")
        return tuple(value)

    def flavors(self, known: Sequence[str]) -> tuple[str, ...]:
        if self.values.get("flavors", _ALL) == _ALL:
            return tuple(known)
        asked = self.texts("flavors", '["reno"]')
        for name in asked:
            if name not in known:
                self.wrong(f"flavors: there is no flavor {name!r}; choose from {', '.join(known)}")
        return tuple(name for name in known if name in asked)


def read(folder: Path, flavors: Sequence[str]) -> Suite:
    """The rules, deviations and scripts in a folder.

    Args:
        folder: with ``rules/*.toml``, ``scripts/`` and ``deviations.toml``.
        flavors: names of all flavors, in the order of their table.

    Raises:
        InputError: something is wrong with them; one message a problem.
    """
    problems: list[str] = []
    files = sorted((folder / "rules").glob("*.toml"))
    if not files:
        raise InputError(f"{folder}: has no rules/*.toml; name the folder conformance")
    documents = [_document(path, flavors, problems) for path in files]
    documents.sort(key=lambda document: document.number)
    path = folder / "deviations.toml"
    deviations = _deviations(path, flavors, problems) if path.exists() else []
    suite = Suite(folder, tuple(flavors), tuple(documents), tuple(deviations))
    problems += _together(suite)
    if not any(rule.scripts for rule in suite.rules()):
        problems.append(f"{folder}: no rule has a script; docs/howto/add-a-rule.md shows one")
    if problems:
        raise InputError(problems)
    return suite


def _tables(path: Path, name: str, problems: list[str]) -> tuple[dict[str, Any], list[_Table]]:
    """What a file says, and its tables of this name."""
    text = path.read_text(encoding="utf-8")
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        problems.append(f"{path}: is not TOML: {error}; write tables that begin with [[{name}]]")
        return {}, []
    heads = [n for n, line in enumerate(text.splitlines(), 1) if line.strip() == f"[[{name}]]"]
    tables = values.pop(name, [])
    places = [f"{path}:{line}" for line in heads] if len(heads) == len(tables) else []
    return values, [
        _Table(place, table, problems)
        for place, table in zip(places or [str(path)] * len(tables), tables, strict=True)
    ]


def _document(path: Path, flavors: Sequence[str], problems: list[str]) -> Document:
    match = _NAME.fullmatch(path.name)
    if match is None:
        problems.append(f"{path}: is not named after an RFC, as rfc5681.toml is")
    number = int(match[1]) if match else 0
    values, tables = _tables(path, "rule", problems)
    head = _Table(str(path), values, problems)
    head.only({"title", "note"})
    title = head.text("title", "TCP Congestion Control")
    note = head.text("note", "All with the fine timers.", needed=False)
    rules = tuple(_rule(table, number, flavors) for table in tables)
    return Document(number, title, note, rules)


def _rule(table: _Table, number: int, flavors: Sequence[str]) -> Rule:
    table.only(_RULE)
    name = table.text("id", f"{number}-3.1-a")
    section = table.text("section", "3.1")
    if not re.fullmatch(rf"{number}-[\w.]+-[a-z][a-z0-9-]*", name):
        table.wrong(f"id: is {name!r}; write RFC-section-letter, for example {number}-3.1-a")
    level = table.text("level", "MUST")
    if level and level not in LEVELS:
        table.wrong(f"level: is {level!r}; write one of {', '.join(LEVELS)}")
    scripts = tuple(map(_script, table.texts("scripts", '["rfc5681/idle-restart.pkt"]')))
    why = table.text("why_no_script", "It is not seen on the wire.", needed=False)
    if bool(scripts) == bool(why):
        table.wrong("a rule has either scripts or a why_no_script")
    text = table.text("text", "The initial window is ...")
    sets = table.texts("set", '["tcp.initial_window=1"]')
    applies = table.flavors(flavors)
    if not applies:
        table.wrong('flavors: is empty; write flavors = "all", or a list of names')
    return Rule(name, section, level, text, scripts, applies, sets, why, table.place)


def _script(name: str) -> str:
    return name.removeprefix("conformance/").removeprefix("scripts/")


def _deviations(path: Path, flavors: Sequence[str], problems: list[str]) -> list[Deviation]:
    values, tables = _tables(path, "deviation", problems)
    _Table(str(path), values, problems).only(set())
    found = []
    for number, table in enumerate(tables, 1):
        table.only(_DEVIATION)
        rules = table.texts("rule", '["5681-3.2-c"]')
        if not rules:
            table.wrong('rule: is missing; write for example rule = "5681-3.2-c"')
        named = () if table.values.get("flavors", _ALL) == _ALL else table.flavors(flavors)
        sets = table.texts("set", '["tcp.ssthresh_from=cwnd"]')
        scripts = tuple(map(_script, table.texts("scripts", '["rfc5681/idle-restart.pkt"]')))
        reason = table.text("reason", "It has no fast retransmit.")
        found.append(Deviation(number, rules, named, sets, scripts, reason, table.place))
    return found


def _together(suite: Suite) -> Iterator[str]:
    """What is wrong between the files."""
    rules = {}
    for rule in suite.rules():
        if rule.id in rules:
            yield f"{rule.place}: id: {rule.id} is also in {rules[rule.id].place}; ids are unique"
        rules[rule.id] = rule
        for script in rule.scripts:
            if not suite.script(script).is_file():
                yield f"{rule.place}: scripts: there is no {suite.script(script)}"
    named = {script for rule in rules.values() for script in rule.scripts}
    for path in sorted((suite.folder / "scripts").glob("**/*.pkt")):
        if path.relative_to(suite.folder / "scripts").as_posix() not in named:
            yield f"{path}: no rule names this script; name it in a rule, or delete it"
    for deviation in suite.deviations:
        for name in deviation.rules:
            if name not in rules:
                yield f"{deviation.place}: rule: there is no rule {name}"
                continue
            for flavor in deviation.flavors:
                if flavor not in rules[name].flavors:
                    yield f"{deviation.place}: flavors: {name} does not apply to {flavor}"
        its = [rules[name].scripts for name in deviation.rules if name in rules]
        for script in deviation.scripts:
            if not any(script in scripts for scripts in its):
                yield f"{deviation.place}: scripts: none of its rules names {script}"
