"""What the paper concludes, each conclusion as a test on this study's own results.

Source: ATM Forum 98-0876, sections 6 and 7. Nothing here knows a published number: a claim sees the
means over the replications and their analysis of variation, and no more.
"""

from __future__ import annotations

import pandas as pd

from ackclock.studies.common.claims import Claim, verdicts
from ackclock.studies.ubr_web.analysis import Analyses
from ackclock.studies.ubr_web.claims import across_links, satellite, wan_efficiency, wan_fairness
from ackclock.studies.ubr_web.claims.registry import Study

CLAIMS: tuple[Claim, ...] = (
    *wan_efficiency.CLAIMS,
    *wan_fairness.CLAIMS,
    *satellite.CLAIMS,
    *across_links.CLAIMS,
)
"""All claims, in the order of the paper."""


def claims_table(results: pd.DataFrame, found: Analyses) -> pd.DataFrame:
    """The verdict on every claim.

    Args:
        results: means over replications; see ``analysis.results_table``.
        found: their analysis of variation.

    Returns:
        Columns id, holds ("true", "false", or "" where a link was not analysed), evidence, source,
        statement.
    """
    analysed = {link for link, _ in found}

    def missing(links: tuple[str, ...]) -> str:
        absent = ", ".join(link for link in links if link not in analysed)
        return absent and f"no analysis of {absent}"

    return verdicts(CLAIMS, Study(results, found), missing)
