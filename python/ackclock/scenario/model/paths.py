"""How a link changes in the course of a run: steps, files, and models of access networks."""

from __future__ import annotations

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
    """What changes at a time; what is not given stays as it was."""

    at: DurationOrZero
    """When it changes, after the start of the run."""
    rate: Annotated[int | None, quantity(RATE, positive=False, example="5 Mbit/s")] = None
    """Rate; with "0 bit/s" the link sends nothing, as with `up = false`."""
    delay: Annotated[int | None, quantity(TIME, positive=False, example="20 ms")] = None
    """One-way propagation delay. A shorter one lets no packet overtake another."""
    loss: Annotated[Fraction | None, share('"1 %"', zero=True)] = None
    """Probability that a packet is lost."""
    up: Annotated[bool | None, FLAG] = None
    """Whether the link sends; while it does not, packets wait in the queue."""


class CsvPath(Table):
    """Steps from a CSV file: time_s, and rate_mbit_s, delay_ms, loss or up."""

    kind: Literal["csv"]
    """Steps from a CSV file."""
    file: Annotated[PathFile, path_file("path.csv")]
    """The file, relative to the folder of the scenario file."""
    period: Annotated[int | None, quantity(TIME, positive=True, words={"off": None})] = None
    """Time after which the steps begin anew."""


class MahimahiPath(Table):
    """A trace of mahimahi: a millisecond in each line, at which a packet may leave.

    Source: Netravali et al. (2015), "Mahimahi: Accurate Record-and-Replay for HTTP".
    """

    kind: Literal["mahimahi"]
    """A trace of mahimahi."""
    file: Annotated[PathFile, path_file("cell.down")]
    """The file, relative to the folder of the scenario file."""
    reading: Annotated[str, choice(["opportunities", "fluid"])] = "opportunities"
    """As in mahimahi, which loses unused opportunities; or as a rate in each millisecond."""
    opportunity: Size = MTU_WITH_TUN_HEADER
    """Bytes that may leave at each time."""


class StarlinkPath(Table):
    """A path like that of Starlink: another satellite every 15 s, with a short outage between."""

    kind: Literal["starlink"]
    """A low-orbit satellite."""
    phase: DurationOrZero = 12 * 10**12
    """When the satellite changes for the first time; then every 15 s."""
    delay_spread: DurationOrZero = 12 * 10**9
    """A satellite's one-way delay is up to so much longer than the `delay` of the link."""
    jitter: DurationOrZero = 3 * 10**9
    """With the same satellite the one-way delay changes by up to so much."""
    jitter_every: Annotated[int, quantity(TIME, positive=True, example="20 ms")] = 20 * 10**9
    """How often the jitter is drawn."""
    rate_cv: Annotated[Fraction, share("0.3", zero=True)] = Fraction(3, 10)
    """Standard deviation of the satellites' rates as a share of their mean, the link's `rate`."""
    least_outage: DurationOrZero = 20 * 10**9
    """The shortest outage at the end of a satellite's time."""
    longest_outage: Annotated[int, quantity(TIME, positive=False, most=_LONGEST_OUTAGE)] = (
        100 * 10**9
    )
    """The longest outage."""
    loss: Probability = Fraction(13, 10_000)
    """Probability that a packet is lost."""


class LtePath(Table):
    """A path like that of a mobile network: a cell serves its users by proportional fairness."""

    kind: Literal["lte"]
    """A cell of a mobile network, with an interval of 1 ms."""
    users: Annotated[int, whole(1, 1000, 8)] = 8
    """Users of the cell: this link, and others that always have data."""
    coherence: Duration = 30 * 10**9
    """Coherence time of the fading: short for a fast user."""
    snr: Annotated[int, whole(1, 1000, 10)] = 10
    """Mean signal-to-noise ratio, as a factor: 10 is 10 dB."""
    shadowing_cv: Annotated[Fraction, share("1", zero=True)] = Fraction(1)
    """Standard deviation of the shadowing as a share of its mean."""
    shadowing_time: Duration = 2 * 10**12
    """Time constant of the shadowing."""
    averaging: Duration = 100 * 10**9
    """Time constant of the averages of proportional fairness."""
    retransmissions: Annotated[Fraction, share('"10 %"', zero=True, one=False)] = Fraction(1, 10)
    """Share of intervals that are sent again, 8 ms later."""


class WifiPath(Table):
    """A path like that of Wi-Fi: wait for the channel, then send an aggregate of packets."""

    kind: Literal["wifi"]
    """A shared radio channel."""
    contention: DurationOrZero = 10**9
    """Mean wait for the channel."""
    txop: Duration = 4 * 10**9
    """How long a transmission may last."""


Varies = Annotated[
    CsvPath | MahimahiPath | StarlinkPath | LtePath | WifiPath, Field(discriminator="kind")
]
"""How a link changes, but for steps."""
