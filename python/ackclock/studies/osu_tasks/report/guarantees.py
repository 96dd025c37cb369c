"""Tasks 4a and 4b: minimum cell rates of VCs over GFR, and a guaranteed rate for UBR."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from ackclock.plots.effects import main_effects
from ackclock.plots.panels import Mark
from ackclock.plots.style import PUBLISHED, SIMULATED
from ackclock.plurals import listed
from ackclock.report.blocks import Drawing, drawing
from ackclock.report.numbers import fixed, interval, signed
from ackclock.stats import mean_interval
from ackclock.studies.machinery.analysis import EFFECT_CONFIDENCE
from ackclock.studies.machinery.experiment import Experiment, Task
from ackclock.studies.machinery.figures import axis
from ackclock.studies.machinery.running import PartRuns
from ackclock.studies.machinery.tables import Column
from ackclock.studies.osu_tasks.levels import (
    DROP_POLICIES,
    EFFICIENCY,
    GROUPS,
    NO_SHARE,
    SMALL_SHARE,
    TAIL,
)

_PS_PER_MS = 10**9
_ALONE, _ALL = "alone", "over all"
_KINDS = {
    _ALL: (SIMULATED, "(mean over all else)"),
    _ALONE: (PUBLISHED, "(alone, from tail drop without a guarantee)"),
}
"""Of gains, with how they look and what they are."""
_PLACE, _VCS = "link and buffer", "link and number of VCs"
_POINT = ["link", "buffer", "tcp_flavor", "drop_policy", "share"]
_PERCENT = 0.01
_LEAST, _LOST = "mcr_share", "eligible_lost_share"
_FAIR, _FAIR_BY_MCR = "excess_fairness", "excess_fairness_proportional"
_LOST_NAME = "Eligible frames lost (%)"
_FAIR_NAMES = ("Fairness of the excess, equal", "Fairness of the excess, by MCR")
_THE_MCR = Mark(1.0, "the MCR")
_GUARANTEES = (
    Column(_LEAST, "Least share of an MCR"),
    Column("mcr_share_mean", "Mean share"),
    Column(_LOST, _LOST_NAME, unit=_PERCENT),
    Column(_FAIR, _FAIR_NAMES[0]),
    Column(_FAIR_BY_MCR, _FAIR_NAMES[1]),
    Column("utilisation", "Utilisation"),
    Column("timeouts", "Time-outs", decimals=1),
)


def _percent(share: float) -> str:
    return f"{100 * share:g}\u00a0%"


_RESERVED = f"{_percent(SMALL_SHARE)} for UBR"


def guaranteed_rate(its: Experiment) -> Task:
    """The section of task 4b."""
    vbr = its.scenario.topology.background[0]
    shares, place = its.levels("share"), its.results["link"] + ", " + its.results["buffer"]
    results = its.results.assign(**{_PLACE: place + " buffer"})
    some = [_percent(each) for each in shares if each]
    guaranteed = axis("share", shares, "Guaranteed to UBR", _percent)
    return Task(
        question=(
            "Variable bit rate (VBR) traffic blocks UBR traffic for long times. Does it help to "
            "guarantee a small part of the line to UBR, and does it help more than a better drop "
            "policy?"
        ),
        experiment=(
            f"15 sources with endless data cross a trunk of {its.rate} over UBR "
            f"({its.listed('link')}) beside VBR traffic of a higher priority, which is on at "
            f"{vbr.rate / 1e6:g} Mbit/s for {vbr.on / _PS_PER_MS:g} ms and off for "
            f"{vbr.off / _PS_PER_MS:g} ms; nothing, {listed(some)} of the line is guaranteed to "
            f"UBR, with two buffers, {len(its.levels('drop_policy'))} drop policies "
            f"({its.listed('drop_policy')}) and {len(its.levels('tcp_flavor'))} TCPs "
            f"({its.listed('tcp_flavor')}), on GEO in part; {its.replicated}."
        ),
        figures=(
            its.figure(
                "guaranteed-rate-gains",
                f"Gain of efficiency by guaranteeing {_percent(SMALL_SHARE)} of the line to UBR, "
                "and by a drop policy other than tail drop. Filled markers: mean over all other "
                "factors. Hollow markers: this change alone, starting from tail drop without a "
                "guarantee. Second drawing: efficiency against the guaranteed part, mean over "
                "buffers and TCPs.",
                [
                    _gains_drawing(its),
                    its.means(
                        EFFICIENCY,
                        its.over("link", "drop_policy", "share"),
                        x=guaranteed,
                        series="drop_policy",
                        facet="link",
                    ),
                ],
                bars="90\u00a0% intervals of gains, 95\u00a0% intervals of means",
            ),
            its.figure(
                "guaranteed-rate-flavors",
                "Efficiency against the part of the line that is guaranteed to UBR, by TCP and "
                "buffer; efficiency is the used share of the capacity that VBR leaves.",
                [
                    its.means(
                        EFFICIENCY,
                        rows,
                        x=guaranteed,
                        series="drop_policy",
                        facet=_PLACE,
                        of=str(flavor),
                    )
                    for flavor, rows in results.groupby("tcp_flavor", sort=False)
                ],
            ),
        ),
        answer=_gained(its),
        tables=(
            *its.tables(
                "guaranteed-rate-{}-table",
                "by the guaranteed part",
                {"place": "Link, buffer, TCP", "drop_policy": "Drop policy"},
                [
                    Column("", f"{_percent(share)} for UBR", where={"share": share})
                    for share in shares
                ],
                results.assign(place=results[_PLACE] + ", " + results["tcp_flavor"]),
            ),
            its.allocation_table(),
        ),
    )


def gains(its: PartRuns) -> pd.DataFrame:
    """What a guarantee of 10 % and what each drop policy add to efficiency, by link.

    Over all: the difference of two means over all that was run with both levels. Alone: from tail
    drop without a guarantee, over the TCP flavors.

    Returns:
        Columns link, change, kind (``_ALL`` or ``_ALONE``), mean, lo, hi: 90 % intervals over the
        replications.
    """
    changes = [("share", SMALL_SHARE, NO_SHARE, _RESERVED)]
    changes += [("drop_policy", each, TAIL, each) for each in DROP_POLICIES if each != TAIL]
    found = []
    for link, runs in its.runs.groupby("link", sort=False):
        alone = {"share": runs["drop_policy"] == TAIL, "drop_policy": runs["share"] == NO_SHARE}
        for factor, level, base, name in changes:
            for kind, rows in ((_ALL, runs), (_ALONE, runs[alone[factor]])):
                values = _by_replication(rows, factor, level, base)
                if values.size:
                    gain = mean_interval(values, EFFECT_CONFIDENCE)
                    found.append((link, name, kind, gain.mean, gain.lo, gain.hi))
    return pd.DataFrame(found, columns=["link", "change", "kind", "mean", "lo", "hi"])


def _by_replication(runs: pd.DataFrame, factor: str, level: object, base: object) -> np.ndarray:
    """Efficiency at a level less that at another, mean over what was run with both."""
    others = [name for name in _POINT if name != factor]
    table = runs.pivot_table(EFFICIENCY, [*others, "replication"], factor)
    if not {level, base} <= set(table.columns):
        return np.array([])
    difference = (table[level] - table[base]).dropna()
    return difference.groupby("replication").mean().to_numpy()


def _gains_drawing(its: Experiment) -> Drawing | None:
    table = gains(its.made)
    if table.empty:
        return None
    at = ["link", "change"]
    rows = table[at].drop_duplicates()
    for kind in _KINDS:
        ends = {"mean": kind, "lo": f"{kind}_lo", "hi": f"{kind}_hi"}
        of_kind = table[table["kind"] == kind].rename(columns=ends)
        rows = rows.merge(of_kind[[*at, *ends.values()]], on=at, how="left")
    drawn = main_effects(
        rows.rename(columns={"link": "factor", "change": "level"}),
        x_name="Gain of efficiency",
        sources={kind: look for kind, (look, _) in _KINDS.items()},
    )
    title = "Gain of efficiency by a guarantee and by drop policies"
    text = "For each link and change its gain with its interval."
    return drawing(drawn, "guaranteed-rate-gains-drawing", title, text)


def _gained(its: Experiment) -> list[str]:
    found = []
    for (link, kind), rows in gains(its.made).groupby(["link", "kind"], sort=False):
        described = ", ".join(
            " ".join(filter(None, [row.change, signed(row.mean, 3), interval(row.lo, row.hi, 3)]))
            for row in rows.itertuples(index=False)
        )
        found.append(f"{link}, gain of efficiency {_KINDS[kind][1]}: {described}.")
    return found


def gfr(its: Experiment) -> Task:
    """The section of task 4a."""
    results = its.results
    place = results["link"] + ", " + results["sources"].map("{} VCs".format)
    results = results.assign(**{_VCS: place})
    keys = {_VCS: "Link, VCs", "port": "Queueing, policy"}
    return Task(
        question=(
            "What must a switch do to give every virtual circuit (VC) the minimum cell rate (MCR) "
            "of its contract, to share the remaining capacity fairly, and to lose no eligible "
            "frame?"
        ),
        experiment=(
            f"{its.listed('sources')} VCs with one SACK source each cross a trunk of {its.rate} "
            f"({its.listed('link')}); their MCRs are as 1 to {max(GROUPS)} in {len(GROUPS)} "
            "groups. The switches queue them in one FIFO or in a queue for each VC with weighted "
            "fair service, and refuse frames by EPD, by EPD with a second threshold for tagged "
            f"frames, or by DFBA{_tagging(its)}; {its.replicated}."
        ),
        figures=(
            its.figure(
                "gfr-groups",
                "Rate that the VCs of each group delivered in whole frames, divided by their MCR, "
                "means over the group. Below the dashed line a guarantee is not kept.",
                [
                    its.means(
                        "share",
                        _by_group(results),
                        x=axis("group", GROUPS, "MCR / smallest MCR"),
                        series="port",
                        facet=_VCS,
                        y_name="Delivered / MCR",
                        mark=_THE_MCR,
                        most=None,
                    )
                ],
            ),
            its.figure(
                "gfr-guarantees",
                "Least share of its MCR that a VC received; eligible frames that were lost; and "
                "how fairly the VCs shared the capacity beyond the MCRs (Jain's index), in equal "
                "parts or in proportion to the MCRs.",
                [
                    its.means(
                        metric,
                        x="port",
                        series=axis("sources", its.levels("sources"), text="{} VCs".format),
                        facet="link",
                        y_name=name,
                        joined=False,
                        **how,
                    )
                    for metric, name, how in (
                        (_LEAST, "Least delivered / MCR", {"mark": _THE_MCR, "most": None}),
                        (_LOST, _LOST_NAME, {"unit": _PERCENT, "most": 1 / _PERCENT}),
                        (_FAIR, _FAIR_NAMES[0], {}),
                        (_FAIR_BY_MCR, _FAIR_NAMES[1], {}),
                    )
                ],
            ),
        ),
        answer=_guaranteed(results),
        tables=(
            its.table(
                "gfr-table",
                "Guarantees and excess capacity: {}. Least share: of the VC that received the "
                "smallest share of its MCR in a run. Fairness of the excess: Jain's index of the "
                "rates that the VCs received beyond their MCRs, as they are and divided by the "
                "MCR.",
                keys,
                _GUARANTEES,
                results,
            ),
            its.table(
                "gfr-groups-table",
                "Delivered rate over MCR by group of VCs: {}. The name of a group is its MCR "
                "divided by that of the first group.",
                keys,
                [Column(f"group_{group}_mcr_share", f"{group} MCR") for group in GROUPS],
                results,
            ),
        ),
    )


def _tagging(its: Experiment) -> str:
    """Where frames that are not eligible are not tagged."""
    without = dict.fromkeys(
        str(point.levels["port"])
        for point in its.scenario.points()
        if not point.scenario.topology.gfr.tagging
    )
    text = "; frames that are not eligible are tagged"
    return f"{text}, but not with {listed(list(without))}" if without else text


def _by_group(results: pd.DataFrame) -> pd.DataFrame:
    """What the VCs of each group delivered, as the metric "share" of a factor "group"."""
    ends = ("share", "share_lo", "share_hi")
    frames = [
        results.assign(group=group, **{end: results[f"group_{group}_mcr_{end}"] for end in ends})
        for group in GROUPS
    ]
    return pd.concat(frames, ignore_index=True)


def _guaranteed(results: pd.DataFrame) -> list[str]:
    """What each kind of port keeps, a sentence each."""
    found = []
    for port, rows in results.groupby("port", sort=False):
        described = []
        if (least := _extreme(rows, _LEAST, pd.Series.idxmin)) is not None:
            described.append(
                f"the VC with the least gets {fixed(least[_LEAST])} of its MCR ({least[_VCS]})"
            )
        if (most := _extreme(rows, _LOST, pd.Series.idxmax)) is not None:
            described.append(
                f"up to {100 * most[_LOST]:.3f}\u00a0% of the eligible frames are lost "
                f"({most[_VCS]})"
            )
        fair = rows[_FAIR].dropna()
        if len(fair):
            described.append(
                f"fairness of the excess {fixed(fair.min(), 2)} to {fixed(fair.max(), 2)}"
            )
        if described:
            found.append(f"{port[0].upper()}{port[1:]}: {'; '.join(described)}.")
    return found


def _extreme(
    rows: pd.DataFrame, metric: str, which: Callable[[pd.Series], object]
) -> pd.Series | None:
    """The row with the least or the most of a metric; nothing where no row has it."""
    return rows.loc[which(rows[metric])] if rows[metric].notna().any() else None
