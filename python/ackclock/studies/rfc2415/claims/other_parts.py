"""Claims on the other parts of the study (RFC 2415, section 2, Table 6, section 4)."""

from __future__ import annotations

import numpy as np

from ackclock.stats import mean_interval
from ackclock.stats.ratios import ratio_interval
from ackclock.studies.common.claims import Claims, Verdict
from ackclock.studies.common.evidence import shown, shown_mean
from ackclock.studies.rfc2415.analysis import reverse_changes
from ackclock.studies.rfc2415.claims.registry import (
    HTTP10,
    INTERVALS,
    WITH_FTPS,
    Study,
    name,
)
from ackclock.studies.rfc2415.levels import HALF, QUEUES, RED, REVERSE, SPLIT

CLAIMS = Claims()


def _half(study: Study, metric: str, webs: int, iw: int, variant: str = "") -> np.ndarray:
    return study.values(metric, (webs, 0), iw, part=HALF, variant=variant)


@CLAIMS.add(
    "half-half-harmless",
    "Table 6",
    "8/8 and 16/16 splits: the IW 1 clients' median delay is within 6 % of the all-IW 1 run, and "
    "the IW 3 clients are faster than the IW 1 clients",
    (HALF,),
)
def _harmless(study: Study) -> Verdict:
    holds, parts = True, []
    for webs in (16, 32):
        alike = _half(study, "page_delay_s", webs, 1)
        slow, fast = (
            _half(study, metric, webs, 1, SPLIT) for metric in ("page_delay_s", "new_page_delay_s")
        )
        change, lead = ratio_interval(100 * (slow - alike), alike), mean_interval(slow - fast)
        holds = holds and abs(change.mean) <= 6 and lead.mean > 0
        parts.append(
            f"{webs // 2}/{webs // 2}: the IW 1 clients' delay changes by "
            f"{shown(change, signed=True)}; the IW 3 clients are faster by {shown(lead, 3, ' s')}"
        )
    return holds, ". ".join(parts)


@CLAIMS.add(
    "half-half-64",
    "Table 6",
    "32/32 split: the IW 3 clients are slower than in the all-IW 3 run",
    (HALF,),
)
def _half_64(study: Study) -> Verdict:
    alike = _half(study, "page_delay_s", 64, 3)
    split = _half(study, "new_page_delay_s", 64, 1, SPLIT)
    change = mean_interval(split - alike)
    described = (
        f"all at IW 3: {shown_mean(alike, 3, ' s')}; split: {shown_mean(split, 3, ' s')}; "
        f"difference {shown(change, 3, ' s', signed=True)}"
    )
    return change.mean > 0, described


@CLAIMS.add(
    "reverse-traffic-no-effect",
    "2",
    "adding data traffic in the reverse direction changes no median page delay by more than its "
    "95 % interval",
    (HTTP10, REVERSE, INTERVALS),
)
def _reverse(study: Study) -> Verdict:
    changes = reverse_changes(study.runs)
    moved = changes[(changes["lo"] > 0) | (changes["hi"] < 0)]
    most = changes.loc[changes["difference"].abs().idxmax()]
    described = (
        f"{len(moved)} of {len(changes)} delays change by more than the interval of the change; "
        f"the largest change is {most['difference']:+.3f} s ({most['lo']:+.3f}, {most['hi']:+.3f}) "
        f"of {most['baseline_mean']:.3f} s, {name((most['webs'], most['ftps']))}, IW {most['iw']}"
    )
    return moved.empty, described


@CLAIMS.add(
    "red-like-larger-iw",
    "4",
    "RED at the bottleneck with IW 1 lowers the median page delay, with an ftp present, by at "
    "least half of what IW 3 with drop-tail does",
    (HTTP10, RED),
)
def _red(study: Study) -> Verdict:
    """Averaged over the scenarios with ftps; RED is that of 1993, as in the ns-2 of the RFC."""
    usual = {each: study.values("page_delay_s", each, 1) for each in WITH_FTPS}

    def below(part: str, iw: int, variant: str) -> np.ndarray:
        parts = [
            1 - study.values("page_delay_s", each, iw, part=part, variant=variant) / delay.mean()
            for each, delay in usual.items()
        ]
        return 100 * np.mean(parts, axis=0)

    own = np.mean([1 - delay / delay.mean() for delay in usual.values()], axis=0) * 100
    larger = below("tables", 3, "") - own
    found = {queue: below(RED, 1, queue) - own for queue in QUEUES}
    described = "; ".join(f"{queue} {shown_mean(values)}" for queue, values in found.items())
    return (
        found[QUEUES[0]].mean() >= larger.mean() / 2,
        f"Mean decrease over the {len(usual)} scenarios with ftps: {described}; "
        f"IW 3 with drop-tail {shown_mean(larger)}",
    )
