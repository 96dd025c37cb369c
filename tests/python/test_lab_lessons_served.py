"""Lessons from the server, as the page gets them and runs each step in its first state."""

import pytest

from ackclock.lab.settings import LIVE_SEGMENTS
from lab_server import running
from lesson_facts import LESSONS, STEPS, value

PANELS = {"cwnd", "rtt", "queue", "goodput"}


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    with running(tmp_path_factory.mktemp("folder")) as served:
        yield served


def state_of(at):
    """The lesson as the server tells it, the step, and the body that asks for its run."""
    name, number = at
    lesson = LESSONS[name]
    step = lesson.steps[number]
    state = {"scenario": None, "source": lesson.source, "sets": list(step.sets), "point": 0}
    return lesson, step, {**state, "replication": 0}


def metric(head, read):
    """What a run's last frame has for a read-out."""
    if read.flow is None:
        values = head["metrics"]
    else:
        (number,) = (flow["number"] for flow in head["flows"] if flow["name"] == read.flow)
        (values,) = (each["values"] for each in head["flow_metrics"] if each["flow"] == number)
    (found,) = (each for each in values if each["name"] == read.metric)
    return found


def test_lessons_are_listed_and_told(lab):
    cards = lab.get("lessons")
    assert [each["id"] for each in cards] == list(LESSONS)
    found = lab.get(f"lessons/{cards[-1]['id']}")
    assert found["title"] == cards[-1]["title"]
    assert len(found["steps"]) == cards[-1]["steps"]


def test_a_lesson_that_is_not_there_names_the_nearest(lab):
    (problem,) = lab.get("lessons/cubci", 404)["problems"]
    assert problem["message"] == 'there is no lesson "cubci"; did you mean "cubic"?'
    lab.get("lessons/..%2Fapp", 404)


@pytest.mark.parametrize("at", STEPS, ids=lambda at: f"{at[0]}-{at[1] + 1}")
def test_a_step_opens_without_problems_and_shows_what_it_says(lab, at):
    lesson, step, state = state_of(at)
    check = lab.post("check", state)
    assert check["problems"] == []
    assert check["cost"]["verdict"] == "live"
    assert check["cost"]["segments"] < LIVE_SEGMENTS
    window = None if step.window is None else list(step.window)
    asked = {"flows": None, "link": None, "window": window, "width": 300, "slot": "B", "order": 1}
    head, _ = lab.frames("run", {**state, "show": list(step.show), **asked})[-1]
    assert head["done"] == 1
    assert {panel["id"] for panel in head["panels"]} == PANELS & set(step.show)
    assert bool(head["strips"]) == ("states" in step.show)
    for read in (*step.read, *([step.goal] if step.goal else ())):
        plain = read.model_copy(update={"unit": ""})
        assert metric(head, read)["value"] == pytest.approx(
            value(lesson.source, step.sets, plain), rel=1e-9
        )
