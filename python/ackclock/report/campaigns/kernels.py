"""The kernel's settings in emulated runs, and where its TCP differs from the scenario's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ackclock.report.blocks import Cell, Table, heading
from ackclock.results.emulated import described_of
from ackclock.results.results import Results

_NOT_SET = "–"


def settings_table(several: Sequence[Results], names: Sequence[str]) -> Table | None:
    """What was written into the kernel, a column a profile; nothing if all runs are simulated."""
    found: dict[str, dict[str, str]] = {}
    for name, described in _described(several, names):
        column = found.setdefault(_profile_text(name, described, several), {})
        for key, value in _flat(described.get("configured", {})):
            seen = column.get(key)
            # One profile may be asked for with several windows: all of them are shown.
            column[key] = value if seen in (None, value) else _joined(seen, value)
    if not found:
        return None
    keys = list(dict.fromkeys(key for column in found.values() for key in column))
    rows = [
        [
            Cell(key, scope="row", kind="code"),
            *(Cell(column.get(key, _NOT_SET)) for column in found.values()),
        ]
        for key in keys
    ]
    head = [heading("Setting"), *(heading(name) for name in found)]
    caption = "What was written into the kernel's settings of the first host, by profile."
    return Table("kernel-table", caption, [head], [rows])


def differences(several: Sequence[Results], names: Sequence[str]) -> list[dict[str, Any]]:
    """Where the kernel's TCP differs from that of the scenario: name of the profile, sentences."""
    found: dict[str, dict[str, None]] = {}
    for name, described in _described(several, names):
        for settings in described.get("settings", ()):
            its = found.setdefault(_one_profile(name, settings, several), {})
            its |= dict.fromkeys(settings["differences"])
    return [{"name": name, "sentences": list(its)} for name, its in found.items()]


def _described(
    several: Sequence[Results], names: Sequence[str]
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Name of the campaign and what each of its emulated runs reports."""
    for results, name in zip(several, names, strict=True):
        for run in results.campaign.runs:
            described = described_of(run.row)
            if described:
                yield name, described


def _profile_text(name: str, described: Mapping[str, Any], several: Sequence[Results]) -> str:
    texts = [_one_profile(name, settings, several) for settings in described.get("settings", ())]
    return "; ".join(dict.fromkeys(texts)) or name


def _one_profile(name: str, settings: Mapping[str, Any], several: Sequence[Results]) -> str:
    emulated = sum(not results.verdicts.empty for results in several)
    text = f"{settings['profile']}, {settings['congestion']}"
    return f"{name}: {text}" if emulated > 1 else text


def _flat(values: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    """Settings in settings: "sysctls.tcp_sack" and its text; tables without settings are none."""
    for key, value in values.items():
        name = f"{before}{key}"
        if isinstance(value, Mapping):
            yield from _flat(value, f"{name}.")
        else:
            yield name.removeprefix("sysctls."), str(value)


def _joined(seen: str, value: str) -> str:
    return seen if value in seen.split(" or ") else f"{seen} or {value}"
