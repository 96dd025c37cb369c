"""A readable summary of the links that change in the course of a run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ackclock.plurals import counted
from ackclock.scenario.compile.compiler import network_of
from ackclock.scenario.compile.groups import groups
from ackclock.scenario.compile.network import Crossing, Line, limits
from ackclock.scenario.compile.paths import Change
from ackclock.scenario.model.paths import CsvPath, MahimahiPath, Step
from ackclock.scenario.model.scenario import Scenario
from ackclock.scenario.model.topology import AtmClients, AtmDumbbell, AtmNetwork
from ackclock.scenario.paths import PathSteps, Trace
from ackclock.scenario.paths.mahimahi import PS_PER_MS
from ackclock.scenario.summary import values_text
from ackclock.scenario.summary_of_cells import alike, short
from ackclock.scenario.units import RATE, SIZE, TIME, show
from ackclock.scenario.values.kind import decimal

_MOST_STEPS = 6
NOTE = (
    'Limits of queues in rtt or in time, values "auto" and base RTTs use the rate and the delay'
    " under Links, even if a link changes."
)
"""What the other tables say of such links."""


class ChangeRow(NamedTuple):
    """Links that change in the same way.

    Attributes:
        name: of the first of them, and how many more there are.
        changes: what they do.
        mean_rate: in the course of a run.
        full_queue: how long it takes to send a full queue at that rate.
    """

    name: str
    changes: str
    mean_rate: str
    full_queue: str


def change_rows(scenario: Scenario) -> list[ChangeRow]:
    """The links that change, those that are alike together; often none."""
    topology = scenario.topology
    if isinstance(topology, AtmDumbbell | AtmClients | AtmNetwork):
        return []
    network = network_of(topology, groups(scenario))
    names = network.line_names()
    return alike(
        (_row(names[number], line, network.crossings[number], scenario.duration), times)
        for number, line, times in network.lines.distinct()
        if line.change
    )


def _row(name: str, line: Line, crossing: Crossing, until: int) -> ChangeRow:
    assert line.change is not None
    mean = line.change.mean_rate(line.rate, until)
    full = ""
    if line.queue is not None and crossing.flows and mean:
        packets, size = limits(line, crossing)
        held = (packets or 0) * crossing.largest_packet if size is None else size
        full = f"{short(held * 8 * 1000 / mean)} ms"
    return ChangeRow(name, change_text(line.change), f"{short(mean / 10**6)} Mbit/s", full)


def change_text(change: Change) -> str:
    """What a link does over time."""
    varies = change.varies
    if varies is None:
        steps = [_step_text(step) for step in change.schedule]
        if len(steps) > _MOST_STEPS:
            steps[_MOST_STEPS - 1 :] = [f"{len(steps) - _MOST_STEPS} more", steps[-1]]
        return "; ".join(steps) + _anew(change.period)
    if isinstance(varies, CsvPath):
        assert isinstance(varies.file.content, PathSteps)
        return f"{varies.file.name}: {_csv_text(varies.file.content)}{_anew(varies.period)}"
    if isinstance(varies, MahimahiPath):
        trace = varies.file.content
        assert isinstance(trace, Trace)
        number = counted(trace.opportunities, "opportunity", "opportunities")
        text = f"{varies.file.name}: {number} of {show(varies.opportunity, SIZE)}"
        reading = ", read as a rate" if varies.reading == "fluid" else ""
        return f"{text}{reading}{_anew(trace.period * PS_PER_MS)}"
    return f"{varies.kind} {values_text(varies)}"


def _step_text(step: Step) -> str:
    """What a step changes, and when."""
    parts = []
    if step.rate is not None:
        parts.append(f"rate {show(step.rate, RATE)}")
    if step.delay is not None:
        parts.append(f"delay {show(step.delay, TIME)}")
    if step.loss is not None:
        parts.append(f"loss {decimal(step.loss)}")
    if step.up is not None:
        parts.append("up" if step.up else "down")
    return f"at {show(step.at, TIME)} {', '.join(parts)}"


def _csv_text(found: PathSteps) -> str:
    """How many steps a file has, and from which value to which."""
    steps = found.steps
    ends = dict.fromkeys(show(each.at, TIME) for each in (steps[0], steps[-1]))
    parts = [f"{counted(len(steps), 'step')} at {' to '.join(ends)}"]
    parts += _range("rate", (each.rate for each in steps), lambda rate: show(rate, RATE))
    parts += _range("delay", (each.delay for each in steps), lambda delay: show(delay, TIME))
    parts += _range("loss", (each.loss for each in steps), lambda ppb: f"{ppb / 10**9:.6g}")
    downs = sum(each.up is False for each in steps)
    return ", ".join([*parts, *([f"down {counted(downs, 'time')}"] if downs else [])])


def _range(name: str, values: Iterable[int | None], text: Any) -> list[str]:
    given = [value for value in values if value is not None]
    if not given:
        return []
    ends = dict.fromkeys((text(min(given)), text(max(given))))
    return [f"{name} {' to '.join(ends)}"]


def _anew(period: int | None) -> str:
    return "" if period is None else f"; repeats every {show(period, TIME)}"
