"""What each open convention is worth: the distances from the published results."""

from __future__ import annotations

import pandas as pd

from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.sensitivity import Sensitivity, alternatives
from ackclock.studies.ubr_web.analysis import METRICS, errors
from ackclock.studies.ubr_web.levels import LINKS


def _rows(result: StudyResult) -> pd.DataFrame:
    """The distances, a row a link."""
    return errors(result.tables["comparison"]).reset_index()


def _cells(rows: pd.DataFrame) -> list[str]:
    """Error (bias) of each link and metric."""
    return [
        f"{row[f'{metric}_error']:.3f} ({row[f'{metric}_bias']:+.3f})"
        for row in rows.to_dict("records")
        for metric in METRICS
    ]


SENSITIVITY = Sensitivity(
    alternatives(
        "clock.phase=common",
        "clock.phase=uniform 100 us",
        "clock.phase=uniform 200 us",
        "clock.phase=uniform 300 us",
        "clock.phase=uniform 1 ms",
        "clock.phase=uniform 100 ms",
        "clock.phase=open",
        "tcp.min_rto=400 ms",
        "tcp.min_rto=1 s",
        "tcp.initial_rto=6 s",
        "tcp.sws_avoidance=true",
        "tcp.idle_restart=true",
        "tcp.ssthresh_from=flight_size",
        "tcp.ssthresh_rounding=segments",
        "tcp.historic.additive_constant=true",
        "variables.newreno=newreno_full",
        "variables.newreno=newreno",
        "workload.start_spread=10 ms",
        "workload.start_spread=10 s",
        "workload.period_from=last_request",
        "workload.file_index=uniform",
        "workload.requests=five",
        "workload.first_is_class_0=true",
        "topology.port.eom=drop",
    ),
    rows=_rows,
    headings=tuple(f"{link} {metric}" for link in LINKS for metric in METRICS),
    cells=_cells,
)
