"""Scenario files, and the plans that they compile to.

``load`` reads a scenario file; its points compile to plans. Names are imported when they are asked
for, so that who needs only a plan's hash, or unpickles ``Facts``, does not wait for the models.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

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


def __getattr__(name: str) -> Any:
    """A name of this package, imported now."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
