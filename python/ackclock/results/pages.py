"""Pages and files that clients fetched, from the table of transfers that the core returns.

A page is fetched in stages, one after the other, over new connections that are opened at the same
time in each; a file of an ftp client, and a flow that arrives, is a page of a single connection.
RFC 2415 gives medians of the delays of pages, but does not define when the clock of a page starts.
``CLOCKS`` are the interpretations:

- "open": from the first SYN to the last byte of the last object: the time that a person waits;
- "request": as "open", but from the first request, at the end of the first handshake;
- "no_setup": without all handshakes: the sum over the stages of the longest time from a request
  to the last byte of its response.

Source: K. Poduri, K. Nichols, Simulation Studies of Increased Initial TCP Window Size, RFC 2415,
1998, section 2.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from ackclock.scenario import Facts

CLOCKS = ("open", "request", "no_setup")


class Pages(NamedTuple):
    """Completed pages; each attribute has the shape (pages,), in order of flow and page.

    Attributes:
        flow: number of the flow.
        page: number of the page in its flow, from 0; pages of the warm-up count too.
        bytes: bytes of all responses.
        opened_s: when the SYN of the first connection was sent.
        requested_s: when the first request was sent.
        completed_s: when the last byte came.
        served_s: delay by the clock "no_setup".
    """

    flow: np.ndarray
    page: np.ndarray
    bytes: np.ndarray
    opened_s: np.ndarray
    requested_s: np.ndarray
    completed_s: np.ndarray
    served_s: np.ndarray

    def delay_s(self, clock: str = "open") -> np.ndarray:
        """Return the delay of each page, s, shape (pages,).

        Args:
            clock: one of ``CLOCKS``.

        Raises:
            ValueError: there is no such clock.
        """
        if clock == "open":
            return self.completed_s - self.opened_s
        if clock == "request":
            return self.completed_s - self.requested_s
        if clock == "no_setup":
            return self.served_s
        raise ValueError(f"{clock!r} is not a clock of pages; choose from {', '.join(CLOCKS)}")

    def of(self, flows: np.ndarray) -> Pages:
        """Return the pages of some flows.

        Args:
            flows: shape (flows,), whether to include each flow; for example from ``flows_with``.
        """
        chosen = flows[self.flow]
        return Pages(*(values[chosen] for values in self))


def pages_of(transfers: Mapping[str, np.ndarray]) -> Pages:
    """Return the pages of a run.

    Args:
        transfers: table "transfers" of the core, one row per connection of a completed page, in
            order of flow, page and stage; without columns if no flow fetches pages.
    """
    if not transfers or not transfers["flow"].size:
        whole, real = np.zeros(0, dtype=np.int64), np.zeros(0)
        return Pages(whole, whole, whole, real, real, real, real)
    # Signed, so that differences may be negative and the columns can be indices.
    flow, page, stage = (transfers[name].astype(np.int64) for name in ("flow", "page", "stage"))
    stages = _starts(flow, page, stage)
    first = _starts(flow, page)
    completed = transfers["completed_s"]
    of_stages = np.maximum.reduceat(completed - transfers["established_s"], stages)
    return Pages(
        flow[first],
        page[first],
        np.add.reduceat(transfers["bytes"].astype(np.int64), first),
        np.minimum.reduceat(transfers["opened_s"], first),
        np.minimum.reduceat(transfers["established_s"], first),
        np.maximum.reduceat(completed, first),
        np.add.reduceat(of_stages, np.searchsorted(stages, first)),
    )


def flows_with(facts: Facts, workloads: Collection[str]) -> np.ndarray:
    """Return whether each flow has one of these kinds of workloads, shape (flows,)."""
    return np.array(
        [kind in workloads for kind in facts.flow_workloads],
        dtype=bool,
    )


def median_or_nan(values: np.ndarray) -> float:
    """Return the median; nan without values."""
    return float(np.median(values)) if values.size else np.nan


def medians_by_flow(flow: np.ndarray, values: np.ndarray, flows: int) -> np.ndarray:
    """Return the median of the values of each flow, shape (flows,); nan without values.

    Args:
        flow: shape (n,), number of the flow of each value.
        values: shape (n,).
        flows: number of flows.
    """
    medians = np.full(flows, np.nan)
    if values.size:
        ascending = values[np.lexsort((values, flow))]
        count = np.bincount(flow, minlength=flows)
        start = np.cumsum(count) - count
        some = np.flatnonzero(count)
        lower = ascending[start[some] + (count[some] - 1) // 2]
        upper = ascending[start[some] + count[some] // 2]
        medians[some] = (lower + upper) / 2
    return medians


def _starts(*columns: np.ndarray) -> np.ndarray:
    """Return the first row of each group of adjacent equal rows; the columns are not empty."""
    changes = [column[1:] != column[:-1] for column in columns]
    return np.flatnonzero(np.concatenate([[True], np.logical_or.reduce(changes)]))
