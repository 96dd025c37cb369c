"""``ackclock anova``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from ackclock.cli.options import Several


def anova(
    file: Path,
    /,
    *,
    response: str,
    factors: Several,
    confidence: float = 0.90,
    interactions: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """Analyse the variation of a full factorial experiment in a CSV file.

    Args:
        file: A CSV file with a header line and one row per run.
        response: Column whose variation is analysed.
        factors: Columns of the factors, separated by commas.
        confidence: Confidence level of the intervals, a number between 0 and 1.
        interactions: Show the effects of the first-order interactions, too.
    """
    from ackclock.cli.screen import Screen
    from ackclock.stats.anova_csv import anova_csv, render

    names = [name.strip() for text in factors for name in text.split(",")]
    analysis = anova_csv(file, response, names, confidence)
    Screen().print(render(analysis, response, interactions=interactions))
