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
    """Explain a scenario: its network, TCPs, flows and sweep points, with all defaults.

    Args:
        file: A scenario file (TOML).
        point: Number of the sweep point, from 0 on; by default the first.
        plan: Print the plan of the point's runs as JSON: the input of the simulator.
        set: Change one key of the scenario: KEY=VALUE; may be repeated.
        json: Print one JSON document with all defaults; numbers are in s, bit/s and bytes.
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
        from ackclock.scenario.json_documents import point_document

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
    from ackclock.scenario.summary_tables import summary_tables
    from ackclock.scenario.units import TIME, show

    if several:
        console.print(f"Point {point.number}: {point}", markup=False)
    scenario = point.scenario
    times = f"Duration {show(scenario.duration, TIME)}, warm-up {show(scenario.warm_up, TIME)}"
    console.print(f"{times}, clock tick {show(scenario.clock.tick, TIME)}", markup=False)
    for table in summary_tables(point):
        _table(console, table.title, table.heads, table.rows)
        if table.note:
            console.print(f"{table.note}\n", markup=False)


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
