"""Files of results: equal results give equal bytes; a file is complete or absent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from ackclock.campaign.files import write_whole
from ackclock.errors import InputError
from ackclock.untrusted_text import without_formulas

if TYPE_CHECKING:
    from ackclock.plots.sourced import SourcedFigure
    from ackclock.results.results import Results

TABLES = ("metrics", "flows", "summary", "pages")
FORMATS = ("png", "svg", "pdf", "pgf")
DECIMALS = 6


def table_of(results: Results, what: str) -> pd.DataFrame:
    """Return one of ``TABLES``; a summary has one row per point.

    For emulated runs, the metrics also have the columns of ``Results.verdicts``; a summary also has
    the numbers of valid, degraded and invalid runs of each point, and the median of late_p50_us.

    Raises:
        InputError: single flows are not kept, or no pages were recorded.
    """
    if what == "summary":
        return results.summary(wide=True).join(results.verdict_counts())
    if what == "pages":
        return results.pages
    if what == "flows":
        return results.flows
    return _with_verdicts(results.metrics, results.verdicts)


def _with_verdicts(metrics: pd.DataFrame, verdicts: pd.DataFrame) -> pd.DataFrame:
    """Return the metrics, followed by the columns of verdicts, if there are any."""
    if verdicts.empty:
        return metrics
    return metrics.join(verdicts.loc[:, "verdict":])


def write_csv(table: pd.DataFrame, path: Path, factors: Sequence[str]) -> Path:
    """Write a CSV file: UTF-8, a header, line feeds, six decimals, empty cells for nan.

    Args:
        table: table to write; texts that a spreadsheet reads as formulas are escaped.
        path: path of the file.
        factors: columns whose numbers are written with all digits, because they identify
            points.

    Raises:
        InputError: the file cannot be written.
    """
    exact = {
        name: table[name].map(repr)
        for name in factors
        if name in table and pd.api.types.is_float_dtype(table[name])
    }
    shown = without_formulas(table.assign(**exact))
    return written(
        path,
        lambda place: shown.to_csv(
            place,
            index=False,
            float_format=f"%.{DECIMALS}f",
            lineterminator="\n",
            encoding="utf-8",
        ),
    )


def write_parquet(table: pd.DataFrame, path: Path) -> Path:
    """Write a Parquet file with all digits; the names of columns contain the units.

    Raises:
        InputError: the file cannot be written.
    """
    import pyarrow as pa
    from pyarrow import parquet

    content = pa.Table.from_pandas(table, preserve_index=False).replace_schema_metadata(None)
    return written(path, lambda place: parquet.write_table(content, place, compression="zstd"))


def write_figure(figure: SourcedFigure, path: Path) -> Path:
    """Write a figure in the format of the file's suffix.

    Raises:
        InputError: the format is unknown, or the file cannot be written.
    """
    ending = path.suffix.removeprefix(".").lower()
    if ending not in FORMATS:
        raise InputError(f"{path}: end the name of a figure in .{', .'.join(FORMATS)}")
    return written(path, lambda place: figure.savefig(place, format=ending))


def written(path: Path, write: Callable[[Path], object]) -> Path:
    """Write a file completely or not at all, and create its folders.

    Args:
        path: path of the file.
        write: writes the file to the path in its argument.

    Raises:
        InputError: the file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, write)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(
            f"{path}: cannot be written ({reason}); name a file that you may write"
        ) from error
    return path
