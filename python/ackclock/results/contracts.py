"""The metrics of GFR: guaranteed rates of VCs, and how VCs share the remaining capacity.

The metrics cover the GFR VCs in the direction of the data; metrics of MCRs cover only VCs whose
MCR is above 0.

Sources: ATM Forum, Traffic Management 4.1 (af-tm-0121), for the guarantee: the delivery of
eligible frames, at least at MCR; R. Jain, D. Chiu, W. Hawe, A Quantitative Measure of Fairness and
Discrimination (1984), for the index.
"""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ackclock.results.cells import CELL_BITS, data_vcs
from ackclock.results.metric import Columns, Metric
from ackclock.stats.fairness import fairness_index

if TYPE_CHECKING:
    from ackclock.scenario import Facts


class Promised(NamedTuple):
    """VCs with an MCR; each attribute has one value per VC.

    Attributes:
        mcr: minimum cell rate, bit/s of whole cells.
        delivered: rate of the cells of complete frames that arrived, bit/s of whole cells.
    """

    mcr: np.ndarray
    delivered: np.ndarray

    @property
    def excess(self) -> np.ndarray:
        """Return the delivered rate above MCR, bit/s; 0 where the rate is below MCR."""
        return np.maximum(self.delivered - self.mcr, 0.0)


def contract_vcs(facts: Facts) -> np.ndarray:
    """Return the numbers of the GFR VCs in the direction of the data."""
    mcrs = facts.vc_mcr_bit_s
    return np.array([at for at in data_vcs(facts) if mcrs and mcrs[at] is not None], dtype=int)


def promised(columns: Columns, facts: Facts) -> Promised:
    """Return MCR and delivered rate of the VCs with an MCR."""
    vcs = contract_vcs(facts)
    mcr = np.array([facts.vc_mcr_bit_s[at] for at in vcs], dtype=float)
    vcs, mcr = vcs[mcr > 0], mcr[mcr > 0]
    if not vcs.size:
        return Promised(mcr, mcr)
    cells = columns["vcs"]["cells_delivered"][vcs].astype(float)
    return Promised(mcr, cells * (CELL_BITS / facts.duration_s))


def _mcr_share(columns: Columns, facts: Facts) -> float:
    its = promised(columns, facts)
    return float((its.delivered / its.mcr).min()) if its.mcr.size else nan


def _mcr_share_mean(columns: Columns, facts: Facts) -> float:
    its = promised(columns, facts)
    return float((its.delivered / its.mcr).mean()) if its.mcr.size else nan


def _excess_fairness(columns: Columns, facts: Facts) -> float:
    its = promised(columns, facts)
    return fairness_index(its.excess, 1.0) if its.mcr.size else nan


def _excess_fairness_proportional(columns: Columns, facts: Facts) -> float:
    its = promised(columns, facts)
    return fairness_index(its.excess, its.mcr) if its.mcr.size else nan


def _eligible_lost_share(columns: Columns, facts: Facts) -> float:
    vcs = contract_vcs(facts)
    if not vcs.size:
        return nan
    eligible = int(columns["vcs"]["frames_eligible"][vcs].sum())
    return int(columns["vcs"]["eligible_lost"][vcs].sum()) / eligible if eligible else nan


_NO_MCR = "without a GFR VC whose MCR is above 0"
_NO_EXCESS = f"{_NO_MCR}, or if none delivered more than its MCR"

CONTRACT_METRICS: dict[str, Metric] = {
    "mcr_share": Metric(
        "1",
        "what a GFR VC delivered in whole frames over its MCR, the least of all",
        _mcr_share,
        _NO_MCR,
    ),
    "mcr_share_mean": Metric("1", "the same, mean over the GFR VCs", _mcr_share_mean, _NO_MCR),
    "excess_fairness": Metric(
        "1",
        "Jain's index of what GFR VCs delivered beyond their MCRs",
        _excess_fairness,
        _NO_EXCESS,
        share=True,
    ),
    "excess_fairness_proportional": Metric(
        "1",
        "Jain's index of the same over the MCRs",
        _excess_fairness_proportional,
        _NO_EXCESS,
        share=True,
    ),
    "eligible_lost_share": Metric(
        "1",
        "eligible frames of GFR VCs of which a port refused or lost a cell",
        _eligible_lost_share,
        "without a GFR VC, or if no frame was eligible",
        share=True,
    ),
}
"""Metrics of contracts, in the order in which they are shown; nan without a contract."""
