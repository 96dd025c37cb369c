"""Runs every script of every rule for every flavor; the verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from ackclock.conformance.rules import Deviation, Rule, Suite
from ackclock.errors import InputError

Runner = Callable[[Path, str, tuple[str, ...]], str]
"""Runs a script, for a flavor, with ``--set`` options; gives what failed, or an empty text."""


class Kind(Enum):
    """How a script went, against what is stated."""

    PASSES = "passes"
    """It passes, and no deviation is stated."""
    DEVIATES = "deviates"
    """It fails, as a deviation states."""
    FAILS = "fails"
    """It fails, and no deviation is stated."""
    PASSES_UNEXPECTEDLY = "passes unexpectedly"
    """It passes, though a deviation states that it fails."""


@dataclass(frozen=True)
class Run:
    """A script under test.

    Attributes:
        script: relative to ``conformance/scripts``.
        flavor: name of the flavor.
        sets: ``--set`` options.
    """

    script: str
    flavor: str
    sets: tuple[str, ...]

    def command(self) -> str:
        """What a person would type in the project's root."""
        options = "".join(f' --set "{each}"' for each in self.sets)
        return f"ackclock drill conformance/scripts/{self.script} --flavor {self.flavor}{options}"


@dataclass(frozen=True)
class Verdict:
    """What came of a run.

    Attributes:
        rule: that was checked.
        run: the script, the flavor, the settings.
        deviation: that is stated for it, if any.
        failure: what failed; empty if nothing did.
    """

    rule: Rule
    run: Run
    deviation: Deviation | None
    failure: str

    @property
    def kind(self) -> Kind:
        """How it went, against what is stated."""
        if self.deviation is None:
            return Kind.FAILS if self.failure else Kind.PASSES
        return Kind.DEVIATES if self.failure else Kind.PASSES_UNEXPECTEDLY

    @property
    def as_stated(self) -> bool:
        """Whether it went as the rule and the deviations say."""
        return self.kind in (Kind.PASSES, Kind.DEVIATES)


def complaints(verdicts: Sequence[Verdict]) -> list[str]:
    """What is to be mended: one message for each script and its settings that went otherwise.

    Args:
        verdicts: of `judge`; those that are as stated are passed over.
    """
    groups: dict[tuple[str, tuple[str, ...], Deviation | None], list[Verdict]] = {}
    for each in verdicts:
        if not each.as_stated:
            groups.setdefault((each.run.script, each.run.sets, each.deviation), []).append(each)
    return [_complaint(group, group[0]) for group in groups.values()]


def _complaint(group: Sequence[Verdict], first: Verdict) -> str:
    rules = ", ".join(dict.fromkeys(each.rule.id for each in group))
    flavors = ", ".join(dict.fromkeys(each.run.flavor for each in group))
    if first.deviation is None:
        what = f"{first.rule.place}: {rules}: fails for {flavors}: {first.run.command()}"
        return f"{what}\n{first.failure}"
    what = f"{first.deviation.place}: {rules}: passes for {flavors}"
    return f"{what}, so this is no longer a deviation: {first.run.command()}"


def judge(suite: Suite, runner: Runner) -> list[Verdict]:
    """The verdicts of every rule: by rule, script and flavor, then by deviation with settings.

    Args:
        suite: what is to be checked.
        runner: runs a script; each combination of script, flavor and settings is run once.

    Raises:
        InputError: some scripts or settings cannot be read; one message a problem.
    """
    asked = [*_as_it_comes(suite), *_with_settings(suite)]
    done: dict[Run, str] = {}
    problems: dict[str, None] = {}
    for run in dict.fromkeys(run for _, run, _ in asked):
        try:
            done[run] = runner(suite.script(run.script), run.flavor, run.sets)
        except InputError as error:
            problems |= dict.fromkeys(error.messages)
    if problems:
        raise InputError(problems)
    return [Verdict(rule, run, deviation, done[run]) for rule, run, deviation in asked]


def _as_it_comes(suite: Suite) -> Iterator[tuple[Rule, Run, Deviation | None]]:
    for rule in suite.rules():
        for script in rule.scripts:
            for flavor in rule.flavors:
                stated = (
                    each
                    for each in suite.deviations
                    if not each.sets and each.covers(rule, script, flavor)
                )
                yield rule, Run(script, flavor, rule.sets), next(stated, None)


def _with_settings(suite: Suite) -> Iterator[tuple[Rule, Run, Deviation]]:
    for deviation in suite.deviations:
        if not deviation.sets:
            continue
        for rule in suite.rules():
            for script in rule.scripts:
                for flavor in rule.flavors:
                    if deviation.covers(rule, script, flavor):
                        sets = _over(rule.sets, deviation.sets)
                        yield rule, Run(script, flavor, sets), deviation


def _over(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    """Settings, of which the second take the place of the first for the same key."""
    keys = {each.partition("=")[0] for each in second}
    return (*(each for each in first if each.partition("=")[0] not in keys), *second)
