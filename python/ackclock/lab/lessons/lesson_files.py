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
        metric: its name.
        flow: whose; the run's metric if none is named.
        unit: one of ``UNITS``; the metric's own if empty.
    """

    metric: str
    flow: str | None = None
    unit: str = ""


class Bounds(ReadOut):
    """What a metric of a run is to be.

    Attributes:
        at_least: in the unit; none if it may be as small as it likes.
        at_most: the same for large values.
    """

    at_least: float | None = None
    at_most: float | None = None

    @model_validator(mode="after")
    def _has_a_bound(self) -> Self:
        if self.at_least is None and self.at_most is None:
            raise ValueError("has no bound; write at_least, at_most or both")
        return self


class Goal(Bounds):
    """What the reader is to reach with the sliders of the step.

    Attributes:
        text: the task, in words.
    """

    text: str

    @model_validator(mode="after")
    def _is_known(self) -> Self:
        if self.metric not in METRIC_NAMES:
            raise ValueError(f"no metric is called {self.metric}; `ackclock metrics` lists them")
        return self


class Other(_Table):
    """The run with which a fact compares; what is not given is as in the fact.

    Attributes:
        sets: what that run changes of the step.
        flow: of which flow.
    """

    sets: tuple[str, ...] | None = None
    flow: str | None = None


class Fact(Bounds):
    """A number of the text, as real runs give it.

    Attributes:
        sets: what the run changes of the step's state.
        at_s: when; the metric is then a column of the probe cwnd, or "queue", in packets.
        over: the other run, by whose value that of this one is divided.
    """

    sets: tuple[str, ...] = ()
    at_s: float | None = None
    over: Other | None = None


class Slider(_Table):
    """A key that a step lets the reader change, as ``GET /api/scenarios/{id}`` describes them.

    Attributes:
        key: dotted; the source of the lesson writes it.
        label: what it is called.
        help: what it does, in one sentence.
        unit: of the values; empty for a number without one.
        scale: how the values lie on the slider.
        low: the smallest value.
        high: the largest.
        step: from one to the next, on a linear scale.
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
        """As the page reads it, with the value that the source has.

        Raises:
            ValueError: the source has no value that the slider can show.
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
        text: what to do and to look at; paragraphs, `code` and *emphasis*.
        sets: changes of the source with which the step opens, as ``--set`` takes them.
        show: panels.
        window: from when to when, s; all of the run if none is given.
        sequence: whether the time-sequence diagram is shown.
        read: metrics of the run that are shown as numbers.
        sliders: keys that the reader may change.
        question: with ``answers``, of which number ``right`` is right, counted from 0.
        goal: in place of a question.
        because: what is said afterwards.
        solution: changes of the step's state that reach the goal.
        facts: the numbers of the texts.
        sums: numbers of the texts that follow from others, as "10e6 * 0.04 / 8 = 50e3".
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
            raise ValueError("asks a question or sets a goal; write one of the two")
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
        title: of the lesson.
        summary: what it is about, in a sentence or two.
        minutes: that it takes.
        source: text of its scenario.
        sliders: the keys that its steps let the reader change.
        steps: its screens.
        more: ids of shipped scenarios that go on from here.
        constants: numbers of its texts that an RFC or a paper has fixed, such as "5 ms".
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
        """The sliders as the page reads them.

        Raises:
            ValueError: the source does not have the value of one.
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
        """The lesson as the page reads it: without what only the tests need."""
        hidden: Any = {"constants": True, "steps": {"__all__": {"facts", "sums"}}}
        inside = self.model_dump(mode="json", exclude=hidden)
        for step, its in zip(self.steps, inside["steps"], strict=True):
            for each, its_own in zip(step.read, its["read"], strict=True):
                its_own["per_unit"] = per_unit(each)
            if step.goal:
                its["goal"]["per_unit"] = per_unit(step.goal)
        return {**inside, "id": name, "sliders": self.slider_documents()}


def per_unit(read_out: ReadOut) -> float:
    """How much of the metric's own unit one of the read-out's is: 0.001 for ms of a time in s.

    Raises:
        InputError: the metric is not measured in that unit.
    """
    if not read_out.unit:
        return 1.0
    for units in UNITS.values():
        if read_out.unit in units:
            return units[read_out.unit]
    known = ", ".join(unit for units in UNITS.values() for unit in units if unit)
    raise InputError(f'"{read_out.unit}" is no unit of a lesson; there are {known}')


def read(path: Path) -> Lesson:
    """The lesson of a file.

    Raises:
        InputError: with everything that is wrong; each message names the file and the key.
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
    """The lessons by their ids, in the order of their files."""
    return {path.stem.partition("-")[2]: read(path) for path in sorted(FOLDER.glob("*.toml"))}


def lessons() -> list[dict[str, Any]]:
    """All lessons, for a list, in their order."""
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
    """A lesson as the page reads it.

    Raises:
        NotThereError: there is none of this id.
    """
    known = _all()
    if id not in known:
        raise NotThereError("lesson", id, known)
    return known[id].document(id)


def routes(settings: Settings) -> list[Route]:
    """The list of lessons, and each of them."""
    from starlette.routing import Route

    return [
        Route("/api/lessons", parameters_endpoint(lessons)),
        Route("/api/lessons/{id}", parameters_endpoint(lesson)),
    ]
