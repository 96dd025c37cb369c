"""Messages about metrics that have no value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ackclock.results.metrics import METRICS
from ackclock.scenario.metric_needs import nearest_with_value

if TYPE_CHECKING:
    import pandas as pd

    from ackclock.results.results import Results


def no_value(results: Results, metric: str, means: pd.Series) -> str:
    """Return a message if all means of a metric are nan, with another metric; else empty.

    Args:
        results: results of a campaign.
        metric: one of the measured metrics.
        means: means over the runs.
    """
    if np.isfinite(means).any():
        return ""
    values = results.metrics[list(results.measured)]
    valued = np.isfinite(values).any()
    if valued[metric]:
        return f"{metric}: has no mean here: each mean includes a run without a value"
    undefined = METRICS[metric].undefined if metric in METRICS else ""
    why = f" (it has none {undefined})" if undefined else ""
    if np.isinf(values[metric]).any():
        why = " (it is infinite in all runs)"
    near = nearest_with_value(metric, valued.index[valued])
    instead = f"; the nearest that has one is {near}" if near else ""
    return f"{metric}: has no value in this campaign{why}{instead}"
