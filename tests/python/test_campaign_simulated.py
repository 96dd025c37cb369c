"""How far runs are that are being made: the events, and what people see."""

import io

import pytest

import campaign_fakes as fakes
from ackclock.campaign import Progressed, Simulated
from ackclock.cli import progress
from ackclock.cli.screen import Screen
from ackclock.cli.simulated import runs_simulated, simulated

WITH_PROGRESS = "campaign_fakes:run_with_progress"


@pytest.mark.parametrize(("executor", "jobs"), [("threads", 1), ("threads", 2), ("processes", 2)])
def test_events_tell_of_runs_under_way(executor, jobs, tmp_path):
    mark = tmp_path / "seen"
    plan = {"mark": list(bytes(mark)), "sleep_us": 0}
    seen = []

    def on_progress(event):
        seen.append(event)
        if len(event.simulated) == jobs:
            mark.touch()

    scenario = fakes.FakeScenario(xs=(1,), replications=2, plan=plan)
    how = {"core": WITH_PROGRESS, "executor": executor, "jobs": jobs, "on_progress": on_progress}
    summary = fakes.make(tmp_path / "reported", scenario, **how)
    assert summary.done == 2
    under_way = tuple(Simulated(0, at, 41.0, 120.0) for at in range(jobs))
    # Runs wait for the mark, so an event with all of them comes; earlier ones may have fewer.
    told = [event for event in seen if event.simulated]
    assert all(isinstance(event, Progressed) for event in told)
    assert under_way in [event.simulated for event in told]
    assert {each for event in told for each in event.simulated} == set(under_way)
    assert seen[-1].simulated == ()
    silent = fakes.make(tmp_path / "silent", scenario, jobs=jobs)
    assert silent.done == 2
    assert fakes.exported(tmp_path / "reported") == fakes.exported(tmp_path / "silent")


def event(*simulated, done=2, total=12):
    return Progressed(total, done, 0, done, 10.0, simulated=simulated)


@pytest.mark.parametrize(
    ("runs", "text"),
    [
        ([], ""),
        ([(41.2, 120)], "run 3 of 12 · 41 of 120 s simulated"),
        ([(1.234, 5)], "run 3 of 12 · 1.2 of 5.0 s simulated"),
        ([(41, 120), (17, 120), (30, 120)], "runs 3 to 5 of 12 · 17 to 41 of 120 s simulated"),
        ([(41.1, 120), (41.2, 120)], "runs 3 to 4 of 12 · 41 of 120 s simulated"),
        ([(60, 120), (1, 10)], "runs 3 to 4 of 12 · 10 to 50 % simulated"),
    ],
)
def test_what_people_read(runs, text):
    its = event(*(Simulated(0, at, *times) for at, times in enumerate(runs)))
    assert simulated(its) == text


def test_runs_count_by_what_is_simulated():
    its = event(Simulated(0, 0, 30, 120), Simulated(0, 1, 60, 120))
    assert runs_simulated(its) == 2.75


def shown(events, *, terminal):
    screen = Screen(file=io.StringIO(), force_terminal=terminal, width=80)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(progress, "Screen", lambda **options: screen)
        with progress.campaign_progress(as_json=False) as told:
            for each in events:
                told(each)
    return screen.file.getvalue()


def test_a_terminal_shows_it_and_a_log_does_not():
    slow = event(Simulated(0, 0, 41, 120))
    # What is shown at the end is what was told last.
    text = shown([event(), slow], terminal=True)
    assert "\x1b" in text
    assert "run 3 of 12 · 41 of 120 s simulated" in text
    assert "3/12" in shown([slow, event(done=3)], terminal=True)
    log = shown([event(), slow, event(done=3)], terminal=False)
    assert log == shown([event(), event(), event(done=3)], terminal=False)
    assert "simulated" not in log
