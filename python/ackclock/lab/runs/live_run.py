"""A live run: made in slices, with a picture after each slice.

The picture of the whole run ends at the last event, because a transfer of 0.3 s in a run of 20 s
would be a line at the left edge.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import ceil, floor, log10
from threading import Lock
from typing import Any

import numpy as np

from ackclock import _core
from ackclock.errors import CodeError, InputError
from ackclock.lab.frame import frame
from ackclock.lab.runs.numbers import numbers
from ackclock.lab.runs.panels import Tables, drawing
from ackclock.lab.runs.picture_request import PictureRequest
from ackclock.lab.runs.recording import Recording, described_flows, recording
from ackclock.lab.settings import MOST_WALL_S, Settings
from ackclock.lab.slots import Turn
from ackclock.lab.states.state import State
from ackclock.scenario.compile.network import PS_PER_S

_FIRST_SLICE_S = 0.04
_SOON_S = 0.1
"""A delay that seems immediate, s: an earlier picture would only cost time."""
_GROWTH = 1.6
_LONGEST_SLICE_S = 1.0
_MOST_KEPT_ROWS = 2_000_000
"""Largest number of rows of all kept complete runs: 100 MB."""
_ROOM = 1.05
"""The picture shows this multiple of the time of the last event."""
_LEAST_SHARE = 0.5
"""Smallest fraction of the run without events for which the picture is cut."""


class Kept:
    """Cache of the tables of the latest runs, so that a zoom makes no new run.

    Any thread may call any method.
    """

    def __init__(self) -> None:
        """Create an empty object."""
        self._lock = Lock()
        self._tables: OrderedDict[tuple[str, int], tuple[int, Tables]] = OrderedDict()

    def get(self, recording: Recording) -> Tables | None:
        """Return the tables of a run; none if they are not cached."""
        return self._tables.get((recording.plan, recording.seed), (0, None))[1]

    def put(self, recording: Recording, tables: Tables) -> None:
        """Cache the tables of a run, and drop older ones if necessary."""
        with self._lock:
            self._tables[recording.plan, recording.seed] = _rows(tables), tables
            self._tables.move_to_end((recording.plan, recording.seed))
            while sum(rows for rows, _ in self._tables.values()) > _MOST_KEPT_ROWS:
                self._tables.popitem(last=False)


def _rows(tables: Tables) -> int:
    return sum(len(next(iter(table.values()), ())) for table in tables.values())


class LiveRun:
    """A run in slices."""

    def __init__(self, recording: Recording, turn: Turn, kept: Kept) -> None:
        """Begin a run.

        Args:
            recording: run and content of the picture.
            turn: the run continues until the turn is over.
            kept: cache of complete runs, to which this run is added.

        Raises:
            ValueError: the core cannot run the plan.
        """
        self._recording, self._turn, self._kept = recording, turn, kept
        self._began = time.monotonic()
        self._slice_s, self._done = _FIRST_SLICE_S, 0.0
        self._is_over = False
        self._complete = kept.get(recording)
        if self._complete is None:
            self._run = _core.Run(recording.plan, recording.seed)
            turn.holds(self._run)

    @property
    def is_over(self) -> bool:
        """Whether there are no more frames."""
        return self._is_over or self._turn.is_over

    def next(self) -> bytes | None:
        """Return the frame after the next slice; none after the last, or if the turn is over."""
        if self.is_over:
            return None
        if self._complete is not None:
            return self._last(self._complete)
        try:
            done = self._advance()
            if done == 1.0:
                columns = self._run.columns()
                self._kept.put(self._recording, columns)
                return self._last(columns)
            recorded = self._run.recorded()
        except CodeError as error:
            return self._stopped(self._run.recorded(), self._done, str(error))
        except ValueError:
            # Every call of a stopped run raises an error.
            if self._turn.is_over:
                return None
            raise
        if time.monotonic() - self._began > MOST_WALL_S:
            reason = f"the run was stopped after {MOST_WALL_S:g} s; make it as a job"
            return self._stopped(recorded, done, reason)
        return self._frame(recorded, done, [])

    def _stopped(self, tables: Tables, done: float, reason: str) -> bytes:
        """Return the last frame of a run that ends before its time."""
        self._is_over = True
        self._turn.end()
        return self._frame(tables, done, [reason])

    def _advance(self) -> float:
        """Make a slice; make the whole run if the rest takes only a short time."""
        began = self._done
        done = self._run.advance(self._slice_s)
        left_s = self._slice_s * (1 - done) / max(done - began, 1e-9)
        if 0 < left_s < _SOON_S:
            done = self._run.advance(_SOON_S)
        self._done = done
        self._slice_s = min(self._slice_s * _GROWTH, _LONGEST_SLICE_S)
        return done

    def _last(self, columns: Tables) -> bytes:
        self._is_over = True
        self._recording = until_quiet(self._recording, columns)
        its = numbers(columns, self._recording)
        return self._frame(columns, 1, [], its.head, its.arrays)

    def _frame(
        self,
        tables: Tables,
        done: float,
        notes: list[str],
        head: Mapping[str, Any] | None = None,
        arrays: Mapping[str, Any] | None = None,
    ) -> bytes:
        its = self._recording
        drawn = drawing(tables, its, done * its.duration_s)
        whole = {
            "kind": "run",
            "order": self._turn.order,
            "done": done,
            "simulated_s": done * its.duration_s,
            **described(its),
            **drawn.head,
            "notes": [*its.notes, *drawn.head["notes"], *notes],
            **(head or {}),
        }
        return frame(whole, {**drawn.arrays, **(arrays or {})})


def begun(settings: Settings, asked: Mapping[str, Any], turn: Turn, kept: Kept) -> LiveRun:
    """Begin the run in a body of ``POST /api/run``.

    Raises:
        NotThereError: no scenario has the id in the body.
        InputError: with all errors, or the reason why it is not run.
    """
    state, wanted = State.read(asked), PictureRequest.read(asked)
    its = recording(state.load_point(settings), state, wanted)
    try:
        return LiveRun(its, turn, kept)
    except ValueError as error:
        raise InputError(str(error)) from None


def described(recording: Recording) -> dict[str, Any]:
    """Return the description of a run for the head of each frame."""
    facts = recording.facts
    link = None
    if recording.link is not None:
        link = {
            "name": facts.link_names[recording.link],
            "rate_bit_s": recording.rate,
            "limit_packets": recording.limit,
        }
    of_tcp = [group.sender_tcp.smss for group in recording.groups if group.is_tcp]
    return {
        "duration_s": recording.duration_s,
        "warm_up_s": recording.scenario.warm_up / PS_PER_S,
        "window": list(recording.window),
        "is_chosen": recording.wanted.window is not None,
        "smss_bytes": max(of_tcp, default=None),
        "flows": described_flows(recording, recording.flows),
        "link": link,
    }


def until_quiet(recording: Recording, tables: Tables) -> Recording:
    """Cut the picture of a complete run after the last event, unless a window is chosen.

    Args:
        recording: run and content of the picture.
        tables: tables of the complete run.
    """
    last_s = max(_ends(recording, tables), default=recording.duration_s)
    is_quiet = 0 < last_s < _LEAST_SHARE * recording.duration_s
    if recording.wanted.window is not None or not is_quiet:
        return recording
    note = f"nothing happens from {last_s:.3g} s to the end at {recording.duration_s:g} s"
    return replace(recording, drawn_until_s=_above(last_s), notes=(*recording.notes, note))


def _above(last_s: float) -> float:
    """Return a slightly later time with two digits, s."""
    step = 10.0 ** (floor(log10(last_s)) - 1)
    return ceil(last_s * _ROOM / step) * step


def _ends(recording: Recording, tables: Tables) -> Iterator[float]:
    """Yield the times of the last events, s."""
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
