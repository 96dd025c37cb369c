"""Several campaigns with one queue of runs: order, folders, shared runs, interruptions, memory."""

import heapq
import json
import signal
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import pytest

import campaign_fakes as fakes
from ackclock.campaign import (
    Campaign,
    CampaignRequest,
    Finished,
    Progressed,
    Started,
    run_campaign,
    run_campaigns,
)
from ackclock.campaign.design import Design, DesignPoint
from ackclock.campaign.queue import Queue
from ackclock.campaign.schedule import EarlierRuns, Schedule
from ackclock.campaign.stopping_rule import Replications
from ackclock.campaign.stored import Stored, storage
from ackclock.errors import InputError
from campaign_fakes import FakeScenario, make, precision


def request(folder, scenario=None, **options):
    return CampaignRequest(scenario or FakeScenario(), folder, **{**fakes.NAMES, **options})


def schedule(campaign, lengths, replications=1):
    """A campaign with a point of each length."""
    points = tuple(DesignPoint({"x": x}, campaign, f"p{x}", "", 0, 0) for x in range(len(lengths)))
    design = Design("v", "c", (), Replications(replications, replications), points, ())
    return Schedule(design, EarlierRuns(()), retry_failed=False, lengths=lengths, campaign=campaign)


def in_order(schedules, seconds_of, jobs=1):
    """Make all runs on simulated workers; the runs in their order, and the idle time."""
    queue, under_way, order, now, busy = Queue(), [], [], 0.0, 0.0
    for each in schedules:
        queue.add(each)
    while True:
        while len(under_way) < jobs and (tasks := queue.take(0, 1)):
            heapq.heappush(under_way, (now + seconds_of(*tasks), *tasks))
            order += tasks
        if not under_way:
            assert queue.left == 0
            assert queue.share == 1
            return order, jobs * now - busy
        now, task = heapq.heappop(under_way)
        busy += seconds_of(task)
        schedules[task.campaign].end(task, (), seconds_of(task))


def test_the_longest_expected_run_comes_first_whatever_its_campaign():
    order, _ = in_order(
        [schedule(0, [3, 5]), schedule(1, [4, 6])],
        lambda task: [[8, 32], [16, 64]][task[0]][task[1]],
    )
    assert [task[:2] for task in order] == [(1, 1), (0, 1), (1, 0), (0, 0)]


def test_runs_of_one_length_come_replication_by_replication():
    order, _ = in_order([schedule(0, [3, 3], replications=2)], lambda task: 1)
    assert [task[1:] for task in order] == [(0, 0), (1, 0), (0, 1), (1, 1)]


def test_measured_times_count_more_than_expected_ones():
    # What was expected to be the shortest takes longest: its first run says so.
    schedules = [schedule(0, [9], replications=3), schedule(1, [1], replications=3)]
    order, _ = in_order(schedules, lambda task: [1, 100][task.campaign])
    assert [task.campaign for task in order] == [0, 1, 1, 1, 0, 0]


@pytest.mark.parametrize("jobs", [2, 3, 5])
def test_workers_wait_only_for_the_last_run(jobs):
    lengths = [[3] * 5, [5, 6], [1] * 20, [9], [2] * 7]
    schedules = [schedule(at, its, replications=4) for at, its in enumerate(lengths)]

    def seconds_of(task):
        # Not what was expected: campaigns differ by a factor of three.
        return 2 ** lengths[task.campaign][task.point] * (1 + task.campaign % 3)

    order, idle = in_order(schedules, seconds_of, jobs)
    assert len(order) == 4 * sum(map(len, lengths))
    assert idle <= (jobs - 1) * max(map(seconds_of, order[-jobs:]))
    assert max(map(seconds_of, order[-jobs:])) <= 8


def test_a_batch_has_runs_of_one_length_for_its_time():
    queue, its = Queue(), schedule(0, [2, 4], replications=50)
    queue.add(its)
    (first,), (second,) = queue.take(1.0, 30), queue.take(1.0, 30)
    assert {first.point, second.point} == {0, 1}
    for task in (first, second):
        its.end(task, (), 0.1 if task.point == 1 else 0.01)
    assert [
        (len(batch), {task.point for task in batch})
        for batch in (queue.take(1.0, 30), queue.take(0.5, 30), queue.take(1.0, 3))
    ] == [(10, {1}), (5, {1}), (3, {1})]


@pytest.mark.parametrize("jobs", [1, 2])
def test_each_campaign_has_its_folder_as_if_it_were_alone(jobs, tmp_path):
    scenarios = [FakeScenario((1, 2), traced=1), FakeScenario((5, 6, 7), seed=3)]
    events = []
    summaries = run_campaigns(
        [request(tmp_path / f"{at}", each, text=f"{at}") for at, each in enumerate(scenarios)],
        jobs=jobs,
        on_progress=events.append,
    )
    assert [(each.total, each.done, each.made) for each in summaries] == [(4, 4, 4), (6, 6, 6)]
    for at, scenario in enumerate(scenarios):
        alone = tmp_path / f"alone{at}"
        make(alone, scenario, text=f"{at}")
        assert fakes.exported(tmp_path / f"{at}") == fakes.exported(alone)
        for name in ("design.json", "scenario.toml"):
            assert (tmp_path / f"{at}" / name).read_bytes() == (alone / name).read_bytes()
        (session,) = json.loads((tmp_path / f"{at}/provenance.json").read_text())["sessions"]
        assert (session["made"], session["outcome"]) == (summaries[at].made, "complete")
        assert session["command"]["jobs"] == jobs
    # What ends before all campaigns are open is not reported by itself.
    first, *others, last = events
    assert (type(first), type(last)) == (Started, Finished)
    assert {type(each) for each in others} == {Progressed}
    assert {each.total for each in events} == {10}
    made = [each.made for each in events]
    assert made == sorted(made)
    assert (made[-1], last.left_s) == (10, 0)


@pytest.mark.parametrize("executor", ["threads", "processes"])
def test_a_run_that_two_campaigns_need_is_made_once(executor, tmp_path):
    scenarios = {
        "a": FakeScenario((1, 2), 3),
        "b": FakeScenario((2, 3), 5),
        "c": FakeScenario((3, 2), 2, plan={"spread": 11}),
    }
    summaries = run_campaigns(
        [request(tmp_path / name, each) for name, each in scenarios.items()],
        executor=executor,
        jobs=2,
    )
    assert [each.total for each in summaries] == [6, 10, 4]
    assert sum(each.made for each in summaries) == 20 - 3
    taken = []
    for name, scenario in scenarios.items():
        make(tmp_path / "alone" / name, scenario)
        assert fakes.exported(tmp_path / name) == fakes.exported(tmp_path / "alone" / name)
        (session,) = json.loads((tmp_path / name / "provenance.json").read_text())["sessions"]
        taken.append(session["taken_over"])
        assert session["outcome"] == "complete"
    assert (sum(taken), taken[2]) == (3, 0)


def test_what_an_earlier_call_has_made_for_one_campaign_is_kept_by_the_next(tmp_path):
    make(tmp_path / "a", FakeScenario((1, 2)))
    summaries = run_campaigns(
        [request(tmp_path / "a", FakeScenario((1, 2))), request(tmp_path / "b", FakeScenario((2,)))]
    )
    assert [each.made for each in summaries] == [0, 0]
    assert len(fakes.lines_of(tmp_path / "b")) == 2


def test_runs_with_probes_and_those_of_other_facts_are_not_shared(tmp_path):
    traced = FakeScenario((1,), traced=1)
    summaries = run_campaigns([request(tmp_path / name, traced) for name in "ab"])
    assert sorted(each.made for each in summaries) == [1, 2]
    assert fakes.exported(tmp_path / "a") == fakes.exported(tmp_path / "b")


def test_stopping_rules_share_their_runs_too(tmp_path):
    asked = FakeScenario((1, 2), None, precision(), plan={"spread": 10})
    whole = make(tmp_path / "alone", asked)
    for jobs in (1, 2):
        places = [tmp_path / f"{jobs}{name}" for name in "ab"]
        summaries = run_campaigns([request(place, asked) for place in places], jobs=jobs)
        assert [each.total for each in summaries] == [whole.total] * 2
        assert sum(each.made for each in summaries) == whole.total
        for place in places:
            assert fakes.exported(place) == fakes.exported(tmp_path / "alone")


def test_a_failed_run_of_one_campaign_stops_no_other(tmp_path):
    failing = FakeScenario((1, 2), plan={"fail": 1})
    summaries = run_campaigns(
        [
            request(tmp_path / "a", failing),
            request(tmp_path / "b", FakeScenario((1, 2))),
            request(tmp_path / "c", failing),
        ]
    )
    assert [(each.done, each.failed) for each in summaries] == [(2, 2), (4, 0), (2, 2)]
    for name in "ac":
        assert {each.levels["x"] for each in Campaign.open(tmp_path / name).failures} == {1}


def test_an_interrupted_call_loses_no_run_of_any_campaign(tmp_path):
    scenarios = {"a": FakeScenario((1, 2, 3), 4), "b": FakeScenario((3, 4), 6)}
    requests = [request(tmp_path / "x" / name, each) for name, each in scenarios.items()]
    heard: list[int] = []

    def interrupt(event):
        # Not all events have such a number: runs end while campaigns are still being opened.
        if event.made >= 7 and not heard and isinstance(event, Progressed):
            heard.append(event.made)
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt) as stopped:
        run_campaigns(requests, jobs=1, on_progress=interrupt)
    assert f"kept in {tmp_path / 'x'}; the same command resumes" in str(stopped.value)
    kept = {run["run"] for name in scenarios for run in fakes.lines_of(tmp_path / "x" / name)}
    assert len(kept) >= heard[0]
    summaries = run_campaigns(requests)
    assert sum(each.made for each in summaries) == 12 + 12 - 4 - len(kept)
    for name, scenario in scenarios.items():
        make(tmp_path / name, scenario)
        assert fakes.exported(tmp_path / "x" / name) == fakes.exported(tmp_path / name)
        sessions = json.loads((tmp_path / "x" / name / "provenance.json").read_text())["sessions"]
        assert sessions[-1]["outcome"] == "complete"


KILLED = """
import sys
sys.path.insert(0, {here!r})
import campaign_fakes as fakes
from pathlib import Path
from test_campaign_queue import KILLED_SCENARIOS, request
from ackclock.campaign import run_campaigns
run_campaigns([request(Path({folder!r}) / name, each) for name, each in KILLED_SCENARIOS.items()])
"""
KILLED_SCENARIOS = {
    "a": FakeScenario(tuple(range(5)), 8, plan={"sleep_us": 20_000}),
    "b": FakeScenario(tuple(range(3, 9)), 10, plan={"sleep_us": 20_000}),
}


def test_kills_lose_no_run_of_any_campaign_and_make_none_twice(tmp_path):
    script = KILLED.format(here=str(Path(__file__).parent), folder=str(tmp_path))

    def runs(name):
        path = tmp_path / name / "journal.jsonl"
        return path.read_bytes().count(b"\n") - 1 if path.exists() else 0

    kept = 0
    for _ in range(5):
        with subprocess.Popen([sys.executable, "-c", script]) as process:
            while process.poll() is None and runs("a") + runs("b") < kept + 12:
                time.sleep(0.001)
            assert process.poll() is None
            process.kill()
        assert runs("a") + runs("b") >= kept + 12
        kept = runs("a") + runs("b")
    subprocess.run([sys.executable, "-c", script], check=True)
    for name, scenario in KILLED_SCENARIOS.items():
        lines = [each["run"] for each in fakes.lines_of(tmp_path / name)]
        assert len(set(lines)) == len(lines) == len(scenario.xs) * scenario.replications
        make(tmp_path / "alone" / name, scenario)
        assert fakes.exported(tmp_path / name) == fakes.exported(tmp_path / "alone" / name)
    durations = {}
    for name in KILLED_SCENARIOS:
        for line in fakes.lines_of(tmp_path / name):
            durations.setdefault(line["run"], set()).add(line["duration_s"])
    assert len(durations) == 40 + 60 - 16
    # Both folders have the row of the same execution.
    assert {len(each) for each in durations.values()} == {1}


def test_a_campaign_that_cannot_be_opened_loses_no_run_of_the_others(tmp_path):
    (tmp_path / "b").write_text("")
    with pytest.raises(InputError, match=r"--out .*b: cannot write there"):
        run_campaigns([request(tmp_path / "a"), request(tmp_path / "b")])
    (tmp_path / "b").unlink()
    kept = len(fakes.lines_of(tmp_path / "a"))
    others = request(tmp_path / "b", FakeScenario((9,)))
    summaries = run_campaigns([request(tmp_path / "a"), others])
    assert [each.made for each in summaries] == [4 - kept, 2]


def test_a_value_in_a_storage_is_what_it_was():
    values = [{"x": "ä" * 1000}, (1, None), b"\0", *range(50)]
    with storage() as place:
        first, second = Stored(place, recent=3), Stored(place)
        for value in values:
            first.append(value)
            second.append([value])
        assert list(first) == first[:] == values
        assert [each for (each,) in second] == values
        assert (first[-1], second[2]) == (49, [b"\0"])
        with pytest.raises(IndexError):
            first[len(values)]


class Sweep:
    """Many points that are not in memory themselves."""

    seed, replications, precision, probes = 1, 1, None, FakeScenario().probes

    def __init__(self, count):
        self._count = count

    def points(self):
        plan = {"probes": fakes.NO_PROBES, "text": "x" * 1000}
        for x in range(self._count):
            yield fakes.FakePoint({"x": x}, {**plan, "x": x})


def test_memory_hardly_grows_with_the_points(tmp_path, monkeypatch):
    monkeypatch.setattr("ackclock.campaign.design._RECENT", 10)

    def most_bytes(count):
        tracemalloc.start()
        run_campaign(Sweep(count), tmp_path / f"{count}", jobs=1, **fakes.NAMES)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    most_bytes(10)
    few, many = most_bytes(100), most_bytes(600)
    assert (many - few) / 500 < 200
