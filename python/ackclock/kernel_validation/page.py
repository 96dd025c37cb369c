"""The page in Markdown, with its tables as CSV beside it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from ackclock import __version__
from ackclock.campaign.files import write_bytes_whole
from ackclock.foreign import without_formulas
from ackclock.kernel_validation import conclusions, words
from ackclock.kernel_validation.comparison import USABLE, points
from ackclock.kernel_validation.figure import figure_svg
from ackclock.kernel_validation.markdown import number, pair, table
from ackclock.kernel_validation.parts import TCPS
from ackclock.kernel_validation.surroundings import Surroundings, surroundings
from ackclock.plurals import counted

if TYPE_CHECKING:
    from ackclock.kernel_validation.making import Made

PAGE, TABLES = "emulation.md", "emulation"
"""The page, and the folder of its tables beside it."""
_MBIT = 1e6


def write(made: Made, rows: pd.DataFrame) -> Path:
    """Write the page, its tables and its figure.

    Args:
        made: the campaigns.
        rows: of ``comparison.compare``.

    Returns:
        The path of the page.

    Raises:
        OSError: they cannot be written.
    """
    out, found = made.request.out, points(rows)
    where = surroundings(made)
    tables = out / TABLES
    tables.mkdir(parents=True, exist_ok=True)
    texts = {
        tables / "runs.csv": without_formulas(rows).to_csv(index=False, float_format="%.6g"),
        tables / "points.csv": without_formulas(found).to_csv(index=False, float_format="%.6g"),
        tables / "kernel.json": json.dumps(where.as_dict(), indent=1) + "\n",
        tables / "ratios.svg": figure_svg(found),
        out / PAGE: page(made, rows, found, where),
    }
    for path, text in texts.items():
        write_bytes_whole(path, text.encode())
    return out / PAGE


def page(made: Made, rows: pd.DataFrame, found: pd.DataFrame, where: Surroundings) -> str:
    """The text of the page.

    Args:
        made: the campaigns.
        rows: of ``comparison.compare``.
        found: of ``comparison.points``.
        where: the runs were made.
    """
    sections = [_head(made, rows, found, where)]
    if "losses" in set(found["part"]):
        sections.append(_losses(found[found["part"] == "losses"]))
    if "grid" in set(found["part"]):
        sections.append(_grid(found[found["part"] == "grid"]))
    sections += [_differences(found, where), _lateness(rows), _options(where)]
    return "\n".join(sections)


def _head(made: Made, rows: pd.DataFrame, found: pd.DataFrame, where: Surroundings) -> str:
    concluded = "\n".join(f"- {each}" for each in conclusions.described(rows, found))
    return f"""# Simulated TCP beside a kernel's

The same scenarios, with the same seeds and so the same lists of losses, simulated and in real time
with the TCP of {where.kernel} at both ends. Made by ackclock {__version__} with

```sh
{made.request.command()}
```

{concluded}

![Throughput of the kernel's TCP over that of the simulated one]({TABLES}/ratios.svg)

Numbers of every run: [runs.csv]({TABLES}/runs.csv), of every point:
[points.csv]({TABLES}/points.csv), settings of the kernel: [kernel.json]({TABLES}/kernel.json).
In the folder of the runs `ackclock report losses.simulated losses.emulated` draws both of a part.
"""


def _losses(found: pd.DataFrame) -> str:
    place = found.iloc[0]
    path = f"{place.rate_bit_s / _MBIT:g} Mbit/s, {place.rtt_s * 1e3:g} ms"
    head = (
        "TCP", "loss", "verdict", "simulated, Mbit/s", "kernel, Mbit/s", "kernel / simulated",
        "within 10 %", "retransmitted, sim., kernel", "time-outs", "fast retransmits",
    )  # fmt: skip
    lines = [
        (
            TCPS[row.tcp],
            f"{row.loss * 100:g} %",
            _verdict(row.verdicts),
            number(row.simulated_goodput_bit_s / _MBIT, 3),
            number(row.kernel_goodput_bit_s / _MBIT, 3),
            number(row.ratio, 3),
            _within(row),
            *_counts(row),
        )
        for row in found.itertuples()
    ]
    return f"""## Random losses

{path}, a queue of {place.buffer_packets} packets, independent losses of packets with data. Where
two numbers stand in a cell, the first is simulated, the second the kernel's.

{table(head, lines, 3)}"""


def _grid(found: pd.DataFrame) -> str:
    head = (
        "TCP", "rate, Mbit/s", "RTT, ms", "buffer, packets", "loss", "verdict",
        "throughput, Mbit/s: simulated, kernel", "kernel / simulated", "RTT, ms",
        "retransmitted", "time-outs", "fast retransmits",
    )  # fmt: skip
    lines = [
        (
            TCPS[row.tcp],
            f"{row.rate_bit_s / _MBIT:g}",
            f"{row.rtt_s * 1e3:g}",
            str(row.buffer_packets),
            f"{row.loss * 100:g} %",
            _verdict(row.verdicts),
            pair(row.simulated_goodput_bit_s / _MBIT, row.kernel_goodput_bit_s / _MBIT),
            number(row.ratio, 3),
            pair(row.simulated_rtt_s * 1e3, row.kernel_rtt_s * 1e3, 1),
            *_counts(row),
        )
        for row in found.itertuples()
    ]
    return f"""## Nine paths

{words.DESIGN}

{table(head, lines, 6)}
{words.RTT}
"""


def _counts(row: Any) -> tuple[str, str, str]:
    """Segments sent again, time-outs, fast retransmits: simulated, kernel."""
    return (
        pair(row.simulated_segments_retransmitted, row.kernel_segments_retransmitted, 0),
        pair(row.simulated_timeouts, row.kernel_timeouts, 0),
        pair(row.simulated_fast_retransmits, row.kernel_fast_retransmits, 0),
    )


def _verdict(verdicts: Sequence[str]) -> str:
    """The verdicts of the runs of a point, each with its number if there are several."""
    different = list(dict.fromkeys(verdicts))
    if len(different) == 1:
        return different[0]
    return ", ".join(f"{each} {verdicts.count(each)}" for each in different)


def _within(row: Any) -> str:
    if not row.usable:
        return "–"
    return "yes" if row.within else "**no**"


def _differences(found: pd.DataFrame, where: Surroundings) -> str:
    causes = "\n".join([words.NEWRENO, words.RACK, words.CUBIC, words.SLOW_START, words.REAL_TIME])
    described = "\n".join(f"- {each}" for each in conclusions.timeouts(found))
    kernel = "\n".join(f"- {each}" for each in where.differences)
    return f"""## What is left between the two

{causes}

What the runs show of it:

{described}

What the scenarios ask for and the kernel does otherwise, as `ackclock emulate` tells it:

{kernel}
"""


def _lateness(rows: pd.DataFrame) -> str:
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
    return f"""## How late packets were

{words.VERDICTS}

{table(head, lines, 2)}
Missed: packets that were late by more than 200 us or 1 % of the RTT. Stolen: processor time that a
virtual machine wanted and did not get, on all its processors.
{more}"""


def _run_name(row: Any) -> str:
    name = (
        f"{TCPS[row.tcp]}, {row.rate_bit_s / _MBIT:g} Mbit/s, {row.rtt_s * 1e3:g} ms,"
        f" {row.buffer_packets} packets, {row.loss * 100:g} %"
    )
    return f"{name}, replication {row.replication}" if row.replication else name


def _options(where: Surroundings) -> str:
    options = table(
        ("key of `[tcp]`", "Linux"), [(f"`{key}`", does) for key, does in words.OPTIONS], 2
    )
    settings = [
        (f"`{name}`", *(each.sysctls.get(name, "–") for each in where.profiles))
        for name in where.names()
    ]
    profiles = [f"{each.name}: {each.congestion}" for each in where.profiles]
    return f"""## Which options are those of Linux

{options}
Kernel: {where.kernel}, {counted(where.processors, "processor")}. Devices: {where.ports}; transfers:
{where.application}; scheduling of the emulator: {where.scheduling}. Settings of the nodes'
namespaces, by profile and congestion control:

{table(("net.ipv4", *profiles), settings, len(profiles) + 1)}
Offloads are off on both ends of every device, its MTU is 1500; route options initcwnd 10, rto_min
200 ms, quickack 1. IPv6 is off. The largest buffers, tcp_rmem and tcp_wmem, are those of the first
run; they are four times the receive window, and 4 MiB at least.
"""
