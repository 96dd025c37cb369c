"""Place, time and versions of the calls that made the runs. Results do not depend on them."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ackclock import __version__
from ackclock.campaign.files import write_bytes_whole
from ackclock.campaign.processors import processors

PROVENANCE = "provenance.json"
SCHEMA = 1
_LIBRARIES = ("distributed", "numpy", "pandas", "pyarrow", "pydantic", "scipy")


class Provenance:
    """The record of one call, added to those of earlier calls.

    Args:
        folder: folder of the campaign.
        code: digest of the source files on which rows depend.
        command: settings of the call.

    Raises:
        OSError: the file cannot be written.
    """

    def __init__(self, folder: Path, code: str, command: Mapping[str, Any]) -> None:
        self._path = folder / PROVENANCE
        self._sessions = _earlier(self._path)
        self._session: dict[str, Any] = {
            "started": _now(),
            "ended": None,
            "outcome": None,
            "ackclock": __version__,
            "code": code,
            "python": platform.python_version(),
            "libraries": libraries(),
            "machine": machine(),
            "command": dict(command),
        }
        self._write()

    def end(self, outcome: str, made: int, failed: int, taken_over: int) -> None:
        """Record the outcome of the call.

        Args:
            outcome: in words.
            made: number of runs that it has made, including failed ones.
            failed: number of failed runs.
            taken_over: number of runs whose rows came from another campaign.
        """
        numbers = {"taken_over": taken_over, "made": made, "failed": failed}
        self._session |= {"ended": _now(), "outcome": outcome, **numbers}
        self._write()

    def _write(self) -> None:
        content = {"provenance": SCHEMA, "sessions": [*self._sessions, self._session]}
        write_bytes_whole(self._path, json.dumps(content, indent=1).encode() + b"\n")


def _earlier(path: Path) -> list[Any]:
    """Return the records of earlier calls; an invalid file counts as empty."""
    try:
        return list(json.loads(path.read_bytes())["sessions"])
    except (OSError, ValueError, KeyError, TypeError):
        return []


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def libraries() -> dict[str, str]:
    """Return the versions of the installed libraries."""
    found = {}
    for name in _LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def machine() -> dict[str, Any]:
    """Return name, operating system, architecture and usable processors of this machine."""
    system = os.uname()
    return {
        "host": system.nodename,
        "system": f"{system.sysname} {system.release}",
        "architecture": system.machine,
        "processors": processors(),
    }
