"""What each open convention is worth: the distances from the RFC's tables with each alternative.

One of them is the policy of the ns-2 script that survives beside the TCP of the RFC: every second
segment is acknowledged, with a timer that runs freely, once 16 KiB were acknowledged one by one.
Few replications leave most claims undecided. How many conclusions a table of single runs reaches
needs no more than two.
"""

from __future__ import annotations

import pandas as pd

from ackclock.studies.machinery.claims import expected
from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.sensitivity import Sensitivity, alternatives
from ackclock.studies.rfc2415.analysis import CLOCK, Errors, errors


def _rows(result: StudyResult) -> pd.DataFrame:
    """The distances from the published tables, and how many conclusions single runs reach."""
    distances = dict(zip(Errors._fields, errors(result.tables["comparison"]), strict=True))
    return pd.DataFrame([{**distances, "reached": expected(result.claims)}])


def _cells(rows: pd.DataFrame) -> list[str]:
    row = rows.iloc[0]
    *distances, drops = (row[name] for name in Errors._fields)
    return [*(f"{each:.1f}" for each in distances), f"{drops:.2f}", f"{row.reached:.1f}"]


SENSITIVITY = Sensitivity(
    alternatives(
        f"--{CLOCK} request",
        f"--{CLOCK} open",
        "topology.access.delay=1 ms",
        "topology.access.delay=12.5 ms",
        "topology.hosts=1",
        "topology.bottleneck.queue.limit=24 packets",
        'topology.bottleneck.reverse_impairments=[{ kind = "jitter", spread = "2 ms" }]',
        "tcp.historic.handshake_growth=true",
        "tcp.historic.handshake_sample=true",
        "tcp.nagle=true",
        "tcp.delayed_ack=100 ms",
        "tcp.delayed_ack=400 ms; tcp.ack_timer=free_running; tcp.quick_ack_size=16 KiB",
        "tcp.ssthresh_from=cwnd",
        "tcp.ssthresh_rounding=segments",
        "tcp.ssthresh_from=cwnd; tcp.ssthresh_rounding=segments",
        "tcp.timers=fine",
        "tcp.flavor=newreno",
        "tcp.min_rto=400 ms",
        "tcp.min_rto=1 s",
        "tcp.initial_rto=3 s",
        "tcp.initial_rto=3 s; tcp.historic.handshake_sample=true",
        "clock.phase=open",
        "workload.answers_with_ack=false",
        "workload.sizes_interpolation=none",
        "workload.request_size=231 B",
        "workload.start_spread=5 s",
    ),
    rows=_rows,
    headings=(
        "delay at IW 1, HTTP/1.0 (%)",
        "HTTP/1.1 (%)",
        "decrease (points)",
        "utilisation (points)",
        "drops (points)",
        "conclusions reached by single runs",
    ),
    cells=_cells,
)
