"""What the paper prints."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from ackclock.studies.newreno.levels import (
    BACKGROUND,
    BERNOULLI,
    BOTTLENECKS,
    BUFFER,
    CURVE,
    DROP_TAIL,
    EMULATION,
    INTERNET,
    NEWRENO,
    RED,
    RENO,
    SCALING,
    UDP,
    Curve,
)
from ackclock.studies.newreno.predictions import FULL, PAPER, PFTK

_FOLDER = Path(__file__).parent / "published"
_PARTS = {
    "bernoulli": BERNOULLI,
    "http_ftp_background": BACKGROUND,
    "multiple_bottlenecks": BOTTLENECKS,
    "udp_background": UDP,
    "system_scaling": SCALING,
    "buffer_size": BUFFER,
    "emulation": EMULATION,
    "internet_japan": INTERNET,
}
_QUEUES = {"droptail": DROP_TAIL, "red": RED, "": DROP_TAIL}
_OF = (
    ("model_mean_error_pct", NEWRENO, FULL),
    ("pftk_on_newreno_mean_error_pct", NEWRENO, PFTK),
    ("pftk_on_reno_mean_error_pct", RENO, PFTK),
)
"""Column of the file, and which flow and model it is about."""
FILE_BYTES = 5_034_696
"""Of a transfer of Table IV: 3477 segments, from which its loss event rates follow."""
SEGMENT_BYTES = 1448
"""Data of a segment in Tables III and IV."""


def errors() -> pd.DataFrame:
    """The mean prediction errors in the text.

    Returns:
        Columns of ``Curve``, flow, model, inputs; published_mean_pct, published_range_pct (a text,
        "0-15" or "max 21"; empty if the paper gives none).
    """
    rows = []
    for row in _read("errors", dtype=str, keep_default_na=False).to_dict("records"):
        curve = Curve(_PARTS[row["experiment"]], _QUEUES[row["queue"]])
        for column, flow, model in _OF:
            if row[column]:
                span = row["model_error_range_pct"] if model == FULL else ""
                rows.append((*curve, flow, model, PAPER, float(row[column]), span))
    described = ["published_mean_pct", "published_range_pct"]
    return pd.DataFrame(rows, columns=[*CURVE, "flow", "model", "inputs", *described])


def emulation() -> pd.DataFrame:
    """Table III.

    Returns:
        Columns imposed_loss_pct, timeouts, fast_recoveries, rtt_ms, duration_s, bytes.
    """
    return _read("emulation")


def internet() -> pd.DataFrame:
    """Table IV.

    Returns:
        Columns imposed_loss_pct, timeouts, fast_recoveries, loss_event_rate_pct, rtt_ms,
        duration_s, measured_kbps, model_kbps.
    """
    return _read("internet")


def _read(name: str, **options: Any) -> pd.DataFrame:
    return pd.read_csv(_FOLDER / f"{name}.csv", **options)
