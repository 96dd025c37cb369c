"""Frames: named arrays with metadata, in a form that the page reads without a copy.

A frame is "ALAB", the length of the head and of the body (32 bits each, little endian), 4 bytes of
0, the head (JSON, filled with spaces to a multiple of 8), and the body: arrays, each at a multiple
of 8. ``page/src/frame.ts`` reads them. A stream is one frame after the other.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

_MAGIC = b"ALAB"
_ALIGNED = 8
_HEADER_BYTES = 16
_TYPES = {
    np.dtype(np.float64): "f8",
    np.dtype(np.float32): "f4",
    np.dtype(np.int32): "i4",
    np.dtype(np.uint32): "u4",
    np.dtype(np.uint16): "u2",
    np.dtype(np.uint8): "u1",
}


class Words(NamedTuple):
    """A column of words.

    Attributes:
        numbers: number of the word of each row, from 0; in a type of frames.
        words: word of each number.
    """

    numbers: np.ndarray
    words: Sequence[str]


def frame(head: Mapping[str, Any], arrays: Mapping[str, np.ndarray | Words]) -> bytes:
    """Return a frame.

    Args:
        head: metadata that JSON can represent, without the key ``arrays``.
        arrays: one-dimensional, of float64, float32, int32, uint32, uint16 or uint8.

    Raises:
        TypeError: an array has another type, or JSON cannot represent the head.
        ValueError: a number of the head is nan or infinite.
    """
    places, body, at = {}, [], 0
    for name, values in arrays.items():
        numbers = values.numbers if isinstance(values, Words) else values
        if numbers.dtype not in _TYPES:
            raise TypeError(f"{name}: a frame has no type for {numbers.dtype}")
        place: dict[str, Any] = {"type": _TYPES[numbers.dtype], "at": at, "length": len(numbers)}
        if isinstance(values, Words):
            place["words"] = list(values.words)
        places[name] = place
        little = np.ascontiguousarray(numbers, numbers.dtype.newbyteorder("<")).tobytes()
        body.append(little + bytes(-len(little) % _ALIGNED))
        at += len(body[-1])
    text = json.dumps({**head, "arrays": places}, allow_nan=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % _ALIGNED)
    return b"".join([_MAGIC, struct.pack("<III", len(text), at, 0), text, *body])


def read(data: bytes) -> list[tuple[dict[str, Any], dict[str, np.ndarray | Words]]]:
    """Parse the frames of a stream, for tests and for scripts.

    Raises:
        ValueError: the bytes are not frames.
    """
    frames = []
    while data:
        whole = data.ljust(_HEADER_BYTES, b"\0")
        magic, head_bytes, body_bytes, _ = struct.unpack_from("<4sIII", whole)
        end = _HEADER_BYTES + head_bytes + body_bytes
        if magic != _MAGIC or len(data) < end:
            raise ValueError("these bytes are not frames")
        head = json.loads(data[_HEADER_BYTES : _HEADER_BYTES + head_bytes])
        body = data[_HEADER_BYTES + head_bytes : end]
        frames.append((head, {name: _read(body, its) for name, its in head.pop("arrays").items()}))
        data = data[end:]
    return frames


def _read(body: bytes, place: Mapping[str, Any]) -> np.ndarray | Words:
    dtype = next(dtype for dtype, name in _TYPES.items() if name == place["type"])
    values = np.frombuffer(body, dtype.newbyteorder("<"), place["length"], place["at"])
    return Words(values, place["words"]) if "words" in place else values
