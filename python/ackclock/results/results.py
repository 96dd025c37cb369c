"""The results of a campaign: frames, intervals, comparisons, figures.

A table of means needs no frame, so pandas is not imported at the top: the methods that return
frames import the modules that make them.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ackclock.campaign import Campaign, CampaignWarning
from ackclock.errors import InputError
from ackclock.plurals import counted
from ackclock.results.delays import with_waits
from ackclock.results.description import described
from ackclock.results.emulated import is_emulated
from ackclock.results.equal_replications import without_width
from ackclock.results.grids import (
    Column,
    Grid,
    grid,
    html_table,
    interval_column,
    level_column,
    verdict_columns,
)
from ackclock.results.means import metric_unit, point_means
from ackclock.results.metrics import METRICS
from ackclock.results.names import known, level_of, point_of
from ackclock.results.record_methods import WINDOWS_S, Point, RecordMethods
from ackclock.results.records import Records
from ackclock.results.rows import factors_of, metrics_of
from ackclock.stats.intervals import check_confidence

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr
    from numpy.typing import ArrayLike

    from ackclock.results.drawing import Plots
    from ackclock.results.grids import Table
    from ackclock.scenario.model.figures import Figure
    from ackclock.stats import FactorialAnalysis

CONFIDENCE = 0.95
_MOST_HTML_ROWS = 40
_USUALLY_SHOWN = 4


class Results(RecordMethods):
    """The results of a campaign. Reading them changes nothing in its folder.

    Args:
        campaign: the campaign, as it was when it was read.

    Attributes:
        campaign: the campaign.
        measured: names of the measured metrics.
        factors: columns of the factors, in the order of the sweep.
        title: title of the scenario.
        description: description of the scenario; may be empty.
        shown_metrics: metrics that the scenario lists to be shown.
        records: records of the probes.

    Raises:
        InputError: a factor has the name of a column of the results.
    """

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.measured = metrics_of(campaign)
        self.factors = factors_of(campaign, self.measured)
        self._described = its = described(campaign)
        self.title, self.description = its.title, its.description
        self._queue_unit = its.queue_unit
        wanted = tuple(name for name in its.metrics if name in self.measured)
        self.shown_metrics = wanted or self.measured[:_USUALLY_SHOWN]
        self.records = Records(campaign)
        self._points = [run.point for run in campaign.runs]
        self._levels = [point.levels for point in campaign.design.points]

    @classmethod
    def open(cls, folder: Path | str) -> Results:
        """Read the folder of a campaign.

        Raises:
            InputError: the folder has no campaign, or no run of the campaign has succeeded.

        Warns:
            CampaignWarning: runs have failed or are missing, lines of the journal are damaged, or
                recorded files are missing.
        """
        results = cls(Campaign.open(folder))
        campaign = results.campaign
        if not campaign.runs:
            raise InputError(f"{folder}: no run has given results yet; {results._state()}")
        if campaign.failures or campaign.missing:
            warnings.warn(f"{folder}: {results._state()}", CampaignWarning, stacklevel=2)
        if removed := results.records.removed():
            warnings.warn(removed, CampaignWarning, stacklevel=2)
        return results

    @cached_property
    def figures(self) -> dict[str, Figure]:
        """The figures that the scenario describes, by name."""
        return self._described.figures

    @cached_property
    def metrics(self) -> pd.DataFrame:
        """Columns: factors, replication, seed, metrics; one row per run."""
        from ackclock.results.frames import metrics_frame

        frame = metrics_frame(self.campaign, self.factors, self.measured)
        frame.attrs["units"] = {name: metric_unit(name) for name in self.measured}
        return frame

    @cached_property
    def flows(self) -> pd.DataFrame:
        """Columns: factors, replication, seed, flow, group, goodput_bit_s ...; a row per flow.

        If any flow is a foreground flow, only foreground flows have a row.

        Raises:
            InputError: there are too many flows to keep values of single flows.
        """
        from ackclock.results.frames import flows_frame

        return flows_frame(self.campaign, self.factors)

    @cached_property
    def pages(self) -> pd.DataFrame:
        """The pages and files that clients fetched after the warm-up, in the recorded runs.

        Columns: factors, replication, seed, flow, group, workload, page, bytes, opened_s,
        page_delay_s, page_delay_request_s, page_delay_no_setup_s; one row per page. See
        ``transfers`` for its connections. [probes] replications sets how many are recorded.

        Raises:
            InputError: no flow fetches pages or files, or no run was recorded.
        """
        from ackclock.results.frames import pages_frame

        return pages_frame(self.campaign, self.factors, self.records)

    @cached_property
    def delays(self) -> pd.DataFrame:
        """Histograms of the waiting times at links and of the RTTs in the recorded runs.

        Columns: factors, replication, what ("queue" or "rtt"), link, at_bottleneck (whether it is
        the bottleneck), flow, group (both missing in rows for all packets of the link), until_s
        (upper end of a bin that is 1.6 % wide), count; one row per bin.

        Raises:
            InputError: no delays were recorded.
        """
        from ackclock.results.delay_samples import delay_frame

        return delay_frame(self)

    @cached_property
    def failures(self) -> pd.DataFrame:
        """Columns: factors, replication, seed, reason; one row per run that has failed."""
        from ackclock.results.frames import failures_frame

        return failures_frame(self.campaign, self.factors)

    @cached_property
    def verdicts(self) -> pd.DataFrame:
        """Verdicts on emulated runs, one row per run; empty if all runs are simulated.

        Columns: factors, replication, seed, verdict ("valid", "degraded", "invalid"),
        late_p50_us, late_p99_us, late_max_us, missed_share, stolen_s; see
        ``ackclock.results.emulated``.
        """
        from ackclock.results.frames import verdicts_frame

        runs = self.campaign.runs if is_emulated(self.campaign) else ()
        return verdicts_frame(runs, self.factors)

    def verdict_counts(self) -> pd.DataFrame:
        """The number of emulated runs of each point by verdict; empty if all are simulated.

        Columns: valid, degraded, invalid, late_p50_us (median over the replications); a row a
        point, in the order of ``summary``.
        """
        from ackclock.results.frames import verdict_counts

        return verdict_counts(self.verdicts, self._points)

    def summary(
        self,
        metrics: Sequence[str] | None = None,
        *,
        confidence: float = CONFIDENCE,
        wide: bool = False,
    ) -> pd.DataFrame:
        """Return means over the replications of each point, with Student's t intervals.

        An interval is cut off at 0, and that of a share also at 1.

        Args:
            metrics: names of metrics; by default all.
            confidence: level of the two-sided intervals, for example 0.95.
            wide: return one row per point, with columns ``goodput_bit_s``, ``goodput_bit_s_lo`` ...

        Returns:
            Columns: factors, metric, unit, mean, lo, hi, n; one row per point and metric. A mean is
            nan if any of its replications is nan.

        Raises:
            InputError: a metric is unknown, or the confidence lies outside (0, 1).
        """
        from ackclock.results.summaries import summarise, widened

        _check_confidence(confidence)
        names = [self._metric(name) for name in metrics or self.measured]
        table = summarise(self.metrics, self._points, self.factors, names, confidence)
        return widened(table, self.factors) if wide else table

    def to_xarray(self) -> xr.Dataset:
        """The metrics with one dimension per factor and one for replications; see ``cube``."""
        from ackclock.results.cube import cube

        design = self.campaign.design
        attributes = {"title": self.title, "ackclock": design.version}
        return cube(self.metrics, self._points, self.factors, self.measured, attributes)

    def compare(
        self,
        factor: str,
        baseline: Any = None,
        metric: str = "goodput_bit_s",
        *,
        pooled: bool = False,
        confidence: float = CONFIDENCE,
    ) -> pd.DataFrame:
        """Compare the levels of a factor with a baseline, replication by replication.

        A replication has the same random numbers at all points, so the differences are paired.

        Args:
            factor: column of the factor.
            baseline: level to compare the other levels with; by default the first.
            metric: metric to compare.
            pooled: average each replication over the combinations of the other factors first,
                instead of comparing the levels within each combination.
            confidence: level of the two-sided intervals, for example 0.95.

        Returns:
            One row per combination of the other factors and level; see
            ``ackclock.stats.compare_levels``: difference, lo, hi (paired), simultaneous_lo and _hi
            (Bonferroni), relative, p, p_holm (corrected for the number of rows) ...

        Raises:
            InputError: a name is unknown, or there is nothing to compare.
        """
        from ackclock.stats import compare_levels

        known(factor, self.factors, "a factor")
        levels = list(self.metrics[factor].unique())
        base = levels[0] if baseline is None else level_of(baseline, levels, factor)
        others = [name for name in self.factors if name != factor]
        with _described():
            return compare_levels(
                self.metrics,
                self._metric(metric),
                factor,
                base,
                others,
                pooled=pooled,
                confidence=confidence,
            )

    def anova(
        self,
        response: str,
        factors: Sequence[str] | None = None,
        *,
        confidence: float = CONFIDENCE,
    ) -> FactorialAnalysis:
        """Return allocation of variation and effects; see ``ackclock.stats.analyse``.

        Args:
            response: metric to explain.
            factors: columns; by default all factors with more than one level.
            confidence: level of the two-sided intervals, for example 0.95.

        Raises:
            InputError: a name is unknown, or the runs are not a full balanced factorial.
        """
        from ackclock.stats import analyse

        self._metric(response)
        several = [name for name in self.factors if self.metrics[name].nunique() > 1]
        names = [known(name, self.factors, "a factor") for name in factors or several]
        with _described():
            return analyse(self.metrics, response, names, confidence)

    def steady(self, *, confidence: float = CONFIDENCE) -> pd.DataFrame:
        """Check by MSER-5 that the warm-up is long enough for the goodput; needs [probes] goodput.

        Args:
            confidence: level of the two-sided intervals, for example 0.95.

        Returns:
            One row per point: factors; warm_up_s; warm_up_needed_s (nan: more than half of the
            run); warm_up_enough; goodput_bit_s of all flows after the warm-up in the first recorded
            replication, with lo, hi and the number of batches from batch means; independent
            (whether the batch means pass a test of independence; if not, the interval is too
            narrow).

        Raises:
            InputError: the goodput was not recorded, or in too few bins.

        Warns:
            CampaignWarning: the warm-up is too short at some points.
        """
        from ackclock.results.steady_state import steady, too_short

        _check_confidence(confidence)
        table = steady(self.records, self._levels, self.factors, confidence)
        if short := too_short(table, self.factors):
            more = f"; and {counted(len(short) - 1, 'more point')}" if len(short) > 1 else ""
            warnings.warn(f"{self.title}: {short[0]}{more}", CampaignWarning, stacklevel=2)
        return table

    def sharing(self, windows_s: Sequence[float] = WINDOWS_S) -> pd.DataFrame:
        """Return fairness and convergence of bulk flows over time; needs [probes] goodput.

        Args:
            windows_s: lengths of windows, s, multiples of the probe's bins.

        Returns:
            One row per recorded run: factors; replication; jain_1s and so on (the mean of
            ``fairness_over_time`` over the windows of this length after the warm-up);
            convergence_s.

        Raises:
            InputError: nothing was recorded, or a window is not a multiple of the bins.
        """
        from ackclock.results.over_time import sharing

        return sharing(self, windows_s)

    @property
    def plot(self) -> Plots:
        """Figures: ``lines``, ``box``, ``heatmap``, ``cdf``, ``traces``, ``sequence`` ..."""
        from ackclock.results.drawing import Plots

        return Plots(self)

    def point(self, point: Point) -> int:
        """Return the number of the point that a number or levels identify; see ``trace``."""
        return point_of(point, self._levels)

    def unit_of(self, metric: str) -> str:
        """Return the unit of a metric whose name does not contain it; empty for a plain number."""
        return self._queue_unit if metric in ("max_queue", "mean_queue") else ""

    def source(
        self,
        confidence: float | None = CONFIDENCE,
        n: Sequence[int] = (),
        shown: Table | None = None,
        of: str = "replications",
    ) -> str:
        """Return one line on the source of the results: scenario, seeds, intervals.

        Args:
            confidence: level of the shown intervals, for example 0.95; none without intervals.
            n: numbers of replications of the shown values; by default those of all points.
            shown: the shown intervals, columns lo and hi; by default some have a width above 0.
            of: what ``n`` counts, in the plural.
        """
        design = self.campaign.design
        counts = list(n) or list(Counter(self._points).values())
        low, high = min(counts), max(counts)
        seeds = sorted({point.seed for point in design.points})
        parts = [
            f"ackclock {design.version}",
            self.title,
            *design.sets,
            f"seed {seeds[0]}" if len(seeds) == 1 else f"seeds {seeds[0]} to {seeds[-1]}",
            f"n = {low}" if low == high else f"n = {low} to {high}",
        ]
        if confidence is not None and high == 1:
            parts.append("one replication: no intervals")
        elif confidence is not None and shown is not None and without_width(shown).all():
            parts.append(f"{of} are equal: no intervals")
        elif confidence is not None:
            parts.append(f"{100 * confidence:g} % intervals")
        return " · ".join(parts)

    def grid(self, metrics: Sequence[str] | None = None, confidence: float = CONFIDENCE) -> Grid:
        """Return means with intervals at all points as a table of texts.

        The default metrics are those that the scenario lists, with the delay after each queue.
        """
        usual = with_waits(self.shown_metrics, self.measured)
        names = [self._metric(name) for name in metrics or usual]
        _check_confidence(confidence)
        n = Counter(self._points)
        levels = [self._levels[point] for point in n]
        columns = [
            level_column(name, [its.get(name, nan) for its in levels]) for name in self.factors
        ]
        means = {name: self._means(name, confidence) for name in dict.fromkeys(names)}
        columns += [
            interval_column(name, its, unit=self.unit_of(name)) for name, its in means.items()
        ]
        if len({*n.values()}) > 1:
            columns.append(Column("n", [str(each) for each in n.values()]))
        if is_emulated(self.campaign):
            columns += verdict_columns(self.verdicts, self._points)
        shown = {end: np.concatenate([its[end] for its in means.values()]) for end in ("lo", "hi")}
        return grid(self.title, columns, self.source(confidence, [*n.values()], shown))

    def flow_grid(
        self, metrics: Sequence[str] | None = None, confidence: float = CONFIDENCE
    ) -> Grid:
        """Return means of each flow with intervals as a table of texts."""
        from ackclock.results.comparisons import flow_grid

        _check_confidence(confidence)
        return flow_grid(self, metrics, confidence)

    def __repr__(self) -> str:
        """Return a summary of the results in one line."""
        factors = f", factors {', '.join(self.factors)}" if self.factors else ""
        state = self._state() if self.campaign.failures or self.campaign.missing else ""
        parts = [
            counted(len(self._levels), "point"),
            f"{counted(len(self._points), 'run')}{factors}",
            state,
        ]
        return f"<Results {self.title!r}: {', '.join(filter(None, parts))}; {self.campaign.folder}>"

    def _repr_html_(self) -> str:
        """Return means with intervals as HTML for a notebook."""
        return html_table(self.grid(), _MOST_HTML_ROWS)

    def _means(self, metric: str, confidence: float) -> Mapping[str, ArrayLike]:
        """Return columns mean, lo, hi of a metric, one element per point in their order."""
        values = [run.row.get(metric, nan) for run in self.campaign.runs]
        return point_means(values, [*Counter(self._points).values()], metric, confidence)

    def _metric(self, name: str) -> str:
        if name in METRICS.keys() - {*self.measured} and METRICS.keys() >= {*self.measured}:
            raise InputError(
                f"{self.campaign.folder}: the version of ackclock that made these runs did not"
                f" measure {name}; make them again with `ackclock run`"
            )
        return known(name, self.measured, "a metric")

    def _state(self) -> str:
        campaign = self.campaign
        parts = []
        if campaign.failures:
            parts.append(counted(len(campaign.failures), "run has failed", "runs have failed"))
        if campaign.missing:
            parts.append(counted(campaign.missing, "run is", "runs are") + " not made yet")
        return ", ".join(parts)


def results_folder(file: Path) -> Path:
    """Return the default folder for the runs of a scenario file."""
    return file.with_name(f"{file.name.removesuffix('.toml')}.results")


def _check_confidence(confidence: float) -> None:
    with _described():
        check_confidence(confidence)


@contextmanager
def _described() -> Iterator[None]:
    """Turn an error of the statistics into an ``InputError``."""
    try:
        yield
    except ValueError as error:
        raise InputError(str(error).splitlines()) from error
