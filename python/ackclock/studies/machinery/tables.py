"""What tables of reports share: simulated values beside published ones."""

from __future__ import annotations

from collections.abc import Sequence

from ackclock.report.blocks import Cell, Row, heading, number_heading, published
from ackclock.studies.machinery.reproduce import StudyResult

SOURCES = ("simulated", "published")


def pairs_head(names: Sequence[str], pairs: Sequence[str]) -> list[Row]:
    """Two rows of headings: of the columns that name a row, and of pairs of ``SOURCES``."""
    first = [heading(text, rows=2) for text in names]
    first += [heading(text, columns=2) for text in pairs]
    return [first, [number_heading(source) for _ in pairs for source in SOURCES]]


def marked(text: str, is_inside: bool | None) -> Cell:
    """A published value, marked as inside or outside the simulated interval; see ``inside``."""
    return published(text, mark="" if is_inside is None else "inside" if is_inside else "outside")


def marks(result: StudyResult) -> str:
    """What the marks are; nothing where there are no intervals."""
    text = " ● the published value lies inside the interval, ○ outside."
    return text if result.replications > 1 else ""
