"""The page on the parts "single" and "pairs" in Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from ackclock import __version__
from ackclock.kernel_validation import causes, conclusions
from ackclock.kernel_validation.environment import Environment
from ackclock.kernel_validation.markdown import MISSING, number, pair, share, table
from ackclock.kernel_validation.parts import PARTS, tcp_name
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

FOLDER = causes.PAGE
"""Of its tables and figures, beside it."""
_FRACTION = """\
Losses of 0.1, 0.3, 1 and 3 %, rates of 10, 30 and 100 Mbit/s and round trips of 10, 30 and 100 ms
would make 36 paths. These twelve represent them: every loss occurs once with every rate and once
with every round trip, and every rate once or twice with every round trip. The buffer holds a
bandwidth-delay product, at least 20 packets. Simulator and kernel lose the same data packets, by
number. Measurement begins after a twelfth of the run."""
_PAIRS = """\
Both flows cross the same drop-tail queue. The first begins at once, the second after a thirtieth to
a twentieth of the run. Measurement begins after a quarter of the run. Simulator and emulator add a
random delay of up to one packet's time to each packet. Without this delay, simulated packets would
synchronise with the queue. Share is the first flow's part of the goodput of both, a mean over n
runs."""
_SHORTENED = """\
**These runs are shorter than those of the whole command**: they show that everything works, but
chance decides many of the numbers.
"""


def page(made: Made, rows: pd.DataFrame, found: pd.DataFrame, where: Environment) -> str:
    """The text of the page.

    Args:
        made: the campaigns.
        rows: of ``comparison.compare``.
        found: of ``comparison.points``.
        where: the runs were made.
    """
    known = causes.causes()
    sections = [_head(made, rows, found, where)]
    for name, section in (("single", _single), ("pairs", _pairs)):
        its = found[found["part"] == name]
        if len(its):
            sections.append(section(its, known))
    sections += [_causes(found, known, where), lateness(rows), _options(where)]
    return "\n".join(sections)


def _head(made: Made, rows: pd.DataFrame, found: pd.DataFrame, where: Environment) -> str:
    concluded = "\n".join(f"- {each}" for each in conclusions.described(rows, found))
    shortened = f"\n{_SHORTENED}" if not made.request.is_whole else ""
    figures = "\n".join(
        f"![{alt}]({FOLDER}/{file})\n"
        for part, alt, file in (
            (
                "single",
                "Throughput of the kernel's TCP over that of the simulated one",
                "single.svg",
            ),
            ("pairs", "Share of the first of two flows, simulated and in the kernel", "pairs.svg"),
        )
        if part in set(found["part"])
    )
    return f"""# Reno, CUBIC and BBR compared with a kernel's TCP

This page compares the TCPs of {where.kernel} in real time with simulated TCPs with
`tcp.stack = "linux"`, over the same paths and with the same seeds. Made by ackclock {__version__}
with

```sh
{made.request.command()}
```
{shortened}
{concluded}

{figures}
Numbers of every run: [runs.csv]({FOLDER}/runs.csv), of every point:
[points.csv]({FOLDER}/points.csv), settings of the kernel: [kernel.json]({FOLDER}/kernel.json).
"""


def _single(found: pd.DataFrame, known: Sequence[causes.Cause]) -> str:
    kind = PARTS["single"]
    head = (
        "TCP", "loss", "rate, Mbit/s", "RTT, ms", "verdict", "n", "simulated, Mbit/s",
        "kernel, Mbit/s", "kernel / simulated", f"within {share(kind.limit, 0)}", "cause",
        "RTT, ms: sim., kernel", "retransmitted", "time-outs", "fast retransmits",
    )  # fmt: skip
    lines = [
        (
            tcp_name(row.tcp),
            f"{row.loss * 100:g} %",
            f"{row.rate_bit_s / MBIT:g}",
            f"{row.rtt_s * 1e3:g}",
            verdict_text(row.verdicts),
            str(row.usable),
            number(row.simulated_goodput_bit_s / MBIT, 3),
            number(row.kernel_goodput_bit_s / MBIT, 3),
            number(row.ratio, 3),
            within(row),
            _numbers(row, known),
            pair(row.simulated_rtt_s * 1e3, row.kernel_rtt_s * 1e3, 1),
            *counts(row),
        )
        for row in found.itertuples()
    ]
    return f"""## One flow, random losses

{_FRACTION}

{_medians(found)}
{table(head, lines, 5)}"""


def _medians(found: pd.DataFrame) -> str:
    """The verdict on each TCP and on all."""
    kind = PARTS["single"]
    assert kind.median is not None
    usable = found[found["usable"] > 0]
    groups = [(tcp_name(str(tcp)), its) for tcp, its in usable.groupby("tcp", sort=False)]
    lines = []
    for name, its in [*groups, ("all", usable)]:
        apart = its["apart"].abs()
        holds = apart.median() <= kind.median and bool(its["within"].all())
        lines.append(
            (
                name,
                "yes" if holds else "**no**",
                str(len(its)),
                number(its["ratio"].median(), 3),
                share(apart.median()) if len(its) else MISSING,
                share(apart.max()) if len(its) else MISSING,
            )
        )
    head = (
        "TCP",
        f"median within {share(kind.median, 0)}, all within {share(kind.limit, 0)}",
        *("points", "median ratio", "apart, median", "apart, most"),
    )
    return table(head, lines, 2)


def _pairs(found: pd.DataFrame, known: Sequence[causes.Cause]) -> str:
    kind = PARTS["pairs"]
    place = found.iloc[0]
    head = (
        "first / second", "buffer, BDP", "packets", "verdict", "n", "share, simulated",
        "share, kernel", "apart", f"within {kind.limit:g}", "cause", "RTT, ms: sim., kernel",
        "drops: sim., kernel",
    )  # fmt: skip
    lines = [
        (
            tcp_name(row.tcp),
            f"{row.bdp:g}",
            str(row.buffer_packets),
            verdict_text(row.verdicts),
            str(row.usable),
            number(row.simulated_share, 3),
            number(row.kernel_share, 3),
            number(row.apart, 3),
            within(row),
            _numbers(row, known),
            pair(row.simulated_rtt_s * 1e3, row.kernel_rtt_s * 1e3, 1),
            pair(row.simulated_drops, row.kernel_drops, 0),
        )
        for row in found.itertuples()
    ]
    return f"""## Two flows, one queue

{place.rate_bit_s / MBIT:g} Mbit/s, {place.rtt_s * 1e3:g} ms. {_PAIRS}

{table(head, lines, 4)}
RTT is that of the first flow.
"""


def _numbers(row: Any, known: Sequence[causes.Cause]) -> str:
    """The numbers of the causes of a point that is beyond its limit."""
    if row.within or not row.usable:
        return ""
    its = [known.index(each) + 1 for each in causes.of_point(row, known)]
    return ", ".join(map(str, its)) or "not known"


def _causes(found: pd.DataFrame, known: Sequence[causes.Cause], where: Environment) -> str:
    lines = []
    for place, each in enumerate(known, 1):
        its = [
            row for row in causes.outside(found).itertuples() if each in causes.of_point(row, known)
        ]
        lines.append((str(place), each.differs, each.cause, "; ".join(each.points), str(len(its))))
    listed = (
        table(("number", "what differs", "cause", "points", "beyond the limit here"), lines, 4)
        if lines
        else "No cause is known.\n"
    )
    missing = causes.unexplained(found, known)
    unknown = "".join(f"- {each}\n" for each in missing) or "None.\n"
    kernel = "\n".join(f"- {each}" for each in where.differences)
    return f"""## Differences and causes

{listed}
Points beyond the limit without a known cause:

{unknown}
Where the kernel differs from the scenarios, as `ackclock emulate` reports it:

{kernel or "- nothing"}
"""


def _options(where: Environment) -> str:
    return f"""## Test system

{settings_text(where)}"""
