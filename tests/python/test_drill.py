"""The command ``drill``: verdicts, messages, exit codes, shell files, JSON."""

import json
from pathlib import Path

import pytest

from ackclock.cli import main
from ackclock.drill import run_script, subject
from ackclock.errors import InputError
from drill_texts import OPEN

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted((ROOT / "scripts").glob("*.pkt"))


@pytest.fixture
def script(tmp_path):
    def write(text, name="x.pkt"):
        file = tmp_path / name
        file.write_text(text)
        return file

    return write


def test_there_are_scripts_to_begin_with():
    assert len(SCRIPTS) >= 3


@pytest.mark.parametrize("file", SCRIPTS, ids=lambda file: file.stem)
def test_the_scripts_of_the_repository_pass(file):
    assert run_script(file, subject()).failure is None


def test_all_files_are_told_of_and_the_exit_code_is_that_of_the_worst(script, capsys):
    good = script(OPEN, "good.pkt")
    bad = script(f"{OPEN}+0 write(4, ..., 10) = 10\n+0 > P. 1:12(11) ack 1\n", "bad.pkt")
    wrong = script("+0 frobnicate(1) = 0\n+0 > X. 1:1(0)\n", "wrong.pkt")
    assert main(["drill", str(good)]) == 0
    assert main(["drill", str(good), str(bad)]) == 1
    assert main(["drill", str(good), str(bad), str(wrong), "no.pkt"]) == 2
    told = capsys.readouterr()
    assert f"ok {good} (7 events, 0.1 s of virtual time)" in told.out
    assert f"FAILED {bad}:9\n" in told.out
    assert told.out.endswith("1 passed, 1 failed, 2 could not be read\n")
    assert f"ackclock: {wrong}:1:4: the system call `frobnicate` is not supported" in told.err
    assert f"ackclock: {wrong}:2:6: `X` is no TCP flag" in told.err
    assert "ackclock: no.pkt: cannot be read" in told.err


def test_a_failing_line_is_shown_with_what_came(script, capsys):
    file = script(f"{OPEN}+0 write(4, ..., 10) = 10\n+0 > P. 1:12(11) ack 1\n")
    assert main(["drill", str(file)]) == 1
    out = capsys.readouterr().out
    assert f"{file}:9:1: expected length 11, found 10" in out
    assert "    9 | +0 > P. 1:12(11) ack 1\n        | ^\n" in out
    assert "  expected  P. 1:12(11) ack 1 at 0.1 s\n" in out
    assert "  came      P. 1:11(10) ack 1 at  0.100000 s\n" in out
    assert "     0.100000  <  . 1:1(0) ack 1 win 257\n" in out


def test_the_whole_exchange_is_printed_on_demand(script, capsys):
    assert main(["drill", str(script(OPEN)), "--verbose"]) == 0
    out = capsys.readouterr().out
    assert "   0.000000  <  S 0:0(0) win 32792" in out
    assert "   0.100000     accept(3, ..., ...) = 4\n" in out
    assert "cwnd 10 ssthresh" in out


def test_json_tells_everything(script, capsys):
    bad = script(f"{OPEN}+0 %{{ print(tcpi_snd_cwnd) }}%\n+.1 > P. 1:12(11) ack 1\n")
    assert main(["drill", str(bad), "no.pkt", "--json"]) == 2
    first, second = json.loads(capsys.readouterr().out)
    assert (first["verdict"], first["failure"]["line"], first["events"]) == ("failed", 9, 8)
    assert first["printed"] == [{"us": 100_000, "text": "10"}]
    assert {line["kind"] for line in first["trace"]} >= {"<", ">", "call", "window"}
    assert (second["verdict"], second["file"]) == ("unreadable", "no.pkt")


def test_the_flavor_and_its_keys_can_be_chosen(script, capsys):
    file = str(script(OPEN.replace("nop,nop,sackOK,", "")))
    assert main(["drill", file]) == 1
    assert main(["drill", file, "--flavor", "newreno"]) == 0
    assert main(["drill", file, "--set", "tcp.sack=false"]) == 0
    capsys.readouterr()
    assert main(["drill", file, "--set", "tcp.min_rt=1 s"]) == 2
    assert "--set tcp.min_rt=1 s: unknown key; did you mean tcp.min_rto?" in capsys.readouterr().err
    assert main(["drill", file, "--set", "duration=1 s"]) == 2
    assert (
        "--set duration=1 s: a script accepts only tcp.KEY and clock.tick"
        in capsys.readouterr().err
    )


def test_what_is_chosen_is_stronger_than_what_a_script_sets(script):
    without = OPEN.replace("nop,nop,sackOK,", "")
    file = script("`sysctl -q net.ipv4.tcp_sack=0`\n" + without)
    assert run_script(file, subject()).failure is None
    assert run_script(file, subject(sets=["tcp.sack=true"])).failure is not None


def test_a_shell_file_beside_the_script_counts(script, capsys):
    script(
        "# why\nsysctl -q net.ipv4.tcp_sack=0 # off\nsysctl -q net.ipv4.tcp_syn_retries=2\n",
        "off.sh",
    )
    without = OPEN.replace("nop,nop,sackOK,", "")
    file = script("`./off.sh\n./missing.sh`\n" + without)
    assert main(["drill", str(file)]) == 0
    out = capsys.readouterr().out
    assert "not applied (has no meaning here): tcp_syn_retries\n" in out
    assert "not applied (the file is not beside the script): ./missing.sh\n" in out
    assert main(["drill", str(file), "--verbose"]) == 0
    out = capsys.readouterr().out
    assert "  applied: line 1: net.ipv4.tcp_sack=0: sack = false\n" in out


def test_tolerance_is_the_scripts_own_or_that_of_the_command(script):
    text = f"{OPEN}+0 write(4, ..., 10) = 10\n+0 > P. 1:11(10) ack 1\n+.41 > P. 1:11(10) ack 1\n"
    file = script(text)
    assert run_script(file, subject()).failure is not None
    assert run_script(file, subject(), tolerance_us=20_000).failure is None
    strict = script("--tolerance_usecs=10\n" + text, "strict.pkt")
    assert run_script(strict, subject(), tolerance_us=20_000).failure is not None


def test_segments_after_the_last_expected_one_fail_only_if_asked(script, capsys):
    file = script(f"{OPEN}+0 write(4, ..., 10) = 10\n")
    assert main(["drill", str(file)]) == 0
    assert "; 1 segment after the last expected one)" in capsys.readouterr().out
    assert main(["drill", str(file), "--check-left"]) == 1


def test_a_file_that_is_no_text_is_named(script):
    file = script("")
    file.write_bytes(b"\xff\xfe0 socket")
    with pytest.raises(InputError, match=r"x\.pkt: is not a text: byte 0 is not UTF-8"):
        run_script(file, subject())
