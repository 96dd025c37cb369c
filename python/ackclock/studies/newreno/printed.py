"""The mean errors in the text of Parvez et al., and their Tables III and IV, for the lab."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from ackclock.studies.machinery.printed import (
    Cell,
    Column,
    Ends,
    Numbers,
    OwnFile,
    Printed,
    Table,
    arranged,
    with_ends,
)
from ackclock.studies.newreno import published
from ackclock.studies.newreno.comparison import internet_table, printed
from ackclock.studies.newreno.levels import CURVES, DROP_TAIL, EMULATION, Curve, Point
from ackclock.studies.newreno.predictions import MODEL_NAMES

_ERRORS = OwnFile(
    "errors",
    ("part", "queue", "variant", "flow", "model", "inputs"),
    {"simulated": with_ends("mean_error_pct")},
)
_TESTBED = {
    "bit_s": Column("Throughput", "throughput_bit_s", "bit/s"),
    "rtt_s": Column("RTT", "rtt_s", "s"),
    "p": Column("p", "p", "1"),
    "timeouts": Column("Time-outs", "timeouts", "1"),
    "fast_retransmits": Column("Fast retransmits", "fast_retransmits", "1"),
    "model_bit_s": Column("Formula", "model_bit_s", "bit/s"),
}
_EMULATION = OwnFile(
    "emulation",
    ("imposed_loss_pct",),
    {name: Ends(name) for name in _TESTBED} | {"bit_s": with_ends("throughput_bit_s")},
)
_TO_JAPAN = {name: _TESTBED[name] for name in ("p", "bit_s", "model_bit_s")}
_INTERNET = OwnFile(
    "internet",
    ("imposed_loss_pct",),
    {name: Ends(name) for name in _TO_JAPAN} | {"bit_s": Ends("throughput_bit_s")},
)


def _tables(numbers: Numbers) -> list[Table]:
    testbed = "Table III: the testbed"
    to_japan = "Table IV: transfers to Japan, computed again from the printed counts"
    return [
        _errors(numbers),
        _by_loss("table-3", testbed, printed(), _EMULATION, _TESTBED, numbers),
        _by_loss("table-4", to_japan, internet_table(), _INTERNET, _TO_JAPAN),
    ]


def _errors(numbers: Numbers) -> Table:
    rows = published.errors().to_dict("records")
    columns = {
        (row["model"], row["flow"]): Column(
            f"{MODEL_NAMES[row['model']]}: {row['flow']}", "mean_error", "%"
        )
        for row in rows
    }
    cells = []
    for row in rows:
        curve = Curve(row["part"], row["queue"], row["variant"])
        places = CURVES.get(curve)
        # The error is of a whole curve: its first point stands for it.
        point = numbers[row["part"], Point(*curve, places[0])] if places else None
        cell = Cell(row["published_mean_pct"], _ERRORS.key_of(row), point)
        cells.append(((row["part"], row["queue"]), (row["model"], row["flow"]), cell))
    title = "Mean errors of the formulas over the points of an experiment"
    return arranged("errors", title, ("Experiment", "Queue"), columns, cells)


def _by_loss(
    id: str,
    title: str,
    frame: pd.DataFrame,
    own: OwnFile,
    columns: Mapping[str, Column],
    numbers: Numbers | None = None,
) -> Table:
    """A table with a row for each imposed loss; without ``numbers``, only printed values."""
    cells = []
    for row in frame.to_dict("records"):
        loss = row["imposed_loss_pct"]
        point = None
        if numbers is not None:
            point = numbers[EMULATION, Point(EMULATION, DROP_TAIL, "", loss)]
        for name in columns:
            cell = Cell(row[f"published_{name}"], own.key(loss, value=name), point)
            cells.append(((f"{loss:g} %",), name, cell))
    return arranged(id, title, ("Imposed loss",), columns, cells)


PRINTED = Printed((_ERRORS, _EMULATION, _INTERNET), _tables)
