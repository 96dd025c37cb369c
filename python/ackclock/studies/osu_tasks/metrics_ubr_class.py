"""One run of the parts on guaranteed rate and GFR in numbers.

Source: OSU, TCP over UBR (002), tasks 4a and 4b, for what is asked. The formulas are those of
``ackclock.results``; efficiency with VBR in the background counts what VBR leaves.
"""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING

import numpy as np

from ackclock.results.cells import CATEGORIES, CELL_BITS
from ackclock.results.metric import Columns, Number
from ackclock.results.metrics import METRICS
from ackclock.studies.machinery.counting import counted_as_published

if TYPE_CHECKING:
    from ackclock.scenario import Facts

TRUNK = 0
"""The line that carries the data from one switch to the other; its port is the bottleneck."""
_PLAIN = ("efficiency", "utilisation", "timeouts", "fast_retransmits", "retransmitted_share")
"""Metrics of ``ackclock.results.metrics``, by their names here; so are the following."""
_CONTRACTS = (
    "mcr_share",
    "mcr_share_mean",
    "excess_fairness",
    "excess_fairness_proportional",
    "eligible_lost_share",
)


def measure_guaranteed_rate(columns: Columns, facts: Facts) -> dict[str, Number]:
    """One run of task 4b in numbers.

    Args:
        columns: tables "flows", "ports", "classes" and "vcs", as the core returns them.
        facts: of the point.

    Returns:
        - efficiency: TCP payload that arrived (the highest sequences received) over the payload of
          full frames in what VBR leaves of the trunk: its rate without the mean rate of VBR. The
          guaranteed part does not change it, because VBR that has to wait for UBR is sent later;
        - fairness (max_min_fairness), utilisation, timeouts, fast_retransmits,
          retransmitted_share: see ``ackclock.results.metrics`` and ``counted_as_published``;
        - cells_lost, max_queue_cells, mean_queue_cells: of UBR, at the trunk's port;
        - vbr_bit_s: whole cells of VBR that arrived; vbr_delay_s: what they waited at that port on
          average, their own sending included.
    """
    columns = counted_as_published(columns)
    ubr, vbr = (_class_row(columns, name) for name in ("ubr", "vbr"))
    carried = vbr["cells_carried"]
    return {
        **{name: METRICS[name].of(columns, facts) for name in _PLAIN},
        "fairness": METRICS["max_min_fairness"].of(columns, facts),
        "cells_lost": ubr["cells_lost"],
        **_queue(ubr),
        "vbr_bit_s": METRICS["source_rate_bit_s"].of(columns, facts),
        "vbr_delay_s": vbr["mean_queued"] * facts.duration_s / carried if carried else nan,
    }


def measure_gfr(columns: Columns, facts: Facts) -> dict[str, Number]:
    """One run of task 4a in numbers.

    Args:
        columns: tables "flows", "ports", "classes" and "vcs", as the core returns them.
        facts: of the point, with the MCRs of its VCs.

    Returns:
        - mcr_share (of the VC with the least), mcr_share_mean, excess_fairness,
          excess_fairness_proportional, eligible_lost_share: see ``ackclock.results.contracts``;
        - group_1_mcr_share ...: mean share of the VCs of each group, in the order of the file;
        - eligible_share: eligible frames over all frames that came to the policer;
        - efficiency, utilisation, timeouts, fast_retransmits, retransmitted_share: see
          ``ackclock.results.metrics`` and ``counted_as_published``;
        - cells_lost, max_queue_cells, mean_queue_cells: at the trunk's port.
    """
    columns = counted_as_published(columns)
    ubr, vcs = _class_row(columns, "ubr"), columns["vcs"]
    flows = len(facts.flow_names)
    data = slice(flows, 2 * flows)
    frames = int(vcs["frames"][data].sum())
    return {
        **{name: METRICS[name].of(columns, facts) for name in _CONTRACTS},
        **_groups(columns, facts),
        "eligible_share": int(vcs["frames_eligible"][data].sum()) / frames if frames else nan,
        **{name: METRICS[name].of(columns, facts) for name in _PLAIN},
        "cells_lost": ubr["cells_lost"],
        **_queue(ubr),
    }


def _groups(columns: Columns, facts: Facts) -> dict[str, float]:
    """Mean over the VCs of each group of what they delivered over their MCR."""
    flows = len(facts.flow_names)
    mcr = np.array(facts.vc_mcr_bit_s[flows : 2 * flows], dtype=float)
    cells = columns["vcs"]["cells_delivered"][flows : 2 * flows].astype(float)
    shares = cells * (CELL_BITS / facts.duration_s) / mcr
    groups = np.array(facts.flow_groups)
    return {
        f"group_{at}_mcr_share": float(shares[groups == name].mean())
        for at, name in enumerate(dict.fromkeys(facts.flow_groups), start=1)
    }


def _class_row(columns: Columns, category: str) -> dict[str, Number]:
    """The row of a category at the trunk's port."""
    table = columns["classes"]
    its = (table["port"] == TRUNK) & (table["service"] == CATEGORIES.index(category))
    return {name: values[its][0].item() for name, values in table.items()}


def _queue(row: dict[str, Number]) -> dict[str, Number]:
    return {"max_queue_cells": row["max_queued"], "mean_queue_cells": row["mean_queued"]}
