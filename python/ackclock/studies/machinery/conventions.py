"""The tables of all settings of a study, for its report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ackclock.report.blocks import Cell, Row, Table, heading
from ackclock.scenario.settings import Setting
from ackclock.studies.machinery.file import SWEEP
from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.settings import main_scenario, scenarios

_Values = Mapping[str, Setting]


def conventions_tables(result: StudyResult) -> list[Table]:
    """Every setting with its value and meaning; what differs from the default stands out.

    Returns:
        One table if the study has one scenario file. Else one of the settings that all files of
        the parts that were run share, and one of the others for each.
    """
    plain = replace(result.request, sets=())
    if len(result.study.files) == 1:
        file = result.study.main_part.file
        usual = {each.key: each.value for each in file.settings(main_scenario(plain))}
        rows = [_row(each, usual) for each in file.settings(result.scenario)]
        rows += [_level(key, value) for key, value in _changed_levels(result)]
        return [_table("conventions-table", "All settings of these runs.", rows)]
    now = {
        name: {each.key: each for each in its.part.file.settings(its.scenario)}
        for name, its in result.parts.items()
    }
    defaults = {
        name: {each.key: each.value for each in result.parts[name].part.file.settings(its)}
        for name, its in scenarios(plain).items()
        if name in now
    }
    shared = _shared(now) if len(now) > 1 else []
    tables = []
    if shared:
        first = next(iter(now))
        rows = [_row(now[first][key], defaults[first]) for key in shared]
        caption = "Settings that are the same in all parts that were run."
        tables.append(_table("conventions-shared", caption, rows))
    for name, settings in now.items():
        rows = [_row(each, defaults[name]) for key, each in settings.items() if key not in shared]
        described = "Further settings" if shared else "Settings"
        caption = f"{described} of {name} ({result.parts[name].part.title})."
        tables.append(_table(f"conventions-{name}", caption, rows))
    return tables


def _shared(by_part: Mapping[str, _Values]) -> list[str]:
    """Keys that every part has, with one value, in the order of the first part."""
    first, *others = by_part.values()
    return [
        key
        for key, each in first.items()
        if all(key in other and other[key].value == each.value for other in others)
    ]


def _row(setting: Setting, usual: Mapping[str, str]) -> Row:
    key = Cell(setting.key, setting.meaning, scope="row", kind="code")
    default = usual.get(setting.key, "nothing")
    if setting.value == default:
        return [key, Cell(setting.value)]
    return [key, Cell(setting.value, f"changed from {default}", kind="changed")]


def _level(key: str, value: str) -> Row:
    meaning = Cell(key, "What a level of a factor sets.", scope="row", kind="code")
    return [meaning, Cell(value, "changed", kind="changed")]


def _changed_levels(result: StudyResult) -> list[tuple[str, str]]:
    """Keys and values of the changes to the sweep itself, which no single setting shows."""
    pairs = [pair.partition("=") for pair in result.request.sets]
    changes = [(key.strip(), value.strip()) for key, _, value in pairs]
    return [(key, value) for key, value in changes if key.partition(".")[0] == SWEEP]


def _table(id: str, caption: str, rows: list[Row]) -> Table:
    changed = sum(row[1].kind == "changed" for row in rows)
    described = f"{caption} Changed from their defaults: {changed or 'none'}."
    return Table(id, described, [[heading("Setting"), heading("Value")]], [rows])
