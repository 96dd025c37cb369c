"""What the paper concludes from Table 2, each conclusion as a test on this study's own results.

Source: Vandalore et al., sections 6 and 7. Nothing here reads a published number: a claim sees the
runs of Table 2 and the bounds that follow from the scenario, and no more.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise

import numpy as np

from ackclock.studies.abr_web.analysis import Bounds, bounds
from ackclock.studies.abr_web.levels import PAPERS, SERVERS, TABLE2, Point, named
from ackclock.studies.machinery.claims import Claims, Verdict
from ackclock.studies.machinery.estimates import (
    EQUIVALENCE_CONFIDENCE,
    Decision,
    every,
    none_of,
    open_unless,
    share_above,
    significant,
    within,
)
from ackclock.studies.machinery.evidence import RunsEvidence, mean, shown
from ackclock.studies.machinery.variation import Number

CLAIMS = Claims()
_RISING = tuple(each for each in SERVERS if each <= 5)
_FLAT = tuple(each for each in SERVERS if each >= 7)
_FULL = tuple(each for each in SERVERS if each >= 5)
_PROPORTIONAL_WITHIN = 0.1
"""By how much of their mean the shares of the load that is carried may differ from it."""
_FLAT_WITHIN = 0.25
"""By how much of its mean the longest queue may change from the first to the last of ``_FLAT``."""
_BOUNDED_SHARE = 0.9
"""Of the runs, those whose longest queue must stay below the bound."""
_SHARP_RUNS = 25
"""Fewer runs of a row cannot show that it has too few of them."""
_LOSING_SHARE = 0.01
"""Of all possible runs, those that may lose cells: if none was seen, there may still be some."""


class Evidence(RunsEvidence):
    """The runs of Table 2 as a claim sees them."""

    @cached_property
    def bounds(self) -> Bounds:
        """What queues and throughputs are compared with; it follows from the scenario."""
        return bounds(self.made.scenario)

    @property
    def bound(self) -> float:
        """Three times what the longest round trip holds, cells."""
        return 3 * self.bounds.rtt_cells

    def row(self, metric: str, servers: int) -> np.ndarray:
        """A metric of a row of Table 2, shape (replications,), in their order."""
        return self.values(TABLE2, metric, _point(servers))

    def number(self, metric: str, servers: int) -> Number:
        """The metric itself."""
        return self.at(TABLE2, metric, _point(servers))


def _point(servers: int) -> Point:
    return Point(TABLE2, servers, *PAPERS)


@CLAIMS.add(
    "queue-linear-then-flat",
    "7",
    "maximum queue rises with N up to 5 (rank correlation above 0.9: at every step); from N = 7 to "
    "15 it is flat: the 90 % interval of its slope times 8 lies within a quarter of its mean",
    (TABLE2,),
)
def _linear_then_flat(study: Evidence) -> Verdict:
    queues = {each: study.number("max_queue_cells", each) for each in SERVERS}
    rises = every(queues[more] > queues[fewer] for fewer, more in pairwise(_RISING))
    flat = [queues[each] for each in _FLAT]
    away = np.array(_FLAT) - np.mean(_FLAT)
    slope = sum(each * step for each, step in zip(flat, away, strict=True)) / (away @ away)
    change = slope * (_FLAT[-1] - _FLAT[0]) / mean(flat)

    def evidence() -> str:
        text = ", ".join(f"{value.mean:.0f}" for value in queues.values())
        its = shown(100 * change, EQUIVALENCE_CONFIDENCE, signed=True)
        return (
            f"mean maximum queue by the number of servers: {text} cells; change from 7 to 15 "
            f"servers {its} of the mean"
        )

    return Verdict(rises & within(change, _FLAT_WITHIN), evidence)


@CLAIMS.add(
    "queue-bounded",
    "7",
    "the longest queue of a run stays below 3 x RTT in cells (33120) in at least 90 % of the runs, "
    "at every N; and so does the median over the runs at every N",
    (TABLE2,),
)
def _bounded(study: Evidence) -> Verdict:
    """By the replications: of all runs together at least 90 %, at no N significantly fewer."""
    if study.draws:
        return Verdict(
            every(study.number("max_queue_cells", each) < study.bound for each in SERVERS), str
        )
    runs = {each: study.row("max_queue_cells", each) for each in SERVERS}
    below = {each: its < study.bound for each, its in runs.items()}
    together = share_above(np.concatenate(list(below.values())), _BOUNDED_SHARE)
    nowhere = every(
        open_unless(
            Decision(its.size >= _SHARP_RUNS), ~significant(~share_above(its, _BOUNDED_SHARE))
        )
        for its in below.values()
    )
    medians = every(share_above(its, 0.5) for its in below.values())

    def evidence() -> str:
        least = min(SERVERS, key=lambda each: below[each].mean())
        longest = max(SERVERS, key=lambda each: runs[each].max())
        median = max(SERVERS, key=lambda each: np.median(runs[each]))
        count = sum(its.sum() for its in below.values())
        return (
            f"{count} of {sum(map(len, below.values()))} runs below 3 x RTT, {study.bound:.0f} "
            f"cells here; fewest with {named(least)}, {below[least].sum()} of {len(below[least])}; "
            f"largest median {np.median(runs[median]):.0f} cells, {named(median)}; longest queue "
            f"of any run {runs[longest].max():.0f} cells, {named(longest)}"
        )

    return Verdict(together & nowhere & medians, evidence)


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
    most ``_PROPORTIONAL_WITHIN`` of it. If every load is above capacity, there is none to see.
    """
    below = [each for each in SERVERS if study.row("load_pct", each).mean() < 100]
    shares = {
        each: 100 * study.number("efficiency_pct", each) / study.number("load_pct", each)
        for each in below
    }
    full = {each: study.number("efficiency_pct", each) for each in _FULL}
    if not below:
        nothing = np.False_ if study.draws else Decision(False)
        return Verdict(nothing, lambda: "no load below capacity")
    middle = mean(list(shares.values()))
    holds = every(within(its / middle - 1, _PROPORTIONAL_WITHIN) for its in shares.values())
    holds &= every(its > 85 for its in full.values())

    def evidence() -> str:
        text = "; ".join(f"{named(each)}: {shown(its)}" for each, its in shares.items())
        least = min(full, key=lambda each: full[each].mean)
        return (
            f"carried of a load below capacity: {text}; least efficiency from 5 servers on "
            f"{shown(full[least])}, {named(least)}"
        )

    return Verdict(holds, evidence)


@CLAIMS.add("no-loss", "6", "no cell is lost at any N", (TABLE2,))
def _no_loss(study: Evidence) -> Verdict:
    if study.draws:
        return Verdict(every(study.number("cells_lost", each) == 0 for each in SERVERS), str)
    lost = {each: study.row("cells_lost", each) for each in SERVERS}
    every_run = np.concatenate(list(lost.values()))

    def evidence() -> str:
        text = f"{int(every_run.sum())} cells lost in {every_run.size} runs"
        losing = {each: int(cells.sum()) for each, cells in lost.items() if cells.any()}
        where = ", ".join(f"{named(each)} {cells}" for each, cells in losing.items())
        return f"{text}: {where}" if where else text

    return Verdict(none_of(every_run > 0, _LOSING_SHARE), evidence)
