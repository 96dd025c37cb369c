"""``[tcp]``: the TCP of a host."""

from __future__ import annotations

from typing import Annotated

from ackclock import _core
from ackclock.scenario.model.base import Table
from ackclock.scenario.units import SIZE
from ackclock.scenario.values.plain import Flag, choice, whole
from ackclock.scenario.values.quantities import (
    NO_THRESHOLD,
    Duration,
    DurationOrOff,
    Threshold,
    quantity,
)

MS = 10**9
S = 1000 * MS
AUTO = "auto"
PRESET = "preset"
MOST_SCALE = 14
MOST_UNSCALED = 65535
_NAMES = [name for name, _ in _core.flavors()]
_SMSS = quantity(SIZE, positive=True, most=65535 - 40)
_BUFFER = quantity(SIZE, positive=True, most=MOST_UNSCALED << MOST_SCALE)


class Tcp(Table):
    """The TCP of both ends of every flow; a flow group changes what it names. Defaults: RFCs."""

    flavor: Annotated[str, choice(_NAMES)] = "newreno"
    """Loss recovery and congestion control, by name."""
    smss: Annotated[int, _SMSS] = 1460
    """Sender maximum segment size: data in a full segment."""
    initial_window: Annotated[int, whole(1, 1000, 10)] = 10
    """Initial window, in segments."""
    initial_ssthresh: Threshold = NO_THRESHOLD
    """Slow-start threshold of a new connection."""
    receive_buffer: Annotated[int, _BUFFER] = 2**20
    """Receive buffer: the most that is advertised."""
    window_scale: Annotated[int | str, whole(0, MOST_SCALE, 7, also=AUTO)] = AUTO
    """Window scale that is offered; "auto" is the smallest that can tell the receive buffer."""
    delayed_ack: DurationOrOff = 200 * MS
    """How long an ACK may wait for a second segment."""
    nagle: Flag = False
    """Nagle's algorithm: one small segment at a time."""
    sws_avoidance: Flag = True
    """Whether a sender waits rather than send part of a segment because the window ends."""
    idle_restart: Flag = True
    """Whether cwnd falls back to the initial window when nothing was sent for an RTO."""
    loss_window: Annotated[str, choice(["flight_size", "cwnd"])] = "flight_size"
    """What ssthresh is half of after a loss: the data in flight, or min(cwnd, rwnd)."""
    additive_constant: Flag = False
    """Whether an ACK adds 1/8 segment more in congestion avoidance, as in 4.3BSD Reno."""
    initial_rto: Duration = S
    """Time-out before the first RTT sample; whole ticks of the clock."""
    min_rto: Duration = S
    """Smallest time-out; whole ticks of the clock."""
    max_rto: Duration = 60 * S
    """Largest time-out; whole ticks of the clock."""
    deflation: Annotated[str, choice([PRESET, "full", "partial"])] = PRESET
    """NewReno: what a partial ACK leaves of cwnd; "preset" is the flavor's own."""
    partial_ack_timer: Annotated[str, choice([PRESET, "first", "every"])] = PRESET
    """NewReno: which partial ACKs restart the timer; "preset" is the flavor's own."""
