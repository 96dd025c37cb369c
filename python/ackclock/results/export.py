"""Files of results: the same bytes for the same results, complete or absent."""

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
    """One of ``TABLES``; a summary has a row a point.

    Of emulated runs, metrics have the columns of ``Results.verdicts`` too, and a summary says how
    many runs of each point are valid, degraded and invalid, and the median of late_p50_us.

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
    """The columns of verdicts behind the metrics, if there are any."""
    if verdicts.empty:
        return metrics
    return metrics.join(verdicts.loc[:, "verdict":])


def write_csv(table: pd.DataFrame, path: Path, factors: Sequence[str]) -> Path:
    """UTF-8 with a header, commas and line feeds; six decimals; nothing for nan; no formulas.

    Args:
        table: to be written.
        path: of the file.
        factors: columns whose numbers are written with all their digits, because they
            identify points.

    Raises:
        InputError: it cannot be written.
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
    """All digits; the units of columns are in their names.

    Raises:
        InputError: it cannot be written.
    """
    import pyarrow as pa
    from pyarrow import parquet

    content = pa.Table.from_pandas(table, preserve_index=False).replace_schema_metadata(None)
    return written(path, lambda place: parquet.write_table(content, place, compression="zstd"))


def write_figure(figure: SourcedFigure, path: Path) -> Path:
    """A figure in the format of the file's ending.

    Raises:
        InputError: there is no such format, or it cannot be written.
    """
    ending = path.suffix.removeprefix(".").lower()
    if ending not in FORMATS:
        raise InputError(f"{path}: end the name of a figure in .{', .'.join(FORMATS)}")
    return written(path, lambda place: figure.savefig(place, format=ending))


def written(path: Path, write: Callable[[Path], object]) -> Path:
    """Write a file whole or not at all, and the folders that it needs.

    Args:
        path: of the file.
        write: writes it to the path that it gets.

    Raises:
        InputError: it cannot be written.
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
