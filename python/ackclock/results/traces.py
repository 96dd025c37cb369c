"""What probes recorded in one run, as tables for Parquet files.

Flows and links are numbers here: a run is the same run whatever its flows are called, and its files
outlive a change of names. ``Results`` puts the names in.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa

TABLES = ("queue", "goodput", "cwnd")


def tables(columns: Mapping[str, Mapping[str, np.ndarray]]) -> dict[str, pa.Table]:
    """The tables that were asked for, with the columns of the core.

    Returns:
        Of these the ones with columns:

        - queue: link, time_s (start of the bin), max_length (packets or cells);
        - goodput: flow, time_s (start of the bin), delivered_bytes (in the bin);
        - cwnd: flow, time_s, cwnd_bytes, ssthresh_bytes, flight_size_bytes; a row a change.
    """
    return {name: pa.table(dict(columns[name])) for name in TABLES if columns[name]}
