"""Runs of the search for the smallest buffer that reaches a target, and the answer.

Every buffer is run with the same seeds (common random numbers): first a few times, then more often
until its interval excludes the target. The runs belong to a campaign: each is journaled when it
ends, and is made only once.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isnan, nan
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from ackclock import campaign
from ackclock.campaign.executors import executor_problems
from ackclock.campaign.worker import CORE
from ackclock.errors import InputError
from ackclock.results.equal_replications import all_alike
from ackclock.results.scenario_run import MEASURE
from ackclock.sizing.answer import FOUND, NOT_REACHED, SMALLEST, UNDECIDED, Probe, Sizing
from ackclock.sizing.levels import Level
from ackclock.sizing.question import Posed, Question, pose
from ackclock.sizing.search import Bracket, search
from ackclock.sizing.verdicts import Verdict
from ackclock.stats import Interval

_ENDING = ".sizing"


class BufferJudged(NamedTuple):
    """Event: the rule was applied to a buffer.

    Attributes:
        level: size of the buffer.
        verdict: none if more replications are needed.
        interval: interval of the metric's mean so far, in its unit.
    """

    level: Level
    verdict: Verdict | None
    interval: Interval


class RunsFailedError(Exception):
    """Runs have failed, so the search cannot decide on their buffer."""


OnLook = Callable[[BufferJudged], None]


def size_buffer(
    file: str | Path,
    question: Question,
    out: str | Path | None = None,
    *,
    jobs: int | None = None,
    executor: str = "threads",
    core: str = CORE,
    measure: str = MEASURE,
    on_look: OnLook = lambda looked: None,
    on_progress: campaign.OnProgress = lambda event: None,
) -> Sizing:
    """Search for the smallest buffer with which a scenario reaches a target.

    Args:
        file: a scenario file.
        question: target, range and precision of the search.
        out: folder for the runs; by default FILE.sizing beside the file, without .toml. Existing
            runs in the folder are not made again.
        jobs: runs at the same time; by default one for each processor.
        executor: where the runs are made, see ``run_campaign``.
        core: "module:function" that makes a run, see ``run_campaign``.
        measure: "module:function" that computes the row of a run.
        on_look: called after each judgement of a buffer.
        on_progress: called with each event of the campaign.

    Returns:
        The answer. With the requested confidence, all intervals of the search contain their
        means, so all verdicts are right.

    Raises:
        InputError: the file or the question has an error, the metric has no value in this
            scenario, or the folder cannot be used.
        RunsFailedError: runs have failed.
        KeyboardInterrupt: Ctrl-C; finished runs are kept, and the same call continues from there.

    Source: the bisection is in ``ackclock.sizing.search``, the statistics in
    ``ackclock.sizing.verdicts``.
    """
    began = monotonic()
    path = Path(file)
    posed = _posed(path, question, executor, jobs)
    folder = Path(out) if out is not None else sizing_folder(path)
    runs = _Runs(posed, folder, posed.sets, executor, jobs, core, measure, on_progress)
    probes: dict[int, Probe] = {}

    def judge(number: int) -> Verdict:
        probes[number] = _probe(posed, number, runs, on_look)
        return probes[number].verdict

    found = search(len(posed.levels) - 1, judge)
    runs.keep_design(sorted(probes))
    return _answer(posed, found, probes, runs, folder, question, monotonic() - began)


def _posed(file: Path, question: Question, executor: str, jobs: int | None) -> Posed:
    """Return the checked question; raise all errors in it, in the executor and in its jobs."""
    problems = executor_problems(executor, jobs)
    try:
        posed = pose(file, question)
    except InputError as error:
        raise InputError([*error.messages, *problems]) from None
    if problems:
        raise InputError(problems)
    return posed


def sizing_folder(file: Path) -> Path:
    """Return the default folder for the runs of a scenario file."""
    return file.with_name(f"{file.name.removesuffix('.toml')}{_ENDING}")


class _Runs:
    """Runs of single buffers in one folder."""

    def __init__(
        self,
        posed: Posed,
        folder: Path,
        sets: list[str],
        executor: str,
        jobs: int | None,
        core: str,
        measure: str,
        on_progress: campaign.OnProgress,
    ) -> None:
        self.made = 0
        self._posed = posed
        self._folder = folder
        self._options: dict[str, Any] = {
            "sets": sets,
            "executor": executor,
            "jobs": jobs,
            "core": core,
            "measure": measure,
            "text": posed.scenario.text,
            # Runs that failed before are made again; a new failure ends the search.
            "retry_failed": True,
            "on_progress": on_progress,
        }

    def rows(self, number: int, replications: int) -> list[dict[str, Any]]:
        """Return the rows of the first replications of a buffer; make missing runs.

        Raises:
            RunsFailedError: a run has failed.
        """
        self._run([number], replications)
        its = campaign.Campaign.open(self._folder)
        if its.failures:
            raise RunsFailedError(f"{self._posed.levels[number].text}: {its.failures[0]}")
        return [run.row for run in its.runs]

    def keep_design(self, numbers: list[int]) -> None:
        """Write the design of a campaign with all probed buffers, for readers of the folder.

        Its number of replications is one that all buffers have, and does not depend on results.
        """
        self._run(numbers, self._posed.rule.looks[0])

    def _run(self, numbers: list[int], replications: int) -> None:
        summary = campaign.run_campaign(
            self._posed.scenario,
            self._folder,
            points=[self._posed.points[number] for number in numbers],
            replications=replications,
            **self._options,
        )
        self.made += summary.made


def _probe(posed: Posed, number: int, runs: _Runs, on_look: OnLook) -> Probe:
    """Replicate a buffer until the rule decides, or the maximum is reached."""
    level, rule = posed.levels[number], posed.rule
    for replications in rule.looks:
        rows = runs.rows(number, replications)
        values = [float(row.get(rule.target.metric, nan)) for row in rows]
        if all(map(isnan, values)):
            raise InputError(
                f"--target {rule.target}: no run of this scenario with {level.text} has"
                f" {rule.target.metric}; name another metric"
            )
        alike = all_alike(rows)
        judged = rule.judge(values, alike=alike)
        on_look(BufferJudged(level, judged.verdict, judged.interval))
        if judged.verdict is not None:
            break
    assert judged.verdict is not None, "the last look decides, or says that it cannot"
    return Probe(level, judged.verdict, judged.interval, judged.others, alike)


def _answer(
    posed: Posed,
    found: Bracket,
    probes: dict[int, Probe],
    runs: _Runs,
    folder: Path,
    question: Question,
    seconds: float,
) -> Sizing:
    def at(number: int | None) -> Probe | None:
        return None if number is None else probes[number]

    in_order = tuple(probes[number] for number in sorted(probes))
    return Sizing(
        target=posed.rule.target,
        key=posed.setting.key,
        status=_status(found),
        holds=at(found.holds),
        fails=at(found.fails),
        onward=at(found.onward),
        probes=in_order,
        column=next(name for name in posed.points[0].levels if name not in posed.others),
        others=dict(posed.others),
        confidence=question.confidence,
        possible=len(posed.levels),
        runs=sum(probe.interval.n for probe in in_order),
        made=runs.made,
        seconds=seconds,
        title=posed.scenario.title,
        seed=posed.scenario.seed,
        folder=folder,
    )


def _status(found: Bracket) -> str:
    if found.holds is not None:
        return SMALLEST if found.holds == 0 else FOUND
    undecided = Verdict.UNDECIDED in found.verdicts.values()
    return UNDECIDED if undecided else NOT_REACHED
