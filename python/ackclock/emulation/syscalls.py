"""Wrappers of system calls that Python's library does not have or that need precautions."""

from __future__ import annotations

import ctypes
import fcntl
import os
import platform
import signal
import socket
import struct
import time
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
# The command to set a value; the command to read it has the number before.
_OFFLOADS = {
    "rx checksum": 0x15,
    "tx checksum": 0x17,
    "tso": 0x1F,
    "gso": 0x24,
    "gro": 0x2C,
}
_NOT_SUPPORTED = (95, 22)

_TIMER_FLAGS = os.O_NONBLOCK | os.O_CLOEXEC
_TFD_TIMER_ABSTIME = 1
_NS = 1_000_000_000

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
    """Enter new namespaces; a new PID namespace applies to later children.

    Raises:
        OSError: the system does not permit it.
    """
    _checked(_libc().unshare(flags), "unshare")


def new_namespaces(*, without_privilege: bool = False) -> None:
    """Enter a new network namespace, and a new PID namespace for later children.

    Without the privilege, the process becomes root of a new user namespace first.

    Args:
        without_privilege: always use a new user namespace.

    Raises:
        OSError: the system has no user namespaces, or this user may not create them.
    """
    wanted = CLONE_NEWNET | CLONE_NEWPID
    if not without_privilege:
        with suppress(PermissionError):
            unshare(wanted)
            return
    _enter_user_namespace()
    unshare(wanted)


def _enter_user_namespace() -> None:
    """Become root of a new user namespace that maps only this user."""
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
    """Enter a namespace.

    Args:
        namespace: file descriptor of the namespace.
        kind: flag of its kind, for example ``CLONE_NEWNET``.

    Raises:
        OSError: the system does not permit it.
    """
    _checked(_libc().setns(namespace, kind), "setns")


def own_mounts() -> None:
    """Make later mounts of this process private; mounts of others remain visible.

    Raises:
        OSError: the system does not permit it.
    """
    unshare(CLONE_NEWNS)
    _mount("none", "/", None, _MS_REC | _MS_SLAVE)


def mount(kind: str, place: str) -> None:
    """Mount a file system without a device, such as proc or tmpfs.

    Raises:
        OSError: the system does not permit it.
    """
    _mount(kind, place, kind, _MS_NOSUID_NODEV_NOEXEC)


def mount_outside(folder: str, place: str) -> None:
    """Mount a folder of the computer that runs this guest, in a kernel of User-Mode Linux.

    Raises:
        OSError: the system does not permit it.
    """
    made = _libc().mount(b"none", place.encode(), b"hostfs", ctypes.c_ulong(0), folder.encode())
    _checked(made, f"mount {place}")


def mount_file(file: str, place: str) -> None:
    """Mount a file over another file.

    Raises:
        OSError: the system does not permit it.
    """
    _mount(file, place, None, _MS_BIND)


def unmount(place: str) -> None:
    """Remove the last mount at a place; its files that are mounted elsewhere remain.

    Raises:
        OSError: the system does not permit it.
    """
    _checked(_libc().umount2(place.encode(), _MNT_DETACH), f"umount {place}")


def _mount(source: str, place: str, kind: str | None, flags: int) -> None:
    name = None if kind is None else kind.encode()
    flags_long = ctypes.c_ulong(flags)
    made = _libc().mount(source.encode(), place.encode(), name, flags_long, None)
    _checked(made, f"mount {place}")


def die_with(parent: int) -> None:
    """Let the kernel kill this process when the parent ends.

    Call this after any change of privileges, which resets it.

    Args:
        parent: process id of the parent in this process's namespace; 0 in a new PID namespace.
    """
    _checked(_libc().prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "prctl")
    if os.getppid() != parent:
        os._exit(1)


def climb(lowest: str | None = None) -> str:
    """Set the best scheduling class that the system permits, for precise timing.

    SCHED_FIFO is only prepared: ``at_once`` begins it when packets start to pass. Other work, for
    example touching all memory, would delay another driver.

    Args:
        lowest: "eevdf" or "plain" to prevent better classes.

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
    """Give a process SCHED_FIFO; 0 is this process.

    Raises:
        OSError: the system does not permit it.
    """
    # Threads and children that it starts, such as a writer, must not inherit the class.
    policy = os.SCHED_FIFO | os.SCHED_RESET_ON_FORK
    os.sched_setscheduler(process, policy, os.sched_param(_FIFO_PRIORITY))


def as_usual() -> None:
    """Return this process to the normal scheduling class."""
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))


def _set_slice(libc: ctypes.CDLL) -> bool:
    number = _SCHED_SETATTR.get(platform.machine())
    if number is None:
        return False
    nice = os.getpriority(os.PRIO_PROCESS, 0)
    attributes = _SCHED_ATTR.pack(_SCHED_ATTR.size, os.SCHED_OTHER, 0, nice, 0, _SLICE_NS, 0, 0)
    return libc.syscall(number, 0, attributes, 0) == 0


class Timer:
    """A file that is ready to be read from a time on (timerfd), to wait for it beside sockets."""

    def __init__(self) -> None:
        self._libc = _libc()
        self._file = self._libc.timerfd_create(time.CLOCK_MONOTONIC, _TIMER_FLAGS)
        _checked(self._file, "timerfd_create")

    def fileno(self) -> int:
        """Return the descriptor of the file."""
        return self._file

    def set(self, when: int) -> None:
        """Be ready from a time of the monotonic clock on, ns, instead of an earlier one."""
        period_and_time = (ctypes.c_long * 4)(0, 0, *divmod(when, _NS))
        made = self._libc.timerfd_settime(self._file, _TFD_TIMER_ABSTIME, period_and_time, None)
        _checked(made, "timerfd_settime")

    def take(self) -> None:
        """Be no longer ready."""
        with suppress(BlockingIOError):
            os.read(self._file, 8)


def no_offloads(device: str) -> None:
    """Turn off offloads of a device: no merged or split packets, and complete checksums.

    Raises:
        OSError: the device does not exist.
    """
    for command in _OFFLOADS.values():
        _ethtool(device, command, 0)


def offloads(device: str) -> dict[str, bool]:
    """Return for each offload of a device in this namespace whether it is on.

    Raises:
        OSError: the device does not exist.
    """
    asked = {name: _ethtool(device, command - 1, 0) for name, command in _OFFLOADS.items()}
    return {name: bool(value) for name, value in asked.items() if value is not None}


def _ethtool(device: str, command: int, value: int) -> int | None:
    """Set or read one value of a device; return it, or None if the device has no such value.

    Raises:
        OSError: the device does not exist.
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
