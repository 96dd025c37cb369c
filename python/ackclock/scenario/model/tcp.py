"""``[tcp]``: the TCP of a host."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Self

from ackclock import _core
from ackclock.scenario.model.base import Earlier, Renamed, Table, keys
from ackclock.scenario.units import SIZE, TIME
from ackclock.scenario.values.buffers import buffer
from ackclock.scenario.values.flavor import flavor
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
FLAVOR = flavor(list(FLAVORS), renamed={"modern": "cubic"})
"""A flavor by its name, or a class in a Python file."""
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
    """Keys that reproduce a stack, a simulator or a paper of the 1990s.

    A key is here if no flavor sets it, and no RFC in force and no present-day stack does
    anything but its default.
    """

    handshake_growth: Flag = False
    """Whether the ACK of the SYN opens cwnd like the ACK of a segment, as in BSD."""
    handshake_sample: Flag = True
    """Whether the ACK of the SYN gives an RTT sample; if not, data starts with `initial_rto`."""
    additive_constant: Flag = False
    """Reno: whether each ACK adds another 1/8 segment in congestion avoidance, as in
    4.3BSD Reno.
    """
    cwnd_rounding: Annotated[str, choice([UP, "down", "none"])] = UP
    """Rounding of cwnd growth in congestion avoidance: to whole bytes, at least 1 (up); to whole
    bytes, possibly 0 (down); or none.
    """
    cwnd_ack_batch: Annotated[int, whole(1, MOST_BATCH, 8)] = 1
    """Number of ACKs after which congestion avoidance increases cwnd, by the sum of their
    increments.
    """
    retransmit_wait: Annotated[Fraction, above(0, 4, "0.5", equal=True)] = Fraction(0)
    """Flavor `sack`: delay of the fast retransmit after the third duplicate ACK, as a multiple of
    SRTT.
    """


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
    """The TCP of both ends of every flow; a group of flows can change any key.

    "preset" is the value of the flavor on the stack; see `ackclock.scenario.presets`.
    """

    earlier: ClassVar[Mapping[str, Earlier]] = {
        "loss_window": Earlier(("ssthresh_from",), _of_loss_window),
        **{name: _of_historic(name) for name in keys(Historic)},
    }
    flavor: Annotated[str, FLAVOR] = "cubic"
    """Loss recovery and congestion control, by name; or a class in a Python file, which runs only
    with `--allow-code`.
    """
    stack: Annotated[str, choice(STACKS)] = STACKS[0]
    """Source of the flavor's presets: the RFCs, or Linux."""
    smss: Annotated[int, _SMSS] = 1460
    """Sender maximum segment size (SMSS): data in a full segment, plus its timestamps (12 B)."""
    initial_window: Annotated[int, whole(1, 1000, 10)] = 10
    """Initial window, in segments."""
    initial_ssthresh: Threshold = NO_THRESHOLD
    """Slow-start threshold of a new connection."""
    receive_buffer: Annotated[Amount | None, or_word(buffer(MOST_BUFFER), AUTO)] = None
    """Receive buffer, which is the largest advertised window; a segment counts as `smss` bytes."""
    window_scale: Annotated[int | str, whole(0, MOST_SCALE, 7, also=[AUTO, OFF])] = AUTO
    """Window scale to offer; "auto" is the smallest that covers the receive buffer."""
    nagle: Flag = False
    """Whether to use Nagle's algorithm: at most one small segment in flight."""
    sws_avoidance: Flag = True
    """Whether a sender waits if the window has room for only a part of a segment (silly window
    avoidance).
    """
    idle_restart: Flag = True
    """Whether cwnd is reduced to `restart_window` if nothing was sent for a retransmission time-out
    (RTO).
    """
    restart_window: Annotated[int | str, whole(1, 1000, 1, also=[INITIAL_WINDOW])] = INITIAL_WINDOW
    """With `idle_restart`: largest cwnd after the idle time, in segments."""
    sack: _FlagOrPreset = PRESET
    """Whether to offer selective acknowledgments (SACK, RFC 2018)."""
    sack_blocks: Annotated[int | str, or_preset(whole(1, 4, 3))] = PRESET
    """Largest number of SACK blocks in an ACK; with timestamps at most three fit."""
    dsack: _FlagOrPreset = PRESET
    """Whether to report data that arrives twice in a SACK block (DSACK, RFC 2883)."""
    timestamps: _FlagOrPreset = PRESET
    """Whether to offer timestamps (RFC 7323)."""
    ecn: _FlagOrPreset = PRESET
    """Whether to offer and accept explicit congestion notification (ECN, RFC 3168)."""
    ecn_feedback: Annotated[str, _one_of("classic", "dctcp", "accurate")] = PRESET
    """With `ecn`: how a receiver reports marks: once per window, for each segment, or by
    counters.
    """
    l4s: _FlagOrPreset = PRESET
    """With `ecn`: whether packets carry ECT(1), for the low-latency queue (L4S), instead
    of ECT(0).
    """
    abe: _FlagOrPreset = PRESET
    """With `ecn`: whether a mark reduces cwnd less than a loss does (RFC 8511)."""
    limited_transmit: _FlagOrPreset = PRESET
    """Whether each of the first two duplicate ACKs lets the sender send new data (RFC 3042)."""
    prr: _FlagOrPreset = PRESET
    """In recoveries of RFC 6675: whether cwnd falls in proportion to the delivered data (PRR, RFC
    9937).
    """
    loss_detection: Annotated[str, _one_of("rack", "rfc6675")] = PRESET
    """How losses are found from SACK: by the time of sending (RACK, RFC 8985), or by counting
    segments (RFC 6675).
    """
    tlp: _FlagOrPreset = PRESET
    """With `loss_detection = "rack"`: whether to send a tail loss probe (TLP) after the last
    segments (RFC 8985).
    """
    tlp_timer: Annotated[str, _one_of("rfc8985", "linux")] = PRESET
    """With `tlp`: when the probe is sent if one segment is in flight: 200 ms later, or as
    in Linux.
    """
    f_rto: _FlagOrPreset = PRESET
    """With `loss_detection = "rack"`: whether to detect spurious time-outs (F-RTO, RFC 5682)."""
    undo: Annotated[str, _one_of("off", "rfc4015", "linux")] = PRESET
    """With `loss_detection = "rack"`: what is restored after a spurious reduction of cwnd."""
    lost_retransmission_detection: _FlagOrPreset = PRESET
    """In recoveries of RFC 6675: whether lost retransmissions are found without the timer (RFC
    8985).
    """
    growth: Annotated[str, _one_of("acks", "bytes")] = PRESET
    """How much an ACK adds to cwnd in slow start: a segment, or the acknowledged bytes."""
    growth_limit: Annotated[int | str, or_preset(whole(1, 1000, 2, also=[OFF]))] = PRESET
    """With `growth = "bytes"`: largest number of segments that an ACK adds in slow start (L of RFC
    3465).
    """
    slow_start: Annotated[str, _one_of("standard", "hystart_plus_plus", "hystart")] = PRESET
    """How slow start ends: at a loss, or earlier by HyStart++ (RFC 9406) or HyStart (Linux)."""
    whole_segments: _FlagOrPreset = PRESET
    """Whether cwnd and ssthresh are whole segments, as in Linux."""
    pacing: Annotated[str, _one_of("off", "rate", "cc")] = PRESET
    """How segments are paced: not at all (off), at a rate from cwnd and SRTT (rate), or by the
    congestion control (cc).
    """
    unpaced_segments: Annotated[int | str, or_preset(whole(0, 1000, 10))] = PRESET
    """With `pacing`: number of segments of a connection that are sent before pacing begins; Linux:
    10.
    """
    cwnd_validation: _FlagOrPreset = PRESET
    """Whether cwnd grows only while it limits the sender, and decays when idle (RFC 2861)."""
    ssthresh_from: Annotated[str, or_preset(_SSTHRESH_FROM)] = PRESET
    """Quantity from which ssthresh is computed after a loss: the flight size, the bounded flight
    size, cwnd, or the deflated cwnd.
    """
    careful_fast_retransmit: Annotated[bool | str, or_preset(or_published(FLAG))] = PRESET
    """Reno, NewReno: whether data sent before a time-out is excluded from fast retransmit."""
    ssthresh_rounding: Annotated[str, _one_of("bytes", "segments")] = PRESET
    """How ssthresh is rounded: to whole bytes, or to whole segments as in BSD and Linux."""
    cubic_beta: Annotated[Fraction | str, or_preset(_PART)] = PRESET
    """CUBIC: part of the window that remains after a loss."""
    cubic_arithmetic: Annotated[str, _one_of("rfc9438", "linux")] = PRESET
    """CUBIC: arithmetic with real numbers (rfc9438), or with the integers of Linux."""
    ledbat_target: _TimeOrPreset = PRESET
    """LEDBAT: target of the queueing delay (RFC 6817: at most 100 ms)."""
    deflation: Annotated[str, _one_of("full", "partial")] = PRESET
    """NewReno: how a partial ACK deflates cwnd, in part or in full."""
    partial_ack_timer: Annotated[str, _one_of("first", "every")] = PRESET
    """NewReno: which partial ACKs restart the timer: the first only, or every one."""
    timers: Annotated[str, _one_of("ticks", "fine")] = PRESET
    """How time-outs are counted: in whole ticks of the clock, or exactly."""
    min_rto_of: Annotated[str, _one_of("rto", "variance")] = PRESET
    """With `timers = "fine"`: quantity that `min_rto` limits from below: the RTO, or its term 4
    RTTVAR (variance).
    """
    initial_rto: _TimeOrPreset = PRESET
    """Time-out before the first RTT sample; with `timers = "ticks"` in whole ticks."""
    min_rto: _TimeOrPreset = PRESET
    """Smallest time-out; with `timers = "ticks"` in whole ticks."""
    max_rto: _TimeOrPreset = PRESET
    """Largest time-out; with `timers = "ticks"` in whole ticks."""
    delayed_ack: Annotated[int | str | None, or_preset(_OR_OFF)] = PRESET
    """Longest time for which an ACK waits for further segments."""
    ack_timer: Annotated[str, _one_of("per_ack", "free_running")] = PRESET
    """When the time of `delayed_ack` ends: counted from the first segment (per_ack), or at the next
    tick of a timer with this period (free_running).
    """
    ack_every: Annotated[int | str, or_preset(whole(1, 1000, 2))] = PRESET
    """With `delayed_ack`: number of in-order segments after which an ACK is sent at once."""
    quick_acks: Annotated[int | str, or_preset(whole(0, 1000, 16))] = PRESET
    """Number of ACKs of a new connection that are sent at once."""
    quick_ack_size: Annotated[int | str, or_preset(_QUICK)] = PRESET
    """Number of bytes that are acknowledged at once, at the start and after each gap in
    the data.
    """
    recovery_samples: _FlagOrPreset = PRESET
    """Whether a segment is still timed if a recovery delays its ACK; not in BSD and ns-2."""
    sample_every_ack: _FlagOrPreset = PRESET
    """With `loss_detection = "rack"`: whether every ACK gives an RTT sample, or one ACK
    per window.
    """
    window_probe: Annotated[str, _one_of("octet", "ack")] = PRESET
    """Probe of a closed window: one byte of new data (octet), or a segment without data (ack)."""
    historic: Historic = Historic()
    """Options that only studies of the 1990s need."""

    def over(self, base: Self) -> Self:
        """As of every table; and what is historic key by key."""
        whole = super().over(base)
        return whole.model_copy(update={"historic": self.historic.over(base.historic)})
