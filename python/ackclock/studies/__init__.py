"""Published studies, re-run: a folder each, and ``machinery`` for what is common to all.

A study is a declaration, ``STUDY`` in the module ``study`` of its folder, with these beside it:

| file | what |
|---|---|
| ``scenario.toml`` or ``scenarios/`` | every number of the study |
| ``published/`` | what the paper prints |
| ``measure`` | one run in numbers |
| ``claims`` | what the paper concludes, as tests |
| ``figures``, ``tables`` and ``report`` | what the report shows |
"""

from __future__ import annotations

from collections.abc import Mapping
from pkgutil import resolve_name
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ackclock.studies.machinery.study import Study

STUDIES: Mapping[str, str] = {
    # "ubr-web": "ackclock.studies.ubr_web.study:STUDY",
    # "rfc2415": "ackclock.studies.rfc2415.study:STUDY",
    # "newreno": "ackclock.studies.newreno.study:STUDY",
    "abr-web": "ackclock.studies.abr_web.study:STUDY",
    "osu-tasks": "ackclock.studies.osu_tasks.study:STUDY",
}
"""All studies by their names on the command line, and where each is declared."""


def study_of(name: str) -> Study:
    """The study of a name in ``STUDIES``."""
    study: Study = resolve_name(STUDIES[name])
    return study
