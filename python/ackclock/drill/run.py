"""Run a script file: first the core, then the code blocks."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ackclock import _core
from ackclock.drill import code_blocks
from ackclock.drill.subject import Subject
from ackclock.errors import InputError

_DEEPEST = 4
_LONGEST = 1_000_000
_BACK_QUOTED = re.compile(r"`((?:\\.|[^`\\])*)`", re.DOTALL)
_SHELL_FILE = re.compile(r"[\w.+/-]+\.sh\b")


class Failure(NamedTuple):
    """The first deviation from the script.

    Attributes:
        line, column: position in the script, from 1.
        event: number of the event, from 0.
        us: virtual time of the failure, microseconds.
        message: description of the failure.
        expected: expected event in the script; may be empty.
        came: actual event, with its time in microseconds (``us``) and its ``text``.
    """

    line: int
    column: int
    event: int
    us: int
    message: str
    expected: str = ""
    came: Mapping[str, Any] | None = None


class Outcome(NamedTuple):
    """The outcome of a script.

    Attributes:
        file: path of the script.
        lines: lines of the script.
        failure: first failure; none if the script succeeded.
        events: number of completed events.
        us: virtual time at the end, microseconds.
        left: segments after the last expected one; packetdrill does not check these.
        printed: output of the code blocks, as (time in microseconds, text).
        trace: the exchange, each line with ``us``, ``kind`` and ``text``.
        applied, not_applied: effects of shell lines, and unsupported lines; each with ``line``,
            ``column``, ``text`` and ``reason``.
    """

    file: Path
    lines: list[str]
    failure: Failure | None
    events: int
    us: int
    left: list[Mapping[str, Any]]
    printed: list[tuple[int, str]]
    trace: list[Mapping[str, Any]]
    applied: list[Mapping[str, Any]]
    not_applied: list[Mapping[str, Any]]


def run_script(
    file: Path,
    subject: Subject,
    *,
    check_psh: bool = False,
    check_left: bool = False,
    tolerance_us: int | None = None,
) -> Outcome:
    """Run a script.

    Args:
        file: a script in packetdrill's language.
        subject: TCP under test.
        check_psh: whether to compare the flag PSH.
        check_left: whether segments after the last expected one are a failure.
        tolerance_us: tolerance of times, microseconds, if the script sets none; packetdrill's 4000
            by default.

    Raises:
        InputError: the file cannot be read, or contains an unsupported element; each message has
            the file, the line and the column.
    """
    text = _text(file)
    setup = {
        "tcp": subject.tcp,
        "kept": subject.kept,
        "tick_ps": subject.tick_ps,
        "check_psh": check_psh,
        "check_left": check_left,
        "tolerance_us": tolerance_us,
        "files": _shell_files(text, file.parent),
    }
    try:
        answer = json.loads(_core.drill(text, json.dumps(setup)))
    except ValueError as error:
        raise InputError(f"{file}: {error}") from None
    lines = text.splitlines()
    problems = [(each["line"], each["column"], each["message"]) for each in answer["problems"]]
    problems += _code_problems(answer, lines)
    if problems:
        raise InputError(
            f"{file}:{line}:{column}: {said}" for line, column, said in sorted(problems)
        )
    return _outcome(file, lines, answer["report"])


def _text(file: Path) -> str:
    try:
        text = _read(file)
    except UnicodeDecodeError as error:
        raise InputError(f"{file}: is not a text: byte {error.start} is not UTF-8") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{file}: cannot be read: {reason}") from None
    if len(text) > _LONGEST:
        raise InputError(f"{file}: is longer than {_LONGEST} characters, the maximum for a script")
    return text


def _read(path: Path) -> str:
    """Read a file; of a file that is too long, only the beginning."""
    with path.open(encoding="utf-8") as file:
        return file.read(_LONGEST + 1)


def _shell_files(text: str, folder: Path) -> dict[str, str]:
    """Return the contents of the shell files that a script names and that exist, by name."""
    found: dict[str, str] = {}
    texts = [match[1] for match in _BACK_QUOTED.finditer(text)]
    for _ in range(_DEEPEST):
        names = {name for each in texts for name in _SHELL_FILE.findall(each)} - set(found)
        texts = []
        for name in sorted(names):
            try:
                texts.append(_read(folder / name))
            except (OSError, UnicodeDecodeError):
                continue
            found[name] = texts[-1]
    return found


def _code_problems(answer: Mapping[str, Any], lines: list[str]) -> list[tuple[int, int, str]]:
    """Return the errors in code blocks, with lines and columns of the script."""
    known = set(answer["names"])
    problems = []
    for block in answer["code"]:
        for line, column, message in code_blocks.read(block["text"], known, answer["names"]):
            problems.append((*_place(block, line, column, lines), message))
    return problems


def _place(block: Mapping[str, Any], line: int, column: int, lines: list[str]) -> tuple[int, int]:
    """Convert a position in a block to the script; leading blanks of its lines do not count."""
    number = block["line"] + line
    if number > len(lines):
        return block["line"], block["column"]
    written = lines[number - 1]
    start = block["column"] + 1 if line == 0 else 0
    blanks = len(written[start:]) - len(written[start:].lstrip())
    return number, start + blanks + column + 1


def _outcome(file: Path, lines: list[str], report: Mapping[str, Any]) -> Outcome:
    failure = None if report["failure"] is None else Failure(**report["failure"])
    printed: list[tuple[int, str]] = []
    variables: dict[str, Any] = {}
    for block in report["blocks"]:
        try:
            texts = code_blocks.evaluate(block["code"], block["values"], variables)
        except code_blocks.FailedError as error:
            line, column = _place(block, error.line, 0, lines)
            failure = Failure(line, column, block["event"], block["us"], str(error))
            break
        printed += [(block["us"], text) for text in texts]
    return Outcome(
        file,
        lines,
        failure,
        report["events"] if failure is None else failure.event,
        report["us"],
        report["left"],
        printed,
        report["trace"],
        report["applied"],
        report["not_applied"],
    )
