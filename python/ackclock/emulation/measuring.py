"""The row of an emulated run: its metrics, and its verdict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ackclock.results.metrics import measure as measured

if TYPE_CHECKING:
    from ackclock.scenario import Facts


def measure(columns: Mapping[str, Any], facts: Facts) -> dict[str, Any]:
    """One run in numbers.

    Args:
        columns: tables, and "emulation", as ``core.run`` returns them.
        facts: facts of the point.

    Returns:
        What ``results.metrics.measure`` returns, and "emulation" with the names of the groups that
        had each of the TCPs.
    """
    tables = {name: table for name, table in columns.items() if name != "emulation"}
    described = columns["emulation"]
    settings = [
        each | {"groups": list(dict.fromkeys(facts.flow_groups[flow] for flow in each["flows"]))}
        if "flows" in each
        else each
        for each in described["settings"]
    ]
    return measured(tables, facts) | {"emulation": described | {"settings": settings}}
