"""Whatever ends an emulation, nothing is left of it; two at once do not meet."""

import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import pytest

from emulated import TEXT, needs_namespaces

KILLS = int(os.environ.get("ACKCLOCK_KILLS", "6"))
# Longer than anything is waited for: nothing ends by itself.
LONG = ("--duration", "60 s")
WITHOUT_PRIVILEGE = ("--unprivileged",)
PROCESSES = Path("/proc", "self").parent


@pytest.fixture(autouse=True)
def _namespaces():
    needs_namespaces()


def started(folder: Path, name: str, *options: str) -> subprocess.Popen:
    file = folder / f"{name}.toml"
    file.write_text(TEXT)
    command = [sys.executable, "-m", "ackclock", "emulate", str(file), *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def parents() -> dict[int, int]:
    """Of the processes of emulations that this test can see, that of each."""
    found = {}
    for entry in PROCESSES.iterdir():
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            if b"ackclock.emulation.launcher" in words:
                # After the name, which may have anything in it: state, parent.
                rest = (entry / "stat").read_text().rpartition(")")[2].split()
                found[int(entry.name)] = int(rest[1])
        except OSError:
            continue
    return found


def namespaces_in_use(processes: Iterable[int] | None = None) -> set[str]:
    """The network namespaces of processes, of all that this test can see if not told of which."""
    if processes is None:
        processes = [int(entry.name) for entry in PROCESSES.glob("[0-9]*")]
    found = set()
    for process in processes:
        with suppress(OSError):
            found.add(os.readlink(PROCESSES / str(process) / "ns" / "net"))
    return found


def below(ancestor: int) -> set[int]:
    """The processes of an emulation that a command has started."""
    its = parents()
    found = {ancestor}
    while new := {child for child, parent in its.items() if parent in found} - found:
        found |= new
    return found - {ancestor}


def eventually(true, seconds: float = 5.0) -> bool:
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def devices() -> set[str]:
    """Of this namespace; a shell that another test has here names its own."""
    names = {name for _, name in socket.if_nameindex()}
    return {name for name in names if not name.startswith("ackclock")}


def kill_at(victim: subprocess.Popen, seconds: float | None) -> None:
    """Kill a command so long after it has begun, or at once; see that its emulation is gone."""
    own = namespaces_in_use([os.getpid()])
    if seconds is not None:
        assert eventually(lambda: below(victim.pid), 60), "it has begun"
        time.sleep(seconds)
    its = below(victim.pid)
    used = namespaces_in_use(its) - own
    # A later process may get the number of a namespace that is gone.
    before = set(parents())
    victim.send_signal(signal.SIGKILL)
    victim.communicate()
    assert eventually(lambda: not its & set(parents()))
    assert eventually(lambda: not namespaces_in_use(before & set(parents())) & used)


def test_a_kill_leaves_nothing(tmp_path):
    seen = devices()
    chance = random.Random(9)
    for number in range(KILLS):
        # By turns as who one is, which root may be, and without privilege.
        privilege = WITHOUT_PRIVILEGE if number % 2 or os.geteuid() else ()
        victim = started(tmp_path, f"victim{number}", *LONG, *privilege)
        kill_at(victim, chance.uniform(0, 1.5) if number else None)
    assert devices() == seen


@pytest.mark.parametrize("generation", ["launcher", "supervisor", "a node"])
def test_the_end_of_a_part_is_the_end_of_all(tmp_path, generation):
    command = started(tmp_path, "parts", *LONG, *WITHOUT_PRIVILEGE)

    def line() -> list[int]:
        """Launcher, supervisor, and the first child of the supervisor."""
        its, found, parent = parents(), [], command.pid
        while children := sorted(
            child for child, its_parent in its.items() if its_parent == parent
        ):
            parent = children[0]
            found.append(parent)
        return found

    assert eventually(lambda: len(line()) >= 3, 60)
    its = below(command.pid)
    place = ["launcher", "supervisor", "a node"].index(generation)
    os.kill(line()[place], signal.SIGKILL)
    told, _ = command.communicate(timeout=60)
    assert command.returncode == 1
    assert "failed: RuntimeError: " in told
    assert eventually(lambda: not its & set(parents()))


def test_who_interrupts_twice_need_not_wait(tmp_path):
    command = started(tmp_path, "long", *LONG, *WITHOUT_PRIVILEGE)
    assert eventually(lambda: len(below(command.pid)) >= 5, 60)
    its = below(command.pid)
    for _ in range(2):
        command.send_signal(signal.SIGINT)
        time.sleep(0.5)
    told, _ = command.communicate(timeout=20)
    assert command.returncode == 130
    assert "stopped" in told
    assert eventually(lambda: not its & set(parents()))


def test_two_at_once_do_not_meet(tmp_path):
    both = [started(tmp_path, name, *WITHOUT_PRIVILEGE) for name in ("one", "two")]
    for command in both:
        told, _ = command.communicate(timeout=60)
        assert "1 of 1 run (1 made now)" in told
