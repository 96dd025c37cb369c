"""Runs a guest: starts the kernel with a request, and returns the answer.

All that the kernel's random numbers come from is the same for the same request: its command line,
its clock, the seed, and the addresses in its memory. So the command line names no path of this
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

from ackclock.virtual_time.kernel import kernel

REQUEST = "request.json"
ANSWER = "answer.json"
_INIT = "init"
_STARTS_AT = 1_700_000_000 * 10**9
"""The time of the guest's clock when it starts, ns; any time since 1970 would do."""
_COMMAND_LINE = (
    "mem=1024M",
    "time-travel=inf-cpu",
    f"time-travel-start={_STARTS_AT}",
    "seccomp=auto",
    "root=/dev/root",
    "rootfstype=hostfs",
    "rootflags=/",
    "ro",
    f"init=/proc/self/cwd/{_INIT}",
    "con=null",
    "con0=fd:0,fd:1",
    "quiet",
    "panic=-1",
)
_ALONE = ("setpriv", "--pdeathsig", "KILL", "setarch", "-R")
"""Ends the program when this process ends, and gives it no random addresses."""
_PROCESSOR = "\0ackclock-processor-{}"
_SAID_AT_MOST = 300
_PACKAGES = Path(__file__).parents[2]
_INIT_TEXT = """#!{python} -I
import sys
sys.path.insert(0, {packages!r})
from ackclock.virtual_time.guest_init import main
main()
"""


def run(request: Mapping[str, Any]) -> dict[str, Any]:
    """Run the launcher of an emulation in a guest, and return its answer.

    Args:
        request: as ``emulation.core.request_for`` returns it.

    Raises:
        InputError: there is no kernel for virtual time.
        RuntimeError: the guest has ended without an answer.
    """
    text = json.dumps(request)
    seed = hashlib.sha256(text.encode()).hexdigest()
    with tempfile.TemporaryDirectory(prefix="ackclock-guest-") as name:
        folder = Path(name)
        (folder / REQUEST).write_text(text)
        init = folder / _INIT
        init.write_text(_INIT_TEXT.format(python=sys.executable, packages=str(_PACKAGES)))
        init.chmod(0o700)
        with _own_processor() as processor:
            ended = subprocess.run(
                [*_ALONE, "taskset", "-c", processor, kernel(), *_COMMAND_LINE, f"rng-seed={seed}"],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                # Only the command handles Ctrl-C.
                start_new_session=True,
                check=False,
            )
        try:
            return json.loads((folder / ANSWER).read_text())
        except (OSError, ValueError):
            said = ended.stdout.decode(errors="replace").strip()[-_SAID_AT_MOST:]
            raise RuntimeError(f"the guest has ended unexpectedly ({said})") from None


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
    """Mark a processor; return whether nobody else had."""
    try:
        mark.bind(_PROCESSOR.format(processor))
    except OSError:
        return False
    return True
