"""The workers of a cluster: who is there, who has the right build, who has room for a batch.

All methods belong into one asyncio loop.
"""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from ackclock import __version__
from ackclock.campaign.cluster_worker import Build, build_of, differences, packed
from ackclock.campaign.worker import Functions
from ackclock.errors import InputError
from ackclock.plurals import counted

if TYPE_CHECKING:
    from distributed import Client

QUEUE = 2
"""Batches per thread of a worker: while one runs, the next one travels."""


class Worker:
    """A worker with the right build.

    Attributes:
        address: address on the scheduler's network.
        threads: number of batches that it makes at the same time.
        queue: its batches in their order; the first ``threads`` of them run.
        gone: done when the worker is lost.
    """

    def __init__(self, address: str, threads: int) -> None:
        self.address = address
        self.threads = threads
        self.queue: list[Any] = []
        self.gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def running(self) -> list[Any]:
        """Return the batches that are not waiting."""
        return self.queue[: self.threads]

    def begin_first(self) -> None:
        """Tell the batches that run, so that only those that wait can be cancelled."""
        for batch in self.running():
            batch.begin()

    def fill(self) -> float:
        """Return the number of batches per thread."""
        return len(self.queue) / self.threads


class Workers:
    """The workers of a scheduler.

    Args:
        client: asynchronous client of the scheduler.
        cluster: how messages name the cluster.
        say: called with messages about workers.

    Attributes:
        used: whether a worker has had a batch. Until then a worker with another build is an error;
            later it is left out.
    """

    def __init__(self, client: Client, cluster: str, say: Callable[[str], None]) -> None:
        self.used = False
        self._client = client
        self._cluster = cluster
        self._say = say
        self._right: dict[str, Worker] = {}
        self._wrong: set[str] = set()
        self._builds: dict[Functions, Build] = {}
        self._admitting = asyncio.Lock()

    def __len__(self) -> int:
        """Return the number of workers with the right build."""
        return len(self._right)

    @property
    def checked(self) -> bool:
        """Whether it is known which build workers must have."""
        return bool(self._builds)

    def threads(self) -> int:
        """Return the number of threads of the workers with the right build."""
        return sum(worker.threads for worker in self._right.values())

    def build(self, functions: Functions) -> Build:
        """Return the build that workers must have to call these functions."""
        return self._builds[functions]

    async def require(self, functions: Functions) -> None:
        """Check once whether the workers have the build of this process for these functions.

        Raises:
            InputError: a worker has another build, and no run was begun.
        """
        async with self._admitting:
            if functions not in self._builds:
                await self._admit(await self._client.nthreads(), {functions: build_of(functions)})

    async def refresh(self) -> None:
        """Find lost and new workers; check the new ones.

        Raises:
            InputError: a worker has another build, and no run was begun.
            OSError: the scheduler does not answer.
        """
        there = await self._client.nthreads()
        for address in self._right.keys() - there:
            worker = self._right[address]
            if worker.queue:
                self._say(f"{self._named(address)} is lost; others repeat its runs")
            self.forget(address)
        self._wrong &= there.keys()
        async with self._admitting:
            new = {each: there[each] for each in there.keys() - self._right - self._wrong}
            if new and self._builds:
                await self._admit(new, self._builds)

    def forget(self, address: str | None = None) -> None:
        """Declare a worker lost; without an address all of them."""
        for each in [address] if address else list(self._right):
            if (worker := self._right.pop(each, None)) and not worker.gone.done():
                worker.gone.set_result(None)

    def refuse(self, address: str, reason: str) -> None:
        """Give a worker no more runs."""
        if address not in self._wrong:
            self._wrong.add(address)
            self._say(f"{self._named(address)} {reason}; it gets no runs: {_REMEDY}")
        self.forget(address)

    def with_room(self) -> Worker | None:
        """Return the worker that is likely to begin another batch first; none if all are full."""
        worker = min(self._right.values(), key=Worker.fill, default=None)
        return worker if worker and worker.fill() < QUEUE else None

    def idle(self, besides: Worker) -> Worker | None:
        """Return another worker with an idle thread."""
        others = (each for each in self._right.values() if each is not besides)
        worker = min(others, key=Worker.fill, default=None)
        return worker if worker and worker.fill() < 1 else None

    async def _admit(self, threads: dict[str, int], builds: dict[Functions, Build]) -> None:
        """Check the builds of workers; admit those that have the right ones."""
        reasons: dict[str, str] = {}
        silent: set[str] = set()
        for functions, ours in builds.items() if threads else ():
            answers = await self._client.run(
                pickle.loads,
                packed(build_of, functions),
                workers=list(threads),
                on_error="return",
            )
            silent |= {each for each in threads if isinstance(answers.get(each), OSError | None)}
            for address, theirs in answers.items():
                if address not in silent and (reason := _reason(theirs, ours)):
                    reasons[address] = reason
        if reasons and not self.used:
            raise InputError(self._refusals(reasons))
        self._builds |= builds
        for address, reason in reasons.items():
            self.refuse(address, reason)
        for address in threads.keys() - reasons - silent - self._right.keys():
            self._right[address] = Worker(address, threads[address])

    def _refusals(self, reasons: dict[str, str]) -> Iterable[str]:
        """Return a sentence for each reason, which names the first of its workers."""
        for reason in dict.fromkeys(reasons.values()):
            first, *others = sorted(each for each, its in reasons.items() if its == reason)
            more = f" (and {counted(len(others), 'other worker')})" if others else ""
            yield f"{self._named(first)}{more} {reason}; {_REMEDY}"

    def _named(self, address: str) -> str:
        return f"{self._cluster}: worker {address}"


_REMEDY = (
    "install the same build and the same versions as here on the workers, and start them again"
)


def _reason(theirs: Build | BaseException, ours: Build) -> str:
    """Return what is wrong with a worker's answer; empty if nothing is."""
    if isinstance(theirs, ImportError):
        return f"cannot import ackclock {__version__} ({theirs})"
    if isinstance(theirs, BaseException):
        return f"cannot make these runs ({theirs})"
    if wrong := differences(theirs, ours):
        return f"has {wrong}"
    return ""
