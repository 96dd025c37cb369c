"""The study of buffer sizes under test."""

from ackclock.studies.buffer_sizing.levels import MANY, ONE
from ackclock.studies.buffer_sizing.metrics import USED
from ackclock.studies.buffer_sizing.model import cubic, reno
from modern_cases import Break, Example

_OTHERS = {"drop_share": 0.01, "mean_queue_delay_s": 0.01}
_MANY = {0.5: 0.95, 1: 0.99, 2: 0.9999, 3: 0.9999}
_BBR = 0.96


def _row(part, point):
    if part == MANY:
        return {USED: _MANY[point.multiple], **_OTHERS}
    if point.flavor == "bbr":
        return {USED: _BBR * (0.9 if point.buffer_bdp < 0.25 else 1), **_OTHERS}
    if point.flavor == "cubic":
        return {USED: cubic(point.buffer_bdp) * (0.98 if point.buffer_bdp < 0.25 else 1), **_OTHERS}
    return {USED: reno(max(point.buffer_bdp - 0.01, 0)) if point.buffer_bdp < 1 else 1.0, **_OTHERS}


def _at(flavor, buffer):
    return lambda point: (point.flavor, point.buffer_bdp) == (flavor, buffer)


def _with(senders, multiple):
    return lambda point: (point.senders, point.multiple) == (senders, multiple)


EXAMPLE = Example(
    name="buffer-sizing",
    small={"parts": (ONE,), "flavors": ("reno_sack",), "buffers": (0.01, 1)},
    command="--parts one --buffers 0.01,1 --flavors reno_sack",
    files=("one-results", "one-runs"),
    other={"parts": (MANY,), "flows": (100,), "multiples": (0.5,)},
    gone=("one-results", "one-runs"),
    row=_row,
    breaks=(
        Break("reno-needs-a-bdp", ONE, USED, 1.1, _at("reno_sack", 0.01)),
        Break("reno-needs-a-bdp", ONE, USED, 0.98, _at("reno_sack", 1)),
        Break("cubic-needs-less", ONE, USED, 0.98, _at("cubic", 0.75)),
        Break("cubic-needs-less", ONE, USED, 1.1, _at("cubic", 0.1)),
        Break("cubic-a-third", ONE, USED, 1.1, _at("cubic", 0.15)),
        Break("cubic-a-third", ONE, USED, 0.97, _at("cubic", 0.5), also=("cubic-needs-less",)),
        Break("bbr-a-third", ONE, USED, 1.2, _at("bbr", 0.15)),
        Break("bbr-a-third", ONE, USED, 0.97, _at("bbr", 0.5)),
        Break("root-of-n", MANY, USED, 0.98, _with(300, 1)),
        Break("root-of-n", MANY, USED, 0.99, _with(400, 2)),
        Break("hundred-flows", MANY, USED, 0.95, _with(100, 0.5)),
        Break("hundred-flows", MANY, USED, 0.95, _with(100, 3)),
    ),
)
