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
    """Write a table of results to a file.

    Args:
        place: Folder of a campaign, or the scenario file beside it.
        csv: A CSV file: six decimals, the same bytes for the same results.
        parquet: A Parquet file, with all digits.
        what: A row a run, a row a flow of a run, means with 95 % intervals (a row a point), or the
            pages and files that were fetched in the recorded runs (a row each). Rows of emulated
            runs and points have the verdict and the lateness too.
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
