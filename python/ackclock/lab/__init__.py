"""The lab in the browser: a server on this computer, and the page that it serves.

The page builds states and nothing else: a scenario and texts ``key=value``. What a state means is
decided where it is for every other command, in ``scenario`` and ``results``.

Each package uses those below it in this table only (see ``tests/python/test_architecture.py``):

| package | what |
|---|---|
| ``server`` | the socket, the guard, the routes; ``folder_routes``: of jobs, campaigns, studies |
| ``embedded`` | the lab in reports (``reports``, ``charts``) and in notebooks (``notebook``) |
| ``lessons`` | guided lessons: files of steps, and what is wrong with them |
| ``jobs`` | many runs in a process of their own: ``folder`` on the disk, ``kinds`` of orders |
| ``studies`` | published numbers beside those of this computer |
| ``campaigns`` | the campaigns in the user's folder: means, runs, traces, differences |
| ``runs`` | a run that somebody looks at: ``recording``, slices (``live_run``), curves, files |
| ``states`` | what a state is, without a run: scenarios, keys, sliders, path, cost |

The modules beside them serve all: ``settings`` and bounds, ``endpoints`` of the server and
``errors`` in its answers, ``slots`` in which the latest run wins, ``frame`` of numbers, ``bundle``
of the page.
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
    """The sliders and the panels of a scenario, in a cell of a notebook.

    Runs are made in this process, and are those of ``ackclock run``. What the sliders change is in
    the attribute ``sets``, as texts that ``ackclock.results.run`` takes, too.

    Args:
        source: path of a scenario file; its text, if it has a line break; or the id of a shipped
            one, "slow_start".
        sets: texts ``key=value`` that change the scenario.
        point: number of a point of its sweep.
        replication: number of a run of that point.
        sliders: keys of those that are shown, such as "topology.bottleneck.rate"; by default all.

    Raises:
        InputError: with everything that is wrong; or the extra ``notebook`` is not installed.
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
    """A recorded run, or a figure of means or of shares, to look into in a cell of a notebook.

    Args:
        what: results, of which a run over time is shown with its time-sequence diagram; or a figure
            of ``results.plot.lines()`` or ``results.plot.cdf()``.
        point: of results, number of the point or levels that identify it; not needed if there is
            one.
        replication: of results, number of the replication.

    Raises:
        InputError: nothing was recorded that the panels show, or the figure is of another kind; or
            the extra ``notebook`` is not installed.
    """
    _check_installed()
    from ackclock.lab.embedded.notebook import of_figure

    return of_figure(what, point, replication)


def _check_installed() -> None:
    from importlib.util import find_spec

    if find_spec("anywidget") is None:
        raise InputError("a notebook needs anywidget: pip install 'ackclock[notebook]'")
