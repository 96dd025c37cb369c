"""The published studies: their tables beside your own runs, their claims, their points.

Your own numbers are those in the report of ``ackclock reproduce``, which writes them at its end
into a folder below the user's folder.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from math import isfinite
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, NamedTuple

import pandas as pd

from ackclock.campaign.store import SCENARIO
from ackclock.lab.campaigns.folders import Found, campaign_id, found, when
from ackclock.lab.campaigns.summaries import described
from ackclock.lab.endpoints import NotThereError
from ackclock.lab.settings import Settings
from ackclock.lab.studies.files import Ours, Own, number_of, own_numbers, rows_of
from ackclock.lab.studies.points import PartCost, costs, numbers, points
from ackclock.plots.quantities import quantity
from ackclock.studies import STUDIES, study_of
from ackclock.studies.machinery.claims import EXPLORATORY, p_text, share_text
from ackclock.studies.machinery.printed import Cell, Column, Printed, Table, of_means
from ackclock.studies.machinery.study import Study

_CLAIMS = "claims.csv"
_MOST_TITLE = 20_000
"""Number of characters at the start of a scenario that contain its title."""
_TITLE = re.compile(r'^title = "(.*)"$', re.MULTILINE)
_DIGITS = 6


class Ran(NamedTuple):
    """Runs of a study in the user's folder.

    Attributes:
        place: newest campaign of the study.
        out: folder with the study's output; none if the study has not ended.
    """

    place: Path
    out: Path | None


def _found(name: str) -> Study:
    """Return the study with a name.

    Raises:
        NotThereError: no study has this name.
    """
    if name not in STUDIES:
        raise NotThereError("study", name, STUDIES)
    return study_of(name)


def parts_of(name: str) -> list[str]:
    """Return the names for ``--parts`` of a study; empty if it has no such option."""
    parts = study_of(name).parts
    return [part.name for part in parts] if len(parts) > 1 else []


def studies(settings: Settings) -> list[dict[str, Any]]:
    """Return all studies."""
    there = found(settings)
    listed = []
    for its in map(study_of, STUDIES):
        ran = _ran(there, its)
        listed.append(
            {
                **_described(its),
                "parts": parts_of(its.name),
                "ran": campaign_id(settings.folder.resolve(), ran.place) if ran else None,
                "ended": ran is not None and ran.out is not None,
            }
        )
    return listed


def study(settings: Settings, name: str) -> dict[str, Any]:
    """Return the tables and claims of a study, with your own numbers if it has been run.

    Raises:
        NotThereError: there is no such study.
    """
    its = _found(name)
    ran = _ran(found(settings), its)
    out = ran.out if ran else None
    printed: Printed = resolve_name(its.printed) if its.printed else of_means(its)
    ours = own_numbers(printed.files, out) if out else {}
    return {
        **_described(its),
        "ran": campaign_id(settings.folder.resolve(), ran.place) if ran else None,
        "sentence": _sentence(name, ran, settings.folder.resolve()),
        "parts": _parts(name),
        "tables": [_table(table, ours) for table in printed.tables(numbers(name))],
        "claims": _claims(its, out),
    }


def point(name: str, number: str) -> dict[str, Any]:
    """Return the scenario of a cell of a study.

    Raises:
        NotThereError: there is no such study, or no such point.
    """
    its = _found(name)
    there = points(name)
    if not number.isdecimal() or int(number) >= len(there):
        raise NotThereError("point", number, [f"0 to {len(there) - 1}"])
    behind = there[int(number)]
    return {"state": behind.state(), "title": f"{its.title}: {behind.title}"}


def _described(its: Study) -> dict[str, Any]:
    return {
        "name": its.name,
        "title": its.title,
        "source": its.source,
        "about": its.question,
        "command": _command(its.name),
    }


def _parts(name: str) -> list[dict[str, Any]]:
    """Return the parts of a study, with points and processor time of a replication."""
    found = {each.name: each for each in costs(name)}
    # A part may have no runs: it only recomputes published numbers.
    names = parts_of(name) or list(found)
    return [found.get(each, PartCost(each, 0, 0.0))._asdict() for each in names]


def _command(name: str) -> str:
    return f"ackclock reproduce {name}"


@lru_cache
def _titles(name: str) -> frozenset[str]:
    """Return the titles of a study's scenarios, which identify its campaigns."""
    return frozenset(_read_title(file.path, 0) for file in study_of(name).files)


def _ran(there: Found, its: Study) -> Ran | None:
    """Return the newest complete runs of a study, or else the newest incomplete ones."""
    newest = None
    for place in there.places.values():
        if _title(place) not in _titles(its.name):
            continue
        # A study in parts has one campaign per part, in the folder of the study.
        for folder in (place, place.parent, place.parent.parent):
            if folder.is_relative_to(there.root) and _is_written(folder, its):
                return Ran(place, folder)
        newest = newest or Ran(place, None)
    return newest


@lru_cache(maxsize=4096)
def _read_title(path: Path, changed: int) -> str:
    with path.open(encoding="utf-8", errors="replace") as file:
        said = _TITLE.search(file.read(_MOST_TITLE))
    return said[1] if said else ""


def _title(place: Path) -> str:
    """Return the title of the scenario of a campaign."""
    path = place / SCENARIO
    try:
        return _read_title(path, path.stat().st_mtime_ns)
    except OSError:
        return ""


def _is_written(folder: Path, its: Study) -> bool:
    """Return whether a study has ended: its folder contains the claims."""
    known = {claim.id for claim in its.claims}
    return bool(known & {row.get("id", "") for row in _verdicts(folder)})


def _verdicts(folder: Path) -> list[dict[str, str]]:
    return rows_of(folder / _CLAIMS)


def _claims(its: Study, out: Path | None) -> list[dict[str, Any]]:
    """Return the conclusions of the paper, with verdicts if the study has been run."""
    rows = {row.get("id", ""): row for row in (_verdicts(out) if out else [])}
    words = {
        "true": "holds",
        "false": "does not hold",
        **{same: same for same in ("undecided", EXPLORATORY)},
    }
    claims = []
    for claim in its.claims:
        row = rows.get(claim.id, {})
        claims.append(
            {
                "id": claim.id,
                "text": claim.statement,
                "source": claim.source,
                "verdict": words.get(row.get("holds", "")),
                "p": p_text(number_of(row.get("p", ""))),
                "reached": share_text(number_of(row.get("reached", ""))),
                "why": row.get("evidence") or "not decided: the study was not run",
            }
        )
    return claims


def _sentence(name: str, ran: Ran | None, root: Path) -> str:
    """Return a sentence on the source of your own numbers."""
    if ran is None:
        return f"This study was not run here; make it with: {_command(name)}"
    place = (ran.out or ran.place).relative_to(root).as_posix()
    if ran.out is None:
        return (
            f"Runs of this study are in {place}, but it has not ended; the command that started it"
            " resumes from there and writes its tables at the end"
        )
    return f"Ours: from {place}, {when(ran.place).partition('T')[0]}"


def _table(table: Table, ours: Ours) -> dict[str, Any]:
    """Return a table with readable numbers."""
    columns = [
        _cells(column, [cells[at] for _, cells in table.rows], ours)
        for at, column in enumerate(table.columns)
    ]
    return {
        "id": table.id,
        "title": table.title,
        "heads": [*table.heads, *(column.head for column in table.columns)],
        "rows": [
            {"label": list(label), "cells": [column[at] for column in columns]}
            for at, (label, _) in enumerate(table.rows)
        ],
    }


def _cells(column: Column, cells: Sequence[Cell | None], ours: Ours) -> list[dict[str, Any] | None]:
    """Return the cells of a column, all in one unit."""
    there = [(at, cell) for at, cell in enumerate(cells) if cell is not None]
    own = [(at, ours[cell.key]) for at, cell in there if cell.key in ours]
    printed = [cell.published for _, cell in there if cell.published is not None]
    beside = [*printed, *(its.mean for _, its in own)]
    shown = quantity(column.metric, beside, column.unit)
    unit = shown.unit if shown.scale != 1.0 or column.unit != "1" else ""
    frame = pd.DataFrame([its[:3] for _, its in own], columns=["mean", "lo", "hi"])
    texts = described(column.metric, frame, unit, beside=beside) if own else []
    by_row = {at: its for (at, _), its in zip(own, texts, strict=True)}
    found: list[dict[str, Any] | None] = [None] * len(cells)
    runs = dict(own)
    for at, cell in there:
        found[at] = {
            "published": cell.published,
            "published_text": _printed(cell.published, shown.scale, unit),
            "ours": by_row.get(at),
            "one_run": _one_run(runs.get(at)),
            "unit": column.unit,
            "point": cell.point,
            "note": cell.note,
        }
    return found


def _one_run(its: Own | None) -> list[float] | None:
    """Return the interval in which one run may lie; none if there is none."""
    if its is None or not isfinite(its.run_hi - its.run_lo):
        return None
    return [its.run_lo, its.run_hi]


def _printed(value: float | None, scale: float, unit: str) -> str:
    return "" if value is None else f"{value / scale:.{_DIGITS}g} {unit}".rstrip()
