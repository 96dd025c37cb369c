"""Jobs of the lab: campaigns in processes of their own."""

import json
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections import Counter
from pathlib import Path

import pytest

import ackclock
from ackclock.campaign import Campaign
from ackclock.campaign.lock import LOCK, is_held, only_writer
from ackclock.errors import InputError
from ackclock.lab.endpoints import NotThereError
from ackclock.lab.jobs import api as jobs
from ackclock.lab.jobs.folder import JOBS
from ackclock.lab.jobs.kinds import order
from ackclock.lab.jobs.progress import DONE, FAILED, RUNNING, STOPPED, WAITING, progress
from ackclock.results import Results
from lab_calls import TEXT, call, problem, settings_of, until

SLOW = ["duration=120 s", "topology.bottleneck.rate=40 Mbit/s"]
"""A run that takes a few tenths of a second."""
ENDED = (DONE, STOPPED, FAILED)


PAIR = {"sets": ["tcp.flavor=reno", "seed=5"], "b": ["topology.bottleneck.delay=20 ms", "seed=5"]}
SWEEP = {"key": "topology.bottleneck.delay", "values": ["10 ms", "20 ms"]}


@pytest.fixture
def settings(tmp_path):
    its = settings_of(tmp_path)
    yield its
    for job in jobs.job_folders(its):
        # One that has just begun does not say yet who it is.
        until(lambda job=job: (worker := job.worker()) is None or worker.pid)
        if worker := job.worker():
            os.kill(worker.pid, signal.SIGKILL)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A server whose user has a pair and a sweep that are done; their ids, too."""
    its = settings_of(tmp_path_factory.mktemp("made"))
    sweep = body("sweep", sets=["topology.bottleneck.delay=30 ms"], **SWEEP, replications=2)
    names = [jobs.started(its, asked) for asked in (body(**PAIR), sweep)]
    assert [ended(its, name)["state"] for name in names] == [DONE, DONE]
    return its, *names


def body(kind="pair", **more):
    return {"kind": kind, "source": TEXT, "sets": [], "replications": 3, **more}


def ended(settings, name):
    job = jobs.job_of(settings, name)
    until(lambda: job.worker() is None)
    return progress(job)


def place(settings, name):
    return settings.folder / JOBS / name


def journaled(folder):
    """The identities of the runs in a journal, as often as they are there."""
    lines = (folder / "journal.jsonl").read_text().splitlines()[1:]
    return Counter(its.get("run") or its["failed"] for its in map(json.loads, lines))


def by_hand(settings, command):
    """A command as a person gives it, in the user's folder."""
    words = [sys.executable, "-m", *shlex.split(command)]
    return subprocess.run(words, cwd=settings.folder, capture_output=True, text=True, check=False)


def test_a_pair_is_answered_with_paired_differences(made):
    settings, name, _ = made
    found = progress(jobs.job_of(settings, name))
    assert (found["state"], found["done"], found["of"], found["failed"]) == (DONE, 6, 6, 0)
    results = Results.open(place(settings, name))
    assert results.factors == ("setting",)
    assert {point.seed for point in results.campaign.design.points} == {5}
    seeds = [(run.levels["setting"], run.seed) for run in results.campaign.runs]
    assert {seed for side, seed in seeds if side == "A"} == {s for side, s in seeds if side == "B"}
    (expected,) = results.compare("setting", "A").to_dict("records")
    row = found["rows"][0]
    assert row["name"] == "goodput_bit_s"
    assert row["difference"]["mean"] == pytest.approx(expected["difference"])
    assert row["difference"]["lo"] == pytest.approx(expected["lo"])
    assert row["ratio"]["hi"] == pytest.approx(1 + expected["relative_hi"])
    assert row["pairs"] == 3
    assert row["a"]["mean"] == pytest.approx(expected["baseline_mean"])
    assert row["b"]["text"].endswith("Mbit/s")
    assert row["sentence"].startswith("B: ")


def test_the_list_tells_what_was_asked_for(made):
    settings, *_ = made
    by_kind = {job["kind"]: job for job in jobs.jobs(settings)}
    pair, swept = by_kind["pair"], by_kind["sweep"]
    assert (pair["a"], pair["b"]) == (PAIR["sets"], PAIR["b"])
    # What was set of the key that is swept is gone.
    assert (swept["key"], swept["a"], swept["target"]) == (SWEEP["key"], [], "")
    assert (pair["replications"], swept["replications"]) == (body()["replications"], 2)


def test_the_runs_of_a_pair_are_those_of_its_two_settings(made):
    settings, name, _ = made
    rows = {run.levels["setting"]: run.row for run in Campaign.open(place(settings, name)).runs}
    for side, sets in (("A", PAIR["sets"]), ("B", PAIR["b"])):
        alone = ackclock.run(TEXT, settings.folder / side, sets=sets, replications=3)
        assert alone.campaign.runs[-1].row == rows[side]


def test_a_pair_is_of_the_point_that_is_looked_at(settings):
    text = TEXT + '\n[sweep.factors]\n"topology.bottleneck.rate" = ["4 Mbit/s", "8 Mbit/s"]\n'
    wanted = order(settings, body(source=text, point=1, b=["tcp.flavor=reno"]))
    assert wanted.factor == "setting"
    (sweep,) = [word for word in wanted.words if word.startswith("sweep=")]
    assert '"8 Mbit/s"' in sweep
    assert '"4 Mbit/s"' not in sweep


def test_a_sweep_runs_a_key_over_values_whatever_is_set_of_it(made):
    settings, _, name = made
    found = progress(jobs.job_of(settings, name))
    assert (found["state"], found["done"]) == (DONE, 4)
    assert [row["levels"] for row in found["rows"]] == [["10 ms"], ["20 ms"]]
    assert found["rows"][1]["values"]["goodput_bit_s"]["n"] == 2
    (listed,) = (job for job in jobs.jobs(settings) if job["id"] == name)
    assert listed["command"].startswith(
        f"ackclock run {JOBS}/{name}/scenario.toml --out {JOBS}/{name}"
    )


def test_the_sweep_of_a_scenario_is_run_as_it_is(settings):
    wanted = order(settings, {"kind": "sweep", "scenario": "red", "sets": ["seed=2"]})
    assert wanted.words[-2:] == ("--set", "seed=2")
    assert "--replications" not in wanted.words
    assert not any(word.startswith("sweep=") for word in wanted.words)
    asked = {"kind": "sweep", "scenario": "red", "sets": [], "replications": 7}
    assert order(settings, asked).words[-2:] == ("--replications", "7")


def test_a_search_for_a_buffer_tells_what_it_has_found(settings):
    asked = body("size-buffer", target="utilisation >= 90 %", to="4 rtt", **{"from": "0.5 rtt"})
    name = jobs.started(settings, asked)
    found = ended(settings, name)
    assert found["state"] == DONE
    assert found["of"] is None
    assert {row["verdict"] for row in found["rows"]} <= {"holds", "fails", "undecided"}
    assert found["done"] == sum(row["n"] for row in found["rows"])
    (place(settings, name) / "sizing.json").unlink()
    so_far = progress(jobs.job_of(settings, name))
    assert [(row["number"], row["n"]) for row in so_far["rows"]] == [
        (row["number"], row["n"]) for row in found["rows"]
    ]
    assert so_far["rows"][0]["mean"] == pytest.approx(found["rows"][0]["mean"])
    limit = {"name": "utilisation", "label": "Utilisation", "unit": "1", "value": 0.9}
    assert found["limit"] == so_far["limit"] == limit
    assert all(row["text"].startswith(("0.", "1")) for row in (*found["rows"], *so_far["rows"]))


def test_a_study_is_reproduced_in_parts(settings):
    name = jobs.started(settings, {"kind": "reproduce", "study": "newreno", "parts": ["internet"]})
    assert ended(settings, name)["state"] == DONE
    assert (place(settings, name) / "report.html").is_file()


SERVER = """
import sys
from pathlib import Path
from ackclock.lab.server.http_server import serve
serve(Path(sys.argv[1]), 0, lambda address: print(address, flush=True))
"""


def test_a_job_outlives_the_server_and_goes_on_by_hand_with_each_run_once(settings):
    command = [sys.executable, "-c", SERVER, str(settings.folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        address, _, token = server.stdout.readline().strip().partition("/#token=")
        asked = body(sets=SLOW, b=[*SLOW, "tcp.flavor=reno"], replications=600)
        request = urllib.request.Request(
            f"{address}/api/jobs",
            json.dumps(asked).encode(),
            {"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request) as answer:
            assert answer.status == 201
            name = json.load(answer)["id"]
        job = jobs.job_of(settings, name)
        until(lambda: progress(job)["done"] >= 1)
        server.kill()
    before = progress(job)
    assert before["state"] == RUNNING
    until(lambda: progress(job)["done"] > before["done"])
    os.kill(job.worker().pid, signal.SIGKILL)
    killed = ended(settings, name)
    assert killed["state"] == STOPPED
    assert 1 <= killed["done"] < 1200
    (listed,) = jobs.jobs(settings)
    assert listed["command"] in killed["message"]
    fewer = listed["command"].replace("--replications 600", f"--replications {killed['done']}")
    assert by_hand(settings, fewer).returncode == 0
    made = journaled(place(settings, name))
    assert set(made.values()) == {1}
    assert len(made) >= 2 * killed["done"]
    campaign = Campaign.open(place(settings, name))
    assert (len(campaign.runs), campaign.missing) == (2 * killed["done"], 0)
    assert progress(job)["state"] == DONE


def test_a_job_is_ended_as_by_ctrl_c_and_goes_on(settings):
    asked = body(sets=SLOW, b=[*SLOW, "tcp.flavor=reno"], replications=400)
    name = jobs.started(settings, asked)
    job = jobs.job_of(settings, name)
    until(lambda: progress(job)["done"] >= 2)
    assert progress(job)["left_s"] > 0
    assert call(settings, "DELETE", f"/api/jobs/{name}").status_code == 204
    found = ended(settings, name)
    assert found["state"] == STOPPED
    assert 2 <= found["done"] < 800
    assert f"{JOBS}/{name}" in found["message"]
    sessions = json.loads((place(settings, name) / "provenance.json").read_text())["sessions"]
    assert sessions[-1]["outcome"] == "interrupted"
    # What has ended stays so, whoever asks.
    assert call(settings, "DELETE", f"/api/jobs/{name}").status_code == 204
    assert progress(job)["state"] == STOPPED
    assert call(settings, "POST", f"/api/jobs/{name}").status_code == 204
    until(lambda: progress(job)["done"] > found["done"])
    assert call(settings, "POST", f"/api/jobs/{name}").status_code == 204
    jobs.stopped(settings, name)
    ended(settings, name)
    assert set(journaled(place(settings, name)).values()) == {1}


def test_two_jobs_are_made_at_a_time_and_the_others_wait(settings):
    asked = body(sets=SLOW, b=[*SLOW, "tcp.flavor=reno"], replications=1000)
    names = [jobs.started(settings, asked) for _ in range(2)]
    its = [jobs.job_of(settings, name) for name in names]
    until(lambda: all(progress(job)["state"] == RUNNING for job in its))
    third, fourth = (jobs.job_of(settings, jobs.started(settings, asked)) for _ in range(2))
    until(lambda: third.worker() and third.worker().pid)
    until(lambda: fourth.worker() and fourth.worker().pid)
    waits = progress(third)
    assert waits["state"] == WAITING
    assert "starts when one of them ends" in waits["message"]
    assert (waits["done"], waits["rows"]) == (0, [])
    # Who waits can be ended, and makes nothing.
    jobs.stopped(settings, fourth.name)
    assert ended(settings, fourth.name)["state"] == STOPPED
    assert not (fourth.path / "journal.jsonl").exists()
    jobs.stopped(settings, names[0])
    ended(settings, names[0])
    until(lambda: progress(third)["state"] == RUNNING)
    assert sum(progress(job)["state"] == RUNNING for job in (its[1], third)) == 2


def test_events_come_until_the_job_has_ended(settings):
    name = jobs.started(settings, body(b=["tcp.flavor=reno"]))
    answer = call(settings, "GET", f"/api/jobs/{name}/events")
    assert answer.headers["content-type"].startswith("text/event-stream")
    parts = answer.text.split("\n\n")
    assert parts[-1] == ""
    events = [json.loads(part.removeprefix("data: ")) for part in parts[:-1]]
    assert [event["state"] for event in events[:-1]] == [
        event["state"] for event in events if event["state"] in (RUNNING, WAITING)
    ]
    last = events[-1]
    assert (last["state"], last["done"], last["of"]) == (DONE, 6, 6)
    assert len(last["rows"]) == 2


def test_events_come_while_the_rows_take_long(made, monkeypatch):
    settings, name, _ = made
    quick = jobs.progress

    def slow(job, *, rows=True):
        if rows:
            time.sleep(0.5)
        return quick(job, rows=rows)

    monkeypatch.setattr(jobs, "progress", slow)
    monkeypatch.setattr(jobs, "_SECONDS_BETWEEN_EVENTS", 0.1)
    answer = call(settings, "GET", f"/api/jobs/{name}/events")
    events = [json.loads(part.removeprefix("data: ")) for part in answer.text.split("\n\n")[:-1]]
    assert len(events) > 1
    assert {event["rows"] for event in events[:-1]} == {None}
    assert len(events[-1]["rows"]) == 2


def test_a_job_whose_command_fails_says_why(settings):
    job = jobs.JobFolder(settings.folder, "20260101-000000-sweep-abcdef")
    job.path.mkdir(parents=True)
    job.ask({"kind": "sweep", "title": "none", "words": ["run", "missing.toml"]})
    jobs._begin(job)
    found = ended(settings, job.name)
    assert found["state"] == FAILED
    assert "missing.toml" in found["message"]
    with pytest.raises(BlockingIOError), job.begun():
        jobs._begin(job)


def test_a_command_in_a_terminal_is_not_disturbed(made):
    settings, name, _ = made
    with only_writer(place(settings, name)):
        for ask in (jobs.stopped, jobs.gone_on):
            with pytest.raises(InputError, match="Ctrl-C there"):
                ask(settings, name)
        assert progress(jobs.job_of(settings, name))["state"] == RUNNING
    assert progress(jobs.job_of(settings, name))["state"] == DONE


WRONG = {
    "kind": ({"kind": "all"}, "choose from pair, sweep"),
    "same": ({"b": []}, "A and B are the same runs"),
    "default": ({"b": ["tcp.flavor=cubic"]}, "A and B are the same runs"),
    "b": ({"b": "tcp.flavor=cubic"}, "a list of texts"),
    "flavor": ({"b": ["tcp.flavor=cubicc"]}, 'did you mean "cubic"'),
    "seed": ({"b": ["seed=2"]}, "seed"),
    "replications": ({"b": ["tcp.flavor=reno"], "replications": 0}, "1 to 1000"),
    "values": ({"kind": "sweep", "key": "tcp.flavor"}, "give a key and its values"),
    "value": ({"kind": "sweep", "key": "tcp.flavor", "values": ["x"]}, "tcp.flavor"),
    "runs": (
        {
            "kind": "sweep",
            "key": "topology.bottleneck.delay",
            "values": [f"{each} ms" for each in range(1, 51)],
            "replications": 1000,
        },
        "more than 20000 runs",
    ),
    "target": ({"kind": "size-buffer", "target": "beauty >= 1"}, "beauty"),
    "no target": ({"kind": "size-buffer"}, "efficiency >= 98 %"),
    "study": ({"kind": "reproduce", "study": "../newreno"}, "choose from ubr-web"),
    "parts": ({"kind": "reproduce", "study": "newreno", "parts": ["--out"]}, "choose from bursty"),
    "point": ({"b": ["tcp.flavor=reno"], "point": 3}, "only point 0"),
    "large": (
        {
            "kind": "sweep",
            "sets": [
                "duration=2000 s",
                "topology.access.rate=90 Gbit/s",
                "topology.bottleneck.rate=90 Gbit/s",
            ],
        },
        "segments",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_made_is_refused_and_leaves_nothing(name, settings):
    asked, words = WRONG[name]
    answer = call(settings, "POST", "/api/jobs", body() | asked)
    assert answer.status_code == 422
    assert words in problem(answer)
    assert jobs.jobs(settings) == []
    assert not list(settings.folder.glob(f"{JOBS}/2*"))


def test_files_are_read_from_the_folder_of_the_user_only_and_kept_with_the_job(settings):
    outside = settings.folder.parent / "outside.csv"
    for path in (outside, settings.folder / "sizes.csv"):
        path.write_text("bytes\n1000\n2000\n")
    web = 'workload={ kind = "http10", sizes = "%s", start_spread = "1 s" }'
    asked = body("sweep", key="tcp.flavor", values=["reno"])
    for name in ("../outside.csv", str(outside)):
        for kind in (asked | {"sets": [web % name]}, body(b=[web % name])):
            answer = call(settings, "POST", "/api/jobs", kind)
            assert answer.status_code == 422
            assert "outside.csv" in problem(answer)
    assert jobs.jobs(settings) == []
    wanted = order(settings, body(b=[web % "sizes.csv"]))
    assert "[files]" in wanted.text
    assert "2000" in wanted.text


def test_a_scenario_that_is_not_there_is_named(settings):
    answer = call(settings, "POST", "/api/jobs", {"kind": "sweep", "scenario": "slow_strat"})
    assert answer.status_code == 404
    assert "slow_start" in problem(answer)


@pytest.mark.parametrize("name", ["..", "%2e%2e", "..%2f..", "a%00b", ".turns", "x" * 200, "job"])
def test_an_id_is_no_path(name, settings):
    (settings.folder / "job.json").write_text("{}")
    (settings.folder / JOBS / ".turns").mkdir(parents=True)
    for method, path in (("DELETE", ""), ("POST", ""), ("GET", "/events")):
        answer = call(settings, method, f"/api/jobs/{name}{path}")
        assert answer.status_code in (404, 405)
    with pytest.raises(NotThereError):
        jobs.job_of(settings, name)


def test_too_many_jobs_are_refused(settings, monkeypatch):
    monkeypatch.setattr(jobs, "MOST_WAITING", 0)
    with pytest.raises(InputError, match="are waiting already"):
        jobs.started(settings, body(b=["tcp.flavor=reno"]))


def test_who_looks_at_a_lock_keeps_nobody_from_it(tmp_path):
    done = threading.Event()

    def look():
        while not done.is_set():
            is_held(tmp_path / LOCK)

    looking = threading.Thread(target=look)
    looking.start()
    try:
        for _ in range(200):
            with only_writer(tmp_path):
                assert is_held(tmp_path / LOCK)
    finally:
        done.set()
        looking.join()
    assert not is_held(tmp_path / LOCK)
    assert not is_held(Path("there is none"))
