"""The smallest buffer with which a scenario reaches a target, by a search with intervals.

| module | what it does |
|---|---|
| ``target`` | "efficiency >= 98 %" |
| ``levels`` | which key is the buffer, and the sizes that may be probed |
| ``question`` | the question, and its possible errors |
| ``verdicts`` | whether a mean reaches the target, decided by simultaneous confidence intervals |
| ``search`` | bisection, and checks of what it takes for granted |
| ``making`` | the runs, as those of a campaign |
| ``answer``, ``rendering`` | what was found; as a table, JSON, CSV and a figure |
"""

from ackclock.sizing.answer import Probe, Sizing
from ackclock.sizing.question import Question
from ackclock.sizing.runs import BufferJudged, RunsFailedError, size_buffer

__all__ = ["BufferJudged", "Probe", "Question", "RunsFailedError", "Sizing", "size_buffer"]
