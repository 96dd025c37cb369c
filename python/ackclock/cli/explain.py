"""``ackclock explain``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from ackclock.cli.json_output import say_json
from ackclock.cli.options import Several
from ackclock.plurals import counted

if TYPE_CHECKING:
    from rich.console import Console

    from ackclock.scenario import Point, Scenario

_MOST_POINTS = 50
_WIDTH_OF_FILES = 140


def explain(
    file: Path,
    /,
    *,
    point: int | None = None,
    plan: Annotated[bool, Parameter(negative=())] = False,
    set: Several | None = None,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> None:
    """Explain what a scenario says: the network, the TCPs, the flows, the points of the sweep.

    Args:
        file: A scenario file (TOML).
        point: Number of a point of the sweep, from 0 on; the first by default.
        plan: Print the plan of the point's runs, as the core reads it, as JSON.
        set: Change the scenario: key=value.
        json: Print one JSON document: numbers in s, bit/s and bytes, every default.
    """
    from ackclock.scenario import load
    from ackclock.scenario.points import chosen_point

    scenario = load(file, set or [])
    points = scenario.points()
    chosen = chosen_point(points, 0 if point is None else point)
    if plan:
        say_json(chosen.compile().plan)
        return
    if json:
        from ackclock.scenario.documents import point_document

        say_json(point_document(scenario, chosen))
        return
    from ackclock.cli.screen import Screen

    console = Screen(highlight=False)
    if not console.is_terminal:
        console = Screen(highlight=False, width=_WIDTH_OF_FILES)
    _head(console, scenario)
    _point(console, chosen, several=len(points) > 1)
    if len(points) > 1 and point is None:
        _points(console, points)


def _head(console: Console, scenario: Scenario) -> None:
    from ackclock.scenario.summary import one_line

    for text in (scenario.title, scenario.description):
        if text:
            console.print(text, markup=False)
    console.print(f"{one_line(scenario)}; seed {scenario.seed}\n", markup=False)


def _point(console: Console, point: Point, *, several: bool) -> None:
    from ackclock.scenario.summary import apart_rows, group_rows, link_rows, tcp_columns
    from ackclock.scenario.summary_of_cells import (
        abr_rows,
        contract_rows,
        source_rows,
        switch_rows,
    )
    from ackclock.scenario.summary_of_paths import NOTE, change_rows
    from ackclock.scenario.units import TIME, show

    if several:
        console.print(f"Point {point.number}: {point}", markup=False)
    scenario = point.scenario
    times = f"Duration {show(scenario.duration, TIME)}, warm-up {show(scenario.warm_up, TIME)}"
    console.print(f"{times}, clock tick {show(scenario.clock.tick, TIME)}", markup=False)
    _table(
        console,
        "Links",
        ("link", "rate", "delay", "queue", "impairments", "flows"),
        link_rows(scenario),
    )
    changes = change_rows(scenario)
    if changes:
        heads = ("link", "what it does", "mean rate", "full queue at this rate")
        _table(console, "Links that change", heads, changes)
        console.print(f"{NOTE}\n", markup=False)
    flow_heads = ("flow", "data goes", "by way of", "base RTT", "rate x RTT", "TCP", "workload")
    apart_heads = ("flow", "foreground", "DSCP", "on the way to the receiver", "on the way from it")
    contract_heads = ("flow", "MCR", "PCR", "MBS", "MFS", "CDVT", "frames beyond MCR")
    source_heads = ("source", "cells go", "by way of", "service", "when")
    for title, heads, rows in (
        ("Flows", flow_heads, group_rows(scenario)),
        ("Of some flows only", apart_heads, apart_rows(scenario)),
        ("Sources of cells", source_heads, source_rows(scenario)),
        ("GFR contracts of each VC", contract_heads, contract_rows(scenario)),
        ("ABR end systems", ("key", "value"), abr_rows(scenario)),
        ("Rate control of the switch ports", ("key", "value"), switch_rows(scenario)),
    ):
        if rows:
            _table(console, title, heads, rows)
    columns = tcp_columns(scenario)
    keys = next(iter(columns.values()), {})
    rows = [(key, *(texts[key] for texts in columns.values())) for key in keys]
    if rows:
        _table(console, "TCP", ("key", *columns), rows)
    expressions = point.expressions()
    if expressions:
        _table(
            console, "Expressions", ("key", "expression", "value (s, bit/s, bytes)"), expressions
        )


def _points(console: Console, points: Sequence[Point]) -> None:
    rows = [
        (str(point.number), *map(str, point.levels.values())) for point in points[:_MOST_POINTS]
    ]
    _table(console, "Points", ("point", *points[0].levels), rows)
    if len(points) > _MOST_POINTS:
        console.print(f"and {counted(len(points) - _MOST_POINTS, 'more point')}")


def _table(
    console: Console, title: str, heads: Iterable[str], rows: Iterable[Sequence[str]]
) -> None:
    from rich.text import Text

    from ackclock.terminal import TerminalTable

    table = TerminalTable()
    for head in heads:
        table.add_column(head, prose=True)
    for row in rows:
        table.add_row(*map(Text, row))
    console.print(Text(title, style="bold"))
    console.print(table)
