"""What a person types, and what comes back."""

import signal
import subprocess
import sys
import time
import types

import pytest

import ackclock
from ackclock import __version__
from ackclock.cli import app, main

COMMAND = [sys.executable, "-m", "ackclock"]
QUICK = ["--set", "topology.pairs=4", "--set", "duration=2 s", "--links", "WAN", "--buffers", "1"]
CAMPAIGN = {".lock", "design.json", "journal.jsonl", "provenance.json", "scenario.toml"}


@pytest.fixture(autouse=True)
def report(monkeypatch):
    """A report that is drawn at once."""
    module = types.ModuleType("ackclock.studies.machinery.report")
    module.write_report = lambda result, path: path.write_text(result.command)
    monkeypatch.setitem(sys.modules, "ackclock.studies.machinery.report", module)
    monkeypatch.setitem(sys.modules, "ackclock.studies.ubr_web.report", module)


def test_a_study_leaves_its_files_and_says_where(tmp_path, capsys):
    out = tmp_path / "new" / "out"
    assert main(["reproduce", "ubr-web", "--out", str(out), *QUICK]) == 0
    names = {path.name for path in out.iterdir()}
    tables = {"results.csv", "runs.csv", "comparison.csv", "claims.csv"}
    assert names == {*tables, *CAMPAIGN, "report.html", "traced"}
    said = capsys.readouterr()
    assert "EPD Vanilla" in said.out
    assert f"the report is {out / 'report.html'}" in said.out
    assert said.err == "0 of 9 runs done\n"
    command = "ackclock reproduce ubr-web --replications 1 --seed 1 --links WAN --buffers 1 "
    assert (out / "report.html").read_text().startswith(command)


def test_the_same_bytes_with_any_number_of_jobs(tmp_path):
    written = []
    for jobs in ("1", "2"):
        out = tmp_path / jobs
        words = ["reproduce", "ubr-web", "--jobs", jobs, "--out", str(out), *QUICK]
        assert main([*words, "--replications", "2"]) == 0
        names = {path.name for path in out.iterdir() if path.is_file()}
        names -= {".lock", "journal.jsonl", "provenance.json"}
        written.append({name: (out / name).read_bytes() for name in names})
    assert len(written[0]) == 7
    assert written[0] == written[1]


def test_a_damaged_journal_is_told_and_its_runs_are_made_again(tmp_path, capsys):
    words = ["reproduce", "ubr-web", "--out", str(tmp_path / "[b]"), *QUICK]
    assert main(words) == 0
    assert f"the report is {tmp_path / '[b]' / 'report.html'}" in capsys.readouterr().out
    journal = tmp_path / "[b]" / "journal.jsonl"
    journal.write_bytes(journal.read_bytes().replace(b'"seed"', b'"sead"', 1))
    assert main(words) == 0
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith(f"ackclock: warning: {journal}: ")
    assert second == "8 of 9 runs were made earlier"


def test_runs_are_kept_for_the_next_command(tmp_path, capsys):
    words = ["reproduce", "ubr-web", "--out", str(tmp_path), *QUICK]
    assert main(words) == 0
    assert main(words) == 0
    assert "9 of 9 runs were made earlier" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "messages"),
    [
        (["--replications", "0"], ["--replications 0: at least 1 is needed"]),
        (["--jobs", "0"], ["--jobs 0: at least 1 is needed"]),
        (["--jobs", "-2"], ["--jobs -2: at least 1 is needed"]),
        (["--seed", "-1"], ["--seed -1: must be between 0 and 18446744073709551615"]),
        (["--jobs", "two"], ['Invalid value for --jobs: unable to convert "two" into int.']),
        (["--links", "LAN"], ["--links LAN: choose from WAN, MEO, GEO; did you mean WAN?"]),
        (["--policies", "RED"], ["--policies RED: choose from EPD, SD"]),
        (["--flavors", "reno"], ["--flavors reno: choose from Vanilla, Reno, NewReno, SACK"]),
        (["--buffers=-1"], ["--buffers -1: choose from 0.5, 1, 2"]),
        (["--set", "topology.pairs=0"], ["--set topology.pairs=0: must be from 1 to 100000"]),
        (["--set", "topology.port.z=1.5"], ["--set topology.port.z=1.5: expected a share above 0"]),
        (["--set", "duration=10 m"], ['unknown unit "m"; units of time are']),
        (["--set", "variables.wan_buffers=[-5, 1062, 2300]"], ["-5 is outside 0 to"]),
        (["--set", "variables.wan_buffers=[5, 1062, 2300]"], ["cannot hold one frame"]),
        (["--set", "tcp.minrto=1 s"], ["unknown key; did you mean tcp.min_rto?"]),
        (["--set", "tcp.min_rto=250 ms"], ["not a whole number of ticks of clock.tick"]),
        (["--set", "seed=2"], ["--set seed=2: the option --seed gives it"]),
        (["--nonsense"], ["Unknown option: --nonsense."]),
        (["--set", "a=1", "b=2", "--set", "c=3", "--jobs", "0"], ["--jobs 0", "a=1", "b=2", "c=3"]),
    ],
)
def test_bad_input_is_told_and_nothing_is_written(words, messages, tmp_path, capsys):
    out = tmp_path / "out"
    assert main(["reproduce", "ubr-web", "--out", str(out), *words]) == 2
    said = capsys.readouterr()
    lines = said.err.splitlines()
    assert len(lines) == len(messages)
    for line, message in zip(lines, messages, strict=True):
        assert line.startswith("ackclock: ")
        assert message in line
    assert said.out == ""
    assert not out.exists()


@pytest.mark.parametrize(
    ("words", "takes"),
    [
        (["show", "lab.results", "nope"], "ackclock show takes PLACE, see ackclock show --help"),
        (["model", "newreno", "nope", "--rtt", "1 s", "--loss", "1%"], "ackclock model takes NAME"),
        (["metrics", "nope"], "ackclock metrics takes only options"),
        (["reproduce", "ubr-web", "nope"], "ackclock reproduce ubr-web takes only options"),
    ],
)
def test_a_word_too_many_is_named_with_what_the_command_takes(words, takes, capsys):
    assert main(words) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f'ackclock: "nope": not understood; {takes}')


def test_an_output_that_cannot_be_written_is_told_before_anything_runs(tmp_path, capsys):
    (tmp_path / "file").write_text("kept")
    assert main(["reproduce", "ubr-web", "--out", str(tmp_path / "file")]) == 2
    assert "cannot write there" in capsys.readouterr().err
    assert [path.read_text() for path in tmp_path.iterdir()] == ["kept"]


def test_tables_that_cannot_be_written_are_told_and_the_runs_are_kept(tmp_path, capsys):
    words = ["reproduce", "ubr-web", "--out", str(tmp_path), *QUICK]
    (tmp_path / "report.html").mkdir()
    assert main(words) == 2
    (told,) = [line for line in capsys.readouterr().err.splitlines() if "ackclock" in line]
    assert told.startswith(f"ackclock: {tmp_path}: cannot write there (")
    (tmp_path / "report.html").rmdir()
    assert main(words) == 0
    assert "9 of 9 runs were made earlier" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["nonsense"], ["reproduce", "nonsense"], ["anova"]])
def test_a_wrong_command_is_told(words, capsys):
    assert main(words) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_settings_are_listed(capsys):
    assert main(["reproduce", "ubr-web", "--list-settings"]) == 0
    listed = capsys.readouterr().out
    for words in ("tcp.min_rto", "200 ms", "topology.port.z", "variables.wan_buffers"):
        assert words in listed
    assert "…" not in listed


def test_the_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"ackclock {__version__}\n"


def test_an_analysis_of_a_file(tmp_path, capsys):
    path = tmp_path / "runs.csv"
    path.write_text("tcp,buffer,goodput\nreno,1,2\nreno,2,3\nsack,1,4\nsack,2,7\n")
    words = ["anova", str(path), "--response", "goodput", "--factors", "tcp,buffer"]
    assert main(words) == 0
    assert "tcp:buffer" in capsys.readouterr().out
    assert main([*words[:-1], "tcp", "bufer"]) == 2
    assert capsys.readouterr().err.startswith("ackclock: no column 'bufer'")
    assert main([*words, "--confidence", "90"]) == 2
    assert main(["anova", str(tmp_path / "none.csv"), *words[2:]]) == 2


def test_a_second_ctrl_c_does_not_wait(tmp_path):
    words = ["reproduce", "ubr-web", "--out", str(tmp_path), "--jobs", "1", "--links", "GEO"]
    words += ["--set", "duration=20000 s"]
    with subprocess.Popen([*COMMAND, *words], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr.readline() == "0 of 25 runs done\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.stderr.readline().startswith("Stopping: ")
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
        assert process.wait(10) == 130
    assert "the same command resumes from there" in said


def test_ctrl_c_keeps_what_is_finished(tmp_path):
    journal = tmp_path / "journal.jsonl"
    words = ["reproduce", "ubr-web", "--out", str(tmp_path), "--jobs", "1", "--links", "GEO"]
    words += ["--set", "duration=5 s", "--replications", "1000"]
    with subprocess.Popen([*COMMAND, *words], stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 60
        # The first line tells the format, the second is a run.
        while time.monotonic() < deadline:
            if journal.exists() and journal.read_bytes().count(b"\n") > 1:
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
    assert process.returncode == 130
    assert "the same command resumes from there" in said
    assert "Traceback" not in said
    assert journal.read_bytes().endswith(b"\n")
    assert {path.name for path in tmp_path.iterdir()} == {*CAMPAIGN, "traced"}


@pytest.mark.parametrize(
    "words",
    [
        "check x.toml --set",
        "explain x.toml --set",
        "run x.toml --set",
        "emulate x.toml --set",
        "shell x.toml --set",
        "drill x.pkt --set --verbose",
        "capture x.toml --out x.pcapng --at client --set",
        "size-buffer x.toml --target x --set",
        "reproduce ubr-web --set",
        "reproduce ubr-web --set --jobs 1",
        "reproduce rfc2415 --parts",
        "reproduce newreno --set",
        "reproduce abr-web --set",
        "reproduce osu-tasks --set",
        "validate-kernel --points",
        "compare reno --metric",
        "plot x --flow",
        "show x --metric",
        "report x --metric",
        "anova x.csv --response y --factors",
    ],
)
def test_an_option_that_wants_texts_wants_one(words, capsys):
    assert main(words.split()) == 2
    option = next(word for word in reversed(words.split()) if word not in NOT_MEANT)
    told = f"{option} requires at least 1 element. Got 0. See --help."
    assert capsys.readouterr().err.endswith(f"parameter {told}\n")


NOT_MEANT = {"--verbose", "--jobs", "1"}


def test_a_message_of_a_megabyte_is_cut(capsys):
    assert main(["check", f"--{'k' * 10**6}"]) == 2
    assert len(capsys.readouterr().err) < 5000


NAMES = [name for name in app if not name.startswith("-")]


@pytest.mark.parametrize("words", [[], *([name] for name in NAMES), ["reproduce", "ubr-web"]])
def test_help_prints_what_the_option_prints(words, capsys):
    assert main([*words, "--help"]) == 0
    wanted = capsys.readouterr().out
    assert main(["help", *words]) == 0
    assert capsys.readouterr().out == wanted
    assert wanted.startswith(f"Usage: {' '.join(['ackclock', *words])}")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("shwo", '"shwo" is not a command of ackclock; did you mean "show"?'),
        ("size_buffer", 'did you mean "size-buffer"?'),
        ("nonsense", "`ackclock --help` lists the commands"),
        ("reproduce ubr-wbe", 'not a command of ackclock reproduce; did you mean "ubr-web"?'),
        ("show lab.toml", '"lab.toml" is not a command of ackclock show; '),
    ],
)
def test_help_of_what_is_no_command(words, says, capsys):
    assert main(["help", *words.split()]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert says in said.err


def test_the_package_lists_what_is_for_users():
    assert dir(ackclock) == sorted(ackclock.__all__)
    script = "import sys, ackclock; print(dir(ackclock), 'pandas' in sys.modules)"
    fresh = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert fresh.stdout == f"{sorted(ackclock.__all__)} False\n"
    assert all(getattr(ackclock, name) is not None for name in dir(ackclock))
