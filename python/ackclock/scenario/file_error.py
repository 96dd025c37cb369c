"""What is wrong with a file that a scenario names."""

from __future__ import annotations

from collections.abc import Sequence


class FileError(Exception):
    """A file that cannot be used.

    Attributes:
        reasons: each names the file, and what is wrong in which line, and a correct form.
    """

    def __init__(self, reasons: Sequence[str]) -> None:
        """Hold the reasons."""
        super().__init__(reasons)
        self.reasons = list(reasons)
