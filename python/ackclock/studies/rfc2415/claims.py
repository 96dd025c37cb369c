"""What the RFC concludes, each conclusion as a test on this study's own results.

Source: RFC 2415, sections 2 to 4. Nothing here reads a published number: a claim sees the runs of
this study, and no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product

from ackclock.studies.machinery.claims import Claims, Verdict
from ackclock.studies.machinery.estimates import Estimate, at_least, every, within
from ackclock.studies.machinery.evidence import RunsEvidence, mean, shown
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.running import points_of
from ackclock.studies.machinery.variation import Number
from ackclock.studies.rfc2415.levels import (
    FTPS,
    HALF,
    HTTPS,
    IWS,
    QUEUES,
    RED,
    REVERSE,
    REVERSE_FTP,
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
            needs: names of parts, or of versions of HTTP in the part ``TABLES``.
        """
        lacking = [need for need in needs if self._lacks(need)]
        return ", and ".join(f"not all scenarios of {need} were run" for need in lacking)

    def _lacks(self, need: str) -> bool:
        part = TABLES if need in _OF_TABLES else need
        if part not in self.made.parts:
            return True
        its, study = self.made.parts[part], self.made.request.study
        levels = {"http": (_OF_TABLES[need],)} if need in _OF_TABLES else {}
        everything = points_of(its.part, its.scenario, Request(study, levels=levels))
        return not set(everything) <= set(self.points(part))

    def cell(
        self,
        metric: str,
        scenario: Scenario,
        iw: int,
        *,
        http: str = "1.0",
        part: str = TABLES,
        variant: str = "",
    ) -> Number:
        """A metric at a point."""
        return self.at(part, metric, Point(part, *scenario, http, iw, variant))

    def decrease(self, scenario: Scenario, iw: int, **where: str) -> Number:
        """By how much the page delay lies below that of IW 1, % of that."""
        usual, delay = (self.cell("page_delay_s", scenario, each, **where) for each in (1, iw))
        return 100 * (1 - delay / usual)

    def mean_decrease(self, iw: int, http: str) -> Number:
        """The mean of the decreases over all scenarios, %; 0 for IW 1."""
        return mean([self.decrease(each, iw, http=http) for each in SCENARIOS])


def _listed(numbers: Mapping[Scenario, Estimate], decimals: int = 1, unit: str = " %") -> str:
    """Scenarios with their numbers."""
    return "; ".join(
        f"{name(*scenario)}: {shown(each, decimals=decimals, unit=unit)}"
        for scenario, each in numbers.items()
    )


@CLAIMS.add(
    "delay-falls",
    "3",
    "HTTP/1.0: the median page delay with IW 2, 3 and 4 is lower than with IW 1 in all 12 "
    "scenarios",
    (HTTP10,),
)
def _delay_falls(study: Evidence) -> Verdict:
    found = {iw: {each: study.decrease(each, iw) for each in SCENARIOS} for iw in IWS[1:]}
    holds = every(its > 0 for decreases in found.values() for its in decreases.values())

    def evidence() -> str:
        parts = []
        for iw, decreases in found.items():
            least = min(decreases, key=lambda each: decreases[each].mean)
            falls = sum(its.mean > 0 for its in decreases.values())
            parts.append(
                f"IW {iw}: lower in {falls} of {len(SCENARIOS)}, least decrease "
                f"{shown(decreases[least])}, {name(*least)}"
            )
        return "; ".join(parts)

    return Verdict(holds, evidence)


@CLAIMS.add(
    "delay-falls-third",
    "3",
    "HTTP/1.0: at IW 3 or 4 the decrease is at least 25 % in at least half of the scenarios",
    (HTTP10,),
)
def _delay_falls_third(study: Evidence) -> Verdict:
    found = {each: [study.decrease(each, iw) for iw in (3, 4)] for each in SCENARIOS}
    large = [at_least(1, (its >= 25 for its in decreases)) for decreases in found.values()]

    def evidence() -> str:
        best = {each: max(its, key=lambda number: number.mean) for each, its in found.items()}
        count = sum(its.mean >= 25 for its in best.values())
        return f"{count} of {len(SCENARIOS)}. Larger decrease of IW 3 and 4: {_listed(best)}"

    return Verdict(at_least(len(SCENARIOS) // 2, large), evidence)


@CLAIMS.add(
    "first-step-steepest",
    "3",
    "HTTP/1.0: averaged over the scenarios the step from IW 1 to 2 lowers the delay more than 2 to "
    "3, and 2 to 3 more than 3 to 4",
    (HTTP10,),
)
def _first_step(study: Evidence) -> Verdict:
    below = {iw: study.mean_decrease(iw, "1.0") for iw in IWS}
    first, second, third = steps = [below[iw] - below[iw - 1] for iw in IWS[1:]]

    def evidence() -> str:
        described = "; ".join(
            f"IW {iw - 1} to {iw}: {shown(step, unit=' points')}"
            for iw, step in zip(IWS[1:], steps, strict=True)
        )
        return f"Of the delay at IW 1: {described}"

    return Verdict((first > second) & (second > third), evidence)


@CLAIMS.add(
    "drops-rise-little",
    "3",
    "HTTP/1.0: from IW 1 to IW 4 the drop percentage rises by at most 1 point with 8 and 16 webs, "
    "and falls with 32 webs and 3 ftps",
    (HTTP10,),
)
def _drops_rise(study: Evidence) -> Verdict:
    rises = {
        each: study.cell("drop_pct", each, max(IWS)) - study.cell("drop_pct", each, 1)
        for each in SCENARIOS
    }
    little = every(rise <= 1 for (webs, _), rise in rises.items() if webs < max(WEBS))
    return Verdict(little & (rises[_OVERLOADED] < 0), lambda: _listed(rises, 2, " points"))


@CLAIMS.add(
    "one-ftp-fills-the-link",
    "3",
    "utilisation is above 90 % whenever at least one ftp client runs",
    (HTTP10, HTTP11),
)
def _one_ftp(study: Evidence) -> Verdict:
    found = {
        (each, http, iw): study.cell("utilisation_pct", each, iw, http=http)
        for http in HTTPS
        for each in WITH_FTPS
        for iw in IWS
    }

    def evidence() -> str:
        above = sum(its.mean > 90 for its in found.values())
        least = min(found, key=lambda point: found[point].mean)
        scenario, http, iw = least
        return (
            f"{above} of {len(found)} points; the least is {shown(found[least])}, "
            f"{name(*scenario)}, HTTP/{http}, IW {iw}"
        )

    return Verdict(every(its > 90 for its in found.values()), evidence)


@CLAIMS.add(
    "web-power-rises",
    "3",
    "HTTP/1.0: normalised network power rises by at least 15 % from IW 1 to 4 in every "
    "non-pathological scenario, and by 40 % or more somewhere that web traffic dominates",
    (HTTP10,),
)
def _web_power(study: Evidence) -> Verdict:
    """Web traffic dominates where the web clients have more than half of the goodput at IW 1."""
    gains = {}
    for each in ORDINARY:
        usual, power = (study.cell("web_power", each, iw) for iw in (1, max(IWS)))
        gains[each] = 100 * (power / usual - 1)
    dominates = {
        each: study.cell("goodput_mb", each, 1) > study.cell("ftp_goodput_mb", each, 1)
        for each in ORDINARY
    }
    somewhere = at_least(1, [(gains[each] >= 40) & dominates[each] for each in ORDINARY])

    def evidence() -> str:
        where = ", ".join(name(*each) for each, its in dominates.items() if its.holds) or "none"
        return f"{_listed(gains)}. Web traffic dominates: {where}"

    return Verdict(every(its >= 15 for its in gains.values()) & somewhere, evidence)


@CLAIMS.add(
    "ftp-power-unchanged",
    "3",
    "network power of the ftps has no trend with IW in the sense of the RFC, which had one run a "
    "cell: slopes of both signs occur, and the change from IW 1 to 4 is below 15 % in at least 7 "
    "of the 9 scenarios",
    (HTTP10,),
)
def _ftp_power(study: Evidence) -> Verdict:
    middle = sum(IWS) / len(IWS)
    slopes, changes = {}, {}
    for each in WITH_FTPS:
        power = {iw: study.cell("ftp_power", each, iw) for iw in IWS}
        weighted = [its * (iw - middle) for iw, its in power.items()]
        slopes[each] = mean(weighted) / mean([(iw - middle) ** 2 for iw in IWS])
        changes[each] = 100 * (power[max(IWS)] / power[1] - 1)
    both = [at_least(1, [sign * its > 0 for its in slopes.values()]) for sign in (1, -1)]
    small = at_least(7, [within(its, 15) for its in changes.values()])

    def evidence() -> str:
        return (
            f"Slopes, MB/s per segment: {_listed(slopes, 3, '')}. Changes from IW 1 to 4: "
            f"{_listed(changes)}"
        )

    return Verdict(every(both) & small, evidence)


@CLAIMS.add(
    "http11-smoother",
    "3",
    "HTTP/1.1: the share of the IW 1 to 4 improvement that falls on the step 1 to 2 is smaller "
    "than with HTTP/1.0",
    (HTTP10, HTTP11),
)
def _smoother(study: Evidence) -> Verdict:
    shares = {
        http: 100 * study.mean_decrease(2, http) / study.mean_decrease(max(IWS), http)
        for http in HTTPS
    }

    def evidence() -> str:
        described = "; ".join(f"HTTP/{http}: {shown(share)}" for http, share in shares.items())
        return f"{described}; of the mean over the scenarios"

    return Verdict(shares["1.1"] < shares["1.0"], evidence)


@CLAIMS.add(
    "http11-not-beyond-4",
    "3",
    "HTTP/1.1: in the two most congested scenarios network power falls from IW 3 to IW 4",
    (HTTP11,),
)
def _not_beyond_4(study: Evidence) -> Verdict:
    def drops(scenario: Scenario) -> float:
        points = [Point(TABLES, *scenario, "1.1", iw, "") for iw in IWS]
        found = [study.values(TABLES, "drop_pct", point).mean() for point in points]
        return float(sum(found) / len(found))

    congested = sorted(SCENARIOS, key=drops)[-2:]
    powers = {
        each: [study.cell("web_power", each, iw, http="1.1") for iw in (3, 4)] for each in congested
    }

    def evidence() -> str:
        return "; ".join(
            f"{name(*each)} ({drops(each):.1f} % dropped): from "
            f"{shown(three, decimals=2, unit='')} by "
            f"{shown(four - three, decimals=2, unit=' MB/s', signed=True)}"
            for each, (three, four) in powers.items()
        )

    return Verdict(every(four < three for three, four in powers.values()), evidence)


def _half(study: Evidence, metric: str, webs: int, iw: int, variant: str = "") -> Number:
    return study.cell(metric, (webs, 0), iw, part=HALF, variant=variant)


@CLAIMS.add(
    "half-half-harmless",
    "Table 6",
    "8/8 and 16/16 splits: the IW 1 clients' median delay is within 6 % of the all-IW 1 run, and "
    "the IW 3 clients are faster than the IW 1 clients",
    (HALF,),
)
def _harmless(study: Evidence) -> Verdict:
    changes, leads = {}, {}
    for webs in (16, 32):
        alike = _half(study, "page_delay_s", webs, 1)
        slow, fast = (
            _half(study, metric, webs, 1, SPLIT) for metric in ("page_delay_s", "new_page_delay_s")
        )
        changes[webs], leads[webs] = 100 * (slow / alike - 1), slow - fast
    holds = every(within(its, 6) for its in changes.values()) & every(
        its > 0 for its in leads.values()
    )

    def evidence() -> str:
        return ". ".join(
            f"{webs // 2}/{webs // 2}: the IW 1 clients' delay changes by "
            f"{shown(changes[webs], signed=True)}; the IW 3 clients are faster by "
            f"{shown(leads[webs], decimals=3, unit=' s')}"
            for webs in changes
        )

    return Verdict(holds, evidence)


@CLAIMS.add(
    "half-half-64",
    "Table 6",
    "32/32 split: the IW 3 clients are slower than in the all-IW 3 run",
    (HALF,),
)
def _half_64(study: Evidence) -> Verdict:
    alike = _half(study, "page_delay_s", 64, 3)
    split = _half(study, "new_page_delay_s", 64, 1, SPLIT)

    def evidence() -> str:
        seconds = {"decimals": 3, "unit": " s"}
        return (
            f"all at IW 3: {shown(alike, **seconds)}; split: {shown(split, **seconds)}; "
            f"difference {shown(split - alike, signed=True, **seconds)}"
        )

    return Verdict(split > alike, evidence)


@CLAIMS.add(
    "reverse-traffic-no-effect",
    "2",
    "adding data traffic in the reverse direction leaves the conclusions as they are: the median "
    "page delay falls from IW 1 to 3 in all 12 scenarios with it too, and the decreases differ by "
    "less than 10 points on average",
    (HTTP10, REVERSE),
)
def _reverse(study: Evidence) -> Verdict:
    usual = {each: study.decrease(each, 3) for each in SCENARIOS}
    with_it = {
        each: study.decrease(each, 3, part=REVERSE, variant=REVERSE_FTP) for each in SCENARIOS
    }
    apart = mean([abs(with_it[each] - usual[each]) for each in SCENARIOS])
    holds = every(its > 0 for its in with_it.values()) & (apart < 10)

    def evidence() -> str:
        return (
            f"mean distance of the decreases {shown(apart, unit=' points')}. With reverse "
            f"traffic: {_listed(with_it)}"
        )

    return Verdict(holds, evidence)


@CLAIMS.add(
    "red-like-larger-iw",
    "4",
    "RED at the bottleneck with IW 1 lowers the median page delay, with an ftp present, by at "
    "least half of what IW 3 with drop-tail does",
    (HTTP10, RED),
)
def _red(study: Evidence) -> Verdict:
    """Averaged over the scenarios with ftps; RED is that of 1993, as in the ns-2 of the RFC."""

    def below(part: str, iw: int, variant: str) -> Number:
        parts = []
        for each in WITH_FTPS:
            delay = study.cell("page_delay_s", each, iw, part=part, variant=variant)
            parts.append(100 * (1 - delay / study.cell("page_delay_s", each, 1)))
        return mean(parts)

    larger = below(TABLES, 3, "")
    found = {queue: below(RED, 1, queue) for queue in QUEUES}

    def evidence() -> str:
        described = "; ".join(f"{queue} {shown(its)}" for queue, its in found.items())
        return (
            f"Mean decrease over the {len(WITH_FTPS)} scenarios with ftps: {described}; "
            f"IW 3 with drop-tail {shown(larger)}"
        )

    return Verdict(found[QUEUES[0]] >= larger / 2, evidence)
