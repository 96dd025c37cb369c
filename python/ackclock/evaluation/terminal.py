"""What the suite shows on a terminal: how many numbers of each experiment are better or worse."""

from __future__ import annotations

from rich.console import Group

from ackclock.evaluation.comparison import COMPARISON, VERDICTS, counts
from ackclock.evaluation.report import summary
from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.terminal import averaged, plain_table


def render(result: StudyResult) -> Group:
    """A table of verdicts, and a sentence for each other TCP."""
    table = plain_table("experiment", "beside")
    for verdict in VERDICTS:
        table.add_column(verdict, justify="right")
    for (part, beside), its in counts(result.tables[COMPARISON]).items():
        table.add_row(part, beside, *(str(its[verdict]) for verdict in VERDICTS))
    return Group(f"{result.study.title} ({averaged(result)})\n", table, "", summary(result))
