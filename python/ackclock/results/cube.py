"""Results as a labelled array: a dimension a factor, and one for the replications."""

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
        frame: a row a run: factors, replication, metrics.
        points: number of the point of each run.
        factors: columns of the factors.
        metrics: columns of what was measured.
        attributes: of the dataset.

    Returns:
        A variable a metric. Dimensions are the factors, if every combination of their levels was
        run, and "replication"; else "point" and "replication", with the factors as coordinates of
        the points. What was not run is nan. Variables and coordinates have the attribute units.
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
    """As numpy has them: texts as objects, whatever pandas keeps them as."""
    array = np.asarray(levels)
    return array if array.dtype.kind in "biuf" else np.array(list(array), dtype=object)
