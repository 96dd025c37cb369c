"""Runs a scenario of one bottleneck once, and what is asked of it."""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

import ackclock

HEAD = """
title = "known"
duration = "{duration} s"
warm_up = "{warm_up} s"
[topology]
kind = "dumbbell"
[topology.bottleneck]
rate = "{rate} Mbit/s"
delay = "{delay} ms"
queue = {queue}
"""


class Ran(NamedTuple):
    """A run.

    Attributes:
        its: metrics of the run.
        flows: metrics of the flows, by their names.
        waits: waiting times of all packets at the bottleneck: columns until_s, count; empty unless
            recorded.
        segments: of the flow that was recorded one by one; empty unless asked for.
    """

    its: pd.Series
    flows: pd.DataFrame
    waits: pd.DataFrame
    segments: pd.DataFrame

    def goodput(self, flow: str) -> float:
        """Of one flow, Mbit/s."""
        return self.flows.loc[flow, "goodput_bit_s"] / 1e6

    def ms(self, flow: str, delay: str) -> float:
        """A delay of one flow, ms."""
        return self.flows.loc[flow, f"{delay}_s"] * 1e3

    def wait_s(self, share: float) -> float:
        """The waiting time that a share of the packets does not exceed."""
        below = np.cumsum(self.waits["count"]) / self.waits["count"].sum()
        return float(self.waits["until_s"].to_numpy()[np.searchsorted(below, share)])


def group(flavor: str, count: int = 1, name: str = "", **tcp: str | int) -> str:
    """Flows of one flavor with further keys of their TCP."""
    keys = "".join(f"tcp.{key} = {value}\n" for key, value in tcp.items())
    head = f'[[flows]]\nname = "{name or flavor}"\ncount = {count}\n'
    return f'{head}tcp.flavor = "{flavor}"\n{keys}'


def udp(rate: str, name: str = "udp", count: int = 1, packet: int = 1500) -> str:
    """Sources of datagrams at a constant rate."""
    workload = f'{{ kind = "cbr", rate = "{rate}", packet_size = "{packet} B" }}'
    return f'[[flows]]\nname = "{name}"\ncount = {count}\nworkload = {workload}\n'


@functools.cache
def run(
    flows: str,
    *,
    rate: float,
    delay: float,
    queue: str,
    duration: float = 60,
    warm_up: float = 20,
    more: str = "",
    segments: str = "",
) -> Ran:
    """Runs a dumbbell once.

    Args:
        flows: groups of flows as text.
        rate: of the bottleneck, Mbit/s.
        delay: of the bottleneck one way, ms; half of the round trip.
        queue: of the bottleneck as text.
        duration: s.
        warm_up: s.
        more: further keys of the bottleneck.
        segments: the flow whose segments are recorded.
    """
    head = HEAD.format(rate=rate, delay=delay, queue=queue, duration=duration, warm_up=warm_up)
    probes = (
        f'[probes]\ndelays = true\nsegments = ["{segments}"]\n'
        if segments
        else ("[probes]\ndelays = true\n")
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "known.toml"
        path.write_text(head + more + "\n" + flows + probes, encoding="utf-8")
        results = ackclock.run(path, Path(folder) / "out", replications=1)
        delays = results.delays
        waits = delays[(delays["what"] == "queue") & delays["flow"].isna()]
        return Ran(
            results.metrics.iloc[0],
            results.flows.set_index("flow"),
            waits[["until_s", "count"]].reset_index(drop=True),
            results.segments(segments) if segments else pd.DataFrame(),
        )
