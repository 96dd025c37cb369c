"""Pages and files that clients fetched, from the table of transfers that the core returns.

A page is fetched in stages, one after the other, over new connections that are opened at the same
time in each; a file of an ftp client is a page of a single connection. RFC 2415 gives medians of
the delays of pages, and leaves open when the clock of a page starts. ``CLOCKS`` are the
interpretations:

- "open": from the first SYN to the last byte of the last object: what a person waits for;
- "request": from the first request, with which the handshake of the first connection ends;
- "no_setup": without all handshakes: of each stage the longest time from a request to the last
  byte that answers it, added up over the stages.

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
        page: number of the page, from 0 in each flow, those of the warm-up included.
        bytes: of all responses.
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
        """Delay of each page, shape (pages,).

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
        """The pages of some flows.

        Args:
            flows: shape (flows,), whether each flow is meant; for example ``flows_with``.
        """
        chosen = flows[self.flow]
        return Pages(*(values[chosen] for values in self))


def pages_of(transfers: Mapping[str, np.ndarray]) -> Pages:
    """The pages of a run.

    Args:
        transfers: table "transfers" of the core, a row a connection of a completed page, in order
            of flow, page and stage; without columns if no flow fetches pages.
    """
    if not transfers or not transfers["flow"].size:
        whole, real = np.zeros(0, dtype=np.int64), np.zeros(0)
        return Pages(whole, whole, whole, real, real, real, real)
    # Signed, so that differences are what they seem and the columns can be indices.
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
    """Whether each flow has one of these kinds of workloads, shape (flows,)."""
    return np.array(
        [kind in workloads for kind in facts.flow_workloads],
        dtype=bool,
    )


def median_or_nan(values: np.ndarray) -> float:
    """The median; nan of nothing."""
    return float(np.median(values)) if values.size else np.nan


def medians_by_flow(flow: np.ndarray, values: np.ndarray, flows: int) -> np.ndarray:
    """The median of the values of each flow, shape (flows,); nan where there is none.

    Args:
        flow: shape (n,), number of the flow of each value.
        values: shape (n,).
        flows: how many there are.
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
    """The rows with which runs of equal values begin; of columns of one length, which is not 0."""
    changes = [column[1:] != column[:-1] for column in columns]
    return np.flatnonzero(np.concatenate([[True], np.logical_or.reduce(changes)]))
