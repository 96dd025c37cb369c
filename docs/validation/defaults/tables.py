"""The tables of reference/scenario.md on RED's defaults and on `ssthresh_from`.

`python docs/validation/defaults/tables.py` prints them, from runs of a dumbbell with endless
transfers and all defaults but what a table names. A cell has the utilisation of the bottleneck and,
in brackets, the time-outs of all flows; with RED both are means of five replications.
"""

from collections.abc import Iterator, Sequence
from math import exp
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd

import ackclock

FLAVORS = (
    "vanilla",
    "reno",
    "newreno",
    "newreno_hoe",
    "newreno_full",
    "sack",
    "sack_rfc6675",
    "cubic",
)
AFTER_A_LOSS = {
    "flight_size": "as_published",
    "cwnd": "as_published",
    "cwnd_deflated": "as_published",
    "flight_size_bounded": "preset",
}
"""`ssthresh_from`, each with `careful_fast_retransmit`."""
RED_PATHS = ((50, 20), (50, 50), (100, 20), (100, 5), (10, 20))
"""Rates, Mbit/s, and one-way delays, ms."""
LOSS_PATHS = {
    "newreno": (
        (10, 20, "1 rtt"),
        (1, 100, "1 rtt"),
        (20, 20, "1 rtt"),
        (10, 100, "100 packets"),
        (10, 100, "10 packets"),
        (20, 98, "0.5 rtt"),
        (50, 20, "red"),
    ),
    "reno": (
        (10, 20, "1 rtt"),
        (10, 100, "100 packets"),
        (10, 100, "10 packets"),
        (20, 98, "0.5 rtt"),
        (50, 20, "red"),
    ),
}
_QUEUE = "topology.bottleneck.queue"
_SCENARIO = """
title = "Defaults"
duration = "{duration} s"
warm_up = "{warm_up} s"
replications = {replications}

[topology]
kind = "dumbbell"
bottleneck = {{ rate = "{rate} Mbit/s", delay = "{delay} ms", queue = {queue} }}

[workload]
kind = "bulk"

[sweep.factors]
{factors}
"""
_PACKET_BITS = 1500 * 8


def main() -> None:
    """Print the tables."""
    for table in (red_variants, red_flavors, after_a_loss):
        print("\n".join(table()), end="\n\n")


def red_variants() -> Iterator[str]:
    """Fixed thresholds, those of the paper on adaptive RED, and the defaults."""
    flavors = ("reno", "sack_rfc6675")
    rows: dict[str, list[str]] = {flavor: [] for flavor in flavors}
    for rate, delay in RED_PATHS:
        variants = [_red(flavors, rate, delay, sets) for sets in (_fixed(), _of_paper(rate), ())]
        for flavor in flavors:
            cells = [f"{rate} Mbit/s, {2 * delay} ms", *(its[flavor] for its in variants)]
            rows[flavor].append(" | ".join(cells))
    for flavor, its in rows.items():
        yield from (f"| {'' if at else f'`{flavor}` '}| {row} |" for at, row in enumerate(its))


def red_flavors() -> Iterator[str]:
    """The defaults with every flavor."""
    paths = [_red(FLAVORS, rate, delay, ()) for rate, delay in ((50, 20), (100, 5))]
    for flavor in FLAVORS:
        yield f"| `{flavor}` | {' | '.join(path[flavor] for path in paths)} |"


def after_a_loss() -> Iterator[str]:
    """What `ssthresh_from` and `careful_fast_retransmit` are worth to a flow."""
    for flavor, paths in LOSS_PATHS.items():
        for rate, delay, queue in paths:
            by_red = queue == "red"
            rows = _measured(
                duration=60,
                warm_up=20,
                replications=5 if by_red else 1,
                rate=rate,
                delay=delay,
                queue='{ kind = "red" }' if by_red else f'{{ limit = "{queue}" }}',
                factors=f'"tcp.flavor" = ["{flavor}"]\n{_after_a_loss()}',
            )
            cells = [_cell(rows[rows["after_a_loss"] == how]) for how in AFTER_A_LOSS]
            yield f"| `{flavor}` | {rate} Mbit/s, {delay} ms | {queue} | {' | '.join(cells)} |"


def _after_a_loss() -> str:
    """The levels of `AFTER_A_LOSS` as a factor."""
    levels = (
        f'{how} = {{ "tcp.ssthresh_from" = "{how}", "tcp.careful_fast_retransmit" = "{careful}" }}'
        for how, careful in AFTER_A_LOSS.items()
    )
    return "\n".join(("[sweep.factors.after_a_loss]", *levels))


def _fixed() -> tuple[str, ...]:
    thresholds = (f"{_QUEUE}.min_thresh=5 packets", f"{_QUEUE}.max_thresh=15 packets")
    return (*thresholds, f"{_QUEUE}.weight=0.002", f"{_QUEUE}.adaptive=false")


def _of_paper(rate: int) -> tuple[str, ...]:
    """A target delay of 5 ms and a time constant of 1 s, whatever the path is."""
    packets_s = rate * 1e6 / _PACKET_BITS
    least = max(5, packets_s * 0.005 / 2)
    thresholds = (f"min_thresh={least:.3f} packets", f"max_thresh={3 * least:.3f} packets")
    weight = f"weight={1 - exp(-1 / packets_s):.8f}"
    return tuple(f"{_QUEUE}.{each}" for each in (*thresholds, weight))


def _red(flavors: Sequence[str], rate: int, delay: int, sets: Sequence[str]) -> dict[str, str]:
    """By flavor what one flow and four have."""
    rows = _measured(
        sets,
        duration=35,
        warm_up=5,
        replications=5,
        rate=rate,
        delay=delay,
        queue='{ kind = "red" }',
        factors=f'"topology.pairs" = [1, 4]\n"tcp.flavor" = {list(flavors)}',
    )
    by = rows.groupby(["tcp_flavor", "topology_pairs"])
    return {
        flavor: ", ".join(_cell(by.get_group((flavor, pairs))) for pairs in (1, 4))
        for flavor in flavors
    }


def _measured(sets: Sequence[str] = (), **values: object) -> pd.DataFrame:
    with TemporaryDirectory() as folder:
        text = _SCENARIO.format(**values)
        return ackclock.run(text, Path(folder) / "runs", sets=list(sets)).metrics


def _cell(rows: pd.DataFrame) -> str:
    return f"{rows['utilisation'].mean():.2f} ({rows['timeouts'].mean():.0f})"


if __name__ == "__main__":
    main()
