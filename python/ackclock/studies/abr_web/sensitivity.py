"""What each open convention is worth: the distances from Table 2 with each alternative."""

from __future__ import annotations

import pandas as pd

from ackclock.studies.abr_web.analysis import Errors, errors
from ackclock.studies.abr_web.levels import TABLE2
from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.sensitivity import Sensitivity, alternatives

_SERVERS = (1, 5, 10, 15)
"""Numbers of servers for which the longest queue is reported."""


def _rows(result: StudyResult) -> pd.DataFrame:
    """Distances from Table 2; queues, efficiency, response."""
    by_servers = result.tables["results"].set_index("servers")
    distances = dict(zip(Errors._fields, errors(result.tables["comparison"]), strict=True))
    queues = {f"max_queue_{n}": float(by_servers["max_queue_cells"][n]) for n in _SERVERS}
    row = {
        **distances,
        **queues,
        "efficiency_15_pct": float(by_servers["efficiency_pct"][15]),
        "response_5_s": float(by_servers["response_median_s"][5]),
    }
    return pd.DataFrame([row])


def _cells(rows: pd.DataFrame) -> list[str]:
    row = rows.iloc[0]
    return [
        f"{row.throughput_pct:.1f}",
        f"{row.efficiency:.1f}",
        f"{row.queue_factor:.2f}",
        f"{row.queue_ratio:.2f}",
        *(f"{row[f'max_queue_{n}']:.0f}" for n in _SERVERS),
        f"{row.efficiency_15_pct:.1f}",
        f"{row.response_5_s:.2f}",
    ]


SENSITIVITY = Sensitivity(
    alternatives(
        "topology.abr.icr=1 Mbit/s",
        "topology.abr.icr=45 Mbit/s",
        "topology.abr.icr=pcr",
        "duration=50 s",
        "duration=200 s",
        "workload.start_spread=0 s",
        "workload.start_spread=300 ms",
        "workload.start_spread=3 s",
        "workload.start_spread=10 s",
        "workload.period_from=first_request",
        "workload.first_alone=false",
        "workload.first_is_class_0=true",
        "workload.gap_min=100 ms; workload.gap_max=500 ms",
        "workload.requests=poisson_truncated",
        "workload.file_index=poisson_truncated",
        "topology.switch.ccr=measured",
        "topology.switch.load_average=ratio",
        "topology.switch.load_average=parts",
        "topology.switch.vc_decay=0.9",
        "topology.switch.immediate_fair_share=true",
        "topology.switch.count_both_directions=true",
        "topology.switch.limit_jump=false",
        "topology.abr.rif=0.0625",
        "topology.access.rate=149.76 Mbit/s",
        "tcp.idle_restart=false",
        "tcp.min_rto=500 ms",
        "tcp.min_rto=1 s",
        "tcp.timers=fine",
        "clock.tick=500 ms; clock.phase=uniform 500 ms; tcp.min_rto=1 s",
        "clock.phase=common",
        "tcp.sws_avoidance=false",
        "tcp.flavor=reno",
        "tcp.delayed_ack=200 ms",
        part=TABLE2,
    ),
    rows=_rows,
    headings=(
        "throughput (%)",
        "efficiency (points)",
        "maximum queue (factor)",
        "with signs",
        *(f"at N = {n} (cells)" for n in _SERVERS),
        "efficiency at N = 15 (%)",
        "response at N = 5 (s)",
    ),
    cells=_cells,
)
