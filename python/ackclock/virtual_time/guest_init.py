"""Process 1 of a guest: mounts file systems, runs the supervisor, writes the answer, powers off."""

from __future__ import annotations

import ctypes
import json
import os
import traceback
from pathlib import Path
from typing import Any

from ackclock.emulation import launcher, supervisor, syscalls
from ackclock.virtual_time.guest import ANSWER, REQUEST

_FOLDER = Path("/run/folder")
_OUTSIDE = "/proc/self/cwd"
_POWER_OFF = 0x4321FEDC


def main() -> None:
    """Run the request in the folder, and end the guest."""
    try:
        _mount()
        request = json.loads((_FOLDER / REQUEST).read_text())
        launcher.launch(0, False, lambda: supervisor.run(request), _answer)
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


def _answer(answer: dict[str, Any]) -> None:
    # Whole or not at all.
    made = _FOLDER / f"{ANSWER}.part"
    made.write_text(json.dumps(answer))
    os.replace(made, _FOLDER / ANSWER)
