"""``ackclock metrics``."""

from __future__ import annotations

import json as json_text
from typing import Annotated

from cyclopts import Parameter

from ackclock.cli.reading import console
from ackclock.cli.telling import say

_WIDTH_OF_UNITS = 8


def metrics(*, json: Annotated[bool, Parameter(negative=())] = False) -> None:
    """List the metrics of a run: name, unit, meaning, and when a metric has no value.

    Their names may stand in a scenario (metrics, [[figures]] y, [precision] metrics) and after
    --metric.

    Args:
        json: Print one JSON array.
    """
    from ackclock.results.metrics import METRICS

    if json:
        listed = [
            {"name": name, "unit": its.unit, "meaning": its.meaning, "undefined": its.undefined}
            for name, its in METRICS.items()
        ]
        say(json_text.dumps(listed, indent=2, ensure_ascii=False))
        return
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("Metric", no_wrap=True)
    table.add_column("Unit", max_width=_WIDTH_OF_UNITS)
    table.add_column("Meaning")
    for name, its in METRICS.items():
        never = f"; no value {its.undefined}" if its.undefined else ""
        table.add_row(*map(Text, (name, its.unit, f"{its.meaning}{never}")))
    console().print(table)
