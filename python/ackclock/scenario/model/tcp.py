"""``[tcp]``: the TCP of a host."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Self

from ackclock import _core
from ackclock.scenario.model.base import Earlier, Renamed, Table, keys
from ackclock.scenario.units import SIZE, TIME
from ackclock.scenario.values.buffers import buffer
from ackclock.scenario.values.kind import Kind
from ackclock.scenario.values.plain import FLAG, Flag, above, choice, or_word, plain, share, whole
from ackclock.scenario.values.preset import AS_PUBLISHED, PRESET, or_preset, or_published
from ackclock.scenario.values.quantities import (
    AUTO,
    NO_THRESHOLD,
    OFF,
    Amount,
    Threshold,
    quantity,
)

INITIAL_WINDOW = "initial_window"
UP = "up"
MOST_SCALE = 14
MOST_BATCH = 10**6
MOST_UNSCALED = 65535
MOST_BUFFER = MOST_UNSCALED << MOST_SCALE
"""The largest window that a window scale can advertise, bytes."""
FLAVORS = {row[0]: row[1] for row in _core.flavors()}
"""Names and one-line summaries of the flavors."""
FLAVOR = choice(list(FLAVORS), renamed={"modern": "cubic"})
"""A flavor by its name."""
STACKS = [row[0] for row in _core.stacks()]
"""Names of the stacks whose presets a flavor can have; the first is the default."""
_SMSS = quantity(SIZE, positive=True, most=65535 - 40)
_PART = share("0.7", zero=False, one=False, decimals=6)
_OR_OFF = quantity(TIME, positive=True, words={OFF: None})
_QUICK = quantity(SIZE, positive=False, example="16 KiB")


def _one_of(*names: str) -> Kind:
    return or_preset(choice(names))


_FlagOrPreset = Annotated[bool | str, or_preset(FLAG)]
_TimeOrPreset = Annotated[int | str, or_preset(quantity(TIME, positive=True))]


class Historic(Table):
    """What reproduces a stack, a simulator or a paper of the 1990s, and nothing of today.

    A key is here if no flavor sets it, and no RFC in force and no present-day stack does
    anything but its default.
    """

    handshake_growth: Flag = False
    """Whether the ACK of the SYN opens cwnd as that of a segment does, as in BSD."""
    handshake_sample: Flag = True
    """Whether the ACK of the SYN is a sample of the RTT; if not, data begins with `initial_rto`."""
    additive_constant: Flag = False
    """Reno: whether an ACK adds 1/8 segment more in congestion avoidance, as in 4.3BSD Reno."""
    cwnd_rounding: Annotated[str, choice([UP, "down", "none"])] = UP
    """Rounding of cwnd growth in congestion avoidance: down but at least 1 byte, down, or none."""
    cwnd_ack_batch: Annotated[int, whole(1, MOST_BATCH, 8)] = 1
    """How many ACKs congestion avoidance waits for; it then adds as much as they all give."""
    retransmit_wait: Annotated[Fraction, above(0, 4, "0.5", equal=True)] = Fraction(0)
    """Flavor `sack`: how much of SRTT the fast retransmit waits after the third duplicate ACK."""


_OF_LOSS_WINDOW = {"bounded": "flight_size_bounded", "deflated": "cwnd_deflated"}
"""Words of the earlier key `loss_window` that are others today."""
_SSTHRESH_FROM = choice(
    ["flight_size_bounded", "flight_size", "cwnd", "cwnd_deflated"], renamed=_OF_LOSS_WINDOW
)


def _of_loss_window(raw: Any) -> dict[str, Any]:
    """What the earlier key `loss_window` says, which decided about fast retransmits, too."""
    word = plain(raw)
    careful = {PRESET: PRESET, "bounded": True}.get(str(word), AS_PUBLISHED)
    return {
        "ssthresh_from": _OF_LOSS_WINDOW.get(str(word), raw),
        "careful_fast_retransmit": careful,
    }


def _of_historic(name: str) -> Earlier:
    return Earlier(("historic", name), lambda raw: {"historic": {name: raw}})


class Tcp(Renamed):
    """The TCP of both ends of every flow; a flow group changes what it names.

    "preset" is the value of the flavor on the stack; see `ackclock.scenario.presets`.
    """

    earlier: ClassVar[Mapping[str, Earlier]] = {
        "loss_window": Earlier(("ssthresh_from",), _of_loss_window),
        **{name: _of_historic(name) for name in keys(Historic)},
    }
    flavor: Annotated[str, FLAVOR] = "cubic"
    """Loss recovery and congestion control, by name."""
    stack: Annotated[str, choice(STACKS)] = STACKS[0]
    """Whose presets the flavor has: those of the RFCs, or those of Linux."""
    smss: Annotated[int, _SMSS] = 1460
    """Sender maximum segment size: data in a full segment, and its timestamps (12 B)."""
    initial_window: Annotated[int, whole(1, 1000, 10)] = 10
    """Initial window, in segments."""
    initial_ssthresh: Threshold = NO_THRESHOLD
    """Slow-start threshold of a new connection."""
    receive_buffer: Annotated[Amount | None, or_word(buffer(MOST_BUFFER), AUTO)] = None
    """Receive buffer, the largest advertised window; segments count as `smss` each."""
    window_scale: Annotated[int | str, whole(0, MOST_SCALE, 7, also=[AUTO, OFF])] = AUTO
    """Window scale that is offered; "auto" is the smallest that covers the receive buffer."""
    nagle: Flag = False
    """Nagle's algorithm: one small segment at a time."""
    sws_avoidance: Flag = True
    """Whether a sender waits rather than send part of a segment because the window ends."""
    idle_restart: Flag = True
    """Whether cwnd falls back to `restart_window` when nothing was sent for an RTO."""
    restart_window: Annotated[int | str, whole(1, 1000, 1, also=[INITIAL_WINDOW])] = INITIAL_WINDOW
    """With `idle_restart`: the segments to which cwnd falls back, unless it is smaller."""
    sack: _FlagOrPreset = PRESET
    """Whether SACK is offered (RFC 2018)."""
    sack_blocks: Annotated[int | str, or_preset(whole(1, 4, 3))] = PRESET
    """SACK blocks in an ACK at most; beside timestamps three fit."""
    dsack: _FlagOrPreset = PRESET
    """Whether data that arrives twice is reported in a SACK block (RFC 2883)."""
    timestamps: _FlagOrPreset = PRESET
    """Whether timestamps are offered (RFC 7323)."""
    ecn: _FlagOrPreset = PRESET
    """Whether ECN is offered, and agreed to (RFC 3168)."""
    ecn_feedback: Annotated[str, _one_of("classic", "dctcp", "accurate")] = PRESET
    """With `ecn`: how a receiver reports marks: once a window, of each segment, or by counters."""
    l4s: _FlagOrPreset = PRESET
    """With `ecn`: whether packets ask for the queue of low latency: ECT(1), else ECT(0)."""
    abe: _FlagOrPreset = PRESET
    """With `ecn`: whether a mark reduces cwnd less than a loss does (RFC 8511)."""
    limited_transmit: _FlagOrPreset = PRESET
    """Whether the first two duplicate ACKs let out new data (RFC 3042)."""
    prr: _FlagOrPreset = PRESET
    """Recoveries of RFC 6675: whether cwnd falls as data is delivered (RFC 9937)."""
    loss_detection: Annotated[str, _one_of("rack", "rfc6675")] = PRESET
    """How SACK shows losses: by the time of sending (RFC 8985), or by counting segments."""
    tlp: _FlagOrPreset = PRESET
    """With `loss_detection = "rack"`: whether a probe follows the last segments (RFC 8985)."""
    tlp_timer: Annotated[str, _one_of("rfc8985", "linux")] = PRESET
    """With `tlp`: when the probe leaves if one segment is out: 200 ms late, or as in Linux."""
    f_rto: _FlagOrPreset = PRESET
    """With `loss_detection = "rack"`: whether spurious time-outs are recognised (RFC 5682)."""
    undo: Annotated[str, _one_of("off", "rfc4015", "linux")] = PRESET
    """With `loss_detection = "rack"`: what a spurious reduction of cwnd gives back."""
    lost_retransmission_detection: _FlagOrPreset = PRESET
    """Recoveries of RFC 6675: whether lost retransmissions are found without timer (RFC 8985)."""
    growth: Annotated[str, _one_of("acks", "bytes")] = PRESET
    """How much an ACK adds to cwnd in slow start: a segment, or the acknowledged bytes."""
    growth_limit: Annotated[int | str, or_preset(whole(1, 1000, 2, also=[OFF]))] = PRESET
    """With `growth = "bytes"`: most segments that an ACK adds in slow start (RFC 3465's L)."""
    slow_start: Annotated[str, _one_of("standard", "hystart_plus_plus", "hystart")] = PRESET
    """How slow start ends: at a loss, or earlier by RFC 9406 or Linux' HyStart."""
    whole_segments: _FlagOrPreset = PRESET
    """Whether cwnd and ssthresh are whole segments, as in Linux."""
    pacing: Annotated[str, _one_of("off", "rate", "cc")] = PRESET
    """Whether segments are spaced: not, by cwnd and SRTT, or as congestion control says."""
    unpaced_segments: Annotated[int | str, or_preset(whole(0, 1000, 10))] = PRESET
    """With `pacing`: how many segments of a connection leave before it begins; Linux: 10."""
    cwnd_validation: _FlagOrPreset = PRESET
    """Whether cwnd grows only while it limits the sender, and decays when idle (RFC 2861)."""
    ssthresh_from: Annotated[str, or_preset(_SSTHRESH_FROM)] = PRESET
    """Of what ssthresh becomes a part: flight size, as it is or bounded, cwnd, or that deflated."""
    careful_fast_retransmit: Annotated[bool | str, or_preset(or_published(FLAG))] = PRESET
    """Reno, NewReno: whether what was sent before a time-out sets off no fast retransmit."""
    ssthresh_rounding: Annotated[str, _one_of("bytes", "segments")] = PRESET
    """How ssthresh is rounded: to whole bytes, or to whole segments as in BSD and Linux."""
    cubic_beta: Annotated[Fraction | str, or_preset(_PART)] = PRESET
    """CUBIC: the part of the window that a loss leaves."""
    cubic_arithmetic: Annotated[str, _one_of("rfc9438", "linux")] = PRESET
    """CUBIC: whether it computes with real numbers, or with the integers of Linux."""
    ledbat_target: _TimeOrPreset = PRESET
    """LEDBAT: the queueing delay that it aims at (RFC 6817: at most 100 ms)."""
    deflation: Annotated[str, _one_of("full", "partial")] = PRESET
    """NewReno: what a partial ACK leaves of cwnd."""
    partial_ack_timer: Annotated[str, _one_of("first", "every")] = PRESET
    """NewReno: which partial ACKs restart the timer."""
    timers: Annotated[str, _one_of("ticks", "fine")] = PRESET
    """How time-outs are counted: in whole ticks of the clock, or exactly."""
    min_rto_of: Annotated[str, _one_of("rto", "variance")] = PRESET
    """With `timers = "fine"`: what `min_rto` is the floor of, the RTO or its 4 RTTVAR."""
    initial_rto: _TimeOrPreset = PRESET
    """Time-out before the first RTT sample; whole ticks with `timers = "ticks"`."""
    min_rto: _TimeOrPreset = PRESET
    """Smallest time-out; whole ticks with `timers = "ticks"`."""
    max_rto: _TimeOrPreset = PRESET
    """Largest time-out; whole ticks with `timers = "ticks"`."""
    delayed_ack: Annotated[int | str | None, or_preset(_OR_OFF)] = PRESET
    """How long an ACK may wait for further segments."""
    ack_timer: Annotated[str, _one_of("per_ack", "free_running")] = PRESET
    """When `delayed_ack` is over: counted from the first segment, or at every tick of so long."""
    ack_every: Annotated[int | str, or_preset(whole(1, 1000, 2))] = PRESET
    """With `delayed_ack`: how many segments in order an ACK waits for."""
    quick_acks: Annotated[int | str, or_preset(whole(0, 1000, 16))] = PRESET
    """How many ACKs of a new connection do not wait."""
    quick_ack_size: Annotated[int | str, or_preset(_QUICK)] = PRESET
    """So many bytes are acknowledged at once at first, and again after each gap in the data."""
    recovery_samples: _FlagOrPreset = PRESET
    """Whether a segment stays timed while a recovery holds up its ACK; BSD and ns-2: no."""
    sample_every_ack: _FlagOrPreset = PRESET
    """With `loss_detection = "rack"`: whether every ACK is a sample of the RTT, or one a window."""
    window_probe: Annotated[str, _one_of("octet", "ack")] = PRESET
    """The probe of a closed window: one byte of new data, or a segment without data."""
    historic: Historic = Historic()
    """Options that only studies of the 1990s set."""

    def over(self, base: Self) -> Self:
        """As of every table; and what is historic key by key."""
        whole = super().over(base)
        return whole.model_copy(update={"historic": self.historic.over(base.historic)})
