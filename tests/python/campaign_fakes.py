"""A scenario, a core and a measuring function for tests of campaigns: quick, and importable.

A plan is a dict of integers: "x" is what the row depends on besides the seed, "sleep_us" how long a
run takes, "spread" how much rows differ, "interrupt" the "x" whose run presses Ctrl-C as it begins,
and "fail", "die", "fail_once" and "die_once" the "x" at which something goes wrong; "mark" is the
name, as bytes, of a file that is written when it has gone wrong once.
"""

from __future__ import annotations

import json
import os
import signal
import time
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from ackclock.campaign import Campaign, run_campaign

NO_PROBES = {"queue_bin_ps": None}
NAMES = {
    "core": "campaign_fakes:run",
    "measure": "campaign_fakes:measure",
    "traces": "campaign_fakes:traces",
}


@dataclass(frozen=True)
class Facts:
    flow_names: tuple[str, ...]


@dataclass
class FakePoint:
    levels: dict
    plan: dict
    keeps: str = ""

    def compile(self):
        plain = {**self.plan, "probes": NO_PROBES}
        facts = Facts(("a", "b"))
        return SimpleNamespace(
            plan=self.plan, facts=facts, keeps=self.keeps, without_probes=lambda: plain
        )


@dataclass
class FakeScenario:
    """A sweep over "x"; more of a plan's keys may be given for all points."""

    xs: tuple[int, ...] = (1, 2)
    replications: int | None = 2
    precision: SimpleNamespace | None = None
    seed: int = 1
    traced: int = 0
    plan: dict = field(default_factory=dict)
    keeps: str = ""

    def points(self):
        probes = {"queue_bin_ps": 1000} if self.traced else NO_PROBES
        return [
            FakePoint({"x": x}, {"x": x, **self.plan, "probes": probes}, self.keeps)
            for x in self.xs
        ]

    @property
    def probes(self):
        return SimpleNamespace(replications=self.traced or 1)


def precision(**changed):
    values = {"target": 0.05, "metrics": ["y"], "confidence": 0.95, "minimum": 3, "maximum": 40}
    return SimpleNamespace(**{**values, **changed})


def ctrl_c(group):
    """What a terminal does: it interrupts all processes of a group."""
    os.killpg(group, signal.SIGINT)


def run(text, seed):
    """The core."""
    plan = json.loads(text)
    if plan["x"] == plan.get("interrupt"):
        ctrl_c(os.getpgid(0))
    time.sleep(plan.get("sleep_us", 0) / 1e6)
    if plan["x"] == plan.get("fail"):
        raise ValueError("the core refuses\nx")
    if plan["x"] == plan.get("die"):
        os.kill(os.getpid(), signal.SIGKILL)
    if plan["x"] in (plan.get("die_once"), plan.get("fail_once")):
        mark = Path(bytes(plan["mark"]).decode())
        if not mark.exists():
            mark.touch()
            if plan["x"] == plan.get("fail_once"):
                raise ValueError("this once")
            os.kill(os.getpid(), signal.SIGKILL)
    noise = np.random.default_rng([seed % 2**32, plan["x"]]).normal()
    columns = {"flows": {"y": np.array([100.0 + plan["x"], plan.get("spread", 10) * noise])}}
    if plan["probes"]["queue_bin_ps"]:
        columns["queue"] = {"time_s": np.arange(3) / 10, "max_length": np.arange(3) + plan["x"]}
    return columns


def measure(columns, facts):
    mean, noise = columns["flows"]["y"]
    return {"y": mean + noise, "names": len(facts.flow_names), "n": np.uint64(7), "none": np.nan}


def traces(columns):
    import pyarrow

    return {"queue": pyarrow.table(columns["queue"])}


def measure_noise(columns, facts):
    return {"noise": 1.0}


def fail_in_measure(columns, facts):
    raise RuntimeError("no measure")


def panic(columns, facts):
    raise BaseException("a panic of the core")


class Serial(Executor):
    """Makes what it is given at once, in the same thread."""

    def submit(self, function, /, *arguments, **options):
        future = Future()
        future.set_result(function(*arguments, **options))
        return future


def make(folder, scenario=None, **options):
    """A campaign with the fakes, on one thread unless told otherwise."""
    return run_campaign(
        scenario or FakeScenario(), folder, **{"text": "", "jobs": 1, **NAMES, **options}
    )


def exported(folder) -> bytes:
    """Rows in the order of the design, and the bytes of all traces."""
    runs = Campaign.open(folder).runs
    lines = [
        json.dumps([run.levels, run.replication, run.seed, run.row])
        + "".join(f" {name} {trace.path.read_bytes().hex()}" for name, trace in run.traces.items())
        for run in runs
    ]
    return "\n".join(lines).encode()


def lines_of(folder) -> list[dict]:
    """Lines of the journal without the first."""
    lines = (Path(folder) / "journal.jsonl").read_bytes().splitlines()
    return [json.loads(line) for line in lines[1:]]


def run_with_progress(text, seed, on_progress):
    """The core, with a report of progress: it ends when somebody has made the file of the mark."""
    mark = Path(bytes(json.loads(text)["mark"]).decode())
    while not mark.exists():
        on_progress(41.0, 120.0)
        time.sleep(0.01)
    return run(text, seed)


def run_of_a_minute(text, seed, on_progress):
    """The core, with runs that last a minute, but those of "x" 0 a second."""
    began, lasts_s = time.monotonic(), 60 if json.loads(text)["x"] else 1.2
    while (elapsed_s := time.monotonic() - began) < lasts_s:
        on_progress(elapsed_s, lasts_s)
        time.sleep(0.01)
    return run(text, seed)


def run_and_tell(text, seed, on_progress):
    """The core, which makes a file with its process in the name, then waits for the mark."""
    mark = bytes(json.loads(text)["mark"]).decode()
    Path(f"{mark}-{os.getpid()}").touch()
    return run_with_progress(text, seed, on_progress)
