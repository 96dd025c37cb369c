"""The tables of the pages of modern studies: claims, printed numbers beside ours, experiments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import isfinite, nan
from pathlib import Path
from typing import Any

import pandas as pd

from ackclock.studies.machinery.claims import EXPLORATORY, p_text
from ackclock.studies.machinery.points_in_print import COMPARISON
from ackclock.studies.machinery.study import Study
from tables.markdown import read, setting_text, table

_VERDICTS = {
    "true": "holds",
    "false": "fails",
    "undecided": "undecided",
    EXPLORATORY: "exploratory",
    "": "not run",
}
_NUMBERS = ("metric", "published", "source", "simulated", "lo", "hi", "run_lo", "run_hi", "delta")
EXPERIMENTS = "experiments"
Tables = Mapping[str, Callable[[Path], str]]


def tables_of(study: Study, folder: Path) -> Tables:
    """The tables of a study's page: its claims; printed numbers and experiments if there are any.

    Args:
        study: of the page.
        folder: of the page.
    """
    found = {"claims": claims}
    if study.published:
        found["printed"] = printed
    if (folder / f"{EXPERIMENTS}.csv").exists():
        found[EXPERIMENTS] = experiments
    return found


def experiments(folder: Path) -> str:
    """What other settings give: the table that was kept by hand when its runs were made.

    Args:
        folder: of the page, with ``experiments.csv``: first the setting, then any columns.
    """
    found = pd.read_csv(folder / f"{EXPERIMENTS}.csv", dtype=str).fillna("")
    rows = found.itertuples(index=False, name=None)
    return table(list(found), [(setting_text(setting), *rest) for setting, *rest in rows])


def claims(folder: Path) -> str:
    """Each claim with its verdict, the numbers that decide it, and why it fails or stays open.

    Args:
        folder: of the page, with ``claims.csv`` and ``causes.csv``.
    """
    causes = read(folder, "causes", ("id", "cause")).set_index("id")["cause"].to_dict()
    rows = [
        (
            f"`{row['id']}`",
            _VERDICTS[row["holds"]],
            p_text(row.get("p", nan)).removeprefix("p = ").removeprefix("p "),
            row["evidence"],
            causes.get(row["id"], ""),
        )
        for row in read(folder, "claims", ("id", "holds", "evidence")).to_dict("records")
    ]
    return table(("claim", "verdict", "p", "what we found", "cause"), rows)


def printed(folder: Path) -> str:
    """Each printed number beside ours, and whether it lies where one of our runs may.

    Args:
        folder: of the page, with files that ``points_in_print.comparisons`` has made.
    """
    rows = [
        row
        for path in sorted(folder.glob(f"*{COMPARISON}.csv"))
        for row in _rows(path.stem.removesuffix(COMPARISON).removesuffix("-"), pd.read_csv(path))
    ]
    return table(("at", "metric", "printed", "ours", "one run", "source"), rows)


def _rows(part: str, compared: pd.DataFrame) -> Iterator[tuple[str, ...]]:
    levels = [column for column in compared if column not in _NUMBERS]
    for row in compared.to_dict("records"):
        at = ", ".join([part, *(f"{name} {_text(row[name])}" for name in levels)]).lstrip(", ")
        ours = f"{_text(row['simulated'])} ({_text(row['lo'])} to {_text(row['hi'])})"
        yield at, row["metric"], _text(row["published"]), ours, _of_one_run(row), row["source"]


def _of_one_run(row: Mapping[str, Any]) -> str:
    if not isfinite(row["run_hi"] - row["run_lo"]):
        return ""
    return "inside" if row["run_lo"] <= row["published"] <= row["run_hi"] else "outside"


def _text(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
