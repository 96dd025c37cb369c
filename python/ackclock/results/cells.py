"""The metrics of ATM: queues and losses of cells, and the rates and deliveries of VCs.

Sources: R. Jain, D. Chiu, W. Hawe, A Quantitative Measure of Fairness and Discrimination (1984),
for the index; J. D. C. Little, A Proof for the Queuing Formula L = lambda W (1961), for the delay.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from ackclock.results.metric import Columns, Metric, Number
from ackclock.stats.fairness import fairness_index

if TYPE_CHECKING:
    from ackclock.scenario import Facts

CATEGORIES = ("vbr", "abr", "ubr")
"""Service categories by their numbers in the table "classes"; GFR is counted as UBR."""
BACK = " (back)"
"""End of the name of a VC in the opposite direction to the data."""
_ABR = CATEGORIES.index("abr")
CELL_BITS = 53 * 8
"""Bits of a whole cell."""
_NO_ABR = "without an ABR VC"
_LOST = ("cells_refused", "cells_overflowed", "cells_cut")


def data_vcs(facts: Facts) -> np.ndarray:
    """Return the numbers of the VCs in the direction of the data: of flows, then of sources."""
    flows = len(facts.flow_names)
    return np.r_[flows : 2 * flows, 2 * flows : len(facts.vc_names) : 2].astype(int)


def _longest(columns: Columns) -> Mapping[str, float] | None:
    """Return the row of the port with the longest ABR queue; none if no ABR VC crosses a port."""
    table = columns.get("classes") or {}
    rows = np.flatnonzero(table["service"] == _ABR) if table else np.array([], dtype=int)
    if not rows.size:
        return None
    row = rows[np.argmax(table["max_queued"][rows])]
    return {name: values[row].item() for name, values in table.items()}


def _max_queue(columns: Columns, facts: Facts) -> Number:
    its = _longest(columns)
    return nan if its is None else its["max_queued"]


def _mean_queue(columns: Columns, facts: Facts) -> Number:
    its = _longest(columns)
    return nan if its is None else its["mean_queued"]


def _mean_delay(columns: Columns, facts: Facts) -> float:
    its = _longest(columns)
    if its is None or not its["cells_carried"]:
        return nan
    return its["mean_queued"] * facts.duration_s / its["cells_carried"]


def _cells_lost(columns: Columns, facts: Facts) -> Number:
    table = columns["ports"]
    if not table["link"].size:
        return nan
    return sum(int(table[name].sum()) for name in _LOST)


def _abr_data_vcs(columns: Columns, facts: Facts) -> np.ndarray:
    """Return the numbers of the ABR VCs in the direction of the data; empty without ABR."""
    if not facts.vc_names:
        return np.array([], dtype=int)
    data = data_vcs(facts)
    return data[~np.isnan(columns["vcs"]["mean_acr_bit_s"][data])]


def _fairness(columns: Columns, facts: Facts) -> float:
    vcs = _abr_data_vcs(columns, facts)
    if not vcs.size:
        return nan
    return fairness_index(columns["vcs"]["cells_received"][vcs].astype(float), 1.0)


def _mean_acr(columns: Columns, facts: Facts) -> float:
    vcs = _abr_data_vcs(columns, facts)
    return float(columns["vcs"]["mean_acr_bit_s"][vcs].mean()) if vcs.size else nan


def _source_rate(columns: Columns, facts: Facts) -> float:
    first = 2 * len(facts.flow_names)
    if first >= len(facts.vc_names):
        return nan
    cells = int(columns["vcs"]["cells_received"][first::2].sum())
    return cells * CELL_BITS / facts.duration_s


CELL_METRICS: dict[str, Metric] = {
    "cells_lost": Metric(
        "cells", "cells that ports refused or lost, all ports", _cells_lost, "in packet networks"
    ),
    "abr_max_queue_cells": Metric(
        "cells", "longest ABR queue of any port in the whole run", _max_queue, _NO_ABR
    ),
    "abr_mean_queue_cells": Metric(
        "cells", "ABR queue of the port where it was longest, mean over time", _mean_queue, _NO_ABR
    ),
    "abr_mean_queue_delay_s": Metric(
        "s",
        "what ABR cells waited at that port, their own sending included, mean",
        _mean_delay,
        f"{_NO_ABR}, or if that port sent no cell of it",
    ),
    "mean_acr_bit_s": Metric(
        "bit/s",
        "allowed cell rate over time, mean over the ABR VCs with the data",
        _mean_acr,
        _NO_ABR,
    ),
    "abr_fairness": Metric(
        "1",
        "Jain's index of what ABR VCs with the data delivered",
        _fairness,
        f"{_NO_ABR}, or if nothing was delivered",
        share=True,
    ),
    "source_rate_bit_s": Metric(
        "bit/s",
        "whole cells of sources without TCP that arrived, all sources",
        _source_rate,
        "without a source of cells",
    ),
}
"""Metrics of ATM networks, in the order in which they are shown; nan in other networks."""
