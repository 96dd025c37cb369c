"""The runs of a study: a campaign for each part, and one for what is recorded over time.

All campaigns are one queue of runs, so that no processor waits for the end of a part.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from ackclock import scenario
from ackclock.campaign import Campaign, CampaignRequest, OnProgress, run_campaigns
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
        on_progress: called with each event; its numbers are of all campaigns together.
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
    asked = []
    for name, points in chosen.items():
        part = study.part(name)
        asked += _asked_of(part, points, request, how)
        if not alone:
            asked += _recordings_of(part, points, request, how)
    campaigns = make([each.campaign for each in asked], how)
    rows: dict[str, _Rows] = {}
    traces: list[Trace] = []
    for each, campaign in zip(asked, campaigns, strict=True):
        if each.is_recorded:
            traces += _traces(each, campaign)
        else:
            _collect(each, campaign, rows.setdefault(each.part.name, {}))
    parts = {}
    for name, its in rows.items():
        part = study.part(name)
        runs = pd.DataFrame([row for point in chosen[name] for row in its[point]])
        if study.derived:
            runs = study.derived(runs, request, main)
        parts[name] = PartRuns(part, scenario_of(part, request), runs)
    further = study.further(request, how) if study.further and not alone else None
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


def campaign_of(
    its: scenario.Scenario,
    points: Sequence[scenario.Point],
    folder: Path,
    how: Execution,
    *,
    measure: str,
    traces: str | None = None,
    replications: int = 1,
) -> CampaignRequest:
    """What is missing of some points in a folder; what has failed in earlier calls is made again.

    Args:
        its: the scenario.
        points: those of its points that are to be run.
        folder: of the campaign.
        how: the runs are made.
        measure: "module:function" that makes a row of a run.
        traces: "module:function" that makes tables of what probes recorded; none records nothing.
        replications: of each point.
    """
    return CampaignRequest(
        its,
        folder,
        measure,
        traces,
        core=how.core,
        text=its.text,
        sets=its.sets,
        points=points,
        replications=replications,
        retry_failed=True,
    )


def make(requests: Sequence[CampaignRequest], how: Execution) -> list[Campaign]:
    """Make the runs of campaigns that their folders do not hold yet, as one queue.

    Returns:
        The folders, each with every run in the order of its points.

    Raises:
        InputError: a folder cannot be used, or runs have failed. KeyboardInterrupt: finished runs
            are kept.
    """
    run_campaigns(requests, executor=how.executor, jobs=how.jobs, on_progress=how.on_progress)
    campaigns = [Campaign.open(each.folder) for each in requests]
    reasons = dict.fromkeys(
        failure.reason for campaign in campaigns for failure in campaign.failures
    )
    if reasons:
        raise InputError([f"runs of the study have failed: {reason}" for reason in reasons])
    return campaigns


class _Asked(NamedTuple):
    """A campaign of a study.

    Attributes:
        part: whose points.
        names: of its points, the study's named tuples.
        campaign: the campaign.
        is_recorded: whether it records runs over time; if not, it gives rows.
    """

    part: Part
    names: Sequence[Any]
    campaign: CampaignRequest
    is_recorded: bool = False


_Rows = dict[Any, list[dict[str, Any]]]
"""The rows of a part, by the named tuples of its points."""


def _asked_of(
    part: Part, points: Mapping[Any, scenario.Point], request: Request, how: Execution
) -> list[_Asked]:
    """The campaigns of a part; points that are run less often have one of their own."""
    its = scenario_of(part, request)
    folder = how.folder / (part.name if part.folder is None else part.folder)
    names_in: dict[Path, list[Any]] = {}
    for point in points:
        few = part.fewer if part.fewer and part.fewer.is_one(point) else None
        names_in.setdefault(folder / few.folder if few else folder, []).append(point)
    found = []
    for place, names in sorted(names_in.items()):
        campaign = campaign_of(
            its,
            [points[name] for name in names],
            place,
            how,
            measure=part.measure,
            traces=_MEASURED_ONLY if part.probed else None,
            replications=part.replications(names[0], request.replications),
        )
        found.append(_Asked(part, names, campaign))
    return found


def _recordings_of(
    part: Part, points: Mapping[Any, scenario.Point], request: Request, how: Execution
) -> list[_Asked]:
    """The campaign of what a part records over time, if it records anything."""
    watch = part.watch
    names = watch.choose(list(points)) if watch and points else ()
    if not watch or not names:
        return []
    its = scenario_of(part, request, watch.probes(scenario_of(part, request)))
    there = points_of(part, its, request)
    chosen = [there[name] for name in names]
    folder = how.folder / watch.folder
    campaign = campaign_of(its, chosen, folder, how, measure=part.measure, traces=TRACES)
    return [_Asked(part, names, campaign, is_recorded=True)]


def _collect(asked: _Asked, campaign: Campaign, rows: _Rows) -> None:
    """Add the rows of a campaign to those of its part."""
    for run in campaign.runs:
        name = asked.names[run.point]
        numbers = {"replication": run.replication, "seed": run.seed}
        rows.setdefault(name, []).append({**name._asdict(), **numbers, **run.row})


def _traces(asked: _Asked, campaign: Campaign) -> Iterator[Trace]:
    """What a campaign has recorded over time."""
    points = asked.campaign.points or ()
    for name, point, run in zip(asked.names, points, campaign.runs, strict=True):
        compiled = point.compile()
        tables = {table: its.frame() for table, its in run.traces.items()}
        end_s = point.scenario.duration / _PS_PER_S
        yield Trace(asked.part.name, name, end_s, compiled.plan, compiled.facts, tables)


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
