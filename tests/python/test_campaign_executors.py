"""Whoever makes the runs, the same bytes come out; who dies of a run is not the end of it."""

import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import suppress
from pathlib import Path

import pytest

import campaign_fakes as fakes
from ackclock.campaign import Campaign, Failed
from ackclock.campaign.executors import ExecutorPool, Slot
from ackclock.campaign.worker import Functions, work
from ackclock.errors import InputError
from campaign_fakes import FakeScenario, make

HERE = Path(__file__).parent
SCENARIO = FakeScenario(tuple(range(10)), replications=6, traced=2, plan={"sleep_us": 5000})


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    folder = tmp_path_factory.mktemp("expected")
    make(folder, SCENARIO)
    return fakes.exported(folder)


@pytest.mark.parametrize(
    "options",
    [{"jobs": 2}, {"jobs": 7}, {"executor": "processes", "jobs": 2}, {"executor": fakes.Serial()}],
)
def test_the_executor_changes_no_byte(options, tmp_path, expected):
    assert make(tmp_path, SCENARIO, **options).made == 60
    assert fakes.exported(tmp_path) == expected


class Counting(fakes.Serial):
    """Keeps what it is given until it has as much as it ever gets."""

    def __init__(self):
        self.waiting = []
        self.most = 0

    def submit(self, function, /, *arguments, **options):
        future = Future()
        self.waiting.append((future, function, arguments))
        self.most = max(self.most, sum(len(each[2][2]) for each in self.waiting))
        return future

    def make_all(self):
        for future, function, arguments in self.waiting:
            future.set_result(function(*arguments))
        self.waiting.clear()


def test_few_runs_are_given_out_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setattr("ackclock.campaign.dispatch._SECONDS_BETWEEN_TICKS", 0.001)
    executor = Counting()
    scenario = FakeScenario(tuple(range(100)), replications=10, plan={"sleep_us": 10})
    events = []

    def tick(event):
        events.append(event)
        executor.make_all()

    assert make(tmp_path, scenario, executor=executor, jobs=2, on_progress=tick).made == 1000
    # Four batches, of which each leaves at least as much for every other.
    assert 4 < executor.most <= 1000 // 2
    assert len(fakes.lines_of(tmp_path)) == 1000


def test_a_run_that_kills_its_workers_is_a_failure_and_takes_no_other_with_it(tmp_path):
    scenario = FakeScenario(tuple(range(12)), plan={"die": 3, "sleep_us": 2000})
    events = []
    summary = make(tmp_path, scenario, executor="processes", jobs=2, on_progress=events.append)
    assert (summary.done, summary.failed) == (22, 2)
    failures = [event.failure for event in events if isinstance(event, Failed)]
    assert {failure.levels["x"] for failure in failures} == {3}
    assert failures[0].reason == "3 workers died while they made this run (out of memory?)"
    assert Campaign.open(tmp_path).missing == 0


class LostError(Exception):
    """Says that a worker has been lost, without saying by which run."""


class Fragile(Counting):
    """Loses all that it has when one run is deadly."""

    def make_all(self):
        given = list(self.waiting)
        if any('"x":3' in order.plan for _, _, (_, _, orders) in given for order in orders):
            self.waiting.clear()
            for future, _, _ in given:
                future.set_exception(LostError())
        else:
            super().make_all()


def test_runs_lost_together_are_told_apart(tmp_path, monkeypatch):
    """As with dask, where the batches of one worker are lost with it."""
    monkeypatch.setattr("ackclock.campaign.dispatch._SECONDS_BETWEEN_TICKS", 0.001)
    executor = Fragile()
    pool = ExecutorPool([Slot(executor, lambda: 4)], lost=(LostError,), deaths=3)
    monkeypatch.setattr("ackclock.campaign.run.executor_pool", lambda *arguments: pool)
    scenario = FakeScenario(tuple(range(12)))
    summary = make(tmp_path, scenario, on_progress=lambda event: executor.make_all())
    assert (summary.done, summary.failed) == (22, 2)
    assert {failure.levels["x"] for failure in Campaign.open(tmp_path).failures} == {3}


def test_a_worker_that_dies_once_changes_no_byte(tmp_path):
    xs = tuple(range(12))
    mark = {"mark": list(bytes(tmp_path / "mark"))}
    make(tmp_path / "a", FakeScenario(xs, plan=mark))
    scenario = FakeScenario(xs, plan={"die_once": 5, **mark})
    assert make(tmp_path / "b", scenario, executor="processes", jobs=2).failed == 0
    assert (tmp_path / "mark").exists()
    assert fakes.exported(tmp_path / "a") == fakes.exported(tmp_path / "b")


class Broken(Executor):
    def submit(self, function, /, *arguments, **options):
        raise BrokenExecutor("no more")


def test_an_executor_that_makes_no_runs_is_told(tmp_path):
    with pytest.raises(InputError, match=r"accepts no more runs \(BrokenExecutor: no more\)"):
        make(tmp_path, executor=Broken())
    assert make(tmp_path).made == 4


def test_a_worker_of_another_build_is_refused():
    with pytest.raises(InputError, match="different build"):
        work(Functions(**fakes.NAMES), "another", [])


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes where Linux tells them")
def test_processes_end_when_the_first_is_killed(tmp_path):
    """Without this they would wait for their next run for ever."""
    script = (
        f"import sys; sys.path.insert(0, {str(HERE)!r}); import campaign_fakes as f\n"
        "if __name__ == '__main__':\n"
        "    s = f.FakeScenario(tuple(range(100)), plan={'sleep_us': 50000})\n"
        f"    f.make({str(tmp_path)!r}, s, executor='processes', jobs=2)\n"
    )
    (tmp_path / "script.py").write_text(script)
    with subprocess.Popen([sys.executable, str(tmp_path / "script.py")]) as process:
        wait_until(lambda: (tmp_path / "journal.jsonl").exists())
        wait_until(lambda: len(fakes.lines_of(tmp_path)) > 2)
        children = living_children(process.pid)
        process.send_signal(signal.SIGKILL)
    assert len(children) >= 2
    wait_until(lambda: not children & living_children(None))
    assert len(Campaign.open(tmp_path).runs) > 2


def wait_until(true, seconds=20):
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "took too long"
        time.sleep(0.02)


def living_children(parent):
    """Identifiers of the processes that a process has begun, or of all processes."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, its_parent = path.read_text().rpartition(")")[2].split()[:2]
            if state != "Z" and parent in (None, int(its_parent)):
                found.add(int(path.parent.name))
    return found
