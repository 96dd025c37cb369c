"""The journal: one line of JSON for each finished run, so that an interrupted campaign goes on.

A line is ``{"run": identity, "row": {...}}``. Lines are only ever appended, by one process. A last
line that an interruption has torn is dropped when the journal is opened.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ackclock import __version__

Row = dict[str, Any]


def code_digest(files: Iterable[Path]) -> str:
    """A digest of files on which rows depend: a row outlives only what leaves it unchanged."""
    return hashlib.sha256(b"".join(_sha256(path) for path in files)).hexdigest()


def _sha256(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()


def run_identity(plan_hash: str, seed: int, code: str = "") -> str:
    """Identity of a run, hexadecimal: the plan, the seed and the version decide its row.

    Args:
        plan_hash: of the plan.
        seed: of the run.
        code: digest of what the version does not tell apart, such as a build in development.
    """
    return hashlib.sha256(f"{plan_hash}/{seed}/{__version__}/{code}".encode()).hexdigest()


class Journal:
    """Rows of finished runs by identity, on disk. Use as a context manager.

    Args:
        path: the file; it is created if missing.

    Raises:
        OSError: the file cannot be read or written.
    """

    def __init__(self, path: Path) -> None:
        self.rows: dict[str, Row] = {}
        self._file = path.open("a+b")
        self._file.seek(0)
        content = self._file.read()
        whole = content.rfind(b"\n") + 1
        self._file.truncate(whole)
        for line in content[:whole].splitlines():
            entry = _entry(line)
            if entry:
                self.rows[entry[0]] = entry[1]

    def append(self, identity: str, row: Row) -> None:
        """Keep the row of a finished run."""
        line = json.dumps({"run": identity, "row": row}, separators=(",", ":"))
        self._file.write(line.encode() + b"\n")
        self._file.flush()
        self.rows[identity] = row

    def __enter__(self) -> Self:
        """Nothing more than the journal itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file."""
        self._file.close()


def _entry(line: bytes) -> tuple[str, Row] | None:
    """Identity and row of a line; nothing if something else than a journal wrote it."""
    try:
        entry = json.loads(line)
        return str(entry["run"]), dict(entry["row"])
    except (ValueError, KeyError, TypeError):
        return None
