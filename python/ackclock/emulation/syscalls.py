"""System calls that Python's library does not have, and those that need care."""

from __future__ import annotations

import ctypes
import fcntl
import os
import platform
import signal
import socket
import struct
from contextlib import suppress

CLONE_NEWNS = 0x0002_0000
CLONE_NEWUSER = 0x1000_0000
CLONE_NEWPID = 0x2000_0000
CLONE_NEWNET = 0x4000_0000

_PR_SET_PDEATHSIG = 1
_PR_SET_TIMERSLACK = 29
_MCL_CURRENT_AND_FUTURE = 1 | 2
_SCHED_SETATTR = {"x86_64": 314, "aarch64": 274}
_SCHED_ATTR = struct.Struct("<IIQiIQQQ")
_SLICE_NS = 100_000
_FIFO_PRIORITY = 10

_SIOCETHTOOL = 0x8946
# The command that sets it; the one that reads it has the number before.
_OFFLOADS = {
    "rx checksum": 0x15,
    "tx checksum": 0x17,
    "tso": 0x1F,
    "gso": 0x24,
    "gro": 0x2C,
}
_NOT_SUPPORTED = (95, 22)

_MS_NOSUID_NODEV_NOEXEC = 2 | 4 | 8
_MS_BIND = 1 << 12
_MS_REC = 1 << 14
_MS_SLAVE = 1 << 19
_MNT_DETACH = 2


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> None:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def unshare(flags: int) -> None:
    """Leave namespaces for new ones; a PID namespace is for the children to come.

    Raises:
        OSError: the system does not let this process.
    """
    _checked(_libc().unshare(flags), "unshare")


def new_namespaces(*, without_privilege: bool = False) -> None:
    """Enter a new network namespace, and a new PID namespace for the children to come.

    Who may not do so does it as root of a new user namespace.

    Args:
        without_privilege: go that way in any case.

    Raises:
        OSError: the system has no user namespaces, or not for this user.
    """
    wanted = CLONE_NEWNET | CLONE_NEWPID
    if not without_privilege:
        with suppress(PermissionError):
            unshare(wanted)
            return
    _enter_user_namespace()
    unshare(wanted)


def _enter_user_namespace() -> None:
    """Become root of a new user namespace, which maps to this user only."""
    user, group = os.geteuid(), os.getegid()
    unshare(CLONE_NEWUSER)
    for name, content in (
        ("setgroups", "deny"),
        ("uid_map", f"0 {user} 1"),
        ("gid_map", f"0 {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(content)


def enter(namespace: int, kind: int) -> None:
    """Go into a namespace.

    Args:
        namespace: file descriptor of it.
        kind: its flag, for example ``CLONE_NEWNET``.

    Raises:
        OSError: this process may not.
    """
    _checked(_libc().setns(namespace, kind), "setns")


def own_mounts() -> None:
    """Keep what this process mounts from now on to itself; what others mount still comes.

    Raises:
        OSError: the system does not let this process.
    """
    unshare(CLONE_NEWNS)
    _mount("none", "/", None, _MS_REC | _MS_SLAVE)


def mount(kind: str, place: str) -> None:
    """Mount a file system that has no device, such as proc or tmpfs.

    Raises:
        OSError: the system does not let this process.
    """
    _mount(kind, place, kind, _MS_NOSUID_NODEV_NOEXEC)


def mount_file(file: str, place: str) -> None:
    """Show a file in the place of another.

    Raises:
        OSError: the system does not let this process.
    """
    _mount(file, place, None, _MS_BIND)


def unmount(place: str) -> None:
    """Take away what was mounted last; files of it that are shown elsewhere stay.

    Raises:
        OSError: the system does not let this process.
    """
    _checked(_libc().umount2(place.encode(), _MNT_DETACH), f"umount {place}")


def _mount(source: str, place: str, kind: str | None, flags: int) -> None:
    name = None if kind is None else kind.encode()
    flags_long = ctypes.c_ulong(flags)
    made = _libc().mount(source.encode(), place.encode(), name, flags_long, None)
    _checked(made, f"mount {place}")


def die_with(parent: int) -> None:
    """Be killed when the parent ends. To be called after what changes privileges, which resets it.

    Args:
        parent: process id of the parent as this process sees it; 0 from within a new PID namespace.
    """
    _checked(_libc().prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "prctl")
    if os.getppid() != parent:
        os._exit(1)


def climb(lowest: str | None = None) -> str:
    """Prepare to be scheduled at once when something is due, as far as the system allows.

    The last step, SCHED_FIFO, is for the time in which packets pass: ``at_once`` begins it. What
    comes before and after, for example touching all memory, would keep another driver waiting.

    Args:
        lowest: "eevdf" or "plain" to leave out the steps above.

    Returns:
        "fifo" (SCHED_FIFO and locked memory), "eevdf" (a short slice) or "plain".
    """
    libc = _libc()
    libc.prctl(_PR_SET_TIMERSLACK, 1, 0, 0, 0)
    if lowest is None:
        with suppress(OSError):
            at_once(0)
            as_usual()
            libc.mlockall(_MCL_CURRENT_AND_FUTURE)
            return "fifo"
    if lowest in (None, "eevdf") and _set_slice(libc):
        return "eevdf"
    return "plain"


def at_once(process: int) -> None:
    """Give a process SCHED_FIFO; 0 is this one.

    Raises:
        OSError: the system does not let this process.
    """
    # What it starts meanwhile, such as a thread that writes, is not to have it.
    policy = os.SCHED_FIFO | os.SCHED_RESET_ON_FORK
    os.sched_setscheduler(process, policy, os.sched_param(_FIFO_PRIORITY))


def as_usual() -> None:
    """Take SCHED_FIFO from this process again."""
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


def _set_slice(libc: ctypes.CDLL) -> bool:
    number = _SCHED_SETATTR.get(platform.machine())
    if number is None:
        return False
    nice = os.getpriority(os.PRIO_PROCESS, 0)
    attributes = _SCHED_ATTR.pack(_SCHED_ATTR.size, os.SCHED_OTHER, 0, nice, 0, _SLICE_NS, 0, 0)
    return libc.syscall(number, 0, attributes, 0) == 0


def no_offloads(device: str) -> None:
    """Let every packet on a device of this namespace be one packet, with its checksum.

    Raises:
        OSError: the device is not there.
    """
    for command in _OFFLOADS.values():
        _ethtool(device, command, 0)


def offloads(device: str) -> dict[str, bool]:
    """Which offloads a device of this namespace has switched on, of those that it knows.

    Raises:
        OSError: the device is not there.
    """
    asked = {name: _ethtool(device, command - 1, 0) for name, command in _OFFLOADS.items()}
    return {name: bool(value) for name, value in asked.items() if value is not None}


def _ethtool(device: str, command: int, value: int) -> int | None:
    """Set or ask for one value of a device; what it is then, None if the device has no such value.

    Raises:
        OSError: the device is not there.
    """
    answer = ctypes.create_string_buffer(struct.pack("II", command, value))
    request = struct.pack("16sP", device.encode(), ctypes.addressof(answer))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        try:
            fcntl.ioctl(any_socket, _SIOCETHTOOL, request)
        except OSError as error:
            if error.errno not in _NOT_SUPPORTED:
                raise
            return None
    return struct.unpack("II", answer.raw[:8])[1]
