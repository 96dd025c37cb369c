"""What the paper concludes, each conclusion as a test on this study's own results.

Source: Parvez et al., sections IV and V. Nothing here reads a published number. The limits in the
statements are part of the claims; the one claim that is about Table III sees how far the simulated
throughput is from the printed one as a ratio, which ``emulation`` makes.
"""

from __future__ import annotations

import pandas as pd

from ackclock.studies.common.claims import Claim, verdicts
from ackclock.studies.newreno.claims import imposed, shared
from ackclock.studies.newreno.claims.registry import Study

_ALL = {claim.id: claim for claim in (*imposed.CLAIMS, *shared.CLAIMS)}
CLAIMS: tuple[Claim, ...] = tuple(
    _ALL[id]
    for id in (
        "bernoulli",
        "bernoulli-low-loss-equal",
        "bursty",
        "http-ftp-droptail",
        "http-ftp-red",
        "multi-bottleneck",
        "udp",
        "scaling",
        "buffer",
        "partial-deflation",
        "slow-but-steady",
        "emulation",
    )
)
"""All claims: on the model, then on the variants of NewReno, then on the testbed."""


def claims_table(flows: pd.DataFrame, emulation: pd.DataFrame) -> pd.DataFrame:
    """The verdict on every claim.

    Args:
        flows: see ``predictions.flows_table``.
        emulation: see ``emulation.emulation_table``.

    Returns:
        Columns id, holds ("true", "false", or "" where a part that it needs was not run),
        evidence, source, statement.
    """
    study = Study(flows, emulation)
    return verdicts(CLAIMS, study, study.missing)
