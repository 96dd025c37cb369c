"""The pages, each with its tables as CSV and its figures beside it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd

from ackclock.campaign.files import write_bytes_whole
from ackclock.kernel_validation import emulation_page, kernel_figures, kernel_page
from ackclock.kernel_validation.comparison import points
from ackclock.kernel_validation.emulation_figure import figure_svg
from ackclock.kernel_validation.environment import Environment, environment
from ackclock.untrusted_text import without_formulas

if TYPE_CHECKING:
    from ackclock.kernel_validation.runs import Made


class _Page(NamedTuple):
    """A page.

    Attributes:
        text: makes it, of the campaigns, the runs, the points, and where they were made.
        figures: make SVG of the points, by the names of the files.
    """

    text: Callable[[Made, pd.DataFrame, pd.DataFrame, Environment], str]
    figures: Mapping[str, Callable[[pd.DataFrame], str]]


_PAGES = {
    emulation_page.FOLDER: _Page(emulation_page.page, {"ratios.svg": figure_svg}),
    kernel_page.FOLDER: _Page(kernel_page.page, kernel_figures.FIGURES),
}
"""By name of the file and of the folder beside it."""


def write(made: Made, rows: pd.DataFrame) -> list[Path]:
    """Write the pages whose parts were made, with tables and figures.

    Args:
        made: the campaigns.
        rows: of ``comparison.compare``.

    Returns:
        The paths of the pages.

    Raises:
        OSError: they cannot be written.
    """
    written = []
    for name, its in _PAGES.items():
        parts = made.on(name)
        here = rows[rows["part"].isin([each.part.name for each in parts.parts])]
        if len(here):
            written.append(_write(name, its, parts, here))
    return written


def _write(name: str, its: _Page, made: Made, rows: pd.DataFrame) -> Path:
    out, found, where = made.request.out, points(rows), environment(made)
    tables = out / name
    tables.mkdir(parents=True, exist_ok=True)
    texts = {
        tables / "runs.csv": without_formulas(rows).to_csv(index=False, float_format="%.6g"),
        tables / "points.csv": without_formulas(found).to_csv(index=False, float_format="%.6g"),
        tables / "kernel.json": json.dumps(where.as_dict(), indent=1) + "\n",
        **{tables / file: make(found) for file, make in its.figures.items()},
        out / f"{name}.md": its.text(made, rows, found, where),
    }
    for path, text in texts.items():
        write_bytes_whole(path, text.encode())
    return out / f"{name}.md"
