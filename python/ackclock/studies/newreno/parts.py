"""What each part of the study changes in its scenario file, and how its points are called there."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

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
    QUEUES,
    SCALING,
    STEADY,
    UDP,
    VARIANT_LOSSES,
    VARIANTS,
    Curve,
    Point,
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


FILE = Path(__file__).with_name("scenario.toml")
"""The study's scenario."""
_FACTORS = tomllib.loads(FILE.read_text(encoding="utf-8"))["sweep"]["factors"]
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


def point_of(part: str, levels: Mapping[str, Any]) -> Point:
    """The point that the columns of the sweep of a part stand for."""
    queue = levels.get("queue", QUEUES[0])
    if part == SCALING:
        return Point(part, queue, "", levels["background"] * _MBIT_S_A_FLOW)
    variant = _EVENT_RATES[levels["loss"]] if part in (BURSTY, VARIANTS) else ""
    if part == VARIANTS:
        variant = f"{levels['variant']}, {variant}"
    return Point(part, queue, variant, levels[_PLACES[part]])
