"""Tables III and IV of the paper beside the simulation, and what follows from their counts.

Source: Parvez et al., sections V and VI. p is (fast recoveries + time-outs) / (bytes / segment
size). Table IV has transfers of 5 MB from Calgary to Japan; there is nothing to simulate, because
of the path only losses and round-trip time are known.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from ackclock.models import NewReno, loss_indication_rate, newreno
from ackclock.studies.machinery.analysis import means_table
from ackclock.studies.newreno import published
from ackclock.studies.newreno.levels import EMULATION
from ackclock.studies.newreno.predictions import FULL, RTTS_IN_RTO, column

_S_PER_MS = 1e-3
_BIT_S_PER_KBPS = 1e3
_MEASURED = ("rtt_s", "p", "timeouts", "fast_retransmits")
_TABLE_III = [
    *("imposed_loss_pct", "throughput_bit_s", "throughput_bit_s_lo", "throughput_bit_s_hi"),
    *("published_bit_s", "ratio", "ratio_lo", "ratio_hi"),
    *(name for measured in _MEASURED for name in (measured, f"published_{measured}")),
    *("model_bit_s", "model_error_pct", "published_model_bit_s", "published_model_error_pct"),
]


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
    found = means_table(its, ["x"], ["throughput_bit_s"])
    means = its.groupby("x", sort=False)[[*_MEASURED, column(FULL)]].mean().reset_index(drop=True)
    found = pd.concat([found, means], axis=1)
    names = {"x": "imposed_loss_pct", column(FULL): "model_bit_s"}
    both = found.rename(columns=names).merge(printed(), on="imposed_loss_pct")
    simulated, in_print = both["throughput_bit_s"], both["published_bit_s"]
    both = both.assign(
        ratio=simulated / in_print,
        ratio_lo=both["throughput_bit_s_lo"] / in_print,
        ratio_hi=both["throughput_bit_s_hi"] / in_print,
        model_error_pct=100 * (both["model_bit_s"] / simulated - 1),
        published_model_error_pct=100 * (both["published_model_bit_s"] / in_print - 1),
    )
    return both[_TABLE_III]


def printed() -> pd.DataFrame:
    """Table III, and what follows from it.

    Returns:
        The column imposed_loss_pct, and those of ``emulation_table`` that begin with published_.
    """
    table, segment = published.emulation(), published.SEGMENT_BYTES
    rtt_s = table["rtt_ms"] * _S_PER_MS
    p = loss_indication_rate(table["timeouts"], table["fast_recoveries"], table["bytes"], segment)
    model = newreno(p, rtt_s, smss_bytes=segment, rto_s=RTTS_IN_RTO * rtt_s)
    return pd.DataFrame(
        {
            "imposed_loss_pct": table["imposed_loss_pct"],
            "published_bit_s": 8 * table["bytes"] / table["duration_s"],
            "published_rtt_s": rtt_s,
            "published_p": p,
            "published_timeouts": table["timeouts"],
            "published_fast_retransmits": table["fast_recoveries"],
            "published_model_bit_s": model.throughput_bit_s,
        }
    )


def internet_table() -> pd.DataFrame:
    """Table IV, computed again.

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
