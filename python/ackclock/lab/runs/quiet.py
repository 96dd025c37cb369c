"""When nothing happens any more: a picture of the whole run ends there.

A transfer of 0.3 s in a run of 20 s would be a line at the left edge.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import ceil, floor, log10

import numpy as np

from ackclock.lab.runs.panels import Tables
from ackclock.lab.runs.recording import Recording
from ackclock.scenario.compile.network import PS_PER_S

_ROOM = 1.05
"""So much of the time until then is shown."""
_LEAST_SHARE = 0.5
"""Of the run, that must be quiet."""


def until_quiet(recording: Recording, tables: Tables) -> Recording:
    """What is drawn of a complete run, if nobody has chosen a window: until nothing happens.

    Args:
        recording: what is drawn.
        tables: of the complete run.
    """
    last_s = max(_ends(recording, tables), default=recording.duration_s)
    is_quiet = 0 < last_s < _LEAST_SHARE * recording.duration_s
    if recording.wanted.window is not None or not is_quiet:
        return recording
    note = f"nothing happens from {last_s:.3g} s to the end at {recording.duration_s:g} s"
    return replace(recording, drawn_until_s=_above(last_s), notes=(*recording.notes, note))


def _above(last_s: float) -> float:
    """A time after that, of two digits."""
    step = 10.0 ** (floor(log10(last_s)) - 1)
    return ceil(last_s * _ROOM / step) * step


def _ends(recording: Recording, tables: Tables) -> Iterator[float]:
    """The last times at which something happened, s."""
    probes = recording.scenario.probes
    for name, column, width in (
        ("goodput", "delivered_bytes", probes.goodput),
        ("queue", "max_length", probes.queue),
    ):
        table = tables.get(name)
        if table and table[column].any():
            yield table["time_s"][np.flatnonzero(table[column])].max() + (width or 0) / PS_PER_S
    for name in ("cwnd", "rtt", "states"):
        table = tables.get(name)
        if table and len(table["time_s"]):
            yield table["time_s"].max()
