"""Task 4b: a guaranteed rate for UBR beside VBR."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure as Drawing

from ackclock.plots.effects import main_effects
from ackclock.plots.panels import Axis, panels
from ackclock.plots.style import PUBLISHED, SIMULATED
from ackclock.report.blocks import (
    Cell,
    Figure,
    Row,
    Table,
    drawing,
    heading,
    number,
    number_heading,
    row_heading,
)
from ackclock.report.numbers import fixed, half_width, interval, signed
from ackclock.report.osu_tasks import looks
from ackclock.report.osu_tasks.section import (
    Section,
    bars,
    halves,
    levels,
    listed,
    means,
    pooled,
    replicated,
    source,
)
from ackclock.report.osu_tasks.variation import allocation_table
from ackclock.stats import mean_interval
from ackclock.studies.osu_tasks.analysis import EFFECT_CONFIDENCE
from ackclock.studies.osu_tasks.levels import DROP_POLICIES, TAIL
from ackclock.studies.osu_tasks.levels_ubr_class import NO_SHARE, SMALL_SHARE
from ackclock.studies.osu_tasks.result import OsuTasksResult, PartResult

PART = "guaranteed-rate"
_METRICS = ("efficiency", "fairness")
_RESERVED = f"{SMALL_SHARE:.0%} for UBR".replace("%", "\u00a0%")
_ALONE, _ALL = "alone", "over all"
_LOOKS = {_ALL: SIMULATED, _ALONE: PUBLISHED}
_POINT = ["link", "buffer", "tcp_flavor", "drop_policy", "share"]
_PS_PER_MS = 10**9


def describe(result: OsuTasksResult, part: PartResult) -> Section:
    """The section of the part."""
    shares = [_percent(each) for each in levels(part, "share") if each]
    topology = part.scenario.topology
    vbr = topology.background[0]
    policies, flavors = levels(part, "drop_policy"), levels(part, "tcp_flavor")
    experiment = (
        f"15 sources with endless data cross a trunk of {topology.trunk.rate / 1e6:g} Mbit/s over "
        f"UBR ({listed(levels(part, 'link'))}) beside VBR traffic of a higher priority, which is "
        f"on at {vbr.rate / 1e6:g} Mbit/s for {vbr.on / _PS_PER_MS:g} ms and off for "
        f"{vbr.off / _PS_PER_MS:g} ms; nothing, {listed(shares)} of the line is guaranteed to UBR, "
        f"with two buffers, {len(policies)} drop policies ({listed(policies)}) and "
        f"{len(flavors)} TCPs ({listed(flavors)}), on GEO in part; {replicated(part)}."
    )
    return Section(
        question=(
            "VBR traffic takes the line from UBR for long times. Does it help to guarantee a small "
            "part of the line to UBR, and does it help more than a better drop policy?"
        ),
        experiment=experiment,
        figures=(_gains_figure(result, part), _flavors_figure(result, part)),
        answer=_answer(part),
        tables=(*(_table(part, metric) for metric in _METRICS), allocation_table(part, "link")),
    )


def gains(part: PartResult) -> pd.DataFrame:
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
    for link in levels(part, "link"):
        runs = part.runs[part.runs["link"] == link]
        alone = {"share": runs["drop_policy"] == TAIL, "drop_policy": runs["share"] == NO_SHARE}
        for factor, level, base, name in changes:
            for kind, its in ((_ALL, runs), (_ALONE, runs[alone[factor]])):
                values = _by_replication(its, factor, level, base)
                if values.size:
                    described = mean_interval(values, EFFECT_CONFIDENCE)
                    found.append((link, name, kind, described.mean, described.lo, described.hi))
    return pd.DataFrame(found, columns=["link", "change", "kind", "mean", "lo", "hi"])


def _by_replication(runs: pd.DataFrame, factor: str, level: object, base: object) -> np.ndarray:
    """Efficiency at a level less that at another, mean over what was run with both."""
    others = [name for name in _POINT if name != factor]
    table = runs.pivot_table("efficiency", [*others, "replication"], factor)
    if not {level, base} <= set(table.columns):
        return np.array([])
    difference = (table[level] - table[base]).dropna()
    return difference.groupby("replication").mean().to_numpy()


def _gains_figure(result: OsuTasksResult, part: PartResult) -> Figure:
    drawings = []
    table = gains(part)
    if len(table):
        wide = table.pivot(index=["link", "change"], columns="kind", values=["mean", "lo", "hi"])
        rows = pd.DataFrame(index=wide.index)
        for kind in _LOOKS:
            rows[kind], rows[f"{kind}_lo"], rows[f"{kind}_hi"] = (
                wide[end][kind] for end in ("mean", "lo", "hi")
            )
        order = table[["link", "change"]].drop_duplicates().itertuples(index=False, name=None)
        rows = rows.loc[list(order)].reset_index()
        rows = rows.rename(columns={"link": "factor", "change": "level"})
        drawn = main_effects(rows, x_name="Gain of efficiency", sources=_LOOKS)
        title = "Gain of efficiency by a guarantee and by drop policies"
        text = "For each link and change its gain with its interval."
        drawings.append(drawing(drawn, "guaranteed-rate-gains-drawing", title, text))
    together = pooled(part, "efficiency", ["link", "drop_policy", "share"])
    drawn = _against_share(part, together.assign(place=together["link"]))
    title = "Efficiency against the guaranteed part"
    text = "A line for each drop policy, a panel for each link; the tables have the same numbers."
    drawings.append(drawing(drawn, "guaranteed-rate-shares-drawing", title, text))
    caption = (
        f"What efficiency gains by guaranteeing {_percent(SMALL_SHARE)} of the line to UBR, and by "
        "another drop policy than tail drop: filled, over all else that was run; hollow, alone, "
        "from tail drop without a guarantee. Beside it: efficiency against the guaranteed part, "
        "mean over buffers and TCPs."
    )
    if part.results["n"].max() > 1:
        caption += " Bars: 90\u00a0% intervals of gains, 95\u00a0% intervals of means."
    return Figure("guaranteed-rate-gains", caption, source(result, part), drawings)


def _against_share(part: PartResult, table: pd.DataFrame, name: str = "Efficiency") -> Drawing:
    shares = {each: _percent(each) for each in levels(part, "share")}
    return panels(
        table,
        x=Axis("share", "Guaranteed to UBR", shares),
        series=Axis("drop_policy", "", {each: each for each in DROP_POLICIES}),
        facet=Axis("place", "", {each: each for each in table["place"].unique()}),
        looks=looks.POLICY_LOOKS,
        y_name=name,
        most=1,
    )


def _flavors_figure(result: OsuTasksResult, part: PartResult) -> Figure:
    table = means(part, "efficiency")
    table = table.assign(place=table["link"] + ", " + table["buffer"] + " buffer")
    drawings = []
    for flavor in levels(part, "tcp_flavor"):
        drawn = _against_share(part, table[table["tcp_flavor"] == flavor], f"Efficiency, {flavor}")
        title = f"{flavor}: efficiency against the guaranteed part"
        text = "A line for each drop policy, a panel for each link and buffer, as in the tables."
        drawings.append(drawing(drawn, f"guaranteed-rate-{flavor}", title, text))
    caption = (
        "Efficiency against the part of the line that is guaranteed to UBR, by TCP and buffer; "
        f"efficiency is the share of what VBR leaves of the trunk.{bars(part)}"
    )
    return Figure("guaranteed-rate-flavors", caption, source(result, part), drawings)


def _answer(part: PartResult) -> list[str]:
    found = []
    for (link, kind), its in gains(part).groupby(["link", "kind"], sort=False):
        described = ", ".join(
            f"{row['change']} {signed(row['mean'], 3)}"
            f"{_brackets(interval(row['lo'], row['hi'], 3))}"
            for row in its.to_dict("records")
        )
        what = (
            "(mean over all else)"
            if kind == _ALL
            else "(alone, from tail drop without a guarantee)"
        )
        found.append(f"{link}, gain of efficiency {what}: {described}.")
    return found


def _brackets(ends: str) -> str:
    return f" {ends}" if ends else ""


def _percent(share: float) -> str:
    return f"{100 * share:g}\u00a0%"


def _mean(row: pd.Series | None) -> Cell:
    """A mean; nothing where nothing was run."""
    if row is None:
        return number("")
    return number(fixed(row["mean"]), half_width(row["lo"], row["hi"]))


def _table(part: PartResult, metric: str) -> Table:
    table = means(part, metric).set_index(_POINT)
    shares, policies = levels(part, "share"), levels(part, "drop_policy")
    groups = []
    places = table.index.droplevel(["drop_policy", "share"]).unique()
    for link, buffer, flavor in places:
        group: list[Row] = []
        for policy in policies:
            at = [(link, buffer, flavor, policy, share) for share in shares]
            its = [table.loc[key] if key in table.index else None for key in at]
            if any(row is not None for row in its):
                group.append([row_heading(policy), *map(_mean, its)])
        name = f"{link}, {buffer} buffer, {flavor}"
        group[0] = [row_heading(name, rows=len(group)), *group[0]]
        groups.append(group)
    head = [
        [
            heading("Link, buffer, TCP"),
            heading("Drop policy"),
            *(number_heading(f"{_percent(each)} for UBR") for each in shares),
        ]
    ]
    caption = f"{metric.capitalize()} by the guaranteed part: {halves(part)}."
    return Table(f"guaranteed-rate-{metric}-table", caption, head, groups)
