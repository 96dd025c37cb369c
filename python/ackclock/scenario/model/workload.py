"""``[workload]``: what the applications send."""

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from ackclock.scenario.distributions import SHIPPED, shipped
from ackclock.scenario.distributions.table import INTERPOLATIONS, LINEAR
from ackclock.scenario.model.base import Table
from ackclock.scenario.units import RATE, SIZE
from ackclock.scenario.values.path_file import PathFile, path_file
from ackclock.scenario.values.plain import Flag, above, choice, listed, share, whole
from ackclock.scenario.values.quantities import (
    Duration,
    DurationOrZero,
    Size,
    VolumeOrUnlimited,
    quantity,
)
from ackclock.scenario.values.sizes import Sizes, SizesOfObjects

MS = 10**9
S = 1000 * MS
MB = 10**6
CLASSES = 5
MOST_INLINE = 999
MOST_DATAGRAM = 65535
FASTEST_DATAGRAMS = 10**12
"""So that they leave at least a picosecond after each other, bit/s."""
MOST_SHAPE = 100
MOST_RUNGS = 100
MOST_AVERAGED = 1000
MOST_VIDEO_REQUEST = 400
"""So that it is one segment with the rung that is asked for, bytes."""
KBIT = 10**3
_LAWS = choice(["poisson_truncated", "poisson_clamped", "uniform", "five"])
_SHARES = listed(
    share("0.2", zero=True), "[0.2, 0.28, 0.4, 0.112, 0.008]", least=CLASSES, most=CLASSES
)
_Shape = Annotated[Fraction, above(1, MOST_SHAPE, "1.2")]
_DatagramRate = Annotated[
    int, quantity(RATE, positive=True, most=FASTEST_DATAGRAMS, example="1 Mbit/s")
]
_DatagramSize = Annotated[int, quantity(SIZE, positive=True, most=MOST_DATAGRAM, example="1000 B")]


_Interpolation = Annotated[str, choice(INTERPOLATIONS)]
_VideoRate = quantity(RATE, positive=True, most=FASTEST_DATAGRAMS, example="3 Mbit/s")
_Ladder = Annotated[
    tuple[int, ...], listed(_VideoRate, '["1 Mbit/s", "3 Mbit/s"]', most=MOST_RUNGS)
]
_VideoRequest = Annotated[
    int, quantity(SIZE, positive=True, most=MOST_VIDEO_REQUEST, example="300 B")
]


class Bulk(Table):
    """The sender opens the connection, writes all its data, and closes."""

    kind: Literal["bulk"] = "bulk"
    """One transfer."""
    size: VolumeOrUnlimited = None
    """Amount of data to send."""
    start: DurationOrZero = 0
    """Time at which the connection is opened, from the start of the run."""
    start_spread: DurationOrZero = 0
    """Largest random delay of the start; each flow draws its own, uniformly from 0."""


class WwwBatches(Table):
    """The receiver is a web client that requests batches of files over one connection.

    Source: ATM Forum 98-0876, section 4; defaults are its own. `first_alone`: Vandalore et al.
    (1998), section 4.3.
    """

    kind: Literal["www_batches"]
    """Web documents."""
    request_size: Size = 128
    """Size of a request."""
    period: Duration = 10 * S
    """Time between two batches of requests."""
    period_from: Annotated[str, choice(["first_request", "last_request"])] = "first_request"
    """Start of the period: the first request of a batch, or its last."""
    start_spread: DurationOrZero = 0
    """Largest random delay of a client's first batch, uniform from 0; with "0 s" all clients start
    at once.
    """
    requests: Annotated[str, _LAWS] = "poisson_truncated"
    """Distribution of the number of requests in a batch, 1 to 9."""
    gap_min: DurationOrZero = 100 * MS
    """Shortest gap between the requests of a batch."""
    gap_max: DurationOrZero = 500 * MS
    """Longest gap between the requests of a batch."""
    file_index: Annotated[str, _LAWS] = "poisson_truncated"
    """Distribution of a file's size among the nine sizes of its class."""
    class_shares: Annotated[tuple[Fraction, ...], _SHARES] = (
        Fraction(200, 1000),
        Fraction(280, 1000),
        Fraction(400, 1000),
        Fraction(112, 1000),
        Fraction(8, 1000),
    )
    """Shares of the file classes 0 to 4; class 0 starts at 102.4 B, and each next class has ten
    times the size.
    """
    first_is_class_0: Flag = False
    """Whether the first request of a batch is always for a file of class 0."""
    first_alone: Flag = False
    """Whether the other requests wait for the answer to the first; the gaps then start at this
    answer.
    """


class Pages(Table):
    """The receiver is a web client that fetches one page after the other, on new connections.

    Source: RFC 2415, section 2; defaults are its own.
    """

    kind: str
    """How a page is fetched."""
    request_size: Size = 80
    """Size of a request."""
    inline_objects: Annotated[int, whole(0, MOST_INLINE, 3)] = 3
    """Number of objects of a page besides its first one."""
    sizes: SizesOfObjects = Sizes(SHIPPED[0], 0, shipped(SHIPPED[0]))
    """Sizes of the objects: drawn from a distribution, taken from a list in turn, or all equal."""
    sizes_interpolation: _Interpolation = "log"
    """Interpolation between two quantiles: log-linear, linear, or the upper quantile (none); no
    effect on a list or a size.
    """
    pause_min: DurationOrZero = 1 * S
    """Shortest pause between a page and the next."""
    pause_max: DurationOrZero = 5 * S
    """Longest pause; pauses are uniformly distributed."""
    answers_with_ack: Flag = True
    """Whether an answer carries the ACK of its request, and a FIN the ACK of the last data."""
    start: DurationOrZero = 0
    """Time of the first request."""
    start_spread: DurationOrZero = 0
    """Largest random delay of the start; each flow draws its own, uniformly from 0."""


class Http10(Pages):
    """HTTP/1.0: each object has its own connection; in-line objects come at the same time."""

    kind: Literal["http10"]
    """Pages, with one connection per object."""


class Http11(Pages):
    """Rough HTTP/1.1: one response on one connection carries all objects of a page."""

    kind: Literal["http11"]
    """Pages, with one connection for all objects."""


class Ftp(Table):
    """The receiver fetches files one after the other, each on a new connection.

    Source: RFC 2415, section 2; defaults are its own.
    """

    kind: Literal["ftp"]
    """Files, back to back."""
    file_size: Size = MB
    """Size of each file."""
    request_size: Size = 80
    """Size of a request."""
    answers_with_ack: Flag = True
    """Whether an answer carries the ACK of its request, and a FIN the ACK of the last data."""
    start: DurationOrZero = 0
    """Time of the first request."""
    start_spread: DurationOrZero = 0
    """Largest random delay of the start; each flow draws its own, uniformly from 0."""


class HttpSessions(Table):
    """The receiver is a web client that fetches one object after the other, on new connections.

    Source: Parvez, Mahanti and Williamson (2010), section IV-A; the size of a request is that of
    RFC 2415, for the paper says only that it is one packet.
    """

    kind: Literal["http_sessions"]
    """Objects with pauses, each on its own connection."""
    request_size: Size = 80
    """Size of a request."""
    mean_size: Size = 48_000
    """Mean size of an object; sizes follow a Pareto law."""
    shape: _Shape = Fraction(12, 10)
    """Shape of the Pareto law; with a smaller shape, a few large objects have more of all bytes."""
    pause: DurationOrZero = 500 * MS
    """Mean pause between an object and the next request; pauses are exponentially distributed."""
    answers_with_ack: Flag = True
    """Whether an answer carries the ACK of its request, and a FIN the ACK of the last data."""
    start: DurationOrZero = 0
    """Time of the first request."""
    start_spread: DurationOrZero = 0
    """Largest random delay of the start; each flow draws its own, uniformly from 0."""


class Arrivals(Table):
    """The receiver opens a connection whenever a flow arrives, and fetches one object over it.

    Flows arrive as a Poisson process, whether earlier ones are complete or not: an open loop.
    Source: Alizadeh et al. (2013), "pFabric", section 5; the size of a request is that of RFC 2415.
    """

    kind: Literal["arrivals"]
    """Flows that arrive as a Poisson process."""
    offered: Annotated[int, quantity(RATE, positive=True, example="10 Mbit/s")] = 1_000_000
    """Mean rate of the payload of all arriving flows of the group together."""
    sizes: SizesOfObjects = Sizes("web_search", 0, shipped("web_search"))
    """Sizes of the arriving flows: drawn from a distribution, taken from a list in turn, or all
    equal.
    """
    sizes_interpolation: _Interpolation = LINEAR
    """Interpolation between two quantiles: linear, log-linear, or the upper quantile (none); it
    changes the mean size, and so the number of arrivals.
    """
    request_size: Size = 80
    """Size of a request."""
    answers_with_ack: Flag = True
    """Whether an answer carries the ACK of its request, and a FIN the ACK of the last data."""
    start: DurationOrZero = 0
    """Time at which the process starts; the first flow arrives after a random gap."""


class FlowTrace(Table):
    """The receiver opens a connection at each start in a file, and fetches one object over it."""

    kind: Literal["trace"]
    """Flows whose starts and sizes are in a CSV file."""
    flows: Annotated[PathFile, path_file("flows.csv")]
    """The CSV file with the columns `start_s,bytes`, relative to the folder of the scenario file.
    The flows with this workload take the rows in turn.
    """
    request_size: Size = 80
    """Size of a request."""
    answers_with_ack: Flag = True
    """Whether an answer carries the ACK of its request, and a FIN the ACK of the last data."""
    start: DurationOrZero = 0
    """Time that is added to every start in the file."""


class Rpc(Table):
    """The receiver makes remote procedure calls over one connection that stays open.

    Source: Alizadeh et al. (2010), "DCTCP", section 2.2, and TCP_RR of netperf.
    """

    kind: Literal["rpc"]
    """Requests and responses on one connection."""
    loop: Annotated[str, choice(["closed", "open"])] = "closed"
    """Whether the next request waits for the response (closed), or not (open)."""
    request_size: Size = 128
    """Size of a request."""
    sizes: SizesOfObjects = Sizes("", 32_000)
    """Sizes of the responses: drawn from a distribution, taken from a list in turn, or all
    equal.
    """
    sizes_interpolation: _Interpolation = LINEAR
    """Interpolation between two quantiles: linear, log-linear, or the upper quantile (none); no
    effect on a list or a size.
    """
    think: DurationOrZero = 10 * MS
    """Mean time from a response (closed loop) or a request (open loop) to the next request;
    exponentially distributed.
    """
    start: DurationOrZero = 0
    """Time of the first request."""
    start_spread: DurationOrZero = 0
    """Largest random delay of the start; each flow draws its own, uniformly from 0."""


class Video(Table):
    """The receiver plays video, which it fetches in chunks over one connection that stays open.

    Sources: Huang et al. (2014), "A buffer-based approach to rate adaptation", whose algorithm
    BBA-0 and ladder are the defaults; Jiang et al. (2012), "FESTIVE", for the choice by rate.
    """

    kind: Literal["video"]
    """Adaptive video."""
    ladder: _Ladder = tuple(each * KBIT for each in (235, 375, 560, 750, 1050, 1750, 2350, 3000))
    """Bit rates in which each chunk is available, rising."""
    chunk: Duration = 4 * S
    """Playing time of a chunk."""
    buffer: Duration = 240 * S
    """Playing time that the player holds at most; it pauses if another chunk does not fit."""
    start_up: DurationOrZero = 4 * S
    """Playing time that the player needs to start, and to continue after a stall."""
    adaptation: Annotated[str, choice(["buffer", "rate"])] = "buffer"
    """What the bit rate of the next chunk follows: the buffer, or the measured throughput."""
    reservoir: DurationOrZero = 90 * S
    """With adaptation = "buffer": with so much in the buffer or less, the lowest bit rate."""
    cushion: Duration = 126 * S
    """With adaptation = "buffer": with so much above the reservoir, the highest bit rate; between,
    a straight line.
    """
    averaged_chunks: Annotated[int, whole(1, MOST_AVERAGED, 5)] = 5
    """With adaptation = "rate": number of past chunks whose throughput is averaged (harmonic
    mean).
    """
    used_share: Annotated[Fraction, share("0.8", zero=False, decimals=6)] = Fraction(8, 10)
    """With adaptation = "rate": part of the average that the bit rate may use."""
    request_size: _VideoRequest = 300
    """Size of a request for the lowest bit rate; each higher one adds 1 B."""
    start: DurationOrZero = 0
    """Time of the first request."""
    start_spread: DurationOrZero = 0
    """Largest random delay of the start; each flow draws its own, uniformly from 0."""


class Datagrams(Table):
    """The sender sends UDP datagrams, whatever becomes of them."""

    kind: str
    """When they are sent."""
    rate: _DatagramRate = 1_000_000
    """Rate while the sender is on, including IP headers."""
    packet_size: _DatagramSize = 1000
    """Size of each IP packet."""
    start: DurationOrZero = 0
    """Time at which the first packet is sent, from the start of the run."""
    start_spread: DurationOrZero = 0
    """Largest random delay of the start; each flow draws its own, uniformly from 0."""


class Cbr(Datagrams):
    """UDP datagrams at a constant bit rate."""

    kind: Literal["cbr"]
    """Datagrams at a constant rate."""


class OnOff(Datagrams):
    """UDP datagrams at a constant bit rate, with pauses.

    Source: Parvez, Mahanti and Williamson (2010), section IV-F. The paper gives neither the means
    nor the shape; defaults are those of ns-2's source of this kind.
    """

    kind: Literal["on_off"]
    """Datagrams with pauses."""
    mean_on: Duration = 500 * MS
    """Mean time for which the sender is on; times follow a Pareto law."""
    mean_off: Duration = 500 * MS
    """Mean time for which the sender is off; times follow a Pareto law."""
    shape: _Shape = Fraction(15, 10)
    """Shape of both Pareto laws; with a smaller shape, a few long periods fill more of the time."""


Workload = Annotated[
    Bulk
    | WwwBatches
    | Http10
    | Http11
    | Ftp
    | HttpSessions
    | Arrivals
    | FlowTrace
    | Rpc
    | Video
    | Cbr
    | OnOff,
    Field(discriminator="kind"),
]
