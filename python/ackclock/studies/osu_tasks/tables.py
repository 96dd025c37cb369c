"""The study's tables for a terminal of 80 columns."""

from __future__ import annotations

from math import isfinite, nan

import pandas as pd
from rich.console import Group, RenderableType
from rich.markup import escape

from ackclock.studies.common.tables import claims_line, plain_table
from ackclock.studies.osu_tasks.result import OsuTasksResult, PartResult
from ackclock.terminal import TerminalTable

_UNKNOWN = "-"
_VERDICTS = {"true": "holds", "false": "[bold]does not[/bold]"}


def render(result: OsuTasksResult) -> Group:
    """What explains efficiency and fairness, the smallest buffers, and which conclusions hold."""
    described: list[RenderableType] = []
    for each in result.parts.values():
        if len(each.allocation):
            described += [
                f"Task {each.part.task}: variation explained, % ({_averaged(each)})\n",
                allocation_table(each),
                "",
            ]
    if len(result.smallest):
        described += [
            "Task 3: smallest buffer for 98 % efficiency\n",
            _smallest(result.smallest),
            "",
        ]
    decided = result.claims[result.claims["holds"] != ""]
    if len(decided):
        described += ["Conclusions\n", _claims(decided), ""]
    missing = "parts or replications that were not run"
    return Group(*described, claims_line(result, missing, "the programme's"))


def allocation_table(result: PartResult) -> TerminalTable:
    """A row a link or kind of traffic and metric; a column a factor, empty if it has one level."""
    assert result.part.analysed is not None
    its = result.part.analysed
    table = plain_table(its.by, "metric")
    shown = (*its.factors, "error")
    for component in shown:
        table.add_column(component.replace("_", "\n"), justify="right")
    for (level, metric), rows in result.allocation.groupby([its.by, "metric"], sort=False):
        percent = rows.set_index("component")["percent"]
        table.add_row(str(level), metric, *(_number(percent.get(name, nan), 1) for name in shown))
    return table


def _averaged(part: PartResult) -> str:
    """What a value of the analysis is: points with many sources may have fewer replications."""
    numbers = sorted(set(part.results["n"]), reverse=True)
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
