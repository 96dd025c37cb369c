"""The TCPs of a plan."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from ackclock.scenario import keys
from ackclock.scenario.compile.groups import Group
from ackclock.scenario.model.tcp import AUTO, MOST_SCALE, MOST_UNSCALED, PRESET, Tcp
from ackclock.scenario.problems import Problem
from ackclock.scenario.units import SIZE, TIME, show

HEADER_BYTES = 40
_MOST_TICKS = 2**31
_RTOS = ("min_rto", "initial_rto", "max_rto")
_SIDES = ("sender_tcp", "receiver_tcp")


def tcp_plan(tcp: Tcp, tick_ps: int) -> dict[str, Any]:
    """A TCP as the core reads it."""
    newreno = tcp.flavor.startswith("newreno")
    return {
        "flavor": tcp.flavor,
        "deflation": tcp.deflation if newreno and tcp.deflation != PRESET else None,
        "partial_ack_timer": (
            tcp.partial_ack_timer if newreno and tcp.partial_ack_timer != PRESET else None
        ),
        "smss_bytes": tcp.smss,
        "initial_window_segments": tcp.initial_window,
        "initial_ssthresh_bytes": tcp.initial_ssthresh,
        "receive_buffer_bytes": tcp.receive_buffer,
        "window_scale": window_scale(tcp),
        "delayed_ack_ps": tcp.delayed_ack,
        "nagle": tcp.nagle,
        "sws_avoidance": tcp.sws_avoidance,
        "idle_restart": tcp.idle_restart,
        "loss_window": tcp.loss_window,
        "additive_constant": tcp.additive_constant,
        "initial_rto_ticks": tcp.initial_rto // tick_ps,
        "min_rto_ticks": tcp.min_rto // tick_ps,
        "max_rto_ticks": tcp.max_rto // tick_ps,
    }


def window_scale(tcp: Tcp) -> int:
    """The scale that is offered; "auto" is the smallest that can tell the receive buffer."""
    if tcp.window_scale != AUTO:
        return int(tcp.window_scale)
    return next(s for s in range(MOST_SCALE + 1) if tcp.receive_buffer <= MOST_UNSCALED << s)


def packet_bytes(tcp: Tcp) -> int:
    """A full-sized packet: data and the headers of TCP and IP."""
    return tcp.smss + HEADER_BYTES


def tcp_problems(groups: list[Group], tick_ps: int) -> Iterator[Problem]:
    """What does not agree in the TCPs of some groups; each thing once."""
    told = set()
    for group in groups:
        for side in _SIDES:
            for problem in _problems_of(group, side, tick_ps):
                if problem not in told:
                    told.add(problem)
                    yield problem


def _problems_of(group: Group, side: str, tick_ps: int) -> Iterator[Problem]:
    tcp: Tcp = getattr(group, side)
    if tcp.max_rto // tick_ps > _MOST_TICKS:
        yield Problem(
            ("clock", "tick"),
            f'is too fine for tcp.max_rto = "{show(tcp.max_rto, TIME)}"; write for example "1 ms"',
        )
    for key in _RTOS:
        value = getattr(tcp, key)
        if value % tick_ps:
            near = max(1, (value + tick_ps // 2) // tick_ps) * tick_ps
            yield Problem(
                group.tcp_path(side, key),
                f'is not a whole number of ticks of clock.tick = "{show(tick_ps, TIME)}"; '
                f'write "{show(near, TIME)}"',
            )
    for low, high in combinations(_RTOS, 2):
        if getattr(tcp, low) > getattr(tcp, high):
            yield _crossed(group, side, low, high)
    if tcp.receive_buffer < tcp.smss:
        yield Problem(
            group.tcp_path(side, "receive_buffer"),
            f'holds less than one segment; write "{show(tcp.smss, SIZE)}" or more',
        )


def _crossed(group: Group, side: str, low: str, high: str) -> Problem:
    """Of two times in the wrong order; told at the one that is written."""
    tcp: Tcp = getattr(group, side)
    if not group.is_written(side, low) and group.is_written(side, high):
        key, other, relation, way = high, low, "below", "more, or lower"
    else:
        key, other, relation, way = low, high, "above", "less, or raise"
    limit = show(getattr(tcp, other), TIME)
    named = keys.show(group.tcp_path(side, other))
    return Problem(
        group.tcp_path(side, key),
        f'is {relation} {named} = "{limit}"; write "{limit}" or {way} {named}',
    )
