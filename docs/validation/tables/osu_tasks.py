"""The tables of osu-tasks.md."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from ackclock.stats.factorial import ERROR
from ackclock.studies.osu_tasks.levels import (
    ANALYSED_METRICS,
    BUFFERED,
    BUFFERS_RTT,
    BURSTY,
    DROP_POLICIES,
    EFFICIENCY,
    GFR,
    GROUPS,
    GUARANTEED_RATE,
    HALF_RTT,
    NO_SHARE,
    NO_WAIT,
    PERSISTENT,
    POLICIES,
    RETRANSMIT,
    SHARES,
    WINDOWS,
    WWW,
)
from tables.claims import claims
from tables.markdown import between, pivot, read, table

_COMPONENTS = {
    "drop_policy": "drop policy",
    "tcp_flavor": "TCP flavor",
    "sources": "sources",
    "buffer": "buffer",
    ERROR: "error",
}


def explained(folder: Path) -> str:
    """Tasks 1 and 2: what each factor explains, per cent."""
    return pivot(
        read(folder, f"{POLICIES.name}-allocation"),
        {"link": "link", "metric": "of"},
        "component",
        _COMPONENTS,
        lambda row: f"{row.percent:.1f}",
    )


def policies(folder: Path) -> str:
    """Tasks 1 and 2: efficiency and fairness, means over numbers of sources and buffers."""
    keys = {"link": "link", "tcp_flavor": ""}
    results = _results(folder, POLICIES.name)
    means = results.groupby([*keys, "drop_policy"], sort=False)[list(ANALYSED_METRICS)].mean()
    return pivot(
        means.reset_index(),
        keys,
        "drop_policy",
        dict(zip(DROP_POLICIES, DROP_POLICIES, strict=True)),
        lambda row: f"{row.efficiency:.2f}, {row.fairness:.2f}",
    )


def buffers(folder: Path) -> str:
    """Task 3: efficiency by the buffer."""
    return pivot(
        _results(folder, BUFFERED.name),
        {"link": "link", "drop_policy": "policy", "sources": "sources"},
        "buffer_rtt",
        {rtt: f"{rtt:g}" for rtt in BUFFERS_RTT},
        lambda row: f"{row.efficiency:.3f}",
    )


def smallest(folder: Path) -> str:
    """Task 3: the smallest buffer that is enough."""
    rows = [
        (
            row.link,
            row.drop_policy,
            row.sources,
            f"{row.smallest_rtt:.2f}",
            f"{row.smallest_mean_pct:.2f} ± {row.smallest_half_width_pct:.2f}",
            row.runs,
        )
        for row in read(folder, f"{BUFFERED.name}-smallest").itertuples(index=False)
    ]
    found = ("smallest buffer (RTT)", "efficiency there (%)", "runs")
    return table(("link", "policy", "sources", *found), rows)


def guaranteed_rate(folder: Path) -> str:
    """Task 4b: efficiency by the guaranteed part of the trunk."""
    return pivot(
        _results(folder, GUARANTEED_RATE.name),
        {"link": "link", "buffer": "buffer", "tcp_flavor": "TCP", "drop_policy": "policy"},
        "share",
        {share: "nothing" if share == NO_SHARE else f"{100 * share:g} %" for share in SHARES},
        lambda row: f"{row.efficiency:.3f}",
    )


def gfr(folder: Path) -> str:
    """Task 4a: what VCs deliver of their MCRs."""
    rows = [
        (
            row.link,
            row.sources,
            row.port,
            f"{row.mcr_share:.2f} {between(row.mcr_share_lo, row.mcr_share_hi, '.2f')}",
            ", ".join(f"{getattr(row, f'group_{group}_mcr_share'):.2f}" for group in GROUPS),
            f"{100 * row.eligible_lost_share:.3f}",
        )
        for row in _results(folder, GFR.name).itertuples(index=False)
    ]
    groups = f"groups {GROUPS[0]} to {GROUPS[-1]}"
    shown = ("least share of its MCR", groups, "eligible frames lost (%)")
    return table(("link", "VCs", "port", *shown), rows)


def bursty(folder: Path) -> str:
    """Task 5: effects of the flavor on efficiency."""
    effects = read(folder, f"{BURSTY.name}-effects")
    of_flavor = (effects["metric"] == EFFICIENCY) & (effects["factor"] == "tcp_flavor")
    return pivot(
        effects[of_flavor],
        {"level": "flavor"},
        "traffic",
        {WWW: WWW, PERSISTENT: PERSISTENT},
        lambda row: f"{row.effect:+.4f} {between(row.lo, row.hi, '+.4f')}",
    )


def windows(folder: Path) -> str:
    """Task 6: the largest window by the arithmetic."""
    rows = [
        (row.sources, row.arithmetic, f"{row.max_cwnd_bytes:.0f}", f"{row.efficiency:.4f}")
        for row in _results(folder, WINDOWS.name).itertuples(index=False)
    ]
    return table(("sources", "arithmetic", "largest cwnd (bytes)", "efficiency"), rows)


def retransmit(folder: Path) -> str:
    """Task 7: efficiency with and without the wait."""
    return pivot(
        _results(folder, RETRANSMIT.name),
        {"sources": "sources", "buffer_rtt": "buffer (RTT)"},
        "wait",
        {NO_WAIT: "at once", HALF_RTT: "after RTT/2"},
        lambda row: f"{row.efficiency:.4f}",
    )


def vbr(folder: Path) -> str:
    """Task 4b: one cell under other VBR and other timers, by the guaranteed share."""
    found = read(folder, "vbr")
    rows = []
    for setting, its in found.groupby("setting", sort=False):
        by_share = its.set_index("share")
        cells = (
            f"{row.efficiency:.2f} {between(row.efficiency_lo, row.efficiency_hi, '.2f')}"
            for row in by_share.itertuples()
        )
        busy = (f"{100 * each:.0f}" for each in by_share["utilisation"])
        rows.append((setting, *cells, ", ".join(busy)))
    heads = ("nothing guaranteed", "10 %", "50 %", "link busy (%)")
    return table(("setting", *heads), rows)


def _results(folder: Path, part: str) -> pd.DataFrame:
    return read(folder, f"{part}-results")


TABLES = {
    "claims": claims,
    "explained": explained,
    "policies": policies,
    "buffers": buffers,
    "smallest": smallest,
    "guaranteed-rate": guaranteed_rate,
    "vbr": vbr,
    "gfr": gfr,
    "bursty": bursty,
    "windows": windows,
    "retransmit": retransmit,
}
