"""What the paper concludes, each conclusion as a test on this study's own results.

Source: Vandalore et al., sections 6 and 7. Nothing here reads a published number: a claim sees the
runs of Table 2 and the bounds that follow from the scenario, and no more.
"""

from __future__ import annotations

import pandas as pd

from ackclock.studies.abr_web.bounds import Bounds
from ackclock.studies.abr_web.claims import table2
from ackclock.studies.abr_web.claims.registry import Study
from ackclock.studies.common.claims import Claim, verdicts

CLAIMS: tuple[Claim, ...] = tuple(table2.CLAIMS)
"""All claims, in the order of the paper."""


def claims_table(runs: pd.DataFrame, bounds: Bounds) -> pd.DataFrame:
    """The verdict on every claim.

    Args:
        runs: see ``analysis.in_bounds``.
        bounds: of the scenario.

    Returns:
        Columns id, holds ("true", "false", or "" where something that it needs was not run),
        evidence, source, statement.
    """
    study = Study(runs, bounds)
    return verdicts(CLAIMS, study, study.missing)
