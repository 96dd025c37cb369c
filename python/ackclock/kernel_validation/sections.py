"""Sections and cells that several pages have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from ackclock.kernel_validation import page_texts
from ackclock.kernel_validation.comparison import USABLE
from ackclock.kernel_validation.environment import Environment
from ackclock.kernel_validation.markdown import number, pair, table
from ackclock.kernel_validation.parts import PARTS, SHARE, tcp_name
from ackclock.plurals import counted

MBIT = 1e6


def counts(row: Any) -> tuple[str, str, str]:
    """Segments sent again, time-outs, fast retransmits: simulated, kernel."""
    return (
        pair(row.simulated_segments_retransmitted, row.kernel_segments_retransmitted, 0),
        pair(row.simulated_timeouts, row.kernel_timeouts, 0),
        pair(row.simulated_fast_retransmits, row.kernel_fast_retransmits, 0),
    )


def verdict_text(verdicts: Sequence[str]) -> str:
    """The verdicts of the runs of a point, each with its number if there are several."""
    different = list(dict.fromkeys(verdicts))
    if len(different) == 1:
        return different[0]
    return ", ".join(f"{each} {verdicts.count(each)}" for each in different)


def within(row: Any) -> str:
    """Whether a point is within the limit of its part."""
    if not row.usable:
        return "–"
    return "yes" if row.within else "**no**"


def lateness(rows: pd.DataFrame) -> str:
    """The section on how late packets were.

    Args:
        rows: of ``comparison.compare``.
    """
    emulated = rows[rows["verdict"].isin([*USABLE, "invalid"])]
    head = (
        "run", "verdict", "left late, us: median", "99 %", "most", "missed, %",
        "stolen, s", "scheduling",
    )  # fmt: skip
    lines = [
        (
            _run_name(row),
            row.verdict,
            number(row.late_p50_us, 0),
            number(row.late_p99_us, 0),
            number(row.late_max_us, 0),
            number(100 * row.missed_share, 2),
            number(row.stolen_s, 1),
            str(row.scheduling),
        )
        for row in emulated.itertuples()
    ]
    missing = [
        f"- {_run_name(row)}: {row.verdict}; {row.why}"
        for row in rows[~rows.index.isin(emulated.index)].itertuples()
    ]
    reasons = [
        f"- {_run_name(row)}: {row.why}"
        for row in emulated[emulated["verdict"] == "invalid"].itertuples()
    ]
    more = "".join(
        f"\n{title}\n\n" + "\n".join(each) + "\n"
        for title, each in (("Runs without a result:", missing), ("Invalid runs:", reasons))
        if each
    )
    return f"""## Lateness of packets

{page_texts.VERDICTS}

{table(head, lines, 2)}
Missed: packets that were late by more than 200 us or 1 % of the RTT. Stolen: processor time that a
virtual machine needed but did not get, on all its processors.
{more}"""


def _run_name(row: Any) -> str:
    last = f"{row.bdp:g} BDP" if PARTS[row.part].what == SHARE else f"{row.loss * 100:g} %"
    name = (
        f"{tcp_name(row.tcp)}, {row.rate_bit_s / MBIT:g} Mbit/s, {row.rtt_s * 1e3:g} ms,"
        f" {row.buffer_packets} packets, {last}"
    )
    return f"{name}, replication {row.replication}" if row.replication else name


def settings_text(where: Environment) -> str:
    """What the kernel was set to."""
    settings = [
        (f"`{name}`", *(each.sysctls.get(name, "–") for each in where.profiles))
        for name in where.names()
    ]
    profiles = [f"{each.name}: {each.congestion}" for each in where.profiles]
    processors = counted(where.processors, "processor")
    return f"""Kernel: {where.kernel}, {processors}. Devices: {where.ports}; transfers:
{where.application}; scheduling of the emulator: {where.scheduling}. Settings of the nodes'
namespaces, by profile and congestion control:

{table(("net.ipv4", *profiles), settings, len(profiles) + 1)}
Offloads are off on both ends of every device, its MTU is 1500; route options initcwnd 10, rto_min
200 ms, quickack 1. IPv6 is off. The largest buffers, tcp_rmem and tcp_wmem, are those of the first
run; they are four times the receive window, and at least 4 MiB.
"""
