"""Links, their queues, and what may happen to packets on them."""

from __future__ import annotations

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
        'looks at contracts, which only VCs of kind = "atm_clients" or "atm_network" have',
    ),
)

ALL_PACKETS = "all"
MOST_LOSSES = 10**6
Packets = Annotated[str, choice([ALL_PACKETS, "data", "new_data", "acks"])]
"""Which packets an impairment concerns."""


class Bernoulli(Table):
    """Each packet is lost by chance, whatever becomes of the others."""

    kind: Literal["bernoulli"]
    """Independent losses."""
    loss: Probability
    """Probability that a packet is lost."""
    of: Packets = ALL_PACKETS
    """Which packets it concerns: all, those with data, with new data, or without data."""


class GilbertElliott(Table):
    """Losses in bursts: a good and a bad state, which may change after each packet."""

    kind: Literal["gilbert_elliott"]
    """Bursts of losses."""
    good_to_bad: Probability
    """Probability of going from the good state to the bad one."""
    bad_to_good: Probability
    """Probability of going back."""
    loss_good: Probability = Fraction(0)
    """Probability that a packet is lost in the good state."""
    loss_bad: Probability = Fraction(1)
    """Probability that a packet is lost in the bad state."""
    of: Packets = ALL_PACKETS
    """Which packets it concerns: all, those with data, with new data, or without data."""


class LossEvents(Table):
    """Several packets back to back are lost, again and again.

    Source: Parvez, Mahanti and Williamson (2010), section IV-B.
    """

    kind: Literal["loss_events"]
    """Events with a fixed number of losses."""
    rate: Probability
    """Probability that a packet outside an event begins one, and is its first loss."""
    losses: Annotated[int, whole(1, MOST_LOSSES, 5)]
    """Packets that an event loses, one after the other."""
    of: Packets = ALL_PACKETS
    """Which packets it concerns: all, those with data, with new data, or without data."""


class TwoParameter(Table):
    """Loss events of some duration, in which packets are lost by chance.

    Source: Parvez, Mahanti and Williamson (2010), section II-B.
    """

    kind: Literal["two_parameter"]
    """Events of random losses."""
    p: Probability
    """Probability that a packet outside an event begins one, and is its first loss."""
    q: Probability
    """Probability that a further packet is lost while an event lasts."""
    span: Duration
    """How long an event lasts: about a round-trip time."""
    of: Packets = ALL_PACKETS
    """Which packets it concerns: all, those with data, with new data, or without data."""


class Scripted(Table):
    """The data segments that are lost, by number."""

    kind: Literal["scripted"]
    """Named losses."""
    lost: Annotated[tuple[int, ...], listed(whole(1, 2**53, 14), "[14, 28]")]
    """Numbers of the data segments that are lost, in the order of sending; the first is 1."""


class Jitter(Table):
    """Packets are delayed by chance, and may overtake each other."""

    kind: Literal["jitter"]
    """Random delay."""
    spread: Duration
    """A packet takes up to so much longer, uniformly."""


class Duplicate(Table):
    """Packets arrive twice by chance."""

    kind: Literal["duplicate"]
    """Random duplicates."""
    probability: Probability
    """Probability that a packet arrives twice."""


class Mark(Table):
    """The network marks packets by chance, as a congested router does (RFC 3168)."""

    kind: Literal["mark"]
    """Congestion marks."""
    probability: Probability
    """Probability that a packet of an ECN-capable sender is marked, and that any other is lost."""


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
    """Queue in the other direction; as `queue` if it is not given."""
    schedule: tuple[Step, ...] = ()
    """What changes at which times, in both directions."""
    schedule_period: DurationOrOff = None
    """Time after which the schedule begins anew."""
    varies: Varies | None = None
    """How the link changes, in both directions: a file, or a model of an access network."""
    reverse_varies: Varies | None = None
    """How it changes in the other direction; as `schedule` or `varies` if it is not given."""
    impairments: tuple[Impairment, ...] = ()
    """The impairments in the direction of the data, in this order."""
    reverse_impairments: tuple[Impairment, ...] = ()
    """The impairments in the other direction, in this order."""


class Access(Table):
    """The link between a host and its router, in both directions."""

    rate: AutoRate = None
    """Rate in each direction; "auto" is ten times that of the bottleneck, 1 Gbit/s at least."""
    delay: Delay = 0
    """One-way propagation delay."""
    delay_spread: DurationOrZero = 0
    """Random extra delay of each flow's links, uniform up to this, drawn in each run."""
    queue: Queue | None = None
    """Queues in both directions; so long that they never drop if it is not given."""


class CellLink(Table):
    """A link that carries cells, in both directions."""

    rate: Rate
    """Rate in each direction, all of it for cells."""
    delay: Delay
    """One-way propagation delay."""


class CellAccess(Table):
    """The links between the hosts and their switch, in both directions."""

    rate: Rate = 149_760_000
    """Rate in each direction, all of it for cells; atm_dumbbell: not below that of the trunk."""
    delay: Delay = 5_000_000
    """One-way propagation delay."""


class Port(Table):
    """The output ports of the two switches onto the trunk."""

    buffer: CellBuffer
    """Size of the buffer; "rtt" counts bandwidth-delay products, rounded up to whole cells."""
    policy: Annotated[str, _PLAIN_POLICIES] = "epd"
    """When a new frame is refused."""
    r: PositiveShare = Fraction(8, 10)
    """Threshold R as a share of the buffer, rounded down to cells (epd, selective_drop, fba)."""
    z: PositiveShare = Fraction(8, 10)
    """Scaling Z of a connection's fair share (selective_drop, fba)."""
    eom: Annotated[str, choice(["keep", "drop"])] = "keep"
    """Whether the last cell of a frame that overflow has cut is kept."""
