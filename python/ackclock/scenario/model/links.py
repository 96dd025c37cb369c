"""Links, their queues, and what may happen to packets on them."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from ackclock import _core
from ackclock.scenario.model.base import Table
from ackclock.scenario.values.plain import PositiveShare, Probability, choice, listed, whole
from ackclock.scenario.values.quantities import (
    Amount,
    CellBuffer,
    Delay,
    Duration,
    QueueLimit,
    Rate,
)

FRAME_POLICIES = {name: tuple(parameters) for name, parameters in _core.frame_policies()}
"""Names of the frame policies that the core has, and of the parameters of each."""


class Queue(Table):
    """Where packets wait for a link."""

    kind: Annotated[str, choice(["drop_tail"])] = "drop_tail"
    """Which packets are dropped: those that find the queue full."""
    limit: QueueLimit = Amount(Fraction(1), "rtt")
    """How much may wait, the packet being sent not counted."""


class Bernoulli(Table):
    """Each packet is lost by chance, whatever becomes of the others."""

    kind: Literal["bernoulli"]
    """Independent losses."""
    loss: Probability
    """Probability that a packet is lost."""


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
    """The network tells of congestion by chance, as a router does (RFC 3168)."""

    kind: Literal["mark"]
    """Congestion marks."""
    probability: Probability
    """Probability that a packet of an ECN-capable sender is marked, and that any other is lost."""


Impairment = Annotated[
    Bernoulli | GilbertElliott | Scripted | Jitter | Duplicate | Mark,
    Field(discriminator="kind"),
]


class Bottleneck(Table):
    """The link that the flows share, in both directions."""

    rate: Rate
    """Rate in each direction."""
    delay: Delay
    """One-way propagation delay."""
    queue: Queue = Queue()
    """Queue in the direction of the data."""
    reverse_queue: Queue | None = None
    """Queue in the other direction; as `queue` if it is not given."""
    impairments: tuple[Impairment, ...] = ()
    """What happens to packets in the direction of the data, in this order."""
    reverse_impairments: tuple[Impairment, ...] = ()
    """What happens to packets in the other direction, in this order."""


class Access(Table):
    """The link between a host and its router, in both directions."""

    rate: Rate = 10**9
    """Rate in each direction."""
    delay: Delay = 0
    """One-way propagation delay."""
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
    """Rate in each direction, all of it for cells; not below that of the trunk."""
    delay: Delay = 5_000_000
    """One-way propagation delay."""


class Port(Table):
    """The output ports of the two switches onto the trunk."""

    buffer: CellBuffer
    """Size of the buffer; "rtt" counts bandwidth-delay products, rounded up to whole cells."""
    policy: Annotated[str, choice(list(FRAME_POLICIES))] = "epd"
    """When a new frame is refused."""
    r: PositiveShare = Fraction(8, 10)
    """Threshold R as a share of the buffer, rounded down to cells (epd, selective_drop, fba)."""
    z: PositiveShare = Fraction(8, 10)
    """Scaling Z of a connection's fair share (selective_drop, fba)."""
    eom: Annotated[str, choice(["keep", "drop"])] = "keep"
    """What becomes of the last cell of a frame that overflow has cut."""
