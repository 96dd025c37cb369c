"""Run a scenario and return its results in one call."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from pathlib import Path
from tempfile import mkdtemp

from ackclock.campaign import OnProgress, run_campaign
from ackclock.results.results import Results, results_folder
from ackclock.scenario import load
from ackclock.scenario.document import Document

MEASURE = "ackclock.results.metrics:measure"
TRACES = "ackclock.results.traces:tables"


def run(
    scenario: str | Path | Document,
    out: str | Path | None = None,
    *,
    sets: Sequence[str] = (),
    replications: int | None = None,
    jobs: int | None = None,
    executor: str | Executor = "threads",
    fail_fast: bool = False,
    retry_failed: bool = False,
    on_progress: OnProgress = lambda event: None,
) -> Results:
    """Make the missing runs of a scenario in its folder, and read the results.

    Args:
        scenario: path of a scenario file; or the text of one, if it has a line break; or what
            ``ackclock.scenario.document`` has read.
        out: folder for the runs; by default FILE.results beside the file, without .toml, and for a
            text or a document a new temporary folder.
        sets: texts ``key=value`` that change the scenario.
        replications: number of replications per point, instead of the scenario's.
        jobs: runs at the same time; by default one for each processor.
        executor: "threads", "processes", the address of a dask scheduler such as
            "dask://127.0.0.1:8786", or an executor; results do not depend on it.
        fail_fast: begin no more runs once one has failed.
        retry_failed: make the runs again that failed before.
        on_progress: called with each event of the campaign.

    Returns:
        The results of all its runs.

    Raises:
        InputError: the scenario is wrong, or the folder cannot be used.
        KeyboardInterrupt: Ctrl-C; finished runs are kept, and the same call continues from there.

    Warns:
        CampaignWarning: runs have failed, or intervals are wider than the scenario demands.
    """
    loaded = load(scenario, sets)
    folder = Path(out) if out is not None else _folder_for(scenario)
    run_campaign(
        loaded,
        folder,
        measure=MEASURE,
        traces=TRACES,
        text=loaded.text,
        sets=sets,
        replications=replications,
        executor=executor,
        jobs=jobs,
        fail_fast=fail_fast,
        retry_failed=retry_failed,
        on_progress=on_progress,
    )
    return Results.open(folder)


def _folder_for(scenario: str | Path | Document) -> Path:
    if isinstance(scenario, Document) or (isinstance(scenario, str) and "\n" in scenario):
        return Path(mkdtemp(prefix="ackclock-"))
    return results_folder(Path(scenario))
