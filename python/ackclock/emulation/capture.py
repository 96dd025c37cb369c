"""Make one emulated run of a point of a sweep, and capture packets in its network."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ackclock.campaign.identity import replication_seed
from ackclock.capture.points import points_of
from ackclock.capture.run import Passed
from ackclock.emulation.campaign import Options
from ackclock.emulation.core import emulated, emulation_problems, kernel_problems
from ackclock.errors import InputError

if TYPE_CHECKING:
    from ackclock.scenario import Point


@dataclass(frozen=True)
class Captured:
    """The result of a capture.

    Attributes:
        passed: numbers of packets, one element per capture point. Copies that a link has made
            count as packets, and ``copies`` is 0.
        emulation: table "emulation" of the run's row.
    """

    passed: tuple[Passed, ...]
    emulation: dict[str, Any]


def capture(
    point: Point,
    names: Sequence[str],
    out: Path,
    options: Options,
    *,
    replication: int = 0,
    snaplen: int | None = None,
    title: str = "",
) -> Captured:
    """Emulate a run and write a capture at points of its network.

    Args:
        point: point of the sweep.
        names: names of capture points.
        out: path of the file, which is written completely or not at all.
        options: options of the emulation.
        replication: number of the replication, from 0.
        snaplen: largest number of bytes to keep of each packet; none for headers without data.
        title: comment of the file.

    Raises:
        InputError: there is no such point, or the run cannot be emulated.
        RuntimeError: the emulation failed.
    """
    compiled = point.compile()
    how = options.of_runs()
    problems = emulation_problems(compiled.plan) or kernel_problems(
        compiled.plan, how, compiled.facts.flow_groups
    )
    if problems:
        raise InputError(problems)
    points = points_of(point, compiled)
    chosen = points.chosen(names)
    unfinished = out.absolute().with_name(f".{out.name}.{os.getpid()}")
    wanted = {
        "request": {
            "title": title,
            "links": points.links,
            "points": chosen,
            "kept": "headers" if snaplen is None else {"bytes": snaplen},
        },
        "path": str(unfinished),
    }
    seed = replication_seed(point.scenario.seed, replication)
    try:
        tables = emulated(compiled.without_probes(), how, seed, wanted)
        described = tables["emulation"].pop("capture")
        if described is None or described["problem"]:
            why = described["problem"] if described else "it died"
            raise InputError(f"--out {out}: cannot be written ({why}); name another file")
        unfinished.replace(out)
    finally:
        unfinished.unlink(missing_ok=True)
    if described["missed"]:
        tables["emulation"]["reasons"].append(
            f"{described['missed']} notes are missing in the capture"
        )
    passed = zip(chosen, described["points"], strict=True)
    return Captured(
        tuple(Passed(each["name"], copies=0, **one) for each, one in passed), tables["emulation"]
    )
