"""Links, their queues, and what may happen to packets on them."""

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from ackclock import _core
from ackclock.scenario.model.base import Table
from ackclock.scenario.model.paths import Step, Varies
from ackclock.scenario.model.queues import DropTail, Queue
from ackclock.scenario.values.plain import (
    PositiveShare,
    Probability,
    choice,
    listed,
    whole,
)
from ackclock.scenario.values.quantities import (
    AutoRate,
    CellBuffer,
    Delay,
    Duration,
    DurationOrOff,
    DurationOrZero,
    Rate,
)

FRAME_POLICIES = {name: tuple(parameters) for name, parameters in _core.frame_policies()}
"""Names of the frame policies that the core has, and of the parameters of each."""
CONTRACT_POLICIES = ("double_epd", "dfba")
"""Those of contracts and tagged frames, of which the trunk of an atm_dumbbell knows nothing."""
_PLAIN_POLICIES = choice(
    [name for name in FRAME_POLICIES if name not in CONTRACT_POLICIES],
    elsewhere=dict.fromkeys(
        CONTRACT_POLICIES,
        'checks contracts, which only VCs of kind = "atm_clients" or "atm_network" have',
    ),
)

ALL_PACKETS = "all"
MOST_LOSSES = 10**6
Packets = Annotated[str, choice([ALL_PACKETS, "data", "new_data", "acks"])]
"""Which packets an impairment concerns."""


class Bernoulli(Table):
    """Each packet is lost at random, independently of the others."""

    kind: Literal["bernoulli"]
    """Independent losses."""
    loss: Probability
    """Probability that a packet is lost."""
    of: Packets = ALL_PACKETS
    """Which packets can be affected: all, those with data, with new data, or without data
    (acks).
    """


class GilbertElliott(Table):
    """Losses in bursts: a good and a bad state, which may change after each packet."""

    kind: Literal["gilbert_elliott"]
    """Bursts of losses."""
    good_to_bad: Probability
    """Probability of a change from the good state to the bad one, after each packet."""
    bad_to_good: Probability
    """Probability of a change back to the good state, after each packet."""
    loss_good: Probability = Fraction(0)
    """Probability that a packet is lost in the good state."""
    loss_bad: Probability = Fraction(1)
    """Probability that a packet is lost in the bad state."""
    of: Packets = ALL_PACKETS
    """Which packets can be affected: all, those with data, with new data, or without data
    (acks).
    """


class LossEvents(Table):
    """Loss events, in each of which several consecutive packets are lost.

    Source: Parvez, Mahanti and Williamson (2010), section IV-B.
    """

    kind: Literal["loss_events"]
    """Events with a fixed number of losses."""
    rate: Probability
    """Probability that a packet outside an event starts one; this packet is the first loss."""
    losses: Annotated[int, whole(1, MOST_LOSSES, 5)]
    """Number of consecutive packets that an event loses."""
    of: Packets = ALL_PACKETS
    """Which packets can be affected: all, those with data, with new data, or without data
    (acks).
    """


class TwoParameter(Table):
    """Loss events with a duration, during which packets are lost at random.

    Source: Parvez, Mahanti and Williamson (2010), section II-B.
    """

    kind: Literal["two_parameter"]
    """Events of random losses."""
    p: Probability
    """Probability that a packet outside an event starts one; this packet is the first loss."""
    q: Probability
    """Probability that each further packet is lost while an event lasts."""
    span: Duration
    """Duration of an event: typically about a round-trip time."""
    of: Packets = ALL_PACKETS
    """Which packets can be affected: all, those with data, with new data, or without data
    (acks).
    """


class Scripted(Table):
    """The numbers of the data segments to lose."""

    kind: Literal["scripted"]
    """Losses that you list."""
    lost: Annotated[tuple[int, ...], listed(whole(1, 2**53, 14), "[14, 28]")]
    """Numbers of the data segments to lose, in the order of sending; the first segment is 1."""


class Jitter(Table):
    """Packets have random extra delays, and may overtake each other."""

    kind: Literal["jitter"]
    """Random delay."""
    spread: Duration
    """Largest extra delay of a packet; extra delays are uniformly distributed from 0."""


class Duplicate(Table):
    """Random packets arrive twice."""

    kind: Literal["duplicate"]
    """Random duplicates."""
    probability: Probability
    """Probability that a packet arrives twice."""


class Mark(Table):
    """The network marks random packets, as a congested router does (RFC 3168)."""

    kind: Literal["mark"]
    """Congestion marks."""
    probability: Probability
    """Probability that a packet is marked, if its sender is ECN-capable, or else is lost."""


Impairment = Annotated[
    Bernoulli | GilbertElliott | LossEvents | TwoParameter | Scripted | Jitter | Duplicate | Mark,
    Field(discriminator="kind"),
]


class Bottleneck(Table):
    """The link that the flows share, in both directions."""

    rate: Rate
    """Rate in each direction."""
    delay: Delay
    """One-way propagation delay."""
    queue: Queue = DropTail()
    """Queue in the direction of the data."""
    reverse_queue: Queue | None = None
    """Queue in the other direction; by default as `queue`."""
    schedule: tuple[Step, ...] = ()
    """Changes of the link at given times, in both directions."""
    schedule_period: DurationOrOff = None
    """Time after which the schedule starts again."""
    varies: Varies | None = None
    """How the link changes, in both directions: a file, or a model of an access network."""
    reverse_varies: Varies | None = None
    """How the link changes in the other direction; by default as `schedule` or `varies`."""
    impairments: tuple[Impairment, ...] = ()
    """Impairments in the direction of the data, applied in this order."""
    reverse_impairments: tuple[Impairment, ...] = ()
    """Impairments in the other direction, applied in this order."""


class Access(Table):
    """The link between a host and its router, in both directions."""

    rate: AutoRate = None
    """Rate in each direction; "auto" is ten times the rate of the bottleneck, but at least 1
    Gbit/s.
    """
    delay: Delay = 0
    """One-way propagation delay."""
    delay_spread: DurationOrZero = 0
    """Largest random extra delay of the links of a flow; each flow draws it in each run, uniformly
    from 0.
    """
    queue: Queue | None = None
    """Queues in both directions; by default so long that they never drop."""


class CellLink(Table):
    """A link that carries cells, in both directions."""

    rate: Rate
    """Rate in each direction for cells; nothing is subtracted for framing."""
    delay: Delay
    """One-way propagation delay."""


class CellAccess(Table):
    """The links between the hosts and their switch, in both directions."""

    rate: Rate = 149_760_000
    """Rate in each direction for cells; in an atm_dumbbell at least the rate of the trunk."""
    delay: Delay = 5_000_000
    """One-way propagation delay."""


class Port(Table):
    """The output ports of the two switches to the trunk."""

    buffer: CellBuffer
    """Size of the buffer; 1 rtt is one bandwidth-delay product, rounded up to whole cells."""
    policy: Annotated[str, _PLAIN_POLICIES] = "epd"
    """Drop policy: when a new frame is refused."""
    r: PositiveShare = Fraction(8, 10)
    """Threshold R as a share of the buffer, rounded down to cells (epd, selective_drop, fba)."""
    z: PositiveShare = Fraction(8, 10)
    """Factor Z that scales a connection's fair share (selective_drop, fba)."""
    eom: Annotated[str, choice(["keep", "drop"])] = "keep"
    """Whether to keep or drop the last cell of a frame of which cells overflowed."""
