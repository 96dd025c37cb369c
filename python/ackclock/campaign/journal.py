"""The journal of a campaign: one line per finished run; one process appends to it.

A line is a JSON object that begins with a checksum of the rest of the line. The first line has the
version of the format, ``{"check": ..., "journal": 1}``. The line of a finished run is ``{"check":
..., "run": identity, "levels": {...}, "replication": 0, "seed": 7, "duration_s": 0.1, "traces":
{table: bytes}, "hashes": {table: SHA-256}, "row": {...}}``; lines of earlier versions have no
"hashes". The line of a failed run has "failed" instead of "run", and "reason" and "traceback"
instead of "traces", "hashes" and "row". Numbers are as Python writes them (NaN, Infinity).

An interruption can leave an incomplete last line, which is dropped. A line with any other damage
fails its checksum, or does not have the form that ``journal_entries`` describes. It is set aside,
and its run is made again.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from ackclock.campaign.files import write_all, write_bytes_whole, write_whole
from ackclock.campaign.journal_entries import problem
from ackclock.errors import InputError
from ackclock.plurals import counted

JOURNAL = "journal.jsonl"
DAMAGED = "journal.damaged"
SCHEMA = 1
_PREFIX = b'{"check":"'
_DIGITS = 16
_BODY = len(_PREFIX) + _DIGITS + len(b'",')
# A power failure loses data that are not on the disk yet: at most this much work.
_SECONDS_BETWEEN_SYNCS = 1.0

Entry = dict[str, Any]


class Damaged(NamedTuple):
    """A damaged line: its number, from 1, and the damage."""

    line: int
    reason: str


_MOST_NAMED = 3


def damage(lines: Sequence[Damaged], what: str) -> str:
    """Return a message about damaged lines: their number, the first ones, and the damage.

    Args:
        lines: the damaged lines.
        what: what happens to the lines, for example "left out".
    """
    number = counted(len(lines), "damaged line is", "damaged lines are")
    named = "; ".join(f"line {line}: {reason}" for line, reason in lines[:_MOST_NAMED])
    more = len(lines) - _MOST_NAMED
    return f"{number} {what}: {named}{f'; and {more} more' if more > 0 else ''}"


def as_json(value: Any) -> str:
    """Return compact JSON; numbers and arrays of numpy become plain numbers and lists.

    Raises:
        TypeError: JSON cannot represent the value.
    """
    return json.dumps(value, separators=(",", ":"), default=_plain)


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{value!r} is not a number, text, list or dict of these")


def sealed(body: str) -> bytes:
    """Return the line with checksum for a non-empty JSON object, given as text in one line."""
    rest = body.encode()[1:]
    return b'%s%s",%s\n' % (_PREFIX, _check(rest), rest)


def _check(rest: bytes) -> bytes:
    return hashlib.sha256(rest).hexdigest()[:_DIGITS].encode()


def _opened(number: int, line: bytes) -> Entry | Damaged:
    """Return the entry in a line, or the damage if a byte has changed or the form is wrong."""
    rest = line[_BODY:-1]
    if line != b'%s%s",%s\n' % (_PREFIX, _check(rest), rest):
        return Damaged(number, "its checksum is wrong")
    try:
        entry = json.loads(b"{" + rest)
    except (ValueError, RecursionError) as error:
        return Damaged(number, f"it cannot be read ({error})")
    if number == 1 and entry.keys() == {"journal"} and type(entry["journal"]) is int:
        return entry
    wrong = problem(entry)
    return Damaged(number, wrong) if wrong else entry


def entries(path: Path) -> Iterator[Entry | Damaged]:
    """Yield the entries of the journal, in the order of the lines.

    An incomplete last line is left out: a process may be writing it now.

    Raises:
        InputError: a later version wrote the journal. OSError: the journal cannot be read.
    """
    for _, entry in _scanned(path):
        if not _is_head(entry):
            yield entry


def _is_head(entry: Entry | Damaged) -> bool:
    """Return whether an entry is the first line, with the version of the format."""
    return not isinstance(entry, Damaged) and not {"run", "failed"} & entry.keys()


def _scanned(path: Path) -> Iterator[tuple[bytes, Entry | Damaged]]:
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.endswith(b"\n"):
                return
            entry = _opened(number, line)
            if _is_head(entry) and entry["journal"] != SCHEMA:
                raise InputError(
                    f"{path}: has format {entry['journal']}, and this version of ackclock reads"
                    f" format {SCHEMA}; use the version that wrote it, or name another folder"
                )
            yield line, entry


class JournalWriter:
    """Context manager that appends to a journal, after it has created or repaired it.

    Args:
        folder: folder of the campaign; this process holds its lock.
        take: called with each existing entry, before anything is appended.

    Attributes:
        damaged: lines that were set aside in the file ``journal.damaged``.

    Raises:
        InputError: a later version wrote the journal. OSError: reading or writing fails.
    """

    def __init__(self, folder: Path, take: Callable[[Entry], None]) -> None:
        path = folder / JOURNAL
        if not path.exists():
            write_bytes_whole(path, _FIRST_LINE)
        aside, self._size, has_head = [], 0, False
        self.damaged: list[Damaged] = []
        for line, entry in _scanned(path):
            self._size += len(line)
            if isinstance(entry, Damaged):
                aside.append(line)
                self.damaged.append(entry)
            elif _is_head(entry):
                has_head = True
            else:
                take(entry)
        if aside or not has_head:
            # In this order an interruption may copy a damaged line twice, but never loses one.
            if aside:
                _append(folder / DAMAGED, b"".join(aside))
            self._size = _rewrite_without_damage(path)
        self._descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
        if os.fstat(self._descriptor).st_size != self._size:
            os.ftruncate(self._descriptor, self._size)
        self._synced = time.monotonic()

    def append(self, line: bytes) -> None:
        """Append a line; after the return, it survives the end of this process.

        Raises:
            OSError: the line cannot be written; no part of it is left in the file.
        """
        try:
            write_all(self._descriptor, line)
        except OSError:
            os.ftruncate(self._descriptor, self._size)
            raise
        self._size += len(line)
        if time.monotonic() - self._synced > _SECONDS_BETWEEN_SYNCS:
            os.fsync(self._descriptor)
            self._synced = time.monotonic()

    def __enter__(self) -> Self:
        """Return the journal itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Write all data to the disk and close the file."""
        try:
            os.fsync(self._descriptor)
        finally:
            os.close(self._descriptor)


_FIRST_LINE = sealed(as_json({"journal": SCHEMA}))


def _append(path: Path, content: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        write_all(descriptor, content)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _rewrite_without_damage(path: Path) -> int:
    """Remove damaged lines, restore a missing first line, and return the journal's length."""

    def write(unfinished: Path) -> None:
        with unfinished.open("wb", buffering=0) as file:
            write_all(file.fileno(), _FIRST_LINE)
            for line, entry in _scanned(path):
                if not isinstance(entry, Damaged) and not _is_head(entry):
                    write_all(file.fileno(), line)
            os.fsync(file.fileno())

    write_whole(path, write)
    return path.stat().st_size
