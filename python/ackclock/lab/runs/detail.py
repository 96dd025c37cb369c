"""``POST /api/detail``: all segments of a connection or all packets of links, for a window.

Details are not kept: the run is made again, with a probe that records only during the window.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from anyio import CapacityLimiter
from starlette.responses import Response
from starlette.routing import Route

from ackclock.errors import InputError
from ackclock.lab.endpoints import frames, simulation_endpoint
from ackclock.lab.frame import Words, frame
from ackclock.lab.runs.panels import coded
from ackclock.lab.runs.picture_request import PictureRequest, texts
from ackclock.lab.runs.recording import Recording, described_flows, recording
from ackclock.lab.runs.simulation import simulated
from ackclock.lab.settings import MOST_DETAIL_ROWS, Settings
from ackclock.lab.slots import Turn
from ackclock.lab.states.path import links_of, path
from ackclock.lab.states.state import State, whole
from ackclock.plurals import counted
from ackclock.scenario.compile.groups import groups
from ackclock.scenario.compile.network import PS_PER_S
from ackclock.scenario.loading import OnePoint
from ackclock.scenario.units import TIME, show

_AFTER_S = 1.0
"""Additional time to simulate, s, because the fate of a packet is known at its arrival."""
_USUAL_S = 1.0
_DRAWN = 4
_NOBODY = Response(status_code=204)
"""The response after the client has disconnected."""


def routes(settings: Settings, limiter: CapacityLimiter) -> list[Route]:
    """Return the routes of segments and packets."""
    return [
        Route(
            f"/api/detail/{name}",
            simulation_endpoint(partial(answer, settings), limiter),
            methods=["POST"],
        )
        for name, answer in (("segments", segments), ("packets", packets))
    ]


@dataclass(frozen=True)
class Asked:
    """The request in a body.

    Attributes:
        state: state of the lab.
        one: point of the state.
        begin: start of the window, s.
        end: end of the window, s, after its start.
        most: largest number of rows.
        connection: number of a flow's connection; none for the one with most rows in the window.
        flow: name of the flow; none for the first.
        flows: names of flows; none for the first few.
        links: names of links; none for those on the paths of the flows.
    """

    state: State
    one: OnePoint
    begin: float
    end: float
    most: int
    connection: int | None
    flow: str | None
    flows: tuple[str, ...] | None
    links: tuple[str, ...] | None

    @classmethod
    def read(cls, settings: Settings, body: Mapping[str, Any]) -> Asked:
        """The request in a body.

        Raises:
            InputError: the request has errors.
        """
        state = State.read(body)
        one = state.load_point(settings)
        problems: list[str] = []
        begin, end = body.get("from", 0), body.get("to", _USUAL_S)
        if not isinstance(begin, int | float) or not isinstance(end, int | float) or begin >= end:
            problems.append("from, to: expected two times in s, the earlier one first")
            begin, end = 0, _USUAL_S
        most = {"most": body.get("most", MOST_DETAIL_ROWS)}
        flow, connection = body.get("flow"), body.get("connection")
        if not isinstance(flow, str | None):
            problems.append("flow: expected a name or null")
        duration_s = one.scenario.duration / PS_PER_S
        asked = cls(
            state,
            one,
            max(0.0, float(begin)),
            min(float(end), duration_s),
            whole(most, "most", 1, MOST_DETAIL_ROWS, problems),
            None if connection is None else whole(body, "connection", 0, 2**31, problems),
            flow,
            texts(body, "flows", problems),
            texts(body, "links", problems),
        )
        if not problems and asked.begin >= asked.end:
            problems.append(
                f"from, to: the run lasts {duration_s:.6g} s; choose a part of this time"
            )
        if problems:
            raise InputError(problems)
        return asked

    def recording(self, wanted: PictureRequest, probes: Mapping[str, Any]) -> Recording:
        """Return the run with probes that record during the window."""
        times = {"from": self.begin, "until": self.end}
        window = {key: show(round(value * PS_PER_S), TIME) for key, value in times.items()}
        until_s = self.end + _AFTER_S
        return recording(self.one, self.state, wanted, {**probes, **window}, until_s)

    def table(self, its: Recording, name: str, turn: Turn) -> Mapping[str, Any] | None:
        """Return the table of a probe; none if the client has disconnected.

        Raises:
            InputError: the run takes too long.
        """
        tables = simulated(its, turn, self.end + _AFTER_S)
        return None if tables is None else tables[name]

    def refuse(self, rows: int) -> None:
        """Raise ``InputError`` if there are too many rows."""
        if rows > self.most:
            raise InputError(
                f"the window has {counted(rows, 'row')}, more than {self.most}; zoom in"
            )


def segments(settings: Settings, body: dict[str, Any], turn: Turn) -> Response:
    """Return the segments, ACKs and SACK ranges of a connection, as a frame.

    Raises:
        InputError: there is no such flow, or there are too many rows.
    """
    asked = Asked.read(settings, body)
    tcp = [group.names[0] for group in groups(asked.one.scenario) if group.is_tcp]
    if not tcp:
        raise InputError("the scenario has no TCP flow, and so no segments")
    name = asked.flow or tcp[0]
    its = asked.recording(PictureRequest(show=(), flows=(name,)), {"segments": [name]})
    table = asked.table(its, "segments", turn)
    if table is None:
        return _NOBODY
    connections = table["connection"].astype(np.int64) if table else np.empty(0, np.int64)
    connection = asked.connection
    if connection is None:
        connection = int(np.bincount(connections).argmax()) if connections.size else 0
    rows = np.flatnonzero(connections == connection)
    asked.refuse(rows.size)
    head = {
        "kind": "segments",
        "flow": name,
        "connection": connection,
        "connections": int(connections.max() + 1) if connections.size else 0,
        "in_window": np.unique(connections).tolist(),
        "window": [asked.begin, asked.end],
        "smss_bytes": its.groups[0].sender_tcp.smss,
        "duration_s": its.duration_s,
    }
    numbers = {**_types("time_s low high", np.float64), **_types("sent_again lost", np.uint8)}
    return frames(frame(head, _columns(table, rows, numbers, ("kind", "reason"))))


def packets(settings: Settings, body: dict[str, Any], turn: Turn) -> Response:
    """Return the packets of links, as a frame.

    Raises:
        InputError: there is no such link, or there are too many rows.
    """
    asked = Asked.read(settings, body)
    wanted = PictureRequest(show=(), flows=asked.flows)
    names = asked.links or _links(asked)
    its = asked.recording(wanted, {"packets": list(names)})
    table = asked.table(its, "packets", turn)
    if table is None:
        return _NOBODY
    rows = np.arange(len(table.get("link", ())))
    asked.refuse(rows.size)
    numbers = [at for at, name in enumerate(its.facts.link_names) if name in names]
    known = {each["name"]: each for each in path(its.scenario, whole=True)["links"]}
    kept = ("name", "from", "to", "rate_bit_s", "delay_s")
    head = {
        "kind": "packets",
        "links": [{key: known[its.facts.link_names[at]][key] for key in kept} for at in numbers],
        "flows": described_flows(its, np.unique(table["flow"]).tolist() if rows.size else []),
        "window": [asked.begin, asked.end],
        "duration_s": its.duration_s,
    }
    types = {
        **_types("offered_s left_s arrived_s dropped_s packet low high", np.float64),
        **_types("flow connection bytes", np.uint32),
        **_types("sent_again marked", np.uint8),
    }
    link = np.searchsorted(numbers, table["link"]) if rows.size else np.empty(0)
    columns = _columns(table, rows, types, ("kind", "lost"))
    return frames(frame(head, {"link": link.astype(np.uint16), **columns}))


def _links(asked: Asked) -> list[str]:
    """Return the first links on the paths of the flows."""
    names = [name for group in groups(asked.one.scenario) for name in group.names]
    shown = names[:_DRAWN] if asked.flows is None else asked.flows
    flows = [number for number, name in enumerate(names) if name in shown]
    return links_of(asked.one.scenario, flows)


def _types(names: str, dtype: Any) -> dict[str, Any]:
    return dict.fromkeys(names.split(), dtype)


def _columns(
    table: Mapping[str, Any], rows: np.ndarray, numbers: Mapping[str, Any], words: Sequence[str]
) -> dict[str, np.ndarray | Words]:
    """Return columns of some rows of a table, in the form of a frame."""
    columns: dict[str, np.ndarray | Words] = {}
    for name, dtype in numbers.items():
        columns[name] = np.asarray(table.get(name, ()))[rows].astype(dtype)
    for name in words:
        values = table.get(name, [])
        columns[name] = coded([values[row] for row in rows.tolist()])
    return columns
