"""Emulations in virtual time: the same bytes every time, and nothing left whatever ends them."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from ackclock.campaign import Campaign
from ackclock.cli import main
from ackclock.emulation.campaign import Options, emulate
from ackclock.emulation.virtual_time import guest, kernel
from ackclock.scenario import load
from emulated import TEXT
from test_emulation_ends import eventually

TEMPORARY = tempfile.gettempdir()
PLAN = """
title = "Two flows in virtual time"
duration = "4 s"

[topology]
kind = "dumbbell"
access = { rate = "100 Mbit/s", delay = "1 ms" }

[topology.bottleneck]
rate = "4 Mbit/s"
delay = "20 ms"
queue = { limit = "20 packets" }
impairments = [{ kind = "bernoulli", loss = "1 %" }]

[tcp]
stack = "linux"

[workload]
kind = "bulk"

[[flows]]
name = "one"
tcp = { flavor = "bbr" }

[[flows]]
name = "other"
tcp = { flavor = "cubic" }
"""


def needs_kernel() -> None:
    """Skip a test where nothing can run in virtual time."""
    if why_not := kernel.problems():
        pytest.skip(why_not[0])


def made(folder: Path, text: str, **options) -> Campaign:
    summary = emulate(load(text), folder, Options(virtual_time=True), **options)
    assert not summary.failed
    return Campaign.open(folder)


def rows(campaign: Campaign) -> list[str]:
    found = {(run.levels.get("x"), run.replication): run.row for run in campaign.runs}
    return [json.dumps(found[key], sort_keys=True) for key in sorted(found, key=str)]


def test_runs_are_the_same_in_every_byte_and_replications_are_not(tmp_path):
    needs_kernel()
    one = made(tmp_path / "one", PLAN, replications=2, jobs=1)
    other = made(tmp_path / "other", PLAN, replications=2, jobs=2)
    assert rows(one) == rows(other)
    assert len(set(rows(one))) == 2
    for run in one.runs:
        described = run.row["emulation"]
        assert (described["verdict"], described["kernel"]) == ("valid", kernel.kernel().release)
        assert described["left_late"]["max_us"] < 50
        used = [each["congestion"] for each in described["settings"]]
        assert used == ["bbr", "cubic"]


def test_the_results_are_those_of_an_emulation(tmp_path, capsys):
    needs_kernel()
    file = tmp_path / "transfer.toml"
    file.write_text(TEXT)
    assert main(["emulate", str(file), "--virtual-time"]) == 0
    assert "valid; packets left late by" in capsys.readouterr().out
    assert main(["emulate", str(file), "--virtual-time"]) == 0
    assert "(0 made now)" in capsys.readouterr().out
    assert main(["show", str(tmp_path / "transfer.emulated")]) == 0
    assert "valid" in capsys.readouterr().out


def guests() -> list[str]:
    """Folders of guests that are there now."""
    return [
        each.name for each in Path(os.environ.get("TMPDIR", TEMPORARY)).glob("ackclock-guest-*")
    ]


def processes(folders: list[str]) -> list[int]:
    """Processes of guests in these folders."""
    found = []
    for each in Path("/proc").glob("[0-9]*"):
        try:
            if Path(os.readlink(each / "cwd")).name in folders:
                found.append(int(each.name))
        except OSError:
            continue
    return found


def begun(file: Path, *options: str) -> subprocess.Popen:
    command = [sys.executable, "-m", "ackclock", "emulate", str(file), "--virtual-time", *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


@pytest.mark.parametrize("seconds", [0.1, 0.5, 1.5, 3.0])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_command_that_is_killed_leaves_nothing(tmp_path, monkeypatch, number, seconds):
    needs_kernel()
    (tmp_path / "guests").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "guests"))
    file = tmp_path / "long.toml"
    file.write_text(TEXT)
    with begun(file, "--duration", "600 s", "--replications", "2") as command:
        assert eventually(guests, 20)
        time.sleep(seconds)
        folders = guests()
        # The first Ctrl-C waits for the runs under way, and the next one does not.
        while command.poll() is None:
            command.send_signal(number)
            time.sleep(0.3)
        assert eventually(lambda: not guests() and not processes(folders), 10)


def test_a_guest_that_dies_fails_its_run_only_and_a_finished_one_is_kept(tmp_path, capfd):
    needs_kernel()
    file = tmp_path / "two.toml"
    file.write_text(TEXT + '\n[sweep.factors]\nduration = ["1 s", "600 s"]\n')
    journal = tmp_path / "two.emulated" / "journal.jsonl"
    with begun(file, "--jobs", "1", "--replications", "1") as command:
        assert eventually(lambda: journal.exists() and journal.read_text().count("\n") > 0, 30)
        assert eventually(lambda: bool(processes(guests())), 20)
        for process in processes(guests()):
            os.kill(process, signal.SIGKILL)
        said, _ = command.communicate(timeout=30)
    assert command.returncode == 1
    assert "the kernel for virtual time has ended unexpectedly (signal 9)" in said
    assert len(Campaign.open(tmp_path / "two.emulated").runs) == 1
    assert eventually(lambda: not guests(), 10)


@pytest.mark.parametrize(
    ("program", "code", "out", "err"),
    [
        ("cat; echo to stderr >&2; exit 3", 3, "given\n", "to stderr\n"),
        ("pwd; echo text > $TMPDIR/file; cat $TMPDIR/file", 0, "{here}\ntext\n", ""),
        ("date +%s > written; sleep 1000; date +%s >> written", 0, "", ""),
        ("no-such-program", 127, "", "no-such-program: not found"),
    ],
)
def test_a_shell_runs_a_program(tmp_path, monkeypatch, program, code, out, err):
    needs_kernel()
    file = tmp_path / "path.toml"
    file.write_text(TEXT)
    command = [sys.executable, "-m", "ackclock", "shell", "path.toml", "--virtual-time"]
    ended = subprocess.run(
        [*command, "--", "sh", "-c", program],
        cwd=tmp_path,
        input="given\n",
        text=True,
        capture_output=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (code, out.format(here=tmp_path)), ended.stderr
    assert err in ended.stderr
    assert "Power" not in ended.stderr
    if "written" in program:
        before, after = map(int, (tmp_path / "written").read_text().split())
        assert after - before == 1000


def test_options_about_real_time_are_refused(tmp_path, capsys):
    file = tmp_path / "transfer.toml"
    file.write_text(TEXT)
    assert main(["emulate", str(file), "--virtual-time", "--spin"]) == 2
    assert "--spin: is about real time" in capsys.readouterr().err
    assert main(["shell", str(file), "--virtual-time"]) == 2
    assert "needs a command" in capsys.readouterr().err


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache of the user, with the folder of the kernel; guests have their own place."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    kernel.folder().mkdir(parents=True)
    return kernel.folder()


def pretend(cache: Path, script: str) -> None:
    """Install a program that takes the place of the kernel."""
    (cache / "linux").write_text(f"#!{shutil.which('sh')}\n{script}\n")
    (cache / "linux").chmod(0o700)
    kernel.describe(kernel.Kernel("1.2.3", ("reno", "cubic"), "nothing"))


needs_programs = pytest.mark.skipif(
    any(shutil.which(each) is None for each in ("setpriv", "setarch", "taskset")),
    reason="util-linux is not installed",
)


def test_without_a_kernel_one_sentence_says_how_to_build_it(tmp_path, cache, capsys):
    file = tmp_path / "transfer.toml"
    file.write_text(TEXT)
    assert main(["emulate", str(file), "--virtual-time"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "make virtual-time-kernel" in line or "needs" in line
    assert not (tmp_path / "transfer.emulated").exists()


@needs_programs
def test_a_kernel_without_the_congestion_control_is_refused(tmp_path, cache, capsys):
    pretend(cache, "exit 1")
    file = tmp_path / "transfer.toml"
    file.write_text(TEXT.replace('"newreno"', '"bbr"'))
    if kernel.problems():
        pytest.skip(kernel.problems()[0])
    assert main(["emulate", str(file), "--virtual-time"]) == 2
    said = capsys.readouterr().err
    assert "needs the congestion control bbr, and Linux 1.2.3 here has reno, cubic" in said
    assert "CONFIG_TCP_CONG_BBR=y in virtual-time/kernel.config" in said


@needs_programs
def test_a_guest_answers_or_says_why_it_died(cache):
    pretend(cache, """echo '{"result": {"a": 1}}' > answer.json""")
    assert guest.run("describe", {}) == {"a": 1}
    pretend(cache, """echo '{"problem": "no network"}' > answer.json""")
    with pytest.raises(guest.GuestError, match=r"^no network$"):
        guest.run("describe", {})
    pretend(cache, "echo out of memory; exit 3")
    with pytest.raises(guest.GuestError, match=r"\(code 3\): out of memory"):
        guest.run("describe", {})
    pretend(cache, "cat order.json input > answer.json")
    with pytest.raises(guest.GuestError):
        guest.run("describe", {}, given=b"more")
    pretend(cache, """printf '{"result": "%s"}' "$*" > answer.json""")
    words = guest.run("describe", {"x": 1})
    assert guest.run("describe", {"x": 1}) == words
    assert guest.run("describe", {"x": 2}) != words
    assert "ackclock-guest" not in words
    assert not guests()


@needs_programs
def test_each_guest_has_a_processor_of_its_own(monkeypatch):
    # Real guests may be at work here.
    monkeypatch.setattr(guest, "_PROCESSOR", f"{guest._PROCESSOR}-of-test-{os.getpid()}")
    wanted = sorted(map(str, os.sched_getaffinity(0)))
    opened = [guest._own_processor() for _ in range(len(wanted) + 1)]
    given = [each.__enter__() for each in opened]
    assert sorted(given[:-1]) == wanted
    assert given[-1] in wanted
    for each in opened:
        each.__exit__(None, None, None)
