"""Claims that compare links (98-0876, overall analysis and summary)."""

from __future__ import annotations

from itertools import product

from ackclock.studies.common.claims import Claims, Verdict
from ackclock.studies.ubr_web.claims.registry import Study, numbers_text
from ackclock.studies.ubr_web.levels import DROP_POLICIES, LINKS

CLAIMS = Claims()


@CLAIMS.add(
    "sack-gains-with-delay",
    "overall analysis",
    "Efficiency, mean of all buffers and drop policies: SACK's lead over NewReno rises from WAN to "
    "MEO to GEO.",
    LINKS,
)
def _sack_gains(study: Study) -> Verdict:
    lead = {}
    for link in LINKS:
        view = study.on(link, "efficiency")
        lead[link] = view.mean("SACK") - view.mean("NewReno")
    holds = lead["WAN"] < lead["MEO"] < lead["GEO"]
    return holds, f"SACK - NewReno: {numbers_text(lead, signed=True)}"


@CLAIMS.add(
    "half-rtt-buffer-enough",
    "6.3.3",
    "Efficiency of SACK with a buffer of 0.5 RTT, on MEO and on GEO, under both drop policies: at "
    "least 0.87, and within 0.03 of its value at 2 RTT.",
    ("MEO", "GEO"),
)
def _half_rtt(study: Study) -> Verdict:
    holds, parts = True, []
    for link, policy in product(("MEO", "GEO"), DROP_POLICIES):
        view = study.on(link, "efficiency")
        half, two = view.mean("SACK", 0.5, policy), view.mean("SACK", 2, policy)
        holds = holds and half >= 0.87 and abs(two - half) <= 0.03
        parts.append(f"{link} {policy} {half:.4f}, at 2 RTT {two:.4f}")
    return holds, "; ".join(parts)
