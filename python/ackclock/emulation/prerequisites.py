"""Check whether this computer can emulate, before the first run."""

from __future__ import annotations

import shutil
import subprocess
import sys

from ackclock.emulation.launcher import NO_NAMESPACES

_TRIES = """
import sys
from ackclock.emulation import syscalls
try:
    syscalls.new_namespaces(without_privilege={without_privilege})
except OSError as error:
    sys.exit(error.strerror or str(error))
"""


def problems(*, unprivileged: bool) -> list[str]:
    """Return messages why this computer or user cannot emulate; empty if emulation is possible.

    Args:
        unprivileged: whether to use a user namespace even as root.
    """
    if not sys.platform.startswith("linux"):
        return ["emulation needs Linux: packet sockets and namespaces"]
    found = []
    if shutil.which("ip") is None:
        found.append("emulation needs the program ip; on Debian, apt install iproute2")
    # In a separate process, because this process must stay in its namespaces.
    tried = subprocess.run(
        [sys.executable, "-c", _TRIES.format(without_privilege=unprivileged)],
        capture_output=True,
        text=True,
        check=False,
    )
    if tried.returncode:
        said = tried.stderr.strip().splitlines()
        found.append(NO_NAMESPACES.format(said[-1] if said else tried.returncode))
    return found
