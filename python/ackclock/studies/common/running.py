"""The runs of some points of a study, in a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from ackclock import scenario
from ackclock.campaign import Campaign, OnProgress, run_campaign
from ackclock.campaign.worker import CORE
from ackclock.errors import InputError
from ackclock.studies.common.result import Request


def run_points(
    its: scenario.Scenario,
    points: Sequence[scenario.Point],
    folder: Path,
    *,
    measure: str,
    traces: str | None = None,
    replications: int = 1,
    jobs: int,
    on_progress: OnProgress = lambda event: None,
    core: str = CORE,
    others: Sequence[Campaign] = (),
) -> Campaign:
    """Run what the folder does not hold yet; what has failed in earlier calls is made again.

    Args:
        its: the study's scenario.
        points: those of its points that are to be run.
        folder: of the campaign.
        measure: "module:function" that makes a row of a run.
        traces: "module:function" that makes tables of what probes recorded; none records nothing.
        replications: of each point.
        jobs: number of threads; no result depends on it.
        on_progress: called with each event of the campaign.
        core: what makes a run, "module:function".
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
        core=core,
        text=its.text,
        sets=its.sets,
        points=points,
        replications=replications,
        jobs=jobs,
        retry_failed=True,
        others=others,
        on_progress=on_progress,
    )
    campaign = Campaign.open(folder)
    reasons = list(dict.fromkeys(failure.reason for failure in campaign.failures))
    if reasons:
        raise InputError([f"runs of the study have failed: {reason}" for reason in reasons])
    return campaign


def run_parts(
    parts: Mapping[str, tuple[scenario.Scenario, Mapping[Any, scenario.Point]]],
    request: Request,
    folder: Path,
    *,
    measure: str,
    jobs: int,
    on_progress: OnProgress,
    core: str = CORE,
) -> pd.DataFrame:
    """The runs of a study in parts: a campaign for each, in a folder named by it.

    A run that is in several parts is made once; each of their folders keeps it.

    Args:
        parts: by name; the scenario, and its points that are to be run by the named tuples of the
            study for them. A part without points is left out.
        request: the request.
        folder: in which the folders of the parts are.
        measure: "module:function" that makes a row of a run.
        jobs: number of threads; no result depends on it.
        on_progress: called with each event of each campaign.
        core: what makes a run, "module:function".

    Returns:
        A row a run: the fields of its point, replication, seed and what was measured; part by
        part, in the order of the points.

    Raises:
        InputError: a folder cannot be used, or runs have failed. KeyboardInterrupt: finished runs
            are kept.
    """
    rows = []
    campaigns: list[Campaign] = []
    for part, (its, chosen) in parts.items():
        if not chosen:
            continue
        campaign = run_points(
            its,
            list(chosen.values()),
            folder / part,
            measure=measure,
            replications=request.replications,
            jobs=jobs,
            on_progress=on_progress,
            core=core,
            others=campaigns,
        )
        campaigns.append(campaign)
        names = list(chosen)
        rows += [
            {
                **names[run.point]._asdict(),
                "replication": run.replication,
                "seed": run.seed,
                **run.row,
            }
            for run in campaign.runs
        ]
    return pd.DataFrame(rows)
