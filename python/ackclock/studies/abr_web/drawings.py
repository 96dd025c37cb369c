"""The drawings of the report, without what a page says of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ackclock.plots.axes import draw_means
from ackclock.plots.style import (
    BLACK,
    GREY,
    PUBLISHED,
    SIMULATED,
    VERMILLION,
    PlainNumbers,
    new_figure,
    series_look,
    styled,
)
from ackclock.studies.abr_web.levels import CARRIER, Carrier, carrier_name

MEAN = "mean of all"

_HEIGHT_IN = 3.2
_ASIDE = 0.12
"""From a number of servers to each of its two values."""
_SERVERS = "Servers"
_MBIT_S = 1e6
_DASH = (0, (5, 2))


@styled
def longest_queue(comparison: pd.DataFrame, *, bound_cells: float) -> Figure:
    """The longest queue against the number of servers, with the bound of three round-trip times.

    Args:
        comparison: the rows of the comparison with Table 2 of one metric.
        bound_cells: where the bound is.
    """
    figure, ax = _by_servers(comparison)
    ax.axhline(bound_cells, color=GREY, lw=1, ls=_DASH, label=f"3 RTT, {bound_cells:,.0f} cells")
    ends = comparison[["simulated", "hi", "published"]].max(axis=None)
    ax.set_ylim(0, 1.08 * max(bound_cells, ends))
    ax.yaxis.set_major_formatter("{x:,.0f}")
    ax.set_ylabel("Maximum queue (cells)")
    figure.legend(loc="outside lower center", ncols=3)
    return figure


@styled
def efficiency(comparison: pd.DataFrame, loads: pd.DataFrame) -> Figure:
    """Efficiency against the number of servers, with what the clients asked for.

    Args:
        comparison: the rows of the comparison with Table 2 of one metric.
        loads: columns servers, load_pct.
    """
    figure, ax = _by_servers(comparison)
    ax.plot(loads["servers"], loads["load_pct"], color=GREY, ls=_DASH, lw=1, label="load")
    ax.axhline(100, color=BLACK, lw=0.6)
    ax.set_ylim(0, 1.25 * 100)
    ax.set_ylabel("Efficiency (%)")
    figure.legend(loc="outside lower center", ncols=3)
    return figure


def _by_servers(comparison: pd.DataFrame) -> tuple[Figure, Axes]:
    figure = new_figure(_HEIGHT_IN)
    ax = figure.add_subplot()
    ends = [comparison[name] for name in ("simulated", "lo", "hi")]
    draw_means(ax, comparison["servers"] - _ASIDE, ends, SIMULATED, label="simulated")
    ax.plot(
        comparison["servers"] + _ASIDE,
        comparison["published"],
        color=PUBLISHED.color,
        marker=PUBLISHED.marker,
        mfc="white",
        ls="none",
        ms=4,
        label="published",
    )
    ax.set_xticks(comparison["servers"])
    ax.set_xlabel(_SERVERS)
    return figure, ax


@styled
def rates_over_time(acr: pd.DataFrame, end_s: float, title: str) -> Figure:
    """ACR of some circuits and the mean over all that carry data, in one run.

    Args:
        acr: columns time_s (start of the bin), and acr_bit_s of a client a column, by its name; the
            last one, ``MEAN``, is the mean over all.
        end_s: simulated time.
        title: which run it is.
    """
    figure = new_figure(_HEIGHT_IN)
    ax = figure.add_subplot()
    names = [name for name in acr.columns if name not in ("time_s", MEAN)]
    for number, name in enumerate(names, start=1):
        look = series_look(number)
        values = acr[name] / _MBIT_S
        ax.step(acr["time_s"], values, where="post", color=look.color, lw=0.6, label=name)
    mean = acr[MEAN] / _MBIT_S
    ax.step(acr["time_s"], mean, where="post", color=BLACK, lw=1.1, label=MEAN)
    ax.set_title(title, loc="left")
    ax.set_xlim(0, end_s)
    # From a share of a hundredth of the trunk to a whole access link lie three decades.
    ax.set_yscale("log")
    ax.yaxis.set_major_formatter(PlainNumbers())
    ax.yaxis.set_minor_formatter(PlainNumbers())
    ax.set_xlabel("Time (s)")
    ax.set_ylabel("ACR (Mbit/s, logarithmic)")
    figure.legend(loc="outside lower center", ncols=2)
    return figure


@styled
def response_times(services: pd.DataFrame) -> Figure:
    """Median and 95 % quantile of the response times, a row a service.

    Args:
        services: the rows of the table of services with one number of servers.
    """
    names = [carrier_name(Carrier(*row)) for row in services[CARRIER].itertuples(index=False)]
    figure = new_figure(1.1 + 0.2 * len(names))
    ax = figure.add_subplot()
    places = np.arange(len(names))
    for metric, label, color, marker, aside in (
        ("response_median_s", "median", SIMULATED.color, "o", -_ASIDE),
        ("response_p95_s", "95 % quantile", VERMILLION, "D", _ASIDE),
    ):
        middle = services[metric].to_numpy(dtype=float)
        ends = np.array(
            [middle - services[f"{metric}_lo"], services[f"{metric}_hi"] - middle], dtype=float
        )
        ax.errorbar(
            middle,
            places + aside,
            xerr=_within(ends, middle),
            color=color,
            marker=marker,
            ls="none",
            ms=4,
            capsize=2,
            elinewidth=0.9,
            label=label,
        )
    ax.set_yticks(places, names)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.set_xscale("log")
    ax.xaxis.set_major_formatter(PlainNumbers())
    ax.xaxis.set_minor_formatter(PlainNumbers(minor_thresholds=(1.5, 0.7)))
    ax.set_xlabel("Response time (s, logarithmic)")
    figure.legend(loc="outside lower center", ncols=2)
    return figure


def _within(ends: np.ndarray, middle: Sequence[float]) -> np.ndarray | None:
    """Lengths of bars on a logarithmic axis; nothing if there is none to draw."""
    if not np.isfinite(ends).any():
        return None
    below = [
        min(length, 0.9 * value) if isfinite(length) else length
        for length, value in zip(ends[0], middle, strict=True)
    ]
    return np.array([below, ends[1]])
