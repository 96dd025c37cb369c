"""The progress of a job, read only from its campaign."""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Sequence
from contextlib import suppress
from math import nan
from pathlib import Path
from statistics import fmean
from typing import Any

import pandas as pd

from ackclock.campaign.design import DESIGN
from ackclock.campaign.journal import JOURNAL, Damaged, entries
from ackclock.campaign.lock import LOCK, is_held
from ackclock.errors import InputError
from ackclock.lab.campaigns.comparisons import compared
from ackclock.lab.campaigns.folders import counts, journal_bytes, opened
from ackclock.lab.campaigns.summaries import ENDS, described, number, summary
from ackclock.lab.jobs.folder import JobFolder, Worker
from ackclock.lab.jobs.process import runs_in
from ackclock.plots.quantities import level_texts, sentence
from ackclock.plurals import counted
from ackclock.results import Results
from ackclock.results.means import metric_unit
from ackclock.sizing.rendering import FILE as SIZING
from ackclock.sizing.target import read_target
from ackclock.studies.machinery.outputs import REPORT

WAITING, RUNNING, DONE, STOPPED, FAILED = (
    "waiting",
    "running",
    "done",
    "stopped",
    "failed",
)
STATES = (WAITING, RUNNING, DONE, STOPPED, FAILED)
_MOST_READ = 16_000_000
"""Largest journal to read at every event, bytes; for larger ones rows are read at the end."""
_COMPLETE = {"size-buffer": f"{SIZING}.json", "reproduce": REPORT}
"""File that the command of a kind writes at its end; other kinds complete a campaign."""
_INTERRUPTED = 130
_SIGNS = "ackclock: "
_MOST_LINES = 3


def progress(job: JobFolder, *, rows: bool = True) -> dict[str, Any]:
    """Return the progress of a job.

    Args:
        job: the job.
        rows: whether to include the results so far.

    Returns:
        state (one of ``STATES``), done (number of ended runs), of (number of all runs; none if
        unknown), failed (number of failed runs), left_s (remaining time at the rate so far, s; none
        if unknown), message, rows (none without ``rows``), limit (metric and value of a search for
        a buffer; none for other kinds).
    """
    request, worker = job.request(), job.worker()
    counts = _Counts(job, request)
    state = _state(job, worker, counts)
    return {
        "state": state,
        "done": counts.done,
        "of": counts.of,
        "failed": counts.failed,
        "left_s": _left_s(worker, counts) if state == RUNNING else None,
        "message": _message(job, request, worker, state, counts),
        "rows": _rows(job, request, state) if rows else None,
        "limit": _limit(request["target"]) if request.get("target") else None,
    }


class _Counts:
    """The numbers of runs of a job.

    Attributes:
        done: number of ended runs, including failed ones.
        failed: number of failed runs.
        of: total number of runs; none if it is unknown before the end.
        complete: whether the job is complete.
    """

    def __init__(self, job: JobFolder, request: dict[str, Any]) -> None:
        kind = request.get("kind")
        self.done = self.failed = 0
        self.of: int | None = None
        self.complete = False
        if kind in _COMPLETE:
            self.done = runs_in(job.path)
            self.complete = (job.path / _COMPLETE[kind]).is_file()
        else:
            # There is no campaign before the first run.
            with suppress(InputError):
                its = counts(job.path)
                self.done, self.failed = its.ended, its.failed
                self.of = self.done + its.missing
                self.complete = not its.missing


def _within(place: Path) -> dict[str, int]:
    """Return the number of runs in each campaign of a study, by folder; the latest is last."""
    journals = sorted(place.rglob(JOURNAL), key=lambda path: path.stat().st_mtime)
    return {path.parent.relative_to(place).as_posix(): runs_in(path.parent) for path in journals}


def _state(job: JobFolder, worker: Worker | None, counts: _Counts) -> str:
    if worker is not None:
        return WAITING if worker.waits else RUNNING
    if is_held(job.path / LOCK):
        # A command in a terminal runs it.
        return RUNNING
    if counts.complete:
        # A campaign without a successful run has nothing to show.
        return FAILED if counts.failed and counts.failed == counts.done else DONE
    code = job.exit_code()
    # Without an exit code the process was killed.
    return FAILED if code is not None and code not in (0, _INTERRUPTED) else STOPPED


def _left_s(worker: Worker | None, counts: _Counts) -> float | None:
    """Return the remaining time at the rate since the process began to make runs, s."""
    if worker is None or counts.of is None or counts.done <= worker.had:
        return None
    rate = (counts.done - worker.had) / max(time.time() - worker.since, 0.001)
    return (counts.of - counts.done) / rate


def _message(
    job: JobFolder, request: dict[str, Any], worker: Worker | None, state: str, counts: _Counts
) -> str:
    """Return sentences about the state of the job."""
    if state == WAITING and not (worker and worker.pid):
        return "It begins."
    if state == WAITING:
        return "Two jobs are running; this one starts when one of them ends."
    if state == FAILED:
        said = [line.removeprefix(_SIGNS) for line in job.said() if line.startswith(_SIGNS)]
        return (
            " ".join(said[-_MOST_LINES:])
            or "The command has failed; job.log in its folder has the reason."
        )
    if state == STOPPED:
        return f"Stopped; its runs are kept. Continue with: {command(job, request)}"
    parts = []
    if counts.failed:
        parts.append(f"{counted(counts.failed, 'run has failed', 'runs have failed')}.")
    if state == RUNNING and request.get("kind") in _COMPLETE:
        parts.append(f"{counted(counts.done, 'run')} so far; the total is known only at the end.")
    return " ".join(parts)


def command(job: JobFolder, request: dict[str, Any]) -> str:
    """Return the command that starts or continues the job in the user's folder."""
    return shlex.join(["ackclock", *request.get("words", ())])


def _rows(job: JobFolder, request: dict[str, Any], state: str) -> list[dict[str, Any]]:
    """Return the results so far: one row per metric of a pair, per point or per buffer."""
    kind = request.get("kind")
    if kind == "reproduce":
        return [{"folder": name, "runs": runs} for name, runs in _within(job.path).items()]
    if kind == "size-buffer":
        return _buffers(job, request["target"])
    if kind not in ("pair", "sweep") or not (job.path / DESIGN).is_file():
        return []
    if state == RUNNING and journal_bytes(job.path) > _MOST_READ:
        return []
    try:
        results = opened(job.path).results
        if kind == "sweep":
            return list(summary(results)["rows"])
        return _pair(results, request["factor"])
    except InputError:
        # No run has succeeded yet, or not yet for both A and B.
        return []


def _pair(results: Results, factor: str) -> list[dict[str, Any]]:
    """Return one row per metric: A, B and the paired difference."""
    metrics: Sequence[str] = results.shown_metrics
    rows = []
    for metric in metrics:
        its = compared(results, factor, None, metric)
        if len(its["rows"]) == 2:
            a, b = its["rows"]
            both = {"a": a["mean"], "b": b["mean"], "n": b["n"], "pairs": b["pairs"]}
            tested = {name: b[name] for name in ("difference", "ratio", "p")}
            rows.append({**its["metric"], **both, **tested, "sentence": its["sentence"]})
    return rows


def _buffers(job: JobFolder, target: str) -> list[dict[str, Any]]:
    """Return the probed buffers: from the answer, or so far with their runs and means."""
    metric = read_target(target).metric
    try:
        rows = json.loads((job.path / f"{SIZING}.json").read_bytes())["probes"]
    except (OSError, ValueError, KeyError):
        rows = _looked_at(job.path, metric)
    ends = [{end: row.get(end) for end in ENDS} for row in rows]
    shown = described(metric, pd.DataFrame(ends, columns=ENDS, dtype=float)) if rows else []
    return [{**row, "text": its["text"]} for row, its in zip(rows, shown, strict=True)]


def _limit(target: str) -> dict[str, Any]:
    """Return the target of a search: a metric and its value."""
    its = read_target(target)
    words = {"name": its.metric, "label": sentence(its.name), "unit": metric_unit(its.metric)}
    return {**words, "value": its.value}


def _looked_at(place: Path, metric: str) -> list[dict[str, Any]]:
    """Return the probed buffers so far, ascending, without verdicts."""
    found: dict[float, list[float]] = {}
    column = ""
    for entry in entries(place / JOURNAL) if (place / JOURNAL).is_file() else ():
        if not isinstance(entry, Damaged) and "row" in entry:
            column, level = list(entry["levels"].items())[-1]
            found.setdefault(level, []).append(float(entry["row"].get(metric, nan)))
    return [
        {"buffer": text, "number": level, "n": len(values), "mean": number(fmean(values))}
        for (level, values), text in zip(
            sorted(found.items()), level_texts(column, sorted(found)), strict=True
        )
    ]
