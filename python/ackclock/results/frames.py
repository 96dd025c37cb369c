"""The runs of a campaign as frames: a row a run, a row a flow of a run, a row a page of a flow."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ackclock.errors import InputError
from ackclock.plurals import counted
from ackclock.results.emulated import COLUMNS, is_emulated, run_name
from ackclock.results.flows import FLOW_METRICS
from ackclock.results.metrics import METRICS
from ackclock.scenario.compile.facts import MOST_FLOWS_KEPT, kept_flows

if TYPE_CHECKING:
    from ackclock.campaign import Campaign, Run
    from ackclock.results.records import Records

REPLICATION, SEED = "replication", "seed"


def metrics_of(campaign: Campaign) -> tuple[str, ...]:
    """What was measured: ``METRICS`` first; a study may measure something else."""
    if not campaign.runs:
        return tuple(METRICS)
    # Most rows have the same columns, and one of each kind is enough.
    rows = {tuple(run.row): run.row for run in campaign.runs}.values()
    numbers = dict.fromkeys(
        name for row in rows for name, value in row.items() if isinstance(value, int | float)
    )
    return tuple(sorted(numbers, key=lambda name: [*METRICS, name].index(name)))


def factors_of(campaign: Campaign, metrics: Sequence[str]) -> tuple[str, ...]:
    """The columns of the factors, in the order of the sweep.

    Raises:
        InputError: a factor's column has the name of another column.
    """
    factors = tuple(
        dict.fromkeys(name for point in campaign.design.points for name in point.levels)
    )
    own = {*metrics, *FLOW_METRICS, REPLICATION, "flow", "group"}
    _check_names(campaign, factors, own | set(COLUMNS) if is_emulated(campaign) else own)
    return factors


def metrics_frame(
    campaign: Campaign, factors: Sequence[str], metrics: Sequence[str]
) -> pd.DataFrame:
    """Columns: factors, replication, seed, metrics; a row a run, in the order of the design."""
    runs = campaign.runs
    columns = identifying(runs, factors)
    for name in metrics:
        columns[name] = np.array([run.row.get(name, nan) for run in runs])
    return pd.DataFrame(columns)


def flows_frame(campaign: Campaign, factors: Sequence[str]) -> pd.DataFrame:
    """Columns: factors, replication, seed, flow, group, ``FLOW_METRICS``; a row a flow of a run.

    Where a flow is foreground, only such flows have a row.

    Raises:
        InputError: the rows of the runs say nothing about single flows.
    """
    runs = [run for run in campaign.runs if "flows" in run.row]
    if len(runs) < len(campaign.runs):
        raise InputError(
            f"{campaign.folder}: the runs have more than {MOST_FLOWS_KEPT} flows, and single flows"
            " are not kept then; set foreground = true in the [[flows]] that matter and run it"
            ' again, or record [probes] goodput = "1 s" and use trace()'
        )
    facts = [campaign.design.facts[campaign.design.points[run.point].facts] for run in runs]
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
        # What a campaign of an earlier version did not measure is nan.
        columns[name] = _chained(
            run.row["flows"].get(name, [nan] * count)
            for run, count in zip(runs, counts, strict=True)
        )
    return pd.DataFrame(columns)


def named_flows(campaign: Campaign, run: Run) -> list[int]:
    """Numbers of the flows that "flows" in the row of a run describes one by one.

    Raises:
        InputError: it describes another number of flows.
    """
    facts = campaign.design.facts[campaign.design.points[run.point].facts]
    # A campaign of an earlier version knew no foreground.
    kept = kept_flows(facts.get("foreground", ()), len(facts["flow_names"]))
    if any(len(its) != len(kept) for its in run.row["flows"].values()):
        raise InputError(
            f"{campaign.folder}: the row of {run_name(run)} is not of its"
            f" {counted(len(kept), 'flow')}; remove the journal's line and give the command that"
            " made the runs again"
        )
    return kept


def pages_frame(campaign: Campaign, factors: Sequence[str], records: Records) -> pd.DataFrame:
    """Columns: factors, replication, seed, those of ``Records.pages``; a row a page of a run.

    Only of the runs that were recorded; points without clients of pages or files have no row.

    Raises:
        InputError: nothing was recorded, or a factor has the name of another column.
    """
    runs = [run for run in campaign.runs if records.has("transfers", run.point, run.replication)]
    if not runs:
        # The message is that of a run: it says what is missing.
        fetching = (run for run in campaign.runs if records.fetches_pages(run.point))
        run = next(fetching, campaign.runs[0])
        records.pages(run.point, run.replication)
    pages = [records.pages(run.point, run.replication) for run in runs]
    _check_names(campaign, factors, pages[0].columns)
    counts = [len(each) for each in pages]
    columns = {
        name: values.repeat(counts).reset_index(drop=True)
        for name, values in identifying(runs, factors).items()
    }
    return pd.concat([pd.DataFrame(columns), pd.concat(pages, ignore_index=True)], axis=1)


def failures_frame(campaign: Campaign, factors: Sequence[str]) -> pd.DataFrame:
    """Columns: factors, replication, seed, reason; a row a run that has failed."""
    columns = identifying(campaign.failures, factors)
    columns["reason"] = pd.Series([failure.reason for failure in campaign.failures], dtype=str)
    return pd.DataFrame(columns)


def _check_names(campaign: Campaign, factors: Sequence[str], own: Collection[str]) -> None:
    taken = [name for name in factors if name in own]
    if taken:
        raise InputError(
            f"{campaign.folder}: the factor {name} has the name of a column of the results; give it"
            " another name in the scenario and run it again: the runs are kept"
            for name in taken
        )


def identifying(runs: Sequence[Run | Any], factors: Sequence[str]) -> dict[str, pd.Series]:
    """Columns that identify runs: factors, replication, seed."""
    columns = {name: pd.Series([run.levels.get(name) for run in runs]) for name in factors}
    columns[REPLICATION] = pd.Series([run.replication for run in runs], dtype=int)
    # Where the scenario's seed is a factor, this is the one that was made of it.
    columns["run_seed" if SEED in columns else SEED] = pd.Series(
        [run.seed for run in runs], dtype=np.uint64
    )
    return columns


def _chained(parts: Iterable[Sequence[Any]]) -> list[Any]:
    return [value for part in parts for value in part]
