"""The studies as the tests of all studies run them: cores that answer at once, few levels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pandas as pd

from ackclock.studies import study_of
from ackclock.studies.machinery.outputs import write_files
from ackclock.studies.machinery.reproduce import StudyResult, reproduce
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.running import Execution, PartRuns, Runs, run_all
from ackclock.studies.machinery.settings import main_scenario, scenario_of

OF_ONE_CALL = {"journal.jsonl", "provenance.json", ".lock"}
"""Files that say when and how runs were made."""


@dataclass(frozen=True)
class Case:
    """A study under test.

    Attributes:
        name: of the study.
        fake: module of a core that answers at once. It has ``CORE``, ``calls`` and ``refusal``.
        small: levels that are run.
        command: the words of the command for them.
        headers: of the files that these levels give, the first columns; "" if that is too long.
        other: levels without which some files are not there.
        gone: these files.
        changes: settings, and of one of them what the report says.
        changed: these words.
    """

    name: str
    fake: str
    small: Mapping[str, tuple[Any, ...]]
    command: str
    headers: Mapping[str, str]
    other: Mapping[str, tuple[Any, ...]]
    gone: frozenset[str]
    changes: tuple[str, ...]
    changed: str
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def core(self) -> ModuleType:
        """The module of the core."""
        return import_module(self.fake)

    def request(self, **asked: Any) -> Request:
        """A request for the small levels, unless it says others."""
        return Request(study_of(self.name), **{"levels": self.small, **asked})

    def execution(self, folder: Path, jobs: int = 2, **how: Any) -> Execution:
        """Runs on the core that answers at once."""
        return Execution(folder, jobs, core=self.core.CORE, **how)

    def run(self, folder: Path, jobs: int = 2, **asked: Any) -> StudyResult:
        """The result of a request."""
        how = {"on_progress": asked.pop("on_progress")} if "on_progress" in asked else {}
        return reproduce(self.request(**asked), self.execution(folder, jobs, **how))

    def runs(self, folder: Path, **asked: Any) -> Runs:
        """The runs of a request alone."""
        return run_all(self.request(**asked), self.execution(folder), alone=True)


def made_of(asked: Request, frames: Mapping[str, pd.DataFrame], **more: Any) -> Runs:
    """Runs as they are made for a request, of made-up frames of its parts."""
    parts = {
        name: PartRuns(part, scenario_of(part, asked), frame)
        for name, frame in frames.items()
        for part in [asked.study.part(name)]
    }
    return Runs(asked, main_scenario(asked), parts, **more)


def files_of(result: StudyResult, folder: Path) -> dict[str, bytes]:
    """Everything in the folder that is the same whenever, wherever and how the runs were made."""
    write_files(result, folder, lambda result, path: path.write_text("report"))
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name not in OF_ONE_CALL
    }


ABR_WEB = Case(
    name="abr-web",
    fake="fake_abr_core",
    small={"servers": (1, 5)},
    command="--servers 1,5",
    headers={
        "results": "servers,n,max_queue_cells,max_queue_cells_lo,max_queue_cells_hi,max_queue_rtt",
        "services": "servers,service,buffer_rtt,tcp,n,max_queue_cells,max_queue_cells_lo",
        "comparison": "servers,metric,published,simulated,lo,hi,delta",
        "claims": "id,holds,evidence",
        "runs": "part,servers,service,buffer_rtt,tcp,replication,seed,throughput_bit_s,"
        "offered_bit_s,efficiency_pct,load_pct,max_queue_cells,mean_queue_cells,utilisation_pct,"
        "cells_lost,requests,answered,unanswered_pct,response_median_s,response_p95_s,quick_pct,"
        "most_waiting_cells,timeouts,fast_retransmits,retransmitted_pct,max_queue_rtt",
    },
    other={"parts": ("service",)},
    gone=frozenset({"results.csv", "comparison.csv"}),
    changes=("tcp.min_rto=400 ms", "topology.abr.icr=1 Mbit/s"),
    changed="400 ms changed from 200 ms",
)
OSU_TASKS = Case(
    name="osu-tasks",
    fake="fake_osu_core",
    small={"parts": ("windows", "retransmit")},
    command="--parts windows,retransmit",
    headers={
        "windows-results": "sources,arithmetic,n,efficiency,efficiency_lo,efficiency_hi,fairness",
        "windows-runs": "sources,arithmetic,replication,seed,efficiency,fairness,utilisation",
        "retransmit-results": "sources,buffer_rtt,wait,n,efficiency,efficiency_lo,efficiency_hi",
        "retransmit-runs": "sources,buffer_rtt,wait,replication,seed,efficiency,fairness",
        "claims": "id,holds,evidence",
    },
    other={"parts": ("windows",)},
    gone=frozenset({"retransmit-results.csv", "retransmit-runs.csv"}),
    changes=("tcp.min_rto=400 ms",),
    changed="400 ms changed from 200 ms",
)
CASES = (ABR_WEB, OSU_TASKS)
