"""The studies as the tests of all studies run them: cores that answer at once, few levels."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd
from rich.console import Console

from ackclock.studies import study_of
from ackclock.studies.machinery.outputs import write_files
from ackclock.studies.machinery.reproduce import StudyResult, reproduce
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.running import Execution, PartRuns, Runs, run_all
from ackclock.studies.machinery.settings import main_scenario, scenario_of
from ackclock.studies.machinery.study import PARTS, Study
from ackclock.studies.machinery.terminal import render
from fake_core import FakeCore

OF_ONE_CALL = {"journal.jsonl", "provenance.json", ".lock"}
"""Files that say when and how runs were made."""


@dataclass(frozen=True)
class Case:
    """A study under test.

    Attributes:
        name: of the study.
        fake: module whose ``core`` answers at once.
        small: levels that are run.
        command: the words of the command for them.
        claims: how many the study has.
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
    claims: int
    headers: Mapping[str, str]
    other: Mapping[str, tuple[Any, ...]]
    gone: frozenset[str]
    changes: tuple[str, ...]
    changed: str
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def core(self) -> FakeCore:
        """The core that answers at once."""
        its: FakeCore = import_module(self.fake).core
        return its

    def request(self, **asked: Any) -> Request:
        """A request for the small levels, unless it says others."""
        return Request(study_of(self.name), **{"levels": self.small, **asked})

    def execution(self, folder: Path, jobs: int = 2, **how: Any) -> Execution:
        """Runs on the core that answers at once."""
        return Execution(folder, jobs, core=f"{self.fake}:core", **how)

    def run(self, folder: Path, jobs: int = 2, **asked: Any) -> StudyResult:
        """The result of a request."""
        how = {"on_progress": asked.pop("on_progress")} if "on_progress" in asked else {}
        return reproduce(self.request(**asked), self.execution(folder, jobs, **how))

    def runs(self, folder: Path, **asked: Any) -> Runs:
        """The runs of a request alone."""
        return run_all(self.request(**asked), self.execution(folder), alone=True)


def made_for(request: Request, frames: Mapping[str, pd.DataFrame], **more: Any) -> Runs:
    """Runs that were made up, by their parts, as they are made for a request."""
    parts = {
        name: PartRuns(part, scenario_of(part, request), frame)
        for name, frame in frames.items()
        if len(frame)
        for part in [request.study.part(name)]
    }
    return Runs(request, main_scenario(request), parts, **more)


def made_of(study: Study, frames: Mapping[str, pd.DataFrame], **asked: Any) -> Runs:
    """Runs that were made up, by their parts, as if these had been asked for."""
    there = {name: frame for name, frame in frames.items() if len(frame)}
    replications = max((int(each["replication"].max()) + 1 for each in there.values()), default=1)
    levels = {PARTS: tuple(there)} if len(study.parts) > 1 else {}
    request = Request(study, **{"levels": levels, "replications": replications, **asked})
    return made_for(request, there)


def files_of(result: StudyResult, folder: Path) -> dict[str, bytes]:
    """Everything in the folder that is the same whenever, wherever and how the runs were made."""
    write_files(result, folder, lambda result, path: path.write_text("report"))
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name not in OF_ONE_CALL
    }


def seed_of(text: str) -> int:
    """The seed that a text gives."""
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big")


def shown(result: StudyResult) -> str:
    """What a terminal of 80 columns shows."""
    screen = io.StringIO()
    Console(width=80, file=screen, highlight=False).print(render(result))
    return screen.getvalue()


UBR_WEB = Case(
    name="ubr-web",
    fake="fake_ubr_core",
    small={"links": ("WAN",)},
    command="--links WAN",
    claims=27,
    headers={
        "results": "link,drop_policy,tcp_flavor,buffer_rtt,efficiency,fairness,n,efficiency_lo,"
        "efficiency_hi,fairness_lo,fairness_hi,starved_servers,starved_servers_most",
        "runs": "link,drop_policy,tcp_flavor,buffer_rtt,replication,seed,efficiency,fairness,"
        "offered_load,requests,starved_servers,cells_refused,cells_overflowed,cells_cut,"
        "frames_offered,frames_refused,frames_cut,reverse_cells_lost,max_queue_cells,mean_queue_cells,timeouts,"
        "fast_retransmits,retransmitted_share",
        "comparison": "link,drop_policy,tcp_flavor,buffer_rtt,metric,published,simulated,lo,hi,"
        "run_lo,run_hi,delta",
        "allocation": "link,component,ss_efficiency,ss_fairness,pct_efficiency,pct_fairness",
        "main_effects": "link,factor,level,effect_efficiency,effect_fairness,ci_low_efficiency,"
        "ci_high_efficiency,ci_low_fairness,ci_high_fairness",
        "claims": "id,holds,p,reached,evidence",
    },
    other={"links": ("WAN",), "flavors": ("Reno", "SACK")},
    gone=frozenset({"allocation.csv", "main_effects.csv"}),
    changes=("tcp.min_rto=400 ms", "topology.pairs=7"),
    changed="400 ms changed from 200 ms",
)
ABR_WEB = Case(
    name="abr-web",
    fake="fake_abr_core",
    small={"servers": (1, 5)},
    command="--servers 1,5",
    claims=4,
    headers={
        "results": "servers,n,max_queue_cells,max_queue_cells_lo,max_queue_cells_hi,max_queue_rtt",
        "services": "servers,service,buffer_rtt,tcp,n,max_queue_cells,max_queue_cells_lo",
        "comparison": "servers,metric,published,simulated,lo,hi,run_lo,run_hi,delta",
        "claims": "id,holds,p,reached,evidence",
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
_RFC2415_MEANS = (
    "utilisation_pct,drop_pct,goodput_mb,page_delay_s,new_goodput_mb,new_page_delay_s,"
    "ftp_goodput_mb,file_delay_s,web_power,ftp_power"
)
RFC2415 = Case(
    name="rfc2415",
    fake="fake_pages_core",
    small={
        "parts": ("tables", "half-and-half"),
        "webs": (8,),
        "ftps": (0, 1),
        "iw": (1, 3),
        "http": ("1.0",),
    },
    command="--parts tables,half-and-half --webs 8 --ftps 0,1 --iw 1,3 --http 1.0",
    claims=13,
    headers={
        "results": "part,webs,ftps,http,iw,variant,n,"
        + ",".join(f"{name},{name}_lo,{name}_hi" for name in _RFC2415_MEANS.split(",")),
        "comparison": "table,webs,ftps,http,iw,metric,published,simulated,lo,hi,run_lo,run_hi,"
        "delta,misprinted",
        "changes": "http,webs,ftps,iw,decrease_pct,decrease_pct_lo,decrease_pct_hi,"
        "power_gain_pct,power_gain_pct_lo,power_gain_pct_hi",
        "half_and_half": "webs,variant,iw,metric,published,simulated,lo,hi,run_lo,run_hi,delta",
        "claims": "id,holds,p,reached,evidence",
        "runs": "part,webs,ftps,http,iw,variant,replication,seed,",
    },
    other={"parts": ("red",), "webs": (8,)},
    gone=frozenset({"comparison.csv", "changes.csv", "half_and_half.csv"}),
    changes=("tcp.min_rto=400 ms", "topology.bottleneck.rate=2 Mbit/s"),
    changed="400 ms changed from 200 ms",
)
NEWRENO = Case(
    name="newreno",
    fake="fake_newreno_core",
    small={"parts": ("bernoulli", "emulation", "internet")},
    command="--parts bernoulli,emulation,internet",
    claims=12,
    headers={
        "results": "part,queue,variant,x,flow,n,throughput_bit_s,throughput_bit_s_lo,"
        "throughput_bit_s_hi,p,loss_rate,q,rtt_s,rto_s,first_rto_s,segments_sent,loss_events,"
        "timeouts,fast_retransmits,square_root_bit_s,pftk_simple_bit_s,pftk_full_bit_s,"
        "newreno_noto_bit_s,newreno_bit_s,pftk_simple_measured_rto_bit_s,"
        "pftk_full_measured_rto_bit_s,newreno_measured_rto_bit_s,newreno_noto_measured_q_bit_s,"
        "newreno_measured_q_bit_s",
        "errors": "part,queue,variant,flow,model,inputs,points,mean_error_pct,mean_error_pct_lo,"
        "mean_error_pct_hi,least_error_pct,largest_error_pct,bias_pct,published_mean_pct,"
        "published_range_pct",
        "trust": "least_p_pct,most_p_pct,least_losses,most_losses,model,inputs,points,"
        "mean_error_pct,bias_pct",
        "emulation": "imposed_loss_pct,throughput_bit_s,throughput_bit_s_lo,throughput_bit_s_hi,"
        "published_bit_s,ratio,ratio_lo,ratio_hi,rtt_s,published_rtt_s,p,published_p,timeouts,"
        "published_timeouts,fast_retransmits,published_fast_retransmits,model_bit_s,"
        "model_error_pct,published_model_bit_s,published_model_error_pct",
        "internet": "imposed_loss_pct,p,published_p,throughput_bit_s,published_bit_s,model_bit_s,"
        "model_error_pct,published_model_bit_s,published_model_error_pct,implied_rto_s,"
        "implied_rto_rtts",
        "claims": "id,holds,p,reached,evidence",
        "runs": "part,queue,variant,x,replication,seed,utilisation_pct,drop_pct,",
    },
    other={"parts": ("variants",)},
    gone=frozenset({"errors.csv", "trust.csv", "emulation.csv", "internet.csv"}),
    changes=("tcp.min_rto=400 ms", "topology.bottleneck.delay=4 ms"),
    changed="400 ms changed from 200 ms",
)
OSU_TASKS = Case(
    name="osu-tasks",
    fake="fake_osu_core",
    small={"parts": ("windows", "retransmit")},
    command="--parts windows,retransmit",
    claims=14,
    headers={
        "windows-results": "sources,arithmetic,n,efficiency,efficiency_lo,efficiency_hi,fairness",
        "windows-runs": "sources,arithmetic,replication,seed,efficiency,fairness,utilisation",
        "retransmit-results": "sources,buffer_rtt,wait,n,efficiency,efficiency_lo,efficiency_hi",
        "retransmit-runs": "sources,buffer_rtt,wait,replication,seed,efficiency,fairness",
        "claims": "id,holds,p,reached,evidence",
    },
    other={"parts": ("windows",)},
    gone=frozenset({"retransmit-results.csv", "retransmit-runs.csv"}),
    changes=("tcp.min_rto=400 ms",),
    changed="400 ms changed from 200 ms",
)
CLASSIC = (UBR_WEB, RFC2415, NEWRENO, ABR_WEB, OSU_TASKS)
