"""The lab in a notebook: the page's components in a cell, and runs in the kernel's process.

A widget and its page share traits instead of using a server. The page writes requests into
``question`` and ``order``, and reads the responses from ``answer`` and ``frame``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock, Thread
from typing import Any

import anywidget
import traitlets

from ackclock.errors import InputError
from ackclock.lab import bundle
from ackclock.lab.embedded.charts import chart_frame
from ackclock.lab.embedded.reports import run_frames
from ackclock.lab.errors import NotThereError, described
from ackclock.lab.runs.live_run import Kept, begun
from ackclock.lab.settings import Settings
from ackclock.lab.slots import Turn
from ackclock.lab.states.check import checked
from ackclock.lab.states.state import State
from ackclock.plots.sourced import SourcedFigure
from ackclock.results import Results

_SCRIPT, _STYLE = "widget.js", "widget.css"


class _Widget(anywidget.AnyWidget):  # type: ignore[misc]
    """A widget with the bundle of the lab."""

    _esm = traitlets.Unicode().tag(sync=True)
    _css = traitlets.Unicode().tag(sync=True)

    def __init__(self, **traits: Any) -> None:
        super().__init__(_esm=bundle.text(_SCRIPT), _css=bundle.text(_STYLE), **traits)


class FigureWidget(_Widget):
    """An interactive figure.

    Attributes:
        figure: data of the figure, in the form of an interactive report.
    """

    figure = traitlets.Bytes().tag(sync=True)


class ScenarioWidget(_Widget):
    """The sliders and the panels of a scenario.

    Attributes:
        sets: texts ``key=value`` that change the scenario. The sliders set them, and a new value
            moves the sliders.
        point: number of the point in the sweep.
        replication: number of the replication.
        only: keys with a slider; empty for all.
        question: request for a check: its number, and a state.
        answer: number of the question, and the response of ``POST /api/check``.
        order: request for a run, in the form of ``POST /api/run``.
        frame: newest picture of the newest order.
        refused: number of an order that is not run, and the reason.
    """

    sets = traitlets.List(traitlets.Unicode()).tag(sync=True)
    point = traitlets.Int(0).tag(sync=True)
    replication = traitlets.Int(0).tag(sync=True)
    only = traitlets.List(traitlets.Unicode()).tag(sync=True)
    question = traitlets.Dict().tag(sync=True)
    answer = traitlets.Dict().tag(sync=True)
    order = traitlets.Dict().tag(sync=True)
    frame = traitlets.Bytes().tag(sync=True)
    refused = traitlets.Dict().tag(sync=True)

    def __init__(self, scenario: Mapping[str, Any], folder: Path, **traits: Any) -> None:
        """Show a scenario.

        Args:
            scenario: the keys "scenario" (id) and "source" (text) of a state, one of them none.
            folder: folder of the files that the scenario names.
            traits: traits of this class.

        Raises:
            InputError: the scenario or a change has an error, or the bundle is not built.
            NotThereError: no scenario has this id.
        """
        self._scenario, self._settings = dict(scenario), Settings(folder, "", 0, 1)
        self._kept, self._turn, self._one = Kept(), Turn(), Lock()
        state = {name: traits.get(name, default) for name, default in _STATE.items()}
        # Checked at once, so that the cell reports an error.
        State.read(self._body(state)).load_point(self._settings)
        super().__init__(**traits)

    def _body(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Return a request of the page with this scenario."""
        return {**asked, **self._scenario}

    @traitlets.observe("question")
    def _check(self, change: Mapping[str, Any]) -> None:
        asked = change["new"]
        if not asked:
            return
        try:
            found = checked(self._settings, self._body(asked))
        except (InputError, NotThereError) as error:
            found = {"ok": False, "problems": _problems(error)}
        self.answer = {"number": asked.get("number"), "answer": found}

    @traitlets.observe("order")
    def _run(self, change: Mapping[str, Any]) -> None:
        """Begin a run, and end the one before."""
        asked = change["new"]
        self._turn.end()
        if asked:
            self._turn = Turn(int(asked.get("order", 0)))
            Thread(target=self._watch, args=(asked, self._turn), daemon=True).start()

    def _watch(self, asked: Mapping[str, Any], turn: Turn) -> None:
        # One run at a time: an outdated order gets its turn too, but ends at once.
        with self._one:
            if turn.is_over:
                return
            try:
                watched = begun(self._settings, self._body(asked), turn, self._kept)
            except (InputError, NotThereError) as error:
                self.refused = {"order": turn.order, "problems": _problems(error)}
                return
            while (frame := watched.next()) is not None:
                self.frame = frame

    def close(self) -> None:
        """Stop the run, and close the widget."""
        self._turn.end()
        super().close()


_STATE: dict[str, Any] = {"sets": [], "point": 0, "replication": 0}


def _problems(error: Exception) -> list[dict[str, Any]]:
    return described(error.messages if isinstance(error, InputError) else [str(error)])


def of_scenario(
    source: str | Path, sets: Sequence[str], point: int, replication: int, only: Sequence[str]
) -> ScenarioWidget:
    """Return the widget of a scenario; see ``ackclock.lab.widget``."""
    traits = {
        "sets": list(sets),
        "point": point,
        "replication": replication,
        "only": list(only),
    }
    if isinstance(source, str) and "\n" in source:
        return ScenarioWidget({"scenario": None, "source": source}, Path(), **traits)
    path = Path(source)
    if path.is_file():
        text = path.read_text(encoding="utf-8")
        return ScenarioWidget({"scenario": None, "source": text}, path.parent, **traits)
    try:
        return ScenarioWidget({"scenario": str(source), "source": None}, Path(), **traits)
    except NotThereError as error:
        raise InputError(f"{source}: is not a file, and {error}") from None


def of_figure(
    what: Results | SourcedFigure, point: int | Mapping[str, Any] | None, replication: int
) -> FigureWidget:
    """Return the widget of a figure; see ``ackclock.lab.view``."""
    if isinstance(what, Results):
        return FigureWidget(figure=run_frames(what, what.point(point), replication))
    if what.chart is None:
        raise InputError(
            "this figure has no interactive data; use results.plot.lines() or results.plot.cdf()"
        )
    return FigureWidget(figure=chart_frame(what.chart))
