"""Files of an end of a shell's path: /proc of its processes, and names in the hosts file.

They are mounts that no other process sees and that end with these processes. Where a container
hides parts of /proc, the kernel refuses a new one; the old one then remains.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress

from ackclock.emulation import syscalls

_PROC = "/proc"
_HOSTS = "/etc/hosts"


def own_files(names: Mapping[str, str]) -> None:
    """Mount what this process and its children are to see.

    Args:
        names: addresses by name, beside those of the hosts file.
    """
    with suppress(OSError):
        syscalls.own_mounts()
        with suppress(OSError):
            _mount_hosts(names)
        syscalls.mount("proc", _PROC)


def _mount_hosts(names: Mapping[str, str]) -> None:
    """Put names into the hosts file; the first line with a name counts."""
    lines = [f"{address} {name}\n" for name, address in names.items()]
    with open(_HOSTS, errors="surrogateescape") as file:
        lines += file.readlines()
    # A file system in memory, for the time of taking a file from it: nothing is left on a disk.
    syscalls.mount("tmpfs", _PROC)
    try:
        made = os.path.join(_PROC, "hosts")
        with open(made, "w", errors="surrogateescape") as file:
            file.writelines(lines)
        os.chmod(made, 0o644)
        syscalls.mount_file(made, _HOSTS)
    finally:
        syscalls.unmount(_PROC)
