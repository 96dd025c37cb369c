"""The real core, with its calls counted: the runs of the modern studies take milliseconds."""

from __future__ import annotations

import json

from ackclock import _core
from fake_core import FakeCore, Tables


def columns_of(plan: dict, seed: int) -> Tables:
    """As the core returns them."""
    return _core.run(json.dumps(plan), seed)


core = FakeCore(columns_of)
