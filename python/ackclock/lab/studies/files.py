"""The tables that the published studies write, and where each of their numbers stands."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from ackclock.lab.studies.points import module
from ackclock.studies.common.outputs import DECIMALS

Key = tuple[str, ...]
"""Of a number: the file, what identifies a row of it, which number of the row."""
Ours = Mapping[Key, tuple[float, float, float]]
"""Means and the ends of their intervals; nan where there is none."""
_NAN = float("nan")


class OwnFile(NamedTuple):
    """A table that a study writes.

    Attributes:
        name: of the file.
        keys: columns that identify a row.
        values: by a name for it, the column of a mean and those of the ends of its interval.
    """

    name: str
    keys: tuple[str, ...]
    values: Mapping[str, tuple[str, str, str]]

    def key(self, *its: Any, value: str = "simulated") -> Key:
        """The key of a number in it."""
        return (self.name, *map(spelled, its), value)


def spelled(value: Any) -> str:
    """A level as text, however its number was written."""
    try:
        return f"{float(value):g}"
    except ValueError:
        return str(value)


def own_numbers(package: str, folder: Path) -> Ours:
    """The numbers that a study has written into a folder; a file that is not there has none."""
    found: dict[Key, tuple[float, float, float]] = {}
    for file in _FILES[package]():
        for row in rows_of(folder / file.name):
            for value, columns in file.values.items():
                mean, lo, hi = (_number(row.get(column, "")) for column in columns)
                if isfinite(mean):
                    key = file.key(*(row.get(key, "") for key in file.keys), value=value)
                    found[key] = _unrounded(mean, lo, hi)
    return found


def _unrounded(mean: float, lo: float, hi: float) -> tuple[float, float, float]:
    """An interval as wide on both sides, if it is so but for the decimals of the file."""
    half = (hi - lo) / 2
    if abs(mean - lo - half) <= 10.0**-DECIMALS:
        return mean, mean - half, mean + half
    return mean, lo, hi


def rows_of(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file; none if it cannot be read, or is a link that leads anywhere."""
    if path.is_symlink():
        return []
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))
    except (OSError, ValueError, csv.Error):
        return []


def _number(text: str) -> float:
    try:
        return float(text)
    except (TypeError, ValueError):
        return _NAN


def _with_ends(name: str, lo: str = "", hi: str = "") -> tuple[str, str, str]:
    return name, lo or f"{name}_lo", hi or f"{name}_hi"


_SIMULATED = {"simulated": ("simulated", "lo", "hi")}
UBR = OwnFile(
    "comparison.csv", ("link", "drop_policy", "tcp_flavor", "buffer_rtt", "metric"), _SIMULATED
)
COMPONENTS = ("ss_efficiency", "ss_fairness", "pct_efficiency", "pct_fairness")
ALLOCATION = OwnFile(
    "allocation.csv", ("link", "component"), {name: (name, "", "") for name in COMPONENTS}
)
METRICS = ("efficiency", "fairness")
EFFECTS = OwnFile(
    "main_effects.csv",
    ("link", "factor", "level"),
    {name: (f"effect_{name}", f"ci_low_{name}", f"ci_high_{name}") for name in METRICS},
)
ABR = OwnFile("comparison.csv", ("servers", "metric"), _SIMULATED)
RFC = OwnFile("comparison.csv", ("table", "webs", "ftps", "http", "iw", "metric"), _SIMULATED)
HALF = OwnFile("half_and_half.csv", ("webs", "variant", "iw", "metric"), _SIMULATED)
ERRORS = OwnFile(
    "errors.csv",
    ("part", "queue", "variant", "flow", "model", "inputs"),
    {"simulated": _with_ends("mean_error_pct")},
)
_TESTBED = ("rtt_s", "p", "timeouts", "fast_retransmits")
EMULATION = OwnFile(
    "emulation.csv",
    ("imposed_loss_pct",),
    {
        "bit_s": _with_ends("throughput_bit_s"),
        **{name: (name, "", "") for name in _TESTBED},
        "model_bit_s": ("model_bit_s", "", ""),
    },
)
INTERNET = OwnFile(
    "internet.csv",
    ("imposed_loss_pct",),
    {
        "p": ("p", "", ""),
        "bit_s": ("throughput_bit_s", "", ""),
        "model_bit_s": ("model_bit_s", "", ""),
    },
)


_OSU_SHOWN = 4


def osu_metrics(part: Any) -> tuple[str, ...]:
    """What is shown of a part."""
    return tuple(part.metrics[:_OSU_SHOWN])


def osu_files() -> list[OwnFile]:
    """Of each part its results."""
    return [
        OwnFile(
            f"{part.name}-results.csv",
            tuple(part.columns),
            {name: _with_ends(name) for name in osu_metrics(part)},
        )
        for part in module("osu_tasks", "parts").PARTS.values()
    ]


_FILES: Mapping[str, Callable[[], Iterable[OwnFile]]] = {
    "ubr_web": lambda: (UBR, ALLOCATION, EFFECTS),
    "rfc2415": lambda: (RFC, HALF),
    "newreno": lambda: (ERRORS, EMULATION, INTERNET),
    "abr_web": lambda: (ABR,),
    "osu_tasks": osu_files,
}
