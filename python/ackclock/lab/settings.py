"""What a server of the lab knows of itself, and the bounds of what it does."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

JOBS = ".ackclock-lab"
"""Of the user's folder, where jobs are."""
PORT = 8737
"""Of 127.0.0.1, on which a server listens if it is given no other."""
MOST_BODY_BYTES = 64 * 1024
"""Of a request."""
MOST_WALL_S = 30.0
"""Real time of a run that somebody looks at."""
LIVE_SEGMENTS = 1_000_000
"""A run of no more follows a slider; of more it is a preview that grows."""
MOST_SEGMENTS = 20_000_000
"""A run of more is one for a job."""
MOST_JOB_SEGMENTS = 2_000_000_000
"""A job of more is one for the command line."""
MOST_FLOWS = 5000
"""With so many, a state takes a second to be checked."""
MOST_SIMULATED_S = 24 * 3600.0
MOST_ROWS = 4_000_000
"""Of one probe in a run that somebody looks at: 200 MB."""
MOST_COLUMNS = 4096
"""Of a picture: pixels in a row."""
MOST_DETAIL_ROWS = 200_000
"""Of a time-sequence diagram or an animation."""


@dataclass(frozen=True)
class Settings:
    """A server.

    Attributes:
        folder: of the user's scenarios; files that a scenario names are read from here only.
        token: that each call has to bear.
        port: on which it listens, of 127.0.0.1.
        processors: of this computer.
    """

    folder: Path
    token: str
    port: int
    processors: int

    @property
    def runs_at_once(self) -> int:
        """Runs that somebody looks at; one processor stays for the page."""
        return max(1, self.processors - 1)


def limits() -> dict[str, float]:
    """The bounds, for the page."""
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
