"""``ackclock compare``: campaigns, levels of a factor in one, or TCPs on the built-in dumbbell."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from ackclock.cli.json_output import say_json
from ackclock.cli.options import AllowCode, Several
from ackclock.cli.progress import campaign_progress
from ackclock.cli.reading import console, names, print_notes, results_of, warnings_shown
from ackclock.code_permission import code_allowed
from ackclock.errors import InputError

_OUT = Path("out/compare")
_METRIC = "goodput_bit_s"


def compare(
    *what: str,
    by: str | None = None,
    baseline: str | None = None,
    metric: Several | None = None,
    pooled: Annotated[bool, Parameter(negative=())] = False,
    confidence: float = 0.95,
    out: Path | None = None,
    jobs: int | None = None,
    format: Literal["svg", "png", "pdf", "pgf"] | None = None,
    allow_code: AllowCode = False,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """Compare TCPs, the levels of a factor of a campaign, or campaigns of the same points.

    `ackclock compare cubic reno sack` makes runs on the built-in dumbbell and draws cwnd and
    queue over time; `ackclock compare lab.results --by tcp_flavor --baseline reno` and `ackclock
    compare lab.results lab.emulated` read existing runs, the latter simulated and emulated ones
    side by side. Differences are paired: replications share their random numbers.

    Args:
        what: TCP flavors, by default cubic, reno, newreno and sack; my_tcp.py:MyControl is a class
            in a Python file. With --by: the folder of one campaign, or its scenario file. Or
            several folders, each compared with the first.
        by: Column of the factor whose levels are compared.
        baseline: Level with which the others are compared; by default the first.
        metric: Metrics to compare, separated by commas; by default goodput_bit_s, or, with several
            folders, the metrics of the scenario.
        pooled: Average over the other factors (with several folders: over the points), instead of
            comparing at each combination of their levels.
        confidence: Confidence level of the intervals, a number between 0 and 1.
        out: With TCP flavors: folder for the runs and the figure; by default out/compare.
        jobs: With TCP flavors: number of runs at the same time; by default one per processor.
        format: With TCP flavors: format of the figure; by default svg.
        allow_code: With TCP flavors: let those run that are Python code, such as
            my_tcp.py:MyControl; read it first.
        json: Print one JSON document, in the metrics' units.
    """
    only_flavors = {"--out": out, "--jobs": jobs, "--format": format}
    if by is None and len(what) > 1 and any(map(_is_place, what)):
        _refuse({"--baseline": baseline}, "the first folder is the baseline; leave it out")
        _refuse(only_flavors, "applies only to a comparison of TCPs")
        _compare_folders(what, names(metric), pooled=pooled, confidence=confidence, as_json=json)
        return
    if by is None:
        only_with_by = {"--baseline": baseline, "--metric": metric, "--pooled": pooled or None}
        with code_allowed(allow_code):
            _compare_flavors(what, only_with_by, out or _OUT, jobs, format or "svg", as_json=json)
        return
    _refuse(only_flavors, "applies only to a comparison of TCPs, without --by")
    if len(what) != 1:
        raise InputError(
            f"--by {by}: name one folder or scenario file, for example"
            f" ackclock compare lab.results --by {by}"
        )
    from ackclock.results.comparisons import comparison_grid
    from ackclock.results.grids import rich_table

    with warnings_shown():
        results = results_of(Path(what[0]))
    metrics = names(metric) or [_METRIC]
    if json:
        from ackclock.results.json_documents import comparison_document

        how = {"pooled": pooled, "confidence": confidence}
        say_json(comparison_document(results, by, baseline, metrics, **how))
        return
    screen = console()
    tables = [
        comparison_grid(results, by, baseline, each, pooled=pooled, confidence=confidence)
        for each in metrics
    ]
    for table in tables:
        screen.print(rich_table(table))
    print_notes(results)


def _compare_folders(
    what: Sequence[str],
    metrics: list[str] | None,
    *,
    pooled: bool,
    confidence: float,
    as_json: bool,
) -> None:
    from ackclock.results.grids import rich_table
    from ackclock.results.side_by_side import SideBySide

    words = [word for word in what if not _is_place(word)]
    if words:
        raise InputError(
            f"{word}: is not a folder; compare folders, or TCP flavors, for example"
            " ackclock compare lab.results lab.emulated"
            for word in words
        )
    with warnings_shown():
        its = SideBySide([results_of(Path(each)) for each in what])
    metrics = metrics or list(its.shown_metrics)
    if as_json:
        from ackclock.results.json_documents import side_by_side_document

        say_json(side_by_side_document(its, metrics, pooled=pooled, confidence=confidence))
        return
    tables = [its.grid(each, pooled=pooled, confidence=confidence) for each in metrics]
    screen = console()
    for table in tables:
        screen.print(rich_table(table))
    print_notes(*its.several)


def _is_place(word: str) -> bool:
    """Whether a campaign is meant."""
    if ".py:" in word:
        return False
    return word.endswith(".toml") or "/" in word or Path(word).is_dir()


def _compare_flavors(
    flavors: Sequence[str],
    only_with_by: dict[str, object],
    out: Path,
    jobs: int | None,
    format: str,
    *,
    as_json: bool,
) -> None:
    _refuse(
        only_with_by, "applies only to a comparison within a campaign: name its factor with --by"
    )
    for word in flavors:
        if _is_place(word):
            raise InputError(
                f"{word}: name the factor to compare, for example --by tcp_flavor --baseline reno;"
                " or a second folder"
            )
    from ackclock.results.flavors import compare_flavors
    from ackclock.results.grids import rich_table

    with warnings_shown(), campaign_progress(as_json=False) as on_progress:
        found = compare_flavors(flavors, out, jobs=jobs, format=format, on_progress=on_progress)
    if as_json:
        say_json(found.document())
        return
    screen = console()
    screen.print(rich_table(found.table))
    where = f"cwnd and queue over time: {found.figure}"
    screen.print(where, soft_wrap=True, markup=False)
    print_notes(found.results)


def _refuse(options: dict[str, object], reason: str) -> None:
    given = [name for name, value in options.items() if value is not None]
    if given:
        raise InputError(f"{name}: {reason}" for name in given)
