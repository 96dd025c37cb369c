"""The runs of a campaign as frames: one row per run, per flow of a run, or per page of a flow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ackclock.errors import InputError
from ackclock.results.emulated import LATENESS, NUMBERS, VERDICTS, described_of, verdict_numbers
from ackclock.results.flows import FLOW_METRICS
from ackclock.results.rows import REPLICATION, SEED, check_names, facts_of, named_flows
from ackclock.scenario.compile.facts import MOST_FLOWS_KEPT

if TYPE_CHECKING:
    from ackclock.campaign import Campaign, Run
    from ackclock.results.records import Records


def metrics_frame(
    campaign: Campaign, factors: Sequence[str], metrics: Sequence[str]
) -> pd.DataFrame:
    """Columns: factors, replication, seed, metrics; one row per run, in the order of the design."""
    runs = campaign.runs
    columns = identifying(runs, factors)
    for name in metrics:
        columns[name] = np.array([run.row.get(name, nan) for run in runs])
    return pd.DataFrame(columns)


def flows_frame(campaign: Campaign, factors: Sequence[str]) -> pd.DataFrame:
    """Columns: factors, replication, seed, flow, group, ``FLOW_METRICS``; one row per run and flow.

    If any flow is a foreground flow, only foreground flows have a row.

    Raises:
        InputError: the rows of the runs have no values of single flows.
    """
    runs = [run for run in campaign.runs if "flows" in run.row]
    if len(runs) < len(campaign.runs):
        raise InputError(
            f"{campaign.folder}: the runs have more than {MOST_FLOWS_KEPT} flows, and single flows"
            " are not kept then; set foreground = true in the [[flows]] that matter and run it"
            ' again, or record [probes] goodput = "1 s" and use trace()'
        )
    by_point = {point: facts_of(campaign, point) for point in {run.point for run in runs}}
    facts = [by_point[run.point] for run in runs]
    kept = [named_flows(campaign, run) for run in runs]
    counts = [len(numbers) for numbers in kept]
    columns = {
        name: values.repeat(counts).reset_index(drop=True)
        for name, values in identifying(runs, factors).items()
    }
    for column, fact in (("flow", "flow_names"), ("group", "flow_groups")):
        columns[column] = _chained(
            [each[fact][number] for number in numbers]
            for each, numbers in zip(facts, kept, strict=True)
        )
    for name in FLOW_METRICS:
        # A metric that a campaign of an earlier version did not measure is nan.
        columns[name] = _chained(
            run.row["flows"].get(name, [nan] * count)
            for run, count in zip(runs, counts, strict=True)
        )
    return pd.DataFrame(columns)


def pages_frame(campaign: Campaign, factors: Sequence[str], records: Records) -> pd.DataFrame:
    """Columns: factors, replication, seed, those of ``Records.pages``; one row per page of a run.

    Only recorded runs have rows; points without clients of pages or files have none.

    Raises:
        InputError: nothing was recorded, or a factor has the name of another column.
    """
    runs = [run for run in campaign.runs if records.has("transfers", run.point, run.replication)]
    if not runs:
        # The message of a single run names the missing record.
        fetching = (run for run in campaign.runs if records.fetches_pages(run.point))
        run = next(fetching, campaign.runs[0])
        records.pages(run.point, run.replication)
    pages = [records.pages(run.point, run.replication) for run in runs]
    check_names(campaign, factors, pages[0].columns)
    counts = [len(each) for each in pages]
    columns = {
        name: values.repeat(counts).reset_index(drop=True)
        for name, values in identifying(runs, factors).items()
    }
    return pd.concat([pd.DataFrame(columns), pd.concat(pages, ignore_index=True)], axis=1)


def failures_frame(campaign: Campaign, factors: Sequence[str]) -> pd.DataFrame:
    """Columns: factors, replication, seed, reason; one row per run that has failed."""
    columns = identifying(campaign.failures, factors)
    columns["reason"] = pd.Series([failure.reason for failure in campaign.failures], dtype=str)
    return pd.DataFrame(columns)


def identifying(runs: Sequence[Run | Any], factors: Sequence[str]) -> dict[str, pd.Series]:
    """Return the columns that identify runs: factors, replication, seed."""
    columns = {name: pd.Series([run.levels.get(name) for run in runs]) for name in factors}
    columns[REPLICATION] = pd.Series([run.replication for run in runs], dtype=int)
    # If the scenario's seed is a factor, this column is the seed derived from it.
    columns["run_seed" if SEED in columns else SEED] = pd.Series(
        [run.seed for run in runs], dtype=np.uint64
    )
    return columns


def verdicts_of(runs: Sequence[Run]) -> pd.DataFrame:
    """One row per run; see ``verdict_numbers``. A simulated run has no verdict, and nan."""
    none = {"verdict": None, **dict.fromkeys(NUMBERS, nan)}
    described = [described_of(run.row) for run in runs]
    return pd.DataFrame([verdict_numbers(each) if each else none for each in described])


def verdicts_frame(runs: Sequence[Run], factors: Sequence[str]) -> pd.DataFrame:
    """Columns: factors, replication, seed, those of ``verdict_numbers``; one row per run."""
    return pd.DataFrame(identifying(runs, factors)).join(verdicts_of(runs))


def verdict_counts(verdicts: pd.DataFrame, points: Sequence[int]) -> pd.DataFrame:
    """Return the number of runs of each point by verdict; empty without verdicts.

    Args:
        verdicts: as ``verdicts_of`` returns them.
        points: number of the point of each run.
    """
    if verdicts.empty:
        return pd.DataFrame()
    by_point = verdicts.groupby(np.asarray(points), sort=False)
    counts = {
        each: by_point["verdict"].agg(lambda its, each=each: int((its == each).sum()))
        for each in VERDICTS
    }
    table = pd.DataFrame({**counts, LATENESS[0]: by_point[LATENESS[0]].median()})
    return table.reset_index(drop=True)


def _chained(parts: Iterable[Sequence[Any]]) -> list[Any]:
    return [value for part in parts for value in part]
