"""Table 2 of the paper, for the lab."""

from __future__ import annotations

from ackclock.studies.abr_web.analysis import table2
from ackclock.studies.abr_web.levels import PAPERS, TABLE2, Point
from ackclock.studies.machinery.printed import (
    Cell,
    Column,
    Numbers,
    Printed,
    Table,
    arranged,
    compared,
)

_OWN = compared(("servers", "metric"))
_COLUMNS = {
    "max_queue_cells": Column("Longest queue", "max_queue_cells", "cells"),
    "max_queue_rtt": Column("Longest queue in RTT", "max_queue", "RTT"),
    "throughput_bit_s": Column("Throughput", "throughput_bit_s", "bit/s"),
    "efficiency_pct": Column("Efficiency", "efficiency", "%"),
}


def _tables(numbers: Numbers) -> list[Table]:
    cells = [
        (
            (str(row["servers"]),),
            row["metric"],
            Cell(
                row["published"],
                _OWN.key_of(row),
                numbers[TABLE2, Point(TABLE2, row["servers"], *PAPERS)],
            ),
        )
        for row in table2().to_dict("records")
    ]
    return [arranged("table-2", "Table 2", ("Servers",), _COLUMNS, cells)]


PRINTED = Printed((_OWN,), _tables)
