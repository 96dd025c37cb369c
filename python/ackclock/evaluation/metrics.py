"""One run of the suite in numbers.

Source: draft-irtf-iccrg-tcpeval-01, sections 4.6, 5 and 6. The mean queueing delay of a link
follows from its mean queue and its departures by Little's law (J. Little, Operations Research 9,
1961). Small transfers have up to 100 kB, medium ones more; see ``results.completions``.
"""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING

import numpy as np

from ackclock.results.completions import completions_of
from ackclock.results.metric import Columns, Number
from ackclock.results.metrics import measure
from ackclock.results.rates import goodputs
from ackclock.studies.machinery.measures import between, first_time, metrics, of_group

if TYPE_CHECKING:
    from ackclock.scenario import Facts

TRAFFIC = (
    "utilisation",
    "drop_share",
    "queue_delay_s",
    "back_utilisation",
    "back_drop_share",
    "back_queue_delay_s",
    "goodput_bit_s",
    "retransmitted_share",
    "completion_small_p50_s",
    "completion_small_p99_s",
    "completion_medium_p50_s",
    "completion_medium_p99_s",
    "completion_sd_s",
)
RAMP_UP = ("ramp_up_s", "ramp_up_10_s", "goodput_bit_s")
TRANSIENTS = (
    "to_60_percent_s",
    "to_80_percent_s",
    "to_90_percent_s",
    "datagrams_lost_share",
    "goodput_bit_s",
)
IMPACT = ("camp_a_bit_s", "camp_b_bit_s", "drop_share", "queue_delay_s")
FAIRNESS = ("throughput_ratio", "jain_fairness", "drop_share", "utilisation", "queue_delay_s")
_CENTRAL, _BACK = "right -> left", "left -> right"
_PAYLOAD_SHARE = 1460 / 1500
_STEPS_BYTES = (1_500_000, 15_000_000)
"""The draft asks for the times of byte 1500 * 10^n; these are n = 3 and n = 4."""
_CHANGE_S, _RATE_BIT_S = 60.0, 100e6
"""Of the scenario of transients."""
_LAST_BINS = 40
_SHARES = {"to_60_percent_s": 0.6, "to_80_percent_s": 0.8, "to_90_percent_s": 0.9}


def traffic(columns: Columns, facts: Facts) -> dict[str, Number]:
    """Both directions of the central link, and the transfers by size."""
    every = measure(columns, facts)
    spread = float(np.std(completions_of(columns, facts).time_s, ddof=1))
    its = {**_link(columns, facts, _CENTRAL), **_link(columns, facts, _BACK, "back_")}
    its |= {name: every[name] for name in TRAFFIC if name in every and name not in its}
    return {**its, "completion_sd_s": spread}


def ramp_up(columns: Columns, facts: Facts) -> dict[str, Number]:
    """How long the second flow takes to deliver 1.5 MB and 15 MB after it was opened."""
    (second,) = np.flatnonzero(of_group(facts, "second"))
    rows = between(columns, "goodput", 0, np.inf, flow=second)
    delivered = np.cumsum(rows["delivered_bytes"])
    opened = float(columns["flows"]["opened_s"][second])
    width = float(np.diff(rows["time_s"]).min())

    def when(size: int) -> float:
        at = np.flatnonzero(delivered >= size)
        return float(rows["time_s"][at[0]]) + width - opened if at.size else nan

    short, long = map(when, _STEPS_BYTES)
    goodput = float(goodputs(columns, facts)[second])
    return {"ramp_up_s": short, "ramp_up_10_s": long, "goodput_bit_s": goodput}


def transients(columns: Columns, facts: Facts) -> dict[str, Number]:
    """How long the flow of data takes to shares of the link, and what the datagrams lose.

    A time counts from ``_CHANGE_S`` on; nan if the datagrams leave no room for the share. The loss
    is that of the datagrams between their own link and the receiver, in the measured time; nan if
    there are hardly any.
    """
    (data,), (datagrams,) = (
        np.flatnonzero(of_group(facts, name)) for name in ("data", "datagrams")
    )
    links = columns["links"]
    sent = float(links["bytes_sent"][facts.link_names.index("datagrams -> right")])
    lost = 1 - float(columns["flows"]["received_bytes"][datagrams]) / sent
    rows = between(columns, "goodput", _CHANGE_S, np.inf, flow=data)
    width = float(np.diff(rows["time_s"]).min())
    carried = rows["delivered_bytes"] * 8 / width / (_RATE_BIT_S * _PAYLOAD_SHARE)
    ends = rows["time_s"] + width - _CHANGE_S
    times = {name: first_time(ends, carried >= share) for name, share in _SHARES.items()}
    ends_busy = float(carried[-_LAST_BINS:].mean()) < min(_SHARES.values())
    return {
        **{name: nan if ends_busy else time for name, time in times.items()},
        "datagrams_lost_share": max(lost, 0.0) if ends_busy else nan,
        "goodput_bit_s": float(goodputs(columns, facts)[data]),
    }


def impact(columns: Columns, facts: Facts) -> dict[str, Number]:
    """What each camp delivers, in both directions together, and the central link."""
    camps = np.array([name[0] for name in facts.flow_groups])
    delivered = goodputs(columns, facts)
    link = _link(columns, facts, _CENTRAL)
    return {
        "camp_a_bit_s": float(delivered[camps == "a"].sum()),
        "camp_b_bit_s": float(delivered[camps == "b"].sum()),
        **{name: link[name] for name in ("drop_share", "queue_delay_s")},
    }


def fairness(columns: Columns, facts: Facts) -> dict[str, Number]:
    """The smaller of two throughputs as a share of the larger one, and the bottleneck."""
    its = np.sort(goodputs(columns, facts))
    names = {"queue_delay_s": "mean_queue_delay_s"}
    others = (names.get(name, name) for name in FAIRNESS[1:])
    found = metrics(columns, facts, *others)
    return {
        "throughput_ratio": float(its[0] / its[-1]),
        **{name: found[names.get(name, name)] for name in FAIRNESS[1:]},
    }


def _link(columns: Columns, facts: Facts, name: str, before: str = "") -> dict[str, float]:
    """Utilisation, share of packets dropped, and mean queueing delay of a link."""
    at = facts.link_names.index(name)
    its = {column: float(values[at]) for column, values in columns["links"].items()}
    sent_bytes_s = its["bytes_sent"] / facts.duration_s
    return {
        f"{before}utilisation": its["utilisation"],
        f"{before}drop_share": its["packets_dropped"] / max(its["packets_offered"], 1),
        f"{before}queue_delay_s": its["mean_queue_bytes"] / sent_bytes_s if sent_bytes_s else nan,
    }
