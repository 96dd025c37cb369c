"""``python -m ackclock.emulation.launcher``: create namespaces and start the supervisor.

The launcher reads a request (JSON) from standard input, and writes {"result": ...} or {"problem":
text} to standard output. The first argument is the process id of the caller; the launcher ends when
the caller ends.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ackclock.emulation import supervisor, syscalls
from ackclock.emulation.channel import ClosedError

MODULE = "ackclock.emulation.launcher"
NO_NAMESPACES = (
    "this system does not let this user make namespaces ({}); run as root, or allow unprivileged"
    " user namespaces (sysctl user.max_user_namespaces,"
    " syscalls.apparmor_restrict_unprivileged_userns)"
)


def main(parent: int) -> int:
    """Run the launcher of an emulated run."""
    request = json.loads(sys.stdin.buffer.read())
    return launch(parent, request["unprivileged"], lambda: supervisor.run(request), _describe)


def launch(
    parent: int,
    without_privilege: bool,
    run: Callable[[], dict[str, Any]],
    describe: Callable[[dict[str, Any]], None],
) -> int:
    """Create namespaces, start a supervisor, and wait for its end.

    Args:
        parent: process id of the caller; this process ends when the caller ends.
        without_privilege: always use a user namespace.
        run: function that the supervisor calls.
        describe: called with {"result": result of ``run``} or {"problem": text}.

    Returns:
        The exit code; 1 if the supervisor was killed.
    """
    try:
        syscalls.new_namespaces(without_privilege=without_privilege)
    except OSError as error:
        describe({"problem": NO_NAMESPACES.format(error.strerror or error)})
        return 0
    syscalls.die_with(parent)
    child = os.fork()
    if not child:
        _be_supervisor(run, describe)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) and 1


def _be_supervisor(
    run: Callable[[], dict[str, Any]], describe: Callable[[dict[str, Any]], None]
) -> None:
    """Run as process 1: when it ends, the kernel ends all processes of its namespace."""
    try:
        # Processes outside the namespace have no process id in it.
        syscalls.die_with(0)
        answer = {"result": run()}
    except (supervisor.SupervisorError, ClosedError, OSError) as error:
        answer = {"problem": str(error)}
    with suppress(ClosedError):
        describe(answer)
    os._exit(0)


def _describe(answer: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(answer))
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
