"""How the studies over ATM count data and time, so that what they found stays comparable."""

from __future__ import annotations

from ackclock.results.metric import Columns


def counted_as_published(columns: Columns) -> Columns:
    """Columns for ``ackclock.results.metrics``, counted as the studies over ATM do.

    Throughput is up to the highest sequence number received, holes included (ATM Forum 98-0876,
    section 6), where ``ackclock.results`` counts each byte when it is received. Holes at the end of
    a run are thousandths of what came; those of a much shorter run are not. A port is busy for each
    whole cell that has left it, where ``ackclock.results`` counts the part of a cell's transmission
    that lies within the measured time; they differ by a cell time at most.

    Args:
        columns: as the core returns them, with the tables "flows" and "ports".

    Returns:
        The same tables, in which received_bytes and utilisation are so counted.
    """
    flows, ports = columns["flows"], columns["ports"]
    return {
        **columns,
        "flows": {**flows, "received_bytes": flows["highest_received_bytes"]},
        "ports": {**ports, "utilisation": ports["carried_share"]},
    }
