"""The part of a cluster's executor that a worker executes: name its build, make a batch of runs.

Rows are equal in every byte only if the code and the libraries that compute them are equal.
"""

from __future__ import annotations

import pickle
import platform
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from ackclock import __version__
from ackclock.campaign.provenance import libraries
from ackclock.campaign.worker import Functions, Order, Outcome, work
from ackclock.errors import InputError

Build = dict[str, str]
"""What must be equal in all processes that make runs of a campaign: versions by name."""
_CODE = "code"
_LIBRARIES = ("distributed", "numpy", "pandas", "pyarrow", "scipy")
"""Libraries that compute rows, write traces or carry both over the network."""


class OtherBuildError(InputError):
    """A worker has another build than the process that sends the runs."""


class _Call:
    """Calls a function when it is unpickled."""

    def __init__(self, function: Callable[..., Any], *arguments: Any) -> None:
        self._call = function, arguments

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return self._call


def packed(function: Callable[..., Any], *arguments: Any) -> bytes:
    """Return a call as bytes; ``pickle.loads`` makes the call.

    A dask scheduler imports the functions that it passes on, but leaves bytes alone. So it needs no
    ackclock, and a worker without ackclock answers with an ``ImportError``.
    """
    return pickle.dumps(_Call(function, *arguments))


@cache
def build_of(functions: Functions) -> Build:
    """Return the build of this process.

    Raises:
        InputError: one of the functions cannot be imported.
    """
    has = libraries()
    return {
        "ackclock": __version__,
        _CODE: functions.digest(),
        "Python": ".".join(platform.python_version_tuple()[:2]),
        **{name: has.get(name, "none") for name in _LIBRARIES},
    }


def differences(theirs: Build, ours: Build) -> str:
    """Return what a worker has instead of what it should have; empty if builds are equal."""
    found = [
        f"{name} {theirs.get(name, 'none')} instead of {version}"
        for name, version in ours.items()
        if name != _CODE and theirs.get(name) != version
    ]
    if not found and theirs.get(_CODE) != ours[_CODE]:
        found = [f"another build of ackclock {ours['ackclock']} or of the metrics"]
    return ", ".join(found)


def make(build: Build, functions: Functions, orders: Sequence[Order]) -> list[Outcome]:
    """Make a batch of runs in a thread of a dask worker; see ``work``.

    The runs stop if the scheduler has cancelled the batch, also when its client has died.

    Raises:
        OtherBuildError: this worker has another build, and has made no run.
    """
    from distributed import get_worker

    if wrong := differences(build_of(functions), build):
        raise OtherBuildError(wrong)
    worker = get_worker()
    task = worker.state.tasks[worker.get_current_task()]
    return work(functions, build[_CODE], orders, lambda: task.state == "cancelled")
