"""The runs of the study: their seeds, their plans, and the core that runs them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import pandas as pd

from ackclock.campaign.journal import Journal, Row, code_digest, run_identity
from ackclock.campaign.threads import run_on_threads
from ackclock.errors import InputError
from ackclock.scenario.plan import canonical_json, plan_hash
from ackclock.studies.ubr_web import metrics
from ackclock.studies.ubr_web.compile import compile_plan, threshold_cells
from ackclock.studies.ubr_web.levels import Point
from ackclock.studies.ubr_web.result import Request, Trace

JOURNAL = "journal.jsonl"
_QUEUE_BINS = 1000
_TRACED_PAIRS = 3
_SHOWN_HASH = 16

OnProgress = Callable[[int, int], None]
"""Called with the number of runs that are done and of all runs."""


class Core(Protocol):
    """The simulator."""

    def run(self, plan: str, seed: int) -> metrics.Columns:
        """Run a plan (JSON); ``ValueError`` if the plan is refused."""
        ...


class Run(NamedTuple):
    """One run: a point of the factorial and a replication."""

    point: Point
    replication: int
    seed: int


def replication_seed(seed: int, replication: int) -> int:
    """Seed of a replication: the first 8 bytes, big-endian, of SHA-256 of "ubr-web/SEED/NUMBER".

    It does not depend on the point: in one replication every point sees the same requests (common
    random numbers), so that differences between points are not differences in load.
    """
    digest = hashlib.sha256(f"ubr-web/{seed}/{replication}".encode()).digest()
    return int.from_bytes(digest[:8], "big")


def all_runs(request: Request) -> list[Run]:
    """All runs: points in the order of the published tables, the replications of each together."""
    seeds = [replication_seed(request.seed, k) for k in range(request.replications)]
    return [
        Run(point, replication, seed)
        for point in request.selection.points()
        for replication, seed in enumerate(seeds)
    ]


def run_all(
    request: Request, folder: Path, jobs: int, core: Core, on_progress: OnProgress
) -> pd.DataFrame:
    """Run what the journal in the folder does not hold yet, and tell all of it.

    Args:
        request: what to run.
        folder: an existing folder; the journal is kept there.
        jobs: number of threads.
        core: the simulator.
        on_progress: called at the start and after each run.

    Returns:
        A row a run, in the order of ``all_runs``, whatever the number of threads; the columns of
        ``UbrWebResult.runs``.

    Raises:
        InputError: the core refuses a plan. KeyboardInterrupt: finished runs are in the journal.
    """
    runs = all_runs(request)
    plans = {point: compile_plan(request.parameters, point) for point in request.selection.points()}
    hashes = {point: plan_hash(plan) for point, plan in plans.items()}
    code = _code_of(core)
    identities = {run: run_identity(hashes[run.point], run.seed, code) for run in runs}

    def execute(run: Run) -> Row:
        columns = _columns(core, plans[run.point], run.seed)
        return metrics.measure(columns, request.parameters, run.point.link)

    with Journal(folder / JOURNAL) as journal:
        missing = [run for run in runs if identities[run] not in journal.rows]
        done = len(runs) - len(missing)
        on_progress(done, len(runs))

        def finished(run: Run, row: Row) -> None:
            nonlocal done
            journal.append(identities[run], row)
            done += 1
            on_progress(done, len(runs))

        run_on_threads(missing, execute, jobs, finished)
        rows = [journal.rows[identities[run]] for run in runs]
    return pd.DataFrame(
        [
            {
                **run.point._asdict(),
                "replication": run.replication,
                "seed": run.seed,
                **row,
                "plan": hashes[run.point][:_SHOWN_HASH],
            }
            for run, row in zip(runs, rows, strict=True)
        ]
    )


def trace_all(request: Request, jobs: int, core: Core) -> tuple[Trace, ...]:
    """Replication 0 of one point of each link, watched: the first policy, SACK, the middle buffer.

    Where a level is not selected: the last flavor, and of two buffers the larger.
    """
    chosen = request.selection
    points = [
        Point(
            link,
            chosen.drop_policies[0],
            chosen.tcp_flavors[-1],
            chosen.buffers_rtt[len(chosen.buffers_rtt) // 2],
        )
        for link in chosen.links
    ]
    traces: dict[Point, Trace] = {}
    run_on_threads(points, lambda point: _trace(request, point, core), jobs, traces.__setitem__)
    return tuple(traces[point] for point in points)


def _trace(request: Request, point: Point, core: Core) -> Trace:
    parameters = request.parameters
    probes = {
        "queue_bin_ps": max(parameters.duration // _QUEUE_BINS, 1),
        "cwnd_of": list(range(min(_TRACED_PAIRS, parameters.pairs))),
    }
    plan = compile_plan(parameters, point, probes)
    columns = _columns(core, plan, replication_seed(request.seed, 0))
    return Trace(
        point,
        parameters.switch.buffer_cells(point.link, point.buffer_rtt),
        threshold_cells(parameters, point),
        pd.DataFrame(columns["queue"]),
        pd.DataFrame(columns["cwnd"]),
    )


def _columns(core: Core, plan: dict[str, Any], seed: int) -> metrics.Columns:
    try:
        return core.run(canonical_json(plan), seed)
    except ValueError as refused:
        raise InputError(f"the simulator refuses these settings: {refused}") from refused


def _code_of(core: Core) -> str:
    """Tells builds of one version apart, so that a journal outlives only what gives its rows."""
    library = getattr(core, "__file__", None)
    files = [Path(metrics.__file__), *([Path(library)] if library else [])]
    return code_digest(files)
