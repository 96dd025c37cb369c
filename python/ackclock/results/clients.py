"""The metrics of clients of pages and files: number of completed ones, and their delays."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ackclock.results.metric import Columns, Metric
from ackclock.results.pages import Pages, flows_with, median_or_nan, medians_by_flow, pages_of
from ackclock.scenario.compile.facts import FILES, WEB

if TYPE_CHECKING:
    from ackclock.scenario import Facts


_KINDS = {"pages": WEB, "files": FILES}
"""What clients fetch ("pages" or "files"), and the workloads that fetch it."""


def fetched(columns: Columns, facts: Facts) -> dict[str, Pages]:
    """The pages and the files of a run, by "pages" and "files"."""
    known = {name: columns.get(name) for name in _KINDS}
    if None not in known.values():
        return {name: Pages(**its) for name, its in known.items()}
    all_ = pages_of(columns["transfers"])
    return {name: all_.of(flows_with(facts, kinds)) for name, kinds in _KINDS.items()}


def of_clients(columns: Columns, facts: Facts) -> dict[str, np.ndarray]:
    """Pages and files of each flow, and their median delays."""
    flows = len(facts.flow_names)
    described = {}
    for count, its in fetched(columns, facts).items():
        described[count] = np.bincount(its.flow, minlength=flows)
        delay = f"{count.removesuffix('s')}_delay_s"
        described[delay] = medians_by_flow(its.flow, its.delay_s(), flows)
    return described


def _count(name: str) -> Callable[[Columns, Facts], int]:
    return lambda columns, facts: fetched(columns, facts)[name].flow.size


def _median_delay(name: str, clock: str = "open") -> Callable[[Columns, Facts], float]:
    return lambda columns, facts: median_or_nan(fetched(columns, facts)[name].delay_s(clock))


_NO_PAGE = "if no page was completed"

CLIENT_METRICS: dict[str, Metric] = {
    "pages": Metric("1", "pages that web clients completed", _count("pages")),
    "page_delay_s": Metric(
        "s",
        "from a page's first SYN to the last byte of its last object, median over all pages",
        _median_delay("pages"),
        _NO_PAGE,
    ),
    "page_delay_no_setup_s": Metric(
        "s",
        "the same without handshakes: the longest answer of each stage, added up",
        _median_delay("pages", "no_setup"),
        _NO_PAGE,
    ),
    "files": Metric(
        "1", "files that clients completed: of ftp, arrivals and traces", _count("files")
    ),
    "file_delay_s": Metric(
        "s",
        "from a file's SYN to its last byte, median over all files",
        _median_delay("files"),
        "if no file was completed",
    ),
}
"""Metrics of clients of pages and files."""
