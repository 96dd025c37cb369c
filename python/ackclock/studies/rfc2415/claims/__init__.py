"""What the RFC concludes, each conclusion as a test on this study's own results.

Source: RFC 2415, sections 2 to 4. Nothing here knows a published number: a claim sees the runs of
this study, and no more.
"""

from __future__ import annotations

import pandas as pd

from ackclock.studies.common.claims import Claim, verdicts
from ackclock.studies.rfc2415.claims import http10, http11, other_parts
from ackclock.studies.rfc2415.claims.registry import Study

CLAIMS: tuple[Claim, ...] = (*http10.CLAIMS, *http11.CLAIMS, *other_parts.CLAIMS)
"""All claims, in the order of the RFC's parts."""


def claims_table(runs: pd.DataFrame) -> pd.DataFrame:
    """The verdict on every claim.

    Args:
        runs: one row a run, with the clock of pages chosen; see ``analysis.with_clock``.

    Returns:
        Columns id, holds ("true", "false", or "" where something that it needs was not run),
        evidence, source, statement.
    """
    study = Study(runs)
    return verdicts(CLAIMS, study, study.missing)
