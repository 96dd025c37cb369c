"""All parts of the study, in the order in which they are run and reported: that of the tasks."""

from __future__ import annotations

from collections.abc import Mapping

from ackclock.studies.osu_tasks.levels import FIRST_PARTS, LAST_PARTS
from ackclock.studies.osu_tasks.levels_ubr_class import PARTS as UBR_CLASS_PARTS
from ackclock.studies.osu_tasks.part import Part

PARTS: Mapping[str, Part] = {
    part.name: part for part in (*FIRST_PARTS, *UBR_CLASS_PARTS, *LAST_PARTS)
}
"""By their names."""
