"""Table IV: what follows from its printed counts, and what does not.

Source: Parvez et al., section VI. Transfers of 5 MB from Calgary to Japan; there is nothing to be
simulated, because the path is unknown but for its losses and its round-trip time.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from ackclock.models import NewReno, loss_indication_rate, newreno
from ackclock.studies.newreno import published
from ackclock.studies.newreno.predictions import RTTS_IN_RTO

_BIT_S_PER_KBPS = 1e3
_S_PER_MS = 1e-3


def internet_table() -> pd.DataFrame:
    """Table IV, reckoned again.

    Returns:
        A row an experiment, in the printed order: imposed_loss_pct; p (of the counts) and
        published_p; throughput_bit_s (bytes over duration) and published_bit_s; model_bit_s (Full,
        q = p, RTO = 3R) and its error of the throughput, model_error_pct; published_model_bit_s
        and published_model_error_pct; implied_rto_s, the time-out with which the formula gives the
        printed prediction, implied_rto_rtts, the same in round-trip times.
    """
    printed = published.internet()
    segment, size = published.SEGMENT_BYTES, published.FILE_BYTES
    p = loss_indication_rate(printed["timeouts"], printed["fast_recoveries"], size, segment)
    rtt_s = (printed["rtt_ms"] * _S_PER_MS).to_numpy(dtype=float)
    throughput = 8 * size / printed["duration_s"]
    found = newreno(p, rtt_s, smss_bytes=segment, rto_s=RTTS_IN_RTO * rtt_s)
    model = found.throughput_bit_s
    described = printed["model_kbps"].to_numpy() * _BIT_S_PER_KBPS
    implied = _implied_rto_s(found, p, described)
    return pd.DataFrame(
        {
            "imposed_loss_pct": printed["imposed_loss_pct"],
            "p": p,
            "published_p": printed["loss_event_rate_pct"] / 100,
            "throughput_bit_s": throughput,
            "published_bit_s": printed["measured_kbps"] * _BIT_S_PER_KBPS,
            "model_bit_s": model,
            "model_error_pct": 100 * (model / throughput - 1),
            "published_model_bit_s": described,
            "published_model_error_pct": 100 * (described / throughput - 1),
            "implied_rto_s": implied,
            "implied_rto_rtts": implied / rtt_s,
        }
    )


def _implied_rto_s(model: NewReno, p: np.ndarray, throughput_bit_s: np.ndarray) -> np.ndarray:
    """The time-out with which Eq. 29 gives a throughput; it stands in one term of the period.

    Args:
        model: at the same p and round-trip time, with any time-out.
        p: loss event rate.
        throughput_bit_s: what it is to give, bit/s.
    """
    period = model.cafr_segments * 8 * published.SEGMENT_BYTES / throughput_bit_s
    recovery = (1 - model.p_timeout) * model.recovery_s
    timeouts = period - model.linear_s - model.beta_s - recovery
    timeout = timeouts / model.p_timeout - model.slow_start_s
    return timeout / (1 + 2 * p + 4 * p**2)
