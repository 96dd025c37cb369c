"""``ackclock run``: what a person and a program are told."""

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import campaign_command
from ackclock.campaign import Campaign
from ackclock.errors import InputError
from campaign_command import command

SCRIPT = [sys.executable, str(Path(__file__).with_name("campaign_command.py"))]


@pytest.fixture(autouse=True)
def faked(monkeypatch):
    campaign_command.faked(monkeypatch)


@pytest.fixture
def file(tmp_path):
    """A scenario file of four runs."""
    return scenario(tmp_path)


def scenario(folder, **options):
    path = folder / "lab.toml"
    path.write_text(json.dumps({"xs": [1, 2], **options}))
    return path


def test_runs_are_made_beside_the_file_and_counted(file, capsys):
    assert command([str(file)]) == 0
    said = capsys.readouterr()
    assert said.out == f"4 of 4 runs (4 made now) are in {file.parent / 'lab.results'}\n"
    assert said.err == "0 of 4 runs done\n"
    assert command([str(file)]) == 0
    said = capsys.readouterr()
    assert said.out == f"4 of 4 runs (0 made now) are in {file.parent / 'lab.results'}\n"
    assert said.err == "4 of 4 runs were made earlier\n"


def test_options_reach_the_campaign(file, tmp_path):
    words = ["--out", str(tmp_path / "out"), "--jobs", "1", "--replications", "3"]
    assert command([str(file), *words, "--set", "a=1", "b=2", "--executor", "threads"]) == 0
    campaign = Campaign.open(tmp_path / "out")
    assert len(campaign.runs) == 6
    assert campaign.design.sets == ("a=1", "b=2")
    assert campaign.text == file.read_text()
    (session,) = json.loads((tmp_path / "out" / "provenance.json").read_text())["sessions"]
    assert session["command"]["jobs"] == 1


def test_failures_are_told_and_the_exit_code_says_so(tmp_path, capsys):
    file = scenario(tmp_path, xs=list(range(12)), plan={"fail": 5})
    assert command([str(file)]) == 1
    said = capsys.readouterr()
    assert "24 runs" in said.out
    assert "Failed: x 5, replication 0 (seed 7092028254175800402): ValueError: the" in said.err
    assert said.err.splitlines()[-3:] == [
        "ackclock: 2 of 24 runs have failed:",
        "ackclock:   2 x ValueError: the core refuses x",
        "ackclock: the journal lists them; use --retry-failed to run them again",
    ]
    assert command([str(file)]) == 1
    assert "(0 made now)" in capsys.readouterr().out
    assert command([str(file), "--retry-failed", "--fail-fast", "--jobs", "1"]) == 1
    assert "(0 made now)" not in capsys.readouterr().out


def test_warnings_are_told_as_such(file, capsys):
    command([str(file)])
    journal = file.parent / "lab.results" / "journal.jsonl"
    journal.write_bytes(journal.read_bytes().replace(b'"y"', b'"z"', 1))
    capsys.readouterr()
    assert command([str(file)]) == 0
    (warning,) = (line for line in capsys.readouterr().err.splitlines() if "warning" in line)
    assert warning.startswith(
        f"ackclock: warning: {journal}: 1 damaged line is set aside in journal.damaged: "
    )


def test_a_program_gets_an_object_a_line(tmp_path, capsys):
    file = scenario(tmp_path, plan={"fail": 2})
    assert command([str(file), "--json", "--jobs", "1"]) == 1
    objects = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    told = [each["event"] for each in objects]
    assert (told[0], told[-1], told.count("failed")) == ("started", "finished", 2)
    assert set(told) == {"started", "progress", "failed", "finished"}
    assert objects[0] | {"elapsed_s": 0} == {
        "event": "started",
        "total": 4,
        "done": 0,
        "failed": 0,
        "made": 0,
        "elapsed_s": 0,
        "rate_per_s": None,
        "eta_s": None,
    }
    failed = next(each for each in objects if each["event"] == "failed")
    assert (failed["levels"], failed["replication"]) == ({"x": 2}, 0)
    assert failed["reason"] == "ValueError: the core refuses x"
    last = objects[-1]
    assert (last["done"], last["failed"], last["eta_s"], last["warnings"]) == (2, 2, 0, [])


def test_a_program_that_reads_no_more_stops_no_run(file):
    with subprocess.Popen([*SCRIPT, str(file), "--json"], stdout=subprocess.PIPE) as process:
        process.stdout.close()
    assert process.returncode == 0
    assert len(Campaign.open(file.parent / "lab.results").runs) == 4


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--jobs", "0"], "--jobs 0: at least 1"),
        (["--executor", "dask"], "write the address of a dask scheduler"),
        (["--replications", "0"], "--replications 0"),
    ],
)
def test_bad_options_are_told_and_nothing_is_written(words, message, file):
    with pytest.raises(InputError, match=message):
        command([str(file), *words])
    assert [path.name for path in file.parent.iterdir()] == ["lab.toml"]


def test_a_terminal_shows_a_bar(tmp_path):
    file = scenario(tmp_path, xs=list(range(30)), plan={"sleep_us": 20_000, "fail": 3})
    ours, its = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"}
    process = subprocess.Popen(
        [*SCRIPT, str(file)], stderr=its, stdout=subprocess.DEVNULL, env=environment
    )
    os.close(its)
    said = b""
    while chunk := read(ours):
        said += chunk
    os.close(ours)
    process.wait()
    assert b"runs/s" in said
    assert b"Runs" in said
    assert b"Failed: x 3, replication 0" in said
    assert b"Traceback" not in said


def read(descriptor):
    """What a terminal shows; nothing when its last writer has gone."""
    try:
        return os.read(descriptor, 4096)
    except OSError:
        return b""


def test_ctrl_c_is_told_and_the_same_command_goes_on(tmp_path):
    file = scenario(tmp_path, xs=list(range(60)), plan={"sleep_us": 30_000})
    with subprocess.Popen(
        [*SCRIPT, str(file), "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        while json.loads(process.stdout.readline())["made"] == 0:
            pass
        process.send_signal(signal.SIGINT)
        objects = [json.loads(line) for line in process.stdout]
        said = process.stderr.read()
    assert process.returncode == 130
    assert "stopping" in [each["event"] for each in objects]
    folder = tmp_path / "lab.results"
    assert said == (
        f"ackclock: stopped. Finished runs are kept in {folder}; "
        "the same command resumes from there.\n"
    )
    kept = len(Campaign.open(folder).runs)
    assert 0 < kept < 120


def test_a_second_ctrl_c_ends_the_command(tmp_path):
    file = scenario(tmp_path, plan={"sleep_us": 5_000_000})
    with subprocess.Popen(
        [*SCRIPT, str(file), "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        process.stdout.readline()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        while json.loads(process.stdout.readline())["event"] != "stopping":
            pass
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
        process.wait(timeout=3)
    assert process.returncode == 130
    assert said.startswith("ackclock: stopped. Finished runs are kept in")
    assert "Traceback" not in said
