"""A reader of captures that shares no code with what writes them, and tools that read them too."""

import os
import shutil
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from ackclock.capture.run import capture
from ackclock.scenario import load

SECTION, INTERFACE, PACKET = 0x0A0D0D0A, 1, 6
END_OF_OPTIONS, COMMENT, FLAGS, IF_NAME = 0, 1, 2, 2
FIN, SYN, RST, PSH, ACK = 1, 2, 4, 8, 16
IN, OUT = 1, 2

SCENARIO = """
duration = "30 s"
[topology]
kind = "dumbbell"
access = {{ rate = "100 Mbit/s", delay = "1 ms" }}
[topology.bottleneck]
rate = "8 Mbit/s"
delay = "48 ms"
queue = {{ limit = "{queue} packets" }}
impairments = [{impairments}]
[tcp]
flavor = "{flavor}"
smss = "1000 B"
initial_window = 1
receive_buffer = "{receive_buffer}"
delayed_ack = "off"
[workload]
kind = "bulk"
size = "200 kB"
"""


@dataclass(frozen=True)
class Seen:
    """A packet of a capture.

    Attributes:
        frame: its number in the file, from 1 on.
        point: name of the point.
        time: ns.
        packet: as much of it as was kept.
        length: of all of it, bytes.
        direction: IN, OUT, or 0 for neither.
        comments: on it.
    """

    frame: int
    point: str
    time: int
    packet: bytes
    length: int
    direction: int
    comments: tuple[str, ...]

    @property
    def source(self) -> str:
        return ".".join(map(str, self.packet[12:16]))

    @property
    def identification(self) -> int:
        return int.from_bytes(self.packet[4:6], "big")

    @property
    def seq(self) -> int:
        return int.from_bytes(self.packet[24:28], "big")

    @property
    def ack(self) -> int:
        return int.from_bytes(self.packet[28:32], "big")

    @property
    def flags(self) -> int:
        return self.packet[33]

    @property
    def window(self) -> int:
        return int.from_bytes(self.packet[34:36], "big")

    @property
    def size(self) -> int:
        """Bytes of data."""
        return self.length - 20 - 4 * (self.packet[32] >> 4)

    @property
    def end(self) -> int:
        return self.seq + self.size + bool(self.flags & SYN) + bool(self.flags & FIN)

    def says(self, text: str) -> bool:
        return any(text in comment for comment in self.comments)


def packets(content: bytes) -> list[Seen]:
    """The packets of a pcapng file, which must have nothing but what a capture has."""
    names: list[str] = []
    found: list[Seen] = []
    for kind, body in _blocks(content):
        if kind == INTERFACE:
            assert struct.unpack_from("<H", body)[0] == 101, "raw IP"
            options = _options(body[8:])
            names += [value.decode() for code, value in options if code == IF_NAME]
            assert (9, b"\x09") in [(code, value[:1]) for code, value in options], "nanoseconds"
        elif kind == PACKET:
            point, high, low, kept, length = struct.unpack_from("<5I", body)
            options = list(_options(body[20 + (kept + 3) // 4 * 4 :]))
            found.append(
                Seen(
                    len(found) + 1,
                    names[point],
                    high << 32 | low,
                    body[20 : 20 + kept],
                    length,
                    next((value[0] & 3 for code, value in options if code == FLAGS), 0),
                    tuple(value.decode() for code, value in options if code == COMMENT),
                )
            )
        else:
            assert kind == SECTION
    assert [each.time for each in found] == sorted(each.time for each in found)
    return found


def _blocks(content: bytes) -> Iterator[tuple[int, bytes]]:
    while content:
        kind, length = struct.unpack_from("<2I", content)
        assert struct.unpack_from("<I", content, length - 4)[0] == length
        yield kind, content[8 : length - 4]
        content = content[length:]


def _options(body: bytes) -> list[tuple[int, bytes]]:
    found = []
    while body:
        code, length = struct.unpack_from("<2H", body)
        if code == END_OF_OPTIONS:
            break
        found.append((code, body[4 : 4 + length]))
        body = body[4 + (length + 3) // 4 * 4 :]
    return found


def scenario_of(
    folder: Path,
    *,
    flavor: str = "newreno",
    impairments: str = "",
    queue: int = 1000,
    receive_buffer: str = "60 kB",
):
    """One transfer of 200 segments over a round trip of 100 ms."""
    file = folder / "transfer.toml"
    file.write_text(
        SCENARIO.format(
            flavor=flavor, impairments=impairments, queue=queue, receive_buffer=receive_buffer
        )
    )
    return load(file, [])


def captured(scenario, *points: str, snaplen: int | None = None, replication: int = 0):
    """A capture of the only point of a scenario."""
    (point,) = scenario.points()
    return capture(point, points, snaplen=snaplen, replication=replication)


def tool(name: str) -> str:
    """The path of a tool; where it is missing a test is skipped, but not where CI is set."""
    path = shutil.which(name)
    if path is None and not os.environ.get("CI"):
        pytest.skip(f"{name} is not installed: make install-test-tools")
    assert path is not None, f"{name} is missing; make install-test-tools installs it"
    return path


def output(*words: object) -> str:
    """What a command writes to standard output."""
    done = subprocess.run(
        list(map(str, words)), capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout
