"""``python -m ackclock.emulation.launcher``: makes namespaces, and the supervisor in them.

It reads a request (JSON) from standard input, and writes {"result": ...} or {"problem": text} to
standard output. The first argument is the process id of the caller; the launcher ends with it.
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
    """Be the launcher of an emulated run."""
    request = json.loads(sys.stdin.buffer.read())
    return launch(parent, request["unprivileged"], lambda: supervisor.run(request), _describe)


def launch(
    parent: int,
    without_privilege: bool,
    run: Callable[[], dict[str, Any]],
    describe: Callable[[dict[str, Any]], None],
) -> int:
    """Make namespaces and a supervisor, and wait for its end.

    Args:
        parent: process id of the caller, with whom this process ends.
        without_privilege: use a user namespace in any case.
        run: what the supervisor does.
        describe: takes {"result": what it returned} or {"problem": text}.

    Returns:
        An exit code: 1 if the supervisor was killed.
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
    """Be process 1; the end of this process is that of all in its namespace."""
    try:
        # Nobody outside the namespace has a number in it.
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
