"""The folder of a campaign: what is in it, and how its one writer adds to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ackclock.campaign.agenda import Task
from ackclock.campaign.design import DESIGN, Design
from ackclock.campaign.files import write_bytes_whole
from ackclock.campaign.journal import Entry, JournalWriter, as_json, sealed
from ackclock.campaign.lock import only_writer
from ackclock.campaign.worker import Outcome

SCENARIO = "scenario.toml"
_TRACES = "traces"
_PREFIX = 16


def trace_path(folder: Path, identity: str, table: str) -> Path:
    """The file of what a probe recorded in a run."""
    return folder / _TRACES / identity[:_PREFIX] / f"{table}.parquet"


@contextmanager
def opened(folder: Path, design: Design, take: Callable[[Entry], None]) -> Iterator[Store]:
    """Lock the folder, and mend and read its journal.

    Args:
        folder: an existing one.
        design: what is asked for.
        take: called with each entry of the journal whose traces are there.

    Raises:
        InputError: another process holds the folder, or a later version wrote the journal.
        OSError: the folder cannot be read or written.
    """

    def take_if_whole(entry: Entry) -> None:
        if _has_traces(folder, entry):
            take(entry)

    with only_writer(folder), JournalWriter(folder, take_if_whole) as journal:
        yield Store(folder, design, journal)


def _has_traces(folder: Path, entry: Entry) -> bool:
    """Whether the tables of a run are what they were when it was journaled."""
    for table, size in entry.get("traces", {}).items():
        path = trace_path(folder, entry["run"], table)
        if not path.is_file() or path.stat().st_size != size:
            return False
    return True


class Store:
    """Adds to the folder; made by ``opened``.

    Attributes:
        damaged: number of damaged lines of the journal that have been set aside.
    """

    def __init__(self, folder: Path, design: Design, journal: JournalWriter) -> None:
        self.damaged = journal.damaged
        self._folder = folder
        self._design = design
        self._journal = journal

    def keep_what_was_asked(self, text: str) -> None:
        """Keep the text of the scenario and the design.

        Raises:
            OSError: they cannot be written.
        """
        for name, content in ((SCENARIO, text.encode()), (DESIGN, self._design.to_json())):
            path = self._folder / name
            if not path.is_file() or path.read_bytes() != content:
                write_bytes_whole(path, content)

    def keep(self, task: Task, outcome: Outcome) -> None:
        """Keep what came of a run: first its traces, then its line in the journal.

        Raises:
            OSError: it cannot be written; then the run is not in the journal.
        """
        identity = self._design.identity(*task)
        for table, content in outcome.traces.items():
            path = trace_path(self._folder, identity, table)
            path.parent.mkdir(parents=True, exist_ok=True)
            # Not synced: after a power failure the size tells that a file is not whole.
            write_bytes_whole(path, content, synced=False)
        self._journal.append(sealed(self._body(identity, task, outcome)))

    def _body(self, identity: str, task: Task, outcome: Outcome) -> str:
        head = as_json(
            {
                "run" if outcome.row else "failed": identity,
                "levels": self._design.points[task.point].levels,
                "replication": task.replication,
                "seed": self._design.seed(*task),
                "duration_s": round(outcome.duration_s, 6),
            }
        )
        if not outcome.row:
            tail = as_json({"reason": outcome.reason, "traceback": outcome.traceback})
            return f"{head[:-1]},{tail[1:]}"
        sizes = {table: len(content) for table, content in outcome.traces.items()}
        return f'{head[:-1]},"traces":{as_json(sizes)},"row":{outcome.row}}}'
