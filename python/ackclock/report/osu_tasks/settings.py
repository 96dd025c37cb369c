"""The tables of conventions: what all parts share, and what each has of its own."""

from __future__ import annotations

from collections.abc import Mapping

from ackclock.report.blocks import Cell, Row, Table, heading
from ackclock.scenario.settings import Setting
from ackclock.studies.osu_tasks.parts import PARTS
from ackclock.studies.osu_tasks.result import OsuTasksResult, Request, Selection
from ackclock.studies.osu_tasks.settings import part_scenarios


def conventions_tables(result: OsuTasksResult) -> list[Table]:
    """Settings with their values and meanings; what differs from the default stands out.

    Returns:
        A table of those that are the same in all parts that were run, if there are several; then
        one of the others for each part.
    """
    now = {
        name: {each.key: each for each in its.part.file.settings(its.scenario)}
        for name, its in result.parts.items()
    }
    usual = _usual(list(now))
    shared = _shared(now) if len(now) > 1 else []
    tables = []
    if shared:
        first = next(iter(now))
        rows = [_row(now[first][key], usual[first].get(key)) for key in shared]
        caption = "Settings that are the same in all parts that were run."
        tables.append(_table("conventions-shared", caption, rows))
    for name, settings in now.items():
        rows = [
            _row(each, usual[name].get(key)) for key, each in settings.items() if key not in shared
        ]
        described = "Further settings" if shared else "Settings"
        title = result.parts[name].part.title
        tables.append(_table(f"conventions-{name}", f"{described} of {name} ({title}).", rows))
    return tables


def _usual(names: list[str]) -> dict[str, dict[str, str]]:
    """Values by part and key in the files as the study brings them."""
    scenarios = part_scenarios(Request(selection=Selection(tuple(names))))
    return {
        name: {each.key: each.value for each in PARTS[name].file.settings(its)}
        for name, its in scenarios.items()
    }


def _shared(by_part: Mapping[str, Mapping[str, Setting]]) -> list[str]:
    """Keys that every part has, with one value, in the order of the first part."""
    first, *others = by_part.values()
    return [
        key
        for key, each in first.items()
        if all(key in other and other[key].value == each.value for other in others)
    ]


def _row(setting: Setting, default: str | None) -> Row:
    key = Cell(setting.key, setting.meaning, scope="row", kind="code")
    if setting.value == default:
        return [key, Cell(setting.value)]
    described = f"changed from {default if default is not None else 'nothing'}"
    return [key, Cell(setting.value, described, kind="changed")]


def _table(id: str, caption: str, rows: list[Row]) -> Table:
    changed = sum(row[1].kind == "changed" for row in rows)
    described = f"{caption} Changed from their defaults: {changed or 'none'}."
    return Table(id, described, [[heading("Setting"), heading("Value")]], [rows])
