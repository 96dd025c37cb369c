"""The results of a campaign: frames, intervals, comparisons, figures.

A table of means needs no frame. Modules that make frames are imported by the methods that return
them.
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
    from ackclock.stats import FactorialAnalysis

CONFIDENCE = 0.95
_MOST_HTML_ROWS = 40
_USUALLY_SHOWN = 4


class Results(RecordMethods):
    """What the runs of a campaign gave. Reading changes nothing in its folder.

    Args:
        campaign: as it was when it was read.

    Attributes:
        campaign: the same.
        measured: names of the metrics.
        factors: columns of the factors of the sweep, in its order.
        title: of the scenario.
        description: of the scenario; may be empty.
        shown_metrics: metrics that the scenario wants to be shown.
        figures: that the scenario describes, by name.
        records: what probes recorded.

    Raises:
        InputError: a factor has the name of a column of the results.
    """

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.measured = metrics_of(campaign)
        self.factors = factors_of(campaign, self.measured)
        its = described(campaign)
        self.title, self.description, self.figures = its.title, its.description, its.figures
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
            InputError: it holds no campaign, or no run of it has ended well.

        Warns:
            CampaignWarning: runs have failed, or are not made yet; lines of the journal are
                damaged, or recorded files are missing.
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
    def metrics(self) -> pd.DataFrame:
        """Columns: factors, replication, seed, metrics; a row a run."""
        from ackclock.results.frames import metrics_frame

        frame = metrics_frame(self.campaign, self.factors, self.measured)
        frame.attrs["units"] = {name: metric_unit(name) for name in self.measured}
        return frame

    @cached_property
    def flows(self) -> pd.DataFrame:
        """Columns: factors, replication, seed, flow, group, goodput_bit_s ...; a row a flow.

        Where a flow is foreground, only such flows have a row.

        Raises:
            InputError: there are so many flows that single ones are not kept.
        """
        from ackclock.results.frames import flows_frame

        return flows_frame(self.campaign, self.factors)

    @cached_property
    def pages(self) -> pd.DataFrame:
        """The pages and files that clients fetched after the warm-up, in the recorded runs.

        Columns: factors, replication, seed, flow, group, workload, page, bytes, opened_s,
        page_delay_s, page_delay_request_s, page_delay_no_setup_s; a row a page. See
        ``transfers`` for its connections. [probes] replications says how many are recorded.

        Raises:
            InputError: no flow fetches pages or files, or no run was recorded.
        """
        from ackclock.results.frames import pages_frame

        return pages_frame(self.campaign, self.factors, self.records)

    @cached_property
    def delays(self) -> pd.DataFrame:
        """Histograms of the waiting times at links and of the RTTs in the recorded runs.

        Columns: factors, replication, what ("queue" or "rtt"), link, at_bottleneck (whether it is
        the bottleneck), flow, group (both missing where the row is of all packets of the link),
        until_s (largest value of a bin 1.6 % wide), count; a row a bin.

        Raises:
            InputError: no delays were recorded.
        """
        from ackclock.results.delay_samples import delay_frame

        return delay_frame(self)

    @cached_property
    def failures(self) -> pd.DataFrame:
        """Columns: factors, replication, seed, reason; a row a run that has failed."""
        from ackclock.results.frames import failures_frame

        return failures_frame(self.campaign, self.factors)

    @cached_property
    def verdicts(self) -> pd.DataFrame:
        """Whether emulated runs can be believed, a row a run; without rows if all are simulated.

        Columns: factors, replication, seed, verdict ("valid", "degraded", "invalid"),
        late_p50_us, late_p99_us, late_max_us, missed_share, stolen_s; see
        ``ackclock.results.emulated``.
        """
        from ackclock.results.frames import verdicts_frame

        runs = self.campaign.runs if is_emulated(self.campaign) else ()
        return verdicts_frame(runs, self.factors)

    def verdict_counts(self) -> pd.DataFrame:
        """How many emulated runs of each point have which verdict; nothing if all are simulated.

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
        """Means over the replications of each point, with Student t intervals.

        An interval ends at 0, and of a share at 1.

        Args:
            metrics: all if none are named.
            confidence: of the intervals, two-sided.
            wide: a row a point, and columns ``goodput_bit_s``, ``goodput_bit_s_lo`` ...

        Returns:
            Factors, metric, unit, mean, lo, hi, n; a row a point and metric. A mean over
            replications of which one has no value (nan) is nan.

        Raises:
            InputError: a metric is unknown, or the confidence lies outside (0, 1).
        """
        from ackclock.results.summaries import summarise, widened

        _check_confidence(confidence)
        names = [self._metric(name) for name in metrics or self.measured]
        table = summarise(self.metrics, self._points, self.factors, names, confidence)
        return widened(table, self.factors) if wide else table

    def to_xarray(self) -> xr.Dataset:
        """The metrics with a dimension a factor and one for the replications; see ``cube``."""
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

        Replications have the same random numbers at all points, so that differences are paired.

        Args:
            factor: its column.
            baseline: the level that the others are compared with; by default the first.
            metric: what is compared.
            pooled: average each replication over the combinations of the other factors first,
                instead of comparing within each of them.
            confidence: of the intervals.

        Returns:
            A row a combination of the other factors and level; see
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
        """Allocation of variation, and effects with intervals; see ``ackclock.stats.analyse``.

        Args:
            response: metric to explain.
            factors: columns; by default all factors with more than one level.
            confidence: of the intervals.

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
        """Whether the warm-up was long enough for the goodput, by MSER-5; needs [probes] goodput.

        Args:
            confidence: of the intervals.

        Returns:
            A row a point: factors; warm_up_s; warm_up_needed_s (nan: more than half of the run);
            warm_up_enough; goodput_bit_s of all flows after the warm-up in the first replication
            that was recorded, with lo, hi and the number of batches by batch means; independent,
            whether the batch means look independent (if not, the interval is too narrow).

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
        """How equally bulk flows share, over time; needs [probes] goodput.

        Args:
            windows_s: lengths of windows, multiples of the probe's bins.

        Returns:
            A row a run that was recorded: factors; replication; jain_1s and so on, the mean over
            the windows of that length after the warm-up of ``fairness_over_time``; convergence_s.

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
        """The number of the point that is meant; see ``trace``."""
        return point_of(point, self._levels)

    def unit_of(self, metric: str) -> str:
        """The unit of a metric whose name does not give it; empty for a plain number."""
        return self._queue_unit if metric in ("max_queue", "mean_queue") else ""

    def source(
        self,
        confidence: float | None = CONFIDENCE,
        n: Sequence[int] = (),
        shown: Table | None = None,
        of: str = "replications",
    ) -> str:
        """What produced these results, in a line.

        Args:
            confidence: of the intervals that are shown; none if there are none.
            n: numbers of replications behind what is shown; by default of all points.
            shown: the intervals that are shown, columns lo and hi; by default some vary.
            of: what they are of.
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
        """Means with intervals at all points as a table of texts.

        By default the metrics that the scenario wants to be shown; beside a queue its delay.
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
        """Means of each flow with intervals as a table of texts."""
        from ackclock.results.comparisons import flow_grid

        _check_confidence(confidence)
        return flow_grid(self, metrics, confidence)

    def __repr__(self) -> str:
        """What there is, in a line."""
        factors = f", factors {', '.join(self.factors)}" if self.factors else ""
        state = self._state() if self.campaign.failures or self.campaign.missing else ""
        parts = [
            counted(len(self._levels), "point"),
            f"{counted(len(self._points), 'run')}{factors}",
            state,
        ]
        return f"<Results {self.title!r}: {', '.join(filter(None, parts))}; {self.campaign.folder}>"

    def _repr_html_(self) -> str:
        """Means with intervals, for a notebook."""
        return html_table(self.grid(), _MOST_HTML_ROWS)

    def _means(self, metric: str, confidence: float) -> Mapping[str, ArrayLike]:
        """Columns mean, lo, hi of a metric; an element a point. Runs are in the order of points."""
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
    """Where the runs of a scenario file are, unless another folder was named."""
    return file.with_name(f"{file.name.removesuffix('.toml')}.results")


def _check_confidence(confidence: float) -> None:
    with _described():
        check_confidence(confidence)


@contextmanager
def _described() -> Iterator[None]:
    """What the statistics refuse is the user's to mend."""
    try:
        yield
    except ValueError as error:
        raise InputError(str(error).splitlines()) from error
