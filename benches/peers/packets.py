"""Packets at the bottleneck by kind, in one run of each simulator with the same sizes and pauses.

Sources of the formats: the Internet draft on pcapng for the capture that ackclock writes, ns-2's
manual (chapter on traces) for the trace of its queue.
"""

from __future__ import annotations

import struct
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from inputs import scenario, write_pauses, write_sizes
from simulators import ns2_command

from ackclock.campaign.identity import replication_seed
from ackclock.capture.run import capture

HEADERS = 40
SYN = 2
ENHANCED_PACKET, COMMENT = 6, 1
KINDS = ("SYN+ACK", "data", "other")


def kinds_of_packets(clients: tuple[int, int], folder: Path) -> list[dict[str, Any]]:
    """A row a kind of packet: offered to the bottleneck and dropped there, in both simulators.

    Args:
        clients: webs, ftps.
        folder: for the files of the run.
    """
    sizes, pauses = folder / "sizes-kinds.csv", folder / "pauses-kinds.csv"
    write_sizes(sizes, 1)
    its = scenario(*clients, sizes)
    write_pauses(pauses, *clients, sizes, replication_seed(its.seed, 0))
    counts = {
        "ackclock": _count(_captured(capture(next(iter(its.points())), ["r1 -> r2"]).pcapng)),
        "ns-2": _count(_traced(clients, sizes, pauses, folder / "queue.trace")),
    }
    return [
        {"kind": kind}
        | {
            f"{name}_{what}": count[what, kind]
            for name, count in counts.items()
            for what in ("offered", "dropped")
        }
        for kind in KINDS
    ]


def _count(packets: Iterator[tuple[int, int, bool]]) -> Counter[tuple[str, str]]:
    """Packets by what became of them and by kind, from their lengths, TCP flags and fates."""
    counts: Counter[tuple[str, str]] = Counter()
    for length, flags, dropped in packets:
        small = "SYN+ACK" if flags & SYN else "other"
        kind = "data" if length > HEADERS and small == "other" else small
        counts["offered", kind] += 1
        counts["dropped", kind] += dropped
    return counts


def _captured(pcapng: bytes) -> Iterator[tuple[int, int, bool]]:
    """The packets of a capture; what is dropped has a comment that names the queue."""
    at = 0
    while at < len(pcapng):
        block, length = struct.unpack_from("<II", pcapng, at)
        if block == ENHANCED_PACKET:
            kept, packet = struct.unpack_from("<I", pcapng, at + 20)[0], at + 28
            ip_header = 4 * (pcapng[packet] & 15)
            total = struct.unpack_from(">H", pcapng, packet + 2)[0]
            flags = pcapng[packet + ip_header + 13]
            comments = _comments(pcapng[packet + (kept + 3) // 4 * 4 : at + length - 4])
            yield total, flags, "queue" in comments
        at += length


def _comments(options: bytes) -> str:
    """The comments among the options of a block, one after the other."""
    found, at = [], 0
    while at + 4 <= len(options):
        code, length = struct.unpack_from("<HH", options, at)
        if code == COMMENT:
            found.append(options[at + 4 : at + 4 + length].decode())
        at += 4 + (length + 3) // 4 * 4
    return " ".join(found)


def _traced(
    clients: tuple[int, int], sizes: Path, pauses: Path, trace: Path
) -> Iterator[tuple[int, int, bool]]:
    """The packets of ns-2's trace of its queue; what is dropped is entered first."""
    command = ns2_command(clients, sizes, pauses, ("-trace", str(trace)))
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with trace.open(encoding="utf-8") as file:
        entries = [line.split() for line in file]
    dropped = {entry[11] for entry in entries if entry[0] == "d"}
    for entry in entries:
        if entry[0] == "+":
            yield int(entry[5]), int(entry[13], 16), entry[11] in dropped
