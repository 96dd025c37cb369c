"""The runs of a study: a campaign for each part, and one for what is recorded over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from ackclock import scenario
from ackclock.campaign import Campaign, OnProgress, run_campaign
from ackclock.campaign.worker import CORE
from ackclock.errors import InputError
from ackclock.studies.machinery import analysis
from ackclock.studies.machinery.levels import spelling
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.settings import main_scenario, scenario_of, scenarios
from ackclock.studies.machinery.study import Part

TRACES = "ackclock.results.traces:tables"
_MEASURED_ONLY = "ackclock.studies.machinery.measures:no_tables"
_PS_PER_S = 10**12
_BINS = 1000


class Execution(NamedTuple):
    """Where and how runs are made.

    Attributes:
        folder: of the study.
        jobs: number of runs at a time, by default one for each processor; no result depends on it.
        on_progress: called with each event of each campaign.
        core: what makes a run, "module:function".
        executor: where runs are made, see ``run_campaign``; no result depends on it.
    """

    folder: Path
    jobs: int | None = 1
    on_progress: OnProgress = lambda event: None
    core: str = CORE
    executor: str = "threads"


@dataclass(frozen=True)
class PartRuns:
    """The runs of a part, and the tables that follow from them.

    Attributes:
        part: which.
        scenario: its file, with what the request changed.
        runs: a row a run: the columns of its points, replication, seed, and what was measured.
    """

    part: Part
    scenario: scenario.Scenario
    runs: pd.DataFrame

    @cached_property
    def results(self) -> pd.DataFrame:
        """Means with intervals; see ``analysis.means_table``."""
        by = list(self.part.by or self.part.columns)
        return analysis.means_table(self.runs, by, self.part.metrics)

    def over(self, by: Sequence[str], metrics: Sequence[str]) -> pd.DataFrame:
        """Means over all points that share the levels of ``by``; see ``analysis.means_over``."""
        return analysis.means_over(self.runs, self.part.columns, by, metrics)

    @cached_property
    def analyses(self) -> analysis.Analyses:
        """The analysis of variation of the means; see ``analysis.analyses``."""
        return analysis.analyses(self.results, self.part.analysed)

    @property
    def allocation(self) -> pd.DataFrame:
        """What each factor explains; see ``analysis.allocation_table``."""
        return analysis.allocation_table(self.analyses, self.part.analysed)

    @property
    def effects(self) -> pd.DataFrame:
        """The main effects; see ``analysis.effects_table``."""
        return analysis.effects_table(self.analyses, self.part.analysed)


class Trace(NamedTuple):
    """One run recorded over time.

    Attributes:
        part: name of its part.
        point: its levels, a tuple of the part's points; the run is replication 0.
        end_s: simulated time.
        plan, facts: of the point; see ``ackclock.scenario``.
        tables: what was recorded; see ``ackclock.results.traces``.
    """

    part: str
    point: Any
    end_s: float
    plan: Mapping[str, Any]
    facts: scenario.Facts
    tables: Mapping[str, pd.DataFrame]


@dataclass(frozen=True)
class Runs:
    """All that was run for a request.

    Attributes:
        request: the request.
        scenario: the one that stands for the study; see ``settings.main_scenario``.
        parts: those that have runs, by name.
        traces: what was recorded over time.
        further: what the study runs besides.
    """

    request: Request
    scenario: scenario.Scenario
    parts: Mapping[str, PartRuns]
    traces: tuple[Trace, ...] = ()
    further: Any = None

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The runs of all parts, one after another; empty if there are none."""
        frames = [each.runs for each in self.parts.values()]
        return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()

    @cached_property
    def results(self) -> pd.DataFrame:
        """The means of all parts, one after another; empty if there are none."""
        frames = [each.results for each in self.parts.values()]
        return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """Means, runs and analysis of variation of each part; its name in front if it has others.

        A part that was not run has empty tables, so that its files of an earlier call go.
        """
        parts, found = self.request.study.parts, {}
        for part in parts:
            front = f"{part.name}-" if len(parts) > 1 else ""
            for table in ("results", "runs", "allocation", "effects"):
                found[f"{front}{table}"] = self.of(part.name, table)
        return found

    def of(self, part: str, table: str = "runs") -> pd.DataFrame:
        """A table of a part; empty if the part was not run."""
        return getattr(self.parts[part], table) if part in self.parts else pd.DataFrame()


def run_all(request: Request, how: Execution, *, alone: bool = False) -> Runs:
    """Run what the folder does not hold yet, and return all of it.

    Args:
        request: what to run.
        how: the runs are made.
        alone: whether nothing is recorded over time, nor run besides.

    Raises:
        InputError: settings make no sense, or runs have failed. KeyboardInterrupt: finished runs
            are kept.
    """
    study, main, chosen = request.study, main_scenario(request), chosen_points(request)
    parts: dict[str, PartRuns] = {}
    campaigns: list[Campaign] = []
    for name, points in chosen.items():
        if not points:
            continue
        part, its = study.part(name), scenario_of(study.part(name), request)
        runs = _run_part(part, its, points, request, how, campaigns)
        if study.derived:
            runs = study.derived(runs, request, main)
        parts[name] = PartRuns(part, its, runs)
    if alone:
        return Runs(request, main, parts)
    further = study.further(request, how) if study.further else None
    traces: list[Trace] = []
    for name in parts:
        traces += _recorded(study.part(name), chosen[name], request, how)
    return Runs(request, main, parts, tuple(traces), further)


def points_of(part: Part, its: scenario.Scenario, request: Request) -> dict[Any, scenario.Point]:
    """The points of a part that are run, by the study's named tuples for them."""
    there = {part.named(point.levels): point for point in its.points()}
    wanted = part.points if part.points is not None else there
    return {
        point: there[point]
        for point in wanted
        if request.has(part, point) and not part.left_out(point)
    }


def run_points(
    its: scenario.Scenario,
    points: Sequence[scenario.Point],
    folder: Path,
    how: Execution,
    *,
    measure: str,
    traces: str | None = None,
    replications: int = 1,
    others: Sequence[Campaign] = (),
) -> Campaign:
    """Run what a folder does not hold yet; what has failed in earlier calls is made again.

    Args:
        its: the scenario.
        points: those of its points that are to be run.
        folder: of the campaign.
        how: the runs are made.
        measure: "module:function" that makes a row of a run.
        traces: "module:function" that makes tables of what probes recorded; none records nothing.
        replications: of each point.
        others: campaigns that may have made the same runs; their rows are kept here too.

    Returns:
        The folder, with every run in the order of the points.

    Raises:
        InputError: the folder cannot be used, or runs have failed. KeyboardInterrupt: finished runs
            are kept.
    """
    run_campaign(
        its,
        folder,
        measure=measure,
        traces=traces,
        core=how.core,
        text=its.text,
        sets=its.sets,
        points=points,
        replications=replications,
        executor=how.executor,
        jobs=how.jobs,
        retry_failed=True,
        others=others,
        on_progress=how.on_progress,
    )
    campaign = Campaign.open(folder)
    reasons = list(dict.fromkeys(failure.reason for failure in campaign.failures))
    if reasons:
        raise InputError([f"runs of the study have failed: {reason}" for reason in reasons])
    return campaign


def _run_part(
    part: Part,
    its: scenario.Scenario,
    points: Mapping[Any, scenario.Point],
    request: Request,
    how: Execution,
    campaigns: list[Campaign],
) -> pd.DataFrame:
    """The rows of a part, in the order of its points; a run of an earlier part is not made again.

    Points that are run less often have a campaign of their own.
    """
    folder = how.folder / (part.name if part.folder is None else part.folder)
    campaign_of: dict[Path, list[Any]] = {}
    for point in points:
        few = part.fewer if part.fewer and part.fewer.is_one(point) else None
        campaign_of.setdefault(folder / few.folder if few else folder, []).append(point)
    rows: dict[Any, list[dict[str, Any]]] = {point: [] for point in points}
    for place, names in sorted(campaign_of.items()):
        campaign = run_points(
            its,
            [points[name] for name in names],
            place,
            how,
            measure=part.measure,
            traces=_MEASURED_ONLY if part.probed else None,
            replications=part.replications(names[0], request.replications),
            others=campaigns,
        )
        campaigns.append(campaign)
        for run in campaign.runs:
            name = names[run.point]
            numbers = {"replication": run.replication, "seed": run.seed}
            rows[name].append({**name._asdict(), **numbers, **run.row})
    return pd.DataFrame([row for each in rows.values() for row in each])


def _recorded(
    part: Part, points: Mapping[Any, scenario.Point], request: Request, how: Execution
) -> list[Trace]:
    """What a part has recorded over time."""
    watch = part.watch
    names = watch.choose(list(points)) if watch else ()
    if not watch or not names:
        return []
    its = scenario_of(part, request, watch.probes(scenario_of(part, request)))
    there = points_of(part, its, request)
    chosen = [there[name] for name in names]
    # Recording is quick, and its progress would hide that of the runs.
    quiet = how._replace(on_progress=lambda event: None)
    campaign = run_points(
        its, chosen, how.folder / watch.folder, quiet, measure=part.measure, traces=TRACES
    )
    found = []
    for name, point, run in zip(names, chosen, campaign.runs, strict=True):
        compiled = point.compile()
        tables = {table: its.frame() for table, its in run.traces.items()}
        end_s = point.scenario.duration / _PS_PER_S
        found.append(Trace(part.name, name, end_s, compiled.plan, compiled.facts, tables))
    return found


def bin_of(its: scenario.Scenario) -> str:
    """The bin of a probe that gives a picture a thousand points: "5000000000 ps"."""
    return f"{max(its.duration // _BINS, 1)} ps"


def chosen_points(request: Request) -> dict[str, dict[Any, scenario.Point]]:
    """The points that are run, by part; a part may have none.

    Raises:
        InputError: settings make no sense, or no part has a point with the chosen levels.
    """
    study = request.study
    found = {
        name: points_of(study.part(name), its, request) for name, its in scenarios(request).items()
    }
    if found and not any(found.values()):
        raise InputError(_no_point(study.part(next(iter(found))), request))
    return found


def _no_point(part: Part, request: Request) -> str:
    """Which levels were chosen that no part has together, and which a part has."""
    given, there = [], []
    everything = points_of(part, scenario_of(part, request), Request(request.study))
    for choice in request.study.choices:
        chosen = request.chosen(choice.option)
        if chosen != choice.levels:
            given.append(f"--{choice.option} {','.join(map(spelling, chosen))}")
        if choice.column not in part.columns or choice.column in part.fixed:
            continue
        levels = {getattr(point, choice.column): None for point in everything}
        if not set(levels) & set(chosen):
            there.append(f"--{choice.option} {','.join(map(spelling, levels))}")
    name = f"the part {part.name}" if len(request.study.parts) > 1 else "the study"
    return f"{' '.join(given)}: there is no such point; {name} has {' '.join(there)}"
