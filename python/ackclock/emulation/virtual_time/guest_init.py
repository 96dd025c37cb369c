"""Process 1 of a guest: mounts file systems, makes the call, writes the answer, powers off."""

from __future__ import annotations

import ctypes
import json
import os
import traceback
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ackclock.emulation import congestion_controls, launcher, supervisor, syscalls
from ackclock.emulation.channel import Channel
from ackclock.emulation.shell import supervisor as shell
from ackclock.emulation.virtual_time.guest import ANSWER, INPUT, ORDER, TEMPORARY

_FOLDER = Path("/run", "folder")
_OUTSIDE = "/proc/self/cwd"
_POWER_OFF = 0x4321FEDC
_OUTPUTS = {1: "/dev/tty1", 2: "/dev/tty2"}
Answer = Callable[[dict[str, Any]], None]


def main() -> None:
    """Make the call in the folder, and end the guest."""
    try:
        _mount()
        _open_streams()
        order = json.loads((_FOLDER / ORDER).read_text())
        CALLS[order["call"]](order["request"], _answer)
    except BaseException:
        traceback.print_exc()
    finally:
        ctypes.CDLL(None).reboot(_POWER_OFF)


def _mount() -> None:
    # The kernel has mounted /dev itself.
    for kind, place in (("proc", "/proc"), ("sysfs", "/sys"), ("tmpfs", "/run")):
        syscalls.mount(kind, place)
    _FOLDER.mkdir()
    syscalls.mount_outside(_OUTSIDE, str(_FOLDER))


def _open_streams() -> None:
    """Open the standard streams: the input's file, and consoles that change nothing."""
    os.dup2(os.open(_FOLDER / INPUT, os.O_RDONLY), 0)
    for stream, console in _OUTPUTS.items():
        os.dup2(os.open(console, os.O_RDWR | os.O_NOCTTY), stream)
        tty.setraw(stream)


def _answer(answer: dict[str, Any]) -> None:
    # Whole or not at all.
    made = _FOLDER / f"{ANSWER}.part"
    made.write_text(json.dumps(answer))
    os.replace(made, _FOLDER / ANSWER)


def _emulate(request: dict[str, Any], answer: Answer) -> None:
    launcher.launch(0, False, lambda: supervisor.run(request), answer)


def _shell(request: dict[str, Any], answer: Answer) -> None:
    here = request["folder"]
    Path(TEMPORARY).mkdir()
    syscalls.mount_outside(here, here)
    os.chdir(here)
    # Nobody sends signals: the guest ends with the command.
    _ours, its = Channel.pair()
    callers = os.open("/proc/self/ns/net", os.O_RDONLY | os.O_CLOEXEC)
    launcher.launch(0, False, lambda: shell.run(request, its, callers), answer)


def _describe(_: dict[str, Any], answer: Answer) -> None:
    controls = congestion_controls.available()
    answer({"result": {"release": os.uname().release, "congestion_controls": controls}})


CALLS = {"emulate": _emulate, "shell": _shell, "describe": _describe}
"""What a guest can do: called with the request, and a function that takes the answer."""
