"""The row of an emulated run: its metrics, and its verdict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ackclock.results.metrics import measure as measured

if TYPE_CHECKING:
    from ackclock.scenario import Facts


def measure(columns: Mapping[str, Any], facts: Facts) -> dict[str, Any]:
    """Compute the row of an emulated run.

    Args:
        columns: tables, and "emulation", as ``core.run`` returns them.
        facts: facts of the point.

    Returns:
        The row of ``results.metrics.measure``, and "emulation" with the groups of flows that used
        each TCP.
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
