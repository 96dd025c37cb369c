"""``ackclock show``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from ackclock.cli.json_output import say_json
from ackclock.cli.options import Several
from ackclock.cli.reading import console, names, print_notes, results_of, warnings_shown


def show(
    place: Path,
    /,
    *,
    metric: Several | None = None,
    flows: Annotated[bool, Parameter(negative=())] = False,
    confidence: float = 0.95,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """Show the means of all points with their intervals; of emulated runs with the verdict, too.

    Args:
        place: Folder of a campaign, or the scenario file beside it.
        metric: Metrics to show, with commas between; by default those that the scenario names.
        flows: Show each flow by itself.
        confidence: Of the intervals.
        json: Print one JSON document, in the metrics' units.
    """
    from ackclock.results.grids import rich_table

    with warnings_shown():
        results = results_of(place)
        if json:
            from ackclock.results.documents import flows_document, results_document

            described = flows_document if flows else results_document
            say_json(described(results, names(metric), confidence))
            return
        make = results.flow_grid if flows else results.grid
        table = make(names(metric), confidence)
    console().print(rich_table(table))
    print_notes(results)
