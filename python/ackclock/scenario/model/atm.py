"""ABR end systems, switch ports and cell sources of ATM networks."""

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from ackclock.scenario.model.base import Table
from ackclock.scenario.model.links import FRAME_POLICIES
from ackclock.scenario.model.names import MOST_FLOWS_OF_CELLS, NAME, Name
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
    return f"expected 1 to {MOST_GOP} letters I, P and B"


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
    """Initial cell rate, used at the start and after `adtf`; at most `tbe` cells per round trip."""
    nrm: Nrm = 32
    """Number of cells per forward resource-management (RM) cell, including the RM cell."""
    mrm: Annotated[int, whole(1, 255, 2)] = 2
    """Number of cells that must be sent before an early forward RM cell."""
    trm: Duration = 100 * MS
    """Time that must pass before an early forward RM cell."""
    rif: RateFactor = Fraction(1, 16)
    """Rate increase factor: largest increase of the rate per backward RM cell, as a share
    of `pcr`.
    """
    rdf: RateFactor = Fraction(1, 16)
    """Rate decrease factor: decrease of the rate per congestion indication, as a share of
    the rate.
    """
    adtf: Duration = 500 * MS
    """Time since the last forward RM cell after which the rate falls back to `icr`."""
    tbe: Tbe = 2**24 - 1
    """Transient buffer exposure: number of cells that may be sent before the first feedback."""
    crm: Crm = "tbe"
    """Number of forward RM cells without an answer after which the rate falls; "tbe" is `tbe` /
    `nrm`.
    """
    cdf: CutoffFactor = Fraction(1, 16)
    """Cutoff decrease factor: the decrease of the rate in this case, as a share of the rate."""
    tcr: Tcr = 10
    """Highest rate of out-of-rate RM cells."""
    frtt: FixedRoundTrip = None
    """Fixed round-trip time, from which the limit of `icr` by `tbe` is computed; "path" is the
    propagation delay.
    """


class Gfr(Table):
    """Contract of the GFR VCs: a guaranteed rate for whole frames.

    The first switch polices it: a frame conforms or is discarded, and of those that conform the
    ones within MCR are eligible, which the network is to deliver.

    Source: ATM Forum, Traffic Management 4.1 (af-tm-0121); the F-GCRA.
    """

    mcr: RateOrZero = 0
    """Minimum cell rate (MCR), unless the group sets another; like `pcr`, it includes the cell
    headers.
    """
    pcr: PeakRate = None
    """Peak cell rate; "line" is the rate of the faster of the two hosts' links."""
    mbs: MaximumBurst = None
    """Maximum burst size; "two_frames" is twice `mfs`, the least that TM 4.1 allows."""
    mfs: MaximumFrame = None
    """Maximum frame size; "frame" is the largest frame of the VC's flow."""
    cdvt: DurationOrZero = 0
    """Cell delay variation tolerance: how much earlier than at `pcr` a cell may arrive."""
    tagging: Flag = True
    """Whether the first switch sets the cell loss priority CLP = 1 in frames that exceed the MCR
    (GFR.2).
    """


class Switch(Table):
    """The output ports of all switches. They serve VBR first, then ABR, then UBR and GFR.

    Sources: S. Kalyanaraman, R. Jain, S. Fahmy, R. Goyal and B. Vandalore, The ERICA Switch
    Algorithm for ABR Traffic Management in ATM Networks (1997); B. Vandalore, R. Jain, R. Goyal and
    S. Fahmy, Design and Analysis of Queue Control Functions for Explicit Rate Switch Schemes
    (1998). Defaults are those of Vandalore et al. (1998), section 6, where it names them. R. Goyal,
    R. Jain, S. Fahmy, B. Vandalore and S. Kalyanaraman, GFR: Providing Rate Guarantees with FIFO
    Buffers to TCP Traffic, ATM Forum/98-0405 (1998), for DFBA.
    """

    rate_control: Annotated[str, choice([ERICA_PLUS, ERICA, EFCI, NO_CONTROL])] = ERICA_PLUS
    """How switches set the rates of ABR sources; ERICA+ also controls the queue."""
    interval_cells: Annotated[int, whole(1, MOST_INTERVAL, 500)] = 500
    """Number of ABR cells after which a measurement interval ends (erica_plus, erica)."""
    interval: Duration = 5 * MS
    """Time after which the interval ends if fewer cells arrive (erica_plus, erica)."""
    delta: Annotated[Fraction, share("0.1", zero=True)] = Fraction(1, 10)
    """Overload up to which all VCs get the highest recent allocation (erica_plus, erica)."""
    target_utilisation: PositiveShare = Fraction(9, 10)
    """Part of the ABR capacity that is allocated (erica); this part times 1 + `delta` must be below
    1.
    """
    queue_control: Annotated[str, choice(QUEUE_CONTROLS)] = QUEUE_CONTROLS[0]
    """How the allocated part of the capacity depends on the queueing delay (erica_plus)."""
    target_delay: Duration = MS // 2
    """Queueing delay at which the whole capacity is allocated (erica_plus)."""
    a: Annotated[Fraction, above(1, MOST_CURVE, "1.15")] = Fraction(115, 100)
    """Curvature above `target_delay` (hyperbolic, inverse_hyperbolic)."""
    b: Annotated[Fraction, above(1, MOST_CURVE, "1.05", equal=True)] = Fraction(105, 100)
    """Allocated part of the capacity when the queue is empty (hyperbolic, inverse_hyperbolic,
    step).
    """
    slope_under: Annotated[Fraction, share("0.0625", zero=True)] = Fraction(1, 16)
    """Increase of the allocated part when the queue is empty (linear)."""
    slope_over: Annotated[Fraction, share("0.0625", zero=True)] = Fraction(1, 16)
    """Decrease of the allocated part for each `target_delay` above the target (linear)."""
    step: PositiveShare = Fraction(1, 8)
    """Decrease of the allocated part at each step (step)."""
    step_ratio: Annotated[Fraction, above(1, MOST_CURVE, "2")] = Fraction(2)
    """Ratio of the queueing delays of two successive steps (step)."""
    qdlf: PositiveShare = Fraction(1, 2)
    """Queue drain limit factor: smallest allocated part (erica_plus)."""
    ccr: Annotated[str, choice(["field", "measured"])] = "field"
    """Source of a VC's rate: the field in its forward RM cells, or a measurement of its cells
    (erica_plus, erica).
    """
    load_average: Annotated[str, choice(["none", "ratio", "parts"])] = "none"
    """What is averaged over intervals: nothing, the load factor (ratio), or input and capacity
    separately (parts).
    """
    load_weight: PositiveShare = Fraction(2, 10)
    """Weight of the newest interval in this average (erica_plus, erica)."""
    vc_decay: Annotated[Fraction, share("0.9", zero=True, one=False)] = Fraction(0)
    """Factor by which the contribution of an idle VC to the number of active VCs falls in each
    interval (ERICA).
    """
    immediate_fair_share: Flag = False
    """Whether a VC that was not active before lowers the fair share at once."""
    count_both_directions: Flag = False
    """Whether a VC counts as active if only its backward RM cells pass."""
    limit_jump: Flag = True
    """Whether a VC below the fair share gets no more than the fair share in one step."""
    efci_threshold: CellCount = 1000
    """ABR queue above which data cells are marked (efci)."""
    vbr_buffer: BufferOrUnlimited = None
    """Buffer for VBR."""
    abr_buffer: BufferOrUnlimited = None
    """Buffer for ABR."""
    ubr_buffer: BufferOrUnlimited = Amount(12_000, "cells")
    """Buffer for UBR and GFR."""
    policy: Annotated[str, choice(list(FRAME_POLICIES))] = "epd"
    """Drop policy: when a new UBR or GFR frame is refused; no effect if `ubr_buffer` is
    unlimited.
    """
    r: PositiveShare = Fraction(8, 10)
    """Threshold R as a share of `ubr_buffer`, rounded down (epd, selective_drop, fba)."""
    z: PositiveShare = Fraction(8, 10)
    """Factor Z that scales a VC's fair share (selective_drop, fba)."""
    low: PositiveShare = Field(default=Fraction(1, 2), alias="l")
    """Threshold L as a share of `ubr_buffer`; above it, tagged frames are refused (double_epd,
    dfba).
    """
    high: PositiveShare = Field(default=Fraction(9, 10), alias="h")
    """Threshold H as a share of `ubr_buffer`; above it, all frames are refused
    (double_epd, dfba).
    """
    alpha: Annotated[Fraction, share("0.5", zero=True, decimals=6)] = Fraction(1, 2)
    """Weight of the VC's excess in the probability of a refusal; the weight of the queue is 1 -
    `alpha` (dfba).
    """
    eom: Annotated[str, choice(["keep", "drop"])] = "keep"
    """Whether to keep or drop the last cell of a UBR or GFR frame of which cells overflowed."""
    ubr_share: Annotated[Fraction, share("0.1", zero=True)] = Fraction(0)
    """Guaranteed rate (GR) of UBR and GFR together, as a part of the line, before VBR and ABR."""
    ubr_queueing: Annotated[str, choice([FIFO, PER_VC])] = FIFO
    """Queues of UBR and GFR cells: one for all, or one per VC, served by weights (per_vc)."""
    excess: Annotated[str, choice([EQUAL, PROPORTIONAL])] = EQUAL
    """Weight of a VC (per_vc): MCR plus an equal part of the remaining capacity, or MCR alone."""


class CellSource(Table):
    """Sources of cells without TCP that are alike, each with a VC of its own.

    In atm_clients each has a host of its own on both sides, in atm_network those that are named.
    """

    kind: str
    """When cells are made."""
    name: Name = "source"
    """Name of the source; several sources are called "name 1", "name 2"."""
    count: Annotated[int, whole(0, MOST_FLOWS_OF_CELLS, 1)] = 1
    """Number of sources with these properties; 0 removes them."""
    source: Annotated[str | None, NAME] = Field(default=None, alias="from")
    """atm_network: the host that sends."""
    target: Annotated[str | None, NAME] = Field(default=None, alias="to")
    """atm_network: the host that receives."""
    direction: Annotated[str, choice([DATA, REVERSE])] = DATA
    """atm_clients: direction of the cells: that of the servers' data, or the reverse."""
    service: Annotated[str, choice([VBR, ABR, UBR])] = VBR
    """Service category of the source."""
    start: DurationOrZero = 0
    """Time at which the source starts."""
    stop: DurationOrNever = None
    """Time at which the source stops."""


class GreedyCells(CellSource):
    """A source that always has a cell to send, and sends at the rate that ABR allows."""

    kind: Literal["greedy"]
    """A source that always has a cell to send; ABR only."""
    service: Annotated[str, choice([ABR])] = ABR
    """Service category of the source; only ABR sets the rate of such a source."""


class ConstantCells(CellSource):
    """Cells at a constant rate."""

    kind: Literal["cbr"]
    """A constant rate."""
    rate: Rate
    """Rate, including the cell headers."""


class OnOffCells(CellSource):
    """Cells at a constant rate, with pauses.

    Source: the times are those of the background of the Ohio State University's study of
    guaranteed rates, task 4b of its report on TCP over UBR.
    """

    kind: Literal["on_off"]
    """A constant rate, with pauses."""
    rate: Rate
    """Rate while the source is on, including the cell headers."""
    on: Duration = 300 * MS
    """Time for which the source is on; a mean, unless `times` are constant."""
    off: Duration = 300 * MS
    """Time for which the source is off; a mean, unless `times` are constant."""
    times: Annotated[str, choice([CONSTANT, "exponential", PARETO])] = CONSTANT
    """Distribution of both times."""
    shape: Annotated[Fraction, above(1, MOST_FACTOR, "1.5")] = Fraction(15, 10)
    """Shape of both Pareto laws (pareto); with a smaller shape, a few long periods fill more of the
    time.
    """


class VideoCells(CellSource):
    """Frames of compressed video; the cells of a frame are spread evenly over the frame time.

    Sizes are log-normal about the mean of the frame's type; their logarithms are correlated from
    frame to frame. The defaults make 3.3 Mbit/s of an MPEG stream; they are no measured trace.
    """

    kind: Literal["video"]
    """Frames of video."""
    frame_time: Duration = 33_367_000_000
    """Time between two frames."""
    gop: Annotated[str, _GOP] = "IBBPBBPBBPBB"
    """Sequence of frame types, repeated."""
    i_frame: Size = 40_000
    """Mean size of a frame of type I."""
    p_frame: Size = 20_000
    """Mean size of a frame of type P."""
    b_frame: Size = 8_000
    """Mean size of a frame of type B."""
    cv: Annotated[Fraction, above(0, MOST_FACTOR, "0.3", equal=True)] = Fraction(3, 10)
    """Standard deviation of a size, divided by its mean."""
    correlation: Annotated[Fraction, _CORRELATION] = Fraction(8, 10)
    """Correlation between the logarithms of the sizes of two successive frames."""


CellSources = Annotated[
    GreedyCells | ConstantCells | OnOffCells | VideoCells, Field(discriminator="kind")
]
"""Any of them."""
