"""Table III: the transfers of section V, simulated beside printed, and what the model says of both.

Source: Parvez et al., section V. There p is (fast recoveries + time-outs) / (bytes / segment size).
"""

from __future__ import annotations

import pandas as pd

from ackclock.models import loss_indication_rate, newreno
from ackclock.stats import grouped_intervals
from ackclock.studies.newreno import published
from ackclock.studies.newreno.analysis import CONFIDENCE
from ackclock.studies.newreno.levels import EMULATION
from ackclock.studies.newreno.predictions import FULL, RTTS_IN_RTO, column

_S_PER_MS = 1e-3
_MEASURED = ("rtt_s", "p", "timeouts", "fast_retransmits", column(FULL))


def emulation_table(flows: pd.DataFrame) -> pd.DataFrame:
    """Table III beside the simulation.

    Args:
        flows: see ``predictions.flows_table``; those of the part ``EMULATION`` are used.

    Returns:
        A row an imposed loss; columns imposed_loss_pct; throughput_bit_s (simulated) with its 95 %
        interval; published_bit_s = 8 bytes / duration; ratio = simulated / published, ratio_lo,
        ratio_hi; rtt_s, p, timeouts, fast_retransmits (simulated), each followed by the published
        one; model_bit_s (Full, from the simulated inputs), model_error_pct of the simulation;
        published_model_bit_s (Full with RTO = 3R, from the printed counts and RTT) and
        published_model_error_pct of the printed throughput. Empty if that part was not run.
    """
    its = flows[flows["part"] == EMULATION] if len(flows) else flows
    if its.empty:
        return pd.DataFrame()
    found = grouped_intervals(its, ["x"], "throughput_bit_s", CONFIDENCE)
    means = its.groupby("x", sort=False)[list(_MEASURED)].mean().reset_index(drop=True)
    found = pd.concat([found, means], axis=1).rename(columns={"x": "imposed_loss_pct"})
    both = found.merge(printed(), on="imposed_loss_pct")
    model = both[column(FULL)]
    return pd.DataFrame(
        {
            "imposed_loss_pct": both["imposed_loss_pct"],
            "throughput_bit_s": both["mean"],
            "throughput_bit_s_lo": both["lo"],
            "throughput_bit_s_hi": both["hi"],
            "published_bit_s": both["published_bit_s"],
            "ratio": both["mean"] / both["published_bit_s"],
            "ratio_lo": both["lo"] / both["published_bit_s"],
            "ratio_hi": both["hi"] / both["published_bit_s"],
            **{
                name: both[name]
                for measured in _MEASURED[:-1]
                for name in (measured, f"published_{measured}")
            },
            "model_bit_s": model,
            "model_error_pct": 100 * (model / both["mean"] - 1),
            "published_model_bit_s": both["published_model_bit_s"],
            "published_model_error_pct": 100
            * (both["published_model_bit_s"] / both["published_bit_s"] - 1),
        }
    )


def printed() -> pd.DataFrame:
    """Table III, and what follows from it; the columns of ``emulation_table`` that are so named."""
    printed = published.emulation()
    segment = published.SEGMENT_BYTES
    rtt_s = printed["rtt_ms"] * _S_PER_MS
    p = loss_indication_rate(
        printed["timeouts"], printed["fast_recoveries"], printed["bytes"], segment
    )
    model = newreno(p, rtt_s, smss_bytes=segment, rto_s=RTTS_IN_RTO * rtt_s)
    return pd.DataFrame(
        {
            "imposed_loss_pct": printed["imposed_loss_pct"],
            "published_bit_s": 8 * printed["bytes"] / printed["duration_s"],
            "published_rtt_s": rtt_s,
            "published_p": p,
            "published_timeouts": printed["timeouts"],
            "published_fast_retransmits": printed["fast_recoveries"],
            "published_model_bit_s": model.throughput_bit_s,
        }
    )
