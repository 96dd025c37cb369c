"""Sentences about a result."""

from __future__ import annotations

import pandas as pd

from ackclock.report.numbers import counted, fixed
from ackclock.studies.ubr_web.analysis import METRICS, mean_absolute_errors
from ackclock.studies.ubr_web.result import UbrWebResult


def summary(result: UbrWebResult) -> str:
    """How many claims hold, and how far the results are from the published ones."""
    holds = result.claims["holds"].value_counts()
    held, failed, open_ = (int(holds.get(verdict, 0)) for verdict in ("true", "false", ""))
    number = f"the paper's {counted(len(result.claims), 'claim')}"
    because = "because levels that they speak of were not run"
    if held + failed == 0:
        verdicts = f"None of {number} can be decided, {because}."
    else:
        verdicts = f"{held} of {number} hold; {failed} {'fails' if failed == 1 else 'fail'}"
        verdicts += f" and {open_} cannot be decided, {because}." if open_ else "."
    return f"{verdicts} {_errors(result)}"


def provenance(result: UbrWebResult, link: str | None = None) -> str:
    """What produced the numbers of a figure.

    Args:
        result: of the study.
        link: of which the figure tells; all of them if none.
    """
    runs = result.runs if link is None else result.runs[result.runs["link"] == link]
    points = len(runs) // result.replications
    if result.replications == 1:
        made = f"{counted(len(runs), 'run')}, one of each combination"
    else:
        made = (
            f"{counted(len(runs), 'run')}, {result.replications} replications of "
            f"{counted(points, 'combination')}"
        )
    return f"Simulated: {made}, base seed {result.seed}, ackclock {result.version}."


def means(result: UbrWebResult) -> str:
    """What a simulated value is."""
    if result.replications == 1:
        return "one run, so that there is no interval"
    return f"mean of n = {result.replications} replications ± half of its 95\u00a0% interval"


def per_run(result: UbrWebResult) -> str:
    """What a diagnostic value is."""
    if result.replications == 1:
        return "one run of each combination"
    return f"means of {result.replications} runs of each combination"


def inside(compared: pd.DataFrame) -> pd.Series:
    """Whether each published value lies inside the simulated interval; missing if there is none."""
    known = compared["lo"].notna() & compared["hi"].notna()
    within = compared["published"].between(compared["lo"], compared["hi"])
    return within.astype(object).where(known, None)


def seed_words(result: UbrWebResult) -> dict[str, str]:
    """The text that is hashed for the seed of the first replication, and that seed."""
    first = result.runs[result.runs["replication"] == 0]["seed"].iloc[0]
    return {"text": f"ackclock/{result.seed}/0", "first": str(first)}


def _errors(result: UbrWebResult) -> str:
    errors = mean_absolute_errors(result.comparison)
    parts = [
        f"on {link} " + " and ".join(f"{fixed(row[metric])} in {metric}" for metric in METRICS)
        for link, row in errors.iterrows()
    ]
    return f"The mean absolute difference from the published results is {'; '.join(parts)}."
