"""The lessons of the lab: their files, and that runs show what their texts say.

A lesson is small, so each fact is looked at in the run that the page shows and in three others,
with other random numbers.
"""

import re

import pytest

from ackclock.errors import InputError
from ackclock.lab.endpoints import NotThereError
from ackclock.lab.lessons import lesson_files
from ackclock.scenario import load
from lesson_facts import (
    LESSONS,
    STEPS,
    holds,
    key_of,
    made,
    seeds,
    segments,
    together,
    unit_of,
    value,
)
from lesson_texts import (
    is_a_fact,
    is_a_sum,
    is_given,
    quantities,
    said,
    unknown_abbreviations,
    unspelled,
)
from teaching_set import SCENARIOS

MOST_SEGMENTS = 300_000
"""Of a run that follows a slider on any computer."""
LONGEST = {"text": 420, "question": 120, "answer": 120, "because": 300, "goal": 110, "summary": 120}
"""Characters that fit on a screen beside the panels."""
GOOD = """
title = "Waiting"
summary = "About a queue."
minutes = 5
source = '''
duration = "1 s"
[topology]
kind = "dumbbell"
bottleneck = { rate = "10 Mbit/s", delay = "5 ms" }
[workload]
kind = "bulk"
'''

[[sliders]]
key = "topology.bottleneck.rate"
label = "Rate"
unit = "Mbit/s"
low = 1
high = 20
"""
STEP = """
[[steps]]
text = "Look."
show = ["queue"]
sliders = ["topology.bottleneck.rate"]
question = "What?"
answers = ["This.", "That."]
right = 0
because = "So."
"""


def step_of(at):
    name, number = at
    return LESSONS[name], LESSONS[name].steps[number]


def each_step(of=lambda step: True):
    steps = [at for at in STEPS if of(step_of(at)[1])]
    return pytest.mark.parametrize("at", steps, ids=lambda at: f"{at[0]}-{at[1] + 1}")


def each_lesson():
    return pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)


def test_there_are_lessons_from_slow_start_to_l4s():
    assert len(LESSONS) >= 14
    names = list(LESSONS)
    assert names[0] == "slow-start"
    assert names.index("slow-start") < names.index("cubic") < names.index("l4s")
    numbers = [int(path.name[:2]) for path in sorted(lesson_files.FOLDER.glob("*.toml"))]
    assert numbers == list(range(1, len(numbers) + 1))


@each_step()
def test_facts_hold(at):
    lesson, step = step_of(at)
    for fact in step.facts:
        for seed in seeds(lesson.source, step.sets, fact):
            found = value(lesson.source, step.sets, fact, seed)
            assert holds(fact, found), f"{fact}: is {found} with seed {seed}"


@each_step(lambda step: step.goal)
def test_goals_are_not_reached_at_first_and_can_be(at):
    lesson, step = step_of(at)
    assert {key_of(each) for each in step.solution} <= set(step.sliders)
    changed = together(step.sets, step.solution)
    for seed in seeds(lesson.source, changed, step.goal):
        assert not holds(step.goal, value(lesson.source, step.sets, step.goal, seed))
        assert holds(step.goal, value(lesson.source, changed, step.goal, seed))


@each_step()
def test_runs_are_small_and_have_what_the_step_reads(at):
    lesson, step = step_of(at)
    assert segments(lesson.source, step.sets) < MOST_SEGMENTS
    _, compiled, metrics = made(lesson.source, step.sets)
    for read in step.read:
        if read.flow is not None:
            assert read.flow in compiled.facts.flow_names
            assert read.metric in metrics["flows"]
        else:
            assert read.metric in metrics
        assert read.unit in ("", *lesson_files.UNITS.get(unit_of(read), ()))


@each_step()
def test_all_that_sliders_can_set_is_right_and_small(at):
    lesson, step = step_of(at)
    for slider in lesson.sliders:
        if slider.key not in step.sliders:
            continue
        ends = [value for value, _ in slider.choices] or [slider.low, slider.high]
        for end in ends:
            text = end if isinstance(end, str) else f"{end:g} {slider.unit}".strip()
            changes = together(step.sets, [f"{slider.key}={text}"])
            load(lesson.source, changes)
            assert segments(lesson.source, changes) < MOST_SEGMENTS, changes


@each_step()
def test_each_number_of_a_text_comes_from_a_run(at):
    """Or from the scenario, or from numbers of these, by a sum that stands beside it."""
    lesson, step = step_of(at)
    unaccounted = [
        quantity
        for quantity, number, base in quantities(said(step))
        if not is_given(quantity, lesson, step)
        and not is_a_fact(number, base, step.facts)
        and not is_a_sum(quantity, number, step)
    ]
    assert unaccounted == []


@each_step()
def test_sums_are_right(at):
    _, step = step_of(at)
    for each in step.sums:
        left, _, right = each.partition("=")
        assert re.fullmatch(r"[\d\s.e*/+()-]+", left), each
        assert eval(left) == pytest.approx(float(right), rel=0.03), each


@each_step()
def test_texts_fit_on_a_screen(at):
    _, step = step_of(at)
    lengths = {
        "text": [step.text],
        "question": [step.question],
        "because": [step.because],
        "answer": step.answers,
        "goal": [step.goal.text] if step.goal else [],
    }
    for kind, texts in lengths.items():
        for text in texts:
            assert len(text.strip()) <= LONGEST[kind], f"{kind} of {len(text)} characters: {text}"
    assert len(set(step.answers)) == len(step.answers)


@each_lesson()
def test_a_lesson_has_three_to_six_steps_with_something_to_do(lesson):
    assert 3 <= len(lesson.steps) <= 6
    assert any(step.sliders for step in lesson.steps)
    assert len(lesson.summary) <= LONGEST["summary"]
    assert set(lesson.more) <= set(SCENARIOS)
    used = {key for step in lesson.steps for key in step.sliders}
    assert used == {slider.key for slider in lesson.sliders}


@each_lesson()
def test_abbreviations_are_spelled_out_where_they_come_first(lesson):
    assert unknown_abbreviations(lesson) == []
    assert unspelled(lesson) == []


def test_the_page_gets_what_it_needs_and_no_more():
    cards = lesson_files.lessons()
    assert [each["id"] for each in cards] == list(LESSONS)
    assert cards[0].keys() == {"id", "title", "summary", "minutes", "steps"}
    for card in cards:
        found = lesson_files.lesson(card["id"])
        assert len(found["steps"]) == card["steps"]
        for step in found["steps"]:
            assert not {"facts", "sums"} & step.keys()
            assert step["goal"] is None or step["goal"]["per_unit"] > 0
        keys = {"key", "label", "kind", "unit", "value", "choices", "help"}
        assert all(keys <= slider.keys() for slider in found["sliders"])


def test_a_slider_has_the_value_of_the_source():
    found = {each["key"]: each for each in lesson_files.lesson("buffer")["sliders"]}
    limit = found["topology.bottleneck.queue.limit"]
    assert (limit["kind"], limit["value"], limit["unit"]) == ("quantity", 1, "rtt")
    assert found["tcp.flavor"]["kind"] == "choice"
    assert found["tcp.flavor"]["value"] == "reno_sack"


def test_a_lesson_that_is_not_there_names_the_nearest():
    with pytest.raises(NotThereError, match=r'no lesson "slow-strat"; did you mean "slow-start"\?'):
        lesson_files.lesson("slow-strat")


def read(tmp_path, text):
    file = tmp_path / "01-waiting.toml"
    file.write_text(text)
    return lesson_files.read(file)


def test_a_small_lesson_is_read(tmp_path):
    found = read(tmp_path, GOOD + 3 * STEP)
    assert found.document("waiting")["sliders"][0]["value"] == 10


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("minutes = 5", "", r"01-waiting\.toml: minutes: Field required"),
        ("minutes = 5", "minuets = 5", r"01-waiting\.toml:4: minuets: Extra inputs"),
        ("minutes = 5", "minutes =", r"01-waiting\.toml: is not TOML"),
        ("right = 0", "right = 2", r"01-waiting\.toml:21: steps\[0\]: right is the number"),
        ('answers = ["This.", "That."]', 'answers = ["This."]', "two to four answers"),
        ('question = "What?"', "", "write either a question or a goal"),
        (
            'show = ["queue"]',
            'show = ["packets"]',
            r"01-waiting\.toml:23: steps\[0\]\.show\[0\]: Input should be 'cwnd'",
        ),
        ('unit = "Mbit/s"', 'unit = "kbit/s"', "is in kbit/s, but the source has '10 Mbit/s'"),
        ('.rate"]', '.delay"]', "shows topology.bottleneck.delay, which is not in"),
        ("low = 1\nhigh = 20", "", "has either choices or low and high"),
        ('"topology.bottleneck.rate"', '"tcp.smss"', "the source does not write tcp.smss"),
        (3 * STEP, STEP, "a lesson has three to six steps"),
    ],
)
def test_what_is_wrong_is_named_with_its_file_and_key(tmp_path, old, new, said):
    text = GOOD + 3 * STEP
    assert old in text
    with pytest.raises(InputError, match=said):
        read(tmp_path, text.replace(old, new))


def test_a_unit_that_a_lesson_may_not_use_is_refused():
    with pytest.raises(InputError, match='"h" is not a unit of a lesson; choose from s, ms'):
        lesson_files.per_unit(lesson_files.ReadOut(metric="rtt_s", unit="h"))
