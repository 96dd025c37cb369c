"""The study of the end of slow start under test."""

from ackclock.studies.slow_start import metrics as m
from ackclock.studies.slow_start.levels import (
    HYSTART,
    LOSSES,
    MORE_S,
    PLUS_PLUS,
    RISE,
    SPIKE,
    STANDARD,
)
from modern_cases import Break, Example


def _row(part, point):
    if part == LOSSES:
        again = 1e6 if point.start == STANDARD else 0.5e6
        return {m.SENT_AGAIN: again, m.TIMEOUTS: again / 1e6, m.COMPLETION: 2.0}
    if part == RISE:
        slowed = float(point.margin_s == MORE_S)
        return {m.SLOWED: slowed, m.ROUNDS: 5 * slowed, m.ENDED: slowed}
    assert part == SPIKE
    return {
        m.AGAIN: float(point.start == PLUS_PLUS),
        m.COMPLETION: 3.0 if point.start == HYSTART else 1.0,
    }


def _is_plus_plus(point):
    return point.start == PLUS_PLUS


EXAMPLE = Example(
    name="slow-start",
    small={"parts": (LOSSES, RISE), "starts": (PLUS_PLUS,), "rtts": (0.02, 0.05)},
    command=f"--parts {LOSSES},{RISE} --starts {PLUS_PLUS} --rtts 0.02,0.05",
    files=tuple(f"{part}-{what}" for part in (LOSSES, RISE) for what in ("results", "runs")),
    other={"parts": (RISE,), "rtts": (0.02,)},
    gone=(f"{LOSSES}-results", f"{LOSSES}-runs"),
    row=_row,
    breaks=(
        Break("half-sent-again", LOSSES, m.SENT_AGAIN, 0.5, _is_plus_plus),
        Break("fewer-timeouts", LOSSES, m.TIMEOUTS, 3, _is_plus_plus),
        Break("as-fast", LOSSES, m.COMPLETION, 1.3, _is_plus_plus),
        Break("threshold", RISE, m.SLOWED, 0.5, lambda its: its.path_rtt_s == 0.08),
        Break("five-rounds", RISE, m.ROUNDS, 0.8, lambda its: its.path_rtt_s == 0.2),
        Break("goes-on-after-a-spike", SPIKE, m.AGAIN, 0.5, _is_plus_plus),
        Break("spike-costs-hystart-more", SPIKE, m.COMPLETION, 3, _is_plus_plus),
    ),
)
