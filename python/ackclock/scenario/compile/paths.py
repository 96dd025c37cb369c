"""Links that change in the course of a run, as the core reads them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from ackclock.scenario.keys import Path
from ackclock.scenario.model.paths import (
    CsvPath,
    LtePath,
    MahimahiPath,
    StarlinkPath,
    Step,
    Varies,
    WifiPath,
)
from ackclock.scenario.paths import PathSteps, Trace
from ackclock.scenario.paths.mahimahi import PS_PER_MS
from ackclock.scenario.problems import Problem
from ackclock.scenario.units import TIME, show

PPB = 10**9
PPM = 10**6
PS_PER_S = 10**12
LEAST_JITTER_EVERY = 10**8
"""The core makes no shorter steps."""
_SILENT = 'the link sends nothing at any time; write a rate above "0 bit/s" in one of its steps'


class Change(NamedTuple):
    """How a link changes.

    Attributes:
        schedule: steps of the scenario.
        period: after which they begin anew, ps; none if they do not.
        varies: none, or what changes it otherwise.
        number: of the random stream, which both directions of a link share.
    """

    schedule: Sequence[Step]
    period: int | None
    varies: Varies | None
    number: int

    def __bool__(self) -> bool:
        """Whether it changes at all."""
        return bool(self.schedule) or self.varies is not None

    def plan(self, rate: int, delay: int) -> dict[str, Any] | None:
        """As the core reads it; none if the link does not change.

        Args:
            rate: of the link, bit/s.
            delay: one way, ps.
        """
        if not self:
            return None
        how = self._how(rate, delay)
        return {"number": self.number, "how": how}

    def mean_rate(self, rate: int, until: int, begins: int = 0) -> Fraction:
        """What the link can send on average in a span of a run, bit/s.

        A model has the rate of the link on average.

        Args:
            rate: of the link, bit/s.
            until: end of the span, ps.
            begins: its beginning, ps.
        """
        how = self._how(rate, 0)
        if how["kind"] == "steps":
            sent = [_sent_by_steps(how["steps"], how["period_ps"], at) for at in (begins, until)]
        elif how["kind"] == "opportunities":
            sent = [_sent_by_opportunities(how, at) for at in (begins, until)]
        else:
            return Fraction(rate)
        return Fraction(sent[1] - sent[0], until - begins)

    def _how(self, rate: int, delay: int) -> dict[str, Any]:
        varies = self.varies
        if varies is None:
            steps = [
                (each.at, each.rate, each.delay, _ppb(each.loss), each.up) for each in self.schedule
            ]
            return _steps(steps, self.period, rate, delay)
        if isinstance(varies, CsvPath):
            assert isinstance(varies.file.content, PathSteps)
            rows = varies.file.content.steps
            steps = [(each.at, each.rate, each.delay, each.loss, each.up) for each in rows]
            return _steps(steps, varies.period, rate, delay)
        if isinstance(varies, MahimahiPath):
            return _trace(varies, delay)
        return {"kind": varies.kind, **_MODELS[varies.kind](varies)}


def _sent_by_steps(steps: Sequence[dict[str, int]], period: int | None, until: int) -> int:
    """Bits until a time, times ps per second."""

    def sent(end: int) -> int:
        ends = [*(min(each["at_ps"], end) for each in steps[1:]), end]
        pairs = zip(steps, ends, strict=True)
        return sum(each["rate_bps"] * max(0, to - each["at_ps"]) for each, to in pairs)

    if period is None:
        return sent(until)
    periods, rest = divmod(until, period)
    return periods * sent(period) + sent(rest)


def _sent_by_opportunities(how: dict[str, Any], until: int) -> int:
    """Bits until a time, times ps per second."""
    periods, rest = divmod(until, how["period_ps"])
    number = periods * sum(count for _, count in how["times"])
    number += sum(count for at, count in how["times"] if at <= rest)
    return int(number * how["bytes"] * 8 * PS_PER_S)


def _ppb(share: Any) -> int | None:
    return None if share is None else int(share * PPB)


def _steps(
    steps: Sequence[tuple[int, int | None, int | None, int | None, bool | None]],
    period: int | None,
    rate: int,
    delay: int,
) -> dict[str, Any]:
    """Steps in which every value is there; before the first of them the link is as it says."""
    loss, up = 0, True
    found: dict[int, dict[str, int]] = {}
    for at, new_rate, new_delay, new_loss, new_up in [(0, None, None, None, None), *steps]:
        rate = rate if new_rate is None else new_rate
        delay = delay if new_delay is None else new_delay
        loss = loss if new_loss is None else new_loss
        up = up if new_up is None else new_up
        found[at] = {
            "at_ps": at,
            "rate_bps": rate if up else 0,
            "delay_ps": delay,
            "loss_ppb": loss,
        }
    return {"kind": "steps", "steps": list(found.values()), "period_ps": period}


def _trace(varies: MahimahiPath, delay: int) -> dict[str, Any]:
    trace = varies.file.content
    assert isinstance(trace, Trace)
    period = trace.period * PS_PER_MS
    if varies.reading == "fluid":
        steps = [
            {"at_ps": at * PS_PER_MS, "rate_bps": rate, "delay_ps": delay, "loss_ppb": 0}
            for at, rate in trace.rates(varies.opportunity)
        ]
        return {"kind": "steps", "steps": steps, "period_ps": period}
    times = [[at * PS_PER_MS, count] for at, count in trace.times]
    return {
        "kind": "opportunities",
        "times": times,
        "period_ps": period,
        "bytes": varies.opportunity,
    }


def _starlink(its: StarlinkPath) -> dict[str, Any]:
    return {
        "phase_ps": its.phase,
        "delay_spread_ps": its.delay_spread,
        "jitter_ps": its.jitter,
        "jitter_every_ps": its.jitter_every,
        "rate_cv_ppm": int(its.rate_cv * PPM),
        "outage_ps": [its.least_outage, its.longest_outage],
        "loss_ppb": int(its.loss * PPB),
    }


def _lte(its: LtePath) -> dict[str, Any]:
    return {
        "users": its.users,
        "coherence_ps": its.coherence,
        "snr_ppm": its.snr * PPM,
        "shadowing_cv_ppm": int(its.shadowing_cv * PPM),
        "shadowing_time_ps": its.shadowing_time,
        "averaging_ps": its.averaging,
        "retransmissions_ppb": int(its.retransmissions * PPB),
    }


def _wifi(its: WifiPath) -> dict[str, Any]:
    return {"contention_ps": its.contention, "txop_ps": its.txop}


_MODELS: dict[str, Any] = {"starlink": _starlink, "lte": _lte, "wifi": _wifi}
"""What the core wants to know, by the kind of model."""


def change_problems(link: Any, path: Path) -> Iterator[Problem]:
    """What is wrong with how a link changes.

    Args:
        link: a bottleneck or a link of a graph.
        path: of its table.
    """
    last = None
    for at, step in enumerate(link.schedule):
        if last is not None and step.at <= last:
            yield Problem(
                (*path, "schedule", at, "at"),
                f'is not after "{show(last, TIME)}", the step before; write the steps in the order '
                "of time",
            )
        last = step.at
        if step.model_fields_set <= {"at"}:
            yield Problem(
                (*path, "schedule", at),
                'changes nothing; write what changes, for example rate = "5 Mbit/s"',
            )
    if link.schedule and link.varies is not None:
        yield Problem(
            (*path, "varies"),
            "cannot be combined with schedule; remove one of the two",
        )
    if link.schedule and _is_silent(Change(link.schedule, None, None, 0), link.rate):
        yield Problem((*path, "schedule"), _SILENT)
    if link.schedule_period is not None:
        yield from _period_problems(link, path, last)
    for name in ("varies", "reverse_varies"):
        yield from _model_problems(getattr(link, name, None), (*path, name), link.rate)


def _is_silent(change: Change, rate: int) -> bool:
    """Whether a link with steps never sends anything."""
    steps = change._how(rate, 0)["steps"]
    return not any(step["rate_bps"] for step in steps)


def _period_problems(link: Any, path: Path, last: int | None) -> Iterator[Problem]:
    key = (*path, "schedule_period")
    if last is None:
        yield Problem(key, "there is no schedule to repeat; write one, or remove it")
    elif link.schedule_period <= last:
        yield Problem(
            key,
            f'is not after the last step; write more than "{show(last, TIME)}"',
        )


def _model_problems(varies: Varies | None, path: Path, rate: int) -> Iterator[Problem]:
    if isinstance(varies, StarlinkPath):
        if varies.least_outage > varies.longest_outage:
            longest = show(varies.longest_outage, TIME)
            reason = f'is above longest_outage = "{longest}"; write "{longest}" or less'
            yield Problem((*path, "least_outage"), reason)
        if varies.jitter_every < LEAST_JITTER_EVERY:
            least = show(LEAST_JITTER_EVERY, TIME)
            yield Problem((*path, "jitter_every"), f'is too short; write "{least}" or more')
    if isinstance(varies, CsvPath):
        assert isinstance(varies.file.content, PathSteps)
        last = varies.file.content.steps[-1].at
        if varies.period is not None and varies.period <= last:
            yield Problem(
                (*path, "period"),
                f'is not after the last step of the file; write more than "{show(last, TIME)}"',
            )
        if _is_silent(Change((), None, varies, 0), rate):
            yield Problem((*path, "file"), _SILENT)
