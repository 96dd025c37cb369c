"""What each formula predicts for each run of a measured flow, from what that run measured.

Source: Parvez et al., section IV-A for the inputs: p = loss events over segments sent, q = p (in
section IV-B q is that of Eq. 30), R measured at the sender, RTO = 3R. In section V loss events are
not observed: p = (fast recoveries + time-outs) / (bytes / segment size). Beside these, what a
measured RTO and a measured q would change.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import nan

import numpy as np
import pandas as pd

from ackclock.models import MODELS, estimate_flows, loss_indication_rate
from ackclock.scenario import Scenario
from ackclock.scenario.compile.groups import groups
from ackclock.scenario.presets import with_presets
from ackclock.studies.newreno.levels import BURSTY, EMULATION, FLOWS, POINT, VARIANTS
from ackclock.studies.newreno.metrics import FLOW_METRICS

SQUARE_ROOT, PFTK, PFTK_FULL = "square_root", "pftk_simple", "pftk_full"
NOTO, FULL = "newreno_noto", "newreno"
MODEL_NAMES = {
    SQUARE_ROOT: "square root",
    PFTK: "PFTK",
    PFTK_FULL: "PFTK, full",
    NOTO: "NewReno, NoTO",
    FULL: "NewReno, Full",
}
"""The formulas of ``ackclock.models``, from the simplest on. "PFTK" is what the paper calls so: its
Table I has the approximate one."""
PAPER, MEASURED_RTO, MEASURED_Q = INPUTS = ("paper", "measured_rto", "measured_q")
"""Where RTO and q come from; each but the first differs from it in one of the two."""
_TAKES = {
    PAPER: tuple(MODEL_NAMES),
    MEASURED_RTO: (PFTK, PFTK_FULL, FULL),
    MEASURED_Q: (NOTO, FULL),
}
PREDICTIONS = tuple((model, inputs) for inputs in INPUTS for model in _TAKES[inputs])
"""All pairs of a model and its inputs."""
RTTS_IN_RTO = 3
_TIMESTAMPS_BYTES = 12


def column(model: str, inputs: str = PAPER) -> str:
    """Name of the column of a prediction."""
    return f"{model}_bit_s" if inputs == PAPER else f"{model}_{inputs}_bit_s"


def payload_bytes(its: Scenario) -> int:
    """Data of a full segment of the measured flows: without the timestamps."""
    tcp = with_presets(groups(its)[0].sender_tcp)
    return tcp.smss - (_TIMESTAMPS_BYTES if tcp.timestamps else 0)


def flows_table(runs: pd.DataFrame, payload_bytes: Mapping[str, int]) -> pd.DataFrame:
    """A row a run and a measured flow, with what the formulas predict for it.

    Args:
        runs: a row a run: columns of ``Point``, replication, and those of ``metrics.measure``.
        payload_bytes: data of a full segment of the measured flows, by part.

    Returns:
        Columns of ``Point``, flow, replication; those of ``metrics.FLOW_METRICS``; p, loss_rate, q
        (1), rto_s (3R); ``column(model, inputs)`` of each of ``PREDICTIONS``, bit/s, nan where
        there is nothing to predict from, as without any loss.
    """
    parts = [_of_flow(runs, flow) for flow in FLOWS if f"{flow}_{FLOW_METRICS[0]}" in runs]
    if not parts:
        return pd.DataFrame()
    table = pd.concat(parts).sort_index(kind="stable").reset_index(drop=True)
    its = estimate_flows(table)
    smss_bytes = table["part"].map(payload_bytes).to_numpy(dtype=float)
    p = _loss_event_rate(table, its.p, smss_bytes)
    bursts = table["part"].isin((BURSTY, VARIANTS)).to_numpy()
    q = np.where(bursts, its.q, p)
    rto_s = RTTS_IN_RTO * its.rtt_s
    table = table.assign(p=p, loss_rate=its.loss_rate, q=q, rto_s=rto_s)
    common = {"p": p, "rtt_s": its.rtt_s, "smss_bytes": smss_bytes}
    given = {
        PAPER: {"q": q, "rto_s": rto_s},
        MEASURED_RTO: {"q": q, "rto_s": its.rto_s},
        MEASURED_Q: {"q": its.q, "rto_s": rto_s},
    }
    predicted = {
        column(model, inputs): _predicted(model, {**common, **given[inputs]})
        for model, inputs in PREDICTIONS
    }
    return table.assign(**predicted)


def _of_flow(runs: pd.DataFrame, flow: str) -> pd.DataFrame:
    """The rows of one of the measured flows, as far as it was there."""
    names = {f"{flow}_{name}": name for name in FLOW_METRICS}
    its = runs[[*POINT, "replication", *names]].rename(columns=names)
    its.insert(len(POINT), "flow", flow)
    return its[its["throughput_bit_s"].notna()]


def _loss_event_rate(table: pd.DataFrame, p: np.ndarray, smss_bytes: np.ndarray) -> np.ndarray:
    """That of the losses, or in section V that of what the sender has seen."""
    seen = (table["part"] == EMULATION).to_numpy() & (table["delivered_bytes"] > 0).to_numpy()
    rows = table[seen]
    found = p.copy()
    found[seen] = loss_indication_rate(
        rows["timeouts"], rows["fast_retransmits"], rows["delivered_bytes"], smss_bytes[seen]
    )
    return found


def _predicted(model: str, given: Mapping[str, np.ndarray]) -> np.ndarray:
    """The predictions of one formula, shape (rows,)."""
    takes = {
        name: values
        for name, values in given.items()
        if name in ("p", "rtt_s", "smss_bytes", *MODELS[model].takes)
    }
    there = np.all([np.isfinite(values) for values in takes.values()], axis=0)
    there &= (given["p"] > 0) & (given["p"] < 1)
    found = np.full(there.shape, nan)
    if there.any():
        chosen = {name: values[there] for name, values in takes.items()}
        found[there] = MODELS[model](**chosen).throughput_bit_s
    return found
