"""The study of CoDel under test."""

from ackclock.studies.codel.levels import CODEL, DROP_TAIL, EDGE, LAW, RATES, STATIC
from ackclock.studies.codel.metrics import (
    DELIVERED,
    LONGEST,
    MEDIAN,
    MOST,
    OF_LAW,
    OF_RATES,
    OF_STATIC,
    THREE_QUARTERS,
)
from ackclock.studies.codel.model import after_first_s
from modern_cases import Break, Example

_BYTES = {(DROP_TAIL, 10): 25e6, (CODEL, 10): 25e6, (DROP_TAIL, 830): 101e6, (CODEL, 830): 100e6}


def _row(part, point):
    if part == LAW:
        return {
            name: after_first_s(number, point.interval_s)
            for number, name in enumerate(OF_LAW, start=1)
        }
    if part == RATES:
        numbers = (0.002, 0.004, 0.08, 10.0, _BYTES[point.queue, point.buffer_packets])
        return dict(zip(OF_RATES, numbers, strict=True))
    if part == STATIC:
        return dict(zip(OF_STATIC, (0.005, 0.008, 0.97, 0.01), strict=True))
    delay = 0.01 if point.queue == CODEL else 0.05
    names = ("drop_share", "median_delay_s", "carried_bytes")
    numbers = dict(zip(names, (0.02, delay, 20e6), strict=True))
    return {f"{way}_{name}": number for way in ("down", "up") for name, number in numbers.items()}


def _of(queue, buffer):
    return lambda point: (point.queue, point.buffer_packets) == (queue, buffer)


EXAMPLE = Example(
    name="codel",
    small={
        "parts": (STATIC, LAW),
        "ftps": (5,),
        "rates": (3_000_000,),
        "intervals": (0.05, 0.1),
    },
    command="--parts static,law --ftps 5 --rates 3e+06 --intervals 0.05,0.1",
    files=("static-results", "static-runs", "law-results", "law-runs"),
    other={"parts": (LAW,), "intervals": (0.05,)},
    gone=("static-results", "static-runs"),
    row=_row,
    breaks=(
        *(Break("inverse-square-root", LAW, name, 1.05) for name in OF_LAW),
        Break("tail-drop-waits-seconds", RATES, LONGEST, 0.6, _of(DROP_TAIL, 830)),
        *(
            Break("codel-waits-milliseconds", RATES, name, 2, _of(CODEL, 830))
            for name in (MEDIAN, THREE_QUARTERS, MOST)
        ),
        Break(
            "almost-the-same-bytes",
            RATES,
            DELIVERED,
            0.9,
            _of(CODEL, 830),
        ),
        Break("small-buffers-cost", RATES, DELIVERED, 2, _of(DROP_TAIL, 10)),
        Break("near-the-target", STATIC, "queue_delay_p50_s", 2, lambda its: its.ftps == 20),
        Break("near-the-target", STATIC, "utilisation", 0.9, lambda its: its.ftps == 5),
        Break("consumer-edge", EDGE, "down_median_delay_s", 4, lambda its: its.queue == CODEL),
        Break("consumer-edge", EDGE, "down_carried_bytes", 0.8, lambda its: its.queue == CODEL),
        Break("consumer-edge", EDGE, "down_drop_share", 2, lambda its: its.queue == CODEL),
    ),
)
