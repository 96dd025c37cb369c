"""Predictions become tables: means with intervals, and how far each formula is off."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ackclock.stats import grouped_intervals
from ackclock.studies.machinery.analysis import CONFIDENCE, means_table
from ackclock.studies.machinery.running import Runs
from ackclock.studies.newreno import published
from ackclock.studies.newreno.comparison import internet_table
from ackclock.studies.newreno.levels import CURVE, FLOWS, INTERNET, NEWRENO, POINT, VARIANTS
from ackclock.studies.newreno.predictions import PREDICTIONS, column

if TYPE_CHECKING:
    from ackclock.studies.newreno.claims import Evidence
    from ackclock.studies.newreno.kernel.tables import KernelResult

MEASURED = [*POINT, "flow"]
"""Columns that name a measured flow at a point."""
_MEANS = (
    "p",
    "loss_rate",
    "q",
    "rtt_s",
    "rto_s",
    "first_rto_s",
    "segments_sent",
    "loss_events",
    "timeouts",
    "fast_retransmits",
)
ERROR = ["mean_error_pct", "mean_error_pct_lo", "mean_error_pct_hi"]
_ERRORS = [*CURVE, "flow", "model", "inputs"]
LOSS_EVENT_RATES_PCT = (0, 0.1, 0.5, 1, 2, 4, 8, 100)
LOSSES_PER_EVENT = (1, 1.5, 3, 6, 100)
"""Limits of the classes of ``trust_table``; the upper one belongs to the next class."""
TRUST = ["least_p_pct", "most_p_pct", "least_losses", "most_losses"]


def tables(made: Runs, evidence: Evidence) -> Mapping[str, pd.DataFrame]:
    """The tables that are written; those of the kernel are empty unless it was asked for."""
    flows, nothing = evidence.flows, pd.DataFrame()
    is_asked_for = INTERNET in {part.name for part in made.request.parts}
    kernel: KernelResult | None = made.further
    return {
        "results": results_table(flows),
        "runs": made.frame,
        "errors": errors_table(flows),
        "trust": trust_table(flows),
        "emulation": evidence.emulation,
        "internet": internet_table() if is_asked_for else nothing,
        "kernel": kernel.beside if kernel else nothing,
        "kernel_steps": kernel.steps if kernel else nothing,
        "kernel_runs": kernel.runs if kernel else nothing,
    }


def results_table(flows: pd.DataFrame) -> pd.DataFrame:
    """Means over the replications of each measured flow at each point.

    Args:
        flows: see ``predictions.flows_table``.

    Returns:
        Columns of ``MEASURED``, n, throughput_bit_s with its 95 % interval (the endings _lo and
        _hi; nan if n is 1), the means of what the formulas take and of counts, and the mean of
        each prediction, bit/s. A mean leaves out runs that have no value, such as a first time-out.
    """
    if flows.empty:
        return pd.DataFrame()
    found = means_table(flows, MEASURED, ["throughput_bit_s"])
    names = [*_MEANS, *(column(*each) for each in PREDICTIONS)]
    means = flows.groupby(MEASURED, sort=False)[names].mean()
    return pd.concat([found, means.reset_index(drop=True)], axis=1)


def run_errors(flows: pd.DataFrame) -> pd.DataFrame:
    """The errors of all predictions, run by run.

    Args:
        flows: see ``predictions.flows_table``.

    Returns:
        Columns of ``MEASURED``, replication, model, inputs; error_pct = 100 (prediction -
        simulation) / simulation, without rows that have no prediction.
    """
    described = [*MEASURED, "replication"]
    parts = []
    for model, inputs in PREDICTIONS:
        error = 100 * (flows[column(model, inputs)] / flows["throughput_bit_s"] - 1)
        parts.append(flows[described].assign(model=model, inputs=inputs, error_pct=error))
    table = pd.concat(parts, ignore_index=True)
    return table[np.isfinite(table["error_pct"])].reset_index(drop=True)


def errors_table(flows: pd.DataFrame) -> pd.DataFrame:
    """How far each formula is off on each curve, beside what the paper says.

    The mean error of a replication is the mean of |error| over the points of the curve, as in the
    paper, whose single run is one replication.

    Args:
        flows: see ``predictions.flows_table``; those of ``VARIANTS`` are left out, which the paper
            has no predictions for.

    Returns:
        Columns of ``Curve``, flow, model, inputs; points; those of ``ERROR`` (mean of the
        replications' mean errors, with its 95 % interval), least_error_pct and largest_error_pct
        (of the points), bias_pct (the same mean with signs); published_mean_pct and
        published_range_pct. On a curve NewReno comes first, and the paper's inputs first.
    """
    flows = flows[flows["part"] != VARIANTS] if len(flows) else flows
    if flows.empty:
        return pd.DataFrame()
    runs = run_errors(flows)
    runs = runs.assign(size=runs["error_pct"].abs())
    by_replication = runs.groupby([*_ERRORS, "replication"], sort=False)["size"].mean()
    found = grouped_intervals(by_replication.reset_index(), _ERRORS, "size", CONFIDENCE)
    found = found.rename(columns=dict(zip(("mean", "lo", "hi"), ERROR, strict=True)))
    points = runs.groupby([*_ERRORS, "x"], sort=False)["size"].mean().groupby(_ERRORS, sort=False)
    spread = points.agg(points="size", least_error_pct="min", largest_error_pct="max")
    bias = runs.groupby(_ERRORS, sort=False)["error_pct"].mean().rename("bias_pct")
    table = found[[*_ERRORS, *ERROR]].merge(pd.concat([spread, bias], axis=1), on=_ERRORS)
    table.insert(len(_ERRORS), "points", table.pop("points"))
    order = [
        (*curve, flow, model, inputs)
        for curve in flows[CURVE].drop_duplicates().itertuples(index=False, name=None)
        for flow in FLOWS
        for model, inputs in PREDICTIONS
    ]
    keys = table.set_index(_ERRORS).index
    table = table.set_index(_ERRORS).loc[[key for key in order if key in keys]].reset_index()
    return table.merge(published.errors(), on=_ERRORS, how="left")


def trust_table(flows: pd.DataFrame) -> pd.DataFrame:
    """How far each formula is off for NewReno, by the losses that it meets, whatever made them.

    Args:
        flows: see ``predictions.flows_table``; those of ``VARIANTS`` are left out.

    Returns:
        A row a class of loss event rates and of losses in a loss event that any point falls into:
        columns of ``TRUST`` (limits; the upper ones do not belong to the class), points, model,
        inputs, mean_error_pct (mean |error| of all runs in it), bias_pct (with signs).
    """
    flows = flows[(flows["part"] != VARIANTS) & (flows["flow"] == NEWRENO)] if len(flows) else flows
    if flows.empty:
        return pd.DataFrame()
    per_event = flows["loss_rate"] / flows["p"]
    limits = [
        *_class_of(100 * flows["p"], LOSS_EVENT_RATES_PCT),
        *_class_of(per_event, LOSSES_PER_EVENT),
    ]
    classes = flows.assign(**dict(zip(TRUST, limits, strict=True)))
    described = [*POINT, "flow", "replication"]
    runs = run_errors(flows).merge(classes[[*described, *TRUST]], on=described)
    runs = runs.assign(size=runs["error_pct"].abs())
    keys = [*TRUST, "model", "inputs"]
    points = runs.groupby(keys, sort=False)[POINT].apply(lambda rows: len(rows.drop_duplicates()))
    means = runs.groupby(keys, sort=False).agg(
        mean_error_pct=("size", "mean"), bias_pct=("error_pct", "mean")
    )
    table = pd.concat([points.rename("points"), means], axis=1).reset_index()
    # Stable: within a class the formulas stay in their order.
    return table.sort_values(TRUST, kind="stable", ignore_index=True)


def _class_of(values: pd.Series, limits: tuple[float, ...]) -> tuple[np.ndarray, np.ndarray]:
    """The limits of the class of each value; the last class takes what lies above it."""
    at = np.clip(np.searchsorted(limits, values, side="right"), 1, len(limits) - 1)
    edges = np.array(limits, dtype=float)
    return edges[at - 1], edges[at]
