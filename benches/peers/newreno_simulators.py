"""Runs of the loads of ``newreno_inputs`` in each simulator, and what they tell alike."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from typing import NamedTuple

from inputs import HERE
from newreno_inputs import BACKGROUND, FOREGROUND, Inputs, Load

from ackclock import _core

NS3 = HERE.parents[1] / "target" / "peers" / "newreno"
NS3_TCP = {"newreno": "TcpNewReno", "cubic": "TcpCubic", "bbr": "TcpBbr"}
"""What ns-3 calls the TCP of a load."""
TIMESTAMPS_BYTES = 12
"""Of a packet, with the padding."""


class Measured(NamedTuple):
    """A run of the background load, without its warm-up.

    Attributes:
        newreno_mbit_s: what the NewReno flow of the foreground gets delivered, Mbit/s.
        reno_mbit_s: the same of the Reno flow.
        drops: share of the packets offered to the bottleneck that are dropped, per cent.
        utilisation: share of the bottleneck's time that is used, per cent.
    """

    newreno_mbit_s: float
    reno_mbit_s: float
    drops: float
    utilisation: float


def ns2_command(
    its: Load, given: Inputs, options: Sequence[str] = (), duration_s: float | None = None
) -> list[str]:
    """The command that runs ns-2, for the whole load or so many seconds of it."""
    # ns-2 refuses the packet that would be the limit-th to wait.
    own = {
        "flows": given.path,
        "rate": f"{its.rate_mbit}Mb",
        "access": f"{its.access_mbit}Mb",
        "delay": its.delay_ms / 1e3,
        "limit": its.limit + 1,
        "segment": its.segment,
        "duration": duration_s or its.duration_s,
        "warmup": its.warm_up_s,
    }
    words = [word for key, value in own.items() for word in (f"-{key}", str(value))]
    return ["ns", str(HERE / "newreno.tcl"), *words, *options]


def ns3_command(its: Load, given: Inputs) -> list[str]:
    """The command that runs ns-3."""
    rates = f"{its.rate_mbit}Mbps", str(its.delay_ms / 1e3), f"{its.access_mbit}Mbps"
    # ns-3's segment size does not count options; a longer packet would be cut into fragments.
    segment = its.segment - (TIMESTAMPS_BYTES if its.is_modern else 0)
    sizes = map(str, (its.limit, segment, its.duration_s))
    return [str(NS3), str(given.path), *rates, *sizes, NS3_TCP[its.tcp]]


def counts(output: str) -> dict[str, float]:
    """What ns-2 or ns-3 has printed: a name and a value a line."""
    return {name: float(value) for name, value in map(str.split, output.splitlines())}


def run_ackclock(given: Inputs, seed: int) -> Measured:
    """A run of ackclock.

    Raises:
        RuntimeError: it lost packets on the way back.
    """
    columns = _core.run(given.plan, seed)
    links, delivered = columns["links"], columns["flows"]["delivered_bytes"]
    if links["packets_dropped"][1]:
        raise RuntimeError("ackclock dropped packets on the way back")
    counted = BACKGROUND.duration_s - BACKGROUND.warm_up_s
    return Measured(
        *(float(8e-6 * delivered[flow] / counted) for flow in FOREGROUND.values()),
        100 * float(links["packets_dropped"][0] / links["packets_offered"][0]),
        100 * float(links["utilisation"][0]),
    )


def run_ns2(given: Inputs, seed: int, options: Sequence[str] = ()) -> Measured:
    """A run of ns-2; see ``run_ackclock``.

    Raises:
        RuntimeError: ns-2 failed, or lost packets on the way back.
    """
    command = ns2_command(BACKGROUND, given, ("-seed", str(seed), *options))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode or done.stderr:
        raise RuntimeError(f"ns-2: {done.stderr}")
    return measured_ns2(counts(done.stdout))


def measured_ns2(its: dict[str, float]) -> Measured:
    """What ns-2's counts say.

    Raises:
        RuntimeError: packets were lost on the way back.
    """
    if its["pdrops_back"]:
        raise RuntimeError("ns-2 dropped packets on the way back")
    counted = BACKGROUND.duration_s - BACKGROUND.warm_up_s
    segment = 8e-6 * BACKGROUND.segment
    return Measured(
        *(its[f"acked_{flow}"] * segment / counted for flow in FOREGROUND.values()),
        100 * its["pdrops"] / its["parrivals"],
        100 * 8e-6 * its["bdepartures"] / BACKGROUND.rate_mbit / counted,
    )
