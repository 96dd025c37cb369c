"""Sentences about a result, the same for every study."""

from __future__ import annotations

import pandas as pd

from ackclock.campaign.identity import replication_seed
from ackclock.plurals import counted, listed
from ackclock.studies.machinery.claims import EXPLORATORY
from ackclock.studies.machinery.draws import Draws
from ackclock.studies.machinery.reproduce import StudyResult

DECISIVE = 30
"""Replications with which ``make validate`` runs the studies."""


def verdicts(result: StudyResult, noun: str = "claim", runs: str = "") -> str:
    """How many claims hold, and whether the runs are enough to decide the others.

    Args:
        result: of a study.
        noun: what claims are called.
        runs: with how many runs they hold, in words.
    """
    claims, study = result.claims, result.study
    count = claims["holds"].value_counts()
    held, failed, open_, missing, explored = (
        int(count.get(its, 0)) for its in ("true", "false", "undecided", "", EXPLORATORY)
    )
    deciding = len(claims) - explored
    number = f"{study.whose} {counted(deciding, noun)}"
    if missing == deciding:
        return f"None of {number} can be decided without {study.missing}."
    parts = [
        f"{held} of {number} {'holds' if held == 1 else 'hold'}{runs and f' with {runs}'}",
        f"{failed} {'fails' if failed == 1 else 'fail'}",
        *([f"{open_} {'is' if open_ == 1 else 'are'} undecided"] if open_ else []),
    ]
    described = listed(parts)
    if open_ and result.replications < DECISIVE:
        described += f"; --replications {DECISIVE} decides more"
    if missing:
        described += f". {missing} cannot be decided without {study.missing}"
    if explored:
        described += f". {explored} more {'is' if explored == 1 else 'are'} exploratory"
    return f"{described}."


def how_decided(result: StudyResult, source: str) -> list[str]:
    """How verdicts follow from the runs of a study, in sentences; source: "paper", "RFC"."""
    sentences = [
        "A verdict follows from all replications. A claim compares numbers: it holds or fails if "
        "the 95\u00a0% interval of each difference that matters excludes 0. Otherwise it is "
        "undecided. p is the two-sided p-value of the comparison that is least sure.",
        "“Similar” asks for an equivalence: the 90\u00a0% interval of the difference lies within "
        "a stated resolution. So more replications never undo it, and few never give it.",
    ]
    if (result.claims["holds"] == EXPLORATORY).any():
        sentences.append(
            f"An exploratory claim has a number that we did not find in the {source} itself. It is "
            "tested and shown, but it counts neither as holding nor as failing."
        )
    if not result.claims["reached"].isna().all():
        sentences.append(
            f"For the {source} every combination was run once. We drew {Draws().tables:,} tables "
            "from our runs, each with one run of every combination. “Reached by 35\u00a0%” means: "
            f"so many of them lead to the conclusion by the procedure of the {source}."
        )
    return sentences


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
    """Whether each published value lies where one of our runs may; missing if there is no interval.

    Args:
        compared: columns published, run_lo, run_hi.
    """
    known = compared["run_lo"].notna() & compared["run_hi"].notna()
    within = compared["published"].between(compared["run_lo"], compared["run_hi"])
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
    return (
        " The published value is one run: ● it lies in the 95\u00a0% prediction interval of one of"
        " ours, ○ outside."
    )


def one_run(result: StudyResult) -> str:
    """What produced the numbers of a figure of one run over time."""
    seed = seed_words(result)["first"]
    return f"Simulated: replication 0 of this combination, seed {seed}, ackclock {result.version}."
