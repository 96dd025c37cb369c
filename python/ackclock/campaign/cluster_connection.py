"""The connection to a dask scheduler: begin it, wait for a result, keep the client quiet."""

from __future__ import annotations

import asyncio
import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ackclock.campaign.cluster_worker import OtherBuildError
from ackclock.errors import InputError

if TYPE_CHECKING:
    from distributed import Client, Future

CONNECT_S = 20.0
SCHEDULER_LOST_S = 60.0
"""How long the client tries to connect again, s."""


class LostError(Exception):
    """The worker of a batch is lost."""


class DisconnectedError(Exception):
    """The scheduler has forgotten a batch."""


class WrongBuildError(Exception):
    """The worker of a batch has another build."""


async def connect(address: str, name: str) -> Client:
    """Return a client, which connects again if the connection is lost.

    Args:
        address: address of the scheduler, as dask writes it.
        name: how messages name the cluster.

    Raises:
        InputError: no scheduler answers, or it has another version of distributed.
    """
    import distributed

    client = distributed.Client(
        address, asynchronous=True, timeout=SCHEDULER_LOST_S, set_as_default=False
    )
    try:
        await asyncio.wait_for(client, CONNECT_S)
        theirs = (await client.scheduler.versions())["packages"]["distributed"]
    except OSError as error:  # A time-out is one, too.
        await client.close()
        raise InputError(
            f"{name}: no dask scheduler answers within {CONNECT_S:.0f} s; correct the address, or"
            " start one with: dask scheduler"
        ) from error
    except (ValueError, RuntimeError, ImportError) as error:
        await client.close()
        raise InputError(f"{name}: dask cannot connect to it: {error}") from error
    if theirs != distributed.__version__:
        await client.close()
        raise InputError(
            f"{name}: the scheduler has distributed {theirs} instead of {distributed.__version__};"
            " install the same version there as here, and start it again"
        )
    return client


async def result_of(future: Future) -> Any:
    """Return what a worker has returned.

    Raises:
        LostError, DisconnectedError, WrongBuildError: there is no result. Errors of the worker
            pass through.
    """
    from distributed import KilledWorker
    from distributed.client import FutureCancelledError
    from distributed.comm import CommClosedError

    try:
        return await future
    except (FutureCancelledError, CommClosedError) as error:
        raise DisconnectedError from error
    except KilledWorker as error:
        raise LostError from error
    except (OtherBuildError, ImportError) as error:
        raise WrongBuildError(str(error)) from error


@contextmanager
def quiet_client() -> Iterator[None]:
    """Suppress the client's log: what matters is reported as a message or an error."""
    # Its import sets the levels.
    import_module("distributed")
    logs = [logging.getLogger(name) for name in ("distributed", "distributed.client")]
    levels = [log.level for log in logs]
    for log in logs:
        log.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for log, level in zip(logs, levels, strict=True):
            log.setLevel(level)


@contextmanager
def quiet_versions() -> Iterator[None]:
    """Suppress the client's warning of other versions: those that matter are an error."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"\s*Mismatched versions")
        yield
