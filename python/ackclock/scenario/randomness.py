"""Whether anything in a scenario is random, so that its replications differ.

A run draws random numbers for workloads (start times, sizes, pauses), links (losses, jitter,
delays, queues such as RED, models of access networks), ATM networks (sources of cells, DFBA),
some congestion controls (when BBR probes) and the ticks of TCP timers. A draw with a single
outcome, such as a spread of 0, is not random.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ackclock.plurals import counted
from ackclock.scenario.compile.compiler import compile_scenario
from ackclock.scenario.compile.groups import Group, groups
from ackclock.scenario.compile.workloads import workload_plan
from ackclock.scenario.model.queues import DISCIPLINES
from ackclock.scenario.model.scenario import Scenario
from ackclock.scenario.model.topology import AtmClients, AtmDumbbell, AtmNetwork
from ackclock.scenario.plan import written_links
from ackclock.scenario.points import Point
from ackclock.scenario.presets import options_plan, properties
from ackclock.scenario.units import TIME, show

_CHANCES = {
    "bernoulli": ("loss_ppb",),
    "gilbert_elliott": ("loss_good_ppb", "loss_bad_ppb"),
    "loss_events": ("rate_ppb",),
    "two_parameter": ("event_ppb",),
    "jitter": ("spread_ps",),
    "duplicate": ("ppb",),
    "mark": ("ppb",),
}
"""Numbers of each random impairment; it does nothing if all of them are 0."""
_RANDOM_LAWS = ("quantiles", "pareto", "exponential")
_RANDOM_POLICY = "dfba"
_RANDOM_PATHS = ("starlink", "lte", "wifi")
_OF_CELLS = (AtmClients, AtmDumbbell, AtmNetwork)


def is_random(scenario: Scenario) -> bool:
    """Whether the traffic or the network of a settled scenario is random, timers aside."""
    # Groups first: a plan of many flows takes long to make.
    return any(map(_group, groups(scenario))) or any(
        map(_link, written_links(compile_scenario(scenario).plan))
    )


def has_random_ticks(scenario: Scenario) -> bool:
    """Whether the ticks of the TCP timers of a settled scenario are at random times."""
    if not scenario.clock.phase.spread_ps:
        return False
    ends = [tcp for group in groups(scenario) for tcp in (group.sender_tcp, group.receiver_tcp)]
    options = [options_plan(tcp) for tcp in ends]
    return any(its["timers"] == "ticks" or its["ack_timer"] == "free_running" for its in options)


def same_by_design(scenario: Scenario) -> bool:
    """Whether a settled scenario has nothing random that it sets explicitly.

    The ticks of the TCP timers are random by default, within 1 ms, which hardly matters. A scenario
    that sets a phase of the clock wants it.
    """
    asked = "phase" in scenario.clock.model_fields_set and has_random_ticks(scenario)
    return not asked and not is_random(scenario)


def replications_note(scenario: Scenario) -> str:
    """The note of ``check`` on replications that are all equal; else empty."""
    precision = scenario.precision
    most = precision.maximum if precision is not None else scenario.replications
    if most == 1:
        return ""
    points = scenario.points()
    return sameness(points, len(points))


def sameness(points: Sequence[Point], among: int) -> str:
    """Why the replications of points give the same, and what makes them differ; empty if they do.

    Args:
        points: of one scenario.
        among: how many points the scenario has.
    """
    same = [point for point in points if same_by_design(point.scenario)]
    if not same:
        return ""
    spread = max(_spread(point.scenario) for point in same)
    if spread:
        why = (
            f"nothing is random except the time when the TCP timers tick (clock.phase, within"
            f" {show(spread, TIME)}), so that replications differ very little"
        )
    else:
        why = "nothing is random, so that all replications give the same numbers"
    losses = "" if isinstance(same[0].scenario.topology, _OF_CELLS) else " or impairments of a link"
    where = _where(same, among)
    return (
        f'{where} {why}; for example start_spread = "1 s" in [workload]{losses} would change that'
    )


def _spread(scenario: Scenario) -> int:
    return scenario.clock.phase.spread_ps if has_random_ticks(scenario) else 0


def _where(points: Sequence[Point], among: int) -> str:
    if len(points) == among:
        return "in this scenario"
    more = f", and {len(points) - 1} more" if len(points) > 1 else ""
    return f"at {len(points)} of {counted(among, 'point')} ({points[0].as_written}{more})"


def _group(group: Group) -> bool:
    chooses = group.is_tcp and properties(group.sender_tcp.flavor)["is_random"]
    return chooses or _workload(workload_plan(group.workload, group.count))


def _workload(plan: Mapping[str, Any]) -> bool:
    return (
        plan["kind"] == "www_batches"
        or plan.get("start_spread_ps", 0) > 0
        or plan.get("arrivals", {}).get("kind") == "random"
        or any(_law(plan.get(name)) for name in ("sizes", "pause", "think", "on", "off"))
    )


def _law(plan: Mapping[str, Any] | None) -> bool:
    """Whether a law of times or sizes leaves a choice."""
    if plan is None:
        return False
    return plan["law"] in _RANDOM_LAWS or (
        plan["law"] == "uniform" and plan["min_ps"] < plan["max_ps"]
    )


def _link(plan: Mapping[str, Any]) -> bool:
    if plan["kind"] == "atm":
        return any(each["policy"]["name"] == _RANDOM_POLICY for each in plan["ports"]) or any(
            _cells(each["law"]) for each in plan["sources"]
        )
    if plan["kind"] != "packets":
        return False
    draw = plan["delay_draw"]
    return (
        bool(draw and draw["spread_ps"])
        or DISCIPLINES[plan["queue"]["name"]].is_random
        or any(map(_impairment, plan["impairments"]))
        or ("varies" in plan and _changes(plan["varies"]["how"]))
    )


def _changes(how: Mapping[str, Any]) -> bool:
    """Whether a link changes at random, or loses packets then; files and steps say what it does."""
    if how["kind"] == "steps":
        return any(step["loss_ppb"] for step in how["steps"])
    return how["kind"] in _RANDOM_PATHS


def _cells(law: Mapping[str, Any]) -> bool:
    if law["kind"] == "on_off":
        return _law(law["on"]) or _law(law["off"])
    return law["kind"] == "video" and law["cv_ppm"] > 0


def _impairment(plan: Mapping[str, Any]) -> bool:
    return any(plan[number] for number in _CHANCES.get(plan["kind"], ()))
