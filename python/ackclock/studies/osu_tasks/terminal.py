"""The study's tables for a terminal of 80 columns."""

from __future__ import annotations

from math import isfinite, nan

import pandas as pd
from rich.console import RenderableType
from rich.markup import escape

from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.running import PartRuns
from ackclock.studies.machinery.terminal import plain_table
from ackclock.terminal import TerminalTable

_UNKNOWN = "-"
_VERDICTS = {"true": "holds", "false": "[bold]does not[/bold]", "undecided": "undecided"}


def terminal(result: StudyResult) -> list[RenderableType]:
    """What explains efficiency and fairness, the smallest buffers, and which conclusions hold."""
    shown: list[RenderableType] = []
    for its in result.parts.values():
        if len(its.allocation):
            shown += [
                f"Task {its.part.task}: variation explained, % ({_averaged(its)})\n",
                allocation_table(its),
                "",
            ]
    smallest = result.tables["buffers-smallest"]
    if len(smallest):
        shown += ["Task 3: smallest buffer for 98 % efficiency\n", _smallest(smallest), ""]
    decided = result.claims[result.claims["holds"] != ""]
    if len(decided):
        shown += ["Conclusions\n", _claims(decided), ""]
    return shown


def allocation_table(its: PartRuns) -> TerminalTable:
    """A row a link or kind of traffic and metric; a column a factor, empty if it has one level."""
    assert its.part.analysed is not None
    analysed = its.part.analysed
    table = plain_table(analysed.by, "metric")
    shown = (*analysed.factors, "error")
    for component in shown:
        table.add_column(component.replace("_", "\n"), justify="right")
    for (level, metric), rows in its.allocation.groupby([analysed.by, "metric"], sort=False):
        percent = rows.set_index("component")["percent"]
        table.add_row(str(level), metric, *(_number(percent.get(name, nan), 1) for name in shown))
    return table


def _averaged(its: PartRuns) -> str:
    """What a value of the analysis is: points with many sources may have fewer replications."""
    numbers = sorted(set(its.results["n"]), reverse=True)
    if numbers == [1]:
        return "one replication"
    return f"mean of {' or '.join(map(str, numbers))} replications"


def _smallest(smallest: pd.DataFrame) -> TerminalTable:
    table = plain_table("link", "policy", "sources", "RTT", "efficiency, %", "runs", "", keys=3)
    for row in smallest.itertuples(index=False):
        mean = _number(row.smallest_mean_pct, 2)
        if mean != _UNKNOWN:
            mean += f" ± {_number(row.smallest_half_width_pct, 2)}"
        table.add_row(
            row.link,
            row.drop_policy,
            str(row.sources),
            _number(row.smallest_rtt, 3),
            mean,
            str(row.runs),
            row.status,
        )
    return table


def _claims(claims: pd.DataFrame) -> TerminalTable:
    table = plain_table("task", "")
    table.add_column(prose=True)
    for row in claims.itertuples(index=False):
        table.add_row(row.source, _VERDICTS[row.holds], escape(row.statement))
    return table


def _number(value: float, decimals: int) -> str:
    return f"{value:.{decimals}f}" if isfinite(value) else _UNKNOWN
