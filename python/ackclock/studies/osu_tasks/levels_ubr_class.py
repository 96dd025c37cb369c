"""The points of the parts on guaranteed rate and GFR (tasks 4b and 4a).

Source: OSU, TCP over UBR: the statement of work and its results (called 002 in the
documentation). What it leaves open is in the scenario files; docs/conventions.md says why.
"""

from __future__ import annotations

from typing import NamedTuple

from ackclock.studies.osu_tasks.levels import (
    EPD,
    FBA,
    GEO,
    LAN,
    SACK,
    SD,
    SMALL,
    TAIL,
    THRESHOLDS,
    VANILLA,
    WAN,
)
from ackclock.studies.osu_tasks.part import Analysed, Part

NO_SHARE, SMALL_SHARE, HALF = SHARES = (0.0, 0.1, 0.5)
"""Parts of the trunk that are guaranteed to UBR."""
GUARANTEED_LINKS = (LAN, WAN, GEO)
GUARANTEED_POLICIES = (TAIL, EPD, SD, FBA)
GUARANTEED_FLAVORS = (VANILLA, SACK)
"""The oldest and the newest."""
GEO_POLICIES, GEO_SHARES = (TAIL, SD), (NO_SHARE, SMALL_SHARE)
"""What is run of them on GEO, with the small buffer; a run there takes as long as five on a WAN."""
GFR_LINKS = (LAN, WAN)
GFR_SOURCES = (15, 50)
FIFO_EPD, FIFO_DFBA, PER_VC_EPD, PER_VC_DOUBLE = PORTS = (
    "FIFO, EPD",
    "FIFO, DFBA",
    "per VC, EPD",
    "per VC, double EPD",
)
"""How VCs are queued, and which frames are refused."""
GROUPS = (1, 2, 3, 4, 5)
"""Groups of VCs, by their MCRs over that of the first."""


class GuaranteedRatePoint(NamedTuple):
    """Task 4b."""

    link: str
    buffer: str
    drop_policy: str
    tcp_flavor: str
    share: float

    @property
    def sources(self) -> int:
        """On every link."""
        return 15


def _left_out(point: GuaranteedRatePoint) -> bool:
    return point.link == GEO and not (
        point.buffer == SMALL and point.drop_policy in GEO_POLICIES and point.share in GEO_SHARES
    )


class GfrPoint(NamedTuple):
    """Task 4a."""

    link: str
    sources: int
    port: str


def _keys(table: str, names: str) -> tuple[str, ...]:
    return tuple(f"{table}.{name}" for name in names.split())


_SWITCH = "topology.switch"
_ABR_KEYS = (
    *_keys("topology.abr", "pcr mcr icr nrm mrm trm rif rdf adtf tbe crm cdf tcr frtt"),
    *_keys(_SWITCH, "rate_control interval_cells interval delta target_utilisation queue_control"),
    *_keys(_SWITCH, "target_delay a b slope_under slope_over step step_ratio qdlf ccr"),
    *_keys(_SWITCH, "load_average load_weight vc_decay immediate_fair_share"),
    *_keys(_SWITCH, "count_both_directions limit_jump efci_threshold abr_buffer"),
)
"""Of ABR, which has no VC here."""
_CONTRACT_KEYS = (
    *_keys("topology.gfr", "mcr pcr mbs mfs cdvt tagging"),
    *_keys(_SWITCH, "l h alpha excess"),
)
"""Of contracts, which UBR has not."""
_IDLE_GFR_KEYS = (
    "topology.gfr.mcr",
    *_keys("topology", "servers clients_per_server"),
    *_keys(_SWITCH, "vbr_buffer z ubr_share"),
)
"""Without effect where each group has its MCR and all VCs are GFR, under these policies."""
MEASURE_GUARANTEED_RATE = "ackclock.studies.osu_tasks.metrics_ubr_class:measure_guaranteed_rate"
MEASURE_GFR = "ackclock.studies.osu_tasks.metrics_ubr_class:measure_gfr"
GUARANTEED_RATE = Part(
    name="guaranteed-rate",
    task="4b",
    title="Guaranteed rate",
    point=GuaranteedRatePoint,
    measure=MEASURE_GUARANTEED_RATE,
    metrics=(
        "efficiency",
        "fairness",
        "utilisation",
        "timeouts",
        "retransmitted_share",
        "cells_lost",
        "max_queue_cells",
        "mean_queue_cells",
        "vbr_bit_s",
        "vbr_delay_s",
    ),
    variables={
        "durations": ("", "Left out and measured, s; of the link."),
        "small": ("", "Small buffer of the link."),
        "large": ("", "Large buffer of the link."),
        **THRESHOLDS,
        "vbr_peak": ("a rate", "Rate of VBR while it is on."),
        "share": ("", "Part of the line that is guaranteed to UBR."),
    },
    decided=(*_ABR_KEYS, *_CONTRACT_KEYS),
    left_out=_left_out,
    analysed=Analysed(
        "link", ("buffer", "drop_policy", "tcp_flavor", "share"), ("efficiency", "fairness")
    ),
)
GFR = Part(
    name="gfr",
    task="4a",
    title="Guaranteed frame rate",
    point=GfrPoint,
    measure=MEASURE_GFR,
    metrics=(
        "mcr_share",
        "mcr_share_mean",
        *(f"group_{group}_mcr_share" for group in GROUPS),
        "eligible_share",
        "eligible_lost_share",
        "excess_fairness",
        "excess_fairness_proportional",
        "efficiency",
        "utilisation",
        "timeouts",
        "retransmitted_share",
        "max_queue_cells",
        "mean_queue_cells",
    ),
    variables={
        "durations": ("two numbers", "Left out and measured, s."),
        "sources": ("", "VCs, each with one TCP source."),
        "guaranteed": ("a number", "What the MCRs add up to, as a share of the trunk."),
        "mcr": ("a rate", "MCR of the first of five groups."),
    },
    decided=(*_ABR_KEYS, *_IDLE_GFR_KEYS),
)
PARTS: tuple[Part, ...] = (GUARANTEED_RATE, GFR)
