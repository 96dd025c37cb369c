"""Whatever ends a campaign: no finished run is lost, none is there twice, and no byte differs."""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

import campaign_fakes as fakes
import campaign_victims
from ackclock.campaign import Campaign, StoppedAtOnce
from ackclock.errors import InputError
from campaign_fakes import FakeScenario, ctrl_c, make

HERE = Path(__file__).parent
ONE_THREAD = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def test_a_hundred_kills_lose_no_run_and_change_no_byte(tmp_path):
    make(tmp_path / "whole", campaign_victims.SCENARIO, jobs=2)
    expected = fakes.exported(tmp_path / "whole").splitlines()
    folder = tmp_path / "killed"
    command = [sys.executable, str(HERE / "campaign_victims.py"), str(folder), "100", "1"]
    kept = 0
    with subprocess.Popen(command, env=ONE_THREAD, stdout=subprocess.PIPE, text=True) as killer:
        while killer.poll() is None:
            # A reader beside the writer: what it has read once stays, and is what it is to be.
            if (folder / "design.json").exists():
                read = fakes.exported(folder).splitlines()
                assert len(read) >= kept
                assert set(read) <= set(expected)
                kept = len(read)
            time.sleep(0.05)
        kills, code, *left = map(int, killer.stdout.read().split())
    assert (kills, code) == (100, 0)
    # The kills fell in the middle of the campaign, all over it, and most while runs were made.
    middle = [runs for runs in left if 1 <= runs < campaign_victims.RUNS]
    assert len(middle) >= 90
    assert len(set(middle)) >= 40
    assert min(middle) < 50
    assert max(middle) > 120
    assert left == sorted(left)
    made = Counter(line["run"] for line in fakes.lines_of(folder))
    assert set(made.values()) == {1}
    assert len(made) == campaign_victims.RUNS
    assert fakes.exported(folder).splitlines() == expected
    assert not (folder / "journal.damaged").exists()
    sessions = json.loads((folder / "provenance.json").read_text())["sessions"]
    assert len(sessions) > 30
    assert sessions[0]["ended"] is None


SCRIPT = """
import sys
sys.path.insert(0, {here!r})
import campaign_fakes as fakes
from ackclock.campaign import StoppedAtOnce
try:
    fakes.make(
        {folder!r},
        fakes.FakeScenario(tuple(range(100)), plan={plan!r}),
        on_progress=lambda event: print(type(event).__name__, flush=True),
        **{options!r},
    )
except KeyboardInterrupt as interrupt:
    print(isinstance(interrupt, StoppedAtOnce), interrupt, flush=True)
    import os
    END(130)
"""


def begun(folder, sleep_us, end="os._exit", plan=None, **options):
    """A process with a campaign; after Ctrl-C it ends by ``end``."""
    script = SCRIPT.replace("END", end).format(
        here=str(HERE),
        folder=str(folder),
        plan={"sleep_us": sleep_us, **(plan or {})},
        options={"jobs": 2, **options},
    )
    return subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, start_new_session=True
    )


def read_to(process, line):
    """Read what it prints up to a line; an end without it is a failure."""
    assert any(printed == line for printed in process.stdout), f"it ended without {line!r}"


@pytest.mark.parametrize("executor", ["threads", "processes"])
def test_ctrl_c_waits_for_runs_under_way_and_keeps_them(executor, tmp_path):
    plan = {"interrupt": 5}
    with begun(tmp_path, 100_000, plan=plan, executor=executor, replications=1) as process:
        said = process.stdout.read()
    assert process.returncode == 130
    assert "Stopping\n" in said
    kept = f"False Finished runs are kept in {tmp_path}; the same command resumes from there.\n"
    assert said.endswith(kept)
    runs = Campaign.open(tmp_path).runs
    # The run that pressed Ctrl-C was under way, and went on for 100 ms.
    assert 5 in {run.levels["x"] for run in runs}
    assert len(runs) < 100
    (session,) = json.loads((tmp_path / "provenance.json").read_text())["sessions"]
    assert (session["outcome"], session["made"]) == ("interrupted", len(runs))


def test_a_second_ctrl_c_waits_for_nothing(tmp_path):
    with begun(tmp_path, 3_000_000) as process:
        assert process.stdout.readline() == "Started\n"
        time.sleep(0.3)
        ctrl_c(process.pid)
        read_to(process, "Stopping\n")
        began = time.monotonic()
        ctrl_c(process.pid)
        said = process.stdout.read()
        assert time.monotonic() - began < 1.5
    assert process.returncode == 130
    assert said.splitlines()[-1].startswith("True Finished runs are kept in")
    assert make(tmp_path, FakeScenario(tuple(range(3)), plan={"sleep_us": 0})).done == 6


@pytest.mark.parametrize("place", ["run.Dispatch.cancel", "opening.Provenance.end"])
def test_ctrl_c_at_the_end_of_a_call_says_how_to_go_on_too(place, tmp_path, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(f"ackclock.campaign.{place}", interrupted)
    with pytest.raises(StoppedAtOnce, match="the same command resumes from there"):
        make(tmp_path)


@pytest.mark.parametrize("executor", ["threads", "processes"])
def test_ctrl_c_stops_runs_that_would_take_long(executor, tmp_path):
    core = "campaign_fakes:run_of_a_minute"
    with begun(tmp_path, 0, "sys.exit", core=core, executor=executor) as process:
        read_to(process, "Progressed\n")
        began = time.monotonic()
        ctrl_c(process.pid)
        said = process.stdout.read()
        process.wait()
        assert time.monotonic() - began < 20
    assert process.returncode == 130
    kept = f"False Finished runs are kept in {tmp_path}; the same command resumes from there.\n"
    assert said.endswith(kept)
    # Runs that were about to end have ended; those that were stopped are no failures.
    runs = Campaign.open(tmp_path).runs
    assert {run.levels["x"] for run in runs} == {0}
    assert len(fakes.lines_of(tmp_path)) == len(runs)


def test_a_lock_is_gone_with_its_owner(tmp_path):
    with begun(tmp_path, 50_000) as process:
        read_to(process, "Progressed\n")
        with pytest.raises(InputError, match=rf"process {process.pid} on .* is making runs there"):
            make(tmp_path)
        assert len(Campaign.open(tmp_path).runs) >= 1
        process.kill()
    assert make(tmp_path).made == 4


FULL = """
set -e
mount -t tmpfs -o size=200k none {folder}
{python} -c '
import sys
sys.path.insert(0, "{here}")
import campaign_fakes as fakes
from ackclock.errors import InputError
scenario = fakes.FakeScenario(tuple(range(20)), replications=100, traced=1)
try:
    fakes.make("{folder}/out", scenario)
except InputError as error:
    print(error)
' > {folder}/../said
cp -r {folder}/out {folder}/../kept
"""


def test_a_real_disk_that_is_full(tmp_path):
    folder = tmp_path / "disk"
    folder.mkdir()
    script = FULL.format(folder=folder, python=sys.executable, here=HERE)
    done = subprocess.run(["unshare", "--mount", "sh", "-c", script], capture_output=True)
    if done.returncode:
        pytest.skip("no file system may be mounted here")
    assert "the disk is full" in (tmp_path / "said").read_text()
    journal = (tmp_path / "kept" / "journal.jsonl").read_bytes()
    assert journal.endswith(b"\n")
    runs = Campaign.open(tmp_path / "kept").runs
    assert 0 < len(runs) == journal.count(b"\n") - 1
    scenario = FakeScenario(tuple(range(20)), replications=100, traced=1)
    summary = make(tmp_path / "kept", scenario)
    assert summary.made == 2000 - len(runs)
