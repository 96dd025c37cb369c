"""What was tried to explain the cells that differ most from print: each setting by itself.

Usage, from the project's root: .venv/bin/python docs/validation/attempts.py STUDY [FOLDER]
writes docs/validation/STUDY/attempts.csv. All settings have the same random numbers. An interrupted
call goes on where it was; FOLDER, by default out/attempts, has the runs.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from ackclock.studies import study_of
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.running import Execution, run_all

HERE = Path(__file__).parent
DEFAULTS = "(defaults)"


class Attempts(NamedTuple):
    """What is run.

    Attributes:
        levels: of which the cells are.
        replications: of each cell.
        columns: of the results that are kept.
        settings: each a row "key=value", with semicolons between several.
    """

    levels: Mapping[str, Any]
    replications: int
    columns: list[str]
    settings: tuple[str, ...]


ATTEMPTS = {
    "ubr-web": Attempts(
        {"links": ("WAN", "GEO"), "flavors": ("Vanilla", "NewReno", "SACK"), "buffers": (2.0,)},
        3,
        ["link", "drop_policy", "tcp_flavor", "buffer_rtt", "efficiency", "fairness"],
        (
            "clock.phase=uniform 300 us",
            "clock.phase=uniform 100 ms",
            "tcp.min_rto=400 ms",
            "tcp.min_rto=1 s",
            "tcp.timers=fine",
            "tcp.initial_ssthresh=unlimited",
            "tcp.ssthresh_from=flight_size",
            "tcp.ssthresh_rounding=segments",
            "tcp.cwnd_validation=true",
            "tcp.idle_restart=true",
            "tcp.sws_avoidance=true",
            "tcp.delayed_ack=200 ms",
            "tcp.limited_transmit=true",
            "tcp.careful_fast_retransmit=true",
            "tcp.deflation=full",
            "tcp.historic.additive_constant=true",
            "variables.newreno=newreno",
            "variables.newreno=newreno_full",
            "workload.start_spread=10 s",
            "workload.period_from=last_request",
            "workload.file_index=uniform",
            "workload.requests=five",
            "topology.port.r=0.9",
            "topology.port.z=1",
            "topology.port.eom=drop",
            "duration=300 s",
        ),
    ),
    "rfc2415": Attempts(
        {"parts": ("tables",), "http": ("1.0",), "webs": (16, 32), "iw": (1, 4)},
        10,
        ["webs", "ftps", "iw", "drop_pct"],
        (
            "tcp.historic.handshake_sample=true",
            "tcp.initial_rto=3 s",
            "tcp.initial_rto=12 s",
            "tcp.initial_rto=24 s",
            "tcp.min_rto=1 s",
            "tcp.min_rto=3 s",
            "tcp.timers=fine",
            "clock.tick=500 ms; clock.phase=uniform 500 ms; tcp.min_rto=1 s",
            "tcp.ssthresh_from=cwnd",
            "tcp.careful_fast_retransmit=true",
            "tcp.flavor=newreno",
            "tcp.flavor=vanilla",
            "tcp.flavor=vanilla; tcp.initial_rto=24 s; tcp.min_rto=3 s",
            "tcp.delayed_ack=200 ms",
            "tcp.receive_buffer=8 segments",
            "tcp.receive_buffer=20 segments",
            "topology.bottleneck.queue.limit=20 packets",
            'topology.bottleneck.queue={ kind = "red", min_thresh = "5 packets",'
            ' max_thresh = "15 packets", limit = "25 packets" }',
        ),
    ),
    "abr-web": Attempts(
        {"parts": ("table2",), "servers": (7, 11, 15)},
        10,
        ["servers", "max_queue_cells", "efficiency_pct"],
        (
            "topology.switch.ccr=measured",
            "topology.switch.load_average=ratio",
            "topology.abr.icr=1 Mbit/s",
            "workload.start_spread=0 s",
            "workload.period_from=first_request",
            "duration=50 s",
        ),
    ),
}
"""By study."""


def attempts(name: str, folder: Path) -> pd.DataFrame:
    """The results of all settings, the defaults first; column setting, then those that are kept."""
    study, its = study_of(name), ATTEMPTS[name]
    how = Execution(folder / name)
    tables = []
    for setting in (DEFAULTS, *its.settings):
        sets = () if setting == DEFAULTS else tuple(map(str.strip, setting.split(";")))
        request = Request(study, sets, its.levels, its.replications)
        made = run_all(request, how, alone=True)
        tables.append(made.results[its.columns].assign(setting=setting))
        print(setting, flush=True)
    return pd.concat(tables)[["setting", *its.columns]]


def main(name: str, folder: str = "out/attempts") -> None:
    """Write the table of a study."""
    table = attempts(name, Path(folder))
    table.to_csv(
        HERE / name / "attempts.csv", index=False, float_format="%.4f", lineterminator="\n"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
