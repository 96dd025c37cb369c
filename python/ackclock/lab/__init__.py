"""The lab in the browser: a local server, and the page that it serves.

The page only builds states: a scenario and texts ``key=value``. As for every other command,
``scenario`` and ``results`` define the meaning of a state.

Each package uses only packages below it in this table (see ``tests/python/test_architecture.py``):

| package | what |
|---|---|
| ``server`` | socket, guard, routes; ``folder_routes``: routes of jobs, campaigns, studies |
| ``embedded`` | the lab in reports (``reports``, ``charts``) and in notebooks (``notebook``) |
| ``lessons`` | guided lessons: files of steps, and checks of them |
| ``jobs`` | many runs in a separate process: ``folder`` on the disk, ``kinds`` of orders |
| ``studies`` | published numbers, and your own numbers beside them |
| ``campaigns`` | the campaigns in the user's folder: means, runs, traces, differences |
| ``runs`` | live runs: ``recording``, slices (``live_run``), curves, files |
| ``states`` | description of a state without a run: scenarios, keys, sliders, path, cost |

All packages use the modules in this folder: ``settings`` and bounds, ``endpoints`` of the server
and ``errors`` in its answers, ``slots`` in which the latest run wins, ``frame`` of numbers,
``bundle`` of the page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ackclock.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.lab.embedded.notebook import FigureWidget, ScenarioWidget
    from ackclock.plots.sourced import SourcedFigure
    from ackclock.results import Results

__all__ = ["view", "widget"]


def widget(
    source: str | Path,
    sets: Sequence[str] = (),
    *,
    point: int = 0,
    replication: int = 0,
    sliders: Sequence[str] = (),
) -> ScenarioWidget:
    """Return a widget with the sliders and panels of a scenario for a notebook.

    Runs are made in this process, and equal those of ``ackclock run``. The attribute ``sets`` has
    the changes of the sliders, as texts for ``ackclock.results.run``.

    Args:
        source: path of a scenario file, the text of a scenario (if it has a line break), or the id
            of a shipped scenario such as "slow_start".
        sets: texts ``key=value`` that change the scenario.
        point: number of a point of its sweep.
        replication: number of a run of that point.
        sliders: keys with a slider, such as "topology.bottleneck.rate"; by default all.

    Raises:
        InputError: with all errors; or the extra ``notebook`` is not installed.
    """
    _check_installed()
    from ackclock.lab.embedded.notebook import of_scenario

    return of_scenario(source, sets, point, replication, sliders)


def view(
    what: Results | SourcedFigure,
    *,
    point: int | Mapping[str, Any] | None = None,
    replication: int = 0,
) -> FigureWidget:
    """Return a widget for a recorded run, or for a figure of means or of shares, for a notebook.

    Args:
        what: results, to show a run over time with its time-sequence diagram; or a figure of
            ``results.plot.lines()`` or ``results.plot.cdf()``.
        point: for results, number of the point or levels that identify it; may be left out if
            there is only one point.
        replication: for results, number of the replication.

    Raises:
        InputError: the run has no records for the panels, the figure is of another kind, or the
            extra ``notebook`` is not installed.
    """
    _check_installed()
    from ackclock.lab.embedded.notebook import of_figure

    return of_figure(what, point, replication)


def _check_installed() -> None:
    from importlib.util import find_spec

    if find_spec("anywidget") is None:
        raise InputError("a notebook needs anywidget: pip install 'ackclock[notebook]'")
