"""What the programme concludes, each conclusion as a test on this study's own results.

Source: OSU, TCP over UBR (002), tasks 1 to 7 and summary. Nothing here knows a published number:
a claim sees the runs and their analysis of variation, and no more. The limits in the statements are
part of the claims.
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from ackclock.studies.common.claims import Claim, verdicts
from ackclock.studies.osu_tasks.analysis import Analyses
from ackclock.studies.osu_tasks.claims import (
    buffers,
    bursty,
    gfr,
    guaranteed_rate,
    policies,
    retransmit,
    windows,
)
from ackclock.studies.osu_tasks.claims.registry import Study

CLAIMS: tuple[Claim, ...] = (
    *policies.CLAIMS,
    *buffers.CLAIMS,
    *guaranteed_rate.CLAIMS,
    *gfr.CLAIMS,
    *bursty.CLAIMS,
    *windows.CLAIMS,
    *retransmit.CLAIMS,
)
"""All claims, in the order of the tasks."""


def claims_table(runs: Mapping[str, pd.DataFrame], found: Mapping[str, Analyses]) -> pd.DataFrame:
    """The verdict on every claim.

    Args:
        runs: of each part that was run, see ``runs.run_all``.
        found: the analyses of their variation.

    Returns:
        Columns id, holds ("true", "false", or "" where a part or replications are missing),
        evidence, source, statement.
    """
    study = Study(runs, found)
    return verdicts(CLAIMS, study, study.missing)
