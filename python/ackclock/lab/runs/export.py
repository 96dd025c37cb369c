"""``POST /api/export``: export the content of the page as a file."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from anyio import CapacityLimiter
from starlette.responses import Response
from starlette.routing import Route

from ackclock import __version__
from ackclock.errors import InputError
from ackclock.lab.endpoints import simulation_endpoint
from ackclock.lab.runs.panels import Curve, Panel, panels
from ackclock.lab.runs.picture_request import SHOWN, PictureRequest
from ackclock.lab.runs.recording import Recording, recording
from ackclock.lab.runs.simulation import simulated
from ackclock.lab.settings import Settings
from ackclock.lab.slots import Turn
from ackclock.lab.states.cost import LIVE, cost_of
from ackclock.lab.states.path import sender_of
from ackclock.lab.states.state import State
from ackclock.plurals import counted
from ackclock.scenario import keys
from ackclock.scenario.compile.groups import groups
from ackclock.scenario.compile.network import PS_PER_S
from ackclock.scenario.files import FILES
from ackclock.scenario.loading import OnePoint
from ackclock.scenario.sweep.factors import FACTORS
from ackclock.scenario.toml_text import toml
from ackclock.untrusted_text import one_line, without_formulas

if TYPE_CHECKING:
    from ackclock.plots.curves import CurvePanel

_MOST_ROWS = 1_000_000
"""Largest number of rows of a CSV file."""
_COLUMNS = 1600
"""Approximate columns of pixels in a figure, finer than those of a printer."""
_OF_UNITS = {"bytes": "_bytes", "s": "_s", "bit/s": "_bit_s", "packets": "_packets"}
_OF_UNITS["cells"] = "_cells"
_SHORT = {"cwnd": "cwnd", "rtt": "RTT"}
"""Short titles of panels whose titles do not fit an axis."""
_PYTHON = '''\
"""Makes the run again that the lab showed, and prints its numbers."""

import ackclock

SCENARIO = {scenario}

results = ackclock.run(SCENARIO)
print(results.summary().dropna(subset="mean").to_string())
'''


class _Kind(NamedTuple):
    """A kind of file.

    Attributes:
        make: returns the content for a state, its point, a body and a turn; none if the turn is
            over.
        media: media type of the file.
    """

    make: Callable[[State, OnePoint, Mapping[str, Any], Turn], bytes | str | None]
    media: str


def routes(settings: Settings, limiter: CapacityLimiter) -> list[Route]:
    """Return one route per kind."""
    return [
        Route(
            f"/api/export/{name}",
            simulation_endpoint(partial(_exported, settings, name), limiter),
            methods=["POST"],
        )
        for name in _KINDS
    ]


def _exported(settings: Settings, name: str, body: dict[str, Any], turn: Turn) -> Response:
    state = State.read(body)
    one = state.load_point(settings)
    content = _KINDS[name].make(state, one, body, turn)
    if content is None:
        return Response(status_code=204)
    ending = {"python": "py"}.get(name, name)
    file = f"{_stem(state, one)}.{ending}"
    headers = {"Content-Disposition": f'attachment; filename="{file}"'}
    return Response(content, headers=headers, media_type=_KINDS[name].media)


def _stem(state: State, one: OnePoint) -> str:
    """Return the file's name without suffix, in characters that all systems permit."""
    name = (state.scenario or one.scenario.title or "scenario").rpartition("/")[2]
    plain = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-").lower() or "scenario"
    return f"{plain}-{state.point}" if one.factors else plain


def scenario_of(state: State, one: OnePoint) -> str:
    """Return a scenario of only the point, with all changes; its run equals that of the state."""
    # Figures name columns of factors, but a single point has no factors.
    left_out = (FILES, "figures") if one.factors else (FILES,)
    tables = {key: value for key, value in one.document.items() if key not in left_out}
    # Expressions may use named levels of a factor; levels of keys are already applied.
    named = {
        factor.name: {str(level.name): {keys.show(path): raw for path, raw in level.values.items()}}
        for factor, level in zip(one.factors, one.point.combination, strict=True)
        if factor.path is None
    }
    if named:
        tables[FACTORS[0]] = {FACTORS[1]: named}
    if "precision" not in tables:
        tables["replications"] = max(int(one.scenario.replications or 1), state.replication + 1)
    head = [f"# {_what(state, one)}", f"# Written by the lab of ackclock {__version__}.", "", ""]
    files = one.document.get(FILES)
    text = "\n".join(head) + toml(tables)
    return text + (one.files.as_toml() if files is None else "\n" + toml({FILES: files}))


def _what(state: State, one: OnePoint) -> str:
    """Return the name of the run in one line."""
    name = one.scenario.title or state.scenario or "Scenario"
    levels = [one.point.as_written] if one.factors else []
    parts = [name, *levels, *state.sets, f"replication {state.replication}"]
    return " · ".join(one_line(each) for each in parts)


def _toml(state: State, one: OnePoint, body: Mapping[str, Any], turn: Turn) -> str:
    return scenario_of(state, one)


def _python(state: State, one: OnePoint, body: Mapping[str, Any], turn: Turn) -> str:
    text = scenario_of(state, one)
    is_plain = "'''" not in text and "\\" not in text
    return _PYTHON.format(scenario=f"'''\\\n{text}'''" if is_plain else repr(text))


def _pcapng(state: State, one: OnePoint, body: Mapping[str, Any], turn: Turn) -> bytes:
    """Return the packets at a node, by default at the sender of the first drawn flow."""
    from ackclock.capture.run import capture

    cost = cost_of(one.scenario)
    if cost.verdict != LIVE:
        raise InputError(
            f"{cost.sentence or 'the run is too long'}; use `ackclock capture` for this many"
            " packets"
        )
    at = body.get("at")
    if not isinstance(at, str | None):
        raise InputError('at: expected the name of a point of the network, like "server 1"')
    point = at or _sender(one, PictureRequest.read(body))
    made = capture(one.point, [point], replication=state.replication, title=_what(state, one))
    return made.pcapng


def _sender(one: OnePoint, wanted: PictureRequest) -> str:
    """Return the node that sends the data of the first drawn flow."""
    names = [name for group in groups(one.scenario) for name in group.names]
    first = wanted.flows[0] if wanted.flows else names[0] if names else ""
    if first not in names:
        raise InputError(f'there is no flow "{first}"')
    return sender_of(one.scenario, names.index(first))


def _drawn(
    state: State, one: OnePoint, body: Mapping[str, Any], turn: Turn
) -> tuple[Recording, list[Panel]] | None:
    """Return the panels of a complete run; none if the turn is over."""
    its = recording(one, state, PictureRequest.read(body))
    tables = simulated(its, turn)
    if tables is None:
        return None
    found = [panel for panel in panels(tables, its)[0] if panel.curves]
    if not found:
        raise InputError(f"nothing is drawn; show: name some of {', '.join(SHOWN[:4])}")
    return its, found


def _csv(state: State, one: OnePoint, body: Mapping[str, Any], turn: Turn) -> str | None:
    """Return all points of the curves, one row per point."""
    import pandas as pd

    drawn = _drawn(state, one, body, turn)
    if drawn is None:
        return None
    its, found = drawn
    begin, end = its.window
    parts = []
    for panel in found:
        for curve in panel.curves:
            inside = slice(*np.searchsorted(curve.x, (begin, end)))
            columns = {
                "quantity": curve.name,
                "flow": _flow(its, curve),
                "connection": curve.connection,
                "time_s": curve.x[inside],
                "value": curve.y[inside],
                "unit": panel.unit,
            }
            parts.append(pd.DataFrame(columns))
    rows = sum(map(len, parts))
    if rows > _MOST_ROWS:
        raise InputError(f"there are {counted(rows, 'row')}, more than {_MOST_ROWS}; zoom in")
    return without_formulas(pd.concat(parts)).to_csv(index=False)


def _flow(its: Recording, curve: Curve) -> str:
    return "" if curve.flow is None else its.facts.flow_names[curve.flow]


def _figure(
    ending: str, state: State, one: OnePoint, body: Mapping[str, Any], turn: Turn
) -> bytes | None:
    from ackclock.plots import curves

    drawn = _drawn(state, one, body, turn)
    if drawn is None:
        return None
    its, found = drawn
    begin, end = its.window
    figure = curves.curves(
        [_of_plots(its, panel) for panel in found],
        start_s=begin,
        end_s=end,
        warm_up_s=its.scenario.warm_up / PS_PER_S,
        title=one.scenario.title,
        source=f"ackclock {__version__} · {_what(state, one)} · seed {its.seed}",
    )
    file = io.BytesIO()
    figure.savefig(file, format=ending)
    return file.getvalue()


def _of_plots(its: Recording, panel: Panel) -> CurvePanel:
    """Return a panel for a figure, with only as many points as are visible."""
    from ackclock.plots import curves

    drawn = []
    first = panel.curves[0].name
    for curve in panel.curves:
        if len(its.flows) > 1 and curve.name != first:
            # With several flows only the main quantity, because others could not be distinguished.
            continue
        kept = curve.points_to_draw(*its.window, _COLUMNS)
        x, y = curve.x[kept], curve.y[kept]
        if curve.until is not None:
            # The last value is constant to the end.
            x, y = np.append(x, max(curve.until, x[-1])), np.append(y, y[-1])
        x = np.maximum(x, its.window[0]) if curve.step else x
        drawn.append(curves.Curve(curve.name, _flow(its, curve), x, y, curve.step))
    column = f"value{_OF_UNITS[panel.unit]}"
    return curves.CurvePanel(_SHORT.get(panel.id, panel.title), column, drawn, panel.limits)


_KINDS = {
    "toml": _Kind(_toml, "application/toml"),
    "python": _Kind(_python, "text/x-python; charset=utf-8"),
    "csv": _Kind(_csv, "text/csv; charset=utf-8"),
    "pcapng": _Kind(_pcapng, "application/x-pcapng"),
    "svg": _Kind(partial(_figure, "svg"), "image/svg+xml"),
    "png": _Kind(partial(_figure, "png"), "image/png"),
}
