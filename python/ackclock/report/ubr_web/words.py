"""Sentences about a result."""

from __future__ import annotations

from ackclock.report import words
from ackclock.report.numbers import fixed
from ackclock.studies.ubr_web.analysis import METRICS, mean_absolute_errors
from ackclock.studies.ubr_web.result import UbrWebResult


def summary(result: UbrWebResult) -> str:
    """How many claims hold, and how far the results are from the published ones."""
    errors = mean_absolute_errors(result.comparison)
    parts = [
        f"on {link} " + " and ".join(f"{fixed(row[metric])} in {metric}" for metric in METRICS)
        for link, row in errors.iterrows()
    ]
    return (
        f"{words.verdicts(result, 'levels that they speak of')} "
        f"The mean absolute difference from the published results is {'; '.join(parts)}."
    )


def provenance(result: UbrWebResult, link: str) -> str:
    """What produced the numbers of a figure about a link."""
    return words.provenance(result, result.runs[result.runs["link"] == link])
