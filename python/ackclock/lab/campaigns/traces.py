"""The records of a campaign's run as the frame of a picture, in the form of a live run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow
from pyarrow import parquet

from ackclock.campaign import Campaign, Run
from ackclock.errors import InputError
from ackclock.lab.campaigns.run_states import found
from ackclock.lab.frame import frame
from ackclock.lab.runs.live_run import described
from ackclock.lab.runs.numbers import metric, numbers
from ackclock.lab.runs.panels import drawing
from ackclock.lab.runs.picture_request import PictureRequest
from ackclock.lab.runs.recording import Recording, drawn_flows, link_of, of_plan
from ackclock.lab.states.cost import cost_of
from ackclock.results.means import metric_unit
from ackclock.results.metrics import METRICS
from ackclock.results.traces import NOT_ONE

MOST_BYTES = 200_000_000
"""Largest size of the files of a run, bytes."""
_DRAWN = 4
"""Number of flows that are drawn by default."""
_OF_FLOWS = ("cwnd", "rtt", "states", "goodput")
_DELAYS = "delays"
_NOT_DRAWN = ("transfers", "classes", "vcs", "segments", "acr", "transport")
"""Tables without a panel."""

Tables = dict[str, dict[str, Any]]


def trace(campaign: Campaign, run: Run, wanted: PictureRequest) -> bytes:
    """Return the frame of a run.

    Args:
        campaign: campaign of the run.
        run: the run.
        wanted: content of the picture; the default flows are the first with records.

    Raises:
        InputError: nothing was recorded, or too much, or a file was changed since.
    """
    tables = _tables(run)
    if not tables:
        raise InputError(
            "nothing was recorded over time in this run; open it in the lab, which makes it again"
        )
    its = _recording(campaign, run, tables, wanted)
    if packets := tables.get("packets"):
        # Losses at other links do not belong to the drawn queue.
        tables["packets"] = _of_rows(packets, packets["link"] == its.link)
    drawn, told = drawing(tables, its), numbers(_bins(tables), its, run.row)
    others = [
        metric(name, metric_unit(name), value)
        for name, value in run.row.items()
        if name not in METRICS and isinstance(value, int | float)
    ]
    head = {
        "kind": "run",
        "order": 0,
        "done": 1,
        "simulated_s": its.duration_s,
        **described(its),
        **drawn.head,
        "notes": [*its.notes, *drawn.head["notes"]],
        **told.head,
        "metrics": [*told.head["metrics"], *({**each, "shown": False} for each in others)],
    }
    return frame(head, {**drawn.arrays, **told.arrays})


def _tables(run: Run) -> Tables:
    """Return the tables of the panels, in the form of the core.

    Raises:
        InputError: the tables are too large, or a file was changed since.
    """
    files = {name: its for name, its in run.traces.items() if name not in _NOT_DRAWN}
    size = sum(its.size for its in files.values())
    if size > MOST_BYTES:
        raise InputError(
            f"this run has recorded {size / 1e6:.0f} MB, more than the {MOST_BYTES / 1e6:.0f} MB"
            " that the lab reads; open it in the lab, which makes it again"
        )
    return {name: _columns(its.content()) for name, its in files.items() if its.path.is_file()}


def _columns(content: bytes) -> dict[str, Any]:
    try:
        table = parquet.read_table(pyarrow.BufferReader(content))
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise InputError(f"a file of this run holds no table ({error})") from error
    return {
        name: column.to_pylist() if pyarrow.types.is_string(column.type) else column.to_numpy()
        for name, column in zip(table.column_names, table.columns, strict=True)
    }


def _of_rows(table: Mapping[str, Any], rows: np.ndarray) -> dict[str, Any]:
    return {
        name: [its for its, there in zip(column, rows, strict=True) if there]
        if isinstance(column, list)
        else column[rows]
        for name, column in table.items()
    }


def _recording(campaign: Campaign, run: Run, tables: Tables, wanted: PictureRequest) -> Recording:
    """Return the description of a run for the panels."""
    point = found(campaign, run.point).point
    compiled = point.compile()
    scenario, facts = point.scenario, compiled.facts
    wanted = _with_defaults(wanted, tables, facts.flow_names)
    flows, notes = drawn_flows(wanted, facts)
    link = link_of(wanted, facts)
    queues = tables.get("queue")
    if wanted.link is None and queues and link not in set(queues["link"].tolist()):
        link = int(queues["link"][0])
    notes += _missing(tables, wanted)
    cost = cost_of(scenario)
    return of_plan(compiled.plan, run.seed, scenario, facts, wanted, flows, link, notes, cost)


def _with_defaults(
    wanted: PictureRequest, tables: Tables, names: tuple[str, ...]
) -> PictureRequest:
    """Select the first flows with records if no flow is named."""
    show = (*wanted.show, "delays") if _DELAYS in tables else wanted.show
    flows = wanted.flows
    if flows is None:
        of_flows = [tables[name]["flow"] for name in _OF_FLOWS if name in tables]
        there = np.unique(of_flows[0])[:_DRAWN] if of_flows else ()
        flows = tuple(names[number] for number in there) or None
    return replace(wanted, show=tuple(dict.fromkeys(show)), flows=flows)


def _missing(tables: Tables, wanted: PictureRequest) -> list[str]:
    """Return notes on missing records, which are not drawn."""
    names = {"cwnd": "cwnd", "rtt": "RTT", "states": "states", "queue": "the queue"}
    lost = [text for name, text in names.items() if name in wanted.show and name not in tables]
    if "goodput" in wanted.show and "goodput" not in tables:
        lost.append("goodput")
    return [f"not recorded in this campaign: {', '.join(lost)}"] if lost else []


def _bins(tables: Tables) -> Mapping[str, Mapping[str, Any]]:
    """Return the histograms of delays, in the form of the core."""
    its = tables.get(_DELAYS)
    if its is None:
        return {}
    what = np.array(its["what"])
    parts = {
        "queue_delay_bins": (what == "queue") & (its["flow"] == NOT_ONE),
        "flow_queue_delay_bins": (what == "queue") & (its["flow"] != NOT_ONE),
        "rtt_bins": what == "rtt",
    }
    columns = {
        name: {key: its[key][rows] for key in ("link", "flow", "until_s", "count")}
        for name, rows in parts.items()
        if rows.any()
    }
    if "rtt_bins" in columns:
        del columns["rtt_bins"]["link"]
    return columns
