"""One run in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ackclock.results.metric import Columns, Number
from ackclock.studies.bbr_paths.levels import BACK_S, CHANGE_S
from ackclock.studies.machinery.measures import (
    between,
    bottleneck_queue,
    first_time,
    metrics,
    of_group,
    share_of,
)

if TYPE_CHECKING:
    from ackclock.scenario import Facts

GOODPUT = "goodput_share"
"""Goodput over what the bottleneck carries if all packets are full."""
_FULL = 1448 / 1460
"""Data of a segment over data and timestamps."""
_RTT_S = 0.04
_SLOW_BIT_S = 10e6 / 1500 * 1448
_BDP_BYTES = _SLOW_BIT_S * _RTT_S / 8
_BDP_PACKETS = 100e6 * 0.02 / (8 * 1500)

_OF_PATH = ("retransmitted_share", "timeouts")
OF = {
    "path": (GOODPUT, *_OF_PATH),
    "start": (
        "most_in_flight_bdp",
        "after_drain_bdp",
        "peak_rtt_s",
        "bandwidth_share",
        "at_full_rate_rtt",
    ),
    "doubled": ("learned_s", "forgotten_s", "forgotten_rtt", "drained_s"),
    "tenfold": ("learned_s", "forgotten_s", "forgotten_rtt"),
    "flows": ("drop_share", "utilisation"),
    "together": ("bbr_resent_packets", "cubic_resent_packets", "utilisation"),
    "standing": ("standing_queue_bdp", "utilisation"),
    "fair": ("jain", "probes_within_s", "utilisation"),
    "drain": ("drain_rtt", "left_in_flight_bdp"),
    "probes": ("between_probes_s", "in_probe_s", "cwnd_in_probe_bdp"),
    "reno": ("reno_share", "wait_to_probe_s", "utilisation"),
}
"""By measure, the names of its numbers."""


def _full_bit_s(facts: Facts) -> float:
    return facts.payload_capacity_bit_s * _FULL


def path(columns: Columns, facts: Facts) -> dict[str, Number]:
    """What a flow delivers of what the link can carry."""
    share = float(columns["flows"]["delivered_bytes"].sum()) * 8 / facts.duration_s
    return {GOODPUT: share / _full_bit_s(facts), **metrics(columns, facts, *_OF_PATH)}


def _spans(columns: Columns, state: str, flow: int = 0) -> np.ndarray:
    """When a flow enters a state and leaves it, s, shape (times, 2)."""
    its = columns["states"]
    own = np.asarray(its["flow"]) == flow
    times = np.asarray(its["time_s"])[own]
    # Time-outs and fast retransmits have rows, too.
    is_in = np.asarray(its["state"], dtype=str)[own] == state
    edges = np.flatnonzero(np.diff(is_in.astype(int), prepend=0, append=0))
    ends = np.append(times, columns["rtt"]["time_s"].max())
    return ends[edges].reshape(-1, 2)


def _rounds(columns: Columns, from_s: float, to_s: float) -> float:
    """Round trips between two times: each ends with the ACK of what is sent at its start."""
    its = columns["rtt"]
    acked, sent = its["time_s"], its["time_s"] - its["rtt_s"]
    at, number = from_s, 0.0
    while at < to_s:
        later = acked[sent >= at]
        if not later.size:
            return float("nan")
        end = float(later[0])
        number += min(1.0, (to_s - at) / (end - at))
        at = end
    return number


def _in_flight_bdp(columns: Columns, from_s: float, to_s: float) -> np.ndarray:
    return between(columns, "cwnd", from_s, to_s)["flight_size_bytes"] / _BDP_BYTES


def start(columns: Columns, facts: Facts) -> dict[str, Number]:
    """STARTUP and DRAIN of one flow at 10 Mbit/s and 40 ms."""
    drain, end = _spans(columns, "drain")[0]
    rates = between(columns, "transport", 0, drain)
    rate = rates["delivery_rate_bit_s"] / _full_bit_s(facts)
    full = first_time(rates["time_s"], rate >= 0.98 * np.nanmax(rate))
    later = between(columns, "cwnd", end + _RTT_S, end + 2 * _RTT_S)
    return {
        "most_in_flight_bdp": float(_in_flight_bdp(columns, 0, end).max()),
        "after_drain_bdp": float(later["flight_size_bytes"][0] / _BDP_BYTES),
        "peak_rtt_s": float(between(columns, "rtt", 0, end)["rtt_s"].max()),
        "bandwidth_share": float(np.nanmax(rate)),
        "at_full_rate_rtt": _rounds(columns, full, drain),
    }


def doubled(columns: Columns, facts: Facts) -> dict[str, Number]:
    """From 10 to 20 Mbit/s and back."""
    return _steps(columns, facts, 2)


def tenfold(columns: Columns, facts: Facts) -> dict[str, Number]:
    """From 10 to 100 Mbit/s and back."""
    return _steps(columns, facts, 10)


def _steps(columns: Columns, facts: Facts, factor: int) -> dict[str, Number]:
    """How long a flow takes for each change of the rate, and how long the queue then stays."""
    slow = _SLOW_BIT_S
    after = between(columns, "transport", CHANGE_S, BACK_S)
    is_up = after["delivery_rate_bit_s"] >= 0.95 * factor * slow
    back = between(columns, "transport", BACK_S, 1e9)
    # The gain of a probe is 1.25; with the old rate even the gain of 0.75 is above this.
    down = first_time(back["time_s"], back["pacing_rate_bit_s"] < 1.3 * slow)
    usual = np.mean(bottleneck_queue(columns, facts, CHANGE_S - 5, CHANGE_S)["max_length"])
    queue = bottleneck_queue(columns, facts, down, 1e9)
    return {
        "learned_s": first_time(after["time_s"], is_up) - CHANGE_S,
        "forgotten_s": down - BACK_S,
        "forgotten_rtt": _rounds(columns, BACK_S, down),
        "drained_s": first_time(queue["time_s"], queue["max_length"] <= usual) - BACK_S,
    }


def flows(columns: Columns, facts: Facts) -> dict[str, Number]:
    """What flows lose at their bottleneck."""
    return metrics(columns, facts, *OF["flows"])


def together(columns: Columns, facts: Facts) -> dict[str, Number]:
    """What a BBR and a CUBIC flow send again."""
    again = columns["flows"]["segments_retransmitted"]
    resent = [float(again[of_group(facts, group)].sum()) for group in ("first", "second")]
    return {
        **dict(zip(OF["together"], resent, strict=False)),
        **metrics(columns, facts, "utilisation"),
    }


def standing(columns: Columns, facts: Facts) -> dict[str, Number]:
    """The median of the queue at 100 Mbit/s and 20 ms, which PROBE_RTT hardly changes."""
    queue = bottleneck_queue(columns, facts, 20, 1e9)["max_length"]
    return {
        "standing_queue_bdp": float(np.median(queue)) / _BDP_PACKETS,
        **metrics(columns, facts, "utilisation"),
    }


def fair(columns: Columns, facts: Facts) -> dict[str, Number]:
    """Fairness in ten seconds, and how far apart the flows begin their last PROBE_RTT."""
    its = between(columns, "goodput", 30, 40)
    number = len(facts.flow_names)
    got = np.bincount(its["flow"].astype(int), its["delivered_bytes"], minlength=number)
    last = [_spans(columns, "probe_rtt", flow)[-1, 0] for flow in range(number)]
    return {
        "jain": float(got.sum() ** 2 / (number * np.square(got).sum())),
        "probes_within_s": float(np.ptp(last)),
        **metrics(columns, facts, "utilisation"),
    }


def drain(columns: Columns, facts: Facts) -> dict[str, Number]:
    """How long DRAIN lasts, and what is in flight at its end."""
    start, end = _spans(columns, "drain")[0]
    return {
        "drain_rtt": _rounds(columns, start, end),
        "left_in_flight_bdp": float(_in_flight_bdp(columns, start, end)[-1]),
    }


def probes(columns: Columns, facts: Facts) -> dict[str, Number]:
    """The time between two PROBE_RTT, their length, and cwnd in them."""
    starts, ends = _spans(columns, "probe_rtt").T
    cwnds = [
        between(columns, "cwnd", start, end)["cwnd_bytes"].min()
        for start, end in zip(starts, ends, strict=True)
    ]
    return {
        "between_probes_s": float(np.mean(starts[1:] - ends[:-1])),
        "in_probe_s": float(np.mean((ends - starts)[:-1])),
        "cwnd_in_probe_bdp": float(np.mean(cwnds[:-1])) / _BDP_BYTES,
    }


def reno(columns: Columns, facts: Facts) -> dict[str, Number]:
    """What Reno gets beside version 3 of BBR, and how long BBR waits between two probes."""
    states = ("probe_bw down", "probe_rtt", "probe_bw refill")
    downs, others, refills = (_spans(columns, state)[:, 0] for state in states)
    waits = [
        start - down
        for start in refills
        for down in downs[downs < start][-1:]
        if not ((others > down) & (others < start)).any()
    ]
    return {
        "reno_share": share_of(columns, facts, "second"),
        "wait_to_probe_s": float(np.mean(waits)),
        **metrics(columns, facts, "utilisation"),
    }
