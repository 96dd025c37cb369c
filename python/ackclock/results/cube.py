"""Results as a labelled array: one dimension per factor, and one for the replications."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ackclock.plots.quantities import unit_of, words
from ackclock.results.means import metric_unit
from ackclock.results.metrics import METRICS
from ackclock.results.rows import REPLICATION

if TYPE_CHECKING:
    import xarray as xr


def cube(
    frame: pd.DataFrame,
    points: Sequence[int],
    factors: Sequence[str],
    metrics: Sequence[str],
    attributes: Mapping[str, str | int],
) -> xr.Dataset:
    """The metrics of all runs.

    Args:
        frame: one row per run: factors, replication, metrics.
        points: number of the point of each run.
        factors: columns of the factors.
        metrics: columns of the metrics.
        attributes: attributes of the dataset.

    Returns:
        One variable per metric. If every combination of levels was run, the dimensions are the
        factors and "replication"; else "point" and "replication", with the factors as coordinates
        of the points. Values of missing runs are nan. Variables and coordinates have units.
    """
    levels = {name: pd.unique(frame[name]) for name in factors}
    numbers = np.asarray(points)
    full = len(np.unique(numbers)) == prod(len(each) for each in levels.values())
    dimensions = [*(factors if full else ["point"]), REPLICATION]
    indexed = frame.assign(point=numbers).set_index(dimensions)[list(metrics)]
    data = indexed.to_xarray()
    if full:
        data = data.reindex({name: _plain(each) for name, each in levels.items()})
    else:
        first = frame[list(factors)].set_axis(numbers, axis=0)
        first = first[~first.index.duplicated()].loc[data["point"].to_numpy()]
        data = data.assign_coords({name: ("point", _plain(first[name])) for name in factors})
    for name in metrics:
        meaning = METRICS[name].meaning if name in METRICS else words(name)
        data[name].attrs = {"units": metric_unit(name), "long_name": meaning}
    for name in factors:
        data[name].attrs = {"units": unit_of(name), "long_name": words(name)}
    return data.assign_attrs(attributes)


def _plain(levels: pd.Series | np.ndarray) -> np.ndarray:
    """Return the levels as a numpy array; texts become objects for every pandas type."""
    array = np.asarray(levels)
    return array if array.dtype.kind in "biuf" else np.array(list(array), dtype=object)
