"""Simulated and emulated runs side by side, and what follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from math import nan
from typing import TYPE_CHECKING, Any

import pandas as pd

from ackclock.kernel_validation.parts import PARTS, SHARE, Place
from ackclock.results.emulated import verdict_numbers

if TYPE_CHECKING:
    from ackclock.campaign import Campaign, Run
    from ackclock.kernel_validation.runs import Made, MadePart

NOT_AVAILABLE, FAILED, MISSING = "not available", "failed", "not made"
USABLE = ("valid", "degraded")
"""Verdicts of runs from which conclusions are drawn."""
_SIMULATED, _KERNEL = "simulated", "kernel"
_OF_RUN = ("goodput_bit_s", "segments_sent", "timeouts", "fast_retransmits", "drops", "losses")
_SHARE = "share"
_OF_FLOW = ("rtt_s", "first_rto_s", "segments_retransmitted")
_WORDS = ("levels", "number", "congestion", "missing")
POINT = ("part", "tcp", "rate_bit_s", "rtt_s", "buffer_packets", "bdp", "loss")
"""Columns that name a point."""


def compare(made: Made) -> pd.DataFrame:
    """A row a point and replication.

    Returns:
        Columns part, tcp, rate_bit_s, rtt_s, buffer_packets, bdp, loss, replication, seed; for
        each quantity X of a run (goodput_bit_s, segments_sent, timeouts, fast_retransmits, drops,
        losses; of its first flow rtt_s, first_rto_s, segments_retransmitted; of two flows share,
        what the first gets of both) simulated_X and kernel_X; ratio, the
        kernel's throughput over the simulated; verdict (of the emulated run, or "not available",
        "failed", "not made") and why, late_p50_us, late_p99_us, late_max_us, missed_share,
        stolen_s, scheduling, duration_s. A number that does not exist is nan.
    """
    rows = [
        row
        for part in made.parts
        for place in part.part.places
        for row in _rows(part, place, made.request.runs_of(part.part))
    ]
    return pd.DataFrame(rows)


def _rows(part: MadePart, place: Place, replications: int) -> list[dict[str, Any]]:
    about = {name: value for name, value in asdict(place).items() if name not in _WORDS}
    simulated, emulated = _runs(part.simulated, place), _runs(part.emulated, place)
    failed = {
        failure.replication: failure.reason
        for failure in (part.emulated.failures if part.emulated else ())
        if failure.levels == place.levels
    }
    rows = []
    for replication in range(replications):
        one, other = simulated.get(replication), emulated.get(replication)
        row = about | {"replication": replication, "seed": one.seed if one else None}
        row |= _measured(_SIMULATED, one, place) | _measured(_KERNEL, other, place)
        ratio = _ratio(row[f"{_KERNEL}_goodput_bit_s"], row[f"{_SIMULATED}_goodput_bit_s"])
        described = _described(other) if other else _unreported(place, failed.get(replication))
        rows.append(row | {"ratio": ratio} | described)
    return rows


def _runs(campaign: Campaign | None, place: Place) -> dict[int, Run]:
    """The runs of a place by replication."""
    runs = campaign.runs if campaign else ()
    return {run.replication: run for run in runs if run.levels == place.levels}


def _measured(kind: str, run: Run | None, place: Place) -> dict[str, float]:
    """The quantities of a run; both ends of each flow are in the row's table of flows."""
    if run is None:
        return {f"{kind}_{name}": nan for name in (*_OF_RUN, *_OF_FLOW, _SHARE)}
    found = {name: float(run.row[name]) for name in _OF_RUN}
    found |= {name: float(run.row["flows"][name][0]) for name in _OF_FLOW}
    found[_SHARE] = _share(run.row["flows"]) if PARTS[place.part].what == SHARE else nan
    return {f"{kind}_{name}": value for name, value in found.items()}


def _share(flows: Mapping[str, Any]) -> float:
    """What the first flow gets of all."""
    rates = [float(each) for each in flows["goodput_bit_s"]]
    return _ratio(rates[0], sum(rates))


def _ratio(one: float, other: float) -> float:
    return one / other if other else nan


def _described(run: Run) -> dict[str, Any]:
    """What the table says about an emulated run."""
    described: Mapping[str, Any] = run.row["emulation"]
    return {
        **verdict_numbers(described),
        "why": "; ".join(described["reasons"]),
        "scheduling": described["scheduling"],
        "duration_s": described["duration_s"],
    }


def _unreported(place: Place, reason: str | None) -> dict[str, Any]:
    """Why there is no emulated run."""
    verdict, why = MISSING, ""
    if not place.available:
        named = " and ".join(place.missing)
        verdict, why = NOT_AVAILABLE, f"this kernel has no congestion control {named}"
    elif reason is not None:
        verdict, why = FAILED, reason
    return {"verdict": verdict, "why": why}


def points(rows: pd.DataFrame) -> pd.DataFrame:
    """A row a point: sums over the replications whose emulated run is usable.

    Args:
        rows: of ``compare``.

    Returns:
        The columns of ``rows`` that name the point; runs and usable (numbers of runs), verdicts (a
        list); simulated_X, kernel_X and duration_s, means over the usable replications (over all
        if none is usable); ratio of the means of goodput; apart, what the part compares: how far
        the ratio is from 1, or the kernel's share from the simulated one (both nan if no run is
        usable); and within, whether that is at most the part's limit (False also if it is nan).
    """
    kinds = (f"{_SIMULATED}_", f"{_KERNEL}_", "duration_s")
    quantities = [name for name in rows if name.startswith(kinds)]
    found = []
    for key, its in rows.groupby(list(POINT), sort=False):
        usable = its[its["verdict"].isin(USABLE)]
        means = (usable if len(usable) else its)[quantities].mean()
        ratio = nan
        if len(usable):
            ratio = _ratio(means[f"{_KERNEL}_goodput_bit_s"], means[f"{_SIMULATED}_goodput_bit_s"])
        counts = {"runs": len(its), "usable": len(usable), "verdicts": list(its["verdict"])}
        about = dict(zip(POINT, key, strict=True))
        apart = _apart(about["part"], ratio, means) if len(usable) else nan
        within = abs(apart) <= PARTS[about["part"]].limit
        judged = {"ratio": ratio, "apart": apart, "within": within}
        found.append(about | counts | dict(means) | judged)
    return pd.DataFrame(found)


def _apart(part: str, ratio: float, means: Mapping[str, float]) -> float:
    if PARTS[part].what == SHARE:
        return means[f"{_KERNEL}_{_SHARE}"] - means[f"{_SIMULATED}_{_SHARE}"]
    return ratio - 1
