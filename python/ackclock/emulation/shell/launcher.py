"""``python -m ackclock.emulation.shell.launcher``: the launcher of a shell.

COMMAND uses the terminal and the standard streams, so the launcher uses a socket. It reads
{"request": ...} and writes {"began": true}, then {"result": ...} or {"problem": text}. Arguments:
process id of the caller, number of the socket.
"""

from __future__ import annotations

import os
import socket
import sys

from ackclock.emulation.channel import Channel
from ackclock.emulation.launcher import launch
from ackclock.emulation.shell import supervisor

MODULE = "ackclock.emulation.shell.launcher"


def main(parent: int, descriptor: int) -> int:
    """Run the launcher."""
    os.set_inheritable(descriptor, False)
    channel = Channel(socket.socket(fileno=descriptor))
    request = channel.receive()["request"]
    callers = os.open("/proc/self/ns/net", os.O_RDONLY | os.O_CLOEXEC)
    return launch(
        parent,
        request["unprivileged"],
        lambda: supervisor.run(request, channel, callers),
        channel.send,
    )


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
