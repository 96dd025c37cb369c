"""Make one run of a point of a sweep, and capture packets at points of its network."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ackclock import _core
from ackclock.campaign.files import write_bytes_whole
from ackclock.campaign.identity import replication_seed
from ackclock.capture.points import points_of
from ackclock.code_permission import check_code
from ackclock.errors import InputError
from ackclock.scenario.plan import canonical_json

if TYPE_CHECKING:
    from ackclock.scenario import Point

_MOST_SMSS = 65_535 - 20 - 20 - 40
"""Bytes of data in addition to the longest headers that the simulated TCP sends."""


@dataclass(frozen=True)
class Passed:
    """Numbers of packets at a capture point; a packet that passes twice counts twice.

    Attributes:
        point: name of the point.
        packets: number of all packets.
        lost: number of packets that are lost after the point.
        retransmissions: number of packets whose data, SYN or FIN was sent before.
        copies: number of copies that a duplicating link has made.
    """

    point: str
    packets: int
    lost: int
    retransmissions: int
    copies: int


@dataclass(frozen=True)
class Capture:
    """The result of a capture.

    Attributes:
        pcapng: content of the file; equal for the same run and points.
        passed: numbers of packets, one element per point.
    """

    pcapng: bytes
    passed: tuple[Passed, ...]

    def write(self, path: Path) -> None:
        """Write the file completely or not at all.

        Raises:
            InputError: the file cannot be written.
        """
        try:
            write_bytes_whole(path, self.pcapng)
        except OSError as error:
            raise InputError(
                f"--out {path}: cannot be written ({error.strerror}); name a file in a folder that "
                "you may write to"
            ) from error


def capture(
    point: Point,
    names: Sequence[str],
    *,
    replication: int = 0,
    snaplen: int | None = None,
    title: str = "",
) -> Capture:
    """Run a point of a sweep once and capture packets at points of its network.

    Args:
        point: point of the sweep.
        names: names of capture points, such as "server 1", "r1 -> r2" or "end of r1 -> r2".
        replication: number of the replication, from 0, as in ``ackclock run``.
        snaplen: largest number of bytes to keep of each packet; none for headers without data.
        title: comment of the file.

    Raises:
        InputError: there is no such point, or the scenario cannot be captured.
    """
    compiled = point.compile()
    if not compiled.plan["flows"]:
        raise InputError("the scenario sends only ATM cells, and a capture needs packets")
    smss = max(tcp["smss_bytes"] for tcp in compiled.plan["tcps"])
    if smss > _MOST_SMSS:
        raise InputError(
            f'tcp.smss = "{smss} B": a packet with all options would not fit into IPv4, which a '
            f'capture holds; write "{_MOST_SMSS} B" or less'
        )
    points = points_of(point, compiled)
    chosen = points.chosen(names)
    request = {
        "title": title,
        "links": points.links,
        "points": chosen,
        "kept": "headers" if snaplen is None else {"bytes": snaplen},
    }
    seed = replication_seed(point.scenario.seed, replication)
    plan = canonical_json(compiled.without_probes())
    check_code(plan)
    try:
        content, counts = _core.capture(plan, seed, json.dumps(request))
    except ValueError as error:
        raise InputError(str(error)) from error
    passed = (Passed(each["name"], **one) for each, one in zip(chosen, counts, strict=True))
    return Capture(content, tuple(passed))
