"""Distributions: the share of the values up to each value, one line per level of a factor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor, log10
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ackclock.plots.axes import LINEAR, LOG
from ackclock.plots.chart import SHARES, Chart, Line, Panel, limits
from ackclock.plots.chart import Axis as ChartAxis
from ackclock.plots.histograms import Histogram
from ackclock.plots.panel_grid import outer, panel_grid, width_of
from ackclock.plots.quantities import Quantity, level_texts, quantity, sentence
from ackclock.plots.style import GREY, PlainNumbers, series_look, styled

_MOST_STEPS = 1000
"""Largest number of points of a line; more cannot be distinguished by eye."""
_MOST_DECADES = 4
"""Largest number of decades of a logarithmic axis of values: most delays are 0 or nearly 0."""
_LEAST_PERCENT = 1e-4
_COLUMNS_OF_LEGEND, _LETTERS_AN_INCH, _LETTERS_OF_LINE = 3, 13, 7
"""Legend: largest number of columns; letters that fit; letters that a line sample takes."""
_FIRST = 1
"""Percentile of the values above 0 at which a logarithmic axis of bins starts."""
_READ_IN = 99
"""Percentile that selects the unit of the values, so that a few large values do not."""


@styled
def distributions(
    samples: Mapping[Any, np.ndarray | Histogram],
    *,
    x: str,
    x_unit: str = "",
    of: str,
    factor: str | None = None,
    facet: str | None = None,
    x_scale: str = LINEAR,
    complementary: bool = False,
    title: str = "",
    source: str,
) -> Figure:
    """Draw distribution functions, with a dotted line at the medians.

    On a logarithmic axis, a line begins at the share of the values below the start of the axis.

    Args:
        samples: values by level, and with a facet by (level of the facet, level): shape (n,),
            finite, in the unit of ``x``; or a histogram of such values. Without a factor there is
            a single sample. At least one sample is not empty.
        x: name of the values; its suffix gives the unit.
        x_unit: unit of the values, if the name does not contain it.
        of: objects with one value each, in the plural: "pages".
        factor: column with one line per level; none for a single line.
        facet: column with one panel per level.
        x_scale: "linear" or "log".
        complementary: draw the share above each value on a logarithmic axis, to show the tail.
        title: shown above the figure.
        source: text on the source of the figure.
    """
    shown = {key: _histogram(values) for key, values in samples.items()}
    values = _quantity(x, x_unit, shown)
    axis = _Axis(x_scale, _left(shown, values.scale), complementary)
    name = title or f"Distribution of the {values.name}"
    panels, levels = _keys(shown, facet)
    names = level_texts(facet, panels) if facet else [""]
    heads = [f"{sentence(quantity(facet).name)}: {each}" for each in names] if facet else names
    texts = _texts(shown, factor, levels, "" if facet else of)
    columns = _columns(texts, len(panels))
    lines = ceil(len(levels) / columns) + bool(factor)
    figure, axes = panel_grid(heads, legend=lines, title=name, source=source)
    drawn = []
    for ax, head, panel in zip(axes, heads, panels, strict=True):
        drawn.append(Panel(head, []))
        for number, (text, level) in enumerate(zip(texts, levels, strict=True)):
            its = shown.get((panel, level) if facet else level)
            if its is None:
                continue
            look = series_look(number)
            places, shares = axis.line(its.scaled(values.scale))
            drawn[-1].lines.append(Line(number, places, shares, n=np.array([its.total])))
            ax.step(places, shares, where="post", color=look.color, ls=look.dash, label=text)
        axis.arrange(ax)
    left, lowest = outer(axes)
    for ax in lowest:
        ax.set_xlabel(sentence(values.label))
    for ax in left:
        ax.set_ylabel(axis.label)
    axis.limit(axes[0], [its.scaled(values.scale) for its in shown.values()])
    if title and facet:
        figure.area.suptitle(title, fontsize="large", fontweight="bold")
    elif title:
        axes[0].set_title(title, loc="left")
    if factor or not facet:
        _add_legend(figure.area, axes, factor, columns)
    (left_end, right), (bottom, top) = limits(axes[0])
    figure.chart = Chart(
        SHARES,
        name,
        source,
        ChartAxis(sentence(values.label), values.unit, x_scale, left_end, right),
        ChartAxis(axis.label, "%", LOG if complementary else LINEAR, bottom, top),
        sentence(quantity(factor).name) if factor else "",
        texts,
        drawn,
        above=title,
        rises=not complementary,
    )
    return figure


def _histogram(values: np.ndarray | Histogram) -> Histogram:
    return values if isinstance(values, Histogram) else Histogram.of(values)


def _quantity(x: str, unit: str, shown: Mapping[Any, Histogram]) -> Quantity:
    """Return name and unit of the values in the figure."""
    samples = [its for its in shown.values() if its.values.size]
    if all(its.is_sample for its in samples):
        return quantity(x, [its.values[-1] for its in samples], unit)
    return quantity(x, [its.percentile(_READ_IN) for its in samples], unit)


def _left(shown: Mapping[Any, Histogram], scale: float) -> float:
    """Return the smallest value on a logarithmic axis."""
    starts, ends = [], []
    for its in shown.values():
        above = its.values > 0
        if above.any():
            positive = Histogram(its.values[above], its.counts[above], its.is_sample)
            # A few packets with very short waits must not make an axis of ten decades.
            starts.append(positive.percentile(0 if its.is_sample else _FIRST))
            ends.append(float(positive.values[-1]))
    return max(min(starts), max(ends) / 10**_MOST_DECADES) / scale if starts else 1.0


def _texts(
    shown: Mapping[Any, Histogram], factor: str | None, levels: Sequence[Any], of: str
) -> list[str]:
    """Return the texts of the legend, with the number of values if there is one panel."""
    texts = level_texts(factor, levels) if factor else ["all"]
    if not of:
        return texts
    totals = [shown[level].total for level in levels]
    return [f"{text}: {total:,} {of}" for text, total in zip(texts, totals, strict=True)]


def _columns(texts: Sequence[str], panels: int) -> int:
    """Return the number of columns of the legend."""
    room = _LETTERS_AN_INCH * width_of(panels)
    fitting = int(room / (max(map(len, texts)) + _LETTERS_OF_LINE))
    return max(min(fitting, _COLUMNS_OF_LEGEND, len(texts)), 1)


def _keys(shown: Mapping[Any, Histogram], facet: str | None) -> tuple[list[Any], list[Any]]:
    """Return the panels, and the levels of the lines in all panels, in order of appearance."""
    if facet is None:
        return [None], list(shown)
    panels, levels = zip(*shown, strict=True)
    return list(dict.fromkeys(panels)), list(dict.fromkeys(levels))


class _Axis(NamedTuple):
    """The axes of values and shares.

    Attributes:
        scale: scale of the values, "linear" or "log".
        left: smallest value on a logarithmic axis.
        complementary: whether the shares are shares above a value.
    """

    scale: str
    left: float
    complementary: bool

    @property
    def label(self) -> str:
        return f"Share {'above' if self.complementary else 'up to'} this value (%)"

    def line(self, its: Histogram) -> tuple[np.ndarray, np.ndarray]:
        """Return positions and percents of a line of steps."""
        places, shares = _steps(its)
        seen = places >= self.left
        if self.scale == LOG and not seen.all():
            below = shares[~seen][-1]
            places = np.concatenate([[self.left], places[seen]])
            shares = np.concatenate([[below], shares[seen]])
        percents = 100 * shares
        if not self.complementary:
            return places, percents
        above = 100 - percents
        # The share above the last value is 0, which a logarithmic axis cannot show.
        return places, np.where(above > _LEAST_PERCENT / 10, above, _LEAST_PERCENT / 10)

    def arrange(self, ax: Axes) -> None:
        """Set scales and ticks, and draw a line at the medians."""
        ax.set_xscale(self.scale)
        if self.scale == LOG:
            ax.xaxis.set_major_formatter(PlainNumbers())
            ax.xaxis.set_minor_formatter(PlainNumbers(minor_thresholds=(1.5, 0.7)))
        if self.complementary:
            ax.set_yscale(LOG)
            ax.yaxis.set_major_formatter("{x:g}")
        else:
            ax.axhline(50, color=GREY, lw=0.8, ls=":", zorder=1)

    def limit(self, ax: Axes, shown: list[Histogram]) -> None:
        """Set the ends of the axes, which all panels share."""
        if self.scale == LOG and any((its.values < self.left).any() for its in shown):
            ax.set_xlim(left=self.left)
        if not self.complementary:
            ax.set_ylim(0, 100)
            return
        rarest = 100 / max(its.total for its in shown)
        ax.set_ylim(max(10.0 ** floor(log10(rarest)), _LEAST_PERCENT), 100)


def _steps(its: Histogram) -> tuple[np.ndarray, np.ndarray]:
    """Return ascending values and the share of values up to each; limited in number."""
    places, shares = its.values, its.shares()
    if places.size > _MOST_STEPS:
        at = np.linspace(0, places.size - 1, _MOST_STEPS).round().astype(int)
        places, shares = places[at], shares[at]
    # A line begins on the axis, at its smallest value.
    return np.concatenate([places[:1], places]), np.concatenate([[0.0] * bool(places.size), shares])


def _add_legend(area: Any, axes: list[Axes], factor: str | None, columns: int) -> None:
    """Add one legend for all panels, because a line may be missing in some panels."""
    found: dict[str, Any] = {}
    for ax in axes:
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
            found.setdefault(label, handle)
    head = {"title": sentence(quantity(factor).name), "title_fontsize": "medium"} if factor else {}
    area.legend(
        list(found.values()), list(found), loc="outside lower center", ncols=columns, **head
    )
