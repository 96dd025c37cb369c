"""Files that say how a link changes: steps in a CSV file, and the traces of mahimahi."""

from __future__ import annotations

from ackclock.scenario.paths.mahimahi import Trace, parse_trace
from ackclock.scenario.paths.steps import PathSteps, Step, parse_steps

__all__ = ["PathSteps", "Step", "Trace", "parse_steps", "parse_trace"]
