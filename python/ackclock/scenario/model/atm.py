"""ABR end systems, switch ports and cell sources of ATM networks."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from ackclock.scenario.model.base import Table
from ackclock.scenario.model.links import FRAME_POLICIES
from ackclock.scenario.model.names import MOST_FLOWS, NAME, Name
from ackclock.scenario.values.cells import (
    BufferOrUnlimited,
    CellCount,
    Crm,
    CutoffFactor,
    DurationOrNever,
    FixedRoundTrip,
    InitialRate,
    MaximumBurst,
    MaximumFrame,
    Nrm,
    PeakRate,
    RateFactor,
    RateOrZero,
    Tbe,
    Tcr,
)
from ackclock.scenario.values.plain import Flag, PositiveShare, above, choice, share, whole, word
from ackclock.scenario.values.quantities import (
    Amount,
    Duration,
    DurationOrZero,
    Rate,
    Size,
)

MS = 10**9
ABR, UBR, VBR, GFR = "abr", "ubr", "vbr", "gfr"
FIFO, PER_VC = "fifo", "per_vc"
EQUAL, PROPORTIONAL = "equal", "proportional"
ERICA_PLUS, ERICA, EFCI, NO_CONTROL = "erica_plus", "erica", "efci", "none"
QUEUE_CONTROLS = ("hyperbolic", "inverse_hyperbolic", "linear", "step")
DATA, REVERSE = "data", "reverse"
CONSTANT, PARETO = "constant", "pareto"
MOST_FACTOR = 100
MOST_CURVE = 4
"""What a plan has room for, in parts of a thousand million."""
MOST_GOP = 100
MOST_INTERVAL = 2**32 - 1
_CORRELATION = share("0.8", zero=True, one=False, decimals=6)


def _gop_problem(text: str) -> str | None:
    if 1 <= len(text) <= MOST_GOP and set(text) <= set("IPB"):
        return None
    return f"1 to {MOST_GOP} letters I, P and B are wanted"


_GOP = word("IBBPBBPBBPBB", _gop_problem, f"^[IPB]{{1,{MOST_GOP}}}$")


class Abr(Table):
    """Parameters of the ABR end systems: sources and destinations.

    Source: ATM Forum, Traffic Management 4.0 (af-tm-0056), section 5.10, whose defaults these are.
    The papers of Ohio State University on ABR have `rif = 1` in their place.
    """

    pcr: PeakRate = None
    """Peak cell rate; "line" is the rate of the slower of the two hosts' links."""
    mcr: RateOrZero = 0
    """Minimum cell rate."""
    icr: InitialRate = None
    """Initial cell rate: at the beginning and after `adtf`; at most `tbe` in a round trip."""
    nrm: Nrm = 32
    """Cells for each forward RM cell, itself counted."""
    mrm: Annotated[int, whole(1, 255, 2)] = 2
    """Cells that must have gone before an early forward RM cell."""
    trm: Duration = 100 * MS
    """Time that must have gone before an early forward RM cell."""
    rif: RateFactor = Fraction(1, 16)
    """Rate increase factor: a backward RM cell raises the rate by so much of `pcr` at most."""
    rdf: RateFactor = Fraction(1, 16)
    """Rate decrease factor: a congestion indication lowers the rate by so much of itself."""
    adtf: Duration = 500 * MS
    """Time since the last forward RM cell after which the rate falls back to `icr`."""
    tbe: Tbe = 2**24 - 1
    """Transient buffer exposure: cells that may be sent before the first feedback."""
    crm: Crm = "tbe"
    """Forward RM cells without an answer before the rate falls; "tbe" is `tbe` / `nrm`."""
    cdf: CutoffFactor = Fraction(1, 16)
    """Cutoff decrease factor: it then falls by so much of itself."""
    tcr: Tcr = 10
    """Rate of out-of-rate RM cells at most."""
    frtt: FixedRoundTrip = None
    """Fixed round-trip time, by which `tbe` limits `icr`; "path" is the propagation delay."""


class Gfr(Table):
    """Contract of the GFR VCs: a rate that is guaranteed to whole frames.

    The first switch polices it: a frame conforms or is discarded, and of those that conform the
    ones within MCR are eligible, which the network is to deliver.

    Source: ATM Forum, Traffic Management 4.1 (af-tm-0121); the F-GCRA.
    """

    mcr: RateOrZero = 0
    """Minimum cell rate, unless the group says otherwise; cells counted whole, as in `pcr`."""
    pcr: PeakRate = None
    """Peak cell rate; "line" is the rate of the faster of the two hosts' links."""
    mbs: MaximumBurst = None
    """Maximum burst size; "two_frames" is twice `mfs`, the least that TM 4.1 allows."""
    mfs: MaximumFrame = None
    """Maximum frame size; "frame" is the largest frame of the VC's flow."""
    cdvt: DurationOrZero = 0
    """Cell delay variation tolerance: how much earlier than `pcr` says a cell may come."""
    tagging: Flag = True
    """Whether frames beyond MCR get CLP = 1 at the first switch (GFR.2), or stay as they are."""


class Switch(Table):
    """The output ports of the switches, all alike. They serve VBR before ABR before UBR and GFR.

    Sources: S. Kalyanaraman, R. Jain, S. Fahmy, R. Goyal and B. Vandalore, The ERICA Switch
    Algorithm for ABR Traffic Management in ATM Networks (1997); B. Vandalore, R. Jain, R. Goyal and
    S. Fahmy, Design and Analysis of Queue Control Functions for Explicit Rate Switch Schemes
    (1998). Defaults are those of Vandalore et al. (1998), section 6, where it names them. R. Goyal,
    R. Jain, S. Fahmy, B. Vandalore and S. Kalyanaraman, GFR: Providing Rate Guarantees with FIFO
    Buffers to TCP Traffic, ATM Forum/98-0405 (1998), for DFBA.
    """

    rate_control: Annotated[str, choice([ERICA_PLUS, ERICA, EFCI, NO_CONTROL])] = ERICA_PLUS
    """How switches set the rates of ABR sources; ERICA+ controls the queue as well."""
    interval_cells: Annotated[int, whole(1, MOST_INTERVAL, 500)] = 500
    """ABR cells after which a measurement interval ends (erica_plus, erica)."""
    interval: Duration = 5 * MS
    """Time after which it ends if fewer cells have come by then (erica_plus, erica)."""
    delta: Annotated[Fraction, share("0.1", zero=True)] = Fraction(1, 10)
    """Overload up to which all get the highest recent allocation (erica_plus, erica)."""
    target_utilisation: PositiveShare = Fraction(9, 10)
    """Part of the ABR capacity that is allocated (erica); times 1 + `delta` it is below 1."""
    queue_control: Annotated[str, choice(QUEUE_CONTROLS)] = QUEUE_CONTROLS[0]
    """How the part that is allocated depends on the queueing delay (erica_plus)."""
    target_delay: Duration = MS // 2
    """Queueing delay at which all of the capacity is allocated (erica_plus)."""
    a: Annotated[Fraction, above(1, MOST_CURVE, "1.15")] = Fraction(115, 100)
    """Bend of the curve above `target_delay` (hyperbolic, inverse_hyperbolic)."""
    b: Annotated[Fraction, above(1, MOST_CURVE, "1.05", equal=True)] = Fraction(105, 100)
    """Part that is allocated when the queue is empty (hyperbolic, inverse_hyperbolic, step)."""
    slope_under: Annotated[Fraction, share("0.0625", zero=True)] = Fraction(1, 16)
    """How much an empty queue adds to the allocated share (linear)."""
    slope_over: Annotated[Fraction, share("0.0625", zero=True)] = Fraction(1, 16)
    """How much each `target_delay` above the target subtracts from it (linear)."""
    step: PositiveShare = Fraction(1, 8)
    """How much each step subtracts from the allocated share (step)."""
    step_ratio: Annotated[Fraction, above(1, MOST_CURVE, "2")] = Fraction(2)
    """Queueing delay of each step over that of the step before (step)."""
    qdlf: PositiveShare = Fraction(1, 2)
    """Queue drain limit factor: the least part that is allocated (erica_plus)."""
    ccr: Annotated[str, choice(["field", "measured"])] = "field"
    """A VC's rate: as its forward RM cells say, or as its cells come (erica_plus, erica)."""
    load_average: Annotated[str, choice(["none", "ratio", "parts"])] = "none"
    """Averaged over intervals: the load factor, or input and capacity separately."""
    load_weight: PositiveShare = Fraction(2, 10)
    """Weight of the newest interval in that average (erica_plus, erica)."""
    vc_decay: Annotated[Fraction, share("0.9", zero=True, one=False)] = Fraction(0)
    """An idle VC's contribution to the active ones falls by this factor each interval (ERICA)."""
    immediate_fair_share: Flag = False
    """Whether a VC that was not active before lowers the fair share at once."""
    count_both_directions: Flag = False
    """Whether a VC of which only backward RM cells are seen counts as active."""
    limit_jump: Flag = True
    """Whether a VC below the fair share gets no more than the fair share in one step."""
    efci_threshold: CellCount = 1000
    """ABR queue beyond which data cells are marked (efci)."""
    vbr_buffer: BufferOrUnlimited = None
    """Buffer for VBR."""
    abr_buffer: BufferOrUnlimited = None
    """Buffer for ABR."""
    ubr_buffer: BufferOrUnlimited = Amount(12_000, "cells")
    """Buffer for UBR and GFR."""
    policy: Annotated[str, choice(list(FRAME_POLICIES))] = "epd"
    """When a new UBR or GFR frame is refused; without effect if `ubr_buffer` is unlimited."""
    r: PositiveShare = Fraction(8, 10)
    """Threshold R as a share of `ubr_buffer`, rounded down (epd, selective_drop, fba)."""
    z: PositiveShare = Fraction(8, 10)
    """Scaling Z of a VC's fair share (selective_drop, fba)."""
    low: PositiveShare = Field(default=Fraction(1, 2), alias="l")
    """Threshold L, a share of `ubr_buffer`: beyond it no tagged frame enters (double_epd, dfba)."""
    high: PositiveShare = Field(default=Fraction(9, 10), alias="h")
    """Threshold H, a share of `ubr_buffer`: beyond it no frame enters (double_epd, dfba)."""
    alpha: Annotated[Fraction, share("0.5", zero=True, decimals=6)] = Fraction(1, 2)
    """Weight of the VC's excess in the probability of a refusal; the queue has the rest (dfba)."""
    eom: Annotated[str, choice(["keep", "drop"])] = "keep"
    """Whether the last cell of a UBR or GFR frame that overflow has cut is kept."""
    ubr_share: Annotated[Fraction, share("0.1", zero=True)] = Fraction(0)
    """Guaranteed part of the line for UBR and GFR together, before VBR and ABR (GR)."""
    ubr_queueing: Annotated[str, choice([FIFO, PER_VC])] = FIFO
    """How UBR and GFR cells wait: in one queue, or in one for each VC, served by weights."""
    excess: Annotated[str, choice([EQUAL, PROPORTIONAL])] = EQUAL
    """A VC's weight: MCR and an equal part of what all MCRs leave, or MCR alone (per_vc)."""


class CellSource(Table):
    """Sources of cells without TCP that are alike, each with a VC of its own.

    In atm_clients each has a host of its own on both sides, in atm_network those that are named.
    """

    kind: str
    """When cells are made."""
    name: Name = "source"
    """Name of the source; several are called "name 1", "name 2"."""
    count: Annotated[int, whole(0, MOST_FLOWS, 1)] = 1
    """Sources like this one; with 0 there is none."""
    source: Annotated[str | None, NAME] = Field(default=None, alias="from")
    """atm_network: the host that sends."""
    target: Annotated[str | None, NAME] = Field(default=None, alias="to")
    """atm_network: the host that receives."""
    direction: Annotated[str, choice([DATA, REVERSE])] = DATA
    """atm_clients: whether it goes as the servers' data do, or the other way."""
    service: Annotated[str, choice([VBR, ABR, UBR])] = VBR
    """Its service category."""
    start: DurationOrZero = 0
    """When it begins."""
    stop: DurationOrNever = None
    """When it ends."""


class GreedyCells(CellSource):
    """A source that always has a cell to send, and does so at the rate that ABR allows."""

    kind: Literal["greedy"]
    """Always a cell to send; ABR only."""
    service: Annotated[str, choice([ABR])] = ABR
    """Its service category: no other says how fast such a source may be."""


class ConstantCells(CellSource):
    """Cells at a constant rate."""

    kind: Literal["cbr"]
    """A constant rate."""
    rate: Rate
    """The rate, cells counted whole."""


class OnOffCells(CellSource):
    """Cells at a constant rate, with pauses.

    Source: the times are those of the background of the Ohio State University's study of
    guaranteed rates, task 4b of its report on TCP over UBR.
    """

    kind: Literal["on_off"]
    """A constant rate, with pauses."""
    rate: Rate
    """The rate while it is on, cells counted whole."""
    on: Duration = 300 * MS
    """How long it is on; a mean, unless `times` are constant."""
    off: Duration = 300 * MS
    """How long it is off; a mean, unless `times` are constant."""
    times: Annotated[str, choice([CONSTANT, "exponential", PARETO])] = CONSTANT
    """How both times are distributed."""
    shape: Annotated[Fraction, above(1, MOST_FACTOR, "1.5")] = Fraction(15, 10)
    """Shape of both laws (pareto): the smaller, the more of the time is in a few long periods."""


class VideoCells(CellSource):
    """Frames of compressed video, the cells of each spread evenly over its time.

    Sizes are log-normal about the mean of the frame's type; their logarithms are correlated from
    frame to frame. The defaults make 3.3 Mbit/s of an MPEG stream; they are no measured trace.
    """

    kind: Literal["video"]
    """Frames of video."""
    frame_time: Duration = 33_367_000_000
    """From one frame to the next."""
    gop: Annotated[str, _GOP] = "IBBPBBPBBPBB"
    """The types of the frames, again and again."""
    i_frame: Size = 40_000
    """Mean size of a frame of type I."""
    p_frame: Size = 20_000
    """Mean size of a frame of type P."""
    b_frame: Size = 8_000
    """Mean size of a frame of type B."""
    cv: Annotated[Fraction, above(0, MOST_FACTOR, "0.3", equal=True)] = Fraction(3, 10)
    """Standard deviation of a size over its mean."""
    correlation: Annotated[Fraction, _CORRELATION] = Fraction(8, 10)
    """Correlation of the logarithm of a size with that of the frame before."""


CellSources = Annotated[
    GreedyCells | ConstantCells | OnOffCells | VideoCells, Field(discriminator="kind")
]
"""Any of them."""
