"""What the paper concludes, each conclusion as a test on this study's own results.

Source: ATM Forum 98-0876, sections 6 and 7. Nothing here reads a published number: a claim sees the
means over the replications and their analysis of variation, and no more.
"""

from __future__ import annotations

from ackclock.studies.ubr_web.claims import satellite, wan

CLAIMS = (*wan.CLAIMS, *satellite.CLAIMS)
"""All claims, in the order of the paper."""
