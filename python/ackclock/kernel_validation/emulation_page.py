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
    return f"""# Simulated TCP compared with a kernel's TCP

The same scenarios are simulated, and run in real time with the TCP of {where.kernel} at both ends.
Both have the same seeds and so the same lists of losses. Made by ackclock {__version__} with

```sh
{made.request.command()}
```

{concluded}

![Throughput of the kernel's TCP over that of the simulated one]({FOLDER}/ratios.svg)

Numbers of every run: [runs.csv]({FOLDER}/runs.csv), of every point:
[points.csv]({FOLDER}/points.csv), settings of the kernel: [kernel.json]({FOLDER}/kernel.json).
To draw both for one part, run `ackclock report losses.simulated losses.emulated` in the folder of
the runs.
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

{path}, a queue of {place.buffer_packets} packets, independent losses of data packets. In cells
with two numbers, the first is simulated, the second is the kernel's.

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
    return f"""## Remaining differences

{causes}

What the runs show:

{described}

Where the kernel differs from the scenarios, as `ackclock emulate` reports it:

{kernel}
"""


def _options(where: Environment) -> str:
    options = table(
        ("key of `[tcp]`", "Linux"), [(f"`{key}`", does) for key, does in page_texts.OPTIONS], 2
    )
    return f"""## Options that match Linux

{options}
{settings_text(where)}"""
