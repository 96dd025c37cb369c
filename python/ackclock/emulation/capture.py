"""One emulated run of a point of a sweep, and the packets at chosen points of its network."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
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
    """What was captured.

    Attributes:
        passed: for each point of the network; copies that a link has made count as packets of
            their own, and ``copies`` is 0.
        emulation: what the row of the run would have under that name.
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
    """Emulate a run and write what passes points of its network.

    Args:
        point: of the sweep.
        names: of points of the network.
        out: the file to write; it is written whole or not at all.
        options: how the run is emulated.
        replication: which one, from 0 on.
        snaplen: bytes of each packet that are kept; its headers and no data if none.
        title: the file's comment.

    Raises:
        InputError: there is no such point, or the run cannot be emulated.
        RuntimeError: the emulation went wrong.
    """
    compiled = point.compile()
    how = asdict(options)
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
