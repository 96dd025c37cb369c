"""One run in numbers: the metrics of 98-0876, section 6, and what became of the cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ackclock.results.metric import Columns, Number
from ackclock.results.metrics import METRICS
from ackclock.studies.machinery.counting import counted_as_published

if TYPE_CHECKING:
    from ackclock.scenario import Facts

FORWARD, REVERSE = 0, 1
STARVED = "starved_servers"
_LOST = ("cells_refused", "cells_overflowed", "cells_cut")
_FRAMES = ("frames_offered", "frames_refused", "frames_cut")
_SENDERS = ("timeouts", "fast_retransmits", "retransmitted_share")


def measure(columns: Columns, facts: Facts) -> dict[str, Number]:
    """One run in numbers.

    Args:
        columns: tables "flows" (a row a pair) and "ports" (row 0 forward, 1 reverse), as the core
            returns them.
        facts: of the point.

    Returns:
        - efficiency, fairness (max_min_fairness), offered_load, requests, timeouts,
          fast_retransmits, retransmitted_share: see ``ackclock.results.metrics``, of the highest
          sequences received (``counted_as_published``);
        - starved_servers: number of servers of which not one byte arrived;
        - cells_refused, cells_overflowed, cells_cut: cells lost on the way to the clients because
          a policy refused the frame, the buffer was full, or the rest of the frame was lost;
          frames_offered, frames_refused, frames_cut; reverse_cells_lost: lost the other way;
        - max_queue_cells, mean_queue_cells: at the forward port.
    """
    columns = counted_as_published(columns)
    ports = columns["ports"]

    def port(name: str, index: int = FORWARD) -> int:
        return int(ports[name][index])

    return {
        "efficiency": METRICS["efficiency"].of(columns, facts),
        "fairness": METRICS["max_min_fairness"].of(columns, facts),
        "offered_load": METRICS["offered_load"].of(columns, facts),
        "requests": METRICS["requests"].of(columns, facts),
        STARVED: int(np.count_nonzero(columns["flows"]["received_bytes"] == 0)),
        **{name: port(name) for name in (*_LOST, *_FRAMES)},
        "reverse_cells_lost": sum(port(name, REVERSE) for name in _LOST),
        "max_queue_cells": port("max_queue_cells"),
        "mean_queue_cells": float(ports["mean_queue_cells"][FORWARD]),
        **{name: METRICS[name].of(columns, facts) for name in _SENDERS},
    }
