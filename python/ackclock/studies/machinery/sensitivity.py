"""What each open convention is worth: a study with its defaults, and with each alternative.

All variants have the same seeds, so that the differences between them are far less noisy than their
distances from the published numbers. Their runs are kept in one folder: an interrupted call goes on
where it was, and a variant that differs in its analysis alone makes no run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from ackclock.campaign.files import write_whole
from ackclock.studies.machinery.reproduce import StudyResult, concluded
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.running import Execution, run_all
from ackclock.studies.machinery.study import PARTS, Study

DEFAULTS = "(defaults)"
FILE = "sensitivity.csv"
FOLDER = "sensitivity"
_OPTION = "--"
_DECIMALS = 4


class Alternative(NamedTuple):
    """A variant of a study.

    Attributes:
        setting: what is set: "key=value", several with semicolons between; or an option of the
            study, "--page-clock open". All else keeps its default.
        parts: that are run; all if none.
    """

    setting: str
    parts: tuple[str, ...] = ()

    def request(self, study: Study, replications: int, seed: int) -> Request:
        """The request for it."""
        levels = {PARTS: self.parts} if self.parts else {}
        request = Request(study, levels=levels, replications=replications, seed=seed)
        if self.setting == DEFAULTS:
            return request
        if self.setting.startswith(_OPTION):
            name, _, value = self.setting.removeprefix(_OPTION).partition(" ")
            return replace(request, options={name: value})
        return replace(request, sets=tuple(each.strip() for each in self.setting.split(";")))


class Sensitivity(NamedTuple):
    """What is reported of the variants of a study.

    Attributes:
        alternatives: the variants; the first is the default.
        rows: of the result of a variant, its rows of the table.
        headings: of the table in Markdown, after the setting.
        cells: of the rows of a variant, its cells in Markdown.
    """

    alternatives: tuple[Alternative, ...]
    rows: Callable[[StudyResult], pd.DataFrame]
    headings: tuple[str, ...]
    cells: Callable[[pd.DataFrame], Sequence[str]]

    def markdown(self, table: pd.DataFrame) -> str:
        """The rows of all variants as one table in Markdown."""
        keys = [name for name in ("part", "setting") if name in table]
        lines = [f"| {' | '.join([*keys, *self.headings])} |"]
        lines.append("|---" * (len(keys) + len(self.headings)) + "|")
        words = {*keys, *table.select_dtypes(exclude="number")}
        table = table.assign(**{each: table[each].astype(object).fillna("") for each in words})
        for _, rows in table.groupby(keys, sort=False):
            first = rows.iloc[0]
            names = [first["part"]] if "part" in keys else []
            names.append(_name(first["setting"]))
            lines.append(f"| {' | '.join([*names, *self.cells(rows)])} |")
        return "\n".join(lines) + "\n"


def alternatives(*settings: str, part: str = "") -> tuple[Alternative, ...]:
    """The defaults and these settings, of all parts or of one."""
    parts = (part,) if part else ()
    return tuple(Alternative(setting, parts) for setting in (DEFAULTS, *settings))


def sensitivity(
    study: Study, replications: int, seed: int, how: Execution
) -> Iterator[tuple[Alternative, pd.DataFrame]]:
    """Run each variant, and give its rows as it is done.

    Args:
        study: which.
        replications: of each point.
        seed: from which the seed of each replication is derived.
        how: the runs are made; they are kept in a folder of their own.

    Raises:
        InputError: runs have failed. KeyboardInterrupt: finished runs are kept.
    """
    assert study.sensitivity is not None
    how = how._replace(folder=how.folder / FOLDER)
    variants = study.sensitivity.alternatives
    by_part = len({each.parts for each in variants}) > 1
    for each in variants:
        made = run_all(each.request(study, replications, seed), how, alone=True)
        rows = study.sensitivity.rows(concluded(made))
        rows.insert(0, "setting", each.setting)
        if by_part:
            rows.insert(0, "part", ",".join(each.parts))
        yield each, rows


def write_table(tables: Sequence[pd.DataFrame], folder: Path) -> Path:
    """Write the rows of the variants that are done."""
    path, table = folder / FILE, pd.concat(tables)
    text = table.to_csv(index=False, float_format=f"%.{_DECIMALS}f", lineterminator="\n")
    write_whole(path, lambda place: place.write_text(text, encoding="utf-8", newline="\n"))
    return path


def _name(setting: str) -> str:
    return "*defaults*" if setting == DEFAULTS else f"`{setting}`"
