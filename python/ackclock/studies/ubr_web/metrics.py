"""Efficiency, fairness and diagnostics of one run, from the columns that the core returns.

Source: ATM Forum 98-0876, section 6.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ackclock.stats import efficiency, fairness_index, max_min_shares
from ackclock.studies.ubr_web.compile import CELL_BITS, PS_PER_S
from ackclock.studies.ubr_web.levels import LINKS
from ackclock.studies.ubr_web.parameters import Parameters, frame_cells

Columns = Mapping[str, Mapping[str, np.ndarray]]
FORWARD, REVERSE = 0, 1


def capacity_bit_s(parameters: Parameters, link: str) -> float:
    """C: the TCP throughput that the trunk carries when all frames are full, bit/s."""
    smss = LINKS[link].smss_bytes
    return parameters.network.trunk_rate * 8 * smss / (CELL_BITS * frame_cells(smss))


def measure(columns: Columns, parameters: Parameters, link: str) -> dict[str, float | int]:
    """One run in numbers.

    Args:
        columns: tables "flows" (a row a pair) and "ports" (row 0 forward, 1 reverse), as the core
            returns them.
        parameters: of the study.
        link: level of the link.

    Returns:
        - efficiency: sum of the throughputs x_i as a share of C. x_i is the highest sequence
          number that client i received, over the simulated time.
        - fairness: Jain's index of x_i / e_i, with e_i the max-min fair share of C for what server
          i scheduled; nan if no server scheduled anything.
        - offered_load: what the servers scheduled as a share of C; requests: what was asked for.
        - cells_refused, cells_overflowed, cells_cut: cells lost on the way to the clients because
          a policy refused the frame, the buffer was full, or the rest of the frame was lost;
          frames_offered, frames_refused, frames_cut; reverse_cells_lost: lost the other way.
        - max_queue_cells, mean_queue_cells: at the forward port.
        - timeouts, fast_retransmits: of all servers; retransmitted_share: of the segments sent.
    """
    flows, ports = columns["flows"], columns["ports"]
    to_bit_s = 8 * PS_PER_S / parameters.duration
    capacity = capacity_bit_s(parameters, link)
    throughput = flows["received_bytes"].astype(float) * to_bit_s
    scheduled = flows["scheduled_bytes"].astype(float) * to_bit_s
    sent = int(flows["segments_sent"].sum())

    def port(name: str, index: int = FORWARD) -> int:
        return int(ports[name][index])

    lost = ("cells_refused", "cells_overflowed", "cells_cut")
    return {
        "efficiency": efficiency(throughput, capacity),
        "fairness": fairness_index(throughput, max_min_shares(scheduled, capacity)),
        "offered_load": float(scheduled.sum()) / capacity,
        "requests": int(flows["requests"].sum()),
        **{name: port(name) for name in lost},
        **{name: port(name) for name in ("frames_offered", "frames_refused", "frames_cut")},
        "reverse_cells_lost": sum(port(name, REVERSE) for name in lost),
        "max_queue_cells": port("max_queue_cells"),
        "mean_queue_cells": float(ports["mean_queue_cells"][FORWARD]),
        "timeouts": int(flows["timeouts"].sum()),
        "fast_retransmits": int(flows["fast_retransmits"].sum()),
        "retransmitted_share": int(flows["segments_retransmitted"].sum()) / sent if sent else 0.0,
    }
