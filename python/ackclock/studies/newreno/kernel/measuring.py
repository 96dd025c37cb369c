"""The row of a transfer of section V, simulated or emulated.

A campaign records the code of this module and of all that it imports: keep that little.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import nan
from typing import TYPE_CHECKING, Any

from ackclock.results.emulated import KEY
from ackclock.results.metrics import measure as measured

if TYPE_CHECKING:
    from ackclock.scenario import Facts


def measure(columns: Mapping[str, Any], facts: Facts) -> dict[str, Any]:
    """One run in numbers.

    Args:
        columns: tables as the core returns them; and "emulation", if the run is emulated.
        facts: of the point.

    Returns:
        What ``results.metrics.measure`` returns; transfer_s: from the opening of the connection to
        the end of the run; delivered_bytes; rtt_s; acks_per_segment: packets that went back through
        the bottleneck for each data segment that arrived. And "emulation" as it is, if it is there.
    """
    tables = {name: table for name, table in columns.items() if name != KEY}
    flows, links = columns["flows"], columns["links"]
    arrived = int(flows["segments_sent"][0]) - int(links["packets_lost"].sum())
    back = int(links["packets_sent"][links["link"] == facts.reverse_link].sum())
    return {
        **measured(tables, facts),
        "transfer_s": facts.duration_s - float(flows["opened_s"][0]),
        "delivered_bytes": int(flows["delivered_bytes"][0]),
        "rtt_s": float(flows["rtt_mean_s"][0]),
        "acks_per_segment": back / arrived if arrived > 0 else nan,
        **({KEY: columns[KEY]} if KEY in columns else {}),
    }
