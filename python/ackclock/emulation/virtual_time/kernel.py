"""The kernel for virtual time: where it is, what it has, and why it cannot run here."""

from __future__ import annotations

import json
import os
import platform
import shutil
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from ackclock.errors import InputError

BUILD = "make virtual-time-kernel"
_MISSING = (
    "--virtual-time: this user has no kernel for virtual time; build one with `{build}` in the"
    " folder of ackclock's source (15 minutes of processor time, 3 GB of disk meanwhile)"
)
_PROGRAMS = {
    "setpriv": "util-linux",
    "setarch": "util-linux",
    "taskset": "util-linux",
    "ip": "iproute2",
}
"""Programs that start a guest or run in it, and Debian's packages with them."""
_MACHINES = ("x86_64", "AMD64")


@dataclass(frozen=True)
class Kernel:
    """An installed kernel.

    Attributes:
        release: version, for example "7.2.12".
        congestion_controls: names of its congestion controls.
        made_from: hash of the source, the configuration and the patches.
    """

    release: str
    congestion_controls: tuple[str, ...]
    made_from: str

    def has(self, congestion_control: str) -> bool:
        """Return whether the kernel has a congestion control."""
        return congestion_control in self.congestion_controls

    def available(self) -> list[str]:
        """Return the names of its congestion controls."""
        return list(self.congestion_controls)

    def remedy(self, congestion_control: str) -> str:
        """Return what to do if a congestion control is missing."""
        option = f"CONFIG_TCP_CONG_{congestion_control.upper()}=y"
        return f"build another one with {option} in virtual-time/kernel.config"


def folder() -> Path:
    """Return the folder of the kernel, in the user's cache."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "ackclock" / "virtual-time"


def path() -> Path:
    """Return the file of the kernel, which may not exist."""
    return folder() / "linux"


def describe(kernel: Kernel) -> None:
    """Write the description of the kernel that was just installed."""
    _description().write_text(json.dumps(asdict(kernel), indent=2) + "\n")


def kernel() -> Kernel:
    """Return the installed kernel.

    Raises:
        InputError: there is none.
    """
    try:
        described = json.loads(_description().read_text())
        controls = tuple(described["congestion_controls"])
        found = Kernel(described["release"], controls, described["made_from"])
    except (OSError, ValueError, KeyError, TypeError):
        found = None
    if found is None or not os.access(path(), os.X_OK):
        raise InputError(_MISSING.format(build=BUILD))
    return found


def problems() -> list[str]:
    """Return messages why nothing can run in virtual time here; empty if it can."""
    if not sys.platform.startswith("linux") or platform.machine() not in _MACHINES:
        return [
            f"--virtual-time: needs Linux on x86-64, and this is {platform.system()} on"
            f" {platform.machine()}; leave it out to emulate in real time on Linux"
        ]
    missing = [program for program in _PROGRAMS if shutil.which(program) is None]
    if missing:
        packages = " ".join(dict.fromkeys(_PROGRAMS[program] for program in missing))
        return [
            f"--virtual-time: needs the programs {', '.join(missing)}; on Debian, apt install"
            f" {packages}"
        ]
    try:
        kernel()
    except InputError as error:
        return [str(error)]
    return []


def _description() -> Path:
    return folder() / "linux.json"
