"""The lab in a notebook: the page's components in a cell, and runs in the kernel's own process.

A widget and its page share traits; there is no server. What the page would send to one it writes
into ``question`` and ``order``, and it reads what comes back from ``answer`` and ``frame``.
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
    """A figure that can be looked into.

    Attributes:
        figure: its data, as an interactive report has them.
    """

    figure = traitlets.Bytes().tag(sync=True)


class ScenarioWidget(_Widget):
    """The sliders and the panels of a scenario.

    Attributes:
        sets: texts ``key=value`` that change the scenario; the sliders write them, and whoever
            writes them moves the sliders.
        point: number of a point of its sweep.
        replication: number of a run of that point.
        only: keys of the sliders that are shown; all of them if empty.
        question: what the page asks of the scenario: its number, and a state.
        answer: the number of the question, and what ``POST /api/check`` would say.
        order: what the page wants to be run, as ``POST /api/run`` has it.
        frame: the newest picture of the newest order.
        refused: of an order that is not run, its number, and why.
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
            folder: from which the files are read that it names.
            traits: of this class.

        Raises:
            InputError: the scenario, or what changes it, is wrong; the bundle is not built.
            NotThereError: no scenario has this id.
        """
        self._scenario, self._settings = dict(scenario), Settings(folder, "", 0, 1)
        self._kept, self._turn, self._one = Kept(), Turn(), Lock()
        state = {name: traits.get(name, default) for name, default in _STATE.items()}
        # At once, so that a cell that is wrong says so.
        State.read(self._body(state)).load_point(self._settings)
        super().__init__(**traits)

    def _body(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """What the page asks for, of this scenario."""
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
        """Begin a run; the one before ends."""
        asked = change["new"]
        self._turn.end()
        if asked:
            self._turn = Turn(int(asked.get("order", 0)))
            Thread(target=self._watch, args=(asked, self._turn), daemon=True).start()

    def _watch(self, asked: Mapping[str, Any], turn: Turn) -> None:
        # One run at a time: what is no longer wanted has its turn, and leaves at once.
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
        """Stop what is under way, and leave the page."""
        self._turn.end()
        super().close()


_STATE: dict[str, Any] = {"sets": [], "point": 0, "replication": 0}


def _problems(error: Exception) -> list[dict[str, Any]]:
    return described(error.messages if isinstance(error, InputError) else [str(error)])


def of_scenario(
    source: str | Path, sets: Sequence[str], point: int, replication: int, only: Sequence[str]
) -> ScenarioWidget:
    """The widget of a scenario; see ``ackclock.lab.widget``."""
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
    """The widget of a figure; see ``ackclock.lab.view``."""
    if isinstance(what, Results):
        return FigureWidget(figure=run_frames(what, what.point(point), replication))
    if what.chart is None:
        raise InputError(
            "this figure has no interactive data; use results.plot.lines() or results.plot.cdf()"
        )
    return FigureWidget(figure=chart_frame(what.chart))
