"""The experiments of the suite and their points; which of their numbers are better if larger."""

from __future__ import annotations

from typing import NamedTuple


def name_of(tcp: str) -> str:
    """The name of a TCP in tables: of a class in a Python file, without the folder."""
    return tcp.rpartition("/")[2]


class Traffic(NamedTuple):
    """A network with traffic: the TCP of all flows, and the load as a share of the central link."""

    tcp: str
    load: float


class Buffers(NamedTuple):
    """The access network at a load of 85 %: the TCP, and the buffer in BDP at 100 ms."""

    tcp: str
    buffer_bdp: float


class RampUp(NamedTuple):
    """A second flow that starts beside a first one: the TCP, and the RTTs of the two."""

    tcp: str
    rtts: str


class FullRampUp(NamedTuple):
    """The same on central links of two rates."""

    tcp: str
    rate_bit_s: float
    rtts: str


class Transients(NamedTuple):
    """A flow beside datagrams that change: the TCP, and how they change."""

    tcp: str
    datagrams: str


class Impact(NamedTuple):
    """Camps of flows: the TCP of camp B, and the load; camp A has standard TCP."""

    tcp: str
    load: float


class Fairness(NamedTuple):
    """Two flows: their TCP, the RTT of the first, the buffer in BDP at 100 ms, that of the second.

    The first flow has the RTT of the second, or 160 ms.
    """

    tcp: str
    first_rtt: str
    buffer_bdp: float
    second_rtt_s: float


MORE_IS_BETTER = {
    "utilisation": True,
    "back_utilisation": True,
    "goodput_bit_s": True,
    "drop_share": False,
    "back_drop_share": False,
    "retransmitted_share": False,
    "queue_delay_s": False,
    "back_queue_delay_s": False,
    "completion_small_p50_s": False,
    "completion_small_p99_s": False,
    "completion_medium_p50_s": False,
    "completion_medium_p99_s": False,
    "completion_sd_s": False,
    "ramp_up_s": False,
    "ramp_up_10_s": False,
    "to_60_percent_s": False,
    "to_80_percent_s": False,
    "to_90_percent_s": False,
    "datagrams_lost_share": False,
    "camp_a_bit_s": True,
    "throughput_ratio": True,
    "jain_fairness": True,
}
"""The numbers of a run that are compared, and whether a larger one is better."""
