"""The settings of a server of the lab, and its limits."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

JOBS = ".ackclock-lab"
"""Subfolder of the user's folder with the jobs."""
PORT = 8737
"""Default port of 127.0.0.1."""
MOST_BODY_BYTES = 64 * 1024
"""Largest size of a request, bytes."""
MOST_WALL_S = 30.0
"""Largest real time of a live run, s."""
LIVE_SEGMENTS = 1_000_000
"""Up to this number of segments a run follows a slider; above, it is a growing preview."""
MOST_SEGMENTS = 20_000_000
"""Above this number of segments a run needs a job."""
MOST_JOB_SEGMENTS = 2_000_000_000
"""Above this number of segments a job needs the command line."""
MOST_FLOWS = 5000
"""Largest number of flows, for which the check of a state takes a second."""
MOST_SIMULATED_S = 24 * 3600.0
MOST_ROWS = 4_000_000
"""Largest number of rows of one probe in a live run: 200 MB."""
MOST_COLUMNS = 4096
"""Largest width of a picture, pixels."""
MOST_DETAIL_ROWS = 200_000
"""Largest number of rows of a time-sequence diagram or an animation."""


@dataclass(frozen=True)
class Settings:
    """The settings of a server.

    Attributes:
        folder: folder of the user's scenarios; files that a scenario names must be in it.
        token: token that each request must have.
        port: port of 127.0.0.1.
        processors: number of processors of this computer.
    """

    folder: Path
    token: str
    port: int
    processors: int

    @property
    def runs_at_once(self) -> int:
        """Number of simultaneous live runs; one processor is left for the page."""
        return max(1, self.processors - 1)


def limits() -> dict[str, float]:
    """Return the limits for the page."""
    return {
        "body_bytes": MOST_BODY_BYTES,
        "wall_s": MOST_WALL_S,
        "live_segments": LIVE_SEGMENTS,
        "segments": MOST_SEGMENTS,
        "flows": MOST_FLOWS,
        "simulated_s": MOST_SIMULATED_S,
        "rows": MOST_ROWS,
        "columns": MOST_COLUMNS,
        "detail_rows": MOST_DETAIL_ROWS,
    }
