"""What the programme concludes, each conclusion as a test on this study's own results.

Source: OSU, TCP over UBR (002), tasks 1 to 7 and summary. Nothing here knows a published number:
a claim sees the runs and their analysis of variation, and no more. The limits in the statements are
part of the claims. A claim that names no level of a factor is about the mean over the levels that
were run.
"""

from __future__ import annotations

from ackclock.studies.machinery.claims import Claim
from ackclock.studies.osu_tasks.claims import guarantees, sources, switches

CLAIMS: tuple[Claim, ...] = (*switches.CLAIMS, *guarantees.CLAIMS, *sources.CLAIMS)
"""All claims, in the order of the tasks."""
