"""The result of a script, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ackclock.drill.run import Failure, Outcome
from ackclock.plurals import counted

_RECENT = 6
_MARKS = {"window": "   ", "call": "   ", "shell": "   "}


def verdict(outcome: Outcome, *, verbose: bool = False) -> Iterator[str]:
    """Yield the report of a script, the verdict first."""
    failure = outcome.failure
    if failure is None:
        said = f"{counted(outcome.events, 'event')}, {outcome.us / 1e6:g} s of virtual time"
        if outcome.left:
            said += f"; {counted(len(outcome.left), 'segment')} after the last expected one"
        yield f"ok {outcome.file} ({said})"
    else:
        yield f"FAILED {outcome.file}:{failure.line}"
        yield from _failure(outcome, failure)
    yield from (f"  {_seconds(us)}  printed: {text}" for us, text in outcome.printed)
    if verbose:
        yield from _notes("applied", outcome.applied)
        yield from _notes("not applied", outcome.not_applied)
        yield from (f"  {_line(line)}" for line in outcome.trace)


def _failure(outcome: Outcome, failure: Failure) -> Iterator[str]:
    yield f"  {outcome.file}:{failure.line}:{failure.column}: {failure.message}"
    if failure.line <= len(outcome.lines):
        number = f"{failure.line:5}"
        written = outcome.lines[failure.line - 1].expandtabs()
        before = outcome.lines[failure.line - 1][: failure.column - 1].expandtabs()
        yield f"  {number} | {written}"
        yield f"        | {' ' * len(before)}^"
    if failure.expected:
        yield f"  expected  {failure.expected}"
    if failure.came is not None:
        yield f"  came      {failure.came['text']} at {_seconds(failure.came['us'])} s"
    elif failure.expected:
        yield "  came      nothing"
    end = max(failure.us, 0 if failure.came is None else failure.came["us"])
    recent = [line for line in outcome.trace if line["kind"] in "<>" and line["us"] <= end]
    if recent:
        yield "  the last segments:"
        yield from (f"    {_line(line)}" for line in recent[-_RECENT:])


def _notes(what: str, notes: list[Mapping[str, Any]]) -> Iterator[str]:
    for note in notes:
        yield f"  {what}: line {note['line']}: {_shown(note)}: {note['reason']}"


def not_applied(outcomes: Iterable[Outcome]) -> Iterator[str]:
    """Yield the unsupported lines of scripts, without repetitions, one line per reason."""
    by_reason: dict[str, dict[str, None]] = {}
    for outcome in outcomes:
        for note in outcome.not_applied:
            name = _shown(note).removeprefix("net.ipv4.")
            name = name.partition("=")[0] if " " not in name.partition("=")[0] else name
            by_reason.setdefault(note["reason"], {})[name] = None
    for reason, names in by_reason.items():
        yield f"not applied ({reason}): {', '.join(names)}"


def _shown(note: Mapping[str, Any]) -> str:
    return " ".join(note["text"].split())


def _line(line: Mapping[str, Any]) -> str:
    kind, text = line["kind"], " ".join(line["text"].split())
    return f"{_seconds(line['us'])}  {_MARKS.get(kind, f'{kind}  ')}{text}"


def _seconds(us: int) -> str:
    return f"{us / 1e6:9.6f}"


def as_json(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as JSON; times in microseconds."""
    failure = outcome.failure
    return {
        "file": str(outcome.file),
        "verdict": "passed" if failure is None else "failed",
        "events": outcome.events,
        "us": outcome.us,
        "left": outcome.left,
        "failure": None if failure is None else failure._asdict(),
        "printed": [{"us": us, "text": text} for us, text in outcome.printed],
        "applied": outcome.applied,
        "not_applied": outcome.not_applied,
        "trace": outcome.trace,
    }


def unreadable_as_json(file: str, messages: list[str]) -> dict[str, Any]:
    """Return the JSON of a script that could not be run."""
    return {"file": file, "verdict": "unreadable", "problems": messages}
