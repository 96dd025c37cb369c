"""Claims on the scenarios with HTTP/1.0, and on the link (RFC 2415, section 3, Tables 1 to 3)."""

from __future__ import annotations

from ackclock.stats import mean_interval
from ackclock.studies.common.claims import Claims, Verdict
from ackclock.studies.common.evidence import shown, shown_mean
from ackclock.studies.rfc2415.analysis import ftp_trends
from ackclock.studies.rfc2415.claims.registry import (
    HTTP10,
    HTTP11,
    INTERVALS,
    ORDINARY,
    SCENARIOS,
    WITH_FTPS,
    Study,
    listed,
    name,
)
from ackclock.studies.rfc2415.levels import HTTPS, IWS

CLAIMS = Claims()
_OVERLOADED = (32, 3)


@CLAIMS.add(
    "delay-falls",
    "3",
    "HTTP/1.0: the median page delay with IW 2, 3 and 4 is lower than with IW 1 in all 12 "
    "scenarios",
    (HTTP10,),
)
def _delay_falls(study: Study) -> Verdict:
    holds, parts = True, []
    for iw in IWS[1:]:
        decreases = {each: study.decrease(each, iw) for each in SCENARIOS}
        least = min(decreases, key=lambda each: decreases[each].mean)
        falls = sum(each.mean > 0 for each in decreases.values())
        holds = holds and falls == len(SCENARIOS)
        parts.append(
            f"IW {iw}: lower in {falls} of {len(SCENARIOS)}, least decrease "
            f"{shown(decreases[least])}, {name(least)}"
        )
    return holds, "; ".join(parts)


@CLAIMS.add(
    "delay-falls-third",
    "3",
    "HTTP/1.0: at IW 3 or 4 the decrease is at least 25 % in at least half of the scenarios",
    (HTTP10,),
)
def _delay_falls_third(study: Study) -> Verdict:
    best = {
        each: max((study.decrease(each, iw) for iw in (3, 4)), key=lambda found: found.mean)
        for each in SCENARIOS
    }
    large = sum(found.mean >= 25 for found in best.values())
    described = f"{large} of {len(SCENARIOS)}. Larger decrease of IW 3 and 4: {listed(best)}"
    return large >= len(SCENARIOS) / 2, described


@CLAIMS.add(
    "first-step-steepest",
    "3",
    "HTTP/1.0: averaged over the scenarios the step from IW 1 to 2 lowers the delay more than 2 to "
    "3, and 2 to 3 more than 3 to 4",
    (HTTP10,),
)
def _first_step(study: Study) -> Verdict:
    below = study.average_decreases("1.0")
    steps = [below[iw] - below[iw - 1] for iw in IWS[1:]]
    first, second, third = (step.mean() for step in steps)
    described = "; ".join(
        f"IW {iw - 1} to {iw}: {shown_mean(step, unit=' points')}"
        for iw, step in zip(IWS[1:], steps, strict=True)
    )
    return first > second > third, f"Of the delay at IW 1: {described}"


@CLAIMS.add(
    "drops-rise-little",
    "3",
    "HTTP/1.0: from IW 1 to IW 4 the drop percentage rises by less than 1 point, except with 32 "
    "webs and 3 ftps; there it falls",
    (HTTP10,),
)
def _drops_rise(study: Study) -> Verdict:
    rises = {
        each: mean_interval(
            study.values("drop_pct", each, max(IWS)) - study.values("drop_pct", each, 1)
        )
        for each in SCENARIOS
    }
    holds = rises[_OVERLOADED].mean < 0 and all(
        rise.mean < 1 for each, rise in rises.items() if each != _OVERLOADED
    )
    return holds, listed(rises, 2, " points")


@CLAIMS.add(
    "one-ftp-fills-the-link",
    "3",
    "utilisation is above 90 % whenever at least one ftp client runs",
    (HTTP10, HTTP11),
)
def _one_ftp(study: Study) -> Verdict:
    found = {
        (each, http, iw): study.values("utilisation_pct", each, iw, http=http)
        for http in HTTPS
        for each in WITH_FTPS
        for iw in IWS
    }
    above = sum(values.mean() > 90 for values in found.values())
    least = min(found, key=lambda point: found[point].mean())
    scenario, http, iw = least
    described = (
        f"{above} of {len(found)} points; the least is {shown_mean(found[least])}, "
        f"{name(scenario)}, HTTP/{http}, IW {iw}"
    )
    return above == len(found), described


@CLAIMS.add(
    "web-power-rises",
    "3",
    "HTTP/1.0: normalised network power rises by at least 15 % from IW 1 to 4 in every "
    "non-pathological scenario, and by 40 % or more somewhere that web traffic dominates",
    (HTTP10,),
)
def _web_power(study: Study) -> Verdict:
    gains = {each: study.gain("web_power", each) for each in ORDINARY}
    dominated = [each for each in ORDINARY if _web_dominates(study, each)]
    most = max((gains[each].mean for each in dominated), default=0.0)
    holds = most >= 40 and all(gain.mean >= 15 for gain in gains.values())
    described = ", ".join(map(name, dominated)) or "none"
    return holds, f"{listed(gains)}. Web traffic dominates: {described}"


def _web_dominates(study: Study, scenario: tuple[int, int]) -> bool:
    """Whether the web clients have more than half of the goodput at IW 1."""
    web, ftp = (
        study.values(metric, scenario, 1).mean() for metric in ("goodput_mb", "ftp_goodput_mb")
    )
    return bool(web > ftp)


@CLAIMS.add(
    "ftp-power-unchanged",
    "3",
    "network power of the ftps shows no trend with IW: the slope's 95 % interval includes 0 in at "
    "least 7 of the 9 scenarios",
    (HTTP10, INTERVALS),
)
def _ftp_power(study: Study) -> Verdict:
    trends = ftp_trends(study.runs, "1.0")
    flat = trends[(trends["lo"] <= 0) & (trends["hi"] >= 0)]
    described = "; ".join(
        f"{name((row.webs, row.ftps))}: {row.slope:+.3f} ({row.lo:+.3f}, {row.hi:+.3f})"
        for row in trends.itertuples()
    )
    return len(flat) >= 7, f"{len(flat)} of {len(trends)}. Slopes, MB/s per segment: {described}"
