"""What tests of emulations have in common: a scenario, and whether this system lets one run."""

from __future__ import annotations

import subprocess
import sys
from functools import cache

import pytest

TEXT = """
title = "A transfer"
duration = "3 s"

[topology]
kind = "dumbbell"
access = { rate = "100 Mbit/s", delay = "1 ms" }

[topology.bottleneck]
rate = "10 Mbit/s"
delay = "23 ms"
queue = { limit = "100 packets" }

[tcp]
flavor = "newreno"
receive_buffer = "32 kB"

[workload]
kind = "bulk"
"""
_TRIES = "from ackclock.emulation import syscalls; syscalls.new_namespaces(without_privilege=True)"


@cache
def why_not() -> str:
    """Why nothing can be emulated here; empty if it can."""
    if not sys.platform.startswith("linux"):
        return "this is not Linux"
    command = [sys.executable, "-c", _TRIES]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    return made.stderr.strip().splitlines()[-1] if made.returncode else ""


def needs_namespaces() -> None:
    """Skip a test where user namespaces are not allowed."""
    if why_not():
        pytest.skip(why_not())
