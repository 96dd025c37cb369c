"""``ackclock metrics``."""

from __future__ import annotations

import json as json_text
from typing import Annotated

from cyclopts import Parameter

from ackclock.cli.output import say
from ackclock.cli.reading import console


def metrics(*, json: Annotated[bool, Parameter(negative=())] = False) -> None:
    """List the metrics of a run: name, unit, meaning, and when a metric has no value.

    Use the names in a scenario (metrics, [[figures]] y, [precision] metrics) and after --metric.

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
    from rich.text import Text

    from ackclock.terminal import EDGELESS, TerminalTable

    table = TerminalTable("Metric", "Unit", look=EDGELESS, parts=False)
    table.add_column("Meaning", prose=True)
    for name, its in METRICS.items():
        never = f"; no value {its.undefined}" if its.undefined else ""
        table.add_row(*map(Text, (name, its.unit, f"{its.meaning}{never}")))
    console().print(table)
