"""Programs in shells: their ends, their terminal, what they reach, and what is left of them.

Without privilege; what only root can do is tried in a shell within a shell, where everybody is.
"""

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ipaddress import IPv4Network
from pathlib import Path

import pytest

from ackclock.cli import main
from ackclock.emulation.shell import addresses
from ackclock.emulation.shell.session import Options, path_of, request_for
from ackclock.scenario import load
from atm_texts import ATM_NETWORK
from emulated import TEXT, needs_namespaces
from scenario_calls import written
from test_emulation_ends import eventually

SHELL = (sys.executable, "-m", "ackclock", "shell")
PROCESSES = Path("/proc", "self").parent
WITHIN_S = 60

# Path of 48 ms there and back; says what it finds as JSON.
PROBE = """
import json, os, socket, sys, time
peer = sys.argv[1]
def rtt_ms(send, receive):
    found = []
    for _ in range(4):
        began = time.monotonic()
        send()
        receive()
        found.append((time.monotonic() - began) * 1e3)
    return min(found)
told = {"address": socket.gethostbyname(peer)}
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
    udp.settimeout(5)
    udp.connect((peer, 7007))
    told["udp"] = rtt_ms(lambda: udp.send(b"x" * 100), lambda: udp.recv(200))
with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP) as icmp:
    icmp.settimeout(5)
    # An echo request, with its checksum.
    request = bytes((8, 0, 0xF7, 0xFF, 0, 0, 0, 0))
    def answer():
        while icmp.recv(200)[20] != 0:
            pass
    told["icmp"] = rtt_ms(lambda: icmp.sendto(request, (peer, 0)), answer)
with socket.create_connection((peer, 7008), timeout=10) as tcp:
    tcp.sendall(bytes(100_000))
    tcp.shutdown(socket.SHUT_WR)
    told["tcp"] = sum(len(part) for part in iter(lambda: tcp.recv(65536), b""))
print(json.dumps(told), flush=True)
"""
# Answers what a probe says, over UDP and TCP.
ECHO = """
import socket, threading
def datagrams():
    while True:
        udp.sendto(*udp.recvfrom(200))
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
udp.bind(("", 7007))
listener = socket.create_server(("", 7008))
threading.Thread(target=datagrams, daemon=True).start()
print("the server listens", flush=True)
while True:
    with listener.accept()[0] as tcp:
        while part := tcp.recv(65536):
            tcp.sendall(part)
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    needs_namespaces()
    folder = tmp_path_factory.mktemp("shell")
    for name, text in (("path.toml", TEXT), ("probe.py", PROBE), ("echo.py", ECHO)):
        (folder / name).write_text(text)
    return folder


def shell(folder: Path, *options: str, command: tuple[str, ...], text: str = "", privileged=False):
    words = [*SHELL, str(folder / "path.toml"), *options]
    words += [] if privileged else ["--unprivileged"]
    return subprocess.run(
        [*words, "--", *command],
        input=text,
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
        check=False,
    )


def probe(folder: Path, peer: str = "peer") -> tuple[str, ...]:
    return (sys.executable, str(folder / "probe.py"), peer)


def server(folder: Path) -> tuple[str, str]:
    return ("--server", f"{sys.executable} {folder / 'echo.py'}")


def inner(folder: Path) -> tuple[str, ...]:
    return (*SHELL, str(folder / "path.toml"), "--")


def test_streams_and_exit_code_are_those_of_the_command(files):
    made = shell(files, command=("sh", "-c", "cat; echo told >&2; exit 7"), text="hello\n")
    assert (made.returncode, made.stdout) == (7, "hello\n")
    lines = made.stderr.splitlines()
    assert lines[0].startswith("ackclock: the far end is a host with no program, peer (198.18.0.1)")
    assert lines[1] == "told"
    assert lines[2] == "ackclock: valid; 0 packets sent, 0 arrived, 0 lost by the scenario"


@pytest.mark.parametrize(
    ("command", "code", "told"),
    [
        ((os.path.join(".", "no-program"),), 127, "ackclock: ./no-program: is not found"),
        ((os.path.join(".", ""),), 126, "ackclock: ./: permission denied"),
    ],
)
def test_other_ends_have_the_codes_of_shells(files, command, code, told):
    made = shell(files, command=command)
    assert made.returncode == code
    assert told in made.stderr


def test_packets_of_all_kinds_reach_the_server_and_no_other_way_is_there(files):
    made = shell(files, *server(files), command=probe(files))
    assert made.returncode == 0, made.stderr
    told = json.loads(made.stdout)
    assert told["address"] == "198.18.0.1"
    assert 48 <= told["udp"] < 150
    assert 48 <= told["icmp"] < 150
    assert told["tcp"] == 100_000
    assert "the server listens" in made.stderr
    assert "packets left late by" in made.stderr.splitlines()[-1]


def test_a_shell_within_a_shell_adds_its_path(files):
    script = f"""
import subprocess, sys
echo = subprocess.Popen([sys.executable, {str(files / "echo.py")!r}], stdout=subprocess.PIPE)
echo.stdout.readline()
for peer in ("peer", "peer2"):
    probe = [sys.executable, {str(files / "probe.py")!r}, peer]
    subprocess.run([*{inner(files)!r}, *probe], check=True)
"""
    made = shell(files, *server(files), command=(sys.executable, "-c", script))
    assert made.returncode == 0, made.stderr
    near, far = map(json.loads, made.stdout.splitlines())
    assert (near["address"], far["address"]) == ("198.18.2.1", "198.18.0.1")
    assert 48 <= near["udp"] < 96 <= far["udp"] < 250
    assert 48 <= near["icmp"] < 96 <= far["icmp"] < 250
    assert near["tcp"] == far["tcp"] == 100_000
    assert made.stderr.count("packets left late by") == 3


def test_losses_of_the_scenario_are_those_of_the_path(files):
    lost = '--set=topology.bottleneck.impairments=[{kind = "bernoulli", loss = "100 %"}]'
    script = "import socket; socket.create_connection(('peer', 7008), timeout=1)"
    made = shell(files, lost, *server(files), command=(sys.executable, "-c", script))
    assert made.returncode == 1
    assert "timed out" in made.stderr
    assert ", 0 lost" not in made.stderr


def test_the_host_is_a_matter_of_choice_and_the_programs_know_their_addresses(files):
    told = "echo $ACKCLOCK_ADDRESS $ACKCLOCK_PEER $ACKCLOCK_PEERS $ACKCLOCK_SHELL"
    listens = f"sh -c '{told}; exec {sys.executable} {files / 'echo.py'}'"
    at = ("--at", "SERVER 1", "--server", listens)
    made = shell(files, *at, command=("sh", "-c", told))
    assert made.stdout == "198.18.0.2 198.18.0.1 198.18.0.1 path\n"
    assert "198.18.0.1 198.18.0.2 198.18.0.2" in made.stderr


def test_the_kernels_tcp_is_as_it_is_but_for_a_profile(files):
    told = "ip route show default; cat /proc/sys/net/ipv4/tcp_sack"
    bare, classic = (
        shell(files, *options, command=("sh", "-c", told)).stdout
        for options in ((), ("--profile", "newreno-classic"))
    )
    assert bare == "default via 169.254.1.1 dev eth0 onlink \n1\n"
    assert "congctl reno" in classic
    assert classic.endswith("\n0\n")


def test_proc_is_that_of_the_commands_processes(files):
    script = "import os; print(os.readlink('/proc/self') == str(os.getpid()))"
    assert shell(files, command=(sys.executable, "-c", script)).stdout == "True\n"


def test_a_limit_ends_the_command(files):
    began = time.monotonic()
    made = shell(files, "--duration", "300 ms", command=("sleep", "1000"))
    assert made.returncode == 128 + signal.SIGTERM
    assert time.monotonic() - began < 50


@contextmanager
def started(folder: Path, script: str) -> Iterator[subprocess.Popen]:
    words = [*SHELL, str(folder / "path.toml"), "--unprivileged", "--", "sh", "-c", script]
    made = subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert made.stdout.readline() == "begun\n"
        yield made
    finally:
        made.kill()
        made.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_to_the_caller_is_for_the_command(files, number):
    with started(files, "echo begun; exec sleep 1000") as running:
        running.send_signal(number)
        _, told = running.communicate(timeout=WITHIN_S)
    assert running.returncode == 128 + number
    assert "ackclock: valid" in told


def with_argument(argument: str) -> set[int]:
    """Processes that this test can see with this among their arguments."""
    found = set()
    for entry in PROCESSES.glob("[0-9]*"):
        try:
            if argument.encode() in (entry / "cmdline").read_bytes().split(b"\0"):
                found.add(int(entry.name))
        except OSError:
            continue
    return found


def namespaces_below(ancestor: int) -> set[str]:
    """The network namespaces of the descendants of a process, but that of this test."""
    parents, namespaces = {}, {}
    for entry in PROCESSES.glob("[0-9]*"):
        with suppress(OSError):
            # After the name, which may have anything in it: state, parent.
            rest = (entry / "stat").read_text().rpartition(")")[2].split()
            parents[int(entry.name)] = int(rest[1])
            namespaces[int(entry.name)] = os.readlink(entry / "ns" / "net")

    def is_below(process: int) -> bool:
        while process in parents:
            process = parents[process]
            if process == ancestor:
                return True
        return False

    own = os.readlink(Path("/proc/self/ns/net"))
    return {its for process, its in namespaces.items() if is_below(process)} - {own}


def namespaces() -> set[str]:
    """All that processes are in."""
    found = set()
    for entry in PROCESSES.glob("[0-9]*"):
        with suppress(OSError):
            found.add(os.readlink(entry / "ns" / "net"))
    return found


@pytest.mark.parametrize("victim", ["the caller", "the command", "the launcher"])
def test_no_process_and_no_namespace_is_left(files, victim):
    # No other process has this argument.
    seconds = f"{100_000 + os.getpid()}.{len(victim)}"
    with started(files, f"setsid sleep {seconds} & echo begun; exec sleep {seconds}") as running:
        assert eventually(lambda: len(with_argument(seconds)) == 2)
        used = namespaces_below(running.pid)
        # The driver's and those of both ends.
        assert len(used) == 3
        killed = running.pid
        if victim == "the command":
            (killed,) = (one for one in with_argument(seconds) if os.getsid(one) == running.pid)
        elif victim == "the launcher":
            launchers = with_argument("ackclock.emulation.shell.launcher")
            killed = min(launchers & with_argument(str(running.pid)))
        os.kill(killed, signal.SIGKILL)
        _, told = running.communicate(timeout=WITHIN_S)
    assert running.returncode == {"the caller": -9, "the command": 137, "the launcher": 1}[victim]
    if victim == "the launcher":
        assert (
            told.splitlines()[-1]
            == "ackclock: the emulation failed: its processes ended unexpectedly"
        )
    assert eventually(lambda: not with_argument(seconds))
    assert eventually(lambda: not namespaces() & used)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may have devices here")
def test_for_root_the_far_end_is_here_and_goes_again(files):
    echo = subprocess.Popen([sys.executable, str(files / "echo.py")], stdout=subprocess.PIPE)
    try:
        echo.stdout.readline()
        made = shell(files, command=probe(files), privileged=True)
    finally:
        echo.kill()
        echo.communicate()
    assert made.returncode == 0, made.stderr
    told = json.loads(made.stdout)
    assert 48 <= told["udp"] < 150
    links = ["ip", "-json", "route", "show", told["address"]]
    assert eventually(lambda: json.loads(subprocess.check_output(links)) == [])


class Terminal:
    """A program with a terminal, in which somebody types."""

    def __init__(self, words: list[str], environment: dict[str, str]) -> None:
        self.pid, self._file = pty.fork()
        if not self.pid:
            os.execvpe(words[0], words, environment)
        self.seen = ""

    def type(self, text: str) -> None:
        os.write(self._file, text.encode())

    def until(self, text: str) -> None:
        """Read on until something is seen that was not seen before."""
        seen, end = "", time.monotonic() + WITHIN_S
        while text not in seen:
            ready, _, _ = select.select([self._file], [], [], max(end - time.monotonic(), 0))
            assert ready, f"no {text!r} in {seen!r}"
            seen += os.read(self._file, 4096).decode()
        self.seen += seen

    def close(self) -> int:
        """Wait for the end; a terminal that is closed before would bring it about."""
        _, status = os.waitpid(self.pid, 0)
        os.close(self._file)
        return os.waitstatus_to_exitcode(status)


def test_an_interactive_shell_has_the_terminal_and_a_prompt(files, tmp_path):
    environment = os.environ | {"SHELL": "bash", "HOME": str(tmp_path), "TERM": "dumb"}
    words = [*SHELL, str(files / "path.toml"), "--unprivileged"]
    terminal = Terminal(words, environment)
    terminal.until("[path] ")
    terminal.type("sleep 1000; echo in''terrupted\n")
    time.sleep(0.5)
    # Ctrl-C, then Ctrl-Z.
    terminal.type("\x03")
    terminal.until("[path] ")
    terminal.type("sleep 1000\n")
    time.sleep(0.5)
    terminal.type("\x1a")
    terminal.until("Stopped")
    terminal.type("kill -KILL %1; sleep 0.5; exit 5\n")
    terminal.until("ackclock: valid")
    assert terminal.close() == 5
    assert "job control" not in terminal.seen
    assert "interrupted" not in terminal.seen


def test_the_terminals_stop_is_that_of_the_whole_job(files, tmp_path):
    environment = os.environ | {"HOME": str(tmp_path), "TERM": "dumb", "PS1": "ready "}
    terminal = Terminal(["bash", "--norc", "-i"], environment)
    terminal.until("ready ")
    command = " ".join([*SHELL, str(files / "path.toml"), "--unprivileged"])
    terminal.type(f"{command} -- sh -c 'echo be''gun; exec sleep 1000'\n")
    terminal.until("begun\r\n")
    time.sleep(0.3)
    terminal.type("\x1a")
    terminal.until("Stopped")
    terminal.type("fg\n")
    time.sleep(0.5)
    terminal.type("\x03")
    terminal.until("ackclock: valid")
    terminal.type("echo code $?; exit 0\n")
    terminal.until("code 130")
    terminal.close()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--at", "client 9"), 'no such host; the hosts are "client 1", "server 1"'),
        (("--server", "no-such-program -s"), "no-such-program is not found; write for example"),
        (("--server", ""), 'names no program; write for example "iperf3 -s"'),
        (("--duration", "soon"), '--duration "soon": '),
        (("--duration", "0 s"), 'must be above 0; write for example "30 s"'),
        (("--point", "2"), "--point 2: there is only point 0"),
    ],
)
def test_what_is_wrong_is_told_before_anything_begins(tmp_path, capsys, options, told):
    file = tmp_path / "path.toml"
    file.write_text(TEXT)
    assert main(["shell", str(file), *options, "--", "true"]) == 2
    assert told in capsys.readouterr().err


def test_cells_without_flows_are_no_path(tmp_path, capsys):
    sources = ATM_NETWORK[: ATM_NETWORK.index("[[flows]]")]
    file = tmp_path / "cells.toml"
    file.write_text(sources.replace("25 Mbit/s", "155.52 Mbit/s"))
    assert main(["shell", str(file), "--", "true"]) == 2
    assert "the scenario has no flow of packets" in capsys.readouterr().err


def test_a_path_is_for_the_flows_between_its_ends_and_has_no_end():
    (point,) = load(TEXT, ["topology.pairs=3"]).points()
    plan = written(point.compile()).plan
    third = plan["flows"][2]
    path = path_of(plan, third["sender"], third["receiver"])
    assert path["flows"] == [third]
    assert path["links"] == plan["links"]
    assert path["duration_ps"] == 10**18
    request = request_for(point, ["true"], "path", Options(at="server 3"))
    assert request["nodes"] == [third["sender"], third["receiver"]]


def test_a_path_through_cells_has_the_services_of_its_flows():
    (point,) = load(ATM_NETWORK).points()
    plan = written(point.compile()).plan
    last = plan["flows"][-1]
    (network,) = path_of(plan, last["sender"], last["receiver"])["links"]
    (before,) = plan["links"]
    assert len(before["flow_services"]) == len(plan["flows"]) > 1
    between = [flow for flow in plan["flows"] if flow["sender"] == last["sender"]]
    assert len(network["flow_services"]) <= len(between)
    assert network["sources"] == before["sources"]


def route(network: str, kind: str = "unicast") -> dict[str, str]:
    return {"dst": network, "type": kind}


def test_a_block_is_one_that_no_route_uses():
    found = addresses.free([{"dst": "default"}, route("10.0.0.0/8"), route("127.0.0.1", "local")])
    assert (found[0], len(found)) == (IPv4Network("198.18.0.0/20"), 32)
    found = addresses.free([route("198.18.0.0/20"), route("198.18.16.7")])
    assert found[0] == IPv4Network("198.18.32.0/20")
    assert addresses.free([route("198.18.0.0/16")])[0] == IPv4Network("198.19.0.0/20")
    with pytest.raises(addresses.NoBlockError, match=r"no addresses of 198\.18\.0\.0/15"):
        addresses.free([route("198.18.0.0/15")])


def test_a_shell_within_a_shell_has_a_part_of_its_block():
    around = addresses.free([])[0]

    def within() -> list[dict[str, str]]:
        """The routes of a shell with this block."""
        ends = [route(str(around[1])), route(str(around[2]))]
        return [route(str(around), "unreachable"), *ends]

    for _ in range(3):
        block = addresses.free(within())[0]
        assert block.subnet_of(around)
        assert around[2] not in block
        around = block
    with pytest.raises(addresses.NoBlockError, match="at most four shells can be nested"):
        addresses.free(within())
