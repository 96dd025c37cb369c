"""What the paper concludes from Table 2, each conclusion as a test on this study's own results.

Source: Vandalore et al., sections 6 and 7. Nothing here reads a published number: a claim sees the
runs of Table 2 and the bounds that follow from the scenario, and no more.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from ackclock.stats import linear_trend
from ackclock.stats.ratios import ratio_interval
from ackclock.studies.abr_web.analysis import bounds
from ackclock.studies.abr_web.levels import PAPERS, SERVERS, TABLE2, Point, named
from ackclock.studies.machinery.claims import Claims, Verdict
from ackclock.studies.machinery.evidence import INTERVALS, RunsEvidence, shown, shown_mean
from ackclock.studies.machinery.running import Runs

CLAIMS = Claims()
_RISING = tuple(each for each in SERVERS if each <= 5)
_FLAT = tuple(each for each in SERVERS if each >= 7)
_FULL = tuple(each for each in SERVERS if each >= 5)
_PROPORTIONAL_WITHIN = 0.1
"""By how much of their mean the shares of the load that is carried may differ from it."""


class Evidence(RunsEvidence):
    """The runs of Table 2 as a claim sees them."""

    def __init__(self, made: Runs) -> None:
        super().__init__(made)
        self.bounds = bounds(made.scenario)

    def row(self, metric: str, servers: int) -> np.ndarray:
        """A metric of a row of Table 2, shape (replications,), in their order."""
        return self.values(TABLE2, metric, Point(TABLE2, servers, *PAPERS))

    def means(self, metric: str) -> dict[int, float]:
        """The mean of a metric over the replications, by the number of servers."""
        return {each: float(self.row(metric, each).mean()) for each in SERVERS}


@CLAIMS.add(
    "queue-linear-then-flat",
    "7",
    "maximum queue rises with N up to 5 (rank correlation above 0.9) and shows no rising trend for "
    "N from 7 to 15",
    (TABLE2, INTERVALS),
)
def _linear_then_flat(study: Evidence) -> Verdict:
    """There is a rising trend if the 95 % interval of the slope lies above 0."""
    means = study.means("max_queue_cells")
    correlation = _rank_correlation(_RISING, [means[each] for each in _RISING])
    queues = np.transpose([study.row("max_queue_cells", each) for each in _FLAT])
    slope = linear_trend(_FLAT, queues)
    text = ", ".join(f"{value:.0f}" for value in means.values())
    return (
        correlation > 0.9 and slope.lo <= 0,
        f"rank correlation up to 5 servers {correlation:.2f}; slope from 7 to 15 servers "
        f"{slope.slope:+.0f} cells a server ({slope.lo:+.0f}, {slope.hi:+.0f}); mean maximum queue "
        f"by the number of servers: {text} cells",
    )


@CLAIMS.add(
    "queue-bounded",
    "7",
    "maximum queue stays below 3 x RTT in cells (33120) for every N",
    (TABLE2,),
)
def _bounded(study: Evidence) -> Verdict:
    """The bound is computed from the scenario, see ``analysis``; the mean of a row decides."""
    bound = 3 * study.bounds.rtt_cells
    means = study.means("max_queue_cells")
    most = max(means, key=lambda each: means[each])
    runs = {each: float(study.row("max_queue_cells", each).max()) for each in SERVERS}
    longest = max(runs, key=lambda each: runs[each])
    mean = shown_mean(study.row("max_queue_cells", most), 0, " cells")
    return (
        means[most] < bound,
        f"largest mean {mean}, {named(most)}; longest queue of any run {runs[longest]:.0f} cells, "
        f"{named(longest)}; 3 x RTT is {bound:.0f} cells here",
    )


@CLAIMS.add(
    "efficiency-high",
    "7",
    "efficiency is proportional to load while it is below capacity and stays above 85 % from N = 5 "
    "on",
    (TABLE2,),
)
def _efficient(study: Evidence) -> Verdict:
    """Load is what the clients of a run asked for; capacity is an efficiency of 100 %.

    Proportional means that the shares of the load that are carried differ from their mean by at
    most ``_PROPORTIONAL_WITHIN`` of it.
    """
    loads, means = study.means("load_pct"), study.means("efficiency_pct")
    below = [each for each in SERVERS if loads[each] < 100]
    shares = {
        each: ratio_interval(100 * study.row("efficiency_pct", each), study.row("load_pct", each))
        for each in below
    }
    middle = np.mean([share.mean for share in shares.values()]) if shares else np.nan
    proportional = bool(shares) and all(
        abs(share.mean / middle - 1) <= _PROPORTIONAL_WITHIN for share in shares.values()
    )
    least = min(_FULL, key=lambda each: means[each])
    text = "; ".join(f"{named(each)}: {shown(share)}" for each, share in shares.items())
    lowest = shown_mean(study.row("efficiency_pct", least))
    return (
        proportional and means[least] > 85,
        f"carried of a load below capacity: {text or 'there is none'}; least efficiency from 5 "
        f"servers on {lowest}, {named(least)}",
    )


@CLAIMS.add("no-loss", "6", "no cell is lost at any N", (TABLE2,))
def _no_loss(study: Evidence) -> Verdict:
    lost = {each: int(study.row("cells_lost", each).sum()) for each in SERVERS}
    runs = sum(study.row("cells_lost", each).size for each in SERVERS)
    total = sum(lost.values())
    text = f"{total} cells lost in {runs} runs"
    if total:
        text += ": " + ", ".join(f"{named(each)} {cells}" for each, cells in lost.items() if cells)
    return total == 0, text


def _rank_correlation(levels: tuple[int, ...], values: list[float]) -> float:
    """Spearman's; 0 where all values are equal."""
    ranks = pd.Series(values).rank().to_numpy()
    if np.ptp(ranks) == 0:
        return 0.0
    return float(np.corrcoef(pd.Series(levels).rank(), ranks)[0, 1])
