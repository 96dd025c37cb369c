"""The metrics of links: utilisation, queue, drops of the bottleneck; losses, marks on all."""

from __future__ import annotations

from collections.abc import Callable
from math import nan
from typing import TYPE_CHECKING

from ackclock.results.metric import Columns, Metric, Number, bottleneck

if TYPE_CHECKING:
    from ackclock.scenario import Facts


def _bottleneck(
    packets: tuple[str, ...], cells: tuple[str, ...]
) -> Callable[[Columns, Facts], Number]:
    """Metric: the sum of columns of the bottleneck, for packet links and for cell links."""

    def of(columns: Columns, facts: Facts) -> Number:
        found = bottleneck(columns, facts)
        if found is None:
            return nan
        return sum(found.its[name] for name in (cells if found.of_cells else packets))

    return of


def _on_all_links(name: str) -> Callable[[Columns, Facts], int]:
    return lambda columns, facts: int(columns["links"][name].sum())


def _drop_share(columns: Columns, facts: Facts) -> float:
    dropped, offered = _DROPS(columns, facts), _OFFERED(columns, facts)
    return dropped / offered if offered else 0.0


_DROPS = _bottleneck(("packets_dropped",), ("frames_refused", "frames_cut"))
_OFFERED = _bottleneck(("packets_offered",), ("frames_offered",))
_NO_BOTTLENECK = "without a single bottleneck"

LINK_METRICS: dict[str, Metric] = {
    "utilisation": Metric(
        "1",
        "busy share of the bottleneck",
        _bottleneck(("utilisation",), ("utilisation",)),
        _NO_BOTTLENECK,
        share=True,
    ),
    "drops": Metric(
        "1",
        "packets (or frames) that the bottleneck's queue dropped or its policy refused",
        _DROPS,
        _NO_BOTTLENECK,
    ),
    "early_drops": Metric(
        "1",
        "of these, dropped by active queue management (or refused by the policy)",
        _bottleneck(("packets_dropped_early",), ("frames_refused",)),
        _NO_BOTTLENECK,
    ),
    "drop_share": Metric(
        "1",
        "drops over packets (or frames) that came to the bottleneck",
        _drop_share,
        _NO_BOTTLENECK,
        share=True,
    ),
    "losses": Metric(
        "1", "packets lost by impairments, on any link", _on_all_links("packets_lost")
    ),
    "marks": Metric(
        "1", "packets marked as having met congestion, on any link", _on_all_links("packets_marked")
    ),
    "max_queue": Metric(
        "packets or cells",
        "longest queue of the bottleneck in the whole run",
        _bottleneck(("max_queue_packets",), ("max_queue_cells",)),
        _NO_BOTTLENECK,
    ),
    "mean_queue": Metric(
        "packets or cells",
        "queue of the bottleneck, mean over time",
        _bottleneck(("mean_queue_packets",), ("mean_queue_cells",)),
        _NO_BOTTLENECK,
    ),
}
"""Metrics of links."""
