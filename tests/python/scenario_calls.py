"""What tests do with a scenario: its plan, the messages that refuse it, what a plan begins with."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ackclock.errors import InputError
from ackclock.scenario import Compiled, Scenario, load
from ackclock.scenario.plan import written_out
from plan_checker import check_plan

MS = 10**9
S = 10**12
Source = str | Path | dict[str, Any]


def compiled(source: Source, *sets: str) -> Compiled:
    """The plan and the facts of the only point."""
    (point,) = load(source, sets).points()
    return checked(point.compile())


def first_compiled(source: Source, *sets: str) -> Compiled:
    """The plan and the facts of the first of several points."""
    return checked(load(source, sets).points()[0].compile())


def checked(made: Compiled) -> Compiled:
    """What was compiled, once its plan has been checked."""
    check_plan(made.plan)
    return written(made)


def written(made: Compiled) -> Compiled:
    """What was compiled, with each flow and each link by itself."""
    return replace(made, plan=written_out(made.plan))


def compiled_or_refused(document: dict[str, Any]) -> tuple[Compiled | None, list[str]]:
    """The plan and the facts of the first point, or the messages if there are none."""
    try:
        return first_compiled(document), []
    except InputError as error:
        return None, error.messages


def plan(source: Source, *sets: str) -> dict[str, Any]:
    return compiled(source, *sets).plan


def network(source: Source, *sets: str) -> dict[str, Any]:
    """The cell network that is the only link of a plan."""
    (link,) = first_compiled(source, *sets).plan["links"]
    return link


def refused(source: Source, *sets: str) -> list[str]:
    """The messages on a scenario that is wrong."""
    with pytest.raises(InputError) as error:
        load(source, sets)
    return error.value.messages


def told(rows_of: Callable[[Scenario], Iterable], source: Source, *sets: str) -> list[tuple]:
    """The rows of a table of a summary."""
    return [tuple(row) for row in rows_of(load(source, sets))]


OPTIONS = {
    "sack": False,
    "sack_blocks": 3,
    "dsack": False,
    "timestamps": False,
    "ecn": False,
    "ecn_feedback": "classic",
    "l4s": False,
    "abe": False,
    "limited_transmit": False,
    "prr": False,
    "loss_detection": "rfc6675",
    "tlp": False,
    "tlp_timer": "rfc8985",
    "unpaced_segments": 0,
    "ledbat_target_ps": 100_000_000_000,
    "f_rto": False,
    "undo": "off",
    "lost_retransmission_detection": False,
    "growth": "acks",
    "growth_limit_segments": None,
    "slow_start": "standard",
    "whole_segments": False,
    "pacing": "off",
    "cwnd_validation": False,
    "ssthresh_from": "flight_size_bounded",
    "careful_fast_retransmit": True,
    "ssthresh_rounding": "bytes",
    "cubic_beta_ppm": 700_000,
    "cubic_arithmetic": "rfc9438",
    "deflation": "partial",
    "partial_ack_timer": "first",
    "timers": "ticks",
    "min_rto_of": "rto",
    "initial_rto_ps": S,
    "min_rto_ps": S,
    "max_rto_ps": 60 * S,
    "delayed_ack_ps": 200 * MS,
    "ack_timer": "per_ack",
    "ack_every": 2,
    "quick_acks": 0,
    "quick_ack_bytes": 0,
    "recovery_samples": True,
    "sample_every_ack": False,
    "window_probe": "octet",
}
"""Of a NewReno with the defaults, as they stand in a plan."""
HISTORIC = {
    "handshake_growth": False,
    "handshake_sample": True,
    "additive_constant": False,
    "cwnd_rounding": "up",
    "cwnd_ack_batch": 1,
    "retransmit_wait_ppm": 0,
}
NO_PROBES = {
    "queue_bin_ps": None,
    "goodput_bin_ps": None,
    "cwnd_of": [],
    "acr_bin_ps": None,
    "transport_bin_ps": None,
}
FLOW = {"sender_tcp": 0, "receiver_tcp": 0, "workload": 0, "foreground": False}
"""Of the first kind of TCP and workload."""
