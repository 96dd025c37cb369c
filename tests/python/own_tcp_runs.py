"""Runs with congestion controls in Python."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import numpy as np

from ackclock import _core
from ackclock.code_permission import code_allowed
from ackclock.scenario import load
from ackclock.scenario.plan import canonical_json

CLASSES = Path(__file__).parent / "own_tcp"
"""Reno and CUBIC as classes."""
SCENARIO = """
duration = "20 s"

[topology]
kind = "dumbbell"
access = { rate = "1 Gbit/s", delay = "1 ms" }

[topology.bottleneck]
rate = "20 Mbit/s"
delay = "15 ms"
queue = { limit = "60 packets" }

[workload]
kind = "bulk"
start_spread = "500 ms"

[tcp]
slow_start = "standard"
"""
"""One flow with losses."""
METHODS = {
    "__init__": ("flow", "self.mss = flow.mss"),
    "on_ack": ("sample", "self.cwnd += sample.acked"),
    "on_congestion": ("cause", "self.ssthresh = self.cwnd // 2"),
}


def class_text(name: str = "MyControl", head: str = "", **bodies: str) -> str:
    """The text of a class that grows by what is acknowledged; with other bodies of methods."""
    lines = [f"class {name}:", *([f"    {head}"] if head else [])]
    for method, (parameter, usual) in METHODS.items():
        body = dedent(bodies.pop(method, usual)).strip()
        lines += [f"    def {method}(self, {parameter}):", indent(body, " " * 8)]
    for method, body in bodies.items():
        signature, _, rest = body.partition("\n")
        lines += [f"    def {method}{signature}:", indent(dedent(rest), " " * 8)]
    return "\n".join(lines) + "\n"


def plan_of(flavor: str, *sets: str, text: str = SCENARIO) -> str:
    """The plan of the first point of a scenario with a flavor."""
    made = load(text, [f"tcp.flavor={flavor}", *sets]).points()[0].compile().plan
    return canonical_json(made)


def columns_of(flavor: str, *sets: str, text: str = SCENARIO, seed: int = 1) -> Any:
    """The columns of that run."""
    with code_allowed():
        return _core.run(plan_of(flavor, *sets, text=text), seed)


def without_text(plan: str) -> str:
    """A plan whose code comes from ``make_control``."""
    made = json.loads(plan)
    for tcp in made["tcps"]:
        tcp["flavor"] = {"python": {"file": "here", "class": "Here", "text": ""}}
        tcp["options"]["pacing"] = "cc"
    return json.dumps(made)


def controlled_run(make: Any, *sets: str, text: str = SCENARIO, seed: int = 1) -> Any:
    """The columns of a run whose congestion controls a callable makes."""
    run = _core.Run(without_text(plan_of("reno_sack", *sets, text=text)), seed, make)
    while run.advance(60) < 1:
        pass
    return run.columns()


def differences(ones: Any, others: Any) -> list[str]:
    """The columns in which two runs differ in a bit."""
    assert ones.keys() == others.keys()
    return [
        f"{table}.{column}"
        for table in ones
        for column in ones[table].keys() | others[table].keys()
        if not _same(ones[table][column], others[table][column])
    ]


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, list):
        return bool(one == other)
    return one.dtype == other.dtype and one.tobytes() == other.tobytes()


def total(columns: Any, name: str) -> int:
    """Sum of a column of the flows."""
    return int(np.sum(columns["flows"][name]))
