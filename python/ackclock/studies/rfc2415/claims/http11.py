"""Claims on HTTP/1.1 (RFC 2415, section 3, Tables 4 and 5, Figures 3 and 4)."""

from __future__ import annotations

from ackclock.stats import mean_interval
from ackclock.stats.ratios import ratio_interval
from ackclock.studies.common.claims import Claims, Verdict
from ackclock.studies.common.evidence import shown, shown_mean
from ackclock.studies.rfc2415.claims.registry import (
    HTTP10,
    HTTP11,
    SCENARIOS,
    Study,
    name,
)
from ackclock.studies.rfc2415.levels import HTTPS, IWS

CLAIMS = Claims()


@CLAIMS.add(
    "http11-smoother",
    "3",
    "HTTP/1.1: the share of the IW 1 to 4 improvement that falls on the step 1 to 2 is smaller "
    "than with HTTP/1.0",
    (HTTP10, HTTP11),
)
def _smoother(study: Study) -> Verdict:
    shares = {}
    for http in HTTPS:
        below = study.average_decreases(http)
        shares[http] = ratio_interval(100 * (below[2] - below[1]), below[max(IWS)] - below[1])
    described = "; ".join(f"HTTP/{http}: {shown(share)}" for http, share in shares.items())
    return shares["1.1"].mean < shares["1.0"].mean, f"{described}; of the mean over the scenarios"


@CLAIMS.add(
    "http11-not-beyond-4",
    "3",
    "HTTP/1.1: in the two most congested scenarios network power falls from IW 3 to IW 4",
    (HTTP11,),
)
def _not_beyond_4(study: Study) -> Verdict:
    def drops(scenario: tuple[int, int]) -> float:
        found = [study.values("drop_pct", scenario, iw, http="1.1").mean() for iw in IWS]
        return float(sum(found) / len(found))

    holds, parts = True, []
    for scenario in sorted(SCENARIOS, key=drops)[-2:]:
        three, four = (study.values("web_power", scenario, iw, http="1.1") for iw in (3, 4))
        change = mean_interval(four - three)
        holds = holds and change.mean < 0
        parts.append(
            f"{name(scenario)} ({drops(scenario):.1f} % dropped): from "
            f"{shown_mean(three, 2, '')} by {shown(change, 2, ' MB/s', signed=True)}"
        )
    return holds, "; ".join(parts)
