"""``ackclock export``."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from ackclock.cli.output import say
from ackclock.cli.reading import results_of, warnings_shown


def export(
    place: Path,
    /,
    *,
    csv: Path | None = None,
    parquet: Path | None = None,
    what: Literal["metrics", "flows", "summary", "pages"] = "metrics",
) -> None:
    """Write a table of the results of a campaign to a CSV or Parquet file.

    Args:
        place: Folder of a campaign, or the scenario file next to it.
        csv: CSV file to write; numbers have six decimals; equal results give identical files.
        parquet: Parquet file to write; numbers have all digits.
        what: Table to write: one row per run (metrics), per flow of a run (flows), per point with
            means and 95 % intervals (summary), or per page and file that a recorded run fetched
            (pages). Rows of emulated runs and points include the verdict and the lateness of
            packets.
    """
    from ackclock.errors import InputError
    from ackclock.results.export import table_of, write_csv, write_parquet

    if csv is None and parquet is None:
        raise InputError("name a file: --csv results.csv or --parquet results.parquet")
    with warnings_shown():
        results = results_of(place)
    table = table_of(results, what)
    written = []
    if csv is not None:
        written.append(write_csv(table, csv, results.factors))
    if parquet is not None:
        written.append(write_parquet(table, parquet))
    rows = "1 row is" if len(table) == 1 else f"{len(table)} rows are"
    say(f"{rows} in {' and '.join(map(str, written))}")
