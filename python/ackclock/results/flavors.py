"""TCP flavors compared on the built-in dumbbell: a table with intervals, and one figure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from ackclock.campaign import OnProgress
from ackclock.errors import InputError
from ackclock.results.export import write_figure
from ackclock.results.grids import Column, Grid, grid, interval_column, p_column
from ackclock.results.names import unknown
from ackclock.results.results import CONFIDENCE, Results
from ackclock.results.scenario_run import run
from ackclock.scenario import load
from ackclock.scenario.document import read
from ackclock.scenario.model.tcp import FLAVOR, FLAVORS

DUMBBELL = Path(__file__).with_name("dumbbell.toml")
FACTOR = "tcp_flavor"
_COMPARED = "goodput_bit_s"
_FIGURE = "compare"


class FlavorComparison(NamedTuple):
    """Result of a comparison of TCP flavors.

    Attributes:
        results: results of the runs.
        table: means of each flavor, and the paired difference of its goodput from the first's.
        figure: path of the figure with cwnd and queue over time in the first replication.
    """

    results: Results
    table: Grid
    figure: Path

    def document(self) -> dict[str, Any]:
        """Return the document for programs: means, differences of goodput, path of the figure."""
        from ackclock.results.json_documents import comparison_document, results_document

        shown = results_document(self.results, None, CONFIDENCE)
        several = len(shown["points"]) > 1
        compared = (
            comparison_document(
                self.results, FACTOR, None, [_COMPARED], pooled=False, confidence=CONFIDENCE
            )
            if several
            else {}
        )
        return {**shown, **compared, "figures": [self.figure]}


def compare_flavors(
    flavors: Sequence[str],
    out: Path,
    *,
    jobs: int | None = None,
    format: str = "svg",
    on_progress: OnProgress = lambda event: None,
) -> FlavorComparison:
    """Make the missing runs of the folder, and redraw the figure.

    Args:
        flavors: names from ``_core.flavors()``, or classes in Python files; the others are compared
            with the first. If empty, the flavors of the dumbbell's own sweep.
        out: folder for the runs and the figure.
        jobs: runs at the same time; by default one for each processor.
        format: of the figure, one of ``export.FORMATS``.
        on_progress: called with each event of the campaign.

    Raises:
        InputError: a flavor is unknown or named twice, or the folder cannot be used.
    """
    flavors = flavor_names(flavors or _built_in())
    levels = f"sweep.factors.tcp.flavor={json.dumps(list(flavors))}"
    # Files of flavors are relative to the working directory.
    dumbbell = replace(read(DUMBBELL), folder=Path())
    results = run(dumbbell, out, sets=[levels], jobs=jobs, on_progress=on_progress)
    figure = results.plot.traces(point=[{FACTOR: flavor} for flavor in flavors])
    path = write_figure(figure, out / f"{_FIGURE}.{format}")
    return FlavorComparison(results, _table(results, flavors), path)


def flavor_names(words: Sequence[str]) -> list[str]:
    """Return the flavors of some names.

    Raises:
        InputError: a name is unknown or given twice; with one message per error.
    """
    flavors, problems = [], []
    for word in words:
        try:
            flavors.append(FLAVOR.read(word))
        except ValueError as error:
            if ".py" in word:
                problems.append(f"{word}: {error}")
                continue
            problems.append(unknown(word, list(FLAVORS), "a TCP flavor"))
    twice = dict.fromkeys(name for name in flavors if flavors.count(name) > 1)
    problems += [f"{name!r} is named twice" for name in twice]
    if problems:
        raise InputError(problems)
    return flavors


def _built_in() -> list[str]:
    return [str(point.levels[FACTOR]) for point in load(DUMBBELL).points()]


def _table(results: Results, flavors: Sequence[str]) -> Grid:
    shown = results.grid()
    columns = [
        Column(head, [row[at] for row in shown.rows], shown.numeric[at], at < shown.keys)
        for at, head in enumerate(shown.heads)
    ]
    if len(flavors) > 1:
        columns += _difference_columns(results, flavors)
    return grid(shown.title, columns, shown.foot)


def _difference_columns(results: Results, flavors: Sequence[str]) -> list[Column]:
    """Return the columns of differences; the row of the first flavor is empty."""
    table = results.compare(FACTOR, flavors[0], _COMPARED)
    table = table.set_index(FACTOR).reindex(flavors)
    shown = table[["lo", "hi", "p_holm"]].assign(mean=table["difference"])
    head = f"Goodput against {flavors[0]}"
    return [
        interval_column(_COMPARED, shown, head, sign="+"),
        p_column(shown),
    ]
