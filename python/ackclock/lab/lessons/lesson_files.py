"""Guided lessons: small scenarios in steps that set sliders, ask questions, and explain.

A lesson is a file ``lessons/NN-name.toml``; its id is ``name``, and NN is its place in the list.
Facts repeat the numbers of the texts, and tests check these facts with real runs.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from ackclock.errors import InputError
from ackclock.lab.endpoints import NotThereError, parameters_endpoint
from ackclock.scenario import keys
from ackclock.scenario.metric_names import METRIC_NAMES
from ackclock.scenario.problems import Origins, Problem
from ackclock.scenario.source_lines import Source

if TYPE_CHECKING:
    from starlette.routing import Route

    from ackclock.lab.settings import Settings

LEAST_STEPS, MOST_STEPS = 3, 6
FOLDER = Path(__file__).parent
Panel = Literal[
    "cwnd", "rtt", "queue", "goodput", "states", "delays", "completions"
]  # what POST /api/run shows
UNITS = {
    "s": {"s": 1.0, "ms": 1e-3, "us": 1e-6},
    "bit/s": {"bit/s": 1.0, "kbit/s": 1e3, "Mbit/s": 1e6},
    "bytes": {"B": 1.0, "kB": 1e3, "MB": 1e6},
    "1": {"": 1.0, "%": 1e-2},
    "packets or cells": {"packets": 1.0},
}
"""Units for a metric in a lesson, by the metric's own unit."""


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ReadOut(_Table):
    """A metric of a run, as a number in a unit.

    Attributes:
        metric: name of the metric.
        flow: name of the flow; none for a metric of the run.
        unit: one of ``UNITS``; empty for the metric's own unit.
    """

    metric: str
    flow: str | None = None
    unit: str = ""


class Bounds(ReadOut):
    """The bounds of a metric of a run.

    Attributes:
        at_least: lower bound in the unit; none without one.
        at_most: upper bound in the unit; none without one.
    """

    at_least: float | None = None
    at_most: float | None = None

    @model_validator(mode="after")
    def _has_a_bound(self) -> Self:
        if self.at_least is None and self.at_most is None:
            raise ValueError("has no bound; write at_least, at_most or both")
        return self


class Goal(Bounds):
    """The goal that you reach with the sliders of a step.

    Attributes:
        text: text of the task.
    """

    text: str

    @model_validator(mode="after")
    def _is_known(self) -> Self:
        if self.metric not in METRIC_NAMES:
            raise ValueError(f"no metric is called {self.metric}; `ackclock metrics` lists them")
        return self


class Other(_Table):
    """The run to which a fact compares; omitted keys are those of the fact.

    Attributes:
        sets: changes of the step's state for that run.
        flow: name of the flow.
    """

    sets: tuple[str, ...] | None = None
    flow: str | None = None


class Fact(Bounds):
    """A number of the text that tests check with real runs.

    Attributes:
        sets: changes of the step's state for the run.
        at_s: time, s; the metric is then a column of the probe cwnd, or "queue", in packets.
        over: other run, whose value is the divisor.
    """

    sets: tuple[str, ...] = ()
    at_s: float | None = None
    over: Other | None = None


class Slider(_Table):
    """A slider of a step, in the form of ``GET /api/scenarios/{id}``.

    Attributes:
        key: dotted key, which the source of the lesson sets.
        label: label of the slider.
        help: description in one sentence.
        unit: unit of the values; empty for a number without unit.
        scale: scale of the slider.
        low: smallest value.
        high: largest value.
        step: distance between values on a linear scale.
        choices: values with their labels, for a key with words.
    """

    key: str
    label: str
    help: str = ""
    unit: str = ""
    scale: Literal["linear", "log"] = "linear"
    low: float | None = None
    high: float | None = None
    step: float | None = None
    choices: tuple[tuple[str, str], ...] = ()

    @model_validator(mode="after")
    def _is_one_kind(self) -> Self:
        if bool(self.choices) == (self.low is not None and self.high is not None):
            raise ValueError("has either choices or low and high; write one of the two")
        return self

    def document(self, written: Any) -> dict[str, Any]:
        """Return the slider in the form of the page, with the value in the source.

        Raises:
            ValueError: the slider cannot show the value in the source.
        """
        common = {"key": self.key, "label": self.label, "help": self.help, "unit": self.unit}
        if self.choices:
            values = [value for value, _ in self.choices]
            text = str(written).lower() if isinstance(written, bool) else str(written)
            if text not in values:
                raise ValueError(f"has no choice for {text!r}, which the source has")
            choices = [{"value": value, "label": label} for value, label in self.choices]
            return {**common, "kind": "choice", "choices": choices, "value": text}
        number, _, unit = str(written).partition(" ")
        if unit != self.unit:
            raise ValueError(f"is in {self.unit or 'no unit'}, but the source has {written!r}")
        return {
            **common,
            "kind": "quantity" if self.unit else "number",
            "scale": self.scale,
            "low": self.low,
            "high": self.high,
            "step": self.step,
            "choices": [],
            "value": float(number),
        }


class Step(_Table):
    """A screen of a lesson.

    Attributes:
        text: instructions; paragraphs, `code` and *emphasis*.
        sets: initial changes of the source, in the form of ``--set``.
        show: panels of the step.
        window: start and end of the shown time, s; none for the whole run.
        sequence: whether the time-sequence diagram is shown.
        read: metrics of the run that are shown as numbers.
        sliders: keys with a slider.
        question: question with ``answers``; the correct one has the number ``right``, from 0.
        goal: goal instead of a question.
        because: explanation after the answer.
        solution: changes of the step's state that reach the goal.
        facts: numbers of the texts.
        sums: numbers of the texts that are computed from others: "10e6 * 0.04 / 8 = 50e3".
    """

    text: str
    sets: tuple[str, ...] = ()
    show: tuple[Panel, ...]
    window: tuple[float, float] | None = None
    sequence: bool = False
    read: tuple[ReadOut, ...] = ()
    sliders: tuple[str, ...] = ()
    question: str = ""
    answers: tuple[str, ...] = ()
    right: int | None = None
    goal: Goal | None = None
    because: str
    solution: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    sums: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _asks_one_thing(self) -> Self:
        if not self.show:
            raise ValueError('shows nothing; write panels, for example show = ["cwnd", "queue"]')
        if bool(self.question) == bool(self.goal):
            raise ValueError("write either a question or a goal")
        if self.question and not 2 <= len(self.answers) <= 4:
            raise ValueError("a question has two to four answers")
        if self.question and not (self.right is not None and 0 <= self.right < len(self.answers)):
            raise ValueError("right is the number of the right answer, counted from 0")
        if self.goal and not (self.sliders and self.solution):
            raise ValueError("a goal needs sliders that reach it and a solution")
        return self


class Lesson(_Table):
    """A lesson.

    Attributes:
        title: title of the lesson.
        summary: summary in one or two sentences.
        minutes: duration of the lesson, minutes.
        source: text of the lesson's scenario.
        sliders: sliders of the steps.
        steps: steps of the lesson.
        more: ids of shipped scenarios that continue the lesson.
        constants: numbers of the texts that an RFC or a paper defines, such as "5 ms".
    """

    title: str
    summary: str
    minutes: int
    source: str
    sliders: tuple[Slider, ...] = ()
    steps: tuple[Step, ...]
    more: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _has_its_sliders(self) -> Self:
        if not LEAST_STEPS <= len(self.steps) <= MOST_STEPS:
            raise ValueError(f"a lesson has three to six steps, not {len(self.steps)}")
        known = {slider.key for slider in self.sliders}
        for number, step in enumerate(self.steps):
            for key in step.sliders:
                if key not in known:
                    raise ValueError(f"steps[{number}] shows {key}, which is not in [[sliders]]")
        self.slider_documents()
        return self

    def slider_documents(self) -> list[dict[str, Any]]:
        """Return the sliders in the form of the page.

        Raises:
            ValueError: the source does not have the value of a slider.
        """
        found = []
        written = tomllib.loads(self.source)
        for slider in self.sliders:
            value = keys.get(written, keys.parse(slider.key))
            if value is keys.MISSING:
                raise ValueError(f"the source does not write {slider.key}, which has a slider")
            try:
                found.append(slider.document(value))
            except ValueError as error:
                raise ValueError(f"the slider of {slider.key} {error}") from None
        return found

    def document(self, name: str) -> dict[str, Any]:
        """Return the lesson in the form of the page, without the data for tests."""
        hidden: Any = {"constants": True, "steps": {"__all__": {"facts", "sums"}}}
        inside = self.model_dump(mode="json", exclude=hidden)
        for step, its in zip(self.steps, inside["steps"], strict=True):
            for each, its_own in zip(step.read, its["read"], strict=True):
                its_own["per_unit"] = per_unit(each)
            if step.goal:
                its["goal"]["per_unit"] = per_unit(step.goal)
        return {**inside, "id": name, "sliders": self.slider_documents()}


def per_unit(read_out: ReadOut) -> float:
    """Return the size of the read-out's unit in the metric's unit: 0.001 for ms of a time in s.

    Raises:
        InputError: the metric is not measured in that unit.
    """
    if not read_out.unit:
        return 1.0
    for units in UNITS.values():
        if read_out.unit in units:
            return units[read_out.unit]
    known = ", ".join(unit for units in UNITS.values() for unit in units if unit)
    raise InputError(f'"{read_out.unit}" is not a unit of a lesson; choose from {known}')


def read(path: Path) -> Lesson:
    """Read the lesson in a file.

    Raises:
        InputError: with all errors; each message has the file and the key.
    """
    text = path.read_text(encoding="utf-8")
    try:
        written = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(
            f"{path.name}: is not TOML: {error}; write keys like minutes = 5"
        ) from None
    try:
        return Lesson.model_validate(written)
    except ValidationError as error:
        origins = Origins(Source(path.name, text))
        found = [Problem(each["loc"], _reason(each)) for each in error.errors(include_url=False)]
        raise InputError(_described(origins, each, written) for each in found) from None


def _reason(detail: Mapping[str, Any]) -> str:
    return str(detail.get("ctx", {}).get("error", detail["msg"]))


def _described(origins: Origins, problem: Problem, written: Any) -> str:
    place = origins.source.at(problem.path)
    key = keys.show(problem.path)
    return f"{place}: {key}: {problem.reason}" if key else f"{place}: {problem.reason}"


@cache
def _all() -> dict[str, Lesson]:
    """Return the lessons by id, in the order of their files."""
    return {path.stem.partition("-")[2]: read(path) for path in sorted(FOLDER.glob("*.toml"))}


def lessons() -> list[dict[str, Any]]:
    """Return all lessons for a list, in their order."""
    return [
        {
            "id": name,
            "title": each.title,
            "summary": each.summary,
            "minutes": each.minutes,
            "steps": len(each.steps),
        }
        for name, each in _all().items()
    ]


def lesson(id: str) -> dict[str, Any]:
    """Return a lesson in the form of the page.

    Raises:
        NotThereError: no lesson has this id.
    """
    known = _all()
    if id not in known:
        raise NotThereError("lesson", id, known)
    return known[id].document(id)


def routes(settings: Settings) -> list[Route]:
    """Return the routes of the list of lessons and of a single lesson."""
    from starlette.routing import Route

    return [
        Route("/api/lessons", parameters_endpoint(lessons)),
        Route("/api/lessons/{id}", parameters_endpoint(lesson)),
    ]
