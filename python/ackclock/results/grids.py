"""Tables of results as text: for a terminal, for a notebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import floor, isfinite, isnan, log10
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ackclock.plots.quantities import level_texts, quantity, sentence
from ackclock.plurals import counted
from ackclock.results.emulated import verdict_text
from ackclock.results.equal_replications import without_width

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import ArrayLike
    from rich.console import Group

    Table = pd.DataFrame | Mapping[str, ArrayLike]
    """Columns of a table of numbers, by name."""

MISSING = "–"
_DIGITS_OF_A_HALF_WIDTH = 2
_DIGITS_OF_A_MEAN = 4
_MOST_DECIMALS = 6
_RATIO_DECIMALS = 3
_STYLE = (
    "border-collapse:collapse;font-variant-numeric:tabular-nums",
    "padding:2px 10px;text-align:left;border-bottom:1px solid #999",
    "padding:2px 10px;text-align:{}",
)


class Grid(NamedTuple):
    """A table of texts.

    Attributes:
        title: text above the table.
        heads: heads of the columns.
        rows: rows with one text per column.
        numeric: for each column, whether it is aligned right.
        foot: text below the table.
        keys: number of first columns that together name a row.
    """

    title: str
    heads: list[str]
    rows: list[list[str]]
    numeric: list[bool]
    foot: str = ""
    keys: int = 0


class Column(NamedTuple):
    """A column of a ``Grid``; the keys are the first columns and together name a row."""

    head: str
    texts: list[str]
    numeric: bool = True
    key: bool = False


def grid(title: str, columns: Sequence[Column], foot: str = "") -> Grid:
    """Return columns of equal length as a table."""
    rows = [list(row) for row in zip(*(column.texts for column in columns), strict=True)]
    return Grid(
        title,
        [column.head for column in columns],
        rows,
        [column.numeric for column in columns],
        foot,
        sum(column.key for column in columns),
    )


def level_column(column: str, levels: Sequence[object]) -> Column:
    """Return the column of the levels of a factor."""
    return Column(sentence(quantity(column).name), level_texts(column, levels), False, key=True)


def interval_column(
    column: str,
    table: Table,
    head: str = "",
    *,
    sign: str = "",
    beside: Sequence[float] | None = None,
    unit: str = "",
) -> Column:
    """Means with half the width of their intervals: "9.31 ± 0.02".

    An interval that ends at 0, or one of a share that ends at 1, is not symmetric. If there is one,
    all intervals are shown with both ends: "0.998 (0.991 to 1.000)".

    Args:
        column: name of the averaged column; its suffix gives the unit.
        table: columns mean, lo, hi in that unit.
        head: head of the column, instead of the name.
        sign: "+" to show the sign of positive numbers too.
        beside: values that choose the multiple of the unit (k, M, G); by default the means.
        unit: unit of the values, if the name does not contain it.
    """
    shown = quantity(column, table["mean"] if beside is None else beside, unit)
    mean, lo, hi = (
        np.asarray(table[name], dtype=float) / shown.scale for name in ("mean", "lo", "hi")
    )
    half = (hi - lo) / 2
    decimals = _decimals(mean, half)
    with np.errstate(invalid="ignore"):
        # An interval of numbers that are not a metric may be infinite.
        aside = np.abs((hi - mean) - (mean - lo))
    # Ends are rounded to the decimals of the mean.
    if not (aside > 1e-6 * half + 1e-9 * np.abs(mean)).any():
        texts = [
            # Equal values have no interval.
            _number(value, decimals, sign)
            + (f" ± {width:.{decimals}f}" if isfinite(width) and width > 0 else "")
            for value, width in zip(mean, half, strict=True)
        ]
    else:
        texts = _with_ends(mean, lo, hi, decimals)
    name = head or sentence(shown.name)
    return Column(f"{name} ({shown.unit})" if shown.unit else name, texts)


def percent_column(head: str, table: pd.DataFrame) -> Column:
    """Return ratios in percent with the ends of their intervals: "+12.3 (+9.8 to +15.1)".

    Args:
        head: head of the column.
        table: columns mean, lo, hi; the mean need not be in the middle.
    """
    values = 100 * table[["mean", "lo", "hi"]].to_numpy(dtype=float)
    decimals = _decimals(values[:, 0], (values[:, 2] - values[:, 1]) / 2)
    texts = [
        _number(mean, decimals, "+")
        # Equal values have no interval; rounding may leave a tiny one.
        + (
            f" ({lo:+.{decimals}f} to {hi:+.{decimals}f})"
            if isfinite(hi - lo) and hi - lo > 1e-9 * abs(mean)
            else ""
        )
        for mean, lo, hi in values
    ]
    return Column(f"{head} (%)", texts)


def ratio_column(head: str, table: pd.DataFrame) -> Column:
    """Return ratios with the ends of their intervals: "0.981 (0.962 to 1.003)".

    Args:
        head: head of the column.
        table: columns mean, lo, hi; the mean need not be in the middle.
    """
    mean, lo, hi = table[["mean", "lo", "hi"]].to_numpy(dtype=float).T
    half = (hi - lo) / 2
    decimals = _RATIO_DECIMALS
    if np.isfinite(half).any():
        decimals = max(_decimals(mean, half), decimals)
    return Column(head, _with_ends(mean, lo, hi, decimals))


def _with_ends(mean: np.ndarray, lo: np.ndarray, hi: np.ndarray, decimals: int) -> list[str]:
    texts = []
    for value, low, high in zip(mean, lo, hi, strict=True):
        ends = [f"{end:.{decimals}f}" for end in (low, high)]
        # "1.0000 (1.0000 to 1.0000)" has no more information than "1.0000".
        shown = isfinite(high - low) and ends[0] != ends[1]
        texts.append(_number(value, decimals) + (f" ({ends[0]} to {ends[1]})" if shown else ""))
    return texts


def verdict_columns(verdicts: pd.DataFrame, points: Sequence[int]) -> list[Column]:
    """Return the columns with verdicts and lateness of the runs of each point.

    Args:
        verdicts: columns verdict, late_p50_us, one row per run; an empty table gives no columns.
        points: number of the point of each run.
    """
    if verdicts.empty:
        return []
    by_point = verdicts.assign(point=list(points)).groupby("point", sort=False)
    return [
        Column("Verdict", [verdict_text(list(each)) for _, each in by_point["verdict"]], False),
        Column(
            "Late, median (µs)",
            [_number(late, 0) for late in by_point["late_p50_us"].median()],
        ),
    ]


def p_column(table: pd.DataFrame) -> Column:
    """Return p values: "0.013", "< 0.001"; empty where a difference does not vary.

    Args:
        table: columns p_holm, and lo and hi of the difference.
    """
    untested = without_width(table) | table["p_holm"].isna()
    texts = [
        MISSING if missing else "< 0.001" if p < 0.001 else f"{p:.3f}"
        for p, missing in zip(table["p_holm"], untested, strict=True)
    ]
    return Column("p (Holm)", texts)


def _decimals(values: np.ndarray, half: np.ndarray) -> int:
    """Return the decimals that match the typical interval, or, without intervals, four digits."""
    widths = half[np.isfinite(half) & (half > 0)]
    finite = np.abs(values[np.isfinite(values)])
    if widths.size:
        digits, size = _DIGITS_OF_A_HALF_WIDTH, float(np.median(widths))
    elif finite.size and finite.max() > 0 and (finite != np.round(finite)).any():
        digits, size = _DIGITS_OF_A_MEAN, float(finite.max())
    else:
        return 0
    return min(max(0, digits - 1 - floor(log10(size))), _MOST_DECIMALS)


def _number(value: float, decimals: int, sign: str = "") -> str:
    if isnan(value):
        return MISSING
    return (
        f"{value:{sign}.{decimals}f}" if isfinite(value) else f"{value:{sign}}".replace("inf", "∞")
    )


def rich_table(shown: Grid) -> Group:
    """Return a grid as a table for a terminal."""
    from rich.console import Group
    from rich.text import Text

    from ackclock.terminal import TerminalTable

    table = TerminalTable(keys=shown.keys)
    for head, numeric in zip(shown.heads, shown.numeric, strict=True):
        table.add_column(head, justify="right" if numeric else "left")
    for row in shown.rows:
        table.add_row(*map(Text, row))
    # rich would wrap a title or caption to the width of the columns.
    return Group(Text(shown.title, style="bold"), table, Text(f" {shown.foot}", style="dim"))


def html_table(shown: Grid, most: int) -> str:
    """Return a grid as HTML for a notebook, with at most ``most`` rows."""
    table, head, cell = _STYLE
    lines = [f"<div><strong>{escape(shown.title)}</strong>", f'<table style="{table}"><thead><tr>']
    lines += [f'<th scope="col" style="{head}">{escape(text)}</th>' for text in shown.heads]
    lines.append("</tr></thead><tbody>")
    sides = ["right" if numeric else "left" for numeric in shown.numeric]
    for row in shown.rows[:most]:
        cells = zip(row, sides, strict=True)
        texts = (f'<td style="{cell.format(side)}">{escape(text)}</td>' for text, side in cells)
        lines.append(f"<tr>{''.join(texts)}</tr>")
    lines.append("</tbody></table>")
    left = len(shown.rows) - most
    more = f"{counted(left, 'more row is', 'more rows are')} not shown. " if left > 0 else ""
    lines.append(f"<small>{escape(more + shown.foot)}</small></div>")
    return "\n".join(lines)
