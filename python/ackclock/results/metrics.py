"""The metrics of one run, from the columns that the core returns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock.results.cells import CELL_METRICS
from ackclock.results.clients import CLIENT_METRICS, fetched
from ackclock.results.completions import COMPLETION_METRICS, completions_of
from ackclock.results.contracts import CONTRACT_METRICS
from ackclock.results.delays import DELAY_METRICS
from ackclock.results.flows import flow_columns
from ackclock.results.limits import LIMIT_METRICS
from ackclock.results.links import LINK_METRICS
from ackclock.results.metric import Columns, Metric, bottleneck
from ackclock.results.power import POWER_METRICS
from ackclock.results.rates import RATE_METRICS
from ackclock.results.responses import RESPONSE_METRICS
from ackclock.results.responsiveness import RESPONSIVENESS_METRICS
from ackclock.results.senders import SENDER_METRICS
from ackclock.results.video import VIDEO_METRICS, played
from ackclock.scenario.compile.facts import has_kept_flows
from ackclock.scenario.metric_names import METRIC_NAMES

if TYPE_CHECKING:
    from ackclock.scenario import Facts

_ROWS: dict[str, Metric] = {
    **RATE_METRICS,
    **LINK_METRICS,
    **SENDER_METRICS,
    **DELAY_METRICS,
    **POWER_METRICS,
    **RESPONSIVENESS_METRICS,
    **COMPLETION_METRICS,
    **CLIENT_METRICS,
    **RESPONSE_METRICS,
    **VIDEO_METRICS,
    **CELL_METRICS,
    **CONTRACT_METRICS,
    **LIMIT_METRICS,
}
METRICS = dict(sorted(_ROWS.items(), key=lambda row: METRIC_NAMES.index(row[0])))
"""All metrics, in the order in which they are shown; ``ackclock.scenario`` has their names."""


def measure(columns: Columns, facts: Facts) -> dict[str, Any]:
    """Compute the metrics of one run.

    Args:
        columns: tables "flows", "links", "ports", "queue_delays", "flow_queue_delays", "rtts",
            "transfers", "foreground", "responses", "classes" and "vcs", as the core returns them.
        facts: facts of the point.

    Returns:
        Every metric of ``METRICS``. With a foreground flow or at most ``MOST_FLOWS_KEPT`` flows
        also "flows": the columns of ``flow_columns`` as lists, one value per flow.
    """
    # Computed once for all metrics, because each takes longer than any metric.
    link = bottleneck(columns, facts)
    columns = {
        **columns,
        "bottleneck": link._asdict() if link else {},
        "completions": completions_of(columns, facts)._asdict(),
        "played": played(columns, facts)._asdict(),
        **{name: pages._asdict() for name, pages in fetched(columns, facts).items()},
    }
    row: dict[str, Any] = {name: metric.of(columns, facts) for name, metric in METRICS.items()}
    if has_kept_flows(facts.foreground, len(facts.flow_names)):
        its = flow_columns(columns, facts)
        row["flows"] = {name: values.tolist() for name, values in its.items()}
    return row
