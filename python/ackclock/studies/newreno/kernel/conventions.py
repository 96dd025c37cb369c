"""Under which conventions the transfers of section V are simulated, and which of them is Linux's.

Source: Parvez et al., section V: FreeBSD 4.11 sends (cwnd grows by the ACK, RFC 5681), Linux 2.6.8
receives. Linux counts what is acknowledged (RFC 3465 without a limit), has a floor of 200 ms of the
variance's part of the time-out (``tcp_rto_min_us``), lets out a segment for each of the first two
duplicate ACKs (RFC 3042), and counts cwnd and ssthresh in segments.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from ackclock.scenario import Scenario
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.settings import sets_of
from ackclock.studies.machinery.study import Part
from ackclock.studies.newreno.levels import EMULATION

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
DURATION = "emulation-duration"
"""The option that says how long each transfer lasts; the paper's time if it is not given."""
_RUN_TIME = "variables.run_time"


def scenario_of(request: Request, convention: str) -> Scenario:
    """The transfers under a convention, a point an imposed loss.

    Raises:
        InputError: with all that is wrong with what the request changes.
    """
    part = request.study.part(EMULATION)
    sets = sets_of(part, request)
    return _loaded(part, sets, request.seed, request.option(DURATION), convention)


# Checked at every point, which is worth doing once: the command asks, and the runs.
@lru_cache(maxsize=2 * len(CONVENTIONS))
def _loaded(
    part: Part, sets: tuple[str, ...], seed: int, duration: str | None, convention: str
) -> Scenario:
    own = {text.partition("=")[0]: text for text in part.own_sets}
    if duration is not None:
        own[_RUN_TIME] = f"{_RUN_TIME}={duration}"
    changes = CONVENTIONS[convention]
    # A convention is what it says, whatever the user sets.
    kept = [pair for pair in sets if pair.partition("=")[0].strip() not in changes]
    described = [f"{key}={value}" for key, value in changes.items()]
    return part.file.load(kept, seed, [*own.values(), *described])
