"""Runs a guest: starts the kernel with an order, and returns the answer.

All that the kernel's random numbers come from is the same for the same order: its command line, its
clock, the seed, and the addresses in its memory. So the command line names no path of this
computer: the guest finds its folder as the working folder of the kernel's process.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ackclock.emulation.virtual_time import kernel

ORDER = "order.json"
ANSWER = "answer.json"
INPUT = "input"
TEMPORARY = str(Path("/run", "tmp"))
"""Folder of a guest for temporary files, in its memory."""
_INIT = "init"
_STARTS_AT = 1_700_000_000 * 10**9
"""The time of the guest's clock when it starts, ns; any time since 1970 would do."""
_COMMAND_LINE = (
    "time-travel=inf-cpu",
    f"time-travel-start={_STARTS_AT}",
    "seccomp=auto",
    "root=/dev/root",
    "rootfstype=hostfs",
    "rootflags=/",
    "ro",
    f"init=/proc/self/cwd/{_INIT}",
    # What is written to the second and third console goes to the standard streams.
    "con=null",
    "con1=null,fd:1",
    "con2=null,fd:2",
    "quiet",
    "panic=-1",
)
_MEMORY_MB = 1024
_MEMORY_PER_NODE_MB = 24
"""Memory of a guest, of which it takes from this computer what it uses."""
_SHARED_MEMORY = "/dev/shm"
_ALONE = ("setpriv", "--pdeathsig", "KILL", "setarch", "-R", "taskset", "-c")
"""Ends the program when this process ends, and gives it no random addresses and one processor."""
_PROCESSOR = "\0ackclock-processor-{}"
_SAID_AT_MOST = 300
_PACKAGES = Path(__file__).parents[3]
_INIT_TEXT = """#!{python} -I
import sys
sys.path.insert(0, {packages!r})
from ackclock.emulation.virtual_time.guest_init import main
main()
"""


class GuestError(RuntimeError):
    """A guest has no result, for the reason in the message."""


def run(
    call: str,
    request: Mapping[str, Any],
    *,
    nodes: int = 0,
    given: bytes = b"",
    shows: bool = False,
) -> dict[str, Any]:
    """Run a call in a guest, and return its result.

    Args:
        call: what to run, one of ``guest_init.CALLS``.
        request: the request, which the call knows.
        nodes: number of hosts that the guest simulates.
        given: what programs read from standard input.
        shows: whether what programs print goes to the standard streams of this process.

    Raises:
        GuestError: the guest reports a problem, or has ended without an answer.
    """
    order = json.dumps({"call": call, "request": request})
    seed = hashlib.sha256(order.encode() + given).hexdigest()
    memory_mb = _MEMORY_MB + nodes * _MEMORY_PER_NODE_MB
    with _folder() as folder, _own_processor() as processor:
        (folder / ORDER).write_text(order)
        (folder / INPUT).write_bytes(given)
        init = folder / _INIT
        init.write_text(_INIT_TEXT.format(python=sys.executable, packages=str(_PACKAGES)))
        init.chmod(0o700)
        # The first console has the messages of the kernel.
        own = (f"mem={memory_mb}M", f"rng-seed={seed}", "con0=null" if shows else "con0=null,fd:1")
        ended = subprocess.run(
            [*_ALONE, processor, kernel.path(), *own, *_COMMAND_LINE],
            cwd=folder,
            env=_environment(memory_mb),
            stdin=subprocess.DEVNULL,
            stdout=None if shows else subprocess.PIPE,
            stderr=None if shows else subprocess.STDOUT,
            # Only the command handles Ctrl-C.
            start_new_session=True,
            check=False,
        )
        try:
            answer = json.loads((folder / ANSWER).read_text())
        except (OSError, ValueError):
            raise GuestError(_why(ended)) from None
    if "problem" in answer:
        raise GuestError(answer["problem"])
    return answer["result"]


def _why(ended: subprocess.CompletedProcess[bytes]) -> str:
    said = " ".join((ended.stdout or b"").decode(errors="replace").split())[-_SAID_AT_MOST:]
    how = f"signal {-ended.returncode}" if ended.returncode < 0 else f"code {ended.returncode}"
    return f"the kernel for virtual time has ended unexpectedly ({how}){f': {said}' * bool(said)}"


def _environment(memory_mb: int) -> dict[str, str]:
    """Return the environment of the kernel: where the file of its memory is."""
    here = dict(os.environ)
    try:
        its = os.statvfs(_SHARED_MEMORY)
        has_room = its.f_bavail * its.f_frsize >> 20 >= memory_mb
    except OSError:
        has_room = False
    # In a container this file system is often small, and a kernel that finds it full dies.
    return here | {"TMPDIR": _SHARED_MEMORY if has_room else tempfile.gettempdir()}


@contextmanager
def _folder() -> Iterator[Path]:
    """Make a folder that is removed at the end, also if this process is killed before."""
    name = tempfile.mkdtemp(prefix="ackclock-guest-")
    # Its standard input ends with this process.
    with subprocess.Popen(
        ["sh", "-c", 'read -r _; rm -rf -- "$1"', "sh", name],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ):
        yield Path(name)


@contextmanager
def _own_processor() -> Iterator[str]:
    """Return a processor that no other guest uses, or any if all are used.

    A guest is a kernel and its processes, of which one runs at a time; on one processor they take
    half as long as on several, because no processor has to be woken. The address of a socket marks
    a processor as used, until this process ends.
    """
    processors = [str(number) for number in sorted(os.sched_getaffinity(0))]
    with socket.socket(socket.AF_UNIX) as mark:
        free = (processor for processor in processors if _marked(mark, processor))
        yield next(free, None) or random.choice(processors)


def _marked(mark: socket.socket, processor: str) -> bool:
    """Mark a processor as used by this process; return False if another guest uses it."""
    try:
        mark.bind(_PROCESSOR.format(processor))
    except OSError:
        return False
    return True
