"""The parts of the study: one scenario file, what each part changes in it, and its points."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from ackclock.studies.machinery.file import StudyFile
from ackclock.studies.machinery.study import Part
from ackclock.studies.newreno.levels import (
    BACKGROUND,
    BERNOULLI,
    BOTTLENECKS,
    BUFFER,
    BURSTY,
    CURVES,
    EMULATION,
    FLOWS_BEHIND,
    FULL,
    IMPATIENT,
    LOSS_EVENT_RATES,
    LOSSES_PCT,
    NAMES,
    QUEUES,
    SCALING,
    STEADY,
    UDP,
    VARIANT_LOSSES,
    VARIANTS,
    Curve,
    Point,
    points_of,
)

_PACKETS, _SHARE, _TIME, _SIZE, _NUMBER = (
    "a number of packets",
    "a share",
    "a time",
    "a size",
    "a whole number",
)
FILE = StudyFile(
    Path(__file__).with_name("scenario.toml"),
    {
        "run_time": (_TIME, "Simulated time of a run; section V has its own."),
        "settling": (_SHARE, "Share of a run that is not measured; section V has its own."),
        "rate": ("a rate", "Rate of the bottleneck; sections IV-B, IV-G and V have their own."),
        "buffer": (_PACKETS, "Queue limit; several sections have their own."),
        "rtt": (_TIME, "Round-trip propagation delay of the foreground flows."),
        "newreno": (_NUMBER, "Foreground flows of NewReno."),
        "reno": (_NUMBER, "Foreground flows of Reno."),
        "background": (_NUMBER, "Web sessions and file transfers at each bottleneck."),
        "http_share": (_SHARE, "Share of web sessions among them."),
        "udp": (_NUMBER, "UDP flows."),
        "loss": ("a number", "Loss events a packet, or losses in percent of the packets."),
        "burst": (_NUMBER, "Packets that are lost in a loss event."),
        "losses_of": (
            "all, data, new_data or acks",
            "The packets that imposed single losses may hit.",
        ),
        "events_of": ("all, data, new_data or acks", "The packets that loss events are made of."),
        "red_max_p": (_SHARE, "RED: drops at the upper threshold, a share of the packets."),
        "red_weight": (_SHARE, "RED: weight of a packet's arrival in the mean queue."),
        "red_gentle": ("true or false", "RED: drops grow on beyond the upper threshold."),
        "red_adaptive": ("true or false", "RED: red_max_p follows the mean queue."),
        "foreground_window": (_SIZE, "Receive buffer of the foreground flows."),
        "foreground_start": (_TIME, "Earliest start of a foreground flow."),
        "start_spread": (_TIME, "Length of the time in which starts are uniformly distributed."),
        "least_rtt": (_TIME, "Least round-trip propagation delay of a background flow."),
        "most_rtt": (_TIME, "Largest round-trip propagation delay of a background flow."),
        "request_size": (_SIZE, "Web sessions: data of a request."),
        "file_mean": (_SIZE, "Web sessions: mean size of a file."),
        "file_shape": ("a number above 1", "Web sessions: shape of the sizes' Pareto law."),
        "think_time": (_TIME, "Web sessions: mean time before the next request."),
        "udp_rate": ("a rate", "UDP: rate of a flow while it sends."),
        "udp_packet": (_SIZE, "UDP: size of a packet."),
        "udp_delay": (_TIME, "UDP: one-way propagation delay."),
        "udp_on": (_TIME, "UDP: mean time for which a flow sends."),
        "udp_off": (_TIME, "UDP: mean time for which a flow pauses."),
        "udp_shape": ("a number above 1", "UDP: shape of the Pareto laws of these times."),
        "testbed_smss": (_SIZE, "Section V: segment with its timestamps, which take 12 B."),
        "testbed_min_rto": (_TIME, "Section V: floor of the sender's time-out."),
        "testbed_min_rto_of": ("rto or variance", "Section V: what the floor applies to."),
        "testbed_limited_transmit": ("true or false", "Section V: tcp.limited_transmit."),
        "testbed_initial_window": (_NUMBER, "Section V: initial window, segments."),
        "testbed_delayed_ack": (_TIME, "Section V: how long an ACK may wait."),
        "testbed_quick_acks": (_NUMBER, "Section V: ACKs at the start that do not wait."),
    },
    decided=("topology.long_flows", "topology.cross_flows"),
    sweep_stays=True,
)

_NEVER_FULL = "variables.buffer=100000"
_ALONE = ("variables.background=0", "variables.reno=0")
_EVENTS = (
    *_ALONE,
    "variables.rate=45 Mbit/s",
    _NEVER_FULL,
    'flows[0].impairments=[{ kind = "loss_events", rate = "= loss", losses = "= burst", '
    'of = "= events_of" }]',
)
_RATES = f"loss={json.dumps(list(LOSS_EVENT_RATES.values()))}"
_BERNOULLI = 'impairments=[{ kind = "bernoulli", loss = "= loss / 100", of = "= losses_of" }]'
_DEFLATION, _TIMER = (f"flows[0].sender_tcp.{key}" for key in ("deflation", "partial_ack_timer"))
_KINDS = ", ".join(
    f'"{name}"={{"{_DEFLATION}"="{deflation}", "{_TIMER}"="{timer}"}}'
    for name, deflation, timer in (
        (STEADY, "partial", "every"),
        (IMPATIENT, "partial", "first"),
        (FULL, "full", "every"),
    )
)


def _levels(curve: Curve) -> str:
    return json.dumps(list(CURVES[curve]))


def _inline(value: Any) -> str:
    """A value of a scenario as it stands in a line."""
    if isinstance(value, dict):
        return (
            f"{{{', '.join(f'{json.dumps(key)}={_inline(each)}' for key, each in value.items())}}}"
        )
    return json.dumps(value)


_FACTORS = tomllib.loads(FILE.path.read_text(encoding="utf-8"))["sweep"]["factors"]
_QUEUES = f"queue={_inline(_FACTORS['queue'])}"


OWN_SETS: Mapping[str, tuple[str, ...]] = {
    BURSTY: (*_EVENTS, f"sweep.factors={{{_RATES}, burst={json.dumps(list(range(1, 21)))}}}"),
    VARIANTS: (
        *_EVENTS,
        f"sweep.factors={{variant={{{_KINDS}}}, {_RATES}, burst={json.dumps(VARIANT_LOSSES)}}}",
    ),
    BERNOULLI: (
        "variables.background=0",
        _NEVER_FULL,
        *(f"flows[{flow}].{_BERNOULLI}" for flow in (0, 1)),
        f"sweep.factors={{loss={json.dumps(LOSSES_PCT)}}}",
    ),
    BACKGROUND: (),
    BOTTLENECKS: ("topology.hops=2",),
    UDP: ("variables.background=32", f"sweep.factors={{{_QUEUES}, udp={_levels(Curve(UDP))}}}"),
    SCALING: (
        "variables.http_share=0.9",
        'sweep={design="zip", factors={rate=["15 Mbit/s", "30 Mbit/s", "45 Mbit/s", "60 Mbit/s"], '
        "buffer=[50, 100, 150, 200], background=[100, 200, 300, 400]}}",
    ),
    BUFFER: ("variables.http_share=0.5", f"sweep.factors={{buffer={_levels(Curve(BUFFER))}}}"),
    EMULATION: (
        *_ALONE,
        "variables.run_time=500 s",
        "variables.settling=0",
        "variables.rate=10 Mbit/s",
        "variables.rtt=50 ms",
        _NEVER_FULL,
        f"flows[0].{_BERNOULLI}",
        "flows[0].tcp.smss== testbed_smss",
        "flows[0].tcp.timestamps=true",
        "flows[0].tcp.limited_transmit== testbed_limited_transmit",
        "flows[0].tcp.min_rto== testbed_min_rto",
        "flows[0].tcp.min_rto_of== testbed_min_rto_of",
        "flows[0].sender_tcp.initial_window== testbed_initial_window",
        'flows[0].receiver_tcp={ delayed_ack = "= testbed_delayed_ack", '
        'quick_acks = "= testbed_quick_acks" }',
        f"sweep.factors={{loss={_levels(Curve(EMULATION))}}}",
    ),
}
"""Texts ``key=value``, as for ``--set``."""
_EVENT_RATES = {rate: name for name, rate in LOSS_EVENT_RATES.items()}
_PLACES = {
    BURSTY: "burst",
    VARIANTS: "burst",
    BERNOULLI: "loss",
    BACKGROUND: "background",
    BOTTLENECKS: "background",
    UDP: "udp",
    BUFFER: "buffer",
    EMULATION: "loss",
}
"""The factor that x is."""
_MBIT_S_A_FLOW = 15 / FLOWS_BEHIND[0]


def _point_of(part: str, levels: Mapping[str, Any]) -> Point:
    """The point that the columns of the sweep of a part stand for."""
    queue = levels.get("queue", QUEUES[0])
    if part == SCALING:
        return Point(part, queue, "", levels["background"] * _MBIT_S_A_FLOW)
    variant = _EVENT_RATES[levels["loss"]] if part in (BURSTY, VARIANTS) else ""
    if part == VARIANTS:
        variant = f"{levels['variant']}, {variant}"
    return Point(part, queue, variant, levels[_PLACES[part]])


PARTS = tuple(
    Part(
        name=name,
        file=FILE,
        point=Point,
        measure="ackclock.studies.newreno.metrics:measure",
        own_sets=OWN_SETS.get(name, ()),
        point_of=partial(_point_of, name),
        points=points_of(name),
    )
    for name in NAMES
)
