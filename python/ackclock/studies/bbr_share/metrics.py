"""One run in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ackclock.results.metric import Columns, Number
from ackclock.studies.machinery.measures import metrics, share_of

if TYPE_CHECKING:
    from ackclock.scenario import Facts

SHARE, LEAST_RTT = "bbr_share", "least_rtt_s"
_OTHERS = ("utilisation", "retransmitted_share", "mean_queue")
OF_BESIDE = (SHARE, *_OTHERS)
OF_ALONE = (LEAST_RTT, *_OTHERS)


def beside(columns: Columns, facts: Facts) -> dict[str, Number]:
    """What BBR gets of all that is delivered, from the start on."""
    return {SHARE: share_of(columns, facts, "bbr"), **metrics(columns, facts, *_OTHERS)}


def alone(columns: Columns, facts: Facts) -> dict[str, Number]:
    """The mean over the flows of the least RTT that BBR knows at the end of the run."""
    its = columns["transport"]
    last = its["time_s"] == its["time_s"].max()
    least = float(np.mean(its["min_rtt_s"][last]))
    return {LEAST_RTT: least, **metrics(columns, facts, *_OTHERS)}
