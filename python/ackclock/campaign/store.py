"""The folder of a campaign: its files, and the single writer that adds to them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ackclock.campaign.design import DESIGN, Design
from ackclock.campaign.files import has_content, write_bytes_whole, write_pieces_whole
from ackclock.campaign.journal import Damaged, Entry, JournalWriter, as_json, sealed
from ackclock.campaign.lock import only_writer
from ackclock.campaign.schedule import Task
from ackclock.campaign.worker import Outcome
from ackclock.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

SCENARIO = "scenario.toml"
REMEDY = "repeat the command that made the runs: it makes the missing files again"
_TRACES = "traces"
_PREFIX = 16


def trace_path(folder: Path, identity: str, table: str) -> Path:
    """Return the path of the file with a probe's records of a run."""
    return folder / _TRACES / identity[:_PREFIX] / f"{table}.parquet"


class Trace(NamedTuple):
    """The records of a probe in a run.

    Attributes:
        path: path of the Parquet file.
        size: size of the file when it was journaled, bytes.
        sha256: hash of the file when it was journaled; empty in journals of earlier versions.
    """

    path: Path
    size: int
    sha256: str

    def content(self) -> bytes:
        """Return the content of the file.

        Raises:
            InputError: the file cannot be read, or was changed since it was journaled.
        """
        try:
            content = self.path.read_bytes()
        except FileNotFoundError as error:
            raise InputError(f"{self.path}: is missing; {REMEDY}") from error
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read ({error.strerror})") from error
        if not self._is_of(content):
            raise InputError(f"{self.path}: differs from what was recorded; {REMEDY}")
        return content

    def frame(self) -> pd.DataFrame:
        """Return the table in the file.

        Raises:
            InputError: the file cannot be read, or was changed since it was journaled.
        """
        import pandas as pd

        return pd.read_parquet(BytesIO(self.content()))

    def is_whole(self) -> bool:
        """Return whether the file exists and is unchanged."""
        if not self.path.is_file() or self.path.stat().st_size != self.size:
            return False
        return not self.sha256 or self._is_of(self.path.read_bytes())

    def _is_of(self, content: bytes) -> bool:
        if self.sha256:
            return hashlib.sha256(content).hexdigest() == self.sha256
        return len(content) == self.size


def trace_of(folder: Path, entry: Entry, table: str) -> Trace:
    """Return the records of a probe for an entry of the journal."""
    path = trace_path(folder, entry["run"], table)
    return Trace(path, entry["traces"][table], entry.get("hashes", {}).get(table, ""))


@contextmanager
def opened(folder: Path, design: Design, take: Callable[[Entry], None]) -> Iterator[Store]:
    """Lock the folder, and repair and read its journal.

    Args:
        folder: an existing folder.
        design: the requested points and replications.
        take: called with each entry of the journal whose traces are complete.

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
    """Return whether the tables of a run are unchanged since it was journaled."""
    return all(trace_of(folder, entry, table).is_whole() for table in entry.get("traces", {}))


class Store:
    """Adds to the folder; ``opened`` creates it.

    Attributes:
        damaged: damaged lines of the journal, which have been set aside.
    """

    def __init__(self, folder: Path, design: Design, journal: JournalWriter) -> None:
        self.damaged: list[Damaged] = journal.damaged
        self._folder = folder
        self._design = design
        self._journal = journal

    def keep_what_was_asked(self, text: str) -> None:
        """Keep the text of the scenario and the design.

        Raises:
            OSError: a file cannot be written.
        """
        path = self._folder / SCENARIO
        if not has_content(path, [text.encode()]):
            write_bytes_whole(path, text.encode())
        path = self._folder / DESIGN
        if not has_content(path, self._design.to_json()):
            write_pieces_whole(path, self._design.to_json())

    def keep(self, task: Task, outcome: Outcome) -> None:
        """Write the outcome of a run: first its traces, then its line in the journal.

        Raises:
            OSError: a file cannot be written; then the run is not in the journal.
        """
        identity = self._design.identity(task.point, task.replication)
        for table, content in outcome.traces.items():
            path = trace_path(self._folder, identity, table)
            path.parent.mkdir(parents=True, exist_ok=True)
            # Not synced: after a power failure its hash shows that a file is incomplete.
            write_bytes_whole(path, content, synced=False)
        self._journal.append(sealed(self._body(identity, task, outcome)))

    def _body(self, identity: str, task: Task, outcome: Outcome) -> str:
        head = as_json(
            {
                "run" if outcome.row else "failed": identity,
                "levels": self._design.points[task.point].levels,
                "replication": task.replication,
                "seed": self._design.seed(task.point, task.replication),
                "duration_s": round(outcome.duration_s, 6),
            }
        )
        if not outcome.row:
            tail = as_json({"reason": outcome.reason, "traceback": outcome.traceback})
            return f"{head[:-1]},{tail[1:]}"
        sizes = {table: len(content) for table, content in outcome.traces.items()}
        hashes = {
            table: hashlib.sha256(content).hexdigest() for table, content in outcome.traces.items()
        }
        return (
            f'{head[:-1]},"traces":{as_json(sizes)},"hashes":{as_json(hashes)},'
            f'"row":{outcome.row}}}'
        )
