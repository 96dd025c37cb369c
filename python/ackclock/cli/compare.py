"""``ackclock compare``: levels of a factor in a campaign, or TCPs on the built-in dumbbell."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from ackclock.cli.progress import campaign_progress
from ackclock.cli.reading import console, names, results_of, warnings_told
from ackclock.errors import InputError

Several = Annotated[list[str], Parameter(consume_multiple=True, negative=())]
_OUT = Path("out/compare")


def compare(
    *what: str,
    by: str | None = None,
    baseline: str | None = None,
    metric: Several | None = None,
    pooled: Annotated[bool, Parameter(negative=())] = False,
    confidence: float = 0.95,
    out: Path | None = None,
    jobs: int | None = None,
) -> None:
    """Compare TCPs on the built-in dumbbell, or the levels of a factor of a campaign.

    `ackclock compare reno newreno sack` makes the runs and draws cwnd and queue over time;
    `ackclock compare lab.results --by tcp_flavor --baseline reno` reads runs that are there.
    Differences are paired: replications share their random numbers.

    Args:
        what: TCP flavors; or, with --by, the folder of a campaign or its scenario file.
        by: Column of the factor to compare.
        baseline: Level that the others are compared with; by default the first.
        metric: Metrics to compare, with commas between; by default goodput_bit_s.
        pooled: Average over the other factors, instead of comparing within each combination.
        confidence: Of the intervals.
        out: Folder for the runs and the figure, of TCPs; by default out/compare.
        jobs: Runs at the same time, of TCPs; by default one for each processor.
    """
    if by is None:
        only_with_by = {"--baseline": baseline, "--metric": metric, "--pooled": pooled or None}
        _compare_flavors(what, only_with_by, out or _OUT, jobs)
        return
    _refuse({"--out": out, "--jobs": jobs}, "belongs to a comparison of TCPs, without --by")
    if len(what) != 1:
        raise InputError(
            f"--by {by}: name one folder or scenario file, for example"
            f" ackclock compare lab.results --by {by}"
        )
    from ackclock.results.comparisons import comparison_grid
    from ackclock.results.grids import rich_table

    with warnings_told():
        results = results_of(Path(what[0]))
    screen = console()
    tables = [
        comparison_grid(results, by, baseline, each, pooled=pooled, confidence=confidence)
        for each in names(metric) or ["goodput_bit_s"]
    ]
    for table in tables:
        screen.print(rich_table(table))


def _compare_flavors(
    flavors: Sequence[str], only_with_by: dict[str, object], out: Path, jobs: int | None
) -> None:
    _refuse(only_with_by, "belongs to a comparison within a campaign: name its factor with --by")
    for word in flavors:
        if Path(word).is_dir() or word.endswith(".toml"):
            raise InputError(
                f"{word}: name the factor to compare, for example --by tcp_flavor --baseline reno"
            )
    from ackclock.results.flavors import compare_flavors
    from ackclock.results.grids import rich_table

    with warnings_told(), campaign_progress(as_json=False) as on_progress:
        found = compare_flavors(flavors, out, jobs=jobs, on_progress=on_progress)
    screen = console()
    screen.print(rich_table(found.table))
    screen.print(f"cwnd and queue over time: {', '.join(map(str, found.figures))}", soft_wrap=True)


def _refuse(options: dict[str, object], reason: str) -> None:
    given = [name for name, value in options.items() if value is not None]
    if given:
        raise InputError(f"{name}: {reason}" for name in given)
