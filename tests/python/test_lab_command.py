"""``ackclock lab``."""

import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from ackclock.cli import BAD_INPUT, main
from ackclock.lab.server.http_server import listening
from lab_server import LONG, SMALL
from teaching_set import ROOT, SCENARIOS

ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/#token=([\w-]{32,})(&to=\S+)?")


@pytest.fixture
def started(tmp_path):
    """Starts the command in a process; what is there of it is stopped at the end."""
    begun = []

    def start(*words):
        command = [sys.executable, "-m", "ackclock", "lab", *map(str, words)]
        env = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "BROWSER": "true"}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        begun.append(subprocess.Popen(command, cwd=tmp_path, env=env, **pipes))
        line = begun[-1].stdout.readline()
        found = ADDRESS.search(line)
        assert found, line + begun[-1].stderr.read()
        assert begun[-1].stdout.readline() == "Ctrl-C ends it.\n"
        return begun[-1], found

    yield start
    for process in begun:
        process.kill()
        process.communicate()


def ended(process):
    """What a server prints after Ctrl-C; it ends within a second of processor time."""
    others = _children_s()
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    before = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert _children_s() - others - before < 1
    assert process.returncode == 0
    assert err == ""
    return out


def _children_s():
    its = resource.getrusage(resource.RUSAGE_CHILDREN)
    return its.ru_utime + its.ru_stime


def answers(found, path="/api/about"):
    headers = {"Authorization": f"Bearer {found[2]}"}
    request = urllib.request.Request(f"http://127.0.0.1:{found[1]}{path}", headers=headers)
    with urllib.request.urlopen(request, timeout=10) as response:
        return response.read().decode()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_address_that_is_printed_can_be_opened(started, tmp_path):
    process, found = started("--port", 0, "--no-browser")
    assert f'"folder":"{tmp_path.name}"' in answers(found)
    assert found[3] is None
    assert "The laboratory is closed." in ended(process)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize(
    ("call", "more"), [("run", {}), ("detail/segments", {"from": 140, "to": 140.01})]
)
def test_ctrl_c_ends_it_while_a_run_is_under_way(started, call, more):
    process, found = started("--port", 0, "--no-browser")
    body = json.dumps({"source": LONG, **more}).encode()
    head = (
        f"POST /api/{call} HTTP/1.1\r\nHost: 127.0.0.1:{found[1]}\r\n"
        f"Authorization: Bearer {found[2]}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", int(found[1])), timeout=10) as connection:
        connection.sendall(head.encode() + body)
        time.sleep(1)
        ended(process)


def test_a_file_is_shown_first(started, tmp_path):
    (tmp_path / "lab.toml").write_text(SMALL)
    _, found = started("lab.toml", "--port", 0, "--no-browser")
    assert found[3] == "&to=/lab/yours/lab"
    assert "Two transfers" in answers(found, "/api/scenarios/yours/lab")
    _, found = started(SCENARIOS["red"], "--port", 0, "--no-browser")
    assert found[3] == "&to=/lab/red"


def test_the_browser_is_opened(tmp_path, monkeypatch):
    import webbrowser

    opened = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    monkeypatch.setattr(
        serving, "serve", lambda folder, port, call, route: call(f"{folder.name} {port} {route}")
    )
    monkeypatch.chdir(tmp_path)
    assert main(["lab", "--port", "9000"]) == 0
    assert main(["lab", "--no-browser"]) == 0
    assert opened == [" 9000 "]


def test_a_port_that_is_taken(capsys):
    with listening(0) as listener:
        port = listener.getsockname()[1]
        assert main(["lab", "--port", str(port), "--no-browser"]) == BAD_INPUT
    said = capsys.readouterr().err
    (other,) = re.findall(r"for example --port (\d+)", said)
    assert f"--port {port}: cannot be used" in said
    assert int(other) != port


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--port", "70000"], "--port 70000: a number from 0 to 65535"),
        (["nothing.toml"], "nothing.toml: there is no such file or folder"),
    ],
)
def test_what_is_wrong_is_said(capsys, words, said):
    assert main(["lab", "--no-browser", *words]) == BAD_INPUT
    assert said in capsys.readouterr().err


def test_without_the_extra_one_sentence_says_what_to_install(capsys, monkeypatch):
    from importlib import util

    monkeypatch.setattr(util, "find_spec", lambda name: None)
    assert main(["lab"]) == BAD_INPUT
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "pip install 'ackclock[lab]'" in said
