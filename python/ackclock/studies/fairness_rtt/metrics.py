"""One run in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ackclock.results.metric import Columns, Number
from ackclock.studies.fairness_rtt.levels import ALL_FLOWS, BUFFER_S, JOINS_S
from ackclock.studies.machinery.measures import (
    between,
    bottleneck_queue,
    goodput_of,
    metrics,
    share_of,
)

if TYPE_CHECKING:
    from ackclock.scenario import Facts

OF = {
    "rtts": ("long_share", "utilisation", "mean_queue_delay_s"),
    "mix": ("bbr_of_fair", "cubic_of_fair", "utilisation", "mean_queue_delay_s"),
    "response": ("window_packets", "timeouts"),
    "vegas": ("queue_a_flow_packets", "utilisation"),
    "ledbat": ("mean_queue_delay_s", "utilisation"),
    "joined": ("first_share", "utilisation"),
    "cubic": ("least_of_buffer_share", "most_of_buffer_share", "utilisation"),
}
"""By measure, the names of its numbers."""
_PACKET_S = 12_000 / 10e6
"""Time of a full packet at 10 Mbit/s."""
_RTT_S = 0.1


def rtts(columns: Columns, facts: Facts) -> dict[str, Number]:
    """What the flow with the long RTT gets of what both get."""
    return {
        "long_share": share_of(columns, facts, "second"),
        **metrics(columns, facts, *OF["rtts"][1:]),
    }


def mix(columns: Columns, facts: Facts) -> dict[str, Number]:
    """What a BBR and a CUBIC flow get on average, over a tenth of what all get."""
    got = {name: goodput_of(columns, facts, name) for name in ("first", "second")}
    fair = sum(got.values()) / ALL_FLOWS
    of_fair = {name: its / facts.flow_groups.count(name) / fair for name, its in got.items()}
    return {
        "bbr_of_fair": of_fair["first"],
        "cubic_of_fair": of_fair["second"],
        **metrics(columns, facts, *OF["mix"][2:]),
    }


def response(columns: Columns, facts: Facts) -> dict[str, Number]:
    """The mean window: what is delivered in an RTT."""
    window = goodput_of(columns, facts, "first") * _RTT_S / (8 * 1448)
    return {"window_packets": window, **metrics(columns, facts, "timeouts")}


def vegas(columns: Columns, facts: Facts) -> dict[str, Number]:
    """The queue that each flow keeps on average."""
    queue = metrics(columns, facts, "mean_queue")["mean_queue"]
    return {
        "queue_a_flow_packets": queue / len(facts.flow_names),
        **metrics(columns, facts, "utilisation"),
    }


def ledbat(columns: Columns, facts: Facts) -> dict[str, Number]:
    """The queue of a LEDBAT flow alone."""
    return metrics(columns, facts, *OF["ledbat"])


def joined(columns: Columns, facts: Facts) -> dict[str, Number]:
    """The share of a LEDBAT flow when another flow has joined, from ``JOINS_S`` later on."""
    got = [
        float(between(columns, "goodput", 2 * JOINS_S, 1e9, flow=flow)["delivered_bytes"].sum())
        for flow in (0, 1)
    ]
    return {
        "first_share": got[0] / sum(got),
        **metrics(columns, facts, "utilisation"),
    }


def cubic(columns: Columns, facts: Facts) -> dict[str, Number]:
    """Between what shares of its buffer the queue of a flow stays."""
    queue = bottleneck_queue(columns, facts, 20, 1e9)["max_length"] * _PACKET_S / BUFFER_S
    return {
        "least_of_buffer_share": float(np.min(queue)),
        "most_of_buffer_share": float(np.max(queue)),
        **metrics(columns, facts, "utilisation"),
    }
