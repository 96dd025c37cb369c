"""Scenario files, and the plans that they compile to.

``load`` reads a scenario file; its points compile to plans. Names are imported when they are asked
for, so that who needs only a plan's hash, or unpickles ``Facts``, does not wait for the models.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.late_names import late_names

if TYPE_CHECKING:
    from ackclock.scenario.compile.facts import Compiled, Facts
    from ackclock.scenario.loading import load
    from ackclock.scenario.model.scenario import Scenario
    from ackclock.scenario.points import Point

__all__ = ["Compiled", "Facts", "Point", "Scenario", "load"]

_HOMES = {
    "Compiled": "compile.facts",
    "Facts": "compile.facts",
    "Point": "points",
    "Scenario": "model.scenario",
    "load": "loading",
}


__getattr__ = late_names(__name__, _HOMES)
