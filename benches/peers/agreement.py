"""ns-2 and ackclock on the same scenario, with the same sizes and pauses: do they tell the same?

For an uncongested, a congested and an overloaded bottleneck: utilisation, drop rate and median page
delay of both, and their difference over replications, paired by the file of sizes, with intervals
of which all nine together hold at 95 % (Bonferroni). Then each convention that could be otherwise,
switched alone, with what it moves; and the packets by kind in the overloaded case.

Prints tables, and writes them as CSV files.
Usage: python benches/peers/agreement.py [REPLICATIONS [FOLDER]]
"""

from __future__ import annotations

import csv
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from inputs import write_pauses, write_sizes
from packets import kinds_of_packets
from simulators import Measured, run_ackclock, run_ns2

from ackclock.campaign.processors import processors
from ackclock.stats import paired_comparison

CASES = {"uncongested": (8, 0), "congested": (16, 1), "overloaded": (32, 3)}
METRICS = {"utilisation": "%", "drops": "%", "page_delay_s": "s"}
CONFIDENCE = 0.95


class Switch(NamedTuple):
    """A convention, and what is otherwise if it is switched.

    Attributes:
        simulator: whose.
        name: what is otherwise.
        options: that bring it about.
    """

    simulator: str
    name: str
    options: tuple[str, ...]


SWITCHES = (
    Switch("ns-2", "queue limit 25, so that 24 wait", ("-limit", "25")),
    Switch("ns-2", "the server's FIN goes through the network", ("-fin", "network")),
    Switch("ns-2", "ticks of 100 ms", ("-tick", "0.1")),
    Switch(
        "ackclock",
        "a request is acknowledged before it is answered",
        ("flows[0].workload.answers_with_ack=false", "flows[1].workload.answers_with_ack=false"),
    ),
    Switch(
        "ackclock",
        "ticks of 100 ms",
        ("tcp.timers=ticks", "clock.tick=100 ms", "clock.phase=uniform 100 ms"),
    ),
    Switch("ackclock", "ssthresh from the data in flight", ("tcp.ssthresh_from=flight_size",)),
    Switch("ackclock", "the handshake's ACK opens cwnd", ("tcp.historic.handshake_growth=true",)),
)


class Inputs:
    """Files that both simulators read, made once for each case and replication."""

    def __init__(self, folder: Path) -> None:
        """Keep the files in a folder."""
        self.folder = folder

    def of(self, clients: tuple[int, int], seed: int) -> tuple[Path, Path]:
        """The files of sizes and of pauses."""
        webs, ftps = clients
        sizes = self.folder / f"sizes-{webs}-{ftps}-{seed}.csv"
        pauses = self.folder / f"pauses-{webs}-{ftps}-{seed}.csv"
        if not sizes.exists():
            write_sizes(sizes, seed)
            write_pauses(pauses, webs, ftps, sizes, seed)
        return sizes, pauses


def run(
    inputs: Inputs, simulator: str, case: str, seed: int, options: Sequence[str] = ()
) -> Measured:
    """One run of one simulator."""
    clients = CASES[case]
    sizes, pauses = inputs.of(clients, seed)
    if simulator == "ns-2":
        return run_ns2(clients, sizes, pauses, seed, options)
    # Without ftps there is no group whose workload an option could change.
    fitting = [option for option in options if clients[1] or not option.startswith("flows[1]")]
    return run_ackclock(clients, sizes, seed, fitting)


def compared(
    values: Sequence[Any],
    baseline: Sequence[Any],
    confidence: float,
    metrics: Mapping[str, str] = METRICS,
) -> Iterable[dict[str, Any]]:
    """A row a metric: the means, and the mean difference with its interval.

    Args:
        values: runs, with the metrics as attributes.
        baseline: the runs that they are compared with, in the same order.
        confidence: of each interval.
        metrics: names and units.
    """
    for metric, unit in metrics.items():
        pair = [[getattr(each, metric) for each in runs] for runs in (values, baseline)]
        its = paired_comparison(*pair, confidence)
        means = {"baseline": its.baseline_mean, "value": its.mean, "difference": its.difference}
        yield {"metric": metric, "unit": unit, "n": its.n, **means, "lo": its.lo, "hi": its.hi}


def agreement(runs: dict[tuple[str, str], list[Measured]]) -> list[dict[str, Any]]:
    """The difference of ackclock from ns-2, with intervals that hold jointly."""
    confidence = 1 - (1 - CONFIDENCE) / (len(CASES) * len(METRICS))
    return [
        {"case": case, "webs": webs, "ftps": ftps, **row, "agrees": row["lo"] <= 0 <= row["hi"]}
        for case, (webs, ftps) in CASES.items()
        for row in compared(runs["ackclock", case], runs["ns-2", case], confidence)
    ]


def effects(
    each: Callable[..., list[Measured]], runs: dict[tuple[str, str], list[Measured]]
) -> list[dict[str, Any]]:
    """What each switch moves, in the congested and the overloaded case."""
    return [
        {"simulator": switch.simulator, "switched": switch.name, "case": case, **row}
        for switch in SWITCHES
        for case in ("congested", "overloaded")
        for row in compared(
            each(switch.simulator, case, switch.options), runs[switch.simulator, case], CONFIDENCE
        )
    ]


def show(title: str, rows: Sequence[dict[str, Any]], path: Path) -> None:
    """Print rows, and write them as CSV."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows({key: plain(value) for key, value in row.items()} for row in rows)
    widths = {key: max(len(key), *(len(str(plain(row[key]))) for row in rows)) for key in rows[0]}
    print(f"\n{title}\n" + "  ".join(f"{key:<{width}}" for key, width in widths.items()))
    for row in rows:
        print("  ".join(f"{plain(row[key])!s:<{width}}" for key, width in widths.items()))


def plain(value: object) -> object:
    """A value as it is shown: four decimals at most, and yes or no."""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    return f"{value:.4f}" if isinstance(value, float) else value


def main() -> None:
    """Run, print and write."""
    replications = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    out = Path(sys.argv[2] if len(sys.argv) > 2 else "out/peers")
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(processors()) as pool:
        inputs = Inputs(Path(folder))

        def each(simulator: str, case: str, options: Sequence[str] = ()) -> list[Measured]:
            seeds = range(1, replications + 1)
            return list(pool.map(lambda seed: run(inputs, simulator, case, seed, options), seeds))

        runs = {(name, case): each(name, case) for case in CASES for name in ("ackclock", "ns-2")}
        show("ackclock less ns-2", agreement(runs), out / "agreement.csv")
        show("What a convention moves", effects(each, runs), out / "conventions.csv")
        kinds = kinds_of_packets(CASES["overloaded"], Path(folder))
        show("Packets at the bottleneck, one overloaded run", kinds, out / "packets.csv")


if __name__ == "__main__":
    main()
