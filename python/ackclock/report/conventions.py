"""The table of all settings of a study, the same for every study."""

from __future__ import annotations

from collections.abc import Sequence

from ackclock.report.blocks import Cell, Row, Table, heading
from ackclock.scenario.settings import Setting
from ackclock.studies.common.file import SWEEP
from ackclock.studies.common.result import StudyResult


def conventions_table(
    result: StudyResult,
    settings: Sequence[Setting],
    defaults: Sequence[Setting],
) -> Table:
    """Every setting with its value and meaning; what differs from the default stands out.

    Args:
        result: of a study.
        settings: those of its scenario.
        defaults: those of the scenario as the study brings it.
    """
    usual = {each.key: each.value for each in defaults}
    rows: list[Row] = []
    changed = 0
    for each in settings:
        value = Cell(each.value)
        default = usual.get(each.key, "nothing")
        if each.value != default:
            changed += 1
            value = Cell(each.value, f"changed from {default}", kind="changed")
        rows.append([Cell(each.key, each.meaning, scope="row", kind="code"), value])
    for key, value in _changed_levels(result):
        changed += 1
        meaning = Cell(key, "What a level of a factor sets.", scope="row", kind="code")
        rows.append([meaning, Cell(value, "changed", kind="changed")])
    caption = f"All settings of these runs. Changed from their defaults: {changed or 'none'}."
    return Table(
        "conventions-table",
        caption,
        [[heading("Setting"), heading("Value")]],
        [rows],
    )


def _changed_levels(result: StudyResult) -> list[tuple[str, str]]:
    """Keys and values of the changes to the sweep itself, which no single setting shows."""
    pairs = [pair.partition("=") for pair in result.request.sets]
    changes = [(key.strip(), value.strip()) for key, _, value in pairs]
    return [(key, value) for key, value in changes if key.partition(".")[0] == SWEEP]
