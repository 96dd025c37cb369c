"""Every number of the study that is not a level of a factor, with its default.

Source: ATM Forum 98-0876, sections 4 and 5. What it leaves open is a setting here;
docs/conventions.md tells why each default is what it is.
"""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ackclock.scenario.fields import (
    Cells,
    Duration,
    DurationOrOff,
    DurationOrZero,
    Rate,
    Share,
    Size,
    Written,
)
from ackclock.scenario.units import RATE, TIME, parse, show
from ackclock.studies.ubr_web.levels import BUFFERS_RTT, LINKS, MS

S = 1000 * MS
_MOST_TICKS = 2**31
IndexLaw = Literal["poisson_truncated", "poisson_clamped", "uniform", "five"]


class Phase(NamedTuple):
    """Where the hosts' ticks lie: uniform over a spread (0: one common clock), or from the open."""

    kind: Literal["uniform", "open"]
    spread_ps: int = 0


def _read_phase(text: str) -> Phase:
    if text == "common":
        return Phase("uniform")
    if text == "open":
        return Phase("open")
    if text.startswith("uniform "):
        return Phase("uniform", parse(text.removeprefix("uniform "), TIME))
    raise ValueError(f'"{text}" is not a phase; write "common", "open" or, say, "uniform 1 ms"')


def _write_phase(phase: Phase) -> str:
    if phase.kind == "open":
        return "open"
    return f"uniform {show(phase.spread_ps, TIME)}" if phase.spread_ps else "common"


ClockPhase = Annotated[Phase, Written('common | open | "uniform 1 ms"', _read_phase, _write_phase)]


class _Group(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Network(_Group):
    """Links between hosts and switches."""

    trunk_rate: Rate = 45_000_000
    """Rate of the link between the switches, all of it for cells."""
    access_rate: Rate = 149_760_000
    """Rate of the links of the hosts, after SONET overhead."""
    access_delay: DurationOrZero = 5_000_000
    """One-way delay of the links of the hosts."""


class Switch(_Group):
    """Output ports of the switches."""

    r: Share = 800_000
    """Threshold R as a share of the buffer: above it EPD and SD may refuse new frames."""
    z: Share = 800_000
    """Scaling Z of a connection's fair share in SD."""
    eom: Literal["keep", "drop"] = "keep"
    """What becomes of the last cell of a frame that overflow has cut."""
    wan_buffers: Cells = (531, 1062, 2300)
    """Buffers that stand for 0.5, 1 and 2 RTT on the WAN link."""
    meo_buffers: Cells = (10615, 21230, 42460)
    """Buffers that stand for 0.5, 1 and 2 RTT on the MEO link."""
    geo_buffers: Cells = (29190, 58380, 116760)
    """Buffers that stand for 0.5, 1 and 2 RTT on the GEO link."""

    def buffer_cells(self, link: str, buffer_rtt: float) -> int:
        """Size of a buffer, cells."""
        buffers = {"WAN": self.wan_buffers, "MEO": self.meo_buffers, "GEO": self.geo_buffers}
        return buffers[link][BUFFERS_RTT.index(buffer_rtt)]


class Clock(_Group):
    """Coarse TCP timers."""

    tick: Duration = 100 * MS
    """Granularity of the timers."""
    phase: ClockPhase = Phase("uniform", 300 * 10**6)
    """Where a host's ticks lie: one common clock, spread at random, or from the open on."""


class Tcp(_Group):
    """The TCP of every host."""

    initial_rto: Duration = 3 * S
    """Time-out before the first RTT sample; whole ticks."""
    min_rto: Duration = 200 * MS
    """Smallest time-out; whole ticks."""
    max_rto: Duration = 64 * S
    """Largest time-out; whole ticks."""
    initial_window: Annotated[int, Field(ge=1, le=1000)] = 1
    """Initial window, segments."""
    loss_window: Literal["cwnd", "flight_size"] = "cwnd"
    """What ssthresh is half of after a loss: min(cwnd, rwnd), or the data in flight."""
    additive_constant: bool = False
    """Whether an ACK adds 1/8 segment more in congestion avoidance, as in 4.3BSD Reno."""
    idle_restart: bool = False
    """Whether cwnd falls back to the initial window when nothing was sent for an RTO."""
    sws_avoidance: bool = False
    """Whether a sender waits rather than send part of a segment because the window ends."""
    nagle: bool = False
    """Nagle's algorithm."""
    delayed_ack: DurationOrOff = None
    """Time-out of delayed ACKs."""
    newreno: Literal["newreno_full", "newreno_hoe", "newreno"] = "newreno_hoe"
    """The NewReno level: that of the paper's version of ns, of its text alone, or RFC 6582."""
    deflation: Literal["preset", "full", "partial"] = "preset"
    """NewReno: what a partial ACK leaves of cwnd; preset is the variant's own."""
    partial_ack_timer: Literal["preset", "first", "every"] = "preset"
    """NewReno: which partial ACKs restart the timer; preset is the variant's own."""


class Workload(_Group):
    """What the clients ask for."""

    period: Duration = 10 * S
    """From one batch of requests to the next."""
    period_from: Literal["first_request", "last_request"] = "first_request"
    """Where the period counts from: the first request of a batch, or its last."""
    start_spread: DurationOrZero = 0
    """First batches start uniformly within this time; 0 s is all at once."""
    requests: IndexLaw = "poisson_truncated"
    """Requests of a document, 1 to 9."""
    gap_min: DurationOrZero = 100 * MS
    """Shortest gap between requests."""
    gap_max: DurationOrZero = 500 * MS
    """Longest gap between requests."""
    request_size: Size = 128
    """Size of a request."""
    file_index: IndexLaw = "poisson_truncated"
    """Which of the nine sizes of its class a file has."""
    first_is_class_0: bool = False
    """Whether the first request of a batch is always for a file of at most 1 KB."""


class Parameters(_Group):
    """The parameters of the study; a dotted key such as ``tcp.min_rto`` names one."""

    pairs: Annotated[int, Field(ge=1, le=100_000)] = 100
    """Client-server pairs; each is one TCP connection."""
    duration: Duration = 100 * S
    """Simulated time of a run."""
    network: Network = Network()
    switch: Switch = Switch()
    clock: Clock = Clock()
    tcp: Tcp = Tcp()
    workload: Workload = Workload()

    @model_validator(mode="after")
    def _agree(self) -> Parameters:
        problems = [*_buffer_problems(self.switch), *_timer_problems(self)]
        if self.network.access_rate < self.network.trunk_rate:
            rates = (self.network.access_rate, self.network.trunk_rate)
            problems.append(
                "network.access_rate={} is below network.trunk_rate={}; "
                'for example "149.76 Mbit/s" and "45 Mbit/s"'.format(
                    *(show(rate, RATE) for rate in rates)
                )
            )
        if self.workload.gap_min > self.workload.gap_max:
            gaps = (show(gap, TIME) for gap in (self.workload.gap_min, self.workload.gap_max))
            problems.append(
                "workload.gap_min={} is above workload.gap_max={}; "
                'for example "100 ms" and "500 ms"'.format(*gaps)
            )
        if problems:
            raise ValueError("\n".join(problems))
        return self


def frame_cells(payload_bytes: int) -> int:
    """Cells of an AAL5 frame with this much TCP payload.

    TCP and IP headers are 20 bytes each, LLC/SNAP and the AAL5 trailer 8 each; 48 bytes a cell.
    """
    return -(-(payload_bytes + 20 + 20 + 8 + 8) // 48)


def _buffer_problems(switch: Switch) -> list[str]:
    problems = []
    for link, fixed in LINKS.items():
        key = f"{link.lower()}_buffers"
        buffers = getattr(switch, key)
        default = Switch.model_fields[key].default
        given = f"switch.{key}={', '.join(map(str, buffers))} cells"
        example = f'for example "{", ".join(map(str, default))} cells"'
        frame = frame_cells(fixed.smss_bytes)
        if len(buffers) != len(default):
            problems.append(f"{given}: three sizes are wanted (0.5, 1, 2 RTT); {example}")
        problems += [
            f"{given}: {buffer} cells cannot hold one frame, which takes {frame}; {example}"
            for buffer in buffers
            if buffer < frame
        ]
    return problems


def _timer_problems(parameters: Parameters) -> list[str]:
    tick, tcp = parameters.clock.tick, parameters.tcp
    problems = []
    for key in ("min_rto", "initial_rto", "max_rto"):
        ticks, rest = divmod(getattr(tcp, key), tick)
        if rest:
            near = show((ticks or 1) * tick, TIME)
            problems.append(
                f"tcp.{key}={show(getattr(tcp, key), TIME)} is not a whole number of ticks of "
                f'clock.tick={show(tick, TIME)}; write "{near}"'
            )
    if tcp.max_rto // tick > _MOST_TICKS:
        problems.append(
            f"clock.tick={show(tick, TIME)} is too fine for "
            f'tcp.max_rto={show(tcp.max_rto, TIME)}; write for example "100 ms"'
        )
    if not tcp.min_rto <= tcp.initial_rto <= tcp.max_rto:
        rtos = (show(rto, TIME) for rto in (tcp.min_rto, tcp.initial_rto, tcp.max_rto))
        problems.append(
            "tcp.min_rto={}, tcp.initial_rto={} and tcp.max_rto={} must ascend; "
            'for example "200 ms", "3 s" and "64 s"'.format(*rtos)
        )
    return problems
