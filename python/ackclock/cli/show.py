"""``ackclock show``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from cyclopts import Parameter

from ackclock.cli.json_output import say_json
from ackclock.cli.options import Several
from ackclock.cli.reading import console, names, print_notes, results_of, warnings_shown

if TYPE_CHECKING:
    from ackclock.results.grids import Grid
    from ackclock.results.results import Results

Switch = Annotated[bool, Parameter(negative=())]
_PS = 10**12
"""Picoseconds, in which times are read, in a second."""


class _Shown(NamedTuple):
    """What is shown of results: for programs and for people."""

    document: Callable[[], dict[str, Any]]
    table: Callable[[], Grid]


def show(
    place: Path,
    /,
    *,
    metric: Several | None = None,
    flows: Switch = False,
    over_time: Switch = False,
    windows: Several | None = None,
    confidence: float = 0.95,
    json: Switch = False,
) -> None:
    """Show the means of all points with their intervals; for emulated runs also the verdict.

    Args:
        place: Folder of a campaign, or the scenario file next to it.
        metric: Metrics to show, separated by commas; by default those of the scenario.
        flows: Show each flow separately.
        over_time: Show how fairly bulk flows share the link in windows of time, and how long they
            take to reach a fair share; needs runs in which [probes] recorded the goodput.
        windows: Lengths of these windows, separated by commas; by default "1 s, 10 s".
        confidence: Confidence level of the intervals, a number between 0 and 1.
        json: Print one JSON document, in the metrics' units.
    """
    from ackclock.results.grids import rich_table

    _check_apart(metric=metric, flows=flows, over_time=over_time, windows=windows)
    with warnings_shown():
        results = results_of(place)
        if over_time:
            shown = _over_time(results, windows, confidence)
        else:
            shown = _means(results, names(metric), confidence, flows=flows)
        if json:
            say_json(shown.document())
            return
        table = shown.table()
    console().print(rich_table(table))
    print_notes(results)


def _check_apart(*, metric: Any, flows: bool, over_time: bool, windows: Any) -> None:
    """Reject options of means together with those of --over-time."""
    from ackclock.errors import InputError

    means = {"metric": metric is not None, "flows": flows}
    if over_time and any(means.values()):
        raise InputError(
            f"--{name}: leave it out with --over-time" for name, given in means.items() if given
        )
    if windows is not None and not over_time:
        raise InputError("--windows: needs --over-time; add it")


def _means(
    results: Results, metrics: list[str] | None, confidence: float, *, flows: bool
) -> _Shown:
    make = results.flow_grid if flows else results.grid
    return _Shown(
        lambda: _means_document(results, metrics, confidence, flows=flows),
        lambda: make(metrics, confidence),
    )


def _means_document(
    results: Results, metrics: list[str] | None, confidence: float, *, flows: bool
) -> dict[str, Any]:
    from ackclock.results.json_documents import flows_document, results_document

    document = flows_document if flows else results_document
    return document(results, metrics, confidence)


def _over_time(results: Results, windows: list[str] | None, confidence: float) -> _Shown:
    from ackclock.results.json_documents import sharing_document
    from ackclock.results.over_time import sharing_grid
    from ackclock.results.record_methods import WINDOWS_S

    lengths = WINDOWS_S if windows is None else _seconds(names(windows) or [])
    return _Shown(
        lambda: sharing_document(results, lengths, confidence),
        lambda: sharing_grid(results, lengths, confidence),
    )


def _seconds(texts: list[str]) -> list[float]:
    """What --windows says, s.

    Raises:
        InputError: one is no time.
    """
    from ackclock.errors import InputError
    from ackclock.scenario.units import TIME, parse

    try:
        return [float(parse(text, TIME)) / _PS for text in dict.fromkeys(texts)]
    except ValueError as error:
        raise InputError(f"--windows: {error}") from error
