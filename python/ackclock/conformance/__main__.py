"""``python -m ackclock.conformance [--check] [--rule ID ...] docs/conformance.md``.

Runs every rule, script and flavor and writes the page; with ``--check`` it compares the page
instead, with ``--rule`` it prints the verdicts of some rules and writes nothing. Exit code 0; 1 if
something is not as the rules and deviations state, or the page is not up to date; 2 if the rules
cannot be read.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from ackclock import _core
from ackclock.conformance.page import page
from ackclock.conformance.rules import Suite, read
from ackclock.conformance.verdicts import Verdict, complaints, judge
from ackclock.drill import Subject, rendering, run_script, subject
from ackclock.errors import InputError

BAD_INPUT = 2
NOT_AS_STATED = 1


def main(words: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        words: the command line after the module's name; from ``sys.argv`` if none.

    Returns:
        The exit code.
    """
    asked = _arguments(words)
    try:
        suite = read(asked.folder, [row[0] for row in _core.flavors()])
        if asked.rule:
            suite = _only(suite, asked.rule)
        verdicts = judge(suite, drill)
    except InputError as error:
        for message in error.messages:
            print(message, file=sys.stderr)
        return BAD_INPUT
    if asked.rule:
        _describe(verdicts)
    for message in complaints(verdicts):
        print(message, file=sys.stderr)
    wrong = sum(not verdict.as_stated for verdict in verdicts)
    if wrong:
        print(f"{wrong} of {len(verdicts)} runs are not as stated", file=sys.stderr)
        return NOT_AS_STATED
    return 0 if asked.rule else _written(asked.page, page(suite, verdicts), asked.check)


def _arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m ackclock.conformance", description="Check the simulated TCP against RFCs."
    )
    parser.add_argument("page", type=Path, help="the page, docs/conformance.md")
    parser.add_argument("--check", action="store_true", help="compare the page, write nothing")
    parser.add_argument(
        "--rule", action="append", metavar="ID", help="print the verdicts of this rule alone"
    )
    parser.add_argument(
        "--folder",
        type=Path,
        default=Path("conformance"),
        help="rules, scripts and deviations (default: conformance)",
    )
    return parser.parse_args(words)


def _only(suite: Suite, ids: Sequence[str]) -> Suite:
    """The suite with these rules alone."""
    known = {rule.id for rule in suite.rules()}
    missing = [f"--rule {name}: there is no such rule" for name in ids if name not in known]
    if missing:
        raise InputError(missing)
    return suite.with_rules(ids)


def _describe(verdicts: Sequence[Verdict]) -> None:
    for verdict in verdicts:
        number = f" (D{verdict.deviation.number})" if verdict.deviation else ""
        print(f"{verdict.rule.id}: {verdict.kind.value}{number}: {verdict.run.command()}")


def _written(path: Path, text: str, check: bool) -> int:
    if not check:
        path.write_text(text, encoding="utf-8")
        return 0
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return 0
    print(f"{path}: is not up to date; run python -m ackclock.conformance {path}", file=sys.stderr)
    return NOT_AS_STATED


def drill(path: Path, flavor: str, sets: tuple[str, ...]) -> str:
    """What failed in a script, as ``ackclock drill`` reports it; empty if nothing did.

    Args:
        path: of the script.
        flavor: of the endpoint.
        sets: ``--set`` options.

    Raises:
        InputError: the script or the options cannot be read.
    """
    # Much of "exactly one segment" rests on nothing being left at the end.
    outcome = run_script(path, _subject(flavor, sets), check_left=True)
    return "" if outcome.failure is None else "\n".join(rendering.verdict(outcome))


@cache
def _subject(flavor: str, sets: tuple[str, ...]) -> Subject:
    return subject(flavor, sets)


if __name__ == "__main__":
    sys.exit(main())
