"""The study of a satellite in low orbit and LTE under test."""

from ackclock.studies.leo.levels import CHANGES, CODEL, CUBIC, LTE, PROBE, SATELLITE, WHOLE
from ackclock.studies.leo.metrics import GOODPUT, MOST, OF_LTE, OF_SATELLITE
from modern_cases import Break, Example

_WAITS = {CUBIC: 7.5, CODEL: 0.5, PROBE: 0.05}


def _row(part, point):
    if part == SATELLITE:
        rate = 120e6 if point.flavor.startswith("bbr") else 20e6
        return dict(zip(OF_SATELLITE, (rate, 0.1, 0.01, 1.0), strict=True))
    return dict(zip(OF_LTE, (5e6, _WAITS.get(point.scheme, 0.2), 0.1, 1.0), strict=True))


def _of_bbr(path):
    return lambda point: (point.flavor, point.path) == ("bbr", path)


EXAMPLE = Example(
    name="leo",
    small={"parts": (SATELLITE,), "flavors": ("reno_sack",), "paths": (WHOLE, CHANGES)},
    command="--parts satellite --flavors reno_sack --paths 'satellite,changes only'",
    files=("satellite-results", "satellite-runs"),
    other={"parts": (LTE,), "schemes": (PROBE,)},
    gone=("satellite-results", "satellite-runs"),
    row=_row,
    breaks=(
        Break("bbr-beats-cubic", SATELLITE, GOODPUT, 0.4, _of_bbr(WHOLE)),
        Break("changes-cost-cubic", SATELLITE, GOODPUT, 0.4, _of_bbr(CHANGES)),
        Break("cubic-waits-seconds", LTE, MOST, 0.4, lambda its: its.scheme == CUBIC),
        Break("cubic-waits-seconds", LTE, MOST, 2.2, lambda its: its.scheme == CUBIC),
        Break("codel-waits-half-a-second", LTE, MOST, 3, lambda its: its.scheme == CODEL),
    ),
)
