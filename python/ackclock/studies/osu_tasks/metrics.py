"""One run in numbers: efficiency, fairness, and what became of segments and cells.

Sources: ATM Forum 98-0876, section 6, for efficiency and max-min fairness.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.results.metric import Columns, Number
from ackclock.results.metrics import METRICS
from ackclock.studies.machinery.counting import counted_as_published

if TYPE_CHECKING:
    from ackclock.scenario import Facts

FORWARD = 0
_LOST = ("cells_refused", "cells_overflowed", "cells_cut")
_MEASURED = {
    "efficiency": "efficiency",
    "fairness": "max_min_fairness",
    "utilisation": "utilisation",
    "timeouts": "timeouts",
    "fast_retransmits": "fast_retransmits",
    "retransmitted_share": "retransmitted_share",
}
"""Metrics of ``ackclock.results.metrics``, by their names here."""


def measure(columns: Columns, facts: Facts) -> dict[str, Number]:
    """One run in numbers.

    Args:
        columns: tables "flows" (a row a pair) and "ports" (row 0 forward, 1 reverse), as the core
            returns them.
        facts: of the point.

    Returns:
        - efficiency, fairness (max_min_fairness), utilisation, timeouts, fast_retransmits,
          retransmitted_share: see ``ackclock.results.metrics`` and ``counted_as_published``;
          fairness is 1 where no source got anything, for all got the same;
        - cells_lost: in the direction of the data, because a policy refused the frame, the buffer
          was full, or an earlier cell of the frame was lost; cells_refused, cells_overflowed,
          cells_cut: each of these; frames_offered, frames_refused, frames_cut;
        - max_queue_cells, mean_queue_cells: at that port;
        - max_cwnd_bytes: the largest congestion window of all sources;
        - least_goodput_bit_s, most_goodput_bit_s: of the sources that delivered least and most.
    """
    columns = counted_as_published(columns)
    ports, flows = columns["ports"], columns["flows"]
    lost = {name: int(ports[name][FORWARD]) for name in _LOST}
    goodputs = flows["delivered_bytes"] * (8 / facts.duration_s)
    described = {name: METRICS[metric].of(columns, facts) for name, metric in _MEASURED.items()}
    if not flows["received_bytes"].any():
        described["fairness"] = 1.0
    return {
        **described,
        "cells_lost": sum(lost.values()),
        **lost,
        **{
            name: int(ports[name][FORWARD])
            for name in ("frames_offered", "frames_refused", "frames_cut", "max_queue_cells")
        },
        "mean_queue_cells": float(ports["mean_queue_cells"][FORWARD]),
        "max_cwnd_bytes": int(flows["max_cwnd_bytes"].max()),
        "least_goodput_bit_s": float(goodputs.min()),
        "most_goodput_bit_s": float(goodputs.max()),
    }
