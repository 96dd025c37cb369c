"""What the RFC concludes, each conclusion as a test on this study's own results.

Source: RFC 2415, sections 2 to 4. Nothing here reads a published number: a claim sees the runs of
this study, and no more.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import numpy as np

from ackclock.stats import mean_interval
from ackclock.stats.intervals import Interval
from ackclock.stats.ratios import ratio_interval
from ackclock.studies.machinery.claims import Claims, Verdict
from ackclock.studies.machinery.evidence import (
    INTERVALS,
    NO_INTERVALS,
    RunsEvidence,
    shown,
    shown_mean,
)
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.running import points_of
from ackclock.studies.rfc2415.analysis import ftp_trends, reverse_changes
from ackclock.studies.rfc2415.levels import (
    FTPS,
    HALF,
    HTTPS,
    IWS,
    QUEUES,
    RED,
    REVERSE,
    SPLIT,
    TABLES,
    WEBS,
    Point,
    is_pathological,
    name,
)

HTTP10, HTTP11 = "HTTP/1.0", "HTTP/1.1"
CLAIMS = Claims([HTTP10])
_OF_TABLES = {HTTP10: "1.0", HTTP11: "1.1"}
"""What claims need of the part ``TABLES``: all points with a version of HTTP."""
Scenario = tuple[int, int]
SCENARIOS: tuple[Scenario, ...] = tuple(product(WEBS, FTPS))
WITH_FTPS = tuple((webs, ftps) for webs, ftps in SCENARIOS if ftps)
ORDINARY = tuple(each for each in SCENARIOS if not is_pathological(*each))
"""Those in which the RFC sees a trend; see ``levels.is_pathological``."""
_OVERLOADED = (32, 3)


class Evidence(RunsEvidence):
    """The runs as a claim sees them."""

    def missing(self, needs: Iterable[str]) -> str:
        """What is not there of what a claim needs, in words.

        Args:
            needs: names of parts, or of versions of HTTP in the part ``TABLES``; ``INTERVALS`` if
                one replication is not enough.
        """
        needs = tuple(needs)
        reasons = [
            f"not all scenarios of {need} were run"
            for need in needs
            if need != INTERVALS and self._lacks(need)
        ]
        if INTERVALS in needs and self.made.request.replications == 1:
            reasons.append(NO_INTERVALS)
        return ", and ".join(reasons)

    def _lacks(self, need: str) -> bool:
        part = TABLES if need in _OF_TABLES else need
        if part not in self.made.parts:
            return True
        its, study = self.made.parts[part], self.made.request.study
        levels = {"http": (_OF_TABLES[need],)} if need in _OF_TABLES else {}
        everything = points_of(its.part, its.scenario, Request(study, levels=levels))
        return not set(everything) <= set(self.points(part))

    def at(
        self,
        metric: str,
        scenario: Scenario,
        iw: int,
        *,
        http: str = "1.0",
        part: str = TABLES,
        variant: str = "",
    ) -> np.ndarray:
        """A metric at a point, shape (replications,), in their order."""
        return self.values(part, metric, Point(part, *scenario, http, iw, variant))

    def decrease(self, scenario: Scenario, iw: int) -> Interval:
        """By how much the page delay with HTTP/1.0 lies below that of IW 1, % of that."""
        usual, delay = (self.at("page_delay_s", scenario, each) for each in (1, iw))
        return ratio_interval(100 * (usual - delay), usual)

    def power_gain(self, scenario: Scenario) -> Interval:
        """By how much web power with HTTP/1.0 at the largest IW lies above that of IW 1, %."""
        usual, power = (self.at("web_power", scenario, each) for each in (1, max(IWS)))
        return ratio_interval(100 * (power - usual), usual)

    def average_decreases(self, http: str) -> dict[int, np.ndarray]:
        """The page delay at each IW, averaged over the scenarios.

        Returns:
            By IW, shape (replications,): how far the delay lies below the mean delay of IW 1, % of
            that, mean over all scenarios.
        """
        return {
            iw: np.mean([self._below(each, iw, http) for each in SCENARIOS], axis=0) for iw in IWS
        }

    def _below(self, scenario: Scenario, iw: int, http: str) -> np.ndarray:
        usual = self.at("page_delay_s", scenario, 1, http=http).mean()
        return 100 * (1 - self.at("page_delay_s", scenario, iw, http=http) / usual)


def _listed(intervals: dict[Scenario, Interval], decimals: int = 1, unit: str = " %") -> str:
    """Scenarios with their numbers."""
    return "; ".join(
        f"{name(*scenario)}: {shown(each, decimals, unit)}" for scenario, each in intervals.items()
    )


@CLAIMS.add(
    "delay-falls",
    "3",
    "HTTP/1.0: the median page delay with IW 2, 3 and 4 is lower than with IW 1 in all 12 "
    "scenarios",
)
def _delay_falls(study: Evidence) -> Verdict:
    holds, parts = True, []
    for iw in IWS[1:]:
        decreases = {each: study.decrease(each, iw) for each in SCENARIOS}
        least = min(decreases, key=lambda each: decreases[each].mean)
        falls = sum(each.mean > 0 for each in decreases.values())
        holds = holds and falls == len(SCENARIOS)
        parts.append(
            f"IW {iw}: lower in {falls} of {len(SCENARIOS)}, least decrease "
            f"{shown(decreases[least])}, {name(*least)}"
        )
    return holds, "; ".join(parts)


@CLAIMS.add(
    "delay-falls-third",
    "3",
    "HTTP/1.0: at IW 3 or 4 the decrease is at least 25 % in at least half of the scenarios",
)
def _delay_falls_third(study: Evidence) -> Verdict:
    best = {
        each: max((study.decrease(each, iw) for iw in (3, 4)), key=lambda found: found.mean)
        for each in SCENARIOS
    }
    large = sum(found.mean >= 25 for found in best.values())
    described = f"{large} of {len(SCENARIOS)}. Larger decrease of IW 3 and 4: {_listed(best)}"
    return large >= len(SCENARIOS) / 2, described


@CLAIMS.add(
    "first-step-steepest",
    "3",
    "HTTP/1.0: averaged over the scenarios the step from IW 1 to 2 lowers the delay more than 2 to "
    "3, and 2 to 3 more than 3 to 4",
)
def _first_step(study: Evidence) -> Verdict:
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
)
def _drops_rise(study: Evidence) -> Verdict:
    rises = {
        each: mean_interval(study.at("drop_pct", each, max(IWS)) - study.at("drop_pct", each, 1))
        for each in SCENARIOS
    }
    holds = rises[_OVERLOADED].mean < 0 and all(
        rise.mean < 1 for each, rise in rises.items() if each != _OVERLOADED
    )
    return holds, _listed(rises, 2, " points")


@CLAIMS.add(
    "one-ftp-fills-the-link",
    "3",
    "utilisation is above 90 % whenever at least one ftp client runs",
    (HTTP10, HTTP11),
)
def _one_ftp(study: Evidence) -> Verdict:
    found = {
        (each, http, iw): study.at("utilisation_pct", each, iw, http=http)
        for http in HTTPS
        for each in WITH_FTPS
        for iw in IWS
    }
    above = sum(values.mean() > 90 for values in found.values())
    least = min(found, key=lambda point: found[point].mean())
    scenario, http, iw = least
    described = (
        f"{above} of {len(found)} points; the least is {shown_mean(found[least])}, "
        f"{name(*scenario)}, HTTP/{http}, IW {iw}"
    )
    return above == len(found), described


@CLAIMS.add(
    "web-power-rises",
    "3",
    "HTTP/1.0: normalised network power rises by at least 15 % from IW 1 to 4 in every "
    "non-pathological scenario, and by 40 % or more somewhere that web traffic dominates",
)
def _web_power(study: Evidence) -> Verdict:
    gains = {each: study.power_gain(each) for each in ORDINARY}
    dominated = [each for each in ORDINARY if _web_dominates(study, each)]
    most = max((gains[each].mean for each in dominated), default=0.0)
    holds = most >= 40 and all(gain.mean >= 15 for gain in gains.values())
    described = ", ".join(name(*each) for each in dominated) or "none"
    return holds, f"{_listed(gains)}. Web traffic dominates: {described}"


def _web_dominates(study: Evidence, scenario: tuple[int, int]) -> bool:
    """Whether the web clients have more than half of the goodput at IW 1."""
    web, ftp = (study.at(metric, scenario, 1).mean() for metric in ("goodput_mb", "ftp_goodput_mb"))
    return bool(web > ftp)


@CLAIMS.add(
    "ftp-power-unchanged",
    "3",
    "network power of the ftps shows no trend with IW: the slope's 95 % interval includes 0 in at "
    "least 7 of the 9 scenarios",
    (HTTP10, INTERVALS),
)
def _ftp_power(study: Evidence) -> Verdict:
    trends = ftp_trends(study.made.of(TABLES), "1.0")
    flat = trends[(trends["lo"] <= 0) & (trends["hi"] >= 0)]
    described = "; ".join(
        f"{name(row.webs, row.ftps)}: {row.slope:+.3f} ({row.lo:+.3f}, {row.hi:+.3f})"
        for row in trends.itertuples()
    )
    return len(flat) >= 7, f"{len(flat)} of {len(trends)}. Slopes, MB/s per segment: {described}"


@CLAIMS.add(
    "http11-smoother",
    "3",
    "HTTP/1.1: the share of the IW 1 to 4 improvement that falls on the step 1 to 2 is smaller "
    "than with HTTP/1.0",
    (HTTP10, HTTP11),
)
def _smoother(study: Evidence) -> Verdict:
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
def _not_beyond_4(study: Evidence) -> Verdict:
    def drops(scenario: tuple[int, int]) -> float:
        found = [study.at("drop_pct", scenario, iw, http="1.1").mean() for iw in IWS]
        return float(sum(found) / len(found))

    holds, parts = True, []
    for scenario in sorted(SCENARIOS, key=drops)[-2:]:
        three, four = (study.at("web_power", scenario, iw, http="1.1") for iw in (3, 4))
        change = mean_interval(four - three)
        holds = holds and change.mean < 0
        parts.append(
            f"{name(*scenario)} ({drops(scenario):.1f} % dropped): from "
            f"{shown_mean(three, 2, '')} by {shown(change, 2, ' MB/s', signed=True)}"
        )
    return holds, "; ".join(parts)


def _half(study: Evidence, metric: str, webs: int, iw: int, variant: str = "") -> np.ndarray:
    return study.at(metric, (webs, 0), iw, part=HALF, variant=variant)


@CLAIMS.add(
    "half-half-harmless",
    "Table 6",
    "8/8 and 16/16 splits: the IW 1 clients' median delay is within 6 % of the all-IW 1 run, and "
    "the IW 3 clients are faster than the IW 1 clients",
    (HALF,),
)
def _harmless(study: Evidence) -> Verdict:
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
def _half_64(study: Evidence) -> Verdict:
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
def _reverse(study: Evidence) -> Verdict:
    changes = reverse_changes(study.made)
    moved = changes[(changes["lo"] > 0) | (changes["hi"] < 0)]
    most = changes.loc[changes["difference"].abs().idxmax()]
    described = (
        f"{len(moved)} of {len(changes)} delays change by more than the interval of the change; "
        f"the largest change is {most['difference']:+.3f} s ({most['lo']:+.3f}, {most['hi']:+.3f}) "
        f"of {most['baseline_mean']:.3f} s, {name(most['webs'], most['ftps'])}, IW {most['iw']}"
    )
    return moved.empty, described


@CLAIMS.add(
    "red-like-larger-iw",
    "4",
    "RED at the bottleneck with IW 1 lowers the median page delay, with an ftp present, by at "
    "least half of what IW 3 with drop-tail does",
    (HTTP10, RED),
)
def _red(study: Evidence) -> Verdict:
    """Averaged over the scenarios with ftps; RED is that of 1993, as in the ns-2 of the RFC."""
    usual = {each: study.at("page_delay_s", each, 1) for each in WITH_FTPS}

    def below(part: str, iw: int, variant: str) -> np.ndarray:
        parts = [
            1 - study.at("page_delay_s", each, iw, part=part, variant=variant) / delay.mean()
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
