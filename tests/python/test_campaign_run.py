"""What a call makes, what it leaves out, and what a reader finds."""

import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

import campaign_fakes as fakes
from ackclock import __version__
from ackclock.campaign import Campaign, CampaignWarning, Failed, Finished, Progressed, Started
from ackclock.campaign.design import Design, DesignPoint, text_hash
from ackclock.campaign.identity import replication_seed, run_identity
from ackclock.campaign.queue import Queue
from ackclock.campaign.schedule import EarlierRuns, Schedule, Task, values_of
from ackclock.campaign.stopping_rule import Replications
from ackclock.errors import InputError
from ackclock.scenario.plan import canonical_json, plan_hash
from campaign_fakes import FakeScenario, make


def test_a_folder_holds_what_was_asked_and_what_came_of_it(tmp_path):
    text = 'title = "ä"\n'
    make(tmp_path, FakeScenario(traced=1), text=text, sets=["a=1"])
    assert (tmp_path / "scenario.toml").read_text(encoding="utf-8") == text
    (session,) = json.loads((tmp_path / "provenance.json").read_text())["sessions"]
    assert session["ackclock"] == __version__
    assert (session["made"], session["failed"], session["outcome"]) == (4, 0, "complete")
    assert {"numpy", "pyarrow"} <= set(session["libraries"])
    assert session["command"]["sets"] == ["a=1"]
    assert session["machine"]["host"]
    assert session["started"] <= session["ended"]
    for line in fakes.lines_of(tmp_path):
        assert line["seed"] == replication_seed(1, line["replication"])
        assert line["duration_s"] > 0
        assert set(line["traces"]) == ({"queue"} if line["replication"] == 0 else set())


def test_a_reader_finds_runs_in_the_order_of_the_design(tmp_path):
    make(tmp_path, FakeScenario((2, 1), traced=1), text="title", sets=["a=1"])
    campaign = Campaign.open(str(tmp_path))
    assert [(run.levels["x"], run.replication) for run in campaign.runs] == [
        (2, 0),
        (2, 1),
        (1, 0),
        (1, 1),
    ]
    row = campaign.rows()[0]
    assert list(row) == ["x", "replication", "seed", "y", "names", "n", "none"]
    assert np.isnan(row["none"])
    assert (campaign.text, campaign.design.sets) == ("title", ("a=1",))
    assert campaign.design.facts == ({"flow_names": ["a", "b"]},)
    assert (campaign.missing, campaign.failures) == (0, ())
    queue = pyarrow.parquet.read_table(campaign.runs[0].traces["queue"].path)
    assert queue["max_length"].to_pylist() == [2, 3, 4]


def test_a_complete_campaign_is_left_as_it_is(tmp_path):
    scenario = FakeScenario(traced=1)
    make(tmp_path, scenario)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.name[0] != "."}
    summary = make(tmp_path, scenario, executor="dask://nobody:1", jobs=None)
    assert (summary.made, summary.done, summary.total) == (0, 4, 4)
    after = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.name[0] != "."}
    assert {path.name for path in tmp_path.iterdir() if path not in after} == {".lock"}
    files = {path for path in before if path.is_file()}
    assert {path: after[path] for path in files} == {path: before[path] for path in files}


def test_a_changed_scenario_runs_only_what_is_new(tmp_path):
    make(tmp_path, FakeScenario((1, 2)))
    assert make(tmp_path, FakeScenario((2, 3))).made == 2
    assert [row["x"] for row in Campaign.open(tmp_path).rows()] == [2, 2, 3, 3]
    assert make(tmp_path, FakeScenario((2, 3), replications=3)).made == 2
    assert make(tmp_path, FakeScenario((3,)), replications=1).made == 0
    assert [row["x"] for row in Campaign.open(tmp_path).rows()] == [3]
    assert make(tmp_path, FakeScenario((3,), seed=2)).made == 2
    assert len(fakes.lines_of(tmp_path)) == 10


def test_probes_repeat_only_the_replications_that_they_watch(tmp_path):
    make(tmp_path, FakeScenario())
    assert make(tmp_path, FakeScenario(traced=1)).made == 2
    assert make(tmp_path, FakeScenario(traced=2)).made == 2
    assert make(tmp_path, FakeScenario(traced=1)).made == 0
    assert make(tmp_path / "b", FakeScenario(traced=1), traces=None).made == 4
    assert not (tmp_path / "b" / "traces").exists()


def test_what_a_run_returns_without_a_probe_is_kept_where_it_is_wanted(tmp_path):
    make(tmp_path, FakeScenario())
    assert make(tmp_path, FakeScenario(keeps="pages")).made == 2, "the first replications"
    assert make(tmp_path, FakeScenario(keeps="pages")).made == 0
    assert make(tmp_path, FakeScenario()).made == 0
    # With a probe, the plan says already that a run is recorded.
    assert make(tmp_path, FakeScenario(traced=1)).made == 2
    assert make(tmp_path, FakeScenario(traced=1, keeps="pages")).made == 0
    assert make(tmp_path / "b", FakeScenario(keeps="pages"), traces=None).made == 4


def test_a_run_whose_traces_are_gone_is_made_again(tmp_path):
    scenario = FakeScenario(traced=1)
    make(tmp_path, scenario)
    expected = fakes.exported(tmp_path)
    first, second = (run for run in Campaign.open(tmp_path).runs if run.traces)
    first.traces["queue"].path.unlink()
    second.traces["queue"].path.write_bytes(b"torn")
    assert make(tmp_path, scenario).made == 2
    assert fakes.exported(tmp_path) == expected


def test_points_with_one_plan_share_their_runs(tmp_path):
    scenario = FakeScenario((1, 1, 2))
    summary = make(tmp_path, scenario)
    assert (summary.made, summary.total) == (4, 4)
    campaign = Campaign.open(tmp_path)
    assert [(run.point, run.replication) for run in campaign.runs] == [
        (point, replication) for point in range(3) for replication in range(2)
    ]
    assert campaign.missing == 0


def test_other_code_makes_other_runs(tmp_path):
    """In processes of their own: a process keeps the module that it has."""
    module = tmp_path / "measuring.py"
    here = str(Path(__file__).parent)
    script = (
        f"import sys; sys.path[:0] = [{here!r}, {str(tmp_path)!r}]; import campaign_fakes as f;"
        f"print(f.make({str(tmp_path / 'out')!r}, measure='measuring:measure').made)"
    )
    for comment, made in (("a", "4"), ("a", "0"), ("b", "4")):
        module.write_text(f"# {comment}\ndef measure(columns, facts):\n    return {{'z': 1}}\n")
        done = subprocess.run(
            [sys.executable, "-B", "-c", script], capture_output=True, text=True, check=True
        )
        assert done.stdout.strip() == made


def test_a_failed_run_is_told_and_the_others_are_made(tmp_path):
    events = []
    scenario = FakeScenario(plan={"fail": 1})
    summary = make(tmp_path, scenario, on_progress=events.append)
    assert (summary.done, summary.failed, summary.made) == (2, 2, 4)
    failed = [event.failure for event in events if isinstance(event, Failed)]
    assert str(failed[0]) == (
        f"x 1, replication 0 (seed {replication_seed(1, 0)}): ValueError: the core refuses x"
    )
    campaign = Campaign.open(tmp_path)
    assert campaign.failures == tuple(failed)
    assert 'raise ValueError("the core refuses' in campaign.failures[0].traceback
    assert [row["x"] for row in campaign.rows()] == [2, 2]
    assert campaign.missing == 0


def test_failed_runs_are_made_again_only_when_asked(tmp_path):
    scenario = FakeScenario(plan={"fail_once": 1, "mark": list(bytes(tmp_path / "mark"))})
    assert make(tmp_path / "out", scenario).failed == 1
    summary = make(tmp_path / "out", scenario)
    assert (summary.made, summary.failed) == (0, 1)
    mended = make(tmp_path / "out", scenario, retry_failed=True)
    assert (mended.made, mended.done, mended.failed) == (1, 4, 0)
    campaign = Campaign.open(tmp_path / "out")
    assert (len(campaign.runs), campaign.failures) == (4, ())
    assert make(tmp_path / "out", scenario, retry_failed=True).made == 0


def test_a_run_is_made_again_if_its_row_says_so(tmp_path):
    make(tmp_path, FakeScenario())
    value = fakes.lines_of(tmp_path)[0]["row"]["y"]
    again = make(tmp_path, FakeScenario(), again=lambda row: row["y"] == value)
    assert (again.made, again.done, again.total) == (1, 4, 4)
    assert len(fakes.lines_of(tmp_path)) == 5
    assert len(Campaign.open(tmp_path).runs) == 4, "the last row of a run counts"
    assert make(tmp_path, FakeScenario()).made == 0


def test_a_run_that_fails_again_is_told_again(tmp_path):
    scenario = FakeScenario()
    assert make(tmp_path, scenario, measure="campaign_fakes:fail_in_measure").failed == 4
    again = make(tmp_path, scenario, measure="campaign_fakes:fail_in_measure", retry_failed=True)
    assert (again.made, again.failed) == (4, 4)
    assert len(Campaign.open(tmp_path).failures) == 4
    assert make(tmp_path, scenario).made == 4


def test_a_panic_of_the_core_is_a_failure(tmp_path):
    assert make(tmp_path, measure="campaign_fakes:panic").failed == 4
    assert Campaign.open(tmp_path).failures[0].reason == "BaseException: a panic of the core"


@pytest.mark.parametrize("executor", ["threads", "processes"])
def test_fail_fast_begins_no_more_runs(executor, tmp_path):
    scenario = FakeScenario(tuple(range(20)), plan={"fail": 1, "sleep_us": 5000})
    summary = make(tmp_path, scenario, executor=executor, fail_fast=True)
    assert summary.failed == 1
    # What had been given out ends; a process is given batches.
    assert 2 <= summary.made < (6 if executor == "threads" else 40)
    assert make(tmp_path, scenario).made == 40 - summary.made


def test_events_tell_how_far_it_is(tmp_path):
    events = []
    make(tmp_path, FakeScenario((1,)))
    make(tmp_path, FakeScenario((1, 2)), on_progress=events.append)
    assert [type(event) for event in events] == [Started, Progressed, Progressed, Finished]
    assert [(each.done, each.made, each.total) for each in events] == [
        (2, 0, 4),
        (3, 1, 4),
        (4, 2, 4),
        (4, 2, 4),
    ]
    assert events[0].left_s is None
    assert events[1].left_s == pytest.approx(events[1].seconds)
    assert events[3].left_s == 0


def test_bad_arguments_are_told_before_anything_is_written(tmp_path):
    folder = tmp_path / "out"

    def refused(match, **options):
        with pytest.raises(InputError, match=match):
            make(folder, **options)

    refused("--executor mpi: choose from threads, processes, dask://127", executor="mpi")
    refused("--jobs 0: at least 1", jobs=0)
    for wrong in ("dask", "dask://", "dask://x", "dask+x://y:1", "dask+tls://y:z"):
        match = (
            f"--executor {re.escape(wrong)}: write the address of a dask scheduler, like dask://"
        )
        refused(match, executor=wrong, jobs=None)
    refused("--jobs 1: the number of dask workers sets it", executor="dask+tls://[::1]:1")
    refused("--replications 0: at least 1", replications=0)
    refused("campaign_fakes:nothing: a worker cannot import", measure="campaign_fakes:nothing")
    refused("no_module: there is no such module", core="no_module:run")
    assert not folder.exists()
    folder.write_text("")
    refused("--out .*out: cannot write there")


def test_points_that_cannot_be_compiled_are_told_together(tmp_path):
    scenario = FakeScenario()
    points = scenario.points()

    def fail(message):
        raise InputError([message, "all"])

    points[0].compile = lambda: fail("one")
    points[1].compile = lambda: fail("two")
    scenario.points = lambda: points
    with pytest.raises(InputError) as told:
        make(tmp_path / "out", scenario)
    assert told.value.messages == ["one", "all", "two"]


def test_a_folder_without_a_campaign_is_told(tmp_path):
    with pytest.raises(InputError, match="contains no campaign; ackclock run FILE --out"):
        Campaign.open(tmp_path)
    make(tmp_path)
    (tmp_path / "design.json").write_text('{"design":2}')
    with pytest.raises(InputError, match="has format 2"):
        Campaign.open(tmp_path)
    (tmp_path / "design.json").write_text('{"design":1}')
    with pytest.raises(InputError, match="is damaged"):
        Campaign.open(tmp_path)
    assert make(tmp_path).made == 0
    assert len(Campaign.open(tmp_path).runs) == 4


def test_a_second_writer_is_refused_and_told_who_the_first_is(tmp_path):
    refused = []

    def second():
        with pytest.raises(InputError, match=rf"process {os.getpid()} on .* \(since 20.*--out"):
            make(tmp_path)
        refused.append(True)

    def try_it(event):
        if isinstance(event, Started):
            thread = threading.Thread(target=second)
            thread.start()
            thread.join()

    make(tmp_path, on_progress=try_it)
    assert refused
    assert make(tmp_path).done == 4


def test_an_exception_of_the_caller_loses_nothing(tmp_path):
    def fail(event):
        if event.made == 2:
            raise RuntimeError("the caller's")

    with pytest.raises(RuntimeError, match="the caller's"):
        make(tmp_path, on_progress=fail)
    assert len(Campaign.open(tmp_path).runs) == 2
    assert make(tmp_path).made == 2


def test_identities_and_seeds_stay_what_they_are():
    """A change here makes every campaign run anew."""
    assert replication_seed(1, 0) == 7092028254175800402
    assert run_identity("p", 7, "c", "0.1.0")[:16] == "175355b2b59544b9"
    plan = {"schema": 2, "b": [1, None], "a": "ä"}
    assert text_hash(canonical_json(plan)) == plan_hash(plan)


# Sequential stopping


def rule(**changed):
    values = {"minimum": 3, "maximum": 40, "target": 0.1, "metrics": ("y",)}
    return Replications(**{**values, **changed})


SAMPLES = st.lists(
    st.none() | st.floats(50, 150).map(lambda value: (value,)), min_size=40, max_size=40
)


@given(SAMPLES)
def test_a_point_stops_when_its_interval_is_narrow_and_no_sooner(values):
    asked = rule()
    n = asked.needed([])
    looks = []
    while n > len(values[: looks[-1]] if looks else []):
        looks.append(n)
        n = asked.needed(values[:n])
    assert looks[0] == 3
    assert all(not asked.reached(values[:look]) for look in looks[:-1])
    assert looks[-1] == 40 or asked.reached(values[: looks[-1]])
    # Whoever knows more gets the same number: nothing depends on who asks, and when.
    assert asked.needed(values) == looks[-1]


def test_stopping_of_a_mean_that_is_known(tmp_path):
    assert rule().needed([(1.0,)] * 3) == 3
    assert rule().needed([(0.0,)] * 3) == 3
    assert rule().needed([(float("nan"),)] * 40) == 40
    assert rule().needed([None] * 40) == 40
    assert rule(minimum=5, maximum=5).needed([]) == 5


@st.composite
def orders(draw):
    return draw(st.randoms(use_true_random=False)), draw(st.integers(1, 8))


def design(points=3):
    made = [DesignPoint({"x": x}, 1, f"p{x}", f"p{x}", 0, 0) for x in range(points)]
    return Design("v", "c", (), rule(), tuple(made), ())


def value_of(task):
    """What a run gives: deterministic, spread differently at each point."""
    noise = np.random.default_rng([task.point, task.replication]).normal()
    return (100 + noise * 20 * task.point,)


@given(orders())
def test_the_runs_do_not_depend_on_the_order_in_which_they_end(order):
    random, at_once = order
    schedule = Schedule(design(), EarlierRuns(("y",)), retry_failed=False)
    queue = Queue()
    queue.add(schedule)
    under_way, made = [], []
    while True:
        while len(under_way) < at_once and (tasks := queue.take(0, 1)):
            under_way += tasks
        if not under_way:
            break
        task = under_way.pop(random.randrange(len(under_way)))
        made.append(task)
        schedule.end(task, value_of(task), 1.0)
    expected = {
        (0, point, k)
        for point in range(3)
        for k in range(rule().needed([value_of(Task(0, point, k)) for k in range(40)]))
    }
    assert len(made) == len(expected) == schedule.total == schedule.made
    assert set(made) == expected
    assert schedule.left == 0


def test_precision_makes_as_many_runs_as_needed_and_a_resumed_one_no_others(tmp_path):
    scenario = FakeScenario((1, 2), replications=None, precision=fakes.precision())
    whole = make(tmp_path / "whole", scenario, jobs=2)
    expected = fakes.exported(tmp_path / "whole")
    assert 6 < whole.total == whole.made < 80

    def stop(event):
        if event.made == 9:
            raise RuntimeError

    for folder, options in (("a", {}), ("b", {"jobs": 2}), ("c", {"executor": "processes"})):
        with pytest.raises(RuntimeError):
            make(tmp_path / folder, scenario, **options, on_progress=stop)
        assert make(tmp_path / folder, scenario, **options).total == whole.total
        assert fakes.exported(tmp_path / folder) == expected
    # Replications that were made for another rule are there, and do not count.
    make(tmp_path / "d", scenario, replications=40)
    assert make(tmp_path / "d", scenario).made == 0
    assert fakes.exported(tmp_path / "d") == expected


def test_a_point_that_stays_imprecise_is_told(tmp_path):
    scenario = FakeScenario((1, 2), precision=fakes.precision(maximum=4, target=0.001))
    with pytest.warns(CampaignWarning, match=r"x \d: after the maximum of 4 replications y ± \d+"):
        summary = make(tmp_path, scenario)
    assert len(summary.warnings) == 2
    assert summary.total == 8
    with pytest.warns(CampaignWarning):
        assert make(tmp_path, scenario).made == 0


def test_a_metric_that_is_not_measured_is_told(tmp_path):
    scenario = FakeScenario(precision=fakes.precision(metrics=["y", "goodput"]))
    with pytest.raises(InputError, match="goodput is not measured; choose from y, names, n, none"):
        make(tmp_path, scenario)
    assert np.isnan(values_of({"y": float("inf")}, ("y",)))[0]


def test_rows_that_other_code_measured_do_not_disturb(tmp_path):
    scenario = FakeScenario(precision=fakes.precision(metrics=["noise"]))
    make(tmp_path, FakeScenario())
    assert make(tmp_path, scenario, measure="campaign_fakes:measure_noise").made == 6
    with pytest.raises(InputError, match="noise is not measured; choose from y, names"):
        make(tmp_path, scenario)


def test_failures_count_as_replications(tmp_path):
    scenario = FakeScenario((1,), precision=fakes.precision(), plan={"fail": 1})
    with pytest.warns(CampaignWarning, match="no relative interval of y"):
        summary = make(tmp_path, scenario)
    assert summary.failed == summary.total == 40
