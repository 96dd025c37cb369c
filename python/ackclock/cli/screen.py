"""The console of the commands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.segment import Segment

from ackclock.untrusted_text import escaped


class Screen(Console):
    """A console that escapes the control characters in what it is given."""

    def render(self, *args: Any, **options: Any) -> Iterable[Segment]:
        """As rich renders it."""
        for segment in super().render(*args, **options):
            yield segment if segment.control else Segment(escaped(segment.text), segment.style)
