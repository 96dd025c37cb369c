"""What each open convention is worth: a part with its defaults, and with each alternative.

Conclusions that single runs reach with the defaults and miss with an alternative, or the other way
round, are what depends on a convention.
"""

from __future__ import annotations

import pandas as pd

from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.sensitivity import Sensitivity, alternatives
from ackclock.studies.osu_tasks.levels import (
    ANALYSED_METRICS,
    BUFFERED,
    BURSTY,
    GUARANTEED_RATE,
    POLICIES,
    RETRANSMIT,
)

_LONGER = "variables.warm_up_rtts=300; variables.measured_rtts=900"
_HALF = 0.5
_FROM_THE_START = "variables.warm_up_rtts=0; variables.measured_rtts=73"
"""40 s on the GEO link, slow start and its end included."""


def _rows(result: StudyResult) -> pd.DataFrame:
    """Mean efficiency and fairness over all points; conclusions that single runs reach or miss."""
    means = result.made.results[[*ANALYSED_METRICS]].mean()
    claims = result.claims
    reached = claims["reached"]
    found = {"reached": reached >= _HALF, "missed": reached < _HALF}
    names = {name: " ".join(claims.loc[which, "id"]) for name, which in found.items()}
    return pd.DataFrame([{**means, **names}])


def _cells(rows: pd.DataFrame) -> list[str]:
    row = rows.iloc[0]
    missed = ", ".join(f"`{each}`" for each in row["missed"].split())
    return [f"{row['efficiency']:.3f}", f"{row['fairness']:.3f}", missed or "none"]


SENSITIVITY = Sensitivity(
    (
        *alternatives(
            "clock.phase=common",
            "clock.phase=uniform 100 ms",
            "tcp.sws_avoidance=false",
            "tcp.min_rto=400 ms",
            "tcp.ssthresh_from=flight_size",
            "tcp.historic.additive_constant=true",
            "tcp.initial_ssthresh=65535 B",
            "variables.threshold=0.8",
            "variables.fba_threshold=0.9",
            "topology.port.eom=drop",
            "workload.start_spread=1 s",
            part=POLICIES.name,
        ),
        *alternatives(
            _LONGER,
            "variables.threshold=0.8",
            "variables.fba_threshold=0.9",
            "topology.port.z=1",
            "tcp.sws_avoidance=false",
            "workload.start_spread=10 s",
            part=BUFFERED.name,
        ),
        *alternatives("variables.vbr_peak=124.42 Mbit/s", part=GUARANTEED_RATE.name),
        *alternatives("tcp.sws_avoidance=true", "clock.phase=uniform 100 ms", part=BURSTY.name),
        *alternatives(
            _FROM_THE_START,
            _LONGER,
            "topology.port.policy=tail",
            "topology.port.r=0.8",
            part=RETRANSMIT.name,
        ),
    ),
    rows=_rows,
    headings=("efficiency", "fairness", "conclusions that most tables of single runs miss"),
    cells=_cells,
)
