"""The files of the study."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd

from ackclock.campaign.files import write_whole
from ackclock.studies.common.outputs import write_tables
from ackclock.studies.newreno.kernel.pasted import markdown
from ackclock.studies.newreno.result import NewRenoResult

KERNEL_PAGE = "kernel.md"


def write_files(
    result: NewRenoResult, folder: Path, write_report: Callable[[NewRenoResult, Path], object]
) -> list[Path]:
    """Write all files of a result.

    Args:
        result: of the study.
        folder: an existing folder.
        write_report: writes the report to a path.

    Returns:
        Paths of the files: results.csv and runs.csv if anything was run; errors.csv and trust.csv
        if more than the variants of NewReno were; emulation.csv and internet.csv if those parts
        were asked for; kernel.csv, kernel_steps.csv, kernel_runs.csv and kernel.md (the same in
        Markdown) if the kernel was; claims.csv; report.html.
    """
    kernel = result.kernel
    tables = {
        "results": result.results,
        "runs": result.runs,
        "errors": result.errors,
        "trust": result.trust,
        "emulation": result.emulation,
        "internet": result.internet,
        "kernel": kernel.beside if kernel else pd.DataFrame(),
        "kernel_steps": kernel.steps if kernel else pd.DataFrame(),
        "kernel_runs": kernel.runs if kernel else pd.DataFrame(),
    }
    paths = write_tables(tables, result, folder, write_report)
    page = folder / KERNEL_PAGE
    if kernel is None:
        page.unlink(missing_ok=True)
        return paths
    text = markdown(kernel)
    write_whole(page, lambda path: path.write_text(text, encoding="utf-8", newline="\n"))
    return [*paths, page]
