"""Runs on the workers of a dask scheduler: the same bytes, whoever dies, is slow or is too old."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import campaign_fakes as fakes
from ackclock.campaign import Campaign, Noted, cluster, cluster_connection
from ackclock.cli import main
from ackclock.errors import InputError
from campaign_fakes import FakeScenario, make
from dask_processes import HERE, OURS, dask, wait_until

PAGE = HERE.parents[1] / "docs" / "howto" / "run-on-a-cluster.md"
SCENARIO = FakeScenario(tuple(range(10)), replications=6, traced=2, plan={"sleep_us": 5000})
SLOWER = FakeScenario(tuple(range(10)), replications=6, traced=2, plan={"sleep_us": 100_000})


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    folder = tmp_path_factory.mktemp("expected")
    make(folder, SCENARIO)
    return fakes.exported(folder)


@pytest.fixture(scope="module")
def expected_slower(tmp_path_factory):
    folder = tmp_path_factory.mktemp("expected")
    make(folder, SLOWER, jobs=20)
    return fakes.exported(folder)


def on(where, **options):
    """Options of a campaign on a cluster."""
    return {"executor": where.executor, "jobs": None, **options}


class Heard(list):
    """Messages of a campaign; calls a function once at the given number of runs."""

    def __init__(self, at=None, then=None):
        self._at, self._then = at, then

    def __call__(self, event):
        if isinstance(event, Noted):
            self.append(event.message.partition(": ")[2])
        if self._then and event.made >= self._at:
            then, self._then = self._then, None
            then()


# Results


def rows(folder):
    """The lines of a journal without what the clock says, in an order of their own."""
    lines = (Path(folder) / "journal.jsonl").read_text().splitlines()
    return sorted(re.sub(r'"(check|duration_s)":[^,]+,', "", line) for line in lines)


def test_neither_the_executor_nor_the_number_of_workers_changes_a_byte(
    tmp_path, monkeypatch, capsys, expected
):
    monkeypatch.chdir(tmp_path)
    assert main(["new", "--out", "lab.toml"]) == 0
    changes = [f"--set={each}" for each in ("duration=3 s", "warm_up=1 s", "replications=4")]

    def made(out, kind):
        assert main(["run", "lab.toml", "--executor", kind, "--out", out, *changes]) == 0
        assert main(["export", out, "--csv", f"{out}.csv"]) == 0
        return rows(out), Path(f"{out}.csv").read_bytes()

    local = made("threads", "threads")
    assert len(local[0]) == local[1].count(b"\n") == 1 + 16
    assert made("processes", "processes") == local
    with dask(tmp_path) as there:
        for workers, more in ((1, 1), (2, 1), (4, 2)):
            for _ in range(more):
                there.begin_worker()
            there.wait_for_workers(workers)
            assert made(f"dask-{workers}", there.executor) == local
            assert make(tmp_path / f"fakes-{workers}", SCENARIO, **on(there)).made == 60
            assert fakes.exported(tmp_path / f"fakes-{workers}") == expected


def test_runs_go_out_in_batches_of_a_second_or_more(tmp_path, monkeypatch):
    sizes = []
    submit = cluster.Cluster.submit

    def counted(self, function, /, *arguments):
        sizes.append(len(arguments[2]))
        return submit(self, function, *arguments)

    monkeypatch.setattr(cluster.Cluster, "submit", counted)
    scenario = FakeScenario(tuple(range(10)), replications=60, plan={"sleep_us": 20_000})
    with dask(tmp_path, 1) as there:
        make(tmp_path / "out", scenario, **on(there))
    assert sum(sizes) == 600
    assert max(sizes) * 0.02 > 1
    assert len(sizes) < 30


def test_two_campaigns_share_a_worker(tmp_path):
    names = {"core": "campaign_fakes:run_with_progress"}
    marks = [tmp_path / "a", tmp_path / "b"]
    with dask(tmp_path, 1, threads=2) as there, ThreadPoolExecutor() as pool:
        made = [
            pool.submit(
                make,
                mark.with_suffix(".out"),
                FakeScenario((1,), 1, plan={"mark": list(bytes(mark))}),
                **on(there, **names),
            )
            for mark in marks
        ]
        time.sleep(3)
        for mark in marks:
            mark.touch()
        assert [each.result().failed for each in made] == [0, 0]


# Losses


def test_a_worker_killed_in_the_middle_changes_no_byte(tmp_path, expected_slower):
    with dask(tmp_path, 2) as there:
        heard = Heard(15, there.workers[0].kill)
        summary = make(tmp_path / "out", SLOWER, **on(there, on_progress=heard))
    assert (summary.made, summary.failed) == (60, 0)
    (lost,) = heard
    assert lost.startswith("worker tcp://127.0.0.1:")
    assert lost.endswith("is lost; others repeat its runs")
    assert fakes.exported(tmp_path / "out") == expected_slower
    assert len(fakes.lines_of(tmp_path / "out")) == 60


def test_a_run_that_kills_its_workers_is_a_failure_and_takes_no_other_with_it(tmp_path):
    scenario = FakeScenario(tuple(range(6)), 1, plan={"die": 3, "sleep_us": 2000})
    with dask(tmp_path, 2) as there:
        done = threading.Event()

        def replace():
            while not done.wait(0.1):
                for worker in [each for each in there.workers if each.poll() is not None]:
                    there.workers.remove(worker)
                    there.begin_worker()

        threading.Thread(target=replace, daemon=True).start()
        summary = make(tmp_path / "out", scenario, **on(there))
        done.set()
    assert (summary.done, summary.failed) == (5, 1)
    (failure,) = Campaign.open(tmp_path / "out").failures
    assert failure.levels == {"x": 3}
    assert failure.reason == "3 workers died while they made this run (out of memory?)"


def test_a_scheduler_that_is_started_again_changes_no_byte(tmp_path, expected_slower):
    with dask(tmp_path, 2) as there:

        def again():
            there.scheduler.kill()
            there.scheduler.wait()
            wait_until(lambda: all(each.poll() is not None for each in there.workers))
            there.begin_scheduler()
            there.begin_worker()

        heard = Heard(15, again)
        summary = make(tmp_path / "out", SLOWER, **on(there, on_progress=heard))
    assert (summary.made, summary.failed) == (60, 0)
    assert heard[0] == "the scheduler does not answer; waiting up to 60 s (start it again)"
    assert heard[-1] == "1 worker can make runs"
    assert fakes.exported(tmp_path / "out") == expected_slower
    assert len(fakes.lines_of(tmp_path / "out")) == 60


def test_without_a_scheduler_the_finished_runs_are_kept(tmp_path, monkeypatch, expected_slower):
    monkeypatch.setattr(cluster_connection, "SCHEDULER_LOST_S", 2.0)
    with dask(tmp_path, 2) as there:
        heard = Heard(15, there.scheduler.kill)
        with pytest.raises(InputError) as told:
            make(tmp_path / "out", SLOWER, **on(there, on_progress=heard))
    assert str(told.value) == (
        f"--executor {there.executor}: the scheduler does not answer, after 2 s; finished runs are"
        " kept: start it again, then repeat the command, which resumes from there"
    )
    kept = len(fakes.lines_of(tmp_path / "out"))
    assert 15 <= kept < 60
    assert make(tmp_path / "out", SLOWER, jobs=20).made == 60 - kept
    assert fakes.exported(tmp_path / "out") == expected_slower


def test_a_worker_that_hangs_does_not_hold_up_the_end(tmp_path, expected_slower):
    with dask(tmp_path, 2) as there:
        heard = Heard(15, lambda: there.workers[0].send_signal(signal.SIGSTOP))
        summary = make(tmp_path / "out", SLOWER, **on(there, on_progress=heard))
    assert (summary.made, summary.failed) == (60, 0)
    assert summary.seconds < 60
    assert fakes.exported(tmp_path / "out") == expected_slower
    assert len(fakes.lines_of(tmp_path / "out")) == 60


@pytest.mark.parametrize(
    ("first", "later", "runs"),
    [
        # Each has a run before the first one ends.
        (3, 0, 3),
        # The first has two runs; the second takes the one that waits.
        (1, 1, 2),
        (1, 3, 4),
    ],
)
def test_no_worker_is_idle_while_runs_wait(first, later, runs, tmp_path):
    mark = tmp_path / "mark"
    scenario = FakeScenario(tuple(range(runs)), 1, plan={"mark": list(bytes(mark))})

    def tick(event):
        while len(there.workers) < first + later:
            there.begin_worker()
        # All runs end only then.
        if len(list(tmp_path.glob("mark-*"))) == first + later or event.seconds > 120:
            mark.touch()

    with dask(tmp_path, first) as there:
        options = on(there, core="campaign_fakes:run_and_tell", on_progress=tick)
        summary = make(tmp_path / "out", scenario, **options)
    assert summary.done == runs
    assert summary.seconds < 120


def test_no_workers_are_waited_for(tmp_path, expected):
    with dask(tmp_path) as there:
        heard = Heard()

        def tick(event):
            heard(event)
            if heard and not there.workers:
                there.begin_worker()

        assert make(tmp_path / "out", SCENARIO, **on(there, on_progress=tick)).made == 60
    start = f"start some with: dask worker {there.address}"
    assert heard == [
        f"there are no workers; waiting up to 600 s ({start})",
        "1 worker can make runs",
    ]
    assert fakes.exported(tmp_path / "out") == expected


def test_no_workers_are_not_waited_for_for_ever(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "_NO_WORKERS_S", 2.0)
    with dask(tmp_path) as there, pytest.raises(InputError) as told:
        make(tmp_path / "out", SCENARIO, **on(there))
    assert "there are no workers, after 2 s; finished runs are kept: start some" in str(told.value)


def test_runs_that_nobody_waits_for_stop(tmp_path):
    """After Ctrl-C, and after the death of the process that waited for them."""
    mark = tmp_path / "mark"
    endless = FakeScenario((1,), 1, plan={"mark": list(bytes(mark))})
    names = {"core": "campaign_fakes:run_with_progress"}
    script = (
        "import campaign_fakes as f\n"
        "scenario = f.FakeScenario((1,), 1, plan={{'mark': {mark}}})\n"
        "f.make('killed', scenario, executor='{executor}', jobs=None, core='{core}')\n"
    )
    # Without it a run that goes on would go on for ever.
    alarm = threading.Timer(150, mark.touch)
    alarm.daemon = True
    alarm.start()
    with dask(tmp_path, 1) as there:

        def stop(event):
            if event.seconds > 3:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            make(tmp_path / "out", endless, **on(there, on_progress=stop, **names))
        # The only thread of the worker is free again, though the mark was never made.
        assert make(tmp_path / "next", FakeScenario((1,), 1), **on(there)).made == 1
        text = script.format(executor=there.executor, mark=list(bytes(mark)), **names)
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(OURS)}
        with subprocess.Popen(
            [sys.executable, "-c", text], cwd=tmp_path, env=environment
        ) as process:
            wait_until(there.is_busy)
            process.kill()
        assert make(tmp_path / "last", FakeScenario((1,), 1), **on(there)).made == 1
    alarm.cancel()
    assert not mark.exists()


def test_the_example_of_the_page_runs(tmp_path):
    (tmp_path / "local_cluster.py").write_text(
        re.search(r"^```python local_cluster.py\n(.*?)^```$", PAGE.read_text(), re.M | re.S)[1]
    )
    assert main(["new", "--out", str(tmp_path / "lab.toml")]) == 0
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(OURS)}
    done = subprocess.run(
        [sys.executable, "local_cluster.py"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "4 points, 20 runs" in done.stdout


# Other versions


def other(folder, name, old, new):
    """A folder with a copy of a module in which something is different."""
    folder.mkdir()
    (folder / name).write_text((HERE / name).read_text().replace(old, new))
    return (str(folder), *OURS)


def preloaded(folder, text):
    """The option of a worker that executes a text first."""
    (folder / "preloaded.py").write_text(text)
    return ("--preload", str(folder / "preloaded.py"))


def test_a_wrong_worker_is_refused_before_the_first_run(tmp_path):
    changed = other(tmp_path / "other", "campaign_fakes.py", "100.0 + ", "100.1 + ")
    old = preloaded(tmp_path, "import ackclock\nackclock.__version__ = '0.0.9'\n")
    remedy = "install the same build and the same versions as here on the workers, and start them"
    with dask(tmp_path, 1) as there:

        def refusal(workers, *options, **how):
            for _ in range(workers):
                there.begin_worker(*options, **how)
            there.wait_for_workers(1 + workers)
            with pytest.raises(InputError) as told:
                make(tmp_path / "out", SCENARIO, **on(there))
            assert fakes.lines_of(tmp_path / "out") == []
            while len(there.workers) > 1:
                there.workers.pop().kill()
            there.wait_for_workers(1)
            (message,) = told.value.messages
            front, _, rest = message.partition(": worker tcp://127.0.0.1:")
            assert front == f"--executor {there.executor}"
            reason, _, rest = rest.partition("; ")
            assert rest == f"{remedy} again"
            return reason.partition(" ")[2]

        assert refusal(1, *old) == "has ackclock 0.0.9 instead of 0.1.0"
        assert refusal(2, sees=changed) == (
            "(and 1 other worker) has another build of ackclock 0.1.0 or of the metrics"
        )
        assert refusal(1, sees=()) == "cannot import ackclock 0.1.0 (No module named 'ackclock')"
        assert make(tmp_path / "out", SCENARIO, **on(there)).made == 60


def test_a_worker_of_another_version_that_comes_later_makes_no_run(tmp_path, expected_slower):
    sees = other(tmp_path / "other", "campaign_fakes.py", "100.0 + ", "100.1 + ")
    with dask(tmp_path, 1) as there:

        def join():
            there.begin_worker(sees=sees)
            there.wait_for_workers(2)

        heard = Heard(5, join)
        assert make(tmp_path / "out", SLOWER, **on(there, on_progress=heard)).made == 60
    (refused,) = heard
    assert "has another build of ackclock 0.1.0 or of the metrics; it gets no runs" in refused
    assert fakes.exported(tmp_path / "out") == expected_slower


def test_a_scheduler_of_another_version_is_refused(tmp_path, monkeypatch):
    with dask(tmp_path) as there:
        monkeypatch.setattr("distributed.__version__", "1.2.3")
        with pytest.raises(InputError, match=r"has distributed \S+ instead of 1.2.3;"):
            make(tmp_path / "out", SCENARIO, **on(there))


def test_no_scheduler_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster_connection, "CONNECT_S", 1.0)
    with pytest.raises(InputError, match="no dask scheduler answers"):
        make(tmp_path / "out", SCENARIO, executor="dask://127.0.0.1:9", jobs=None)
