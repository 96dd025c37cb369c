"""The TCPs of a plan."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from ackclock.scenario import keys
from ackclock.scenario.compile.groups import Group
from ackclock.scenario.compile.receive_buffers import AutoBuffer
from ackclock.scenario.model.tcp import (
    INITIAL_WINDOW,
    MOST_BUFFER,
    MOST_SCALE,
    MOST_UNSCALED,
    UP,
    Historic,
    Tcp,
)
from ackclock.scenario.presets import (
    is_preset,
    options_plan,
    preset_of,
    uses,
    using,
    with_presets,
)
from ackclock.scenario.problems import Problem
from ackclock.scenario.units import SIZE, TIME, show
from ackclock.scenario.values.buffers import show_buffer
from ackclock.scenario.values.flavor import OwnFlavor
from ackclock.scenario.values.kind import shown
from ackclock.scenario.values.quantities import AUTO, OFF, Amount

PPM = 10**6
_MOST_TICKS = 2**31
_BY_ACKS = {"cwnd_rounding": UP, "cwnd_ack_batch": 1}
"""Keys of congestion avoidance that adds to cwnd by ACKs, and the values that change nothing."""
_RTOS = ("min_rto", "initial_rto", "max_rto")
_SIDES = ("sender_tcp", "receiver_tcp")


def tcp_plan(tcp: Tcp, auto: AutoBuffer | None = None) -> dict[str, Any]:
    """A TCP as the core reads it.

    Args:
        tcp: as it is written.
        auto: what "auto" is in its scenario; it may be missing if the TCP has another buffer.
    """
    own_restart = tcp.restart_window == INITIAL_WINDOW
    return {
        "flavor": tcp.flavor.plan() if isinstance(tcp.flavor, OwnFlavor) else tcp.flavor,
        "options": options_plan(tcp),
        "smss_bytes": tcp.smss,
        "initial_window_segments": tcp.initial_window,
        "initial_ssthresh_bytes": tcp.initial_ssthresh,
        **_buffer_plan(tcp, auto),
        "window_scale": window_scale(tcp, auto),
        "nagle": tcp.nagle,
        "sws_avoidance": tcp.sws_avoidance,
        "idle_restart": tcp.idle_restart,
        "restart_window_segments": None if own_restart else tcp.restart_window,
        "historic": _historic_plan(tcp.historic),
    }


def _historic_plan(historic: Historic) -> dict[str, Any]:
    return {
        "handshake_growth": historic.handshake_growth,
        "handshake_sample": historic.handshake_sample,
        "additive_constant": historic.additive_constant,
        "cwnd_rounding": historic.cwnd_rounding,
        "cwnd_ack_batch": historic.cwnd_ack_batch,
        "retransmit_wait_ppm": int(historic.retransmit_wait * PPM),
    }


def _buffer_plan(tcp: Tcp, auto: AutoBuffer | None) -> dict[str, int]:
    """The receive buffer; one that does not grow has no size to begin with."""
    most = receive_buffer_bytes(tcp, auto)
    if tcp.receive_buffer is not None or auto is None:
        return {"receive_buffer_bytes": most}
    return {"receive_buffer_bytes": most, "receive_buffer_initial_bytes": auto.initial}


def window_scale(tcp: Tcp, auto: AutoBuffer | None = None) -> int | None:
    """The scale that is offered; "auto" is the smallest that covers the receive buffer."""
    if tcp.window_scale == OFF:
        return None
    if tcp.window_scale != AUTO:
        return int(tcp.window_scale)
    held = receive_buffer_bytes(tcp, auto)
    scales = range(MOST_SCALE)
    return next((s for s in scales if held <= MOST_UNSCALED << s), MOST_SCALE)


def receive_buffer_bytes(tcp: Tcp, auto: AutoBuffer | None = None) -> int:
    """How much the receive buffer holds at most."""
    if tcp.receive_buffer is None:
        assert auto is not None, "a buffer that follows the paths needs to know of them"
        return auto.most
    number, unit = tcp.receive_buffer
    return int(number * tcp.smss if unit == "segments" else number)


def tcp_problems(groups: list[Group], tick_ps: int) -> Iterator[Problem]:
    """What does not agree in the TCPs of some groups; each thing once."""
    described = set()
    for group in groups:
        for side in _SIDES:
            for problem in _problems_of(group, side, tick_ps):
                if problem not in described:
                    described.add(problem)
                    yield problem


def _problems_of(group: Group, side: str, tick_ps: int) -> Iterator[Problem]:
    tcp = with_presets(getattr(group, side))
    if tcp.timers == "ticks":
        yield from _tick_problems(group, side, tick_ps)
    for low, high in combinations(_RTOS, 2):
        if (low, high) == ("min_rto", "initial_rto") and _floors_the_variance(tcp):
            continue
        if getattr(tcp, low) > getattr(tcp, high):
            yield _crossed(group, side, low, high)
    yield from _window_problems(group, side)
    if tcp.receive_buffer is None:
        return
    held = receive_buffer_bytes(tcp)
    if held < tcp.smss:
        yield Problem(
            group.tcp_path(side, "receive_buffer"),
            f'holds less than one segment; write "{show(tcp.smss, SIZE)}" or more',
        )
    if held > MOST_BUFFER:
        most = Amount(MOST_BUFFER // tcp.smss, "segments")
        yield Problem(
            group.tcp_path(side, "receive_buffer"),
            f'holds more than any window scale can express; write "{show_buffer(most)}" or less',
        )


def _window_problems(group: Group, side: str) -> Iterator[Problem]:
    """Keys of the window, and of the fast retransmit, that would do nothing with this TCP."""
    tcp: Tcp = getattr(group, side)
    if tcp.historic.retransmit_wait and not uses(tcp.flavor, "retransmit_wait"):
        yield Problem(
            group.tcp_path(side, "historic", "retransmit_wait"),
            f'has no effect with {keys.show(group.tcp_path(side, "flavor"))} = "{tcp.flavor}"; '
            f"write 0, or flavor = {shown(using('retransmit_wait')[0])}",
        )
    if not any(uses(tcp.flavor, key) for key in _BY_ACKS):
        cause = f'{keys.show(group.tcp_path(side, "flavor"))} = "{tcp.flavor}"'
        other = "another flavor"
    elif with_presets(tcp).growth != "acks":
        origin = f" (preset of {preset_of(tcp)})" if is_preset(tcp, "growth") else ""
        cause = f'{keys.show(group.tcp_path(side, "growth"))} = "bytes"{origin}'
        other = 'growth = "acks"'
    else:
        return
    for key, usual in _BY_ACKS.items():
        if getattr(tcp.historic, key) != usual:
            yield Problem(
                group.tcp_path(side, "historic", key),
                f"has no effect with {cause}; write {shown(usual)}, or {other}",
            )


def _floors_the_variance(tcp: Tcp) -> bool:
    """Whether `min_rto` is no limit of a time-out, which only fine timers know."""
    return tcp.timers == "fine" and tcp.min_rto_of == "variance"


def _tick_problems(group: Group, side: str, tick_ps: int) -> Iterator[Problem]:
    """Of time-outs that are not so many ticks."""
    tcp: Tcp = getattr(group, side)
    settled = with_presets(tcp)
    if settled.max_rto // tick_ps > _MOST_TICKS:
        yield Problem(
            ("clock", "tick"),
            f'is too fine for {_named(group, side, "max_rto")}; write for example "1 ms"',
        )
    for key in _RTOS:
        value = getattr(settled, key)
        if value % tick_ps:
            near = max(1, (value + tick_ps // 2) // tick_ps) * tick_ps
            yield Problem(
                group.tcp_path(side, key),
                f"{_whose(tcp, key)}is not a whole number of ticks of "
                f'clock.tick = "{show(tick_ps, TIME)}"; write "{show(near, TIME)}"',
            )


def _crossed(group: Group, side: str, low: str, high: str) -> Problem:
    """Of two times in the wrong order; reported at the one that is written."""
    tcp: Tcp = getattr(group, side)
    if is_preset(tcp, low) and not is_preset(tcp, high):
        key, other, relation, way = high, low, "below", "more, or lower"
    else:
        key, other, relation, way = low, high, "above", "less, or raise"
    limit = show(getattr(with_presets(tcp), other), TIME)
    return Problem(
        group.tcp_path(side, key),
        f"{_whose(tcp, key)}is {relation} {_named(group, side, other)}; "
        f'write "{limit}" or {way} {keys.show(group.tcp_path(side, other))}',
    )


def _whose(tcp: Tcp, key: str) -> str:
    """How the reason begins if the value is not the user's own."""
    if not is_preset(tcp, key):
        return ""
    return f'the preset of {preset_of(tcp)}, "{show(getattr(with_presets(tcp), key), TIME)}", '


def _named(group: Group, side: str, key: str) -> str:
    """A time of a TCP with its key, and where it comes from if it is not written."""
    tcp: Tcp = getattr(group, side)
    value = show(getattr(with_presets(tcp), key), TIME)
    origin = f" (preset of {preset_of(tcp)})" if is_preset(tcp, key) else ""
    return f'{keys.show(group.tcp_path(side, key))} = "{value}"{origin}'
