"""Under which conventions the transfers of section V are simulated, and which of them is Linux's.

Source: Parvez et al., section V: FreeBSD 4.11 sends (cwnd grows by the ACK, RFC 5681), Linux 2.6.8
receives. Linux counts what is acknowledged (RFC 3465 without a limit), has a floor of 200 ms of the
variance's part of the time-out (``tcp_rto_min_us``), lets out a segment for each of the first two
duplicate ACKs (RFC 3042), and counts cwnd and ssthresh in segments.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from ackclock import scenario
from ackclock.errors import InputError
from ackclock.scenario.units import TIME, parse
from ackclock.studies.newreno.levels import EMULATION
from ackclock.studies.newreno.parts import OWN_SETS
from ackclock.studies.newreno.result import KernelRequest, Request
from ackclock.studies.newreno.settings import STUDY

PRINTED, KERNEL = "paper", "kernel"
"""What stands in the tables beside the conventions."""
ACKS, STUDY_OWN, SEGMENTS = "acks_1s", "study", "segments_200ms"
LIMITED, LINUX, EACH_ACKED = "limited_transmit", "as_linux", "each_acked"
_GROWTH, _ROUNDING = "flows[0].tcp.growth", "flows[0].tcp.ssthresh_rounding"
_FLOOR, _FLOOR_OF = "variables.testbed_min_rto", "variables.testbed_min_rto_of"
_SEGMENTS = {_GROWTH: "bytes", _FLOOR: "200 ms", _FLOOR_OF: "variance"}
_LIMITED = {**_SEGMENTS, "variables.testbed_limited_transmit": "true"}
_LINUX = {**_LIMITED, _ROUNDING: "segments"}
CONVENTIONS: Mapping[str, Mapping[str, str]] = {
    ACKS: {_GROWTH: "acks", _FLOOR: "1 s", _FLOOR_OF: "rto"},
    STUDY_OWN: {},
    SEGMENTS: _SEGMENTS,
    LIMITED: _LIMITED,
    LINUX: _LINUX,
    EACH_ACKED: {**_LINUX, "variables.testbed_delayed_ack": "off"},
}
"""What each sets beside what the part ``EMULATION`` does; the losses are the same."""
NAMES = {
    PRINTED: "paper",
    KERNEL: "kernel",
    ACKS: "(a) growth per ACK, RTOmin 1 s",
    STUDY_OWN: "this study",
    SEGMENTS: "(b) growth per segment, RTOmin 200 ms",
    LIMITED: "(b) with limited transmit",
    LINUX: "(b) with limited transmit and whole segments",
    EACH_ACKED: "the same without delayed ACKs",
}
MAIN = (PRINTED, KERNEL, ACKS, STUDY_OWN, SEGMENTS)
"""What is compared first; the others are steps on the way to the kernel."""
PROFILE = "newreno-classic"
"""Of the kernel: its reno without SACK, D-SACK, F-RTO, TLP and autocorking."""
_RUN_TIME = "variables.run_time"
_PS_PER_S = 10**12


def scenario_of(request: Request, kernel: KernelRequest, convention: str) -> scenario.Scenario:
    """The transfers under a convention, a point an imposed loss.

    Raises:
        InputError: with all that is wrong with what the request changes.
    """
    return _loaded(request.sets, request.seed, kernel.duration, convention)


# Checked at every point, which is worth doing once: the command asks, and the runs.
@lru_cache(maxsize=2 * len(CONVENTIONS))
def _loaded(
    sets: tuple[str, ...], seed: int, duration: str | None, convention: str
) -> scenario.Scenario:
    own = {text.partition("=")[0]: text for text in OWN_SETS[EMULATION]}
    if duration is not None:
        own[_RUN_TIME] = f"{_RUN_TIME}={duration}"
    changes = CONVENTIONS[convention]
    # A convention is what it says, whatever the user sets.
    kept = [pair for pair in sets if pair.partition("=")[0].strip() not in changes]
    described = [f"{key}={value}" for key, value in changes.items()]
    return STUDY.load(kept, seed, [*own.values(), *described])


def convention_problems(request: Request, kernel: KernelRequest) -> list[str]:
    """What is wrong with the conventions' scenarios, beside what is wrong with the part itself."""
    try:
        its = scenario_of(request, KernelRequest(), STUDY_OWN)
    except InputError:
        return []
    if wrong := _duration_problem(kernel, its):
        return [wrong]
    found: dict[str, None] = {}
    for convention in CONVENTIONS:
        try:
            scenario_of(request, kernel, convention)
        except InputError as error:
            found |= dict.fromkeys(error.messages)
    return list(found)


def _duration_problem(kernel: KernelRequest, its: scenario.Scenario) -> str:
    """What is wrong with how long the transfers are to be; empty if nothing is.

    Args:
        kernel: what is asked for.
        its: the scenario with the paper's duration.
    """
    if kernel.duration is None:
        return ""
    option = f"--emulation-duration {kernel.duration}"
    try:
        wanted_ps = parse(kernel.duration, TIME)
    except ValueError as error:
        return f"{option}: {error}"
    workloads = its.points()[0].compile().plan["workloads"]
    latest_ps = max(each["start_ps"] + each["start_spread_ps"] for each in workloads)
    if wanted_ps > latest_ps:
        return ""
    return (
        f"{option}: a transfer may begin {latest_ps / _PS_PER_S:g} s after the start and has no"
        ' time left; write for example "120 s"'
    )
