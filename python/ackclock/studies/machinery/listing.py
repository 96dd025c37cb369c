"""The list of all studies: what each asks, what it takes, and what it found.

``measured.csv`` beside the studies has what they took and found when the project was last
validated; ``docs/validation/keep.py`` writes it.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ackclock.plurals import counted, listed
from ackclock.studies import STUDIES, study_of

MEASURED = Path(__file__).parents[1] / "measured.csv"
_MINUTE_S = 60
_VERDICTS = {
    "true": ("holds", "hold"),
    "false": ("fails", "fail"),
    "undecided": ("is undecided", "are undecided"),
    "exploratory": ("is exploratory", "are exploratory"),
}


@dataclass(frozen=True)
class Row:
    """A study in the list.

    Attributes:
        name: on the command line.
        question: what it asks.
        source: what was published.
        replications: with which it was measured; none if it was not.
        processor_s: what these took on one processor, s.
        verdicts: how many claims have which verdict: "true", "false", "undecided", "exploratory".
    """

    name: str
    question: str
    source: str
    replications: int | None
    processor_s: float
    verdicts: dict[str, int]

    @property
    def time(self) -> str:
        """What one replication takes on one processor, in words."""
        if not self.replications:
            return "not measured"
        seconds = self.processor_s / self.replications
        if seconds < _MINUTE_S:
            return f"{max(seconds, 1):.0f} s"
        return f"{seconds / _MINUTE_S:.0f} min"

    @property
    def found(self) -> str:
        """The verdicts in words."""
        if not self.replications:
            return "not measured"
        parts = [
            f"{number} {words[number != 1]}"
            for verdict, words in _VERDICTS.items()
            if (number := self.verdicts[verdict])
        ]
        return f"{listed(parts)}, {counted(self.replications, 'replication')}"


def rows() -> Iterator[Row]:
    """All studies, in the order of their list."""
    with MEASURED.open(newline="", encoding="utf-8") as file:
        measured = {row["study"]: row for row in csv.DictReader(file)}
    for study in map(study_of, STUDIES):
        its = measured.get(study.name)
        yield Row(
            study.name,
            study.question,
            study.source,
            int(its["replications"]) if its else None,
            float(its["processor_s"]) if its else 0.0,
            {verdict: int(its[verdict]) if its else 0 for verdict in _VERDICTS},
        )
