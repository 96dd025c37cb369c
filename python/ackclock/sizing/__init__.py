"""Search for the smallest buffer with which a scenario reaches a target.

| module | what it does |
|---|---|
| ``target`` | the target: "efficiency >= 98 %" |
| ``levels`` | the key of the buffer, and the sizes to probe |
| ``question`` | the question, and its possible errors |
| ``verdicts`` | whether a mean reaches the target, decided by simultaneous confidence intervals |
| ``search`` | bisection, and checks of its assumptions |
| ``runs`` | the runs of the search, in a campaign |
| ``answer``, ``rendering`` | the answer; as a table, JSON, CSV and a figure |
"""

from ackclock.sizing.answer import Probe, Sizing
from ackclock.sizing.question import Question
from ackclock.sizing.runs import BufferJudged, RunsFailedError, size_buffer

__all__ = ["BufferJudged", "Probe", "Question", "RunsFailedError", "Sizing", "size_buffer"]
