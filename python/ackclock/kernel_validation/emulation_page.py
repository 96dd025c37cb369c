"""The page on the parts "losses" and "grid" in Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from ackclock import __version__
from ackclock.kernel_validation import conclusions, page_texts
from ackclock.kernel_validation.environment import Environment
from ackclock.kernel_validation.markdown import number, pair, table
from ackclock.kernel_validation.parts import tcp_name
from ackclock.kernel_validation.sections import (
    MBIT,
    counts,
    lateness,
    settings_text,
    verdict_text,
    within,
)

if TYPE_CHECKING:
    from ackclock.kernel_validation.runs import Made


FOLDER = "emulation"
"""Of its tables and its figure, beside it."""


def page(made: Made, rows: pd.DataFrame, found: pd.DataFrame, where: Environment) -> str:
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
    sections += [_differences(found, where), lateness(rows), _options(where)]
    return "\n".join(sections)


def _head(made: Made, rows: pd.DataFrame, found: pd.DataFrame, where: Environment) -> str:
    concluded = "\n".join(f"- {each}" for each in conclusions.described(rows, found))
    return f"""# Simulated TCP beside a kernel's

The same scenarios, with the same seeds and so the same lists of losses, simulated and in real time
with the TCP of {where.kernel} at both ends. Made by ackclock {__version__} with

```sh
{made.request.command()}
```

{concluded}

![Throughput of the kernel's TCP over that of the simulated one]({FOLDER}/ratios.svg)

Numbers of every run: [runs.csv]({FOLDER}/runs.csv), of every point:
[points.csv]({FOLDER}/points.csv), settings of the kernel: [kernel.json]({FOLDER}/kernel.json).
In the folder of the runs `ackclock report losses.simulated losses.emulated` draws both of a part.
"""


def _losses(found: pd.DataFrame) -> str:
    place = found.iloc[0]
    path = f"{place.rate_bit_s / MBIT:g} Mbit/s, {place.rtt_s * 1e3:g} ms"
    head = (
        "TCP", "loss", "verdict", "simulated, Mbit/s", "kernel, Mbit/s", "kernel / simulated",
        "within 10 %", "retransmitted, sim., kernel", "time-outs", "fast retransmits",
    )  # fmt: skip
    lines = [
        (
            tcp_name(row.tcp),
            f"{row.loss * 100:g} %",
            verdict_text(row.verdicts),
            number(row.simulated_goodput_bit_s / MBIT, 3),
            number(row.kernel_goodput_bit_s / MBIT, 3),
            number(row.ratio, 3),
            within(row),
            *counts(row),
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
            tcp_name(row.tcp),
            f"{row.rate_bit_s / MBIT:g}",
            f"{row.rtt_s * 1e3:g}",
            str(row.buffer_packets),
            f"{row.loss * 100:g} %",
            verdict_text(row.verdicts),
            pair(row.simulated_goodput_bit_s / MBIT, row.kernel_goodput_bit_s / MBIT),
            number(row.ratio, 3),
            pair(row.simulated_rtt_s * 1e3, row.kernel_rtt_s * 1e3, 1),
            *counts(row),
        )
        for row in found.itertuples()
    ]
    return f"""## Nine paths

{page_texts.DESIGN}

{table(head, lines, 6)}
{page_texts.RTT}
"""


def _differences(found: pd.DataFrame, where: Environment) -> str:
    causes = "\n".join(
        [
            page_texts.NEWRENO,
            page_texts.RACK,
            page_texts.CUBIC,
            page_texts.SLOW_START,
            page_texts.REAL_TIME,
        ]
    )
    described = "\n".join(f"- {each}" for each in conclusions.timeouts(found))
    kernel = "\n".join(f"- {each}" for each in where.differences)
    return f"""## What is left between the two

{causes}

What the runs show of it:

{described}

What the scenarios ask for and the kernel does otherwise, as `ackclock emulate` tells it:

{kernel}
"""


def _options(where: Environment) -> str:
    options = table(
        ("key of `[tcp]`", "Linux"), [(f"`{key}`", does) for key, does in page_texts.OPTIONS], 2
    )
    return f"""## Which options are those of Linux

{options}
{settings_text(where)}"""
