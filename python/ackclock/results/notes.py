"""Notes on the numbers of a campaign."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.results.equal_replications import sameness_note
from ackclock.results.limits_note import limits_note

if TYPE_CHECKING:
    from ackclock.results.results import Results


def notes(*several: Results) -> list[str]:
    """Sentences on replications that are equal and on flows that cwnd does not limit, each once."""
    said = [note for its in several for note in (sameness_note(its), limits_note(its.campaign))]
    return list(dict.fromkeys(filter(None, said)))
