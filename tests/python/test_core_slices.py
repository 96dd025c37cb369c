"""Runs in slices: the same numbers whatever the slices, and Ctrl-C and other threads end them."""

import json
import subprocess
import sys
import threading

import numpy as np
import pytest

from ackclock import _core
from ackclock.scenario import load
from ackclock.scenario.plan import canonical_json
from scenario_texts import ATM, DUMBBELL, PARKING_LOT

PROBES = '[probes]\nqueue = "100 ms"\ngoodput = "100 ms"\ncwnd = "all"\n'
DURATION_S = load(DUMBBELL).duration / 1e12


def plan_of(text, times=1):
    """The plan of a scenario, of which the run takes so many times as long."""
    plan = json.loads(canonical_json(load(text).points()[0].compile().plan))
    plan["duration_ps"] *= times
    return json.dumps(plan)


@pytest.mark.parametrize("text", [DUMBBELL, DUMBBELL + PROBES, PARKING_LOT, ATM])
def test_slices_give_the_same_numbers(text):
    plan = plan_of(text)
    whole, run = _core.run(plan, 7), _core.Run(plan, 7)
    assert run.advance(60, until_s=run.duration_s / 3) < 1
    done = [run.advance(0.001)]
    while done[-1] < 1:
        done.append(run.advance(0.001))
    assert done == sorted(done)
    sliced = run.columns()
    assert sliced.keys() == whole.keys()
    for name, table in whole.items():
        assert table.keys() == sliced[name].keys()
        for column, values in table.items():
            np.testing.assert_array_equal(values, sliced[name][column])


def test_a_run_reports_its_progress():
    seen = []
    _core.run(plan_of(DUMBBELL, times=20), 7, lambda *seconds: seen.append(seconds))
    assert seen == sorted(seen)
    assert all(0 < simulated < duration == 20 * DURATION_S for simulated, duration in seen)


def test_a_slice_ends_at_its_time():
    run = _core.Run(plan_of(DUMBBELL), 7)
    assert run.duration_s == DURATION_S
    assert run.advance(60, until_s=2) == pytest.approx(2 / DURATION_S, abs=1e-3)
    assert run.advance(60, until_s=1) == pytest.approx(2 / DURATION_S, abs=1e-3)
    assert run.advance(60, until_s=10 * DURATION_S) == 1
    assert run.advance(0) == 1


def test_a_run_gives_its_columns_once_and_at_its_end():
    run = _core.Run(plan_of(DUMBBELL), 7)
    with pytest.raises(ValueError, match="has not come to its end"):
        run.columns()
    assert run.advance(60) == 1
    run.columns()
    for method in (run.columns, lambda: run.advance(1)):
        with pytest.raises(ValueError, match="the run is over"):
            method()


def test_what_is_no_run_is_refused():
    with pytest.raises(ValueError, match="not a plan"):
        _core.Run("{}", 1)
    run = _core.Run(plan_of(DUMBBELL), 1)
    for wall_s in (-1, float("nan")):
        with pytest.raises(ValueError, match=r"float|negative"):
            run.advance(wall_s)


def test_another_thread_stops_a_run():
    run = _core.Run(plan_of(DUMBBELL, times=100_000), 7)
    timer = threading.Timer(0.2, run.stop)
    timer.start()
    assert run.advance(600) < 1
    timer.join()
    with pytest.raises(ValueError, match="the run is over"):
        run.advance(1)


def test_what_the_callback_raises_ends_a_run():
    def refuse(simulated_s, duration_s):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        _core.run(plan_of(DUMBBELL, times=100_000), 7, refuse)


INTERRUPTED = """
import json, os, signal, sys, threading, time
from ackclock import _core
plan = sys.stdin.read()
links = [""] * len(json.loads(plan)["links"])
request = json.dumps({"title": "", "links": links, "points": [], "kept": "headers"})
def interrupt():
    global sent
    sent = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)
threading.Timer(0.5, interrupt).start()
try:
    CALL
except KeyboardInterrupt:
    print(time.monotonic() - sent)
"""


@pytest.mark.parametrize("call", ["run(plan, 1)", "capture(plan, 1, request)"])
def test_ctrl_c_ends_a_long_run(call):
    script = INTERRUPTED.replace("CALL", f"_core.{call}")
    plan = plan_of(DUMBBELL, times=100_000)
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, input=plan, capture_output=True, text=True, timeout=60)
    # It takes 25 ms; the rest is for machines that do other things too.
    assert float(done.stdout or "inf") < 1, done.stderr
