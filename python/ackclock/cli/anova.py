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
    out: Path | None = None,
) -> None:
    """Analyse the variation of a full factorial experiment in a CSV file.

    Args:
        file: A CSV file with a header line and one row per run.
        response: Column whose variation is analysed.
        factors: Columns of the factors, separated by commas.
        confidence: Confidence level of the intervals, a number between 0 and 1.
        interactions: Show the effects of the first-order interactions, too.
        out: Folder for all tables as CSV files, with all digits of the numbers.
    """
    from ackclock.cli.output import say
    from ackclock.cli.screen import Screen
    from ackclock.stats.anova_csv import anova_csv, render, write_tables

    names = [name.strip() for text in factors for name in text.split(",")]
    analysis = anova_csv(file, response, names, confidence)
    Screen().print(render(analysis, response, interactions=interactions))
    if out is not None:
        write_tables(analysis, out)
        say(f"Tables with all digits are in {out}")
