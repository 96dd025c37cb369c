"""How a link changes in the course of a run: steps, files, and models of access networks."""

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from ackclock.scenario.model.base import Table
from ackclock.scenario.units import RATE, TIME
from ackclock.scenario.values.path_file import PathFile, path_file
from ackclock.scenario.values.plain import (
    FLAG,
    Probability,
    choice,
    share,
    whole,
)
from ackclock.scenario.values.quantities import Duration, DurationOrZero, Size, quantity

_LONGEST_OUTAGE = 10 * 10**12
"""A satellite is there for 15 s."""
MTU_WITH_TUN_HEADER = 1504
"""Bytes of an opportunity in mahimahi."""


class Step(Table):
    """Changes of a link at a given time; keys that are omitted do not change."""

    at: DurationOrZero
    """Time of the change, from the start of the run."""
    rate: Annotated[int | None, quantity(RATE, positive=False, example="5 Mbit/s")] = None
    """Rate of the link; with "0 bit/s" the link sends nothing, as with `up = false`."""
    delay: Annotated[int | None, quantity(TIME, positive=False, example="20 ms")] = None
    """One-way propagation delay. If it becomes shorter, packets still keep their order."""
    loss: Annotated[Fraction | None, share('"1 %"', zero=True)] = None
    """Probability that a packet is lost."""
    up: Annotated[bool | None, FLAG] = None
    """Whether the link sends; while it is down, packets wait in the queue."""


class CsvPath(Table):
    """Steps from a CSV file: time_s, and rate_mbit_s, delay_ms, loss or up."""

    kind: Literal["csv"]
    """Steps from a CSV file."""
    file: Annotated[PathFile, path_file("path.csv")]
    """The file, relative to the folder of the scenario file."""
    period: Annotated[int | None, quantity(TIME, positive=True, words={"off": None})] = None
    """Time after which the steps start again."""


class MahimahiPath(Table):
    """A trace of mahimahi: each line is a time in ms at which a packet may leave.

    Source: Netravali et al. (2015), "Mahimahi: Accurate Record-and-Replay for HTTP".
    """

    kind: Literal["mahimahi"]
    """A trace file of the emulator mahimahi."""
    file: Annotated[PathFile, path_file("cell.down")]
    """The file, relative to the folder of the scenario file."""
    reading: Annotated[str, choice(["opportunities", "fluid"])] = "opportunities"
    """How to read the trace: as opportunities, which are lost when unused, as in mahimahi, or as a
    rate in each millisecond (fluid).
    """
    opportunity: Size = MTU_WITH_TUN_HEADER
    """Bytes that may leave at each opportunity."""


class StarlinkPath(Table):
    """A path like that of Starlink: a new satellite every 15 s, after a short outage."""

    kind: Literal["starlink"]
    """A low-orbit satellite."""
    phase: DurationOrZero = 12 * 10**12
    """Time of the first change of satellite; further changes follow every 15 s."""
    delay_spread: DurationOrZero = 12 * 10**9
    """Largest amount by which a satellite's one-way delay exceeds the `delay` of the link."""
    jitter: DurationOrZero = 3 * 10**9
    """Largest change of the one-way delay while the satellite stays the same."""
    jitter_every: Annotated[int, quantity(TIME, positive=True, example="20 ms")] = 20 * 10**9
    """Time between two draws of the jitter."""
    rate_cv: Annotated[Fraction, share("0.3", zero=True)] = Fraction(3, 10)
    """Standard deviation of the satellites' rates as a share of their mean, the link's `rate`."""
    least_outage: DurationOrZero = 20 * 10**9
    """Shortest outage at a change of satellite."""
    longest_outage: Annotated[int, quantity(TIME, positive=False, most=_LONGEST_OUTAGE)] = (
        100 * 10**9
    )
    """Longest outage at a change of satellite."""
    loss: Probability = Fraction(13, 10_000)
    """Probability that a packet is lost."""


class LtePath(Table):
    """A path like that of a mobile network: a cell serves its users by proportional fairness."""

    kind: Literal["lte"]
    """A cell of a mobile network, with an interval of 1 ms."""
    users: Annotated[int, whole(1, 1000, 8)] = 8
    """Number of users of the cell: this link, and others that always have data."""
    coherence: Duration = 30 * 10**9
    """Coherence time of the fading; it is short for a user who moves fast."""
    snr: Annotated[int, whole(1, 1000, 10)] = 10
    """Mean signal-to-noise ratio, as a factor: 10 is 10 dB."""
    shadowing_cv: Annotated[Fraction, share("1", zero=True)] = Fraction(1)
    """Standard deviation of the shadowing as a share of its mean."""
    shadowing_time: Duration = 2 * 10**12
    """Time constant of the shadowing."""
    averaging: Duration = 100 * 10**9
    """Time constant of the averages of proportional fairness."""
    retransmissions: Annotated[Fraction, share('"10 %"', zero=True, one=False)] = Fraction(1, 10)
    """Share of intervals whose data is sent again, 8 ms later."""


class WifiPath(Table):
    """A path like that of Wi-Fi: a sender waits for the channel, then sends several packets."""

    kind: Literal["wifi"]
    """A shared radio channel."""
    contention: DurationOrZero = 10**9
    """Mean time for which a sender waits for the channel."""
    txop: Duration = 4 * 10**9
    """Longest duration of a transmission."""


Varies = Annotated[
    CsvPath | MahimahiPath | StarlinkPath | LtePath | WifiPath, Field(discriminator="kind")
]
"""How a link changes, but for steps."""
