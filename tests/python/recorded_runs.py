"""Runs that record events and delays: two bulk flows and a call behind one bottleneck."""

from __future__ import annotations

from pathlib import Path

import pytest

import ackclock
from ackclock.errors import InputError
from ackclock.results import Results
from ackclock.scenario import load

_SCENARIO = """
title = "recorded"
{times}
[topology]
kind = "dumbbell"
bottleneck = {{ rate = "10 Mbit/s", delay = "20 ms", queue = {{ limit = "30 packets" }} }}
[[flows]]
name = "bulk"
count = 2
tcp.flavor = "cubic"
[[flows]]
name = "call"
workload = {{ kind = "cbr", rate = "80 kbit/s", packet_size = "200 B" }}
[probes]
"""


def scenario(times: str, probes: str) -> str:
    """The text of a scenario.

    Args:
        times: its first lines: duration, and warm-up if it has one.
        probes: lines of its last table.
    """
    return _SCENARIO.format(times=times) + probes


def made(text: str, folder: Path, replications: int) -> Results:
    """The runs of a scenario, in a folder of their own."""
    (folder / "lab.toml").write_text(text, encoding="utf-8")
    return ackclock.run(folder / "lab.toml", folder / "out", replications=replications, jobs=1)


def check_told(text: str, setting: str, told: str) -> None:
    """A setting is refused with these words."""
    with pytest.raises(InputError) as caught:
        load(text, [setting]).points()[0].compile()
    assert told in str(caught.value)
