"""Sentences about a result, the same for every study."""

from __future__ import annotations

import pandas as pd

from ackclock.campaign.identity import replication_seed
from ackclock.plurals import counted
from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.terminal import DECISIVE


def verdicts(result: StudyResult) -> str:
    """How many claims hold, and whether the runs are enough to decide them."""
    claims, study = result.claims, result.study
    holds = claims["holds"].value_counts()
    held, failed, open_ = (int(holds.get(verdict, 0)) for verdict in ("true", "false", ""))
    number = f"{study.whose} {counted(len(claims), 'claim')}"
    without = f"without {study.missing}"
    if held + failed == 0:
        return f"None of {number} can be decided {without}."
    described = f"{held} of {number} hold"
    if result.replications == 1:
        described += (
            f" with one run a cell and {failed} {'does' if failed == 1 else 'do'} not: one run"
            f" decides none of them, --replications {DECISIVE} does"
        )
        return f"{described}. {open_} cannot be decided {without}." if open_ else f"{described}."
    described += f"; {failed} {'fails' if failed == 1 else 'fail'}"
    return described + (f" and {open_} cannot be decided {without}." if open_ else ".")


def provenance(result: StudyResult, runs: pd.DataFrame | None = None) -> str:
    """What produced the numbers of a figure.

    Args:
        result: of a study.
        runs: those that the figure shows; all of them if none.
    """
    runs = result.runs if runs is None else runs
    points = len(runs) // result.replications
    if result.replications == 1:
        made = f"{counted(len(runs), 'run')}, one of each combination"
    else:
        made = (
            f"{counted(len(runs), 'run')}, {result.replications} replications of "
            f"{counted(points, 'combination')}"
        )
    return f"Simulated: {made}, base seed {result.seed}, ackclock {result.version}."


def means(result: StudyResult) -> str:
    """What a simulated value is."""
    if result.replications == 1:
        return "one run, without an interval"
    return f"mean of n = {result.replications} replications ± half of its 95\u00a0% interval"


def per_run(result: StudyResult) -> str:
    """What a diagnostic value is."""
    if result.replications == 1:
        return "one run of each combination"
    return f"means of {result.replications} runs of each combination"


def inside(compared: pd.DataFrame) -> pd.Series:
    """Whether each published value lies inside the simulated interval; missing if there is none.

    Args:
        compared: columns published, lo, hi.
    """
    known = compared["lo"].notna() & compared["hi"].notna()
    within = compared["published"].between(compared["lo"], compared["hi"])
    return within.astype(object).where(known, None)


def seed_words(result: StudyResult) -> dict[str, str]:
    """The text that is hashed for the seed of the first replication, and that seed."""
    return {"text": f"ackclock/{result.seed}/0", "first": str(replication_seed(result.seed, 0))}


def bars(result: StudyResult) -> str:
    """What the bars of a figure are; nothing where there are none."""
    return " Bars: 95\u00a0% intervals of the means." if result.replications > 1 else ""


def marks(result: StudyResult) -> str:
    """What the marks of ``tables.pair`` are; nothing where there are none."""
    if result.replications == 1:
        return ""
    return " ● the published value lies inside the interval, ○ outside."


def one_run(result: StudyResult) -> str:
    """What produced the numbers of a figure of one run over time."""
    seed = seed_words(result)["first"]
    return f"Simulated: replication 0 of this combination, seed {seed}, ackclock {result.version}."
